//! Remembers pairs of a bot and a conversation that rejected the bot's last send to it. The bot's next send to this
//! conversation is first checked without the conversation's lock.

use std::sync::Arc;

use parking_lot::Mutex;

use super::{SendMessage, Sent};
use crate::{
    domain::{
        ids::{ConversationId, UserId},
        refusal::Code,
    },
    service::World,
    store::{Error, ReadOp, ReadSql, Result},
};

/// Number of rejections that can be remembered; they take 256 KB.
const SLOTS: usize = 1 << 14;

/// Remembers up to [`SLOTS`] rejections: pairs of a bot and a conversation that rejected the bot's last send to it.
///
/// To save a round trip, a send locks the conversation before it reads whether the bot may write there. So a bot that
/// keeps sending where it may not write would delay other senders. After a rejection, the bot's next sends to the
/// conversation are therefore first checked without the lock. Remembering rejections is only an optimization, so a
/// rejection may be forgotten early: a newer one replaces the older one in its slot.
pub struct RecentRefusals(Mutex<Vec<(UserId, ConversationId)>>);

impl Default for RecentRefusals {
    fn default() -> Self {
        Self(Mutex::new(vec![(UserId(0), ConversationId(0)); SLOTS]))
    }
}

impl RecentRefusals {
    fn slot(bot: UserId, conversation: ConversationId) -> usize {
        let mixed =
            (bot.0.rotate_left(32) ^ conversation.0).cast_unsigned().wrapping_mul(0x9E37_79B9_7F4A_7C15);
        usize::try_from(mixed >> 32).unwrap_or_default() % SLOTS
    }

    /// Returns whether a rejection of the bot's last send to the conversation is remembered.
    pub(super) fn contains(&self, bot: UserId, conversation: ConversationId) -> bool {
        self.0.lock()[Self::slot(bot, conversation)] == (bot, conversation)
    }

    /// Remembers a rejection. It replaces the rejection in the same slot.
    pub(super) fn note(&self, bot: UserId, conversation: ConversationId) {
        self.0.lock()[Self::slot(bot, conversation)] = (bot, conversation);
    }

    /// Forgets a rejection.
    pub(super) fn forget(&self, bot: UserId, conversation: ConversationId) {
        let slot = &mut self.0.lock()[Self::slot(bot, conversation)];
        if *slot == (bot, conversation) {
            *slot = (UserId(0), ConversationId(0));
        }
    }
}

impl World {
    /// If a rejection of the bot's last send to the conversation is remembered, checks this send without the
    /// conversation's lock. Returns `None` if no rejection is remembered, or if the conversation now accepts messages
    /// of the bot. If it still accepts none and the send is a replay, returns the original response.
    ///
    /// # Errors
    /// Errors of `replay_or_refuse_destination`, if the conversation still accepts no messages; `token_revoked`; errors
    /// of the store.
    pub(super) async fn check_refused_before(&self, send: &Arc<SendMessage>) -> Result<Option<Sent>> {
        let (bot, Some(conversation)) = (send.bot.user_id, send.conversation()) else { return Ok(None) };
        if !self.refused_sends.contains(bot, conversation) {
            return Ok(None);
        }
        let result = self.db.read(CheckDestination(Arc::clone(send))).await?;
        if result.is_none() {
            self.refused_sends.forget(bot, conversation);
        }
        Ok(result)
    }
}

/// Returns whether a send was rejected because of the conversation that it names.
pub(super) fn is_rejected_by_conversation(sent: &Result<Sent>) -> bool {
    const CODES: [Code; 4] = [
        Code::ConversationNotFound,
        Code::NotInConversation,
        Code::NotAllowedInConversation,
        Code::ConversationArchived,
    ];
    matches!(sent, Err(Error::Refused(refusal)) if CODES.contains(&refusal.code))
}

/// Checks whether the destination of a send accepts messages of the bot. The result is `None` if it does. Otherwise a
/// replay gets the original response, and any other send the error of `replay_or_refuse_destination`. A disconnected
/// installation gets `token_revoked`, even for a replay.
struct CheckDestination(Arc<SendMessage>);

impl ReadOp for CheckDestination {
    const NAME: &'static str = "check_destination";
    type Out = Option<Sent>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        match self.0.destination(c).await {
            Ok(_) => Ok(None),
            Err(Error::Refused(refusal)) if refusal.code != Code::TokenRevoked => {
                self.0.replay_or_refuse_destination(c, refusal).await.map(Some)
            }
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rejection_is_remembered_until_forgotten() {
        let recent = RecentRefusals::default();
        let (bot, conversations) = (UserId(7), [ConversationId(8), ConversationId(9)]);
        recent.note(bot, conversations[0]);
        assert!(recent.contains(bot, conversations[0]) && !recent.contains(bot, conversations[1]));
        assert!(!recent.contains(UserId(6), conversations[0]), "rejections of other bots are separate");
        recent.forget(bot, conversations[1]);
        assert!(recent.contains(bot, conversations[0]));
        recent.forget(bot, conversations[0]);
        assert!(!recent.contains(bot, conversations[0]));
    }
}
