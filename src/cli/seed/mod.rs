//! `switchboard seed demo`: creates two companies with people, conversations, files and messages in many states.
//!
//! The command calls the server's APIs, so it works with any server whose operator key is known. `switchboard dev`
//! creates the same demo in a new sandbox. Each demo has new companies with e-mail domains of their own, so existing
//! companies and accounts stay unchanged.

mod client;
mod content;
mod people;

use std::{collections::BTreeMap, fmt::Write as _};

use clap::Subcommand;
use serde::{Deserialize, Serialize};

use self::client::Seeder;
use super::{
    answer::{Answer, value},
    client::Server,
    failure::Result,
    table,
};
use crate::platform::rng::Rng;

/// Demo content.
#[derive(Clone, Debug, Subcommand)]
pub enum SeedCommand {
    /// Create two demo companies, and print every id and secret
    ///
    /// The demo has people in all account states, guests, groups, channels, files, messages, an app installed in the
    /// first company, and a registered assistant client. Each run creates new companies. Requires the operator key.
    #[command(after_help = "Examples:
  switchboard seed demo
  switchboard seed demo --json > demo.json
  switchboard seed demo --callback-url http://127.0.0.1:8081/events")]
    Demo {
        /// Callback URL of the installed app, set after the demo was created; none by default
        #[arg(long, value_name = "URL")]
        callback_url: Option<String>,
    },
}

impl SeedCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// Errors of [`demo`].
    pub async fn run(self, server: &Server) -> Result<Answer> {
        let Self::Demo { callback_url } = self;
        if let Some(url) = &callback_url {
            // checks the callback URL before anything is created
            content::check_callback(&Seeder { server }, &content::callback_change(url)?).await?;
        }
        let demo = demo(server, &Rng::os(), callback_url.as_deref()).await?;
        let mut document = value(&demo);
        document["base_url"] = value(server.url());
        Ok(Answer::new(document, demo.describe()))
    }
}

/// The created objects. The keys of the maps are roles in the demo, such as `admin`.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Demo {
    /// The password of all people who can sign in.
    pub password: String,
    /// Companies by role: `first` and `second`.
    pub workspaces: BTreeMap<String, Company>,
    /// People by role: `admin`, `employee`, `onboarding`, ...
    pub people: BTreeMap<String, SeededPerson>,
    /// Apps by role: `installed`, which is installed in the first company, and `spare`, which is not installed.
    pub apps: BTreeMap<String, SeededApp>,
    /// Installation of the app `installed` in the first company.
    pub installation: SeededInstallation,
    /// A registered assistant client without connections.
    #[serde(default)]
    pub assistant_client: SeededAssistantClient,
    /// Ids of conversations by role: `public_group`, `channel`, `archived_group`, ...
    pub conversations: BTreeMap<String, String>,
    /// Ids of files by role: `document` and `image`, attached to messages of `public_group`; `deleted`; `unattached`.
    pub files: BTreeMap<String, String>,
    /// Ids of messages by role: `text`, `reply`, `file`, `system`, `bot`, ...
    pub messages: BTreeMap<String, String>,
}

/// A company.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Company {
    /// `cmp_...`
    pub id: String,
    /// The company's name.
    pub name: String,
    /// The company's e-mail domain.
    pub domain: String,
}

/// A person of a company.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct SeededPerson {
    /// `usr_...`
    pub id: String,
    /// Id of the person's company.
    pub workspace_id: String,
    /// Full name.
    pub name: String,
    /// The e-mail address; null for a removed person.
    pub email: Option<String>,
    /// Account state, as named in the API.
    pub state: String,
    /// The password; null for people who cannot sign in.
    pub password: Option<String>,
}

/// A registered app.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct SeededApp {
    /// `app_...`
    pub id: String,
    /// The app's name.
    pub name: String,
    /// `svc_app_...`
    pub client_id: String,
    /// `svc_sec_...`
    pub client_secret: String,
    /// `whsec_...`
    pub signing_secret: String,
    /// The app's redirect URI.
    pub redirect_uri: String,
    /// The callback URL; null if the app has none.
    #[serde(default)]
    pub callback_url: Option<String>,
}

/// A registered client of the assistant API. It has no secret.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct SeededAssistantClient {
    /// `mcpc_...`
    pub client_id: String,
    /// The client's name.
    pub client_name: String,
    /// The client's redirect URI, on the employee's computer. The client may use any port.
    pub redirect_uri: String,
}

/// The installation of an app in a company.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct SeededInstallation {
    /// `ins_...`
    pub id: String,
    /// Id of the app.
    pub app_id: String,
    /// Id of the company.
    pub workspace_id: String,
    /// Id of the bot user.
    pub bot_user_id: String,
    /// A bot token with all scopes.
    pub bot_token: String,
}

impl Demo {
    /// Returns the person in a role.
    #[must_use]
    pub fn person(&self, role: &str) -> Option<&SeededPerson> {
        self.people.get(role)
    }

    /// Returns the output of the command without `--json`: all ids and secrets, in tables.
    fn describe(&self) -> String {
        let document = value(self);
        let mut text = format!("Password of all people who have one: {}\n", self.password);
        let columns =
            [("ROLE", "role"), ("ID", "id"), ("NAME", "name"), ("EMAIL", "email"), ("STATE", "state")];
        text.push_str("\nPeople\n");
        let people: Vec<_> = self
            .people
            .iter()
            .map(|(role, person)| {
                let mut person = value(person);
                person["role"] = value(role);
                person
            })
            .collect();
        text.push_str(&table::table(&people, &columns));
        // writing to a String cannot fail
        for app in self.apps.values() {
            let _ = write!(text, "\nApp {}\n{}", app.name, table::details(&value(app)));
        }
        for (heading, member) in [
            ("Installation", "installation"),
            ("Assistant client", "assistant_client"),
            ("Conversations", "conversations"),
            ("Files", "files"),
            ("Messages", "messages"),
        ] {
            let _ = write!(text, "\n{heading}\n{}", table::details(&document[member]));
        }
        for company in self.workspaces.values() {
            let _ = write!(text, "\nCompany {}\n{}", company.name, table::details(&value(company)));
        }
        text
    }
}

/// Creates the demo on `server`, with the operator key. The events of the installed app are sent to `callback_url`,
/// except the events that the creation of the demo causes.
///
/// # Errors
/// An invalid `callback_url`. An error response, or a failure to reach the server. Objects that were created before the
/// error are not deleted.
pub async fn demo(server: &Server, rng: &Rng, callback_url: Option<&str>) -> Result<Demo> {
    // parses the callback URL before anything is created
    let callback = callback_url.map(content::callback_change).transpose()?;
    let seeder = Seeder { server };
    let mut demo = Demo { password: format!("demo-{}", rng.crockford(12)), ..Demo::default() };
    people::companies(&seeder, &mut demo).await?;
    people::people(&seeder, &mut demo).await?;
    content::apps(&seeder, &mut demo).await?;
    demo.assistant_client = seeder.register("Desk Assistant", "http://127.0.0.1/callback").await?;
    content::conversations(&seeder, &mut demo).await?;
    content::uploads(&seeder, &mut demo).await?;
    content::messages(&seeder, &mut demo, rng).await?;
    content::final_states(&seeder, &mut demo).await?;
    if let Some(change) = &callback {
        content::set_callback(&seeder, &mut demo, change).await?;
    }
    Ok(demo)
}
