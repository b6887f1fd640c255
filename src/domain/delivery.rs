//! The schedule of deliveries and the words that the log has for them.

use std::time::Duration;

/// How long after the end of a failed attempt the next one is due; after the last there is none (B-428, D-168).
pub const RETRIES: [Duration; 3] =
    [Duration::from_secs(60), Duration::from_secs(5 * 60), Duration::from_secs(30 * 60)];

/// How long the log is kept after an event was finished.
pub const LOG_LIFE: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// Where an event stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryState {
    Pending = 0,
    Delivered = 1,
    Failed = 2,
    /// Given up because it must not or cannot be sent any more.
    Dropped = 3,
}

impl DeliveryState {
    /// The stored number.
    #[must_use]
    pub const fn code(self) -> i64 {
        self as i64
    }

    /// The state of a stored number.
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
    /// Its installation has ended (D-183).
    Disconnected,
    /// Its app has no callback URL any more.
    NoCallbackUrl,
    /// It was due for too long without an attempt.
    Expired,
}

impl DropReason {
    /// Every reason.
    pub const ALL: [Self; 3] = [Self::Disconnected, Self::NoCallbackUrl, Self::Expired];

    /// The word in the log.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Disconnected => "disconnected",
            Self::NoCallbackUrl => "no_callback_url",
            Self::Expired => "expired",
        }
    }
}
