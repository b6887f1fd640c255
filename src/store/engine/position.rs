//! Queries the position of the primary's write-ahead log. A replica may answer a request only after it has replayed the
//! log up to this position.
//!
//! The node queries the position after it has received the request. So the log up to this position contains every write
//! that was acknowledged before the request (`docs/decisions/0022-read-replicas.md`).

use super::error::Result;
use super::log_position::LogPosition;
use super::lookups::Lookup;
use super::op::{ReadOp, ReadSql};
use crate::{args, statements};

/// The SQL expression for the position of the primary's log, in the format of [`LogPosition::parse`]. On a standby its
/// value is NULL.
///
/// Unless `synchronous_commit` is `off`, PostgreSQL acknowledges a COMMIT after its record in the log was flushed. So
/// the flush position includes every acknowledged COMMIT. With `off`, PostgreSQL acknowledges a COMMIT before the
/// flush, so the insert position is used.
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

/// Queries the position. Concurrent callers share the result.
pub(in crate::store) struct PositionLookup;

impl Lookup for PositionLookup {
    type Key = ();
    type Row = LogPosition;

    fn of(_: Vec<()>) -> Self {
        Self
    }
}

impl ReadOp for PositionLookup {
    const NAME: &'static str = "find_log_position";
    const SINGLE: bool = true;
    type Out = Vec<((), LogPosition)>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let (text,): (Option<String>,) = c.one(&POSITION, args![]).await?;
        Ok(text.as_deref().and_then(LogPosition::parse).map(|position| ((), position)).into_iter().collect())
    }
}
