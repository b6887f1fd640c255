//! `switchboard events`: test events, redelivery, and offline verification of requests.

use clap::{Args, Subcommand};

use super::EVENT_TYPES;
use switchboard_clients::admin::types;

use crate::{
    cli::{
        answer::Answer,
        client::{Server, accept},
        failure::{Failure, Result},
        requests::checked,
        sandbox,
        values::{moment, one_of},
        verify::VerifyArgs,
    },
    domain::time::Timestamp,
};

pub(in crate::cli) const KINDS: &[&str] = &[
    "user.created",
    "user.updated",
    "user.deactivated",
    "conversation.created",
    "conversation.renamed",
    "conversation.archived",
    "conversation.deleted",
    "app.removed_from_conversation",
];

/// Events: send a test event, deliver again, verify a signature.
#[derive(Clone, Debug, Subcommand)]
pub enum EventsCommand {
    /// Send an app a test event (sandbox only)
    ///
    /// The event is sent as if its change had just happened, but nothing changes in the company. An event about a
    /// person, conversation or message names one that exists.
    #[command(after_help = "Examples:
  switchboard events send
  switchboard events send --type app.uninstalled --app app_38f3scce000bq
  switchboard events send --kind conversation.renamed --installation ins_38f3sjfv000cw")]
    Send(TestEventArgs),
    /// Deliver an event again, or all failed events since a time
    ///
    /// The event keeps its id and body, so that receivers can ignore events that they have handled. Its retry schedule
    /// starts again.
    #[command(after_help = "Examples:
  switchboard events redeliver evt_38f44266j00f6 --app app_38f3scce000bq
  switchboard events redeliver --since 2026-11-16T11:00:00Z
  switchboard events redeliver --since 2026-11-16T11:00:00Z --until 2026-11-16T12:00:00Z --all")]
    Redeliver(RedeliverArgs),
    /// Verify the signatures of requests offline
    ///
    /// Takes files of `switchboard listen --save`, or the two signature headers and the raw body of one request. A
    /// file is verified as of the time at which its request was received, and a single request as of now; --at sets
    /// another time. If a signature is invalid, the command checks whether a common mistake explains it (an added line
    /// break, re-serialized JSON, an incomplete secret) and reports the mistake. If files are given, --json prints one
    /// document for all files: `ok` says whether all signatures are valid, and `requests` has an entry for each file.
    ///
    /// Exit codes: 0 all signatures are valid; 4 no value of X-Service-Signature matches; 5 the timestamp is too
    /// old; 6 the timestamp is missing or malformed; 7 the signature is missing or malformed. With several files
    /// the exit code is that of the first invalid file.
    #[command(after_help = "Examples:
  switchboard events verify captured/*.json
  switchboard events verify --timestamp 1794826964 --signature v1=5f1c... --body body.json --secret-file signing-secret
  switchboard events verify --timestamp 1794826964 --signature v1=5f1c... --at 1794826964 < body.json")]
    Verify(Box<VerifyArgs>),
}

/// The option that selects the app.
#[derive(Args, Clone, Debug)]
pub struct AppSelector {
    /// Id of the app (app_...); by default the app of the sandbox in the current folder
    #[arg(long, value_name = "APP")]
    app: Option<String>,
}

impl AppSelector {
    /// Returns the id of the app that `--app` names. Without `--app`, returns the id of the sandbox's app if the server
    /// is the sandbox in the current folder.
    fn id(self, server: &Server) -> Result<String> {
        let sandbox = || sandbox::app_here().filter(|app| app.sandbox == server.url());
        self.app.or_else(|| sandbox().map(|app| app.id)).ok_or_else(|| {
            Failure::Usage("--app is required: `switchboard app list` shows the ids".to_owned())
        })
    }
}

/// A test event.
#[derive(Args, Clone, Debug)]
pub struct TestEventArgs {
    #[command(flatten)]
    app: AppSelector,
    /// Type of the event
    #[arg(long = "type", value_name = "TYPE", default_value = "directory.changed", value_parser = one_of::<types::EventType>(EVENT_TYPES))]
    type_: types::EventType,
    /// Kind of the change, for directory.changed; user.updated by default
    #[arg(long, value_name = "KIND", value_parser = one_of::<types::DirectoryKind>(KINDS))]
    kind: Option<types::DirectoryKind>,
    /// Id of the installation (ins_...); by default the newest connected installation of the app
    #[arg(long, value_name = "INSTALLATION")]
    installation: Option<String>,
}

/// Selects the events to deliver again.
#[derive(Args, Clone, Debug)]
pub struct RedeliverArgs {
    /// Id of the event (evt_...)
    #[arg(value_name = "EVENT", required_unless_present = "since", conflicts_with_all = ["since", "until", "all", "type_"])]
    event: Option<String>,
    #[command(flatten)]
    app: AppSelector,
    /// Only events created at this time or later, such as 2026-11-16T11:00:00Z
    #[arg(long, value_name = "TIME", value_parser = moment)]
    since: Option<Timestamp>,
    /// Only events created before this time
    #[arg(long, value_name = "TIME", requires = "since", value_parser = moment)]
    until: Option<Timestamp>,
    /// Also deliver delivered and dropped events again
    #[arg(long, requires = "since")]
    all: bool,
    /// Only events of this type
    #[arg(long = "type", value_name = "TYPE", requires = "since", value_parser = one_of::<types::EventType>(EVENT_TYPES))]
    type_: Option<types::EventType>,
}

impl EventsCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// - [`Failure::Usage`] if no app is given or found, or if the id of the installation is malformed.
    /// - [`Failure::Usage`] for [`EventsCommand::Verify`], because this command calls no server.
    /// - An error response, or a failure to reach the server.
    pub async fn run(self, server: &Server) -> Result<Answer> {
        match self {
            Self::Send(send) => send.run(server).await,
            Self::Redeliver(redeliver) => redeliver.run(server).await,
            Self::Verify(_) => Err(Failure::Usage("this command calls no server".to_owned())),
        }
    }
}

impl TestEventArgs {
    async fn run(self, server: &Server) -> Result<Answer> {
        let app = self.app.id(server)?;
        let body = types::TestEventCreate {
            type_: self.type_,
            kind: self.kind,
            installation_id: self.installation.map(|id| checked("--installation", id)).transpose()?,
        };
        let done = accept(server.admin().create_test_event(&app, &body)).await?;
        Ok(queued(&app, &done))
    }
}

impl RedeliverArgs {
    async fn run(self, server: &Server) -> Result<Answer> {
        let app = self.app.id(server)?;
        let Some(since) = self.since else {
            let event = self.event.unwrap_or_default();
            let done = accept(server.admin().redeliver_event(&app, &event)).await?;
            return Ok(queued(&app, &done));
        };
        let body = types::RedeliverRequest {
            since: since.to_rfc3339(),
            until: self.until.map(Timestamp::to_rfc3339),
            state: self.all.then_some(types::RedeliverState::All),
            type_: self.type_,
        };
        let done = accept(server.admin().redeliver_events(&app, &body)).await?;
        let text = match done.redelivered {
            0 => "No events to deliver again.".to_owned(),
            1 => format!("1 event is queued again: `switchboard app deliveries {app}` shows it."),
            number => {
                format!("{number} events are queued again: `switchboard app deliveries {app}` shows them.")
            }
        };
        Ok(Answer::new(&done, text))
    }
}

fn queued(app: &str, done: &types::EventQueued) -> Answer {
    let id = &done.event_id;
    let text = format!("{id} is queued: `switchboard app deliveries {app} --event {id}` shows its delivery.");
    Answer::new(done, text)
}
