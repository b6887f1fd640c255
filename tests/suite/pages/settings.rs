//! `/settings/*`: the pages of a person's own settings.

use std::time::Duration;

use serde_json::json;

use super::{Office, colleague};
use crate::support::{assistant::PASSWORD, *};

#[both_engines]
async fn a_person_hides_and_shows_their_email_address(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let (id, mut browser) = colleague(&server, &company, json!({"name": "<i>Ines</i>"})).await;
    let shown = || async {
        let user = bot.api.get(&format!("/v1/users/{id}")).ok(200).await;
        user["user"].get("email").is_some()
    };
    assert!(shown().await);
    browser.get("/settings/privacy").await.shows("&#60;i&#62;Ines&#60;/i&#62;").hides("<i>Ines");
    let page = browser.submit("/settings/privacy", &[("email_visible", "false")]).await;
    let back = page.to().to_owned();
    browser.get(&back).await.shows("Saved your choice of who may see your e-mail address.");
    assert!(!shown().await);
    browser.submit("/settings/privacy", &[("email_visible", "true")]).await.to();
    assert!(shown().await);
    for nonsense in [&[][..], &[("email_visible", "perhaps")]] {
        browser.submit("/settings/privacy", nonsense).await.is(400, "does not say");
    }
}

#[both_engines]
async fn a_person_blocks_and_unblocks_an_app(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let (id, mut browser) = colleague(&server, &company, json!({})).await;
    let app = bot.app.id.clone();
    browser.submit("/settings/privacy", &[("app_id", &app), ("blocked", "true")]).await.to();
    bot.cannot_send(&to_user(&id, "hello"), 403, "cannot_dm_user").await;
    // a blocked app is still listed after it was uninstalled, so that the block can be removed
    company.uninstall(&bot).await;
    browser.get("/settings/privacy").await.shows("Unblock");
    browser.submit("/settings/privacy", &[("app_id", &app), ("blocked", "false")]).await.to();
    browser.get("/settings/privacy").await.shows("No apps are installed").hides("Unblock");
    let again = company.install(&bot.app, &ALL_SCOPES).await;
    again.send(&to_user(&id, "hello")).await;
    for (app, status) in [("app_x", 404), ("app_0000000000001", 404)] {
        let page = browser.submit("/settings/privacy", &[("app_id", app), ("blocked", "true")]).await;
        assert_eq!(page.wire.status, status);
    }
    browser.submit("/settings/privacy", &[("app_id", &app)]).await.is(400, "does not say");
}

#[both_engines]
async fn each_company_has_its_own_settings(server: Server) {
    let (one, two, strange) = (server.company().await, server.company().await, server.company().await);
    let email = "both@settings.example";
    let first = one.person_with(json!({"email": email, "password": PASSWORD})).await;
    let second = two.person_with(json!({"email": email})).await;
    let mut browser = server.signed_in(email, PASSWORD).await;
    let path = |company: &Company| format!("/settings/privacy?workspace_id={}", company.id);
    browser.submit(&path(&two), &[("email_visible", "false")]).await.to();
    let visible = |id: String| {
        let operator = one.operator.clone();
        async move {
            operator.get(&format!("/admin/v1/users/{id}")).ok(200).await["user"]["email_visible"] == true
        }
    };
    assert!(visible(first).await);
    assert!(!visible(second).await);
    browser.get(&path(&strange)).await.is(404, "Page not found");
    let page = browser.get(&path(&one)).await;
    let fields = [("email_visible", "false"), ("workspace_id", strange.id.as_str())];
    browser.submit_on(&page, "/settings/privacy", &fields).await.is(404, "Page not found");
    // the session has chosen no company, so the form must name one of the person's two companies
    let fields = [("email_visible", "false"), ("workspace_id", "")];
    browser.submit_on(&page, "/settings/privacy", &fields).await.is(400, "which company");
}

/// The forms of the pages have a hidden field for the company. A script may post a form without this field.
#[both_engines]
async fn a_form_without_a_company_is_for_the_chosen_company(server: Server) {
    let (one, two) = (server.company().await, server.company().await);
    let email = "scripted@settings.example";
    let first = one.person_with(json!({"email": email, "password": PASSWORD, "is_admin": true})).await;
    let second = two.person_with(json!({"email": email, "is_admin": true})).await;
    let client = server.client().await;
    let employee = server.employee_of(&one).await;
    employee.connect(&server, &client).await;
    let connection = text(&employee.connections().await[0], "/id");
    let mut browser = server.signed_in(email, PASSWORD).await;
    let choice = browser.get("/").await;
    let csrf = choice.csrf("/signout");
    browser.submit_on(&choice, "/company", &[("workspace_id", &two.id)]).await.see_other();
    let fields = [("email_visible", "false"), ("csrf", csrf.as_str())];
    let page = browser.post("/settings/privacy", &fields).await;
    assert_eq!(page.to(), format!("/settings/privacy?workspace_id={}&done=email", two.id));
    for (id, visible) in [(&first, true), (&second, false)] {
        let user = one.operator.get(&format!("/admin/v1/users/{id}")).ok(200).await;
        assert_eq!(user["user"]["email_visible"], visible);
    }
    let page =
        browser.post("/admin/assistants", &[("max_session_hours", "12"), ("csrf", csrf.as_str())]).await;
    assert_eq!(page.to(), format!("/admin/assistants?workspace_id={}&done=saved", two.id));
    // the connection in the form determines the company, although the session has chosen another company
    let page =
        browser.post("/admin/assistants", &[("connection_id", &connection), ("csrf", csrf.as_str())]).await;
    assert_eq!(page.to(), format!("/admin/assistants?workspace_id={}&done=revoked", one.id));
    employee.assert_revoked_for("admin").await;
    let bot = one.bot(&server).await;
    let installation = one.installation_of(&bot).await;
    let fields = [("installation_id", installation.as_str()), ("csrf", csrf.as_str())];
    let page = browser.post("/admin/apps", &fields).await;
    assert_eq!(page.to(), format!("/admin/apps?workspace_id={}&done=uninstalled", one.id));
}

/// Returns the company of a page of settings or administration: the value of the hidden field in its forms.
fn company_of(page: &browser::Page) -> String {
    let forms = page.shows("name=\"workspace_id\"").forms();
    let mut hidden = forms.into_iter().flat_map(|form| form.hidden);
    hidden.find(|(name, _)| name == "workspace_id").expect("a company").1
}

#[both_engines]
async fn pages_without_a_company_in_the_url_show_the_chosen_company(server: Server) {
    let (one, two, three) = (server.company().await, server.company().await, server.company().await);
    let email = "chosen@settings.example";
    one.person_with(json!({"email": email, "password": PASSWORD, "name": "First", "is_admin": true})).await;
    two.person_with(json!({"email": email, "name": "Second", "is_admin": true})).await;
    three.person_with(json!({"email": email, "name": "Third"})).await;
    let mut browser = server.signed_in(email, PASSWORD).await;
    let choice = browser.get("/").await;
    for (company, name, administered) in
        [(&two, "Second", &two), (&one, "First", &one), (&three, "Third", &one)]
    {
        browser.submit_on(&choice, "/company", &[("workspace_id", &company.id)]).await.see_other();
        let page = browser.get("/settings/privacy").await;
        assert_eq!(company_of(&page), company.id);
        page.shows(&format!("{name}</span>"));
        page.shows(&format!("href=\"/settings/connections?workspace_id={}\"", company.id));
        // if the person does not administer the chosen company, a page for admins shows one that the person administers
        let page = browser.get("/admin/assistants").await;
        assert_eq!(company_of(&page), administered.id);
        page.shows(&format!("href=\"/admin/people?workspace_id={}\"", administered.id));
    }
    browser.get("/settings/privacy").await.shows("href=\"/admin/people\"");
    // a company in the URL takes precedence over the chosen company, and is also in the links of the page
    let page = browser.get(&format!("/admin/assistants?workspace_id={}", two.id)).await;
    assert_eq!(company_of(&page), two.id);
    for path in ["/admin/apps", "/admin/people", "/settings/privacy"] {
        page.shows(&format!("href=\"{path}?workspace_id={}\"", two.id));
    }
}

#[both_engines]
async fn an_employee_disconnects_an_assistant(server: Server) {
    // when the employee disconnects an assistant, the connection is revoked
    let employee = server.employee().await;
    let client = server.client().await;
    let tokens = employee.connect(&server, &client).await;
    let connection = text(&employee.connections().await[0], "/id");
    let mut browser = server.signed_in(&employee.email, PASSWORD).await;
    browser.get("/settings/connections").await.shows("Calendar Helper").shows("Disconnect");
    // another person cannot disconnect the connection
    let (_, mut other) = colleague(&server, &employee.company, json!({})).await;
    let token = other.get("/").await.csrf("/signout");
    let fields = [("connection_id", connection.as_str()), ("csrf", token.as_str())];
    other.get("/settings/connections").await.shows("have not connected").hides("Calendar Helper");
    other.post("/settings/connections", &fields).await.is(403, "Not allowed");
    server.assert_active(&tokens).await;

    let page = browser.submit("/settings/connections", &[]).await;
    let back = page.to().to_owned();
    server.assert_revoked(&client, &tokens).await;
    employee.assert_revoked_for("employee").await;
    browser.get(&back).await.shows("Disconnected.").shows("You disconnected it");
    let token = browser.get("/").await.csrf("/signout");
    for id in ["", "con_x", "con_0000000000001"] {
        let fields = [("connection_id", id), ("csrf", token.as_str())];
        browser.post("/settings/connections", &fields).await.is(404, "Page not found");
    }
}

#[both_engines]
async fn scopes_and_redirects_of_connections_are_shown(server: Server) {
    let mut office = Office::new(&server).await;
    let employee = server.employee_of(&office.company).await;
    let client = server.client_with("none", &["HTTPS://Client.Example/cb"]).await;
    let mut browser = server.signed_in(&employee.email, PASSWORD).await;
    for (scope, words) in [
        ("service:read", "May only read"),
        ("service:write", "May only write"),
        ("service:read service:write", "May read and write"),
    ] {
        employee.connect_with(&server, &client, &[("scope", scope)]).await;
        let facts = format!("{words} · client.example");
        browser.get("/settings/connections").await.shows(&facts).hides("an app on the computer");
        office.admin.get("/admin/assistants").await.shows(&facts).hides("an app on the computer");
    }
}

#[both_engines]
async fn the_latest_revoked_connection_is_listed_first(server: Server) {
    let mut office = Office::new(&server).await;
    let employee = server.employee_of(&office.company).await;
    for name in ["Alpha Helper", "Beta Helper", "Gamma Helper"] {
        let client = server.client_named(name).await;
        employee.connect(&server, &client).await;
    }
    let ids: Vec<_> = employee.connections().await.iter().map(|one| text(one, "/id")).collect();
    for ended in [2, 0, 1] {
        server.advance(Duration::from_secs(60)).await;
        employee.company.operator.delete(&format!("/admin/v1/connections/{}", ids[ended])).ok(200).await;
    }
    let mut browser = server.signed_in(&employee.email, PASSWORD).await;
    for page in [browser.get("/settings/connections").await, office.admin.get("/admin/assistants").await] {
        let ended = page.text.split_once("Recently ended").expect("a list").1;
        let position = |name: &str| ended.find(name).unwrap_or_else(|| panic!("{name}: {ended}"));
        let positions = ["Beta Helper", "Alpha Helper", "Gamma Helper"].map(position);
        assert!(positions.is_sorted(), "{positions:?}: {ended}");
    }
}
