//! Rules for all pages. `support::browser` checks the headers of every page.

use std::{fs, path::Path};

use serde_json::json;
use switchboard::pages::ROUTES;

use super::{Office, conversation::link};
use crate::support::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_route_leads_to_a_page() {
    let server = Server::sqlite().await;
    let mut office = Office::new(&server).await;
    let group = office.company.group(&[&office.admin_id]).await;
    let file = office.company.file(&office.admin_id, "a", "text/plain", b"a").await;
    let sent = json!({"file_ids": [file]});
    let message = office.company.post_with(&group, &office.admin_id, sent).await;
    // event streams do not end, so they are left out here; the tests in `live/` read them
    for (path, methods) in ROUTES.iter().filter(|(path, _)| !path.ends_with("/live")) {
        let ids = [("{conversation}", &group), ("{message}", &message), ("{file}", &file)];
        let path = &ids.into_iter().fold((*path).to_owned(), |path, (name, id)| path.replace(name, id));
        for method in *methods {
            // a POST without a CSRF token is rejected, but not with the page "Page not found"
            let page = office.admin.send(method, path, &[], b"").await;
            assert_ne!(page.wire.status, 405, "{method} {path}");
            assert!(!page.text.contains("Page not found"), "`Pages::handle` has a page for {method} {path}");
        }
        // the sign-out without a CSRF token was rejected, so the session is still valid
        office.admin.get("/start").await.is(200, "");
    }
}

/// The path of many forms accepts only POST, so a link cannot lead to it. Instead, the error page of a rejected form
/// links to a page. If the visitor is not signed in, the response redirects to the sign-in, and `next` is the path of
/// the same page.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_form_leads_back_to_a_page() {
    let server = Server::sqlite().await;
    let mut office = Office::new(&server).await;
    let group = office.company.group(&[&office.admin_id]).await;
    let message = office.company.post(&group, &office.admin_id, "a message").await;
    // These forms get other responses. The parameters of the two `authorize` forms are checked before the session and
    // the CSRF token. `/signin` needs no session.
    let exempt = ["/signin", "/oauth/authorize", "/authorize/consent"];
    for (path, methods) in ROUTES.iter().filter(|(path, _)| !exempt.contains(path)) {
        if !methods.contains(&"POST") {
            continue;
        }
        let ids = [("{conversation}", &*group), ("{message}", &*message), ("{draft}", "drf_0000000000001")];
        let path = &ids.into_iter().fold((*path).to_owned(), |path, (name, id)| path.replace(name, id));
        let refused = office.admin.post(path, &[]).await;
        refused.is(403, "Nothing was changed");
        let page = link(&refused, "Open the page again").expect("a link");
        let linked = office.admin.get(&page).await;
        assert_ne!(linked.wire.status, 405, "the error page of {path} links to a page: {page}");
        if path == "/signout" {
            continue;
        }
        let away = server.browser().post(path, &[]).await;
        let (_, query) = away.to().split_once('?').expect("a query");
        let fields: Vec<(String, String)> = serde_urlencoded::from_str(query).unwrap();
        assert_eq!((fields[0].0.as_str(), &fields[0].1), ("next", &page), "{path}");
    }
}

#[test]
fn every_page_is_documented() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pages.md")).unwrap();
    // these two paths only redirect to the first page below them
    for (path, _) in ROUTES.iter().filter(|(path, _)| !["/settings", "/admin"].contains(path)) {
        let is_named = page.lines().any(|line| line.starts_with("| ") && line.contains(&format!("`{path}`")));
        assert!(is_named, "the table of docs/pages.md has a line for {path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unknown_paths_get_an_error_page_or_the_error_envelope_of_an_api() {
    let server = Server::sqlite().await;
    let mut office = Office::new(&server).await;
    for path in
        ["/signin/", "/signin/x", "/settings/x", "/admin/x", "/admin/people/x", "/authorize/x", "/assets/x"]
    {
        office.admin.get(path).await.is(404, "Page not found");
    }
    for path in ["/admin/v1", "/admin/v1/x", "/oauth/x", "/oauth/authorize/", "/x", "/v1/x"] {
        office.admin.get(path).await.wire.refused(404, "not_found");
    }
    // A-009, D-278: a method that a path does not support gets 405 with `Allow`
    for (method, path, allow) in [
        ("POST", "/authorize", "GET, HEAD"),
        ("DELETE", "/authorize/consent", "GET, HEAD, POST"),
        ("POST", "/", "GET, HEAD"),
        ("GET", "/signout", "POST"),
        ("PUT", "/admin/people", "GET, HEAD, POST"),
        ("OPTIONS", "/authorize", "GET, HEAD"),
    ] {
        let page = office.admin.send(method, path, &[], b"").await;
        page.is(405, "Not possible here");
        assert_eq!(page.header("allow"), Some(allow), "{method} {path}");
    }
    // `/oauth/token` belongs to the bot API, whose errors are JSON
    office.admin.get("/oauth/token").await.wire.envelope(405);
    assert_eq!(office.admin.get("/settings").await.to(), "/settings/connections");
    assert_eq!(office.admin.get("/admin").await.to(), "/admin/assistants");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_stylesheet_and_the_icon_are_cached_for_a_year() {
    let server = Server::sqlite().await;
    let mut browser = server.browser();
    let page = browser.get("/signin").await;
    for (prefix, media_type) in
        [("rel=\"stylesheet\" href=\"", "text/css; charset=utf-8"), ("rel=\"icon\" href=\"", "image/svg+xml")]
    {
        let path = page.text.split(prefix).nth(1).unwrap().split('"').next().unwrap();
        let asset = browser.get(path).await;
        assert_eq!(asset.wire.status, 200);
        assert_eq!(asset.header("content-type"), Some(media_type));
        assert_eq!(asset.header("cache-control"), Some("public, max-age=31536000, immutable"));
        assert!(
            !asset.text.replace("http://www.w3.org/2000/svg", "").contains("://"),
            "a stylesheet or icon loads nothing from other sites"
        );
        browser.send("POST", path, &[], b"").await.is(405, "Not possible here");
    }
    let head = server.api().http.head(format!("{}/signin", server.base)).send().await.unwrap();
    assert_eq!(
        (head.status().as_u16(), head.headers()["content-type"].as_bytes()),
        (200, &b"text/html; charset=utf-8"[..])
    );
}

/// During a rolling upgrade, a page may come from a node of one version, and the request for its asset may reach a node
/// of another version.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_asset_of_another_version_is_served_but_not_cached() {
    let server = Server::sqlite().await;
    let mut browser = server.browser();
    let page = browser.get("/signin").await;
    let path = page.text.split("rel=\"stylesheet\" href=\"").nth(1).unwrap().split('"').next().unwrap();
    let (name, _) = path.rsplit_once('-').unwrap();
    let own = browser.get(path).await;
    let other = browser.get(&format!("{name}-0123456789abcdef.css")).await;
    assert_eq!(other.wire.status, 200);
    assert_eq!(other.text, own.text, "the node serves its own version");
    assert_eq!(other.header("content-type"), own.header("content-type"));
    assert_eq!(other.header("cache-control"), Some("no-store"));
    for wrong in ["", "-", ".css", "-0123.css", "-0123456789abcdeg.css", "-0123456789abcdef.js"] {
        browser.get(&format!("{name}{wrong}")).await.is(404, "Page not found");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_error_is_a_page_without_details() {
    let server = Server::sqlite().await;
    let mut office = Office::new(&server).await;
    let switchboard::store::DatabaseUrl::Sqlite(file) = &server.database.url else {
        panic!("this is SQLite")
    };
    let database = rusqlite::Connection::open(file).unwrap();
    database.execute_batch("ALTER TABLE installations RENAME TO installations_away").unwrap();
    let page = office.admin.get("/admin/apps").await;
    page.is(500, "Something went wrong").hides("installations_away").hides("SQL").hides("no such table");
    let id = page.header("x-request-id").unwrap();
    assert!(page.text.contains(id), "the page shows the request id");
    database.execute_batch("ALTER TABLE installations_away RENAME TO installations").unwrap();
    office.admin.get("/admin/apps").await.shows("Apps");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_start_page_offers_the_permitted_pages() {
    let server = Server::sqlite().await;
    let mut office = Office::new(&server).await;
    let (_, mut person) = office.colleague(&server).await;
    person.get("/").await.shows("href=\"/settings/privacy\"").hides("href=\"/admin/").shows("Employee");
    office
        .admin
        .get("/")
        .await
        .shows("href=\"/settings/privacy\"")
        .shows("href=\"/admin/people\"")
        .shows("Admin");
}
