//! The order in which the server checks an MCP request for errors (D-323, A-277, and the statuses of the MCP paths in
//! The tests `order_of_errors_…` begin with a request that has every error. They correct one error at a time,
//! and expect the next error in the response.

use reqwest::Method;
use serde_json::json;

use crate::support::{Server, both_engines, mcp::*};

#[both_engines]
async fn order_of_errors_of_a_message(server: Server) {
    let assistant = server.connected_assistant_with(&[("scope", "service:read")]).await;
    let token = assistant.tokens.access;
    let session = server.mcp_session(&token, NOVEMBER).await;
    let large = vec![b' '; (1 << 20) + 1];
    let wrong = session
        .call(Method::PUT)
        .header("origin", "http://evil.example")
        .query("token=x")
        .header("authorization", "Bearer nonsense")
        .header("content-type", "text/plain")
        .header("accept", "text/html")
        .header("mcp-protocol-version", "nonsense")
        .header("mcp-session-id", "nonsense")
        .body(large);
    // the errors come in the order of D-323 and A-277, with the statuses of A-315
    wrong.clone().send().await.refused(403, "forbidden");
    let wrong = wrong.header("origin", "https://good.example");
    wrong.clone().send().await.refused(400, "invalid_request");
    let wrong = wrong.without_query();
    wrong.clone().send().await.invalid_token();
    let wrong = wrong.header("authorization", format!("Bearer {token}"));
    wrong.clone().send().await.is(405);
    let wrong = wrong.method(Method::POST);
    wrong.clone().send().await.refused(413, "request_too_large");
    let wrong = wrong.body("not json");
    wrong.clone().send().await.refused(415, "unsupported_media_type");
    let wrong = wrong.header("content-type", "application/json");
    wrong.clone().send().await.refused(406, "not_acceptable");
    let wrong = wrong.header("accept", "application/json");
    wrong.clone().send().await.error(400, -32700);
    let message = session.message("tools/call", json!({"name": "send_draft", "arguments": {}}));
    let wrong = wrong.body(message.to_string());
    wrong.clone().send().await.error(400, -32022);
    let wrong = wrong.header("mcp-protocol-version", NOVEMBER);
    wrong.clone().without("mcp-session-id").send().await.error(400, -32600);
    wrong.clone().send().await.error(404, -32001);
    let wrong = wrong.header("mcp-session-id", session.session.as_deref().unwrap());
    wrong.clone().send().await.refused(403, "insufficient_scope");
    let good = session.message("tools/call", json!({"name": "whoami", "arguments": {}}));
    wrong.body(good.to_string()).send().await.result();
}

#[both_engines]
async fn the_token_is_checked_before_the_http_method(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    for version in [MODERN, NOVEMBER, JUNE] {
        for client in [server.mcp(&token, version), server.mcp(&token, version).readonly()] {
            for method in ["GET", "HEAD", "POST", "DELETE", "PUT", "PATCH", "QUERY", "get"] {
                let method = Method::from_bytes(method.as_bytes()).unwrap();
                let call = client.call(method.clone()).header("mcp-protocol-version", version);
                // D-323: the token is checked before the HTTP method, for every method and protocol version
                let got = call.clone().without("authorization").send().await;
                assert_eq!(got.status, 401, "{method} {version}");
                assert!(got.header("www-authenticate").unwrap().starts_with("Bearer resource_metadata="));
                let got = call.clone().header("authorization", "Bearer nonsense").send().await;
                assert_eq!(got.status, 401, "{method} {version}");
                let evil = call.clone().header("origin", "http://evil.example").send().await;
                assert_eq!(evil.status, 403, "{method} {version}");
                assert_eq!(call.clone().query("token=x").send().await.status, 400, "{method} {version}");
                if !["GET", "HEAD", "POST", "DELETE"].contains(&method.as_str()) {
                    let got = call.send().await;
                    got.is(405);
                    assert_eq!(got.header("allow"), Some("POST, GET, HEAD, DELETE, OPTIONS"), "{method}");
                }
            }
        }
    }
    // `OPTIONS`, the method of CORS preflights, needs no token
    let preflight = server.mcp("", MODERN).call(Method::OPTIONS).without("authorization");
    assert_eq!(preflight.send().await.status, 204);
}

#[both_engines]
async fn order_of_errors_without_a_body(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    let session = server.mcp_session(&token, NOVEMBER).await;
    for method in [Method::GET, Method::DELETE] {
        let wrong = session
            .call(method.clone())
            .header("origin", "http://evil.example")
            .query("token=x")
            .header("authorization", "Bearer nonsense")
            .header("accept", "text/html")
            .header("mcp-protocol-version", MODERN);
        // the errors come in the order of D-323 and A-277, with the statuses of A-315
        wrong.clone().send().await.refused(403, "forbidden");
        let wrong = wrong.without("origin");
        wrong.clone().send().await.refused(400, "invalid_request");
        let wrong = wrong.without_query();
        wrong.clone().send().await.invalid_token();
        let wrong = wrong.header("authorization", format!("Bearer {token}"));
        // a protocol version without sessions has no GET and DELETE
        wrong.clone().send().await.is(405);
        let mut wrong = wrong.header("mcp-protocol-version", "nonsense");
        if method == Method::GET {
            wrong.clone().send().await.refused(406, "not_acceptable");
            wrong = wrong.without("accept").header("accept", "text/event-stream");
        }
        wrong.clone().send().await.error(400, -32022);
        let wrong = wrong.without("mcp-protocol-version");
        wrong.clone().send().await.error(400, -32600);
        wrong.header("mcp-session-id", "nonsense").send().await.error(404, -32001);
    }
}

#[both_engines]
async fn the_mcp_method_is_checked_before_its_parameters(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    let list = json!([{"name": "whoami"}]);
    for version in LEGACY {
        let client = server.mcp_session(&token, version).await;
        for method in ["no/such/thing", "server/discover", "resources/list"] {
            for params in [list.clone(), json!({"x": "\0"})] {
                let message = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
                // an unknown MCP method is reported before invalid parameters
                let got = client.post(&message).send().await;
                got.error(200, -32601);
                assert_eq!(got.json()["id"], 7);
            }
        }
    }
    let modern = server.mcp(&token, MODERN);
    for method in ["no/such/thing", "ping", "initialize"] {
        // D-347: in this version, the status of an unknown MCP method is 404, whatever its parameters are
        modern.request(method, json!({"x": ["\0"]})).send().await.error(404, -32601);
    }
}

#[tokio::test]
async fn the_rate_limit_is_checked_after_the_session_and_before_the_mcp_method() {
    let server = Server::limited().await;
    let assistant = server.connected_assistant_with(&[("scope", "service:read")]).await;
    let session = server.mcp_session(&assistant.tokens.access, NOVEMBER).await;
    let modern = server.mcp(&assistant.tokens.access, MODERN);
    // the session began with two requests, so these 118 requests use up the default limit of 120 requests a minute
    for _ in 0..118 {
        modern.list_tools().await.result();
    }
    // the rate limit is checked after the session, and before the MCP method and the scope
    modern.list_tools().await.refused(429, "rate_limited");
    let unknown = Mcp { session: Some("mcps_x".into()), ..session.clone() };
    unknown.list_tools().await.error(404, -32001);
    modern.request("no/such/thing", json!({})).send().await.refused(429, "rate_limited");
    session.tool("send_draft", json!({})).await.refused(429, "rate_limited");
}
