//! The configuration: one typed tree, read once at start.
//!
//! A key's value comes from the first of: a flag, the environment, the TOML file, the default. The
//! environment's name of a key follows from the key: `database.url` is `SWITCHBOARD_DATABASE_URL`. A secret
//! may also be named by file, with `_file` behind its key. Unknown keys, unknown `SWITCHBOARD_*` variables
//! and values that make no sense refuse to start, all of them told at once. The tree below is also what
//! `docs/configuration.md` is made from.
//!
//! Called by the command line, which hands the finished [`Config`] on. No other module reads the environment.

mod check;
mod client;
mod docs;
mod load;
mod print;
mod section;
mod values;
mod well_known;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use ipnet::IpNet;
use tracing::Level;

pub use client::{CLIENT_VARIABLES, ClientEnv, wants_no_colour};
pub use docs::render_docs;
pub use load::{ConfigError, ConfigErrors, Flag, Loaded, Sources};
pub use values::{BaseUrl, DatabaseUrl, Environment, HostPort, Name, NodeRange, Scheme, Sha256Hex};
pub use well_known::WellKnownError;

use crate::platform::blobs::{Bucket, Place};
use crate::platform::logs::LogFormat;
use crate::platform::net::ServeOptions;
use crate::platform::secrets::Secret;
use section::section;

section! {
    /// The whole configuration.
    Config at "" {
        /// Address and port to listen on, for both products, the admin API and the pages. Port 0 takes a free
        /// one.
        listen: SocketAddr = SocketAddr::from(([127, 0, 0, 1], 8080));
        /// The public address of the bot API, the admin API and the pages, without a slash at the end.
        /// `https://` in production.
        base_url: BaseUrl = BaseUrl::local();
        /// The public address of the assistant connection server; it is also the OAuth issuer. The base
        /// address if unset.
        mcp_url: Option<BaseUrl> = None;
        /// What this installation is for. `production` issues live tokens; `sandbox` and `dev` issue test
        /// tokens and offer the tools for testing.
        environment: Environment = Environment::Production;
        /// SHA-256 of the whole operator key (`svc_op_…`), in lower-case hexadecimal. Without it the admin
        /// API takes no operator key.
        operator_key_sha256: Option<Sha256Hex> = None;
        /// The service's name, as people see it: at least four letters, and more than the word "service".
        service_name: Name = Name::switchboard();
        /// The name of who runs the service, as people see it; the same rules.
        maker_name: Name = Name::switchboard();
        /// Private-use address schemes of editors that may receive an authorization code without a period in
        /// the scheme.
        editor_schemes: Vec<Scheme> = Scheme::editors();
        /// A TOML file of well-known assistant clients: host = "name". A short list of the usual ones if unset.
        well_known_clients: Option<PathBuf> = None;
        /// Networks of the proxies in front. Only what comes from them may say in `X-Forwarded-For` who
        /// asked.
        trusted_proxies: Vec<IpNet> = Vec::new();
        /// Open connections at the same time; more wait to be accepted.
        max_connections: u32 = 10_000;
        /// Seconds a connection may be silent between requests, and the head of a request may take. Keep it
        /// longer than the proxy's own, or the proxy will meet closed connections.
        keep_alive_seconds: u32 = 75;
        /// Seconds that open requests may go on after the first SIGTERM or SIGINT. A second signal ends them
        /// at once.
        drain_seconds: u32 = 25;
        /// Days the audit of assistants' tool calls is kept, 1 to 3650.
        audit_days: u32 = 90;
        /// This process's number, one of `nodes`, where several share a PostgreSQL database. Each needs its own; unset,
        /// it takes a free one.
        node: Option<u8> = None;
        /// The numbers that processes of this deployment may take, within 0 to 31. Deployments whose ranges are apart
        /// never give the same id, so that their databases can be merged later. A SQLite server has the first of them.
        nodes: NodeRange = NodeRange::ALL;
        /// A PEM file of certificate authorities to trust, besides the usual ones, for requests to others'
        /// servers.
        extra_ca_file: Option<PathBuf> = None;
        /// Addresses and ports of the name servers to ask for the hosts of others' servers; the system's
        /// if unset.
        name_servers: Vec<SocketAddr> = Vec::new();
        /// Pairs `host:port` exempt from the rule that requests to others' servers never go to private
        /// addresses, and for which plain `http://` is accepted. Only in `dev`.
        allow_private_hosts: Vec<HostPort> = Vec::new();
        /// Lets the operator move the clock, to test what happens after hours and days. Not in production.
        test_clock: bool = false;
    } with {
        database: Database;
        files: Files;
        events: Events;
        limits: LimitSettings;
        log: Log;
        metrics: MetricSettings;
    }
}

section! {
    /// Where everything but the contents of files is kept.
    Database at "database" {
        /// `sqlite:///absolute/path.db` or `postgres://user:password@host/name`. PostgreSQL takes several hosts, tried in order:
        /// `postgres://user:password@a:5432,b:5432/name?target_session_attrs=read-write`.
        url: DatabaseUrl = DatabaseUrl::default();
        /// The same PostgreSQL database past a pooler, for the node's number, the shared rate limits and migrations. Set
        /// it where `database.url` leads through a pooler in transaction mode, and only there.
        direct_url: Option<DatabaseUrl> = None;
        /// Whether that pooler keeps named prepared statements of its clients apart, as pgbouncer does from 1.21 on with
        /// `max_prepared_statements`. Without, each statement is prepared anew, in a transaction.
        pooler_prepared_statements: bool = false;
        /// Standbys of the same PostgreSQL database that answer history, searches and lists when they have replayed
        /// everything that was answered before. Several hosts are tried in order.
        replica_url: Option<DatabaseUrl> = None;
        /// Connections to a standby of `database.replica_url` at the same time, besides `database.max_connections`.
        replica_max_connections: u32 = 10;
        /// Connections to PostgreSQL at the same time, of which writes and reads can each have four fifths and searches
        /// half; up to six more serve the node's number and the rate limits.
        max_connections: u32 = 10;
        /// Seconds a statement on PostgreSQL waits for a lock; then the request is answered 503. 0 waits for ever.
        lock_timeout_seconds: u32 = 5;
        /// Seconds a statement on PostgreSQL may take; then the request is answered 503. With 0 the server sets no bound,
        /// and after a minute the connection is taken for lost.
        statement_timeout_seconds: u32 = 10;
        /// The same for searches and other reads that may take long.
        scan_timeout_seconds: u32 = 30;
        /// Seconds that this machine's clock may be off from PostgreSQL's; beyond, nothing new is written. Not applied
        /// with `test_clock`.
        max_clock_skew_seconds: u32 = 60;
    }
}

section! {
    /// Where the contents of files are kept: in a folder, or in a bucket if one is named.
    Files at "files" {
        /// The folder, created for this user only if it is missing.
        dir: PathBuf = PathBuf::from("/var/lib/switchboard/files");
    } with {
        s3: S3;
    }
}

section! {
    /// An S3-compatible bucket, instead of the folder.
    S3 at "files.s3" {
        /// The bucket's name. Setting it puts files there.
        bucket: Option<String> = None;
        /// The region to sign requests for.
        region: String = "us-east-1".to_owned();
        /// The service's address; Amazon's own if unset.
        endpoint: Option<BaseUrl> = None;
        /// The access key's id.
        access_key_id: Option<Secret> = None;
        /// The access key.
        secret_access_key: Option<Secret> = None;
        /// Allows an endpoint with plain `http://`. Not in production.
        allow_http: bool = false;
    }
}

section! {
    /// Signed events to the callback addresses of apps.
    Events at "events" {
        /// Whether this process delivers events. Without, they are kept until one does, or until they expire.
        enabled: bool = true;
        /// Days an event may be due without an attempt before it is dropped as `expired`, 1 to 30.
        pending_days: u32 = 3;
    }
}

section! {
    /// How often callers may ask.
    LimitSettings at "limits" {
        /// Multiplies every rate limit, for load tests. Nodes that share a database share the limits only at 1.
        scale: u32 = 1;
        /// Milliseconds to wait for the state of the limits that nodes share on PostgreSQL; then the node decides by
        /// what it saw itself.
        shared_wait_ms: u32 = 50;
        /// Requests that the assistants of one employee may make to the MCP endpoints per minute.
        mcp_requests_per_minute: u32 = 120;
    }
}

section! {
    /// What is written to standard error.
    Log at "log" {
        /// `json` for machines or `text` for people, in colours on a terminal unless `NO_COLOR` is set.
        format: LogFormat = LogFormat::Json;
        /// From the quietest: `error`, `warn`, `info`, `debug`, `trace`. Libraries stay at `warn`.
        level: Level = Level::INFO;
    }
}

section! {
    /// What Prometheus reads.
    MetricSettings at "metrics" {
        /// Address and port to serve `GET /metrics` on; unset, they are not served. Anybody who reaches it
        /// can read it.
        listen: Option<SocketAddr> = None;
    }
}

impl Config {
    /// The address of the assistant connection server, without a slash at the end.
    #[must_use]
    pub fn mcp_url(&self) -> &str {
        self.mcp_url.as_ref().unwrap_or(&self.base_url).as_str()
    }

    /// How the listener treats its connections.
    #[must_use]
    pub fn serve_options(&self) -> ServeOptions {
        ServeOptions {
            max_connections: usize::try_from(self.max_connections).unwrap_or(usize::MAX),
            keep_alive: Duration::from_secs(self.keep_alive_seconds.into()),
            drain: Duration::from_secs(self.drain_seconds.into()),
        }
    }
}

impl Files {
    /// Where contents are kept.
    #[must_use]
    pub fn place(&self) -> Place {
        let s3 = &self.s3;
        match &s3.bucket {
            None => Place::Disk(self.dir.clone()),
            Some(name) => Place::S3(Bucket {
                name: name.clone(),
                region: s3.region.clone(),
                endpoint: s3.endpoint.as_ref().map(|url| url.as_str().to_owned()),
                access_key_id: s3.access_key_id.clone().unwrap_or_default(),
                secret_access_key: s3.secret_access_key.clone().unwrap_or_default(),
                allow_http: s3.allow_http,
            }),
        }
    }
}

#[cfg(test)]
mod tests;
