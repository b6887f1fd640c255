//! `switchboard health`: reports by its exit code whether a server is ready, for the health checks of containers and
//! scripts.

use std::time::Duration;

use clap::Args;

use super::{
    answer::Answer,
    client::{ServerArgs, is_loopback},
    dev::reachable,
    failure::{Failure, Result},
    settings::SettingArgs,
    web::{HttpResponse, Web, WebOptions},
};
use crate::{config::ClientEnv, platform::clock::Clock};

/// Check whether a server is ready
///
/// Asks `/readyz` at --url or `SWITCHBOARD_URL`; if neither is given, at the address of the configured server on this
/// machine. The exit code is 0 when the server is ready, 8 when the server is not ready, and 3 when no health response
/// arrives. `switchboard doctor` looks for the cause.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  switchboard health
  switchboard health --live --config /etc/switchboard.toml
  switchboard health --url https://chat.example.com --timeout 3")]
pub struct HealthArgs {
    /// Ask `/healthz` instead: whether the process answers, whatever the state of its database
    #[arg(long)]
    live: bool,
    /// Seconds to wait for the answer
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=600))]
    timeout: u64,
    #[command(flatten)]
    settings: SettingArgs,
}

/// Requests the state of the server, and returns the response if the server is ready; with `--live`, if the process
/// responds.
///
/// # Errors
/// - [`Failure::Usage`] for invalid arguments or configuration.
/// - [`Failure::Unreachable`] if there is no response in time, or if the response is not a health response.
/// - [`Failure::Unhealthy`] if the server is not ready.
pub async fn run(args: HealthArgs, server: &ServerArgs) -> Result<Answer> {
    let env = ClientEnv::from_process().map_err(|error| Failure::Usage(error.to_string()))?;
    let url = match server.url.clone().or(env.url) {
        Some(url) => url.trim_end_matches('/').to_owned(),
        None => local(&args.settings)?,
    };
    let parsed = url::Url::parse(&url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let parsed = parsed.ok_or_else(|| {
        Failure::Usage(format!(
            "the server URL (--url or SWITCHBOARD_URL) must be a valid URL with http:// or https:// and a host, not \
             {url:?}"
        ))
    })?;
    let patience = Duration::from_secs(args.timeout);
    // longer than `patience`, so that the timeout below always comes first: the error of that timeout names the URL
    let timeout = Some(patience + Duration::from_secs(1));
    let options = WebOptions { env_proxy: !is_loopback(&parsed), timeout, ..WebOptions::default() };
    let web = Web::new(&options, Clock::system())?;
    let path = if args.live { "/healthz" } else { "/readyz" };
    let Ok(got) = tokio::time::timeout(patience, web.get(&format!("{url}{path}"))).await else {
        return Err(Failure::Unreachable(format!("{url} did not answer within {} s", args.timeout)));
    };
    answer_of(&url, &got?)
}

/// Returns the URL at which the configured server can be reached from this machine.
fn local(settings: &SettingArgs) -> Result<String> {
    let listen = settings.load()?.config.listen;
    if listen.port() == 0 {
        return Err(Failure::Usage(
            "`listen` has port 0, so the operating system chooses the port: give the server's URL with --url"
                .to_owned(),
        ));
    }
    Ok(format!("http://{}", reachable(listen)))
}

fn answer_of(url: &str, got: &HttpResponse) -> Result<Answer> {
    // an error response, such as 429 for too many connections, says nothing about the state of the server
    let body = got.json().filter(|body| match body["ok"].as_bool() {
        Some(true) => got.status == 200,
        Some(false) => body["parts"].is_object(),
        None => false,
    });
    let Some(body) = body else {
        let status = got.status;
        return Err(Failure::Unreachable(format!(
            "{url} returned {status}, which is not a health response of Switchboard"
        )));
    };
    if body["ok"] == true {
        let state = if body["parts"].is_object() { "ready" } else { "alive" };
        return Ok(Answer::new(body, format!("{url} is {state}.")));
    }
    let parts = body["parts"].as_object().into_iter().flatten();
    let failed = parts.filter(|(_, state)| *state != "ok");
    let failed: Vec<_> =
        failed.map(|(name, state)| format!("{name} {}", state.as_str().unwrap_or_default())).collect();
    Err(Failure::Unhealthy(format!("{url} is not ready: {}", failed.join(", "))))
}
