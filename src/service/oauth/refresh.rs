//! Rotates the tokens of a connection: exchanges a refresh token for new tokens (`/token`, RFC 6749 §6).
//!
//! If a client presents one of its own spent refresh tokens, the token's connection is revoked, even if the token is no
//! longer stored. The operation returns the rejection of the request as an `Ok` result, because an `Err` would
//! roll back the revocation.
//!
//! Each rotation starts a new generation of tokens. A token of an earlier generation is spent.
//!
//! # Overlap
//!
//! If two processes of a client refresh with the same token at the same time, the client loses its connection. For such
//! clients, an operator can set `assistant.refresh_overlap_seconds`, which deviates from the contract. For this
//! many seconds after the first use of a token, every further use returns the tokens of the first use again. Only the
//! hashes of tokens are stored, so the server cannot read the tokens of the first use. It derives them again from the
//! spent token, a salt and a key. The salt is stored until the overlap ends
//! (docs/decisions/0026-refreshes-that-overlap.md).

use super::{
    clients::OauthClient,
    tokens::{DeletedToken, GrantError, GrantResult, Seeds, SuccessorTokens, TokenSet, is_for},
};
use crate::{
    domain::{
        connection_token::SALT_LEN,
        grant::{Access, EndReason, REFRESH_LIFE, Resource},
        ids::{ConnectionId, UserId},
        refusal::Refusal,
        time::Timestamp,
        token::{self, TokenKind},
    },
    platform::secrets::Secret,
    service::World,
    store::{
        Op, ReadSql, Result, Sql, assistant_clients,
        connections::{self, Connection},
        refresh_overlaps,
    },
};

/// Message of the `server_error` of [`World::refresh_connection`].
const CHANGED: &str = "the rights of the employee changed during the request; send the request again";
/// `Retry-After` of this error in seconds.
const RETRY_AFTER: u32 = 1;

/// A token request with a refresh token.
#[derive(Clone, Debug)]
pub struct RefreshGrant {
    pub refresh_token: Secret,
    /// If present, must name a subset of the granted scopes. If absent, the new access token has all granted scopes.
    pub scope: Option<String>,
    /// If present, must equal the granted resource.
    pub resource: Option<String>,
}

impl World {
    /// Exchanges a refresh token for new tokens. The old tokens become invalid immediately. If the client presents one
    /// of its own spent refresh tokens, of any age, the connection is revoked. The exception is a token
    /// whose configured overlap has not ended. If the connection has expired or may no longer be used, the connection
    /// is revoked, too. A request that is rejected for another reason changes nothing, and does not spend the token
    /// (D-298).
    ///
    /// # Errors
    /// - Store errors.
    /// - `Unavailable` while this node's clock is too far from the database's clock ([`World::trusted_now`]).
    /// - `server_error` with `Retry-After` if the first check finds that the connection may no longer be used, but the
    ///   check before its revocation finds that it may be used again. This request does not spend the token.
    pub async fn refresh_connection(
        &self,
        client: OauthClient,
        grant: RefreshGrant,
    ) -> Result<GrantResult<TokenSet>> {
        if token::parse(grant.refresh_token.expose()) != Some(TokenKind::refresh(self.settings.production)) {
            return Ok(Err(GrantError::InvalidGrant));
        }
        let now = self.trusted_now()?;
        let overlap = self.overlap(&grant.refresh_token, now);
        let op = RefreshConnection {
            now,
            client: client.clone(),
            token_hash: token::hash(grant.refresh_token.expose()),
            scope: grant.scope.as_deref().map(Access::parse),
            resource: self.requested_resource(grant.resource.as_deref()),
            seeds: overlap.as_ref().map_or_else(|| self.token_seeds(), Overlap::seeds),
            overlap,
        };
        match self.db.write(op).await? {
            Refreshed::Tokens(tokens) => Ok(Ok(tokens)),
            Refreshed::Refused(error) => Ok(Err(error)),
            Refreshed::Unknown => {
                let token = &grant.refresh_token;
                match self.revoke_by_deleted_token(client, token, EndReason::RefreshReused).await? {
                    DeletedToken::NotOfClient => return Ok(Err(GrantError::InvalidGrant)),
                    DeletedToken::Revoked => {}
                    DeletedToken::NotOfEmployee(ids) => {
                        self.revoke_connection(ids, now).await?;
                    }
                }
                Ok(Err(GrantError::EndedGrant))
            }
            // a client discards its refresh token after `invalid_grant`, so the error is another one if the connection
            // may be used again
            Refreshed::Ended(ids) => match self.revoke_connection(ids, now).await? {
                true => Ok(Err(GrantError::EndedGrant)),
                false => Err(Refusal::busy(CHANGED, RETRY_AFTER).into()),
            },
        }
    }

    fn overlap(&self, spent: &Secret, now: Timestamp) -> Option<Overlap> {
        let overlap = self.settings.refresh_overlap;
        (!overlap.is_zero()).then(|| Overlap {
            successors: self.successor_tokens(spent),
            salt: self.rng.bytes(),
            until: now + overlap,
        })
    }
}

/// The data for the overlap of one refresh.
struct Overlap {
    successors: SuccessorTokens,
    /// A new salt. It is used and stored only if this request is the first use of the token.
    salt: [u8; SALT_LEN],
    /// Until this time, a further use of the token returns the same tokens again.
    until: Timestamp,
}

impl Overlap {
    fn seeds(&self) -> Seeds {
        self.successors.seeds(&self.salt)
    }
}

struct RefreshConnection {
    now: Timestamp,
    client: OauthClient,
    token_hash: [u8; 32],
    /// `None` if no scope was sent, `Some(None)` if the scope is invalid.
    scope: Option<Option<Access>>,
    /// `None` if the request names no resource; `Some(None)` if it names neither of the two resources.
    resource: Option<Option<Resource>>,
    seeds: Seeds,
    /// `None` if no overlap is configured.
    overlap: Option<Overlap>,
}

/// Result of a refresh.
enum Refreshed {
    Tokens(TokenSet),
    Refused(GrantError),
    /// The token is not stored.
    Unknown,
    /// The connection has expired or may no longer be used. The caller must revoke it with
    /// [`World::revoke_connection`], which checks the reason again.
    Ended((ConnectionId, UserId)),
}

impl Op for RefreshConnection {
    const NAME: &'static str = "refresh_connection";
    type Out = Refreshed;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Refreshed> {
        const INVALID: Refreshed = Refreshed::Refused(GrantError::InvalidGrant);
        const SPENT: Refreshed = Refreshed::Refused(GrantError::EndedGrant);
        let Some(token) = connections::token(c, &self.token_hash).await? else {
            return Ok(Refreshed::Unknown);
        };
        if !token.is_refresh {
            return Ok(INVALID);
        }
        // locks the connection, so that the second of two refreshes with the same token reads the generation that the
        // first refresh has stored
        let Some(connection) = connections::by_id_for_update(c, token.connection_id).await? else {
            return Ok(INVALID);
        };
        if connection.client_id != self.client.client_id {
            return Ok(INVALID);
        }
        if token.generation != connection.generation {
            if let Some(replayed) = self.replay(c, &connection).await? {
                return Ok(replayed);
            }
            let ids = (connection.id, connection.user_id);
            let has_revoked = connections::revoke(c, ids, EndReason::RefreshReused, self.now).await?;
            // if the person is no longer an employee, the request also revokes the person's other connections
            if has_revoked && self.end_reason(c, &connection).await? == Some(EndReason::NotEmployee) {
                return Ok(Refreshed::Ended(ids));
            }
            return Ok(SPENT);
        }
        if connection.revoked_at.is_some() {
            return Ok(SPENT);
        }
        if self.end_reason(c, &connection).await?.is_some() {
            return Ok(Refreshed::Ended((connection.id, connection.user_id)));
        }
        match self.check(&connection) {
            Err(error) => Ok(Refreshed::Refused(error)),
            Ok(scopes) => Ok(Refreshed::Tokens(self.rotate(c, &connection, scopes).await?)),
        }
    }
}

impl RefreshConnection {
    /// Returns the tokens of the first use of a spent token again, if the overlap has not ended and the connection is
    /// not revoked. But if this request would be rejected even with the current refresh token, returns that rejection.
    /// Returns `None` if no overlap applies, or if the access token of the first use is no longer stored. With `None`,
    /// the spent token counts as reused.
    async fn replay<C: ReadSql>(&self, c: &mut C, connection: &Connection) -> Result<Option<Refreshed>> {
        let Some(overlap) = self.overlap.as_ref().filter(|_| connection.revoked_at.is_none()) else {
            return Ok(None);
        };
        let salt = refresh_overlaps::salt(c, &self.token_hash, self.now).await?;
        let Some(salt) = salt.and_then(|salt| <[u8; SALT_LEN]>::try_from(salt).ok()) else { return Ok(None) };
        let minted = overlap.successors.seeds(&salt).mint(connection.id);
        let Some(access) = connections::token(c, minted.hashes().access()).await? else { return Ok(None) };
        if self.end_reason(c, connection).await?.is_some() {
            return Ok(Some(Refreshed::Ended((connection.id, connection.user_id))));
        }
        Ok(Some(match self.check(connection) {
            Err(error) => Refreshed::Refused(error),
            Ok(_) => {
                Refreshed::Tokens(minted.with_remaining(access.scopes, access.expires_at.since(self.now)))
            }
        }))
    }

    /// Returns the reason if the connection has expired or may no longer be used. Does not check whether the connection
    /// is revoked.
    async fn end_reason<C: ReadSql>(&self, c: &mut C, connection: &Connection) -> Result<Option<EndReason>> {
        let found = connections::facts(c, connection.user_id, &connection.block_key).await?;
        Ok(found.map_or(Some(EndReason::NotEmployee), |facts| {
            facts.end_reason(connection.created_at, connection.refresh_until, self.now)
        }))
    }

    /// Checks the requested scopes and resource, and returns the scopes of the new access token.
    fn check(&self, connection: &Connection) -> GrantResult<Access> {
        let granted = connection.scopes;
        let scopes = match self.scope {
            None => granted,
            Some(Some(asked)) if granted.contains_all(asked) => asked,
            Some(_) => return Err(GrantError::InvalidScope),
        };
        if is_for(self.resource, connection.resource) { Ok(scopes) } else { Err(GrantError::InvalidTarget) }
    }

    /// Issues tokens of the next generation, which becomes the current generation. `scopes` are the scopes of the
    /// access token. The connection keeps all granted scopes (D-297).
    async fn rotate<C: Sql>(&self, c: &mut C, connection: &Connection, scopes: Access) -> Result<TokenSet> {
        let (id, next) = (connection.id, connection.generation + 1);
        let minted = self.seeds.mint(id);
        // the result is always `true`: `run` has locked the connection, and has checked its generation and that it is
        // not revoked
        connections::rotate(c, id, next, self.now + REFRESH_LIFE, self.now).await?;
        minted.hashes().store(c, connection, next, (scopes, connection.scopes), self.now).await?;
        if let Some(Overlap { salt, until, .. }) = &self.overlap {
            refresh_overlaps::insert(c, &self.token_hash, connection.workspace_id, salt, *until).await?;
        }
        assistant_clients::used(c, &connection.client_id, self.now).await?;
        Ok(minted.with(scopes))
    }
}
