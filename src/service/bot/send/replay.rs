//! Replays of sends: the original response, or the reason why there is none.

use super::{BotMessageRequest, Destination, Sent};
use crate::{
    domain::{
        ids::{ConversationId, MessageId, UserId},
        json_fingerprint::Fingerprint,
        message::{KEY_LIFE, key_hash},
        refusal::Code,
        time::Timestamp,
    },
    service::{bot::access::BotCaller, refuse},
    store::{
        ReadSql, Result, conversations,
        keys::{self, Hash},
        messages, op,
    },
};

/// The look-up of the message that a bot has already sent with an idempotency key.
#[derive(Clone, Debug)]
pub(super) struct Replay {
    pub(super) bot: UserId,
    pub(super) key_hash: Hash,
    fingerprint: Fingerprint,
    to: Destination,
    /// The time 24 hours ago. If the key was used at or before this time, a request with the key is a replay only if it
    /// has the same destination (B-421).
    pub(super) cutoff: Timestamp,
}

impl Replay {
    pub(super) fn new(bot: &BotCaller, request: &BotMessageRequest, now: Timestamp) -> Self {
        Self {
            bot: bot.user_id,
            key_hash: key_hash(&request.key),
            fingerprint: request.fingerprint,
            to: request.to,
            cutoff: now - KEY_LIFE,
        }
    }

    /// Returns the original response of a replay. Returns `None` if the bot has not used the key in the last day, and
    /// has never used it for this destination.
    ///
    /// # Errors
    /// `idempotency_key_reused` if the bot used the key for another request, or if the message that was sent with the
    /// key was edited or deleted.
    pub(super) async fn find<C: ReadSql>(&self, c: &mut C) -> Result<Option<Sent>> {
        let used = keys::live_send(c, self.bot, &self.key_hash, self.cutoff).await?;
        if let Some(used) = &used
            && used.fingerprint == self.fingerprint
        {
            return self.original_response(c, used.conversation_id, used.message_id).await.map(Some);
        }
        // a conversation keeps its keys forever, even if the bot later used the same key for another destination
        // (B-196, B-201)
        match self.find_in_destination(c).await? {
            None if used.is_some() => refuse(Code::IdempotencyKeyReused),
            found => Ok(found),
        }
    }

    /// Returns the original response if one of the bot's messages in the destination has the key, even if the key was
    /// used more than a day ago.
    ///
    /// # Errors
    /// Those of [`Replay::find`].
    async fn find_in_destination<C: ReadSql>(&self, c: &mut C) -> Result<Option<Sent>> {
        for conversation in self.conversations(c).await? {
            let found = keys::of_message(c, conversation, &self.key_hash).await?;
            if let Some(found) = found.filter(|found| found.sender_id == Some(self.bot)) {
                if found.fingerprint.as_deref() != Some(&self.fingerprint[..]) {
                    return refuse(Code::IdempotencyKeyReused);
                }
                return self.original_response(c, conversation, found.message_id).await.map(Some);
            }
        }
        Ok(None)
    }

    /// Returns the conversations of the destination, without checking whether the bot may post there. If the
    /// destination is a person, the deleted direct conversations with the person are included.
    async fn conversations<C: ReadSql>(&self, c: &mut C) -> Result<Vec<ConversationId>> {
        match self.to {
            Destination::Conversation(named) => Ok(named.map(|(_, id)| id).into_iter().collect()),
            Destination::User(Some(user)) => conversations::directs(c, self.bot, user).await,
            Destination::User(None) => Ok(Vec::new()),
        }
    }

    /// Returns the original response, or `idempotency_key_reused` if the message was edited or deleted after it was
    /// sent.
    async fn original_response<C: ReadSql>(
        &self,
        c: &mut C,
        conversation: ConversationId,
        id: MessageId,
    ) -> Result<Sent> {
        let Some(message) = messages::in_conversation(c, conversation, id).await? else {
            return refuse(Code::IdempotencyKeyReused); // the message was deleted (B-198, B-200)
        };
        if message.edited_at.is_some() {
            return refuse(Code::IdempotencyKeyReused);
        }
        let kind = conversations::kind(c, conversation).await?;
        Ok(Sent {
            id,
            conversation_id: conversation,
            kind,
            thread_id: message.thread_id,
            created_at: message.created_at,
            replayed: true,
        })
    }
}

op! { ReadOp "find_replay": Replay -> Option<Sent> = |op, c| op.find(c) }
