//! Who calls the bot API: a bot by its token, or an app by its client credentials; and how often they may.

use poem::http::header;

use super::Bot;
use crate::{
    contract::{Admission, Door, Fault, LimitRow, Principal},
    domain::{
        refusal::Code,
        scopes::Scopes,
        token::{self, Kind},
    },
    generated::bot::Security,
    platform::limits::{EDIT, Key, LIST, OAUTH, OAUTH_FAILURES, SEND_REQUESTS, SINGLE, Window},
    room::{basic, bearer, caller_address, over, tell, within},
    workspace::{access::BotCaller, installs::Client},
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
        let Some(owner) = room.world.token_owner(token::hash(token)).await? else {
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
        let (limits, now) = (&room.world.limits, room.world.clock.now());
        // one count per installation and route (D-191)
        let key = Key::id(operation.id, self.installation_id.0);
        let row: Window = match operation.limit {
            Some(LimitRow::List) => LIST,
            Some(LimitRow::Single) => SINGLE,
            Some(LimitRow::Edit) => EDIT,
            // what is sent is counted at the very end; here only a flood of requests is stopped (D-055)
            Some(LimitRow::Send) => {
                return match limits.take_all(&[(key, SEND_REQUESTS)], now) {
                    Ok(standings) => {
                        tell(&standings);
                        Ok(())
                    }
                    Err(wait) => Err(over(&wait)),
                };
            }
            _ => return Ok(()),
        };
        within(limits.check(row, key, now))
    }
}

impl Principal<Bot> for Client {
    const IN_BODY: bool = true;

    async fn authenticate(room: &Bot, admission: &Admission<'_>) -> Result<Self, Fault> {
        let Some((id, secret)) = credentials(admission) else {
            return Err(Code::InvalidClient.into());
        };
        let found = room.world.authenticate_client(&id, &secret).await;
        if let Err(crate::store::Error::Refused(_)) = &found {
            // per client id and address: a stranger must not lock an app out (D-160)
            let address = caller_address(admission.request).to_string();
            let key = Key::texts(admission.operation.id, &[&id, &address]);
            let failures = room.world.limits.check(OAUTH_FAILURES, key, room.world.clock.now());
            if !failures.allowed() {
                within(failures)?;
            }
        }
        Ok(found?)
    }

    async fn throttle(&self, room: &Bot, admission: &Admission<'_>) -> Result<(), Fault> {
        let key = Key::id(admission.operation.id, self.app_id.0);
        within(room.world.limits.check(OAUTH, key, room.world.clock.now()))
    }
}

/// Client id and secret: HTTP Basic wins over the body (D-147). Another scheme is no client (B-356).
fn credentials(admission: &Admission<'_>) -> Option<(String, String)> {
    let headers = admission.request.headers();
    if headers.contains_key(header::AUTHORIZATION) {
        return basic(headers);
    }
    Some((admission.body_member("client_id")?, admission.body_member("client_secret")?))
}
