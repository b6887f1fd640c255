//! The setting `assistant_sends = confirm`: only the employee's click posts a draft of an assistant.

use std::sync::Arc;

use futures_util::future::join_all;
use metrics_exporter_prometheus::PrometheusBuilder;
use serde_json::{Value, json};
use switchboard::store::Engine;
use tokio::sync::Semaphore;

use crate::support::{
    Company, Options, Server,
    assistant::PASSWORD,
    both_engines,
    browser::Browser,
    text,
    tools::{Assistant, Called},
};

pub(super) struct ConfirmationFixture {
    company: Company,
    pub(super) ann: Assistant,
    browser: Browser,
    group: String,
}

impl ConfirmationFixture {
    pub(super) async fn new(server: &Server) -> Self {
        let company = server.company().await;
        let ann = server.assistant(&company, "Ann Example").await;
        let browser = server.signed_in(&ann.employee.email, PASSWORD).await;
        let group = company.conversation(json!({"name": "Plans", "member_ids": [ann.id()]})).await;
        Self { company, ann, browser, group }
    }

    pub(super) async fn confirming(server: &Server) -> Self {
        let fixture = Self::new(server).await;
        fixture.set_assistant_sends("confirm").await;
        fixture
    }

    async fn set_assistant_sends(&self, sends: &str) {
        let body = json!({"assistant_sends": sends});
        let done = self.company.operator.patch(&self.company.path("")).json(&body).ok(200).await;
        assert_eq!(done["workspace"]["assistant_sends"], sends);
    }

    pub(super) async fn draft(&self, words: &str) -> String {
        self.ann.drafts(json!({"conversation": self.group, "text": words})).await
    }

    async fn decide(&mut self, id: &str, fields: &[(&str, &str)]) {
        let path = format!("/drafts/{id}");
        let page = self.browser.submit(&path, fields).await;
        assert_eq!(page.see_other(), path);
    }

    pub(super) async fn texts(&self) -> Vec<Value> {
        self.company.messages(&self.group).await.iter().map(|message| message["text"].clone()).collect()
    }

    pub(super) async fn sends(&self, id: &str) -> Value {
        self.ann.ok("send_draft", json!({"draft_id": id})).await
    }
}

/// Calls `send_draft` with an idempotency key, lets the employee send the draft, and calls `send_draft` again without
/// the key and with it. Asserts that the metric of replays counts only the call that repeats the key. Returns `None` if
/// the engine is not available.
async fn count_replays(engine: Engine) -> Option<()> {
    let recorder = PrometheusBuilder::new().build_recorder();
    let metrics = recorder.handle();
    // the recorder applies to this thread, on which the whole server runs
    let _recording = metrics::set_default_local_recorder(&recorder);
    let server = Server::with(Options { engine, ..Options::default() }).await?;
    let mut fixture = ConfirmationFixture::confirming(&server).await;
    let id = fixture.draft("at noon").await;
    let call = json!({"draft_id": id, "idempotency_key": "k"});
    fixture.ann.ok("send_draft", call.clone()).await;
    fixture.decide(&id, &[("decision", "send")]).await;
    let replays = || {
        let text = metrics.render();
        let line = text.lines().find(|line| {
            line.starts_with("switchboard_idempotent_replays_total") && line.contains("\"send_draft\"")
        });
        line.map_or("0", |line| line.rsplit(' ').next().expect("a value")).to_owned()
    };
    for (call, expected) in [(json!({"draft_id": id}), "0"), (call, "1")] {
        assert_eq!(fixture.ann.ok("send_draft", call.clone()).await["status"], "sent");
        assert_eq!(replays(), expected, "{call}");
    }
    Some(())
}

#[tokio::test]
async fn only_replays_of_a_key_are_counted() {
    count_replays(Engine::Sqlite).await.expect("SQLite is always available");
    count_replays(Engine::Postgres).await;
}

#[both_engines]
async fn a_draft_waits_for_the_employee_and_later_calls_report_its_state(server: Server) {
    let mut fixture = ConfirmationFixture::confirming(&server).await;
    let id = fixture.draft("at noon").await;
    let call = json!({"draft_id": id, "idempotency_key": "k"});
    let (waiting, said) = fixture.ann.both("send_draft", call.clone()).await;
    let url = text(&waiting, "/confirm_url");
    assert_eq!(
        (&waiting["status"], &waiting["draft_id"], &waiting["message"]),
        (&json!("confirm"), &json!(id), &json!(null)),
        "the result has the status `confirm` and the id of the draft (A-330)"
    );
    assert_eq!(url, format!("{}/drafts/{id}", server.base), "the result has the address of the page (A-330)");
    assert!(
        said.contains("confirm") && said.contains(&url) && said.contains(&id),
        "the text has the address of the page and the id of the draft: {said}"
    );
    assert!(
        said.contains("to #Plans (grp_") && said.contains("> at noon"),
        "the text has the destination and the text of the draft: {said}"
    );
    // the call is repeated, with the key and without a key
    assert_eq!(fixture.ann.ok("send_draft", call.clone()).await["status"], "confirm");
    let (again, said) = fixture.ann.both("send_draft", json!({"draft_id": id})).await;
    assert!(
        again["status"] == "confirm" && said.contains("still waits"),
        "a later call reports that the draft still waits (A-331): {said}"
    );
    assert!(fixture.texts().await.is_empty(), "`send_draft` posts nothing without the click (A-330)");

    fixture.decide(&id, &[("decision", "send")]).await;
    assert_eq!(fixture.texts().await, ["at noon"]);
    for call in [call, json!({"draft_id": id})] {
        let (sent, said) = fixture.ann.both("send_draft", call).await;
        assert_eq!(
            (&sent["status"], &sent["replayed"], &sent["message"]["text"], &sent["message"]["via_label"]),
            (&json!("sent"), &json!(true), &json!("at noon"), &json!("Calendar Helper"))
        );
        assert!(said.contains("sent before"), "a later call reports the sent message (A-331): {said}");
    }
    let message = &fixture.company.messages(&fixture.group).await[0];
    assert_eq!(
        (&message["user_id"], &message["via_label"]),
        (&json!(fixture.ann.id()), &json!("Calendar Helper"))
    );
    assert_eq!(fixture.texts().await.len(), 1);
}

#[both_engines]
async fn an_edited_draft_keeps_its_label_and_a_discarded_draft_is_reported(server: Server) {
    let mut fixture = ConfirmationFixture::confirming(&server).await;
    let (edited, discarded) = (fixture.draft("at noon").await, fixture.draft("never").await);
    for id in [&edited, &discarded] {
        assert_eq!(fixture.sends(id).await["status"], "confirm");
    }
    fixture.decide(&edited, &[("decision", "send"), ("text", "at one,\r\nplease")]).await;
    let message = &fixture.company.messages(&fixture.group).await[0];
    assert_eq!(
        (&message["text"], &message["via_label"]),
        (&json!("at one,\nplease"), &json!("Calendar Helper")),
        "a message whose text the person changed has the label of the assistant (A-333)"
    );
    assert_eq!(fixture.sends(&edited).await["message"]["text"], "at one,\nplease");

    fixture.decide(&discarded, &[("decision", "discard")]).await;
    let (refused, said) = fixture.ann.both("send_draft", json!({"draft_id": discarded})).await;
    assert_eq!(
        (&refused["status"], &refused["message"]),
        (&json!("discarded"), &json!(null)),
        "a later call reports that the draft was discarded (A-331)"
    );
    assert!(
        said.contains("discarded") && !said.contains("never"),
        "the text of a discarded draft is not shown: {said}"
    );
    assert_eq!(fixture.ann.ok("list_drafts", json!({})).await["drafts"], json!([]));
    fixture.ann.fails("draft_message", json!({"draft_id": discarded, "text": "x"}), "not_found").await;
    fixture.ann.ok("discard_draft", json!({"draft_id": discarded})).await;
    fixture.set_assistant_sends("direct").await;
    assert_eq!(fixture.sends(&discarded).await["status"], "discarded", "a discarded draft is never sent");
    assert_eq!(fixture.texts().await.len(), 1);
}

#[both_engines]
async fn the_setting_at_the_time_of_the_call_applies(server: Server) {
    let mut fixture = ConfirmationFixture::new(&server).await;
    let [one, two, three] =
        [fixture.draft("one").await, fixture.draft("two").await, fixture.draft("three").await];
    assert_eq!(fixture.sends(&one).await["status"], "sent");
    fixture.set_assistant_sends("confirm").await;
    assert_eq!(fixture.sends(&two).await["status"], "confirm");
    assert_eq!(fixture.sends(&one).await["status"], "sent");
    fixture.set_assistant_sends("direct").await;
    assert_eq!(
        fixture.sends(&two).await["message"]["text"],
        "two",
        "after a change to `direct`, the next call sends a waiting draft"
    );
    // the employee sends a draft that no assistant has tried to send
    fixture.decide(&three, &[("decision", "send")]).await;
    let said = fixture.ann.fails("send_draft", json!({"draft_id": three}), "conflict").await;
    assert!(said.contains("already sent as gmsg_"), "the error names the sent message: {said}");
    assert_eq!(fixture.texts().await.len(), 3);
}

/// A sent message has the label of the assistant that sent it, even after the message was deleted. It does not
/// matter which assistant wrote the draft, or which assistant repeats the call.
#[both_engines]
async fn a_deleted_message_has_the_label_of_the_assistant_that_sent_it(server: Server) {
    let fixture = ConfirmationFixture::new(&server).await;
    let id = fixture.draft("at noon").await;
    let call = json!({"draft_id": id, "idempotency_key": "k"});
    let sent = fixture.ann.ok("send_draft", call.clone()).await;
    fixture.set_assistant_sends("confirm").await;
    let client = server.client_named("Other Helper").await;
    let tokens = fixture.ann.employee.connect(&server, &client).await;
    let other = server.assistant_by(&fixture.ann.employee, &tokens);
    let label = async |caller: &Assistant, call: Value| {
        let again = caller.ok("send_draft", call).await;
        assert_eq!((&again["status"], &again["replayed"]), (&json!("sent"), &json!(true)), "{again}");
        again["message"]["via_label"].clone()
    };
    assert_eq!(label(&other, json!({"draft_id": id})).await, "Calendar Helper");
    fixture.company.erase(&text(&sent, "/message/id")).await;
    assert_eq!(label(&other, json!({"draft_id": id})).await, "Calendar Helper");
    assert_eq!(
        label(&fixture.ann, call).await,
        "Calendar Helper",
        "the replay has the label of the assistant that sent the message (A-131)"
    );

    // the first assistant writes the draft and asks for its confirmation; then the second assistant sends the draft
    let id = fixture.draft("at one").await;
    assert_eq!(fixture.sends(&id).await["status"], "confirm");
    fixture.set_assistant_sends("direct").await;
    let sent = other.ok("send_draft", json!({"draft_id": id})).await;
    assert_eq!((&sent["replayed"], &sent["message"]["via_label"]), (&json!(false), &json!("Other Helper")));
    fixture.company.erase(&text(&sent, "/message/id")).await;
    for caller in [&fixture.ann, &other] {
        assert_eq!(label(caller, json!({"draft_id": id})).await, "Other Helper");
    }
}

#[both_engines]
async fn a_change_to_confirm_stops_calls_in_progress(server: Server) {
    let fixture = ConfirmationFixture::new(&server).await;
    let sent = Arc::new(Semaphore::new(0));
    // each task sends drafts until a draft has to be confirmed, so calls are in progress during the change
    let tasks = (0..4).map(|n| {
        let (ann, group, sent) = (fixture.ann.clone(), fixture.group.clone(), Arc::clone(&sent));
        tokio::spawn(async move {
            loop {
                let id = ann.drafts(json!({"conversation": group, "text": format!("message {n}")})).await;
                let result = ann.ok("send_draft", json!({"draft_id": id})).await;
                if result["status"] == "confirm" {
                    break;
                }
                assert_eq!(result["status"], "sent");
                sent.add_permits(1);
            }
        })
    });
    let tasks: Vec<_> = tasks.collect();
    sent.acquire_many(8).await.unwrap().forget();
    fixture.set_assistant_sends("confirm").await;
    let before = fixture.texts().await.len();
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(fixture.texts().await.len(), before, "nothing is posted after the response to the change");
    assert_eq!(sent.available_permits() + 8, before, "the result of each call is correct");
}

#[both_engines]
async fn a_draft_that_cannot_be_sent_is_refused_before_the_employee_is_asked(server: Server) {
    let mut fixture = ConfirmationFixture::confirming(&server).await;
    let id = fixture.draft("late").await;
    fixture.company.archive(&fixture.group, true).await;
    fixture.ann.fails("send_draft", json!({"draft_id": id}), "conversation_archived").await;
    let page =
        fixture.browser.submit(&format!("/drafts/{id}"), &[("decision", "send"), ("text", "later")]).await;
    page.is(422, "The conversation is archived").is(422, "\nlater</textarea>");
    fixture.company.archive(&fixture.group, false).await;
    assert_eq!(fixture.sends(&id).await["status"], "confirm");
    // for a draft to a person, the employee's click creates the direct conversation
    let ben = server.assistant(&fixture.company, "Ben Example").await;
    let direct = fixture.ann.drafts(json!({"person": ben.id(), "text": "hello"})).await;
    let (waiting, said) = fixture.ann.both("send_draft", json!({"draft_id": direct})).await;
    assert!(
        waiting["status"] == "confirm" && said.contains("Ben Example"),
        "the text names the person: {said}"
    );
    assert!(fixture.company.direct_conversations().await.is_empty());
    fixture.decide(&direct, &[("decision", "send")]).await;
    assert_eq!(ben.found(json!({"query": "hello"})).await, ["hello"]);
}

#[both_engines]
async fn a_changed_draft_has_the_label_of_its_last_author_and_must_be_confirmed_again(server: Server) {
    let mut fixture = ConfirmationFixture::confirming(&server).await;
    let id = fixture.draft("first").await;
    assert_eq!(fixture.sends(&id).await["status"], "confirm");
    let path = format!("/drafts/{id}");
    let seen = fixture.browser.get(&path).await;
    let other = server.client_named("Other Helper").await;
    let tokens = fixture.ann.employee.connect(&server, &other).await;
    let second = server.assistant_by(&fixture.ann.employee, &tokens);
    second.ok("draft_message", json!({"draft_id": id, "text": "second"})).await;
    let (_, said) = second.both("send_draft", json!({"draft_id": id})).await;
    assert!(
        said.contains("Not sent yet: ") && !said.contains("still waits"),
        "the employee is asked again about a changed draft: {said}"
    );
    // the employee's open page still shows the text of the first assistant
    let page = fixture.browser.submit_on(&seen, &path, &[("decision", "send"), ("text", "first")]).await;
    page.is(409, "an assistant has changed the draft")
        .is(409, ">second</blockquote>")
        .is(409, "Other Helper");
    page.is(409, "\nfirst</textarea>");
    assert!(fixture.texts().await.is_empty());
    fixture.decide(&id, &[("decision", "send")]).await;
    assert_eq!(
        fixture.company.messages(&fixture.group).await[0]["via_label"],
        "Other Helper",
        "the message has the label of the assistant that last wrote the draft (A-333)"
    );
}

#[both_engines]
async fn concurrent_clicks_and_calls_send_once(server: Server) {
    for setting in ["direct", "confirm"] {
        let mut fixture = ConfirmationFixture::new(&server).await;
        fixture.set_assistant_sends(setting).await;
        let id = fixture.draft("only once").await;
        let path = format!("/drafts/{id}");
        let page = fixture.browser.get(&path).await;
        let clicks = (0..10).map(|_| {
            let (mut browser, page, path) = (fixture.browser.clone(), page.clone(), path.clone());
            tokio::spawn(async move {
                browser
                    .submit_on(&page, &path, &[("decision", "send"), ("text", "only once")])
                    .await
                    .wire
                    .status
            })
        });
        let calls = (0..10).map(|_| {
            let (ann, id) = (fixture.ann.clone(), id.clone());
            tokio::spawn(async move { ann.call("send_draft", json!({"draft_id": id})).await })
        });
        let (clicked, called) = tokio::join!(join_all(clicks), join_all(calls));
        let clicked: Vec<u16> = clicked.into_iter().map(Result::unwrap).collect();
        let posted = clicked.iter().filter(|status| **status == 303).count();
        assert!(
            clicked.iter().all(|status| [303, 409].contains(status)),
            "a click sends the draft or conflicts: {clicked:?}"
        );
        let sent = called.iter().filter(|call| match call.as_ref().unwrap() {
            Called::Answered { structured, .. } => {
                structured["replayed"] == false && structured["status"] == "sent"
            }
            Called::Invalid(why) => panic!("{why}"),
        });
        assert_eq!(posted + sent.count(), 1, "exactly one click or call sends the draft: {setting}");
        assert_eq!(fixture.texts().await, ["only once"], "one message is posted: {setting}");
    }
}
