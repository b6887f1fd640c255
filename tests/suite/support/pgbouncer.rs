//! `pgbouncer` in transaction mode, in front of a PostgreSQL server that a test has started.
//!
//! If pgbouncer is not installed, the tests that need it are skipped. In CI, and with
//! `SWITCHBOARD_TEST_POSTGRES=required`, these tests fail instead.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use super::{postgres, wait::until};

/// A running pooler. It is killed when this value is dropped.
pub struct Pgbouncer {
    pub address: SocketAddr,
    child: Child,
}

fn program() -> Option<PathBuf> {
    ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer"]
        .into_iter()
        .map(PathBuf::from)
        .find(|path| path.exists())
}

/// Returns whether the installed pgbouncer supports named prepared statements in transaction mode. Version 1.21 and
/// later support them. Panics if pgbouncer is not installed.
pub fn keeps_statements() -> bool {
    let output = Command::new(program().unwrap()).arg("--version").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let version = text.lines().find_map(|line| line.strip_prefix("PgBouncer ")).unwrap_or_default();
    let mut parts = version.split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    (parts.next(), parts.next()) >= (Some(1), Some(21))
}

impl Pgbouncer {
    /// Starts pgbouncer with a few server connections, which clients share. So the transactions of one client can run
    /// in different sessions of PostgreSQL. Returns `None` if pgbouncer is not installed.
    ///
    /// # Panics
    /// If pgbouncer is not installed, and the tests that need it must not be skipped (see the module comment).
    pub async fn start(server: &postgres::Server, folder: &Path) -> Option<Self> {
        Self::start_with(server, folder, 4).await
    }

    /// Starts pgbouncer as [`Pgbouncer::start`] does, with this maximum number of server connections for each database.
    pub async fn start_with(server: &postgres::Server, folder: &Path, pool_size: u32) -> Option<Self> {
        let Some(program) = program() else {
            assert!(!postgres::is_required(), "pgbouncer is not installed, but its tests are required");
            eprintln!("pgbouncer is not installed: the tests that need it are skipped");
            return None;
        };
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let settings = folder.join("pgbouncer.ini");
        let statements = if keeps_statements() { "max_prepared_statements = 200" } else { "" };
        let text = format!(
            "[databases]\n* = host={}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n\
             auth_type = any\npool_mode = transaction\ndefault_pool_size = {pool_size}\nunix_socket_dir =\n{statements}\n",
            server.folder().display()
        );
        // with `auth_type = any`, pgbouncer connects as the user of the database line
        let text = text.replace("* = host=", "* = user=postgres host=");
        std::fs::write(&settings, text).unwrap();
        let mut command = Command::new(program);
        if postgres::as_postgres() {
            let (settings, folder) = (settings.as_os_str(), folder.as_os_str());
            assert!(
                Command::new("chown").arg("postgres").args([settings, folder]).status().unwrap().success()
            );
            command.args(["-u", "postgres"]);
        }
        let child = command
            .arg(&settings)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let pooler = Self { address, child };
        until(async || tokio::net::TcpStream::connect(address).await.is_ok()).await;
        Some(pooler)
    }
}

impl Drop for Pgbouncer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
