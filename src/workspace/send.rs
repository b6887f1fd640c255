//! Sending as a bot: the destination's rules, idempotency, the send limits, and the message itself.

mod budget;
mod recent;
mod refused;
mod together;

use std::sync::Arc;

use budget::Budget;
pub use budget::installation_budget;
pub use recent::RecentKeys;
pub use refused::RecentRefusals;
use refused::is_of_destination;
pub use together::Together;

use super::{
    Stamp, World,
    access::{BotCaller, Named, may_write},
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
        Error, LockKey, Locks, Op, Result, Sql, StoreError,
        conversations::{self, Conversation},
        destinations::{self, Addressee, Channel, Stored},
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

impl Sent {
    fn new(message: &Message, kind: ConversationKind) -> Self {
        Self {
            id: message.id,
            conversation_id: message.conversation_id,
            kind,
            thread_id: message.thread_id,
            created_at: message.created_at,
            replayed: false,
        }
    }
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
        let send = Arc::new(Send { at, bot, draft, replay: replay.clone(), budget: Arc::clone(&budget) });
        if let Some(sent) = self.refused_again(&send).await.transpose() {
            count(&sent);
            return Outcome { sent, limits: Vec::new() };
        }
        let place = send.conversation();
        let mut sent = match self.sends.send(&self.db, &self.clock, &send).await {
            Some(sent) => sent,
            None => self.db.write(send).await,
        };
        if let (Some(place), true) = (place, is_of_destination(&sent)) {
            self.refused_sends.note(bot.user_id, place);
        }
        if !looked_for && may_be_a_repeat(&sent) {
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

/// Whether a send that failed in its transaction may still have an answer: one whose key a message of the conversation
/// holds, which may be the bot's own of more than a day ago; and one that could not be written, which a repeat need
/// not be.
fn may_be_a_repeat(sent: &Result<Sent>) -> bool {
    match sent {
        Err(Error::Refused(refusal)) => refusal.code == Code::IdempotencyKeyReused,
        Err(Error::Store(StoreError::Unavailable(_))) => true,
        Ok(_) | Err(Error::Store(_)) => false,
    }
}

fn count(sent: &Result<Sent>) {
    match sent {
        Ok(sent) if sent.replayed => {
            metrics::counter!(IDEMPOTENT_REPLAYS, "operation" => Arc::<Send>::NAME).increment(1);
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
    budget: Arc<Budget>,
}

impl Op for Arc<Send> {
    const NAME: &'static str = "send_message";
    type Out = Sent;

    fn locks(&self) -> Locks {
        Send::locks(self)
    }

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Sent> {
        Send::run(self, c).await
    }
}

impl Send {
    /// Shared: the installation, and the person written to. Exclusive: the conversation, by the pair of its users when it
    /// is one of direct messages.
    fn locks(&self) -> Locks {
        let bot = self.bot.locks();
        match self.draft.to {
            Destination::User(Some(person)) => Locks::shared(bot.into_iter().chain([LockKey::user(person)]))
                .and_exclusive(LockKey::pair(self.bot.user_id, person)),
            Destination::Conversation(Some((_, id))) => {
                Locks::shared(bot).and_exclusive(LockKey::conversation(self.bot.workspace_id, id))
            }
            Destination::User(None) | Destination::Conversation(None) => Locks::shared(bot),
        }
    }

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Sent> {
        let place = match self.destination(c).await {
            Ok(place) => place,
            // for whoever is disconnected nothing is looked up any more
            Err(Error::Refused(refusal)) if refusal.code != Code::TokenRevoked => {
                return self.unless_repeated(c, None, refusal).await;
            }
            Err(error) => return Err(error),
        };
        let conversation = match place.conversation {
            Some(id) => id,
            None => match self.replay.find(c).await? {
                // what the two had before was deleted: a repeat begins nothing new
                Some(sent) => return Ok(sent),
                None => self.begin_direct(c).await?,
            },
        };
        if self.draft.thread.is_some() && !place.has_thread {
            let why = "thread_id is not a message in the destination";
            let refusal = Refusal::because(Code::InvalidRequest, why);
            return self.unless_repeated(c, Some(conversation), refusal).await;
        }
        let message = self.message(&place, conversation)?;
        let claim = self.claim(&message);
        let (extras, cutoff) = (self.extras(), self.replay.cutoff);
        // a second request with the key waits here for this one (B-204, B-205)
        match destinations::store(c, &claim, &self.draft.fingerprint, cutoff, &message, &extras).await? {
            Stored::New => {
                // last, so that refused and repeated sends take nothing (B-416, B-417); a refusal takes the rows back
                self.budget.take(&self.bot, conversation).await?;
                Ok(Sent::new(&message, place.kind))
            }
            Stored::KeyUsed => match self.replay.find(c).await? {
                Some(sent) => Ok(sent),
                None => refuse(Code::IdempotencyKeyReused),
            },
            Stored::KeyHeld => Err(key_held().into()),
        }
    }
}

/// The refusal of a key that another message of the conversation holds (B-202).
fn key_held() -> Refusal {
    let why = "a message that the app did not send holds the key in this conversation";
    Refusal::because(Code::IdempotencyKeyReused, why)
}

/// Where a message goes, found and open to the bot.
struct Place {
    /// `None` before the first message of bot and person.
    conversation: Option<ConversationId>,
    kind: ConversationKind,
    /// New messages have no id below it.
    floor: MessageId,
    /// Whether the message to reply to is there.
    has_thread: bool,
}

impl Send {
    /// The conversation that is written to, unless it is one of direct messages.
    fn conversation(&self) -> Option<ConversationId> {
        match self.draft.to {
            Destination::Conversation(Some((_, id))) => Some(id),
            Destination::Conversation(None) | Destination::User(_) => None,
        }
    }

    /// The message to reply to, when it is one of the destination's kind.
    fn wanted_thread(&self, in_dm: bool) -> Option<MessageId> {
        self.draft.thread.flatten().filter(|(thread_in_dm, _)| *thread_in_dm == in_dm).map(|(_, id)| id)
    }

    async fn destination<C: Sql>(&self, c: &mut C) -> Result<Place> {
        match self.draft.to {
            Destination::Conversation(Some((kind, id))) => {
                let thread = self.wanted_thread(false);
                self.in_channel(
                    kind,
                    id,
                    destinations::channel(c, self.bot.installation_id, id, thread).await?,
                )
            }
            Destination::User(Some(id)) => {
                let (bot, thread) = (&self.bot, self.wanted_thread(true));
                let found = destinations::addressee(c, bot.installation_id, bot.user_id, id, thread).await?;
                self.direct(found)
            }
            Destination::Conversation(None) => self.nowhere(c, Code::ConversationNotFound).await,
            Destination::User(None) => self.nowhere(c, Code::UserNotFound).await,
        }
    }

    /// Refuses a destination that is none.
    async fn nowhere<C: Sql>(&self, c: &mut C, missing: Code) -> Result<Place> {
        self.bot.check_connected(c).await?;
        refuse(missing)
    }

    /// A group or channel that takes messages of the bot.
    fn in_channel(
        &self,
        kind: ConversationKind,
        id: ConversationId,
        found: Option<Channel>,
    ) -> Result<Place> {
        let Some(found) = found.filter(|found| found.connected) else { return refuse(Code::TokenRevoked) };
        may_write(&self.bot, kind, &found)?;
        Ok(Place { conversation: Some(id), kind, floor: found.floor, has_thread: found.has_thread })
    }

    /// The one conversation of bot and person (B-119).
    fn direct(&self, found: Option<Addressee>) -> Result<Place> {
        let Some(found) = found.filter(|found| found.connected) else { return refuse(Code::TokenRevoked) };
        let standing = found.standing().filter(|_| found.workspace_id == Some(self.bot.workspace_id));
        let Some(standing) = standing else { return refuse(Code::UserNotFound) };
        if let Some(code) = standing.dm_refusal(found.has_blocked) {
            return refuse(code);
        }
        let (conversation, kind) = (found.conversation_id, ConversationKind::Dm);
        Ok(Place { conversation, kind, floor: found.floor, has_thread: found.has_thread })
    }

    /// Writes the conversation of bot and person, with its first message; nobody else does meanwhile, as their pair is
    /// locked.
    async fn begin_direct<C: Sql>(&self, c: &mut C) -> Result<ConversationId> {
        let Destination::User(Some(person)) = self.draft.to else {
            return refuse(Code::ConversationNotFound);
        };
        let id = ConversationId(self.at.id()?);
        if !conversations::claim_pair(c, self.bot.workspace_id, (self.bot.user_id, person), id).await? {
            return Err(StoreError::bug("the direct messages of a locked pair were begun elsewhere").into());
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
        // its two members are in it from its first message on
        let counts = users::by_id(c, person).await?.is_some_and(|user| user.state == UserState::Active);
        conversations::join(c, id, person, counts, self.at.now, MessageId(0)).await?;
        conversations::join(c, id, self.bot.user_id, false, self.at.now, MessageId(0)).await?;
        Ok(id)
    }

    fn message(&self, place: &Place, conversation: ConversationId) -> Result<Message> {
        Ok(Message {
            workspace_id: self.bot.workspace_id,
            conversation_id: conversation,
            id: self.at.message_id(place.floor)?,
            sender_id: Some(self.bot.user_id),
            kind: MessageType::Text,
            text: Some(self.draft.text.clone()),
            thread_id: self.wanted_thread(place.kind.is_dm()),
            file_count: 0,
            via_label: None,
            client_key: Some(self.draft.key.clone()),
            edited_at: None,
            created_at: self.at.now,
        })
    }

    fn claim(&self, message: &Message) -> Claim {
        Claim {
            workspace_id: message.workspace_id,
            conversation_id: message.conversation_id,
            sender_id: self.bot.user_id,
            message_id: message.id,
            key_hash: self.replay.key_hash,
            fingerprint: Some(self.draft.fingerprint),
            now: self.at.now,
        }
    }

    fn extras(&self) -> Extras {
        Extras { blocks: self.draft.blocks.clone(), metadata: self.draft.metadata.clone() }
    }

    /// Refuses a message, unless it repeats one: a repeat is answered whatever became of the destination (B-076). A key
    /// that is held comes before the other reasons.
    async fn unless_repeated<C: Sql>(
        &self,
        c: &mut C,
        conversation: Option<ConversationId>,
        refusal: Refusal,
    ) -> Result<Sent> {
        if let Some(sent) = self.replay.find(c).await? {
            return Ok(sent);
        }
        if let Some(conversation) = conversation
            && keys::of_message(c, conversation, &self.replay.key_hash).await?.is_some()
        {
            return Err(key_held().into());
        }
        Err(refusal.into())
    }
}
