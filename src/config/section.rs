//! The macro that declares a section of the configuration: the struct of the section, its defaults, and the code to
//! read, print and document the section.

use super::values::{Input, Setting};

/// The prefix of Switchboard's own environment variables.
pub(super) const ENV_PREFIX: &str = "SWITCHBOARD_";

/// The key of a setting, with what the documentation says about the setting.
#[derive(Clone, Debug)]
pub(super) struct SettingKey {
    /// The key with dots, as in TOML: `database.url`.
    pub(super) path: &'static str,
    /// A description of valid values.
    pub(super) kind: String,
    pub(super) secret: bool,
    pub(super) doc: &'static str,
}

impl SettingKey {
    /// Returns the environment variable of the key.
    pub(super) fn env(&self) -> String {
        format!("{ENV_PREFIX}{}", self.path.replace('.', "_").to_uppercase())
    }
}

/// A section of the configuration.
pub(super) trait Section: Default {
    /// Adds the section's keys in the order of their declaration, and then the keys of its subsections.
    fn keys(into: &mut Vec<SettingKey>);
    /// Adds the TOML name and the description of this section, and then those of its subsections.
    fn sections(into: &mut Vec<(&'static str, &'static str)>);
    /// Parses `input`, and sets the key `path` to the parsed value. Returns `None` if the section has no such key, and
    /// the error text if the value is invalid.
    fn put(&mut self, path: &str, input: Input<'_>) -> Option<Result<(), String>>;
    /// Returns the value of a key; `None` if the key is unset, or if the section has no such key.
    fn get(&self, path: &str) -> Option<toml::Value>;
}

pub(super) fn key<T: Setting>(path: &'static str, doc: &'static str) -> SettingKey {
    SettingKey { path, kind: T::kind(), secret: T::SECRET, doc }
}

/// Expands to the path of a key, such as `database.url`. The path of a key outside a TOML table is the name alone.
macro_rules! key_path {
    ("", $field:ident) => {
        stringify!($field)
    };
    ($section:literal, $field:ident) => {
        concat!($section, ".", stringify!($field))
    };
}

macro_rules! section {
    (
        $(#[doc = $about:literal])+
        $name:ident at $section:tt {
            $( $(#[doc = $doc:literal])+ $field:ident : $type:ty = $default:expr; )*
        } $( with { $( $part:ident : $part_type:ident; )* } )?
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug)]
        pub struct $name {
            $( $(#[doc = $doc])+ pub $field: $type, )*
            $( $( #[doc = concat!("See [`", stringify!($part_type), "`].")] pub $part: $part_type, )* )?
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $( $field: $default, )* $( $( $part: Default::default(), )* )? }
            }
        }

        impl $crate::config::section::Section for $name {
            fn keys(into: &mut Vec<$crate::config::section::SettingKey>) {
                $( into.push($crate::config::section::key::<$type>(
                    $crate::config::section::key_path!($section, $field),
                    concat!($($doc),+),
                )); )*
                $( $( $part_type::keys(into); )* )?
            }

            fn sections(into: &mut Vec<(&'static str, &'static str)>) {
                into.push(($section, concat!($($about),+)));
                $( $( $part_type::sections(into); )* )?
            }

            fn put(&mut self, path: &str, input: $crate::config::values::Input<'_>) -> Option<Result<(), String>> {
                $( if path == $crate::config::section::key_path!($section, $field) {
                    return Some(input.read().map(|value| self.$field = value));
                } )*
                $( $( if let Some(done) = self.$part.put(path, input) {
                    return Some(done);
                } )* )?
                None
            }

            fn get(&self, path: &str) -> Option<toml::Value> {
                $( if path == $crate::config::section::key_path!($section, $field) {
                    return $crate::config::values::Setting::to_toml(&self.$field);
                } )*
                $( $( if let Some(value) = self.$part.get(path) {
                    return Some(value);
                } )* )?
                None
            }
        }
    };
}

pub(super) use {key_path, section};
