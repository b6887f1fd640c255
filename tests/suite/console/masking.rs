//! The console's pages about requests mask the secrets in requests and responses.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::json;

use crate::support::{assistant::PASSWORD, console::operator_key, *};

#[both_engines]
async fn secrets_in_requests_and_responses_are_masked(server: Server) {
    let mut console = server.console().await;
    let operator = server.operator();
    let company = server.company().await;
    let app = server.app(&ALL_SCOPES).await;
    let bot = company.install(&app, &ALL_SCOPES).await;
    let email = "masked@console.example";
    company.person_with(json!({"name": "Mia", "email": email, "password": PASSWORD})).await;
    let mut secrets = vec![PASSWORD.to_owned(), operator_key(), bot.token.clone(), app.client_secret.clone()];

    // signing in, with a correct and with a wrong password
    let session =
        server.api().post("/admin/v1/sessions").json(&json!({"email": email, "password": PASSWORD}));
    secrets.push(text(&session.ok(201).await, "/session_token"));
    let wrong = json!({"email": email, "password": "a \"wrong\\ password"});
    server.api().post("/admin/v1/sessions").json(&wrong).refused(401, "invalid_auth").await;
    secrets.push("wrong\\ password".to_owned());
    secrets.push("wrong\\\\ password".to_owned());
    let mut person = server.signed_in(email, PASSWORD).await;
    secrets.push(person.session().unwrap().to_owned());
    secrets.push(person.cookies["browser"].clone());
    secrets.push(person.get("/settings/privacy").await.csrf("/settings/privacy"));

    // secrets of apps: in responses after a rotation, and in the header and the body of requests
    let rotate = format!("/admin/v1/apps/{}/rotate", app.id);
    for (kind, member) in [("signing", "/signing_secret"), ("client", "/client_secret")] {
        let made = operator.post(&rotate).json(&json!({"secret": kind})).ok(200).await;
        secrets.push(text(&made, member));
    }
    let basic = STANDARD.encode(format!("{}:{}", app.client_id, app.client_secret));
    let mut browser = server.browser();
    let lines =
        [format!("authorization: Basic {basic}"), "content-type: application/x-www-form-urlencoded".into()];
    let form = "token=svc_bot_test_presented&code=Secretcode123&code_verifier=Verifier4567890";
    browser.send("POST", "/oauth/revoke", &lines, form.as_bytes()).await;
    let lines = [lines[1].clone()];
    let form = format!(
        "grant_type=authorization_code&code=Othercode123&client_id={}&client_secret=Plain5678",
        app.client_id
    );
    browser.send("POST", "/oauth/token", &lines, form.as_bytes()).await;
    secrets.extend([basic, "presented".into(), "Secretcode123".into(), "Verifier4567890".into()]);
    secrets.extend(["Othercode123".into(), "Plain5678".into()]);

    // an install code, in the response that issues it
    secrets.push(company.install_code(&app, &ALL_SCOPES).await);

    // a password whose member name has an escape, a password in invalid JSON, and JSON in place of a form
    let json = ["content-type: application/json".to_owned()];
    let escaped = br#"{"email":"x@console.example","pass\u0077ord":"Escaped1234"}"#;
    browser.send("POST", "/admin/v1/sessions", &json, escaped).await;
    let broken = br#"{"email":"x@console.example","password":"Broken1234""#;
    browser.send("POST", "/admin/v1/sessions", &json, broken).await;
    browser.send("POST", "/signin", &lines, br#"{"password":"Jsonform1234"}"#).await;
    secrets.extend(["Escaped1234".into(), "Broken1234".into(), "Jsonform1234".into()]);

    // a token in a query, a token in a path, and the secret of a file link
    browser.get("/v1/users?token=Queried1234").await;
    browser.get(&format!("/v1/{}", bot.token)).await;
    secrets.push("Queried1234".to_owned());
    browser.get("/files/Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFy").await;
    secrets.push("Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFy".to_owned());
    // a path with the segment `files` that contains no secret
    let file = "/v1/conversations/grp_38f3k5drc004s/files/fil_38f3t4rvm00aj";
    bot.api.get(file).refused(404, "conversation_not_found").await;

    let mut shown = Vec::new();
    let mut path = "/console/requests".to_owned();
    loop {
        let list = console.get(&path).await;
        for row in list.text.split("href=\"/console/requests/").skip(1) {
            let id = row.split('"').next().unwrap();
            shown.push(console.get(&format!("/console/requests/{id}")).await.text);
        }
        shown.push(list.text.clone());
        let Some(next) = list.text.split("<a href=\"/console/requests?").nth(1) else { break };
        path = format!("/console/requests?{}", browser::unescape(next.split('"').next().unwrap()));
    }
    for (path, expected) in [("/admin/v1/sessions", 4), (&*rotate, 2), ("/oauth/revoke", 1)] {
        let heading = format!("<span class=\"method\">POST</span> {path}</h1>");
        let pages = shown.iter().filter(|page| page.contains(&heading)).count();
        assert_eq!(pages, expected, "every request has a page: POST {path}");
    }
    let all: String = shown.iter().map(|page| browser::unescape(page)).collect();
    for secret in &secrets {
        assert!(!secret.is_empty());
        assert!(!all.contains(secret.as_str()), "no secret is shown: {secret}");
    }
    // values that are not secret are shown, and placeholders in place of the secrets
    let invalid = "[hidden: invalid JSON]";
    for visible in
        ["createSession", email, &app.client_id, "invalid_auth", "[hidden]", invalid, "svc_bot_test_…", file]
    {
        assert!(
            all.contains(visible),
            "the pages show values that are not secret, and placeholders: {visible}"
        );
    }
    console.get("/console/requests?q=fil_38f3t4rvm00aj").await.shows("getConversationFile");
}
