//! `/conversations` and the sidebar: which conversations they show, in which order, and with how many unread messages.

use serde_json::json;

use switchboard::{
    domain::ids::{ConversationId, MessageId, UserId},
    store::{
        ReadOp, ReadSql,
        unread::{self as unread_rows, UnreadOf},
        windows,
    },
};

use crate::{
    pages::colleague,
    support::{browser::Page, *},
};

/// Returns the number of unread messages that a list shows for a conversation, as text. Returns an empty text if the
/// list shows no number, and `None` if the conversation is not in the list.
fn unread(page: &Page, conversation: &str) -> Option<String> {
    let main = page.text.split("<main").nth(1).expect("a main area");
    let item = main.split(&format!("data-conversation=\"{conversation}\"")).nth(1)?;
    let badge = item.split("class=\"unread\"").nth(1).expect("a badge");
    let number = badge.split('>').nth(1).unwrap().split('<').next().unwrap();
    assert_eq!(
        number.is_empty(),
        badge.starts_with(" role=\"img\" hidden"),
        "a badge is hidden exactly if it has no number"
    );
    Some(number.to_owned())
}

/// Returns the position, in the page's text, of the first occurrence of these words in the main area.
fn position_of(page: &Page, words: &str) -> usize {
    let main = page.text.find("<main").unwrap();
    main + page.text[main..].find(words).unwrap_or_else(|| panic!("{words} is not in {}", page.text))
}

#[both_engines]
async fn a_list_counts_unread_messages_of_others(server: Server) {
    let company = server.company().await;
    let (me, mut browser) = colleague(&server, &company, json!({})).await;
    let bob = company.person_with(json!({"name": "Bob"})).await;
    let group = company.group(&[&me, &bob]).await;
    let direct = company.direct(&me, &bob).await;
    let page = browser.get("/conversations").await;
    assert_eq!(unread(&page, &group).as_deref(), Some(""), "a new conversation has no unread messages");
    for words in ["one", "two", "three"] {
        company.post(&group, &bob, words).await;
    }
    company.post(&group, &me, "my own").await;
    company.post(&direct, &bob, "psst").await;
    let page = browser.get("/conversations").await;
    assert_eq!(unread(&page, &group).as_deref(), Some("3"), "own messages do not count as unread");
    assert_eq!(unread(&page, &direct).as_deref(), Some("1"));
    page.shows("aria-label=\"3 unread\"").shows(">Bob<");
}

#[both_engines]
async fn more_than_99_unread_messages_are_shown_as_99_plus(server: Server) {
    let company = server.company().await;
    let (me, mut browser) = colleague(&server, &company, json!({})).await;
    let bob = company.person().await;
    let group = company.group(&[&me, &bob]).await;
    for number in 0..99 {
        company.post(&group, &bob, &number.to_string()).await;
    }
    assert_eq!(unread(&browser.get("/conversations").await, &group).as_deref(), Some("99"));
    company.post(&group, &bob, "one more").await;
    assert_eq!(unread(&browser.get("/conversations").await, &group).as_deref(), Some("99+"));
}

#[both_engines]
async fn messages_before_the_join_are_not_unread(server: Server) {
    let company = server.company().await;
    let (me, mut browser) = colleague(&server, &company, json!({})).await;
    let bob = company.person().await;
    let group = company.group(&[&bob]).await;
    company.post(&group, &bob, "before").await;
    company.post(&group, &bob, "before, too").await;
    browser.get("/conversations").await.ok().hides(&format!("data-conversation=\"{group}\""));
    company.add(&group, &me).await;
    // the only unread message of the new member is the notice of the join
    assert_eq!(unread(&browser.get("/conversations").await, &group).as_deref(), Some("1"));
    company.remove(&group, &me).await;
    assert_eq!(unread(&browser.get("/conversations").await, &group), None);
}

#[both_engines]
async fn conversations_with_new_messages_come_first(server: Server) {
    let company = server.company().await;
    let (me, mut browser) = colleague(&server, &company, json!({})).await;
    let bob = company.person_with(json!({"name": "Bob Direct"})).await;
    let eve = company.person_with(json!({"name": "Eve Direct"})).await;
    let named = |name: &str| json!({"name": name, "member_ids": [me, bob]});
    let older = company.conversation(named("Older")).await;
    let newer = company.conversation(named("Newer")).await;
    let (one, _) = (company.direct(&me, &bob).await, company.direct(&me, &eve).await);
    let page = browser.get("/conversations").await;
    assert!(position_of(&page, "Newer") < position_of(&page, "Older"));
    assert!(position_of(&page, "Eve Direct") < position_of(&page, "Bob Direct"));
    company.post(&older, &bob, "hello").await;
    company.post(&one, &bob, "hello").await;
    let page = browser.get("/conversations").await;
    assert!(position_of(&page, "Older") < position_of(&page, "Newer"));
    assert!(position_of(&page, "Bob Direct") < position_of(&page, "Eve Direct"));
    // a message in a channel moves the channel's group to the top; the list shows the channel below its group
    let body = json!({"kind": "channel", "parent_id": newer, "name": "Lounge", "member_ids": [me, bob]});
    let channel = company.conversation(body).await;
    company.post(&channel, &bob, "hello").await;
    let page = browser.get("/conversations").await;
    assert!(
        position_of(&page, "Newer") < position_of(&page, "Lounge")
            && position_of(&page, "Lounge") < position_of(&page, "Older")
    );
    assert_eq!(unread(&page, &channel).as_deref(), Some("1"));
    assert_eq!(unread(&page, &newer).as_deref(), Some(""));
}

#[both_engines]
async fn a_list_is_filtered_by_names_and_topics(server: Server) {
    let company = server.company().await;
    let (me, mut browser) = colleague(&server, &company, json!({})).await;
    let zoe = company.person_with(json!({"name": "Zoë Émile"})).await;
    let topic = json!({"name": "Ops", "topic": "Deploys and releases", "member_ids": [me]});
    let ops = company.conversation(topic).await;
    let channel = json!({"kind": "channel", "parent_id": ops, "name": "Night watch", "member_ids": [me]});
    let channel = company.conversation(channel).await;
    let direct = company.direct(&me, &zoe).await;
    for (query, found) in [
        ("zoe", vec![&direct]),
        ("emil", vec![&direct]),
        ("rele", vec![&ops]),
        ("night", vec![&ops, &channel]),
        ("ops", vec![&ops, &channel]),
        ("ops%20night", vec![&ops, &channel]),
        ("nothing", vec![]),
    ] {
        let page = browser.get(&format!("/conversations?q={query}")).await;
        for id in [&ops, &channel, &direct] {
            assert_eq!(unread(&page, id).is_some(), found.contains(&id), "{query}: {}", page.text);
        }
    }
    browser.get("/conversations?q=nothing").await.shows("No conversation matches");
    let long = "x".repeat(201);
    for show in ["", "&show=open", "&show=archived"] {
        let page = browser.get(&format!("/conversations?q={long}{show}")).await;
        page.is(422, "too long").is(422, &long).hides("matches");
    }
    browser.get("/conversations?show=other").await.is(404, "Page not found");
    browser.get("/conversations?cursor=wrong").await.is(400, "did not work");
}

#[both_engines]
async fn archived_conversations_are_listed_separately_and_deleted_ones_never(server: Server) {
    let company = server.company().await;
    let (me, mut browser) = colleague(&server, &company, json!({})).await;
    let (kept, archived, deleted) =
        (company.group(&[&me]).await, company.group(&[&me]).await, company.group(&[&me]).await);
    let channel = company.channel(&archived, &[&me]).await;
    company.archive(&archived, true).await;
    company.delete_conversation(&deleted).await;
    let page = browser.get("/conversations").await;
    page.shows("href=\"/conversations?show=archived\"");
    for (id, is_listed) in [(&kept, true), (&archived, false), (&channel, false), (&deleted, false)] {
        assert_eq!(unread(&page, id).is_some(), is_listed);
    }
    let page = browser.get("/conversations?show=archived").await;
    for (id, is_listed) in [(&kept, false), (&archived, true), (&channel, true), (&deleted, false)] {
        assert_eq!(unread(&page, id).is_some(), is_listed);
    }
}

#[both_engines]
async fn guests_and_newcomers_see_their_own_conversations(server: Server) {
    let company = server.company().await;
    let bob = company.person_with(json!({"name": "Bob"})).await;
    let (joined, other) = (company.group(&[&bob]).await, company.group(&[&bob]).await);
    for fields in [
        json!({"is_external": true}),
        json!({"is_external": true, "guest_visible": false}),
        json!({"state": "onboarding"}),
    ] {
        let is_guest = fields["is_external"] == true;
        let (me, mut browser) = colleague(&server, &company, fields).await;
        company.add(&joined, &me).await;
        company.post(&joined, &bob, "welcome").await;
        let page = browser.get("/conversations").await;
        assert_eq!(
            unread(&page, &joined).as_deref(),
            Some("2"),
            "the notice of the join and the message are unread"
        );
        assert_eq!(unread(&page, &other), None);
        let may_join = page.text.contains(&format!("/c/{other}/join"));
        assert_eq!(may_join, !is_guest, "employees may join the open group, and guests may not");
    }
}

#[both_engines]
async fn a_long_list_has_pages(server: Server) {
    let company = server.company().await;
    let (me, mut browser) = colleague(&server, &company, json!({})).await;
    let mut all = Vec::new();
    for _ in 0..130 {
        all.push(company.group(&[&me]).await);
    }
    let first = browser.get("/conversations").await;
    let next = first.text.split("href=\"").find(|link| link.contains("cursor=")).expect("a next page");
    let next = browser::unescape(next.split('"').next().unwrap());
    let second = browser.get(&next).await;
    second.shows("First page").hides("Next page");
    for (at, id) in all.iter().enumerate() {
        assert_eq!(unread(&first, id).is_some(), at >= 30, "{at}");
        assert_eq!(unread(&second, id).is_some(), at < 30, "{at}");
    }
    // the sidebar shows at most 60 conversations
    let side = first.text.split("<main").next().unwrap();
    assert_eq!(side.matches("data-conversation=").count(), 60);
}

/// Runs migration 0017, and records the current time as the time at which it was applied. The first call marks the
/// existing messages as read, as an upgrade from a version without the migration does. A later call marks no further
/// messages.
async fn migrate_again(server: &Server) {
    let migration = match server.database.text().starts_with("sqlite") {
        true => include_str!("../../../../migrations/sqlite/0017_read_since.sql"),
        false => include_str!("../../../../migrations/postgres/0017_read_since.sql"),
    };
    server.database.execute(migration).await;
    let migrated = server.clock.now().to_rfc3339().replace('T', " ").replace('Z', "+00:00");
    let record = format!("UPDATE _sqlx_migrations SET installed_on = '{migrated}' WHERE version = 17");
    server.database.execute(&record).await;
}

/// A message that is sent after the migration is unread. This holds even if another conversation has a message whose id
/// is years ahead because of a wrong clock.
#[both_engines]
async fn an_id_of_a_wrong_clock_before_an_upgrade_hides_no_later_message(server: Server) {
    let company = server.company().await;
    let (me, mut browser) = colleague(&server, &company, json!({})).await;
    let bob = company.person().await;
    let group = company.group(&[&me, &bob]).await;
    company.post(&group, &bob, "before").await;
    let other = company.group(&[&bob]).await;
    let stray = MessageId::parse(&company.post(&other, &bob, "of a wrong clock").await).unwrap().1.0;
    let years_ahead = (4_000_000_000_000_i64) << 21;
    server.database.execute(&format!("UPDATE messages SET id = {years_ahead} WHERE id = {stray}")).await;
    migrate_again(&server).await;
    assert_eq!(unread(&browser.get("/conversations").await, &group).as_deref(), Some(""));
    server.advance(std::time::Duration::from_secs(60)).await;
    company.post(&group, &bob, "after").await;
    assert_eq!(unread(&browser.get("/conversations").await, &group).as_deref(), Some("1"));
}

#[both_engines]
async fn messages_from_before_an_upgrade_are_read(server: Server) {
    let company = server.company().await;
    let (me, mut browser) = colleague(&server, &company, json!({})).await;
    let bob = company.person().await;
    let group = company.group(&[&me, &bob]).await;
    for number in 0..3 {
        company.post(&group, &bob, &number.to_string()).await;
    }
    assert_eq!(unread(&browser.get("/conversations").await, &group).as_deref(), Some("3"));
    migrate_again(&server).await;
    assert_eq!(unread(&browser.get("/conversations").await, &group).as_deref(), Some(""));
    company.post(&group, &bob, "after").await;
    // a migration that was interrupted runs again
    migrate_again(&server).await;
    assert_eq!(unread(&browser.get("/conversations").await, &group).as_deref(), Some("1"));
    // a person joins after the migration; messages from before the join do not count as unread for this person
    let (late, mut browser_of_late) = colleague(&server, &company, json!({})).await;
    company.add(&group, &late).await;
    company.post(&group, &bob, "welcome").await;
    // the two unread messages are the notice of the join and the message
    assert_eq!(unread(&browser_of_late.get("/conversations").await, &group).as_deref(), Some("2"));
}

struct CountUnread(Vec<UnreadOf>);

impl ReadOp for CountUnread {
    const NAME: &'static str = "count_unread_in_a_test";
    type Out = Vec<(UserId, ConversationId, i64)>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> switchboard::store::Result<Self::Out> {
        unread_rows::counts(c, &self.0).await
    }
}

/// If many members are counted together, the messages of the conversation are read once for all of them.
#[both_engines]
async fn unread_counts_do_not_depend_on_how_many_members_are_counted_together(server: Server) {
    let company = server.company().await;
    let mut people = Vec::new();
    for _ in 0..20 {
        people.push(company.person().await);
    }
    let members: Vec<&str> = people.iter().map(String::as_str).collect();
    let group = company.group(&members).await;
    let mut sent = Vec::new();
    for number in 0..110 {
        let id = company.post(&group, &people[number % 3], &number.to_string()).await;
        sent.push(MessageId::parse(&id).unwrap().1);
    }
    let (_, conversation) = ConversationId::parse(&group).unwrap();
    let of = |(number, id): (usize, &String)| {
        // each person has read nothing, everything, or some of the messages
        let mark = match number % 4 {
            0 => MessageId(0),
            1 => sent[109],
            2 => sent[60],
            _ => sent[5],
        };
        UnreadOf { user: UserId::parse(id).unwrap(), conversation, mark }
    };
    let wanted: Vec<UnreadOf> = people.iter().enumerate().map(of).collect();
    let db = &server.running().world().db;
    let together = db.read(CountUnread(wanted.clone())).await.unwrap();
    assert_eq!(together.len(), people.len());
    for one in wanted {
        let alone = db.read(CountUnread(vec![one])).await.unwrap();
        assert!(
            together.contains(&alone[0]),
            "a member counted alone has the same count: {alone:?} {together:?}"
        );
    }
    let number = |at: usize| {
        let user = UserId::parse(&people[at]).unwrap();
        together.iter().find(|(id, ..)| *id == user).unwrap().2
    };
    assert_eq!(
        [number(4), number(5), number(6), number(7)],
        [100, 0, 49, 100],
        "unread messages are counted to 100"
    );
}

/// Reads the conversations whose new messages an open list of this user shows. The number is the maximum number of the
/// user's conversations to read.
struct FindFollowedConversations(UserId, i64);

impl ReadOp for FindFollowedConversations {
    const NAME: &'static str = "find_followed_conversations_in_a_test";
    type Out = Vec<ConversationId>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> switchboard::store::Result<Self::Out> {
        let followed = windows::followed_conversations(c, self.0, self.1).await?;
        Ok(followed.into_iter().map(|followed| followed.conversation_id).collect())
    }
}

#[both_engines]
async fn a_list_follows_the_newest_conversations_without_deleted_ones(server: Server) {
    let company = server.company().await;
    let ada = company.person().await;
    let user = UserId::parse(&ada).unwrap();
    let mut groups = Vec::new();
    for _ in 0..4 {
        groups.push(company.group(&[&ada]).await);
    }
    company.delete_conversation(&groups[2]).await;
    let followed = async |limit| {
        let found = server.running().world().db.read(FindFollowedConversations(user, limit)).await.unwrap();
        let mut found: Vec<_> = found
            .into_iter()
            .map(|id| groups.iter().position(|group| ConversationId::parse(group).unwrap().1 == id))
            .collect();
        found.sort_unstable();
        found
    };
    assert_eq!(followed(10).await, [Some(0), Some(1), Some(3)]);
    assert_eq!(followed(2).await, [Some(3)], "a deleted conversation counts towards the limit");
}
