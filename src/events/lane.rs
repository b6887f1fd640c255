//! One app's deliveries, while there are any.
//!
//! The events are read when there are places for them, together with what their app and installation are at that moment:
//! so the current URL and secrets are used (D-187, B-434), and nothing is sent for an installation that was disconnected
//! (D-183). First attempts to an installation begin in the order of creation; of its four places at most two are for
//! repeated ones.

use std::{sync::Arc, time::Duration};

use super::{
    OPEN_PER_APP, Shared,
    dropping::{Drop, what_to_do},
    installations::{Installations, Share},
    lanes::Registration,
    lease::{Lease, Renewal, Right},
    places::{End, Landed, Places},
    queues::{NextDue, Wanted},
    results::Results,
    turns::{PROMPT, Turn},
};
use crate::{
    domain::ids::AppId,
    platform::metrics::EVENTS_DROPPED,
    store::{
        Result,
        deliveries::{Attempt, Dropped, Due, Queue},
    },
};

/// How often a lane looks again by itself, for what other processes wrote and what has become due.
const TICK: Duration = Duration::from_millis(250);
/// How many such looks it stays without finding anything, so that the next event needs no new lease.
const LINGER: u32 = 4;
/// How long it goes on while others wait for a place among the apps served.
const TURN: Duration = Duration::from_secs(5);

/// A lane of one app.
pub(super) struct Lane {
    shared: Arc<Shared>,
    app: AppId,
    registration: Registration,
    places: Places,
    results: Results,
    installations: Installations,
    renewal: Renewal,
    /// No more attempts are begun; it ends when those that are open have ended.
    closing: bool,
}

impl Lane {
    pub(super) fn open(shared: Arc<Shared>, registration: Registration) -> Self {
        let app = registration.app();
        Self {
            app,
            registration,
            places: Places::new(Arc::clone(&shared), app),
            results: Results::new(app, shared.under_way.clone()),
            installations: Installations::new(shared.slow.clone()),
            renewal: Renewal::default(),
            closing: false,
            shared,
        }
    }

    /// Delivers until nothing is due, or another process does it.
    pub(super) async fn run(mut self) {
        let shared = Arc::clone(&self.shared);
        let mut turn = tokio::select! {
            turn = shared.turns.take(self.app) => turn,
            () = shared.stop.draining() => return,
        };
        loop {
            match Lease::take(&self.shared, self.app).await {
                Ok(Some(lease)) => {
                    self.serve(&lease, &mut turn).await;
                    // before another lane of this process can ask for it
                    lease.release(&self.shared).await;
                }
                Ok(None) => self.closing = true,
                Err(error) => {
                    tracing::warn!(app = self.app.encode(), %error, "the lease of an app cannot be asked for");
                    self.closing = true;
                }
            }
            if self.registration.leave(self.closing) {
                break;
            }
        }
    }

    /// Delivers while there is something to deliver.
    async fn serve(&mut self, lease: &Lease, turn: &mut Turn) {
        let shared = Arc::clone(&self.shared);
        let begun = shared.world.clock.instant();
        let mut quiet = 0;
        let mut looked = begun;
        loop {
            let before = self.places.taken();
            self.fill(lease.right(), turn).await;
            self.results.write(&shared);
            let is_idle = self.places.taken() == 0 && self.results.is_empty();
            if is_idle && (self.closing || quiet >= LINGER) {
                break;
            }
            if self.places.taken() > before {
                quiet = 0;
            }
            if lease.is_to_renew() {
                self.renewal.begin(&shared, self.app);
            }
            tokio::select! {
                landed = self.places.next() => {
                    self.land(landed, turn);
                    while let Some(landed) = self.places.ready() {
                        self.land(landed, turn);
                    }
                }
                () = self.results.written(&shared) => {}
                renewed = self.renewal.answer() => self.closing |= !lease.renewed(&renewed),
                fresh = self.registration.heard() => self.installations.wake(&fresh),
                // what else happens does not put this off
                () = shared.world.clock.pause(TICK.saturating_sub(looked.elapsed())) => {
                    looked = shared.world.clock.instant();
                    self.installations.look_again();
                    if is_idle {
                        quiet += 1;
                    }
                    self.closing |= begun.elapsed() > TURN && shared.turns.are_awaited(turn);
                }
                () = shared.stop.draining(), if !self.closing => self.closing = true,
            }
        }
        self.renewal.end().await;
    }

    fn land(&mut self, landed: Landed, turn: &mut Turn) {
        match landed.end {
            End::Made(attempt) => {
                let is_prompt = is_prompt(&attempt);
                self.installations.note(landed.installation, is_prompt);
                if !self.shared.turns.note(turn, is_prompt) {
                    // those that answer must not wait for this one
                    self.closing = true;
                }
                self.results.add(attempt);
            }
            End::NotBegun => {
                self.results.release(landed.event);
                if let Some(walk) = self.installations.walk(landed.installation, landed.queue) {
                    walk.restart();
                }
            }
            // held from now on, so that others have their turn before it is tried again
            End::Broken => tracing::error!(
                app = self.app.encode(),
                event = landed.event.encode(),
                "an attempt to deliver an event panicked"
            ),
        }
    }

    /// Begins as many attempts as there are places and events.
    async fn fill(&mut self, right: &Right, turn: &Turn) {
        while !self.closing
            && self.places.taken() < OPEN_PER_APP
            && !self.results.are_many()
            && right.outlasts_an_attempt()
        {
            match self.begin_some(right, turn).await {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    tracing::warn!(app = self.app.encode(), %error, "failed to read due events");
                    self.closing = true;
                }
            }
        }
        self.places.settle();
    }

    /// Reads and begins what fits into the free places, or searches for more installations; returns whether there may be
    /// more to do.
    async fn begin_some(&mut self, right: &Right, turn: &Turn) -> Result<bool> {
        let free = self.places.free(turn, self.installations.most_open());
        if free == 0 {
            return Ok(false);
        }
        if self.installations.is_search_due() && self.search().await? {
            return Ok(true);
        }
        let shares = self.installations.share(&self.places, free);
        if shares.is_empty() {
            return self.search().await;
        }
        let results = &self.results;
        let (first, again) = self.installations.wanted(&shares, |id| results.held_of(id));
        let limits = (first.limit, again.limit);
        let (first, again) = self.shared.world.db.read(self.next(first, again)).await?;
        let (mut firsts, mut agains) =
            (first.events.into_iter().peekable(), again.events.into_iter().peekable());
        let mut shares = shares;
        shares.sort_by_key(|share| share.installation);
        for share in shares {
            let is_its = |event: &Due| event.installation_id == share.installation;
            let firsts: Vec<_> = std::iter::from_fn(|| firsts.next_if(is_its)).collect();
            let agains: Vec<_> = std::iter::from_fn(|| agains.next_if(is_its)).collect();
            self.begin_share(right, share, (firsts, agains), limits).await?;
        }
        Ok(true)
    }

    fn next(&self, first: Wanted, again: Wanted) -> NextDue {
        NextDue { app: self.app, now: self.shared.world.clock.now(), first, again }
    }

    async fn search(&mut self) -> Result<bool> {
        let Some((first, again)) = self.installations.search() else { return Ok(false) };
        let op = self.next(first.clone(), again.clone());
        let (first_found, again_found) = self.shared.world.db.read(op).await?;
        self.installations.found(&(first, again), (&first_found, &again_found));
        Ok(true)
    }

    /// Begins what was read of one installation.
    async fn begin_share(
        &mut self,
        right: &Right,
        share: Share,
        (firsts, agains): (Vec<Due>, Vec<Due>),
        limits: (usize, usize),
    ) -> Result<()> {
        // a repeated one gets a place when none has any, so that a flood of new events does not starve it
        let reserved = usize::from(!share.has_repeated && agains.iter().any(|event| !self.is_held(event)));
        let taken =
            self.take(right, &share, (Queue::First, share.places - reserved), firsts, limits.0).await?;
        let again = (Queue::Again, share.again.min(share.places - taken));
        self.take(right, &share, again, agains, limits.1).await?;
        Ok(())
    }

    /// Begins up to `places` attempts with what was read of a queue; returns how many.
    async fn take(
        &mut self,
        right: &Right,
        share: &Share,
        (queue, places): (Queue, usize),
        read: Vec<Due>,
        limit: usize,
    ) -> Result<usize> {
        let id = share.installation;
        // nothing was read of this queue
        if limit == 0 || self.installations.walk(id, queue).is_none_or(|walk| walk.is_done()) {
            return Ok(0);
        }
        if queue == Queue::Again && share.again == 0 {
            return Ok(0);
        }
        let is_end = read.len() < limit;
        let mut begun = 0;
        for event in read {
            let position = (event.next_at, event.id);
            if !self.is_held(&event) {
                if begun == places {
                    return Ok(begun);
                }
                match what_to_do(&event) {
                    Ok(url) => {
                        // drawn first: without one the attempt could not be kept
                        let attempt = self.shared.world.stamp().id()?;
                        self.results.hold(event.id, id);
                        self.places.begin(right.clone(), queue, attempt, event, url);
                        self.installations.begun(id);
                        begun += 1;
                    }
                    Err(which) => {
                        if self.drop_pending(which).await? > 0 {
                            // what else was read may be among them, and more than was read
                            return Ok(begun);
                        }
                    }
                }
            }
            if let Some(walk) = self.installations.walk(id, queue) {
                walk.pass(position);
            }
        }
        if let Some(walk) = self.installations.walk(id, queue).filter(|_| is_end) {
            walk.end();
        }
        Ok(begun)
    }

    /// Whether an event only looks as if it were due.
    fn is_held(&self, event: &Due) -> bool {
        self.results.holds(event.id) || self.shared.aside.lock().contains(&event.id)
    }

    /// Drops an event and others that wait for the same reason; returns how many.
    async fn drop_pending(&self, which: Dropped) -> Result<u64> {
        let op = Drop { app: self.app, which, now: self.shared.world.clock.now() };
        let dropped = self.shared.world.db.write(op).await?;
        metrics::counter!(EVENTS_DROPPED, "reason" => which.reason().name()).increment(dropped);
        self.shared.settled.notify_waiters();
        Ok(dropped)
    }
}

/// Whether the app's server answered as servers do.
fn is_prompt(attempt: &Attempt) -> bool {
    attempt.status.is_some() && Duration::from_millis(attempt.latency_ms.unsigned_abs()) < PROMPT
}
