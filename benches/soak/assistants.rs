//! The traffic of the employees' assistants. The assistants connect, refresh their tokens, use each protocol version,
//! call every tool and keep streams open. Connections are revoked and replaced, and some authorizations and MCP
//! sessions are abandoned.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use rand::{Rng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Value, json};

use super::{
    company::Person,
    http::{Http, Reply},
    mcp::{Mcp, VERSIONS},
    oauth::{self, Decision, Tokens},
    site::Site,
    wire,
};

/// Average actions of an assistant per second, at the default `--rate`.
const RATE: f64 = 1.7;
/// Maximum time for which a stream is read, in seconds.
const STREAM: f64 = 20.0;

struct Actor<'a> {
    site: &'a Site,
    person: &'a Person,
    number: usize,
    http: Http,
    rng: StdRng,
    client: Option<String>,
    tokens: Option<Tokens>,
    mcp: Option<Mcp>,
    drafts: Vec<String>,
}

pub async fn run(site: Arc<Site>, number: usize) {
    let mut actor = Actor {
        site: &site,
        person: &site.company.employees[number],
        number,
        http: site.client(2, number),
        rng: site.rng(2, number),
        client: None,
        tokens: None,
        mcp: None,
        drafts: Vec::new(),
    };
    let mut pace = site.rng(102, number);
    // the first sign-ins are spread over time
    site.rest(Duration::from_millis(300 * number as u64)).await;
    while !site.is_stopping() {
        let begun = Instant::now();
        actor.act().await;
        site.pace(&mut pace, begun, RATE).await;
    }
}

impl Actor<'_> {
    async fn act(&mut self) {
        let Some(tokens) = self.tokens.clone() else {
            self.connect().await;
            if self.tokens.is_none() {
                self.site.rest(Duration::from_secs(3)).await;
            }
            return;
        };
        match self.rng.random_range(0..1_000) {
            0..6 => self.revoke(&tokens).await,
            6..10 => self.use_spent_token(&tokens).await,
            10..18 => self.abandon().await,
            // the next action connects again; if the client is the same, the new connection replaces the old one
            18..22 => self.tokens = None,
            22..40 => self.end_session(&tokens).await,
            40..60 => self.stream(&tokens).await,
            _ => self.call(&tokens).await,
        }
    }

    async fn connect(&mut self) {
        self.mcp = None;
        if self.client.is_none() || self.rng.random_bool(0.1) {
            self.client = oauth::register(&self.http, &format!("Helper {}", self.number)).await;
        }
        let Some(client) = self.client.clone() else { return };
        let code = oauth::code(&self.http, &client, &self.person.email, Decision::Approve).await;
        let Some(code) = code else {
            // a step failed, perhaps because the client expired before its first connection; the next attempt registers
            // a new client
            self.client = None;
            return;
        };
        self.tokens = oauth::exchange(&self.http, &client, &code).await;
        if self.rng.random_bool(0.02) {
            // the second exchange of a code revokes the connection
            oauth::exchange(&self.http, &client, &code).await;
        }
        if let Some(tokens) = &self.tokens {
            self.site.company.publish(&tokens.access);
        }
    }

    async fn refresh(&mut self, tokens: &Tokens) {
        let client = self.client.clone().unwrap_or_default();
        self.tokens = oauth::refresh(&self.http, &client, &tokens.refresh).await;
        if let Some(tokens) = &self.tokens {
            self.site.company.publish(&tokens.access);
        }
    }

    async fn revoke(&mut self, tokens: &Tokens) {
        let client = self.client.clone().unwrap_or_default();
        oauth::revoke(&self.http, &client, &tokens.refresh).await;
        self.tokens = None;
    }

    async fn use_spent_token(&mut self, tokens: &Tokens) {
        self.refresh(tokens).await;
        let client = self.client.clone().unwrap_or_default();
        // the second use of a refresh token revokes the connection
        oauth::refresh(&self.http, &client, &tokens.refresh).await;
    }

    /// Begins an authorization that does not end with a connection.
    async fn abandon(&mut self) {
        let client = self.client.clone().unwrap_or_default();
        let decision = if self.rng.random_bool(0.5) { Decision::Deny } else { Decision::None };
        oauth::code(&self.http, &client, &self.person.email, decision).await;
    }

    /// Stops using the MCP session, if there is one. Most sessions are ended with a request, and the others are
    /// abandoned.
    async fn end_session(&mut self, tokens: &Tokens) {
        if let Some(mcp) = self.mcp.take()
            && self.rng.random_bool(0.7)
        {
            mcp.end(&self.http, &tokens.access).await;
        }
    }

    /// Reads the stream of the session for 1 to 20 seconds, in the background.
    async fn stream(&mut self, tokens: &Tokens) {
        let Some(request) = self.mcp.as_ref().and_then(|mcp| mcp.stream(&tokens.access)) else { return };
        let (server, number) = (self.site.address, self.number);
        let span = Duration::from_secs_f64(self.rng.random_range(1.0..STREAM));
        tokio::spawn(async move {
            wire::hold(server, wire::from(number), request.as_bytes(), span).await;
        });
    }

    async fn call(&mut self, tokens: &Tokens) {
        if self.mcp.is_none() {
            let version = *VERSIONS.choose(&mut self.rng).unwrap();
            self.mcp = Mcp::begin(&self.http, &tokens.access, version).await;
        }
        let Some(mcp) = self.mcp.take() else {
            // the access token may have expired
            return self.refresh(tokens).await;
        };
        let reply = self.ask(&mcp, tokens).await;
        match reply.status {
            401 => self.refresh(tokens).await,
            // the session does not exist any more, and the next call starts another session
            404 => return,
            _ => {}
        }
        self.mcp = Some(mcp);
    }

    async fn ask(&mut self, mcp: &Mcp, tokens: &Tokens) -> Reply {
        let access = &tokens.access;
        if self.rng.random_bool(0.04) {
            return mcp.request(&self.http, access, "mcp: tools/list", "tools/list", json!({})).await;
        }
        let (tool, arguments) = self.choose();
        let reply = mcp.call(&self.http, access, tool, &arguments).await;
        let draft = reply.text_at("/result/structuredContent/draft/id");
        if tool == "draft_message" && !draft.is_empty() {
            self.drafts.push(draft);
        }
        reply
    }

    fn choose(&mut self) -> (&'static str, Value) {
        let company = &self.site.company;
        let group = company.groups.choose(&mut self.rng).unwrap();
        let person = &company.people.choose(&mut self.rng).unwrap().id;
        let key = format!("soak-{}", self.rng.random::<u64>());
        match self.rng.random_range(0..100) {
            0..10 => ("whoami", json!({})),
            10..20 => ("list_conversations", json!({"limit": 50})),
            20..40 => ("read_messages", json!({"conversation": group, "limit": 20})),
            40..52 => ("search_messages", json!({"query": "nightly build", "limit": 10})),
            52..60 => ("list_people", json!({"limit": 50})),
            60..66 => ("get_person", json!({"person": person})),
            66..72 => {
                let files = company.files.lock().unwrap();
                let file = files.back().map_or("fil_38f3t4rvm00aj", |(_, file)| file.as_str());
                ("get_file", json!({"file_id": file}))
            }
            72..76 => ("list_drafts", json!({"limit": 50})),
            76..86 => {
                let text = "Shall we look at the nightly build?";
                ("draft_message", json!({"conversation": group, "text": text, "idempotency_key": key}))
            }
            86..97 => match self.drafts.pop() {
                Some(draft) if self.rng.random_bool(0.7) => {
                    ("send_draft", json!({"draft_id": draft, "idempotency_key": key}))
                }
                Some(draft) => ("discard_draft", json!({"draft_id": draft})),
                None => ("whoami", json!({})),
            },
            97..99 => ("read_messages", json!({"conversation": "grp_38f3t4rvm00aj"})),
            _ => ("list_people", json!({"limit": "many"})),
        }
    }
}
