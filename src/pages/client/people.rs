//! `/people`: finds people, shows their profiles, and opens direct conversations with them.

use askama::Template;
use poem::{Response, http::StatusCode};

use super::{
    conversations::{MAX_QUERY, encoded},
    other_company::{self, NamedObject},
    shell::{self, ClientShell},
};
use crate::{
    domain::{conversation::ConversationKind, ids::UserId, refusal::Code},
    pages::{Outcome, Pages, answer, context::PageContext, error_page::PageError, local_time::clock_in},
    service::{
        Error, callers::Person, paging::PageRequest, people::VisibleUser, web_client::people::UserProfile,
    },
};

/// People per page.
const PAGE_SIZE: u32 = 50;

#[derive(Template)]
#[template(path = "client/people.html")]
struct ClientPeoplePage<'a> {
    shell: ClientShell,
    query: &'a str,
    problem: Option<&'static str>,
    people: Vec<DirectoryRow>,
    is_first: bool,
    next: Option<String>,
    /// The search text as a query parameter, followed by `&`; empty without a search.
    kept: String,
}

#[derive(Template)]
#[template(path = "client/profile.html")]
struct ProfilePage {
    shell: ClientShell,
    person: DirectoryRow,
    problem: Option<String>,
    /// Path of the direct conversation with the person, if there is one.
    direct: Option<String>,
    /// Whether the reader can open a direct conversation with the person.
    may_open_direct: bool,
    /// Current time of day in the time zone of the person; empty if the zone is unknown.
    local_time: String,
    timezone: String,
}

/// A person or a bot, as lists and profiles show them.
pub(super) struct DirectoryRow {
    pub(super) id: String,
    pub(super) name: String,
    /// First letter of the name.
    pub(super) initial: String,
    pub(super) display_name: String,
    pub(super) title: String,
    pub(super) email: String,
    pub(super) is_bot: bool,
    /// `Guest`, `Admin` or empty.
    pub(super) role: &'static str,
    pub(super) is_active: bool,
    pub(super) is_you: bool,
}

impl DirectoryRow {
    pub(super) fn new(user: VisibleUser, you: UserId) -> Self {
        let role = match &user {
            _ if user.is_bot => "",
            _ if user.is_external => "Guest",
            _ if user.is_admin => "Admin",
            _ => "",
        };
        Self {
            id: user.id.encode(),
            initial: shell::initial(&user.name),
            display_name: user.display_name.filter(|name| *name != user.name).unwrap_or_default(),
            name: user.name,
            title: user.title.unwrap_or_default(),
            email: user.email.unwrap_or_default(),
            is_bot: user.is_bot,
            role,
            is_active: user.is_active,
            is_you: user.id == you,
        }
    }
}

/// GET /people, with an optional `q` and `cursor`.
pub(in crate::pages) async fn show(pages: &Pages, context: &PageContext) -> Outcome {
    let (person, own_person) = (shell::person(pages, context)?, shell::own_person(context)?);
    let query = context.parameter("q").unwrap_or_default().trim();
    let is_too_long = query.chars().nth(MAX_QUERY).is_some();
    let sought = Some(query).filter(|query| !query.is_empty());
    let cursor = context.parameter("cursor");
    let (people, next) = if is_too_long {
        (Vec::new(), None)
    } else {
        let found = person.find_people(sought, PageRequest { limit: PAGE_SIZE, cursor }).await?;
        (found.items, found.next_cursor)
    };
    let page = ClientPeoplePage {
        shell: shell::load(pages, context, person, None).await?.titled("People"),
        query,
        problem: is_too_long.then_some("The search text is too long."),
        people: people.into_iter().map(|user| DirectoryRow::new(user, own_person.user_id)).collect(),
        is_first: cursor.is_none(),
        next,
        kept: sought.map(|query| format!("q={}&", encoded(query))).unwrap_or_default(),
    };
    answer::client_page(if is_too_long { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK }, &page)
}

/// GET /people/{user}.
pub(in crate::pages) async fn profile(pages: &Pages, context: &PageContext) -> Outcome {
    let id = context.parts.first().and_then(|id| UserId::parse(id));
    render(pages, context, id, StatusCode::OK, None).await
}

async fn render(
    pages: &Pages,
    context: &PageContext,
    id: Option<UserId>,
    status: StatusCode,
    problem: Option<String>,
) -> Result<Response, PageError> {
    let (reader, own_person) = (shell::person(pages, context)?, shell::own_person(context)?);
    let UserProfile { user, direct, may_open_direct } = match reader.profile(id).await {
        Err(Error::Refused(refusal)) if refusal.code == Code::UserNotFound => {
            return Err(nobody(pages, context, reader, id).await);
        }
        found => found?,
    };
    let timezone = user.timezone.clone().unwrap_or_default();
    let person = DirectoryRow::new(user, own_person.user_id);
    let page = ProfilePage {
        shell: shell::load(pages, context, reader, direct).await?.titled(&person.name),
        problem,
        direct: direct.map(|id| shell::path_of(ConversationKind::Dm, id)),
        may_open_direct,
        local_time: clock_in(pages.world.clock.now(), &timezone).unwrap_or_default(),
        timezone,
        person,
    };
    answer::client_page(status, &page)
}

/// Returns the error page for a profile that the reader does not see. If the reader sees the profile in another of
/// their companies, the error page has a form that opens the profile in that company.
async fn nobody(pages: &Pages, context: &PageContext, reader: Person<'_>, id: Option<UserId>) -> PageError {
    let next = id.map(|id| format!("/people/{id}")).unwrap_or_default();
    let offer = other_company::offer(pages, context, reader, NamedObject::Person(id), &next).await;
    offer.unwrap_or_else(|| {
        PageError::new(
            StatusCode::NOT_FOUND,
            "Nobody found",
            "This person does not exist, or you do not see them. Find people by name or e-mail address.",
        )
    })
}

/// POST /dm: opens the direct conversation with the person `user_id`. Creates the conversation if there is none.
pub(in crate::pages) async fn open_direct(pages: &Pages, context: &PageContext) -> Outcome {
    context.poster(pages, "")?;
    let id = context.form.get("user_id").and_then(UserId::parse);
    let person = shell::person(pages, context)?;
    let refused = match person.open_direct(id).await {
        Ok(direct) => return Ok(answer::see_other(&shell::path_of(ConversationKind::Dm, direct))),
        Err(Error::Refused(refusal)) => refusal,
        Err(error) => return Err(error.into()),
    };
    let (status, problem) = match refused.code {
        Code::UserNotFound => return Err(nobody(pages, context, person, id).await),
        Code::InvalidRequest => (
            StatusCode::UNPROCESSABLE_ENTITY,
            "You cannot send yourself direct messages. To keep notes, create a group without other members."
                .to_owned(),
        ),
        Code::Conflict => {
            (StatusCode::CONFLICT, refused.message.as_deref().map(sentence).unwrap_or_default())
        }
        _ => return Err(refused.into()),
    };
    render(pages, context, id, status, Some(problem)).await
}

/// Returns the reason for a rejection as a sentence.
pub(super) fn sentence(text: &str) -> String {
    crate::pages::error_page::sentence(text)
}
