//! Bot tokens, and whether what they stand for still stands.

use super::{Result, Sql, args, row, statements};
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
    INSERT = "INSERT INTO bot_tokens (token_hash, installation_id, scopes, created_at) VALUES ($1, $2, $3, $4)";
    OWNER = "SELECT i.id, i.workspace_id, i.app_id, i.bot_user_id, t.scopes, i.connected
        FROM bot_tokens t JOIN installations i ON i.id = t.installation_id WHERE t.token_hash = $1";
    // shared: the bot's own requests do not wait for each other, and a disconnect waits for those that have begun to write
    HOLD_CONNECTED =
        sqlite "SELECT connected FROM installations WHERE id = $1"
        postgres "SELECT connected FROM installations WHERE id = $1 FOR SHARE";
}

/// Writes a token under its SHA-256.
pub async fn insert<C: Sql>(
    c: &mut C,
    token_hash: &[u8; 32],
    installation: InstallationId,
    scopes: Scopes,
    now: Timestamp,
) -> Result<()> {
    c.exec(&INSERT, args![token_hash, installation, scopes, now]).await?;
    Ok(())
}

/// What a token's SHA-256 stands for, connected or not.
pub async fn owner<C: Sql>(c: &mut C, token_hash: &[u8; 32]) -> Result<Option<TokenOwner>> {
    c.opt(&OWNER, args![token_hash]).await
}

/// Whether an installation is connected, and keeps it so until the transaction ends.
pub async fn hold_connected<C: Sql>(c: &mut C, id: InstallationId) -> Result<bool> {
    Ok(c.opt::<bool>(&HOLD_CONNECTED, args![id]).await?.unwrap_or(false))
}
