//! `/settings/connections`: the assistants somebody has connected. The rows are also those of `/admin/assistants`.

use askama::Template;
use poem::http::StatusCode;

use super::{
    Outcome, Pages, answer,
    company::{self, About},
    frame::Frame,
    moment::{Moment, moment},
    trouble::Trouble,
    visit::{Visit, Visitor},
    words,
};
use crate::{
    domain::ids::{ConnectionId, UserId},
    workspace::{
        assistants::connections::{ConnectionFilter, Listed},
        people::Persona,
        reading::PageRequest,
    },
};

const PATH: &str = "/settings/connections";
/// Connections on one page.
const SHOWN: u32 = 50;

#[derive(Template)]
#[template(path = "connections.html")]
struct ConnectionsPage {
    frame: Frame,
    about: About,
    connections: Vec<Row>,
    ended: Vec<Row>,
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
    pub(super) access: &'static str,
    /// Where it leads.
    pub(super) place: String,
    pub(super) created_at: Moment,
    pub(super) used_at: Option<Moment>,
    pub(super) ended_at: Option<Moment>,
    /// Why it ended.
    pub(super) why: &'static str,
}

/// The connections a page shows.
pub(super) struct Lists {
    /// Those that live, a page of them, oldest first.
    pub(super) live: Vec<Row>,
    /// Where that list goes on.
    pub(super) next: Option<String>,
    /// The last that ended, newest first.
    pub(super) ended: Vec<Row>,
}

/// GET /settings/connections.
pub(super) async fn show(pages: &Pages, visit: &Visit) -> Outcome {
    let visitor = visit.visitor()?;
    let persona = company::shown(visit, visitor, company::anybody)?;
    let cursor = visit.parameter("cursor");
    let Lists { live, next, ended } = list(pages, visitor, persona, Some(persona.user_id), cursor).await?;
    let page = ConnectionsPage {
        frame: company::frame(pages, visit, "Connections"),
        about: About::new(PATH, visitor, persona, company::anybody),
        connections: live,
        ended,
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

/// The connections of a company, or of one person of it, for the page of `persona`.
pub(super) async fn list(
    pages: &Pages,
    visitor: &Visitor,
    persona: &Persona,
    of: Option<UserId>,
    cursor: Option<&str>,
) -> Result<Lists, Trouble> {
    let (who, company) = (&visitor.principal, persona.workspace_id);
    let filter = ConnectionFilter { of: of.map(Some), active: Some(true) };
    let live =
        pages.world.list_connections(who, company, filter, PageRequest { limit: SHOWN, cursor }).await?;
    let ended = pages.world.latest_ended_connections(who, company, of).await?;
    let owners = live.items.iter().chain(&ended).map(|listed| listed.connection.user_id);
    let mut owners: Vec<UserId> = owners.collect();
    owners.sort_unstable();
    owners.dedup();
    let names = pages.world.names_of(who, company, owners).await?;
    let row = |listed: Listed| {
        let name = names.iter().find(|(id, _)| *id == listed.connection.user_id);
        row(listed, name.map_or("", |(_, name)| name), of.is_some(), persona.timezone.as_deref())
    };
    Ok(Lists {
        live: live.items.into_iter().map(row).collect(),
        next: live.next_cursor,
        ended: ended.into_iter().map(row).collect(),
    })
}

fn row(listed: Listed, person: &str, own: bool, zone: Option<&str>) -> Row {
    let Listed { connection, ended } = listed;
    Row {
        id: connection.id.encode(),
        name: connection.display_name,
        person: person.to_owned(),
        key: connection.block_key,
        access: words::access(connection.scopes),
        place: words::place(&connection.redirect_uri),
        created_at: moment(connection.created_at, zone),
        used_at: connection.last_used_at.map(|at| moment(at, zone)),
        ended_at: connection.revoked_at.map(|at| moment(at, zone)),
        why: ended.map_or("", |reason| words::ended(reason, own)),
    }
}

/// Ends a connection: one's own, or one of a company that one administers.
pub(super) async fn end(pages: &Pages, visitor: &Visitor, id: Option<&str>) -> Result<(), Trouble> {
    let id = id.and_then(ConnectionId::parse);
    Ok(pages.world.disconnect(&visitor.principal, id).await?)
}
