//! The page of a conversation: how messages are rendered, and who can read which messages.

use std::time::Duration;

use super::*;

#[both_engines]
async fn a_message_shows_its_author_its_quote_and_that_it_was_edited(server: Server) {
    let mut team = Team::new(&server).await;
    let (company, group) = (&team.company, &team.group);
    let bot = company.bot(&server).await;
    company.add(group, &bot.user_id).await;
    let question = company.post(group, &team.ann, "Is it <b>green</b>?").await;
    let sent = bot.send(&to_conversation(group, "It is.")).await;
    let of_bot = text(&sent, "/id");
    let reply = company.post_with(group, &team.bob, json!({"text": "Thanks", "thread_id": question})).await;
    let body = json!({"text": "Is it blue?"});
    company.operator.patch(&format!("/admin/v1/messages/{reply}")).json(&body).ok(200).await;

    let page = team.anns.get(&team.path()).await;
    for words in ["role=\"log\" aria-label=\"Messages\"", "aria-label=\"Message\"", ">Send</button>"] {
        page.shows(words);
    }
    let own = article(&page, &question);
    assert!(own.contains(&format!("aria-labelledby=\"{question}-by\"")), "{own}");
    assert!(own.contains(&format!("id=\"{question}-by\" href=\"/people/{}\"", team.ann)), "{own}");
    assert!(own.contains(">Ann Author</a>") && own.contains("class=\"message mine\""), "{own}");
    assert!(own.contains("Is it &#60;b&#62;green&#60;/b&#62;?"), "{own}");
    assert!(!own.contains(">App<") && !own.contains("edited"), "{own}");
    let bots = article(&page, &of_bot);
    assert!(bots.contains("<span class=\"mark app\">App</span>") && !bots.contains("mine"), "{bots}");
    let replied = article(&page, &reply);
    assert!(replied.contains(">edited</span>") && replied.contains("Is it blue?"), "{replied}");
    assert!(replied.contains(&format!("class=\"quote\" href=\"{}/{question}\"", team.path())), "{replied}");
    assert!(replied.contains("Ann Author</b>") && replied.contains("&#60;b&#62;green"), "{replied}");
}

#[both_engines]
async fn a_message_that_an_assistant_sent_is_marked(server: Server) {
    let mut team = Team::new(&server).await;
    let assistant = server.assistant(&team.company, "Cleo").await;
    team.company.add(&team.group, assistant.id()).await;
    let draft = assistant.drafts(json!({"conversation": team.group, "text": "drafted"})).await;
    let sent = assistant.ok("send_draft", json!({"draft_id": draft})).await;
    let page = team.anns.get(&team.path()).await;
    let shown = article(&page, &text(&sent, "/message/id"));
    assert!(shown.contains(">Cleo</a>") && !shown.contains(">App<"), "{shown}");
    assert!(shown.contains("<span class=\"mark via\">via <bdi>Calendar Helper</bdi></span>"), "{shown}");
}

#[both_engines]
async fn quotes_and_the_form_of_a_reply_mark_messages_of_apps_and_assistants(server: Server) {
    let mut team = Team::new(&server).await;
    let bot = team.company.bot(&server).await;
    let assistant = server.assistant(&team.company, "Cleo").await;
    for id in [bot.user_id.as_str(), assistant.id()] {
        team.company.add(&team.group, id).await;
    }
    let of_bot = text(&bot.send(&to_conversation(&team.group, "built")).await, "/id");
    let draft = assistant.drafts(json!({"conversation": team.group, "text": "drafted"})).await;
    let sent = assistant.ok("send_draft", json!({"draft_id": draft})).await;
    let (of_assistant, of_person) =
        (text(&sent, "/message/id"), team.company.post(&team.group, &team.bob, "typed").await);
    let (app, via) = (
        "<span class=\"mark app\">App</span>",
        "<span class=\"mark via\">via <bdi>Calendar Helper</bdi></span>",
    );
    for (id, marks) in [(of_bot, [true, false]), (of_assistant, [false, true]), (of_person, [false, false])] {
        let reply = json!({"text": "a reply", "thread_id": id});
        let reply = team.company.post_with(&team.group, &team.ann, reply).await;
        let page = team.anns.get(&format!("{}/{id}", team.path())).await;
        let replied = article(&page, &reply);
        let (_, quote) = replied.split_once("class=\"quote\"").expect("a quote");
        let quote = quote.split("</a>").next().unwrap();
        let (_, form) = page.text.split_once("<p class=\"reply-to\">").expect("the form of a reply");
        let form = form.split("</p>").next().unwrap();
        for part in [quote, form] {
            assert_eq!([app, via].map(|mark| part.contains(mark)), marks, "{part}");
        }
    }
}

#[both_engines]
async fn the_quote_of_a_system_message_has_a_sender_and_a_text(server: Server) {
    let mut team = Team::new(&server).await;
    let company = &team.company;
    let notice = json!({"user_id": null, "type": "system", "text": "Office closed"});
    let closed = company.post_with(&team.group, &team.ann, notice).await;
    let bot = company.bot(&server).await;
    company.add(&team.group, &bot.user_id).await;
    // the system message about the new member has no text, so its quote has a fixed text
    let messages = company.messages(&team.group).await;
    let is_other = |message: &&serde_json::Value| message["type"] == "system" && message["id"] != closed;
    let joined = text(messages.iter().find(is_other).expect("joining posts a system message"), "/id");
    for (id, words) in [(closed, "Office closed"), (joined, "Somebody joined.")] {
        let reply = json!({"text": "a reply", "thread_id": id});
        let reply = company.post_with(&team.group, &team.ann, reply).await;
        let replied = article(&team.anns.get(&team.path()).await, &reply);
        let (_, quote) = replied.split_once("class=\"quote\"").expect("a quote");
        let quote = quote.split("</a>").next().unwrap();
        assert!(quote.contains(">Notice</b>") && quote.contains(&format!(">{words}</span>")), "{quote}");
    }
}

#[both_engines]
async fn a_direct_conversation_shows_that_the_other_user_no_longer_receives_messages(server: Server) {
    let mut team = Team::new(&server).await;
    let company = &team.company;
    let with_bob = format!("/c/{}", company.direct(&team.ann, &team.bob).await);
    let bot = company.bot(&server).await;
    let with_app = text(&bot.send(&to_user(&team.ann, "hello")).await, "/conversation_id");
    let with_app = format!("/c/{with_app}");
    let (left, removed) = ("No longer works here", "This app was removed");
    for path in [&with_bob, &with_app] {
        team.anns.get(path).await.shows(">Send</button>").hides(left).hides(removed);
    }
    company.set_state(&team.bob, "deactivated").await;
    company.uninstall(&bot).await;
    // people can still post in such a direct conversation
    team.anns.get(&with_bob).await.shows(left).shows(">Send</button>").hides(removed);
    team.anns.get(&with_app).await.shows(removed).shows(">Send</button>").hides(left);
    company.set_state(&team.bob, "active").await;
    company.install(&bot.app, &ALL_SCOPES).await;
    for path in [&with_bob, &with_app] {
        team.anns.get(path).await.shows(">Send</button>").hides(left).hides(removed);
    }
}

#[both_engines]
async fn days_are_in_the_time_zone_of_the_reader(server: Server) {
    let mut team = Team::new(&server).await;
    // the clock begins at 2026-11-20T12:00Z
    let noon = team.company.post(&team.group, &team.ann, "noon").await;
    server.advance(Duration::from_secs(4 * 3_600)).await;
    let afternoon = team.company.post(&team.group, &team.ann, "afternoon").await;
    server.advance(Duration::from_secs(24 * 3_600)).await;
    team.company.post(&team.group, &team.ann, "next day").await;
    let days = |page: &Page| -> Vec<String> {
        page.text.split("class=\"day\"").skip(1).map(|part| value(part, "data-day")).collect()
    };
    let page = team.anns.get(&team.path()).await;
    assert_eq!(days(&page), ["2026-11-20", "2026-11-21"]);
    page.shows("Friday, 20 November 2026");
    assert!(article(&page, &noon).contains(">12:00</time>"));
    team.company.update_user(&team.bob, json!({"timezone": "Asia/Tokyo"})).await;
    let page = team.bobs.get(&team.path()).await;
    assert_eq!(days(&page), ["2026-11-20", "2026-11-21", "2026-11-22"]);
    assert!(article(&page, &noon).contains(">21:00</time>"));
    assert!(article(&page, &afternoon).contains(">01:00</time>"));
    assert!(article(&page, &afternoon).contains("datetime=\"2026-11-20T16:00:00.000Z\""));
}

#[both_engines]
async fn blocks_files_and_message_types_are_rendered(server: Server) {
    let mut team = Team::new(&server).await;
    let (company, group) = (&team.company, &team.group);
    let bot = company.bot(&server).await;
    company.add(group, &bot.user_id).await;
    let mut body = to_conversation(group, "Deploy?");
    body["blocks"] = json!([
        {"type": "header", "text": "Build 42"},
        {"type": "section", "text": "See https://ci.example/42."},
        {"type": "fields", "fields": [{"label": "Branch", "value": "main"}]},
        {"type": "actions", "items": [
            {"action_id": "go", "text": "Deploy", "style": "primary", "value": "42"},
            {"action_id": "no", "text": "Stop", "style": "danger"},
            {"action_id": "later", "text": "Later"},
        ]},
        {"type": "context", "text": "by ci"},
    ]);
    body["metadata"] = json!({"hidden": "Metaword"});
    let asked = text(&bot.send(&body).await, "/id");
    let picture = company.file(&team.ann, "cat.png", "image/png", b"png").await;
    let paper = company.file(&team.ann, "plan.pdf", "application/pdf", &[b'x'; 2_500]).await;
    let path = format!("/admin/v1/conversations/{group}/messages");
    let post = async |body| text(&company.operator.post(&path).json(&body).ok(201).await, "/message/id");
    let sent = post(json!({"user_id": team.ann, "type": "file", "file_ids": [picture, paper]})).await;
    let poll = post(json!({"user_id": team.ann, "type": "poll"})).await;
    let notice = post(json!({"user_id": null, "type": "system", "text": "Office closed"})).await;

    let page = team.anns.get(&team.path()).await;
    let bots = article(&page, &asked);
    for words in [
        "<div class=\"block header\" dir=\"auto\">Build 42</div>",
        "<a href=\"https://ci.example/42\" rel=\"noopener noreferrer nofollow\" target=\"_blank\">https://ci.example/42</a>.",
        "<dt dir=\"auto\">Branch</dt><dd dir=\"auto\">main</dd>",
        "name=\"action_id\" value=\"go\" class=\"primary\" dir=\"auto\">Deploy</button>",
        "name=\"action_id\" value=\"no\" class=\"danger\" dir=\"auto\">Stop</button>",
        "name=\"action_id\" value=\"later\" dir=\"auto\">Later</button>",
        "by ci</div>",
    ] {
        assert!(bots.contains(words), "people see the blocks (B-188): {words} is not in {bots}");
    }
    let position = |words: &str| bots.find(words).unwrap_or_else(|| panic!("{words} is not in {bots}"));
    assert!(position("Deploy?") < position("Build 42"), "the blocks are below the text (B-188): {bots}");
    assert!(!page.text.contains("Metaword"), "people do not see metadata (B-188)");
    let action = format!("form=\"press\" formaction=\"{}/{asked}/actions\"", team.path());
    assert!(bots.contains(&action), "{bots}");
    assert!(page.form(&team.path()).hidden.iter().any(|(name, value)| name == "press" && !value.is_empty()));
    let own = article(&page, &sent);
    let path = format!("{}/files", team.path());
    assert!(own.contains(&format!("<img src=\"{path}/{picture}\" alt=\"\"")), "{own}");
    assert!(own.contains("loading=\"lazy\"") && own.contains(">cat.png</span>"), "{own}");
    assert!(own.contains(&format!("<a href=\"{path}/{paper}\">")) && own.contains("2 kB"), "{own}");
    assert!(!own.contains(&format!("<img src=\"{path}/{paper}\"")), "{own}");
    assert!(article(&page, &poll).contains("A poll"));
    let notice = article(&page, &notice);
    assert!(notice.contains("Notice</span>") && notice.contains("Office closed"), "{notice}");
    assert!(!notice.contains("joined"), "{notice}");
}

#[both_engines]
async fn only_members_see_a_conversation(server: Server) {
    let mut team = Team::new(&server).await;
    let company = &team.company;
    let message = company.post(&team.group, &team.ann, "between us").await;
    let (_, mut admin) = colleague(&server, company, json!({"is_admin": true})).await;
    let (_, mut stranger) = colleague(&server, &server.company().await, json!({})).await;
    let open = company.conversation(json!({"member_ids": [team.ann], "type": "channel"})).await;
    let hidden = company.group(&[&team.ann]).await;
    let message_path = format!("{}/{message}", team.path());
    for browser in [&mut admin, &mut stranger] {
        for path in
            [team.path(), message_path.clone(), format!("/c/{open}"), format!("{}?before=x", team.path())]
        {
            browser.get(&path).await.is(404, "Page not found").hides("between us");
        }
    }
    for unknown in ["x", "grp_0000000000001", "grp_", &message, &team.group.replace("grp_", "chn_"), &hidden]
    {
        team.bobs.get(&format!("/c/{unknown}")).await.is(404, "Page not found");
    }
    server.browser().get(&message_path).await.to();
    // a person who was removed from the group cannot read the group, and nobody can read a deleted group
    team.bobs.get(&team.path()).await.shows("between us");
    company.remove(&team.group, &team.bob).await;
    team.bobs.get(&team.path()).await.is(404, "Page not found");
    team.bobs.get(&message_path).await.is(404, "Page not found");
    team.anns.get(&team.path()).await.shows("between us");
    company.delete_conversation(&team.group).await;
    team.anns.get(&team.path()).await.is(404, "Page not found");
}

#[both_engines]
async fn new_members_see_no_messages_from_before_they_joined(server: Server) {
    let mut team = Team::new(&server).await;
    let company = &team.company;
    let secret = company.post(&team.group, &team.ann, "before your time").await;
    let (new, mut browser) = colleague(&server, company, json!({"name": "Nia New"})).await;
    company.add(&team.group, &new).await;
    let reply =
        company.post_with(&team.group, &team.bob, json!({"text": "indeed", "thread_id": secret})).await;
    let page = browser.get(&team.path()).await;
    page.shows("indeed").hides("before your time").hides(">Earlier</a>");
    assert!(!article(&page, &reply).contains("quote"), "{}", page.text);
    let (first, shown) = (value(&page.text, "data-first"), ids(&page));
    assert!(
        secret < first && first <= shown[0],
        "`data-first` is above {secret}, and not above the first shown message: {first}, {shown:?}"
    );
    browser.get(&format!("{}/{secret}", team.path())).await.is(404, "Message not found").hides("before your");
    let page = browser.get(&format!("{}?before={reply}", team.path())).await;
    page.shows("Somebody joined").hides("before your time");
    assert!(article(&team.anns.get(&team.path()).await, &reply).contains("before your time"));
    // a member who was removed and added again sees only the messages since the second addition
    company.remove(&team.group, &new).await;
    company.add(&team.group, &new).await;
    browser.get(&team.path()).await.shows("Somebody joined").hides("indeed");
}

#[both_engines]
async fn guests_and_onboarding_people_can_use_a_conversation(server: Server) {
    let mut team = Team::new(&server).await;
    let company = &team.company;
    let guest = json!({"name": "Gus Guest", "is_external": true, "guest_visible": false});
    let (guest, mut guests) = colleague(&server, company, guest).await;
    let (new, mut news) =
        colleague(&server, company, json!({"name": "Olaf Onboarding", "state": "onboarding"})).await;
    for person in [&guest, &new] {
        company.add(&team.group, person).await;
    }
    let message = company.post(&team.group, &guest, "from outside").await;
    for browser in [&mut guests, &mut news] {
        browser.get(&team.path()).await.shows("from outside").shows(">Send</button>");
    }
    // members see neither the name of a hidden guest nor a link to the guest's profile
    let shown = article(&team.anns.get(&team.path()).await, &message);
    assert!(
        shown.contains("A guest</span>") && !shown.contains("Gus") && !shown.contains("/people/"),
        "{shown}"
    );
    // the guest sees the message marked as their own
    let own = guests.get(&format!("{}/{message}", team.path())).await;
    let shown = article(&own, &message);
    assert!(shown.contains("class=\"message mine") && shown.contains("You</span>"), "{shown}");
    let edit = format!("{}/{message}/edit", team.path());
    guests.submit_on(&own, &edit, &[("text", "from abroad")]).await.see_other();
    team.anns.get(&format!("{}/{message}", team.path())).await.shows("from abroad").hides(&edit);
    let own = guests.get(&format!("{}/{message}", team.path())).await;
    guests.submit_on(&own, &format!("{}/{message}/delete", team.path()), &[]).await.see_other();
    team.anns.get(&team.path()).await.ok().hides("from abroad");
    company.set_state(&guest, "deactivated").await;
    guests.get(&team.path()).await.to();
}

#[both_engines]
async fn the_page_explains_why_a_person_cannot_write(server: Server) {
    let mut team = Team::new(&server).await;
    let (boss, mut admin) = colleague(&server, &team.company, json!({"is_admin": true})).await;
    team.company.add(&team.group, &boss).await;
    team.company.update_conversation(&team.group, json!({"announcement_only": true})).await;
    team.bobs.get(&team.path()).await.shows("Only admins can write here").hides(">Send</button>");
    admin.get(&team.path()).await.shows(">Send</button>").hides("Only admins can write");
    team.company.archive(&team.group, true).await;
    let path = team.path();
    for browser in [&mut team.anns, &mut team.bobs, &mut admin] {
        let page = browser.get(&path).await;
        page.shows("This group is archived").hides("Only admins can write").hides(">Send</button>");
    }
}
