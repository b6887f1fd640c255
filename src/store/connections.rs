//! Assistants connected for employees, and the tokens they hold.

use super::{FromRow, LockKey, Op, Result, Row, Sql, StoreError, args, lookups::Lookup, row, statements};
use crate::domain::{
    grant::{Access, Circumstances, ClientKind, EndReason, Resource},
    ids::{ConnectionId, UserId, WorkspaceId},
    people::UserState,
    time::Timestamp,
};

/// A client connected for an employee.
#[derive(Clone, Debug, PartialEq)]
pub struct Connection {
    pub id: ConnectionId,
    pub workspace_id: WorkspaceId,
    pub user_id: UserId,
    pub client_id: String,
    pub client_kind: ClientKind,
    pub display_name: String,
    pub block_key: String,
    pub redirect_uri: String,
    pub resource: Resource,
    /// Of the grant; an access token may have fewer.
    pub scopes: Access,
    /// Tokens of an earlier one are spent.
    pub generation: i64,
    /// Ends unless it is refreshed before.
    pub refresh_until: Timestamp,
    pub created_at: Timestamp,
    pub refreshed_at: Option<Timestamp>,
    /// At most a minute behind.
    pub last_used_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
    pub reason: Option<EndReason>,
}
row!(Connection {
    id,
    workspace_id,
    user_id,
    client_id,
    client_kind,
    display_name,
    block_key,
    redirect_uri,
    resource,
    scopes,
    generation,
    refresh_until,
    created_at,
    refreshed_at,
    last_used_at,
    revoked_at,
    reason
});

/// What makes a connection unlike another: a newer one in the same slot replaces it (D-313).
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// SHA-256 of client and redirect key.
    pub slot: &'a [u8; 32],
    /// SHA-256 of the code it was exchanged for.
    pub code_hash: &'a [u8; 32],
}

/// One token of a connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Token {
    pub connection_id: ConnectionId,
    /// A refresh token; otherwise an access token.
    pub is_refresh: bool,
    /// Current while it is its connection's.
    pub generation: i64,
    pub scopes: Access,
    pub expires_at: Timestamp,
}
row!(Token { connection_id, is_refresh, generation, scopes, expires_at });

/// An access token and everything its use depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct Presented {
    pub connection_id: ConnectionId,
    pub is_refresh: bool,
    /// Of the token.
    pub generation: i64,
    /// Of the token.
    pub scopes: Access,
    pub expires_at: Timestamp,
    pub workspace_id: WorkspaceId,
    pub user_id: UserId,
    pub client_id: String,
    pub display_name: String,
    pub resource: Resource,
    pub current_generation: i64,
    pub refresh_until: Timestamp,
    pub created_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
    pub state: UserState,
    pub is_external: bool,
    pub ai_assistants: bool,
    pub is_blocked: bool,
    pub max_session_hours: Option<i64>,
}
row!(Presented {
    connection_id,
    is_refresh,
    generation,
    scopes,
    expires_at,
    workspace_id,
    user_id,
    client_id,
    display_name,
    resource,
    current_generation,
    refresh_until,
    created_at,
    last_used_at,
    revoked_at,
    state,
    is_external,
    ai_assistants,
    is_blocked,
    max_session_hours
});

/// A connection and everything that decides whether it may go on, whatever its tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    pub refresh_until: Timestamp,
    pub created_at: Timestamp,
    pub revoked_at: Option<Timestamp>,
    pub state: UserState,
    pub is_external: bool,
    pub ai_assistants: bool,
    pub is_blocked: bool,
    pub max_session_hours: Option<i64>,
}
row!(Standing {
    refresh_until,
    created_at,
    revoked_at,
    state,
    is_external,
    ai_assistants,
    is_blocked,
    max_session_hours
});

row!(Circumstances { state, is_external, ai_assistants, is_blocked, max_session_hours });

/// Which connections of a company or person end together.
#[derive(Clone, Copy, Debug)]
pub enum Which<'a> {
    /// All of a company.
    Company(WorkspaceId),
    /// Those of a company with a block key.
    Key(WorkspaceId, &'a str),
    /// Those of a company created by this moment.
    Older(WorkspaceId, Timestamp),
    /// All of a person.
    User(UserId),
    /// The one of a person in a slot.
    Slot(UserId, &'a [u8; 32]),
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, workspace_id, user_id, client_id, client_kind, display_name, block_key, redirect_uri,
                resource, scopes, generation, refresh_until, created_at, refreshed_at, last_used_at, revoked_at,
                reason FROM connections ",
            $rest
        )
    };
}

pub(super) use select;

// rows are locked in order of creation, so that two revocations that share some wait for each other in line
macro_rules! revoke {
    (sqlite $which:literal) => {
        concat!(
            "UPDATE connections SET revoked_at = $1, reason = $2 WHERE revoked_at IS NULL AND ",
            $which,
            " RETURNING id"
        )
    };
    (postgres $which:literal) => {
        concat!(
            "UPDATE connections SET revoked_at = $1, reason = $2 WHERE revoked_at IS NULL AND id = ANY(ARRAY(
                SELECT id FROM connections WHERE revoked_at IS NULL AND ",
            $which,
            " ORDER BY id FOR UPDATE)) RETURNING id"
        )
    };
}

/// A token with everything its use depends on, and what else is asked of it.
macro_rules! presented {
    ($more:literal, $from:literal) => {
        concat!(
            "SELECT t.connection_id, t.is_refresh, t.generation, t.scopes, t.expires_at, c.workspace_id,
                c.user_id, c.client_id, c.display_name, c.resource, c.generation, c.refresh_until, c.created_at,
                c.last_used_at, c.revoked_at, u.state, u.is_external, w.ai_assistants,
                (SELECT 1 FROM client_blocks b
                    WHERE b.workspace_id = c.workspace_id AND b.key = c.block_key LIMIT 1) IS NOT NULL,
                w.max_session_hours",
            $more,
            " FROM ",
            $from
        )
    };
}

statements! {
    INSERT = "INSERT INTO connections (id, workspace_id, user_id, client_id, client_kind, display_name,
            block_key, redirect_uri, slot, code_hash, resource, scopes, generation, refresh_until, created_at,
            refreshed_at, last_used_at, revoked_at, reason, has_tokens)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, NULL, NULL, NULL, NULL, 1)";
    BY_ID = select!("WHERE id = $1");
    BY_ID_FOR_UPDATE = sqlite select!("WHERE id = $1") postgres select!("WHERE id = $1 FOR UPDATE");
    BY_CODE = select!("WHERE code_hash = $1");
    ROTATE = "UPDATE connections SET generation = $2, refresh_until = $3, refreshed_at = $4
        WHERE id = $1 AND generation = $2 - 1 AND revoked_at IS NULL";
    REVOKE = "UPDATE connections SET revoked_at = $1, reason = $2 WHERE id = $3 AND revoked_at IS NULL";
    REVOKE_COMPANY = sqlite revoke!(sqlite "workspace_id = $3") postgres revoke!(postgres "workspace_id = $3");
    REVOKE_KEY = sqlite revoke!(sqlite "workspace_id = $3 AND block_key = $4")
        postgres revoke!(postgres "workspace_id = $3 AND block_key = $4");
    REVOKE_OLDER = sqlite revoke!(sqlite "workspace_id = $3 AND created_at <= $4")
        postgres revoke!(postgres "workspace_id = $3 AND created_at <= $4");
    REVOKE_USER = sqlite revoke!(sqlite "user_id = $3") postgres revoke!(postgres "user_id = $3");
    REVOKE_SLOT = sqlite revoke!(sqlite "user_id = $3 AND slot = $4")
        postgres revoke!(postgres "user_id = $3 AND slot = $4");
    REVOKE_EXPIRED = sqlite revoke!(sqlite "refresh_until <= $1") postgres revoke!(postgres "refresh_until <= $1");
    USED = "UPDATE connections SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)";
    INSERT_TOKENS = "INSERT INTO connection_tokens (token_hash, connection_id, is_refresh, generation, scopes,
            expires_at, workspace_id)
        VALUES ($1, $2, 0, $3, $4, $5, $9), ($6, $2, 1, $3, $7, $8, $9)";
    TOKEN = "SELECT connection_id, is_refresh, generation, scopes, expires_at
        FROM connection_tokens WHERE token_hash = $1";
    PRESENTED = presented!("", "connection_tokens t
        JOIN connections c ON c.id = t.connection_id
        JOIN users u ON u.id = c.user_id
        JOIN workspaces w ON w.id = c.workspace_id
        WHERE t.token_hash = $1");
    // asked by the look-ups that share a round trip on PostgreSQL
    PRESENTED_MANY =
        sqlite presented!(", t.token_hash", "connection_tokens t
            JOIN connections c ON c.id = t.connection_id
            JOIN users u ON u.id = c.user_id
            JOIN workspaces w ON w.id = c.workspace_id
            WHERE t.token_hash IN ($1)")
        postgres presented!(", t.token_hash", "unnest(CAST($1 AS BYTEA[])) AS j (hash)
            CROSS JOIN LATERAL (SELECT * FROM connection_tokens WHERE token_hash = j.hash LIMIT 1) AS t
            CROSS JOIN LATERAL (SELECT * FROM connections WHERE id = t.connection_id LIMIT 1) AS c
            CROSS JOIN LATERAL (SELECT state, is_external FROM users WHERE id = c.user_id LIMIT 1) AS u
            CROSS JOIN LATERAL (SELECT ai_assistants, max_session_hours FROM workspaces
                WHERE id = c.workspace_id LIMIT 1) AS w");
    STANDING = "SELECT c.refresh_until, c.created_at, c.revoked_at, u.state, u.is_external, w.ai_assistants,
            EXISTS (SELECT 1 FROM client_blocks b WHERE b.workspace_id = c.workspace_id AND b.key = c.block_key),
            w.max_session_hours
        FROM connections c
        JOIN users u ON u.id = c.user_id
        JOIN workspaces w ON w.id = c.workspace_id
        WHERE c.id = $1";
    CIRCUMSTANCES = "SELECT u.state, u.is_external, w.ai_assistants,
            EXISTS (SELECT 1 FROM client_blocks b WHERE b.workspace_id = w.id AND b.key = $2),
            w.max_session_hours
        FROM users u JOIN workspaces w ON w.id = u.workspace_id
        WHERE u.id = $1 AND u.is_bot = 0";
}

/// Writes a new connection.
pub async fn insert<C: Sql>(c: &mut C, new: &Connection, origin: Origin<'_>) -> Result<()> {
    c.exec(
        &INSERT,
        args![
            new.id,
            new.workspace_id,
            new.user_id,
            &new.client_id,
            new.client_kind,
            &new.display_name,
            &new.block_key,
            &new.redirect_uri,
            origin.slot,
            origin.code_hash,
            new.resource,
            new.scopes,
            new.generation,
            new.refresh_until,
            new.created_at
        ],
    )
    .await?;
    Ok(())
}

/// One connection, ended or not.
pub async fn by_id<C: Sql>(c: &mut C, id: ConnectionId) -> Result<Option<Connection>> {
    c.opt(&BY_ID, args![id]).await
}

/// The same, held until the transaction ends: one use of its refresh token at a time.
pub async fn by_id_for_update<C: Sql>(c: &mut C, id: ConnectionId) -> Result<Option<Connection>> {
    c.opt(&BY_ID_FOR_UPDATE, args![id]).await
}

/// The connection that a code was exchanged for.
pub async fn by_code<C: Sql>(c: &mut C, code_hash: &[u8; 32]) -> Result<Option<Connection>> {
    c.opt(&BY_CODE, args![code_hash]).await
}

/// Makes the next generation of tokens the current one; tells whether the connection was alive and one behind.
pub async fn rotate<C: Sql>(
    c: &mut C,
    id: ConnectionId,
    generation: i64,
    refresh_until: Timestamp,
    now: Timestamp,
) -> Result<bool> {
    Ok(c.exec(&ROTATE, args![id, generation, refresh_until, now]).await? == 1)
}

/// Ends one connection of a user; tells whether this call did. Whether it did or not, the operation is answered after
/// every write of the user's assistants that began before its commit: an earlier request may have ended the connection and
/// not been answered.
pub async fn revoke<C: Sql>(
    c: &mut C,
    (id, user): (ConnectionId, UserId),
    reason: EndReason,
    now: Timestamp,
) -> Result<bool> {
    c.drain(LockKey::user(user));
    let is_mine = c.exec(&REVOKE, args![now, reason, id]).await? == 1;
    if is_mine {
        c.ended(id);
    }
    Ok(is_mine)
}

/// Ends several connections; tells which. The operation is answered after every write through one of them that began
/// before its commit; for a company's the caller drains the lock of its assistants.
pub async fn revoke_all<C: Sql>(
    c: &mut C,
    which: Which<'_>,
    reason: EndReason,
    now: Timestamp,
) -> Result<Vec<ConnectionId>> {
    let ended = match which {
        Which::Company(workspace) => c.all(&REVOKE_COMPANY, args![now, reason, workspace]).await?,
        Which::Key(workspace, key) => c.all(&REVOKE_KEY, args![now, reason, workspace, key]).await?,
        Which::Older(workspace, by) => c.all(&REVOKE_OLDER, args![now, reason, workspace, by]).await?,
        Which::User(user) => {
            c.drain(LockKey::user(user));
            c.all(&REVOKE_USER, args![now, reason, user]).await?
        }
        Which::Slot(user, slot) => {
            c.drain(LockKey::user(user));
            c.all(&REVOKE_SLOT, args![now, reason, user, slot]).await?
        }
    };
    Ok(told(c, ended))
}

/// Ends the connections that nobody refreshed in time; tells which.
pub async fn revoke_expired<C: Sql>(c: &mut C, now: Timestamp) -> Result<Vec<ConnectionId>> {
    let ended = c.all(&REVOKE_EXPIRED, args![now, EndReason::RefreshExpired]).await?;
    Ok(told(c, ended))
}

fn told<C: Sql>(c: &mut C, ended: Vec<ConnectionId>) -> Vec<ConnectionId> {
    for id in &ended {
        c.ended(*id);
    }
    ended
}

/// Notes a use, unless a later one is noted.
pub async fn note_use<C: Sql>(c: &mut C, id: ConnectionId, now: Timestamp) -> Result<()> {
    c.exec(&USED, args![id, now]).await?;
    Ok(())
}

/// Writes the access and the refresh token of one generation, each under its SHA-256.
pub async fn insert_tokens<C: Sql>(
    c: &mut C,
    workspace: WorkspaceId,
    (access_hash, access): (&[u8; 32], &Token),
    (refresh_hash, refresh): (&[u8; 32], &Token),
) -> Result<()> {
    let args = args![
        access_hash,
        access.connection_id,
        access.generation,
        access.scopes,
        access.expires_at,
        refresh_hash,
        refresh.scopes,
        refresh.expires_at,
        workspace
    ];
    c.exec(&INSERT_TOKENS, args).await?;
    Ok(())
}

/// The token of a SHA-256: current, spent or expired.
pub async fn token<C: Sql>(c: &mut C, hash: &[u8; 32]) -> Result<Option<Token>> {
    c.opt(&TOKEN, args![hash]).await
}

/// The token of a SHA-256 with everything its use depends on.
pub(super) struct FindPresented(pub(super) [u8; 32]);

impl Op for FindPresented {
    const NAME: &'static str = "find_connection";
    const SINGLE: bool = true;
    type Out = Option<Presented>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        c.opt(&PRESENTED, args![&self.0]).await
    }
}

/// The same of some tokens.
pub(super) struct PresentedMany(Vec<[u8; 32]>);

/// A row of [`PRESENTED_MANY`].
struct OfToken {
    presented: Presented,
    token_hash: Vec<u8>,
}

impl FromRow for OfToken {
    fn from_row(row: &Row<'_>) -> std::result::Result<Self, StoreError> {
        Ok(Self { presented: Presented::from_row(row)?, token_hash: row.get(20)? })
    }
}

impl Lookup for PresentedMany {
    type Key = [u8; 32];
    type Row = Presented;

    fn of(keys: Vec<[u8; 32]>) -> Self {
        Self(keys)
    }
}

impl Op for PresentedMany {
    const NAME: &'static str = "find_connections";
    const SINGLE: bool = true;
    type Out = Vec<([u8; 32], Presented)>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let found: Vec<OfToken> = c.all(&PRESENTED_MANY, args![&self.0[..]]).await?;
        Ok(found.into_iter().filter_map(|of| Some((of.token_hash.try_into().ok()?, of.presented))).collect())
    }
}

/// Whether a connection may go on is decided by this.
pub async fn standing<C: Sql>(c: &mut C, id: ConnectionId) -> Result<Option<Standing>> {
    c.opt(&STANDING, args![id]).await
}

/// What decides whether a person may have a client with this key connected; none for bots and unknown ids.
pub async fn circumstances<C: Sql>(
    c: &mut C,
    user: UserId,
    block_key: &str,
) -> Result<Option<Circumstances>> {
    c.opt(&CIRCUMSTANCES, args![user, block_key]).await
}
