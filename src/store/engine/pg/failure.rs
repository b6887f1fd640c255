//! Classification of errors of PostgreSQL and of the connection to it.

use sqlx::Error;
use sqlx::postgres::{PgDatabaseError, PgSeverity};

use crate::store::engine::error::StoreError;

/// Why an attempt failed, and whether another may succeed.
#[derive(Clone, Debug)]
pub(in crate::store) enum Cause {
    /// None of the attempt's changes are stored, and the cause may have passed: the attempt may be retried.
    Retry {
        /// The state of the connection.
        connection: ConnectionHealth,
        /// For logs.
        why: String,
    },
    /// An immediate retry is useless or unsafe.
    Final(StoreError),
}

/// What a failure implies for its connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::store) enum ConnectionHealth {
    /// Still usable.
    Sound,
    /// Broken, and other connections of the pool probably are as well.
    Lost,
    /// The server is read-only: after a failover, it may be the former primary, now a standby.
    ReadOnly,
}

impl Cause {
    /// Classifies an error that occurred before COMMIT was sent.
    pub(super) fn of(error: &Error) -> Self {
        let why = error.to_string();
        let retry = |connection| Self::Retry { connection, why: why.clone() };
        match error {
            // the server closed the connection, or a response was read only partly
            Error::Io(_) | Error::WorkerCrashed => retry(ConnectionHealth::Lost),
            // the server closes the connection after a fatal error, whatever the reason: shutdown, a
            // crash of another session, a standby that cancelled a conflicting read
            Error::Database(_) if is_fatal(error) => retry(ConnectionHealth::Lost),
            Error::Database(database) => match database.code().as_deref() {
                // serialization failure, deadlock, a read that conflicted with recovery on a
                // standby
                Some("40001" | "40P01") => retry(ConnectionHealth::Sound),
                // the server stops or starts, or terminated an idle transaction
                Some("57P01" | "57P02" | "57P03" | "57P05" | "25P03") => retry(ConnectionHealth::Lost),
                Some("25006") => retry(ConnectionHealth::ReadOnly),
                Some(code) if code.starts_with("08") => retry(ConnectionHealth::Lost),
                _ if is_stale_plan(error) => retry(ConnectionHealth::Sound),
                _ => Self::Final(class_of(error)),
            },
            _ => Self::Final(class_of(error)),
        }
    }

    /// Classifies an error in response to COMMIT: a retry is safe only if the server itself reports
    /// a rollback.
    pub(super) fn of_commit(error: &Error) -> Self {
        match Self::of(error) {
            Self::Retry { connection: ConnectionHealth::Lost, why } => {
                Self::Final(StoreError::unavailable(format!("the connection broke during COMMIT: {why}")))
            }
            cause => cause,
        }
    }

    /// Returns the cause for a connection that was lost before COMMIT was sent.
    pub(super) fn lost(why: impl Into<String>) -> Self {
        Self::Retry { connection: ConnectionHealth::Lost, why: why.into() }
    }
}

/// Returns whether the connection is usable after an error: the server responded and did not close
/// it.
pub(super) fn is_connection_sound(error: &Error) -> bool {
    match error {
        Error::Database(database) => {
            !is_fatal(error) && !matches!(database.code().as_deref(), Some(code) if code.starts_with("08"))
        }
        Error::RowNotFound | Error::ColumnDecode { .. } | Error::Decode(_) | Error::Encode(_) => true,
        _ => false,
    }
}

fn is_fatal(error: &Error) -> bool {
    let database = error.as_database_error().and_then(|it| it.try_downcast_ref::<PgDatabaseError>());
    database.is_some_and(|it| matches!(it.severity(), PgSeverity::Fatal | PgSeverity::Panic))
}

/// Returns whether the plan of a prepared statement became invalid, for example because a node migrated the
/// tables that it reads.
pub(super) fn is_stale_plan(error: &Error) -> bool {
    error.as_database_error().is_some_and(|database| {
        database.code().as_deref() == Some("0A000") && database.message().contains("cached plan")
    })
}

/// Maps a PostgreSQL error to a store error.
pub(in crate::store) fn class_of(error: &Error) -> StoreError {
    let Error::Database(database) = error else {
        return match error {
            Error::Io(_) | Error::Tls(_) | Error::PoolTimedOut | Error::PoolClosed | Error::WorkerCrashed => {
                StoreError::unavailable(error.to_string())
            }
            _ => StoreError::bug(error.to_string()),
        };
    };
    let code = database.code().unwrap_or_default();
    if code == "23505" {
        return StoreError::Unique { constraint: database.constraint().unwrap_or_default().to_owned() };
    }
    // Classes of codes:
    // - 08 connection (including pgbouncer's 08P01)
    // - 28 and 3D credentials or database missing
    // - 40 transaction rollback
    // - 53 out of disk, memory or connections
    // - 57 operator intervention (57014: statement timeout)
    // - 58 system errors
    //
    // Codes: 55P03 lock timeout, 25006 read-only server.
    let is_temporary = ["08", "28", "3D", "40", "53", "57", "58"].iter().any(|class| code.starts_with(class));
    if is_temporary || code == "55P03" || code == "25006" {
        return StoreError::unavailable(format!("{code}: {}", database.message()));
    }
    StoreError::bug(format!("{code}: {}", database.message()))
}

/// Returns whether a statement was cancelled by its timeout or by a user's request. Both have the code 57014.
pub(super) fn is_cancelled(failure: &StoreError) -> bool {
    matches!(failure, StoreError::Unavailable(why) if why.starts_with("57014"))
}

/// Returns whether a failure to open a session may pass within seconds: the server starts, stops, is promoted or has no
/// free connection. A wrong password does not pass, and retrying could lock the account.
pub(super) fn is_transient(error: &Error) -> bool {
    match error {
        Error::Io(_) => true,
        Error::Database(database) => {
            database.code().is_some_and(|code| ["08", "53", "57"].iter().any(|class| code.starts_with(class)))
        }
        _ => false,
    }
}
