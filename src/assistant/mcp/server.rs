//! The methods of the protocol: what a request that passed the gate is answered.

use std::{borrow::Cow, sync::Arc, time::Instant};

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
    door::{Door, scope_of},
    era::{Era, LEGACY},
    shape::{Message, Request},
    tools::{self, Answer, Outcome, Tool},
    wire::{self, SESSION_ID, Step},
};
use crate::{
    domain::{refusal::Code, tool_calls::ToolOutcome},
    workspace::{
        World,
        assistants::{connections::Connected, mcp_sessions::Handshake},
    },
};

/// Codes in the audit of a call that the tool did not end.
mod ended {
    use super::ToolOutcome;

    pub(super) const INVALID: ToolOutcome = ToolOutcome::Refused("invalid_request");
    pub(super) const INSUFFICIENT_SCOPE: ToolOutcome = ToolOutcome::Refused("insufficient_scope");
    pub(super) const RATE_LIMITED: ToolOutcome = ToolOutcome::Refused("rate_limited");
    /// The client left before the tool was done.
    pub(super) const CANCELLED: ToolOutcome = ToolOutcome::Failed("cancelled");
}

/// A request and who sent it.
pub(super) struct Call<'a> {
    pub(super) room: &'a Mcp,
    pub(super) door: &'a Door,
    pub(super) era: Era,
    pub(super) who: Connected,
}

impl Call<'_> {
    /// Answers a request.
    pub(super) async fn answer(self, request: Request) -> Step<Response> {
        let Request { id, method, params } = request;
        match (self.era, method.as_str()) {
            (Era::Handshake, _) => self.initialize(&id, params).await,
            (Era::Session, "ping") => Ok(wire::ready(&id, "{}")),
            (Era::Modern, "server/discover") => Ok(wire::ready(&id, &self.door.discovery)),
            (_, "tools/list") => Ok(self.list(&id, &params)),
            (_, "tools/call") => self.call_tool(&id, params).await,
            (era, _) => Ok(unknown_method(era, &id)),
        }
    }

    /// Agrees on a version and begins a session (A-279 … A-281).
    async fn initialize(self, id: &Value, params: Map<String, Value>) -> Step<Response> {
        let asked: InitializeRequestParams = match serde_json::from_value(Value::Object(params)) {
            Ok(asked) => asked,
            Err(why) => return Ok(invalid_params(id, format!("`params` of initialize: {why}"))),
        };
        let version = match asked.protocol_version {
            known if LEGACY.contains(&known.as_str()) => known,
            // the latest that can be agreed on (D-339)
            _ => ProtocolVersion::LATEST_WITH_INITIALIZE,
        };
        let handshake = Handshake {
            protocol_version: version.as_str().to_owned(),
            client_name: asked.client_info.name,
            client_version: asked.client_info.version,
        };
        let session = self.room.world.begin_mcp_session(self.who.connection_id, handshake).await?;
        let mut response = wire::result(id, &self.door.introduction(version));
        if let Ok(session) = HeaderValue::from_str(&session) {
            response.headers_mut().insert(SESSION_ID, session);
        }
        Ok(response)
    }

    /// Every tool that the token may call, in one page.
    fn list(&self, id: &Value, params: &Map<String, Value>) -> Response {
        // none was ever given out
        if params.get("cursor").is_some_and(|cursor| !cursor.is_null()) {
            return invalid_params(id, "`cursor` is not one of this server's");
        }
        wire::ready(id, self.door.list(self.who.scopes, self.era == Era::Modern))
    }

    async fn call_tool(self, id: &Value, mut params: Map<String, Value>) -> Step<Response> {
        let Some(Value::String(name)) = params.get("name") else {
            return Ok(invalid_params(id, "`name` must name a tool"));
        };
        #[cfg(feature = "conformance")]
        if let Some(result) = super::fixtures::call(name) {
            return Ok(called(self.era, id, result));
        }
        let Some(tool) = self.door.tool(name) else {
            let name = crate::contract::json::echo(name);
            return Ok(invalid_params(id, format!("Unknown tool: {name}")));
        };
        let Self { room, door, era, who } = self;
        let record = Record::begin(Arc::clone(&room.world), who, tool);
        if !record.who.scopes.contains(scope_of(tool)) {
            record.end(ended::INSUFFICIENT_SCOPE, &[]).await;
            return Err(door.challenges.insufficient_scope().into());
        }
        let arguments = match params.remove("arguments") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(arguments)) => arguments,
            Some(_) => {
                record.end(ended::INVALID, &[]).await;
                return Ok(invalid_params(id, "`arguments` must be an object"));
            }
        };
        let answer = match tools::call(&room.world, &record.who, tool, &arguments).await {
            Outcome::Done(answer) => answer,
            Outcome::Invalid(why) => {
                record.end(ended::INVALID, &[]).await;
                return Ok(invalid_params(id, why));
            }
        };
        record.end(outcome(&answer), &answer.targets).await;
        let mut result = CallToolResult::success(vec![ContentBlock::text(answer.text)]);
        result.is_error = Some(answer.is_error);
        result.structured_content = answer.structured;
        Ok(called(era, id, result))
    }
}

/// The result of a call.
fn called(era: Era, id: &Value, mut result: CallToolResult) -> Response {
    if era != Era::Modern {
        // a member of the newer version
        result.result_type = None;
    }
    wire::result(id, &result)
}

/// Records a call that the limit refused.
pub(super) async fn refused_by_limit(room: &Mcp, door: &Door, who: &Connected, message: &Message) {
    let Message::Request(Request { method, params, .. }) = message else { return };
    let name = params.get("name").and_then(Value::as_str).filter(|_| method == "tools/call");
    if let Some(tool) = name.and_then(|name| door.tool(name)) {
        let begun = room.world.clock.instant();
        audit(&room.world, who, tool, ended::RATE_LIMITED, &[], begun).await;
    }
}

/// A tool call under way. However it ends, it is recorded once.
struct Record {
    world: Arc<World>,
    who: Connected,
    tool: &'static Tool,
    begun: Instant,
    is_recorded: bool,
}

impl Record {
    fn begin(world: Arc<World>, who: Connected, tool: &'static Tool) -> Self {
        let begun = world.clock.instant();
        Self { world, who, tool, begun, is_recorded: false }
    }

    async fn end(mut self, outcome: ToolOutcome, targets: &[String]) {
        audit(&self.world, &self.who, self.tool, outcome, targets, self.begun).await;
        self.is_recorded = true;
    }
}

impl Drop for Record {
    /// The client left, or the tool panicked: what it had done by then stands, so it is recorded all the same.
    fn drop(&mut self) {
        if self.is_recorded {
            return;
        }
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let (world, who, tool, begun) = (Arc::clone(&self.world), self.who.clone(), self.tool, self.begun);
        runtime.spawn(async move { audit(&world, &who, tool, ended::CANCELLED, &[], begun).await });
    }
}

/// How a call that the tool ended is kept.
fn outcome(answer: &Answer) -> ToolOutcome {
    match answer.code {
        _ if !answer.is_error => ToolOutcome::Ok,
        Some(code) if [Code::InternalError, Code::ServerError].iter().any(|own| own.as_str() == code) => {
            ToolOutcome::Failed(code)
        }
        Some(code) => ToolOutcome::Refused(code),
        None => ToolOutcome::Failed("unknown"),
    }
}

/// Where every call of a tool is recorded, with what came of it and the ids it touched: done, failed, and refused for its
/// arguments, its scope or the limit.
async fn audit(
    world: &World,
    who: &Connected,
    tool: &'static Tool,
    outcome: ToolOutcome,
    targets: &[String],
    begun: Instant,
) {
    let took = world.clock.instant().saturating_duration_since(begun);
    world.note_tool_call(who, tool.name, outcome, targets, took).await;
}

fn unknown_method(era: Era, id: &Value) -> Response {
    // the newer version says it with the status too
    let status = if era == Era::Modern { StatusCode::NOT_FOUND } else { StatusCode::OK };
    wire::error(status, id, &ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "Method not found", None))
}

fn invalid_params(id: &Value, why: impl Into<Cow<'static, str>>) -> Response {
    wire::error(StatusCode::OK, id, &ErrorData::new(ErrorCode::INVALID_PARAMS, why, None))
}
