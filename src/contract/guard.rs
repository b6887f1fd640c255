//! The request pipeline (D-001): the checks of a request before its parameters and its body are parsed.
//!
//! [`Guard`] is the first argument of every generated route. It runs these steps in this order; most are named by the
//! status or the error code of their rejection:
//!
//! 1. 404 if the operation is not available, such as an operation marked `x-sandbox` in production
//! 2. [`RequestPolicy::before`], a check of the API module for all its operations
//! 3. 400 `token_in_query`
//! 4. 401: [`Principal::authenticate`]
//! 5. 406, then 415, then 413 and 408: the body is read up to its limit. If the sender is not authenticated,
//!    [`RequestPolicy::admit_large_body`] must admit a body of more than [`SMALL_BODY`](super::SMALL_BODY) bytes. If
//!    the server had to wait for the body of an authenticated sender, the guard repeats step 4
//! 6. 403: [`Principal::authorize`]
//! 7. 429: [`Principal::throttle`]
//! 8. the error code of a missing required header
//!
//! After these steps the route parses its parameters, and then its body.
//!
//! If credentials may be in the body ([`Principal::IN_BODY`]), step 4 follows step 5 (B-083). Operations of
//! [`Dialect::Oauth`] skip step 3, because they ignore the query (D-288). These operations also skip the 406, because
//! RFC 6749 defines no format other than JSON.

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
    /// The bytes of the body. If credentials may be in the body, the bytes are available from step 4 of the pipeline
    /// on. For other operations they are available from step 6 on. `None` if the operation has no body, or if its
    /// handler reads the body (`x-raw`).
    pub body: Option<&'a [u8]>,
    /// The parsed body; `None` for an empty body. Not set before the body is parsed.
    parsed: OnceLock<Option<Value>>,
}

impl RequestContext<'_> {
    /// Returns a text member of the body, which is JSON or a form. Returns `None` if there is no such member, or if the
    /// body cannot be parsed. In the second case the route returns the error later, when it parses the body.
    #[must_use]
    pub fn body_member(&self, name: &str) -> Option<&str> {
        self.body_members().ok()??.get(name)?.as_str()
    }

    /// Returns the members of the body, which is JSON or a form; `None` if there is no body or an empty body. The
    /// parsed body is kept for later calls and for the route.
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

/// The checks and limits that an API module applies to each request.
pub trait RequestPolicy: Send + Sync + 'static {
    /// Returns whether the operation is available. If it is not, the response is 404, as for an unknown path.
    fn available(&self, operation: &'static OperationInfo) -> bool {
        let _ = operation;
        true
    }

    /// Checks a request for an available operation, before step 3 of the pipeline.
    ///
    /// # Errors
    /// The rejection, which is the response.
    fn before(&self, context: &RequestContext<'_>) -> impl Future<Output = Result<(), ApiError>> + Send {
        let _ = context;
        async { Ok(()) }
    }

    /// Returns the limits of the operation's body.
    fn body_limits(&self, operation: &'static OperationInfo) -> BodyLimits {
        let _ = operation;
        BodyLimits::default()
    }

    /// Admits a body of more than [`SMALL_BODY`](super::SMALL_BODY) bytes whose sender is not authenticated. If the
    /// `Content-Length` exceeds this number, the pipeline calls this method before it reads the body. Without such a
    /// `Content-Length`, the pipeline calls this method as soon as it has read more than this number of bytes. The
    /// pipeline holds the returned permit until its last check. So the number of permits limits the memory that these
    /// bodies occupy during the checks.
    ///
    /// # Errors
    /// 429 if the body is not admitted.
    fn admit_large_body(
        &self,
        context: &RequestContext<'_>,
    ) -> impl Future<Output = Result<Option<OwnedSemaphorePermit>, ApiError>> + Send {
        let _ = context;
        async { Ok(None) }
    }

    /// Applies the rate limit of an operation that has no security scheme. The default implementation accepts
    /// operations without a limit, and rejects all others.
    ///
    /// # Errors
    /// 429 if the rate limit is exceeded; 500 if the API module does not implement the operation's limit for
    /// unauthenticated callers.
    fn throttle_unauthenticated(
        &self,
        context: &RequestContext<'_>,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        let is_unlimited = context.operation.limit == LimitName::Unlimited;
        async move { if is_unlimited { Ok(()) } else { Err(Code::InternalError.into()) } }
    }
}

/// The caller of an operation. An API module has one such type for each security scheme of its generated code. `H` is
/// the type of the handlers.
pub trait Principal<H: ?Sized>: Sized + Send + Sync + 'static {
    /// Whether credentials may be in the body. If they may, the body is read before the caller is authenticated.
    const IN_BODY: bool = false;

    /// Reads and checks the credentials.
    ///
    /// # Errors
    /// 401 for missing or invalid credentials; 400 if the body may contain the credentials and is invalid; 403 for a
    /// session cookie without a valid CSRF token; 429 if a rate limit of authentications is exceeded; internal errors.
    fn authenticate(
        handlers: &H,
        context: &RequestContext<'_>,
    ) -> impl Future<Output = Result<Self, ApiError>> + Send;

    /// Checks whether this caller may use the operation. The scopes and the kind of the credentials decide this.
    ///
    /// # Errors
    /// 403 if the caller may not use the operation.
    fn authorize(&self, handlers: &H, context: &RequestContext<'_>) -> Result<(), ApiError> {
        let _ = (handlers, context);
        Ok(())
    }

    /// Reports the caller's rate limit in headers, without counting the request (D-196). Sets them with
    /// [`answer::header`]. Called if the request is rejected after the caller was authenticated and before
    /// [`Principal::throttle`]. Not called if authentication fails when it is repeated after the body was read.
    fn report_limit(&self, handlers: &H, context: &RequestContext<'_>) {
        let _ = (handlers, context);
    }

    /// Counts the request against the caller's rate limit. May set headers with [`answer::header`].
    ///
    /// # Errors
    /// 429 if the rate limit is exceeded; 500 if the API module does not implement the operation's limit.
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
        handlers.throttle_unauthenticated(context)
    }
}

/// Assigns the type of the caller to an operation. Generated code implements this trait.
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
        let handlers = request.data::<Arc<H>>().expect("the generated routes provide the handlers");
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
    let report_limit = |caller: Option<&P>, context: &RequestContext<'_>| {
        if let Some(caller) = caller {
            caller.report_limit(handlers, context);
        }
    };
    if checks_query_and_accept && !accept::takes_json(request.headers()) {
        report_limit(principal_before_body.as_ref(), &context);
        return Err(Code::NotAcceptable.into());
    }
    let is_authenticated = principal_before_body.is_some() && !operation.schemes.is_empty();
    let large = async {
        match is_authenticated {
            true => Ok(None),
            false => handlers.admit_large_body(&context).await,
        }
    };
    let admitted = admit(operation, request, body, handlers.body_limits(operation), large)
        .await
        .inspect_err(|_| report_limit(principal_before_body.as_ref(), &context))?;
    let principal_before_body = match principal_before_body {
        // if the server waited for the body, it authenticates again, because it must not accept a token that was
        // revoked in the meantime (B-367)
        Some(_) if !admitted.had_arrived => Some(P::authenticate(handlers, &context).await?),
        principal_before_body => principal_before_body,
    };
    context.body = admitted.bytes.as_deref();
    let principal = match principal_before_body {
        Some(principal) => principal,
        None => P::authenticate(handlers, &context).await?,
    };
    principal.authorize(handlers, &context).inspect_err(|_| report_limit(Some(&principal), &context))?;
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

/// Returns whether the query contains a token (D-032). A query contains a token if one of these conditions holds:
///
/// - A parameter with the name `token`, `access_token` or `bot_token` (case-insensitive) has a value.
/// - A value begins with `svc_bot_` or `svc_mcp_`.
/// - A full prefix, such as `svc_bot_live_`, occurs anywhere in the query, for example in a name or after `Bearer`.
///   Full prefixes are those of bots' tokens, and of assistants' tokens and authorization codes.
#[must_use]
pub fn has_token(query: &str) -> bool {
    const NAMES: [&str; 3] = ["token", "access_token", "bot_token"];
    const PREFIXES: [&str; 2] = ["svc_bot_", "svc_mcp_"];
    if query.is_empty() {
        return false;
    }
    let has_prefix = match query.contains('%') {
        true => token::contains_token(&form_bytes(query)),
        false => token::contains_token(query.as_bytes()),
    };
    if has_prefix {
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
