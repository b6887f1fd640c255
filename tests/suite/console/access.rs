//! Access to the console: with the operator key, with a one-time link, and not at all in production.

use crate::support::{console::operator_key, *};

/// Paths at and below `/console`, each with the method of the request.
const PATHS: [(&str, &str); 9] = [
    ("GET", "/console"),
    ("GET", "/console/signin"),
    ("POST", "/console/signin"),
    ("GET", "/console/requests"),
    ("GET", "/console/requests/req_1"),
    ("GET", "/console/secrets"),
    ("POST", "/console/signout"),
    ("GET", "/console/link/x"),
    ("GET", "/console/x"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn production_has_no_console() {
    let server = Server::production().await;
    assert_eq!(server.running().console_link(), None);
    let mut browser = server.browser();
    for (method, path) in PATHS {
        let page = browser.send(method, path, &[], b"").await;
        let unknown = browser.send(method, "/consoles", &[], b"").await;
        page.wire.refused(404, "not_found");
        let without_request_id = |page: &browser::Page| {
            let text = page.text.replace(page.header("x-request-id").unwrap(), "");
            let names: Vec<_> = page.wire.headers.iter().map(|(name, _)| name.clone()).collect();
            (text, names)
        };
        assert_eq!(
            without_request_id(&page),
            without_request_id(&unknown),
            "in production the response to {method} {path} equals that of an unknown path"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_console_needs_the_operator_key() {
    let server = Server::sqlite().await;
    let mut browser = server.browser();
    for path in ["/console", "/console/requests", "/console/secrets"] {
        assert_eq!(browser.get(path).await.to(), "/console/signin", "{path}");
    }
    for wrong in ["", "svc_op_x", &with_other_last_character(&operator_key())] {
        let page = browser.submit("/console/signin", &[("key", wrong)]).await;
        page.is(422, "This is not the operator key").hides(&operator_key());
        assert!(!browser.cookies.contains_key("console"));
    }
    let page = browser.submit("/console/signin", &[("key", &operator_key())]).await;
    assert_eq!(page.to(), "/console");
    let cookie =
        page.wire.headers.iter().find(|(name, value)| name == "set-cookie" && value.starts_with("console="));
    let cookie = &cookie.expect("signing in sets the console's cookie").1;
    for attribute in ["; HttpOnly", "; SameSite=Strict", "; Path=/console"] {
        assert!(cookie.contains(attribute), "the session cookie has `{attribute}`: {cookie}");
    }
    browser.get("/console/requests").await.shows("Requests");
    assert_eq!(browser.get("/console/signin").await.to(), "/console");
    // a browser that is signed in to the console is not signed in to the other pages
    assert_eq!(browser.get("/settings/privacy").await.to(), "/signin?next=%2Fsettings%2Fprivacy");

    let mut copy = browser.clone();
    let page = browser.get("/console/requests").await;
    assert_eq!(browser.submit_on(&page, "/console/signout", &[]).await.to(), "/console/signin");
    assert!(!browser.cookies.contains_key("console"));
    assert_eq!(
        copy.get("/console/requests").await.to(),
        "/console/signin",
        "signing out revokes the session, so a copy of its cookie is invalid"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moving_the_clock_does_not_end_a_session() {
    let server = Server::sqlite().await;
    let mut console = server.console().await;
    let body = serde_json::json!({"advance_seconds": 40 * 86_400});
    server.operator().post("/admin/v1/clock").json(&body).ok(200).await;
    console.get("/console/requests").await.shows("The server’s clock is 40 d ahead");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replacing_the_operator_key_ends_sessions() {
    let server = Server::sqlite().await;
    let console = server.console().await;
    let server = server
        .restarted_with(|config| {
            config.operator_key_sha256 = Some(switchboard::config::Sha256Hex([9; 32]));
        })
        .await;
    let mut browser = server.browser();
    browser.cookies = console.cookies;
    assert_eq!(browser.get("/console/requests").await.to(), "/console/signin");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_signs_in_once() {
    let server = Server::sqlite().await;
    let link = server.running().console_link().expect("a sandbox has a console link");
    let path = link.strip_prefix(&server.base).expect("the server's address").to_owned();
    let mut browser = server.browser();
    let prefetch = ["sec-purpose: prefetch;prerender".to_owned()];
    let page = browser.send("GET", &path, &prefetch, b"").await;
    assert_eq!(page.wire.status, 503, "a prefetch does not use up the link");
    let page = browser.get(&path).await;
    assert_eq!(page.to(), "/console");
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(page.text, "", "no page is shown at the URL that contains the link's token");
    browser.get("/console/requests").await.shows("Requests").hides(path.rsplit('/').next().unwrap());
    assert_eq!(
        browser.get(&path).await.to(),
        "/console",
        "a used link leads a signed-in browser to the console"
    );

    let mut second = server.browser();
    assert_eq!(second.get(&path).await.to(), "/console/signin?link=used");
    second.get("/console/signin?link=used").await.shows("This link is not valid");
    assert_eq!(second.get("/console/requests").await.to(), "/console/signin");

    // a new link makes the previous link invalid; a request with a wrong token leaves the new link valid
    let old = server.running().console_link().unwrap();
    let new = server.running().console_link().unwrap();
    for (link, to) in [
        (with_other_last_character(&new), "/console/signin?link=used"),
        (old, "/console/signin?link=used"),
        (new, "/console"),
    ] {
        let path = link.strip_prefix(&server.base).unwrap().to_owned();
        assert_eq!(server.browser().get(&path).await.to(), to);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forms_need_a_csrf_token_and_the_servers_origin() {
    let server = Server::sqlite().await;
    let mut console = server.console().await;
    let page = console.get("/console/requests").await;
    let token = page.csrf("/console/requests");
    let mut stranger = server.console().await;
    let other = stranger.get("/console/requests").await.csrf("/console/requests");
    for wrong in ["", "x", &other] {
        console.post("/console/requests", &[("csrf", wrong)]).await.is(403, "Please try again");
    }
    let mut foreign = console.clone();
    foreign.headers = vec!["origin: https://evil.example".to_owned()];
    foreign.post("/console/requests", &[("csrf", &token)]).await.is(403, "sent from another site");
    foreign.post("/console/signin", &[("key", &operator_key())]).await.is(403, "sent from another site");
    // the sign-in form needs a CSRF token too
    let mut fresh = server.browser();
    fresh.post("/console/signin", &[("key", &operator_key())]).await.is(403, "Please try again");
    assert_eq!(
        console.post("/console/requests", &[("csrf", &token)]).await.to(),
        "/console/requests?done=cleared"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn attempts_to_sign_in_are_limited() {
    let server = Server::limited().await;
    let mut browser = server.browser();
    let page = browser.get("/console/signin").await;
    let fields = [("key", "svc_op_wrong")];
    // 60 attempts are allowed, as at /signin
    for _ in 0..60 {
        let answer = browser.submit_on(&page, "/console/signin", &fields).await;
        answer.is(422, "This is not the operator key");
    }
    let answer = browser.submit_on(&page, "/console/signin", &fields).await;
    assert_eq!(answer.wire.status, 429, "{}", answer.text);
}
