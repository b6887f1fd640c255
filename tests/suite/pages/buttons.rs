//! `POST /c/{conversation}/{message}/actions`: people press the buttons of apps. With
//! `POST /admin/v1/messages/{message}/interactions` the operator presses a button on behalf of a person.

use futures_util::future::join_all;
use serde_json::{Value, json};
use switchboard::store::Engine;

use super::colleague;
use crate::{
    store::tenants::assert_rows_have_the_company_of_their_parent,
    support::{browser::Page, *},
};

/// A browser in which a person is signed in. The person is a member of a group that has a bot's message with buttons.
struct ButtonsFixture {
    events: EventsFixture,
    browser: browser::Browser,
    person: String,
    group: String,
    message: String,
}

/// The part of the error message that gives the reasons why no app can receive a press. The message does not say which
/// of the reasons applies.
const NO_APP: &str = "is disconnected, left the conversation or has no callback URL";

fn buttons(action: &str) -> Value {
    json!([{"type": "actions", "items": [
        {"action_id": action, "text": "Approve", "value": "build-42"},
        {"action_id": "other", "text": "Other"},
    ]}])
}

impl ButtonsFixture {
    async fn new(events: EventsFixture) -> Self {
        let (person, browser) = colleague(&events.server, &events.company, json!({})).await;
        let group = events.company.group(&[&person, &events.bot.user_id]).await;
        let mut body = to_conversation(&group, "Release?");
        body["blocks"] = buttons("approve");
        body["metadata"] = json!({"build": 42});
        let message = text(&events.bot.send(&body).await, "/id");
        Self { events, browser, person, group, message }
    }

    fn path(&self) -> String {
        format!("/c/{}/{}/actions", self.group, self.message)
    }

    async fn press(&mut self, action: &str, nonce: &str) -> Page {
        let path = self.path();
        press_at(&mut self.browser, &path, action, nonce).await
    }

    fn assert_pressed(&self, page: &Page) {
        let to = format!("/c/{}/{}?done=pressed", self.group, self.message);
        assert_eq!(page.see_other(), to);
    }

    /// Returns the number of `interaction` events in the app's delivery log.
    async fn interactions(&self) -> usize {
        self.events.log().await.iter().filter(|entry| entry["type"] == "interaction").count()
    }
}

async fn press_at(browser: &mut browser::Browser, path: &str, action: &str, nonce: &str) -> Page {
    let csrf = browser.get("/drafts").await.csrf("/signout");
    browser.post(path, &[("csrf", &csrf), ("action_id", action), ("press", nonce)]).await
}

// the event has the button, its value, the person and the message (B-465, B-467, B-474)
#[both_engines]
async fn a_press_sends_the_event_to_the_app(events: EventsFixture) {
    let mut fixture = ButtonsFixture::new(events).await;
    // the first press submits the form of the conversation's page
    let page = fixture.browser.get(&format!("/c/{}", fixture.group)).await;
    page.shows(&format!("formaction=\"{}\" name=\"action_id\" value=\"approve\"", fixture.path()));
    let form = page.form(&format!("/c/{}", fixture.group));
    let mut fields: Vec<(&str, &str)> = form.hidden.iter().map(|(name, value)| (&**name, &**value)).collect();
    assert!(fields.iter().any(|(name, nonce)| *name == "press" && !nonce.is_empty()), "{fields:?}");
    fields.push(("action_id", "approve"));
    let path = fixture.path();
    let page = fixture.browser.post(&path, &fields).await;
    fixture.assert_pressed(&page);
    let permalink = page.see_other().to_owned();
    fixture.browser.get(&permalink).await.is(200, "Release?").shows("The app was notified");
    let page = fixture.press("other", "n2").await;
    fixture.assert_pressed(&page);
    // the receiver also gets events of other types
    let mut received = 2;
    let bodies = loop {
        let hits = fixture.events.receiver.wait_for(received).await;
        let mut bodies: Vec<Value> = hits.iter().map(ReceivedRequest::json).collect();
        bodies.retain(|body| body["type"] == "interaction");
        if bodies.len() == 2 {
            break bodies;
        }
        received = hits.len() + 1;
    };
    let person = fixture.events.bot.api.get(&format!("/v1/users/{}", fixture.person)).ok(200).await;
    let data = |action: &str, value: Value| {
        json!({
            "action_id": action,
            "value": value,
            "user": {"id": fixture.person, "email": person["user"]["email"]},
            "message": {"id": fixture.message, "conversation_id": fixture.group, "metadata": {"build": 42}},
        })
    };
    let of = |action: &str| bodies.iter().find(|body| body["data"]["action_id"] == action).expect("an event");
    assert_eq!(of("approve")["data"], data("approve", json!("build-42")));
    assert_eq!(of("other")["data"], data("other", Value::Null));
    assert_rows_have_the_company_of_their_parent(&fixture.events.server.database, "button_presses").await;
}

#[both_engines]
async fn a_press_that_is_sent_again_notifies_the_app_once(events: EventsFixture) {
    let mut fixture = ButtonsFixture::new(events).await;
    for _ in 0..3 {
        let page = fixture.press("approve", "same").await;
        fixture.assert_pressed(&page);
    }
    // the app removes the buttons in response to the first press
    let edit = json!({"text": "Approved.", "blocks": []});
    fixture.events.bot.editing(&fixture.message, &edit).ok(200).await;
    let page = fixture.press("approve", "same").await;
    fixture.assert_pressed(&page);
    assert_eq!(fixture.interactions().await, 1);
    fixture.press("other", "same").await.is(409, "used for another button");
    fixture
        .press("approve", "fresh")
        .await
        .is(409, "the button is no longer there")
        .is(409, "nothing was sent");
    for nonce in ["", &"n".repeat(201)] {
        fixture.press("approve", nonce).await.is(400, "is missing or longer than 200 bytes");
    }
    assert_eq!(fixture.interactions().await, 1, "a press that is sent again causes no further event (B-475)");
}

#[both_engines]
async fn a_press_that_the_server_fails_to_answer_can_be_sent_again(events: EventsFixture) {
    let mut fixture = ButtonsFixture::new(events).await;
    let database = &fixture.events.server.database;
    database.execute("ALTER TABLE button_presses RENAME TO button_presses_away").await;
    let path = fixture.path();
    let failed = fixture.press("approve", "same").await;
    failed.is(500, "Something went wrong").is(500, "Try again");
    let form = failed.form(&path);
    let sent: Vec<(&str, &str)> = form
        .hidden
        .iter()
        .map(|(name, value)| (&**name, &**value))
        .filter(|(name, _)| *name != "csrf")
        .collect();
    assert_eq!(
        sent,
        [("action_id", "approve"), ("press", "same")],
        "the form of the error page sends the same nonce"
    );
    let database = &fixture.events.server.database;
    database.execute("ALTER TABLE button_presses_away RENAME TO button_presses").await;
    for _ in 0..2 {
        let page = fixture.browser.submit_on(&failed, &path, &[]).await;
        fixture.assert_pressed(&page);
    }
    assert_eq!(fixture.interactions().await, 1);
    // the error page of a rejected press has no form that sends the press again
    let refused = fixture.press("unknown", "other").await;
    refused.is(409, "the button is no longer there");
    assert!(!refused.text.contains("name=\"press\""), "{}", refused.text);
}

#[both_engines]
async fn simultaneous_copies_of_a_press_notify_the_app_once(engine: Engine) -> Option<()> {
    let events = EventsFixture::on(engine).await?;
    let fixture = ButtonsFixture::new(events).await;
    // a server on SQLite has one node
    let second = if engine == Engine::Postgres {
        Some(fixture.events.server.another_node_with_same_clock().await)
    } else {
        None
    };
    let path = fixture.path();
    let csrf = fixture.browser.clone().get("/drafts").await.csrf("/signout");
    let presses = (0..20).map(|n| {
        let (mut browser, path, csrf) = (fixture.browser.clone(), path.clone(), csrf.clone());
        if let Some(second) = second.as_ref().filter(|_| n % 2 == 0) {
            let cookies = browser.cookies.clone();
            browser = second.browser();
            browser.cookies = cookies;
        }
        tokio::spawn(async move {
            browser.post(&path, &[("csrf", &csrf), ("action_id", "approve"), ("press", "same")]).await
        })
    });
    for page in join_all(presses).await {
        fixture.assert_pressed(&page.unwrap());
    }
    assert_eq!(
        fixture.interactions().await,
        1,
        "a press that is sent several times simultaneously causes one event (B-475)"
    );
    Some(())
}

#[both_engines]
async fn members_who_see_the_message_may_press(events: EventsFixture) {
    let mut fixture = ButtonsFixture::new(events).await;
    let path = fixture.path();
    // a person who is not a member
    let (id, mut outsider) = colleague(&fixture.events.server, &fixture.events.company, json!({})).await;
    press_at(&mut outsider, &path, "approve", "a").await.is(404, "Page not found");
    fixture.events.company.add(&fixture.group, &id).await;
    // the person is a member now, but does not see the message, which is older than the membership
    press_at(&mut outsider, &path, "approve", "a").await.is(404, "Message not found");
    // a person who is no longer a member
    fixture.events.company.remove(&fixture.group, &id).await;
    press_at(&mut outsider, &path, "approve", "a").await.is(404, "Page not found");
    let mut nobody = fixture.events.server.browser();
    let page = nobody.post(&path, &[("action_id", "approve"), ("press", "a")]).await;
    assert!(page.to().starts_with("/signin?next=%2Fc%2F"), "{}", page.to());
    // after sign-in, the browser requests the path in `next` with GET; the path of a press has only POST, so it is not
    // in `next`
    assert!(!page.to().contains("actions"), "{}", page.to());
    fixture
        .browser
        .post(&path, &[("action_id", "approve"), ("press", "a")])
        .await
        .is(403, "Please try again");
    // buttons cannot be pressed in an archived conversation, but they can in an announcement-only conversation
    fixture.events.company.archive(&fixture.group, true).await;
    fixture.press("approve", "b").await.is(409, "archived");
    assert_eq!(
        fixture.interactions().await,
        0,
        "only members who see the message may press, and nobody if the conversation is archived (B-475)"
    );
    fixture.events.company.archive(&fixture.group, false).await;
    fixture.events.company.update_conversation(&fixture.group, json!({"announcement_only": true})).await;
    let page = fixture.press("approve", "b").await;
    fixture.assert_pressed(&page);
    assert_eq!(
        fixture.interactions().await,
        1,
        "members may press buttons in announcement-only conversations (B-475)"
    );
}

#[both_engines]
async fn a_press_that_no_app_can_receive_is_rejected(events: EventsFixture) {
    let mut fixture = ButtonsFixture::new(events).await;
    fixture.press("unknown", "a").await.is(409, "the button is no longer there");
    // an app without a callback URL gets no events
    fixture.events.set_app(json!({"callback_url": null})).await;
    fixture.press("approve", "b").await.is(409, NO_APP);
    let url = fixture.events.receiver.url();
    fixture.events.set_app(json!({"callback_url": url})).await;
    fixture.events.company.remove(&fixture.group, &fixture.events.bot.user_id).await;
    fixture.press("approve", "c").await.is(409, NO_APP);
    fixture.events.company.add(&fixture.group, &fixture.events.bot.user_id).await;
    fixture.events.company.uninstall(&fixture.events.bot).await;
    fixture.press("approve", "d").await.is(409, NO_APP);
    fixture.events.company.erase(&fixture.message).await;
    fixture.press("approve", "e").await.is(404, "Message not found");
    assert_eq!(fixture.interactions().await, 0, "a press that no app can receive sends nothing (B-476)");
}

/// The operation of `switchboard msg click` (W-26) rejects a click that no app can receive, as the page does. It also
/// rejects a click in an archived conversation.
#[both_engines]
async fn the_operators_click_is_rejected_if_no_app_can_receive_it(events: EventsFixture) {
    let fixture = ButtonsFixture::new(events).await;
    let (events, company) = (&fixture.events, &fixture.events.company);
    let path = format!("/admin/v1/messages/{}/interactions", fixture.message);
    let body = json!({"user_id": fixture.person, "action_id": "approve"});
    let click = || company.operator.post(&path).json(&body);
    let refused = async |why: &str| {
        let answer = click().refused(409, "conflict").await;
        let message = text(&answer.json(), "/error/message");
        assert!(message.contains(why) && message.contains("nothing was sent"), "{message}");
    };
    events.set_app(json!({"callback_url": null})).await;
    refused(NO_APP).await;
    events.set_app(json!({"callback_url": events.receiver.url()})).await;
    company.remove(&fixture.group, &events.bot.user_id).await;
    refused(NO_APP).await;
    company.add(&fixture.group, &events.bot.user_id).await;
    company.archive(&fixture.group, true).await;
    refused("is archived").await;
    company.archive(&fixture.group, false).await;
    assert_eq!(fixture.interactions().await, 0, "a rejected click of the operator sends nothing (W-26)");
    click().ok(202).await;
    assert_eq!(fixture.interactions().await, 1);
    company.uninstall(&events.bot).await;
    refused(NO_APP).await;
}

#[both_engines]
async fn the_operator_clicks_only_for_members_who_see_the_message(events: EventsFixture) {
    let fixture = ButtonsFixture::new(events).await;
    let company = &fixture.events.company;
    let path = format!("/admin/v1/messages/{}/interactions", fixture.message);
    let refused = async |person: &str, why: &str| {
        let click = company.operator.post(&path).json(&json!({"user_id": person, "action_id": "approve"}));
        let answer = click.refused(409, "conflict").await;
        let message = text(&answer.json(), "/error/message");
        assert!(message.contains(why) && message.contains("nothing was sent"), "{message}");
    };
    let other = company.person().await;
    refused(&other, "is not a member").await;
    // a member who joined after the message was sent, and a former member
    company.add(&fixture.group, &other).await;
    refused(&other, "joined it after the message").await;
    company.remove(&fixture.group, &fixture.person).await;
    refused(&fixture.person, "is not a member").await;
    company.set_state(&other, "deactivated").await;
    refused(&other, "is not active").await;
    assert_eq!(
        fixture.interactions().await,
        0,
        "the operator clicks only for active members who see the message (W-26)"
    );
}

// no app is notified of a press by a guest whom members cannot see (B-462)
#[both_engines]
async fn no_app_learns_of_a_guest_hidden_from_members(events: EventsFixture) {
    let fixture = ButtonsFixture::new(events).await;
    let (company, server) = (&fixture.events.company, &fixture.events.server);
    let fields = json!({"is_external": true, "guest_visible": false});
    let (guest, mut browser) = colleague(server, company, fields).await;
    company.add(&fixture.group, &guest).await;
    let mut body = to_conversation(&fixture.group, "Again?");
    body["blocks"] = buttons("approve");
    let message = text(&fixture.events.bot.send(&body).await, "/id");
    let path = format!("/c/{}/{message}/actions", fixture.group);
    press_at(&mut browser, &path, "approve", "a").await.is(403, "cannot press buttons");
    assert_eq!(fixture.interactions().await, 0);
    company.update_user(&guest, json!({"guest_visible": true})).await;
    assert_eq!(press_at(&mut browser, &path, "approve", "a").await.wire.status, 303);
}
