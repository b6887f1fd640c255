//! The columns of a table that a transfer (a backup, a restore or a move) copies, as read from the schema, and the SQL
//! that reads and writes the table's rows.

use std::fmt::Write as _;

use super::tables::{Class, Classified, TABLES};
use super::{Result, TransferError};

/// The type of a column, the same on both engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnKind {
    /// A 64-bit integer.
    Integer,
    /// UTF-8 text.
    Text,
    /// Bytes.
    Bytes,
}

impl ColumnKind {
    /// Returns the name used in a backup's manifest.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::Text => "text",
            Self::Bytes => "bytes",
        }
    }

    /// Returns the kind of a declared SQLite or PostgreSQL type; `None` for a type that cannot be copied.
    fn of_type(declared: &str) -> Option<Self> {
        match declared {
            "INTEGER" | "bigint" => Some(Self::Integer),
            "TEXT" | "text" => Some(Self::Text),
            "BLOB" | "bytea" => Some(Self::Bytes),
            _ => None,
        }
    }
}

/// A column of a copied table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CopiedColumn {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: ColumnKind,
    /// Its position in the primary key, counted from 1; 0 if the column is not in the primary key.
    key: i64,
}

/// A table that a transfer copies: its columns, and the condition that its copied rows satisfy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The table's name.
    pub table: &'static str,
    /// Its columns, ordered by name, so that the order is the same on both engines.
    pub columns: Vec<CopiedColumn>,
    condition: Option<&'static str>,
}

/// A column as an engine describes it: name, declared type, position in the primary key.
pub(super) type ColumnDescription = (String, String, i64);

impl Shape {
    /// Creates the shape of a table.
    ///
    /// # Errors
    /// If a column has a type other than those of [`ColumnKind`], or the table has no primary key.
    pub(super) fn new(
        table: &'static str,
        condition: Option<&'static str>,
        described: Vec<ColumnDescription>,
    ) -> Result<Self> {
        let mut columns = Vec::with_capacity(described.len());
        for (name, declared, key) in described {
            let kind = ColumnKind::of_type(&declared).ok_or_else(|| {
                TransferError::refused(format!(
                    "column {name} of table {table} has the type {declared}, which cannot be copied"
                ))
            })?;
            columns.push(CopiedColumn { name, kind, key });
        }
        columns.sort_by(|a, b| a.name.cmp(&b.name));
        if !columns.iter().any(|column| column.key > 0) {
            return Err(TransferError::refused(format!("table {table} has no primary key to order rows by")));
        }
        Ok(Self { table, columns, condition })
    }

    /// Returns whether two shapes have the same table name and the same columns.
    #[must_use]
    pub fn matches(&self, other: &Self) -> bool {
        self.table == other.table && self.columns == other.columns
    }

    fn names(&self) -> String {
        let names: Vec<_> = self.columns.iter().map(|column| format!("\"{}\"", column.name)).collect();
        names.join(", ")
    }

    fn filter(&self) -> String {
        self.condition.map(|condition| format!(" WHERE {condition}")).unwrap_or_default()
    }

    /// Returns the query that selects all copied rows in primary key order. `text_order` is appended to each text
    /// column in `ORDER BY`. It is a `COLLATE` clause or empty.
    pub(super) fn select(&self, text_order: &str) -> String {
        let mut key: Vec<_> = self.columns.iter().filter(|column| column.key > 0).collect();
        key.sort_by_key(|column| column.key);
        let order: Vec<_> = key
            .iter()
            .map(|column| {
                let collation = if column.kind == ColumnKind::Text { text_order } else { "" };
                format!("\"{}\"{collation}", column.name)
            })
            .collect();
        format!(
            "SELECT {} FROM \"{}\"{} ORDER BY {}",
            self.names(),
            self.table,
            self.filter(),
            order.join(", ")
        )
    }

    /// Returns the query that checks whether the table has a row to copy.
    pub(super) fn exists(&self) -> String {
        format!("SELECT EXISTS (SELECT 1 FROM \"{}\"{})", self.table, self.filter())
    }

    /// Returns the query that counts the rows to copy.
    pub(super) fn count(&self) -> String {
        format!("SELECT COUNT(*) FROM \"{}\"{}", self.table, self.filter())
    }

    /// Returns the statement that inserts a row on SQLite.
    pub(super) fn insert(&self) -> String {
        let mut placeholders = String::new();
        for number in 1..=self.columns.len() {
            let comma = if number > 1 { ", " } else { "" };
            // writing to a String cannot fail
            let _ = write!(placeholders, "{comma}?{number}");
        }
        format!("INSERT INTO \"{}\" ({}) VALUES ({placeholders})", self.table, self.names())
    }

    /// Returns the COPY command with which PostgreSQL receives rows in the binary format.
    pub(super) fn copy_in(&self) -> String {
        format!("COPY \"{}\" ({}) FROM STDIN (FORMAT binary)", self.table, self.names())
    }
}

/// Returns each table of a schema with its [`Class`], which says whether the table is copied. The tables are ordered by
/// name.
///
/// # Errors
/// If a table is missing in [`TABLES`]. Without this error, a backup would silently omit the table.
pub(super) fn classify(found: &[String]) -> Result<Vec<Classified>> {
    let mut classes = Vec::with_capacity(found.len());
    for name in found {
        let Some(classified) = TABLES.iter().find(|classified| classified.name == name) else {
            return Err(TransferError::refused(format!(
                "the database has a table {name}, which this version does not know: the database is not from \
                 this version of Switchboard, or another program uses the database too"
            )));
        };
        classes.push(*classified);
    }
    classes.sort_by_key(|classified| classified.name);
    Ok(classes)
}

/// Returns the copied tables of a schema with their conditions.
pub(super) fn copied(found: &[String]) -> Result<Vec<(&'static str, Option<&'static str>)>> {
    let copied = classify(found)?.into_iter().filter_map(|classified| match classified.class {
        Class::Copied(condition) => Some((classified.name, condition)),
        Class::Derived(_) | Class::Transient(_) | Class::Schema => None,
    });
    Ok(copied.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(columns: &[(&str, &str, i64)]) -> Vec<ColumnDescription> {
        columns.iter().map(|(name, kind, key)| ((*name).to_owned(), (*kind).to_owned(), *key)).collect()
    }

    #[test]
    fn columns_are_ordered_by_name_and_rows_by_primary_key() {
        let columns = [("name", "TEXT", 2), ("id", "INTEGER", 0), ("company", "INTEGER", 1)];
        let shape = Shape::new("t", Some("id > 1"), described(&columns)).unwrap();
        assert_eq!(
            shape.select(" COLLATE \"C\""),
            r#"SELECT "company", "id", "name" FROM "t" WHERE id > 1 ORDER BY "company", "name" COLLATE "C""#
        );
        assert_eq!(shape.insert(), r#"INSERT INTO "t" ("company", "id", "name") VALUES (?1, ?2, ?3)"#);
    }

    #[test]
    fn tables_that_cannot_be_copied_are_rejected() {
        assert!(Shape::new("t", None, described(&[("at", "timestamp with time zone", 1)])).is_err());
        assert!(Shape::new("t", None, described(&[("id", "INTEGER", 0)])).is_err(), "no primary key");
        assert!(classify(&["users".to_owned(), "spatial_ref_sys".to_owned()]).is_err());
    }
}
