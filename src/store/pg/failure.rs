//! What the errors of PostgreSQL and of the way to it mean.

use sqlx::Error;

use crate::store::error::StoreError;

/// Why a try failed, and whether another may succeed.
#[derive(Clone, Debug)]
pub(in crate::store) enum Cause {
    /// Nothing of the try is stored and the cause may have passed already.
    Again {
        /// The connection broke, as its siblings probably did.
        lost_connection: bool,
        /// For logs.
        why: String,
    },
    /// Trying again at once is useless or unsafe.
    Final(StoreError),
}

impl Cause {
    /// The cause of an error that came before COMMIT was sent.
    pub(super) fn of(error: &Error) -> Self {
        let why = error.to_string();
        match error {
            // the server hung up, or the connection was half-read
            Error::Io(_) | Error::WorkerCrashed => Self::Again { lost_connection: true, why },
            Error::Database(database) => match database.code().as_deref() {
                // serialization failure, deadlock
                Some("40001" | "40P01") => Self::Again { lost_connection: false, why },
                // the server stops or starts, or hung up on a transaction that stood idle
                Some("57P01" | "57P02" | "57P03" | "25P03") => Self::Again { lost_connection: true, why },
                Some(code) if code.starts_with("08") => Self::Again { lost_connection: true, why },
                _ if stale_plan(error) => Self::Again { lost_connection: false, why },
                _ => Self::Final(class_of(error)),
            },
            _ => Self::Final(class_of(error)),
        }
    }

    /// The cause of an error in answer to COMMIT: only what the server itself says was rolled back may be tried again.
    pub(super) fn of_commit(error: &Error) -> Self {
        match Self::of(error) {
            Self::Again { lost_connection: true, why } => {
                Self::Final(StoreError::unavailable(format!("the connection broke during COMMIT: {why}")))
            }
            cause => cause,
        }
    }
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
    // 08 connection, 28 and 3D credentials or database missing, 53 out of disk, memory or connections, 57 operator
    // intervention (57014: the statement took too long), 58 system errors, 55P03 lock timeout, 40 given up by the server, 25006 a standby that only reads
    let passing = ["08", "28", "3D", "40", "53", "57", "58"].iter().any(|class| code.starts_with(class));
    if passing || code == "55P03" || code == "25006" {
        return StoreError::unavailable(format!("{code}: {}", database.message()));
    }
    StoreError::bug(format!("{code}: {}", database.message()))
}
