//! `/admin/apps`: the apps of a company, and uninstalling them.

use askama::Template;
use poem::http::StatusCode;

use super::{
    Outcome, Pages, answer,
    company::{self, About},
    frame::Frame,
    moment::{Moment, moment},
    visit::Visit,
    words,
};
use crate::{domain::ids::InstallationId, store::apps::InstalledApp};

const PATH: &str = "/admin/apps";

#[derive(Template)]
#[template(path = "apps.html")]
struct AppsPage {
    frame: Frame,
    about: About,
    standing: Vec<Row>,
    ended: Vec<Row>,
    done: Option<&'static str>,
}

struct Row {
    id: String,
    name: String,
    scopes: Vec<&'static str>,
    installed_by: Option<String>,
    created_at: Moment,
    ended_at: Option<Moment>,
    why: &'static str,
}

/// GET /admin/apps.
pub(super) async fn show(pages: &Pages, visit: &Visit) -> Outcome {
    let visitor = visit.visitor()?;
    let persona = company::shown(visit, visitor, company::is_admin)?;
    let apps = pages.world.installed_apps(&visitor.principal, persona.workspace_id).await?;
    let zone = persona.timezone.as_deref();
    let rows = |apps: Vec<InstalledApp>| apps.into_iter().map(|app| row(app, zone)).collect();
    let page = AppsPage {
        frame: company::frame(pages, visit, "Apps"),
        about: About::new(PATH, visitor, persona, company::is_admin),
        standing: rows(apps.standing),
        ended: rows(apps.ended),
        done: (visit.parameter("done") == Some("uninstalled"))
            .then_some("Uninstalled. The app's access ended at once."),
    };
    answer::page(StatusCode::OK, &page)
}

fn row(app: InstalledApp, zone: Option<&str>) -> Row {
    Row {
        id: app.id.encode(),
        name: app.name,
        scopes: app.scopes.iter().map(words::bot_scope).collect(),
        installed_by: app.installed_by,
        created_at: moment(app.created_at, zone),
        ended_at: app.disconnected_at.map(|at| moment(at, zone)),
        why: words::disconnect(app.reason),
    }
}

/// POST /admin/apps: `installation_id`. The installation names its company itself.
pub(super) async fn change(pages: &Pages, visit: &Visit) -> Outcome {
    let visitor = visit.poster(pages, "")?;
    let id = visit.form.get("installation_id").and_then(InstallationId::parse);
    pages.world.uninstall(&visitor.principal, id, None).await?;
    let back = match company::posted(visit, visitor, company::is_admin) {
        Ok(persona) => About::back(PATH, persona.workspace_id, "uninstalled"),
        Err(_) => format!("{PATH}?done=uninstalled"),
    };
    Ok(answer::redirect(&back))
}
