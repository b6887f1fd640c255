//! Timestamps: microseconds since the Unix epoch, UTC. The clock is in `platform`.

use std::fmt;
use std::ops::{Add, Sub};
use std::time::Duration;

use serde::{Serialize, Serializer};

/// Microseconds since 1970-01-01T00:00:00Z.
///
/// Displayed as RFC 3339 with `Z` and exactly three fractional digits (D-019). A timestamp has only this text form, so
/// a replayed response has the same bytes as the original response.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Timestamp(pub i64);

const MICROS_PER_MILLI: i64 = 1_000;
const MICROS_PER_SECOND: i64 = 1_000_000;
const MILLIS_PER_DAY: i64 = 86_400_000;

/// Length of `2026-11-20T17:35:00.123Z`.
const TEXT_LEN: usize = 24;

/// The first and the last millisecond with a four-digit year, as RFC 3339 requires: 0000-01-01T00:00:00.000Z and
/// 9999-12-31T23:59:59.999Z.
const FIRST_MILLI: i64 = -62_167_219_200_000;
const LAST_MILLI: i64 = 253_402_300_799_999;

impl Timestamp {
    /// Converts whole milliseconds since the epoch.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis.saturating_mul(MICROS_PER_MILLI))
    }

    /// Converts whole seconds since the epoch.
    #[must_use]
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(MICROS_PER_SECOND))
    }

    /// Returns the microseconds since the epoch.
    #[must_use]
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Returns the milliseconds since the epoch, rounded down.
    #[must_use]
    pub const fn millis(self) -> i64 {
        self.0.div_euclid(MICROS_PER_MILLI)
    }

    /// Returns the seconds since the epoch, rounded down.
    #[must_use]
    pub const fn seconds(self) -> i64 {
        self.0.div_euclid(MICROS_PER_SECOND)
    }

    /// Returns the time since `earlier`; zero if `earlier` is later than this timestamp.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// Formats as `2026-11-20T17:35:00.123Z`, rounded down to the millisecond. The format supports only the years 0 to
    /// 9999. An earlier or later timestamp is formatted as the first or last millisecond of these years.
    #[must_use]
    pub fn to_rfc3339(self) -> String {
        self.to_string()
    }

    /// Parses an RFC 3339 date-time (§5.6) with any offset. Digits beyond microseconds are dropped. The second 60 is
    /// read as 59.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (fraction, offset) = after_seconds(text.as_bytes())?;
        // `jiff::Timestamp` is not used, because its range ends 26 hours before the end of the year 9999, and it reads
        // at most nine digits of a fraction
        let civil: jiff::civil::DateTime = text.get(..START.len())?.parse().ok()?;
        let seconds = civil.duration_since(EPOCH).as_secs() - offset_seconds(offset)?;
        Some(Self(seconds * MICROS_PER_SECOND + micros_of(fraction)))
    }

    fn text(self) -> [u8; TEXT_LEN] {
        let millis = self.millis().clamp(FIRST_MILLI, LAST_MILLI);
        let (year, month, day) = civil(millis.div_euclid(MILLIS_PER_DAY));
        let of_day = millis.rem_euclid(MILLIS_PER_DAY);
        let mut text = *b"0000-00-00T00:00:00.000Z";
        digits(&mut text[0..4], year);
        digits(&mut text[5..7], month);
        digits(&mut text[8..10], day);
        digits(&mut text[11..13], of_day / 3_600_000);
        digits(&mut text[14..16], of_day / 60_000 % 60);
        digits(&mut text[17..19], of_day / 1_000 % 60);
        digits(&mut text[20..23], of_day % 1_000);
        text
    }
}

/// Writes a number right-aligned into `text`, with leading zeros.
fn digits(text: &mut [u8], mut number: i64) {
    for digit in text.iter_mut().rev() {
        *digit = b'0' + u8::try_from(number % 10).unwrap_or(0);
        number /= 10;
    }
}

/// Returns year, month and day of a day number since the epoch, in the proleptic Gregorian calendar. This is the
/// `civil_from_days` algorithm: years begin in March, so the leap day is the last day of a year, and a period has 400
/// years.
const fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468; // days since 0000-03-01
    let period = days.div_euclid(146_097);
    let day_of_period = days.rem_euclid(146_097);
    let year_of_period =
        (day_of_period - day_of_period / 1_460 + day_of_period / 36_524 - day_of_period / 146_096) / 365;
    let day_of_year = day_of_period - (365 * year_of_period + year_of_period / 4 - year_of_period / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = period * 400 + year_of_period + (month <= 2) as i64;
    (year, month, day)
}

/// The pattern of the start of a date-time: `d` stands for a digit, and `T` may be in either case.
const START: &[u8] = b"dddd-dd-ddTdd:dd:dd";
const EPOCH: jiff::civil::DateTime = jiff::civil::date(1970, 1, 1).at(0, 0, 0, 0);

/// Checks for `YYYY-MM-DDTHH:MM:SS[.d+](Z|±HH:MM)`, with `T` and `Z` in either case. Returns the fraction's digits and
/// the offset. Does not check whether the numbers are in range.
fn after_seconds(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let (start, rest) = text.split_at_checked(START.len())?;
    if !fits(start, START) {
        return None;
    }
    let (fraction, offset) = match rest.strip_prefix(b".") {
        None => (&[][..], rest),
        Some(rest) => {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits == 0 {
                return None;
            }
            rest.split_at(digits)
        }
    };
    (matches!(offset, b"Z" | b"z") || fits(offset, b"+dd:dd")).then_some((fraction, offset))
}

fn fits(text: &[u8], form: &[u8]) -> bool {
    text.len() == form.len()
        && text.iter().zip(form).all(|(byte, form)| match form {
            b'd' => byte.is_ascii_digit(),
            b'T' => matches!(byte, b'T' | b't'),
            b'+' => matches!(byte, b'+' | b'-'),
            form => byte == form,
        })
}

/// Returns an offset of the form `Z` or `±HH:MM` in seconds. Returns `None` if the hours exceed 23 or the minutes
/// exceed 59.
fn offset_seconds(offset: &[u8]) -> Option<i64> {
    let &[sign, h1, h2, _, m1, m2] = offset else { return Some(0) };
    let number = |tens: u8, ones: u8| i64::from(tens - b'0') * 10 + i64::from(ones - b'0');
    let (hours, minutes) = (number(h1, h2), number(m1, m2));
    let seconds = hours * 3_600 + minutes * 60;
    (hours < 24 && minutes < 60).then_some(if sign == b'-' { -seconds } else { seconds })
}

/// Converts the digits of a fraction of a second to microseconds.
fn micros_of(fraction: &[u8]) -> i64 {
    let digits = fraction.iter().copied().chain(std::iter::repeat(b'0')).take(6);
    digits.fold(0, |micros, digit| micros * 10 + i64::from(digit - b'0'))
}

/// Formats like [`Timestamp::to_rfc3339`].
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(str::from_utf8(&self.text()).map_err(|_| fmt::Error)?)
    }
}

/// Serializes as the text of [`Timestamp::to_rfc3339`].
impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

/// Saturates at the ends of the range.
impl Add<Duration> for Timestamp {
    type Output = Self;

    fn add(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(micros(duration)))
    }
}

/// Saturates at the ends of the range.
impl Sub<Duration> for Timestamp {
    type Output = Self;

    fn sub(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(micros(duration)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_timestamps_are_formatted() {
        for (micros, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (999, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00.000Z"),
            (1_795_196_100_123_456, "2026-11-20T17:35:00.123Z"),
            (253_402_300_799_999_999, "9999-12-31T23:59:59.999Z"),
            (-62_167_219_200_000_000, "0000-01-01T00:00:00.000Z"),
            (i64::MAX, "9999-12-31T23:59:59.999Z"),
            (i64::MIN, "0000-01-01T00:00:00.000Z"),
        ] {
            assert_eq!(Timestamp(micros).to_rfc3339(), text);
            assert_eq!(Timestamp(micros).to_string(), text);
        }
    }

    #[test]
    fn fractions_are_rounded_down() {
        assert_eq!((Timestamp(-1).seconds(), Timestamp(-1).millis()), (-1, -1));
        assert_eq!((Timestamp(1_999_999).seconds(), Timestamp(1_999_999).millis()), (1, 1_999));
    }

    #[test]
    fn arithmetic_saturates() {
        assert_eq!(Timestamp(i64::MAX) + Duration::MAX, Timestamp(i64::MAX));
        assert_eq!(Timestamp(i64::MIN) - Duration::from_secs(1), Timestamp(i64::MIN));
        assert_eq!(Timestamp(5) + Duration::from_secs(1) - Duration::from_secs(1), Timestamp(5));
        assert_eq!(Timestamp(5).since(Timestamp(3)), Duration::from_micros(2));
        assert_eq!(Timestamp(3).since(Timestamp(5)), Duration::ZERO);
        assert_eq!(Timestamp(i64::MAX).since(Timestamp(i64::MIN)).as_micros(), i64::MAX as u128);
    }

    #[test]
    fn only_rfc_3339_is_parsed() {
        for (text, micros) in [
            ("2026-11-20T17:35:00.123Z", 1_795_196_100_123_000),
            ("2026-11-20T18:35:00.123456+01:00", 1_795_196_100_123_456),
            ("2026-11-20t17:35:00z", 1_795_196_100_000_000),
            ("1969-12-31T23:59:59.9999999Z", -1),
            ("2016-12-31T23:59:60Z", 1_483_228_799_000_000),
            ("2026-11-20T17:35:00.123456789012345Z", 1_795_196_100_123_456),
            ("9999-12-31T23:59:59.999999999Z", 253_402_300_799_999_999),
            ("9999-12-31T23:59:59-23:59", 253_402_300_799_000_000 + 86_340_000_000),
            ("0000-01-01T00:00:00+23:59", -62_167_219_200_000_000 - 86_340_000_000),
        ] {
            assert_eq!(Timestamp::parse(text), Some(Timestamp(micros)), "{text}");
        }
        for text in [
            "",
            "2026-11-20",
            "2026-11-20T17:35Z",
            "2026-11-20T17:35:00",
            "2026-11-20 17:35:00Z",
            "2026-11-20T17:35:00.Z",
            "2026-11-20T17:35:00+0100",
            "2026-11-20T17:35:00+24:00",
            "2026-11-20T17:35:00-01:60",
            "2026-11-20T17:35:61Z",
            "2026-11-20T17:35:00+01:00[Europe/Berlin]",
            "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-11-20T24:00:00Z",
            "20261120T173500Z",
            "+002026-11-20T17:35:00Z",
            "2026-11-20T17:35:00Zé",
            "1795196100",
        ] {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn formatting_agrees_with_jiff(micros in FIRST_MILLI * 1_000..=LAST_MILLI * 1_000) {
            // in UTC, jiff's range ends shortly before the end of the year 9999
            if let Ok(moment) = jiff::Timestamp::from_microsecond(micros) {
                prop_assert_eq!(Timestamp(micros).to_rfc3339(), moment.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string());
            }
            let whole = Timestamp::from_millis(Timestamp(micros).millis());
            prop_assert_eq!(Timestamp::parse(&whole.to_rfc3339()), Some(whole));
        }

        #[test]
        fn parsing_never_panics(text in ".{0,40}") {
            let _ = Timestamp::parse(&text);
        }
    }
}
