//! Converts the configuration of the database to the options of the store and to the id generator.

use std::time::Duration;

use crate::{
    config::{self, Config},
    platform::{clock::Clock, ids::IdGen},
    store::{self, DbOptions, NodeNumber, PostgresUrl},
};

/// Converts a configured database URL to a [`store::DatabaseUrl`].
///
/// # Errors
/// If the PostgreSQL client cannot parse the URL.
pub fn database_url(url: &config::DatabaseUrlSetting) -> Result<store::DatabaseUrl, store::BadDatabaseUrl> {
    match url {
        config::DatabaseUrlSetting::Sqlite(path) => Ok(store::DatabaseUrl::Sqlite(path.clone())),
        config::DatabaseUrlSetting::Postgres(secret) => secret.expose().parse(),
    }
}

/// Parses each configured database URL. Returns each result with the configuration key of its URL.
pub fn addresses(
    database: &config::DatabaseSettings,
) -> Vec<(&'static str, Result<store::DatabaseUrl, store::BadDatabaseUrl>)> {
    let direct = database.direct_url.as_ref().map(|url| ("database.direct_url", database_url(url)));
    let replica = replica_url(database)
        .transpose()
        .map(|url| ("database.replica_url", url.map(|url| store::DatabaseUrl::Postgres(Box::new(url)))));
    [("database.url", database_url(&database.url))].into_iter().chain(direct).chain(replica).collect()
}

/// Returns the database URL for sessions that must bypass a pooler in transaction mode. Migrations, backups and the
/// node number need such sessions.
///
/// # Errors
/// If the PostgreSQL client cannot parse the URL.
pub fn session_url(database: &config::DatabaseSettings) -> Result<store::DatabaseUrl, store::BadDatabaseUrl> {
    database_url(database.direct_url.as_ref().unwrap_or(&database.url))
}

/// Returns the options for opening the database.
///
/// # Errors
/// If the PostgreSQL client cannot parse the direct URL.
pub fn database_options(database: &config::DatabaseSettings) -> Result<DbOptions, store::BadDatabaseUrl> {
    let seconds = |seconds: u32| Duration::from_secs(seconds.into());
    Ok(DbOptions {
        connections: database.max_connections,
        direct: database.direct_url.as_ref().map(database_url).transpose()?,
        pooler_prepares: database.pooler_prepared_statements,
        lock_timeout: seconds(database.lock_timeout_seconds),
        statement_timeout: seconds(database.statement_timeout_seconds),
        scan_timeout: seconds(database.scan_timeout_seconds),
        ..DbOptions::default()
    })
}

/// Returns the options for a server: those of [`database_options`], and those of the read replicas.
///
/// # Errors
/// - If the PostgreSQL client cannot parse the replica URL.
/// - If `target_session_attrs` of the replica URL is neither `any` nor `standby`.
/// - If the PostgreSQL client cannot parse the direct URL.
pub(super) fn server_options(
    database: &config::DatabaseSettings,
) -> Result<DbOptions, store::BadDatabaseUrl> {
    Ok(DbOptions {
        replica: replica_url(database)?,
        replica_connections: database.replica_max_connections,
        ..database_options(database)?
    })
}

/// Returns the URL of the configured read replicas; `None` without replicas.
///
/// # Errors
/// If the PostgreSQL client cannot parse the URL, or if its `target_session_attrs` is neither `any` nor `standby`.
pub fn replica_url(
    database: &config::DatabaseSettings,
) -> Result<Option<PostgresUrl>, store::BadDatabaseUrl> {
    database.replica_url.as_ref().map(|url| database_url(url)?.of_standbys()).transpose()
}

/// Returns the id generator. `number` is the node number that this process holds on a PostgreSQL database. On SQLite,
/// `number` is `None`, and the node number is the setting `node`, or by default the first number of `nodes`.
pub(super) fn id_gen(config: &Config, clock: &Clock, number: Option<&NodeNumber>) -> IdGen {
    let Some(number) = number else {
        let number = config.node.unwrap_or(*config.nodes.0.start());
        // One process generates all ids of a SQLite database. With the default node number, 0, the bits of the node
        // number are used for the counter.
        if number == 0 {
            return IdGen::new(clock.clone());
        }
        let ids = IdGen::among_nodes(clock.clone());
        ids.hold(number, clock.instant() + FOR_EVER);
        return ids;
    };
    let (number, confirmed) = number.held();
    tracing::info!(number, "took a node number");
    let mut ids = IdGen::among_nodes(clock.clone());
    // with `measured`, no ids are generated while the node's clock differs too much from the database's clock; a test
    // clock differs on purpose
    if !config.test_clock {
        ids = ids.measured(Duration::from_secs(config.database.max_clock_skew_seconds.into()));
    }
    ids.compare(confirmed.database_micros, confirmed.begun);
    ids.hold(number, confirmed.until());
    ids
}

/// A duration that is longer than any process runs.
const FOR_EVER: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);
