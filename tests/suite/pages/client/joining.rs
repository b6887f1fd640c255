//! Groups and channels that everyone of the company may join.

use serde_json::json;

use crate::{pages::colleague, support::*};

#[both_engines]
async fn an_open_group_and_its_channel_are_joined(server: Server) {
    let company = server.company().await;
    let (me, mut browser) = colleague(&server, &company, json!({})).await;
    let bob = company.person().await;
    let group = company.group(&[&bob]).await;
    let channel = company.channel(&group, &[&bob]).await;
    company.post(&channel, &bob, "before").await;
    let path = format!("/c/{channel}/join");
    let page = browser.get("/conversations").await;
    page.shows(&path).shows(&format!("/c/{group}/join"));
    let answer = browser.submit_on(&page, &path, &[]).await;
    assert_eq!(answer.changed(), format!("/c/{channel}"));
    // the channel's members are members of its group
    let page = browser.get("/conversations").await;
    page.shows(&format!("data-conversation=\"{group}\"")).shows(&format!("data-conversation=\"{channel}\""));
    page.hides(&path);
    for conversation in [&group, &channel] {
        let notices = company.messages(conversation).await;
        assert_eq!(notices[0]["type"], "system", "a join is announced");
    }
    // joining again changes nothing
    let token = page.csrf("/signout");
    let number = company.messages(&channel).await.len();
    assert_eq!(browser.post(&path, &[("csrf", &token)]).await.changed(), format!("/c/{channel}"));
    assert_eq!(company.messages(&channel).await.len(), number);
    company.post(&channel, &me, "after").await;
}

#[both_engines]
async fn only_open_conversations_can_be_joined(server: Server) {
    let (company, foreign) = (server.company().await, server.company().await);
    let (me, mut browser) = colleague(&server, &company, json!({})).await;
    let (_, mut admin) = colleague(&server, &company, json!({"is_admin": true})).await;
    let (_, mut guest) = colleague(&server, &company, json!({"is_external": true})).await;
    let (bob, eve, stranger) = (company.person().await, company.person().await, foreign.person().await);
    let private = company.conversation(json!({"type": "private_channel", "member_ids": [bob]})).await;
    let channel = company.channel(&private, &[&bob]).await;
    let direct = company.direct(&bob, &eve).await;
    let theirs = foreign.group(&[&stranger]).await;
    let deleted = company.group(&[&bob]).await;
    company.delete_conversation(&deleted).await;
    let open = company.group(&[&bob]).await;
    let token = browser.get("/conversations").await.csrf("/signout");
    let of_admin = admin.get("/conversations").await.csrf("/signout");
    let nothing = "grp_0000000000001";
    for id in [private.as_str(), &channel, &direct, &theirs, &deleted, nothing, "x"] {
        let path = format!("/c/{id}/join");
        browser.post(&path, &[("csrf", &token)]).await.is(404, "You cannot join this conversation");
        admin.post(&path, &[("csrf", &of_admin)]).await.is(404, "You cannot join this conversation");
        browser.get("/conversations?show=open").await.hides(&path);
    }
    let of_guest = guest.get("/conversations").await.csrf("/signout");
    let path = format!("/c/{open}/join");
    guest.post(&path, &[("csrf", &of_guest)]).await.is(404, "You cannot join this conversation");
    guest.get("/conversations?show=open").await.hides(&path);
    browser.post(&path, &[]).await.is(403, "Please try again");
    company.archive(&open, true).await;
    browser.post(&path, &[("csrf", &token)]).await.is(409, "archived");
    browser.get("/conversations?show=open").await.shows("There is nothing to join");
    company.archive(&open, false).await;
    // a person who was removed may join an open conversation again
    company.add(&open, &me).await;
    company.remove(&open, &me).await;
    browser.post(&path, &[("csrf", &token)]).await.changed();
    browser.get("/c/x/join").await.is(405, "Not possible here");
}

#[both_engines]
async fn open_groups_are_found_by_name(server: Server) {
    let company = server.company().await;
    let (_, mut browser) = colleague(&server, &company, json!({})).await;
    let bob = company.person().await;
    let named = |name: &str| json!({"name": name, "member_ids": [bob]});
    let (red, blue) =
        (company.conversation(named("Red team")).await, company.conversation(named("Blue team")).await);
    let body = json!({"kind": "channel", "parent_id": blue, "name": "Crimson", "member_ids": [bob]});
    let channel = company.conversation(body).await;
    for (query, shown) in [("red", vec![&red]), ("crim", vec![&channel]), ("blue", vec![&blue, &channel])] {
        let page = browser.get(&format!("/conversations?show=open&q={query}")).await;
        for id in [&red, &blue, &channel] {
            // a channel is shown with its group, which may be joined, too
            let is_shown = shown.contains(&id) || (query == "crim" && id == &blue);
            assert_eq!(page.text.contains(&format!("/c/{id}/join")), is_shown, "{query} {id}");
        }
    }
}
