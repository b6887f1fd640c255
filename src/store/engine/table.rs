//! [`table!`](crate::table): a macro that declares a table once. It generates the struct of a row, the list of columns,
//! and the INSERT and UPDATE statements with their arguments.

/// Declares a struct for the rows of a table, and a macro that has the table's name and expands to the table's SQL.
///
/// Each field is a column. INSERT inserts the value of the field. If the field has an SQL expression (`= "…"`), INSERT
/// inserts this expression instead. `mut` marks a column that UPDATE sets to the value of the field. `key` marks the
/// column by which UPDATE selects the row. `kind as type` declares the field `kind` for the column `type`.
///
/// Columns that are written but not read are listed under `extra_columns`. If such a column has a type, it is a
/// parameter of `insert_args`. If it also has `mut`, it is a parameter of `update_args` too. If the column has an SQL
/// expression (`= "…"`), INSERT inserts the expression. If it also has `mut`, UPDATE sets the column to the expression.
///
/// The generated macro has these forms: `users!(COLUMNS)`, `users!(SELECT "WHERE …")`, `users!(INSERT)`,
/// `users!(INSERT "…")`, `users!(UPDATE)`, and for many rows `users!(INSERT_ALL sqlite "…")` and
/// `users!(INSERT_ALL postgres "…")`. The quoted text, for example an `ON CONFLICT`, is appended to the statement.
///
/// The methods `insert_args` and `update_args` of the struct return the arguments of INSERT and UPDATE.
/// `insert_all_arg` returns the only argument of INSERT_ALL, a JSON array with an object for each row. INSERT_ALL
/// cannot insert byte strings, which JSON does not have. A statement can have up to 30 arguments.
///
/// ```
/// use switchboard::store::{Result, Sql, statements, table};
///
/// table! {
///     /// A thing.
///     #[derive(Debug)]
///     pub struct Thing in things {
///         key id: i64,
///         mut name: String,
///         size: Option<i64>,
///         mut deleted_at: Option<i64> = "NULL",
///     }
///     extra_columns { mut name_key: &'a str, version = "1" }
/// }
///
/// statements! {
///     INSERT: Command = things!(INSERT);
///     UPDATE: Command = things!(UPDATE);
///     BY_ID: Query -> Thing = things!(SELECT "WHERE id = $1");
///     INSERT_ALL: Command =
///         sqlite things!(INSERT_ALL sqlite "WHERE true ON CONFLICT (id) DO NOTHING")
///         postgres things!(INSERT_ALL postgres "ON CONFLICT (id) DO NOTHING");
/// }
///
/// pub async fn insert<C: Sql>(c: &mut C, thing: &Thing) -> Result<()> {
///     c.exec(&INSERT, &thing.insert_args(&thing.name.to_lowercase())).await?;
///     Ok(())
/// }
///
/// assert_eq!(
///     INSERT.sqlite,
///     "INSERT INTO things (id, name, size, deleted_at, name_key, version) VALUES ($1, $2, $3, NULL, $4, 1)"
/// );
/// assert_eq!(
///     INSERT_ALL.sqlite,
///     "INSERT INTO things (id, name, size, deleted_at, name_key, version) \
///      SELECT value->>'id', value->>'name', value->>'size', NULL, value->>'name_key', 1 \
///      FROM json_each($1) WHERE true ON CONFLICT (id) DO NOTHING"
/// );
/// assert_eq!(
///     INSERT_ALL.postgres,
///     "INSERT INTO things (id, name, size, deleted_at, name_key, version) \
///      SELECT id, name, size, NULL, name_key, 1 \
///      FROM json_populate_recordset(NULL::things, CAST(CAST($1 AS TEXT) AS JSON)) ON CONFLICT (id) DO NOTHING"
/// );
/// let thing = Thing { id: 7, name: "A".to_owned(), size: None, deleted_at: None };
/// assert_eq!(
///     Thing::insert_all_arg([thing.insert_args("a")]).unwrap(),
///     r#"[{"id":7,"name":"A","size":null,"name_key":"a"}]"#
/// );
/// assert_eq!(UPDATE.sqlite, "UPDATE things SET name = $2, deleted_at = $3, name_key = $4 WHERE id = $1");
/// assert_eq!(BY_ID.sqlite, "SELECT id, name, size, deleted_at FROM things WHERE id = $1");
/// ```
#[macro_export]
macro_rules! table {
    // the names of the columns for which INSERT has an argument
    (@bound [$($done:tt)*] []) => { [$($done)*] };
    (@bound [$($done:tt)*] [($name:tt $sql:literal) $($rest:tt)*]) => {
        $crate::table!(@bound [$($done)*] [$($rest)*])
    };
    (@bound [$($done:tt)*] [(($($name:ident)+)) $($rest:tt)*]) => {
        $crate::table!(@bound [$($done)* $crate::table!(@name $($name)+),] [$($rest)*])
    };

    // "value->>'id', NULL" for SQLite, "id, NULL" for PostgreSQL
    (@sources $engine:ident $separator:literal [$($done:tt)*]) => { concat!($($done)*) };
    (@sources $engine:ident $separator:literal [$($done:tt)*] ($name:tt $sql:literal) $($rest:tt)*) => {
        $crate::table!(@sources $engine ", " [$($done)* $separator, $sql,] $($rest)*)
    };
    (@sources sqlite $separator:literal [$($done:tt)*] (($($name:ident)+)) $($rest:tt)*) => {
        $crate::table!(@sources sqlite ", "
            [$($done)* $separator, "value->>'", $crate::table!(@name $($name)+), "'",] $($rest)*)
    };
    (@sources postgres $separator:literal [$($done:tt)*] (($($name:ident)+)) $($rest:tt)*) => {
        $crate::table!(@sources postgres ", " [$($done)* $separator, $crate::table!(@name $($name)+),] $($rest)*)
    };

    // the name of a column
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $column:ident) => { stringify!($column) };

    // "id, name, type"
    (@names ($($first:ident)+) $(($($name:ident)+))*) => {
        concat!($crate::table!(@name $($first)+) $(, ", ", $crate::table!(@name $($name)+))*)
    };

    // "$1, $2, NULL": a placeholder for each column without an SQL expression
    (@values $separator:literal [$($done:tt)*] $numbers:tt) => { concat!($($done)*) };
    (@values $separator:literal [$($done:tt)*] $numbers:tt ($name:tt $sql:literal) $($rest:tt)*) => {
        $crate::table!(@values ", " [$($done)* $separator, $sql,] $numbers $($rest)*)
    };
    (@values $separator:literal [$($done:tt)*] [$number:literal $($numbers:literal)*] ($name:tt) $($rest:tt)*) => {
        $crate::table!(@values ", " [$($done)* $separator, "$", $number,] [$($numbers)*] $($rest)*)
    };

    // "name = $2, has_words = 1"
    (@assignments $separator:literal [$($done:tt)*] $numbers:tt) => { concat!($($done)*) };
    (@assignments $separator:literal [$($done:tt)*] $numbers:tt
        (($($name:ident)+) $sql:literal) $($rest:tt)*) => {
        $crate::table!(@assignments ", "
            [$($done)* $separator, $crate::table!(@name $($name)+), " = ", $sql,] $numbers $($rest)*)
    };
    (@assignments $separator:literal [$($done:tt)*] [$number:literal $($numbers:literal)*]
        (($($name:ident)+)) $($rest:tt)*) => {
        $crate::table!(@assignments ", "
            [$($done)* $separator, $crate::table!(@name $($name)+), " = $", $number,] [$($numbers)*] $($rest)*)
    };

    // Takes one field at a time and adds it to the struct, and to the lists of columns that are read, inserted and
    // updated. The second lists of `insert` and `update` contain the fields that are arguments. Their third lists, in
    // `@extra_columns`, contain the columns that are parameters of `insert_args` and `update_args`.
    (@field $head:tt struct [$($struct:tt)*] read [$($read:tt)*] key []
        insert [$($insert:tt)*] [$($inserted:tt)*] update $update:tt $updated:tt
        $(#[$meta:meta])* key $field:ident: $type:ty, $($rest:tt)*) => {
        $crate::table! { @field $head struct [$($struct)* $(#[$meta])* pub $field: $type,]
            read [$($read)* ($field)] key [$field]
            insert [$($insert)* (($field))] [$($inserted)* $field] update $update $updated $($rest)* }
    };
    (@field $head:tt struct [$($struct:tt)*] read [$($read:tt)*] key $key:tt
        insert [$($insert:tt)*] [$($inserted:tt)*] update [$($update:tt)*] [$($updated:tt)*]
        $(#[$meta:meta])* mut $field:ident $(as $column:ident)?: $type:ty, $($rest:tt)*) => {
        $crate::table! { @field $head struct [$($struct)* $(#[$meta])* pub $field: $type,]
            read [$($read)* ($field $($column)?)] key $key
            insert [$($insert)* (($field $($column)?))] [$($inserted)* $field]
            update [$($update)* (($field $($column)?))] [$($updated)* $field] $($rest)* }
    };
    (@field $head:tt struct [$($struct:tt)*] read [$($read:tt)*] key $key:tt
        insert [$($insert:tt)*] $inserted:tt update [$($update:tt)*] [$($updated:tt)*]
        $(#[$meta:meta])* mut $field:ident $(as $column:ident)?: $type:ty = $sql:literal, $($rest:tt)*) => {
        $crate::table! { @field $head struct [$($struct)* $(#[$meta])* pub $field: $type,]
            read [$($read)* ($field $($column)?)] key $key
            insert [$($insert)* (($field $($column)?) $sql)] $inserted
            update [$($update)* (($field $($column)?))] [$($updated)* $field] $($rest)* }
    };
    (@field $head:tt struct [$($struct:tt)*] read [$($read:tt)*] key $key:tt
        insert [$($insert:tt)*] [$($inserted:tt)*] update $update:tt $updated:tt
        $(#[$meta:meta])* $field:ident $(as $column:ident)?: $type:ty, $($rest:tt)*) => {
        $crate::table! { @field $head struct [$($struct)* $(#[$meta])* pub $field: $type,]
            read [$($read)* ($field $($column)?)] key $key
            insert [$($insert)* (($field $($column)?))] [$($inserted)* $field]
            update $update $updated $($rest)* }
    };
    (@field $head:tt struct [$($struct:tt)*] read [$($read:tt)*] key $key:tt
        insert [$($insert:tt)*] $inserted:tt update $update:tt $updated:tt
        $(#[$meta:meta])* $field:ident $(as $column:ident)?: $type:ty = $sql:literal, $($rest:tt)*) => {
        $crate::table! { @field $head struct [$($struct)* $(#[$meta])* pub $field: $type,]
            read [$($read)* ($field $($column)?)] key $key
            insert [$($insert)* (($field $($column)?) $sql)] $inserted update $update $updated $($rest)* }
    };
    (@field { $meta:tt $row:ident $table:ident { $($extra_columns:tt)* } } struct $struct:tt read $read:tt key $key:tt
        insert $insert:tt $inserted:tt update $update:tt $updated:tt) => {
        $crate::table! { @extra_columns { $meta $row $table } struct $struct read $read key $key
            insert $insert $inserted [] update $update $updated [] $($extra_columns)* }
    };

    // takes one column at a time from `extra_columns`
    (@extra_columns $head:tt struct $struct:tt read $read:tt key $key:tt
        insert [$($insert:tt)*] $inserted:tt $given:tt update [$($update:tt)*] $updated:tt $changed:tt
        mut $name:ident = $sql:literal $(, $($rest:tt)*)?) => {
        $crate::table! { @extra_columns $head struct $struct read $read key $key
            insert [$($insert)* (($name) $sql)] $inserted $given
            update [$($update)* (($name) $sql)] $updated $changed $($($rest)*)? }
    };
    (@extra_columns $head:tt struct $struct:tt read $read:tt key $key:tt
        insert [$($insert:tt)*] $inserted:tt [$($given:tt)*]
        update [$($update:tt)*] $updated:tt [$($changed:tt)*]
        mut $name:ident: $type:ty $(, $($rest:tt)*)?) => {
        $crate::table! { @extra_columns $head struct $struct read $read key $key
            insert [$($insert)* (($name))] $inserted [$($given)* ($name $type)]
            update [$($update)* (($name))] $updated [$($changed)* ($name $type)] $($($rest)*)? }
    };
    (@extra_columns $head:tt struct $struct:tt read $read:tt key $key:tt
        insert [$($insert:tt)*] $inserted:tt $given:tt update $update:tt $updated:tt $changed:tt
        $name:ident = $sql:literal $(, $($rest:tt)*)?) => {
        $crate::table! { @extra_columns $head struct $struct read $read key $key
            insert [$($insert)* (($name) $sql)] $inserted $given
            update $update $updated $changed $($($rest)*)? }
    };
    (@extra_columns $head:tt struct $struct:tt read $read:tt key $key:tt
        insert [$($insert:tt)*] $inserted:tt [$($given:tt)*] update $update:tt $updated:tt $changed:tt
        $name:ident: $type:ty $(, $($rest:tt)*)?) => {
        $crate::table! { @extra_columns $head struct $struct read $read key $key
            insert [$($insert)* (($name))] $inserted [$($given)* ($name $type)]
            update $update $updated $changed $($($rest)*)? }
    };

    (@extra_columns { [$($meta:tt)*] $row:ident $table:ident } struct [$($struct:tt)*]
        read [$(($field:ident $($column:ident)?))*] key $key:tt
        insert $insert:tt [$($inserted:ident)*] [$(($given:ident $given_type:ty))*]
        update $update:tt $updated:tt $changed:tt) => {
        $($meta)*
        pub struct $row { $($struct)* }

        $crate::row!($row { $($field $(as $column)?),* });

        impl $row {
            /// Returns the arguments of the table's INSERT.
            #[allow(
                clippy::needless_lifetimes,
                clippy::elidable_lifetime_names,
                reason = "parameters for `extra_columns` may be borrowed as well"
            )]
            pub fn insert_args<'a>(&'a self $(, $given: $given_type)*)
                -> [$crate::store::Val<'a>; [$(stringify!($inserted),)* $(stringify!($given)),*].len()] {
                [
                    $($crate::store::Col::val(&self.$inserted),)*
                    $($crate::store::Val::from($given)),*
                ]
            }

            /// Returns the argument of the table's INSERT_ALL. `rows` has the arguments of INSERT for each row.
            pub fn insert_all_arg<'a>(rows: impl IntoIterator<Item = [
                $crate::store::Val<'a>; [$(stringify!($inserted),)* $(stringify!($given)),*].len()
            ]>) -> $crate::store::Result<String> {
                $crate::store::json_rows(&$crate::table!(@bound [] $insert), rows)
            }
        }

        $crate::table! { @update_args $row key $key update $updated $changed }
        $crate::table! { @macro ($) $table read [$(($field $($column)?))*] insert $insert key $key update $update }
    };

    (@update_args $row:ident key [] update [] []) => {};
    (@update_args $row:ident key [$key:ident] update [] []) => {};
    (@update_args $row:ident key [$key:ident]
        update [$($updated:ident)*] [$(($changed:ident $changed_type:ty))*]) => {
        impl $row {
            /// Returns the arguments of the table's UPDATE.
            #[allow(
                clippy::needless_lifetimes,
                clippy::elidable_lifetime_names,
                reason = "parameters for `extra_columns` may be borrowed as well"
            )]
            pub fn update_args<'a>(&'a self $(, $changed: $changed_type)*)
                -> [$crate::store::Val<'a>; 1 + [$(stringify!($updated),)* $(stringify!($changed)),*].len()] {
                [
                    $crate::store::Col::val(&self.$key),
                    $($crate::store::Col::val(&self.$updated),)*
                    $($crate::store::Val::from($changed)),*
                ]
            }
        }
    };

    (@macro ($d:tt) $table:ident read [$($read:tt)*] insert [$(($new:tt $($sql:literal)?))*]
        key [$($key:ident)?] update [$($update:tt)*]) => {
        macro_rules! $table {
            (COLUMNS) => { $crate::table!(@names $($read)*) };
            (SELECT $d rest:literal) => {
                concat!("SELECT ", $crate::table!(@names $($read)*), " FROM ", stringify!($table), " ", $d rest)
            };
            (INSERT) => {
                concat!(
                    "INSERT INTO ",
                    stringify!($table),
                    " (",
                    $crate::table!(@names $($new)*),
                    ") VALUES (",
                    $crate::table!(@values "" [] [
                        1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
                    ] $(($new $($sql)?))*),
                    ")"
                )
            };
            (INSERT $d rest:literal) => { concat!($table!(INSERT), " ", $d rest) };
            (INSERT_ALL sqlite $d rest:literal) => {
                concat!(
                    "INSERT INTO ",
                    stringify!($table),
                    " (",
                    $crate::table!(@names $($new)*),
                    ") SELECT ",
                    $crate::table!(@sources sqlite "" [] $(($new $($sql)?))*),
                    " FROM json_each($1) ",
                    $d rest
                )
            };
            (INSERT_ALL postgres $d rest:literal) => {
                concat!(
                    "INSERT INTO ",
                    stringify!($table),
                    " (",
                    $crate::table!(@names $($new)*),
                    ") SELECT ",
                    $crate::table!(@sources postgres "" [] $(($new $($sql)?))*),
                    " FROM json_populate_recordset(NULL::",
                    stringify!($table),
                    ", CAST(CAST($1 AS TEXT) AS JSON)) ",
                    $d rest
                )
            };
            (UPDATE) => {
                concat!(
                    "UPDATE ",
                    stringify!($table),
                    " SET ",
                    $crate::table!(@assignments "" [] [
                        2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
                    ] $($update)*),
                    " WHERE ",
                    $(stringify!($key),)?
                    " = $1"
                )
            };
        }
    };

    ($(#[$meta:meta])* pub struct $row:ident in $table:ident { $($fields:tt)* }
        $(extra_columns { $($extra_columns:tt)* })?) => {
        $crate::table! { @field { [$(#[$meta])*] $row $table { $($($extra_columns)*)? } }
            struct [] read [] key [] insert [] [] update [] [] $($fields)* }
    };
}
