//! The delivery worker of an app. The worker runs while the app has due events, and for about a second afterwards.
//!
//! An open attempt occupies an attempt slot of the app. The worker reads events only when it has free attempt slots for
//! them. Together with an event, it reads the current state of the app and the installation, so an attempt uses the
//! current URL and secrets (D-187, B-434). After an installation was disconnected, only its event `app.uninstalled` is
//! sent (D-183).
//!
//! The first attempts of an installation's events start in the order in which the events became due. An installation
//! can use four attempt slots, and its retries at most two of the four.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use super::{
    OPEN_PER_APP, SharedDelivery,
    app_slots::{AppSlot, PROMPT},
    attempt::Ready,
    installations::{Installations, Share},
    lease::{AppLease, LeaseValidity, Renewal},
    open_attempts::{AttemptEnd, FinishedAttempt, OpenAttempts},
    results::Results,
    workers::Registration,
};
use crate::{
    domain::{
        delivery::{Attempt, Dropped, EventQueue},
        ids::AppId,
    },
    platform::metrics::EVENTS_DROPPED,
    service::{
        Result,
        events::deliveries::{queue::DueEvent, signing::SecretsCache},
    },
};

/// Interval at which a worker polls for events that other processes committed, and for retries that became due.
const POLL_INTERVAL: Duration = Duration::from_millis(250);
/// Number of polls without events after which a worker exits. Until then the worker keeps its lease, so it delivers a
/// new event without claiming the lease again.
const IDLE_POLLS: u32 = 4;
/// Minimum time between the panic of an attempt and the next attempt of the same event.
const AFTER_PANIC: Duration = Duration::from_secs(1);
/// After this time, a worker starts no further attempts if other apps may be waiting for its app slot.
const MAX_RUN: Duration = Duration::from_secs(5);

/// The delivery worker of an app.
pub(super) struct AppWorker {
    shared: Arc<SharedDelivery>,
    app: AppId,
    registration: Registration,
    open_attempts: OpenAttempts,
    results: Results,
    installations: Installations,
    renewal: Renewal,
    secrets: SecretsCache,
    /// Whether the worker is ending. A worker that is ending starts no further attempts, and exits when the open
    /// attempts have ended and their results are stored.
    closing: bool,
}

impl AppWorker {
    pub(super) fn open(shared: Arc<SharedDelivery>, registration: Registration) -> Self {
        let app = registration.app();
        Self {
            app,
            registration,
            open_attempts: OpenAttempts::new(Arc::clone(&shared), app),
            results: Results::new(app, shared.in_flight.clone()),
            installations: Installations::new(shared.slow.clone(), shared.positions.of(app)),
            renewal: Renewal::default(),
            secrets: SecretsCache::default(),
            closing: false,
            shared,
        }
    }

    /// Waits for an app slot. Then delivers events until one of these is true:
    ///
    /// - no attempt was open during the last [`IDLE_POLLS`] polls;
    /// - another process has the lease;
    /// - other apps need the app slot;
    /// - the store fails;
    /// - the process shuts down.
    pub(super) async fn run(mut self) {
        let shared = Arc::clone(&self.shared);
        let mut slot = tokio::select! {
            slot = shared.app_slots.acquire(self.app) => slot,
            () = shared.stop.draining() => return,
        };
        loop {
            match AppLease::claim(&self.shared, self.app).await {
                Ok(Some(lease)) => {
                    self.serve(&lease, &mut slot).await;
                    // released before `deregister`: a later release could delete the lease that the next worker of this
                    // process has claimed
                    lease.release(&self.shared).await;
                }
                Ok(None) => self.closing = true,
                Err(error) => {
                    tracing::warn!(app = self.app.encode(), %error, "failed to claim the delivery lease of an app");
                    self.closing = true;
                }
            }
            if self.registration.deregister(self.closing) {
                break;
            }
        }
    }

    /// Delivers events until the worker has been idle for [`IDLE_POLLS`] polls, or is closing and idle. The worker is
    /// idle if no attempt is open and all results are stored.
    async fn serve(&mut self, lease: &AppLease, slot: &mut AppSlot) {
        let shared = Arc::clone(&self.shared);
        let begun = shared.world.clock.instant();
        let mut idle_polls = 0;
        let mut last_poll = begun;
        loop {
            let before = self.open_attempts.count();
            self.fill(lease.validity(), slot).await;
            self.results.write(&shared);
            let is_idle = self.open_attempts.count() == 0 && self.results.is_empty();
            if is_idle && (self.closing || idle_polls >= IDLE_POLLS) {
                break;
            }
            if self.open_attempts.count() > before {
                idle_polls = 0;
            }
            if lease.is_to_renew() {
                self.renewal.begin(&shared, self.app);
            }
            tokio::select! {
                finished = self.open_attempts.next() => {
                    self.finish(finished, slot);
                    while let Some(finished) = self.open_attempts.try_next() {
                        self.finish(finished, slot);
                    }
                }
                () = self.results.written(&shared) => {}
                renewed = self.renewal.answer() => self.closing |= !lease.renewed(&renewed),
                new_events = self.registration.next_wake() => self.installations.wake(&new_events),
                // the pause counts from the last poll, so that the other branches of this `select!` do not postpone the
                // next poll
                () = shared.world.clock.pause(POLL_INTERVAL.saturating_sub(last_poll.elapsed())) => {
                    last_poll = shared.world.clock.instant();
                    self.installations.recheck();
                    self.retry_panicked(last_poll);
                    if is_idle {
                        idle_polls += 1;
                    }
                    self.closing |= begun.elapsed() > MAX_RUN && shared.app_slots.is_contended(slot);
                }
                () = shared.stop.draining(), if !self.closing => self.closing = true,
            }
        }
        shared.positions.store(self.app, self.installations.position());
        self.renewal.end().await;
    }

    fn finish(&mut self, finished: FinishedAttempt, slot: &mut AppSlot) {
        match finished.end {
            AttemptEnd::Completed(attempt) => {
                let is_prompt = is_prompt(&attempt);
                self.shared.slow.note(finished.installation, is_prompt);
                if !self.shared.app_slots.note(slot, is_prompt) {
                    // unresponsive apps already use all app slots that they may use, so this app must release its slot
                    self.closing = true;
                }
                self.results.add(attempt);
            }
            AttemptEnd::NotSent => {
                self.results.release(finished.event);
                if let Some(reader) = self.installations.reader(finished.installation, finished.queue) {
                    reader.restart();
                }
            }
            // the event stays in flight for `AFTER_PANIC`, so that other events are attempted first
            AttemptEnd::Panicked => {
                tracing::error!(
                    app = self.app.encode(),
                    event = finished.event.encode(),
                    "a delivery attempt panicked"
                );
                let until = self.shared.world.clock.instant() + AFTER_PANIC;
                self.results.hold_back(until, finished.event, finished.queue);
            }
        }
    }

    /// Makes events available again if at least [`AFTER_PANIC`] has passed since their attempt panicked.
    fn retry_panicked(&mut self, now: Instant) {
        for (installation, queue) in self.results.release_held_back(now) {
            if let Some(reader) = self.installations.reader(installation, queue) {
                reader.restart();
            }
        }
    }

    /// Starts as many attempts as there are free slots and due events.
    async fn fill(&mut self, validity: &LeaseValidity, slot: &AppSlot) {
        while !self.closing
            && self.open_attempts.count() < OPEN_PER_APP
            && !self.results.is_full()
            && validity.outlasts_an_attempt()
        {
            match self.begin_some(validity, slot).await {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    tracing::warn!(app = self.app.encode(), %error, "failed to read due events");
                    self.closing = true;
                }
            }
        }
        self.open_attempts.release_unused();
    }

    /// Reads due events and starts attempts for them in the free slots, or searches for more installations with due
    /// events. Returns whether to call this method again.
    async fn begin_some(&mut self, validity: &LeaseValidity, slot: &AppSlot) -> Result<bool> {
        let free = self.open_attempts.reserve_slots(slot, self.installations.most_open());
        // searches even if no slot is free, because the app can get more slots of the pool for each installation that
        // the search finds
        let may_search = free.count > 0 || !free.is_pool_exhausted;
        if may_search && self.installations.is_search_due() && self.search().await? {
            return Ok(true);
        }
        if free.count == 0 {
            return Ok(false);
        }
        let shares = self.installations.share(&self.open_attempts, free);
        if shares.is_empty() {
            return self.search().await;
        }
        let results = &self.results;
        let (first, retries) = self.installations.reads(&shares, |id| results.in_flight_of(id));
        let limits = (first.limit, retries.limit);
        let (first, retries) = self.shared.world.next_due_events(self.app, first, retries).await?;
        let (mut firsts, mut retries) =
            (first.events.into_iter().peekable(), retries.events.into_iter().peekable());
        let mut shares = shares;
        shares.sort_by_key(|share| share.installation);
        for share in shares {
            let is_its = |event: &DueEvent| event.installation_id == share.installation;
            let firsts: Vec<_> = std::iter::from_fn(|| firsts.next_if(is_its)).collect();
            let retries: Vec<_> = std::iter::from_fn(|| retries.next_if(is_its)).collect();
            self.begin_share(validity, share, (firsts, retries), limits).await?;
        }
        Ok(true)
    }

    async fn search(&mut self) -> Result<bool> {
        let Some((first, retries)) = self.installations.search() else { return Ok(false) };
        let world = &self.shared.world;
        let (first_found, retries_found) =
            world.next_due_events(self.app, first.clone(), retries.clone()).await?;
        self.installations.add_found(&(first, retries), (&first_found, &retries_found));
        Ok(true)
    }

    /// Starts attempts of the events that were read for one installation.
    async fn begin_share(
        &mut self,
        validity: &LeaseValidity,
        share: Share,
        (firsts, retries): (Vec<DueEvent>, Vec<DueEvent>),
        limits: (usize, usize),
    ) -> Result<()> {
        // if a retry is due and no retry is open, one slot is reserved for a retry, so that a flood of new events does
        // not starve retries
        let reserved =
            usize::from(!share.has_open_retry && retries.iter().any(|event| !self.is_excluded(event)));
        let taken = self
            .take(validity, &share, (EventQueue::FirstAttempts, share.slots - reserved), firsts, limits.0)
            .await?;
        let slots = (EventQueue::Retries, share.retry_slots.min(share.slots - taken));
        self.take(validity, &share, slots, retries, limits.1).await?;
        Ok(())
    }

    /// Starts up to `slots` attempts of the events `read`, which were read from a queue of one installation. `limit` is
    /// the limit of this read: fewer events mean that the queue has no further due events. Returns the number of
    /// started attempts.
    async fn take(
        &mut self,
        validity: &LeaseValidity,
        share: &Share,
        (queue, slots): (EventQueue, usize),
        read: Vec<DueEvent>,
        limit: usize,
    ) -> Result<usize> {
        let id = share.installation;
        // no events of the installation were read from this queue
        if limit == 0 || self.installations.reader(id, queue).is_none_or(|reader| reader.is_done()) {
            return Ok(0);
        }
        if queue == EventQueue::Retries && share.retry_slots == 0 {
            return Ok(0);
        }
        let is_end = read.len() < limit;
        let mut begun = 0;
        for event in read {
            let position = (event.next_at, event.id);
            if !self.is_excluded(&event) {
                if begun == slots {
                    return Ok(begun);
                }
                match event.destination.clone() {
                    Ok(url) => {
                        let secrets = self.secrets.of(&self.shared.world, self.app, &event.secrets)?;
                        // the id is generated before the attempt starts, because without an id the result of the
                        // attempt cannot be stored
                        let attempt = self.shared.world.stamp().id()?;
                        self.results.start(event.id, id);
                        self.open_attempts.begin(
                            validity.clone(),
                            queue,
                            attempt,
                            Ready { event, url, secrets },
                        );
                        self.installations.record_start(id);
                        begun += 1;
                    }
                    Err(which) => {
                        if self.drop_pending(which).await? > 0 {
                            // the queue is read again, because events in `read` may have been dropped too
                            return Ok(begun);
                        }
                    }
                }
            }
            if let Some(reader) = self.installations.reader(id, queue) {
                reader.advance_past(position);
            }
        }
        if let Some(reader) = self.installations.reader(id, queue).filter(|_| is_end) {
            reader.end();
        }
        Ok(begun)
    }

    /// Returns whether a due event must not be attempted. This is the case if it is in flight, or if the result of an
    /// earlier attempt could not be stored.
    fn is_excluded(&self, event: &DueEvent) -> bool {
        self.results.is_in_flight(event.id) || self.shared.skipped.lock().contains(&event.id)
    }

    /// Drops a batch of those of the app's pending events that `which` selects. Returns the number of dropped events.
    async fn drop_pending(&self, which: Dropped) -> Result<u64> {
        let dropped = self.shared.world.drop_events(self.app, which).await?;
        metrics::counter!(EVENTS_DROPPED, "reason" => which.reason().name()).increment(dropped);
        self.shared.settled.notify_waiters();
        Ok(dropped)
    }
}

/// Returns whether the app's server responded promptly to the attempt.
fn is_prompt(attempt: &Attempt) -> bool {
    attempt.status.is_some() && Duration::from_millis(attempt.latency_ms.unsigned_abs()) < PROMPT
}
