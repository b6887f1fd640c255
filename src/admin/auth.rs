//! Authentication of the admin API, protection against CSRF, rate limits, and the check of which kinds of callers an
//! operation accepts.
//!
//! The service layer checks the rights of a caller on individual objects, in the types of
//! [`callers`](crate::service::callers).

use std::sync::Arc;

use futures_util::future::BoxFuture;
use poem::http::{Method, header::AUTHORIZATION};

use super::{Admin, files::UPLOAD_LIMITS};
use crate::{
    api::{
        bearer, caller_address, note_persons, rate_limited, report_limits, report_more_limits,
        unsupported_limit,
    },
    contract::{
        self, ApiError, BodyLimits, Credential, OperationInfo, RequestContext, RequestPolicy, SMALL_BODY,
        answer::{self, Confirmation, LoggedCaller, Rejection},
    },
    domain::{
        refusal::{Code, Refusal},
        token::{self, TokenKind},
    },
    generated::admin::Security,
    platform::limits::{OperationLimits, limits_of},
    service::{
        World,
        callers::{Caller, CallerKind, confirm::ReadTime},
    },
};

/// Header with the CSRF token. Every request that is authenticated by a session cookie needs the header, except GET.
const CSRF_TOKEN: &str = "x-csrf-token";

impl Security for Admin {
    type Credentials = Caller;
}

impl RequestPolicy for Admin {
    fn available(&self, operation: &'static OperationInfo) -> bool {
        let settings = &self.world.settings;
        let moves_clock = matches!(operation.id, "getClock" | "updateClock");
        !operation.sandbox || (!settings.production && (!moves_clock || settings.test_clock))
    }

    fn body_limits(&self, operation: &'static OperationInfo) -> BodyLimits {
        match limits_of(operation.limit) {
            _ if operation.raw => UPLOAD_LIMITS,
            // sign-in is unauthenticated, and its body contains only an e-mail address and a password
            OperationLimits::SignIn(_) => BodyLimits { bytes: SMALL_BODY, ..BodyLimits::default() },
            _ => BodyLimits::default(),
        }
    }

    /// Counts a sign-in attempt against the limit of its network address, before the body is read. An attempt from an
    /// IPv6 address also counts against the limit of the address's /48 network.
    async fn before(&self, context: &RequestContext<'_>) -> Result<(), ApiError> {
        let OperationLimits::SignIn(_) = limits_of(context.operation.limit) else { return Ok(()) };
        match self.world.admit_sign_in_from(caller_address(context.request)).await {
            Ok(statuses) => {
                report_limits(&statuses);
                Ok(())
            }
            Err(wait) => Err(rate_limited(&wait)),
        }
    }

    /// Counts a sign-in attempt against the limit of attempts from one network address for one e-mail address. Sign-in
    /// is the only unauthenticated operation.
    async fn throttle_unauthenticated(&self, context: &RequestContext<'_>) -> Result<(), ApiError> {
        match limits_of(context.operation.limit) {
            OperationLimits::SignIn(_) => {}
            OperationLimits::Unlimited => return Ok(()),
            _ => return Err(unsupported_limit(context.operation)),
        }
        let Some(email) = context.body_member("email") else { return Ok(()) };
        let address = caller_address(context.request);
        answer::record_address(address);
        match self.world.admit_sign_in(email, address).await {
            Ok(statuses) => {
                report_more_limits(&statuses);
                Ok(())
            }
            Err(wait) => {
                report_more_limits(&wait.statuses);
                Err(Refusal::rate_limited(wait.retry_after()).into())
            }
        }
    }
}

impl contract::Principal<Admin> for Caller {
    async fn authenticate(api: &Admin, context: &RequestContext<'_>) -> Result<Self, ApiError> {
        let as_of = api.world.as_of();
        let caller = caller_of(api, context).await?;
        match caller.kind() {
            CallerKind::Operator => answer::caller(LoggedCaller::Operator),
            CallerKind::Admin | CallerKind::Person => {
                note_persons(caller.persons());
                let (world, caller) = (Arc::clone(&api.world), caller.clone());
                answer::confirm_with(CallerConfirmation { world, caller, as_of });
            }
        }
        Ok(caller)
    }

    fn authorize(&self, _: &Admin, context: &RequestContext<'_>) -> Result<(), ApiError> {
        if is_accepted(self.kind(), context.operation.credentials) {
            Ok(())
        } else {
            Err(Code::Forbidden.into())
        }
    }

    async fn throttle(&self, api: &Admin, context: &RequestContext<'_>) -> Result<(), ApiError> {
        let limit = match limits_of(context.operation.limit) {
            OperationLimits::Admin(limit) => limit,
            OperationLimits::Unlimited => return Ok(()),
            _ => return Err(unsupported_limit(context.operation)),
        };
        let takes = [limit.key_and_counter(self.cursor_owner())];
        match api.world.limits.take_all(&takes, api.world.clock.now()) {
            Ok(_) => Ok(()),
            Err(wait) => Err(rate_limited(&wait)),
        }
    }
}

/// Confirms, before a response is sent, that the session still has the rights with which it was authenticated. The
/// response of a write needs no such confirmation, because the write confirms the caller in its own transaction. So
/// the response of a write is sent even if the session ended after the commit.
struct CallerConfirmation {
    world: Arc<World>,
    caller: Caller,
    as_of: ReadTime,
}

impl Confirmation for CallerConfirmation {
    fn is_current(&self) -> bool {
        self.caller.has_written() || self.world.is_current(&self.as_of)
    }

    fn confirm(&mut self) -> BoxFuture<'_, Result<(), Rejection>> {
        Box::pin(async move {
            self.as_of = self.world.as_of();
            self.caller.confirm().await.map_err(|error| ApiError::from(error).into())
        })
    }

    fn hold(&mut self) -> BoxFuture<'_, Result<bool, Rejection>> {
        Box::pin(async move { self.caller.hold().await.map_err(|error| ApiError::from(error).into()) })
    }
}

async fn caller_of(api: &Admin, context: &RequestContext<'_>) -> Result<Caller, ApiError> {
    let headers = context.request.headers();
    if let Some(token) = api.cookies.session(headers).filter(|_| !headers.contains_key(AUTHORIZATION)) {
        return by_cookie(api, context, token).await;
    }
    let bearer = bearer(headers)?;
    match TokenKind::from_prefix(bearer) {
        Some(TokenKind::Operator) => {
            api.world.operator_by_key(bearer).ok_or_else(|| Code::InvalidAuth.into())
        }
        Some(TokenKind::Session) if token::parse(bearer).is_some() => {
            Ok(api.world.session(token::hash(bearer)).await?)
        }
        _ => Err(Code::InvalidAuth.into()),
    }
}

/// Authenticates a browser's session cookie. Another site can make a browser send a request with the cookie. So every
/// request except GET also needs a CSRF token. Only the server's own pages contain this token (D-269).
async fn by_cookie(api: &Admin, context: &RequestContext<'_>, cookie: &str) -> Result<Caller, ApiError> {
    if token::parse(cookie) != Some(TokenKind::Session) {
        return Err(Code::InvalidAuth.into());
    }
    let session = token::hash(cookie);
    let caller = api.world.session(session).await?;
    let mut tokens = context.request.headers().get_all(CSRF_TOKEN).iter();
    let given = tokens.next().filter(|_| tokens.next().is_none()).and_then(|token| token.to_str().ok());
    let is_valid = given.is_some_and(|given| api.world.is_csrf_token_valid(&session, "", given));
    if is_valid || *context.request.method() == Method::GET {
        Ok(caller)
    } else {
        let why = "with a session cookie, X-CSRF-Token must be a token from a page of this session";
        Err(ApiError::because(Code::Forbidden, why))
    }
}

/// Returns whether an operation with these `credentials` accepts a caller of this kind. An operation for persons also
/// accepts admins. An account that is an admin in only some of its companies counts as an admin here. So the service
/// layer checks the role in each company.
fn is_accepted(caller_kind: CallerKind, credentials: &[Credential]) -> bool {
    let accepted: &[Credential] = match caller_kind {
        CallerKind::Operator => &[Credential::Operator],
        CallerKind::Admin => &[Credential::Admin, Credential::Person],
        CallerKind::Person => &[Credential::Person],
    };
    credentials.iter().any(|credential| accepted.contains(credential))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_accept_the_documented_kinds_of_callers() {
        use Credential::{Admin, Operator, Person};

        for (credentials, operator_may, admin_may, person_may) in [
            (&[Operator][..], true, false, false),
            (&[Operator, Admin], true, true, false),
            (&[Operator, Admin, Person], true, true, true),
            (&[Operator, Person], true, true, true),
            (&[Admin, Person], false, true, true),
        ] {
            assert_eq!(is_accepted(CallerKind::Operator, credentials), operator_may, "{credentials:?}");
            assert_eq!(is_accepted(CallerKind::Admin, credentials), admin_may, "{credentials:?}");
            assert_eq!(is_accepted(CallerKind::Person, credentials), person_may, "{credentials:?}");
        }
    }
}
