//! The MCP part of `switchboard connect`: the three protocol versions, tool calls, and the rejection of access tokens
//! that were replaced or revoked.

use serde_json::json;

use super::{fake::Fake, *};

async fn run(folder: &RunFolder, fake: &Fake, who: &Employee, more: &[&str]) -> (Value, i32) {
    let mut arguments =
        vec!["--json", "--mcp", &fake.url, "--sign-in", &who.email, "--password-file", "password"];
    arguments.extend(more);
    read(&folder.run(&arguments).await)
}

#[tokio::test]
async fn the_version_without_sessions_is_supported() {
    let fake = Fake::start().await;
    let (folder, employee) = (RunFolder::new(), fake.server.employee().await);
    let (document, code) = run(&folder, &fake, &employee, &["--refresh", "--revoke"]).await;
    assert_eq!(code, 0, "the command succeeds: {document:#}");
    let expected = [
        "challenge",
        "resource",
        "server",
        "registration",
        "authorization",
        "token",
        "discover",
        "tools",
        "call",
        "refresh",
        "revoke",
    ];
    assert_eq!(steps(&document), expected, "the steps are in this order: {document:#}");
    assert_eq!(step(&document, "challenge")["status"], 401);
    let names: Vec<_> =
        document["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect();
    assert_eq!(names, ["whoami", "refuse"], "the tools of both pages are listed");
    assert_eq!(document["calls"][0]["result"]["content"][0]["text"], "Ada, asked with {}");
    assert_eq!(
        document["warnings"],
        json!([]),
        "no warning, because the endpoint refuses replaced and revoked tokens"
    );
    // the requests with the replaced and the revoked token are not recorded, because the endpoint refused both tokens
    assert_eq!(fake.recorded_methods(), ["server/discover", "tools/list", "tools/list", "tools/call"]);
    employee.assert_revoked_for("client").await;
}

#[tokio::test]
async fn the_versions_with_sessions_are_supported() {
    for version in ["2025-11-25", "2025-06-18"] {
        let fake = Fake::start().await;
        let (folder, employee) = (RunFolder::new(), fake.server.employee().await);
        let more = ["--version", version, "--call", "whoami", "--args", r#"{"a":1}"#, "--call", "whoami"];
        let (document, code) = run(&folder, &fake, &employee, &more).await;
        assert_eq!(code, 0, "the command succeeds: {document:#}");
        let hello = step(&document, "initialize");
        assert_eq!((&hello["versions"], &hello["session"]), (&json!([version]), &json!(true)));
        let said = |n: usize| document["calls"][n]["result"]["content"][0]["text"].clone();
        assert_eq!((said(0), said(1)), (json!("Ada, asked with {\"a\":1}"), json!("Ada, asked with {}")));
        let expected = [
            "initialize",
            "notifications/initialized",
            "tools/list",
            "tools/list",
            "tools/call",
            "tools/call",
            "DELETE",
        ];
        assert_eq!(fake.recorded_methods(), expected);
    }
}

/// In the versions with sessions, a server need not create a session. The client then still sends the version in every
/// later request (`MCP-Protocol-Version`).
#[tokio::test]
async fn servers_that_create_no_session_are_supported() {
    for version in ["2025-11-25", "2025-06-18"] {
        let fake = Fake::with_session("").await;
        let (folder, employee) = (RunFolder::new(), fake.server.employee().await);
        let (document, code) = run(&folder, &fake, &employee, &["--version", version]).await;
        assert_eq!(code, 0, "the command succeeds: {document:#}");
        let expected = ["initialize", "notifications/initialized", "tools/list", "tools/list", "tools/call"];
        assert_eq!(fake.recorded_methods(), expected, "without a session, the command sends no DELETE");
    }
}

#[tokio::test]
async fn errors_of_tools_are_reported() {
    let fake = Fake::start().await;
    let (folder, employee) = (RunFolder::new(), fake.server.employee().await);
    let more = ["--save", "kept.json", "--call", "refuse"];
    let (document, code) = run(&folder, &fake, &employee, &more).await;
    assert_eq!(
        (code, &document["calls"][0]["result"]["isError"]),
        (1, &json!(true)),
        "an error of a tool fails the command: {document:#}"
    );
    assert!(
        document["failed"]["message"].as_str().unwrap().starts_with("tool_error"),
        "the error is that of a tool: {document:#}"
    );
    assert_eq!(document["failed"]["step"], "call", "the failed step is the call: {document:#}");
    // the saved connection is used again
    let (document, code) = read(&folder.run(&["--json", "--save", "kept.json", "--call", "nothing"]).await);
    assert_eq!(
        (code, &document["failed"]["step"]),
        (1, &json!("call")),
        "a JSON-RPC error fails the command: {document:#}"
    );
    assert_eq!(document["failed"]["message"], "-32602: unknown tool");
    // if the saved connection was revoked, the command makes a new connection
    let path = format!("/admin/v1/connections/{}", text(&employee.connections().await.pop().unwrap(), "/id"));
    fake.server.operator().delete(&path).ok(200).await;
    let (document, code) = run(&folder, &fake, &employee, &["--save", "kept.json"]).await;
    assert_eq!(code, 0, "the command succeeds: {document:#}");
    assert_eq!(steps(&document), ["saved", "authorization", "token", "discover", "tools", "call"]);
    assert_eq!(
        document["warnings"].as_array().unwrap().len(),
        2,
        "the rejected access token and refresh token are reported: {document:#}"
    );
    // an error names its step, even if later steps succeeded
    let (document, code) =
        run(&folder, &fake, &employee, &["--call", "refuse", "--refresh", "--revoke"]).await;
    assert_eq!(
        (code, &document["failed"]["step"]),
        (1, &json!("call")),
        "an error of a tool fails the command: {document:#}"
    );
    assert_eq!(
        steps(&document).last(),
        Some(&"revoke"),
        "the steps after the failed step are completed: {document:#}"
    );
}

#[tokio::test]
async fn a_completed_call_is_not_repeated_with_a_new_token() {
    for version in ["2026-07-28", "2025-11-25"] {
        let fake = Fake::start().await;
        let (folder, employee) = (RunFolder::new(), fake.server.employee().await);
        let (document, code) = run(&folder, &fake, &employee, &["--save", "kept.json", "--login-only"]).await;
        assert_eq!(code, 0, "the command succeeds: {document:#}");
        fake.recorded_methods();
        // after a call of the tool `last`, the endpoint rejects the access token of the call
        let again = ["--json", "--save", "kept.json", "--version", version];
        let calls = ["--call", "refuse", "--call", "last", "--call", "whoami", "--call", "whoami"];
        let (document, code) = read(&folder.run(&[&again[..], &calls[..]].concat()).await);
        assert_eq!(
            code, 1,
            "a tool error that occurred before the token refresh still fails the command: {document:#}"
        );
        assert!(
            document["failed"]["message"].as_str().unwrap().ends_with(": refuse"),
            "the error names the tool: {document:#}"
        );
        let tools: Vec<_> =
            document["calls"].as_array().unwrap().iter().map(|call| call["tool"].clone()).collect();
        assert_eq!(
            tools,
            ["refuse", "last", "whoami", "whoami"],
            "every call is reported once: {document:#}"
        );
        assert!(
            document["warnings"].to_string().contains("rejected"),
            "the rejected token is reported: {document:#}"
        );
        let called = fake.recorded_methods().iter().filter(|method| *method == "tools/call").count();
        assert_eq!(called, 4, "each call reaches the endpoint once with a valid token");
    }
}

#[tokio::test]
async fn results_are_printed_for_people() {
    let fake = Fake::start().await;
    let (folder, employee) = (RunFolder::new(), fake.server.employee().await);
    let arguments = ["--mcp", &fake.url, "--sign-in", &employee.email, "--password-file", "password"];
    let output = folder.run(&arguments).await;
    let all = output_text(&output);
    assert!(output.status.success(), "the command succeeds: {all}");
    for part in [
        "challenge ",
        "WWW-Authenticate: Bearer resource_metadata=",
        "whoami",
        "Ada, asked with {}",
        "All steps succeeded.",
    ] {
        assert!(all.contains(part), "the output contains `{part}`: {all}");
    }
    assert!(!all.contains("svc_mcp_at_test_"), "the output has no token: {all}");
}

#[tokio::test]
async fn every_version_works_with_switchboard() {
    let server = Server::sqlite().await;
    let employee = server.employee().await;
    for version in ["2026-07-28", "2025-11-25", "2025-06-18"] {
        let folder = RunFolder::new();
        let more = ["--version", version, "--call", "list_people", "--refresh", "--revoke"];
        let (document, code) = folder.connect(&server, &employee, &more).await;
        assert_eq!(code, 0, "the command succeeds: {document:#}");
        assert_eq!(document["warnings"], json!([]), "the command has no warnings: {document:#}");
        let names: Vec<_> =
            document["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert!(names.contains(&"send_draft"), "write tools are listed: {names:?}");
        assert_ne!(document["calls"][0]["result"]["isError"], true, "the call succeeds: {document:#}");
        employee.assert_revoked_for("client").await;
    }
    let (document, code) = RunFolder::new().connect(&server, &employee, &["--readonly"]).await;
    assert_eq!(code, 0, "the command succeeds: {document:#}");
    let tools = document["tools"].to_string();
    assert!(
        tools.contains("list_people") && !tools.contains("send_draft"),
        "only read tools are listed: {tools}"
    );
}
