//! `switchboard move`: moves the database of a stopped deployment to another database. Both databases can be of either
//! engine.
//!
//! A *mark* in a database says that its data was moved to another database, or that a move or a restore into the
//! database is unfinished ([`marks`]). A server does not start on a database that has a mark. A move makes three
//! commits:
//!
//! 1. in the target: all rows, after they were compared with the rows of the source, and a mark;
//! 2. in the source: a mark that the database was moved, with the same time as the mark of the target;
//! 3. in the target: the removal of the mark.
//!
//! At every time during a move, servers accept at most one database with the data:
//!
//! - Before the first commit, the target has no rows. If the command is run again, it copies the rows again.
//! - Between the first and the second commit, servers accept only the source. If the command is run again, it deletes
//!   the rows of the target and copies them again.
//! - Between the second and the third commit, servers accept neither database. If the command is run again, it makes
//!   the third commit.
//!
//! `--undo` removes the mark of the source. After a complete move, servers then accept both databases, so the operator
//! must choose one of them.

use clap::Args;
use serde_json::json;

use super::answer::Answer;
use super::data::{SourceTable, database, failed, ready, refuse_filled};
use super::failure::{Failure, Result};
use super::progress::Progress;
use super::settings::SettingArgs;
use crate::domain::time::Timestamp;
use crate::platform::blobs::BlobLocation;
use crate::platform::clock::Clock;
use crate::platform::secrets::Secret;
use crate::store::transfer::marks::{self, Marked};
use crate::store::transfer::{Database, Isolation, Mark, TableSum, TransferError, TransferLock};
use crate::store::{self, DatabaseUrl};

/// Copy the database of a stopped deployment to another database
///
/// Both databases may be SQLite or PostgreSQL. The target must be a new or migrated database without rows.
/// Every table is read back and compared. The configured database is then marked as moved: servers refuse it
/// until `--undo`. The file contents stay where they are. After an interruption run the same command again.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  switchboard move --to postgres://switchboard@db.example.com/switchboard --config /etc/switchboard.toml
  switchboard move --undo --config /etc/switchboard.toml")]
pub struct MoveArgs {
    /// URL of the target. Other users of this machine can see a password in the URL in the process list; set
    /// PGPASSWORD instead
    #[arg(long, value_name = "URL", value_parser = secret, required_unless_present = "undo")]
    to: Option<Secret>,
    /// Remove the mark from the configured database, so that it can be served again
    ///
    /// What was written to the new database since the move is not copied back.
    #[arg(long, conflicts_with = "to")]
    undo: bool,
    #[command(flatten)]
    settings: SettingArgs,
}

#[expect(clippy::unnecessary_wraps, reason = "clap's signature")]
fn secret(text: &str) -> std::result::Result<Secret, std::convert::Infallible> {
    Ok(Secret::new(text))
}

/// Moves a deployment, or removes the mark of a move.
///
/// # Errors
/// [`Failure::Usage`] if the configuration or the URL is invalid, and [`Failure::Local`] for every other error.
pub async fn run(args: MoveArgs) -> Result<Answer> {
    let config = args.settings.load()?.config;
    let from = database(&config)?;
    let Some(to) = &args.to else { return undo(&from).await };
    let to: DatabaseUrl = to.expose().parse().map_err(|error| Failure::Usage(format!("--to: {error}")))?;
    let clock = Clock::system();
    let mut source_lock = TransferLock::acquire(&from, &clock).await.map_err(failed)?;
    if let Some(at) = handed_over(&from, &to).await? {
        let _lock = TransferLock::acquire(&to, &clock).await.map_err(failed)?;
        return finish(&from, &to, at, &config.files.location()).await;
    }
    source_lock.keep_schema().await.map_err(failed)?;
    ready(&from).await?;
    let mut target_lock = TransferLock::acquire(&to, &clock).await.map_err(failed)?;
    let is_retry = is_copy_of(&from, &to).await?;
    store::migrate(&to).await.map_err(failed)?;
    target_lock.keep_schema().await.map_err(failed)?;
    let mut progress = Progress::default();
    let mut source = Database::open(&from, Isolation::Exclusive).await.map_err(failed)?;
    let mut target = Database::open(&to, Isolation::Exclusive).await.map_err(failed)?;
    target.begin().await.map_err(failed)?;
    if is_retry {
        target.clear().await.map_err(failed)?;
    }
    let tables = copy(&mut source, &mut target, &mut progress).await?;
    target.derive().await.map_err(failed)?;
    source_lock.confirm().await.map_err(failed)?;
    target_lock.confirm().await.map_err(failed)?;
    hand_over((&mut source, &from), (&mut target, &to), clock.now(), &mut progress).await?;
    target.close().await;
    Ok(answer(&from, &to, &tables, &config.files.location()))
}

/// Copies and verifies every table.
async fn copy(
    source: &mut Database,
    target: &mut Database,
    progress: &mut Progress,
) -> Result<Vec<(&'static str, TableSum)>> {
    let (from, to) = (source.shapes().await.map_err(failed)?, target.shapes().await.map_err(failed)?);
    if from.len() != to.len() || !from.iter().zip(&to).all(|(from, to)| from.matches(to)) {
        return Err(Failure::Local("the two databases do not have the same tables and columns".to_owned()));
    }
    let mut sums = Vec::with_capacity(from.len());
    for shape in &from {
        let estimate = source.estimate(shape).await.map_err(failed)?;
        progress.begin(format_args!("table {}", shape.table), estimate, "rows");
        let mut feed = SourceTable { database: source, shape };
        let sent = target.load(shape, &mut feed, |rows| progress.advance(rows)).await.map_err(failed)?;
        let stored = target.sum(shape).await.map_err(failed)?;
        if stored != sent {
            return Err(Failure::Local(format!(
                "table {} differs from the source after the copy ({} of {} rows): nothing was moved",
                shape.table, stored.rows, sent.rows
            )));
        }
        progress.end();
        sums.push((shape.table, sent));
    }
    Ok(sums)
}

/// Returns the time of an earlier move between these databases that lacks only its third commit.
async fn handed_over(from: &DatabaseUrl, to: &DatabaseUrl) -> Result<Option<Timestamp>> {
    let Some(Mark::Moved { at, .. }) = marks::of(from).await.map_err(failed)? else { return Ok(None) };
    let mark = marks::of(to).await.map_err(failed)?;
    Ok(matches!(mark, Some(Mark::Moving { since, .. }) if since == at).then_some(at))
}

/// Returns whether the target contains the rows of an earlier, unfinished move from this source. The caller replaces
/// these rows.
///
/// # Errors
/// [`Failure::Local`] if the target has any other rows or any other mark.
async fn is_copy_of(from: &DatabaseUrl, to: &DatabaseUrl) -> Result<bool> {
    if let Some(Mark::Moving { from: earlier, .. }) = marks::of(to).await.map_err(failed)?
        && earlier == from.to_string()
    {
        return Ok(true);
    }
    match refuse_filled(to).await? {
        Some(mark) => Err(Failure::Local(format!("{to}: {}", Marked::from(mark)))),
        None => Ok(false),
    }
}

/// Makes the three commits of a move.
async fn hand_over(
    (source, from): (&mut Database, &DatabaseUrl),
    (target, to): (&mut Database, &DatabaseUrl),
    at: Timestamp,
    progress: &mut Progress,
) -> Result<()> {
    let moving = Mark::Moving { since: at, from: from.to_string() };
    target.set_mark(&moving).await.map_err(unfinished)?;
    target.commit().await.map_err(unfinished)?;
    progress.note("the target is complete");
    source.begin().await.map_err(unfinished)?;
    source.set_mark(&Mark::Moved { at, to: to.to_string() }).await.map_err(unfinished)?;
    source.commit().await.map_err(unfinished)?;
    progress.note("the source is marked as moved");
    open_target(target).await?;
    progress.note("moved");
    Ok(())
}

/// Removes the mark of the target, so that servers accept the target. This is the third commit.
async fn open_target(target: &mut Database) -> Result<()> {
    target.begin().await.map_err(unfinished)?;
    target.clear_marks().await.map_err(unfinished)?;
    target.commit().await.map_err(unfinished)
}

/// Converts an error of one of the three commits. It is unknown whether the commit took effect. The next run of the
/// command reads the marks to find out.
fn unfinished(error: TransferError) -> Failure {
    Failure::Local(format!("{error}. Run the same command again to finish the move"))
}

/// Makes the third commit of a move that an earlier run of the command began.
async fn finish(from: &DatabaseUrl, to: &DatabaseUrl, at: Timestamp, files: &BlobLocation) -> Result<Answer> {
    let mut target = Database::open(to, Isolation::Exclusive).await.map_err(failed)?;
    open_target(&mut target).await?;
    target.close().await;
    let document =
        json!({"ok": true, "from": from.to_string(), "to": to.to_string(), "begun_at": at.to_rfc3339()});
    let text = format!(
        "Finished the move of {at} from {from} to {to}.\n\
         Set database.url (SWITCHBOARD_DATABASE_URL) to the new URL. {}\n",
        kept_files(files)
    );
    Ok(Answer::new(document, text))
}

/// Removes the mark of a moved database.
///
/// # Errors
/// [`Failure::Local`] if the database is not marked as moved, or if the mark cannot be removed.
async fn undo(url: &DatabaseUrl) -> Result<Answer> {
    let _lock = TransferLock::acquire(url, &Clock::system()).await.map_err(failed)?;
    let marked = marks::of(url).await.map_err(failed)?;
    let Some(Mark::Moved { at, to }) = marked else {
        return Err(Failure::Local(format!("{url} is not marked as moved")));
    };
    let mut source = Database::open(url, Isolation::Exclusive).await.map_err(failed)?;
    source.begin().await.map_err(failed)?;
    source.clear_marks().await.map_err(failed)?;
    source.commit().await.map_err(failed)?;
    let document =
        json!({"ok": true, "database": url.to_string(), "moved_at": at.to_rfc3339(), "moved_to": to});
    let text = format!(
        "{url} can be served again. What was written to {to} since {at} is not in this database: never serve both \
         databases.\n"
    );
    Ok(Answer::new(document, text))
}

fn answer(
    from: &DatabaseUrl,
    to: &DatabaseUrl,
    tables: &[(&'static str, TableSum)],
    files: &BlobLocation,
) -> Answer {
    let sums: Vec<_> = tables
        .iter()
        .map(|(name, sum)| json!({"name": name, "rows": sum.rows, "sha256": sum.sha256}))
        .collect();
    let rows: u64 = tables.iter().map(|(_, sum)| sum.rows).sum();
    let document = json!({
        "ok": true,
        "from": from.to_string(),
        "to": to.to_string(),
        "tables": sums,
        "rows": rows,
        "files": location_of(files),
    });
    let text = format!(
        "Moved {rows} rows of {} tables from {from} to {to}.\n\
         Set database.url (SWITCHBOARD_DATABASE_URL) to the new URL. {}\n\
         Servers refuse the old database; `switchboard move --undo` makes them accept it again.\n",
        tables.len(),
        kept_files(files)
    );
    Answer::new(document, text)
}

fn location_of(files: &BlobLocation) -> String {
    match files {
        BlobLocation::Disk(folder) => format!("the folder {}", folder.display()),
        BlobLocation::S3(bucket) => format!("the bucket {}", bucket.name),
    }
}

/// Returns a sentence about where the files are and which setting the new deployment needs. `files.dir` must be set
/// even if it was unset, because its default is derived from the database URL, which changes.
fn kept_files(files: &BlobLocation) -> String {
    let (location, hint) = (location_of(files), "several nodes need a bucket or a shared folder");
    match files {
        BlobLocation::Disk(_) => {
            format!(
                "The file contents stay in {location}: set files.dir (SWITCHBOARD_FILES_DIR) to this folder; {hint}."
            )
        }
        BlobLocation::S3(_) => {
            format!("The file contents stay in {location}: keep the settings of files.s3.")
        }
    }
}
