//! An admin who creates, renames, archives and deletes groups, and changes their members. Some groups have a channel.
//! The admin also sends, edits and deletes messages in the groups.

use std::{sync::Arc, time::Instant};

use rand::{Rng, rngs::StdRng, seq::IndexedRandom};
use reqwest::Method;
use serde_json::json;

use super::{http::new_request, site::Site};

/// Mean number of actions per second, before the rate factor of the [`Site`] is applied.
const RATE: f64 = 2.0;
/// Maximum number of groups that exist at the same time.
const MAX_GROUPS: usize = 15;

pub async fn run(site: Arc<Site>) {
    let (mut rng, mut pace) = (site.rng(8, 0), site.rng(108, 0));
    let mut groups: Vec<String> = Vec::new();
    for turn in 0_u64.. {
        if site.is_stopping() {
            return;
        }
        let begun = Instant::now();
        if groups.len() < 3 || (groups.len() < MAX_GROUPS && rng.random_bool(0.12)) {
            groups.extend(make(&site, turn, &mut rng).await);
        } else {
            let at = rng.random_range(0..groups.len());
            if rng.random_bool(0.1) {
                let path = format!("/admin/v1/conversations/{}", groups.remove(at));
                site.change("admin: delete a group", Method::DELETE, &path, None).await;
            } else {
                change(&site, &groups[at], turn, &mut rng).await;
            }
        }
        site.pace(&mut pace, begun, RATE).await;
    }
}

async fn make(site: &Site, turn: u64, rng: &mut StdRng) -> Option<String> {
    let company = &site.company;
    let members: Vec<&str> = company.people.iter().map(|person| &*person.id).collect();
    let mut members: Vec<&str> = members.choose_multiple(rng, 6).copied().collect();
    members.push(&company.admin);
    let path = company.path("/conversations");
    let body = json!({"kind": "group", "name": format!("passing {turn}"), "member_ids": members});
    let made = site.change("admin: make a group", Method::POST, &path, Some(&body)).await;
    let id = made.text_at("/conversation/id");
    if !made.is_ok() {
        return None;
    }
    if rng.random_bool(0.4) {
        let body = json!({"kind": "channel", "parent_id": id, "name": format!("channel {turn}")});
        site.change("admin: make a channel", Method::POST, &path, Some(&body)).await;
    }
    Some(id)
}

async fn change(site: &Site, group: &str, turn: u64, rng: &mut StdRng) {
    let path = format!("/admin/v1/conversations/{group}");
    let person = &site.company.people.choose(rng).unwrap().id;
    match rng.random_range(0..10) {
        0..2 => {
            let body = json!({"name": format!("passing {turn}"), "topic": "What comes and goes"});
            site.change("admin: rename a group", Method::PATCH, &path, Some(&body)).await;
        }
        2 => {
            let body = json!({"is_archived": rng.random_bool(0.3)});
            site.change("admin: archive or unarchive a group", Method::PATCH, &path, Some(&body)).await;
        }
        3..5 => {
            let method = if rng.random_bool(0.6) { Method::PUT } else { Method::DELETE };
            let path = format!("{path}/members/{person}");
            site.change("admin: change members", method, &path, None).await;
        }
        _ => {
            let path = format!("{path}/messages");
            let body = json!({"type": "text", "user_id": site.company.admin, "text": format!("Note {turn}")});
            let sent =
                site.http.admin(new_request("admin: send a message", Method::POST, path).json(&body)).await;
            let message = format!("/admin/v1/messages/{}", sent.text_at("/message/id"));
            if sent.is_ok() && rng.random_bool(0.2) {
                site.change("admin: delete a message", Method::DELETE, &message, None).await;
            } else if sent.is_ok() && rng.random_bool(0.2) {
                let body = json!({"text": format!("Note {turn}, edited")});
                site.change("admin: edit a message", Method::PATCH, &message, Some(&body)).await;
            }
        }
    }
}
