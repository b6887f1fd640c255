//! Uploading and deleting files through the admin API (W-27, W-28). More tests of links to files are in
//! `bot::file_links`.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    admin::sessions::{sign_in, with_password},
    support::*,
};

#[both_engines]
async fn a_file_is_uploaded_attached_and_deleted(server: Server) {
    let company = server.company().await;
    let ada = with_password(&company, "uploader@example.com", false).await;
    let session = sign_in(&company, "uploader@example.com").await;
    let path = company.path("/files?name=%C3%BC%20a.txt");
    let call = session.post(&path).header("content-type", "Text/Plain; charset=latin-1");
    let file = call.body("content").ok(201).await["file"].clone();
    assert_eq!(file["name"], "ü a.txt");
    assert_eq!(file["mimetype"], "text/plain");
    assert_eq!(file["size"], 7);
    assert_eq!(file["workspace_id"], company.id);
    let bare = company.operator.post(&path).body("").ok(201).await["file"].clone();
    assert_eq!(bare["mimetype"], "application/octet-stream");
    assert_eq!(bare["size"], 0);

    // a person cannot attach a file that the operator uploaded
    let group = company.group(&[&ada]).await;
    let messages = format!("/admin/v1/conversations/{group}/messages");
    let body = |id: &Value| json!({"type": "file", "file_ids": [id]});
    session.post(&messages).json(&body(&bare["id"])).refused(404, "file_not_found").await;
    session.post(&messages).json(&body(&file["id"])).ok(201).await;
    let path = |file: &Value| format!("/admin/v1/files/{}", file["id"].as_str().unwrap());
    session.delete(&path(&bare)).refused(403, "forbidden").await;
    session.delete(&path(&file)).ok(200).await;
    session.delete(&path(&file)).refused(404, "file_not_found").await;
    company.operator.delete("/admin/v1/files/x").refused(404, "file_not_found").await;
}

#[both_engines]
async fn the_operator_cannot_upload_files_for_deactivated_or_removed_people(server: Server) {
    let company = server.company().await;
    let person = company.person().await;
    let upload =
        || company.operator.post(&company.path("/files?name=a")).header("x-acting-user", &person).body("x");
    assert_eq!(upload().ok(201).await["file"]["size"], 1);
    for state in ["deactivated", "removed"] {
        company.set_state(&person, state).await;
        upload().refused(409, "user_deactivated").await;
    }
}

/// The content of an upload can arrive minutes after the request head. So the server checks the person again when the
/// content has arrived.
#[both_engines]
async fn an_upload_for_a_person_who_is_deactivated_during_the_upload_is_refused(server: Server) {
    let company = server.company().await;
    let line = format!("POST {}?name=a", company.path("/files"));
    let authorization = format!("authorization: {}", company.operator.authorization.as_ref().unwrap());
    for state in ["deactivated", "removed"] {
        let person = company.person().await;
        let acting = format!("x-acting-user: {person}");
        let headers = [authorization.as_str(), acting.as_str(), "content-type: text/plain"];
        let upload = wire::asked(&server.base, &line, &headers, b"too late").await;
        company.set_state(&person, state).await;
        upload.end().await.refused(409, "user_deactivated");
        let found = company.operator.get(&format!("/admin/v1/users/{person}")).ok(200).await;
        assert_eq!(found["file_usage"]["bytes"], 0, "a refused upload does not change `file_usage`");
    }
}

#[both_engines]
async fn invalid_uploads_are_refused(server: Server) {
    let company = server.company().await;
    let post = |path: &str| company.operator.post(&company.path(path)).header("content-type", "text/plain");
    post("/files").body("x").refused(400, "invalid_request").await;
    post("/files?name=").body("x").refused(400, "invalid_request").await;
    post("/files?name=a%00").body("x").refused(400, "invalid_request").await;
    post(&format!("/files?name={}", "a".repeat(256))).body("x").refused(400, "invalid_request").await;
    post("/files?name=a").header("x-acting-user", "x").body("x").refused(404, "user_not_found").await;
    post("/files?name=a")
        .header("content-encoding", "gzip")
        .body("x")
        .refused(415, "unsupported_media_type")
        .await;
    let bad = company.operator.post(&company.path("/files?name=a")).header("content-type", "x").body("x");
    bad.refused(415, "unsupported_media_type").await;
    let other = company.operator.post("/admin/v1/workspaces/cmp_0000000000001/files?name=a").body("x");
    other.refused(404, "not_found").await;
    // the maximum size of a JSON body does not apply to uploads
    let large = vec![b'x'; 2 << 20];
    let file = post("/files?name=large").body(large).ok(201).await["file"].clone();
    assert_eq!(file["size"], 2 << 20);
}

#[both_engines]
async fn contents_are_deleted_two_hours_after_the_file(server: Server) {
    let company = server.company().await;
    let ada = company.person().await;
    let bot = company.bot(&server).await;
    let group = company.group(&[&ada, &bot.user_id]).await;
    let file = company.file(&ada, "a.txt", "text/plain", b"0123456789").await;
    company.post_with(&group, &ada, json!({"type": "file", "file_ids": [file]})).await;
    let shown = bot.api.get(&format!("/v1/conversations/{group}/files/{file}")).ok(200).await;
    let url = text(&shown, "/file/url").replace(&server.base, "");
    company.operator.delete(&format!("/admin/v1/files/{file}")).ok(200).await;
    let open = async |path: &str| server.api().get(path).send().await;
    let answer = open(&url).await;
    assert_eq!(answer.status, 302, "{url}: {}", answer.text());
    let download = answer.header("location").unwrap().replace(&server.base, "");
    server.advance(Duration::from_secs(14 * 60)).await;
    assert_eq!(open(&url).await.status, 302);

    let answer = open(&download).await;
    assert_eq!(answer.bytes, b"0123456789");
    for (name, value) in [
        ("content-type", "text/plain"),
        ("content-length", "10"),
        ("accept-ranges", "bytes"),
        ("content-disposition", "attachment; filename=\"a.txt\"; filename*=UTF-8''a.txt"),
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "sandbox; default-src 'none'"),
        ("referrer-policy", "no-referrer"),
        ("cache-control", "private, no-store"),
    ] {
        assert_eq!(answer.header(name), Some(value), "{name}");
    }
    let part = server.api().get(&download).header("range", "bytes=2-4").send().await;
    assert_eq!((part.status, &part.bytes[..]), (206, &b"234"[..]));
    assert_eq!(part.header("content-range"), Some("bytes 2-4/10"));
    let part = server.api().get(&download).header("range", "bytes=10-").send().await;
    assert_eq!(part.header("content-range"), Some("bytes */10"));
    part.refused(416, "client_error");
    let head = server.api().call(reqwest::Method::HEAD, &download).send().await;
    assert_eq!((head.status, head.header("content-length")), (200, Some("10")));
    server.api().post(&download).send().await.refused(405, "client_error");
    open(&url.replace("/files/", "/files/download/")).await.refused(404, "not_found");
    open(&download.replace("/files/download/", "/files/")).await.refused(404, "not_found");
    open(&format!("{url}x")).await.refused(404, "not_found");
    // a link works for 15 minutes
    server.advance(Duration::from_secs(2 * 60)).await;
    open(&url).await.refused(404, "not_found");
    // the download URL to which a link redirects works for an hour
    server.advance(Duration::from_secs(60 * 60)).await;
    open(&download).await.refused(404, "not_found");
    let world = server.running().world();
    // 76 minutes after the deletion
    assert!(world.blobs.get(&file, None).await.is_ok());
    server.advance(Duration::from_secs(43 * 60)).await;
    assert!(world.blobs.get(&file, None).await.is_ok(), "the content is kept for two hours (D-136)");
    server.advance(Duration::from_secs(60)).await;
    assert!(world.blobs.get(&file, None).await.is_err());
}
