//! Authentication and rate limits of the bot API: bots by token, apps by client credentials.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use poem::http::Method;
use tokio::sync::OwnedSemaphorePermit;

use super::BotApi;
use crate::{
    api::{
        basic, bearer, caller_address, check_window, has_basic, report_limits, report_policies,
        unsupported_limit,
    },
    contract::{
        ApiError, OperationInfo, Principal, RequestContext, RequestPolicy,
        answer::{self, Confirmation, Rejection},
    },
    domain::{
        refusal::{Code, Refusal},
        scopes::Scopes,
        token::{self, TokenKind},
    },
    generated::bot::Security,
    platform::limits::{
        self, BotOauthLimits, LimitDecision, LimitStatus, OperationLimits, SEND, SendLimits, limits_of,
    },
    service::{
        Error, World,
        apps::installs::AuthenticatedApp,
        bot::access::{Bot, BotCaller},
        callers::confirm::ReadTime,
    },
};

impl RequestPolicy for BotApi {
    async fn admit_large_body(
        &self,
        context: &RequestContext<'_>,
    ) -> Result<Option<OwnedSemaphorePermit>, ApiError> {
        let (limits, now) = (&self.world.limits, self.world.clock.now());
        self.large_bodies.admit(limits, now, context.request).await
    }
}

impl Security for BotApi {
    type BotToken = Bot;
    type ClientCredentials = AuthenticatedApp;
}

impl Principal<BotApi> for Bot {
    async fn authenticate(api: &BotApi, context: &RequestContext<'_>) -> Result<Self, ApiError> {
        let token = bearer(context.request.headers())?;
        // a test token in production, or a live token elsewhere, is invalid (D-036)
        if token::parse(token) != Some(TokenKind::bot(api.world.settings.production)) {
            return Err(Code::InvalidAuth.into());
        }
        let token_hash = token::hash(token);
        let Some(presented) = api.world.token_owner(token_hash).await? else {
            return Err(Code::InvalidAuth.into());
        };
        if !presented.is_connected {
            return Err(Code::TokenRevoked.into());
        }
        let bot = match *context.request.method() {
            Method::GET => presented.bot,
            _ => presented.bot.without_position(),
        };
        // The token is checked again before the response to a GET or to a send (POST). A send that posts a message
        // checks the token in its own transaction, and then removes the check that is set here. A replay needs the
        // check, because its response can come from memory. Edits and deletions check the token in their own
        // transaction.
        if matches!(*context.request.method(), Method::GET | Method::POST) {
            let world = Arc::clone(&api.world);
            answer::confirm_with(InstallationConfirmation {
                world,
                bot: bot.clone(),
                token_hash,
                as_of: presented.as_of,
            });
        }
        Ok(bot)
    }

    fn authorize(&self, _: &BotApi, context: &RequestContext<'_>) -> Result<(), ApiError> {
        let needed = Scopes::from_names(context.operation.scopes.iter().copied()).unwrap_or(Scopes::ALL);
        if self.caller().scopes.contains_all(needed) {
            return Ok(());
        }
        Err(ApiError::because(Code::MissingScope, format!("the token lacks the scope {needed}")))
    }

    fn report_limit(&self, api: &BotApi, context: &RequestContext<'_>) {
        let (limits, now) = (&api.world.limits, api.world.clock.now());
        let installation = self.caller().installation_id;
        match limits_of(context.operation.limit) {
            OperationLimits::Bot(limit) => {
                let limit = limit.of(context.operation.id);
                report_limits(&[limits.peek(limit.counter, limit.key(installation), now).status]);
            }
            OperationLimits::Send(send) => {
                let requests = limits.peek_all(&[send.requests.key_and_counter(installation)], now);
                let sends = limits.peek_all(&[send.installation.key_and_counter(installation)], now);
                report_send_limits(api, &send, requests, sends);
            }
            _ => {}
        }
    }

    async fn throttle(&self, api: &BotApi, context: &RequestContext<'_>) -> Result<(), ApiError> {
        let operation = context.operation;
        match limits_of(operation.limit) {
            OperationLimits::Bot(limit) => {
                let limit = limit.of(operation.id);
                let key = limit.key(self.caller().installation_id);
                check_window(api.world.limits.check(limit.counter, key, self.counted_at()))
            }
            OperationLimits::Send(limits) => throttle_send(api, self, &limits),
            OperationLimits::Unlimited => Ok(()),
            _ => Err(unsupported_limit(operation)),
        }
    }
}

/// Confirms, before the response is sent, that the installation of the token is still connected.
struct InstallationConfirmation {
    world: Arc<World>,
    bot: Bot,
    token_hash: [u8; 32],
    as_of: ReadTime,
}

impl Confirmation for InstallationConfirmation {
    fn is_current(&self) -> bool {
        self.world.is_current(&self.as_of)
    }

    fn confirm(&mut self) -> BoxFuture<'_, Result<(), Rejection>> {
        Box::pin(async move {
            match self.world.token_owner(self.token_hash).await.map_err(ApiError::from)? {
                Some(presented) if presented.is_connected => {
                    self.as_of = presented.as_of;
                    Ok(())
                }
                _ => Err(ApiError::from(Code::TokenRevoked).into()),
            }
        })
    }

    fn hold(&mut self) -> BoxFuture<'_, Result<bool, Rejection>> {
        Box::pin(async move {
            let held = self.bot.hold(self.token_hash).await;
            held.map_err(|error| ApiError::from(error).into())
        })
    }
}

/// Counts a send as a request, against the limit of requests. `SendTokens::take` of the service layer counts the
/// message against the limits of the installation and the destination, unless the send is a replay (D-055).
fn throttle_send(api: &BotApi, bot: &Bot, send: &SendLimits) -> Result<(), ApiError> {
    let (limits, caller, now) = (&api.world.limits, bot.caller(), bot.counted_at());
    let (requests, refused) =
        match limits.take_all(&[send.requests.key_and_counter(caller.installation_id)], now) {
            Ok(taken) => (taken.statuses, None),
            Err(wait) => (wait.statuses.clone(), Some(wait.retry_after())),
        };
    let sends = limits.peek_all(&[send.installation.key_and_counter(caller.installation_id)], now);
    report_send_limits(api, send, requests, sends);
    refused.map_or(Ok(()), |seconds| Err(Refusal::rate_limited(seconds).into()))
}

/// Replaces the rate-limit headers after a send. `send_limits` are the limits against which the message was counted. If
/// the message was not counted, the headers do not change.
pub(super) fn report_sent(api: &BotApi, caller: &BotCaller, send_limits: Vec<LimitStatus>) {
    if !send_limits.is_empty() {
        let (limits, now) = (&api.world.limits, api.world.clock.now());
        let requests = limits.peek_all(&[SEND.requests.key_and_counter(caller.installation_id)], now);
        report_send_limits(api, &SEND, requests, send_limits);
    }
}

/// Sets the rate-limit headers of a send (D-196). `RateLimit-Policy` always lists the three limits of a send: those of
/// requests, of the installation and of the destination. Before the send, `send_limits` lacks the limit of the
/// destination, because the destination is not known yet.
fn report_send_limits(
    api: &BotApi,
    send: &SendLimits,
    mut statuses: Vec<LimitStatus>,
    send_limits: Vec<LimitStatus>,
) {
    let counters = [send.requests.counter, send.installation.counter, send.destination.counter];
    let policies = api.world.limits.full(&counters);
    statuses.extend(send_limits);
    report_policies(&policies, &statuses);
}

impl Principal<BotApi> for AuthenticatedApp {
    const IN_BODY: bool = true;

    async fn authenticate(api: &BotApi, context: &RequestContext<'_>) -> Result<Self, ApiError> {
        let Some((id, secret)) = credentials(context) else {
            return Err(Code::InvalidClient.into());
        };
        let (limits, clock) = (&api.world.limits, &api.world.clock);
        let arrived = clock.now();
        let limit = oauth_limits(context.operation)?.failures.of(context.operation.id);
        let failures = limit.key((&id, caller_address(context.request)));
        // the limit of failures is checked first: after too many failures, the response must not reveal whether the
        // credentials are valid
        check_failure_limit(limits.peek_exact(limit.counter, failures, clock.now()).await)?;
        let found = api.world.authenticate_client(&id, &secret, arrived).await;
        if let Err(Error::Refused(_)) = &found {
            check_failure_limit(limits.check_exact(limit.counter, failures, clock.now()).await)?;
        }
        Ok(found?)
    }

    async fn throttle(&self, api: &BotApi, context: &RequestContext<'_>) -> Result<(), ApiError> {
        let limit = oauth_limits(context.operation)?.app.of(context.operation.id);
        let key = limit.key(self.app_id);
        let at = limits::counted_at(self.arrived, api.world.clock.now());
        check_window(api.world.limits.check_exact(limit.counter, key, at).await)
    }
}

fn oauth_limits(operation: &'static OperationInfo) -> Result<BotOauthLimits, ApiError> {
    match limits_of(operation.limit) {
        OperationLimits::BotOauth(limits) => Ok(limits),
        _ => Err(unsupported_limit(operation)),
    }
}

/// If the limit of failed authentications is exceeded, rejects the request and sets the rate-limit headers of the
/// response.
fn check_failure_limit(failures: LimitDecision) -> Result<(), ApiError> {
    if failures.allowed() { Ok(()) } else { check_window(failures) }
}

/// Returns the client id and the client secret; `None` if one of them is missing or malformed. HTTP Basic takes
/// precedence over the body (D-147). An `Authorization` header with another scheme is ignored, so a bot token
/// authenticates no app (B-356).
fn credentials(context: &RequestContext<'_>) -> Option<(String, String)> {
    let headers = context.request.headers();
    if has_basic(headers) {
        return basic(headers);
    }
    let body = context.body_members().ok()??;
    let member = |name| Some(body.get(name)?.as_str()?.to_owned());
    Some((member("client_id")?, member("client_secret")?))
}
