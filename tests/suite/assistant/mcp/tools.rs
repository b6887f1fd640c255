//! Which tools a client can list and call, depending on its token and the endpoint (A-002, A-006, A-263, A-265 … A-269,
//! The tests in `mcp_tools` cover what the tools do.

use serde_json::json;
use switchboard::{assistant::mcp::tools::catalog, domain::grant::AccessScope};

use crate::support::{Server, both_engines, mcp::*};

/// The name of a write tool.
const WRITE: &str = "send_draft";
/// The name of a read tool without parameters.
const READ: &str = "whoami";

/// Returns the names of the tools that need this scope. For `None`, returns the names of all tools.
fn names(need: Option<AccessScope>) -> Vec<String> {
    let wanted = catalog().iter().filter(|tool| need.is_none_or(|need| need == tool.needs()));
    wanted.map(|tool| tool.name().to_owned()).collect()
}

/// Returns arguments of [`WRITE`] that name a draft that does not exist.
fn unknown_draft() -> serde_json::Value {
    json!({"draft_id": "drf_0000000000000"})
}

#[both_engines]
async fn a_token_with_both_scopes_has_every_tool(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    for version in [MODERN, NOVEMBER, JUNE] {
        let full = server.mcp(&token, version).initialized().await;
        // `/mcp` lists read and write tools
        assert_eq!(full.tools().await, names(None));
        assert!(full.tools().await.iter().any(|name| name == WRITE));
        let list = full.list_tools().await.result();
        for tool in list["tools"].as_array().unwrap() {
            assert_eq!(tool["inputSchema"]["type"], "object", "the input schema is of type object: {tool}");
            assert!(
                tool["title"].is_string() && tool["description"].is_string(),
                "a tool has a title and a description: {tool}"
            );
            assert!(
                tool["annotations"]["readOnlyHint"].is_boolean(),
                "a tool says whether it only reads: {tool}"
            );
        }
        let result = full.tool(READ, json!({})).await.result();
        assert_eq!(result["isError"], false);
        assert_eq!(result["content"][0]["type"], "text");
        assert!(result["structuredContent"].is_object());
        let readonly = full.clone().readonly();
        assert_eq!(
            readonly.tools().await,
            names(Some(AccessScope::Read)),
            "/mcp/readonly lists read tools only (A-263)"
        );
        readonly.tool(READ, json!({})).await.result();
        // A-268, D-328: the token has the scope of the tool, so no other token would help. The response is therefore
        // "Unknown tool", and not a 403 that asks for a scope
        let error = readonly.tool(WRITE, unknown_draft()).await.error(200, -32602);
        assert!(
            error["message"].as_str().unwrap().contains("Unknown tool"),
            "a write tool is unknown at /mcp/readonly (A-268): {error}"
        );
    }
}

#[both_engines]
async fn a_token_with_only_the_read_scope_has_only_read_tools(server: Server) {
    let token = server.connected_assistant_with(&[("scope", "service:read")]).await.tokens.access;
    for version in [MODERN, NOVEMBER, JUNE] {
        let client = server.mcp(&token, version).initialized().await;
        assert_eq!(
            client.tools().await,
            names(Some(AccessScope::Read)),
            "without service:write only read tools are listed (A-265)"
        );
        client.tool(READ, json!({})).await.result();
        for write in names(Some(AccessScope::Write)) {
            let got = client.tool(&write, json!({})).await;
            // the missing scope is reported, even if required arguments are missing as well
            got.refused(403, "insufficient_scope");
            let challenge = got.header("www-authenticate").expect("the response has a challenge (A-266)");
            assert!(
                challenge.starts_with("Bearer error=\"insufficient_scope\""),
                "the challenge has the error (A-266): {challenge}"
            );
            // the challenge names both scopes and the URL of the metadata of the protected resource
            assert!(
                challenge.contains("scope=\"service:read service:write\""),
                "the challenge has both scopes (A-267): {challenge}"
            );
            let metadata = format!("{}/.well-known/oauth-protected-resource/mcp", server.base);
            assert!(
                challenge.contains(&format!("resource_metadata=\"{metadata}\"")),
                "the challenge names the metadata (A-267): {challenge}"
            );
            // D-328: with a token without `service:write`, the call also gets 403 at `/mcp/readonly`
            let got = client.clone().readonly().tool(&write, json!({})).await;
            let challenge = got.refused(403, "insufficient_scope").header("www-authenticate").unwrap();
            assert!(
                challenge.starts_with("Bearer error=\"insufficient_scope\""),
                "the challenge has the error (A-266): {challenge}"
            );
            assert!(
                challenge.contains("scope=\"service:read service:write\""),
                "the challenge has both scopes (A-267): {challenge}"
            );
            assert!(
                challenge.contains(&format!("resource_metadata=\"{metadata}/readonly\"")),
                "the challenge names the metadata (A-267): {challenge}"
            );
        }
        client.tool("no_such_tool", json!({})).await.error(200, -32602);
        client.readonly().tool("no_such_tool", json!({})).await.error(200, -32602);
    }
    // a token for `/mcp/readonly` never has the scope `service:write`
    let url = format!("{}/mcp/readonly", server.base);
    let token = server.connected_assistant_with(&[("resource", &url)]).await.tokens.access;
    for version in [MODERN, NOVEMBER, JUNE] {
        let client = server.mcp(&token, version).readonly().initialized().await;
        assert_eq!(client.tools().await, names(Some(AccessScope::Read)));
        client.tool(WRITE, unknown_draft()).await.refused(403, "insufficient_scope");
    }
}

#[both_engines]
async fn a_token_with_only_the_write_scope_has_only_write_tools(server: Server) {
    let token = server.connected_assistant_with(&[("scope", "service:write")]).await.tokens.access;
    for version in [MODERN, NOVEMBER] {
        let client = server.mcp(&token, version).initialized().await;
        assert_eq!(
            client.tools().await,
            names(Some(AccessScope::Write)),
            "a token with only service:write lists only write tools (A-269)"
        );
        let got = client.tool(READ, json!({})).await;
        let challenge = got.refused(403, "insufficient_scope").header("www-authenticate").unwrap();
        assert!(
            challenge.contains("service:read"),
            "a read tool needs the scope service:read (A-269): {challenge}"
        );
        let readonly = client.clone().readonly();
        assert!(readonly.tools().await.is_empty());
        let got = readonly.tool(READ, json!({})).await;
        let challenge = got.refused(403, "insufficient_scope").header("www-authenticate").unwrap();
        assert!(
            challenge.contains("scope=\"service:read service:write\""),
            "a 403 asks for both scopes (D-327): {challenge}"
        );
        // D-328: if the token has the scope of a write tool, the tool is unknown at `/mcp/readonly`
        readonly.tool(WRITE, unknown_draft()).await.error(200, -32602);
    }
}

#[both_engines]
async fn a_refresh_can_narrow_the_tools(server: Server) {
    let assistant = server.connected_assistant().await;
    let session = server.mcp_session(&assistant.tokens.access, NOVEMBER).await;
    let narrow = assistant.client.refresh_with(&assistant.tokens.refresh, &[("scope", "service:read")]).await;
    let access = narrow.ok()["access_token"].as_str().unwrap().to_owned();
    // scopes belong to the token and not to the session
    let session = session.with(&access);
    assert_eq!(session.tools().await, names(Some(AccessScope::Read)));
    session.tool(WRITE, json!({})).await.refused(403, "insufficient_scope");
}

#[both_engines]
async fn a_failed_tool_returns_an_error_result(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    for version in [MODERN, NOVEMBER, JUNE] {
        let client = server.mcp(&token, version).initialized().await;
        let result = client.tool(WRITE, unknown_draft()).await.result();
        assert_eq!(result["isError"], true, "a failed tool has `isError` (A-311): {result}");
        assert!(
            result["content"][0]["text"].as_str().unwrap().starts_with("not_found"),
            "the text begins with the error code: {result}"
        );
        // invalid arguments are rejected with a JSON-RPC error, before the tool runs
        client.tool(WRITE, json!({"draft_id": 1})).await.error(200, -32602);
        client.tool(WRITE, json!({})).await.error(200, -32602);
        // D-025: U+0000 is rejected in parameters, although it is valid in JSON
        for arguments in [
            json!({"draft_id": "drf_\0"}),
            json!({"draft_id": "drf_0000000000000", "idempotency_key": "\0"}),
            json!({"draft_id": "drf_0000000000000", "x\0": 1}),
            json!({"draft_id": "drf_0000000000000", "x": {"y": ["\0"]}}),
        ] {
            let error = client.tool(WRITE, arguments).await.error(200, -32602);
            assert!(
                !error["message"].as_str().unwrap().contains("valid JSON"),
                "the error does not say that the JSON is invalid (D-025): {error}"
            );
        }
        client.tool("search_messages", json!({"query": "a\0b"})).await.error(200, -32602);
        client.request("tools/list", json!({"x": ["\0"]})).send().await.error(200, -32602);
        client.tool("whoami\0", json!({})).await.error(200, -32602);
        // a call without `arguments` equals a call with an empty object
        client.request("tools/call", json!({"name": READ})).send().await.result();
    }
}
