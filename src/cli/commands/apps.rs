//! `switchboard app`: registered apps, their secrets and their event deliveries (W-29 to W-34).

use clap::{Args, Subcommand};

use super::EVENT_TYPES;
use switchboard_clients::admin::types;

use crate::{
    cli::{
        answer::Answer,
        client::{Server, accept, with_nulls},
        failure::Result,
        paging::{self, PageArgs},
        requests::{SCOPES, every_scope},
        table::Column,
        values::{OrNone, moment, one_of},
    },
    domain::time::Timestamp,
};

const COLUMNS: &[Column] = &[
    ("ID", "id"),
    ("NAME", "name"),
    ("CLIENT ID", "client_id"),
    ("CALLBACK URL", "callback_url"),
    ("DISABLED", "disabled"),
    ("CREATED", "created_at"),
];

const DELIVERIES: &[Column] = &[
    ("EVENT", "event_id"),
    ("TYPE", "type"),
    ("ATTEMPT", "attempt"),
    ("STATE", "state"),
    ("STATUS", "status"),
    ("ERROR", "error"),
    ("MS", "latency_ms"),
    ("AT", "at"),
    ("NEXT", "next_attempt_at"),
];

/// The delivery states that `--state` accepts.
pub(in crate::cli) const STATES: &[&str] = &["pending", "delivered", "failed", "dropped"];

/// Registered apps, their secrets and their event deliveries.
#[derive(Clone, Debug, Subcommand)]
pub enum AppCommand {
    /// Register an app; prints its secrets, which cannot be shown again
    #[command(after_help = "Examples:
  switchboard app create --name 'Build Bot' --redirect-uri https://bot.example.com/callback --callback-url https://bot.example.com/events
  switchboard app create --name Reader --redirect-uri https://reader.example.com/cb --scopes users:read,conversations:read")]
    Create(Box<AppCreateArgs>),
    /// List the registered apps, oldest first, including disabled ones
    #[command(after_help = "Examples:\n  switchboard app list")]
    List {
        /// Paging options.
        #[command(flatten)]
        page: PageArgs,
    },
    /// Show an app, without its secrets
    #[command(after_help = "Examples:\n  switchboard app show app_38f3scce000bq")]
    Show {
        /// Id of the app (app_...)
        app: String,
    },
    /// Change an app; omitted options stay unchanged
    #[command(after_help = "Examples:
  switchboard app set app_38f3scce000bq --callback-url https://bot.example.com/v2/events
  switchboard app set app_38f3scce000bq --callback-url none --scopes messages:write")]
    Set(Box<AppSetArgs>),
    /// Disable an app: every installation is disconnected
    #[command(after_help = "Examples:\n  switchboard app disable app_38f3scce000bq")]
    Disable {
        /// Id of the app (app_...)
        app: String,
    },
    /// Enable an app again; its installations stay disconnected
    #[command(after_help = "Examples:\n  switchboard app enable app_38f3scce000bq")]
    Enable {
        /// Id of the app (app_...)
        app: String,
    },
    /// Replace the signing or client secret; prints the new one, which cannot be shown again
    ///
    /// For 24 hours events are signed with both signing secrets. A client secret is replaced immediately.
    #[command(after_help = "Examples:\n  switchboard app rotate app_38f3scce000bq signing")]
    Rotate {
        /// Id of the app (app_...)
        app: String,
        /// Which secret to replace
        #[arg(value_parser = one_of::<types::SecretKind>(&["signing", "client"]))]
        secret: types::SecretKind,
    },
    /// List the attempts to deliver events to an app, newest first
    ///
    /// Also lists the pending events, which wait for an attempt, and the dropped events. Attempts and events are kept
    /// for 14 days after the event was delivered, failed or dropped. `--json` also shows the beginning of each
    /// response body.
    #[command(after_help = "Examples:
  switchboard app deliveries app_38f3scce000bq --limit 50
  switchboard app deliveries app_38f3scce000bq --state failed --since 2026-11-16T11:00:00Z
  switchboard app deliveries app_38f3scce000bq --event evt_38f44266j00f6 --json")]
    Deliveries(Box<Deliveries>),
}

/// A new app.
#[derive(Args, Clone, Debug)]
pub struct AppCreateArgs {
    /// Name of the app and of its bots
    #[arg(long)]
    name: types::AppCreateName,
    /// Redirect URI to which the install page may send the code; repeatable
    #[arg(long = "redirect-uri", value_name = "URI", required = true)]
    redirect_uris: Vec<types::AppCreateRedirectUrisItem>,
    /// URL that receives events; none by default
    #[arg(long, value_name = "URL")]
    callback_url: Option<types::AppCreateCallbackUrl>,
    /// Scopes that an installation may be granted, separated by commas; all by default
    #[arg(long, value_delimiter = ',', value_parser = one_of::<types::Scope>(SCOPES))]
    scopes: Option<Vec<types::Scope>>,
}

/// Changes to an app.
#[derive(Args, Clone, Debug)]
pub struct AppSetArgs {
    /// Id of the app (app_...)
    app: String,
    /// New name of the app and its bots; the bot of a disconnected installation gets the name when the app is installed
    /// again
    #[arg(long)]
    name: Option<types::AppUpdateName>,
    /// Replaces the list of redirect URIs; repeatable
    #[arg(long = "redirect-uri", value_name = "URI")]
    redirect_uris: Vec<types::AppUpdateRedirectUrisItem>,
    /// URL that receives events, or `none`
    #[arg(long, value_name = "URL")]
    callback_url: Option<OrNone<types::AppUpdateCallbackUrl>>,
    /// Scopes that later installations may be granted, separated by commas
    #[arg(long, value_delimiter = ',', value_parser = one_of::<types::Scope>(SCOPES))]
    scopes: Option<Vec<types::Scope>>,
}

/// Filters of `app deliveries`.
#[derive(Args, Clone, Debug)]
pub struct Deliveries {
    /// Id of the app (app_...)
    app: String,
    /// Only attempts or events in this state
    #[arg(long, value_parser = one_of::<types::DeliveryState>(STATES))]
    state: Option<types::DeliveryState>,
    /// Only events of this type
    #[arg(long = "type", value_name = "TYPE", value_parser = one_of::<types::EventType>(EVENT_TYPES))]
    type_: Option<types::EventType>,
    /// Only events of this installation (ins_...)
    #[arg(long, value_name = "INSTALLATION")]
    installation: Option<types::ListDeliveriesInstallationId>,
    /// Only this event (evt_...)
    #[arg(long, value_name = "EVENT")]
    event: Option<types::ListDeliveriesEventId>,
    /// Only attempts that started at this time or later, such as 2026-11-16T11:00:00Z; for pending and dropped events,
    /// the time of the event's creation counts
    #[arg(long, value_name = "TIME", value_parser = moment)]
    since: Option<Timestamp>,
    /// Only attempts that started before this time; for pending and dropped events, the time of the event's creation
    /// counts
    #[arg(long, value_name = "TIME", value_parser = moment)]
    until: Option<Timestamp>,
    /// Paging options.
    #[command(flatten)]
    page: PageArgs,
}

impl AppCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// An error response, or a failure to reach the server.
    pub async fn run(self, server: &Server) -> Result<Answer> {
        let admin = server.admin();
        match self {
            Self::Create(create) => create.run(server).await,
            Self::List { page } => {
                let found = paging::all("apps", &page, async |cursor, limit| {
                    admin.list_apps(Option::as_ref(&cursor), limit).await
                });
                Ok(Answer::list(found.await?, "apps", COLUMNS))
            }
            Self::Show { app } => Ok(Answer::details(accept(admin.get_app(&app)).await?, "app")),
            Self::Set(set) => set.run(server).await,
            Self::Disable { app } => set_disabled(server, &app, true).await,
            Self::Enable { app } => set_disabled(server, &app, false).await,
            Self::Rotate { app, secret } => {
                let done = accept(admin.rotate_secret(&app, &types::SecretRotate { secret })).await?;
                let shown = done.signing_secret.as_ref().or(done.client_secret.as_ref());
                let text = format!(
                    "The new {secret} secret, which cannot be shown again:\n{}",
                    shown.map_or("", String::as_str)
                );
                Ok(Answer::new(&done, text))
            }
            Self::Deliveries(deliveries) => deliveries.run(server).await,
        }
    }
}

async fn set_disabled(server: &Server, app: &str, disabled: bool) -> Result<Answer> {
    let body = types::AppUpdate {
        disabled: Some(disabled),
        name: None,
        redirect_uris: Vec::new(),
        callback_url: None,
        scopes: None,
    };
    let done = accept(server.admin().update_app(app, &body)).await?;
    let state = if done.app.disabled { "disabled" } else { "enabled" };
    let text = format!("{} is {state}.", done.app.id);
    Ok(Answer::new(&done, text))
}

impl AppCreateArgs {
    async fn run(self, server: &Server) -> Result<Answer> {
        let scopes = match self.scopes {
            Some(scopes) => scopes,
            None => every_scope()?,
        };
        let body = types::AppCreate {
            name: self.name,
            redirect_uris: self.redirect_uris,
            callback_url: self.callback_url,
            scopes,
        };
        let done = accept(server.admin().create_app(&body)).await?;
        let text = format!(
            "Registered {} ({}). Its secrets, which cannot be shown again:\n\
             client id       {}\nclient secret   {}\nsigning secret  {}",
            done.app.id, done.app.name, done.client_id, done.client_secret, done.signing_secret
        );
        Ok(Answer::new(&done, text))
    }
}

impl AppSetArgs {
    async fn run(self, server: &Server) -> Result<Answer> {
        let (callback_url, no_callback) = OrNone::split(self.callback_url);
        let body = types::AppUpdate {
            name: self.name,
            redirect_uris: self.redirect_uris,
            callback_url,
            scopes: self.scopes,
            disabled: None,
        };
        let call = server.admin().update_app(&self.app, &body);
        let done = accept(with_nulls(&[("callback_url", no_callback)], call)).await?;
        Ok(Answer::details(done, "app"))
    }
}

impl Deliveries {
    async fn run(self, server: &Server) -> Result<Answer> {
        let Self { app, state, type_, installation, event, since, until, page } = self;
        let (since, until) = (since.map(Timestamp::to_rfc3339), until.map(Timestamp::to_rfc3339));
        let found = paging::all("deliveries", &page, async |cursor, limit| {
            let admin = server.admin();
            let (cursor, event, installation) =
                (Option::as_ref(&cursor), event.as_ref(), installation.as_ref());
            let (since, until) = (since.as_deref(), until.as_deref());
            let order = None;
            admin
                .list_deliveries(&app, cursor, event, installation, limit, order, since, state, type_, until)
                .await
        });
        Ok(Answer::list(found.await?, "deliveries", DELIVERIES))
    }
}
