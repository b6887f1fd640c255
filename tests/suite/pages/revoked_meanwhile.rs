//! Posted forms whose sender loses rights after the server has received the head of the request, and before it receives
//! the body.

use serde_json::json;
use switchboard::{
    domain::{browser::BrowserId, token},
    pages::ROUTES,
    service::oauth::consent::{ConsentDecision, Undecided},
};

use super::conversation::multipart;
use crate::support::{
    assistant::{Client, Employee, PASSWORD},
    both_engines,
    browser::Browser,
    wire::{Asked, asked},
    *,
};

/// Forms that these tests omit: the form of people who are not signed in, and the form that ends the person's own
/// session.
const OTHERS: [&str; 2] = ["/signin", "/signout"];
const INSTALL: &str = "/oauth/authorize";
const CONSENT: &str = "/authorize/consent";
const POST: &str = "/c/{conversation}/messages";

/// An admin, and the objects that the admin's forms change.
struct FormsFixture {
    company: Company,
    admin: Employee,
    other: String,
    group: String,
    bot: Bot,
    app: App,
    client: Client,
}

impl FormsFixture {
    async fn new(server: &Server) -> Self {
        let company = server.company().await;
        let admin = server.employee_of(&company).await;
        company.update_user(&admin.id, json!({"is_admin": true})).await;
        let (other, bot) = (company.person().await, company.bot(server).await);
        let group = company.group(&[&admin.id, &other, &bot.user_id]).await;
        let (app, client) = (server.app(&["users:read"]).await, server.client().await);
        Self { company, admin, other, group, bot, app, client }
    }

    /// Returns the path of a form and the fields to post. [`Self::send_head`] adds the CSRF token and, to an approval,
    /// the other hidden fields of the form. `words` is the value of the form's text field or of its field `press`. Also
    /// creates what the form changes, so that posting the form has an effect.
    async fn form(&self, server: &Server, route: &str, words: &str) -> (String, Vec<(&'static str, String)>) {
        let Self { company, admin, group, .. } = self;
        let own = |rest: &str| format!("/c/{group}{rest}");
        let same = route.to_owned();
        let approve = vec![("decision", "approve".to_owned()), ("workspace_id", company.id.clone())];
        match route {
            "/company" => (same, vec![("workspace_id", company.id.clone())]),
            "/conversations/new" => {
                let [name, kind, sort] = [words, "group", "private_channel"].map(str::to_owned);
                (same, vec![("name", name), ("kind", kind), ("type", sort)])
            }
            "/dm" => (same, vec![("user_id", self.other.clone())]),
            "/c/{conversation}/join" => {
                let open = json!({"member_ids": [self.other], "type": "channel"});
                let open = company.conversation(open).await;
                (format!("/c/{open}/join"), Vec::new())
            }
            INSTALL => {
                let (client, to) = (self.app.client_id.as_str(), "https://app.example/callback");
                let query = serde_urlencoded::to_string([("client_id", client), ("redirect_uri", to)]);
                (format!("{INSTALL}?{}", query.unwrap()), approve)
            }
            CONSENT => (same, approve),
            "/settings/connections" => {
                admin.connect(server, &self.client).await;
                let newest = admin.connections().await.pop().expect("a connection");
                (same, vec![("connection_id", text(&newest, "/id"))])
            }
            "/settings/privacy" => (same, vec![("email_visible", "false".to_owned())]),
            "/admin/assistants" => (same, vec![("ai_assistants", "off".to_owned())]),
            "/admin/apps" => {
                let installation = company.installation_of(&company.bot(server).await).await;
                (same, vec![("installation_id", installation)])
            }
            "/admin/people" => {
                let person = company.person().await;
                (same, vec![("user_id", person), ("state", "deactivated".to_owned())])
            }
            POST => (own("/messages"), vec![("text", words.to_owned())]),
            "/c/{conversation}/read" => (own("/read"), Vec::new()),
            "/c/{conversation}/{message}/edit" => {
                let message = company.post(group, &admin.id, "as it was").await;
                (own(&format!("/{message}/edit")), vec![("text", words.to_owned())])
            }
            "/c/{conversation}/{message}/delete" => {
                let message = company.post(group, &admin.id, "as it was").await;
                (own(&format!("/{message}/delete")), Vec::new())
            }
            "/c/{conversation}/{message}/actions" => {
                let mut body = to_conversation(group, "Release?");
                let buttons = [json!({"action_id": "approve", "text": "Approve"})];
                body["blocks"] = json!([{"type": "actions", "items": buttons}]);
                let message = text(&self.bot.send(&body).await, "/id");
                let fields = [("action_id", "approve"), ("press", words)].map(|(n, v)| (n, v.to_owned()));
                (own(&format!("/{message}/actions")), fields.to_vec())
            }
            "/drafts/{draft}" => {
                let assistant = server.assistant_of(admin).await;
                let draft = assistant.drafts(json!({"conversation": group, "text": words})).await;
                (
                    format!("/drafts/{draft}"),
                    vec![("decision", "send".to_owned()), ("text", words.to_owned())],
                )
            }
            _ => panic!("add the form of {route}"),
        }
    }

    /// Signs in, sends the head of a form's request, and returns when the server has responded `100 Continue`.
    async fn send_head(&self, server: &Server, (route, has_file): (&str, bool), words: &str) -> Asked {
        let (path, fields) = self.form(server, route, words).await;
        let mut browser = server.signed_in(&self.admin.email, PASSWORD).await;
        let (path, hidden) = match route {
            INSTALL => open_form(&mut browser, &path, INSTALL).await,
            CONSENT => {
                let query = serde_urlencoded::to_string(self.client.authorization_query(&[])).unwrap();
                let page = browser.get(&format!("/authorize?{query}")).await.to().to_owned();
                open_form(&mut browser, &page, CONSENT).await
            }
            // the forms above have CSRF tokens of their own; all other forms of a session have one CSRF token in common
            _ => (path, vec![("csrf".to_owned(), browser.get("/settings/privacy").await.csrf("/signout"))]),
        };
        let mut all: Vec<(&str, &str)> = hidden.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        all.retain(|(name, _)| !fields.iter().any(|(other, _)| other == name));
        all.extend(fields.iter().map(|(name, value)| (*name, value.as_str())));
        let (kind, body) = match has_file {
            true => {
                let file = ("a.txt", "text/plain", &b"content"[..]);
                ("multipart/form-data; boundary=edge", multipart(&all, &[file]))
            }
            false => {
                let body = serde_urlencoded::to_string(&all).unwrap();
                ("application/x-www-form-urlencoded", body.into_bytes())
            }
        };
        let cookies: Vec<_> = browser.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let (kind, cookies) = (format!("content-type: {kind}"), format!("cookie: {}", cookies.join("; ")));
        asked(&server.base, &format!("POST {path}"), &[&kind, &cookies], &body).await
    }
}

/// Opens a page, and returns the action and the hidden fields of its form.
async fn open_form(browser: &mut Browser, page: &str, form: &str) -> (String, Vec<(String, String)>) {
    let form = browser.get(page).await.form(form);
    (form.action, form.hidden)
}

#[both_engines]
async fn a_form_has_no_effect_after_a_deactivation(server: Server) {
    let fixture = FormsFixture::new(&server).await;
    let (company, admin) = (&fixture.company, fixture.admin.id.as_str());
    let posts = ROUTES.iter().filter(|(path, methods)| methods.contains(&"POST") && !OTHERS.contains(path));
    let forms = posts.map(|(path, _)| (*path, false)).chain([(POST, true)]);
    for form in forms {
        // each form is also posted without a deactivation, to show that only the deactivation makes it fail
        for (is_deactivated, words) in [(true, "too late"), (false, "in time")] {
            let request = fixture.send_head(&server, form, words).await;
            if is_deactivated {
                company.set_state(admin, "deactivated").await;
            }
            let answer = request.end().await;
            let to = answer.header("location").unwrap_or_default();
            let is_done = matches!(answer.status, 302 | 303) && !to.starts_with("/signin");
            assert_eq!(
                is_done, !is_deactivated,
                "a form has an effect unless its sender was deactivated: {form:?}: {} {to}",
                answer.status
            );
            if [INSTALL, CONSENT].contains(&form.0) {
                assert_eq!(
                    to.contains("code="),
                    !is_deactivated,
                    "a code is issued unless the admin was deactivated: {form:?}: {to}"
                );
            }
            company.set_state(admin, "active").await;
            let usual = json!({"ai_assistants": true});
            company.operator.patch(&company.path("")).json(&usual).ok(200).await;
        }
        let messages = json!(company.messages(&fixture.group).await).to_string();
        assert!(
            !messages.contains("too late"),
            "the text of a deactivated sender is not posted: {form:?}: {messages}"
        );
    }
    let conversations = company.operator.get(&company.path("/conversations?limit=1000")).ok(200).await;
    assert!(!conversations.to_string().contains("too late"), "{conversations}");
}

/// Lets all sessions expire. Moving the clock would also end the wait for the body of a request.
async fn expire_sessions(server: &Server) {
    server.database.execute("UPDATE sessions SET expires_at = created_at").await;
}

/// If nothing was revoked, the server may skip the confirmation of the session before the response. An expiry is not a
/// revocation. So the transaction of the form must check whether the session has expired.
#[both_engines]
async fn after_a_session_has_expired_the_sign_in_page_leads_back_to_the_page_of_the_form(server: Server) {
    let fixture = FormsFixture::new(&server).await;
    let request = fixture.send_head(&server, ("/settings/privacy", false), "").await;
    expire_sessions(&server).await;
    let answer = request.end().await;
    assert_eq!(
        (answer.status, answer.header("location")),
        (302, Some("/signin?next=%2Fsettings%2Fprivacy")),
        "the sign-in page leads back to the page of the form that had no effect"
    );
}

/// Most errors of an approval lead to the page "The app was changed while you were deciding". For an expired session
/// this text would be wrong, so the browser is redirected to the sign-in page.
#[both_engines]
async fn after_a_session_has_expired_the_sign_in_page_leads_back_to_the_install_request(server: Server) {
    let fixture = FormsFixture::new(&server).await;
    let request = fixture.send_head(&server, (INSTALL, false), "").await;
    expire_sessions(&server).await;
    let answer = request.end().await;
    let to = answer.header("location").unwrap_or_default();
    assert_eq!(answer.status, 302);
    assert!(to.starts_with("/signin?next=%2Foauth%2Fauthorize"), "{to}");
}

/// Signs an employee in, and returns the browser and the path of the consent page for a client.
async fn open_consent(server: &Server, employee: &Employee, client: &Client) -> (Browser, String) {
    let mut browser = server.signed_in(&employee.email, PASSWORD).await;
    let query = serde_urlencoded::to_string(client.authorization_query(&[])).unwrap();
    let consent = browser.get(&format!("/authorize?{query}")).await.to().to_owned();
    (browser, consent)
}

/// Sends the head of the request for the form of a consent page, and returns when the server has responded
/// `100 Continue`.
async fn send_decision_head(
    server: &Server,
    browser: &mut Browser,
    consent: &str,
    fields: &[(&str, &str)],
) -> Asked {
    let (path, hidden) = open_form(browser, consent, CONSENT).await;
    let mut all: Vec<(&str, &str)> = hidden.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    all.extend(fields);
    let body = serde_urlencoded::to_string(&all).unwrap();
    let cookies: Vec<_> = browser.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let cookies = format!("cookie: {}", cookies.join("; "));
    let kind = "content-type: application/x-www-form-urlencoded";
    asked(&server.base, &format!("POST {path}"), &[kind, &cookies], body.as_bytes()).await
}

/// An authorization request can be decided only once. So the client must get the result of the decision, even if the
/// employee loses rights in another company before the response.
#[both_engines]
async fn a_decision_is_sent_although_rights_in_another_company_ended(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let elsewhere = server.company().await;
    let other = elsewhere.person_with(json!({"email": employee.email})).await;
    for (decision, sent) in [("approve", "code="), ("deny", "error=access_denied")] {
        let (mut browser, consent) = open_consent(&server, &employee, &client).await;
        let fields = [("decision", decision), ("workspace_id", employee.company.id.as_str())];
        let request = send_decision_head(&server, &mut browser, &consent, &fields).await;
        elsewhere.set_state(&other, "deactivated").await;
        let answer = request.end().await;
        let to = answer.header("location").unwrap_or_default();
        assert!(to.contains(sent), "{decision}: {} {to}", answer.status);
        elsewhere.set_state(&other, "active").await;
    }
}

/// Before a page is sent, the session is confirmed again. This confirmation would hide the result of the transaction,
/// so the test calls the service layer directly.
#[both_engines]
async fn an_approval_after_a_sign_out_issues_no_code(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let (mut browser, consent) = open_consent(&server, &employee, &client).await;
    let (_, request) = consent.split_once("request=").expect("the id of the authorization request");
    let session = token::hash(browser.session().expect("a session"));
    let caller = server.running().world().session(session).await.unwrap();
    let id = BrowserId::of_cookie(&browser.cookies["browser"]);
    let page = browser.get("/settings/privacy").await;
    assert_eq!(browser.submit_on(&page, "/signout", &[]).await.to(), "/signin");
    let approval = ConsentDecision::Approve(employee.workspace());
    let decided = caller.signed_in().unwrap().decide(request, &id, approval).await.unwrap();
    assert_eq!(
        decided,
        Err(Undecided::SignedOut),
        "the session is checked in the transaction of the approval"
    );
}

#[both_engines]
async fn a_decision_after_a_sign_out_leaves_the_authorization_request_open(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    for decision in ["approve", "deny"] {
        let (mut browser, consent) = open_consent(&server, &employee, &client).await;
        let fields = [("decision", decision), ("workspace_id", employee.company.id.as_str())];
        let request = send_decision_head(&server, &mut browser, &consent, &fields).await;
        let page = browser.get("/settings/privacy").await;
        assert_eq!(browser.submit_on(&page, "/signout", &[]).await.to(), "/signin");
        let answer = request.end().await;
        let to = answer.header("location").unwrap_or_default();
        assert!(
            to.starts_with("/signin?next=%2Fauthorize%2Fconsent"),
            "after a sign-out, a decision leads to the sign-in page: {decision}: {} {to}",
            answer.status
        );
        browser.sign_in(&employee.email, PASSWORD, &consent).await;
        browser.get(&consent).await.shows("Connect Calendar Helper?");
    }
}
