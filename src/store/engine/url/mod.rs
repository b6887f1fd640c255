//! Database URLs: `sqlite:///absolute/path.db`, or `postgres://…` (also `postgresql://…`).

mod postgres;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

pub(in crate::store) use self::postgres::address;
pub use self::postgres::{BadPostgresUrl, PostgresUrl, SessionAttributes};

/// The address of a database. Displayed without secrets.
#[derive(Clone)]
pub enum DatabaseUrl {
    /// The path of the database file. A server or a migration creates a missing file and its folder.
    Sqlite(PathBuf),
    /// The servers, the name of the database, and the credentials.
    Postgres(Box<PostgresUrl>),
}

/// Why a text is not a [`DatabaseUrl`]. Does not quote the text, which may contain a password.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadDatabaseUrl {
    #[error("a database URL begins with sqlite:///, postgres:// or postgresql://")]
    Scheme,
    #[error(
        "a SQLite URL is sqlite:// followed by the absolute path of a file: the path is not percent-decoded, \
         has no ?, # or U+0000, and does not end with /"
    )]
    Path,
    #[error(transparent)]
    Postgres(#[from] BadPostgresUrl),
    #[error(
        "a replica needs PostgreSQL: the URLs of the database and the replica must begin with postgres:// or \
         postgresql://"
    )]
    Replica,
    #[error(
        "a replica URL connects to standbys only, so it cannot have this target_session_attrs: remove the \
         parameter, or set it to standby"
    )]
    ReplicaAttributes,
}

impl DatabaseUrl {
    /// Returns this URL of a replica with `target_session_attrs=standby`, so that it accepts only sessions on standbys.
    ///
    /// # Errors
    /// - [`BadDatabaseUrl::Replica`] if the URL is not a PostgreSQL URL.
    /// - [`BadDatabaseUrl::ReplicaAttributes`] if its `target_session_attrs` is neither `any` (the default) nor
    ///   `standby`.
    pub fn of_standbys(&self) -> Result<PostgresUrl, BadDatabaseUrl> {
        let Self::Postgres(url) = self else { return Err(BadDatabaseUrl::Replica) };
        match url.attributes() {
            SessionAttributes::Any | SessionAttributes::Standby => {
                Ok(url.with_attributes(SessionAttributes::Standby))
            }
            _ => Err(BadDatabaseUrl::ReplicaAttributes),
        }
    }
}

impl FromStr for DatabaseUrl {
    type Err = BadDatabaseUrl;

    fn from_str(url: &str) -> Result<Self, Self::Err> {
        if let Some(path) = url.strip_prefix("sqlite://") {
            let names_a_file =
                path.starts_with('/') && !path.ends_with('/') && !path.contains(['?', '#', '\0']);
            return if names_a_file { Ok(Self::Sqlite(path.into())) } else { Err(BadDatabaseUrl::Path) };
        }
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            return Ok(Self::Postgres(Box::new(url.parse()?)));
        }
        Err(BadDatabaseUrl::Scheme)
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite://{}", path.display()),
            Self::Postgres(url) => fmt::Display::fmt(url, f),
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sqlite_and_postgres_urls_parse() {
        for (url, shown) in [
            ("sqlite:///var/lib/switchboard/data.db", "sqlite:///var/lib/switchboard/data.db"),
            ("postgres://bo:secret@db.example:5433/chat", "postgres://db.example:5433/chat"),
            ("postgresql://bo:secret@db.example/chat", "postgres://db.example:5432/chat"),
        ] {
            assert_eq!(url.parse::<DatabaseUrl>().unwrap().to_string(), shown);
        }
        for (url, why) in [
            ("sqlite://data.db", BadDatabaseUrl::Path),
            ("sqlite:///data/", BadDatabaseUrl::Path),
            ("sqlite:///data.db?mode=ro", BadDatabaseUrl::Path),
            ("mysql://localhost/chat", BadDatabaseUrl::Scheme),
            ("postgres://localhost:port/chat", BadDatabaseUrl::Postgres(BadPostgresUrl::Url)),
            ("", BadDatabaseUrl::Scheme),
        ] {
            assert_eq!(url.parse::<DatabaseUrl>().unwrap_err(), why, "{url}");
        }
    }

    #[test]
    fn passwords_are_not_shown() {
        let url: DatabaseUrl = "postgres://bo:secret@db.example/chat".parse().unwrap();
        assert!(!format!("{url} {url:?}").contains("secret"));
    }

    #[test]
    fn a_replica_url_requires_standbys() {
        for (url, wanted) in [
            ("postgres://a,b/chat", Ok(SessionAttributes::Standby)),
            ("postgres://a/chat?target_session_attrs=standby", Ok(SessionAttributes::Standby)),
            ("postgres://a/chat?target_session_attrs=read-write", Err(BadDatabaseUrl::ReplicaAttributes)),
            ("postgres://a/chat?target_session_attrs=prefer-standby", Err(BadDatabaseUrl::ReplicaAttributes)),
            ("sqlite:///data.db", Err(BadDatabaseUrl::Replica)),
        ] {
            let url: DatabaseUrl = url.parse().unwrap();
            assert_eq!(url.of_standbys().map(|standbys| standbys.attributes()), wanted, "{url}");
        }
    }
}
