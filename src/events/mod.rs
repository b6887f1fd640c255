//! Delivery of events: what the workspace wrote into the outbox is signed, sent to the apps' callback URLs, tried
//! again by the schedule, and logged.
//!
//! - [`dispatcher`] learns which apps have events that are due: from each commit of this process, and from looking
//!   at the table about once a second.
//! - [`lane`]: one app's deliveries. It holds the app's lease ([`lease`]), so that one process delivers them, keeps up
//!   to four attempts open, and writes what became of them ([`results`]).
//! - [`attempt`]: one request and what came of it; [`sign`]: its headers.
//!
//! An app whose server is dead or slow has a lane of its own and delays nobody. Nothing is kept in memory but the
//! attempts that are open and those being written, so a backlog of any length costs the same.
//! `docs/decisions/0003-event-delivery.md` says why.

mod attempt;
mod dispatcher;
mod lane;
mod lease;
mod results;
mod sign;

use std::sync::Arc;
use std::time::Duration;

use http::HeaderValue;
use parking_lot::Mutex;
use tokio::sync::{Notify, Semaphore};
use tokio::task::JoinHandle;

pub use self::dispatcher::Delivery;
use self::dispatcher::Lanes;
use crate::domain::delivery::DropReason;
use crate::platform::{metrics::EVENTS_DROPPED, outbound::Outbound, shutdown::Stop};
use crate::workspace::World;

/// Attempts of one app that are open at the same time (D-190).
const OPEN_PER_APP: usize = 4;
/// How many of them may be repeated ones, so that these never stand before first attempts (D-184).
const REPEATED_PER_APP: usize = 2;
/// Apps served at the same time by one process. More take turns.
const APPS_AT_ONCE: usize = 1024;
/// Attempts open beyond the first of each app, over all of them: together a bound on sockets.
const EXTRA_ATTEMPTS: usize = 1024;

/// How events are delivered.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `User-Agent` of every request (D-167).
    pub agent: HeaderValue,
    /// How long a lease runs without renewal: how long the apps of a process that died wait for another.
    pub lease: Duration,
    /// How long open attempts may go on when the process ends.
    pub drain: Duration,
}

/// How long a lease runs unless told otherwise.
pub const LEASE: Duration = Duration::from_secs(15);

/// What the dispatcher and the lanes share.
struct Shared {
    world: Arc<World>,
    outbound: Outbound,
    settings: Settings,
    stop: Stop,
    /// This process among the holders of leases.
    holder: i64,
    lanes: Mutex<Lanes>,
    /// One for each app being served.
    apps: Arc<Semaphore>,
    /// One for each attempt beyond an app's first.
    extra: Arc<Semaphore>,
    /// Results were written.
    settled: Notify,
    /// Somebody wants the table looked at now.
    asked: Notify,
}

/// Begins to deliver. The task ends when the process is told to.
#[must_use]
pub fn start(
    world: Arc<World>,
    outbound: Outbound,
    settings: Settings,
    stop: Stop,
) -> (Delivery, JoinHandle<()>) {
    // any number does that no other process has; positive, so that it reads well in the table
    let holder = i64::from_le_bytes(world.rng.bytes()) & i64::MAX;
    let shared = Arc::new(Shared {
        world,
        outbound,
        settings,
        stop,
        holder,
        lanes: Mutex::default(),
        apps: Arc::new(Semaphore::new(APPS_AT_ONCE)),
        extra: Arc::new(Semaphore::new(EXTRA_ATTEMPTS)),
        settled: Notify::new(),
        asked: Notify::new(),
    });
    // from the start, so that the first one is a change
    for why in DropReason::ALL {
        metrics::counter!(EVENTS_DROPPED, "reason" => why.name()).increment(0);
    }
    let task = tokio::spawn(dispatcher::run(Arc::clone(&shared)));
    (Delivery(shared), task)
}
