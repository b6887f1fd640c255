//! `switchboard move`: the database of a stopped deployment to another one, on either engine.
//!
//! The target is written and verified in one transaction. The source is marked right before that is committed, so at no
//! moment both can be served.

use clap::Args;
use serde_json::json;

use super::answer::Answer;
use super::data::{SourceTable, database, failed, ready, refuse_filled};
use super::failure::{Failure, Result};
use super::progress::Progress;
use super::server::SettingArgs;
use crate::platform::blobs::Place;
use crate::platform::clock::Clock;
use crate::platform::secrets::Secret;
use crate::store::transfer::marks::Marked;
use crate::store::transfer::{Database, Hold, Isolation, Mark, TableSum};
use crate::store::{self, DatabaseUrl};

/// Copy the database of a stopped deployment to another database
///
/// From SQLite to PostgreSQL or back, into a database that is new or migrated, without rows. Every table is read back and
/// compared. The configured database is then marked as moved: servers refuse it until `--undo`. The contents of files stay
/// where they are.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  switchboard move --to postgres://switchboard@db.example.com/switchboard --config /etc/switchboard.toml
  switchboard move --undo --config /etc/switchboard.toml")]
pub struct MoveArgs {
    /// The new database. A password may be given in PGPASSWORD instead: other users can read command lines
    #[arg(long, value_name = "URL", value_parser = secret, required_unless_present = "undo")]
    to: Option<Secret>,
    /// Take the mark from the configured database, which may then be served again
    ///
    /// What was written to the new database since stays there.
    #[arg(long, conflicts_with = "to")]
    undo: bool,
    #[command(flatten)]
    settings: SettingArgs,
}

#[expect(clippy::unnecessary_wraps, reason = "clap's signature")]
fn secret(text: &str) -> std::result::Result<Secret, std::convert::Infallible> {
    Ok(Secret::new(text))
}

/// Moves a deployment, or takes the mark of a move away.
///
/// # Errors
/// [`Failure::Usage`] for the configuration and the address, else [`Failure::Local`].
pub async fn run(args: MoveArgs) -> Result<Answer> {
    let config = args.settings.load()?.config;
    let from = database(&config)?;
    let Some(to) = &args.to else { return undo(&from).await };
    let to: DatabaseUrl = to.expose().parse().map_err(|error| Failure::Usage(format!("--to: {error}")))?;
    let mut source_hold = Hold::take(&from).await.map_err(failed)?;
    ready(&from).await?;
    let mut target_hold = Hold::take(&to).await.map_err(failed)?;
    if let Some(mark) = refuse_filled(&to).await? {
        return Err(Failure::Local(format!("{to}: {}", Marked::from(mark))));
    }
    store::migrate(&to).await.map_err(failed)?;
    let mut progress = Progress::default();
    let mut source = Database::open(&from, Isolation::Exclusive).await.map_err(failed)?;
    let mut target = Database::open(&to, Isolation::Exclusive).await.map_err(failed)?;
    target.begin().await.map_err(failed)?;
    let tables = copy(&mut source, &mut target, &mut progress).await?;
    target.derive().await.map_err(failed)?;
    source_hold.confirm().await.map_err(failed)?;
    target_hold.confirm().await.map_err(failed)?;
    hand_over(&mut source, &mut target, &to, &mut progress).await?;
    target.close().await;
    Ok(answer(&from, &to, &tables, &config.files.place()))
}

/// Copies and verifies every table.
async fn copy(
    source: &mut Database,
    target: &mut Database,
    progress: &mut Progress,
) -> Result<Vec<(&'static str, TableSum)>> {
    let (from, to) = (source.shapes().await.map_err(failed)?, target.shapes().await.map_err(failed)?);
    if from.len() != to.len() || !from.iter().zip(&to).all(|(from, to)| from.matches(to)) {
        return Err(Failure::Local("the two databases do not have the same tables".to_owned()));
    }
    let mut sums = Vec::with_capacity(from.len());
    for shape in &from {
        let about = source.estimate(shape).await.map_err(failed)?;
        progress.begin(format_args!("table {}", shape.table), about, "rows");
        let mut feed = SourceTable { database: source, shape };
        let sent = target.load(shape, &mut feed, |rows| progress.advance(rows)).await.map_err(failed)?;
        let stored = target.sum(shape).await.map_err(failed)?;
        if stored != sent {
            return Err(Failure::Local(format!(
                "table {} was stored differently from what was sent ({} rows of {}): nothing was moved",
                shape.table, stored.rows, sent.rows
            )));
        }
        progress.end();
        sums.push((shape.table, sent));
    }
    Ok(sums)
}

/// Marks the source, then makes the target usable.
async fn hand_over(
    source: &mut Database,
    target: &mut Database,
    to: &DatabaseUrl,
    progress: &mut Progress,
) -> Result<()> {
    let mark = Mark::Moved { at: Clock::system().now(), to: to.to_string() };
    source.begin().await.map_err(failed)?;
    source.set_mark(&mark).await.map_err(failed)?;
    source.commit().await.map_err(failed)?;
    progress.note("the source is marked as moved");
    if let Err(error) = target.commit().await {
        // the target may have committed all the same: only its operator can see
        return Err(Failure::Local(format!(
            "{error}. See whether {to} has the data; if not, `switchboard move --undo` makes the source usable again"
        )));
    }
    progress.note("moved");
    Ok(())
}

/// Takes the mark of a move away.
async fn undo(url: &DatabaseUrl) -> Result<Answer> {
    let _hold = Hold::take(url).await.map_err(failed)?;
    let marked = store::transfer::marks::of(url).await.map_err(failed)?;
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
        "{url} can be served again. What was written to {to} since {at} is not in it: never serve both.\n"
    );
    Ok(Answer::new(document, text))
}

fn answer(
    from: &DatabaseUrl,
    to: &DatabaseUrl,
    tables: &[(&'static str, TableSum)],
    files: &Place,
) -> Answer {
    let sums: Vec<_> = tables
        .iter()
        .map(|(name, sum)| json!({"name": name, "rows": sum.rows, "sha256": sum.sha256}))
        .collect();
    let rows: u64 = tables.iter().map(|(_, sum)| sum.rows).sum();
    let files = match files {
        Place::Disk(folder) => format!("the folder {}", folder.display()),
        Place::S3(bucket) => format!("the bucket {}", bucket.name),
    };
    let document = json!({
        "ok": true,
        "from": from.to_string(),
        "to": to.to_string(),
        "tables": sums,
        "rows": rows,
        "files": files,
    });
    let text = format!(
        "Moved {rows} rows of {} tables from {from} to {to}.\n\
         Set database.url (SWITCHBOARD_DATABASE_URL) to the new address. The contents of files stay in {files}: keep that \
         setting; several nodes need a bucket or a shared folder.\n\
         The old database is refused by servers; `switchboard move --undo` takes that back.\n",
        tables.len()
    );
    Answer::new(document, text)
}
