//! Paging through the three lists of the bot API: people, conversations, and the messages of a conversation (B-306 …
//! B-322, B-324, B-325, B-373, D-101, D-104 … D-107, D-109). `pagination_changes` tests lists whose items change
//! between two pages.

use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use serde_json::{Value, json};

use crate::support::{ALL_SCOPES, Bot, Company, Server, both_engines, encoded, text, with_query};

/// A bot whose three lists (people, conversations, and the messages of `group`) have at least seven items each.
pub struct Lists {
    pub company: Company,
    pub bot: Bot,
    /// The group whose history is read.
    pub group: String,
    /// The person who has posted the messages of `group`.
    pub user: String,
}

/// For each list, the name of the response member that has the items.
pub const MEMBERS: [&str; 3] = ["users", "conversations", "messages"];

impl Lists {
    pub async fn new(server: &Server) -> Self {
        let company = server.company().await;
        let bot = company.bot(server).await;
        let user = company.person().await;
        let group = company.group(&[&user, &bot.user_id]).await;
        for n in 0..7 {
            company.person().await;
            company.group(&[&bot.user_id]).await;
            company.post(&group, &user, &format!("message {n}")).await;
        }
        Self { company, bot, group, user }
    }

    /// Returns the path of each list, and the name of the response member that has the items.
    pub fn all(&self) -> [(String, &'static str); 3] {
        let history = format!("/v1/conversations/{}/messages", self.group);
        [("/v1/users".into(), MEMBERS[0]), ("/v1/conversations".into(), MEMBERS[1]), (history, MEMBERS[2])]
    }
}

pub async fn page(bot: &Bot, path: &str) -> Value {
    bot.api.get(path).ok(200).await
}

pub fn ids(page: &Value, member: &str) -> Vec<String> {
    page[member].as_array().expect(member).iter().map(|item| text(item, "/id")).collect()
}

/// Reads a list to its end, and returns the ids of each page.
pub async fn walk(bot: &Bot, path: &str, member: &str, limit: usize) -> Vec<Vec<String>> {
    let mut pages = Vec::new();
    let mut next = with_query(path, &format!("limit={limit}"));
    loop {
        let page = page(bot, &next).await;
        pages.push(ids(&page, member));
        match &page["next_cursor"] {
            Value::Null => return pages,
            cursor => {
                let cursor = cursor.as_str().expect("next_cursor is a string or null (B-314)");
                next = with_query(path, &format!("limit={limit}&cursor={}", encoded(cursor)));
            }
        }
        assert!(pages.len() < 2_000, "the list ends within 2,000 pages");
    }
}

/// Returns the cursor after the first two items of a list.
pub async fn cursor(bot: &Bot, path: &str) -> String {
    text(&page(bot, &with_query(path, "limit=2")).await, "/next_cursor")
}

#[both_engines]
async fn the_pages_of_a_list_have_every_item_once_and_in_order(server: Server) {
    let lists = Lists::new(&server).await;
    // B-269, B-289: the rules also apply to the lists of conversations and of messages
    for (path, member) in lists.all() {
        // without a cursor a list begins with its first page (B-313)
        let whole = page(&lists.bot, &path).await;
        let all = ids(&whole, member);
        assert!(all.len() >= 7, "the list has at least seven items: {path}");
        assert_eq!(whole["next_cursor"], Value::Null, "the last page has a null cursor (B-314): {path}");
        assert!(
            whole.as_object().expect("a page").contains_key("next_cursor"),
            "next_cursor is never absent (B-314)"
        );
        for limit in 1..=all.len() + 1 {
            let pages = walk(&lists.bot, &path, member, limit).await;
            assert_eq!(pages.concat(), all, "each item is on one page, in order (B-315): {path} by {limit}");
            let sizes: Vec<_> = pages.iter().map(Vec::len).collect();
            let expected: Vec<_> = all.chunks(limit).map(<[String]>::len).collect();
            assert_eq!(
                sizes, expected,
                "no empty page follows a full last page (B-316, D-109): {path} by {limit}"
            );
        }
        // B-307: with `limit=1` a page has one item
        assert_eq!(ids(&page(&lists.bot, &with_query(&path, "limit=1")).await, member), all[..1]);
        let first = page(&lists.bot, &with_query(&path, "limit=1")).await;
        let mut members: Vec<_> = first.as_object().expect("a page").keys().map(String::as_str).collect();
        members.retain(|m| *m != member);
        assert_eq!(members, ["next_cursor", "ok"], "a page has no cursor for going back (B-324)");
        for ignored in ["offset=1", "page=2", "before=x", "prev_cursor=x", "after=x", "starting_after=x"] {
            assert_eq!(
                page(&lists.bot, &with_query(&path, ignored)).await,
                whole,
                "only the parameter `cursor` leads to another page (B-324): {ignored}"
            );
        }
        let cursor = cursor(&lists.bot, &path).await;
        for limit in ["", "&limit=1", "&limit=3", "&limit=1000"] {
            let next =
                page(&lists.bot, &with_query(&path, &format!("cursor={}{limit}", encoded(&cursor)))).await;
            let next = ids(&next, member);
            assert_eq!(next, all[2..2 + next.len()], "the limit may change between pages (B-322, D-106)");
            assert!(!next.is_empty());
        }
    }
}

#[both_engines]
async fn the_parameter_limit_must_be_a_positive_decimal_number(server: Server) {
    let lists = Lists::new(&server).await;
    // B-269, B-289: the rules also apply to the lists of conversations and of messages
    for (path, member) in lists.all() {
        let all = ids(&page(&lists.bot, &path).await, member);
        for limit in [
            "0",
            "00",
            "-1",
            "-0",
            "abc",
            "1.5",
            "1.0",
            "",
            "%205",
            "5%20",
            "1e2",
            "0x10",
            "+5",
            "%2B5",
            "1,000",
            "1_000",
            "%D9%A3",
            "%EF%BC%95",
            "null",
            "5;",
            "%00",
            "Infinity",
            "NaN",
        ] {
            // B-310, B-311, B-312, D-101: a limit is decimal digits with a value of at least 1
            lists
                .bot
                .api
                .get(&with_query(&path, &format!("limit={limit}")))
                .refused(400, "invalid_request")
                .await;
        }
        for limit in
            ["1000", "1001", "99999999999999999999", "18446744073709551616", "0001000", &"9".repeat(1000)]
        {
            // B-308, B-309: `limit` may be 1000 or any larger number
            assert_eq!(
                ids(&page(&lists.bot, &with_query(&path, &format!("limit={limit}"))).await, member),
                all
            );
        }
        for limit in ["2", "02", "0000000000000000000000000000000002"] {
            assert_eq!(
                ids(&page(&lists.bot, &with_query(&path, &format!("limit={limit}"))).await, member),
                all[..2]
            );
        }
    }
}

#[both_engines]
async fn an_empty_list_has_a_null_cursor(server: Server) {
    // B-317: an empty list is `[]` with a null cursor
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let empty = page(&bot, "/v1/conversations").await;
    assert_eq!(empty, json!({"ok": true, "conversations": [], "next_cursor": null}));
    let group = company.group(&[&bot.user_id]).await;
    // a new group already has messages: the system messages about its first members
    for message in company.messages(&group).await {
        company.operator.delete(&format!("/admin/v1/messages/{}", text(&message, "/id"))).ok(200).await;
    }
    let empty = page(&bot, &format!("/v1/conversations/{group}/messages")).await;
    assert_eq!(empty, json!({"ok": true, "messages": [], "next_cursor": null}));
}

#[both_engines]
async fn a_cursor_is_valid_only_for_its_list_filter_and_installation(server: Server) {
    let lists = Lists::new(&server).await;
    let (company, bot) = (&lists.company, &lists.bot);
    let refused = async |bot: &Bot, path: &str, cursor: &str| {
        let path = with_query(path, &format!("cursor={}", encoded(cursor)));
        bot.api.get(&path).refused(400, "invalid_cursor").await;
    };
    let mut cursors = Vec::new();
    for (path, _) in lists.all() {
        cursors.push((path.clone(), cursor(bot, &path).await));
    }
    // B-319: a cursor of one list is invalid for the two other lists
    for (path, own) in &cursors {
        page(bot, &with_query(path, &format!("cursor={}", encoded(own)))).await;
        for (_, other) in cursors.iter().filter(|(other, _)| other != path) {
            refused(bot, path, other).await;
        }
    }
    let [(_, users), (_, conversations), (_, history)] = cursors.try_into().expect("three");
    // B-320: a cursor of a history is invalid for the history of another conversation
    let group = company.group(&[&lists.user, &bot.user_id]).await;
    let channel = company.channel(&lists.group, &[&lists.user, &bot.user_id]).await;
    for id in [&group, &channel] {
        refused(bot, &format!("/v1/conversations/{id}/messages"), &history).await;
    }
    // B-320: a cursor is invalid for another installation: of another app in this company, or of this app in another
    // company
    let of_other_app = company.bot(&server).await;
    company.add(&lists.group, &of_other_app.user_id).await;
    let in_other_company = server.company().await.install(&bot.app, &ALL_SCOPES).await;
    for other in [&of_other_app, &in_other_company] {
        refused(other, "/v1/users", &users).await;
        refused(other, "/v1/conversations", &conversations).await;
    }
    refused(&of_other_app, &format!("/v1/conversations/{}/messages", lists.group), &history).await;
    // the cursor is valid with another token of the same installation
    let second_bot = company.install(&bot.app, &ALL_SCOPES).await;
    page(&second_bot, &with_query("/v1/users", &format!("cursor={}", encoded(&users)))).await;
    // B-320: a cursor is invalid with another filter; the list of private channels is empty, so it has no cursor
    for filter in ["types=channel", "types=private_channel", "include_archived=true"] {
        refused(bot, &format!("/v1/conversations?{filter}"), &conversations).await;
        let path = format!("/v1/conversations?{filter}");
        if filter != "types=private_channel" {
            let filtered = cursor(bot, &path).await;
            refused(bot, "/v1/conversations", &filtered).await;
            page(bot, &with_query(&path, &format!("cursor={}", encoded(&filtered)))).await;
        }
    }
    // these parameters select the same conversations as no filter: `types` without a known type is ignored (B-267)
    let path = "/v1/conversations?cursor=".to_owned() + &encoded(&conversations);
    for same in ["include_archived=false", "include_archived=0", "types=", "types=group"] {
        page(bot, &with_query(&path, same)).await;
    }
}

#[both_engines]
async fn cursors_do_not_expire(server: Server) {
    // B-325, D-107: a cursor is still valid after ten years
    let lists = Lists::new(&server).await;
    for (path, member) in lists.all() {
        let all = ids(&page(&lists.bot, &path).await, member);
        let cursor = cursor(&lists.bot, &path).await;
        server.advance(Duration::from_secs(10 * 365 * 24 * 3600)).await;
        let rest = page(&lists.bot, &with_query(&path, &format!("cursor={}", encoded(&cursor)))).await;
        assert_eq!(ids(&rest, member), all[2..]);
    }
}

#[tokio::test]
async fn malformed_cursors_are_refused() {
    // B-318, B-321: a malformed cursor gets an error, and not the first page
    let server = Server::sqlite().await;
    let lists = Lists::new(&server).await;
    for (path, member) in lists.all() {
        let good = cursor(&lists.bot, &path).await;
        let item = ids(&page(&lists.bot, &path).await, member)[0].clone();
        let mut bad: Vec<Vec<u8>> = [
            // D-104: an empty cursor
            "",
            "abc",
            "0",
            "null",
            "dGhpcyBpcyBub3QgYSBjdXJzb3I",
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "eyJpZCI6IDF9",
            &good[..good.len() - 1],
            &good[1..],
            &format!("{good}A"),
            &format!("{good}="),
            &format!(" {good}"),
            &format!("{good} "),
            &format!("{good}{good}"),
            &item,
            &"x".repeat(3_000),
            "\0",
            "😀",
        ]
        .iter()
        .map(|text| text.as_bytes().to_vec())
        .collect();
        bad.push(vec![0xff]);
        for at in 0..good.len() {
            for bit in [0, 1, 5] {
                let mut flipped = good.as_bytes().to_vec();
                flipped[at] ^= 1 << bit;
                bad.push(flipped);
            }
        }
        for cursor in bad {
            let value: String = url::form_urlencoded::byte_serialize(&cursor).collect();
            let path = with_query(&path, &format!("cursor={value}"));
            lists.bot.api.get(&path).refused(400, "invalid_cursor").await;
        }
        page(&lists.bot, &with_query(&path, &format!("cursor={}", encoded(&good)))).await;
    }
}

#[tokio::test]
async fn a_page_has_200_items_by_default_and_1000_at_most() {
    // B-306, B-308, B-309: each list has more than a thousand items
    let server = Server::sqlite().await;
    let lists = Lists::new(&server).await;
    let (company, bot) = (&lists.company, &lists.bot);
    stream::iter(0..1_000)
        .for_each_concurrent(32, async |n| {
            company.person().await;
            company.group(&[&bot.user_id]).await;
            company.post(&lists.group, &lists.user, &format!("more {n}")).await;
        })
        .await;
    for (path, member) in lists.all() {
        for (query, size) in [
            ("", 200),
            ("limit=200", 200),
            ("limit=999", 999),
            ("limit=1000", 1000),
            ("limit=1001", 1000),
            ("limit=99999999999999999999", 1000),
        ] {
            let page = page(bot, &with_query(&path, query)).await;
            assert_eq!(ids(&page, member).len(), size, "the page has {size} items: {path} {query}");
            assert!(page["next_cursor"].is_string(), "the page has a cursor: {path} {query}");
        }
        let mut all = walk(bot, &path, member, 1000).await.concat();
        let total = all.len();
        assert!(total > 1000);
        all.sort();
        all.dedup();
        assert_eq!(all.len(), total, "no item is on two pages (B-315): {path}");
    }
}
