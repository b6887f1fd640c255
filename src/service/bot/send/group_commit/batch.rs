//! The transaction that concurrent sends share on PostgreSQL.

use std::{collections::HashSet, sync::Arc};

use crate::{
    service::bot::send::{Destination, OpenDestination, SendMessage, Sent},
    store::{
        LockKey, Locks, Op, Result, Sql,
        bot_send_batch::{self, SendFacts, SendLookup},
    },
};

/// The outcome of a send in a shared transaction.
pub(super) enum GroupedSendOutcome {
    /// The send was stored or rejected.
    Answered(Result<Sent>),
    /// Nothing was written, because one of the send's locks was not free.
    Locked,
    /// Nothing was written. The send needs a transaction of its own, for example because its idempotency key is already
    /// in use.
    Alone,
}

/// Sends that share one transaction. The transaction returns one outcome for each send, in the order of the sends.
pub(super) struct SendBatch {
    sends: Vec<Arc<SendMessage>>,
    /// Whether the transaction waits for its locks. If it does, all sends are to the same conversation.
    waits: bool,
}

impl SendBatch {
    /// Creates a transaction that writes only the sends whose locks are free.
    pub(super) const fn if_free(sends: Vec<Arc<SendMessage>>) -> Self {
        Self { sends, waits: false }
    }

    /// Creates a transaction that waits for the lock of one conversation and writes sends to that conversation.
    pub(super) const fn when_free(sends: Vec<Arc<SendMessage>>) -> Self {
        Self { sends, waits: true }
    }
}

impl Op for SendBatch {
    const NAME: &'static str = "send_messages";
    type Out = Vec<GroupedSendOutcome>;

    fn locks(&self) -> Locks {
        let mut locks = Locks::if_free(self.sends.iter().map(Op::locks));
        if self.waits {
            locks.if_free = false;
            // All sends have the same exclusive lock, which is listed once for each of them. If a write has only one
            // exclusive lock, it waits for this lock without occupying a database connection.
            locks.exclusive.dedup();
        }
        locks
    }

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let mut outcomes: Self::Out = self.sends.iter().map(|send| self.initial_outcome(c, send)).collect();
        let mut written = Vec::new();
        let mut responses = Vec::new();
        for (index, destination) in self.destinations(c, &outcomes).await? {
            let send = &self.sends[index];
            // a send that creates a direct conversation gets a transaction of its own
            let Some(conversation) = destination.conversation else { continue };
            // The key is free, so the send is not a replay, and a rejection by a rate limit is its final outcome
            // (B-416, B-417).
            if let Err(refused) = send.tokens.take(&send.bot, conversation).await {
                outcomes[index] = GroupedSendOutcome::Answered(Err(refused));
                continue;
            }
            let message = match send.message(&destination, conversation) {
                Ok(message) => message,
                Err(error) => {
                    outcomes[index] = GroupedSendOutcome::Answered(Err(error));
                    continue;
                }
            };
            responses.push((index, Sent::new(&message, destination.kind)));
            written.push(bot_send_batch::BatchedSend {
                claim: send.claim(&message),
                fingerprint: send.request.fingerprint,
                cutoff: send.replay.cutoff,
                message,
                extras: send.extras(),
            });
        }
        if !written.is_empty() {
            let stored: HashSet<_> = bot_send_batch::store(c, &written).await?.into_iter().collect();
            for (index, sent) in responses {
                if stored.contains(&sent.id) {
                    outcomes[index] = GroupedSendOutcome::Answered(Ok(sent));
                } else {
                    // A concurrent send has used the key, so this send gets a transaction of its own, which takes
                    // rate-limit tokens again if it needs them.
                    self.sends[index].tokens.return_tokens().await;
                }
            }
        }
        Ok(outcomes)
    }
}

impl SendBatch {
    /// Returns the outcome of a send before its destination is read. If the transaction lacks one of the send's locks,
    /// the outcome is `Locked`. If it holds all of them, the outcome is `Alone`, until the send is stored or rejected.
    fn initial_outcome<C: Sql>(&self, c: &C, send: &SendMessage) -> GroupedSendOutcome {
        let locks = send.locks();
        let is_held = |key: &LockKey| self.waits || c.holds(*key);
        if locks.shared.iter().chain(&locks.exclusive).all(is_held) {
            GroupedSendOutcome::Alone
        } else {
            GroupedSendOutcome::Locked
        }
    }

    /// Returns, in the order of the sends, the index and the destination of each send that meets these conditions:
    ///
    /// - The transaction holds the locks of the send.
    /// - The idempotency key is free.
    /// - The destination accepts the message, and the message to reply to exists.
    /// - For a send to a person, no direct conversation of the bot and the person was deleted. The key may belong to a
    ///   deleted conversation, and keys of deleted conversations are not looked up here.
    ///
    /// If the bot has no direct conversation with the addressed person yet, the `conversation` of the destination is
    /// `None`.
    async fn destinations<C: Sql>(
        &self,
        c: &mut C,
        outcomes: &[GroupedSendOutcome],
    ) -> Result<Vec<(usize, OpenDestination)>> {
        let (mut channels, mut people) = (Vec::new(), Vec::new());
        for (index, send) in self.sends.iter().enumerate() {
            if matches!(outcomes[index], GroupedSendOutcome::Locked) {
                continue;
            }
            match send.request.to {
                Destination::Conversation(Some((kind, id))) => {
                    channels.push((index, (kind, id), send.lookup(id, false)));
                }
                Destination::User(Some(id)) => people.push((index, send.lookup(id, true))),
                Destination::Conversation(None) | Destination::User(None) => {}
            }
        }
        let mut destinations = Vec::new();
        if !channels.is_empty() {
            let lookups: Vec<_> = channels.iter().map(|(_, _, lookup)| *lookup).collect();
            for SendFacts { index: position, key_is_free, facts } in
                bot_send_batch::channels(c, &lookups).await?
            {
                let Some(&(index, (kind, id), _)) = channels.get(position) else { continue };
                destinations.push((index, key_is_free, self.sends[index].in_channel(kind, id, Some(facts))));
            }
        }
        if !people.is_empty() {
            let lookups: Vec<_> = people.iter().map(|(_, lookup)| *lookup).collect();
            for SendFacts { index: position, key_is_free, facts } in
                bot_send_batch::addressees(c, &lookups).await?
            {
                let Some(&(index, _)) = people.get(position) else { continue };
                destinations.push((index, key_is_free, self.sends[index].direct(Some(facts))));
            }
        }
        let mut open: Vec<(usize, OpenDestination)> = destinations
            .into_iter()
            .filter_map(|(index, key_is_free, destination)| {
                Some((index, destination.ok().filter(|_| key_is_free)?))
            })
            .filter(|(_, destination)| !destination.has_former)
            .filter(|(index, destination)| {
                destination.has_thread || self.sends[*index].request.thread.is_none()
            })
            .collect();
        open.sort_unstable_by_key(|(index, _)| *index);
        Ok(open)
    }
}

impl SendMessage {
    /// Returns the parameters for looking up the send's destination `to` and idempotency key. `in_dm` is whether the
    /// destination is a direct conversation.
    fn lookup<To>(&self, to: To, in_dm: bool) -> SendLookup<To> {
        SendLookup {
            installation: self.bot.installation_id,
            bot: self.bot.user_id,
            to,
            thread: self.thread(in_dm),
            key_hash: self.replay.key_hash,
            cutoff: self.replay.cutoff,
        }
    }
}
