//! Classifies errors of PostgreSQL and of connections to it: whether another attempt can succeed, and whether the
//! connection is still usable.

use sqlx::Error;
use sqlx::postgres::{PgDatabaseError, PgSeverity};

use crate::store::engine::error::StoreError;

/// Why an attempt of an operation failed, and whether another attempt can succeed.
#[derive(Clone, Debug)]
pub(in crate::store) enum Cause {
    /// A retry is safe, because none of the attempt's changes is stored. A retry can succeed, because the cause is
    /// often temporary.
    Retry {
        /// The state of the connection.
        connection: ConnectionHealth,
        /// The reason, for logs and for the error after the last attempt.
        why: String,
    },
    /// An immediate retry is not safe, or is unlikely to succeed.
    Final(StoreError),
}

/// The state of a connection after a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::store) enum ConnectionHealth {
    /// The connection is still usable.
    Sound,
    /// The connection is broken. Other connections of the pool are probably broken too.
    Lost,
    /// The connection leads to a read-only server. After a failover, this can be the former primary, which is now a
    /// standby.
    ReadOnly,
}

impl Cause {
    /// Classifies an error that occurred before COMMIT was sent.
    pub(super) fn of(error: &Error) -> Self {
        let why = error.to_string();
        let retry = |connection| Self::Retry { connection, why: why.clone() };
        match error {
            // the connection was closed or broke, possibly in the middle of a response
            Error::Io(_) | Error::WorkerCrashed => retry(ConnectionHealth::Lost),
            // The server closes the connection after every fatal error. Examples are a shutdown, a crash of another
            // session, and the termination of a session whose read on a standby conflicts with recovery.
            Error::Database(_) if is_fatal(error) => retry(ConnectionHealth::Lost),
            Error::Database(database) => match database.code().as_deref() {
                // serialization failure or deadlock; on a standby also a read that conflicts with recovery
                Some("40001" | "40P01") => retry(ConnectionHealth::Sound),
                // the server is stopping or starting, or has terminated an idle session or transaction
                Some("57P01" | "57P02" | "57P03" | "57P05" | "25P03") => retry(ConnectionHealth::Lost),
                Some("25006") => retry(ConnectionHealth::ReadOnly),
                Some(code) if code.starts_with("08") => retry(ConnectionHealth::Lost),
                _ if is_stale_plan(error) => retry(ConnectionHealth::Sound),
                _ => Self::Final(class_of(error)),
            },
            _ => Self::Final(class_of(error)),
        }
    }

    /// Classifies an error of a COMMIT. A retry is safe only if the server has reported that it rolled the transaction
    /// back.
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

/// Returns whether the connection is usable after an error. It is usable after an error of the server that does not
/// close the connection, after a missing row, and after a value that could not be converted.
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
    let database = error.as_database_error().and_then(|error| error.try_downcast_ref::<PgDatabaseError>());
    database.is_some_and(|error| matches!(error.severity(), PgSeverity::Fatal | PgSeverity::Panic))
}

/// Returns whether the error means that the plan of a prepared statement is no longer valid. For example, another node
/// has migrated a table that the statement reads.
pub(super) fn is_stale_plan(error: &Error) -> bool {
    error.as_database_error().is_some_and(|database| {
        database.code().as_deref() == Some("0A000") && database.message().contains("cached plan")
    })
}

/// Maps an error of sqlx to a store error.
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
    // Classes of codes that count as unavailable:
    // - 08 connection (including pgbouncer's 08P01)
    // - 28 invalid authorization
    // - 3D missing database
    // - 40 transaction rollback
    // - 53 out of disk, memory or connections
    // - 57 operator intervention (57014: statement timeout)
    // - 58 system errors
    //
    // Single codes that count as unavailable: 55P03 (lock timeout) and 25006 (read-only server).
    let is_unavailable =
        ["08", "28", "3D", "40", "53", "57", "58"].iter().any(|class| code.starts_with(class));
    if is_unavailable || code == "55P03" || code == "25006" {
        return StoreError::unavailable(format!("{code}: {}", database.message()));
    }
    StoreError::bug(format!("{code}: {}", database.message()))
}

/// Returns whether the failure is a cancelled statement (code 57014). A statement is cancelled by `statement_timeout`
/// or by a user's request.
pub(super) fn is_cancelled(failure: &StoreError) -> bool {
    matches!(failure, StoreError::Unavailable(why) if why.starts_with("57014"))
}

/// Returns whether the cause of a failure to open a session can end within seconds. For example, the server is
/// starting, stopping or being promoted, or it has no free connection. A wrong password is not such a cause: repeated
/// attempts could lock the account.
pub(super) fn is_transient(error: &Error) -> bool {
    match error {
        Error::Io(_) => true,
        Error::Database(database) => {
            database.code().is_some_and(|code| ["08", "53", "57"].iter().any(|class| code.starts_with(class)))
        }
        _ => false,
    }
}
