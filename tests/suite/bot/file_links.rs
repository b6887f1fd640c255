//! The link to a file (`url`) that the bot API returns, and the download to which the link redirects (B-298 … B-305,
//! D-134 … D-137).

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use reqwest::{Client, Response, redirect::Policy};
use serde_json::json;

use crate::support::{BotFixture, Bucket, Options, Server, both_engines, encoded, text};

const CONTENT: &[u8] = b"the plan";

/// Returns an HTTP client without a token, which does not follow redirects.
fn client() -> Client {
    Client::builder().redirect(Policy::none()).build().expect("a client")
}

async fn link(fixture: &BotFixture) -> String {
    link_of(fixture, &fixture.file).await
}

async fn link_of(fixture: &BotFixture, file: &str) -> String {
    let path = format!("/v1/conversations/{}/files/{file}", fixture.group);
    text(&fixture.bot.api.get(&path).ok(200).await, "/file/url")
}

async fn open(url: &str) -> Response {
    client().get(url).send().await.expect("an answer")
}

/// Opens a link and returns the address of the download.
async fn redirected(url: &str) -> String {
    let response = open(url).await;
    assert_eq!(response.status(), 302, "a link redirects (B-299)");
    let location = response.headers()["location"].to_str().expect("ASCII");
    // the location can be relative to the link; a browser resolves it in the same way
    url::Url::parse(url).expect("a URL").join(location).expect("a location").to_string()
}

async fn downloaded(url: &str) -> Vec<u8> {
    let response = open(url).await;
    assert_eq!(response.status(), 200, "the URL of the download is valid: {url}");
    response.bytes().await.expect("content").to_vec()
}

/// Asserts that a link, or the URL of a download, is rejected (D-135).
async fn refused(server: &Server, url: &str) {
    let path = url.strip_prefix(&server.base).unwrap_or_else(|| panic!("{url} is not below {}", server.base));
    server.api().get(path).refused(404, "not_found").await;
}

fn seconds(n: u64) -> Duration {
    Duration::from_secs(n)
}

#[both_engines]
async fn a_link_opens_without_a_token(server: Server) {
    // B-298, B-299: the link redirects to a download
    let fixture = BotFixture::new(&server).await;
    let url = link(&fixture).await;
    let response = open(&url).await;
    assert_eq!(response.status(), 302);
    assert_eq!(response.headers()["referrer-policy"], "no-referrer");
    assert_eq!(response.headers()["cache-control"], "private, no-store");
    assert!(response.headers().contains_key("x-request-id"), "every response has a request id (B-004)");
    let download = redirected(&url).await;
    assert_ne!(download, url);
    assert_eq!(downloaded(&download).await, CONTENT);
    // every client that follows redirects gets the content
    let followed = reqwest::get(&url).await.expect("an answer");
    assert_eq!(followed.bytes().await.expect("content"), CONTENT);
    // a token in the header is ignored
    let response = client().get(&url).bearer_auth(&fixture.bot.token).send().await.expect("an answer");
    assert_eq!(response.status(), 302);
    // `Accept` is ignored
    let response = client().get(&download).header("accept", "text/html").send().await.expect("an answer");
    assert_eq!(response.status(), 200);
}

#[both_engines]
async fn a_link_is_valid_for_fifteen_minutes(server: Server) {
    // B-300: until a link expires, it can be opened any number of times
    let fixture = BotFixture::new(&server).await;
    let url = link(&fixture).await;
    for _ in 0..5 {
        assert_eq!(downloaded(&redirected(&url).await).await, CONTENT, "a link can be opened again");
    }
    server.advance(seconds(14 * 60 + 59)).await;
    for _ in 0..3 {
        assert_eq!(downloaded(&redirected(&url).await).await, CONTENT, "a link is valid for 14:59 minutes");
    }
    server.advance(seconds(2)).await;
    refused(&server, &url).await;
    server.advance(seconds(24 * 3600)).await;
    refused(&server, &url).await;
}

#[both_engines]
async fn a_download_is_valid_for_one_hour_from_the_redirect(server: Server) {
    // B-301, D-136: the hour counts from the redirect, not from the creation of the link
    let fixture = BotFixture::new(&server).await;
    let url = link(&fixture).await;
    let early = redirected(&url).await;
    server.advance(seconds(14 * 60 + 59)).await;
    let late = redirected(&url).await;
    server.advance(seconds(45 * 60)).await; // 59 minutes and 59 seconds after the first redirect
    assert_eq!(downloaded(&early).await, CONTENT);
    server.advance(seconds(2)).await;
    refused(&server, &early).await;
    assert_eq!(downloaded(&late).await, CONTENT);
    server.advance(seconds(14 * 60 + 57)).await; // 59 minutes and 59 seconds after the second redirect
    assert_eq!(downloaded(&late).await, CONTENT);
    server.advance(seconds(2)).await;
    refused(&server, &late).await;
}

#[both_engines]
async fn a_link_to_an_unattached_file_works_after_the_file_is_deleted(server: Server) {
    // an assistant gets links to an unattached file of its employee until the file is deleted; each link stays valid
    // until it expires
    let company = server.company().await;
    let employee = server.employee_of(&company).await;
    let file = company.file(&employee.id, "plan.png", "image/png", CONTENT).await;
    server.advance(seconds(24 * 60 * 60 - 1)).await;
    let assistant = server.assistant_of(&employee).await;
    let got = assistant.ok("get_file", json!({"file_id": file})).await;
    let url = text(&got, "/url");
    server.advance(seconds(1)).await;
    assistant.fails("get_file", json!({"file_id": file}), "file_not_found").await;
    server.advance(seconds(14 * 60 + 58)).await;
    let download = redirected(&url).await;
    server.advance(seconds(59 * 60 + 59)).await;
    assert_eq!(downloaded(&download).await, CONTENT, "the download is valid until it expires (B-302, D-136)");
    server.advance(seconds(2)).await;
    refused(&server, &url).await;
    refused(&server, &download).await;
}

#[both_engines]
async fn access_is_checked_only_when_a_link_is_issued(server: Server) {
    // B-302: an issued link is valid until it expires, even if the bot loses access or the file is deleted
    let changes = [
        "message deleted",
        "file deleted",
        "bot removed",
        "conversation deleted",
        "archived",
        "uninstalled",
        "app disabled",
        "revoked",
    ];
    for name in changes {
        let fixture = BotFixture::new(&server).await;
        let (company, bot) = (&fixture.company, &fixture.bot);
        let url = link(&fixture).await;
        let download = redirected(&url).await;
        match name {
            "message deleted" => {
                for message in company.messages(&fixture.group).await {
                    let path = format!("/admin/v1/messages/{}", text(&message, "/id"));
                    company.operator.delete(&path).ok(200).await;
                }
            }
            "file deleted" => {
                _ = company.operator.delete(&format!("/admin/v1/files/{}", fixture.file)).ok(200).await
            }
            "bot removed" => company.remove(&fixture.group, &bot.user_id).await,
            "conversation deleted" => company.delete_conversation(&fixture.group).await,
            "archived" => company.update_conversation(&fixture.group, json!({"is_archived": true})).await,
            "uninstalled" => company.uninstall(bot).await,
            "app disabled" => {
                let path = format!("/admin/v1/apps/{}", bot.app.id);
                company.operator.patch(&path).json(&json!({"disabled": true})).ok(200).await;
            }
            _ => {
                let body = json!({
                    "token": bot.token, "client_id": bot.app.client_id, "client_secret": bot.app.client_secret,
                });
                server.api().post("/oauth/revoke").json(&body).ok(200).await;
            }
        }
        server.advance(seconds(14 * 60 + 59)).await;
        let late = redirected(&url).await;
        assert_eq!(downloaded(&late).await, CONTENT, "the link is valid after the change (B-302): {name}");
        assert_eq!(
            downloaded(&download).await,
            CONTENT,
            "the download is valid after the change (B-302): {name}"
        );
        server.advance(seconds(59 * 60 + 59)).await;
        assert_eq!(downloaded(&late).await, CONTENT, "a download is valid for an hour (B-301): {name}");
        server.advance(seconds(2)).await;
        refused(&server, &url).await;
        refused(&server, &late).await;
    }
}

#[both_engines]
async fn every_read_issues_a_new_link(server: Server) {
    // B-303, D-134: each read of a file returns a new link with a new expiry
    let fixture = BotFixture::new(&server).await;
    let first = link(&fixture).await;
    server.advance(seconds(14 * 60)).await;
    let second = link(&fixture).await;
    assert_ne!(first, second);
    server.advance(seconds(2 * 60)).await;
    refused(&server, &first).await;
    assert_eq!(downloaded(&redirected(&second).await).await, CONTENT);
    server.advance(seconds(24 * 3600)).await;
    assert_eq!(downloaded(&redirected(&link(&fixture).await).await).await, CONTENT);
}

#[tokio::test]
async fn a_link_with_a_changed_character_is_rejected() {
    // B-304, D-135: a link or the URL of a download is rejected if one character of the token at its end is changed
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let url = link(&fixture).await;
    for url in [redirected(&url).await, url] {
        let token = url.rfind('/').expect("a path") + 1;
        for at in token..url.len() {
            let mut changed = url.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            refused(&server, &String::from_utf8(changed).expect("ASCII")).await;
        }
        refused(&server, &url[..url.len() - 1]).await;
        refused(&server, &format!("{url}A")).await;
        refused(&server, &format!("{}x", &url[..token])).await;
    }
}

#[tokio::test]
async fn a_link_is_not_a_download() {
    // Each token is valid only at its own path. If links accepted the token of a download, a download could be renewed
    // without end.
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let url = link(&fixture).await;
    let download = redirected(&url).await;
    let split = |url: &str| url.rsplit_once('/').map(|(a, b)| (a.to_owned(), b.to_owned())).expect("a path");
    let ((link_path, link_token), (download_path, download_token)) = (split(&url), split(&download));
    assert_ne!(link_path, download_path, "links and downloads have different paths");
    for mixed in [format!("{link_path}/{download_token}"), format!("{download_path}/{link_token}")] {
        refused(&server, &mixed).await;
    }
    // the link to another file opens that file
    let other = fixture.company.file(&fixture.person, "other.txt", "text/plain", b"other").await;
    fixture
        .company
        .post_with(&fixture.group, &fixture.person, json!({"type": "file", "file_ids": [other]}))
        .await;
    assert_eq!(downloaded(&redirected(&link_of(&fixture, &other).await).await).await, b"other");
    assert_eq!(downloaded(&redirected(&url).await).await, CONTENT, "a link opens no other file");
    // links of another server are rejected
    let elsewhere = Server::sqlite().await;
    let there = BotFixture::new(&elsewhere).await;
    let foreign = link(&there).await.replace(&elsewhere.base, &server.base);
    refused(&server, &foreign).await;
}

#[both_engines]
async fn the_download_is_harmless_to_open(server: Server) {
    // B-305, D-137: the headers keep browsers from running a download in the origin of the server
    let fixture = BotFixture::new(&server).await;
    for (name, mimetype) in [
        ("page.html", "text/html"),
        ("Bericht \"Q3\"; x=\\ – Größe.pdf", "application/pdf"),
        ("image.svg", "image/svg+xml"),
        ("line\r\nset-cookie: a=b.txt", "text/plain"),
        ("../../up.txt", "text/plain"),
    ] {
        let path = fixture.company.path(&format!("/files?name={}", encoded(name)));
        let upload = fixture.company.operator.post(&path).header("content-type", mimetype);
        let made = upload.header("x-acting-user", &fixture.person).body(CONTENT).ok(201).await;
        let file = text(&made, "/file/id");
        fixture
            .company
            .post_with(&fixture.group, &fixture.person, json!({"type": "file", "file_ids": [file]}))
            .await;
        let response = open(&redirected(&link_of(&fixture, &file).await).await).await;
        assert_eq!(response.status(), 200);
        let header = |name: &str| {
            response.headers().get(name).map(|v| String::from_utf8_lossy(v.as_bytes()).into_owned())
        };
        assert_eq!(header("content-type").as_deref(), Some(mimetype));
        let disposition = header("content-disposition").expect("Content-Disposition");
        assert!(disposition.starts_with("attachment"), "a download is an attachment (B-305): {disposition}");
        assert!(disposition.is_ascii(), "the header is ASCII: {disposition}");
        let is_path =
            ["/", "\\", "%2F", "%5C", "%2f", "%5c"].iter().any(|separator| disposition.contains(separator));
        assert!(!is_path, "the file name has no path: {disposition}");
        assert_eq!(header("x-content-type-options").as_deref(), Some("nosniff"));
        assert_eq!(header("referrer-policy").as_deref(), Some("no-referrer"));
        assert_eq!(header("cache-control").as_deref(), Some("private, no-store"));
        assert!(
            header("content-security-policy").is_some_and(|p| p.contains("sandbox")),
            "a download is sandboxed (D-137): {name}"
        );
        assert_eq!(header("set-cookie"), None, "a file name cannot inject a header: {name}");
        assert!(header("x-request-id").is_some(), "every response has a request id (B-004)");
        assert_eq!(header("content-length").as_deref(), Some("8"));
        assert_eq!(response.bytes().await.expect("content"), CONTENT);
    }
}

#[tokio::test]
async fn a_download_is_not_loaded_as_code() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let url = redirected(&link(&fixture).await).await;
    let path = url.strip_prefix(&server.base).expect("a path");
    for code in ["script", "worker", "serviceworker", "style"] {
        server.api().get(path).header("sec-fetch-dest", code).refused(404, "not_found").await;
    }
    for data in ["image", "document", "empty", "video"] {
        let loaded = client().get(&url).header("sec-fetch-dest", data).send().await.expect("an answer");
        assert_eq!(loaded.status(), 200, "a page may show the download: {data}");
    }
}

#[tokio::test]
async fn a_range_returns_part_of_a_download() {
    // D-137: downloads support ranges (RFC 9110 §14)
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let download = redirected(&link(&fixture).await).await;
    let part =
        async |range: &str| client().get(&download).header("range", range).send().await.expect("an answer");
    assert_eq!(open(&download).await.headers()["accept-ranges"], "bytes");
    for (range, content_range, content) in [
        ("bytes=0-2", "bytes 0-2/8", &b"the"[..]),
        ("bytes=4-", "bytes 4-7/8", b"plan"),
        ("bytes=-4", "bytes 4-7/8", b"plan"),
        ("bytes=0-0", "bytes 0-0/8", b"t"),
        ("bytes=7-7", "bytes 7-7/8", b"n"),
        ("bytes=4-999", "bytes 4-7/8", b"plan"),
        ("bytes=-999", "bytes 0-7/8", CONTENT),
    ] {
        let response = part(range).await;
        assert_eq!(response.status(), 206, "a range returns a part: {range}");
        assert_eq!(
            response.headers()["content-range"],
            content_range,
            "Content-Range has the first and the last byte of the part: {range}"
        );
        assert_eq!(
            response.headers()["content-length"],
            content.len().to_string().as_str(),
            "Content-Length is the length of the part: {range}"
        );
        for name in ["content-disposition", "x-content-type-options", "referrer-policy"] {
            assert!(
                response.headers().contains_key(name),
                "a part has the protective headers of the whole download: {range}: {name}"
            );
        }
        assert_eq!(
            response.bytes().await.expect("content"),
            content,
            "the body is the requested part: {range}"
        );
    }
    for range in ["bytes=8-", "bytes=999-1000", "bytes=-0"] {
        let response = part(range).await;
        assert_eq!(response.status(), 416, "a range without any byte of the file is refused: {range}");
        assert_eq!(
            response.headers()["content-range"],
            "bytes */8",
            "Content-Range has the size of the file: {range}"
        );
        let body: serde_json::Value = response.json().await.expect("JSON");
        assert_eq!(
            body["error"]["code"], "client_error",
            "an error status without a specific code has the code `client_error` (B-023): {range}"
        );
    }
    // malformed ranges and ranges in other units are ignored
    for range in ["bytes=3-1", "bytes=a-b", "lines=0-1", "bytes=", "x"] {
        let response = part(range).await;
        assert_eq!(response.status(), 200, "the range is ignored: {range}");
        assert_eq!(response.bytes().await.expect("content"), CONTENT, "the range is ignored: {range}");
    }
}

#[tokio::test]
async fn only_get_and_head_are_allowed_and_head_ignores_ranges() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let url = link(&fixture).await;
    let download = redirected(&url).await;
    let response = client().head(&url).send().await.expect("an answer");
    assert_eq!(response.status(), 302);
    let response = client().head(&download).send().await.expect("an answer");
    assert_eq!(
        (response.status().as_u16(), &response.headers()["content-length"]),
        (200, &"8".parse().expect("a value"))
    );
    // RFC 9110 §14.2: ranges are defined for GET only
    for range in ["bytes=0-1", "bytes=-2", "bytes=99-"] {
        let response = client().head(&download).header("range", range).send().await.expect("an answer");
        assert_eq!(response.status(), 200, "HEAD ignores a range: {range}");
        assert_eq!(
            response.headers()["content-length"],
            "8",
            "HEAD returns the size of the whole file: {range}"
        );
        assert!(!response.headers().contains_key("content-range"), "HEAD returns no Content-Range: {range}");
    }
    for url in [&url, &download] {
        let path = url.strip_prefix(&server.base).expect("below the base address");
        for call in [server.api().post(path), server.api().put(path), server.api().delete(path)] {
            call.refused(405, "client_error").await;
        }
    }
}

#[tokio::test]
async fn an_empty_and_a_large_file_are_downloaded() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let large: Vec<u8> = (0..3_000_000_u32).map(|n| (n % 251) as u8).collect();
    for content in [Vec::new(), large] {
        let file = fixture.company.file(&fixture.person, "x.bin", "application/octet-stream", &content).await;
        fixture
            .company
            .post_with(&fixture.group, &fixture.person, json!({"type": "file", "file_ids": [file]}))
            .await;
        let downloaded = downloaded(&redirected(&link_of(&fixture, &file).await).await).await;
        assert!(
            downloaded == content,
            "a download has the whole content: {} bytes of {}",
            downloaded.len(),
            content.len()
        );
    }
}

/// Returns the headers of a response, without those that differ between responses.
fn headers(response: &Response) -> BTreeMap<String, String> {
    let headers =
        response.headers().iter().filter(|(name, _)| !["date", "x-request-id"].contains(&name.as_str()));
    headers.map(|(name, value)| (name.to_string(), value.to_str().expect("ASCII").to_owned())).collect()
}

/// Downloads are the same whether the server stores files on disk or in a bucket (B-305, D-137). A presigned URL of the
/// bucket cannot set headers such as `Content-Security-Policy`. So the server sends the contents itself, and does not
/// redirect to the bucket.
#[tokio::test]
async fn a_download_from_a_bucket_is_as_harmless_as_one_from_disk() {
    let bucket = Arc::new(Bucket::start().await);
    let on_disk = Server::sqlite().await;
    let for_config = Arc::clone(&bucket);
    let options = Options {
        configure: Some(Arc::new(move |config| for_config.configure(config))),
        ..Options::default()
    };
    let in_bucket = Server::with(options).await.expect("a server on SQLite starts");
    let mut responses = Vec::new();
    for server in [&on_disk, &in_bucket] {
        let fixture = BotFixture::new(server).await;
        let page =
            fixture.company.file(&fixture.person, "page.html", "text/html", b"<script>1</script>").await;
        fixture
            .company
            .post_with(&fixture.group, &fixture.person, json!({"type": "file", "file_ids": [page]}))
            .await;
        let url = link_of(&fixture, &page).await;
        let redirect = open(&url).await;
        let download = redirected(&url).await;
        assert!(
            download.starts_with(&format!("{}/files/download/", server.base)),
            "downloads come from this server, not from the bucket: {download}"
        );
        let whole = open(&download).await;
        let part = client().get(&download).header("range", "bytes=1-6").send().await.expect("an answer");
        let outside = client().get(&download).header("range", "bytes=18-").send().await.expect("an answer");
        responses.push((
            [redirect.status(), whole.status(), part.status(), outside.status()],
            [headers(&whole), headers(&part)],
            headers(&redirect).into_keys().collect::<Vec<_>>(),
            whole.bytes().await.expect("content"),
            part.bytes().await.expect("content"),
        ));
        server.advance(seconds(60 * 60 + 1)).await;
        refused(server, &download).await;
    }
    assert!(bucket.count() >= 2, "the second server stores its files in the bucket");
    assert_eq!(responses[0], responses[1], "a download from a bucket is the same as one from disk (B-305)");
    let (statuses, [whole, _], ..) = &responses[0];
    assert_eq!(statuses.map(|status| status.as_u16()), [302, 200, 206, 416]);
    assert_eq!(whole["x-content-type-options"], "nosniff");
    assert_eq!(whole["referrer-policy"], "no-referrer");
    assert_eq!(whole["cache-control"], "private, no-store");
    assert!(whole["content-security-policy"].contains("sandbox"));
}
