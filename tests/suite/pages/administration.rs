//! `/admin/*`: the pages of a company's admins.

use std::time::Duration;

use serde_json::json;
use switchboard::pages::ROUTES;

use super::{Office, colleague};
use crate::support::{assistant::PASSWORD, *};

const PAGES: [&str; 4] = ["/admin/assistants", "/admin/activity", "/admin/apps", "/admin/people"];

#[test]
fn every_page_for_admins_is_listed() {
    for (path, methods) in ROUTES.iter().filter(|(path, _)| path.starts_with("/admin/")) {
        assert_eq!(methods.contains(&"GET"), PAGES.contains(path), "add {path} to PAGES");
    }
}

#[both_engines]
async fn admins_manage_their_own_company_and_nobody_else_does(server: Server) {
    let mut office = Office::new(&server).await;
    let other = server.company().await;
    let (_, mut person) = office.colleague(&server).await;
    let (_, mut arriving) =
        colleague(&server, &office.company, json!({"is_admin": true, "state": "onboarding"})).await;
    for path in PAGES {
        assert!(server.browser().get(path).await.to().starts_with("/signin?next="));
        person.get(path).await.is(403, "Only admins of the company");
        arriving.get(path).await.is(403, "Only admins of the company");
        office.admin.get(path).await.shows("<h1>");
        office.admin.get(&format!("{path}?workspace_id={}", other.id)).await.is(404, "Page not found");
    }
    let token = person.get("/").await.csrf("/signout");
    let target = office.company.person().await;
    let bot = office.company.bot(&server).await;
    let installation = office.company.installation_of(&bot).await;
    let company = office.company.id.clone();
    let forms: [(&str, Vec<(&str, &str)>); 4] = [
        ("/admin/assistants", vec![("ai_assistants", "off"), ("workspace_id", &company)]),
        ("/admin/assistants", vec![("ai_assistants", "off")]),
        ("/admin/apps", vec![("installation_id", &installation)]),
        ("/admin/people", vec![("user_id", &target), ("state", "removed")]),
    ];
    for (path, mut fields) in forms {
        fields.push(("csrf", &token));
        person.post(path, &fields).await.is(403, "Not allowed");
    }
    bot.api.get("/v1/auth/test").ok(200).await;
    let operator = office.company.operator.clone();
    let state = async |id: &str| {
        operator.get(&format!("/admin/v1/users/{id}")).ok(200).await["user"]["state"].clone()
    };
    let allows = async |company: &Company| {
        operator.get(&company.path("")).ok(200).await["workspace"]["ai_assistants"].clone()
    };
    assert_eq!((state(&target).await, allows(&office.company).await), (json!("active"), json!(true)));
    // for a person of another company, the response is the same as for a person who does not exist
    let token = office.admin.get("/").await.csrf("/signout");
    let stranger = other.person().await;
    for (path, name, id) in
        [("/admin/people", "user_id", stranger.as_str()), ("/admin/people", "user_id", "x")]
    {
        let fields = [(name, id), ("state", "removed"), ("csrf", token.as_str())];
        office.admin.post(path, &fields).await.is(404, "Page not found");
    }
    let fields = [("ai_assistants", "off"), ("workspace_id", other.id.as_str()), ("csrf", token.as_str())];
    office.admin.post("/admin/assistants", &fields).await.is(404, "Page not found");
    assert_eq!((state(&stranger).await, allows(&other).await), (json!("active"), json!(true)));
}

#[both_engines]
async fn an_admin_signs_people_out_and_changes_their_state(server: Server) {
    let mut office = Office::new(&server).await;
    let (id, mut person) = colleague(&server, &office.company, json!({"name": "<b>Bo</b> \"x\""})).await;
    office.admin.get("/admin/people").await.shows("&#60;b&#62;Bo&#60;/b&#62;").hides("<b>Bo");
    let token = office.admin.get("/").await.csrf("/signout");
    let mut post = async |name: &str, value: &str| {
        let fields = [("user_id", id.as_str()), (name, value), ("csrf", token.as_str())];
        let page = office.admin.post("/admin/people", &fields).await;
        match page.wire.status {
            302 => {
                let back = page.to().to_owned();
                office.admin.get(&back).await.text
            }
            status => format!("{status}"),
        }
    };
    // a forced log-out invalidates all sessions of the person, including those in the pages (D-317)
    assert!(post("logout", "true").await.contains("Signed out of this company."));
    assert_eq!(person.get("/").await.to(), "/signin?next=%2F");
    assert!(post("state", "deactivated").await.contains("Deactivated."));
    assert!(post("state", "active").await.contains("The account is active."));
    assert!(post("state", "removed").await.contains("Removed for good."));
    assert_eq!(post("state", "active").await, "409");
    assert_eq!(post("state", "unknown").await, "400");
    assert_eq!(post("logout", "maybe").await, "400");
    let path = format!("/admin/v1/users/{id}");
    assert_eq!(office.company.operator.get(&path).ok(200).await["user"]["state"], "removed");
}

#[both_engines]
async fn somebody_who_is_onboarding_cannot_be_deactivated(server: Server) {
    // a person who is onboarding can only become active or removed (D-380)
    let mut office = Office::new(&server).await;
    let id = office.company.person_with(json!({"name": "Nora New", "state": "onboarding"})).await;
    let page = office.admin.get("/admin/people?query=Nora").await;
    page.shows(">Activate<").shows("Remove for good").hides("value=\"deactivated\"");
    let token = office.admin.get("/").await.csrf("/signout");
    let fields = [("user_id", id.as_str()), ("state", "deactivated"), ("csrf", token.as_str())];
    office.admin.post("/admin/people", &fields).await.is(409, "cannot change to this state");
    let path = format!("/admin/v1/users/{id}");
    assert_eq!(office.company.operator.get(&path).ok(200).await["user"]["state"], "onboarding");
}

#[both_engines]
async fn people_are_paged(server: Server) {
    let mut office = Office::new(&server).await;
    for number in 0..60 {
        office.company.person_with(json!({"name": format!("Number {number} of many")})).await;
    }
    let first = office.admin.get("/admin/people").await;
    first.shows("Number 40 of many").shows("Next page").hides("Number 55 of many");
    let next = first.text.split("cursor=").nth(1).unwrap().split('"').next().unwrap();
    let path = format!("/admin/people?workspace_id={}&cursor={next}", office.company.id);
    let second = office.admin.get(&path).await;
    second.shows("Number 55 of many").hides("Number 40 of many").hides("Next page").shows("First page");
    // an action redirects to the page of the list on which its form was
    let page = office.admin.submit(&path, &[("logout", "true")]).await;
    assert!(page.to().ends_with(&format!("&cursor={next}")), "{}", page.to());
    office.admin.get("/admin/people?cursor=x").await.is(400, "That did not work");
}

/// The list of people has no bots, because apps are listed on a page of their own.
#[both_engines]
async fn the_list_of_people_has_no_bots(server: Server) {
    let mut office = Office::new(&server).await;
    for _ in 0..5 {
        office.company.bot(&server).await;
    }
    for number in 0..48 {
        office.company.person_with(json!({"name": format!("Number {number} of many")})).await;
    }
    // the two admins of the company and the 48 others are the 50 people of one page
    office.admin.get("/admin/people").await.shows("Number 47 of many").hides("Next page");
}

#[both_engines]
async fn apps_are_uninstalled(server: Server) {
    let mut office = Office::new(&server).await;
    let bot = office.company.bot(&server).await;
    let page = office.admin.get("/admin/apps").await;
    page.shows("send messages under its own name").shows("Uninstall");
    let page = office.admin.submit("/admin/apps", &[]).await;
    let back = page.to().to_owned();
    office.admin.get(&back).await.shows("Uninstalled.").shows("uninstalled by an admin");
    // the token of an uninstalled app is refused from the first request after the uninstall (B-039)
    bot.api.get("/v1/auth/test").refused(401, "token_revoked").await;
    let list = office.company.operator.get(&office.company.path("/installations")).ok(200).await;
    assert_eq!(list["installations"][0]["reason"], "admin");
}

#[both_engines]
async fn the_apps_that_were_uninstalled_last_are_shown_first(server: Server) {
    let mut office = Office::new(&server).await;
    let mut bots = Vec::new();
    for _ in 0..3 {
        bots.push(office.company.bot(&server).await);
    }
    // the apps are uninstalled neither in the order of their installation nor in the reverse order
    bots.rotate_left(1);
    let mut names = Vec::new();
    for bot in &bots {
        server.clock.advance(Duration::from_secs(1));
        office.company.uninstall(bot).await;
        let app = server.operator().get(&format!("/admin/v1/apps/{}", bot.app.id)).ok(200).await;
        names.push(text(&app, "/app/name"));
    }
    let page = office.admin.get("/admin/apps").await;
    let ended = page.text.split("Disconnected apps").nth(1).expect("disconnected apps are listed");
    let positions: Vec<_> =
        names.iter().map(|name| ended.find(&format!("<strong>{name}</strong>"))).collect();
    assert!(
        positions.iter().all(Option::is_some) && positions.is_sorted_by(|earlier, later| earlier > later),
        "the app that was uninstalled last is listed first: {ended}"
    );
}

#[both_engines]
async fn an_admin_changes_the_rules_for_assistants(server: Server) {
    let mut office = Office::new(&server).await;
    let company = office.company.clone();
    let stored = || async {
        let company = company.operator.get(&company.path("")).ok(200).await["workspace"].clone();
        (company["ai_assistants"].clone(), company["max_session_hours"].clone())
    };
    let mut save =
        async |fields: &[(&str, &str)]| office.admin.submit("/admin/assistants", fields).await.wire.status;
    assert_eq!(save(&[("ai_assistants", "on"), ("max_session_hours", " 24 ")]).await, 302);
    assert_eq!(stored().await, (json!(true), json!(24)));
    // a setting whose field is absent is not changed
    assert_eq!(save(&[("ai_assistants", "off")]).await, 302);
    assert_eq!(stored().await, (json!(false), json!(24)));
    assert_eq!(save(&[("max_session_hours", "")]).await, 302);
    assert_eq!(stored().await, (json!(false), json!(null)));
    for sends in ["confirm", "direct", "confirm"] {
        assert_eq!(save(&[("assistant_sends", sends)]).await, 302);
        let shown = company.operator.get(&company.path("")).ok(200).await["workspace"].clone();
        assert_eq!((&shown["assistant_sends"], &shown["ai_assistants"]), (&json!(sends), &json!(false)));
    }
    assert_eq!(save(&[("assistant_sends", "ask")]).await, 400);
    for wrong in ["0", "-1", "8761", "1.5", "many", "99999999999999999999", "<script>"] {
        assert_eq!(save(&[("ai_assistants", "on"), ("max_session_hours", wrong)]).await, 422, "{wrong}");
    }
    assert_eq!(stored().await, (json!(false), json!(null)));
    assert_eq!(save(&[]).await, 400);
    assert_eq!(save(&[("action", "explode")]).await, 400);
    assert_eq!(
        save(&[("ai_assistants", "true"), ("max_session_hours", "8760"), ("action", "save")]).await,
        302
    );
    assert_eq!(stored().await, (json!(true), json!(8760)));
}

/// The form of the page sends all settings. So a form that was opened before somebody else changed a setting would undo
/// the change. The server rejects such a form, and shows the current settings.
#[both_engines]
async fn an_outdated_form_of_settings_is_rejected(server: Server) {
    let mut office = Office::new(&server).await;
    let path = office.company.path("");
    let operator = office.company.operator.clone();
    let stored = async || operator.get(&path).ok(200).await["workspace"].clone();
    let page = office.admin.get("/admin/assistants").await;
    operator.patch(&path).json(&json!({"assistant_sends": "confirm", "max_session_hours": 24})).ok(200).await;
    let fields = [("ai_assistants", "off"), ("assistant_sends", "direct"), ("max_session_hours", "")];
    let refused = office.admin.submit_on(&page, "/admin/assistants", &fields).await;
    refused.is(409, "somebody has changed the settings").is(409, "value=\"24\"");
    refused.is(409, "value=\"confirm\" checked");
    let found = stored().await;
    assert_eq!((&found["ai_assistants"], &found["assistant_sends"]), (&json!(true), &json!("confirm")));
    office.admin.submit_on(&refused, "/admin/assistants", &fields).await.to();
    let found = stored().await;
    assert_eq!((&found["ai_assistants"], &found["assistant_sends"]), (&json!(false), &json!("direct")));
    // An outdated form gets 409 and not 422, even if its `max_session_hours` is invalid. After 422, the admin would
    // correct only this field, and the corrected form would undo the operator's change.
    operator.patch(&path).json(&json!({"assistant_sends": "confirm"})).ok(200).await;
    let fields = [("assistant_sends", "direct"), ("max_session_hours", "abc")];
    let refused = office.admin.submit_on(&page, "/admin/assistants", &fields).await;
    refused.is(409, "somebody has changed the settings").is(409, "value=\"confirm\" checked");
    let invalid = office.admin.submit_on(&refused, "/admin/assistants", &fields).await;
    invalid.is(422, "value=\"abc\"").is(422, "value=\"direct\" checked");
    operator.patch(&path).json(&json!({"max_session_hours": 48})).ok(200).await;
    let fields = [("assistant_sends", "direct"), ("max_session_hours", "12")];
    office.admin.submit_on(&invalid, "/admin/assistants", &fields).await.is(409, "somebody has changed");
    assert_eq!(stored().await["assistant_sends"], "confirm");
    let csrf = refused.csrf("/admin/assistants");
    // the hidden field `loaded` has the settings with which the form was shown; the server never creates the following
    // values
    for loaded in ["on x direct", "on", "on 0 ask", "yes  direct"] {
        let fields = [("csrf", csrf.as_str()), ("loaded", loaded), ("ai_assistants", "on")];
        let refused = office.admin.post("/admin/assistants", &fields).await;
        refused.is(409, "somebody has changed the settings").is(409, "value=\"confirm\" checked");
    }
    assert_eq!(stored().await["ai_assistants"], false);
    // a form without `loaded` changes the settings whose fields it has
    office.admin.post("/admin/assistants", &[("csrf", &csrf), ("ai_assistants", "on")]).await.to();
    assert_eq!(stored().await["ai_assistants"], true);
}

#[both_engines]
async fn clients_are_blocked_by_key(server: Server) {
    // blocking revokes connections, and unblocking restores none
    let mut office = Office::new(&server).await;
    let employee = server.employee_of(&office.company).await;
    let client = server.client().await;
    let tokens = employee.connect(&server, &client).await;
    let page = office.admin.get("/admin/assistants").await;
    page.shows("Calendar Helper").shows("Emil Employee").shows("local:calendar helper");
    let fields = [("action", "block"), ("key", "local:calendar helper")];
    office.admin.submit("/admin/assistants", &fields).await.to();
    server.assert_revoked(&client, &tokens).await;
    employee.assert_revoked_for("client_blocked").await;
    let page = office.admin.get("/admin/assistants").await;
    page.shows("The company blocked the assistant")
        .shows("Unblock")
        .shows("<strong>Calendar Helper</strong>");
    let fields = [("action", "unblock"), ("key", "local:calendar helper")];
    office.admin.submit("/admin/assistants", &fields).await.to();
    office.admin.get("/admin/assistants").await.ok().hides("Unblock");
    server.assert_revoked(&client, &tokens).await;
    employee.connect(&server, &client).await;
    // A key may be any text of 1 to 255 characters. The page escapes the key.
    let fields = [("action", "block"), ("key", "<img src=x onerror=alert(1)>")];
    office.admin.submit("/admin/assistants", &fields).await.to();
    office.admin.get("/admin/assistants").await.shows("&#60;img src=x").hides("<img");
    for key in ["", " ", &"x".repeat(256)] {
        let page = office.admin.submit("/admin/assistants", &[("action", "block"), ("key", key)]).await;
        page.is(400, "1 to 255 characters");
    }
}

#[both_engines]
async fn an_admin_revokes_a_connection_and_turns_assistants_off(server: Server) {
    // an admin's revocation and the company's switch revoke connections
    let mut office = Office::new(&server).await;
    let employee = server.employee_of(&office.company).await;
    let client = server.client().await;
    let tokens = employee.connect(&server, &client).await;
    let id = text(&employee.connections().await[0], "/id");
    let fields = [("action", "revoke"), ("connection_id", id.as_str())];
    office.admin.submit("/admin/assistants", &fields).await.to();
    server.assert_revoked(&client, &tokens).await;
    employee.assert_revoked_for("admin").await;
    office.admin.get("/admin/assistants").await.shows("Disconnected by an admin");
    let tokens = employee.connect(&server, &client).await;
    office.admin.submit("/admin/assistants", &[("ai_assistants", "off")]).await.to();
    server.assert_revoked(&client, &tokens).await;
    employee.assert_revoked_for("assistants_off").await;
    // the employee sees the reason of each revocation (D-319)
    let mut browser = server.signed_in(&employee.email, PASSWORD).await;
    let page = browser.get("/settings/connections").await;
    page.shows("The company turned assistants off").shows("Disconnected by an admin");
}
