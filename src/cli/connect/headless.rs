//! Approves a connection without a browser, for sandboxes and tests: submits the forms of Switchboard's own pages
//! (sign-in, consent), as a browser would. The approval fails if a page belongs to another server.

use std::collections::BTreeMap;

use http::{HeaderMap, Method, StatusCode, header};
use url::Url;

use crate::{
    cli::{
        failure::{Failure, Result},
        web::{HttpResponse, Web},
    },
    platform::secrets::Secret,
};

/// Maximum number of responses, both pages and redirects, before the approval fails.
const MAX_PAGES: usize = 12;

/// The employee who approves.
pub struct ApprovingEmployee {
    pub email: String,
    pub password: Secret,
    /// Id of the company for which the employee approves. If it is `None`, the consent page must offer exactly one
    /// company.
    pub workspace: Option<String>,
}

/// Opens the authorization URL `url`, signs in, approves, and follows the redirect to `redirect_uri`.
///
/// # Errors
/// [`Failure::Local`] for an unexpected page or response; a failure to reach the server.
pub async fn approve(web: &Web, url: &str, redirect_uri: &str, employee: &ApprovingEmployee) -> Result<()> {
    let mut browser = Browser { web, cookies: BTreeMap::new() };
    let mut at = Url::parse(url).map_err(|_| failure_at(url, "is not a URL"))?;
    // The URI is parsed, because it is compared with the parsed URLs of redirects: the parser adds the path `/` to a
    // URL without a path.
    let redirect_uri = Url::parse(redirect_uri).map_err(|_| failure_at(redirect_uri, "is not a URL"))?;
    let mut got = browser.get(&at).await?;
    for _ in 0..MAX_PAGES {
        if let Some(to) = location(&at, &got)? {
            if is_authorization_response(&to, &redirect_uri) {
                let got = web.get(to.as_str()).await?;
                return match got.status {
                    StatusCode::OK => Ok(()),
                    status => Err(failure_at(to.as_str(), &rejection(status))),
                };
            }
            if to.origin() != at.origin() {
                return Err(failure_at(
                    to.as_str(),
                    "is a page of another server: --sign-in works with Switchboard's pages only",
                ));
            }
            at = to;
            got = browser.get(&at).await?;
            continue;
        }
        let text = String::from_utf8_lossy(&got.body).into_owned();
        if got.status != 200 {
            return Err(failure_at(
                at.as_str(),
                &format!("shows {}: {}", got.status.as_u16(), heading_and_note(&text)),
            ));
        }
        let (action, fields) = fill_form(&at, &text, employee)?;
        got = browser.post(&action, &fields).await?;
        at = action;
        if got.status == 422 {
            let text = String::from_utf8_lossy(&got.body).into_owned();
            return Err(failure_at(at.as_str(), &format!("rejects the form: {}", heading_and_note(&text))));
        }
    }
    Err(failure_at(at.as_str(), "leads to too many pages and redirects"))
}

/// Returns whether `to` is the redirect URI with further parameters. `/callback2` is not the redirect URI `/callback`.
fn is_authorization_response(to: &Url, redirect_uri: &Url) -> bool {
    to.as_str().starts_with(redirect_uri.as_str()) && to.path() == redirect_uri.path()
}

/// Returns why [`Loopback::wait`](super::loopback::Loopback::wait) answers an authorization response with this status.
fn rejection(status: StatusCode) -> String {
    match status {
        StatusCode::BAD_REQUEST => {
            "rejects the authorization response, because its `state` differs from the `state` \
            of the request (RFC 6749 §10.12)"
                .to_owned()
        }
        StatusCode::CONFLICT => "has already received an authorization response".to_owned(),
        other => format!("answers {} to the authorization response", other.as_u16()),
    }
}

fn failure_at(url: &str, what: &str) -> Failure {
    Failure::Local(format!(
        "signing in without a browser: {} {what}",
        url.split('?').next().unwrap_or_default()
    ))
}

fn location(at: &Url, got: &HttpResponse) -> Result<Option<Url>> {
    if !got.status.is_redirection() {
        return Ok(None);
    }
    let to = got.header("location").and_then(|to| at.join(to).ok());
    to.map(Some).ok_or_else(|| failure_at(at.as_str(), "redirects without a valid Location"))
}

/// Fills in the sign-in form or the consent form of a page. Returns the URL to which the form must be submitted, and
/// the fields of the form.
fn fill_form(at: &Url, text: &str, employee: &ApprovingEmployee) -> Result<(Url, Vec<(String, String)>)> {
    let forms = forms(text);
    let find = |path: &str| forms.iter().find(|form| form.action.split('?').next() == Some(path));
    let (form, more) = if let Some(form) = find("/signin") {
        let password = employee.password.expose().to_owned();
        (form, vec![("email", employee.email.clone()), ("password", password)])
    } else if let Some(form) = find("/authorize/consent") {
        let company = match &employee.workspace {
            Some(workspace) => Some(workspace.clone()),
            None => only_company(at, &form.body)?,
        };
        let mut more = vec![("decision", "approve".to_owned())];
        more.extend(company.map(|company| ("workspace_id", company)));
        (form, more)
    } else {
        return Err(failure_at(
            at.as_str(),
            &format!("is a page without a known form: {}", heading_and_note(text)),
        ));
    };
    let mut fields = form.hidden.clone();
    fields.extend(more.into_iter().map(|(name, value)| (name.to_owned(), value)));
    Ok((
        at.join(&form.action)
            .map_err(|_| failure_at(at.as_str(), "has a form with an invalid action URL"))?,
        fields,
    ))
}

/// Returns the only company that can be chosen on the consent page. Fails if there is none, or if there are several,
/// even if the page preselects one of them.
fn only_company(at: &Url, form: &str) -> Result<Option<String>> {
    let choices: Vec<_> = form
        .split("<input ")
        .filter(|input| {
            attribute(input, "name") == "workspace_id"
                && !input.split('>').next().unwrap_or("").contains(" disabled")
        })
        .map(|input| attribute(input, "value"))
        .collect();
    match choices.as_slice() {
        [] => Err(failure_at(at.as_str(), "offers no company that allows assistants")),
        [only] => Ok(Some(only.clone())),
        several => Err(failure_at(
            at.as_str(),
            &format!("offers several companies: choose with --workspace ({})", several.join(", ")),
        )),
    }
}

struct HtmlForm {
    action: String,
    hidden: Vec<(String, String)>,
    body: String,
}

fn forms(text: &str) -> Vec<HtmlForm> {
    let form = |part: &str| {
        let part = part.split("</form>").next().unwrap_or_default();
        let (head, body) = part.split_once('>').unwrap_or((part, ""));
        let hidden = body.split("<input ").skip(1).filter(|input| attribute(input, "type") == "hidden");
        let hidden = hidden.map(|input| (attribute(input, "name"), attribute(input, "value")));
        HtmlForm { action: attribute(head, "action"), hidden: hidden.collect(), body: body.to_owned() }
    };
    text.split("<form ").skip(1).map(form).collect()
}

/// Returns the unescaped value of an attribute of the element at the beginning of the text; an empty text if the
/// element does not have the attribute.
fn attribute(element: &str, name: &str) -> String {
    let element = element.split('>').next().unwrap_or_default();
    let named = format!("{name}=\"");
    // `name="` also occurs at the end of `data-name="`
    let begins = |at: usize| element[..at].chars().next_back().is_none_or(char::is_whitespace);
    let found = element.match_indices(&named).find(|(at, _)| begins(*at));
    let rest = found.map_or("", |(at, named)| &element[at + named.len()..]);
    unescape(rest.split('"').next().unwrap_or_default())
}

/// Replaces the character references that Switchboard's pages contain. Does not replace a reference that results from a
/// replacement: `&#38;amp;` becomes `&amp;`.
fn unescape(text: &str) -> String {
    const REFERENCES: [(&str, char); 9] = [
        ("&#34;", '"'),
        ("&quot;", '"'),
        ("&#39;", '\''),
        ("&#60;", '<'),
        ("&lt;", '<'),
        ("&#62;", '>'),
        ("&gt;", '>'),
        ("&#38;", '&'),
        ("&amp;", '&'),
    ];
    let mut unescaped = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        unescaped.push_str(&rest[..at]);
        rest = &rest[at..];
        let strip = |(reference, letter): &(&str, char)| Some((rest.strip_prefix(*reference)?, *letter));
        let found = REFERENCES.iter().find_map(strip);
        let (after, letter) = found.unwrap_or((&rest[1..], '&'));
        unescaped.push(letter);
        rest = after;
    }
    unescaped + rest
}

/// Returns the heading and the first note of a page as text, for error messages.
fn heading_and_note(text: &str) -> String {
    let part = |tag: &str| {
        let inside = text.split_once(&format!("<{tag}")).and_then(|(_, rest)| rest.split_once('>'));
        inside
            .and_then(|(_, rest)| rest.split_once(&format!("</{tag}>")))
            .map(|(inside, _)| without_tags(inside))
    };
    let note = text.split_once("class=\"note").and_then(|(_, rest)| rest.split_once('>'));
    let note = note.and_then(|(_, rest)| rest.split_once("</div>")).map(|(inside, _)| without_tags(inside));
    let said: Vec<_> = [part("h1"), note].into_iter().flatten().filter(|text| !text.is_empty()).collect();
    if said.is_empty() { "a page without a heading".to_owned() } else { said.join(": ") }
}

fn without_tags(html: &str) -> String {
    let (mut text, mut inside) = (String::new(), false);
    for c in html.chars() {
        match c {
            '<' => inside = true,
            '>' => inside = false,
            c if !inside => text.push(c),
            _ => {}
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A browser session with one server. It keeps the server's cookies, and sends `Origin` with forms.
struct Browser<'a> {
    web: &'a Web,
    cookies: BTreeMap<String, String>,
}

impl Browser<'_> {
    async fn get(&mut self, url: &Url) -> Result<HttpResponse> {
        let got = self.web.send(self.with_cookies(self.web.request(Method::GET, url.as_str()))).await?;
        self.store_cookies(&got.headers);
        Ok(got)
    }

    async fn post(&mut self, url: &Url, fields: &[(String, String)]) -> Result<HttpResponse> {
        let form = serde_urlencoded::to_string(fields)
            .map_err(|error| failure_at(url.as_str(), &error.to_string()))?;
        let request = self
            .web
            .request(Method::POST, url.as_str())
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::ORIGIN, url.origin().ascii_serialization())
            .body(form);
        let got = self.web.send(self.with_cookies(request)).await?;
        self.store_cookies(&got.headers);
        Ok(got)
    }

    fn with_cookies(&self, request: reqwest::RequestBuilder) -> reqwest::RequestBuilder {
        let cookies: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if cookies.is_empty() { request } else { request.header(header::COOKIE, cookies.join("; ")) }
    }

    fn store_cookies(&mut self, headers: &HeaderMap) {
        for line in headers.get_all(header::SET_COOKIE).iter().filter_map(|line| line.to_str().ok()) {
            let pair = line.split(';').next().unwrap_or_default();
            if let Some((name, value)) = pair.split_once('=') {
                self.cookies.insert(name.trim().to_owned(), value.trim().to_owned());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_authorization_response_has_the_redirect_uri_and_parameters() {
        for (to, redirect_uri, is_response) in [
            ("http://127.0.0.1:7/callback?code=c&state=s", "http://127.0.0.1:7/callback", true),
            ("http://127.0.0.1:7/callback?app=1&code=c", "http://127.0.0.1:7/callback?app=1", true),
            ("http://127.0.0.1:7/callback?code=c", "http://127.0.0.1:7/callback?", true),
            ("http://127.0.0.1:7/?code=c", "http://127.0.0.1:7", true),
            ("http://127.0.0.1:7/callback2?code=c", "http://127.0.0.1:7/callback", false),
            ("http://127.0.0.1:8/callback?code=c", "http://127.0.0.1:7/callback", false),
        ] {
            let [parsed, redirect] = [to, redirect_uri].map(|url| Url::parse(url).unwrap());
            assert_eq!(is_authorization_response(&parsed, &redirect), is_response, "{to} {redirect_uri}");
        }
    }

    #[test]
    fn only_status_400_is_reported_as_a_wrong_state() {
        assert!(rejection(StatusCode::BAD_REQUEST).contains("`state` differs"));
        assert_eq!(rejection(StatusCode::CONFLICT), "has already received an authorization response");
        assert_eq!(rejection(StatusCode::NOT_FOUND), "answers 404 to the authorization response");
    }

    #[test]
    fn forms_are_filled_in() {
        let page = r#"<h1>Connect <b>it</b>?</h1><form method="post" action="/authorize/consent?request=r&#38;x=1" class="s">
            <input data-type="x" type="hidden" data-name="x" name="csrf" data-value="x" value="a&#34;b&#38;amp;"><input type="radio" id="c-1" name="workspace_id" value="cmp_1" disabled>
            <input type="radio" id="c-2" name="workspace_id" value="cmp_2" checked></form>"#;
        let at = Url::parse("http://h/authorize/consent?request=r").unwrap();
        let mut employee =
            ApprovingEmployee { email: "e".to_owned(), password: Secret::new("p"), workspace: None };
        let (action, fields) = fill_form(&at, page, &employee).unwrap();
        assert_eq!(action.as_str(), "http://h/authorize/consent?request=r&x=1");
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let expected =
            [pair("csrf", "a\"b&amp;"), pair("decision", "approve"), pair("workspace_id", "cmp_2")];
        assert_eq!(fields, expected);
        let both = page.replace(" disabled", "");
        assert!(fill_form(&at, &both, &employee).unwrap_err().to_string().contains("cmp_1, cmp_2"));
        employee.workspace = Some("cmp_1".to_owned());
        assert_eq!(fill_form(&at, &both, &employee).unwrap().1[2], pair("workspace_id", "cmp_1"));
        let failure = fill_form(&at, "<h1>Expired</h1>", &employee).unwrap_err().to_string();
        assert!(failure.contains("Expired"), "{failure}");
    }
}
