//! Opens the pages that show the stored texts.

use super::StoredTextsFixture;
use crate::{
    pages::{
        colleague,
        hostile::{Reader, encoded},
    },
    support::text,
};

/// Opens the pages of the employee, who is also an admin of the company.
pub async fn of_the_employee(fixture: &StoredTextsFixture<'_>, reader: &mut Reader) {
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
    // a person who is not a member of the groups and may join them
    let (_, browser) = colleague(fixture.server, &fixture.company, serde_json::json!({})).await;
    let mut onlooker = Reader::new(browser, &fixture.server.base);
    onlooker.all("/conversations?show=open").await;
    reader
        .shown
        .entry("/conversations")
        .or_default()
        .extend(onlooker.shown.remove("/conversations").unwrap());

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
        reader.open(&install(&app.client_id)).await.is(200, "Install");
    }
    for client in &fixture.clients {
        let request = fixture.server.begin_for(client, &[]).await.request();
        reader.open(&consent(&request)).await.is(200, "Connect");
    }
}

/// Opens the pages of a person who is in many companies.
pub async fn of_many(fixture: &StoredTextsFixture<'_>, reader: &mut Reader) {
    reader.browser.cookies.extend(fixture.server.known_browser().cookies);
    let request = fixture.server.begin_for(&fixture.clients[0], &[]).await.request();
    for path in ["/", "/settings/connections", &install(&fixture.apps[0].client_id), &consent(&request)] {
        reader.open(path).await.is(200, "");
    }
}

fn install(client_id: &str) -> String {
    let query = [("client_id", client_id), ("redirect_uri", "https://app.example/callback")];
    format!("/oauth/authorize?{}", serde_urlencoded::to_string(query).unwrap())
}

fn consent(request: &str) -> String {
    format!("/authorize/consent?request={}", encoded(request))
}

/// Opens the pages of the console.
pub async fn of_the_console(fixture: &StoredTextsFixture<'_>) -> Reader {
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
        assert!(events.len() > 2, "each pressed button causes an event: {}", page.text);
        for event in events {
            reader.open(&format!("/console/events/{event}")).await.is(200, "");
        }
    }
    reader
}
