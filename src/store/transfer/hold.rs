//! Keeps servers from a database while it is moved or restored.

use std::time::Duration;

use sqlx::PgConnection;

use super::{Result, TransferError, pg};
use crate::platform::ids::MAX_NODE;
use crate::store::pg::NODE_LOCK_CLASS;
use crate::store::{DatabaseUrl, Owner, own};

const TAKE_ALL: &str = "SELECT COUNT(*) FROM generate_series(0, $2) AS node(number)
    WHERE NOT pg_try_advisory_lock($1, node.number)";

/// How often, and with what pause, locks of a process that was just killed are tried again.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(200);

/// Held for as long as no server may run on a database. The system releases it when the process ends, however it ends.
pub struct Hold(Held);

enum Held {
    /// The owner's lock of a SQLite file.
    Lite(#[expect(dead_code, reason = "released on drop")] Option<Owner>),
    /// All node numbers of a PostgreSQL database: a server that starts gets none.
    Pg(Box<PgConnection>),
}

impl Hold {
    /// Keeps servers from a database.
    ///
    /// # Errors
    /// When a server runs on it, or it cannot be reached.
    pub async fn take(url: &DatabaseUrl) -> Result<Self> {
        let DatabaseUrl::Postgres(options) = url else { return Ok(Self(Held::Lite(own(url)?))) };
        let mut connection = pg::open(options).await?;
        let mut tried = 0;
        loop {
            // numbers that an earlier round took are taken once more, which PostgreSQL allows
            let taken = sqlx::query_as(TAKE_ALL).bind(NODE_LOCK_CLASS).bind(i32::from(MAX_NODE));
            let (others,): (i64,) = taken.fetch_one(&mut connection).await?;
            if others == 0 {
                return Ok(Self(Held::Pg(Box::new(connection))));
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

    /// Confirms that servers were kept from the database until now.
    ///
    /// # Errors
    /// When the connection that keeps them away was lost: a server may have started.
    pub async fn confirm(&mut self) -> Result<()> {
        let is_held = match &mut self.0 {
            Held::Lite(_) => true,
            Held::Pg(connection) => pg::is_alive(connection).await,
        };
        if is_held {
            return Ok(());
        }
        let why = "the connection that keeps servers from the database was lost: try again";
        Err(TransferError::refused(why))
    }
}
