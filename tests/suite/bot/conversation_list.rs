//! The list of a bot's conversations and its two filters. B-257 … B-269.

use serde_json::{Value, json};

use crate::support::{Bot, Company, Server, both_engines, text, to_user};

/// Returns the ids of the conversations on the page that a query returns.
async fn ids(bot: &Bot, query: &str) -> Vec<String> {
    let page = bot.api.get(&format!("/v1/conversations{query}")).ok(200).await;
    page["conversations"].as_array().expect("conversations").iter().map(|c| text(c, "/id")).collect()
}

async fn set(company: &Company, id: &str, members: Value) {
    company.update_conversation(id, members).await;
}

#[both_engines]
async fn the_list_has_exactly_the_bots_groups_and_channels(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let other = company.bot(&server).await;
    // without conversations the list is empty (B-257, B-317)
    let page = bot.api.get("/v1/conversations").ok(200).await;
    assert_eq!(page, json!({"ok": true, "conversations": [], "next_cursor": null}));

    let group = company.group(&[&bot.user_id, &company.admin]).await;
    let channel = company.channel(&group, &[&bot.user_id]).await;
    // not listed: a group of another bot, a channel without the bot, and a group of the app's bot in another company
    company.group(&[&company.admin, &other.user_id]).await;
    company.channel(&group, &[&company.admin]).await;
    let elsewhere = server.company().await;
    let second_bot = elsewhere.install(&bot.app, &crate::support::ALL_SCOPES).await;
    elsewhere.group(&[&second_bot.user_id]).await;
    // direct conversations are not listed (B-259)
    bot.send(&to_user(&company.admin, "hello")).await;
    // conversations that the bot was removed from are not listed (B-260)
    let left = company.group(&[&bot.user_id]).await;
    company.remove(&left, &bot.user_id).await;
    // deleted conversations are not listed
    let deleted = company.group(&[&bot.user_id]).await;
    company.delete_conversation(&deleted).await;
    // B-258, D-110: the list has exactly the bot's groups and channels, in the order of creation
    assert_eq!(ids(&bot, "").await, [&*group, &channel]);

    company.add(&left, &bot.user_id).await;
    assert_eq!(
        ids(&bot, "").await,
        [&*group, &channel, &left],
        "conversations are listed in the order of their creation (D-110)"
    );
    company.remove(&group, &bot.user_id).await;
    assert_eq!(
        ids(&bot, "").await,
        [&*left],
        "a bot that leaves a group leaves the group's channels (D-120)"
    );
    company.add(&channel, &bot.user_id).await;
    assert_eq!(
        ids(&bot, "").await,
        [&*group, &channel, &left],
        "a bot that joins a channel joins the channel's group (D-121)"
    );
}

#[both_engines]
async fn archived_conversations_are_listed_on_request(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let open = company.group(&[&bot.user_id]).await;
    let group = company.group(&[&bot.user_id]).await;
    let channel = company.channel(&group, &[&bot.user_id]).await;
    set(&company, &group, json!({"is_archived": true})).await;
    for query in ["", "?include_archived=false", "?include_archived=0"] {
        assert_eq!(
            ids(&bot, query).await,
            [&*open],
            "archived conversations are not listed unless the request asks for them (B-261, B-263): {query}"
        );
    }
    for query in ["?include_archived=true", "?include_archived=1"] {
        assert_eq!(
            ids(&bot, query).await,
            [&*open, &group, &channel],
            "archived conversations are listed on request (B-262, B-263): {query}"
        );
    }
    let page = bot.api.get("/v1/conversations?include_archived=1").ok(200).await;
    let archived: Vec<_> =
        page["conversations"].as_array().expect("a list").iter().map(|c| &c["is_archived"]).collect();
    assert_eq!(
        archived,
        [&json!(false), &json!(true), &json!(true)],
        "`is_archived` is true for archived conversations only (B-262)"
    );
    // other values are invalid (B-263, D-112)
    for value in ["yes", "no", "TRUE", "True", "2", "-1", "", "null", "true,false", "%20true", "01"] {
        let path = format!("/v1/conversations?include_archived={value}");
        bot.api.get(&path).refused(400, "invalid_request").await;
    }
    set(&company, &group, json!({"is_archived": false})).await;
    assert_eq!(ids(&bot, "").await, [&*open, &group, &channel]);
}

#[both_engines]
async fn types_filter_the_list(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let public = company.conversation(json!({"type": "channel", "member_ids": [bot.user_id]})).await;
    let private = company.conversation(json!({"type": "private_channel", "member_ids": [bot.user_id]})).await;
    let in_public = company.channel(&public, &[&bot.user_id]).await;
    let in_private = company.channel(&private, &[&bot.user_id]).await;
    let all = [&*public, &private, &in_public, &in_private];
    for (query, expected) in [
        // without the parameter, every type (B-265)
        ("", &all[..]),
        // only the types that the parameter lists (B-264)
        ("?types=channel", &[&*public, &in_public]),
        ("?types=private_channel", &[&*private, &in_private]),
        ("?types=channel,private_channel", &all),
        ("?types=private_channel,channel", &all),
        ("?types=channel%2Cprivate_channel", &all),
        ("?types=channel,channel", &[&*public, &in_public]),
        // unknown types are ignored (B-266)
        ("?types=group,channel", &[&*public, &in_public]),
        ("?types=channel,group", &[&*public, &in_public]),
        ("?types=dm,group,private_channel,x", &[&*private, &in_private]),
        ("?types=,channel,", &[&*public, &in_public]),
        // only unknown types: no filter (B-267, D-113)
        ("?types=group", &all),
        ("?types=group,im,mpim", &all),
        ("?types=Channel", &all),
        // no types: no filter (D-114)
        ("?types=", &all),
        ("?types=,", &all),
    ] {
        assert_eq!(ids(&bot, query).await, expected, "`types` filters the list (B-264 … B-267): {query}");
    }
    // B-107: if the type of a group changes, its channels have the new type at once
    set(&company, &public, json!({"type": "private_channel"})).await;
    assert_eq!(ids(&bot, "?types=channel").await, [""; 0]);
    assert_eq!(ids(&bot, "?types=private_channel").await, all);
}

#[both_engines]
async fn both_filters_apply_together(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let mut groups = Vec::new();
    for (kind, archived) in
        [("channel", false), ("channel", true), ("private_channel", false), ("private_channel", true)]
    {
        let id = company.conversation(json!({"type": kind, "member_ids": [bot.user_id]})).await;
        set(&company, &id, json!({"is_archived": archived})).await;
        groups.push(id);
    }
    let [public, archived_public, private, archived_private] = groups.try_into().expect("four");
    assert_eq!(ids(&bot, "?types=channel").await, [&*public]);
    assert_eq!(ids(&bot, "?types=channel&include_archived=1").await, [&*public, &archived_public]);
    assert_eq!(ids(&bot, "?include_archived=1&types=private_channel").await, [&*private, &archived_private]);
    assert_eq!(ids(&bot, "?types=group&include_archived=0").await, [&*public, &private]);
}

#[both_engines]
async fn announcement_only_conversations_are_not_listed(server: Server) {
    // B-268, D-115: an announcement-only conversation is not listed, whatever the filters
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let group = company.group(&[&bot.user_id]).await;
    let channel = company.channel(&group, &[&bot.user_id]).await;
    set(&company, &channel, json!({"announcement_only": true})).await;
    assert_eq!(ids(&bot, "").await, [&*group]);
    assert_eq!(ids(&bot, "?include_archived=true&types=channel").await, [&*group]);
    set(&company, &group, json!({"announcement_only": true})).await;
    set(&company, &channel, json!({"announcement_only": false})).await;
    assert_eq!(ids(&bot, "").await, [&*channel]);
}

#[both_engines]
async fn the_next_page_begins_at_the_cursor(server: Server) {
    // B-269: the list has pages; the module `pagination` tests the rules of pages
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let first = company.group(&[&bot.user_id]).await;
    let second = company.group(&[&bot.user_id]).await;
    let page = bot.api.get("/v1/conversations?limit=1").ok(200).await;
    assert_eq!(page["conversations"][0]["id"], first.as_str());
    let cursor = text(&page, "/next_cursor");
    assert_eq!(ids(&bot, &format!("?limit=1&cursor={cursor}")).await, [&*second]);
}
