//! The simulated bots. A bot sends each message with an idempotency key, and repeats the send until it gets a definite
//! response, which is any response except 5xx and 429. Bots also replay acknowledged sends, edit and delete messages,
//! page through histories and look up people.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use reqwest::Method;
use serde_json::{Value, json};

use super::{
    Fleet,
    company::{Behaviour, Bot},
    http::{Reply, RequestBuilder, new_request},
    ledger::{Outcome, Rule, Send, member_subject, token_subject},
    limits::{Cost, Limits},
};

/// How long a bot still repeats a send after the measurement has ended, if the outcome of an attempt is unknown.
const LAST_REPEATS: Duration = Duration::from_secs(60);
/// Maximum number of sent messages that a bot remembers. It replays, edits and deletes no other messages.
const REMEMBERED: usize = 50;
/// Maximum number of pages of a history that a bot reads in one step.
const PAGES: usize = 3;

/// An acknowledged message of this bot.
#[derive(Clone)]
struct Mine {
    /// The number of the send in the ledger.
    number: usize,
    id: String,
    body: Value,
    key: String,
    token: String,
    /// Whether the destination is volatile ([`Destination::is_volatile`]).
    is_volatile: bool,
    /// Whether the bot has edited the message.
    is_changed: bool,
}

struct Actor<'a> {
    fleet: &'a Fleet,
    bot: &'a Bot,
    rng: StdRng,
    limits: Limits,
    turn: u64,
    mine: Vec<Mine>,
    /// The id of the newest known message of each group, by the index of the group. The id is empty if the bot knows no
    /// message of the group.
    newest: Vec<String>,
}

/// The destination of a send.
struct Destination {
    body: Value,
    id: String,
    /// Whether the destination may reject requests during the measurement, because admins archive the group, remove bots
    /// from it, or deactivate the person. A destination that is not volatile is called steady.
    is_volatile: bool,
    /// The subjects of the [ledger](super::ledger) on which a send to the destination depends, without the bot token.
    /// After one of them is revoked, the bot must not be able to send to the destination.
    subjects: Vec<String>,
}

pub async fn run(fleet: Arc<Fleet>, number: usize) {
    let bot = &fleet.company.bots[number];
    let mut actor = Actor {
        fleet: &fleet,
        bot,
        rng: StdRng::seed_from_u64(fleet.options.seed ^ (0xB07 << 32) ^ number as u64),
        limits: Limits::new(),
        turn: 0,
        mine: Vec::new(),
        newest: vec![String::new(); fleet.company.groups.len()],
    };
    while !fleet.is_stopping() {
        let begun = Instant::now();
        if !actor.act().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let pace = fleet.options.pace().mul_f64(actor.rng.random_range(0.5..1.5));
        tokio::time::sleep(pace.saturating_sub(begun.elapsed())).await;
    }
}

impl Actor<'_> {
    /// Takes one step. Returns `false` if the step made no request, because the rate limits allow none or there is no
    /// suitable message.
    async fn act(&mut self) -> bool {
        match self.rng.random_range(0..100) {
            _ if self.bot.behaviour == Behaviour::Hasty => self.post().await,
            0..60 => self.post().await,
            60..68 => self.repeat().await,
            68..74 => self.edit().await,
            74..78 => self.delete().await,
            78..88 => self.look_up().await,
            88..95 => self.read().await,
            _ => self.list().await,
        }
    }

    /// Sends a request that counts against rate limits. If the guaranteed limits allow the request, a 429 is a
    /// violation.
    async fn ask(&mut self, cost: Cost<'_>, request: RequestBuilder<'_>, token: &str) -> Reply {
        let reply = self.fleet.http.send(request.token(token)).await;
        self.fleet.ledger.check(Rule::Limits, 1);
        if reply.status != 429 {
            self.limits.spend(cost, reply.ended);
        } else if self.limits.allows(cost, reply.begun) {
            let what = format!(
                "bot {} got 429 for a request within the guaranteed limits ({cost:?}): {}",
                self.bot.number, reply.body
            );
            self.fleet.ledger.violation(Rule::Limits, what);
        }
        reply
    }

    fn may(&self, cost: Cost<'_>) -> bool {
        self.bot.behaviour == Behaviour::Hasty || self.limits.allows(cost, Instant::now())
    }

    fn destination(&mut self) -> Destination {
        let company = &self.fleet.company;
        // A hasty bot ignores the rate limits. It sends to one group only, so that it exceeds the limit for one
        // destination before any other limit.
        let is_hasty = self.bot.behaviour == Behaviour::Hasty;
        if is_hasty || self.rng.random_bool(0.75) {
            let known = if is_hasty { &self.bot.groups[..1] } else { &self.bot.groups };
            let group = *known.choose(&mut self.rng).unwrap();
            let group = &company.groups[group];
            let subjects = vec![member_subject(self.bot.number, &group.id), group.id.clone()];
            let body = json!({"type": "conversation", "id": group.id});
            Destination { body, id: group.id.clone(), is_volatile: group.is_volatile, subjects }
        } else {
            let person = company.people.choose(&mut self.rng).unwrap();
            let body = json!({"type": "user", "id": person.id});
            let subjects = vec![person.id.clone()];
            Destination { body, id: person.id.clone(), is_volatile: person.is_volatile, subjects }
        }
    }

    async fn post(&mut self) -> bool {
        let to = self.destination();
        if !self.may(Cost::Send(&to.id)) {
            return false;
        }
        self.turn += 1;
        let key = format!("fleet-{}-{}-{}", self.fleet.options.seed, self.bot.number, self.turn);
        let body = json!({"to": to.body, "text": format!("{key}: the nightly build is green again")});
        let token = self.bot.token();
        let (outcome, conversation, is_repeated) = self.send(&to, &key, &body, &token).await;
        let send = Send {
            key: key.clone(),
            bot: self.bot.number,
            to: to.id,
            conversation,
            outcome: outcome.clone(),
            is_repeated,
            is_edited: false,
            is_deleted: false,
        };
        let number = self.fleet.ledger.sent(send);
        if let Outcome::Sent { id } = outcome {
            let is_volatile = to.is_volatile;
            self.mine.push(Mine { number, id, body, key, token, is_volatile, is_changed: false });
            if self.mine.len() > REMEMBERED {
                self.mine.remove(0);
            }
        }
        true
    }

    /// Sends a message, and repeats the send with the same key until there is a definite response. When the measurement
    /// has ended, the bot gives up: at once if every attempt got 429, and after [`LAST_REPEATS`] if the outcome of an
    /// attempt is unknown. Returns the outcome of the send, the id of the conversation (empty if there was no 201), and
    /// whether the outcome of an attempt was unknown (no response or 5xx).
    async fn send(
        &mut self,
        to: &Destination,
        key: &str,
        body: &Value,
        token: &str,
    ) -> (Outcome, String, bool) {
        let (mut is_repeated, mut stopped) = (false, None);
        loop {
            while !self.may(Cost::Send(&to.id)) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            let request =
                new_request("send", Method::POST, "/v1/messages").header("idempotency-key", key).json(body);
            let reply = self.ask(Cost::Send(&to.id), request, token).await;
            if reply.status == 201 {
                if reply.header("idempotent-replayed").is_none() {
                    let token = token_subject(token);
                    let subjects: Vec<&str> =
                        to.subjects.iter().map(String::as_str).chain([token.as_str()]).collect();
                    self.fleet.ledger.used(&subjects, &reply);
                }
                let id = reply.text_at("/message/id");
                return (Outcome::Sent { id }, reply.text_at("/message/conversation_id"), is_repeated);
            }
            if reply.is_definite() {
                self.expect_refusal("send", &reply, to.is_volatile);
                let refused = Outcome::Refused(reply.code().to_owned());
                return (if is_repeated { Outcome::Unknown } else { refused }, String::new(), is_repeated);
            }
            let pause = match reply.status {
                // only a hasty bot exceeds the limits; the bot retries before `Retry-After` has passed, on purpose
                429 => reply.retry_after() / 4,
                _ => Duration::from_millis(self.rng.random_range(100..400)),
            };
            is_repeated |= reply.status != 429;
            if self.fleet.is_stopping() {
                if !is_repeated {
                    return (Outcome::Refused("stopped".to_owned()), String::new(), false);
                }
                if stopped.get_or_insert_with(Instant::now).elapsed() > LAST_REPEATS {
                    return (Outcome::Unknown, String::new(), true);
                }
            }
            tokio::time::sleep(pause).await;
        }
    }

    /// Records a violation unless a change by admins explains the rejection: they uninstall the apps of expendable
    /// bots, and make volatile destinations reject requests.
    fn expect_refusal(&self, what: &str, reply: &Reply, is_volatile: bool) {
        let is_expected = match reply.code() {
            "token_revoked" | "conversation_not_found" | "not_in_conversation" | "message_not_found"
                if self.bot.behaviour == Behaviour::Expendable =>
            {
                true
            }
            "conversation_archived" | "not_in_conversation" | "user_deactivated" => is_volatile,
            _ => false,
        };
        if !is_expected {
            let what =
                format!("bot {}: {what} was answered {}: {}", self.bot.number, reply.status, reply.body);
            self.fleet.ledger.violation(Rule::Answers, what);
        }
    }

    /// Replays an acknowledged send: the response must contain the id of the original message.
    async fn repeat(&mut self) -> bool {
        let Some(mine) = self.mine.choose(&mut self.rng).filter(|mine| !mine.is_changed).cloned() else {
            return false;
        };
        let to = mine.body["to"]["id"].as_str().unwrap().to_owned();
        if mine.token != self.bot.token() || !self.may(Cost::Send(&to)) {
            return false;
        }
        let request = new_request("repeat a send", Method::POST, "/v1/messages");
        let request = request.header("idempotency-key", &mine.key).json(&mine.body);
        let reply = self.ask(Cost::Send(&to), request, &mine.token).await;
        self.fleet.ledger.check(Rule::Duplicated, 1);
        if reply.is_ok() && reply.text_at("/message/id") != mine.id {
            let what = format!("{}: the message is {}, the replay got {}", mine.key, mine.id, reply.body);
            self.fleet.ledger.violation(Rule::Duplicated, what);
        } else if !reply.is_ok() && reply.is_definite() {
            self.expect_refusal("a replay", &reply, mine.is_volatile);
        }
        true
    }

    async fn edit(&mut self) -> bool {
        let Some(at) = self.choose_own() else { return false };
        let mine = self.mine[at].clone();
        self.fleet.ledger.change(mine.number, |send| send.is_edited = true);
        self.mine[at].is_changed = true;
        let body = json!({"text": format!("{}: edited", mine.key)});
        loop {
            let request = new_request("edit", Method::PATCH, format!("/v1/messages/{}", mine.id)).json(&body);
            let reply = self.ask(Cost::Edit, request, &mine.token).await;
            if self.needs_no_retry("an edit", &reply, &mine, &[]) {
                return true;
            }
            self.pause().await;
        }
    }

    async fn delete(&mut self) -> bool {
        let Some(at) = self.choose_own() else { return false };
        if !self.mine[at].is_volatile {
            // the followers (`followers.rs`) verify that they have read every message of the steady groups, so bots
            // delete no messages there
            return false;
        }
        let mine = self.mine.remove(at);
        self.fleet.ledger.change(mine.number, |send| send.is_deleted = true);
        for attempt in 0.. {
            let request = new_request("delete", Method::DELETE, format!("/v1/messages/{}", mine.id));
            let reply = self.ask(Cost::Edit, request, &mine.token).await;
            let done: &[&str] = if attempt > 0 { &["message_not_found"] } else { &[] };
            if self.needs_no_retry("a deletion", &reply, &mine, done) {
                return true;
            }
            self.pause().await;
        }
        true
    }

    /// Returns the index in `mine` of a message that the bot may edit or delete now.
    fn choose_own(&mut self) -> Option<usize> {
        if self.mine.is_empty() || !self.may(Cost::Edit) {
            return None;
        }
        let at = self.rng.random_range(0..self.mine.len());
        (!self.mine[at].is_changed && self.mine[at].token == self.bot.token()).then_some(at)
    }

    /// Records the response to an edit or a deletion. Returns whether the bot stops retrying, because the response is
    /// definite or the measurement has ended. `done` has the error codes that show that an earlier attempt was applied.
    fn needs_no_retry(&mut self, what: &str, reply: &Reply, mine: &Mine, done: &[&str]) -> bool {
        if reply.is_ok() {
            self.fleet.ledger.used(&[&token_subject(&mine.token)], reply);
        } else if reply.is_definite() && !done.contains(&reply.code()) {
            self.expect_refusal(what, reply, mine.is_volatile);
        }
        reply.is_definite() || self.fleet.is_stopping()
    }

    async fn pause(&mut self) {
        let pause = Duration::from_millis(self.rng.random_range(100..400));
        tokio::time::sleep(pause).await;
        while !self.may(Cost::Edit) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Reads pages of the history of a group, from the newest message backwards. Stops after the page that contains the
    /// newest message that the bot knew before, after [`PAGES`] pages, or when the rate limits allow no further page.
    async fn read(&mut self) -> bool {
        let index = *self.bot.groups.choose(&mut self.rng).unwrap();
        let group = &self.fleet.company.groups[index];
        let token = self.bot.token();
        let (mut cursor, mut newest) = (String::new(), None);
        for page in 0..PAGES {
            if !self.may(Cost::List) {
                return page > 0;
            }
            let path = format!("/v1/conversations/{}/messages?limit=20{cursor}", group.id);
            let reply = self.ask(Cost::List, new_request("history page", Method::GET, path), &token).await;
            if !reply.is_ok() {
                if reply.is_definite() {
                    self.expect_refusal("a page", &reply, group.is_volatile);
                }
                return true;
            }
            let subjects = [&*token_subject(&token), &*member_subject(self.bot.number, &group.id)];
            self.fleet.ledger.used(&subjects, &reply);
            let messages = reply.body["messages"].as_array().cloned().unwrap_or_default();
            let ids: Vec<&str> = messages.iter().filter_map(|message| message["id"].as_str()).collect();
            newest = newest.or(ids.first().map(|id| (*id).to_owned()));
            match reply.body["next_cursor"].as_str() {
                Some(next) if !ids.contains(&self.newest[index].as_str()) => {
                    cursor = format!("&cursor={next}")
                }
                _ => break,
            }
        }
        self.newest[index] = newest.unwrap_or_default();
        true
    }

    async fn look_up(&mut self) -> bool {
        if !self.may(Cost::Single) {
            return false;
        }
        let company = &self.fleet.company;
        let person = company.people.choose(&mut self.rng).unwrap();
        let group = &company.groups[*self.bot.groups.choose(&mut self.rng).unwrap()];
        let (request, is_volatile) = match self.rng.random_range(0..4) {
            0 => (
                new_request(
                    "look up by address",
                    Method::GET,
                    format!("/v1/users/lookup?email={}", person.email),
                ),
                false,
            ),
            1 => (new_request("read a person", Method::GET, format!("/v1/users/{}", person.id)), false),
            2 => (new_request("token check", Method::GET, "/v1/auth/test"), false),
            _ => {
                let path = format!("/v1/conversations/{}", group.id);
                (new_request("read a conversation", Method::GET, path), group.is_volatile)
            }
        };
        self.finish(Cost::Single, request, is_volatile).await
    }

    async fn list(&mut self) -> bool {
        if !self.may(Cost::List) {
            return false;
        }
        let request = match self.rng.random_bool(0.5) {
            true => new_request("list people", Method::GET, "/v1/users?limit=50"),
            false => new_request("list conversations", Method::GET, "/v1/conversations"),
        };
        self.finish(Cost::List, request, false).await
    }

    async fn finish(&mut self, cost: Cost<'_>, request: RequestBuilder<'static>, is_volatile: bool) -> bool {
        let token = self.bot.token();
        let reply = self.ask(cost, request, &token).await;
        if reply.is_ok() {
            self.fleet.ledger.used(&[&token_subject(&token)], &reply);
        } else if reply.is_definite() {
            self.expect_refusal("a read", &reply, is_volatile);
        }
        true
    }
}
