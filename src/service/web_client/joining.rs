//! Listing and joining open groups and channels. Everybody in the company except guests may join an open group or
//! channel.
//!
//! A page lists the groups from the newest to the oldest. The channels of a group are in the order of their creation.
//! The cursor is the last group or channel that was read for the page, even if the page does not contain it. So a
//! client that requests page after page gets every group and channel that the person may join and is not in, although
//! pages can be short ([`MAX_SCANNED`]).

use std::collections::HashMap;

use crate::{
    domain::{
        cursor::{self, CursorScope},
        ids::{ConversationId, UserId, WorkspaceId},
        refusal::Code,
        search::words,
    },
    service::{
        Stamp,
        callers::Person,
        conflict,
        conversations::{
            ConversationView, NamedConversation,
            membership::{self, MembershipNotice},
        },
        refuse, view,
    },
    store::{
        Op, ReadOp, ReadSql, Result, Sql,
        conversations::{self, Conversation},
        listed::{self, OpenConversation},
        users::{self, User},
    },
};

/// Batch size for reading groups if names are searched. Without a search, a batch has one group more than a page.
const BATCH: usize = 100;
/// Maximum number of channels that are read with each group of a batch. These are the channels that were created first.
const FIRST_CHANNELS: usize = 50;
/// Batch size for reading further channels of a group if names are searched. Without a search, it is
/// [`FIRST_CHANNELS`].
const MORE_CHANNELS: usize = 500;
/// A page ends when this number of groups and channels has been read, even if the page is short or empty. The last
/// batch of a page can exceed this number.
const MAX_SCANNED: usize = 5_000;
/// A page ends when the number of its channels reaches the maximum number of its groups, multiplied by this factor.
const CHANNELS_PER_GROUP: usize = 10;

view! {
    /// A group or channel that everybody in the company may join, except guests.
    OpenConversationView of OpenConversation {
        id: ConversationId,
        name: String,
        topic: Option<String>,
        /// Number of active people among the members.
        active_members: i64,
        /// Whether the person is a member.
        is_member: bool,
    }
}

/// An open group, and those of its channels that the person may join and is not in. The person is a member of the group
/// or may join it. The next page can continue with further channels of the same group.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenGroup {
    pub group: OpenConversationView,
    pub channels: Vec<OpenConversationView>,
}

/// A page of open groups. The group that was created last is first. A page can be empty even if it is not the last
/// page.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenGroups {
    pub items: Vec<OpenGroup>,
    /// `None` on the last page.
    pub next_cursor: Option<String>,
}

impl Person<'_> {
    /// Lists the groups and channels that the person may join and is not in. The list is empty for guests. If the
    /// person is already in a group, the group is listed only if the person may join one of its channels.
    ///
    /// With `name`, lists only groups and channels that match, and the groups of channels that match. A group or
    /// channel matches if each word in `name` is a prefix of a word in its own name. A channel also matches if its
    /// group matches.
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
        let after = self.world().position(&scope, cursor, i64::MAX)?;
        let op = ListOpen {
            reader: self.user_id(),
            company: self.company_id(),
            words: words(name.unwrap_or_default()),
            after: cursor.map(|_| ConversationId(after)),
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
    /// - `conversation_not_found` for a conversation that does not exist, and for a direct conversation.
    /// - `conversation_not_found` for a private conversation of which the person is not a member, and for a guest who
    ///   is not a member.
    /// - `conflict` for an archived conversation.
    pub async fn join(self, id: NamedConversation) -> Result<ConversationView> {
        let stamp = self.world().stamp();
        let op = Join { stamp, reader: self.user_id(), company: self.company_id(), id };
        Ok(self.caller().write(op).await?.into())
    }
}

struct ListOpen {
    reader: UserId,
    company: WorkspaceId,
    words: Vec<String>,
    /// The group or channel with which the previous page ended; `None` for the first page.
    after: Option<ConversationId>,
    limit: usize,
}

/// A page that is being read.
#[derive(Default)]
struct OpenPage {
    found: Vec<OpenGroup>,
    /// Number of channels in `found`.
    channels: usize,
    /// Number of groups and channels read.
    scanned: usize,
}

impl ReadOp for ListOpen {
    const NAME: &'static str = "list_open_conversations";
    const REPLICA: bool = true;
    /// The groups, and the group or channel with which the page ends. The id is `None` on the last page.
    type Out = (Vec<OpenGroup>, Option<ConversationId>);

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let mut page = OpenPage::default();
        if users::by_id(c, self.reader).await?.is_none_or(|user| user.is_external) {
            return Ok((page.found, None));
        }
        let end = self.read(c, &mut page).await?;
        Ok((page.found, end))
    }
}

impl ListOpen {
    /// Reads a page, and returns the group or channel with which the page ends; `None` on the last page.
    async fn read<C: ReadSql>(&self, c: &mut C, page: &mut OpenPage) -> Result<Option<ConversationId>> {
        let mut before = ConversationId(i64::MAX);
        if let Some(after) = self.after {
            before = after;
            if let Some(parent) = conversations::by_id(c, after).await?.and_then(|last| last.parent_id) {
                before = parent;
                if let Some(end) = self.continue_group(c, parent, after, page).await? {
                    return Ok(Some(end));
                }
            }
        }
        let batch = if self.words.is_empty() { self.limit.saturating_add(1) } else { BATCH };
        loop {
            let groups = listed::open_groups(c, self.company, self.reader, before, limit(batch)).await?;
            let is_last = groups.len() < batch;
            let mut channels = self.first_channels(c, &groups).await?;
            for group in groups {
                if self.is_full(page) {
                    return Ok(Some(before));
                }
                before = group.id;
                let first = channels.remove(&group.id).unwrap_or_default();
                let last = first.last().map(|channel| channel.id).filter(|_| first.len() >= FIRST_CHANNELS);
                let group = OpenConversationView::from(group);
                self.offer(&group, first, true, page);
                if let Some(last) = last
                    && let Some(end) = self.more_channels(c, &group, last, page).await?
                {
                    return Ok(Some(end));
                }
            }
            if is_last {
                return Ok(None);
            }
            if page.scanned >= MAX_SCANNED {
                return Ok(Some(before));
            }
        }
    }

    /// Reads the channels of `group` after `after`, the channel with which the previous page ended. Reads nothing if
    /// the group is no longer open. If the page ends before the last channel of the group, returns the last channel
    /// that was read.
    async fn continue_group<C: ReadSql>(
        &self,
        c: &mut C,
        group: ConversationId,
        after: ConversationId,
        page: &mut OpenPage,
    ) -> Result<Option<ConversationId>> {
        let following = ConversationId(group.0.saturating_add(1));
        // the newest open group with an id below `following` is `group`, unless `group` is no longer open
        let found = listed::open_groups(c, self.company, self.reader, following, 1).await?.pop();
        match found.filter(|found| found.id == group) {
            Some(group) => self.more_channels(c, &group.into(), after, page).await,
            None => Ok(None),
        }
    }

    /// Reads the channels of `group` after `after`. If the page ends before the last channel of the group, returns the
    /// last channel that was read.
    async fn more_channels<C: ReadSql>(
        &self,
        c: &mut C,
        group: &OpenConversationView,
        mut after: ConversationId,
        page: &mut OpenPage,
    ) -> Result<Option<ConversationId>> {
        loop {
            if page.scanned >= MAX_SCANNED || self.has_enough_channels(page) {
                return Ok(Some(after));
            }
            let batch = if self.words.is_empty() { FIRST_CHANNELS } else { MORE_CHANNELS };
            let more = listed::channels_after(c, self.reader, group.id, after, limit(batch)).await?;
            let is_last = more.len() < batch;
            after = more.last().map_or(after, |last| last.id);
            self.offer(group, more, false, page);
            if is_last {
                return Ok(None);
            }
        }
    }

    async fn first_channels<C: ReadSql>(
        &self,
        c: &mut C,
        groups: &[OpenConversation],
    ) -> Result<HashMap<ConversationId, Vec<OpenConversation>>> {
        let ids: Vec<ConversationId> = groups.iter().map(|group| group.id).collect();
        let mut channels: HashMap<_, Vec<OpenConversation>> = HashMap::new();
        if !ids.is_empty() {
            for channel in listed::channels_of(c, self.reader, &ids, limit(FIRST_CHANNELS)).await? {
                channels.entry(channel.parent_id.unwrap_or(channel.id)).or_default().push(channel);
            }
        }
        for of_group in channels.values_mut() {
            of_group.sort_unstable_by_key(|channel| channel.id);
        }
        Ok(channels)
    }

    fn is_full(&self, page: &OpenPage) -> bool {
        page.found.len() >= self.limit || self.has_enough_channels(page)
    }

    const fn has_enough_channels(&self, page: &OpenPage) -> bool {
        page.channels >= self.limit.saturating_mul(CHANNELS_PER_GROUP)
    }

    /// Adds a group and some of its channels to the page.
    ///
    /// Omits channels that the person is in. If the name of the group does not match the search, also omits channels
    /// whose names do not match the search. If no channel is left, the group is added only if its name matches and the
    /// person is not in the group.
    ///
    /// `is_first` is `true` in the first call for a group. In further calls for the same group, on this page or on the
    /// next, the group is not counted again, and is not added without channels.
    fn offer(
        &self,
        group: &OpenConversationView,
        channels: Vec<OpenConversation>,
        is_first: bool,
        page: &mut OpenPage,
    ) {
        let matches = |name: &str| {
            let name = words(name);
            self.words.iter().all(|word| name.iter().any(|found| found.starts_with(word)))
        };
        page.scanned += channels.len() + usize::from(is_first);
        let group_matches = matches(&group.name);
        let is_offered =
            |channel: &OpenConversation| !channel.is_member && (group_matches || matches(&channel.name));
        let channels: Vec<_> =
            channels.into_iter().filter(is_offered).map(OpenConversationView::from).collect();
        page.channels += channels.len();
        match page.found.last_mut() {
            Some(last) if last.group.id == group.id => last.channels.extend(channels),
            _ if !channels.is_empty() || (is_first && group_matches && !group.is_member) => {
                page.found.push(OpenGroup { group: group.clone(), channels });
            }
            _ => {}
        }
    }
}

fn limit(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

struct Join {
    stamp: Stamp,
    reader: UserId,
    company: WorkspaceId,
    id: NamedConversation,
}

impl Join {
    /// Returns the conversation. Refuses a private conversation of which the person is not a member, and a conversation
    /// that does not exist in the company.
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
        // checked before anything is locked, so that a person cannot delay the writes of a conversation that the person
        // may not join
        let id = self.open(c).await?.id;
        // The person is locked before the conversation, because an admin's request that adds a member locks both in
        // this order. With another order here, the two requests could deadlock.
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
        let group = membership::group_of(c, &conversation).await?;
        let joined: Vec<_> = group.iter().chain([&conversation]).collect();
        membership::join(c, &self.stamp, &joined, &[user], MembershipNotice::Post).await?;
        Ok(conversation)
    }
}
