//! `/oauth/authorize`: a company's admin installs an app (D-161).

use serde_json::json;

use super::{Office, colleague};
use crate::support::{
    assistant::{CHALLENGE, PASSWORD, VERIFIER, over},
    authorize::Redirected,
    both_engines, *,
};

const CALLBACK: &str = "https://app.example/callback";

fn path(usual: &[(&str, &str)], more: &[(&str, &str)]) -> String {
    format!("/oauth/authorize?{}", serde_urlencoded::to_string(over(usual, more)).unwrap())
}

fn usual(app: &App) -> [(&str, &str); 3] {
    [("client_id", app.client_id.as_str()), ("redirect_uri", CALLBACK), ("state", "a b&c=+é")]
}

#[both_engines]
async fn an_admin_approves(server: Server) {
    let mut office = Office::new(&server).await;
    let app = server.app(&["messages:write", "users:read"]).await;
    let request = path(
        &usual(&app),
        &[("scope", "users:read"), ("code_challenge", CHALLENGE), ("code_challenge_method", "S256")],
    );
    // without a session, the request redirects to the sign-in page, whose parameter `next` is the request
    let to = server.browser().get(&request).await.to().to_owned();
    assert_eq!(url::Url::parse(&format!("http://x{to}")).unwrap().query_pairs().next().unwrap().1, request);
    let page = office.admin.get(&request).await;
    page.shows("see the people of the company").hides("send messages under").shows("app.example");
    // The policy has no `form-action`, so it allows the redirect to any URL of the app (D-265).
    let policy = page.header("content-security-policy").unwrap();
    assert!(!policy.contains("form-action"), "{policy}");
    let fields = [("workspace_id", office.company.id.as_str()), ("decision", "approve")];
    let page = office.admin.submit_on(&page, &request, &fields).await;
    let answer = Redirected::read(page.to());
    assert!(answer.address.starts_with(&format!("{CALLBACK}?code=svc_code_")));
    assert_eq!(answer.get("state"), Some("a b&c=+é"));
    let body = json!({
        "grant_type": "authorization_code", "code": answer.get("code"), "redirect_uri": CALLBACK,
        "code_verifier": VERIFIER, "client_id": app.client_id, "client_secret": app.client_secret,
    });
    let got = server.api().post("/oauth/token").json(&body).ok(200).await;
    assert_eq!(
        (got["scope"].clone(), got["workspace"]["id"].clone()),
        (json!("users:read"), json!(office.company.id))
    );
    let list = office.company.operator.get(&office.company.path("/installations")).ok(200).await;
    assert_eq!(list["installations"][0]["installed_by"], office.admin_id.as_str());
}

#[both_engines]
async fn only_the_browser_requires_the_check_box(server: Server) {
    // Without the box, another page could trick the person into a double click whose second click approves the app
    // (double-clickjacking). `tests/browser/pages.test.js` clicks the box.
    let mut office = Office::new(&server).await;
    let app = server.app(&["users:read"]).await;
    let request = path(&usual(&app), &[]);
    let page = office.admin.get(&request).await;
    page.shows("<input type=\"checkbox\" id=\"confirm\" name=\"confirm\" value=\"true\" required>");
    page.shows(
        "<button class=\"secondary\" type=\"submit\" name=\"decision\" value=\"deny\" formnovalidate>",
    );
    // the fields of a scripted client (docs/pages.md): `workspace_id`, `decision`, `csrf`
    let csrf = page.csrf("/oauth/authorize");
    let fields =
        [("workspace_id", office.company.id.as_str()), ("decision", "approve"), ("csrf", csrf.as_str())];
    let answer = office.admin.post(&request, &fields).await;
    assert!(Redirected::read(answer.to()).get("code").is_some(), "the server does not require the box");
    // the server ignores the value of the box
    for confirm in ["", "no", "on"] {
        let fields = [("decision", "approve"), ("confirm", confirm)];
        let answer = office.admin.submit_on(&page, &request, &fields).await;
        assert!(answer.to().contains("?code="), "the server ignores the box: {confirm:?}");
    }
}

#[both_engines]
async fn an_admin_declines(server: Server) {
    let mut office = Office::new(&server).await;
    let app = server.app(&["users:read"]).await;
    let page = office.admin.submit(&path(&usual(&app), &[]), &[("decision", "deny")]).await;
    let answer = Redirected::read(page.to());
    assert_eq!((answer.get("error"), answer.get("code")), (Some("access_denied"), None));
    assert_eq!(answer.get("state"), Some("a b&c=+é"));
    let page = office.admin.submit(&path(&usual(&app), &[("state", "")]), &[("decision", "deny")]).await;
    assert_eq!(page.to(), "https://app.example/callback?error=access_denied");
    office.admin.submit(&path(&usual(&app), &[]), &[]).await.is(400, "approve or deny");
}

#[both_engines]
async fn an_invalid_client_or_redirect_uri_gets_an_error_page(server: Server) {
    let app = server.app(&["users:read"]).await;
    let off = server.app(&["users:read"]).await;
    let change = json!({"disabled": true});
    server.operator().patch(&format!("/admin/v1/apps/{}", off.id)).json(&change).ok(200).await;
    let mut browser = server.browser();
    for (more, words) in [
        (&[("client_id", "")][..], "client_id is missing"),
        (&[("client_id", "svc_app_x")], "There is no app"),
        (&[("client_id", "mcpc_x")], "There is no app"),
        (&[("client_id", &off.client_id)], "disabled"),
        (&[("client_id", &app.client_id), ("client_id", &app.client_id)], "client_id more than once"),
        (&[("redirect_uri", "https://app.example/callback/")], "not one that the app registered"),
        (&[("redirect_uri", "https://app.example/callback?x")], "not one that the app registered"),
        (&[("redirect_uri", "https://APP.example/callback")], "not one that the app registered"),
        (&[("redirect_uri", "https://evil.example/")], "not one that the app registered"),
        (&[("redirect_uri", "javascript:alert(1)")], "not one that the app registered"),
        (&[("redirect_uri", CALLBACK), ("redirect_uri", CALLBACK)], "redirect_uri more than once"),
    ] {
        let page = browser.get(&path(&usual(&app), more)).await;
        page.is(400, words).hides("app.example").hides("evil.example");
        assert_eq!(page.header("location"), None);
    }
}

#[both_engines]
async fn errors_of_other_parameters_are_sent_to_the_redirect_uri(server: Server) {
    let app = server.app(&["users:read", "messages:write"]).await;
    let mut browser = server.browser();
    for (more, error) in [
        (&[("response_type", "token")][..], "unsupported_response_type"),
        (&[("scope", "files:read")], "invalid_scope"),
        (&[("scope", "users:read files:read")], "invalid_scope"),
        (&[("scope", "nonsense")], "invalid_scope"),
        (&[("scope", "users:read  messages:write")], "invalid_scope"),
        (&[("scope", "users:read"), ("scope", "users:read")], "invalid_request"),
        (&[("code_challenge", CHALLENGE)], "invalid_request"),
        (&[("code_challenge", CHALLENGE), ("code_challenge_method", "plain")], "invalid_request"),
        (&[("code_challenge", "short"), ("code_challenge_method", "S256")], "invalid_request"),
        (&[("code_challenge_method", "S256")], "invalid_request"),
    ] {
        let page = browser.get(&path(&usual(&app), more)).await;
        let answer = Redirected::read(page.to());
        assert!(answer.address.starts_with(&format!("{CALLBACK}?error=")), "{}", answer.address);
        assert_eq!((answer.get("error"), answer.get("state")), (Some(error), Some("a b&c=+é")), "{more:?}");
    }
    for more in [&[("response_type", "code")][..], &[("scope", "")], &[("unknown", "x")]] {
        assert!(browser.get(&path(&usual(&app), more)).await.to().starts_with("/signin?"), "{more:?}");
    }
}

#[both_engines]
async fn a_redirect_uri_may_be_left_out_if_the_app_has_only_one(server: Server) {
    // if the request has no `redirect_uri`, the exchange needs none (D-149)
    let mut office = Office::new(&server).await;
    let app = server.app(&["users:read"]).await;
    let request = path(&usual(&app), &[("redirect_uri", "")]);
    let page = office.admin.submit(&request, &[("decision", "approve")]).await;
    let code = Redirected::read(page.to()).get("code").unwrap().to_owned();
    app.exchange(&server.api(), &code).await;
    let change = json!({"redirect_uris": [CALLBACK, "https://app.example/other"]});
    server.operator().patch(&format!("/admin/v1/apps/{}", app.id)).json(&change).ok(200).await;
    office.admin.get(&request).await.is(400, "redirect_uri is missing");
}

#[both_engines]
async fn only_a_companys_admin_approves(server: Server) {
    // D-161: a company admin approves the installation
    let mut office = Office::new(&server).await;
    let app = server.app(&["users:read"]).await;
    let request = path(&usual(&app), &[]);
    let (_, mut person) = office.colleague(&server).await;
    let page = person.get(&request).await;
    page.is(403, "Only an admin can install");
    let id = office.company.id.clone();
    for company in [id.as_str(), ""] {
        let fields = [("workspace_id", company), ("decision", "approve")];
        let answer = person.submit_on(&page, &request, &fields).await;
        answer.is(403, "Not allowed");
    }
    assert!(person.submit_on(&page, &request, &[("decision", "deny")]).await.to().contains("access_denied"));
    // an admin of another company cannot approve for this company
    let mut other = Office::new(&server).await;
    let fields = [("workspace_id", id.as_str()), ("decision", "approve")];
    other.admin.submit(&request, &fields).await.is(404, "Page not found");
    // when the form is posted, the person is no longer an admin
    let page = office.admin.get(&request).await;
    office.company.update_user(&office.admin_id, json!({"is_admin": false})).await;
    office.admin.submit_on(&page, &request, &fields).await.is(403, "Not allowed");
    let list = office.company.operator.get(&office.company.path("/installations")).ok(200).await;
    assert_eq!(list["installations"], json!([]));
}

#[both_engines]
async fn an_admin_of_several_companies_chooses_one(server: Server) {
    let (one, two) = (server.company().await, server.company().await);
    let email = "two@install.example";
    one.person_with(json!({"email": email, "password": PASSWORD, "is_admin": true})).await;
    two.person_with(json!({"email": email, "is_admin": true})).await;
    let app = server.app(&["users:read"]).await;
    let mut browser = server.signed_in(email, PASSWORD).await;
    let request = path(&usual(&app), &[]);
    let page = browser.get(&request).await;
    page.shows(&one.id).shows(&two.id).hides(" checked>");
    browser.submit_on(&page, &request, &[("decision", "approve")]).await.is(422, "Choose the company");
    let fields = [("decision", "approve"), ("workspace_id", two.id.as_str())];
    let answer = Redirected::read(browser.submit_on(&page, &request, &fields).await.to());
    let got = json!({
        "grant_type": "authorization_code", "code": answer.get("code"), "redirect_uri": CALLBACK,
        "client_id": app.client_id, "client_secret": app.client_secret,
    });
    let got = server.api().post("/oauth/token").json(&got).ok(200).await;
    assert_eq!(got["workspace"]["id"], two.id.as_str());
}

#[both_engines]
async fn a_csrf_token_is_valid_only_for_its_own_request(server: Server) {
    let mut office = Office::new(&server).await;
    let (one, two) = (server.app(&["users:read"]).await, server.app(&["users:read"]).await);
    let other = office.admin.get(&path(&usual(&two), &[])).await.csrf("/oauth/authorize");
    let general = office.admin.get("/").await.csrf("/signout");
    let request = path(&usual(&one), &[]);
    for token in ["", &other, &general] {
        let fields = [("decision", "approve"), ("csrf", token)];
        office.admin.post(&request, &fields).await.is(403, "Nothing was changed");
    }
    office.admin.submit(&request, &[("decision", "approve")]).await.to();
}

#[both_engines]
async fn the_name_of_an_app_is_shown_as_text(server: Server) {
    let mut office = Office::new(&server).await;
    let body =
        json!({"name": "<script>alert(1)</script>", "redirect_uris": ["http://[::1]:3000/cb"], "scopes": []});
    let made = server.operator().post("/admin/v1/apps").json(&body).ok(201).await;
    let id = text(&made, "/client_id");
    let page = office.admin.get(&format!("/oauth/authorize?client_id={id}")).await;
    page.shows("Install &#60;script&#62;alert(1)&#60;/script&#62;?").shows("[::1]:3000");
    let (_, mut guest) = colleague(&server, &office.company, json!({"is_external": true})).await;
    guest.get(&format!("/oauth/authorize?client_id={id}")).await.is(403, "Only an admin");
}

#[both_engines]
async fn a_token_in_the_query_is_refused(server: Server) {
    // A token in the query (D-032) is refused with an error page (D-035), before the sign-in and before any redirect.
    // Nothing is installed (B-049).
    let mut office = Office::new(&server).await;
    let app = server.app(&["users:read"]).await;
    let usual = usual(&app);
    let csrf = office.admin.get(&path(&usual, &[])).await.csrf("/oauth/authorize");
    let fields =
        [("workspace_id", office.company.id.as_str()), ("decision", "approve"), ("csrf", csrf.as_str())];
    for more in [
        &[("token", "x")][..],
        &[("ACCESS_TOKEN", "x")],
        &[("bot_token", "x")],
        &[("state", "svc_bot_test_abc")],
        &[("scope", "nonsense"), ("x", "svc_mcp_at_test_abc")],
        &[("client_id", "svc_app_x"), ("token", "x")],
    ] {
        let request = path(&usual, more);
        for mut browser in [server.browser(), office.admin.clone()] {
            for page in [browser.get(&request).await, browser.post(&request, &fields).await] {
                page.is(400, "This app cannot be installed").is(400, "token_in_query");
                assert_eq!(page.header("location"), None, "{more:?}");
            }
        }
    }
    let list = office.company.operator.get(&office.company.path("/installations")).ok(200).await;
    assert_eq!(list["installations"], json!([]));
    // the method is checked before the token; an empty value is not a token
    let put = office.admin.send("PUT", &path(&usual, &[("token", "x")]), &[], b"").await;
    assert_eq!(put.wire.status, 405);
    office.admin.get(&path(&usual, &[("token", "")])).await.shows("It will be able to");
}
