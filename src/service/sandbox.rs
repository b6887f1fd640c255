//! Sandbox tools: the test clock, and the reset of rate limits. They are not available in production.

use std::time::Duration;

use tokio::sync::Mutex;

use super::{World, callers::Operator, files::PURGE_AFTER};
use crate::{
    domain::time::Timestamp,
    store::{Op, Result, Sql, StoreError, assistant_clients, deliveries, files, guesses, op, server},
};

/// Maximum number of rows with counts of wrong passwords that one transaction deletes.
const GUESS_BATCH: i64 = 1000;

/// The offset of the test clock in microseconds, as this node knows it. All nodes share the stored offset. This value
/// is locked while the stored offset is read or changed, so that an older offset cannot replace a newer offset.
#[derive(Debug, Default)]
pub struct ClockOffset(Mutex<i64>);

impl ClockOffset {
    /// Returns the value for a clock that was already moved by the stored offset `micros`.
    #[must_use]
    pub fn new(micros: i64) -> Self {
        Self(Mutex::new(micros))
    }
}

/// The server's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockReading {
    /// Real time plus the offset.
    pub now: Timestamp,
    /// The offset from real time.
    pub offset: Duration,
}

/// A change of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockMove {
    /// Moves the clock ahead, in addition to earlier moves.
    Advance(Duration),
    /// Moves the clock back to real time. Retries of events, delays after wrong passwords and cached client metadata
    /// documents keep the time that they had left. A deleted file is purged no later than if it had been deleted at the
    /// reset. An unattached file is deleted no later than if it had been uploaded at the reset. Tokens, sessions and
    /// other rows that were created while the clock was ahead keep their times of expiry, so they last longer in real
    /// time.
    Reset,
}

impl Operator<'_> {
    /// Returns the server's time (W-44).
    #[must_use]
    pub fn clock_reading(self) -> ClockReading {
        ClockReading { now: self.world().clock.now(), offset: self.world().clock.offset() }
    }

    /// Moves the server's clock (W-45). Before the move, waits up to five seconds of real time until the events that
    /// are already due were attempted and no attempt is open. After the move, does the work that has become due:
    /// attempts the due events, and runs every maintenance job. The other nodes follow within about a second. The
    /// offset is stored, so a restart does not reset the clock.
    ///
    /// # Errors
    /// `not_found` in production; store errors; errors of [`World::catch_up`]. After an error of `catch_up`, the clock
    /// stays moved.
    pub async fn move_clock(self, by: ClockMove) -> Result<ClockReading> {
        self.sandbox_only()?;
        self.world().finish_attempts().await;
        {
            let mut known = self.world().clock_offset.0.lock().await;
            // the offset is stored before the clock is moved: after a crash, the clock must not be behind a time that a
            // response has already shown
            match by {
                ClockMove::Advance(by) => {
                    let micros = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
                    let stored = self.caller().write(AddOffset(micros)).await?;
                    self.world().apply_offset(&mut known, stored);
                }
                ClockMove::Reset => {
                    let now = self.world().clock.without_offset();
                    let files_until = self.world().detached_files_until(now);
                    self.caller().write(ResetOffset { now, files_until }).await?;
                    self.world().clock.reset();
                    *known = 0;
                }
            }
        }
        self.world().catch_up(self.world().clock.now()).await?;
        Ok(self.clock_reading())
    }

    /// Resets all rate limits (W-46) on every node, and the counts of wrong passwords.
    ///
    /// # Errors
    /// `not_found` in production; store errors; `Unavailable` if the rate limits that the nodes share cannot be reset.
    pub async fn reset_limits(self) -> Result<()> {
        self.sandbox_only()?;
        while self.caller().write(ResetGuesses).await? >= GUESS_BATCH.unsigned_abs() {}
        self.world()
            .limits
            .reset()
            .await
            .map_err(|why| StoreError::Unavailable(why.to_string().into()).into())
    }
}

impl World {
    /// Applies the clock moves of other nodes. Called about every second if the clock can be moved and other nodes may
    /// exist.
    ///
    /// # Errors
    /// Store errors.
    pub async fn follow_clock(&self) -> Result<()> {
        let mut known = self.clock_offset.0.lock().await;
        let stored = self.db.read(ReadOffset).await?;
        self.apply_offset(&mut known, stored);
        Ok(())
    }

    /// Moves this node's clock by the difference between the stored and the known offset.
    fn apply_offset(&self, known: &mut i64, stored: i64) {
        self.clock.shift(stored.saturating_sub(*known));
        *known = stored;
    }
}

struct AddOffset(i64);

impl Op for AddOffset {
    const NAME: &'static str = "advance_clock";
    /// The total offset.
    type Out = i64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<i64> {
        server::add_state(c, server::CLOCK_OFFSET, self.0).await
    }
}

struct ResetOffset {
    /// The time without the offset.
    now: Timestamp,
    /// The latest time at which a file that is unattached now is deleted; `None` if unattached files are not deleted.
    files_until: Option<Timestamp>,
}

impl Op for ResetOffset {
    const NAME: &'static str = "reset_clock";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        // adding 0 locks the row of the offset, so that two concurrent resets do not move the times of other rows back
        // twice
        let offset = server::add_state(c, server::CLOCK_OFFSET, 0).await?;
        if offset > 0 {
            deliveries::move_back(c, self.now, offset).await?;
            guesses::move_back(c, self.now, offset).await?;
            assistant_clients::move_back(c, self.now, offset).await?;
            files::limit_deletions(c, self.now + PURGE_AFTER, self.files_until).await?;
        }
        server::set_state(c, server::CLOCK_OFFSET, 0).await
    }
}

struct ResetGuesses;

op! {
    Op "reset_guesses": ResetGuesses -> u64 = |_, c| guesses::purge(c, Timestamp(i64::MAX), GUESS_BATCH)
}

struct ReadOffset;

op! {
    ReadOp "read_clock_offset", SINGLE: ReadOffset -> i64 =
        |_, c| Ok(server::state(c, server::CLOCK_OFFSET).await?.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        domain::{
            ids::{AppId, MessageId, UserId},
            refusal::Code,
        },
        service::{events::test_events::TestEvent, messages::click::NewClick, testing::production_world},
    };

    #[tokio::test]
    async fn the_tools_of_the_sandbox_are_not_found_in_production() {
        let world = production_world().await;
        let caller = world.operator_caller();
        let operator = caller.operator().unwrap();
        let now = world.clock.now();
        let advance = ClockMove::Advance(Duration::from_secs(60));
        assert_eq!(operator.move_clock(advance).await, Err(Code::NotFound.into()));
        assert_eq!(world.clock.now(), now, "the clock was not moved");
        assert_eq!(operator.reset_limits().await, Err(Code::NotFound.into()));
        let sent = operator.send_test_event(Some(AppId(1)), None, TestEvent::Interaction).await;
        assert_eq!(sent, Err(Code::NotFound.into()));
        let click = NewClick { user: Some(UserId(1)), action_id: "approve".into(), value: None };
        // in a sandbox, a click on an unknown message gets `message_not_found` instead
        assert_eq!(operator.click(Some((false, MessageId(1))), click).await, Err(Code::NotFound.into()));
    }
}
