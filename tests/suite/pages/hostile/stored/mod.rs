//! Stores hostile texts through the APIs and the forms of the pages, and checks that pages show them as text. Each
//! stored text contains a unique mark ([`marked`]), by which the test finds the text in the pages.

mod apis;
mod downloads;
mod forms;
mod reading;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization as _;

use super::{Document, Kind, PAGES, Reader, Test, corpus, marked};
use crate::support::{
    assistant::{Client, Employee, PASSWORD},
    browser::Browser,
    tools::Assistant,
    *,
};

/// A hostile text ([`corpus`]) with its number.
#[derive(Clone, Copy)]
struct Seed<'a> {
    number: usize,
    text: &'a str,
}

impl Seed<'_> {
    /// Returns the text with the mark of this kind and number. The result is at most `max` characters long.
    fn of(self, kind: Kind, max: usize) -> String {
        marked(kind, self.number, self.text, max)
    }
}

/// The texts that the server stored, and the texts that it rejected.
#[derive(Default)]
struct Planted {
    stored: BTreeMap<Kind, Vec<String>>,
    rejected: BTreeMap<Kind, Vec<String>>,
}

impl Planted {
    fn add(&mut self, kind: Kind, stored: String) {
        self.stored.entry(kind).or_default().push(stored);
    }

    fn reject(&mut self, kind: Kind, seed: Seed<'_>) {
        self.rejected.entry(kind).or_default().push(seed.text.to_owned());
    }

    /// Sends a request, and asserts that the response has each text at its JSON pointer. The texts must be unchanged,
    /// except that names of clients are in normalization form C (D-224). Returns `None` if the request was rejected
    /// with 400.
    async fn send(&mut self, call: Call, seed: Seed<'_>, texts: &[(Kind, &str, &str)]) -> Option<Value> {
        let answer = call.send().await;
        if answer.status == 400 {
            for (kind, _, _) in texts {
                self.reject(*kind, seed);
            }
            return None;
        }
        let body = answer.ok(201);
        for (kind, sent, pointer) in texts {
            let expected = if *kind == Kind::Client { sent.nfc().collect() } else { (*sent).to_owned() };
            assert_eq!(text(&body, pointer), expected, "{kind:?}");
            self.add(*kind, expected);
        }
        Some(body)
    }

    /// Returns the problems:
    /// - a text that was rejected although the interface must accept it;
    /// - a kind of which at most half of the `corpus_size` texts were stored;
    /// - a kind whose stored and rejected texts together are not `corpus_size` texts.
    fn problems(&self, corpus_size: usize) -> Vec<String> {
        let mut problems = Vec::new();
        let kinds: BTreeSet<_> = self.stored.keys().chain(self.rejected.keys()).collect();
        for kind in kinds {
            let rejected = self.rejected.get(kind).map_or(&[][..], Vec::as_slice);
            let wrong = rejected.iter().filter(|text| !may_be_rejected(*kind, text));
            problems.extend(wrong.map(|text| format!("{kind:?}: {text:?} was rejected")));
            let stored = self.stored.get(kind).map_or(0, Vec::len);
            if stored + rejected.len() != corpus_size || stored <= corpus_size / 2 {
                problems.push(format!(
                    "{kind:?}: {stored} of {corpus_size} were stored, {} rejected",
                    rejected.len()
                ));
            }
        }
        problems
    }
}

/// Returns whether an interface may reject a text of this kind.
fn may_be_rejected(kind: Kind, text: &str) -> bool {
    let has_nul = text.contains('\0');
    match kind {
        // D-224 rejects a leading space and characters that are not printable. For simplicity, this function allows the
        // rejection of every text that is not printable ASCII.
        Kind::Client => text.starts_with(' ') || text.contains(|c: char| !(' '..='~').contains(&c)),
        // U+FFFD, which replaces bytes that are not UTF-8, is rejected
        Kind::BlockedKey => has_nul || text.contains('\u{fffd}'),
        // A file name is in a header of a multipart part. The server parses the header like an HTTP field, which has no
        // control characters except tab (RFC 9110 §5.5). Line breaks are accepted, because browsers escape them.
        // A text of the kind `Written` replaces the text of the message that has the upload. If the upload is rejected,
        // there is no such message.
        Kind::Upload | Kind::Written => {
            text.contains(|c: char| c.is_ascii_control() && !"\t\r\n".contains(c))
        }
        _ => has_nul,
    }
}

/// The company in which the texts are stored, with an employee who stores them and opens the pages.
struct StoredTextsFixture<'a> {
    server: &'a Server,
    company: Company,
    /// An admin with assistants.
    employee: Employee,
    browser: Browser,
    /// The CSRF token of the browser's session.
    csrf: String,
    /// A group with the messages of others.
    group: String,
    /// A group with the messages that the web client's form posted.
    own: String,
    /// The group that the admin API created last.
    newest: String,
    /// The assistant that was connected last.
    assistant: Option<Assistant>,
    clients: Vec<Client>,
    apps: Vec<App>,
    planted: Planted,
}

impl<'a> StoredTextsFixture<'a> {
    async fn new(server: &'a Server) -> Self {
        let company = server.company().await;
        let employee = server.employee_of(&company).await;
        company.update_user(&employee.id, json!({"is_admin": true})).await;
        let mut browser = employee.browser(server).await;
        let csrf = browser.get("/start").await.csrf("/signout");
        let group = company.conversation(json!({"name": "Others", "member_ids": [employee.id]})).await;
        let own = company.conversation(json!({"name": "Own", "member_ids": [employee.id]})).await;
        Self {
            server,
            company,
            employee,
            browser,
            csrf,
            newest: group.clone(),
            group,
            own,
            assistant: None,
            clients: Vec::new(),
            apps: Vec::new(),
            planted: Planted::default(),
        }
    }
}

/// Returns a text as pages show it. The value of a pressed button is shown as JSON, because the console shows the JSON
/// body of the event. In the name of a file, line separators and characters that control the direction of text are
/// replaced.
fn as_shown(kind: Kind, text: &str) -> String {
    match kind {
        Kind::File | Kind::Upload => text
            .replace(|c| downloads::is_bidirectional_control(c) || matches!(c, '\u{2028}' | '\u{2029}'), "_"),
        Kind::PressedValue => json!(text).to_string().trim_matches('"').to_owned(),
        _ => text.to_owned(),
    }
}

/// Splits a text at each `z` and returns the ASCII letters and digits at the end of each part. A mark, such as
/// `group12z`, becomes `group12`; the other results are not marks.
fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.split('z').filter_map(|part| part.rsplit(|c: char| !c.is_ascii_alphanumeric()).next())
}

/// Returns the mark that [`marked`] has given to a text.
fn mark_of(kind: Kind, text: &str) -> &str {
    let kind = format!("{kind:?}").to_lowercase();
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let mark = words(text).rfind(|word| word.strip_prefix(&*kind).is_some_and(is_number));
    mark.unwrap_or_else(|| panic!("every stored text has a mark: {text:?}"))
}

/// Groups the parsed pages by the marks that they contain, so that only a few pages are searched for a text.
fn by_mark(documents: &[Document]) -> HashMap<&str, Vec<&Document>> {
    let mut found: HashMap<&str, Vec<&Document>> = HashMap::new();
    for document in documents {
        let texts = std::iter::once(&document.text).chain(&document.values);
        let marks: BTreeSet<_> = texts.flat_map(|text| words(text)).collect();
        for mark in marks {
            found.entry(mark).or_default().push(document);
        }
    }
    found
}

#[both_engines]
async fn stored_texts_are_shown_as_text(server: Server) {
    let mut fixture = StoredTextsFixture::new(&server).await;
    let person = json!({"name": "Many", "email": "many@example.com", "password": PASSWORD});
    fixture.company.person_with(person).await;
    let many = server.signed_in("many@example.com", PASSWORD).await;
    let corpus = corpus();
    let mut posted = Reader::new(fixture.browser.clone(), &server.base);
    for (number, text) in corpus.iter().enumerate() {
        let seed = Seed { number, text };
        fixture.by_the_admin_api(seed).await;
        fixture.by_the_bot_api(seed, &mut posted).await;
        fixture.by_an_assistant(seed, &mut posted).await;
        fixture.by_forms(seed, &mut posted).await;
        fixture.company(seed).await;
    }
    let mut problems = fixture.planted.problems(corpus.len());

    let mut reader = Reader::new(fixture.browser.clone(), &server.base);
    reading::open_as_employee(&fixture, &mut reader).await;
    let mut others = Reader::new(many, &server.base);
    reading::open_as_member_of_many_companies(&fixture, &mut others).await;
    let console = reading::open_console(&fixture).await;
    for (route, documents) in others.shown.into_iter().chain(console.shown).chain(posted.shown) {
        reader.shown.entry(route).or_default().extend(documents);
    }
    reader.posted = posted.posted;
    reader.assert_covers(Test::Stored(&[]));
    for (route, tests) in PAGES {
        let kinds =
            tests.iter().find_map(|test| if let Test::Stored(kinds) = test { Some(*kinds) } else { None });
        let Some(kinds) = kinds else { continue };
        let documents = by_mark(&reader.shown[route]);
        for kind in kinds {
            for text in &fixture.planted.stored[kind] {
                let shown = as_shown(*kind, text);
                let mut found = documents.get(mark_of(*kind, text)).into_iter().flatten();
                if !found.any(|document| document.has(&shown)) {
                    problems.push(format!("{route} does not show the {kind:?} {shown:?}"));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));

    for (conversation, extension) in [(fixture.group.clone(), "txt"), (fixture.own.clone(), "html")] {
        let checked = downloads::check(&mut fixture, &conversation, extension).await;
        assert!(checked > corpus.len() / 2, "most of the files are checked, and not only {checked}");
    }
}
