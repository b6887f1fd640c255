//! Types that exist only for configuration values.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use url::Url;

use super::{Setting, show, text_setting};
use crate::domain::visible;
use crate::platform::ids::MAX_NODE;
use crate::platform::secrets::{self, Secret};

/// Declares a newtype over `String` with `as_str` and `Display`.
macro_rules! text_type {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name(String);

        impl $name {
            /// Returns the text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text_type! {
    /// An `http(s)://` address without query, fragment, credentials or trailing slash.
    BaseUrl
}

impl BaseUrl {
    /// Returns the URL of the address that the setting `listen` has by default.
    pub fn local() -> Self {
        Self("http://127.0.0.1:8080".to_owned())
    }

    /// Returns whether the scheme is `https`.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }

    /// Returns whether the address has a path after the host and the port.
    #[must_use]
    pub fn has_path(&self) -> bool {
        self.0.split_once("://").is_some_and(|(_, rest)| rest.contains('/'))
    }

    /// Parses an address. Accepts only an address in canonical form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let url = Url::parse(text).ok()?;
        let scheme = matches!(url.scheme(), "http" | "https") && url.has_host();
        let no_suffix = url.query().is_none() && url.fragment().is_none();
        let no_credentials = url.username().is_empty() && url.password().is_none();
        // the text itself is stored and compared, so it must be in canonical form
        let is_canonical = url.as_str().trim_end_matches('/') == text;
        (scheme && no_suffix && no_credentials && is_canonical).then(|| Self(text.to_owned()))
    }
}

text_setting!(
    BaseUrl,
    "an http:// or https:// address in its normal form (lower-case host, no default port, query, credentials or slash at the end)",
    BaseUrl::parse
);

text_type! {
    /// The configured name of the service or of its maker, as users see it (D-226). It has at least four letters, and
    /// is not just the word "service".
    Name
}

impl Name {
    pub(in crate::config) fn switchboard() -> Self {
        Self("Switchboard".to_owned())
    }

    /// Parses a name; `None` if it is invalid.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let letters = text.chars().filter(|c| c.is_alphabetic() && visible::is_visible_char(*c)).count();
        let printable = !text.chars().any(char::is_control) && text.trim() == text;
        let is_distinct = letters >= 4 && !text.eq_ignore_ascii_case("service");
        (printable && is_distinct).then(|| Self(text.to_owned()))
    }
}

text_setting!(Name, "a name of at least four letters that is not the word \"service\" alone", Name::parse);

text_type! {
    /// A URI scheme in lower case (RFC 3986 section 3.1).
    Scheme
}

impl Scheme {
    /// Returns the schemes of common editors (D-237).
    pub(in crate::config) fn editors() -> Vec<Self> {
        ["vscode", "vscode-insiders", "cursor", "windsurf", "zed"].map(|name| Self(name.to_owned())).to_vec()
    }

    fn parse(text: &str) -> Option<Self> {
        let has_valid_start = text.starts_with(|c: char| c.is_ascii_lowercase());
        let is_allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "+-.".contains(c);
        // an authorization code that is sent to one of these schemes would reach a web page, or would be run as a
        // script
        let dangerous =
            ["http", "https", "javascript", "data", "file", "blob", "about", "vbscript"].contains(&text);
        (has_valid_start && text.chars().all(is_allowed) && !dangerous).then(|| Self(text.to_owned()))
    }
}

text_setting!(Scheme, "a private-use scheme in lower case, such as vscode", Scheme::parse);

text_type! {
    /// A host and a port, in lower case. The host is a name, an IPv4 address, or an IPv6 address in brackets.
    HostPort
}

impl HostPort {
    /// Parses a host and a port, and converts the host to lower case; `None` if the host or the port is invalid.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (host, port) = text.rsplit_once(':')?;
        let lower = host.to_ascii_lowercase();
        let is_canonical = url::Host::parse(&lower).ok()?.to_string() == lower;
        let port = port.parse::<u16>().ok().filter(|number| *number > 0)?;
        is_canonical.then(|| Self(format!("{lower}:{port}")))
    }
}

text_setting!(HostPort, "a host and a port, such as 127.0.0.1:9000", HostPort::parse);

/// The purpose of a deployment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Environment {
    /// A deployment with real users and live tokens.
    Production,
    /// A deployment for the tests of bot developers.
    Sandbox,
    /// A deployment for development on one machine.
    Dev,
}

impl Display for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Production => "production",
            Self::Sandbox => "sandbox",
            Self::Dev => "dev",
        })
    }
}

text_setting!(Environment, "one of production, sandbox, dev", |text| match text {
    "production" => Some(Environment::Production),
    "sandbox" => Some(Environment::Sandbox),
    "dev" => Some(Environment::Dev),
    _ => None,
});

/// A hexadecimal SHA-256. It is hidden like a secret, because only the server needs it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Sha256Hex(pub [u8; 32]);

impl std::fmt::Debug for Sha256Hex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sha256Hex(hidden)")
    }
}

impl Setting for Sha256Hex {
    const SECRET: bool = true;

    fn kind() -> String {
        "64 lower-case hexadecimal digits".to_owned()
    }

    fn from_text(text: &str) -> Result<Self, String> {
        let lower = !text.contains(|c: char| c.is_ascii_uppercase());
        let bytes = secrets::parse_hex(text).filter(|_| lower).map(Self);
        bytes.ok_or_else(|| format!("must be {}: the SHA-256 of the key, not the key", Self::kind()))
    }

    fn to_toml(&self) -> Option<toml::Value> {
        Some(show(&secrets::hex(&self.0)))
    }
}

/// The URL of the database. It is hidden like a secret, because it can contain a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseUrlSetting {
    /// The absolute path of the database file.
    Sqlite(PathBuf),
    /// A `postgres://` or `postgresql://` URL.
    Postgres(Secret),
}

impl Default for DatabaseUrlSetting {
    fn default() -> Self {
        Self::Sqlite(PathBuf::from("/var/lib/switchboard/switchboard.db"))
    }
}

impl Setting for DatabaseUrlSetting {
    const SECRET: bool = true;

    fn kind() -> String {
        "sqlite:///absolute/path.db or postgres://…".to_owned()
    }

    fn from_text(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix("sqlite://") {
            let is_file = path.starts_with('/') && !path.ends_with('/') && !path.contains(['?', '#']);
            return if is_file {
                Ok(Self::Sqlite(path.into()))
            } else {
                Err("must name the absolute path of a file after sqlite://, without ? and #, such as \
                     sqlite:///var/lib/switchboard.db"
                    .to_owned())
            };
        }
        // the store parses the rest of the URL, because other URL parsers reject a list of hosts
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Self::Postgres(Secret::new(text)));
        }
        Err(format!("must be {}", Self::kind()))
    }

    fn to_toml(&self) -> Option<toml::Value> {
        Some(match self {
            Self::Sqlite(path) => show(&format_args!("sqlite://{}", path.display())),
            Self::Postgres(url) => show(&url.expose()),
        })
    }
}

/// A range of node numbers. Its text is `first-last`, or a single number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeRange(pub RangeInclusive<u8>);

impl NodeRange {
    /// All node numbers.
    pub const ALL: Self = Self(0..=MAX_NODE);
}

impl Display for NodeRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.0.start(), self.0.end())
    }
}

text_setting!(NodeRange, "a range within 0-31, such as 0-15", |text| {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let range = first.trim().parse().ok()?..=last.trim().parse().ok()?;
    (!range.is_empty() && *range.end() <= MAX_NODE).then_some(NodeRange(range))
});
