//! Protection of forms, and of the admin API with a session cookie, against cross-site request forgery (D-269): tokens
//! and origins are checked. Also the format of forms, and forms that are sent or processed after the session has ended.

use serde_json::json;
use switchboard::pages::ROUTES;

use super::{
    Office,
    conversation::{multipart, post_multipart},
};
use crate::support::*;

/// Every form of [`ROUTES`] at a path without parameters, except the forms of [`OTHERS`], with valid fields. The ids in
/// the fields are well-formed, but no object has them.
const FORMS: [(&str, &[(&str, &str)]); 9] = [
    ("/company", &[("workspace_id", "cmp_0000000000001")]),
    ("/conversations/new", &[("kind", "channel"), ("name", "x"), ("parent_id", "grp_0000000000001")]),
    ("/dm", &[("user_id", "usr_0000000000001")]),
    ("/settings/privacy", &[("email_visible", "false")]),
    ("/settings/connections", &[("connection_id", "con_0000000000001")]),
    ("/admin/assistants", &[("ai_assistants", "off")]),
    ("/admin/apps", &[("installation_id", "ins_0000000000001")]),
    ("/admin/people", &[("user_id", "usr_0000000000001"), ("state", "deactivated")]),
    ("/signout", &[]),
];

/// Forms that need a CSRF token for a purpose of their own. Other tests send these forms with wrong CSRF tokens.
const OTHERS: [&str; 3] = ["/signin", "/oauth/authorize", "/authorize/consent"];

#[test]
fn every_form_at_a_fixed_path_is_listed() {
    let is_fixed = |path: &str| !path.contains('{') && !OTHERS.contains(&path);
    for (path, methods) in ROUTES.iter().filter(|(path, _)| is_fixed(path)) {
        let is_listed = FORMS.iter().any(|(form, _)| form == path);
        assert_eq!(methods.contains(&"POST"), is_listed, "add the form of {path} to FORMS");
    }
}

async fn settings_of(office: &Office) -> (bool, bool) {
    let company = office.company.operator.get(&office.company.path("")).ok(200).await;
    let path = format!("/admin/v1/users/{}", office.admin_id);
    let user = office.company.operator.get(&path).ok(200).await;
    (company["workspace"]["ai_assistants"] == true, user["user"]["email_visible"] == true)
}

#[both_engines]
async fn a_form_needs_the_token_of_this_session(server: Server) {
    // a form without the CSRF token of its session changes nothing (D-269)
    let mut office = Office::new(&server).await;
    let (_, mut other) = office.colleague(&server).await;
    let foreign = other.get("/settings/privacy").await.csrf("/settings/privacy");
    let own = office.admin.get("/settings/privacy").await.csrf("/settings/privacy");
    let modified = with_other_last_character(&own);
    let sign_in = server.browser().get("/signin").await.csrf("/signin");
    for (path, fields) in FORMS {
        for token in [None, Some(""), Some("x"), Some(&*foreign), Some(&*modified), Some(&*sign_in)] {
            let mut fields = fields.to_vec();
            fields.extend(token.map(|token| ("csrf", token)));
            office.admin.post(path, &fields).await.is(403, "Nothing was changed");
        }
    }
    assert_eq!(settings_of(&office).await, (true, true));
    office.admin.get("/").await.shows("Hello");
    // a form with the session's own token is processed: it gets 404 if it has an id, because no object has the ids in
    // FORMS
    for (path, fields) in FORMS {
        let token = office.admin.get("/").await.csrf("/signout");
        let mut fields = fields.to_vec();
        let expected = if fields.iter().any(|(name, _)| name.ends_with("_id")) { 404 } else { 302 };
        fields.push(("csrf", &token));
        assert_eq!(office.admin.post(path, &fields).await.wire.status, expected, "{path}");
    }
    assert_eq!(settings_of(&office).await, (false, false));
}

#[both_engines]
async fn a_form_must_come_from_this_site(server: Server) {
    let mut office = Office::new(&server).await;
    let token = office.admin.get("/").await.csrf("/signout");
    for header in [
        "origin: https://evil.example",
        "origin: null",
        "origin: http://127.0.0.1:1",
        "sec-fetch-site: cross-site",
        "sec-fetch-site: same-site",
    ] {
        office.admin.headers = vec![header.to_owned()];
        for (path, fields) in FORMS {
            let mut fields = fields.to_vec();
            fields.push(("csrf", &token));
            office.admin.post(path, &fields).await.is(403, "from another site");
        }
        // a GET from another site is allowed, because people follow links, and assistants redirect to `/authorize`
        assert_eq!(office.admin.get("/").await.wire.status, 200);
    }
    assert_eq!(settings_of(&office).await, (true, true));
    for header in [format!("origin: {}", server.base), "sec-fetch-site: same-origin".to_owned()] {
        office.admin.headers = vec![header];
        let page =
            office.admin.post("/settings/privacy", &[("email_visible", "true"), ("csrf", &token)]).await;
        assert!(page.to().starts_with("/settings/privacy?"));
    }
}

#[both_engines]
async fn signing_in_needs_a_form_of_this_browser(server: Server) {
    // another site must not be able to sign its visitors in to the account of an attacker
    let company = server.company().await;
    company.person_with(json!({"email": "eve@forms.example", "password": "analytical engine"})).await;
    let mut eve = server.browser();
    let eves = eve.get("/signin").await.csrf("/signin");
    let mut victim = server.browser();
    let fields = [("email", "eve@forms.example"), ("password", "analytical engine"), ("csrf", eves.as_str())];
    victim.post("/signin", &fields).await.is(403, "Please try again");
    victim.get("/signin").await;
    victim.post("/signin", &fields).await.is(403, "Please try again");
    victim.post("/signin", &fields[..2]).await.is(403, "Please try again");
    assert_eq!(victim.session(), None);
    assert_eq!(eve.post("/signin", &fields).await.to(), "/");
}

#[both_engines]
async fn malformed_and_too_large_forms_are_rejected(server: Server) {
    let mut office = Office::new(&server).await;
    let token = office.admin.get("/").await.csrf("/signout");
    let form = "content-type: application/x-www-form-urlencoded".to_owned();
    let mut post = async |headers: &[String], body: &[u8]| {
        office.admin.send("POST", "/settings/privacy", headers, body).await
    };
    let json = format!("{{\"csrf\":\"{token}\",\"email_visible\":\"false\"}}");
    post(&["content-type: application/json".to_owned()], json.as_bytes()).await.is(415, "not a form");
    post(&["content-type: text/plain".to_owned()], b"").await.is(415, "not a form");
    post(&[], b"csrf=x").await.is(415, "not a form");
    post(&[form.clone()], &vec![b'a'; 70_000]).await.is(413, "too large");
    let twice = format!("csrf={token}&email_visible=true&email_visible=false");
    post(&[form.clone()], twice.as_bytes()).await.is(400, "more than once");
    let nul = format!("csrf={token}&email_visible=false%00");
    post(&[form.clone()], nul.as_bytes()).await.is(400, "U+0000");
    let fields = |count: usize| (0..count).map(|n| format!("&f{n}=")).collect::<String>();
    let many = format!("csrf={token}{}", fields(64));
    post(&[form.clone()], many.as_bytes()).await.is(400, "more than 64 fields");
    let most = format!("csrf={token}&email_visible=true{}", fields(62));
    assert_eq!(post(&[form.clone()], most.as_bytes()).await.wire.status, 302, "64 fields are accepted");
    assert_eq!(settings_of(&office).await, (true, true));
}

/// The form of `/conversations/new` has a check box for each chosen and each offered person. At most 1,000 people can
/// be chosen.
#[both_engines]
async fn a_form_may_have_a_field_for_each_of_many_people(server: Server) {
    let mut office = Office::new(&server).await;
    let token = office.admin.get("/").await.csrf("/signout");
    let mut post = async |people: usize| {
        let fields = [("csrf", token.as_str()), ("kind", "group"), ("name", "All"), ("type", "channel")];
        let people = std::iter::repeat_n(("member_ids", "usr_0000000000001"), people);
        let fields: Vec<_> = fields.into_iter().chain(people).collect();
        office.admin.post("/conversations/new", &fields).await
    };
    post(1_030).await.is(422, "Choose at most 1,000");
    post(1_100).await.is(400, "more than 1100 fields");
}

#[both_engines]
async fn the_admin_api_accepts_a_session_cookie(server: Server) {
    let mut office = Office::new(&server).await;
    let (_, mut other) = office.colleague(&server).await;
    let token = office.admin.get("/").await.csrf("/signout");
    let foreign = other.get("/").await.csrf("/signout");
    let cookie = format!("session={}", office.admin.session().unwrap());
    let (path, body) = (office.company.path(""), json!({"name": "Renamed"}));
    let api = server.api();
    api.get(&path).header("cookie", &cookie).ok(200).await;
    let change = |token: Option<&str>| {
        let call = api.patch(&path).header("cookie", &cookie).json(&body);
        match token {
            Some(token) => call.header("x-csrf-token", token),
            None => call,
        }
    };
    change(None).refused(403, "forbidden").await;
    change(Some("x")).refused(403, "forbidden").await;
    change(Some(&foreign)).refused(403, "forbidden").await;
    let name = || async { text(&office.company.operator.get(&path).ok(200).await, "/workspace/name") };
    assert_ne!(name().await, "Renamed");
    change(Some(&token)).ok(200).await;
    assert_eq!(name().await, "Renamed");
    // the `Authorization` header takes precedence over the cookie
    api.bearer("svc_ses_x").get(&path).header("cookie", &cookie).refused(401, "invalid_auth").await;
    api.get(&path).header("cookie", "session=svc_ses_x").refused(401, "invalid_auth").await;
    api.get(&path).header("cookie", format!("{cookie}; {cookie}")).refused(401, "not_authed").await;
    // a browser can also sign out through the API
    let out = api.delete("/admin/v1/sessions/current").header("cookie", &cookie);
    out.header("x-csrf-token", &token).ok(200).await;
    api.get(&path).header("cookie", &cookie).refused(401, "invalid_auth").await;
    // the bot API ignores cookies
    other.get("/v1/auth/test").await.wire.refused(401, "not_authed");
}

/// The server looks up the session when the head of a POST arrives. The session ends before the body arrives.
#[both_engines]
async fn opening_an_existing_direct_conversation_after_a_sign_out_redirects_to_sign_in(server: Server) {
    let mut office = Office::new(&server).await;
    let (bob, _) = office.colleague(&server).await;
    let token = office.admin.get("/").await.csrf("/signout");
    let fields = [("csrf", token.as_str()), ("user_id", bob.as_str())];
    let direct = office.admin.post("/dm", &fields).await.see_other().to_owned();
    let body = serde_urlencoded::to_string(fields).unwrap();
    let cookie = format!("cookie: session={}", office.admin.session().unwrap());
    let kind = "content-type: application/x-www-form-urlencoded";
    let own = format!("origin: {}", server.base);
    let request = wire::asked(&server.base, "POST /dm", &[&cookie, kind, &own], body.as_bytes()).await;
    let script = [&*cookie, kind, &own, "x-switchboard-script: 1"];
    let by_script = wire::asked(&server.base, "POST /dm", &script, body.as_bytes()).await;
    assert_eq!(office.admin.clone().post("/signout", &[("csrf", &token)]).await.to(), "/signin");
    let answer = request.end().await;
    assert_eq!(
        (answer.status, answer.header("location")),
        (302, Some("/signin?next=%2Fpeople")),
        "after the sign-out the response redirects to the sign-in page, not to {direct}"
    );
    let answer = by_script.end().await;
    assert_eq!((answer.status, answer.header("location")), (401, None), "the script gets 401, no redirect");
}

/// The session ends before the script of the web client sends a message. The response does not contain the text of the
/// message, because the script keeps the text.
#[both_engines]
async fn a_message_that_the_script_sends_after_a_sign_out_is_refused_with_401(server: Server) {
    let mut office = Office::new(&server).await;
    let group = office.company.group(&[&office.admin_id]).await;
    let token = office.admin.get("/settings/privacy").await.csrf("/signout");
    let mut window = office.admin.clone();
    assert_eq!(office.admin.post("/signout", &[("csrf", &token)]).await.to(), "/signin");
    window.headers.push("x-switchboard-script: 1".to_owned());
    let fields = [("csrf", token.as_str()), ("text", "too late")];
    let form = format!("/c/{group}/messages");
    let upload = multipart(&fields, &[("a.txt", "text/plain", b"a")]);
    for refused in [window.post(&form, &fields).await, post_multipart(&mut window, &form, &upload).await] {
        refused.is(401, "You were signed out. Sign in again.").hides("too late");
        assert_eq!(refused.header("location"), None, "the script gets 401, no redirect");
    }
    assert!(office.company.messages(&group).await.is_empty());
}

#[both_engines]
async fn a_message_of_the_script_is_refused_with_401_if_the_session_ends_before_the_body_arrives(
    server: Server,
) {
    let mut office = Office::new(&server).await;
    let group = office.company.group(&[&office.admin_id]).await;
    let token = office.admin.get("/settings/privacy").await.csrf("/signout");
    let cookie = format!("cookie: session={}", office.admin.session().unwrap());
    let (own, script) = (format!("origin: {}", server.base), "x-switchboard-script: 1");
    let fields = [("csrf", token.as_str()), ("text", "too late")];
    let form = serde_urlencoded::to_string(fields).unwrap().into_bytes();
    let upload = multipart(&fields, &[("a.txt", "text/plain", b"a")]);
    let mut requests = Vec::new();
    for (kind, body) in
        [("application/x-www-form-urlencoded", form), ("multipart/form-data; boundary=edge", upload)]
    {
        let kind = format!("content-type: {kind}");
        let line = format!("POST /c/{group}/messages");
        requests.push(wire::asked(&server.base, &line, &[&cookie, &kind, &own, script], &body).await);
    }
    assert_eq!(office.admin.clone().post("/signout", &[("csrf", &token)]).await.to(), "/signin");
    for request in requests {
        let answer = request.end().await;
        assert_eq!(
            (answer.status, answer.header("location")),
            (401, None),
            "the script gets 401, no redirect"
        );
    }
    assert!(office.company.messages(&group).await.is_empty());
}
