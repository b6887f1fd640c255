//! Parsing of arguments (choices, switches, removable values, durations, times), and formatting of durations.

use std::{fmt, str::FromStr, time::Duration};

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::domain::time::Timestamp;

/// Returns a parser that accepts one of `words` and converts it to `T`. Help and completions list the words.
pub fn one_of<T>(words: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: std::error::Error + Send + Sync + 'static> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(words).try_map(|word| word.parse::<T>())
}

/// Returns a parser of `on` and `off`.
pub fn switch() -> impl TypedValueParser<Value = bool> {
    PossibleValuesParser::new(["on", "off"]).map(|word| word == "on")
}

/// A new value, or the word `none`, which removes the current value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrNone<T> {
    /// The new value.
    Some(T),
    /// The word `none`.
    None,
}

impl<T> OrNone<T> {
    /// Returns the value to send, and whether null must be sent instead.
    pub fn split(value: Option<Self>) -> (Option<T>, bool) {
        match value {
            Some(Self::Some(value)) => (Some(value), false),
            Some(Self::None) => (None, true),
            None => (None, false),
        }
    }
}

impl<T: FromStr> FromStr for OrNone<T> {
    type Err = T::Err;

    fn from_str(text: &str) -> Result<Self, T::Err> {
        if text == "none" { Ok(Self::None) } else { text.parse().map(Self::Some) }
    }
}

/// An invalid duration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidDuration;

impl fmt::Display for InvalidDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("must be a duration such as 30s, 90m, 24h, 7d or 1h30m")
    }
}

impl std::error::Error for InvalidDuration {}

/// Parses a duration: `24h`, `90m`, `30s`, `7d`, a sum (`1h30m`), or a number of seconds without a unit.
///
/// # Errors
/// [`InvalidDuration`] for an empty text, an unknown unit, a unit without a number, a sum in which a number has no
/// unit, zero, or more seconds than a `u64` holds.
pub fn span(text: &str) -> Result<Duration, InvalidDuration> {
    let mut total = 0u64;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (number, after) = rest.split_at(digits);
        let letters = after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at(letters);
        let seconds = match unit {
            "s" => 1,
            "m" => 60,
            "h" => 3_600,
            "d" => 86_400,
            // a text that is only a number is in seconds
            "" if number.len() == text.len() => 1,
            _ => return Err(InvalidDuration),
        };
        let number: u64 = number.parse().map_err(|_| InvalidDuration)?;
        total =
            number.checked_mul(seconds).and_then(|more| total.checked_add(more)).ok_or(InvalidDuration)?;
        rest = after;
    }
    if total == 0 { Err(InvalidDuration) } else { Ok(Duration::from_secs(total)) }
}

/// Parses a time: RFC 3339, or Unix time in seconds.
///
/// # Errors
/// A description of valid values.
pub fn moment(text: &str) -> Result<Timestamp, String> {
    let seconds = text.parse().ok().map(Timestamp::from_seconds);
    seconds
        .or_else(|| Timestamp::parse(text))
        .ok_or_else(|| "must be RFC 3339, such as 2026-11-16T11:02:44Z, or Unix seconds".to_owned())
}

/// Formats a duration for people: `1 day 3 hours`. The sign of `seconds` is ignored.
#[must_use]
pub fn format_duration(seconds: i64) -> String {
    let mut left = seconds.unsigned_abs();
    let mut parts = Vec::new();
    for (unit, size) in [("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)] {
        let number = left / size;
        left %= size;
        if number > 0 {
            parts.push(format!("{number} {unit}{}", if number == 1 { "" } else { "s" }));
        }
    }
    if parts.is_empty() { "0 seconds".to_owned() } else { parts.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_parsed() {
        let seconds = |text| span(text).map(|span| span.as_secs());
        for (text, expected) in [
            ("30s", 30),
            ("90m", 5_400),
            ("24h", 86_400),
            ("7d", 604_800),
            ("1h30m", 5_400),
            ("1d1h1m1s", 90_061),
            ("45", 45),
        ] {
            assert_eq!(seconds(text), Ok(expected), "{text}");
        }
        let too_long = ["99999999999999999999s", "300000000000000d"];
        for bad in ["", "0", "0s", "h", "5x", "-5s", "1.5h", "1h30", " 1h", "1h "].into_iter().chain(too_long)
        {
            assert_eq!(seconds(bad), Err(InvalidDuration), "{bad}");
        }
    }

    #[test]
    fn times_are_parsed() {
        assert_eq!(moment("1795196100"), Ok(Timestamp::from_seconds(1_795_196_100)));
        assert_eq!(moment("2026-11-20T18:35:00+01:00"), Ok(Timestamp::from_seconds(1_795_196_100)));
        assert!(moment("yesterday").is_err());
    }

    #[test]
    fn durations_are_formatted() {
        assert_eq!(format_duration(0), "0 seconds");
        assert_eq!(format_duration(86_400), "1 day");
        assert_eq!(format_duration(97_261), "1 day 3 hours 1 minute 1 second");
    }

    #[test]
    fn none_removes_a_value() {
        let read = |text: &str| text.parse::<OrNone<u32>>();
        assert_eq!(read("none"), Ok(OrNone::None));
        assert_eq!(read("8"), Ok(OrNone::Some(8)));
        assert!(read("eight").is_err());
        assert_eq!(OrNone::split(Some(OrNone::Some(1))), (Some(1), false));
        assert_eq!(OrNone::<u32>::split(Some(OrNone::None)), (None, true));
        assert_eq!(OrNone::<u32>::split(None), (None, false));
    }
}
