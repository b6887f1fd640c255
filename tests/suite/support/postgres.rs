//! A PostgreSQL server for tests. It is either a private server for each test process, or the server of the URL in
//! `SWITCHBOARD_TEST_POSTGRES_URL`. The user in this URL must be allowed to create databases.
//!
//! The private server listens only on a Unix socket in a temporary folder. A watchdog shell reads from a pipe of the
//! test process. When the test process exits or is killed, the pipe closes. Then the watchdog stops the server and
//! removes the folder.
//!
//! If PostgreSQL is not installed, the tests that need it are skipped, so that `cargo test` runs without PostgreSQL. In
//! CI, and with `SWITCHBOARD_TEST_POSTGRES=required`, these tests fail instead, so that skipped tests do not count as
//! passed.

use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use switchboard::store::migrate;
use tokio::sync::OnceCell;

/// The environment variable with the URL of a server to use instead of a private one.
const URL: &str = "SWITCHBOARD_TEST_POSTGRES_URL";

/// Whether acknowledged commits of a private server survive a crash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Durability {
    /// Commits do not wait until the write-ahead log is written, and nothing is flushed to the disk. The private server
    /// that the tests of a process share has this durability.
    Fast,
    /// PostgreSQL's default settings for durability, as in production. Tests of crashes, standbys and replicas use
    /// these settings, and so do benchmarks.
    Full,
}

impl Durability {
    /// Returns the folder for the files of a private server. With [`Durability::Fast`] the folder is in memory if there
    /// is enough memory. A new database has 300 files, and creating them in memory takes a third of the processor time
    /// that it takes on a disk.
    fn folder(self) -> &'static str {
        if self == Self::Fast && has_enough_memory() { MEMORY } else { "/tmp" }
    }
}

/// A file system in memory.
const MEMORY: &str = "/dev/shm";

/// Returns whether [`MEMORY`] has enough free space: many times the size of the databases that the suite uses at the
/// same time.
#[cfg(target_os = "linux")]
fn has_enough_memory() -> bool {
    const ENOUGH: u64 = 4 << 30;
    nix::sys::statvfs::statvfs(MEMORY).is_ok_and(|it| it.blocks_available() * it.fragment_size() >= ENOUGH)
}

#[cfg(not(target_os = "linux"))]
fn has_enough_memory() -> bool {
    false
}

/// Returns whether the suite's server is a private one, which has [`Durability::Fast`].
pub fn is_private() -> bool {
    std::env::var_os(URL).is_none()
}

/// Returns whether a test fails if PostgreSQL or pgbouncer, which it needs, is not installed. If the result is false,
/// such a test is skipped.
pub fn is_required() -> bool {
    let value = |name| std::env::var(name).unwrap_or_default();
    value("SWITCHBOARD_TEST_POSTGRES") == "required" || !["", "0", "false"].contains(&&*value("CI"))
}

/// A database on the suite's server. The database is dropped together with this value.
pub struct Database {
    /// `postgres://…`
    pub url: String,
    name: String,
    pub server: Server,
}

/// A PostgreSQL server on which databases can be created.
#[derive(Clone)]
pub struct Server {
    /// The URL of a database, with `{}` as the placeholder of its name.
    pattern: String,
    /// The programs and files of a private server; `None` for the server of `SWITCHBOARD_TEST_POSTGRES_URL`.
    private: Option<Arc<Private>>,
}

/// A private server.
struct Private {
    as_postgres: bool,
    programs: PathBuf,
    folder: PathBuf,
}

static SHARED: OnceCell<Option<Server>> = OnceCell::const_new();
static NUMBER: AtomicU32 = AtomicU32::new(0);

/// Creates a database with all migrations on the suite's server. Returns `None` if PostgreSQL is not installed.
pub async fn database() -> Option<Database> {
    create(Some(&template())).await
}

/// Creates an empty database on the suite's server. Returns `None` if PostgreSQL is not installed.
pub async fn empty_database() -> Option<Database> {
    create(None).await
}

async fn create(from: Option<&str>) -> Option<Database> {
    let server = SHARED
        .get_or_init(|| async {
            let server = match std::env::var(URL) {
                Ok(url) => Server::at(&url),
                Err(_) => Server::start(Durability::Fast)?,
            };
            server.create(&template(), None).await;
            migrate(&server.url(&template()).parse().unwrap()).await.unwrap();
            Some(server)
        })
        .await
        .clone()?;
    let name = format!("switchboard_test_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    server.create(&name, from).await;
    Some(Database { url: server.url(&name), name, server })
}

fn template() -> String {
    format!("switchboard_test_{}_template", std::process::id())
}

impl Database {
    /// Returns the name of the database.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let (server, name) = (self.server.clone(), std::mem::take(&mut self.name));
        // This value may be dropped inside a runtime, or while a runtime shuts down. So a new thread with a new runtime
        // drops the database.
        let dropping = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(server.run(format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")));
        });
        let _ = dropping.join();
    }
}

impl Server {
    /// Returns the server of a URL. The path of the URL is ignored.
    pub fn at(url: &str) -> Self {
        let mut pattern = url::Url::parse(url).expect("SWITCHBOARD_TEST_POSTGRES_URL is a URL");
        pattern.set_path("/DATABASE");
        Self { pattern: pattern.to_string().replacen("/DATABASE", "/{}", 1), private: None }
    }

    /// Starts a private server that stops when this process ends. If PostgreSQL is not installed, panics if
    /// [`is_required`]; otherwise prints a note and returns `None`.
    pub fn start(durability: Durability) -> Option<Self> {
        Self::start_with(durability, "64MB")
    }

    /// Starts a server as [`Server::start`] does, but with this value of `shared_buffers`. The value of
    /// [`Server::start`] is small, because tests start many servers at once. A benchmark gives its server the share of
    /// memory that the PostgreSQL manual recommends.
    pub fn start_with(durability: Durability, shared_buffers: &str) -> Option<Self> {
        let Some(programs) = programs() else {
            assert!(
                !is_required(),
                "PostgreSQL is not installed, but its tests are required: by CI or SWITCHBOARD_TEST_POSTGRES=required"
            );
            eprintln!("PostgreSQL is not installed: its tests are skipped");
            return None;
        };
        let folder = durability.folder();
        let folder = tempfile::Builder::new().prefix("switchboard-pg-").tempdir_in(folder).unwrap().keep();
        let data = folder.join("data");
        let private = Private { as_postgres: unprivileged(&folder), programs, folder };
        let folder = &private.folder;
        // the watchdog starts before the server, so that the server cannot outlive this process
        watchdog(private.as_postgres, &private.programs.join("pg_ctl"), &data, folder);

        let arguments =
            ["--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C", "--no-sync", "-D"];
        let arguments: Vec<&OsStr> = arguments.iter().map(OsStr::new).chain([data.as_os_str()]).collect();
        private.run("initdb", &arguments);
        let mut settings =
            std::fs::OpenOptions::new().append(true).open(data.join("postgresql.conf")).unwrap();
        writeln!(settings, "listen_addresses = ''\nunix_socket_directories = '{}'", folder.display())
            .unwrap();
        writeln!(
            settings,
            "max_connections = 300\nshared_buffers = {shared_buffers}\nlogging_collector = off"
        )
        .unwrap();
        if durability == Durability::Fast {
            writeln!(settings, "fsync = off\nsynchronous_commit = off\nfull_page_writes = off").unwrap();
            // Many tests fill large tables at the same time. With a small write-ahead log the disk does not get full.
            writeln!(settings, "min_wal_size = 32MB\nmax_wal_size = 192MB").unwrap();
        }
        drop(settings);
        private.control(&["start"]);
        let pattern = format!("postgres://postgres@localhost/{{}}?host={}", folder.display());
        Some(Self { pattern, private: Some(Arc::new(private)) })
    }

    /// Stops a private server without flushing anything, as a crash would, and starts it again.
    pub fn crash(&self) {
        self.stop();
        self.start_again();
    }

    /// Stops a private server immediately, as a crash would.
    pub fn stop(&self) {
        self.private().control(&["-m", "immediate", "stop"]);
    }

    /// Starts a private server that was stopped.
    pub fn start_again(&self) {
        self.private().control(&["start"]);
    }

    /// Promotes a standby to primary.
    pub fn promote(&self) {
        self.private().control(&["promote"]);
    }

    /// Starts a hot standby of this private server.
    pub fn standby(&self) -> Self {
        let primary = self.private();
        let folder = tempfile::Builder::new().prefix("switchboard-pg-").tempdir_in("/tmp").unwrap().keep();
        let (programs, as_postgres) = (primary.programs.clone(), unprivileged(&folder));
        let data = folder.join("data");
        watchdog(as_postgres, &programs.join("pg_ctl"), &data, &folder);
        let private = Private { as_postgres, programs, folder };
        let arguments = ["-U", "postgres", "-R", "-X", "stream", "-c", "fast", "--no-sync", "-h"];
        let place = [primary.folder.as_os_str(), "-D".as_ref(), data.as_os_str()];
        let arguments: Vec<&OsStr> = arguments.iter().map(OsStr::new).chain(place).collect();
        private.run("pg_basebackup", &arguments);
        let mut settings =
            std::fs::OpenOptions::new().append(true).open(data.join("postgresql.conf")).unwrap();
        writeln!(settings, "unix_socket_directories = '{}'", private.folder.display()).unwrap();
        drop(settings);
        private.control(&["start"]);
        let pattern = format!("postgres://postgres@localhost/{{}}?host={}", private.folder.display());
        Self { pattern, private: Some(Arc::new(private)) }
    }

    /// Returns the log of a private server.
    pub fn log(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(self.folder().join("log")).unwrap()).into_owned()
    }

    /// Returns the folder of a private server's socket.
    pub fn folder(&self) -> &Path {
        &self.private().folder
    }

    fn private(&self) -> &Arc<Private> {
        self.private.as_ref().expect("a private server")
    }

    /// Returns the URL of a database on this server.
    pub fn url(&self, database: &str) -> String {
        self.pattern.replacen("{}", database, 1)
    }

    /// Creates a database. If `template` is given, the new database is a copy of the database with this name.
    pub async fn create(&self, name: &str, template: Option<&str>) {
        // `file_copy` copies the files of the template. The default strategy, `wal_log`, writes the pages of the
        // template to the write-ahead log. With `fsync` off, copying takes less processor time. With `fsync` on, as on
        // most servers of `SWITCHBOARD_TEST_POSTGRES_URL`, copying would wait for the disk: for each file, and for two
        // checkpoints.
        let strategy = if self.private.is_some() { " STRATEGY file_copy" } else { "" };
        let template = template.map(|name| format!(" TEMPLATE {name}{strategy}")).unwrap_or_default();
        self.run(format!("CREATE DATABASE {name}{template}")).await;
    }

    /// Runs SQL in the database `postgres`, as the superuser of a private server or as the user of the URL.
    pub async fn run(&self, sql: String) {
        let mut connection = PgConnection::connect(&self.url("postgres")).await.unwrap();
        connection.execute(AssertSqlSafe(sql)).await.unwrap();
        connection.close().await.unwrap();
    }
}

impl Private {
    /// Runs a program of PostgreSQL to its end.
    fn run(&self, program: &str, args: &[&OsStr]) -> Output {
        let mut command = command(self.as_postgres, &self.programs.join(program));
        let output = command.args(args).current_dir(&self.folder).stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
        output
    }

    /// Runs `pg_ctl` with this command, and waits for its completion.
    fn control(&self, action: &[&str]) {
        let (data, log) = (self.folder.join("data"), self.folder.join("log"));
        let place = ["-w".as_ref(), "-D".as_ref(), data.as_os_str(), "-l".as_ref(), log.as_os_str()];
        let args: Vec<&OsStr> = place.into_iter().chain(action.iter().map(OsStr::new)).collect();
        self.run("pg_ctl", &args);
    }
}

/// Returns the folder with PostgreSQL's programs: the newest version in `/usr/lib/postgresql`, or else the first folder
/// in `PATH` that has the programs.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut installed: Vec<(u32, PathBuf)> = versions
        .filter_map(|version| Some((version.file_name().to_str()?.parse().ok()?, version.path().join("bin"))))
        .collect();
    installed.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = installed.into_iter().rev().map(|(_, folder)| folder).chain(std::env::split_paths(&path));
    folders.into_iter().find(|folder| folder.join("initdb").exists() && folder.join("pg_ctl").exists())
}

/// Returns whether the tests run as root. If so, servers run as the user `postgres`.
pub fn as_postgres() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").unwrap().uid() == 0
}

/// If a folder belongs to root, changes its owner to the user `postgres`, because PostgreSQL refuses to run as root.
/// Returns whether the folder belonged to root.
fn unprivileged(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let root = std::fs::metadata(folder).unwrap().uid() == 0;
    if root {
        let done = Command::new("chown").arg("postgres").arg(folder).status().unwrap();
        assert!(done.success(), "tests that run as root need the user `postgres`");
    }
    root
}

fn command(as_postgres: bool, program: &Path) -> Command {
    if !as_postgres {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(program);
    command
}

/// Starts the watchdog shell, which stops the server and removes its folder when this process has ended.
#[expect(clippy::zombie_processes, reason = "the shell runs until this process has ended")]
fn watchdog(as_postgres: bool, pg_ctl: &Path, data: &Path, folder: &Path) {
    // `read` returns when the pipe closes; only this process has the other end open
    let script = r#"read -r _; "$0" -D "$1" -m immediate -w stop; rm -rf "$2""#;
    let mut shell = command(as_postgres, Path::new("/bin/sh"));
    shell.arg("-c").arg(script).arg(pg_ctl).arg(data).arg(folder);
    // Ctrl+C in the terminal ends the tests, but not the watchdog, because the watchdog has its own process group
    shell.process_group(0).current_dir("/").stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = shell.spawn().unwrap();
    let pipe: ChildStdin = child.stdin.take().unwrap();
    std::mem::forget(pipe);
}
