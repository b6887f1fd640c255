//! Sending as a bot: destination rules, idempotency, rate limits, and storing the message.

mod group_commit;
mod recent;
mod refused;
mod replay;
mod tokens;

use std::sync::Arc;

pub use group_commit::GroupCommit;
pub use recent::RecentKeys;
pub use refused::RecentRefusals;
use refused::is_rejected_by_conversation;
use replay::Replay;
use tokens::SendTokens;

use crate::service::{
    Stamp,
    bot::access::{Bot, BotCaller, PrefixedConversationId, may_write},
    callers::confirm::Revocable,
    refuse,
};
use crate::{
    domain::{
        conversation::{ConversationKind, MessageType},
        ids::{ConversationId, MessageId, UserId},
        json_fingerprint::Fingerprint,
        people::UserState,
        refusal::{Code, Refusal},
        time::Timestamp,
    },
    platform::{
        limits::LimitStatus,
        metrics::{IDEMPOTENT_REPLAYS, MESSAGES_SENT},
    },
    store::{
        Error, LockKey, Locks, Op, ReadSql, Result, Sql, StoreError,
        bot_send::{self, Addressee, Channel, StoreOutcome},
        conversations::{self, Conversation},
        keys::{self, KeyClaim},
        messages::{Extras, Message},
        users,
    },
};

/// The destination that a request names. `User(None)` stands for text that is not a user id, and `Conversation(None)`
/// for text that is not a conversation id. Such text is handled like an unknown id (B-151).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Destination {
    User(Option<UserId>),
    Conversation(Option<PrefixedConversationId>),
}

/// A send request whose size and structure are valid.
#[derive(Clone, Debug)]
pub struct BotMessageRequest {
    /// The idempotency key.
    pub key: String,
    /// Fingerprint of the whole request body (D-048).
    pub fingerprint: Fingerprint,
    pub to: Destination,
    pub text: String,
    /// Blocks as JSON text.
    pub blocks: Option<String>,
    /// Metadata as JSON text.
    pub metadata: Option<String>,
    /// The message to reply to; `Some(None)` for text that is not a message id. The boolean is whether the message id
    /// has the prefix of direct conversations (`dmsg_`).
    pub thread: Option<Option<(bool, MessageId)>>,
}

impl BotMessageRequest {
    /// Returns the size of the message's text, blocks and metadata in bytes.
    fn bytes(&self) -> usize {
        let json = [&self.blocks, &self.metadata].into_iter().flatten().map(String::len);
        self.text.len() + json.sum::<usize>()
    }
}

/// A message as returned by a send.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sent {
    pub id: MessageId,
    pub conversation_id: ConversationId,
    pub kind: ConversationKind,
    pub thread_id: Option<MessageId>,
    pub created_at: Timestamp,
    /// Whether the request was a replay, for which nothing was posted (D-054).
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

/// Result of a send.
#[derive(Debug)]
pub struct SendOutcome {
    /// The message, or the error.
    pub sent: Result<Sent>,
    /// The state of the rate limits of the installation and the destination after the send. Empty if no limit was
    /// checked, as for most replays and rejections.
    pub limits: Vec<LimitStatus>,
}

impl Bot {
    /// Sends a message, or returns the original response if the request is a replay.
    ///
    /// [`SendOutcome::sent`] has these errors, in this order (B-064):
    ///
    /// - `token_revoked` and `idempotency_key_reused`.
    /// - Errors of the destination: `user_not_found`, `cannot_dm_user`, `user_deactivated`, `conversation_not_found`,
    ///   `not_in_conversation`, `not_allowed_in_conversation`, `conversation_archived`.
    /// - `invalid_request` for the thread.
    /// - `rate_limited`.
    pub async fn send(&self, request: BotMessageRequest) -> SendOutcome {
        let (world, bot) = (&self.world, self.caller);
        let stamp = world.stamp();
        let replay = Replay::new(&bot, &request, stamp.now);
        let replay_checked = world.recent_keys.note(replay.bot, &replay.key_hash);
        if replay_checked && let Some(sent) = world.db.read(replay.clone()).await.transpose() {
            count(&sent);
            return SendOutcome { sent, limits: Vec::new() };
        }
        let tokens = SendTokens::new(Arc::clone(&world.limits), world.clock.clone(), self.arrived);
        let tokens = Arc::new(tokens);
        let send = Arc::new(SendMessage {
            stamp,
            bot,
            request,
            replay: replay.clone(),
            tokens: Arc::clone(&tokens),
        });
        if let Some(sent) = world.check_refused_before(&send).await.transpose() {
            count(&sent);
            return SendOutcome { sent, limits: Vec::new() };
        }
        let conversation = send.conversation();
        let mut sent = match world.sends.send(&world.db, &world.clock, &send).await {
            Some(sent) => sent,
            None => world.db.write(send).await,
        };
        if let (Some(conversation), true) = (conversation, is_rejected_by_conversation(&sent)) {
            world.refused_sends.note(bot.user_id, conversation);
        }
        if !replay_checked && may_be_replay(&sent) {
            match world.db.read(replay).await.transpose() {
                // If the write and the look-up both fail with a store error, the error of the write is returned. If the
                // write was rejected, the error of the look-up is returned: without the look-up, the server does not
                // know whether the send is a replay.
                Some(Err(Error::Store(_))) if matches!(sent, Err(Error::Store(_))) => {}
                Some(found) => sent = found,
                None => {}
            }
        }
        if !sent.as_ref().is_ok_and(|sent| !sent.replayed) {
            tokens.return_tokens().await;
        }
        count(&sent);
        SendOutcome { sent, limits: tokens.left() }
    }
}

/// Returns whether a send that failed in its transaction may still be a replay. This is possible in two cases:
///
/// - The key belongs to an earlier message of the conversation. The transaction has not checked the message's sender,
///   and the bot itself may have sent the message more than a day ago.
/// - The database could not be written. A look-up of the original response only reads, so it may still succeed.
fn may_be_replay(sent: &Result<Sent>) -> bool {
    match sent {
        Err(Error::Refused(refusal)) => refusal.code == Code::IdempotencyKeyReused,
        Err(Error::Store(StoreError::Unavailable(_))) => true,
        Ok(_) | Err(Error::Store(_)) => false,
    }
}

/// Counts a stored message or a replay in the metrics.
fn count(sent: &Result<Sent>) {
    match sent {
        Ok(sent) if sent.replayed => {
            metrics::counter!(IDEMPOTENT_REPLAYS, "operation" => Arc::<SendMessage>::NAME).increment(1);
        }
        Ok(sent) => {
            let destination = sent.kind.name();
            metrics::counter!(MESSAGES_SENT, "sender" => "bot", "destination" => destination).increment(1);
        }
        Err(_) => {}
    }
}

struct SendMessage {
    stamp: Stamp,
    bot: BotCaller,
    request: BotMessageRequest,
    replay: Replay,
    tokens: Arc<SendTokens>,
}

impl Op for Arc<SendMessage> {
    const NAME: &'static str = "send_message";
    type Out = Sent;

    fn locks(&self) -> Locks {
        SendMessage::locks(self)
    }

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Sent> {
        SendMessage::run(self, c).await
    }
}

impl SendMessage {
    /// Returns the locks of the send. The shared locks are those of the installation, the app and, for a direct
    /// message, the recipient. The exclusive lock is that of the conversation or, for a direct message, of the pair of
    /// users. If the id of the destination is invalid, the send has no exclusive lock.
    fn locks(&self) -> Locks {
        let bot = self.bot.locks();
        match self.request.to {
            Destination::User(Some(person)) => Locks::shared(bot.into_iter().chain([LockKey::user(person)]))
                .and_exclusive(LockKey::pair(self.bot.user_id, person)),
            Destination::Conversation(Some((_, id))) => {
                Locks::shared(bot).and_exclusive(LockKey::conversation(self.bot.workspace_id, id))
            }
            Destination::User(None) | Destination::Conversation(None) => Locks::shared(bot),
        }
    }

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Sent> {
        let destination = match self.destination(c).await {
            Ok(destination) => destination,
            // a disconnected installation gets no replays
            Err(Error::Refused(refusal)) if refusal.code != Code::TokenRevoked => {
                return self.replay_or_refuse_destination(c, refusal).await;
            }
            Err(error) => return Err(error),
        };
        // `bot_send::store` checks the bot's keys of the last day, and the keys of the existing conversation. It does
        // not check the keys of deleted direct conversations with the person, so these are looked up here. The look-up
        // also comes before a direct conversation is created, so that a replay or a rejected key creates none.
        if (destination.conversation.is_none() || destination.has_former)
            && let Some(sent) = self.replay.find(c).await?
        {
            return Ok(sent);
        }
        let conversation = match destination.conversation {
            Some(id) => id,
            None => self.create_direct(c).await?,
        };
        if self.request.thread.is_some() && !destination.has_thread {
            let why = "thread_id is not a message in the destination";
            let refusal = Refusal::because(Code::InvalidRequest, why);
            return self.replay_or_refuse(c, Some(conversation), refusal).await;
        }
        let message = self.message(&destination, conversation)?;
        let claim = self.claim(&message);
        let (extras, cutoff) = (self.extras(), self.replay.cutoff);
        // a concurrent request with the same key waits here (B-204, B-205)
        match bot_send::store(c, &claim, &self.request.fingerprint, cutoff, &message, &extras).await? {
            StoreOutcome::New => {
                // The tokens of the rate limits are taken last, so that rejected and replayed sends do not count
                // against the limits (B-416, B-417). If a limit rejects the send, the inserted rows are rolled back.
                self.tokens.take(&self.bot, conversation).await?;
                Ok(Sent::new(&message, destination.kind))
            }
            StoreOutcome::KeyUsed => match self.replay.find(c).await? {
                Some(sent) => Ok(sent),
                None => refuse(Code::IdempotencyKeyReused),
            },
            StoreOutcome::KeyInConversation => Err(key_conflict().into()),
        }
    }
}

/// Returns the rejection for a key that belongs to another sender's message in the conversation (B-202).
fn key_conflict() -> Refusal {
    let why = "the key belongs to a message of this conversation that the app did not send";
    Refusal::because(Code::IdempotencyKeyReused, why)
}

/// A destination that accepts messages of the bot.
struct OpenDestination {
    /// `None` if bot and person have no direct conversation yet.
    conversation: Option<ConversationId>,
    kind: ConversationKind,
    /// Lower bound for ids of new messages.
    floor: MessageId,
    /// Whether the message to reply to is in the conversation.
    has_thread: bool,
    /// Whether an earlier direct conversation of bot and person was deleted. A key that was used in the deleted
    /// conversation still identifies a replay (B-196).
    has_former: bool,
}

impl SendMessage {
    /// Returns the group or channel that the request names; `None` for a person and for an invalid id.
    fn conversation(&self) -> Option<ConversationId> {
        match self.request.to {
            Destination::Conversation(Some((_, id))) => Some(id),
            Destination::Conversation(None) | Destination::User(_) => None,
        }
    }

    /// Returns the message to reply to, if the request has one and the prefix of its id matches `in_dm`. `in_dm` is
    /// whether the destination is a direct conversation.
    fn thread(&self, in_dm: bool) -> Option<MessageId> {
        self.request.thread.flatten().filter(|(thread_in_dm, _)| *thread_in_dm == in_dm).map(|(_, id)| id)
    }

    /// Returns the destination of the send.
    ///
    /// # Errors
    /// `token_revoked`, and the errors of the destination ([`Bot::send`]).
    async fn destination<C: ReadSql>(&self, c: &mut C) -> Result<OpenDestination> {
        match self.request.to {
            Destination::Conversation(Some((kind, id))) => {
                let thread = self.thread(false);
                self.in_channel(kind, id, bot_send::channel(c, self.bot.installation_id, id, thread).await?)
            }
            Destination::User(Some(id)) => {
                let (bot, thread) = (&self.bot, self.thread(true));
                let found = bot_send::addressee(c, bot.installation_id, bot.user_id, id, thread).await?;
                self.direct(found)
            }
            Destination::Conversation(None) => self.refuse_missing(c, Code::ConversationNotFound).await,
            Destination::User(None) => self.refuse_missing(c, Code::UserNotFound).await,
        }
    }

    /// Rejects a destination whose id is invalid: with `token_revoked` if the installation is disconnected, otherwise
    /// with `missing`.
    async fn refuse_missing<C: ReadSql>(&self, c: &mut C, missing: Code) -> Result<OpenDestination> {
        self.bot.confirm(c).await?;
        refuse(missing)
    }

    /// Checks that a group or channel accepts messages of the bot, in the order of B-079.
    fn in_channel(
        &self,
        kind: ConversationKind,
        id: ConversationId,
        found: Option<Channel>,
    ) -> Result<OpenDestination> {
        let Some(found) = found.filter(|found| found.connected) else { return refuse(Code::TokenRevoked) };
        may_write(&self.bot, kind, &found)?;
        let Channel { floor, has_thread, .. } = found;
        Ok(OpenDestination { conversation: Some(id), kind, floor, has_thread, has_former: false })
    }

    /// Checks that a person accepts messages of the bot, in the order of B-080.
    fn direct(&self, found: Option<Addressee>) -> Result<OpenDestination> {
        let Some(found) = found.filter(|found| found.connected) else { return refuse(Code::TokenRevoked) };
        let visibility = found.visibility().filter(|_| found.workspace_id == Some(self.bot.workspace_id));
        let Some(visibility) = visibility else { return refuse(Code::UserNotFound) };
        if let Some(code) = visibility.dm_refusal(found.has_blocked) {
            return refuse(code);
        }
        let Addressee { conversation_id: conversation, floor, has_thread, has_former, .. } = found;
        Ok(OpenDestination { conversation, kind: ConversationKind::Dm, floor, has_thread, has_former })
    }

    /// Creates the direct conversation of bot and person, which contains all direct messages of the bot to the person
    /// (B-119). The lock of the pair prevents a concurrent creation.
    async fn create_direct<C: Sql>(&self, c: &mut C) -> Result<ConversationId> {
        let Destination::User(Some(person)) = self.request.to else {
            return refuse(Code::ConversationNotFound);
        };
        let id = ConversationId(self.stamp.id()?);
        if !conversations::claim_pair(c, self.bot.workspace_id, (self.bot.user_id, person), id).await? {
            return Err(StoreError::bug("the direct conversation of a locked pair already exists").into());
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
            created_at: self.stamp.now,
            floor_id: MessageId(0),
        };
        conversations::insert(c, &conversation).await?;
        // the boolean is whether `join` counts the user as an active member; bots are never counted
        let is_counted = users::by_id(c, person).await?.is_some_and(|user| user.state == UserState::Active);
        let members = [(person, is_counted), (self.bot.user_id, false)];
        conversations::join(c, id, &members, self.stamp.now, MessageId(0)).await?;
        Ok(id)
    }

    fn message(&self, destination: &OpenDestination, conversation: ConversationId) -> Result<Message> {
        Ok(Message {
            workspace_id: self.bot.workspace_id,
            conversation_id: conversation,
            id: self.stamp.message_id(destination.floor)?,
            sender_id: Some(self.bot.user_id),
            kind: MessageType::Text,
            text: Some(self.request.text.clone()),
            thread_id: self.thread(destination.kind.is_dm()),
            file_count: 0,
            via_label: None,
            client_key: Some(self.request.key.clone()),
            edited_at: None,
            created_at: self.stamp.now,
        })
    }

    fn claim(&self, message: &Message) -> KeyClaim {
        KeyClaim {
            workspace_id: message.workspace_id,
            conversation_id: message.conversation_id,
            sender_id: self.bot.user_id,
            message_id: message.id,
            key_hash: self.replay.key_hash,
            fingerprint: Some(self.request.fingerprint),
            now: self.stamp.now,
        }
    }

    fn extras(&self) -> Extras {
        Extras { blocks: self.request.blocks.clone(), metadata: self.request.metadata.clone() }
    }

    /// Returns the original response if the send is a replay, even if the destination no longer accepts messages
    /// (B-076). Rejects the send with `idempotency_key_reused` in two cases (B-064):
    ///
    /// - The bot used the key for another request, or the message that was sent with the key was edited or deleted
    ///   ([`Replay::find`], B-077).
    /// - The key belongs to another sender's message in the conversation, and the bot is a member (B-202). To a bot
    ///   that is not a member, this rejection would disclose which keys exist.
    ///
    /// In all other cases rejects the send with `refusal`, the rejection of the destination.
    async fn replay_or_refuse_destination<C: ReadSql>(&self, c: &mut C, refusal: Refusal) -> Result<Sent> {
        let conversation = match (refusal.code, self.request.to) {
            (
                Code::NotAllowedInConversation | Code::ConversationArchived,
                Destination::Conversation(Some((_, id))),
            ) => Some(id),
            (Code::CannotDmUser | Code::UserDeactivated, Destination::User(Some(person))) => {
                conversations::direct(c, self.bot.user_id, person).await?
            }
            _ => None,
        };
        self.replay_or_refuse(c, conversation, refusal).await
    }

    /// Returns the original response if the send is a replay. Rejects the send with `idempotency_key_reused` for
    /// the reasons of [`Replay::find`], or if the key belongs to another sender's message in `conversation`. In all
    /// other cases rejects the send with `refusal`.
    async fn replay_or_refuse<C: ReadSql>(
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
            return Err(key_conflict().into());
        }
        Err(refusal.into())
    }
}
