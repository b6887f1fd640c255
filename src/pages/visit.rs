//! A request as the handlers see it: who stands behind it, from which browser, with what form.

use std::net::IpAddr;

use poem::{
    Request, Response,
    http::{HeaderValue, Method, header, uri::PathAndQuery},
};

use super::{
    Pages,
    form::{self, Form},
    origin,
    trouble::Trouble,
};
use crate::{
    contract::answer::{Deed, deed},
    domain::{
        browser::BrowserId,
        redirect,
        refusal::Code,
        token::{self, Kind},
    },
    platform::limits::{Key, Rate},
    room::{caller_address, note_persons},
    store::Error,
    workspace::{people::Persona, principal::Principal},
};

/// What one signed-in person may open: far beyond what hands do.
const CEILING: Rate = Rate::new("pages", 20, 200);
/// Characters of a browser's name: 256 random bits.
const BROWSER_CHARS: usize = 43;

/// Somebody who is signed in.
pub(super) struct Visitor {
    pub(super) principal: Principal,
    /// SHA-256 of the session's token.
    pub(super) session: [u8; 32],
    /// Whom the session speaks for; at least one.
    pub(super) personas: Vec<Persona>,
}

/// One request.
pub(super) struct Visit {
    pub(super) is_post: bool,
    /// Path and query, to come back to; written so that [`super::next`] lets them pass.
    pub(super) here: String,
    pub(super) query: Vec<(String, String)>,
    /// As it was sent, for what need not be text.
    pub(super) raw_query: String,
    /// Empty unless something was posted.
    pub(super) form: Form,
    pub(super) address: IpAddr,
    pub(super) visitor: Option<Visitor>,
    browser: Option<BrowserId>,
    /// Cookies to give with the answer.
    given: Vec<HeaderValue>,
}

impl Visit {
    /// Reads a request.
    ///
    /// # Errors
    /// 403 for a form that another site posted; what [`Form::read`] refuses; failures of the store.
    pub(super) async fn read(pages: &Pages, mut request: Request) -> Result<Self, Trouble> {
        let is_post = *request.method() == Method::POST;
        if is_post && !origin::is_ours(request.headers(), &pages.origins) {
            return Err(Trouble::forbidden(
                "This form was sent from another site, so nothing was changed. Open the page here and try again.",
            ));
        }
        let body = request.take_body();
        let form = match is_post {
            true => Form::read(request.headers(), body, opaque(request.uri().path())).await?,
            false => Form::default(),
        };
        let headers = request.headers();
        let visitor = match pages.cookies.session(headers) {
            Some(token) => Visitor::of(pages, token).await?,
            None => None,
        };
        let uri = request.uri();
        Ok(Self {
            is_post,
            here: escaped(uri.path_and_query().map_or_else(|| uri.path(), PathAndQuery::as_str)),
            query: form::query(uri.query().unwrap_or_default()),
            raw_query: uri.query().unwrap_or_default().to_owned(),
            form,
            address: caller_address(&request),
            visitor,
            browser: pages.cookies.browser(headers).map(BrowserId::of_cookie),
            given: Vec::new(),
        })
    }

    /// A parameter of the query that was sent once.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        let mut values =
            self.query.iter().filter(|(found, _)| found == name).map(|(_, value)| value.as_str());
        let value = values.next().filter(|value| !value.is_empty());
        if values.next().is_some() { None } else { value }
    }

    /// The browser, which gets a name if it has none yet.
    pub(super) fn browser(&mut self, pages: &Pages) -> BrowserId {
        if let Some(browser) = self.browser {
            return browser;
        }
        let text = pages.world.rng.base62(BROWSER_CHARS);
        self.give(pages.cookies.give_browser(&text));
        *self.browser.insert(BrowserId::of_cookie(&text))
    }

    /// The browser, if it has been here before.
    pub(super) fn known_browser(&self) -> Option<BrowserId> {
        self.browser
    }

    /// Sets a cookie with the answer.
    pub(super) fn give(&mut self, cookie: Option<HeaderValue>) {
        self.given.extend(cookie);
    }

    /// Who is signed in.
    ///
    /// # Errors
    /// Sends everybody else to the sign-in page, and from there back here.
    pub(super) fn visitor(&self) -> Result<&Visitor, Trouble> {
        self.visitor.as_ref().ok_or_else(|| {
            // what was posted is gone by then, but its page is not
            Trouble::go(sign_in_path(&self.here))
        })
    }

    /// Who is signed in and posted a form that this session was given.
    ///
    /// # Errors
    /// As [`Self::visitor`]; 403 for a token that is missing, or another session's.
    pub(super) fn poster(&self, pages: &Pages, purpose: &str) -> Result<&Visitor, Trouble> {
        let visitor = self.visitor()?;
        let token = self.form.get("csrf").unwrap_or_default();
        if pages.world.csrf_holds(&visitor.session, purpose, token) {
            if let Principal::Account { persons, .. } = &visitor.principal {
                note_persons(persons);
            }
            deed(Deed::SubmitForm);
            Ok(visitor)
        } else {
            Err(Trouble::stale(&self.here))
        }
    }

    /// The answer with the cookies that were given on the way.
    pub(super) fn finish(self, mut response: Response) -> Response {
        for cookie in self.given {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
        response
    }
}

impl Visitor {
    /// The visitor of a session's token; none when the session has ended.
    async fn of(pages: &Pages, token: &str) -> Result<Option<Self>, Trouble> {
        if token::parse(token) != Some(Kind::Session) {
            return Ok(None);
        }
        let session = token::hash(token);
        let principal = match pages.world.session(session).await {
            Ok(principal) => principal,
            Err(Error::Refused(refusal)) if refusal.code == Code::InvalidAuth => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let takes = [(Key::id(CEILING.name, principal.cursor_owner()), CEILING)];
        if let Err(wait) = pages.world.limits.take_all(&takes, pages.world.clock.now()) {
            return Err(Trouble::too_often(wait.retry_after()));
        }
        let personas = pages.world.personas(&principal).await?;
        // removed from the last company between the two reads
        Ok(Some(Self { principal, session, personas }).filter(|visitor| !visitor.personas.is_empty()))
    }
}

/// The fields of a page's form that may hold any bytes.
fn opaque(path: &str) -> &'static [&'static str] {
    match path {
        // what an app wants back unchanged; it may post its request instead of putting it into the address
        "/oauth/authorize" => &["state"],
        _ => &[],
    }
}

/// A path with its query in which characters that no address has (a browser leaves `\` in a query as it is) are
/// percent-encoded, which changes nothing of what it means.
fn escaped(path_and_query: &str) -> String {
    let mut text = String::with_capacity(path_and_query.len());
    for byte in path_and_query.bytes() {
        if byte.is_ascii_graphic() && byte != b'\\' {
            text.push(char::from(byte));
        } else {
            redirect::push_escape(&mut text, byte);
        }
    }
    text
}

/// The sign-in page that leads on to a path of ours.
pub(super) fn sign_in_path(next: &str) -> String {
    let encoded: String = url::form_urlencoded::byte_serialize(next.as_bytes()).collect();
    format!("/signin?next={encoded}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_escaped_means_the_same() {
        let usual = "/oauth/authorize?state=%FF%00+a%20b&redirect_uri=https://a/cb?x='1'";
        assert_eq!(escaped(usual), usual);
        assert_eq!(escaped("/a?state=\\\u{e9}\""), "/a?state=%5C%C3%A9\"");
    }
}
