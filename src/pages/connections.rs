//! `/settings/connections`: the assistants that a person has connected. The page `/admin/assistants` also lists and
//! disconnects connections with [`list`] and [`end`].

use askama::Template;
use poem::http::StatusCode;

use super::{
    Outcome, Pages, answer,
    company::{self, CompanyHeading},
    context::PageContext,
    error_page::PageError,
    frame::Frame,
    labels,
    local_time::{LocalTime, local_time},
    visitor::Visitor,
};
use crate::{
    contract::answer::page_change,
    domain::ids::{ConnectionId, UserId, WorkspaceId},
    service::{
        oauth::connections::{ConnectionFilter, ListedConnection},
        paging::PageRequest,
        people::OwnPerson,
    },
};

const PATH: &str = "/settings/connections";
/// Connections per page.
const PAGE_SIZE: u32 = 50;

#[derive(Template)]
#[template(path = "connections.html")]
struct ConnectionsPage {
    frame: Frame,
    heading: CompanyHeading,
    connections: Vec<ConnectionRow>,
    ended: Vec<ConnectionRow>,
    next: Option<String>,
    is_first: bool,
    done: Option<&'static str>,
}

/// A connection in a list.
pub(super) struct ConnectionRow {
    pub(super) id: String,
    pub(super) name: String,
    /// Name of the employee. Only `/admin/assistants` shows it.
    pub(super) person: String,
    /// The block key.
    pub(super) key: String,
    pub(super) access: &'static str,
    /// Where the redirect URI of the connection leads: a host, or an app on the computer.
    pub(super) destination: String,
    pub(super) created_at: LocalTime,
    pub(super) used_at: Option<LocalTime>,
    pub(super) ended_at: Option<LocalTime>,
    /// Why the connection ended; empty for an active connection.
    pub(super) why: &'static str,
}

/// The connections that an HTML page lists.
pub(super) struct ConnectionLists {
    /// One page of the list of active connections, oldest first.
    pub(super) active: Vec<ConnectionRow>,
    /// Cursor of the next page of this list.
    pub(super) next: Option<String>,
    /// The latest ended connections, newest first.
    pub(super) ended: Vec<ConnectionRow>,
}

/// GET /settings/connections.
pub(super) async fn show(pages: &Pages, context: &PageContext) -> Outcome {
    let visitor = context.visitor()?;
    let own_person = company::shown(context, visitor, company::anybody)?;
    let cursor = context.parameter("cursor");
    let ConnectionLists { active: live, next, ended } =
        list(visitor, own_person, Some(own_person.user_id), cursor).await?;
    let page = ConnectionsPage {
        frame: company::frame(pages, context, own_person, "Connections"),
        heading: CompanyHeading::new(PATH, visitor, own_person, company::anybody),
        connections: live,
        ended,
        next,
        is_first: cursor.is_none(),
        done: (context.parameter("done") == Some("disconnected"))
            .then_some("Disconnected. The assistant no longer has access."),
    };
    answer::page(StatusCode::OK, &page)
}

/// POST /settings/connections: disconnects the connection `connection_id`, and redirects to `/settings/connections` for
/// the connection's company.
pub(super) async fn change(pages: &Pages, context: &PageContext) -> Outcome {
    let visitor = context.poster(pages, "")?;
    let workspace = end(visitor, context.form.get("connection_id")).await?;
    Ok(answer::redirect(&CompanyHeading::back(PATH, workspace, "disconnected")))
}

/// Returns a page of the active connections, and the latest ended connections, of the company of `own_person`. If `of`
/// is set, returns only the connections of this user.
pub(super) async fn list(
    visitor: &Visitor,
    own_person: &OwnPerson,
    of: Option<UserId>,
    cursor: Option<&str>,
) -> Result<ConnectionLists, PageError> {
    let company = visitor.caller.in_company(own_person.workspace_id)?;
    let filter = ConnectionFilter { of: of.map(Some), active: Some(true) };
    let live = company.list_connections(filter, PageRequest { limit: PAGE_SIZE, cursor }).await?;
    let ended = company.latest_ended_connections(of).await?;
    let owners = live.items.iter().chain(&ended).map(|listed| listed.user_id);
    let mut owners: Vec<UserId> = owners.collect();
    owners.sort_unstable();
    owners.dedup();
    let names = company.names_of(owners).await?;
    let row = |listed: ListedConnection| {
        let name = names.iter().find(|(id, _)| *id == listed.user_id);
        row(listed, name.map_or("", |(_, name)| name), of.is_some(), own_person.timezone.as_deref())
    };
    Ok(ConnectionLists {
        active: live.items.into_iter().map(row).collect(),
        next: live.next_cursor,
        ended: ended.into_iter().map(row).collect(),
    })
}

fn row(connection: ListedConnection, person: &str, own: bool, zone: Option<&str>) -> ConnectionRow {
    ConnectionRow {
        id: connection.id.encode(),
        name: connection.display_name,
        person: person.to_owned(),
        key: connection.block_key,
        access: labels::access(connection.scopes),
        destination: labels::destination(&connection.redirect_uri),
        created_at: local_time(connection.created_at, zone),
        used_at: connection.last_used_at.map(|at| local_time(at, zone)),
        ended_at: connection.revoked_at.map(|at| local_time(at, zone)),
        why: connection.ended.map_or("", |reason| labels::ended(reason, own)),
    }
}

/// Disconnects a connection of the visitor, or of a company that the visitor administers. Returns the connection's
/// company.
pub(super) async fn end(visitor: &Visitor, id: Option<&str>) -> Result<WorkspaceId, PageError> {
    let id = id.and_then(ConnectionId::parse);
    let workspace = visitor.caller.disconnect(id).await?;
    page_change(id.map(ConnectionId::encode).unwrap_or_default(), "disconnected");
    Ok(workspace)
}
