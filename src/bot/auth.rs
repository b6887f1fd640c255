//! Who calls the bot API: a bot by its token, or an app by its client credentials; and how often they may.

use poem::http::{Method, header};

use super::Bot;
use crate::{
    contract::{Admission, Door, Fault, LimitRow, Principal},
    domain::{
        refusal::{Code, Refusal},
        scopes::Scopes,
        token::{self, Kind},
    },
    generated::bot::Security,
    platform::{
        client_ip,
        limits::{
            Decision, EDIT, Key, LIST, OAUTH, OAUTH_FAILURES, Rate, SEND_DESTINATION, SEND_INSTALLATION,
            SEND_REQUESTS, SINGLE, Standing,
        },
    },
    room::{basic, bearer, caller_address, misplaced_limit, tell_among, within},
    store::Error,
    workspace::{access::BotCaller, installs::Client, send::installation_budget},
};

impl Door for Bot {}

impl Security for Bot {
    type BotToken = BotCaller;
    type ClientCredentials = Client;
}

impl Principal<Bot> for BotCaller {
    async fn authenticate(room: &Bot, admission: &Admission<'_>) -> Result<Self, Fault> {
        let token = bearer(admission.request.headers())?;
        // a token of another environment does not exist here (D-036)
        if token::parse(token) != Some(Kind::bot(room.world.settings.production)) {
            return Err(Code::InvalidAuth.into());
        }
        let Some((owner, position)) = room.world.token_owner(token::hash(token)).await? else {
            return Err(Code::InvalidAuth.into());
        };
        if !owner.connected {
            return Err(Code::TokenRevoked.into());
        }
        Ok(Self {
            installation_id: owner.installation_id,
            workspace_id: owner.workspace_id,
            app_id: owner.app_id,
            user_id: owner.bot_user_id,
            scopes: owner.scopes,
            // a body may still be on its way, and what its sender did meanwhile is behind the position
            position: position.filter(|_| *admission.request.method() == Method::GET),
        })
    }

    fn authorize(&self, _: &Bot, admission: &Admission<'_>) -> Result<(), Fault> {
        let needed = Scopes::from_names(admission.operation.scopes.iter().copied()).unwrap_or(Scopes::ALL);
        if self.scopes.contains_all(needed) {
            return Ok(());
        }
        Err(Fault::because(Code::MissingScope, format!("the token lacks the scope {needed}")))
    }

    async fn throttle(&self, room: &Bot, admission: &Admission<'_>) -> Result<(), Fault> {
        let operation = admission.operation;
        let row = match operation.limit {
            LimitRow::List => LIST,
            LimitRow::Single => SINGLE,
            LimitRow::Edit => EDIT,
            LimitRow::Send => return throttle_send(room, self),
            LimitRow::Unlimited => return Ok(()),
            LimitRow::Oauth
            | LimitRow::Register
            | LimitRow::Token
            | LimitRow::Revoke
            | LimitRow::Authorize
            | LimitRow::Mcp
            | LimitRow::Admin
            | LimitRow::SignIn => return Err(misplaced_limit(operation)),
        };
        // one count per installation and route (D-191)
        let key = Key::id(operation.id, self.installation_id.0);
        within(room.world.limits.check(row, key, room.world.clock.now()))
    }
}

/// Stops only a flood of requests to send (D-055): what is sent is counted once it is known to be no repeat.
fn throttle_send(room: &Bot, caller: &BotCaller) -> Result<(), Fault> {
    let (limits, now) = (&room.world.limits, room.world.clock.now());
    let (ceiling, refused) = match limits.take_all(&[ceiling(caller)], now) {
        Ok(taken) => (taken.standings, None),
        Err(wait) => (wait.standings.clone(), Some(wait.retry_after())),
    };
    tell_send(room, ceiling, limits.peek_all(&[installation_budget(caller)], now));
    refused.map_or(Ok(()), |seconds| Err(Refusal::rate_limited(seconds).into()))
}

/// What bounds the requests to send of one installation, of any outcome.
fn ceiling(caller: &BotCaller) -> (Key, Rate) {
    (Key::id("send_requests", caller.installation_id.0), SEND_REQUESTS)
}

/// Tells what a send left of its limits, in place of what was told at the door; `budgets` is empty when it came to none.
pub(super) fn tell_sent(room: &Bot, caller: &BotCaller, budgets: Vec<Standing>) {
    if !budgets.is_empty() {
        let (limits, now) = (&room.world.limits, room.world.clock.now());
        tell_send(room, limits.peek_all(&[ceiling(caller)], now), budgets);
    }
}

/// All three limits of a send are its policies from the start; what a destination has left is not known before it is
/// (D-196).
fn tell_send(room: &Bot, mut ceiling: Vec<Standing>, budgets: Vec<Standing>) {
    let policies = room.world.limits.full(&[SEND_REQUESTS, SEND_INSTALLATION, SEND_DESTINATION]);
    ceiling.extend(budgets);
    tell_among(&policies, &ceiling);
}

impl Principal<Bot> for Client {
    const IN_BODY: bool = true;

    async fn authenticate(room: &Bot, admission: &Admission<'_>) -> Result<Self, Fault> {
        let Some((id, secret)) = credentials(admission) else {
            return Err(Code::InvalidClient.into());
        };
        let (limits, clock) = (&room.world.limits, &room.world.clock);
        // per client id and network: a stranger must not lock an app out (D-160)
        let network = client_ip::network(caller_address(admission.request)).to_string();
        let guesses = Key::texts(admission.operation.id, &[&id, &network]);
        // whoever guessed too often is not told any more whether a guess is right
        within_silently(limits.peek_exact(OAUTH_FAILURES, guesses, clock.now()).await)?;
        let found = room.world.authenticate_client(&id, &secret).await;
        if let Err(Error::Refused(_)) = &found {
            within_silently(limits.check_exact(OAUTH_FAILURES, guesses, clock.now()).await)?;
        }
        Ok(found?)
    }

    async fn throttle(&self, room: &Bot, admission: &Admission<'_>) -> Result<(), Fault> {
        let LimitRow::Oauth = admission.operation.limit else {
            return Err(misplaced_limit(admission.operation));
        };
        let key = Key::id(admission.operation.id, self.app_id.0);
        within(room.world.limits.check_exact(OAUTH, key, room.world.clock.now()).await)
    }
}

/// Refuses what is over a limit of failures; one that is kept is nobody's business.
fn within_silently(failures: Decision) -> Result<(), Fault> {
    if failures.allowed() { Ok(()) } else { within(failures) }
}

/// Client id and secret: HTTP Basic wins over the body (D-147). Another scheme is no client (B-356).
fn credentials(admission: &Admission<'_>) -> Option<(String, String)> {
    let headers = admission.request.headers();
    if headers.contains_key(header::AUTHORIZATION) {
        return basic(headers);
    }
    Some((admission.body_member("client_id")?, admission.body_member("client_secret")?))
}
