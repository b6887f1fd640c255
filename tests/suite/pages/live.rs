//! The event streams of open windows: `/c/{conversation}/live` and `/conversations/live`.

use std::time::Duration;

use serde_json::{Value, json};

use super::colleague;
use crate::support::{assistant::PASSWORD, browser::Browser, tcp_proxy::TcpProxy, wait::GUARD, *};

/// A window: an event stream that is read event by event.
struct Window {
    response: reqwest::Response,
    buffer: String,
}

/// An event with its fields.
#[derive(Clone, Debug, Default, PartialEq)]
struct Event {
    id: String,
    name: String,
    data: String,
}

impl Window {
    async fn open(server: &Server, browser: &Browser, path: &str, after: Option<&str>) -> Self {
        let mut call = reqwest::Client::new().get(format!("{}{path}", server.base));
        let cookies: Vec<_> = browser.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        call = call.header("cookie", cookies.join("; "));
        if let Some(after) = after {
            call = call.header("last-event-id", after);
        }
        let response = call.send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["cache-control"], "no-store");
        assert_eq!(response.headers()["x-accel-buffering"], "no");
        let mut window = Self { response, buffer: String::new() };
        // what follows the first data happens after the window was opened
        assert!(window.part().await.unwrap().starts_with("retry: "));
        window
    }

    /// On a conversation, from now on.
    async fn on(server: &Server, browser: &Browser, conversation: &str) -> Self {
        Self::open(server, browser, &format!("/c/{conversation}/live"), None).await
    }

    /// The next part up to an empty line; `None` at the end.
    async fn part(&mut self) -> Option<String> {
        loop {
            if let Some((part, rest)) = self.buffer.split_once("\n\n") {
                let part = part.to_owned();
                self.buffer = rest.to_owned();
                return Some(part);
            }
            let chunk = tokio::time::timeout(GUARD, self.response.chunk()).await.expect("an event in time");
            let chunk = chunk.expect("the stream ends properly")?;
            self.buffer.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    /// The next event with this name, skipping others.
    async fn next(&mut self, name: &str) -> Event {
        loop {
            let event = self.any().await.expect("the stream continues");
            if event.name == name {
                return event;
            }
        }
    }

    /// The next event; `None` at the end.
    async fn any(&mut self) -> Option<Event> {
        loop {
            let part = self.part().await?;
            let mut event = Event::default();
            for line in part.lines().filter(|line| !line.starts_with(':')) {
                let (field, value) = line.split_once(':').unwrap();
                let value = value.strip_prefix(' ').unwrap_or(value);
                match field {
                    "id" => value.clone_into(&mut event.id),
                    "event" => value.clone_into(&mut event.name),
                    "data" if event.data.is_empty() => value.clone_into(&mut event.data),
                    "data" => event.data = format!("{}\n{value}", event.data),
                    other => panic!("the field {other}"),
                }
            }
            if !event.name.is_empty() {
                return Some(event);
            }
        }
    }

    /// Waits for the end and returns the changes of the conversation that came before it.
    async fn ended(mut self) -> Vec<Event> {
        let mut events = Vec::new();
        while let Some(event) = self.any().await {
            if ["message", "edited", "deleted"].contains(&event.name.as_str()) {
                events.push(event);
            }
        }
        events
    }
}

fn unread(event: &Event) -> (String, i64) {
    let data: Value = serde_json::from_str(&event.data).unwrap();
    (text(&data, "/conversation"), data["unread"].as_i64().unwrap())
}

/// The server through which somebody acts.
fn through(bot: &Bot, node: &Server) -> Bot {
    Bot { api: Api { base: node.base.clone(), ..bot.api.clone() }, ..bot.clone() }
}

#[both_engines]
async fn a_window_shows_what_happens_in_its_conversation(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let (ann, browser) = colleague(&server, &company, json!({"name": "Ann"})).await;
    let group = company.group(&[&ann, &bot.user_id]).await;
    let before = text(&bot.send(&to_conversation(&group, "before")).await, "/id");
    let mut window = Window::on(&server, &browser, &group).await;

    let sent = text(&bot.send(&to_conversation(&group, "good\nmorning <b>&")).await, "/id");
    let event = window.next("message").await;
    assert!(event.data.contains(&sent), "{event:?}");
    assert!(event.data.contains("good\nmorning &#60;b&#62;&#38;"), "{event:?}");

    let path = format!("/v1/messages/{sent}");
    bot.api.patch(&path).json(&json!({"text": "good evening"})).ok(200).await;
    let event = window.next("edited").await;
    assert!(event.data.contains(&sent) && event.data.contains("good evening"), "{event:?}");

    company.post(&group, &ann, "mine").await;
    assert!(window.next("message").await.data.contains("mine"));

    for id in [&sent, &before] {
        bot.api.delete(&format!("/v1/messages/{id}")).ok(200).await;
        assert_eq!(window.next("deleted").await.data, *id);
    }
}

#[both_engines]
async fn a_window_that_was_offline_catches_up_without_gaps_or_doubles(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let (ann, browser) = colleague(&server, &company, json!({})).await;
    let group = company.group(&[&ann, &bot.user_id]).await;
    let path = format!("/c/{group}/live");
    let mut window = Window::on(&server, &browser, &group).await;
    let first = text(&bot.send(&to_conversation(&group, "first")).await, "/id");
    let seen = window.next("message").await;
    drop(window);

    let mut sent = Vec::new();
    for n in 0..70 {
        sent.push(company.post(&group, &ann, &format!("number {n}.")).await);
    }
    bot.api.patch(&format!("/v1/messages/{first}")).json(&json!({"text": "edited"})).ok(200).await;
    let removed = sent.remove(30);
    company.operator.delete(&format!("/admin/v1/messages/{removed}")).ok(200).await;

    // by the header, as browsers do, and by the query, as a page does that was just read
    let by_query = format!("{path}?after={}", seen.id);
    for (path, header) in [(&path, Some(seen.id.as_str())), (&by_query, None), (&by_query, Some(&seen.id))] {
        let mut window = Window::open(&server, &browser, path, header).await;
        let mut posted = Vec::new();
        let (mut edited, mut deleted) = (Vec::new(), Vec::new());
        while posted.len() < sent.len() || edited.is_empty() || deleted.is_empty() {
            let event = window.any().await.unwrap();
            match event.name.as_str() {
                "message" => posted.push(event.data),
                "edited" => edited.push(event.data),
                "deleted" => deleted.push(event.data),
                _ => {}
            }
        }
        for (id, article) in sent.iter().zip(&posted) {
            assert!(article.contains(id), "in order: {id} {article}");
        }
        assert!(edited.len() == 1 && edited[0].contains(&first), "{edited:?}");
        assert_eq!(deleted, [removed.clone()]);
        // and goes on
        let next = company.post(&group, &ann, "and now").await;
        assert!(window.next("message").await.data.contains(&next));
        sent.push(next);
    }
}

#[both_engines]
async fn a_window_that_missed_too_much_reads_its_page_again(server: Server) {
    let company = server.company().await;
    let (ann, browser) = colleague(&server, &company, json!({})).await;
    let group = company.group(&[&ann]).await;
    let path = format!("/c/{group}/live");
    let mut window = Window::on(&server, &browser, &group).await;
    company.post(&group, &ann, "one").await;
    let seen = window.next("message").await;
    drop(window);
    for n in 0..210 {
        company.post(&group, &ann, &format!("{n}")).await;
    }
    let mut window = Window::open(&server, &browser, &path, Some(&seen.id)).await;
    window.next("reset").await;
    assert_eq!(window.ended().await, []);

    // what happened over a day ago is not kept
    let (bea, browser) = colleague(&server, &company, json!({})).await;
    let group = company.group(&[&bea]).await;
    let path = format!("/c/{group}/live");
    let mut window = Window::on(&server, &browser, &group).await;
    company.post(&group, &bea, "two").await;
    let seen = window.next("message").await;
    drop(window);
    server.advance(Duration::from_secs(24 * 60 * 60 + 1)).await;
    let mut window = Window::open(&server, &browser, &path, Some(&seen.id)).await;
    window.next("reset").await;
    assert_eq!(window.ended().await, []);
    // a place that is none begins now
    for nonsense in ["", "x", "1-2", "1-2-3-4", "-1-0-0"] {
        let mut window = Window::open(&server, &browser, &path, Some(nonsense)).await;
        company.post(&group, &bea, &format!("after {nonsense:?}")).await;
        window.next("message").await;
    }
}

#[both_engines]
async fn only_members_open_windows(server: Server) {
    let company = server.company().await;
    let other = server.company().await;
    let (ann, mut browser) = colleague(&server, &company, json!({"is_admin": true})).await;
    let member = company.person().await;
    let group = company.group(&[&member]).await;
    let foreign = other.group(&[]).await;
    let own = company.group(&[&ann]).await;
    let left = company.group(&[&ann, &member]).await;
    company.remove(&left, &ann).await;
    for id in [&group, &foreign, &left, "grp_0000000000001", "x", &own.replace("grp_", "chn_")] {
        browser.get(&format!("/c/{id}/live")).await.is(404, "");
    }
    let mut stranger = server.browser();
    assert!(stranger.get(&format!("/c/{own}/live")).await.to().starts_with("/signin?next="));
    assert!(stranger.get("/conversations/live").await.to().starts_with("/signin?next="));
    // the script cannot distinguish a redirect from success
    stranger.headers.push("x-switchboard-script: 1".into());
    stranger.get("/conversations/live").await.is(401, "signed out");
}

#[both_engines]
async fn a_window_ends_with_the_right_to_see_it(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    for what in 0..6 {
        let email = format!("ends{what}@live.example");
        let ann = company.person_with(json!({"email": email, "password": PASSWORD})).await;
        let mut browser = server.signed_in(&email, PASSWORD).await;
        let keeper = company.person().await;
        let group = company.group(&[&ann, &keeper, &bot.user_id]).await;
        let mut window = Window::on(&server, &browser, &group).await;
        bot.send(&to_conversation(&group, "seen")).await;
        window.next("message").await;
        match what {
            0 => company.remove(&group, &ann).await,
            1 => company.set_state(&ann, "deactivated").await,
            2 => {
                let page = browser.get("/settings/privacy").await;
                browser.post("/signout", &[("csrf", &page.csrf("/signout"))]).await.to();
            }
            3 => {
                company.operator.post(&format!("/admin/v1/users/{ann}/logout")).ok(200).await;
            }
            4 => {
                company.operator.delete(&format!("/admin/v1/conversations/{group}")).ok(200).await;
            }
            _ => company.set_state(&ann, "removed").await,
        }
        if what != 4 {
            bot.send(&to_conversation(&group, "unseen")).await;
        }
        assert_eq!(window.ended().await, [], "{what}: nothing is shown after it was answered");
    }
}

#[both_engines]
async fn a_window_ends_when_the_session_expires(server: Server) {
    let company = server.company().await;
    let (ann, browser) = colleague(&server, &company, json!({})).await;
    let group = company.group(&[&ann]).await;
    let on_group = Window::on(&server, &browser, &group).await;
    let on_list = Window::open(&server, &browser, "/conversations/live", None).await;
    server.advance(Duration::from_secs(30 * 24 * 60 * 60)).await;
    assert_eq!(on_group.ended().await, []);
    assert_eq!(on_list.ended().await, []);
}

#[both_engines]
async fn newcomers_see_no_quotes_from_before_they_joined(server: Server) {
    let company = server.company().await;
    let (ann, early) = colleague(&server, &company, json!({})).await;
    let (bea, late) = colleague(&server, &company, json!({})).await;
    let group = company.group(&[&ann]).await;
    let old = company.post(&group, &ann, "the old secret").await;
    let path = format!("/admin/v1/conversations/{group}/members/{bea}");
    company.operator.put(&path).ok(200).await;
    let mut windows = [Window::on(&server, &early, &group).await, Window::on(&server, &late, &group).await];
    company.post_with(&group, &ann, json!({"text": "a reply", "thread_id": old})).await;
    let [seen, hidden] = [windows[0].next("message").await, windows[1].next("message").await];
    assert!(seen.data.contains("the old secret"), "{seen:?}");
    assert!(!hidden.data.contains("the old secret") && hidden.data.contains("a reply"), "{hidden:?}");
}

#[both_engines]
async fn newcomers_are_sent_nothing_from_before_they_joined(server: Server) {
    let company = server.company().await;
    let (ann, _) = colleague(&server, &company, json!({})).await;
    let (bea, browser) = colleague(&server, &company, json!({})).await;
    let group = company.group(&[&ann]).await;
    let old: Vec<String> = [
        company.post(&group, &ann, "the old secret").await,
        company.post(&group, &ann, "another old secret").await,
    ]
    .into();
    let path = format!("/admin/v1/conversations/{group}/members/{bea}");
    company.operator.put(&path).ok(200).await;
    let now = server.clock.now().0;
    let live = format!("/c/{group}/live");
    // from before the first message, as a client may claim, and from now
    let claimed = format!("0-0-{now}");
    let mut windows = [
        Window::open(&server, &browser, &live, Some(&claimed)).await,
        Window::on(&server, &browser, &group).await,
    ];
    let edit = json!({"text": "the old secret, edited"});
    let message = format!("/admin/v1/messages/{}", old[0]);
    company.operator.patch(&message).header("x-acting-user", &ann).json(&edit).ok(200).await;
    company.operator.delete(&format!("/admin/v1/messages/{}", old[1])).ok(200).await;
    let seen = company.post(&group, &ann, "for everybody").await;
    for window in &mut windows {
        loop {
            let event = window.any().await.unwrap();
            assert!(!event.data.contains("old secret"), "{event:?}");
            assert!(!["edited", "deleted"].contains(&event.name.as_str()), "{event:?}");
            if event.data.contains(&seen) {
                break;
            }
        }
    }
    // who leaves and joins again begins anew, and the window from before ends
    company.remove(&group, &bea).await;
    company.post(&group, &ann, "the old secret of the absence").await;
    company.operator.put(&path).ok(200).await;
    for window in windows {
        assert_eq!(window.ended().await, []);
    }
    let mut window = Window::open(&server, &browser, &live, Some(&claimed)).await;
    company.post(&group, &ann, "welcome back").await;
    loop {
        let event = window.any().await.unwrap();
        assert!(!event.data.contains("old secret"), "{event:?}");
        if event.data.contains("welcome back") {
            break;
        }
    }
}

#[both_engines]
async fn a_conversation_that_is_read_is_read_in_every_window(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let (ann, mut browser) = colleague(&server, &company, json!({})).await;
    let group = company.group(&[&ann, &bot.user_id]).await;
    let mut window = Window::open(&server, &browser, "/conversations/live", None).await;
    bot.send(&to_conversation(&group, "unread")).await;
    while unread(&window.next("unread").await) != (group.clone(), 1) {}
    browser.get(&format!("/c/{group}")).await.is(200, "unread");
    while unread(&window.next("unread").await) != (group.clone(), 0) {}
}

#[both_engines]
async fn lists_count_what_was_not_read(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let (ann, browser) = colleague(&server, &company, json!({})).await;
    let group = company.group(&[&ann, &bot.user_id]).await;
    let mut window = Window::open(&server, &browser, "/conversations/live", None).await;
    for n in 1..=3 {
        bot.send(&to_conversation(&group, "unread")).await;
        while unread(&window.next("unread").await) != (group.clone(), n) {}
    }
    company.post(&group, &ann, "one's own is read").await;
    assert_eq!(unread(&window.next("unread").await), (group.clone(), 3));
    // a window on another conversation counts too
    let other = company.group(&[&ann]).await;
    window.next("moved").await;
    let mut there = Window::on(&server, &browser, &other).await;
    bot.send(&to_conversation(&group, "unread")).await;
    assert_eq!(unread(&there.next("unread").await), (group.clone(), 4));
    company.remove(&group, &ann).await;
    window.next("moved").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_window_shows_what_happens_on_another_node() {
    let Some(here) = Server::postgres().await else { return };
    let there = here.beside(here.clock.clone(), |_| {}).await.unwrap();
    let company = here.company().await;
    let bot = company.bot(&here).await;
    let far = through(&bot, &there);
    let (ann, browser) = colleague(&here, &company, json!({})).await;
    let group = company.group(&[&ann, &bot.user_id]).await;
    let mut window = Window::on(&here, &browser, &group).await;
    let mut list = Window::open(&here, &browser, "/conversations/live", None).await;
    // not the periodic check, for which the clock would have to move
    for n in 1..=20 {
        let sent = text(&far.send(&to_conversation(&group, "from afar")).await, "/id");
        assert!(window.next("message").await.data.contains(&sent));
        while unread(&list.next("unread").await) != (group.clone(), n) {}
    }
    let removed =
        Company { operator: Api { base: there.base.clone(), ..company.operator.clone() }, ..company.clone() };
    removed.remove(&group, &ann).await;
    far.send(&to_conversation(&group, "unseen")).await;
    assert_eq!(window.ended().await, []);
    list.next("moved").await;
    there.stop().await;
}

/// Connections that are cut, or that die without notice, are replaced, and what happened meanwhile is shown once, in order.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_window_misses_nothing_when_its_node_loses_the_database() {
    let Some(there) = Server::postgres().await else { return };
    let Some((proxy, url)) = there.database.proxied().await else { return };
    let here = there.beside(there.clock.clone(), |config| {
        config.database.url = url;
        config.database.statement_timeout_seconds = 2;
    });
    let here = here.await.unwrap();
    let company = there.company().await;
    let bot = company.bot(&there).await;
    let (ann, browser) = colleague(&here, &company, json!({})).await;
    let group = company.group(&[&ann, &bot.user_id]).await;
    let mut window = Window::on(&here, &browser, &group).await;
    for lose in [TcpProxy::cut_open, TcpProxy::swallow_open] {
        lose(&proxy);
        for _ in 0..3 {
            let sent = text(&bot.send(&to_conversation(&group, "meanwhile")).await, "/id");
            assert!(window.next("message").await.data.contains(&sent));
        }
    }
    here.stop().await;
}
