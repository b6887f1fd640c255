//! Which tools a token lists and calls where (A-002, A-006, A-263, A-265 … ). What they do is
//! another matter.

use serde_json::json;
use switchboard::assistant::mcp::tools::{Need, catalog};

use crate::{
    on_both,
    support::{Server, mcp::*},
};

/// A write tool; what it would send does not exist.
const WRITE: &str = "send_draft";
const READ: &str = "whoami";

fn names(need: Option<Need>) -> Vec<String> {
    let wanted = catalog().iter().filter(|tool| need.is_none_or(|need| need == tool.needs));
    wanted.map(|tool| tool.name.to_owned()).collect()
}

fn nothing() -> serde_json::Value {
    json!({"draft_id": "drf_0000000000000"})
}

on_both! {
    async fn a_full_token(server: Server) {
        let token = server.linked().await.tokens.access;
        for version in [MODERN, NOVEMBER, JUNE] {
            let full = server.mcp(&token, version).begun().await;
            //
            assert_eq!(full.tools().await, names(None));
            assert!(full.tools().await.iter().any(|name| name == WRITE));
            let list = full.works().await.result();
            for tool in list["tools"].as_array().unwrap() {
                assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
                assert!(tool["title"].is_string() && tool["description"].is_string(), "{tool}");
                assert!(tool["annotations"]["readOnlyHint"].is_boolean(), "{tool}");
            }
            let result = full.tool(READ, json!({})).await.result();
            assert_eq!(result["isError"], false);
            assert_eq!(result["content"][0]["type"], "text");
            assert!(result["structuredContent"].is_object());
            let readonly = full.clone().readonly();
            assert_eq!(readonly.tools().await, names(Some(Need::Read)), "A-263");
            readonly.tool(READ, json!({})).await.result();
            // not 403, because no step-up could help
            let error = readonly.tool(WRITE, nothing()).await.error(200, -32602);
            assert!(error["message"].as_str().unwrap().contains("Unknown tool"), "{error}");
        }
    }

    async fn a_token_that_only_reads(server: Server) {
        let token = server.linked_with(&[("scope", "service:read")]).await.tokens.access;
        for version in [MODERN, NOVEMBER, JUNE] {
            let client = server.mcp(&token, version).begun().await;
            assert_eq!(client.tools().await, names(Some(Need::Read)), "A-265");
            client.tool(READ, json!({})).await.result();
            for write in names(Some(Need::Write)) {
                let got = client.tool(&write, json!({})).await;
                // A-266, before the arguments are looked at
                got.refused(403, "insufficient_scope");
                let challenge = got.header("www-authenticate").expect("A-266");
                assert!(challenge.starts_with("Bearer error=\"insufficient_scope\""), "{challenge}");
                //
                assert!(challenge.contains("scope=\"service:read service:write\""), "{challenge}");
                let metadata = format!("{}/.well-known/oauth-protected-resource/mcp", server.base);
                assert!(challenge.contains(&format!("resource_metadata=\"{metadata}\"")), "{challenge}");
            }
        }
    }

    async fn a_token_that_only_writes(server: Server) {
        let token = server.linked_with(&[("scope", "service:write")]).await.tokens.access;
        for version in [MODERN, NOVEMBER] {
            let client = server.mcp(&token, version).begun().await;
            assert_eq!(client.tools().await, names(Some(Need::Write)), "A-269");
            let got = client.tool(READ, json!({})).await;
            let challenge = got.refused(403, "insufficient_scope").header("www-authenticate").unwrap();
            assert!(challenge.contains("service:read"), "A-269: {challenge}");
            let readonly = client.clone().readonly();
            assert!(readonly.tools().await.is_empty());
            let got = readonly.tool(READ, json!({})).await;
            let challenge = got.refused(403, "insufficient_scope").header("www-authenticate").unwrap();
            assert!(challenge.contains("scope=\"service:read\""), "{challenge}");
        }
    }

    async fn a_refresh_may_narrow(server: Server) {
        let assistant = server.linked().await;
        let session = server.mcp_session(&assistant.tokens.access, NOVEMBER).await;
        let narrow = assistant.client.refresh_with(&assistant.tokens.refresh, &[("scope", "service:read")]).await;
        let access = narrow.ok()["access_token"].as_str().unwrap().to_owned();
        // the scopes are the token's, not the session's
        let session = session.with(&access);
        assert_eq!(session.tools().await, names(Some(Need::Read)));
        session.tool(WRITE, json!({})).await.refused(403, "insufficient_scope");
    }

    async fn a_tool_that_fails(server: Server) {
        let token = server.linked().await.tokens.access;
        for version in [MODERN, NOVEMBER, JUNE] {
            let client = server.mcp(&token, version).begun().await;
            let result = client.tool(WRITE, nothing()).await.result();
            //
            assert_eq!(result["isError"], true, "{result}");
            assert!(result["content"][0]["text"].as_str().unwrap().starts_with("not_found"), "{result}");
            // bad arguments are the caller's fault, and no tool ran
            client.tool(WRITE, json!({"draft_id": 1})).await.error(200, -32602);
            client.tool(WRITE, json!({})).await.error(200, -32602);
            // none at all are as good as none in braces
            client.request("tools/call", json!({"name": READ})).send().await.result();
        }
    }
}
