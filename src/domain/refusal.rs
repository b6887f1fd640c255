//! Why a request is refused: the stable codes of the error envelope and what goes with one.

use std::borrow::Cow;
use std::fmt;

macro_rules! codes {
    ($($(#[$doc:meta])* $item:ident = $status:literal $text:literal,)*) => {
        /// The stable `code` of an error envelope; each has one HTTP status.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code { $($(#[$doc])* $item,)* }

        impl Code {
            /// Every code.
            pub const ALL: [Self; [$($status),*].len()] = [$(Self::$item),*];

            /// The code as the interface writes it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$item => $text,)* }
            }

            /// The HTTP status of the code. [`Code::ClientError`] and [`Code::ServerError`] carry the
            /// response's own status on the wire; here they give one of their class.
            #[must_use]
            pub const fn status(self) -> u16 {
                match self { $(Self::$item => $status,)* }
            }

            /// The code of a text, matched exactly.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                match text { $($text => Some(Self::$item),)* _ => None }
            }
        }
    };
}

codes! {
    /// A parameter is missing or malformed.
    InvalidRequest = 400 "invalid_request",
    /// A block failed validation.
    InvalidBlocks = 400 "invalid_blocks",
    /// A malformed cursor, or one from another walk.
    InvalidCursor = 400 "invalid_cursor",
    /// A send without `Idempotency-Key`.
    MissingIdempotencyKey = 400 "missing_idempotency_key",
    /// A token sent as a query parameter.
    TokenInQuery = 400 "token_in_query",
    /// OAuth code unknown, expired, used, or bound to another app.
    InvalidGrant = 400 "invalid_grant",
    /// OAuth grant other than authorization code.
    UnsupportedGrantType = 400 "unsupported_grant_type",
    /// Assistant server: a scope that is unknown, not the resource's, or wider than the grant.
    InvalidScope = 400 "invalid_scope",
    /// Assistant server: a resource that is not the grant's, or none of ours (RFC 8707).
    InvalidTarget = 400 "invalid_target",
    /// Assistant server: a redirect URI of a registration is refused (RFC 7591).
    InvalidRedirectUri = 400 "invalid_redirect_uri",
    /// Assistant server: something else of a registration is refused (RFC 7591).
    InvalidClientMetadata = 400 "invalid_client_metadata",
    /// No Authorization header.
    NotAuthed = 401 "not_authed",
    /// The token does not parse or does not exist.
    InvalidAuth = 401 "invalid_auth",
    /// Installation disconnected, uninstalled, or app disabled.
    TokenRevoked = 401 "token_revoked",
    /// Client id or secret did not authenticate.
    InvalidClient = 401 "invalid_client",
    /// The token lacks a needed scope.
    MissingScope = 403 "missing_scope",
    /// The person cannot receive a direct message from the bot.
    CannotDmUser = 403 "cannot_dm_user",
    /// The bot was a member and was removed.
    NotInConversation = 403 "not_in_conversation",
    /// An announcement-only channel.
    NotAllowedInConversation = 403 "not_allowed_in_conversation",
    /// Admin API: the signed-in person or key may not do this.
    Forbidden = 403 "forbidden",
    /// No such user, or e-mail hidden from the bot.
    UserNotFound = 404 "user_not_found",
    /// No such conversation, or bot never a member.
    ConversationNotFound = 404 "conversation_not_found",
    /// No such message, already deleted, or not sent by the bot.
    MessageNotFound = 404 "message_not_found",
    /// No readable message in the conversation carries the file, or it was deleted.
    FileNotFound = 404 "file_not_found",
    /// Nothing here; no more specific code applies.
    NotFound = 404 "not_found",
    /// Accept excludes application/json.
    NotAcceptable = 406 "not_acceptable",
    /// The group is archived.
    ConversationArchived = 409 "conversation_archived",
    /// The person is deactivated or removed.
    UserDeactivated = 409 "user_deactivated",
    /// Admin API: the state of things does not allow this.
    Conflict = 409 "conflict",
    /// The request body is too large.
    PayloadTooLarge = 413 "payload_too_large",
    /// Assistant server: the request body is too large.
    RequestTooLarge = 413 "request_too_large",
    /// The body is not application/json.
    UnsupportedMediaType = 415 "unsupported_media_type",
    /// Same key with a different body, or its message was edited or deleted.
    IdempotencyKeyReused = 422 "idempotency_key_reused",
    /// Over a rate limit; goes with `Retry-After`.
    RateLimited = 429 "rate_limited",
    /// Assistant server: over a rate limit; goes with `Retry-After`.
    SlowDown = 429 "slow_down",
    /// Server fault.
    InternalError = 500 "internal_error",
    /// Any other 4xx.
    ClientError = 400 "client_error",
    /// Any other 5xx.
    ServerError = 503 "server_error",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A refused request: the code, and what the client is told besides it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// Stable code; decides the status.
    pub code: Code,
    /// Short English (D-021: never a secret, never more than 64 characters of what was sent); `None` leaves the
    /// code's usual sentence.
    pub message: Option<Cow<'static, str>>,
    /// Whole seconds for `Retry-After`, at least 1 (D-086).
    pub retry_after: Option<u32>,
}

/// Most characters of a client's own input that a message may repeat (D-021).
pub const MAX_ECHO: usize = 64;

impl Refusal {
    /// A refusal with its own sentence.
    #[must_use]
    pub fn because(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: Some(message.into()), retry_after: None }
    }

    /// [`Code::RateLimited`] with the seconds to wait; 0 becomes 1.
    #[must_use]
    pub fn rate_limited(retry_after: u32) -> Self {
        Self { code: Code::RateLimited, message: None, retry_after: Some(retry_after.max(1)) }
    }

    /// The HTTP status of the code.
    #[must_use]
    pub const fn status(&self) -> u16 {
        self.code.status()
    }
}

impl From<Code> for Refusal {
    fn from(code: Code) -> Self {
        Self { code, message: None, retry_after: None }
    }
}

/// `code` or `code: message`, for logs.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.message {
            Some(message) => write!(f, "{}: {message}", self.code),
            None => self.code.fmt(f),
        }
    }
}

impl std::error::Error for Refusal {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_one_to_one() {
        for code in Code::ALL {
            assert_eq!(Code::parse(code.as_str()), Some(code));
            assert!((400..600).contains(&code.status()));
        }
        assert_eq!(Code::ALL.len(), 38);
        assert_eq!(Code::parse("token_expired"), None);
    }

    #[test]
    fn shown_in_logs() {
        assert_eq!(Refusal::from(Code::NotFound).to_string(), "not_found");
        assert_eq!(
            Refusal::because(Code::InvalidRequest, "text is required").to_string(),
            "invalid_request: text is required"
        );
        assert_eq!(Refusal::rate_limited(0).retry_after, Some(1));
        assert_eq!(Refusal::rate_limited(7).status(), 429);
    }
}
