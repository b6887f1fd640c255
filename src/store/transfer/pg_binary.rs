//! PostgreSQL's binary COPY format, as far as rows of integers, texts and bytes need it
//! (<https://www.postgresql.org/docs/current/sql-copy.html#SQL-COPY-FILE-FORMATS>).

use super::shape::{ColumnKind, Shape};
use super::value::Value;
use super::{Result, TransferError};

const SIGNATURE: &[u8; 11] = b"PGCOPY\n\xff\r\n\0";
/// Length of the header in bytes. The header has three fields: the signature, the flags (4 bytes), and the length of
/// the header extension (4 bytes). The extension is empty.
const HEADER: usize = 19;
/// The field count that marks the end of the rows.
const END: i16 = -1;

/// Writes the header of a stream.
pub(super) fn write_header(out: &mut Vec<u8>) {
    out.extend_from_slice(SIGNATURE);
    out.extend_from_slice(&[0; HEADER - SIGNATURE.len()]);
}

/// Writes the trailer of a stream.
pub(super) fn write_trailer(out: &mut Vec<u8>) {
    out.extend_from_slice(&END.to_be_bytes());
}

/// Appends a row.
///
/// # Errors
/// - If a text contains U+0000, which PostgreSQL cannot store.
/// - If a value is longer than 2³¹ − 1 bytes.
/// - If there are more than 32,767 columns.
pub(super) fn write_row(out: &mut Vec<u8>, shape: &Shape, row: &[Value<'_>]) -> Result<()> {
    let fields = i16::try_from(row.len()).map_err(|_| TransferError::refused("too many columns"))?;
    out.extend_from_slice(&fields.to_be_bytes());
    for (value, column) in row.iter().zip(&shape.columns) {
        match value {
            Value::Null => out.extend_from_slice(&(-1_i32).to_be_bytes()),
            Value::Integer(number) => write_field(out, &number.to_be_bytes())?,
            Value::Text(text) if text.contains('\0') => {
                return Err(TransferError::refused(format!(
                    "column {} of table {} holds a text with U+0000, which PostgreSQL cannot store",
                    column.name, shape.table
                )));
            }
            Value::Text(text) => write_field(out, text.as_bytes())?,
            Value::Bytes(bytes) => write_field(out, bytes)?,
        }
    }
    Ok(())
}

fn write_field(out: &mut Vec<u8>, bytes: &[u8]) -> Result<()> {
    let length = i32::try_from(bytes.len()).map_err(|_| TransferError::refused("a value is too long"))?;
    out.extend_from_slice(&length.to_be_bytes());
    out.extend_from_slice(bytes);
    Ok(())
}

/// Splits a stream from PostgreSQL into rows.
#[derive(Default)]
pub(super) struct Rows {
    waiting: Vec<u8>,
    at: usize,
    begun: bool,
    ended: bool,
}

impl Rows {
    /// Appends the next piece of the stream, and discards the rows that [`Rows::next`] has returned. To keep the buffer
    /// small, call [`Rows::next`] after each piece until it returns `None`.
    pub(super) fn take(&mut self, piece: &[u8]) {
        self.waiting.drain(..self.at);
        self.at = 0;
        self.waiting.extend_from_slice(piece);
    }

    /// Returns the next row; `None` if the next row is not yet completely received, or if the stream has ended.
    ///
    /// # Errors
    /// If the stream does not have the documented format, or if a row does not fit the columns of the shape.
    pub(super) fn next(&mut self, shape: &Shape) -> Result<Option<Vec<Value<'_>>>> {
        if !self.begun {
            let Some(header) = self.waiting.get(..HEADER) else { return Ok(None) };
            if !header.starts_with(SIGNATURE) || header[HEADER - 4..] != [0; 4] {
                return Err(malformed());
            }
            self.at = HEADER;
            self.begun = true;
        }
        let Some(end) = self.end_of_row()? else { return Ok(None) };
        let row = self.waiting.get(self.at..end).ok_or_else(malformed)?;
        self.at = end;
        parse(shape, row).map(Some)
    }

    /// Returns whether the trailer of the stream was read.
    pub(super) fn is_complete(&self) -> bool {
        self.ended
    }

    /// Returns the end of the row that starts at `self.at`; `None` if the row is not yet completely received, or if the
    /// stream has ended.
    fn end_of_row(&mut self) -> Result<Option<usize>> {
        let Some(fields) = self.number::<2>(self.at).map(i16::from_be_bytes) else { return Ok(None) };
        if fields == END {
            self.ended = true;
            return Ok(None);
        }
        let mut end = self.at + 2;
        for _ in 0..fields {
            let Some(length) = self.number::<4>(end).map(i32::from_be_bytes) else { return Ok(None) };
            if length < -1 {
                return Err(malformed());
            }
            end += 4 + usize::try_from(length).unwrap_or(0);
        }
        Ok((end <= self.waiting.len()).then_some(end))
    }

    fn number<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        self.waiting.get(at..at + N)?.try_into().ok()
    }
}

fn parse<'a>(shape: &Shape, row: &'a [u8]) -> Result<Vec<Value<'a>>> {
    let mut rest = row.get(2..).ok_or_else(malformed)?;
    let mut values = Vec::with_capacity(shape.columns.len());
    for column in &shape.columns {
        let (length, after) = rest.split_first_chunk::<4>().ok_or_else(malformed)?;
        let Ok(length) = usize::try_from(i32::from_be_bytes(*length)) else {
            values.push(Value::Null);
            rest = after;
            continue;
        };
        let (field, after) = after.split_at_checked(length).ok_or_else(malformed)?;
        rest = after;
        values.push(match column.kind {
            ColumnKind::Integer => {
                Value::Integer(i64::from_be_bytes(field.try_into().map_err(|_| malformed())?))
            }
            ColumnKind::Text => Value::Text(std::str::from_utf8(field).map_err(|_| malformed())?.into()),
            ColumnKind::Bytes => Value::Bytes(field.into()),
        });
    }
    if rest.is_empty() { Ok(values) } else { Err(malformed()) }
}

fn malformed() -> TransferError {
    TransferError::refused("PostgreSQL sent rows in an unexpected format")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape() -> Shape {
        let columns = [("a", "bigint", 1), ("b", "text", 0), ("c", "bytea", 0)];
        let described =
            columns.iter().map(|(name, kind, key)| ((*name).to_owned(), (*kind).to_owned(), *key));
        Shape::new("t", None, described.collect()).unwrap()
    }

    #[test]
    fn rows_round_trip_in_pieces_of_any_size() {
        let shape = shape();
        let rows = [
            vec![Value::Integer(-7), Value::Text("é".into()), Value::Bytes(vec![0, 1].into())],
            vec![Value::Integer(1), Value::Null, Value::Null],
            vec![Value::Integer(2), Value::Text("".into()), Value::Bytes(vec![].into())],
        ];
        let mut stream = Vec::new();
        write_header(&mut stream);
        for row in &rows {
            write_row(&mut stream, &shape, row).unwrap();
        }
        write_trailer(&mut stream);
        for size in [1, 2, 3, 7, 1000] {
            let mut reader = Rows::default();
            let mut found = Vec::new();
            for piece in stream.chunks(size) {
                reader.take(piece);
                while let Some(row) = reader.next(&shape).unwrap() {
                    let mut tally = super::super::value::Tally::default();
                    found.push(tally.add(&row).unwrap().to_vec());
                }
            }
            assert!(reader.is_complete());
            assert_eq!(
                found,
                ["[-7,\"é\",\"AAE=\"]\n", "[1,null,null]\n", "[2,\"\",\"\"]\n"].map(str::as_bytes)
            );
        }
    }

    #[test]
    fn a_text_with_u_0000_is_rejected() {
        let row = [Value::Integer(1), Value::Text("\0".into()), Value::Null];
        assert!(write_row(&mut Vec::new(), &shape(), &row).is_err());
    }
}
