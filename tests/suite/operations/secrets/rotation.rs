//! The configured keys that encrypt the stored secrets are added, replaced and removed. On PostgreSQL this happens
//! while nodes serve requests. The secrets themselves do not change: events are still signed with the same signing
//! secrets.

use std::{future::pending, time::Duration};

use serde_json::json;
use switchboard::{
    app::StartError,
    platform::encryption::key_of,
    store::{Migrations, secrets::rotate::Rotated},
};

use super::*;
use crate::support::events::delivering;

async fn rotate(server: &Server, keys: &[u8], to: Option<u8>) -> Rotated {
    let db = &server.running().world().db;
    db.rotate_secrets(&encryption(keys), to.map(id), async || ()).await.unwrap()
}

/// Returns the keys with which an app's stored secrets are encrypted; `None` for a secret in plain text.
async fn keys_of(server: &Server, app: &App) -> Vec<Option<KeyId>> {
    let (signing, previous) = stored(server, app).await;
    [Some(signing), previous].into_iter().flatten().map(|text| key_of(&text)).collect()
}

async fn refusal(server: &Server, keys: &'static [u8]) -> StartError {
    let started = server.another_node_with(server.clock.clone(), |config| give_keys(config, keys)).await;
    started.err().expect("a server must not start")
}

/// Causes an event, and asserts that it is signed with these secrets.
async fn assert_signed_with(server: &Server, receiver: &Receiver, company: &Company, secrets: &[&str]) {
    server.settle().await;
    let before = receiver.hits().len();
    // `company.operator` sends to the first address of the server, and a restarted server has another address
    Company { operator: server.operator(), ..company.clone() }.person().await;
    let hit = receiver.wait_for(before + 1).await.remove(before);
    assert_eq!(hit.signatures().len(), secrets.len());
    for secret in secrets {
        assert!(
            hit.verifies(secret, server.clock.now()),
            "an event has a signature for each valid signing secret of the app"
        );
    }
    server.settle().await;
}

struct RotationFixture {
    server: Server,
    receiver: Receiver,
    company: Company,
    app: App,
}

async fn fixture(engine: Engine, keys: &'static [u8]) -> Option<RotationFixture> {
    let receiver = Receiver::start().await;
    let server = Server::with(with_keys(delivering(engine, &[&receiver]), keys)).await?;
    let company = server.company().await;
    let app = server.app_at(&receiver.url()).await;
    company.install(&app, &ALL_SCOPES).await;
    Some(RotationFixture { server, receiver, company, app })
}

#[both_engines]
async fn secrets_of_a_new_database_are_encrypted_from_the_beginning(engine: Engine) -> Option<()> {
    let RotationFixture { server, app, .. } = fixture(engine, &[1]).await?;
    assert_eq!(keys_of(&server, &app).await, [Some(id(1))]);
    replace(&server, &app).await;
    assert_eq!(keys_of(&server, &app).await, [Some(id(1)), Some(id(1))]);
    // An earlier version would use the encrypted values as secrets. So the database is marked as incompatible with
    // earlier versions, and these refuse the database.
    let before = Migrations::of(engine).iter().take_while(|it| it.name != "encrypted secrets").count();
    let old = Migrations::of(engine).up_to(i64::try_from(before).unwrap());
    let error = old.inspect(&server.database.url).await.unwrap_err().to_string();
    assert!(error.contains("needs a version of the server"), "{error}");
    // after the secrets were decrypted, the earlier version accepts the database again
    let done = rotate(&server, &[1], None).await;
    assert_eq!(done, Rotated { rewritten: 3, secrets: 3 });
    assert_eq!(keys_of(&server, &app).await, [None, None]);
    old.inspect(&server.database.url).await.unwrap();
    Some(())
}

#[both_engines]
async fn every_secret_moves_to_another_key(engine: Engine) -> Option<()> {
    let RotationFixture { server, receiver, company, app } = fixture(engine, &[1]).await?;
    let mut apps = vec![app.clone()];
    // creates more secrets than one transaction rewrites
    for _ in 0..105 {
        apps.push(server.app(&["users:read"]).await);
    }
    let first = app.signing_secret.clone();
    let second = replace(&server, &app).await;
    assert_signed_with(&server, &receiver, &company, &[&second, &first]).await;
    let (server, node) = match engine {
        // A SQLite database has only one process. When the process starts with the new key, it rewrites the secrets.
        Engine::Sqlite => {
            let master = master_key(&server, &[1]).await;
            let server = server.restarted_with(|config| give_keys(config, &[2, 1])).await;
            assert_eq!(master_key(&server, &[2]).await, master, "the master key itself does not change");
            (server, None)
        }
        // One node after the other gets both keys. Until the rotation, the nodes still encrypt with the old key.
        Engine::Postgres => {
            let node = server
                .another_node_with(server.clock.clone(), |config| give_keys(config, &[2, 1]))
                .await
                .unwrap();
            let server = server.restarted_with(|config| give_keys(config, &[2, 1])).await;
            assert_eq!(keys_of(&server, &node.app(&["users:read"]).await).await, [Some(id(1))]);
            let (done, ()) = tokio::join!(rotate(&server, &[2, 1], Some(2)), async {
                for _ in 0..10 {
                    apps.push(node.app(&["users:read"]).await);
                    replace(&node, apps.last().unwrap()).await;
                }
            });
            // at least 109 secrets: the master key, two of the first app, and one of each of the 106 other apps
            assert!(done.rewritten >= 109, "{done:?}");
            (server, Some(node))
        }
    };
    for app in &apps {
        assert!(keys_of(&server, app).await.iter().all(|key| *key == Some(id(2))), "{}", app.id);
    }
    assert_eq!(rotate(&server, &[2], Some(2)).await.rewritten, 0, "a second run changes nothing");
    assert_signed_with(&server, &receiver, &company, &[&second, &first]).await;
    let third = replace(&server, &app).await;
    assert_signed_with(&server, &receiver, &company, &[&third, &second]).await;
    if let Some(node) = node {
        node.stop().await;
    }
    // from now on only the new key is needed
    let server = server.restarted_with(|config| give_keys(config, &[2])).await;
    assert_signed_with(&server, &receiver, &company, &[&third, &second]).await;
    server.stop().await;
    Some(())
}

#[both_engines]
async fn an_interrupted_rotation_needs_both_keys_until_it_is_run_again(engine: Engine) -> Option<()> {
    let RotationFixture { server, app, .. } = fixture(engine, &[1]).await?;
    let (before, _) = stored(&server, &app).await;
    rotate(&server, &[2, 1], Some(2)).await;
    // restores the state of a rotation that was interrupted before it rewrote the secret of this app
    let number = switchboard::domain::ids::AppId::parse(&app.id).unwrap().0;
    let keys = format!("{}{}", id(2), id(1));
    let bytes = match engine {
        Engine::Sqlite => format!("x'{keys}'"),
        Engine::Postgres => format!("'\\x{keys}'"),
    };
    let sql = format!(
        "UPDATE apps SET signing_secret = '{before}' WHERE id = {number};
         UPDATE server_secrets SET value = {bytes} WHERE name = 'secret_keys'"
    );
    server.database.execute(&sql).await;
    if engine == Engine::Postgres {
        let error = refusal(&server, &[2]).await;
        assert!(error.to_string().contains(&format!("the key {}", id(1))), "{error}");
        assert!(error.is_configuration());
        refusal(&server, &[1]).await;
    }
    let db = server.running().world().db.clone();
    let missing = db.rotate_secrets(&encryption(&[2]), Some(id(2)), async || ()).await;
    assert!(missing.unwrap_err().to_string().contains(&id(1).to_string()), "the error names the missing key");
    assert_eq!(rotate(&server, &[2, 1], Some(2)).await.rewritten, 1);
    assert_eq!(keys_of(&server, &app).await, [Some(id(2))]);
    let server = server.restarted_with(|config| give_keys(config, &[2])).await;
    replace(&server, &app).await;
    server.stop().await;
    Some(())
}

#[both_engines]
async fn plain_secrets_are_encrypted_with_a_newly_configured_key(engine: Engine) -> Option<()> {
    let RotationFixture { server, receiver, company, app } = fixture(engine, &[]).await?;
    let first = app.signing_secret.clone();
    let second = replace(&server, &app).await;
    let master = master_key(&server, &[]).await;
    let mut issued = Issued::default();
    issued.add("signing secret", &first);
    issued.add("signing secret", &second);
    issued.add("master key", master);
    assert!(!issued.found_in(&Dump::of(&server.database).await).is_empty());
    let server = server.restarted_with(|config| give_keys(config, &[1])).await;
    if engine == Engine::Postgres {
        // on PostgreSQL, a node encrypts no stored secrets when it starts, because other nodes may not have the key yet
        assert_eq!(keys_of(&server, &app).await, [None, None]);
        assert_eq!(keys_of(&server, &server.app(&["users:read"]).await).await, [None]);
        assert_eq!(rotate(&server, &[1], Some(1)).await, Rotated { rewritten: 4, secrets: 4 });
    }
    assert_eq!(keys_of(&server, &app).await, [Some(id(1)), Some(id(1))]);
    // On SQLite the dump includes the database file and its write-ahead log, which could still contain earlier values.
    let found = issued.found_in(&Dump::of(&server.database).await);
    assert!(found.is_empty(), "no secret is stored in plain text: {found:?}");
    assert_eq!(master_key(&server, &[1]).await, master);
    assert_signed_with(&server, &receiver, &company, &[&second, &first]).await;
    server.stop().await;
    Some(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_without_the_key_replaces_no_secret_and_signs_nothing() {
    let Some(RotationFixture { server, receiver, company, app }) = fixture(Engine::Postgres, &[]).await
    else {
        return;
    };
    // the secrets are encrypted with a key that this node does not have
    rotate(&server, &[1], Some(1)).await;
    let path = format!("/admin/v1/apps/{}/rotate", app.id);
    server
        .operator()
        .post(&path)
        .json(&json!({"secret": "signing"}))
        .send()
        .await
        .refused(503, "server_error");
    server.advance(Duration::from_secs(5)).await;
    let http = server.api().http;
    let ready =
        async || http.get(format!("{}/readyz", server.base)).send().await.unwrap().text().await.unwrap();
    until(async || ready().await.contains(&format!("the key {}, which is not configured", id(1)))).await;
    let before = receiver.hits().len();
    company.person().await;
    until(async || !server.log_of(&app, "state=pending").await.is_empty()).await;
    // a node with the key delivers the event that the node without the key could not sign
    let node =
        server.another_node_with(server.clock.clone(), |config| give_keys(config, &[1])).await.unwrap();
    let hits = receiver.wait_for(before + 1).await;
    let all = hits.iter().all(|hit| hit.verifies(&app.signing_secret, node.clock.now()));
    assert!(all && hits.len() == before + 1, "the event is sent once, with a valid signature");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rotation_interrupted_before_the_first_encryption_waits_again_for_old_nodes() {
    let Some(server) = Server::postgres().await else { return };
    let db = server.running().world().db.clone();
    let (keys, (begun, has_begun)) = (encryption(&[1]), tokio::sync::oneshot::channel());
    let notice = async || {
        begun.send(()).unwrap();
        pending().await
    };
    tokio::select! {
        _ = db.rotate_secrets(&keys, Some(id(1)), notice) => panic!("the rotation waits for nodes of old versions"),
        _ = has_begun => {}
    }
    let mut waits = 0;
    db.rotate_secrets(&keys, Some(id(1)), async || waits += 1).await.unwrap();
    assert_eq!(waits, 1, "nodes of old versions can still be running, because the first wait did not end");
    db.rotate_secrets(&encryption(&[2, 1]), Some(id(2)), async || waits += 1).await.unwrap();
    assert_eq!(waits, 1, "after the first encryption, no node of an old version is running");
}
