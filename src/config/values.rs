//! The types of values: how each is read from text and TOML, checked, and shown again.

use std::fmt::Display;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

use ipnet::IpNet;
use tracing::Level;
use url::Url;

use crate::platform::logs::LogFormat;
use crate::platform::secrets::{self, Secret};

/// A value as it was found.
#[derive(Clone, Copy, Debug)]
pub(super) enum Input<'a> {
    /// From the environment, a flag, or a secret's file.
    Text(&'a str),
    /// From the TOML file.
    Toml(&'a toml::Value),
}

impl Input<'_> {
    pub(super) fn read<T: Setting>(self) -> Result<T, String> {
        match self {
            Self::Text(text) => T::from_text(text),
            Self::Toml(value) => T::from_toml(value),
        }
    }
}

/// A type that values may have. Errors say what a right value looks like and never repeat the value of a secret.
pub(super) trait Setting: Sized {
    /// Hidden when printed, and may be given by file.
    const SECRET: bool = false;
    /// What values look like, for the documentation.
    fn kind() -> String;
    fn from_text(text: &str) -> Result<Self, String>;
    /// By default TOML holds the same text as the environment.
    fn from_toml(value: &toml::Value) -> Result<Self, String> {
        match value.as_str() {
            Some(text) => Self::from_text(text),
            None => Err(format!("must be {}, written as a text in quotes", Self::kind())),
        }
    }
    /// `None`: unset.
    fn to_toml(&self) -> Option<toml::Value>;
}

/// A [`Setting`] that is read by a function and shown by `Display`.
macro_rules! text_setting {
    ($type:ty, $kind:literal, $read:expr) => {
        impl Setting for $type {
            fn kind() -> String {
                $kind.to_owned()
            }

            fn from_text(text: &str) -> Result<Self, String> {
                let read: fn(&str) -> Option<$type> = $read;
                read(text).ok_or_else(|| format!("must be {}, not {text:?}", $kind))
            }

            fn to_toml(&self) -> Option<toml::Value> {
                Some(show(self))
            }
        }
    };
}

fn show(value: &impl Display) -> toml::Value {
    toml::Value::String(value.to_string())
}

/// A newtype over `String` with `as_str` and `Display`.
macro_rules! text_type {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name(String);

        impl $name {
            /// The text.
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
    /// An `http(s)://` address without query, fragment, credentials or a slash at the end.
    BaseUrl
}

impl BaseUrl {
    /// Where the default of `listen` is reached.
    pub(super) fn local() -> Self {
        Self("http://127.0.0.1:8080".to_owned())
    }

    /// Whether it is `https://`.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }

    fn parse(text: &str) -> Option<Self> {
        let url = Url::parse(text).ok()?;
        let scheme = matches!(url.scheme(), "http" | "https") && url.has_host();
        let nothing_more = url.query().is_none() && url.fragment().is_none();
        let no_credentials = url.username().is_empty() && url.password().is_none();
        // the text is used as it stands, so it must be the one form that everybody else computes
        let normal = url.as_str().trim_end_matches('/') == text;
        (scheme && nothing_more && no_credentials && normal).then(|| Self(text.to_owned()))
    }
}

text_setting!(
    BaseUrl,
    "an http:// or https:// address in its normal form (lower-case host, no default port, query, credentials or slash at the end)",
    BaseUrl::parse
);

text_type! {
    /// A name that people see: at least four letters, and not the word "service" alone (D-226).
    Name
}

impl Name {
    pub(super) fn switchboard() -> Self {
        Self("Switchboard".to_owned())
    }

    fn parse(text: &str) -> Option<Self> {
        let letters = text.chars().filter(|c| c.is_alphabetic()).count();
        let printable = !text.chars().any(char::is_control) && text.trim() == text;
        let telling = letters >= 4 && !text.eq_ignore_ascii_case("service");
        (printable && telling).then(|| Self(text.to_owned()))
    }
}

text_setting!(Name, "a name of at least four letters that is not the word \"service\" alone", Name::parse);

text_type! {
    /// A URI scheme in lower case (RFC 3986 section 3.1).
    Scheme
}

impl Scheme {
    /// The editors people use (D-237).
    pub(super) fn editors() -> Vec<Self> {
        ["vscode", "vscode-insiders", "cursor", "windsurf", "zed"].map(|name| Self(name.to_owned())).to_vec()
    }

    fn parse(text: &str) -> Option<Self> {
        let starts = text.starts_with(|c: char| c.is_ascii_lowercase());
        let goes_on = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "+-.".contains(c);
        // a code sent to one of these would reach a web page or be run as a script
        let dangerous = ["http", "https", "javascript", "data", "file", "blob", "about", "vbscript"].contains(&text);
        (starts && text.chars().all(goes_on) && !dangerous).then(|| Self(text.to_owned()))
    }
}

text_setting!(Scheme, "a private-use scheme in lower case, such as vscode", Scheme::parse);

text_type! {
    /// A host (name or address, IPv6 in brackets) and a port, in lower case.
    HostPort
}

impl HostPort {
    fn parse(text: &str) -> Option<Self> {
        let (host, port) = text.rsplit_once(':')?;
        let lower = host.to_ascii_lowercase();
        let known = url::Host::parse(&lower).ok()?.to_string() == lower;
        (known && port.parse::<u16>().is_ok_and(|number| number > 0)).then(|| Self(format!("{lower}:{port}")))
    }
}

text_setting!(HostPort, "a host and a port, such as 127.0.0.1:9000", HostPort::parse);

/// What an installation is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Environment {
    /// Real people and live tokens.
    Production,
    /// For developers of bots to try things on.
    Sandbox,
    /// For work on one machine.
    Dev,
}

impl Environment {
    /// The part of a token that says where it works: `live` or `test` (D-037).
    #[must_use]
    pub fn token_prefix(self) -> &'static str {
        match self {
            Self::Production => "live",
            Self::Sandbox | Self::Dev => "test",
        }
    }

    /// Whether the tools for testing are offered, such as resetting the limits.
    #[must_use]
    pub fn sandbox_tools(self) -> bool {
        self != Self::Production
    }
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

text_setting!(LogFormat, "one of json, text", |text| match text {
    "json" => Some(LogFormat::Json),
    "text" => Some(LogFormat::Text),
    _ => None,
});

impl Setting for Level {
    fn kind() -> String {
        "one of error, warn, info, debug, trace".to_owned()
    }

    fn from_text(text: &str) -> Result<Self, String> {
        let levels = [Self::ERROR, Self::WARN, Self::INFO, Self::DEBUG, Self::TRACE];
        let named = levels.into_iter().find(|level| level.as_str().eq_ignore_ascii_case(text));
        named.ok_or_else(|| format!("must be {}, not {text:?}", Self::kind()))
    }

    fn to_toml(&self) -> Option<toml::Value> {
        Some(show(&self.as_str().to_lowercase()))
    }
}

text_setting!(SocketAddr, "an address and a port, such as 127.0.0.1:8080", |text| {
    // also takes a name, such as localhost:8080
    text.to_socket_addrs().ok()?.next()
});

text_setting!(IpNet, "a network such as 10.0.0.0/8, or a single address", |text| {
    text.parse().ok().or_else(|| text.parse().ok().map(|address: std::net::IpAddr| IpNet::from(address)))
});

text_setting!(String, "a text that is not empty", |text| (!text.trim().is_empty()).then(|| text.to_owned()));

impl Setting for PathBuf {
    fn kind() -> String {
        "a path".to_owned()
    }

    fn from_text(text: &str) -> Result<Self, String> {
        if text.is_empty() { Err("must be a path, not an empty text".to_owned()) } else { Ok(text.into()) }
    }

    fn to_toml(&self) -> Option<toml::Value> {
        Some(show(&self.display()))
    }
}

impl Setting for bool {
    fn kind() -> String {
        "true or false".to_owned()
    }

    fn from_text(text: &str) -> Result<Self, String> {
        match text {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            _ => Err(format!("must be true, false, 1 or 0, not {text:?}")),
        }
    }

    fn from_toml(value: &toml::Value) -> Result<Self, String> {
        value.as_bool().ok_or_else(|| "must be true or false, without quotes".to_owned())
    }

    fn to_toml(&self) -> Option<toml::Value> {
        Some((*self).into())
    }
}

macro_rules! number_setting {
    ($type:ty) => {
        impl Setting for $type {
            fn kind() -> String {
                "a whole number".to_owned()
            }

            fn from_text(text: &str) -> Result<Self, String> {
                let wrong = |_| format!("must be a whole number from 0 to {}, not {text:?}", Self::MAX);
                text.parse().map_err(wrong)
            }

            fn from_toml(value: &toml::Value) -> Result<Self, String> {
                let number = value.as_integer().and_then(|number| number.try_into().ok());
                number.ok_or_else(|| format!("must be a whole number from 0 to {}, without quotes", Self::MAX))
            }

            fn to_toml(&self) -> Option<toml::Value> {
                Some(toml::Value::Integer((*self).into()))
            }
        }
    };
}

number_setting!(u8);
number_setting!(u32);

impl<T: Setting> Setting for Option<T> {
    const SECRET: bool = T::SECRET;

    fn kind() -> String {
        T::kind()
    }

    fn from_text(text: &str) -> Result<Self, String> {
        T::from_text(text).map(Some)
    }

    fn from_toml(value: &toml::Value) -> Result<Self, String> {
        T::from_toml(value).map(Some)
    }

    fn to_toml(&self) -> Option<toml::Value> {
        self.as_ref().and_then(T::to_toml)
    }
}

impl<T: Setting> Setting for Vec<T> {
    fn kind() -> String {
        format!("a list, each {}", T::kind())
    }

    fn from_text(text: &str) -> Result<Self, String> {
        text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(T::from_text).collect()
    }

    fn from_toml(value: &toml::Value) -> Result<Self, String> {
        let items = value.as_array().ok_or("must be a list in square brackets")?;
        items.iter().map(T::from_toml).collect()
    }

    fn to_toml(&self) -> Option<toml::Value> {
        Some(self.iter().filter_map(T::to_toml).collect::<Vec<_>>().into())
    }
}

impl Setting for Secret {
    const SECRET: bool = true;

    fn kind() -> String {
        "a secret text".to_owned()
    }

    fn from_text(text: &str) -> Result<Self, String> {
        if text.is_empty() { Err("must not be empty".to_owned()) } else { Ok(Self::new(text)) }
    }

    fn to_toml(&self) -> Option<toml::Value> {
        Some(show(&self.expose()))
    }
}

/// A SHA-256 in hexadecimal. As a setting it is treated as a secret: it is of no use to anybody else.
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

/// Where the store is. Secret, because it may hold a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseUrl {
    /// The database file's absolute path.
    Sqlite(PathBuf),
    /// A `postgres://` address.
    Postgres(Secret),
}

impl Default for DatabaseUrl {
    fn default() -> Self {
        Self::Sqlite(PathBuf::from("/var/lib/switchboard/switchboard.db"))
    }
}

impl Setting for DatabaseUrl {
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
                Err("must name an absolute path after sqlite://, such as sqlite:///var/lib/switchboard.db".to_owned())
            };
        }
        let postgres = text.starts_with("postgres://") || text.starts_with("postgresql://");
        if postgres && Url::parse(text).is_ok() {
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
