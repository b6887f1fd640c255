//! A token or session that ends while its request is on the way: what had not begun to be written is not (B-367, B-368).

use std::sync::Arc;

use serde_json::{Value, json};
use switchboard::{
    domain::{
        ids::{AppId, ConversationId, InstallationId, MessageId, UserId, WorkspaceId},
        json::fingerprint,
        refusal::Code,
        scopes::Scopes,
    },
    store::{Engine, Error},
    workspace::{
        access::BotCaller,
        edit::Change,
        send::{Destination, Draft},
    },
};

use crate::{
    admin_sessions::{sign_in, with_password},
    on_both,
    support::{
        wire::{Asked, asked},
        *,
    },
};

const JSON: &str = "content-type: application/json";

/// A bot's request, as far as the server asks for its body.
async fn begun(scene: &Scene, line: &str, key: &str, body: &Value) -> Asked {
    let authorization = format!("authorization: Bearer {}", scene.bot.token);
    let key = format!("idempotency-key: {key}");
    let body = body.to_string();
    asked(&scene.bot.api.base, line, &[&authorization, JSON, &key], body.as_bytes()).await
}

fn refused_for(result: Result<impl std::fmt::Debug, Error>) -> Code {
    match result {
        Err(Error::Refused(refusal)) => refusal.code,
        other => panic!("{other:?}"),
    }
}

on_both! {
    async fn a_bot_uninstalled_before_its_body_came(server: Server) {
        let scene = Scene::new(&server).await;
        let message = scene.posted(json!({"text": "as it was"})).await;
        let body = scene.post(json!({"text": "sent before"}));
        scene.bot.sending("used", &body).ok(201).await;
        let edit = format!("PATCH /v1/messages/{message}");
        let requests = [
            begun(&scene, "POST /v1/messages", "fresh", &scene.post(json!({"text": "too late"}))).await,
            // what would only be answered again
            begun(&scene, "POST /v1/messages", "used", &body).await,
            begun(&scene, &edit, "-", &json!({"text": "changed"})).await,
            begun(&scene, &format!("DELETE /v1/messages/{message}"), "-", &json!({})).await,
        ];
        scene.company.uninstall(&scene.bot).await;
        for request in requests {
            request.end().await.refused(401, "token_revoked"); // B-367
        }
        let texts = scene.texts().await;
        assert!(texts.contains(&"as it was".to_owned()), "{texts:?}");
        assert!(!texts.iter().any(|text| text == "too late" || text == "changed"), "{texts:?}");
    }

    async fn a_body_that_takes_its_time_is_no_fault(server: Server) {
        let scene = Scene::new(&server).await;
        let request = begun(&scene, "POST /v1/messages", "k", &scene.post(json!({"text": "slowly"}))).await;
        assert_eq!(request.end().await.status, 201);
        assert!(scene.texts().await.contains(&"slowly".to_owned()));
    }

    async fn what_was_judged_before_writes_nothing_after(server: Server) {
        let scene = Scene::new(&server).await;
        let message = scene.posted(json!({"text": "as it was"})).await;
        let caller = BotCaller {
            installation_id: InstallationId::parse(&scene.company.installation_of(&scene.bot).await).unwrap(),
            workspace_id: WorkspaceId::parse(&scene.company.id).unwrap(),
            app_id: AppId::parse(&scene.bot.app.id).unwrap(),
            user_id: UserId::parse(&scene.bot.user_id).unwrap(),
            scopes: Scopes::ALL,
            position: None,
        };
        scene.company.uninstall(&scene.bot).await;
        let world = server.running().world();
        for to in [
            Destination::Conversation(ConversationId::parse(&scene.group)),
            Destination::User(UserId::parse(&scene.person)),
        ] {
            let draft = Draft {
                key: "k".to_owned(),
                fingerprint: fingerprint(&json!({})),
                to,
                text: "too late".to_owned(),
                blocks: None,
                metadata: None,
                thread: None,
            };
            let outcome = world.send(caller, draft).await;
            assert_eq!(refused_for(outcome.sent), Code::TokenRevoked);
            assert!(outcome.limits.is_empty(), "it took nothing");
        }
        let change = Change { text: "changed".to_owned(), blocks: None, metadata: None };
        let id = MessageId::parse(&message);
        assert_eq!(refused_for(world.edit(caller, id, change).await), Code::TokenRevoked);
        assert_eq!(refused_for(world.delete(caller, id).await), Code::TokenRevoked);
        assert_eq!(scene.stored(&message).await["text"], "as it was");
        assert_eq!(scene.standing().await.len(), 1);
        assert!(scene.company.direct_conversations().await.is_empty());
    }

    async fn a_session_that_ended_before_its_body_came(server: Server) {
        let company = server.company().await;
        let ada = with_password(&company, "ada@meanwhile.example", true).await;
        let post = |token: &str, line: &str, kind: &str| {
            let (authorization, line) = (format!("authorization: Bearer {token}"), line.to_owned());
            let (base, kind) = (company.operator.base.clone(), format!("content-type: {kind}"));
            async move { asked(&base, &line, &[&authorization, &kind], br#"{"title": "changed"}"#).await }
        };
        let token = async || {
            let body = json!({"email": "ada@meanwhile.example", "password": "analytical engine"});
            text(&server.api().post("/admin/v1/sessions").json(&body).ok(201).await, "/session_token")
        };
        let change = format!("PATCH /admin/v1/users/{ada}");
        let upload = format!("POST {}?name=a.txt", company.path("/files"));
        // signed out
        let first = token().await;
        let changing = post(&first, &change, "application/json").await;
        let uploading = post(&first, &upload, "text/plain").await;
        company.operator.bearer(&first).delete("/admin/v1/sessions/current").ok(200).await;
        changing.end().await.refused(401, "invalid_auth");
        uploading.end().await.refused(401, "invalid_auth");
        // deactivated
        let second = token().await;
        let changing = post(&second, &change, "application/json").await;
        let uploading = post(&second, &upload, "text/plain").await;
        company.set_state(&ada, "deactivated").await;
        changing.end().await.refused(401, "invalid_auth");
        uploading.end().await.refused(401, "invalid_auth");
        company.set_state(&ada, "active").await;
        let stored = company.operator.get(&format!("/admin/v1/users/{ada}")).ok(200).await;
        assert_ne!(stored["user"]["title"], "changed");
        let contents = || {
            let entries = std::fs::read_dir(server.files()).unwrap();
            entries.filter(|entry| entry.as_ref().unwrap().file_name() != "authority.pem").count()
        };
        until(|| async { contents() == 0 }).await;
    }
}

/// On PostgreSQL a disconnect waits, before it is answered, for the writes that began before it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disconnect_is_answered_after_the_writes_under_way() {
    let Some(server) = Server::postgres().await else { return };
    let scene = Scene::new(&server).await;
    let (mut writing, mut watching) = (server.database.outside().await, server.database.outside().await);
    // what a send under way holds
    sqlx::raw_sql("BEGIN; SELECT pg_advisory_xact_lock_shared(id) FROM installations WHERE connected = 1")
        .execute(&mut writing)
        .await
        .unwrap();
    let (company, bot) = (scene.company.clone(), scene.bot.clone());
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
        _ = &mut uninstalling => panic!("the uninstall was answered before the write ended"),
    }
    // what begins meanwhile goes by the disconnect (B-367)
    scene.bot.sending("k", &scene.post(json!({"text": "too late"}))).refused(401, "token_revoked").await;
    sqlx::raw_sql("COMMIT").execute(&mut writing).await.unwrap();
    uninstalling.await.unwrap();
    assert!(!scene.texts().await.contains(&"too late".to_owned()));
}
