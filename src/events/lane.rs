//! One app's deliveries, while there are any.
//!
//! The events are read one open place at a time, together with what their app and installation are at that moment:
//! so the current URL and secrets are used (D-187, B-434), and nothing is sent for an installation that has ended
//! (D-183). First attempts begin in the order of creation; of the four places at most two are for repeated ones.

use std::{
    future::pending,
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::{FutureExt, StreamExt, future::BoxFuture, stream::FuturesUnordered};
use tokio::sync::OwnedSemaphorePermit;

use super::{
    OPEN_PER_APP, REPEATED_PER_APP, Shared, attempt,
    dispatcher::Bell,
    lease::{self, Lease},
    results::Results,
};
use crate::{
    domain::{
        delivery::DropReason,
        ids::{AppId, EventId},
        time::Timestamp,
    },
    platform::metrics::EVENTS_DROPPED,
    store::{
        Op, Result, Sql,
        deliveries::{self, Attempt, Due, Queue},
        event_leases::Claim,
    },
    workspace::outbox::APP_UNINSTALLED,
};

/// How often a lane looks again by itself, for what other processes wrote and what has become due.
const TICK: Duration = Duration::from_millis(250);
/// How many such looks it stays without finding anything, so that the next event needs no new lease.
const LINGER: u32 = 4;
/// How long it goes on while others wait for a place among the apps served.
const TURN: Duration = Duration::from_secs(5);
/// How many events are dropped in one transaction.
const DROPPED_AT_ONCE: i64 = 500;

/// A lane of one app.
pub(super) struct Lane {
    shared: Arc<Shared>,
    app: AppId,
    bell: Arc<Bell>,
    open: FuturesUnordered<BoxFuture<'static, Landed>>,
    /// Open attempts that are repeated ones.
    repeated: usize,
    results: Results,
    first: Walk,
    again: Walk,
    renewal: Option<BoxFuture<'static, (Instant, Result<Claim>)>>,
    /// No more attempts are begun; it ends when those that are open have ended.
    closing: bool,
}

/// An attempt that has ended.
struct Landed {
    attempt: Attempt,
    queue: Queue,
    /// Its place beyond the first, given back now.
    _place: Option<OwnedSemaphorePermit>,
}

/// How far a queue has been read.
struct Walk {
    after: (Timestamp, EventId),
    /// Nothing was left.
    done: bool,
    /// Something may have come in before `after` since the walk began.
    stale: bool,
}

/// Before every event.
const BEGINNING: (Timestamp, EventId) = (Timestamp(i64::MIN), EventId(0));

impl Walk {
    const fn new() -> Self {
        Self { after: BEGINNING, done: false, stale: false }
    }

    /// Something may have come in.
    fn refresh(&mut self) {
        if self.done {
            *self = Self::new();
        } else {
            self.stale = true;
        }
    }

    /// The end was reached.
    fn end(&mut self) {
        self.after = BEGINNING;
        self.done = !std::mem::take(&mut self.stale);
    }
}

impl Lane {
    pub(super) fn open(shared: Arc<Shared>, app: AppId, bell: Arc<Bell>) -> Self {
        Self {
            shared,
            app,
            bell,
            open: FuturesUnordered::new(),
            repeated: 0,
            results: Results::new(app),
            first: Walk::new(),
            again: Walk::new(),
            renewal: None,
            closing: false,
        }
    }

    /// Delivers until nothing is due, or another process does it.
    pub(super) async fn run(mut self) {
        let apps = Arc::clone(&self.shared.apps);
        let turn = tokio::select! {
            turn = apps.acquire_owned() => turn,
            () = self.shared.stop.draining() => return,
        };
        loop {
            match Lease::take(&self.shared, self.app).await {
                Ok(Some(lease)) => {
                    let lease = self.serve(lease).await;
                    // before another lane of this process can ask for it
                    lease.release(&self.shared).await;
                }
                Ok(None) => self.closing = true,
                Err(error) => {
                    tracing::warn!(app = self.app.encode(), %error, "the lease of an app cannot be asked for");
                    self.closing = true;
                }
            }
            if self.shared.lanes.lock().leave(self.app, self.closing) {
                break;
            }
        }
        drop(turn);
    }

    /// Delivers while there is something to deliver, and gives the lease back to be released.
    async fn serve(&mut self, mut lease: Lease) -> Lease {
        let begun = self.shared.world.clock.instant();
        let mut quiet = 0;
        let mut looked = begun;
        loop {
            let before = self.open.len();
            self.fill(&lease).await;
            self.results.write(&self.shared);
            let is_idle = self.open.is_empty() && self.results.is_empty();
            if is_idle && (self.closing || quiet >= LINGER) {
                break;
            }
            if self.open.len() > before {
                quiet = 0;
            }
            if lease.is_to_renew() && self.renewal.is_none() {
                self.renew();
            }
            let shared = Arc::clone(&self.shared);
            tokio::select! {
                Some(landed) = self.open.next() => {
                    self.land(landed);
                    while let Some(Some(landed)) = self.open.next().now_or_never() {
                        self.land(landed);
                    }
                }
                () = self.results.written(&shared) => {}
                (asked, claimed) = next(&mut self.renewal) => {
                    self.renewal = None;
                    match claimed {
                        Ok(Claim::Held | Claim::TakenOver) => lease.renewed(asked),
                        Ok(Claim::Refused) => self.closing = true,
                        Err(error) => tracing::warn!(%error, "a lease was not renewed and is asked for again"),
                    }
                }
                () = self.bell.heard() => self.refresh(),
                // what else happens does not put this off
                () = shared.world.clock.pause(TICK.saturating_sub(looked.elapsed())) => {
                    looked = shared.world.clock.instant();
                    self.refresh();
                    if is_idle {
                        quiet += 1;
                    }
                    if begun.elapsed() > TURN && shared.apps.available_permits() == 0 {
                        self.closing = true;
                    }
                }
                () = shared.stop.draining(), if !self.closing => self.closing = true,
            }
        }
        if let Some(renewal) = self.renewal.take() {
            // or it might be carried out after the release
            let _ = renewal.await;
        }
        lease
    }

    /// There may be more to do than was seen.
    fn refresh(&mut self) {
        self.first.refresh();
        self.again.refresh();
    }

    fn renew(&mut self) {
        let (shared, app) = (Arc::clone(&self.shared), self.app);
        let asked = shared.world.clock.instant();
        self.renewal = Some(async move { (asked, lease::claim(&shared, app).await) }.boxed());
    }

    fn land(&mut self, landed: Landed) {
        if landed.queue == Queue::Again {
            self.repeated -= 1;
        }
        self.results.add(landed.attempt);
    }

    /// Begins as many attempts as there are places and events.
    async fn fill(&mut self, lease: &Lease) {
        while !self.closing
            && self.open.len() < OPEN_PER_APP
            && !(self.first.done && (self.again.done || self.repeated >= REPEATED_PER_APP))
            && !self.results.are_many()
            && lease.outlasts_an_attempt()
        {
            if let Err(error) = self.begin_some().await {
                tracing::warn!(app = self.app.encode(), %error, "due events cannot be read");
                self.closing = true;
            }
            if !self.open.is_empty() && self.shared.extra.available_permits() == 0 {
                return;
            }
        }
    }

    async fn begin_some(&mut self) -> Result<()> {
        let free = OPEN_PER_APP - self.open.len();
        let again_free = free.min(REPEATED_PER_APP - self.repeated);
        let held = self.results.held();
        let wanted = |walk: &Walk, places: usize| {
            let limit = if walk.done || places == 0 { 0 } else { places + held };
            (walk.after, limit)
        };
        let op = NextDue {
            app: self.app,
            now: self.shared.world.clock.now(),
            first: wanted(&self.first, free),
            again: wanted(&self.again, again_free),
        };
        let (first_limit, again_limit) = (op.first.1, op.again.1);
        let (firsts, agains) = self.shared.world.db.read(op).await?;
        // a repeated one gets a place when none has any, so that a flood of new events does not starve it
        let reserved = usize::from(self.repeated == 0 && agains.iter().any(|e| !self.results.holds(e.id)));
        let taken = self.take(Queue::First, firsts, first_limit, free - reserved).await?;
        self.take(Queue::Again, agains, again_limit, again_free.min(free - taken)).await?;
        Ok(())
    }

    /// Begins up to `places` attempts with what was read of a queue; how many.
    async fn take(&mut self, queue: Queue, read: Vec<Due>, limit: usize, places: usize) -> Result<usize> {
        if limit == 0 {
            return Ok(0);
        }
        let is_end = read.len() < limit;
        let mut begun = 0;
        for event in read {
            let position = (event.next_at, event.id);
            if !self.results.holds(event.id) {
                if begun == places {
                    return Ok(begun);
                }
                match what_to_do(&event) {
                    Ok(url) => {
                        let Some(place) = self.place() else { return Ok(begun) };
                        // drawn first: without one the attempt could not be kept
                        let id = self.shared.world.stamp().id()?;
                        self.begin(queue, id, event, url, place);
                        begun += 1;
                    }
                    Err(why) => self.give_up(event.id, why).await?,
                }
            }
            self.walk(queue).after = position;
        }
        if is_end {
            self.walk(queue).end();
        }
        Ok(begun)
    }

    fn walk(&mut self, queue: Queue) -> &mut Walk {
        match queue {
            Queue::First => &mut self.first,
            Queue::Again => &mut self.again,
        }
    }

    /// A place for one more attempt: the app's own, or one of those that all share. None while there is none.
    #[expect(clippy::option_option, reason = "no place, the app's own, and a shared one are three things")]
    fn place(&self) -> Option<Option<OwnedSemaphorePermit>> {
        if self.open.is_empty() {
            return Some(None);
        }
        Arc::clone(&self.shared.extra).try_acquire_owned().ok().map(Some)
    }

    fn begin(&mut self, queue: Queue, id: i64, event: Due, url: String, place: Option<OwnedSemaphorePermit>) {
        self.results.hold(event.id);
        self.repeated += usize::from(queue == Queue::Again);
        let (shared, app) = (Arc::clone(&self.shared), self.app);
        let attempt = async move {
            let attempt = attempt::make(&shared, app, id, event, url).await;
            Landed { attempt, queue, _place: place }
        };
        self.open.push(attempt.boxed());
    }

    /// Drops an event, and with an app that has no URL all of its events.
    async fn give_up(&mut self, id: EventId, why: DropReason) -> Result<()> {
        let now = self.shared.world.clock.now();
        let dropped = self.shared.world.db.write(GiveUp { app: self.app, id, why, now }).await?;
        metrics::counter!(EVENTS_DROPPED, "reason" => why.name()).increment(dropped);
        self.shared.settled.notify_waiters();
        Ok(())
    }
}

/// Where an event is sent, or why it is not.
fn what_to_do(event: &Due) -> std::result::Result<String, DropReason> {
    if !event.connected && event.kind != APP_UNINSTALLED {
        return Err(DropReason::Disconnected);
    }
    event.callback_url.clone().ok_or(DropReason::NoCallbackUrl)
}

/// Waits for a future that may not be there.
async fn next<T>(future: &mut Option<BoxFuture<'static, T>>) -> T {
    match future {
        Some(future) => future.await,
        None => pending().await,
    }
}

struct NextDue {
    app: AppId,
    now: Timestamp,
    /// After which, and how many at most.
    first: ((Timestamp, EventId), usize),
    again: ((Timestamp, EventId), usize),
}

impl Op for NextDue {
    const NAME: &'static str = "next_due_events";
    type Out = (Vec<Due>, Vec<Due>);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let mut read = [Vec::new(), Vec::new()];
        for (into, queue, (after, limit)) in [(0, Queue::First, self.first), (1, Queue::Again, self.again)] {
            if limit > 0 {
                let limit = i64::try_from(limit).unwrap_or(i64::MAX);
                read[into] = deliveries::due(c, self.app, queue, after, self.now, limit).await?;
            }
        }
        let [first, again] = read;
        Ok((first, again))
    }
}

struct GiveUp {
    app: AppId,
    id: EventId,
    why: DropReason,
    now: Timestamp,
}

impl Op for GiveUp {
    const NAME: &'static str = "give_up_events";
    /// How many were dropped.
    type Out = u64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<u64> {
        match self.why {
            DropReason::Disconnected => deliveries::give_up(c, self.id, self.why, self.now).await,
            DropReason::NoCallbackUrl => {
                deliveries::give_up_all(c, self.app, self.why, self.now, DROPPED_AT_ONCE).await
            }
        }
    }
}
