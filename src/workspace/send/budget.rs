//! What a send takes from the limits of its installation and its destination.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::{
    domain::{ids::ConversationId, refusal::Refusal},
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

/// What one send takes from the limits, however often the store runs its operation: at most one token of each
/// bucket, and none if nothing was stored in the end (B-416, B-417).
///
/// Should the caller leave and the commit fail besides, a token is lost until the bucket fills again; were it given
/// back whenever nobody waits for the answer, hanging up would be a way around the limits.
pub(super) struct Budget {
    limits: Arc<Limits>,
    /// Read when the tokens are taken: by then a send may have waited in the writer's queue for long.
    clock: Clock,
    taken: Mutex<Taken>,
}

#[derive(Default)]
struct Taken {
    from: Option<limits::Taken>,
    /// What the buckets had left when they were last asked.
    left: Vec<Standing>,
}

impl Budget {
    pub(super) fn new(limits: Arc<Limits>, clock: Clock) -> Self {
        Self { limits, clock, taken: Mutex::default() }
    }

    /// 5 a second with bursts of 20 for the installation, and 1 a second with bursts of 5 to one destination: from
    /// both or from neither (D-085). Does nothing when an earlier run took the same.
    pub(super) async fn take(&self, bot: &BotCaller, conversation: ConversationId) -> Result<()> {
        let takes =
            [installation_budget(bot), (Key::pair("send", bot.user_id.0, conversation.0), SEND_DESTINATION)];
        // the runs of one send come one after the other
        if self.taken.lock().from.as_ref().is_some_and(|earlier| earlier.is_of(&takes)) {
            return Ok(());
        }
        // an earlier run was on its way to another conversation: the first direct message of two requests
        let other = self.taken.lock().from.take();
        if let Some(other) = other {
            self.limits.give_back(&other).await;
        }
        match self.limits.take_all(&takes, self.clock.now()).await {
            Ok(from) => {
                let left = from.standings.clone();
                *self.taken.lock() = Taken { from: Some(from), left };
                Ok(())
            }
            Err(wait) => {
                let seconds = wait.retry_after();
                self.taken.lock().left = wait.standings;
                Err(Refusal::rate_limited(seconds).into())
            }
        }
    }

    pub(super) async fn give_back(&self) {
        let taken = self.taken.lock().from.take();
        if let Some(taken) = taken {
            self.limits.give_back(&taken).await;
            let left = self.limits.peek_all(taken.takes(), self.clock.now()).await;
            self.taken.lock().left = left;
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
        time::Timestamp,
    };

    const BOT: BotCaller = BotCaller {
        installation_id: InstallationId(1),
        workspace_id: WorkspaceId(2),
        app_id: AppId(3),
        user_id: UserId(4),
        scopes: Scopes::ALL,
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
}
