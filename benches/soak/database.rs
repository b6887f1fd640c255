//! Measures the rows and bytes of every table, and other sizes of a database.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use rusqlite::OpenFlags;
use sqlx::{AssertSqlSafe, Connection, PgConnection, Row};

use super::tables::UNUSED_CLIENTS;

/// The database of a running server.
#[derive(Clone, Debug)]
pub enum Database {
    Sqlite(PathBuf),
    /// PostgreSQL, with its URL.
    Postgres(String),
}

/// The numbers of rows and the sizes of a database at one moment.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// Number of rows by table. The additional entry [`UNUSED_CLIENTS`] has the number that [`UNUSED`] returns.
    pub rows: BTreeMap<String, f64>,
    /// Bytes by table. The indexes of a table count as part of the table.
    pub bytes: BTreeMap<String, f64>,
    /// Other sizes and counts by name. SQLite and PostgreSQL have different entries.
    pub others: BTreeMap<&'static str, f64>,
}

/// Counts the OAuth clients in `assistant_clients` that have never had a connection. The server deletes such a client
/// after the client has expired.
const UNUSED: &str = "SELECT count(*) FROM assistant_clients WHERE connected_at IS NULL";

impl Database {
    /// Returns the URL of the database, for the server's configuration.
    pub fn url(&self) -> String {
        match self {
            Self::Sqlite(path) => format!("sqlite://{}", path.display()),
            Self::Postgres(url) => url.clone(),
        }
    }

    pub async fn contents(&self) -> Contents {
        match self.clone() {
            Self::Sqlite(path) => tokio::task::spawn_blocking(move || of_sqlite(&path)).await.unwrap(),
            Self::Postgres(url) => of_postgres(&url).await,
        }
    }
}

fn of_sqlite(path: &std::path::Path) -> Contents {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = rusqlite::Connection::open_with_flags(path, flags).unwrap();
    connection.busy_timeout(Duration::from_secs(10)).unwrap();
    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap() as f64;
    let mut contents = Contents::default();
    // `dbstat` has the bytes of each b-tree; the statement adds up the b-trees of a table and of its indexes
    let mut statement = connection
        .prepare(
            "SELECT coalesce(s.tbl_name, d.name), sum(d.pgsize) FROM dbstat('main', 1) d
             LEFT JOIN sqlite_schema s ON s.name = d.name WHERE d.name <> 'sqlite_schema' GROUP BY 1",
        )
        .unwrap();
    let sizes = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?))).unwrap();
    for size in sizes {
        let (table, bytes) = size.unwrap();
        contents.rows.insert(table.clone(), number(&format!("SELECT count(*) FROM \"{table}\"")));
        contents.bytes.insert(table, bytes as f64);
    }
    contents.rows.insert(UNUSED_CLIENTS.to_owned(), number(UNUSED));
    contents.others.insert("free pages", number("PRAGMA freelist_count"));
    let page = number("PRAGMA page_size");
    contents.others.insert("database bytes", number("PRAGMA page_count") * page);
    let log = path.with_extension("db-wal");
    contents
        .others
        .insert("write-ahead log bytes", std::fs::metadata(log).map_or(0.0, |log| log.len() as f64));
    contents
}

async fn of_postgres(url: &str) -> Contents {
    let mut connection = PgConnection::connect(url).await.unwrap();
    let mut contents = Contents::default();
    let tables = sqlx::query(
        "SELECT relname::text, pg_total_relation_size(oid) FROM pg_class
         WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
    );
    for table in tables.fetch_all(&mut connection).await.unwrap() {
        let (name, bytes): (String, i64) = (table.get(0), table.get(1));
        let rows = number(&mut connection, &format!("SELECT count(*) FROM \"{name}\"")).await;
        contents.rows.insert(name.clone(), rows);
        contents.bytes.insert(name, bytes as f64);
    }
    contents.rows.insert(UNUSED_CLIENTS.to_owned(), number(&mut connection, UNUSED).await);
    let others = [
        ("database bytes", "SELECT pg_database_size(current_database())"),
        (
            "PostgreSQL connections",
            "SELECT count(*) FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'",
        ),
    ];
    for (name, sql) in others {
        contents.others.insert(name, number(&mut connection, sql).await);
    }
    connection.close().await.unwrap();
    contents
}

async fn number(connection: &mut PgConnection, sql: &str) -> f64 {
    let row = sqlx::query(AssertSqlSafe(sql.to_owned())).fetch_one(connection).await.unwrap();
    row.get::<i64, _>(0) as f64
}
