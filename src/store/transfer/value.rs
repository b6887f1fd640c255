//! The canonical form of a row, and the checksum of a table.
//!
//! A row is a JSON array on its own line. Integers are numbers, texts are strings, bytes are base64 (RFC 4648 §4), and
//! NULL is `null`. The columns are ordered by name, and the rows by primary key. Both engines produce the same lines
//! for the same data. So the SHA-256 of a table's lines can be compared between the engines, and with a backup.

use std::borrow::Cow;
use std::io::Write as _;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest as _, Sha256};

use super::shape::{ColumnKind, Shape};
use super::{Result, TransferError};
use crate::platform::secrets::hex;

/// A value of a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value<'a> {
    /// NULL.
    Null,
    /// A 64-bit integer.
    Integer(i64),
    /// Text.
    Text(Cow<'a, str>),
    /// Bytes.
    Bytes(Cow<'a, [u8]>),
}

/// The number of rows of a table, and their checksum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableSum {
    /// Number of rows.
    pub rows: u64,
    /// SHA-256 of the canonical lines, in hexadecimal.
    pub sha256: String,
}

/// Counts rows and computes their checksum.
#[derive(Default)]
pub struct Tally {
    rows: u64,
    hash: Sha256,
    line: Vec<u8>,
}

impl Tally {
    /// Adds a row and returns its line, including the line feed.
    ///
    /// # Errors
    /// Never in practice: writing to memory does not fail.
    pub fn add(&mut self, row: &[Value<'_>]) -> Result<&[u8]> {
        self.line.clear();
        write_row(&mut self.line, row).map_err(|error| TransferError::refused(error.to_string()))?;
        self.hash.update(&self.line);
        self.rows += 1;
        Ok(&self.line)
    }

    /// Returns the number of rows that were added.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the number of the added rows and their checksum.
    #[must_use]
    pub fn finish(self) -> TableSum {
        TableSum { rows: self.rows, sha256: hex(&self.hash.finalize()) }
    }
}

fn write_row(line: &mut Vec<u8>, row: &[Value<'_>]) -> std::io::Result<()> {
    line.push(b'[');
    for (index, value) in row.iter().enumerate() {
        if index > 0 {
            line.push(b',');
        }
        match value {
            Value::Null => line.extend_from_slice(b"null"),
            Value::Integer(number) => write!(line, "{number}")?,
            Value::Text(text) => serde_json::to_writer(&mut *line, text)?,
            Value::Bytes(bytes) => {
                line.push(b'"');
                line.extend_from_slice(STANDARD.encode(bytes).as_bytes());
                line.push(b'"');
            }
        }
    }
    line.extend_from_slice(b"]\n");
    Ok(())
}

/// Parses a row from its line in the canonical form.
///
/// # Errors
/// If the line does not match the columns of the table.
pub fn parse_row(shape: &Shape, line: &[u8]) -> Result<Vec<Value<'static>>> {
    let wrong = |what: &str| TransferError::refused(format!("a row of table {} {what}", shape.table));
    let cells: Vec<serde_json::Value> =
        serde_json::from_slice(line).map_err(|_| wrong("is not a JSON array"))?;
    if cells.len() != shape.columns.len() {
        return Err(wrong("has the wrong number of columns"));
    }
    let mut row = Vec::with_capacity(cells.len());
    for (cell, column) in cells.into_iter().zip(&shape.columns) {
        row.push(match (cell, column.kind) {
            (serde_json::Value::Null, _) => Value::Null,
            (serde_json::Value::Number(number), ColumnKind::Integer) => {
                let integer = number.as_i64();
                Value::Integer(integer.ok_or_else(|| wrong("has a number that is not a 64-bit integer"))?)
            }
            (serde_json::Value::String(text), ColumnKind::Text) => Value::Text(text.into()),
            (serde_json::Value::String(text), ColumnKind::Bytes) => Value::Bytes(
                STANDARD.decode(text).map_err(|_| wrong("has bytes that are not base64"))?.into(),
            ),
            _ => return Err(wrong("has a value of the wrong type")),
        });
    }
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape() -> Shape {
        let columns = [("a", "INTEGER", 1), ("b", "TEXT", 0), ("c", "BLOB", 0), ("d", "TEXT", 0)];
        let described =
            columns.iter().map(|(name, kind, key)| ((*name).to_owned(), (*kind).to_owned(), *key));
        Shape::new("t", None, described.collect()).unwrap()
    }

    #[test]
    fn a_row_round_trips_through_its_canonical_form() {
        let row = [
            Value::Integer(i64::MIN),
            Value::Text("quote \" line\nfeed é 😀 \u{1}".into()),
            Value::Bytes(vec![0, 255, 10].into()),
            Value::Null,
        ];
        let mut tally = Tally::default();
        let line = tally.add(&row).unwrap().to_vec();
        let line_feed = line.iter().position(|byte| *byte == b'\n');
        assert_eq!(line_feed, Some(line.len() - 1), "the only line feed is at the end");
        assert_eq!(parse_row(&shape(), &line).unwrap(), row);
        let line = tally.add(&[Value::Integer(i64::MAX), Value::Null, Value::Null, Value::Null]).unwrap();
        assert_eq!(line, b"[9223372036854775807,null,null,null]\n");
        assert_eq!(tally.finish().rows, 2);
    }

    #[test]
    fn lines_that_do_not_match_the_columns_are_rejected() {
        for line in
            ["[1,\"x\",null]", "{}", "[1.5,null,null,null]", "[1,2,null,null]", "[1,null,\"*\",null]", ""]
        {
            assert!(parse_row(&shape(), line.as_bytes()).is_err(), "{line}");
        }
    }
}
