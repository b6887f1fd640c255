//! The OAuth clients of assistants: registered clients, and clients whose metadata document is cached.

use std::time::Duration;

use crate::domain::time::Timestamp;
use crate::store::{ReadSql, Result, Sql, args, statements, table};

table! {
    /// A stored client.
    #[derive(Clone, Debug, PartialEq)]
    pub struct AssistantClient in assistant_clients {
        /// The row's number. [`page`] returns the clients in the order of these numbers.
        id: i64,
        /// `mcpc_…`, or the URL of the client's metadata document.
        client_id: String,
        /// `true` for a registered client, `false` for a client that is identified by its metadata document.
        is_registered: bool,
        /// The name of the client; `None` if its metadata document has no name that can be shown. A registered client
        /// always has a name.
        client_name: Option<String>,
        /// A JSON array of strings.
        redirect_uris: String,
        /// Whether the client has no secret. Always `true` for a client with a metadata document: a document of a
        /// client that is not public is not stored.
        is_public: bool,
        /// The SHA-256 of the client secret; `None` if the client has no secret.
        secret_hash: Option<Vec<u8>>,
        /// All other metadata with which a client registered, as a JSON object; `None` for a metadata document.
        metadata: Option<String>,
        /// When the row was inserted: at the client's registration, or when its metadata document was first cached.
        created_at: Timestamp,
        /// For a metadata document, the time after which it must be fetched again. For a registered client, the time at
        /// which the client expires if it never completed a connection.
        expires_at: Timestamp,
        /// When the client completed its first connection, for any user. `None` if it never completed a connection.
        connected_at: Option<Timestamp> = "NULL",
        /// When the client last completed or refreshed a connection, for any user. The stored time can be up to a
        /// minute too early.
        last_used_at: Option<Timestamp> = "NULL",
    }
}

/// The minimum time between two updates of `last_used_at`.
const USE_STEP: Duration = Duration::from_secs(60);

statements! {
    INSERT: Command = assistant_clients!(INSERT);
    KEEP: Command = assistant_clients!(INSERT "ON CONFLICT (client_id) DO UPDATE SET client_name = excluded.client_name,
            redirect_uris = excluded.redirect_uris, is_public = excluded.is_public, expires_at = excluded.expires_at");
    BY_CLIENT_ID: Query -> AssistantClient = assistant_clients!(SELECT "WHERE client_id = $1");
    PAGE: Query -> AssistantClient = assistant_clients!(SELECT "WHERE id > $1 AND (connected_at IS NOT NULL OR expires_at > $2)
        ORDER BY id LIMIT $3");
    USED: Command = "UPDATE assistant_clients SET connected_at = COALESCE(connected_at, $2), last_used_at = $2
        WHERE client_id = $1 AND (connected_at IS NULL OR last_used_at <= $3)";
    // used only when the sandbox's clock is reset
    MOVE_BACK: Command = "UPDATE assistant_clients SET expires_at = expires_at - $2
        WHERE is_registered = 0 AND expires_at > $1";
    // Uses the partial index of `expires_at` for clients that never completed a connection. The condition on $1 limits
    // the scan of the index. It excludes no row that the condition on $2 selects, because $2 is never after $1.
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

/// Caches a client metadata document until `expires_at`. If the document is already cached, replaces the content and
/// the time of expiry.
pub async fn cache_document<C: Sql>(c: &mut C, client: &AssistantClient) -> Result<()> {
    debug_assert!(!client.is_registered, "KEEP does not update the columns of registered clients");
    c.exec(&KEEP, &client.insert_args()).await?;
    Ok(())
}

/// Moves the expiry of cached client metadata documents back by `micros` microseconds. Omits documents that expire at
/// or before `now`. For the reset of the sandbox's clock, which was ahead of the real time `now` by `micros`.
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

/// Records that a client has completed or refreshed a connection. After that, the client is never deleted as unused
/// . Updates the row at the first use, and later at most once a minute, so that the many users of one client do
/// not contend for the row.
///
/// Returns whether the client has a row. A registered client without a row has expired and was deleted. A client with a
/// metadata document remains valid without a row: the server fetches the document again.
pub async fn used<C: Sql>(c: &mut C, client_id: &str, now: Timestamp) -> Result<bool> {
    let has_updated = c.exec(&USED, args![client_id, now, now - USE_STEP]).await? > 0;
    Ok(has_updated || by_client_id(c, client_id).await?.is_some())
}

/// Deletes up to `limit` expired clients that never completed a connection. Returns the number of deleted clients.
///
/// A registered client expires 30 days after its registration, and is deleted if it expired at or before `now`.
/// A cached metadata document is deleted if it expired at or before `documents_until`, which must not be after `now`.
pub async fn delete_unused<C: Sql>(
    c: &mut C,
    now: Timestamp,
    documents_until: Timestamp,
    limit: i64,
) -> Result<u64> {
    c.exec(&DELETE_UNUSED, args![now, documents_until, limit]).await
}
