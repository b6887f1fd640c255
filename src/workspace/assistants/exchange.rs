//! Exchanging a code for the tokens of a new connection (`/token`, RFC 6749 §4.1.3).
//!
//! Called by the assistant room. A refusal that changes something (a code presented twice ends its connection) is an
//! outcome of the operation and not an error of it, so that the change is stored.

use super::{
    clients::OauthClient,
    consent::held_availability,
    tokens::{Decided, GrantError, Hashes, TokenSet, is_for},
};
use crate::{
    domain::{
        grant::{Access, ClientKind, EndReason, REFRESH_LIFE, Resource},
        ids::ConnectionId,
        pkce, redirect,
        refusal::Code,
        token::{self, Kind},
    },
    platform::secrets::{self, Secret},
    store::{
        Op, Result, Sql, assistant_clients,
        authorizations::{self, AuthorizationCode},
        connections::{self, Connection, Origin, Which},
        mcp_sessions,
    },
    workspace::{Stamp, World, refuse},
};

/// The first generation of a connection's tokens.
const FIRST: i64 = 1;

/// What a client sends to exchange a code.
#[derive(Clone, Debug)]
pub struct CodeGrant {
    pub code: Secret,
    /// That of the authorization request, to the byte.
    pub redirect_uri: String,
    pub code_verifier: Secret,
    /// That of the authorization request when it is sent.
    pub resource: Option<String>,
}

impl World {
    /// Exchanges a code for the tokens of a new connection. An older connection of the same client, employee and
    /// redirect URI is replaced by it (D-313, D-314). A code presented again ends the connection it made (D-292 …
    /// D-294); one that was refused can still be used rightly (D-289).
    ///
    /// # Errors
    /// Those of the store; `invalid_client` when the client was deleted just now.
    pub async fn exchange_authorization_code(
        &self,
        client: OauthClient,
        grant: CodeGrant,
    ) -> Result<Decided<TokenSet>> {
        if token::parse(grant.code.expose()) != Some(Kind::AssistantCode) {
            return Ok(Err(GrantError::InvalidGrant));
        }
        let at = self.stamp();
        let id = ConnectionId(at.id()?);
        let minted = self.token_seeds().mint(id);
        let op = ExchangeAuthorizationCode {
            client,
            code_hash: token::hash(grant.code.expose()),
            resource: self.asked_resource(grant.resource.as_deref()),
            grant,
            hashes: minted.hashes(),
            id,
            at,
        };
        Ok(self.db.write(op).await?.map(|scopes| minted.with(scopes)))
    }
}

struct ExchangeAuthorizationCode {
    at: Stamp,
    client: OauthClient,
    grant: CodeGrant,
    code_hash: [u8; 32],
    resource: Option<Option<Resource>>,
    hashes: Hashes,
    /// Of the connection that is made.
    id: ConnectionId,
}

impl Op for ExchangeAuthorizationCode {
    const NAME: &'static str = "exchange_authorization_code";
    type Out = Decided<Access>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let Some(code) = authorizations::code(c, &self.code_hash).await? else {
            return self.replayed(c).await;
        };
        if let Err(error) = self.judge(&code) {
            return Ok(Err(error));
        }
        let may = held_availability(c, code.user_id, code.workspace_id, &code.block_key).await?;
        if may.is_err() {
            return Ok(Err(GrantError::InvalidGrant));
        }
        // the gate: of two exchanges only one gets through, and the other one is a replay
        if !authorizations::take_code(c, &self.code_hash).await? {
            return self.replayed(c).await;
        }
        let slot = slot(&code.client_id, &code.redirect_key);
        let now = self.at.now;
        let replaced =
            connections::revoke_all(c, Which::Slot(code.user_id, &slot), EndReason::Replaced, now).await?;
        let connection = self.connection(code);
        let origin = Origin { slot: &slot, code_hash: &self.code_hash };
        connections::insert(c, &connection, origin).await?;
        for older in replaced {
            // the client goes on in the sessions it has, with the new tokens
            mcp_sessions::move_all(c, older, connection.id).await?;
        }
        let scopes = connection.scopes;
        self.hashes.store(c, &connection, FIRST, (scopes, scopes), now).await?;
        // last, because everybody's exchanges meet at this row
        if !assistant_clients::used(c, &connection.client_id, now).await?
            && connection.client_kind == ClientKind::Registered
        {
            return refuse(Code::InvalidClient);
        }
        Ok(Ok(scopes))
    }
}

impl ExchangeAuthorizationCode {
    /// Whether the code is the client's, in time, and comes with what the authorization request had.
    fn judge(&self, code: &AuthorizationCode) -> Decided<()> {
        let fits = code.client_id == self.client.client_id
            && self.at.now < code.expires_at
            && redirect::is_same(&code.redirect_uri, &self.grant.redirect_uri)
            && pkce::matches(&code.challenge, self.grant.code_verifier.expose());
        if !fits {
            return Err(GrantError::InvalidGrant);
        }
        if is_for(self.resource, code.resource) { Ok(()) } else { Err(GrantError::InvalidTarget) }
    }

    /// A code that is not there (any more): where the client presents one that made a connection, that ends.
    async fn replayed<C: Sql>(&self, c: &mut C) -> Result<Decided<Access>> {
        let made = connections::by_code(c, &self.code_hash).await?;
        if let Some(made) = made.filter(|made| made.client_id == self.client.client_id) {
            let reason = EndReason::CodeReused;
            connections::revoke(c, (made.id, made.user_id), reason, self.at.now).await?;
        }
        Ok(Err(GrantError::InvalidGrant))
    }

    fn connection(&self, code: AuthorizationCode) -> Connection {
        let now = self.at.now;
        Connection {
            id: self.id,
            workspace_id: code.workspace_id,
            user_id: code.user_id,
            client_id: code.client_id,
            client_kind: code.client_kind,
            display_name: code.display_name,
            block_key: code.block_key,
            redirect_uri: code.redirect_uri,
            resource: code.resource,
            scopes: code.scopes,
            generation: FIRST,
            refresh_until: now + REFRESH_LIFE,
            created_at: now,
            refreshed_at: None,
            last_used_at: None,
            revoked_at: None,
            reason: None,
        }
    }
}

/// What a newer connection of the same employee replaces (D-313); of fixed size, whatever the client sent.
fn slot(client_id: &str, redirect_key: &str) -> [u8; 32] {
    // no URI has a line break
    secrets::sha256(format!("{client_id}\n{redirect_key}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_tell_clients_and_redirect_keys_apart() {
        assert_eq!(slot("a", "b"), slot("a", "b"));
        assert_ne!(slot("a", "b"), slot("a", "c"));
        assert_ne!(slot("ab", "c"), slot("a", "bc"));
    }
}
