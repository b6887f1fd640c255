//! `/settings/privacy`: who sees the visitor's e-mail address, and which apps may write to the visitor.

use askama::Template;
use poem::http::StatusCode;

use super::{
    Outcome, Pages, answer,
    company::{self, CompanyHeading},
    context::PageContext,
    error_page::PageError,
    frame::Frame,
};
use crate::{
    contract::answer::page_change,
    domain::ids::AppId,
    service::people::{AppChoiceView, PersonChange},
};

const PATH: &str = "/settings/privacy";

#[derive(Template)]
#[template(path = "privacy.html")]
struct PrivacyPage {
    frame: Frame,
    heading: CompanyHeading,
    email: String,
    email_visible: bool,
    apps: Vec<AppRow>,
    done: Option<&'static str>,
}

struct AppRow {
    id: String,
    name: String,
    is_blocked: bool,
}

fn done(word: Option<&str>) -> Option<&'static str> {
    match word? {
        "email" => Some("Saved your choice of who may see your e-mail address."),
        "blocked" => Some("Blocked. The app cannot write to you any more."),
        "unblocked" => Some("Unblocked. The app can write to you again."),
        _ => None,
    }
}

/// GET /settings/privacy.
pub(super) async fn show(pages: &Pages, context: &PageContext) -> Outcome {
    let visitor = context.visitor()?;
    let own_person = company::shown(context, visitor, company::anybody)?;
    let apps = visitor.caller.person_in(own_person.workspace_id)?.app_choices().await?;
    let page = PrivacyPage {
        frame: company::frame(pages, context, own_person, "Privacy"),
        heading: CompanyHeading::new(PATH, visitor, own_person, company::anybody),
        email: own_person.email.clone().unwrap_or_default(),
        email_visible: own_person.email_visible,
        apps: apps.into_iter().map(app).collect(),
        done: done(context.parameter("done")),
    };
    answer::page(StatusCode::OK, &page)
}

fn app(choice: AppChoiceView) -> AppRow {
    AppRow { id: choice.app_id.encode(), name: choice.name, is_blocked: choice.blocked_at.is_some() }
}

/// POST /settings/privacy. The form has the field `email_visible`, or the fields `app_id` and `blocked`.
pub(super) async fn change(pages: &Pages, context: &PageContext) -> Outcome {
    let visitor = context.poster(pages, "")?;
    let own_person = company::posted(context, visitor, company::anybody)?;
    let own_id = own_person.user_id.encode();
    let (resource, done) = if let Some(app) = context.form.filled("app_id") {
        let Some(app) = AppId::parse(app) else { return Err(PageError::not_found()) };
        let done = match context.form.flag("blocked") {
            Some(true) => {
                visitor.caller.block_app(own_person.user_id, app).await?;
                "blocked"
            }
            Some(false) => {
                visitor.caller.unblock_app(own_person.user_id, app).await?;
                "unblocked"
            }
            None => return Err(PageError::invalid("The form does not say whether to block the app.")),
        };
        (format!("{own_id}/app_blocks/{}", app.encode()), done)
    } else {
        let Some(visible) = context.form.flag("email_visible") else {
            return Err(PageError::invalid("The form does not say who may see your e-mail address."));
        };
        let change = PersonChange { email_visible: Some(visible), ..PersonChange::default() };
        visitor.caller.change_person(own_person.user_id, change).await?;
        (own_id, "email")
    };
    page_change(resource, done);
    Ok(answer::redirect(&CompanyHeading::back(PATH, own_person.workspace_id, done)))
}
