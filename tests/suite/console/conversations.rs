//! The console's page *Conversations*, which sends as a bot and signs in as a person. Also the console's page of ids
//! and secrets.

use serde_json::json;
use switchboard::app::{Fact, FactGroup, SandboxFacts};

use crate::support::{
    assistant::PASSWORD,
    browser::{Page, unescape},
    *,
};

const PATH: &str = "/console/conversations";

fn facts(company: &str, app: &str, token: &str) -> SandboxFacts {
    let fact = Fact { name: "Bot token".into(), value: token.into(), note: "<for> sending".into() };
    SandboxFacts {
        groups: vec![FactGroup { title: "To begin".into(), facts: vec![fact] }],
        bot_token: Some(token.into()),
        app: Some(app.into()),
        company: Some(company.into()),
        first_person: None,
        recreate_command: Some("switchboard dev --fresh --dir 'my dir'".into()),
    }
}

#[both_engines]
async fn the_form_sends_the_request_of_its_curl_line(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let person = company.person().await;
    server.running().show_in_console(facts(&company.id, &bot.app.id, &bot.token));
    let mut console = server.console().await;
    let page = console.get(&format!("{PATH}?to={person}")).await;
    let curl = unescape(
        page.text.split("data-form=\"send-form\">").nth(1).unwrap().split("</code>").next().unwrap(),
    );
    assert!(curl.starts_with(&format!("curl -X POST {}/v1/messages", server.base)), "{curl}");
    assert!(curl.contains(&format!("'Authorization: Bearer {}'", bot.token)), "{curl}");
    assert!(curl.contains(&format!("\"id\":\"{person}\"")), "{curl}");

    let fields =
        [("action", "send"), ("to", person.as_str()), ("text", "It's <b>here</b>"), ("buttons", "on")];
    let sent = console.submit_on(&page, PATH, &fields).await;
    let answer = console.get(sent.to()).await;
    answer.shows("Sent.").shows(">201<");
    let dm = company.direct_conversations().await.remove(0);
    let messages = company.messages(&dm).await;
    assert_eq!((text(&messages[0], "/text"), messages.len()), ("It's <b>here</b>".to_owned(), 1));
    assert_eq!(messages[0]["blocks"][0]["items"][0]["action_id"], "approve");
    // the console records the form's request like any other request; submitting the form again is a replay
    let request = sent.to().split("sent=").nth(1).unwrap().to_owned();
    console.get(&format!("/console/requests/{request}")).await.shows("createMessage").hides(&bot.token);
    console.submit_on(&page, PATH, &fields).await;
    assert_eq!(
        company.messages(&dm).await.len(),
        1,
        "a second submission of the form sends no second message"
    );
    // groups and channels are destinations, too; `key` replaces the form's idempotency key
    let group = company.group(&[&person, &bot.user_id]).await;
    let channel = company.channel(&group, &[&person, &bot.user_id]).await;
    for to in [&group, &channel] {
        let fields = [("action", "send"), ("to", to.as_str()), ("text", "to all"), ("key", to)];
        let sent = console.submit_on(&page, PATH, &fields).await;
        console.get(sent.to()).await.shows("Sent.").shows(">201<");
        assert_eq!(text(&company.messages(to).await[0], "/text"), "to all");
    }
    // the page shows why a send was refused
    let fields = [("action", "send"), ("to", "usr_0000000000001"), ("text", "x"), ("key", "other")];
    let refused = console.submit_on(&page, PATH, &fields).await;
    console.get(refused.to()).await.shows("Refused.").shows("user_not_found");
    console.submit_on(&page, PATH, &[("action", "x")]).await.is(400, "Choose what to do");
    // the curl line has the values of the form
    let line = console.get(&format!("{PATH}/curl?to={person}&text=it%27s&key=k1&buttons=on")).await;
    line.shows("it'\\''s").shows("Idempotency-Key: k1").shows("action_id");
    // a token in the query string is ignored
    for path in [PATH.to_owned(), format!("{PATH}/curl")] {
        console.get(&format!("{path}?token=svc_bot_test_typed")).await.ok().hides("svc_bot_test_typed");
    }
}

#[both_engines]
async fn the_form_sends_as_another_bot_by_its_token(server: Server) {
    let company = server.company().await;
    let (own, other) = (company.bot(&server).await, company.bot(&server).await);
    let person = company.person().await;
    server.running().show_in_console(facts(&company.id, &own.app.id, &own.token));
    company.uninstall(&own).await;
    let mut console = server.console().await;
    let page = console.get(&format!("{PATH}?to={person}")).await;
    page.shows("name=\"token\"");
    let mut fields = vec![("action", "send"), ("to", person.as_str()), ("text", "x"), ("key", "k1")];
    let refused = console.submit_on(&page, PATH, &fields).await;
    console.get(refused.to()).await.shows("Refused.").shows("token_revoked");
    fields.push(("token", other.token.as_str()));
    let sent = console.submit_on(&page, PATH, &fields).await;
    console.get(sent.to()).await.shows("Sent.").hides(&other.token);
    let dm = company.direct_conversations().await.remove(0);
    assert_eq!(company.messages(&dm).await[0]["user_id"], other.user_id.as_str());
}

/// The form and its `curl` line have the same idempotency key, so both must send the same request.
#[both_engines]
async fn the_form_and_its_curl_line_send_the_same_text(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let person = company.person().await;
    server.running().show_in_console(facts(&company.id, &bot.app.id, &bot.token));
    let mut console = server.console().await;
    let page = console.get(&format!("{PATH}?to={person}")).await;
    // the text begins and ends with white space, has line breaks, and is too long for a URL
    let text = format!("\n  two\nlines {} ", "я".repeat(3_900));
    let typed = text.replace('\n', "\r\n");
    let fields = |text| [("action", "send"), ("to", person.as_str()), ("text", text), ("key", "console-1")];
    let sent = console.submit_on(&page, PATH, &fields(&typed)).await;
    let answer = console.get(sent.to()).await;
    answer.shows("Sent.").shows(">201<").shows(&format!("\n{text}</textarea>"));
    let dm = company.direct_conversations().await.remove(0);
    let messages = company.messages(&dm).await;
    assert_eq!((self::text(&messages[0], "/text"), messages.len()), (text.clone(), 1));
    // for a line break of the text, the page's script sends LF and the form sends CRLF
    let csrf = page.csrf(PATH);
    let mut fields = fields(&text).to_vec();
    fields.push(("csrf", &csrf));
    let line = console.post(&format!("{PATH}/curl"), &fields).await;
    line.shows("Idempotency-Key: console-1");
    let (_, body) = line.text.split_once(" -d '").expect("a body");
    let body: serde_json::Value = serde_json::from_str(body.strip_suffix('\'').unwrap()).unwrap();
    let again = bot.api.post("/v1/messages").header("idempotency-key", "console-1").json(&body).ok(201).await;
    assert_eq!(self::text(&again, "/message/id"), self::text(&messages[0], "/id"), "the request is a replay");
    console.post(&format!("{PATH}/curl"), &[("text", "x")]).await.is(403, "Please try again");
}

#[both_engines]
async fn without_a_chosen_destination_the_form_and_its_curl_line_have_the_same_default(server: Server) {
    let (company, other) = (server.company().await, server.company().await);
    let bot = company.bot(&server).await;
    let person = company.person().await;
    other.person().await;
    let known = facts(&company.id, &bot.app.id, &bot.token);
    server.running().show_in_console(SandboxFacts { first_person: Some(person.clone()), ..known });
    let mut console = server.console().await;
    let curl_names = |page: &Page, id: &str| {
        unescape(&page.text).contains(&format!("\"to\":{{\"type\":\"user\",\"id\":\"{id}\"}}"))
    };
    let own = console.get(PATH).await;
    own.shows(&format!("value=\"{person}\" selected"));
    assert!(curl_names(&own, &person), "the curl line names the default recipient: {}", own.text);
    // for another company, the page does not offer the default recipient, even if the URL names this person
    for query in [String::new(), format!("&to={person}")] {
        let page = console.get(&format!("{PATH}?company={}{query}", other.id)).await;
        page.hides(&person);
        let (_, options) = page.text.split_once("<select id=\"to\"").expect("the destinations");
        let (before, _) = options.split_once("\" selected>").expect("a chosen destination");
        let (_, chosen) = before.rsplit_once("value=\"").expect("an id");
        assert!(curl_names(&page, chosen), "the curl line names the selected destination: {}", page.text);
    }
    let fields = [("action", "send"), ("text", "to nobody")];
    console.submit_on(&own, PATH, &fields).await.is(400, "choose a person or a conversation");
    assert!(company.direct_conversations().await.is_empty(), "nothing is sent without a destination");
}

#[both_engines]
async fn one_click_signs_in_as_a_person(server: Server) {
    let company = server.company().await;
    let (id, _) = crate::pages::colleague(&server, &company, json!({"name": "Wanda Web"})).await;
    let (former, mut former_browser) =
        crate::pages::colleague(&server, &company, json!({"name": "Former Guy"})).await;
    company.set_state(&former, "deactivated").await;
    assert_eq!(former_browser.get("/settings/privacy").await.to(), "/signin?next=%2Fsettings%2Fprivacy");
    let bot = company.bot(&server).await;
    let mut console = server.console().await;
    let page = console.get(&format!("{PATH}?company={}", company.id)).await;
    page.shows("Wanda Web").shows("Open as Wanda Web").shows("Former Guy").hides("Open as Former Guy");
    let switched = console.submit_on(&page, PATH, &[("action", "switch"), ("user_id", &id)]).await;
    assert_eq!(switched.to(), "/");
    assert!(console.session().is_some_and(|session| session.starts_with("svc_ses_")));
    console.get("/settings/privacy").await.shows("Wanda Web");
    console.get("/console/requests").await.shows("Requests");
    let switch = async |id: &str| {
        let mut console = console.clone();
        console.submit_on(&page, PATH, &[("action", "switch"), ("user_id", id)]).await
    };
    switch(&former).await.is(409, "deactivated or removed");
    switch(&bot.user_id).await.is(404, "Page not found");
    switch("usr_x").await.is(404, "Page not found");
}

#[both_engines]
async fn one_click_opens_the_company_of_the_person(server: Server) {
    let (one, two) = (server.company().await, server.company().await);
    let email = "several@console.example";
    one.person_with(json!({"email": email, "password": PASSWORD})).await;
    let second = two.person_with(json!({"email": email})).await;
    let group = two.group(&[&second]).await;
    let mut console = server.console().await;
    let page = console.get(&format!("{PATH}?company={}", two.id)).await;
    console.submit_on(&page, PATH, &[("action", "switch"), ("user_id", &second)]).await.to();
    console.get("/conversations").await.shows(&group);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_are_shown_only_if_they_were_passed_to_the_console() {
    let server = Server::sqlite().await;
    let mut console = server.console().await;
    console.get("/console/secrets").await.shows("No secrets to show");
    server.running().show_in_console(facts("cmp_x", "app_x", "svc_bot_test_shown"));
    let page = console.get("/console/secrets").await;
    page.shows("svc_bot_test_shown").shows("&#60;for&#62; sending").shows("data-copy=\"value-1-1\"");
    assert!(unescape(&page.text).contains("switchboard dev --fresh --dir 'my dir'"));
}
