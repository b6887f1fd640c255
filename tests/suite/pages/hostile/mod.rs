//! Text cannot become markup. The tests send hostile texts to the APIs and forms, in URLs, and in responses of apps.
//! Then the tests parse the pages that show the texts, and check each parsed page. `tests/browser/hostile.test.js`
//! opens pages with the same texts in Chromium.

mod console;
mod document;
mod live;
mod refused;
mod stored;
mod typed;

use std::collections::{BTreeMap, BTreeSet};

use switchboard::pages;

use self::document::{Document, fits};
use crate::support::browser::{Browser, Page};

/// Returns the hostile texts, which the tests in Chromium also use.
fn corpus() -> Vec<String> {
    serde_json::from_str(include_str!("../../../browser/hostile.json")).expect("a list of texts")
}

/// A test of this folder that opens a page, reads a stream or posts a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Test {
    /// `stored`: the page shows the stored texts of these kinds, or the form stores texts.
    Stored(&'static [Kind]),
    /// `typed.rs`: texts in the path and the query.
    Address,
    /// `typed.rs`: the target of the redirect after sign-in.
    SignIn,
    /// `typed.rs`: the names of the person and the company.
    Names,
    /// `refused.rs`: refused forms with the texts in their fields.
    Refused,
    /// `console.rs`: texts in requests to the console, and in API requests, which the console lists.
    Console,
    /// `live.rs`, which reads a stream instead of a page.
    Live,
}

/// The kinds of stored texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Person,
    DisplayName,
    Title,
    Email,
    Company,
    Group,
    Topic,
    Channel,
    /// The name of a group that the form of the web client created. `NewTopic` is the topic of the same group.
    NewGroup,
    NewTopic,
    App,
    /// The URL to which an app's events are sent.
    Callback,
    Client,
    BlockedKey,
    Message,
    /// The text of a system message.
    Notice,
    /// The text of a bot's message after an edit.
    Edited,
    /// The text of a message that was edited with the form of the web client.
    Written,
    /// The text of a draft that was edited and sent.
    Sent,
    File,
    /// The name of a file that was uploaded with the form of the web client.
    Upload,
    Header,
    Section,
    Context,
    /// The label of a field in a block of the type `fields`. [`Kind::Value`] is the field's value.
    Label,
    Value,
    Button,
    /// The value of a button, which the event `interaction` contains.
    PressedValue,
    Draft,
}

use Kind::*;
use Test::*;

/// Every route with GET, and the tests that open it.
const PAGES: &[(&str, &[Test])] = &[
    ("/", &[Stored(&[Company]), Address]),
    ("/start", &[Address, Names]),
    ("/conversations", &[Stored(&[Person, Group, Topic, Channel, NewGroup, NewTopic]), Address]),
    ("/conversations/new", &[Stored(&[Group, NewGroup]), Address, Refused]),
    ("/people", &[Stored(&[Person, Title]), Address]),
    ("/people/{user}", &[Stored(&[Person, DisplayName, Title, Email]), Address]),
    ("/search", &[Stored(&[Person]), Address]),
    ("/signin", &[SignIn, Refused]),
    ("/oauth/authorize", &[Stored(&[App, Company]), Address, Names, Refused]),
    ("/authorize", &[Address]),
    ("/authorize/consent", &[Stored(&[Client, Company]), Address, Names, Refused]),
    ("/settings", &[Address]),
    ("/settings/connections", &[Stored(&[Client, Company]), Address, Names]),
    ("/settings/activity", &[Stored(&[Client]), Address]),
    ("/settings/privacy", &[Stored(&[App]), Address, Names]),
    ("/conversations/live", &[Live]),
    ("/c/{conversation}/live", &[Live]),
    ("/admin", &[Address]),
    ("/admin/assistants", &[Stored(&[Client, BlockedKey]), Address, Names, Refused]),
    ("/admin/activity", &[Stored(&[Client]), Address]),
    ("/admin/apps", &[Stored(&[App]), Address]),
    ("/admin/people", &[Stored(&[Person, Title, Email]), Address, Names]),
    (
        "/c/{conversation}",
        &[
            Stored(&[
                Person, Group, Topic, Channel, NewGroup, NewTopic, App, Client, Message, Notice, Edited,
                Written, Sent, File, Upload, Header, Section, Context, Label, Value, Button,
            ]),
            Address,
        ],
    ),
    ("/c/{conversation}/files/{file}", &[Address]),
    ("/c/{conversation}/{message}", &[Stored(&[Written, Upload]), Address, Refused]),
    ("/drafts", &[Stored(&[Draft, Group, Client]), Address]),
    ("/drafts/{draft}", &[Stored(&[Draft, Group, Client]), Address, Refused]),
    ("/console", &[Console]),
    ("/console/signin", &[Console]),
    ("/console/link/{token}", &[Console]),
    ("/console/requests", &[Console]),
    ("/console/requests/{request}", &[Console]),
    ("/console/events", &[Stored(&[App, Callback]), Console]),
    ("/console/events/{event}", &[Stored(&[PressedValue]), Console]),
    ("/console/verify", &[Stored(&[App]), Console]),
    ("/console/time", &[Stored(&[]), Console]),
    ("/console/secrets", &[Console]),
    ("/console/conversations", &[Stored(&[Person]), Console]),
    ("/console/conversations/curl", &[Console]),
];

/// Every route with POST, and the tests that post to it.
const FORMS: &[(&str, &[Test])] = &[
    ("/company", &[Refused]),
    ("/conversations/new", &[Stored(&[]), Refused]),
    ("/dm", &[Refused]),
    ("/c/{conversation}/join", &[Refused]),
    ("/signin", &[Refused]),
    ("/signout", &[Refused]),
    ("/oauth/authorize", &[Refused]),
    ("/authorize/consent", &[Refused]),
    ("/settings/connections", &[Refused]),
    ("/settings/privacy", &[Refused]),
    ("/admin/assistants", &[Stored(&[]), Refused]),
    ("/admin/apps", &[Refused]),
    ("/admin/people", &[Refused]),
    ("/c/{conversation}/messages", &[Stored(&[]), Refused]),
    ("/c/{conversation}/read", &[Refused]),
    ("/c/{conversation}/{message}/edit", &[Stored(&[]), Refused]),
    ("/c/{conversation}/{message}/delete", &[Refused]),
    ("/c/{conversation}/{message}/actions", &[Stored(&[]), Refused]),
    ("/drafts/{draft}", &[Stored(&[]), Refused]),
    ("/console/signin", &[Console]),
    ("/console/signout", &[Console]),
    ("/console/requests", &[Console]),
    ("/console/events", &[Console]),
    ("/console/events/{event}", &[Console]),
    ("/console/verify", &[Console]),
    ("/console/time", &[Console]),
    ("/console/conversations", &[Console]),
    ("/console/conversations/curl", &[Console]),
];

/// Returns every route of the pages and of the console, with its methods.
fn routes() -> impl Iterator<Item = &'static (&'static str, &'static [&'static str])> {
    pages::ROUTES.iter().chain(pages::console::ROUTES)
}

#[test]
fn every_page_and_form_is_tested() {
    for (method, table) in [("GET", PAGES), ("POST", FORMS)] {
        let known: BTreeSet<_> =
            routes().filter(|(_, methods)| methods.contains(&method)).map(|(route, _)| *route).collect();
        let tested: BTreeSet<_> = table.iter().map(|(route, _)| *route).collect();
        assert_eq!(tested, known, "the table lists every route with {method}");
        assert!(table.iter().all(|(_, tests)| !tests.is_empty()), "every route has a test ({method})");
    }
}

/// Returns the route that a path matches.
fn route_of(path: &str, method: &str) -> &'static str {
    let path = path.split('?').next().unwrap();
    let found = routes().find(|(route, methods)| methods.contains(&method) && fits(route, path));
    found.unwrap_or_else(|| panic!("no route has the path {path}")).0
}

/// Opens pages and posts forms in a browser, and keeps the parsed pages.
struct Reader {
    browser: Browser,
    base: String,
    /// The parsed pages of each GET route.
    shown: BTreeMap<&'static str, Vec<Document>>,
    /// The POST routes to which a form was posted.
    posted: BTreeSet<&'static str>,
}

impl Reader {
    fn new(browser: Browser, base: &str) -> Self {
        Self { browser, base: base.to_owned(), shown: BTreeMap::new(), posted: BTreeSet::new() }
    }

    /// Opens all pages of a list, beginning with the page at `path`.
    async fn all(&mut self, path: &str) {
        let mut next = Some(path.to_owned());
        let mut read = BTreeSet::new();
        while let Some(path) = next.take() {
            let page = self.open(&path).await;
            assert_eq!(page.wire.status, 200, "{path}: {}", page.text);
            read.insert(path);
            let links = page.text.split("href=\"").skip(1).map(|part| part.split('"').next().unwrap());
            let mut links = links.map(crate::support::browser::unescape);
            next = links
                .find(|link| (link.contains("cursor=") || link.contains("before=")) && !read.contains(link));
        }
    }

    /// Opens a page, which may have any status below 500.
    async fn open(&mut self, path: &str) -> Page {
        let page = self.browser.get(path).await;
        self.keep(path, &page);
        page
    }

    /// Asserts that a page, with any status below 500, shows a text.
    async fn shows(&mut self, path: &str, text: &str) -> Page {
        let page = self.browser.get(path).await;
        let document = self.keep(path, &page);
        assert!(document.has(text), "{path}: {text:?} is not in {document:?}");
        page
    }

    /// Posts a form with these fields, and returns the response and its parsed page.
    async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> (Page, Document) {
        let page = self.browser.post(path, fields).await;
        let document = self.answer_of(path, &page);
        (page, document)
    }

    /// Posts a form of an open page, with the hidden fields of the form and with `fields`. Returns the response and its
    /// parsed page.
    async fn submit_on(&mut self, on: &Page, path: &str, fields: &[(&str, &str)]) -> (Page, Document) {
        let page = self.browser.submit_on(on, path, fields).await;
        let document = self.answer_of(path, &page);
        (page, document)
    }

    /// Checks and parses the response to a form.
    #[track_caller]
    fn answer_of(&mut self, path: &str, page: &Page) -> Document {
        self.posted.insert(route_of(path, "POST"));
        self.read(&format!("POST {path}"), page)
    }

    /// Checks and parses the response to a GET, and keeps the parsed page.
    #[track_caller]
    fn keep(&mut self, path: &str, page: &Page) -> &Document {
        let document = self.read(path, page);
        let known = self.shown.entry(route_of(path, "GET")).or_default();
        known.push(document);
        known.last().unwrap()
    }

    #[track_caller]
    fn read(&self, name: &str, page: &Page) -> Document {
        if let Some(to) = page.header("location") {
            let is_here = (to.starts_with('/') && !to.starts_with("//")) || to.starts_with(&self.base);
            assert!(is_here, "{name}: a redirect stays on this site: {to}");
        }
        assert!(page.wire.status < 500, "{name}: {}", page.text);
        match page.header("content-type") {
            Some("text/html; charset=utf-8") => {
                Document::read(&format!("{name} ({})", page.wire.status), &self.base, &page.text)
            }
            Some("text/plain; charset=utf-8") => Document { text: page.text.clone(), values: Vec::new() },
            other => {
                assert!(page.text.is_empty(), "{name}: {other:?}: {}", page.text);
                Document::default()
            }
        }
    }

    /// Asserts that this test has opened all pages and posted all forms that the tables list for it.
    #[track_caller]
    fn assert_covers(&self, test: Test) {
        let is_of = |row: &&(&str, &[Test])| {
            row.1.iter().any(|one| std::mem::discriminant(one) == std::mem::discriminant(&test))
        };
        for (route, _) in PAGES.iter().filter(is_of) {
            assert!(self.shown.contains_key(route), "the test opens {route}");
        }
        for (route, _) in FORMS.iter().filter(is_of) {
            assert!(self.posted.contains(route), "the test posts to {route}");
        }
    }
}

/// Returns a text with all bytes percent-encoded, for a URL.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// Returns the beginning of a text, followed by a mark of its kind and number. The result has at most `max` characters.
/// The tests find the text by the mark.
fn marked(kind: Kind, number: usize, text: &str, max: usize) -> String {
    let mark = format!(" {kind:?}{number}z").to_lowercase();
    let kept: String = text.chars().take(max - mark.len()).collect();
    kept + &mark
}
