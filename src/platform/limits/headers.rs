//! The `RateLimit-Policy` and `RateLimit` response fields (draft-ietf-httpapi-ratelimit-headers-11, D-196).
//!
//! Both are lists of strings with parameters (RFC 9651); row names are plain words, so no escaping is needed. `t` names
//! the moment at which `r` grows, so that beside a `Retry-After` both tell the same time, as the draft asks.

use std::fmt::Write as _;

use super::{Standing, rounded_up, whole_seconds};

/// `"list";q=20;w=60`: what is allowed.
#[must_use]
pub fn policy_header(standings: &[Standing]) -> String {
    let mut text = String::new();
    for standing in standings {
        let Standing { name, limit, per, .. } = standing;
        push_item(&mut text, name, ('q', *limit), ('w', whole_seconds(*per)));
    }
    text
}

/// `"list";r=19;t=60`: what is left, and in how many seconds there is more; `t=0` when nothing was used.
#[must_use]
pub fn standing_header(standings: &[Standing]) -> String {
    let mut text = String::new();
    for standing in standings {
        let Standing { name, remaining, reset_after, .. } = standing;
        push_item(&mut text, name, ('r', *remaining), ('t', rounded_up(*reset_after)));
    }
    text
}

fn push_item(text: &mut String, name: &str, first: (char, u32), second: (char, u32)) {
    let comma = if text.is_empty() { "" } else { ", " };
    let ((a, a_value), (b, b_value)) = (first, second);
    // writing to a String cannot fail
    let _ = write!(text, "{comma}\"{name}\";{a}={a_value};{b}={b_value}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::time::Timestamp;
    use crate::platform::limits::{Key, LIST, Limits, SEND_DESTINATION, SEND_INSTALLATION};

    #[test]
    fn headers_are_lists_of_named_items() {
        let (limits, key) = (Limits::in_memory(1), Key::id("x", 1));
        let one = [limits.check(LIST, key, Timestamp(0)).standing];
        assert_eq!(policy_header(&one), r#""list";q=20;w=60"#);
        assert_eq!(standing_header(&one), r#""list";r=19;t=60"#);
        let takes = [(key, SEND_INSTALLATION), (key, SEND_DESTINATION)];
        let two = limits.take_all(&takes, Timestamp(0)).unwrap().standings;
        assert_eq!(policy_header(&two), r#""send_installation";q=20;w=4, "send_destination";q=5;w=5"#);
        assert_eq!(standing_header(&two), r#""send_installation";r=19;t=1, "send_destination";r=4;t=1"#);
        let unused = limits.peek_all(&[(Key::id("x", 2), SEND_DESTINATION)], Timestamp(0));
        assert_eq!(standing_header(&unused), r#""send_destination";r=5;t=0"#);
    }
}
