//! Authorization requests that wait for an employee's decision, and codes that nobody has exchanged.

use super::{Result, Sql, args, row, statements};
use crate::domain::{
    grant::{Access, ClientKind, RedirectKind, Resource},
    ids::{UserId, WorkspaceId},
    time::Timestamp,
};

/// What a client asks an employee for.
#[derive(Clone, Debug, PartialEq)]
pub struct AuthorizationRequest {
    /// SHA-256 of the cookie of the browser that asked.
    pub browser: Vec<u8>,
    pub client_id: String,
    pub client_kind: ClientKind,
    pub display_name: String,
    /// It registered itself: anybody can, under any name.
    pub unverified: bool,
    /// Of a metadata document's URL.
    pub client_host: Option<String>,
    /// As the client sent it.
    pub redirect_uri: String,
    pub redirect_kind: RedirectKind,
    pub redirect_host: String,
    /// The redirect URI without a loopback port.
    pub redirect_key: String,
    pub block_key: String,
    pub resource: Resource,
    pub scopes: Access,
    /// PKCE, S256.
    pub challenge: String,
    /// The client's own, returned unchanged: any bytes.
    pub state: Option<Vec<u8>>,
    pub expires_at: Timestamp,
}
row!(AuthorizationRequest {
    browser,
    client_id,
    client_kind,
    display_name,
    unverified,
    client_host,
    redirect_uri,
    redirect_kind,
    redirect_host,
    redirect_key,
    block_key,
    resource,
    scopes,
    challenge,
    state,
    expires_at
});

/// What an employee approved; becomes a connection when it is exchanged.
#[derive(Clone, Debug, PartialEq)]
pub struct AuthorizationCode {
    pub client_id: String,
    pub client_kind: ClientKind,
    pub display_name: String,
    /// Needed again at the exchange.
    pub redirect_uri: String,
    pub redirect_key: String,
    pub block_key: String,
    pub workspace_id: WorkspaceId,
    pub user_id: UserId,
    pub resource: Resource,
    pub scopes: Access,
    /// PKCE, S256.
    pub challenge: String,
    pub expires_at: Timestamp,
}
row!(AuthorizationCode {
    client_id,
    client_kind,
    display_name,
    redirect_uri,
    redirect_key,
    block_key,
    workspace_id,
    user_id,
    resource,
    scopes,
    challenge,
    expires_at
});

statements! {
    INSERT_REQUEST = "INSERT INTO authorization_requests (request_hash, browser, client_id, client_kind,
            display_name, unverified, client_host, redirect_uri, redirect_kind, redirect_host, redirect_key,
            block_key, resource, scopes, challenge, state, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)";
    REQUEST = "SELECT browser, client_id, client_kind, display_name, unverified, client_host, redirect_uri,
            redirect_kind, redirect_host, redirect_key, block_key, resource, scopes, challenge, state, expires_at
        FROM authorization_requests WHERE request_hash = $1";
    DELETE_REQUEST = "DELETE FROM authorization_requests WHERE request_hash = $1";
    DELETE_EXPIRED_REQUESTS = "DELETE FROM authorization_requests WHERE expires_at <= $1";
    INSERT_CODE = "INSERT INTO authorization_codes (code_hash, client_id, client_kind, display_name,
            redirect_uri, redirect_key, block_key, workspace_id, user_id, resource, scopes, challenge, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
    CODE = "SELECT client_id, client_kind, display_name, redirect_uri, redirect_key, block_key, workspace_id,
            user_id, resource, scopes, challenge, expires_at
        FROM authorization_codes WHERE code_hash = $1";
    DELETE_CODE = "DELETE FROM authorization_codes WHERE code_hash = $1";
    DELETE_CODES_OF_USER = "DELETE FROM authorization_codes WHERE user_id = $1";
    DELETE_CODES_OF_COMPANY = "DELETE FROM authorization_codes WHERE workspace_id = $1";
    DELETE_CODES_OF_KEY = "DELETE FROM authorization_codes WHERE workspace_id = $1 AND block_key = $2";
    DELETE_EXPIRED_CODES = "DELETE FROM authorization_codes WHERE expires_at <= $1";
}

/// Writes a request under the SHA-256 of its id.
pub async fn insert_request<C: Sql>(c: &mut C, hash: &[u8; 32], r: &AuthorizationRequest) -> Result<()> {
    c.exec(
        &INSERT_REQUEST,
        args![
            hash,
            &r.browser,
            &r.client_id,
            r.client_kind,
            &r.display_name,
            r.unverified,
            r.client_host.as_deref(),
            &r.redirect_uri,
            r.redirect_kind,
            &r.redirect_host,
            &r.redirect_key,
            &r.block_key,
            r.resource,
            r.scopes,
            &r.challenge,
            r.state.as_deref(),
            r.expires_at
        ],
    )
    .await?;
    Ok(())
}

/// The request of an id's SHA-256, expired or not.
pub async fn request<C: Sql>(c: &mut C, hash: &[u8; 32]) -> Result<Option<AuthorizationRequest>> {
    c.opt(&REQUEST, args![hash]).await
}

/// Removes a request; tells whether this call did. Of several decisions one gets through.
pub async fn take_request<C: Sql>(c: &mut C, hash: &[u8; 32]) -> Result<bool> {
    Ok(c.exec(&DELETE_REQUEST, args![hash]).await? == 1)
}

/// Writes a code under its SHA-256.
pub async fn insert_code<C: Sql>(c: &mut C, hash: &[u8; 32], code: &AuthorizationCode) -> Result<()> {
    c.exec(
        &INSERT_CODE,
        args![
            hash,
            &code.client_id,
            code.client_kind,
            &code.display_name,
            &code.redirect_uri,
            &code.redirect_key,
            &code.block_key,
            code.workspace_id,
            code.user_id,
            code.resource,
            code.scopes,
            &code.challenge,
            code.expires_at
        ],
    )
    .await?;
    Ok(())
}

/// The code of a SHA-256, expired or not; none once it was exchanged.
pub async fn code<C: Sql>(c: &mut C, hash: &[u8; 32]) -> Result<Option<AuthorizationCode>> {
    c.opt(&CODE, args![hash]).await
}

/// Removes a code; tells whether this call did. Of several exchanges one gets through.
pub async fn take_code<C: Sql>(c: &mut C, hash: &[u8; 32]) -> Result<bool> {
    Ok(c.exec(&DELETE_CODE, args![hash]).await? == 1)
}

/// Removes what a person approved and nobody exchanged.
pub async fn delete_codes_of_user<C: Sql>(c: &mut C, user: UserId) -> Result<()> {
    c.exec(&DELETE_CODES_OF_USER, args![user]).await?;
    Ok(())
}

/// Removes what was approved in a company, for one block key or for all.
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

/// Removes requests and codes that have run out.
pub async fn delete_expired<C: Sql>(c: &mut C, now: Timestamp) -> Result<()> {
    c.exec(&DELETE_EXPIRED_REQUESTS, args![now]).await?;
    c.exec(&DELETE_EXPIRED_CODES, args![now]).await?;
    Ok(())
}
