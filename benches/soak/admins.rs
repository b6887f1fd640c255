//! Tasks that do the work of admins: they add, change and remove people, install and uninstall apps, rotate secrets,
//! block apps and clients, revoke connections, and read lists and logs.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use rand::{Rng, rngs::StdRng, seq::IndexedRandom};
use reqwest::Method;
use serde_json::json;
use switchboard::domain::time::Timestamp;

use super::{company::EXPENDABLE, http::new_request, site::Site, support::seed::PASSWORD};

/// Average actions per second of [`people`], [`apps`] and [`reading`], at the default `--rate`.
const PEOPLE: f64 = 1.0;
const APPS: f64 = 0.5;
const READING: f64 = 3.0;
/// Maximum number of added people who have not been removed yet.
const JOINERS: usize = 20;

/// Adds, changes, deactivates, signs out and removes people. Also sets and removes their app blocks.
pub async fn people(site: Arc<Site>) {
    let (mut rng, mut pace) = (site.rng(5, 0), site.rng(105, 0));
    let mut joiners: Vec<String> = Vec::new();
    for turn in 0_u64.. {
        if site.is_stopping() {
            return;
        }
        let begun = Instant::now();
        if joiners.len() < 3 || (joiners.len() < JOINERS && rng.random_bool(0.3)) {
            let body = json!({
                "name": format!("Joiner {turn}"), "email": format!("joiner-{turn}@example.com"),
                "is_external": rng.random_bool(0.2),
            });
            let path = site.company.path("/users");
            let made = site.change("admin: add a person", Method::POST, &path, Some(&body)).await;
            if made.is_ok() {
                joiners.push(made.text_at("/user/id"));
            }
        } else {
            let at = rng.random_range(0..joiners.len());
            if !change_person(&site, &joiners[at], turn, &mut rng).await {
                joiners.remove(at);
            }
        }
        site.pace(&mut pace, begun, PEOPLE).await;
    }
}

/// Changes or removes a person. Returns `false` after the removal.
async fn change_person(site: &Site, id: &str, turn: u64, rng: &mut StdRng) -> bool {
    let path = format!("/admin/v1/users/{id}");
    let state = format!("{path}/state");
    match rng.random_range(0..10) {
        0..4 => {
            let body = json!({"name": format!("Joiner renamed {turn}"), "title": "Engineer"});
            site.change("admin: change a person", Method::PATCH, &path, Some(&body)).await;
        }
        4..7 => {
            let states = ["active", "deactivated", "active", "onboarding"];
            let body = json!({"state": states.choose(rng).unwrap()});
            site.change("admin: state of a person", Method::POST, &state, Some(&body)).await;
        }
        7 => {
            let path = format!("{path}/logout");
            site.change("admin: sign a person out", Method::POST, &path, None).await;
        }
        8 => {
            let app = &site.company.bots.choose(rng).unwrap().app_id;
            let path = format!("{path}/app_blocks/{app}");
            let method = if rng.random_bool(0.5) { Method::PUT } else { Method::DELETE };
            site.change("admin: block an app", method, &path, None).await;
        }
        _ => {
            for step in ["deactivated", "removed"] {
                let body = json!({"state": step});
                site.change("admin: remove a person", Method::POST, &state, Some(&body)).await;
            }
            return false;
        }
    }
    true
}

/// Uninstalls and installs apps, rotates secrets, sends test events, redelivers events, blocks clients, revokes
/// connections and signs an admin in.
pub async fn apps(site: Arc<Site>) {
    let (mut rng, mut pace) = (site.rng(6, 0), site.rng(106, 0));
    let company = &site.company;
    let first = company.bots.len() - EXPENDABLE;
    while !site.is_stopping() {
        let begun = Instant::now();
        let bot = company.bots[first..].choose(&mut rng).unwrap();
        let app = format!("/admin/v1/apps/{}", bot.app_id);
        match rng.random_range(0..10) {
            0..3 => reinstall(&site, bot).await,
            3 => {
                let path = format!("{app}/rotate");
                let body = json!({"secret": "signing"});
                site.change("admin: rotate a secret", Method::POST, &path, Some(&body)).await;
            }
            4 => {
                let path = format!("{app}/rotate");
                let body = json!({"secret": "client"});
                let made = site.change("admin: rotate a secret", Method::POST, &path, Some(&body)).await;
                if made.is_ok() {
                    *bot.client_secret.lock().unwrap() = made.text_at("/client_secret");
                }
            }
            5 => {
                let path = format!("{app}/test_events");
                let body = json!({"type": "interaction"});
                site.change("admin: send a test event", Method::POST, &path, Some(&body)).await;
            }
            6 => {
                let clock = site
                    .http
                    .admin(new_request("admin: read the clock", Method::GET, "/admin/v1/clock"))
                    .await;
                if let Some(now) = Timestamp::parse(&clock.text_at("/now")) {
                    let since = now - Duration::from_secs(60 * 60);
                    let path = format!("/admin/v1/apps/{}/redeliver", company.bots[2].app_id);
                    let body = json!({"since": since.to_rfc3339(), "state": "failed"});
                    site.change("admin: redeliver events", Method::POST, &path, Some(&body)).await;
                }
            }
            7 => {
                let path = company.path(&format!("/client_blocks/host-{}.example", rng.random_range(0..5)));
                let method = if rng.random_bool(0.5) { Method::PUT } else { Method::DELETE };
                site.change("admin: block a client", method, &path, None).await;
            }
            8 => revoke_connection(&site).await,
            _ => session(&site).await,
        }
        site.pace(&mut pace, begun, APPS).await;
    }
}

async fn reinstall(site: &Site, bot: &super::company::Bot) {
    let path = site.company.path("/installations?limit=1000");
    let list = site.http.admin(new_request("admin: installations", Method::GET, path)).await;
    let installations = list.body["installations"].as_array().cloned().unwrap_or_default();
    let connected =
        installations.iter().find(|one| one["app_id"] == bot.app_id.as_str() && one["state"] == "connected");
    if let Some(id) = connected.and_then(|one| one["id"].as_str()) {
        let path = format!("/admin/v1/installations/{id}");
        site.change("admin: uninstall an app", Method::DELETE, &path, None).await;
    }
    if !site.company.install(&site.http, bot).await {
        return;
    }
    for index in &bot.groups {
        let group = &site.company.groups[*index];
        let path = format!("/admin/v1/conversations/{group}/members/{}", bot.user_id());
        site.change("admin: add a member", Method::PUT, &path, None).await;
    }
}

async fn revoke_connection(site: &Site) {
    let path = site.company.path("/connections?state=active&limit=1");
    let list = site.http.admin(new_request("admin: connections", Method::GET, path)).await;
    let id = list.text_at("/connections/0/id");
    if !id.is_empty() {
        let path = format!("/admin/v1/connections/{id}");
        site.change("admin: revoke a connection", Method::DELETE, &path, None).await;
    }
}

/// Signs an admin in through the API and reads people. Signs the admin out after about two of three sign-ins.
async fn session(site: &Site) {
    let http = site.client(6, 0);
    let body = json!({"email": site.company.admin_email, "password": PASSWORD});
    let request = new_request("admin: sign in", Method::POST, "/admin/v1/sessions").json(&body);
    let token = http.send(request).await.text_at("/session_token");
    let users = new_request("admin: people", Method::GET, site.company.path("/users?limit=20"));
    http.send(users.token(&token)).await;
    if token.bytes().last().is_some_and(|byte| byte % 3 > 0) {
        http.send(new_request("admin: sign out", Method::DELETE, "/admin/v1/sessions/current").token(&token))
            .await;
    }
}

/// Reads lists and logs.
pub async fn reading(site: Arc<Site>) {
    let (mut rng, mut pace) = (site.rng(7, 0), site.rng(107, 0));
    let company = &site.company;
    while !site.is_stopping() {
        let begun = Instant::now();
        let bot = company.bots.choose(&mut rng).unwrap();
        let group = company.groups.choose(&mut rng).unwrap();
        let (operation, path) = match rng.random_range(0..8) {
            0 => ("admin: people", company.path("/users?limit=50")),
            1 => ("admin: find people", company.path("/users?query=joiner")),
            2 => ("admin: conversations", company.path("/conversations?limit=50")),
            3 => ("admin: messages", format!("/admin/v1/conversations/{group}/messages?limit=50")),
            4 => ("admin: deliveries", format!("/admin/v1/apps/{}/deliveries?limit=50", bot.app_id)),
            5 => ("admin: tool calls", company.path("/tool_calls?limit=50")),
            6 => ("admin: connections", company.path("/connections?limit=50")),
            _ => ("admin: clients", "/admin/v1/assistant_clients?limit=50".to_owned()),
        };
        site.http.admin(new_request(operation, Method::GET, path)).await;
        site.pace(&mut pace, begun, READING).await;
    }
}
