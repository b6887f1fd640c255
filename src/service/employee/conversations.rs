//! The list of an employee's conversations, for assistants.

use super::{
    Assistant, Employee,
    access::{self, Heading},
};
use crate::{
    domain::{conversation::ConversationKind, cursor::CursorScope, search::words},
    service::paging::{Page, PageRequest},
    store::{ReadOp, ReadSql, Result, conversation_lists},
};

/// Maximum number of conversations that the second and each later statement for a page reads. The maximum of the first
/// statement is [`ListEmployeeConversations::first_batch`].
const BATCH_SIZE: i64 = 500;
/// Number of scanned conversations after which a page ends. The page can then be shorter than requested.
const MAX_SCANNED: usize = 5_000;

/// Which conversations are listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListFilter {
    /// The kinds of the conversations; all kinds if empty.
    pub kinds: Vec<ConversationKind>,
    /// Whether archived conversations are included.
    pub archived: bool,
    /// Each word of this text must be a prefix of a word in the conversation's name, its topic, or the name of the
    /// other person of a direct conversation.
    pub name: Option<String>,
}

impl Assistant<'_> {
    /// Lists the employee's conversations in order of creation, including direct and announcement-only conversations. A
    /// page can be short or empty although there is a next page.
    ///
    /// # Errors
    /// `invalid_cursor`.
    pub async fn list_conversations(
        self,
        filter: ListFilter,
        request: PageRequest<'_>,
    ) -> Result<Page<Heading>> {
        let employee = self.employee();
        let filter_key = format!("{filter:?}");
        let scope = CursorScope {
            endpoint: "mcp.conversations",
            owner: employee.user_id.0,
            conversation: None,
            filter: &filter_key,
        };
        let after = self.world.position(&scope, request.cursor, 0)?;
        let is_sparse = filter.name.is_some() || !filter.kinds.is_empty();
        let op = ListEmployeeConversations { employee, filter, after, limit: request.limit as usize + 1 };
        // With a filter by kind or name, up to `MAX_SCANNED` conversations are read for a page. `scan` is for such slow
        // reads.
        let listed = if is_sparse { self.world.db.scan(op).await } else { self.world.db.read(op).await };
        let (found, scan_end) = listed?;
        Ok(self.world.page_to(&scope, request.limit, found, |heading| heading.conversation.id.0, scan_end))
    }
}

struct ListEmployeeConversations {
    employee: Employee,
    filter: ListFilter,
    after: i64,
    limit: usize,
}

impl ListEmployeeConversations {
    /// Returns the maximum number of conversations that the first statement of a page reads. Without a filter by kind
    /// or name, only deleted and archived conversations are skipped. So it usually suffices to read one conversation
    /// more than the page can have. The additional conversation shows whether there is a next page.
    fn first_batch(&self) -> i64 {
        let is_sparse = self.filter.name.is_some() || !self.filter.kinds.is_empty();
        if is_sparse { BATCH_SIZE } else { i64::try_from(self.limit).unwrap_or(BATCH_SIZE) }
    }

    /// Returns whether direct conversations can match the filter. If not, direct conversations are not read, because an
    /// employee can have very many of them.
    fn includes_direct(&self) -> bool {
        self.filter.kinds.is_empty() || self.filter.kinds.iter().any(|kind| kind.is_dm())
    }

    fn matches(&self, heading: &Heading) -> bool {
        let ListFilter { kinds, name, .. } = &self.filter;
        let matches_kind = kinds.is_empty() || kinds.contains(&heading.conversation.kind);
        matches_kind
            && name.as_ref().is_none_or(|name| {
                let shown = [heading.conversation.name.as_deref(), heading.conversation.topic.as_deref()];
                let with = heading.with.as_ref().map(|(_, name)| name.as_str());
                has_all(name, shown.into_iter().chain([with]).flatten())
            })
    }
}

/// Returns whether every word of `wanted` is a prefix of a word in `texts`.
pub(super) fn has_all<'a>(wanted: &str, texts: impl Iterator<Item = &'a str>) -> bool {
    let found: Vec<String> = texts.flat_map(words).collect();
    words(wanted).iter().all(|prefix| found.iter().any(|word| word.starts_with(prefix)))
}

impl ReadOp for ListEmployeeConversations {
    const NAME: &'static str = "list_employee_conversations";
    const REPLICA: bool = true;
    /// The headings, and the id of the last scanned conversation if the scan stopped because of [`MAX_SCANNED`]. The id
    /// is `None` if the page is full, and if the scan reached the end of the list.
    type Out = (Vec<Heading>, Option<i64>);

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let mut found = Vec::new();
        let mut after = self.after;
        let mut scanned = 0;
        loop {
            let limit = if scanned == 0 { self.first_batch() } else { BATCH_SIZE };
            let mut page = if self.includes_direct() {
                conversation_lists::of_user(c, self.employee.user_id, after, limit).await?
            } else {
                conversation_lists::groups_and_channels_of_user(c, self.employee.user_id, after, limit)
                    .await?
            };
            let is_last = i64::try_from(page.len()).is_ok_and(|read| read < limit);
            let Some(last) = page.last() else { return Ok((found, None)) };
            after = last.id.0;
            scanned += page.len();
            page.retain(|v| v.deleted_at.is_none() && (self.filter.archived || v.archived_at.is_none()));
            found.extend(
                access::headings(c, self.employee, page).await?.into_iter().filter(|h| self.matches(h)),
            );
            if is_last || found.len() >= self.limit {
                found.truncate(self.limit);
                return Ok((found, None));
            }
            if scanned >= MAX_SCANNED {
                return Ok((found, Some(after)));
            }
        }
    }
}
