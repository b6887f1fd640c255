//! Errors of store operations: either a business rule rejected the operation, or the store failed.

use std::borrow::Cow;

use crate::domain::refusal::{Code, Refusal};

/// Why an operation failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// A business rule rejected the operation. The client receives the contents of the [`Refusal`].
    #[error("refused: {}", .0.code)]
    Refused(Refusal),
    /// The store failed; the client receives only a generic error.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The result of every store call.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure of the store itself. The texts are for logs, never for clients.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StoreError {
    /// The store cannot run the operation now. For example, the connection was lost, the disk is full, or a lock or a
    /// statement timed out. A later attempt can succeed.
    ///
    /// - If the failure happened before COMMIT, nothing was stored.
    /// - If COMMIT itself failed (a lost connection, a timeout, a failed fsync), it is unknown whether the changes were
    ///   stored.
    /// - If COMMIT succeeded and the wait for other transactions failed
    ///   ([`Notice::Drain`](super::notices::Notice::Drain)), the changes were stored.
    ///
    /// So a caller that retries must use an idempotency key.
    #[error("the store is unavailable: {0}")]
    Unavailable(Cow<'static, str>),
    /// Another row has the same values in the columns of a unique index or of the primary key.
    #[error("a unique constraint was violated: {constraint}")]
    Unique {
        /// On PostgreSQL the name of the constraint, on SQLite its columns (`table.column, …`).
        constraint: String,
    },
    /// Any other failure. Its cause is an error in a statement or in the server's code.
    #[error("store operation failed: {0}")]
    Bug(Cow<'static, str>),
}

impl StoreError {
    pub(in crate::store) fn unavailable(why: impl Into<Cow<'static, str>>) -> Self {
        Self::Unavailable(why.into())
    }

    /// Creates a [`StoreError::Bug`] with this text, which is only logged.
    pub fn bug(what: impl Into<Cow<'static, str>>) -> Self {
        Self::Bug(what.into())
    }

    /// Returns the value of the label `class` in the metric `switchboard_store_errors_total`.
    #[must_use]
    pub const fn class(&self) -> &'static str {
        match self {
            Self::Unavailable(_) => "unavailable",
            Self::Unique { .. } => "unique",
            Self::Bug(_) => "bug",
        }
    }

    /// Returns whether a later attempt can succeed.
    #[must_use]
    pub const fn is_unavailable(&self) -> bool {
        matches!(self, Self::Unavailable(_))
    }

    /// Returns the error code that the client receives: `server_error` (503) if the store is unavailable,
    /// `internal_error` (500) for the other failures.
    #[must_use]
    pub const fn code(&self) -> Code {
        match self {
            Self::Unavailable(_) => Code::ServerError,
            Self::Unique { .. } | Self::Bug(_) => Code::InternalError,
        }
    }
}

impl Error {
    /// Creates an error caused by a bug in this server. The text is only logged.
    pub fn bug(what: impl Into<Cow<'static, str>>) -> Self {
        StoreError::bug(what).into()
    }

    /// Returns the error that the client receives. The text of a [`StoreError`] is dropped, so the caller must log it
    /// before this call.
    #[must_use]
    pub fn into_refusal(self) -> Refusal {
        match self {
            Self::Refused(refusal) => refusal,
            Self::Store(error) => error.code().into(),
        }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Code> for Error {
    fn from(code: Code) -> Self {
        Self::Refused(code.into())
    }
}
