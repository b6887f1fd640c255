//! The MCP endpoints, `/mcp` and `/mcp/readonly`: what an assistant calls once it is connected.
//!
//! Three versions of the protocol are spoken. In `2026-07-28` each request stands for itself; in `2025-11-25` and
//! `2025-06-18` a session begins with `initialize`. The types of the protocol are `rmcp`'s, the HTTP is ours
//! (`docs/decisions/0004-mcp-transport.md`).
//!
//! A request passes, in the order of A-277:
//!
//! 1. here: the method, 405
//! 2. [`gate`]: [`origin`] 403, a token in the query 400, the credential 401 ([`challenge`]), size 413, kind 415 and 406
//! 3. [`shape`]: JSON-RPC, 400; [`era`]: version and headers, 400; [`sessions`]: 400 and 404
//! 4. [`gate`]: the employee's limit, 429
//! 5. [`server`]: methods 404, scopes 403, and the call of one of the [`tools`]; for GET the [`stream`]
//!
//! [`wire`] writes what leaves, [`cors`] what scripts may read; a [`door`] is one of the two endpoints.

mod challenge;
mod cors;
mod door;
mod era;
#[cfg(feature = "conformance")]
mod fixtures;
mod gate;
mod origin;
mod server;
mod sessions;
mod shape;
mod stream;
pub mod tools;
mod wire;

use std::sync::Arc;

use poem::{
    Endpoint, Request, RequestBody, Response,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
};
use serde_json::Value;

use self::{door::Door, era::Era, shape::Message, wire::Step};
use crate::{
    contract::{Dialect, Fault, LimitRow, OperationInfo, answer, reply},
    domain::{grant::Resource, refusal::Code},
    platform::shutdown::Stop,
    workspace::{
        World,
        assistants::{connections::Connected, mcp_sessions::SessionHash},
    },
};

/// The two endpoints.
pub const PATHS: [&str; 2] = ["/mcp", "/mcp/readonly"];

/// The operations as the document names them (`x-outside`), for logs, metrics and 405.
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
        tag: "mcp",
        dialect: Dialect::Oauth,
        schemes: &[],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[],
        limit: LimitRow::Mcp,
        sandbox: false,
        raw: true,
        errors: &[],
    }
}

/// Both endpoints over one world.
pub struct Mcp {
    world: Arc<World>,
    stop: Stop,
    full: Door,
    readonly: Door,
}

impl Mcp {
    /// The endpoints of a world; open streams end at `stop`.
    #[must_use]
    pub fn new(world: Arc<World>, stop: Stop) -> Self {
        let settings = &world.settings;
        let door = |resource| Door::new(resource, &settings.mcp_url, &settings.service_name);
        let (full, readonly) = (door(Resource::Full), door(Resource::ReadOnly));
        Self { world, stop, full, readonly }
    }

    /// Whether a path is one of the two.
    #[must_use]
    pub fn owns(path: &str) -> bool {
        PATHS.contains(&path)
    }

    async fn serve(&self, door: &Door, request: Request, mut body: RequestBody) -> Step<Response> {
        match *request.method() {
            Method::OPTIONS => {
                let is_page = gate::origin(request.headers(), false)?;
                Ok(cors::preflight(request.headers(), is_page))
            }
            Method::POST => self.post(door, &request, body).await,
            // the version without sessions has neither
            Method::GET | Method::DELETE if era::is_modern(request.headers()) => Ok(only_post()),
            Method::GET => {
                gate::origin(request.headers(), true)?;
                let who = gate::caller(self, door, &request).await?;
                gate::body(request.headers(), body.take().map_err(Fault::internal)?).await?;
                gate::takes_stream(request.headers())?;
                let session = self.session(&who, request.headers()).await?;
                gate::limit(self, &who).await?;
                stream::open(self, door, &who, session).await
            }
            Method::DELETE => {
                gate::origin(request.headers(), false)?;
                let who = gate::caller(self, door, &request).await?;
                gate::body(request.headers(), body.take().map_err(Fault::internal)?).await?;
                let session = self.session(&who, request.headers()).await?;
                gate::limit(self, &who).await?;
                match self.world.end_mcp_session(who.connection_id, session).await? {
                    true => Ok(reply::empty(StatusCode::NO_CONTENT.as_u16())),
                    // another request ended it just now
                    false => Err(sessions::gone(&Value::Null)),
                }
            }
            _ => Err(Fault::client(StatusCode::METHOD_NOT_ALLOWED).into()),
        }
    }

    async fn post(&self, door: &Door, request: &Request, mut body: RequestBody) -> Step<Response> {
        let headers = request.headers();
        gate::origin(headers, false)?;
        let who = gate::caller(self, door, request).await?;
        let body = gate::body(headers, body.take().map_err(Fault::internal)?).await?;
        gate::media(headers)?;
        let message =
            shape::read(&body).map_err(|bad| wire::error(StatusCode::BAD_REQUEST, &bad.id, &bad.error))?;
        let era = era::judge(headers, &message)
            .map_err(|error| wire::error(StatusCode::BAD_REQUEST, message.id(), &error))?;
        match era {
            Era::Modern => {}
            Era::Handshake => sessions::none(self, &who, headers, message.id()).await?,
            Era::Session => {
                sessions::used(self, &who, headers, message.id()).await?;
            }
        }
        gate::limit(self, &who).await?;
        match message {
            Message::Request(request) => server::Call { room: self, door, era, who }.answer(request).await,
            _ => Ok(wire::accepted()),
        }
    }

    /// The session of a request without a body.
    async fn session(&self, who: &Connected, headers: &HeaderMap) -> Step<SessionHash> {
        era::by_header(headers)
            .map_err(|error| wire::error(StatusCode::BAD_REQUEST, &Value::Null, &error))?;
        sessions::used(self, who, headers, &Value::Null).await
    }
}

/// 405 for what the version of the request does not have.
fn only_post() -> Response {
    let mut response = wire::plain(StatusCode::METHOD_NOT_ALLOWED, "invalid_request");
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST, OPTIONS"));
    response
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
        let door = match path {
            "/mcp" => &self.full,
            "/mcp/readonly" => &self.readonly,
            _ => return Err(Fault::from(Code::NotFound).into()),
        };
        // boxed: the tools' work is large, and most requests of the process are not for here
        match Box::pin(self.serve(door, request, body)).await {
            Ok(response) => Ok(response),
            Err(refused) => refused.settle(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_operations_are_those_of_the_document() {
        let document: Value = serde_json::from_str(crate::generated::assistant::DOCUMENT).unwrap();
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
