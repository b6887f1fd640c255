//! Sending as a bot: the destination's rules, idempotency, the send limits, and the message itself.

mod budget;
mod recent;

use std::sync::Arc;

use budget::Budget;
pub use budget::installation_budget;
pub use recent::RecentKeys;

use super::{
    Stamp, World,
    access::{BotCaller, Named, standing, writable},
    refuse,
};
use crate::{
    domain::{
        conversation::{ConversationKind, MessageType},
        ids::{ConversationId, MessageId, UserId},
        json::Fingerprint,
        message::{KEY_LIFE, key_hash},
        people::UserState,
        refusal::{Code, Refusal},
        time::Timestamp,
    },
    platform::{
        limits::Standing,
        metrics::{IDEMPOTENT_REPLAYS, MESSAGES_SENT},
    },
    store::{
        Error, Op, Result, Sql, StoreError,
        conversations::{self, Conversation},
        keys::{self, Claim, Hash},
        messages::{self, Extras, Message},
        users,
    },
};

/// Where a message goes, as the request names it. An id that is not of the asked kind is `None` and misses
/// like an unknown one (B-151).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Destination {
    User(Option<UserId>),
    Conversation(Option<Named>),
}

/// A valid request to send; sizes and shapes were checked.
#[derive(Clone, Debug)]
pub struct Draft {
    pub key: String,
    /// Of the whole body (D-048).
    pub fingerprint: Fingerprint,
    pub to: Destination,
    pub text: String,
    /// JSON text.
    pub blocks: Option<String>,
    /// JSON text.
    pub metadata: Option<String>,
    /// `Some(None)` when the value is no message id at all.
    pub thread: Option<Option<(bool, MessageId)>>,
}

/// A message as the send response shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sent {
    pub id: MessageId,
    pub conversation_id: ConversationId,
    pub kind: ConversationKind,
    pub thread_id: Option<MessageId>,
    pub created_at: Timestamp,
    /// The key was remembered: nothing was posted (D-054).
    pub replayed: bool,
}

/// How a send ended.
#[derive(Debug)]
pub struct Outcome {
    /// The message, or why there is none.
    pub sent: Result<Sent>,
    /// What is left of the installation's and the destination's limit; empty when neither was asked: a repeat, or a
    /// refusal for another reason.
    pub limits: Vec<Standing>,
}

impl World {
    /// Sends a message, or answers a repeat of one.
    ///
    /// The outcome's errors: `token_revoked` and `idempotency_key_reused`; then those of the destination: `user_not_found`,
    /// `cannot_dm_user`, `user_deactivated`, `conversation_not_found`, `not_in_conversation`,
    /// `not_allowed_in_conversation`, `conversation_archived`; then `invalid_request` for the thread; then
    /// `rate_limited` (B-064).
    pub async fn send(&self, bot: BotCaller, draft: Draft) -> Outcome {
        let at = self.stamp();
        let replay = Replay::new(&bot, &draft, at.now);
        let looked_for = self.recent_keys.note(replay.bot, &replay.key_hash);
        if looked_for && let Some(sent) = self.db.read(replay.clone()).await.transpose() {
            count(&sent);
            return Outcome { sent, limits: Vec::new() };
        }
        let budget = Arc::new(Budget::new(Arc::clone(&self.limits), self.clock.clone()));
        let ids = at.id().and_then(|message| Ok((MessageId(message), ConversationId(at.id()?))));
        let mut sent = match ids {
            Ok((message_id, direct_id)) => {
                let (replay, budget) = (replay.clone(), Arc::clone(&budget));
                self.db
                    .write(Send { at, bot, draft, replay, looked_for, message_id, direct_id, budget })
                    .await
            }
            Err(error) => Err(error),
        };
        // a repeat needs no write: where nothing can be written, it is answered all the same
        if !looked_for && matches!(sent, Err(Error::Store(StoreError::Unavailable(_)))) {
            match self.db.read(replay).await.transpose() {
                Some(found @ (Ok(_) | Err(Error::Refused(_)))) => sent = found,
                None | Some(Err(Error::Store(_))) => {}
            }
        }
        if !sent.as_ref().is_ok_and(|sent| !sent.replayed) {
            budget.give_back().await;
        }
        count(&sent);
        Outcome { sent, limits: budget.left() }
    }
}

fn count(sent: &Result<Sent>) {
    match sent {
        Ok(sent) if sent.replayed => {
            metrics::counter!(IDEMPOTENT_REPLAYS, "operation" => Send::NAME).increment(1);
        }
        Ok(sent) => {
            let destination = sent.kind.name();
            metrics::counter!(MESSAGES_SENT, "sender" => "bot", "destination" => destination).increment(1);
        }
        Err(_) => {}
    }
}

/// Looks for the message that a key stands for.
#[derive(Clone, Debug)]
struct Replay {
    bot: UserId,
    key_hash: Hash,
    fingerprint: Fingerprint,
    to: Destination,
    /// Keys claimed up to here are forgotten outside their conversation (B-421).
    cutoff: Timestamp,
}

impl Replay {
    fn new(bot: &BotCaller, draft: &Draft, now: Timestamp) -> Self {
        Self {
            bot: bot.user_id,
            key_hash: key_hash(&draft.key),
            fingerprint: draft.fingerprint,
            to: draft.to,
            cutoff: now - KEY_LIFE,
        }
    }

    /// The original answer, or `idempotency_key_reused`; `None` when the bot never used the key here.
    async fn find<C: Sql>(&self, c: &mut C) -> Result<Option<Sent>> {
        let used = keys::live_send(c, self.bot, &self.key_hash, self.cutoff).await?;
        if let Some(used) = &used
            && used.fingerprint == self.fingerprint
        {
            return self.answer(c, used.conversation_id, used.message_id).await.map(Some);
        }
        // a destination remembers for good, whatever else the key was used for since (B-196, B-201)
        match self.held(c).await? {
            None if used.is_some() => refuse(Code::IdempotencyKeyReused),
            found => Ok(found),
        }
    }

    /// The answer of the bot's own message that holds the key in the destination.
    async fn held<C: Sql>(&self, c: &mut C) -> Result<Option<Sent>> {
        for conversation in self.conversations(c).await? {
            let held = keys::of_message(c, conversation, &self.key_hash).await?;
            if let Some(held) = held.filter(|held| held.sender_id == Some(self.bot)) {
                if held.fingerprint.as_deref() != Some(&self.fingerprint[..]) {
                    return refuse(Code::IdempotencyKeyReused);
                }
                return self.answer(c, conversation, held.message_id).await.map(Some);
            }
        }
        Ok(None)
    }

    /// The conversations that the destination has, without asking whether the bot may post there. The same person is
    /// the same destination (D-193), also after an operator deleted what the two had written.
    async fn conversations<C: Sql>(&self, c: &mut C) -> Result<Vec<ConversationId>> {
        match self.to {
            Destination::Conversation(named) => Ok(named.map(|(_, id)| id).into_iter().collect()),
            Destination::User(Some(user)) => conversations::directs(c, self.bot, user).await,
            Destination::User(None) => Ok(Vec::new()),
        }
    }

    /// What was answered to a send, unless its message was changed since.
    async fn answer<C: Sql>(&self, c: &mut C, conversation: ConversationId, id: MessageId) -> Result<Sent> {
        let Some(message) = messages::in_conversation(c, conversation, id).await? else {
            return refuse(Code::IdempotencyKeyReused); // deleted since (B-198, B-200)
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

impl Op for Replay {
    const NAME: &'static str = "find_replay";
    type Out = Option<Sent>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        self.find(c).await
    }
}

struct Send {
    at: Stamp,
    bot: BotCaller,
    draft: Draft,
    replay: Replay,
    /// No message held the key a moment ago.
    looked_for: bool,
    message_id: MessageId,
    /// The id of the direct-message conversation, should this be its first message.
    direct_id: ConversationId,
    budget: Arc<Budget>,
}

impl Op for Send {
    const NAME: &'static str = "send_message";
    type Out = Sent;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Sent> {
        self.bot.hold(c).await?;
        if !self.looked_for
            && let Some(sent) = self.replay.find(c).await?
        {
            return Ok(sent);
        }
        let Place { conversation, kind, floor } = match self.destination(c).await {
            Ok(found) => found,
            // a repeat is answered whatever became of the destination (B-076), also one that came in between
            Err(Error::Refused(refusal)) => {
                return self.replay.find(c).await?.ok_or(Error::Refused(refusal));
            }
            Err(error) => return Err(error),
        };
        let message_id = self.at.message_id(self.message_id, floor)?;
        let claim = Claim {
            conversation_id: conversation,
            sender_id: self.bot.user_id,
            message_id,
            key_hash: self.replay.key_hash,
            fingerprint: Some(self.draft.fingerprint),
            now: self.at.now,
        };
        // the key first: a second request with it waits here for this one (B-204, B-205)
        if !keys::claim_send(c, &claim, &self.draft.fingerprint, self.replay.cutoff).await? {
            return match self.replay.find(c).await? {
                Some(sent) => Ok(sent),
                None => refuse(Code::IdempotencyKeyReused),
            };
        }
        if !keys::claim_message(c, &claim).await? {
            return refuse(Code::IdempotencyKeyReused); // held by a message the app did not send (B-202)
        }
        let thread_id = self.thread(c, conversation, kind).await?;
        // last, so that refused and repeated sends take nothing (B-416, B-417)
        self.budget.take(&self.bot, conversation).await?;
        let message = Message {
            conversation_id: conversation,
            id: message_id,
            sender_id: Some(self.bot.user_id),
            kind: MessageType::Text,
            text: Some(self.draft.text.clone()),
            thread_id,
            file_count: 0,
            via_label: None,
            client_key: Some(self.draft.key.clone()),
            edited_at: None,
            created_at: self.at.now,
        };
        messages::insert(c, &message).await?;
        if self.draft.blocks.is_some() || self.draft.metadata.is_some() {
            let extras = Extras { blocks: self.draft.blocks.clone(), metadata: self.draft.metadata.clone() };
            messages::put_extras(c, message.id, &extras).await?;
        }
        Ok(Sent {
            id: message.id,
            conversation_id: conversation,
            kind,
            thread_id,
            created_at: message.created_at,
            replayed: false,
        })
    }
}

/// Where a message goes, found and open to the bot.
struct Place {
    conversation: ConversationId,
    kind: ConversationKind,
    /// New messages have no id below it.
    floor: MessageId,
}

impl Send {
    async fn destination<C: Sql>(&self, c: &mut C) -> Result<Place> {
        match self.draft.to {
            Destination::Conversation(Some(id)) => {
                let Conversation { id, kind, floor_id, .. } = writable(c, &self.bot, id).await?;
                Ok(Place { conversation: id, kind, floor: floor_id })
            }
            Destination::Conversation(None) => refuse(Code::ConversationNotFound),
            Destination::User(Some(id)) => {
                let conversation = self.direct(c, id).await?;
                // its two members are in it from its first message on
                Ok(Place { conversation, kind: ConversationKind::Dm, floor: MessageId(0) })
            }
            Destination::User(None) => refuse(Code::UserNotFound),
        }
    }

    /// The one conversation of bot and person (B-119), made with its first message.
    async fn direct<C: Sql>(&self, c: &mut C, person: UserId) -> Result<ConversationId> {
        let Some(user) = users::by_id(c, person).await?.filter(|u| u.workspace_id == self.bot.workspace_id)
        else {
            return refuse(Code::UserNotFound);
        };
        let blocked = users::has_blocked(c, person, self.bot.app_id).await?;
        if let Some(code) = standing(&user).dm_refusal(blocked) {
            return refuse(code);
        }
        if let Some(id) = conversations::hold_direct(c, self.bot.user_id, person).await? {
            return Ok(id);
        }
        let id = self.direct_id;
        if !conversations::claim_pair(c, self.bot.user_id, person, id).await? {
            // made by another request in between
            return match conversations::hold_direct(c, self.bot.user_id, person).await? {
                Some(id) => Ok(id),
                None => refuse(Code::UserNotFound),
            };
        }
        let conversation = Conversation {
            id,
            workspace_id: self.bot.workspace_id,
            kind: ConversationKind::Dm,
            parent_id: None,
            name: None,
            topic: None,
            is_private: true,
            announcement_only: false,
            archived_at: None,
            deleted_at: None,
            active_members: 0,
            created_at: self.at.now,
            floor_id: MessageId(0),
        };
        conversations::insert(c, &conversation).await?;
        let counts = user.state == UserState::Active;
        conversations::join(c, id, person, counts, self.at.now, MessageId(0)).await?;
        conversations::join(c, id, self.bot.user_id, false, self.at.now, MessageId(0)).await?;
        Ok(id)
    }

    async fn thread<C: Sql>(
        &self,
        c: &mut C,
        conversation: ConversationId,
        kind: ConversationKind,
    ) -> Result<Option<MessageId>> {
        let Some(thread) = self.draft.thread else { return Ok(None) };
        if let Some((in_dm, id)) = thread
            && in_dm == kind.is_dm()
            && messages::in_conversation(c, conversation, id).await?.is_some()
        {
            return Ok(Some(id));
        }
        Err(Refusal::because(Code::InvalidRequest, "thread_id is not a message in the destination").into())
    }
}
