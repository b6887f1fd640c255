//! The company: its people, groups, bots, followers and assistants, made through the admin API before the measurement.

use std::{sync::Mutex, time::Instant};

use reqwest::Method;
use serde_json::{Value, json};

use super::{
    events::Receiver,
    http::{Http, Reply, ask},
    ledger::Ledger,
    limits::{Cost, Limits},
    oauth::{self, Client},
    options::Options,
};

const SCOPES: [&str; 6] = [
    "messages:write",
    "users:read",
    "users:read.email",
    "conversations:read",
    "conversations:history",
    "files:read",
];
/// Groups that keep every message and every member, and groups that admins change all the time.
const STEADY_GROUPS: usize = 4;
const RESTLESS_GROUPS: usize = 4;
/// Groups of each kind that a bot is in.
const GROUPS_OF_A_BOT: usize = 3;
const PEOPLE: usize = 12;
const FOLLOWERS: usize = 2;
pub const PASSWORD: &str = "analytical engine";

/// How a bot behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Keeps to the guaranteed limits.
    Paced,
    /// Sends as fast as it can.
    Hasty,
    /// Keeps to the limits, and is uninstalled and installed again.
    Expendable,
}

/// An app with its bot.
pub struct Bot {
    /// Of the app, at the receiver as well.
    pub number: usize,
    pub manner: Manner,
    pub app_id: String,
    client_id: String,
    client_secret: String,
    pub installed: Mutex<Installed>,
    /// Indexes of its groups.
    pub groups: Vec<usize>,
}

/// What changes with each installation.
#[derive(Clone, Debug)]
pub struct Installed {
    pub token: String,
    pub user_id: String,
}

pub struct Group {
    pub id: String,
    /// Whether admins archive it and remove bots from it, and bots delete their messages.
    pub is_restless: bool,
    /// Numbers of the bots in it.
    pub bots: Vec<usize>,
}

pub struct Person {
    pub id: String,
    pub email: String,
    pub is_restless: bool,
}

/// An employee with an assistant.
pub struct Assistant {
    pub email: String,
    pub connected: Mutex<Connected>,
    /// Of the employee: every request counts, whatever its connection.
    pub limits: Mutex<Limits>,
    /// Whether admins revoke its connection now and then.
    pub is_expendable: bool,
}

/// What changes with each connection.
#[derive(Clone, Debug)]
pub struct Connected {
    pub access: String,
    pub connection_id: String,
}

pub struct Company {
    pub id: String,
    admin: String,
    pub groups: Vec<Group>,
    pub people: Vec<Person>,
    pub bots: Vec<Bot>,
    /// Bots that only read; their apps' numbers follow those of the bots.
    pub followers: Vec<Bot>,
    pub assistants: Vec<Assistant>,
    pub client: Client,
}

impl Company {
    /// Makes everything.
    pub async fn found(options: &Options, http: &Http, receiver: &Receiver, ledger: &Ledger) -> Self {
        let body = json!({"name": "Fleet", "domain": "example.com"});
        let made = post(http, "/admin/v1/workspaces", &body).await;
        let mut company = Self {
            id: made.text_at("/workspace/id"),
            admin: String::new(),
            groups: Vec::new(),
            people: Vec::new(),
            bots: Vec::new(),
            followers: Vec::new(),
            assistants: Vec::new(),
            client: oauth::register(http).await,
        };
        company.admin = company.person(http, "admin", &json!({"is_admin": true})).await.id;
        for n in 0..PEOPLE {
            let person = company.person(http, &format!("person-{n}"), &json!({})).await;
            company.people.push(Person { is_restless: n % 3 == 2, ..person });
        }
        let employees = company.employees(options.assistants, http).await;
        let expendable = (options.bots / 8).max(1);
        for number in 0..options.bots + 1 + expendable {
            let manner = match number {
                n if n < options.bots => Manner::Paced,
                n if n == options.bots => Manner::Hasty,
                _ => Manner::Expendable,
            };
            let bot = company.bot(http, receiver, number, manner).await;
            company.bots.push(bot);
        }
        for n in 0..FOLLOWERS {
            let bot = company.bot(http, receiver, company.bots.len() + n, Manner::Paced).await;
            company.followers.push(Bot { groups: vec![n], ..bot });
        }
        company.make_groups(http, &employees, ledger).await;
        for (n, (_, email)) in employees.iter().enumerate() {
            http.admin(ask("seed", Method::POST, "/admin/v1/rate_limits/reset")).await.must("reset");
            let connected = company.client.connect(http, email).await.expect("an assistant connects");
            let mut limits = Limits::new();
            limits.spend(Cost::Mcp, Instant::now());
            let is_expendable = n == 0;
            company.assistants.push(Assistant {
                email: email.clone(),
                connected: Mutex::new(connected),
                limits: Mutex::new(limits),
                is_expendable,
            });
        }
        company
    }

    pub fn summary(&self) -> String {
        format!(
            "{} people, {} groups, {} bots, {} followers and {} assistants",
            self.people.len(),
            self.groups.len(),
            self.bots.len(),
            self.followers.len() + 1,
            self.assistants.len()
        )
    }

    /// Every app that is never uninstalled.
    pub fn lasting(&self) -> impl Iterator<Item = &Bot> {
        self.bots.iter().filter(|bot| bot.manner != Manner::Expendable).chain(&self.followers)
    }

    /// The bots that are in a group and never uninstalled.
    pub fn lasting_in(&self, group: usize) -> impl Iterator<Item = &Bot> {
        self.lasting().filter(move |bot| bot.groups.contains(&group))
    }

    pub fn path(&self, rest: &str) -> String {
        format!("/admin/v1/workspaces/{}{rest}", self.id)
    }

    /// The admin on whose behalf the operator installs and uninstalls.
    pub fn admin(&self) -> String {
        self.admin.clone()
    }

    async fn person(&self, http: &Http, name: &str, members: &Value) -> Person {
        let email = format!("{name}@example.com");
        let mut body = json!({"name": format!("Person {name}"), "email": email});
        for (member, value) in members.as_object().unwrap() {
            body[member] = value.clone();
        }
        let made = post(http, &self.path("/users"), &body).await;
        Person { id: made.text_at("/user/id"), email, is_restless: false }
    }

    /// Ids and addresses of people who can sign in.
    async fn employees(&self, count: usize, http: &Http) -> Vec<(String, String)> {
        let mut made = Vec::new();
        for n in 0..count {
            let person = self.person(http, &format!("employee-{n}"), &json!({"password": PASSWORD})).await;
            made.push((person.id, person.email));
        }
        made
    }

    async fn bot(&self, http: &Http, receiver: &Receiver, number: usize, manner: Manner) -> Bot {
        let body = json!({
            "name": format!("App {number}"),
            "redirect_uris": ["https://app.example/callback"],
            "callback_url": receiver.url(number),
            "scopes": SCOPES,
        });
        let made = post(http, "/admin/v1/apps", &body).await;
        receiver.expect(number, made.text_at("/signing_secret"));
        let bot = Bot {
            number,
            manner,
            app_id: made.text_at("/app/id"),
            client_id: made.text_at("/client_id"),
            client_secret: made.text_at("/client_secret"),
            installed: Mutex::new(Installed { token: String::new(), user_id: String::new() }),
            // three of each kind, others for each bot
            groups: (0..GROUPS_OF_A_BOT)
                .flat_map(|n| [(number + n) % STEADY_GROUPS, STEADY_GROUPS + (number + n) % RESTLESS_GROUPS])
                .collect(),
        };
        assert!(self.install(http, &bot).await, "app {number} is installed");
        bot
    }

    /// Installs an app and exchanges the code; false if a request had no good answer.
    pub async fn install(&self, http: &Http, bot: &Bot) -> bool {
        let body = json!({"app_id": bot.app_id, "scopes": SCOPES});
        let request = ask("install an app", Method::POST, self.path("/installations")).json(&body);
        let made = http.admin(request.header("x-acting-user", self.admin())).await;
        let body = json!({
            "grant_type": "authorization_code", "code": made.text_at("/code"),
            "client_id": bot.client_id, "client_secret": bot.client_secret,
        });
        if !made.is_ok() {
            return false;
        }
        let answer =
            http.send(ask("exchange an install code", Method::POST, "/oauth/token").json(&body)).await;
        if answer.is_ok() {
            let installed =
                Installed { token: answer.text_at("/access_token"), user_id: answer.text_at("/bot/id") };
            *bot.installed.lock().unwrap() = installed;
        }
        answer.is_ok()
    }

    async fn make_groups(&mut self, http: &Http, employees: &[(String, String)], ledger: &Ledger) {
        for index in 0..STEADY_GROUPS + RESTLESS_GROUPS {
            let inside: Vec<&Bot> =
                self.bots.iter().chain(&self.followers).filter(|bot| bot.groups.contains(&index)).collect();
            let bots: Vec<usize> = inside.iter().map(|bot| bot.number).collect();
            let mut members: Vec<String> =
                inside.iter().map(|bot| bot.installed.lock().unwrap().user_id.clone()).collect();
            members.extend(employees.iter().map(|(id, _)| id.clone()));
            members.push(self.admin.clone());
            let body = json!({"kind": "group", "name": format!("group-{index}"), "member_ids": members});
            let made = post(http, &self.path("/conversations"), &body).await;
            let id = made.text_at("/conversation/id");
            for bot in inside.iter().filter(|bot| bot.manner != Manner::Expendable) {
                ledger.owe(bot.number, "conversation.created", &id);
            }
            self.groups.push(Group { id, is_restless: index >= STEADY_GROUPS, bots });
        }
    }
}

impl Bot {
    pub fn token(&self) -> String {
        self.installed.lock().unwrap().token.clone()
    }

    pub fn user_id(&self) -> String {
        self.installed.lock().unwrap().user_id.clone()
    }
}

async fn post(http: &Http, path: &str, body: &Value) -> Reply {
    http.admin(ask("seed", Method::POST, path).json(body)).await.must(path)
}
