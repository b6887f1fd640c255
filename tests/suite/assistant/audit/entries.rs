//! The content of an audit entry, who may read it, filters and pages (W-50).

use std::time::Duration;

use serde_json::{Value, json};
use switchboard::{
    domain::{
        ids::{UserId, WorkspaceId},
        tool_calls::ToolOutcome,
    },
    store::{ReadOp, ReadSql, Result, tool_calls},
};

use super::{AuditedAssistant, listed, tools};
use crate::support::{Server, api::Api, assistant::*, both_engines, operations::encoded};

const OK: ToolOutcome = ToolOutcome::Ok;

/// Reads a list page by page, and returns its calls.
async fn listed_page_by_page(api: &Api, path: &str, limit: usize) -> Vec<Value> {
    let (mut all, mut cursor) = (Vec::new(), String::new());
    let separator = if path.contains('?') { '&' } else { '?' };
    loop {
        let page = api.get(&format!("{path}{separator}limit={limit}{cursor}")).ok(200).await;
        let found = page["tool_calls"].as_array().unwrap();
        assert!(found.len() <= limit);
        all.extend(found.iter().cloned());
        let Some(next) = page["next_cursor"].as_str() else { return all };
        cursor = format!("&cursor={next}");
    }
}

#[both_engines]
async fn an_entry_has_ids_and_names_and_no_text(server: Server) {
    let assistant = AuditedAssistant::new(&server).await;
    let person = assistant.employee.id.clone();
    let secret = "we meet at 8 behind the old mill".to_owned();
    assistant.record_call_about(&server, "read_messages", OK, &[person.clone(), secret.clone()]).await;
    let refused = ToolOutcome::Refused("not_in_conversation");
    assistant.record_call_about(&server, &secret, refused, &[]).await;
    let calls = assistant.listed("").await;
    assert!(!json!(calls).to_string().contains("old mill"));
    let [second, first] = &calls[..] else { panic!("{calls:?}") };
    let id = first["id"].as_str().unwrap();
    assert!(id.starts_with("tlc_") && id != second["id"]);
    assert_eq!(
        *first,
        json!({
            "id": id, "user_id": assistant.employee.id, "connection_id": assistant.who.connection_id().encode(),
            "client_id": assistant.client.id, "display_name": "Calendar Helper", "tool": "read_messages",
            "outcome": "ok", "error_code": null, "targets": [person], "more_targets": 1, "latency_us": 412,
            "at": "2026-11-20T12:00:00.000Z",
        })
    );
    assert_eq!(second["tool"], "unknown");
    assert_eq!(
        (&second["outcome"], &second["error_code"]),
        (&json!("refused"), &json!("not_in_conversation"))
    );
    assert_eq!((&second["targets"], &second["more_targets"]), (&json!([]), &json!(0)));
}

#[both_engines]
async fn an_entry_names_at_most_twenty_targets(server: Server) {
    let assistant = AuditedAssistant::new(&server).await;
    let ids: Vec<String> = (0..1_000).map(|n| UserId(n).encode()).collect();
    assistant.record_call_about(&server, "list_people", OK, &ids).await;
    let call = assistant.listed("").await.remove(0);
    assert_eq!(call["targets"], json!(ids[..20]));
    assert_eq!(call["more_targets"], 980);
}

#[both_engines]
async fn employees_see_their_own_calls_and_admins_all(server: Server) {
    let one = AuditedAssistant::new(&server).await;
    let company = &one.employee.company;
    let two = AuditedAssistant::of(&server, company).await;
    let stranger = AuditedAssistant::new(&server).await;
    one.record_call(&server, "list_people", OK).await;
    two.record_call(&server, "send_draft", OK).await;
    stranger.record_read(&server).await;
    let path = one.path("");
    let of = |assistant: &AuditedAssistant| format!("{path}?user_id={}", assistant.employee.id);
    // the operator may read the audit log of every company
    assert_eq!(tools(&listed(&company.operator, &path).await), ["send_draft", "list_people"]);
    assert_eq!(tools(&stranger.listed("").await), ["read_messages"]);
    // people may read their own calls; the filter `user_id` with their own id changes nothing
    let own = one.employee.session(&server).await;
    for path in [&path, &of(&one)] {
        assert_eq!(tools(&listed(&own, path).await), ["list_people"]);
    }
    own.get(&of(&two)).refused(403, "forbidden").await;
    own.get(&format!("{path}?user_id=usr_x")).refused(403, "forbidden").await;
    let through = format!("{path}?connection_id={}", two.who.connection_id().encode());
    assert!(listed(&own, &through).await.is_empty());
    // people of other companies get 404; for an unknown company everybody gets 404
    let other = stranger.employee.session(&server).await;
    other.get(&path).refused(404, "not_found").await;
    other.get("/admin/v1/workspaces/cmp_0000000000001/tool_calls").refused(404, "not_found").await;
    company.operator.get("/admin/v1/workspaces/cmp_0000000000001/tool_calls").refused(404, "not_found").await;
    server.api().get(&path).refused(401, "not_authed").await;
    // an admin may read all calls of the company, and no calls of another company
    company.update_user(&one.employee.id, json!({"is_admin": true})).await;
    let admin = one.employee.session(&server).await;
    assert_eq!(listed(&admin, &path).await.len(), 2);
    assert_eq!(tools(&listed(&admin, &of(&two)).await), ["send_draft"]);
    assert!(listed(&admin, &of(&stranger)).await.is_empty());
    admin.get(&stranger.path("")).refused(404, "not_found").await;
    // the calls of a removed person are kept
    company.set_state(&two.employee.id, "removed").await;
    assert_eq!(listed(&admin, &of(&two)).await.len(), 1);
}

#[both_engines]
async fn filters_select_calls(server: Server) {
    let one = AuditedAssistant::new(&server).await;
    let two = AuditedAssistant::of(&server, &one.employee.company).await;
    one.record_call(&server, "read_messages", OK).await;
    server.clock.advance(MINUTE);
    one.record_call(&server, "send_draft", ToolOutcome::Refused("conflict")).await;
    two.record_call(&server, "send_draft", OK).await;
    server.clock.advance(MINUTE);
    two.record_call(&server, "read_messages", ToolOutcome::Failed("internal_error")).await;
    let at = |minutes: u64| (server.clock.now() - (2 - minutes as u32) * MINUTE).to_rfc3339();
    let (user, client) = (&one.employee.id, encoded(&two.client.id));
    let connection = one.who.connection_id().encode();
    for (query, expected) in [
        (String::new(), vec!["read_messages", "send_draft", "send_draft", "read_messages"]),
        (format!("?user_id={user}"), vec!["send_draft", "read_messages"]),
        (format!("?client_id={client}"), vec!["read_messages", "send_draft"]),
        (format!("?connection_id={connection}"), vec!["send_draft", "read_messages"]),
        ("?tool=send_draft".to_owned(), vec!["send_draft", "send_draft"]),
        ("?outcome=ok".to_owned(), vec!["send_draft", "read_messages"]),
        ("?outcome=refused".to_owned(), vec!["send_draft"]),
        ("?outcome=failed".to_owned(), vec!["read_messages"]),
        (format!("?since={}", at(1)), vec!["read_messages", "send_draft", "send_draft"]),
        (format!("?until={}", at(1)), vec!["read_messages"]),
        (format!("?since={}&until={}", at(1), at(2)), vec!["send_draft", "send_draft"]),
        // several filters
        (format!("?user_id={user}&tool=send_draft&outcome=refused"), vec!["send_draft"]),
        (format!("?user_id={user}&client_id={client}"), vec![]),
        (format!("?client_id={client}&tool=send_draft&since={}", at(1)), vec!["send_draft"]),
        ("?outcome=failed&tool=send_draft".to_owned(), vec![]),
        (format!("?connection_id={connection}&until={}", at(1)), vec!["read_messages"]),
        (
            format!("?connection_id={connection}&user_id={}", one.employee.id),
            vec!["send_draft", "read_messages"],
        ),
        (format!("?connection_id={connection}&user_id={}", two.employee.id), vec![]),
        // values without a match
        ("?user_id=usr_x".to_owned(), vec![]),
        ("?user_id=usr_0000000000000".to_owned(), vec![]),
        ("?connection_id=con_x".to_owned(), vec![]),
        ("?connection_id=con_0000000000000".to_owned(), vec![]),
        ("?client_id=mcpc_x".to_owned(), vec![]),
        ("?tool=dance".to_owned(), vec![]),
    ] {
        let found = one.listed(&query).await;
        assert_eq!(tools(&found), expected, "{query}");
        // reading the list in pages of one call returns the same calls
        assert_eq!(
            listed_page_by_page(&one.employee.company.operator, &one.path(&query), 1).await,
            found,
            "{query}"
        );
    }
    for wrong in ["outcome=good", "since=yesterday", "until=1", "tool=", "limit=0", "user_id="] {
        let path = one.path(&format!("?{wrong}"));
        one.employee.company.operator.get(&path).refused(400, "invalid_request").await;
    }
}

#[both_engines]
async fn later_calls_do_not_shift_the_pages_of_a_list(server: Server) {
    let assistant = AuditedAssistant::new(&server).await;
    let operator = &assistant.employee.company.operator;
    for n in 0..7 {
        // several calls with the same time, and calls with different times
        if n % 3 == 0 {
            server.clock.advance(Duration::from_millis(1));
        }
        assistant.record_call_about(&server, "get_person", OK, &[UserId(n).encode()]).await;
    }
    let before = assistant.listed("").await;
    assert_eq!(before.len(), 7);
    let mut path = assistant.path("?limit=2");
    let mut seen = Vec::new();
    loop {
        let page = operator.get(&path).ok(200).await;
        seen.extend(page["tool_calls"].as_array().unwrap().clone());
        let Some(next) = page["next_cursor"].as_str() else { break };
        assistant.record_read(&server).await;
        path = assistant.path(&format!("?limit=2&cursor={next}"));
    }
    assert_eq!(seen, before, "every earlier call is listed once, and no later call");
    // a cursor is valid only with the filters and the caller of the request that returned it
    let page = operator.get(&assistant.path("?limit=2&tool=get_person")).ok(200).await;
    let next = page["next_cursor"].as_str().expect("a cursor");
    for other in ["", "&tool=read_messages", "&tool=get_person&outcome=ok"] {
        let path = assistant.path(&format!("?limit=2&cursor={next}{other}"));
        operator.get(&path).refused(400, "invalid_cursor").await;
    }
    let own = assistant.employee.session(&server).await;
    own.get(&assistant.path(&format!("?tool=get_person&cursor={next}"))).refused(400, "invalid_cursor").await;
    operator.get(&assistant.path("?cursor=x")).refused(400, "invalid_cursor").await;
}

/// Reads the clients that the audit page offers as a filter. These are the clients with which a person of a company is
/// or was connected.
struct ClientsOf(WorkspaceId, UserId);

impl ReadOp for ClientsOf {
    const NAME: &'static str = "test_clients_of";
    type Out = Vec<(String, String)>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        tool_calls::clients(c, self.0, Some(self.1), 10).await
    }
}

#[both_engines]
async fn a_company_lists_only_the_clients_connected_in_it(server: Server) {
    let (assistant, other) = (AuditedAssistant::new(&server).await, server.company().await);
    let user = UserId::parse(&assistant.employee.id).unwrap();
    let db = &server.running().world().db;
    for (company, count) in [(&assistant.employee.company, 1), (&other, 0)] {
        let workspace = WorkspaceId::parse(&company.id).unwrap();
        assert_eq!(db.read(ClientsOf(workspace, user)).await.unwrap().len(), count);
    }
}
