//! MCP sessions, for the protocol versions in which `initialize` creates a session. A session ends when the client
//! sends a DELETE request, when it has been idle for ten minutes, or when its connection ends.
//!
//! A session is a row, so it survives restarts and is valid on every node. A session belongs to a connection and not to
//! a token, so it survives refreshes. If a new connection replaces an older connection, the sessions of the older
//! connection end (D-360). A session id is useless without a token of its connection.
//!
//! # When the last use is stored
//!
//! A commit for each request would be too expensive. So a node keeps the time of a session's last use in memory
//! ([`SessionUses`]). For the node, the last use is the stored time or the time in memory, whichever is later. The time
//! in memory is stored
//!
//! - before a request is answered, if the stored time is at least five minutes old. So when a response is sent, the
//!   stored time is less than five minutes before the last use. A session that has been idle for less than five minutes
//!   is therefore also active on another node, and on this node after a crash;
//! - by a maintenance job: every minute, each node stores the last uses that it has in memory;
//! - at a graceful shutdown.
//!
//! A session with an open event stream is in use, even if the test clock is moved by hours (D-361). The node that sends
//! the stream knows that the stream is open. Each run of its maintenance job stores the current time as the session's
//! last use.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use parking_lot::Mutex;

use super::active_connection::Connected;
use super::assistant_caller::AssistantCaller;
use crate::{
    domain::{ids::ConnectionId, time::Timestamp, token},
    service::World,
    store::{
        Engine, Result, RevocationWatch, WatchLimits,
        mcp_sessions::{self, McpSession, NewMcpSession},
        op,
    },
};

/// A session ends this long after its last use.
pub const SESSION_IDLE: Duration = Duration::from_secs(10 * 60);
/// If the stored last use of a session is at least this old, a request of the session stores the new last use before
/// the response. The value is half of [`SESSION_IDLE`].
const MAX_STORED_AGE: Duration = Duration::from_secs(5 * 60);
/// How long the row of a session is kept after the session has expired by its stored time, because another node
/// possibly has a later use in memory.
const ROW_GRACE: Duration = Duration::from_secs(10 * 60);
/// After a move of the test clock, PostgreSQL deployments delete no idle session for this long, in real time. Within
/// this time, every node reads the new time and stores it as the last use of its sessions with open streams.
const CLOCK_GRACE: Duration = Duration::from_secs(10);

/// Maximum number of open streams per connection and per employee in one process.
const MAX_STREAMS: WatchLimits = WatchLimits { of_connection: 16, of_user: 64 };

/// Prefix of session ids (D-359).
const PREFIX: &str = "mcps_";
/// Number of random base62 characters in a session id. They have 190 random bits.
const RANDOM_LEN: usize = 32;
/// Maximum number of stored characters of a client's name, and of a client's version.
const MAX_NAME_CHARS: usize = 100;

/// Batch size for storing uses.
const USES_BATCH: usize = 500;
/// Batch size for deleting sessions.
const DELETE_BATCH: i64 = 1000;
/// Maximum number of delete batches per run.
const MAX_BATCHES: usize = 200;

/// Timeout for storing the last uses at shutdown.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);

/// The SHA-256 of a session id.
pub type SessionHash = [u8; 32];

/// Notifies an open stream when this process revokes the stream's connection, or when a client ends any session of this
/// connection through this process.
#[derive(Debug)]
pub struct ConnectionWatch(RevocationWatch);

impl ConnectionWatch {
    /// Waits for a notification. After it, the caller must read the state of the connection and of the session again.
    pub async fn ended(&mut self) {
        self.0.ended().await;
    }
}

/// The last uses of sessions that this process has in memory.
#[derive(Debug, Default)]
pub struct SessionUses {
    /// Last uses that are not stored yet, by session.
    unstored: Mutex<HashMap<SessionHash, Timestamp>>,
    /// Number of open streams, by session.
    streams: Mutex<HashMap<SessionHash, usize>>,
    /// The offset of the test clock at the last call of [`Self::is_clock_followed`], and when this process first saw
    /// this offset. `None` while the offset has been zero at every call.
    offset: Mutex<Option<(Duration, Instant)>>,
}

impl SessionUses {
    /// Notes a use of a session, unless a later use is noted.
    fn note(&self, session: SessionHash, now: Timestamp) {
        let mut uses = self.unstored.lock();
        let latest = uses.entry(session).or_insert(now);
        *latest = (*latest).max(now);
    }

    fn latest(&self, session: &SessionHash) -> Option<Timestamp> {
        self.unstored.lock().get(session).copied()
    }

    fn all(&self) -> Vec<(SessionHash, Timestamp)> {
        self.unstored.lock().iter().map(|(session, at)| (*session, *at)).collect()
    }

    fn has_stream(&self, session: &SessionHash) -> bool {
        self.streams.lock().contains_key(session)
    }

    /// Notes a use of each session with an open stream.
    fn note_streams(&self, now: Timestamp) {
        let open: Vec<_> = self.streams.lock().keys().copied().collect();
        for session in open {
            self.note(session, now);
        }
    }

    fn begin_stream(&self, session: SessionHash) {
        *self.streams.lock().entry(session).or_default() += 1;
    }

    fn end_stream(&self, session: SessionHash) {
        let mut streams = self.streams.lock();
        if let Some(open) = streams.get_mut(&session) {
            *open -= 1;
            if *open == 0 {
                streams.remove(&session);
            }
        }
    }

    /// Notes the offset of the test clock. Returns whether the other nodes have had time to follow the last move of the
    /// clock: the offset has been the same for [`CLOCK_GRACE`], or has always been zero.
    fn is_clock_followed(&self, offset: Duration, now: Instant) -> bool {
        let mut seen = self.offset.lock();
        match *seen {
            None if offset.is_zero() => true,
            Some((known, since)) if known == offset => now.saturating_duration_since(since) >= CLOCK_GRACE,
            _ => {
                *seen = Some((offset, now));
                false
            }
        }
    }

    /// Removes uses that were stored. If a session was used again in the meantime, its later use stays in memory.
    fn remove_stored(&self, uses: &[(SessionHash, Timestamp)]) {
        let mut uses_by_session = self.unstored.lock();
        for (session, at) in uses {
            if uses_by_session.get(session) == Some(at) {
                uses_by_session.remove(session);
            }
        }
    }
}

/// An open stream of a session in this process. Until the value is dropped, the session is in use.
pub struct SessionStream {
    world: Arc<World>,
    session: SessionHash,
}

impl Drop for SessionStream {
    fn drop(&mut self) {
        let uses = &self.world.session_uses;
        // The use is noted before the stream ends. In the other order, a request between the two steps could find the
        // session expired, if the clock was moved while the stream was open.
        uses.note(self.session, self.world.clock.now());
        uses.end_stream(self.session);
    }
}

/// A session that a request used.
#[derive(Clone, Copy, Debug)]
pub struct UsedSession {
    pub hash: SessionHash,
    /// Whether the client can open a URL for its user (elicitation in URL mode).
    pub url_elicitation: bool,
}

/// The result of the negotiation in `initialize`, and the data that the client sent about itself.
#[derive(Clone, Debug)]
pub struct Handshake {
    /// The negotiated protocol version.
    pub protocol_version: String,
    pub client_name: String,
    pub client_version: String,
    /// Whether the client can open a URL for its user (elicitation in URL mode).
    pub url_elicitation: bool,
}

impl World {
    /// Starts to watch the connection of an open stream. Returns `None` if the connection or the employee already has
    /// the maximum number of open streams in this process.
    #[must_use]
    pub fn watch_connection(&self, connected: &Connected) -> Option<ConnectionWatch> {
        let watchers = self.db.revocation_watchers();
        watchers.watch(connected.connection_id(), connected.user_id(), MAX_STREAMS).map(ConnectionWatch)
    }

    /// Creates a session on a connection and returns its id.
    ///
    /// # Errors
    /// Store errors; `token_revoked` if, after the request was authenticated, the connection ended or its access token
    /// was replaced or expired.
    pub async fn begin_mcp_session(&self, connected: &Connected, handshake: Handshake) -> Result<String> {
        let id = format!("{PREFIX}{}", self.rng.base62(RANDOM_LEN));
        let new = NewMcpSession {
            workspace_id: connected.workspace_id(),
            connection_id: connected.connection_id(),
            protocol_version: handshake.protocol_version,
            client_name: storable(&handshake.client_name),
            client_version: storable(&handshake.client_version),
            url_elicitation: handshake.url_elicitation,
        };
        let (hash, now) = (token::hash(&id), self.clock.now());
        self.write_for(AssistantCaller::new(connected, now), CreateSession { hash, new, now }).await?;
        Ok(id)
    }

    /// Records a use of a session and returns the session. Returns `None` if the session is unknown, has ended, or
    /// belongs to another connection (A-283 … A-285).
    ///
    /// # Errors
    /// Store errors.
    pub async fn use_mcp_session(&self, connection: ConnectionId, id: &str) -> Result<Option<UsedSession>> {
        if !id.starts_with(PREFIX) {
            return Ok(None);
        }
        let hash = token::hash(id);
        let found = self.touched(connection, hash).await?;
        Ok(found.map(|session| UsedSession { hash, url_elicitation: session.url_elicitation }))
    }

    /// Begins a stream of an active session. The session is in use until the stream ends (D-361).
    #[must_use]
    pub fn begin_session_stream(self: &Arc<Self>, session: SessionHash) -> SessionStream {
        self.session_uses.begin_stream(session);
        SessionStream { world: Arc::clone(self), session }
    }

    /// Records a use of a session and returns whether the session is active. Called for open streams, because a session
    /// with an open stream is in use (D-361).
    ///
    /// # Errors
    /// Store errors.
    pub async fn touch_mcp_session(&self, connection: ConnectionId, session: SessionHash) -> Result<bool> {
        Ok(self.touched(connection, session).await?.is_some())
    }

    /// Records a use of a session and returns the session. Returns `None` if the session is not active.
    async fn touched(&self, connection: ConnectionId, session: SessionHash) -> Result<Option<McpSession>> {
        let Some(found) = self.db.read(FindMcpSession(session)).await? else { return Ok(None) };
        let now = self.clock.now();
        let used =
            self.session_uses.latest(&session).map_or(found.last_used_at, |at| at.max(found.last_used_at));
        let is_used = now.since(used) < SESSION_IDLE || self.session_uses.has_stream(&session);
        let is_active = found.connection_id == connection && is_used;
        if is_active {
            self.session_uses.note(session, now);
            if now.since(found.last_used_at) >= MAX_STORED_AGE {
                let uses = vec![(session, now)];
                self.db.write(StoreUses(uses.clone())).await?;
                self.session_uses.remove_stored(&uses);
            }
        }
        Ok(is_active.then_some(found))
    }

    /// Deletes a session. Returns whether the session existed and belonged to the connection.
    ///
    /// # Errors
    /// Store errors.
    pub async fn end_mcp_session(&self, connection: ConnectionId, session: SessionHash) -> Result<bool> {
        self.db.write(DeleteSession { connection, session }).await
    }

    /// Stores the last uses of sessions that this process has in memory. The last use of a session with an open stream
    /// is the current time.
    ///
    /// # Errors
    /// Store errors. The next call stores the last uses that were not stored.
    pub async fn store_session_uses(&self) -> Result<()> {
        self.session_uses.note_streams(self.clock.now());
        for uses in self.session_uses.all().chunks(USES_BATCH) {
            self.db.write(StoreUses(uses.to_vec())).await?;
            self.session_uses.remove_stored(uses);
        }
        Ok(())
    }

    /// Stores the last uses at shutdown, after all requests have ended and before the store is closed. Times out after
    /// ten seconds of real time. Logs a warning after a failure or the timeout.
    pub async fn finish_session_uses(&self) {
        match tokio::time::timeout(SHUTDOWN_TIMEOUT, self.store_session_uses()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "failed to store the last uses of MCP sessions"),
            Err(_) => tracing::warn!("timed out while storing the last uses of MCP sessions"),
        }
    }

    /// Deletes the rows of sessions that have been idle for at least [`SESSION_IDLE`] plus [`ROW_GRACE`]. On
    /// PostgreSQL, deletes nothing for [`CLOCK_GRACE`] after a move of the test clock, so that the other nodes can
    /// store the last uses of their sessions with open streams.
    pub(in crate::service) async fn delete_idle_mcp_sessions(&self, now: Timestamp) -> Result<()> {
        // after an error nothing is deleted: without the last uses, sessions in use would seem idle
        self.store_session_uses().await?;
        if self.db.engine() == Engine::Postgres
            && !self.session_uses.is_clock_followed(self.clock.offset(), self.clock.instant())
        {
            return Ok(());
        }
        for _ in 0..MAX_BATCHES {
            let deleted = self.db.write(DeleteIdle(now - SESSION_IDLE - ROW_GRACE)).await?;
            if i64::try_from(deleted).is_ok_and(|deleted| deleted < DELETE_BATCH) {
                break;
            }
        }
        Ok(())
    }
}

/// Removes control characters, because PostgreSQL cannot store U+0000, and truncates the text to [`MAX_NAME_CHARS`].
fn storable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(MAX_NAME_CHARS).collect()
}

struct CreateSession {
    hash: SessionHash,
    new: NewMcpSession,
    now: Timestamp,
}

op! {
    Op "begin_mcp_session": CreateSession -> () = |op, c| mcp_sessions::insert(c, &op.hash, &op.new, op.now)
}

struct FindMcpSession(SessionHash);

op! {
    ReadOp "find_mcp_session", SINGLE: FindMcpSession -> Option<McpSession> = |op, c| mcp_sessions::find(c, &op.0)
}

struct DeleteSession {
    connection: ConnectionId,
    session: SessionHash,
}

op! {
    Op "end_mcp_session": DeleteSession -> bool = |op, c| mcp_sessions::delete(c, &op.session, op.connection)
}

struct StoreUses(Vec<(SessionHash, Timestamp)>);

op! { Op "store_mcp_session_uses": StoreUses -> () = |op, c| mcp_sessions::used(c, &op.0) }

struct DeleteIdle(Timestamp);

op! { Op "forget_mcp_sessions": DeleteIdle -> u64 = |op, c| mcp_sessions::delete_idle(c, op.0, DELETE_BATCH) }

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::{domain::ids::WorkspaceId, platform::clock::Clock, service::testing};

    #[tokio::test]
    async fn a_moved_clock_does_not_end_the_writes_of_a_shutdown() {
        let world = testing::world().await;
        world.session_uses.note([1; 32], world.clock.now());
        let held = world.hold_writes().await;
        let mut finishing = std::pin::pin!(world.finish_session_uses());
        assert!(finishing.as_mut().now_or_never().is_none());
        world.clock.advance(SHUTDOWN_TIMEOUT);
        assert!(finishing.as_mut().now_or_never().is_none(), "the timeout is measured in real time");
        drop(held);
        finishing.await;
        assert_eq!(world.session_uses.all(), [], "every use is stored");
    }

    #[tokio::test]
    async fn the_uses_of_all_sessions_are_stored_by_one_statement() {
        let world = testing::world().await;
        let new = NewMcpSession {
            workspace_id: WorkspaceId(1),
            connection_id: ConnectionId(2),
            protocol_version: "2025-11-25".into(),
            client_name: "client".into(),
            client_version: "1".into(),
            url_elicitation: false,
        };
        for (session, created_at) in [([1; 32], 5), ([2; 32], 5), ([3; 32], 9)] {
            let create = CreateSession { hash: session, new: new.clone(), now: Timestamp(created_at) };
            world.db.write(create).await.unwrap();
        }
        let uses = [[3; 32], [2; 32], [1; 32], [4; 32]].map(|session| (session, Timestamp(7))).to_vec();
        let (statements, ()) = world.db.write(testing::Recorded(StoreUses(uses))).await.unwrap();
        assert_eq!(statements.len(), 1, "{statements:?}");
        for (session, used_at) in [([1; 32], 7), ([2; 32], 7), ([3; 32], 9)] {
            let found = world.db.read(FindMcpSession(session)).await.unwrap().unwrap();
            assert_eq!(found.last_used_at, Timestamp(used_at), "the later time is stored");
        }
    }

    #[test]
    fn a_use_during_a_write_is_stored_by_the_next_write() {
        let uses = SessionUses::default();
        uses.note([1; 32], Timestamp(5));
        uses.note([2; 32], Timestamp(5));
        let written = uses.all();
        uses.note([2; 32], Timestamp(9));
        uses.note([2; 32], Timestamp(7));
        uses.remove_stored(&written);
        assert_eq!(uses.all(), [([2; 32], Timestamp(9))]);
        assert_eq!(uses.latest(&[1; 32]), None);
    }

    #[test]
    fn a_session_is_in_use_until_its_last_stream_ends() {
        let uses = SessionUses::default();
        uses.begin_stream([1; 32]);
        uses.begin_stream([1; 32]);
        uses.end_stream([1; 32]);
        assert!(uses.has_stream(&[1; 32]) && !uses.has_stream(&[2; 32]));
        uses.note_streams(Timestamp(5));
        assert_eq!(uses.all(), [([1; 32], Timestamp(5))]);
        uses.end_stream([1; 32]);
        assert!(!uses.has_stream(&[1; 32]));
    }

    #[test]
    fn a_move_of_the_clock_counts_as_followed_after_the_grace_period() {
        let (uses, begun) = (SessionUses::default(), Clock::manual(Timestamp(0)).instant());
        let hour = Duration::from_secs(60 * 60);
        assert!(uses.is_clock_followed(Duration::ZERO, begun), "the clock was never moved");
        assert!(!uses.is_clock_followed(hour, begun));
        assert!(!uses.is_clock_followed(hour, begun + CLOCK_GRACE / 2));
        assert!(uses.is_clock_followed(hour, begun + CLOCK_GRACE));
        assert!(!uses.is_clock_followed(hour * 2, begun + CLOCK_GRACE));
        assert!(uses.is_clock_followed(hour * 2, begun + CLOCK_GRACE * 2));
    }

    #[test]
    fn names_are_stripped_of_control_characters_and_truncated() {
        assert_eq!(storable("a\0b\n"), "ab");
        assert_eq!(storable(&"\u{e9}".repeat(200)).chars().count(), 100);
    }
}
