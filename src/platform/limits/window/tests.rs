use proptest::prelude::*;

use super::*;
use crate::platform::limits::record::CLOCKS_APART;

const TWENTY: Window = Window::new("twenty", 20, 60);
const SECOND: i64 = 1_000_000;
/// How long a request counts in a window of one minute, in microseconds: a minute minus 175 ms. The 175 ms are the
/// tolerance for varying network delays.
const COUNTED: i64 = 59_825_000;

fn key() -> LimitKey {
    LimitKey::id("route", 7)
}

#[test]
fn after_twenty_requests_the_next_is_rejected_while_the_first_counts() {
    let windows = Windows::default();
    let start = 1_767_225_600 * SECOND;
    for n in 0..20 {
        let decision = windows.check(TWENTY, key(), Timestamp(start + i64::from(n)));
        assert!(decision.allowed());
        assert_eq!(decision.status.remaining, 19 - n);
        assert_eq!(decision.retry_after(), None);
    }
    let refused = windows.check(TWENTY, key(), Timestamp(start + 20));
    assert_eq!((refused.allowed(), refused.retry_after(), refused.status.remaining), (false, Some(60), 0));
    assert!(!windows.check(TWENTY, key(), Timestamp(start + COUNTED - 1)).allowed());
    assert!(windows.check(TWENTY, key(), Timestamp(start + COUNTED)).allowed());
    assert!(!windows.check(TWENTY, key(), Timestamp(start + COUNTED)).allowed());
    assert!(windows.check(TWENTY, key(), Timestamp(start + COUNTED + 1)).allowed());
}

#[test]
fn traffic_at_the_limit_is_never_rejected() {
    let windows = Windows::default();
    for n in 0..1_000 {
        assert!(windows.check(TWENTY, key(), Timestamp(n * 3 * SECOND)).allowed(), "request {n}");
    }
}

#[test]
fn keys_are_counted_separately() {
    let windows = Windows::default();
    let now = Timestamp(0);
    while windows.check(TWENTY, key(), now).allowed() {}
    assert!(windows.check(TWENTY, LimitKey::id("route", 8), now).allowed());
    assert!(windows.check(TWENTY, LimitKey::id("other", 7), now).allowed());
    assert!(windows.check(Window::new("other", 20, 60), key(), now).allowed());
}

#[test]
fn a_clock_set_back_blocks_no_caller() {
    let windows = Windows::default();
    let late = Timestamp(3_600 * SECOND);
    while windows.check(TWENTY, key(), late).allowed() {}
    for n in 0..20 {
        assert!(windows.check(TWENTY, key(), Timestamp(n)).allowed());
    }
    assert!(!windows.check(TWENTY, key(), Timestamp(20)).allowed());
}

#[test]
fn requests_with_unordered_times_are_all_counted() {
    let windows = Windows::default();
    let passed = (0..40).filter(|n| windows.check(TWENTY, key(), Timestamp(100 - n)).allowed());
    assert_eq!(passed.count(), 20);
}

#[test]
fn a_request_that_is_decided_late_counts_from_its_arrival() {
    let (windows, window) = (Windows::default(), Window::new("overtaken", 2, 60));
    let check = |now: i64| windows.check(window, key(), Timestamp(now));
    assert!(check(390_000).allowed());
    let earlier = check(0);
    assert!(earlier.allowed());
    assert_eq!(earlier.status.reset_after, span(COUNTED), "the earlier request leaves the window first");
    assert!(!check(COUNTED - 1).allowed());
    assert!(check(COUNTED).allowed());
    assert!(!check(COUNTED + 389_999).allowed());
    assert!(check(COUNTED + 390_000).allowed());
}

#[test]
fn idle_keys_are_removed() {
    let windows = Windows::default();
    for id in 0..1_000 {
        let _ = windows.check(TWENTY, LimitKey::id("route", id), Timestamp(id));
    }
    assert_eq!(windows.evict(Timestamp(COUNTED - 1)), 0);
    assert_eq!(windows.evict(Timestamp(COUNTED)), 1);
    assert_eq!(windows.evict(Timestamp(120 * SECOND)), 999);
    assert_eq!(windows.len(), 0);
}

#[test]
fn a_stream_of_new_keys_does_not_accumulate() {
    let windows = Windows::default();
    for id in 0..400_000 {
        // ten thousand requests per second, each with a new key; the window is 0.1 s, so at any time the requests of
        // only a thousand keys count
        let _ = windows.check(
            Window { counted: SECOND / 10, ..TWENTY },
            LimitKey::id("route", id),
            Timestamp(id * 100),
        );
    }
    // each of the 64 shards can also have idle keys, because it removes them only once in about a thousand requests
    assert!(windows.len() < 64 * 2 * 1_024 + 2_000, "{} keys are stored", windows.len());
}

#[test]
fn a_peek_returns_what_a_check_would_return_and_counts_nothing() {
    let (windows, window) = (Windows::default(), Window::new("peek", 2, 60));
    for used in 0..2 {
        for _ in 0..5 {
            let seen = windows.peek(window, key(), Timestamp(used));
            assert!(seen.allowed());
            assert_eq!(i64::from(seen.status.remaining), 2 - used);
        }
        assert!(windows.check(window, key(), Timestamp(used)).allowed());
    }
    let refused = windows.check(window, key(), Timestamp(5 * SECOND));
    assert_eq!(windows.peek(window, key(), Timestamp(5 * SECOND)), refused);
    assert_eq!(refused.wait, Some(span(COUNTED - 5 * SECOND)));
    assert!(windows.peek(window, key(), Timestamp(60 * SECOND)).allowed());
    // a peek at an unused key does not store the key
    assert!(windows.peek(window, LimitKey::id("other", 7), Timestamp(0)).allowed());
    assert_eq!(windows.len(), 1);
}

/// Merges a record of another node, so that its requests count at `times`. The record has later times, because
/// [`Windows::merge`] counts each request [`CLOCKS_APART`] earlier than the record says. `times` must be multiples of
/// 100 ms, because a record rounds times down to such multiples.
fn count_remote_requests(windows: &Windows, times: &[i64], now: i64) {
    let record = Record::new(times.iter().map(|at| at + CLOCKS_APART), None);
    windows.merge(key().for_limit(TWENTY.tag), 2, record, Timestamp(now));
}

#[test]
fn a_wait_lasts_until_fewer_requests_than_the_limit_are_counted() {
    for surplus in 0..3 {
        let windows = Windows::shared();
        for n in 0..20 {
            assert!(windows.check(TWENTY, key(), Timestamp(n * SECOND)).allowed());
        }
        // together, two nodes allow more requests than the limit if they have not exchanged their records yet
        let others: Vec<i64> = (0..surplus).map(|n| n * SECOND + SECOND / 2).collect();
        count_remote_requests(&windows, &others, 20 * SECOND);
        let now = 20 * SECOND;
        // the oldest `surplus + 1` requests must leave the window: if `surplus` is 2, the requests at 0, 0.5 and 1 s
        let passes_at = surplus * SECOND / 2 + COUNTED;
        let refused = windows.check(TWENTY, key(), Timestamp(now));
        assert_eq!(
            refused.wait,
            Some(span(passes_at - now)),
            "if {} requests count, the wait ends as soon as only 19 of them count",
            20 + surplus
        );
        assert_eq!(windows.peek(TWENTY, key(), Timestamp(passes_at - 1)).status.remaining, 0);
        assert_eq!(windows.peek(TWENTY, key(), Timestamp(passes_at)).status.remaining, 1);
    }
}

#[test]
fn a_peek_considers_requests_of_other_nodes_and_an_elapsed_retry_after() {
    let windows = Windows::shared();
    count_remote_requests(&windows, &[0; 20], 0);
    let refused = windows.peek(TWENTY, key(), Timestamp(SECOND));
    assert_eq!(
        refused.wait,
        Some(span(COUNTED - SECOND)),
        "the wait is computed with the length of the caller's window, because records do not contain a length"
    );
    assert!(windows.peek(TWENTY, key(), Timestamp(COUNTED)).allowed());

    let windows = Windows::shared();
    while windows.check(TWENTY, key(), Timestamp(0)).allowed() {}
    count_remote_requests(&windows, &[29 * SECOND; 20], 30 * SECOND);
    let promised = 60 * SECOND;
    assert!(!windows.peek(TWENTY, key(), Timestamp(promised - 1)).allowed());
    assert!(
        !windows.peek(TWENTY, key(), Timestamp(promised)).allowed(),
        "after the Retry-After, the limit still applies if another request was allowed since the rejection"
    );

    let windows = Windows::shared();
    for _ in 0..20 {
        assert!(windows.check(TWENTY, key(), Timestamp(0)).allowed());
    }
    assert!(!windows.check(TWENTY, key(), Timestamp(30 * SECOND)).allowed());
    count_remote_requests(&windows, &[29 * SECOND; 20], 30 * SECOND);
    assert!(!windows.peek(TWENTY, key(), Timestamp(promised - 1)).allowed());
    assert!(
        windows.peek(TWENTY, key(), Timestamp(promised)).allowed(),
        "after the Retry-After, one request may exceed the limit if none was allowed since the rejection"
    );
    assert!(windows.check(TWENTY, key(), Timestamp(promised)).allowed());
}

proptest! {
    /// Compares decisions with those of a naive model. The model keeps the times of all allowed requests. For each
    /// decision, it counts the times that are less than [`COUNTED`] ago.
    #[test]
    fn decisions_equal_the_naive_model(
        limit in 1_u32..8,
        steps in proptest::collection::vec(0_i64..40 * SECOND, 1..120),
    ) {
        let (windows, window) = (Windows::default(), Window::new("model", limit, 60));
        let mut passed: Vec<i64> = Vec::new();
        let mut now = 0;
        for step in steps {
            now += step;
            let counted: Vec<i64> = passed.iter().copied().filter(|at| now - at < COUNTED).collect();
            let decision = windows.check(window, key(), Timestamp(now));
            prop_assert_eq!(decision.allowed(), counted.len() < limit as usize);
            if decision.allowed() {
                passed.push(now);
                prop_assert_eq!(decision.status.remaining as usize, limit as usize - counted.len() - 1);
            } else {
                let retry = i64::from(decision.retry_after().unwrap());
                prop_assert!((1..=60).contains(&retry));
                prop_assert_eq!(span(counted[0] + COUNTED - now), decision.wait.unwrap());
                // after the `Retry-After` the next request is allowed
                now += retry * SECOND;
                prop_assert!(windows.check(window, key(), Timestamp(now)).allowed());
                passed.push(now);
            }
        }
    }
}
