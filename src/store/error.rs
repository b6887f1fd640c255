//! What can go wrong in an operation: the rules refused it, or the store failed.

use std::borrow::Cow;

use crate::domain::refusal::{Code, Refusal};

/// Why an operation gave no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// A rule says no; the client is told.
    #[error("refused: {}", .0.code)]
    Refused(Refusal),
    /// The store failed; the client learns only that it did.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What every store call gives.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure of the store itself. The texts are for logs and never for clients.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StoreError {
    /// Gone, full, locked or too slow. Trying later may succeed, and nothing was stored, with one exception: when
    /// the failure struck during COMMIT (a lost connection, a failed fsync) the outcome is unknown, so a caller
    /// that repeats must do so under an idempotency key.
    #[error("the store is unavailable: {0}")]
    Unavailable(Cow<'static, str>),
    /// A unique index or primary key already holds the value.
    #[error("a unique constraint was violated: {constraint}")]
    Unique {
        /// For logs: the constraint's name on PostgreSQL, `table.column, …` on SQLite.
        constraint: String,
    },
    /// Anything else: a mistake in the SQL or in the operation.
    #[error("store operation failed: {0}")]
    Bug(Cow<'static, str>),
}

impl StoreError {
    pub(super) fn unavailable(why: impl Into<Cow<'static, str>>) -> Self {
        Self::Unavailable(why.into())
    }

    pub fn bug(what: impl Into<Cow<'static, str>>) -> Self {
        Self::Bug(what.into())
    }

    /// The label `class` of `switchboard_store_errors_total`.
    #[must_use]
    pub const fn class(&self) -> &'static str {
        match self {
            Self::Unavailable(_) => "unavailable",
            Self::Unique { .. } => "unique",
            Self::Bug(_) => "bug",
        }
    }

    /// What the client is told: 503 `server_error` while the store is unavailable, else 500 `internal_error`.
    #[must_use]
    pub const fn code(&self) -> Code {
        match self {
            Self::Unavailable(_) => Code::ServerError,
            Self::Unique { .. } | Self::Bug(_) => Code::InternalError,
        }
    }
}

impl Error {
    /// The refusal to answer with. Log a [`StoreError`] before calling this: its text ends here.
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
