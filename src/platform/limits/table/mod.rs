//! The table of rate limits. It has the limits of every operation of every API, of the pages, and of the server's own
//! fetches of client metadata documents.
//!
//! In the OpenAPI documents, `x-limit` of an operation names the operation's limits; [`limits_of`] returns the limits
//! with this name. A limit with a requirement number, such as B-411, is part of the contract; the other limits prevent
//! abuse. `docs/limits.md` is generated from this table. [`crate::domain::guessing`] delays password guesses in
//! addition to these limits.

#[cfg(test)]
mod tests;

use super::{
    EachOperation, ExactWindow, Limit, PerAccount, PerAddress, PerApp, PerClient, PerClientAtAddress,
    PerDestination, PerEmailAtAddress, PerEmployee, PerHost, PerHostAtAddress, PerInstallation, PerUrl,
    PerWideNetwork, Rate, Window,
};
use crate::domain::limit_name::LimitName;

/// The limits of an operation. Each API applies its own variants.
#[derive(Clone, Copy, Debug)]
pub enum OperationLimits {
    /// No limit; for small public documents.
    Unlimited,
    /// Bot API, except sending and `/oauth`.
    Bot(EachOperation<Window, PerInstallation>),
    /// Bot API: sending.
    Send(SendLimits),
    /// Bot API: `/oauth`.
    BotOauth(BotOauthLimits),
    /// Assistant server: registration.
    Register(EachOperation<ExactWindow, PerAddress>),
    /// Assistant server: the token and revocation endpoints.
    AssistantOauth(AssistantOauthLimits),
    /// Assistant server: the authorization page.
    Authorize(Limit<ExactWindow, PerAddress>),
    /// Assistant server: the MCP endpoints, by the configured number per minute.
    Mcp(fn(u32) -> Limit<Window, PerEmployee>),
    /// Admin API.
    Admin(Limit<Rate, PerAccount>),
    /// Admin API: signing in.
    SignIn(SignInLimits),
}

/// Returns the limits that belong to the name in `x-limit`.
#[must_use]
pub const fn limits_of(name: LimitName) -> OperationLimits {
    match name {
        LimitName::List => OperationLimits::Bot(LIST),
        LimitName::Single => OperationLimits::Bot(SINGLE),
        LimitName::Edit => OperationLimits::Bot(EDIT),
        LimitName::Send => OperationLimits::Send(SEND),
        LimitName::Oauth => OperationLimits::BotOauth(BOT_OAUTH),
        LimitName::Register => OperationLimits::Register(REGISTER),
        LimitName::Token | LimitName::Revoke => OperationLimits::AssistantOauth(ASSISTANT_OAUTH),
        LimitName::Authorize => OperationLimits::Authorize(AUTHORIZE),
        LimitName::Mcp => OperationLimits::Mcp(mcp),
        LimitName::Admin => OperationLimits::Admin(ADMIN),
        LimitName::SignIn => OperationLimits::SignIn(SIGN_IN),
        LimitName::Unlimited => OperationLimits::Unlimited,
    }
}

/// Lists of the bot API: 20 per minute (B-411).
pub const LIST: EachOperation<Window, PerInstallation> = EachOperation::new(Window::new("list", 20, 60));

/// Single reads of the bot API: 100 per minute (B-412).
pub const SINGLE: EachOperation<Window, PerInstallation> = EachOperation::new(Window::new("single", 100, 60));

/// Editing and deleting messages by a bot: 60 per minute each (B-413).
pub const EDIT: EachOperation<Window, PerInstallation> = EachOperation::new(Window::new("edit", 60, 60));

/// The limits of messages that a bot sends.
#[derive(Clone, Copy, Debug)]
pub struct SendLimits {
    /// Requests to send, with any result. Replays and rejections count only against this limit.
    pub requests: Limit<Rate, PerInstallation>,
    /// Stored messages of an installation: 5 per second, bursts of 20 (B-403, B-404).
    pub installation: Limit<Rate, PerInstallation>,
    /// Stored messages to a destination: 1 per second, bursts of 5 (B-406, B-407, D-193).
    pub destination: Limit<Rate, PerDestination>,
}

/// Sending by a bot.
pub const SEND: SendLimits = SendLimits {
    requests: Limit::of_route("send_requests", Rate::new("send_requests", 100, 100)),
    installation: Limit::of_route("send", Rate::new("send_installation", 5, 20)),
    destination: Limit::of_route("send", Rate::new("send_destination", 1, 5)),
};

/// The limits of the bot API's token and revocation endpoints.
#[derive(Clone, Copy, Debug)]
pub struct BotOauthLimits {
    /// Authenticated requests: 20 per minute (B-414, D-191).
    pub app: EachOperation<ExactWindow, PerApp>,
    /// Failed authentications of a client id from an address. They are counted for each address separately, so that an
    /// attacker cannot lock out an app (D-160).
    pub failures: EachOperation<ExactWindow, PerClientAtAddress>,
}

/// The bot API's token and revocation endpoints.
pub const BOT_OAUTH: BotOauthLimits = BotOauthLimits {
    app: EachOperation::new(ExactWindow::with_tolerance("oauth", 20, 60)),
    failures: EachOperation::new(ExactWindow::with_tolerance("oauth_failures", 20, 60)),
};

/// Registrations of assistant clients: 20 per hour.
pub const REGISTER: EachOperation<ExactWindow, PerAddress> =
    EachOperation::new(ExactWindow::new("register", 20, 3600));

/// The limits of the assistant server's token and revocation endpoints.
#[derive(Clone, Copy, Debug)]
pub struct AssistantOauthLimits {
    /// All requests of an address: 60 per minute (A-322, D-372).
    pub address: EachOperation<ExactWindow, PerAddress>,
    /// All requests from an address that name a client, authenticated or not. The limit `client` counts only requests
    /// that are proved to be the client's, so that an attacker who names a client cannot use up the client's limit.
    pub client_at_address: EachOperation<ExactWindow, PerClientAtAddress>,
    /// Requests that are proved to be a client's, by a secret, a code or a token: 20 per minute (A-323, D-374).
    pub client: EachOperation<ExactWindow, PerClient>,
}

/// The assistant server's token and revocation endpoints.
pub const ASSISTANT_OAUTH: AssistantOauthLimits = AssistantOauthLimits {
    address: EachOperation::new(ExactWindow::new("token", 60, 60)),
    client_at_address: EachOperation::new(ExactWindow::new("client_address", 20, 60)),
    client: EachOperation::new(ExactWindow::new("client", 20, 60)),
};

/// Authorization requests: 30 per minute.
pub const AUTHORIZE: Limit<ExactWindow, PerAddress> =
    Limit::of_route("authorize", ExactWindow::new("authorize", 30, 60));

/// Requests to the MCP endpoints: the configured number per minute (D-365).
#[must_use]
pub const fn mcp(per_minute: u32) -> Limit<Window, PerEmployee> {
    Limit::of_route("mcp", Window::new("mcp", per_minute, 60))
}

/// The admin API. The limit is far above normal use; it prevents a runaway script from starving other callers.
pub const ADMIN: Limit<Rate, PerAccount> = Limit::of_route("admin", Rate::new("admin", 200, 1000));

/// The limits of signing in, by the admin API and by the pages.
#[derive(Clone, Copy, Debug)]
pub struct SignInLimits {
    /// Attempts from an address, at any account.
    pub address: Limit<ExactWindow, PerAddress>,
    /// Attempts from an IPv6 /48, at any account. The number is five times the number for one address.
    pub wide_network: Limit<ExactWindow, PerWideNetwork>,
    /// Attempts at one account from an address.
    pub account: Limit<ExactWindow, PerEmailAtAddress>,
}

/// Signing in.
pub const SIGN_IN: SignInLimits = SignInLimits {
    address: Limit::of_route("sign_in", ExactWindow::new("sign_in_address", 60, 60)),
    wide_network: Limit::of_route("sign_in", ExactWindow::new("sign_in_network", 300, 60)),
    account: Limit::of_route("sign_in", ExactWindow::new("sign_in_account", 10, 60)),
};

/// The limits of the server's fetches of clients' metadata documents.
#[derive(Clone, Copy, Debug)]
pub struct DocumentFetchLimits {
    /// Fetches of one document: 5 in 10 minutes.
    pub url: Limit<ExactWindow, PerUrl>,
    /// Fetches of all documents of a host. A varied query string would evade the limit of `url`, but not this limit
    /// (D-214). Refetches of a document that was valid before are not counted.
    pub host: Limit<ExactWindow, PerHost>,
    /// The part of the fetches of [`DocumentFetchLimits::host`] that requests from one address cause. This limit is a
    /// sixth of the host's limit, so that one caller cannot lock out the host's clients. It applies only while at least
    /// half of the host's limit is used.
    pub host_at_address: Limit<ExactWindow, PerHostAtAddress>,
}

/// The server's fetches of clients' metadata documents.
pub const DOCUMENT_FETCHES: DocumentFetchLimits = DocumentFetchLimits {
    url: Limit::of_route("client_document", ExactWindow::new("document", 5, 600)),
    host: Limit::of_route("client_document_host", ExactWindow::new("document_host", 60, 600)),
    host_at_address: Limit::of_route(
        "client_document_host",
        ExactWindow::new("document_host_address", 10, 600),
    ),
};

/// Request bodies above 16 KiB that are read before their sender is authenticated.
pub const LARGE_BODY: Limit<Rate, PerAddress> = Limit::of_route("large_body", Rate::new("large_body", 1, 20));

/// Forms that are posted to the pages, counted before a form is read. The limit is far above what the people of a large
/// office post from one address. The browser also posts forms without a click, to report which messages a person has
/// read. If the person is signed in, these reports count against [`PAGES`] only.
pub const FORMS: Limit<Rate, PerAddress> = Limit::of_route("forms", Rate::new("forms", 20, 400));

/// Requests for pages by a signed-in account. The limit is far above normal use.
pub const PAGES: Limit<Rate, PerAccount> = Limit::of_route("pages", Rate::new("pages", 20, 200));

/// Requests for links to files of messages by a signed-in account. They do not count against [`PAGES`], because a page
/// of 50 messages can show 600 images. The browser requests each image when the image comes into view.
pub const MESSAGE_FILES: Limit<Rate, PerAccount> =
    Limit::of_route("message_files", Rate::new("message_files", 100, 1000));

/// Downloads of the OpenAPI documents, and of the script of the reference page. Browsers cache both.
pub const REFERENCE: Limit<Rate, PerAddress> = Limit::of_route("reference", Rate::new("reference", 1, 60));

/// The longest time in which an empty bucket of this table becomes full, in microseconds. A test verifies that the
/// bucket of no other limit takes longer than that of [`REFERENCE`].
pub(super) const LONGEST_FILL: i64 = REFERENCE.counter.depth();
