//! Positions in PostgreSQL's write-ahead log: how far a replica must have come to answer a request.
//!
//! The primary is asked for its position after a request came in, so everything that was answered to anybody before is at
//! or before it (`docs/decisions/0022-read-replicas.md`).

use super::{Op, Result, Sql, args, lookups::Lookup, statements};

/// The expression for the primary's position as [`LogPosition::parse`] reads it; NULL on a server that is none.
///
/// A COMMIT is answered once its record is flushed, so the flushed part has it. Without `synchronous_commit` it is
/// answered as soon as the record is written.
macro_rules! log_position {
    () => {
        "(SELECT left(pg_walfile_name(l), 8) || ' ' || CAST(l AS TEXT) FROM (SELECT CASE
            WHEN pg_is_in_recovery() THEN NULL
            WHEN current_setting('synchronous_commit') = 'off' THEN pg_current_wal_insert_lsn()
            ELSE pg_current_wal_flush_lsn() END) AS p (l) WHERE l IS NOT NULL)"
    };
}
pub(super) use log_position;

statements! {
    pub(super) POSITION = sqlite concat!("SELECT NULL")
        postgres concat!("SELECT ", log_position!());
}

/// A position in the log of a primary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LogPosition {
    /// Positions of different timelines do not compare.
    pub(super) timeline: u32,
    /// The log sequence number.
    pub(super) lsn: u64,
}

impl LogPosition {
    /// Reads `00000001 0/1501260`: the timeline as in the names of files of the log, and the log sequence number.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (timeline, lsn) = text.split_once(' ')?;
        Some(Self { timeline: u32::from_str_radix(timeline, 16).ok()?, lsn: parse_lsn(lsn)? })
    }
}

/// Reads a `pg_lsn`, such as `16/B374D848`.
pub(super) fn parse_lsn(text: &str) -> Option<u64> {
    let (high, low) = text.split_once('/')?;
    let [high, low] = [high, low].map(|half| u32::from_str_radix(half, 16).ok());
    Some((u64::from(high?) << 32) | u64::from(low?))
}

/// Asks for the position; concurrent requests share the answer.
pub(super) struct AskPosition;

impl Lookup for AskPosition {
    type Key = ();
    type Row = LogPosition;

    fn of(_: Vec<()>) -> Self {
        Self
    }
}

impl Op for AskPosition {
    const NAME: &'static str = "ask_log_position";
    const SINGLE: bool = true;
    type Out = Vec<((), LogPosition)>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let (text,): (Option<String>,) = c.one(&POSITION, args![]).await?;
        Ok(text.as_deref().and_then(LogPosition::parse).map(|position| ((), position)).into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read_as_the_server_writes_them() {
        let position = LogPosition::parse("0000000A 16/B374D848").unwrap();
        assert_eq!(position, LogPosition { timeline: 10, lsn: 0x16_B374_D848 });
        assert!(parse_lsn("0/FFFFFFFF") < parse_lsn("1/0"));
        for text in ["", "00000001", "0/1", "x 0/1", "00000001 0", "00000001 0/g"] {
            assert_eq!(LogPosition::parse(text), None, "{text}");
        }
    }
}
