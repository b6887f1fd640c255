//! `switchboard doctor`: checks a deployment step by step, from the configuration to the callbacks of apps. For each
//! problem, the command names the setting and a remedy if possible.
//!
//! - [`finding`]: results of checks and their output.
//! - [`settings`], [`storage`], [`secrets`], [`files`]: checks of the configuration, the database and the file storage.
//!   [`ownership`]: whether the user who runs the command may open the database and the file storage.
//! - [`public`], [`readiness`], [`time`]: checks whether the server can be reached, whether it is ready, and whether
//!   its clock agrees with this machine's.
//! - [`documents`], [`proxy`], [`streaming`], [`bodies`]: checks of the proxies in front of the server.
//! - [`callbacks`]: checks of outgoing events.
//!
//! The command deletes everything that it writes to the database and the file storage, so it can run beside a server.
//! If a server has locked a SQLite database, the command does not open the database. The server's readiness then shows
//! whether the database works.

pub mod bodies;
pub mod callbacks;
pub mod documents;
pub mod files;
pub mod finding;
pub mod ownership;
pub mod proxy;
pub mod public;
pub mod readiness;
pub mod secrets;
pub mod settings;
pub mod storage;
pub mod streaming;
pub mod time;

use std::path::PathBuf;

use clap::Args;

use self::finding::{DoctorReport, Finding};
use super::{
    answer::Answer,
    client::ServerArgs,
    failure::{Failure, Result},
    listen,
    logging::start_logs,
    settings::SettingArgs,
    web::{Web, WebOptions},
};
use crate::{
    config::{ClientEnv, Config},
    platform::{clock::Clock, logs::LogFormat, secrets::Secret},
};

/// Check a deployment step by step, and name a setting and a remedy for each problem
///
/// Run the command on the server's machine, as the server's user, with the configuration of `serve`. It checks the
/// configuration, the database, the file storage, the public URLs (DNS, TLS, certificates), the clocks, and connections
/// to the apps' callbacks. To check what a proxy does to requests and responses, it sends requests to a running server
/// through its public URL. With the operator key (`SWITCHBOARD_OPERATOR_KEY`) it also checks which parts of a request
/// arrive, and whether event streams work. It writes a test row to the database and a test file to the storage, and
/// deletes both. With --send, the callbacks get test events. docs/operations.md describes each check. Exit code 8: a
/// check failed.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  switchboard doctor --config /etc/switchboard.toml
  switchboard doctor --offline
  switchboard doctor --callback https://bot.example.com/events --send --json")]
pub struct DoctorArgs {
    /// Also check this callback URL; repeatable. With the operator key, the callback URLs of all enabled apps are
    /// checked
    #[arg(long = "callback", value_name = "URL")]
    callbacks: Vec<String>,
    /// Send a signed test event to the callbacks instead of only connecting. Correct receivers ignore or reject it
    #[arg(long)]
    send: bool,
    /// A file with signing secrets, one per line, for --send; repeatable. The secrets in `SWITCHBOARD_SIGNING_SECRET`,
    /// separated by commas, are used too
    #[arg(long = "secret-file", value_name = "FILE", requires = "send")]
    secret_files: Vec<PathBuf>,
    /// Make no requests: check the configuration, the database and the file storage only
    #[arg(long, conflicts_with_all = ["callbacks", "send"])]
    offline: bool,
    #[command(flatten)]
    settings: SettingArgs,
}

/// The input of the checks.
pub struct DoctorContext {
    /// The configuration that the server would start with.
    pub config: Config,
    /// The operator key, if it is given.
    pub key: Option<Secret>,
    /// Callback URLs to check in addition to the callback URLs of the apps.
    pub callbacks: Vec<String>,
    /// The signing secrets for test events; the list may be empty. `None` if the command sends no test events and only
    /// connects to the callbacks.
    pub send: Option<Vec<Secret>>,
    /// Whether the command makes no requests, and checks only the configuration, the database and the file storage.
    pub offline: bool,
    /// The machine's clock.
    pub clock: Clock,
}

/// Runs all checks, prints the findings, and fails if a check failed.
///
/// # Errors
/// - [`Failure::Usage`] for invalid variables of the environment.
/// - [`Failure::Local`] for a file of signing secrets that cannot be read or contains no secret.
/// - [`Failure::Unhealthy`] if a check failed.
pub async fn run(args: DoctorArgs, server: &ServerArgs, json: bool) -> Result<()> {
    start_logs(LogFormat::Text, tracing::Level::ERROR)?;
    let env = ClientEnv::from_process().map_err(|error| Failure::Usage(error.to_string()))?;
    let report = match args.settings.read() {
        Err(errors) => DoctorReport::of(settings::unusable(&errors)),
        Ok(loaded) => {
            let mut signing = env.signing_secrets.clone();
            for file in &args.secret_files {
                signing.extend(listen::secrets::read_file(file)?);
            }
            examine(DoctorContext {
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

/// Runs the checks in order of their dependencies. If a public URL does not lead to a server that is ready, the
/// remaining checks of this URL are skipped.
pub async fn examine(context: DoctorContext) -> DoctorReport {
    let mut report = DoctorReport::default();
    report.add(settings::check(&context));
    let stored = storage::check(&context).await;
    // `configured` warns that secrets are in plain text. This would be false for secrets that were encrypted with a key
    // that is not configured.
    if !stored.iter().any(secrets::is_failure) {
        report.add(secrets::configured(&context));
    }
    report.add(stored);
    report.add(files::check(&context).await);
    if context.offline {
        return report;
    }
    match web(&context) {
        Ok(web) => check_public_urls(&context, &web, &mut report).await,
        Err(finding) => report.add([finding]),
    }
    report.add(callbacks::check(&context).await);
    report
}

async fn check_public_urls(context: &DoctorContext, web: &Web, report: &mut DoctorReport) {
    report.add(readiness::local(context, web).await);
    report.add(public::check(context).await);
    for public_url in PublicUrl::all(&context.config) {
        let findings = readiness::public(web, &public_url).await;
        let is_reachable = findings.iter().all(|finding| !finding.is_failure());
        report.add(findings);
        if !is_reachable {
            let why =
                format!("{} does not lead to a server that is ready: correct that first", public_url.url);
            report.add([Finding::skipped("proxy", &why)]);
            continue;
        }
        report.add(time::public(web, &public_url).await);
        if public_url.is_mcp {
            report.add(documents::check(web, &public_url).await);
        }
        report.add(proxy::check(context, web, &public_url).await);
        report.add(bodies::check(web, &public_url).await);
        report.add(streaming::check(context, web, &public_url).await);
    }
}

fn web(context: &DoctorContext) -> std::result::Result<Web, Finding> {
    let extra_ca = context.config.extra_ca_file.as_ref().map(std::fs::read).transpose();
    let failed = |why: String| {
        Finding::failure("configuration", why)
            .of("SWITCHBOARD_EXTRA_CA_FILE")
            .remedy("name a PEM file that the server's user can read")
    };
    let extra_ca = extra_ca.map_err(|error| failed(format!("the file cannot be read: {error}")))?;
    let options = WebOptions { extra_ca, ..WebOptions::default() };
    Web::new(&options, context.clock.clone()).map_err(|error| failed(error.to_string()))
}

/// A public URL, with the setting from which it comes.
#[derive(Clone, Debug)]
pub struct PublicUrl {
    /// The URL without a trailing slash.
    pub url: String,
    /// The environment variable of the setting.
    pub setting: &'static str,
    /// Whether the assistant server is at this URL.
    pub is_mcp: bool,
}

impl PublicUrl {
    /// Returns the public URLs of a configuration. There are two if the assistant server has a separate URL.
    #[must_use]
    pub fn all(config: &Config) -> Vec<Self> {
        let base = config.base_url.as_str();
        let separate = config.mcp_url.as_ref().map(|url| url.as_str().to_owned()).filter(|url| url != base);
        let is_mcp = separate.is_none();
        let mut urls = vec![Self { url: base.to_owned(), setting: "SWITCHBOARD_BASE_URL", is_mcp }];
        urls.extend(separate.map(|url| Self { url, setting: "SWITCHBOARD_MCP_URL", is_mcp: true }));
        urls
    }

    /// Returns the URL of a path.
    #[must_use]
    pub fn at(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }
}
