//! The MCP request `initialize`: versions, session ids and parameters (A-278 … ).

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::support::{Server, both_engines, mcp::*};

#[both_engines]
async fn initialize_negotiates_the_version(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    let mut sessions = HashSet::new();
    for (asked, agreed) in [
        // a supported version with sessions is accepted
        (NOVEMBER, NOVEMBER),
        (JUNE, JUNE),
        // for any other version, even a supported version without sessions (`MODERN`), the server responds with the
        // newer of these two
        ("2024-11-05", NOVEMBER),
        ("2025-03-26", NOVEMBER),
        (MODERN, NOVEMBER),
        ("nonsense", NOVEMBER),
    ] {
        let client = server.mcp(&token, NOVEMBER);
        let got = client.initialize(asked).send().await;
        let result = got.result();
        assert_eq!(
            result["protocolVersion"], agreed,
            "the server agrees on {agreed} if the client asks for {asked}"
        );
        assert_eq!(result["capabilities"], json!({"tools": {}}));
        assert!(result["serverInfo"]["name"].is_string() && result["serverInfo"]["version"].is_string());
        // only results of the version 2026-07-28 have `resultType`
        assert!(result.get("resultType").is_none());
        // 32 random characters from an alphabet of 62 letters and digits have 190 bits, and are visible ASCII
        let session =
            got.header("mcp-session-id").expect("`initialize` returns a session id (A-279)").to_owned();
        let random = session.strip_prefix("mcps_").expect("a session id begins with mcps_ (D-359)");
        assert!(
            random.len() == 32 && random.bytes().all(|b| b.is_ascii_alphanumeric()),
            "a session id has 32 letters and digits after its prefix (D-359): {session}"
        );
        assert!(sessions.insert(session.clone()));
        // the session accepts requests without `MCP-Protocol-Version`, and requests in which this header names
        // either version with sessions (D-352)
        let client = Mcp { session: Some(session), ..client };
        for version in [None, Some(NOVEMBER), Some(JUNE)] {
            let call = client.request("ping", json!({})).without("mcp-protocol-version");
            let call = version.map_or(call.clone(), |version| call.header("mcp-protocol-version", version));
            assert_eq!(call.send().await.result(), json!({}));
        }
    }
}

#[both_engines]
async fn initialize_rejects_unsupported_version_headers(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    let client = server.mcp(&token, NOVEMBER);
    // D-341: if the header is present, it must have a supported version
    for version in [MODERN, NOVEMBER, JUNE] {
        let got = client.initialize(NOVEMBER).header("mcp-protocol-version", version).send().await;
        assert_eq!(
            got.result()["protocolVersion"],
            NOVEMBER,
            "the body decides the version, not the header {version}"
        );
    }
    for version in ["2024-11-05", "x", ""] {
        let got = client.initialize(NOVEMBER).header("mcp-protocol-version", version).send().await;
        let error = got.error(400, -32022);
        assert!(error["message"].as_str().unwrap().contains("Unsupported protocol version"));
    }
}

#[both_engines]
async fn initialize_with_a_session_id_is_rejected(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    let client = server.mcp_session(&token, NOVEMBER).await;
    let session = client.session.clone().unwrap();
    // D-340: the id of an existing session gets 400, an unknown id 404
    client.initialize(NOVEMBER).header("mcp-session-id", &session).send().await.error(400, -32600);
    let unknown = "mcps_00000000000000000000000000000000";
    client.initialize(NOVEMBER).header("mcp-session-id", unknown).send().await.error(404, -32001);
    client.list_tools().await.result();
}

#[both_engines]
async fn initialize_validates_its_parameters(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    let client = server.mcp(&token, NOVEMBER);
    let good =
        json!({"protocolVersion": NOVEMBER, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}});
    for (member, value) in [
        ("protocolVersion", json!(null)),
        ("protocolVersion", json!(1)),
        ("capabilities", json!(null)),
        ("capabilities", json!("x")),
        ("clientInfo", json!(null)),
        ("clientInfo", json!({"name": "x"})),
    ] {
        let mut params = good.clone();
        match value {
            Value::Null => drop(params.as_object_mut().unwrap().remove(member)),
            value => params[member] = value,
        }
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
        let got = client.post(&message).send().await;
        got.error(200, -32602);
        assert_eq!(got.header("mcp-session-id"), None, "a failed initialize begins no session: {message}");
    }
    // `name` and `version` of `clientInfo` may be long, may be empty, and may contain line breaks; the server stores a
    // shortened text without control characters
    for name in ["\u{1f600}".repeat(500), "a\nb\tc".into(), String::new()] {
        let mut params = good.clone();
        params["clientInfo"] = json!({"name": name, "version": name, "title": "x", "icons": []});
        params["capabilities"] =
            json!({"roots": {"listChanged": true}, "sampling": {}, "experimental": {"x": {"n": 1.5}}});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
        client.post(&message).send().await.result();
    }
    // `initialize` as a notification is rejected
    let notification = json!({"jsonrpc": "2.0", "method": "initialize", "params": good});
    client.post(&notification).send().await.error(400, -32600);
}
