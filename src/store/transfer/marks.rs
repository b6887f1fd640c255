//! Marks in a database that servers refuse to serve: it was moved away, or a restore into it was not finished.

use super::{Database, Result};
use crate::domain::time::Timestamp;
use crate::store::server::{self, FORGET_SECRET, FORGET_STATE, SECRET, SET_SECRET, SET_STATE, STATE};
use crate::store::{DatabaseUrl, Op, Sql, migrate};

const MOVED: &str = "moved";
const MOVED_TO: &str = "moved_to";
const RESTORING: &str = "restoring";

/// A mark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mark {
    /// The deployment was moved to another database.
    Moved {
        /// When.
        at: Timestamp,
        /// Its address, without secrets.
        to: String,
    },
    /// A restore has begun and not ended.
    Restoring {
        /// When it began.
        since: Timestamp,
    },
}

/// Why a marked database is not served.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Marked {
    /// See [`Mark::Moved`].
    #[error(
        "this database was moved to {to} at {at}: configure that one. `switchboard move --undo` takes the mark away, \
         if the move was not finished or is to be given up"
    )]
    Moved {
        /// When.
        at: Timestamp,
        /// Its address, without secrets.
        to: String,
    },
    /// See [`Mark::Restoring`].
    #[error(
        "a restore into this database began at {since} and was not finished: run `switchboard restore` with the same \
         folder again"
    )]
    Restoring {
        /// When it began.
        since: Timestamp,
    },
}

impl From<Mark> for Marked {
    fn from(mark: Mark) -> Self {
        match mark {
            Mark::Moved { at, to } => Self::Moved { at, to },
            Mark::Restoring { since } => Self::Restoring { since },
        }
    }
}

/// The mark of a database, which may have no schema yet or not exist.
///
/// # Errors
/// Those of the database.
pub async fn of(url: &DatabaseUrl) -> Result<Option<Mark>> {
    if !migrate::is_begun(url).await? {
        return Ok(None);
    }
    let mut database = Database::glance(url).await?;
    let mark = database.mark().await;
    database.end().await;
    mark
}

/// Whether an open database has a mark; quick, on a connection that is there.
pub struct IsMarked;

impl Op for IsMarked {
    const NAME: &'static str = "is_marked";
    type Out = bool;

    async fn run<C: Sql>(&self, c: &mut C) -> crate::store::Result<bool> {
        let moved = server::state(c, MOVED).await?;
        Ok(moved.is_some() || server::state(c, RESTORING).await?.is_some())
    }
}

impl Database {
    /// The mark of this database.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn mark(&mut self) -> Result<Option<Mark>> {
        if let Some(at) = self.named_number(&STATE, MOVED).await? {
            let to = self.named_bytes(&SECRET, MOVED_TO).await?.unwrap_or_default();
            let to = String::from_utf8_lossy(&to).into_owned();
            return Ok(Some(Mark::Moved { at: Timestamp(at), to }));
        }
        let since = self.named_number(&STATE, RESTORING).await?;
        Ok(since.map(|since| Mark::Restoring { since: Timestamp(since) }))
    }

    /// Marks this database, in the transaction that is open or in one of its own.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn set_mark(&mut self, mark: &Mark) -> Result<()> {
        match mark {
            Mark::Moved { at, to } => {
                // what is read first is written last
                self.run_bytes(&SET_SECRET, MOVED_TO, to.as_bytes()).await?;
                self.run_named(&SET_STATE, MOVED, Some(at.micros())).await
            }
            Mark::Restoring { since } => self.run_named(&SET_STATE, RESTORING, Some(since.micros())).await,
        }
    }

    /// Takes every mark away.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn clear_marks(&mut self) -> Result<()> {
        self.run_named(&FORGET_STATE, MOVED, None).await?;
        self.run_named(&FORGET_STATE, RESTORING, None).await?;
        self.run_named(&FORGET_SECRET, MOVED_TO, None).await
    }
}
