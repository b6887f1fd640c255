//! The conversations that an employee is in.

use super::{
    Employee,
    access::{self, Heading},
};
use crate::{
    domain::{conversation::ConversationKind, cursor::CursorScope, search::words},
    store::{Op, Result, Sql, conversations},
    workspace::{
        World,
        reading::{Page, PageRequest},
    },
};

/// Conversations read in one go.
const READ_AT_ONCE: i64 = 500;

/// Which conversations are listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListFilter {
    /// All kinds if empty.
    pub kinds: Vec<ConversationKind>,
    pub archived: bool,
    /// Words that name, topic or the other side's name must have, or begin with.
    pub name: Option<String>,
}

impl World {
    /// Every conversation that the employee is in, direct messages and announcements too, in order of creation.
    ///
    /// # Errors
    /// `invalid_cursor`.
    pub async fn employee_conversations(
        &self,
        who: Employee,
        filter: ListFilter,
        request: PageRequest<'_>,
    ) -> Result<Page<Heading>> {
        let walk = format!("{filter:?}");
        let scope = CursorScope {
            endpoint: "mcp.conversations",
            owner: who.user_id.0,
            conversation: None,
            filter: &walk,
        };
        let after = self.position(&scope, request.cursor, 0)?;
        let op = List { who, filter, after, limit: request.limit as usize + 1 };
        let found = self.db.read(op).await?;
        Ok(self.page(&scope, request.limit, found, |heading| heading.conversation.id.0))
    }
}

struct List {
    who: Employee,
    filter: ListFilter,
    after: i64,
    limit: usize,
}

impl List {
    fn wants(&self, heading: &Heading) -> bool {
        let ListFilter { kinds, name, .. } = &self.filter;
        let kind = kinds.is_empty() || kinds.contains(&heading.conversation.kind);
        kind && name.as_ref().is_none_or(|name| {
            let shown = [heading.conversation.name.as_deref(), heading.conversation.topic.as_deref()];
            let with = heading.with.as_ref().map(|(_, name)| name.as_str());
            has_all(name, shown.into_iter().chain([with]).flatten())
        })
    }
}

/// Whether each word that is looked for begins a word of the texts.
pub(super) fn has_all<'a>(wanted: &str, texts: impl Iterator<Item = &'a str>) -> bool {
    let texts: Vec<String> = texts.flat_map(words).collect();
    words(wanted).iter().all(|word| texts.iter().any(|text| text.starts_with(word)))
}

impl Op for List {
    const NAME: &'static str = "list_employee_conversations";
    type Out = Vec<Heading>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Vec<Heading>> {
        let mut found = Vec::new();
        let mut after = self.after;
        loop {
            let page =
                conversations::of_person(c, self.who.user_id, self.filter.archived, after, READ_AT_ONCE)
                    .await?;
            let is_last = i64::try_from(page.len()).is_ok_and(|read| read < READ_AT_ONCE);
            let Some(last) = page.last() else { return Ok(found) };
            after = last.id.0;
            found.extend(access::headings(c, self.who, page).await?.into_iter().filter(|h| self.wants(h)));
            if is_last || found.len() >= self.limit {
                found.truncate(self.limit);
                return Ok(found);
            }
        }
    }
}
