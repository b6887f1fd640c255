//! The methods of MCP. This module handles a JSON-RPC request after the HTTP request has passed its checks.

use std::{
    borrow::Cow,
    sync::Arc,
    time::{Duration, Instant},
};

use poem::{
    Response,
    http::{HeaderValue, StatusCode},
};
use rmcp::model::{
    CallToolResult, ContentBlock, ErrorCode, ErrorData, InitializeRequestParams, ProtocolVersion,
};
use serde_json::{Map, Value};

use super::{
    Mcp,
    checks::{self, ShownMessages},
    elicitation,
    endpoint::McpEndpoint,
    jsonrpc::JsonRpcRequest,
    mode::{LEGACY, ProtocolMode},
    response::{self, SESSION_ID, Step},
    tools::{self, CallOutcome, Tool, ToolResult},
};
use crate::{
    contract::{ApiError, strict_json},
    domain::{refusal::Code, tool_calls::ToolOutcome},
    service::{
        Error, World,
        callers::confirm::ReadTime,
        employee::send::PageElicitation,
        oauth::{active_connection::Connected, mcp_sessions::Handshake},
    },
};

/// Outcomes that the audit stores for calls in which the tool returned no result.
mod outcomes {
    use super::ToolOutcome;

    pub(super) const INVALID: ToolOutcome = ToolOutcome::Refused("invalid_request");
    pub(super) const INVALID_TOKEN: ToolOutcome = ToolOutcome::Refused("invalid_token");
    pub(super) const INSUFFICIENT_SCOPE: ToolOutcome = ToolOutcome::Refused("insufficient_scope");
    /// The client disconnected before the tool had finished, or the tool panicked.
    pub(super) const CANCELLED: ToolOutcome = ToolOutcome::Failed("cancelled");
}

/// Number of random characters in the id of an elicitation.
const ELICITATION_CHARS: usize = 16;

/// The error message for parameters that contain U+0000. Stored text cannot contain this character (D-025).
const NUL: &str = "`params` must not contain U+0000";

fn contains_nul(name: &str, value: &Value) -> bool {
    name.contains('\0') || strict_json::has_nul(value)
}

/// A method of MCP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ProtocolMethod {
    Initialize,
    Ping,
    Discover,
    ListTools,
    CallTool,
}

impl ProtocolMethod {
    /// Returns the method with this name; `None` if the mode has no such method.
    fn find(mode: ProtocolMode, name: &str) -> Option<Self> {
        match (mode, name) {
            // the mode is `Handshake` only if the method is `initialize`
            (ProtocolMode::Handshake, _) => Some(Self::Initialize),
            (ProtocolMode::Session, "ping") => Some(Self::Ping),
            (ProtocolMode::Modern, "server/discover") => Some(Self::Discover),
            (_, "tools/list") => Some(Self::ListTools),
            (_, "tools/call") => Some(Self::CallTool),
            _ => None,
        }
    }
}

/// Handles one JSON-RPC request of a caller at an endpoint.
pub(super) struct RequestHandler<'a> {
    pub(super) mcp: &'a Mcp,
    pub(super) endpoint: &'a McpEndpoint,
    pub(super) mode: ProtocolMode,
    pub(super) connected: Connected,
    /// When the access token was looked up.
    pub(super) as_of: ReadTime,
    /// Whether the client can be asked to open a URL for the employee (elicitation in URL mode).
    pub(super) opens_urls: bool,
}

impl RequestHandler<'_> {
    /// Handles the request. The error for an unknown method takes precedence over errors in the parameters.
    pub(super) async fn answer(self, request: JsonRpcRequest) -> Step<Response> {
        let JsonRpcRequest { id, method, params, is_positional } = request;
        let Some(method) = ProtocolMethod::find(self.mode, &method) else {
            return Ok(unknown_method(self.mode, &id));
        };
        if is_positional {
            return Ok(invalid_params(&id, "`params` must be an object"));
        }
        // `call_tool` checks its parameters itself, because an insufficient scope takes precedence
        let is_call = method == ProtocolMethod::CallTool;
        if !is_call && params.iter().any(|(name, value)| contains_nul(name, value)) {
            return Ok(invalid_params(&id, NUL));
        }
        match method {
            ProtocolMethod::Initialize => self.initialize(&id, params).await,
            ProtocolMethod::Ping => Ok(response::ready(&id, "{}")),
            ProtocolMethod::Discover => Ok(response::ready(&id, &self.endpoint.discovery)),
            ProtocolMethod::ListTools => Ok(self.list(&id, &params)),
            ProtocolMethod::CallTool => self.call_tool(&id, params).await,
        }
    }

    /// Negotiates a version and creates a session (A-279 … A-281).
    async fn initialize(self, id: &Value, params: Map<String, Value>) -> Step<Response> {
        let requested: InitializeRequestParams = match serde_json::from_value(Value::Object(params)) {
            Ok(requested) => requested,
            Err(why) => return Ok(invalid_params(id, format!("`params` of initialize: {why}"))),
        };
        let version = match requested.protocol_version {
            known if LEGACY.contains(&known.as_str()) => known,
            // any other version gets the newest version that has `initialize` (D-339)
            _ => ProtocolVersion::LATEST_WITH_INITIALIZE,
        };
        let url_elicitation = elicitation::is_negotiated(&version, &requested.capabilities);
        let handshake = Handshake {
            protocol_version: version.as_str().to_owned(),
            client_name: requested.client_info.name,
            client_version: requested.client_info.version,
            url_elicitation,
        };
        let session = match self.mcp.world.begin_mcp_session(&self.connected, handshake).await {
            Err(Error::Refused(refusal)) if refusal.code == Code::TokenRevoked => {
                return Err(self.endpoint.challenges.invalid_token().into());
            }
            created => created?,
        };
        let mut response = response::result(id, &self.endpoint.initialize_result(version));
        if let Ok(session) = HeaderValue::from_str(&session) {
            response.headers_mut().insert(SESSION_ID, session);
        }
        Ok(response)
    }

    /// Returns all tools that the token may call at this endpoint, in one page. Rejects a cursor, because the server
    /// issues no cursors for this list.
    fn list(&self, id: &Value, params: &Map<String, Value>) -> Response {
        if params.get("cursor").is_some_and(|cursor| !cursor.is_null()) {
            return invalid_params(id, "`cursor` was not issued by this server; omit it");
        }
        response::ready(id, self.endpoint.list(self.connected.scopes(), self.mode == ProtocolMode::Modern))
    }

    /// Finds a tool by name. If the token lacks the tool's scope, finds the tool at both endpoints, so that both
    /// respond with 403 (D-328). If the token has the scope, finds the tool only at an endpoint that offers it.
    fn tool(&self, name: &str) -> Option<&'static Tool> {
        let is_offered =
            |tool: &&Tool| !self.connected.scopes().contains(tool.needs()) || self.endpoint.has(tool);
        tools::find(name).filter(is_offered)
    }

    async fn call_tool(self, id: &Value, mut params: Map<String, Value>) -> Step<Response> {
        let Some(Value::String(name)) = params.get("name") else {
            return Ok(invalid_params(id, "`name` must name a tool"));
        };
        #[cfg(feature = "conformance")]
        if let Some(result) = super::fixtures::call(name) {
            return Ok(tool_result(self.endpoint, self.mode, id, result));
        }
        let Some(tool) = self.tool(name) else {
            let name = strict_json::echo(name);
            return Ok(invalid_params(id, format!("Unknown tool: {name}")));
        };
        let Self { mcp, endpoint, mode, connected, as_of, opens_urls } = self;
        let elicitation = match mode {
            _ if !opens_urls => PageElicitation::Unsupported,
            // the client repeats the call with its response to an elicitation request
            _ if params.contains_key(elicitation::RESPONSES) => {
                let version = params.get(elicitation::STATE).and_then(Value::as_str).map(str::to_owned);
                PageElicitation::Answered { version }
            }
            ProtocolMode::Modern => PageElicitation::InsteadOfResult,
            ProtocolMode::Handshake | ProtocolMode::Session => PageElicitation::WithResult,
        };
        let record = RecordedCall::begin(Arc::clone(&mcp.world), connected.clone(), tool);
        if !record.connected.scopes().contains(tool.needs()) {
            record.end(outcomes::INSUFFICIENT_SCOPE, &[]).await;
            return Err(endpoint.challenges.insufficient_scope().into());
        }
        if params.iter().any(|(name, value)| contains_nul(name, value)) {
            record.end(outcomes::INVALID, &[]).await;
            return Ok(invalid_params(id, NUL));
        }
        let arguments = match params.remove("arguments") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(arguments)) => arguments,
            Some(_) => {
                record.end(outcomes::INVALID, &[]).await;
                return Ok(invalid_params(id, "`arguments` must be an object"));
            }
        };
        let outcome = if tool.is_read_only() {
            record.run(arguments, elicitation).await
        } else {
            // a write and its audit row complete even if the client disconnects
            tokio::spawn(record.run(arguments, elicitation)).await.map_err(ApiError::internal)?
        };
        let mut answer = match outcome {
            CallOutcome::Done(answer) => answer,
            // after the request was authenticated, the connection was revoked or its token replaced;
            // nothing was written
            CallOutcome::Revoked => return Err(endpoint.challenges.invalid_token().into()),
            CallOutcome::Invalid(why) => return Ok(invalid_params(id, why)),
        };
        if let Some(page) = answer.confirm.as_ref().filter(|_| mode == ProtocolMode::Modern) {
            return Ok(elicitation::required(endpoint, id, page));
        }
        let conversations = std::mem::take(&mut answer.shown);
        if !conversations.is_empty() {
            let replacement = call_result(tools::changed_meanwhile(tool));
            let replacement = of_version(endpoint, mode, replacement);
            let shown = ShownMessages { conversations, id: id.clone(), replacement };
            checks::replace_confirmation(mcp, endpoint, connected, as_of, shown);
        }
        let confirm = answer.confirm.take();
        let response = tool_result(endpoint, mode, id, call_result(answer));
        match confirm {
            Some(page) => {
                let unique = mcp.world.rng.base62(ELICITATION_CHARS);
                Ok(elicitation::request_then_result(&page, &unique, response).await?)
            }
            None => Ok(response),
        }
    }
}

/// Returns the result of a tool call.
fn call_result(answer: ToolResult) -> CallToolResult {
    let mut result = CallToolResult::success(vec![ContentBlock::text(answer.text)]);
    result.is_error = Some(answer.is_error);
    result.structured_content = answer.structured;
    result
}

/// Returns the response with the result of a tool call, in the form of the protocol version.
fn tool_result(endpoint: &McpEndpoint, mode: ProtocolMode, id: &Value, result: CallToolResult) -> Response {
    response::result(id, &of_version(endpoint, mode, result))
}

/// Returns the result of a tool call in the form of the protocol version.
fn of_version(endpoint: &McpEndpoint, mode: ProtocolMode, mut result: CallToolResult) -> CallToolResult {
    if mode == ProtocolMode::Modern {
        result.meta = Some(endpoint.meta.clone());
    } else {
        // `resultType` exists only in protocol version 2026-07-28
        result.result_type = None;
    }
    result
}

/// A running tool call. The call is recorded in the audit exactly once: as done, rejected or failed. A request that the
/// rate limit rejects never becomes a `RecordedCall`, so a client that ignores the limit cannot fill the audit.
struct RecordedCall {
    world: Arc<World>,
    connected: Connected,
    tool: &'static Tool,
    begun: Instant,
    is_recorded: bool,
}

impl RecordedCall {
    fn begin(world: Arc<World>, connected: Connected, tool: &'static Tool) -> Self {
        let begun = world.clock.instant();
        Self { world, connected, tool, begun, is_recorded: false }
    }

    /// Calls the tool and records its outcome. Afterwards, the connection may be revoked, or the employee may leave a
    /// conversation that the result shows. The response middleware then replaces the result by an error, but the
    /// recorded outcome does not change (`docs/decisions/0006-audit-of-tool-calls.md`).
    async fn run(self, arguments: Map<String, Value>, elicitation: PageElicitation) -> CallOutcome {
        let result = tools::call(&self.world, &self.connected, self.tool, &arguments, elicitation).await;
        match &result {
            CallOutcome::Done(answer) => self.end(audit_outcome(answer), &answer.targets).await,
            CallOutcome::Revoked => self.end(outcomes::INVALID_TOKEN, &[]).await,
            CallOutcome::Invalid(_) => self.end(outcomes::INVALID, &[]).await,
        }
        result
    }

    async fn end(mut self, outcome: ToolOutcome, targets: &[String]) {
        self.is_recorded = true;
        let took = self.took();
        self.world.record_tool_call(&self.connected, self.tool.name(), outcome, targets, took).await;
    }

    fn took(&self) -> Duration {
        self.world.clock.instant().saturating_duration_since(self.begun)
    }
}

impl Drop for RecordedCall {
    /// Records a call that is dropped before its outcome was recorded, because the client disconnected or the tool
    /// panicked. The row is queued here and written later, at shutdown at the latest.
    fn drop(&mut self) {
        if !self.is_recorded {
            let took = self.took();
            self.world.queue_tool_call(&self.connected, self.tool.name(), outcomes::CANCELLED, &[], took);
        }
    }
}

/// Returns the outcome that the audit stores for a tool's result.
fn audit_outcome(answer: &ToolResult) -> ToolOutcome {
    match answer.code {
        _ if !answer.is_error => ToolOutcome::Ok,
        Some(code) if [Code::InternalError, Code::ServerError].iter().any(|own| own.as_str() == code) => {
            ToolOutcome::Failed(code)
        }
        Some(code) => ToolOutcome::Refused(code),
        None => ToolOutcome::Failed("unknown"),
    }
}

fn unknown_method(mode: ProtocolMode, id: &Value) -> Response {
    // protocol version 2026-07-28 requires status 404; within a session the status is 200
    let status = if mode == ProtocolMode::Modern { StatusCode::NOT_FOUND } else { StatusCode::OK };
    response::error(status, id, &ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "Method not found", None))
}

fn invalid_params(id: &Value, why: impl Into<Cow<'static, str>>) -> Response {
    response::error(StatusCode::OK, id, &ErrorData::new(ErrorCode::INVALID_PARAMS, why, None))
}
