//! `switchboard restore`: restores a backup into an empty deployment.
//!
//! Before the command stores the first file content, it sets [`Mark::Restoring`] in the target database. No server
//! starts on a database with this mark. After the file contents, one transaction writes all tables and removes the
//! mark. Until the transaction commits, the command can be repeated.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::Args;
use futures_util::{StreamExt as _, stream};
use serde_json::json;

use super::contents::{self, MAX_CONCURRENT};
use super::manifest::Manifest;
use super::rows::{self, TableFile};
use crate::cli::answer::Answer;
use crate::cli::data::{Deployment, failed, refuse_filled};
use crate::cli::failure::{Failure, Result};
use crate::cli::progress::Progress;
use crate::cli::settings::SettingArgs;
use crate::platform::blobs::Blobs;
use crate::platform::clock::Clock;
use crate::platform::encryption::Keyring;
use crate::store::transfer::{Database, Isolation, Mark, Shape, TransferLock};
use crate::store::{self, DatabaseUrl};

/// Write a backup into an empty database and an empty file storage
///
/// The whole backup is verified before anything is written. The database may be new or migrated, without rows.
/// It may be SQLite or PostgreSQL, regardless of the engine that the backup was made from. After an interruption,
/// servers refuse the database until the command has been run again.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  switchboard restore /var/backups/switchboard/2026-11-22 --config /etc/switchboard.toml
  switchboard restore backup-1 --database-url postgres://switchboard@db.example.com/switchboard --files-dir /srv/files")]
pub struct RestoreArgs {
    /// Folder of the backup
    folder: PathBuf,
    #[command(flatten)]
    settings: SettingArgs,
}

/// Restores a backup.
///
/// # Errors
/// [`Failure::Usage`] if the configuration is invalid, and [`Failure::Local`] for every other error.
pub async fn run(args: RestoreArgs) -> Result<Answer> {
    let clock = Clock::system();
    let folder = &args.folder;
    let manifest = Manifest::read(folder)?;
    let deployment = Deployment::new(&args.settings, &clock)?;
    let url = &deployment.url;
    refuse_without_keys(&manifest, &deployment.keys)?;
    let mut lock = TransferLock::acquire(url, &clock).await.map_err(failed)?;
    let is_retry = matches!(refuse_filled(url).await?, Some(Mark::Restoring { .. }));
    let blobs = &deployment.open_storage()?;
    refuse_filled_storage(blobs, &manifest, is_retry).await?;
    let mut progress = Progress::default();
    verify(&manifest, folder, &mut progress).await?;
    progress.note("the backup is complete and undamaged");
    store::migrate(url).await.map_err(failed)?;
    lock.keep_schema().await.map_err(failed)?;
    let mut database = Database::open(url, Isolation::Exclusive).await.map_err(failed)?;
    let shapes = fitting(&mut database, &manifest).await?;
    database.set_mark(&Mark::Restoring { since: clock.now() }).await.map_err(failed)?;
    progress.note("the database is marked: servers refuse it until it is restored");
    restore_contents(blobs, &manifest, folder, &mut progress).await?;
    load(&mut database, &mut lock, &shapes, &manifest, folder, &mut progress).await?;
    progress.note("restored");
    database.close().await;
    Ok(answer(url, &manifest))
}

/// Rejects a backup whose secrets cannot be decrypted with the configured keys. A server would not start on the
/// restored database.
fn refuse_without_keys(manifest: &Manifest, keys: &Keyring) -> Result<()> {
    let known: Vec<_> = keys.ids().iter().map(ToString::to_string).collect();
    let missing: Vec<_> = manifest.secret_keys.iter().filter(|key| !known.contains(key)).collect();
    match missing.first() {
        None => Ok(()),
        Some(key) => Err(Failure::Local(format!(
            "the secrets in the backup are encrypted with the key {}, which is not configured: set secrets.key \
             (SWITCHBOARD_SECRETS_KEY_FILE) to the key of the deployment that was backed up",
            key.escape_debug()
        ))),
    }
}

/// Rejects a file storage that is not empty. After an interrupted restore (`is_retry`), contents of this backup's files
/// are allowed, and the restore replaces them.
async fn refuse_filled_storage(blobs: &Blobs, manifest: &Manifest, is_retry: bool) -> Result<()> {
    let known: HashSet<&str> = manifest.files.iter().map(|file| file.key.as_str()).collect();
    contents::refuse_others(blobs, |key| is_retry && known.contains(key)).await
}

/// Checks all tables and file contents in the folder against the manifest.
async fn verify(manifest: &Manifest, folder: &Path, progress: &mut Progress) -> Result<()> {
    for entry in &manifest.tables {
        rows::verify(entry, folder, progress)?;
    }
    progress.begin("verifying files", manifest.files.len() as u64, "files");
    let files = stream::iter(&manifest.files).map(|entry| contents::verify(entry, folder));
    let mut files = files.buffer_unordered(MAX_CONCURRENT);
    while let Some(verified) = files.next().await {
        verified?;
        progress.advance(1);
    }
    progress.end();
    Ok(())
}

/// Returns the tables of the target database. Fails if their names or columns differ from those of the backup.
async fn fitting(database: &mut Database, manifest: &Manifest) -> Result<Vec<Shape>> {
    let shapes = database.shapes().await.map_err(failed)?;
    let fits = shapes.len() == manifest.tables.len()
        && shapes.iter().zip(&manifest.tables).all(|(shape, entry)| entry.fits(shape));
    if fits {
        return Ok(shapes);
    }
    let different = shapes.iter().find(|shape| !manifest.tables.iter().any(|entry| entry.fits(shape)));
    let table = different.map_or("the backup has more tables", |shape| shape.table);
    Err(Failure::Local(format!(
        "the backup and this version do not have the same tables and columns ({table}): restore the backup with the \
         version that made it ({})",
        manifest.server_version
    )))
}

async fn restore_contents(
    blobs: &Blobs,
    manifest: &Manifest,
    folder: &Path,
    progress: &mut Progress,
) -> Result<()> {
    progress.begin("files", manifest.files.len() as u64, "files");
    let files = stream::iter(&manifest.files).map(|entry| contents::restore(blobs, entry, folder));
    let mut files = files.buffer_unordered(MAX_CONCURRENT);
    while let Some(stored) = files.next().await {
        stored?;
        progress.advance(1);
    }
    progress.end();
    Ok(())
}

/// Writes all tables and removes the mark, in one transaction.
async fn load(
    database: &mut Database,
    lock: &mut TransferLock,
    shapes: &[Shape],
    manifest: &Manifest,
    folder: &Path,
    progress: &mut Progress,
) -> Result<()> {
    database.begin().await.map_err(failed)?;
    for (shape, entry) in shapes.iter().zip(&manifest.tables) {
        progress.begin(format_args!("table {}", shape.table), entry.rows, "rows");
        let mut feed = TableFile::new(folder, shape);
        let loaded = database.load(shape, &mut feed, |rows| progress.advance(rows)).await.map_err(failed)?;
        let stored = database.sum(shape).await.map_err(failed)?;
        if loaded != entry.sum() || stored != loaded {
            return Err(Failure::Local(format!(
                "table {} has different rows in the database than in the backup: no table was restored, and servers \
                 refuse the database until a restore succeeds",
                shape.table
            )));
        }
        progress.end();
    }
    database.derive().await.map_err(failed)?;
    database.clear_marks().await.map_err(failed)?;
    lock.confirm().await.map_err(failed)?;
    database.commit().await.map_err(failed)
}

fn answer(url: &DatabaseUrl, manifest: &Manifest) -> Answer {
    let document = json!({
        "ok": true,
        "database": url.to_string(),
        "created_at": manifest.created_at,
        "tables": manifest.tables.len(),
        "rows": manifest.rows(),
        "files": manifest.files.len(),
        "file_bytes": manifest.bytes(),
        "missing_files": manifest.missing_files,
    });
    let text = format!(
        "Restored {} rows of {} tables and {} files ({} bytes) into {url}. The data are as of {}.\n",
        manifest.rows(),
        manifest.tables.len(),
        manifest.files.len(),
        manifest.bytes(),
        manifest.created_at.escape_debug()
    );
    Answer::new(document, text)
}
