//! Install codes and the revoking of tokens (B-350 … B-353, B-359, B-360, D-149 … D-152, D-156).

use std::time::Duration;

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::{on_both, support::*};

const REDIRECT: &str = "https://app.example/callback";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

fn challenge(verifier: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()))
}

impl Company {
    /// An install code approved with these members of the request.
    async fn code_with(&self, app: &App, members: Value) -> String {
        let body = with(json!({"app_id": app.id}), members);
        let call = self.operator.post(&self.path("/installations")).header("x-acting-user", &self.admin);
        text(&call.json(&body).ok(201).await, "/code")
    }
}

impl App {
    /// An exchange with these members over grant type, code and credentials.
    fn exchanging(&self, server: &Server, code: &str, members: Value) -> Call {
        let grant = json!({"grant_type": "authorization_code", "code": code});
        server.api().post("/oauth/token").json(&self.body(with(grant, members)))
    }

    fn revoking(&self, server: &Server, token: &str) -> Call {
        server.api().post("/oauth/revoke").json(&self.body(json!({"token": token})))
    }
}

on_both! {
    async fn a_bad_code_is_an_invalid_grant(server: Server) {
        let company = server.company().await;
        let (app, other) = (server.app(&ALL_SCOPES).await, server.app(&ALL_SCOPES).await);
        let code = company.install_code(&app, &ALL_SCOPES).await;
        let changed = crate::support::other_end(&code);
        let (spaced, upper) = (format!("{code} "), code.to_uppercase());
        for unknown in ["x", &changed, &code[1..], &spaced, &upper, "\u{e9}"] {
            app.exchanging(&server, unknown, json!({})).refused(400, "invalid_grant").await; // B-350
        }
        // B-353: bound to another app, and still good for its own
        for _ in 0..2 {
            other.exchanging(&server, &code, json!({})).refused(400, "invalid_grant").await;
        }
        let token = text(&app.exchanging(&server, &code, json!({})).ok(200).await, "/access_token");
        // B-352: used, by whomever
        for app in [&app, &app, &other] {
            app.exchanging(&server, &code, json!({})).refused(400, "invalid_grant").await;
        }
        // D-152: which harms nothing
        server.api().bearer(&token).get("/v1/auth/test").ok(200).await;
    }

    async fn a_code_lives_ten_minutes(server: Server) {
        let company = server.company().await;
        let app = server.app(&ALL_SCOPES).await;
        let (early, late) =
            (company.install_code(&app, &ALL_SCOPES).await, company.install_code(&app, &ALL_SCOPES).await);
        server.advance(Duration::from_secs(599)).await;
        app.exchanging(&server, &early, json!({})).ok(200).await; // B-351, D-151
        server.advance(Duration::from_secs(2)).await;
        app.exchanging(&server, &late, json!({})).refused(400, "invalid_grant").await; // B-351
        server.advance(Duration::from_secs(86_400)).await;
        app.exchanging(&server, &late, json!({})).refused(400, "invalid_grant").await; // B-351
    }

    async fn a_code_is_exchanged_once_only(server: Server) {
        let company = server.company().await;
        let app = server.app(&ALL_SCOPES).await;
        let code = company.install_code(&app, &ALL_SCOPES).await;
        let exchanges = (0..10).map(|_| app.exchanging(&server, &code, json!({})).send());
        let answers = futures_util::future::join_all(exchanges).await;
        let good = answers.iter().filter(|a| a.status == 200).count();
        assert_eq!(good, 1, "B-352: also when ten ask at once");
        for answer in answers.into_iter().filter(|a| a.status != 200) {
            answer.refused(400, "invalid_grant"); // B-352
        }
    }

    async fn a_code_keeps_the_redirect_uri_it_was_made_for(server: Server) {
        let company = server.company().await;
        let app = server.app(&ALL_SCOPES).await;
        // D-149
        for wrong in [
            json!({}),
            json!({"redirect_uri": ""}),
            json!({"redirect_uri": format!("{REDIRECT}/")}),
            json!({"redirect_uri": REDIRECT.to_uppercase()}),
            json!({"redirect_uri": format!("{REDIRECT}?a=b")}),
            json!({"redirect_uri": "https://other.example/callback"}),
        ] {
            let code = company.code_with(&app, json!({"redirect_uri": REDIRECT})).await;
            let answer = app.exchanging(&server, &code, wrong.clone()).send().await;
            assert_eq!(answer.status, 400, "D-149: {wrong}: {}", answer.text());
            answer.refused(400, "invalid_grant");
        }
        let code = company.code_with(&app, json!({"redirect_uri": REDIRECT})).await;
        app.exchanging(&server, &code, json!({"redirect_uri": REDIRECT})).ok(200).await;
        let code = company.code_with(&app, json!({})).await;
        app.exchanging(&server, &code, json!({})).ok(200).await; // not needed where none was given
    }

    async fn a_challenge_needs_its_verifier(server: Server) {
        let company = server.company().await;
        let app = server.app(&ALL_SCOPES).await;
        let request = json!({"code_challenge": challenge(VERIFIER)});
        // D-150
        let other = "x".repeat(43);
        for wrong in [other.as_str(), &challenge(VERIFIER), &VERIFIER.to_lowercase()] {
            let code = company.code_with(&app, request.clone()).await;
            let call = app.exchanging(&server, &code, json!({"code_verifier": wrong}));
            call.refused(400, "invalid_grant").await;
        }
        let code = company.code_with(&app, request.clone()).await;
        let answer = app.exchanging(&server, &code, json!({})).send().await;
        assert_eq!(answer.status, 400, "D-150: {}", answer.text());
        let code = company.code_with(&app, request).await;
        app.exchanging(&server, &code, json!({"code_verifier": VERIFIER})).ok(200).await;
    }

    async fn revoking_disconnects(server: Server) {
        let scene = Scene::new(&server).await;
        let (company, bot) = (&scene.company, &scene.bot);
        let second = company.install(&bot.app, &["users:read"]).await;
        let answer = bot.app.revoking(&server, &bot.token).ok(200).await;
        assert_eq!(answer, json!({"ok": true}), "B-359");
        // B-359: the installation, so every token of it
        for token in [bot, &second] {
            token.api.get("/v1/auth/test").refused(401, "token_revoked").await;
        }
        let list = company.operator.get(&company.path("/installations")).ok(200).await;
        let record = &list["installations"][0];
        assert_eq!(record["state"], "disconnected", "B-359");
        assert_eq!(record["reason"], "app_revoked", "B-359");
        assert!(company.uninstall_events(&bot.app).await.is_empty(), "B-359, B-366: no event");
    }

    async fn revoking_what_is_not_there_is_fine(server: Server) {
        let scene = Scene::new(&server).await;
        let (company, bot) = (&scene.company, &scene.bot);
        let other = company.bot(&server).await;
        let random = format!("svc_bot_test_{}", "A".repeat(49));
        // B-360, D-156
        let (secret, public) = (&other.app.client_secret, &bot.app.client_id);
        for token in ["x", &random, &other.token, secret, public, "svc_mcp_at_x"] {
            assert_eq!(bot.app.revoking(&server, token).ok(200).await, json!({"ok": true}), "B-360");
        }
        for bot in [bot, &other] {
            bot.api.get("/v1/auth/test").ok(200).await; // B-360: left alone
        }
        for _ in 0..2 {
            bot.app.revoking(&server, &bot.token).ok(200).await; // B-360: already revoked
        }
        other.api.get("/v1/auth/test").ok(200).await;
        // revoking the dead token does not harm a new installation
        let again = company.install(&bot.app, &ALL_SCOPES).await;
        bot.app.revoking(&server, &bot.token).ok(200).await; // B-360
        again.api.get("/v1/auth/test").ok(200).await;
    }

    async fn revoking_ends_one_company_only(server: Server) {
        let scene = Scene::new(&server).await;
        let twin = server.company().await.install(&scene.bot.app, &ALL_SCOPES).await;
        scene.bot.app.revoking(&server, &scene.bot.token).ok(200).await;
        scene.bot.api.get("/v1/auth/test").refused(401, "token_revoked").await; // B-359
        twin.api.get("/v1/auth/test").ok(200).await;
    }
}
