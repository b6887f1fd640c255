//! Marks of databases. A mark says that the deployment was moved to another database, or that a move or a restore into
//! this database is unfinished. A server does not start on a marked database.

use super::{Database, Result};
use crate::domain::time::Timestamp;
use crate::store::engine::migrate;
use crate::store::server::{self, FORGET_SECRET, FORGET_STATE, SECRET, SET_SECRET, SET_STATE, STATE};
use crate::store::{DatabaseUrl, ReadOp, ReadSql};

const MOVED: &str = "moved";
const MOVED_TO: &str = "moved_to";
const RESTORING: &str = "restoring";
const MOVING: &str = "moving";
const MOVING_FROM: &str = "moving_from";

/// The mark of a database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mark {
    /// The deployment was moved to another database.
    Moved {
        /// When the deployment was moved.
        at: Timestamp,
        /// The URL of the new database, without secrets.
        to: String,
    },
    /// A restore into this database was started and not finished.
    Restoring {
        /// When the restore was started.
        since: Timestamp,
    },
    /// A move into this database has written all rows, but is unfinished. The source is possibly not yet marked as
    /// moved.
    Moving {
        /// The time of the move, the same as in the mark of the source.
        since: Timestamp,
        /// The URL of the source, without secrets.
        from: String,
    },
}

/// The error for a marked database.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Marked {
    /// See [`Mark::Moved`].
    #[error(
        "this database was moved to {to} at {at}: set database.url to the new database. To undo the move, or if it was \
         not finished, run `switchboard move --undo`, which makes this database usable again"
    )]
    Moved {
        /// When the deployment was moved.
        at: Timestamp,
        /// The URL of the new database, without secrets.
        to: String,
    },
    /// See [`Mark::Restoring`].
    #[error(
        "a restore into this database began at {since} and was not finished: run `switchboard restore` with the same \
         folder again"
    )]
    Restoring {
        /// When the restore was started.
        since: Timestamp,
    },
    /// See [`Mark::Moving`].
    #[error(
        "a move of {from} into this database began at {since} and was not finished: run `switchboard move` again, with \
         {from} configured"
    )]
    Moving {
        /// The time of the move.
        since: Timestamp,
        /// The URL of the source, without secrets.
        from: String,
    },
}

impl From<Mark> for Marked {
    fn from(mark: Mark) -> Self {
        match mark {
            Mark::Moved { at, to } => Self::Moved { at, to },
            Mark::Restoring { since } => Self::Restoring { since },
            Mark::Moving { since, from } => Self::Moving { since, from },
        }
    }
}

/// Returns the mark of a database; `None` if the database has no mark, has no schema or does not exist.
///
/// # Errors
/// Errors of the database.
pub async fn of(url: &DatabaseUrl) -> Result<Option<Mark>> {
    if !migrate::has_migrations(url).await? {
        return Ok(None);
    }
    let mut database = Database::open_for_marks(url).await?;
    let mark = database.mark().await;
    database.end().await;
    mark
}

/// Returns whether a database has a mark. Unlike [`of`], this operation opens no connection of its own.
pub struct IsMarked;

impl ReadOp for IsMarked {
    const NAME: &'static str = "is_marked";
    type Out = bool;

    async fn run<C: ReadSql>(&self, c: &mut C) -> crate::store::Result<bool> {
        for name in [MOVED, RESTORING, MOVING] {
            if server::state(c, name).await?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Database {
    /// Returns the mark of this database.
    ///
    /// # Errors
    /// Errors of the database.
    pub async fn mark(&mut self) -> Result<Option<Mark>> {
        if let Some(at) = self.named::<i64>(&STATE, MOVED).await? {
            let to = self.address(MOVED_TO).await?;
            return Ok(Some(Mark::Moved { at: Timestamp(at), to }));
        }
        if let Some(since) = self.named::<i64>(&STATE, MOVING).await? {
            let from = self.address(MOVING_FROM).await?;
            return Ok(Some(Mark::Moving { since: Timestamp(since), from }));
        }
        let since = self.named::<i64>(&STATE, RESTORING).await?;
        Ok(since.map(|since| Mark::Restoring { since: Timestamp(since) }))
    }

    async fn address(&mut self, name: &str) -> Result<String> {
        let address = self.named::<Vec<u8>>(&SECRET, name).await?.unwrap_or_default();
        Ok(String::from_utf8_lossy(&address).into_owned())
    }

    /// Marks this database. If a transaction is open, the mark is a part of it.
    ///
    /// # Errors
    /// Errors of the database.
    pub async fn set_mark(&mut self, mark: &Mark) -> Result<()> {
        match mark {
            Mark::Moved { at, to } => {
                // A database has this mark exactly if it has the time of the move. The URL is written before the time,
                // so a mark never lacks its URL.
                self.run_bytes(&SET_SECRET, MOVED_TO, to.as_bytes()).await?;
                self.run_named(&SET_STATE, MOVED, Some(at.micros())).await
            }
            Mark::Restoring { since } => self.run_named(&SET_STATE, RESTORING, Some(since.micros())).await,
            Mark::Moving { since, from } => {
                self.run_bytes(&SET_SECRET, MOVING_FROM, from.as_bytes()).await?;
                self.run_named(&SET_STATE, MOVING, Some(since.micros())).await
            }
        }
    }

    /// Removes every mark.
    ///
    /// # Errors
    /// Errors of the database.
    pub async fn clear_marks(&mut self) -> Result<()> {
        self.run_named(&FORGET_STATE, MOVED, None).await?;
        self.run_named(&FORGET_STATE, RESTORING, None).await?;
        self.run_named(&FORGET_STATE, MOVING, None).await?;
        self.run_named(&FORGET_SECRET, MOVED_TO, None).await?;
        self.run_named(&FORGET_SECRET, MOVING_FROM, None).await
    }
}
