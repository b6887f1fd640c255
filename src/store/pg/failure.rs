//! What the errors of PostgreSQL and of the way to it mean.

use sqlx::Error;
use sqlx::postgres::{PgDatabaseError, PgSeverity};

use crate::store::error::StoreError;

/// Why a try failed, and whether another may succeed.
#[derive(Clone, Debug)]
pub(in crate::store) enum Cause {
    /// Nothing of the try is stored and the cause may have passed already.
    Again {
        /// What is known of the connection.
        connection: ConnectionHealth,
        /// For logs.
        why: String,
    },
    /// Trying again at once is useless or unsafe.
    Final(StoreError),
}

/// What a failure tells about the connection it came on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::store) enum ConnectionHealth {
    /// It can be used on.
    Sound,
    /// It is broken, as its siblings probably are.
    Lost,
    /// Its server only reads: after a failover it leads to the standby that was the primary.
    ReadOnly,
}

impl Cause {
    /// The cause of an error that came before COMMIT was sent.
    pub(super) fn of(error: &Error) -> Self {
        let why = error.to_string();
        let again = |connection| Self::Again { connection, why: why.clone() };
        match error {
            // the server hung up, or the connection was half-read
            Error::Io(_) | Error::WorkerCrashed => again(ConnectionHealth::Lost),
            // whatever the reason, the server closes the connection after it: shutdown, a crash of another
            // session, a standby that had to cancel a conflicting read
            Error::Database(_) if is_fatal(error) => again(ConnectionHealth::Lost),
            Error::Database(database) => match database.code().as_deref() {
                // serialization failure, deadlock, a read that conflicted with recovery on a standby
                Some("40001" | "40P01") => again(ConnectionHealth::Sound),
                // the server stops or starts, or hung up on a transaction that stood idle
                Some("57P01" | "57P02" | "57P03" | "57P05" | "25P03") => again(ConnectionHealth::Lost),
                Some("25006") => again(ConnectionHealth::ReadOnly),
                Some(code) if code.starts_with("08") => again(ConnectionHealth::Lost),
                _ if stale_plan(error) => again(ConnectionHealth::Sound),
                _ => Self::Final(class_of(error)),
            },
            _ => Self::Final(class_of(error)),
        }
    }

    /// The cause of an error in answer to COMMIT: only what the server itself says was rolled back may be tried again.
    pub(super) fn of_commit(error: &Error) -> Self {
        match Self::of(error) {
            Self::Again { connection: ConnectionHealth::Lost, why } => {
                Self::Final(StoreError::unavailable(format!("the connection broke during COMMIT: {why}")))
            }
            cause => cause,
        }
    }

    /// The connection was lost before COMMIT was sent.
    pub(super) fn lost(why: impl Into<String>) -> Self {
        Self::Again { connection: ConnectionHealth::Lost, why: why.into() }
    }
}

/// Whether an error leaves the connection usable: the server answered, and did not hang up.
pub(super) fn leaves_sound(error: &Error) -> bool {
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

/// A prepared statement outlived a change of the tables it reads (another node migrated).
pub(super) fn stale_plan(error: &Error) -> bool {
    error.as_database_error().is_some_and(|database| {
        database.code().as_deref() == Some("0A000") && database.message().contains("cached plan")
    })
}

/// What an error means to the caller.
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
    // 08 connection (pgbouncer's 08P01 among them), 28 and 3D credentials or database missing, 53 out of disk, memory or
    // connections, 57 operator intervention (57014: the statement took too long), 58 system errors, 55P03 lock timeout,
    // 40 given up by the server, 25006 a server that only reads
    let passing = ["08", "28", "3D", "40", "53", "57", "58"].iter().any(|class| code.starts_with(class));
    if passing || code == "55P03" || code == "25006" {
        return StoreError::unavailable(format!("{code}: {}", database.message()));
    }
    StoreError::bug(format!("{code}: {}", database.message()))
}

/// Whether a failure to open a session may pass within seconds: a server that starts, stops, is promoted or has no
/// connection free. A wrong password does not, and asking on would only lock the account.
pub(super) fn may_pass(error: &Error) -> bool {
    match error {
        Error::Io(_) => true,
        Error::Database(database) => {
            database.code().is_some_and(|code| ["08", "53", "57"].iter().any(|class| code.starts_with(class)))
        }
        _ => false,
    }
}
