use std::collections::HashSet;
use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::domain::time::Timestamp;

/// 2026-01-01T00:00:00Z in milliseconds.
const START_MS: i64 = 1_767_225_600_000;

fn clock() -> Clock {
    Clock::manual(Timestamp(START_MS * 1_000))
}

/// Creates a generator that holds its node number for a minute of real time.
fn node(clock: Clock, number: u8) -> IdGen {
    let end = clock.instant() + Duration::from_secs(60);
    let ids = IdGen::among_nodes(clock);
    ids.hold(number, end);
    ids
}

#[test]
fn ids_contain_the_millisecond_and_a_counter_that_begins_at_zero() {
    let clock = clock();
    let ids = IdGen::new(clock.clone());
    assert_eq!([ids.next(), ids.next()], [Ok(START_MS << 21), Ok((START_MS << 21) + 1)]);
    clock.advance(Duration::from_millis(1));
    assert_eq!(ids.next(), Ok((START_MS + 1) << 21));
}

#[test]
fn the_node_number_is_between_time_and_counter() {
    let ids = node(clock(), 31);
    assert_eq!(ids.next(), Ok((START_MS << 21) | (31 << 16)));
    assert_eq!(ids.next(), Ok((START_MS << 21) | (31 << 16) | 1));
}

#[test]
fn a_full_counter_continues_in_the_next_millisecond() {
    let ids = node(clock(), 3);
    let all: Vec<i64> = (0..=65_536).map(|_| ids.next().unwrap()).collect();
    assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!(all[65_535] >> 21, START_MS);
    assert_eq!(all[65_536], ((START_MS + 1) << 21) | (3 << 16));
}

#[test]
fn new_ids_are_greater_than_a_stored_id_of_any_node() {
    let stored = ((START_MS + 5_000) << 21) | (31 << 16) | 7;
    for ids in [IdGen::new(clock()), node(clock(), 0)] {
        assert_eq!(
            (ids.seed(stored), ids.seed(0)),
            (None, None),
            "no stored id is reported as implausible while the database's clock is unknown"
        );
        assert!(ids.next().unwrap() > stored);
    }
}

#[test]
fn an_id_is_far_ahead_if_it_is_more_than_a_minute_ahead_of_the_clock() {
    let now = Timestamp(START_MS * 1_000);
    let at = |millis: i64| first_at(Timestamp((START_MS + millis) * 1_000)) | 7;
    for usual in [i64::MIN, 0, at(-1), at(0), at(60_000)] {
        assert_eq!(far_ahead(usual, now), None);
    }
    assert_eq!(far_ahead(at(60_001), now), Some(Duration::from_millis(60_001)));
    assert!(far_ahead(i64::MAX, now).is_some());
}

#[test]
fn an_id_placed_after_an_id_from_the_future_does_not_move_later_ids() {
    let stray = ((START_MS + 3_600_000) << 21) | (9 << 16) | 7;
    for ids in [IdGen::new(clock()), node(clock(), 3), node(clock(), 31)] {
        let number = ids.next().unwrap() & (31 << 16);
        let mut last = stray;
        for _ in 0..40_000 {
            let id = ids.next_from(last + 1).unwrap();
            assert!(id > last, "ids of one conversation increase");
            assert!(id >> 21 <= (START_MS + 3_600_000) + 3, "a placed id is close to the id that it follows");
            if ids.number.is_some() {
                assert_eq!(id & (31 << 16), number, "a placed id contains the node number");
            }
            last = id;
        }
        assert_eq!(ids.next().unwrap() >> 21, START_MS, "the generator keeps following the clock");
        assert_eq!(ids.next_from(0).unwrap() >> 21, START_MS, "a floor below the next id changes nothing");
        assert_eq!(ids.next_from(i64::MAX), Err(NoId::PastEnd));
    }
}

#[test]
fn without_a_node_number_no_id_is_generated() {
    let clock = clock();
    let ids = IdGen::among_nodes(clock.clone());
    assert_eq!(ids.next(), Err(NoId::NoNumber));
    ids.hold(7, clock.instant() + Duration::from_secs(60));
    let first = ids.next().unwrap();
    // the validity of the node number has ended, although the wall clock has not changed
    ids.hold(7, clock.instant());
    assert_eq!(ids.next(), Err(NoId::NoNumber));
    ids.hold(8, clock.instant() + Duration::from_secs(60));
    let second = ids.next().unwrap();
    assert!(second > first);
    assert_eq!([first, second].map(|id| (id >> 16) & 31), [7, 8]);
}

#[test]
fn ids_increase_when_the_number_changes_within_a_millisecond() {
    let ids = node(clock(), 31);
    let mut last = ids.next().unwrap();
    for (number, millis) in [(3, 1), (31, 1), (30, 2), (0, 3), (0, 3), (1, 3)] {
        ids.hold(number, ids.clock.instant() + Duration::from_secs(60));
        let id = ids.next().unwrap();
        assert!(id > last, "{number}: {id} after {last}");
        assert_eq!((id >> 21, (id >> 16) & 31), (START_MS + millis, i64::from(number)));
        last = id;
    }
}

#[test]
fn no_ids_are_generated_while_the_clock_is_wrong() {
    let clock = clock();
    let ids = node(clock.clone(), 7).measured(Duration::from_secs(60));
    assert!(
        ids.next().is_ok(),
        "before the first comparison with the database's clock, the clock is trusted"
    );
    ids.compare(clock.now().0, clock.instant());
    let before = ids.next().unwrap();
    clock.advance(Duration::from_secs(59));
    assert!(ids.next().is_ok());
    clock.advance(Duration::from_secs(3600));
    assert_eq!(ids.next(), Err(NoId::ClockOff));
    assert!(ids.clock_error().is_some_and(|ahead| ahead > 3_600_000_000));
    clock.shift(-7_200_000_000);
    assert_eq!(
        ids.next(),
        Err(NoId::ClockOff),
        "a clock that is behind is rejected like a clock that is ahead"
    );
    clock.reset();
    let after = ids.next().unwrap();
    assert!(after > before && (after >> 21) - START_MS < 120_000, "the wrong clock has not moved the ids");
}

#[test]
fn a_stored_id_of_a_wrong_clock_moves_new_ids_by_at_most_the_bound() {
    let clock = clock();
    let ids = node(clock.clone(), 7).measured(Duration::from_secs(60));
    ids.compare(clock.now().0, clock.instant());
    let of_another_clock = ((START_MS + 30_000) << 21) | 7;
    assert_eq!(ids.seed(of_another_clock), None);
    assert!(ids.next().unwrap() > of_another_clock);
    let in_2100 = 4_102_444_800_000 << 21;
    let stray = ids.seed(in_2100).unwrap();
    assert_eq!(stray.id, in_2100);
    assert!(stray.ahead > Duration::from_secs(70 * 365 * 86_400));
    let id = ids.next().unwrap();
    assert_eq!((id >> 21) - START_MS, 60_001, "new ids are in the first millisecond after the bound");
}

#[test]
fn no_id_is_generated_after_2109() {
    for ids in [IdGen::new, |clock| node(clock, 31)] {
        let clock = Clock::manual(Timestamp(MAX_MILLIS * 1_000));
        let last = ids(clock.clone());
        let id = last.next().unwrap();
        assert!(id > 0 && id >> 21 == MAX_MILLIS, "{id}");
        clock.advance(Duration::from_millis(1));
        assert_eq!(last.next(), Err(NoId::PastEnd));
        clock.advance(Duration::MAX);
        assert_eq!(last.next(), Err(NoId::PastEnd));
        // the clock was wrong and is corrected
        clock.reset();
        assert!(last.next().unwrap() > id);
        last.seed(i64::MAX);
        assert_eq!(last.next(), Err(NoId::PastEnd));
    }
}

#[test]
fn threads_never_share_an_id() {
    let ids = node(Clock::system(), 1);
    let seen: Vec<Vec<i64>> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..4).map(|_| scope.spawn(|| (0..10_000).map(|_| ids.next().unwrap()).collect())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(seen.iter().all(|run| run.is_sorted()));
    assert_eq!(seen.concat().into_iter().collect::<HashSet<_>>().len(), 40_000);
}

proptest! {
    #[test]
    fn ids_increase_whatever_the_clock_does(
        number in proptest::option::of(0..=MAX_NODE),
        moves in proptest::collection::vec((any::<bool>(), 0..5_000_u64), 1..200),
    ) {
        let clock = clock();
        let ids = match number {
            None => IdGen::new(clock.clone()),
            Some(number) => node(clock.clone(), number),
        };
        let mut last = 0;
        for (back, micros) in moves {
            if back { clock.reset() } else { clock.advance(Duration::from_micros(micros)) }
            let id = ids.next().unwrap();
            prop_assert!(id > last);
            if let Some(number) = number { prop_assert_eq!((id >> 16) & 31, i64::from(number)); }
            last = id;
        }
    }
}
