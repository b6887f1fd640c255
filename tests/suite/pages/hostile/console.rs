//! The sandbox console shows hostile texts as text, never as markup. The texts are in the facts about the sandbox, in
//! recorded requests, in the fields of the console's forms, and in the responses of apps.

use serde_json::{Value, json};
use switchboard::pages::console::{Fact, FactGroup, SandboxFacts};

use super::{Reader, Test, corpus, encoded};
use crate::support::{EventsFixture, Server, both_engines, receiver::Treatment, text as text_at};

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
        recreate_command: Some("switchboard dev".into()),
    });
    let mut reader = Reader::new(server.console().await, &server.base);
    for path in
        ["/console/secrets", "/console/time", "/console/requests", "/console/events", "/console/verify"]
    {
        reader.open(path).await.is(200, "");
    }
    assert!(reader.shown["/console/secrets"][0].has(&hostile.replace('\0', "\u{fffd}")));
    let csrf = reader.browser.get("/console/requests").await.csrf("/console/requests");
    let csrf = ("csrf", csrf.as_str());
    for text in corpus() {
        let q = encoded(&text);
        // a request that has the text in its query, headers and body
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
            format!("/console?x={q}"),
            format!("/console/link/{q}"),
            format!("/console/requests?q={q}&show={q}&before={q}"),
            format!("/console/requests/{q}"),
            format!("/console/events?app={q}&before={q}"),
            format!("/console/events/{q}?app={q}"),
            format!("/console/verify?app={q}"),
            format!("/console/time?bot={q}"),
            format!("/console/conversations?company={q}"),
            format!("/console/conversations?sent={q}"),
            format!("/console/signin?link={q}"),
            format!("/console/secrets?done={q}"),
        ] {
            reader.open(&path).await;
        }
        let typed = text.replace('\0', "\u{fffd}");
        let path = format!("/console/conversations?company={}&to={q}&text={q}&buttons=on", company.id);
        reader.shows(&path, typed.trim()).await;
        // the server replaces CRLF, which browsers send for line breaks, with LF
        let quoted = json!(text.replace("\r\n", "\n")).to_string().replace('\'', r"'\''");
        reader.shows(&format!("/console/conversations/curl?to={q}&text={q}"), &quoted).await;
        let fields = [csrf, ("to", text.as_str()), ("text", &text)];
        let (answer, shown) = reader.post("/console/conversations/curl", &fields).await;
        // a form with NUL is rejected
        let is_rejected = text.contains('\0');
        assert_eq!(answer.wire.status, if is_rejected { 400 } else { 200 });
        assert!(is_rejected || shown.has(&quoted), "{text:?} is not in {shown:?}");

        let fields = [csrf, ("headers", text.as_str()), ("body", &text), ("secret", &text)];
        let (answer, shown) = reader.post("/console/verify", &fields).await;
        assert_eq!(answer.wire.status == 400, is_rejected, "{}", answer.text);
        assert!(is_rejected || shown.has(text.trim()), "{text:?} is not in {shown:?}");
        for (path, fields) in [
            ("/console/events".to_owned(), vec![("action", text.as_str()), ("count", &text), ("app", &text)]),
            (format!("/console/events/{q}"), vec![("app", text.as_str())]),
            ("/console/time".to_owned(), vec![("action", text.as_str()), ("seconds", &text)]),
            ("/console/conversations".to_owned(), vec![("action", text.as_str())]),
            (
                "/console/conversations".to_owned(),
                vec![("action", "send"), ("to", &text), ("text", &text), ("token", &text), ("key", &text)],
            ),
            ("/console/conversations".to_owned(), vec![("action", "switch"), ("user_id", &text)]),
            ("/console/signout".to_owned(), vec![("csrf", text.as_str())]),
        ] {
            let lacks_csrf = fields.iter().all(|(name, _)| *name != "csrf");
            let fields: Vec<_> = fields.into_iter().chain(lacks_csrf.then_some(csrf)).collect();
            let (answer, _) = reader.post(&path, &fields).await;
            let is_redirect = answer.wire.status == 302 && path.ends_with("/conversations");
            assert!(is_redirect || (400..500).contains(&answer.wire.status), "{path}: {}", answer.text);
            if let Some(to) = answer.header("location").map(str::to_owned) {
                reader.open(&to).await.is(200, "Refused.");
            }
        }
        let mut stranger = Reader::new(server.browser(), &server.base);
        let page = stranger.open("/console/signin").await;
        stranger.submit_on(&page, "/console/signin", &[("key", &text)]).await;
        reader.posted.append(&mut stranger.posted);
    }
    reader.all("/console/requests").await;
    reader.post("/console/requests", &[csrf]).await;
    reader.assert_covers(Test::Console);
}

#[both_engines]
async fn responses_of_apps_are_shown_as_text(fixture: EventsFixture) {
    let mut reader = Reader::new(fixture.server.console().await, &fixture.server.base);
    for text in corpus() {
        fixture.receiver.always(Treatment::Answer(500, text.clone().into_bytes()));
        let event = fixture.event().await;
        fixture.server.settle().await;
        let log = fixture.log().await;
        let entry = log.iter().find(|entry| entry["event_id"] == event.as_str() && entry["status"] == 500);
        let entry: &Value = entry.expect("the attempt is in the log");
        let kept = text_at(entry, "/answer");
        assert_eq!(kept, text.replace('\0', "\u{fffd}"), "the log has the response of the app");
        reader.shows(&format!("/console/events/{event}?app={}", fixture.bot.app.id), &kept).await;
        reader.open(&format!("/console/events?app={}", fixture.bot.app.id)).await;
    }
}
