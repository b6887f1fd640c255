//! Prevents servers from using a database while it is moved or restored.

use std::time::Duration;

use sqlx::PgConnection;

use super::{Result, TransferError, pg};
use crate::platform::ids::MAX_NODE;
use crate::store::engine::pg::NODE_LOCK_CLASS;
use crate::store::{DatabaseUrl, Owner, own};

const TAKE_ALL: &str = "SELECT COUNT(*) FROM generate_series(0, $2) AS node(number)
    WHERE NOT pg_try_advisory_lock($1, node.number)";

/// Number of attempts, and the pause between them, to take locks of a process that was just killed.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(200);

/// A lock held while no server may use a database. The system releases it when the process ends,
/// however it ends.
pub struct Hold(HoldLock);

enum HoldLock {
    /// The owner lock of a SQLite file.
    Lite(#[expect(dead_code, reason = "released on drop")] Option<Owner>),
    /// All node numbers of a PostgreSQL database: a starting server gets none.
    Pg(Box<PgConnection>),
}

impl Hold {
    /// Locks out servers.
    ///
    /// # Errors
    /// If a server uses the database, or it cannot be reached.
    pub async fn take(url: &DatabaseUrl) -> Result<Self> {
        let DatabaseUrl::Postgres(options) = url else { return Ok(Self(HoldLock::Lite(own(url)?))) };
        let mut connection = pg::open(options).await?;
        let mut tried = 0;
        loop {
            // numbers taken by an earlier attempt are taken again, which PostgreSQL allows
            let taken = sqlx::query_as(TAKE_ALL).bind(NODE_LOCK_CLASS).bind(i32::from(MAX_NODE));
            let (others,): (i64,) = taken.fetch_one(&mut connection).await?;
            if others == 0 {
                return Ok(Self(HoldLock::Pg(Box::new(connection))));
            }
            tried += 1;
            if tried == TRIES {
                return Err(TransferError::refused(format!(
                    "a server runs on {url} ({others} node numbers are in use): stop all nodes first"
                )));
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Confirms that servers were locked out until now.
    ///
    /// # Errors
    /// If the connection with the locks was lost: a server may have started.
    pub async fn confirm(&mut self) -> Result<()> {
        let is_held = match &mut self.0 {
            HoldLock::Lite(_) => true,
            HoldLock::Pg(connection) => pg::is_alive(connection).await,
        };
        if is_held {
            return Ok(());
        }
        let why = "the connection that locks out servers was lost: try again";
        Err(TransferError::refused(why))
    }
}
