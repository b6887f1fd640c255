//! The conversations that an employee is in.

use super::{
    Employee,
    access::{self, Heading},
};
use crate::{
    domain::{conversation::ConversationKind, cursor::CursorScope, search::words},
    store::{Op, Result, Sql, conversation_lists},
    workspace::{
        World,
        reading::{Page, PageRequest},
    },
};

/// Conversations read in one go.
const READ_AT_ONCE: i64 = 500;
/// Most conversations looked at for one page: with few of those that are looked for among them it ends early.
const LOOKED_AT: usize = 5_000;

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
    /// Every conversation that the employee is in, direct messages and announcements too, in order of creation. Of
    /// very many a page may have fewer than were asked for, or none, and the next one goes on.
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
        let is_sparse = filter.name.is_some() || !filter.kinds.is_empty();
        let op = List { who, filter, after, limit: request.limit as usize + 1 };
        // filters may pass over many
        let listed = if is_sparse { self.db.scan(op).await } else { self.db.read(op).await };
        let (found, reach) = listed?;
        Ok(self.page_to(&scope, request.limit, found, |heading| heading.conversation.id.0, reach))
    }
}

struct List {
    who: Employee,
    filter: ListFilter,
    after: i64,
    limit: usize,
}

impl List {
    /// How many are read at first: a page and one more, if nothing but what is archived is left out.
    fn first_read(&self) -> i64 {
        let is_sparse = self.filter.name.is_some() || !self.filter.kinds.is_empty();
        if is_sparse { READ_AT_ONCE } else { i64::try_from(self.limit).unwrap_or(READ_AT_ONCE) }
    }

    /// Whether direct messages may be listed: where they are not, very many are not passed over.
    fn wants_direct(&self) -> bool {
        self.filter.kinds.is_empty() || self.filter.kinds.iter().any(|kind| kind.is_dm())
    }

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
    const REPLICA: bool = true;
    /// And how far it looked, if that was not to the end.
    type Out = (Vec<Heading>, Option<i64>);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let mut found = Vec::new();
        let mut after = self.after;
        let mut looked_at = 0;
        loop {
            let limit = if looked_at == 0 { self.first_read() } else { READ_AT_ONCE };
            let mut page = if self.wants_direct() {
                conversation_lists::of_user(c, self.who.user_id, after, limit).await?
            } else {
                conversation_lists::places_of_user(c, self.who.user_id, after, limit).await?
            };
            let is_last = i64::try_from(page.len()).is_ok_and(|read| read < limit);
            let Some(last) = page.last() else { return Ok((found, None)) };
            after = last.id.0;
            looked_at += page.len();
            page.retain(|v| v.deleted_at.is_none() && (self.filter.archived || v.archived_at.is_none()));
            found.extend(access::headings(c, self.who, page).await?.into_iter().filter(|h| self.wants(h)));
            if is_last || found.len() >= self.limit {
                found.truncate(self.limit);
                return Ok((found, None));
            }
            if looked_at >= LOOKED_AT {
                return Ok((found, Some(after)));
            }
        }
    }
}
