//! The documents at `/openapi/*.json`: those of `openapi/`, with the server's own public address.

use std::sync::Arc;

use serde_json::Value;
use switchboard::config::{BaseUrl, Config};

use crate::support::{Options, Server};

/// The documents by name, and whether they have the assistant server's address.
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

/// The address in the document is the configured one, whatever the request's Host.
#[tokio::test]
async fn they_name_the_address_of_their_server_and_are_the_files_otherwise() {
    let options = Options {
        configure: Some(Arc::new(|config: &mut Config| {
            config.mcp_url = Some(BaseUrl::parse("https://mcp.example.com").unwrap());
        })),
        ..Options::default()
    };
    let server = Server::with(options).await.expect("SQLite is always there");
    let settings = &server.running().world().settings;
    assert_ne!(settings.base_url, settings.mcp_url);
    for (name, text, is_assistant) in DOCUMENTS {
        let address = if is_assistant { &settings.mcp_url } else { &settings.base_url };
        let mut written: Value = serde_json::from_str(text).unwrap();
        written["servers"].take();
        for host in ["127.0.0.1", "chat.example.com", "mcp.example.com"] {
            let (document, servers) = served(&server, name, host).await;
            let urls: Vec<_> = servers.as_array().unwrap().iter().map(|server| &server["url"]).collect();
            assert_eq!(urls, [address.as_str()], "{name} asked for at {host}");
            assert_eq!(document, written, "{name} differs from its file in more than the servers");
        }
    }
}
