//! Conversions of the enums and the sets of scopes of `domain` to and from columns. An enum is stored as the code of its
//! variant, and a set of scopes as a bit mask.

use crate::domain::{
    assistant::{redirect::RedirectKind, sending::AssistantSends},
    conversation::{ConversationKind, MessageType},
    delivery::DeliveryState,
    grant::{Access, ClientKind, EndReason, Resource},
    installation::DisconnectReason,
    people::UserState,
    scopes::Scopes,
    tool_calls::ToolEnd,
};
use crate::store::{Col, Row, Val};

macro_rules! code_columns {
    ($($name:ident),*) => {$(
        impl Col for $name {
            const NULL: Val<'static> = Val::Int(None);

            fn val(&self) -> Val<'_> {
                self.code().into()
            }

            fn get(row: &Row<'_>, index: usize) -> Result<Self, String> {
                let code = i64::get(row, index)?;
                Self::from_code(code).ok_or_else(|| format!("{code} is not a valid {}", stringify!($name)))
            }
        }

        impl From<$name> for Val<'_> {
            fn from(value: $name) -> Self {
                value.code().into()
            }
        }

        impl From<Option<$name>> for Val<'_> {
            fn from(value: Option<$name>) -> Self {
                value.map($name::code).into()
            }
        }
    )*};
}
code_columns!(
    AssistantSends,
    ConversationKind,
    DeliveryState,
    MessageType,
    UserState,
    DisconnectReason,
    ClientKind,
    RedirectKind,
    EndReason,
    Resource,
    ToolEnd
);

macro_rules! bit_columns {
    ($($name:ident),*) => {$(
        impl Col for $name {
            const NULL: Val<'static> = Val::Int(None);

            fn val(&self) -> Val<'_> {
                self.bits().into()
            }

            fn get(row: &Row<'_>, index: usize) -> Result<Self, String> {
                i64::get(row, index).map(Self::from_bits)
            }
        }

        impl From<$name> for Val<'_> {
            fn from(value: $name) -> Self {
                value.bits().into()
            }
        }
    )*};
}
bit_columns!(Access, Scopes);
