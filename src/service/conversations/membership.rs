//! Membership of conversations: joining and leaving.
//!
//! Every member of a channel is also a member of its group (D-121). So a user who leaves a group also leaves its
//! channels (D-120).

use std::collections::HashSet;

use crate::service::{
    Stamp,
    callers::{Caller, principal::CallerPrincipal},
    conflict,
    conversations::{NamedConversation, administered, lock_existing},
    outbox::{self, DirectoryEventKind},
    people::is_counted,
    refuse,
};
use crate::{
    domain::{
        conversation::{ConversationKind, MessageType},
        ids::{ConversationId, MessageId, UserId},
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
    /// Adds a person or a bot to a group or channel (W-20). A user who joins a channel also joins its group. Posts a
    /// system message in each conversation that the user joins. If the user is a bot, notifies its app of each of these
    /// conversations, except announcement-only conversations (D-166). Does nothing if the user is already a member.
    ///
    /// # Errors
    /// - `conversation_not_found`, also for a caller outside the company and for a deleted conversation.
    /// - `forbidden` for people who are not admins.
    /// - `user_not_found` if the user is not in the company.
    /// - `conflict` for a direct conversation, for an archived group and its channels, and for a person who is
    ///   deactivated or removed.
    pub async fn add_member(&self, id: NamedConversation, user: Option<UserId>) -> Result<()> {
        self.write(AddMember { stamp: self.world().stamp(), principal: self.to_principal(), id, user }).await
    }

    /// Removes a person or a bot from a group or channel (W-21). A user who leaves a group also leaves its channels. If
    /// the user is a bot, notifies its app of each conversation that the bot leaves, except announcement-only
    /// conversations (D-166). Does nothing if the user is not a member.
    ///
    /// # Errors
    /// - `conversation_not_found`, also for a caller outside the company and for a deleted conversation.
    /// - `forbidden` for people who are not admins.
    /// - `user_not_found` if the user is not in the company.
    /// - `conflict` for a direct conversation.
    pub async fn remove_member(&self, id: NamedConversation, user: Option<UserId>) -> Result<()> {
        self.write(RemoveMember { stamp: self.world().stamp(), principal: self.to_principal(), id, user })
            .await
    }
}

/// Whether a system message is posted when a user joins a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::service) enum MembershipNotice {
    /// Post a system message (B-129).
    Post,
    /// Post nothing. Used for the initial members of a new conversation. If the conversation is a channel, no message
    /// is posted in its group either.
    Omit,
}

/// Adds users to conversations: to a group, to a group and one of its channels, or to a direct conversation. New
/// members see only messages that are posted after the join. The apps of bots are notified.
///
/// The caller must have locked each conversation, except a conversation that the same transaction has created. Without
/// the lock, a message could be posted after `visible_from` was computed and before the users join. The new members
/// would then see this message.
pub(in crate::service) async fn join<C: Sql>(
    c: &mut C,
    stamp: &Stamp,
    conversations: &[&Conversation],
    users: &[User],
    notice: MembershipNotice,
) -> Result<()> {
    let counted: Vec<(UserId, bool)> = users.iter().map(|user| (user.id, is_counted(user))).collect();
    let mut bot_joins = Vec::new();
    for conversation in conversations {
        // A member sees every message that is posted after the join, and none that was posted before it (B-281). All
        // existing messages have ids below `visible_from`. The join raises the conversation's `floor_id` to
        // `visible_from`, so later messages have no lower ids, even if the clock of their node is behind.
        let visible_from = messages::first_after(c, conversation.id).await?;
        let joined = conversations::join(c, conversation.id, &counted, stamp.now, visible_from).await?;
        if notice == MembershipNotice::Post {
            for _ in &joined {
                post_notice(c, stamp, conversation, visible_from).await?;
            }
        }
        let bots = users.iter().filter(|user| user.is_bot && joined.binary_search(&user.id).is_ok());
        bot_joins.extend(bots.map(|bot| (*conversation, bot.id)));
    }
    outbox::bots_moved(c, stamp, DirectoryEventKind::ConversationCreated, &bot_joins).await
}

/// Posts the system message about a new member (B-129). Its id is at least `floor`, so the new member sees it.
async fn post_notice<C: Sql>(
    c: &mut C,
    stamp: &Stamp,
    conversation: &Conversation,
    floor: MessageId,
) -> Result<()> {
    let message = Message {
        workspace_id: conversation.workspace_id,
        conversation_id: conversation.id,
        id: stamp.message_id(floor)?,
        sender_id: None,
        kind: MessageType::System,
        text: None,
        thread_id: None,
        file_count: 0,
        via_label: None,
        client_key: None,
        edited_at: None,
        created_at: stamp.now,
    };
    messages::insert(c, &message).await
}

/// Removes a user from those of the conversations of which the user is a member. If the user is a bot, notifies its app
/// of each conversation that the bot leaves.
async fn leave<C: Sql>(c: &mut C, stamp: &Stamp, conversations: &[&Conversation], user: &User) -> Result<()> {
    let ids: Vec<ConversationId> = conversations.iter().map(|conversation| conversation.id).collect();
    let left = conversations::leave(c, user.id, &ids, is_counted(user), stamp.now).await?;
    if !user.is_bot {
        return Ok(());
    }
    let left: HashSet<ConversationId> = left.into_iter().collect();
    let bot_leaves: Vec<_> = conversations
        .iter()
        .filter(|conversation| left.contains(&conversation.id))
        .map(|conversation| (*conversation, user.id))
        .collect();
    outbox::bots_moved(c, stamp, DirectoryEventKind::AppRemoved, &bot_leaves).await
}

/// Returns the group of a channel; `None` for other kinds of conversations.
pub(in crate::service) async fn group_of<C: ReadSql>(
    c: &mut C,
    conversation: &Conversation,
) -> Result<Option<Conversation>> {
    let Some(parent) = conversation.parent_id else { return Ok(None) };
    match conversations::by_id(c, parent).await? {
        Some(group) => Ok(Some(group)),
        None => Err(StoreError::bug(format!("the channel {} has no group", conversation.id.0)).into()),
    }
}

/// Returns a user and locks the user's row. Call this before the conversation is locked: changes of a person's state
/// also lock the user before the conversations, and another order could cause a deadlock.
async fn lock_user<C: Sql>(c: &mut C, id: Option<UserId>) -> Result<Option<User>> {
    match id {
        Some(id) => users::by_id_for_update(c, id).await,
        None => Ok(None),
    }
}

/// Returns the conversation and the user that a request names, and locks both. Rejects a direct conversation.
async fn lock_conversation_and_user<C: Sql>(
    c: &mut C,
    principal: &CallerPrincipal,
    id: NamedConversation,
    user: Option<UserId>,
) -> Result<(Conversation, User)> {
    administered(c, principal, id).await?;
    let user = lock_user(c, user).await?;
    let conversation = lock_existing(c, principal, id).await?;
    let Some(user) = user.filter(|user| user.workspace_id == conversation.workspace_id) else {
        return refuse(Code::UserNotFound);
    };
    if conversation.kind == ConversationKind::Dm {
        return conflict("the members of a direct message cannot be changed");
    }
    Ok((conversation, user))
}

struct AddMember {
    stamp: Stamp,
    principal: CallerPrincipal,
    id: NamedConversation,
    user: Option<UserId>,
}

impl Op for AddMember {
    const NAME: &'static str = "add_member";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let (conversation, user) = lock_conversation_and_user(c, &self.principal, self.id, self.user).await?;
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
        let group = group_of(c, &conversation).await?;
        let joined: Vec<_> = group.iter().chain([&conversation]).collect();
        join(c, &self.stamp, &joined, &[user], MembershipNotice::Post).await
    }
}

struct RemoveMember {
    stamp: Stamp,
    principal: CallerPrincipal,
    id: NamedConversation,
    user: Option<UserId>,
}

impl Op for RemoveMember {
    const NAME: &'static str = "remove_member";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let (conversation, user) = lock_conversation_and_user(c, &self.principal, self.id, self.user).await?;
        let mut channels = Vec::new();
        if conversation.kind == ConversationKind::Group {
            conversations::drain_channels(c, conversation.workspace_id, conversation.id).await?;
            let ids = conversations::channels_of(c, conversation.id).await?;
            channels = conversations::by_ids(c, &ids).await?;
        }
        let all: Vec<_> = channels.iter().chain([&conversation]).collect();
        leave(c, &self.stamp, &all, &user).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        service::testing::{Recorded, TestWorld, world},
        store::{ReadOp, conversations::Member},
    };

    struct FindMember(ConversationId, UserId);

    impl ReadOp for FindMember {
        const NAME: &'static str = "test_find_member";
        type Out = (Option<Member>, Option<Conversation>);

        async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
            let member = conversations::member(c, self.0, self.1).await?;
            Ok((member, conversations::by_id(c, self.0).await?))
        }
    }

    /// Returns the membership of a user in a conversation, and the conversation.
    async fn membership(world: &TestWorld, id: ConversationId, user: &User) -> (Member, Conversation) {
        let (member, conversation) = world.db.read(FindMember(id, user.id)).await.unwrap();
        (member.unwrap(), conversation.unwrap())
    }

    #[tokio::test]
    async fn leaving_a_group_with_five_channels_takes_as_many_statements_as_with_one() {
        let world = world().await;
        let team = world.team(3, 1).await;
        let everybody = [team.people.clone(), team.bots.clone()].concat();
        let mut statements = Vec::new();
        for number in [1, 5] {
            let group = world.conversation(team.company, None, &everybody).await;
            let mut all = Vec::new();
            for _ in 0..number {
                all.push((
                    ConversationKind::Channel,
                    world.conversation(team.company, Some(group), &everybody).await,
                ));
            }
            // neither of the two removed users is a member of this channel
            world.conversation(team.company, Some(group), &team.people[1..]).await;
            all.push((ConversationKind::Group, group));
            let before = world.changes_for(&team.bots[0]).await.len();
            let mut counts = Vec::new();
            for user in [&team.people[0], &team.bots[0]] {
                let remove = RemoveMember {
                    stamp: world.stamp(),
                    principal: CallerPrincipal::Operator,
                    id: Some((ConversationKind::Group, group)),
                    user: Some(user.id),
                };
                let (names, ()) = world.db.write(Recorded(remove)).await.unwrap();
                counts.push(names.len());
                for (_, id) in &all {
                    let (member, conversation) = membership(&world, *id, user).await;
                    assert!(member.left_at.is_some());
                    assert_eq!(conversation.active_members, 2);
                }
            }
            statements.push(counts);
            let expected: Vec<_> = all
                .iter()
                .map(|(kind, id)| ("app.removed_from_conversation".to_owned(), id.encode(*kind)))
                .collect();
            assert_eq!(world.changes_for(&team.bots[0]).await[before..], expected);
        }
        assert_eq!(statements[1], statements[0]);
    }

    #[tokio::test]
    async fn a_bot_added_to_a_channel_is_notified_of_the_group_first() {
        let world = world().await;
        let team = world.team(0, 1).await;
        let group = world.conversation(team.company, None, &[]).await;
        let channel = world.conversation(team.company, Some(group), &[]).await;
        let (id, bot) = (Some((ConversationKind::Channel, channel)), &team.bots[0]);
        let add = || AddMember {
            stamp: world.stamp(),
            principal: CallerPrincipal::Operator,
            id,
            user: Some(bot.id),
        };
        let (names, ()) = world.db.write(Recorded(add())).await.unwrap();
        let inserts = names.iter().filter(|name| name.contains("::events::INSERT"));
        assert_eq!(inserts.count(), 1, "{names:?}");
        let expected = [
            ("conversation.created".to_owned(), group.encode(ConversationKind::Group)),
            ("conversation.created".to_owned(), channel.encode(ConversationKind::Channel)),
        ];
        assert_eq!(world.changes_for(bot).await, expected);
        world.db.write(add()).await.unwrap();
        assert_eq!(world.changes_for(bot).await, expected, "adding a member again notifies nobody");
    }

    struct Post {
        conversation: Conversation,
        id: MessageId,
    }

    impl Op for Post {
        const NAME: &'static str = "test_post";
        type Out = ();

        async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
            let message = Message {
                workspace_id: self.conversation.workspace_id,
                conversation_id: self.conversation.id,
                id: self.id,
                sender_id: None,
                kind: MessageType::Text,
                text: Some("Hello".into()),
                thread_id: None,
                file_count: 0,
                via_label: None,
                client_key: None,
                edited_at: None,
                created_at: self.conversation.created_at,
            };
            messages::insert(c, &message).await
        }
    }

    /// Three people become members of a new channel, and so of its group. The first person has left the group, the
    /// second is a member of the group, and the third was never a member of the group.
    #[tokio::test]
    async fn members_of_a_new_channel_see_messages_of_the_group_from_their_last_join_on() {
        let world = world().await;
        let team = world.team(3, 0).await;
        let [left, stayed, newcomer] = &team.people[..] else { panic!("three people") };
        let group = world.conversation(team.company, None, &team.people[..2]).await;
        let (_, conversation) = membership(&world, group, left).await;
        let remove = RemoveMember {
            stamp: world.stamp(),
            principal: CallerPrincipal::Operator,
            id: Some((ConversationKind::Group, group)),
            user: Some(left.id),
        };
        world.db.write(remove).await.unwrap();
        let id = MessageId(world.stamp().id().unwrap());
        world.db.write(Post { conversation, id }).await.unwrap();
        world.clock.advance(std::time::Duration::from_secs(1));
        let channel = world.conversation(team.company, Some(group), &team.people).await;
        let after = MessageId(id.0 + 1);
        for (user, visible_from) in [(left, after), (stayed, MessageId(0)), (newcomer, after)] {
            let (member, conversation) = membership(&world, group, user).await;
            assert_eq!((member.visible_from, member.left_at), (visible_from, None));
            assert_eq!(
                member.joined_at == world.clock.now(),
                visible_from == after,
                "only the people who were not members of the group have joined it now"
            );
            assert_eq!((conversation.active_members, conversation.floor_id), (3, after));
            let (member, conversation) = membership(&world, channel, user).await;
            assert_eq!((member.visible_from, conversation.active_members), (MessageId(0), 3));
        }
    }
}
