//! Authorization of assistants (OAuth): authorization requests that wait for the employee's decision, and authorization
//! codes that are not yet exchanged.

use crate::domain::{
    assistant::redirect::RedirectKind,
    grant::{Access, ClientKind, Resource},
    ids::{UserId, WorkspaceId},
    time::Timestamp,
};
use crate::store::{ReadSql, Result, Sql, args, statements, table};

table! {
    /// An authorization request of a client.
    #[derive(Clone, Debug, PartialEq)]
    pub struct AuthorizationRequest in authorization_requests {
        /// SHA-256 of the cookie of the browser that started the request.
        browser: Vec<u8>,
        client_id: String,
        client_kind: ClientKind,
        display_name: String,
        /// Whether the client's name is unverified, because the client registered itself.
        unverified: bool,
        /// The host of the URL of the client's metadata document; `None` for a registered client.
        client_host: Option<String>,
        /// The redirect URI as the client sent it.
        redirect_uri: String,
        redirect_kind: RedirectKind,
        /// For display: the host of the redirect URI, or the scheme of a private-use URI.
        redirect_host: String,
        /// The redirect URI, without its port if it is a loopback URI. A new connection of an employee replaces the
        /// connection with the same client and the same redirect key.
        redirect_key: String,
        /// The key by which a company blocks the client.
        block_key: String,
        resource: Resource,
        scopes: Access,
        /// The PKCE challenge of method S256.
        challenge: String,
        /// The parameter `state` of the request, which is returned to the client unchanged. It can have any bytes.
        state: Option<Vec<u8>>,
        expires_at: Timestamp,
    }
    extra_columns { request_hash: &'a [u8; 32] }
}

table! {
    /// An authorization code, for a request that an employee has approved. The exchange of the code creates a
    /// connection.
    #[derive(Clone, Debug, PartialEq)]
    pub struct AuthorizationCode in authorization_codes {
        client_id: String,
        client_kind: ClientKind,
        display_name: String,
        /// The exchange of the code must repeat this redirect URI.
        redirect_uri: String,
        /// The `redirect_key` of the [`AuthorizationRequest`].
        redirect_key: String,
        /// The key by which a company blocks the client.
        block_key: String,
        workspace_id: WorkspaceId,
        /// The employee who approved the request.
        user_id: UserId,
        resource: Resource,
        scopes: Access,
        /// The PKCE challenge of method S256.
        challenge: String,
        expires_at: Timestamp,
    }
    extra_columns { code_hash: &'a [u8; 32] }
}

statements! {
    INSERT_REQUEST: Command = authorization_requests!(INSERT);
    REQUEST: Query -> AuthorizationRequest = authorization_requests!(SELECT "WHERE request_hash = $1");
    DELETE_REQUEST: Command = "DELETE FROM authorization_requests WHERE request_hash = $1";
    // On PostgreSQL, skips a request that a concurrent transaction has locked in order to delete it, for example
    // because the employee has just decided. If that transaction is rolled back, the next run of the maintenance job
    // deletes the request.
    DELETE_EXPIRED_REQUESTS: Command =
        sqlite "DELETE FROM authorization_requests WHERE request_hash IN
            (SELECT request_hash FROM authorization_requests WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)"
        postgres "DELETE FROM authorization_requests WHERE request_hash = ANY(ARRAY(
            SELECT request_hash FROM authorization_requests WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2
            FOR UPDATE SKIP LOCKED))";
    INSERT_CODE: Command = authorization_codes!(INSERT);
    CODE: Query -> AuthorizationCode = authorization_codes!(SELECT "WHERE code_hash = $1");
    DELETE_CODE: Command = "DELETE FROM authorization_codes WHERE code_hash = $1";
    DELETE_CODES_OF_USER: Command = "DELETE FROM authorization_codes WHERE user_id = $1";
    DELETE_CODES_OF_COMPANY: Command = "DELETE FROM authorization_codes WHERE workspace_id = $1";
    DELETE_CODES_OF_KEY: Command = "DELETE FROM authorization_codes WHERE workspace_id = $1 AND block_key = $2";
    // On PostgreSQL, skips a code that a concurrent transaction has locked in order to exchange or delete it. If that
    // transaction is rolled back, the next run of the maintenance job deletes the code.
    DELETE_EXPIRED_CODES: Command =
        sqlite "DELETE FROM authorization_codes WHERE code_hash IN
            (SELECT code_hash FROM authorization_codes WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)"
        postgres "DELETE FROM authorization_codes WHERE code_hash = ANY(ARRAY(
            SELECT code_hash FROM authorization_codes WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2
            FOR UPDATE SKIP LOCKED))";
}

/// Inserts a request. The database has only the SHA-256 of the request's id.
pub async fn insert_request<C: Sql>(
    c: &mut C,
    hash: &[u8; 32],
    request: &AuthorizationRequest,
) -> Result<()> {
    c.exec(&INSERT_REQUEST, &request.insert_args(hash)).await?;
    Ok(())
}

/// Returns the request whose id has this SHA-256, even if the request has expired.
pub async fn request<C: ReadSql>(c: &mut C, hash: &[u8; 32]) -> Result<Option<AuthorizationRequest>> {
    c.opt(&REQUEST, args![hash]).await
}

/// Deletes a request. Returns whether this call deleted the request, so that only one of several concurrent decisions
/// succeeds.
pub async fn take_request<C: Sql>(c: &mut C, hash: &[u8; 32]) -> Result<bool> {
    Ok(c.exec(&DELETE_REQUEST, args![hash]).await? == 1)
}

/// Inserts a code. The database has only the SHA-256 of the code.
pub async fn insert_code<C: Sql>(c: &mut C, hash: &[u8; 32], code: &AuthorizationCode) -> Result<()> {
    c.exec(&INSERT_CODE, &code.insert_args(hash)).await?;
    Ok(())
}

/// Returns the code with this SHA-256, even if the code has expired. `None` if the code was exchanged or deleted.
pub async fn code<C: ReadSql>(c: &mut C, hash: &[u8; 32]) -> Result<Option<AuthorizationCode>> {
    c.opt(&CODE, args![hash]).await
}

/// Deletes a code. Returns whether this call deleted the code, so that only one of several concurrent exchanges
/// succeeds.
pub async fn take_code<C: Sql>(c: &mut C, hash: &[u8; 32]) -> Result<bool> {
    Ok(c.exec(&DELETE_CODE, args![hash]).await? == 1)
}

/// Deletes the codes of a user that are not yet exchanged. The exchange of a code deletes its row.
pub async fn delete_codes_of_user<C: Sql>(c: &mut C, user: UserId) -> Result<()> {
    c.exec(&DELETE_CODES_OF_USER, args![user]).await?;
    Ok(())
}

/// Deletes the codes of a company that are not yet exchanged. If `block_key` is set, deletes only codes of clients
/// with this block key.
pub async fn delete_codes_of_company<C: Sql>(
    c: &mut C,
    workspace: WorkspaceId,
    block_key: Option<&str>,
) -> Result<()> {
    match block_key {
        None => c.exec(&DELETE_CODES_OF_COMPANY, args![workspace]).await?,
        Some(key) => c.exec(&DELETE_CODES_OF_KEY, args![workspace, key]).await?,
    };
    Ok(())
}

/// Deletes up to `limit` expired requests. Returns the number of deleted requests.
pub async fn delete_expired_requests<C: Sql>(c: &mut C, now: Timestamp, limit: i64) -> Result<u64> {
    c.exec(&DELETE_EXPIRED_REQUESTS, args![now, limit]).await
}

/// Deletes up to `limit` expired codes. Returns the number of deleted codes.
pub async fn delete_expired_codes<C: Sql>(c: &mut C, now: Timestamp, limit: i64) -> Result<u64> {
    c.exec(&DELETE_EXPIRED_CODES, args![now, limit]).await
}
