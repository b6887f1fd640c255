//! `/admin/assistants`: whether assistants may connect, for how long, which are connected and which are kept out.

use askama::Template;
use poem::http::StatusCode;

use super::{
    Outcome, Pages, answer,
    company::{self, About},
    connections::{self, Lists, Row},
    frame::Frame,
    moment::{Moment, moment},
    trouble::Trouble,
    visit::{Visit, Visitor},
};
use crate::workspace::{
    companies::{CompanyChange, SESSION_HOURS},
    people::Persona,
    reading::PageRequest,
};

const PATH: &str = "/admin/assistants";
/// Blocked keys on the page; a company that keeps out more reads them by the API.
const BLOCKS_SHOWN: u32 = 500;
const HOURS_WRONG: &str =
    "The longest time must be a whole number of hours from 1 to 8760, or empty for no limit.";

#[derive(Template)]
#[template(path = "assistants.html")]
struct AssistantsPage<'a> {
    frame: Frame,
    about: About,
    ai_assistants: bool,
    /// As it stands in the field.
    hours: &'a str,
    connections: Vec<Row>,
    ended: Vec<Row>,
    next: Option<String>,
    is_first: bool,
    blocks: Vec<Block>,
    done: Option<&'static str>,
    problem: Option<&'static str>,
}

struct Block {
    key: String,
    /// Of the clients that had it.
    name: Option<String>,
    created_at: Moment,
}

fn done(word: Option<&str>) -> Option<&'static str> {
    match word? {
        "saved" => Some("Saved."),
        "revoked" => Some("Disconnected. The assistant's access ended at once."),
        "blocked" => Some("Blocked. Its connections have ended, and it cannot connect again."),
        "unblocked" => Some("Unblocked. It can be connected again; nothing comes back by itself."),
        _ => None,
    }
}

/// What was wrong with the settings that were sent, and what was sent.
pub(super) struct Wrong {
    hours: String,
    ai_assistants: Option<bool>,
}

/// GET /admin/assistants, and its form again when something in it was wrong.
pub(super) async fn show(pages: &Pages, visit: &Visit, wrong: Option<Wrong>) -> Outcome {
    let visitor = visit.visitor()?;
    let persona = match &wrong {
        None => company::shown(visit, visitor, company::is_admin)?,
        Some(_) => company::posted(visit, visitor, company::is_admin)?,
    };
    let (who, id) = (&visitor.principal, persona.workspace_id);
    let company = pages.world.company(who, id).await?;
    let cursor = visit.parameter("cursor");
    let Lists { live, next, ended } = connections::list(pages, visitor, persona, None, cursor).await?;
    let all = PageRequest { limit: BLOCKS_SHOWN, cursor: None };
    let blocks = pages.world.list_client_blocks(who, id, all).await?.items;
    let zone = persona.timezone.as_deref();
    let stored = company.max_session_hours.map(|hours| hours.to_string()).unwrap_or_default();
    let page = AssistantsPage {
        frame: company::frame(pages, visit, "Assistants"),
        about: About::new(PATH, visitor, persona, company::is_admin),
        ai_assistants: wrong.as_ref().and_then(|wrong| wrong.ai_assistants).unwrap_or(company.ai_assistants),
        hours: wrong.as_ref().map_or(&stored, |wrong| &wrong.hours),
        connections: live,
        ended,
        next,
        is_first: cursor.is_none(),
        blocks: blocks
            .into_iter()
            .map(|block| Block {
                key: block.key,
                name: block.display_name,
                created_at: moment(block.created_at, zone),
            })
            .collect(),
        done: done(visit.parameter("done")),
        problem: wrong.as_ref().map(|_| HOURS_WRONG),
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    answer::page(status, &page)
}

/// POST /admin/assistants. `action` says what is meant; without it the fields do.
pub(super) async fn change(pages: &Pages, visit: &Visit) -> Outcome {
    let visitor = visit.poster(pages, "")?;
    let persona = company::posted(visit, visitor, company::is_admin)?;
    let form = &visit.form;
    let done = match form.filled("action") {
        Some("revoke") => revoke(pages, visit, visitor).await?,
        Some("block") => block(pages, visit, visitor, persona, true).await?,
        Some("unblock") => block(pages, visit, visitor, persona, false).await?,
        None if form.filled("connection_id").is_some() => revoke(pages, visit, visitor).await?,
        None if form.filled("key").is_some() => block(pages, visit, visitor, persona, true).await?,
        Some("save") | None => match save(pages, visit, visitor, persona).await? {
            Ok(()) => "saved",
            Err(wrong) => return show(pages, visit, Some(wrong)).await,
        },
        Some(_) => return Err(Trouble::invalid("The form names an action that there is not.")),
    };
    Ok(answer::redirect(&About::back(PATH, persona.workspace_id, done)))
}

async fn revoke(pages: &Pages, visit: &Visit, visitor: &Visitor) -> Result<&'static str, Trouble> {
    connections::end(pages, visitor, visit.form.get("connection_id")).await?;
    Ok("revoked")
}

async fn block(
    pages: &Pages,
    visit: &Visit,
    visitor: &Visitor,
    persona: &Persona,
    blocked: bool,
) -> Result<&'static str, Trouble> {
    let key = visit.form.get("key").unwrap_or_default().trim().to_owned();
    if blocked {
        pages.world.block_client(&visitor.principal, persona.workspace_id, key).await?;
        Ok("blocked")
    } else {
        pages.world.unblock_client(&visitor.principal, persona.workspace_id, key).await?;
        Ok("unblocked")
    }
}

/// Saves the settings that were sent; one that was not stays as it is.
async fn save(
    pages: &Pages,
    visit: &Visit,
    visitor: &Visitor,
    persona: &Persona,
) -> Result<Result<(), Wrong>, Trouble> {
    let ai_assistants = visit.form.flag("ai_assistants");
    let hours = visit.form.get("max_session_hours").map(str::trim);
    if ai_assistants.is_none() && hours.is_none() {
        return Err(Trouble::invalid("The form holds nothing to save."));
    }
    let max_session_hours = match hours {
        None => None,
        Some("" | "none") => Some(None),
        Some(text) => match text.parse().ok().filter(|hours| SESSION_HOURS.contains(hours)) {
            Some(hours) => Some(Some(hours)),
            None => return Ok(Err(Wrong { hours: text.to_owned(), ai_assistants })),
        },
    };
    let change = CompanyChange { ai_assistants, max_session_hours, ..CompanyChange::default() };
    pages.world.change_company(&visitor.principal, persona.workspace_id, change).await?;
    Ok(Ok(()))
}
