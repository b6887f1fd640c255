//! Tokens of connections: how they are issued, stored and revoked (`/revoke`).
//!
//! A connection has one current access token and one current refresh token. Every refresh replaces both by tokens of
//! the next generation. Tokens of earlier generations are stored until they expire: an access token expires an hour
//! after it was issued, a refresh token after 30 days. A [maintenance job](crate::service::maintenance) deletes these
//! expired tokens, so the number of stored tokens does not grow with the age of a connection. The job also deletes the
//! tokens of revoked connections.
//!
//! The text of a token contains the id of its connection and a MAC ([`connection_token`]). So the server recognizes a
//! token that it has issued and deleted. If the client presents a deleted refresh token at `/token`, the token's
//! connection is revoked. If the client presents a deleted access or refresh token at `/revoke`, the token's connection
//! is revoked, too.

use std::time::Duration;

use crate::{
    domain::{
        connection_token::{self, RANDOM_LEN, SALT_LEN, ServerKey},
        grant::{ACCESS_LIFE, Access, EndReason, REFRESH_LIFE, Resource},
        ids::{ConnectionId, UserId},
        time::Timestamp,
        token::{self, TokenKind},
    },
    platform::secrets::Secret,
    service::{
        World,
        oauth::{clients::OauthClient, connections::ended},
    },
    store::{
        Op, Result, Sql, StoreError,
        connections::{self, Connection, Token},
        workspaces,
    },
};

/// Issued tokens, of which only hashes are stored.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenSet {
    pub access_token: Secret,
    pub refresh_token: Secret,
    /// Scopes of the access token.
    pub scopes: Access,
    /// How long the access token is valid.
    pub expires_in: Duration,
}

/// Why a token request is rejected (RFC 6749 §5.2, RFC 8707 §2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrantError {
    /// For an authorization code: the code is unknown, has expired, was already exchanged or does not match the
    /// request, or the employee may no longer connect the client. For a refresh token: the token is unknown or belongs
    /// to another client.
    InvalidGrant,
    /// The refresh token belongs to the client, but the token is spent or expired, or its connection has ended. The
    /// client gets the same error as for [`GrantError::InvalidGrant`]. But a token of the client proves that the client
    /// sent the request, so the request counts against the client's rate limit.
    EndedGrant,
    /// The requested scopes are invalid or were not granted.
    InvalidScope,
    /// The requested resource was not granted.
    InvalidTarget,
}

/// Result of a token request.
pub(super) type GrantResult<T> = std::result::Result<T, GrantError>;

impl World {
    /// Revokes the connection of a token, if the token belongs to the client. The token can be current, spent or
    /// expired (D-308). A text that is no token of the client changes nothing (D-309). Returns whether the token
    /// belongs to the client.
    ///
    /// # Errors
    /// Store errors.
    pub async fn revoke_assistant_token(&self, client: OauthClient, token: &Secret) -> Result<bool> {
        let production = self.settings.production;
        let is_connection_token = token::parse(token.expose()).is_some_and(|kind| {
            kind == TokenKind::access(production) || kind == TokenKind::refresh(production)
        });
        if !is_connection_token {
            return Ok(false);
        }
        let token_hash = token::hash(token.expose());
        let op = RevokeAssistantToken {
            now: self.clock.now(),
            expiry_time: self.trusted_now().ok(),
            client: client.clone(),
            token_hash,
        };
        match self.db.write(op).await? {
            Some(is_clients) => Ok(is_clients),
            None => {
                let found = self.revoke_by_deleted_token(client, token, EndReason::Client).await?;
                Ok(found != DeletedToken::NotOfClient)
            }
        }
    }

    /// Revokes the connection of a token that is not stored, if the connection belongs to the client. Such a token is
    /// spent and has expired, or its connection is revoked: all other tokens that the server has issued are stored. The
    /// caller must have found that the token is not stored.
    ///
    /// # Errors
    /// Store errors.
    pub(super) async fn revoke_by_deleted_token(
        &self,
        client: OauthClient,
        token: &Secret,
        reason: EndReason,
    ) -> Result<DeletedToken> {
        let named = connection_token::connection(&self.keys.connection_tokens, token.expose());
        let Some(id) = named else { return Ok(DeletedToken::NotOfClient) };
        // for a reused refresh token, the expiry of the connection is not checked: the token counts as reused even if
        // the connection has expired (D-299)
        let expiry_time = if reason == EndReason::Client { self.trusted_now().ok() } else { None };
        self.db.write(RevokeByDeletedToken { now: self.clock.now(), expiry_time, client, id, reason }).await
    }

    /// Returns the input for a pair of new random tokens.
    pub(super) fn token_seeds(&self) -> Seeds {
        Seeds {
            key: self.keys.connection_tokens,
            production: self.settings.production,
            access: self.rng.bytes(),
            refresh: self.rng.bytes(),
        }
    }

    /// Returns the input, apart from the salt, for the tokens that replace the refresh token `spent`. With the same
    /// salt, a repeated refresh derives the same tokens.
    pub(super) fn successor_tokens(&self, spent: &Secret) -> SuccessorTokens {
        let (key, production) = (self.keys.connection_tokens, self.settings.production);
        SuccessorTokens { key, production, spent: spent.clone() }
    }

    /// Parses a `resource` parameter. Returns `None` if the parameter is absent, and `Some(None)` if it names neither
    /// of the two resources.
    pub(super) fn requested_resource(&self, text: Option<&str>) -> Option<Option<Resource>> {
        text.map(|text| Resource::parse(text, &self.settings.mcp_url))
    }
}

/// The input for a pair of tokens, apart from the id of the connection. A refresh reads this id in its transaction. The
/// input is created before the transaction, so that a retry of the transaction produces the same tokens.
pub(super) struct Seeds {
    key: ServerKey,
    production: bool,
    access: [u8; RANDOM_LEN],
    refresh: [u8; RANDOM_LEN],
}

impl Seeds {
    /// Returns the tokens for a connection.
    pub(super) fn mint(&self, connection: ConnectionId) -> Minted {
        let mint = |kind, random| connection_token::mint(&self.key, kind, connection, random);
        Minted {
            access: mint(TokenKind::access(self.production), &self.access),
            refresh: mint(TokenKind::refresh(self.production), &self.refresh),
        }
    }
}

/// The input, apart from the salt, for the tokens that replace a spent refresh token.
pub(super) struct SuccessorTokens {
    key: ServerKey,
    production: bool,
    spent: Secret,
}

impl SuccessorTokens {
    pub(super) fn seeds(&self, salt: &[u8; SALT_LEN]) -> Seeds {
        let Self { key, production, spent } = self;
        let derive = |kind| connection_token::following(key, kind, spent.expose(), salt);
        let (access, refresh) =
            (derive(TokenKind::access(*production)), derive(TokenKind::refresh(*production)));
        Seeds { key: *key, production: *production, access, refresh }
    }
}

/// A pair of new tokens, which are not stored yet.
pub(super) struct Minted {
    access: String,
    refresh: String,
}

impl Minted {
    pub(super) fn hashes(&self) -> Hashes {
        Hashes { access: token::hash(&self.access), refresh: token::hash(&self.refresh) }
    }

    /// Returns the tokens with the whole lifetime of a new access token.
    pub(super) fn with(self, scopes: Access) -> TokenSet {
        self.with_remaining(scopes, ACCESS_LIFE)
    }

    /// Returns the tokens with the remaining lifetime of the access token.
    pub(super) fn with_remaining(self, scopes: Access, expires_in: Duration) -> TokenSet {
        TokenSet {
            access_token: Secret::new(self.access),
            refresh_token: Secret::new(self.refresh),
            scopes,
            expires_in,
        }
    }
}

/// SHA-256 hashes of a pair of tokens.
#[derive(Clone, Copy)]
pub(super) struct Hashes {
    access: [u8; 32],
    refresh: [u8; 32],
}

impl Hashes {
    pub(super) fn access(&self) -> &[u8; 32] {
        &self.access
    }

    /// Stores both tokens as the given generation of a connection.
    pub(super) async fn store<C: Sql>(
        &self,
        c: &mut C,
        connection: &Connection,
        generation: i64,
        (access, granted): (Access, Access),
        now: Timestamp,
    ) -> Result<()> {
        let refresh = Token {
            connection_id: connection.id,
            is_refresh: true,
            generation,
            scopes: granted,
            expires_at: now + REFRESH_LIFE,
        };
        let access = Token { is_refresh: false, scopes: access, expires_at: now + ACCESS_LIFE, ..refresh };
        let (access, refresh) = ((&self.access, &access), (&self.refresh, &refresh));
        connections::insert_tokens(c, connection.workspace_id, access, refresh).await
    }
}

/// Returns whether the requested resource is `resource`. Also returns `true` if the request names no resource.
pub(super) fn is_for(requested: Option<Option<Resource>>, resource: Resource) -> bool {
    requested.is_none_or(|requested| requested == Some(resource))
}

struct RevokeAssistantToken {
    now: Timestamp,
    /// See [`revoke_if_owned`].
    expiry_time: Option<Timestamp>,
    client: OauthClient,
    token_hash: [u8; 32],
}

impl Op for RevokeAssistantToken {
    const NAME: &'static str = "revoke_assistant_token";
    /// Whether the token belongs to the client; `None` if the token is not stored.
    type Out = Option<bool>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Option<bool>> {
        let Some(token) = connections::token(c, &self.token_hash).await? else { return Ok(None) };
        let found = (token.connection_id, EndReason::Client);
        let own = revoke_if_owned(c, &self.client, found, (self.now, self.expiry_time)).await?;
        Ok(Some(own.is_some()))
    }
}

struct RevokeByDeletedToken {
    now: Timestamp,
    /// See [`revoke_if_owned`].
    expiry_time: Option<Timestamp>,
    client: OauthClient,
    id: ConnectionId,
    reason: EndReason,
}

/// The result of [`World::revoke_by_deleted_token`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeletedToken {
    /// The text names no connection of the client. Nothing was changed.
    NotOfClient,
    /// The token names a connection of the client. This connection is now revoked.
    Revoked,
    /// The token is a reused refresh token and names a connection of the client. This connection is now revoked. The
    /// person is no longer an employee, so the caller must revoke the person's other connections, too.
    NotOfEmployee((ConnectionId, UserId)),
}

impl Op for RevokeByDeletedToken {
    const NAME: &'static str = "revoke_by_deleted_token";
    type Out = DeletedToken;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<DeletedToken> {
        let (found, times) = ((self.id, self.reason), (self.now, self.expiry_time));
        let Some(own) = revoke_if_owned(c, &self.client, found, times).await? else {
            return Ok(DeletedToken::NotOfClient);
        };
        if self.reason == EndReason::RefreshReused && own.revoked_at.is_none() {
            let facts = connections::facts(c, own.user_id, &own.block_key).await?;
            if facts.is_none_or(|facts| facts.rejection() == Some(EndReason::NotEmployee)) {
                return Ok(DeletedToken::NotOfEmployee((own.id, own.user_id)));
            }
        }
        Ok(DeletedToken::Revoked)
    }
}

/// Revokes a connection for `reason`, if the connection belongs to the client. Returns the connection as it was before
/// the revocation. Returns `None` if the connection does not exist or does not belong to the client.
///
/// If the connection has expired at `expiry_time`, the stored reason is the expiry and not `reason`. `expiry_time` is
/// `None` if the expiry must not be checked, for example because the clock of this node is wrong.
async fn revoke_if_owned<C: Sql>(
    c: &mut C,
    client: &OauthClient,
    (id, reason): (ConnectionId, EndReason),
    (now, expiry_time): (Timestamp, Option<Timestamp>),
) -> Result<Option<Connection>> {
    let found = connections::by_id(c, id).await?;
    let Some(own) = found.filter(|found| found.client_id == client.client_id) else { return Ok(None) };
    let mut reason = reason;
    if let Some(time) = expiry_time {
        let Some(company) = workspaces::by_id(c, own.workspace_id).await? else {
            return Err(StoreError::bug("a connection of a company that does not exist").into());
        };
        reason = ended(&own, &company, time).unwrap_or(reason);
    }
    connections::revoke(c, (own.id, own.user_id), reason, now).await?;
    Ok(Some(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_requested_resource_must_equal_the_granted_resource() {
        assert!(is_for(None, Resource::Full));
        assert!(is_for(Some(Some(Resource::Full)), Resource::Full));
        assert!(!is_for(Some(Some(Resource::ReadOnly)), Resource::Full));
        assert!(!is_for(Some(None), Resource::Full));
    }
}
