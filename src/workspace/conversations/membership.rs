//! Membership of groups and channels: joining and leaving.
//!
//! Members of a channel are members of its group (D-121), so leaving the group leaves its channels (D-120).
//! Called by the admin API, and by [`conversations`](crate::workspace::conversations) for initial members.

use crate::workspace::{
    Stamp,
    callers::{Caller, principal::Principal},
    conflict,
    conversations::{NamedConversation, administered, lock_existing},
    events::outbox::{self, Kind},
    people::is_counted,
    refuse,
};
use crate::{
    domain::{
        conversation::{ConversationKind, MessageType},
        ids::{ConversationId, UserId},
        refusal::Code,
    },
    store::{
        Op, ReadSql, Result, Sql, StoreError,
        conversations::{self, Conversation},
        messages::{self, Message},
        users::{self, User},
    },
};

impl Caller {
    /// Adds a person or a bot to a group or channel (W-20), and with a channel to its group. Posts a system
    /// message in each and notifies the bot's app. Does nothing for a user who is already a member.
    ///
    /// # Errors
    /// `conversation_not_found`, also for a caller outside the company and if it is deleted; `forbidden` for
    /// people who are not admins; `user_not_found` if the user is not in the company; `conflict` for a direct
    /// message, an archived group and a person who is deactivated or removed.
    pub async fn add_member(&self, id: NamedConversation, user: Option<UserId>) -> Result<()> {
        self.write(AddMember { at: self.world().stamp(), who: self.who(), id, user }).await
    }

    /// Removes a person or a bot from a group or channel (W-21), and with a group from its channels. Notifies
    /// the app of a bot of each. Does nothing for a user who is not a member.
    ///
    /// # Errors
    /// `conversation_not_found`, also for a caller outside the company and if it is deleted; `forbidden` for
    /// people who are not admins; `user_not_found` if the user is not in the company; `conflict` for a direct
    /// message.
    pub async fn remove_member(&self, id: NamedConversation, user: Option<UserId>) -> Result<()> {
        self.write(RemoveMember { at: self.world().stamp(), who: self.who(), id, user }).await
    }
}

/// Whether a join is announced in the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::workspace) enum MembershipNotice {
    /// Post a system message (B-129).
    Post,
    /// Post nothing, for initial members.
    Omit,
}

/// Adds a user to one conversation, whose messages the user sees from the next one on. If the user is a bot, its
/// app is notified. Returns `false` if the user is already a member.
///
/// The conversation must be locked, so that no message is posted between reading its highest id and the join.
pub(in crate::workspace) async fn join<C: Sql>(
    c: &mut C,
    at: &Stamp,
    conversation: &Conversation,
    user: &User,
    notice: MembershipNotice,
) -> Result<bool> {
    // A member sees every message after the join and none before (B-281), whichever node wrote it and whatever the
    // node's clock says: the system message has a higher id than all existing messages, and no later message gets an id
    // below `visible_from`.
    let visible_from = messages::first_after(c, conversation.id).await?;
    if !conversations::join(c, conversation.id, user.id, is_counted(user), at.now, visible_from).await? {
        return Ok(false);
    }
    if notice == MembershipNotice::Post {
        let message = Message {
            workspace_id: conversation.workspace_id,
            conversation_id: conversation.id,
            id: at.message_id(visible_from)?,
            sender_id: None,
            kind: MessageType::System,
            text: None,
            thread_id: None,
            file_count: 0,
            via_label: None,
            client_key: None,
            edited_at: None,
            created_at: at.now,
        };
        messages::insert(c, &message).await?;
    }
    if user.is_bot {
        outbox::bot_moved(c, at, Kind::ConversationCreated, conversation, user.id).await?;
    }
    Ok(true)
}

/// Removes a user from one conversation. If the user is a bot, its app is notified.
async fn leave<C: Sql>(c: &mut C, at: &Stamp, conversation: &Conversation, user: &User) -> Result<()> {
    let left = conversations::leave(c, conversation.id, user.id, is_counted(user), at.now).await?;
    if left && user.is_bot {
        outbox::bot_moved(c, at, Kind::AppRemoved, conversation, user.id).await?;
    }
    Ok(())
}

/// Returns the group of a channel.
pub(in crate::workspace) async fn group_of<C: ReadSql>(
    c: &mut C,
    channel: &Conversation,
) -> Result<Option<Conversation>> {
    let Some(parent) = channel.parent_id else { return Ok(None) };
    match conversations::by_id(c, parent).await? {
        Some(group) => Ok(Some(group)),
        None => Err(StoreError::bug(format!("the channel {} has no group", channel.id.0)).into()),
    }
}

/// Returns a user and locks the row. To be called before locking the conversation, in the same lock order as
/// changes of a person's state.
async fn lock_user<C: Sql>(c: &mut C, id: Option<UserId>) -> Result<Option<User>> {
    match id {
        Some(id) => users::by_id_for_update(c, id).await,
        None => Ok(None),
    }
}

/// Returns the conversation and the user of a request after checking the conversation, then the user, and locks
/// both.
async fn subject<C: Sql>(
    c: &mut C,
    who: &Principal,
    id: NamedConversation,
    user: Option<UserId>,
) -> Result<(Conversation, User)> {
    administered(c, who, id).await?;
    let user = lock_user(c, user).await?;
    let conversation = lock_existing(c, who, id).await?;
    let Some(user) = user.filter(|user| user.workspace_id == conversation.workspace_id) else {
        return refuse(Code::UserNotFound);
    };
    if conversation.kind == ConversationKind::Dm {
        return conflict("the two people of a direct message cannot be changed");
    }
    Ok((conversation, user))
}

struct AddMember {
    at: Stamp,
    who: Principal,
    id: NamedConversation,
    user: Option<UserId>,
}

impl Op for AddMember {
    const NAME: &'static str = "add_member";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let (conversation, user) = subject(c, &self.who, self.id, self.user).await?;
        let member = conversations::member(c, conversation.id, user.id).await?;
        if member.is_some_and(|member| member.left_at.is_none()) {
            return Ok(());
        }
        if conversation.archived_at.is_some() {
            return conflict("the group is archived");
        }
        if !user.state.is_active() {
            return conflict("the person is deactivated or removed");
        }
        if let Some(group) = group_of(c, &conversation).await? {
            join(c, &self.at, &group, &user, MembershipNotice::Post).await?;
        }
        join(c, &self.at, &conversation, &user, MembershipNotice::Post).await?;
        Ok(())
    }
}

struct RemoveMember {
    at: Stamp,
    who: Principal,
    id: NamedConversation,
    user: Option<UserId>,
}

impl Op for RemoveMember {
    const NAME: &'static str = "remove_member";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let (conversation, user) = subject(c, &self.who, self.id, self.user).await?;
        if conversation.kind == ConversationKind::Group {
            conversations::drain_channels(c, conversation.workspace_id, conversation.id).await?;
            let channels = conversations::channels_of(c, conversation.id).await?;
            let all: Vec<ConversationId> = channels.iter().copied().chain([conversation.id]).collect();
            conversations::lock_memberships(c, user.id, &all).await?;
            for id in channels {
                if let Some(channel) = conversations::by_id(c, id).await? {
                    leave(c, &self.at, &channel, &user).await?;
                }
            }
        }
        leave(c, &self.at, &conversation, &user).await
    }
}
