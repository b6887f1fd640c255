//! Exchanges an authorization code for the tokens of a new connection (`/token`, RFC 6749 §4.1.3).
//!
//! If a client presents a code that it has already exchanged, the request is rejected, and the connection that was
//! created for the code is revoked. The operation returns this rejection as an `Ok` result, because an `Err` would roll
//! back the revocation.

use super::{
    clients::OauthClient,
    consent::lock_and_check_availability,
    tokens::{GrantError, GrantResult, Hashes, TokenSet, is_for},
};
use crate::{
    domain::{
        grant::{Access, ClientKind, EndReason, REFRESH_LIFE, Resource},
        ids::ConnectionId,
        pkce, redirect,
        refusal::Code,
        token::{self, TokenKind},
    },
    platform::secrets::{self, Secret},
    service::{Stamp, World, refuse},
    store::{
        Op, Result, Sql, assistant_clients,
        authorizations::{self, AuthorizationCode},
        connections::{self, Connection, Origin, RevocationScope},
    },
};

/// The generation of the first tokens of a connection. Each refresh increments the generation.
const FIRST_GENERATION: i64 = 1;

/// A token request with an authorization code.
#[derive(Clone, Debug)]
pub struct CodeGrant {
    pub code: Secret,
    /// Must equal the redirect URI of the authorization request byte for byte.
    pub redirect_uri: String,
    pub code_verifier: Secret,
    /// If present, must equal the resource of the authorization request.
    pub resource: Option<String>,
}

impl World {
    /// Exchanges an authorization code for the tokens of a new connection. The new connection replaces an older
    /// connection of the same client, employee and redirect URI (D-313, D-314).
    ///
    /// If the client presents the code again after the exchange, the connection that was created for the code is
    /// revoked (D-292 … D-294). A request that is rejected for another reason does not spend the code, so the code can
    /// be exchanged until it expires (D-289).
    ///
    /// # Errors
    /// `invalid_client` if the registered client was deleted after it was authenticated; store errors.
    pub async fn exchange_authorization_code(
        &self,
        client: OauthClient,
        grant: CodeGrant,
    ) -> Result<GrantResult<TokenSet>> {
        if token::parse(grant.code.expose()) != Some(TokenKind::AssistantCode) {
            return Ok(Err(GrantError::InvalidGrant));
        }
        let stamp = self.stamp();
        let id = ConnectionId(stamp.id()?);
        let minted = self.token_seeds().mint(id);
        let op = ExchangeAuthorizationCode {
            client,
            code_hash: token::hash(grant.code.expose()),
            resource: self.requested_resource(grant.resource.as_deref()),
            grant,
            hashes: minted.hashes(),
            id,
            stamp,
        };
        Ok(self.db.write(op).await?.map(|scopes| minted.with(scopes)))
    }
}

struct ExchangeAuthorizationCode {
    stamp: Stamp,
    client: OauthClient,
    grant: CodeGrant,
    code_hash: [u8; 32],
    /// `None` if the request names no resource; `Some(None)` if the request names an unknown resource.
    resource: Option<Option<Resource>>,
    /// Hashes of the tokens of the new connection.
    hashes: Hashes,
    /// Id of the new connection.
    id: ConnectionId,
}

impl Op for ExchangeAuthorizationCode {
    const NAME: &'static str = "exchange_authorization_code";
    type Out = GrantResult<Access>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let Some(code) = authorizations::code(c, &self.code_hash).await? else {
            return self.replayed(c).await;
        };
        if let Err(error) = self.check(&code) {
            return Ok(Err(error));
        }
        let available =
            lock_and_check_availability(c, code.user_id, code.workspace_id, &code.block_key).await?;
        if available.is_err() {
            return Ok(Err(GrantError::InvalidGrant));
        }
        // of two concurrent exchanges, only one deletes the code, and the other exchange is a replay
        if !authorizations::take_code(c, &self.code_hash).await? {
            return self.replayed(c).await;
        }
        let slot = slot(&code.client_id, &code.redirect_key);
        let now = self.stamp.now;
        connections::revoke_all(c, RevocationScope::Slot(code.user_id, &slot), EndReason::Replaced, now)
            .await?;
        let connection = self.connection(code);
        let origin = Origin { slot: &slot, code_hash: &self.code_hash };
        connections::insert(c, &connection, origin).await?;
        let scopes = connection.scopes;
        self.hashes.store(c, &connection, FIRST_GENERATION, (scopes, scopes), now).await?;
        // Updates the client's row last. The update locks the row until the commit, and the client's other exchanges
        // wait for this lock.
        if !assistant_clients::used(c, &connection.client_id, now).await?
            && connection.client_kind == ClientKind::Registered
        {
            return refuse(Code::InvalidClient);
        }
        Ok(Ok(scopes))
    }
}

impl ExchangeAuthorizationCode {
    /// Checks that the code belongs to the client and has not expired. Also checks the request's redirect URI, code
    /// verifier and resource.
    fn check(&self, code: &AuthorizationCode) -> GrantResult<()> {
        let matches = code.client_id == self.client.client_id
            && self.stamp.now < code.expires_at
            && redirect::is_same(&code.redirect_uri, &self.grant.redirect_uri)
            && pkce::matches(&code.challenge, self.grant.code_verifier.expose());
        if !matches {
            return Err(GrantError::InvalidGrant);
        }
        if is_for(self.resource, code.resource) { Ok(()) } else { Err(GrantError::InvalidTarget) }
    }

    /// Rejects a code that is not stored. If this client exchanged the code before, revokes the connection that was
    /// created for the code.
    async fn replayed<C: Sql>(&self, c: &mut C) -> Result<GrantResult<Access>> {
        let connection = connections::by_code(c, &self.code_hash).await?;
        if let Some(connection) =
            connection.filter(|connection| connection.client_id == self.client.client_id)
        {
            let reason = EndReason::CodeReused;
            connections::revoke(c, (connection.id, connection.user_id), reason, self.stamp.now).await?;
        }
        Ok(Err(GrantError::InvalidGrant))
    }

    fn connection(&self, code: AuthorizationCode) -> Connection {
        let now = self.stamp.now;
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
            generation: FIRST_GENERATION,
            refresh_until: now + REFRESH_LIFE,
            created_at: now,
            refreshed_at: None,
            last_used_at: None,
            revoked_at: None,
            reason: None,
        }
    }
}

/// Returns the slot of a connection: a hash of the client id and the redirect key. An employee has at most one active
/// connection with the same slot: a new connection replaces the older one (D-313). The redirect key is the redirect
/// URI, without its port if it is a loopback URI. The slot is a hash, because the size of a hash does not depend on the
/// values that the client sent.
fn slot(client_id: &str, redirect_key: &str) -> [u8; 32] {
    // different pairs never result in the same text, because neither value contains a line break
    secrets::sha256(format!("{client_id}\n{redirect_key}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_unique_per_client_and_redirect_key() {
        assert_eq!(slot("a", "b"), slot("a", "b"));
        assert_ne!(slot("a", "b"), slot("a", "c"));
        assert_ne!(slot("ab", "c"), slot("a", "bc"));
    }
}
