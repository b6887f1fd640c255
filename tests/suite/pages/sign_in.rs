//! Sign-in and sign-out.

use serde_json::json;
use switchboard::store::Engine;

use crate::support::{assistant::PASSWORD, *};

async fn ada(company: &Company, email: &str) -> String {
    company.person_with(json!({"name": "Ada", "email": email, "password": PASSWORD})).await
}

#[both_engines]
async fn a_browser_signs_in_and_out(server: Server) {
    let company = server.company().await;
    let id = ada(&company, "ada@pages.example").await;
    let mut browser = server.browser();
    assert_eq!(browser.get("/").await.to(), "/signin?next=%2F");
    let page = browser.sign_in(" ADA@pages.example ", PASSWORD, "/settings/privacy").await;
    assert_eq!(page.to(), "/settings/privacy");
    let token = browser.session().expect("a session").to_owned();
    assert!(token.starts_with("svc_ses_"));
    browser.get("/").await.shows("Hello, Ada");
    // the admin API accepts the same session
    let api = company.operator.bearer(&token);
    api.get(&format!("/admin/v1/users/{id}")).ok(200).await;
    // the sign-in page redirects people who are signed in
    assert_eq!(browser.get("/signin?next=/settings/privacy").await.to(), "/settings/privacy");

    let home = browser.get("/").await;
    let page = browser.submit_on(&home, "/signout", &[]).await;
    assert_eq!(page.to(), "/signin");
    assert_eq!(browser.session(), None);
    api.get(&format!("/admin/v1/users/{id}")).refused(401, "invalid_auth").await;
    // a cookie of a session that has ended is ignored
    browser.cookies.insert("session".into(), token);
    assert_eq!(browser.get("/").await.to(), "/signin?next=%2F");
}

#[both_engines]
async fn cookies_of_other_applications_do_not_prevent_a_sign_in(server: Server) {
    // a cookie of a parent domain, or of another application on the host, may have any bytes
    let company = server.company().await;
    ada(&company, "cookies@pages.example").await;
    let mut browser = server.browser();
    browser.cookies.insert("a-name".into(), "J\u{fc}rgen".into());
    browser.cookies.insert("z-name".into(), "\u{738b}".into());
    assert_eq!(browser.sign_in("cookies@pages.example", PASSWORD, "/").await.to(), "/");
    browser.get("/").await.shows("Hello, Ada");
    // the admin API also finds the session among these cookies: it responds with 403, not with 401
    let cookie = format!("a-name=J\u{fc}rgen; session={}", browser.session().expect("a session"));
    server.api().get(&company.path("")).header("cookie", &cookie).refused(403, "forbidden").await;
}

#[both_engines]
async fn every_sign_in_creates_a_new_session(server: Server) {
    // every sign-in creates a new session, which prevents session fixation (D-275)
    let company = server.company().await;
    ada(&company, "renew@pages.example").await;
    let mut browser = server.browser();
    browser.get("/signin").await;
    let known = browser.cookies["browser"].clone();
    // a session token that an attacker has set in the browser is not used
    browser.cookies.insert("session".into(), "svc_ses_planted".into());
    browser.sign_in("renew@pages.example", PASSWORD, "/").await;
    let first = browser.session().unwrap().to_owned();
    assert_ne!(first, "svc_ses_planted");
    // another tab opened the form before the person signed in, and now submits it; this revokes the first session
    let mut tab = server.browser();
    tab.cookies.insert("browser".into(), known.clone());
    let page = tab.get("/signin").await;
    tab.cookies = browser.cookies.clone();
    let fields = [("email", "renew@pages.example"), ("password", PASSWORD)];
    assert_eq!(tab.submit_on(&page, "/signin", &fields).await.to(), "/");
    let second = tab.session().unwrap();
    assert_ne!(first, second);
    let path = company.path("");
    company.operator.bearer(&first).get(&path).refused(401, "invalid_auth").await;
    company.operator.bearer(second).get(&path).refused(403, "forbidden").await;
    assert_eq!(
        tab.cookies["browser"], known,
        "a sign-in keeps the browser's id, to which authorization requests belong"
    );
}

#[both_engines]
async fn unknown_accounts_and_wrong_passwords_get_the_same_error(server: Server) {
    let company = server.company().await;
    ada(&company, "wrong@pages.example").await;
    company.person_with(json!({"email": "nopassword@pages.example"})).await;
    let deactivated = ada(&company, "deactivated@pages.example").await;
    company.set_state(&deactivated, "deactivated").await;
    let mut browser = server.browser();
    let mut pages = Vec::new();
    for (email, password) in [
        ("wrong@pages.example", "not the one"),
        ("nobody@pages.example", PASSWORD),
        ("nopassword@pages.example", PASSWORD),
        ("deactivated@pages.example", PASSWORD),
    ] {
        let page = browser.sign_in(email, password, "/settings/privacy").await;
        page.is(422, "Wrong e-mail address or password").hides(PASSWORD).hides("not the one");
        let token = page.csrf("/signin");
        let id = page.header("x-request-id").unwrap();
        pages.push(page.text.replace(email, "").replace(&token, "").replace(id, ""));
        assert_eq!(browser.session(), None);
    }
    assert!(pages.iter().all(|page| *page == pages[0]), "{pages:#?}");
    // an incomplete form has an error of its own, because this error reveals nothing about accounts
    browser.sign_in("wrong@pages.example", "", "/").await.is(422, "Fill in both");
}

#[both_engines]
async fn redirects_after_sign_in_stay_on_this_site(server: Server) {
    let company = server.company().await;
    ada(&company, "next@pages.example").await;
    for (next, to) in [
        ("/settings/privacy?workspace_id=x", "/settings/privacy?workspace_id=x"),
        ("//evil.example", "/"),
        ("///evil.example", "/"),
        ("/\\evil.example", "/"),
        ("\\\\evil.example", "/"),
        ("/\t/evil.example", "/"),
        ("/\n/evil.example", "/"),
        ("https://evil.example/", "/"),
        ("https:evil.example", "/"),
        ("javascript:alert(1)", "/"),
        ("settings", "/"),
        ("/x\r\nset-cookie: a=b", "/"),
        ("/signin?next=/signin", "/"),
        ("", "/"),
    ] {
        let mut browser = server.browser();
        let page = browser.sign_in("next@pages.example", PASSWORD, next).await;
        assert_eq!(page.to(), to, "{next:?}");
        assert!(!browser.cookies.contains_key("a"));
        // an attacker can also set the hidden field `next` of the form
        let mut browser = server.browser();
        let fields = [("email", "next@pages.example"), ("password", PASSWORD), ("next", next)];
        assert_eq!(browser.submit("/signin", &fields).await.to(), to, "{next:?}");
    }
}

#[both_engines]
async fn input_is_shown_as_text(server: Server) {
    let hostile = "\"><script>alert(1)</script>'&amp;";
    let mut browser = server.browser();
    // `Page::check` asserts that the page has no inline script
    let page = browser.sign_in(hostile, "x", "/").await;
    page.is(422, "&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;&#39;&#38;amp;");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cookies_are_secure_and_have_the_host_prefix_only_over_https() {
    // over HTTPS, cookies have the prefix `__Host-` (D-386) and the attribute `Secure`
    for (base_url, name, secure) in
        [(None, "session", ""), (Some("https://chat.example"), "__Host-session", "; Secure")]
    {
        let server = Server::with(Options { base_url, ..Options::default() }).await.unwrap();
        let company = server.company().await;
        ada(&company, "cookie@pages.example").await;
        let mut browser = server.browser();
        let page = browser.get("/signin").await;
        let given = page.header("set-cookie").unwrap();
        let prefix = name.replace("session", "browser");
        assert!(given.starts_with(&format!("{prefix}=")), "{given}");
        assert!(given.ends_with(&format!("; Path=/; HttpOnly; SameSite=Lax{secure}")), "{given}");
        let fields = [("email", "cookie@pages.example"), ("password", PASSWORD)];
        let page = browser.submit_on(&page, "/signin", &fields).await;
        let given: Vec<_> = page
            .wire
            .headers
            .iter()
            .filter(|(name, _)| name == "set-cookie")
            .map(|(_, value)| value)
            .collect();
        let [session, kept] = given[..] else {
            panic!("a sign-in sets a cookie for the session and a cookie for the browser's id: {given:?}")
        };
        assert!(session.starts_with(&format!("{name}=svc_ses_")), "{session}");
        let attributes = format!("; Path=/; HttpOnly; SameSite=Lax{secure}; Max-Age=2592000");
        assert!(session.ends_with(&attributes), "{session}");
        // the browser now keeps its id for 180 days, as a known browser of the account
        assert!(kept.starts_with(&format!("{prefix}={}", browser.cookies[&prefix])), "{kept}");
        let attributes = format!("; Path=/; HttpOnly; SameSite=Lax{secure}; Max-Age=15552000");
        assert!(kept.ends_with(&attributes), "{kept}");
        browser.get("/").await.shows("Hello, Ada");
        // over HTTPS the server ignores a cookie without `__Host-`, which a sibling domain could set
        if secure.is_empty() {
            continue;
        }
        let session = browser.cookies.remove(name).unwrap();
        browser.cookies.insert("session".into(), session);
        assert_eq!(browser.get("/").await.to(), "/signin?next=%2F");
    }
}

/// After failed guesses, unknown browsers must wait before they can sign in to an account. A browser from which the
/// owner has signed in before need not wait.
#[both_engines]
async fn a_known_browser_is_not_locked_out_by_strangers(engine: Engine) -> Option<()> {
    let configure = std::sync::Arc::new(|config: &mut switchboard::config::Config| {
        config.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
    });
    let options = Options { engine, configure: Some(configure), ..Options::default() };
    let server = Server::with(options).await?;
    let company = server.company().await;
    ada(&company, "known@pages.example").await;
    let guess = async |address: String| {
        let body = json!({"email": "known@pages.example", "password": "a guess"});
        let call = server.api().post("/admin/v1/sessions").header("x-forwarded-for", address);
        call.json(&body).send().await.status
    };
    let mut known = server.browser();
    known.sign_in("known@pages.example", PASSWORD, "/").await;
    let leaving = known.get("/").await;
    known.submit_on(&leaving, "/signout", &[]).await;
    // Ten guesses reach the limit of the owner's address. Then 100 guesses from other addresses reach the limit of all
    // unknown browsers and addresses together.
    for n in 0..10 {
        assert_eq!(guess("127.0.0.1".into()).await, 401, "{n}");
    }
    for n in 0..100 {
        assert_eq!(guess(format!("198.51.100.{n}")).await, 401, "{n}");
    }
    assert_eq!(guess("198.51.100.200".into()).await, 429);
    let page = server.browser().sign_in("known@pages.example", PASSWORD, "/").await;
    page.is(429, "Too many wrong passwords");
    assert!(page.header("retry-after").is_some());
    assert_eq!(known.sign_in("known@pages.example", PASSWORD, "/").await.to(), "/");
    Some(())
}

#[both_engines]
async fn the_form_and_the_api_share_the_rate_limit_of_sign_ins(engine: Engine) -> Option<()> {
    let server = Server::with(Options { engine, limits: true, ..Options::default() }).await?;
    let company = server.company().await;
    ada(&company, "bounded@pages.example").await;
    let mut browser = server.browser();
    for _ in 0..10 {
        browser
            .sign_in("bounded@pages.example", "a guess", "/")
            .await
            .is(422, "Wrong e-mail address or password");
    }
    let page = browser.sign_in("Bounded@pages.example", PASSWORD, "/").await;
    page.is(429, "Too many attempts");
    let wait: u64 = page.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait));
    let body = json!({"email": "bounded@pages.example", "password": PASSWORD});
    server.api().post("/admin/v1/sessions").json(&body).refused(429, "rate_limited").await;
    server.clock.advance(std::time::Duration::from_secs(wait));
    assert_eq!(browser.sign_in("bounded@pages.example", PASSWORD, "/").await.to(), "/");
    Some(())
}
