//! Signing in and out.

use askama::Template;
use poem::{
    Response,
    http::{HeaderValue, StatusCode, header},
};

use super::{Outcome, Pages, answer, frame::Frame, next::same_site, trouble::Trouble, visit::Visit};
use crate::{
    contract::answer::{Deed, deed},
    domain::refusal::Code,
    platform::secrets::Secret,
    room::note_persons,
    store::Error,
    workspace::sessions::SESSION_LIFE,
};

/// The purpose of the form's token: there is no session yet, so it belongs to the browser.
const PURPOSE: &str = "signin";

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage<'a> {
    frame: Frame,
    csrf: String,
    next: &'a str,
    email: &'a str,
    /// What went wrong with the last try.
    problem: Option<&'static str>,
    /// What signing in leads to.
    reason: Option<&'static str>,
}

/// What is told of every wrong pair: not which part was wrong, nor whether there is such an account.
const WRONG: &str = "E-mail address and password do not belong together. Check both and try again.";
const TOO_OFTEN: &str = "Too many attempts. Wait a minute, then try again.";
const MISSING: &str = "Fill in both your e-mail address and your password.";

/// GET /signin.
pub(super) fn show(pages: &Pages, visit: &mut Visit) -> Outcome {
    let next = same_site(visit.parameter("next").unwrap_or_default()).to_owned();
    if visit.visitor.is_some() {
        return Ok(answer::redirect(&next));
    }
    form(pages, visit, StatusCode::OK, &next, "", None)
}

fn form(
    pages: &Pages,
    visit: &mut Visit,
    status: StatusCode,
    next: &str,
    email: &str,
    problem: Option<&'static str>,
) -> Outcome {
    let browser = visit.browser(pages);
    let path = next.split('?').next().unwrap_or_default();
    let page = SignInPage {
        frame: Frame::bare(pages).titled("Sign in"),
        csrf: pages.world.csrf_token(&browser.0, PURPOSE),
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

/// POST /signin. The session is always a new one (D-275).
pub(super) async fn enter(pages: &Pages, visit: &mut Visit) -> Outcome {
    let next = same_site(visit.form.get("next").unwrap_or_default()).to_owned();
    let token = visit.form.get("csrf").unwrap_or_default();
    let browser = visit.known_browser();
    if !browser.is_some_and(|browser| pages.world.csrf_holds(&browser.0, PURPOSE, token)) {
        return Err(Trouble::stale(&super::visit::sign_in_path(&next)));
    }
    let email = visit.form.get("email").unwrap_or_default().to_owned();
    let password = Secret::new(visit.form.get("password").unwrap_or_default());
    if email.trim().is_empty() || password.expose().is_empty() {
        return form(pages, visit, StatusCode::UNPROCESSABLE_ENTITY, &next, &email, Some(MISSING));
    }
    deed(Deed::SignIn);
    if let Err(wait) = pages.world.admit_sign_in(Some(&email), visit.address).await {
        let page = form(pages, visit, StatusCode::TOO_MANY_REQUESTS, &next, &email, Some(TOO_OFTEN))?;
        return Ok(retry_after(page, wait.retry_after()));
    }
    let signed_in = match pages.world.sign_in(&email, &password).await {
        Ok(signed_in) => signed_in,
        Err(Error::Refused(refusal)) if refusal.code == Code::InvalidAuth => {
            return form(pages, visit, StatusCode::UNPROCESSABLE_ENTITY, &next, &email, Some(WRONG));
        }
        Err(error) => return Err(error.into()),
    };
    note_persons(&signed_in.persons);
    if let Some(before) = &visit.visitor {
        pages.world.end_session(before.session).await?;
    }
    visit.give(pages.cookies.give_session(signed_in.token.expose(), SESSION_LIFE));
    Ok(answer::redirect(&next))
}

fn retry_after(mut page: Response, seconds: u32) -> Response {
    page.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)));
    page
}

/// POST /signout. `next` is where somebody goes who wants to be somebody else (D-273).
pub(super) async fn leave(pages: &Pages, visit: &mut Visit) -> Outcome {
    let next = match same_site(visit.form.get("next").unwrap_or_default()) {
        "/" => "/signin".to_owned(),
        next => next.to_owned(),
    };
    if visit.visitor.is_some() {
        let session = visit.poster(pages, "")?.session;
        deed(Deed::SignOut);
        pages.world.end_session(session).await?;
    }
    visit.give(pages.cookies.take_session());
    Ok(answer::redirect(&next))
}
