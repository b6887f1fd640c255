//! A token or a session is revoked after the head of a request has arrived and before its body arrives. No write begins
//! after the revocation (B-367).

use std::collections::BTreeSet;

use serde_json::{Value, json};
use switchboard::{
    domain::{
        conversation::MessageType,
        ids::{AppId, ConversationId, MessageId, UserId, WorkspaceId},
        json_fingerprint::fingerprint,
        refusal::Code,
        token,
    },
    service::{
        bot::edit::MessageEdit,
        bot::send::{BotMessageRequest, Destination},
        companies::CompanyChange,
        messages::{NewPost, SenderChoice},
        people::PersonChange,
    },
    store::{Error, LockKey},
};

use crate::{
    admin::sessions::with_password,
    support::{
        both_engines,
        wire::{Asked, asked},
        *,
    },
};

const JSON: &str = "content-type: application/json";

/// Sends the head of a bot's request, and returns when the server has sent `100 Continue`.
async fn begun(fixture: &BotFixture, line: &str, key: &str, body: &Value) -> Asked {
    let authorization = format!("authorization: Bearer {}", fixture.bot.token);
    let key = format!("idempotency-key: {key}");
    let body = body.to_string();
    asked(&fixture.bot.api.base, line, &[&authorization, JSON, &key], body.as_bytes()).await
}

fn refusal_code(result: Result<impl std::fmt::Debug, Error>) -> Code {
    match result {
        Err(Error::Refused(refusal)) => refusal.code,
        other => panic!("{other:?}"),
    }
}

/// Returns the ids of the operations of the bot API that write with a bot token. The operations of `/oauth`
/// authenticate with the app's credentials instead; `oauth_codes.rs` tests a rotation of the client secret during a
/// request.
fn documented_writes() -> BTreeSet<String> {
    let document: Value =
        serde_json::from_str(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/generated/bot.json")))
            .unwrap();
    let operations =
        document["paths"].as_object().unwrap().values().flat_map(|path| path.as_object().unwrap());
    let writes = operations.filter(|(method, operation)| *method != "get" && operation["security"].is_null());
    writes.map(|(_, operation)| text(operation, "/operationId")).collect()
}

#[both_engines]
async fn a_body_that_arrives_after_an_uninstall_is_rejected(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let message = fixture.posted(json!({"text": "as it was"})).await;
    let body = fixture.post(json!({"text": "sent before"}));
    fixture.bot.sending("used", &body).ok(201).await;
    let (edit, delete) = (format!("PATCH /v1/messages/{message}"), format!("DELETE /v1/messages/{message}"));
    let new = fixture.post(json!({"text": "too late"}));
    let requests = [
        ("createMessage", begun(&fixture, "POST /v1/messages", "fresh", &new).await),
        // a replay
        ("createMessage", begun(&fixture, "POST /v1/messages", "used", &body).await),
        ("updateMessage", begun(&fixture, &edit, "-", &json!({"text": "changed"})).await),
        ("deleteMessage", begun(&fixture, &delete, "-", &json!({})).await),
    ];
    let tested: BTreeSet<String> = requests.iter().map(|(operation, _)| (*operation).to_owned()).collect();
    assert_eq!(tested, documented_writes(), "the test has every write of the document");
    fixture.company.uninstall(&fixture.bot).await;
    for (_, request) in requests {
        request.end().await.refused(401, "token_revoked"); // B-367: the token is revoked
    }
    let texts = fixture.texts().await;
    assert!(texts.contains(&"as it was".to_owned()), "the message is unchanged: {texts:?}");
    assert!(
        !texts.iter().any(|text| text == "too late" || text == "changed"),
        "nothing is written after the revocation (B-367): {texts:?}"
    );
}

#[both_engines]
async fn a_slow_body_is_accepted(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let request = begun(&fixture, "POST /v1/messages", "k", &fixture.post(json!({"text": "slowly"}))).await;
    assert_eq!(request.end().await.status, 201);
    assert!(fixture.texts().await.contains(&"slowly".to_owned()));
}

#[both_engines]
async fn a_request_checked_before_a_revocation_writes_nothing_after_it(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let message = fixture.posted(json!({"text": "as it was"})).await;
    let world = server.running().world();
    let bot = world.token_owner(token::hash(&fixture.bot.token)).await.unwrap().unwrap().bot;
    fixture.company.uninstall(&fixture.bot).await;
    for to in [
        Destination::Conversation(ConversationId::parse(&fixture.group)),
        Destination::User(UserId::parse(&fixture.person)),
    ] {
        let draft = BotMessageRequest {
            key: "k".to_owned(),
            fingerprint: fingerprint(&json!({})),
            to,
            text: "too late".to_owned(),
            blocks: None,
            metadata: None,
            thread: None,
        };
        let outcome = bot.send(draft).await;
        assert_eq!(refusal_code(outcome.sent), Code::TokenRevoked);
        assert!(outcome.limits.is_empty(), "the send is rejected before the limits are checked");
    }
    let change = MessageEdit { text: "changed".to_owned(), blocks: None, metadata: None };
    let id = MessageId::parse(&message);
    assert_eq!(refusal_code(bot.edit(id, change).await), Code::TokenRevoked);
    assert_eq!(refusal_code(bot.delete(id).await), Code::TokenRevoked);
    assert_eq!(fixture.stored(&message).await["text"], "as it was");
    assert_eq!(fixture.visible_messages().await.len(), 1);
    assert!(fixture.company.direct_conversations().await.is_empty());
}

#[both_engines]
async fn a_body_that_arrives_after_the_session_is_revoked_is_rejected(server: Server) {
    let company = server.company().await;
    let ada = with_password(&company, "ada@meanwhile.example", true).await;
    let begun = |token: &str, line: &str, media_type: &str| {
        let (authorization, line) = (format!("authorization: Bearer {token}"), line.to_owned());
        let (base, media_type) = (company.operator.base.clone(), format!("content-type: {media_type}"));
        async move { asked(&base, &line, &[&authorization, &media_type], br#"{"title": "changed"}"#).await }
    };
    let token = async || {
        let body = json!({"email": "ada@meanwhile.example", "password": "analytical engine"});
        text(&server.api().post("/admin/v1/sessions").json(&body).ok(201).await, "/session_token")
    };
    let change = format!("PATCH /admin/v1/users/{ada}");
    let upload = format!("POST {}?name=a.txt", company.path("/files"));
    // the person signs out
    let first = token().await;
    let changing = begun(&first, &change, "application/json").await;
    let uploading = begun(&first, &upload, "text/plain").await;
    company.operator.bearer(&first).delete("/admin/v1/sessions/current").ok(200).await;
    changing.end().await.refused(401, "invalid_auth");
    uploading.end().await.refused(401, "invalid_auth");
    // the person is deactivated
    let second = token().await;
    let changing = begun(&second, &change, "application/json").await;
    let uploading = begun(&second, &upload, "text/plain").await;
    company.set_state(&ada, "deactivated").await;
    changing.end().await.refused(401, "invalid_auth");
    uploading.end().await.refused(401, "invalid_auth");
    company.set_state(&ada, "active").await;
    let stored = company.operator.get(&format!("/admin/v1/users/{ada}")).ok(200).await;
    assert_ne!(stored["user"]["title"], "changed");
    // the contents of the rejected uploads are deleted; the folder also has the certificate authority of the tests
    let contents = || {
        let entries = std::fs::read_dir(server.files()).unwrap();
        entries.filter(|entry| entry.as_ref().unwrap().file_name() != "authority.pem").count()
    };
    until(|| async { contents() == 0 }).await;
}

/// A request that writes nothing is treated like a read: before the response, the server confirms the caller's rights
/// (decision 30).
#[both_engines]
async fn replays_and_changes_without_effect_are_no_writes(server: Server) {
    let company = server.company().await;
    let ada = with_password(&company, "ada@written.example", true).await;
    let bot = company.bot(&server).await;
    let group = ConversationId::parse(&company.group(&[&ada]).await);
    let (ada, app) = (UserId::parse(&ada).unwrap(), AppId::parse(&bot.app.id).unwrap());
    let id = WorkspaceId::parse(&company.id).unwrap();
    let world = server.running().world();
    let body = json!({"email": "ada@written.example", "password": "analytical engine"});
    let signed_in = server.api().post("/admin/v1/sessions").json(&body).ok(201).await;
    let session = token::hash(&text(&signed_in, "/session_token"));
    let rename = |name: &str| CompanyChange { name: Some(name.to_owned()), ..CompanyChange::default() };
    let retitle =
        |title: &str| PersonChange { title: Some(Some(title.to_owned())), ..PersonChange::default() };
    for is_first in [true, false] {
        // each change is a request of its own
        let [posting, blocking, company_changing, person_changing] = [
            world.session(session).await.unwrap(),
            world.session(session).await.unwrap(),
            world.session(session).await.unwrap(),
            world.session(session).await.unwrap(),
        ];
        let post = NewPost {
            sender: SenderChoice::Default,
            kind: MessageType::Text,
            text: Some("once".to_owned()),
            files: Vec::new(),
            thread: None,
            client_key: Some("key".to_owned()),
        };
        posting.post(group, post).await.unwrap();
        blocking.block_app(ada, app).await.unwrap();
        company_changing.admin_of(id).unwrap().change_company(rename("Renamed")).await.unwrap();
        person_changing.change_person(ada, retitle("Analyst")).await.unwrap();
        for (change, caller) in [
            ("a post", &posting),
            ("a block", &blocking),
            ("a company's name", &company_changing),
            ("a person's title", &person_changing),
        ] {
            assert_eq!(caller.has_written(), is_first, "only the first change is a write: {change}");
        }
    }
}

/// A person loses admin rights in one company. Requests of this person that concern only another company still succeed.
#[both_engines]
async fn rights_are_confirmed_in_the_companies_of_the_request(server: Server) {
    let (lost, kept) = (server.company().await, server.company().await);
    let ada = with_password(&lost, "ada@two.example", true).await;
    kept.person_with(json!({"email": "ada@two.example", "is_admin": true})).await;
    let world = server.running().world();
    let body = json!({"email": "ada@two.example", "password": "analytical engine"});
    let signed_in = server.api().post("/admin/v1/sessions").json(&body).ok(201).await;
    let session = token::hash(&text(&signed_in, "/session_token"));
    let [lost_id, kept_id] = [&lost, &kept].map(|company| WorkspaceId::parse(&company.id).unwrap());
    // these requests are authenticated before the person loses the rights in one company
    let [writes_kept, writes_lost, reads_kept, reads_lost, reads_nothing] = [
        world.session(session).await.unwrap(),
        world.session(session).await.unwrap(),
        world.session(session).await.unwrap(),
        world.session(session).await.unwrap(),
        world.session(session).await.unwrap(),
    ];
    lost.update_user(&ada, json!({"is_admin": false})).await;
    let rename = || CompanyChange { name: Some("Renamed".to_owned()), ..CompanyChange::default() };
    writes_kept.admin_of(kept_id).unwrap().change_company(rename()).await.unwrap();
    assert_eq!(
        refusal_code(writes_lost.admin_of(lost_id).unwrap().change_company(rename()).await),
        Code::Forbidden
    );
    let company = lost.operator.get(&lost.path("")).ok(200).await;
    assert_ne!(company["workspace"]["name"], "Renamed", "the write is rolled back");
    reads_kept.admin_of(kept_id).unwrap().company().await.unwrap();
    reads_kept.confirm().await.unwrap();
    reads_lost.admin_of(lost_id).unwrap().company().await.unwrap();
    assert_eq!(refusal_code(reads_lost.confirm().await), Code::Forbidden);
    assert_eq!(
        refusal_code(reads_nothing.confirm().await),
        Code::Forbidden,
        "if a request checked no right, the rights in every company are confirmed"
    );
    let on_a_page = reads_kept.confirm_everywhere(Vec::new()).await;
    assert_eq!(
        refusal_code(on_a_page),
        Code::Forbidden,
        "for a page, the rights in every company are confirmed"
    );
}

/// On PostgreSQL the response to a disconnect waits for the writes that began before the disconnect.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disconnect_waits_for_writes_in_progress() {
    let Some(server) = Server::postgres().await else { return };
    let fixture = BotFixture::new(&server).await;
    let (mut writing, mut watching) = (server.database.outside().await, server.database.outside().await);
    // a send in progress holds this lock
    sqlx::raw_sql("BEGIN; SELECT pg_advisory_xact_lock_shared(id) FROM installations WHERE connected = 1")
        .execute(&mut writing)
        .await
        .unwrap();
    let (company, bot) = (fixture.company.clone(), fixture.bot.clone());
    let mut uninstalling = tokio::spawn(async move { company.uninstall(&bot).await });
    let waits = until(async || {
        let waiting: i64 = sqlx::query_scalar(
            "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        )
        .fetch_one(&mut watching)
        .await
        .unwrap();
        waiting > 0
    });
    tokio::select! {
        () = waits => {}
        _ = &mut uninstalling => panic!("the uninstall must wait for the write"),
    }
    // a write that begins while the uninstall waits is already rejected (B-367)
    fixture.bot.sending("k", &fixture.post(json!({"text": "too late"}))).refused(401, "token_revoked").await;
    sqlx::raw_sql("COMMIT").execute(&mut writing).await.unwrap();
    uninstalling.await.unwrap();
    assert!(!fixture.texts().await.contains(&"too late".to_owned()));
}

/// If the response to a sign-out is lost after the commit, the client may repeat the sign-out. The repeated sign-out
/// also waits for the writes in progress.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_repeated_sign_out_waits_for_writes_in_progress() {
    let Some(server) = Server::postgres().await else { return };
    let company = server.company().await;
    with_password(&company, "ada@repeat.example", true).await;
    let mut browser = server.signed_in("ada@repeat.example", "analytical engine").await;
    let session = token::hash(browser.session().unwrap());
    let form = browser.get("/").await.csrf("/signout");
    let (mut writing, mut watching) = (server.database.outside().await, server.database.outside().await);
    // a write in progress holds this lock on the session
    let lock = LockKey::session(&session).number();
    sqlx::raw_sql("BEGIN").execute(&mut writing).await.unwrap();
    sqlx::query("SELECT pg_advisory_xact_lock_shared($1)").bind(lock).execute(&mut writing).await.unwrap();
    // deletes the session, as the first sign-out does
    let deletion = sqlx::query("DELETE FROM sessions WHERE token_hash = $1").bind(&session[..]);
    assert_eq!(deletion.execute(&mut watching).await.unwrap().rows_affected(), 1);
    let mut signing_out =
        tokio::spawn(async move { browser.post("/signout", &[("csrf", form.as_str())]).await.wire.status });
    let waits = until(async || {
        let waiting: i64 = sqlx::query_scalar(
            "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                AND (classid::bigint << 32 | objid::bigint) = $1",
        )
        .bind(lock)
        .fetch_one(&mut watching)
        .await
        .unwrap();
        waiting > 0
    });
    tokio::select! {
        () = waits => {}
        answered = &mut signing_out => panic!("the sign-out must wait for the write: {answered:?}"),
    }
    sqlx::raw_sql("COMMIT").execute(&mut writing).await.unwrap();
    assert_eq!(signing_out.await.unwrap(), 302);
}
