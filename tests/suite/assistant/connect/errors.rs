//! Errors that `switchboard connect` reports: violations of a standard, with the violated rule; servers, endpoints and
//! arguments that are missing; rejected registrations.

use serde_json::json;

use super::*;
use crate::support::proxy::{Proxy, ProxyBehaviour};

#[tokio::test]
async fn a_resource_of_another_address_is_rejected() {
    let server = Server::sqlite().await;
    let (folder, employee) = (RunFolder::new(), server.employee().await);
    // the proxy's address is not the public address of the server
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
async fn missing_servers_endpoints_and_arguments_are_reported() {
    let folder = RunFolder::new();
    let (document, code) = read(&folder.run(&["--json", "--mcp", "http://127.0.0.1:9"]).await);
    assert_eq!(
        (code, &document["ok"]),
        (3, &json!(false)),
        "a missing server has its own exit code: {document:#}"
    );
    let (document, code) = read(&folder.run(&["--json"]).await);
    assert_eq!(code, 2, "missing arguments have their own exit code: {document:#}");
    assert!(document["failed"]["message"].as_str().unwrap().contains("--mcp"));
    // at this address the server has no MCP endpoint
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
async fn a_refused_client_name_is_reported() {
    let server = Server::sqlite().await;
    let (folder, employee) = (RunFolder::new(), server.employee().await);
    let more = ["--login-only", "--client-name", "Switchboard Support"];
    let (document, code) = folder.connect(&server, &employee, &more).await;
    assert_eq!(
        (code, &document["failed"]["step"]),
        (1, &json!("registration")),
        "the registration fails: {document:#}"
    );
    let message = document["failed"]["message"].as_str().unwrap();
    assert!(message.starts_with("invalid_client_metadata"), "the error of the server is reported: {message}");
}
