//! The start page, and the choice of a company by an account that has a person in each of several companies.

use serde_json::json;

use crate::{
    pages::{
        colleague,
        conversation::{multipart, post_multipart},
    },
    support::{assistant::PASSWORD, *},
};

#[both_engines]
async fn an_account_in_several_companies_chooses_one(server: Server) {
    let (one, two, other) = (server.company().await, server.company().await, server.company().await);
    let email = "several@choosing.example";
    let first = one.person_with(json!({"email": email, "password": PASSWORD})).await;
    let second = two.person_with(json!({"email": email})).await;
    let (here, there) = (one.group(&[&first]).await, two.group(&[&second]).await);
    let mut browser = server.signed_in(email, PASSWORD).await;
    let page = browser.get("/").await;
    page.shows(&format!("value=\"{}\"", one.id)).shows(&format!("value=\"{}\"", two.id));
    for path in ["/conversations", "/people", "/search?q=a", "/start", "/conversations/new"] {
        let next = serde_urlencoded::to_string([("next", path)]).unwrap();
        assert_eq!(browser.get(path).await.to(), format!("/?{next}"));
    }
    for (company, shown, hidden) in [(&one, &here, &there), (&two, &there, &here), (&one, &here, &there)] {
        let answer = browser.submit_on(&page, "/company", &[("workspace_id", &company.id)]).await;
        assert_eq!(answer.see_other(), "/");
        browser.get("/conversations").await.shows(shown).hides(hidden);
    }
    // the choice belongs to the session, so no company is chosen in another session of the account
    let mut elsewhere = server.signed_in(email, PASSWORD).await;
    assert_eq!(elsewhere.get("/conversations").await.to(), "/?next=%2Fconversations");
    for wrong in [other.id.as_str(), "cmp_0000000000001", ""] {
        browser.submit_on(&page, "/company", &[("workspace_id", wrong)]).await.is(404, "Page not found");
    }
    browser.post("/company", &[("workspace_id", &two.id)]).await.is(403, "Please try again");
    browser.get("/conversations").await.shows(&here);
    // if only one company is left, the person need not choose
    one.set_state(&first, "deactivated").await;
    browser.get("/conversations").await.shows(&there).hides(&here);
}

/// Creates two people of one account, in two companies, and a browser in which the account is signed in.
async fn two_companies(server: &Server, email: &str) -> ([(Company, String); 2], browser::Browser) {
    let (one, two) = (server.company().await, server.company().await);
    let first = one.person_with(json!({"email": email, "password": PASSWORD})).await;
    let second = two.person_with(json!({"email": email})).await;
    ([(one, first), (two, second)], server.signed_in(email, PASSWORD).await)
}

#[both_engines]
async fn a_link_is_opened_after_the_choice_of_a_company(server: Server) {
    let email = "linked@choosing.example";
    let ([(one, me), (two, _)], mut browser) = two_companies(&server, email).await;
    let group = one.group(&[&me]).await;
    let message = one.post(&group, &me, "the linked message").await;
    let link = format!("/c/{group}/{message}");
    // after sign-in, the link leads to the choice of a company, and the choice leads to the message
    browser.cookies.clear();
    let page = browser.get(&link).await;
    let page = browser.get(page.to()).await;
    let fields = [("email", email), ("password", PASSWORD)];
    let signed_in = browser.submit_on(&page, "/signin", &fields).await.to().to_owned();
    assert_eq!(signed_in, link);
    let choice = browser.get(&link).await.to().to_owned();
    let page = browser.get(&choice).await;
    let answer = browser.submit_on(&page, "/company", &[("workspace_id", &one.id)]).await;
    assert_eq!(answer.see_other(), link);
    browser.get(&link).await.shows("the linked message");
    // when a company has been chosen, for example in another window, the page for the choice redirects to the link
    assert_eq!(browser.get(&choice).await.to(), link);
    // the redirect ignores a `next` that leads to another site or to the sign-out
    for evil in ["//evil.example", "https://evil.example", "/\\evil.example", "/signout"] {
        let answer = browser.submit_on(&page, "/company", &[("workspace_id", &two.id), ("next", evil)]).await;
        assert_eq!(answer.see_other(), "/");
        let query = serde_urlencoded::to_string([("next", evil)]).unwrap();
        browser.get(&format!("/?{query}")).await.shows("Hello");
    }
}

#[both_engines]
async fn a_link_to_the_other_company_offers_to_switch(server: Server) {
    let ([(one, me), (two, _)], mut browser) = two_companies(&server, "switched@choosing.example").await;
    let other = one.person().await;
    let group = one.group(&[&me, &other]).await;
    let (closed, message) = (one.group(&[&other]).await, one.post(&group, &me, "the linked message").await);
    let page = browser.get("/").await;
    browser.submit_on(&page, "/company", &[("workspace_id", &two.id)]).await.see_other();
    for link in [format!("/c/{group}/{message}"), format!("/c/{group}")] {
        let offer = browser.get(&link).await;
        offer.is(404, "Open the other company?").hides("the linked message");
        // opening the link does not change the chosen company
        browser.get("/conversations").await.ok().hides(&group);
        let answer = browser.submit_on(&offer, "/company", &[]).await;
        assert_eq!(answer.see_other(), link);
        browser.get(&link).await.shows("the linked message");
        browser.submit_on(&page, "/company", &[("workspace_id", &two.id)]).await.see_other();
    }
    // the other company is offered only if the person sees the conversation there
    for hidden in [closed.as_str(), "grp_0000000000001"] {
        browser.get(&format!("/c/{hidden}")).await.is(404, "Page not found").hides("action=\"/company\"");
    }
    one.remove(&group, &me).await;
    browser.get(&format!("/c/{group}")).await.is(404, "Page not found");
}

#[both_engines]
async fn every_link_to_the_other_company_offers_to_switch(server: Server) {
    let ([(one, me), (two, _)], mut browser) = two_companies(&server, "links@choosing.example").await;
    let other = one.person_with(json!({"name": "Petra Profile"})).await;
    let group = one.group(&[&me, &other]).await;
    let file = one.file(&other, "a.txt", "text/plain", b"a").await;
    one.post_with(&group, &other, json!({"type": "file", "file_ids": [file]})).await;
    let page = browser.get("/").await;
    let links = [
        format!("/people/{other}"),
        format!("/search?in={group}"),
        format!("/search?q=a&in={group}"),
        format!("/search?q=a&from={other}"),
        format!("/conversations/new?parent_id={group}"),
        format!("/c/{group}/files/{file}"),
    ];
    for link in &links {
        let next = serde_urlencoded::to_string([("next", link)]).unwrap();
        let to = browser.get(link).await.to().to_owned();
        assert_eq!(to, format!("/?{next}"), "until a company is chosen, a link redirects to the choice");
    }
    browser.submit_on(&page, "/company", &[("workspace_id", &two.id)]).await.see_other();
    for link in &links {
        let offer = browser.get(link).await;
        offer.is(404, "Open the other company?").hides("Petra Profile");
        let answer = browser.submit_on(&offer, "/company", &[]).await;
        assert_eq!(answer.see_other(), link);
        let opened = browser.get(link).await;
        assert!([200, 302].contains(&opened.wire.status), "{link} opens after the switch: {}", opened.text);
        browser.submit_on(&page, "/company", &[("workspace_id", &two.id)]).await.see_other();
    }
    // a window still shows a person's page of company `one`; the page's form is submitted after the switch to `two`
    let csrf = page.csrf("/company");
    let offer = browser.post("/dm", &[("user_id", &other), ("csrf", &csrf)]).await;
    offer.is(404, "Open the other company?");
    assert_eq!(browser.submit_on(&offer, "/company", &[]).await.see_other(), format!("/people/{other}"));
    browser.submit_on(&page, "/company", &[("workspace_id", &two.id)]).await.see_other();
    // the other company is offered only if the person sees the resource there
    let (hidden, stranger) = (one.group(&[&other]).await, server.company().await.person().await);
    browser.get(&format!("/people/{stranger}")).await.is(404, "Nobody found");
    browser.get(&format!("/search?q=a&from={stranger}")).await.is(404, "There is no such person");
    browser.get(&format!("/search?q=a&in={hidden}")).await.is(404, "you are not a member of it");
    browser.get(&format!("/c/{hidden}/files/{file}")).await.is(404, "Page not found");
    browser.get(&format!("/c/{group}/files/fil_0000000000001")).await.is(404, "Page not found");
}

/// Until a company is chosen, a request of the web client's script gets an error, not a redirect to the choice. The
/// script would take a redirect for success, and the message that it sends would be lost.
#[both_engines]
async fn a_script_without_a_chosen_company_is_refused(server: Server) {
    let ([(one, me), _], mut browser) = two_companies(&server, "scripted@choosing.example").await;
    let group = one.group(&[&me]).await;
    let page = browser.get("/").await;
    let csrf = page.csrf("/company");
    browser.headers.push("x-switchboard-script: 1".into());
    for path in ["/start", "/conversations", "/conversations/live", &format!("/c/{group}")] {
        browser.get(path).await.is(409, "you have not chosen a company");
    }
    let fields = [("csrf", csrf.as_str()), ("text", "lost?")];
    let (form, upload) =
        (format!("/c/{group}/messages"), multipart(&fields, &[("a.txt", "text/plain", b"a")]));
    browser.post(&form, &fields).await.is(409, "Nothing was changed").hides("lost?");
    post_multipart(&mut browser, &form, &upload).await.is(409, "Nothing was changed");
    browser.post(&format!("/c/{group}/read"), &fields).await.is(409, "Nothing was changed");
    browser.post("/company", &[("csrf", &csrf), ("workspace_id", &one.id)]).await.see_other();
    browser.post(&form, &fields).await.see_other();
    post_multipart(&mut browser, &form, &upload).await.see_other();
    assert_eq!(one.messages(&group).await.len(), 2);
}

/// The escaped text of [`TEXT`] at the end of an error page's text area.
const KEPT: &str = "kept &#60;text&#62;</textarea>";
/// The form field with the typed text.
const TEXT: (&str, &str) = ("text", "kept <text>");

/// Without a script, the typed text would be lost if the error page did not contain it.
#[both_engines]
async fn a_typed_text_is_kept_until_a_company_is_chosen(server: Server) {
    let email = "typed@choosing.example";
    let ([(one, me), _], mut browser) = two_companies(&server, email).await;
    let group = one.group(&[&me]).await;
    let message = one.post(&group, &me, "as it was").await;
    let (form, edit) = (format!("/c/{group}/messages"), format!("/c/{group}/{message}/edit"));
    let page = browser.get("/").await;
    browser.submit_on(&page, "/signout", &[]).await.to();
    let fields = [("csrf", "x"), ("client_key", "a-key-of-the-page"), TEXT];
    let signed_out = browser.post(&form, &fields).await;
    signed_out.is(401, "Sign in to send this").is(401, KEPT);
    // the person signs in again in another window
    browser.sign_in(email, PASSWORD, &format!("/c/{group}")).await.to();
    let stale = browser.submit_on(&signed_out, &form, &[TEXT]).await;
    let undecided = browser.submit_on(stale.is(403, "Please try again"), &form, &[TEXT]).await;
    let next = serde_urlencoded::to_string([("next", format!("/c/{group}"))]).unwrap();
    let link = format!("href=\"/?{next}\">Choose a company</a>");
    undecided.is(409, "Choose a company first").is(409, KEPT).is(409, &link);
    let csrf = undecided.csrf(&form);
    let fields = [("csrf", csrf.as_str()), ("client_key", "a-key-of-the-page"), TEXT];
    for files in [&[][..], &[("a.txt", "text/plain", &b"a"[..])]] {
        let upload = post_multipart(&mut browser, &form, &multipart(&fields, files)).await;
        upload.is(409, "Choose a company first").is(409, KEPT).is(409, "Files have to be chosen again");
    }
    let edited = browser.post(&edit, &fields).await;
    edited.is(409, "Choose a company first").is(409, KEPT);
    // a form without the field `text` has nothing to keep, so the response redirects to the choice
    assert!(browser.post(&form, &fields[..2]).await.to().starts_with("/?next="));
    let page = browser.get("/").await;
    browser.submit_on(&page, "/company", &[("workspace_id", &one.id)]).await.see_other();
    browser.submit_on(&undecided, &form, &[TEXT]).await.see_other();
    browser.submit_on(&edited, &edit, &[TEXT]).await.see_other();
    let texts: Vec<_> = one.messages(&group).await.iter().map(|found| found["text"].clone()).collect();
    assert_eq!(texts, [TEXT.1, TEXT.1]);
}

#[both_engines]
async fn a_typed_text_is_kept_after_the_choice_of_another_company(server: Server) {
    let ([(one, me), (two, _)], mut browser) = two_companies(&server, "moved@choosing.example").await;
    let other = one.person().await;
    let (group, closed) = (one.group(&[&me]).await, one.group(&[&other]).await);
    let message = one.post(&group, &me, "as it was").await;
    let page = browser.get("/").await;
    browser.submit_on(&page, "/company", &[("workspace_id", &two.id)]).await.see_other();
    let csrf = page.csrf("/company");
    let fields = [("csrf", csrf.as_str()), TEXT];
    let edit = |group: &str| format!("/c/{group}/{message}/edit");
    let mut pages = Vec::new();
    for group in [group.as_str(), &closed, "grp_0000000000001"] {
        let form = format!("/c/{group}/messages");
        let upload = multipart(&fields, &[("a.txt", "text/plain", b"a")]);
        // the server rejects this file name before it reads the conversation
        let unreadable = multipart(&fields, &[("a\u{1}b", "text/plain", b"a")]);
        let refused = [
            browser.post(&form, &fields).await,
            post_multipart(&mut browser, &form, &upload).await,
            browser.post(&edit(group), &fields).await,
            post_multipart(&mut browser, &form, &unreadable).await,
        ];
        for refused in &refused {
            refused.is(404, "another of your companies").is(404, KEPT).hides("as it was").hides(&one.id);
            refused.is(404, "Page not found").is(404, "Try again").hides("Open the other company?");
        }
        pages.push(refused);
    }
    let anonymous = |group: &str, page: &browser::Page| {
        let text = page.text.replace(group, "").replace(&page.csrf("/signout"), "");
        let id = text.find("<p class=\"fine\">Request").expect("a request id");
        text[..id].to_owned()
    };
    for at in [0, 1, 2, 3] {
        let [own, hidden, unknown] = [(0, &*group), (1, &*closed), (2, "grp_0000000000001")]
            .map(|(which, group)| anonymous(group, &pages[which][at]));
        let rule = "the error page does not reveal whether the conversation exists";
        assert_eq!((&own, &hidden), (&unknown, &unknown), "{rule}");
    }
    browser.submit_on(&page, "/company", &[("workspace_id", &one.id)]).await.see_other();
    for (at, form) in [(0, format!("/c/{group}/messages")), (2, edit(&group))] {
        browser.submit_on(&pages[0][at], &form, &[TEXT]).await.see_other();
    }
    let texts: Vec<_> = one.messages(&group).await.iter().map(|found| found["text"].clone()).collect();
    assert_eq!(texts, [TEXT.1, TEXT.1]);
}

#[both_engines]
async fn the_start_page_links_to_the_first_steps(server: Server) {
    let company = server.company().await;
    let (me, mut browser) = colleague(&server, &company, json!({"name": "Ada"})).await;
    let page = browser.get("/").await;
    page.shows("Hello, Ada").shows("You are in no conversation yet");
    for path in ["/people", "/conversations/new", "/conversations?show=open", "/settings/privacy"] {
        page.shows(&format!("href=\"{path}\""));
    }
    let group = company.group(&[&me]).await;
    browser.get("/").await.shows("Choose a conversation").shows(&format!("href=\"/c/{group}\""));
    browser.get("/start").await.shows("Hello, Ada");
    let (_, mut guest) = colleague(&server, &company, json!({"is_external": true})).await;
    guest.get("/").await.shows("Write to somebody").hides("show=open");
    let mut nobody = server.browser();
    for path in ["/start", "/conversations", "/people", "/search", "/people/usr_0000000000001"] {
        let page = nobody.get(path).await;
        assert!(page.to().starts_with("/signin?next="), "{path}");
    }
}

#[both_engines]
async fn a_deactivated_person_is_signed_out(server: Server) {
    let company = server.company().await;
    let (me, mut browser) = colleague(&server, &company, json!({})).await;
    browser.get("/conversations").await.shows("Conversations");
    company.set_state(&me, "deactivated").await;
    assert_eq!(browser.get("/conversations").await.to(), "/signin?next=%2Fconversations");
}
