//! The OAuth clients of assistants. A client is a registered client, or a cached client metadata document.

use std::time::Duration;

use crate::domain::time::Timestamp;
use crate::store::{ReadSql, Result, Sql, args, statements, table};

table! {
    /// A stored client.
    #[derive(Clone, Debug, PartialEq)]
    pub struct AssistantClient in assistant_clients {
        /// The position of the client in the list of clients.
        id: i64,
        /// `mcpc_…`, or the URL of the client's metadata document.
        client_id: String,
        /// `true` for a registered client, `false` for a client that is identified by its metadata document.
        is_registered: bool,
        /// The name of the client. A registered client always has a name.
        client_name: Option<String>,
        /// A JSON array.
        redirect_uris: String,
        /// Whether the client has no secret. Always `true` for a client with a metadata document: if the document says
        /// that the client has a secret, the document is rejected and not stored.
        is_public: bool,
        /// The SHA-256 of the client secret; `None` if the client has no secret.
        secret_hash: Option<Vec<u8>>,
        /// The other metadata of a registered client, as a JSON object.
        metadata: Option<String>,
        /// When the client was registered or first seen.
        created_at: Timestamp,
        /// For a metadata document, the time after which it must be fetched again. For a registered client, the time at
        /// which the client expires if it never completed a connection.
        expires_at: Timestamp,
        /// When the client completed its first connection, for any user. `None` if it never completed a connection.
        connected_at: Option<Timestamp> = "NULL",
        /// When the client was last used, for any user.
        last_used_at: Option<Timestamp> = "NULL",
    }
}

/// The time of the last use is stored at most once in this time.
const USE_STEP: Duration = Duration::from_secs(60);

statements! {
    INSERT: Command = assistant_clients!(INSERT);
    KEEP: Command = "INSERT INTO assistant_clients (id, client_id, is_registered, client_name, redirect_uris, is_public,
            secret_hash, metadata, created_at, expires_at, connected_at, last_used_at)
        VALUES ($1, $2, 0, $3, $4, $5, NULL, NULL, $6, $7, NULL, NULL)
        ON CONFLICT (client_id) DO UPDATE SET client_name = excluded.client_name,
            redirect_uris = excluded.redirect_uris, is_public = excluded.is_public, expires_at = excluded.expires_at";
    BY_CLIENT_ID: Query -> AssistantClient = assistant_clients!(SELECT "WHERE client_id = $1");
    PAGE: Query -> AssistantClient = assistant_clients!(SELECT "WHERE id > $1 AND (connected_at IS NOT NULL OR expires_at > $2)
        ORDER BY id LIMIT $3");
    USED: Command = "UPDATE assistant_clients SET connected_at = COALESCE(connected_at, $2), last_used_at = $2
        WHERE client_id = $1 AND (connected_at IS NULL OR last_used_at <= $3)";
    // used only if the sandbox's clock is reset
    MOVE_BACK: Command = "UPDATE assistant_clients SET expires_at = expires_at - $2
        WHERE is_registered = 0 AND expires_at > $1";
    // Uses the index of `expires_at`, which has only clients that never completed a connection. $2 is never after $1.
    DELETE_UNUSED: Command =
        sqlite "DELETE FROM assistant_clients WHERE id IN (SELECT id FROM assistant_clients
            WHERE connected_at IS NULL AND expires_at <= $1 AND (is_registered = 1 OR expires_at <= $2)
            ORDER BY expires_at LIMIT $3)"
        postgres "DELETE FROM assistant_clients WHERE id = ANY(ARRAY(SELECT id FROM assistant_clients
            WHERE connected_at IS NULL AND expires_at <= $1 AND (is_registered = 1 OR expires_at <= $2)
            ORDER BY expires_at LIMIT $3 FOR UPDATE))";
}

/// Inserts a registered client.
pub async fn insert<C: Sql>(c: &mut C, client: &AssistantClient) -> Result<()> {
    c.exec(&INSERT, &client.insert_args()).await?;
    Ok(())
}

/// Caches a client metadata document until `expires_at`. If the document is already cached, replaces its content.
pub async fn cache_document<C: Sql>(c: &mut C, client: &AssistantClient) -> Result<()> {
    let arguments = args![
        client.id,
        &client.client_id,
        client.client_name.as_deref(),
        &client.redirect_uris,
        client.is_public,
        client.created_at,
        client.expires_at,
    ];
    c.exec(&KEEP, arguments).await?;
    Ok(())
}

/// Moves the expiry of cached client metadata documents back by `micros` microseconds if it is after `now`. For the
/// sandbox, if its clock was ahead by this time and was reset.
pub async fn move_back<C: Sql>(c: &mut C, now: Timestamp, micros: i64) -> Result<()> {
    c.exec(&MOVE_BACK, args![now, micros]).await?;
    Ok(())
}

/// Returns the client with this client id, even if the client has expired.
pub async fn by_client_id<C: ReadSql>(c: &mut C, client_id: &str) -> Result<Option<AssistantClient>> {
    c.opt(&BY_CLIENT_ID, args![client_id]).await
}

/// Returns up to `limit` clients whose ids are above `after`, ordered by id. Omits expired clients that never completed
/// a connection.
pub async fn page<C: ReadSql>(
    c: &mut C,
    after: i64,
    now: Timestamp,
    limit: i64,
) -> Result<Vec<AssistantClient>> {
    c.all(&PAGE, args![after, now, limit]).await
}

/// Records that a client has completed or refreshed a connection. After that, the client does not expire.
/// Updates the row at the first use, and later at most once a minute, so that the many users of one client do not
/// contend for the row.
///
/// Returns whether the client exists. A registered client was possibly deleted in the meantime. A metadata document was
/// possibly deleted from the cache, which does no harm.
pub async fn used<C: Sql>(c: &mut C, client_id: &str, now: Timestamp) -> Result<bool> {
    let noted = c.exec(&USED, args![client_id, now, now - USE_STEP]).await? > 0;
    Ok(noted || by_client_id(c, client_id).await?.is_some())
}

/// Deletes up to `limit` clients that never completed a connection. Returns the number of deleted clients. A registered
/// client is deleted if it expired at or before `now`, which is 30 days after its registration. A metadata
/// document is deleted if it expired at or before `documents`. `documents` must not be after `now`.
pub async fn delete_unused<C: Sql>(
    c: &mut C,
    now: Timestamp,
    documents: Timestamp,
    limit: i64,
) -> Result<u64> {
    c.exec(&DELETE_UNUSED, args![now, documents, limit]).await
}
