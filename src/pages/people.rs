//! `/admin/people`: lists the people of a company, changes their account states, and signs them out.

use askama::Template;
use poem::http::StatusCode;

use super::{
    Outcome, Pages, answer,
    company::{self, CompanyHeading},
    context::PageContext,
    error_page::PageError,
    frame::Frame,
    labels,
};
use crate::{
    contract::answer::page_change,
    domain::{
        ids::{UserId, WorkspaceId},
        people::UserState,
    },
    service::{paging::PageRequest, people::UserView},
};

const PATH: &str = "/admin/people";
/// People per page.
const PAGE_SIZE: u32 = 50;
/// Maximum number of characters of a search, as in the admin API.
const MAX_QUERY: usize = 200;

#[derive(Template)]
#[template(path = "people.html")]
struct PeoplePage<'a> {
    frame: Frame,
    heading: CompanyHeading,
    query: &'a str,
    people: Vec<PeopleRow>,
    is_first: bool,
    cursor: &'a str,
    next: Option<String>,
    done: Option<&'static str>,
}

struct PeopleRow {
    id: String,
    name: String,
    email: String,
    title: String,
    state: &'static str,
    is_active: bool,
    role: &'static str,
    is_you: bool,
    /// The state changes that are possible for the account.
    state_changes: Vec<StateChange>,
}

/// A button that changes the state of an account.
struct StateChange {
    state: &'static str,
    name: &'static str,
    about: &'static str,
    is_final: bool,
}

fn state_changes(from: UserState) -> Vec<StateChange> {
    let next = UserState::ALL.into_iter().filter(|next| from.may_become(*next));
    next.filter_map(|next| {
        let (name, about) = match next {
            UserState::Active if from == UserState::Deactivated => {
                ("Reactivate", "They can sign in again. Assistants have to be connected again.")
            }
            UserState::Active => ("Activate", "Their account state changes from onboarding to active."),
            UserState::Deactivated => {
                ("Deactivate", "They and their assistants lose access to this company. You can undo this.")
            }
            UserState::Removed => (
                "Remove for good",
                "Their account, address and profile are deleted; their messages stay. This cannot be undone.",
            ),
            UserState::Onboarding => return None,
        };
        Some(StateChange { state: next.name(), name, about, is_final: next == UserState::Removed })
    })
    .collect()
}

fn done(word: Option<&str>) -> Option<&'static str> {
    match word? {
        "active" => Some("Saved. The account is active."),
        "deactivated" => {
            Some("Deactivated. The person and their assistants have no access to this company any more.")
        }
        "removed" => Some("Removed for good."),
        "logged_out" => Some("Signed out of this company. The person's assistants are disconnected from it."),
        _ => None,
    }
}

/// Returns the trimmed search text; `None` if it is absent or empty.
///
/// # Errors
/// 400 for a text of more than [`MAX_QUERY`] characters.
fn searched(text: Option<&str>) -> Result<Option<&str>, PageError> {
    match text.map(str::trim).filter(|text| !text.is_empty()) {
        Some(text) if text.chars().nth(MAX_QUERY).is_some() => {
            Err(PageError::invalid("The search text is too long."))
        }
        text => Ok(text),
    }
}

/// GET /admin/people, with an optional `query`.
pub(super) async fn show(pages: &Pages, context: &PageContext) -> Outcome {
    let visitor = context.visitor()?;
    let own_person = company::shown(context, visitor, company::is_admin)?;
    let cursor = context.parameter("cursor");
    let request = PageRequest { limit: PAGE_SIZE, cursor };
    let query = searched(context.parameter("query"))?;
    let found = visitor.caller.admin_of(own_person.workspace_id)?.list_people(query, request).await?;
    let page = PeoplePage {
        frame: company::frame(pages, context, own_person, "People"),
        heading: CompanyHeading::new(PATH, visitor, own_person, company::is_admin)
            .keeping(&[("query", query)]),
        query: query.unwrap_or_default(),
        // the list has no bots: the page `/admin/apps` lists the apps to which they belong
        people: found.items.into_iter().map(|user| row(user, own_person.user_id)).collect(),
        is_first: cursor.is_none(),
        cursor: cursor.unwrap_or_default(),
        next: found.next_cursor,
        done: done(context.parameter("done")),
    };
    answer::page(StatusCode::OK, &page)
}

fn row(user: UserView, you: UserId) -> PeopleRow {
    let role = match &user {
        _ if user.is_admin => "Admin",
        _ if user.is_external => "Guest",
        _ => "",
    };
    PeopleRow {
        id: user.id.encode(),
        email: user.email.unwrap_or_default(),
        title: user.title.unwrap_or_default(),
        state: labels::state(user.state),
        is_active: user.state == UserState::Active,
        role,
        is_you: user.id == you,
        state_changes: state_changes(user.state),
        name: user.name,
    }
}

/// POST /admin/people: changes the `state` of the person `user_id`, or signs the person out (`logout`).
pub(super) async fn change(pages: &Pages, context: &PageContext) -> Outcome {
    let visitor = context.poster(pages, "")?;
    let Some(id) = context.form.get("user_id").and_then(UserId::parse) else {
        return Err(PageError::not_found());
    };
    // read before the change, because an admin who deactivates their own account has no access afterwards
    let workspace = visitor.caller.full_person(id).await?.workspace_id;
    let done = match context.form.filled("state").map(UserState::from_name) {
        Some(Some(state)) => {
            visitor.caller.set_person_state(id, state).await?;
            state.name()
        }
        Some(None) => return Err(PageError::invalid("The form names an unknown state.")),
        None if context.form.flag("logout") == Some(true) => {
            visitor.caller.log_person_out(id).await?;
            "logged_out"
        }
        None => return Err(PageError::invalid("The form does not say what to do.")),
    };
    page_change(id.encode(), done);
    Ok(answer::redirect(&back(context, workspace, done)))
}

/// Returns the path to which the form redirects: the same search and page of the list, with the parameter `done`.
fn back(context: &PageContext, workspace: WorkspaceId, done: &str) -> String {
    let mut path = CompanyHeading::back(PATH, workspace, done);
    for name in ["query", "cursor"] {
        if let Some(value) = context.form.filled(name) {
            let value: String = url::form_urlencoded::byte_serialize(value.as_bytes()).collect();
            for part in ["&", name, "=", &value] {
                path.push_str(part);
            }
        }
    }
    path
}
