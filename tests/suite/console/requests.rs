//! The console's list of requests, and the page of a request.

use serde_json::json;
use switchboard::api::recorder::{MAX_BODY, MAX_BYTES, MAX_REQUESTS};

use crate::support::*;

#[both_engines]
async fn requests_of_every_api_are_shown(server: Server) {
    let mut console = server.console().await;
    let company = server.company().await;
    let app = server.app(&ALL_SCOPES).await;
    let bot = company.install(&app, &ALL_SCOPES).await;
    let person = company.person().await;
    let sent = bot.api.post("/v1/messages").key("k1").json(&json!({
        "to": {"type": "user", "id": person}, "text": "Hello <b>there</b>"
    }));
    sent.ok(201).await;
    bot.api.get("/v1/users/usr_x").refused(404, "user_not_found").await;
    server.api().get("/v1/mesages").refused(404, "not_found").await;
    server.browser().get("/signin").await.shows("Sign in");

    let page = console.get("/console/requests").await;
    for words in
        ["createMessage", "getUser", "user_not_found", "/v1/mesages", "not_found", "/signin", "createApp"]
    {
        page.shows(words);
    }
    page.hides("/console/requests?q=").hides("listRequests");
    // the list can be filtered by a text and by errors
    console.get("/console/requests?q=createMessage").await.shows("createMessage").hides("getUser");
    console.get("/console/requests?q=404").await.shows("/v1/mesages").hides("createMessage");
    let errors = console.get("/console/requests?show=errors").await;
    errors.shows("user_not_found").hides("createMessage");
    console.get("/console/requests?q=nothing+like+this").await.shows("No request matches");

    // the page of a request shows its headers and its body
    let list = console.get("/console/requests?q=createMessage").await;
    let path = list.text.split("href=\"/console/requests/").nth(1).expect("a row");
    let path = format!("/console/requests/{}", path.split('"').next().unwrap());
    let detail = console.get(&path).await;
    detail.shows("idempotency-key").shows("k1").shows("Hello &#60;b&#62;there&#60;/b&#62;");
    detail.shows("Bearer svc_bot_test_…").hides(&bot.token);
    detail.shows("application/json");
    console.get("/console/requests/req_unknown").await.is(404, "Request not found");
    // the list can be cleared
    let page = console.get("/console/requests").await;
    console.submit_on(&page, "/console/requests", &[]).await;
    console.get(&path).await.is(404, "Request not found");
    console.get("/console/requests").await.shows("No requests yet");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_poll_gets_the_list_only_if_it_has_changed() {
    let server = Server::sqlite().await;
    let mut console = server.console().await;
    server.api().get("/v1/one").refused(404, "not_found").await;
    let page = console.get("/console/requests").await;
    let tag = browser::unescape(page.text.split("data-tag=\"").nth(1).unwrap().split('"').next().unwrap());
    assert!(
        tag.len() > 2 && tag.starts_with('"') && tag.ends_with('"'),
        "an entity tag is a quoted string (RFC 9110 §8.8.3): {tag}"
    );
    for known in [tag.clone(), format!("W/{tag}"), format!("\"x\", {tag}"), "*".to_owned()] {
        let same = console.live("/console/requests", &known).await;
        assert_eq!(same.wire.status, 304, "a poll of an unchanged list gets 304: If-None-Match: {known}");
        assert_eq!(same.header("etag"), Some(tag.as_str()));
    }
    server.api().get("/v1/two").refused(404, "not_found").await;
    let part = console.live("/console/requests", &tag).await;
    part.shows("/v1/two").hides("<html").hides("csrf");
    assert_ne!(part.header("etag"), Some(tag.as_str()));
    let mut stranger = server.browser();
    assert_eq!(stranger.live("/console/requests", &tag).await.to(), "/console/signin");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_list_keeps_the_latest_requests_and_shows_them_in_pages() {
    let server = Server::sqlite().await;
    let mut console = server.console().await;
    let api = server.api();
    for number in 0..MAX_REQUESTS + 5 {
        api.get(&format!("/v1/number-{number}-x")).refused(404, "not_found").await;
    }
    let mut path = "/console/requests".to_owned();
    let (mut listed, mut pages) = (0, 0);
    loop {
        let page = console.get(&path).await;
        listed += page.text.matches("<th scope=\"row\"").count();
        pages += 1;
        page.hides("/v1/number-4-x");
        match page.text.split("<a href=\"/console/requests?").nth(1) {
            Some(next) => {
                path = format!("/console/requests?{}", browser::unescape(next.split('"').next().unwrap()))
            }
            None => break,
        }
    }
    assert_eq!((listed, pages), (MAX_REQUESTS, MAX_REQUESTS / 100));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bodies_are_cut_and_their_total_size_is_bounded() {
    let server = Server::sqlite().await;
    let mut console = server.console().await;
    let text = "x".repeat(100_000);
    let api = server.operator();
    for _ in 0..1100 {
        api.post("/admin/v1/workspaces").json(&json!({"name": text})).refused(400, "invalid_request").await;
    }
    let page = console.get("/console/requests").await;
    let id =
        page.text.split("href=\"/console/requests/").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let detail = console.get(&format!("/console/requests/{id}")).await;
    let kept = detail.text.matches('x').count();
    assert!(
        (MAX_BODY - 200..MAX_BODY + 500).contains(&kept),
        "about 16 KiB of the body are shown, and not {kept} bytes"
    );
    detail.shows("The first 16 KiB of 100011 bytes");
    // the total size of the bodies is bounded too: the last 1,000 requests stay listed, but the oldest of them have no
    // bodies
    let max_bodies = MAX_BYTES / MAX_BODY;
    let oldest = request_before(&mut console, 1101 - max_bodies).await;
    oldest
        .shows("createWorkspace")
        .shows("100011 bytes, no longer kept")
        .shows("content-length")
        .hides("xxxxxxxx");
    let kept = request_before(&mut console, 1101 - max_bodies * 3 / 4).await;
    kept.shows("The first 16 KiB of 100011 bytes").hides("no longer kept");
    request_before(&mut console, 102).await.shows("no longer kept");
    console.get("/console/requests?before=101").await.shows("No request matches");
}

/// Returns the console's page of the newest request that was recorded before request `number`.
async fn request_before(console: &mut browser::Browser, number: usize) -> browser::Page {
    let list = console.get(&format!("/console/requests?before={number}")).await;
    let path = list.text.split("href=\"/console/requests/").nth(1).expect("a request");
    let path = format!("/console/requests/{}", path.split('"').next().unwrap());
    console.get(&path).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_requests_are_listed_whatever_the_size_of_their_headers() {
    let server = Server::sqlite().await;
    let mut console = server.console().await;
    let (api, header) = (server.api(), "x".repeat(8_100));
    let (number, path) = (MAX_REQUESTS + 100, format!("/v1/{}", "y".repeat(2_000)));
    for _ in 0..number {
        api.get(&path).header("x-large", &header).refused(404, "not_found").await;
    }
    request_before(&mut console, 102).await.shows(&path).shows("No longer kept").hides("xxxxxxxx");
    request_before(&mut console, number + 1).await.shows("xxxxxxxx").hides("No longer kept");
}

/// Sends a request with this body and media type, and returns the console's page of the request.
async fn recorded(server: &Server, media_type: &str, body: String) -> browser::Page {
    let mut console = server.console().await;
    let call = server.operator().post("/admin/v1/workspaces").header("content-type", media_type);
    let answer = call.body(body).send().await;
    let id = answer.header("x-request-id").expect("a request id").to_owned();
    console.get(&format!("/console/requests/{id}")).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deeply_nested_json_is_not_shown() {
    let server = Server::sqlite().await;
    let deep = format!("{}{}", "[".repeat(MAX_BODY / 2), "]".repeat(MAX_BODY / 2));
    recorded(&server, "application/json", deep).await.shows("[hidden: invalid JSON]");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_beginning_of_json_that_arrives_too_slowly_is_shown() {
    let server = Server::sqlite().await;
    let mut console = server.console().await;
    let authorization = format!("authorization: {}", server.operator().authorization.unwrap());
    let headers = [authorization.as_str(), "content-type: application/json"];
    let body = br#"{"name":"a company"}"#;
    let answer =
        wire::asked(&server.base, "POST /admin/v1/workspaces", &headers, body).await.partly(12).await;
    assert_eq!(answer.status, 408, "{}", answer.json());
    let id = answer.header("x-request-id").expect("a request id");
    let page = console.get(&format!("/console/requests/{id}")).await;
    page.shows("a c").shows("12 bytes until now").hides("invalid JSON");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_in_a_body_that_is_cut_are_hidden() {
    let server = Server::sqlite().await;
    let rest = "x".repeat(MAX_BODY);
    let json = format!(r#"{{"name":"password=hunter2&a=b","more":"{rest}"}}"#);
    recorded(&server, "application/json", json).await.shows("password=[hidden]").hides("hunter2");
}
