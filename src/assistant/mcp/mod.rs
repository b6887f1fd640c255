//! The MCP endpoints `/mcp` and `/mcp/readonly`, which connected assistants call.
//!
//! Three protocol versions are supported. In `2026-07-28` each request is self-contained. In `2025-11-25` and
//! `2025-06-18`, `initialize` creates a session. The protocol types are those of the crate `rmcp`. The HTTP layer is
//! implemented here (`docs/decisions/0004-mcp-transport.md`).
//!
//! A request is checked in the order of D-323. Some checks apply only to some HTTP methods. Each check is listed with
//! the status of its rejection:
//!
//! 1. [`checks`]: the [`origin`], 403; a token in the query, 400; the credential, 401 ([`challenge`])
//! 2. this module: the HTTP method, 405; [`checks`]: the size of the body, 413; media types, 415 and 406
//! 3. [`jsonrpc`]: JSON-RPC, 400; [`mode`]: version and headers, 400; [`sessions`]: 400 and 404
//! 4. [`checks`]: the employee's rate limit, 429
//! 5. [`server`]: unknown JSON-RPC methods, 404 in `2026-07-28`; scopes, 403
//!
//! After the checks, a POST runs its JSON-RPC method in [`server`], which calls the [`tools`]. A GET opens the
//! [`stream`], and a DELETE ends the session.
//!
//! [`elicitation`] asks clients to open a page for the employee. [`response`] serializes responses. [`cors`] sets the
//! CORS headers of responses. [`endpoint`] defines what differs between `/mcp` and `/mcp/readonly`.

mod challenge;
mod checks;
mod cors;
mod elicitation;
mod endpoint;
#[cfg(feature = "conformance")]
mod fixtures;
pub mod jsonrpc;
pub mod mode;
pub mod origin;
mod response;
mod server;
mod sessions;
mod stream;
pub mod tools;

use std::sync::Arc;

use poem::{
    Endpoint, Request, RequestBody, Response,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
};
use serde_json::Value;

use self::{endpoint::McpEndpoint, jsonrpc::JsonRpcMessage, mode::ProtocolMode, response::Step};
use crate::{
    contract::{ApiError, Dialect, LimitName, OperationInfo, answer, reply},
    domain::{grant::Resource, refusal::Code},
    platform::shutdown::Stop,
    service::{
        World,
        oauth::{active_connection::Connected, mcp_sessions::SessionHash},
    },
};

/// Paths of the two endpoints.
pub const PATHS: [&str; 2] = ["/mcp", "/mcp/readonly"];

/// The operations of the MCP endpoints, by their ids in the OpenAPI document. There they have `x-outside`, so no code
/// is generated for them. Logs and metrics use the ids. The endpoints also support `HEAD`, which is handled like `GET`,
/// and `OPTIONS`. A request with any other method gets 405. The header `Allow` of this response lists all supported
/// methods.
pub const OPERATIONS: &[&OperationInfo] = &[
    &operation("sendMcpMessage", "POST", PATHS[0]),
    &operation("openMcpStream", "GET", PATHS[0]),
    &operation("endMcpSession", "DELETE", PATHS[0]),
    &operation("sendReadonlyMcpMessage", "POST", PATHS[1]),
    &operation("openReadonlyMcpStream", "GET", PATHS[1]),
    &operation("endReadonlyMcpSession", "DELETE", PATHS[1]),
];

const fn operation(id: &'static str, method: &'static str, path: &'static str) -> OperationInfo {
    OperationInfo {
        api: "assistant",
        id,
        method,
        path,
        dialect: Dialect::Oauth,
        raw: true,
        ..OperationInfo::plain(LimitName::Mcp)
    }
}

/// The poem endpoint that serves both MCP endpoints.
pub struct Mcp {
    world: Arc<World>,
    stop: Stop,
    full: McpEndpoint,
    readonly: McpEndpoint,
}

impl Mcp {
    /// Creates the endpoints. Open streams end at shutdown (`stop`).
    #[must_use]
    pub fn new(world: Arc<World>, stop: Stop) -> Self {
        let settings = &world.settings;
        let endpoint = |resource| McpEndpoint::new(resource, &settings.mcp_url, &settings.service_name);
        let (full, readonly) = (endpoint(Resource::Full), endpoint(Resource::ReadOnly));
        Self { world, stop, full, readonly }
    }

    /// Returns whether a path is that of one of the two endpoints.
    #[must_use]
    pub fn owns(path: &str) -> bool {
        PATHS.contains(&path)
    }

    async fn serve(&self, endpoint: &McpEndpoint, request: Request, mut body: RequestBody) -> Step<Response> {
        match *request.method() {
            Method::OPTIONS => {
                let is_page = checks::origin(request.headers(), false)?;
                Ok(cors::preflight(request.headers(), is_page))
            }
            Method::POST => self.post(endpoint, &request, body).await,
            Method::GET => {
                checks::origin(request.headers(), true)?;
                let connected = checks::caller(self, endpoint, &request).await?;
                require_version_with_sessions(request.headers())?;
                let body = body.take().map_err(ApiError::internal)?;
                let ((connected, _), _) = checks::body(self, endpoint, &request, connected, body).await?;
                checks::accepts_stream(request.headers())?;
                let session = self.session(&connected, request.headers()).await?;
                checks::limit(self, &connected).await?;
                stream::open(self, endpoint, &connected, session).await
            }
            Method::DELETE => {
                checks::origin(request.headers(), false)?;
                let connected = checks::caller(self, endpoint, &request).await?;
                require_version_with_sessions(request.headers())?;
                let body = body.take().map_err(ApiError::internal)?;
                let ((connected, _), _) = checks::body(self, endpoint, &request, connected, body).await?;
                let session = self.session(&connected, request.headers()).await?;
                checks::limit(self, &connected).await?;
                match self.world.end_mcp_session(connected.connection_id(), session).await? {
                    true => Ok(reply::empty(StatusCode::NO_CONTENT.as_u16())),
                    // another request ended the session after this request had found it
                    false => Err(sessions::not_found(&Value::Null)),
                }
            }
            // authentication precedes the 405, so that a client learns where to obtain a token (D-323)
            _ => {
                checks::origin(request.headers(), false)?;
                checks::caller(self, endpoint, &request).await?;
                Err(ApiError::client(StatusCode::METHOD_NOT_ALLOWED).into())
            }
        }
    }

    async fn post(&self, endpoint: &McpEndpoint, request: &Request, mut body: RequestBody) -> Step<Response> {
        let headers = request.headers();
        checks::origin(headers, false)?;
        let connected = checks::caller(self, endpoint, request).await?;
        let body = body.take().map_err(ApiError::internal)?;
        let ((connected, as_of), body) = checks::body(self, endpoint, request, connected, body).await?;
        checks::media(headers)?;
        let message = jsonrpc::read(&body)
            .map_err(|bad| response::error(StatusCode::BAD_REQUEST, &bad.id, &bad.error))?;
        let mode = mode::mode_of(headers, &message)
            .map_err(|error| response::error(StatusCode::BAD_REQUEST, message.id(), &error))?;
        let opens_urls = match mode {
            ProtocolMode::Modern => elicitation::is_declared(&message),
            ProtocolMode::Handshake => {
                sessions::require_no_session(self, &connected, headers, message.id()).await?;
                false
            }
            ProtocolMode::Session => {
                let session = sessions::require_session(self, &connected, headers, message.id()).await?;
                // the elicitation request and the result are sent in an event stream, which the client must accept
                session.url_elicitation && checks::accepts_stream(headers).is_ok()
            }
        };
        checks::limit(self, &connected).await?;
        match message {
            JsonRpcMessage::Request(request) => {
                server::RequestHandler { mcp: self, endpoint, mode, connected, as_of, opens_urls }
                    .answer(request)
                    .await
            }
            _ => Ok(response::accepted()),
        }
    }

    /// Returns the session of a GET or DELETE request and records its use.
    async fn session(&self, connected: &Connected, headers: &HeaderMap) -> Step<SessionHash> {
        mode::by_header(headers)
            .map_err(|error| response::error(StatusCode::BAD_REQUEST, &Value::Null, &error))?;
        Ok(sessions::require_session(self, connected, headers, &Value::Null).await?.hash)
    }
}

/// Rejects GET and DELETE with 405 if `MCP-Protocol-Version` names the version without sessions (A-301, D-350).
fn require_version_with_sessions(headers: &HeaderMap) -> Step<()> {
    if !mode::is_modern(headers) {
        return Ok(());
    }
    let mut response = response::plain(StatusCode::METHOD_NOT_ALLOWED, "invalid_request");
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST, OPTIONS"));
    Err(response.into())
}

impl Endpoint for Mcp {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        let (request, body) = request.split();
        let path = request.uri().path();
        let known = OPERATIONS.iter().find(|known| known.path == path && known.method == *request.method());
        if let Some(operation) = known {
            answer::operation(operation);
        }
        let endpoint = match path {
            "/mcp" => &self.full,
            "/mcp/readonly" => &self.readonly,
            _ => return Err(ApiError::from(Code::NotFound).into()),
        };
        // boxed, so that this large future is not a part of the future of `call`
        match Box::pin(self.serve(endpoint, request, body)).await {
            Ok(response) => Ok(response),
            Err(rejected) => rejected.into_result(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_operations_equal_those_of_the_openapi_document() {
        let document: Value = serde_json::from_str(crate::generated::assistant::SOURCE).unwrap();
        let mut documented = Vec::new();
        for path in PATHS {
            for (method, operation) in document["paths"][path].as_object().unwrap() {
                if let Some(id) = operation["operationId"].as_str() {
                    documented.push((id.to_owned(), method.to_uppercase(), path));
                }
            }
        }
        documented.sort();
        let mut known: Vec<_> =
            OPERATIONS.iter().map(|one| (one.id.to_owned(), one.method.to_owned(), one.path)).collect();
        known.sort();
        assert_eq!(known, documented);
    }
}
