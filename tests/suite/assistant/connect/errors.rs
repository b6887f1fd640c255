//! Errors that `switchboard connect` reports: a violation of a standard, with the violated rule; an unreachable server;
//! missing arguments; an address without an MCP endpoint; a rejected registration.

use serde_json::json;

use super::*;
use crate::support::proxy::{Proxy, ProxyBehaviour};

#[tokio::test]
async fn a_resource_of_another_address_is_rejected() {
    let server = Server::sqlite().await;
    let (folder, employee) = (RunFolder::new(), server.employee().await);
    // the command connects to the proxy, but the metadata names the server's own address as the resource
    let proxy = Proxy::start(ProxyBehaviour::good()).await;
    proxy.to(&server.base);
    let mcp = format!("{}/mcp", proxy.url);
    let arguments = [
        "--json",
        "--mcp",
        &mcp,
        "--sign-in",
        &employee.email,
        "--password-file",
        "password",
        "--login-only",
    ];
    let (document, code) = read(&folder.run(&arguments).await);
    assert_eq!(
        (code, &document["failed"]["step"]),
        (1, &json!("resource")),
        "the resource is refused: {document:#}"
    );
    let message = document["failed"]["message"].as_str().unwrap();
    assert!(
        message.contains("RFC 9728 §3.3") && message.contains(&server.base),
        "the error names the rule and the resource: {message}"
    );
}

#[tokio::test]
async fn an_unreachable_server_missing_arguments_and_a_missing_endpoint_are_reported() {
    let folder = RunFolder::new();
    let (document, code) = read(&folder.run(&["--json", "--mcp", "http://127.0.0.1:9"]).await);
    assert_eq!(
        (code, &document["ok"]),
        (3, &json!(false)),
        "an unreachable server has the exit code 3: {document:#}"
    );
    let (document, code) = read(&folder.run(&["--json"]).await);
    assert_eq!(code, 2, "missing arguments have the exit code 2: {document:#}");
    assert!(document["failed"]["message"].as_str().unwrap().contains("--mcp"));
    // the proxy sends requests to a path below which the server has no MCP endpoint
    let proxy = Proxy::start(ProxyBehaviour::good()).await;
    let server = Server::sqlite().await;
    proxy.to(&format!("{}/nothing", server.base));
    let (document, code) = read(&folder.run(&["--json", "--mcp", &proxy.url]).await);
    assert_eq!(
        (code, &document["failed"]["step"]),
        (1, &json!("resource")),
        "an endpoint without metadata is refused: {document:#}"
    );
    assert!(document["failed"]["message"].as_str().unwrap().contains("cannot be read"));
}

#[tokio::test]
async fn the_rejection_of_a_reserved_client_name_is_reported() {
    let server = Server::sqlite().await;
    let (folder, employee) = (RunFolder::new(), server.employee().await);
    let more = ["--login-only", "--client-name", "Switchboard Support"];
    let (document, code) = folder.connect(&server, &employee, &more).await;
    assert_eq!(
        (code, &document["failed"]["step"]),
        (1, &json!("registration")),
        "the registration of a reserved client name fails: {document:#}"
    );
    let message = document["failed"]["message"].as_str().unwrap();
    assert!(message.starts_with("invalid_client_metadata"), "the error of the server is reported: {message}");
}
