//! The look-up of the connection token that a request presents. One statement returns all facts that decide whether the
//! server accepts the token.

use crate::domain::{
    grant::{Access, Resource},
    ids::{ConnectionId, UserId, WorkspaceId},
    people::UserState,
    time::Timestamp,
};
use crate::store::engine::lookups::Lookup;
use crate::store::{ReadOp, ReadSql, Result, args, op, row, statements};

/// A presented token, and the state of its connection, user and company.
#[derive(Clone, Debug, PartialEq)]
pub struct PresentedToken {
    pub connection_id: ConnectionId,
    /// `true` for a refresh token, `false` for an access token.
    pub is_refresh: bool,
    /// The generation of the token. If it is lower than `current_generation`, the token is spent.
    pub generation: i64,
    /// The scopes of the token. The connection can have more scopes.
    pub scopes: Access,
    pub expires_at: Timestamp,
    pub workspace_id: WorkspaceId,
    pub user_id: UserId,
    pub client_id: String,
    pub display_name: String,
    pub resource: Resource,
    /// The current generation of the connection's tokens.
    pub current_generation: i64,
    /// When the connection expires unless it is refreshed. Each refresh sets a later time.
    pub refresh_until: Timestamp,
    /// When the connection was created.
    pub created_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
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
row!(PresentedToken {
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

/// Selects the columns of [`PresentedToken`] from `$from`, followed by the columns `$more`.
macro_rules! presented {
    ($more:literal, $from:literal) => {
        concat!(
            "SELECT t.connection_id, t.is_refresh, t.generation, t.scopes, t.expires_at, c.workspace_id,
                c.user_id, c.client_id, c.display_name, c.resource, c.generation AS current_generation, c.refresh_until, c.created_at,
                c.last_used_at, c.revoked_at, u.state, u.is_external, w.ai_assistants,
                (SELECT 1 FROM client_blocks b
                    WHERE b.workspace_id = c.workspace_id AND b.key = c.block_key LIMIT 1) IS NOT NULL AS is_blocked,
                w.max_session_hours",
            $more,
            " FROM ",
            $from
        )
    };
}

statements! {
    PRESENTED: Query -> PresentedToken = presented!("", "connection_tokens t
        JOIN connections c ON c.id = t.connection_id
        JOIN users u ON u.id = c.user_id
        JOIN workspaces w ON w.id = c.workspace_id
        WHERE t.token_hash = $1");
    // Looks up several tokens. Runs on PostgreSQL only; for SQLite, tests only prepare the statement.
    PRESENTED_MANY: Query -> PresentedRow =
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
}

/// Finds the token with this SHA-256.
pub(in crate::store) struct FindPresented(pub(in crate::store) [u8; 32]);

op! {
    ReadOp "find_connection", SINGLE: FindPresented -> Option<PresentedToken> =
        |op, c| c.opt(&PRESENTED, args![&op.0])
}

/// Finds the tokens with these SHA-256 hashes, for the batched look-ups on PostgreSQL.
pub(in crate::store) struct PresentedMany(Vec<[u8; 32]>);

/// A row of [`PRESENTED_MANY`].
struct PresentedRow {
    presented: PresentedToken,
    token_hash: Vec<u8>,
}
row!(PresentedRow { ..presented: PresentedToken, token_hash });

impl Lookup for PresentedMany {
    type Key = [u8; 32];
    type Row = PresentedToken;

    fn of(keys: Vec<[u8; 32]>) -> Self {
        Self(keys)
    }
}

impl ReadOp for PresentedMany {
    const NAME: &'static str = "find_connections";
    const SINGLE: bool = true;
    type Out = Vec<([u8; 32], PresentedToken)>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let found: Vec<PresentedRow> = c.all(&PRESENTED_MANY, args![&self.0[..]]).await?;
        Ok(found
            .into_iter()
            .filter_map(|row| Some((row.token_hash.try_into().ok()?, row.presented)))
            .collect())
    }
}
