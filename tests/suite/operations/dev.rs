//! `switchboard dev` with environment variables of another deployment, or with a base URL for the sandbox.

use std::{
    path::Path,
    process::{Child, Command, Output, Stdio},
};

use serde_json::Value;

use crate::support::{text, wire};

/// Commands that call the sandbox in the current folder.
const COMMANDS: [&[&str]; 2] = [&["clock", "show", "--json"], &["events", "send", "--json"]];

/// A running `switchboard dev` with its state in the default folder. It is killed when this value is dropped.
struct Sandbox {
    child: Child,
    /// The document that `switchboard dev` printed.
    demo: Value,
}

impl Sandbox {
    /// Starts a sandbox in the folder `home`, with the environment variables `settings` and no others. Returns as soon
    /// as the sandbox serves requests.
    async fn start(home: &Path, settings: &[(&str, &str)]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_switchboard"))
            .args(["dev", "--listen", "127.0.0.1:0", "--json"])
            .current_dir(home)
            .env_clear()
            .envs(settings.iter().copied())
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
        Self { child, demo }
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a command in a folder, without environment variables.
async fn run(home: &Path, arguments: &'static [&'static str]) -> Output {
    let home = home.to_owned();
    let run = move || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
        command.args(arguments).current_dir(home).env_clear().output().unwrap()
    };
    tokio::task::spawn_blocking(run).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sandbox_does_not_use_the_address_of_a_production_deployment() {
    let home = tempfile::tempdir().unwrap();
    let settings = [
        ("SWITCHBOARD_ENVIRONMENT", "production"),
        ("SWITCHBOARD_BASE_URL", "https://chat.example.com"),
        ("SWITCHBOARD_MCP_URL", "https://mcp.example.com"),
        ("SWITCHBOARD_DATABASE_REPLICA_URL", "postgres://replica.example.com/chat"),
        ("SWITCHBOARD_SECRETS_KEY_FILE", "/nonexistent/secrets-key"),
    ];
    let sandbox = Sandbox::start(home.path(), &settings).await;
    let base = text(&sandbox.demo, "/base_url");
    assert!(base.starts_with("http://127.0.0.1:"), "{base}");
    // the sandbox responds at this address, and its metadata names this address
    let path = "GET /.well-known/oauth-authorization-server";
    let metadata = wire::request(&base, path, &[], b"").await;
    let metadata: Value = serde_json::from_slice(&metadata.body).expect("a JSON document");
    assert_eq!(metadata["issuer"], base.as_str());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_find_a_sandbox_whose_base_url_is_the_address_of_a_tunnel() {
    let home = tempfile::tempdir().unwrap();
    // nothing listens at this address, so the commands must call the address at which the sandbox listens
    let settings =
        [("SWITCHBOARD_ENVIRONMENT", "dev"), ("SWITCHBOARD_BASE_URL", "https://sandbox.example.invalid")];
    let sandbox = Sandbox::start(home.path(), &settings).await;
    assert_eq!(text(&sandbox.demo, "/base_url"), "https://sandbox.example.invalid");
    assert_eq!(text(&sandbox.demo, "/mcp_url"), "https://sandbox.example.invalid");
    for arguments in COMMANDS {
        let output = run(home.path(), arguments).await;
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?} finds the sandbox: {said}");
        let document: Value = serde_json::from_slice(&output.stdout).expect("a JSON document");
        assert_eq!(document["ok"], true);
    }
}
