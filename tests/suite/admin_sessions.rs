//! Signing in to the admin API, and which callers its operations take (W-01, W-02, W-12).

use serde_json::{Value, json};
use switchboard::store::Engine;

use crate::{on_both, support::*};

const PASSWORD: &str = "analytical engine";

/// A person who can sign in; tells the id.
pub async fn with_password(company: &Company, email: &str, is_admin: bool) -> String {
    company.person_with(json!({"email": email, "password": PASSWORD, "is_admin": is_admin})).await
}

async fn try_to_sign_in(company: &Company, email: &str, password: &str) -> api::Answer {
    try_from(company, "192.0.2.1", email, password).await
}

/// From an address, as a proxy says it.
async fn try_from(company: &Company, address: &str, email: &str, password: &str) -> api::Answer {
    let body = json!({"email": email, "password": password});
    let call = company.operator.anonymous().post("/admin/v1/sessions").header("x-forwarded-for", address);
    call.json(&body).send().await
}

/// The API as a person who signed in just now.
pub async fn sign_in(company: &Company, email: &str) -> Api {
    let answer = try_to_sign_in(company, email, PASSWORD).await.ok(201);
    company.operator.bearer(&text(&answer, "/session_token"))
}

on_both! {
    async fn a_session_begins_and_ends(server: Server) {
        let company = server.company().await;
        let ada = with_password(&company, "ada@sessions.example", true).await;
        let answer = try_to_sign_in(&company, " ADA@Sessions.example".trim(), PASSWORD).await.ok(201);
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

    async fn all_wrong_sign_ins_look_alike(server: Server) {
        let company = server.company().await;
        with_password(&company, "wrong@sessions.example", false).await;
        company.person_with(json!({"email": "none@sessions.example"})).await;
        let gone = with_password(&company, "gone@sessions.example", false).await;
        company.set_state(&gone, "deactivated").await;
        let mut messages = Vec::new();
        for (email, password) in [
            ("wrong@sessions.example", "difference engine"),
            ("none@sessions.example", PASSWORD),
            ("gone@sessions.example", PASSWORD),
            ("unknown@sessions.example", PASSWORD),
        ] {
            let answer = try_to_sign_in(&company, email, password).await.refused(401, "invalid_auth");
            messages.push(answer.json()["error"]["message"].clone());
        }
        messages.dedup();
        assert_eq!(messages.len(), 1, "{messages:?}");
    }

    async fn credentials_are_told_apart(server: Server) {
        let company = server.company().await;
        with_password(&company, "boss@callers.example", true).await;
        let ada = with_password(&company, "ada@callers.example", false).await;
        let (boss, person) =
            (sign_in(&company, "boss@callers.example").await, sign_in(&company, "ada@callers.example").await);
        let operator = &company.operator;

        operator.anonymous().get("/admin/v1/workspaces").refused(401, "not_authed").await;
        for wrong in ["Bearer", "Bearer svc_op_wrong", "Basic YTpi", "Bearer svc_ses_x", "Bearer svc_bot_test_x"] {
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

    async fn a_forced_log_out_ends_sessions_of_that_company_only(server: Server) {
        let (one, other) = (server.company().await, server.company().await);
        let ada = with_password(&one, "ada@two.example", false).await;
        let elsewhere = other.person_with(json!({"email": "ada@two.example"})).await;
        let api = sign_in(&one, "ada@two.example").await;
        one.operator.post(&format!("/admin/v1/users/{ada}/logout")).ok(200).await;
        api.get(&format!("/admin/v1/users/{ada}")).refused(404, "user_not_found").await;
        api.get(&format!("/admin/v1/users/{elsewhere}")).ok(200).await;
        sign_in(&one, "ada@two.example").await.get(&format!("/admin/v1/users/{ada}")).ok(200).await;
    }

    async fn who_is_shut_out_has_no_session_even_after_coming_back(server: Server) {
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
}

async fn guesses_are_bounded(server: Server) {
    let company = server.company().await;
    with_password(&company, "bounded@sessions.example", false).await;
    for _ in 0..10 {
        try_to_sign_in(&company, "bounded@sessions.example", "difference engine")
            .await
            .refused(401, "invalid_auth");
    }
    // the right password too, in another spelling of the address
    try_to_sign_in(&company, "Bounded@sessions.example", PASSWORD).await.refused(429, "rate_limited");
    with_password(&company, "other@sessions.example", false).await;
    sign_in(&company, "other@sessions.example").await;

    // a stranger who guesses from elsewhere does not keep the owner out
    let email = "owner@sessions.example";
    with_password(&company, email, false).await;
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
    // one who guesses from very many is stopped all the same: 51 attempts were counted so far
    for address in 0..49 {
        let guess = try_from(&company, &format!("203.0.113.{address}"), email, "difference engine").await;
        guess.refused(401, "invalid_auth");
    }
    try_from(&company, "203.0.113.200", email, PASSWORD).await.refused(429, "rate_limited");
    sign_in(&company, "other@sessions.example").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn guesses_at_one_account_are_bounded() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let configure = std::sync::Arc::new(|config: &mut switchboard::config::Config| {
            config.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
        });
        let options = Options { engine, limits: true, configure: Some(configure), ..Options::default() };
        if let Some(server) = Server::with(options).await {
            guesses_are_bounded(server).await;
        }
    }
}
