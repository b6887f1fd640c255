//! People with a browser: they sign in, open their pages, change a setting, and sign out or leave the session open. One
//! of them is an admin.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use rand::{Rng, rngs::StdRng, seq::IndexedRandom};

use super::{browser::Browser, http::Http, site::Site, support::seed::PASSWORD};

/// The number of people with a browser: the people in `Company::visitors`, and the admin.
pub const COUNT: usize = 7;
/// Average number of pages that each of these people opens per second, at the default `--rate`.
const RATE: f64 = 1.2;
const OWN_PAGES: [&str; 5] =
    ["/", "/settings", "/settings/connections", "/settings/activity", "/settings/privacy"];
const ADMIN_PAGES: [&str; 4] = ["/admin/assistants", "/admin/activity", "/admin/apps", "/admin/people"];

pub async fn run(site: Arc<Site>, number: usize) {
    let http = site.client(3, number);
    let (mut rng, mut pace) = (site.rng(3, number), site.rng(103, number));
    let visitor = site.company.visitors.get(number);
    let (email, is_admin) = match visitor {
        Some(visitor) => (&visitor.email, false),
        None => (&site.company.admin_email, true),
    };
    while !site.is_stopping() {
        let mut browser = Browser::default();
        let begun = Instant::now();
        if sign_in(&http, &mut browser, email).await {
            let pages = rng.random_range(3..12);
            for _ in 0..pages {
                let begun = Instant::now();
                visit(&http, &mut browser, is_admin, &mut rng).await;
                site.pace(&mut pace, begun, RATE).await;
            }
            // 70 % of the sessions end with a sign-out; the others stay open
            if rng.random_bool(0.7) {
                let page = browser.get(&http, "/settings/connections").await;
                browser.submit(&http, &page, "/signout", &[]).await;
            }
        } else {
            site.rest(Duration::from_secs(5)).await;
        }
        site.pace(&mut pace, begun, RATE).await;
    }
}

async fn sign_in(http: &Http, browser: &mut Browser, email: &str) -> bool {
    let page = browser.get(http, "/signin?next=/settings/connections").await;
    let more = [("email", email), ("password", PASSWORD)];
    let answer = browser.submit(http, &page, "/signin", &more).await;
    answer.is_some_and(|answer| answer.header("location").is_some())
}

async fn visit(http: &Http, browser: &mut Browser, is_admin: bool, rng: &mut StdRng) {
    let own = OWN_PAGES.choose(rng).unwrap();
    let path = if is_admin && rng.random_bool(0.7) { ADMIN_PAGES.choose(rng).unwrap() } else { own };
    let page = browser.get(http, path).await;
    if *path == "/settings/privacy" && rng.random_bool(0.5) {
        let visible = if rng.random_bool(0.5) { "true" } else { "false" };
        browser.submit(http, &page, "/settings/privacy", &[("email_visible", visible)]).await;
    }
}
