//! Authenticated bots, and the conversations that they may read or write.

use std::sync::Arc;

use crate::{
    domain::{
        conversation::ConversationKind,
        ids::{AppId, ConversationId, InstallationId, MessageId, UserId, WorkspaceId},
        refusal::Code,
        scopes::{Scope, Scopes},
        time::Timestamp,
    },
    platform::limits,
    store::{
        Engine, LockKey, QueriedPosition, ReadSql, Result, bot_send::Channel, bot_tokens,
        bot_tokens::TokenOwner, conversations,
    },
};

use crate::service::{World, callers::confirm::Revocable, people::visible_user::Viewer, refuse};

/// The ids, scopes and log position of an authenticated bot, for one request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BotCaller {
    pub installation_id: InstallationId,
    pub workspace_id: WorkspaceId,
    pub app_id: AppId,
    pub user_id: UserId,
    /// Scopes of the token that the request presents.
    pub scopes: Scopes,
    /// A position of the PostgreSQL primary's write-ahead log, queried after the whole request had arrived; `None` if
    /// no such position is known. A replica that has replayed the log up to this position may answer reads of the
    /// request.
    pub(in crate::service) position: Option<QueriedPosition>,
}

/// An authenticated bot. Its methods are the operations of the bot API.
#[derive(Clone)]
pub struct Bot {
    pub(in crate::service) world: Arc<World>,
    pub(in crate::service) caller: BotCaller,
    /// When the request arrived. The token was looked up after this time.
    pub(in crate::service) arrived: Timestamp,
}

impl Bot {
    /// Returns the ids, scopes and log position of the bot.
    #[must_use]
    pub const fn caller(&self) -> &BotCaller {
        &self.caller
    }

    /// Returns the time at which the request counts against rate limits.
    #[must_use]
    pub fn counted_at(&self) -> Timestamp {
        limits::counted_at(self.arrived, self.world.clock.now())
    }

    /// Removes the log position. Call this if the body of the request may still have been arriving when the position
    /// was queried. The request must see every write that was acknowledged before its body was complete, and the
    /// position may be older than such a write.
    #[must_use]
    pub fn without_position(mut self) -> Self {
        self.caller.position = None;
        self
    }
}

impl BotCaller {
    pub(in crate::service) const fn new(owner: &TokenOwner, position: Option<QueriedPosition>) -> Self {
        Self {
            installation_id: owner.installation_id,
            workspace_id: owner.workspace_id,
            app_id: owner.app_id,
            user_id: owner.bot_user_id,
            scopes: owner.scopes,
            position,
        }
    }

    /// Returns whether user objects may include `email` (B-088).
    #[must_use]
    pub fn reads_email(&self) -> bool {
        self.scopes.contains(Scope::UsersReadEmail)
    }
}

impl From<&BotCaller> for Viewer {
    fn from(bot: &BotCaller) -> Self {
        Self::bot(bot.workspace_id, bot.reads_email())
    }
}

impl Revocable for BotCaller {
    type Current = ();

    /// Returns the locks of the installation and of its app. A request that uninstalls or disables the app gets its
    /// response only after the transactions that hold these locks have ended.
    fn locks(&self) -> Vec<LockKey> {
        vec![LockKey::installation(self.installation_id), LockKey::app(self.app_id)]
    }

    /// Rejects the request with `token_revoked` if the installation is disconnected (B-367).
    async fn confirm<C: ReadSql>(&self, c: &mut C) -> Result<()> {
        if bot_tokens::is_connected(c, self.installation_id).await? {
            Ok(())
        } else {
            refuse(Code::TokenRevoked)
        }
    }
}

/// A conversation id from a request: the kind according to its prefix, and the number.
pub type PrefixedConversationId = (ConversationKind, ConversationId);

/// What a bot may read of a group or channel of which it is a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::service) struct Readable {
    /// The lowest message id that the bot may see.
    pub visible_from: MessageId,
    /// Whether the company hides any of its guests from its members.
    pub hides_guests: bool,
}

/// Returns what a bot may read of a group or channel. An id with the prefix of another kind of conversation counts as
/// not found.
///
/// # Errors
/// - `conversation_not_found` for an unknown, direct, announcement-only or deleted conversation, for a conversation of
///   another company, and if the bot was never a member (B-272…B-275, B-277, D-116).
/// - `not_in_conversation` if the bot was removed from the conversation (B-276).
pub(in crate::service) async fn readable<C: ReadSql>(
    c: &mut C,
    bot: &BotCaller,
    (kind, id): PrefixedConversationId,
) -> Result<Readable> {
    let found = conversations::find_access(c, id, bot.user_id).await?.filter(|found| {
        found.workspace_id == bot.workspace_id
            && found.kind == kind
            && kind != ConversationKind::Dm
            && !found.is_deleted
            && !found.announcement_only
    });
    match found.map(|found| (found.is_member, found.visible_from, found.hides_guests)) {
        Some((Some(true), Some(visible_from), hides_guests)) => Ok(Readable { visible_from, hides_guests }),
        Some((Some(false), ..)) => refuse(Code::NotInConversation),
        Some(_) | None => refuse(Code::ConversationNotFound),
    }
}

/// Checks again, after messages were read, that the bot may see all messages from `before.visible_from` on. Returns
/// what the bot may read now. On SQLite a whole read sees one state of the database, so nothing is checked and `before`
/// is returned.
///
/// On PostgreSQL each statement of a read sees its own state of the database. Between [`readable`] and the query of the
/// messages, the bot may have been removed, and then a message may have been sent. The bot must not see this message.
/// A guest may also have been hidden: then the returned `hides_guests` is true, and the code that called this
/// function hides guests. The check costs one round trip. A snapshot of the whole read would cost two.
///
/// # Errors
/// Those of [`readable`]; `not_in_conversation` if the bot was removed in the meantime and then added again.
pub(in crate::service) async fn still_readable<C: ReadSql>(
    c: &mut C,
    bot: &BotCaller,
    id: PrefixedConversationId,
    before: Readable,
) -> Result<Readable> {
    if c.engine() == Engine::Sqlite {
        return Ok(before);
    }
    let now = readable(c, bot, id).await?;
    if now.visible_from > before.visible_from {
        return refuse(Code::NotInConversation);
    }
    Ok(now)
}

/// Checks that a bot may write to a group or channel.
///
/// # Errors
/// In the order of B-079:
///
/// - `conversation_not_found`, also for a deleted conversation, for a conversation of another company, for an id with
///   the prefix of another kind of conversation (D-057), and if the bot was never a member.
/// - `not_in_conversation`, `not_allowed_in_conversation`, `conversation_archived`.
pub(in crate::service) fn may_write(bot: &BotCaller, kind: ConversationKind, to: &Channel) -> Result<()> {
    let is_found = to.workspace_id == Some(bot.workspace_id)
        && to.kind == Some(kind)
        && kind != ConversationKind::Dm
        && !to.is_deleted;
    match to.is_member {
        None => refuse(Code::ConversationNotFound),
        Some(_) if !is_found => refuse(Code::ConversationNotFound),
        Some(false) => refuse(Code::NotInConversation),
        Some(true) if to.announcement_only => refuse(Code::NotAllowedInConversation),
        Some(true) if to.is_archived => refuse(Code::ConversationArchived),
        Some(true) => Ok(()),
    }
}
