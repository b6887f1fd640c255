//! `switchboard backup` copies the data of a deployment into a folder, and `switchboard restore` copies them from the
//! folder into an empty deployment. The format does not depend on the database engine.
//!
//! - [`manifest`]: `manifest.json`, which lists what a backup contains and marks it as complete.
//! - [`rows`]: the tables; [`contents`]: the file contents.
//! - [`restore`]: the command `switchboard restore`.
//!
//! The format is documented in `docs/backup.md`.

pub mod contents;
pub mod manifest;
pub mod restore;
pub mod rows;

use std::fs::{self, DirBuilder, Permissions};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use clap::Args;
use futures_util::{StreamExt as _, stream};
use serde_json::json;

use self::contents::{Exported, MAX_CONCURRENT};
use self::manifest::{FILES, Manifest, TABLES, mark_incomplete, sync_folder};
use self::rows::Expected;
use super::answer::Answer;
use super::data::{Deployment, failed, ready};
use super::failure::{Failure, Result};
use super::progress::Progress;
use super::settings::SettingArgs;
use crate::platform::blobs::Blobs;
use crate::platform::clock::Clock;
use crate::store::DatabaseUrl;
use crate::store::transfer::{Database, Isolation};

/// Copy the database and the contents of files into a folder
///
/// The server can keep running: the database is copied as of one moment, and the files afterwards. The folder must
/// be new or empty. Only its owner can read the backup, because it contains secrets. A backup can be restored on
/// SQLite and on PostgreSQL.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  switchboard backup /var/backups/switchboard/2026-11-22 --config /etc/switchboard.toml
  switchboard backup backup-1 --database-url sqlite:///srv/switchboard.db --files-dir /srv/files --json")]
pub struct BackupArgs {
    /// Folder for the backup; new or empty
    folder: PathBuf,
    #[command(flatten)]
    settings: SettingArgs,
}

/// The result of a backup.
struct BackupResult {
    manifest: Manifest,
    warnings: Vec<String>,
}

/// Makes a backup.
///
/// # Errors
/// [`Failure::Usage`] if the configuration is invalid, and [`Failure::Local`] for every other error. If copying fails,
/// the folder stays marked as incomplete.
pub async fn run(args: BackupArgs) -> Result<Answer> {
    let clock = Clock::system();
    let deployment = Deployment::new(&args.settings, &clock)?;
    ready(&deployment.url).await?;
    let blobs = deployment.open_storage()?;
    let folder = &args.folder;
    prepare(folder)?;
    let BackupResult { manifest, warnings } = make(&deployment.url, &blobs, folder, &clock).await?;
    let document = json!({
        "ok": true,
        "folder": folder,
        "engine": manifest.engine,
        "created_at": manifest.created_at,
        "schema_version": manifest.schema_version,
        "tables": manifest.tables.len(),
        "rows": manifest.rows(),
        "files": manifest.files.len(),
        "file_bytes": manifest.bytes(),
        "missing_files": manifest.missing_files,
        "secret_keys": manifest.secret_keys,
        "warnings": warnings,
    });
    let mut text = format!(
        "Backed up {} rows of {} tables and {} files ({} bytes) to {}.\n",
        manifest.rows(),
        manifest.tables.len(),
        manifest.files.len(),
        manifest.bytes(),
        folder.display()
    );
    if !manifest.secret_keys.is_empty() {
        text.push_str("The secrets in the backup are encrypted with the key ");
        text.push_str(&manifest.secret_keys.join(" and the key "));
        text.push_str(". The backup does not contain the keys: keep secrets.key elsewhere.\n");
    }
    for warning in &warnings {
        text.push_str("Warning: ");
        text.push_str(warning);
        text.push('\n');
    }
    Ok(Answer::new(document, text))
}

/// Creates the folder, or accepts an existing empty folder, and marks it as an incomplete backup.
fn prepare(folder: &Path) -> Result<()> {
    match fs::read_dir(folder).map(|mut entries| entries.next().is_none()) {
        Ok(false) => {
            let why = "is not empty: a backup goes into a new or empty folder";
            return Err(Failure::Local(format!("{} {why}", folder.display())));
        }
        Ok(true) => {
            let changed = fs::set_permissions(folder, Permissions::from_mode(0o700));
            changed.map_err(|error| Failure::file("change the mode of the folder", folder, &error))?;
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => make_folder(folder)?,
        Err(error) => return Err(Failure::file("read the folder", folder, &error)),
    }
    mark_incomplete(folder)?;
    for inner in [TABLES, FILES] {
        make_folder(&folder.join(inner))?;
    }
    Ok(())
}

fn make_folder(folder: &Path) -> Result<()> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|error| Failure::file("create the folder", folder, &error))
}

async fn make(url: &DatabaseUrl, blobs: &Blobs, folder: &Path, clock: &Clock) -> Result<BackupResult> {
    let mut progress = Progress::default();
    let created_at = clock.now().to_rfc3339();
    let (mut manifest, expected) = export_tables(url, folder, created_at, &mut progress).await?;
    let warnings = export_contents(blobs, expected, folder, &mut manifest, &mut progress).await?;
    for inner in [TABLES, FILES] {
        sync_folder(&folder.join(inner))?;
    }
    manifest.write(folder)?;
    progress.note("manifest written");
    Ok(BackupResult { manifest, warnings })
}

/// The path of the SQLite snapshot. Dropping the value deletes the file.
struct SnapshotFile(PathBuf);

impl Drop for SnapshotFile {
    fn drop(&mut self) {
        // Fails on PostgreSQL, where there is no file. If the process is killed before this value is dropped, the file
        // stays in the folder, which is still marked as incomplete.
        let _ = fs::remove_file(&self.0);
    }
}

async fn export_tables(
    url: &DatabaseUrl,
    folder: &Path,
    created_at: String,
    progress: &mut Progress,
) -> Result<(Manifest, Vec<Expected>)> {
    let snapshot = SnapshotFile(folder.join(".snapshot.db"));
    let mut database = Database::open(url, Isolation::Snapshot(&snapshot.0)).await.map_err(failed)?;
    progress.note("snapshot taken");
    let mut manifest = Manifest::new(database.engine(), created_at);
    let keys = database.keys_in_use().await.map_err(failed)?;
    manifest.secret_keys = keys.needed().map(|key| key.to_string()).collect();
    let mut expected = Vec::new();
    for shape in database.shapes().await.map_err(failed)? {
        let entry = rows::export(&mut database, &shape, folder, progress, &mut expected).await?;
        manifest.tables.push(entry);
    }
    database.end().await;
    Ok((manifest, expected))
}

/// Copies the file contents, adds them to the manifest, and returns warnings.
async fn export_contents(
    blobs: &Blobs,
    expected: Vec<Expected>,
    folder: &Path,
    manifest: &mut Manifest,
    progress: &mut Progress,
) -> Result<Vec<String>> {
    progress.begin("files", expected.len() as u64, "files");
    let mut warnings = Vec::new();
    let mut is_undeleted_missing = false;
    let copies = stream::iter(expected.iter().copied());
    let mut copies =
        copies.map(|content| contents::export(blobs, content, folder)).buffer_unordered(MAX_CONCURRENT);
    while let Some(copied) = copies.next().await {
        match copied? {
            Exported::Copied { entry, expected } => {
                if entry.size != expected {
                    warnings.push(format!(
                        "file {} has {} bytes, and the database says {expected}",
                        entry.key, entry.size
                    ));
                }
                manifest.files.push(entry);
            }
            Exported::Missing { key, is_deleted } => {
                is_undeleted_missing |= !is_deleted;
                manifest.missing_files.push(key);
            }
        }
        progress.advance(1);
    }
    progress.end();
    let missing = manifest.missing_files.len();
    if is_undeleted_missing && manifest.files.is_empty() {
        return Err(Failure::Local(format!(
            "the storage has none of the {missing} files: check that files.dir or files.s3 is this deployment's"
        )));
    }
    if missing > 0 {
        warnings.push(format!(
            "the storage does not have the contents of {missing} files: each content was purged after its \
             file was deleted, or is lost (missing_files in manifest.json)"
        ));
    }
    manifest.files.sort_by(|a, b| a.key.cmp(&b.key));
    manifest.missing_files.sort();
    for warning in &warnings {
        progress.note(format_args!("warning: {warning}"));
    }
    Ok(warnings)
}
