//! Failures: a code, a message, and how both reach poem.

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

/// Seconds that a client is asked to wait when the server cannot answer now.
const RETRY_AFTER_OUTAGE: u32 = 1;

/// A failure ready to be written as the envelope.
///
/// What the client sees is the code, the message and `Retry-After`; `log` never leaves the server.
#[derive(Debug)]
pub struct Fault {
    pub code: Code,
    /// `client_error` and `server_error` carry the answer's own status.
    pub status: StatusCode,
    /// `None`: the code's usual sentence.
    pub message: Option<Cow<'static, str>>,
    /// Seconds.
    pub retry_after: Option<u32>,
    /// Why, for the log; written once, when the answer is made.
    pub log: Option<String>,
}

impl Fault {
    /// A failure of the request, with its own sentence (D-021: no secret, no more than 64 characters of input).
    pub fn because(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self { message: Some(message.into()), ..Self::from(code) }
    }

    /// 500 `internal_error`; `log` says what happened.
    pub fn internal(log: impl fmt::Display) -> Self {
        Self { log: Some(log.to_string()), ..Self::from(Code::InternalError) }
    }

    /// 503 `server_error` with `Retry-After`: what is needed is out of reach; `log` says what happened.
    pub fn unavailable(log: impl fmt::Display) -> Self {
        Self {
            retry_after: Some(RETRY_AFTER_OUTAGE),
            log: Some(log.to_string()),
            ..Self::from(Code::ServerError)
        }
    }

    /// `client_error` with a 4xx status of its own, such as 408.
    #[must_use]
    pub fn client(status: StatusCode) -> Self {
        Self { status, ..Self::from(Code::ClientError) }
    }

    /// The sentence for the client.
    #[must_use]
    pub fn text(&self) -> &str {
        self.message.as_deref().unwrap_or_else(|| usual(self.code, self.status))
    }
}

impl From<Code> for Fault {
    fn from(code: Code) -> Self {
        let status = StatusCode::from_u16(code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self { code, status, message: None, retry_after: None, log: None }
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        let Refusal { code, message, retry_after } = refusal;
        Self { message, retry_after, ..Self::from(code) }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.text())
    }
}

impl std::error::Error for Fault {}

impl poem::error::ResponseError for Fault {
    fn status(&self) -> StatusCode {
        self.status
    }
}

/// The usual sentence of a code: true for every API that gives it, so it names no kind of caller. Where a code has
/// reasons that are unlike, the refusal brings its own sentence.
fn usual(code: Code, status: StatusCode) -> &'static str {
    match code {
        Code::InvalidRequest => "a parameter is missing or malformed",
        Code::InvalidBlocks => "a block failed validation",
        Code::InvalidCursor => "the cursor is malformed or another list's",
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
            "the key was used for another body, or its message was edited or deleted"
        }
        Code::RateLimited | Code::SlowDown => "over a rate limit",
        Code::InternalError => "server fault",
        Code::Forbidden => "the caller may not do this",
        Code::Conflict => "the state of things does not allow this",
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

/// The error codes that one operation documents; generated.
pub trait ErrorCode: Copy + fmt::Debug + Send + Sync + 'static {
    /// The schema of the error body.
    type Schema: Described;
    const OPERATION: &'static str;
    const REPLIES: &'static [ReplyDoc];
    fn code(self) -> Code;
    fn from_code(code: Code) -> Option<Self>;
}

/// What a handler fails with: only codes that its operation documents, or a fault of the server.
#[derive(Debug)]
pub struct Problem<E> {
    fault: Fault,
    operation: PhantomData<E>,
}

impl<E: ErrorCode> Problem<E> {
    /// A documented code with its own sentence.
    pub fn because(code: E, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Fault::because(code.code(), message))
    }

    /// 500 `internal_error`; `log` says what happened and stays on the server.
    pub fn internal(log: impl fmt::Display) -> Self {
        Self::new(Fault::internal(log))
    }

    /// 503 `server_error` with `Retry-After`; `log` says what happened and stays on the server.
    pub fn unavailable(log: impl fmt::Display) -> Self {
        Self::new(Fault::unavailable(log))
    }

    /// A body that could not be read, from [`read_streamed`](super::read_streamed): what the ladder in front of every
    /// operation answers too.
    #[must_use]
    pub fn unread(fault: Fault) -> Self {
        Self::new(fault)
    }

    /// The failure as it will be answered.
    #[must_use]
    pub fn fault(&self) -> &Fault {
        &self.fault
    }

    fn new(fault: Fault) -> Self {
        Self { fault, operation: PhantomData }
    }
}

impl<E: ErrorCode> From<E> for Problem<E> {
    fn from(code: E) -> Self {
        Self::new(code.code().into())
    }
}

/// A code that the document does not list for the operation is a mistake of ours: 500, with a log line.
impl<E: ErrorCode> From<Refusal> for Problem<E> {
    fn from(refusal: Refusal) -> Self {
        match E::from_code(refusal.code) {
            Some(_) => Self::new(refusal.into()),
            None => Self::internal(format_args!("{} does not document {refusal}", E::OPERATION)),
        }
    }
}

impl<E: ErrorCode> From<Code> for Problem<E> {
    fn from(code: Code) -> Self {
        Refusal::from(code).into()
    }
}

impl<E: ErrorCode> From<Problem<E>> for poem::Error {
    fn from(problem: Problem<E>) -> Self {
        problem.fault.into()
    }
}

impl<E: ErrorCode> ApiResponse for Problem<E> {
    fn meta() -> MetaResponses {
        reply::meta(E::REPLIES)
    }
    fn register(registry: &mut Registry) {
        E::Schema::register(registry);
    }
}
