//! The changes that cause events, the installations that get them, and the content of events (B-063, B-442 … B-467,
//! B-474, D-164 … D-166, D-173 … D-182, D-189).

use serde_json::{Value, json};
use switchboard::store::Engine;

use crate::support::*;

/// Reads the events that the receiver got since the previous read.
struct EventReader<'a> {
    fixture: &'a EventsFixture,
    seen: usize,
}

impl<'a> EventReader<'a> {
    fn of(fixture: &'a EventsFixture) -> Self {
        Self { fixture, seen: 0 }
    }

    async fn events(&mut self) -> Vec<Value> {
        self.fixture.server.settle().await;
        let hits = self.fixture.receiver.hits();
        let mut new: Vec<Value> = hits[self.seen..].iter().map(ReceivedRequest::json).collect();
        self.seen = hits.len();
        // up to four attempts are open at the same time, so events may arrive in any order
        new.sort_by_key(|event| text(event, "/id"));
        new
    }

    /// Asserts that all new events are changes of the company's directory, and returns each as `kind id`.
    async fn kinds(&mut self) -> Vec<String> {
        let company = &self.fixture.company.id;
        let reported = |event: Value| {
            assert_eq!(
                event["type"], "directory.changed",
                "the event reports a change of the directory: {event}"
            );
            assert_eq!(event["workspace_id"], company.as_str(), "the event belongs to the company: {event}");
            assert_eq!(
                event["data"].as_object().unwrap().len(),
                2,
                "`data` has kind and id only (B-446): {event}"
            );
            format!("{} {}", text(&event, "/data/kind"), text(&event, "/data/id"))
        };
        self.events().await.into_iter().map(reported).collect()
    }

    async fn expect_nothing(&mut self) {
        assert_eq!(self.events().await, Vec::<Value>::new());
    }
}

#[both_engines]
async fn changes_of_people_cause_events(fixture: EventsFixture) {
    let (company, api) = (&fixture.company, &fixture.bot.api);
    let mut reader = EventReader::of(&fixture);
    // B-442, D-164: the installation itself causes no event
    reader.expect_nothing().await;
    let ada = company.person_with(json!({"name": "Ada", "email": "ada@example.com"})).await;
    // a new person (B-447)
    assert_eq!(reader.kinds().await, [format!("user.created {ada}")]);
    let read = async || api.get(&format!("/v1/users/{ada}")).ok(200).await["user"].clone();
    for (change, pointer) in [
        // the name (B-448)
        (json!({"name": "Ada L."}), "/name"),
        // the e-mail address (B-449)
        (json!({"email": "ada.l@example.com"}), "/email"),
        // the title (B-450)
        (json!({"title": "Countess"}), "/title"),
    ] {
        company.update_user(&ada, change.clone()).await;
        assert_eq!(reader.kinds().await, [format!("user.updated {ada}")], "{change} causes one event");
        // B-461: reading the object again returns the changed state
        assert_eq!(read().await.pointer(pointer), change.pointer(pointer));
    }
    // B-451, D-173: a change of other properties causes no event, nor does a change without effect
    for silent in [
        json!({"timezone": "Europe/London"}),
        json!({"avatar_url": "https://example.com/ada.png"}),
        json!({"display_name": "ada"}),
        json!({"is_admin": true}),
        json!({"name": "Ada L."}),
    ] {
        company.update_user(&ada, silent).await;
        reader.expect_nothing().await;
    }
    company.set_state(&ada, "deactivated").await;
    // a deactivation (B-452)
    assert_eq!(reader.kinds().await, [format!("user.deactivated {ada}")]);
    // reading the object again returns its changed state (B-461)
    assert_eq!(read().await["is_active"], false);
    company.set_state(&ada, "active").await;
    // a reactivation (D-175)
    assert_eq!(reader.kinds().await, [format!("user.updated {ada}")]);
    assert_eq!(read().await["is_active"], true);
    company.set_state(&ada, "removed").await;
    // a removal (B-453)
    assert_eq!(reader.kinds().await, [format!("user.deactivated {ada}")]);
    // a person who is added while onboarding causes `user.created` at once, and no event when becoming active (B-464,
    // D-165)
    let bob = company.person_with(json!({"state": "onboarding"})).await;
    assert_eq!(reader.kinds().await, [format!("user.created {bob}")]);
    company.set_state(&bob, "active").await;
    reader.expect_nothing().await;
}

#[both_engines]
async fn hidden_guests_and_other_companies_cause_no_events(fixture: EventsFixture) {
    let company = &fixture.company;
    let mut reader = EventReader::of(&fixture);
    // no event is about a guest whom members cannot see (B-462)
    let guest = company.guest(false).await;
    company.update_user(&guest, json!({"name": "Unseen"})).await;
    company.set_state(&guest, "deactivated").await;
    company.set_state(&guest, "active").await;
    let others = fixture.server.company().await;
    let stranger = others.person().await;
    others.update_user(&stranger, json!({"name": "Other"})).await;
    others.group(&[&stranger]).await;
    reader.expect_nothing().await;
    // a guest who becomes visible counts as created, and a guest who becomes hidden as deactivated (D-176)
    company.update_user(&guest, json!({"guest_visible": true})).await;
    assert_eq!(reader.kinds().await, [format!("user.created {guest}")]);
    company.update_user(&guest, json!({"guest_visible": false})).await;
    assert_eq!(reader.kinds().await, [format!("user.deactivated {guest}")]);
}

#[both_engines]
async fn changes_of_conversations_cause_events(fixture: EventsFixture) {
    let (company, api) = (&fixture.company, &fixture.bot.api);
    let bot = &fixture.bot.user_id;
    let person = company.person().await;
    let mut reader = EventReader::of(&fixture);
    reader.kinds().await;
    let without = company.group(&[&person]).await;
    company.update_conversation(&without, json!({"name": "not yours"})).await;
    // no event is about a conversation that the bot is not in (B-460)
    reader.expect_nothing().await;
    let group = company.group(&[&person, bot]).await;
    // the bot is added (B-454)
    assert_eq!(reader.kinds().await, [format!("conversation.created {group}")]);
    company.add(&without, bot).await;
    // the bot is added to another conversation (B-454)
    assert_eq!(reader.kinds().await, [format!("conversation.created {without}")]);
    let channel = company.channel(&group, &[bot]).await;
    assert_eq!(reader.kinds().await, [format!("conversation.created {channel}")]);
    // a renamed conversation (B-455), whose new name the bot reads (B-461)
    company.update_conversation(&channel, json!({"name": "renamed"})).await;
    assert_eq!(reader.kinds().await, [format!("conversation.renamed {channel}")]);
    let read = api.get(&format!("/v1/conversations/{channel}")).ok(200).await;
    assert_eq!(read["conversation"]["name"], "renamed");
    // a change of the topic or of the type causes no event (D-180)
    company.update_conversation(&group, json!({"topic": "new"})).await;
    company.update_conversation(&group, json!({"type": "private_channel"})).await;
    reader.expect_nothing().await;
    // archiving a group causes one event with the group's id, and no event for its channel (B-456, D-177); unarchiving
    // the group causes no event (D-178)
    company.update_conversation(&group, json!({"is_archived": true})).await;
    assert_eq!(reader.kinds().await, [format!("conversation.archived {group}")]);
    assert!(group.starts_with("grp_"));
    let read = api.get(&format!("/v1/conversations/{group}")).ok(200).await;
    assert_eq!(read["conversation"]["is_archived"], true);
    company.update_conversation(&group, json!({"is_archived": false})).await;
    reader.expect_nothing().await;
    // the bot is removed (B-458)
    company.remove(&without, bot).await;
    assert_eq!(reader.kinds().await, [format!("app.removed_from_conversation {without}")]);
    // a bot that was removed may no longer read the conversation (B-461)
    api.get(&format!("/v1/conversations/{without}")).refused(403, "not_in_conversation").await;
    // B-460: the conversation causes no further events for the bot
    company.update_conversation(&without, json!({"name": "unseen"})).await;
    company.delete_conversation(&without).await;
    reader.expect_nothing().await;
    // B-457, D-179: the deletion of a group causes one event for the group, and one for each of its channels that the
    // bot was in
    company.delete_conversation(&group).await;
    let mut deleted = reader.kinds().await;
    deleted.sort();
    let mut expected = [format!("conversation.deleted {channel}"), format!("conversation.deleted {group}")];
    expected.sort();
    assert_eq!(deleted, expected);
    // a deleted conversation is not found (B-461)
    api.get(&format!("/v1/conversations/{group}")).refused(404, "conversation_not_found").await;
}

#[both_engines]
async fn announcement_only_conversations_cause_no_events(fixture: EventsFixture) {
    // no event is about an announcement-only conversation (B-463, D-166)
    let (company, bot) = (&fixture.company, &fixture.bot.user_id);
    let mut reader = EventReader::of(&fixture);
    let group = company.group(&[bot]).await;
    reader.kinds().await;
    let quiet = json!({
        "kind": "channel", "parent_id": group, "name": "news", "announcement_only": true, "member_ids": [bot],
    });
    let channel = company.conversation(quiet).await;
    company.update_conversation(&channel, json!({"name": "more news"})).await;
    company.remove(&channel, bot).await;
    company.add(&channel, bot).await;
    company.delete_conversation(&channel).await;
    reader.expect_nothing().await;
    // D-180: changing a conversation to announcement-only causes no event either
    company.update_conversation(&group, json!({"announcement_only": true})).await;
    reader.expect_nothing().await;
}

#[both_engines]
async fn a_disconnect_is_reported_unless_the_app_caused_it(fixture: EventsFixture) {
    let company = &fixture.company;
    let mut reader = EventReader::of(&fixture);
    company.uninstall(&fixture.bot).await;
    let reported = reader.events().await;
    assert_eq!(reported.len(), 1);
    assert_eq!(reported[0]["type"], "app.uninstalled");
    // `data` has the admin and the reason (B-443)
    assert_eq!(reported[0]["data"], json!({"removed_by": {"id": company.admin}, "reason": "admin"}));
    // a disconnected installation gets no further events
    company.person().await;
    company.group(&[&fixture.bot.user_id]).await;
    reader.expect_nothing().await;
    // B-442: a re-installation causes no event
    let again = company.install(&fixture.bot.app, &ALL_SCOPES).await;
    reader.expect_nothing().await;
    // B-445: an app that revokes its own token gets no event
    let app = &fixture.bot.app;
    let body = json!({
        "token": again.token, "client_id": app.client_id, "client_secret": app.client_secret,
    });
    fixture.server.api().post("/oauth/revoke").json(&body).ok(200).await;
    reader.expect_nothing().await;
    // D-189: disabling the app disconnects it in every company, and the disabled app still gets `app.uninstalled`.
    // B-444: `removed_by` is null, because the operator disabled the app.
    company.install(app, &ALL_SCOPES).await;
    let other = fixture.server.company().await;
    other.install(app, &ALL_SCOPES).await;
    reader.expect_nothing().await;
    fixture.set_app(json!({"disabled": true})).await;
    let reported = reader.events().await;
    assert_eq!(reported.len(), 2);
    for event in &reported {
        assert_eq!(
            event["data"],
            json!({"removed_by": null, "reason": "app_disabled"}),
            "`removed_by` is null if the operator disabled the app (B-444): {event}"
        );
    }
    let workspaces: Vec<_> = reported.iter().map(|event| text(event, "/workspace_id")).collect();
    assert!(workspaces.contains(&company.id) && workspaces.contains(&other.id));
}

#[both_engines]
async fn a_click_causes_an_interaction(fixture: EventsFixture) {
    let company = &fixture.company;
    let ada = company.person_with(json!({"name": "Ada", "email": "ada@example.com"})).await;
    let hidden = company.person_with(json!({"email_visible": false})).await;
    let group = company.group(&[&ada, &hidden, &fixture.bot.user_id]).await;
    let mut body = to_conversation(&group, "click me");
    body["metadata"] = json!({"build": 42});
    let message = text(&fixture.bot.send(&body).await, "/id");
    let plain = text(&fixture.bot.send(&to_conversation(&group, "me too")).await, "/id");
    let mut reader = EventReader::of(&fixture);
    reader.events().await;
    let click = async |message: &str, body: Value| {
        let path = format!("/admin/v1/messages/{message}/interactions");
        company.operator.post(&path).json(&body).ok(202).await;
    };
    click(&message, json!({"user_id": ada, "action_id": "approve", "value": "build-42"})).await;
    let reported = reader.events().await.remove(0);
    assert_eq!(reported["type"], "interaction");
    // a click reports the button, the person and the message (B-465, B-466)
    assert_eq!(
        reported["data"],
        json!({
            "action_id": "approve",
            "value": "build-42",
            "user": {"id": ada, "email": "ada@example.com"},
            "message": {"id": message, "conversation_id": group, "metadata": {"build": 42}},
        })
    );
    // B-467: a hidden e-mail address is absent, never null
    click(&plain, json!({"user_id": hidden, "action_id": "a"})).await;
    let reported = reader.events().await.remove(0);
    assert_eq!(
        reported["data"],
        json!({
            "action_id": "a",
            "value": null,
            "user": {"id": hidden},
            "message": {"id": plain, "conversation_id": group, "metadata": null},
        })
    );
}

#[both_engines]
async fn a_click_sends_the_value_of_the_button(fixture: EventsFixture) {
    let company = &fixture.company;
    let ada = company.person().await;
    let group = company.group(&[&ada, &fixture.bot.user_id]).await;
    let mut body = to_conversation(&group, "Release?");
    body["blocks"] = json!([
        {"type": "actions", "items": [{"action_id": "yes", "text": "Yes", "value": "build-42"}]},
        {"type": "actions", "items": [{"action_id": "no", "text": "No"}]},
    ]);
    let message = text(&fixture.bot.send(&body).await, "/id");
    let mut reader = EventReader::of(&fixture);
    reader.events().await;
    let path = format!("/admin/v1/messages/{message}/interactions");
    let click = |body: Value| company.operator.post(&path).json(&with(body, json!({"user_id": ada})));
    for (given, value) in [
        (json!({"action_id": "yes"}), json!("build-42")),
        (json!({"action_id": "yes", "value": "another"}), json!("another")),
        (json!({"action_id": "no"}), json!(null)),
    ] {
        click(given.clone()).ok(202).await;
        let data = reader.events().await.remove(0)["data"].take();
        assert_eq!(data["action_id"], given["action_id"]);
        assert_eq!(data["value"], value, "the event has the given value, or by default the button's (B-474)");
    }
    click(json!({"action_id": "maybe"})).refused(400, "invalid_request").await;
    let edited = json!({"text": "Released.", "blocks": [{"type": "actions", "items": [{"action_id": "undo", "text": "Undo"}]}]});
    fixture.bot.editing(&message, &edited).ok(200).await;
    click(json!({"action_id": "yes"})).refused(400, "invalid_request").await;
    // B-474: a click on a button that the message never had, or that an edit has removed, causes no event
    reader.expect_nothing().await;
    // a test event of the type `interaction` reports a click on the first button of the bot's newest message
    let made = format!("/admin/v1/apps/{}/test_events", fixture.bot.app.id);
    company.operator.post(&made).json(&json!({"type": "interaction"})).ok(202).await;
    let data = reader.events().await.remove(0)["data"].take();
    assert_eq!((data["action_id"].as_str(), &data["value"]), (Some("undo"), &json!(null)));
}

/// The admin API rejects a click in a deleted conversation, as the web client does.
#[both_engines]
async fn a_click_in_a_deleted_conversation_sends_nothing(fixture: EventsFixture) {
    let company = &fixture.company;
    let ada = company.person().await;
    let groups = [
        company.group(&[&ada, &fixture.bot.user_id]).await,
        company.group(&[&ada, &fixture.bot.user_id]).await,
    ];
    let kept = text(&fixture.bot.send(&to_conversation(&groups[0], "kept")).await, "/id");
    let message = text(&fixture.bot.send(&to_conversation(&groups[1], "deleted")).await, "/id");
    company.delete_conversation(&groups[1]).await;
    let mut reader = EventReader::of(&fixture);
    reader.events().await;
    let path = format!("/admin/v1/messages/{message}/interactions");
    let click = company.operator.post(&path).json(&json!({"user_id": ada, "action_id": "a"}));
    click.refused(404, "message_not_found").await;
    reader.expect_nothing().await;
    // a test event names the bot's newest message in a conversation that was not deleted
    let made = format!("/admin/v1/apps/{}/test_events", fixture.bot.app.id);
    company.operator.post(&made).json(&json!({"type": "interaction"})).ok(202).await;
    assert_eq!(reader.events().await[0]["data"]["message"]["id"], kept.as_str());
}

/// An installation without `users:read` gets no events about people. An installation without `users:read.email` gets no
/// events about changed e-mail addresses.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_whose_scope_an_installation_lacks_are_not_sent() {
    // B-063, B-459: events about people need the scope `users:read`, and events about conversations need no scope
    let fixture = EventsFixture::with(Engine::Sqlite, &["messages:write"]).await.unwrap();
    let mut reader = EventReader::of(&fixture);
    let person = fixture.company.person().await;
    fixture.company.update_user(&person, json!({"name": "X"})).await;
    fixture.company.set_state(&person, "deactivated").await;
    reader.expect_nothing().await;
    let group = fixture.company.group(&[&fixture.bot.user_id]).await;
    assert_eq!(reader.kinds().await, [format!("conversation.created {group}")]);

    // if the bot cannot see an e-mail address, a change of the address causes no event (D-174), and the event of a
    // click has no e-mail address (B-467)
    let fixture = EventsFixture::with(Engine::Sqlite, &["messages:write", "users:read"]).await.unwrap();
    let mut reader = EventReader::of(&fixture);
    let person = fixture.company.person().await;
    reader.kinds().await;
    fixture.company.update_user(&person, json!({"email": "new@example.com"})).await;
    reader.expect_nothing().await;
    fixture.company.update_user(&person, json!({"title": "T"})).await;
    assert_eq!(reader.kinds().await, [format!("user.updated {person}")]);
    let group = fixture.company.group(&[&person, &fixture.bot.user_id]).await;
    let message = text(&fixture.bot.send(&to_conversation(&group, "hi")).await, "/id");
    reader.kinds().await;
    let path = format!("/admin/v1/messages/{message}/interactions");
    fixture.company.operator.post(&path).json(&json!({"user_id": person, "action_id": "a"})).ok(202).await;
    assert_eq!(reader.events().await[0]["data"]["user"], json!({"id": person}));
}

/// All installations in a company get the company's events, and no installation gets events of another company.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_entitled_installation_is_notified_and_no_other() {
    let receiver = Receiver::start().await;
    let server = Server::with(delivering(Engine::Sqlite, &[&receiver])).await.unwrap();
    let (here, there) = (server.company().await, server.company().await);
    let mut apps = Vec::new();
    for name in ["a", "b", "c"] {
        apps.push(server.app_at(&format!("https://{}/{name}", receiver.address)).await);
    }
    // app a is installed in both companies, app b only in `here`, app c only in `there`
    for (company, app) in [(&here, &apps[0]), (&there, &apps[0]), (&here, &apps[1]), (&there, &apps[2])] {
        company.install(app, &ALL_SCOPES).await;
    }
    let person = here.person().await;
    let other = there.person().await;
    server.settle().await;
    let mut reported: Vec<_> = receiver
        .hits()
        .iter()
        .map(|hit| {
            let event = hit.json();
            let app = ["/a", "/b", "/c"].iter().zip(&apps).find(|(path, _)| hit.path == **path);
            let is_signed = app.is_some_and(|(_, app)| hit.verifies(&app.signing_secret, server.clock.now()));
            (hit.path.clone(), text(&event, "/workspace_id"), text(&event, "/data/id"), is_signed)
        })
        .collect();
    reported.sort();
    let line = |path: &str, company: &Company, person: &str| {
        (path.to_owned(), company.id.clone(), person.to_owned(), true)
    };
    let mut expected = vec![
        line("/a", &here, &person),
        line("/a", &there, &other),
        line("/b", &here, &person),
        line("/c", &there, &other),
    ];
    expected.sort();
    assert_eq!(reported, expected);
    // B-440: each event has an id of its own
    let mut ids: Vec<_> = receiver.hits().iter().map(ReceivedRequest::id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 4);
}
