//! A parsed request to the console.

use std::{net::IpAddr, time::Duration};

use poem::{
    Request, Response,
    http::{HeaderMap, HeaderValue, Method, header},
};

use super::Console;
use crate::{
    api::{caller_address, cookies},
    domain::browser::BrowserId,
    pages::{
        context::is_prefetch,
        error_page::PageError,
        form::{self, Form, FormRules},
        origin,
    },
    platform::{
        limits::{FORMS, RateLimited},
        secrets::sha256,
    },
    service::{
        World,
        callers::{Caller, console::SESSION_LIFE},
    },
};

/// Path of the page with the sign-in form. The form is posted to the same path.
pub(super) const SIGN_IN: &str = "/console/signin";

/// The header with which the page's script requests only the part of the page that is refreshed.
const LIVE: &str = "x-console-live";

/// Name of the cookie with the session.
const SESSION_COOKIE: &str = "console";

/// Length of a browser id in base-62 characters: 256 random bits.
const BROWSER_CHARS: usize = 43;

/// The session of a signed-in operator.
pub(super) struct ConsoleSession {
    /// SHA-256 of the text in the cookie.
    hash: [u8; 32],
    operator: Caller,
}

/// The parsed request, and the cookies to set with its response.
pub(super) struct ConsoleContext {
    pub(super) is_post: bool,
    /// The path parameters of the route, in order.
    pub(super) parts: Vec<String>,
    pub(super) query: Vec<(String, String)>,
    /// The form of a POST; empty for other requests.
    pub(super) form: Form,
    /// Whether the script requests only the part of the page that is refreshed.
    pub(super) is_live: bool,
    /// Whether the browser prefetches the page.
    pub(super) is_prefetch: bool,
    /// The values of `If-None-Match`. The page's script sends the entity tag of the part that the page already shows.
    pub(super) known_tags: Vec<HeaderValue>,
    /// `None` if the request has no valid session.
    pub(super) session: Option<ConsoleSession>,
    /// `None` if the request has no cookie with a browser id, until [`Self::browser`] creates an id.
    browser: Option<BrowserId>,
    /// `Set-Cookie` headers of the response.
    given: Vec<HeaderValue>,
}

impl ConsoleContext {
    /// Parses a request.
    ///
    /// # Errors
    /// - 403 for a form submitted by another site.
    /// - 429 for too many forms or sign-in attempts from an address.
    /// - A redirect to the sign-in page for any form but the sign-in form, if the request has no valid session.
    /// - Errors of [`Form::read`].
    pub(super) async fn read(
        console: &Console,
        mut request: Request,
        parts: Vec<String>,
    ) -> Result<Self, PageError> {
        let is_post = *request.method() == Method::POST;
        let mut form = Form::default();
        if is_post {
            if !origin::is_allowed_origin(request.headers(), &console.pages.origins) {
                return Err(PageError::forbidden(
                    "This form was sent from another site, so nothing was changed. Open the page here and try again.",
                ));
            }
            admit(console, caller_address(&request), request.uri().path() == SIGN_IN).await?;
        }
        let body = request.take_body();
        let (headers, path) = (request.headers(), request.uri().path());
        let session = session(console, headers);
        if is_post {
            // without a session, only the form of the sign-in page is read
            if session.is_none() && path != SIGN_IN {
                return Err(PageError::redirect(SIGN_IN));
            }
            form = Form::read(headers, body, FormRules::of(path, session.is_some())).await?;
        }
        let text = |name: &str| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        Ok(Self {
            is_post,
            parts,
            query: form::query(request.uri().query().unwrap_or_default()),
            form,
            is_live: text(LIVE).is_some(),
            is_prefetch: is_prefetch(headers),
            known_tags: headers.get_all(header::IF_NONE_MATCH).iter().cloned().collect(),
            session,
            browser: browser(console, headers),
            given: Vec::new(),
        })
    }

    /// Checks that the request has a valid session. A POST must also have a CSRF token of the session.
    ///
    /// # Errors
    /// - A redirect to the sign-in page if the request has no valid session.
    /// - 403 for a POST with a missing or wrong token.
    pub(super) fn require_session(&self, console: &Console) -> Result<(), PageError> {
        let Some(session) = self.session_hash() else { return Err(PageError::redirect(SIGN_IN)) };
        let token = self.form.get("csrf").unwrap_or_default();
        if self.is_post && !console.world().is_csrf_token_valid(&session, super::PURPOSE, token) {
            return Err(PageError::stale("/console"));
        }
        Ok(())
    }

    /// Returns the operator who is signed in.
    ///
    /// # Errors
    /// A redirect to the sign-in page if the request has no valid session.
    pub(super) fn operator(&self) -> Result<&Caller, PageError> {
        let session = self.session.as_ref().ok_or_else(|| PageError::redirect(SIGN_IN))?;
        Ok(&session.operator)
    }

    /// Returns the hash of the session; `None` if the request has no valid session.
    pub(super) fn session_hash(&self) -> Option<[u8; 32]> {
        self.session.as_ref().map(|session| session.hash)
    }

    /// Signs the operator in: sets the cookie of a new session. Sets no cookie if no operator key is configured.
    ///
    /// # Errors
    /// Errors of [`Caller::operator`].
    pub(super) fn begin_session(&mut self, console: &Console, operator: &Caller) -> Result<(), PageError> {
        let session = operator.operator()?.begin_console_session();
        self.set_cookie(session.and_then(|text| session_cookie(console.world(), &text, SESSION_LIFE)));
        Ok(())
    }

    /// Ends the session, and deletes its cookie.
    pub(super) fn end_session(&mut self, console: &Console) {
        if let Some(session) = self.session_hash() {
            console.world().end_console_session(session);
            self.set_cookie(session_cookie(console.world(), "", Duration::ZERO));
        }
    }

    /// Returns a query parameter; an empty text if it is absent.
    pub(super) fn parameter(&self, name: &str) -> &str {
        self.query.iter().find(|(found, _)| found == name).map_or("", |(_, value)| value)
    }

    /// Returns a field of the form without surrounding spaces; an empty text if it is absent.
    pub(super) fn field(&self, name: &str) -> &str {
        self.form.get(name).unwrap_or_default().trim()
    }

    /// Returns the browser's id. Creates an id and sets its cookie if the browser has none.
    pub(super) fn browser(&mut self, console: &Console) -> BrowserId {
        if let Some(browser) = self.browser {
            return browser;
        }
        let text = console.world().rng.base62(BROWSER_CHARS);
        self.set_cookie(console.pages.cookies.set_browser(&text));
        *self.browser.insert(BrowserId::of_cookie(&text))
    }

    /// Returns the browser's id; `None` if the browser has none.
    pub(super) const fn known_browser(&self) -> Option<BrowserId> {
        self.browser
    }

    /// Sets a cookie with the response. Does nothing if `cookie` is `None`.
    pub(super) fn set_cookie(&mut self, cookie: Option<HeaderValue>) {
        self.given.extend(cookie);
    }

    /// Adds the `Set-Cookie` headers to the response.
    pub(super) fn finish(self, mut response: Response) -> Response {
        for cookie in self.given {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
        response
    }
}

fn session(console: &Console, headers: &HeaderMap) -> Option<ConsoleSession> {
    let text = cookies::single(headers, SESSION_COOKIE)?;
    let operator = console.world().operator_by_console_session(text)?;
    Some(ConsoleSession { hash: sha256(text), operator })
}

fn session_cookie(world: &World, value: &str, life: Duration) -> Option<HeaderValue> {
    let secure = if world.settings.base_url.starts_with("https://") { "; Secure" } else { "" };
    let life = life.as_secs();
    HeaderValue::from_str(&format!(
        "{SESSION_COOKIE}={value}; Path=/console; HttpOnly; SameSite=Strict{secure}; Max-Age={life}"
    ))
    .ok()
}

fn browser(console: &Console, headers: &HeaderMap) -> Option<BrowserId> {
    console.pages.cookies.browser(headers).map(BrowserId::of_cookie)
}

/// Counts a form against the rate limit for forms from its address. The console's sign-in form also counts against the
/// limit for sign-in attempts from its address. Sign-ins with a password count against the same limit.
///
/// # Errors
/// 429 if a limit is exceeded.
async fn admit(console: &Console, address: IpAddr, is_sign_in: bool) -> Result<(), PageError> {
    let world = console.world();
    let over = |wait: RateLimited| PageError::too_often(wait.retry_after());
    world.limits.take_all(&[FORMS.key_and_counter(address)], world.clock.now()).map_err(over)?;
    if is_sign_in {
        world.admit_sign_in_from(address).await.map_err(over)?;
    }
    Ok(())
}
