//! Who a bot is, and what of the world it may see.

use crate::{
    domain::{
        conversation::ConversationKind,
        ids::{AppId, ConversationId, InstallationId, MessageId, UserId, WorkspaceId},
        people::Standing,
        refusal::Code,
        scopes::{Scope, Scopes},
    },
    store::{
        LockKey, Result, Sql, bot_tokens, conversations, destinations::Channel, position::LogPosition,
        users::User,
    },
};

use super::refuse;

/// A bot as one request authenticated it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BotCaller {
    pub installation_id: InstallationId,
    pub workspace_id: WorkspaceId,
    pub app_id: AppId,
    pub user_id: UserId,
    /// Of the token used.
    pub scopes: Scopes,
    /// The position in the database's log of after the whole request was received, where it is known.
    pub position: Option<LogPosition>,
}

impl BotCaller {
    /// Whether `email` may appear in a person (B-088).
    #[must_use]
    pub fn reads_email(&self) -> bool {
        self.scopes.contains(Scope::UsersReadEmail)
    }

    /// The locks that every write of the bot holds shared: an uninstall, or disabling the app, is answered after it.
    pub(super) const fn locks(&self) -> [LockKey; 2] {
        [LockKey::installation(self.installation_id), LockKey::app(self.app_id)]
    }

    /// Refuses to write for a bot whose installation was disconnected since its token was looked up: in the transaction
    /// that writes and holds [`BotCaller::locks`], so that nothing appears after the disconnect was answered (B-367).
    ///
    /// # Errors
    /// `token_revoked`.
    pub(super) async fn check_connected<C: Sql>(&self, c: &mut C) -> Result<()> {
        if bot_tokens::is_connected(c, self.installation_id).await? {
            Ok(())
        } else {
            refuse(Code::TokenRevoked)
        }
    }
}

/// The facts of a person that visibility rules need.
#[must_use]
pub fn standing(user: &User) -> Standing {
    Standing {
        state: user.state,
        is_bot: user.is_bot,
        is_guest: user.is_external,
        guest_visible: user.guest_visible,
        email_visible: user.email_visible,
    }
}

/// A conversation as an id names it: what the id claims to be, and its number.
pub type Named = (ConversationKind, ConversationId);

/// Lets a bot read a group or channel it is in: from which message on. An id that claims another kind than the conversation
/// has is no id of it (D-057).
///
/// # Errors
/// `conversation_not_found` when it was never a member, and for another company's, a deleted, a direct-message
/// and an announcement-only conversation (B-272…B-277, D-116); `not_in_conversation` when it was removed.
pub async fn readable<C: Sql>(c: &mut C, bot: &BotCaller, (kind, id): Named) -> Result<MessageId> {
    let found = conversations::reach(c, id, bot.user_id).await?.filter(|found| {
        found.workspace_id == bot.workspace_id
            && found.kind == kind
            && kind != ConversationKind::Dm
            && !found.is_deleted
            && !found.announcement_only
    });
    match found.map(|found| (found.is_member, found.visible_from)) {
        Some((Some(true), Some(visible_from))) => Ok(visible_from),
        Some((Some(false), _)) => refuse(Code::NotInConversation),
        Some(_) | None => refuse(Code::ConversationNotFound),
    }
}

/// Lets a bot write to a group or channel.
///
/// # Errors
/// In the order of B-079: `conversation_not_found`, also for another company's and for an id that claims another kind
/// than the conversation has (D-057); `not_in_conversation`, `not_allowed_in_conversation`, `conversation_archived`.
pub fn may_write(bot: &BotCaller, kind: ConversationKind, to: &Channel) -> Result<()> {
    let is_named = to.workspace_id == Some(bot.workspace_id)
        && to.kind == Some(kind)
        && kind != ConversationKind::Dm
        && !to.is_deleted;
    match to.is_member {
        None => refuse(Code::ConversationNotFound),
        Some(_) if !is_named => refuse(Code::ConversationNotFound),
        Some(false) => refuse(Code::NotInConversation),
        Some(true) if to.announcement_only => refuse(Code::NotAllowedInConversation),
        Some(true) if to.is_archived => refuse(Code::ConversationArchived),
        Some(true) => Ok(()),
    }
}
