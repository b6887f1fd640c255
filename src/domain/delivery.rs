//! Event delivery: the retry schedule, queues, leases, results of attempts, and the names in the delivery log.

use std::{collections::HashSet, time::Duration};

use super::{
    conversation::coded,
    ids::{EventId, InstallationId},
    time::Timestamp,
};

/// The delays between the end of a failed attempt and the next attempt, after the first, second and third attempt. The
/// fourth attempt is the last attempt of the schedule (B-428, D-168).
const RETRY_DELAYS: [Duration; 3] =
    [Duration::from_secs(60), Duration::from_secs(5 * 60), Duration::from_secs(30 * 60)];

/// How long the delivery log of an event is kept after the last attempt of the event, or after the event was dropped.
pub const LOG_LIFE: Duration = Duration::from_secs(14 * 24 * 60 * 60);

coded! {
    /// The state of an event's delivery. `name()` is the value of `state` in the delivery log.
    DeliveryState {
        Pending = 0 "pending",
        Delivered = 1 "delivered",
        /// The last attempt of the retry schedule failed.
        Failed = 2 "failed",
        /// The event was not delivered and is no longer attempted, for a [`DropReason`].
        Dropped = 3 "dropped",
    }
}

/// Why an event was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropReason {
    /// The installation of the event was disconnected (D-183).
    Disconnected,
    /// The app has no callback URL any more.
    NoCallbackUrl,
    /// The next attempt was due for `events.pending_days` days without being made.
    Expired,
}

impl DropReason {
    /// All reasons.
    pub const ALL: [Self; 3] = [Self::Disconnected, Self::NoCallbackUrl, Self::Expired];

    /// Returns the name of the reason in the delivery log.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Disconnected => "disconnected",
            Self::NoCallbackUrl => "no_callback_url",
            Self::Expired => "expired",
        }
    }
}

/// Selects the pending events of an app that are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dropped {
    /// Events of this disconnected installation, except `app.uninstalled` (D-183).
    Disconnected(InstallationId),
    /// All events of the app, because the app has no callback URL.
    Unreachable,
    /// Events that were due before this moment.
    Expired(Timestamp),
}

impl Dropped {
    /// Returns the reason that the delivery log shows.
    #[must_use]
    pub const fn reason(self) -> DropReason {
        match self {
            Self::Disconnected(_) => DropReason::Disconnected,
            Self::Unreachable => DropReason::NoCallbackUrl,
            Self::Expired(_) => DropReason::Expired,
        }
    }
}

/// One of the two queues of an app's pending events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventQueue {
    /// Events without a finished attempt.
    FirstAttempts,
    /// Events with at least one finished attempt.
    Retries,
}

/// When the next attempt is due after an attempt has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// When the next attempt of the schedule is due; `None` if the attempt was the last one of the schedule.
    pub at: Option<Timestamp>,
    /// When the next attempt is due if a redelivery restarted the schedule during the attempt. The failed attempt then
    /// counts as the first attempt of the new schedule.
    pub at_if_restarted: Option<Timestamp>,
}

impl Retry {
    /// Returns when the next attempt is due after the attempt `number` of a schedule failed at `ended_at`. Attempts are
    /// counted from 1.
    #[must_use]
    pub fn after(number: i64, ended_at: Timestamp) -> Self {
        let after = |number: i64| {
            let index = usize::try_from(number - 1).ok()?;
            Some(ended_at + *RETRY_DELAYS.get(index)?)
        };
        Self { at: after(number), at_if_restarted: after(1) }
    }
}

/// The result of a delivery attempt.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The id of the attempt. The ids increase in the order in which attempts begin.
    pub id: i64,
    pub event_id: EventId,
    /// Number of the event's attempts that had finished before this one.
    pub before: i64,
    /// When the attempt began.
    pub at: Timestamp,
    pub ended_at: Timestamp,
    /// When the next attempt is due if the event was not delivered.
    pub retry: Retry,
    pub delivered: bool,
    /// The HTTP status of the response, if there was one.
    pub status: Option<i64>,
    /// The error name in the delivery log: `status` for a response with a status other than 2xx; if there was no
    /// response, the reason. `None` if the event was delivered.
    pub error: Option<&'static str>,
    pub latency_ms: i64,
    /// The beginning of the response body, without U+0000.
    pub response_body: Option<String>,
}

/// The position of the last due event that was read from an installation's queue. The next read starts after this
/// event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadPosition {
    pub installation_id: InstallationId,
    pub next_at: Timestamp,
    pub id: EventId,
}

/// The result of claiming or renewing the lease of an app's deliveries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaseClaim {
    /// The claimant has the lease. The lease was free, or the claimant already had it.
    Held,
    /// The claimant has the lease. Another process had it before and let it expire.
    TakenOver,
    /// Another process has the lease.
    Refused,
}

/// Maximum number of installations that a [`NewEvents`] lists. The maximum bounds the memory, even if no task takes the
/// list.
const MAX_TRACKED: usize = 64;

/// The installations of one app whose queues have new events. The app's delivery worker reads these queues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewEvents {
    /// Exactly these installations have new events.
    Of(HashSet<InstallationId>),
    /// More than `MAX_TRACKED` installations have new events, so every installation of the app may have some.
    Any,
}

impl Default for NewEvents {
    fn default() -> Self {
        Self::Of(HashSet::new())
    }
}

impl NewEvents {
    /// Adds an installation.
    pub fn add(&mut self, installation: InstallationId) {
        if let Self::Of(known) = self {
            known.insert(installation);
            if known.len() > MAX_TRACKED {
                *self = Self::Any;
            }
        }
    }

    /// Adds the installations of another value.
    pub fn merge(&mut self, other: Self) {
        match other {
            Self::Of(installations) => installations.into_iter().for_each(|id| self.add(id)),
            Self::Any => *self = Self::Any,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_attempt_is_retried_after_1_5_and_30_minutes() {
        let ended_at = Timestamp(7);
        let minutes = |count: u64| Some(ended_at + Duration::from_secs(count * 60));
        let retries: Vec<_> = (1..=4).map(|number| Retry::after(number, ended_at)).collect();
        let at: Vec<_> = retries.iter().map(|retry| retry.at).collect();
        assert_eq!(at, [minutes(1), minutes(5), minutes(30), None], "the schedule has three retries (B-428)");
        assert!(
            retries.iter().all(|retry| retry.at_if_restarted == minutes(1)),
            "a redelivery restarts the schedule"
        );
    }

    #[test]
    fn tracked_installations_are_bounded() {
        let mut fresh = NewEvents::default();
        (0..=64).for_each(|id| fresh.add(InstallationId(id)));
        assert_eq!(fresh, NewEvents::Any);
        fresh.merge(NewEvents::default());
        assert_eq!(fresh, NewEvents::Any);
    }
}
