//! Domain values as columns: an enum is its code, a set of scopes its bits.

use super::{Col, Row, StoreError, Val, apps::Reason};
use crate::domain::{
    conversation::{ConversationKind, MessageType},
    people::UserState,
    scopes::Scopes,
};

macro_rules! coded {
    ($($name:ident),*) => {$(
        impl Col for $name {
            fn get<R: Row>(row: &R, index: usize) -> Result<Self, StoreError> {
                let code = i64::get(row, index)?;
                Self::from_code(code)
                    .ok_or_else(|| StoreError::bug(format!("{code} is no {}", stringify!($name))))
            }
        }

        impl Col for Option<$name> {
            fn get<R: Row>(row: &R, index: usize) -> Result<Self, StoreError> {
                match Option::<i64>::get(row, index)? {
                    Some(_) => $name::get(row, index).map(Some),
                    None => Ok(None),
                }
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
coded!(ConversationKind, MessageType, UserState, Reason);

impl Col for Scopes {
    fn get<R: Row>(row: &R, index: usize) -> Result<Self, StoreError> {
        i64::get(row, index).map(Self::from_bits)
    }
}

impl From<Scopes> for Val<'_> {
    fn from(value: Scopes) -> Self {
        value.bits().into()
    }
}
