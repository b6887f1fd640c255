//! Rejections of requests by business rules. A rejection has a stable error code and the contents of an error response.

use std::borrow::Cow;
use std::fmt;

macro_rules! codes {
    ($($(#[$doc:meta])* $item:ident = $status:literal $text:literal,)*) => {
        /// The stable `code` of an error response. Each code has one HTTP status, except `client_error` and
        /// `server_error`, which can have several.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code { $($(#[$doc])* $item,)* }

        impl Code {
            /// All codes.
            pub const ALL: [Self; [$($status),*].len()] = [$(Self::$item),*];

            /// Returns the code as written in the API.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$item => $text,)* }
            }

            /// Returns the HTTP status of the code: 400 for [`Code::ClientError`], whose responses can have any 4xx
            /// status, and 503 for [`Code::ServerError`], whose responses can have any 5xx status.
            #[must_use]
            pub const fn status(self) -> u16 {
                match self { $(Self::$item => $status,)* }
            }

            /// Parses a code, matched exactly.
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
    /// The blocks of a message failed validation.
    InvalidBlocks = 400 "invalid_blocks",
    /// A cursor is malformed, or belongs to another list.
    InvalidCursor = 400 "invalid_cursor",
    /// A send has no `Idempotency-Key`.
    MissingIdempotencyKey = 400 "missing_idempotency_key",
    /// A token was sent as a query parameter.
    TokenInQuery = 400 "token_in_query",
    /// An OAuth code or refresh token is unknown, expired, revoked or used, or does not match the client, the redirect
    /// URI or the code verifier of the request.
    InvalidGrant = 400 "invalid_grant",
    /// The token endpoint does not support the OAuth grant type.
    UnsupportedGrantType = 400 "unsupported_grant_type",
    /// Assistant server: a scope is unknown, is not available at the resource, or was not granted.
    InvalidScope = 400 "invalid_scope",
    /// Assistant server: a resource is unknown, or differs from the resource of the grant (RFC 8707).
    InvalidTarget = 400 "invalid_target",
    /// Assistant server: a redirect URI in a registration is invalid (RFC 7591).
    InvalidRedirectUri = 400 "invalid_redirect_uri",
    /// Assistant server: other metadata in a registration is invalid (RFC 7591).
    InvalidClientMetadata = 400 "invalid_client_metadata",
    /// The request has no `Authorization` header.
    NotAuthed = 401 "not_authed",
    /// The credential is malformed or unknown, the session has ended, or the password is wrong.
    InvalidAuth = 401 "invalid_auth",
    /// The installation of the bot token is disconnected, or the connection of the access token is not active any more.
    TokenRevoked = 401 "token_revoked",
    /// Authentication with client id and secret failed.
    InvalidClient = 401 "invalid_client",
    /// The token lacks a scope that the operation needs.
    MissingScope = 403 "missing_scope",
    /// The user cannot receive a direct message from the bot.
    CannotDmUser = 403 "cannot_dm_user",
    /// The caller was a member of the conversation, but is no longer a member.
    NotInConversation = 403 "not_in_conversation",
    /// The conversation is announcement-only, so only admins post in it.
    NotAllowedInConversation = 403 "not_allowed_in_conversation",
    /// Admin API: the signed-in person or the operator key does not have permission.
    Forbidden = 403 "forbidden",
    /// There is no such user, or the user or their e-mail address is hidden from the caller.
    UserNotFound = 404 "user_not_found",
    /// There is no such conversation, or the caller may not see it.
    ConversationNotFound = 404 "conversation_not_found",
    /// There is no such message, it was deleted, or the caller may not see or change it.
    MessageNotFound = 404 "message_not_found",
    /// There is no such file, it was deleted, or the caller may not read or attach it.
    FileNotFound = 404 "file_not_found",
    /// The path or object is unknown, and no more specific code applies.
    NotFound = 404 "not_found",
    /// The `Accept` header excludes `application/json`.
    NotAcceptable = 406 "not_acceptable",
    /// The group, or the group of the named channel, is archived.
    ConversationArchived = 409 "conversation_archived",
    /// The user is deactivated or removed.
    UserDeactivated = 409 "user_deactivated",
    /// Admin API and assistants' tools: the resource's state does not allow this operation.
    Conflict = 409 "conflict",
    /// The request body is too large.
    PayloadTooLarge = 413 "payload_too_large",
    /// The request body is too large. Replaces `payload_too_large` in the error format of RFC 6749.
    RequestTooLarge = 413 "request_too_large",
    /// The operation does not support the media type, the charset or the content coding of the body.
    UnsupportedMediaType = 415 "unsupported_media_type",
    /// The idempotency key was used with a different body, or the message that was sent with the key was edited or
    /// deleted.
    IdempotencyKeyReused = 422 "idempotency_key_reused",
    /// A rate limit was exceeded. The response has `Retry-After`.
    RateLimited = 429 "rate_limited",
    /// A rate limit was exceeded. The response has `Retry-After`. Replaces `rate_limited` in the error format of
    /// RFC 6749.
    SlowDown = 429 "slow_down",
    /// The server failed unexpectedly.
    InternalError = 500 "internal_error",
    /// A response with a 4xx status for which its API has no other code.
    ClientError = 400 "client_error",
    /// A response with a 5xx status for which its API has no other code. For example, 503 if the database is
    /// unavailable.
    ServerError = 503 "server_error",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A rejected request: the code and the contents of the error response.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The stable code. It determines the status.
    pub code: Code,
    /// A short English text without secrets, with at most 64 characters of the input (D-021). `None` for the code's
    /// default message.
    pub message: Option<Cow<'static, str>>,
    /// Whole seconds for `Retry-After`, at least 1 (D-086).
    pub retry_after: Option<u32>,
}

impl Refusal {
    /// Creates a rejection with its own message.
    #[must_use]
    pub fn because(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: Some(message.into()), retry_after: None }
    }

    /// Creates a [`Code::RateLimited`] with the number of seconds to wait. 0 becomes 1.
    #[must_use]
    pub fn rate_limited(retry_after: u32) -> Self {
        Self { code: Code::RateLimited, message: None, retry_after: Some(retry_after.max(1)) }
    }

    /// Creates a 503 [`Code::ServerError`] for a request that fails only temporarily, for example because a resource is
    /// exhausted. `retry_after` is the number of seconds to wait; 0 becomes 1.
    #[must_use]
    pub fn busy(message: &'static str, retry_after: u32) -> Self {
        Self { retry_after: Some(retry_after.max(1)), ..Self::because(Code::ServerError, message) }
    }

    /// Returns the HTTP status of the code.
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

/// Formats as `code` or `code: message`, for logs.
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
    fn each_code_is_parsed_from_its_text() {
        for code in Code::ALL {
            assert_eq!(Code::parse(code.as_str()), Some(code));
            assert!((400..600).contains(&code.status()));
        }
        assert_eq!(Code::ALL.len(), 38);
        assert_eq!(Code::parse("token_expired"), None);
    }

    #[test]
    fn display_shows_code_and_message() {
        assert_eq!(Refusal::from(Code::NotFound).to_string(), "not_found");
        assert_eq!(
            Refusal::because(Code::InvalidRequest, "text is required").to_string(),
            "invalid_request: text is required"
        );
        assert_eq!(Refusal::rate_limited(0).retry_after, Some(1));
        assert_eq!(Refusal::rate_limited(7).status(), 429);
    }
}
