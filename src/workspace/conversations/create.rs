//! Making a conversation.

use super::{NamedConversation, invalid, named};
use crate::{
    domain::{
        conversation::ConversationKind,
        ids::{ConversationId, MessageId, UserId, WorkspaceId},
        refusal::Code,
    },
    store::{
        Op, Result, Sql, StoreError, conversation_lists,
        conversations::{self, Conversation},
        users::{self, User},
        workspaces,
    },
    workspace::{
        Stamp, World,
        access::standing,
        conflict,
        membership::{self, Notice},
        people::is_counted,
        principal::{Principal, Right},
        refuse,
    },
};

/// A conversation about to be made; lengths were checked.
#[derive(Clone, Debug)]
pub struct NewConversation {
    /// Group, channel or direct message.
    pub kind: ConversationKind,
    /// The group of a channel; `Some(None)` when the value names no conversation.
    pub parent: Option<NamedConversation>,
    /// Needed for groups and channels.
    pub name: Option<String>,
    /// Description of a group or channel.
    pub topic: Option<String>,
    /// Groups only; the whole company may join when it is not said.
    pub is_private: Option<bool>,
    /// Whether only admins may post.
    pub announcement_only: Option<bool>,
    /// Who is in from the start, besides the caller; `None` for a text that is no user's id.
    pub members: Vec<Option<UserId>>,
}

impl World {
    /// Makes a group, a channel or a direct message (W-15). The caller is in it, unless the operator asks; bots
    /// that are in it are told. Two people have one direct message: when there is one already, it is the answer.
    ///
    /// Somebody who is no admin makes channels of groups they are in or may join, and takes nobody along who is
    /// neither.
    ///
    /// # Errors
    /// `not_found` for strangers and an unknown company; `invalid_request` for a member its kind does not have or
    /// lacks, and unless a direct message is of two people; `conversation_not_found` for the group;
    /// `user_not_found` for nobody of the company; `forbidden`; `conflict` for an archived group and for a member
    /// who is deactivated or removed.
    pub async fn create_conversation(
        &self,
        who: &Principal,
        workspace: WorkspaceId,
        new: NewConversation,
    ) -> Result<Conversation> {
        let Some(right) = who.right_in(workspace) else { return refuse(Code::NotFound) };
        check(&new)?;
        let at = self.stamp();
        let id = ConversationId(at.id()?);
        self.db.write(CreateConversation { at, id, right, workspace, new }).await
    }
}

/// Refuses what a kind does not have, and what it lacks.
fn check(new: &NewConversation) -> Result<()> {
    match new.kind {
        ConversationKind::Group if new.parent.is_some() => invalid("parent_id is for channels"),
        ConversationKind::Channel if new.parent.is_none() => invalid("a channel needs parent_id"),
        ConversationKind::Channel if new.is_private.is_some() => {
            invalid("a channel has the type of its group")
        }
        ConversationKind::Group | ConversationKind::Channel if new.name.is_none() => {
            invalid("name is required")
        }
        ConversationKind::Dm
            if new.parent.is_some()
                || new.name.is_some()
                || new.topic.is_some()
                || new.is_private.is_some()
                || new.announcement_only.is_some() =>
        {
            invalid("a direct message has members and nothing else")
        }
        ConversationKind::Group | ConversationKind::Channel | ConversationKind::Dm => Ok(()),
    }
}

struct CreateConversation {
    at: Stamp,
    id: ConversationId,
    right: Right,
    workspace: WorkspaceId,
    new: NewConversation,
}

impl Op for CreateConversation {
    const NAME: &'static str = "create_conversation";
    type Out = Conversation;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Conversation> {
        if workspaces::by_id(c, self.workspace).await?.is_none() {
            return refuse(Code::NotFound);
        }
        let members = self.members(c).await?;
        match self.new.kind {
            ConversationKind::Dm => self.direct(c, &members).await,
            ConversationKind::Group => {
                all_active(&members)?;
                self.insert(c, &members, None).await
            }
            ConversationKind::Channel => {
                let group = self.group(c).await?;
                self.may_join(c, &group, &members).await?;
                if group.archived_at.is_some() {
                    return conflict("the group is archived");
                }
                all_active(&members)?;
                for user in &members {
                    membership::join(c, &self.at, &group, user, Notice::Omit).await?;
                }
                self.insert(c, &members, Some(&group)).await
            }
        }
    }
}

impl CreateConversation {
    /// The caller and those who were named, each once, held until the transaction ends.
    async fn members<C: Sql>(&self, c: &mut C) -> Result<Vec<User>> {
        let Some(mut ids) = self.new.members.iter().copied().collect::<Option<Vec<UserId>>>() else {
            return refuse(Code::UserNotFound);
        };
        ids.extend(self.right.person());
        ids.sort_unstable();
        ids.dedup();
        let members = users::by_ids_for_update(c, &ids).await?;
        let known = |user: &User| user.workspace_id == self.workspace && self.sees(user);
        if members.len() != ids.len() || !members.iter().all(known) {
            return refuse(Code::UserNotFound);
        }
        Ok(members)
    }

    /// Guests whom members do not see are there for admins and for themselves only.
    fn sees(&self, user: &User) -> bool {
        match self.right {
            Right::Operator | Right::Admin(_) => true,
            Right::Person(id) => user.id == id || user.is_bot || standing(user).is_listed(),
        }
    }

    /// The group of a new channel, held until the transaction ends.
    async fn group<C: Sql>(&self, c: &mut C) -> Result<Conversation> {
        let parent = self.new.parent.flatten().filter(|(kind, _)| *kind == ConversationKind::Group);
        let group = named(c, parent).await?;
        // before the lock: somebody of another company holds nobody up
        if group.workspace_id != self.workspace {
            return refuse(Code::ConversationNotFound);
        }
        conversations::lock(c, group.id).await?;
        let group = named(c, parent).await?;
        if group.deleted_at.is_some() {
            return refuse(Code::ConversationNotFound);
        }
        Ok(group)
    }

    /// A channel brings its members into its group, which is for admins to decide: somebody else needs members who
    /// are in it, or people of the company in a group that is open to them.
    async fn may_join<C: Sql>(&self, c: &mut C, group: &Conversation, members: &[User]) -> Result<()> {
        if self.right.administers() {
            return Ok(());
        }
        for user in members {
            let open = !group.is_private && !user.is_bot && !user.is_external;
            let member = conversations::member(c, group.id, user.id).await?;
            if !open && member.is_none_or(|member| member.left_at.is_some()) {
                return refuse(Code::Forbidden);
            }
        }
        Ok(())
    }

    async fn insert<C: Sql>(
        &self,
        c: &mut C,
        members: &[User],
        group: Option<&Conversation>,
    ) -> Result<Conversation> {
        let new = &self.new;
        let is_private = match (new.kind, group) {
            (ConversationKind::Dm, _) => true,
            (_, Some(group)) => group.is_private,
            (_, None) => new.is_private.unwrap_or(false),
        };
        let conversation = Conversation {
            id: self.id,
            workspace_id: self.workspace,
            kind: new.kind,
            parent_id: group.map(|group| group.id),
            name: new.name.clone(),
            topic: new.topic.clone(),
            is_private,
            announcement_only: new.announcement_only.unwrap_or(false),
            archived_at: None,
            deleted_at: None,
            active_members: 0,
            created_at: self.at.now,
            floor_id: MessageId(0),
        };
        conversations::insert(c, &conversation).await?;
        for user in members {
            membership::join(c, &self.at, &conversation, user, Notice::Omit).await?;
        }
        let active_members = members.iter().filter(|user| is_counted(user)).count();
        Ok(Conversation { active_members: i64::try_from(active_members).unwrap_or(i64::MAX), ..conversation })
    }

    /// The one direct message of two people.
    async fn direct<C: Sql>(&self, c: &mut C, members: &[User]) -> Result<Conversation> {
        let [one, other] = members else {
            return invalid("a direct message has exactly two people");
        };
        if one.is_bot || other.is_bot {
            return invalid("a direct message with an app begins with the app's first message");
        }
        conversations::lock_direct(c, one.id, other.id).await?;
        if let Some(id) = conversations::direct(c, one.id, other.id).await? {
            return found(c, id).await;
        }
        all_active(members)?;
        if !conversations::claim_pair(c, one.workspace_id, (one.id, other.id), self.id).await? {
            // made by another request in between
            return match conversations::direct(c, one.id, other.id).await? {
                Some(id) => found(c, id).await,
                None => conflict("the direct message was just deleted"),
            };
        }
        self.insert(c, members, None).await
    }
}

/// The one direct message of a person and another, made if there is none yet.
///
/// # Errors
/// Those of [`World::create_conversation`] for a direct message.
pub(in crate::workspace) async fn direct_message<C: Sql>(
    c: &mut C,
    at: &Stamp,
    id: ConversationId,
    workspace: WorkspaceId,
    (one, other): (UserId, UserId),
) -> Result<Conversation> {
    let new = NewConversation {
        kind: ConversationKind::Dm,
        parent: None,
        name: None,
        topic: None,
        is_private: None,
        announcement_only: None,
        members: vec![Some(other)],
    };
    let create = CreateConversation { at: at.clone(), id, right: Right::Person(one), workspace, new };
    create.run(c).await
}

async fn found<C: Sql>(c: &mut C, id: ConversationId) -> Result<Conversation> {
    match conversations::by_id(c, id).await? {
        Some(mut conversation) => {
            conversation_lists::count_direct(c, std::slice::from_mut(&mut conversation)).await?;
            Ok(conversation)
        }
        None => Err(StoreError::bug(format!("the pair of {} has no conversation", id.0)).into()),
    }
}

fn all_active(members: &[User]) -> Result<()> {
    if members.iter().all(|user| user.state.is_active()) {
        return Ok(());
    }
    conflict("a member is deactivated or removed")
}
