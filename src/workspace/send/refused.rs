//! Sends to where the bot's last one was refused: they are judged without the conversation's lock.

use std::sync::Arc;

use parking_lot::Mutex;

use super::{Send, Sent};
use crate::{
    domain::{
        ids::{ConversationId, UserId},
        refusal::Code,
    },
    store::{Error, Op, Result, Sql},
    workspace::World,
};

/// Places of refused sends; 128 KB.
const REFUSED: usize = 1 << 14;

/// Remembers bots and the conversations that refused their last send, some thousands.
///
/// A send to a conversation takes the conversation's lock before it reads whether the bot may write there, because that
/// costs no round trip of its own. A bot that goes on sending where it may not would hold up those who may: where it was
/// refused once, its next sends are judged before they take the lock. What is remembered may be forgotten.
pub struct RecentRefusals(Mutex<Vec<(UserId, ConversationId)>>);

impl Default for RecentRefusals {
    fn default() -> Self {
        Self(Mutex::new(vec![(UserId(0), ConversationId(0)); REFUSED]))
    }
}

impl RecentRefusals {
    fn place(bot: UserId, conversation: ConversationId) -> usize {
        let mixed =
            (bot.0.rotate_left(32) ^ conversation.0).cast_unsigned().wrapping_mul(0x9E37_79B9_7F4A_7C15);
        usize::try_from(mixed >> 32).unwrap_or_default() % REFUSED
    }

    /// Whether the last send of a bot to a conversation was refused.
    pub(super) fn contains(&self, bot: UserId, conversation: ConversationId) -> bool {
        self.0.lock()[Self::place(bot, conversation)] == (bot, conversation)
    }

    /// Remembers that it was, in place of an older one.
    pub(super) fn note(&self, bot: UserId, conversation: ConversationId) {
        self.0.lock()[Self::place(bot, conversation)] = (bot, conversation);
    }

    /// Forgets it.
    pub(super) fn forget(&self, bot: UserId, conversation: ConversationId) {
        let place = &mut self.0.lock()[Self::place(bot, conversation)];
        if *place == (bot, conversation) {
            *place = (UserId(0), ConversationId(0));
        }
    }
}

impl World {
    /// Judges a send to a conversation that refused the bot's last one, without the conversation's lock. `None` when it may
    /// be written.
    pub(super) async fn refused_again(&self, send: &Arc<Send>) -> Result<Option<Sent>> {
        let (bot, Some(place)) = (send.bot.user_id, send.conversation()) else { return Ok(None) };
        if !self.refused_sends.contains(bot, place) {
            return Ok(None);
        }
        let judged = self.db.read(JudgeDestination(Arc::clone(send))).await?;
        if judged.is_none() {
            self.refused_sends.forget(bot, place);
        }
        Ok(judged)
    }
}

/// Whether a send was refused for its destination.
pub(super) fn is_of_destination(sent: &Result<Sent>) -> bool {
    const CODES: [Code; 4] = [
        Code::ConversationNotFound,
        Code::NotInConversation,
        Code::NotAllowedInConversation,
        Code::ConversationArchived,
    ];
    matches!(sent, Err(Error::Refused(refusal)) if CODES.contains(&refusal.code))
}

/// Whether a destination takes a message; the answer of a repeat.
struct JudgeDestination(Arc<Send>);

impl Op for JudgeDestination {
    const NAME: &'static str = "judge_destination";
    type Out = Option<Sent>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        match self.0.destination(c).await {
            Ok(_) => Ok(None),
            Err(Error::Refused(refusal)) if refusal.code != Code::TokenRevoked => {
                self.0.unless_repeated(c, None, refusal).await.map(Some)
            }
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_known_until_it_is_forgotten() {
        let recent = RecentRefusals::default();
        let (bot, places) = (UserId(7), [ConversationId(8), ConversationId(9)]);
        recent.note(bot, places[0]);
        assert!(recent.contains(bot, places[0]) && !recent.contains(bot, places[1]));
        assert!(!recent.contains(UserId(6), places[0]), "another bot's");
        recent.forget(bot, places[1]);
        assert!(recent.contains(bot, places[0]));
        recent.forget(bot, places[0]);
        assert!(!recent.contains(bot, places[0]));
    }
}
