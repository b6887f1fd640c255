//! A superseded signing secret is erased 24 hours after its replacement, when it no longer signs events (B-435).

use std::time::Duration;

use super::*;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const SECOND: Duration = Duration::from_secs(1);

async fn is_erased_after_a_day(engine: Engine, keys: &'static [u8]) -> Option<()> {
    let server = Server::with(with_keys(Options { engine, ..Options::default() }, keys)).await?;
    let app = server.app(&["users:read"]).await;
    let (other, begun) = (server.app(&["users:read"]).await, server.clock.now());
    replace(&server, &app).await;
    server.advance(DAY / 2).await;
    replace(&server, &other).await;
    let current = stored(&server, &app).await.0;
    server.advance(DAY / 2 - SECOND).await;
    let superseded = stored(&server, &app).await.1;
    assert!(superseded.is_some(), "the superseded secret is stored until 24 hours have passed");
    server.advance(SECOND).await;
    assert_eq!(server.clock.now(), begun + DAY);
    assert_eq!(stored(&server, &app).await, (current, None), "only the current secret is kept");
    assert!(stored(&server, &other).await.1.is_some(), "a secret superseded 12 hours ago is kept");
    // the secret that a second replacement supersedes is also kept for a day
    replace(&server, &other).await;
    server.advance(DAY / 2).await;
    assert!(stored(&server, &other).await.1.is_some());
    server.advance(DAY / 2).await;
    assert_eq!(stored(&server, &other).await.1, None);
    server.stop().await;
    Some(())
}

#[both_engines]
async fn a_superseded_plain_text_secret_is_erased_after_a_day(engine: Engine) -> Option<()> {
    is_erased_after_a_day(engine, &[]).await
}

#[both_engines]
async fn a_superseded_encrypted_secret_is_erased_after_a_day(engine: Engine) -> Option<()> {
    is_erased_after_a_day(engine, &[1]).await
}

#[both_engines]
async fn many_superseded_secrets_are_erased_in_one_run_of_the_job(engine: Engine) -> Option<()> {
    let server = Server::with(Options { engine, ..Options::default() }).await?;
    let app = server.app(&["users:read"]).await;
    let number = switchboard::domain::ids::AppId::parse(&app.id).unwrap().0;
    replace(&server, &app).await;
    // creates more secrets than the 100 that one transaction of the maintenance job erases
    let numbers = match engine {
        Engine::Sqlite => {
            "(WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250) SELECT i FROM n)"
        }
        Engine::Postgres => "(SELECT generate_series(1, 250) AS i)",
    };
    let sql = format!(
        "INSERT INTO apps (id, name, client_id, client_secret_hash, signing_secret, previous_signing_secret,
            signing_rotated_at, redirect_uris, scopes, created_at)
         SELECT {number} + i, name, client_id || i, client_secret_hash, signing_secret, previous_signing_secret,
            signing_rotated_at, redirect_uris, scopes, created_at FROM apps, {numbers} AS numbers WHERE id = {number}"
    );
    server.database.execute(&sql).await;
    server.advance(DAY).await;
    let dump = Dump::of(&server.database).await;
    let left = dump.parts.iter().filter(|(location, _)| location == "apps.previous_signing_secret").count();
    let apps = dump.parts.iter().filter(|(location, _)| location == "apps.id").count();
    assert_eq!((left, apps), (0, 251), "all superseded secrets are erased, and no app is deleted");
    server.stop().await;
    Some(())
}
