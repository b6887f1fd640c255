//! The right to deliver the events of an app. One process has it at a time; when it dies, another takes it after the
//! lease has run out.
//!
//! The lease runs by the database's clock. How long it surely runs is reckoned here from before it was asked for, by
//! a clock that nobody can move, so that an attempt is begun only when the lease outlasts it.

use std::time::{Duration, Instant};

use super::{Shared, attempt::PATIENCE};
use crate::{
    domain::ids::AppId,
    platform::metrics::EVENT_TAKEOVERS,
    store::{
        Op, Result, Sql,
        event_leases::{self, Claim},
    },
};

/// How much longer than an attempt a lease must run, for its result to be written.
const MARGIN: Duration = Duration::from_secs(1);

/// A lease that was got.
pub(super) struct Lease {
    app: AppId,
    term: Duration,
    /// Before it was last asked for.
    asked: Instant,
}

impl Lease {
    /// Asks for the lease of an app; `None` while another process has it.
    pub(super) async fn take(shared: &Shared, app: AppId) -> Result<Option<Self>> {
        let term = shared.settings.lease;
        let asked = shared.world.clock.instant();
        Ok(match claim(shared, app).await? {
            Claim::Refused => None,
            Claim::TakenOver => {
                tracing::warn!(
                    app = app.encode(),
                    "events of an app are taken over from a process that left them"
                );
                metrics::counter!(EVENT_TAKEOVERS).increment(1);
                Some(Self { app, term, asked })
            }
            Claim::Held => Some(Self { app, term, asked }),
        })
    }

    /// Whether an attempt that begins now ends before the lease can.
    pub(super) fn outlasts_an_attempt(&self) -> bool {
        self.asked.elapsed() + PATIENCE.head + PATIENCE.body + MARGIN < self.term
    }

    /// Whether a third of it has passed.
    pub(super) fn is_to_renew(&self) -> bool {
        self.asked.elapsed() > self.term / 3
    }

    /// Notes that a renewal asked for at `asked` was granted.
    pub(super) fn renewed(&mut self, asked: Instant) {
        self.asked = asked;
    }

    /// Gives it back.
    pub(super) async fn release(self, shared: &Shared) {
        let done = shared.world.db.write(ReleaseLease { app: self.app, holder: shared.holder }).await;
        if let Err(error) = done {
            tracing::debug!(%error, "a lease was not given back and runs out by itself");
        }
    }
}

/// Asks for a lease, or for it to run on.
pub(super) async fn claim(shared: &Shared, app: AppId) -> Result<Claim> {
    let micros = i64::try_from(shared.settings.lease.as_micros()).unwrap_or(i64::MAX);
    shared.world.db.write(ClaimLease { app, holder: shared.holder, micros }).await
}

/// Forgets all leases. On SQLite the process that had them is gone when another starts.
pub(super) async fn clear(shared: &Shared) -> Result<()> {
    shared.world.db.write(ClearLeases).await
}

struct ClaimLease {
    app: AppId,
    holder: i64,
    micros: i64,
}

impl Op for ClaimLease {
    const NAME: &'static str = "claim_event_lease";
    type Out = Claim;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Claim> {
        event_leases::claim(c, self.app, self.holder, self.micros).await
    }
}

struct ReleaseLease {
    app: AppId,
    holder: i64,
}

impl Op for ReleaseLease {
    const NAME: &'static str = "release_event_lease";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        event_leases::release(c, self.app, self.holder).await
    }
}

struct ClearLeases;

impl Op for ClearLeases {
    const NAME: &'static str = "clear_event_leases";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        event_leases::clear(c).await
    }
}
