//! Bot tokens, and the state of the installations to which the tokens belong.

use crate::domain::{ids::InstallationId, scopes::Scopes, time::Timestamp};
pub use crate::store::engine::token_cache::TokenOwner;
use crate::store::{
    ReadOp, ReadSql, Result, Sql, apps::Installation, args, engine::log_position::LogPosition,
    engine::lookups::Lookup, named_args, op, position::log_position, row, statements,
};

statements! {
    INSERT: Command invalidates_token_cache = "INSERT INTO bot_tokens (token_hash, installation_id, scopes, created_at, workspace_id)
        VALUES ($1, $2, $3, $4, $5)";
    OWNER: Query -> TokenOwner = "SELECT i.id AS installation_id, i.workspace_id, i.app_id, i.bot_user_id, t.scopes, i.connected
        FROM bot_tokens t JOIN installations i ON i.id = t.installation_id WHERE t.token_hash = $1";
    // Looks up several tokens. Runs on PostgreSQL only; for SQLite, tests only prepare the statement. If $2 is 1, also
    // returns the position of the primary's log.
    OWNERS: Query -> FoundOwner = sqlite concat!("SELECT i.id AS installation_id, i.workspace_id, i.app_id, i.bot_user_id, t.scopes, i.connected,
            t.token_hash, CASE $2 WHEN 1 THEN NULL END AS position
            FROM bot_tokens t JOIN installations i ON i.id = t.installation_id WHERE t.token_hash IN ($1)")
        postgres concat!("SELECT i.id AS installation_id, i.workspace_id, i.app_id, i.bot_user_id, t.scopes, i.connected,
            t.token_hash, (SELECT CASE CAST($2 AS BIGINT) WHEN 1 THEN ", log_position!(), " END) AS position
            FROM unnest(CAST($1 AS BYTEA[])) AS j (hash)
            CROSS JOIN LATERAL (SELECT token_hash, installation_id, scopes FROM bot_tokens
                WHERE token_hash = j.hash LIMIT 1) AS t
            CROSS JOIN LATERAL (SELECT id, workspace_id, app_id, bot_user_id, connected FROM installations
                WHERE id = t.installation_id LIMIT 1) AS i");
    IS_CONNECTED: Query = "SELECT connected FROM installations WHERE id = $1";
}

/// Inserts a token of an installation. The database has only the SHA-256 of the token.
pub async fn insert<C: Sql>(
    c: &mut C,
    token_hash: &[u8; 32],
    installation: &Installation,
    scopes: Scopes,
    now: Timestamp,
) -> Result<()> {
    c.exec(
        &INSERT,
        named_args!(INSERT {
            token_hash: token_hash,
            installation_id: installation.id,
            scopes: scopes,
            created_at: now,
            workspace_id: installation.workspace_id,
        }),
    )
    .await?;
    Ok(())
}

/// Finds the installation of one token.
pub(in crate::store) struct FindTokenOwner(pub(in crate::store) [u8; 32]);

op! { ReadOp "find_token", SINGLE: FindTokenOwner -> Option<TokenOwner> = |op, c| owner(c, &op.0) }

/// Returns the installation of the token with this SHA-256, even if the installation is disconnected.
pub async fn owner<C: ReadSql>(c: &mut C, token_hash: &[u8; 32]) -> Result<Option<TokenOwner>> {
    c.opt(&OWNER, args![token_hash]).await
}

/// A row of [`OWNERS`].
struct FoundOwner {
    owner: TokenOwner,
    token_hash: Vec<u8>,
    position: Option<String>,
}
row!(FoundOwner { ..owner: TokenOwner, token_hash, position });

/// Finds the installations of several tokens, for the batched look-ups on PostgreSQL.
pub(in crate::store) struct Owners(Vec<[u8; 32]>);

impl Lookup for Owners {
    type Key = [u8; 32];
    /// The installation of a token. If replicas answer reads, also the position of the primary's log. A replica may
    /// answer the request only after it has replayed the log up to this position.
    type Row = (TokenOwner, Option<LogPosition>);

    fn of(keys: Vec<[u8; 32]>) -> Self {
        Self(keys)
    }
}

impl ReadOp for Owners {
    const NAME: &'static str = "find_tokens";
    const SINGLE: bool = true;
    type Out = Vec<([u8; 32], (TokenOwner, Option<LogPosition>))>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let with_position = i64::from(c.has_replica());
        let found: Vec<FoundOwner> = c.all(&OWNERS, args![&self.0[..], with_position]).await?;
        let owner = |FoundOwner { owner, token_hash, position }| {
            let position = position.as_deref().and_then(LogPosition::parse);
            Some((token_hash.try_into().ok()?, (owner, position)))
        };
        Ok(found.into_iter().filter_map(owner).collect())
    }
}

/// Returns whether an installation is connected; `false` for an unknown id.
pub async fn is_connected<C: ReadSql>(c: &mut C, id: InstallationId) -> Result<bool> {
    Ok(c.opt::<bool>(&IS_CONNECTED, args![id]).await?.unwrap_or(false))
}
