//! The company: people, groups, bots, followers (bots that only read) and assistants. They are created before the
//! measurement: assistants connect by OAuth, and everything else is created through the admin API.

use std::{sync::Mutex, time::Instant};

use reqwest::Method;
use serde_json::{Value, json};

use super::{
    events::Receiver,
    http::{Http, new_request},
    ledger::Ledger,
    limits::{Cost, Limits},
    oauth::{self, Client, Connected},
    options::Options,
    support::seed::{self, Installed, PASSWORD},
};

/// Number of steady groups. Admins only rename these groups, and bots delete no messages in them.
const STEADY_GROUPS: usize = 4;
/// Number of volatile groups. Admins archive these groups and remove bots from them, and bots delete their messages in
/// them.
const VOLATILE_GROUPS: usize = 4;
/// Each bot is a member of this many steady groups and of this many volatile groups. A follower is a member of one
/// steady group only.
const GROUPS_OF_A_BOT: usize = 3;
const PEOPLE: usize = 12;
const FOLLOWERS: usize = 2;

/// How a bot behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behaviour {
    /// Stays within the guaranteed limits.
    Paced,
    /// Sends as fast as it can.
    Hasty,
    /// Stays within the limits. Admins uninstall its app and install it again.
    Expendable,
}

/// An app with its bot.
pub struct Bot {
    /// The number of the app. It is the path of the app's callback URL.
    pub number: usize,
    pub behaviour: Behaviour,
    pub app_id: String,
    client_id: String,
    client_secret: String,
    pub installed: Mutex<Installed>,
    /// Indexes of the groups in which the bot is a member.
    pub groups: Vec<usize>,
}

pub struct Group {
    pub id: String,
    /// Whether the group is volatile: admins archive it and remove bots from it, and bots delete their messages in it.
    pub is_volatile: bool,
    /// Numbers of the bots and followers that are members of the group when it is created.
    pub bots: Vec<usize>,
}

pub struct Person {
    pub id: String,
    pub email: String,
    /// Whether admins deactivate and reactivate the person.
    pub is_volatile: bool,
}

/// An employee with an assistant.
pub struct Assistant {
    pub email: String,
    pub connected: Mutex<Connected>,
    /// The employee's limits. The requests of all connections of the employee count against them.
    pub limits: Mutex<Limits>,
    /// Whether admins sometimes revoke the assistant's connection.
    pub is_expendable: bool,
}

pub struct Company {
    pub id: String,
    admin: String,
    pub groups: Vec<Group>,
    pub people: Vec<Person>,
    pub bots: Vec<Bot>,
    /// Bots that only read. The numbers of their apps follow the numbers of the apps in `bots`.
    pub followers: Vec<Bot>,
    pub assistants: Vec<Assistant>,
    pub client: Client,
}

impl Company {
    /// Creates the company, with its people, groups, bots, followers and assistants.
    pub async fn create(options: &Options, http: &Http, receiver: &Receiver, ledger: &Ledger) -> Self {
        let mut company = Self {
            id: seed::company(http, "Fleet").await,
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
            company.people.push(Person { is_volatile: n % 3 == 2, ..person });
        }
        let employees = company.employees(options.assistants, http).await;
        for number in 0..options.all_bots() {
            let behaviour = match number {
                n if n < options.bots => Behaviour::Paced,
                n if n == options.bots => Behaviour::Hasty,
                _ => Behaviour::Expendable,
            };
            let bot = company.bot(http, receiver, number, behaviour).await;
            company.bots.push(bot);
        }
        for n in 0..FOLLOWERS {
            let bot = company.bot(http, receiver, company.bots.len() + n, Behaviour::Paced).await;
            company.followers.push(Bot { groups: vec![n], ..bot });
        }
        company.make_groups(http, &employees, ledger).await;
        for (n, (_, email)) in employees.iter().enumerate() {
            http.admin(new_request("seed", Method::POST, "/admin/v1/rate_limits/reset"))
                .await
                .expect_success("reset");
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
            // one more, because the operator follows all groups (`followers::watch`)
            self.followers.len() + 1,
            self.assistants.len()
        )
    }

    /// Returns the bots whose apps are never uninstalled, including the followers.
    pub fn lasting(&self) -> impl Iterator<Item = &Bot> {
        self.bots.iter().filter(|bot| bot.behaviour != Behaviour::Expendable).chain(&self.followers)
    }

    /// Returns those bots of [`Company::lasting`] that are members of the group with this index.
    pub fn lasting_in(&self, group: usize) -> impl Iterator<Item = &Bot> {
        self.lasting().filter(move |bot| bot.groups.contains(&group))
    }

    pub fn path(&self, rest: &str) -> String {
        format!("/admin/v1/workspaces/{}{rest}", self.id)
    }

    /// Returns the id of the admin on whose behalf the operator acts (`X-Acting-User`).
    pub fn admin(&self) -> String {
        self.admin.clone()
    }

    async fn person(&self, http: &Http, name: &str, members: &Value) -> Person {
        let (id, email) = seed::person(http, &self.id, name, members).await;
        Person { id, email, is_volatile: false }
    }

    /// Creates people who can sign in, and returns their ids and e-mail addresses.
    async fn employees(&self, count: usize, http: &Http) -> Vec<(String, String)> {
        let mut made = Vec::new();
        for n in 0..count {
            let person = self.person(http, &format!("employee-{n}"), &json!({"password": PASSWORD})).await;
            made.push((person.id, person.email));
        }
        made
    }

    async fn bot(&self, http: &Http, receiver: &Receiver, number: usize, behaviour: Behaviour) -> Bot {
        let app = seed::app(http, number, &receiver.url(number)).await;
        receiver.expect(number, app.signing_secret);
        let bot = Bot {
            number,
            behaviour,
            app_id: app.id,
            client_id: app.client_id,
            client_secret: app.client_secret,
            installed: Mutex::default(),
            // consecutive groups of each kind, from the group `number` on; after the last group comes the first
            groups: (0..GROUPS_OF_A_BOT)
                .flat_map(|n| [(number + n) % STEADY_GROUPS, STEADY_GROUPS + (number + n) % VOLATILE_GROUPS])
                .collect(),
        };
        assert!(self.install(http, &bot).await, "app {number} is installed");
        bot
    }

    /// Installs an app and exchanges the install code. Returns `false` if a request failed.
    pub async fn install(&self, http: &Http, bot: &Bot) -> bool {
        let app = (&*bot.app_id, &*bot.client_id, &*bot.client_secret);
        let installed = seed::install(http, &self.id, &self.admin, app).await;
        let is_installed = installed.is_some();
        if let Some(installed) = installed {
            *bot.installed.lock().unwrap() = installed;
        }
        is_installed
    }

    async fn make_groups(&mut self, http: &Http, employees: &[(String, String)], ledger: &Ledger) {
        for index in 0..STEADY_GROUPS + VOLATILE_GROUPS {
            let inside: Vec<&Bot> =
                self.bots.iter().chain(&self.followers).filter(|bot| bot.groups.contains(&index)).collect();
            let bots: Vec<usize> = inside.iter().map(|bot| bot.number).collect();
            let mut members: Vec<String> =
                inside.iter().map(|bot| bot.installed.lock().unwrap().user_id.clone()).collect();
            members.extend(employees.iter().map(|(id, _)| id.clone()));
            members.push(self.admin.clone());
            let body = json!({"kind": "group", "name": format!("group-{index}"), "member_ids": members});
            let made = seed::post(http, &self.path("/conversations"), &body).await;
            let id = made.text_at("/conversation/id");
            for bot in inside.iter().filter(|bot| bot.behaviour != Behaviour::Expendable) {
                ledger.expect_event(bot.number, "conversation.created", &id);
            }
            self.groups.push(Group { id, is_volatile: index >= STEADY_GROUPS, bots });
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
