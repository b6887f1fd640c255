//! Hostile texts in the URL of a page, and in the names of the person and the company, appear on pages as text, never
//! as markup. Sign-in never leads to another site.

use serde_json::json;
use url::Url;

use super::{Kind, Reader, Test, corpus, encoded, marked};
use crate::{pages::Office, support::Server};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn texts_in_a_url_are_shown_as_text() {
    let server = Server::sqlite().await;
    let office = Office::new(&server).await;
    let group = office.company.group(&[&office.admin_id]).await;
    let mut reader = Reader::new(office.admin.clone(), &server.base);
    for text in corpus() {
        let q = encoded(&text);
        // a text with U+0000 is not expected on the page, because pages may reject or replace this character
        let echo = if text.contains('\0') { "" } else { text.trim() };
        for path in [
            format!("/conversations?q={q}"),
            format!("/people?q={q}"),
            format!("/search?q={q}"),
            format!("/admin/people?query={q}"),
            format!("/admin/activity?person={q}"),
        ] {
            reader.shows(&path, echo).await;
        }
        // these pages need not show the text; `open` checks that the text adds no markup
        for path in [
            format!("/?workspace_id={q}&x={q}"),
            format!("/start?workspace_id={q}&done={q}"),
            format!("/settings?workspace_id={q}"),
            format!("/admin?workspace_id={q}"),
            format!("/conversations?show={q}&cursor={q}"),
            format!("/conversations/new?kind={q}&name={q}&parent_id={q}"),
            format!("/people?cursor={q}"),
            format!("/people/{q}"),
            format!("/search?q=x&in={q}&from={q}&since={q}&cursor={q}"),
            format!("/settings/activity?client_id={q}&tool={q}&since={q}&cursor={q}&workspace_id={q}"),
            format!("/settings/activity?since={q}"),
            format!("/settings/activity?client_id={q}"),
            format!("/settings/connections?workspace_id={q}&done={q}"),
            format!("/settings/privacy?done={q}"),
            format!("/admin/activity?client_id={q}&tool={q}&since={q}"),
            format!("/admin/people?workspace_id={q}"),
            format!("/admin/people?done={q}&cursor={q}"),
            format!("/admin/assistants?cursor={q}&done={q}"),
            format!("/admin/apps?done={q}"),
            format!("/drafts?cursor={q}"),
            format!("/drafts/{q}"),
            format!("/c/{q}"),
            format!("/c/{group}?before={q}"),
            format!("/c/{group}?after={q}"),
            format!("/c/{group}?done={q}"),
            format!("/c/{group}/{q}"),
            format!("/c/{group}/files/{q}"),
            format!("/authorize?client_id={q}&state={q}&error={q}&error_description={q}"),
            format!("/authorize/consent?request={q}"),
            format!("/oauth/authorize?client_id={q}&redirect_uri={q}&state={q}&error={q}"),
        ] {
            reader.open(&path).await;
        }
    }
    reader.assert_covers(Test::Address);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sign_in_leads_to_this_site_only() {
    let server = Server::sqlite().await;
    let origin = Url::parse(&server.base).unwrap().origin();
    let mut reader = Reader::new(server.browser(), &server.base);
    for text in corpus() {
        for next in [text.clone(), format!("/{text}"), format!("/search?q={text}#{text}")] {
            let page = reader.open(&format!("/signin?next={}", encoded(&next))).await;
            let form = page.form("/signin");
            let (_, kept) = form.hidden.iter().find(|(name, _)| name == "next").expect("the field `next`");
            let to = Url::parse(&server.base).unwrap().join(kept).unwrap();
            assert_eq!(to.origin(), origin, "sign-in leads to this site only: {next:?} leads to {to}");
        }
    }
    reader.assert_covers(Test::SignIn);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_of_the_person_and_the_company_are_shown_as_text() {
    let server = Server::sqlite().await;
    let office = Office::new(&server).await;
    let app = server.app(&["users:read"]).await;
    let client = server.client().await;
    let mut reader = Reader::new(office.admin.clone(), &server.base);
    // `begin_for` requests the consent page with the browser id of `known_browser`; only a browser with this id can
    // open the consent page
    reader.browser.cookies.extend(server.known_browser().cookies);
    let query = [("client_id", app.client_id.as_str()), ("redirect_uri", "https://app.example/callback")];
    let install = format!("/oauth/authorize?{}", serde_urlencoded::to_string(query).unwrap());
    for text in corpus().iter().filter(|text| !text.contains('\0')) {
        let (name, company) = (marked(Kind::Person, 0, text, 200), marked(Kind::Company, 0, text, 200));
        office.company.update_user(&office.admin_id, json!({"name": name, "title": text})).await;
        let path = office.company.path("");
        office.company.operator.patch(&path).json(&json!({"name": company})).ok(200).await;
        let request = server.begin_for(&client, &[]).await.request();
        let consent = format!("/authorize/consent?request={}", encoded(&request));
        for path in ["/start", "/settings/privacy", "/admin/people", &install, &consent] {
            reader.shows(path, &name).await;
        }
        for path in ["/start", "/settings/connections", "/admin/assistants", &install, &consent] {
            reader.shows(path, &company).await;
        }
    }
    reader.assert_covers(Test::Names);
}
