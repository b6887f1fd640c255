//! Storage quotas, and the deletion of unattached files.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use switchboard::{
    config::Config,
    store::{Engine, Op, Result, Sql, args, statements},
};

use crate::{
    admin::sessions::{sign_in, with_password},
    support::*,
};

const KIB: usize = 1 << 10;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const HOUR: Duration = Duration::from_secs(60 * 60);
const MINUTE: Duration = Duration::from_secs(60);

async fn server(engine: Engine, configure: impl Fn(&mut Config) + Send + Sync + 'static) -> Option<Server> {
    let configure = Some(Arc::new(configure) as _);
    Server::with(Options { engine, configure, ..Options::default() }).await
}

fn upload(api: &Api, company: &Company, bytes: usize) -> Call {
    let call = api.post(&company.path("/files?name=a")).header("content-type", "text/plain");
    call.body(vec![b'x'; bytes])
}

async fn usage(api: &Api, path: &str) -> (i64, Value) {
    let answer = api.get(path).ok(200).await;
    let usage = &answer["file_usage"];
    (usage["bytes"].as_i64().unwrap(), usage["quota_bytes"].clone())
}

#[both_engines]
async fn uploads_cannot_exceed_the_quota_of_a_person_or_company(engine: Engine) -> Option<()> {
    let configure = |config: &mut Config| {
        config.files.quota_mib_per_person = 1;
        config.files.quota_mib_per_company = 2;
    };
    let server = server(engine, configure).await?;
    let company = server.company().await;
    let ada = with_password(&company, "ada@quotas.example", false).await;
    with_password(&company, "bob@quotas.example", false).await;
    let (ada_api, bob) =
        (sign_in(&company, "ada@quotas.example").await, sign_in(&company, "bob@quotas.example").await);
    let ada_path = format!("/admin/v1/users/{ada}");
    assert_eq!(usage(&ada_api, &ada_path).await, (0, json!(1 << 20)));

    let first = upload(&ada_api, &company, 600 * KIB).ok(201).await;
    let refused = upload(&ada_api, &company, 600 * KIB).refused(409, "conflict").await;
    let message = refused.json()["error"]["message"].as_str().unwrap().to_owned();
    assert!(message.contains("quota of 1 MiB"), "{message}");
    // an upload may use exactly the remaining quota, and not one byte more
    upload(&ada_api, &company, 424 * KIB).ok(201).await;
    upload(&ada_api, &company, 1).refused(409, "conflict").await;
    upload(&company.operator, &company, 1).header("x-acting-user", &ada).refused(409, "conflict").await;
    assert_eq!(usage(&company.operator, &ada_path).await, (1 << 20, json!(1 << 20)));
    // the operator's files count only against the company's quota
    upload(&bob, &company, 500 * KIB).ok(201).await;
    upload(&company.operator, &company, 524 * KIB).ok(201).await;
    let refused = upload(&bob, &company, 1).refused(409, "conflict").await;
    assert!(refused.text().contains("quota of 2 MiB"), "{}", refused.text());
    assert_eq!(usage(&company.operator, &company.path("")).await, (2 << 20, json!(2 << 20)));
    let other = server.company().await;
    upload(&other.operator, &other, 1).ok(201).await;

    // a deleted file counts against the quotas until its content is purged, two hours later
    ada_api.delete(&format!("/admin/v1/files/{}", text(&first, "/file/id"))).ok(200).await;
    upload(&ada_api, &company, 1).refused(409, "conflict").await;
    server.advance(Duration::from_secs(2 * 60 * 60)).await;
    assert_eq!(usage(&ada_api, &ada_path).await.0, 424 << 10);
    upload(&bob, &company, 500 * KIB).ok(201).await;
    server.advance(Duration::from_secs(2 * 60 * 60)).await;
    assert_eq!(usage(&ada_api, &ada_path).await.0, 424 << 10, "purged content is subtracted only once");
    Some(())
}

#[both_engines]
async fn concurrent_uploads_cannot_exceed_the_quota(engine: Engine) -> Option<()> {
    let configure = |config: &mut Config| config.files.quota_mib_per_company = 1;
    let server = server(engine, configure).await?;
    let company = server.company().await;
    let body = vec![b'x'; 300 * KIB];
    let line = format!("POST {}?name=a", company.path("/files"));
    let authorization = format!("authorization: {}", company.operator.authorization.as_ref().unwrap());
    let headers = [authorization.as_str(), "content-type: text/plain"];
    let mut open = Vec::new();
    for _ in 0..8 {
        open.push(wire::asked(&server.base, &line, &headers, &body).await);
    }
    let answers = futures_util::future::join_all(open.into_iter().map(wire::Asked::end)).await;
    let stored = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(stored, 3, "of 8 concurrent uploads of 300 KiB, three fit into a quota of 1 MiB");
    for answer in answers.iter().filter(|answer| answer.status != 201) {
        answer.refused(409, "conflict");
    }
    assert_eq!(usage(&company.operator, &company.path("")).await.0, 900 << 10);
    let contents = || {
        let names = std::fs::read_dir(server.files()).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.to_string_lossy().starts_with("fil_")).count()
    };
    until(async || contents() == 3).await;
    Some(())
}

statements! {
    FORGET_COUNTS: Command = "UPDATE files SET counted = 0 WHERE id > $1";
    FORGET_SUMS: Command = "DELETE FROM file_usage WHERE bytes > $1";
}

/// Changes the rows of the stored files as if a version without quotas had written them.
struct Uncount;

impl Op for Uncount {
    const NAME: &'static str = "test_uncount";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        c.exec(&FORGET_COUNTS, args![0_i64]).await?;
        c.exec(&FORGET_SUMS, args![0_i64]).await?;
        Ok(())
    }
}

#[both_engines]
async fn files_stored_by_a_version_without_quotas_are_counted(engine: Engine) -> Option<()> {
    let server = server(engine, |_| {}).await?;
    let company = server.company().await;
    let ada = with_password(&company, "ada@before.example", false).await;
    let api = sign_in(&company, "ada@before.example").await;
    for bytes in [1, 10, 100] {
        upload(&api, &company, bytes).ok(201).await;
    }
    upload(&company.operator, &company, 1000).ok(201).await;
    server.running().world().db.write(Uncount).await.unwrap();
    assert_eq!(usage(&company.operator, &company.path("")).await.0, 0);
    for _ in 0..2 {
        server.advance(Duration::from_secs(60)).await;
        assert_eq!(usage(&company.operator, &company.path("")).await.0, 1111);
        assert_eq!(usage(&api, &format!("/admin/v1/users/{ada}")).await.0, 111);
    }
    Some(())
}

#[both_engines]
async fn a_file_that_is_unattached_for_a_day_is_deleted(engine: Engine) -> Option<()> {
    let server = server(engine, |_| {}).await?;
    let company = server.company().await;
    let ada = company.person().await;
    let group = company.group(&[&ada]).await;
    let attached = company.file(&ada, "kept.txt", "text/plain", b"kept").await;
    let message = company.post_with(&group, &ada, json!({"type": "file", "file_ids": [attached]})).await;
    let unattached = company.file(&ada, "unattached.txt", "text/plain", b"unattached").await;
    let world = server.running().world();
    server.advance(DAY).await;
    server.advance(2 * HOUR - MINUTE).await;
    assert!(
        world.blobs.get(&unattached, None).await.is_ok(),
        "a deleted file's content is kept for two hours (D-136)"
    );
    server.advance(MINUTE).await;
    assert!(world.blobs.get(&unattached, None).await.is_err(), "the content of a deleted file is purged");
    assert!(world.blobs.get(&attached, None).await.is_ok());
    company.operator.delete(&format!("/admin/v1/files/{unattached}")).refused(404, "file_not_found").await;
    let messages = format!("/admin/v1/conversations/{group}/messages");
    let body = json!({"type": "file", "user_id": ada, "file_ids": [unattached]});
    company.operator.post(&messages).json(&body).refused(404, "file_not_found").await;
    assert_eq!(usage(&company.operator, &company.path("")).await.0, 4);
    // the attached file becomes unattached when its message is deleted
    company.erase(&message).await;
    server.advance(DAY).await;
    server.advance(2 * HOUR - MINUTE).await;
    assert!(
        world.blobs.get(&attached, None).await.is_ok(),
        "a deleted file's content is kept for two hours (D-136)"
    );
    server.advance(MINUTE).await;
    assert!(world.blobs.get(&attached, None).await.is_err());
    assert_eq!(usage(&company.operator, &company.path("")).await.0, 0);
    Some(())
}

#[both_engines]
async fn files_of_a_deleted_message_are_deleted_unless_another_message_has_them(
    engine: Engine,
) -> Option<()> {
    let server = server(engine, |config| config.files.unattached_hours = 1).await?;
    let company = server.company().await;
    let ada = with_password(&company, "ada@deleted.example", false).await;
    let api = sign_in(&company, "ada@deleted.example").await;
    let bot = company.bot(&server).await;
    let group = company.group(&[&ada, &bot.user_id]).await;
    let only = company.file(&ada, "only.txt", "text/plain", b"one").await;
    let shared = company.file(&ada, "shared.txt", "text/plain", b"shared").await;
    let both = json!({"type": "file", "file_ids": [only, shared]});
    let first = company.post_with(&group, &ada, both).await;
    let second = company.post_with(&group, &ada, json!({"type": "file", "file_ids": [shared]})).await;
    let of_bot = |file: &str| bot.api.get(&format!("/v1/conversations/{group}/files/{file}"));
    let used = async || usage(&api, &format!("/admin/v1/users/{ada}")).await.0;
    of_bot(&only).ok(200).await;
    company.erase(&first).await;
    of_bot(&only).refused(404, "file_not_found").await;

    let world = server.running().world();
    server.advance(HOUR).await;
    server.advance(2 * HOUR - MINUTE).await;
    assert!(
        world.blobs.get(&only, None).await.is_ok(),
        "a deleted file's content is kept for two hours (D-136)"
    );
    assert_eq!(used().await, 9);
    server.advance(MINUTE).await;
    assert!(world.blobs.get(&only, None).await.is_err(), "the content of a file without a message is purged");
    assert_eq!(used().await, 6, "purged content no longer counts against the quotas");
    assert!(world.blobs.get(&shared, None).await.is_ok(), "a file that another message has is kept (B-297)");
    of_bot(&shared).ok(200).await;

    api.delete(&format!("/admin/v1/messages/{second}")).ok(200).await;
    of_bot(&shared).refused(404, "file_not_found").await;
    server.advance(HOUR).await;
    server.advance(2 * HOUR).await;
    assert_eq!(used().await, 0);
    let messages = format!("/admin/v1/conversations/{group}/messages");
    let body = json!({"type": "file", "user_id": ada, "file_ids": [shared]});
    company.operator.post(&messages).json(&body).refused(404, "file_not_found").await;
    Some(())
}

#[both_engines]
async fn files_of_deleted_messages_are_kept_if_unattached_files_never_expire(engine: Engine) -> Option<()> {
    let server = server(engine, |config| config.files.unattached_hours = 0).await?;
    let company = server.company().await;
    let ada = company.person().await;
    let group = company.group(&[&ada]).await;
    let file = company.file(&ada, "kept.txt", "text/plain", b"kept").await;
    let message = company.post_with(&group, &ada, json!({"type": "file", "file_ids": [file]})).await;
    company.erase(&message).await;
    // by default, the file would be deleted after a day, and its content two hours later
    for _ in 0..3 {
        server.advance(DAY).await;
    }
    assert!(server.running().world().blobs.get(&file, None).await.is_ok());
    assert_eq!(usage(&company.operator, &company.path("")).await.0, 4);
    Some(())
}

/// Attaches files while the maintenance job deletes unattached files. In the end each file is attached and kept, or it
/// is deleted and the request to attach it was rejected.
#[both_engines]
async fn a_file_is_attached_or_deleted_and_never_both(engine: Engine) -> Option<()> {
    let server = server(engine, |_| {}).await?;
    let company = server.company().await;
    let ada = company.person().await;
    let group = company.group(&[&ada]).await;
    let messages = format!("/admin/v1/conversations/{group}/messages");
    let mut files = Vec::new();
    for _ in 0..40 {
        files.push(company.file(&ada, "a.txt", "text/plain", b"x").await);
    }
    let world = server.running().world();
    // the server's clock does not move, so the server's own job deletes nothing. The test runs the job with the time
    // `later`, at which unattached files have expired.
    let later = server.clock.now() + DAY;
    let posts = files.iter().map(|file| {
        let body = json!({"type": "file", "user_id": ada, "file_ids": [file]});
        company.operator.post(&messages).json(&body).send()
    });
    let job = async {
        for _ in 0..5 {
            world.run_job(switchboard::service::maintenance::Job::Files, later).await.unwrap();
        }
    };
    let (answers, ()) = tokio::join!(futures_util::future::join_all(posts), job);
    // the contents of deleted files are purged two hours after the deletion
    world.run_job(switchboard::service::maintenance::Job::Files, later + 2 * HOUR).await.unwrap();
    for (file, answer) in files.iter().zip(answers) {
        let is_stored = world.blobs.get(file, None).await.is_ok();
        match answer.status {
            201 => assert!(is_stored, "an attached file is kept: {file}"),
            404 => assert!(!is_stored, "a file that cannot be attached is deleted: {file}"),
            status => panic!("{status}: {}", answer.text()),
        }
    }
    Some(())
}
