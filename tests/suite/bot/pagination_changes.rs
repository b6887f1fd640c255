//! Paging through a list whose items change between the requests for two pages. B-323, D-108.

use serde_json::json;

use crate::{
    bot::pagination::{Lists, ids, page},
    support::{Server, both_engines, encoded, text, with_query},
};

/// Returns the path of the page after `page`.
fn next(path: &str, page: &serde_json::Value) -> String {
    with_query(path, &format!("limit=2&cursor={}", encoded(&text(page, "/next_cursor"))))
}

#[both_engines]
async fn messages_posted_and_deleted_between_pages_cause_neither_duplicates_nor_gaps(server: Server) {
    let lists = Lists::new(&server).await;
    let (company, bot) = (&lists.company, &lists.bot);
    let [_, _, (path, member)] = lists.all();
    let all = ids(&page(bot, &path).await, member);
    let first = page(bot, &with_query(&path, "limit=2")).await;
    assert_eq!(ids(&first, member), all[..2]);
    // a new message is newer than all messages of the remaining pages, so the remaining pages do not contain it
    let new = company.post(&lists.group, &lists.user, "new").await;
    // delete the last message of the first page, and a message of the second page
    for deleted in [&all[1], &all[3]] {
        company.operator.delete(&format!("/admin/v1/messages/{deleted}")).ok(200).await;
    }
    let second = page(bot, &next(&path, &first)).await;
    assert_eq!(
        ids(&second, member),
        [&*all[2], &all[4]],
        "changes cause neither duplicates nor gaps (B-323)"
    );
    let mut rest = Vec::new();
    let mut last = second;
    while last["next_cursor"].is_string() {
        company.post(&lists.group, &lists.user, "newer").await;
        last = page(bot, &next(&path, &last)).await;
        rest.extend(ids(&last, member));
    }
    assert_eq!(rest, all[5..], "changes cause neither duplicates nor gaps (B-323)");
    assert!(!rest.contains(&new));
}

#[both_engines]
async fn conversations_left_and_joined_between_pages_cause_neither_duplicates_nor_gaps(server: Server) {
    let lists = Lists::new(&server).await;
    let (company, bot) = (&lists.company, &lists.bot);
    let [_, (path, member), _] = lists.all();
    let all = ids(&page(bot, &path).await, member);
    let first = page(bot, &with_query(&path, "limit=2")).await;
    // remove the last conversation of the first page, and the next two conversations, from the bot's list
    company.remove(&all[1], &bot.user_id).await;
    company.delete_conversation(&all[2]).await;
    company.update_conversation(&all[3], json!({"is_archived": true})).await;
    let new = company.group(&[&bot.user_id]).await;
    let second = page(bot, &next(&path, &first)).await;
    assert_eq!(ids(&second, member), all[4..6], "changes cause neither duplicates nor gaps (B-323)");
    // a conversation that the bot joins again keeps its position, which is before the cursor
    company.add(&all[1], &bot.user_id).await;
    let mut rest = Vec::new();
    let mut last = second;
    while last["next_cursor"].is_string() {
        last = page(bot, &next(&path, &last)).await;
        rest.extend(ids(&last, member));
    }
    assert_eq!(rest, [&all[6..], &[new]].concat(), "changes cause neither duplicates nor gaps (B-323)");
}

#[both_engines]
async fn people_hidden_and_added_between_pages_cause_neither_duplicates_nor_gaps(server: Server) {
    let lists = Lists::new(&server).await;
    let (company, bot) = (&lists.company, &lists.bot);
    let [(path, member), _, _] = lists.all();
    let all = ids(&page(bot, &path).await, member);
    let first = page(bot, &with_query(&path, "limit=2")).await;
    let hidden = json!({"is_external": true, "guest_visible": false});
    for hidden_user in [&all[1], &all[2]] {
        company.update_user(hidden_user, hidden.clone()).await;
    }
    // a changed state or name does not change a person's position in the list
    company.set_state(&all[3], "removed").await;
    company.update_user(&all[0], json!({"name": "Zoe"})).await;
    let new = company.person().await;
    let second = page(bot, &next(&path, &first)).await;
    assert_eq!(ids(&second, member), all[3..5], "changes cause neither duplicates nor gaps (B-323)");
    // a person who becomes visible again keeps their position, which is before the cursor
    company.update_user(&all[1], json!({"guest_visible": true})).await;
    let mut rest = Vec::new();
    let mut last = second;
    while last["next_cursor"].is_string() {
        last = page(bot, &next(&path, &last)).await;
        rest.extend(ids(&last, member));
    }
    assert_eq!(rest, [&all[5..], &[new]].concat(), "changes cause neither duplicates nor gaps (B-323)");
}

#[both_engines]
async fn the_next_page_is_empty_if_the_bot_has_left_all_remaining_conversations(server: Server) {
    let lists = Lists::new(&server).await;
    let (company, bot) = (&lists.company, &lists.bot);
    let [_, (path, member), _] = lists.all();
    let all = ids(&page(bot, &path).await, member);
    let first = page(bot, &with_query(&path, "limit=2")).await;
    for id in &all[2..] {
        company.remove(id, &bot.user_id).await;
    }
    let last = page(bot, &next(&path, &first)).await;
    assert_eq!(last, json!({"ok": true, "conversations": [], "next_cursor": null}));
}
