//! Codes and refresh tokens into access tokens, and giving tokens up: the rules of `/token` and `/revoke`.
//!
//! Called by the assistant room. A refusal that changes something (a code or a refresh token presented twice ends the
//! connection) is an outcome of its operation and not an error of it, so that the change is stored.

use super::{clients::OauthClient, consent::held_availability};
use crate::{
    domain::{
        grant::{ACCESS_LIFE, Access, ClientKind, EndReason, REFRESH_LIFE, Resource},
        ids::ConnectionId,
        pkce, redirect,
        refusal::Code,
        time::Timestamp,
        token::{self, Kind},
    },
    platform::secrets::{self, Secret},
    store::{
        Op, Result, Sql, assistant_clients,
        authorizations::{self, AuthorizationCode},
        connections::{self, Connection, Origin, Token, Which},
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

/// What a client sends to refresh its tokens.
#[derive(Clone, Debug)]
pub struct RefreshGrant {
    pub refresh_token: Secret,
    /// Not wider than the grant's; all of it when it is not sent.
    pub scope: Option<String>,
    /// The grant's when it is sent.
    pub resource: Option<String>,
}

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
type Decided<T> = std::result::Result<T, GrantError>;

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
        let minted = self.mint_tokens();
        let op = ExchangeAuthorizationCode {
            client,
            code_hash: token::hash(grant.code.expose()),
            resource: self.asked_resource(grant.resource.as_deref()),
            grant,
            hashes: minted.hashes(),
            id: ConnectionId(at.id()),
            at,
        };
        Ok(self.db.write(op).await?.map(|scopes| minted.with(scopes)))
    }

    /// Exchanges a refresh token for new tokens; the old ones stop at once. A spent refresh token presented again ends
    /// the connection, without grace. A request that is refused for another reason spends nothing
    /// (D-298).
    ///
    /// # Errors
    /// Those of the store.
    pub async fn refresh_connection(
        &self,
        client: OauthClient,
        grant: RefreshGrant,
    ) -> Result<Decided<TokenSet>> {
        if token::parse(grant.refresh_token.expose()) != Some(Kind::refresh(self.settings.production)) {
            return Ok(Err(GrantError::InvalidGrant));
        }
        let minted = self.mint_tokens();
        let op = RefreshConnection {
            now: self.clock.now(),
            client,
            token_hash: token::hash(grant.refresh_token.expose()),
            scope: grant.scope.as_deref().map(Access::parse),
            resource: self.asked_resource(grant.resource.as_deref()),
            hashes: minted.hashes(),
        };
        match self.db.write(op).await? {
            Refreshed::Tokens(scopes) => Ok(Ok(minted.with(scopes))),
            Refreshed::Refused(error) => Ok(Err(error)),
            Refreshed::Over(id, reason) => {
                self.end_connection(id, reason).await?;
                Ok(Err(GrantError::InvalidGrant))
            }
        }
    }

    /// Ends the connection of a client's own token: current, spent or expired (D-308). Any other text is left alone
    /// (D-309).
    ///
    /// # Errors
    /// Those of the store.
    pub async fn revoke_assistant_token(&self, client: OauthClient, token: &Secret) -> Result<()> {
        let production = self.settings.production;
        let is_ours = token::parse(token.expose())
            .is_some_and(|kind| kind == Kind::access(production) || kind == Kind::refresh(production));
        if !is_ours {
            return Ok(());
        }
        let op =
            RevokeAssistantToken { now: self.clock.now(), client, token_hash: token::hash(token.expose()) };
        self.db.write(op).await
    }

    fn mint_tokens(&self) -> Minted {
        let production = self.settings.production;
        Minted { access: self.mint(Kind::access(production)), refresh: self.mint(Kind::refresh(production)) }
    }

    /// Whether a `resource` parameter names one of the two resources; none when it is not sent.
    fn asked_resource(&self, text: Option<&str>) -> Option<Option<Resource>> {
        text.map(|text| Resource::parse(text, &self.settings.mcp_url))
    }
}

/// Fresh tokens, not yet given out.
struct Minted {
    access: String,
    refresh: String,
}

impl Minted {
    fn hashes(&self) -> Hashes {
        Hashes { access: token::hash(&self.access), refresh: token::hash(&self.refresh) }
    }

    fn with(self, scopes: Access) -> TokenSet {
        TokenSet { access_token: Secret::new(self.access), refresh_token: Secret::new(self.refresh), scopes }
    }
}

/// SHA-256 of a pair of tokens.
#[derive(Clone, Copy)]
struct Hashes {
    access: [u8; 32],
    refresh: [u8; 32],
}

impl Hashes {
    /// Writes both tokens as the given generation of a connection.
    async fn store<C: Sql>(
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
fn is_for(asked: Option<Option<Resource>>, resource: Resource) -> bool {
    asked.is_none_or(|asked| asked == Some(resource))
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
        connections::revoke_all(c, Which::Slot(code.user_id, &slot), EndReason::Replaced, now).await?;
        let connection = self.connection(code);
        let origin = Origin { slot: &slot, code_hash: &self.code_hash };
        connections::insert(c, &connection, origin).await?;
        let scopes = connection.scopes;
        self.hashes.store(c, connection.id, FIRST, (scopes, scopes), now).await?;
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
            connections::revoke(c, made.id, EndReason::CodeReused, self.at.now).await?;
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

struct RefreshConnection {
    now: Timestamp,
    client: OauthClient,
    token_hash: [u8; 32],
    /// Sent, and whether it could be read.
    scope: Option<Option<Access>>,
    resource: Option<Option<Resource>>,
    hashes: Hashes,
}

/// What became of a refresh.
enum Refreshed {
    Tokens(Access),
    Refused(GrantError),
    /// The connection cannot go on; to be stored by an operation of its own.
    Over(ConnectionId, EndReason),
}

impl Op for RefreshConnection {
    const NAME: &'static str = "refresh_connection";
    type Out = Refreshed;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Refreshed> {
        const REFUSED: Refreshed = Refreshed::Refused(GrantError::InvalidGrant);
        let Some(token) = connections::token(c, &self.token_hash).await?.filter(|token| token.is_refresh)
        else {
            return Ok(REFUSED);
        };
        // held: of two refreshes with one token the second one sees the generation of the first
        let Some(connection) = connections::by_id_for_update(c, token.connection_id).await? else {
            return Ok(REFUSED);
        };
        if connection.client_id != self.client.client_id {
            return Ok(REFUSED);
        }
        if token.generation != connection.generation {
            connections::revoke(c, connection.id, EndReason::RefreshReused, self.now).await?;
            return Ok(REFUSED);
        }
        if connection.revoked_at.is_some() {
            return Ok(REFUSED);
        }
        if let Some(reason) = self.objection(c, &connection).await? {
            return Ok(Refreshed::Over(connection.id, reason));
        }
        match self.judge(&connection) {
            Err(error) => Ok(Refreshed::Refused(error)),
            Ok(scopes) => {
                self.rotate(c, &connection, scopes).await?;
                Ok(Refreshed::Tokens(scopes))
            }
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

    /// Makes the new tokens the current ones. The grant keeps all its scopes (D-297).
    async fn rotate<C: Sql>(&self, c: &mut C, connection: &Connection, scopes: Access) -> Result<()> {
        let (id, next) = (connection.id, connection.generation + 1);
        connections::rotate(c, id, next, self.now + REFRESH_LIFE, self.now).await?;
        self.hashes.store(c, id, next, (scopes, connection.scopes), self.now).await?;
        assistant_clients::used(c, &connection.client_id, self.now).await?;
        Ok(())
    }
}

struct RevokeAssistantToken {
    now: Timestamp,
    client: OauthClient,
    token_hash: [u8; 32],
}

impl Op for RevokeAssistantToken {
    const NAME: &'static str = "revoke_assistant_token";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let Some(token) = connections::token(c, &self.token_hash).await? else { return Ok(()) };
        let connection = connections::by_id(c, token.connection_id).await?;
        if let Some(own) = connection.filter(|found| found.client_id == self.client.client_id) {
            connections::revoke(c, own.id, EndReason::Client, self.now).await?;
        }
        Ok(())
    }
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

    #[test]
    fn resources_asked_for() {
        assert!(is_for(None, Resource::Full));
        assert!(is_for(Some(Some(Resource::Full)), Resource::Full));
        assert!(!is_for(Some(Some(Resource::ReadOnly)), Resource::Full));
        assert!(!is_for(Some(None), Resource::Full));
    }
}
