//! Times in the visitor's time zone.

use jiff::{Zoned, civil::Date, tz::TimeZone};

use crate::domain::time::Timestamp;

/// A time for a `time` element.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LocalTime {
    /// The time in UTC (RFC 3339).
    pub(super) exact: String,
    /// The time as shown: `21 Nov 2026, 14:35 CET`, or shorter in a list ([`short_time`]).
    pub(super) text: String,
}

/// Formats a time in a time zone. Uses UTC if the zone is `None` or unknown. If jiff does not support the time
/// ([`zoned`]), the text is that of [`Timestamp::to_rfc3339`].
pub(super) fn local_time(at: Timestamp, zone: Option<&str>) -> LocalTime {
    let exact = at.to_rfc3339();
    let text = zoned(at, zone).map_or_else(|| exact.clone(), |at| day_and_clock(&at));
    LocalTime { exact, text }
}

/// The time of a message. A separator above the message shows the day.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MessageTime {
    /// The time in UTC (RFC 3339).
    pub(super) exact: String,
    /// `14:03`.
    pub(super) clock: String,
    /// `23 Nov 2026, 14:03 CET`.
    pub(super) full: String,
}

/// Formats the time of a message in a time zone. Uses UTC if the zone is `None` or unknown. If jiff does not support
/// the time ([`zoned`]), every text is that of [`Timestamp::to_rfc3339`].
pub(super) fn moment(at: Timestamp, zone: Option<&str>) -> MessageTime {
    let exact = at.to_rfc3339();
    match zoned(at, zone) {
        Some(at) => MessageTime { exact, clock: clock(&at), full: day_and_clock(&at) },
        None => MessageTime { clock: exact.clone(), full: exact.clone(), exact },
    }
}

/// A day in a time zone; `None` if jiff does not support the time ([`zoned`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Day(Option<Date>);

impl Day {
    /// Returns the day of a time in a time zone. Uses UTC if the zone is `None` or unknown.
    pub(super) fn of(at: Timestamp, zone: Option<&str>) -> Self {
        Self(zoned(at, zone).map(|at| at.date()))
    }

    /// `2026-11-23`; empty if jiff does not support the time ([`zoned`]).
    pub(super) fn text(self) -> String {
        self.0.map(|day| day.to_string()).unwrap_or_default()
    }

    /// `Monday, 23 November 2026`; a fixed text if jiff does not support the time ([`zoned`]).
    pub(super) fn name(self) -> String {
        match self.0 {
            Some(day) => day.strftime("%A, %-d %B %Y").to_string(),
            None => "A day at the end of the year 9999 or later".to_owned(),
        }
    }
}

/// Formats a time for a list, in a time zone: `14:35` on the day of `now`, `21 Nov` on another day of the same year,
/// and `21 Nov 2026` in another year.
pub(super) fn short_time(at: Timestamp, now: Timestamp, zone: Option<&str>) -> LocalTime {
    let (Some(local), Some(now)) = (zoned(at, zone), zoned(now, zone)) else { return local_time(at, zone) };
    let text = match () {
        () if local.date() == now.date() => clock(&local),
        () if local.year() == now.year() => format!("{} {}", local.day(), month(&local)),
        () => format!("{} {} {}", local.day(), month(&local), local.year()),
    };
    LocalTime { exact: at.to_rfc3339(), text }
}

/// Returns the time of day in a time zone (`14:35`); `None` for an unknown zone, and if jiff does not support the time
/// ([`zoned`]).
pub(super) fn clock_in(at: Timestamp, zone: &str) -> Option<String> {
    let zone = TimeZone::get(zone).ok()?;
    let at = jiff::Timestamp::from_microsecond(at.micros()).ok()?;
    Some(clock(&at.to_zoned(zone)))
}

/// Returns the start of a day (`2026-11-20`) in a time zone. Uses UTC if the zone is `None` or unknown. Returns `None`
/// for a text that is not a day, and for a day whose start jiff does not support ([`zoned`]).
pub(super) fn start_of_day(text: &str, zone: Option<&str>) -> Option<Timestamp> {
    let is_day = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let day: Date = text.parse().ok().filter(|_| is_day)?;
    let begin = day.to_zoned(zone_of(zone)).ok()?;
    Some(Timestamp(begin.timestamp().as_microsecond()))
}

/// Converts a time to a time zone. Returns `None` for a time that jiff does not support: a time in the last 26 hours of
/// the year 9999, or later.
fn zoned(at: Timestamp, zone: Option<&str>) -> Option<Zoned> {
    let at = jiff::Timestamp::from_microsecond(at.micros()).ok()?;
    Some(at.to_zoned(zone_of(zone)))
}

/// `14:35`. Does not use `strftime`, which is slower: a page can show the times of hundreds of messages.
fn clock(at: &Zoned) -> String {
    format!("{:02}:{:02}", at.hour(), at.minute())
}

/// `21 Nov 2026, 14:35 CET`.
fn day_and_clock(at: &Zoned) -> String {
    let (day, month, year, hour, minute) = (at.day(), month(at), at.year(), at.hour(), at.minute());
    let zone = at.time_zone().to_offset_info(at.timestamp());
    format!("{day} {month} {year}, {hour:02}:{minute:02} {}", zone.abbreviation())
}

/// `Nov`.
fn month(at: &Zoned) -> &'static str {
    const NAMES: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    NAMES[usize::from(at.month().unsigned_abs()) - 1]
}

fn zone_of(name: Option<&str>) -> TimeZone {
    name.and_then(|name| TimeZone::get(name).ok()).unwrap_or(TimeZone::UTC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_midnight_in_its_time_zone() {
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
    fn the_time_zone_determines_the_day_of_a_message() {
        let at = Timestamp(1_795_215_600_123_456);
        let parts = |zone| {
            let MessageTime { exact, clock, .. } = moment(at, zone);
            assert_eq!(exact, "2026-11-20T23:00:00.123Z");
            let day = Day::of(at, zone);
            (clock, day.text(), day.name())
        };
        let expected = |clock: &str, day: &str, name: &str| (clock.into(), day.into(), name.into());
        assert_eq!(parts(None), expected("23:00", "2026-11-20", "Friday, 20 November 2026"));
        let tokyo = parts(Some("Asia/Tokyo"));
        assert_eq!(tokyo, expected("08:00", "2026-11-21", "Saturday, 21 November 2026"));
    }

    #[test]
    fn a_list_shows_the_time_of_day_for_today_and_the_date_for_other_days() {
        let at = Timestamp(1_795_196_100_123_456);
        let days = |number: i64| Timestamp(at.0 + number * 24 * 60 * 60 * 1_000_000);
        for (now, zone, text) in [
            (at, None, "17:35"),
            (at, Some("Asia/Tokyo"), "02:35"),
            (days(1), None, "20 Nov"),
            (days(60), Some("Asia/Tokyo"), "21 Nov 2026"),
        ] {
            assert_eq!(short_time(at, now, zone).text, text);
        }
    }

    #[test]
    fn the_time_of_day_in_an_unknown_zone_is_none() {
        let at = Timestamp(1_795_196_100_123_456);
        assert_eq!(clock_in(at, "Europe/Stockholm").as_deref(), Some("18:35"));
        assert_eq!(clock_in(at, ""), None);
    }

    #[test]
    fn times_are_shown_in_the_time_zone() {
        let at = Timestamp(1_795_196_100_123_456);
        for (zone, text) in [
            (None, "20 Nov 2026, 17:35 UTC"),
            (Some("Europe/Stockholm"), "20 Nov 2026, 18:35 CET"),
            (Some("Nowhere"), "20 Nov 2026, 17:35 UTC"),
        ] {
            assert_eq!(
                local_time(at, zone),
                LocalTime { exact: "2026-11-20T17:35:00.123Z".into(), text: text.into() }
            );
        }
        let latest = Timestamp(i64::MAX);
        assert_eq!(local_time(latest, None).text, "9999-12-31T23:59:59.999Z");
        assert_eq!(Day::of(latest, None).name(), "A day at the end of the year 9999 or later");
    }
}
