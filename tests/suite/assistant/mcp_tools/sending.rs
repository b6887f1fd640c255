//! Sending drafts: once, as the employee, with the label of the connection.

use serde_json::{Value, json};

use crate::support::{Server, both_engines, text, tools::Called};

// the label of the message is the display name of the client that sent it
#[both_engines]
async fn a_draft_is_sent_as_the_employee_with_the_connection_s_label(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let ben = server.assistant(&company, "Ben Example").await;
    let group = company.conversation(json!({"name": "Plans", "member_ids": [ann.id(), ben.id()]})).await;
    let parent = company.post(&group, ben.id(), "when?").await;
    let id = ann.drafts(json!({"conversation": group, "thread_id": parent, "text": "at noon"})).await;
    let (sent, said) = ann.both("send_draft", json!({"draft_id": id})).await;
    let message = text(&sent, "/message/id");
    assert!(
        said.contains("in #Plans (grp_") && said.contains("> at noon"),
        "the result's text quotes the sent message: {said}"
    );
    assert_eq!(
        (&sent["replayed"], &sent["message"]["via_label"]),
        (&json!(false), &json!("Calendar Helper"))
    );
    let full = company.message(&group, &message).await;
    assert_eq!((&full["user_id"], &full["via_label"]), (&json!(ann.id()), &json!("Calendar Helper")));
    assert_eq!(
        (&full["text"], &full["thread_id"], &full["type"]),
        (&json!("at noon"), &json!(parent), &json!("text"))
    );
    let (read, said) = ben.both("read_messages", json!({"conversation": group})).await;
    assert_eq!(read["messages"][0]["via_label"], "Calendar Helper");
    assert!(said.contains(", via Calendar Helper"), "the result's text shows the label: {said}");
    assert_eq!(ben.found(json!({"query": "noon"})).await, ["at noon"]);
    assert_eq!(ann.ok("list_drafts", json!({})).await["drafts"], json!([]));

    // D-369: a draft is sent once; a second call gets an error with the id of the sent message
    let said = ann.fails("send_draft", json!({"draft_id": id}), "conflict").await;
    assert!(said.contains(&format!("already sent as {message}")), "the error names the sent message: {said}");
    for tool in ["discard_draft", "draft_message"] {
        let said = ann.fails(tool, json!({"draft_id": id}), "conflict").await;
        assert!(said.contains("already sent"), "the error says that the draft was sent: {said}");
    }

    // the label is stored with each message, so the label of a second client does not change the first message
    let other = server.client_named("Other Helper").await;
    let tokens = ann.employee.connect(&server, &other).await;
    let second = server.assistant_by(&ann.employee, &tokens);
    let id = second.drafts(json!({"conversation": group, "text": "again"})).await;
    let sent = second.ok("send_draft", json!({"draft_id": id})).await;
    assert_eq!(sent["message"]["via_label"], "Other Helper");
    assert_eq!(company.message(&group, &message).await["via_label"], "Calendar Helper");
    // a message that a person posts has no label
    let own = company.post(&group, ann.id(), "by hand").await;
    assert_eq!(company.message(&group, &own).await["via_label"], json!(null));
}

#[both_engines]
async fn the_first_message_to_a_person_creates_the_direct_conversation(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let ben = server.assistant(&company, "Ben Example").await;
    let mut conversations = Vec::new();
    for words in ["first", "second"] {
        let id = ann.drafts(json!({"person": ben.id(), "text": words})).await;
        conversations
            .push(text(&ann.ok("send_draft", json!({"draft_id": id})).await, "/message/conversation_id"));
    }
    let back = ben.drafts(json!({"person": ann.id(), "text": "third"})).await;
    conversations
        .push(text(&ben.ok("send_draft", json!({"draft_id": back})).await, "/message/conversation_id"));
    assert!(
        conversations[0].starts_with("dm_")
            && conversations.iter().all(|conversation| *conversation == conversations[0]),
        "both people write in one direct conversation: {conversations:?}"
    );
    assert_eq!(company.direct_conversations().await, [conversations[0].clone()]);
    let read = ben.ok("read_messages", json!({"person": ann.id()})).await;
    let texts: Vec<_> = read["messages"].as_array().unwrap().iter().map(|m| text(m, "/text")).collect();
    assert_eq!(texts, ["third", "second", "first"]);
    // a draft is not sent if its recipient was deactivated after the draft was written
    let late = ann.drafts(json!({"person": ben.id(), "text": "late"})).await;
    company.set_state(ben.id(), "deactivated").await;
    ann.fails("send_draft", json!({"draft_id": late}), "user_deactivated").await;
    assert_eq!(ann.ok("list_drafts", json!({})).await["drafts"].as_array().unwrap().len(), 1);
}

#[both_engines]
async fn sending_follows_the_rules_of_a_person_s_message(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let draft = |conversation: String| {
        let ann = ann.clone();
        async move { ann.drafts(json!({"conversation": conversation, "text": "hello"})).await }
    };
    let archived = company.group(&[ann.id()]).await;
    let announcements = company.group(&[ann.id()]).await;
    let left = company.group(&[ann.id()]).await;
    let deleted = company.group(&[ann.id()]).await;
    let mut waiting = Vec::new();
    for conversation in [&archived, &announcements, &left, &deleted] {
        waiting.push(draft(conversation.clone()).await);
    }
    company.archive(&archived, true).await;
    company.update_conversation(&announcements, json!({"announcement_only": true})).await;
    company.remove(&left, ann.id()).await;
    company.delete_conversation(&deleted).await;
    let codes = [
        "conversation_archived",
        "not_allowed_in_conversation",
        "not_in_conversation",
        "conversation_not_found",
    ];
    for (id, code) in waiting.iter().zip(codes) {
        ann.fails("send_draft", json!({"draft_id": id}), code).await;
    }
    // drafts that cannot be sent remain, and can be sent to another destination
    let list = ann.ok("list_drafts", json!({})).await;
    assert_eq!(list["drafts"].as_array().unwrap().len(), 4);
    let without_conversation =
        list["drafts"].as_array().unwrap().iter().find(|d| d["id"] == waiting[3].as_str()).unwrap();
    assert_eq!(without_conversation["conversation"], json!(null));
    let open = company.group(&[ann.id()]).await;
    ann.ok("draft_message", json!({"draft_id": waiting[3], "conversation": open})).await;
    ann.ok("send_draft", json!({"draft_id": waiting[3]})).await;
    company.archive(&archived, false).await;
    ann.ok("send_draft", json!({"draft_id": waiting[0]})).await;
    // a reply to a deleted message is not sent
    let parent = company.post(&open, ann.id(), "parent").await;
    let reply = ann.drafts(json!({"conversation": open, "thread_id": parent, "text": "x"})).await;
    company.erase(&parent).await;
    let said = ann.fails("send_draft", json!({"draft_id": reply}), "invalid_request").await;
    assert!(said.contains("thread_id"), "the error names the argument: {said}");
    // an admin may post in an announcement-only conversation
    company.update_user(ann.id(), json!({"is_admin": true})).await;
    ann.ok("send_draft", json!({"draft_id": waiting[1]})).await;
}

/// Calls `send_draft` for one draft 50 times at once, from two clients of one employee, with the idempotency key `key`
/// if it is given. Returns the results and the posted messages.
async fn send_fifty_times(server: &Server, key: Option<&str>) -> (Vec<Called>, Vec<Value>) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let second = server.assistant_of(&ann.employee).await;
    let group = company.group(&[ann.id()]).await;
    let id = ann.drafts(json!({"conversation": group, "text": "only once"})).await;
    let mut call = json!({"draft_id": id});
    if let Some(key) = key {
        call["idempotency_key"] = key.into();
    }
    let calls = (0..50).map(|n| {
        let (caller, call) = (if n % 2 == 0 { ann.clone() } else { second.clone() }, call.clone());
        tokio::spawn(async move { caller.call("send_draft", call).await })
    });
    let results = futures_util::future::join_all(calls).await;
    let mut messages = company.messages(&group).await;
    messages.retain(|message| message["text"] == "only once");
    (results.into_iter().map(Result::unwrap).collect(), messages)
}

// D-369: one call sends the draft; every other call gets the error that the draft was already sent
#[both_engines]
async fn fifty_calls_at_once_send_once(server: Server) {
    let (results, messages) = send_fifty_times(&server, None).await;
    assert_eq!(messages.len(), 1);
    let sent =
        results.iter().filter(|result| matches!(result, Called::Answered { is_error: false, .. })).count();
    let already = |result: &&Called| matches!(result, Called::Answered { is_error: true, text, .. } if text.contains("already sent"));
    assert_eq!((sent, results.iter().filter(already).count()), (1, 49));
}

#[both_engines]
async fn fifty_calls_with_keys_of_two_clients_send_once(server: Server) {
    let (results, messages) = send_fifty_times(&server, Some("key")).await;
    assert_eq!(messages.len(), 1);
    let (mut fresh, mut replayed, mut refused) = (0, 0, 0);
    for result in results {
        match result {
            Called::Answered { structured, is_error: false, .. } => {
                assert_eq!(structured["message"]["id"], messages[0]["id"]);
                fresh += usize::from(structured["replayed"] == false);
                replayed += usize::from(structured["replayed"] == true);
            }
            // each client has its own keys, so the calls of the client that did not send the draft are not replays
            Called::Answered { text, .. } if text.contains("already sent") => refused += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((fresh, replayed, refused), (1, 24, 25));
}

#[both_engines]
async fn a_key_cannot_be_used_for_another_draft(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let group = company.group(&[ann.id()]).await;
    let mut ids = Vec::new();
    for words in ["one", "two"] {
        ids.push(ann.drafts(json!({"conversation": group, "text": words})).await);
    }
    let first = ann.ok("send_draft", json!({"draft_id": ids[0], "idempotency_key": "k"})).await;
    ann.fails("send_draft", json!({"draft_id": ids[1], "idempotency_key": "k"}), "idempotency_key_reused")
        .await;
    ann.fails("send_draft", json!({"draft_id": ids[0], "idempotency_key": "other"}), "conflict").await;
    // a replay returns the message, even if the conversation was archived after the first call
    company.archive(&group, true).await;
    let again = ann.ok("send_draft", json!({"draft_id": ids[0], "idempotency_key": "k"})).await;
    assert_eq!((&again["message"], &again["replayed"]), (&first["message"], &json!(true)));
    // a failed call does not use up its key
    ann.fails("send_draft", json!({"draft_id": ids[1], "idempotency_key": "k2"}), "conversation_archived")
        .await;
    company.archive(&group, false).await;
    ann.ok("send_draft", json!({"draft_id": ids[1], "idempotency_key": "k2"})).await;
}

/// D-370: a replay shows only what the employee sees at the time of the replay.
#[both_engines]
async fn a_replay_returns_the_current_state_of_the_message(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let group = company.group(&[ann.id()]).await;
    let draft = ann.drafts(json!({"conversation": group, "text": "at noon"})).await;
    let call = json!({"draft_id": draft, "idempotency_key": "k"});
    let first = ann.ok("send_draft", call.clone()).await;
    let message = text(&first, "/message/id");
    let replay = async || {
        let (again, said) = ann.both("send_draft", call.clone()).await;
        assert_eq!((&again["status"], &again["replayed"]), (&json!("sent"), &json!(true)), "{again}");
        assert_eq!(
            again["message"]["id"], first["message"]["id"],
            "the replay returns the message of the first call"
        );
        assert!(said.contains(&message), "the result's text has the id of the message: {said}");
        (again["message"]["text"].clone(), said)
    };

    let edit = company.operator.patch(&format!("/admin/v1/messages/{message}"));
    edit.json(&json!({"text": "at one"})).ok(200).await;
    let (words, said) = replay().await;
    assert_eq!(words, "at one", "the replay has the current text of an edited message");
    assert!(
        said.contains("> at one") && !said.contains("at noon"),
        "the result's text shows the edit: {said}"
    );

    company.remove(&group, ann.id()).await;
    let (words, said) = replay().await;
    assert_eq!(words, json!(null), "the employee does not see the messages of a conversation that they left");
    assert!(
        said.contains("no longer sees") && !said.contains("> "),
        "the result's text says that the employee no longer sees the message: {said}"
    );
    company.add(&group, ann.id()).await;

    // No tool returns the stored text of a sent draft. So the statement copies this text to the message, and the next
    // assertion reads the message.
    let sql = "UPDATE messages SET text = (SELECT text FROM drafts) WHERE text = 'at one'";
    server.database.execute(sql).await;
    assert_eq!(company.message(&group, &message).await["text"], "", "the text of a sent draft is deleted");

    company.erase(&message).await;
    let (words, said) = replay().await;
    assert_eq!(words, json!(null), "a deleted message has no text");
    assert!(
        said.contains("no longer sees"),
        "somebody who left and joined again does not learn of a later deletion (D-370): {said}"
    );
    company.remove(&group, ann.id()).await;
    let (words, said) = replay().await;
    assert_eq!(words, json!(null));
    assert!(
        said.contains("no longer sees"),
        "somebody who left does not learn of a later deletion (D-370): {said}"
    );
}

/// D-370: if the sent message was deleted, a replay reports the deletion and the label that the message had.
#[both_engines]
async fn a_replay_says_that_the_message_was_deleted(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let group = company.group(&[ann.id()]).await;
    let draft = ann.drafts(json!({"conversation": group, "text": "at noon"})).await;
    let call = json!({"draft_id": draft, "idempotency_key": "k"});
    let first = ann.ok("send_draft", call.clone()).await;
    company.erase(&text(&first, "/message/id")).await;
    let (again, said) = ann.both("send_draft", call).await;
    let (message, before) = (&again["message"], &first["message"]);
    assert_eq!((&again["status"], &again["replayed"]), (&json!("sent"), &json!(true)), "{again}");
    assert_eq!((&message["id"], &message["text"]), (&before["id"], &json!(null)), "{again}");
    assert_eq!(message["via_label"], before["via_label"], "{again}");
    assert!(said.contains("was deleted") && !said.contains("> "), "the result reports the deletion: {said}");
}

/// D-370: the members and messages of a deleted conversation are still stored, but nobody sees them.
#[both_engines]
async fn a_replay_has_no_text_of_a_deleted_conversation(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let ben = company.person().await;
    let group = company.group(&[ann.id()]).await;
    for to in [json!({"conversation": group}), json!({"person": ben})] {
        let mut draft = to;
        draft["text"] = "at noon".into();
        let id = ann.drafts(draft).await;
        let call = json!({"draft_id": id, "idempotency_key": id});
        let first = ann.ok("send_draft", call.clone()).await;
        assert_eq!(ann.ok("send_draft", call.clone()).await["message"]["text"], "at noon");
        company.delete_conversation(&text(&first, "/message/conversation_id")).await;
        let (again, said) = ann.both("send_draft", call).await;
        let message = &again["message"];
        assert_eq!((&again["status"], &again["replayed"]), (&json!("sent"), &json!(true)), "{again}");
        assert_eq!((&message["id"], &message["text"]), (&first["message"]["id"], &json!(null)), "{again}");
        assert!(
            said.contains("no longer sees") && !said.contains("at noon"),
            "the result's text says that the employee no longer sees the message: {said}"
        );
    }
}

#[both_engines]
async fn a_reply_to_a_deleted_message_gets_an_error_with_remedies(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let group = company.group(&[ann.id()]).await;
    let first = company.post(&group, ann.id(), "when?").await;
    let reply = json!({"conversation": group, "thread_id": first, "text": "at noon"});
    let draft = ann.drafts(reply.clone()).await;
    company.erase(&first).await;
    let said = ann.fails("send_draft", json!({"draft_id": draft}), "invalid_request").await;
    assert!(
        said.contains("was deleted") && said.contains("without thread_id") && said.contains("discard"),
        "the error suggests both remedies: {said}"
    );
    // nothing was sent; each of the two remedies that the error message suggests succeeds
    assert_eq!(ann.reads(&group).await.len(), 0);
    ann.ok("discard_draft", json!({"draft_id": draft})).await;
    ann.fails("draft_message", reply, "invalid_request").await;
    let draft = ann.drafts(json!({"conversation": group, "text": "at noon"})).await;
    ann.ok("send_draft", json!({"draft_id": draft})).await;
}

/// D-370: a draft can reply only to a message that the employee sees. `draft_message` and `send_draft` reject every
/// other message, and reveal nothing about messages of a conversation that the employee has left.
#[both_engines]
async fn a_draft_replies_only_to_a_message_that_the_employee_sees(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let ben = company.person().await;
    let group = company.group(&[ann.id(), &ben]).await;
    let earlier = company.post(&group, &ben, "when?").await;
    let reply = ann.drafts(json!({"conversation": group, "thread_id": earlier, "text": "at noon"})).await;
    let plain = ann.drafts(json!({"conversation": group, "text": "at one"})).await;

    company.remove(&group, ann.id()).await;
    let later = company.post(&group, &ben, "after Ann left").await;
    for thread in [&earlier, &later] {
        let change = json!({"draft_id": plain, "thread_id": thread});
        ann.fails("draft_message", change, "not_in_conversation").await;
    }

    company.add(&group, ann.id()).await;
    let refused = async || ann.fails("send_draft", json!({"draft_id": reply}), "invalid_request").await;
    let said = refused().await;
    assert!(said.contains("no longer visible"), "the error says that the message is not visible: {said}");
    company.erase(&earlier).await;
    assert_eq!(refused().await, said, "somebody who joined again does not learn of a later deletion");
    assert!(!company.messages(&group).await.iter().any(|message| message["text"] == "at noon"));
    for thread in [&earlier, &later] {
        let change = json!({"draft_id": plain, "thread_id": thread});
        ann.fails("draft_message", change, "invalid_request").await;
    }
    ann.ok("send_draft", json!({"draft_id": plain})).await;

    let other = ann.drafts(json!({"conversation": group, "text": "too late"})).await;
    let last = company.post(&group, &ben, "last").await;
    company.delete_conversation(&group).await;
    let change = json!({"draft_id": other, "thread_id": last});
    ann.fails("draft_message", change, "conversation_not_found").await;
}
