//! What pages show of their address, of a form that was refused, and of the name of the person and the company.

use serde_json::json;
use switchboard::pages::console::{Fact, FactGroup, SandboxFacts};

use super::{Document, Kind, Reader, corpus, encoded, marked};
use crate::{pages::Office, support::Server};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn texts_of_an_address_are_shown_as_text() {
    let server = Server::sqlite().await;
    let office = Office::new(&server).await;
    let group = office.company.group(&[&office.admin_id]).await;
    let mut reader = Reader::new(office.admin.clone(), &server.base);
    for text in corpus() {
        let q = encoded(&text);
        // U+0000 is rejected, and the page says so
        let echo = if text.contains('\0') { "" } else { text.trim() };
        for path in [
            format!("/conversations?q={q}"),
            format!("/people?q={q}"),
            format!("/search?q={q}"),
            format!("/admin/people?query={q}"),
            format!("/admin/activity?person={q}"),
        ] {
            reader.shows(&path, echo).await;
        }
        for path in [
            format!("/conversations?show={q}&cursor={q}"),
            format!("/conversations/new?kind={q}&name={q}"),
            format!("/people?cursor={q}"),
            format!("/people/{q}"),
            format!("/search?q=x&in={q}&from={q}&since={q}&cursor={q}"),
            format!("/settings/activity?client_id={q}&tool={q}&since={q}&cursor={q}&workspace_id={q}"),
            format!("/settings/activity?since={q}"),
            format!("/settings/activity?client_id={q}"),
            format!("/settings/connections?workspace_id={q}&done={q}"),
            format!("/settings/privacy?done={q}"),
            format!("/admin/activity?client_id={q}&tool={q}&since={q}"),
            format!("/admin/people?workspace_id={q}"),
            format!("/admin/assistants?cursor={q}&done={q}"),
            format!("/admin/apps?done={q}"),
            format!("/drafts?cursor={q}"),
            format!("/drafts/{q}"),
            format!("/c/{q}"),
            format!("/c/{group}?before={q}"),
            format!("/c/{group}?after={q}"),
            format!("/c/{group}/{q}"),
            format!("/c/{group}/files/{q}"),
            format!("/c/{group}/live?after={q}"),
            format!("/authorize?client_id={q}&state={q}&error={q}&error_description={q}"),
            format!("/authorize/consent?request={q}"),
            format!("/oauth/authorize?client_id={q}&redirect_uri={q}&state={q}&error={q}"),
        ] {
            if path.contains("/live") {
                continue;
            }
            let page = reader.open(&path).await;
            assert!(page.wire.status < 500, "{path}: {}", page.text);
            if let Some(to) = page.header("location") {
                assert!(to.starts_with('/') && !to.starts_with("//"), "{path} leads to {to}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sign_in_leads_to_this_site_only() {
    let server = Server::sqlite().await;
    let mut reader = Reader::new(server.browser(), &server.base);
    for text in corpus() {
        for next in [text.clone(), format!("/{text}"), format!("/search?q={text}#{text}")] {
            let path = format!("/signin?next={}", encoded(&next));
            let page = reader.open(&path).await;
            let form = page.form("/signin");
            let (_, kept) = form.hidden.iter().find(|(name, _)| name == "next").expect("where sign-in leads");
            let to = url::Url::parse(&server.base).unwrap().join(kept).unwrap();
            assert_eq!(
                to.origin(),
                url::Url::parse(&server.base).unwrap().origin(),
                "{next:?} leads to {to}"
            );
        }
        let fields = [("email", text.as_str()), ("password", text.as_str())];
        let page = reader.browser.submit("/signin", &fields).await;
        assert!([400, 422].contains(&page.wire.status), "{}", page.text);
        let document = reader.keep("/signin", &page);
        assert!(text.contains('\0') || document.has(text.trim()), "{text:?} is not in {document:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forms_that_are_refused_show_what_was_typed_as_text() {
    let server = Server::sqlite().await;
    let mut office = Office::new(&server).await;
    let group = office.company.group(&[&office.admin_id]).await;
    let message = office.company.post(&group, &office.admin_id, "mine").await;
    let mut reader = Reader::new(office.admin.clone(), &server.base);
    let (conversation, path) = (format!("/c/{group}"), format!("/c/{group}/{message}"));
    for text in corpus() {
        let typed = if text.contains('\0') { "" } else { text.trim() };
        let long = format!("{text}{}", "x".repeat(4_000));
        let page = office.admin.get(&path).await;
        for action in [format!("{conversation}/messages"), format!("{path}/edit")] {
            let refused = office.admin.submit_on(&page, &action, &[("text", &long)]).await;
            assert!([400, 422].contains(&refused.wire.status), "{}", refused.text);
            let shown = reader.keep(&path, &refused);
            assert!(shown.has(typed), "{action}: {text:?} is not in {shown:?}");
        }
        let fields = [("name", text.as_str()), ("topic", &text), ("find", &text), ("decision", "find")];
        let found = office.admin.submit("/conversations/new", &fields).await;
        let shown = reader.keep("/conversations/new", &found);
        assert!(shown.has(typed), "{text:?} is not in {shown:?}");
        let fields = [("max_session_hours", text.as_str()), ("action", "save")];
        let refused = office.admin.submit("/admin/assistants", &fields).await;
        assert!(refused.wire.status >= 400, "{}", refused.text);
        reader.keep("/admin/assistants", &refused);
        // forms without their token, and with values that no page has
        for (path, fields) in [
            ("/dm", vec![("user_id", text.as_str())]),
            ("/company", vec![("workspace_id", &text)]),
            ("/signout", vec![("next", &text)]),
            ("/settings/privacy", vec![("app_id", &text), ("blocked", &text)]),
            (
                "/admin/people",
                vec![("user_id", &text), ("state", &text), ("query", &text), ("cursor", &text)],
            ),
        ] {
            let answer = office.admin.post(path, &fields).await;
            assert!((400..500).contains(&answer.wire.status), "{path}: {}", answer.text);
            Document::read(path, &server.base, &answer.text);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_of_the_person_and_the_company_are_shown_as_text() {
    let server = Server::sqlite().await;
    let office = Office::new(&server).await;
    let app = server.app(&["users:read"]).await;
    let client = server.client().await;
    let mut reader = Reader::new(office.admin.clone(), &server.base);
    reader.browser.cookies.extend(server.known_browser().cookies);
    let query = [("client_id", app.client_id.as_str()), ("redirect_uri", "https://app.example/callback")];
    let install = format!("/oauth/authorize?{}", serde_urlencoded::to_string(query).unwrap());
    for text in corpus().iter().filter(|text| !text.contains('\0')) {
        let (name, company) = (marked(Kind::Person, 0, text, 200), marked(Kind::Company, 0, text, 200));
        office.company.update_user(&office.admin_id, json!({"name": name, "title": text})).await;
        let path = office.company.path("");
        office.company.operator.patch(&path).json(&json!({"name": company})).ok(200).await;
        let request = server.begin_for(&client, &[]).await.request();
        let consent = format!("/authorize/consent?request={}", encoded(&request));
        for path in ["/start", "/settings/privacy", "/admin/people", &install, &consent] {
            reader.shows(path, &name).await;
        }
        for path in ["/start", "/settings/connections", "/admin/assistants", &install, &consent] {
            reader.shows(path, &company).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_console_shows_requests_and_forms_as_text() {
    let server = Server::sqlite().await;
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let hostile = corpus().concat();
    let fact = |name: &str| Fact { name: name.into(), value: hostile.clone(), note: hostile.clone() };
    server.running().show_in_console(SandboxFacts {
        groups: vec![FactGroup { title: "To begin".into(), facts: vec![fact("Bot token")] }],
        bot_token: Some(bot.token.clone()),
        app: Some(bot.app.id.clone()),
        company: Some(company.id.clone()),
        first_person: None,
        start_over: Some("switchboard dev".into()),
    });
    let mut reader = Reader::new(server.console().await, &server.base);
    for path in
        ["/console/secrets", "/console/time", "/console/requests", "/console/events", "/console/verify"]
    {
        reader.open(path).await.is(200, "");
    }
    assert!(reader.shown["/console/secrets"][0].has(&hostile.replace('\0', "\u{fffd}")));
    for text in corpus() {
        let q = encoded(&text);
        // a request with the text everywhere
        let body = json!({"to": {"type": "user", "id": text}, "text": text});
        let ascii: String = text.chars().filter(|c| (' '..='~').contains(c)).collect();
        let call = bot.api.post(&format!("/v1/messages?x={q}")).key("k").header("user-agent", &ascii);
        let answer = call.header("x-hostile", text.replace(char::is_control, " ")).json(&body).send().await;
        let id = answer.header("x-request-id").unwrap().to_owned();
        let page = reader.open(&format!("/console/requests/{id}")).await;
        page.is(200, "x-hostile");
        let shown = reader.shown["/console/requests/{request}"].last().unwrap();
        assert!(shown.has(ascii.trim()), "{ascii:?} is not in {shown:?}");
        let sent = body["text"].to_string();
        assert!(shown.has(&sent), "{sent} is not in {shown:?}");

        for path in [
            format!("/console/requests?q={q}&show={q}&before={q}"),
            format!("/console/requests/{q}"),
            format!("/console/events?app={q}&before={q}"),
            format!("/console/events/{q}?app={q}"),
            format!("/console/verify?app={q}"),
            format!("/console/time?bot={q}"),
            format!("/console/conversations?company={q}"),
            format!("/console/signin?link={q}"),
            format!("/console/secrets?done={q}"),
        ] {
            let page = reader.open(&path).await;
            assert!(page.wire.status < 500, "{path}: {}", page.text);
        }
        let path = format!("/console/conversations?company={}&to={q}&text={q}&buttons=on", company.id);
        reader.shows(&path, text.replace('\0', "\u{fffd}").trim()).await;
        let curl = reader.browser.get(&format!("/console/conversations/curl?to={q}&text={q}")).await;
        assert_eq!(curl.header("content-type"), Some("text/plain; charset=utf-8"), "{}", curl.text);

        let fields = [("headers", text.as_str()), ("body", &text), ("secret", &text)];
        let verified = reader.browser.submit("/console/verify", &fields).await;
        let shown = reader.keep("/console/verify", &verified);
        assert!(text.contains('\0') || shown.has(text.trim()), "{text:?} is not in {shown:?}");
        let refused = reader.browser.submit("/console/events", &[("action", &text), ("count", &text)]).await;
        reader.keep("/console/events", &refused);
        let refused = reader.browser.submit("/console/time", &[("action", &text), ("seconds", &text)]).await;
        reader.keep("/console/time", &refused);
        let refused = server.browser().submit("/console/signin", &[("key", &text)]).await;
        reader.keep("/console/signin", &refused);
    }
    reader.all("/console/requests").await;
}
