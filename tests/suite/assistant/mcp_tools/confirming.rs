//! The setting `assistant_sends = confirm`: nothing that an assistant drafted is posted without the employee's click.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::support::{
    Company, Server,
    assistant::PASSWORD,
    both_engines,
    browser::Browser,
    mcp::{JUNE, META_CAPABILITIES, META_VERSION, MODERN, Mcp, NOVEMBER},
    text,
    tools::{Assistant, Called},
};

struct ConfirmationFixture {
    company: Company,
    ann: Assistant,
    browser: Browser,
    group: String,
}

impl ConfirmationFixture {
    async fn new(server: &Server) -> Self {
        let company = server.company().await;
        let ann = server.assistant(&company, "Ann Example").await;
        let browser = server.signed_in(&ann.employee.email, PASSWORD).await;
        let group = company.conversation(json!({"name": "Plans", "member_ids": [ann.id()]})).await;
        Self { company, ann, browser, group }
    }

    async fn confirming(server: &Server) -> Self {
        let fixture = Self::new(server).await;
        fixture.set("confirm").await;
        fixture
    }

    async fn set(&self, sends: &str) {
        let body = json!({"assistant_sends": sends});
        let done = self.company.operator.patch(&self.company.path("")).json(&body).ok(200).await;
        assert_eq!(done["workspace"]["assistant_sends"], sends);
    }

    async fn draft(&self, words: &str) -> String {
        self.ann.drafts(json!({"conversation": self.group, "text": words})).await
    }

    async fn decide(&mut self, id: &str, fields: &[(&str, &str)]) {
        let path = format!("/drafts/{id}");
        let page = self.browser.submit(&path, fields).await;
        assert_eq!(page.see_other(), path);
    }

    async fn texts(&self) -> Vec<Value> {
        self.company.messages(&self.group).await.iter().map(|message| message["text"].clone()).collect()
    }

    async fn sends(&self, id: &str) -> Value {
        self.ann.ok("send_draft", json!({"draft_id": id})).await
    }
}

#[both_engines]
async fn a_draft_waits_for_the_employee_and_later_calls_report_it(server: Server) {
    let mut fixture = ConfirmationFixture::confirming(&server).await;
    let id = fixture.draft("at noon").await;
    let call = json!({"draft_id": id, "idempotency_key": "k"});
    let (waiting, said) = fixture.ann.both("send_draft", call.clone()).await;
    let url = text(&waiting, "/confirm_url");
    assert_eq!(
        (&waiting["status"], &waiting["draft_id"], &waiting["message"]),
        (&json!("confirm"), &json!(id), &json!(null)),
        "the result of a waiting draft has its id (A-330)"
    );
    assert_eq!(url, format!("{}/drafts/{id}", server.base), "the result has the address of the page (A-330)");
    assert!(
        said.contains("confirm") && said.contains(&url) && said.contains(&id),
        "the text has the address and the draft: {said}"
    );
    assert!(
        said.contains("to #Plans (grp_") && said.contains("> at noon"),
        "the text shows the draft: {said}"
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
async fn an_edited_draft_keeps_its_label_and_a_discarded_one_is_reported(server: Server) {
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
    let (gone, said) = fixture.ann.both("send_draft", json!({"draft_id": discarded})).await;
    assert_eq!(
        (&gone["status"], &gone["message"]),
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
    fixture.set("direct").await;
    assert_eq!(fixture.sends(&discarded).await["status"], "discarded", "a discarded draft is never sent");
    assert_eq!(fixture.texts().await.len(), 1);
}

#[both_engines]
async fn the_setting_counts_when_the_draft_would_be_posted(server: Server) {
    let mut fixture = ConfirmationFixture::new(&server).await;
    let [one, two, three] =
        [fixture.draft("one").await, fixture.draft("two").await, fixture.draft("three").await];
    assert_eq!(fixture.sends(&one).await["status"], "sent");
    fixture.set("confirm").await;
    assert_eq!(fixture.sends(&two).await["status"], "confirm");
    assert_eq!(fixture.sends(&one).await["status"], "sent");
    fixture.set("direct").await;
    assert_eq!(
        fixture.sends(&two).await["message"]["text"],
        "two",
        "a waiting draft is sent by the next call"
    );
    // the employee sends a draft that no assistant has tried to send
    fixture.decide(&three, &[("decision", "send")]).await;
    let said = fixture.ann.fails("send_draft", json!({"draft_id": three}), "conflict").await;
    assert!(said.contains("already sent as gmsg_"), "the error names the sent message: {said}");
    assert_eq!(fixture.texts().await.len(), 3);
}

#[both_engines]
async fn a_change_to_confirm_stops_calls_in_progress(server: Server) {
    let fixture = ConfirmationFixture::new(&server).await;
    let mut ids = Vec::new();
    for n in 0..30 {
        ids.push(fixture.draft(&format!("message {n}")).await);
    }
    let calls: Vec<_> = ids
        .iter()
        .map(|id| {
            let (ann, id) = (fixture.ann.clone(), id.clone());
            tokio::spawn(async move { ann.ok("send_draft", json!({"draft_id": id})).await })
        })
        .collect();
    fixture.set("confirm").await;
    let before = fixture.texts().await.len();
    let ended: Vec<Value> = join_all(calls).await.into_iter().map(Result::unwrap).collect();
    let sent = ended.iter().filter(|one| one["status"] == "sent").count();
    assert!(ended.iter().all(|one| one["status"] == "sent" || one["status"] == "confirm"));
    assert_eq!(fixture.texts().await.len(), before, "nothing is posted after the change is answered");
    assert_eq!(sent, before);
}

#[both_engines]
async fn what_cannot_be_sent_is_refused_before_the_employee_is_asked(server: Server) {
    let mut fixture = ConfirmationFixture::confirming(&server).await;
    let id = fixture.draft("late").await;
    fixture.company.archive(&fixture.group, true).await;
    fixture.ann.fails("send_draft", json!({"draft_id": id}), "conversation_archived").await;
    let page =
        fixture.browser.submit(&format!("/drafts/{id}"), &[("decision", "send"), ("text", "later")]).await;
    page.is(422, "The conversation is archived").is(422, "\nlater</textarea>");
    fixture.company.archive(&fixture.group, false).await;
    assert_eq!(fixture.sends(&id).await["status"], "confirm");
    // a draft to a person: the click creates the direct conversation
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
async fn a_changed_draft_has_the_label_of_its_newest_author_and_is_asked_about_again(server: Server) {
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
        "a changed draft is asked about again: {said}"
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
async fn concurrent_page_and_tool_send_once(server: Server) {
    for setting in ["direct", "confirm"] {
        let mut fixture = ConfirmationFixture::new(&server).await;
        fixture.set(setting).await;
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
        assert_eq!(posted + sent.count(), 1, "one click or call sends the draft: {setting}");
        assert_eq!(fixture.texts().await, ["only once"], "one message is posted: {setting}");
    }
}

/// Returns a client of this version. `initialize` declares the capabilities; the version 2026-07-28 declares them in
/// each request instead.
async fn declaring(server: &Server, ann: &Assistant, version: &'static str, capabilities: Value) -> Mcp {
    let mut client = server.mcp(&ann.tokens.access, version);
    if version != MODERN {
        let params = json!({
            "protocolVersion": version,
            "capabilities": capabilities,
            "clientInfo": {"name": "Test Client", "version": "1.0"},
        });
        let message = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        let got = client.initialize(version).body(message.to_string()).send().await;
        client.session = got.header("mcp-session-id").map(str::to_owned);
    }
    client
}

/// Calls `send_draft` with more parameters. A request of the version 2026-07-28 also declares the capabilities.
async fn sends(client: &Mcp, id: &str, capabilities: &Value, more: Value) -> crate::support::mcp::Got {
    let mut params = json!({"name": "send_draft", "arguments": {"draft_id": id}});
    for (name, value) in more.as_object().unwrap() {
        params[name] = value.clone();
    }
    let mut message = client.message("tools/call", params);
    if client.version == MODERN {
        message["params"]["_meta"] = json!({META_VERSION: MODERN, META_CAPABILITIES: capabilities});
    }
    client.post(&message).send().await
}

/// Returns the capabilities of a client that can open pages.
fn opens() -> Value {
    json!({"elicitation": {"form": {}, "url": {}}})
}

#[both_engines]
async fn a_client_of_2026_07_28_that_opens_pages_gets_an_input_request(server: Server) {
    let fixture = ConfirmationFixture::confirming(&server).await;
    let id = fixture.draft("at noon").await;
    let client = declaring(&server, &fixture.ann, MODERN, opens()).await;
    let asked = sends(&client, &id, &opens(), json!({})).await.result();
    assert_eq!(asked["resultType"], "input_required", "the client is asked to open the page (A-332)");
    let request = &asked["inputRequests"]["confirm"];
    assert_eq!(request["method"], "elicitation/create");
    assert_eq!(
        (&request["params"]["mode"], &request["params"]["url"]),
        (&json!("url"), &json!(format!("{}/drafts/{id}", server.base)))
    );
    assert!(
        text(request, "/params/message").contains("Calendar Helper"),
        "the request names the client: {request}"
    );
    assert!(request["params"].get("elicitationId").is_none(), "2026-07-28 has no elicitationId");
    assert!(asked["_meta"]["io.modelcontextprotocol/serverInfo"].is_object());
    // the result may have been lost, so the client repeats the call, here with a key
    let keyed = json!({"arguments": {"draft_id": id, "idempotency_key": "k"}});
    for _ in 0..2 {
        let again = sends(&client, &id, &opens(), keyed.clone()).await.result();
        assert_eq!(again["resultType"], "input_required", "the client is asked until it responds (A-332)");
        assert_eq!(again["inputRequests"], asked["inputRequests"]);
    }
    // the client repeats the call with the employee's response
    let state = &asked["requestState"];
    assert!(state.is_string(), "the result has a state for the repeated call: {asked}");
    let more = json!({"inputResponses": {"confirm": {"action": "accept"}}, "requestState": state});
    let waiting = sends(&client, &id, &opens(), more).await.result();
    assert_eq!(
        (&waiting["resultType"], &waiting["structuredContent"]["status"]),
        (&json!("complete"), &json!("confirm"))
    );
    // the employee is asked once
    let again = sends(&client, &id, &opens(), json!({})).await.result();
    assert_eq!(
        (&again["isError"], &again["structuredContent"]["status"]),
        (&json!(false), &json!("confirm")),
        "the client is asked once for each version of the draft (A-332)"
    );
    let again = sends(&client, &id, &opens(), keyed).await.result();
    assert_eq!(again["structuredContent"]["status"], "confirm", "also with the key of an earlier call");
    assert!(fixture.texts().await.is_empty());
}

/// A call of a client that cannot open pages does not count: a client that can is still asked to open the page, once
/// for each version of the draft. A change of the draft is another version.
#[both_engines]
async fn a_client_that_opens_pages_is_asked_after_one_that_does_not(server: Server) {
    let fixture = ConfirmationFixture::confirming(&server).await;
    for version in [MODERN, NOVEMBER] {
        let id = fixture.draft("at noon").await;
        assert_eq!(fixture.sends(&id).await["status"], "confirm", "{version}");
        let client = declaring(&server, &fixture.ann, version, opens()).await;
        let asked = async || {
            let call = json!({"name": "send_draft", "arguments": {"draft_id": id}});
            let mut message = client.message("tools/call", call);
            if version == MODERN {
                message["params"]["_meta"] = json!({META_VERSION: MODERN, META_CAPABILITIES: opens()});
            }
            client.post(&message).response().await.text().await.unwrap()
        };
        let mut seen = Vec::new();
        for words in ["at noon", "at one"] {
            fixture.ann.ok("draft_message", json!({"draft_id": id, "text": words})).await;
            assert_eq!(fixture.sends(&id).await["status"], "confirm", "{version}");
            let said = asked().await;
            assert!(said.contains("elicitation/create"), "the client is asked (A-332): {version}: {said}");
            if version == MODERN {
                let more = json!({"inputResponses": {"confirm": {"action": "decline"}}});
                sends(&client, &id, &opens(), more).await.result();
            } else {
                let (request, _) = said.split_once("\n\n").expect("two events");
                let request = request.strip_prefix("event: message\ndata: ").expect("an event");
                let request: Value = serde_json::from_str(request).unwrap();
                seen.push([request["id"].clone(), request["params"]["elicitationId"].clone()]);
            }
            let said = asked().await;
            assert!(
                !said.contains("elicitation/create"),
                "the client is asked once (A-332): {version}: {said}"
            );
        }
        // the client responds after the draft has changed, with or without a call of the other client in between
        for between in if version == MODERN { &[false, true][..] } else { &[] } {
            fixture
                .ann
                .ok("draft_message", json!({"draft_id": id, "text": format!("at half past {between}")}))
                .await;
            let asked_before: Value = serde_json::from_str(&asked().await).unwrap();
            assert!(asked_before["result"]["requestState"].is_string(), "{asked_before}");
            fixture
                .ann
                .ok("draft_message", json!({"draft_id": id, "text": format!("at two {between}")}))
                .await;
            if *between {
                fixture.sends(&id).await;
            }
            let state = &asked_before["result"]["requestState"];
            let more = json!({"inputResponses": {"confirm": {"action": "decline"}}, "requestState": state});
            sends(&client, &id, &opens(), more).await.result();
            let said = asked().await;
            assert!(
                said.contains("elicitation/create"),
                "a late response counts for the earlier version only (A-332): {said}"
            );
        }
        if let [first, second] = seen.as_slice() {
            assert_ne!(first[0], second[0], "the id of a request is used once in a session");
            assert_ne!(first[1], second[1], "the id of an elicitation is used once");
        }
    }
    assert!(fixture.texts().await.is_empty());
}

#[both_engines]
async fn a_client_of_2025_11_25_that_opens_pages_is_asked_before_the_result(server: Server) {
    let fixture = ConfirmationFixture::confirming(&server).await;
    let id = fixture.draft("at noon").await;
    let client = declaring(&server, &fixture.ann, NOVEMBER, opens()).await;
    let call = client.message("tools/call", json!({"name": "send_draft", "arguments": {"draft_id": id}}));
    let got = client.post(&call).response().await;
    assert_eq!(got.status(), 200);
    assert_eq!(got.headers()["content-type"], "text/event-stream");
    assert_eq!(got.headers()["cache-control"], "no-store");
    let stream = got.text().await.unwrap();
    let events: Vec<Value> = stream
        .split_terminator("\n\n")
        .map(|event| {
            serde_json::from_str(event.strip_prefix("event: message\ndata: ").expect("a message")).unwrap()
        })
        .collect();
    let [request, result] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(
        (&request["jsonrpc"], &request["method"]),
        (&json!("2.0"), &json!("elicitation/create")),
        "the request comes before the result (A-332)"
    );
    let url = format!("{}/drafts/{id}", server.base);
    assert_eq!((&request["params"]["mode"], &request["params"]["url"]), (&json!("url"), &json!(url)));
    assert!(
        text(request, "/params/elicitationId").starts_with(&id),
        "the elicitation has an id of its own: {request}"
    );
    assert_eq!(
        (&result["id"], &result["result"]["isError"], &result["result"]["structuredContent"]["status"]),
        (&json!(7), &json!(false), &json!("confirm"))
    );
    assert!(result["result"].get("resultType").is_none());
    // the client's response is accepted, and changes nothing
    let response = json!({"jsonrpc": "2.0", "id": request["id"], "result": {"action": "accept"}});
    assert_eq!(client.post(&response).send().await.status, 202);
    let again = sends(&client, &id, &Value::Null, json!({})).await;
    assert_eq!(again.result()["structuredContent"]["status"], "confirm", "the employee is asked once");
    // a client that does not accept event streams gets the result alone
    let other = fixture.draft("later").await;
    let call = client.message("tools/call", json!({"name": "send_draft", "arguments": {"draft_id": other}}));
    let got = client.post(&call).header("accept", "application/json").send().await;
    assert_eq!(got.result()["structuredContent"]["status"], "confirm");
    assert!(fixture.texts().await.is_empty());
}

#[both_engines]
async fn other_clients_get_the_address_in_words(server: Server) {
    let fixture = ConfirmationFixture::confirming(&server).await;
    for (version, capabilities) in [
        (MODERN, json!({})),
        (MODERN, json!({"elicitation": {}})),
        (MODERN, json!({"elicitation": {"form": {}, "url": true}})),
        (NOVEMBER, json!({})),
        (NOVEMBER, json!({"elicitation": {}})),
        (JUNE, json!({"elicitation": {}})),
        // 2025-06-18 does not have the mode `url`
        (JUNE, opens()),
    ] {
        let id = fixture.draft("at noon").await;
        let client = declaring(&server, &fixture.ann, version, capabilities.clone()).await;
        let result = sends(&client, &id, &capabilities, json!({})).await.result();
        assert_eq!(result["isError"], false, "a draft that waits is no error: {version} {capabilities}");
        let said = text(&result, "/content/0/text");
        assert!(
            said.contains("confirm") && said.contains(&format!("/drafts/{id}")),
            "the text has the address: {version}: {said}"
        );
        assert_eq!(result["structuredContent"]["draft_id"], json!(id));
    }
    assert!(fixture.texts().await.is_empty());
}

#[both_engines]
async fn direct_sending_asks_for_no_confirmation(server: Server) {
    let fixture = ConfirmationFixture::new(&server).await;
    for version in [MODERN, NOVEMBER] {
        let id = fixture.draft("at noon").await;
        let client = declaring(&server, &fixture.ann, version, opens()).await;
        let result = sends(&client, &id, &opens(), json!({})).await.result();
        assert_eq!(result["structuredContent"]["status"], "sent", "the draft is sent: {version}");
    }
    assert_eq!(fixture.texts().await.len(), 2);
}
