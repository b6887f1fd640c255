//! Open groups and channels: those that every employee of the company may join.

use serde_json::json;

use switchboard::domain::ids::{ConversationId, WorkspaceId};

use crate::{
    pages::{colleague, conversation::link},
    support::{browser::Page, *},
};

/// Inserts `number` groups of a company, or `number` channels of `group` if `group` is given. The last of them in the
/// order of the list has the name `Needle`. The names of the others are `Hay` and a number.
async fn insert_hay(server: &Server, company: &Company, group: Option<&str>, number: i64) {
    let company = WorkspaceId::parse(&company.id).unwrap().0;
    let group = group.map(|id| ConversationId::parse(id).unwrap().1.0);
    let (kind, parent) = (i64::from(group.is_some()), group.map_or("NULL".into(), |id| id.to_string()));
    // the inserted groups are older than all others, and the inserted channels newer than their group
    let first = group.map_or(0, |group| group + (1 << 30));
    let rows = if server.database.text().starts_with("sqlite") {
        format!(
            "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < {number}) SELECT * FROM n"
        )
    } else {
        format!("SELECT * FROM generate_series(1, {number}) AS n (i)")
    };
    // the list begins with the newest group, and the channels of a group begin with the oldest channel
    let needle = if group.is_some() { number } else { 1 };
    let statement = format!(
        "INSERT INTO conversations (id, workspace_id, kind, parent_id, name, is_private, announcement_only,
            active_members, created_at)
        SELECT {first} + i, {company}, {kind}, {parent}, CASE WHEN i = {needle} THEN 'Needle' ELSE 'Hay ' || i END,
            0, 0, 0, 0
        FROM ({rows}) AS n"
    );
    server.database.execute(&statement).await;
}

/// Returns the paths of the forms that join a group or a channel.
fn joins(page: &Page) -> Vec<String> {
    page.forms().into_iter().map(|form| form.action).filter(|action| action.ends_with("/join")).collect()
}

/// Opens all pages of a list, and returns [`joins`] of each.
async fn joins_by_page(browser: &mut browser::Browser, path: &str) -> Vec<Vec<String>> {
    let (mut pages, mut path) = (Vec::new(), Some(path.to_owned()));
    while let Some(at) = path {
        let page = browser.get(&at).await;
        page.shows("Conversations");
        pages.push(joins(&page));
        path = link(&page, "Next page");
        assert!(pages.len() < 100, "the list has a last page");
    }
    pages
}

#[both_engines]
async fn every_open_group_is_found_by_name(server: Server) {
    let company = server.company().await;
    let (_, mut browser) = colleague(&server, &company, json!({})).await;
    insert_hay(&server, &company, None, 12_000).await;
    let pages = joins_by_page(&mut browser, "/conversations?show=open&q=needle").await;
    assert_eq!(
        pages.iter().map(Vec::len).collect::<Vec<_>>(),
        [0, 0, 1],
        "a page ends when the search has looked at 5,000 groups"
    );
    let page = browser.get("/conversations?show=open&q=needle").await;
    page.shows("among the groups that were looked at so far").hides("No open group matches");
    let more = link(&page, "Look at more groups").expect("a link");
    browser.get(&more).await.shows("among the groups that were looked at so far");
    // the list of the person's own conversations shows only a few open groups
    let page = browser.get("/conversations?q=needle").await;
    let path = link(&page, "Search in more open groups").expect("a link");
    assert_eq!(path, "/conversations?show=open&q=needle");
    let page = browser.get("/conversations?q=hay").await;
    assert_eq!(joins(&page).len(), 5);
    let path = link(&page, "All open groups that match").expect("a link");
    assert_eq!(joins(&browser.get(&path).await).len(), 50);
    browser.get("/conversations?show=open&q=nothing").await.ok().hides("No open group matches");
    // if no name is searched for, the first page is full
    let page = browser.get("/conversations?show=open").await;
    assert_eq!(joins(&page).len(), 50);
}

#[both_engines]
async fn every_channel_is_listed_and_found_by_name(server: Server) {
    let company = server.company().await;
    let (_, mut browser) = colleague(&server, &company, json!({})).await;
    let bob = company.person().await;
    let older = company.conversation(json!({"name": "Older", "member_ids": [bob]})).await;
    let group = company.conversation(json!({"name": "Large", "member_ids": [bob]})).await;
    insert_hay(&server, &company, Some(&group), 1_200).await;
    let pages = joins_by_page(&mut browser, "/conversations?show=open").await;
    // Each page lists the group with at most 500 of its channels. The last page also lists the other group.
    let numbers: Vec<_> = pages.iter().map(Vec::len).collect();
    assert_eq!(numbers, [501, 501, 202]);
    let mut all: Vec<_> = pages.concat();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 1_202, "each group and each channel is listed");
    assert!(all.contains(&format!("/c/{older}/join")));
    let found = joins_by_page(&mut browser, "/conversations?show=open&q=needle").await.concat();
    assert_eq!(found.len(), 2, "the search finds the channel, and shows it with its group");
    assert!(found.contains(&format!("/c/{group}/join")));
    let few = joins(&browser.get("/conversations").await);
    assert!(few.len() <= 60, "the list of the person's own conversations shows few open ones: {}", few.len());
    // A page ends within a group, and then the group is archived. The next page begins with the next group.
    let page = browser.get("/conversations?show=open").await;
    let next = link(&page, "Next page").expect("a link");
    company.archive(&group, true).await;
    assert_eq!(joins(&browser.get(&next).await), [format!("/c/{older}/join")]);
}

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
    assert_eq!(answer.see_other(), format!("/c/{channel}"));
    // joining a channel also joins its group
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
    assert_eq!(browser.post(&path, &[("csrf", &token)]).await.see_other(), format!("/c/{channel}"));
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
        browser.get("/conversations?show=open").await.ok().hides(&path);
    }
    let of_guest = guest.get("/conversations").await.csrf("/signout");
    let path = format!("/c/{open}/join");
    guest.post(&path, &[("csrf", &of_guest)]).await.is(404, "You cannot join this conversation");
    guest.get("/conversations?show=open").await.ok().hides(&path);
    browser.post(&path, &[]).await.is(403, "Please try again");
    company.archive(&open, true).await;
    browser.post(&path, &[("csrf", &token)]).await.is(409, "archived");
    browser.get("/conversations?show=open").await.shows("There is nothing to join");
    company.archive(&open, false).await;
    // a person who was removed may join an open conversation again
    company.add(&open, &me).await;
    company.remove(&open, &me).await;
    browser.post(&path, &[("csrf", &token)]).await.see_other();
    browser.get("/c/x/join").await.is(405, "Not possible here");
}

#[both_engines]
async fn a_search_by_name_shows_matching_groups_and_channels(server: Server) {
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
            // a channel that matches is shown with its group, which has its own form to join
            let is_shown = shown.contains(&id) || (query == "crim" && id == &blue);
            assert_eq!(page.text.contains(&format!("/c/{id}/join")), is_shown, "{query} {id}");
        }
    }
}
