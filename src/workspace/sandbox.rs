//! Tools of test installations: the clock and the rate limits. Production does not offer them.
//!
//! Called by the admin room.

use std::time::Duration;

use super::{World, principal::Principal};
use crate::{
    domain::time::Timestamp,
    store::{Op, Result, Sql, StoreError, server},
};

/// What time the server goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockReading {
    /// Real time and the offset.
    pub now: Timestamp,
    /// How far ahead of real time.
    pub offset: Duration,
}

/// How the clock is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockMove {
    /// Ahead, on top of what it was moved before.
    Advance(Duration),
    /// Back to real time.
    Reset,
}

impl World {
    /// The server's time (W-44).
    ///
    /// # Errors
    /// `forbidden` unless the operator asks.
    pub fn clock_reading(&self, who: &Principal) -> Result<ClockReading> {
        who.operator()?;
        Ok(ClockReading { now: self.clock.now(), offset: self.clock.offset() })
    }

    /// Moves the server's time, for this and later starts, and does what has become due (W-45).
    ///
    /// # Errors
    /// `forbidden` unless the operator asks; failures of the upkeep.
    pub async fn move_clock(&self, who: &Principal, by: ClockMove) -> Result<ClockReading> {
        who.operator()?;
        let offset = match by {
            ClockMove::Advance(by) => self.clock.offset().saturating_add(by),
            ClockMove::Reset => Duration::ZERO,
        };
        // stored first: a start after a crash must not go back behind what was already answered
        let micros = i64::try_from(offset.as_micros()).unwrap_or(i64::MAX);
        self.db.write(KeepOffset(micros)).await?;
        match by {
            ClockMove::Advance(by) => self.clock.advance(by),
            ClockMove::Reset => self.clock.reset(),
        }
        self.catch_up(self.clock.now()).await?;
        self.clock_reading(who)
    }

    /// Forgets all past traffic (W-46), on every node.
    ///
    /// # Errors
    /// `forbidden` unless the operator asks; unavailable when the nodes' shared state is.
    pub async fn reset_limits(&self, who: &Principal) -> Result<()> {
        who.operator()?;
        self.limits.reset().await.map_err(|why| StoreError::Unavailable(why.to_string().into()).into())
    }
}

struct KeepOffset(i64);

impl Op for KeepOffset {
    const NAME: &'static str = "keep_clock_offset";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        server::set_state(c, server::CLOCK_OFFSET, self.0).await
    }
}
