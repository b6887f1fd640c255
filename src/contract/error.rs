//! Errors of requests: a code and a message, and the conversion to the errors of poem.

use std::{borrow::Cow, fmt, marker::PhantomData};

use poem::http::StatusCode;
use poem_openapi::{
    ApiResponse,
    registry::{MetaResponses, Registry},
};

use super::{
    meta::{Described, ReplyDoc},
    reply,
};
use crate::domain::refusal::{Code, Refusal};

/// The `Retry-After`, in seconds, of the 503 response for an unavailable resource.
const RETRY_AFTER_OUTAGE: u32 = 1;

/// An error ready to be written in the error format of the API.
///
/// The client sees the code, the message and `Retry-After`. `log` is never sent to the client.
#[derive(Debug)]
pub struct ApiError {
    pub code: Code,
    /// The status of the response. It follows from the code, except for `client_error` and `server_error`.
    pub status: StatusCode,
    /// `None` for the code's default message.
    pub message: Option<Cow<'static, str>>,
    /// The value of `Retry-After` in seconds.
    pub retry_after: Option<u32>,
    /// The cause, which is logged once, when the response is created.
    pub log: Option<String>,
}

impl ApiError {
    /// Creates an error with its own message, which must contain no secrets and at most 64 characters of
    /// the input (D-021).
    pub fn because(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self { message: Some(message.into()), ..Self::from(code) }
    }

    /// Creates a 500 `internal_error`; `log` describes the cause.
    pub fn internal(log: impl fmt::Display) -> Self {
        Self { log: Some(log.to_string()), ..Self::from(Code::InternalError) }
    }

    /// Creates a 503 `server_error` with `Retry-After`, because a required resource is unavailable. `log` describes the
    /// cause.
    pub fn unavailable(log: impl fmt::Display) -> Self {
        Self {
            retry_after: Some(RETRY_AFTER_OUTAGE),
            log: Some(log.to_string()),
            ..Self::from(Code::ServerError)
        }
    }

    /// Creates a `client_error` with this 4xx status, such as 408.
    #[must_use]
    pub fn client(status: StatusCode) -> Self {
        Self { status, ..Self::from(Code::ClientError) }
    }

    /// Returns the message for the client.
    #[must_use]
    pub fn text(&self) -> &str {
        self.message.as_deref().unwrap_or_else(|| default_message(self.code, self.status))
    }
}

impl From<Code> for ApiError {
    fn from(code: Code) -> Self {
        let status = StatusCode::from_u16(code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self { code, status, message: None, retry_after: None, log: None }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let Refusal { code, message, retry_after } = refusal;
        Self { message, retry_after, ..Self::from(code) }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.text())
    }
}

impl std::error::Error for ApiError {}

impl poem::error::ResponseError for ApiError {
    fn status(&self) -> StatusCode {
        self.status
    }
}

/// Returns the default message of a code. If several APIs return the code, the message names no kind of caller, so that
/// the message is true in each API. A rejection has a message of its own if the default message does not describe its
/// cause.
fn default_message(code: Code, status: StatusCode) -> &'static str {
    match code {
        Code::InvalidRequest => "a parameter is missing or malformed",
        Code::InvalidBlocks => "a block failed validation",
        Code::InvalidCursor => "the cursor is malformed or belongs to another list",
        Code::MissingIdempotencyKey => "the header Idempotency-Key is required",
        Code::TokenInQuery => "a token was sent in the query; send it in the Authorization header",
        Code::InvalidGrant => {
            "the grant is unknown, expired, revoked or used, or was not given for this request"
        }
        Code::UnsupportedGrantType => "the grant type is not supported",
        Code::InvalidScope => "the scope is unknown or wider than the grant",
        Code::InvalidTarget => "the resource is not that of the grant",
        Code::InvalidRedirectUri => "a redirect URI is refused",
        Code::InvalidClientMetadata => "the client's metadata are refused",
        Code::NotAuthed => "no Authorization header",
        Code::InvalidAuth => "the credential does not parse or does not exist",
        Code::TokenRevoked => "the token was revoked",
        Code::InvalidClient => "client id or secret did not authenticate",
        Code::MissingScope => "the token lacks a needed scope",
        Code::CannotDmUser => "the person cannot receive a direct message from the bot",
        Code::NotInConversation => "no longer a member of the conversation",
        Code::NotAllowedInConversation => "only admins post in this conversation",
        Code::UserNotFound => "no such user",
        Code::ConversationNotFound => "no such conversation",
        Code::MessageNotFound => "no such message",
        Code::FileNotFound => "no such file",
        Code::NotFound => "not found",
        Code::NotAcceptable => "Accept excludes application/json",
        Code::ConversationArchived => "the conversation is archived",
        Code::UserDeactivated => "the person is deactivated or removed",
        Code::PayloadTooLarge | Code::RequestTooLarge => "the request body is too large",
        Code::UnsupportedMediaType => "the media type or the coding of the body is not supported",
        Code::IdempotencyKeyReused => {
            "the key was used with another body, or the message sent with it was edited or deleted"
        }
        Code::RateLimited | Code::SlowDown => "over a rate limit",
        Code::InternalError => "server fault",
        Code::Forbidden => "the caller may not do this",
        Code::Conflict => "the resource's state does not allow this operation",
        Code::ClientError | Code::ServerError => match status {
            StatusCode::METHOD_NOT_ALLOWED => "method not allowed",
            StatusCode::REQUEST_TIMEOUT => "the request took too long to arrive",
            StatusCode::URI_TOO_LONG => "the request target is too long",
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => "the header fields are too large",
            StatusCode::SERVICE_UNAVAILABLE => "try again later",
            status => status.canonical_reason().unwrap_or("request refused"),
        },
    }
}

/// The error codes that an operation documents. Generated code implements this trait.
pub trait ErrorCode: Copy + fmt::Debug + Send + Sync + 'static {
    /// The schema of the error body.
    type Schema: Described;
    const OPERATION: &'static str;
    const REPLIES: &'static [ReplyDoc];
    /// Every documented code.
    const CODES: &'static [Code];
    fn code(self) -> Code;
}

/// The error of a handler. Its code is one that the operation documents, or one that every operation can return, such
/// as `internal_error`.
#[derive(Debug)]
pub struct OperationError<E> {
    error: ApiError,
    operation: PhantomData<E>,
}

impl<E: ErrorCode> OperationError<E> {
    /// Creates an error with a documented code and its own message.
    pub fn because(code: E, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ApiError::because(code.code(), message))
    }

    /// Creates a 500 `internal_error`; `log` describes the cause and is not sent.
    pub fn internal(log: impl fmt::Display) -> Self {
        Self::new(ApiError::internal(log))
    }

    /// Creates a 503 `server_error` with `Retry-After`; `log` describes the cause and is not sent.
    pub fn unavailable(log: impl fmt::Display) -> Self {
        Self::new(ApiError::unavailable(log))
    }

    /// Converts an error of [`read_streamed`](super::read_streamed). Like the errors of the request pipeline, it is not
    /// compared with the codes in [`ErrorCode::CODES`].
    #[must_use]
    pub fn unread(error: ApiError) -> Self {
        Self::new(error)
    }

    fn new(error: ApiError) -> Self {
        Self { error, operation: PhantomData }
    }
}

impl<E: ErrorCode> From<E> for OperationError<E> {
    fn from(code: E) -> Self {
        Self::new(code.code().into())
    }
}

/// Converts a rejection. A code that the document does not list for the operation is a bug, which becomes a 500 with
/// a log entry.
impl<E: ErrorCode> From<Refusal> for OperationError<E> {
    fn from(refusal: Refusal) -> Self {
        // every operation can return `server_error`, so a document need not list it
        match refusal.code == Code::ServerError || E::CODES.contains(&refusal.code) {
            true => Self::new(refusal.into()),
            false => Self::internal(format_args!("{} does not document {refusal}", E::OPERATION)),
        }
    }
}

impl<E: ErrorCode> From<Code> for OperationError<E> {
    fn from(code: Code) -> Self {
        Refusal::from(code).into()
    }
}

impl<E: ErrorCode> From<OperationError<E>> for poem::Error {
    fn from(problem: OperationError<E>) -> Self {
        problem.error.into()
    }
}

impl<E: ErrorCode> ApiResponse for OperationError<E> {
    fn meta() -> MetaResponses {
        reply::meta(E::REPLIES)
    }
    fn register(registry: &mut Registry) {
        E::Schema::register(registry);
    }
}
