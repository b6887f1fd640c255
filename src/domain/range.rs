//! Parsing of `Range` headers (RFC 9110 §14).

use std::ops::Range;

/// The part of a file to send.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RequestedPart {
    /// The whole file. The request has no range, or its range is invalid or has a form that this server does not
    /// support. A server is allowed to ignore such a range (§14.2).
    Whole,
    /// These bytes of the file, at least one byte.
    Bytes(Range<u64>),
    /// None of the requested bytes exist (416).
    Unsatisfiable,
}

/// Parses the value of a `Range` header for a content of `size` bytes. Several ranges are not supported: the result is
/// the whole content.
#[must_use]
pub fn part(header: &str, size: u64) -> RequestedPart {
    let Some((unit, range)) = header.split_once('=') else { return RequestedPart::Whole };
    let Some((first, last)) = range.trim().split_once('-') else { return RequestedPart::Whole };
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return RequestedPart::Whole;
    }
    match (number(first), number(last)) {
        // a suffix range, such as `-500` for the last 500 bytes
        (Number::None, Number::Some(length)) => match size.min(length) {
            0 => RequestedPart::Unsatisfiable,
            length => RequestedPart::Bytes(size - length..size),
        },
        (Number::Some(first), Number::Some(last)) if last < first => RequestedPart::Whole,
        (Number::Some(first), Number::None | Number::Some(_)) if first >= size => {
            RequestedPart::Unsatisfiable
        }
        (Number::Some(first), Number::Some(last)) => {
            RequestedPart::Bytes(first..size.min(last.saturating_add(1)))
        }
        (Number::Some(first), Number::None) => RequestedPart::Bytes(first..size),
        _ => RequestedPart::Whole,
    }
}

enum Number {
    None,
    Some(u64),
    Bad,
}

/// Parses decimal digits; a number that overflows becomes `u64::MAX`.
fn number(text: &str) -> Number {
    match text {
        "" => Number::None,
        _ if text.bytes().all(|byte| byte.is_ascii_digit()) => Number::Some(text.parse().unwrap_or(u64::MAX)),
        _ => Number::Bad,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_a_single_range_is_supported() {
        for (header, expected) in [
            ("bytes=0-0", RequestedPart::Bytes(0..1)),
            ("bytes=0-", RequestedPart::Bytes(0..10)),
            ("Bytes = 2-4", RequestedPart::Bytes(2..5)),
            ("bytes=8-99", RequestedPart::Bytes(8..10)),
            ("bytes=8-99999999999999999999", RequestedPart::Bytes(8..10)),
            ("bytes=-3", RequestedPart::Bytes(7..10)),
            ("bytes=-99", RequestedPart::Bytes(0..10)),
            ("bytes=10-", RequestedPart::Unsatisfiable),
            ("bytes=10-11", RequestedPart::Unsatisfiable),
            ("bytes=-0", RequestedPart::Unsatisfiable),
            ("bytes=3-2", RequestedPart::Whole),
            ("bytes=0-1,3-4", RequestedPart::Whole),
            ("bytes=-", RequestedPart::Whole),
            ("bytes=a-b", RequestedPart::Whole),
            ("bytes=--1", RequestedPart::Whole),
            ("bytes=+1-2", RequestedPart::Whole),
            ("bytes", RequestedPart::Whole),
            ("items=0-1", RequestedPart::Whole),
            ("", RequestedPart::Whole),
        ] {
            assert_eq!(part(header, 10), expected, "{header}");
        }
        assert_eq!(part("bytes=-1", 0), RequestedPart::Unsatisfiable);
        assert_eq!(part("bytes=0-", 0), RequestedPart::Unsatisfiable);
    }

    proptest! {
        #[test]
        fn the_requested_part_is_inside_the_content(header in "bytes=[0-9]{0,20}-[0-9]{0,20}", size: u64) {
            if let RequestedPart::Bytes(range) = part(&header, size) {
                prop_assert!(range.start < range.end && range.end <= size);
            }
        }
    }
}
