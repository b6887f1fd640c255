//! The token check. B-343 … B-346, D-144.

use serde_json::{Value, json};

use crate::{
    on_both,
    support::{ALL_SCOPES, Company, Scene, Server, text},
};

on_both! {
    async fn it_tells_the_workspace(server: Server) {
        let scene = Scene::new(&server).await;
        let answer = scene.bot.api.get("/v1/auth/test").ok(200).await;
        // B-343
        assert!(scene.company.id.starts_with("cmp_"));
        let path = format!("/admin/v1/workspaces/{}", scene.company.id);
        let name = text(&scene.company.operator.get(&path).ok(200).await, "/workspace/name");
        // B-344
        assert_eq!(answer["workspace"], json!({"id": scene.company.id, "name": name, "domain": "example.com"}));
        // D-144
        assert_eq!(answer["app_id"], scene.bot.app.id.as_str());
        assert_eq!(answer["bot"]["id"], scene.bot.user_id.as_str());
        assert!(answer["bot"]["name"].as_str().is_some_and(|n| !n.is_empty()));
        let bot: Vec<_> = answer["bot"].as_object().expect("a bot").keys().collect();
        assert_eq!(bot, ["id", "name"]);
        let mut scopes: Vec<_> = answer["scopes"].as_array().expect("scopes").iter().map(|s| s.as_str()).collect();
        scopes.sort_unstable();
        let mut all = ALL_SCOPES.map(Some);
        all.sort_unstable();
        assert_eq!(scopes, all);
        let members: Vec<_> = answer.as_object().expect("an object").keys().map(String::as_str).collect();
        assert_eq!(members, ["app_id", "bot", "ok", "scopes", "workspace"]);
    }

    async fn scopes_are_the_tokens_own(server: Server) {
        // D-039
        let scene = Scene::with(&server, &["users:read"]).await;
        let other = scene.company.install(&scene.bot.app, &["files:read", "messages:write"]).await;
        let scopes = async |bot: &crate::support::Bot| {
            let answer = bot.api.get("/v1/auth/test").ok(200).await;
            let mut scopes: Vec<_> = answer["scopes"].as_array().expect("scopes").clone();
            scopes.sort_by_key(ToString::to_string);
            scopes
        };
        assert_eq!(scopes(&scene.bot).await, [json!("users:read")]);
        assert_eq!(scopes(&other).await, [json!("files:read"), json!("messages:write")]);
    }

    async fn a_company_without_a_domain(server: Server) {
        // B-344
        let operator = server.operator();
        let made = operator.post("/admin/v1/workspaces").json(&json!({"name": "No Domain"})).ok(201).await;
        let mut company = Company { id: text(&made, "/workspace/id"), operator, admin: String::new() };
        company.admin = company.person_with(json!({"is_admin": true})).await;
        let bot = company.bot(&server).await;
        let workspace = async || bot.api.get("/v1/auth/test").ok(200).await["workspace"].clone();
        assert_eq!(workspace().await, json!({"id": company.id, "name": "No Domain", "domain": Value::Null}));
        let path = format!("/admin/v1/workspaces/{}", company.id);
        let change = json!({"name": "Renamed", "domain": "example.org"});
        company.operator.patch(&path).json(&change).ok(200).await;
        assert_eq!(workspace().await, json!({"id": company.id, "name": "Renamed", "domain": "example.org"}));
    }

    async fn each_company_gets_its_own(server: Server) {
        let here = server.company().await;
        let there = server.company().await;
        let bot = here.bot(&server).await;
        let twin = there.install(&bot.app, &[]).await;
        for (company, bot) in [(&here, &bot), (&there, &twin)] {
            let answer = bot.api.get("/v1/auth/test").ok(200).await;
            assert_eq!(answer["workspace"]["id"], company.id.as_str());
            assert_eq!(answer["bot"]["id"], bot.user_id.as_str());
            assert_eq!(answer["app_id"], bot.app.id.as_str());
        }
        assert_ne!(bot.user_id, twin.user_id);
    }

    async fn a_disconnected_token(server: Server) {
        // B-346, B-468: how an app notices by polling
        let scene = Scene::new(&server).await;
        scene.bot.api.get("/v1/auth/test").ok(200).await;
        scene.company.uninstall(&scene.bot).await;
        scene.bot.api.get("/v1/auth/test").refused(401, "token_revoked").await;
    }
}
