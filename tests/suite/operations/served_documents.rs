//! The documents at `/openapi/*.json` are those of `generated/`, with the public address of the server. They are served
//! in OpenAPI 3.0 and 3.1. The API reference `/docs` shows them. A request for `/docs` with another name of this
//! machine in `Host`, such as `localhost`, is redirected to the base URL.

use std::{collections::BTreeSet, sync::Arc};

use serde_json::Value;
use switchboard::{
    app::documents,
    config::{BaseUrl, Config},
};

use crate::support::{Options, Server, wire};

/// For each document: its name, the text of its file in `generated/`, and whether its server address is the MCP URL
/// instead of the base URL.
const DOCUMENTS: [(&str, &str, bool); 3] = [
    ("bot", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/generated/bot.json")), false),
    ("assistant", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/generated/assistant.json")), true),
    ("admin", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/generated/admin.json")), false),
];

async fn served(server: &Server, name: &str, host: &str) -> (Value, Value) {
    let request = reqwest::Client::new().get(format!("{}/openapi/{name}.json", server.base));
    let answer = request.header("host", host).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{name}");
    assert_eq!(answer.headers()["content-type"], "application/json", "{name}");
    let mut document: Value = answer.json().await.unwrap();
    let servers = document["servers"].take();
    (document, servers)
}

/// Starts a server whose MCP URL differs from its base URL.
async fn server() -> Server {
    let options = Options {
        configure: Some(Arc::new(|config: &mut Config| {
            config.mcp_url = Some(BaseUrl::parse("https://mcp.example.com").unwrap());
        })),
        ..Options::default()
    };
    let server = Server::with(options).await.expect("SQLite is always there");
    let settings = &server.running().world().settings;
    assert_ne!(settings.base_url, settings.mcp_url);
    server
}

/// The documents have the configured address, whatever the `Host` of the request is.
#[tokio::test]
async fn documents_differ_from_their_files_in_the_address_of_the_server_only() {
    let server = server().await;
    let settings = &server.running().world().settings;
    for (name, text, is_assistant) in DOCUMENTS {
        let address = if is_assistant { &settings.mcp_url } else { &settings.base_url };
        let mut written: Value = serde_json::from_str(text).unwrap();
        written["servers"].take();
        for host in ["127.0.0.1", "chat.example.com", "mcp.example.com"] {
            let (document, servers) = served(&server, name, host).await;
            let urls: Vec<_> = servers.as_array().unwrap().iter().map(|server| &server["url"]).collect();
            assert_eq!(
                urls,
                [address.as_str()],
                "{name} requested with the Host {host} has the configured address"
            );
            assert_eq!(document, written, "{name} differs from its file in the servers only");
        }
    }
}

/// `/openapi/*-3.1.json` are the same documents in OpenAPI 3.1. They have the same server address as the documents in
/// OpenAPI 3.0, and their responses have the same [`stable_headers`].
#[tokio::test]
async fn documents_are_served_in_openapi_3_1_too() {
    let server = server().await;
    let settings = &server.running().world().settings;
    for (name, published, address) in [
        ("bot", documents::bot(), &settings.base_url),
        ("assistant", documents::assistant(), &settings.mcp_url),
        ("admin", documents::admin(), &settings.base_url),
    ] {
        let expected = published.to_3_1().at(address).text();
        for method in ["GET", "HEAD"] {
            let asked = async |file: &str| {
                let line = format!("{method} /openapi/{file}.json");
                wire::request(&server.base, &line, &["origin: https://tools.example.com"], b"").await
            };
            let (source, converted) = (asked(name).await, asked(&format!("{name}-3.1")).await);
            assert_eq!(converted.status, 200, "{method} {name}");
            assert_eq!(stable_headers(&converted), stable_headers(&source), "{method} {name}");
            assert_eq!(
                converted.header("content-length"),
                Some(&*expected.len().to_string()),
                "{method} {name}"
            );
            assert!(
                method == "HEAD" || converted.body == expected.as_bytes(),
                "{name}-3.1.json is the document {name} converted to OpenAPI 3.1"
            );
        }
        let document: Value = serde_json::from_str(&expected).unwrap();
        assert_eq!(document["openapi"], "3.1.1", "{name}");
        assert_eq!(document["servers"][0]["url"], address.as_str(), "{name}");
        assert_eq!(document["webhooks"].is_object(), name == "bot", "only the bot API has webhooks: {name}");
    }
}

/// Returns the headers of a response that depend neither on the request, nor on its time, nor on the text of the
/// document.
fn stable_headers(answer: &wire::Wire) -> BTreeSet<(&str, &str)> {
    let headers = answer.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    headers
        .filter(|(name, _)| !matches!(*name, "content-length" | "date" | "etag" | "x-request-id"))
        .collect()
}

/// The API reference (`/docs`) sends requests to the address in the documents. Its content security policy allows this
/// only if the page has the same address.
#[tokio::test]
async fn the_api_reference_redirects_from_other_names_of_this_machine_to_the_base_url() {
    let server = Server::sqlite().await;
    let (_, port) = server.base.rsplit_once(':').expect("a port");
    for host in ["localhost", "[::1]"] {
        let request = format!("GET /docs HTTP/1.1\r\nhost: {host}:{port}\r\nconnection: close\r\n\r\n");
        let answer = wire::exchange(&server.base, request.as_bytes()).await;
        assert_eq!(answer.status, 307, "{host}");
        assert_eq!(answer.header("location"), Some(format!("{}/docs", server.base).as_str()), "{host}");
    }
    assert_eq!(wire::request(&server.base, "GET /docs", &[], b"").await.status, 200);
}
