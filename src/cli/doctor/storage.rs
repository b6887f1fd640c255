//! Checks of the database: whether it can be opened, is up to date, is durable, and can be written.

use std::path::Path;

use super::{DoctorContext, Finding, ownership, secrets};
use crate::{
    app,
    domain::time::Timestamp,
    platform::{clock::Clock, ids::far_ahead, rng::Rng},
    store::{
        self, DatabaseUrl, Db, DbOptions, Engine, Newer, PostgresUrl, ReplicaReport, StoreError,
        diagnose::{DatabaseInfo, ReadDatabaseInfo, RemoveProbe, WriteProbe},
    },
};

const CHECK: &str = "store";
const CLOCK: &str = "clock";
const SETTING: &str = "SWITCHBOARD_DATABASE_URL";
/// The oldest supported PostgreSQL version, in the format of `server_version_num`.
const OLDEST_POSTGRES: i64 = 150_000;
const DIRECT: &str = "SWITCHBOARD_DATABASE_DIRECT_URL";
const REPLICA: &str = "SWITCHBOARD_DATABASE_REPLICA_URL";
/// Number of connections of a node outside its pool: one for its node number, two for signals between nodes (`NOTIFY`
/// and `LISTEN`), and five for the shared rate limits.
const EXTRA_CONNECTIONS: i64 = 8;
/// Maximum clock difference in seconds without a warning.
const MAX_SKEW: i64 = 2;
/// Maximum clock difference in seconds that leads to a warning. A larger difference is a failure.
const FAILURE_SKEW: i64 = 30;

/// Checks the configured database.
pub async fn check(context: &DoctorContext) -> Vec<Finding> {
    let database = &context.config.database;
    let remedy = "see docs/configuration.md for the format";
    let url = match app::database_url(&database.url) {
        Ok(url) => url,
        Err(error) => return vec![failure(error.to_string()).remedy(remedy)],
    };
    let (session_url, options) = match (app::session_url(database), app::database_options(database)) {
        (Ok(url), Ok(options)) => (url, DbOptions { connections: 2, ..options }),
        (Err(error), _) | (_, Err(error)) => {
            return vec![Finding::failure(CHECK, error.to_string()).of(DIRECT).remedy(remedy)];
        }
    };
    if let DatabaseUrl::Sqlite(path) = &url
        && let Some(finding) = not_openable(path, &url, context.offline)
    {
        return vec![finding];
    }
    // on SQLite, takes the lock that a server needs while it runs, so that no server starts during the check
    let _owner = match store::own(&url) {
        Ok(owner) => owner,
        Err(error) => {
            let remedy = "correct the path, or allow the server's user to write to the folder";
            return vec![failure(error.to_string()).remedy(remedy)];
        }
    };
    let mut findings = inspect(context, &url, &session_url, options).await;
    match app::replica_url(database) {
        Ok(None) => {}
        Ok(Some(replica)) => findings.push(check_replica(&session_url, &replica).await),
        Err(error) => findings.push(Finding::failure(CHECK, error.to_string()).of(REPLICA).remedy(remedy)),
    }
    findings
}

/// Checks the replica. A server starts without an available replica, but not with a replica of another database.
async fn check_replica(url: &DatabaseUrl, replica: &PostgresUrl) -> Finding {
    let finding = match store::inspect_replica(url, replica).await {
        Ok(ReplicaReport::Follows { lag_bytes: 0 }) => {
            Finding::ok(CHECK, format!("{replica} is a read replica and has replayed everything"))
        }
        Ok(ReplicaReport::Follows { lag_bytes }) => {
            Finding::ok(CHECK, format!("{replica} is a read replica and {lag_bytes} bytes behind"))
        }
        Ok(ReplicaReport::OtherDatabase) => {
            Finding::failure(CHECK, format!("{replica} is another database: the server does not start"))
                .remedy("name standbys of the same PostgreSQL cluster, and the same database")
        }
        Err(error) => Finding::warning(CHECK, format!("{replica}: {error}: reads go to the primary"))
            .remedy("check that the standby runs and follows the primary"),
    };
    finding.of(REPLICA)
}

/// Returns a finding if a SQLite database must not be opened, because a server has locked it, it does not exist, or it
/// belongs to another user. Unless `is_offline`, the later check `server` shows whether a locked database works.
fn not_openable(path: &Path, url: &DatabaseUrl, is_offline: bool) -> Option<Finding> {
    if store::is_served(url) {
        let finding = match is_offline {
            true => Finding::skipped(CHECK, format!("a server has locked {url}: not opened")),
            false => {
                let shown = "not opened; the check `server` shows whether the database works";
                Finding::ok(CHECK, format!("a server has locked {url}: {shown}"))
            }
        };
        return Some(finding.of(SETTING));
    }
    let missing = Finding::warning(CHECK, format!("there is no database at {} yet", path.display())).remedy(
        "start `switchboard serve`, or run `switchboard migrate` as the server's user; or correct the path",
    );
    ownership::refusal(CHECK, path, missing).map(|finding| finding.of(SETTING))
}

fn failure(found: impl Into<String>) -> Finding {
    Finding::failure(CHECK, found).of(SETTING)
}

async fn inspect(
    context: &DoctorContext,
    url: &DatabaseUrl,
    session_url: &DatabaseUrl,
    options: DbOptions,
) -> Vec<Finding> {
    let newer = match store::inspect(session_url).await {
        Err(error) => {
            let setting = if options.direct.is_some() { DIRECT } else { SETTING };
            let found = format!("{session_url}: {error}");
            return vec![Finding::failure(CHECK, found).of(setting).remedy(error.remedy())];
        }
        Ok(schema) if !schema.missing.is_empty() => {
            let number = schema.missing.len();
            let found = format!("{url} lacks {number} migrations, which `serve` applies when it starts");
            let remedy = "run `switchboard migrate`, or start the server without --no-migrate";
            return vec![Finding::warning(CHECK, found).of(SETTING).remedy(remedy)];
        }
        Ok(schema) => schema.newer,
    };
    let db = match Db::open(url, options).await {
        Ok(db) => db,
        Err(error) => return vec![failure(format!("{url}: {error}")).remedy("check that the database runs")],
    };
    let mut findings = match read(&db, &context.clock).await {
        Ok((about, skew)) => check_engine(context, url, db.engine(), &about, skew),
        Err(error) => {
            vec![failure(format!("{url} cannot be read: {error}")).remedy("check the database's log")]
        }
    };
    findings.extend(newer.map(|newer| newer_schema(url, newer)));
    if db.engine() == Engine::Sqlite && !context.config.test_clock {
        findings.extend(ids_ahead(url, &db, &context.clock).await);
    }
    findings.extend(secrets::stored(context, &db).await);
    findings.push(match write(&db).await {
        Ok(()) => Finding::ok(CHECK, "the database can be written"),
        Err(error) => failure(format!("{url} cannot be written: {error}"))
            .remedy("check that the disk has space, and that the user can write"),
    });
    if let Err(error) = db.close().await {
        findings.push(failure(format!("failed to close {url}: {error}")));
    }
    findings
}

/// Returns a warning about a schema that is newer than this version.
fn newer_schema(url: &DatabaseUrl, newer: Newer) -> Finding {
    let Newer { found, known, .. } = newer;
    let found = format!(
        "{url} has migration {found}; this version knows no migration after {known} and is compatible with the schema, \
         but cannot back up the database"
    );
    Finding::warning(CHECK, found).of(SETTING).remedy("complete the upgrade to the newer version")
}

/// Returns a warning if a server generated ids while its clock was far ahead. Only SQLite needs this check: on
/// PostgreSQL, the server ignores such ids.
async fn ids_ahead(url: &DatabaseUrl, db: &Db, clock: &Clock) -> Option<Finding> {
    let ahead = far_ahead(db.read(app::HighestId).await.ok()?, clock.now())?;
    let found = format!(
        "the time in the highest id of {url} is {} s ahead of this machine's clock, and new ids continue after that \
         id: a clock is or was wrong",
        ahead.as_secs()
    );
    let remedy = "synchronize the clock by NTP; ids keep their order, and follow the clock again when it passes that time";
    Some(Finding::warning(CLOCK, found).of(SETTING).remedy(remedy))
}

/// Reads the database's settings. Also returns by how many seconds the database's clock is ahead of this machine's
/// clock (negative if behind).
async fn read(db: &Db, clock: &Clock) -> store::Result<(DatabaseInfo, i64)> {
    let before = clock.now();
    let about = db.read(ReadDatabaseInfo).await?;
    Ok((about.clone(), ahead(Timestamp(about.now_micros), before, clock.now())))
}

/// Returns by how many seconds another clock is ahead of this machine's (negative if behind). `theirs` is the time of
/// the other clock, read between the times `before` and `after` of this machine's clock. If `theirs` is between these
/// times, the result is 0.
pub(super) fn ahead(theirs: Timestamp, before: Timestamp, after: Timestamp) -> i64 {
    let micros = theirs.micros();
    let micros = (micros - after.micros()).max(0) + (micros - before.micros()).min(0);
    micros / 1_000_000
}

async fn write(db: &Db) -> store::Result<()> {
    let number = i64::from_le_bytes(Rng::os().bytes()) >> 1;
    db.write(WriteProbe(number)).await?;
    match db.write(RemoveProbe(number)).await? {
        true => Ok(()),
        false => Err(StoreError::bug("the test value read back differs from the one written").into()),
    }
}

fn check_engine(
    context: &DoctorContext,
    url: &DatabaseUrl,
    engine: Engine,
    about: &DatabaseInfo,
    skew: i64,
) -> Vec<Finding> {
    let setting = |name: &str| about.setting(name).unwrap_or("unknown").to_owned();
    if engine == Engine::Sqlite {
        let (journal, synchronous) = (setting("journal_mode"), setting("synchronous"));
        // `PRAGMA synchronous` is 2 for FULL
        return vec![match (journal.as_str(), synchronous.as_str()) {
            ("wal", "2") => Finding::ok(
                CHECK,
                format!("{url} is up to date; SQLite {}, WAL, synchronous", setting("version")),
            ),
            _ => failure(format!(
                "{url} would lose writes: journal_mode {journal}, synchronous {synchronous}"
            ))
            .remedy(
                "put the database on a local file system; WAL does not work on some network file systems",
            ),
        }];
    }
    let mut findings = vec![version(url, &setting("server_version_num"))];
    findings.extend(durable(url, &setting));
    findings.extend(connections(context, &setting));
    findings.push(clocks("the database's clock", skew, SETTING));
    let bound = i64::from(context.config.database.max_clock_skew_seconds);
    if skew.abs() > bound && !context.config.test_clock {
        let found = format!(
            "the clocks of the database and of this machine are more than {bound} s apart: the server would insert no rows"
        );
        let remedy = "synchronize both clocks by NTP";
        let setting = "SWITCHBOARD_DATABASE_MAX_CLOCK_SKEW_SECONDS";
        findings.push(Finding::failure(CLOCK, found).of(setting).remedy(remedy));
    }
    findings
}

fn version(url: &DatabaseUrl, version: &str) -> Finding {
    match version.parse::<i64>() {
        Ok(number) if number >= OLDEST_POSTGRES => {
            Finding::ok(CHECK, format!("{url} is up to date; PostgreSQL {}", number / 10_000))
        }
        _ => failure(format!("{url} is PostgreSQL {version}")).remedy("PostgreSQL 15 or later is required"),
    }
}

fn durable(url: &DatabaseUrl, setting: &impl Fn(&str) -> String) -> Vec<Finding> {
    let off: Vec<_> = ["fsync", "full_page_writes", "synchronous_commit"]
        .into_iter()
        .filter(|name| setting(name) == "off")
        .collect();
    if !off.is_empty() {
        let found = format!("{url} can lose acknowledged writes in a crash: {} off", off.join(", "));
        let remedy = "turn them on in postgresql.conf, and for the role and the database";
        return vec![failure(found).remedy(remedy)];
    }
    let standbys = setting("synchronous_standby_names");
    if setting("synchronous_commit") == "local" && !["", "unknown"].contains(&standbys.as_str()) {
        let found = format!(
            "{url} can lose acknowledged writes in a failover: synchronous_commit is local, so commits do not wait for {standbys}"
        );
        let remedy = "set synchronous_commit to on in postgresql.conf, and for the role and the database";
        return vec![Finding::warning(CHECK, found).of(SETTING).remedy(remedy)];
    }
    vec![Finding::ok(CHECK, "acknowledged writes survive a crash: fsync, synchronous_commit")]
}

fn connections(context: &DoctorContext, setting: &impl Fn(&str) -> String) -> Option<Finding> {
    let number = |name| setting(name).parse::<i64>().ok();
    // PostgreSQL 15 has no `reserved_connections`
    let reserved = ["superuser_reserved_connections", "reserved_connections"];
    let allowed = number("max_connections")? - reserved.iter().filter_map(|name| number(name)).sum::<i64>();
    let database = &context.config.database;
    // behind a pooler, a node has one more connection, with which it checks COMMITs that timed out
    let extra = EXTRA_CONNECTIONS + i64::from(database.direct_url.is_some());
    let wanted = i64::from(database.max_connections) + extra;
    (wanted > allowed).then(|| {
        Finding::failure(CHECK, format!("a node can open {wanted} connections, PostgreSQL allows {allowed}"))
            .of("SWITCHBOARD_DATABASE_MAX_CONNECTIONS")
            .remedy(
                "lower the setting, or raise max_connections of PostgreSQL; it must suffice for the connections of \
                 all nodes together",
            )
    })
}

/// Returns the finding about a clock that is `skew` seconds ahead of this machine's clock (negative if behind).
pub(super) fn clocks(what: &str, skew: i64, setting: &str) -> Finding {
    let found = match skew {
        0 => format!("{what} and this machine's agree"),
        ahead if ahead > 0 => format!("{what} is {ahead} s ahead of this machine's"),
        behind => format!("{what} is {} s behind this machine's", -behind),
    };
    let remedy =
        "synchronize both by NTP: ids, signatures of events and lifetimes of tokens depend on the clock";
    match skew.abs() {
        skew if skew <= MAX_SKEW => Finding::ok(CLOCK, found),
        skew if skew <= FAILURE_SKEW => Finding::warning(CLOCK, found).of(setting).remedy(remedy),
        _ => Finding::failure(CLOCK, found).of(setting).remedy(remedy),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_whose_time_is_between_the_two_local_times_is_not_ahead() {
        let at = Timestamp::from_seconds;
        assert_eq!(ahead(at(100), at(99), at(101)), 0);
        assert_eq!(ahead(at(150), at(99), at(100)), 50);
        assert_eq!(ahead(at(50), at(100), at(101)), -50);
    }

    #[test]
    fn settings_that_lose_acknowledged_writes_are_reported() {
        use crate::cli::doctor::finding::CheckState;
        let url = "postgres://db.example/chat".parse::<DatabaseUrl>().unwrap();
        for (commit, standbys, state) in [
            ("on", "", CheckState::Ok),
            ("remote_apply", "*", CheckState::Ok),
            ("local", "", CheckState::Ok),
            ("local", "one, two", CheckState::Warning),
            ("off", "", CheckState::Failure),
            ("off", "*", CheckState::Failure),
        ] {
            let setting = |name: &str| match name {
                "synchronous_commit" => commit.to_owned(),
                "synchronous_standby_names" => standbys.to_owned(),
                _ => "on".to_owned(),
            };
            let found = durable(&url, &setting);
            assert_eq!(
                found.iter().map(|finding| finding.state).collect::<Vec<_>>(),
                [state],
                "{commit} {standbys}"
            );
        }
    }

    #[test]
    fn reserved_connections_are_not_available_to_a_node() {
        let context = DoctorContext {
            config: crate::config::Config::default(),
            key: None,
            callbacks: Vec::new(),
            send: None,
            offline: true,
            clock: Clock::system(),
        };
        let wanted = i64::from(context.config.database.max_connections) + EXTRA_CONNECTIONS;
        for (reserved, is_enough) in [("unknown", true), ("0", true), ("2", true), ("3", false)] {
            let setting = |name: &str| match name {
                "max_connections" => (wanted + 5).to_string(),
                "superuser_reserved_connections" => "3".to_owned(),
                "reserved_connections" => reserved.to_owned(),
                _ => "unknown".to_owned(),
            };
            let finding = connections(&context, &setting);
            assert_eq!(finding.is_none(), is_enough, "reserved_connections {reserved}: {finding:?}");
        }
    }

    #[test]
    fn clock_differences_are_graded() {
        use crate::cli::doctor::finding::CheckState;
        for (skew, state) in [
            (0, CheckState::Ok),
            (-2, CheckState::Ok),
            (3, CheckState::Warning),
            (-31, CheckState::Failure),
            (900, CheckState::Failure),
        ] {
            assert_eq!(clocks("its clock", skew, SETTING).state, state, "{skew}");
        }
        assert!(clocks("its clock", -31, SETTING).found.contains("31 s behind"));
    }
}
