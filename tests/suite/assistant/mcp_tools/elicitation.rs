//! Drafts that wait for the employee's confirmation. The server asks a client that supports elicitation in URL mode to
//! open the page on which the employee confirms the draft.

use serde_json::{Value, json};

use super::confirming::ConfirmationFixture;
use crate::support::{
    Server, both_engines,
    mcp::{JUNE, META_CAPABILITIES, META_VERSION, MODERN, Mcp, NOVEMBER},
    text,
    tools::Assistant,
};

/// Returns a client of this protocol version. The client has declared these capabilities in `initialize`. The version
/// 2026-07-28 has no `initialize`, so a client of this version declares its capabilities in each request.
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

/// Calls `send_draft` for the draft `id`. `more` has parameters to add or replace. In the version 2026-07-28, the
/// request also declares the capabilities.
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
    // a client that lost the result repeats the call, here with an idempotency key
    let keyed = json!({"arguments": {"draft_id": id, "idempotency_key": "k"}});
    for _ in 0..2 {
        let again = sends(&client, &id, &opens(), keyed.clone()).await.result();
        assert_eq!(again["resultType"], "input_required", "the client is asked until it responds (A-332)");
        assert_eq!(again["inputRequests"], asked["inputRequests"]);
    }
    // the client repeats the call with its response to the request
    let state = &asked["requestState"];
    assert!(state.is_string(), "the result has a `requestState` for the repeated call: {asked}");
    let more = json!({"inputResponses": {"confirm": {"action": "accept"}}, "requestState": state});
    let waiting = sends(&client, &id, &opens(), more).await.result();
    assert_eq!(
        (&waiting["resultType"], &waiting["structuredContent"]["status"]),
        (&json!("complete"), &json!("confirm"))
    );
    let again = sends(&client, &id, &opens(), json!({})).await.result();
    assert_eq!(
        (&again["isError"], &again["structuredContent"]["status"]),
        (&json!(false), &json!("confirm")),
        "after its response, the client is not asked again for the same version of the draft (A-332)"
    );
    let again = sends(&client, &id, &opens(), keyed).await.result();
    assert_eq!(
        again["structuredContent"]["status"], "confirm",
        "the client is not asked again, even if the call has the idempotency key of an earlier call"
    );
    assert!(fixture.texts().await.is_empty());
}

/// For each version of the draft, the server asks a client that can open pages to open the page. A change of the draft
/// makes a new version. A call of a client that cannot open pages does not count as asking.
#[both_engines]
async fn a_call_of_a_client_that_opens_no_pages_does_not_count_as_asking(server: Server) {
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
                "the client is not asked again for this version of the draft (A-332): {version}: {said}"
            );
        }
        // The client is asked, the draft changes, and only then does the client respond. In the second case, the client
        // that cannot open pages also calls `send_draft` between the change and the response.
        for is_called_between in if version == MODERN { &[false, true][..] } else { &[] } {
            fixture
                .ann
                .ok(
                    "draft_message",
                    json!({"draft_id": id, "text": format!("at half past {is_called_between}")}),
                )
                .await;
            let asked_before: Value = serde_json::from_str(&asked().await).unwrap();
            assert!(asked_before["result"]["requestState"].is_string(), "{asked_before}");
            fixture
                .ann
                .ok("draft_message", json!({"draft_id": id, "text": format!("at two {is_called_between}")}))
                .await;
            if *is_called_between {
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
        "the id of the elicitation begins with the id of the draft: {request}"
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
    assert_eq!(again.result()["structuredContent"]["status"], "confirm", "the client is asked once (A-332)");
    // a client that does not accept event streams gets the result alone
    let other = fixture.draft("later").await;
    let call = client.message("tools/call", json!({"name": "send_draft", "arguments": {"draft_id": other}}));
    let got = client.post(&call).header("accept", "application/json").send().await;
    assert_eq!(got.result()["structuredContent"]["status"], "confirm");
    assert!(fixture.texts().await.is_empty());
}

#[both_engines]
async fn a_client_that_opens_no_pages_gets_the_address_in_the_text(server: Server) {
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
        assert_eq!(result["isError"], false, "a waiting draft is not an error: {version} {capabilities}");
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
async fn a_draft_is_sent_at_once_if_the_company_requires_no_confirmation(server: Server) {
    let fixture = ConfirmationFixture::new(&server).await;
    for version in [MODERN, NOVEMBER] {
        let id = fixture.draft("at noon").await;
        let client = declaring(&server, &fixture.ann, version, opens()).await;
        let result = sends(&client, &id, &opens(), json!({})).await.result();
        assert_eq!(result["structuredContent"]["status"], "sent", "the draft is sent: {version}");
    }
    assert_eq!(fixture.texts().await.len(), 2);
}
