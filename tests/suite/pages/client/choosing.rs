//! The start page, and the choice of a company.

use serde_json::json;

use crate::{
    pages::{
        colleague,
        conversation::{multipart, post_multipart},
    },
    support::{assistant::PASSWORD, *},
};

#[both_engines]
async fn people_of_several_companies_choose_one(server: Server) {
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
    // the choice belongs to the session
    let mut elsewhere = server.signed_in(email, PASSWORD).await;
    assert_eq!(elsewhere.get("/conversations").await.to(), "/?next=%2Fconversations");
    for wrong in [other.id.as_str(), "cmp_0000000000001", ""] {
        browser.submit_on(&page, "/company", &[("workspace_id", wrong)]).await.is(404, "Page not found");
    }
    browser.post("/company", &[("workspace_id", &two.id)]).await.is(403, "Please try again");
    browser.get("/conversations").await.shows(&here);
    // with one company left there is nothing to choose
    one.set_state(&first, "deactivated").await;
    browser.get("/conversations").await.shows(&there).hides(&here);
}

/// Two people of one account, in two companies, and a browser in which the account is signed in.
async fn two_companies(server: &Server, email: &str) -> ([(Company, String); 2], browser::Browser) {
    let (one, two) = (server.company().await, server.company().await);
    let first = one.person_with(json!({"email": email, "password": PASSWORD})).await;
    let second = two.person_with(json!({"email": email})).await;
    ([(one, first), (two, second)], server.signed_in(email, PASSWORD).await)
}

#[both_engines]
async fn an_address_is_opened_after_the_choice_of_a_company(server: Server) {
    let email = "linked@choosing.example";
    let ([(one, me), (two, _)], mut browser) = two_companies(&server, email).await;
    let group = one.group(&[&me]).await;
    let message = one.post(&group, &me, "the linked message").await;
    let link = format!("/c/{group}/{message}");
    // from the sign-in page, over the choice of a company, to the message
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
    // in another window the company was chosen meanwhile
    assert_eq!(browser.get(&choice).await.to(), link);
    // only addresses of this site
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
        // opening the address changes nothing
        browser.get("/conversations").await.hides(&group);
        let answer = browser.submit_on(&offer, "/company", &[]).await;
        assert_eq!(answer.see_other(), link);
        browser.get(&link).await.shows("the linked message");
        browser.submit_on(&page, "/company", &[("workspace_id", &two.id)]).await.see_other();
    }
    // only what the person sees there
    for hidden in [closed.as_str(), "grp_0000000000001"] {
        browser.get(&format!("/c/{hidden}")).await.is(404, "Page not found").hides("action=\"/company\"");
    }
    one.remove(&group, &me).await;
    browser.get(&format!("/c/{group}")).await.is(404, "Page not found");
}

/// The script cannot distinguish a redirect from success, so a redirect would lose the message.
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

#[both_engines]
async fn the_start_page_leads_to_what_people_do_first(server: Server) {
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
