//! Event delivery: the retry schedule, queues, leases and results, and the names used in the delivery log.

use std::{collections::HashSet, time::Duration};

use super::{
    ids::{EventId, InstallationId},
    time::Timestamp,
};

/// Delays from the end of a failed attempt to the next one; there is none after the last (B-428,
/// D-168). [`Retry::after`] applies it.
const RETRY_DELAYS: [Duration; 3] =
    [Duration::from_secs(60), Duration::from_secs(5 * 60), Duration::from_secs(30 * 60)];

/// How long log entries are kept after the event was finished.
pub const LOG_LIFE: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// The state of an event's delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryState {
    Pending = 0,
    Delivered = 1,
    Failed = 2,
    /// Not attempted any more, because it must not or cannot be sent.
    Dropped = 3,
}

impl DeliveryState {
    /// Returns the stored number.
    #[must_use]
    pub const fn code(self) -> i64 {
        self as i64
    }

    /// Returns the state with this stored number.
    #[must_use]
    pub const fn from_code(code: i64) -> Option<Self> {
        match code {
            0 => Some(Self::Pending),
            1 => Some(Self::Delivered),
            2 => Some(Self::Failed),
            3 => Some(Self::Dropped),
            _ => None,
        }
    }
}

/// Why an event was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropReason {
    /// Its installation was disconnected (D-183).
    Disconnected,
    /// Its app has no callback URL any more.
    NoCallbackUrl,
    /// It was due for too long without an attempt.
    Expired,
}

impl DropReason {
    /// All reasons.
    pub const ALL: [Self; 3] = [Self::Disconnected, Self::NoCallbackUrl, Self::Expired];

    /// Returns the name in the log.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Disconnected => "disconnected",
            Self::NoCallbackUrl => "no_callback_url",
            Self::Expired => "expired",
        }
    }
}

/// Which pending events to drop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dropped {
    /// Events of a disconnected installation.
    Disconnected(InstallationId),
    /// All events of an app without a callback URL.
    Unreachable,
    /// Events that were due before this moment.
    Expired(Timestamp),
}

impl Dropped {
    /// Returns the reason shown in the log.
    #[must_use]
    pub const fn reason(self) -> DropReason {
        match self {
            Self::Disconnected(_) => DropReason::Disconnected,
            Self::Unreachable => DropReason::NoCallbackUrl,
            Self::Expired(_) => DropReason::Expired,
        }
    }
}

/// One of the two queues of an app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    First,
    Again,
}

/// When the next attempt is due if an attempt fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// By the schedule that the attempt belongs to; `None` if it was the last one.
    pub at: Option<Timestamp>,
    /// If a redelivery restarted the schedule during the attempt, which is then the first of the new
    /// one.
    pub restarted_at: Option<Timestamp>,
}

impl Retry {
    /// Returns when the next attempt is due after attempt `number` of a schedule, counted from 1,
    /// which ended at `ended_at`.
    #[must_use]
    pub fn after(number: i64, ended_at: Timestamp) -> Self {
        let after = |number: i64| {
            let index = usize::try_from(number - 1).ok()?;
            Some(ended_at + *RETRY_DELAYS.get(index)?)
        };
        Self { at: after(number), restarted_at: after(1) }
    }
}

/// The result of a delivery attempt.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// A new id; ids are in the order in which attempts began.
    pub id: i64,
    pub event_id: EventId,
    /// Number of finished attempts before this one.
    pub before: i64,
    pub at: Timestamp,
    pub ended_at: Timestamp,
    /// When the next attempt is due unless the event was delivered.
    pub retry: Retry,
    pub delivered: bool,
    pub status: Option<i64>,
    pub error: Option<&'static str>,
    pub latency_ms: i64,
    /// The beginning of the response body, without U+0000.
    pub answer: Option<String>,
}

/// The position up to which the due events of an installation were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct After {
    pub installation_id: InstallationId,
    pub next_at: Timestamp,
    pub id: EventId,
}

/// The result of claiming a lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The lease was free or already belongs to the claimant.
    Held,
    /// The lease of another holder had expired.
    TakenOver,
    /// Another process has the lease.
    Refused,
}

/// Maximum number of installations tracked per app, which bounds the memory if nobody listens.
const MAX_TRACKED: usize = 64;

/// The installations of an app with new events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewEvents {
    /// These installations.
    Of(HashSet<InstallationId>),
    /// More than are tracked.
    Many,
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
                *self = Self::Many;
            }
        }
    }

    /// Adds the installations of another value.
    pub fn merge(&mut self, other: Self) {
        match other {
            Self::Of(installations) => installations.into_iter().for_each(|id| self.add(id)),
            Self::Many => *self = Self::Many,
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
            retries.iter().all(|retry| retry.restarted_at == minutes(1)),
            "a redelivery restarts the schedule"
        );
    }

    #[test]
    fn tracked_installations_are_bounded() {
        let mut fresh = NewEvents::default();
        (0..=64).for_each(|id| fresh.add(InstallationId(id)));
        assert_eq!(fresh, NewEvents::Many);
        fresh.merge(NewEvents::default());
        assert_eq!(fresh, NewEvents::Many);
    }
}
