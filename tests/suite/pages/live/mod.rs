//! The event streams of open windows: `/c/{conversation}/live` and `/conversations/live`.

mod lists;
mod marks;
mod nodes;
mod window;

use std::time::Duration;

use serde_json::json;
use switchboard::domain::token::{self, TokenKind};

pub use self::window::Window;
use self::window::{runs, unread};
use super::colleague;
use crate::support::{assistant::PASSWORD, browser::Browser, *};

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
async fn a_window_that_was_offline_catches_up_without_gaps_or_duplicates(server: Server) {
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

    // A request names the position in `Last-Event-ID`, in `after`, or in both. A page that was just opened sends
    // `after`. A browser that reconnects sends both.
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
            assert!(article.contains(id), "missed messages are sent in order: {id} {article}");
        }
        assert!(edited.len() == 1 && edited[0].contains(&first), "{edited:?}");
        assert_eq!(deleted, [removed.clone()]);
        // the stream then continues with new messages
        let next = company.post(&group, &ann, "and now").await;
        assert!(window.next("message").await.data.contains(&next));
        sent.push(next);
    }
}

#[both_engines]
async fn a_window_that_missed_too_much_gets_a_reset(server: Server) {
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

    // a window whose position is older than a day is reset, because changes are kept for a day
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
    // a stream with an invalid `Last-Event-ID` has only the changes after the request
    for nonsense in ["", "x", "1-2", "1-2-3-4", "-1-0-0"] {
        let mut window = Window::open(&server, &browser, &path, Some(nonsense)).await;
        let sent = company.post(&group, &bea, &format!("after {nonsense:?}")).await;
        assert!(window.next("message").await.data.contains(&sent), "no earlier message is sent");
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
    // a script follows redirects, and cannot distinguish the sign-in page from success, so its requests get 401
    stranger.headers.push("x-switchboard-script: 1".into());
    stranger.get("/conversations/live").await.is(401, "signed out");
}

#[both_engines]
async fn messages_of_a_hidden_guest_are_marked_as_own_for_the_guest(server: Server) {
    let company = server.company().await;
    let (ann, anns) = colleague(&server, &company, json!({})).await;
    let hidden = json!({"is_external": true, "guest_visible": false});
    let (guest, guests) = colleague(&server, &company, hidden).await;
    let group = company.group(&[&ann, &guest]).await;
    let mut own = Window::on(&server, &guests, &group).await;
    let mut other = Window::on(&server, &anns, &group).await;
    let sent = company.post(&group, &guest, "as it was").await;
    let change = json!({"text": "as it is"});
    for name in ["message", "edited"] {
        let (own, other) = (own.next(name).await.data, other.next(name).await.data);
        assert!(own.contains("class=\"message mine\"") && own.contains(">You<"), "{own}");
        assert!(other.contains("class=\"message\"") && other.contains(">A guest<"), "{other}");
        company.operator.patch(&format!("/admin/v1/messages/{sent}")).json(&change).ok(200).await;
    }
}

/// Maximum number of windows that one person may have open on a node.
const MAX_WINDOWS: usize = 64;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_opens_a_limited_number_of_windows() {
    let server = Server::sqlite().await;
    let company = server.company().await;
    let (ann, mut browser) = colleague(&server, &company, json!({})).await;
    let (bob, others) = colleague(&server, &company, json!({})).await;
    let group = company.group(&[&ann, &bob]).await;
    let (live, list) = (format!("/c/{group}/live"), "/conversations/live");
    let mut windows = Vec::new();
    for number in 0..MAX_WINDOWS {
        let path = if number % 2 == 0 { live.as_str() } else { list };
        windows.push(Window::open(&server, &browser, path, None).await);
    }
    for path in [live.as_str(), list] {
        let refused = browser.get(path).await;
        refused.is(429, "Too many windows").is(429, "Close others");
        assert_eq!(refused.header("retry-after"), Some("60"));
    }
    let _bobs = Window::open(&server, &others, &live, None).await;
    // the open windows are still served
    let sent = company.post(&group, &bob, "to all windows").await;
    assert!(windows[0].next("message").await.data.contains(&sent));
    // after a window was closed, another can be opened
    windows.pop();
    until(async || Window::status(&server, &browser, &live).await == 200).await;
}

#[both_engines]
async fn a_window_ends_when_its_person_may_no_longer_see_the_conversation(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    for revocation in 0..6 {
        let email = format!("ends{revocation}@live.example");
        let ann = company.person_with(json!({"email": email, "password": PASSWORD})).await;
        let mut browser = server.signed_in(&email, PASSWORD).await;
        let keeper = company.person().await;
        let group = company.group(&[&ann, &keeper, &bot.user_id]).await;
        let mut window = Window::on(&server, &browser, &group).await;
        bot.send(&to_conversation(&group, "seen")).await;
        window.next("message").await;
        match revocation {
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
        if revocation != 4 {
            bot.send(&to_conversation(&group, "unseen")).await;
        }
        assert_eq!(
            window.ended().await,
            [],
            "{revocation}: nothing is sent after a revocation was acknowledged"
        );
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
    // one window claims a position before the first message, and the other window starts at the present
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
    // The person leaves, which ends the person's windows, and joins again. A new window has only messages that were
    // posted after the second join.
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
async fn opening_a_conversation_clears_its_count_in_open_lists(server: Server) {
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
async fn lists_count_unread_messages(server: Server) {
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
    // a window on another conversation gets the counts, too
    let other = company.group(&[&ann]).await;
    window.next("moved").await;
    let mut there = Window::on(&server, &browser, &other).await;
    bot.send(&to_conversation(&group, "unread")).await;
    assert_eq!(unread(&there.next("unread").await), (group.clone(), 4));
    company.remove(&group, &ann).await;
    window.next("moved").await;
}

#[both_engines]
async fn changes_of_a_conversation_are_shown_in_open_windows(server: Server) {
    let company = server.company().await;
    let (ann, mut browser) = colleague(&server, &company, json!({})).await;
    let bob = company.person().await;
    let group = company.group(&[&ann, &bob]).await;
    let channel = company.channel(&group, &[&ann, &bob]).await;
    let mut list = Window::open(&server, &browser, "/conversations/live", None).await;
    let mut window = Window::on(&server, &browser, &channel).await;
    for change in [json!({"name": "Renamed"}), json!({"topic": "New"}), json!({"is_archived": true})] {
        company.update_conversation(&group, change.clone()).await;
        // A change of a group is reported for its channels, too: a channel has the archived state of its group, and
        // the page of a channel shows the group's name.
        for events in [&mut list, &mut window] {
            let mut of = [events.next("renamed").await.data, events.next("renamed").await.data];
            of.sort();
            assert_eq!(of, [channel.clone(), group.clone()], "{change}");
        }
    }
    // to show the change, the script requests the page again; this request does not mark messages as read
    browser.headers.push("x-switchboard-script: 1".into());
    company.archive(&group, false).await;
    company.post(&channel, &bob, "not seen yet").await;
    browser.get(&format!("/c/{channel}")).await.is(200, "not seen yet");
    browser.headers.clear();
    browser.get(&format!("/c/{group}")).await.is(200, "aria-label=\"1 unread\"");
    // when a group is deleted, the group and its channels disappear from the lists, and windows on the channels end
    let mut seen = Vec::new();
    company.delete_conversation(&group).await;
    window.ended().await;
    // the first two events are those of `company.archive(&group, false)`
    for _ in 0..4 {
        seen.push(list.next("renamed").await.data);
    }
    seen[2..].sort();
    assert_eq!(seen[2..], [channel.clone(), group.clone()]);
    browser.get("/conversations").await.ok().hides(&channel);
}

#[both_engines]
async fn a_deleted_file_disappears_from_open_windows(server: Server) {
    let company = server.company().await;
    let (ann, browser) = colleague(&server, &company, json!({})).await;
    let groups = [company.group(&[&ann]).await, company.group(&[&ann]).await];
    let file = company.file(&ann, "plan.pdf", "application/pdf", b"content").await;
    let mut windows = Vec::new();
    for group in &groups {
        let mut window = Window::on(&server, &browser, group).await;
        company.post_with(group, &ann, json!({"type": "file", "file_ids": [file]})).await;
        assert!(window.next("message").await.data.contains("plan.pdf"));
        windows.push(window);
    }
    company.operator.delete(&format!("/admin/v1/files/{file}")).ok(200).await;
    for window in &mut windows {
        assert!(!window.next("edited").await.data.contains("plan.pdf"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn read_marks_are_written_in_batches_and_a_sign_out_rechecks_the_rights_of_few_windows() {
    const WINDOWS: usize = 20;
    let folder = tempfile::tempdir().unwrap();
    let key = token::mint(TokenKind::Operator, &[9; 32]);
    let process = Process::start(folder.path(), &key, &[("SWITCHBOARD_METRICS_LISTEN", "127.0.0.1:0")]);
    let company = Company::create(process.api(&key)).await;
    let mut people = Vec::new();
    for name in ["ann", "bob"] {
        let email = format!("{name}@live.example");
        let id = company.person_with(json!({"email": email, "password": PASSWORD})).await;
        let mut browser = Browser::at(&process.base);
        assert_eq!(browser.sign_in(&email, PASSWORD, "/").await.to(), "/");
        people.push((id, browser));
    }
    let [(ann, mut anns), (bob, mut bobs)] = people.try_into().unwrap_or_else(|_| panic!("two people"));
    let csrf = anns.get("/settings/privacy").await.csrf("/signout");
    anns.headers.push("x-switchboard-script: 1".into());
    let (mut windows, mut groups) = (Vec::new(), Vec::new());
    for _ in 0..WINDOWS {
        let group = company.group(&[&ann, &bob]).await;
        windows.push(Window::at(&process.base, &anns, &format!("/c/{group}/live"), None).await);
        groups.push(group);
    }
    // as soon as a window shows a new message, the person marks this message as read
    for (group, window) in groups.iter().zip(&mut windows) {
        let sent = company.post(group, &bob, "hello").await;
        assert!(window.next("message").await.data.contains(&sent));
        anns.post(&format!("/c/{group}/read"), &[("csrf", &csrf), ("message_id", &sent)]).await.see_other();
    }
    assert_eq!(runs(&process, "mark_read").await, 0);
    let writes = runs(&process, "write_read_marks").await;
    assert!(writes < WINDOWS as u64 / 2, "{WINDOWS} read marks are stored in few writes: {writes}");

    let lists = Window::at(&process.base, &bobs, "/conversations/live", None).await;
    let before = runs(&process, "find_present_windows").await;
    let page = bobs.get("/settings/privacy").await;
    bobs.post("/signout", &[("csrf", &page.csrf("/signout"))]).await.to();
    lists.ended().await;
    let confirmed = runs(&process, "find_present_windows").await - before;
    assert!(
        confirmed < WINDOWS as u64 / 2,
        "a sign-out of one person does not recheck each of the {WINDOWS} windows of another: {confirmed} checks"
    );
}
