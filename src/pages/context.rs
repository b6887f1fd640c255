//! A parsed request to the pages, with its session, its form and the browser's cookies.

use std::net::IpAddr;

use poem::{
    Request, Response,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header, uri::PathAndQuery},
};

use super::{
    Pages,
    confirm::PageConfirmation,
    error_page::{PageError, RepeatedForm},
    form::{self, Form, FormRules},
    frame::Frame,
    multipart,
    next::{SIGN_IN_PATH, sign_in_path},
    origin,
    visitor::Visitor,
};
use crate::{
    api::{caller_address, note_persons},
    contract::answer::{self, PageAction, page_action},
    domain::{
        browser::BrowserId,
        conversation::ConversationKind,
        guessing::KNOWN_LOCATION_LIFE,
        ids::{ConversationId, UserId},
        redirect,
        refusal::Code,
        token::{self, TokenKind},
    },
    platform::limits::{FORMS, MESSAGE_FILES, PAGES, RateLimited},
    service::{
        Error, callers::ShownConversation, callers::confirm::ReadTime, conversations::NamedConversation,
        sign_in::sessions::SESSION_LIFE,
    },
};

/// Length of a browser id in base-62 characters: 256 random bits.
const BROWSER_CHARS: usize = 43;

/// A multipart form, which can contain files. Its body has not been read yet.
pub(super) struct FileForm {
    /// The boundary between the parts of the form.
    pub(super) boundary: String,
    pub(super) body: poem::Body,
}

impl FileForm {
    /// Returns the boundary of a form with files; `None` for another media type.
    fn boundary(headers: &HeaderMap) -> Option<String> {
        multipart::boundary(headers.get(header::CONTENT_TYPE)?.to_str().ok()?)
    }
}

/// A parsed request.
pub(super) struct PageContext {
    pub(super) is_post: bool,
    /// The parameters of the path in order, not decoded.
    pub(super) parts: Vec<String>,
    /// The value of `Last-Event-ID`: the last event that a browser window received before it opened its event stream
    /// again.
    pub(super) last_event_id: Option<String>,
    /// Whether the script of the web client sent the request.
    pub(super) is_by_script: bool,
    /// Whether the request is a prefetch. The person possibly never opens the page, so the request marks no messages as
    /// read.
    pub(super) is_prefetch: bool,
    /// Path and query of the requested page, or of the page that contains the submitted form. The visitor returns to
    /// this page after signing in. Escaped, so that [`super::next`] accepts it.
    pub(super) here: String,
    pub(super) query: Vec<(String, String)>,
    /// The query, not decoded. Some parameters, such as `state`, may contain escaped bytes that are not UTF-8.
    pub(super) raw_query: String,
    /// The form of a POST. It is empty for other requests. A form with files is empty until the handler has read it.
    pub(super) form: Form,
    /// A form with files, whose body the handler reads.
    pub(super) file_form: Option<FileForm>,
    /// The error with which a form with a typed text is rejected before its handler runs: the request exceeds a limit,
    /// the visitor is not signed in, or the store failed. The form is read nevertheless, so that the error page can
    /// contain the text.
    pub(super) refused: Option<PageError>,
    pub(super) address: IpAddr,
    pub(super) visitor: Option<Visitor>,
    /// SHA-256 of the session token in the browser's cookie, even if the session is no longer valid.
    pub(super) session: Option<[u8; 32]>,
    /// A time just before the visitor's rights were read from the store. If the rights may have been revoked since this
    /// time, they are confirmed before the response is sent.
    as_of: ReadTime,
    browser: Option<BrowserId>,
    /// The value of the cookie with the browser's id; `None` if the browser sent no such cookie.
    browser_cookie: Option<String>,
    /// The value of the cookie with the conversation that was opened last.
    opened: Option<String>,
    /// Cookies to set with the response.
    given: Vec<HeaderValue>,
}

impl PageContext {
    /// Parses a request for a route.
    ///
    /// # Errors
    /// - 403 for a form submitted by another site.
    /// - 429 for too many forms or sign-in attempts from an address.
    /// - 429 for too many requests of an account.
    /// - Store errors.
    /// - A redirect to the sign-in page for a form that requires a session, if the visitor is not signed in.
    /// - Errors of [`Form::read`].
    ///
    /// If a form with a typed text was sent without the script of the web client, store errors and the redirect are not
    /// returned, but stored in `refused`. The same applies to a 429 error if a signed-in person sent the form.
    pub(super) async fn read(
        pages: &Pages,
        mut request: Request,
        parts: Vec<String>,
        route: &str,
    ) -> Result<Self, PageError> {
        let is_post = *request.method() == Method::POST;
        if is_post && !origin::is_allowed_origin(request.headers(), &pages.origins) {
            return Err(PageError::forbidden(
                "This form was sent from another site, so nothing was changed. Open the page here and try again.",
            ));
        }
        let body = request.take_body();
        let is_by_script = is_by_script(request.headers());
        // Open windows send forms that mark messages as read. These forms count against the limit of the account. If
        // they counted against the limit of the address, people who share an address would use up the limit by reading,
        // and could not send.
        let marks_as_read = route == super::READ_FORM;
        // the script keeps the text of a form that it sent, so the response to the script need not contain the text
        let has_text = is_post && !is_by_script && form::has_text(route);
        let mut admission = RequestAdmission { has_text, refused: None };
        if is_post && !marks_as_read {
            admission.note(admit_form(pages, &request).await)?;
        }
        let headers = request.headers();
        let as_of = pages.world.as_of();
        let token = pages.cookies.session(headers);
        let session = token.filter(|token| token::parse(token) == Some(TokenKind::Session)).map(token::hash);
        let visitor = match session {
            Some(session) => match visitor_of(pages, session, route, &mut admission).await {
                Ok(visitor) => visitor,
                Err(error) => {
                    admission.note(Err(error))?;
                    None
                }
            },
            None => None,
        };
        if marks_as_read && visitor.is_none() {
            admit_form(pages, &request).await?;
        }
        let uri = request.uri();
        let here = escaped(uri.path_and_query().map_or_else(|| uri.path(), PathAndQuery::as_str));
        let here = if is_post { form::page_of(&here).to_owned() } else { here };
        if let Some(visitor) = &visitor {
            answer::confirm_with(PageConfirmation::new(pages, visitor, as_of, &here, is_by_script));
        }
        let (mut form, mut file_form) = (Form::default(), None);
        if is_post {
            // without a session, the form is read only if everybody may send it, or if the error page has to show its
            // typed text
            let is_stranger = visitor.is_none() && !form::is_public(uri.path());
            if is_stranger {
                let refused = admission.refused.unwrap_or_else(|| signed_out(&here));
                if !has_text || refused.status() == StatusCode::TOO_MANY_REQUESTS {
                    return Err(refused);
                }
                admission.refused = Some(refused);
            }
            match FileForm::boundary(headers).filter(|_| route == super::FILE_FORM) {
                // The handler reads the body. If the visitor is not signed in, only the text fields are read, for the
                // error page.
                Some(boundary) => file_form = Some(FileForm { boundary, body }),
                None => {
                    let rules = match is_stranger {
                        true => FormRules::of_typed_text(),
                        false => FormRules::of(uri.path(), visitor.is_some()),
                    };
                    form = match Form::read(headers, body, rules).await {
                        Err(_) if is_stranger => Form::default(),
                        read => read?,
                    };
                }
            }
        }
        Ok(Self {
            is_post,
            parts,
            last_event_id: last_event_id(headers),
            is_by_script,
            is_prefetch: is_prefetch(headers),
            here,
            query: form::query(uri.query().unwrap_or_default()),
            raw_query: uri.query().unwrap_or_default().to_owned(),
            form,
            file_form,
            refused: admission.refused,
            address: caller_address(&request),
            visitor,
            session,
            as_of,
            browser: pages.cookies.browser(headers).map(BrowserId::of_cookie),
            browser_cookie: pages.cookies.browser(headers).map(str::to_owned),
            opened: pages.cookies.last_conversation(headers).map(str::to_owned),
            given: Vec::new(),
        })
    }

    /// Makes the request pipeline confirm, before the response is sent, that the visitor still sees what the response
    /// shows of a conversation. If the visitor does not, the response is 404.
    pub(super) fn confirm_conversation(&self, pages: &Pages, shown: ShownConversation) {
        let Some(visitor) = &self.visitor else { return };
        let confirmation = PageConfirmation::new(pages, visitor, self.as_of, &self.here, self.is_by_script);
        answer::confirm_with(confirmation.showing(shown, self.frame(pages)));
    }

    /// Makes the request pipeline confirm, before the response is sent, that the visitor still sees what the response
    /// shows of several conversations. If the visitor does not, the response is a redirect to the same page.
    pub(super) fn confirm_conversations(&self, pages: &Pages, shown: Vec<ShownConversation>) {
        let Some(visitor) = &self.visitor else { return };
        let confirmation = PageConfirmation::new(pages, visitor, self.as_of, &self.here, self.is_by_script);
        answer::confirm_with(confirmation.listing(shown));
    }

    /// Returns a query parameter; `None` if it is absent, empty or repeated.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        let mut values =
            self.query.iter().filter(|(found, _)| found == name).map(|(_, value)| value.as_str());
        let value = values.next().filter(|value| !value.is_empty());
        if values.next().is_some() { None } else { value }
    }

    /// Returns the browser's id. Creates an id and sets its cookie if the browser has none.
    pub(super) fn browser(&mut self, pages: &Pages) -> BrowserId {
        if let Some(browser) = self.browser {
            return browser;
        }
        let text = pages.world.rng.base62(BROWSER_CHARS);
        self.set_cookie(pages.cookies.set_browser(&text));
        *self.browser.insert(BrowserId::of_cookie(&text))
    }

    /// Returns the browser's id; `None` if the browser has none.
    pub(super) fn known_browser(&self) -> Option<BrowserId> {
        self.browser
    }

    /// Sets the cookie with the browser's id again, with a lifetime of [`KNOWN_LOCATION_LIFE`]. Does nothing if the
    /// browser sent no such cookie. Must be called after a sign-in, which makes the browser a known browser of the
    /// account.
    pub(super) fn keep_browser(&mut self, pages: &Pages) {
        if let Some(text) = self.browser_cookie.take() {
            self.set_cookie(pages.cookies.keep_browser(&text, KNOWN_LOCATION_LIFE));
        }
    }

    /// Returns the conversation that the person opened last in this browser. The cookie can be forged, so the caller
    /// must check the person's rights.
    pub(super) fn last_opened(&self, person: UserId) -> NamedConversation {
        let (user, conversation) = self.opened.as_deref()?.split_once('.')?;
        (UserId::parse(user) == Some(person)).then(|| ConversationId::parse(conversation)).flatten()
    }

    /// Sets a cookie with the id of the conversation that the person opened last. The database does not store this id.
    pub(super) fn remember_opened(
        &self,
        pages: &Pages,
        person: UserId,
        (kind, id): (ConversationKind, ConversationId),
        response: &mut Response,
    ) {
        let text = format!("{}.{}", person.encode(), id.encode(kind));
        if self.opened.as_deref() != Some(&*text) {
            response.headers_mut().extend(
                pages
                    .cookies
                    .set_last_conversation(&text, SESSION_LIFE)
                    .map(|cookie| (header::SET_COOKIE, cookie)),
            );
        }
    }

    /// Sets a cookie with the response. Does nothing if `cookie` is `None`.
    pub(super) fn set_cookie(&mut self, cookie: Option<HeaderValue>) {
        self.given.extend(cookie);
    }

    /// Returns the frame of a page: the navigation, and the signed-in person if there is one.
    pub(super) fn frame(&self, pages: &Pages) -> Frame {
        Frame::full(pages, self.visitor.as_ref(), &self.here)
    }

    /// Returns the submitted form of a route with its typed text ([`form::typed_form`]). Returns `None` for a form that
    /// the script sent, because the script keeps the text.
    pub(super) fn typed_form(&self, route: &str) -> Option<RepeatedForm> {
        let is_signed_in = self.visitor.is_some();
        if self.is_by_script { None } else { form::typed_form(route, &self.parts, &self.form, is_signed_in) }
    }

    /// Returns the signed-in visitor.
    ///
    /// # Errors
    /// A redirect to the sign-in page, which redirects back to this page.
    pub(super) fn visitor(&self) -> Result<&Visitor, PageError> {
        self.visitor.as_ref().ok_or_else(|| signed_out(&self.here))
    }

    /// Checks that the form has a CSRF token of the session for `purpose`, and returns the signed-in visitor.
    ///
    /// # Errors
    /// Errors of [`Self::visitor`]; 403 if the token is missing, or belongs to another session or purpose.
    pub(super) fn poster(&self, pages: &Pages, purpose: &str) -> Result<&Visitor, PageError> {
        self.sent_form(pages, purpose, &self.form)
    }

    /// Does the same as [`Self::poster`], for a form that has not been read to its end.
    ///
    /// # Errors
    /// Errors of [`Self::poster`].
    pub(super) fn sent_form(&self, pages: &Pages, purpose: &str, form: &Form) -> Result<&Visitor, PageError> {
        let visitor = self.visitor()?;
        let token = form.get("csrf").unwrap_or_default();
        if pages.world.is_csrf_token_valid(&visitor.session, purpose, token) {
            note_persons(visitor.caller.persons());
            page_action(PageAction::SubmitForm);
            Ok(visitor)
        } else {
            Err(PageError::stale(&self.here))
        }
    }

    /// Adds the cookies to the response.
    pub(super) fn finish(self, mut response: Response) -> Response {
        for cookie in self.given {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
        response
    }
}

/// Returns the visitor of a session; `None` if the session has ended or has no person. Counts the request against the
/// account's limit for the route.
///
/// # Errors
/// 429 for too many requests of the account; store errors. If [`RequestAdmission::has_text`], the 429 is not returned,
/// but stored in `admission`.
async fn visitor_of(
    pages: &Pages,
    session: [u8; 32],
    route: &str,
    admission: &mut RequestAdmission,
) -> Result<Option<Visitor>, PageError> {
    let caller = match pages.world.session(session).await {
        Ok(caller) => caller,
        Err(Error::Refused(refusal)) if refusal.code == Code::InvalidAuth => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let limit = if route == super::FILE_LINK { MESSAGE_FILES } else { PAGES };
    let takes = [limit.key_and_counter(caller.cursor_owner())];
    let taken = pages.world.limits.take_all(&takes, pages.world.clock.now());
    admission.note(taken.map(drop).map_err(|wait| PageError::too_often(wait.retry_after())))?;
    let people = caller.signed_in()?.own_people().await?;
    let chosen = caller.chosen_company();
    // the result is also `None` if the last person was removed between the two reads
    Ok(Some(Visitor { caller, session, people, chosen }).filter(|visitor| !visitor.people.is_empty()))
}

/// The result of the checks of a request before its form is read: rate limits, and the session in the store.
struct RequestAdmission {
    /// Whether the request is a form with a typed text that was sent without the script. Such a form is read even if
    /// the request is rejected, so that the text is not lost. The exception is a rejection with 429 if the visitor is
    /// not signed in.
    has_text: bool,
    /// The error with which the request is rejected.
    refused: Option<PageError>,
}

impl RequestAdmission {
    /// Stores the first error of the checks, if [`Self::has_text`].
    ///
    /// # Errors
    /// The error, unless [`Self::has_text`].
    fn note(&mut self, checked: Result<(), PageError>) -> Result<(), PageError> {
        match checked {
            Err(error) if self.has_text => {
                self.refused.get_or_insert(error);
                Ok(())
            }
            checked => checked,
        }
    }
}

/// Returns the error for a visitor who has to sign in first.
fn signed_out(here: &str) -> PageError {
    // after signing in, the visitor gets the page again, without the submitted values
    PageError::redirect(sign_in_path(here))
}

/// Returns whether the script of the web client sent a request.
pub(super) fn is_by_script(headers: &HeaderMap) -> bool {
    headers.contains_key("x-switchboard-script")
}

/// Returns whether a browser requests a page before the person has opened it (`Sec-Purpose` of the Fetch standard, or
/// `Purpose`, which older browsers send).
pub(super) fn is_prefetch(headers: &HeaderMap) -> bool {
    let is_prefetch =
        |name| headers.get(name).is_some_and(|it: &HeaderValue| it.as_bytes().starts_with(b"prefetch"));
    ["sec-purpose", "purpose"].into_iter().any(is_prefetch)
}

fn last_event_id(headers: &HeaderMap) -> Option<String> {
    headers.get("last-event-id")?.to_str().ok().map(str::to_owned)
}

/// Counts a submitted form against the limit of the address, before the body is read. A form sent to [`SIGN_IN_PATH`]
/// also counts against the limit for sign-in attempts from the address. For a form that marks messages as read, this
/// function is called only if there is no valid session. With a valid session, [`visitor_of`] counts the form against
/// the limit of the account.
///
/// # Errors
/// 429 if a limit is exceeded.
async fn admit_form(pages: &Pages, request: &Request) -> Result<(), PageError> {
    let (world, address) = (&pages.world, caller_address(request));
    let over = |wait: RateLimited| PageError::too_often(wait.retry_after());
    world.limits.take_all(&[FORMS.key_and_counter(address)], world.clock.now()).map_err(over)?;
    if request.uri().path() == SIGN_IN_PATH {
        world.admit_sign_in_from(address).await.map_err(over)?;
    }
    Ok(())
}

/// Percent-encodes the characters that [`super::next`] does not accept: `\`, which browsers do not encode in queries,
/// and everything except visible ASCII. The meaning of the path and query stays the same.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_invalid_characters_are_escaped() {
        let usual = "/oauth/authorize?state=%FF%00+a%20b&redirect_uri=https://a/cb?x='1'";
        assert_eq!(escaped(usual), usual);
        assert_eq!(escaped("/a?state=\\\u{e9}\""), "/a?state=%5C%C3%A9\"");
    }
}
