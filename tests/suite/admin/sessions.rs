//! Sessions of the admin API: signing in (W-01), signing out (W-02) and forced log-outs (W-12). Also tests how many
//! wrong passwords may be tried, and which credentials may call which operations.

use serde_json::{Value, json};
use switchboard::store::{Engine, args, op, statements};

use crate::support::*;

const PASSWORD: &str = "analytical engine";

statements! {
    GUESSES: Query = "SELECT COUNT(*) FROM guesses";
    HASH: Query = "SELECT password_hash FROM accounts WHERE email_key = $1";
    SET_HASH: Command = "UPDATE accounts SET password_hash = $2 WHERE email_key = $1";
}

/// Reads the number of rows with counts of wrong passwords.
struct Guesses;

op! { ReadOp "test_count_guesses": Guesses -> i64 = |_, c| c.one(&GUESSES, args![]) }

struct Hash(&'static str);

op! { ReadOp "test_password_hash": Hash -> String = |op, c| c.one(&HASH, args![op.0]) }

struct SetHash(&'static str, String);

op! { Op "test_set_password_hash": SetHash -> u64 = |op, c| c.exec(&SET_HASH, args![op.0, &op.1]) }

/// Creates a person with the password [`PASSWORD`], and returns the person's id.
pub async fn with_password(company: &Company, email: &str, is_admin: bool) -> String {
    company.person_with(json!({"email": email, "password": PASSWORD, "is_admin": is_admin})).await
}

async fn try_to_sign_in(company: &Company, email: &str, password: &str) -> Answer {
    try_from(company, "192.0.2.1", email, password).await
}

/// Tries to sign in from a client address, which a trusted proxy reports.
async fn try_from(company: &Company, address: &str, email: &str, password: &str) -> Answer {
    let body = json!({"email": email, "password": password});
    let call = company.operator.anonymous().post("/admin/v1/sessions").header("x-forwarded-for", address);
    call.json(&body).send().await
}

/// Signs in, and returns the `Api` with the person's session.
pub async fn sign_in(company: &Company, email: &str) -> Api {
    let answer = try_to_sign_in(company, email, PASSWORD).await.ok(201);
    company.operator.bearer(&text(&answer, "/session_token"))
}

#[both_engines]
async fn a_session_begins_and_ends(server: Server) {
    let company = server.company().await;
    let ada = with_password(&company, "ada@sessions.example", true).await;
    let answer = try_to_sign_in(&company, "ADA@Sessions.example", PASSWORD).await.ok(201);
    assert_eq!(
        answer["memberships"],
        json!([{"workspace_id": company.id, "user_id": ada, "is_admin": true}])
    );
    let token = text(&answer, "/session_token");
    assert!(token.starts_with("svc_ses_"));
    let ada_api = company.operator.bearer(&token);
    ada_api.get(&company.path("")).ok(200).await;
    ada_api.delete("/admin/v1/sessions/current").ok(200).await;
    ada_api.get(&company.path("")).refused(401, "invalid_auth").await;
    company.operator.delete("/admin/v1/sessions/current").refused(403, "forbidden").await;
}

#[both_engines]
async fn composed_and_decomposed_letters_are_equal(server: Server) {
    // clients may send composed or decomposed characters, so passwords (RFC 8265 §4.2) and e-mail addresses (D-141) are
    // normalized
    let company = server.company().await;
    let composed = ("j\u{fc}rgen@forms.example", "\u{fc}ber den Wolken");
    let decomposed = ("ju\u{308}rgen@forms.example", "u\u{308}ber den Wolken");
    let ada = company.person_with(json!({"email": composed.0, "password": composed.1})).await;
    for (email, password) in [composed, decomposed, (composed.0, decomposed.1)] {
        try_to_sign_in(&company, email, password).await.ok(201);
    }
    company.update_user(&ada, json!({"password": decomposed.1.to_uppercase()})).await;
    for password in [decomposed.1.to_uppercase(), composed.1.to_uppercase()] {
        try_to_sign_in(&company, composed.0, &password).await.ok(201);
    }
    try_to_sign_in(&company, composed.0, composed.1).await.refused(401, "invalid_auth");
}

#[both_engines]
async fn all_failed_sign_ins_get_the_same_error(server: Server) {
    let company = server.company().await;
    with_password(&company, "wrong@sessions.example", false).await;
    company.person_with(json!({"email": "none@sessions.example"})).await;
    let deactivated = with_password(&company, "deactivated@sessions.example", false).await;
    company.set_state(&deactivated, "deactivated").await;
    let mut messages = Vec::new();
    for (email, password) in [
        ("wrong@sessions.example", "difference engine"),
        ("none@sessions.example", PASSWORD),
        ("deactivated@sessions.example", PASSWORD),
        ("unknown@sessions.example", PASSWORD),
    ] {
        let answer = try_to_sign_in(&company, email, password).await.refused(401, "invalid_auth");
        messages.push(answer.json()["error"]["message"].clone());
    }
    messages.dedup();
    assert_eq!(messages.len(), 1, "all failed sign-ins get the same message: {messages:?}");
}

#[both_engines]
async fn each_credential_gives_only_its_own_rights(server: Server) {
    let company = server.company().await;
    with_password(&company, "boss@callers.example", true).await;
    let ada = with_password(&company, "ada@callers.example", false).await;
    let (boss, person) =
        (sign_in(&company, "boss@callers.example").await, sign_in(&company, "ada@callers.example").await);
    let operator = &company.operator;

    operator.anonymous().get("/admin/v1/workspaces").refused(401, "not_authed").await;
    for wrong in ["Bearer", "Bearer svc_op_wrong", "Basic YTpi", "Bearer svc_ses_x", "Bearer svc_bot_test_x"]
    {
        operator.with(wrong).get("/admin/v1/workspaces").refused(401, "invalid_auth").await;
    }
    boss.get("/admin/v1/workspaces").refused(403, "forbidden").await;
    boss.post("/admin/v1/workspaces").json(&json!({"name": "X"})).refused(403, "forbidden").await;
    boss.get(&company.path("/users")).ok(200).await;
    person.get(&company.path("/users")).refused(403, "forbidden").await;
    person.get(&company.path("")).refused(403, "forbidden").await;
    person.get(&format!("/admin/v1/users/{ada}")).ok(200).await;
    person.get(&format!("/admin/v1/users/{}", company.admin)).refused(403, "forbidden").await;

    let other = server.company().await;
    boss.get(&other.path("")).refused(404, "not_found").await;
    boss.get(&other.path("/users")).refused(404, "not_found").await;
    boss.get(&format!("/admin/v1/users/{}", other.admin)).refused(404, "user_not_found").await;
    boss.get("/admin/v1/workspaces/cmp_x").refused(404, "not_found").await;
}

#[both_engines]
async fn a_forced_log_out_ends_access_to_one_company_only(server: Server) {
    let (one, other) = (server.company().await, server.company().await);
    let ada = with_password(&one, "ada@two.example", false).await;
    let elsewhere = other.person_with(json!({"email": "ada@two.example"})).await;
    let api = sign_in(&one, "ada@two.example").await;
    one.operator.post(&format!("/admin/v1/users/{ada}/logout")).ok(200).await;
    api.get(&format!("/admin/v1/users/{ada}")).refused(404, "user_not_found").await;
    api.get(&format!("/admin/v1/users/{elsewhere}")).ok(200).await;
    sign_in(&one, "ada@two.example").await.get(&format!("/admin/v1/users/{ada}")).ok(200).await;
}

#[both_engines]
async fn a_deactivation_ends_sessions_permanently(server: Server) {
    let company = server.company().await;
    let ada = with_password(&company, "ada@back.example", false).await;
    let api = sign_in(&company, "ada@back.example").await;
    let path = format!("/admin/v1/users/{ada}");
    company.set_state(&ada, "deactivated").await;
    api.get(&path).refused(401, "invalid_auth").await;
    company.set_state(&ada, "active").await;
    api.get(&path).refused(401, "invalid_auth").await;
    let body: Value = sign_in(&company, "ada@back.example").await.get(&path).ok(200).await;
    assert_eq!(body["user"]["state"], "active");
}

async fn guesses_are_bounded(server: Server) {
    let company = server.company().await;
    with_password(&company, "bounded@sessions.example", false).await;
    for _ in 0..10 {
        try_to_sign_in(&company, "bounded@sessions.example", "difference engine")
            .await
            .refused(401, "invalid_auth");
    }
    // after ten wrong passwords the correct password is rejected too, even if the e-mail address is in another letter
    // case
    try_to_sign_in(&company, "Bounded@sessions.example", PASSWORD).await.refused(429, "rate_limited");
    with_password(&company, "other@sessions.example", false).await;
    sign_in(&company, "other@sessions.example").await;

    // guesses from other client addresses do not lock the owner out
    let email = "owner@sessions.example";
    let owner = with_password(&company, email, false).await;
    for address in 1..=5 {
        for _ in 0..10 {
            let guess =
                try_from(&company, &format!("198.51.100.{address}"), email, "difference engine").await;
            guess.refused(401, "invalid_auth");
        }
        let guess = try_from(&company, &format!("198.51.100.{address}"), email, PASSWORD).await;
        guess.refused(429, "rate_limited");
    }
    sign_in(&company, email).await;
    // guesses from very many client addresses are limited to 100 together: 50 were made above, and 50 more exhaust the
    // limit
    for address in 0..50 {
        let guess = try_from(&company, &format!("203.0.113.{address}"), email, "difference engine").await;
        guess.refused(401, "invalid_auth");
    }
    let refused = try_from(&company, "203.0.113.200", email, PASSWORD).await.refused(429, "rate_limited");
    assert_eq!(refused.header("retry-after"), Some("3600"));
    // the owner can still sign in from a client address from which the owner has signed in before
    sign_in(&company, email).await;
    sign_in(&company, "other@sessions.example").await;
    // the guesses were for the previous password, so the owner can sign in from any client address with a new password
    company.update_user(&owner, json!({"password": "difference engine"})).await;
    try_from(&company, "203.0.113.200", email, "difference engine").await.ok(201);
}

/// A password cannot be checked if the stored hash is damaged, as in this test, or if too many passwords wait to be
/// checked. Such an attempt is removed from the count of failures, so it causes no wait.
#[both_engines]
async fn an_attempt_that_cannot_be_checked_causes_no_wait(server: Server) {
    const EMAIL: &str = "waits@sessions.example";
    let company = server.company().await;
    with_password(&company, EMAIL, false).await;
    for failures in 1..=19 {
        try_to_sign_in(&company, EMAIL, "difference engine").await.refused(401, "invalid_auth");
        if failures >= 10 {
            server.advance(std::time::Duration::from_secs(86_400)).await;
        }
    }
    let db = &server.running().world().db;
    let hash = db.read(Hash(EMAIL)).await.unwrap();
    assert_eq!(db.write(SetHash(EMAIL, "damaged".to_owned())).await.unwrap(), 1);
    assert_eq!(try_to_sign_in(&company, EMAIL, PASSWORD).await.status, 500);
    db.write(SetHash(EMAIL, hash)).await.unwrap();
    // the removed attempt would have been the 20th failure, after which this client address must wait for 17 hours
    try_to_sign_in(&company, EMAIL, PASSWORD).await.ok(201);
}

#[both_engines]
async fn changing_ones_own_password_requires_the_current_password(server: Server) {
    let company = server.company().await;
    for (email, is_admin) in [("boss@own.example", true), ("ada@own.example", false)] {
        let id = with_password(&company, email, is_admin).await;
        let path = format!("/admin/v1/users/{id}");
        let (mine, stolen) = (sign_in(&company, email).await, sign_in(&company, email).await);
        let new = json!({"password": "difference engine"});
        stolen.patch(&path).json(&new).refused(400, "invalid_request").await;
        let with = |current: &str| json!({"password": "difference engine", "current_password": current});
        for _ in 0..10 {
            stolen.patch(&path).json(&with("a guess")).refused(403, "forbidden").await;
        }
        let refused = stolen.patch(&path).json(&with(PASSWORD)).refused(429, "rate_limited").await;
        assert_eq!(refused.header("retry-after"), Some("60"));
        mine.patch(&path).json(&json!({"title": "Countess"})).ok(200).await;
        mine.patch(&path).json(&with(PASSWORD)).ok(200).await;
        stolen.get(&path).refused(401, "invalid_auth").await;
        mine.get(&path).ok(200).await;
        try_to_sign_in(&company, email, "difference engine").await.ok(201);
    }
}

/// Passwords wait in a queue until they are checked. If the queue is full, sign-ins get 503. A sign-in from a client
/// address from which somebody has signed in to the account before is still accepted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_password_queue_does_not_block_known_addresses() {
    let configure = std::sync::Arc::new(|config: &mut switchboard::config::Config| {
        config.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
    });
    let options = Options { configure: Some(configure), ..Options::default() };
    let server = Server::with(options).await.unwrap();
    let company = server.company().await;
    with_password(&company, "owner@crowd.example", false).await;
    sign_in(&company, "owner@crowd.example").await;
    let threads = std::thread::available_parallelism().unwrap().get().min(8);
    let crowd = (0..threads * 33 + 40).map(|n| {
        let address = format!("198.51.{}.{}", 100 + n / 250, n % 250);
        let company = &company;
        async move { try_from(company, &address, &format!("nobody{n}@crowd.example"), "a guess").await }
    });
    let crowd = futures_util::future::join_all(crowd);
    // `join!` starts the requests of the crowd first, so the requests of the owner arrive at a full queue
    let owner = async {
        let mut answers = Vec::new();
        for _ in 0..5 {
            answers.push(try_to_sign_in(&company, "owner@crowd.example", PASSWORD).await);
        }
        answers
    };
    let (crowd, owner) = tokio::join!(crowd, owner);
    for answer in owner {
        answer.ok(201);
    }
    let refused: Vec<_> = crowd.iter().filter(|answer| answer.status == 503).collect();
    assert!(!refused.is_empty(), "the queue is bounded");
    for answer in refused {
        assert_eq!(answer.header("retry-after"), Some("2"));
        assert_eq!(answer.json()["error"]["code"], "server_error");
    }
    assert!(crowd.iter().all(|answer| [401, 503].contains(&answer.status)));
    let checked = crowd.iter().filter(|answer| answer.status == 401).count();
    assert!(
        checked >= threads * 32,
        "at least 32 passwords are checked for each thread: {checked} were checked"
    );
    server.settle().await;
    let stored = server.running().world().db.read(Guesses).await.unwrap();
    assert_eq!(
        stored,
        2 * checked as i64,
        "each failure has two counts: of its client address, and of all unknown locations; a 503 has none"
    );
}

#[both_engines]
async fn guesses_at_one_account_are_bounded(engine: Engine) -> Option<()> {
    let configure = std::sync::Arc::new(|config: &mut switchboard::config::Config| {
        config.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
    });
    let options = Options { engine, limits: true, configure: Some(configure), ..Options::default() };
    guesses_are_bounded(Server::with(options).await?).await;
    Some(())
}
