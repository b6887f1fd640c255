//! One app's deliveries, while there are any.
//!
//! The events are read one open place at a time, together with what their app and installation are at that moment:
//! so the current URL and secrets are used (D-187, B-434), and nothing is sent for an installation that has ended
//! (D-183). First attempts begin in the order of creation; of the four places at most two are for repeated ones.

use std::{sync::Arc, time::Duration};

use super::{
    OPEN_PER_APP, REPEATED_PER_APP, Shared,
    dropping::{GiveUp, what_to_do},
    lanes::Registration,
    lease::{Lease, Renewal, Right},
    places::{End, Landed, Places},
    queues::{NextDue, Walk},
    results::Results,
    turns::{PROMPT, Turn},
};
use crate::{
    domain::{delivery::DropReason, ids::AppId},
    platform::metrics::EVENTS_DROPPED,
    store::{
        Result,
        deliveries::{Attempt, Due, Queue},
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
    first: Walk,
    again: Walk,
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
            first: Walk::new(),
            again: Walk::new(),
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
            self.fill(lease.right()).await;
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
                () = self.registration.heard() => {
                    self.first.refresh();
                    self.again.refresh();
                }
                // what else happens does not put this off
                () = shared.world.clock.pause(TICK.saturating_sub(looked.elapsed())) => {
                    looked = shared.world.clock.instant();
                    self.look_again();
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

    /// There may be more to do than was seen, wherever in the queues.
    fn look_again(&mut self) {
        for walk in [&mut self.first, &mut self.again] {
            if walk.is_done() {
                walk.restart();
            } else {
                walk.refresh();
            }
        }
    }

    fn land(&mut self, landed: Landed, turn: &mut Turn) {
        match landed.end {
            End::Made(attempt) => {
                if !self.shared.turns.note(turn, is_prompt(&attempt)) {
                    // those that answer must not wait for this one
                    self.closing = true;
                }
                self.results.add(attempt);
            }
            End::NotBegun => {
                self.results.release(landed.event);
                self.walk(landed.queue).restart();
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
    async fn fill(&mut self, right: &Right) {
        while !self.closing
            && self.places.taken() < OPEN_PER_APP
            && !(self.first.is_done() && (self.again.is_done() || self.places.repeated() >= REPEATED_PER_APP))
            && !self.results.are_many()
            && right.outlasts_an_attempt()
        {
            if let Err(error) = self.begin_some(right).await {
                tracing::warn!(app = self.app.encode(), %error, "due events cannot be read");
                self.closing = true;
            }
        }
    }

    async fn begin_some(&mut self, right: &Right) -> Result<()> {
        let free = OPEN_PER_APP - self.places.taken();
        let repeated = self.places.repeated();
        let again_free = free.min(REPEATED_PER_APP.saturating_sub(repeated));
        let held = self.results.held();
        let wanted = |walk: &Walk, places: usize| {
            let limit = if walk.is_done() || places == 0 { 0 } else { places + held };
            (walk.after(), limit)
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
        let reserved = usize::from(repeated == 0 && agains.iter().any(|event| !self.is_held(event)));
        let taken = self.take(right, Queue::First, firsts, first_limit, free - reserved).await?;
        self.take(right, Queue::Again, agains, again_limit, again_free.min(free - taken)).await?;
        Ok(())
    }

    /// Begins up to `places` attempts with what was read of a queue; how many.
    async fn take(
        &mut self,
        right: &Right,
        queue: Queue,
        read: Vec<Due>,
        limit: usize,
        places: usize,
    ) -> Result<usize> {
        if limit == 0 {
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
                        let id = self.shared.world.stamp().id()?;
                        self.results.hold(event.id);
                        self.places.begin(right.clone(), queue, id, event, url);
                        begun += 1;
                    }
                    Err(why) => {
                        if self.give_up(&event, why).await? > 0 {
                            // what else was read may be among them, and more than was read
                            return Ok(begun);
                        }
                    }
                }
            }
            self.walk(queue).pass(position);
        }
        if is_end {
            self.walk(queue).end();
        }
        Ok(begun)
    }

    /// Whether an event only looks as if it were due.
    fn is_held(&self, event: &Due) -> bool {
        self.results.holds(event.id) || self.shared.aside.lock().contains(&event.id)
    }

    fn walk(&mut self, queue: Queue) -> &mut Walk {
        match queue {
            Queue::First => &mut self.first,
            Queue::Again => &mut self.again,
        }
    }

    /// Drops an event and others that wait for the same reason; how many.
    async fn give_up(&self, event: &Due, why: DropReason) -> Result<u64> {
        let now = self.shared.world.clock.now();
        let op = GiveUp { app: self.app, installation: event.installation_id, why, now };
        let dropped = self.shared.world.db.write(op).await?;
        metrics::counter!(EVENTS_DROPPED, "reason" => why.name()).increment(dropped);
        self.shared.settled.notify_waiters();
        Ok(dropped)
    }
}

/// Whether the app's server answered as servers do.
fn is_prompt(attempt: &Attempt) -> bool {
    attempt.status.is_some() && Duration::from_millis(attempt.latency_ms.unsigned_abs()) < PROMPT
}
