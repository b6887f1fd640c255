//! The tables of a backup. Each table is a file with one line for each row, in the canonical form that
//! [`transfer`](crate::store::transfer) defines. The file is compressed with Zstandard.

use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use zstd::stream::{read::Decoder, write::Encoder};

use super::manifest::{TableEntry, create, table_file};
use crate::cli::failure::{Failure, Result};
use crate::cli::progress::Progress;
use crate::domain::ids::FileId;
use crate::store::transfer::{Database, RowSource, Shape, Tally, TransferError, Value, parse_row};

/// Compression level: the default of Zstandard.
const LEVEL: i32 = 3;
/// Maximum length of a line in bytes. It limits the memory that a damaged file takes, and is far above the length of
/// the largest row.
const MAX_LINE: u64 = 256 << 20;

/// An uploaded file whose content was not purged, according to the database. Unless the file is deleted, the backup
/// must contain the content.
#[derive(Clone, Copy, Debug)]
pub struct Expected {
    /// Id of the file.
    pub id: FileId,
    /// Size in bytes.
    pub size: u64,
    /// Whether the file is deleted. The content of a deleted file may be missing, because it can be purged while the
    /// backup is made.
    pub is_deleted: bool,
}

/// Exports a table into the backup. For the table `files`, also adds to `expected` an entry for each content that was
/// not purged.
///
/// # Errors
/// [`Failure::Local`] if the table cannot be read or its file cannot be written.
pub async fn export(
    database: &mut Database,
    shape: &Shape,
    folder: &Path,
    progress: &mut Progress,
    expected: &mut Vec<Expected>,
) -> Result<TableEntry> {
    let path = table_file(folder, shape.table);
    let failed =
        |error: std::io::Error| TransferError::refused(format!("cannot write {}: {error}", path.display()));
    let mut out = compressor(create(&path)?).map_err(|error| Failure::file("write", &path, &error))?;
    let files = (shape.table == "files").then(|| FileColumns::of(shape)).flatten();
    let mut tally = Tally::default();
    let estimate = database.estimate(shape).await.map_err(|error| Failure::Local(error.to_string()))?;
    progress.begin(format_args!("table {}", shape.table), estimate, "rows");
    let done = database.each(shape, async |row: &[Value<'_>]| {
        out.write_all(tally.add(row)?).map_err(failed)?;
        expected.extend(files.as_ref().and_then(|files| files.content(row)));
        progress.advance(1);
        Ok(())
    });
    done.await.map_err(|error| Failure::Local(error.to_string()))?;
    let finished = out.finish().and_then(|out| out.into_inner().map_err(std::io::IntoInnerError::into_error));
    let synced = finished.and_then(|file: File| file.sync_all());
    synced.map_err(|error| Failure::file("write", &path, &error))?;
    progress.end();
    Ok(TableEntry::new(shape, tally.finish()))
}

fn compressor(file: File) -> std::io::Result<Encoder<'static, BufWriter<File>>> {
    let mut encoder = Encoder::new(BufWriter::new(file), LEVEL)?;
    encoder.include_checksum(true)?;
    Ok(encoder)
}

/// Indexes of the columns of the table `files` from which [`FileColumns::content`] creates an [`Expected`].
struct FileColumns {
    id: usize,
    size: usize,
    deleted_at: usize,
    purge_after: usize,
}

impl FileColumns {
    fn of(shape: &Shape) -> Option<Self> {
        let index = |name: &str| shape.columns.iter().position(|column| column.name == name);
        Some(Self {
            id: index("id")?,
            size: index("size")?,
            deleted_at: index("deleted_at")?,
            purge_after: index("purge_after")?,
        })
    }

    /// Returns the [`Expected`] of the file in a row of `files`. Returns `None` if the content was purged: the file is
    /// deleted, and its `purge_after` is null.
    fn content(&self, row: &[Value<'_>]) -> Option<Expected> {
        let is_null = |index: usize| matches!(row.get(index), Some(Value::Null));
        let (Some(Value::Integer(id)), Some(Value::Integer(size))) = (row.get(self.id), row.get(self.size))
        else {
            return None;
        };
        let is_deleted = !is_null(self.deleted_at);
        let has_content = !is_deleted || !is_null(self.purge_after);
        has_content.then(|| Expected { id: FileId(*id), size: size.unsigned_abs(), is_deleted })
    }
}

/// The file of a table in a backup, as a source of rows for a database.
pub struct TableFile<'a> {
    path: PathBuf,
    shape: &'a Shape,
}

impl<'a> TableFile<'a> {
    /// Creates the source of a table's rows. [`RowSource::each`] opens the file.
    #[must_use]
    pub fn new(folder: &Path, shape: &'a Shape) -> Self {
        Self { path: table_file(folder, shape.table), shape }
    }
}

impl RowSource for TableFile<'_> {
    async fn each(
        &mut self,
        mut row: impl AsyncFnMut(&[Value<'_>]) -> std::result::Result<(), TransferError>,
    ) -> std::result::Result<(), TransferError> {
        let mut lines = Lines::open(&self.path)?;
        while let Some(line) = lines.next()? {
            row(&parse_row(self.shape, line)?).await?;
        }
        Ok(())
    }
}

/// Reads a table's file and checks the number of rows and the checksum against the manifest.
///
/// # Errors
/// [`Failure::Local`] with the table's name if the file cannot be read or differs from the manifest.
pub fn verify(entry: &TableEntry, folder: &Path, progress: &mut Progress) -> Result<()> {
    use sha2::{Digest as _, Sha256};

    let damaged = |why: &dyn std::fmt::Display| {
        Failure::Local(format!("the backup is damaged: table {}: {why}", entry.name))
    };
    progress.begin(format_args!("verifying table {}", entry.name), entry.rows, "rows");
    let mut lines = Lines::open(&table_file(folder, &entry.name)).map_err(|error| damaged(&error))?;
    let (mut rows, mut hash) = (0_u64, Sha256::new());
    while let Some(line) = lines.next().map_err(|error| damaged(&error))? {
        rows += 1;
        hash.update(line);
        progress.advance(1);
    }
    if rows != entry.rows {
        return Err(damaged(&format_args!("it has {rows} rows, and the manifest says {}", entry.rows)));
    }
    if crate::platform::secrets::hex(&hash.finalize()) != entry.sha256 {
        return Err(damaged(&"its checksum differs from the manifest"));
    }
    progress.end();
    Ok(())
}

/// The lines of a compressed file.
struct Lines {
    path: PathBuf,
    reader: BufReader<Decoder<'static, BufReader<File>>>,
    line: Vec<u8>,
}

impl Lines {
    fn open(path: &Path) -> std::result::Result<Self, TransferError> {
        let failed = |error| unreadable(path, &error);
        let decoder = Decoder::new(File::open(path).map_err(failed)?).map_err(failed)?;
        Ok(Self { path: path.to_owned(), reader: BufReader::new(decoder), line: Vec::new() })
    }

    /// Returns the next line with its line feed; `None` at the end of the file. If a line has more than [`MAX_LINE`]
    /// bytes, it is returned in parts, which are not valid rows.
    fn next(&mut self) -> std::result::Result<Option<&[u8]>, TransferError> {
        use std::io::Read as _;

        self.line.clear();
        let mut bounded = self.reader.by_ref().take(MAX_LINE);
        let read =
            bounded.read_until(b'\n', &mut self.line).map_err(|error| unreadable(&self.path, &error))?;
        Ok((read > 0).then_some(&self.line[..]))
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> TransferError {
    TransferError::refused(format!("cannot read {}: {error}", path.display()))
}
