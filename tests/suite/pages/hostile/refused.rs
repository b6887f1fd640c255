//! The response to a rejected form shows the submitted values of the fields as text, not as markup.

use super::{Reader, Test, corpus, encoded};
use crate::{
    pages::Office,
    support::{
        Server,
        assistant::{Employee, PASSWORD},
    },
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rejected_form_shows_its_fields_as_text() {
    let server = Server::sqlite().await;
    let office = Office::new(&server).await;
    let group = office.company.group(&[&office.admin_id]).await;
    let message = office.company.post(&group, &office.admin_id, "mine").await;
    let employee = server.employee_of(&office.company).await;
    office.company.update_user(&employee.id, serde_json::json!({"is_admin": true})).await;
    let mut reader = Reader::new(server.known_browser(), &server.base);
    sign_in(&mut reader, &employee).await;
    let token = reader.browser.get("/start").await.csrf("/signout");
    office.company.add(&group, &employee.id).await;
    let mine = office.company.post(&group, &employee.id, "mine").await;
    let assistant = server.assistant_of(&employee).await;
    let draft = assistant.drafts(serde_json::json!({"conversation": group, "text": "a draft"})).await;
    let (conversation, path) = (format!("/c/{group}"), format!("/c/{group}/{mine}"));
    for text in corpus() {
        let q = encoded(&text);
        let typed = if text.contains('\0') { "" } else { text.trim() };
        let long = format!("{text}{}", "x".repeat(4_000));
        let page = reader.open(&path).await;
        for action in [format!("{conversation}/messages"), format!("{path}/edit")] {
            let (refused, shown) = reader.submit_on(&page, &action, &[("text", &long)]).await;
            assert!([400, 422].contains(&refused.wire.status), "{}", refused.text);
            assert!(shown.has(typed), "{action}: {text:?} is not in {shown:?}");
        }
        // forms with an invalid CSRF token, such as that of a form that was opened before a new sign-in
        let drafted = format!("/drafts/{draft}");
        for action in [&format!("{conversation}/messages"), &format!("{path}/edit"), &drafted] {
            let fields =
                [("csrf", "x"), ("text", text.as_str()), ("client_key", &text), ("decision", "send")];
            let (refused, shown) = reader.post(action, &fields).await;
            assert!([400, 403].contains(&refused.wire.status), "{}", refused.text);
            assert!(shown.has(typed), "{action}: {text:?} is not in {shown:?}");
        }
        let page = reader.open("/conversations/new").await;
        for fields in [
            vec![("name", text.as_str()), ("topic", &text), ("find", &text), ("decision", "find")],
            vec![("name", &text), ("topic", &text), ("type", &text), ("parent_id", &text)],
        ] {
            let (_, shown) = reader.submit_on(&page, "/conversations/new", &fields).await;
            assert!(shown.has(typed), "{text:?} is not in {shown:?}");
        }
        let page = reader.open("/admin/assistants").await;
        let fields = [("max_session_hours", text.as_str()), ("action", "save")];
        let (refused, shown) = reader.submit_on(&page, "/admin/assistants", &fields).await;
        assert!(refused.wire.status >= 400, "{}", refused.text);
        assert!(shown.has(typed), "{text:?} is not in {shown:?}");
        let draft = format!("/drafts/{draft}");
        let page = reader.open(&draft).await;
        let fields = [("text", long.as_str()), ("decision", "send")];
        let (refused, shown) = reader.submit_on(&page, &draft, &fields).await;
        assert!([400, 422].contains(&refused.wire.status), "{}", refused.text);
        assert!(shown.has(typed), "{text:?} is not in {shown:?}");

        // fields with values that no page offers
        let csrf = ("csrf", token.as_str());
        for (path, fields) in [
            ("/dm".to_owned(), vec![csrf, ("user_id", &text)]),
            ("/company".to_owned(), vec![csrf, ("workspace_id", &text)]),
            ("/signout".to_owned(), vec![("csrf", &text), ("next", &text)]),
            ("/settings/privacy".to_owned(), vec![csrf, ("app_id", &text), ("blocked", &text)]),
            ("/settings/connections".to_owned(), vec![csrf, ("connection_id", &text)]),
            ("/admin/apps".to_owned(), vec![csrf, ("installation_id", &text)]),
            (
                "/admin/people".to_owned(),
                vec![csrf, ("user_id", &text), ("state", &text), ("query", &text), ("cursor", &text)],
            ),
            (
                "/admin/people".to_owned(),
                vec![csrf, ("user_id", &office.admin_id), ("state", &text), ("query", &text)],
            ),
            ("/admin/assistants".to_owned(), vec![csrf, ("connection_id", &text), ("action", "revoke")]),
            ("/admin/assistants".to_owned(), vec![csrf, ("key", &text), ("action", &text)]),
            ("/conversations/new".to_owned(), vec![csrf, ("kind", &text), ("name", &text)]),
            (format!("/c/{q}/join"), vec![csrf]),
            (format!("{conversation}/read"), vec![csrf, ("message_id", &text)]),
            (format!("{conversation}/messages"), vec![csrf, ("text", "x"), ("thread_id", &text)]),
            (format!("{conversation}/{q}/edit"), vec![csrf, ("text", &text)]),
            (format!("{conversation}/{message}/edit"), vec![csrf, ("text", &text)]),
            (format!("{conversation}/{q}/delete"), vec![csrf]),
            (format!("{conversation}/{message}/actions"), vec![csrf, ("action_id", &text), ("press", &text)]),
            (draft.clone(), vec![csrf, ("decision", &text), ("text", &text)]),
            (format!("/drafts/{q}"), vec![csrf, ("decision", "send")]),
        ] {
            let (answer, _) = reader.post(&path, &fields).await;
            assert!((400..500).contains(&answer.wire.status), "{path}: {}", answer.text);
        }
    }
    post_install_and_consent_forms(&server, &office, &mut reader).await;
    post_sign_in_forms(&mut reader).await;
    reader.assert_covers(Test::Refused);
}

async fn sign_in(reader: &mut Reader, employee: &Employee) {
    let page = reader.browser.sign_in(&employee.email, PASSWORD, "/").await;
    assert_eq!(page.to(), "/", "{}", page.text);
}

async fn post_install_and_consent_forms(server: &Server, office: &Office, reader: &mut Reader) {
    let (app, client) = (server.app(&["users:read"]).await, server.client().await);
    let query = [("client_id", app.client_id.as_str()), ("redirect_uri", "https://app.example/callback")];
    let install = format!("/oauth/authorize?{}", serde_urlencoded::to_string(query).unwrap());
    let request = server.begin_for(&client, &[]).await.request();
    let consent = format!("/authorize/consent?request={}", encoded(&request));
    for path in [&install, &consent] {
        let page = reader.open(path).await;
        page.is(200, "I allow");
        for text in corpus() {
            for fields in [
                vec![("decision", text.as_str()), ("confirm", &text), ("workspace_id", &office.company.id)],
                vec![("decision", "approve"), ("confirm", "true"), ("workspace_id", &text)],
                vec![("decision", "approve"), ("confirm", "true"), ("request", &text)],
            ] {
                if path == &install && fields.iter().any(|(name, _)| *name == "request") {
                    continue;
                }
                let (answer, _) = reader.submit_on(&page, path, &fields).await;
                assert!((400..500).contains(&answer.wire.status), "{path}: {}", answer.text);
            }
        }
    }
}

async fn post_sign_in_forms(reader: &mut Reader) {
    reader.browser.cookies.clear();
    for text in corpus() {
        let page = reader.open("/signin").await;
        let fields = [("email", text.as_str()), ("password", text.as_str()), ("next", text.as_str())];
        let (refused, shown) = reader.submit_on(&page, "/signin", &fields).await;
        assert!([400, 422].contains(&refused.wire.status), "{}", refused.text);
        assert!(text.contains('\0') || shown.has(text.trim()), "{text:?} is not in {shown:?}");
    }
}
