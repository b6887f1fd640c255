//! Service layer: the business rules behind all APIs, for visibility, sending, membership, people, files and apps.
//!
//! The API modules convert requests to plain values before they call this module. One [`Op`](crate::store::Op), and
//! therefore one transaction, decides whether a write is allowed and stores it. The results are structs that have only
//! what the caller may see. They are called *views*; rows of the store are never returned. The service layer contains
//! no SQL. Its only HTTP requests are those for metadata documents of OAuth clients ([`oauth::documents`]).
//!
//! - [`callers`]: the callers of the admin API and the pages, and their rights; [`sign_in`]: sign-in and sessions of
//!   accounts
//! - [`bot`]: what bots do; [`employee`]: what assistants do for an employee; [`web_client`]: what people do in the
//!   browser
//! - [`companies`], [`people`], [`conversations`], [`messages`], [`files`], [`apps`]: the administration of companies,
//!   people, conversations and so on
//! - [`oauth`]: how assistants are connected; [`tool_calls`]: the audit of the assistants' tool calls
//! - [`outbox`]: writes events for apps in the transaction of a change; [`events`]: the delivery of these events
//! - [`maintenance`]: periodic jobs, most of which delete expired data; `batches`: the batches of these jobs;
//!   [`sandbox`]: the test clock and the reset of rate limits
//! - [`paging`]: pages of lists, and their cursors; `view`: a macro that declares views

pub mod apps;
mod batches;
pub mod bot;
pub mod callers;
pub mod companies;
pub mod conversations;
pub mod employee;
pub mod events;
pub mod files;
pub mod maintenance;
pub mod messages;
pub mod oauth;
pub mod outbox;
pub mod paging;
pub mod people;
pub mod sandbox;
pub mod sign_in;
#[cfg(test)]
mod testing;
pub mod tool_calls;
mod view;
pub mod web_client;

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

pub use crate::store::{Error, Result};
use crate::{
    domain::{
        assistant::{keys::WellKnown, names::Reserved},
        ids::{EventId, MessageId},
        refusal::{Code, Refusal},
        time::Timestamp,
        token, visible,
    },
    platform::{blobs::Blobs, clock::Clock, ids::IdGen, limits::Limits, passwords::Passwords, rng::Rng},
    store::{Db, StoreError, secrets::Encryption},
};

/// State shared by the APIs: the store and all other dependencies of the service layer.
pub struct World {
    pub db: Db,
    pub clock: Clock,
    pub rng: Rng,
    pub ids: Arc<IdGen>,
    pub limits: Arc<Limits>,
    pub blobs: Blobs,
    /// Uploads in progress.
    pub open_uploads: files::open_uploads::OpenUploads,
    /// Metadata documents of assistant clients.
    pub documents: oauth::documents::Documents,
    pub passwords: Passwords,
    pub keys: Keys,
    /// Encryption of secrets in the database.
    pub encryption: Encryption,
    pub settings: ServiceSettings,
    /// The offset of the test clock that this node has applied.
    pub clock_offset: sandbox::ClockOffset,
    /// Idempotency keys of recent sends.
    pub recent_keys: bot::send::RecentKeys,
    /// The bots and conversations of recently rejected sends.
    pub refused_sends: bot::send::RecentRefusals,
    /// Collects concurrent sends into one transaction.
    pub sends: bot::send::GroupCommit,
    /// The position in the table of idempotency keys where the next run of the job that deletes expired keys begins.
    pub key_scan: maintenance::KeyScan,
    /// Tool calls that wait to be written to the audit.
    pub tool_calls: tool_calls::ToolCallQueue,
    /// The position in the table of tokens where the next run of the job that deletes expired tokens of connections
    /// begins.
    pub token_scan: oauth::cleanup::TokenScan,
    /// Recent decisions on the consent page.
    pub recent_decisions: oauth::decisions::RecentDecisions,
    /// Open windows of the web client.
    pub live: Arc<web_client::live::LiveWindows>,
    /// Uses of MCP sessions that are not stored yet.
    pub session_uses: oauth::mcp_sessions::SessionUses,
    /// The one-time link of the sandbox console, and ended sessions of the console.
    pub console_access: callers::console::ConsoleAccess,
    /// Delivery failures that the sandbox console injects; `None` in production.
    pub injected_failures: Option<events::deliveries::failures::InjectedFailures>,
    /// Event delivery, set if this process delivers events.
    pub delivery: OnceLock<Box<dyn events::deliveries::CatchUp>>,
}

/// Keys that are the same on all nodes of a deployment, because they are derived from the master key.
pub struct Keys {
    /// Authenticates page cursors.
    pub cursors: [u8; 32],
    /// Authenticates file links.
    pub links: [u8; 32],
    /// Authenticates the forms of the pages.
    pub csrf: [u8; 32],
    /// Authenticates the id of the connection in access and refresh tokens, so that a token whose row has been deleted
    /// still identifies its connection.
    pub connection_tokens: [u8; 32],
}

/// Settings of the service layer.
#[derive(Clone, Debug)]
pub struct ServiceSettings {
    /// URL of the bot API, the admin API and the pages, without a trailing slash.
    pub base_url: String,
    /// URL of the assistant server without a trailing slash; the OAuth issuer (D-197).
    pub mcp_url: String,
    /// Name of the service, shown to people.
    pub service_name: String,
    /// URI schemes of editors, such as `vscode`. They are allowed in redirect URIs although they contain no period
    /// (D-237).
    pub editor_schemes: Vec<String>,
    /// Names that assistant clients may not use.
    pub reserved_names: Reserved,
    /// Fixed display names of assistant clients, by host.
    pub well_known_clients: WellKnown,
    /// Whether the environment is `production`. In all other environments, the sandbox tools are available, and the
    /// tokens of bots and assistants contain `_test_`.
    pub production: bool,
    /// Whether the operator may move the clock.
    pub test_clock: bool,
    /// SHA-256 of the operator key; `None` if no operator key is configured.
    pub operator_key_sha256: Option<[u8; 32]>,
    /// How long a tool call is kept in the audit, and an ended connection in the lists of connections.
    pub audit_life: Duration,
    /// How long an event may be due without an attempt before it is dropped.
    pub event_life: Duration,
    /// How long after its first use a refresh token can be used again. Each further use returns the tokens of the first
    /// use. Zero means that the token can be used only once, as the contract requires.
    pub refresh_overlap: Duration,
    /// Storage quotas of people and companies.
    pub quotas: files::file_usage::Quotas,
    /// Age at which files without a message are deleted; `None` for never.
    pub unattached_life: Option<Duration>,
    /// Limits of uploads in progress.
    pub uploads: files::open_uploads::UploadSettings,
    /// Requests per minute that all assistants of an employee together may make to the MCP endpoints (D-365).
    pub mcp_requests_per_minute: u32,
    /// `host:port` pairs that are exempt from two rules: outbound requests go to public addresses only, and callback
    /// URLs use HTTPS. Only the environment `dev` allows such pairs.
    pub allow_private_hosts: Vec<String>,
}

/// The time of an operation, and the generator of new ids.
#[derive(Clone)]
pub struct Stamp {
    pub now: Timestamp,
    ids: Arc<IdGen>,
}

impl Stamp {
    /// Returns a new id. It is greater than every id that this method has returned on this node. It can be lower than
    /// an id that [`Stamp::message_id`] has returned.
    ///
    /// # Errors
    /// - `Unavailable` while this node has no node number, or while its clock is too far from the database's clock.
    /// - `Unavailable` if the clock is past the time of the highest possible id.
    pub fn id(&self) -> Result<i64> {
        self.ids.next().map_err(|error| StoreError::Unavailable(error.to_string().into()).into())
    }

    /// Returns a new event id.
    ///
    /// # Errors
    /// Errors of [`Stamp::id`].
    pub fn event(&self) -> Result<EventId> {
        Ok(EventId(self.id()?))
    }

    /// Returns a new message id. Call this method while the conversation is locked, so that messages become visible in
    /// the order of their ids.
    ///
    /// The id is at least `floor`, the lowest id that the conversation allows. Each membership has the lowest id of the
    /// messages that the member sees, and the join raises `floor` to this id. So new members see all messages that are
    /// sent after they joined, even if the clock of the sending node is behind.
    ///
    /// # Errors
    /// Errors of [`Stamp::id`].
    pub fn message_id(&self, floor: MessageId) -> Result<MessageId> {
        let id = self.ids.next_from(floor.0);
        Ok(MessageId(id.map_err(|error| StoreError::Unavailable(error.to_string().into()))?))
    }
}

impl World {
    /// Returns the current time with the id generator.
    #[must_use]
    pub fn stamp(&self) -> Stamp {
        Stamp { now: self.clock.now(), ids: Arc::clone(&self.ids) }
    }

    /// Returns the time for decisions about expiry.
    ///
    /// # Errors
    /// `Unavailable` while this node's clock is too far from the database's clock. With such a clock, the node could
    /// reject valid tokens, accept expired tokens, or delete rows too early.
    pub fn trusted_now(&self) -> Result<Timestamp> {
        match self.ids.clock_error() {
            None => Ok(self.clock.now()),
            Some(_) => {
                Err(StoreError::Unavailable("this node's clock is too far from the database's".into()).into())
            }
        }
    }

    /// Returns the trusted time with the id generator, for rows that expire.
    ///
    /// # Errors
    /// Errors of [`World::trusted_now`].
    pub fn trusted_stamp(&self) -> Result<Stamp> {
        Ok(Stamp { now: self.trusted_now()?, ids: Arc::clone(&self.ids) })
    }

    /// Returns a new random token. For access and refresh tokens, which contain the id of their connection, use
    /// `oauth::tokens` instead.
    #[must_use]
    pub fn mint(&self, kind: token::TokenKind) -> String {
        token::mint(kind, &self.rng.bytes())
    }
}

pub(crate) use view::view;

/// Returns a rejection as the error of an operation.
pub(crate) fn refuse<T>(code: Code) -> Result<T> {
    Err(Error::from(code))
}

/// Returns an `invalid_request` rejection with a reason.
pub(crate) fn invalid<T>(why: &'static str) -> Result<T> {
    Err(Refusal::because(Code::InvalidRequest, why).into())
}

/// Checks that a name has a visible character. Accepts `None`. `field` is the name of the field in the error.
///
/// # Errors
/// `invalid_request` for a name without visible characters.
pub(crate) fn check_visible(field: &str, name: Option<&str>) -> Result<()> {
    match name.filter(|name| !visible::is_visible(name)) {
        None => Ok(()),
        Some(_) => Err(Refusal::because(Code::InvalidRequest, format!("{field} {}", visible::RULE)).into()),
    }
}

/// Returns a `conflict` rejection with a reason.
pub(crate) fn conflict<T>(why: &'static str) -> Result<T> {
    Err(Refusal::because(Code::Conflict, why).into())
}
