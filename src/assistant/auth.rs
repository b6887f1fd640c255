//! How often anybody may ask, and which client does: by HTTP Basic, by the body, or by its id alone.

use poem::http::header;
use serde_json::{Map, Value};

use super::Assistant;
use crate::{
    contract::{Admission, Door, Fault, LimitRow, Principal},
    domain::refusal::{Code, Refusal},
    generated::assistant::Security,
    platform::limits::{CLIENT, Decision, Key, REGISTER, TOKEN},
    room::{basic, caller_address},
    workspace::assistants::clients::OauthClient,
};

impl Security for Assistant {
    type Client = OauthClient;
}

impl Door for Assistant {
    /// Limits by address come before anything of the request is judged (D-374).
    async fn before(&self, admission: &Admission<'_>) -> Result<(), Fault> {
        let row = match admission.operation.limit {
            Some(LimitRow::Register) => REGISTER,
            Some(LimitRow::Token | LimitRow::Revoke) => TOKEN,
            _ => return Ok(()),
        };
        // one count per endpoint (D-372)
        let key = Key::address(admission.operation.id, caller_address(admission.request));
        admit(&self.world.limits.check(row, key, self.world.clock.now()).await)
    }
}

impl Principal<Assistant> for OauthClient {
    const IN_BODY: bool = true;

    async fn authenticate(room: &Assistant, admission: &Admission<'_>) -> Result<Self, Fault> {
        let Some((client_id, secret)) = credentials(admission)? else {
            return Err(Code::InvalidClient.into());
        };
        // before the credentials are judged (D-374)
        let key = Key::texts(admission.operation.id, &[&client_id]);
        admit(&room.world.limits.check(CLIENT, key, room.world.clock.now()).await)?;
        Ok(room.world.authenticate_assistant_client(&client_id, secret.as_deref()).await?)
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
