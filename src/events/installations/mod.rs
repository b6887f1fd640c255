//! The installations that an app's worker serves, and the slots of each installation.
//!
//! A worker serves up to [`SERVED`] installations at a time, round-robin. Each open attempt occupies a slot. An
//! installation can use four slots, and at most two of them for retries. So the backlog of one company does not delay
//! other companies.
//!
//! An installation is slow if its latest attempt got no prompt response. All slow installations together can use at
//! most three quarters of the app's [`OPEN_PER_APP`](super::OPEN_PER_APP) slots, so that they leave slots for the other
//! installations. If the pool that all apps share has no further slot for the app, the slow installations can use at
//! most three quarters of the slots that the app has.
//!
//! The worker finds installations with due events in two ways. Commits of this process report installations with new
//! events. A search reads the installations page by page, in the order of their ids. There are two searches: one for
//! due first attempts, and one for due retries.

use std::collections::BTreeMap;

use super::{
    OPEN_PER_INSTALLATION, RETRIES_PER_INSTALLATION,
    open_attempts::{FreeSlots, OpenAttempts},
    positions::{InstallationSearch, ServicePosition},
    queues::QueueReader,
    slow::{Slow, max_slow},
};
use crate::{
    domain::{
        delivery::{EventQueue, NewEvents, ReadPosition},
        ids::InstallationId,
    },
    service::events::deliveries::queue::{QueuePage, QueueRead},
};

/// Maximum number of installations that are served at a time.
const SERVED: usize = 64;
/// Number of installations that the search for retries examines after each poll. It is greater than [`SERVED`], because
/// most of these installations may have no retry that is due.
const RETRY_SEARCH_STEPS: usize = 512;
/// Number of attempts after which an installation can yield. An installation that yields is no longer served, so that
/// the worker can serve another installation.
const QUANTUM: u32 = 16;
/// While the served installations still have events to read, a search runs only if the worker could serve at least this
/// many further installations: it can add installations until [`SERVED`] are served, and can replace served
/// installations that can yield.
const MIN_YIELDING: usize = 8;

/// A served installation.
struct Served {
    first: QueueReader,
    retries: QueueReader,
    /// Number of attempts started since the installation was added.
    begun: u32,
    /// Whether a search has passed the installation. `false` if only a commit has reported it.
    is_passed: bool,
}

impl Served {
    const fn new(is_passed: bool) -> Self {
        Self { first: QueueReader::new(), retries: QueueReader::new(), begun: 0, is_passed }
    }

    const fn reader(&mut self, queue: EventQueue) -> &mut QueueReader {
        match queue {
            EventQueue::FirstAttempts => &mut self.first,
            EventQueue::Retries => &mut self.retries,
        }
    }

    const fn is_done(&self) -> bool {
        self.first.is_done() && self.retries.is_done()
    }
}

/// The slots that an installation gets for new attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) installation: InstallationId,
    /// Number of slots for new attempts.
    pub(super) slots: usize,
    /// How many of these slots retries may use.
    pub(super) retry_slots: usize,
    /// Whether the installation has an open attempt that is a retry.
    pub(super) has_open_retry: bool,
}

/// The installations of one app.
pub(super) struct Installations {
    served: BTreeMap<InstallationId, Served>,
    first: InstallationSearch,
    retries: InstallationSearch,
    /// Whether a search for retries ran since the last call of [`Self::recheck`].
    has_searched: bool,
    /// Whether slow installations have yielded since the last call of [`Self::recheck`].
    has_replaced_slow: bool,
    /// Whether the slow installations used all slots that they may use, at the last call of [`Self::share`].
    slow_slots_used: bool,
    /// The last installation that got slots, in the round-robin order.
    last_served: InstallationId,
    slow: Slow,
}

impl Installations {
    /// Returns the state at the start of a worker, which serves no installation yet. `from` is the position at which
    /// the app's previous worker ended.
    pub(super) const fn new(slow: Slow, from: ServicePosition) -> Self {
        Self {
            served: BTreeMap::new(),
            first: InstallationSearch::starting_after(from.first),
            retries: InstallationSearch::starting_after(from.retries),
            has_searched: false,
            has_replaced_slow: false,
            slow_slots_used: false,
            last_served: from.last_served,
            slow,
        }
    }

    /// Returns the position at which the next worker of the app continues.
    pub(super) fn position(&self) -> ServicePosition {
        // Whether served installations that a search has passed still wait for a slot: since they were added, none of
        // their events was attempted. They follow `last_served` in the round-robin order, so the next worker searches
        // from there.
        let is_waiting =
            self.served.values().any(|served| served.is_passed && served.begun == 0 && !served.is_done());
        if self.first.done && self.retries.done && !is_waiting {
            return ServicePosition::START;
        }
        let of = |search: &InstallationSearch| match (search.done, is_waiting) {
            (true, _) => InstallationId(0),
            (false, true) => self.last_served,
            (false, false) => search.after,
        };
        ServicePosition { first: of(&self.first), retries: of(&self.retries), last_served: self.last_served }
    }

    /// Adds installations with new events to the served installations, and refreshes the readers of those that are
    /// already served. If the maximum [`SERVED`] is reached, restarts both searches instead of adding an installation,
    /// so that a later search finds it. For [`NewEvents::Any`], rechecks all installations.
    pub(super) fn wake(&mut self, new_events: &NewEvents) {
        let NewEvents::Of(installations) = new_events else { return self.recheck() };
        for id in installations {
            if let Some(served) = self.served.get_mut(id) {
                served.first.refresh();
                served.retries.refresh();
            } else if self.has_capacity() {
                self.served.insert(*id, Served::new(false));
            } else {
                self.first.restart();
                self.retries.restart();
            }
        }
    }

    /// Restarts the readers and searches that have ended, because due events may be anywhere in the queues. A search
    /// that is still in progress is repeated when it ends. A reader that is still in progress reads the end of its
    /// queue again when it ends. Each poll calls this method.
    pub(super) fn recheck(&mut self) {
        for served in self.served.values_mut() {
            for reader in [&mut served.first, &mut served.retries] {
                if reader.is_done() {
                    reader.restart();
                } else {
                    reader.refresh();
                }
            }
        }
        self.first.restart();
        self.retries.restart();
        self.has_searched = false;
        self.has_replaced_slow = false;
    }

    /// Returns the queue reader of a served installation.
    pub(super) fn reader(&mut self, id: InstallationId, queue: EventQueue) -> Option<&mut QueueReader> {
        self.served.get_mut(&id).map(|served| served.reader(queue))
    }

    /// Records the start of an attempt.
    pub(super) fn record_start(&mut self, id: InstallationId) {
        if let Some(served) = self.served.get_mut(&id) {
            served.begun += 1;
        }
    }

    /// Returns the maximum number of slots that the served installations can use.
    pub(super) fn most_open(&self) -> usize {
        self.served.len() * OPEN_PER_INSTALLATION
    }

    /// Distributes free slots, round-robin, among the served installations that have events to read.
    pub(super) fn share(&mut self, open_attempts: &OpenAttempts, free: FreeSlots) -> Vec<Share> {
        let slow = self.slow.lock();
        let slow_open: usize =
            open_attempts.open().filter(|(id, _)| slow.contains(id)).map(|(_, open)| open).sum();
        let slots = open_attempts.count() + free.count;
        let mut slow_free = max_slow(slots, free.is_pool_exhausted).saturating_sub(slow_open);
        let mut free = free.count;
        let mut shares = Vec::new();
        let after = self.served.range(self.last_served..).skip_while(|(id, _)| **id == self.last_served);
        for (&id, served) in after.chain(self.served.range(..=self.last_served)) {
            let (open, open_retries) = open_attempts.of(id);
            let is_slow = slow.contains(&id);
            let most = if is_slow { free.min(slow_free) } else { free };
            let most = most.min(OPEN_PER_INSTALLATION.saturating_sub(open));
            let retry_slots = match served.retries.is_done() {
                true => 0,
                false => most.min(RETRIES_PER_INSTALLATION.saturating_sub(open_retries)),
            };
            if most == 0 || (served.first.is_done() && retry_slots == 0) {
                continue;
            }
            shares.push(Share {
                installation: id,
                slots: most,
                retry_slots,
                has_open_retry: open_retries > 0,
            });
            free -= most;
            if is_slow {
                slow_free -= most;
            }
        }
        drop(slow);
        self.slow_slots_used = slow_free == 0;
        if let Some(last) = shares.last() {
            self.last_served = last.installation;
        }
        shares
    }

    /// Returns the reads of the two queues for these shares. `in_flight` returns how many events of an installation are
    /// [in flight](super::in_flight). A read also returns these events, because they are still due in the table. So the
    /// limit of a read includes their number.
    pub(super) fn reads(
        &mut self,
        shares: &[Share],
        in_flight: impl Fn(InstallationId) -> usize,
    ) -> (QueueRead, QueueRead) {
        let (mut first, mut retries) = (QueueRead::default(), QueueRead::default());
        for share in shares {
            let id = share.installation;
            let Some(served) = self.served.get(&id) else { continue };
            let after = |reader: &QueueReader| ReadPosition {
                installation_id: id,
                next_at: reader.after().0,
                id: reader.after().1,
            };
            if !served.first.is_done() {
                first.after.push(after(&served.first));
                first.limit = first.limit.max(share.slots + in_flight(id));
            }
            if share.retry_slots > 0 {
                retries.after.push(after(&served.retries));
                retries.limit = retries.limit.max(share.retry_slots + in_flight(id));
            }
        }
        (first, retries)
    }

    /// Returns whether a search should run: other installations may be waiting, and the worker could serve at least
    /// [`MIN_YIELDING`] of them.
    pub(super) fn is_search_due(&self) -> bool {
        let may_wait = !self.first.done || (!self.retries.done && !self.has_searched);
        let slow_may_yield = self.slow_may_yield();
        let slow = self.slow.lock();
        let yields = |(id, served): &(&InstallationId, &Served)| {
            served.begun >= QUANTUM || (slow_may_yield && slow.contains(*id))
        };
        let can_yield = self.served.iter().filter(yields).count();
        drop(slow);
        may_wait && SERVED - self.served.len() + can_yield >= MIN_YIELDING
    }

    /// Removes served installations if necessary ([`Self::evict`]). Then returns the reads of the two searches, one for
    /// first attempts and one for retries. A search that has ended reads nothing. The search for retries reads only
    /// once after each [`Self::recheck`]. Returns `None` if neither search reads anything, or if no further
    /// installation can be served now.
    pub(super) fn search(&mut self) -> Option<(QueueRead, QueueRead)> {
        let searches_retries = !self.retries.done && !self.has_searched;
        if self.first.done && !searches_retries {
            return None;
        }
        self.evict();
        if !self.has_capacity() {
            return None;
        }
        let free = SERVED - self.served.len();
        let of = |search: &InstallationSearch, steps| QueueRead {
            search: Some((search.after, steps)),
            ..QueueRead::default()
        };
        let first = if self.first.done { QueueRead::default() } else { of(&self.first, free) };
        let retries =
            if searches_retries { of(&self.retries, RETRY_SEARCH_STEPS) } else { QueueRead::default() };
        Some((first, retries))
    }

    /// Serves the installations that the searches found. Each search can fill half of the free capacity, and also the
    /// part that the other search does not fill. If the capacity were not divided, a backlog of first attempts would
    /// delay the retries of other installations.
    pub(super) fn add_found(
        &mut self,
        requested: &(QueueRead, QueueRead),
        (first, retries): (&QueuePage, &QueuePage),
    ) {
        let free = SERVED - self.served.len();
        let is_new = |(id, is_due): &&(InstallationId, bool)| *is_due && !self.served.contains_key(id);
        let first_due = first.installations.iter().filter(is_new).count();
        let most_served = SERVED - first_due.min(free / 2);
        for (reads, found, queue, most) in [
            (&requested.1, retries, EventQueue::Retries, most_served),
            (&requested.0, first, EventQueue::FirstAttempts, SERVED),
        ] {
            let Some((_, steps)) = reads.search else { continue };
            let mut last = None;
            let mut is_full = false;
            for (id, is_due) in &found.installations {
                if let Some(served) = self.served.get_mut(id) {
                    served.is_passed = true;
                } else if *is_due {
                    if self.served.len() >= most {
                        is_full = true;
                        break;
                    }
                    self.served.insert(*id, Served::new(true));
                }
                last = Some(*id);
            }
            let is_end = !is_full && found.installations.len() < steps;
            match queue {
                EventQueue::FirstAttempts => self.first.advance_past(last, is_end),
                EventQueue::Retries => {
                    self.retries.advance_past(last, is_end);
                    self.has_searched = true;
                }
            }
        }
    }

    fn has_capacity(&self) -> bool {
        self.served.len() < SERVED
    }

    /// Returns whether slow installations yield now. They yield at most once after each [`Self::recheck`], and only if
    /// they use all slots that they may use.
    const fn slow_may_yield(&self) -> bool {
        self.slow_slots_used && !self.has_replaced_slow
    }

    /// Makes capacity for at least [`MIN_YIELDING`] further installations, if possible. While there is less capacity,
    /// removes these served installations, one group after the other:
    ///
    /// - all installations without events to read;
    /// - all installations with at least [`QUANTUM`] attempts;
    /// - if slow installations yield now ([`Self::slow_may_yield`]), all slow installations.
    fn evict(&mut self) {
        let can_add_enough = |served: &BTreeMap<_, _>| SERVED - served.len() >= MIN_YIELDING;
        if !can_add_enough(&self.served) {
            self.served.retain(|_, served| !served.is_done());
        }
        if !can_add_enough(&self.served) {
            let before = self.served.len();
            self.served.retain(|_, served| served.begun < QUANTUM);
            if self.served.len() < before {
                // the removed installations may have more events, and the searches have already passed them
                self.first.stale = true;
                self.retries.restart();
            }
        }
        if !can_add_enough(&self.served) && self.slow_may_yield() {
            self.has_replaced_slow = true;
            let before = self.served.len();
            let slow = self.slow.lock();
            self.served.retain(|id, _| !slow.contains(id));
            drop(slow);
            if self.served.len() < before {
                self.first.restart();
                self.retries.restart();
            }
        }
    }
}

#[cfg(test)]
mod tests;
