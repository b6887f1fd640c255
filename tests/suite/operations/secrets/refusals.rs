//! A server does not start if its keys cannot decrypt the secrets in the database. A request that needs a secret fails
//! if the ciphertext of the secret was changed, or was copied from another row or column.

use serde_json::json;
use switchboard::domain::ids::AppId;

use super::*;

#[both_engines]
async fn a_server_does_not_start_with_a_wrong_or_missing_key(engine: Engine) -> Option<()> {
    let server = Server::with(with_keys(Options { engine, ..Options::default() }, &[1])).await?;
    let app = server.app(&["users:read"]).await;
    let database = server.stopped().await;
    for keys in [&[][..], &[2]] {
        let options = with_keys(Options { engine, ..Options::default() }, keys);
        let error = Server::again(&database, options).await.err().expect("a server must not start");
        let reported = error.to_string();
        assert!(reported.contains(&id(1).to_string()) && reported.contains("secrets.old_keys"), "{reported}");
        assert!(error.is_configuration(), "the error is about the configuration, so the exit code is 2");
    }
    let options = with_keys(Options { engine, ..Options::default() }, &[1]);
    let server = Server::again(&database, options).await.unwrap();
    replace(&server, &app).await;
    server.stop().await;
    Some(())
}

#[both_engines]
async fn a_copied_or_changed_ciphertext_is_refused(engine: Engine) -> Option<()> {
    let server = Server::with(with_keys(Options { engine, ..Options::default() }, &[1])).await?;
    let apps = [server.app(&["users:read"]).await, server.app(&["users:read"]).await];
    let [one, other] = [&apps[0], &apps[1]].map(|app| AppId::parse(&app.id).unwrap().0);
    let good = stored(&server, &apps[0]).await.0;
    let theirs = stored(&server, &apps[1]).await.0;
    let rotate = async || {
        let path = format!("/admin/v1/apps/{}/rotate", apps[0].id);
        server.operator().post(&path).json(&json!({"secret": "signing"})).send().await
    };
    for bad in [theirs.as_str(), &good[..good.len() - 1], "enc:v1:", &with_other_last_character(&good)] {
        assert_ne!(bad, good);
        server.database.execute(&format!("UPDATE apps SET signing_secret = '{bad}' WHERE id = {one}")).await;
        rotate().await.refused(500, "internal_error");
    }
    replace(&server, &apps[1]).await;
    let previous = stored(&server, &apps[1]).await.1.expect("a previous secret");
    let sql = format!("UPDATE apps SET signing_secret = '{previous}' WHERE id = {other}");
    server.database.execute(&sql).await;
    let path = format!("/admin/v1/apps/{}/rotate", apps[1].id);
    let answer = server.operator().post(&path).json(&json!({"secret": "signing"})).send().await;
    answer.refused(500, "internal_error");
    server.database.execute(&format!("UPDATE apps SET signing_secret = '{good}' WHERE id = {one}")).await;
    rotate().await.ok(200);
    server.stop().await;
    Some(())
}
