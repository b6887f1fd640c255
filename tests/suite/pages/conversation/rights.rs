//! Who may send the forms of a conversation. A page is not sent to a person who was removed from the conversation.

use switchboard::{
    domain::{
        ids::{ConversationId, FileId, WorkspaceId},
        refusal::Code,
        search::SearchQuery,
        token,
    },
    pages::ROUTES,
    service::web_client::{reading::PageWindow, search::MessageSearch},
    store::{DatabaseUrl, Error},
};

use super::*;

/// The forms of a conversation: the path below `/c/{conversation}`, and fields that the server accepts from a person
/// who has the right to send the form.
const FORMS: [(&str, &[(&str, &str)]); 4] = [
    ("/messages", &[("text", "posted")]),
    ("/read", &[]),
    ("/{message}/edit", &[("text", "edited")]),
    ("/{message}/delete", &[]),
];

/// Forms that other files test.
const OTHERS: [&str; 2] = ["/join", "/{message}/actions"];

#[test]
fn every_form_of_a_conversation_is_listed() {
    for (path, methods) in ROUTES.iter().filter(|(_, methods)| methods.contains(&"POST")) {
        let Some(form) = path.strip_prefix("/c/{conversation}") else { continue };
        let is_listed = OTHERS.contains(&form) || FORMS.iter().any(|(listed, _)| *listed == form);
        assert!(is_listed, "add the form of {path} to FORMS, or to OTHERS if another file tests it");
        assert_eq!(methods.len(), 1, "the path of a form accepts POST only: {path}");
    }
}

fn path_of(conversation: &str, form: &str, message: &str) -> String {
    format!("/c/{conversation}{}", form.replace("{message}", message))
}

async fn csrf(browser: &mut Browser) -> String {
    browser.get("/settings/privacy").await.csrf("/settings/privacy")
}

#[both_engines]
async fn a_form_needs_a_session_and_its_token_and_must_come_from_this_site(server: Server) {
    let mut team = Team::new(&server).await;
    let message = team.company.post(&team.group, &team.ann, "as it is").await;
    let foreign = csrf(&mut team.bobs).await;
    for (form, fields) in FORMS {
        let path = path_of(&team.group, form, &message);
        for token in [None, Some(""), Some("x"), Some(&*foreign)] {
            let mut fields = fields.to_vec();
            fields.extend(token.map(|token| ("csrf", token)));
            team.anns.post(&path, &fields).await.is(403, "Nothing was changed");
            if form == "/messages" {
                let file = ("a.txt", "text/plain", &b"a"[..]);
                for files in [&[][..], &[file]] {
                    let body = multipart(&fields, files);
                    post_multipart(&mut team.anns, &path, &body).await.is(403, "Nothing was changed");
                }
            }
        }
        team.anns.headers = vec!["origin: https://evil.example".to_owned()];
        let own = csrf(&mut team.anns).await;
        let mut fields = fields.to_vec();
        fields.push(("csrf", &own));
        team.anns.post(&path, &fields).await.is(403, "from another site");
        team.anns.headers.clear();
        let signed_out = server.browser().post(&path, &fields).await;
        if fields.iter().any(|(name, _)| *name == "text") {
            signed_out.is(401, "Sign in to send this");
        } else {
            assert!(signed_out.to().starts_with("/signin"));
        }
    }
    let messages = team.company.messages(&team.group).await;
    assert_eq!((messages.len(), &messages[0]["text"]), (1, &json!("as it is")));
    assert_eq!(messages[0]["edits"], json!([]));
}

#[both_engines]
async fn a_conversation_is_not_found_by_people_who_are_not_members(server: Server) {
    let team = Team::new(&server).await;
    let company = &team.company;
    let open = company.conversation(json!({"member_ids": [team.ann], "type": "channel"})).await;
    let message = company.post(&open, &team.ann, "as it is").await;
    let file = company.file(&team.ann, "a", "text/plain", b"a").await;
    company.post_with(&open, &team.ann, json!({"file_ids": [file]})).await;
    let (_, admin) = colleague(&server, company, json!({"is_admin": true})).await;
    let (_, stranger) = colleague(&server, &server.company().await, json!({"is_admin": true})).await;
    let (left, former) = colleague(&server, company, json!({})).await;
    company.add(&open, &left).await;
    let own = company.post(&open, &left, "my own").await;
    company.remove(&open, &left).await;
    for (mut browser, message) in [(admin, &message), (stranger, &message), (former, &own)] {
        let csrf = csrf(&mut browser).await;
        for (form, fields) in FORMS {
            let mut fields = fields.to_vec();
            fields.push(("csrf", &csrf));
            let path = path_of(&open, form, message);
            browser.post(&path, &fields).await.is(404, "Page not found").hides("as it is");
        }
        let fields = [("csrf", csrf.as_str()), ("text", "posted")];
        let body = multipart(&fields, &[("a.txt", "text/plain", b"a")]);
        post_multipart(&mut browser, &format!("/c/{open}/messages"), &body).await.is(404, "Page not found");
        browser.get(&format!("/c/{open}/files/{file}")).await.is(404, "Page not found");
    }
    let messages = company.messages(&open).await;
    assert!(messages.iter().all(|message| message["deleted_at"].is_null() && message["edits"] == json!([])));
    assert!(messages.iter().all(|message| message["text"] != "posted"));
}

#[both_engines]
async fn a_form_changes_only_messages_of_the_conversation_in_its_path(server: Server) {
    let mut team = Team::new(&server).await;
    let other = team.company.group(&[&team.ann]).await;
    let message = team.company.post(&team.group, &team.ann, "as it is").await;
    let csrf = csrf(&mut team.anns).await;
    for wrong in [&*message, "x", "gmsg_0000000000001"] {
        for (form, fields) in &FORMS[2..] {
            let mut fields = fields.to_vec();
            fields.push(("csrf", &csrf));
            team.anns.post(&path_of(&other, form, wrong), &fields).await.is(404, "Message not found");
        }
    }
    assert_eq!(team.company.messages(&team.group).await[0]["text"], "as it is");
}

#[both_engines]
async fn guests_and_onboarding_people_post_and_admins_post_in_announcement_only_groups(server: Server) {
    let team = Team::new(&server).await;
    let company = &team.company;
    for (properties, announcement_only) in [
        (json!({"is_external": true}), false),
        (json!({"state": "onboarding"}), false),
        (json!({"is_admin": true}), true),
    ] {
        let (person, mut browser) = colleague(&server, company, properties).await;
        company.add(&team.group, &person).await;
        company.update_conversation(&team.group, json!({"announcement_only": announcement_only})).await;
        let page = browser.get(&team.path()).await;
        let form = format!("{}/messages", team.path());
        browser.submit_on(&page, &form, &[("text", "hello")]).await.see_other();
        assert_eq!(company.messages(&team.group).await[0]["user_id"], person);
    }
}

#[both_engines]
async fn the_rejected_form_of_an_announcement_only_or_archived_group_keeps_its_text(server: Server) {
    let mut team = Team::new(&server).await;
    let (path, form) = (team.path(), format!("{}/messages", team.path()));
    // the page was opened before the group became announcement-only
    let page = team.bobs.get(&path).await;
    team.company.update_conversation(&team.group, json!({"announcement_only": true})).await;
    let refused = team.bobs.submit_on(&page, &form, &[("text", "but I")]).await;
    assert_eq!(typed(refused.is(403, "Only admins can write here")), "but I");
    let file = ("a.txt", "text/plain", &b"a"[..]);
    let refused = send_files(&mut team.bobs, &page, "but I", &[file]).await;
    assert_eq!(typed(refused.is(403, "Only admins can write here")), "but I");
    team.company.archive(&team.group, true).await;
    team.company.update_conversation(&team.group, json!({"announcement_only": false})).await;
    let refused = team.bobs.submit_on(&page, &form, &[("text", "but I")]).await;
    assert_eq!(typed(refused.is(409, "This group is archived")), "but I");
    assert_eq!(team.company.messages(&team.group).await.len(), 0);
}

/// The person is removed from the group after the server has read the data of the page, and before the server sends
/// the page.
#[both_engines]
async fn a_page_is_not_sent_after_its_reader_was_removed(server: Server) {
    let team = Team::new(&server).await;
    let company = &team.company;
    let file = company.file(&team.ann, "a.txt", "text/plain", b"secret").await;
    company.post_with(&team.group, &team.ann, json!({"text": "a secret", "file_ids": [file]})).await;
    server.settle().await;
    let world = server.running().world();
    let session = token::hash(team.bobs.session().unwrap());
    let (group, file) = (ConversationId::parse(&team.group), FileId::parse(&file));
    let as_of = world.as_of();
    let caller = world.session(session).await.unwrap();
    let person = caller.person_in(WorkspaceId::parse(&company.id).unwrap()).unwrap();
    let page = person.read_conversation(group, PageWindow::Newest).await.unwrap();
    let shown = person.shown(&page);
    let (_, with_file) = person.file_link_in(group, file).await.unwrap();
    let search = MessageSearch {
        query: SearchQuery::parse("secret").unwrap(),
        conversation: None,
        sender: None,
        since: None,
    };
    let found = person.search(search, 10, None).await.unwrap();
    let [in_search] = person.shown_in_search(&found)[..] else { panic!("one conversation") };
    for shown in [shown, with_file, in_search] {
        caller.confirm_everywhere(vec![shown]).await.unwrap();
        // SQLite has no locks to hold, and returns `Ok(false)`
        let is_held = caller.hold_everywhere(vec![shown]).await.unwrap();
        assert_eq!(is_held, matches!(server.database.url, DatabaseUrl::Postgres(_)));
    }
    company.remove(&team.group, &team.bob).await;
    assert!(!world.is_current(&as_of), "a removal is a revocation, so earlier reads are not current");
    let is_not_found = async || {
        for shown in [shown, with_file, in_search] {
            match caller.confirm_everywhere(vec![shown]).await {
                Err(Error::Refused(refusal)) => assert_eq!(refusal.code, Code::ConversationNotFound),
                other => panic!("{other:?}"),
            }
            assert!(!matches!(caller.hold_everywhere(vec![shown]).await, Ok(true)));
        }
    };
    is_not_found().await;
    // a person who joins again does not see earlier messages, so the page from before the removal is still not sent
    company.add(&team.group, &team.bob).await;
    is_not_found().await;
    caller.confirm_everywhere(Vec::new()).await.unwrap();
}
