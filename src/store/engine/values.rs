//! Arguments of statements ([`Val`], [`args!`](crate::args)), and values from rows ([`Row`], [`Col`], [`FromRow`],
//! [`row!`](crate::row)).
//!
//! A column has one of three types, which both engines support: integer (`BIGINT` on PostgreSQL), text or bytes. The
//! only exceptions are in the tables of the full-text index, of rate limits and of applied migrations. An integer is a
//! number, a boolean (0 or 1), a time in microseconds since the Unix epoch, an id, the code of an enum, or a bit mask.

use std::borrow::Cow;

use rusqlite::types::ValueRef;
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use sqlx::postgres::PgRow;
use sqlx::{Decode, Row as _, TypeInfo, ValueRef as _};

use super::error::StoreError;
use crate::domain::ids::{
    AccountId, AppId, ConnectionId, ConversationId, DraftId, EventId, FileId, InstallationId, MessageId,
    ToolCallId, UserId, WorkspaceId,
};
use crate::domain::time::Timestamp;

/// An argument of a statement. `None` is NULL. A NULL also has a type, because PostgreSQL prepares a statement for the
/// types of its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Val<'a> {
    /// An integer of any meaning: a number, a boolean, a time, an id, the code of an enum, or a bit mask.
    Int(Option<i64>),
    /// A text. It must not contain the character U+0000, which PostgreSQL cannot store.
    Text(Option<&'a str>),
    /// Bytes.
    Bytes(Option<&'a [u8]>),
    /// A list of numbers: a `bigint[]` on PostgreSQL, a JSON text on SQLite. [`statements!`](crate::statements) shows
    /// how a statement uses a list.
    List(Cow<'a, [i64]>),
    /// A list of byte strings: a `bytea[]` on PostgreSQL. SQLite gets NULL instead, so a statement with such a list
    /// must run on PostgreSQL only.
    BytesList(Vec<&'a [u8]>),
}

/// The arguments of a statement, in the order of the placeholders `$1`, `$2`, …: `args![user, name, None::<i64>]`.
#[macro_export]
macro_rules! args {
    ($($value:expr),* $(,)?) => {
        &[$($crate::store::Val::from($value)),*] as &[$crate::store::Val<'_>]
    };
}

/// The arguments of an INSERT with more than two arguments, each with the column into which it is inserted:
/// `named_args!(INSERT { user_id: user, app_id: app, created_at: now })`. Debug builds compare the names with the
/// statement, so that swapped arguments fail the tests.
macro_rules! named_args {
    ($statement:ident { $($column:ident: $value:expr),* $(,)? }) => {
        $statement.named(&[$(stringify!($column)),*], &[$($crate::store::Val::from($value)),*])
    };
}

pub(in crate::store) use named_args;

macro_rules! val_from {
    ($($from:ty => |$value:ident| $variant:ident($some:expr);)*) => {$(
        impl<'a> From<$from> for Val<'a> {
            fn from($value: $from) -> Self {
                Val::$variant(Some($some))
            }
        }
        impl<'a> From<Option<$from>> for Val<'a> {
            fn from(value: Option<$from>) -> Self {
                Val::$variant(value.map(|$value| $some))
            }
        }
    )*};
}

val_from! {
    i64 => |value| Int(value);
    i32 => |value| Int(i64::from(value));
    u32 => |value| Int(i64::from(value));
    bool => |value| Int(i64::from(value));
    &'a str => |value| Text(value);
    &'a String => |value| Text(value.as_str());
    &'a [u8] => |value| Bytes(value);
    &'a Vec<u8> => |value| Bytes(value.as_slice());
}

impl<'a, const N: usize> From<&'a [u8; N]> for Val<'a> {
    fn from(value: &'a [u8; N]) -> Self {
        Val::Bytes(Some(value))
    }
}

impl<'a, const N: usize> From<Option<&'a [u8; N]>> for Val<'a> {
    fn from(value: Option<&'a [u8; N]>) -> Self {
        Val::Bytes(value.map(|bytes| &bytes[..]))
    }
}

impl<'a> From<&'a [i64]> for Val<'a> {
    fn from(value: &'a [i64]) -> Self {
        Val::List(Cow::Borrowed(value))
    }
}

impl<'a> From<&'a Vec<i64>> for Val<'a> {
    fn from(value: &'a Vec<i64>) -> Self {
        Val::List(Cow::Borrowed(value))
    }
}

impl<'a, const N: usize> From<&'a [[u8; N]]> for Val<'a> {
    fn from(value: &'a [[u8; N]]) -> Self {
        Val::BytesList(value.iter().map(|bytes| &bytes[..]).collect())
    }
}

/// Serializes a number or a text, for [`json_rows`]. Fails for other values, and for a text that contains U+0000.
impl Serialize for Val<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Val::Int(number) => number.serialize(serializer),
            Val::Text(Some(text)) if text.contains('\0') => Err(S::Error::custom("a text contains U+0000")),
            Val::Text(text) => text.serialize(serializer),
            Val::Bytes(_) | Val::List(_) | Val::BytesList(_) => {
                Err(S::Error::custom("a row has numbers and texts only"))
            }
        }
    }
}

/// Returns rows as a JSON array of objects, for [`table!`](crate::table). `columns` has the names of the members.
///
/// # Errors
/// [`StoreError::Bug`] for a value that is neither a number nor a text, and for a text that contains U+0000.
#[doc(hidden)]
pub fn json_rows<'a, const N: usize>(
    columns: &[&str; N],
    rows: impl IntoIterator<Item = [Val<'a>; N]>,
) -> super::error::Result<String> {
    let mut json = Vec::new();
    let mut serializer = serde_json::Serializer::new(&mut json);
    let rows = rows.into_iter().map(|row| JsonRow { columns, row });
    serializer.collect_seq(rows).map_err(|error| StoreError::bug(error.to_string()))?;
    Ok(String::from_utf8(json).map_err(|error| StoreError::bug(error.to_string()))?)
}

struct JsonRow<'r, const N: usize> {
    columns: &'r [&'r str; N],
    row: [Val<'r>; N],
}

impl<const N: usize> Serialize for JsonRow<'_, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.columns.iter().zip(&self.row))
    }
}

/// A row of a statement's result.
#[derive(Clone, Copy)]
pub enum Row<'r> {
    #[doc(hidden)]
    Lite(&'r rusqlite::Row<'r>),
    #[doc(hidden)]
    Pg(&'r PgRow),
}

impl Row<'_> {
    /// Returns the column at `index`, counted from 0.
    pub fn get<T: Col>(&self, index: usize) -> Result<T, StoreError> {
        T::get(self, index).map_err(|why| StoreError::bug(format!("column {index}: {why}")))
    }

    fn is_null(&self, index: usize) -> Result<bool, String> {
        match self {
            Row::Lite(row) => Ok(row.get_ref(index).map_err(text)? == ValueRef::Null),
            Row::Pg(row) => Ok(row.try_get_raw(index).map_err(text)?.is_null()),
        }
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// A type into which the value of a column is read, and which can be passed as an argument. A new id type must be added
/// to the call of `int_columns!` below.
pub trait Col: Sized + Send {
    /// NULL as an argument of this type.
    #[doc(hidden)]
    const NULL: Val<'static>;

    /// Reads the column at `index`. If its value is not valid for this type, returns the reason as an error.
    #[doc(hidden)]
    fn get(row: &Row<'_>, index: usize) -> Result<Self, String>;

    /// Returns the value as an argument.
    #[doc(hidden)]
    fn val(&self) -> Val<'_>;
}

impl Col for i64 {
    const NULL: Val<'static> = Val::Int(None);

    fn val(&self) -> Val<'_> {
        Val::Int(Some(*self))
    }

    fn get(row: &Row<'_>, index: usize) -> Result<Self, String> {
        match row {
            Row::Lite(row) => row.get(index).map_err(text),
            Row::Pg(row) => {
                let value = row.try_get_raw(index).map_err(text)?;
                // In SQLite, `EXISTS (…)`, `1` and `COUNT(*)` are all integers. In PostgreSQL they are BOOL, INT4 and
                // INT8. So BOOL and all integer types of PostgreSQL are accepted.
                match value.type_info().name() {
                    "INT8" | "INT4" | "INT2" | "BOOL" => {
                        Decode::<sqlx::Postgres>::decode(value).map_err(text)
                    }
                    other => Err(format!("expected an integer, got {other}")),
                }
            }
        }
    }
}

impl Col for bool {
    const NULL: Val<'static> = Val::Int(None);

    fn val(&self) -> Val<'_> {
        Val::from(*self)
    }

    fn get(row: &Row<'_>, index: usize) -> Result<Self, String> {
        Ok(i64::get(row, index)? != 0)
    }
}

macro_rules! plain_columns {
    ($($type:ty => $variant:ident;)*) => {$(
        impl Col for $type {
            const NULL: Val<'static> = Val::$variant(None);

            fn val(&self) -> Val<'_> {
                Val::$variant(Some(self))
            }

            fn get(row: &Row<'_>, index: usize) -> Result<Self, String> {
                match row {
                    Row::Lite(row) => row.get(index).map_err(text),
                    Row::Pg(row) => row.try_get(index).map_err(text),
                }
            }
        }
    )*};
}

plain_columns! { String => Text; Vec<u8> => Bytes; }

impl<T: Col> Col for Option<T> {
    const NULL: Val<'static> = T::NULL;

    fn val(&self) -> Val<'_> {
        self.as_ref().map_or(T::NULL, T::val)
    }

    fn get(row: &Row<'_>, index: usize) -> Result<Self, String> {
        if row.is_null(index)? { Ok(None) } else { T::get(row, index).map(Some) }
    }
}

macro_rules! int_columns {
    ($($type:ident)*) => {
        $(
            impl Col for $type {
                const NULL: Val<'static> = Val::Int(None);

                fn val(&self) -> Val<'_> {
                    Val::from(*self)
                }

                fn get(row: &Row<'_>, index: usize) -> Result<Self, String> {
                    i64::get(row, index).map($type)
                }
            }
            impl<'a> From<&'a Vec<$type>> for Val<'a> {
                fn from(value: &'a Vec<$type>) -> Self {
                    Val::from(&value[..])
                }
            }
            impl<'a> From<&'a [$type]> for Val<'a> {
                fn from(value: &'a [$type]) -> Self {
                    Val::List(value.iter().map(|id| id.0).collect())
                }
            }
        )*
        val_from! { $($type => |value| Int(value.0);)* }
    };
}

int_columns! {
    AccountId AppId ConnectionId ConversationId DraftId EventId FileId InstallationId MessageId ToolCallId UserId
    WorkspaceId Timestamp
}

/// A type into which a whole row is read: a struct for which [`row!`](crate::row) implements this trait, a tuple of one
/// or two columns, or, for a row with one column, the type of this column. A row of three or more columns must be read
/// into a struct, because its fields are compared with the names of the columns. So a tuple of three columns does not
/// compile:
///
/// ```compile_fail,E0277
/// use switchboard::store::{ReadSql, Result, args, statements};
///
/// statements! { NAME: Query = "SELECT id, workspace_id, name FROM users WHERE id = $1"; }
///
/// async fn read<C: ReadSql>(c: &mut C) -> Result<(i64, i64, String)> {
///     c.one(&NAME, args![1]).await
/// }
/// ```
pub trait FromRow: Sized + Send {
    /// The names of the columns, if [`row!`](crate::row) implements this trait for the type; empty for other types. A
    /// statement declares the struct into which its rows are read (`BY_ID: Query -> User = …`). A test compares the
    /// names of the struct with the column names that each engine reports for the statement.
    const COLUMNS: &'static [&'static str] = &[];

    /// Reads a row, whose columns are in the order of the statement.
    fn from_row(row: &Row<'_>) -> Result<Self, StoreError>;
}

impl<T: Col> FromRow for T {
    fn from_row(row: &Row<'_>) -> Result<Self, StoreError> {
        row.get(0)
    }
}

/// Returns the names in `first`, followed by the names in `rest`, for [`row!`](crate::row).
#[doc(hidden)]
#[must_use]
pub const fn joined_columns<const N: usize>(
    first: &[&'static str],
    rest: &[&'static str],
) -> [&'static str; N] {
    let mut joined = [""; N];
    let mut at = 0;
    while at < N {
        joined[at] = if at < first.len() { first[at] } else { rest[at - first.len()] };
        at += 1;
    }
    joined
}

macro_rules! tuple_rows {
    ($first:ident $($rest:ident)*) => {
        tuple_rows!(@one $first $($rest)*);
        tuple_rows!($($rest)*);
    };
    () => {};
    (@one $($column:ident)*) => {
        impl<$($column: Col),*> FromRow for ($($column,)*) {
            fn from_row(row: &Row<'_>) -> Result<Self, StoreError> {
                let mut indexes = 0..;
                Ok(($(row.get::<$column>(indexes.next().unwrap_or_default())?,)*))
            }
        }
    };
}

tuple_rows! { A B }

/// Implements [`FromRow`] for a struct: `row!(User { id, name, kind as type });`. The fields must be listed in the
/// order of the statement's columns. If the name of a column differs from the name of its field, the column's name is
/// written after `as`.
///
/// If the first columns of the statement are those of another struct, this other struct is the first field, after `..`:
/// `row!(UserOfCompany { ..user: User, company_name });`.
#[macro_export]
macro_rules! row {
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $column:ident) => { stringify!($column) };
    ($type:ident { ..$first:ident: $inner:ty $(, $field:ident $(as $column:ident)?)* $(,)? }) => {
        impl $crate::store::FromRow for $type {
            const COLUMNS: &'static [&'static str] = &$crate::store::joined_columns::<
                { <$inner as $crate::store::FromRow>::COLUMNS.len() + [$(stringify!($field)),*].len() },
            >(
                <$inner as $crate::store::FromRow>::COLUMNS,
                &[$($crate::row!(@name $field $($column)?)),*],
            );

            fn from_row(row: &$crate::store::Row<'_>) -> ::std::result::Result<Self, $crate::store::StoreError> {
                let mut at = <$inner as $crate::store::FromRow>::COLUMNS.len()..;
                Ok(Self {
                    $first: $crate::store::FromRow::from_row(row)?,
                    $($field: row.get(at.next().unwrap_or_default())?),*
                })
            }
        }
    };
    ($type:ident { $($field:ident $(as $column:ident)?),* $(,)? }) => {
        impl $crate::store::FromRow for $type {
            const COLUMNS: &'static [&'static str] = &[$($crate::row!(@name $field $($column)?)),*];

            fn from_row(row: &$crate::store::Row<'_>) -> ::std::result::Result<Self, $crate::store::StoreError> {
                let mut indexes = 0..;
                Ok(Self { $($field: row.get(indexes.next().unwrap_or_default())?),* })
            }
        }
    };
}
