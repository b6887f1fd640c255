//! Request bodies. A body is read up to a limit, parsed strictly, validated against the schema, and then deserialized.

use std::{io::ErrorKind, marker::PhantomData, time::Duration};

use bytes::{Bytes, BytesMut};
use futures_util::{
    FutureExt, StreamExt, TryStreamExt,
    stream::{self, BoxStream},
};
use poem::{
    Request, RequestBody,
    http::{HeaderMap, Method, StatusCode, header},
};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaMediaType, MetaRequest, MetaSchema, MetaSchemaRef, Registry},
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tokio::sync::OwnedSemaphorePermit;

use super::{
    ApiError, Contract, Described, OperationInfo, OperationType, Schema,
    accept::{self, DeclaredType},
    answer,
    form::read_form,
    strict_json,
};
use crate::domain::refusal::Code;

pub(super) const FORM: &str = "application/x-www-form-urlencoded";

/// Maximum size in bytes of a body that the server reads from an unauthenticated sender without a permit. A body that
/// has only credentials is far smaller. A larger body of such a sender is read to its end only if
/// [`RequestPolicy::admit_large_body`](super::RequestPolicy::admit_large_body) admits it.
pub const SMALL_BODY: usize = 16 << 10;

/// Limits on the size and duration of a body.
#[derive(Clone, Copy, Debug)]
pub struct BodyLimits {
    /// Maximum size in bytes. By default, 1,048,576 bytes are accepted, and a longer body gets 413 (D-013).
    pub bytes: usize,
    /// Maximum time for the whole body to arrive. If the body takes longer, the response is 408.
    pub time: Duration,
}

impl Default for BodyLimits {
    fn default() -> Self {
        Self { bytes: 1 << 20, time: Duration::from_secs(10) }
    }
}

/// Rejects a body by its Content-Length before reading it.
///
/// # Errors
/// 413 `payload_too_large`.
pub fn declared_fits(headers: &HeaderMap, limits: BodyLimits) -> Result<(), ApiError> {
    match declared_length(headers) {
        Some(length) if length > limits.bytes as u64 => Err(Code::PayloadTooLarge.into()),
        _ => Ok(()),
    }
}

/// Returns the length of the body according to Content-Length.
pub fn declared_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// A body as a stream of chunks. [`read_streamed`] lists its errors.
pub type Chunks = BoxStream<'static, Result<Bytes, ApiError>>;

/// Minimum number of bytes of a streamed body that must arrive within each idle timeout.
const PROGRESS: usize = 16 << 10;

/// Passes a body to `reader` as a stream without buffering the whole body. If `reader` does not finish within
/// `limits.time`, it is dropped. The body must not stall: within each period of the length `idle`, at least 16 KiB or
/// the end of the body must arrive.
///
/// # Errors
/// - Errors of `reader`.
/// - 408 `client_error` if `reader` does not finish within `limits.time`.
///
/// The stream itself yields these errors:
///
/// - 413 `payload_too_large` if the body is too large.
/// - 408 `client_error` if the body stalls.
/// - 400 `client_error` if the body ends prematurely.
pub async fn read_streamed<T, E: From<ApiError>, F: Future<Output = Result<T, E>>>(
    body: poem::Body,
    limits: BodyLimits,
    idle: Duration,
    reader: impl FnOnce(Chunks) -> F,
) -> Result<T, E> {
    let mut left = limits.bytes;
    let body = Some(body.into_bytes_stream().boxed());
    let pieces = stream::unfold(body, move |body| async move {
        let mut body = body?;
        match tokio::time::timeout(idle, progress(&mut body)).await {
            Ok(Ok(piece)) if piece.is_empty() => None,
            Ok(Ok(piece)) => Some((Ok(piece), Some(body))),
            Ok(Err(error)) => Some((Err(incomplete(&error)), None)),
            Err(_stalled) => Some((Err(ApiError::client(StatusCode::REQUEST_TIMEOUT)), None)),
        }
    });
    let chunks = pieces.map(move |piece: Result<Bytes, ApiError>| {
        let piece = piece?;
        match left.checked_sub(piece.len()) {
            Some(rest) => left = rest,
            None => return Err(Code::PayloadTooLarge.into()),
        }
        Ok(piece)
    });
    match tokio::time::timeout(limits.time, reader(chunks.boxed())).await {
        Ok(read) => read,
        Err(_late) => Err(ApiError::client(StatusCode::REQUEST_TIMEOUT).into()),
    }
}

/// Returns the next piece of a body: at least [`PROGRESS`] bytes, or the rest of the body, which is empty at its end.
async fn progress(body: &mut BoxStream<'static, std::io::Result<Bytes>>) -> std::io::Result<Bytes> {
    let mut gathered = BytesMut::new();
    while let Some(chunk) = body.try_next().await? {
        if gathered.is_empty() && chunk.len() >= PROGRESS {
            return Ok(chunk);
        }
        gathered.extend_from_slice(&chunk);
        if gathered.len() >= PROGRESS {
            break;
        }
    }
    Ok(gathered.freeze())
}

/// Reads a whole body within the limits.
///
/// # Errors
/// - 413 `payload_too_large` if the body is too large.
/// - 408 `client_error` if the body arrives too slowly.
/// - 400 `client_error` if the body ends prematurely.
pub async fn read_limited(body: poem::Body, limits: BodyLimits) -> Result<Bytes, ApiError> {
    Ok(read_whole(body, None, limits, async { Ok(None) }).await?.bytes)
}

/// Reads a whole body of a sender that is already authenticated. Returns the body, and whether the server possibly
/// waited for the body. If so, the caller must authenticate the sender again, because the token can have been replaced
/// or revoked during the wait.
///
/// # Errors
/// The errors of [`read_limited`].
pub async fn read_authenticated(
    headers: &HeaderMap,
    body: poem::Body,
    limits: BodyLimits,
) -> Result<(Bytes, bool), ApiError> {
    let read = read_whole(body, declared_length(headers), limits, async { Ok(None) }).await?;
    Ok((read.bytes, !read.had_arrived))
}

/// A body that was read.
struct ReadBody {
    bytes: Bytes,
    /// Whether the server read the whole body without waiting. `false` if this is not known.
    had_arrived: bool,
    permit: Option<OwnedSemaphorePermit>,
}

/// Reads a whole body. `declared` is its Content-Length, if any. `large` admits a body of more than [`SMALL_BODY`]
/// bytes, or returns the error with which the body is rejected. If `declared` exceeds [`SMALL_BODY`], `large` is
/// awaited before the body is read; otherwise as soon as more than [`SMALL_BODY`] bytes were read.
async fn read_whole(
    body: poem::Body,
    declared: Option<u64>,
    limits: BodyLimits,
    large: impl Future<Output = Result<Option<OwnedSemaphorePermit>, ApiError>>,
) -> Result<ReadBody, ApiError> {
    let reading = async {
        let mut large = Some(large);
        let mut permit = None;
        if declared.is_some_and(|length| length > SMALL_BODY as u64)
            && let Some(large) = large.take()
        {
            permit = large.await?;
        }
        let mut chunks = body.into_bytes_stream().map_err(|error| incomplete(&error));
        // polls the stream once, without waiting; if no chunk has arrived yet, no data is lost
        let at_once = chunks.try_next().now_or_never();
        let had_arrived = match &at_once {
            Some(Ok(Some(chunk))) => declared == Some(chunk.len() as u64),
            Some(Ok(None)) => true,
            _ => false,
        };
        let first = match at_once {
            Some(first) => first?,
            None => chunks.try_next().await?,
        };
        let mut all = first.unwrap_or_default();
        let mut more = None;
        while all.len() <= limits.bytes {
            let read = more.as_ref().map_or(all.len(), BytesMut::len);
            if read > SMALL_BODY
                && let Some(large) = large.take()
            {
                permit = large.await?;
            }
            let Some(chunk) = chunks.try_next().await? else { break };
            let buffer = more.get_or_insert_with(|| BytesMut::from(&all[..]));
            buffer.extend_from_slice(&chunk);
            if buffer.len() > limits.bytes {
                return Err(Code::PayloadTooLarge.into());
            }
        }
        if let Some(more) = more {
            all = more.freeze();
        }
        match all.len() <= limits.bytes {
            true => Ok(ReadBody { bytes: all, had_arrived, permit }),
            false => Err(Code::PayloadTooLarge.into()),
        }
    };
    match tokio::time::timeout(limits.time, reading).await {
        Ok(whole) => whole,
        Err(_late) => Err(ApiError::client(StatusCode::REQUEST_TIMEOUT)),
    }
}

/// Returns the error for a body that could not be read to its end: 408 after the listener's timeout for a read, and 400
/// for any other cause.
fn incomplete(error: &std::io::Error) -> ApiError {
    match error.kind() {
        ErrorKind::TimedOut => ApiError::client(StatusCode::REQUEST_TIMEOUT),
        _ => ApiError::client(StatusCode::BAD_REQUEST),
    }
}

/// A body that the request pipeline accepted.
pub(super) struct AdmittedBody {
    /// The bytes; `None` if the operation has no body, or if its handler reads the body (`x-raw`).
    pub(super) bytes: Option<Bytes>,
    /// Whether the server read the body without waiting, or did not read the body at all.
    pub(super) had_arrived: bool,
    /// The permit of a large body of an unauthenticated sender, held until the last check of the pipeline. Permits
    /// limit the memory that these bodies occupy.
    _permit: Option<OwnedSemaphorePermit>,
}

/// Checks the media type of a request and reads its body. 415 takes precedence over 413. [`read_whole`] describes
/// `large`.
pub(super) async fn admit(
    operation: &OperationInfo,
    request: &Request,
    body: &mut RequestBody,
    limits: BodyLimits,
    large: impl Future<Output = Result<Option<OwnedSemaphorePermit>, ApiError>>,
) -> Result<AdmittedBody, ApiError> {
    let length = declared_length(request.headers());
    if operation.body.is_none() {
        // the operation ignores the body; except for GET, the body is read within the limits (D-014, D-015)
        let mut had_arrived = true;
        if *request.method() != Method::GET {
            declared_fits(request.headers(), limits)?;
            let whole = body.take().map_err(ApiError::internal)?;
            had_arrived = read_whole(whole, length, limits, large).await?.had_arrived;
        }
        return Ok(AdmittedBody { bytes: None, had_arrived, _permit: None });
    }
    let sent = accept::sent(request.headers(), operation);
    if sent == DeclaredType::Other {
        return Err(Code::UnsupportedMediaType.into());
    }
    if operation.raw {
        declared_fits(request.headers(), limits)?;
        return Ok(AdmittedBody { bytes: None, had_arrived: true, _permit: None });
    }
    let read = async {
        declared_fits(request.headers(), limits)?;
        let whole = body.take().map_err(ApiError::internal)?;
        read_whole(whole, length, limits, large).await
    };
    let ReadBody { bytes, had_arrived, permit } = match (read.await, sent) {
        (Ok(whole), DeclaredType::Known(_)) => whole,
        // an empty body needs no Content-Type (D-008)
        (Ok(whole), _) if whole.bytes.is_empty() => whole,
        (Ok(_), _) => return Err(Code::UnsupportedMediaType.into()),
        (Err(error), DeclaredType::Missing) if error.code == Code::PayloadTooLarge => {
            return Err(Code::UnsupportedMediaType.into());
        }
        (Err(error), _) => return Err(error),
    };
    *body = RequestBody::new(bytes.clone().into());
    Ok(AdmittedBody { bytes: Some(bytes), had_arrived, _permit: permit })
}

/// Parses a body: as a form if its Content-Type is the media type of forms, and otherwise as JSON. Returns `None` for
/// an empty body.
pub(super) fn value(
    operation: &OperationInfo,
    headers: &HeaderMap,
    bytes: &[u8],
) -> Result<Option<Value>, ApiError> {
    match accept::sent(headers, operation) {
        _ if bytes.is_empty() => Ok(None),
        DeclaredType::Known(FORM) => {
            let lists = operation.body.as_ref().map_or(&[] as &[_], |body| body.lists);
            read_form(bytes, lists).map(|members| Some(Value::Object(members)))
        }
        _ => match strict_json::read(bytes) {
            Ok(value) => Ok(Some(value)),
            Err(problem) => Err(ApiError::because(Code::InvalidRequest, problem)),
        },
    }
}

/// A generated type to which a body is deserialized.
pub trait BodySchema: Described + DeserializeOwned + Send {
    fn rules() -> &'static Schema;
    fn contract() -> &'static Contract;
}

/// Reads the body of an operation; generated for each operation with a JSON or form body.
#[derive(Debug)]
pub struct BodyReader {
    pub operation: &'static OperationInfo,
    read: fn(&HeaderMap, &[u8]) -> Result<Value, ApiError>,
}

impl BodyReader {
    /// Returns the reader for the bodies of operation `O`, which have the type `T`.
    #[must_use]
    pub const fn of<O: OperationType, T: BodySchema>() -> Self {
        Self {
            operation: O::INFO,
            read: |headers, bytes| read::<T>(O::INFO, value(O::INFO, headers, bytes)?).map(|(_, sent)| sent),
        }
    }

    /// Reads and validates a body in the same way as the route of the operation. Returns the value that the route
    /// would get as [`Body::sent`].
    ///
    /// # Errors
    /// The error that the route would return.
    pub fn read(&self, headers: &HeaderMap, bytes: &[u8]) -> Result<Value, ApiError> {
        (self.read)(headers, bytes)
    }
}

/// The body of operation `O`.
pub struct Body<O, T> {
    pub value: T,
    /// The members that the client sent, including unknown members. Aliases are renamed, and an integer that was
    /// written as `1.0` is `1`.
    pub sent: Value,
    operation: PhantomData<O>,
}

impl<'a, O: OperationType, T: BodySchema> ApiExtractor<'a> for Body<O, T> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        meta(O::INFO, <T as Described>::schema)
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let bytes = body.take()?.into_bytes().await?;
        // the request pipeline can have parsed the body already, for example to read credentials
        let sent = match answer::take_parsed() {
            Some(parsed) => parsed,
            None => value(O::INFO, request.headers(), &bytes)?,
        };
        let (value, sent) = read::<T>(O::INFO, sent)?;
        Ok(Self { value, sent, operation: PhantomData })
    }
}

/// Validates and normalizes a parsed body and deserializes it. Returns the deserialized and the normalized body.
pub(super) fn read<T: BodySchema>(
    operation: &OperationInfo,
    sent: Option<Value>,
) -> Result<(T, Value), ApiError> {
    let required = operation.body.as_ref().is_some_and(|body| body.required);
    let mut sent = match sent {
        Some(sent) => sent,
        None if required => return Err(ApiError::because(Code::InvalidRequest, "the body is missing")),
        None => Value::Object(Map::new()),
    };
    T::contract().check(T::rules(), &mut sent).map_err(|violation| {
        ApiError::because(violation.code.unwrap_or(Code::InvalidRequest), violation.to_string())
    })?;
    match T::deserialize(&sent) {
        Ok(value) => Ok((value, sent)),
        // the schema allows this body, so the type should accept it: the document or the generator is wrong
        Err(error) => Err(ApiError::internal(format_args!(
            "{}: failed to deserialize a body that the schema allows: {error}",
            operation.id
        ))),
    }
}

fn meta(operation: &'static OperationInfo, schema: impl Fn() -> MetaSchemaRef) -> Option<MetaRequest> {
    operation.body.as_ref().map(|body| MetaRequest {
        description: body.description,
        content: body
            .media_types
            .iter()
            .map(|content_type| MetaMediaType { content_type, schema: schema() })
            .collect(),
        required: body.required,
    })
}

/// A request whose body is read by the handler (`x-raw`).
#[derive(Debug)]
pub struct RawRequest {
    pub headers: HeaderMap,
    /// The body, which is not read yet; see [`read_streamed`].
    pub body: poem::Body,
}

/// The raw request of operation `O`.
pub struct RawBody<O>(pub RawRequest, PhantomData<O>);

impl<'a, O: OperationType> ApiExtractor<'a> for RawBody<O> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn request_meta() -> Option<MetaRequest> {
        meta(O::INFO, || MetaSchemaRef::Inline(Box::new(MetaSchema::new_with_format("string", "binary"))))
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let raw = RawRequest { headers: request.headers().clone(), body: body.take()? };
        Ok(Self(raw, PhantomData))
    }
}
