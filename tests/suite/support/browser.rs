//! A browser without eyes: keeps cookies, fills forms, and judges every page by what is promised of all.

use std::collections::BTreeMap;

use super::{
    Server,
    wire::{self, Wire},
};

/// Cookies and where they are sent.
#[derive(Clone)]
pub struct Browser {
    base: String,
    pub cookies: BTreeMap<String, String>,
    /// Sent with every request besides the cookies.
    pub headers: Vec<String>,
}

/// What came back.
#[derive(Debug)]
pub struct Page {
    pub wire: Wire,
    pub text: String,
}

impl Server {
    pub fn browser(&self) -> Browser {
        Browser::at(&self.base)
    }

    /// A browser in which somebody signed in.
    pub async fn signed_in(&self, email: &str, password: &str) -> Browser {
        let mut browser = self.browser();
        let page = browser.sign_in(email, password, "/").await;
        assert_eq!(page.to(), "/", "{}", page.text);
        browser
    }
}

impl Browser {
    /// One that has been nowhere yet, for a server at an address.
    pub fn at(base: &str) -> Self {
        Self { base: base.to_owned(), cookies: BTreeMap::new(), headers: Vec::new() }
    }

    pub async fn get(&mut self, path: &str) -> Page {
        self.send("GET", path, &[], b"").await
    }

    pub async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Page {
        let body = serde_urlencoded::to_string(fields).unwrap();
        let headers = ["content-type: application/x-www-form-urlencoded".to_owned()];
        self.send("POST", path, &headers, body.as_bytes()).await
    }

    /// Opens a page and posts its form with these fields over the hidden ones. The page's first form that posts to
    /// `action`, or to its own path, is taken.
    pub async fn submit(&mut self, path: &str, fields: &[(&str, &str)]) -> Page {
        let page = self.get(path).await;
        assert_eq!(page.wire.status, 200, "{}", page.text);
        self.submit_on(&page, path, fields).await
    }

    /// The same on a page that is open.
    pub async fn submit_on(&mut self, page: &Page, path: &str, fields: &[(&str, &str)]) -> Page {
        let own = path.split('?').next().unwrap();
        let form = page.form(own);
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
        let wire = wire::request(&self.base, &format!("{method} {path}"), &lines, body).await;
        for (_, cookie) in wire.headers.iter().filter(|(name, _)| name == "set-cookie") {
            let (pair, attributes) = cookie.split_once(';').expect("attributes");
            let (name, value) = pair.split_once('=').expect("a value");
            match attributes.contains("Max-Age=0") {
                true => self.cookies.remove(name),
                false => self.cookies.insert(name.to_owned(), value.to_owned()),
            };
        }
        let page = Page { text: String::from_utf8(wire.body.clone()).expect("UTF-8"), wire };
        page.judge(&format!("{method} {path}"));
        page
    }

    /// The session's cookie, whatever its name.
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

    /// Where a redirect leads.
    #[track_caller]
    pub fn to(&self) -> &str {
        assert_eq!(self.wire.status, 302, "D-263: {}", self.text);
        self.header("location").expect("a location")
    }

    /// Asserts an error page.
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

    #[track_caller]
    pub fn hides(&self, words: &str) -> &Self {
        assert!(!self.text.contains(words), "{words} is in {}", self.text);
        self
    }

    /// The forms that are posted, with their hidden fields filled in.
    pub fn forms(&self) -> Vec<Form> {
        let mut forms = Vec::new();
        for part in self.text.split("<form ").skip(1) {
            let part = part.split("</form>").next().unwrap();
            let (head, body) = part.split_once('>').unwrap();
            // one that asks for a page changes nothing
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

    /// The first form that posts to a path.
    #[track_caller]
    pub fn form(&self, path: &str) -> Form {
        let forms = self.forms();
        let found = forms.iter().find(|form| form.action.split('?').next() == Some(path));
        found.unwrap_or_else(|| panic!("no form for {path} in {}", self.text)).clone()
    }

    /// The token of a form.
    #[track_caller]
    pub fn csrf(&self, path: &str) -> String {
        self.form(path).hidden.iter().find(|(name, _)| name == "csrf").expect("a token").1.clone()
    }

    /// What every answer of the pages has (A-170, D-268).
    fn judge(&self, name: &str) {
        let is_asset = name.contains("/assets/") && self.wire.status == 200;
        let media_type = self.header("content-type").unwrap_or_default();
        if media_type.starts_with("application/json") {
            return;
        }
        assert!(self.header("x-request-id").is_some(), "{name}");
        assert_eq!(self.header("x-content-type-options"), Some("nosniff"), "{name}");
        assert!(self.header("access-control-allow-origin").is_none(), "{name}: D-312");
        if is_asset {
            return;
        }
        assert_eq!(self.header("x-frame-options"), Some("DENY"), "{name}: A-170");
        assert_eq!(self.header("referrer-policy"), Some("no-referrer"), "{name}: A-170");
        assert_eq!(self.header("cache-control"), Some("no-store"), "{name}: A-170");
        let policy = self.header("content-security-policy").expect("A-170");
        for part in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"] {
            assert!(policy.contains(part), "{name}: {policy}");
        }
        // D-265: forms stay here, but for the two whose answer is an app's
        let is_page = media_type.starts_with("text/html");
        let leads_away = |form: &Form| {
            ["/authorize/consent", "/oauth/authorize"].contains(&form.action.split('?').next().unwrap())
        };
        if is_page && self.forms().iter().any(leads_away) {
            assert!(!policy.contains("form-action"), "{name}: {policy}");
        } else {
            assert!(policy.contains("form-action 'self'"), "{name}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{name}: {policy}");
        if is_page {
            for never in ["<script", "javascript:", " style=", " onclick", "http://", "src=\"//"] {
                assert!(!self.text.contains(never), "{name}: {never} in {}", self.text);
            }
            for form in self.forms() {
                let token = form.hidden.iter().find(|(name, _)| name == "csrf");
                assert!(token.is_some_and(|(_, token)| !token.is_empty()), "{name}: a form without a token");
            }
        }
    }
}

/// The value of an attribute, unescaped.
fn attribute(element: &str, name: &str) -> String {
    let rest = element.split_once(&format!("{name}=\"")).map_or("", |(_, rest)| rest);
    unescape(rest.split('"').next().unwrap_or_default())
}

pub fn unescape(text: &str) -> String {
    let entities =
        [("&#60;", "<"), ("&#62;", ">"), ("&#34;", "\""), ("&#39;", "'"), ("&#38;", "&"), ("&amp;", "&")];
    entities.into_iter().fold(text.to_owned(), |text, (entity, letter)| text.replace(entity, letter))
}
