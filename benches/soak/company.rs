//! The company, created through the admin API before the measurement.

use std::{collections::VecDeque, sync::Mutex};

use serde_json::{Value, json};

use super::{
    http::Http,
    receiver::Receiver,
    support::seed::{self, Installed, PASSWORD},
};

const BOTS: usize = 24;
/// The number of bots whose apps are uninstalled and installed again during the traffic. They are the last bots in
/// [`Company::bots`].
pub const EXPENDABLE: usize = 3;
const PEOPLE: usize = 20;
const EMPLOYEES: usize = 16;
const VISITORS: usize = 6;
const GROUPS: usize = 10;
const GROUPS_OF_A_BOT: usize = 5;
/// Maximum length of [`Company::files`].
const REMEMBERED: usize = 200;

pub struct Person {
    pub id: String,
    pub email: String,
}

/// An app with its bot.
pub struct Bot {
    pub number: usize,
    pub app_id: String,
    pub client_id: String,
    pub client_secret: Mutex<String>,
    pub installed: Mutex<Installed>,
    /// Indexes of the bot's groups in [`Company::groups`].
    pub groups: Vec<usize>,
}

pub struct Company {
    pub id: String,
    /// Id of the admin on whose behalf the operator acts.
    pub admin: String,
    pub admin_email: String,
    pub people: Vec<Person>,
    /// People with a password and an assistant.
    pub employees: Vec<Person>,
    /// People with a password who use the pages.
    pub visitors: Vec<Person>,
    /// The person whose password hostile clients try to guess.
    pub victim: Person,
    pub bots: Vec<Bot>,
    pub groups: Vec<String>,
    /// Files that bots and assistants read: the id of a conversation, and the id of a file in one of its messages. The
    /// newest pair is the last.
    pub files: Mutex<VecDeque<(String, String)>>,
    /// The newest access tokens of assistants, which hostile clients use; see [`Company::publish`].
    pub tokens: Mutex<VecDeque<String>>,
}

impl Company {
    pub async fn create(http: &Http, receiver: &Receiver) -> Self {
        let id = seed::company(http, "Soak").await;
        let admin = person(http, &id, "admin", &json!({"is_admin": true, "password": PASSWORD})).await;
        let mut company = Self {
            admin: admin.id,
            admin_email: admin.email,
            people: people(http, &id, "person", PEOPLE, &json!({})).await,
            employees: people(http, &id, "employee", EMPLOYEES, &json!({"password": PASSWORD})).await,
            visitors: people(http, &id, "visitor", VISITORS, &json!({"password": PASSWORD})).await,
            victim: person(http, &id, "victim", &json!({"password": PASSWORD})).await,
            bots: Vec::new(),
            groups: Vec::new(),
            files: Mutex::default(),
            tokens: Mutex::default(),
            id,
        };
        for number in 0..BOTS {
            let bot = company.bot(http, receiver, number).await;
            company.bots.push(bot);
        }
        for index in 0..GROUPS {
            let bots = company.bots.iter().filter(|bot| bot.groups.contains(&index));
            let mut members: Vec<String> = bots.map(Bot::user_id).collect();
            members.extend(company.employees.iter().chain(&company.visitors).map(|one| one.id.clone()));
            members.push(company.admin.clone());
            let body = json!({"kind": "group", "name": format!("group-{index}"), "member_ids": members});
            let made = seed::post(http, &company.path("/conversations"), &body).await;
            company.groups.push(made.text_at("/conversation/id"));
        }
        company
    }

    pub fn path(&self, rest: &str) -> String {
        format!("/admin/v1/workspaces/{}{rest}", self.id)
    }

    async fn bot(&self, http: &Http, receiver: &Receiver, number: usize) -> Bot {
        let app = seed::app(http, number, &receiver.url(number)).await;
        let bot = Bot {
            number,
            app_id: app.id,
            client_id: app.client_id,
            client_secret: Mutex::new(app.client_secret),
            installed: Mutex::default(),
            groups: (0..GROUPS_OF_A_BOT).map(|n| (number + n) % GROUPS).collect(),
        };
        assert!(self.install(http, &bot).await, "failed to install app {number}");
        bot
    }

    /// Installs an app and exchanges the code. Returns `false` if a request failed.
    pub async fn install(&self, http: &Http, bot: &Bot) -> bool {
        let secret = bot.client_secret.lock().unwrap().clone();
        let app = (&*bot.app_id, &*bot.client_id, &*secret);
        let installed = seed::install(http, &self.id, &self.admin, app).await;
        let is_installed = installed.is_some();
        if let Some(installed) = installed {
            *bot.installed.lock().unwrap() = installed;
        }
        is_installed
    }

    /// Adds a file of a message to [`Company::files`], and drops the oldest file if there are more than [`REMEMBERED`].
    pub fn attached(&self, conversation: &str, file: String) {
        let mut files = self.files.lock().unwrap();
        files.push_back((conversation.to_owned(), file));
        if files.len() > REMEMBERED {
            files.pop_front();
        }
    }

    /// Adds an access token to [`Company::tokens`], for the hostile clients that open streams and do not read them.
    pub fn publish(&self, token: &str) {
        let mut tokens = self.tokens.lock().unwrap();
        tokens.push_back(token.to_owned());
        if tokens.len() > EMPLOYEES {
            tokens.pop_front();
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

async fn people(http: &Http, company: &str, name: &str, count: usize, members: &Value) -> Vec<Person> {
    let mut made = Vec::new();
    for n in 0..count {
        made.push(person(http, company, &format!("{name}-{n}"), members).await);
    }
    made
}

async fn person(http: &Http, company: &str, name: &str, members: &Value) -> Person {
    let (id, email) = seed::person(http, company, name, members).await;
    Person { id, email }
}
