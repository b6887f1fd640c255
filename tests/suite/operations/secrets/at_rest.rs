//! Runs the flows that issue credentials, and then searches the database for the issued credentials. If `secrets.key`
//! is configured, none of them is in plain text. Without the key, only the master key and the signing secrets
//! of apps are in plain text.

use serde_json::json;

use super::*;
use crate::support::{
    assistant::{CHALLENGE, Client, LOCAL, PASSWORD, Tokens, VERIFIER},
    authorize::Redirected,
    browser::Browser,
    events::delivering,
    mcp::NOVEMBER,
    receiver::Receiver,
};

/// The keys of a server with `secrets.key` (see [`give_keys`]).
const KEYS: &[u8] = &[1];
/// The keys of a server without `secrets.key`.
const NONE: &[u8] = &[];

/// Registers an app, installs it through the page, uses its token, and replaces the app's secrets.
async fn bots(
    server: &Server,
    receiver: &Receiver,
    company: &Company,
    admin: &mut Browser,
    issued: &mut Issued,
) {
    let app = server.app_at(&receiver.url()).await;
    issued.add("client secret of an app", &app.client_secret);
    let query = [
        ("client_id", app.client_id.as_str()),
        ("redirect_uri", "https://app.example/callback"),
        ("scope", &ALL_SCOPES.join(" ")),
        ("state", "a-state-of-the-app-which-is-not-ours"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
    ];
    let request = format!("/oauth/authorize?{}", serde_urlencoded::to_string(query).unwrap());
    let page = admin.get(&request).await;
    issued.add("form token of the install page", page.csrf("/oauth/authorize"));
    let fields = [("workspace_id", company.id.as_str()), ("decision", "approve")];
    let answer = admin.submit_on(&page, &request, &fields).await;
    let code = Redirected::read(answer.to()).get("code").expect("a code").to_owned();
    issued.add("install code", &code);
    let body = json!({
        "grant_type": "authorization_code", "code": code, "redirect_uri": "https://app.example/callback",
        "code_verifier": VERIFIER, "client_id": app.client_id, "client_secret": app.client_secret,
    });
    let got = server.api().post("/oauth/token").json(&body).ok(200).await;
    let token = text(&got, "/access_token");
    issued.add("bot token", &token);
    // a code that nobody exchanges
    issued.add("unused install code", company.install_code(&app, &ALL_SCOPES).await);

    let bot = server.api().bearer(&token);
    let person = company.person().await;
    bot.post("/v1/messages").key("a-key").json(&to_user(&person, "hello")).ok(201).await;
    let conversation = company.group(&[&person, &text(&got, "/bot/id")]).await;
    let file = company.file(&person, "plan.bin", "application/octet-stream", b"the plan").await;
    company.post_with(&conversation, &person, json!({"type": "file", "file_ids": [file]})).await;
    let path = format!("/v1/conversations/{conversation}/files/{file}");
    let link = text(&bot.get(&path).ok(200).await, "/file/url");
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let download = client.get(&link).send().await.unwrap();
    let download = download.headers()["location"].to_str().unwrap().to_owned();
    issued.add("file link", link.rsplit('/').next().unwrap());
    issued.add("download link", download.rsplit('/').next().unwrap());

    issued.add("previous signing secret", &app.signing_secret);
    let signing = replace(server, &app).await;
    issued.add("signing secret", &signing);
    let path = format!("/admin/v1/apps/{}/rotate", app.id);
    let client = server.operator().post(&path).json(&json!({"secret": "client"})).ok(200).await;
    issued.add("new client secret of an app", text(&client, "/client_secret"));
    // The search for the signing secrets would find nothing if `issued` had wrong values. So the test also verifies an
    // event with them.
    server.settle().await;
    let before = receiver.hits().len();
    company.person().await;
    let hit = receiver.wait_for(before + 1).await.remove(before);
    assert_eq!(hit.signatures().len(), 2, "the old and the new secret both sign for 24 hours (B-434)");
    for secret in [&signing, &app.signing_secret] {
        assert!(
            hit.verifies(secret, server.clock.now()),
            "an event is signed with the secrets that the server has issued"
        );
    }
}

/// Registers a client, approves it as an employee in a browser, and issues, renews and uses tokens.
async fn assistants(server: &Server, employee: (&str, &Company), issued: &mut Issued) {
    let (email, company) = employee;
    let made = server
        .register(json!({"token_endpoint_auth_method": "client_secret_basic", "redirect_uris": [LOCAL]}))
        .await;
    let secret = made.client_secret.clone().expect("a secret");
    issued.add("client secret of an assistant", &secret);
    let client = Client {
        id: made.client_id,
        secret: Some(secret),
        redirect_uri: LOCAL.to_owned(),
        server: server.api(),
    };
    let mut browser = server.browser();
    let mut codes = Vec::new();
    for _ in 0..2 {
        let query = serde_urlencoded::to_string(client.authorization_query(&[])).unwrap();
        let consent = browser.get(&format!("/authorize?{query}")).await.to().to_owned();
        issued.add("authorization request", consent.split_once("request=").expect("a request").1);
        if browser.session().is_none() {
            browser.sign_in(email, PASSWORD, &consent).await;
        }
        issued.add("session cookie", browser.session().expect("signed in"));
        let page = browser.get(&consent).await;
        issued.add("form token of the consent page", page.csrf("/authorize/consent"));
        let decision = [("decision", "approve"), ("workspace_id", company.id.as_str())];
        let answer = browser.submit_on(&page, &consent, &decision).await;
        codes.push(Redirected::read(answer.to()).get("code").expect("a code").to_owned());
        issued.add("authorization code", codes.last().unwrap());
    }
    issued.add("verifier", VERIFIER);
    let first = Tokens::of(&client.exchange(&codes[0]).await.ok());
    let second = client.renewed(&first).await;
    for tokens in [&first, &second] {
        issued.add("access token", &tokens.access);
        issued.add("refresh token", &tokens.refresh);
    }
    let session = server.mcp_session(&second.access, NOVEMBER).await;
    session.list_tools().await.result();
    issued.add("MCP session", session.session.clone().expect("an id"));
}

/// Starts a server, and runs the flows that issue credentials. Returns the server and the issued credentials.
async fn run_flows(engine: Engine, keys: &'static [u8]) -> Option<(Server, Issued)> {
    let mut issued = Issued::default();
    let receiver = Receiver::start().await;
    let server = Server::with(with_keys(delivering(engine, &[&receiver]), keys)).await?;
    let company = server.company().await;
    let email = "ada.of.the.grep@example.com";
    let admin = json!({"name": "Ada Admin", "email": email, "password": PASSWORD, "is_admin": true});
    company.person_with(admin).await;
    issued.add("password", PASSWORD);
    let mut browser = server.signed_in(email, PASSWORD).await;
    issued.add("session cookie", browser.session().expect("signed in"));
    let body = json!({"email": email, "password": PASSWORD});
    let session = server.api().post("/admin/v1/sessions").json(&body).ok(201).await;
    issued.add("session of the admin API", text(&session, "/session_token"));
    issued.add(
        "operator key",
        switchboard::domain::token::mint(switchboard::domain::token::TokenKind::Operator, &[7; 32]),
    );
    bots(&server, &receiver, &company, &mut browser, &mut issued).await;
    assistants(&server, (email, &company), &mut issued).await;
    issued.add("master key", master_key(&server, keys).await);
    // waits for writes that are made after the responses
    server.settle().await;
    Some((server, issued))
}

#[both_engines]
async fn no_issued_secret_is_in_the_database(engine: Engine) -> Option<()> {
    let (server, issued) = run_flows(engine, KEYS).await?;
    let dump = Dump::of(&server.database).await;
    assert!(dump.columns > 250, "only {} columns were searched", dump.columns);
    assert!(
        !dump.locations(b"ada.of.the.grep@example.com").is_empty(),
        "the search finds the e-mail address, which is stored in plain text"
    );
    // codes, tokens and client secrets are stored as hashes, and signing secrets are encrypted
    let found = issued.found_in(&dump);
    assert!(found.is_empty(), "no secret is stored in plain text: {found:?}");
    server.stop().await;
    Some(())
}

#[both_engines]
async fn without_a_key_the_master_key_and_signing_secrets_are_in_plain_text(engine: Engine) -> Option<()> {
    let (server, issued) = run_flows(engine, NONE).await?;
    let found = issued.found_in(&Dump::of(&server.database).await);
    let columns: Vec<_> =
        found.iter().filter(|(_, location)| !location.starts_with("file ")).cloned().collect();
    let expected = [
        ("master key", "server_secrets.value"),
        ("previous signing secret", "apps.previous_signing_secret"),
        ("signing secret", "apps.signing_secret"),
    ];
    assert_eq!(
        columns,
        expected.map(|(what, location)| (what, location.to_owned())),
        "no other secret is stored in plain text"
    );
    if engine == Engine::Sqlite {
        assert!(found.iter().any(|(_, location)| location.starts_with("file data.db")), "{found:?}");
    }
    server.stop().await;
    Some(())
}
