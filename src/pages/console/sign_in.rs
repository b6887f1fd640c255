//! Signs the operator in to the console, by the operator key or a one-time link. Also signs the operator out.

use askama::Template;
use poem::{Response, http::StatusCode};

use super::{
    Console,
    context::{ConsoleContext, SIGN_IN},
    shell::style_only,
};
use crate::{
    contract::answer::{LoggedCaller, PageAction, caller, page_action},
    pages::{Outcome, answer, error_page::PageError, frame::Frame},
};

/// Purpose of the form's CSRF token. The token is bound to the browser's id cookie, because there is no session yet.
const PURPOSE: &str = "console-signin";

const WRONG: &str =
    "This is not the operator key of this server. Copy the whole key, from svc_op_ to its end.";
const NO_KEY: &str =
    "This server has no operator key: set SWITCHBOARD_OPERATOR_KEY_SHA256 and restart the server.";
const USED: &str = "This link is not valid: it was used, is older than an hour, or was replaced by a newer link. To \
                    get a new link, start “switchboard dev” again.";

#[derive(Template)]
#[template(path = "console/sign_in.html")]
struct ConsoleSignInPage {
    frame: Frame,
    style: String,
    csrf: String,
    problem: Option<&'static str>,
}

/// GET /console/signin.
pub(super) fn show(console: &Console, context: &mut ConsoleContext) -> Outcome {
    if context.session.is_some() {
        return Ok(answer::redirect("/console"));
    }
    let problem = (context.parameter("link") == "used").then_some(USED);
    form(console, context, StatusCode::OK, problem)
}

fn form(
    console: &Console,
    context: &mut ConsoleContext,
    status: StatusCode,
    problem: Option<&'static str>,
) -> Outcome {
    let browser = context.browser(console);
    let page = ConsoleSignInPage {
        frame: Frame::bare(&console.pages).titled("Sign in to the console"),
        style: style_only(console),
        csrf: console.world().csrf_token(&browser.0, PURPOSE),
        problem,
    };
    answer::page(status, &page)
}

/// POST /console/signin.
pub(super) fn submit(console: &Console, context: &mut ConsoleContext) -> Outcome {
    let world = console.world();
    let token = context.form.get("csrf").unwrap_or_default();
    if !context.known_browser().is_some_and(|browser| world.is_csrf_token_valid(&browser.0, PURPOSE, token)) {
        return Err(PageError::stale(SIGN_IN));
    }
    page_action(PageAction::SignIn);
    if !world.has_operator_key() {
        return form(console, context, StatusCode::UNPROCESSABLE_ENTITY, Some(NO_KEY));
    }
    let Some(operator) = world.operator_by_key(context.field("key")) else {
        return form(console, context, StatusCode::UNPROCESSABLE_ENTITY, Some(WRONG));
    };
    caller(LoggedCaller::Operator);
    context.begin_session(console, &operator)?;
    Ok(answer::redirect("/console"))
}

/// GET /console/link/{token}: a one-time link. Redirects to another page, so that no page has the token in its address.
/// A prefetch without a session gets 503 and does not consume the link.
pub(super) fn follow_link(console: &Console, context: &mut ConsoleContext) -> Outcome {
    if context.session.is_some() {
        return Ok(answer::redirect("/console"));
    }
    if context.is_prefetch {
        return Ok(answer::plain(
            StatusCode::SERVICE_UNAVAILABLE,
            "A prefetch does not use this link. Follow the link to sign in.",
        ));
    }
    let token = context.parts.first().map_or("", String::as_str);
    let Some(operator) = console.world().operator_by_console_link(token) else {
        return Ok(answer::redirect("/console/signin?link=used"));
    };
    page_action(PageAction::SignIn);
    caller(LoggedCaller::Operator);
    context.begin_session(console, &operator)?;
    Ok(answer::redirect("/console"))
}

/// POST /console/signout.
pub(super) fn sign_out(console: &Console, context: &mut ConsoleContext) -> Response {
    page_action(PageAction::SignOut);
    context.end_session(console);
    answer::redirect(SIGN_IN)
}
