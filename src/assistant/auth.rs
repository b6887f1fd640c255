//! How often anybody may ask, and which client does: by HTTP Basic, by the body, or by its id alone.
//!
//! A client has two counts of 20 per minute, each per endpoint: one by address, of everything that names it, and one
//! for all addresses together, of what proved to be its own (docs/decisions/0007-strangers-and-limits.md).

use poem::http::header;
use serde_json::{Map, Value};

use super::Assistant;
use crate::{
    contract::{Admission, Door, Fault, LimitRow, OperationInfo, Principal},
    domain::refusal::{Code, Refusal},
    generated::assistant::Security,
    platform::{
        client_ip,
        limits::{CLIENT, CLIENT_ADDRESS, Decision, Key, REGISTER, TOKEN},
    },
    room::{basic, caller_address, misplaced_limit},
    workspace::assistants::clients::OauthClient,
};

impl Security for Assistant {
    type Client = OauthClient;
}

impl Door for Assistant {
    /// Limits by address come before anything of the request is judged (D-374).
    async fn before(&self, admission: &Admission<'_>) -> Result<(), Fault> {
        let row = match admission.operation.limit {
            LimitRow::Register => REGISTER,
            LimitRow::Token | LimitRow::Revoke => TOKEN,
            LimitRow::Unlimited => return Ok(()),
            // the endpoints served by hand count for themselves
            LimitRow::Authorize
            | LimitRow::Mcp
            | LimitRow::List
            | LimitRow::Single
            | LimitRow::Edit
            | LimitRow::Send
            | LimitRow::Oauth
            | LimitRow::Admin
            | LimitRow::SignIn => return Err(misplaced_limit(admission.operation)),
        };
        // one count per endpoint (D-372)
        let key = Key::address(admission.operation.id, caller_address(admission.request));
        admit(&self.world.limits.check_exact(row, key, self.world.clock.now()).await)
    }

    /// Every operation was counted before anything else.
    async fn throttle_anyone(&self, _: &Admission<'_>) -> Result<(), Fault> {
        Ok(())
    }
}

impl Principal<Assistant> for OauthClient {
    const IN_BODY: bool = true;

    async fn authenticate(room: &Assistant, admission: &Admission<'_>) -> Result<Self, Fault> {
        let Some((client_id, secret)) = credentials(admission)? else {
            return Err(Code::InvalidClient.into());
        };
        let (limits, now) = (&room.world.limits, room.world.clock.now());
        // before the credentials are judged (D-374), and by address as well: client ids are no secret, and a stranger
        // must not use up what the client may ask
        let network = client_ip::network(caller_address(admission.request)).to_string();
        let own = Key::texts(admission.operation.id, &[&client_id, &network]);
        admit(&limits.check_exact(CLIENT_ADDRESS, own, now).await)?;
        let client = room.world.authenticate_assistant_client(&client_id, secret.as_deref()).await?;
        let shared = shared(admission.operation.id, &client);
        // an id alone proves nothing: what a public client asks is counted once its code or token was good
        admit(&match client.is_public {
            true => limits.peek_exact(CLIENT, shared, now).await,
            false => limits.check_exact(CLIENT, shared, now).await,
        })?;
        Ok(client)
    }
}

/// What all addresses of a client share.
fn shared(operation: &'static str, client: &OauthClient) -> Key {
    Key::texts(operation, &[&client.client_id])
}

impl Assistant {
    /// Counts a request in which a public client proved itself, by a code or token of its own.
    pub(super) async fn count_proved(&self, operation: &'static OperationInfo, client: &OauthClient) {
        if client.is_public {
            // it was let in already; one more at the same time is not worth refusing what has been done
            self.world.limits.check_exact(CLIENT, shared(operation.id, client), self.world.clock.now()).await;
        }
    }
}

/// Refuses what is over a limit, with `slow_down` on the wire.
fn admit(decision: &Decision) -> Result<(), Fault> {
    match decision.retry_after() {
        None => Ok(()),
        Some(seconds) => Err(Refusal::rate_limited(seconds).into()),
    }
}

/// Client id and secret. HTTP Basic wins over the body (A-212, D-285); another scheme is no client.
fn credentials(admission: &Admission<'_>) -> Result<Option<(String, Option<String>)>, Fault> {
    // a body that cannot be read is told before its sender is judged
    let mut body = admission.body_members()?;
    let headers = admission.request.headers();
    if headers.contains_key(header::AUTHORIZATION) {
        return Ok(basic(headers).map(|(id, secret)| (id, Some(secret))));
    }
    let Some(id) = text(&mut body, "client_id")? else { return Ok(None) };
    Ok(Some((id, text(&mut body, "client_secret")?)))
}

/// A parameter; an empty one is as good as none (OAuth 2.1 §3.2).
fn text(body: &mut Map<String, Value>, name: &str) -> Result<Option<String>, Fault> {
    match body.remove(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text).filter(|text| !text.is_empty())),
        // D-280
        Some(_) => Err(Fault::because(Code::InvalidRequest, format!("`{name}` must be a string"))),
    }
}
