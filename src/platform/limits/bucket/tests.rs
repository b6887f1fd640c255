use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::platform::limits::SEND;
use crate::platform::limits::counters::TOLERANCE;

const SECOND: i64 = 1_000_000;

fn take(buckets: &Buckets, takes: &[(LimitKey, Rate)], now: i64) -> Result<Vec<LimitStatus>, RateLimited> {
    buckets.take_all(takes, 1, Timestamp(now))
}

fn installation() -> (LimitKey, Rate) {
    (LimitKey::id("send", 1), SEND.installation.counter)
}

fn destination(id: i64) -> (LimitKey, Rate) {
    (LimitKey::id("send", id), SEND.destination.counter)
}

#[test]
fn a_burst_passes_and_then_the_sustained_rate() {
    let buckets = Buckets::default();
    for n in 0..20 {
        let statuses = take(&buckets, &[installation()], 0).unwrap();
        assert_eq!((statuses[0].remaining, statuses[0].limit), (19 - n, 20));
    }
    let refused = take(&buckets, &[installation()], 0).unwrap_err();
    // at the sustained rate the next token is available after 200 ms; the tolerance of 175 ms grants it after 25 ms
    assert_eq!((refused.wait, refused.retry_after()), (span(25_000), 1));
    assert_eq!((refused.statuses[0].remaining, refused.statuses[0].reset_after), (0, span(25_000)));
    assert_eq!(buckets.peek_all(&[installation()], 1, Timestamp(0)), refused.statuses);
    assert!(take(&buckets, &[installation()], 24_999).is_err());
    assert!(take(&buckets, &[installation()], 25_000).is_ok());
    assert!(
        take(&buckets, &[installation()], 224_999).is_err(),
        "the tolerance applies once, not to each send"
    );
    for n in 2..200 {
        assert!(take(&buckets, &[installation()], n * 200_000 - 175_000).is_ok(), "send {n}");
        assert!(take(&buckets, &[installation()], n * 200_000).is_err(), "send {n}");
    }
}

#[test]
fn a_rejection_by_one_bucket_takes_no_token_from_others() {
    let buckets = Buckets::default();
    for _ in 0..5 {
        assert!(take(&buckets, &[installation(), destination(1)], 0).is_ok());
    }
    for _ in 0..100 {
        let refused = take(&buckets, &[installation(), destination(1)], 0).unwrap_err();
        assert_eq!(refused.wait, span(SECOND - TOLERANCE));
        assert_eq!(refused.statuses.iter().map(|left| left.remaining).collect::<Vec<_>>(), [15, 0]);
    }
    let others = (0..100).filter(|n| take(&buckets, &[installation(), destination(2 + n)], 0).is_ok());
    assert_eq!(others.count(), 15);
}

#[test]
fn a_peek_takes_nothing_and_returns_the_time_of_the_next_token() {
    let buckets = Buckets::default();
    let peek = |now| buckets.peek_all(&[destination(1)], 1, Timestamp(now))[0];
    for _ in 0..10 {
        assert_eq!((peek(0).remaining, peek(0).reset_after), (5, Duration::ZERO));
    }
    for left in [4, 3] {
        take(&buckets, &[destination(1)], 0).unwrap();
        assert_eq!((peek(0).remaining, peek(0).reset_after), (left, span(SECOND - TOLERANCE)));
    }
    let seen = |now| (peek(now).remaining, peek(now).reset_after);
    assert_eq!(seen(SECOND / 4), (3, span(SECOND * 3 / 4 - TOLERANCE)));
    assert_eq!(seen(SECOND - TOLERANCE - 1), (3, span(1)));
    assert_eq!(seen(SECOND - TOLERANCE), (4, span(SECOND)));
    assert_eq!(seen(2 * SECOND - TOLERANCE), (5, Duration::ZERO));
}

#[test]
fn returned_tokens_can_be_taken_again() {
    let buckets = Buckets::default();
    let takes = [installation(), destination(1)];
    for _ in 0..1_000 {
        assert!(take(&buckets, &takes, 0).is_ok());
        buckets.return_tokens(&takes, 1, Timestamp(0));
    }
    // returning more tokens than were taken does not increase the burst
    buckets.return_tokens(&takes, 1, Timestamp(0));
    assert_eq!((0..100).filter(|_| take(&buckets, &takes, 0).is_ok()).count(), 5);
}

#[test]
fn a_request_decided_after_a_later_one_does_not_reopen_a_promise() {
    // The `Retry-After` of a rejection is a promise: the next request after this time passes, even if other nodes
    // publish further requests (`Promise` in `record.rs`). A request that passes after the rejection ends the promise.
    const BEGIN: i64 = 100 * SECOND;
    let (buckets, takes) = (Buckets::shared(), [destination(1)]);
    for _ in 0..5 {
        take(&buckets, &takes, BEGIN).unwrap();
    }
    let refused = take(&buckets, &takes, BEGIN + SECOND / 2).unwrap_err();
    assert_eq!(refused.retry_after(), 1);
    for _ in 0..3 {
        buckets.return_tokens(&takes, 1, Timestamp(BEGIN));
    }
    // The first of these requests arrives after the rejection and passes, so the promise ends. The second request
    // arrived before the rejection, but is decided after the first one.
    for at in [SECOND * 9 / 10, SECOND * 45 / 100] {
        take(&buckets, &takes, BEGIN + at).unwrap();
    }
    let elsewhere = Record::new(std::iter::repeat_n(BEGIN + SECOND / 10, 10), None);
    buckets.merge(takes[0].0.for_limit(takes[0].1.tag), 2, elsewhere, Timestamp(BEGIN + SECOND));
    assert!(
        take(&buckets, &takes, BEGIN + SECOND * 3 / 2).is_err(),
        "a promise ends with the first request that passes after the rejection"
    );
}

#[test]
fn a_clock_set_back_blocks_no_caller() {
    let buckets = Buckets::default();
    while take(&buckets, &[destination(1)], 3_600 * SECOND).is_ok() {}
    assert_eq!((0..100).filter(|_| take(&buckets, &[destination(1)], 0).is_ok()).count(), 5);
    // a clock that is set back by less than the time in which the bucket fills is detected too
    while take(&buckets, &[destination(2)], 10 * SECOND).is_ok() {}
    assert_eq!((0..100).filter(|_| take(&buckets, &[destination(2)], 8 * SECOND).is_ok()).count(), 5);
}

#[test]
fn idle_keys_are_removed() {
    let buckets = Buckets::default();
    for id in 0..1_000 {
        take(&buckets, &[destination(id)], 0).unwrap();
    }
    assert_eq!((buckets.evict(Timestamp(SECOND - 1)), buckets.len()), (0, 1_000));
    assert_eq!((buckets.evict(Timestamp(SECOND)), buckets.len()), (1_000, 0));
    for id in 0..400_000 {
        take(&buckets, &[destination(id)], id * 1_000).unwrap();
    }
    assert!(
        buckets.len() < 64 * 2 * 1_024 + 2_000,
        "takes of new keys also remove full buckets: {} are left",
        buckets.len()
    );
}

#[test]
fn concurrent_threads_get_exactly_the_burst() {
    let buckets = Buckets::default();
    let passed: usize = std::thread::scope(|scope| {
        let work = |thread: i64| {
            let buckets = &buckets;
            move || {
                // the threads list the keys in three different orders, and the locks of the keys must not deadlock
                let mut takes = vec![installation(), destination(100), destination(200 + thread)];
                takes.rotate_left(usize::try_from(thread).unwrap() % 3);
                (0..2_000).filter(|_| take(buckets, &takes, 0).is_ok()).count()
            }
        };
        let threads: Vec<_> = (0..4).map(|thread| scope.spawn(work(thread))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(passed, 5);
}

proptest! {
    /// Compares the decisions with a naive model: a count of tokens, in millionths of a token, that is refilled at each
    /// step. The tolerance grants tokens early, so the count can be negative, by at most the number of tokens that are
    /// refilled during the tolerance.
    #[test]
    fn decisions_equal_the_naive_model(
        per_second in 1_u32..=5, burst in 1_u32..10,
        steps in proptest::collection::vec(0_i64..2 * SECOND, 1..150),
    ) {
        // uses only rates that divide a second, so that the bucket and the model compute exactly
        let per_second = if per_second == 3 { 4 } else { per_second };
        let rate = Rate::new("model", per_second, burst);
        let buckets = Buckets::default();
        let key = LimitKey::id("send", 1);
        let whole = i64::from(burst) * SECOND;
        let early = rate.tolerance() * i64::from(per_second);
        let (mut tokens, mut now) = (whole, 0);
        for step in steps {
            now += step;
            tokens = whole.min(tokens + step * i64::from(per_second));
            let taken = take(&buckets, &[(key, rate)], now);
            prop_assert_eq!(taken.is_ok(), tokens + early >= SECOND);
            match taken {
                Ok(statuses) => {
                    tokens -= SECOND;
                    prop_assert_eq!(i64::from(statuses[0].remaining), ((tokens + early) / SECOND).min(i64::from(burst)));
                }
                Err(refused) => {
                    let seconds = i64::from(refused.retry_after()) * SECOND;
                    now += seconds;
                    prop_assert!(take(&buckets, &[(key, rate)], now).is_ok());
                    tokens = whole.min(tokens + seconds * i64::from(per_second)) - SECOND;
                }
            }
        }
    }
}
