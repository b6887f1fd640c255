//! Moments for people: in their own time zone.

use jiff::{civil::Date, tz::TimeZone};

use crate::domain::time::Timestamp;

/// A moment, for a `time` element.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Moment {
    /// RFC 3339.
    pub(super) exact: String,
    /// `21 Nov 2026, 14:35 CET`.
    pub(super) text: String,
}

/// A moment as somebody in this time zone reads it; in UTC without one.
pub(super) fn moment(at: Timestamp, zone: Option<&str>) -> Moment {
    let zone = zone_of(zone);
    let exact = at.to_rfc3339();
    let text = match jiff::Timestamp::from_microsecond(at.micros()) {
        Ok(at) => at.to_zoned(zone).strftime("%-d %b %Y, %H:%M %Z").to_string(),
        // beyond the year 9999
        Err(_) => exact.clone(),
    };
    Moment { exact, text }
}

/// When a day (`2026-11-20`) begins for somebody in this time zone.
pub(super) fn start_of_day(text: &str, zone: Option<&str>) -> Option<Timestamp> {
    let is_day = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let day: Date = text.parse().ok().filter(|_| is_day)?;
    let begin = day.to_zoned(zone_of(zone)).ok()?;
    Some(Timestamp(begin.timestamp().as_microsecond()))
}

fn zone_of(name: Option<&str>) -> TimeZone {
    name.and_then(|name| TimeZone::get(name).ok()).unwrap_or(TimeZone::UTC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days() {
        let begins = |text, zone| start_of_day(text, zone).map(Timestamp::to_rfc3339);
        assert_eq!(begins("2026-11-20", None).as_deref(), Some("2026-11-20T00:00:00.000Z"));
        assert_eq!(
            begins("2026-11-20", Some("Europe/Stockholm")).as_deref(),
            Some("2026-11-19T23:00:00.000Z")
        );
        for wrong in ["", "20 Nov 2026", "2026-13-01", "2026-02-30", "2026-11-20T10:00Z", "-026-11-20"] {
            assert_eq!(begins(wrong, None), None, "{wrong}");
        }
    }

    #[test]
    fn zones() {
        let at = Timestamp(1_795_196_100_123_456);
        for (zone, text) in [
            (None, "20 Nov 2026, 17:35 UTC"),
            (Some("Europe/Stockholm"), "20 Nov 2026, 18:35 CET"),
            (Some("Nowhere"), "20 Nov 2026, 17:35 UTC"),
        ] {
            assert_eq!(
                moment(at, zone),
                Moment { exact: "2026-11-20T17:35:00.123Z".into(), text: text.into() }
            );
        }
        assert_eq!(moment(Timestamp(i64::MAX), None).text, "9999-12-31T23:59:59.999Z");
    }
}
