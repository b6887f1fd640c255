//! Elicitation in URL mode: the server asks the client to open the page on which the employee confirms a draft. A
//! client declares whether it supports this mode. In protocol version 2025-11-25 the declaration is in `initialize`. In
//! 2026-07-28 the declaration is in `_meta` of each request. 2025-06-18 has no URL mode.
//!
//! The client's response to the elicitation request says only whether the employee agreed to open the page. What the
//! employee does on the page is stored in the database, so no request of the client waits for the employee.
//!
//! In 2025-11-25 the response to the tool call is an event stream with two messages: the elicitation request and the
//! tool's result. The server discards the client's response to the elicitation request. In 2026-07-28 the tool's result
//! has the type `input_required` and contains the elicitation request. The client then repeats the tool call, with its
//! response to the elicitation request.

use std::collections::BTreeMap;

use poem::{
    Body, Response,
    http::{HeaderValue, header},
};
use rmcp::model::{
    ClientCapabilities, ElicitRequest, ElicitRequestParams, InputRequest, InputRequiredResult,
    ProtocolVersion,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{
    endpoint::McpEndpoint,
    jsonrpc::JsonRpcMessage,
    mode::META_CAPABILITIES,
    response::{self, Step},
    tools::ConfirmPage,
};
use crate::contract::{ApiError, reply};

/// Parameter of a repeated call (2026-07-28): the client's responses to the requests of an `input_required` result.
pub(super) const RESPONSES: &str = "inputResponses";
/// Parameter of a repeated call (2026-07-28): the `requestState` of the `input_required` result, which the client
/// returns unchanged. Its value is the version of the draft for which the server sent the elicitation request.
pub(super) const STATE: &str = "requestState";
/// Key of the elicitation request in the `inputRequests` of an `input_required` result.
const CONFIRM: &str = "confirm";

/// Whether a request of 2026-07-28 declares that the client supports elicitation in URL mode.
pub(super) fn is_declared(message: &JsonRpcMessage) -> bool {
    let declared = |params: &Map<String, Value>| {
        let capabilities = params.get("_meta")?.get(META_CAPABILITIES)?;
        Some(capabilities.get("elicitation")?.get("url")?.is_object())
    };
    message.call().and_then(|(_, params)| declared(params)).unwrap_or(false)
}

/// Whether elicitation in URL mode is available in a session. The session's protocol version must have the URL mode,
/// and the client must have declared in `initialize` that it supports the mode.
pub(super) fn is_negotiated(version: &ProtocolVersion, capabilities: &ClientCapabilities) -> bool {
    let is_declared = capabilities.elicitation.as_ref().is_some_and(|elicitation| elicitation.url.is_some());
    *version == ProtocolVersion::V_2025_11_25 && is_declared
}

/// Returns the response with the `input_required` result of 2026-07-28, which asks the client to open `page`.
pub(super) fn required(endpoint: &McpEndpoint, id: &Value, page: &ConfirmPage) -> Response {
    let params = ElicitRequestParams::UrlElicitationParams {
        meta: None,
        message: page.message.clone(),
        url: page.url.clone(),
        elicitation_id: String::new(),
    };
    let request = InputRequest::Elicitation(ElicitRequest::new(params));
    let requests = BTreeMap::from([(CONFIRM.to_owned(), request)]);
    let result = InputRequiredResult::new(Some(requests), Some(page.version.clone()));
    let mut result = json!(result.with_meta(endpoint.meta.clone()));
    // rmcp serializes `elicitationId`, which 2026-07-28 does not have
    if let Some(params) = result.pointer_mut("/inputRequests/confirm/params").and_then(Value::as_object_mut) {
        params.remove("elicitationId");
    }
    response::result(id, &result)
}

#[derive(Serialize)]
struct ElicitationRequest<'a> {
    jsonrpc: &'static str,
    id: String,
    method: &'static str,
    params: Params<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Params<'a> {
    mode: &'static str,
    elicitation_id: &'a str,
    url: &'a str,
    message: &'a str,
}

/// Returns the event stream of 2025-11-25: the elicitation request, then the result of the tool. `unique` becomes a
/// part of the elicitation request's id. Without this part, several elicitation requests for one draft would have the
/// same id, and MCP forbids using a request id twice in a session.
pub(super) async fn request_then_result(
    page: &ConfirmPage,
    unique: &str,
    result: Response,
) -> Step<Response> {
    let result = result.into_body().into_string().await.map_err(ApiError::internal)?;
    let elicitation_id = format!("{}-{unique}", page.draft_id);
    let request = ElicitationRequest {
        jsonrpc: "2.0",
        id: format!("confirm-{elicitation_id}"),
        method: "elicitation/create",
        params: Params {
            mode: "url",
            elicitation_id: &elicitation_id,
            url: &page.url,
            message: &page.message,
        },
    };
    let request = serde_json::to_string(&request).map_err(ApiError::internal)?;
    // both texts are compact JSON without line breaks, so each text fits into one `data` line
    let mut response = Response::from(Body::from(format!(
        "event: message\ndata: {request}\n\nevent: message\ndata: {result}\n\n"
    )));
    for (name, value) in [(header::CONTENT_TYPE, reply::EVENT_STREAM), (header::CACHE_CONTROL, "no-store")] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}
