//! The simulated admins: they add and change people, rename and archive groups, remove bots, uninstall apps and revoke
//! connections. In the [`ledger`](super::ledger), they record when the response to each revocation arrived, and which
//! apps must receive an event of each change.

use std::{
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use reqwest::Method;
use serde_json::{Value, json};

use super::{
    Fleet, assistants,
    company::{Assistant, Behaviour, Bot},
    http::{Reply, new_request},
    ledger::{Rule, member_subject, token_subject},
    limits::Cost,
    tool_calls,
};

fn rng(fleet: &Fleet, number: u64) -> StdRng {
    StdRng::seed_from_u64(fleet.options.seed ^ (0xAD << 32) ^ number)
}

async fn rest(rng: &mut StdRng, milliseconds: u64) {
    tokio::time::sleep(Duration::from_millis(rng.random_range(milliseconds / 2..milliseconds * 3 / 2))).await;
}

/// Makes a change, and repeats the request while its outcome is unknown or a rate limit rejects it. Returns the last
/// response. If this response is not a success, records a violation.
async fn change(
    fleet: &Fleet,
    operation: &'static str,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> Reply {
    let make = || {
        let request =
            new_request(operation, method.clone(), path).header("x-acting-user", fleet.company.admin());
        match body {
            Some(body) => request.json(body),
            None => request,
        }
    };
    let (reply, _) = fleet.http.admin_until_definite(make).await;
    if !reply.is_ok() {
        let what = format!("{operation} was answered {}: {}", reply.status, reply.body);
        fleet.ledger.violation(Rule::Answers, what);
    }
    reply
}

fn expect_event_of_all(fleet: &Fleet, kind: &str, id: &str) {
    for bot in fleet.company.lasting() {
        fleet.ledger.expect_event(bot.number, kind, id);
    }
}

/// Adds, renames, deactivates and reactivates people.
pub async fn people(fleet: Arc<Fleet>) {
    let mut rng = rng(&fleet, 1);
    for turn in 0.. {
        if fleet.is_stopping() {
            return;
        }
        match rng.random_range(0..10) {
            0..4 => add_person(&fleet, turn).await,
            4..7 => {
                let person = fleet.company.people.choose(&mut rng).unwrap();
                let body = json!({"name": format!("Person renamed {turn}")});
                let path = format!("/admin/v1/users/{}", person.id);
                if change(&fleet, "admin: change a person", Method::PATCH, &path, Some(&body)).await.is_ok() {
                    expect_event_of_all(&fleet, "user.updated", &person.id);
                }
            }
            _ => deactivate(&fleet, &mut rng).await,
        }
        rest(&mut rng, 600).await;
    }
}

async fn add_person(fleet: &Fleet, turn: u64) {
    let email = format!("joiner-{turn}@example.com");
    let body = json!({"name": format!("Joiner {turn}"), "email": email});
    let make = || new_request("admin: add a person", Method::POST, fleet.company.path("/users")).json(&body);
    let (reply, earlier_attempts) = fleet.http.admin_until_definite(make).await;
    let id = match reply.status {
        201 => reply.text_at("/user/id"),
        // an earlier attempt, whose response did not arrive, may have added the person
        409 if earlier_attempts > 0 => {
            let path = fleet.company.path(&format!("/users?query={email}"));
            let (found, _) = fleet
                .http
                .admin_until_definite(|| new_request("admin: find a person", Method::GET, path.clone()))
                .await;
            found.text_at("/users/0/id")
        }
        _ => {
            let what = format!("a person was not added: {} {}", reply.status, reply.body);
            return fleet.ledger.violation(Rule::Answers, what);
        }
    };
    expect_event_of_all(fleet, "user.created", &id);
}

async fn deactivate(fleet: &Fleet, rng: &mut StdRng) {
    let volatile: Vec<_> = fleet.company.people.iter().filter(|person| person.is_volatile).collect();
    let id = &volatile.choose(rng).unwrap().id;
    let path = format!("/admin/v1/users/{id}/state");
    let body = json!({"state": "deactivated"});
    let reply = change(fleet, "admin: deactivate a person", Method::POST, &path, Some(&body)).await;
    if reply.is_ok() {
        fleet.ledger.revoked(id, reply.ended);
        expect_event_of_all(fleet, "user.deactivated", id);
    }
    rest(rng, 1_000).await;
    fleet.ledger.restored(id);
    let body = json!({"state": "active"});
    if change(fleet, "admin: reactivate a person", Method::POST, &path, Some(&body)).await.is_ok() {
        expect_event_of_all(fleet, "user.updated", id);
    }
}

/// Renames groups that are not volatile ([`Group::is_volatile`](super::company::Group::is_volatile)). Archives volatile
/// groups and unarchives them; removes bots from volatile groups and adds them again.
pub async fn conversations(fleet: Arc<Fleet>) {
    let mut rng = rng(&fleet, 2);
    for turn in 0.. {
        if fleet.is_stopping() {
            return;
        }
        let what = rng.random_range(0..10);
        let groups = fleet.company.groups.iter().enumerate();
        let fitting: Vec<_> = groups.filter(|(_, group)| group.is_volatile == (what >= 4)).collect();
        let (index, group) = *fitting.choose(&mut rng).unwrap();
        let path = format!("/admin/v1/conversations/{}", group.id);
        match what {
            0..4 => {
                let body = json!({"name": format!("group-{index} renamed {turn}")});
                if change(&fleet, "admin: rename a group", Method::PATCH, &path, Some(&body)).await.is_ok() {
                    for bot in fleet.company.lasting_in(index) {
                        fleet.ledger.expect_event(bot.number, "conversation.renamed", &group.id);
                    }
                }
            }
            4..7 => {
                let archive = json!({"is_archived": true});
                let reply =
                    change(&fleet, "admin: archive a group", Method::PATCH, &path, Some(&archive)).await;
                if reply.is_ok() {
                    fleet.ledger.revoked(&group.id, reply.ended);
                    for bot in fleet.company.lasting_in(index) {
                        fleet.ledger.expect_event(bot.number, "conversation.archived", &group.id);
                    }
                }
                rest(&mut rng, 700).await;
                fleet.ledger.restored(&group.id);
                let back = json!({"is_archived": false});
                change(&fleet, "admin: unarchive a group", Method::PATCH, &path, Some(&back)).await;
            }
            _ => remove_and_add(&fleet, &mut rng, index).await,
        }
        rest(&mut rng, 600).await;
    }
}

async fn remove_and_add(fleet: &Fleet, rng: &mut StdRng, index: usize) {
    let company = &fleet.company;
    let inside: Vec<&Bot> =
        company.lasting_in(index).filter(|bot| bot.behaviour == Behaviour::Paced).collect();
    let Some(bot) = inside.choose(rng) else { return };
    let group = &company.groups[index].id;
    let subject = member_subject(bot.number, group);
    let path = format!("/admin/v1/conversations/{group}/members/{}", bot.user_id());
    let reply = change(fleet, "admin: remove a member", Method::DELETE, &path, None).await;
    if reply.is_ok() {
        fleet.ledger.revoked(&subject, reply.ended);
        fleet.ledger.expect_event(bot.number, "app.removed_from_conversation", group);
    }
    rest(rng, 700).await;
    fleet.ledger.restored(&subject);
    if change(fleet, "admin: add a member", Method::PUT, &path, None).await.is_ok() {
        fleet.ledger.expect_event(bot.number, "conversation.created", group);
    }
}

/// Uninstalls apps and revokes connections, tries the revoked credentials, and then restores access. Tries bot tokens
/// at every node and through the balancer, but access tokens only through the balancer.
pub async fn access(fleet: Arc<Fleet>, nodes: Vec<SocketAddr>) {
    let mut rng = rng(&fleet, 3);
    let expendable = |bot: &&Bot| bot.behaviour == Behaviour::Expendable;
    let bots: Vec<&Bot> = fleet.company.bots.iter().filter(expendable).collect();
    for turn in 0.. {
        rest(&mut rng, 2_000).await;
        if fleet.is_stopping() {
            return;
        }
        uninstall(&fleet, bots[turn % bots.len()], &nodes, &mut rng).await;
        // A new connection takes a sign-in and an authorization, which are rate limited. So connections are revoked
        // less often than apps are uninstalled.
        if turn % 4 == 1
            && let Some(assistant) = fleet.company.assistants.iter().find(|one| one.is_expendable)
        {
            revoke(&fleet, assistant, &nodes, &mut rng).await;
        }
    }
}

async fn uninstall(fleet: &Fleet, bot: &Bot, nodes: &[SocketAddr], rng: &mut StdRng) {
    let path = fleet.company.path("/installations?limit=1000");
    let (list, _) = fleet
        .http
        .admin_until_definite(|| new_request("admin: installations", Method::GET, path.clone()))
        .await;
    let installations = list.body["installations"].as_array().cloned().unwrap_or_default();
    let of_bot = installations.iter().filter(|one| one["app_id"] == bot.app_id.as_str());
    let Some(installation) = of_bot.clone().find(|one| one["state"] == "connected") else { return };
    let path = format!("/admin/v1/installations/{}", installation["id"].as_str().unwrap());
    let token = bot.token();
    let reply = change(fleet, "admin: uninstall an app", Method::DELETE, &path, None).await;
    if reply.is_ok() {
        fleet.ledger.revoked(&token_subject(&token), reply.ended);
        fleet.ledger.expect_event(bot.number, "app.uninstalled", "");
    }
    for node in nodes.iter().map(Some).chain([None]) {
        let request = new_request("revoked: token check", Method::GET, "/v1/auth/test");
        let request = match node {
            Some(node) => request.at(*node),
            None => request,
        };
        let probe = fleet.http.send(request.token(&token)).await;
        if probe.is_ok() {
            fleet.ledger.used(&[&token_subject(&token)], &probe);
        }
    }
    rest(rng, 500).await;
    while !fleet.company.install(&fleet.http, bot).await {
        if fleet.is_stopping() {
            return;
        }
        // With the default number of bots, an app exchanges about four install codes a minute. The rate limit is 20 a
        // minute for each app.
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    for index in &bot.groups {
        let group = &fleet.company.groups[*index];
        let path = format!("/admin/v1/conversations/{}/members/{}", group.id, bot.user_id());
        let add = || new_request("admin: add a member", Method::PUT, path.clone());
        // The request fails while the group is archived. The bot then stays outside the group until the next call of
        // this function for this bot.
        fleet.http.admin_until_definite(add).await;
    }
}

async fn revoke(fleet: &Fleet, assistant: &Assistant, nodes: &[SocketAddr], rng: &mut StdRng) {
    let connected = assistant.connected.lock().unwrap().clone();
    let path = format!("/admin/v1/connections/{}", connected.connection_id);
    let reply = change(fleet, "admin: revoke a connection", Method::DELETE, &path, None).await;
    let subject = assistants::subject(&connected.access);
    if reply.is_ok() {
        fleet.ledger.revoked(&subject, reply.ended);
    }
    for _ in 0..=nodes.len() {
        let probe = tool_calls::call(&fleet.http, &connected.access, "whoami", &json!({})).await;
        assistant.limits.lock().unwrap().spend(Cost::Mcp, probe.ended);
        if probe.is_ok() {
            fleet.ledger.used(&[&subject], &probe);
        }
    }
    rest(rng, 500).await;
    assistant.connected.lock().unwrap().access.clear();
    while !fleet.is_stopping() {
        let again = fleet.company.client.connect(&fleet.http, &assistant.email).await;
        // the last request of `connect` calls the tool `whoami`, which counts against the limit of the employee
        assistant.limits.lock().unwrap().spend(Cost::Mcp, Instant::now());
        if let Some(again) = again {
            *assistant.connected.lock().unwrap() = again;
            return;
        }
        tokio::time::sleep(Duration::from_secs(7)).await;
    }
}
