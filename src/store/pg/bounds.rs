//! How long things may take, on the server's side and on ours.
//!
//! The server ends a statement at `statement_timeout` and a wait for a lock at `lock_timeout`, and the connection stays
//! usable. Our own deadlines are behind those: they end what the server cannot, because it is gone without a word, the
//! network to it is broken, or a COMMIT waits for a standby (which no timeout of the server bounds).

use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, SqlSafeStr, SqlStr};

/// How much longer than the server we wait for the end of a statement.
const MARGIN: Duration = Duration::from_secs(1);

/// Our own deadline of a statement where the server's is turned off.
const UNBOUNDED: Duration = Duration::from_secs(60);

/// How long a COMMIT or ROLLBACK may take before the caller is answered. A COMMIT that takes longer is waited for
/// beside the request (`overdue`).
pub(super) const COMMIT: Duration = Duration::from_secs(5);

/// How long a ping may take, and a question of the store's own.
pub(super) const PING: Duration = Duration::from_secs(1);

/// How long a statement may go on after its connection was found to have silently lost siblings. Most statements take
/// less; one that waits for a lock is run again.
pub(super) const GRACE: Duration = Duration::from_secs(2);

/// How long a transaction may stand open without a statement. Ours never do: whoever meets it has lost the process or
/// the network to it, and its locks must not outlive that for long.
const IDLE_IN_TRANSACTION: Duration = Duration::from_secs(3);

/// How the pool reaches the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::store) enum Route {
    /// Each connection is a session of its own.
    Direct,
    /// Through a pooler in transaction mode: a session lasts for a transaction, and takes no startup options.
    Pooler {
        /// The pooler keeps named prepared statements apart (pgbouncer from 1.21 on, with `max_prepared_statements`).
        prepared: bool,
    },
}

/// What a connection is wanted for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A transaction that writes.
    Write,
    /// Quick reads.
    Read,
    /// Reads that may take long.
    Scan,
}

/// The bounds of one store. Cloning shares the texts.
#[derive(Clone)]
pub(super) struct Bounds {
    lock: Duration,
    statement: Duration,
    scan: Duration,
    route: Route,
    has_replica: bool,
    begins: Arc<Begins>,
}

/// How a transaction of each kind begins; `None` where none is needed.
struct Begins {
    write: Arc<str>,
    serializable: Arc<str>,
    read: Option<Arc<str>>,
    /// Quick reads that must all be run by one session of the server.
    pinned: Arc<str>,
    scan: Arc<str>,
    snapshot: Arc<str>,
    snapshot_scan: Arc<str>,
}

impl Bounds {
    /// Times of 0 are without a bound on the server.
    pub(super) fn new(lock: Duration, statement: Duration, scan: Duration, route: Route) -> Self {
        let local = |statement: Duration| match route {
            Route::Direct => String::new(),
            // with BEGIN in one message, so it costs no round trip
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
        let begins = Begins {
            // whatever the database defaults to: facts are read in a statement after their locks were granted
            write: format!("BEGIN ISOLATION LEVEL READ COMMITTED{quick}").into(),
            serializable: format!("BEGIN ISOLATION LEVEL SERIALIZABLE{quick}").into(),
            // An unnamed statement is parsed in one message and run in the next, between which a pooler may
            // change the server, unless a transaction holds it.
            read: (route == Route::Pooler { prepared: false })
                .then(|| format!("BEGIN READ ONLY{quick}").into()),
            pinned: format!("BEGIN READ ONLY{quick}").into(),
            scan: format!("BEGIN READ ONLY{longer}").into(),
            snapshot: format!("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY{quick}").into(),
            snapshot_scan: format!("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY{longer}").into(),
        };
        Self { lock, statement, scan, route, has_replica: false, begins: Arc::new(begins) }
    }

    /// Of a store whose reads may be answered by a replica.
    pub(super) fn with_replica(self) -> Self {
        Self { has_replica: true, ..self }
    }

    /// Whether reads may be answered by a replica.
    pub(super) fn has_replica(&self) -> bool {
        self.has_replica
    }

    /// Whether statements are prepared by name and kept.
    pub(super) fn prepares(&self) -> bool {
        self.route != Route::Pooler { prepared: false }
    }

    /// Whether each connection is a session of the server.
    pub(super) fn is_direct(&self) -> bool {
        self.route == Route::Direct
    }

    /// Our own deadline of one statement.
    pub(super) fn statement(&self, kind: Kind) -> Duration {
        let bound = if kind == Kind::Scan { self.scan } else { self.statement };
        if bound.is_zero() { UNBOUNDED } else { bound + MARGIN }
    }

    /// How a transaction begins; `None` if the operation needs none.
    pub(super) fn begin(&self, kind: Kind, snapshot: bool) -> Option<SqlStr> {
        let text = match (kind, snapshot) {
            (Kind::Write, false) => &self.begins.write,
            (Kind::Write, true) => &self.begins.serializable,
            (Kind::Read, false) => self.begins.read.as_ref()?,
            (Kind::Read, true) => &self.begins.snapshot,
            (Kind::Scan, false) => &self.begins.scan,
            (Kind::Scan, true) => &self.begins.snapshot_scan,
        };
        Some(AssertSqlSafe(Arc::clone(text)).into_sql_str())
    }

    /// How a transaction of reads begins that one session of the server runs from its beginning to its end, also behind a
    /// pooler.
    pub(super) fn begin_pinned(&self, kind: Kind, snapshot: bool) -> SqlStr {
        let pinned = || AssertSqlSafe(Arc::clone(&self.begins.pinned)).into_sql_str();
        self.begin(kind, snapshot).unwrap_or_else(pinned)
    }

    /// The options of a connection of the pool.
    pub(super) fn options(&self, connect: PgConnectOptions) -> PgConnectOptions {
        let connect = tuned(connect);
        if !self.is_direct() {
            // a pooler refuses startup parameters that it does not know
            return connect.extra_float_digits(None);
        }
        let dead_peers = [
            ("tcp_keepalives_idle", "30"),
            ("tcp_keepalives_interval", "10"),
            ("tcp_keepalives_count", "3"),
            ("tcp_user_timeout", "30000"),
        ];
        // sqlx opens the socket itself, so only the server's end can be told to notice a peer that is gone
        connect.options(settings(self.lock, self.statement)).options(dead_peers)
    }
}

fn settings(lock: Duration, statement: Duration) -> [(&'static str, String); 5] {
    [
        ("lock_timeout", lock.as_millis().to_string()),
        ("statement_timeout", statement.as_millis().to_string()),
        ("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION.as_millis().to_string()),
        // a search that is thought dear would be compiled for 30 to 200 milliseconds, and then run in 20
        ("jit", "off".to_owned()),
        // No statement's best plan depends on its values (decision 18), and to plan one takes longer than to run it.
        // Without this the server plans anew whenever it takes an array to be shorter than usual.
        ("plan_cache_mode", "force_generic_plan".to_owned()),
    ]
}

/// What holds of every connection.
pub(super) fn tuned(connect: PgConnectOptions) -> PgConnectOptions {
    connect.application_name("switchboard").statement_cache_capacity(512)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(route: Route) -> Bounds {
        let seconds = Duration::from_secs;
        Bounds::new(seconds(5), seconds(10), seconds(30), route)
    }

    fn begin(route: Route, kind: Kind, snapshot: bool) -> Option<String> {
        bounds(route).begin(kind, snapshot).map(|text| text.as_str().to_owned())
    }

    #[test]
    fn bounds_travel_with_begin_where_a_session_does_not_keep_them() {
        assert_eq!(begin(Route::Direct, Kind::Write, false).unwrap(), "BEGIN ISOLATION LEVEL READ COMMITTED");
        assert_eq!(begin(Route::Direct, Kind::Read, false), None);
        let scan = begin(Route::Direct, Kind::Scan, false).unwrap();
        assert_eq!(scan, "BEGIN READ ONLY; SET LOCAL statement_timeout = '30000'");
        let pooler = Route::Pooler { prepared: true };
        let write = begin(pooler, Kind::Write, false).unwrap();
        assert!(write.contains("; SET LOCAL lock_timeout = '5000'; SET LOCAL statement_timeout = '10000'"));
        assert_eq!(begin(pooler, Kind::Read, false), None);
        assert!(
            begin(Route::Pooler { prepared: false }, Kind::Read, false)
                .unwrap()
                .starts_with("BEGIN READ ONLY;")
        );
    }

    #[test]
    fn our_deadlines_are_behind_the_server_s() {
        let bounds = bounds(Route::Direct);
        assert_eq!(bounds.statement(Kind::Write), Duration::from_secs(11));
        assert_eq!(bounds.statement(Kind::Scan), Duration::from_secs(31));
        let unbounded = Bounds::new(Duration::ZERO, Duration::ZERO, Duration::ZERO, Route::Direct);
        assert_eq!(unbounded.statement(Kind::Read), UNBOUNDED);
    }
}
