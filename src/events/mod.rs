//! Delivery of events: what the workspace wrote into the outbox is signed, sent to the apps' callback URLs, tried
//! again by the schedule, and logged.
//!
//! - [`dispatcher`] learns which apps have events that are due: from each commit of this process, and from looking
//!   at the table about once a second.
//! - [`lane`]: one app's deliveries. It holds the app's lease ([`lease`]), so that one process delivers them, shares the
//!   places out among the app's [`installations`], reads what is due ([`queues`]), keeps attempts open ([`places`]), and
//!   writes what became of them ([`results`]).
//! - [`attempt`]: one request and what came of it; [`sign`]: its headers.
//! - [`lanes`] are those there are; [`turns`] bounds how many; [`held`] counts the events under way.
//!
//! An app whose server is dead or slow has a lane and places of its own and delays nobody; nor does an installation delay
//! another one of its app. Nothing is kept in memory but the
//! attempts that are open and those being written, so a backlog of any length costs the same.
//! `docs/decisions/0003-event-delivery.md` says why.

mod attempt;
mod dispatcher;
mod dropping;
mod held;
mod installations;
mod lane;
mod lanes;
mod lease;
mod places;
mod queues;
mod results;
mod sign;
mod task;
mod turns;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderValue;
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

pub use self::dispatcher::Delivery;
use self::{held::UnderWay, installations::Slow, lanes::Lanes, turns::Turns};
use crate::domain::{delivery::DropReason, ids::EventId};
use crate::platform::{
    metrics::{EVENT_RESULTS_LOST, EVENTS_DROPPED},
    outbound::Outbound,
    shutdown::Stop,
};
use crate::workspace::World;

/// Attempts to one installation of an app that are open at the same time.
const OPEN_PER_INSTALLATION: usize = 4;
/// How many of them may be repeated ones, so that these never delay first attempts (D-184).
const REPEATED_PER_INSTALLATION: usize = 2;
/// Attempts to one app that are open at the same time, over all its installations (D-190).
const OPEN_PER_APP: usize = 32;
/// Places that each app has for itself; the others come from a pool that all apps of the process share.
const OWN_PLACES: usize = 4;
/// Apps served at the same time by one process. More take turns. With the pool of places this bounds the sockets.
pub const APPS_AT_ONCE: usize = 1024;

/// How events are delivered.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `User-Agent` of every request (D-167).
    pub agent: HeaderValue,
    /// How long a lease runs without renewal: how long the apps of a process that died wait for another.
    pub lease: Duration,
    /// How long open attempts may go on when the process ends.
    pub drain: Duration,
    /// How many apps are served at the same time, [`APPS_AT_ONCE`] but in tests.
    pub apps_at_once: usize,
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
    lanes: Lanes,
    turns: Turns,
    slow: Slow,
    under_way: UnderWay,
    /// Events whose result the store cannot take: not attempted again by this process, or it would never end.
    aside: Mutex<HashSet<EventId>>,
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
    let turns = Turns::new(settings.apps_at_once);
    let shared = Arc::new(Shared {
        world,
        outbound,
        settings,
        stop,
        holder,
        lanes: Lanes::default(),
        turns,
        slow: Slow::default(),
        under_way: UnderWay::default(),
        aside: Mutex::default(),
        settled: Notify::new(),
        asked: Notify::new(),
    });
    // from the start, so that the first one is a change
    for why in DropReason::ALL {
        metrics::counter!(EVENTS_DROPPED, "reason" => why.name()).increment(0);
    }
    for part in results::Part::ALL {
        metrics::counter!(EVENT_RESULTS_LOST, "part" => part.name()).increment(0);
    }
    let task = tokio::spawn(dispatcher::run(Arc::clone(&shared)));
    (Delivery(shared), task)
}
