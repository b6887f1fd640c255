//! What a send takes from the limits of its installation and its destination.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::{
    domain::{ids::ConversationId, refusal::Refusal},
    platform::{
        clock::Clock,
        limits::{Key, Limits, Rate, SEND_DESTINATION, SEND_INSTALLATION, Standing},
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
    from: Option<[(Key, Rate); 2]>,
    /// What the buckets had left when they were last asked.
    left: Vec<Standing>,
}

impl Budget {
    pub(super) fn new(limits: Arc<Limits>, clock: Clock) -> Self {
        Self { limits, clock, taken: Mutex::default() }
    }

    /// 5 a second with bursts of 20 for the installation, and 1 a second with bursts of 5 to one destination: from
    /// both or from neither (D-085). Does nothing when an earlier run took the same.
    pub(super) fn take(&self, bot: &BotCaller, conversation: ConversationId) -> Result<()> {
        let takes =
            [installation_budget(bot), (Key::pair("send", bot.user_id.0, conversation.0), SEND_DESTINATION)];
        let mut taken = self.taken.lock();
        if taken.from.as_ref() == Some(&takes) {
            return Ok(());
        }
        // an earlier run was on its way to another conversation: the first direct message of two requests
        if let Some(other) = taken.from.take() {
            self.limits.give_back(&other);
        }
        match self.limits.take_all(&takes, self.clock.now()) {
            Ok(left) => {
                *taken = Taken { from: Some(takes), left };
                Ok(())
            }
            Err(wait) => {
                let seconds = wait.retry_after();
                taken.left = wait.standings;
                Err(Refusal::rate_limited(seconds).into())
            }
        }
    }

    pub(super) fn give_back(&self) {
        let mut taken = self.taken.lock();
        if let Some(takes) = taken.from.take() {
            self.limits.give_back(&takes);
            taken.left = self.limits.peek_all(&takes, self.clock.now());
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

    fn sends_left(limits: &Arc<Limits>, clock: &Clock, to: ConversationId) -> usize {
        (0..100).filter(|_| budget(limits, clock).take(&BOT, to).is_ok()).count()
    }

    #[test]
    fn a_send_that_is_run_again_takes_once() {
        let (limits, clock) = (Arc::new(Limits::in_memory(1)), Clock::manual(Timestamp(0)));
        let budget = budget(&limits, &clock);
        for _ in 0..6 {
            assert!(budget.take(&BOT, ConversationId(7)).is_ok());
        }
        assert_eq!(sends_left(&limits, &clock, ConversationId(7)), 4);
    }

    #[test]
    fn a_send_that_is_run_again_to_another_conversation_takes_from_that_one() {
        let (limits, clock) = (Arc::new(Limits::in_memory(1)), Clock::manual(Timestamp(0)));
        let budget = budget(&limits, &clock);
        assert!(budget.take(&BOT, ConversationId(7)).is_ok());
        assert!(budget.take(&BOT, ConversationId(8)).is_ok());
        assert_eq!(sends_left(&limits, &clock, ConversationId(7)), 5);
        assert_eq!(sends_left(&limits, &clock, ConversationId(8)), 4);
    }

    #[test]
    fn a_send_that_stored_nothing_takes_nothing() {
        let (limits, clock) = (Arc::new(Limits::in_memory(1)), Clock::manual(Timestamp(0)));
        let budget = budget(&limits, &clock);
        assert!(budget.take(&BOT, ConversationId(7)).is_ok());
        budget.give_back();
        budget.give_back();
        assert_eq!(sends_left(&limits, &clock, ConversationId(7)), 5);
    }
}
