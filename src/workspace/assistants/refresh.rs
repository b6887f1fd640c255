//! Exchanging a refresh token for new tokens (`/token`, RFC 6749 §6).
//!
//! Called by the assistant room. A spent refresh token ends the connection, also one that is not stored any more; that
//! refusal is an outcome of the operation and not an error of it, so that the end is stored.

use super::{
    clients::OauthClient,
    tokens::{Decided, GrantError, Seeds, TokenSet, is_for},
};
use crate::{
    domain::{
        grant::{Access, EndReason, REFRESH_LIFE, Resource},
        ids::{ConnectionId, UserId},
        time::Timestamp,
        token::{self, Kind},
    },
    platform::secrets::Secret,
    store::{
        Op, Result, Sql, assistant_clients,
        connections::{self, Connection},
    },
    workspace::World,
};

/// What a client sends to refresh its tokens.
#[derive(Clone, Debug)]
pub struct RefreshGrant {
    pub refresh_token: Secret,
    /// Not wider than the grant's; all of it when it is not sent.
    pub scope: Option<String>,
    /// The grant's when it is sent.
    pub resource: Option<String>,
}

impl World {
    /// Exchanges a refresh token for new tokens; the old ones stop at once. A spent refresh token presented again ends
    /// the connection, without grace and however old it is. A request that is refused for another reason
    /// spends nothing (D-298).
    ///
    /// # Errors
    /// Those of the store; unavailable while the clock is off ([`World::trusted_now`]).
    pub async fn refresh_connection(
        &self,
        client: OauthClient,
        grant: RefreshGrant,
    ) -> Result<Decided<TokenSet>> {
        if token::parse(grant.refresh_token.expose()) != Some(Kind::refresh(self.settings.production)) {
            return Ok(Err(GrantError::InvalidGrant));
        }
        let op = RefreshConnection {
            now: self.trusted_now()?,
            client: client.clone(),
            token_hash: token::hash(grant.refresh_token.expose()),
            scope: grant.scope.as_deref().map(Access::parse),
            resource: self.asked_resource(grant.resource.as_deref()),
            seeds: self.token_seeds(),
        };
        match self.db.write(op).await? {
            Refreshed::Tokens(tokens) => Ok(Ok(tokens)),
            Refreshed::Refused(error) => Ok(Err(error)),
            Refreshed::Unknown => {
                let token = &grant.refresh_token;
                let is_own = self.end_by_forgotten(client, token, EndReason::RefreshReused).await?;
                Ok(Err(if is_own { GrantError::OverGrant } else { GrantError::InvalidGrant }))
            }
            Refreshed::Over(whose, reason) => {
                self.end_connection(whose, reason).await?;
                Ok(Err(GrantError::OverGrant))
            }
        }
    }
}

struct RefreshConnection {
    now: Timestamp,
    client: OauthClient,
    token_hash: [u8; 32],
    /// Sent, and whether it could be read.
    scope: Option<Option<Access>>,
    resource: Option<Option<Resource>>,
    seeds: Seeds,
}

/// What became of a refresh.
enum Refreshed {
    Tokens(TokenSet),
    Refused(GrantError),
    /// The token is not stored.
    Unknown,
    /// The connection cannot go on; to be stored by an operation of its own.
    Over((ConnectionId, UserId), EndReason),
}

impl Op for RefreshConnection {
    const NAME: &'static str = "refresh_connection";
    type Out = Refreshed;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Refreshed> {
        const STRANGE: Refreshed = Refreshed::Refused(GrantError::InvalidGrant);
        const OVER: Refreshed = Refreshed::Refused(GrantError::OverGrant);
        let Some(token) = connections::token(c, &self.token_hash).await? else {
            return Ok(Refreshed::Unknown);
        };
        if !token.is_refresh {
            return Ok(STRANGE);
        }
        // held: of two refreshes with one token the second one sees the generation of the first
        let Some(connection) = connections::by_id_for_update(c, token.connection_id).await? else {
            return Ok(STRANGE);
        };
        if connection.client_id != self.client.client_id {
            return Ok(STRANGE);
        }
        if token.generation != connection.generation {
            let whose = (connection.id, connection.user_id);
            connections::revoke(c, whose, EndReason::RefreshReused, self.now).await?;
            return Ok(OVER);
        }
        if connection.revoked_at.is_some() {
            return Ok(OVER);
        }
        if let Some(reason) = self.objection(c, &connection).await? {
            return Ok(Refreshed::Over((connection.id, connection.user_id), reason));
        }
        match self.judge(&connection) {
            Err(error) => Ok(Refreshed::Refused(error)),
            Ok(scopes) => Ok(Refreshed::Tokens(self.rotate(c, &connection, scopes).await?)),
        }
    }
}

impl RefreshConnection {
    /// Why the connection cannot go on, if it cannot.
    async fn objection<C: Sql>(&self, c: &mut C, connection: &Connection) -> Result<Option<EndReason>> {
        let found = connections::circumstances(c, connection.user_id, &connection.block_key).await?;
        Ok(found.map_or(Some(EndReason::NotEmployee), |circumstances| {
            circumstances.end_of(connection.created_at, connection.refresh_until, self.now)
        }))
    }

    /// The scopes of the new access token.
    fn judge(&self, connection: &Connection) -> Decided<Access> {
        let granted = connection.scopes;
        let scopes = match self.scope {
            None => granted,
            Some(Some(asked)) if granted.contains_all(asked) => asked,
            Some(_) => return Err(GrantError::InvalidScope),
        };
        if is_for(self.resource, connection.resource) { Ok(scopes) } else { Err(GrantError::InvalidTarget) }
    }

    /// Makes new tokens and makes them the current ones. The grant keeps all its scopes (D-297).
    async fn rotate<C: Sql>(&self, c: &mut C, connection: &Connection, scopes: Access) -> Result<TokenSet> {
        let (id, next) = (connection.id, connection.generation + 1);
        let minted = self.seeds.mint(id);
        connections::rotate(c, id, next, self.now + REFRESH_LIFE, self.now).await?;
        minted.hashes().store(c, connection, next, (scopes, connection.scopes), self.now).await?;
        assistant_clients::used(c, &connection.client_id, self.now).await?;
        Ok(minted.with(scopes))
    }
}
