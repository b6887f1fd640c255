//! The MCP version 2026-07-28, which has no sessions: each request is independent (A-292 … A-301).

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Server, both_engines, mcp::*};

/// Returns a message whose parameters have `meta` as the member `_meta`. If `meta` is `None`, the parameters have no
/// member `_meta`.
fn with_meta(client: &Mcp, method: &str, meta: Option<Value>) -> Value {
    let mut message = client.message(method, json!({}));
    match meta {
        Some(meta) => message["params"]["_meta"] = meta,
        None => drop(message["params"].as_object_mut().unwrap().remove("_meta")),
    }
    message
}

#[both_engines]
async fn requests_need_no_session(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    let client = server.mcp(&token, MODERN);
    // no request of this version needs or begins a session
    for method in ["server/discover", "tools/list"] {
        let got = client.request(method, json!({})).send().await;
        got.result();
        assert_eq!(got.header("mcp-session-id"), None);
    }
    client.tool("whoami", json!({})).await.result();
    // every session id is ignored, even an invalid one
    for session in ["mcps_00000000000000000000000000000000", "x", ""] {
        let got = client.request("tools/list", json!({})).header("mcp-session-id", session).send().await;
        got.result();
        assert_eq!(got.header("mcp-session-id"), None);
    }
    // this version has neither GET nor DELETE
    for method in [Method::GET, Method::DELETE] {
        let got = server.mcp(&token, MODERN).bare(method.clone()).send().await;
        got.is(405);
        assert_eq!(got.header("allow"), Some("POST, OPTIONS"));
        // D-323: the token is checked before the method
        server.mcp("nonsense", MODERN).bare(method).send().await.invalid_token();
    }
}

#[both_engines]
async fn the_server_describes_itself(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    for client in [server.mcp(&token, MODERN), server.mcp(&token, MODERN).readonly()] {
        let result = client.request("server/discover", json!({})).send().await.result();
        // A-299, D-346, D-348: the versions (newest first), the capabilities, and how long the response may be cached
        assert_eq!(result["supportedVersions"], json!([MODERN, NOVEMBER, JUNE]));
        assert_eq!(result["capabilities"], json!({"tools": {}}));
        assert_eq!(result["resultType"], "complete");
        assert_eq!(result["ttlMs"], 300_000);
        assert_eq!(result["cacheScope"], "private");
        let server = &result["_meta"]["io.modelcontextprotocol/serverInfo"];
        assert!(
            server["name"].is_string() && server["version"].is_string(),
            "the server has a name and a version: {result}"
        );
    }
}

#[both_engines]
async fn results_say_how_they_may_be_cached(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    let client = server.mcp(&token, MODERN);
    let first = client.list_tools().await.result();
    // the result of `tools/list` has `resultType`, `ttlMs` and `cacheScope`
    assert_eq!(first["resultType"], "complete");
    // D-349: the list must not be cached, because the list depends on the scopes of the token
    assert_eq!(first["ttlMs"], 0);
    assert_eq!(first["cacheScope"], "private");
    assert!(first.get("nextCursor").is_none());
    for _ in 0..3 {
        assert_eq!(
            client.list_tools().await.result(),
            first,
            "the tools are always in the same order (A-300)"
        );
    }
    let called = client.tool("whoami", json!({})).await.result();
    assert_eq!(called["resultType"], "complete");
    for result in [&first, &called] {
        assert!(
            result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"].is_string(),
            "a result has the server's name: {result}"
        );
    }
    // results of earlier versions have none of the members `resultType`, `ttlMs`, `cacheScope` and `_meta`
    for version in LEGACY {
        let session = server.mcp_session(&token, version).await;
        let old = session.list_tools().await.result();
        assert_eq!(old, json!({"tools": first["tools"]}));
        let called = session.tool("whoami", json!({})).await.result();
        assert!(
            called.get("resultType").is_none() && called.get("_meta").is_none(),
            "results of earlier versions have neither `resultType` nor `_meta`: {called}"
        );
    }
}

#[both_engines]
async fn meta_is_required(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    let client = server.mcp(&token, MODERN);
    for method in ["tools/list", "server/discover", "no/such/thing"] {
        for meta in [
            // no `_meta`
            None,
            // `_meta` has no protocol version, or is not an object
            Some(json!({})),
            Some(json!("x")),
            Some(json!({META_CAPABILITIES: {}})),
            // `_meta` has no client capabilities
            Some(json!({META_VERSION: MODERN})),
            // a member of the wrong type
            Some(json!({META_VERSION: MODERN, META_CAPABILITIES: []})),
            Some(json!({META_VERSION: 20_260_728, META_CAPABILITIES: {}})),
        ] {
            let got = client.post(&with_meta(&client, method, meta)).send().await;
            got.error(400, -32602);
            assert_eq!(got.json()["id"], 7);
        }
        let mut bare = client.message(method, json!({}));
        bare.as_object_mut().unwrap().remove("params");
        client.post(&bare).send().await.error(400, -32602);
    }
    // other members of `_meta`, such as `clientInfo`, are accepted
    let full = json!({
        META_VERSION: MODERN,
        META_CAPABILITIES: {"elicitation": {}, "x": [1.5]},
        "io.modelcontextprotocol/clientInfo": {"name": "x", "version": "1"},
        "progressToken": 5,
    });
    client.post(&with_meta(&client, "tools/list", Some(full))).send().await.result();
}

#[both_engines]
async fn headers_must_agree_with_the_body(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    let client = server.mcp(&token, MODERN);
    let list = client.request("tools/list", json!({}));
    let call = client.request("tools/call", json!({"name": "whoami", "arguments": {}}));
    // a header is missing, sent twice or malformed, or contradicts the body
    for bad in [
        list.clone().without("mcp-protocol-version"),
        list.clone().header("mcp-protocol-version", NOVEMBER),
        list.clone().header("mcp-protocol-version", "v999"),
        list.clone().also("mcp-protocol-version", MODERN),
        list.clone().without("mcp-method"),
        list.clone().header("mcp-method", "tools/call"),
        list.clone().header("mcp-method", "TOOLS/LIST"),
        list.clone().also("mcp-method", "tools/list"),
        list.clone().header("mcp-method", [0xff_u8]),
        call.clone().without("mcp-name"),
        call.clone().header("mcp-name", "send_draft"),
        call.clone().header("mcp-name", "WHOAMI"),
        call.clone().header("mcp-name", "=?base64?!?="),
        // only `Mcp-Name` may be encoded in base64 (D-345)
        list.clone().header("mcp-method", "=?base64?dG9vbHMvbGlzdA==?="),
        list.clone().header("mcp-protocol-version", "=?base64?MjAyNi0wNy0yOA==?="),
        // `Mcp-Name` has a value that the body lacks; for `resources/read`, `Mcp-Name` must repeat `uri` and not `name`
        client.request("tools/call", json!({"arguments": {}})).header("mcp-name", "whoami"),
        client.request("tools/call", json!({"name": null})).header("mcp-name", "whoami"),
        client.request("resources/read", json!({"name": "x"})).header("mcp-name", "x"),
    ] {
        let got = bad.send().await;
        got.error(400, -32020);
        assert_eq!(got.json()["id"], 7);
    }
    for good in [
        call.clone().header("mcp-name", "  whoami  "),
        call.clone().header("mcp-name", "=?base64?d2hvYW1p?="),
        list.clone().without("mcp-method").header("MCP-METHOD", "tools/list"),
    ] {
        good.send().await.result();
    }
    let notification = json!({"jsonrpc": "2.0", "method": "notifications/cancelled"});
    // a notification gets 202, even without `Mcp-Method`; but a wrong `Mcp-Method` is rejected
    client.post(&notification).without("mcp-method").send().await.is(202);
    let other = client.post(&notification).without("mcp-method").header("mcp-method", "tools/list");
    let refused = other.send().await;
    refused.error(400, -32020);
    assert!(refused.json().get("id").is_none(), "the error of a notification has no id");
}

#[both_engines]
async fn unknown_versions_are_rejected(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    let client = server.mcp(&token, MODERN);
    for version in ["v999.0.0", "2027-01-01", "2025-03-26", ""] {
        let meta = json!({META_VERSION: version, META_CAPABILITIES: {}});
        let call = client.post(&with_meta(&client, "tools/list", Some(meta)));
        let error = call.header("mcp-protocol-version", version).send().await.error(400, -32022);
        // the error lists the supported versions and repeats the requested one
        assert_eq!(error["data"]["supported"], json!([MODERN, NOVEMBER, JUNE]));
        assert_eq!(error["data"]["requested"], version);
    }
}

#[both_engines]
async fn unknown_methods_are_rejected(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    let client = server.mcp(&token, MODERN);
    // methods that this version does not have, or that the server does not implement (A-298, D-347, D-351)
    for method in [
        "no/such/thing",
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/list",
        "resources/subscribe",
        "prompts/list",
        "prompts/get",
        "completion/complete",
        "subscriptions/listen",
        "tasks/get",
        "",
    ] {
        let got = client.request(method, json!({})).send().await;
        got.error(404, -32601);
        assert_eq!(got.json()["id"], 7, "the error for an unknown method has the id of the request");
    }
    // for a known method, invalid parameters other than `_meta` get a JSON-RPC error with status 200
    client.tool("no_such_tool", json!({})).await.error(200, -32602);
    client.request("tools/call", json!({"arguments": {}})).send().await.error(200, -32602);
    client.request("tools/list", json!({"cursor": "x"})).send().await.error(200, -32602);
}
