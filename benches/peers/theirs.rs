//! npm's `oidc-provider` in a Node process of its own (`peer.js`).

use std::{
    fs,
    io::{BufRead, BufReader},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use super::{CLIENTS, client, grants::Peer};

pub struct Process {
    child: Child,
    address: SocketAddr,
}

impl Process {
    /// Installs it beside what cargo builds and starts it; none when Node or npm is not there.
    pub fn start() -> Option<Self> {
        let has =
            |program: &str| Command::new(program).arg("--version").stdout(Stdio::null()).status().is_ok();
        if !has("node") || !has("npm") {
            return None;
        }
        let folder = install();
        let mut child = Command::new("node")
            .arg(folder.join("peer.js"))
            .env("NODE_ENV", "production")
            .stdout(Stdio::piped())
            .spawn()
            .expect("node starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port: u16 = line.trim().parse().expect("oidc-provider tells its port");
        Some(Self { child, address: ([127, 0, 0, 1], port).into() })
    }

    pub fn peer(&self) -> Peer {
        Peer { address: self.address, client_ids: (0..CLIENTS).map(|n| format!("client{n}")).collect() }
    }

    /// So many codes, those of client n at n, n + 64, …
    pub async fn codes(&self, count: usize) -> Vec<String> {
        let body = format!(r#"{{"clients":{CLIENTS},"codes":{count}}}"#);
        let request = format!(
            "POST /prepare HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        serde_json::from_slice(&client::once(self.address, request.into_bytes(), 200).await).unwrap()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Where it is installed, as the lock file says.
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
    assert!(installed.success(), "npm could not install oidc-provider");
    folder
}
