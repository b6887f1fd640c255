//! `/drafts`: messages that assistants drafted for the person.

use serde_json::json;

use crate::support::{
    assistant::PASSWORD,
    browser::{Browser, Page},
    tools::Assistant,
    *,
};

struct DraftsFixture {
    company: Company,
    ann: Assistant,
    browser: Browser,
    group: String,
}

impl DraftsFixture {
    async fn new(server: &Server) -> Self {
        let company = server.company().await;
        let ann = server.assistant(&company, "Ann Example").await;
        let browser = server.signed_in(&ann.employee.email, PASSWORD).await;
        let group = company.conversation(json!({"name": "Plans", "member_ids": [ann.id()]})).await;
        Self { company, ann, browser, group }
    }

    async fn draft(&self, words: &str) -> String {
        self.ann.drafts(json!({"conversation": self.group, "text": words})).await
    }
}

#[both_engines]
async fn a_draft_shows_its_text_destination_readers_and_author(server: Server) {
    let mut fixture = DraftsFixture::new(&server).await;
    fixture.browser.get("/drafts").await.is(200, "There are no drafts");
    let parent = fixture.company.post(&fixture.group, fixture.ann.id(), "when?").await;
    let reply = json!({"conversation": fixture.group, "thread_id": parent, "text": "<b>at\nnoon</b>"});
    let id = fixture.ann.drafts(reply).await;
    for path in ["/drafts".to_owned(), format!("/drafts/{id}")] {
        fixture
            .browser
            .get(&path)
            .await
            .is(200, "Plans")
            .shows("1 member of the group can read it.")
            .shows("Calendar Helper")
            .shows(&format!("href=\"/c/{}/{parent}\"", fixture.group))
            .shows("&#60;b&#62;at\nnoon&#60;/b&#62;</textarea>")
            .hides("<b>at");
    }
    let guest = fixture.company.guest(true).await;
    fixture.company.add(&fixture.group, &guest).await;
    fixture
        .browser
        .get("/drafts")
        .await
        .shows("2 members of the group can read it, including guests from outside");
    let channel = fixture.company.channel(&fixture.group, &[fixture.ann.id()]).await;
    fixture.ann.drafts(json!({"conversation": channel, "text": "in a channel"})).await;
    fixture.browser.get("/drafts").await.shows("1 member of the channel can read it.");
    let ben = server.assistant(&fixture.company, "Ben Example").await;
    let direct = fixture.ann.drafts(json!({"person": ben.id(), "text": "between us"})).await;
    fixture
        .browser
        .get(&format!("/drafts/{direct}"))
        .await
        .shows("Ben Example")
        .shows("Only this person will read it.");
    let bot = fixture.company.bot(&server).await;
    fixture.company.add(&fixture.group, &bot.user_id).await;
    fixture.browser.get(&format!("/drafts/{id}")).await.shows("2 members of the group and 1 app (");
    let dm = text(&bot.send(&to_user(fixture.ann.id(), "hello")).await, "/conversation_id");
    let answer = fixture.ann.drafts(json!({"conversation": dm, "text": "to the app"})).await;
    let page = fixture.browser.get(&format!("/drafts/{answer}")).await;
    page.shows("Only this app will read it.").hides("Only this person");
    fixture.company.remove(&fixture.group, fixture.ann.id()).await;
    fixture.browser.get(&format!("/drafts/{id}")).await.shows("To a conversation you no longer see");
    let refused = fixture.browser.submit(&format!("/drafts/{id}"), &[("decision", "send")]).await;
    refused.is(422, "You are no longer in this conversation");
}

#[both_engines]
async fn a_draft_says_that_its_recipient_no_longer_receives_messages(server: Server) {
    let mut fixture = DraftsFixture::new(&server).await;
    let ben = server.assistant(&fixture.company, "Ben Example").await;
    let bot = fixture.company.bot(&server).await;
    let dm = text(&bot.send(&to_user(fixture.ann.id(), "hello")).await, "/conversation_id");
    let to_person = fixture.ann.drafts(json!({"person": ben.id(), "text": "between us"})).await;
    let to_app = fixture.ann.drafts(json!({"conversation": dm, "text": "to the app"})).await;
    fixture.company.uninstall(&bot).await;
    let page = fixture.browser.get(&format!("/drafts/{to_app}")).await;
    page.shows("This app was removed, so nobody will read it.");
    // the first time, the direct conversation with the person does not exist yet; the second time, it exists
    for has_direct in [false, true] {
        if has_direct {
            fixture.company.direct(fixture.ann.id(), ben.id()).await;
        }
        fixture.company.set_state(ben.id(), "deactivated").await;
        for path in ["/drafts".to_owned(), format!("/drafts/{to_person}")] {
            let page = fixture.browser.get(&path).await;
            page.shows("This person no longer works here, so nobody will read it.").hides("Only this");
        }
        fixture.company.set_state(ben.id(), "active").await;
        let page = fixture.browser.get(&format!("/drafts/{to_person}")).await;
        page.shows("Only this person will read it.").hides("no longer works here");
    }
}

#[both_engines]
async fn a_draft_is_sent_or_discarded_once_and_says_so(server: Server) {
    let mut fixture = DraftsFixture::new(&server).await;
    let (sent, discarded) = (fixture.draft("at noon").await, fixture.draft("never").await);
    for (id, decision, other, says) in [
        (&sent, "send", "discard", "The message was sent to"),
        (&discarded, "discard", "send", "The draft was discarded"),
    ] {
        let path = format!("/drafts/{id}");
        let page = fixture.browser.get(&path).await;
        let done = fixture.browser.submit_on(&page, &path, &[("decision", decision)]).await;
        assert_eq!(done.see_other(), path);
        fixture.browser.get(&path).await.is(200, says);
        for again in [decision, other] {
            let page = fixture.browser.submit_on(&page, &path, &[("decision", again)]).await;
            page.is(409, says).is(409, "the draft was already sent or discarded");
        }
    }
    let messages = fixture.company.messages(&fixture.group).await;
    assert_eq!(messages.len(), 1);
    let path = format!("href=\"/c/{}/{}\"", fixture.group, messages[0]["id"].as_str().unwrap());
    fixture.browser.get(&format!("/drafts/{sent}")).await.shows(&path);
    fixture.browser.get("/drafts").await.shows("There are no drafts");
    fixture.ann.fails("send_draft", json!({"draft_id": sent}), "conflict").await;
}

#[both_engines]
async fn the_typed_text_is_shown_if_the_draft_was_already_sent_or_discarded(server: Server) {
    let mut fixture = DraftsFixture::new(&server).await;
    let (sent, discarded) = (fixture.draft("at noon").await, fixture.draft("never").await);
    let typed = "\nrather &#60;b&#62;at&#60;/b&#62; one</textarea>";
    for (id, decision, says) in
        [(&sent, "send", "The message was sent to"), (&discarded, "discard", "The draft was discarded")]
    {
        let path = format!("/drafts/{id}");
        // the page stays open in one window while another window sends or discards the draft
        let page = fixture.browser.get(&path).await;
        fixture.browser.submit_on(&page, &path, &[("decision", decision)]).await.see_other();
        let fields = [("decision", "send"), ("text", "rather <b>at</b> one")];
        let refused = fixture.browser.submit_on(&page, &path, &fields).await;
        refused.is(409, "Nothing was sent: the draft was already sent or discarded").is(409, says);
        refused.is(409, typed).is(409, " readonly>").hides("rather <b>");
        // a form with an unknown decision
        let fields = [("decision", "later"), ("text", "rather <b>at</b> one")];
        fixture.browser.submit_on(&page, &path, &fields).await.is(400, typed);
        // The typed text is not shown in three cases: it is empty, it equals the sent message, or the form discards the
        // draft.
        for fields in [
            [("decision", "send"), ("text", "at noon")],
            [("decision", "send"), ("text", "")],
            [("decision", "discard"), ("text", "rather <b>at</b> one")],
        ] {
            let refused = fixture.browser.submit_on(&page, &path, &fields).await;
            let shows_text = *id == discarded && fields[1].1 == "at noon";
            assert_eq!(refused.wire.status, 409, "{}", refused.text);
            assert_eq!(refused.text.contains("What you typed"), shows_text, "{fields:?}: {}", refused.text);
        }
        fixture.browser.get(&path).await.is(200, says).hides("What you typed");
    }
    assert_eq!(fixture.company.messages(&fixture.group).await.len(), 1);
    // A person who no longer sees the message must not learn whether the message still has this text. So the page shows
    // the typed text even if it equals the text of the message.
    fixture.company.remove(&fixture.group, fixture.ann.id()).await;
    let path = format!("/drafts/{sent}");
    let csrf = fixture.browser.get("/settings/privacy").await.csrf("/signout");
    let fields = [("csrf", csrf.as_str()), ("decision", "send"), ("text", "at noon")];
    fixture.browser.post(&path, &fields).await.is(409, "\nat noon</textarea>");
}

#[both_engines]
async fn a_refused_text_is_shown_again(server: Server) {
    let mut fixture = DraftsFixture::new(&server).await;
    let id = fixture.draft("at noon").await;
    let path = format!("/drafts/{id}");
    let long = "x".repeat(4001);
    for (typed, why) in [("", "text must not be empty"), (long.as_str(), "at most 4000 characters")] {
        let page = fixture.browser.submit(&path, &[("decision", "send"), ("text", typed)]).await;
        page.is(422, why).is(422, &format!("\n{typed}</textarea>"));
    }
    // a form with this text is larger than 64 KiB, the maximum of most forms
    let enormous = "é".repeat(50_000);
    let page = fixture.browser.submit(&path, &[("decision", "send"), ("text", &enormous)]).await;
    page.is(422, "at most 4000 characters").is(422, &format!("\n{enormous}</textarea>"));
    // the CSRF token is invalid, like that of a form that was opened before a new sign-in
    let fields = [("csrf", "x"), ("decision", "send"), ("version", "1"), ("text", "at ten\r\nor so")];
    let page = fixture.browser.post(&path, &fields).await;
    page.is(403, "Nothing was changed").is(403, "\nat ten\nor so</textarea>");
    let hidden = page.form(&path).hidden;
    let of = |name: &str| hidden.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str());
    assert_eq!((of("decision"), of("version")), (Some("send"), Some("1")));
    let page = fixture.browser.submit(&path, &[("decision", "later"), ("text", "at ten")]).await;
    page.is(400, "send or to discard").is(400, "\nat ten</textarea>");
    let version = |page: &Page| page.form(&path).hidden.into_iter().find(|(name, _)| name == "version");
    let seen = fixture.browser.get(&path).await;
    let refused = fixture.browser.submit_on(&seen, &path, &[("decision", "send"), ("text", "")]).await;
    assert_eq!(version(&refused), version(&seen));
    assert!(fixture.company.messages(&fixture.group).await.is_empty());
}

#[both_engines]
async fn the_longest_text_is_shown_again_after_a_sign_out(server: Server) {
    let mut fixture = DraftsFixture::new(&server).await;
    let id = fixture.draft("at noon").await;
    let path = format!("/drafts/{id}");
    let page = fixture.browser.get(&path).await;
    fixture.browser.clone().submit_on(&page, "/signout", &[]).await.to();
    // each of these characters takes 12 bytes in the form
    let longest = "\u{1f980}".repeat(4_000);
    let refused = fixture.browser.submit_on(&page, &path, &[("decision", "send"), ("text", &longest)]).await;
    refused.is(401, "Sign in to send this").is(401, &format!("\n{longest}</textarea>"));
}

#[both_engines]
async fn a_form_with_an_earlier_version_of_the_draft_sends_nothing(server: Server) {
    let mut fixture = DraftsFixture::new(&server).await;
    let id = fixture.draft("at noon").await;
    let path = format!("/drafts/{id}");
    let csrf = fixture.browser.get(&path).await.csrf(&path);
    // After the page was opened, the assistant changes the draft. The server compares the version before it checks the
    // text.
    let seen = fixture.browser.get(&path).await;
    fixture.ann.ok("draft_message", json!({"draft_id": id, "text": "at midnight"})).await;
    for typed in ["at one", ""] {
        let page = fixture.browser.submit_on(&seen, &path, &[("decision", "send"), ("text", typed)]).await;
        page.is(409, "an assistant has changed the draft")
            .is(409, ">at midnight</blockquote>")
            .is(409, &format!("\n{typed}</textarea>"));
    }
    fixture
        .browser
        .submit_on(&seen, &path, &[("decision", "send")])
        .await
        .is(409, "\nat midnight</textarea>");
    assert!(fixture.company.messages(&fixture.group).await.is_empty());
    // a form without a version is accepted even if the draft has changed, and sends the text of the form
    let fields = [("csrf", csrf.as_str()), ("decision", "send"), ("text", "at one")];
    assert_eq!(fixture.browser.post(&path, &fields).await.see_other(), path);
    let messages = fixture.company.messages(&fixture.group).await;
    assert_eq!((messages.len(), &messages[0]["text"]), (1, &json!("at one")));
}

#[both_engines]
async fn a_form_with_the_decision_alone_sends_the_stored_text(server: Server) {
    // `text` and `version` are optional in the form of a scripted client (docs/pages.md)
    let mut fixture = DraftsFixture::new(&server).await;
    let id = fixture.draft("at noon").await;
    let path = format!("/drafts/{id}");
    let page = fixture.browser.get(&path).await;
    fixture.ann.ok("draft_message", json!({"draft_id": id, "text": "at midnight"})).await;
    let csrf = page.csrf(&path);
    // a form with the version of the earlier text sends nothing
    fixture.browser.submit_on(&page, &path, &[("decision", "send")]).await.is(409, "has changed the draft");
    let fields = [("csrf", csrf.as_str()), ("decision", "send")];
    assert_eq!(fixture.browser.post(&path, &fields).await.see_other(), path);
    let message = &fixture.company.messages(&fixture.group).await[0];
    assert_eq!((&message["text"], &message["via_label"]), (&json!("at midnight"), &json!("Calendar Helper")));
    fixture.browser.post(&path, &fields).await.is(409, "the draft was already sent or discarded");
    assert_eq!(fixture.company.messages(&fixture.group).await.len(), 1);
}

#[both_engines]
async fn nobody_else_sees_a_draft(server: Server) {
    let mut fixture = DraftsFixture::new(&server).await;
    let id = fixture.draft("at noon").await;
    let ben = server.assistant(&fixture.company, "Ben Example").await;
    let mut other = server.signed_in(&ben.employee.email, PASSWORD).await;
    other.get("/drafts").await.ok().hides("at noon");
    let csrf = other.get("/drafts").await.csrf("/signout");
    for path in [format!("/drafts/{id}"), "/drafts/x".to_owned()] {
        other.get(&path).await.is(404, "Draft not found");
        let fields = [("csrf", csrf.as_str()), ("decision", "send")];
        other.post(&path, &fields).await.is(404, "Draft not found");
    }
    let path = format!("/drafts/{id}");
    fixture.browser.post(&path, &[("decision", "send")]).await.is(403, "Please try again");
    assert!(fixture.company.messages(&fixture.group).await.is_empty());
}

#[both_engines]
async fn the_link_to_a_draft_survives_sign_in_and_the_choice_of_a_company(server: Server) {
    let fixture = DraftsFixture::new(&server).await;
    let id = fixture.draft("at noon").await;
    let path = format!("/drafts/{id}");
    let mut fresh = server.browser();
    let sent_away = fresh.get(&path).await;
    let sign_in = sent_away.to().to_owned();
    assert!(sign_in.starts_with("/signin?next=%2Fdrafts%2Fdrf_"), "{sign_in}");
    let fields = [("email", fixture.ann.employee.email.as_str()), ("password", PASSWORD)];
    let page = fresh.submit(&sign_in, &fields).await;
    assert_eq!(page.to(), path);
    fresh.get(&path).await.is(200, "at noon");

    // the account also belongs to a person of another company, and no company is chosen yet
    let other = server.company().await;
    other.person_with(json!({"name": "Ann Elsewhere", "email": fixture.ann.employee.email})).await;
    let mut both = server.browser();
    both.submit(&sign_in, &fields).await;
    // Without a chosen company, the server would refuse an event stream. `data-unchosen` makes the script open none.
    both.get(&path).await.is(200, "at noon").hides("href=\"/c/").shows(" data-unchosen>");
    both.get("/").await.is(200, "Choose a company");
    let done = both.submit(&path, &[("decision", "send")]).await;
    assert_eq!(done.see_other(), path);
    // the form has also chosen the company, so that the link to the message works
    let sent = both.get(&path).await;
    sent.shows("Show the message").shows(&format!("href=\"/c/{}/", fixture.group)).hides("data-unchosen");
    assert_eq!(fixture.company.messages(&fixture.group).await.len(), 1);
}

/// The script compares `data-sign-in` of a page with `data-sign-in` of the page `/start`, and reloads the page if they
/// differ. So on the page of a draft, `data-sign-in` depends on the company that the session has chosen. If it depended
/// on the company of the draft, the script would reload the page again and again.
#[both_engines]
async fn data_sign_in_of_a_draft_page_depends_on_the_chosen_company(server: Server) {
    let fixture = DraftsFixture::new(&server).await;
    let path = format!("/drafts/{}", fixture.draft("at noon").await);
    let email = &fixture.ann.employee.email;
    let other = server.company().await;
    other.person_with(json!({"name": "Ann Elsewhere", "email": email})).await;
    let mut browser = server.signed_in(email, PASSWORD).await;
    let page = browser.get("/").await;
    let mut choices = Vec::new();
    for company in [&fixture.company, &other] {
        browser.submit_on(&page, "/company", &[("workspace_id", &company.id)]).await.see_other();
        let [start, draft] = [browser.get("/start").await, browser.get(&path).await].map(|page| {
            let (_, rest) = page.text.split_once("data-sign-in=\"").expect("an attribute");
            rest.split_once('"').expect("a value").0.to_owned()
        });
        assert_eq!(start, draft);
        choices.push(start);
    }
    assert_ne!(choices[0], choices[1]);
}

/// The page of a sent draft links to the message. The link works only if the session has chosen the message's company,
/// so sending a draft chooses that company. The page of a discarded draft has no link.
#[both_engines]
async fn only_sending_a_draft_changes_the_chosen_company(server: Server) {
    let fixture = DraftsFixture::new(&server).await;
    let email = &fixture.ann.employee.email;
    let other = server.company().await;
    other.person_with(json!({"name": "Ann Elsewhere", "email": email})).await;
    let mut browser = server.signed_in(email, PASSWORD).await;
    let page = browser.get("/").await;
    browser.submit_on(&page, "/company", &[("workspace_id", &other.id)]).await.see_other();
    let elsewhere = "Ann Elsewhere";
    for (decision, says) in [("discard", "The draft was discarded"), ("send", "The message was sent to")] {
        let path = format!("/drafts/{}", fixture.draft(decision).await);
        browser.get("/start").await.shows(elsewhere);
        assert_eq!(browser.submit(&path, &[("decision", decision)]).await.see_other(), path);
        browser.get(&path).await.is(200, says);
    }
    browser.get("/start").await.ok().hides(elsewhere);
}

#[both_engines]
async fn only_the_browser_requires_the_check_box_on_a_draft(server: Server) {
    // An assistant knows the URL of the page, and could trick the owner of the draft into a double click on the button
    // (double-clickjacking). So the browser sends the form only if the box is checked. `tests/browser/drafts.test.js`
    // tests the browser.
    let mut fixture = DraftsFixture::new(&server).await;
    let (sent, discarded) = (fixture.draft("at noon").await, fixture.draft("never").await);
    let discard = "value=\"discard\" formnovalidate";
    for sends in ["direct", "confirm"] {
        let change = json!({"assistant_sends": sends});
        fixture.company.operator.patch(&fixture.company.path("")).json(&change).ok(200).await;
        for (path, boxes) in [("/drafts".to_owned(), 2), (format!("/drafts/{sent}"), 1)] {
            let page = fixture.browser.get(&path).await;
            let found = page.text.matches("type=\"checkbox\"").count();
            assert_eq!(found, if sends == "confirm" { boxes } else { 0 }, "{sends}: {path}");
            assert_eq!(
                page.text.matches(discard).count(),
                boxes,
                "the button that discards a draft does not require the box"
            );
        }
    }
    let field = format!("id=\"{sent}-confirm\" name=\"confirm\" value=\"true\" required");
    let path = format!("/drafts/{sent}");
    let page = fixture.browser.get(&path).await;
    page.shows(&field).hides(" checked");
    // a refused form has the box again, unchecked
    let refused = fixture.browser.submit_on(&page, &path, &[("decision", "send"), ("text", "")]).await;
    refused.is(422, &field).hides(" checked");
    for (id, decision) in [(&sent, "send"), (&discarded, "discard")] {
        let path = format!("/drafts/{id}");
        let done = fixture.browser.submit(&path, &[("decision", decision)]).await;
        assert_eq!(done.see_other(), path, "the server does not require the box");
    }
    assert_eq!(fixture.company.messages(&fixture.group).await.len(), 1);
}

/// A person who becomes a guest sees only the people with whom they share a conversation.
#[both_engines]
async fn a_draft_hides_a_recipient_whom_its_owner_no_longer_sees(server: Server) {
    let mut fixture = DraftsFixture::new(&server).await;
    let company = &fixture.company;
    let ben = company.person_with(json!({"name": "Ben Example"})).await;
    let gus = company.person_with(json!({"name": "Gus Guest", "is_external": true})).await;
    let mut drafts = Vec::new();
    for person in [&ben, &gus] {
        drafts.push(fixture.ann.drafts(json!({"person": person, "text": "between us"})).await);
    }
    fixture.browser.get("/drafts").await.shows("Ben Example").shows("Gus Guest");
    company.update_user(&gus, json!({"guest_visible": false})).await;
    fixture.browser.get("/drafts").await.shows("Ben Example").hides("Gus Guest");
    company.update_user(fixture.ann.id(), json!({"is_external": true})).await;
    for draft in &drafts {
        let page = fixture.browser.get(&format!("/drafts/{draft}")).await;
        page.is(200, "you no longer see").hides("Ben Example").hides("Gus Guest");
        let sent = fixture.browser.submit(&format!("/drafts/{draft}"), &[("decision", "send")]).await;
        sent.is(422, "The draft was not sent").hides("Ben Example").hides("Gus Guest");
    }
    company.group(&[fixture.ann.id(), &ben]).await;
    fixture.browser.get(&format!("/drafts/{}", drafts[0])).await.shows("Ben Example");
}
