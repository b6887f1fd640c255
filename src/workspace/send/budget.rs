//! What a send takes from the limits of its installation and its destination.

use std::{sync::Arc, time::Duration};

use parking_lot::Mutex;

use crate::{
    domain::{ids::ConversationId, refusal::Refusal, time::Timestamp},
    platform::{
        clock::Clock,
        limits::{self, Key, Limits, Rate, SEND_DESTINATION, SEND_INSTALLATION, Standing},
    },
    store::Result,
    workspace::access::BotCaller,
};

/// The limit of all sends of an installation: 5 a second with bursts of 20.
#[must_use]
pub fn installation_budget(bot: &BotCaller) -> (Key, Rate) {
    (Key::id("send", bot.installation_id.0), SEND_INSTALLATION)
}

/// How long ago a send may have arrived when it takes its tokens. An older time would look like a clock that was set back,
/// which makes the buckets start afresh.
const WAITED: Duration = Duration::from_millis(500);

/// What one send takes from the limits, however often the store runs its operation: at most one token of each
/// bucket, and none if nothing was stored in the end (B-416, B-417). Nothing here waits: nodes share the limits later.
///
/// The tokens are those of the time at which the send arrived, so that a client that paces itself is not refused because
/// its sends waited for each other on the server.
///
/// Should the caller leave and the commit fail besides, a token is lost until the bucket fills again; were it given
/// back whenever nobody waits for the answer, hanging up would be a way around the limits.
pub(super) struct Budget {
    limits: Arc<Limits>,
    clock: Clock,
    arrived: Timestamp,
    taken: Mutex<Taken>,
}

#[derive(Default)]
struct Taken {
    from: Option<limits::Taken>,
    /// What the buckets had left when they were last asked.
    left: Vec<Standing>,
}

impl Budget {
    /// The budget of a send that arrives now.
    pub(super) fn new(limits: Arc<Limits>, clock: Clock) -> Self {
        let arrived = clock.now();
        Self { limits, clock, arrived, taken: Mutex::default() }
    }

    /// 5 a second with bursts of 20 for the installation, and 1 a second with bursts of 5 to one destination: from
    /// both or from neither (D-085). Does nothing when an earlier run took the same.
    ///
    /// # Errors
    /// `rate_limited` when a bucket is empty.
    pub(super) async fn take(&self, bot: &BotCaller, conversation: ConversationId) -> Result<()> {
        let takes =
            [installation_budget(bot), (Key::pair("send", bot.user_id.0, conversation.0), SEND_DESTINATION)];
        let mut taken = self.taken.lock();
        if taken.from.as_ref().is_some_and(|earlier| earlier.is_of(&takes)) {
            return Ok(());
        }
        // an earlier run was on its way to another conversation: the first direct message of two requests
        if let Some(other) = taken.from.take() {
            self.limits.give_back(&other);
        }
        match self.limits.take_all(&takes, self.arrived.max(self.clock.now() - WAITED)) {
            Ok(from) => {
                *taken = Taken { left: from.standings.clone(), from: Some(from) };
                Ok(())
            }
            Err(wait) => {
                let seconds = wait.retry_after();
                taken.left = wait.standings;
                Err(Refusal::rate_limited(seconds).into())
            }
        }
    }

    /// Puts back what was taken, if anything was: nothing was stored.
    pub(super) async fn give_back(&self) {
        let mut taken = self.taken.lock();
        if let Some(from) = taken.from.take() {
            self.limits.give_back(&from);
            taken.left = self.limits.peek_all(from.takes(), self.clock.now());
        }
    }

    /// What is left in the buckets, when any was asked.
    pub(super) fn left(&self) -> Vec<Standing> {
        std::mem::take(&mut self.taken.lock().left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{
        ids::{AppId, InstallationId, UserId, WorkspaceId},
        scopes::Scopes,
    };

    const BOT: BotCaller = BotCaller {
        installation_id: InstallationId(1),
        workspace_id: WorkspaceId(2),
        app_id: AppId(3),
        user_id: UserId(4),
        scopes: Scopes::ALL,
        position: None,
    };

    fn budget(limits: &Arc<Limits>, clock: &Clock) -> Budget {
        Budget::new(Arc::clone(limits), clock.clone())
    }

    async fn sends_left(limits: &Arc<Limits>, clock: &Clock, to: ConversationId) -> usize {
        let mut left = 0;
        while budget(limits, clock).take(&BOT, to).await.is_ok() {
            left += 1;
        }
        left
    }

    #[tokio::test]
    async fn a_send_that_is_run_again_takes_once() {
        let (limits, clock) = (Arc::new(Limits::in_memory(1)), Clock::manual(Timestamp(0)));
        let budget = budget(&limits, &clock);
        for _ in 0..6 {
            assert!(budget.take(&BOT, ConversationId(7)).await.is_ok());
        }
        assert_eq!(sends_left(&limits, &clock, ConversationId(7)).await, 4);
    }

    #[tokio::test]
    async fn a_send_that_is_run_again_to_another_conversation_takes_from_that_one() {
        let (limits, clock) = (Arc::new(Limits::in_memory(1)), Clock::manual(Timestamp(0)));
        let budget = budget(&limits, &clock);
        assert!(budget.take(&BOT, ConversationId(7)).await.is_ok());
        assert!(budget.take(&BOT, ConversationId(8)).await.is_ok());
        assert_eq!(sends_left(&limits, &clock, ConversationId(7)).await, 5);
        assert_eq!(sends_left(&limits, &clock, ConversationId(8)).await, 4);
    }

    #[tokio::test]
    async fn a_send_that_stored_nothing_takes_nothing() {
        let (limits, clock) = (Arc::new(Limits::in_memory(1)), Clock::manual(Timestamp(0)));
        let budget = budget(&limits, &clock);
        assert!(budget.take(&BOT, ConversationId(7)).await.is_ok());
        budget.give_back().await;
        budget.give_back().await;
        assert_eq!(sends_left(&limits, &clock, ConversationId(7)).await, 5);
    }

    #[tokio::test]
    async fn a_send_is_counted_when_it_arrived() {
        let (limits, clock) = (Arc::new(Limits::in_memory(1)), Clock::manual(Timestamp(0)));
        // a burst waits for the writer, and the sixth comes a second after it
        let burst: Vec<Budget> = (0..5).map(|_| budget(&limits, &clock)).collect();
        clock.advance(Duration::from_millis(400));
        for send in burst {
            assert!(send.take(&BOT, ConversationId(7)).await.is_ok());
        }
        clock.advance(Duration::from_millis(600));
        assert_eq!(sends_left(&limits, &clock, ConversationId(7)).await, 1);
    }

    #[tokio::test]
    async fn a_send_that_waited_for_long_does_not_make_the_limits_start_afresh() {
        let (limits, clock) = (Arc::new(Limits::in_memory(1)), Clock::manual(Timestamp(0)));
        let old = budget(&limits, &clock);
        clock.advance(Duration::from_secs(20));
        assert_eq!(sends_left(&limits, &clock, ConversationId(7)).await, 5);
        assert!(old.take(&BOT, ConversationId(7)).await.is_err(), "the bucket is empty");
        assert_eq!(sends_left(&limits, &clock, ConversationId(7)).await, 0);
    }
}
