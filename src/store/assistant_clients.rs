//! Clients of the assistant connection server, registered ones and kept metadata documents.

use std::time::Duration;

use super::{Result, Sql, args, row, statements};
use crate::domain::time::Timestamp;

/// A client as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct AssistantClient {
    /// Its place in the list.
    pub id: i64,
    /// `mcpc_…`, or the URL of its document.
    pub client_id: String,
    /// Registered, else known by its document.
    pub is_registered: bool,
    /// Always there for a registered one.
    pub client_name: Option<String>,
    /// A JSON array.
    pub redirect_uris: String,
    /// Without a secret. A document that says otherwise is kept too, so that it is refused without a fetch.
    pub is_public: bool,
    /// SHA-256 of its secret.
    pub secret_hash: Option<Vec<u8>>,
    /// What else was registered, a JSON object.
    pub metadata: Option<String>,
    /// Registered, or first seen.
    pub created_at: Timestamp,
    /// A document is read again from then on; a client that has connected nobody is deleted then.
    pub expires_at: Timestamp,
    /// Its first connection of anybody.
    pub connected_at: Option<Timestamp>,
    /// The latest use by anybody.
    pub last_used_at: Option<Timestamp>,
}
row!(AssistantClient {
    id,
    client_id,
    is_registered,
    client_name,
    redirect_uris,
    is_public,
    secret_hash,
    metadata,
    created_at,
    expires_at,
    connected_at,
    last_used_at
});

/// How far behind the stored time of the latest use may be.
const USE_STEP: Duration = Duration::from_secs(60);

statements! {
    INSERT = "INSERT INTO assistant_clients (id, client_id, is_registered, client_name, redirect_uris, is_public,
            secret_hash, metadata, created_at, expires_at, connected_at, last_used_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, NULL, NULL)";
    KEEP = "INSERT INTO assistant_clients (id, client_id, is_registered, client_name, redirect_uris, is_public,
            secret_hash, metadata, created_at, expires_at, connected_at, last_used_at)
        VALUES ($1, $2, 0, $3, $4, $5, NULL, NULL, $6, $7, NULL, NULL)
        ON CONFLICT (client_id) DO UPDATE SET client_name = excluded.client_name,
            redirect_uris = excluded.redirect_uris, is_public = excluded.is_public, expires_at = excluded.expires_at";
    BY_CLIENT_ID = "SELECT id, client_id, is_registered, client_name, redirect_uris, is_public, secret_hash, metadata,
            created_at, expires_at, connected_at, last_used_at
        FROM assistant_clients WHERE client_id = $1";
    PAGE = "SELECT id, client_id, is_registered, client_name, redirect_uris, is_public, secret_hash, metadata,
            created_at, expires_at, connected_at, last_used_at
        FROM assistant_clients WHERE id > $1 AND (connected_at IS NOT NULL OR expires_at > $2)
        ORDER BY id LIMIT $3";
    USED = "UPDATE assistant_clients SET connected_at = COALESCE(connected_at, $2), last_used_at = $2
        WHERE client_id = $1 AND (connected_at IS NULL OR last_used_at <= $3)";
    // by its times, which an index has of such clients only: $2 is never after $1
    DELETE_UNUSED = "DELETE FROM assistant_clients WHERE connected_at IS NULL AND expires_at <= $1
        AND (is_registered = 1 OR expires_at <= $2)";
}

/// Adds a registered client.
pub async fn insert<C: Sql>(c: &mut C, client: &AssistantClient) -> Result<()> {
    let new = args![
        client.id,
        &client.client_id,
        client.is_registered,
        client.client_name.as_deref(),
        &client.redirect_uris,
        client.is_public,
        client.secret_hash.as_deref(),
        client.metadata.as_deref(),
        client.created_at,
        client.expires_at,
    ];
    c.exec(&INSERT, new).await?;
    Ok(())
}

/// Keeps what a document says until `expires_at`, in place of what it said before.
pub async fn keep_document<C: Sql>(c: &mut C, client: &AssistantClient) -> Result<()> {
    let said = args![
        client.id,
        &client.client_id,
        client.client_name.as_deref(),
        &client.redirect_uris,
        client.is_public,
        client.created_at,
        client.expires_at,
    ];
    c.exec(&KEEP, said).await?;
    Ok(())
}

/// The client of an id, expired or not.
pub async fn by_client_id<C: Sql>(c: &mut C, client_id: &str) -> Result<Option<AssistantClient>> {
    c.opt(&BY_CLIENT_ID, args![client_id]).await
}

/// The clients after `after`, oldest first, without those that are due to be deleted.
pub async fn page<C: Sql>(c: &mut C, after: i64, now: Timestamp, limit: i64) -> Result<Vec<AssistantClient>> {
    c.all(&PAGE, args![after, now, limit]).await
}

/// Notes that a client has connected somebody or renewed a connection, which keeps it for good: when it is the
/// first time, and then once a minute, so that the many users of one client do not wait for each other. Whether there
/// is such a client: a registered one may have been deleted meanwhile; a document may have left the cache, which is no
/// harm.
pub async fn used<C: Sql>(c: &mut C, client_id: &str, now: Timestamp) -> Result<bool> {
    let noted = c.exec(&USED, args![client_id, now, now - USE_STEP]).await? > 0;
    Ok(noted || by_client_id(c, client_id).await?.is_some())
}

/// Deletes what never connected anybody and is due: registrations of 30 days, and documents that were out of
/// date at `documents`, which is not after `now`.
pub async fn delete_unused<C: Sql>(c: &mut C, now: Timestamp, documents: Timestamp) -> Result<u64> {
    c.exec(&DELETE_UNUSED, args![now, documents]).await
}
