//! Requests that scripts of web pages send to the MCP endpoints: accepted origins, and CORS (A-009, A-273 … A-276,
//!

use reqwest::Method;
use serde_json::json;

use crate::support::{Server, both_engines, mcp::*};

/// Origins that are accepted.
const GOOD: [&str; 5] = [
    // `https` origins
    "https://any.example",
    "https://any.example:8443",
    // loopback origins, with any port
    "http://localhost:1234",
    "http://127.0.0.1",
    "http://[::1]:9",
];

/// Origins that are rejected (A-276, D-337).
const BAD: [&str; 9] = [
    "http://example.com",
    "null",
    "file://",
    "chrome-extension://x",
    "",
    "https://any.example/path",
    "https://any.example, https://any.example",
    "http://localhost.evil.example",
    "HTTPS://any.example",
];

#[both_engines]
async fn only_allowed_origins_are_accepted(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    let client = server.mcp_session(&token, NOVEMBER).await;
    let list = client.request("tools/list", json!({}));
    // a request without an `Origin` is accepted
    let got = list.clone().send().await;
    got.result();
    assert_eq!(got.header("access-control-allow-origin"), None);
    for origin in GOOD {
        let got = list.clone().header("origin", origin).send().await;
        got.result();
        assert_eq!(got.header("access-control-allow-origin"), Some(origin));
        assert_eq!(got.header("access-control-allow-credentials"), None);
        assert_eq!(got.header("vary"), Some("Origin"));
        let exposed = got.header("access-control-expose-headers").unwrap();
        for name in ["Mcp-Session-Id", "WWW-Authenticate", "MCP-Protocol-Version"] {
            assert!(
                exposed.split(", ").any(|known| known == name),
                "pages can read the header {name} (A-310): {exposed}"
            );
        }
    }
    for origin in BAD {
        for call in [list.clone(), client.bare(Method::GET), client.bare(Method::DELETE)] {
            let got = call.header("origin", origin).send().await;
            // a 403 has a JSON body (D-325)
            got.refused(403, "forbidden");
            assert_eq!(
                got.header("access-control-allow-origin"),
                None,
                "a rejected origin cannot read the response: {origin}"
            );
        }
    }
    let twice = list.clone().header("origin", GOOD[0]).also("origin", GOOD[0]);
    twice.send().await.refused(403, "forbidden");
    // D-335: browsers send `Sec-Fetch-Site`; a GET with this header needs an `Origin`, and a POST does not
    let site = ("sec-fetch-site", "same-origin");
    client.bare(Method::GET).header(site.0, site.1).send().await.refused(403, "forbidden");
    list.header(site.0, site.1).send().await.result();
    // `fetch` of Node, which is not a browser, sends `Sec-Fetch-Mode`, so a GET with only this header needs no `Origin`
    let stream = client.bare(Method::GET).header("sec-fetch-mode", "cors").response().await;
    assert_eq!(stream.status(), 200);
}

#[both_engines]
async fn pages_can_read_error_responses(server: Server) {
    let client = server.mcp("nonsense", MODERN);
    let origin = "https://any.example";
    let call = client.request("tools/list", json!({})).header("origin", origin);
    for (got, status) in [(call.clone().send().await, 401), (call.query("token=x").send().await, 400)] {
        got.is(status);
        assert_eq!(
            got.header("access-control-allow-origin"),
            Some(origin),
            "an error can be read by pages: {status}"
        );
    }
}

#[both_engines]
async fn preflights_of_allowed_origins_are_answered(server: Server) {
    for client in [server.mcp("", MODERN), server.mcp("", MODERN).readonly()] {
        let preflight = client.call(Method::OPTIONS).without("authorization");
        let asked = "authorization, Content-Type, mcp-session-id, mcp-protocol-version, x-other";
        for origin in GOOD {
            let call =
                preflight.clone().header("origin", origin).header("access-control-request-method", "POST");
            let got = call.header("access-control-request-headers", asked).send().await;
            // a preflight of an allowed origin needs no token
            assert_eq!((got.status, got.bytes.len()), (204, 0));
            assert_eq!(got.header("access-control-allow-origin"), Some(origin));
            assert_eq!(got.header("access-control-allow-methods"), Some("POST, GET, DELETE"));
            let allowed = got.header("access-control-allow-headers").unwrap();
            assert_eq!(allowed, "authorization, content-type, mcp-session-id, mcp-protocol-version");
        }
        for origin in BAD {
            let got = preflight.clone().header("origin", origin).send().await;
            got.refused(403, "forbidden");
        }
        // a response to OPTIONS without an `Origin` lists the methods
        let got = preflight.send().await;
        assert_eq!(got.status, 204);
        assert_eq!(got.header("allow"), Some("POST, GET, HEAD, DELETE, OPTIONS"));
    }
}

#[both_engines]
async fn unsupported_methods_and_paths_are_rejected(server: Server) {
    // an unsupported method gets 405 with `Allow`
    let token = server.connected_assistant().await.tokens.access;
    for client in [server.mcp(&token, NOVEMBER), server.mcp(&token, NOVEMBER).readonly()] {
        for method in [Method::PUT, Method::PATCH] {
            let got = client.call(method).send().await;
            got.is(405);
            let allow = got.header("allow").expect("Allow");
            for method in ["POST", "GET", "DELETE", "OPTIONS"] {
                assert!(
                    allow.split(", ").any(|known| known == method),
                    "a 405 lists the allowed methods (A-009): {allow}"
                );
            }
        }
    }
    for path in ["/mcp/", "/mcp/other", "/mcp/readonly/", "/MCP"] {
        let url = format!("{}{path}", server.base);
        let sent = server.api().http.post(url).bearer_auth(&token).send().await.unwrap();
        assert_eq!(sent.status(), 404, "only /mcp and /mcp/readonly are MCP endpoints: {path}");
    }
    // `HEAD` is supported where `GET` is (D-005); the response has no stream
    let session = server.mcp_session(&token, NOVEMBER).await;
    let got = session.bare(Method::HEAD).response().await;
    assert_eq!(got.status(), 200);
}
