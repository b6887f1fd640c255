//! `/signin` and `/signout`. A page whose address is too long for the parameter `next` of `/signin` shows the sign-in
//! form itself ([`in_place`]).

use askama::Template;
use poem::{
    Response,
    http::{HeaderValue, StatusCode, header},
};

use super::{
    Outcome, Pages, answer,
    context::PageContext,
    error_page::PageError,
    frame::Frame,
    next::{SIGN_IN_PATH, same_site, sign_in_path},
};
use crate::{
    api::note_persons,
    contract::answer::{PageAction, page_action, reports_write},
    domain::refusal::{Code, Refusal},
    platform::secrets::Secret,
    service::{Error, sign_in::guesses::SignInLocation, sign_in::sessions::SESSION_LIFE},
};

/// Purpose of the form's CSRF token. The token is bound to the browser's id cookie, because there is no session yet.
const PURPOSE: &str = "signin";
/// Maximum length in bytes of the path of the sign-in page with its parameter `next`. The sign-in form contains `next`
/// too, and a form of a visitor who is not signed in can have at most 16 KiB.
const MAX_SIGN_IN_PATH: usize = 8 * 1024;

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage<'a> {
    frame: Frame,
    csrf: String,
    /// Path to which the form is posted.
    action: &'a str,
    next: &'a str,
    email: &'a str,
    /// Why the last attempt failed.
    problem: Option<&'static str>,
    /// What the visitor signs in for, if `next` is a page on which the visitor approves an app or an assistant.
    reason: Option<&'static str>,
}

/// Shown for every wrong e-mail address or password. The text reveals neither which of the two is wrong nor whether the
/// account exists.
const WRONG: &str = "Wrong e-mail address or password. Check both and try again.";
const TOO_OFTEN: &str = "Too many attempts. Wait a minute, then try again.";
const TOO_OFTEN_WRONG: &str =
    "Too many wrong passwords. Try again later, or from a device where you have signed in before.";
const BUSY: &str = "Many people are signing in right now. Try again in a few seconds.";
const MISSING: &str = "Fill in both your e-mail address and your password.";

/// GET /signin.
pub(super) fn show(pages: &Pages, context: &mut PageContext) -> Outcome {
    let next = same_site(context.parameter("next").unwrap_or_default()).to_owned();
    if context.visitor.is_some() {
        return Ok(answer::redirect(&next));
    }
    form(pages, context, StatusCode::OK, &next, "", None)
}

fn form(
    pages: &Pages,
    context: &mut PageContext,
    status: StatusCode,
    next: &str,
    email: &str,
    problem: Option<&'static str>,
) -> Outcome {
    let browser = context.browser(pages);
    let action = if is_own_page(context) { SIGN_IN_PATH } else { next };
    let path = next.split('?').next().unwrap_or_default();
    let page = SignInPage {
        frame: Frame::bare(pages).titled("Sign in"),
        csrf: pages.world.csrf_token(&browser.0, PURPOSE),
        action,
        next,
        email,
        problem,
        reason: match path {
            "/authorize/consent" => Some("to connect an assistant to your account"),
            "/oauth/authorize" => Some("to install an app in your company"),
            _ => None,
        },
    };
    answer::page(status, &page)
}

/// Returns whether the request is for the sign-in page, and not for a page that shows the sign-in form itself
/// ([`in_place`]).
fn is_own_page(context: &PageContext) -> bool {
    context.here.split('?').next() == Some(SIGN_IN_PATH)
}

/// Returns whether the page's address is too long for the parameter `next` of the sign-in page. If it is, the page
/// shows the sign-in form itself ([`in_place`]).
pub(super) fn is_in_place(context: &PageContext) -> bool {
    sign_in_path(&context.here).len() > MAX_SIGN_IN_PATH
}

/// For a GET, shows the sign-in form at the address of the requested page. For a POST of this form, signs the visitor
/// in. A POST of any other form of the page redirects to the page.
pub(super) async fn in_place(pages: &Pages, context: &mut PageContext) -> Outcome {
    let here = context.here.clone();
    if !context.is_post {
        return form(pages, context, StatusCode::OK, &here, "", None);
    }
    if context.form.get("password").is_none() {
        return Ok(answer::redirect(&here));
    }
    let admitted = pages.world.admit_sign_in_from(context.address).await;
    admitted.map_err(|wait| PageError::too_often(wait.retry_after()))?;
    sign_in(pages, context, here).await
}

/// POST /signin.
pub(super) async fn submit(pages: &Pages, context: &mut PageContext) -> Outcome {
    let next = same_site(context.form.get("next").unwrap_or_default()).to_owned();
    sign_in(pages, context, next).await
}

/// Signs the visitor in with the submitted form, and redirects to `next`. Every sign-in creates a new session (D-275).
async fn sign_in(pages: &Pages, context: &mut PageContext, next: String) -> Outcome {
    let token = context.form.get("csrf").unwrap_or_default();
    let browser = context.known_browser();
    if !browser.is_some_and(|browser| pages.world.is_csrf_token_valid(&browser.0, PURPOSE, token)) {
        return Err(PageError::stale(&if is_own_page(context) { sign_in_path(&next) } else { next }));
    }
    let email = context.form.get("email").unwrap_or_default().to_owned();
    let password = Secret::new(context.form.get("password").unwrap_or_default());
    if email.trim().is_empty() || password.expose().is_empty() {
        return form(pages, context, StatusCode::UNPROCESSABLE_ENTITY, &next, &email, Some(MISSING));
    }
    page_action(PageAction::SignIn);
    if let Err(wait) = pages.world.admit_sign_in(&email, context.address).await {
        let page = form(pages, context, StatusCode::TOO_MANY_REQUESTS, &next, &email, Some(TOO_OFTEN))?;
        return Ok(retry_after(page, wait.retry_after()));
    }
    let location = SignInLocation { address: context.address, browser };
    let signed_in = match pages.world.sign_in(&email, &password, location).await {
        Ok(signed_in) => signed_in,
        Err(Error::Refused(Refusal { code, retry_after: Some(seconds), .. })) => {
            let (status, problem) = match code {
                Code::RateLimited => (StatusCode::TOO_MANY_REQUESTS, TOO_OFTEN_WRONG),
                _ => (StatusCode::SERVICE_UNAVAILABLE, BUSY),
            };
            let page = form(pages, context, status, &next, &email, Some(problem))?;
            return Ok(retry_after(page, seconds));
        }
        Err(Error::Refused(refusal)) if refusal.code == Code::InvalidAuth => {
            return form(pages, context, StatusCode::UNPROCESSABLE_ENTITY, &next, &email, Some(WRONG));
        }
        Err(error) => return Err(error.into()),
    };
    note_persons(&signed_in.persons);
    if let Some(before) = context.session {
        pages.world.end_session(before).await?;
    }
    // If the request had a valid session, that session has now ended. So the confirmation of the visitor, which runs
    // before the response is sent, would fail. `reports_write` removes this confirmation, so that the response with the
    // new session is sent.
    reports_write();
    context.set_cookie(pages.cookies.set_session(signed_in.token.expose(), SESSION_LIFE));
    context.keep_browser(pages);
    Ok(answer::redirect(&next))
}

fn retry_after(mut page: Response, seconds: u32) -> Response {
    page.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)));
    page
}

/// POST /signout. Redirects to `next`, by default the sign-in page. The form *Not you?* of a page has the page's own
/// address as `next`, so that the visitor can sign in with another account and return to the page (D-273).
///
/// If the session no longer exists, the same form was probably submitted before, and the response was lost. In this
/// case the session is ended a second time, so that the response is sent only after the session's writes in progress
/// have finished.
pub(super) async fn sign_out(pages: &Pages, context: &mut PageContext) -> Outcome {
    let next = match same_site(context.form.get("next").unwrap_or_default()) {
        "/" => "/signin".to_owned(),
        next => next.to_owned(),
    };
    if context.visitor.is_some() {
        let session = context.poster(pages, "")?.session;
        page_action(PageAction::SignOut);
        pages.world.end_session(session).await?;
    } else if let Some(ended) = context.session
        && pages.world.is_csrf_token_valid(&ended, "", context.form.get("csrf").unwrap_or_default())
    {
        pages.world.end_session(ended).await?;
    }
    reports_write();
    context.set_cookie(pages.cookies.clear_session());
    context.set_cookie(pages.cookies.clear_last_conversation());
    Ok(answer::redirect(&next))
}
