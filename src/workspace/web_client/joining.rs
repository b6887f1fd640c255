//! Groups and channels that everyone in a company except guests may join.

use crate::{
    domain::{
        cursor::{self, CursorScope},
        ids::{ConversationId, UserId, WorkspaceId},
        refusal::Code,
        search::words,
    },
    store::{
        Op, ReadOp, ReadSql, Result, Sql,
        conversations::{self, Conversation},
        listed::{self, OpenConversation},
        users::{self, User},
    },
    workspace::{
        Stamp,
        callers::Person,
        conflict,
        conversations::{
            ConversationView, NamedConversation,
            membership::{self, MembershipNotice},
        },
        refuse, view,
    },
};

/// Number of groups read at a time if names are searched; otherwise one page is read.
const BATCH: usize = 200;
/// Maximum number of groups read for one page; a page that reaches it may be short.
const MAX_SCANNED: usize = 1_000;
/// Maximum number of channels of each group that are read: those created first.
const MAX_CHANNELS: i64 = 50;

view! {
    /// A group or channel that everyone in the company except guests may join.
    OpenConversationView of OpenConversation {
        id: ConversationId,
        name: String,
        topic: Option<String>,
        /// Number of active people.
        active_members: i64,
        /// Whether the person is a member.
        is_member: bool,
    }
}

/// An open group with those of its channels that the person may join and is not in. The person is a member of the group
/// or may join it.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenGroup {
    pub group: OpenConversationView,
    pub channels: Vec<OpenConversationView>,
}

/// A page of open groups, the latest created first.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenGroups {
    pub items: Vec<OpenGroup>,
    /// `None` on the last page.
    pub next_cursor: Option<String>,
}

impl Person<'_> {
    /// Lists the groups and channels that the person may join and is not in; none for guests. A group that the person
    /// is in is listed if it has such channels. Each word in `name` must be a prefix of a word in the name of the group
    /// or the channel.
    ///
    /// # Errors
    /// `invalid_cursor`.
    pub async fn list_open(
        self,
        name: Option<&str>,
        limit: usize,
        cursor: Option<&str>,
    ) -> Result<OpenGroups> {
        let scope = CursorScope {
            endpoint: "web.open",
            owner: self.user_id().0,
            conversation: None,
            filter: name.unwrap_or_default(),
        };
        let before = self.world().position(&scope, cursor, i64::MAX)?;
        let op = ListOpen {
            reader: self.user_id(),
            company: self.company_id(),
            words: words(name.unwrap_or_default()),
            before: ConversationId(before),
            limit,
        };
        let (items, next) = self.world().db.scan(op).await?;
        let next_cursor = next.map(|next| cursor::encode(&self.world().keys.cursors, &scope, next.0));
        Ok(OpenGroups { items, next_cursor })
    }

    /// Makes the person a member of an open group, or of an open channel and its group. Posts a system message in each
    /// conversation that the person joins. Does nothing for a member.
    ///
    /// # Errors
    /// `conversation_not_found` for a conversation that does not exist, a direct message, and, unless the person is a
    /// member already, for a private conversation and for guests; `conflict` for an archived conversation.
    pub async fn join(self, id: NamedConversation) -> Result<ConversationView> {
        let at = self.world().stamp();
        let op = Join { at, reader: self.user_id(), company: self.company_id(), id };
        Ok(self.caller().write(op).await?.into())
    }
}

struct ListOpen {
    reader: UserId,
    company: WorkspaceId,
    words: Vec<String>,
    before: ConversationId,
    limit: usize,
}

impl ReadOp for ListOpen {
    const NAME: &'static str = "list_open_conversations";
    const REPLICA: bool = true;
    /// The groups, and where the next page begins.
    type Out = (Vec<OpenGroup>, Option<ConversationId>);

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let (mut found, mut before, mut scanned) = (Vec::new(), self.before, 0);
        if users::by_id(c, self.reader).await?.is_none_or(|user| user.is_external) {
            return Ok((found, None));
        }
        let batch = if self.words.is_empty() { self.limit.saturating_add(1) } else { BATCH };
        loop {
            let limit = i64::try_from(batch).unwrap_or(i64::MAX);
            let groups = listed::open_groups(c, self.company, self.reader, before, limit).await?;
            let is_last = groups.len() < batch;
            scanned += groups.len();
            for group in self.with_channels(c, groups).await? {
                if found.len() >= self.limit {
                    return Ok((found, Some(before)));
                }
                before = group.group.id;
                found.extend(self.offered(group));
            }
            if is_last {
                return Ok((found, None));
            }
            if scanned >= MAX_SCANNED {
                return Ok((found, Some(before)));
            }
        }
    }
}

impl ListOpen {
    async fn with_channels<C: ReadSql>(
        &self,
        c: &mut C,
        groups: Vec<OpenConversation>,
    ) -> Result<Vec<OpenGroup>> {
        let ids: Vec<ConversationId> = groups.iter().map(|group| group.id).collect();
        let mut channels = if ids.is_empty() {
            Vec::new()
        } else {
            listed::channels_of(c, self.reader, &ids, MAX_CHANNELS).await?
        };
        channels.sort_unstable_by_key(|channel| channel.id);
        let of = |group: OpenConversation| {
            let own = channels.iter().filter(|channel| channel.parent_id == Some(group.id));
            let channels = own.cloned().map(OpenConversationView::from).collect();
            OpenGroup { group: group.into(), channels }
        };
        Ok(groups.into_iter().map(of).collect())
    }

    /// Removes the channels that the person is in or that do not match, and returns the group if it is to be listed.
    fn offered(&self, mut open: OpenGroup) -> Option<OpenGroup> {
        let named = |name: &str| {
            let name = words(name);
            self.words.iter().all(|word| name.iter().any(|found| found.starts_with(word)))
        };
        let is_named = named(&open.group.name);
        open.channels.retain(|channel| !channel.is_member && (is_named || named(&channel.name)));
        let is_offered = !open.channels.is_empty() || (!open.group.is_member && is_named);
        is_offered.then_some(open)
    }
}

struct Join {
    at: Stamp,
    reader: UserId,
    company: WorkspaceId,
    id: NamedConversation,
}

impl Join {
    /// Returns the conversation if it is not private or the person is a member.
    async fn open<C: ReadSql>(&self, c: &mut C) -> Result<Conversation> {
        let Some((kind, id)) = self.id.filter(|(kind, _)| !kind.is_dm()) else {
            return refuse(Code::ConversationNotFound);
        };
        let found = conversations::by_id(c, id).await?.filter(|conversation| {
            conversation.workspace_id == self.company
                && conversation.kind == kind
                && conversation.deleted_at.is_none()
        });
        let Some(conversation) = found else { return refuse(Code::ConversationNotFound) };
        let member = conversations::member(c, id, self.reader).await?;
        if conversation.is_private && member.is_none_or(|member| member.left_at.is_some()) {
            return refuse(Code::ConversationNotFound);
        }
        Ok(conversation)
    }

    async fn person<C: Sql>(&self, c: &mut C) -> Result<User> {
        match users::by_id_for_update(c, self.reader).await? {
            Some(user) => Ok(user),
            None => refuse(Code::ConversationNotFound),
        }
    }
}

impl Op for Join {
    const NAME: &'static str = "join_conversation";
    type Out = Conversation;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Conversation> {
        // checked before the locks, so that nobody can delay the writes of a conversation that they may not join
        let id = self.open(c).await?.id;
        // locks the person before the conversation, in the same order as when an admin adds a member
        let user = self.person(c).await?;
        conversations::lock(c, id).await?;
        let conversation = self.open(c).await?;
        let member = conversations::member(c, id, user.id).await?;
        if member.is_some_and(|member| member.left_at.is_none()) {
            return Ok(conversation);
        }
        if user.is_external {
            return refuse(Code::ConversationNotFound);
        }
        if conversation.archived_at.is_some() {
            return conflict("this group is archived, so nobody can join it");
        }
        if let Some(group) = membership::group_of(c, &conversation).await? {
            membership::join(c, &self.at, &group, &user, MembershipNotice::Post).await?;
        }
        membership::join(c, &self.at, &conversation, &user, MembershipNotice::Post).await?;
        Ok(conversation)
    }
}
