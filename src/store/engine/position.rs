//! Positions in PostgreSQL's write-ahead log: how far a replica must have replayed it to answer a
//! request.
//!
//! The server queries the primary's position after it has received a request. Every write that was
//! acknowledged before the request is therefore at or before that position
//! (`docs/decisions/0022-read-replicas.md`).

use super::error::Result;
use super::lookups::Lookup;
use super::op::{ReadOp, ReadSql};
use crate::{args, statements};

/// The expression for the primary's position in the format of [`LogPosition::parse`]; NULL on a
/// standby.
///
/// A COMMIT is acknowledged once its record is flushed, so the flush position includes it. With
/// `synchronous_commit = off` it is acknowledged before that, so the insert position is used.
macro_rules! log_position {
    () => {
        "(SELECT left(pg_walfile_name(l), 8) || ' ' || CAST(l AS TEXT) FROM (SELECT CASE
            WHEN pg_is_in_recovery() THEN NULL
            WHEN current_setting('synchronous_commit') = 'off' THEN pg_current_wal_insert_lsn()
            ELSE pg_current_wal_flush_lsn() END) AS p (l) WHERE l IS NOT NULL)"
    };
}
pub(in crate::store) use log_position;

statements! {
    pub(in crate::store) POSITION: Query = sqlite concat!("SELECT NULL")
        postgres concat!("SELECT ", log_position!());
}

/// A position in the log of a primary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LogPosition {
    /// The timeline of the log. Positions on different timelines are not comparable.
    pub(in crate::store) timeline: u32,
    /// The log sequence number.
    pub(in crate::store) lsn: u64,
}

impl LogPosition {
    /// Parses `00000001 0/1501260`: the timeline as in WAL file names, and the log sequence number.
    pub(in crate::store) fn parse(text: &str) -> Option<Self> {
        let (timeline, lsn) = text.split_once(' ')?;
        Some(Self { timeline: u32::from_str_radix(timeline, 16).ok()?, lsn: parse_lsn(lsn)? })
    }
}

/// Parses a `pg_lsn`, such as `16/B374D848`.
pub(in crate::store) fn parse_lsn(text: &str) -> Option<u64> {
    let (high, low) = text.split_once('/')?;
    let [high, low] = [high, low].map(|half| u32::from_str_radix(half, 16).ok());
    Some((u64::from(high?) << 32) | u64::from(low?))
}

/// Queries the position; concurrent callers share the result.
pub(in crate::store) struct AskPosition;

impl Lookup for AskPosition {
    type Key = ();
    type Row = LogPosition;

    fn of(_: Vec<()>) -> Self {
        Self
    }
}

impl ReadOp for AskPosition {
    const NAME: &'static str = "ask_log_position";
    const SINGLE: bool = true;
    type Out = Vec<((), LogPosition)>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let (text,): (Option<String>,) = c.one(&POSITION, args![]).await?;
        Ok(text.as_deref().and_then(LogPosition::parse).map(|position| ((), position)).into_iter().collect())
    }
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
