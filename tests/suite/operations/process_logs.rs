//! The log of a server contains no tokens, authorization codes, install codes, secrets, passwords, PKCE verifiers or
//! e-mail addresses. The tests use the most verbose log level and both log formats. They send valid and invalid
//! requests to the bot API, the admin API, the OAuth endpoints and the pages.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::json;
use switchboard::domain::token::{self, TokenKind};

use crate::support::{
    ALL_SCOPES, Api, App, Company, Process,
    assistant::{CHALLENGE, Client, LOCAL, PASSWORD, Tokens, VERIFIER},
    authorize::Redirected,
    browser::Browser,
    oauth::register,
    text, to_user,
};

/// The values that must not be logged, with their descriptions.
#[derive(Default)]
struct Hidden(Vec<(&'static str, String)>);

impl Hidden {
    fn add(&mut self, what: &'static str, value: impl Into<String>) {
        self.0.push((what, value.into()));
    }

    fn tokens(&mut self, tokens: &Tokens) {
        self.add("access token", &tokens.access);
        self.add("refresh token", &tokens.refresh);
    }

    #[track_caller]
    fn are_not_in(&self, log: &str) {
        for (what, value) in &self.0 {
            assert!(
                value.len() >= 8,
                "the {what} needs at least 8 characters, or else the log can contain it by chance: {value}"
            );
            let encoded: String = url::form_urlencoded::byte_serialize(value.as_bytes()).collect();
            for form in [value.clone(), encoded, BASE64_STANDARD.encode(value)] {
                let found: Vec<_> = log.lines().filter(|line| line.contains(&form)).collect();
                assert!(found.is_empty(), "{what} must not be logged: {found:?}");
            }
        }
    }
}

struct Employee {
    email: String,
    company: Company,
}

/// Signs an employee in after an attempt with a wrong password, and approves the client's authorization request.
/// Returns the authorization code.
async fn consent(browser: &mut Browser, employee: &Employee, client: &Client, hidden: &mut Hidden) -> String {
    let query =
        serde_urlencoded::to_string(client.authorization_query(&[("state", "a-state-of-the-client")]))
            .unwrap();
    let consent = browser.get(&format!("/authorize?{query}")).await.to().to_owned();
    hidden.add("authorization request", consent.split_once("request=").expect("a request").1);
    browser.sign_in(&employee.email, "not the password", &consent).await;
    browser.sign_in(&employee.email, PASSWORD, &consent).await;
    hidden.add("session", browser.session().expect("signed in"));
    let page = browser.get(&consent).await;
    hidden.add("form token", page.csrf("/authorize/consent"));
    let decision =
        [("decision", "approve"), ("confirm", "true"), ("workspace_id", employee.company.id.as_str())];
    let answer = browser.submit_on(&page, &consent, &decision).await;
    let reported = Redirected::read(answer.to());
    reported.get("code").expect("a code").to_owned()
}

/// Makes all steps of an assistant's connection: registration, authorization, consent, code exchange, refresh and
/// revocation. Also sends requests that the server rejects.
async fn assistants(process: &Process, employee: &Employee, hidden: &mut Hidden) {
    let anyone = process.api("none").anonymous();
    let made = register(
        &anyone,
        json!({"token_endpoint_auth_method": "client_secret_basic", "redirect_uris": [LOCAL]}),
    )
    .await;
    register(&anyone, json!({})).await;
    anyone
        .post("/register")
        .json(&json!({"client_name": format!("{} admin", employee.email)}))
        .denied(400, "invalid_redirect_uri")
        .await;
    let secret = made.client_secret.clone().expect("a secret");
    hidden.add("client secret", &secret);
    let client = Client {
        id: made.client_id,
        secret: made.client_secret,
        redirect_uri: LOCAL.to_owned(),
        server: anyone.clone(),
    };
    let mut browser = Browser::at(&process.base);
    let code = consent(&mut browser, employee, &client, hidden).await;
    hidden.add("code", &code);
    let wrong = "a-wrong-verifier-of-forty-three-characters-and-more";
    hidden.add("verifier", VERIFIER);
    hidden.add("verifier", wrong);
    client.exchange_with(&code, &[("code_verifier", wrong)]).await.refused(400, "invalid_grant");
    let first = Tokens::of(&client.exchange(&code).await.ok());
    let second = client.renewed(&first).await;
    hidden.tokens(&first);
    hidden.tokens(&second);
    // the client authenticates by HTTP Basic at `/revoke`, and by its secret in a JSON body at `/token`
    let basic = BASE64_STANDARD.encode(format!("{}:{secret}", client.id));
    hidden.add("credentials of HTTP Basic", &basic);
    let form = format!("token={}", first.access);
    client
        .post("/revoke", "application/x-www-form-urlencoded", form, Some(&format!("Basic {basic}")))
        .await
        .ok();
    let json = json!({"grant_type": "refresh_token", "refresh_token": second.refresh, "client_id": client.id, "client_secret": secret});
    client.post("/token", "application/json", json.to_string(), None).await.refused(400, "invalid_grant");
    // requests that the server rejects: a wrong secret, a used code, an unknown token, a malformed body, a token in the
    // query
    let wrong = "a-secret-that-is-wrong";
    hidden.add("client secret", wrong);
    client.refresh_with(&second.refresh, &[("client_secret", wrong)]).await.refused(401, "invalid_client");
    client.exchange(&code).await.refused(400, "invalid_grant");
    client.refresh("svc_mcp_rt_test_unknown").await.refused(400, "invalid_grant");
    client
        .post("/token", "application/json", format!("{{\"refresh_token\":\"{}", second.refresh), None)
        .await;
    client.post(&format!("/token?refresh_token={}", second.refresh), "text/plain", "x", None).await;
    // Authorization requests that the server rejects. One of them names a metadata document at a private address, which
    // the server does not fetch.
    for query in [
        format!("client_id=mcpc_unknown&redirect_uri={LOCAL}&state={}", second.refresh),
        format!("client_id=https://10.0.0.1/client.json&redirect_uri={LOCAL}&login_hint={}", employee.email),
        format!("client_id={}&redirect_uri={LOCAL}&scope=x&code_challenge={CHALLENGE}", client.id),
    ] {
        browser.get(&format!("/authorize?{query}")).await;
    }
    for page in ["/settings/connections", "/settings/privacy", "/admin/assistants"] {
        browser.get(page).await;
    }
}

/// Uses the bot API and the admin API, with valid and invalid requests.
async fn bots(process: &Process, operator: &Api, employee: &Employee, hidden: &mut Hidden) {
    let app = App::register(operator, &ALL_SCOPES).await;
    hidden.add("app secret", &app.client_secret);
    hidden.add("signing secret", &app.signing_secret);
    let code = employee.company.install_code(&app, &ALL_SCOPES).await;
    hidden.add("install code", &code);
    let token = text(&app.exchange(operator, &code).await, "/access_token");
    hidden.add("bot token", &token);
    let bot = process.api(&token);
    bot.get("/v1/auth/test").ok(200).await;
    bot.get(&format!("/v1/users/lookup?email={}", employee.email)).send().await;
    let person = employee.company.person().await;
    bot.post("/v1/messages").key("a-key").json(&to_user(&person, "hello")).send().await;
    bot.get(&format!("/v1/auth/test?token={token}")).send().await;
    process.api(&format!("{token}x")).get("/v1/auth/test").send().await;
    let body = json!({"email": employee.email, "password": PASSWORD});
    let session =
        text(&operator.anonymous().post("/admin/v1/sessions").json(&body).ok(201).await, "/session_token");
    hidden.add("session", &session);
    process.api(&session).delete("/admin/v1/sessions/current").ok(200).await;
    process.api(&session).get("/admin/v1/workspaces").send().await;
}

async fn assert_no_secret_is_logged(format: &str) {
    let folder = tempfile::tempdir().unwrap();
    let operator_key = token::mint(TokenKind::Operator, &[9; 32]);
    let settings = [
        ("SWITCHBOARD_LOG_LEVEL", "trace"),
        ("SWITCHBOARD_LOG_FORMAT", format),
        ("SWITCHBOARD_LIMITS_SCALE", "1000"),
    ];
    let process = Process::spawn(folder.path(), &operator_key, &settings).keeping_log().listening();
    let operator = process.api(&operator_key);
    let mut hidden = Hidden::default();
    hidden.add("operator key", &operator_key);
    hidden.add("password", PASSWORD);
    hidden.add("password", "not the password");
    let company = Company::create(operator.clone()).await;
    let email = "emil.employee@hidden-mail.example".to_owned();
    hidden.add("e-mail address", &email);
    company.person_with(json!({"name": "Emil Employee", "email": email, "password": PASSWORD})).await;
    let employee = Employee { email, company };
    assistants(&process, &employee, &mut hidden).await;
    bots(&process, &operator, &employee, &mut hidden).await;
    let log = process.killed_log();
    assert!(!log.contains('\u{1b}'), "the log has no colour codes, because it is not written to a terminal");
    for logged in ["registerClient", "exchangeGrant", "revokeConnection", "createMessage", "DEBUG"] {
        assert!(log.contains(logged), "{logged} is missing in {log}");
    }
    // codes, tokens and client secrets are never logged
    hidden.are_not_in(&log);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_secret_is_in_a_json_log() {
    assert_no_secret_is_logged("json").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_secret_is_in_a_text_log() {
    assert_no_secret_is_logged("text").await;
}
