//! Creating conversations.

use super::{ConversationView, NamedConversation, invalid, named};
use crate::{
    domain::{
        conversation::ConversationKind,
        ids::{ConversationId, MessageId, UserId, WorkspaceId},
        message::key_hash,
        refusal::Code,
    },
    service::{
        Stamp,
        callers::{CompanyCaller, principal::Right},
        check_visible, conflict,
        conversations::membership::{self, MembershipNotice},
        people::is_counted,
        people::visible_user::{Viewer, known_to_guest},
        refuse,
    },
    store::{
        Op, ReadSql, Result, Sql, StoreError,
        button_presses::{self, ButtonPress},
        conversation_lists,
        conversations::{self, Conversation},
        keys::Hash,
        users::{self, User},
        workspaces,
    },
};

/// The reason of a `conflict`: the conversation that was created with this idempotency key has other fields or is
/// deleted.
pub const KEY_USED: &str =
    "this form has created a conversation already; send it again to create another one";

/// A conversation to create. The lengths of its texts are already validated.
#[derive(Clone, Debug)]
pub struct NewConversation {
    /// Group, channel or direct conversation.
    pub kind: ConversationKind,
    /// The group of a channel; `Some(None)` for a value that is not a conversation id.
    pub parent: Option<NamedConversation>,
    /// Required for groups and channels.
    pub name: Option<String>,
    /// Description of a group or channel.
    pub topic: Option<String>,
    /// For groups only. By default a group is not private, so every employee may join it.
    pub is_private: Option<bool>,
    /// Whether only admins may post.
    pub announcement_only: Option<bool>,
    /// Initial members in addition to the caller; `None` for text that is not a user id.
    pub members: Vec<Option<UserId>>,
}

impl CompanyCaller<'_> {
    /// Creates a group, a channel or a direct conversation (W-15). If the caller is a person, the caller becomes a
    /// member. The app of each bot among the members gets an event, unless the conversation is announcement-only
    /// (D-166). If a direct conversation of the two people already exists, returns this conversation.
    ///
    /// A person who is not an admin may create a channel in a group if the person is a member of the group or may join
    /// the group. The same condition applies to everybody whom the person adds to the channel. To any conversation, a
    /// guest may add only users with whom the guest shares a conversation.
    ///
    /// # Errors
    /// - `invalid_request` for a field that the kind does not have, a missing field, and a name without visible
    ///   characters.
    /// - `not_found` for an unknown company.
    /// - `user_not_found` if a member is not in the company, or if the caller may not see the member.
    /// - `invalid_request` for a direct conversation that is not between two people.
    /// - `conversation_not_found` if the group of a channel does not exist or is deleted.
    /// - `forbidden` if the caller may not create the channel in the group, or may not add one of the members.
    /// - `conflict` for an archived group, for a member who is deactivated or removed, and for a direct conversation
    ///   that another request created and deleted in the meantime.
    pub async fn create_conversation(self, new: NewConversation) -> Result<ConversationView> {
        self.create(new, None).await
    }

    /// Like [`Self::create_conversation`], with the idempotency key of a form. If the form is sent again, returns the
    /// conversation that was created the first time. The key is ignored for a direct conversation, and if the caller is
    /// the operator.
    ///
    /// # Errors
    /// - Errors of [`Self::create_conversation`].
    /// - `conflict` if the conversation that was created with the key has other fields or was deleted.
    pub async fn create_conversation_once(
        self,
        new: NewConversation,
        client_key: &str,
    ) -> Result<ConversationView> {
        self.create(new, Some(key_hash(&format!("conversation\0{client_key}")))).await
    }

    async fn create(self, new: NewConversation, key_hash: Option<Hash>) -> Result<ConversationView> {
        let (workspace, right) = (self.company_id(), self.right());
        check_fields(&new)?;
        check_visible("name", new.name.as_deref())?;
        let stamp = self.world().stamp();
        let id = ConversationId(stamp.id()?);
        Ok(self
            .caller()
            .write(CreateConversation { stamp, id, right, workspace, new, key_hash })
            .await?
            .into())
    }
}

/// Rejects fields that conversations of this kind do not have, and missing fields.
fn check_fields(new: &NewConversation) -> Result<()> {
    match new.kind {
        ConversationKind::Group if new.parent.is_some() => invalid("only a channel has parent_id"),
        ConversationKind::Channel if new.parent.is_none() => invalid("a channel needs parent_id"),
        ConversationKind::Channel if new.is_private.is_some() => {
            invalid("a channel has the type of its group, so type is not accepted")
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
            invalid("a direct message accepts only kind and member_ids")
        }
        ConversationKind::Group | ConversationKind::Channel | ConversationKind::Dm => Ok(()),
    }
}

struct CreateConversation {
    stamp: Stamp,
    id: ConversationId,
    right: Right,
    workspace: WorkspaceId,
    new: NewConversation,
    /// Hash of the idempotency key; `None` without a key.
    key_hash: Option<Hash>,
}

impl Op for CreateConversation {
    const NAME: &'static str = "create_conversation";
    type Out = Conversation;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Conversation> {
        if workspaces::by_id(c, self.workspace).await?.is_none() {
            return refuse(Code::NotFound);
        }
        if let Some(created) = self.claim_key(c).await? {
            return Ok(created);
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
                self.insert(c, &members, Some(&group)).await
            }
        }
    }
}

impl CreateConversation {
    /// Claims the idempotency key, by storing it as the nonce of a [`ButtonPress`]. If an earlier request with the key
    /// created a conversation, returns this conversation. Returns `None` if the key is new, if there is no key, and if
    /// the caller is the operator. Also returns `None` for a direct conversation, which needs no key: two people have
    /// at most one direct conversation, so a repeated request returns the existing conversation.
    ///
    /// # Errors
    /// `conflict` if an earlier request with the key had other fields, or if its conversation was deleted.
    async fn claim_key<C: Sql>(&self, c: &mut C) -> Result<Option<Conversation>> {
        let (Some(nonce), Some(user_id)) = (self.key_hash, self.right.person()) else { return Ok(None) };
        if self.new.kind == ConversationKind::Dm {
            return Ok(None);
        }
        let fields = key_hash(&format!("{:?}", self.new));
        let press = ButtonPress {
            workspace_id: self.workspace,
            user_id,
            nonce_hash: nonce.to_vec(),
            fingerprint: [&fields[..], &self.id.0.to_be_bytes()].concat(),
            created_at: self.stamp.now,
        };
        if button_presses::claim(c, &press).await? {
            return Ok(None);
        }
        let used = button_presses::fingerprint(c, user_id, &nonce).await?.unwrap_or_default();
        let id = used.strip_prefix(&fields).and_then(|id| id.try_into().ok()).map(i64::from_be_bytes);
        let created = match id {
            Some(id) => conversations::by_id(c, ConversationId(id)).await?,
            None => None,
        };
        match created.filter(|created| created.deleted_at.is_none()) {
            Some(created) => Ok(Some(created)),
            None => conflict(KEY_USED),
        }
    }

    /// Returns the members without duplicates, and locks their rows. Includes the caller, unless the caller is the
    /// operator.
    ///
    /// # Errors
    /// `user_not_found` if one of the members is not a user whom the caller may add.
    async fn members<C: Sql>(&self, c: &mut C) -> Result<Vec<User>> {
        let Some(mut ids) = self.new.members.iter().copied().collect::<Option<Vec<UserId>>>() else {
            return refuse(Code::UserNotFound);
        };
        ids.extend(self.right.person());
        ids.sort_unstable();
        ids.dedup();
        let members = users::by_ids_for_update(c, &ids).await?;
        let is_visible = |user: &User| match self.right {
            Right::Operator | Right::Admin(_) => user.workspace_id == self.workspace,
            Right::Person(person) => Viewer::person(self.workspace, person).sees(user),
        };
        if members.len() != ids.len() || !members.iter().all(is_visible) {
            return refuse(Code::UserNotFound);
        }
        if let Right::Person(person) = self.right
            && members.iter().any(|user| user.id == person && user.is_external)
        {
            let known = known_to_guest(c, person, &ids).await?;
            if !ids.iter().all(|id| known.contains(id)) {
                return refuse(Code::UserNotFound);
            }
        }
        Ok(members)
    }

    /// Returns the group of a new channel and locks it.
    async fn group<C: Sql>(&self, c: &mut C) -> Result<Conversation> {
        let parent = self.new.parent.flatten().filter(|(kind, _)| *kind == ConversationKind::Group);
        let group = named(c, parent).await?;
        // checked before the lock is taken, so that a caller from another company cannot delay writes to the group
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

    /// Checks that the caller may add the members to the channel's group, because members of a channel also join its
    /// group. The operator and admins may add anybody. Other callers may add users who are already members of the
    /// group. If the group is not private, these callers may also add people of the company who are not guests.
    async fn may_join<C: ReadSql>(&self, c: &mut C, group: &Conversation, members: &[User]) -> Result<()> {
        if self.right.administers() {
            return Ok(());
        }
        let may_not_join = |user: &&User| group.is_private || user.is_bot || user.is_external;
        let others: Vec<UserId> = members.iter().filter(may_not_join).map(|user| user.id).collect();
        let present = match others.is_empty() {
            true => Vec::new(),
            false => conversations::members_among(c, group.id, &others).await?,
        };
        if others.iter().all(|id| present.contains(id)) { Ok(()) } else { refuse(Code::Forbidden) }
    }

    /// Inserts the conversation and adds the members. Members of a channel first join its group.
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
            created_at: self.stamp.now,
            floor_id: MessageId(0),
        };
        conversations::insert(c, &conversation).await?;
        let joined: Vec<_> = group.into_iter().chain([&conversation]).collect();
        membership::join(c, &self.stamp, &joined, members, MembershipNotice::Omit).await?;
        let active_members = members.iter().filter(|user| is_counted(user)).count();
        Ok(Conversation { active_members: i64::try_from(active_members).unwrap_or(i64::MAX), ..conversation })
    }

    /// Returns the direct conversation of two people. Creates it if there is none.
    async fn direct<C: Sql>(&self, c: &mut C, members: &[User]) -> Result<Conversation> {
        let [one, other] = members else {
            return invalid("a direct message has exactly two people");
        };
        if one.is_bot || other.is_bot {
            return invalid("direct messages with an app begin with the app's first message");
        }
        conversations::lock_direct(c, one.id, other.id).await?;
        if let Some(id) = conversations::direct(c, one.id, other.id).await? {
            return existing_direct(c, id).await;
        }
        all_active(members)?;
        if !conversations::claim_pair(c, one.workspace_id, (one.id, other.id), self.id).await? {
            // another request has created the conversation in the meantime
            return match conversations::direct(c, one.id, other.id).await? {
                Some(id) => existing_direct(c, id).await,
                None => conflict("the direct message was just deleted"),
            };
        }
        self.insert(c, members, None).await
    }
}

/// Returns the direct conversation of two people. Creates it if there is none.
///
/// # Errors
/// Errors of [`CompanyCaller::create_conversation`] for a direct conversation.
pub(in crate::service) async fn direct_message<C: Sql>(
    c: &mut C,
    stamp: &Stamp,
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
    let create = CreateConversation {
        stamp: stamp.clone(),
        id,
        right: Right::Person(one),
        workspace,
        new,
        key_hash: None,
    };
    create.run(c).await
}

/// Returns an existing direct conversation, with its number of active members.
async fn existing_direct<C: ReadSql>(c: &mut C, id: ConversationId) -> Result<Conversation> {
    match conversations::by_id(c, id).await? {
        Some(mut conversation) => {
            conversation_lists::count_direct(c, std::slice::from_mut(&mut conversation)).await?;
            Ok(conversation)
        }
        None => Err(StoreError::bug(format!("direct conversation {} is missing", id.0)).into()),
    }
}

/// Rejects the request if a member is deactivated or removed.
fn all_active(members: &[User]) -> Result<()> {
    if members.iter().all(|user| user.state.is_active()) {
        return Ok(());
    }
    conflict("a member is deactivated or removed")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::testing::{Recorded, Team, TestWorld, world};

    /// Creates a private group, or a channel of `group`, with `number` people and `number` bots of the team. Returns
    /// the names of the statements that were run, and the conversation.
    async fn create(
        world: &TestWorld,
        team: &Team,
        right: Right,
        group: Option<ConversationId>,
        number: usize,
    ) -> (Vec<&'static str>, Conversation) {
        let members = team.people.iter().take(number).chain(team.bots.iter().take(number));
        let new = NewConversation {
            kind: if group.is_some() { ConversationKind::Channel } else { ConversationKind::Group },
            parent: group.map(|group| Some((ConversationKind::Group, group))),
            name: Some("Works".into()),
            topic: None,
            is_private: group.is_none().then_some(true),
            announcement_only: None,
            members: members.map(|user| Some(user.id)).collect(),
        };
        let stamp = world.stamp();
        let id = ConversationId(stamp.id().unwrap());
        let create = CreateConversation { stamp, id, right, workspace: team.company, new, key_hash: None };
        world.db.write(Recorded(create)).await.unwrap()
    }

    #[tokio::test]
    async fn adding_ten_members_takes_as_many_statements_as_adding_one() {
        let world = world().await;
        let team = world.team(10, 10).await;
        let mut statements = Vec::new();
        for number in [1, 10] {
            let (of_group, group) = create(&world, &team, Right::Operator, None, number).await;
            assert_eq!(usize::try_from(group.active_members), Ok(number));
            // the members of the channel join its group
            let (_, empty) = create(&world, &team, Right::Operator, None, 0).await;
            let (of_channel, channel) = create(&world, &team, Right::Operator, Some(empty.id), number).await;
            assert_eq!(usize::try_from(channel.active_members), Ok(number));
            statements.push((of_group.len(), of_channel.len()));
        }
        assert_eq!(statements[1], statements[0]);
        let of_first = world.changes_for(&team.bots[0]).await;
        assert_eq!(of_first.len(), 6, "two groups, and two channels with their groups: {of_first:?}");
        let of_last = world.changes_for(&team.bots[9]).await;
        let changes: Vec<_> = of_last.iter().map(|(kind, id)| (kind.as_str(), &id[..4])).collect();
        let added = |prefix| ("conversation.created", prefix);
        assert_eq!(
            changes,
            [added("grp_"), added("grp_"), added("chn_")],
            "members join the group before its channel"
        );
    }

    #[tokio::test]
    async fn checking_ten_members_of_a_private_group_takes_as_many_statements_as_checking_one() {
        let world = world().await;
        let team = world.team(10, 10).await;
        let (_, group) = create(&world, &team, Right::Operator, None, 10).await;
        let right = Right::Person(team.people[0].id);
        let (of_one, _) = create(&world, &team, right, Some(group.id), 1).await;
        let (of_ten, channel) = create(&world, &team, right, Some(group.id), 10).await;
        assert_eq!(of_ten.len(), of_one.len(), "{of_ten:?}");
        assert_eq!(channel.active_members, 10);
    }
}
