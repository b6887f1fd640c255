//! PostgreSQL URLs with one or several hosts, in the format of libpq:
//! `postgres://user:password@a:5432,b:5433/name?target_session_attrs=read-write`.
//!
//! sqlx supports only one host in a URL. So this module splits the list of hosts, and passes a separate URL for each
//! host to sqlx. As in libpq, the list of hosts can also be in the query (`?host=a,b&port=5432,5433`).

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use url::form_urlencoded;

/// Default timeout for opening a session on one host.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// The minimum of `connect_timeout` in seconds, as in libpq. The exception is 0, which selects [`CONNECT_TIMEOUT`].
const SHORTEST_CONNECT_TIMEOUT: u64 = 2;

/// Which sessions are accepted (the parameter `target_session_attrs` of libpq).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SessionAttributes {
    /// Any session.
    #[default]
    Any,
    /// Sessions whose transactions can write by default.
    ReadWrite,
    /// Sessions whose transactions are read-only by default.
    ReadOnly,
    /// Sessions on servers that are not in recovery.
    Primary,
    /// Sessions on servers that are in recovery.
    Standby,
    /// A session on a standby. If no host provides such a session, any session.
    PreferStandby,
}

impl SessionAttributes {
    fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "any" => Self::Any,
            "read-write" => Self::ReadWrite,
            "read-only" => Self::ReadOnly,
            "primary" => Self::Primary,
            "standby" => Self::Standby,
            "prefer-standby" => Self::PreferStandby,
            _ => return None,
        })
    }

    /// Returns the value of the parameter `target_session_attrs`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::ReadWrite => "read-write",
            Self::ReadOnly => "read-only",
            Self::Primary => "primary",
            Self::Standby => "standby",
            Self::PreferStandby => "prefer-standby",
        }
    }
}

/// A parsed PostgreSQL URL. The displayed URL has only the hosts, the database and `target_session_attrs`, so it has no
/// secrets.
#[derive(Clone)]
pub struct PostgresUrl {
    hosts: Vec<PgConnectOptions>,
    attributes: SessionAttributes,
    connect_timeout: Duration,
}

/// Why a text is not a [`PostgresUrl`]. Does not quote the text, because the text can contain a password.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadPostgresUrl {
    #[error("not a PostgreSQL URL; percent-encode special characters in user name and password")]
    Url,
    #[error("give one port, or one port per host")]
    Ports,
    #[error("name the hosts either before the path or in the parameter `host`, not in both")]
    HostTwice,
    #[error("hostaddr cannot be used with several hosts")]
    HostAddress,
    #[error(
        "target_session_attrs must be one of any, read-write, read-only, primary, standby, prefer-standby"
    )]
    SessionAttributes,
    #[error("connect_timeout must be a whole number of seconds")]
    ConnectTimeout,
    #[error("the URL has an unknown parameter; docs/postgresql.md lists the supported parameters")]
    Parameter,
}

impl PostgresUrl {
    /// Returns the connect options of each host, in the order of the URL. There is at least one host.
    #[must_use]
    pub fn hosts(&self) -> &[PgConnectOptions] {
        &self.hosts
    }

    /// Returns the connect options of the first host.
    #[must_use]
    pub fn first(&self) -> &PgConnectOptions {
        // the only constructor creates at least one host
        &self.hosts[0]
    }

    /// Returns which sessions are accepted.
    #[must_use]
    pub const fn attributes(&self) -> SessionAttributes {
        self.attributes
    }

    /// Returns the same URL with `attributes` in place of its own session attributes.
    #[must_use]
    pub fn with_attributes(&self, attributes: SessionAttributes) -> Self {
        Self { attributes, ..self.clone() }
    }

    /// Returns the timeout for opening a session on one host.
    #[must_use]
    pub const fn connect_timeout(&self) -> Duration {
        self.connect_timeout
    }
}

/// The parts of a URL: its list of hosts, and the parts before and after the list.
struct UrlParts<'a> {
    /// For example `postgres://user:password@`.
    before: &'a str,
    hosts: &'a str,
    /// For example `/name`.
    path: &'a str,
    query: &'a str,
}

impl<'a> UrlParts<'a> {
    fn of(url: &'a str) -> Option<Self> {
        let authority = url.find("://")? + 3;
        let (url, fragment) = url.split_once('#').unwrap_or((url, ""));
        let end = url[authority..].find(['/', '?']).map_or(url.len(), |at| authority + at);
        let hosts = url[authority..end].rfind('@').map_or(authority, |at| authority + at + 1);
        let (path, query) = url[end..].split_once('?').unwrap_or((&url[end..], ""));
        // An unencoded `/`, `?` or `#` in the password ends the authority. The rest of the password and the `@` are
        // then in the path, the query or the fragment. Such a URL is rejected. Otherwise the rest of the password
        // could be taken for the name of the database, which is displayed.
        if path.contains('@') || query.contains('@') || fragment.contains('@') {
            return None;
        }
        Some(Self { before: &url[..hosts], hosts: &url[hosts..end], path, query })
    }
}

/// The names of the parameters that are passed to sqlx.
const PASSED_ON: [&str; 10] = [
    "application_name",
    "dbname",
    "hostaddr",
    "options",
    "password",
    "sslcert",
    "sslkey",
    "sslmode",
    "sslrootcert",
    "user",
];

/// The parameters of a URL: those that this module handles, and in `others` those that are passed to sqlx.
#[derive(Default)]
struct UrlParameters {
    attributes: SessionAttributes,
    connect_timeout: Option<Duration>,
    hosts: Option<String>,
    ports: Option<String>,
    /// Whether `others` includes `hostaddr`.
    has_hostaddr: bool,
    others: Vec<(String, String)>,
}

impl UrlParameters {
    fn read(query: &str) -> Result<Self, BadPostgresUrl> {
        let mut read = Self::default();
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            match &*key {
                "target_session_attrs" => {
                    let known = SessionAttributes::parse(&value);
                    read.attributes = known.ok_or(BadPostgresUrl::SessionAttributes)?;
                }
                "connect_timeout" => {
                    let seconds = value.parse::<u64>().map_err(|_| BadPostgresUrl::ConnectTimeout)?;
                    // In libpq, 0 means that there is no timeout. Switchboard always has a timeout, so 0 selects the
                    // default.
                    let wait = Duration::from_secs(seconds.max(SHORTEST_CONNECT_TIMEOUT));
                    read.connect_timeout = (seconds > 0).then_some(wait);
                }
                "host" => read.hosts = Some(value.into_owned()),
                "port" => read.ports = Some(value.into_owned()),
                known if PASSED_ON.contains(&known) => {
                    read.has_hostaddr |= key == "hostaddr";
                    read.others.push((key.into_owned(), value.into_owned()));
                }
                // sqlx would log an unknown parameter with its value, which can be a secret
                _ => return Err(BadPostgresUrl::Parameter),
            }
        }
        Ok(read)
    }

    /// Returns the query of the URL for one host.
    fn query(&self, host: Option<&str>, port: Option<&str>) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (key, value) in &self.others {
            query.append_pair(key, value);
        }
        for (key, value) in [("host", host), ("port", port)] {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                query.append_pair(key, value);
            }
        }
        query.finish()
    }
}

impl FromStr for PostgresUrl {
    type Err = BadPostgresUrl;

    fn from_str(url: &str) -> Result<Self, Self::Err> {
        let parts = UrlParts::of(url).ok_or(BadPostgresUrl::Url)?;
        let parameters = UrlParameters::read(parts.query)?;
        let authority_hosts: Vec<&str> = parts.hosts.split(',').collect();
        let query_hosts: Option<Vec<&str>> =
            parameters.hosts.as_deref().map(|hosts| hosts.split(',').collect());
        let has_list = authority_hosts.len() > 1;
        if has_list && query_hosts.is_some() {
            return Err(BadPostgresUrl::HostTwice);
        }
        let count = query_hosts.as_ref().map_or(authority_hosts.len(), Vec::len);
        if count > 1 && parameters.has_hostaddr {
            return Err(BadPostgresUrl::HostAddress);
        }
        let ports: Vec<&str> =
            parameters.ports.as_deref().map_or(Vec::new(), |ports| ports.split(',').collect());
        if ports.len() > 1 && ports.len() != count {
            return Err(BadPostgresUrl::Ports);
        }
        let port = |index: usize| ports.get(index).or(ports.first()).copied();
        let hosts = (0..count).map(|index| {
            let (host, query) = match &query_hosts {
                Some(query_hosts) => (parts.hosts, parameters.query(Some(query_hosts[index]), port(index))),
                None => (authority_hosts[index], parameters.query(None, port(index))),
            };
            let host_url = format!("{}{host}{}?{query}", parts.before, parts.path);
            host_url.parse::<PgConnectOptions>().map(without_brackets).map_err(|_| BadPostgresUrl::Url)
        });
        Ok(Self {
            hosts: hosts.collect::<Result<_, _>>()?,
            attributes: parameters.attributes,
            connect_timeout: parameters.connect_timeout.unwrap_or(CONNECT_TIMEOUT),
        })
    }
}

/// Removes the brackets around an IPv6 address. The resolver does not accept brackets.
fn without_brackets(host: PgConnectOptions) -> PgConnectOptions {
    let address =
        host.get_host().strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).map(str::to_owned);
    match address {
        Some(address) => host.host(&address),
        None => host,
    }
}

/// Returns `host:port` of a host. For a Unix-domain socket, returns the directory of the socket.
pub(in crate::store) fn address(host: &PgConnectOptions) -> String {
    let port = host.get_port();
    match (host.get_socket(), host.get_host()) {
        (Some(socket), _) => socket.display().to_string(),
        (None, ipv6) if ipv6.contains(':') => format!("[{ipv6}]:{port}"),
        (None, name) => format!("{name}:{port}"),
    }
}

impl fmt::Display for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = self.first();
        let database = first.get_database().unwrap_or(first.get_username());
        let addresses: Vec<String> = self.hosts.iter().map(address).collect();
        let by_socket = self.hosts.iter().any(|host| host.get_socket().is_some());
        let mut separator = '?';
        if by_socket {
            write!(f, "postgres:///{database}?host={}", addresses.join(","))?;
            separator = '&';
        } else {
            write!(f, "postgres://{}/{database}", addresses.join(","))?;
        }
        match self.attributes {
            SessionAttributes::Any => Ok(()),
            wanted => write!(f, "{separator}target_session_attrs={}", wanted.name()),
        }
    }
}

impl fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(url: &str) -> Vec<String> {
        url.parse::<PostgresUrl>().unwrap().hosts().iter().map(address).collect()
    }

    #[test]
    fn hosts_are_parsed_in_order() {
        for (url, wanted) in [
            ("postgres://a/chat", vec!["a:5432"]),
            ("postgres://u:p%40ss@a:5433,b,[::1]:6000/chat", vec!["a:5433", "b:5432", "[::1]:6000"]),
            ("postgres://a,b/chat?port=6000", vec!["a:6000", "b:6000"]),
            ("postgres:///chat?host=a,b&port=1,2", vec!["a:1", "b:2"]),
            ("postgres://u@localhost/chat?host=/run/one,/run/two", vec!["/run/one", "/run/two"]),
            ("postgres://u:a@b@a,b", vec!["a:5432", "b:5432"]),
        ] {
            assert_eq!(addresses(url), wanted, "{url}");
        }
    }

    #[test]
    fn each_host_gets_the_user_the_database_and_the_parameters() {
        let url = "postgres://bo:p%2Cw@a,b/chat?sslmode=require&application_name=x";
        for host in url.parse::<PostgresUrl>().unwrap().hosts() {
            assert_eq!((host.get_username(), host.get_database()), ("bo", Some("chat")));
            assert!(matches!(host.get_ssl_mode(), sqlx::postgres::PgSslMode::Require));
            assert_eq!(host.get_application_name(), Some("x"));
        }
    }

    #[test]
    fn session_attributes_are_parsed() {
        use SessionAttributes::{Any, PreferStandby, Primary, ReadOnly, ReadWrite, Standby};
        for wanted in [Any, ReadWrite, ReadOnly, Primary, Standby, PreferStandby] {
            let url = format!("postgres://a,b/chat?target_session_attrs={}", wanted.name());
            assert_eq!(url.parse::<PostgresUrl>().unwrap().attributes(), wanted);
        }
        assert_eq!("postgres://a/chat".parse::<PostgresUrl>().unwrap().attributes(), Any);
    }

    #[test]
    fn connect_timeouts_have_a_minimum() {
        for (query, seconds) in
            [("", 3), ("?connect_timeout=0", 3), ("?connect_timeout=1", 2), ("?connect_timeout=9", 9)]
        {
            let url: PostgresUrl = format!("postgres://a/chat{query}").parse().unwrap();
            assert_eq!(url.connect_timeout(), Duration::from_secs(seconds), "{query}");
        }
    }

    #[test]
    fn invalid_urls_are_rejected_with_a_reason() {
        for (url, why) in [
            ("postgres://a:x,b/chat", BadPostgresUrl::Url),
            ("postgres://a,b/chat?host=c", BadPostgresUrl::HostTwice),
            ("postgres:///chat?host=a,b,c&port=1,2", BadPostgresUrl::Ports),
            ("postgres://a,b/chat?hostaddr=127.0.0.1", BadPostgresUrl::HostAddress),
            ("postgres://a/chat?target_session_attrs=writer", BadPostgresUrl::SessionAttributes),
            ("postgres://a/chat?connect_timeout=soon", BadPostgresUrl::ConnectTimeout),
            ("postgres://a,b/chat?sslpassword=hunter2", BadPostgresUrl::Parameter),
            ("postgres://a/chat?pasword=hunter2", BadPostgresUrl::Parameter),
            ("postgres://bo:12/s3cret@db/chat", BadPostgresUrl::Url),
            ("postgres://bo:12?s3cret@db/chat", BadPostgresUrl::Url),
            ("postgres://bo:12#s3cret@db/chat", BadPostgresUrl::Url),
        ] {
            assert_eq!(url.parse::<PostgresUrl>().unwrap_err(), why, "{url}");
        }
    }

    #[test]
    fn a_displayed_url_shows_no_password() {
        let url: PostgresUrl =
            "postgres://bo:secret@a,b:5433/chat?target_session_attrs=primary&password=secret"
                .parse()
                .unwrap();
        assert_eq!(url.to_string(), "postgres://a:5432,b:5433/chat?target_session_attrs=primary");
        assert!(!format!("{url:?}").contains("secret"));
    }
}
