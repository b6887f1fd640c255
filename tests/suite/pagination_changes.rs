//! Walking a list that changes meanwhile. B-323, D-108.

use serde_json::json;

use crate::{
    on_both,
    pagination::{Lists, ids, page},
    support::{Server, encoded, text, with_query},
};

/// The path of the next page.
fn next(path: &str, page: &serde_json::Value) -> String {
    with_query(path, &format!("limit=2&cursor={}", encoded(&text(page, "/next_cursor"))))
}

on_both! {
    async fn messages_come_and_go(server: Server) {
        let lists = Lists::new(&server).await;
        let (company, bot) = (&lists.company, &lists.bot);
        let [_, _, (path, member)] = lists.all();
        let all = ids(&page(bot, &path).await, member);
        let first = page(bot, &with_query(&path, "limit=2")).await;
        assert_eq!(ids(&first, member), all[..2]);
        // new ones are newer than everything still to come
        let new = company.post(&lists.group, &lists.user, "new").await;
        // one that was seen, the very one the page ended with, and one that was not seen yet
        for gone in [&all[1], &all[3]] {
            company.operator.delete(&format!("/admin/v1/messages/{gone}")).ok(200).await;
        }
        let second = page(bot, &next(&path, &first)).await;
        assert_eq!(ids(&second, member), [&*all[2], &all[4]], "B-323");
        let mut rest = Vec::new();
        let mut last = second;
        while last["next_cursor"].is_string() {
            company.post(&lists.group, &lists.user, "newer").await;
            last = page(bot, &next(&path, &last)).await;
            rest.extend(ids(&last, member));
        }
        assert_eq!(rest, all[5..], "B-323");
        assert!(!rest.contains(&new));
    }

    async fn conversations_come_and_go(server: Server) {
        let lists = Lists::new(&server).await;
        let (company, bot) = (&lists.company, &lists.bot);
        let [_, (path, member), _] = lists.all();
        let all = ids(&page(bot, &path).await, member);
        let first = page(bot, &with_query(&path, "limit=2")).await;
        // the one the page ended with, and the next one
        company.remove(&all[1], &bot.user_id).await;
        company.delete_conversation(&all[2]).await;
        company.update_conversation(&all[3], json!({"is_archived": true})).await;
        let new = company.group(&[&bot.user_id]).await;
        let second = page(bot, &next(&path, &first)).await;
        assert_eq!(ids(&second, member), all[4..6], "B-323");
        // one that was left comes back behind the walk, where it has been
        company.add(&all[1], &bot.user_id).await;
        let mut rest = Vec::new();
        let mut last = second;
        while last["next_cursor"].is_string() {
            last = page(bot, &next(&path, &last)).await;
            rest.extend(ids(&last, member));
        }
        assert_eq!(rest, [&all[6..], &[new]].concat(), "B-323");
    }

    async fn people_come_and_go(server: Server) {
        let lists = Lists::new(&server).await;
        let (company, bot) = (&lists.company, &lists.bot);
        let [(path, member), _, _] = lists.all();
        let all = ids(&page(bot, &path).await, member);
        let first = page(bot, &with_query(&path, "limit=2")).await;
        let hidden = json!({"is_external": true, "guest_visible": false});
        for gone in [&all[1], &all[2]] {
            company.update_user(gone, hidden.clone()).await;
        }
        // a change of state or name is no change of place
        company.set_state(&all[3], "removed").await;
        company.update_user(&all[0], json!({"name": "Zoe"})).await;
        let new = company.person().await;
        let second = page(bot, &next(&path, &first)).await;
        assert_eq!(ids(&second, member), all[3..5], "B-323");
        company.update_user(&all[1], json!({"guest_visible": true})).await;
        let mut rest = Vec::new();
        let mut last = second;
        while last["next_cursor"].is_string() {
            last = page(bot, &next(&path, &last)).await;
            rest.extend(ids(&last, member));
        }
        assert_eq!(rest, [&all[5..], &[new]].concat(), "B-323");
    }

    async fn everything_after_the_cursor_goes(server: Server) {
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
}
