//! The command line. It starts servers, and calls servers as a client of the admin API.
//!
//! - [`server`]: `serve`, `migrate`, `config`; [`dev`]: a sandbox in a folder; [`seed`]: demo companies.
//! - [`sandbox`]: finds the sandbox of `dev` for the other commands.
//! - [`backup`], [`move_data`]: copies of the data of a deployment. [`secrets`]: the key that encrypts stored secrets.
//! - [`listen`]: a receiver of events for developers; [`verify`]: verification of the signatures of events.
//! - [`connect`]: an MCP client for developers; [`doctor`]: checks of a deployment; [`health`]: whether a server is
//!   ready; [`web`]: the HTTP client of `connect`, `doctor` and `health`.
//! - [`commands`]: all operations of the admin API, through the generated client ([`client`]). [`requests`]: requests
//!   that several commands make.
//! - [`docs`], [`man`]: `docs/cli.md` and the manual pages, generated from the definitions of the commands.
//! - [`answer`], [`table`], [`failure`]: output and exit codes.
//!
//! Apart from tests, only `main` calls this module. Results go to standard output, and everything else goes to standard
//! error. Exit codes:
//!
//! - 0 success
//! - 1 rejected by the server, or failed on this machine
//! - 2 invalid usage
//! - 3 the server cannot be reached, or its response does not have the format of this version of Switchboard
//! - 4 to 7 an invalid signature
//! - 8 a failed check of `doctor` or `health`

pub mod answer;
pub mod backup;
pub mod client;
pub mod commands;
pub mod connect;
pub mod data;
pub mod dev;
pub mod docs;
pub mod doctor;
pub mod failure;
pub mod health;
pub mod listen;
pub mod local;
pub mod logging;
pub mod man;
pub mod move_data;
pub mod paging;
pub mod progress;
pub mod requests;
pub mod sandbox;
pub mod secrets;
pub mod seed;
pub mod server;
pub mod settings;
pub mod table;
pub mod values;
pub mod verify;
pub mod web;

use std::{ffi::OsString, io::Write as _, process::ExitCode, time::Duration};

use clap::{CommandFactory as _, Parser, Subcommand};
use tokio::runtime::Builder;

use self::{
    answer::Answer,
    backup::{BackupArgs, restore::RestoreArgs},
    client::ServerArgs,
    commands::{
        apps::AppCommand,
        audit::AuditCommand,
        connections::{BlockCommand, ClientsCommand, ConnCommand},
        conversations::ConvCommand,
        events::EventsCommand,
        files::FileCommand,
        installs::InstallCommand,
        messages::MsgCommand,
        sandbox::{ClockCommand, LimitsCommand},
        sessions::SessionCommand,
        users::UserCommand,
        workspaces::WorkspaceCommand,
    },
    connect::ConnectArgs,
    dev::DevArgs,
    doctor::DoctorArgs,
    failure::{Failure, Result},
    health::HealthArgs,
    listen::ListenArgs,
    local::{CompletionsArgs, OpenapiCommand, OperatorKeyCommand},
    man::ManArgs,
    move_data::MoveArgs,
    secrets::SecretsCommand,
    seed::SeedCommand,
    server::{ConfigCommand, MigrateArgs, ServeArgs},
};
use crate::config::ClientEnv;

/// Bots inside your company's conversations, under your control.
///
/// `switchboard dev` starts a sandbox with a demo company; `switchboard serve` is the server itself. Most
/// other commands call a running server through its admin API.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "switchboard",
    version,
    max_term_width = 100,
    propagate_version = false,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Exit codes:
  0  done
  1  rejected by the server (`code: message (request id)` on standard error), or failed on this machine
  2  wrong usage
  3  the server cannot be reached, or its response is not understood
  4 to 7  a signature is not valid: see `switchboard events verify --help`
  8  a check of `switchboard doctor` failed, or `switchboard health` found the server not ready

Examples:
  switchboard dev
  switchboard user list cmp_38f3jpq800005 --json"
)]
pub struct Cli {
    /// Print one JSON document instead of text for people
    #[arg(long, global = true)]
    json: bool,
    #[command(flatten)]
    server: ServerArgs,
    #[command(subcommand)]
    command: CliCommand,
}

#[derive(Clone, Debug, Subcommand)]
enum CliCommand {
    Serve(Box<ServeArgs>),
    Dev(DevArgs),
    Migrate(MigrateArgs),
    Backup(BackupArgs),
    Restore(RestoreArgs),
    Move(MoveArgs),
    #[command(subcommand)]
    Secrets(SecretsCommand),
    #[command(subcommand)]
    Config(ConfigCommand),
    #[command(subcommand)]
    OperatorKey(OperatorKeyCommand),
    #[command(subcommand)]
    Openapi(OpenapiCommand),
    Completions(CompletionsArgs),
    Man(ManArgs),
    #[command(subcommand)]
    Seed(SeedCommand),
    #[command(subcommand)]
    Session(SessionCommand),
    #[command(subcommand)]
    Workspace(WorkspaceCommand),
    #[command(subcommand)]
    User(UserCommand),
    #[command(subcommand)]
    Conv(ConvCommand),
    #[command(subcommand)]
    Msg(MsgCommand),
    #[command(subcommand)]
    File(FileCommand),
    #[command(subcommand)]
    App(AppCommand),
    #[command(subcommand)]
    Install(InstallCommand),
    #[command(subcommand)]
    Conn(ConnCommand),
    #[command(subcommand)]
    Block(BlockCommand),
    #[command(subcommand)]
    Clients(ClientsCommand),
    #[command(subcommand)]
    Audit(AuditCommand),
    #[command(subcommand)]
    Clock(ClockCommand),
    #[command(subcommand)]
    Limits(LimitsCommand),
    #[command(subcommand)]
    Events(EventsCommand),
    Listen(Box<ListenArgs>),
    Connect(Box<ConnectArgs>),
    Doctor(Box<DoctorArgs>),
    Health(Box<HealthArgs>),
}

/// Maximum time that a command waits at its end for unfinished work on blocking threads. Nothing uses the results of
/// this work.
const MAX_EXIT_TIME: Duration = Duration::from_secs(1);

/// Runs the command line `args` and returns the exit code. The first argument is the program's name.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            // clap also returns the texts of `--help` and `--version` as errors. A failure to print cannot be reported
            // anywhere, so it is ignored
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match cli.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // a failure to write to standard error cannot be reported anywhere, so it is ignored
            let _ = writeln!(std::io::stderr(), "switchboard: {failure}");
            failure.exit_code()
        }
    }
}

impl Cli {
    fn run(self) -> Result<()> {
        let is_multi_threaded = matches!(
            self.command,
            CliCommand::Serve(_) | CliCommand::Dev(_) | CliCommand::Listen(_) | CliCommand::Doctor(_)
        );
        let mut builder =
            if is_multi_threaded { Builder::new_multi_thread() } else { Builder::new_current_thread() };
        let runtime = builder.enable_all().build();
        let runtime = runtime.map_err(|error| Failure::Local(format!("cannot start: {error}")))?;
        let done = runtime.block_on(Box::pin(self.dispatch()));
        // dropping the runtime would wait without a time limit for blocking work, such as a commit to a locked database
        runtime.shutdown_timeout(MAX_EXIT_TIME);
        done
    }

    async fn dispatch(self) -> Result<()> {
        let Self { json, server, command } = self;
        let answer = match command {
            CliCommand::Serve(args) => return server::serve(*args).await,
            CliCommand::Dev(args) => return dev::run(args, json).await,
            CliCommand::Listen(args) => return listen::run(*args, json).await,
            CliCommand::Connect(args) => return connect::run(*args, json).await,
            CliCommand::Doctor(args) => return doctor::run(*args, &server, json).await,
            CliCommand::Events(EventsCommand::Verify(args)) => return verify::run(&args, json),
            CliCommand::Migrate(args) => server::migrate(args).await,
            CliCommand::Backup(args) => backup::run(args).await,
            CliCommand::Restore(args) => backup::restore::run(args).await,
            CliCommand::Move(args) => move_data::run(args).await,
            CliCommand::Secrets(command) => command.run().await,
            CliCommand::Config(command) => return command.run(json),
            CliCommand::OperatorKey(command) => Ok(command.run()),
            CliCommand::Openapi(command) => command.run(),
            CliCommand::Completions(args) => args.run(Self::command()),
            CliCommand::Man(args) => args.run(Self::command()),
            CliCommand::Health(args) => health::run(*args, &server).await,
            remote => remote.call_server(&server).await,
        };
        answer?.print(json)
    }
}

impl CliCommand {
    /// Runs a command that calls a server.
    async fn call_server(self, args: &ServerArgs) -> Result<Answer> {
        let env = ClientEnv::from_process().map_err(|error| Failure::Usage(error.to_string()))?;
        let is_anonymous = matches!(&self, Self::Session(command) if command.needs_no_credential());
        let server = &if is_anonymous { args.connect_without_credential(&env) } else { args.connect(&env) }?;
        match self {
            Self::Seed(command) => command.run(server).await,
            Self::Session(command) => command.run(server).await,
            Self::Workspace(command) => command.run(server).await,
            Self::User(command) => command.run(server).await,
            Self::Conv(command) => command.run(server).await,
            Self::Msg(command) => command.run(server).await,
            Self::File(command) => command.run(server).await,
            Self::App(command) => command.run(server).await,
            Self::Install(command) => command.run(server).await,
            Self::Conn(command) => command.run(server).await,
            Self::Block(command) => command.run(server).await,
            Self::Clients(command) => command.run(server).await,
            Self::Audit(command) => command.run(server).await,
            Self::Clock(command) => command.run(server).await,
            Self::Limits(command) => command.run(server).await,
            Self::Events(command) => command.run(server).await,
            Self::Serve(_)
            | Self::Dev(_)
            | Self::Listen(_)
            | Self::Connect(_)
            | Self::Doctor(_)
            | Self::Migrate(_)
            | Self::Backup(_)
            | Self::Restore(_)
            | Self::Move(_)
            | Self::Secrets(_)
            | Self::Config(_)
            | Self::OperatorKey(_)
            | Self::Openapi(_)
            | Self::Completions(_)
            | Self::Man(_)
            | Self::Health(_) => Err(Failure::Usage("this command calls no server".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests;
