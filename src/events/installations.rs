//! The installations of an app that its lane serves, each with places of its own.
//!
//! A lane serves up to [`SERVED`] installations at a time, in turns. Each may have four open attempts, two of them repeated
//! ones, so that the backlog of one company delays no other. Installations whose latest attempt was not answered
//! promptly share three quarters of the app's places: however many time out, the others go on.
//!
//! Which installations have due events is known from the commits of this process, and from a search that steps from
//! installation to installation, a page at a time.

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};

use parking_lot::Mutex;

use super::{
    OPEN_PER_APP, OPEN_PER_INSTALLATION, REPEATED_PER_INSTALLATION,
    places::Places,
    queues::{Found, Walk, Wanted},
};
use crate::{
    domain::ids::InstallationId,
    store::{
        Fresh,
        deliveries::{After, Queue},
    },
};

/// Most installations that are served at a time.
const SERVED: usize = 64;
/// How many steps a search for repeated attempts takes at each look: most of what it finds may be due later.
const STEPS_AGAIN: usize = 512;
/// After how many attempts an installation makes room for others that wait to be served.
const QUANTUM: u32 = 16;
/// How many must be able to make room before others are searched for while some are served.
const ROOM: usize = 8;
/// Most open attempts to installations that do not answer promptly.
const SLOW_PER_APP: usize = OPEN_PER_APP * 3 / 4;

/// Installations, of all apps, whose latest attempt was not answered promptly. Outlives the lanes. Cloning shares it.
#[derive(Clone, Debug, Default)]
pub(super) struct Slow(Arc<Mutex<HashSet<InstallationId>>>);

/// An installation that is served.
struct Served {
    first: Walk,
    again: Walk,
    /// Attempts begun since it is served.
    begun: u32,
}

impl Served {
    const fn new() -> Self {
        Self { first: Walk::new(), again: Walk::new(), begun: 0 }
    }

    const fn walk(&mut self, queue: Queue) -> &mut Walk {
        match queue {
            Queue::First => &mut self.first,
            Queue::Again => &mut self.again,
        }
    }

    const fn is_done(&self) -> bool {
        self.first.is_done() && self.again.is_done()
    }
}

/// How far the search for other installations has come, in the order of their ids.
struct Search {
    after: InstallationId,
    done: bool,
    /// Something may have come in before `after` since the search began.
    stale: bool,
}

impl Search {
    const START: Self = Self { after: InstallationId(0), done: false, stale: false };

    const fn restart(&mut self) {
        if self.done {
            *self = Self::START;
        } else {
            self.stale = true;
        }
    }

    fn pass(&mut self, last: Option<InstallationId>, is_end: bool) {
        if let Some(last) = last {
            self.after = last;
        }
        if is_end {
            let again = std::mem::take(&mut self.stale);
            *self = Self { done: !again, ..Self::START };
        }
    }
}

/// How many events of an installation may be begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) installation: InstallationId,
    /// Free places, of which some may be kept for repeated attempts.
    pub(super) places: usize,
    /// Those of them that repeated attempts may have.
    pub(super) again: usize,
    /// Whether a repeated attempt is open.
    pub(super) has_repeated: bool,
}

/// The installations of one app.
pub(super) struct Installations {
    served: BTreeMap<InstallationId, Served>,
    first: Search,
    again: Search,
    /// Repeated attempts were searched for since the last look.
    has_searched: bool,
    /// Whose turn was last.
    turn: InstallationId,
    slow: Slow,
}

impl Installations {
    pub(super) const fn new(slow: Slow) -> Self {
        Self {
            served: BTreeMap::new(),
            first: Search::START,
            again: Search::START,
            has_searched: false,
            turn: InstallationId(0),
            slow,
        }
    }

    /// Installations have new events.
    pub(super) fn wake(&mut self, fresh: &Fresh) {
        let Fresh::Of(installations) = fresh else { return self.look_again() };
        for id in installations {
            if let Some(served) = self.served.get_mut(id) {
                served.first.refresh();
                served.again.refresh();
            } else if self.has_room() {
                self.served.insert(*id, Served::new());
            } else {
                self.first.restart();
                self.again.restart();
            }
        }
    }

    /// There may be more to do than was seen, wherever in the queues.
    pub(super) fn look_again(&mut self) {
        for served in self.served.values_mut() {
            for walk in [&mut served.first, &mut served.again] {
                if walk.is_done() {
                    walk.restart();
                } else {
                    walk.refresh();
                }
            }
        }
        self.first.restart();
        self.again.restart();
        self.has_searched = false;
    }

    /// The walk of an installation that is served.
    pub(super) fn walk(&mut self, id: InstallationId, queue: Queue) -> Option<&mut Walk> {
        self.served.get_mut(&id).map(|served| served.walk(queue))
    }

    /// Notes that an attempt was begun.
    pub(super) fn begun(&mut self, id: InstallationId) {
        if let Some(served) = self.served.get_mut(&id) {
            served.begun += 1;
        }
    }

    /// Notes whether the server answered an attempt promptly.
    pub(super) fn note(&self, id: InstallationId, prompt: bool) {
        let mut slow = self.slow.0.lock();
        if prompt {
            slow.remove(&id);
        } else {
            slow.insert(id);
        }
    }

    /// How many places the installations that are served can use.
    pub(super) fn most_open(&self) -> usize {
        self.served.len() * OPEN_PER_INSTALLATION
    }

    /// Shares free places out among the installations with something to read, in turns.
    pub(super) fn share(&mut self, places: &Places, free: usize) -> Vec<Share> {
        let slow = self.slow.0.lock();
        let slow_open: usize = places.open().filter(|(id, _)| slow.contains(id)).map(|(_, open)| open).sum();
        let (mut free, mut slow_free) = (free, SLOW_PER_APP.saturating_sub(slow_open));
        let mut shares = Vec::new();
        let after = self.served.range(self.turn..).skip_while(|(id, _)| **id == self.turn);
        for (&id, served) in after.chain(self.served.range(..=self.turn)) {
            let (open, repeated) = places.of(id);
            let is_slow = slow.contains(&id);
            let most = if is_slow { free.min(slow_free) } else { free };
            let most = most.min(OPEN_PER_INSTALLATION.saturating_sub(open));
            let again = match served.again.is_done() {
                true => 0,
                false => most.min(REPEATED_PER_INSTALLATION.saturating_sub(repeated)),
            };
            if most == 0 || (served.first.is_done() && again == 0) {
                continue;
            }
            shares.push(Share { installation: id, places: most, again, has_repeated: repeated > 0 });
            free -= most;
            if is_slow {
                slow_free -= most;
            }
        }
        drop(slow);
        if let Some(last) = shares.last() {
            self.turn = last.installation;
        }
        shares
    }

    /// What is to be read for these shares. `held` tells how many events of an installation only look as if they were due.
    pub(super) fn wanted(
        &mut self,
        shares: &[Share],
        held: impl Fn(InstallationId) -> usize,
    ) -> (Wanted, Wanted) {
        let (mut first, mut again) = (Wanted::default(), Wanted::default());
        for share in shares {
            let id = share.installation;
            let Some(served) = self.served.get(&id) else { continue };
            let after =
                |walk: &Walk| After { installation_id: id, next_at: walk.after().0, id: walk.after().1 };
            if !served.first.is_done() {
                first.after.push(after(&served.first));
                first.limit = first.limit.max(share.places + held(id));
            }
            if share.again > 0 {
                again.after.push(after(&served.again));
                again.limit = again.limit.max(share.again + held(id));
            }
        }
        (first, again)
    }

    /// Whether others wait to be served, or may, and enough of those that are served had their share.
    pub(super) fn is_search_due(&self) -> bool {
        let may_wait = !self.first.done || (!self.again.done && !self.has_searched);
        let had_share = self.served.values().filter(|served| served.begun >= QUANTUM).count();
        may_wait && SERVED - self.served.len() + had_share >= ROOM
    }

    /// What is to be searched for; `None` when everything was found, or nobody else can be served now.
    pub(super) fn search(&mut self) -> Option<(Wanted, Wanted)> {
        let is_again = !self.again.done && !self.has_searched;
        if self.first.done && !is_again {
            return None;
        }
        self.make_room();
        if !self.has_room() {
            return None;
        }
        let room = SERVED - self.served.len();
        let of = |search: &Search, steps| Wanted { search: Some((search.after, steps)), ..Wanted::default() };
        let first = if self.first.done { Wanted::default() } else { of(&self.first, room) };
        let again = if is_again { of(&self.again, STEPS_AGAIN) } else { Wanted::default() };
        Some((first, again))
    }

    /// Serves the installations that a search found.
    pub(super) fn found(&mut self, asked: &(Wanted, Wanted), (first, again): (&Found, &Found)) {
        for (wanted, found, queue) in [(&asked.0, first, Queue::First), (&asked.1, again, Queue::Again)] {
            let Some((_, steps)) = wanted.search else { continue };
            let mut last = None;
            let mut is_full = false;
            for (id, is_due) in &found.installations {
                if *is_due && !self.served.contains_key(id) {
                    if !self.has_room() {
                        is_full = true;
                        break;
                    }
                    self.served.insert(*id, Served::new());
                }
                last = Some(*id);
            }
            let is_end = !is_full && found.installations.len() < steps;
            match queue {
                Queue::First => self.first.pass(last, is_end),
                Queue::Again => {
                    self.again.pass(last, is_end);
                    self.has_searched = true;
                }
            }
        }
    }

    fn has_room(&self) -> bool {
        self.served.len() < SERVED
    }

    /// Lets those go that have nothing more to do, and those that had their share.
    fn make_room(&mut self) {
        if !self.has_room() {
            self.served.retain(|_, served| !served.is_done());
        }
        if !self.has_room() {
            let mut had: Vec<_> = Vec::new();
            self.served.retain(|id, served| {
                let goes = served.begun >= QUANTUM;
                if goes {
                    had.push(*id);
                }
                !goes
            });
            if !had.is_empty() {
                // they have more, before the position of the search
                self.first.stale = true;
                self.again.restart();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(ids: std::ops::Range<i64>, due: bool) -> Found {
        Found { events: Vec::new(), installations: ids.map(|id| (InstallationId(id), due)).collect() }
    }

    /// One step of the search over installations 1 to `most`, all of which have first attempts due.
    fn step(all: &mut Installations, most: i64) -> bool {
        let Some(asked) = all.search() else { return false };
        let first = match asked.0.search {
            Some((after, steps)) => {
                let from = after.0 + 1;
                found(from..(from + i64::try_from(steps).unwrap()).min(most + 1), true)
            }
            None => found(0..0, true),
        };
        all.found(&asked, (&first, &found(0..0, true)));
        true
    }

    #[test]
    fn everybody_is_served_in_turns() {
        let mut all = Installations::new(Slow::default());
        let mut seen = HashSet::new();
        for _ in 0..10_000 {
            if !step(&mut all, 1000) {
                // each of them has had its share
                for (id, served) in &mut all.served {
                    seen.insert(*id);
                    served.begun = QUANTUM;
                }
            }
            if seen.len() == 1000 {
                return;
            }
        }
        panic!("only {} of 1000 were served", seen.len());
    }

    #[test]
    fn those_that_had_their_share_make_room_while_others_wait() {
        let mut all = Installations::new(Slow::default());
        assert!(all.is_search_due());
        assert!(step(&mut all, 100));
        assert_eq!(all.served.len(), SERVED);
        assert!(!all.is_search_due(), "nobody had a share yet");
        for served in all.served.values_mut().take(ROOM) {
            served.begun = QUANTUM;
        }
        assert!(all.is_search_due());
        assert!(step(&mut all, 100));
        assert!(all.served.contains_key(&InstallationId(72)) && !all.served.contains_key(&InstallationId(1)));
    }

    #[test]
    fn a_search_ends_and_begins_again_at_a_look() {
        let mut all = Installations::new(Slow::default());
        assert!(step(&mut all, 10));
        assert_eq!(all.served.len(), 10);
        assert!(!step(&mut all, 10), "everything was found");
        all.look_again();
        assert!(step(&mut all, 10));
    }

    #[test]
    fn what_is_not_due_is_not_served() {
        let mut all = Installations::new(Slow::default());
        let asked = all.search().unwrap();
        all.found(&asked, (&found(0..0, true), &found(1..513, false)));
        assert!(all.served.is_empty());
        assert_eq!((all.again.after, all.again.done), (InstallationId(512), false));
        assert!(all.search().is_none(), "repeated attempts are searched for once at each look");
    }

    #[test]
    fn news_of_somebody_new_are_heard() {
        let mut all = Installations::new(Slow::default());
        let mut fresh = Fresh::default();
        fresh.add(InstallationId(7));
        all.wake(&fresh);
        assert!(all.walk(InstallationId(7), Queue::First).is_some());
        assert!(all.walk(InstallationId(8), Queue::First).is_none());
    }
}
