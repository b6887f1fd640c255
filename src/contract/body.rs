//! Request bodies: read up to a limit, parsed strictly, checked against the document, then read into a type.

use std::{marker::PhantomData, time::Duration};

use bytes::{Bytes, BytesMut};
use futures_util::{FutureExt, StreamExt, TryStreamExt, stream::BoxStream};
use poem::{
    Request, RequestBody,
    http::{HeaderMap, Method, StatusCode, Uri, header},
};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaMediaType, MetaRequest, MetaSchema, MetaSchemaRef, Registry},
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{
    Contract, Described, Fault, OperationInfo, OperationType, Schema,
    accept::{self, Sent},
    json,
    params::form_text,
};
use crate::domain::refusal::Code;

pub(super) const FORM: &str = "application/x-www-form-urlencoded";

/// How much of a body is read, and how long.
#[derive(Clone, Copy, Debug)]
pub struct BodyLimits {
    /// The most bytes taken (D-013: 1 048 576 pass, one more is 413).
    pub bytes: usize,
    /// The most time the whole body may take to arrive, then 408.
    pub time: Duration,
}

impl Default for BodyLimits {
    fn default() -> Self {
        Self { bytes: 1 << 20, time: Duration::from_secs(10) }
    }
}

/// Refuses by Content-Length at once.
///
/// # Errors
/// 413 `payload_too_large`.
pub fn declared_fits(headers: &HeaderMap, limits: BodyLimits) -> Result<(), Fault> {
    match declared(headers) {
        Some(length) if length > limits.bytes as u64 => Err(Code::PayloadTooLarge.into()),
        _ => Ok(()),
    }
}

/// The length of the body by Content-Length.
fn declared(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// A body as it comes, for [`read_streamed`]; ends with 413 after too many bytes.
pub type Chunks = BoxStream<'static, Result<Bytes, Fault>>;

/// Lets `reader` take a body as it comes instead of holding all of it; what it has not read in time is 408, and its work
/// is dropped.
///
/// # Errors
/// `reader`'s. In the stream 413 `payload_too_large` and 400 `client_error` when the body does not come to its end;
/// 408 `client_error`.
pub async fn read_streamed<T, E: From<Fault>, F: Future<Output = Result<T, E>>>(
    body: poem::Body,
    limits: BodyLimits,
    reader: impl FnOnce(Chunks) -> F,
) -> Result<T, E> {
    let mut left = limits.bytes;
    let chunks = body.into_bytes_stream().map(move |chunk| {
        let chunk = chunk.map_err(|_cut_off| Fault::client(StatusCode::BAD_REQUEST))?;
        match left.checked_sub(chunk.len()) {
            Some(rest) => left = rest,
            None => return Err(Code::PayloadTooLarge.into()),
        }
        Ok(chunk)
    });
    match tokio::time::timeout(limits.time, reader(chunks.boxed())).await {
        Ok(read) => read,
        Err(_late) => Err(Fault::client(StatusCode::REQUEST_TIMEOUT).into()),
    }
}

/// Reads a body, of known length or not.
///
/// # Errors
/// 413 `payload_too_large`, 408 and 400 `client_error` when it comes too slowly or not to its end.
pub async fn read_limited(body: poem::Body, limits: BodyLimits) -> Result<Bytes, Fault> {
    Ok(read_whole(body, None, limits).await?.bytes)
}

/// A body that was read.
struct Whole {
    bytes: Bytes,
    /// It had come to its end before it was asked for, as far as can be told.
    was_there: bool,
}

/// Reads a body; `declared` is its length where a header tells it.
async fn read_whole(body: poem::Body, declared: Option<u64>, limits: BodyLimits) -> Result<Whole, Fault> {
    let reading = async {
        let mut chunks = body.into_bytes_stream();
        // asked without waiting: a stream does not lose what it had no time to give
        let at_once = chunks.try_next().now_or_never();
        let was_there = match &at_once {
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
            let Some(chunk) = chunks.try_next().await? else { break };
            let buffer = more.get_or_insert_with(|| BytesMut::from(&all[..]));
            buffer.extend_from_slice(&chunk);
            if buffer.len() > limits.bytes {
                return Ok(None);
            }
        }
        if let Some(more) = more {
            all = more.freeze();
        }
        let bytes = Some(all).filter(|all| all.len() <= limits.bytes);
        Ok::<_, std::io::Error>(bytes.map(|bytes| Whole { bytes, was_there }))
    };
    match tokio::time::timeout(limits.time, reading).await {
        Ok(Ok(Some(whole))) => Ok(whole),
        Ok(Ok(None)) => Err(Code::PayloadTooLarge.into()),
        Ok(Err(_cut_off)) => Err(Fault::client(StatusCode::BAD_REQUEST)),
        Err(_late) => Err(Fault::client(StatusCode::REQUEST_TIMEOUT)),
    }
}

/// What the ladder knows of a body that it let in.
pub(super) struct Admitted {
    /// `None` without a body and for a raw one.
    pub(super) bytes: Option<Bytes>,
    /// It took no time to come.
    pub(super) was_there: bool,
}

/// The media type and the bytes of a request, by the ladder: 415 before 413.
pub(super) async fn admit(
    operation: &OperationInfo,
    request: &Request,
    body: &mut RequestBody,
    limits: BodyLimits,
) -> Result<Admitted, Fault> {
    let length = declared(request.headers());
    if operation.body.is_none() {
        // bodies of GET and DELETE mean nothing, and are still bounded (D-014, D-015)
        let mut was_there = true;
        if *request.method() != Method::GET {
            declared_fits(request.headers(), limits)?;
            let whole = body.take().map_err(Fault::internal)?;
            was_there = read_whole(whole, length, limits).await?.was_there;
        }
        return Ok(Admitted { bytes: None, was_there });
    }
    let sent = accept::sent(request.headers(), operation);
    if sent == Sent::Other {
        return Err(Code::UnsupportedMediaType.into());
    }
    if operation.raw {
        declared_fits(request.headers(), limits)?;
        return Ok(Admitted { bytes: None, was_there: true });
    }
    let read = async {
        declared_fits(request.headers(), limits)?;
        let whole = body.take().map_err(Fault::internal)?;
        read_whole(whole, length, limits).await
    };
    let Whole { bytes, was_there } = match (read.await, sent) {
        (Ok(whole), Sent::Known(_)) => whole,
        // nothing was sent, so there is no type to judge (D-008)
        (Ok(whole), _) if whole.bytes.is_empty() => whole,
        (Ok(_), _) => return Err(Code::UnsupportedMediaType.into()),
        (Err(fault), Sent::Unsaid) if fault.code == Code::PayloadTooLarge => {
            return Err(Code::UnsupportedMediaType.into());
        }
        (Err(fault), _) => return Err(fault),
    };
    *body = RequestBody::new(bytes.clone().into());
    Ok(Admitted { bytes: Some(bytes), was_there })
}

/// The bytes as the JSON value they stand for; nothing at all is `None`.
pub(super) fn value(
    operation: &OperationInfo,
    headers: &HeaderMap,
    bytes: &[u8],
) -> Result<Option<Value>, Fault> {
    match accept::sent(headers, operation) {
        _ if bytes.is_empty() => Ok(None),
        Sent::Known(FORM) => {
            let lists = operation.body.as_ref().map_or(&[] as &[_], |body| body.lists);
            read_form(bytes, lists).map(|members| Some(Value::Object(members)))
        }
        _ => match json::read(bytes) {
            Ok(value) => Ok(Some(value)),
            Err(problem) => Err(Fault::because(Code::InvalidRequest, problem)),
        },
    }
}

/// The parameters of a form, each of which may be there once.
///
/// # Errors
/// 400 `invalid_request`.
pub fn form_members(bytes: &[u8]) -> Result<Map<String, Value>, Fault> {
    read_form(bytes, &[])
}

/// As [`form_members`]; a name in `lists`, also with `[]` behind it, may be repeated and gives an array (D-229).
fn read_form(bytes: &[u8], lists: &[&str]) -> Result<Map<String, Value>, Fault> {
    let refuse = |problem: &'static str| Fault::because(Code::InvalidRequest, problem);
    let text = std::str::from_utf8(bytes).map_err(|_| refuse("the form is not UTF-8"))?;
    let mut members = Map::new();
    for pair in text.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let read = |text| match form_text(text) {
            Ok(text) if text.contains('\0') => Err(refuse("the form holds the character U+0000")),
            Ok(text) => Ok(text.into_owned()),
            Err(_) => Err(refuse("the form is not UTF-8")),
        };
        let (name, value) = (read(name)?, read(value)?);
        let list = lists.iter().find(|list| name.strip_suffix("[]").unwrap_or(&name) == **list);
        if let Some(list) = list {
            let items = members.entry(*list).or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(items) = items {
                items.push(Value::String(value));
            }
            continue;
        }
        if members.contains_key(&name) {
            let problem = format!("the parameter `{}` was sent more than once", json::echo(&name));
            return Err(Fault::because(Code::InvalidRequest, problem));
        }
        members.insert(name, Value::String(value));
    }
    Ok(members)
}

/// A type that a body is read into; generated.
pub trait BodySchema: Described + DeserializeOwned + Send {
    fn rules() -> &'static Schema;
    fn contract() -> &'static Contract;
}

/// The body of operation `O`.
pub struct Body<O, T> {
    pub value: T,
    /// As it was sent, aliases named and whole numbers written as such.
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
        let (value, sent) = read::<T>(O::INFO, request.headers(), &bytes)?;
        Ok(Self { value, sent, operation: PhantomData })
    }
}

/// Reads the bytes into a type: parsed, checked, and as they were sent.
pub(super) fn read<T: BodySchema>(
    operation: &OperationInfo,
    headers: &HeaderMap,
    bytes: &[u8],
) -> Result<(T, Value), Fault> {
    let sent = value(operation, headers, bytes)?;
    let required = operation.body.as_ref().is_some_and(|body| body.required);
    let mut sent = match sent {
        Some(sent) => sent,
        None if required => return Err(Fault::because(Code::InvalidRequest, "the body is missing")),
        None => Value::Object(Map::new()),
    };
    T::contract().check(T::rules(), &mut sent).map_err(|violation| {
        Fault::because(violation.code.unwrap_or(Code::InvalidRequest), violation.to_string())
    })?;
    match T::deserialize(&sent) {
        Ok(value) => Ok((value, sent)),
        // what the document allows, the type can hold; if not, the document or the generator is wrong
        Err(error) => Err(Fault::internal(format_args!("{}: a checked body: {error}", operation.id))),
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

/// A request whose body the handler reads itself (`x-raw`).
#[derive(Debug)]
pub struct RawRequest {
    pub method: Method,
    pub uri: Uri,
    pub headers: HeaderMap,
    /// Not read yet; see [`read_streamed`].
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
        let raw = RawRequest {
            method: request.method().clone(),
            uri: request.uri().clone(),
            headers: request.headers().clone(),
            body: body.take()?,
        };
        Ok(Self(raw, PhantomData))
    }
}
