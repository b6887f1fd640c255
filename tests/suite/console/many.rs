//! The console of a sandbox that has been used for a while. The sandbox has more companies, installations, apps,
//! conversations and people than a page lists.

use switchboard::domain::ids::WorkspaceId;

use crate::support::*;

/// Returns a query for the numbers from 1 to `last`, in the column `i`.
fn numbers_to(server: &Server, last: u32) -> String {
    if server.database.text().starts_with("sqlite") {
        format!(
            "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < {last}) SELECT * FROM n"
        )
    } else {
        format!("SELECT * FROM generate_series(1, {last}) AS n (i)")
    }
}

/// Inserts companies that are older than all other companies, so that the console lists them first.
async fn insert_companies(server: &Server, count: u32) {
    let rows = numbers_to(server, count);
    let statement = format!(
        "INSERT INTO workspaces (id, name, ai_assistants, created_at) SELECT i, 'Earlier ' || i, 1, 0 FROM ({rows}) AS n"
    );
    server.database.execute(&statement).await;
}

#[both_engines]
async fn disconnected_installations_hide_no_bot_and_unlisted_bots_are_shown_by_id(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let installation = company.installation_of(&bot).await;
    // more than the 50 installations that the console lists for each company
    let rows = numbers_to(&server, 60);
    let statement = format!(
        "INSERT INTO installations (id, app_id, workspace_id, bot_user_id, scopes, connected, reason, installed_by,
            created_at, disconnected_at)
        SELECT n.i, app_id, workspace_id, bot_user_id, scopes, 0, 0, installed_by, created_at, created_at
        FROM installations, ({rows}) AS n"
    );
    server.database.execute(&statement).await;
    let mut console = server.console().await;
    console.get("/console/time").await.shows("Requests to send").hides("No bot is shown");
    // the console lists at most 20 companies, so it no longer lists the company of the bot
    insert_companies(&server, 25).await;
    console.get("/console/time").await.shows("No bot is shown").shows("Not every bot is listed");
    let named = format!("/console/time?bot={installation}");
    let page = console.get(&named).await;
    page.shows("Requests to send").hides("No bot is shown");
    // the page's forms redirect to the page of the same bot
    for (action, seconds, done) in
        [("advance", "60", "moved"), ("reset", "", "reset"), ("reset_limits", "", "limits")]
    {
        let fields = [("action", action), ("seconds", seconds)];
        let path = format!("/console/time?done={done}&bot={installation}");
        assert_eq!(console.submit_on(&page, "/console/time", &fields).await.to(), path);
        console.get(&path).await.shows("Requests to send");
    }
    company.uninstall(&bot).await;
    console.get(&named).await.shows("No bot is shown");
}

#[both_engines]
async fn an_app_that_is_not_listed_is_shown_by_its_id(server: Server) {
    let app = server.app(&ALL_SCOPES).await;
    let rows = numbers_to(&server, 100);
    let statement = format!(
        "INSERT INTO apps (id, name, client_id, client_secret_hash, signing_secret, redirect_uris, scopes, created_at)
        SELECT n.i, 'Earlier ' || n.i, client_id || n.i, client_secret_hash, signing_secret, redirect_uris, scopes,
            created_at
        FROM apps, ({rows}) AS n"
    );
    server.database.execute(&statement).await;
    let mut console = server.console().await;
    for path in ["/console/events", "/console/verify"] {
        console.get(path).await.shows("Not every app is listed").hides(&app.id);
        let page = console.get(&format!("{path}?app={}", app.id)).await;
        page.shows(&format!("value=\"{}\" selected", app.id));
        for unknown in ["app_0000000000zzz", "x"] {
            console.get(&format!("{path}?app={unknown}")).await.is(404, "Page not found");
        }
    }
}

#[both_engines]
async fn a_company_or_a_conversation_that_is_not_listed_is_shown_by_its_id(server: Server) {
    let company = server.company().await;
    let person = company.person().await;
    insert_companies(&server, 25).await;
    let mut console = server.console().await;
    let page = console.get("/console/conversations").await;
    page.shows("Not every company is listed").hides(&company.id);
    let path = format!("/console/conversations?company={}", company.id);
    let page = console.get(&path).await;
    page.shows(&format!("value=\"{}\" selected", company.id)).shows(&person);
    page.hides("Some people or conversations are not listed");
    let group = company.group(&[&person]).await;
    let (rows, id) = (numbers_to(&server, 110), WorkspaceId::parse(&company.id).expect("an id").0);
    let statement = format!(
        "INSERT INTO conversations (id, workspace_id, kind, name, is_private, announcement_only, active_members,
            created_at)
        SELECT i, {id}, 0, 'Earlier ' || i, 0, 0, 0, 0 FROM ({rows}) AS n"
    );
    server.database.execute(&statement).await;
    console.get(&path).await.shows("Some people or conversations are not listed").hides(&group);
    console.get(&format!("{path}&to={group}")).await.shows(&format!("value=\"{group}\" selected"));
    // a conversation of another company is not offered as a destination
    let foreign = server.company().await.group(&[]).await;
    console.get(&format!("{path}&to={foreign}")).await.ok().hides(&format!("value=\"{foreign}\""));
    for unknown in ["cmp_0000000000zzz", "x"] {
        console.get(&format!("/console/conversations?company={unknown}")).await.is(404, "Page not found");
    }
}

#[both_engines]
async fn a_person_who_is_not_listed_is_opened_by_their_id(server: Server) {
    let company = server.company().await;
    let (rows, id) = (numbers_to(&server, 210), WorkspaceId::parse(&company.id).expect("an id").0);
    let statement = format!(
        "INSERT INTO users (id, workspace_id, name, state, is_admin, is_external, is_bot, email_visible, guest_visible,
            sessions_valid_after, created_at, has_words)
        SELECT i, {id}, 'Earlier ' || i, 0, 0, 0, 0, 1, 1, 0, 0, 1 FROM ({rows}) AS n"
    );
    server.database.execute(&statement).await;
    let members = serde_json::json!({"name": "Late Person"});
    let (late, _) = crate::pages::colleague(&server, &company, members).await;
    let mut console = server.console().await;
    let path = format!("/console/conversations?company={}", company.id);
    console.get(&path).await.shows("Not everybody is listed").hides("Late Person");
    let page = console.get(&format!("{path}&to={late}")).await;
    page.shows("Open as Late Person").shows(&format!("value=\"{late}\" selected"));
    let switch = [("action", "switch"), ("user_id", late.as_str())];
    assert_eq!(console.submit_on(&page, "/console/conversations", &switch).await.to(), "/");
}
