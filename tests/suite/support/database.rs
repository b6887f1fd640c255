//! A database for a test, on either engine.

use sqlx::{Connection, PgConnection};
use switchboard::{
    config,
    platform::secrets::Secret,
    store::{DatabaseUrl, Db, DbOptions, Engine, migrate},
};
use tempfile::TempDir;

use super::{postgres, tcp_proxy::TcpProxy};

/// A database for one test. Dropping this value removes the database, unless the value is from [`TestDatabase::at`].
pub struct TestDatabase {
    pub url: DatabaseUrl,
    text: String,
    cleanup: Cleanup,
}

/// The resource that is removed when a [`TestDatabase`] is dropped.
enum Cleanup {
    Nothing,
    Folder(#[expect(dead_code, reason = "removed on drop")] TempDir),
    Database(postgres::Database),
}

impl TestDatabase {
    /// Creates a database with all migrations. Returns `None` if the engine is not installed on this machine.
    pub async fn new(engine: Engine) -> Option<Self> {
        let (url, cleanup) = match engine {
            Engine::Sqlite => {
                let folder = tempfile::tempdir().unwrap();
                let url = format!("sqlite://{}", folder.path().join("data.db").display());
                (url, Cleanup::Folder(folder))
            }
            Engine::Postgres => {
                let database = postgres::database().await?;
                (database.url.clone(), Cleanup::Database(database))
            }
        };
        let text = url;
        let url = text.parse().unwrap();
        migrate(&url).await.unwrap();
        Some(Self { url, text, cleanup })
    }

    /// Returns an existing database, which is not removed when the value is dropped.
    pub fn at(url: String) -> Self {
        Self { url: url.parse().unwrap(), text: url, cleanup: Cleanup::Nothing }
    }

    /// Returns the database's URL as a value of the configuration.
    pub fn config_url(&self) -> config::DatabaseUrlSetting {
        match &self.url {
            DatabaseUrl::Sqlite(path) => config::DatabaseUrlSetting::Sqlite(path.clone()),
            DatabaseUrl::Postgres(_) => config::DatabaseUrlSetting::Postgres(Secret::new(self.text.clone())),
        }
    }

    /// Opens a connection of the test itself, which no Switchboard server uses. The database must be on PostgreSQL.
    pub async fn outside(&self) -> PgConnection {
        PgConnection::connect(&self.text).await.unwrap()
    }

    /// Returns a proxy in front of the database, and the URL through the proxy. Returns `None` on SQLite, for a
    /// database of [`TestDatabase::at`], and if the tests did not start the PostgreSQL server themselves.
    pub async fn proxied(&self) -> Option<(TcpProxy, config::DatabaseUrlSetting)> {
        let Cleanup::Database(database) = &self.cleanup else { return None };
        if !postgres::is_private() {
            return None;
        }
        let proxy = TcpProxy::of_socket(database.server.folder()).await;
        let url = format!("postgres://postgres@{}/{}", proxy.address, database.name());
        Some((proxy, config::DatabaseUrlSetting::Postgres(Secret::new(url))))
    }

    /// Returns the database's URL as text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Runs SQL on a connection of the test itself. The SQL is in the dialect of the database's engine.
    pub async fn execute(&self, sql: &str) {
        match &self.url {
            DatabaseUrl::Sqlite(path) => {
                let connection = rusqlite::Connection::open(path).unwrap();
                connection.busy_timeout(std::time::Duration::from_secs(30)).unwrap();
                connection.execute_batch(sql).unwrap();
            }
            DatabaseUrl::Postgres(_) => {
                let sql = sqlx::AssertSqlSafe(sql.to_owned());
                sqlx::raw_sql(sql).execute(&mut self.outside().await).await.unwrap();
            }
        }
    }

    /// Opens the database with the default options.
    pub async fn open(&self) -> Db {
        Db::open(&self.url, DbOptions::default()).await.unwrap()
    }
}
