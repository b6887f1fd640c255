//! Runs npm's `oidc-provider`, with which the benchmark compares Switchboard, in its own Node process (`peer.js`).

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::{CLIENTS, client, grants::Peer, support::process::Process};

/// The running provider.
pub struct Provider(Process);

impl Provider {
    /// Installs the provider in cargo's target folder and starts it. Returns `None` if Node or npm is missing.
    pub fn start() -> Option<Self> {
        let has =
            |program: &str| Command::new(program).arg("--version").stdout(Stdio::null()).status().is_ok();
        if !has("node") || !has("npm") {
            return None;
        }
        let folder = install();
        let mut command = Command::new("node");
        command.arg(folder.join("peer.js")).env("NODE_ENV", "production");
        Some(Self(Process::with_port(&mut command).expect("oidc-provider prints its port")))
    }

    pub fn peer(&self) -> Peer {
        Peer { address: self.0.address, client_ids: (0..CLIENTS).map(|n| format!("client{n}")).collect() }
    }

    /// Creates `count` authorization codes. The code at index i is for client i modulo [`CLIENTS`].
    pub async fn codes(&self, count: usize) -> Vec<String> {
        let body = format!(r#"{{"clients":{CLIENTS},"codes":{count}}}"#);
        let request = format!(
            "POST /prepare HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        serde_json::from_slice(&client::once(self.0.address, request.into_bytes(), 200).await).unwrap()
    }
}

/// Installs the provider with the versions of the lock file, and returns the folder.
fn install() -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers");
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("target"), PathBuf::from);
    let folder = target.join("peers");
    fs::create_dir_all(&folder).unwrap();
    for file in ["package.json", "package-lock.json", "peer.js"] {
        fs::copy(source.join(file), folder.join(file)).unwrap();
    }
    let installed = Command::new("npm")
        .args(["ci", "--no-audit", "--no-fund", "--silent"])
        .current_dir(&folder)
        .status()
        .expect("npm starts");
    assert!(installed.success(), "npm installs oidc-provider");
    folder
}
