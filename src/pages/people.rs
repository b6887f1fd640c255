//! `/admin/people`: account states and forced log-out.

use askama::Template;
use poem::http::StatusCode;

use super::{
    Outcome, Pages, answer,
    company::{self, About},
    frame::Frame,
    trouble::Trouble,
    visit::Visit,
    words,
};
use crate::{
    domain::{
        ids::{UserId, WorkspaceId},
        people::UserState,
    },
    store::users::User,
    workspace::reading::PageRequest,
};

const PATH: &str = "/admin/people";
/// People on one page.
const SHOWN: u32 = 50;
/// Most characters of a search, as in the admin API.
const MAX_QUERY: usize = 200;

#[derive(Template)]
#[template(path = "people.html")]
struct PeoplePage<'a> {
    frame: Frame,
    about: About,
    /// What is searched for; empty when everybody is shown.
    query: &'a str,
    people: Vec<Row>,
    is_first: bool,
    cursor: &'a str,
    next: Option<String>,
    done: Option<&'static str>,
}

struct Row {
    id: String,
    name: String,
    email: String,
    title: String,
    state: &'static str,
    is_active: bool,
    role: &'static str,
    is_you: bool,
    /// What their state may become.
    steps: Vec<Step>,
}

/// A change of state as a button.
struct Step {
    state: &'static str,
    name: &'static str,
    about: &'static str,
    is_final: bool,
}

fn steps(from: UserState) -> Vec<Step> {
    let next = UserState::ALL.into_iter().filter(|next| from.may_become(*next));
    next.filter_map(|next| {
        let (name, about) = match next {
            UserState::Active if from == UserState::Deactivated => {
                ("Reactivate", "They can sign in again. Assistants have to be connected anew.")
            }
            UserState::Active => ("Mark as arrived", "They count as an active colleague from now on."),
            UserState::Deactivated => (
                "Deactivate",
                "They are signed out everywhere and their assistants are disconnected. You can undo this.",
            ),
            UserState::Removed => (
                "Remove for good",
                "Their account, address and profile are deleted; their messages stay. This cannot be undone.",
            ),
            UserState::Onboarding => return None,
        };
        Some(Step { state: next.name(), name, about, is_final: next == UserState::Removed })
    })
    .collect()
}

fn done(word: Option<&str>) -> Option<&'static str> {
    match word? {
        "active" => Some("Saved. The account is active."),
        "deactivated" => Some("Deactivated. Every session and assistant of that person has ended."),
        "removed" => Some("Removed for good."),
        "logged_out" => Some("Logged out. Every session and assistant of that person has ended."),
        _ => None,
    }
}

/// What a search may be: longer ones cannot be typed on the page.
fn searched(text: Option<&str>) -> Result<Option<&str>, Trouble> {
    match text.map(str::trim).filter(|text| !text.is_empty()) {
        Some(text) if text.chars().nth(MAX_QUERY).is_some() => {
            Err(Trouble::invalid("That is too long to search for."))
        }
        text => Ok(text),
    }
}

/// GET /admin/people: `query` to search.
pub(super) async fn show(pages: &Pages, visit: &Visit) -> Outcome {
    let visitor = visit.visitor()?;
    let persona = company::shown(visit, visitor, company::is_admin)?;
    let cursor = visit.parameter("cursor");
    let request = PageRequest { limit: SHOWN, cursor };
    let query = searched(visit.parameter("query"))?;
    let found = pages.world.list_everybody(&visitor.principal, persona.workspace_id, query, request).await?;
    let page = PeoplePage {
        frame: company::frame(pages, visit, "People"),
        about: About::new(PATH, visitor, persona, company::is_admin).keeping(&[("query", query)]),
        query: query.unwrap_or_default(),
        // the bots of apps are on the page of apps
        people: found
            .items
            .into_iter()
            .filter(|user| !user.is_bot)
            .map(|user| row(user, persona.user_id))
            .collect(),
        is_first: cursor.is_none(),
        cursor: cursor.unwrap_or_default(),
        next: found.next_cursor,
        done: done(visit.parameter("done")),
    };
    answer::page(StatusCode::OK, &page)
}

fn row(user: User, you: UserId) -> Row {
    let role = match &user {
        _ if user.is_admin => "Admin",
        _ if user.is_external => "Guest",
        _ => "",
    };
    Row {
        id: user.id.encode(),
        email: user.email.unwrap_or_default(),
        title: user.title.unwrap_or_default(),
        state: words::state(user.state),
        is_active: user.state == UserState::Active,
        role,
        is_you: user.id == you,
        steps: steps(user.state),
        name: user.name,
    }
}

/// POST /admin/people: `user_id` with `state` or `logout`. The person names their company.
pub(super) async fn change(pages: &Pages, visit: &Visit) -> Outcome {
    let visitor = visit.poster(pages, "")?;
    let Some(id) = visit.form.get("user_id").and_then(UserId::parse) else {
        return Err(Trouble::not_found());
    };
    // read first: afterwards an admin who shut themselves out may not ask any more
    let workspace = pages.world.full_person(&visitor.principal, id).await?.workspace_id;
    let done = match visit.form.filled("state").map(UserState::from_name) {
        Some(Some(state)) => {
            pages.world.set_person_state(&visitor.principal, id, state).await?;
            state.name()
        }
        Some(None) => return Err(Trouble::invalid("The form names a state that there is not.")),
        None if visit.form.flag("logout") == Some(true) => {
            pages.world.log_person_out(&visitor.principal, id).await?;
            "logged_out"
        }
        None => return Err(Trouble::invalid("The form does not say what to do.")),
    };
    Ok(answer::redirect(&back(visit, workspace, done)))
}

/// The same page of the list.
fn back(visit: &Visit, workspace: WorkspaceId, done: &str) -> String {
    let mut path = About::back(PATH, workspace, done);
    for name in ["query", "cursor"] {
        if let Some(value) = visit.form.filled(name) {
            let value: String = url::form_urlencoded::byte_serialize(value.as_bytes()).collect();
            for part in ["&", name, "=", &value] {
                path.push_str(part);
            }
        }
    }
    path
}
