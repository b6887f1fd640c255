//! The rate limits that apply to a send: those of its installation and of its destination.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::{
    domain::{ids::ConversationId, refusal::Refusal, time::Timestamp},
    platform::{
        clock::Clock,
        limits::{self, LimitStatus, Limits, SEND},
    },
    service::bot::access::BotCaller,
    store::Result,
};

/// The rate-limit tokens that one send takes. There is a bucket of tokens for the installation and one for the
/// destination. A send takes at most one token from each of these buckets, however often the store retries the
/// operation. If nothing was stored, the tokens are returned (B-416, B-417). Taking tokens does not wait for other
/// nodes, because nodes exchange their counts asynchronously.
///
/// A send is counted at the time of its arrival, but at most half a second in the past ([`limits::counted_at`]). So a
/// client that keeps to its limits is not rejected if its sends waited briefly for each other or for the database.
///
/// If the client disconnects before the send has ended, the tokens are not returned, even if nothing is stored in the
/// end. If a disconnect returned the tokens, clients could bypass the limits by disconnecting from every send.
pub(super) struct SendTokens {
    limits: Arc<Limits>,
    clock: Clock,
    arrived: Timestamp,
    taken: Mutex<TakenTokens>,
}

#[derive(Default)]
struct TakenTokens {
    /// The tokens, with the buckets from which they were taken; `None` if no token is taken.
    from: Option<limits::Taken>,
    /// Status of the buckets when they were last checked.
    left: Vec<LimitStatus>,
}

impl SendTokens {
    /// Creates the tokens of a send that arrived at `arrived`. No token is taken yet.
    pub(super) fn new(limits: Arc<Limits>, clock: Clock, arrived: Timestamp) -> Self {
        Self { limits, clock, arrived, taken: Mutex::default() }
    }

    /// Takes one token from the bucket of the installation and one from the bucket of the destination ([`SEND`]). Takes
    /// neither if one of the buckets is empty (D-085). Does nothing if an earlier run of the operation took tokens from
    /// these two buckets.
    ///
    /// # Errors
    /// `rate_limited` if a bucket is empty.
    pub(super) async fn take(&self, bot: &BotCaller, conversation: ConversationId) -> Result<()> {
        let takes = [
            SEND.installation.key_and_counter(bot.installation_id),
            SEND.destination.key_and_counter((bot.user_id, conversation)),
        ];
        let mut taken = self.taken.lock();
        if taken.from.as_ref().is_some_and(|earlier| earlier.is_of(&takes)) {
            return Ok(());
        }
        // An earlier run was for another conversation. This happens if a send creates a direct conversation: the
        // earlier run was rolled back, and each run creates the conversation with another id.
        if let Some(other) = taken.from.take() {
            self.limits.return_tokens(&other);
        }
        match self.limits.take_all(&takes, limits::counted_at(self.arrived, self.clock.now())) {
            Ok(from) => {
                *taken = TakenTokens { left: from.statuses.clone(), from: Some(from) };
                Ok(())
            }
            Err(wait) => {
                let seconds = wait.retry_after();
                taken.left = wait.statuses;
                Err(Refusal::rate_limited(seconds).into())
            }
        }
    }

    /// Returns the taken tokens to their buckets. Call this if nothing was stored. A second call has no effect.
    pub(super) async fn return_tokens(&self) {
        let mut taken = self.taken.lock();
        if let Some(from) = taken.from.take() {
            self.limits.return_tokens(&from);
            taken.left = self.limits.peek_all(from.takes(), self.clock.now());
        }
    }

    /// Returns the status of the buckets when they were last checked, and forgets the status. The list is empty if no
    /// bucket was checked.
    pub(super) fn left(&self) -> Vec<LimitStatus> {
        std::mem::take(&mut self.taken.lock().left)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

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

    fn tokens(limits: &Arc<Limits>, clock: &Clock) -> SendTokens {
        SendTokens::new(Arc::clone(limits), clock.clone(), clock.now())
    }

    /// Takes the tokens of sends to a conversation until a bucket is empty. Returns the number of these sends. A full
    /// bucket of a destination has 5 tokens.
    async fn sends_left(limits: &Arc<Limits>, clock: &Clock, to: ConversationId) -> usize {
        let mut left = 0;
        while tokens(limits, clock).take(&BOT, to).await.is_ok() {
            left += 1;
        }
        left
    }

    #[tokio::test]
    async fn a_rerun_send_takes_one_token() {
        let (limits, clock) = (Arc::new(Limits::in_memory(1)), Clock::manual(Timestamp(0)));
        let tokens = tokens(&limits, &clock);
        for _ in 0..6 {
            assert!(tokens.take(&BOT, ConversationId(7)).await.is_ok());
        }
        assert_eq!(sends_left(&limits, &clock, ConversationId(7)).await, 4);
    }

    #[tokio::test]
    async fn a_rerun_for_another_conversation_moves_the_token_to_that_conversation() {
        let (limits, clock) = (Arc::new(Limits::in_memory(1)), Clock::manual(Timestamp(0)));
        let tokens = tokens(&limits, &clock);
        assert!(tokens.take(&BOT, ConversationId(7)).await.is_ok());
        assert!(tokens.take(&BOT, ConversationId(8)).await.is_ok());
        assert_eq!(sends_left(&limits, &clock, ConversationId(7)).await, 5);
        assert_eq!(sends_left(&limits, &clock, ConversationId(8)).await, 4);
    }

    #[tokio::test]
    async fn a_send_that_stored_nothing_returns_its_token() {
        let (limits, clock) = (Arc::new(Limits::in_memory(1)), Clock::manual(Timestamp(0)));
        let tokens = tokens(&limits, &clock);
        assert!(tokens.take(&BOT, ConversationId(7)).await.is_ok());
        tokens.return_tokens().await;
        tokens.return_tokens().await;
        assert_eq!(sends_left(&limits, &clock, ConversationId(7)).await, 5);
    }

    #[tokio::test]
    async fn a_send_is_counted_at_its_arrival() {
        let (limits, clock) = (Arc::new(Limits::in_memory(1)), Clock::manual(Timestamp(0)));
        // a burst of 5 sends waits for the writer; the sixth send arrives one second after the burst
        let burst: Vec<SendTokens> = (0..5).map(|_| tokens(&limits, &clock)).collect();
        clock.advance(Duration::from_millis(400));
        for send in burst {
            assert!(send.take(&BOT, ConversationId(7)).await.is_ok());
        }
        clock.advance(Duration::from_millis(600));
        assert_eq!(sends_left(&limits, &clock, ConversationId(7)).await, 1);
    }

    #[tokio::test]
    async fn a_send_that_waited_long_gets_no_token_from_an_empty_bucket_and_does_not_refill_it() {
        let (limits, clock) = (Arc::new(Limits::in_memory(1)), Clock::manual(Timestamp(0)));
        let old = tokens(&limits, &clock);
        clock.advance(Duration::from_secs(20));
        assert_eq!(sends_left(&limits, &clock, ConversationId(7)).await, 5);
        assert!(
            old.take(&BOT, ConversationId(7)).await.is_err(),
            "a send gets no token from an empty bucket"
        );
        assert_eq!(sends_left(&limits, &clock, ConversationId(7)).await, 0);
    }
}
