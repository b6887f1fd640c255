//! A person is deactivated while a write of this person is delayed. The write does not take effect after the response
//! to the deactivation, even if the delay is long.
//!
//! On PostgreSQL every write on behalf of a person takes the lock of that person. One test takes the lock, waits until
//! the transaction of a request waits for the lock, deactivates the person, and releases the lock. SQLite has no such
//! lock. So a second test, on both engines, sends the body of each request after the deactivation. A third test removes
//! a person while an assistant creates a draft for the person.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};
use sqlx::PgConnection;
use switchboard::domain::ids::UserId;

use super::{
    first,
    meanwhile::waiting,
    revoked_reads::{lock_messages, wait_for_blocked_statements},
};
use crate::{
    admin::sessions::{sign_in, with_password},
    support::{both_engines, wire::asked, *},
};

const EMAIL: &str = "ada@revoked.example";

/// A write of the admin API.
struct Write {
    operation: &'static str,
    method: Method,
    path: String,
    body: Option<Value>,
}

/// Returns the writes of the admin API that accept a person's session. Some accept every person, others only admins.
/// The sign-out is left out, because it ends the caller's own session.
async fn writes(company: &Company, ada: &str, server: &Server) -> Vec<Write> {
    let (person, other) = (company.person().await, company.person().await);
    let bot = company.bot(server).await;
    let group = company.group(&[ada, &person]).await;
    let message = company.post(&group, ada, "as it was").await;
    let file = company.file(ada, "a.txt", "text/plain", b"content").await;
    let installation = company.installation_of(&bot).await;
    let app = server.app(&["messages:write"]).await;
    let employee = server.employee_of(company).await;
    let client = server.client().await;
    employee.connect(server, &client).await;
    let connection = text(&employee.connections().await[0], "/id");
    let user = |id: &str, rest: &str| format!("/admin/v1/users/{id}{rest}");
    let block = company.path("/client_blocks/local:calendar%20helper");
    let write = |operation, method, path, body| Write { operation, method, path, body };
    vec![
        write("updateWorkspace", Method::PATCH, company.path(""), Some(json!({"name": "Changed"}))),
        write(
            "createUser",
            Method::POST,
            company.path("/users"),
            Some(
                json!({"name": "Mallory", "email": "mallory@evil.example", "password": "an account of mine"}),
            ),
        ),
        write("updateUser", Method::PATCH, user(&person, ""), Some(json!({"title": "Changed"}))),
        write("setUserState", Method::POST, user(&person, "/state"), Some(json!({"state": "deactivated"}))),
        write("logoutUser", Method::POST, user(&other, "/logout"), None),
        write("blockApp", Method::PUT, user(ada, &format!("/app_blocks/{}", bot.app.id)), None),
        write("unblockApp", Method::DELETE, user(ada, &format!("/app_blocks/{}", bot.app.id)), None),
        write(
            "createConversation",
            Method::POST,
            company.path("/conversations"),
            Some(json!({"kind": "group", "name": "Changed", "type": "private_channel", "member_ids": [ada]})),
        ),
        write(
            "updateConversation",
            Method::PATCH,
            format!("/admin/v1/conversations/{group}"),
            Some(json!({"name": "Changed"})),
        ),
        write("addMember", Method::PUT, format!("/admin/v1/conversations/{group}/members/{other}"), None),
        write(
            "removeMember",
            Method::DELETE,
            format!("/admin/v1/conversations/{group}/members/{person}"),
            None,
        ),
        write(
            "adminCreateMessage",
            Method::POST,
            format!("/admin/v1/conversations/{group}/messages"),
            Some(json!({"type": "text", "text": "too late"})),
        ),
        write(
            "adminUpdateMessage",
            Method::PATCH,
            format!("/admin/v1/messages/{message}"),
            Some(json!({"text": "too late"})),
        ),
        write("adminDeleteMessage", Method::DELETE, format!("/admin/v1/messages/{message}"), None),
        write("uploadFile", Method::POST, company.path("/files?name=b.txt"), Some(json!("content"))),
        write("deleteFile", Method::DELETE, format!("/admin/v1/files/{file}"), None),
        write(
            "createInstallation",
            Method::POST,
            company.path("/installations"),
            Some(json!({"app_id": app.id, "scopes": ["messages:write"]})),
        ),
        write("deleteInstallation", Method::DELETE, format!("/admin/v1/installations/{installation}"), None),
        write("deleteConnection", Method::DELETE, format!("/admin/v1/connections/{connection}"), None),
        write("putClientBlock", Method::PUT, block.clone(), None),
        write("deleteClientBlock", Method::DELETE, block, None),
        // the deletion of the conversation is the last write, because other writes use the conversation
        write("deleteConversation", Method::DELETE, format!("/admin/v1/conversations/{group}"), None),
    ]
}

/// Returns the ids of those operations in the OpenAPI document that write and accept a session, except the sign-out.
fn documented() -> BTreeSet<String> {
    let document: Value =
        serde_json::from_str(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/generated/admin.json")))
            .unwrap();
    let operations =
        document["paths"].as_object().unwrap().values().flat_map(|path| path.as_object().unwrap());
    let is_write = |(method, operation): &(&String, &Value)| {
        let takes_person = operation["x-credentials"]
            .as_array()
            .is_some_and(|all| all.iter().any(|one| one == "admin" || one == "person"));
        method.as_str() != "get" && takes_person
    };
    let names = operations.filter(is_write).map(|(_, operation)| text(operation, "/operationId"));
    names.filter(|name| name != "deleteSession").collect()
}

/// Returns what the admin API shows of a company: its settings, people, conversations, messages, installations,
/// connections and blocked assistants.
async fn shown(company: &Company) -> Vec<Value> {
    let mut shown = Vec::new();
    for list in [
        "",
        "/users?limit=1000",
        "/conversations?limit=1000",
        "/installations",
        "/connections",
        "/client_blocks",
    ] {
        shown.push(company.operator.get(&company.path(list)).ok(200).await);
    }
    let conversations = shown[2]["conversations"].as_array().unwrap().clone();
    for id in conversations.iter().map(|conversation| text(conversation, "/id")) {
        shown.push(company.operator.get(&format!("/admin/v1/conversations/{id}")).ok(200).await);
        shown.push(company.messages(&id).await.into());
    }
    shown
}

fn described(answer: &Answer) -> String {
    format!("{} {}", answer.status, String::from_utf8_lossy(&answer.bytes))
}

/// Runs a query that takes the id of a user and returns one boolean.
async fn holds(watching: &mut PgConnection, sql: &'static str, id: UserId) -> bool {
    sqlx::query_scalar(sql).bind(id.0).fetch_one(watching).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_write_is_carried_out_after_a_deactivation() {
    let Some(server) = first().await else { return };
    let company = server.company().await;
    let ada = with_password(&company, EMAIL, true).await;
    let id = UserId::parse(&ada).unwrap();
    let (mut holding, mut watching) = (server.database.outside().await, server.database.outside().await);
    let writes = writes(&company, &ada, &server).await;
    let before = shown(&company).await;
    let driven: BTreeSet<String> = writes.iter().map(|write| write.operation.to_owned()).collect();
    assert_eq!(driven, documented(), "the list has every write of the document");

    let mut wrong = Vec::new();
    for Write { operation, method, path, body } in writes {
        let session = sign_in(&company, EMAIL).await;
        sqlx::raw_sql("BEGIN").execute(&mut holding).await.unwrap();
        sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(id.0).execute(&mut holding).await.unwrap();
        let mut call = session.call(method, &path);
        if let Some(body) = &body {
            call = call.json(body);
        }
        let mut under_way = tokio::spawn(call.send());
        let waits = "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND (classid::bigint << 32 | objid::bigint) = $1)";
        let early = tokio::select! {
            () = until(async || holds(&mut watching, waits, id).await) => None,
            answer = &mut under_way => Some(answer.unwrap()),
        };
        if let Some(answer) = early {
            wrong
                .push(format!("{operation} did not wait for the lock of its caller: {}", described(&answer)));
            sqlx::raw_sql("COMMIT").execute(&mut holding).await.unwrap();
            continue;
        }
        let (deactivating, whom) = (company.clone(), ada.clone());
        let deactivated = tokio::spawn(async move { deactivating.set_state(&whom, "deactivated").await });
        until(async || holds(&mut watching, "SELECT state = 2 FROM users WHERE id = $1", id).await).await;
        sqlx::raw_sql("COMMIT").execute(&mut holding).await.unwrap();
        let answer = under_way.await.unwrap();
        if answer.status != 401 {
            wrong.push(format!("{operation} was not rejected with 401: {}", described(&answer)));
        }
        deactivated.await.unwrap();
        company.set_state(&ada, "active").await;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(shown(&company).await, before, "no write has an effect");
}

#[both_engines]
async fn no_write_is_carried_out_if_its_body_arrives_after_a_deactivation(server: Server) {
    let company = server.company().await;
    let ada = with_password(&company, EMAIL, true).await;
    let writes = writes(&company, &ada, &server).await;
    let before = shown(&company).await;
    let driven: BTreeSet<String> = writes.iter().map(|write| write.operation.to_owned()).collect();
    assert_eq!(driven, documented(), "the list has every write of the document");
    for Write { operation, method, path, body } in writes {
        let session = sign_in(&company, EMAIL).await;
        let authorization = format!("authorization: {}", session.authorization.expect("a session"));
        let headers = [authorization.as_str(), "content-type: application/json"];
        // the server reads a body even if it ignores the content
        let body = body.unwrap_or_else(|| json!({})).to_string();
        let line = format!("{method} {path}");
        let request = asked(&company.operator.base, &line, &headers, body.as_bytes()).await;
        company.set_state(&ada, "deactivated").await;
        let answer = request.end().await;
        assert_eq!(answer.status, 401, "{operation}: {}", String::from_utf8_lossy(&answer.body));
        answer.refused(401, "invalid_auth");
        company.set_state(&ada, "active").await;
    }
    assert_eq!(shown(&company).await, before, "no write has an effect");
}

/// The removal of a person deletes the person's drafts. This includes a draft that an assistant is creating at that
/// moment.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_draft_of_a_removed_person_remains() {
    let Some(here) = first().await else { return };
    let there = here.another_node().await;
    let company = here.company().await;
    let ann = here.assistant(&company, "Ann Example").await;
    let group = company.group(&[ann.id()]).await;
    let (mut holding, mut watching) = (here.database.outside().await, here.database.outside().await);
    let assistant = here.mcp(&ann.tokens.access, mcp::MODERN);
    // this first request of the connection writes `last_used_at`, so that the request below writes only the draft
    assistant.list_tools().await;

    // The transaction of `draft_message` inserts the draft. Then it reads the time of the newest message, and for this
    // it waits for the lock of the table `messages`.
    lock_messages(&mut holding, &mut watching).await;
    let new = json!({"conversation": group, "text": "for the group"});
    let drafting = tokio::spawn(async move { assistant.tool("draft_message", new).await });
    wait_for_blocked_statements(&mut watching, "messages", 1).await;
    let operator = Api { base: there.base.clone(), ..company.operator.clone() };
    let (elsewhere, id) = (Company { operator, ..company.clone() }, ann.id().to_owned());
    let removing = tokio::spawn(async move { elsewhere.set_state(&id, "removed").await });
    until(async || waiting(&mut watching).await == 2).await;
    sqlx::raw_sql("COMMIT").execute(&mut holding).await.unwrap();
    drafting.await.unwrap().is(200);
    removing.await.unwrap();
    let left: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM drafts").fetch_one(&mut watching).await.unwrap();
    assert_eq!(left, 0, "a removed person has no drafts");
}
