//! Bots send messages with and without blocks to groups, threads and people. They repeat sends, edit and delete their
//! messages, page through histories, look up people, read files, and send invalid requests.

use std::{sync::Arc, time::Instant};

use rand::{Rng, rngs::StdRng, seq::IndexedRandom};
use reqwest::Method;
use serde_json::{Value, json};

use super::{
    company::{Bot, Company},
    http::{Http, Reply, RequestBuilder, new_request},
    site::Site,
};

/// Actions of a bot per second.
const RATE: f64 = 3.2;
/// Number of latest messages that a bot remembers. It repeats, edits, deletes and replies to no other messages.
const REMEMBERED: usize = 50;
/// Maximum number of pages of history that are read in one action.
const PAGES: usize = 3;

/// A message of this bot.
#[derive(Clone)]
struct Mine {
    id: String,
    key: String,
    body: Value,
}

struct Actor<'a> {
    company: &'a Company,
    bot: &'a Bot,
    http: Http,
    rng: StdRng,
    mine: Vec<Mine>,
    turn: u64,
}

pub async fn run(site: Arc<Site>, number: usize) {
    let mut actor = Actor {
        company: &site.company,
        bot: &site.company.bots[number],
        http: site.client(1, number),
        rng: site.rng(1, number),
        mine: Vec::new(),
        turn: 0,
    };
    let mut pace = site.rng(101, number);
    while !site.is_stopping() {
        let begun = Instant::now();
        actor.act().await;
        site.pace(&mut pace, begun, RATE).await;
    }
}

impl Actor<'_> {
    async fn act(&mut self) {
        match self.rng.random_range(0..100) {
            0..44 => self.post().await,
            44..52 => self.repeat().await,
            52..60 => self.edit().await,
            60..67 => self.delete().await,
            67..80 => self.look_up().await,
            80..86 => self.read().await,
            86..90 => self.list().await,
            90..94 => self.download().await,
            _ => self.send_invalid().await,
        }
    }

    async fn send(&self, request: RequestBuilder<'_>) -> Reply {
        self.http.send(request.token(&self.bot.token())).await
    }

    fn group(&mut self) -> &str {
        let index = self.bot.groups.choose(&mut self.rng).unwrap();
        &self.company.groups[*index]
    }

    fn person(&mut self) -> &str {
        &self.company.people.choose(&mut self.rng).unwrap().id
    }

    async fn post(&mut self) {
        self.turn += 1;
        let key = format!("soak-{}-{}-{}", self.bot.number, self.turn, self.rng.random::<u32>());
        let mut body = json!({"text": format!("{key}: the nightly build is green again")});
        body["to"] = if self.rng.random_bool(0.8) {
            json!({"type": "conversation", "id": self.group()})
        } else {
            json!({"type": "user", "id": self.person()})
        };
        if self.rng.random_bool(0.15) {
            body["blocks"] = json!([
                {"type": "header", "text": "Build 42"},
                {"type": "fields", "fields": [{"label": "Branch", "value": "main"}]},
            ]);
        }
        if self.rng.random_bool(0.15) {
            body["metadata"] = json!({"build": self.turn, "pipeline": "release"});
        }
        if self.rng.random_bool(0.1)
            && let Some(mine) = self.mine.choose(&mut self.rng)
            && mine.body["to"]["type"] == "conversation"
        {
            body["to"] = mine.body["to"].clone();
            body["thread_id"] = mine.body.get("thread_id").cloned().unwrap_or(json!(mine.id));
        }
        let request =
            new_request("send", Method::POST, "/v1/messages").header("idempotency-key", &key).json(&body);
        let reply = self.send(request).await;
        if reply.is_ok() {
            self.mine.push(Mine { id: reply.text_at("/message/id"), key, body });
            if self.mine.len() > REMEMBERED {
                self.mine.remove(0);
            }
        }
    }

    /// Repeats a send with the same key and body. In a tenth of the cases, the text of the body is changed.
    async fn repeat(&mut self) {
        let Some(mine) = self.mine.choose(&mut self.rng).cloned() else { return };
        let mut body = mine.body;
        let is_other = self.rng.random_bool(0.1);
        if is_other {
            body["text"] = json!("something else");
        }
        let name = if is_other { "send under a used key" } else { "repeat a send" };
        let request = new_request(name, Method::POST, "/v1/messages").header("idempotency-key", mine.key);
        self.send(request.json(&body)).await;
    }

    async fn edit(&mut self) {
        let Some(mine) = self.mine.choose(&mut self.rng).cloned() else { return };
        let body = json!({"text": format!("{}: edited {}", mine.key, self.rng.random::<u16>())});
        let request = new_request("edit", Method::PATCH, format!("/v1/messages/{}", mine.id));
        self.send(request.json(&body)).await;
    }

    async fn delete(&mut self) {
        if self.mine.is_empty() {
            return;
        }
        let at = self.rng.random_range(0..self.mine.len());
        let mine = self.mine.remove(at);
        self.send(new_request("delete", Method::DELETE, format!("/v1/messages/{}", mine.id))).await;
    }

    async fn look_up(&mut self) {
        let request = match self.rng.random_range(0..4) {
            0 => {
                let email = &self.company.people.choose(&mut self.rng).unwrap().email;
                new_request("look up by address", Method::GET, format!("/v1/users/lookup?email={email}"))
            }
            1 => new_request("read a person", Method::GET, format!("/v1/users/{}", self.person())),
            2 => new_request("token check", Method::GET, "/v1/auth/test"),
            _ => {
                new_request("read a conversation", Method::GET, format!("/v1/conversations/{}", self.group()))
            }
        };
        self.send(request).await;
    }

    async fn read(&mut self) {
        let group = self.group().to_owned();
        let mut cursor = String::new();
        for _ in 0..PAGES {
            let path = format!("/v1/conversations/{group}/messages?limit=50{cursor}");
            let reply = self.send(new_request("history page", Method::GET, path)).await;
            let Some(next) = reply.body["next_cursor"].as_str() else { return };
            cursor = format!("&cursor={next}");
        }
    }

    async fn list(&mut self) {
        let request = match self.rng.random_bool(0.5) {
            true => new_request("list people", Method::GET, "/v1/users?limit=50"),
            false => new_request("list conversations", Method::GET, "/v1/conversations"),
        };
        self.send(request).await;
    }

    /// Downloads a file of a message, completely or in part (`Range`).
    async fn download(&mut self) {
        let files: Vec<_> = self.company.files.lock().unwrap().iter().cloned().collect();
        let Some((conversation, file)) = files.choose(&mut self.rng) else { return };
        let path = format!("/v1/conversations/{conversation}/files/{file}");
        let reply = self.send(new_request("read a file", Method::GET, path)).await;
        let url = reply.text_at("/file/url");
        let Some(path) = url.strip_prefix(&self.http.base) else { return };
        let request = new_request("download", Method::GET, path);
        self.http
            .send(if self.rng.random_bool(0.3) { request.header("range", "bytes=100-199") } else { request })
            .await;
    }

    async fn send_invalid(&mut self) {
        let key = self.rng.random::<u64>().to_string();
        let post = |name| new_request(name, Method::POST, "/v1/messages").header("idempotency-key", &key);
        let request = match self.rng.random_range(0..8) {
            0 => post("wrong: not JSON").body("application/json", "{\"to\": ".to_owned()),
            1 => post("wrong: no destination").json(&json!({"text": "hello"})),
            2 => {
                let body = json!({"to": {"type": "user", "id": "usr_38f3t4rvm00aj"}, "text": "hello"});
                post("wrong: unknown person").json(&body)
            }
            3 => {
                let to = json!({"type": "conversation", "id": self.group()});
                post("wrong: too long").json(&json!({"to": to, "text": "x".repeat(100_000)}))
            }
            4 => {
                let path = format!("/v1/conversations/{}/messages?cursor=bogus", self.group());
                new_request("wrong: cursor", Method::GET, path)
            }
            5 => new_request("wrong: unknown message", Method::DELETE, "/v1/messages/gmsg_38f3t4rvm00aj"),
            6 => new_request("wrong: method", Method::PUT, "/v1/messages"),
            _ => new_request("wrong: media type", Method::POST, "/v1/messages")
                .body("text/plain", "hello".into()),
        };
        self.send(request).await;
    }
}
