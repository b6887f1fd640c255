//! Which part of a file a `Range` header asks for (RFC 9110 §14).

use std::ops::Range;

/// What is to be sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// All of it: nothing else is asked for, or in a way this server does not follow, which it may (§14.2).
    Whole,
    /// These bytes, at least one.
    Bytes(Range<u64>),
    /// None of the asked bytes exist (416).
    Unsatisfiable,
}

/// Reads the value of a `Range` header for a content of `size` bytes. Several ranges at once are not followed.
#[must_use]
pub fn part(header: &str, size: u64) -> Part {
    let Some((unit, range)) = header.split_once('=') else { return Part::Whole };
    let Some((first, last)) = range.trim().split_once('-') else { return Part::Whole };
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return Part::Whole;
    }
    match (number(first), number(last)) {
        // the last so many bytes
        (Number::None, Number::Some(length)) => match size.min(length) {
            0 => Part::Unsatisfiable,
            length => Part::Bytes(size - length..size),
        },
        (Number::Some(first), Number::Some(last)) if last < first => Part::Whole,
        (Number::Some(first), Number::None | Number::Some(_)) if first >= size => Part::Unsatisfiable,
        (Number::Some(first), Number::Some(last)) => Part::Bytes(first..size.min(last.saturating_add(1))),
        (Number::Some(first), Number::None) => Part::Bytes(first..size),
        _ => Part::Whole,
    }
}

enum Number {
    None,
    Some(u64),
    Bad,
}

/// Digits; more of them than a number can hold are the largest.
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
    fn one_range_is_followed() {
        for (header, expected) in [
            ("bytes=0-0", Part::Bytes(0..1)),
            ("bytes=0-", Part::Bytes(0..10)),
            ("Bytes = 2-4", Part::Bytes(2..5)),
            ("bytes=8-99", Part::Bytes(8..10)),
            ("bytes=8-99999999999999999999", Part::Bytes(8..10)),
            ("bytes=-3", Part::Bytes(7..10)),
            ("bytes=-99", Part::Bytes(0..10)),
            ("bytes=10-", Part::Unsatisfiable),
            ("bytes=10-11", Part::Unsatisfiable),
            ("bytes=-0", Part::Unsatisfiable),
            ("bytes=3-2", Part::Whole),
            ("bytes=0-1,3-4", Part::Whole),
            ("bytes=-", Part::Whole),
            ("bytes=a-b", Part::Whole),
            ("bytes=--1", Part::Whole),
            ("bytes=+1-2", Part::Whole),
            ("bytes", Part::Whole),
            ("items=0-1", Part::Whole),
            ("", Part::Whole),
        ] {
            assert_eq!(part(header, 10), expected, "{header}");
        }
        assert_eq!(part("bytes=-1", 0), Part::Unsatisfiable);
        assert_eq!(part("bytes=0-", 0), Part::Unsatisfiable);
    }

    proptest! {
        #[test]
        fn parts_are_inside(header in "bytes=[0-9]{0,20}-[0-9]{0,20}", size: u64) {
            if let Part::Bytes(range) = part(&header, size) {
                prop_assert!(range.start < range.end && range.end <= size);
            }
        }
    }
}
