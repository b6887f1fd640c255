//! After the response to a revocation, no request of the connection writes anything, even if the request began before
//! the revocation. After a refresh, no request with the replaced access token writes anything.

use reqwest::Method;
use serde_json::json;
use sqlx::{AssertSqlSafe, PgConnection};
use switchboard::{
    assistant::mcp::tools::catalog,
    domain::{
        ids::{DraftId, UserId},
        refusal::Code,
    },
    service::{
        World,
        employee::{
            Assistant,
            access::{ConversationRef, PersonRef},
            drafts::Drafting,
            send::PageElicitation,
        },
        oauth::{active_connection::Connected, mcp_sessions::Handshake},
    },
    store::{Error, LockKey},
};

use crate::support::{
    Server,
    assistant::{HOUR, Tokens},
    both_engines,
    mcp::*,
    until,
    wire::{Asked, asked},
};

/// A change after which the tokens of a connection are rejected.
#[derive(Clone, Copy, Debug)]
enum Revocation {
    Employee,
    Operator,
    Client,
    SpentRefreshToken,
    Replaced,
    AssistantsOff,
    Blocked,
    LoggedOut,
    Guest,
    Deactivated,
    Removed,
}

impl Revocation {
    const ALL: [Self; 11] = [
        Self::Employee,
        Self::Operator,
        Self::Client,
        Self::SpentRefreshToken,
        Self::Replaced,
        Self::AssistantsOff,
        Self::Blocked,
        Self::LoggedOut,
        Self::Guest,
        Self::Deactivated,
        Self::Removed,
    ];

    /// Makes the change. Can be called again for the same connection.
    async fn apply(self, server: &Server, assistant: &ConnectedAssistant) {
        let ConnectedAssistant { employee, client, tokens } = assistant;
        let (company, person) = (&employee.company, &employee.id);
        let connection = employee.connections().await[0]["id"].as_str().unwrap().to_owned();
        let disconnect = format!("/admin/v1/connections/{connection}");
        match self {
            Self::Employee => drop(employee.session(server).await.delete(&disconnect).ok(200).await),
            Self::Operator => drop(company.operator.delete(&disconnect).ok(200).await),
            Self::Client => assert_eq!(client.revoke(&tokens.access).await.status, 200),
            Self::SpentRefreshToken => {
                client.refresh(&tokens.refresh).await;
                client.refresh(&tokens.refresh).await.refused(400, "invalid_grant");
            }
            Self::Replaced => drop(employee.connect(server, client).await),
            Self::AssistantsOff => {
                let off = json!({"ai_assistants": false});
                company.operator.patch(&company.path("")).json(&off).ok(200).await;
            }
            Self::Blocked => {
                let key = company.path("/client_blocks/local:calendar%20helper");
                company.operator.put(&key).ok(200).await;
            }
            Self::LoggedOut => {
                company.operator.post(&format!("/admin/v1/users/{person}/logout")).ok(200).await;
            }
            Self::Guest => company.update_user(person, json!({"is_external": true})).await,
            Self::Deactivated => company.set_state(person, "deactivated").await,
            Self::Removed => company.set_state(person, "removed").await,
        }
    }
}

fn code<T: std::fmt::Debug>(result: Result<T, Error>) -> Code {
    match result {
        Err(Error::Refused(refusal)) => refusal.code,
        other => panic!("{other:?}"),
    }
}

fn new_draft(to: &str) -> Drafting {
    Drafting {
        draft: None,
        destination: Some(ConversationRef::Person(PersonRef::Id(UserId::parse(to)))),
        thread: None,
        text: Some("too late".to_owned()),
        key: None,
    }
}

/// Returns the names of the requests that write: the tools that are not read-only, and `initialize`, which begins a
/// session.
fn writes() -> impl Iterator<Item = &'static str> {
    catalog().iter().filter(|tool| !tool.is_read_only()).map(|tool| tool.name()).chain(["initialize"])
}

/// Executes a write for a connection that was authenticated earlier. Returns the error code of the rejection.
async fn refusal(world: &World, who: &Connected, write: &str, draft: DraftId, to: &str) -> Code {
    let caller = Assistant::new(world, who);
    match write {
        "draft_message" => code(caller.draft_message(new_draft(to)).await),
        "send_draft" => code(caller.send_draft(Some(draft), None, PageElicitation::Unsupported).await),
        "discard_draft" => code(caller.discard_draft(Some(draft), None).await),
        "initialize" => {
            let handshake = Handshake {
                protocol_version: NOVEMBER.to_owned(),
                client_name: "Helper".to_owned(),
                client_version: "1".to_owned(),
                url_elicitation: false,
            };
            code(world.begin_mcp_session(who, handshake).await)
        }
        _ => panic!("add a case for the write {write}"),
    }
}

#[both_engines]
async fn a_request_checked_before_a_revocation_writes_nothing_after_it(server: Server) {
    let world = server.running().world();
    for revocation in Revocation::ALL {
        let assistant = server.connected_assistant().await;
        let company = &assistant.employee.company;
        let to = company.person().await;
        let who = server.connected(&assistant.tokens.access).await;
        let draft = Assistant::new(world, &who).draft_message(new_draft(&to)).await.unwrap().id;
        revocation.apply(&server, &assistant).await;
        for write in writes() {
            assert_eq!(
                refusal(world, &who, write, draft, &to).await,
                Code::TokenRevoked,
                "{write} is refused after the revocation: {revocation:?}"
            );
        }
        assert!(
            company.direct_conversations().await.is_empty(),
            "nothing is posted after the revocation: {revocation:?}"
        );
    }
}

#[both_engines]
async fn a_revocation_does_not_affect_the_connections_of_other_companies(server: Server) {
    let unaffected = server.connected_assistant().await;
    let to = unaffected.employee.company.person().await;
    let who = server.connected(&unaffected.tokens.access).await;
    for revocation in Revocation::ALL {
        revocation.apply(&server, &server.connected_assistant().await).await;
        Assistant::new(server.running().world(), &who).draft_message(new_draft(&to)).await.unwrap();
    }
}

#[both_engines]
async fn a_request_with_a_replaced_or_expired_token_writes_nothing(server: Server) {
    let world = server.running().world();
    for is_replaced in [true, false] {
        let assistant = server.connected_assistant().await;
        let company = &assistant.employee.company;
        let to = company.person().await;
        let who = server.connected(&assistant.tokens.access).await;
        let draft = Assistant::new(world, &who).draft_message(new_draft(&to)).await.unwrap().id;
        match is_replaced {
            true => drop(assistant.client.renewed(&assistant.tokens).await),
            false => server.clock.advance(HOUR),
        }
        for write in writes() {
            assert_eq!(
                refusal(world, &who, write, draft, &to).await,
                Code::TokenRevoked,
                "{write} is refused for a replaced (A-197) or expired token: replaced: {is_replaced}"
            );
        }
        assert!(company.direct_conversations().await.is_empty());
    }
}

/// Sends the head of an MCP request. Returns as soon as the server waits for the body.
async fn begun(server: &Server, line: &str, token: &str, headers: &[&str], body: &str) -> Asked {
    let authorization = format!("authorization: Bearer {token}");
    let usual = [&*authorization, "content-type: application/json", "accept: application/json"];
    asked(&server.base, line, &[&usual[..], headers].concat(), body.as_bytes()).await
}

#[both_engines]
async fn a_token_that_is_replaced_before_the_body_arrives_is_rejected(server: Server) {
    let assistant = server.connected_assistant().await;
    let company = &assistant.employee.company;
    let to = company.person().await;
    let old = &assistant.tokens.access;
    let who = server.connected(old).await;
    let drafting = Assistant::new(server.running().world(), &who).draft_message(new_draft(&to));
    let draft = drafting.await.unwrap().id;
    let session = server.mcp_session(old, NOVEMBER).await;
    let id = format!("mcp-session-id: {}", session.session.as_deref().unwrap());

    let params = json!({"name": "send_draft", "arguments": {"draft_id": draft}});
    let message = server.mcp(old, MODERN).message("tools/call", params).to_string();
    let headers = ["mcp-protocol-version: 2026-07-28", "mcp-method: tools/call", "mcp-name: send_draft"];
    let sending = begun(&server, "POST /mcp", old, &headers, &message).await;
    let headers = ["mcp-protocol-version: 2025-11-25", &*id];
    let ending = begun(&server, "DELETE /mcp", old, &headers, "{}").await;

    let narrower = [("scope", "service:read")];
    let refreshed = assistant.client.refresh_with(&assistant.tokens.refresh, &narrower).await;
    let tokens = Tokens::of(&refreshed.ok());
    for (name, request) in [("send_draft", sending), ("DELETE", ending)] {
        let got = request.end().await;
        let challenge = got.header("www-authenticate").unwrap_or_default();
        assert!(
            got.status == 401 && challenge.contains("invalid_token"),
            "the old access token stops working at once (A-197): {name}: {got:?}"
        );
    }
    assert!(company.direct_conversations().await.is_empty(), "nothing is posted with the old token");
    let session = session.with(&tokens.access);
    session.list_tools().await.result();
    assert_eq!(session.bare(Method::DELETE).send().await.status, 204);
}

async fn run(outside: &mut PgConnection, sql: String) {
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(outside).await.unwrap();
}

/// Waits until a transaction waits for a lock.
async fn until_lock_wait(outside: &mut PgConnection) {
    let outside = tokio::sync::Mutex::new(outside);
    until(async || {
        let waiting = "SELECT EXISTS (SELECT 1 FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock')";
        sqlx::query_scalar(waiting).fetch_one(&mut **outside.lock().await).await.unwrap()
    })
    .await;
}

/// A request finds that the person has become a guest, and is rejected. Before the request can revoke the person's
/// connections, the person becomes an employee again. So the connections stay active, and the refresh token
/// stays valid.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_connection_is_revoked_after_the_person_became_an_employee_again() {
    let Some(server) = Server::postgres().await else { return };
    let (mut changing, mut watching) = (server.database.outside().await, server.database.outside().await);
    let assistant = server.connected_assistant().await;
    let employee = &assistant.employee;
    for is_refresh in [false, true] {
        let tokens = employee.connect(&server, &assistant.client).await;
        employee.company.update_user(&employee.id, json!({"is_external": true})).await;
        let back = format!("BEGIN; UPDATE users SET is_external = 0 WHERE id = {}", number(&employee.id));
        run(&mut changing, back).await;
        let client = server.mcp(&tokens.access, MODERN);
        let request = async {
            match is_refresh {
                true => {
                    let answer = assistant.client.refresh(&tokens.refresh).await;
                    answer.refused(503, "server_error");
                    assert_eq!(answer.headers["retry-after"], "1", "the client can send the request again");
                }
                false => _ = client.list_tools().await.invalid_token(),
            }
        };
        tokio::pin!(request);
        tokio::select! {
            () = until_lock_wait(&mut watching) => {}
            () = &mut request => panic!("the request did not wait for the change of the person"),
        }
        tokio::join!(request, run(&mut changing, "COMMIT".to_owned()));
        server.assert_active(&tokens).await;
        assistant.client.renewed(&tokens).await;
    }
}

fn number(person: &str) -> i64 {
    UserId::parse(person).unwrap().0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revocation_waits_for_writes_in_progress() {
    let Some(server) = Server::postgres().await else { return };
    let (mut writing, mut watching) = (server.database.outside().await, server.database.outside().await);
    for revocation in Revocation::ALL {
        let assistant = server.connected_assistant().await;
        let user = number(&assistant.employee.id);
        let company = LockKey::assistants(assistant.employee.workspace()).number();
        // A repeated revocation waits as well. If the response to the first revocation was lost, the caller relies on
        // the response to the second.
        for _ in 0..2 {
            // the locks that a write of the assistant holds
            let held = format!(
                "BEGIN; SELECT pg_advisory_xact_lock_shared({user}), pg_advisory_xact_lock_shared({company})"
            );
            run(&mut writing, held).await;
            let revoking = revocation.apply(&server, &assistant);
            tokio::pin!(revoking);
            tokio::select! {
                () = until_lock_wait(&mut watching) => {}
                () = &mut revoking => panic!("{revocation:?} was answered before the write ended"),
            }
            let ((), ()) = tokio::join!(revoking, run(&mut writing, "COMMIT".to_owned()));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_that_waited_for_a_revocation_is_refused() {
    let Some(server) = Server::postgres().await else { return };
    let (mut changing, mut watching) = (server.database.outside().await, server.database.outside().await);
    for write in writes() {
        let assistant = server.connected_assistant().await;
        let company = &assistant.employee.company;
        let to = company.person().await;
        let who = server.connected(&assistant.tokens.access).await;
        let draft: DraftId =
            Assistant::new(server.running().world(), &who).draft_message(new_draft(&to)).await.unwrap().id;
        let user = number(&assistant.employee.id);
        let assistants = LockKey::assistants(assistant.employee.workspace()).number();
        let lock = |id: i64| format!("BEGIN; SELECT pg_advisory_xact_lock({id})");
        run(&mut changing, lock(if write == "discard_draft" { assistants } else { user })).await;
        let client = server.mcp(&assistant.tokens.access, MODERN);
        let arguments = match write {
            "draft_message" => json!({"person": to, "text": "too late"}),
            "send_draft" | "discard_draft" => json!({"draft_id": draft}),
            "initialize" => json!({}),
            _ => panic!("add a case for the write {write}"),
        };
        let call = async {
            match write {
                "initialize" => client.initialize(NOVEMBER).send().await,
                _ => client.tool(write, arguments).await,
            }
        };
        let revoking = async {
            until_lock_wait(&mut watching).await;
            let revoke = format!("UPDATE connections SET revoked_at = 1, reason = 1 WHERE user_id = {user}");
            run(&mut changing, format!("{revoke}; COMMIT")).await;
        };
        let (got, ()) = tokio::join!(call, revoking);
        got.invalid_token();
        assert!(
            company.direct_conversations().await.is_empty(),
            "nothing is posted after the revocation: {write}"
        );
    }
    let left: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM drafts").fetch_one(&mut watching).await.unwrap();
    let before = i64::try_from(writes().count()).unwrap();
    assert_eq!(left, before, "only the drafts from before the revocation exist");
}
