//! Opens the pages that show the hostile texts, which `apis.rs` and `forms.rs` have stored.

use super::StoredTextsFixture;
use crate::{
    pages::{
        colleague,
        hostile::{Reader, encoded},
    },
    support::text,
};

/// Opens the pages as the employee, who is also an admin of the company.
pub async fn open_as_employee(fixture: &StoredTextsFixture<'_>, reader: &mut Reader) {
    for path in [
        "/conversations",
        "/conversations?show=archived",
        "/conversations/new",
        "/conversations/new?kind=channel",
        "/people",
        "/search?q=message*",
        "/search?q=written*",
        "/search?q=edited*",
        "/settings/connections",
        "/settings/activity",
        "/settings/privacy",
        "/admin/assistants",
        "/admin/activity",
        "/admin/apps",
        "/admin/people",
        "/drafts",
        &format!("/c/{}", fixture.group),
        &format!("/c/{}", fixture.own),
    ] {
        reader.all(path).await;
    }
    // `show=open` lists groups that the person may join and is not in. The employee is in all groups, so a colleague
    // opens this list.
    let (_, browser) = colleague(fixture.server, &fixture.company, serde_json::json!({})).await;
    let mut outsider = Reader::new(browser, &fixture.server.base);
    outsider.all("/conversations?show=open").await;
    reader
        .shown
        .entry("/conversations")
        .or_default()
        .extend(outsider.shown.remove("/conversations").unwrap());

    let operator = &fixture.company.operator;
    let people = operator.get(&fixture.company.path("/users?limit=1000")).ok(200).await;
    for person in people["users"].as_array().unwrap() {
        reader.open(&format!("/people/{}", text(person, "/id"))).await;
    }
    let groups = operator.get(&fixture.company.path("/conversations?limit=1000")).ok(200).await;
    for group in groups["conversations"].as_array().unwrap() {
        reader.open(&format!("/c/{}", text(group, "/id"))).await;
    }
    for message in fixture.company.messages(&fixture.own).await {
        reader.open(&format!("/c/{}/{}", fixture.own, text(&message, "/id"))).await;
    }
    let drafts: Vec<_> = reader.shown["/drafts"].iter().flat_map(|page| page.values.clone()).collect();
    for draft in drafts.iter().filter(|value| value.starts_with("drf_") && value.len() == 17) {
        reader.open(&format!("/drafts/{draft}")).await.is(200, "Send");
    }
    for app in &fixture.apps {
        reader.open(&install_path(&app.client_id)).await.is(200, "Install");
    }
    for client in &fixture.clients {
        let request = fixture.server.begin_for(client, &[]).await.request();
        reader.open(&consent_path(&request)).await.is(200, "Connect");
    }
}

/// Opens pages as a person who is in many companies.
pub async fn open_as_member_of_many_companies(fixture: &StoredTextsFixture<'_>, reader: &mut Reader) {
    reader.browser.cookies.extend(fixture.server.known_browser().cookies);
    let request = fixture.server.begin_for(&fixture.clients[0], &[]).await.request();
    let install = install_path(&fixture.apps[0].client_id);
    for path in ["/", "/settings/connections", &install, &consent_path(&request)] {
        reader.open(path).await.is(200, "");
    }
}

fn install_path(client_id: &str) -> String {
    let query = [("client_id", client_id), ("redirect_uri", "https://app.example/callback")];
    format!("/oauth/authorize?{}", serde_urlencoded::to_string(query).unwrap())
}

fn consent_path(request: &str) -> String {
    format!("/authorize/consent?request={}", encoded(request))
}

/// Opens the pages of the sandbox console.
pub async fn open_console(fixture: &StoredTextsFixture<'_>) -> Reader {
    let mut reader = Reader::new(fixture.server.console().await, &fixture.server.base);
    reader.open(&format!("/console/conversations?company={}", fixture.company.id)).await.is(200, "");
    reader.open("/console/verify").await.is(200, "");
    reader.open("/console/time").await.is(200, "");
    for app in &fixture.apps {
        let page = reader.open(&format!("/console/events?app={}", app.id)).await;
        let events: Vec<_> = page
            .text
            .split("href=\"/console/events/")
            .skip(1)
            .map(|part| part.split('"').next().unwrap())
            .collect();
        assert!(
            events.len() >= 3,
            "the app has events of the added bot and of two button presses: {}",
            page.text
        );
        for event in events {
            reader.open(&format!("/console/events/{event}")).await.is(200, "");
        }
    }
    reader
}
