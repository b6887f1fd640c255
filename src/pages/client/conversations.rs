//! `/conversations`: lists the person's conversations, and the open groups and channels that the person can join.

use askama::Template;
use poem::http::StatusCode;

use super::shell::{self, ClientShell, SideItem};
use crate::{
    domain::{conversation::ConversationKind, ids::ConversationId, refusal::Code, time::Timestamp},
    pages::{
        Outcome, Pages, answer,
        context::PageContext,
        error_page::PageError,
        labels,
        local_time::{LocalTime, short_time},
    },
    service::{
        Error,
        web_client::{
            conversations::{
                ConversationEntry, ConversationFilter, ConversationListPage, EntryGroup, MAX_SCANNED,
            },
            joining::{OpenConversationView, OpenGroup, OpenGroups},
        },
    },
};

/// Conversations per page.
const PAGE_SIZE: usize = 100;
/// Open groups per page of the list of open groups.
const OPEN_SIZE: usize = 50;
/// Maximum number of open groups that are shown below the person's own conversations.
const FEW_OPEN: usize = 5;
/// Maximum number of characters of a search text.
pub(super) const MAX_QUERY: usize = 200;

#[derive(Template)]
#[template(path = "client/conversations.html")]
struct ConversationsPage<'a> {
    shell: ClientShell,
    is_employee: bool,
    query: &'a str,
    problem: Option<&'static str>,
    /// The list that is shown: `open` for groups and channels that the person can join, `archived` for the person's
    /// archived conversations, and empty for the person's other conversations.
    show: &'a str,
    list: ConversationList,
    /// The time zone of the times in the list; empty for UTC.
    zone: &'a str,
    open: Vec<OpenGroupItem>,
    /// Whether there can be more open groups than the [`FEW_OPEN`] groups that are listed below the person's own
    /// conversations.
    has_more_open: bool,
    is_first: bool,
    next: Option<String>,
    /// The search text as the first query parameter (`?q=…`); empty without a search.
    kept: String,
    /// The search text as a later query parameter (`&q=…`); empty without a search.
    kept_more: String,
}

#[derive(Default)]
struct ConversationList {
    groups: Vec<GroupItem>,
    direct: Vec<Item>,
    /// [`MAX_SCANNED`] as text if the list is possibly incomplete, because the person is in at least this number of
    /// conversations.
    cut_to: Option<String>,
}

struct GroupItem {
    head: Item,
    channels: Vec<Item>,
}

struct Item {
    side: SideItem,
    topic: String,
    is_private: bool,
    announcement_only: bool,
    at: Option<LocalTime>,
}

struct OpenGroupItem {
    head: OpenItem,
    channels: Vec<OpenItem>,
}

struct OpenItem {
    id: String,
    name: String,
    topic: String,
    members: String,
    may_join: bool,
}

impl ConversationList {
    fn new(page: ConversationListPage, time: impl Fn(Timestamp) -> LocalTime) -> Self {
        let item = |entry| Item::new(entry, &time);
        let group = |group: EntryGroup| GroupItem {
            head: item(group.head),
            channels: group.channels.into_iter().map(item).collect(),
        };
        Self {
            groups: page.groups.into_iter().map(group).collect(),
            direct: page.direct.into_iter().map(item).collect(),
            cut_to: page.is_cut.then(|| labels::grouped(MAX_SCANNED)),
        }
    }
}

impl Item {
    fn new(mut entry: ConversationEntry, time: impl Fn(Timestamp) -> LocalTime) -> Self {
        Self {
            topic: entry.topic.take().unwrap_or_default(),
            is_private: entry.is_private && !entry.kind.is_dm(),
            announcement_only: entry.announcement_only,
            at: entry.latest.map(time),
            side: SideItem::new(entry, None),
        }
    }
}

impl OpenItem {
    fn new(open: OpenConversationView, kind: ConversationKind) -> Self {
        Self {
            id: open.id.encode(kind),
            name: open.name,
            topic: open.topic.unwrap_or_default(),
            members: match open.active_members {
                1 => "1 person".to_owned(),
                number => format!("{number} people"),
            },
            may_join: !open.is_member,
        }
    }
}

fn open(groups: OpenGroups) -> (Vec<OpenGroupItem>, Option<String>) {
    let open_group = |group: OpenGroup| OpenGroupItem {
        head: OpenItem::new(group.group, ConversationKind::Group),
        channels: group
            .channels
            .into_iter()
            .map(|channel| OpenItem::new(channel, ConversationKind::Channel))
            .collect(),
    };
    (groups.items.into_iter().map(open_group).collect(), groups.next_cursor)
}

/// GET /conversations, with an optional `q`, `show` (`open`, `archived`) and `cursor`.
pub(in crate::pages) async fn show(pages: &Pages, context: &PageContext) -> Outcome {
    let (person, own_person) = (shell::person(pages, context)?, shell::own_person(context)?);
    let shown = match context.parameter("show") {
        Some(shown @ ("open" | "archived")) => shown,
        None => "",
        Some(_) => return Err(PageError::not_found()),
    };
    let query = context.parameter("q").unwrap_or_default().trim();
    let is_too_long = query.chars().nth(MAX_QUERY).is_some();
    let sought = Some(query).filter(|query| !query.is_empty());
    let cursor = context.parameter("cursor");
    let (mut list, mut groups, mut next, mut has_more_open) =
        (ConversationList::default(), Vec::new(), None, false);
    if !is_too_long && shown == "open" {
        (groups, next) = open(person.list_open(sought, OPEN_SIZE, cursor).await?);
    } else if !is_too_long {
        let filter = ConversationFilter { name: sought.map(str::to_owned), is_archived: shown == "archived" };
        let mut page = person.list_conversations(filter, PAGE_SIZE, cursor).await?;
        next = page.next_cursor.take();
        let now = pages.world.clock.now();
        list = ConversationList::new(page, |at| short_time(at, now, own_person.timezone.as_deref()));
        if shown.is_empty() && cursor.is_none() {
            let (few, more) = open(person.list_open(sought, FEW_OPEN, None).await?);
            (groups, has_more_open) = (few, more.is_some());
        }
    }
    let page = ConversationsPage {
        shell: shell::load(pages, context, person, None).await?.titled("Conversations"),
        is_employee: !own_person.is_external,
        query,
        problem: is_too_long.then_some("The search text is too long."),
        show: shown,
        list,
        zone: own_person.timezone.as_deref().unwrap_or_default(),
        open: groups,
        has_more_open,
        is_first: cursor.is_none(),
        next,
        kept: sought.map(|query| format!("?q={}", encoded(query))).unwrap_or_default(),
        kept_more: sought.map(|query| format!("&q={}", encoded(query))).unwrap_or_default(),
    };
    answer::client_page(if is_too_long { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK }, &page)
}

/// Percent-encodes the value of a query parameter.
pub(super) fn encoded(value: &str) -> String {
    url::form_urlencoded::byte_serialize(value.as_bytes()).collect()
}

/// POST /c/{conversation}/join.
pub(in crate::pages) async fn join(pages: &Pages, context: &PageContext) -> Outcome {
    context.poster(pages, "")?;
    let id = context.parts.first().and_then(|id| ConversationId::parse(id));
    match shell::person(pages, context)?.join(id).await {
        Ok(joined) => Ok(answer::see_other(&shell::path_of(joined.kind, joined.id))),
        Err(Error::Refused(refusal)) if refusal.code == Code::ConversationNotFound => Err(PageError::new(
            StatusCode::NOT_FOUND,
            "You cannot join this conversation",
            "It does not exist, or only an admin can add you to it.",
        )),
        Err(error) => Err(error.into()),
    }
}
