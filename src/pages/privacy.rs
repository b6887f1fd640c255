//! `/settings/privacy`: who sees one's e-mail address, and which apps may write to one.

use askama::Template;
use poem::http::StatusCode;

use super::{
    Outcome, Pages, answer,
    company::{self, About},
    frame::Frame,
    trouble::Trouble,
    visit::Visit,
};
use crate::{domain::ids::AppId, store::users::AppChoice, workspace::people::PersonChange};

const PATH: &str = "/settings/privacy";

#[derive(Template)]
#[template(path = "privacy.html")]
struct PrivacyPage {
    frame: Frame,
    about: About,
    email: String,
    email_visible: bool,
    apps: Vec<App>,
    done: Option<&'static str>,
}

struct App {
    id: String,
    name: String,
    is_blocked: bool,
}

fn done(word: Option<&str>) -> Option<&'static str> {
    match word? {
        "email" => Some("Saved who sees your e-mail address."),
        "blocked" => Some("Blocked. The app cannot write to you any more."),
        "unblocked" => Some("Unblocked. The app can write to you again."),
        _ => None,
    }
}

/// GET /settings/privacy.
pub(super) async fn show(pages: &Pages, visit: &Visit) -> Outcome {
    let visitor = visit.visitor()?;
    let persona = company::shown(visit, visitor, company::anybody)?;
    let apps = pages.world.app_choices(&visitor.principal, persona.workspace_id).await?;
    let page = PrivacyPage {
        frame: company::frame(pages, visit, "Privacy"),
        about: About::new(PATH, visitor, persona, company::anybody),
        email: persona.email.clone().unwrap_or_default(),
        email_visible: persona.email_visible,
        apps: apps.into_iter().map(app).collect(),
        done: done(visit.parameter("done")),
    };
    answer::page(StatusCode::OK, &page)
}

fn app(choice: AppChoice) -> App {
    App { id: choice.app_id.encode(), name: choice.name, is_blocked: choice.blocked_at.is_some() }
}

/// POST /settings/privacy: `email_visible`, or `app_id` and `blocked`.
pub(super) async fn change(pages: &Pages, visit: &Visit) -> Outcome {
    let visitor = visit.poster(pages, "")?;
    let persona = company::posted(visit, visitor, company::anybody)?;
    let done = if let Some(app) = visit.form.filled("app_id") {
        let Some(app) = AppId::parse(app) else { return Err(Trouble::not_found()) };
        match visit.form.flag("blocked") {
            Some(true) => {
                pages.world.block_app(&visitor.principal, persona.user_id, app).await?;
                "blocked"
            }
            Some(false) => {
                pages.world.unblock_app(&visitor.principal, persona.user_id, app).await?;
                "unblocked"
            }
            None => return Err(Trouble::invalid("The form does not say whether to block the app.")),
        }
    } else {
        let Some(visible) = visit.form.flag("email_visible") else {
            return Err(Trouble::invalid("The form does not say who may see your e-mail address."));
        };
        let change = PersonChange { email_visible: Some(visible), ..PersonChange::default() };
        pages.world.change_person(&visitor.principal, persona.user_id, change).await?;
        "email"
    };
    Ok(answer::redirect(&About::back(PATH, persona.workspace_id, done)))
}
