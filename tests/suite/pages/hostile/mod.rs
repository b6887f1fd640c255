//! Stored text cannot become markup: hostile texts and names go through every API and form, and every page that shows
//! them is parsed as browsers do. `tests/browser/hostile.test.js` opens the same texts in Chromium.

mod document;
mod live;
mod stored;
mod typed;

use std::collections::{BTreeMap, BTreeSet};

use switchboard::pages;

use self::document::{Document, fits};
use crate::support::browser::{Browser, Page};

/// The texts, which the tests in Chromium read too.
fn corpus() -> Vec<String> {
    serde_json::from_str(include_str!("../../../browser/hostile.json")).expect("a list of texts")
}

/// Where the tests find what a page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// In `stored.rs`: texts of these kinds, which the APIs and forms have stored.
    Stored(&'static [Kind]),
    /// In `typed.rs`: what was typed, or is in the address.
    Typed,
    /// In `live.rs`.
    Live,
    /// The response is a redirect.
    Redirect,
}

/// The texts that are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Person,
    DisplayName,
    Title,
    Company,
    Group,
    Topic,
    Channel,
    App,
    Client,
    BlockedKey,
    Message,
    Written,
    File,
    Upload,
    Header,
    Section,
    Context,
    Label,
    Value,
    Button,
    PressedValue,
    Draft,
}

use Kind::*;
use Source::*;

/// Every route of a page with GET.
const PAGES: &[(&str, Source)] = &[
    ("/", Stored(&[Company])),
    ("/start", Typed),
    ("/conversations", Stored(&[Person, Group, Topic, Channel])),
    ("/conversations/new", Typed),
    ("/people", Stored(&[Person, Title])),
    ("/people/{user}", Stored(&[Person, DisplayName, Title])),
    ("/search", Stored(&[Person])),
    ("/signin", Typed),
    ("/oauth/authorize", Stored(&[App, Company])),
    ("/authorize", Redirect),
    ("/authorize/consent", Stored(&[Client, Company])),
    ("/settings", Redirect),
    ("/settings/connections", Stored(&[Client, Company])),
    ("/settings/activity", Stored(&[Client])),
    ("/settings/privacy", Typed),
    ("/conversations/live", Live),
    ("/c/{conversation}/live", Live),
    ("/admin", Redirect),
    ("/admin/assistants", Stored(&[Client, BlockedKey])),
    ("/admin/activity", Stored(&[Client])),
    ("/admin/apps", Stored(&[App])),
    ("/admin/people", Stored(&[Person, Title])),
    (
        "/c/{conversation}",
        Stored(&[
            Person, Group, Topic, App, Message, Written, File, Upload, Header, Section, Context, Label,
            Value, Button,
        ]),
    ),
    ("/c/{conversation}/files/{file}", Redirect),
    ("/c/{conversation}/{message}", Stored(&[Written, Upload])),
    ("/drafts", Stored(&[Draft, Group, Client])),
    ("/drafts/{draft}", Stored(&[Draft])),
    ("/console", Redirect),
    ("/console/signin", Typed),
    ("/console/link/{token}", Redirect),
    ("/console/requests", Typed),
    ("/console/requests/{request}", Typed),
    ("/console/events", Stored(&[App])),
    ("/console/events/{event}", Stored(&[PressedValue])),
    ("/console/verify", Typed),
    ("/console/time", Typed),
    ("/console/secrets", Typed),
    ("/console/conversations", Stored(&[Person])),
    ("/console/conversations/curl", Typed),
];

#[test]
fn every_page_is_read() {
    let all = [pages::ROUTES, pages::console::ROUTES].concat();
    let routes: BTreeSet<_> =
        all.iter().filter(|(_, methods)| methods.contains(&"GET")).map(|(route, _)| *route).collect();
    let read: BTreeSet<_> = PAGES.iter().map(|(route, _)| *route).collect();
    assert_eq!(read, routes, "name where the test finds the stored texts that a new page shows");
}

/// The route of a path.
fn route_of(path: &str) -> &'static str {
    let path = path.split('?').next().unwrap();
    let all = [pages::ROUTES, pages::console::ROUTES].concat();
    let found = all.iter().find(|(route, _)| fits(route, path));
    found.unwrap_or_else(|| panic!("no page has the path {path}")).0
}

/// Reads pages in a browser, and remembers what they have shown.
struct Reader {
    browser: Browser,
    base: String,
    shown: BTreeMap<&'static str, Vec<Document>>,
}

impl Reader {
    fn new(browser: Browser, base: &str) -> Self {
        Self { browser, base: base.to_owned(), shown: BTreeMap::new() }
    }

    /// Opens a page and those that follow it in its list.
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

    /// Opens a page with any status.
    async fn open(&mut self, path: &str) -> Page {
        let page = self.browser.get(path).await;
        self.keep(path, &page);
        page
    }

    /// Checks a response and remembers what it shows.
    #[track_caller]
    fn keep(&mut self, path: &str, page: &Page) -> &Document {
        let name = format!("{path} ({})", page.wire.status);
        let known = self.shown.entry(route_of(path)).or_default();
        // a redirect is empty
        known.push(match page.text.as_str() {
            "" => Document::default(),
            html => Document::read(&name, &self.base, html),
        });
        known.last().unwrap()
    }

    /// Asserts that a page with any status shows a text.
    async fn shows(&mut self, path: &str, text: &str) -> Page {
        let page = self.browser.get(path).await;
        let document = self.keep(path, &page);
        assert!(document.has(text), "{path}: {text:?} is not in {document:?}");
        page
    }
}

/// A text in an address.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// A text that can be found among others, of at most this many characters.
fn marked(kind: Kind, number: usize, text: &str, max: usize) -> String {
    let mark = format!(" {kind:?}{number}z").to_lowercase();
    let kept: String = text.chars().take(max - mark.len()).collect();
    kept + &mark
}
