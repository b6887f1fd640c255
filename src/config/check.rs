//! Checks the rules about settings that the types of the settings do not ensure: ranges of numbers, and rules that
//! involve several settings, such as `environment` and `base_url`.

use super::{BaseUrl, Config, DatabaseUrlSetting, Environment};

/// Maximum of `assistant.refresh_overlap_seconds`. Concurrent refreshes by the processes of one client take less time.
/// A longer overlap would give an attacker more time to use a stolen refresh token that is already spent.
const MAX_REFRESH_OVERLAP: u32 = 60;
/// Maximum of `limits.shared_wait_ms`: milliseconds that a request waits for the counts that nodes share in PostgreSQL.
const MAX_SHARED_WAIT: u32 = 30_000;
/// Maximum in seconds of the timeouts of statements and locks. PostgreSQL stores these timeouts in milliseconds as a
/// signed 32-bit integer.
const MAX_STATEMENT_TIMEOUT: u32 = 2_147_483;
/// Maximum of `audit_days`: ten years.
const MAX_AUDIT_DAYS: u32 = 3650;

/// Returns the violations of the rules of this module, each as the name of a setting and an error text. The caller must
/// have parsed all values of `config` successfully.
pub(super) fn check(config: &Config) -> Vec<(&'static str, String)> {
    let mut checks = Checks { config, violations: Vec::new() };
    checks.by_environment();
    checks.bucket();
    checks.database();
    checks.secrets();
    checks.numbers();
    checks.violations
}

struct Checks<'a> {
    config: &'a Config,
    violations: Vec<(&'static str, String)>,
}

impl Checks<'_> {
    fn reject_if(&mut self, is_wrong: bool, key: &'static str, problem: &str) {
        if is_wrong {
            self.violations.push((key, problem.to_owned()));
        }
    }

    fn by_environment(&mut self) {
        let config = self.config;
        let production = config.environment == Environment::Production;
        let insecure = |url: &BaseUrl| production && !url.is_https();
        self.reject_if(
            insecure(&config.base_url),
            "base_url",
            "must be https:// in production: set it to the public address, or set environment to dev or sandbox",
        );
        self.reject_if(
            config.mcp_url.as_ref().is_some_and(insecure),
            "mcp_url",
            "must be https:// in production: set it to the public address, or leave it out to use base_url",
        );
        // If an issuer has a path, clients append the path to `/.well-known/oauth-authorization-server`, the address of
        // the metadata (RFC 8414 §3.1). This server serves only the address without a path.
        self.reject_if(
            config.mcp_url.as_ref().is_some_and(BaseUrl::has_path),
            "mcp_url",
            "must be scheme, host and port only: clients look for /.well-known at the root of the host",
        );
        self.reject_if(
            config.mcp_url.is_none() && config.base_url.has_path(),
            "base_url",
            "must be scheme, host and port only, because it is also the address of the assistant server: remove the \
             path, or set mcp_url to an address without a path",
        );
        self.reject_if(
            production && config.test_clock,
            "test_clock",
            "is not for production: remove it, or set environment to dev or sandbox",
        );
        self.reject_if(
            config.environment != Environment::Dev && !config.allow_private_hosts.is_empty(),
            "allow_private_hosts",
            "is for dev only: remove it, or set environment to dev",
        );
        self.reject_if(
            production && config.files.s3.allow_http,
            "files.s3.allow_http",
            "is not for production: remove it, or set environment to dev or sandbox",
        );
    }

    fn bucket(&mut self) {
        let s3 = &self.config.files.s3;
        let (bucket, id, key) = (s3.bucket.is_some(), &s3.access_key_id, &s3.secret_access_key);
        let needed = "is needed with files.s3.bucket: set it, or its _file variant";
        self.reject_if(bucket && id.is_none(), "files.s3.access_key_id", needed);
        self.reject_if(bucket && key.is_none(), "files.s3.secret_access_key", needed);
        let set = id.is_some() || key.is_some() || s3.endpoint.is_some();
        self.reject_if(
            !bucket && set,
            "files.s3.bucket",
            "is needed with files.s3.endpoint, files.s3.access_key_id or files.s3.secret_access_key: set it, or \
             remove these settings to store files in files.dir",
        );
        self.reject_if(
            !s3.allow_http && s3.endpoint.as_ref().is_some_and(|url| !url.is_https()),
            "files.s3.endpoint",
            "must be https://, unless files.s3.allow_http is set",
        );
    }

    fn database(&mut self) {
        let database = &self.config.database;
        let is_postgres = |url: &DatabaseUrlSetting| matches!(url, DatabaseUrlSetting::Postgres(_));
        let direct = database.direct_url.as_ref();
        self.reject_if(
            direct.is_some_and(|direct| !is_postgres(direct) || !is_postgres(&database.url)),
            "database.direct_url",
            "is for PostgreSQL only: database.url and database.direct_url must both be postgres:// URLs; with \
             SQLite, remove database.direct_url",
        );
        self.reject_if(
            database.pooler_prepared_statements && direct.is_none(),
            "database.pooler_prepared_statements",
            "needs database.direct_url, which must be set if database.url leads through a pooler",
        );
        let replica = database.replica_url.as_ref();
        self.reject_if(
            replica.is_some_and(|replica| !is_postgres(replica) || !is_postgres(&database.url)),
            "database.replica_url",
            "is for PostgreSQL standbys only: database.url and database.replica_url must both be postgres:// \
             URLs; with SQLite, remove database.replica_url",
        );
        let at_least_two = "must be at least 2";
        let connections = database.replica_max_connections;
        self.reject_if(connections < 2, "database.replica_max_connections", at_least_two);
        for (key, seconds) in [
            ("database.lock_timeout_seconds", database.lock_timeout_seconds),
            ("database.statement_timeout_seconds", database.statement_timeout_seconds),
            ("database.scan_timeout_seconds", database.scan_timeout_seconds),
        ] {
            let too_long = seconds > MAX_STATEMENT_TIMEOUT;
            self.reject_if(too_long, key, "must be at most 2147483");
        }
        let skew = database.max_clock_skew_seconds;
        self.reject_if(skew < 2, "database.max_clock_skew_seconds", at_least_two);
    }

    fn secrets(&mut self) {
        let secrets = &self.config.secrets;
        self.reject_if(
            secrets.key.is_none() && !secrets.old_keys.is_empty(),
            "secrets.old_keys",
            "needs secrets.key, the key that encrypts new secrets: set it, or its _file variant",
        );
    }

    fn numbers(&mut self) {
        let config = self.config;
        let at_least_one = "must be at least 1";
        self.reject_if(config.max_connections == 0, "max_connections", at_least_one);
        let by_address = config.max_connections_per_address;
        self.reject_if(by_address == 0, "max_connections_per_address", at_least_one);
        self.reject_if(config.keep_alive_seconds == 0, "keep_alive_seconds", at_least_one);
        self.reject_if(config.database.max_connections == 0, "database.max_connections", at_least_one);
        let idle = config.files.upload_idle_seconds == 0;
        self.reject_if(idle, "files.upload_idle_seconds", at_least_one);
        self.reject_if(config.limits.scale == 0, "limits.scale", at_least_one);
        let days = !(1..=MAX_AUDIT_DAYS).contains(&config.audit_days);
        self.reject_if(days, "audit_days", "must be 1 to 3650");
        let days = !(1..=30).contains(&config.events.pending_days);
        self.reject_if(days, "events.pending_days", "must be 1 to 30");
        let overlap = config.assistant.refresh_overlap_seconds > MAX_REFRESH_OVERLAP;
        self.reject_if(overlap, "assistant.refresh_overlap_seconds", "must be at most 60");
        let mcp = config.limits.mcp_requests_per_minute == 0;
        self.reject_if(mcp, "limits.mcp_requests_per_minute", at_least_one);
        let wait = !(1..=MAX_SHARED_WAIT).contains(&config.limits.shared_wait_ms);
        self.reject_if(wait, "limits.shared_wait_ms", "must be 1 to 30000");
        let node = config.node.is_some_and(|node| !config.nodes.0.contains(&node));
        self.reject_if(
            node,
            "node",
            &format!("must be one of the numbers in nodes ({}), different in each process", config.nodes),
        );
        let taken =
            config.metrics.listen.is_some_and(|address| address.port() != 0 && address == config.listen);
        self.reject_if(taken, "metrics.listen", "must differ from listen: choose another port");
    }
}
