//! `/settings/connections`: the assistants somebody has connected. The rows are also those of `/admin/assistants`.

use askama::Template;
use poem::http::StatusCode;

use super::{
    Outcome, Pages, answer,
    company::{self, About},
    frame::Frame,
    moment::Moment,
    trouble::Trouble,
    visit::{Visit, Visitor},
};
use crate::workspace::{people::Persona, reading::PageRequest};

const PATH: &str = "/settings/connections";
/// Connections on one page.
const SHOWN: u32 = 50;

#[derive(Template)]
#[template(path = "connections.html")]
struct ConnectionsPage {
    frame: Frame,
    about: About,
    connections: Vec<Row>,
    next: Option<String>,
    is_first: bool,
    done: Option<&'static str>,
}

/// A connection.
pub(super) struct Row {
    pub(super) id: String,
    pub(super) name: String,
    /// Whose it is, for admins.
    pub(super) person: String,
    /// What an admin blocks.
    pub(super) key: String,
    /// Where it was connected from, in words.
    pub(super) place: String,
    pub(super) scopes: Vec<&'static str>,
    pub(super) created_at: Moment,
    pub(super) used_at: Option<Moment>,
    pub(super) is_active: bool,
    /// Why it ended.
    pub(super) reason: &'static str,
}

/// GET /settings/connections.
pub(super) async fn show(pages: &Pages, visit: &Visit) -> Outcome {
    let visitor = visit.visitor()?;
    let persona = company::shown(visit, visitor, company::anybody)?;
    let cursor = visit.parameter("cursor");
    let (connections, next) = of_person(pages, visitor, persona, cursor).await?;
    let page = ConnectionsPage {
        frame: company::frame(pages, visit, "Connections"),
        about: About::new(PATH, visitor, persona, company::anybody),
        connections,
        next,
        is_first: cursor.is_none(),
        done: (visit.parameter("done") == Some("disconnected"))
            .then_some("Disconnected. The assistant's access ended at once."),
    };
    answer::page(StatusCode::OK, &page)
}

/// POST /settings/connections: `connection_id`.
pub(super) async fn change(pages: &Pages, visit: &Visit) -> Outcome {
    let visitor = visit.poster(pages, "")?;
    end(pages, visitor, visit.form.get("connection_id")).await?;
    let back = match company::posted(visit, visitor, company::anybody) {
        Ok(persona) => About::back(PATH, persona.workspace_id, "disconnected"),
        Err(_) => format!("{PATH}?done=disconnected"),
    };
    Ok(answer::redirect(&back))
}

/// Every connection of a company.
pub(super) async fn of_company(
    pages: &Pages,
    visitor: &Visitor,
    persona: &Persona,
    cursor: Option<&str>,
) -> Result<(Vec<Row>, Option<String>), Trouble> {
    list(pages, visitor, persona, false, cursor).await
}

async fn of_person(
    pages: &Pages,
    visitor: &Visitor,
    persona: &Persona,
    cursor: Option<&str>,
) -> Result<(Vec<Row>, Option<String>), Trouble> {
    list(pages, visitor, persona, true, cursor).await
}

async fn list(
    pages: &Pages,
    visitor: &Visitor,
    persona: &Persona,
    own: bool,
    cursor: Option<&str>,
) -> Result<(Vec<Row>, Option<String>), Trouble> {
    let of = own.then_some(Some(persona.user_id));
    let request = PageRequest { limit: SHOWN, cursor };
    let page = pages.world.list_connections(&visitor.principal, persona.workspace_id, of, request).await?;
    Ok((page.items.into_iter().map(|none| match none {}).collect(), page.next_cursor))
}

/// Ends a connection: one's own, or one of a company that one administers.
pub(super) async fn end(_: &Pages, _: &Visitor, _: Option<&str>) -> Result<(), Trouble> {
    Err(Trouble::not_found())
}
