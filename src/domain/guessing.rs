//! Limits of password guessing at an account. There is one limit for each location, and one limit for all unknown
//! locations together.
//!
//! A *location* is a browser, an IPv4 address, or the /64 network of an IPv6 address. A location is *known* to an
//! account if the account's owner has signed in from it before.
//!
//! NIST SP 800-63B §5.2.2 requires a limit of consecutive failed attempts and suggests increasing delays. An attacker
//! must not be able to lock out the owner of an account. So an account is never locked, and failures from other
//! locations never delay a known location.

use std::time::Duration;

use super::time::Timestamp;

/// After this number of consecutive failures, a location must wait.
const FREE_FAILURES: i64 = 10;
/// The delay after [`FREE_FAILURES`] failures. Each further failure doubles the delay.
const FIRST_WAIT: Duration = Duration::from_secs(60);
/// The maximum delay of an unknown location.
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 60 * 60);
/// The maximum delay of a known location. It is shorter than [`LONGEST_WAIT`], because other people may share the
/// location's address, and their failures also delay the account's owner.
const LONGEST_WAIT_WHERE_KNOWN: Duration = Duration::from_secs(60 * 60);

/// After this number of failed attempts of all unknown locations together, the unknown locations must wait.
const UNKNOWN_LOCATIONS_FREE: u32 = 100;
/// The time in which one attempt drains from the bucket of [`UnknownLocations`].
const UNKNOWN_LOCATIONS_STEP: Duration = Duration::from_secs(60 * 60);

/// How long the count of consecutive failures of a location is kept after the last failure, if the count has reached
/// [`FREE_FAILURES`].
const REMEMBERED: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// How long a count below [`FREE_FAILURES`] is kept after the last failure. This time is shorter than [`REMEMBERED`],
/// so that fewer counts are stored: anyone can cause such a count for any e-mail address, even for an address without
/// an account.
const FEW_REMEMBERED: Duration = Duration::from_secs(24 * 60 * 60);
/// How long a location remains known after the last sign-in from this location.
pub const KNOWN_LOCATION_LIFE: Duration = Duration::from_secs(180 * 24 * 60 * 60);

/// Returns the time until which a location must wait if its `failures`th consecutive failure happens at `now`.
#[must_use]
pub fn wait_until(failures: i64, is_known: bool, now: Timestamp) -> Timestamp {
    let longest = if is_known { LONGEST_WAIT_WHERE_KNOWN } else { LONGEST_WAIT };
    if failures < FREE_FAILURES {
        // every node's clock is later than this time, so the location need not wait
        return Timestamp(0);
    }
    let doublings = u32::try_from(failures - FREE_FAILURES).unwrap_or(u32::MAX);
    now + FIRST_WAIT.saturating_mul(2_u32.saturating_pow(doublings)).min(longest)
}

/// Returns how long the count of a location is kept after its `failures`th consecutive failure.
///
/// An attacker can pause after nine failures until the count is deleted, and so has nine guesses a day from one
/// location. Many locations do not multiply this number: in the long run, all unknown locations together are allowed 24
/// guesses a day.
#[must_use]
pub const fn remembered(failures: i64) -> Duration {
    if failures < FREE_FAILURES { FEW_REMEMBERED } else { REMEMBERED }
}

/// Returns the time until which a location must wait after an attempt was removed from its count, because the attempt
/// was not a failure. `failures` is the count without the attempt. `until` is the stored time. `own` is the time that
/// the attempt itself stored. If `until` and `own` are equal, no wait remains, because every earlier wait had elapsed
/// when the attempt was counted.
#[must_use]
pub const fn wait_after_removal(failures: i64, until: Timestamp, own: Timestamp) -> Timestamp {
    if failures < FREE_FAILURES || until.0 == own.0 { Timestamp(0) } else { until }
}

/// A leaky bucket of the attempts of unknown locations at one account. Its capacity is 100 attempts, and one attempt
/// drains per hour. So a burst of 100 attempts is allowed, and in the long run 24 attempts per day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownLocations {
    /// When the bucket becomes empty if no attempt is added.
    pub until: Timestamp,
}

impl UnknownLocations {
    /// Counts an attempt at `now`.
    ///
    /// # Errors
    /// If the bucket is full at `now`: the time at which the next attempt is allowed.
    pub fn count(self, now: Timestamp) -> Result<Self, Timestamp> {
        let until = self.until.max(now) + UNKNOWN_LOCATIONS_STEP;
        let admitted = until - UNKNOWN_LOCATIONS_STEP * UNKNOWN_LOCATIONS_FREE;
        if admitted > now { Err(admitted) } else { Ok(Self { until }) }
    }

    /// Removes an attempt that was not a failure from the bucket.
    #[must_use]
    pub fn remove_attempt(self) -> Self {
        Self { until: self.until - UNKNOWN_LOCATIONS_STEP }
    }
}

/// Returns the time from `now` until `then` in seconds, rounded up, at least one.
#[must_use]
pub fn seconds_until(then: Timestamp, now: Timestamp) -> u32 {
    let micros = then.0.saturating_sub(now.0).max(1);
    u32::try_from(micros.saturating_add(999_999) / 1_000_000).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_000_000_000_000_000);

    #[test]
    fn delays_of_a_location_double_up_to_a_maximum() {
        let wait = |failures, is_known| (wait_until(failures, is_known, NOW).0 - NOW.0).max(0) / 1_000_000;
        assert_eq!(
            wait_until(9, false, NOW),
            Timestamp(0),
            "with fewer than 10 failures, even a node whose clock is slow rejects no attempt"
        );
        for (failures, unknown, known) in [
            (1, 0, 0),
            (9, 0, 0),
            (10, 60, 60),
            (11, 120, 120),
            (15, 1_920, 1_920),
            (16, 3_840, 3_600),
            (20, 61_440, 3_600),
            (21, 86_400, 3_600),
            (1_000, 86_400, 3_600),
            (i64::MAX, 86_400, 3_600),
        ] {
            assert_eq!((wait(failures, false), wait(failures, true)), (unknown, known), "{failures}");
        }
    }

    /// Returns the number of guesses that are allowed within `days`, with one attempt each second.
    fn guesses(days: i64, mut admit: impl FnMut(Timestamp) -> bool) -> usize {
        (0..days * 86_400).filter(|second| admit(Timestamp(NOW.0 + second * 1_000_000))).count()
    }

    #[test]
    fn few_guesses_are_possible_in_a_month() {
        let (mut failures, mut closed) = (0, Timestamp(0));
        let from_one_location = guesses(30, |now| {
            let is_open = now >= closed;
            if is_open {
                failures += 1;
                closed = wait_until(failures, false, now);
            }
            is_open
        });
        assert!(
            (40..=60).contains(&from_one_location),
            "40 to 60 guesses are possible from one location, not {from_one_location}"
        );
        let (mut failures, mut last) = (0, NOW);
        let with_pauses = guesses(30, |now| {
            if now >= last + remembered(failures) {
                failures = 0;
            }
            let is_free = failures + 1 < FREE_FAILURES;
            if is_free {
                (failures, last) = (failures + 1, now);
            }
            is_free
        });
        assert!(
            (200..=270).contains(&with_pauses),
            "200 to 270 guesses are possible from one location with pauses, not {with_pauses}"
        );
        let mut unknown_locations = UnknownLocations { until: Timestamp(0) };
        let from_unknown_locations = guesses(30, |now| match unknown_locations.count(now) {
            Ok(counted) => {
                unknown_locations = counted;
                true
            }
            Err(_) => false,
        });
        assert!(
            (100..=100 + 30 * 24).contains(&from_unknown_locations),
            "all unknown locations together have at most 100 guesses and one per hour, not {from_unknown_locations}"
        );
    }

    #[test]
    fn the_error_has_the_time_of_the_next_allowed_attempt() {
        let mut unknown_locations = UnknownLocations { until: Timestamp(0) };
        for _ in 0..100 {
            unknown_locations = unknown_locations.count(NOW).unwrap();
        }
        let next = unknown_locations.count(NOW).unwrap_err();
        assert_eq!(seconds_until(next, NOW), 3_600);
        assert!(unknown_locations.count(next).is_ok());
        assert!(unknown_locations.remove_attempt().count(NOW).is_ok(), "a successful attempt does not count");
    }

    #[test]
    fn a_removed_attempt_causes_no_wait() {
        let own = wait_until(20, false, NOW);
        assert_eq!(wait_after_removal(19, own, own), Timestamp(0), "the wait before the attempt has elapsed");
        let later = wait_until(21, false, own);
        assert_eq!(wait_after_removal(20, later, own), later, "a later failure keeps its wait");
        assert_eq!(wait_after_removal(9, later, own), Timestamp(0));
    }

    #[test]
    fn waits_are_whole_seconds() {
        for (micros, seconds) in
            [(-5, 1), (0, 1), (1, 1), (1_000_000, 1), (1_000_001, 2), (i64::MAX, u32::MAX)]
        {
            assert_eq!(seconds_until(Timestamp(micros), Timestamp(0)), seconds, "{micros}");
        }
    }
}
