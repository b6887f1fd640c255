//! `switchboard doctor`: looks at a deployment from the configuration to the callbacks of apps, one check after the
//! other, and names for each trouble the setting and the remedy.
//!
//! - [`finding`]: what a check has found, and how it is told.
//! - [`settings`], [`storage`], [`files`]: this machine. [`public`], [`readiness`], [`time`]: the way to the server.
//! - [`documents`], [`proxy`], [`streaming`], [`bodies`]: what lies on that way. [`callbacks`]: the way out.
//!
//! It changes nothing that it does not change back, and runs beside a server: a SQLite database that a server holds is
//! left alone and asked about through the server.

pub mod bodies;
pub mod callbacks;
pub mod documents;
pub mod files;
pub mod finding;
pub mod proxy;
pub mod public;
pub mod readiness;
pub mod settings;
pub mod storage;
pub mod streaming;
pub mod time;

use std::path::PathBuf;

use clap::Args;

use self::finding::{Finding, Report};
use super::{
    answer::Answer,
    client::ServerArgs,
    failure::{Failure, Result},
    listen::secrets,
    logging::start_logs,
    server::SettingArgs,
    web::{Web, WebOptions},
};
use crate::{
    config::{ClientEnv, Config},
    platform::{clock::Clock, logs::LogFormat, secrets::Secret},
};

/// Check a deployment step by step: each finding names the setting and a remedy
///
/// Run it on the server's machine, as the server's user, with the configuration of `serve`. It checks the configuration,
/// the database, the files' storage, the public addresses (names, TLS, certificates), what the proxy in front does to
/// requests and answers, the clocks, and the way to the apps' callbacks. A running server is asked through its public
/// address; with the operator key (`SWITCHBOARD_OPERATOR_KEY`) also what arrived of a request, and whether event streams
/// do. Nothing is changed. docs/operations.md tells about each check. Exit code 8: a check failed.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  switchboard doctor --config /etc/switchboard.toml
  switchboard doctor --offline
  switchboard doctor --callback https://bot.example.com/events --send --json")]
pub struct DoctorArgs {
    /// Also check the way to this callback URL; once for each. Those of all apps are known with the operator key
    #[arg(long = "callback", value_name = "URL")]
    callbacks: Vec<String>,
    /// Send a signed test request to the callbacks, not only connect. Receivers ignore what it says
    #[arg(long)]
    send: bool,
    /// A file with signing secrets, one a line, for --send. Also `SWITCHBOARD_SIGNING_SECRET`
    #[arg(long = "secret-file", value_name = "FILE", requires = "send")]
    secret_files: Vec<PathBuf>,
    /// Ask nobody: only the configuration, the database and the files' storage
    #[arg(long, conflicts_with_all = ["callbacks", "send"])]
    offline: bool,
    #[command(flatten)]
    settings: SettingArgs,
}

/// What is examined, and with what.
pub struct Patient {
    /// As the server would be started with.
    pub config: Config,
    /// The operator key, if it is known.
    pub key: Option<Secret>,
    /// Callback URLs to check besides those of the apps.
    pub callbacks: Vec<String>,
    /// Signing secrets to try, when callbacks are to be sent something.
    pub send: Option<Vec<Secret>>,
    /// This machine only.
    pub offline: bool,
    /// Whose time the machine's is.
    pub clock: Clock,
}

/// Examines, prints what was found, and fails if anything did.
///
/// # Errors
/// [`Failure::Unhealthy`]; what is wrong with the arguments.
pub async fn run(args: DoctorArgs, server: &ServerArgs, json: bool) -> Result<()> {
    start_logs(LogFormat::Text, tracing::Level::ERROR)?;
    let env = ClientEnv::from_process().map_err(|error| Failure::Usage(error.to_string()))?;
    let report = match args.settings.read() {
        Err(errors) => Report::of(settings::unusable(&errors)),
        Ok(loaded) => {
            let mut signing = env.signing_secrets.clone();
            for file in &args.secret_files {
                signing.extend(secrets::read_file(file)?);
            }
            examine(Patient {
                config: loaded.config,
                key: server.operator_key.clone().or(env.operator_key),
                callbacks: args.callbacks,
                send: args.send.then_some(signing),
                offline: args.offline,
                clock: Clock::system(),
            })
            .await
        }
    };
    Answer::new(report.document(), report.text()).print(json)?;
    match report.failures() {
        0 => Ok(()),
        1 => Err(Failure::Unhealthy("1 check failed".to_owned())),
        number => Err(Failure::Unhealthy(format!("{number} checks failed"))),
    }
}

/// Checks everything, in the order in which one thing stands on another.
pub async fn examine(patient: Patient) -> Report {
    let mut report = Report::default();
    report.add(settings::check(&patient));
    report.add(storage::check(&patient).await);
    report.add(files::check(&patient).await);
    if patient.offline {
        return report;
    }
    match web(&patient) {
        Ok(web) => outside(&patient, &web, &mut report).await,
        Err(finding) => report.add([finding]),
    }
    report.add(callbacks::check(&patient).await);
    report
}

async fn outside(patient: &Patient, web: &Web, report: &mut Report) {
    report.add(readiness::local(patient, web).await);
    report.add(public::check(patient).await);
    for place in Place::all(&patient.config) {
        let findings = readiness::public(web, &place).await;
        let answers = findings.iter().all(|finding| !finding.is_failure());
        report.add(findings);
        if !answers {
            let why = format!("{} does not lead to this server: mend that first", place.url);
            report.add([Finding::skipped("proxy", &why)]);
            continue;
        }
        report.add(time::public(web, &place).await);
        if place.is_mcp {
            report.add(documents::check(web, &place).await);
        }
        report.add(proxy::check(patient, web, &place).await);
        report.add(bodies::check(web, &place).await);
        report.add(streaming::check(patient, web, &place).await);
    }
}

fn web(patient: &Patient) -> std::result::Result<Web, Finding> {
    let extra_ca = patient.config.extra_ca_file.as_ref().map(std::fs::read).transpose();
    let failed = |why: String| {
        Finding::failure("configuration", why)
            .of("SWITCHBOARD_EXTRA_CA_FILE")
            .cure("name a PEM file that the server's user can read")
    };
    let extra_ca = extra_ca.map_err(|error| failed(format!("the file cannot be read: {error}")))?;
    let options = WebOptions { extra_ca, ..WebOptions::default() };
    Web::new(&options, patient.clock.clone()).map_err(|error| failed(error.to_string()))
}

/// A public address and the setting it comes from.
#[derive(Clone, Debug)]
pub struct Place {
    /// Without a slash at the end.
    pub url: String,
    /// The setting's variable.
    pub setting: &'static str,
    /// Whether the assistant connection server is there.
    pub is_mcp: bool,
}

impl Place {
    /// The addresses of a configuration: two when the assistant connection server has its own.
    #[must_use]
    pub fn all(config: &Config) -> Vec<Self> {
        let base = config.base_url.as_str();
        let own = config.mcp_url.as_ref().map(|url| url.as_str().to_owned()).filter(|url| url != base);
        let is_mcp = own.is_none();
        let mut places = vec![Self { url: base.to_owned(), setting: "SWITCHBOARD_BASE_URL", is_mcp }];
        places.extend(own.map(|url| Self { url, setting: "SWITCHBOARD_MCP_URL", is_mcp: true }));
        places
    }

    /// A path at this address.
    #[must_use]
    pub fn at(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }
}
