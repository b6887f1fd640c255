//! The types of configuration values: parsing from text and TOML, validation, and printing.

mod types;

use std::fmt::Display;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

use ipnet::IpNet;
use tracing::Level;

pub use types::{BaseUrl, DatabaseUrlSetting, Environment, HostPort, Name, NodeRange, Scheme, Sha256Hex};

use crate::platform::encryption::EncryptionKey;
use crate::platform::logs::LogFormat;
use crate::platform::secrets::Secret;

/// The unparsed value of a setting.
#[derive(Clone, Copy, Debug)]
pub(super) enum Input<'a> {
    /// A value from the environment, a flag, or the file of a secret.
    Text(&'a str),
    /// A value from the TOML file.
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

/// A type of configuration values. Its error texts describe valid values and never contain the value of a secret.
pub(super) trait Setting: Sized {
    /// Whether values are hidden in output and can be read from a file.
    const SECRET: bool = false;
    /// Returns a description of valid values, for error texts and the documentation.
    fn kind() -> String;
    fn from_text(text: &str) -> Result<Self, String>;
    /// Parses a TOML value. The default implementation accepts a TOML string and parses it with [`Setting::from_text`].
    fn from_toml(value: &toml::Value) -> Result<Self, String> {
        match value.as_str() {
            Some(text) => Self::from_text(text),
            None => Err(format!("must be {}, written as a string in quotes", Self::kind())),
        }
    }
    /// Returns the TOML value; `None` if the value is unset.
    fn to_toml(&self) -> Option<toml::Value>;
}

/// Implements [`Setting`] with a parsing function and `Display`.
macro_rules! text_setting {
    ($type:ty, $kind:literal, $read:expr) => {
        impl Setting for $type {
            fn kind() -> String {
                $kind.to_owned()
            }

            fn from_text(text: &str) -> Result<Self, String> {
                let read: fn(&str) -> Option<$type> = $read;
                // a text with `@` can be a URL with a password, even if this setting allows no password
                let shown = if text.contains('@') { "(hidden)" } else { text };
                read(text).ok_or_else(|| format!("must be {}, not {shown:?}", $kind))
            }

            fn to_toml(&self) -> Option<toml::Value> {
                Some(show(self))
            }
        }
    };
}

use text_setting;

fn show(value: &impl Display) -> toml::Value {
    toml::Value::String(value.to_string())
}

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
    // `to_socket_addrs` also resolves a name, such as localhost:8080
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
                number
                    .ok_or_else(|| format!("must be a whole number from 0 to {}, without quotes", Self::MAX))
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
    const SECRET: bool = T::SECRET;

    fn kind() -> String {
        format!("a list, each {}", T::kind())
    }

    fn from_text(text: &str) -> Result<Self, String> {
        // a file with a list of secrets can have one secret per line
        text.split([',', '\n']).map(str::trim).filter(|item| !item.is_empty()).map(T::from_text).collect()
    }

    fn from_toml(value: &toml::Value) -> Result<Self, String> {
        let items = value.as_array().ok_or("must be a list in square brackets")?;
        items.iter().map(T::from_toml).collect()
    }

    fn to_toml(&self) -> Option<toml::Value> {
        // an empty list of secrets counts as unset: otherwise it would be printed as hidden, although it has no secret
        let is_unset = Self::SECRET && self.is_empty();
        (!is_unset).then(|| self.iter().filter_map(T::to_toml).collect::<Vec<_>>().into())
    }
}

impl Setting for EncryptionKey {
    const SECRET: bool = true;

    fn kind() -> String {
        "64 hexadecimal digits".to_owned()
    }

    fn from_text(text: &str) -> Result<Self, String> {
        let wrong = "must be 64 hexadecimal digits, as `switchboard secrets new-key` makes them";
        Self::parse(text).ok_or_else(|| wrong.to_owned())
    }

    fn to_toml(&self) -> Option<toml::Value> {
        Some(show(&self.expose()))
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
