//! `state` of an install request (RFC 6749 §4.1.1): any bytes, returned unchanged.

use serde_json::json;

use super::Office;
use crate::support::{assistant::PASSWORD, *};

const CALLBACK: &str = "https://app.example/callback";
const EMAIL: &str = "state@install.example";

/// Values of `state`, each as the app encodes it in the request and as the server encodes it in the redirect.
const STATES: [(&str, &str); 7] = [
    ("%FF%00", "%FF%00"),
    // invalid, overlong and surrogate UTF-8, and a U+FFFD that the app sent
    ("%80%C3%28%C0%AF%ED%A0%80%EF%BF%BD", "%80%C3%28%C0%AF%ED%A0%80%EF%BF%BD"),
    ("%0D%0Aset-cookie:%20x", "%0D%0Aset-cookie%3A%20x"),
    ("a+b%20c%2Bd%26e%3Df", "a%20b%20c%2Bd%26e%3Df"),
    ("100%&x=1", "100%25"),
    // a backslash, an apostrophe and a character beyond ASCII, which clients may send without escaping them
    ("a\\b'%22\u{e9}", "a%5Cb%27%22%C3%A9"),
    ("a~._-%7e", "a~._-~"),
];

fn request(app: &App, more: &str) -> String {
    format!(
        "/oauth/authorize?client_id={}&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback{more}",
        app.client_id
    )
}

/// Posts an encoded form to the install page.
async fn post(browser: &mut browser::Browser, body: &str) -> browser::Page {
    let headers = ["content-type: application/x-www-form-urlencoded".to_owned()];
    browser.send("POST", "/oauth/authorize", &headers, body.as_bytes()).await
}

#[both_engines]
async fn state_is_returned_after_sign_in_and_decision(server: Server) {
    let company = server.company().await;
    company.person_with(json!({"email": EMAIL, "password": PASSWORD, "is_admin": true})).await;
    let app = server.app(&["users:read"]).await;
    for (sent, back) in STATES {
        let mut browser = server.browser();
        let sign_in = browser.get(&request(&app, &format!("&state={sent}"))).await.to().to_owned();
        assert!(sign_in.starts_with("/signin?next="), "{sent}");
        let here =
            browser.submit(&sign_in, &[("email", EMAIL), ("password", PASSWORD)]).await.to().to_owned();
        assert!(here.starts_with("/oauth/authorize?"), "{sent}: {here}");
        let page = browser.submit(&here, &[("decision", "deny")]).await;
        assert_eq!(page.to(), format!("{CALLBACK}?error=access_denied&state={back}"), "{sent}");
        let page = browser.submit(&here, &[("decision", "approve")]).await;
        let (code, state) = page.to().split_once("&state=").expect("a state");
        assert_eq!(state, back, "{sent}");
        let code = code.strip_prefix(&format!("{CALLBACK}?code=")).expect("a code");
        let exchange = json!({
            "grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK,
            "client_id": app.client_id, "client_secret": app.client_secret,
        });
        server.api().post("/oauth/token").json(&exchange).ok(200).await;
    }
}

/// The `state` is so long that the install page itself shows a sign-in form. A redirect to the sign-in page would
/// encode the URL once more, and the encoded URL would exceed the maximum length of a request line.
#[both_engines]
async fn a_state_that_fills_the_request_line_is_returned_after_sign_in(server: Server) {
    let company = server.company().await;
    company.person_with(json!({"email": EMAIL, "password": PASSWORD, "is_admin": true})).await;
    let app = server.app(&["users:read"]).await;
    let state = "%FF".repeat(5_000);
    let here = request(&app, &format!("&state={state}"));
    let mut browser = server.browser();
    let page = browser.get(&here).await;
    page.shows("to install an app in your company");
    let wrong = [("email", EMAIL), ("password", "a wrong password")];
    let page = browser.submit_on(&page, "/oauth/authorize", &wrong).await;
    page.is(422, "Wrong e-mail address or password");
    let fields = [("email", EMAIL), ("password", PASSWORD)];
    assert_eq!(
        browser.post(&here, &fields).await.wire.status,
        403,
        "a sign-in without a CSRF token is rejected"
    );
    assert_eq!(browser.submit_on(&page, "/oauth/authorize", &fields).await.to(), here);
    let install = browser.get(&here).await;
    let denied = browser.submit_on(&install, "/oauth/authorize", &[("decision", "deny")]).await;
    assert_eq!(denied.to(), format!("{CALLBACK}?error=access_denied&state={state}"));
    // After a sign-out, the form of the decision redirects to the install page. There the person signs in again.
    assert_eq!(browser.submit_on(&install, "/signout", &[]).await.to(), here);
    let decided = browser.submit_on(&install, "/oauth/authorize", &[("decision", "approve")]).await;
    assert_eq!(decided.to(), here);
    let page = browser.get(&here).await;
    assert_eq!(browser.submit_on(&page, "/oauth/authorize", &fields).await.to(), here);
    let approved = browser.submit(&here, &[("decision", "approve")]).await;
    assert_eq!(approved.to().split_once("&state=").expect("a state").1, state);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sign_in_attempts_on_the_install_page_are_limited() {
    let server = Server::limited().await;
    let app = server.app(&["users:read"]).await;
    let here = request(&app, &format!("&state={}", "%FF".repeat(5_000)));
    let mut browser = server.browser();
    let page = browser.get(&here).await;
    let fields = [("email", ""), ("password", PASSWORD)];
    // 60 attempts per minute from an address, as on the sign-in page
    for _ in 0..60 {
        browser.submit_on(&page, "/oauth/authorize", &fields).await.is(422, "Fill in both");
    }
    let refused = browser.submit_on(&page, "/oauth/authorize", &fields).await;
    assert_eq!(refused.wire.status, 429, "{}", refused.text);
    assert!(refused.header("retry-after").is_some());
}

#[both_engines]
async fn errors_return_the_state(server: Server) {
    let mut office = Office::new(&server).await;
    let app = server.app(&["users:read"]).await;
    for (sent, back) in STATES {
        for (more, error) in [
            ("&scope=nonsense", "invalid_scope"),
            ("&response_type=token", "unsupported_response_type"),
            ("&code_challenge=x", "invalid_request"),
        ] {
            let request = request(&app, &format!("{more}&state={sent}"));
            let expected = format!("{CALLBACK}?error={error}&state={back}");
            assert_eq!(server.browser().get(&request).await.to(), expected);
            // a posted form gets the same response
            assert_eq!(office.admin.post(&request, &[("decision", "deny")]).await.to(), expected);
        }
    }
    // a repeated `state` is not returned, because a response can have only one `state`
    let page = office.admin.get(&request(&app, "&state=%FF&state=%FE")).await;
    assert_eq!(page.to(), format!("{CALLBACK}?error=invalid_request"));
}

#[both_engines]
async fn other_parameters_must_be_utf8(server: Server) {
    let mut office = Office::new(&server).await;
    let app = server.app(&["users:read"]).await;
    let admin = &mut office.admin;
    admin.get("/oauth/authorize?client_id=%FF").await.is(400, "There is no app");
    let other = format!("/oauth/authorize?client_id={}&redirect_uri=%FF", app.client_id);
    admin.get(&other).await.is(400, "not one that the app registered");
    for (more, error) in [
        ("&scope=%FF", "invalid_scope"),
        ("&response_type=%FF", "unsupported_response_type"),
        ("&code_challenge=%FF&code_challenge_method=S256", "invalid_request"),
    ] {
        let page = admin.get(&request(&app, &format!("{more}&state=%FF"))).await;
        assert_eq!(page.to(), format!("{CALLBACK}?error={error}&state=%FF"));
    }
}

#[both_engines]
async fn state_of_a_posted_request_is_returned(server: Server) {
    // an authorization request may also be a POST (RFC 6749 §3.1)
    let mut office = Office::new(&server).await;
    let app = server.app(&["users:read"]).await;
    let csrf = office.admin.get(&request(&app, "")).await.csrf("/oauth/authorize");
    let usual = request(&app, &format!("&csrf={csrf}")).replace("/oauth/authorize?", "");
    for (sent, back) in STATES {
        let page = post(&mut office.admin, &format!("state={sent}&decision=deny&{usual}")).await;
        assert_eq!(page.to(), format!("{CALLBACK}?error=access_denied&state={back}"), "{sent}");
        let page = post(&mut office.admin, &format!("{usual}&state={sent}&decision=approve")).await;
        assert_eq!(page.to().split_once("&state=").expect("a state").1, back, "{sent}");
    }
    let page = post(&mut office.admin, &format!("{usual}&decision=deny&state=%FF&state=%FF")).await;
    assert_eq!(page.to(), format!("{CALLBACK}?error=invalid_request"));
    for more in ["&scope=%FF", "&other=%00", "&decision=approve&decision=deny"] {
        assert_eq!(post(&mut office.admin, &format!("{usual}{more}")).await.wire.status, 400, "{more}");
    }
}
