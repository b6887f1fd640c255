//! Bodies at the MCP endpoints: sizes, media types, and valid JSON-RPC (A-271, A-272, A-303 … ).

use reqwest::Method;
use serde_json::json;

use crate::support::{Server, both_engines, mcp::*, wire};

const MEGABYTE: usize = 1 << 20;

/// Returns a `tools/list` message, padded with spaces to exactly this many bytes.
fn of_size(client: &Mcp, bytes: usize) -> Vec<u8> {
    let mut text = client.message("tools/list", json!({})).to_string().into_bytes();
    text.resize(bytes, b' ');
    text
}

#[both_engines]
async fn a_body_has_at_most_1_megabyte(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    for client in [server.mcp(&token, MODERN), server.mcp_session(&token, NOVEMBER).await] {
        let call = client.request("tools/list", json!({}));
        // a body may have 1 MB
        call.clone().body(of_size(&client, MEGABYTE)).send().await.result();
        let got = call.clone().body(of_size(&client, MEGABYTE + 1)).send().await;
        assert_eq!(
            (got.status, got.json()),
            (413, json!({"error": "request_too_large"})),
            "a body over 1 MB is refused (A-271)"
        );
        // the size is checked before the media type
        let form = call.clone().header("content-type", "application/x-www-form-urlencoded");
        let got = form.body(vec![b'a'; MEGABYTE + 1]).send().await;
        assert_eq!((got.status, got.json()), (413, json!({"error": "request_too_large"})));
    }
    let session = server.mcp_session(&token, JUNE).await;
    for method in [Method::GET, Method::DELETE] {
        let got = session.bare(method.clone()).body(vec![b'a'; MEGABYTE + 1]).send().await;
        got.refused(413, "request_too_large");
        // D-323: the token is checked before the size
        let stranger = session.with("nonsense").bare(method).body(vec![b'a'; MEGABYTE + 1]);
        stranger.send().await.invalid_token();
    }
    let picky = session.bare(Method::GET).header("accept", "text/html");
    picky.clone().body(vec![b'a'; MEGABYTE + 1]).send().await.refused(413, "request_too_large");
    picky.body(vec![b'a'; MEGABYTE]).send().await.refused(406, "not_acceptable");
    session.list_tools().await.result();
    // a chunked body announces no size
    let chunk = format!("{:x}\r\n{}\r\n0\r\n\r\n", MEGABYTE + 1, " ".repeat(MEGABYTE + 1));
    let bearer = format!("authorization: Bearer {token}");
    let headers = ["content-type: application/json", "transfer-encoding: chunked", &*bearer];
    for line in ["POST /mcp", "GET /mcp", "DELETE /mcp"] {
        let got = wire::request(&server.base, line, &headers, chunk.as_bytes()).await;
        assert_eq!(
            (got.status, got.json()),
            (413, json!({"error": "request_too_large"})),
            "a chunked body has the same limit (A-271): {line}"
        );
    }
}

#[both_engines]
async fn unsupported_media_types_are_rejected(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    for client in [server.mcp(&token, MODERN), server.mcp_session(&token, NOVEMBER).await] {
        let call = client.request("tools/list", json!({}));
        for kind in [
            // a form is refused
            "application/x-www-form-urlencoded",
            "text/plain",
            "application/json; charset=utf-16",
            "application/json-rpc",
            "",
        ] {
            call.clone().header("content-type", kind).send().await.refused(415, "unsupported_media_type");
        }
        call.clone().without("content-type").send().await.refused(415, "unsupported_media_type");
        call.clone().header("content-encoding", "gzip").send().await.refused(415, "unsupported_media_type");
        for kind in ["application/json; charset=utf-8", "Application/JSON"] {
            call.clone().header("content-type", kind).send().await.result();
        }
        // A-306, D-356: `Accept` must allow JSON or an event stream
        for accept in ["text/html", "image/*", "application/json;q=0", "application/xml, text/plain"] {
            call.clone().header("accept", accept).send().await.refused(406, "not_acceptable");
        }
        for accept in ["application/json", "text/event-stream", "*/*", "application/*", ""] {
            call.clone().header("accept", accept).send().await.result();
        }
    }
}

#[both_engines]
async fn bodies_that_are_not_json_rpc_messages_are_rejected(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    for client in [server.mcp(&token, MODERN), server.mcp_session(&token, NOVEMBER).await] {
        let call = client.request("tools/list", json!({}));
        for text in ["", "{", "not json", "{\"jsonrpc\":\"2.0\"", "\u{feff}{}"] {
            let got = call.clone().body(text).send().await;
            // invalid JSON
            got.error(400, -32700);
            assert!(got.json().get("id").is_none(), "a parse error has no id (D-355)");
        }
        call.clone().body(vec![b'"', 0xff, b'"']).send().await.error(400, -32700);
        for message in [
            json!([]),
            // a batch
            json!([client.message("tools/list", json!({}))]),
            json!("x"),
            json!(null),
            json!({}),
            json!({"jsonrpc": "1.0", "id": 1, "method": "ping"}),
            // a message whose id is null
            json!({"jsonrpc": "2.0", "id": null, "method": "ping"}),
            json!({"jsonrpc": "2.0", "id": {}, "method": "ping"}),
            json!({"jsonrpc": "2.0", "id": 1, "method": 5}),
        ] {
            call.clone().body(message.to_string()).send().await.error(400, -32600);
        }
        let nul = json!({"jsonrpc": "2.0", "id": "\0", "method": "ping"});
        call.clone().body(nul.to_string()).send().await.error(400, -32600);
    }
}

#[both_engines]
async fn parameters_by_position_are_rejected(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    // JSON-RPC 2.0 §4.2 allows an array of parameters, so the message is valid; no method of MCP accepts an array
    let message =
        |method: &str| json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": [{"name": "whoami"}]});
    for version in LEGACY {
        let client = server.mcp_session(&token, version).await;
        for method in ["tools/list", "tools/call", "ping"] {
            // D-358: within a session the error for invalid parameters has status 200
            let got = client.post(&message(method)).send().await;
            got.error(200, -32602);
            assert_eq!(got.json()["id"], 7);
        }
        // the session is checked before the parameters (D-323)
        let unknown_session = Mcp { session: Some("mcps_x".into()), ..client.clone() };
        unknown_session.post(&message("tools/list")).send().await.error(404, -32001);
        client.initialize(version).body(message("initialize").to_string()).send().await.error(200, -32602);
        // a notification gets 202 instead of an error, even if `params` is an array (D-353)
        let notification = json!({"jsonrpc": "2.0", "method": "notifications/initialized", "params": []});
        client.post(&notification).send().await.is(202);
    }
    // the version 2026-07-28 needs `_meta`, which an array of parameters cannot contain (D-344)
    let modern = server.mcp(&token, MODERN).post(&message("tools/list")).header("mcp-method", "tools/list");
    let got = modern.send().await;
    got.error(400, -32602);
    assert_eq!(got.json()["id"], 7);
}

#[both_engines]
async fn notifications_and_responses_get_202_without_a_body(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    for client in [server.mcp(&token, MODERN), server.mcp_session(&token, JUNE).await] {
        for message in [
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}),
            json!({"jsonrpc": "2.0", "method": "tools/list"}),
            json!({"jsonrpc": "2.0", "method": "no/such/thing"}),
            json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
            json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -1, "message": "x"}}),
        ] {
            let got = client.post(&message).send().await;
            assert_eq!(
                (got.status, got.bytes.len()),
                (202, 0),
                "notifications and responses get 202 without a body (A-303): {message}"
            );
        }
    }
}

#[both_engines]
async fn responses_have_the_id_of_their_request(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    for client in [server.mcp(&token, MODERN), server.mcp_session(&token, NOVEMBER).await] {
        for id in [json!(0), json!(-1), json!("a \"b\" \u{e9}"), json!(9_007_199_254_740_993_i64)] {
            for method in ["tools/list", "no/such/thing"] {
                let mut message = client.message(method, json!({}));
                message["id"] = id.clone();
                let got = client.post(&message).send().await;
                assert_eq!(got.json()["id"], id);
            }
        }
    }
}
