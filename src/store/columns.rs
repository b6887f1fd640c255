//! Domain values as columns: an enum is its code, a set of scopes its bits.

use super::{Col, Row, Val, apps::Reason};
use crate::domain::{
    conversation::{ConversationKind, MessageType},
    delivery::DeliveryState,
    grant::{Access, ClientKind, EndReason, RedirectKind, Resource},
    people::UserState,
    scopes::Scopes,
    tool_calls::ToolEnd,
};

macro_rules! coded {
    ($($name:ident),*) => {$(
        impl Col for $name {
            fn get(row: &Row<'_>, index: usize) -> Result<Self, String> {
                let code = i64::get(row, index)?;
                Self::from_code(code).ok_or_else(|| format!("{code} is no {}", stringify!($name)))
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
coded!(
    ConversationKind,
    DeliveryState,
    MessageType,
    UserState,
    Reason,
    ClientKind,
    RedirectKind,
    EndReason,
    Resource,
    ToolEnd
);

impl Col for Access {
    fn get(row: &Row<'_>, index: usize) -> Result<Self, String> {
        i64::get(row, index).map(Self::from_bits)
    }
}

impl From<Access> for Val<'_> {
    fn from(value: Access) -> Self {
        value.bits().into()
    }
}

impl Col for Scopes {
    fn get(row: &Row<'_>, index: usize) -> Result<Self, String> {
        i64::get(row, index).map(Self::from_bits)
    }
}

impl From<Scopes> for Val<'_> {
    fn from(value: Scopes) -> Self {
        value.bits().into()
    }
}
