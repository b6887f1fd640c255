//! The database: that it can be opened, is up to date, keeps what it acknowledges, and takes writes.

use std::path::Path;

use super::{Finding, Patient};
use crate::{
    app,
    domain::time::Timestamp,
    platform::{clock::Clock, rng::Rng},
    store::{
        self, DatabaseUrl, Db, DbOptions, Engine, Newer, PostgresUrl, ReplicaReport,
        diagnose::{About, ReadAbout, RemoveProbe, WriteProbe},
    },
};

const CHECK: &str = "store";
const CLOCK: &str = "clock";
const SETTING: &str = "SWITCHBOARD_DATABASE_URL";
/// The oldest PostgreSQL that is known to work.
const OLDEST_POSTGRES: i64 = 150_000;
const DIRECT: &str = "SWITCHBOARD_DATABASE_DIRECT_URL";
const REPLICA: &str = "SWITCHBOARD_DATABASE_REPLICA_URL";
/// Connections of a node besides its pool: its number and the shared limits.
const EXTRA_CONNECTIONS: i64 = 6;
/// Seconds that two clocks may differ.
const FAIR_SKEW: i64 = 2;
/// Seconds from which on a difference of clocks is a failure.
const BAD_SKEW: i64 = 30;

/// Looks at the configured database.
pub async fn check(patient: &Patient) -> Vec<Finding> {
    let database = &patient.config.database;
    let remedy = "write it as docs/configuration.md shows";
    let url = match app::database_url(&database.url) {
        Ok(url) => url,
        Err(error) => return vec![failure(error.to_string()).cure(remedy)],
    };
    let (session_url, options) = match (app::session_url(database), app::database_options(database)) {
        (Ok(url), Ok(options)) => (url, DbOptions { connections: 2, ..options }),
        (Err(error), _) | (_, Err(error)) => {
            return vec![Finding::failure(CHECK, error.to_string()).of(DIRECT).cure(remedy)];
        }
    };
    if let DatabaseUrl::Sqlite(path) = &url
        && let Some(finding) = out_of_reach(path, &url)
    {
        return vec![finding];
    }
    // SQLite: held while we look, so that no server starts meanwhile
    let _owner = match store::own(&url) {
        Ok(owner) => owner,
        Err(error) => {
            return vec![failure(error.to_string()).cure("let the server's user write to the folder")];
        }
    };
    let mut findings = inspect(patient, &url, &session_url, options).await;
    match app::replica_url(database) {
        Ok(None) => {}
        Ok(Some(replica)) => findings.push(look_at_replica(&session_url, &replica).await),
        Err(error) => findings.push(Finding::failure(CHECK, error.to_string()).of(REPLICA).cure(remedy)),
    }
    findings
}

/// How the standby does that answers reads. A server goes on without it, but not with another database's.
async fn look_at_replica(url: &DatabaseUrl, replica: &PostgresUrl) -> Finding {
    let finding = match store::inspect_replica(url, replica).await {
        Ok(ReplicaReport::Follows { lag_bytes: 0 }) => {
            Finding::ok(CHECK, format!("{replica} is a read replica and has replayed everything"))
        }
        Ok(ReplicaReport::Follows { lag_bytes }) => {
            Finding::ok(CHECK, format!("{replica} is a read replica and {lag_bytes} bytes of the log behind"))
        }
        Ok(ReplicaReport::Stranger) => {
            Finding::failure(CHECK, format!("{replica} is another database: the server does not start"))
                .cure("name standbys of the same PostgreSQL cluster, and the same database")
        }
        Err(error) => Finding::warning(CHECK, format!("{replica}: {error}: reads go to the primary"))
            .cure("see that the standby runs and follows the primary"),
    };
    finding.of(REPLICA)
}

/// Why a SQLite database is not to be opened.
fn out_of_reach(path: &Path, url: &DatabaseUrl) -> Option<Finding> {
    if store::is_served(url) {
        let found = format!("a server holds {url}: its state is asked through the server");
        return Some(Finding::ok(CHECK, found).of(SETTING));
    }
    let Ok(about) = path.metadata() else {
        let found = format!("there is no database at {} yet", path.display());
        let remedy =
            "start `switchboard serve`, or run `switchboard migrate` as the server's user; or mend the path";
        return Some(Finding::warning(CHECK, found).of(SETTING).cure(remedy));
    };
    another_owner(&about).map(|owner| {
        let found = format!("{} is of the user {owner}, who this is not: it is left alone", path.display());
        let remedy = "run this as the server's user; opened by another, files that it cannot write might be left behind";
        Finding::warning(CHECK, found).of(SETTING).cure(remedy)
    })
}

/// The id of a file's user, when that is known to be another one than ours.
pub(super) fn another_owner(file: &std::fs::Metadata) -> Option<u32> {
    use std::os::unix::fs::MetadataExt as _;

    let ours = std::fs::metadata("/proc/self").ok()?.uid();
    Some(file.uid()).filter(|owner| *owner != ours)
}

fn failure(found: impl Into<String>) -> Finding {
    Finding::failure(CHECK, found).of(SETTING)
}

async fn inspect(
    patient: &Patient,
    url: &DatabaseUrl,
    session_url: &DatabaseUrl,
    options: DbOptions,
) -> Vec<Finding> {
    let newer = match store::inspect(session_url).await {
        Err(error) => {
            let setting = if options.direct.is_some() { DIRECT } else { SETTING };
            let found = format!("{session_url}: {error}");
            return vec![Finding::failure(CHECK, found).of(setting).cure(error.remedy())];
        }
        Ok(schema) if !schema.missing.is_empty() => {
            let number = schema.missing.len();
            let found = format!("{url} lacks {number} migrations, which `serve` applies at its start");
            let remedy = "run `switchboard migrate`, or start the server without --no-migrate";
            return vec![Finding::warning(CHECK, found).of(SETTING).cure(remedy)];
        }
        Ok(schema) => schema.newer,
    };
    let db = match Db::open(url, options).await {
        Ok(db) => db,
        Err(error) => return vec![failure(format!("{url}: {error}")).cure("see that the database runs")],
    };
    let mut findings = match read(&db, &patient.clock).await {
        Ok((about, skew)) => judge(patient, url, db.engine(), &about, skew),
        Err(error) => {
            vec![failure(format!("{url} cannot be read: {error}")).cure("look at the database's log")]
        }
    };
    findings.extend(newer.map(|newer| ahead_of_us(url, newer)));
    findings.push(match write(&db).await {
        Ok(()) => Finding::ok(CHECK, "takes writes"),
        Err(error) => failure(format!("{url} takes no writes: {error}"))
            .cure("see that the disk has room, and that the user may write"),
    });
    if let Err(error) = db.close().await {
        findings.push(failure(format!("{url} did not close in order: {error}")));
    }
    findings
}

/// The finding about a schema that is newer than this program.
fn ahead_of_us(url: &DatabaseUrl, newer: Newer) -> Finding {
    let Newer { found, known, .. } = newer;
    let found = format!(
        "{url} has migration {found}; this version knows none after {known} and works on the schema, but cannot back it up"
    );
    Finding::warning(CHECK, found).of(SETTING).cure("go on with the upgrade to the newer version")
}

/// What the database says of itself, and by how many seconds its clock is ahead of ours.
async fn read(db: &Db, clock: &Clock) -> store::Result<(About, i64)> {
    let before = clock.now();
    let about = db.read(ReadAbout).await?;
    Ok((about.clone(), ahead(Timestamp(about.now_micros), before, clock.now())))
}

/// By how many seconds another clock, read between two moments of ours, is ahead of it; 0 if it may be none.
pub(super) fn ahead(theirs: Timestamp, before: Timestamp, after: Timestamp) -> i64 {
    let micros = theirs.micros();
    let micros = (micros - after.micros()).max(0) + (micros - before.micros()).min(0);
    micros / 1_000_000
}

async fn write(db: &Db) -> store::Result<()> {
    let number = i64::from_le_bytes(Rng::os().bytes()) >> 1;
    db.write(WriteProbe(number)).await?;
    db.write(RemoveProbe(number)).await
}

fn judge(patient: &Patient, url: &DatabaseUrl, engine: Engine, about: &About, skew: i64) -> Vec<Finding> {
    let setting = |name: &str| about.setting(name).unwrap_or("unknown").to_owned();
    if engine == Engine::Sqlite {
        let (journal, synchronous) = (setting("journal_mode"), setting("synchronous"));
        // 2 is FULL
        return vec![match (journal.as_str(), synchronous.as_str()) {
            ("wal", "2") => Finding::ok(
                CHECK,
                format!("{url} is up to date; SQLite {}, WAL, synchronous", setting("version")),
            ),
            _ => failure(format!(
                "{url} would lose writes: journal_mode {journal}, synchronous {synchronous}"
            ))
            .cure(
                "put it on a local file system; on some network file systems SQLite has no write-ahead log",
            ),
        }];
    }
    let mut findings = vec![version(url, &setting("server_version_num"))];
    findings.extend(durable(url, &setting));
    findings.extend(connections(patient, &setting));
    findings.push(clocks("the database's clock", skew, SETTING));
    let bound = i64::from(patient.config.database.max_clock_skew_seconds);
    if skew.abs() > bound && !patient.config.test_clock {
        let found = format!("the clocks are more than {bound} s apart: the server would write nothing new");
        let remedy = "let NTP keep both clocks in step";
        let setting = "SWITCHBOARD_DATABASE_MAX_CLOCK_SKEW_SECONDS";
        findings.push(Finding::failure(CLOCK, found).of(setting).cure(remedy));
    }
    findings
}

fn version(url: &DatabaseUrl, version: &str) -> Finding {
    match version.parse::<i64>() {
        Ok(number) if number >= OLDEST_POSTGRES => {
            Finding::ok(CHECK, format!("{url} is up to date; PostgreSQL {}", number / 10_000))
        }
        _ => failure(format!("{url} is PostgreSQL {version}")).cure("PostgreSQL 15 or later is needed"),
    }
}

fn durable(url: &DatabaseUrl, setting: &impl Fn(&str) -> String) -> Vec<Finding> {
    let off: Vec<_> = ["fsync", "full_page_writes", "synchronous_commit"]
        .into_iter()
        .filter(|n| setting(n) == "off")
        .collect();
    if off.is_empty() {
        return vec![Finding::ok(CHECK, "what is acknowledged survives a crash: fsync, synchronous_commit")];
    }
    let found = format!("{url} loses acknowledged messages in a crash: {} off", off.join(", "));
    vec![failure(found).cure("turn them on in postgresql.conf, and for the role and the database")]
}

fn connections(patient: &Patient, setting: &impl Fn(&str) -> String) -> Option<Finding> {
    let number = |name| setting(name).parse::<i64>().ok();
    let allowed = number("max_connections")? - number("superuser_reserved_connections").unwrap_or(0);
    let wanted = i64::from(patient.config.database.max_connections) + EXTRA_CONNECTIONS;
    (wanted > allowed).then(|| {
        Finding::failure(CHECK, format!("a node may open {wanted} connections, PostgreSQL takes {allowed}"))
            .of("SWITCHBOARD_DATABASE_MAX_CONNECTIONS")
            .cure("lower it, or raise max_connections of PostgreSQL; every node needs its own")
    })
}

/// The finding about a clock that is so many seconds ahead of this machine's.
pub(super) fn clocks(what: &str, skew: i64, setting: &str) -> Finding {
    let found = match skew {
        0 => format!("{what} and this machine's agree"),
        ahead if ahead > 0 => format!("{what} is {ahead} s ahead of this machine's"),
        behind => format!("{what} is {} s behind this machine's", -behind),
    };
    let remedy =
        "let NTP keep both in step: ids, signatures of events and lifetimes of tokens go by the clock";
    match skew.abs() {
        skew if skew <= FAIR_SKEW => Finding::ok(CLOCK, found),
        skew if skew <= BAD_SKEW => Finding::warning(CLOCK, found).of(setting).cure(remedy),
        _ => Finding::failure(CLOCK, found).of(setting).cure(remedy),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_read_between_two_moments_may_be_right() {
        let at = Timestamp::from_seconds;
        assert_eq!(ahead(at(100), at(99), at(101)), 0);
        assert_eq!(ahead(at(150), at(99), at(100)), 50);
        assert_eq!(ahead(at(50), at(100), at(101)), -50);
    }

    #[test]
    fn differences_are_graded() {
        use crate::cli::doctor::finding::State;
        for (skew, state) in [
            (0, State::Ok),
            (-2, State::Ok),
            (3, State::Warning),
            (-31, State::Failure),
            (900, State::Failure),
        ] {
            assert_eq!(clocks("its clock", skew, SETTING).state, state, "{skew}");
        }
        assert!(clocks("its clock", -31, SETTING).found.contains("31 s behind"));
    }
}
