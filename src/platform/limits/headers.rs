//! The `RateLimit-Policy` and `RateLimit` response fields (draft-ietf-httpapi-ratelimit-headers-11, D-196).
//!
//! The value of each field is a list of strings with parameters (RFC 9651). The strings are the names of limits, which
//! need no escaping. If limits are exceeded, `Retry-After` equals the largest parameter `t` of the exceeded limits. So
//! `RateLimit` and `Retry-After` do not contradict each other, as the draft recommends.

use std::fmt::Write as _;

use super::{LimitStatus, rounded_up, whole_seconds};

/// Returns the value of `RateLimit-Policy`, such as `"list";q=20;w=60`: for each limit its name, its quota `q` in
/// requests, and its window `w` in seconds.
#[must_use]
pub fn policy_header(statuses: &[LimitStatus]) -> String {
    let mut text = String::new();
    for status in statuses {
        let LimitStatus { name, limit, per, .. } = status;
        push_item(&mut text, name, ('q', *limit), ('w', whole_seconds(*per)));
    }
    text
}

/// Returns the value of `RateLimit`, such as `"list";r=19;t=60`: for each limit its name, the number `r` of remaining
/// requests, and the number `t` of seconds until `r` increases. `t` is 0 if `r` is the whole quota.
#[must_use]
pub fn status_header(statuses: &[LimitStatus]) -> String {
    let mut text = String::new();
    for status in statuses {
        let LimitStatus { name, remaining, reset_after, .. } = status;
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
    use crate::platform::limits::{LIST, LimitKey, Limits, SEND};

    #[test]
    fn headers_are_lists_of_named_items() {
        let (limits, key) = (Limits::in_memory(1), LimitKey::id("x", 1));
        let one = [limits.check(LIST.counter(), key, Timestamp(0)).status];
        assert_eq!(policy_header(&one), r#""list";q=20;w=60"#);
        assert_eq!(status_header(&one), r#""list";r=19;t=60"#);
        let takes = [(key, SEND.installation.counter), (key, SEND.destination.counter)];
        let two = limits.take_all(&takes, Timestamp(0)).unwrap().statuses;
        assert_eq!(policy_header(&two), r#""send_installation";q=20;w=4, "send_destination";q=5;w=5"#);
        assert_eq!(status_header(&two), r#""send_installation";r=19;t=1, "send_destination";r=4;t=1"#);
        let unused = limits.peek_all(&[(LimitKey::id("x", 2), SEND.destination.counter)], Timestamp(0));
        assert_eq!(status_header(&unused), r#""send_destination";r=5;t=0"#);
    }
}
