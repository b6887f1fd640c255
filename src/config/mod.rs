//! The configuration: nested structs of typed values, read once at start.
//!
//! The value of a key comes from the first of these sources that has it: a flag, the environment, the TOML file, the
//! default. The environment variable of a key is derived from the key: `database.url` is `SWITCHBOARD_DATABASE_URL`. A
//! secret can also be read from a file. To do this, append `_file` to the key, and set the resulting key to the path of
//! the file.
//!
//! Unknown keys, unknown `SWITCHBOARD_*` variables and values that cannot be parsed prevent the start, and are reported
//! together. The rules of `check` are applied only if there are no such errors. `docs/configuration.md` is generated
//! from the sections below.
//!
//! The command line loads the configuration and passes the [`Config`] on. No module outside `config` reads the
//! environment.

mod check;
mod client;
mod docs;
mod load;
mod print;
mod section;
mod service_manager;
mod values;
mod well_known;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use ipnet::IpNet;
use tracing::Level;

pub use client::{CLIENT_VARIABLES, ClientEnv, wants_no_colour};
pub use docs::render_docs;
pub use load::{CONFIG_FILE_KEY, CONFIG_VARIABLE, ConfigError, ConfigErrors, Flag, Loaded, Sources};
pub use service_manager::notify_socket;
pub use values::{BaseUrl, DatabaseUrlSetting, Environment, HostPort, Name, NodeRange, Scheme, Sha256Hex};
pub use well_known::WellKnownError;

use crate::platform::blobs::{BlobLocation, Bucket};
use crate::platform::encryption::{EncryptionKey, Keyring};
use crate::platform::logs::LogFormat;
use crate::platform::net::ServeOptions;
use crate::platform::secrets::Secret;
use section::section;

section! {
    /// The whole configuration.
    Config at "" {
        /// Address and port to listen on, for all APIs and the pages. Port 0 selects a free port.
        listen: SocketAddr = SocketAddr::from(([127, 0, 0, 1], 8080));
        /// The public address of the bot API, the admin API and the pages, without a trailing
        /// slash. `https://` in production.
        base_url: BaseUrl = BaseUrl::local();
        /// The public address of the assistant server; also the OAuth issuer. `base_url` if unset.
        mcp_url: Option<BaseUrl> = None;
        /// The purpose of this deployment. `production` issues live tokens; `sandbox` and `dev`
        /// issue test tokens and offer test tools.
        environment: Environment = Environment::Production;
        /// SHA-256 of the whole operator key (`svc_op_…`), in lower-case hexadecimal. Without it
        /// the admin API accepts no operator key.
        operator_key_sha256: Option<Sha256Hex> = None;
        /// The service's name as users see it: at least four letters, and not just the word
        /// "service".
        service_name: Name = Name::switchboard();
        /// The name of the service's operator as users see it. The rules of `service_name` apply.
        maker_name: Name = Name::switchboard();
        /// URI schemes of editors. An assistant's redirect URI may have one of these schemes. Any
        /// other private-use scheme must contain a period (RFC 8252).
        editor_schemes: Vec<Scheme> = Scheme::editors();
        /// A TOML file with the display names of well-known assistants: `host = "name"`. A short
        /// built-in list if unset.
        well_known_clients: Option<PathBuf> = None;
        /// Networks of trusted reverse proxies. `X-Forwarded-For` is evaluated only in requests
        /// from them.
        trusted_proxies: Vec<IpNet> = Vec::new();
        /// Maximum number of open connections; further ones wait to be accepted. Lowered at start
        /// if the limit of open files (`LimitNOFILE`, `ulimit -Hn`) is too low.
        max_connections: u32 = 10_000;
        /// Maximum number of open connections per address, or per /64 for IPv6; further ones are
        /// rejected with 429. Connections from `trusted_proxies` are not counted.
        max_connections_per_address: u32 = 1_000;
        /// Seconds that a connection may be idle between requests, and that the head of a request
        /// may take. Set it higher than the proxy's idle timeout, or the proxy will use closed
        /// connections.
        keep_alive_seconds: u32 = 75;
        /// Seconds that open requests may continue after the first SIGTERM or SIGINT. A second
        /// signal ends them at once.
        drain_seconds: u32 = 25;
        /// Retention of the tool call audit in days, 1 to 3650.
        audit_days: u32 = 90;
        /// The node number of this process, one of `nodes`. If several processes share a PostgreSQL
        /// database, each process needs a different number. If unset, a process on PostgreSQL takes
        /// a free number, and a process on SQLite takes the first number of `nodes`.
        node: Option<u8> = None;
        /// The node numbers of this deployment, within 0 to 31. Deployments with disjoint ranges
        /// never generate the same id, so that their databases can be merged later.
        nodes: NodeRange = NodeRange::ALL;
        /// A PEM file of additional certificate authorities to trust for outbound requests.
        extra_ca_file: Option<PathBuf> = None;
        /// Addresses and ports of the name servers for outbound requests; the system's if unset.
        name_servers: Vec<SocketAddr> = Vec::new();
        /// Pairs `host:port` that are exempt from the rule that outbound requests never go to private
        /// addresses, and for which plain `http://` is accepted. Only in `dev`.
        allow_private_hosts: Vec<HostPort> = Vec::new();
        /// Allows the operator to move the server's clock, to test what happens after hours and
        /// days. Not in production.
        test_clock: bool = false;
    } with {
        database: DatabaseSettings;
        files: Files;
        events: Events;
        assistant: AssistantServerSettings;
        limits: LimitSettings;
        secrets: Secrets;
        log: LogSettings;
        metrics: MetricSettings;
    }
}

section! {
    /// Where everything except file contents is stored.
    DatabaseSettings at "database" {
        /// `sqlite:///absolute/path.db` or `postgres://user:password@host/name`. PostgreSQL
        /// supports several hosts, tried in order:
        /// `postgres://user:password@a:5432,b:5432/name?target_session_attrs=read-write`.
        url: DatabaseUrlSetting = DatabaseUrlSetting::default();
        /// An address of the PostgreSQL database of `database.url` without a pooler, for the node
        /// number, the signals between nodes, the shared rate limits and migrations. Set it if, and
        /// only if, `database.url` leads through a pooler in transaction mode or through one that
        /// rejects startup options, as pgbouncer does in every mode.
        direct_url: Option<DatabaseUrlSetting> = None;
        /// Whether the pooler of `database.url` keeps the named prepared statements of its clients
        /// apart, as pgbouncer does from 1.21 on with `max_prepared_statements`. If `false`, each
        /// statement is prepared again whenever it runs, in a transaction.
        pooler_prepared_statements: bool = false;
        /// Standbys of the PostgreSQL database of `database.url`, which answer requests for history,
        /// searches and lists. A standby answers a request only after it has replayed everything
        /// that was acknowledged before the request. Several hosts are tried in order.
        replica_url: Option<DatabaseUrlSetting> = None;
        /// Maximum connections to a standby of `database.replica_url`, in addition to
        /// `database.max_connections`.
        replica_max_connections: u32 = 10;
        /// Maximum connections to PostgreSQL; 1 counts as 2. Writes and reads can each use four fifths of them,
        /// searches half. Up to eight more are used for the node number, the signals between nodes and the
        /// rate limits. With `database.direct_url`, one more checks COMMITs that timed out.
        max_connections: u32 = 10;
        /// Seconds that a statement on PostgreSQL waits for a lock before the request fails with
        /// 503, 0 to 2147483. 0 means no limit.
        lock_timeout_seconds: u32 = 5;
        /// Seconds that a statement on PostgreSQL may run before the request fails with 503, 0 to
        /// 2147483. With 0, PostgreSQL sets no limit, and the request fails with 503 if PostgreSQL
        /// does not respond within 60 seconds.
        statement_timeout_seconds: u32 = 10;
        /// The same as `statement_timeout_seconds`, for searches and other slow reads.
        scan_timeout_seconds: u32 = 30;
        /// Maximum difference in seconds between this machine's clock and PostgreSQL's; beyond it,
        /// requests that would write something new fail with 503. Not applied with `test_clock`.
        max_clock_skew_seconds: u32 = 60;
    }
}

section! {
    /// Where file contents are stored: in a folder, or in a bucket if one is named.
    Files at "files" {
        /// The folder. If it is missing, it is created with mode 0700. If unset, it is `files`
        /// beside the database file of `database.url`; with PostgreSQL it is the default shown
        /// here. If the databases of two servers are in the same folder, set different folders of
        /// files, or disjoint `nodes`. Otherwise the servers may give two files the same id, so that
        /// both files have the same content.
        dir: PathBuf = PathBuf::from("/var/lib/switchboard/files");
        /// Maximum total size in MiB of a person's files in a company. An upload that would exceed
        /// this total fails with 409. A deleted file counts until its content is purged. 0 means no
        /// limit.
        quota_mib_per_person: u32 = 10_240;
        /// Maximum total size in MiB of all files of a company. An upload that would exceed this
        /// total fails with 409. A deleted file counts until its content is purged. 0 means no limit.
        quota_mib_per_company: u32 = 102_400;
        /// Hours after which a file that no message contains is deleted. 0 means never.
        unattached_hours: u32 = 24;
        /// Maximum number of concurrent uploads per person and process; further ones fail with 429.
        /// 0 means no limit.
        max_open_uploads_per_person: u32 = 8;
        /// Maximum number of concurrent uploads per process; further ones fail with 503. An
        /// open upload uses up to 256 KiB of memory, with a bucket up to 5 MiB. 0 means no limit.
        max_open_uploads: u32 = 64;
        /// Seconds within which the next 16 KiB of an upload, or its end, must arrive; otherwise the
        /// upload fails with 408.
        upload_idle_seconds: u32 = 30;
    } with {
        s3: S3;
    }
}

section! {
    /// An S3-compatible bucket, used instead of the folder.
    S3 at "files.s3" {
        /// The bucket's name. Setting it stores files in the bucket.
        bucket: Option<String> = None;
        /// The region used for request signatures.
        region: String = "us-east-1".to_owned();
        /// The endpoint of the service; Amazon S3 if unset.
        endpoint: Option<BaseUrl> = None;
        /// The access key id.
        access_key_id: Option<Secret> = None;
        /// The secret access key.
        secret_access_key: Option<Secret> = None;
        /// Allows an endpoint with plain `http://`. Not in production.
        allow_http: bool = false;
    }
}

section! {
    /// Delivery of signed events to the callback URLs of apps.
    Events at "events" {
        /// Whether this process delivers events. If `false`, events remain queued until another
        /// process delivers them or they expire.
        enabled: bool = true;
        /// Days that an event may be due without an attempt before it is dropped as `expired`, 1 to
        /// 30.
        pending_days: u32 = 3;
    }
}

section! {
    /// Assistants connected by employees.
    AssistantServerSettings at "assistant" {
        /// Seconds after the first use of a refresh token, 0 to 60, within which its client can
        /// present the token again and gets the same tokens. Clients that refresh in parallel need
        /// this. A value above 0 deviates from the contract of the assistant server, by which
        /// reusing a refresh token revokes its connection. Set the same value on every node.
        refresh_overlap_seconds: u32 = 0;
    }
}

section! {
    /// Rate limits.
    LimitSettings at "limits" {
        /// Multiplies every rate limit, for load tests. Nodes that share a database share limits
        /// only if the value is 1.
        scale: u32 = 1;
        /// Milliseconds to wait for the shared rate limit state on PostgreSQL, 1 to 30000. After
        /// that, the node decides by its own state.
        shared_wait_ms: u32 = 50;
        /// Requests per minute that the assistants of one employee may make to the MCP endpoints.
        mcp_requests_per_minute: u32 = 120;
    }
}

section! {
    /// The key that encrypts the secrets that the server must read back: the signing secrets of
    /// apps and the master key. The keys for file links, cursors, forms and assistants' tokens are
    /// derived from the master key. Store a copy of the encryption key separately from the backups,
    /// which cannot be used without it.
    Secrets at "secrets" {
        /// The key to encrypt secrets with, from `switchboard secrets new-key`. Without one,
        /// secrets are stored in plain text.
        key: Option<EncryptionKey> = None;
        /// Previous values of `secrets.key`, with which some stored secrets are possibly still
        /// encrypted. Needed until every secret is encrypted with `secrets.key`.
        old_keys: Vec<EncryptionKey> = Vec::new();
    }
}

section! {
    /// Logging to standard error.
    LogSettings at "log" {
        /// `json` for machines or `text` for people. On a terminal, `text` is coloured unless
        /// `NO_COLOR` is set.
        format: LogFormat = LogFormat::Json;
        /// In increasing verbosity: `error`, `warn`, `info`, `debug`, `trace`. Libraries are
        /// limited to `warn`.
        level: Level = Level::INFO;
    }
}

section! {
    /// Prometheus metrics.
    MetricSettings at "metrics" {
        /// Address and port to serve `GET /metrics` on; not served if unset. Access is not
        /// authenticated.
        listen: Option<SocketAddr> = None;
    }
}

impl Config {
    /// Returns the public address of the assistant server, without a trailing slash.
    #[must_use]
    pub fn mcp_url(&self) -> &str {
        self.mcp_url.as_ref().unwrap_or(&self.base_url).as_str()
    }

    /// Returns the connection limits of the listener.
    #[must_use]
    pub fn serve_options(&self) -> ServeOptions {
        ServeOptions {
            max_connections: usize::try_from(self.max_connections).unwrap_or(usize::MAX),
            max_per_address: usize::try_from(self.max_connections_per_address).unwrap_or(usize::MAX),
            exempt: self.trusted_proxies.clone(),
            keep_alive: Duration::from_secs(self.keep_alive_seconds.into()),
            drain: Duration::from_secs(self.drain_seconds.into()),
        }
    }
}

impl Secrets {
    /// Returns all keys, beginning with the key that encrypts new secrets.
    #[must_use]
    pub fn keyring(&self) -> Keyring {
        Keyring::new(self.key.iter().chain(&self.old_keys))
    }
}

impl Files {
    /// Returns where file contents are stored.
    #[must_use]
    pub fn location(&self) -> BlobLocation {
        let s3 = &self.s3;
        match &s3.bucket {
            None => BlobLocation::Disk(self.dir.clone()),
            Some(name) => BlobLocation::S3(Bucket {
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
