//! Timeouts, of the server and of this client.
//!
//! The server ends a statement after `statement_timeout` and a lock wait after `lock_timeout`, and the connection stays
//! usable. The client's timeouts are longer. They apply when the server cannot end a statement: it disappeared
//! silently, the network is broken, or a COMMIT waits for a standby. No timeout of the server limits the wait for a
//! standby.

use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, SqlSafeStr, SqlStr};

/// How much longer the client waits for a statement than the server's timeout.
const MARGIN: Duration = Duration::from_secs(1);

/// The client's timeout of a statement if the server's is disabled.
const UNBOUNDED: Duration = Duration::from_secs(60);

/// How long a COMMIT or ROLLBACK may take before the caller gets a response. A slower COMMIT is
/// awaited in the background (`overdue`).
pub(super) const COMMIT: Duration = Duration::from_secs(5);

/// Timeout of a ping and of the store's own queries.
pub(super) const PING: Duration = Duration::from_secs(1);

/// Maximum time of a statement, from its start, once connections of its epoch (`losses`) were silently lost.
pub(super) const GRACE: Duration = Duration::from_secs(2);

/// How long a transaction may stay open without a statement. Switchboard leaves none open for longer than some
/// milliseconds. So if the limit is reached, the process or the network failed, and the locks must be released soon.
const IDLE_IN_TRANSACTION: Duration = Duration::from_secs(3);

/// How the pool reaches the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::store) enum Route {
    /// Each connection is a session of its own.
    Direct,
    /// Through a pooler in transaction mode: a session lasts for one transaction and accepts no
    /// startup options.
    Pooler {
        /// Whether the pooler supports named prepared statements (PgBouncer from 1.21 on, with
        /// `max_prepared_statements`).
        prepared: bool,
    },
}

/// The purpose of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Workload {
    /// A transaction that writes.
    Write,
    /// Fast reads.
    Read,
    /// Reads that may be slow.
    Scan,
}

/// The timeouts of one store. Clones share the texts.
#[derive(Clone)]
pub(super) struct Timeouts {
    lock: Duration,
    statement: Duration,
    scan: Duration,
    route: Route,
    has_replica: bool,
    begins: Arc<BeginStatements>,
}

/// The statement that begins a transaction of each kind; `None` if no transaction is needed.
struct BeginStatements {
    write: Arc<str>,
    serializable: Arc<str>,
    read: Option<Arc<str>>,
    /// For fast reads whose statements must all run in one session of the server.
    pinned: Arc<str>,
    scan: Arc<str>,
    snapshot: Arc<str>,
    snapshot_scan: Arc<str>,
}

impl Timeouts {
    /// Creates timeouts for lock waits, statements and slow reads. A duration of 0 means no limit on the
    /// server.
    pub(super) fn new(lock: Duration, statement: Duration, scan: Duration, route: Route) -> Self {
        let local = |statement: Duration| match route {
            Route::Direct => String::new(),
            // in one message with BEGIN, so it costs no round trip
            Route::Pooler { .. } => {
                let all =
                    settings(lock, statement).map(|(name, value)| format!("; SET LOCAL {name} = '{value}'"));
                all.concat()
            }
        };
        let longer = match route {
            Route::Direct => format!("; SET LOCAL statement_timeout = '{}'", scan.as_millis()),
            Route::Pooler { .. } => local(scan),
        };
        let quick = local(statement);
        let begins = BeginStatements {
            // Set explicitly, whatever the database's default is. With READ COMMITTED each statement has its own
            // snapshot. So a read after a lock was granted sees everything that was committed before.
            write: format!("BEGIN ISOLATION LEVEL READ COMMITTED{quick}").into(),
            serializable: format!("BEGIN ISOLATION LEVEL SERIALIZABLE{quick}").into(),
            // An unnamed statement is parsed in one message and executed in the next. A pooler may
            // switch servers in between, unless a transaction pins the server.
            read: (route == Route::Pooler { prepared: false })
                .then(|| format!("BEGIN READ ONLY{quick}").into()),
            pinned: format!("BEGIN READ ONLY{quick}").into(),
            scan: format!("BEGIN READ ONLY{longer}").into(),
            snapshot: format!("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY{quick}").into(),
            snapshot_scan: format!("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY{longer}").into(),
        };
        Self { lock, statement, scan, route, has_replica: false, begins: Arc::new(begins) }
    }

    /// Marks the store as one whose reads a replica may answer.
    pub(super) fn with_replica(self) -> Self {
        Self { has_replica: true, ..self }
    }

    /// Returns whether a replica may answer reads.
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

    /// Returns whether an attempt that took `elapsed` was long enough for one of its statements to reach the server's
    /// `statement_timeout`.
    pub(super) fn can_have_expired(&self, kind: Workload, elapsed: Duration) -> bool {
        self.server_timeout(kind).is_some_and(|timeout| elapsed >= timeout)
    }

    fn server_timeout(&self, kind: Workload) -> Option<Duration> {
        let timeout = if kind == Workload::Scan { self.scan } else { self.statement };
        (!timeout.is_zero()).then_some(timeout)
    }

    /// Returns the statement that begins a transaction; `None` if the operation needs none.
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

    /// Returns the statement that begins a read transaction. It begins a transaction even if the operation needs none,
    /// so that all statements run in one session of the server, also behind a pooler.
    pub(super) fn begin_pinned(&self, kind: Workload, snapshot: bool) -> SqlStr {
        let pinned = || AssertSqlSafe(Arc::clone(&self.begins.pinned)).into_sql_str();
        self.begin(kind, snapshot).unwrap_or_else(pinned)
    }

    /// Returns the options of a connection of the store.
    pub(super) fn options(&self, connect: PgConnectOptions) -> PgConnectOptions {
        let connect = tuned(connect);
        if !self.is_direct() {
            // a pooler rejects startup parameters that it does not know
            return connect.extra_float_digits(None);
        }
        let session = [
            // the pool closes idle connections itself, and a session that only listens is always idle
            ("idle_session_timeout", "0"),
            ("tcp_user_timeout", "30000"),
        ];
        connect.options(settings(self.lock, self.statement)).options(session).options(KEEPALIVES)
    }
}

fn settings(lock: Duration, statement: Duration) -> [(&'static str, String); 5] {
    [
        ("lock_timeout", lock.as_millis().to_string()),
        ("statement_timeout", statement.as_millis().to_string()),
        ("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION.as_millis().to_string()),
        // JIT compilation, which a high estimated cost triggers, can take longer than the query itself
        ("jit", "off".to_owned()),
        // No statement's best plan depends on its values (docs/decisions/0018), and planning can take longer than
        // running. Without this setting the server makes a new plan whenever it estimates that an array is shorter than
        // usual.
        ("plan_cache_mode", "force_generic_plan".to_owned()),
    ]
}

/// Makes the server close an idle session within a minute if its client disappeared. Also keeps idle sessions alive in
/// NAT gateways. sqlx opens the socket itself, so only the server can be configured to detect a dead peer.
const KEEPALIVES: [(&str, &str); 3] =
    [("tcp_keepalives_idle", "30"), ("tcp_keepalives_interval", "10"), ("tcp_keepalives_count", "3")];

/// Removes the timeouts of a session. Their names are read from `pg_settings`, because `transaction_timeout`
/// does not exist before PostgreSQL 17.
const REMOVE_TIMEOUTS: &str = "SELECT set_config(name, '0', false) FROM pg_settings
    WHERE name IN ('statement_timeout', 'lock_timeout', 'transaction_timeout',
        'idle_in_transaction_session_timeout', 'idle_session_timeout')";

/// Returns the commands that prepare a session for a migration or a transfer, which may take hours. The session then
/// has no timeouts, and has keepalives.
pub(super) fn long_session_settings() -> String {
    let keepalives = KEEPALIVES.map(|(name, value)| format!("; SET {name} = {value}"));
    // Linux also applies this timeout while the client reads nothing, as during a COPY whose rows another database
    // takes slowly. Then it ignores the number of keepalives.
    format!("{REMOVE_TIMEOUTS}; SET tcp_user_timeout = 0{}", keepalives.concat())
}

/// Applies the options of every connection.
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
        for setting in ["'statement_timeout'", "SET tcp_keepalives_idle = 30;", "SET tcp_user_timeout = 0;"] {
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
