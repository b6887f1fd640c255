//! Connections and their tokens. A connection allows an assistant's OAuth client to act for one employee.

pub mod ended;
pub mod lists;
pub mod outlived;
pub mod presented;
pub mod refresh_overlaps;
pub mod spent_tokens;

use crate::domain::{
    grant::{Access, ClientKind, ConnectionFacts, EndReason, Resource},
    ids::{ConnectionId, UserId, WorkspaceId},
    people::UserState,
    time::Timestamp,
};
use crate::store::{LockKey, Notice, ReadSql, Result, Sql, args, named_args, row, statements, table};

table! {
    /// A connection of a client and an employee: active, expired or revoked.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Connection in connections {
        id: ConnectionId,
        workspace_id: WorkspaceId,
        user_id: UserId,
        client_id: String,
        client_kind: ClientKind,
        display_name: String,
        /// The key by which a company blocks the client.
        block_key: String,
        redirect_uri: String,
        resource: Resource,
        /// The granted scopes. An access token can have fewer scopes.
        scopes: Access,
        /// The current generation of tokens. Tokens of earlier generations are spent.
        generation: i64,
        /// When the connection expires unless it is refreshed. Each refresh sets a later time.
        refresh_until: Timestamp,
        created_at: Timestamp,
        refreshed_at: Option<Timestamp> = "NULL",
        /// The time of the last use. The stored time can be up to a minute too early.
        last_used_at: Option<Timestamp> = "NULL",
        revoked_at: Option<Timestamp> = "NULL",
        /// Why the connection was revoked; `None` while it is not revoked.
        reason: Option<EndReason> = "NULL",
    }
    extra_columns { slot: &'a [u8; 32], code_hash: &'a [u8; 32], has_tokens = "1" }
}

/// The slot and the authorization code of a new connection. A slot stands for a client with one of its redirect URIs. A
/// user has at most one unrevoked connection with each slot. A new connection replaces the user's earlier connection
/// with the same slot (D-313, D-314).
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// SHA-256 of the client id and the redirect key. The redirect key is the redirect URI, without its port if it is a
    /// loopback URI.
    pub slot: &'a [u8; 32],
    /// SHA-256 of the authorization code that was exchanged for the connection.
    pub code_hash: &'a [u8; 32],
}

/// A token of a connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Token {
    pub connection_id: ConnectionId,
    /// `true` for a refresh token, `false` for an access token.
    pub is_refresh: bool,
    /// The generation of the token. If it equals the generation of the connection, the token is current.
    pub generation: i64,
    pub scopes: Access,
    pub expires_at: Timestamp,
}
row!(Token { connection_id, is_refresh, generation, scopes, expires_at });

/// The state that decides whether a connection is still allowed, and the connection's current generation of tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConnectionStatus {
    /// The current generation of tokens. A token of an earlier generation is spent.
    pub generation: i64,
    /// When the connection expires unless it is refreshed. Each refresh sets a later time.
    pub refresh_until: Timestamp,
    pub created_at: Timestamp,
    pub revoked_at: Option<Timestamp>,
    /// The account state of the user.
    pub state: UserState,
    /// Whether the user is a guest.
    pub is_external: bool,
    /// Whether the company allows assistants.
    pub ai_assistants: bool,
    /// Whether the company has blocked the client.
    pub is_blocked: bool,
    /// The company's maximum age of a connection, in hours; `None` if there is no maximum.
    pub max_session_hours: Option<i64>,
}
row!(ConnectionStatus {
    generation,
    refresh_until,
    created_at,
    revoked_at,
    state,
    is_external,
    ai_assistants,
    is_blocked,
    max_session_hours
});

row!(ConnectionFacts { state, is_external, ai_assistants, is_blocked, max_session_hours });

/// A set of connections that are revoked together.
#[derive(Clone, Copy, Debug)]
pub enum RevocationScope<'a> {
    /// All connections of a company.
    Company(WorkspaceId),
    /// The connections of a company whose clients have this block key.
    Key(WorkspaceId, &'a str),
    /// The connections of a company that were created at or before this time.
    Older(WorkspaceId, Timestamp),
    /// All connections of a user.
    User(UserId),
    /// The user's connection with this slot ([`Origin::slot`]).
    Slot(UserId, &'a [u8; 32]),
}

pub(in crate::store) use connections;

// On PostgreSQL, rows are locked in the order of their ids, so that two revocations of the same rows cannot deadlock.
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

statements! {
    INSERT: Command = connections!(INSERT);
    BY_ID: Query -> Connection = connections!(SELECT "WHERE id = $1");
    BY_ID_FOR_UPDATE: LockingQuery -> Connection = sqlite connections!(SELECT "WHERE id = $1") postgres connections!(SELECT "WHERE id = $1 FOR UPDATE");
    BY_CODE: Query -> Connection = connections!(SELECT "WHERE code_hash = $1");
    ROTATE: Command = "UPDATE connections SET generation = $2, refresh_until = $3, refreshed_at = $4
        WHERE id = $1 AND generation = $2 - 1 AND revoked_at IS NULL";
    REVOKE: Command = "UPDATE connections SET revoked_at = $1, reason = $2 WHERE id = $3 AND revoked_at IS NULL";
    REVOKE_COMPANY: Command = sqlite revoke!(sqlite "workspace_id = $3") postgres revoke!(postgres "workspace_id = $3");
    REVOKE_KEY: Command = sqlite revoke!(sqlite "workspace_id = $3 AND block_key = $4")
        postgres revoke!(postgres "workspace_id = $3 AND block_key = $4");
    REVOKE_OLDER: Command = sqlite revoke!(sqlite "workspace_id = $3 AND created_at <= $4")
        postgres revoke!(postgres "workspace_id = $3 AND created_at <= $4");
    REVOKE_USER: Command = sqlite revoke!(sqlite "user_id = $3") postgres revoke!(postgres "user_id = $3");
    REVOKE_SLOT: Command = sqlite revoke!(sqlite "user_id = $3 AND slot = $4")
        postgres revoke!(postgres "user_id = $3 AND slot = $4");
    // On PostgreSQL, the expiry is checked again when the rows are locked, because a refresh may have just extended it.
    REVOKE_EXPIRED: Command =
        sqlite revoke!(sqlite "id IN (SELECT id FROM connections
            WHERE revoked_at IS NULL AND refresh_until <= $1 ORDER BY refresh_until LIMIT $3)")
        postgres revoke!(postgres "refresh_until <= $1 AND id = ANY(ARRAY(SELECT id FROM connections
            WHERE revoked_at IS NULL AND refresh_until <= $1 ORDER BY refresh_until LIMIT $3))");
    USED: Command = "UPDATE connections SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)";
    INSERT_TOKENS: Command = "INSERT INTO connection_tokens (token_hash, connection_id, is_refresh, generation, scopes,
            expires_at, workspace_id)
        VALUES ($1, $2, 0, $3, $4, $5, $9), ($6, $2, 1, $3, $7, $8, $9)";
    TOKEN: Query -> Token = "SELECT connection_id, is_refresh, generation, scopes, expires_at
        FROM connection_tokens WHERE token_hash = $1";
    STATUS: Query -> ConnectionStatus = "SELECT c.generation, c.refresh_until, c.created_at, c.revoked_at, u.state, u.is_external,
            w.ai_assistants,
            EXISTS (SELECT 1 FROM client_blocks b WHERE b.workspace_id = c.workspace_id AND b.key = c.block_key)
                AS is_blocked,
            w.max_session_hours
        FROM connections c
        JOIN users u ON u.id = c.user_id
        JOIN workspaces w ON w.id = c.workspace_id
        WHERE c.id = $1";
    FACTS: Query -> ConnectionFacts = "SELECT u.state, u.is_external, w.ai_assistants,
            EXISTS (SELECT 1 FROM client_blocks b WHERE b.workspace_id = w.id AND b.key = $2) AS is_blocked,
            w.max_session_hours
        FROM users u JOIN workspaces w ON w.id = u.workspace_id
        WHERE u.id = $1 AND u.is_bot = 0";
}

/// Inserts a connection.
pub async fn insert<C: Sql>(c: &mut C, new: &Connection, origin: Origin<'_>) -> Result<()> {
    c.exec(&INSERT, &new.insert_args(origin.slot, origin.code_hash)).await?;
    Ok(())
}

/// Returns a connection, even if it is revoked.
pub async fn by_id<C: ReadSql>(c: &mut C, id: ConnectionId) -> Result<Option<Connection>> {
    c.opt(&BY_ID, args![id]).await
}

/// Returns a connection, and locks its row until the transaction ends. The lock serializes the uses of the connection's
/// refresh token.
pub async fn by_id_for_update<C: Sql>(c: &mut C, id: ConnectionId) -> Result<Option<Connection>> {
    c.lock_opt(&BY_ID_FOR_UPDATE, args![id]).await
}

/// Returns the connection for which an authorization code was exchanged. `code_hash` is the SHA-256 of the code.
pub async fn by_code<C: ReadSql>(c: &mut C, code_hash: &[u8; 32]) -> Result<Option<Connection>> {
    c.opt(&BY_CODE, args![code_hash]).await
}

/// Refreshes a connection: sets its current generation of tokens to `generation`, and its expiry to `refresh_until`.
/// Does nothing and returns `false` if the connection is revoked, or if its current generation is not `generation` − 1.
pub async fn rotate<C: Sql>(
    c: &mut C,
    id: ConnectionId,
    generation: i64,
    refresh_until: Timestamp,
    now: Timestamp,
) -> Result<bool> {
    Ok(c.exec(&ROTATE, args![id, generation, refresh_until, now]).await? == 1)
}

/// Revokes one connection of a user. Returns whether this call revoked the connection.
///
/// At the operation's commit, writes of the user's assistants can be in progress. The operation responds only after
/// these writes have ended. It waits for these writes even if the connection was already revoked, because the earlier
/// revocation is possibly still waiting for them.
pub async fn revoke<C: Sql>(
    c: &mut C,
    (id, user): (ConnectionId, UserId),
    reason: EndReason,
    now: Timestamp,
) -> Result<bool> {
    c.notify(Notice::Drain(LockKey::user(user)));
    let has_revoked = c.exec(&REVOKE, args![now, reason, id]).await? == 1;
    if has_revoked {
        c.notify(Notice::Ended(id));
    }
    Ok(has_revoked)
}

/// Revokes the connections in `scope` that are not revoked. Returns their ids.
///
/// At the operation's commit, writes through these connections can be in progress. The operation must respond only
/// after these writes have ended. For [`RevocationScope::User`] and [`RevocationScope::Slot`], this function publishes
/// the required [`Notice::Drain`] of the user's lock. For the other scopes, the caller must publish a [`Notice::Drain`]
/// of the lock of the company's assistants ([`LockKey::assistants`]).
pub async fn revoke_all<C: Sql>(
    c: &mut C,
    scope: RevocationScope<'_>,
    reason: EndReason,
    now: Timestamp,
) -> Result<Vec<ConnectionId>> {
    let ended = match scope {
        RevocationScope::Company(workspace) => {
            c.exec_all(&REVOKE_COMPANY, args![now, reason, workspace]).await?
        }
        RevocationScope::Key(workspace, key) => {
            c.exec_all(&REVOKE_KEY, args![now, reason, workspace, key]).await?
        }
        RevocationScope::Older(workspace, until) => {
            c.exec_all(&REVOKE_OLDER, args![now, reason, workspace, until]).await?
        }
        RevocationScope::User(user) => {
            c.notify(Notice::Drain(LockKey::user(user)));
            c.exec_all(&REVOKE_USER, args![now, reason, user]).await?
        }
        RevocationScope::Slot(user, slot) => {
            c.notify(Notice::Drain(LockKey::user(user)));
            c.exec_all(&REVOKE_SLOT, args![now, reason, user, slot]).await?
        }
    };
    Ok(notify_ended(c, ended))
}

/// Revokes up to `limit` connections that have expired because they were not refreshed in time. Returns their ids.
pub async fn revoke_expired<C: Sql>(c: &mut C, now: Timestamp, limit: i64) -> Result<Vec<ConnectionId>> {
    let ended = c.exec_all(&REVOKE_EXPIRED, args![now, EndReason::RefreshExpired, limit]).await?;
    Ok(notify_ended(c, ended))
}

fn notify_ended<C: Sql>(c: &mut C, ended: Vec<ConnectionId>) -> Vec<ConnectionId> {
    for id in &ended {
        c.notify(Notice::Ended(*id));
    }
    ended
}

/// Stores `now` as the time of the last use of a connection. Does nothing if a later time is stored.
pub async fn note_use<C: Sql>(c: &mut C, id: ConnectionId, now: Timestamp) -> Result<()> {
    c.exec(&USED, args![id, now]).await?;
    Ok(())
}

/// Inserts the access token and the refresh token of one generation, each with the SHA-256 of its text.
pub async fn insert_tokens<C: Sql>(
    c: &mut C,
    workspace: WorkspaceId,
    (access_hash, access): (&[u8; 32], &Token),
    (refresh_hash, refresh): (&[u8; 32], &Token),
) -> Result<()> {
    c.exec(
        &INSERT_TOKENS,
        named_args!(INSERT_TOKENS {
            token_hash: access_hash,
            connection_id: access.connection_id,
            generation: access.generation,
            scopes: access.scopes,
            expires_at: access.expires_at,
            token_hash: refresh_hash,
            scopes: refresh.scopes,
            expires_at: refresh.expires_at,
            workspace_id: workspace,
        }),
    )
    .await?;
    Ok(())
}

/// Returns the token with this SHA-256, even if the token is spent or has expired.
pub async fn token<C: ReadSql>(c: &mut C, hash: &[u8; 32]) -> Result<Option<Token>> {
    c.opt(&TOKEN, args![hash]).await
}

/// Returns the state that decides whether a connection is still allowed; `None` for an unknown id.
pub async fn status<C: ReadSql>(c: &mut C, id: ConnectionId) -> Result<Option<ConnectionStatus>> {
    c.opt(&STATUS, args![id]).await
}

/// Returns the facts about a user and the user's company that decide whether the user may connect a client with this
/// block key. `None` for bots and unknown ids.
pub async fn facts<C: ReadSql>(c: &mut C, user: UserId, block_key: &str) -> Result<Option<ConnectionFacts>> {
    c.opt(&FACTS, args![user, block_key]).await
}
