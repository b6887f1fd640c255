//! The ladder before a handler (D-001): admits or refuses a request before its parameters and body are read.
//!
//! The guard is the first argument of every generated route:
//!
//! 1. 404 where the operation is not offered (`x-sandbox`)
//! 2. [`Door::before`], what every operation of the house checks first
//! 3. 400 `token_in_query`
//! 4. 401: [`Principal::authenticate`]
//! 5. 406, then 415, then 413 and 408: the body is read, up to its limit; step 4 again if it was not there yet
//! 6. 403: [`Principal::authorize`]
//! 7. 429: [`Principal::throttle`]
//! 8. required headers with a code of their own; then the route reads its parameters, then its body
//!
//! Where credentials may be in the body ([`Principal::IN_BODY`]), step 4 follows step 5 (B-083). Documents of
//! [`Dialect::Oauth`] have no step 3 and no 406: their queries are not read (D-288), and RFC 6749 knows no other form.

use std::sync::Arc;

use poem::{Request, RequestBody};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions, registry::Registry};
use serde_json::{Map, Value};

use super::{
    BodyLimits, Dialect, Fault, LimitRow, OperationInfo, OperationType, accept, answer,
    body::{admit, value},
    params::{form_bytes, form_text},
};
use crate::domain::{refusal::Code, token};

/// A request at the door.
pub struct Admission<'a> {
    pub operation: &'static OperationInfo,
    pub request: &'a Request,
    /// The bytes of the body, from step 6 on, or from step 4 where credentials may be in it; `None` without a body
    /// and for a raw one.
    pub body: Option<&'a [u8]>,
}

impl Admission<'_> {
    /// A text member of the body, form or JSON; `None` when the body cannot be read, for the caller's next step to
    /// tell.
    #[must_use]
    pub fn body_member(&self, name: &str) -> Option<String> {
        match self.body_members().ok()?.remove(name)? {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The members of the body, form or JSON; none when there is no body.
    ///
    /// # Errors
    /// 400 `invalid_request` for a body that cannot be read or is no object.
    pub fn body_members(&self) -> Result<Map<String, Value>, Fault> {
        let Some(bytes) = self.body else { return Ok(Map::new()) };
        match value(self.operation, self.request.headers(), bytes)? {
            None => Ok(Map::new()),
            Some(Value::Object(members)) => Ok(members),
            Some(_) => Err(Fault::because(Code::InvalidRequest, "the body must be an object")),
        }
    }
}

/// What the handlers of a document decide about every request.
pub trait Door: Send + Sync + 'static {
    /// Whether the operation is offered; if not, it is 404 as if it did not exist.
    fn available(&self, operation: &'static OperationInfo) -> bool {
        let _ = operation;
        true
    }

    /// What is checked before everything else.
    ///
    /// # Errors
    /// The refusal.
    fn before(&self, admission: &Admission<'_>) -> impl Future<Output = Result<(), Fault>> + Send {
        let _ = admission;
        async { Ok(()) }
    }

    /// How much of a body is read.
    fn body_limits(&self, operation: &'static OperationInfo) -> BodyLimits {
        let _ = operation;
        BodyLimits::default()
    }

    /// Bounds the operations that are open to anyone. Refuses all but those that need no limit, unless the API counts
    /// strangers.
    ///
    /// # Errors
    /// 429, and 500 for an operation whose limit the API does not apply to strangers.
    fn throttle_anyone(&self, admission: &Admission<'_>) -> impl Future<Output = Result<(), Fault>> + Send {
        let is_unlimited = admission.operation.limit == LimitRow::Unlimited;
        async move { if is_unlimited { Ok(()) } else { Err(Code::InternalError.into()) } }
    }
}

/// Who calls, by one security scheme; `H` are the handlers.
pub trait Principal<H: ?Sized>: Sized + Send + Sync + 'static {
    /// Whether credentials may be in the body, which is then read before them.
    const IN_BODY: bool = false;

    /// Reads and checks the credentials.
    ///
    /// # Errors
    /// 401, or a fault of the server.
    fn authenticate(house: &H, admission: &Admission<'_>)
    -> impl Future<Output = Result<Self, Fault>> + Send;

    /// Whether this caller may use the operation at all: scopes, kinds of credentials.
    ///
    /// # Errors
    /// 403.
    fn authorize(&self, house: &H, admission: &Admission<'_>) -> Result<(), Fault> {
        let _ = (house, admission);
        Ok(())
    }

    /// Takes one request from the caller's limit; may note headers with [`answer::header`].
    ///
    /// # Errors
    /// 429.
    fn throttle(
        &self,
        house: &H,
        admission: &Admission<'_>,
    ) -> impl Future<Output = Result<(), Fault>> + Send {
        let _ = (house, admission);
        async { Ok(()) }
    }
}

/// The caller of an operation without a security scheme.
#[derive(Clone, Copy, Debug)]
pub struct Anyone;

impl<H: Door> Principal<H> for Anyone {
    async fn authenticate(_: &H, _: &Admission<'_>) -> Result<Self, Fault> {
        Ok(Self)
    }

    fn throttle(
        &self,
        house: &H,
        admission: &Admission<'_>,
    ) -> impl Future<Output = Result<(), Fault>> + Send {
        house.throttle_anyone(admission)
    }
}

/// Ties an operation to its kind of caller; generated.
pub trait Guarded<H>: OperationType {
    type Principal: Principal<H>;
    /// Registers the document's security schemes.
    fn register(registry: &mut Registry);
}

/// The first argument of every route; holds the admitted caller.
pub struct Guard<H, O: Guarded<H>>(O::Principal);

impl<H, O: Guarded<H>> Guard<H, O> {
    pub fn into_caller(self) -> O::Principal {
        self.0
    }
}

impl<'a, H: Door, O: Guarded<H>> ApiExtractor<'a> for Guard<H, O> {
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

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        answer::operation(O::INFO);
        let house = request.data::<Arc<H>>().expect("the generated routes carry the handlers");
        Ok(Self(climb::<H, O::Principal>(house, O::INFO, request, body).await?))
    }
}

async fn climb<H: Door, P: Principal<H>>(
    house: &H,
    operation: &'static OperationInfo,
    request: &Request,
    body: &mut RequestBody,
) -> Result<P, Fault> {
    if !house.available(operation) {
        return Err(Code::NotFound.into());
    }
    let mut admission = Admission { operation, request, body: None };
    house.before(&admission).await?;
    let judges_all = operation.dialect == Dialect::Envelope;
    if judges_all && has_token(request.uri().query().unwrap_or_default()) {
        return Err(Code::TokenInQuery.into());
    }
    let early = match P::IN_BODY {
        false => Some(P::authenticate(house, &admission).await?),
        true => None,
    };
    if judges_all && !accept::takes_json(request.headers()) {
        return Err(Code::NotAcceptable.into());
    }
    let admitted = admit(operation, request, body, house.body_limits(operation)).await?;
    let early = match early {
        // asked again once the body took its time: what was revoked meanwhile is revoked (B-367)
        Some(_) if !admitted.was_there => Some(P::authenticate(house, &admission).await?),
        early => early,
    };
    admission.body = admitted.bytes.as_deref();
    let principal = match early {
        Some(principal) => principal,
        None => P::authenticate(house, &admission).await?,
    };
    principal.authorize(house, &admission)?;
    principal.throttle(house, &admission).await?;
    for (name, code) in operation.required_headers {
        if !request.headers().contains_key(*name) {
            return Err((*code).into());
        }
    }
    Ok(principal)
}

/// Whether the query carries a token (D-032, D-033): under one of the usual names, by how a value begins, or anywhere
/// by the beginning that tokens of one environment have: without a name, as a name, behind `Bearer` or a space.
#[must_use]
pub fn has_token(query: &str) -> bool {
    const NAMES: [&str; 3] = ["token", "access_token", "bot_token"];
    const BEGINNINGS: [&str; 2] = ["svc_bot_", "svc_mcp_"];
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
        named || form_text(value).is_ok_and(|value| BEGINNINGS.iter().any(|known| value.starts_with(known)))
    })
}

#[cfg(test)]
mod tests {
    use super::has_token;

    #[test]
    fn tokens_are_found_in_queries() {
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
