//! `switchboard dev` where the settings of a production deployment are in the environment.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{text, wire};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sandbox_does_not_use_the_address_of_a_production_deployment() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("dev");
    let mut child = Command::new(env!("CARGO_BIN_EXE_switchboard"))
        .args(["dev", "--dir", folder.to_str().unwrap(), "--listen", "127.0.0.1:0", "--json"])
        .env_clear()
        .env("SWITCHBOARD_ENVIRONMENT", "production")
        .env("SWITCHBOARD_BASE_URL", "https://chat.example.com")
        .env("SWITCHBOARD_MCP_URL", "https://mcp.example.com")
        .env("SWITCHBOARD_DATABASE_REPLICA_URL", "postgres://replica.example.com/chat")
        .env("SWITCHBOARD_SECRETS_KEY_FILE", folder.join("a key that this user cannot read"))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let printed = child.stdout.take().unwrap();
    let read = move || {
        let mut documents = serde_json::Deserializer::from_reader(printed).into_iter::<Value>();
        documents.next().expect("the sandbox's document").unwrap()
    };
    let demo = tokio::task::spawn_blocking(read).await.unwrap();
    let base = text(&demo, "/base_url");
    assert!(base.starts_with("http://127.0.0.1:"), "{base}");
    // the sandbox answers at this address, and its documents name no other one
    let path = "GET /.well-known/oauth-authorization-server";
    let metadata = wire::request(&base, path, &[], b"").await;
    child.kill().unwrap();
    child.wait().unwrap();
    let metadata: Value = serde_json::from_slice(&metadata.body).expect("a JSON document");
    assert_eq!(metadata["issuer"], base.as_str());
}
