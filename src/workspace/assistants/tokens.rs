//! Tokens of connections: what is given out, how it is kept, and giving it up (`/revoke`).
//!
//! A connection has one access and one refresh token at a time. Every refresh makes the next generation. Tokens of
//! earlier ones are kept until they expire, because presenting a spent one ends the connection: for 30 days a refresh
//! token, by which time nobody could use it even if it were not spent, and for an hour an access token. So what a
//! connection keeps is bounded, however long it lives; the [upkeep](crate::workspace::upkeep) clears the rest away.

use crate::{
    domain::{
        grant::{ACCESS_LIFE, Access, EndReason, REFRESH_LIFE, Resource},
        ids::ConnectionId,
        time::Timestamp,
        token::{self, Kind},
    },
    platform::secrets::Secret,
    store::{
        Op, Result, Sql,
        connections::{self, Token},
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
    /// Code or refresh token is unknown, expired, used, or not for this client, or the connection has ended.
    InvalidGrant,
    /// More than the grant has.
    InvalidScope,
    /// Not the grant's resource.
    InvalidTarget,
}

/// What an operation decided about a grant.
pub(super) type Decided<T> = std::result::Result<T, GrantError>;

impl World {
    /// Ends the connection of a client's own token: current, spent or expired (D-308), and tells whether it was one. Any
    /// other text is left alone (D-309).
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
        let op =
            RevokeAssistantToken { now: self.clock.now(), client, token_hash: token::hash(token.expose()) };
        self.db.write(op).await
    }

    pub(super) fn mint_tokens(&self) -> Minted {
        let production = self.settings.production;
        Minted { access: self.mint(Kind::access(production)), refresh: self.mint(Kind::refresh(production)) }
    }

    /// Whether a `resource` parameter names one of the two resources; none when it is not sent.
    pub(super) fn asked_resource(&self, text: Option<&str>) -> Option<Option<Resource>> {
        text.map(|text| Resource::parse(text, &self.settings.mcp_url))
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
        connection: ConnectionId,
        generation: i64,
        (access, granted): (Access, Access),
        now: Timestamp,
    ) -> Result<()> {
        let refresh = Token {
            connection_id: connection,
            is_refresh: true,
            generation,
            scopes: granted,
            expires_at: now + REFRESH_LIFE,
        };
        let access = Token { is_refresh: false, scopes: access, expires_at: now + ACCESS_LIFE, ..refresh };
        connections::insert_tokens(c, (&self.access, &access), (&self.refresh, &refresh)).await
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
    /// Whether the token is one of the client's.
    type Out = bool;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<bool> {
        let Some(token) = connections::token(c, &self.token_hash).await? else { return Ok(false) };
        let connection = connections::by_id(c, token.connection_id).await?;
        let Some(own) = connection.filter(|found| found.client_id == self.client.client_id) else {
            return Ok(false);
        };
        connections::revoke(c, own.id, EndReason::Client, self.now).await?;
        Ok(true)
    }
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
