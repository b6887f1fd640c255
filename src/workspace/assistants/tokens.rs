//! Tokens of connections: what is given out, how it is kept, and giving it up (`/revoke`).
//!
//! A connection has one access and one refresh token at a time. Every refresh makes the next generation. Tokens of
//! earlier ones are stored until they expire, for an hour or 30 days, and then cleared away by the
//! [upkeep](crate::workspace::upkeep); so what a connection keeps is bounded, however long it lives. Presenting a spent
//! one ends the connection for all that: a token names its connection ([`connection_token`]), and what is not stored
//! although we made it is spent.

use crate::{
    domain::{
        connection_token::{self, Key, RANDOM_LEN},
        grant::{ACCESS_LIFE, Access, EndReason, REFRESH_LIFE, Resource},
        ids::ConnectionId,
        time::Timestamp,
        token::{self, Kind},
    },
    platform::secrets::Secret,
    store::{
        Op, Result, Sql,
        connections::{self, Connection, Token},
    },
    workspace::{World, assistants::clients::OauthClient},
};

/// Tokens as they are given out, once.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenSet {
    pub access_token: Secret,
    pub refresh_token: Secret,
    /// Of the access token.
    pub scopes: Access,
}

/// Why there are no tokens (RFC 6749 §5.2, RFC 8707 §2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrantError {
    /// Code or refresh token is unknown or not for this client, or the code is expired or used.
    InvalidGrant,
    /// The refresh token is the client's own and over: spent, expired, or its connection has ended. The client is told
    /// the same as of [`GrantError::InvalidGrant`], but has shown that it is the client.
    OverGrant,
    /// More than the grant has.
    InvalidScope,
    /// Not the grant's resource.
    InvalidTarget,
}

/// What an operation decided about a grant.
pub(super) type Decided<T> = std::result::Result<T, GrantError>;

impl World {
    /// Ends the connection of a client's own token: current, spent or expired, however long ago (D-308), and tells whether
    /// it was one. Any other text is left alone (D-309).
    ///
    /// # Errors
    /// Those of the store.
    pub async fn revoke_assistant_token(&self, client: OauthClient, token: &Secret) -> Result<bool> {
        let production = self.settings.production;
        let is_ours = token::parse(token.expose())
            .is_some_and(|kind| kind == Kind::access(production) || kind == Kind::refresh(production));
        if !is_ours {
            return Ok(false);
        }
        let token_hash = token::hash(token.expose());
        let op = RevokeAssistantToken { now: self.clock.now(), client: client.clone(), token_hash };
        match self.db.write(op).await? {
            Some(is_own) => Ok(is_own),
            None => self.end_by_forgotten(client, token, EndReason::Client).await,
        }
    }

    /// Ends the connection that a token of ours names which is not stored any more, when it is the client's, and tells
    /// whether it is. Such a token is spent or expired: a live connection's current ones are stored.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn end_by_forgotten(
        &self,
        client: OauthClient,
        token: &Secret,
        reason: EndReason,
    ) -> Result<bool> {
        let named = connection_token::connection(&self.keys.connection_tokens, token.expose());
        let Some(id) = named else { return Ok(false) };
        self.db.write(EndByForgotten { now: self.clock.now(), client, id, reason }).await
    }

    /// What new tokens will be made of.
    pub(super) fn token_seeds(&self) -> Seeds {
        Seeds {
            key: self.keys.connection_tokens,
            production: self.settings.production,
            access: self.rng.bytes(),
            refresh: self.rng.bytes(),
        }
    }

    /// Whether a `resource` parameter names one of the two resources; none when it is not sent.
    pub(super) fn asked_resource(&self, text: Option<&str>) -> Option<Option<Resource>> {
        text.map(|text| Resource::parse(text, &self.settings.mcp_url))
    }
}

/// All of a pair of tokens but the connection, which a refresh only learns in its transaction. That may run more than
/// once, and then makes the same tokens again.
pub(super) struct Seeds {
    key: Key,
    production: bool,
    access: [u8; RANDOM_LEN],
    refresh: [u8; RANDOM_LEN],
}

impl Seeds {
    /// The tokens for a connection.
    pub(super) fn mint(&self, connection: ConnectionId) -> Minted {
        let mint = |kind, random| connection_token::mint(&self.key, kind, connection, random);
        Minted {
            access: mint(Kind::access(self.production), &self.access),
            refresh: mint(Kind::refresh(self.production), &self.refresh),
        }
    }
}

/// Fresh tokens, not yet given out.
pub(super) struct Minted {
    access: String,
    refresh: String,
}

impl Minted {
    pub(super) fn hashes(&self) -> Hashes {
        Hashes { access: token::hash(&self.access), refresh: token::hash(&self.refresh) }
    }

    pub(super) fn with(self, scopes: Access) -> TokenSet {
        TokenSet { access_token: Secret::new(self.access), refresh_token: Secret::new(self.refresh), scopes }
    }
}

/// SHA-256 of a pair of tokens.
#[derive(Clone, Copy)]
pub(super) struct Hashes {
    access: [u8; 32],
    refresh: [u8; 32],
}

impl Hashes {
    /// Writes both tokens as the given generation of a connection.
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

/// Whether the resource asked for is this one, or none was.
pub(super) fn is_for(asked: Option<Option<Resource>>, resource: Resource) -> bool {
    asked.is_none_or(|asked| asked == Some(resource))
}

struct RevokeAssistantToken {
    now: Timestamp,
    client: OauthClient,
    token_hash: [u8; 32],
}

impl Op for RevokeAssistantToken {
    const NAME: &'static str = "revoke_assistant_token";
    /// Whether the token is one of the client's; none for one that is not stored.
    type Out = Option<bool>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Option<bool>> {
        let Some(token) = connections::token(c, &self.token_hash).await? else { return Ok(None) };
        end_own(c, &self.client, token.connection_id, EndReason::Client, self.now).await.map(Some)
    }
}

struct EndByForgotten {
    now: Timestamp,
    client: OauthClient,
    id: ConnectionId,
    reason: EndReason,
}

impl Op for EndByForgotten {
    const NAME: &'static str = "end_by_forgotten_token";
    type Out = bool;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<bool> {
        end_own(c, &self.client, self.id, self.reason, self.now).await
    }
}

/// Ends a connection if it lives and is the client's; tells whether it is the client's.
async fn end_own<C: Sql>(
    c: &mut C,
    client: &OauthClient,
    id: ConnectionId,
    reason: EndReason,
    now: Timestamp,
) -> Result<bool> {
    let found = connections::by_id(c, id).await?;
    let Some(own) = found.filter(|found| found.client_id == client.client_id) else { return Ok(false) };
    connections::revoke(c, (own.id, own.user_id), reason, now).await?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_asked_for() {
        assert!(is_for(None, Resource::Full));
        assert!(is_for(Some(Some(Resource::Full)), Resource::Full));
        assert!(!is_for(Some(Some(Resource::ReadOnly)), Resource::Full));
        assert!(!is_for(Some(None), Resource::Full));
    }
}
