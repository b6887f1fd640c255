//! `/admin/apps`: lists the apps of a company, and uninstalls them.

use askama::Template;
use poem::http::StatusCode;

use super::{
    Outcome, Pages, answer,
    company::{self, CompanyHeading},
    context::PageContext,
    frame::Frame,
    labels,
    local_time::{LocalTime, local_time},
};
use crate::{
    contract::answer::page_change, domain::ids::InstallationId, service::apps::installs::InstalledAppView,
};

const PATH: &str = "/admin/apps";

#[derive(Template)]
#[template(path = "apps.html")]
struct AppsPage {
    frame: Frame,
    heading: CompanyHeading,
    connected: Vec<InstallationRow>,
    ended: Vec<InstallationRow>,
    done: Option<&'static str>,
}

struct InstallationRow {
    id: String,
    name: String,
    scopes: Vec<&'static str>,
    installed_by: Option<String>,
    created_at: LocalTime,
    ended_at: Option<LocalTime>,
    why: &'static str,
}

/// GET /admin/apps.
pub(super) async fn show(pages: &Pages, context: &PageContext) -> Outcome {
    let visitor = context.visitor()?;
    let own_person = company::shown(context, visitor, company::is_admin)?;
    let apps = visitor.caller.admin_of(own_person.workspace_id)?.installed_apps().await?;
    let zone = own_person.timezone.as_deref();
    let rows = |apps: Vec<InstalledAppView>| apps.into_iter().map(|app| row(app, zone)).collect();
    let page = AppsPage {
        frame: company::frame(pages, context, own_person, "Apps"),
        heading: CompanyHeading::new(PATH, visitor, own_person, company::is_admin),
        connected: rows(apps.connected),
        ended: rows(apps.disconnected),
        done: (context.parameter("done") == Some("uninstalled"))
            .then_some("Uninstalled. The app no longer has access."),
    };
    answer::page(StatusCode::OK, &page)
}

fn row(app: InstalledAppView, zone: Option<&str>) -> InstallationRow {
    InstallationRow {
        id: app.id.encode(),
        name: app.name,
        scopes: app.scopes.iter().map(labels::bot_scope).collect(),
        installed_by: app.installed_by,
        created_at: local_time(app.created_at, zone),
        ended_at: app.disconnected_at.map(|at| local_time(at, zone)),
        why: labels::disconnect(app.reason),
    }
}

/// POST /admin/apps: uninstalls the app of the installation `installation_id`.
pub(super) async fn change(pages: &Pages, context: &PageContext) -> Outcome {
    let visitor = context.poster(pages, "")?;
    let id = context.form.get("installation_id").and_then(InstallationId::parse);
    let workspace = visitor.caller.uninstall(id, None).await?;
    page_change(id.map(InstallationId::encode).unwrap_or_default(), "uninstalled");
    Ok(answer::redirect(&CompanyHeading::back(PATH, workspace, "uninstalled")))
}
