//! The pages that show the audit log: `/admin/activity` for admins, `/settings/activity` for employees.

use std::sync::Arc;

use serde_json::json;
use switchboard::domain::{ids::UserId, tool_calls::ToolOutcome};

use super::AuditedAssistant;
use crate::{
    pages::{Office, colleague},
    support::{Server, assistant::*, both_engines, operations::encoded, server::Options},
};

const OK: ToolOutcome = ToolOutcome::Ok;

/// Returns the number of calls on a page.
fn shown(page: &str) -> usize {
    page.matches("row-side").count()
}

#[tokio::test]
async fn the_page_names_a_retention_of_one_day() {
    let configure = Arc::new(|config: &mut switchboard::config::Config| config.audit_days = 1);
    let server =
        Server::with(Options { configure: Some(configure), ..Options::default() }).await.expect("a server");
    let mut office = Office::new(&server).await;
    let page = office.admin.get("/admin/activity").await;
    page.shows("Calls are kept for 1 day,").shows("in the last 1 day.");
}

#[both_engines]
async fn admins_see_the_calls_of_everybody(server: Server) {
    let mut office = Office::new(&server).await;
    office.admin.get("/admin/activity").await.shows("No assistant has done anything in the last ");
    let assistant = AuditedAssistant::of(&server, &office.company).await;
    let group = office.company.group(&[&assistant.employee.id]).await;
    assistant
        .record_call_about(&server, "read_messages", OK, &[group.clone(), "gmsg_0000000000001".to_owned()])
        .await;
    assistant.record_call(&server, "send_draft", ToolOutcome::Refused("conversation_archived")).await;
    let page = office.admin.get("/admin/activity").await;
    page.shows("Read messages").shows("Emil Employee").shows("Calendar Helper").shows("1 message");
    page.shows("Sent a draft").shows("Refused").shows("conversation_archived").shows("0.4 ms");
    page.shows("kept for 90 days").shows("<time datetime=\"2026-11-20T12:00:00.000Z\">");
    assert_eq!(shown(&page.text), 2);
    let name = office.company.operator.get(&format!("/admin/v1/conversations/{group}")).ok(200).await;
    page.shows(name["conversation"]["name"].as_str().unwrap());
    // other pages link to the page of the audit log
    office.admin.get("/admin/assistants").await.shows("/admin/activity?workspace_id=");
    office.admin.get("/").await.shows("href=\"/admin/activity\"");
}

#[both_engines]
async fn filters_select_calls(server: Server) {
    let mut office = Office::new(&server).await;
    let one = AuditedAssistant::of(&server, &office.company).await;
    let two = AuditedAssistant::of(&server, &office.company).await;
    office.company.update_user(&two.employee.id, json!({"name": "Zoë Zuse"})).await;
    one.record_call(&server, "list_people", OK).await;
    server.clock.advance(DAY);
    one.record_call(&server, "get_person", OK).await;
    two.record_call(&server, "send_draft", OK).await;
    let client = encoded(&two.client.id);
    for (query, number) in [
        ("", 3),
        (&*format!("person={}", one.employee.id), 2),
        ("person=zuse", 1),
        ("person=zo+zu", 1),
        (&*format!("person={}", two.employee.email), 1),
        (&*format!("client_id={client}"), 1),
        ("tool=get_person", 1),
        ("tool=list_people", 1),
        ("since=2026-11-21", 2),
        ("since=2026-11-22", 0),
        ("person=zuse&tool=get_person", 0),
        ("tool=dance", 0),
        ("tool=%00", 0),
        ("person=usr_0000000000001", 0),
    ] {
        let page = office.admin.get(&format!("/admin/activity?{query}")).await;
        page.shows("<h1>");
        assert_eq!(shown(&page.text), number, "{query}");
    }
    // if a name matches several people, the page lists the people; if it matches nobody, the page says so
    let page = office.admin.get("/admin/activity?person=e").await;
    page.shows("People matching").shows("Emil Employee").shows("Zoë Zuse");
    assert_eq!(shown(&page.text), 0);
    office.admin.get("/admin/activity?person=%3Cb%3E").await.shows("No person matches").hides("<b>");
    office.admin.get("/admin/activity?since=tomorrow").await.is(400, "such as 2026-11-20");
    office.admin.get("/admin/activity?cursor=x").await.is(400, "That did not work");
}

/// The search for a person by name ignores bots, even if so many bots match that they would fill the list of people.
#[both_engines]
async fn the_search_for_a_person_ignores_bots(server: Server) {
    let mut office = Office::new(&server).await;
    for _ in 0..11 {
        office.company.bot(&server).await;
    }
    let appleton = office.company.person_with(json!({"name": "Ada Appleton"})).await;
    let page = office.admin.get("/admin/activity?person=app").await;
    page.shows("Ada Appleton</bdi>").hides("No person matches").hides("People matching");
    office.company.person_with(json!({"name": "Bea Appleton"})).await;
    let page = office.admin.get("/admin/activity?person=app").await;
    page.shows("People matching").shows(&format!("person={appleton}")).shows("Bea Appleton");
    page.hides("There are more");
    for number in 0..9 {
        office.company.person_with(json!({"name": format!("Appleton {number}")})).await;
    }
    let page = office.admin.get("/admin/activity?person=app").await;
    page.shows("Appleton 7").hides("Appleton 8").shows("There are more");
}

#[both_engines]
async fn activity_is_paged(server: Server) {
    let mut office = Office::new(&server).await;
    let assistant = AuditedAssistant::of(&server, &office.company).await;
    for n in 0..60 {
        assistant.record_call_about(&server, "get_person", OK, &[UserId(n).encode()]).await;
    }
    assistant.record_call(&server, "list_people", OK).await;
    let first = office.admin.get("/admin/activity?tool=get_person").await;
    assert_eq!(shown(&first.text), 50);
    let link = first.text.split("Next page").next().unwrap().rsplit("href=\"").next().unwrap();
    let link = crate::support::browser::unescape(link.split('"').next().unwrap());
    assert!(link.contains("tool=get_person"), "{link}");
    let second = office.admin.get(&link).await;
    second.shows("First page").hides("Next page").hides("Listed people</strong>");
    assert_eq!(shown(&second.text), 10);
}

#[both_engines]
async fn people_see_their_own_calls(server: Server) {
    let one = AuditedAssistant::new(&server).await;
    let company = &one.employee.company;
    let two = AuditedAssistant::of(&server, company).await;
    // names of conversations are shown to members only
    let (ours, theirs) = (company.group(&[&one.employee.id]).await, company.group(&[&two.employee.id]).await);
    let mut names = Vec::new();
    for group in [&ours, &theirs] {
        let found = company.operator.get(&format!("/admin/v1/conversations/{group}")).ok(200).await;
        names.push(found["conversation"]["name"].as_str().unwrap().to_owned());
        company
            .operator
            .patch(&format!("/admin/v1/conversations/{group}"))
            .json(&json!({"name": format!("Place {}", names.len())}))
            .ok(200)
            .await;
    }
    one.record_call_about(&server, "read_messages", OK, &[ours, theirs]).await;
    two.record_call(&server, "send_draft", OK).await;
    let mut browser = server.signed_in(&one.employee.email, PASSWORD).await;
    let page = browser.get("/settings/activity").await;
    page.shows("Read messages").shows("Place 1").hides("Place 2").shows("1 group");
    page.hides("Sent a draft</strong>").hides("name=\"person\"").hides("Emil Employee</a>");
    assert_eq!(shown(&page.text), 1);
    // the page ignores the parameter `person`, and shows people only their own calls
    let page = browser.get(&format!("/settings/activity?person={}", two.employee.id)).await;
    page.hides("Sent a draft</strong>");
    assert_eq!(shown(&page.text), 1);
    browser.get("/settings/connections").await.shows("/settings/activity?workspace_id=");
    browser.get("/admin/activity").await.is(403, "Only admins of the company");
    assert!(server.browser().get("/settings/activity").await.to().starts_with("/signin?next="));
    let (_, mut nobody) = colleague(&server, company, json!({})).await;
    nobody.get("/settings/activity").await.shows("No assistant has done anything in the last ");
    let token = nobody.get("/").await.csrf("/signout");
    nobody.post("/settings/activity", &[("csrf", &token)]).await.is(405, "Not possible here");
}

/// A guest can become hidden after an assistant's call about the guest. An employee can become a guest, and then sees
/// only people with whom they share a conversation.
#[both_engines]
async fn people_see_no_names_of_people_hidden_from_them(server: Server) {
    let mut office = Office::new(&server).await;
    let one = AuditedAssistant::of(&server, &office.company).await;
    let company = &office.company;
    let guest = company.person_with(json!({"name": "Gus Guest", "is_external": true})).await;
    let cora = company.person_with(json!({"name": "Cora Colleague"})).await;
    one.record_call_about(&server, "get_person", OK, &[guest.clone(), cora.clone()]).await;
    let mut browser = server.signed_in(&one.employee.email, PASSWORD).await;
    browser.get("/settings/activity").await.shows("Gus Guest").shows("Cora Colleague");
    company.update_user(&guest, json!({"guest_visible": false, "name": "Gus Renamed"})).await;
    let page = browser.get("/settings/activity").await;
    page.hides("Gus").shows("Cora Colleague").shows("1 person");
    office.admin.get("/admin/activity").await.shows("Gus Renamed").shows("Cora Colleague");
    company.update_user(&one.employee.id, json!({"is_external": true})).await;
    browser.get("/settings/activity").await.ok().hides("Gus").hides("Cora").shows("2 people");
    company.group(&[&one.employee.id, &cora]).await;
    browser.get("/settings/activity").await.ok().hides("Gus").shows("Cora Colleague").shows("1 person");
}
