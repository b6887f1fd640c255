//! Timeouts of the database server ("the server") and of this process ("the client").
//!
//! The server ends a statement after `statement_timeout`, and a wait for a lock after `lock_timeout`. After either
//! timeout, the connection is still usable. The client's timeout of a statement is longer than the server's. The
//! client's timeouts apply if the server neither responds nor ends the statement: the server has disappeared without
//! closing the connection, the network is broken, or a COMMIT waits for a standby. The server has no timeout for the
//! wait for a standby.

use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, SqlSafeStr, SqlStr};

/// The client's timeout of a statement exceeds the server's timeout by this time.
const MARGIN: Duration = Duration::from_secs(1);

/// The client's timeout of a statement if the server's timeout is disabled.
const UNBOUNDED: Duration = Duration::from_secs(60);

/// The client's timeout of a COMMIT or ROLLBACK. If a COMMIT times out, the caller gets an error, and a task waits for
/// the response in the background (`overdue`).
pub(super) const COMMIT: Duration = Duration::from_secs(5);

/// The client's timeout of a ping, and of the store's own queries, which belong to no operation. For example, such a
/// query reads whether a COMMIT that timed out has succeeded.
pub(super) const PING: Duration = Duration::from_secs(1);

/// The client's timeout of a statement on a connection that is assumed to be lost, although no error was reported
/// (`losses`). It is counted from the start of the statement.
pub(super) const GRACE: Duration = Duration::from_secs(2);

/// The server's timeout of a transaction without a running statement. Between two statements of a transaction,
/// Switchboard takes only some milliseconds. So if this timeout is reached, the process or the network has failed. Then
/// the locks of the transaction must be released soon.
const IDLE_IN_TRANSACTION: Duration = Duration::from_secs(3);

/// How the pool reaches the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::store) enum Route {
    /// Without a pooler in transaction mode. Each connection is a session of the server.
    Direct,
    /// Through a pooler in transaction mode. Each transaction can run in another session of the server. The pooler
    /// accepts no startup options.
    Pooler {
        /// Whether the pooler supports named prepared statements (PgBouncer from 1.21 on, with
        /// `max_prepared_statements`).
        prepared: bool,
    },
}

/// The purpose of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Workload {
    /// Transactions that write.
    Write,
    /// Fast reads.
    Read,
    /// Reads that can be slow.
    Scan,
}

/// The timeouts of one store.
#[derive(Clone)]
pub(super) struct Timeouts {
    lock: Duration,
    statement: Duration,
    scan: Duration,
    route: Route,
    has_replica: bool,
    begins: Arc<BeginStatements>,
}

/// The statements that begin transactions, one for each kind of transaction. `read` is `None` if fast reads need no
/// transaction.
struct BeginStatements {
    write: Arc<str>,
    serializable: Arc<str>,
    read: Option<Arc<str>>,
    /// For fast reads whose statements must all run in the same session of the server.
    pinned: Arc<str>,
    scan: Arc<str>,
    snapshot: Arc<str>,
    snapshot_scan: Arc<str>,
}

impl Timeouts {
    /// Creates the timeouts from those of the server: `lock` for a wait for a lock, `scan` for a statement of a slow
    /// read ([`Workload::Scan`]), and `statement` for every other statement. A duration of 0 disables the timeout.
    pub(super) fn new(lock: Duration, statement: Duration, scan: Duration, route: Route) -> Self {
        let set_local = |statement: Duration| match route {
            Route::Direct => String::new(),
            // these settings are sent together with BEGIN, so they cost no round trip
            Route::Pooler { .. } => {
                let all =
                    settings(lock, statement).map(|(name, value)| format!("; SET LOCAL {name} = '{value}'"));
                all.concat()
            }
        };
        let scan_settings = match route {
            Route::Direct => format!("; SET LOCAL statement_timeout = '{}'", scan.as_millis()),
            Route::Pooler { .. } => set_local(scan),
        };
        let statement_settings = set_local(statement);
        let begins = BeginStatements {
            // The isolation level is set explicitly, because the default of the database can be another level. With
            // READ COMMITTED each statement has its own snapshot. So a statement that starts after a lock was granted
            // sees everything that was committed before the grant.
            write: format!("BEGIN ISOLATION LEVEL READ COMMITTED{statement_settings}").into(),
            serializable: format!("BEGIN ISOLATION LEVEL SERIALIZABLE{statement_settings}").into(),
            // An unnamed statement is parsed in one round trip and executed in the next. Outside of a transaction, a
            // pooler can use another server connection for the second round trip. So a read with unnamed statements
            // needs a transaction.
            read: (route == Route::Pooler { prepared: false })
                .then(|| format!("BEGIN READ ONLY{statement_settings}").into()),
            pinned: format!("BEGIN READ ONLY{statement_settings}").into(),
            scan: format!("BEGIN READ ONLY{scan_settings}").into(),
            snapshot: format!("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY{statement_settings}").into(),
            snapshot_scan: format!("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY{scan_settings}").into(),
        };
        Self { lock, statement, scan, route, has_replica: false, begins: Arc::new(begins) }
    }

    /// Returns the same timeouts for a store with a replica.
    pub(super) fn with_replica(self) -> Self {
        Self { has_replica: true, ..self }
    }

    /// Returns whether the store has a replica that may answer reads.
    pub(super) fn has_replica(&self) -> bool {
        self.has_replica
    }

    /// Returns whether statements are prepared by name and cached.
    pub(super) fn prepares(&self) -> bool {
        self.route != Route::Pooler { prepared: false }
    }

    /// Returns whether each connection is a session of the server.
    pub(super) fn is_direct(&self) -> bool {
        self.route == Route::Direct
    }

    /// Returns the client's timeout of a statement.
    pub(super) fn statement(&self, kind: Workload) -> Duration {
        self.server_timeout(kind).map_or(UNBOUNDED, |timeout| timeout + MARGIN)
    }

    /// Returns whether a statement of an operation can have reached the server's `statement_timeout`. `elapsed` is the
    /// time since the start of the current attempt to run the operation.
    pub(super) fn can_have_expired(&self, kind: Workload, elapsed: Duration) -> bool {
        self.server_timeout(kind).is_some_and(|timeout| elapsed >= timeout)
    }

    fn server_timeout(&self, kind: Workload) -> Option<Duration> {
        let timeout = if kind == Workload::Scan { self.scan } else { self.statement };
        (!timeout.is_zero()).then_some(timeout)
    }

    /// Returns the statement that begins a transaction; `None` if the operation needs no transaction. `snapshot` is
    /// whether all statements of the operation must see one state of the database.
    pub(super) fn begin(&self, kind: Workload, snapshot: bool) -> Option<SqlStr> {
        let text = match (kind, snapshot) {
            (Workload::Write, false) => &self.begins.write,
            (Workload::Write, true) => &self.begins.serializable,
            (Workload::Read, false) => self.begins.read.as_ref()?,
            (Workload::Read, true) => &self.begins.snapshot,
            (Workload::Scan, false) => &self.begins.scan,
            (Workload::Scan, true) => &self.begins.snapshot_scan,
        };
        Some(AssertSqlSafe(Arc::clone(text)).into_sql_str())
    }

    /// Returns the statement that begins a read transaction, even if the operation needs no transaction. In a
    /// transaction, all statements run in one session of the server, also behind a pooler.
    pub(super) fn begin_pinned(&self, kind: Workload, snapshot: bool) -> SqlStr {
        let pinned = || AssertSqlSafe(Arc::clone(&self.begins.pinned)).into_sql_str();
        self.begin(kind, snapshot).unwrap_or_else(pinned)
    }

    /// Returns the connect options of a connection of the store.
    pub(super) fn options(&self, connect: PgConnectOptions) -> PgConnectOptions {
        let connect = tuned(connect);
        if !self.is_direct() {
            // a pooler rejects startup parameters that it does not know
            return connect.extra_float_digits(None);
        }
        let session = [
            // no timeout: the pool closes idle connections itself, and a session that waits for notifications is always
            // idle
            ("idle_session_timeout", "0"),
            ("tcp_user_timeout", "30000"),
        ];
        connect.options(settings(self.lock, self.statement)).options(session).options(KEEPALIVES)
    }
}

fn settings(lock: Duration, statement: Duration) -> [(&'static str, String); 6] {
    [
        ("lock_timeout", lock.as_millis().to_string()),
        ("statement_timeout", statement.as_millis().to_string()),
        ("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION.as_millis().to_string()),
        // a high estimated cost triggers JIT compilation, which can take longer than the query itself
        ("jit", "off".to_owned()),
        // The statements are written so that the best plan does not depend on the arguments (docs/decisions/0018), and
        // planning can take longer than running. Without this setting, the server plans each execution again if array
        // arguments are shorter than it assumes for the generic plan.
        ("plan_cache_mode", "force_generic_plan".to_owned()),
        // An incremental sort looks cheap if most companies have few rows, and then sorts all rows of a company that has
        // many. Every page is read in the order of its index, so no statement needs an incremental sort.
        ("enable_incremental_sort", "off".to_owned()),
    ]
}

/// Keepalives, which the server sends. If a client has disappeared, the server closes its idle session within a minute.
/// Keepalives also prevent NAT gateways from dropping an idle session. The client cannot send keepalives, because sqlx
/// opens the socket and has no such option.
const KEEPALIVES: [(&str, &str); 3] =
    [("tcp_keepalives_idle", "30"), ("tcp_keepalives_interval", "10"), ("tcp_keepalives_count", "3")];

/// Removes the timeouts of a session. The names of the timeouts are read from `pg_settings`, because
/// `transaction_timeout` does not exist before PostgreSQL 17.
const REMOVE_TIMEOUTS: &str = "SELECT set_config(name, '0', false) FROM pg_settings
    WHERE name IN ('statement_timeout', 'lock_timeout', 'transaction_timeout',
        'idle_in_transaction_session_timeout', 'idle_session_timeout')";

/// Returns the commands that prepare a session for a migration or a transfer, which can take hours. They remove the
/// timeouts and turn on keepalives.
pub(super) fn long_session_settings() -> String {
    let keepalives = KEEPALIVES.map(|(name, value)| format!("; SET {name} = {value}"));
    // `tcp_user_timeout` is turned off for two reasons. Linux also applies it if the client does not read, for example
    // during a COPY whose rows are written to a slow target. And if it is set, Linux ignores the number of keepalives.
    format!("{REMOVE_TIMEOUTS}; SET tcp_user_timeout = 0{}", keepalives.concat())
}

/// Applies the options that every connection has.
pub(super) fn tuned(connect: PgConnectOptions) -> PgConnectOptions {
    connect.application_name("switchboard").statement_cache_capacity(512)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timeouts(route: Route) -> Timeouts {
        let seconds = Duration::from_secs;
        Timeouts::new(seconds(5), seconds(10), seconds(30), route)
    }

    fn begin(route: Route, kind: Workload, snapshot: bool) -> Option<String> {
        timeouts(route).begin(kind, snapshot).map(|text| text.as_str().to_owned())
    }

    #[test]
    fn timeouts_are_sent_with_begin_behind_a_pooler() {
        assert_eq!(
            begin(Route::Direct, Workload::Write, false).unwrap(),
            "BEGIN ISOLATION LEVEL READ COMMITTED"
        );
        assert_eq!(begin(Route::Direct, Workload::Read, false), None);
        let scan = begin(Route::Direct, Workload::Scan, false).unwrap();
        assert_eq!(scan, "BEGIN READ ONLY; SET LOCAL statement_timeout = '30000'");
        let pooler = Route::Pooler { prepared: true };
        let write = begin(pooler, Workload::Write, false).unwrap();
        assert!(write.contains("; SET LOCAL lock_timeout = '5000'; SET LOCAL statement_timeout = '10000'"));
        assert_eq!(begin(pooler, Workload::Read, false), None);
        assert!(
            begin(Route::Pooler { prepared: false }, Workload::Read, false)
                .unwrap()
                .starts_with("BEGIN READ ONLY;")
        );
    }

    #[test]
    fn long_sessions_have_keepalives_and_no_timeouts() {
        let settings = long_session_settings();
        for setting in [
            "'statement_timeout'",
            "'lock_timeout'",
            "'transaction_timeout'",
            "'idle_in_transaction_session_timeout'",
            "'idle_session_timeout'",
            "SET tcp_user_timeout = 0;",
            "SET tcp_keepalives_idle = 30;",
            "SET tcp_keepalives_interval = 10;",
            "SET tcp_keepalives_count = 3",
        ] {
            assert!(settings.contains(setting), "{settings}");
        }
    }

    #[test]
    fn client_timeouts_are_longer_than_the_servers() {
        let timeouts = timeouts(Route::Direct);
        assert_eq!(timeouts.statement(Workload::Write), Duration::from_secs(11));
        assert_eq!(timeouts.statement(Workload::Scan), Duration::from_secs(31));
        let unbounded = Timeouts::new(Duration::ZERO, Duration::ZERO, Duration::ZERO, Route::Direct);
        assert_eq!(unbounded.statement(Workload::Read), UNBOUNDED);
    }
}
