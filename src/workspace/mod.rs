//! The rules of the world, shared by the rooms: who may see what, sending, membership, people, files, apps.
//!
//! Called by the rooms with plain values; every decision is one [`Op`](crate::store::Op), so one transaction.
//! Nothing here knows HTTP, and no SQL stands here.

pub mod access;
pub mod apps;
pub mod assistants;
pub mod companies;
pub mod conversations;
pub mod csrf;
pub mod deliveries;
pub mod edit;
pub mod employee;
pub mod files;
pub mod indexing;
pub mod installs;
pub mod membership;
pub mod outbox;
pub mod people;
pub mod posts;
pub mod principal;
pub mod reading;
pub mod sandbox;
pub mod send;
pub mod sessions;
pub mod test_events;
#[cfg(test)]
mod testing;
pub mod tool_calls;
pub mod upkeep;
pub mod uploads;

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use crate::{
    domain::{
        assistant::{keys::WellKnown, names::Reserved},
        ids::{EventId, MessageId},
        refusal::{Code, Refusal},
        time::Timestamp,
        token,
    },
    platform::{blobs::Blobs, clock::Clock, ids::IdGen, limits::Limits, passwords::Passwords, rng::Rng},
    store::{Db, Error, Result, StoreError},
};

/// What the rooms share: the store and everything that a decision needs from outside.
pub struct World {
    pub db: Db,
    pub clock: Clock,
    pub rng: Rng,
    pub ids: Arc<IdGen>,
    pub limits: Arc<Limits>,
    pub blobs: Blobs,
    /// Metadata documents of assistant clients.
    pub documents: assistants::documents::Documents,
    pub passwords: Passwords,
    pub keys: Keys,
    pub settings: Settings,
    /// What is known of moves of the test clock.
    pub clock_moves: sandbox::ClockMoves,
    /// Keys that sends used lately.
    pub recent_keys: send::RecentKeys,
    /// Sends that were refused lately.
    pub refused_sends: send::RecentRefusals,
    /// Where sends gather that are written together.
    pub sends: send::Together,
    /// Where the upkeep goes on.
    pub key_walk: upkeep::KeyWalk,
    /// Calls of tools that wait to be written to the audit.
    pub tool_calls: tool_calls::Queue,
    /// How far the clean-up of connections' tokens has come.
    pub token_walk: assistants::tidy::TokenWalk,
    /// Uses of MCP sessions that are not stored yet.
    pub session_uses: assistants::mcp_sessions::SessionUses,
    /// Delivery of events, when this process does it.
    pub delivery: OnceLock<Box<dyn deliveries::CatchUp>>,
}

/// Keys that every node of one server shares.
pub struct Keys {
    /// Authenticates page cursors.
    pub cursors: [u8; 32],
    /// Authenticates file links.
    pub links: [u8; 32],
    /// Authenticates the forms of the pages.
    pub csrf: [u8; 32],
    /// Tells tokens of connections that are not stored any more from invented ones.
    pub connection_tokens: [u8; 32],
}

/// What the configuration says of the world.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The bot API's address without a trailing slash.
    pub base_url: String,
    /// The assistant connection server's address without a trailing slash; the OAuth issuer (D-197).
    pub mcp_url: String,
    /// The service's name, as people see it.
    pub service_name: String,
    /// Schemes of editors that redirect URIs may have without a period (D-237).
    pub editor_schemes: Vec<String>,
    /// Names that no assistant client may wear.
    pub reserved_names: Reserved,
    /// Fixed names of assistant clients.
    pub well_known_clients: WellKnown,
    /// Production; otherwise the sandbox tools exist and tokens are `_test_`.
    pub production: bool,
    /// The operator may move the clock.
    pub test_clock: bool,
    /// The lower-case hex SHA-256 of the operator key; none means no operator.
    pub operator_key_sha256: Option<[u8; 32]>,
    /// How long the audit of tool calls is kept.
    pub audit_life: Duration,
    /// How long an event may be due without an attempt before it is dropped.
    pub event_life: Duration,
    /// Requests an employee's assistants may make to the MCP endpoints per minute (D-365).
    pub mcp_requests_per_minute: u32,
    /// `host:port` pairs exempt from the address rule and the HTTPS rule of callbacks (dev only).
    pub allow_private_hosts: Vec<String>,
}

/// The moment of one decision, with the source of its new ids.
#[derive(Clone)]
pub struct Stamp {
    pub now: Timestamp,
    ids: Arc<IdGen>,
}

impl Stamp {
    /// A new id, higher than every one before it on this node.
    ///
    /// # Errors
    /// Unavailable while this node has no number of its own, and when the clock is past the last id.
    pub fn id(&self) -> Result<i64> {
        self.ids.next().map_err(|none| StoreError::Unavailable(none.to_string().into()).into())
    }

    /// A new event's id.
    ///
    /// # Errors
    /// Those of [`Stamp::id`].
    pub fn event(&self) -> Result<EventId> {
        Ok(EventId(self.id()?))
    }

    /// The id of a message about to be written to a conversation where new ones begin at `floor`. To be called under
    /// the conversation's lock: its ids become visible in their order, and what is written after a join is seen by who
    /// joined (B-281), although another node's clock may be ahead.
    ///
    /// # Errors
    /// Those of [`Stamp::id`].
    pub fn message_id(&self, floor: MessageId) -> Result<MessageId> {
        let id = self.ids.next_from(floor.0);
        Ok(MessageId(id.map_err(|none| StoreError::Unavailable(none.to_string().into()))?))
    }
}

impl World {
    /// Now, with the source of ids.
    #[must_use]
    pub fn stamp(&self) -> Stamp {
        Stamp { now: self.clock.now(), ids: Arc::clone(&self.ids) }
    }

    /// The time, for decisions about what has expired.
    ///
    /// # Errors
    /// Unavailable while this node's clock is too far from the database's: it would refuse what is still good, accept what
    /// is not, and delete what is to be kept.
    pub fn trusted_now(&self) -> Result<Timestamp> {
        match self.ids.clock_error() {
            None => Ok(self.clock.now()),
            Some(_) => {
                Err(StoreError::Unavailable("this node's clock is too far from the database's".into()).into())
            }
        }
    }

    /// A new secret text of a kind; not of access and refresh tokens, which `assistants::tokens` makes.
    #[must_use]
    pub fn mint(&self, kind: token::Kind) -> String {
        token::mint(kind, &self.rng.bytes())
    }
}

/// A refusal as the error of an operation.
pub(crate) fn refuse<T>(code: Code) -> Result<T> {
    Err(Error::from(code))
}

/// A refusal of what a request says: `invalid_request`, with the reason.
pub(crate) fn invalid<T>(why: &'static str) -> Result<T> {
    Err(Refusal::because(Code::InvalidRequest, why).into())
}

/// A refusal for how things stand: `conflict`, with the reason.
pub(crate) fn conflict<T>(why: &'static str) -> Result<T> {
    Err(Refusal::because(Code::Conflict, why).into())
}
