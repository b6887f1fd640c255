//! `/authorize` and the consent page.

use std::time::Duration;

use serde_json::json;

use super::{Office, colleague};
use crate::support::{
    assistant::{Client, Employee, LOCAL, PASSWORD, WEB},
    authorize::Redirected,
    both_engines,
    browser::{Browser, Page},
    *,
};

fn path(client: &Client, more: &[(&str, &str)]) -> String {
    format!("/authorize?{}", serde_urlencoded::to_string(client.authorization_query(more)).unwrap())
}

/// Opens `/authorize`, and returns the path of the consent page.
async fn open_consent(browser: &mut Browser, client: &Client, more: &[(&str, &str)]) -> String {
    let page = browser.get(&path(client, more)).await;
    assert!(page.to().starts_with("/authorize/consent?request="), "{}", page.to());
    page.to().to_owned()
}

async fn signed_in(server: &Server, employee: &Employee) -> Browser {
    server.signed_in(&employee.email, PASSWORD).await
}

fn approve(company: &Company) -> [(&'static str, &str); 2] {
    [("decision", "approve"), ("workspace_id", &company.id)]
}

/// Asserts that a page neither redirects nor contains the host of a redirect URI.
#[track_caller]
fn leads_nowhere(page: &Page) {
    assert_eq!(page.header("location"), None);
    page.hides("client.example").hides("evil.example").hides("127.0.0.1");
}

#[both_engines]
async fn an_employee_approves(server: Server) {
    // sign-in, approval, the page and the redirect
    let employee = server.employee().await;
    let client = server.client_with("none", &[WEB]).await;
    let mut browser = server.browser();
    let consent = open_consent(&mut browser, &client, &[]).await;
    // without a session, the consent page redirects to sign-in
    let to = browser.get(&consent).await.to().to_owned();
    assert!(to.starts_with("/signin?next=%2Fauthorize%2Fconsent"), "{to}");
    browser.sign_in(&employee.email, PASSWORD, &consent).await;
    let page = browser.get(&consent).await;
    page.shows("Connect Calendar Helper?").shows("Unverified").shows("client.example");
    page.shows("conversations, messages, files, colleagues and your drafts")
        .shows("send messages in your name");
    page.shows("Admins of the company see that the assistant is connected and what it does for you");
    page.shows("Emil Employee").shows(&employee.email).hides("app on your computer");
    let page = browser.submit_on(&page, &consent, &approve(&employee.company)).await;
    let answer = Redirected::read(page.to());
    assert!(answer.address.starts_with(&format!("{WEB}?code=")), "{}", answer.address);
    assert_eq!((answer.get("state"), answer.get("iss")), (Some("a state"), Some(server.base.as_str())));
    client.exchange(answer.get("code").unwrap()).await.ok();
    // a request is decided only once, and the next authorization asks the employee again
    browser.get(&consent).await.is(400, "This request has expired");
    let consent = open_consent(&mut browser, &client, &[]).await;
    browser.get(&consent).await.shows("Connect Calendar Helper?");
}

/// A double click submits the form twice. The browser shows only the response to the second submission.
#[both_engines]
async fn a_form_that_is_submitted_twice_leads_back_to_the_client(server: Server) {
    let employee = server.employee().await;
    let client = server.client_with("none", &[WEB]).await;
    let mut browser = signed_in(&server, &employee).await;
    let approved = approve(&employee.company);
    let consent = open_consent(&mut browser, &client, &[]).await;
    let page = browser.get(&consent).await;
    let mut second = browser.clone();
    let (first, second) = tokio::join!(
        browser.submit_on(&page, &consent, &approved),
        second.submit_on(&page, &consent, &approved)
    );
    assert_eq!(first.to(), second.to(), "both submissions get the same code");
    let other = browser.submit_on(&page, &consent, &[("decision", "deny")]).await;
    other.is(400, "This request has expired");
    let third = browser.submit_on(&page, &consent, &approved).await;
    assert_eq!(third.to(), first.to());
    client.exchange(Redirected::read(third.to()).get("code").unwrap()).await.ok();
    // If a client got the code a second time, it would exchange the code again, which would revoke the connection
    //
    browser.submit_on(&page, &consent, &approved).await.is(409, "This request was approved already");
    assert_eq!(employee.connections().await.len(), 1);

    let consent = open_consent(&mut browser, &client, &[]).await;
    let page = browser.get(&consent).await;
    let denied = browser.submit_on(&page, &consent, &[("decision", "deny")]).await;
    let again = browser.submit_on(&page, &consent, &[("decision", "deny")]).await;
    assert!(denied.to().contains("error=access_denied"), "{}", denied.to());
    assert_eq!(again.to(), denied.to());
    server.advance(Duration::from_secs(60)).await;
    let late = browser.submit_on(&page, &consent, &[("decision", "deny")]).await;
    late.is(400, "This request has expired");
}

#[both_engines]
async fn a_form_after_a_rejected_one_is_checked_anew(server: Server) {
    let employee = server.employee().await;
    let client = server.client_with("none", &[WEB]).await;
    let mut browser = signed_in(&server, &employee).await;
    let company = &employee.company;
    let consent = open_consent(&mut browser, &client, &[]).await;
    let page = browser.get(&consent).await;
    let set_assistants = async |is_on: bool| {
        company.operator.patch(&company.path("")).json(&json!({"ai_assistants": is_on})).ok(200).await;
    };
    // ten seconds before the request expires
    server.advance(Duration::from_secs(590)).await;
    set_assistants(false).await;
    browser.submit_on(&page, &consent, &approve(company)).await.is(422, "Nothing was connected");
    set_assistants(true).await;
    server.advance(Duration::from_secs(10)).await;
    browser.submit_on(&page, &consent, &approve(company)).await.is(400, "This request has expired");
}

#[both_engines]
async fn a_state_of_arbitrary_bytes_is_returned_unchanged(server: Server) {
    // `state` is returned byte for byte
    let employee = server.employee().await;
    let client = server.client_with("none", &[WEB]).await;
    let mut browser = signed_in(&server, &employee).await;
    let sent = "state=%FF%00%C3%28x%2B%25";
    let wrong = format!("{}&{sent}", path(&client, &[("state", ""), ("scope", "x")]));
    let to = browser.get(&wrong).await.to().to_owned();
    assert!(to.contains("error=invalid_scope") && to.contains(&format!("&{sent}&iss=")), "{to}");
    for decision in [&approve(&employee.company)[..], &[("decision", "deny")]] {
        let right = format!("{}&{sent}", path(&client, &[("state", "")]));
        let consent = browser.get(&right).await.to().to_owned();
        let to = browser.submit(&consent, decision).await.to().to_owned();
        assert!(to.contains(&format!("&{sent}&iss=")), "{to}");
    }
}

#[both_engines]
async fn only_the_browser_requires_the_check_box(server: Server) {
    // The box prevents double-clickjacking. In this attack, another page makes the person double-click, and the second
    // click would press the button that approves. `tests/browser/consent.test.js` clicks the box.
    let employee = server.employee().await;
    let client = server.client_with("none", &[WEB]).await;
    let mut browser = signed_in(&server, &employee).await;
    let consent = open_consent(&mut browser, &client, &[]).await;
    let page = browser.get(&consent).await;
    page.shows("<input type=\"checkbox\" id=\"confirm\" name=\"confirm\" value=\"true\" required>");
    page.shows(
        "<button class=\"secondary\" type=\"submit\" name=\"decision\" value=\"deny\" formnovalidate>",
    );
    // the fields of a scripted client (docs/pages.md): `request`, `workspace_id`, `decision`, `csrf`
    let request = consent.split_once('=').unwrap().1;
    let csrf = page.csrf("/authorize/consent");
    let fields = [
        ("request", request),
        ("workspace_id", &employee.company.id),
        ("decision", "approve"),
        ("csrf", csrf.as_str()),
    ];
    let answer = browser.post("/authorize/consent", &fields).await;
    let code = Redirected::read(answer.to()).get("code").expect("a code without the box").to_owned();
    client.exchange(&code).await.ok();
    assert_eq!(employee.connections().await.len(), 1);
    // the server ignores the value of the box
    for confirm in ["", "false", "on"] {
        let consent = open_consent(&mut browser, &client, &[]).await;
        let fields = [approve(&employee.company)[0], ("confirm", confirm)];
        let answer = browser.submit(&consent, &fields).await;
        assert!(
            Redirected::read(answer.to()).get("code").is_some(),
            "the server ignores the box: {confirm:?}"
        );
    }
}

#[both_engines]
async fn an_employee_denies(server: Server) {
    // a denial redirects to the client with an error
    let employee = server.employee().await;
    let client = server.client().await;
    let mut browser = signed_in(&server, &employee).await;
    let consent = open_consent(&mut browser, &client, &[]).await;
    let page = browser.submit(&consent, &[("decision", "deny")]).await;
    let answer = Redirected::read(page.to());
    assert_eq!(answer.get("error"), Some("access_denied"));
    assert_eq!((answer.get("state"), answer.get("iss")), (Some("a state"), Some(server.base.as_str())));
    assert_eq!(answer.get("code"), None);
    let consent = open_consent(&mut browser, &client, &[]).await;
    browser.submit(&consent, &[("decision", "perhaps")]).await.is(400, "approve or deny");
}

#[both_engines]
async fn an_invalid_client_or_redirect_uri_gets_an_error_page(server: Server) {
    // an error page does not redirect (A-132, A-133, A-134, D-219)
    let client = server.client_with("none", &[WEB]).await;
    let mut browser = server.browser();
    for more in [
        &[("client_id", "")][..],
        &[("client_id", "mcpc_unknown")],
        &[("client_id", "<script>alert(1)</script>")],
        &[("redirect_uri", "")],
        &[("redirect_uri", "https://evil.example/")],
        &[("redirect_uri", "https://client.example/callback/")],
        &[("redirect_uri", "javascript:alert(1)")],
        &[("redirect_uri", WEB), ("redirect_uri", WEB)],
    ] {
        let page = browser.get(&path(&client, more)).await;
        page.is(400, "This app cannot be connected");
        leads_nowhere(&page);
    }
}

#[both_engines]
async fn errors_with_a_valid_client_and_redirect_uri_go_to_the_client(server: Server) {
    // the redirect to the client has `error`, `state` and `iss`
    let client = server.client_with("none", &[WEB]).await;
    let mut browser = server.browser();
    let state = "spaces & plus + percent % é 漢";
    for (more, error) in [
        (("response_type", "token"), "unsupported_response_type"),
        (("code_challenge_method", "plain"), "invalid_request"),
        (("resource", "https://elsewhere.example/mcp"), "invalid_target"),
        (("scope", "offline_access"), "invalid_scope"),
    ] {
        let page = browser.get(&path(&client, &[more, ("state", state)])).await;
        let answer = Redirected::read(page.to());
        assert_eq!((answer.get("error"), answer.get("state")), (Some(error), Some(state)));
        assert_eq!(answer.get("iss"), Some(server.base.as_str()));
    }
}

#[both_engines]
async fn the_page_warns_of_an_app_on_the_employees_computer(server: Server) {
    // the warning for loopback and private-use redirect URIs; the content security policy (D-265)
    let employee = server.employee().await;
    let mut browser = signed_in(&server, &employee).await;
    for (uri, is_local) in [
        (LOCAL, true),
        ("http://localhost:1/cb", true),
        ("http://[::1]:1/cb", true),
        ("com.example.app:/cb", true),
        ("cursor://somewhere/cb", true),
        (WEB, false),
    ] {
        let client = server.client_with("none", &[uri]).await;
        let consent = open_consent(&mut browser, &client, &[]).await;
        let page = browser.get(&consent).await;
        let warned = page.text.contains("Access goes to an app on your computer.");
        assert_eq!(warned, is_local, "{uri}");
        let policy = page.header("content-security-policy").unwrap();
        assert!(
            !policy.contains("form-action"),
            "the policy has no form-action, which would block the redirect to {uri}: {policy}"
        );
    }
}

#[both_engines]
async fn a_request_belongs_to_its_browser_and_expires(server: Server) {
    // the lifetime, the form token and the browser of a request (A-161, A-171, D-275)
    let employee = server.employee().await;
    let client = server.client().await;
    let mut browser = signed_in(&server, &employee).await;
    let consent = open_consent(&mut browser, &client, &[]).await;
    let page = browser.get(&consent).await;
    // another browser of the same person cannot use the request
    let mut other = signed_in(&server, &employee).await;
    other.get(&consent).await.is(400, "This request has expired");
    let token = other.get("/").await.csrf("/signout");
    let request = consent.split_once('=').unwrap().1;
    for csrf in [token.as_str(), &page.csrf("/authorize/consent"), ""] {
        let fields = [("request", request), ("decision", "approve"), ("csrf", csrf)];
        let answer = other.post("/authorize/consent", &fields).await;
        answer.is(403, "Nothing was changed");
    }
    // the CSRF token of another form is not accepted here
    let token = browser.get("/").await.csrf("/signout");
    let fields = [("request", request), ("decision", "approve"), ("csrf", token.as_str())];
    browser.post("/authorize/consent", &fields).await.is(403, "Nothing was changed");
    for nonsense in ["/authorize/consent", "/authorize/consent?request=x", "/authorize/consent?request="] {
        browser.get(nonsense).await.is(400, "This request has expired");
    }
    browser.get(&consent).await.shows("Connect Calendar Helper?");
    server.advance(Duration::from_secs(601)).await;
    let late = browser.submit_on(&page, &consent, &approve(&employee.company)).await;
    late.is(400, "This request has expired");
    leads_nowhere(&late);
}

#[both_engines]
async fn only_employees_approve_and_only_for_companies_that_allow_assistants(server: Server) {
    // who may approve, and which companies can be chosen (A-162…A-165, D-252, D-271, D-272)
    let (on, off, blocked, guest) =
        (server.company().await, server.company().await, server.company().await, server.company().await);
    let email = "many@consent.example";
    on.person_with(json!({"name": "Mona Many", "email": email, "password": PASSWORD})).await;
    off.person_with(json!({"email": email})).await;
    blocked.person_with(json!({"email": email})).await;
    guest.person_with(json!({"email": email, "is_external": true})).await;
    off.operator.patch(&off.path("")).json(&json!({"ai_assistants": false})).ok(200).await;
    let key = blocked.path("/client_blocks/local%3Acalendar%20helper");
    blocked.operator.put(&key).ok(200).await;
    let client = server.client().await;
    let mut browser = server.signed_in(email, PASSWORD).await;
    let consent = open_consent(&mut browser, &client, &[]).await;
    let page = browser.get(&consent).await;
    page.shows(&on.id).shows(&off.id).shows(&blocked.id).hides(&guest.id);
    page.shows("turned assistants off").shows("blocked this assistant");
    assert_eq!(page.text.matches(" disabled>").count(), 2);
    assert_eq!(page.text.matches(" checked>").count(), 1, "the only possible company is preselected (D-271)");
    for company in [&off, &blocked, &guest] {
        let answer = browser.submit_on(&page, &consent, &approve(company)).await;
        answer.is(422, "Nothing was connected");
    }
    // if only one company can be chosen, a form that names no company approves for this company
    let answer = browser.submit_on(&page, &consent, &[("decision", "approve")]).await;
    assert!(Redirected::read(answer.to()).get("code").is_some());

    for members in [json!({"is_external": true}), json!({"state": "onboarding"})] {
        let (_, mut nobody) = colleague(&server, &on, members).await;
        let consent = open_consent(&mut nobody, &client, &[]).await;
        let page = nobody.get(&consent).await;
        page.shows("not an active employee").hides("value=\"approve\"");
        nobody.submit_on(&page, &consent, &approve(&on)).await.is(422, "Nothing was connected");
        let page = nobody.submit_on(&page, &consent, &[("decision", "deny")]).await;
        assert_eq!(Redirected::read(page.to()).get("error"), Some("access_denied"));
    }
}

#[both_engines]
async fn changes_after_the_page_was_shown_are_checked(server: Server) {
    // the approval checks the employee, the company and the block list again
    let employee = server.employee().await;
    let client = server.client().await;
    let mut browser = signed_in(&server, &employee).await;
    let consent = open_consent(&mut browser, &client, &[]).await;
    let page = browser.get(&consent).await;
    let company = &employee.company;
    company.operator.patch(&company.path("")).json(&json!({"ai_assistants": false})).ok(200).await;
    browser.submit_on(&page, &consent, &approve(company)).await.is(422, "turned assistants off");
    company.operator.patch(&company.path("")).json(&json!({"ai_assistants": true})).ok(200).await;
    let key = company.path("/client_blocks/local%3Acalendar%20helper");
    company.operator.put(&key).ok(200).await;
    browser.submit_on(&page, &consent, &approve(company)).await.is(422, "blocked this assistant");
    company.operator.delete(&key).ok(200).await;
    company.set_state(&employee.id, "deactivated").await;
    let answer = browser.submit_on(&page, &consent, &approve(company)).await;
    assert!(answer.to().starts_with("/signin?next="), "{}", answer.to());
    assert_eq!(employee.connections().await.len(), 0);
}

#[both_engines]
async fn a_company_is_chosen_and_another_person_may_sign_in(server: Server) {
    // none of several companies is preselected; the button for another account returns to the request (D-271, D-273)
    let (one, two) = (server.company().await, server.company().await);
    let email = "pick@consent.example";
    one.person_with(json!({"email": email, "password": PASSWORD})).await;
    two.person_with(json!({"email": email})).await;
    let client = server.client().await;
    let mut browser = server.signed_in(email, PASSWORD).await;
    let consent = open_consent(&mut browser, &client, &[]).await;
    let page = browser.get(&consent).await;
    page.shows(&one.id).shows(&two.id).hides(" checked>");
    browser.submit_on(&page, &consent, &[("decision", "approve")]).await.is(422, "Choose the company");
    // the person signs out on the page, another person signs in with the same browser, and decides the same request
    let employee = server.employee().await;
    let out = browser.submit_on(&page, "/signout", &[]).await;
    assert_eq!(out.to(), consent);
    assert!(browser.get(&consent).await.to().starts_with("/signin?next="));
    browser.sign_in(&employee.email, PASSWORD, &consent).await;
    let page = browser.submit(&consent, &approve(&employee.company)).await;
    assert!(Redirected::read(page.to()).get("code").is_some());
}

#[both_engines]
async fn well_known_names_are_distinguished_from_chosen_names(server: Server) {
    // the server chooses a well-known name, and still marks the client as unverified (D-247, D-267)
    let employee = server.employee().await;
    let mut browser = signed_in(&server, &employee).await;
    let known = "https://claude.ai/api/mcp/auth_callback";
    for (uris, name, is_own) in [
        (&[known][..], "Claude", false),
        (&["https://claude.ai:8443/cb"], "Claude", false),
        (&[known, LOCAL], "Calendar Helper", true),
        (&["claude.ai:/cb"], "Calendar Helper", true),
        (&[WEB], "Calendar Helper", true),
    ] {
        let client = server.client_with("none", uris).await;
        let consent = open_consent(&mut browser, &client, &[]).await;
        let page = browser.get(&consent).await;
        page.shows(&format!("Connect {name}?")).shows("Unverified");
        let (own, fixed) = ("Chosen by the app itself.", "This is the well-known name of claude.ai.");
        let (shown, hidden) = if is_own { (own, fixed) } else { (fixed, own) };
        page.shows(shown).hides(hidden);
    }
}

#[both_engines]
async fn names_of_clients_are_shown_as_text(server: Server) {
    // the page shows the display name, and no logo or link of the client
    let employee = server.employee().await;
    let body = json!({
        "client_name": "\"><img src=x>&", "redirect_uris": [WEB], "token_endpoint_auth_method": "none",
        "logo_uri": "https://logo.example/logo.png", "client_uri": "https://about.example",
    });
    let made = server.api().http.post(format!("{}/register", server.base)).json(&body).send().await.unwrap();
    let made: serde_json::Value = made.json().await.unwrap();
    let mut browser = signed_in(&server, &employee).await;
    let plain = server.client_with("none", &[WEB]).await;
    let request = path(&plain, &[("client_id", &text(&made, "/client_id"))]);
    let consent = browser.get(&request).await.to().to_owned();
    let page = browser.get(&consent).await;
    page.shows("&#34;&#62;&#60;img src=x&#62;&#38;")
        .hides("<img")
        .hides("logo.example")
        .hides("about.example");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_thirty_first_request_in_a_minute_is_refused() {
    // 30 requests a minute from one address, then a plain text 429 (A-173, A-321, A-315, D-266)
    let server = Server::with(Options { limits: true, ..Options::default() }).await.unwrap();
    let mut browser = server.browser();
    for _ in 0..30 {
        browser.get("/authorize").await.is(400, "client_id is missing");
    }
    let page = browser.get("/authorize").await;
    page.is(429, "Too many requests");
    assert!(page.header("content-type").unwrap().starts_with("text/plain"));
    let wait: u64 = page.header("retry-after").unwrap().parse().unwrap();
    server.clock.advance(Duration::from_secs(wait));
    browser.get("/authorize").await.is(400, "client_id is missing");
    // requests for the consent page do not count
    let mut office = Office::new(&server).await;
    for _ in 0..40 {
        office.admin.get("/authorize/consent?request=x").await.is(400, "has expired");
    }
}
