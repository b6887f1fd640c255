//! How the configuration of the database reaches the store and the source of ids.

use std::time::Duration;

use crate::{
    config::{self, Config},
    platform::{clock::Clock, ids::IdGen},
    store::{self, DbOptions, NodeNumber, PostgresUrl},
};

/// The configured database as the store takes it.
///
/// # Errors
/// When PostgreSQL's client cannot read the address.
pub fn database_url(url: &config::DatabaseUrl) -> Result<store::DatabaseUrl, store::BadDatabaseUrl> {
    match url {
        config::DatabaseUrl::Sqlite(path) => Ok(store::DatabaseUrl::Sqlite(path.clone())),
        config::DatabaseUrl::Postgres(secret) => secret.expose().parse(),
    }
}

/// The configured addresses of databases as the store reads them, by key.
pub fn addresses(
    database: &config::Database,
) -> Vec<(&'static str, Result<store::DatabaseUrl, store::BadDatabaseUrl>)> {
    let direct = database.direct_url.as_ref().map(|url| ("database.direct_url", database_url(url)));
    [("database.url", database_url(&database.url))].into_iter().chain(direct).collect()
}

/// The database as sessions reach it that a pooler in transaction mode breaks: migrations and the node's number.
///
/// # Errors
/// When PostgreSQL's client cannot read the address.
pub fn session_url(database: &config::Database) -> Result<store::DatabaseUrl, store::BadDatabaseUrl> {
    database_url(database.direct_url.as_ref().unwrap_or(&database.url))
}

/// How the configured database is opened.
///
/// # Errors
/// When PostgreSQL's client cannot read the direct address.
pub fn database_options(database: &config::Database) -> Result<DbOptions, store::BadDatabaseUrl> {
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

/// The same for a server, whose reads may go to replicas.
///
/// # Errors
/// When PostgreSQL's client cannot read the direct address, or that of the replicas.
pub(super) fn server_options(database: &config::Database) -> Result<DbOptions, store::BadDatabaseUrl> {
    Ok(DbOptions {
        replica: replica_url(database)?,
        replica_connections: database.replica_max_connections,
        ..database_options(database)?
    })
}

/// The configured standbys.
///
/// # Errors
/// When PostgreSQL's client cannot read the address, or it asks for servers that are no standbys.
pub fn replica_url(database: &config::Database) -> Result<Option<PostgresUrl>, store::BadDatabaseUrl> {
    database.replica_url.as_ref().map(|url| database_url(url)?.of_standbys()).transpose()
}

/// The source of ids, with the number of this node if there are several.
pub(super) fn id_gen(config: &Config, clock: &Clock, number: Option<&NodeNumber>) -> IdGen {
    let Some(number) = number else {
        let number = config.node.unwrap_or(*config.nodes.0.start());
        // 0 is in the ids of a process that is alone anyway
        if number == 0 {
            return IdGen::new(clock.clone());
        }
        let ids = IdGen::among_nodes(clock.clone());
        ids.hold(number, clock.instant() + FOR_EVER);
        return ids;
    };
    let (number, confirmed) = number.held();
    tracing::info!(number, "the node's number");
    let mut ids = IdGen::among_nodes(clock.clone());
    // a test clock is moved on purpose
    if !config.test_clock {
        ids = ids.measured(Duration::from_secs(config.database.max_clock_skew_seconds.into()));
    }
    ids.compare(confirmed.database_micros, confirmed.begun);
    ids.hold(number, confirmed.until());
    ids
}

/// Longer than any process lives.
const FOR_EVER: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);
