//! Log lines with a request id. At the level `debug` each response has a line. At the level `info` each change,
//! sign-in, failed sign-in and sign-out has a line, which names the caller if the caller is known.

use serde_json::{Value, json};
use switchboard::{
    domain::{
        ids::WorkspaceId,
        token::{self, TokenKind},
    },
    pages::ROUTES,
    service::oauth::consent::ConsentDecision,
};

use crate::support::{
    ALL_SCOPES, Api, App, Company, Process,
    assistant::{CHALLENGE, LOCAL, PASSWORD, VERIFIER},
    authorize::open_in,
    browser::Browser,
    oauth, text,
};

const EMAIL: &str = "ada@hidden-mail.example";

/// Forms of settings and administration that change nothing, or whose log lines are compared by other tests of this file.
const OTHER_FORMS: [&str; 1] = ["/settings/connections"];

fn key() -> String {
    token::mint(TokenKind::Operator, &[9; 32])
}

/// Starts a server with a log level and a log format, and creates a company and an admin with a password. Returns the
/// process, the company and the admin's id.
async fn logging(level: &str, format: &str, folder: &std::path::Path) -> (Process, Company, String) {
    let settings = [("SWITCHBOARD_LOG_LEVEL", level), ("SWITCHBOARD_LOG_FORMAT", format)];
    let process = Process::spawn(folder, &key(), &settings).keeping_log().listening();
    let company = Company::create(process.api(&key())).await;
    let fields = json!({"name": "Ada", "email": EMAIL, "password": PASSWORD, "is_admin": true});
    let admin = company.person_with(fields).await;
    (process, company, admin)
}

/// Returns the lines of a JSON log with this message, oldest first.
fn lines(log: &str, message: &str) -> Vec<Value> {
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"));
    lines.filter(|line| line["message"] == message).collect()
}

/// Asserts the values of some fields of a log line, and that the line has a request id.
#[track_caller]
fn assert_logged(line: &Value, expected: Value) {
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&line[name], value, "{name} of {line}");
    }
    let id = line["request_id"].as_str().expect("an id");
    assert!(id.starts_with("req_") && id.len() == 30, "{id}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_response_is_logged_with_its_request_id() {
    for format in ["json", "text"] {
        let folder = tempfile::tempdir().unwrap();
        let (process, company, _) = logging("debug", format, folder.path()).await;
        let app = App::register(&company.operator, &ALL_SCOPES).await;
        let bot = company.install(&app, &ALL_SCOPES).await;
        let bot = process.api(&bot.token);
        let mut ids = Vec::new();
        for (api, path) in [(&bot, "/v1/users"), (&bot, "/v1/users/usr_0"), (&company.operator, "/nowhere")] {
            let answer = api.get(path).send().await;
            ids.push((answer.header("x-request-id").expect("an id").to_owned(), answer.status));
        }
        let log = process.killed_log();
        for (id, status) in &ids {
            let found: Vec<_> = log.lines().filter(|line| line.contains(id)).collect();
            assert_eq!(found.len(), 1, "{id}: {found:?}");
            assert!(found[0].contains("answered") && found[0].contains(&status.to_string()), "{found:?}");
        }
        if format == "json" {
            let answered = lines(&log, "answered");
            let line = |at: usize| {
                answered.iter().find(|line| line["request_id"] == ids[at].0.as_str()).expect("a line")
            };
            assert_logged(line(0), json!({"api": "bot", "operation": "listUsers", "status": 200}));
            assert_logged(line(1), json!({"operation": "getUser", "status": 404, "code": "user_not_found"}));
            assert_logged(line(2), json!({"api": "other", "operation": "other", "status": 404}));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_are_logged_with_their_caller() {
    let folder = tempfile::tempdir().unwrap();
    let (process, company, admin) = logging("info", "json", folder.path()).await;
    let nobody = company.operator.anonymous();
    let sign_in = |password: &str| {
        nobody.post("/admin/v1/sessions").json(&json!({"email": EMAIL, "password": password}))
    };
    sign_in("not the password").refused(401, "invalid_auth").await;
    let session = text(&sign_in(PASSWORD).ok(201).await, "/session_token");
    let ada: Api = process.api(&session);
    let person = company.person().await;
    let path = format!("/admin/v1/users/{person}");
    let changed = ada.patch(&path).json(&json!({"title": "Nobody\u{2019}s business"})).send().await;
    changed.ok(200);
    let id = changed.header("x-request-id").expect("an id").to_owned();
    // a read and a rejected change are not logged as changes
    ada.get(&path).ok(200).await;
    ada.patch("/admin/v1/users/usr_0").json(&json!({"title": "x"})).refused(404, "user_not_found").await;
    ada.delete("/admin/v1/sessions/current").ok(200).await;

    let mut browser = Browser::at(&process.base);
    browser.sign_in(EMAIL, "not the password", "/").await;
    browser.sign_in(EMAIL, PASSWORD, "/").await.to();
    let page = browser.get("/settings/privacy").await;
    let token = page.csrf("/signout");
    browser.post("/signout", &[("csrf", &token)]).await.to();

    let log = process.killed_log();
    let not_signed_in = lines(&log, "sign-in failed");
    let signed_in = lines(&log, "signed in");
    let signed_out = lines(&log, "signed out");
    assert_eq!((not_signed_in.len(), signed_in.len(), signed_out.len()), (2, 2, 2), "{log}");
    let sessions = "/admin/v1/sessions";
    let failed = json!({"api": "admin", "operation": "createSession", "path": sessions, "status": 401,
        "code": "invalid_auth", "caller": null, "level": "INFO"});
    assert_logged(&not_signed_in[0], failed);
    assert_logged(
        &not_signed_in[1],
        json!({"api": "pages", "operation": "signIn", "path": "/signin", "status": 422}),
    );
    assert_logged(&signed_in[0], json!({"operation": "createSession", "status": 201, "caller": admin}));
    assert_logged(&signed_in[1], json!({"operation": "signIn", "status": 302, "caller": admin}));
    assert_logged(&signed_out[0], json!({"operation": "deleteSession", "caller": admin}));
    assert_logged(&signed_out[1], json!({"operation": "signOut", "path": "/signout", "caller": admin}));

    let changes = lines(&log, "changed");
    let by_ada: Vec<_> = changes.iter().filter(|line| line["caller"] == admin.as_str()).collect();
    assert_eq!(by_ada.len(), 1, "{by_ada:?}");
    assert_logged(
        by_ada[0],
        json!({"request_id": id, "api": "admin", "operation": "updateUser", "path": path, "status": 200}),
    );
    let creation = changes.iter().find(|line| line["operation"] == "createWorkspace").expect("a line");
    assert_logged(creation, json!({"caller": "operator", "status": 201, "path": "/admin/v1/workspaces"}));
    assert!(changes.iter().all(|line| line["caller"] == "operator" || line["caller"] == admin.as_str()));
    for hidden in [EMAIL, PASSWORD, "business", &session] {
        assert!(!log.contains(hidden), "the log contains no credentials and no data of people: {hidden}");
    }
}

/// The path of a page of settings or administration, such as `/admin/people`, does not show what was changed. So the
/// log line of a submitted form names the changed resource and the change.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_on_pages_are_logged_with_what_was_changed() {
    let folder = tempfile::tempdir().unwrap();
    let (process, company, admin) = logging("info", "json", folder.path()).await;
    let person = company.person().await;
    let app = App::register(&company.operator, &ALL_SCOPES).await;
    let bot = company.install(&app, &ALL_SCOPES).await;
    let installation = company.installation_of(&bot).await;
    let mut browser = Browser::at(&process.base);
    browser.sign_in(EMAIL, PASSWORD, "/").await.to();
    let csrf = browser.get("/admin/people").await.csrf("/signout");
    let (people, assistants, privacy) = ("/admin/people", "/admin/assistants", "/settings/privacy");
    let block = format!("{}/client_blocks/assistant.example", company.id);
    let app_block = format!("{admin}/app_blocks/{}", app.id);
    let changes = [
        (people, vec![("user_id", person.as_str()), ("logout", "true")], &person, "logged_out"),
        (people, vec![("user_id", person.as_str()), ("state", "removed")], &person, "removed"),
        (assistants, vec![("action", "block"), ("key", "Assistant.Example")], &block, "blocked"),
        (assistants, vec![("action", "unblock"), ("key", "assistant.example")], &block, "unblocked"),
        (assistants, vec![("action", "save"), ("ai_assistants", "off")], &company.id, "saved"),
        (privacy, vec![("app_id", app.id.as_str()), ("blocked", "true")], &app_block, "blocked"),
        (privacy, vec![("email_visible", "false")], &admin, "email"),
        ("/admin/apps", vec![("installation_id", installation.as_str())], &installation, "uninstalled"),
    ];
    let forms = ROUTES.iter().filter(|(_, methods)| methods.contains(&"POST")).map(|(path, _)| *path);
    for path in forms.filter(|path| path.starts_with("/settings/") || path.starts_with("/admin/")) {
        let is_read = OTHER_FORMS.contains(&path) || changes.iter().any(|(form, ..)| *form == path);
        assert!(is_read, "add the change of the form {path}, or add the form to OTHER_FORMS");
    }
    for (path, fields, ..) in &changes {
        let fields: Vec<_> = fields.iter().copied().chain([("csrf", csrf.as_str())]).collect();
        browser.post(path, &fields).await.to();
    }
    // this form searches people and changes nothing
    let find = [("decision", "find"), ("find", "a"), ("csrf", csrf.as_str())];
    assert_eq!(browser.post("/conversations/new", &find).await.wire.status, 200);

    let log = process.killed_log();
    let logged = lines(&log, "changed");
    let logged: Vec<_> = logged.iter().filter(|line| line["api"] == "pages").collect();
    assert_eq!(logged.len(), changes.len(), "{logged:?}");
    for (line, (path, _, resource, change)) in logged.into_iter().zip(&changes) {
        let expected = json!({"path": path, "caller": admin, "resource": resource, "change": change});
        assert_logged(line, expected);
    }
}

/// The log line of an approval names the company. The log line of a revocation names the connection. The paths of the
/// two pages name neither.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_approval_and_the_revocation_of_a_connection_are_logged() {
    let folder = tempfile::tempdir().unwrap();
    let (process, company, admin) = logging("info", "json", folder.path()).await;
    let metadata = json!({"redirect_uris": [LOCAL], "token_endpoint_auth_method": "none"});
    let register = company.operator.anonymous().post("/register").json(&oauth::metadata(metadata));
    let client_id = text(&register.ok(201).await, "/client_id");
    let query = [
        ("response_type", "code"),
        ("client_id", client_id.as_str()),
        ("redirect_uri", LOCAL),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("state", "s"),
    ];
    let query = serde_urlencoded::to_string(query).unwrap();
    let mut browser = Browser::at(&process.base);
    browser.sign_in(EMAIL, PASSWORD, "/").await.to();
    let begun = browser.get(&format!("/authorize?{query}")).await;
    let (_, request) = begun.to().split_once("request=").expect("a request that waits for its decision");
    let mut form = open_in(browser, request).await.unwrap();
    let decided =
        form.decide(ConsentDecision::Approve(WorkspaceId::parse(&company.id).unwrap())).await.unwrap();
    let exchange = [
        ("grant_type", "authorization_code"),
        ("code", decided.get("code").unwrap()),
        ("redirect_uri", LOCAL),
        ("client_id", &client_id),
        ("code_verifier", VERIFIER),
    ];
    company.operator.anonymous().post("/token").form(&exchange).ok(200).await;
    let mut browser = Browser::at(&process.base);
    browser.sign_in(EMAIL, PASSWORD, "/").await.to();
    let connections = "/settings/connections";
    let page = browser.get(connections).await;
    let (_, id) = page.text.split_once("name=\"connection_id\" value=\"").expect("a connection");
    let id = id.split('"').next().unwrap().to_owned();
    browser.submit_on(&page, connections, &[]).await.to();

    let log = process.killed_log();
    let logged = lines(&log, "changed");
    for (path, resource, change) in
        [("/authorize/consent", &company.id, "approved"), (connections, &id, "disconnected")]
    {
        let line = logged.iter().find(|line| line["path"] == path).expect("a line");
        assert_logged(line, json!({"caller": admin, "resource": resource, "change": change}));
    }
}

/// The log line of a denial names the app. The log line of an approval names the company and the app. The path of the
/// install page names neither.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn decisions_about_apps_are_logged_with_the_app_and_the_company() {
    let folder = tempfile::tempdir().unwrap();
    let (process, company, admin) = logging("info", "json", folder.path()).await;
    let app = App::register(&company.operator, &ALL_SCOPES).await;
    let query = [
        ("client_id", app.client_id.as_str()),
        ("redirect_uri", "https://app.example/callback"),
        ("scope", &ALL_SCOPES.join(" ")),
        ("state", "s"),
    ];
    let page = format!("/oauth/authorize?{}", serde_urlencoded::to_string(query).unwrap());
    let mut browser = Browser::at(&process.base);
    browser.sign_in(EMAIL, PASSWORD, "/").await.to();
    for decision in ["deny", "approve"] {
        browser.submit(&page, &[("workspace_id", &company.id), ("decision", decision)]).await.to();
    }

    let log = process.killed_log();
    let logged = lines(&log, "changed");
    let logged: Vec<_> = logged.iter().filter(|line| line["path"] == "/oauth/authorize").collect();
    let installed = format!("{}/apps/{}", company.id, app.id);
    assert_eq!(logged.len(), 2, "{logged:?}");
    for (line, (resource, change)) in logged.into_iter().zip([(&app.id, "denied"), (&installed, "approved")])
    {
        assert_logged(line, json!({"caller": admin, "resource": resource, "change": change}));
    }
}
