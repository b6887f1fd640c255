//! `manifest.json`, which lists the contents of a backup. The manifest is written last, so a backup with a manifest is
//! complete.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::cli::failure::{Failure, Result};
use crate::domain::ids::FileId;
use crate::store::transfer::{Shape, TableSum};
use crate::store::{Engine, schema_version};

/// Version of the backup format that this version of the program writes and reads.
pub const FORMAT: u32 = 1;
/// File name of the manifest.
const MANIFEST: &str = "manifest.json";
/// Name of the file that marks an incomplete backup.
const INCOMPLETE: &str = "INCOMPLETE";
/// Name of the folder with the tables.
pub const TABLES: &str = "tables";
/// Name of the folder with the file contents.
pub const FILES: &str = "files";

/// The contents of a backup.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the backup format. Only backups with [`FORMAT`] can be restored.
    pub format: u32,
    /// Version of the program that created the backup.
    pub server_version: String,
    /// Number of the database's newest migration. Only a program with the same newest migration restores the backup.
    pub schema_version: i64,
    /// Engine of the source, for people to read. A backup can be restored on either engine.
    pub engine: String,
    /// Time when the backup began (RFC 3339).
    pub created_at: String,
    /// All copied tables, ordered by name.
    pub tables: Vec<TableEntry>,
    /// All file contents.
    pub files: Vec<FileEntry>,
    /// Ids of the files whose content the storage did not have.
    pub missing_files: Vec<String>,
    /// Ids of the keys that encrypt the secrets in the backup. The backup does not contain the keys.
    #[serde(default)]
    pub secret_keys: Vec<String>,
}

/// The field `format`, which is read before the other fields: another format can have other fields.
#[derive(Deserialize)]
struct Head {
    format: u32,
}

/// A table of a backup: `tables/NAME.jsonl.zst`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableEntry {
    /// Name of the table.
    pub name: String,
    /// Columns in the order of the values of a row.
    pub columns: Vec<ColumnEntry>,
    /// Number of rows.
    pub rows: u64,
    /// SHA-256 of the uncompressed lines, in hexadecimal.
    pub sha256: String,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnEntry {
    /// Name of the column.
    pub name: String,
    /// `integer`, `text` or `bytes`.
    pub kind: String,
}

/// The content of a file in a backup: `files/KEY`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// The file's id, which is also the key of its content in the storage.
    pub key: String,
    /// Size in bytes.
    pub size: u64,
    /// SHA-256 of the content, in hexadecimal.
    pub sha256: String,
}

impl TableEntry {
    /// Creates the entry of a table with the columns of `shape`.
    #[must_use]
    pub fn new(shape: &Shape, sum: TableSum) -> Self {
        Self { name: shape.table.to_owned(), columns: columns(shape), rows: sum.rows, sha256: sum.sha256 }
    }

    /// Returns the number of rows and the checksum.
    #[must_use]
    pub fn sum(&self) -> TableSum {
        TableSum { rows: self.rows, sha256: self.sha256.clone() }
    }

    /// Returns whether a table of a database has the same name and columns as this table.
    #[must_use]
    pub fn fits(&self, shape: &Shape) -> bool {
        self.name == shape.table && self.columns == columns(shape)
    }
}

fn columns(shape: &Shape) -> Vec<ColumnEntry> {
    let entry = |column: &crate::store::transfer::CopiedColumn| ColumnEntry {
        name: column.name.clone(),
        kind: column.kind.name().to_owned(),
    };
    shape.columns.iter().map(entry).collect()
}

impl Manifest {
    /// Creates the manifest of an empty backup.
    #[must_use]
    pub fn new(engine: Engine, created_at: String) -> Self {
        Self {
            format: FORMAT,
            server_version: env!("CARGO_PKG_VERSION").to_owned(),
            schema_version: schema_version(),
            engine: match engine {
                Engine::Sqlite => "sqlite",
                Engine::Postgres => "postgres",
            }
            .to_owned(),
            created_at,
            tables: Vec::new(),
            files: Vec::new(),
            missing_files: Vec::new(),
            secret_keys: Vec::new(),
        }
    }

    /// Returns the total number of rows.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.tables.iter().map(|table| table.rows).sum()
    }

    /// Returns the total size of the contents in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }

    /// Reads the manifest of a complete backup that this version can restore.
    ///
    /// # Errors
    /// [`Failure::Local`] if the backup is incomplete, damaged or unreadable, or has another format or schema.
    pub fn read(folder: &Path) -> Result<Self> {
        let refuse = |why: String| Failure::Local(format!("{}: {why}", folder.display()));
        if folder.join(INCOMPLETE).exists() {
            return Err(refuse(
                "this backup is incomplete and cannot be restored: make a new backup".to_owned(),
            ));
        }
        let path = folder.join(MANIFEST);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(refuse(
                    "there is no manifest.json: this is not a backup, or an incomplete one".to_owned(),
                ));
            }
            Err(error) => return Err(Failure::file("read", &path, &error)),
        };
        let damaged = |error: serde_json::Error| refuse(format!("manifest.json is damaged: {error}"));
        let Head { format } = serde_json::from_slice(&text).map_err(damaged)?;
        if format != FORMAT {
            return Err(refuse(format!(
                "the backup has format {format}, and this version reads format {FORMAT}: restore it with the version \
                 that made it"
            )));
        }
        let manifest: Self = serde_json::from_slice(&text).map_err(damaged)?;
        manifest.check_schema().map_err(refuse)?;
        manifest.check_names().map_err(refuse)?;
        Ok(manifest)
    }

    fn check_schema(&self) -> std::result::Result<(), String> {
        let (of_backup, supported) = (self.schema_version, schema_version());
        let version = &self.server_version;
        match of_backup.cmp(&supported) {
            std::cmp::Ordering::Equal => Ok(()),
            std::cmp::Ordering::Greater => Err(format!(
                "the backup was made by a newer version ({version:?}), or by a build from before the first release: \
                 the newest migration of the backup is {of_backup}, and that of this version is {supported}. Restore \
                 the backup with the version that made it"
            )),
            std::cmp::Ordering::Less => Err(format!(
                "the backup was made by an older version ({version:?}): the newest migration of the backup is \
                 {of_backup}, and that of this version is {supported}. Restore the backup with the older version, then \
                 upgrade"
            )),
        }
    }

    /// Rejects table names and file ids that could lead to a path outside the backup's folder.
    fn check_names(&self) -> std::result::Result<(), String> {
        let is_name = |name: &str| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        if let Some(table) = self.tables.iter().find(|table| !is_name(&table.name)) {
            return Err(format!("manifest.json is damaged: {:?} is not a table name", table.name));
        }
        match self.files.iter().find(|file| FileId::parse(&file.key).is_none()) {
            Some(file) => Err(format!("manifest.json is damaged: {:?} is not a file id", file.key)),
            None => Ok(()),
        }
    }

    /// Writes the manifest and removes the marker of an incomplete backup.
    ///
    /// # Errors
    /// [`Failure::Local`] if the manifest cannot be written or the marker cannot be removed.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let (path, temporary) = (folder.join(MANIFEST), folder.join(".manifest.json"));
        let failed = |error: &std::io::Error| Failure::file("write", &path, error);
        let mut file = create(&temporary)?;
        let mut text = serde_json::to_vec_pretty(self)
            .map_err(|error| Failure::Local(format!("cannot write the manifest: {error}")))?;
        text.push(b'\n');
        file.write_all(&text).and_then(|()| file.sync_all()).map_err(|error| failed(&error))?;
        // a crash between the removal of the marker and the rename leaves a folder without a manifest, which `read`
        // rejects as well
        let marker = folder.join(INCOMPLETE);
        fs::remove_file(&marker).map_err(|error| Failure::file("remove", &marker, &error))?;
        sync_folder(folder)?;
        fs::rename(&temporary, &path).map_err(|error| failed(&error))?;
        sync_folder(folder)
    }
}

/// Marks a folder as an incomplete backup.
///
/// # Errors
/// [`Failure::Local`] if the marker cannot be written.
pub fn mark_incomplete(folder: &Path) -> Result<()> {
    let path = folder.join(INCOMPLETE);
    let mut file = create(&path)?;
    let text = "This backup is still being made or was interrupted: it cannot be restored.\n";
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    written.map_err(|error| Failure::file("write", &path, &error))?;
    sync_folder(folder)
}

/// Creates a file of a backup, readable by its owner only.
///
/// # Errors
/// [`Failure::Local`] if the file exists or cannot be created.
pub fn create(path: &Path) -> Result<File> {
    let created = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    created.map_err(|error| Failure::file("create", path, &error))
}

/// Synchronizes a folder to the disk, so that the names of new and renamed files in it survive a crash.
///
/// # Errors
/// [`Failure::Local`] if the folder cannot be synchronized.
pub fn sync_folder(folder: &Path) -> Result<()> {
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(|error| Failure::file("synchronize", folder, &error))
}

/// Returns the path of a table's file.
#[must_use]
pub fn table_file(folder: &Path, table: &str) -> PathBuf {
    folder.join(TABLES).join(format!("{table}.jsonl.zst"))
}

/// Returns the path of the content of a file.
#[must_use]
pub fn content_file(folder: &Path, key: &str) -> PathBuf {
    folder.join(FILES).join(key)
}
