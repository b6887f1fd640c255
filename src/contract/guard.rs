//! The request pipeline (D-001): checks a request before its parameters and body are parsed.
//!
//! The guard is the first argument of every generated route:
//!
//! 1. 404 if the operation is not available (`x-sandbox`)
//! 2. [`RequestPolicy::before`], the first check of every operation of the API
//! 3. 400 `token_in_query`
//! 4. 401: [`Principal::authenticate`]
//! 5. 406, then 415, then 413 and 408: the body is read, up to its limit; if it had not arrived
//!    yet, step 4 is repeated afterwards. More than [`SMALL_BODY`](super::SMALL_BODY) is read only
//!    from an authenticated sender, or with [`RequestPolicy::admit_large_body`]
//! 6. 403: [`Principal::authorize`]
//! 7. 429: [`Principal::throttle`]
//! 8. required headers with their own error code; then the route parses its parameters, then its
//!    body
//!
//! If credentials may be in the body ([`Principal::IN_BODY`]), step 4 follows step 5 (B-083).
//! Documents of [`Dialect::Oauth`] skip step 3 and the 406: their queries are not read (D-288), and
//! RFC 6749 defines no other format.

use std::sync::{Arc, OnceLock};

use poem::{Request, RequestBody};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions, registry::Registry};
use serde_json::{Map, Value};
use tokio::sync::OwnedSemaphorePermit;

use super::{
    ApiError, BodyLimits, Dialect, LimitName, OperationInfo, OperationType, accept, answer,
    body::{admit, value},
    params::{form_bytes, form_text},
};
use crate::domain::{refusal::Code, token};

/// A request in the pipeline.
pub struct RequestContext<'a> {
    pub operation: &'static OperationInfo,
    pub request: &'a Request,
    /// The bytes of the body, from step 6 on, or from step 4 if credentials may be in the body;
    /// `None` without a body and for a raw one.
    pub body: Option<&'a [u8]>,
    /// The parsed body; the inner `None` means an empty body.
    parsed: OnceLock<Option<Value>>,
}

impl RequestContext<'_> {
    /// Returns a text member of the body, form or JSON; `None` if the body cannot be parsed, which
    /// a later step reports.
    #[must_use]
    pub fn body_member(&self, name: &str) -> Option<&str> {
        self.body_members().ok()??.get(name)?.as_str()
    }

    /// Returns the members of the body, form or JSON; `None` without a body. The body is parsed
    /// once.
    ///
    /// # Errors
    /// 400 `invalid_request` if the body cannot be parsed or is not an object.
    pub fn body_members(&self) -> Result<Option<&Map<String, Value>>, ApiError> {
        let Some(bytes) = self.body else { return Ok(None) };
        let parsed = match self.parsed.get() {
            Some(parsed) => parsed,
            None => {
                let parsed = value(self.operation, self.request.headers(), bytes)?;
                self.parsed.get_or_init(|| parsed)
            }
        };
        match parsed {
            None => Ok(None),
            Some(Value::Object(members)) => Ok(Some(members)),
            Some(_) => Err(ApiError::because(Code::InvalidRequest, "the body must be an object")),
        }
    }
}

/// Per-request decisions of the handlers of a document.
pub trait RequestPolicy: Send + Sync + 'static {
    /// Returns whether the operation is available; otherwise it is 404 as if it did not exist.
    fn available(&self, operation: &'static OperationInfo) -> bool {
        let _ = operation;
        true
    }

    /// The first check of every request.
    ///
    /// # Errors
    /// The rejection.
    fn before(&self, context: &RequestContext<'_>) -> impl Future<Output = Result<(), ApiError>> + Send {
        let _ = context;
        async { Ok(()) }
    }

    /// Returns the limits of the body.
    fn body_limits(&self, operation: &'static OperationInfo) -> BodyLimits {
        let _ = operation;
        BodyLimits::default()
    }

    /// Called before more than [`SMALL_BODY`](super::SMALL_BODY) bytes are read of a body whose
    /// sender is not authenticated yet. The permit is held until the sender is authenticated.
    ///
    /// # Errors
    /// 429.
    fn admit_large_body(
        &self,
        context: &RequestContext<'_>,
    ) -> impl Future<Output = Result<Option<OwnedSemaphorePermit>, ApiError>> + Send {
        let _ = context;
        async { Ok(None) }
    }

    /// Rate-limits the operations without authentication. The default rejects all except unlimited
    /// ones.
    ///
    /// # Errors
    /// 429, and 500 for an operation whose limit the API does not apply to unauthenticated callers.
    fn throttle_anyone(
        &self,
        context: &RequestContext<'_>,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        let is_unlimited = context.operation.limit == LimitName::Unlimited;
        async move { if is_unlimited { Ok(()) } else { Err(Code::InternalError.into()) } }
    }
}

/// The caller of an operation, for one security scheme; `H` are the handlers.
pub trait Principal<H: ?Sized>: Sized + Send + Sync + 'static {
    /// Whether credentials may be in the body, which is then read first.
    const IN_BODY: bool = false;

    /// Reads and checks the credentials.
    ///
    /// # Errors
    /// 401, or an internal error.
    fn authenticate(
        handlers: &H,
        context: &RequestContext<'_>,
    ) -> impl Future<Output = Result<Self, ApiError>> + Send;

    /// Checks whether this caller may use the operation: scopes, kinds of credentials.
    ///
    /// # Errors
    /// 403.
    fn authorize(&self, handlers: &H, context: &RequestContext<'_>) -> Result<(), ApiError> {
        let _ = (handlers, context);
        Ok(())
    }

    /// Counts the request against the caller's rate limit; may set headers with [`answer::header`].
    ///
    /// # Errors
    /// 429.
    fn throttle(
        &self,
        handlers: &H,
        context: &RequestContext<'_>,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        let _ = (handlers, context);
        async { Ok(()) }
    }
}

/// The caller of an operation without a security scheme.
#[derive(Clone, Copy, Debug)]
pub struct Anyone;

impl<H: RequestPolicy> Principal<H> for Anyone {
    async fn authenticate(_: &H, _: &RequestContext<'_>) -> Result<Self, ApiError> {
        Ok(Self)
    }

    fn throttle(
        &self,
        handlers: &H,
        context: &RequestContext<'_>,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        handlers.throttle_anyone(context)
    }
}

/// Connects an operation to its kind of caller; generated.
pub trait Guarded<H>: OperationType {
    type Principal: Principal<H>;
    /// Registers the document's security schemes.
    fn register(registry: &mut Registry);
}

/// The first argument of every route; contains the authenticated caller.
pub struct Guard<H, O: Guarded<H>>(O::Principal);

impl<H, O: Guarded<H>> Guard<H, O> {
    pub fn into_caller(self) -> O::Principal {
        self.0
    }
}

impl<'a, H: RequestPolicy, O: Guarded<H>> ApiExtractor<'a> for Guard<H, O> {
    const TYPES: &'static [ApiExtractorType] = match O::INFO.schemes {
        [] => &[],
        _ => &[ApiExtractorType::SecurityScheme],
    };
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        O::register(registry);
    }

    fn security_schemes() -> Vec<&'static str> {
        O::INFO.schemes.to_vec()
    }

    fn has_security_fallback() -> bool {
        O::INFO.optional
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        answer::operation(O::INFO);
        let handlers = request.data::<Arc<H>>().expect("the generated routes carry the handlers");
        Ok(Self(run_pipeline::<H, O::Principal>(handlers, O::INFO, request, body).await?))
    }
}

async fn run_pipeline<H: RequestPolicy, P: Principal<H>>(
    handlers: &H,
    operation: &'static OperationInfo,
    request: &Request,
    body: &mut RequestBody,
) -> Result<P, ApiError> {
    if !handlers.available(operation) {
        return Err(Code::NotFound.into());
    }
    let mut context = RequestContext { operation, request, body: None, parsed: OnceLock::new() };
    handlers.before(&context).await?;
    let checks_query_and_accept = operation.dialect == Dialect::Envelope;
    if checks_query_and_accept && has_token(request.uri().query().unwrap_or_default()) {
        return Err(Code::TokenInQuery.into());
    }
    let principal_before_body = match P::IN_BODY {
        false => Some(P::authenticate(handlers, &context).await?),
        true => None,
    };
    if checks_query_and_accept && !accept::takes_json(request.headers()) {
        return Err(Code::NotAcceptable.into());
    }
    let is_known = principal_before_body.is_some() && !operation.schemes.is_empty();
    let large = async {
        match is_known {
            true => Ok(None),
            false => handlers.admit_large_body(&context).await,
        }
    };
    let admitted = admit(operation, request, body, handlers.body_limits(operation), large).await?;
    let principal_before_body = match principal_before_body {
        // authenticated again if the body took time: a token revoked meanwhile must not be accepted
        // (B-367)
        Some(_) if !admitted.had_arrived => Some(P::authenticate(handlers, &context).await?),
        principal_before_body => principal_before_body,
    };
    context.body = admitted.bytes.as_deref();
    let principal = match principal_before_body {
        Some(principal) => principal,
        None => P::authenticate(handlers, &context).await?,
    };
    principal.authorize(handlers, &context)?;
    principal.throttle(handlers, &context).await?;
    for (name, code) in operation.required_headers {
        if !request.headers().contains_key(*name) {
            return Err((*code).into());
        }
    }
    if let Some(parsed) = context.parsed.into_inner() {
        answer::keep_parsed(parsed);
    }
    Ok(principal)
}

/// Returns whether the query contains a token (D-032, D-033): under one of the usual names, by the
/// prefix of a value, or anywhere by the full prefix of tokens of one environment: without a name,
/// as a name, after `Bearer` or a space.
#[must_use]
pub fn has_token(query: &str) -> bool {
    const NAMES: [&str; 3] = ["token", "access_token", "bot_token"];
    const PREFIXES: [&str; 2] = ["svc_bot_", "svc_mcp_"];
    if query.is_empty() {
        return false;
    }
    let holds_one = match query.contains('%') {
        true => token::is_within(&form_bytes(query)),
        false => token::is_within(query.as_bytes()),
    };
    if holds_one {
        return true;
    }
    query.split('&').any(|pair| {
        let Some((name, value)) = pair.split_once('=') else { return false };
        if value.is_empty() {
            return false;
        }
        let named =
            form_text(name).is_ok_and(|name| NAMES.iter().any(|known| name.eq_ignore_ascii_case(known)));
        named || form_text(value).is_ok_and(|value| PREFIXES.iter().any(|known| value.starts_with(known)))
    })
}

#[cfg(test)]
mod tests {
    use super::has_token;

    #[test]
    fn tokens_are_detected_in_queries() {
        for query in [
            "token=x",
            "a=1&ACCESS_token=x",
            "bot_token=x",
            "x=svc_bot_live_1",
            "x=svc%5fmcp%5f1",
            "tok%65n=1",
            "svc_bot_test_1",
            "svc_bot_live_1=1",
            "a=1&svc_mcp_at_live_1",
            "authorization=Bearer%20svc_bot_test_1",
            "authorization=Bearer+svc_mcp_rt_test_1",
            "x=%20svc_bot_live_1",
            "a=1;token=svc_bot_test_1",
            "x=%ffsvc%5Fbot%5Ftest%5F1",
            "x={\"svc_bot_test_1\":1}",
        ] {
            assert!(has_token(query), "{query}");
        }
        for query in [
            "",
            "token",
            "token=",
            "tokens=x",
            "limit=1&cursor=abc",
            "x=asvc_bot_",
            "x=svc_op_1",
            "email=a%40b",
            "svc_bot_",
            "query=why+svc_bot+tests",
            "x=Bearer%20svc_op_1",
            "a=1;token=x",
        ] {
            assert!(!has_token(query), "{query}");
        }
    }
}
