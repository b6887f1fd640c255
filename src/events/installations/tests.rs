//! Tests which installations a worker serves.

use std::collections::HashSet;

use super::*;

fn installations() -> Installations {
    Installations::new(Slow::default(), ServicePosition::START)
}

fn found(ids: std::ops::Range<i64>, due: bool) -> QueuePage {
    QueuePage { events: Vec::new(), installations: ids.map(|id| (InstallationId(id), due)).collect() }
}

/// Runs one step of the searches over the installations 1 to `most`, all of which have due first attempts and no due
/// retries. Returns `false` if no search is necessary or possible.
fn step(all: &mut Installations, most: i64) -> bool {
    let Some(requested) = all.search() else { return false };
    let first = match requested.0.search {
        Some((after, steps)) => {
            let from = after.0 + 1;
            found(from..(from + i64::try_from(steps).unwrap()).min(most + 1), true)
        }
        None => found(0..0, true),
    };
    all.add_found(&requested, (&first, &found(0..0, true)));
    true
}

#[test]
fn all_installations_are_served_in_turn() {
    let mut all = installations();
    let mut seen = HashSet::new();
    for _ in 0..10_000 {
        if !step(&mut all, 1000) {
            // each served installation uses its quantum, so that it can yield to others
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
fn installations_yield_after_their_quantum_while_others_wait() {
    let mut all = installations();
    assert!(all.is_search_due());
    assert!(step(&mut all, 100));
    assert_eq!(all.served.len(), SERVED);
    assert!(!all.is_search_due(), "no installation has used its quantum yet");
    for served in all.served.values_mut().take(MIN_YIELDING) {
        served.begun = QUANTUM;
    }
    assert!(all.is_search_due());
    assert!(step(&mut all, 100));
    let is_served = |id| all.served.contains_key(&InstallationId(id));
    assert!(is_served(72) && !is_served(1), "the installations 65 to 72 replace the installations 1 to 8");
}

#[test]
fn a_search_is_due_if_enough_installations_can_be_added_or_yield() {
    let mut all = installations();
    all.wake(&NewEvents::Of((1..=60).map(InstallationId).collect()));
    for served in all.served.values_mut().take(4) {
        served.begun = QUANTUM;
    }
    assert!(all.is_search_due(), "four installations can be added, and four can yield");
    assert!(all.search().is_some());
    assert_eq!(SERVED - all.served.len(), MIN_YIELDING, "four have yielded, so eight can be added");
}

#[test]
fn slow_installations_yield_to_others_once_per_poll() {
    let mut all = installations();
    let is_prompt = |id: i64| id > 90;
    (1..=100).for_each(|id| all.slow.note(InstallationId(id), is_prompt(id)));
    all.slow_slots_used = true;
    assert!(step(&mut all, 100));
    assert_eq!(all.served.len(), SERVED);
    assert!(step(&mut all, 100), "the slow installations yield");
    assert!((65..=100).all(|id| all.served.contains_key(&InstallationId(id))));
    while step(&mut all, 100) {}
    assert_eq!(all.served.len(), SERVED);
    assert!((91..=100).all(|id| all.served.contains_key(&InstallationId(id))));
    all.recheck();
    assert!(step(&mut all, 100), "the slow installations yield again");
}

#[test]
fn slow_installations_yield_although_a_few_prompt_ones_have_events() {
    let mut all = installations();
    let is_prompt = |id: i64| id <= 4;
    (1..=100).for_each(|id| all.slow.note(InstallationId(id), is_prompt(id)));
    assert!(step(&mut all, 100));
    assert_eq!(all.served.len(), SERVED);
    for prompt in all.served.values_mut().take(4) {
        prompt.begun = QUANTUM;
    }
    assert!(!all.is_search_due(), "slow installations do not yield while they can use further slots");
    all.slow_slots_used = true;
    assert!(all.is_search_due());
    assert!(step(&mut all, 100));
    assert!((65..=100).all(|id| all.served.contains_key(&InstallationId(id))));
    assert_eq!(all.served.len(), 36, "the four that used their quantum yield, and so do the slow ones");
}

#[test]
fn a_finished_search_restarts_at_the_next_poll() {
    let mut all = installations();
    assert!(step(&mut all, 10));
    assert_eq!(all.served.len(), 10);
    assert!(!step(&mut all, 10), "both searches have ended");
    all.recheck();
    assert!(step(&mut all, 10));
}

#[test]
fn the_next_worker_continues_where_the_last_one_ended() {
    let mut all = installations();
    // the worker ends before its search for retries has reached the last installation
    let requested = all.search().unwrap();
    all.add_found(&requested, (&found(0..0, true), &found(1..513, false)));
    let position = all.position();
    assert_eq!(position, ServicePosition { retries: InstallationId(512), ..ServicePosition::START });
    // events that are committed while the worker is ending do not move the search back
    let mut new_events = NewEvents::default();
    new_events.add(InstallationId(7));
    all.wake(&new_events);
    assert_eq!(all.position(), position);
    let mut all = Installations::new(Slow::default(), position);
    let (_, retries) = all.search().unwrap();
    assert_eq!(retries.search, Some((InstallationId(512), RETRY_SEARCH_STEPS)));
    // the worker ends when only eight of the served installations have started an attempt
    let mut all = installations();
    assert!(step(&mut all, 100));
    for served in all.served.values_mut().take(8) {
        served.begun = 4;
    }
    all.last_served = InstallationId(8);
    let position = all.position();
    assert_eq!((position.first, position.last_served), (InstallationId(8), InstallationId(8)));
    let mut all = Installations::new(Slow::default(), position);
    assert!(step(&mut all, 100));
    assert!(all.served.contains_key(&InstallationId(9)) && !all.served.contains_key(&InstallationId(8)));
}

#[test]
fn installations_without_due_events_are_not_served() {
    let mut all = installations();
    let requested = all.search().unwrap();
    all.add_found(&requested, (&found(0..0, true), &found(1..513, false)));
    assert!(all.served.is_empty());
    assert_eq!((all.retries.after, all.retries.done), (InstallationId(512), false));
    assert!(all.search().is_none(), "retries are searched for once per poll");
}

#[test]
fn retries_are_served_beside_a_backlog_of_first_attempts() {
    let mut all = installations();
    let requested = all.search().unwrap();
    all.add_found(&requested, (&found(1..65, true), &found(1001..1101, true)));
    let retries = all.served.keys().filter(|id| id.0 > 1000).count();
    assert_eq!((retries, all.served.len()), (32, SERVED));
    // both searches continue with the first installation that is not served
    assert_eq!((all.first.after, all.retries.after), (InstallationId(32), InstallationId(1032)));
    // one search can use the capacity that the other search does not use
    for (first, retries) in [(10, 54), (0, 64)] {
        let mut all = installations();
        let requested = all.search().unwrap();
        all.add_found(&requested, (&found(1..1 + first, true), &found(1001..1101, true)));
        assert_eq!(all.served.keys().filter(|id| id.0 > 1000).count(), retries);
    }
}

#[test]
fn an_installation_with_new_events_is_served() {
    let mut all = installations();
    let mut new_events = NewEvents::default();
    new_events.add(InstallationId(7));
    all.wake(&new_events);
    assert!(all.reader(InstallationId(7), EventQueue::FirstAttempts).is_some());
    assert!(all.reader(InstallationId(8), EventQueue::FirstAttempts).is_none());
}

#[test]
fn the_next_worker_finds_an_installation_that_a_commit_reported_and_a_search_passed() {
    let mut all = installations();
    let mut new_events = NewEvents::default();
    new_events.add(InstallationId(7));
    all.wake(&new_events);
    assert!(step(&mut all, 100));
    for (id, served) in &mut all.served {
        served.begun = if id.0 == 7 { 0 } else { 4 };
    }
    all.last_served = InstallationId(6);
    let first = all.position().first;
    assert_eq!(first, InstallationId(6), "the 7th waits, so the next search begins before it");
}
