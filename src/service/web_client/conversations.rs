//! The list of a person's conversations, with the numbers of unread messages.
//!
//! The list is sorted by the newest message, and no index has this order. So all conversations of the person are read,
//! but at most the [`MAX_SCANNED`] conversations that were created last. Times, numbers of unread messages and the
//! other users of direct conversations are read for the returned page only. There is one exception: a filter by name
//! reads the other users of all direct conversations.

use std::collections::HashMap;

use super::open;
use crate::{
    domain::{
        conversation::ConversationKind,
        cursor::{self, CursorScope},
        ids::{ConversationId, MessageId, UserId},
        search::words,
        time::Timestamp,
    },
    service::{callers::Person, conversations::NamedConversation, employee::Employee},
    store::{
        Error, ReadOp, ReadSql, Result, employee,
        listed::{self, DirectWith, ListedConversation},
        unread::{self, UnreadOf},
    },
};

/// Maximum number of conversations that are read and sorted for a list. If a person is in more conversations, those
/// that were created last are read.
pub const MAX_SCANNED: usize = 5_000;
/// Batch size for reading conversations, and for reading the other users of direct conversations.
const BATCH: usize = 1_000;

/// Which conversations are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConversationFilter {
    /// Each word of this text must be a prefix of a word in one of these texts: the conversation's name, its topic, the
    /// name of a channel's group, and the name of the other user of a direct conversation.
    pub name: Option<String>,
    /// If `true`, only archived conversations are listed. If `false`, only conversations that are not archived.
    pub is_archived: bool,
}

/// A conversation of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct ConversationEntry {
    pub kind: ConversationKind,
    pub id: ConversationId,
    /// The group of a channel.
    pub parent_id: Option<ConversationId>,
    /// `None` for direct conversations.
    pub name: Option<String>,
    pub topic: Option<String>,
    /// The other user of a direct conversation. `None` if the user is a guest hidden from members, and for groups and
    /// channels.
    pub with: Option<EntryPerson>,
    pub is_private: bool,
    pub announcement_only: bool,
    pub is_archived: bool,
    /// Number of unread messages, at most [`unread::MAX_COUNTED`].
    pub unread: i64,
    /// Time of the newest message that the person may see. `None` if there is no such message, and in the result of
    /// [`Person::sidebar`].
    pub latest: Option<Timestamp>,
    /// Sort key of the list: the id of the newest message or the id of the conversation, whichever is higher.
    sort_key: i64,
}

/// The other user of a direct conversation: a person or a bot.
#[derive(Clone, Debug, PartialEq)]
pub struct EntryPerson {
    pub id: UserId,
    pub name: String,
    pub is_bot: bool,
}

/// A group, and the channels of the group that are on the same page.
#[derive(Clone, Debug, PartialEq)]
pub struct EntryGroup {
    /// The group. If the group is not among the conversations that were read, `head` is one of the group's channels,
    /// and `channels` is empty.
    pub head: ConversationEntry,
    pub channels: Vec<ConversationEntry>,
}

/// A page of conversations.
#[derive(Clone, Debug, PartialEq)]
pub struct ConversationListPage {
    /// Sorted by the newest message in the group or in one of its channels on the page, newest first.
    pub groups: Vec<EntryGroup>,
    /// Sorted by the newest message, newest first. The exception is the result of [`Person::sidebar`]: if the open
    /// conversation is not among the first `limit` conversations, it is last.
    pub direct: Vec<ConversationEntry>,
    /// `None` on the last page.
    pub next_cursor: Option<String>,
    /// Whether the list is possibly incomplete, because the person is in at least [`MAX_SCANNED`] conversations.
    pub is_cut: bool,
}

impl Person<'_> {
    /// Returns the conversations that are listed beside a page of the web client: up to `limit` conversations with the
    /// newest messages, the groups of the channels among them, and the conversation `open`, which the page shows. Omits
    /// archived conversations, except `open`.
    ///
    /// # Errors
    /// Store errors.
    pub async fn sidebar(self, limit: usize, open: Option<ConversationId>) -> Result<ConversationListPage> {
        let filter = ConversationFilter::default();
        let op = ListPersonConversations {
            reader: self.user_id(),
            filter,
            before: i64::MAX,
            limit,
            open,
            times: false,
            marks: self.world().marks_of(self.user_id()),
        };
        Ok(self.world().db.read(op).await?.page(None))
    }

    /// Lists the person's conversations. The conversation with the newest message is first.
    ///
    /// # Errors
    /// `invalid_cursor`.
    pub async fn list_conversations(
        self,
        filter: ConversationFilter,
        limit: usize,
        cursor: Option<&str>,
    ) -> Result<ConversationListPage> {
        let filter_key = format!("{filter:?}");
        let scope = CursorScope {
            endpoint: "web.conversations",
            owner: self.user_id().0,
            conversation: None,
            filter: &filter_key,
        };
        let before = self.world().position(&scope, cursor, i64::MAX)?;
        let filters_by_name = filter.name.is_some();
        let op = ListPersonConversations {
            reader: self.user_id(),
            filter,
            before,
            limit,
            open: None,
            times: true,
            marks: self.world().marks_of(self.user_id()),
        };
        let db = &self.world().db;
        // a filter by name can be slow, because it reads the names of all conversations
        let listed = if filters_by_name { db.scan(op).await? } else { db.read(op).await? };
        let next = listed.next.map(|next| cursor::encode(&self.world().keys.cursors, &scope, next));
        Ok(listed.page(next))
    }

    /// Returns the ids and names of groups of which the person is a member: the `limit` groups with the newest
    /// messages. Omits archived and deleted groups.
    ///
    /// # Errors
    /// Store errors.
    pub async fn own_groups(self, limit: usize) -> Result<Vec<(ConversationId, String)>> {
        self.world().db.read(FindOwnGroups { reader: self.user_id(), limit }).await
    }

    /// Returns `opened` if the person is in this conversation and the conversation is not archived. Otherwise, returns
    /// the conversation that has the newest of all messages that the person has read. Returns `None` if the person has
    /// read no message. Ignores archived and deleted conversations.
    ///
    /// # Errors
    /// Store errors.
    pub async fn last_conversation(self, opened: NamedConversation) -> Result<NamedConversation> {
        let marks = self.world().marks_of(self.user_id());
        self.world().db.read(FindLastConversation { employee: self.into(), opened, marks }).await
    }
}

/// Returns the conversations of a person, and whether the scan stopped at [`MAX_SCANNED`]. Omits deleted conversations.
async fn scan<C: ReadSql>(c: &mut C, reader: UserId) -> Result<(Vec<ListedConversation>, bool)> {
    let (mut found, mut before, mut scanned) = (Vec::new(), ConversationId(i64::MAX), 0);
    loop {
        let batch = listed::of_member(c, reader, before, limit(BATCH)).await?;
        scanned += batch.len();
        let is_last = batch.len() < BATCH;
        before = batch.last().map_or(before, |last| last.id);
        found.extend(batch.into_iter().filter(|row| !row.is_deleted));
        if is_last || scanned >= MAX_SCANNED {
            return Ok((found, !is_last));
        }
    }
}

fn limit(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Returns the [sort key](ConversationEntry::sort_key) of a conversation.
fn sort_key(row: &ListedConversation) -> i64 {
    row.newest_id.0.max(row.id.0)
}

struct FindLastConversation {
    employee: Employee,
    opened: NamedConversation,
    /// Read positions that are not stored yet: for each conversation, the last message that the person has read.
    marks: HashMap<ConversationId, MessageId>,
}

impl ReadOp for FindLastConversation {
    const NAME: &'static str = "find_last_conversation";
    const REPLICA: bool = true;
    type Out = NamedConversation;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<NamedConversation> {
        if self.opened.is_some() {
            match open(c, self.employee, self.opened).await {
                Ok((opened, _)) if opened.archived_at.is_none() => return Ok(self.opened),
                Ok(_) | Err(Error::Refused(_)) => {}
                Err(error) => return Err(error),
            }
        }
        let (rows, _) = scan(c, self.employee.user_id).await?;
        let read_id = |row: &ListedConversation| {
            self.marks.get(&row.id).map_or(row.read_id, |mark| row.read_id.max(*mark))
        };
        let read = rows.into_iter().filter(|row| read_id(row).0 > 0 && !row.is_archived);
        Ok(read.max_by_key(read_id).map(|row| (row.kind, row.id)))
    }
}

struct FindOwnGroups {
    reader: UserId,
    limit: usize,
}

impl ReadOp for FindOwnGroups {
    const NAME: &'static str = "find_own_groups";
    const REPLICA: bool = true;
    type Out = Vec<(ConversationId, String)>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let (mut rows, _) = scan(c, self.reader).await?;
        rows.retain(|row| row.kind == ConversationKind::Group && !row.is_archived);
        rows.sort_unstable_by_key(|row| std::cmp::Reverse(sort_key(row)));
        rows.truncate(self.limit);
        Ok(rows.into_iter().map(|row| (row.id, row.name.unwrap_or_default())).collect())
    }
}

struct ListPersonConversations {
    reader: UserId,
    filter: ConversationFilter,
    /// Only conversations with a sort key below this key.
    before: i64,
    limit: usize,
    /// A conversation that is listed even if it is archived or not among the first `limit` conversations.
    open: Option<ConversationId>,
    /// Whether to read the times of the newest messages.
    times: bool,
    /// Read positions that are not stored yet: for each conversation, the last message that the person has read.
    marks: HashMap<ConversationId, MessageId>,
}

/// The result of [`ListPersonConversations`].
struct ListedConversations {
    entries: Vec<ConversationEntry>,
    /// Groups that are not on the page, but have channels on the page.
    heads: Vec<ConversationEntry>,
    /// The sort key of the last conversation on the page; `None` on the last page.
    next: Option<i64>,
    is_cut: bool,
}

impl ReadOp for ListPersonConversations {
    const NAME: &'static str = "list_person_conversations";
    const REPLICA: bool = true;
    type Out = ListedConversations;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<ListedConversations> {
        let (rows, is_cut) = scan(c, self.reader).await?;
        let is_open = |row: &ListedConversation| Some(row.id) == self.open;
        let mut page: Vec<&ListedConversation> =
            rows.iter().filter(|row| row.is_archived == self.filter.is_archived || is_open(row)).collect();
        if let Some(name) = &self.filter.name {
            page = self.named(c, name, page, &rows).await?;
        }
        page.sort_unstable_by_key(|row| std::cmp::Reverse(sort_key(row)));
        let open = page.iter().copied().find(|row| is_open(row));
        page.retain(|row| sort_key(row) < self.before);
        let next = page.get(self.limit).is_some().then(|| page.get(self.limit.saturating_sub(1))).flatten();
        let next = next.map(|row| sort_key(row));
        page.truncate(self.limit);
        if let Some(open) = open.filter(|open| !page.iter().any(|row| row.id == open.id)) {
            page.push(open);
        }
        let is_missing = |row: &&ListedConversation| !page.iter().any(|other| other.id == row.id);
        let parents: Vec<ConversationId> = page.iter().filter_map(|row| row.parent_id).collect();
        let heads: Vec<&ListedConversation> =
            rows.iter().filter(|row| parents.contains(&row.id)).filter(is_missing).collect();
        let entries = self.entries(c, &page).await?;
        let heads = self.entries(c, &heads).await?;
        Ok(ListedConversations { entries, heads, next, is_cut })
    }
}

impl ListPersonConversations {
    /// Returns the conversations of `rows` that match the filter `wanted` ([`ConversationFilter::name`]). `all` also
    /// contains the groups of the channels in `rows`.
    async fn named<'a, C: ReadSql>(
        &self,
        c: &mut C,
        wanted: &str,
        rows: Vec<&'a ListedConversation>,
        all: &[ListedConversation],
    ) -> Result<Vec<&'a ListedConversation>> {
        let with = self.with(c, &rows).await?;
        let names: HashMap<ConversationId, &str> =
            all.iter().filter_map(|row| Some((row.id, row.name.as_deref()?))).collect();
        let wanted = words(wanted);
        let matches = |row: &&ListedConversation| {
            let group = row.parent_id.and_then(|id| names.get(&id).copied());
            let person = with.get(&row.id).map(|with| with.name.as_str());
            let texts = [row.name.as_deref(), row.topic.as_deref(), group, person];
            let found: Vec<String> = texts.into_iter().flatten().flat_map(words).collect();
            wanted.iter().all(|word| found.iter().any(|text| text.starts_with(word)))
        };
        Ok(rows.into_iter().filter(matches).collect())
    }

    /// Returns the other user of each direct conversation among `rows`. Omits guests hidden from members.
    async fn with<C: ReadSql>(
        &self,
        c: &mut C,
        rows: &[&ListedConversation],
    ) -> Result<HashMap<ConversationId, DirectWith>> {
        let direct: Vec<ConversationId> =
            rows.iter().filter(|row| row.kind.is_dm()).map(|row| row.id).collect();
        let mut with = HashMap::new();
        for some in direct.chunks(BATCH) {
            let found = listed::direct_partners(c, self.reader, some).await?;
            with.extend(found.into_iter().map(|with| (with.conversation_id, with)));
        }
        Ok(with)
    }

    /// Reads the unread counts, the other users and, if requested, the times of the given conversations, and returns
    /// their entries.
    async fn entries<C: ReadSql>(
        &self,
        c: &mut C,
        rows: &[&ListedConversation],
    ) -> Result<Vec<ConversationEntry>> {
        let mut with = self.with(c, rows).await?;
        let has_newer = |row: &&&ListedConversation| row.newest_id > row.read_id;
        let mark = |id: &ConversationId| self.marks.get(id).copied().unwrap_or(MessageId(0));
        let pairs: Vec<_> = rows
            .iter()
            .filter(has_newer)
            .map(|row| UnreadOf { user: self.reader, conversation: row.id, mark: mark(&row.id) })
            .collect();
        let counts = unread::counts(c, &pairs).await?;
        let counts: HashMap<ConversationId, i64> =
            counts.into_iter().map(|(_, id, number)| (id, number)).collect();
        let ids: Vec<ConversationId> = rows.iter().map(|row| row.id).collect();
        let latest = if self.times && !ids.is_empty() {
            employee::latest(c, self.reader, &ids).await?
        } else {
            Vec::new()
        };
        let latest: HashMap<ConversationId, Option<Timestamp>> = latest.into_iter().collect();
        let entry = |row: &&ListedConversation| {
            let person =
                |with: DirectWith| EntryPerson { id: with.user_id, name: with.name, is_bot: with.is_bot };
            ConversationEntry {
                kind: row.kind,
                id: row.id,
                parent_id: row.parent_id,
                name: row.name.clone(),
                topic: row.topic.clone(),
                with: with.remove(&row.id).map(person),
                is_private: row.is_private,
                announcement_only: row.announcement_only,
                is_archived: row.is_archived,
                unread: counts.get(&row.id).copied().unwrap_or_default(),
                latest: latest.get(&row.id).copied().flatten(),
                sort_key: sort_key(row),
            }
        };
        Ok(rows.iter().map(entry).collect())
    }
}

impl ListedConversations {
    /// Returns the page. Puts each channel into its group.
    fn page(self, next_cursor: Option<String>) -> ConversationListPage {
        let mut groups: Vec<EntryGroup> = Vec::new();
        let (mut channels, mut direct) = (Vec::new(), Vec::new());
        for entry in self.entries.into_iter().chain(self.heads) {
            match entry.kind {
                ConversationKind::Group => groups.push(EntryGroup { head: entry, channels: Vec::new() }),
                ConversationKind::Channel => channels.push(entry),
                ConversationKind::Dm => direct.push(entry),
            }
        }
        for channel in channels {
            match groups.iter_mut().find(|group| Some(group.head.id) == channel.parent_id) {
                Some(group) => group.channels.push(channel),
                // the group is not among the conversations that were read
                None => groups.push(EntryGroup { head: channel, channels: Vec::new() }),
            }
        }
        let newest = |group: &EntryGroup| {
            group.channels.iter().map(|channel| channel.sort_key).chain([group.head.sort_key]).max()
        };
        groups.sort_by_key(|group| std::cmp::Reverse(newest(group)));
        ConversationListPage { groups, direct, next_cursor, is_cut: self.is_cut }
    }
}
