//! On PostgreSQL, a change that is made through one node appears in the event streams that another node serves. A
//! [`Window`] stands for a browser window with an open event stream.

use serde_json::json;

use super::window::{Window, unread};
use crate::{
    pages::colleague,
    support::{tcp_proxy::TcpProxy, wait::GUARD, *},
};

/// These bytes are in every `NOTIFY` that signals new messages, edits or deletions. They are in no other statement.
const SIGNAL: &[u8] = b"\"changed\"";

/// Returns a copy of the bot that sends its requests to `node`.
fn through(bot: &Bot, node: &Server) -> Bot {
    Bot { api: Api { base: node.base.clone(), ..bot.api.clone() }, ..bot.clone() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_window_shows_what_happens_on_another_node() {
    let Some(here) = Server::postgres().await else { return };
    let there = here.another_node_with(here.clock.clone(), |_| {}).await.unwrap();
    let company = here.company().await;
    let bot = company.bot(&here).await;
    let far = through(&bot, &there);
    let (ann, browser) = colleague(&here, &company, json!({})).await;
    let group = company.group(&[&ann, &bot.user_id]).await;
    let mut window = Window::on(&here, &browser, &group).await;
    let mut list = Window::open(&here, &browser, "/conversations/live", None).await;
    // the clock does not move, so the periodic check (`feed::CHECK`) does not run, and only signals cause these events
    for n in 1..=20 {
        let sent = text(&far.send(&to_conversation(&group, "from afar")).await, "/id");
        assert!(window.next("message").await.data.contains(&sent));
        while unread(&list.next("unread").await) != (group.clone(), n) {}
    }
    let company_there =
        Company { operator: Api { base: there.base.clone(), ..company.operator.clone() }, ..company.clone() };
    company_there.remove(&group, &ann).await;
    far.send(&to_conversation(&group, "unseen")).await;
    assert_eq!(window.ended().await, [], "the stream of a removed member ends without the later message");
    list.next("moved").await;
    // a rename and a deactivation on the other node reach the list as well
    let other = company.group(&[&ann]).await;
    list.next("moved").await;
    company_there.update_conversation(&other, json!({"name": "New"})).await;
    assert_eq!(list.next("renamed").await.data, other);
    company_there.set_state(&ann, "deactivated").await;
    assert_eq!(list.ended().await, []);
    there.stop().await;
}

/// A node replaces database connections that are cut, and connections that stay open but receive nothing any more. Its
/// streams contain the messages that were sent in the meantime, once and in order. While the node cannot confirm the
/// rights of a window's person, it may end the window's stream. The window then connects again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_window_misses_nothing_when_its_node_loses_the_database() {
    let Some(there) = Server::postgres().await else { return };
    let Some((proxy, url)) = there.database.proxied().await else { return };
    let here = there.another_node_with(there.clock.clone(), |config| {
        config.database.url = url;
        config.database.statement_timeout_seconds = 2;
    });
    let here = here.await.unwrap();
    let company = there.company().await;
    let bot = company.bot(&there).await;
    let (ann, browser) = colleague(&here, &company, json!({})).await;
    let group = company.group(&[&ann, &bot.user_id]).await;
    let path = format!("/c/{group}/live");
    let mut window = Window::open(&here, &browser, &path, None).await;
    bot.send(&to_conversation(&group, "before")).await;
    let mut last = window.next("message").await.id;
    for lose in [TcpProxy::cut_open, TcpProxy::discard_open] {
        lose(&proxy);
        for _ in 0..3 {
            let sent = text(&bot.send(&to_conversation(&group, "meanwhile")).await, "/id");
            let looking = async {
                loop {
                    match window.any().await {
                        Some(event) if event.name == "message" => return event,
                        Some(_) => {}
                        // the stream ended
                        None => {
                            until(async || Window::status(&here, &browser, &path).await == 200).await;
                            window = Window::open(&here, &browser, &path, Some(&last)).await;
                        }
                    }
                }
            };
            let event = tokio::time::timeout(GUARD, looking).await.expect("the message arrives");
            assert!(event.data.contains(&sent), "the stream repeats no message and omits none");
            last = event.id;
        }
    }
    here.stop().await;
}

/// A database connection of the writing node breaks after the commit of a message and before the signal is sent. The
/// streams of the other node still get the message and the number of unread messages. The clock does not move, so the
/// periodic check (`feed::CHECK`) does not cause these events.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_signal_that_could_not_be_sent_is_sent_on_the_next_connection() {
    let Some(here) = Server::postgres().await else { return };
    let Some((proxy, url)) = here.database.proxied().await else { return };
    let there = here.another_node_with(here.clock.clone(), |config| config.database.url = url).await.unwrap();
    let company = here.company().await;
    let bot = company.bot(&here).await;
    let far = through(&bot, &there);
    let (ann, browser) = colleague(&here, &company, json!({})).await;
    let group = company.group(&[&ann, &bot.user_id]).await;
    let mut list = Window::open(&here, &browser, "/conversations/live", None).await;
    let mut window = Window::on(&here, &browser, &group).await;
    for n in 1..=3 {
        proxy.cut_before(Some(SIGNAL));
        let sent = text(&far.send(&to_conversation(&group, "committed")).await, "/id");
        until(async || proxy.cut_connections() >= n).await;
        proxy.cut_before(None);
        assert!(window.next("message").await.data.contains(&sent));
        while unread(&list.next("unread").await) != (group.clone(), n as i64) {}
    }
    there.stop().await;
}

/// The node `there` is killed after the commit of a message and before the message's signal is sent. Then a third node
/// starts. A starting node notifies the other nodes that signals may have been lost, so the node `here` reads the
/// message.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_starting_node_makes_other_nodes_read_changes_of_a_lost_signal() {
    let Some(here) = Server::postgres().await else { return };
    let Some((proxy, url)) = here.database.proxied().await else { return };
    let there = here.another_node_with(here.clock.clone(), |config| config.database.url = url).await.unwrap();
    let company = here.company().await;
    let bot = company.bot(&here).await;
    let (ann, browser) = colleague(&here, &company, json!({})).await;
    let group = company.group(&[&ann, &bot.user_id]).await;
    let mut list = Window::open(&here, &browser, "/conversations/live", None).await;
    proxy.cut_before(Some(SIGNAL));
    through(&bot, &there).send(&to_conversation(&group, "committed")).await;
    until(async || proxy.cut_connections() >= 1).await;
    there.kill().await;
    let next = here.another_node_with_same_clock().await;
    while unread(&list.next("unread").await) != (group.clone(), 1) {}
    next.stop().await;
}
