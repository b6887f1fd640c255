//! Who is in groups and channels: joining, leaving, and what follows from a channel being part of its group.
//!
//! Whoever is in a channel is in its group too (D-121), so leaving the group leaves its channels (D-120). Called by
//! the admin room and by [`conversations`](super::conversations) for those who are in from the start.

use super::{
    Stamp, World, conflict,
    conversations::{NamedConversation, administered, held},
    outbox::{self, Kind},
    people::is_counted,
    principal::Principal,
    refuse,
};
use crate::{
    domain::{
        conversation::{ConversationKind, MessageType},
        ids::UserId,
        refusal::Code,
    },
    store::{
        Op, Result, Sql, StoreError,
        conversations::{self, Conversation},
        messages::{self, Message},
        users::{self, User},
    },
};

impl World {
    /// Lets a person or a bot into a group or channel (W-20), and with a channel into its group. Leaves a notice
    /// in each, and tells the bot. One who is in already changes nothing.
    ///
    /// # Errors
    /// `conversation_not_found`, also for strangers and once it is deleted; `forbidden` for people who are no
    /// admins; `user_not_found` for nobody of the company; `conflict` for a direct message, an archived group and
    /// a person who is deactivated or removed.
    pub async fn add_member(
        &self,
        who: &Principal,
        id: NamedConversation,
        user: Option<UserId>,
    ) -> Result<()> {
        self.db.write(AddMember { at: self.stamp(), who: who.clone(), id, user }).await
    }

    /// Takes a person or a bot out of a group or channel (W-21), and with a group out of its channels. A bot is
    /// told of each. One who is not in changes nothing.
    ///
    /// # Errors
    /// `conversation_not_found`, also for strangers and once it is deleted; `forbidden` for people who are no
    /// admins; `user_not_found` for nobody of the company; `conflict` for a direct message.
    pub async fn remove_member(
        &self,
        who: &Principal,
        id: NamedConversation,
        user: Option<UserId>,
    ) -> Result<()> {
        self.db.write(RemoveMember { at: self.stamp(), who: who.clone(), id, user }).await
    }
}

/// Whether the others of a conversation are shown that somebody joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notice {
    /// A system message (B-129).
    Post,
    /// Nothing, for those who are in from the start.
    Omit,
}

/// Lets a user into one conversation from its next message on, and tells a bot. False when in already.
///
/// The conversation is held, so no notice of another joiner comes in between.
pub(super) async fn join<C: Sql>(
    c: &mut C,
    at: &Stamp,
    conversation: &Conversation,
    user: &User,
    notice: Notice,
) -> Result<bool> {
    // Nothing from before the join is seen and everything after it (B-281), whichever node wrote it and whatever its
    // clock says: the notice comes after every message so far, and later ones get no id below the floor.
    let visible_from = messages::first_after(c, conversation.id).await?;
    if !conversations::join(c, conversation.id, user.id, is_counted(user), at.now, visible_from).await? {
        return Ok(false);
    }
    if notice == Notice::Post {
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

/// Lets a user out of one conversation, and tells a bot.
async fn leave<C: Sql>(c: &mut C, at: &Stamp, conversation: &Conversation, user: &User) -> Result<()> {
    let left = conversations::leave(c, conversation.id, user.id, is_counted(user), at.now).await?;
    if left && user.is_bot {
        outbox::bot_moved(c, at, Kind::AppRemoved, conversation, user.id).await?;
    }
    Ok(())
}

/// The group of a channel.
pub(super) async fn group_of<C: Sql>(c: &mut C, channel: &Conversation) -> Result<Option<Conversation>> {
    let Some(parent) = channel.parent_id else { return Ok(None) };
    match conversations::by_id(c, parent).await? {
        Some(group) => Ok(Some(group)),
        None => Err(StoreError::bug(format!("the channel {} has no group", channel.id.0)).into()),
    }
}

/// Somebody of the company, held until the transaction ends. Held before the conversation, in the order in which a
/// change of state takes them.
async fn held_user<C: Sql>(c: &mut C, id: Option<UserId>) -> Result<Option<User>> {
    match id {
        Some(id) => users::by_id_for_update(c, id).await,
        None => Ok(None),
    }
}

/// What both changes check: the conversation first, then the user.
async fn subject<C: Sql>(
    c: &mut C,
    who: &Principal,
    id: NamedConversation,
    user: Option<UserId>,
) -> Result<(Conversation, User)> {
    administered(c, who, id).await?;
    let user = held_user(c, user).await?;
    let conversation = held(c, who, id).await?;
    let Some(user) = user.filter(|user| user.workspace_id == conversation.workspace_id) else {
        return refuse(Code::UserNotFound);
    };
    if conversation.kind == ConversationKind::Dm {
        return conflict("the two people of a direct message stay the same");
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
        let known = conversations::member(c, conversation.id, user.id).await?;
        if known.is_some_and(|member| member.left_at.is_none()) {
            return Ok(());
        }
        if conversation.archived_at.is_some() {
            return conflict("the group is archived");
        }
        if !user.state.is_active() {
            return conflict("the person is deactivated or removed");
        }
        if let Some(group) = group_of(c, &conversation).await? {
            join(c, &self.at, &group, &user, Notice::Post).await?;
        }
        join(c, &self.at, &conversation, &user, Notice::Post).await?;
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
            for id in conversations::channels_of(c, conversation.id).await? {
                if let Some(channel) = conversations::by_id(c, id).await? {
                    leave(c, &self.at, &channel, &user).await?;
                }
            }
        }
        leave(c, &self.at, &conversation, &user).await
    }
}
