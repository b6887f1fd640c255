//! Event delivery: signs events, sends them to the apps' callback URLs, retries them on a schedule, and logs the
//! attempts.
//!
//! - [`dispatcher`] finds apps with due events. It is notified of the events that this process commits, and polls the
//!   table of events about once a second.
//! - [`app_worker`] delivers the events of one app. It holds the app's lease ([`lease`]), so that only one process
//!   delivers these events. An open attempt needs an attempt slot. The worker distributes attempt slots among the app's
//!   [`installations`], reads due events ([`queues`]), runs attempts ([`open_attempts`]), and stores their results
//!   ([`results`]).
//! - [`attempt`] makes one request; [`sign`] creates its headers; [`failures`] injects failures in a sandbox.
//! - [`workers`] is the registry of workers. [`app_slots`] limits how many apps are served and how many attempts are
//!   open at the same time. [`positions`] remembers the installation at which the next worker of an app continues.
//!   [`slow`] limits the attempt slots of slow installations. [`in_flight`] counts the events whose attempt has started
//!   and whose result is not stored yet.
//!
//! Each served app has a worker and attempt slots of its own, and an installation can use only some of them. So an
//! app's server that is down or slow does not use up the slots of other apps, nor all slots of its own app. Events are
//! read only when they can be attempted, so the memory use does not depend on the length of the backlog
//! (`docs/decisions/0003-event-delivery.md`).

mod app_slots;
mod app_worker;
mod attempt;
mod dispatcher;
mod failures;
mod in_flight;
mod installations;
mod lease;
mod open_attempts;
mod positions;
mod queues;
mod results;
mod sign;
mod slow;
mod task;
mod workers;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderValue;
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

pub use self::dispatcher::Delivery;
use self::{
    app_slots::AppSlots, in_flight::InFlightEventCounter, positions::ServicePositions, slow::Slow,
    workers::Workers,
};
use crate::domain::{delivery::DropReason, ids::EventId};
use crate::platform::{
    metrics::{EVENT_RESULTS_LOST, EVENTS_DROPPED},
    outbound::{Outbound, ResponseLimits},
    shutdown::Stop,
};
use crate::service::World;

/// Timeouts of a request to an app, and the maximum size of the response body in bytes (D-170). The body is used for
/// the delivery log only.
const RESPONSE_LIMITS: ResponseLimits =
    ResponseLimits { head: Duration::from_secs(3), body: Duration::from_secs(1), most: 64 * 1024 };
/// Maximum number of open attempts per installation.
const OPEN_PER_INSTALLATION: usize = 4;
/// Maximum number of retries among the open attempts of an installation. The remaining attempts can only be first
/// attempts, so retries do not delay new events (B-470).
const RETRIES_PER_INSTALLATION: usize = 2;
/// Maximum number of open attempts per app, over all its installations (D-190).
const OPEN_PER_APP: usize = 32;
/// Number of attempt slots that are reserved for each served app. Further slots come from a pool that all apps of the
/// process share.
const RESERVED_SLOTS: usize = 4;
/// Maximum number of apps that one process serves at a time. Further apps wait. The number of attempt slots, reserved
/// and shared, depends on this maximum, so it also limits the number of sockets.
pub const MAX_ACTIVE_APPS: usize = 1024;

/// Settings of event delivery.
#[derive(Clone, Debug)]
pub struct DeliverySettings {
    /// `User-Agent` of every request (D-167).
    pub agent: HeaderValue,
    /// Term of a lease. After a crash of a process on PostgreSQL, another process can serve the apps of the crashed
    /// process only when their leases have expired. On SQLite, the next process deletes the leases when it starts.
    pub lease: Duration,
    /// Maximum time for which a shutdown waits for open attempts.
    pub drain: Duration,
    /// Maximum number of apps that are served at a time. It is [`MAX_ACTIVE_APPS`], except in tests.
    pub max_active_apps: usize,
}

/// Default term of a lease.
pub const LEASE: Duration = Duration::from_secs(15);

/// State shared by the dispatcher and the workers.
struct SharedDelivery {
    world: Arc<World>,
    outbound: Outbound,
    settings: DeliverySettings,
    stop: Stop,
    /// Id of this process as a lease holder.
    holder: i64,
    workers: Workers,
    app_slots: AppSlots,
    slow: Slow,
    positions: ServicePositions,
    in_flight: InFlightEventCounter,
    /// Events whose result could not be stored. In the table these events are still due. Without this set, this process
    /// would attempt them again and again.
    skipped: Mutex<HashSet<EventId>>,
    /// Notified after each successful or failed write of results, and after events were dropped.
    settled: Notify,
    /// Notified to request that the dispatcher polls for due events.
    requested: Notify,
}

/// Starts event delivery. Returns a handle and the task of the dispatcher, which ends at shutdown.
#[must_use]
pub fn start(
    world: Arc<World>,
    outbound: Outbound,
    settings: DeliverySettings,
    stop: Stop,
) -> (Delivery, JoinHandle<()>) {
    // random, so that no other process has the same number; not negative, so that it is easier to read in the
    // table of leases
    let holder = i64::from_le_bytes(world.rng.bytes()) & i64::MAX;
    let app_slots = AppSlots::new(settings.max_active_apps);
    let shared = Arc::new(SharedDelivery {
        world,
        outbound,
        settings,
        stop,
        holder,
        workers: Workers::default(),
        app_slots,
        slow: Slow::default(),
        positions: ServicePositions::default(),
        in_flight: InFlightEventCounter::default(),
        skipped: Mutex::default(),
        settled: Notify::new(),
        requested: Notify::new(),
    });
    // registered at start with 0, so that the first increment is visible as a change
    for why in DropReason::ALL {
        metrics::counter!(EVENTS_DROPPED, "reason" => why.name()).increment(0);
    }
    for part in results::LostPart::ALL {
        metrics::counter!(EVENT_RESULTS_LOST, "part" => part.name()).increment(0);
    }
    let task = tokio::spawn(dispatcher::run(Arc::clone(&shared)));
    (Delivery(shared), task)
}
