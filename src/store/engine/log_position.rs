//! Positions in PostgreSQL's write-ahead log.

use std::time::{Duration, Instant};

/// A position in the write-ahead log of a primary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LogPosition {
    /// The timeline of the log. Positions on different timelines are not comparable.
    pub(in crate::store) timeline: u32,
    /// The log sequence number.
    pub(in crate::store) lsn: u64,
}

impl LogPosition {
    /// Parses a text such as `00000001 0/1501260`: the timeline in hexadecimal, as in the names of WAL files, and the
    /// log sequence number.
    pub(in crate::store) fn parse(text: &str) -> Option<Self> {
        let (timeline, lsn) = text.split_once(' ')?;
        Some(Self { timeline: u32::from_str_radix(timeline, 16).ok()?, lsn: parse_lsn(lsn)? })
    }
}

/// The current position of the primary's log, as a query returned it. The query began at `begun`, so a replica that has
/// replayed the log up to the position has every write that was committed before `begun`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueriedPosition {
    pub(in crate::store) position: LogPosition,
    /// When the query of the position began.
    pub(in crate::store) begun: Instant,
}

impl QueriedPosition {
    /// Returns the time since the query of the position began.
    pub(in crate::store) fn age(&self) -> Duration {
        self.begun.elapsed()
    }
}

/// Parses a `pg_lsn`, such as `16/B374D848`.
pub(in crate::store) fn parse_lsn(text: &str) -> Option<u64> {
    let (high, low) = text.split_once('/')?;
    let [high, low] = [high, low].map(|half| u32::from_str_radix(half, 16).ok());
    Some((u64::from(high?) << 32) | u64::from(low?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_parsed_in_the_servers_format() {
        let position = LogPosition::parse("0000000A 16/B374D848").unwrap();
        assert_eq!(position, LogPosition { timeline: 10, lsn: 0x16_B374_D848 });
        assert!(parse_lsn("0/FFFFFFFF") < parse_lsn("1/0"));
        for text in ["", "00000001", "0/1", "x 0/1", "00000001 0", "00000001 0/g"] {
            assert_eq!(LogPosition::parse(text), None, "{text}");
        }
    }
}
