//! Sessions of MCP clients that speak a version with a handshake: begun by `initialize`, ended by DELETE, by ten idle
//! minutes, or with their connection.
//!
//! Called by the assistant room. A session is a row, so it outlives restarts and every node knows it. It belongs to its
//! connection and not to a token, so that it outlives refreshes; when a newer connection replaces an older one it goes
//! over to it ([`exchange`](super::exchange)). Its id opens nothing without a token of that connection.
//!
//! # When a use is written
//!
//! Every use counts, to the microsecond, but a write for each would cost a busy session a commit per request. So a use
//! is kept in memory ([`SessionUses`]) and stored with the exact time by the upkeep, which runs every minute. A node
//! decides by the later of the stored time and its own. Once the stored time is five minutes old a use is written before
//! it is answered: so on other nodes, and after a process was killed, a session in use has at least five of its ten
//! minutes left, and less than the upkeep's minute is ever missing from them. A process that ends in order stores what it
//! has.

use std::{collections::HashMap, time::Duration};

use parking_lot::Mutex;

use super::{caller::AssistantCaller, connections::Connected};
use crate::{
    domain::{ids::ConnectionId, time::Timestamp, token},
    store::{
        Locks, Op, Result, Sql,
        mcp_sessions::{self, NewSession, Session},
    },
    workspace::World,
};

/// How long a session may be idle: used before, it goes on; from then on it has ended.
pub const SESSION_IDLE: Duration = Duration::from_secs(10 * 60);
/// How old the stored time of a session in use may become: half of [`SESSION_IDLE`], so that another node, or this process
/// after it was killed, never takes a used session for an idle one before it has been idle for five minutes.
const STORED_AFTER: Duration = Duration::from_secs(5 * 60);
/// How much longer the row of a session stays: another node may not have stored its latest use yet.
const ROW_GRACE: Duration = Duration::from_secs(10 * 60);

/// What session ids begin with (D-359).
const PREFIX: &str = "mcps_";
/// Random base62 characters of a session id: 190 bits.
const RANDOM_LEN: usize = 32;
/// Characters that are kept of what a client calls itself.
const MAX_NAME_CHARS: usize = 100;

/// How many uses are stored in one transaction.
const USES_AT_ONCE: usize = 500;
/// How many sessions are forgotten in one transaction.
const FORGOTTEN_AT_ONCE: i64 = 1000;
/// How many such transactions a run of the upkeep makes at most.
const GOES: usize = 200;

/// How long the end of the process waits for the last uses to be stored.
const LAST: Duration = Duration::from_secs(10);

/// The SHA-256 of a session id.
pub type SessionHash = [u8; 32];

/// Latest uses that are not stored yet, by session.
#[derive(Debug, Default)]
pub struct SessionUses(Mutex<HashMap<SessionHash, Timestamp>>);

impl SessionUses {
    fn note(&self, session: SessionHash, now: Timestamp) {
        let mut uses = self.0.lock();
        let latest = uses.entry(session).or_insert(now);
        *latest = (*latest).max(now);
    }

    fn latest(&self, session: &SessionHash) -> Option<Timestamp> {
        self.0.lock().get(session).copied()
    }

    fn all(&self) -> Vec<(SessionHash, Timestamp)> {
        let mut uses: Vec<_> = self.0.lock().iter().map(|(session, at)| (*session, *at)).collect();
        // nodes that store uses of the same sessions wait for each other in line
        uses.sort_unstable();
        uses
    }

    /// Forgets uses that were stored, unless there was a later one meanwhile.
    fn stored(&self, uses: &[(SessionHash, Timestamp)]) {
        let mut kept = self.0.lock();
        for (session, at) in uses {
            if kept.get(session) == Some(at) {
                kept.remove(session);
            }
        }
    }
}

/// What a client said of itself in `initialize`.
#[derive(Clone, Debug)]
pub struct Handshake {
    /// The version that was agreed on.
    pub protocol_version: String,
    pub client_name: String,
    pub client_version: String,
}

impl World {
    /// Begins a session on a connection; its id.
    ///
    /// # Errors
    /// `token_revoked` for a connection that was revoked meanwhile.
    pub async fn begin_mcp_session(&self, connected: &Connected, handshake: Handshake) -> Result<String> {
        let id = format!("{PREFIX}{}", self.rng.base62(RANDOM_LEN));
        let new = NewSession {
            workspace_id: connected.workspace_id,
            connection_id: connected.connection_id,
            protocol_version: handshake.protocol_version,
            client_name: storable(&handshake.client_name),
            client_version: storable(&handshake.client_version),
        };
        let (caller, hash) = (AssistantCaller::from(connected), token::hash(&id));
        self.db.write(Begin { caller, hash, new, now: self.clock.now() }).await?;
        Ok(id)
    }

    /// Uses a session; its hash for what follows. None for one that is unknown, has ended, or is another connection's
    /// (A-283 … A-285).
    ///
    /// # Errors
    /// Those of the store.
    pub async fn use_mcp_session(&self, connection: ConnectionId, id: &str) -> Result<Option<SessionHash>> {
        if !id.starts_with(PREFIX) {
            return Ok(None);
        }
        let hash = token::hash(id);
        Ok(self.touch_mcp_session(connection, hash).await?.then_some(hash))
    }

    /// Uses a session that is known; tells whether it still lived. An open stream does (D-361).
    ///
    /// # Errors
    /// Those of the store.
    pub async fn touch_mcp_session(&self, connection: ConnectionId, session: SessionHash) -> Result<bool> {
        let Some(found) = self.db.read(Find(session)).await? else { return Ok(false) };
        let now = self.clock.now();
        let used =
            self.session_uses.latest(&session).map_or(found.last_used_at, |at| at.max(found.last_used_at));
        let lives = found.connection_id == connection && now.since(used) < SESSION_IDLE;
        if lives {
            self.session_uses.note(session, now);
            if now.since(found.last_used_at) >= STORED_AFTER {
                let uses = vec![(session, now)];
                self.db.write(StoreUses(uses.clone())).await?;
                self.session_uses.stored(&uses);
            }
        }
        Ok(lives)
    }

    /// Ends a session of a connection.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn end_mcp_session(&self, connection: ConnectionId, session: SessionHash) -> Result<bool> {
        self.db.write(End { connection, session }).await
    }

    /// Stores the latest uses of sessions that this process saw.
    ///
    /// # Errors
    /// Those of the store; what was not stored is stored by the next call.
    pub async fn store_session_uses(&self) -> Result<()> {
        for uses in self.session_uses.all().chunks(USES_AT_ONCE) {
            self.db.write(StoreUses(uses.to_vec())).await?;
            self.session_uses.stored(uses);
        }
        Ok(())
    }

    /// Stores them when everything else has ended, before the store is closed; a store that does not answer is not
    /// waited for.
    pub async fn end_session_uses(&self) {
        tokio::select! {
            stored = self.store_session_uses() => {
                if let Err(error) = stored {
                    tracing::warn!(%error, "the latest uses of MCP sessions were not stored");
                }
            }
            () = self.clock.pause(LAST) => tracing::warn!("the latest uses of MCP sessions were not stored in time"),
        }
    }

    /// The same as [`World::store_session_uses`], and forgets sessions that have ended.
    pub(in crate::workspace) async fn tidy_mcp_sessions(&self, now: Timestamp) -> Result<()> {
        self.store_session_uses().await?;
        for _ in 0..GOES {
            let forgotten = self.db.write(Forget(now - SESSION_IDLE - ROW_GRACE)).await?;
            if i64::try_from(forgotten).is_ok_and(|forgotten| forgotten < FORGOTTEN_AT_ONCE) {
                break;
            }
        }
        Ok(())
    }
}

/// What both engines can hold and a page can show.
fn storable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(MAX_NAME_CHARS).collect()
}

struct Begin {
    caller: AssistantCaller,
    hash: SessionHash,
    new: NewSession,
    now: Timestamp,
}

impl Op for Begin {
    const NAME: &'static str = "begin_mcp_session";
    type Out = ();

    fn locks(&self) -> Locks {
        self.caller.locks()
    }

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        self.caller.check_connected(c, self.now).await?;
        mcp_sessions::insert(c, &self.hash, &self.new, self.now).await
    }
}

struct Find(SessionHash);

impl Op for Find {
    const NAME: &'static str = "find_mcp_session";
    const SINGLE: bool = true;
    type Out = Option<Session>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Option<Session>> {
        mcp_sessions::find(c, &self.0).await
    }
}

struct End {
    connection: ConnectionId,
    session: SessionHash,
}

impl Op for End {
    const NAME: &'static str = "end_mcp_session";
    type Out = bool;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<bool> {
        mcp_sessions::delete(c, &self.session, self.connection).await
    }
}

struct StoreUses(Vec<(SessionHash, Timestamp)>);

impl Op for StoreUses {
    const NAME: &'static str = "store_mcp_session_uses";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        for (session, at) in &self.0 {
            mcp_sessions::used(c, session, *at).await?;
        }
        Ok(())
    }
}

struct Forget(Timestamp);

impl Op for Forget {
    const NAME: &'static str = "forget_mcp_sessions";
    type Out = u64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<u64> {
        mcp_sessions::delete_idle(c, self.0, FORGOTTEN_AT_ONCE).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_use_during_the_write_is_kept_for_the_next() {
        let uses = SessionUses::default();
        uses.note([1; 32], Timestamp(5));
        uses.note([2; 32], Timestamp(5));
        let written = uses.all();
        uses.note([2; 32], Timestamp(9));
        uses.note([2; 32], Timestamp(7));
        uses.stored(&written);
        assert_eq!(uses.all(), [([2; 32], Timestamp(9))]);
        assert_eq!(uses.latest(&[1; 32]), None);
    }

    #[test]
    fn names_are_cut() {
        assert_eq!(storable("a\0b\n"), "ab");
        assert_eq!(storable(&"\u{e9}".repeat(200)).chars().count(), 100);
    }
}
