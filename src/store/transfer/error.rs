//! Errors of transfers: of backups, restores and moves.

use crate::store::engine::error::{Error, StoreError};
use crate::store::engine::lite;
use crate::store::engine::migrate::MigrateError;
use crate::store::engine::pg;

/// Why a transfer failed. The texts are for operators.
#[derive(Clone, Debug, thiserror::Error)]
pub enum TransferError {
    /// An operation on one of the databases failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The migrations of a database cannot be read or applied, or its schema does not match this version of the server.
    #[error(transparent)]
    Migrate(#[from] MigrateError),
    /// A precondition of the transfer does not hold, or data cannot be copied.
    #[error("{0}")]
    Refused(String),
}

impl TransferError {
    /// Creates a [`TransferError::Refused`].
    pub fn refused(why: impl Into<String>) -> Self {
        Self::Refused(why.into())
    }
}

impl From<Error> for TransferError {
    fn from(error: Error) -> Self {
        match error {
            Error::Store(error) => Self::Store(error),
            Error::Refused(refusal) => Self::Refused(refusal.to_string()),
        }
    }
}

impl From<rusqlite::Error> for TransferError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Store(lite::class_of(&error))
    }
}

impl From<sqlx::Error> for TransferError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(pg::class_of(&error))
    }
}
