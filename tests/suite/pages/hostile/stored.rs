//! What the APIs and the forms of the web client store.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Kind, PAGES, Reader, Source, corpus, encoded, marked};
use crate::{
    pages::conversation::{multipart, post_multipart},
    support::{
        assistant::{Client, Employee, LOCAL, PASSWORD},
        browser::Browser,
        *,
    },
};

/// What was stored, and what was rejected.
#[derive(Default)]
struct Planted {
    stored: BTreeMap<Kind, Vec<String>>,
    rejected: BTreeMap<Kind, Vec<String>>,
}

impl Planted {
    fn add(&mut self, kind: Kind, text: String) {
        self.stored.entry(kind).or_default().push(text);
    }

    /// Sends a request, and remembers the texts that the response says were stored. `None` if it was rejected.
    async fn send(&mut self, call: Call, texts: &[(Kind, &str, &str)]) -> Option<Value> {
        let answer = call.send().await;
        if answer.status == 400 {
            for (kind, sent, _) in texts {
                self.rejected.entry(*kind).or_default().push((*sent).to_owned());
            }
            return None;
        }
        let body = answer.ok(201);
        for (kind, _, pointer) in texts {
            self.add(*kind, text(&body, pointer));
        }
        Some(body)
    }

    /// Asserts that no more was rejected than what cannot be stored or shown.
    fn check(&self, all: usize) {
        for (kind, texts) in &self.rejected {
            for text in texts {
                let is_name_of_client = [Kind::Client, Kind::BlockedKey, Kind::Draft].contains(kind);
                let is_odd = text.contains(|c: char| c.is_control() || !c.is_ascii());
                assert!(
                    text.contains('\0') || (is_name_of_client && is_odd),
                    "{kind:?}: {text:?} was rejected"
                );
            }
        }
        for (kind, texts) in &self.stored {
            let rejected = self.rejected.get(kind).map_or(0, Vec::len);
            assert_eq!(texts.len() + rejected, all, "{kind:?}");
            assert!(texts.len() > all / 2, "{kind:?}");
        }
    }
}

/// The company whose pages show everything that was stored.
struct Stage {
    company: Company,
    /// An admin with an assistant.
    employee: Employee,
    browser: Browser,
    /// A group with the messages of others, and one with those that the web client's form posted.
    group: String,
    own: String,
    /// The group that was created last.
    newest: String,
    clients: Vec<Client>,
    apps: Vec<App>,
    planted: Planted,
}

impl Stage {
    async fn new(server: &Server) -> Self {
        let company = server.company().await;
        let employee = server.employee_of(&company).await;
        company.update_user(&employee.id, json!({"is_admin": true})).await;
        let browser = server.signed_in(&employee.email, PASSWORD).await;
        let group = company.conversation(json!({"name": "Others", "member_ids": [employee.id]})).await;
        let own = company.conversation(json!({"name": "Own", "member_ids": [employee.id]})).await;
        let (newest, clients, apps, planted) = (group.clone(), Vec::new(), Vec::new(), Planted::default());
        Self { company, employee, browser, group, own, newest, clients, apps, planted }
    }

    /// The admin API: people, conversations, files, messages.
    async fn by_the_admin_api(&mut self, number: usize, hostile: &str) {
        let operator = self.company.operator.clone();
        let made = |kind, max| marked(kind, number, hostile, max);
        let (name, called, title) =
            (made(Kind::Person, 200), made(Kind::DisplayName, 200), made(Kind::Title, 200));
        let body = json!({"name": name, "display_name": called, "title": title, "email": format!("h{number}@example.com")});
        let texts = [
            (Kind::Person, name.as_str(), "/user/name"),
            (Kind::DisplayName, called.as_str(), "/user/display_name"),
            (Kind::Title, title.as_str(), "/user/title"),
        ];
        let path = self.company.path("/users");
        let person = match self.planted.send(operator.post(&path).json(&body), &texts).await {
            Some(person) => text(&person, "/user/id"),
            None => self.company.person().await,
        };
        self.company.add(&self.group, &person).await;

        let (name, topic) = (made(Kind::Group, 200), made(Kind::Topic, 1000));
        let body =
            json!({"kind": "group", "name": name, "topic": topic, "member_ids": [self.employee.id, person]});
        let texts = [
            (Kind::Group, name.as_str(), "/conversation/name"),
            (Kind::Topic, topic.as_str(), "/conversation/topic"),
        ];
        let path = self.company.path("/conversations");
        let group = self.planted.send(operator.post(&path).json(&body), &texts).await;
        let group = group.map_or_else(|| self.group.clone(), |group| text(&group, "/conversation/id"));
        self.newest.clone_from(&group);
        let name = made(Kind::Channel, 200);
        let body =
            json!({"kind": "channel", "parent_id": group, "name": name, "member_ids": [self.employee.id]});
        self.planted
            .send(operator.post(&path).json(&body), &[(Kind::Channel, &name, "/conversation/name")])
            .await;
        self.company.direct(&self.employee.id, &person).await;

        let name = made(Kind::File, 200) + ".txt";
        let path = self.company.path(&format!("/files?name={}", encoded(&name)));
        let call = operator.post(&path).header("content-type", "text/html").header("x-acting-user", &person);
        let call = call.body("<script>pwned=1</script>");
        let file = self.planted.send(call, &[(Kind::File, &name, "/file/name")]).await;
        let files: Vec<_> = file.iter().map(|file| text(file, "/file/id")).collect();
        let words = made(Kind::Message, 4000);
        let body = json!({"user_id": person, "type": "text", "text": words, "file_ids": files});
        let path = format!("/admin/v1/conversations/{}/messages", self.group);
        self.planted
            .send(operator.post(&path).json(&body), &[(Kind::Message, &words, "/message/text")])
            .await;
    }

    /// The bot API: an app with the name, and a message with every block.
    async fn by_the_bot_api(&mut self, number: usize, hostile: &str) {
        let made = |kind, max| marked(kind, number, hostile, max);
        let name = made(Kind::App, 200);
        let body = json!({
            "name": name, "scopes": ["messages:write"], "redirect_uris": ["https://app.example/callback"],
            "callback_url": "https://app.example/callback",
        });
        let call = self.company.operator.post("/admin/v1/apps").json(&body);
        let Some(app) = self.planted.send(call, &[(Kind::App, &name, "/app/name")]).await else {
            for kind in [
                Kind::Header,
                Kind::Section,
                Kind::Context,
                Kind::Label,
                Kind::Value,
                Kind::Button,
                Kind::PressedValue,
            ] {
                self.planted.rejected.entry(kind).or_default().push(made(kind, 40));
            }
            return;
        };
        let app = App {
            id: text(&app, "/app/id"),
            client_id: text(&app, "/client_id"),
            client_secret: text(&app, "/client_secret"),
            signing_secret: text(&app, "/signing_secret"),
        };
        let bot = self.company.install(&app, &["messages:write"]).await;
        self.company.block_app(&self.employee.id, &bot).await;
        self.company.unblock_app(&self.employee.id, &bot).await;
        self.apps.push(app);
        self.company.add(&self.group, &bot.user_id).await;
        let value = made(Kind::PressedValue, 2000);
        let action: String = hostile.chars().filter(char::is_ascii_graphic).take(64).collect();
        let action = if action.is_empty() { "x".to_owned() } else { action };
        let mut body = to_conversation(&self.group, hostile);
        body["metadata"] = json!({"event_type": "x", "event_payload": {"text": hostile}});
        body["blocks"] = json!([
            {"type": "header", "text": made(Kind::Header, 150)},
            {"type": "section", "text": made(Kind::Section, 2000)},
            {"type": "context", "text": made(Kind::Context, 1000)},
            {"type": "fields", "fields": [{"label": made(Kind::Label, 200), "value": made(Kind::Value, 200)}]},
            {"type": "actions", "items": [
                {"action_id": action, "text": made(Kind::Button, 40), "value": value, "style": "danger"},
            ]},
        ]);
        let message = bot.send(&body).await;
        for (at, member, kind) in [
            (0, "/text", Kind::Header),
            (1, "/text", Kind::Section),
            (2, "/text", Kind::Context),
            (4, "/items/0/text", Kind::Button),
        ] {
            self.planted.add(kind, text(&message["blocks"][at], member));
        }
        let field = &message["blocks"][3]["fields"][0];
        self.planted.add(Kind::Label, text(field, "/label"));
        self.planted.add(Kind::Value, text(field, "/value"));
        let path = format!("/admin/v1/messages/{}/interactions", text(&message, "/id"));
        let body = json!({"user_id": self.employee.id, "action_id": action, "value": value});
        self.company.operator.post(&path).json(&body).ok(202).await;
        self.planted.add(Kind::PressedValue, value);
    }

    /// The assistant server: a client with the name, its connection, and a draft of its.
    async fn by_an_assistant(&mut self, server: &Server, number: usize, hostile: &str) {
        let name = marked(Kind::Client, number, hostile, 40);
        let body = json!({
            "client_name": name, "client_uri": hostile, "logo_uri": hostile, "tos_uri": hostile, "policy_uri": hostile,
            "software_id": hostile, "redirect_uris": [LOCAL], "token_endpoint_auth_method": "none",
        });
        let made = self.company.operator.anonymous().post("/register").json(&body).send().await;
        if made.status == 400 {
            for (kind, text) in [(Kind::Client, name), (Kind::Draft, hostile.to_owned())] {
                self.planted.rejected.entry(kind).or_default().push(text);
            }
        } else {
            let made = made.ok(201);
            let client = Client {
                id: text(&made, "/client_id"),
                secret: None,
                redirect_uri: LOCAL.to_owned(),
                server: server.api(),
            };
            self.planted.add(Kind::Client, text(&made, "/client_name"));
            let tokens = self.employee.connect(server, &client).await;
            let assistant = server.assistant_by(&self.employee, &tokens);
            let words = marked(Kind::Draft, number, hostile, 4000);
            let arguments = json!({"conversation": self.newest, "text": words});
            assistant.drafts(arguments).await;
            self.planted.add(Kind::Draft, words);
            self.clients.push(client);
        }
    }

    /// The forms of the web client: a message with a file, an edit, a blocked key.
    async fn by_forms(&mut self, number: usize, hostile: &str) {
        let path = format!("/c/{}/messages", self.own);
        let page = self.browser.get(&format!("/c/{}", self.own)).await;
        let form = page.form(&path);
        let words = marked(Kind::Written, number, hostile, 4000);
        let name = marked(Kind::Upload, number, hostile, 200) + ".html";
        let mut fields: Vec<_> =
            form.hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        fields.push(("text", "first"));
        // as browsers write names of files
        let escaped = name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A");
        let body = multipart(&fields, &[(&escaped, "image/svg+xml", b"<svg onload='pwned=1'/>")]);
        let sent = post_multipart(&mut self.browser, &path, &body).await;
        if sent.wire.status == 303 {
            // line breaks of a name become spaces
            self.planted.add(Kind::Upload, name.replace(['\r', '\n'], " "));
            self.edit(words).await;
        } else {
            assert!([400, 422].contains(&sent.wire.status), "{}", sent.text);
            for (kind, text) in [(Kind::Upload, name), (Kind::Written, words)] {
                self.planted.rejected.entry(kind).or_default().push(text);
            }
        }
        self.block(marked(Kind::BlockedKey, number, &format!("local:{hostile}"), 200)).await;
    }

    /// Changes the text of the newest message of the web client.
    async fn edit(&mut self, words: String) {
        let message = self.company.messages(&self.own).await.remove(0);
        let path = format!("/c/{}/{}", self.own, text(&message, "/id"));
        let page = self.browser.get(&path).await;
        let edited = self.browser.submit_on(&page, &format!("{path}/edit"), &[("text", &words)]).await;
        if edited.wire.status == 303 {
            let message = self.company.messages(&self.own).await.remove(0);
            self.planted.add(Kind::Written, text(&message, "/text"));
        } else {
            assert!([400, 422].contains(&edited.wire.status), "{}", edited.text);
            self.planted.rejected.entry(Kind::Written).or_default().push(words);
        }
    }

    /// Blocks an assistant by its key.
    async fn block(&mut self, key: String) {
        let page = self.browser.get("/admin/assistants").await;
        let fields = [("action", "block"), ("key", key.as_str()), ("connection_id", "")];
        let form = page.forms().into_iter().rfind(|form| form.action == "/admin/assistants").unwrap();
        let mut all: Vec<_> =
            form.hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        all.retain(|(name, _)| !fields.iter().any(|(other, _)| other == name));
        all.extend(fields);
        let blocked = self.browser.post("/admin/assistants", &all).await;
        if blocked.wire.status == 302 {
            let path = self.company.path("/client_blocks?limit=1000");
            let blocks = self.company.operator.get(&path).ok(200).await;
            let mark = key.rsplit(' ').next().unwrap();
            let blocks = blocks["client_blocks"].as_array().unwrap().iter().map(|block| text(block, "/key"));
            let stored = blocks.filter(|stored| stored.ends_with(mark)).collect::<Vec<_>>();
            assert_eq!(stored.len(), 1, "{key:?}");
            self.planted.add(Kind::BlockedKey, stored[0].clone());
        } else {
            assert!([400, 422].contains(&blocked.wire.status), "{}", blocked.text);
            self.planted.rejected.entry(Kind::BlockedKey).or_default().push(key);
        }
    }

    /// One more company, in which a person with several companies is.
    async fn company(&mut self, number: usize, hostile: &str) {
        let name = marked(Kind::Company, number, hostile, 200);
        let operator = self.company.operator.clone();
        let call = operator.post("/admin/v1/workspaces").json(&json!({"name": name}));
        if let Some(made) = self.planted.send(call, &[(Kind::Company, &name, "/workspace/name")]).await {
            let path = format!("/admin/v1/workspaces/{}/users", text(&made, "/workspace/id"));
            let body = json!({"name": "Many", "email": "many@example.com", "is_admin": true});
            operator.post(&path).json(&body).ok(201).await;
        }
    }
}

/// The pages of the employee, who administers the company too.
async fn read_pages(server: &Server, stage: &Stage, reader: &mut Reader) {
    let id = &stage.company.id;
    for path in [
        "/conversations",
        "/conversations?show=open",
        "/conversations?show=archived",
        "/conversations/new",
        "/conversations/new?kind=channel",
        "/people",
        "/search?q=message*",
        "/search?q=written*",
        "/settings/connections",
        "/settings/activity",
        "/settings/privacy",
        "/admin/assistants",
        "/admin/activity",
        "/admin/apps",
        "/admin/people",
        "/drafts",
        &format!("/c/{}", stage.group),
        &format!("/c/{}", stage.own),
    ] {
        reader.all(path).await;
    }
    let operator = &stage.company.operator;
    let people = operator.get(&format!("/admin/v1/workspaces/{id}/users?limit=1000")).ok(200).await;
    for person in people["users"].as_array().unwrap() {
        reader.open(&format!("/people/{}", text(person, "/id"))).await;
    }
    let groups = operator.get(&format!("/admin/v1/workspaces/{id}/conversations?limit=1000")).ok(200).await;
    for group in groups["conversations"].as_array().unwrap().iter().filter(|group| group["kind"] != "channel")
    {
        reader.open(&format!("/c/{}", text(group, "/id"))).await;
    }
    for message in stage.company.messages(&stage.own).await {
        reader.open(&format!("/c/{}/{}", stage.own, text(&message, "/id"))).await;
    }
    let drafts: Vec<_> = reader.shown["/drafts"].iter().flat_map(|page| page.values.clone()).collect();
    for draft in drafts.iter().filter(|value| value.starts_with("drf_") && value.len() == 17) {
        reader.open(&format!("/drafts/{draft}")).await;
    }
    for app in &stage.apps {
        let query = [("client_id", app.client_id.as_str()), ("redirect_uri", "https://app.example/callback")];
        let query = serde_urlencoded::to_string(query).unwrap();
        let page = reader.open(&format!("/oauth/authorize?{query}")).await;
        page.is(200, "Install");
    }
    reader.browser.cookies.extend(server.known_browser().cookies);
    for client in &stage.clients {
        let request = server.begin_for(client, &[]).await.request();
        let path = format!("/authorize/consent?request={}", encoded(&request));
        reader.open(&path).await.is(200, "Connect");
    }
}

/// The pages of somebody who is in many companies.
async fn read_pages_of_many(server: &Server, stage: &Stage, reader: &mut Reader) {
    reader.browser.cookies.extend(server.known_browser().cookies);
    let app = &stage.apps[0].client_id;
    let query = [("client_id", app.as_str()), ("redirect_uri", "https://app.example/callback")];
    let query = serde_urlencoded::to_string(query).unwrap();
    let request = server.begin_for(&stage.clients[0], &[]).await.request();
    for path in [
        "/",
        "/settings/connections",
        &format!("/oauth/authorize?{query}"),
        &format!("/authorize/consent?request={}", encoded(&request)),
    ] {
        reader.open(path).await.is(200, "");
    }
}

async fn read_console(server: &Server, stage: &Stage) -> Reader {
    let mut reader = Reader::new(server.console().await, &server.base);
    reader.all(&format!("/console/conversations?company={}", stage.company.id)).await;
    for app in &stage.apps {
        let path = format!("/console/events?app={}", app.id);
        let page = reader.open(&path).await;
        let events =
            page.text.split("href=\"/console/events/").skip(1).map(|part| part.split('"').next().unwrap());
        for event in events {
            reader.open(&format!("/console/events/{event}")).await.is(200, "");
        }
    }
    reader
}

/// The downloads of all files of a conversation.
async fn check_downloads(server: &Server, stage: &mut Stage, conversation: &str, extension: &str) -> usize {
    let mut checked = 0;
    for message in stage.company.messages(conversation).await {
        for file in message["files"].as_array().into_iter().flatten() {
            let path = format!("/c/{conversation}/files/{}", text(file, "/id"));
            let link = stage.browser.get(&path).await;
            checked += 1;
            let mut at =
                link.header("location").unwrap_or_else(|| panic!("{path}: {}", link.text)).to_owned();
            loop {
                let to = at.strip_prefix(&server.base).unwrap_or(&at).to_owned();
                assert!(to.starts_with('/') && to.is_ascii() && !to.contains(['<', '"', '\'']), "{to}");
                let got = wire::request(&server.base, &format!("GET {to}"), &[], b"").await;
                if let Some(next) = got.header("location") {
                    at = next.to_owned();
                    continue;
                }
                check_download(&got, extension);
                break;
            }
        }
    }
    checked
}

/// Asserts that a file is saved, never shown, and that its name cannot add a header or a parameter (RFC 6266).
#[track_caller]
fn check_download(got: &wire::Wire, extension: &str) {
    assert_eq!(got.status, 200);
    let mut headers: Vec<_> = got.headers.iter().map(|(name, _)| name.as_str()).collect();
    headers.sort_unstable();
    let expected = [
        "accept-ranges",
        "cache-control",
        "connection",
        "content-disposition",
        "content-length",
        "content-security-policy",
        "content-type",
        "date",
        "referrer-policy",
        "x-content-type-options",
        "x-request-id",
    ];
    assert_eq!(headers, expected);
    assert_eq!(got.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(got.header("content-security-policy"), Some("sandbox; default-src 'none'"));
    let value = got.header("content-disposition").unwrap();
    let (quoted, rest) = value
        .strip_prefix("attachment; filename=\"")
        .and_then(|rest| rest.split_once('"'))
        .unwrap_or_else(|| panic!("{value}"));
    assert!(
        quoted.bytes().all(|byte| (b' '..=b'~').contains(&byte) && byte != b'\\' && byte != b'/'),
        "{value}"
    );
    let saved = match rest {
        "" => quoted.to_owned(),
        _ => {
            let encoded = rest.strip_prefix("; filename*=UTF-8''").unwrap_or_else(|| panic!("{value}"));
            let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$&+-.^_`|~%".contains(&byte);
            assert!(encoded.bytes().all(is_token), "{value}");
            let query = format!("x={}", encoded.replace('+', "%2B"));
            url::form_urlencoded::parse(query.as_bytes()).into_owned().next().unwrap().1
        }
    };
    // no folder, no control character, and nothing that shows another extension than the file has
    assert!(!saved.contains(['/', '\\']) && !saved.contains(char::is_control), "{value}");
    let turns = ['\u{202a}', '\u{202b}', '\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}'];
    assert!(!saved.contains(turns), "{value}");
    assert!(saved.ends_with(&format!(".{extension}")), "{value}");
}

#[both_engines]
async fn stored_texts_are_shown_as_text(server: Server) {
    let mut stage = Stage::new(&server).await;
    let person = json!({"name": "Many", "email": "many@example.com", "password": PASSWORD});
    stage.company.person_with(person).await;
    let many = server.signed_in("many@example.com", PASSWORD).await;
    let corpus = corpus();
    for (number, text) in corpus.iter().enumerate() {
        stage.by_the_admin_api(number, text).await;
        stage.by_the_bot_api(number, text).await;
        stage.by_an_assistant(&server, number, text).await;
        stage.by_forms(number, text).await;
        stage.company(number, text).await;
    }
    stage.planted.check(corpus.len());

    let mut reader = Reader::new(stage.browser.clone(), &server.base);
    read_pages(&server, &stage, &mut reader).await;
    let mut others = Reader::new(many, &server.base);
    read_pages_of_many(&server, &stage, &mut others).await;
    let console = read_console(&server, &stage).await;
    for (route, documents) in others.shown.into_iter().chain(console.shown) {
        reader.shown.entry(route).or_default().extend(documents);
    }
    let mut missing = Vec::new();
    for (route, source) in PAGES {
        let Source::Stored(kinds) = source else { continue };
        let documents = reader.shown.get(route).unwrap_or_else(|| panic!("{route} was not read"));
        for kind in *kinds {
            for text in &stage.planted.stored[kind] {
                let shown = if *kind == Kind::PressedValue { json!(text).to_string() } else { text.clone() };
                let shown = if *kind == Kind::PressedValue { &shown[1..shown.len() - 1] } else { &shown };
                if !documents.iter().any(|document| document.has(shown)) {
                    missing.push(format!("{route} does not show the {kind:?} {shown:?}"));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{} are missing:\n{}", missing.len(), missing.join("\n"));

    for (conversation, extension) in [(stage.group.clone(), "txt"), (stage.own.clone(), "html")] {
        let checked = check_downloads(&server, &mut stage, &conversation, extension).await;
        assert!(checked > corpus.len() / 2, "{checked}");
    }
}
