//! An HTTP client that stores cookies, submits forms, and checks every page against the rules for all pages. It runs no
//! scripts.

use std::{collections::BTreeMap, net::Ipv4Addr};

use super::{
    Server,
    wire::{self, Wire},
};

/// A client with its cookies and its server.
#[derive(Clone)]
pub struct Browser {
    base: String,
    pub cookies: BTreeMap<String, String>,
    /// Headers that are added to every request.
    pub headers: Vec<String>,
    /// The local address from which the client connects; `None` for the default.
    pub from: Option<Ipv4Addr>,
}

/// A response.
#[derive(Clone, Debug)]
pub struct Page {
    pub wire: Wire,
    pub text: String,
}

impl Server {
    pub fn browser(&self) -> Browser {
        Browser::at(&self.base)
    }

    /// Signs a person in with a new browser, and returns the browser.
    pub async fn signed_in(&self, email: &str, password: &str) -> Browser {
        let mut browser = self.browser();
        let page = browser.sign_in(email, password, "/").await;
        assert_eq!(page.to(), "/", "{}", page.text);
        browser
    }
}

impl Browser {
    /// Returns a browser without cookies, for a server at an address.
    pub fn at(base: &str) -> Self {
        Self { base: base.to_owned(), cookies: BTreeMap::new(), headers: Vec::new(), from: None }
    }

    pub async fn get(&mut self, path: &str) -> Page {
        self.send("GET", path, &[], b"").await
    }

    pub async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Page {
        let body = serde_urlencoded::to_string(fields).unwrap();
        let headers = ["content-type: application/x-www-form-urlencoded".to_owned()];
        self.send("POST", path, &headers, body.as_bytes()).await
    }

    /// Opens a page, which must have status 200, and posts its form as [`Browser::submit_on`] does.
    pub async fn submit(&mut self, path: &str, fields: &[(&str, &str)]) -> Page {
        let page = self.get(path).await;
        assert_eq!(page.wire.status, 200, "{}", page.text);
        self.submit_on(&page, path, fields).await
    }

    /// Posts the first form of `page` whose action equals `path`; queries are not compared. Sends the hidden fields of
    /// the form and `fields`. A field of `fields` replaces a hidden field of the same name.
    pub async fn submit_on(&mut self, page: &Page, path: &str, fields: &[(&str, &str)]) -> Page {
        let form = page.form(path.split('?').next().unwrap());
        let mut all: Vec<(&str, &str)> = form.hidden.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        all.retain(|(name, _)| !fields.iter().any(|(other, _)| other == name));
        all.extend(fields);
        let action = form.action.clone();
        self.post(&action, &all).await
    }

    pub async fn sign_in(&mut self, email: &str, password: &str, next: &str) -> Page {
        let next = serde_urlencoded::to_string([("next", next)]).unwrap();
        self.submit(&format!("/signin?{next}"), &[("email", email), ("password", password)]).await
    }

    pub async fn send(&mut self, method: &str, path: &str, headers: &[String], body: &[u8]) -> Page {
        let cookies: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mut lines = self.headers.clone();
        lines.extend_from_slice(headers);
        if !cookies.is_empty() {
            lines.push(format!("cookie: {}", cookies.join("; ")));
        }
        if method == "POST" {
            lines.push(format!("content-length: {}", body.len()));
        }
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let line = format!("{method} {path}");
        let wire = wire::request_from(self.from, &self.base, &line, &lines, body).await;
        for (_, cookie) in wire.headers.iter().filter(|(name, _)| name == "set-cookie") {
            let (pair, attributes) = cookie.split_once(';').expect("a cookie has attributes");
            let (name, value) = pair.split_once('=').expect("a cookie has a value");
            match attributes.contains("Max-Age=0") {
                true => self.cookies.remove(name),
                false => self.cookies.insert(name.to_owned(), value.to_owned()),
            };
        }
        let page = Page { text: String::from_utf8(wire.body.clone()).expect("a page is UTF-8"), wire };
        page.check(&format!("{method} {path}"));
        page
    }

    /// Returns the value of the session cookie, with or without `__Host-` in its name.
    pub fn session(&self) -> Option<&str> {
        self.cookies.iter().find(|(name, _)| name.ends_with("session")).map(|(_, value)| value.as_str())
    }
}

/// One form of a page.
#[derive(Clone, Debug)]
pub struct Form {
    pub action: String,
    pub hidden: Vec<(String, String)>,
}

impl Page {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.wire.header(name)
    }

    /// Returns the tags of the page, without `<` and `>`. Each `<` begins a tag, because `<` is escaped in texts and in
    /// values of attributes.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        self.text.split('<').skip(1).map(|part| {
            let end = part.match_indices('>').find(|(at, _)| part[..*at].matches('"').count() % 2 == 0);
            &part[..end.expect("a tag ends with `>`").0]
        })
    }

    /// Returns the target of the redirect after a form of the web client.
    #[track_caller]
    pub fn see_other(&self) -> &str {
        assert_eq!(self.wire.status, 303, "a form of the web client redirects with 303: {}", self.text);
        self.header("location").expect("a redirect has a location")
    }

    /// Returns the target of a redirect that does not follow a form of the web client.
    #[track_caller]
    pub fn to(&self) -> &str {
        assert_eq!(
            self.wire.status, 302,
            "redirects have status 302, except after forms of the web client (D-263): {}",
            self.text
        );
        self.header("location").expect("a redirect has a location")
    }

    /// Asserts that the page has this status and contains these words.
    #[track_caller]
    pub fn is(&self, status: u16, words: &str) -> &Self {
        assert_eq!(self.wire.status, status, "{}", self.text);
        assert!(self.text.contains(words), "{words} is not in {}", self.text);
        self
    }

    #[track_caller]
    pub fn shows(&self, words: &str) -> &Self {
        assert_eq!(self.wire.status, 200, "{}", self.text);
        assert!(self.text.contains(words), "{words} is not in {}", self.text);
        self
    }

    /// Asserts that the page has status 200.
    #[track_caller]
    pub fn ok(&self) -> &Self {
        self.is(200, "")
    }

    /// Asserts that the page does not contain these words. Does not check the status, so [`Page::ok`] or another
    /// assertion must do so: an error page contains hardly any words.
    #[track_caller]
    pub fn hides(&self, words: &str) -> &Self {
        assert!(!self.text.contains(words), "{words} is in {}", self.text);
        self
    }

    /// Returns the forms of the page that have the method POST, with their hidden fields.
    pub fn forms(&self) -> Vec<Form> {
        let mut forms = Vec::new();
        for part in self.text.split("<form ").skip(1) {
            let part = part.split("</form>").next().unwrap();
            let (head, body) = part.split_once('>').unwrap();
            // a form with the method GET changes nothing, so it needs no CSRF token
            if head.contains("method=\"get\"") {
                continue;
            }
            assert!(head.contains("method=\"post\""), "{head}");
            let hidden = body.split("<input ").skip(1).filter(|input| input.starts_with("type=\"hidden\""));
            let hidden = hidden.map(|input| (attribute(input, "name"), attribute(input, "value"))).collect();
            forms.push(Form { action: attribute(head, "action"), hidden });
        }
        forms
    }

    /// Returns the first form that posts to `path`, with or without a query.
    #[track_caller]
    pub fn form(&self, path: &str) -> Form {
        let forms = self.forms();
        let found = forms.iter().find(|form| form.action.split('?').next() == Some(path));
        found.unwrap_or_else(|| panic!("no form for {path} in {}", self.text)).clone()
    }

    /// Returns the CSRF token of the form that posts to `path`.
    #[track_caller]
    pub fn csrf(&self, path: &str) -> String {
        self.form(path).hidden.iter().find(|(name, _)| name == "csrf").expect("a CSRF token").1.clone()
    }

    /// Asserts that a response of the pages has the headers that it needs (A-170, D-268). An asset needs fewer headers
    /// than a page. For a page, also asserts that its tags pass [`check_tag`] and that its forms have CSRF tokens. JSON
    /// responses are not checked.
    fn check(&self, name: &str) {
        let is_asset = name.contains("/assets/") && self.wire.status == 200;
        let media_type = self.header("content-type").unwrap_or_default();
        if media_type.starts_with("application/json") {
            return;
        }
        assert!(self.header("x-request-id").is_some(), "{name}");
        assert_eq!(self.header("x-content-type-options"), Some("nosniff"), "{name}");
        assert!(
            self.header("access-control-allow-origin").is_none(),
            "{name}: pages have no CORS headers (D-312)"
        );
        if is_asset {
            return;
        }
        assert_eq!(self.header("x-frame-options"), Some("DENY"), "{name}: pages cannot be framed (A-170)");
        assert_eq!(
            self.header("referrer-policy"),
            Some("no-referrer"),
            "{name}: pages send no referrer (A-170)"
        );
        assert_eq!(self.header("cross-origin-opener-policy"), Some("same-origin"), "{name}");
        assert_eq!(self.header("cache-control"), Some("no-store"), "{name}: pages are not cached (A-170)");
        let policy =
            self.header("content-security-policy").expect("pages have a content security policy (A-170)");
        for part in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"] {
            assert!(policy.contains(part), "{name}: {policy}");
        }
        // D-265: `form-action 'self'` also applies to redirects after a form is posted. The forms for consent
        // (`/authorize/consent`) and for the installation of an app (`/oauth/authorize`) redirect to another site, so
        // their pages omit `form-action`. A sign-in form also posts to `/oauth/authorize`. It redirects to this site,
        // so its page has `form-action`. Of these three forms, only the sign-in form has a field for a password.
        let is_page = media_type.starts_with("text/html");
        let redirects_away = |form: &Form| {
            ["/authorize/consent", "/oauth/authorize"].contains(&form.action.split('?').next().unwrap())
                && !self.text.contains("type=\"password\"")
        };
        if is_page && self.forms().iter().any(redirects_away) {
            assert!(!policy.contains("form-action"), "{name}: the redirect to the app is allowed: {policy}");
        } else {
            assert!(policy.contains("form-action 'self'"), "{name}: forms lead to this site only: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{name}: inline scripts and styles are forbidden: {policy}");
        if is_page {
            self.tags().for_each(|tag| check_tag(name, tag));
            let has_script = self.tags().any(|tag| tag.starts_with("script"));
            assert!(
                !has_script || policy.contains("script-src 'self'"),
                "{name}: the script may run: {policy}"
            );
            for form in self.forms() {
                let token = form.hidden.iter().find(|(name, _)| name == "csrf");
                assert!(
                    token.is_some_and(|(_, token)| !token.is_empty()),
                    "{name}: every form has a CSRF token"
                );
            }
        }
    }
}

/// Asserts that a tag has no inline script, event handler or inline style, and loads nothing from another site. Only
/// links that open a new window may lead to other sites. Rejects values of attributes that are not in double quotes.
#[track_caller]
fn check_tag(name: &str, tag: &str) {
    let is_inline_script = tag.starts_with("script") && !tag.starts_with("script src=\"/");
    assert!(!is_inline_script, "{name}: every script comes from a file of this site: {tag}");
    for (at, attribute) in tag.split('"').step_by(2).enumerate() {
        let attribute = attribute.strip_suffix('=').unwrap_or(attribute);
        assert!(
            !attribute.contains(['=', '\'']),
            "{name}: every value of an attribute is in double quotes: {tag}"
        );
        let attribute = attribute.rsplit(char::is_whitespace).next().unwrap_or_default();
        let is_inline = attribute == "style" || attribute.starts_with("on");
        assert!(!is_inline, "{name}: a tag has no inline style and no event handler: {tag}");
        if ["href", "src", "action", "formaction", "srcset"].contains(&attribute) {
            let value = tag.split('"').nth(2 * at + 1).expect("an attribute has a value");
            let is_foreign = value.starts_with("//") || value.split(['/', '?']).next().unwrap().contains(':');
            let is_link = attribute == "href" && tag.starts_with("a ") && tag.contains("target=\"_blank\"");
            let is_web = value.starts_with("https://") || value.starts_with("http://");
            assert!(
                !is_foreign || (is_link && is_web),
                "{name}: only a link that opens a new window leads to another site: {tag}"
            );
        }
    }
}

/// Returns the unescaped value of an attribute.
fn attribute(element: &str, name: &str) -> String {
    let rest = element.split_once(&format!("{name}=\"")).map_or("", |(_, rest)| rest);
    unescape(rest.split('"').next().unwrap_or_default())
}

/// Replaces the character references that the pages use. Does not unescape the result again: `&#38;amp;` becomes
/// `&amp;`.
pub fn unescape(text: &str) -> String {
    const REFERENCES: [(&str, char); 6] =
        [("&#60;", '<'), ("&#62;", '>'), ("&#34;", '"'), ("&#39;", '\''), ("&#38;", '&'), ("&amp;", '&')];
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

#[test]
fn tags_with_inline_code_or_foreign_addresses_are_rejected() {
    for tag in [
        "a href=\"/\" class=\"x\" hidden",
        "a href=\"https://other.example/?a='b'=c\" target=\"_blank\"",
        "script src=\"/assets/a.js\"",
        "!doctype html",
        "/a",
    ] {
        check_tag("a page", tag);
    }
    for tag in [
        "p style=\"color: red\"",
        "p style='color: red'",
        "p style=color:red",
        "p class=\"x\" onclick=\"f()\"",
        "p class=\"x\" onclick='f()'",
        "p onclick=f()",
        "img src=\"//other.example/a.png\"",
        "img src='//other.example/a.png'",
        "img src=//other.example/a.png",
        "script",
    ] {
        let checked = std::panic::catch_unwind(|| check_tag("a page", tag));
        assert!(checked.is_err(), "{tag}");
    }
}

#[test]
fn references_are_unescaped_once() {
    for (escaped, text) in [
        ("&#60;b&#62; &#34;&#39;", "<b> \"'"),
        ("&amp;#60; &#38;amp; &amp;#38; &#38;#38;", "&#60; &amp; &#38; &#38;"),
        ("a & b &", "a & b &"),
    ] {
        assert_eq!(unescape(escaped), text);
    }
}
