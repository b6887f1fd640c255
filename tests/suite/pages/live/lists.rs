//! The live list of conversations in open windows (`/conversations/live` and `/c/{conversation}/live`): which windows
//! are sent unread counts and changes of conversations, and when.

use std::time::Duration;

use serde_json::json;

use switchboard::{
    config::DatabaseUrlSetting,
    domain::{
        ids::{ConversationId, MessageId},
        token::{self, TokenKind},
    },
    store::Engine,
};

use super::window::{Window, runs, unread};
use crate::{
    pages::colleague,
    support::{
        assistant::PASSWORD,
        browser::{Browser, Page},
        database::TestDatabase,
        *,
    },
};

#[both_engines]
async fn everybody_with_an_open_list_is_sent_the_count_of_a_busy_conversation(server: Server) {
    // From this number of people on, the server reads the newest messages of a conversation once for all of them. When
    // the second message is posted, fewer people have an open list.
    const PEOPLE: usize = 16;
    let company = server.company().await;
    let bob = company.person().await;
    let (mut members, mut browsers) = (vec![bob.clone()], Vec::new());
    for _ in 0..PEOPLE {
        let (id, browser) = colleague(&server, &company, json!({})).await;
        members.push(id);
        browsers.push(browser);
    }
    let group = company.group(&members.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let mut windows = Vec::new();
    for browser in &browsers {
        windows.push(Window::open(&server, browser, "/conversations/live", None).await);
    }
    for n in 1..=2 {
        company.post(&group, &bob, "for everybody").await;
        for window in &mut windows {
            assert_eq!(
                unread(&window.next("unread").await),
                (group.clone(), n),
                "every open list gets the count"
            );
        }
        windows.pop();
    }
}

/// Returns the cursor on a conversation's page. A window that sends the cursor gets the events after it.
fn cursor(page: &Page) -> &str {
    attribute(page, "data-cursor")
}

/// Returns the value of an attribute of a conversation's page.
fn attribute<'a>(page: &'a Page, name: &str) -> &'a str {
    let rest = page.text.split(&format!("{name}=\"")).nth(1).expect("a page of a conversation");
    rest.split('"').next().unwrap()
}

#[both_engines]
async fn a_window_is_notified_that_its_heading_changed_since_its_page_was_made(server: Server) {
    let company = server.company().await;
    let (ann, mut browser) = colleague(&server, &company, json!({})).await;
    let group = company.group(&[&ann]).await;
    let page_path = format!("/c/{group}");
    let stream = |page: &Page| {
        format!("{page_path}/live?after={}&state={}", cursor(page), attribute(page, "data-state"))
    };
    let unchanged = browser.get(&page_path).await;
    let mut window = Window::open(&server, &browser, &stream(&unchanged), None).await;
    company.post(&group, &ann, "nothing but a message").await;
    loop {
        let event = window.any().await.unwrap();
        assert_ne!(event.name, "renamed", "the heading of the group has not changed");
        if event.name == "message" {
            break;
        }
    }
    drop(window);
    let path = format!("/admin/v1/conversations/{group}");
    for change in [
        json!({"name": "Another name"}),
        json!({"topic": "Another topic"}),
        json!({"announcement_only": true}),
        json!({"is_archived": true}),
    ] {
        let page = browser.get(&page_path).await;
        company.operator.patch(&path).json(&change).ok(200).await;
        let mut window = Window::open(&server, &browser, &stream(&page), None).await;
        assert_eq!(window.next("renamed").await.data, group, "{change}");
    }
    // the window is notified of an old change too, even if nobody has posted since the change
    server.advance(Duration::from_secs(60 * 60)).await;
    let mut window = Window::open(&server, &browser, &stream(&unchanged), None).await;
    assert_eq!(window.next("renamed").await.data, group);
}

/// A signal, which notifies the nodes of a change, is lost if its connection breaks. So the server also checks the
/// stored conversations at intervals ([`CHECK`]). Here the test changes the conversations outside the server, so no
/// signal is sent.
#[both_engines]
async fn a_check_reports_changes_of_conversations_whose_signals_were_lost(server: Server) {
    let company = server.company().await;
    let (ann, browser) = colleague(&server, &company, json!({})).await;
    let group = company.group(&[&ann]).await;
    let other = company.group(&[&ann]).await;
    let mut window = Window::on(&server, &browser, &group).await;
    let [id, other_id] = [&group, &other].map(|text| ConversationId::parse(text).unwrap().1.0);
    // the first check only reads the name, and each later check compares it with the name that the previous check read
    for n in 0.. {
        assert!(n < 20, "one of 20 checks reports a change of the name");
        server.database.execute(&format!("UPDATE conversations SET name = 'Name {n}' WHERE id = {id}")).await;
        server.advance(CHECK).await;
        if let Ok(event) = tokio::time::timeout(Duration::from_secs(1), window.next("renamed")).await {
            assert_eq!(event.data, group);
            break;
        }
    }
    // the check has read the state of the other conversation too, so the next check reports its deletion
    server.database.execute(&format!("UPDATE conversations SET deleted_at = 1 WHERE id = {other_id}")).await;
    server.advance(CHECK).await;
    assert_eq!(window.next("renamed").await.data, other, "a check reports a deletion without a signal");
}

#[both_engines]
async fn a_window_is_sent_what_its_list_missed_since_its_page_was_made(server: Server) {
    let company = server.company().await;
    let (ann, mut browser) = colleague(&server, &company, json!({})).await;
    let bob = company.person().await;
    let [here, other, quiet] = [
        company.group(&[&ann, &bob]).await,
        company.group(&[&ann, &bob]).await,
        company.group(&[&ann, &bob]).await,
    ];
    company.post(&quiet, &bob, "long before").await;
    let unwanted = company.post(&other, &bob, "long before, and deleted meanwhile").await;
    server.advance(Duration::from_secs(60)).await;
    // nobody has a list open, so this node keeps no counts
    let page = browser.get(&format!("/c/{here}")).await;
    company.post(&other, &bob, "meanwhile").await;
    let path = format!("/c/{here}/live?after={}", cursor(&page));
    let mut window = Window::open(&server, &browser, &path, None).await;
    assert_eq!(unread(&window.next("unread").await), (other.clone(), 2));
    // The person closes the first window and opens another one. Until the node notices that the first window is closed,
    // the node still has the person's conversations in memory.
    let page = browser.get(&format!("/c/{here}")).await;
    drop(window);
    company.operator.delete(&format!("/admin/v1/messages/{unwanted}")).ok(200).await;
    let joined = company.group(&[&ann, &bob]).await;
    let path = format!("/c/{here}/live?after={}", cursor(&page));
    let mut window = Window::open(&server, &browser, &path, None).await;
    window.next("moved").await;
    while unread(&window.next("unread").await) != (other.clone(), 1) {}
    // the server does not count a conversation that has no changes
    company.post(&joined, &bob, "afterwards").await;
    loop {
        let (conversation, _) = unread(&window.next("unread").await);
        assert_ne!(conversation, quiet);
        if conversation == joined {
            break;
        }
    }
}

/// The interval at which the server compares an open list with the database, even if it got no signal of a change.
const CHECK: Duration = Duration::from_secs(15);

#[both_engines]
async fn a_message_without_a_signal_is_counted_by_a_check(server: Server) {
    let company = server.company().await;
    let (ann, browser) = colleague(&server, &company, json!({})).await;
    let bob = company.person().await;
    let group = company.group(&[&ann, &bob]).await;
    let mut window = Window::open(&server, &browser, "/conversations/live", None).await;
    let first = company.post(&group, &bob, "first").await;
    assert_eq!(unread(&window.next("unread").await), (group.clone(), 1));
    // inserts a message like a process that is killed before it sends a signal
    let (_, MessageId(first)) = MessageId::parse(&first).unwrap();
    let sql = format!(
        "INSERT INTO messages (workspace_id, conversation_id, id, sender_id, type, text, file_count, created_at)
        SELECT workspace_id, conversation_id, id + 1, sender_id, type, text, file_count, created_at
        FROM messages WHERE id = {first}"
    );
    server.database.execute(&sql).await;
    let checks = until(async || {
        server.clock.advance(CHECK);
        false
    });
    tokio::select! {
        event = window.next("unread") => assert_eq!(unread(&event), (group, 2)),
        () = checks => {}
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replaced_signal_connection_causes_no_counts_of_unchanged_conversations() {
    const GROUPS: usize = 5;
    let Some(database) = TestDatabase::new(Engine::Postgres).await else { return };
    let Some((proxy, DatabaseUrlSetting::Postgres(url))) = database.proxied().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let key = token::mint(TokenKind::Operator, &[9; 32]);
    let settings =
        [("SWITCHBOARD_METRICS_LISTEN", "127.0.0.1:0"), ("SWITCHBOARD_DATABASE_URL", url.expose())];
    let process = Process::start(folder.path(), &key, &settings);
    let company = Company::create(process.api(&key)).await;
    let ann = company.person_with(json!({"email": "ann@live.example", "password": PASSWORD})).await;
    let bob = company.person().await;
    let mut browser = Browser::at(&process.base);
    assert_eq!(browser.sign_in("ann@live.example", PASSWORD, "/").await.to(), "/");
    let mut groups = Vec::new();
    for _ in 0..GROUPS {
        groups.push(company.group(&[&ann, &bob]).await);
    }
    let mut window = Window::at(&process.base, &browser, "/conversations/live", None).await;
    for group in &groups {
        company.post(group, &bob, "before").await;
        while unread(&window.next("unread").await) != (group.clone(), 1) {}
    }
    let (read, counted) =
        (runs(&process, "find_followed_conversations").await, runs(&process, "count_unread").await);
    proxy.cut_open();
    until(async || runs(&process, "find_followed_conversations").await > read).await;
    // if the replacement of the connection causes counts, they run before the count of this message
    company.post(&groups[0], &bob, "afterwards").await;
    while unread(&window.next("unread").await) != (groups[0].clone(), 2) {}
    assert_eq!(runs(&process, "count_unread").await, counted + 1);
}
