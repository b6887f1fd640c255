//! Macros for declarations that the generated code repeats for each schema or operation.

/// Declares the error codes of an operation: `error_codes!(GetUserError of "getUser": types::ErrorBody,
/// [shared::NOT_FOUND]; UserNotFound)`. The list in brackets has the documented error responses, and the names after it
/// are the error codes.
macro_rules! error_codes {
    ($name:ident of $operation:literal: $schema:ty, $replies:expr; $($code:ident),* $(,)?) => {
        /// The error codes that an operation documents.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($code),*
        }

        impl crate::contract::ErrorCode for $name {
            type Schema = $schema;
            const OPERATION: &'static str = $operation;
            const REPLIES: &'static [crate::contract::ReplyDoc] = &$replies;
            const CODES: &'static [crate::domain::refusal::Code] =
                &[$(crate::domain::refusal::Code::$code),*];
            fn code(self) -> crate::domain::refusal::Code {
                match self {
                    $(Self::$code => crate::domain::refusal::Code::$code),*
                }
            }
        }
    };
}
pub(crate) use error_codes;

/// Declares an enum of named values with its schema: `enumeration!(UserState as "UserState", closed, "The
/// description."; Active = "active")`. An enum that is declared `extensible` instead of `closed` can get more values
/// later, so its schema is published as a string without `enum`.
macro_rules! enumeration {
    ($name:ident as $wire:literal, $kind:ident, $about:literal; $($variant:ident = $value:literal),+ $(,)?) => {
        #[doc = $about]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $(#[serde(rename = $value)] $variant),+
        }

        impl $name {
            /// All values, in the order of the document.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the value as it is written in JSON.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $value),+
                }
            }
        }

        impl crate::contract::Described for $name {
            fn schema() -> poem_openapi::registry::MetaSchemaRef {
                poem_openapi::registry::MetaSchemaRef::Reference($wire.into())
            }
            fn register(registry: &mut poem_openapi::registry::Registry) {
                crate::contract::describe_schema::<Self>(registry, $wire, |_| {
                    poem_openapi::registry::MetaSchema {
                        description: Some($about).filter(|about| !about.is_empty()),
                        enum_items: enumeration!(@items $kind),
                        ..poem_openapi::registry::MetaSchema::new("string")
                    }
                });
            }
        }

        impl crate::contract::ParamValue for $name {
            fn read(text: &str) -> Result<Self, String> {
                let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
                found.ok_or_else(|| crate::contract::one_of(Self::ALL.iter().map(|value| value.as_str())))
            }
        }
    };
    (@items closed) => {
        Self::ALL.iter().map(|value| value.as_str().into()).collect()
    };
    (@items extensible) => {
        Vec::new()
    };
}
pub(crate) use enumeration;
