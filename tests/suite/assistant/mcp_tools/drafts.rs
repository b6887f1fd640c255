//! Drafts. Every assistant of an employee can create, change, list and discard the employee's drafts. Assistants of
//! other people cannot.

use std::time::Duration;

use serde_json::json;
use switchboard::{
    domain::{
        ids::{DraftId, UserId, WorkspaceId},
        json_fingerprint::fingerprint,
        message::key_hash,
        time::Timestamp,
    },
    store::{Op, Result, Sql, drafts, keys::Hash},
};

use crate::support::{Server, both_engines, text, tools::Called};

#[both_engines]
async fn a_draft_is_created_changed_listed_and_discarded(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let ben = company.person_with(json!({"name": "Ben Other", "email": "ben@example.com"})).await;
    let group = company.conversation(json!({"name": "Plans", "member_ids": [ann.id(), ben]})).await;
    let parent = company.post(&group, &ben, "when?").await;
    let made = json!({"conversation": group, "thread_id": parent, "text": "at noon"});
    let (draft, said) = ann.both("draft_message", made).await;
    let id = text(&draft, "/draft/id");
    assert!(
        id.starts_with("drf_") && said.contains("not sent") && said.contains("> at noon"),
        "the text shows the unsent draft: {said}"
    );
    assert_eq!(draft["draft"]["conversation"]["id"], group.as_str());
    assert_eq!(draft["draft"]["thread_id"], parent.as_str());
    let direct = ann.ok("draft_message", json!({"person": "ben@example.com", "text": "hello"})).await;
    assert_eq!(direct["draft"]["person"], json!({"id": ben, "name": "Ben Other"}));
    assert_eq!(company.direct_conversations().await.len(), 0, "a draft creates no conversation");

    // omitted arguments change nothing, except that a new destination removes the thread
    server.advance(Duration::from_secs(1)).await;
    let changed = ann.ok("draft_message", json!({"draft_id": id, "text": "at one"})).await;
    assert_eq!(changed["draft"]["text"], "at one");
    assert_eq!(changed["draft"]["thread_id"], parent.as_str());
    assert_ne!(changed["draft"]["updated_at"], changed["draft"]["created_at"]);
    let moved = ann.ok("draft_message", json!({"draft_id": id, "person": ben})).await;
    assert_eq!((&moved["draft"]["thread_id"], &moved["draft"]["text"]), (&json!(null), &json!("at one")));

    // another assistant of the same employee sees the drafts; assistants of other people do not
    let second = server.assistant_of(&ann.employee).await;
    let list = second.ok("list_drafts", json!({})).await;
    let ids: Vec<_> = list["drafts"].as_array().unwrap().iter().map(|d| text(d, "/id")).collect();
    assert_eq!(ids, [text(&direct, "/draft/id"), id.clone()]);
    let first = second.ok("list_drafts", json!({"limit": 1})).await;
    let rest = second.ok("list_drafts", json!({"limit": 1, "cursor": first["next_cursor"]})).await;
    assert_eq!((text(&rest, "/drafts/0/id"), &rest["next_cursor"]), (id.clone(), &json!(null)));
    let cleo = server.assistant(&company, "Cleo Example").await;
    assert_eq!(cleo.ok("list_drafts", json!({})).await["drafts"], json!([]));
    for tool in ["send_draft", "discard_draft"] {
        cleo.fails(tool, json!({"draft_id": id}), "not_found").await;
    }
    cleo.fails("draft_message", json!({"draft_id": id, "text": "x"}), "not_found").await;

    second.ok("discard_draft", json!({"draft_id": id})).await;
    for tool in ["send_draft", "discard_draft"] {
        let said = ann.fails(tool, json!({"draft_id": id}), "not_found").await;
        assert!(said.contains("list_drafts"), "the error names the tool that lists drafts: {said}");
    }
    assert_eq!(ann.ok("list_drafts", json!({})).await["drafts"].as_array().unwrap().len(), 1);
}

#[both_engines]
async fn ids_of_threads_keep_their_prefix_when_the_conversation_is_deleted(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let ben = company.person().await;
    let (direct, group) = (company.direct(ann.id(), &ben).await, company.group(&[ann.id(), &ben]).await);
    let (in_direct, in_group) =
        (company.post(&direct, &ben, "hi").await, company.post(&group, &ben, "hi").await);
    let mut replies = Vec::new();
    for (to, thread) in [
        (json!({"conversation": direct}), &in_direct),
        (json!({"person": ben}), &in_direct),
        (json!({"conversation": group}), &in_group),
    ] {
        let mut draft = to;
        draft["thread_id"] = thread.as_str().into();
        draft["text"] = "hello".into();
        let id = ann.drafts(draft).await;
        replies.push((id, thread.clone()));
    }
    for is_deleted in [false, true] {
        if is_deleted {
            company.delete_conversation(&direct).await;
            company.delete_conversation(&group).await;
        }
        let (list, said) = ann.both("list_drafts", json!({})).await;
        for (id, thread) in &replies {
            let draft = list["drafts"].as_array().unwrap().iter().find(|draft| draft["id"] == id.as_str());
            assert_eq!(
                draft.unwrap()["thread_id"],
                thread.as_str(),
                "the id of the thread does not change (is the conversation deleted: {is_deleted})"
            );
            let line = said.lines().find(|line| line.contains(id.as_str())).unwrap();
            assert!(line.ends_with(&format!(", reply to {thread}")), "{line}");
        }
    }
}

/// For example, a draft for a person or conversation that the employee does not see is refused (A-007, D-370).
#[both_engines]
async fn a_draft_with_an_invalid_destination_or_thread_or_text_is_refused(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let ben = company.person().await;
    let deactivated = company.person().await;
    company.set_state(&deactivated, "deactivated").await;
    let hidden = company.guest(false).await;
    let bot = company.bot(&server).await;
    let never_joined = company.group(&[&ben]).await;
    let other = server.company().await;
    let foreign = other.group(&[&other.admin]).await;
    let own = company.group(&[ann.id()]).await;
    let elsewhere = company.post(&never_joined, &ben, "x").await;
    for (arguments, code) in [
        (json!({"conversation": never_joined}), "conversation_not_found"),
        (json!({"conversation": foreign}), "conversation_not_found"),
        (json!({"person": other.admin}), "user_not_found"),
        (json!({"person": hidden}), "user_not_found"),
        (json!({"person": deactivated}), "user_deactivated"),
        (json!({"person": ann.id()}), "invalid_request"),
        (json!({"person": bot.user_id}), "invalid_request"),
        (json!({"conversation": own, "thread_id": elsewhere}), "invalid_request"),
        (json!({}), "invalid_request"),
    ] {
        let mut arguments = arguments;
        arguments["text"] = "hello".into();
        ann.fails("draft_message", arguments, code).await;
    }
    let said = ann.fails("draft_message", json!({"conversation": own}), "invalid_request").await;
    assert!(said.contains("needs a text"), "a new draft needs a text: {said}");
    let long = ann.invalid("draft_message", json!({"conversation": own, "text": "x".repeat(4001)})).await;
    assert_eq!(long, "`text` must be a text of 1 to 4000 characters");
    ann.drafts(json!({"conversation": own, "text": "ü".repeat(4000)})).await;
}

#[both_engines]
async fn a_repeated_call_with_an_idempotency_key_is_carried_out_once(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let group = company.group(&[ann.id()]).await;
    let call = json!({"conversation": group, "text": "once", "idempotency_key": "key-1"});
    let calls = (0..10).map(|_| ann.ok("draft_message", call.clone()));
    let made = futures_util::future::join_all(calls).await;
    assert!(made.iter().all(|draft| draft == &made[0]), "every call returns the same draft: {made:?}");
    assert_eq!(ann.ok("list_drafts", json!({})).await["drafts"].as_array().unwrap().len(), 1);
    let mut other = call.clone();
    other["text"] = "another".into();
    let said = ann.fails("draft_message", other, "idempotency_key_reused").await;
    assert!(said.contains("new key"), "the error asks for a new key: {said}");
    let id = text(&made[0], "/draft/id");
    ann.fails("discard_draft", json!({"draft_id": id, "idempotency_key": "key-1"}), "idempotency_key_reused")
        .await;
    let discard = json!({"draft_id": id, "idempotency_key": "key-2"});
    let first = ann.ok("discard_draft", discard.clone()).await;
    assert_eq!(ann.ok("discard_draft", discard).await, first);
    // a repeated call reports the state of the draft that the first call created
    let said = ann.fails("draft_message", call.clone(), "not_found").await;
    assert!(said.contains("discarded"), "the error says that the draft was discarded: {said}");
    let mut sent = call.clone();
    sent["idempotency_key"] = "key-3".into();
    let draft = text(&ann.ok("draft_message", sent.clone()).await, "/draft/id");
    ann.ok("send_draft", json!({"draft_id": draft})).await;
    let said = ann.fails("draft_message", sent, "conflict").await;
    assert!(said.contains("already sent"), "the error says that the draft was sent: {said}");
    // another employee has separate keys
    let ben = server.assistant(&company, "Ben Example").await;
    company.add(&group, ben.id()).await;
    ben.ok("draft_message", call.clone()).await;
    // Another client of the same employee has separate keys too. A client that is connected again keeps its keys. A key
    // expires after a day.
    let client = server.client().await;
    let connect = async || server.assistant_by(&ann.employee, &ann.employee.connect(&server, &client).await);
    let made = connect().await.ok("draft_message", call.clone()).await;
    assert_eq!(connect().await.ok("draft_message", call.clone()).await, made);
    server.advance(Duration::from_secs(24 * 60 * 60 + 1)).await;
    let again = connect().await.ok("draft_message", call).await;
    assert_ne!(text(&again, "/draft/id"), text(&made, "/draft/id"), "a key expires after a day");
}

/// Stores an idempotency key as an earlier version of the server did: for the employee, without the client.
struct LegacyKey {
    owner: (WorkspaceId, UserId),
    hashes: (Hash, Hash),
    draft: DraftId,
    now: Timestamp,
}

impl Op for LegacyKey {
    const NAME: &'static str = "store_an_old_key";
    type Out = bool;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<bool> {
        let Self { owner, hashes: (key, fingerprint), draft, now } = self;
        drafts::claim_key(c, *owner, (key, key), fingerprint, *draft, *now, Timestamp(0)).await
    }
}

#[both_engines]
async fn each_client_has_its_own_keys(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let second = server.assistant_of(&ann.employee).await;
    let group = company.group(&[ann.id()]).await;
    let call = |words: &str, key: &str| json!({"conversation": group, "text": words, "idempotency_key": key});
    let one = text(&ann.ok("draft_message", call("one", "key-1")).await, "/draft/id");
    let other = text(&second.ok("draft_message", call("other", "key-1")).await, "/draft/id");
    let same = text(&second.ok("draft_message", call("same", "key-2")).await, "/draft/id");
    assert_ne!(text(&ann.ok("draft_message", call("same", "key-2")).await, "/draft/id"), same);
    let send = |draft: &str| json!({"draft_id": draft, "idempotency_key": "send"});
    ann.ok("send_draft", send(&one)).await;
    assert_eq!(second.ok("send_draft", send(&other)).await["replayed"], false);
    assert_eq!(second.ok("send_draft", send(&other)).await["replayed"], true);
    // a client that is connected again keeps its keys
    let client = server.client().await;
    let tokens = ann.employee.connect(&server, &client).await;
    let third = server.assistant_by(&ann.employee, &tokens);
    let made = third.ok("draft_message", call("again", "key-3")).await;
    let tokens = ann.employee.connect(&server, &client).await;
    let third = server.assistant_by(&ann.employee, &tokens);
    assert_eq!(third.ok("draft_message", call("again", "key-3")).await, made);
    third.fails("draft_message", call("different", "key-3"), "idempotency_key_reused").await;

    // a key that an earlier version of the server stored is valid for all of the employee's clients
    let world = server.running().world();
    // the fingerprint is computed from the arguments, in which the tool's name replaces the value of `idempotency_key`
    let mut fingerprinted = call("same", "key-old");
    fingerprinted["idempotency_key"] = "draft_message".into();
    let old = LegacyKey {
        owner: (WorkspaceId::parse(&company.id).unwrap(), UserId::parse(ann.id()).unwrap()),
        hashes: (key_hash("key-old"), fingerprint(&fingerprinted)),
        draft: DraftId::parse(&same).unwrap(),
        now: world.clock.now(),
    };
    assert!(world.db.write(old).await.unwrap());
    for assistant in [&ann, &second, &third] {
        let repeated = assistant.ok("draft_message", call("same", "key-old")).await;
        assert_eq!(text(&repeated, "/draft/id"), same);
        assistant.fails("draft_message", call("new", "key-old"), "idempotency_key_reused").await;
    }
    server.advance(Duration::from_secs(24 * 60 * 60 + 1)).await;
    let ann = server.assistant_of(&ann.employee).await;
    assert_ne!(text(&ann.ok("draft_message", call("same", "key-old")).await, "/draft/id"), same);
}

#[both_engines]
async fn drafts_are_limited_and_sent_drafts_are_deleted(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let group = company.group(&[ann.id()]).await;
    for _ in 0..195 {
        ann.drafts(json!({"conversation": group, "text": "x"})).await;
    }
    let calls = (0..20).map(|_| ann.call("draft_message", json!({"conversation": group, "text": "x"})));
    let results = futures_util::future::join_all(calls).await;
    let made =
        results.iter().filter(|result| matches!(result, Called::Answered { is_error: false, .. })).count();
    assert_eq!(made, 5, "concurrent calls do not exceed the limit of 200 drafts: {results:?}");
    let said = ann.fails("draft_message", json!({"conversation": group, "text": "x"}), "conflict").await;
    assert!(said.contains("send or discard"), "the error says what to do: {said}");
    let list = ann.ok("list_drafts", json!({"limit": 1})).await;
    let id = text(&list, "/drafts/0/id");
    ann.ok("send_draft", json!({"draft_id": id})).await;
    ann.drafts(json!({"conversation": group, "text": "y"})).await;
    // a sent draft is deleted after a week
    ann.fails("send_draft", json!({"draft_id": id}), "conflict").await;
    server.advance(Duration::from_secs(7 * 24 * 60 * 60 + 1)).await;
    let ann = server.assistant_of(&ann.employee).await;
    ann.fails("send_draft", json!({"draft_id": id}), "not_found").await;
}
