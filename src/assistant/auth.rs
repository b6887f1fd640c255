//! Rate limits of the assistant API, and authentication of OAuth clients. A client authenticates by HTTP Basic, by the
//! body, or by its client id alone.
//!
//! At `/token` and at `/revoke`, a client has two limits of 20 requests per minute, in addition to the limit of the
//! address. The first limit counts the requests from one address that name the client. The second limit counts, over
//! all addresses, the requests that are proved to come from the client
//! (docs/decisions/0007-unauthenticated-callers.md).

use serde_json::{Map, Value};
use tokio::sync::OwnedSemaphorePermit;

use super::AssistantApi;
use crate::{
    api::{basic, caller_address, has_basic, unsupported_limit},
    contract::{ApiError, OperationInfo, Principal, RequestContext, RequestPolicy, strict_json},
    domain::refusal::{Code, Refusal},
    generated::assistant::Security,
    platform::limits::{AssistantOauthLimits, LimitDecision, OperationLimits, limits_of},
    service::oauth::clients::OauthClient,
};

impl Security for AssistantApi {
    type Client = OauthClient;
}

impl RequestPolicy for AssistantApi {
    /// Applies the limit of the address from which the request comes, before all other checks of the request (D-374).
    async fn before(&self, context: &RequestContext<'_>) -> Result<(), ApiError> {
        let limit = match limits_of(context.operation.limit) {
            OperationLimits::Register(limit) => limit,
            OperationLimits::AssistantOauth(limits) => limits.address,
            OperationLimits::Unlimited => return Ok(()),
            // the authorization page and the MCP endpoints apply their limits themselves, because their routes are not
            // generated
            _ => return Err(unsupported_limit(context.operation)),
        };
        let limit = limit.of(context.operation.id);
        let key = limit.key(caller_address(context.request));
        admit(&self.world.limits.check_exact(limit.counter, key, self.world.clock.now()).await)
    }

    async fn admit_large_body(
        &self,
        context: &RequestContext<'_>,
    ) -> Result<Option<OwnedSemaphorePermit>, ApiError> {
        let (limits, now) = (&self.world.limits, self.world.clock.now());
        self.large_bodies.admit(limits, now, context.request).await
    }

    /// Does nothing, because `before` has applied the limit of the address.
    async fn throttle_unauthenticated(&self, _: &RequestContext<'_>) -> Result<(), ApiError> {
        Ok(())
    }
}

impl Principal<AssistantApi> for OauthClient {
    const IN_BODY: bool = true;

    async fn authenticate(api: &AssistantApi, context: &RequestContext<'_>) -> Result<Self, ApiError> {
        let Some((client_id, secret)) = credentials(context)? else {
            return Err(Code::InvalidClient.into());
        };
        let (limits, now) = (&api.world.limits, api.world.clock.now());
        // The limit of the client id at one address is checked before the credentials (D-374). The limit over all
        // addresses is checked after the authentication. Client ids are public, so anybody could use up a limit that is
        // checked before the authentication.
        let oauth = oauth_limits(context.operation)?;
        let limit = oauth.client_at_address.of(context.operation.id);
        let key = limit.key((&client_id, caller_address(context.request)));
        admit(&limits.check_exact(limit.counter, key, now).await)?;
        let client = api.world.authenticate_assistant_client(&client_id, secret.as_deref()).await?;
        let limit = oauth.client.of(context.operation.id);
        let key = limit.key(&client.client_id);
        // A public client sends only its client id, which does not prove who sent the request. So the request is not
        // counted here. `count_proved` counts it after the code or token has proved that the client sent the request.
        admit(&match client.is_public {
            true => limits.peek_exact(limit.counter, key, now).await,
            false => limits.check_exact(limit.counter, key, now).await,
        })?;
        Ok(client)
    }
}

impl AssistantApi {
    /// Counts a request of a public client against the limit over all addresses. Called after the code or token in the
    /// request has proved that the client sent the request. A spent or expired token of the client is a proof too. Does
    /// nothing for a client with a secret, whose requests are counted when the client is authenticated.
    pub(super) async fn count_proved(&self, operation: &'static OperationInfo, client: &OauthClient) {
        if client.is_public
            && let Ok(oauth) = oauth_limits(operation)
        {
            let limit = oauth.client.of(operation.id);
            let key = limit.key(&client.client_id);
            self.world.limits.note_exact(limit.counter, key, self.world.clock.now()).await;
        }
    }
}

fn oauth_limits(operation: &'static OperationInfo) -> Result<AssistantOauthLimits, ApiError> {
    match limits_of(operation.limit) {
        OperationLimits::AssistantOauth(limits) => Ok(limits),
        _ => Err(unsupported_limit(operation)),
    }
}

/// Rejects a request over a limit. The OAuth error code of the response is `slow_down`.
fn admit(decision: &LimitDecision) -> Result<(), ApiError> {
    match decision.retry_after() {
        None => Ok(()),
        Some(seconds) => Err(Refusal::rate_limited(seconds).into()),
    }
}

/// Returns the client id and the client secret. The secret is `None` if the client sent no secret. Returns `None` if
/// there is no client id. HTTP Basic takes precedence over the body (A-212, D-285). So if the credentials of HTTP Basic
/// are malformed, returns `None` even if the body has a client id. An `Authorization` header with another scheme is
/// ignored, because some clients add a header of their own to all requests.
///
/// # Errors
/// `invalid_request`:
///
/// - if the body is missing, cannot be parsed, or contains U+0000;
/// - without HTTP Basic: if the client id in the body is not a string, or if a client secret beside a client id is not
///   a string.
fn credentials(context: &RequestContext<'_>) -> Result<Option<(String, Option<String>)>, ApiError> {
    // A missing or unreadable body is rejected before the authentication: it lacks the required parameters, so the
    // request is invalid for every client.
    if context.body.is_none_or(<[u8]>::is_empty) {
        return Err(ApiError::because(Code::InvalidRequest, "the body is missing"));
    }
    let body = context.body_members()?;
    let has_nul = |body: &Map<String, Value>| {
        body.iter().any(|(name, value)| name.contains('\0') || strict_json::has_nul(value))
    };
    if body.is_some_and(has_nul) {
        // parameters with U+0000 are invalid (D-025), and PostgreSQL cannot look up a client id with this character
        return Err(ApiError::because(
            Code::InvalidRequest,
            "the parameters must not contain the character U+0000",
        ));
    }
    let headers = context.request.headers();
    if has_basic(headers) {
        return Ok(basic(headers).map(|(id, secret)| (id, Some(secret))));
    }
    let Some(body) = body else { return Ok(None) };
    let Some(id) = text(body, "client_id")? else { return Ok(None) };
    Ok(Some((id, text(body, "client_secret")?)))
}

/// Returns a parameter; an empty parameter counts as absent (OAuth 2.1 §3.2).
fn text(body: &Map<String, Value>, name: &str) -> Result<Option<String>, ApiError> {
    match body.get(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone()).filter(|text| !text.is_empty())),
        // parameters of OAuth are strings (D-280)
        Some(_) => Err(ApiError::because(Code::InvalidRequest, format!("`{name}` must be a string"))),
    }
}
