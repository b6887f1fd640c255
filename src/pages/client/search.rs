//! `/search`: full-text search over the messages that the person may read.

use askama::Template;
use poem::http::StatusCode;

use super::{
    conversations::{MAX_QUERY, encoded},
    other_company::{self, NamedObject},
    shell::{self, ClientShell, Sidebar},
};
use crate::{
    domain::{
        excerpt::{Piece, excerpt},
        ids::{ConversationId, UserId},
        refusal::Code,
        search::{MAX_PARTS, SearchQuery},
    },
    pages::{
        Outcome, Pages, answer,
        context::PageContext,
        error_page::PageError,
        local_time::{LocalTime, local_time, start_of_day},
    },
    service::{
        Error,
        callers::Person,
        web_client::{
            reading::PageWindow,
            search::{FoundMessage, MessageSearch},
        },
    },
};

/// Messages per page.
const PAGE_SIZE: usize = 20;
/// Maximum number of characters shown of a message.
const EXCERPT_CHARS: usize = 240;

#[derive(Template)]
#[template(path = "client/search.html")]
struct SearchPage<'a> {
    shell: ClientShell,
    form: SearchForm<'a>,
    conversations: Vec<SearchOption>,
    senders: Vec<SearchOption>,
    problem: Option<String>,
    found: Vec<SearchResultRow>,
    is_searched: bool,
    is_first: bool,
    is_incomplete: bool,
    next: Option<String>,
    /// The query parameters of the search, each followed by `&`. Links to other pages of the results have them.
    kept: String,
}

/// The fields of the form as they were typed, without surrounding spaces.
#[derive(Clone, Copy)]
struct SearchForm<'a> {
    query: &'a str,
    conversation: &'a str,
    from: &'a str,
    since: &'a str,
}

/// A conversation or a person to which a search can be limited.
struct SearchOption {
    id: String,
    name: String,
    is_chosen: bool,
}

/// Returns the options of a field of the form, with the id `chosen` selected. `offered` has the ids and names of the
/// options. If `chosen` is not offered, adds it, so that the form keeps the value even if the search is rejected.
fn choices(offered: Vec<(String, String)>, chosen: &str) -> Vec<SearchOption> {
    let is_missing = !chosen.is_empty() && !offered.iter().any(|(id, _)| id == chosen);
    let typed = is_missing.then(|| (chosen.to_owned(), chosen.to_owned()));
    let choice = |(id, name): (String, String)| SearchOption { is_chosen: id == chosen, id, name };
    typed.into_iter().chain(offered).map(choice).collect()
}

/// Returns the conversations of the sidebar.
fn sidebar_conversations(sidebar: &Sidebar) -> Vec<(String, String)> {
    let groups = sidebar.groups.iter().flat_map(|group| [&group.head].into_iter().chain(&group.channels));
    groups.chain(&sidebar.direct).map(|item| (item.id.clone(), item.name.clone())).collect()
}

struct SearchResultRow {
    path: String,
    conversation: String,
    conversation_path: String,
    sender: String,
    sender_path: String,
    is_bot: bool,
    via: String,
    at: LocalTime,
    pieces: Vec<Piece>,
}

impl SearchResultRow {
    fn new(message: FoundMessage, query: &SearchQuery, zone: Option<&str>) -> Self {
        let (kind, id) = message.conversation;
        let conversation_path = shell::path_of(kind, id);
        let with = || message.with.as_ref().map(|with| format!("Direct messages with {with}"));
        let conversation = message.conversation_name.clone().or_else(with);
        let sender = message.sender.as_ref();
        Self {
            path: format!("{conversation_path}/{}", message.id.encode(kind.is_dm())),
            conversation: conversation.unwrap_or_else(|| "Direct messages".to_owned()),
            conversation_path,
            sender: sender.map_or_else(|| "A guest".to_owned(), |(_, name)| name.clone()),
            sender_path: sender.map(|(id, _)| format!("/people/{id}")).unwrap_or_default(),
            is_bot: message.is_bot,
            via: message.via_label.clone().unwrap_or_default(),
            at: local_time(message.created_at, zone),
            pieces: excerpt(&message.text, query, EXCERPT_CHARS),
        }
    }
}

impl<'a> SearchForm<'a> {
    fn read(context: &'a PageContext) -> Self {
        let text = |name| context.parameter(name).unwrap_or_default().trim();
        Self { query: text("q"), conversation: text("in"), from: text("from"), since: text("since") }
    }

    /// Converts the fields of the form to a search.
    ///
    /// # Errors
    /// The status, and a sentence for the person about the first invalid field.
    fn search(self, zone: Option<&str>) -> Result<MessageSearch, (StatusCode, String)> {
        let wrong = |why: String| Err((StatusCode::UNPROCESSABLE_ENTITY, why));
        if self.query.chars().nth(MAX_QUERY).is_some() {
            return wrong(format!(
                "The search text is too long: it can have at most {MAX_QUERY} characters."
            ));
        }
        let Some(query) = SearchQuery::parse(self.query) else {
            return wrong(format!("Type 1 to {MAX_PARTS} words to search for."));
        };
        let given = |text: &'a str| Some(text).filter(|text| !text.is_empty());
        let since = match given(self.since) {
            None => None,
            Some(day) => match start_of_day(day, zone) {
                Some(since) => Some(since),
                None => return wrong("Type the day as 2026-11-20: year, month and day.".to_owned()),
            },
        };
        Ok(MessageSearch {
            query,
            conversation: given(self.conversation).map(ConversationId::parse),
            sender: given(self.from).map(UserId::parse),
            since,
        })
    }

    /// Returns the query parameters of the search, each followed by `&`. Links to other pages of the results have them.
    fn kept(self) -> String {
        let all = [("q", self.query), ("in", self.conversation), ("from", self.from), ("since", self.since)];
        let given = all.into_iter().filter(|(_, value)| !value.is_empty());
        let mut kept = String::new();
        for (name, value) in given {
            kept.extend([name, "=", &encoded(value), "&"]);
        }
        kept
    }

    fn is_empty(self) -> bool {
        [self.query, self.conversation, self.from, self.since].iter().all(|text| text.is_empty())
    }
}

/// Looks in the visitor's other companies for the object to which the search is limited: the conversation, or the
/// sender if the form has no conversation. If the visitor sees the object in another company, returns an error page
/// with a form that chooses this company ([`other_company::offer`]).
async fn elsewhere(
    pages: &Pages,
    context: &PageContext,
    person: Person<'_>,
    form: SearchForm<'_>,
) -> Option<PageError> {
    let named = if form.conversation.is_empty() {
        NamedObject::Person(Some(UserId::parse(form.from)?))
    } else {
        NamedObject::Conversation(Some(ConversationId::parse(form.conversation)?), PageWindow::Newest)
    };
    other_company::offer(pages, context, person, named, &context.here).await
}

/// GET /search, with the optional parameters `q`, `in`, `from`, `since` and `cursor`.
pub(in crate::pages) async fn show(pages: &Pages, context: &PageContext) -> Outcome {
    let (person, own_person) = (shell::person(pages, context)?, shell::own_person(context)?);
    let zone = own_person.timezone.as_deref();
    let form = SearchForm::read(context);
    let cursor = context.parameter("cursor");
    let shell = shell::load(pages, context, person, None).await?.titled("Search");
    let mut senders = vec![(shell.me.clone(), "You".to_owned())];
    if let Some(id) = UserId::parse(form.from).filter(|id| *id != own_person.user_id) {
        let named = person.people(vec![id]).await?;
        senders.extend(named.into_iter().map(|user| (user.id.encode(), user.name)));
    }
    let mut page = SearchPage {
        conversations: choices(sidebar_conversations(&shell.sidebar), form.conversation),
        senders: choices(senders, form.from),
        shell,
        form,
        problem: None,
        found: Vec::new(),
        is_searched: false,
        is_first: cursor.is_none(),
        is_incomplete: false,
        next: None,
        kept: form.kept(),
    };
    // A submitted form always has `q`. A link without `q` only fills in the form, so nothing is searched yet.
    if !context.query.iter().any(|(name, _)| name == "q") || form.is_empty() {
        if let Some(offer) = elsewhere(pages, context, person, form).await {
            return Err(offer);
        }
        return answer::client_page(StatusCode::OK, &page);
    }
    let search = match form.search(zone) {
        Ok(search) => search,
        Err((status, problem)) => {
            page.problem = Some(problem);
            return answer::client_page(status, &page);
        }
    };
    let query = search.query.clone();
    match person.search(search, PAGE_SIZE, cursor.map(str::to_owned)).await {
        Ok(found) => {
            context.confirm_conversations(pages, person.shown_in_search(&found));
            let rows = found.items.into_iter().map(|message| SearchResultRow::new(message, &query, zone));
            page.found = rows.collect();
            (page.next, page.is_incomplete, page.is_searched) =
                (found.next_cursor, found.is_incomplete, true);
            answer::client_page(StatusCode::OK, &page)
        }
        Err(Error::Refused(refusal)) => {
            if refusal.status() == 404
                && let Some(offer) = elsewhere(pages, context, person, form).await
            {
                return Err(offer);
            }
            let (status, problem) = match refusal.code {
                Code::ConversationNotFound | Code::NotInConversation => {
                    (StatusCode::NOT_FOUND, "There is no such conversation, or you are not a member of it.")
                }
                Code::UserNotFound => (StatusCode::NOT_FOUND, "There is no such person."),
                Code::InvalidCursor => {
                    (StatusCode::BAD_REQUEST, "This page of the results is not valid. Search again.")
                }
                _ => return Err(refusal.into()),
            };
            page.problem = Some(problem.to_owned());
            answer::client_page(status, &page)
        }
        Err(error) => Err(error.into()),
    }
}
