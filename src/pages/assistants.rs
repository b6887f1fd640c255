//! The page `/admin/assistants`: the settings of a company for assistants, its connections, and the clients that it
//! blocks. There are three settings: whether assistants may connect, the *session limit*, which is the maximum duration
//! of a connection, and whether people confirm what assistants send.

use askama::Template;
use poem::http::StatusCode;

use super::{
    Outcome, Pages, answer,
    company::{self, CompanyHeading},
    connections::{self, ConnectionLists, ConnectionRow},
    context::PageContext,
    error_page::PageError,
    frame::Frame,
    local_time::{LocalTime, local_time},
    visitor::Visitor,
};
use crate::contract::answer::page_change;
use crate::domain::{
    assistant::{keys::normal_key, sending::AssistantSends},
    refusal::Code,
};
use crate::service::{
    Error,
    companies::{AssistantSettings, CompanyChange, SESSION_HOURS},
    paging::PageRequest,
    people::OwnPerson,
};

const PATH: &str = "/admin/assistants";
/// Maximum number of block keys on the page. Further block keys are visible only through the admin API.
const MAX_BLOCKS: u32 = 500;
const CHANGED: &str =
    "Nothing was saved: somebody has changed the settings since you opened this page. Check them again.";
const HOURS_WRONG: &str =
    "The session limit must be a whole number of hours from 1 to 8760, or empty for no limit.";

#[derive(Template)]
#[template(path = "assistants.html")]
struct AssistantsPage<'a> {
    frame: Frame,
    heading: CompanyHeading,
    ai_assistants: bool,
    /// The text in the field for the session limit, in hours.
    hours: &'a str,
    /// Whether people confirm what assistants send.
    confirms: bool,
    connections: Vec<ConnectionRow>,
    ended: Vec<ConnectionRow>,
    next: Option<String>,
    is_first: bool,
    blocks: Vec<BlockedClientRow>,
    done: Option<&'static str>,
    /// What is wrong with the session limit.
    problem: Option<&'static str>,
    /// The message that nothing was saved, because the settings have changed since the form was shown.
    conflict: Option<&'static str>,
    /// The stored settings as text, for a hidden field that the form sends back.
    loaded: String,
}

struct BlockedClientRow {
    key: String,
    /// Name of the clients with this key, if known.
    name: Option<String>,
    created_at: LocalTime,
}

fn done(word: Option<&str>) -> Option<&'static str> {
    match word? {
        "saved" => Some("Saved."),
        "revoked" => Some("Disconnected. The assistant no longer has access."),
        "blocked" => Some("Blocked. The assistant's connections were revoked, and it cannot connect again."),
        "unblocked" => Some("Unblocked. The assistant can connect again; revoked connections stay revoked."),
        _ => None,
    }
}

/// Why submitted settings were not saved.
pub(super) enum RejectedSettings {
    /// The session limit is invalid. The fields are the submitted settings.
    Hours {
        hours: String,
        ai_assistants: Option<bool>,
        assistant_sends: Option<AssistantSends>,
        /// The settings with which the form was shown; `None` if the form has no field `loaded`.
        loaded: Option<AssistantSettings>,
    },
    /// The stored settings were changed after the form was shown, or the field `loaded` of the form is malformed.
    Changed,
}

/// Returns settings as the text of the field `loaded`. The server compares this field of a submitted form with the
/// stored settings, to detect whether the settings have changed since the form was shown.
fn loaded_text(settings: AssistantSettings) -> String {
    let hours = settings.max_session_hours.map(|hours| hours.to_string()).unwrap_or_default();
    let ai_assistants = if settings.ai_assistants { "on" } else { "off" };
    [ai_assistants, &hours, settings.assistant_sends.name()].join(" ")
}

/// Parses a text that [`loaded_text`] returned; `None` for any other text.
fn parse_loaded(text: &str) -> Option<AssistantSettings> {
    let mut parts = text.split(' ');
    let ai_assistants = parts.next()? == "on";
    let max_session_hours = match parts.next()? {
        "" => None,
        hours => Some(hours.parse().ok()?),
    };
    let assistant_sends = AssistantSends::from_name(parts.next()?)?;
    let settings = AssistantSettings { ai_assistants, max_session_hours, assistant_sends };
    (loaded_text(settings) == text).then_some(settings)
}

/// GET /admin/assistants. If settings were rejected, shows the form again.
pub(super) async fn show(
    pages: &Pages,
    context: &PageContext,
    rejected: Option<RejectedSettings>,
) -> Outcome {
    let visitor = context.visitor()?;
    let own_person = match &rejected {
        None => company::shown(context, visitor, company::is_admin)?,
        Some(_) => company::posted(context, visitor, company::is_admin)?,
    };
    let admin = visitor.caller.admin_of(own_person.workspace_id)?;
    let company = admin.company().await?;
    let cursor = context.parameter("cursor");
    let ConnectionLists { active: live, next, ended } =
        connections::list(visitor, own_person, None, cursor).await?;
    let all = PageRequest { limit: MAX_BLOCKS, cursor: None };
    let blocks = admin.list_client_blocks(all).await?.items;
    let zone = own_person.timezone.as_deref();
    let stored = company.max_session_hours.map(|hours| hours.to_string()).unwrap_or_default();
    let (submitted, status) = match rejected {
        None => (None, StatusCode::OK),
        // The typed settings are not shown again: the new form has a new `loaded`, so submitting it with the typed
        // settings would undo the change that somebody else has made.
        Some(RejectedSettings::Hours { loaded: Some(loaded), .. })
            if loaded != company.assistant_settings() =>
        {
            (None, StatusCode::CONFLICT)
        }
        Some(RejectedSettings::Hours { hours, ai_assistants, assistant_sends, .. }) => {
            (Some((hours, ai_assistants, assistant_sends)), StatusCode::UNPROCESSABLE_ENTITY)
        }
        Some(RejectedSettings::Changed) => (None, StatusCode::CONFLICT),
    };
    let page = AssistantsPage {
        frame: company::frame(pages, context, own_person, "Assistants"),
        heading: CompanyHeading::new(PATH, visitor, own_person, company::is_admin),
        ai_assistants: submitted.as_ref().and_then(|(_, ai, _)| *ai).unwrap_or(company.ai_assistants),
        hours: submitted.as_ref().map_or(&stored, |(hours, _, _)| hours),
        confirms: submitted.as_ref().and_then(|(_, _, sends)| *sends).unwrap_or(company.assistant_sends)
            == AssistantSends::Confirm,
        connections: live,
        ended,
        next,
        is_first: cursor.is_none(),
        blocks: blocks
            .into_iter()
            .map(|block| BlockedClientRow {
                key: block.key,
                name: block.display_name,
                created_at: local_time(block.created_at, zone),
            })
            .collect(),
        done: done(context.parameter("done")),
        problem: submitted.as_ref().map(|_| HOURS_WRONG),
        conflict: (status == StatusCode::CONFLICT).then_some(CHANGED),
        loaded: loaded_text(company.assistant_settings()),
    };
    answer::page(status, &page)
}

/// POST /admin/assistants. The field `action` selects what to do. Without `action`, a form with a `connection_id`
/// revokes the connection, a form with a `key` blocks the key, and any other form saves the settings. A revocation
/// form need not name the company, because the connection determines it.
pub(super) async fn change(pages: &Pages, context: &PageContext) -> Outcome {
    let visitor = context.poster(pages, "")?;
    let form = &context.form;
    let action = form.filled("action");
    if action == Some("revoke") || (action.is_none() && form.filled("connection_id").is_some()) {
        company::check_posted(context, visitor, company::is_admin)?;
        let workspace = connections::end(visitor, form.get("connection_id")).await?;
        return Ok(answer::redirect(&CompanyHeading::back(PATH, workspace, "revoked")));
    }
    let own_person = company::posted(context, visitor, company::is_admin)?;
    let done = match action {
        Some("block") => block(context, visitor, own_person, true).await?,
        Some("unblock") => block(context, visitor, own_person, false).await?,
        None if form.filled("key").is_some() => block(context, visitor, own_person, true).await?,
        Some("save") | None => match save(context, visitor, own_person).await? {
            Ok(()) => "saved",
            Err(rejected) => return show(pages, context, Some(rejected)).await,
        },
        Some(_) => return Err(PageError::invalid("The form names an unknown action.")),
    };
    Ok(answer::redirect(&CompanyHeading::back(PATH, own_person.workspace_id, done)))
}

async fn block(
    context: &PageContext,
    visitor: &Visitor,
    own_person: &OwnPerson,
    blocked: bool,
) -> Result<&'static str, PageError> {
    let key = context.form.get("key").unwrap_or_default().trim().to_owned();
    let admin = visitor.caller.admin_of(own_person.workspace_id)?;
    let resource = format!("{}/client_blocks/{}", own_person.workspace_id, normal_key(&key));
    let done = if blocked {
        admin.block_client(key).await?;
        "blocked"
    } else {
        admin.unblock_client(key).await?;
        "unblocked"
    };
    page_change(resource, done);
    Ok(done)
}

/// Saves the submitted settings. Settings that were not submitted stay unchanged. Saves nothing and returns the
/// rejection if the session limit is invalid, or if the stored settings have changed since the form was shown. The
/// page's own form submits every setting, so saving it would undo such a change.
async fn save(
    context: &PageContext,
    visitor: &Visitor,
    own_person: &OwnPerson,
) -> Result<Result<(), RejectedSettings>, PageError> {
    let ai_assistants = context.form.flag("ai_assistants");
    let hours = context.form.get("max_session_hours").map(str::trim);
    let assistant_sends = match context.form.filled("assistant_sends").map(AssistantSends::from_name) {
        Some(None) => return Err(PageError::invalid("The form names an unknown way of sending.")),
        sends => sends.flatten(),
    };
    if ai_assistants.is_none() && hours.is_none() && assistant_sends.is_none() {
        return Err(PageError::invalid("The form contains nothing to save."));
    }
    let loaded = match context.form.filled("loaded").map(parse_loaded) {
        Some(None) => return Ok(Err(RejectedSettings::Changed)),
        loaded => loaded.flatten(),
    };
    let max_session_hours = match hours {
        None => None,
        Some("" | "none") => Some(None),
        Some(text) => match text.parse().ok().filter(|hours| SESSION_HOURS.contains(hours)) {
            Some(hours) => Some(Some(hours)),
            None => {
                let hours = text.to_owned();
                return Ok(Err(RejectedSettings::Hours { hours, ai_assistants, assistant_sends, loaded }));
            }
        },
    };
    let change = CompanyChange {
        ai_assistants,
        max_session_hours,
        assistant_sends,
        expected: loaded,
        ..CompanyChange::default()
    };
    match visitor.caller.admin_of(own_person.workspace_id)?.change_company(change).await {
        Ok(_) => {
            page_change(own_person.workspace_id.encode(), "saved");
            Ok(Ok(()))
        }
        Err(Error::Refused(refusal)) if refusal.code == Code::Conflict => Ok(Err(RejectedSettings::Changed)),
        Err(error) => Err(error.into()),
    }
}
