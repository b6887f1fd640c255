//! Bot tokens, and whether what they stand for still stands.

use super::{
    Op, Result, Sql,
    apps::Installation,
    args,
    lookups::Lookup,
    position::{LogPosition, log_position},
    row, statements,
};
use crate::domain::{
    ids::{AppId, InstallationId, UserId, WorkspaceId},
    scopes::Scopes,
    time::Timestamp,
};

/// What a bot token stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TokenOwner {
    pub installation_id: InstallationId,
    pub workspace_id: WorkspaceId,
    pub app_id: AppId,
    pub bot_user_id: UserId,
    /// Of this token.
    pub scopes: Scopes,
    pub connected: bool,
}
row!(TokenOwner { installation_id, workspace_id, app_id, bot_user_id, scopes, connected });

statements! {
    INSERT = "INSERT INTO bot_tokens (token_hash, installation_id, scopes, created_at, workspace_id)
        VALUES ($1, $2, $3, $4, $5)";
    OWNER = "SELECT i.id, i.workspace_id, i.app_id, i.bot_user_id, t.scopes, i.connected
        FROM bot_tokens t JOIN installations i ON i.id = t.installation_id WHERE t.token_hash = $1";
    // asked by the look-ups that share a round trip on PostgreSQL; with the position in its log if $2 is 1
    OWNERS = sqlite concat!("SELECT t.token_hash, i.id, i.workspace_id, i.app_id, i.bot_user_id, t.scopes, i.connected,
            CASE $2 WHEN 1 THEN NULL END
            FROM bot_tokens t JOIN installations i ON i.id = t.installation_id WHERE t.token_hash IN ($1)")
        postgres concat!("SELECT t.token_hash, i.id, i.workspace_id, i.app_id, i.bot_user_id, t.scopes, i.connected,
            (SELECT CASE CAST($2 AS BIGINT) WHEN 1 THEN ", log_position!(), " END)
            FROM unnest(CAST($1 AS BYTEA[])) AS j (hash)
            CROSS JOIN LATERAL (SELECT token_hash, installation_id, scopes FROM bot_tokens
                WHERE token_hash = j.hash LIMIT 1) AS t
            CROSS JOIN LATERAL (SELECT id, workspace_id, app_id, bot_user_id, connected FROM installations
                WHERE id = t.installation_id LIMIT 1) AS i");
    IS_CONNECTED = "SELECT connected FROM installations WHERE id = $1";
}

/// Writes a token under its SHA-256.
pub async fn insert<C: Sql>(
    c: &mut C,
    token_hash: &[u8; 32],
    installation: &Installation,
    scopes: Scopes,
    now: Timestamp,
) -> Result<()> {
    c.exec(&INSERT, args![token_hash, installation.id, scopes, now, installation.workspace_id]).await?;
    Ok(())
}

/// What one token stands for.
pub(super) struct Owner(pub(super) [u8; 32]);

impl Op for Owner {
    const NAME: &'static str = "find_token";
    const SINGLE: bool = true;
    type Out = Option<TokenOwner>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        owner(c, &self.0).await
    }
}

/// What a token's SHA-256 stands for, connected or not.
pub async fn owner<C: Sql>(c: &mut C, token_hash: &[u8; 32]) -> Result<Option<TokenOwner>> {
    c.opt(&OWNER, args![token_hash]).await
}

/// What each of some tokens stands for.
pub(super) struct Owners(Vec<[u8; 32]>);

impl Lookup for Owners {
    type Key = [u8; 32];
    /// With the position in the log, where replicas can use it.
    type Row = (TokenOwner, Option<LogPosition>);

    fn of(keys: Vec<[u8; 32]>) -> Self {
        Self(keys)
    }
}

impl Op for Owners {
    const NAME: &'static str = "find_tokens";
    const SINGLE: bool = true;
    type Out = Vec<([u8; 32], (TokenOwner, Option<LogPosition>))>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        type Found = (Vec<u8>, InstallationId, WorkspaceId, AppId, UserId, Scopes, bool, Option<String>);
        let asks_position = i64::from(c.has_replica());
        let found: Vec<Found> = c.all(&OWNERS, args![&self.0[..], asks_position]).await?;
        let owner = |found: Found| {
            let (hash, installation_id, workspace_id, app_id, bot_user_id, scopes, connected, position) =
                found;
            let owner = TokenOwner { installation_id, workspace_id, app_id, bot_user_id, scopes, connected };
            Some((hash.try_into().ok()?, (owner, position.as_deref().and_then(LogPosition::parse))))
        };
        Ok(found.into_iter().filter_map(owner).collect())
    }
}

/// Whether an installation is connected.
pub async fn is_connected<C: Sql>(c: &mut C, id: InstallationId) -> Result<bool> {
    Ok(c.opt::<bool>(&IS_CONNECTED, args![id]).await?.unwrap_or(false))
}
