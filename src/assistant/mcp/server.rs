//! The methods of the protocol: what a request that passed the gate is answered.

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
    door::{Door, scope_of},
    era::{Era, LEGACY},
    shape::Request,
    tools::{self, Answer, Outcome, Tool},
    wire::{self, SESSION_ID, Step},
};
use crate::{
    contract::Fault,
    domain::{refusal::Code, tool_calls::ToolOutcome},
    store::Error,
    workspace::{
        World,
        assistants::{connections::Connected, mcp_sessions::Handshake},
    },
};

/// Codes in the audit of a call that the tool did not end.
mod ended {
    use super::ToolOutcome;

    pub(super) const INVALID: ToolOutcome = ToolOutcome::Refused("invalid_request");
    pub(super) const INVALID_TOKEN: ToolOutcome = ToolOutcome::Refused("invalid_token");
    pub(super) const INSUFFICIENT_SCOPE: ToolOutcome = ToolOutcome::Refused("insufficient_scope");
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
        let session = match self.room.world.begin_mcp_session(&self.who, handshake).await {
            Err(Error::Refused(refusal)) if refusal.code == Code::TokenRevoked => {
                return Err(self.door.challenges.invalid_token().into());
            }
            begun => begun?,
        };
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
            return Ok(called(self.door, self.era, id, result));
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
        let ended = if tool.read_only {
            record.carry_out(arguments).await
        } else {
            // a write is carried out to its end, with its row, even if the client leaves
            tokio::spawn(record.carry_out(arguments)).await.map_err(Fault::internal)?
        };
        let answer = match ended {
            Outcome::Done(answer) => answer,
            // the body may have taken its time, and what is done now cannot be taken back
            Outcome::Revoked => return Err(door.challenges.invalid_token().into()),
            Outcome::Invalid(why) => return Ok(invalid_params(id, why)),
        };
        let mut result = CallToolResult::success(vec![ContentBlock::text(answer.text)]);
        result.is_error = Some(answer.is_error);
        result.structured_content = answer.structured;
        Ok(called(door, era, id, result))
    }
}

/// The result of a call.
fn called(door: &Door, era: Era, id: &Value, mut result: CallToolResult) -> Response {
    if era == Era::Modern {
        result.meta = Some(door.meta.clone());
    } else {
        // a member of the newer version
        result.result_type = None;
    }
    wire::result(id, &result)
}

/// A tool call under way. However it ends, it is recorded once: done, failed, or refused for its arguments or its scope.
/// What the limit refuses never comes here, or a client that ignores it would fill the audit.
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

    /// Calls the tool and records how that ended.
    async fn carry_out(self, arguments: Map<String, Value>) -> Outcome {
        let ended = tools::call(&self.world, &self.who, self.tool, &arguments).await;
        match &ended {
            Outcome::Done(answer) => self.end(outcome(answer), &answer.targets).await,
            Outcome::Revoked => self.end(ended::INVALID_TOKEN, &[]).await,
            Outcome::Invalid(_) => self.end(ended::INVALID, &[]).await,
        }
        ended
    }

    async fn end(mut self, outcome: ToolOutcome, targets: &[String]) {
        self.is_recorded = true;
        let took = self.took();
        self.world.note_tool_call(&self.who, self.tool.name, outcome, targets, took).await;
    }

    fn took(&self) -> Duration {
        self.world.clock.instant().saturating_duration_since(self.begun)
    }
}

impl Drop for Record {
    /// The client left, the connection ended or the tool panicked: that is recorded as well, without waiting, so that
    /// the end of the process finds it.
    fn drop(&mut self) {
        if !self.is_recorded {
            let took = self.took();
            self.world.note_tool_call_later(&self.who, self.tool.name, ended::CANCELLED, &[], took);
        }
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

fn unknown_method(era: Era, id: &Value) -> Response {
    // the newer version says it with the status too
    let status = if era == Era::Modern { StatusCode::NOT_FOUND } else { StatusCode::OK };
    wire::error(status, id, &ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "Method not found", None))
}

fn invalid_params(id: &Value, why: impl Into<Cow<'static, str>>) -> Response {
    wire::error(StatusCode::OK, id, &ErrorData::new(ErrorCode::INVALID_PARAMS, why, None))
}
