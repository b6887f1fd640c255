//! Value types of the generated code: nullable values, constants, clamped numbers, timestamps.

use poem_openapi::registry::{MetaSchema, MetaSchemaRef, Registry};
use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::Value;

use super::meta::{Described, nullable};
use super::params::ParamValue;
use crate::domain::time::Timestamp;

/// A required property that may be null.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Nullable<T>(pub Option<T>);

impl<T> From<Option<T>> for Nullable<T> {
    fn from(value: Option<T>) -> Self {
        Self(value)
    }
}

impl<T: Described> Described for Nullable<T> {
    fn schema() -> MetaSchemaRef {
        nullable::<T>()
    }
    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

/// A whole number of at least `MIN`, with the default `DEFAULT`. A number above `MAX` counts as `MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clamped<const MIN: u32, const MAX: u32, const DEFAULT: u32>(u32);

impl<const MIN: u32, const MAX: u32, const DEFAULT: u32> Clamped<MIN, MAX, DEFAULT> {
    /// Returns the number, between `MIN` and `MAX`.
    #[must_use]
    pub fn get(self) -> u32 {
        self.0
    }
}

impl<const MIN: u32, const MAX: u32, const DEFAULT: u32> Default for Clamped<MIN, MAX, DEFAULT> {
    fn default() -> Self {
        Self(DEFAULT)
    }
}

impl<const MIN: u32, const MAX: u32, const DEFAULT: u32> Described for Clamped<MIN, MAX, DEFAULT> {
    fn schema() -> MetaSchemaRef {
        i64::schema()
    }
}

impl<const MIN: u32, const MAX: u32, const DEFAULT: u32> ParamValue for Clamped<MIN, MAX, DEFAULT> {
    /// Parses a number of at least `MIN` that matches `^[0-9]+$` (D-101).
    fn read(text: &str) -> Result<Self, String> {
        if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
            return Err("must be a whole number".into());
        }
        // the text has only digits, so parsing fails only for numbers above `u32::MAX`
        let number = text.parse().unwrap_or(u32::MAX);
        if number < MIN {
            return Err(format!("must be at least {MIN}"));
        }
        Ok(Self(number.min(MAX)))
    }
}

/// A request body may contain any RFC 3339 date-time. Responses contain the canonical form that `domain` writes.
impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| de::Error::custom("not a date-time"))
    }
}

/// Declares the type of a property with a single allowed value: `ok: true`, or the discriminator of a union's variant.
macro_rules! constant {
    (@type $name:ident, $kind:ty, $value:expr, $reference:expr, $register:expr) => {
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name;

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serde::Serialize::serialize(&$value, serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = <$kind as serde::Deserialize>::deserialize(deserializer)?;
                match value == $value {
                    true => Ok(Self),
                    false => Err(serde::de::Error::custom("differs from the only allowed value")),
                }
            }
        }

        impl crate::contract::Described for $name {
            fn schema() -> poem_openapi::registry::MetaSchemaRef {
                $reference
            }
            fn register(registry: &mut poem_openapi::registry::Registry) {
                $register(registry)
            }
        }
    };
    ($name:ident = str $value:expr) => {
        constant!(@type $name, std::borrow::Cow<'de, str>, $value,
            poem_openapi::registry::MetaSchemaRef::Inline(Box::new(
                crate::contract::constant_schema($value.into(), None)
            )),
            |_: &mut poem_openapi::registry::Registry| ());
    };
    ($name:ident = bool $value:expr; as $wire:literal, $description:expr) => {
        constant!(@type $name, bool, $value,
            poem_openapi::registry::MetaSchemaRef::Reference($wire.into()),
            |registry: &mut poem_openapi::registry::Registry| {
                crate::contract::describe_schema::<Self>(registry, $wire, |_| {
                    crate::contract::constant_schema($value.into(), $description)
                })
            });
    };
}
pub(crate) use constant;

/// Returns the schema of a constant.
#[must_use]
pub fn constant_schema(value: Value, description: Option<&'static str>) -> MetaSchema {
    let ty = if value.is_boolean() { "boolean" } else { "string" };
    MetaSchema { enum_items: vec![value], description, ..MetaSchema::new(ty) }
}
