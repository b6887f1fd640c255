//! Tools of test installations: the clock and the rate limits. Production does not offer them.
//!
//! Called by the admin room.

use std::time::Duration;

use tokio::sync::Mutex;

use super::{World, principal::Principal};
use crate::{
    domain::time::Timestamp,
    store::{Op, Result, Sql, StoreError, server},
};

/// How far the clock was moved by all nodes, in microseconds, as far as this one knows. Held while the store is asked, so
/// that an older answer is not taken for a newer one.
#[derive(Debug, Default)]
pub struct ClockMoves(Mutex<i64>);

impl ClockMoves {
    /// At the start, when the clock was moved by what was stored.
    #[must_use]
    pub fn begun(micros: i64) -> Self {
        Self(Mutex::new(micros))
    }
}

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

    /// Moves the server's time, on every node and for later starts, and does what has become due (W-45).
    ///
    /// # Errors
    /// `forbidden` unless the operator asks; failures of the upkeep.
    pub async fn move_clock(&self, who: &Principal, by: ClockMove) -> Result<ClockReading> {
        who.operator()?;
        {
            let mut known = self.clock_moves.0.lock().await;
            // stored first: a start after a crash must not go back behind what was already answered
            match by {
                ClockMove::Advance(by) => {
                    let micros = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
                    let stored = self.db.write(AddOffset(micros)).await?;
                    self.take_over(&mut known, stored);
                }
                ClockMove::Reset => {
                    self.db.write(ResetOffset).await?;
                    self.clock.reset();
                    *known = 0;
                }
            }
        }
        self.catch_up(self.clock.now()).await?;
        self.clock_reading(who)
    }

    /// Takes over what was moved on other nodes. Called by the process about every second where the clock can be moved
    /// and there can be others.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn follow_clock(&self) -> Result<()> {
        let mut known = self.clock_moves.0.lock().await;
        let stored = self.db.read(ReadOffset).await?;
        self.take_over(&mut known, stored);
        Ok(())
    }

    /// Moves this node's clock by what was stored since it last knew.
    fn take_over(&self, known: &mut i64, stored: i64) {
        self.clock.shift(stored.saturating_sub(*known));
        *known = stored;
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

struct AddOffset(i64);

impl Op for AddOffset {
    const NAME: &'static str = "advance_clock";
    /// How far it was moved in all.
    type Out = i64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<i64> {
        server::add_state(c, server::CLOCK_OFFSET, self.0).await
    }
}

struct ResetOffset;

impl Op for ResetOffset {
    const NAME: &'static str = "reset_clock";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        server::set_state(c, server::CLOCK_OFFSET, 0).await
    }
}

struct ReadOffset;

impl Op for ReadOffset {
    const NAME: &'static str = "read_clock_offset";
    const SINGLE: bool = true;
    type Out = i64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<i64> {
        Ok(server::state(c, server::CLOCK_OFFSET).await?.unwrap_or(0))
    }
}
