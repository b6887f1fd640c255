//! `switchboard connect`: connects to an MCP server in the same way as an assistant. The command is for developers and
//! operators. It performs and reports each step: discovery, registration, authorization by an employee, and MCP.
//!
//! - [`discovery`]: finds the authorization server of an MCP endpoint (RFC 9728, RFC 8414); [`challenge`] parses
//!   `WWW-Authenticate`.
//! - [`registration`]: registers a client (RFC 7591), or uses the client of a metadata document.
//! - [`authorization`]: creates the authorization request, with PKCE, and checks the response; [`loopback`] receives
//!   the response; [`headless`] approves without a browser.
//! - [`tokens`]: exchanges the code, refreshes and revokes tokens.
//! - [`mcp`]: sends MCP requests, in one of three protocol versions.
//! - `errors`: describes violated rules and error responses of OAuth endpoints.
//! - [`saved`]: keeps the client and the tokens for a later run.
//! - [`report`]: prints the steps and the result.
//!
//! The command works with any MCP server. Only [`headless`] requires Switchboard's pages. If a response violates a rule
//! that an assistant must enforce, the command fails and names the rule.

pub mod authorization;
pub mod challenge;
pub mod discovery;
mod errors;
pub mod headless;
pub mod loopback;
pub mod mcp;
pub mod registration;
pub mod report;
pub mod saved;
mod steps;
pub mod tokens;

use std::{path::PathBuf, time::Duration};

use clap::Args;
use serde_json::{Value, json};

use self::{
    mcp::Protocol,
    registration::{AuthMethod, SavedClient},
    report::ConnectReport,
};
use super::{
    failure::{Failure, Result},
    logging::start_logs,
    sandbox,
    values::span,
    web::{Web, WebOptions},
};
use crate::platform::{clock::Clock, logs::LogFormat};

/// Try an MCP server as an assistant would: sign in by OAuth, list the tools, call them
///
/// Reports each step: the challenge, the metadata, the registration (or a client's metadata document), the
/// URL to open in a browser, the tokens, the MCP requests. Stops at the first response that an assistant must
/// reject, names the violated rule, and warns of other deviations. In a folder with the sandbox of
/// `switchboard dev`, the command needs no arguments. With --save a later run continues with the same client
/// and tokens, without the browser. docs/connect.md is a tutorial.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  switchboard connect
  switchboard connect --mcp https://chat.example.com/mcp --open --save connection.json
  switchboard connect --save connection.json --call list_people --args '{\"limit\": 5}'
  switchboard connect --mcp https://chat.example.com/mcp --readonly --version 2025-11-25 --trace
  switchboard connect --sign-in ada@example.com --password-file password --refresh --revoke --json")]
pub struct ConnectArgs {
    /// The MCP endpoint, https://host/mcp; by default the endpoint of the saved file, otherwise of the sandbox
    #[arg(long, value_name = "URL")]
    pub mcp: Option<String>,
    /// Use the endpoint with read tools only, /mcp/readonly
    #[arg(long)]
    pub readonly: bool,
    /// Register as a new client (dynamic client registration), which is the default
    #[arg(long, conflicts_with = "cimd")]
    pub dcr: bool,
    /// Use the client of this metadata document, whose redirect URIs must include a loopback URI
    #[arg(long, value_name = "URL")]
    pub cimd: Option<String>,
    /// How the new client authenticates at the token endpoint; `none` by default
    #[arg(long, value_enum, conflicts_with = "cimd")]
    pub auth: Option<AuthMethod>,
    /// The name of the new client, shown on the consent page
    #[arg(long, value_name = "NAME", default_value = "Connection Tester")]
    pub client_name: String,
    /// Scopes to request, separated by spaces; by default those of the challenge, otherwise of the metadata
    #[arg(long, value_name = "SCOPES")]
    pub scope: Option<String>,
    /// Open the URL in this machine's browser
    #[arg(long, conflicts_with = "sign_in")]
    pub open: bool,
    /// How long to wait for the browser
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = span)]
    pub wait: Duration,
    /// Port of the loopback redirect URI; 0 chooses a free port
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub port: u16,
    /// Approve as this employee without a browser. Works with Switchboard's pages only, for sandboxes and
    /// tests
    #[arg(long, value_name = "EMAIL")]
    pub sign_in: Option<String>,
    /// A file with the employee's password; not needed for the sandbox
    #[arg(long, value_name = "FILE", requires = "sign_in")]
    pub password_file: Option<PathBuf>,
    /// The company to approve for, if the employee is in several companies
    #[arg(long, value_name = "COMPANY", requires = "sign_in")]
    pub workspace: Option<String>,
    /// The MCP version to use
    #[arg(long = "version", value_name = "VERSION", value_enum, default_value_t = Protocol::Modern)]
    pub protocol: Protocol,
    /// Call this tool; repeatable. By default `whoami`, if the server has it
    #[arg(long = "call", value_name = "TOOL")]
    pub calls: Vec<String>,
    /// Arguments of a call, a JSON object; the first belongs to the first --call, and so on
    #[arg(long = "args", value_name = "JSON", requires = "calls", value_parser = object)]
    pub arguments: Vec<Value>,
    /// Stop after obtaining tokens, without MCP
    #[arg(long, conflicts_with = "calls")]
    pub login_only: bool,
    /// Refresh the tokens at the end, and check that the old access token is rejected
    #[arg(long)]
    pub refresh: bool,
    /// Revoke the connection at the end, and check that its token is rejected
    #[arg(long)]
    pub revoke: bool,
    /// Save client and tokens in this file, readable by you only, and continue from it in later runs
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Start over, ignoring the saved file
    #[arg(long, requires = "save")]
    pub fresh: bool,
    /// Show every request and response on standard error, with secrets shortened
    #[arg(long)]
    pub trace: bool,
    /// A PEM file of certificate authorities to trust in addition to the system's
    #[arg(long, value_name = "FILE")]
    pub ca_file: Option<PathBuf>,
}

fn object(text: &str) -> std::result::Result<Value, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
    if value.is_object() {
        Ok(value)
    } else {
        Err("must be a JSON object, such as '{\"limit\": 5}'".to_owned())
    }
}

impl ConnectArgs {
    /// Returns the tools that the command calls, with their arguments.
    fn tool_calls(&self) -> Result<Vec<(String, Value)>> {
        if self.arguments.len() > self.calls.len() {
            return Err(Failure::Usage("there are more --args than --call".to_owned()));
        }
        let arguments = self.arguments.iter().cloned().chain(std::iter::repeat(json!({})));
        Ok(self.calls.iter().cloned().zip(arguments).collect())
    }
}

/// Runs the command. If `json` is true, prints one JSON document on standard output at the end, and before that the URL
/// for the browser on standard error.
///
/// # Errors
/// [`Failure::Usage`] for invalid arguments; the failure of a step.
pub async fn run(args: ConnectArgs, json: bool) -> Result<()> {
    start_logs(LogFormat::Text, tracing::Level::ERROR)?;
    let mut report = ConnectReport::new(json);
    let result = Box::pin(begin(args, &mut report)).await;
    report.end(result.as_ref().err())?;
    result
}

async fn begin(args: ConnectArgs, report: &mut ConnectReport) -> Result<()> {
    let kept = match &args.save {
        Some(file) if !args.fresh => saved::read(file)?,
        _ => None,
    };
    let sandbox = sandbox::mcp_url_here();
    let saved = kept.as_ref().map(|kept| kept.mcp.clone());
    let mcp = endpoint(&args, saved.as_deref(), sandbox.as_deref())?;
    if saved.as_ref().is_some_and(|saved| *saved != mcp) {
        return Err(Failure::Usage(format!(
            "the saved connection belongs to {}: name another file with --save, or start over with --fresh",
            saved.unwrap_or_default()
        )));
    }
    if let Some(kept) = &kept {
        check_client(&args, &kept.client)?;
    }
    let ca = args.ca_file.as_ref();
    let extra_ca = ca.map(|file| std::fs::read(file).map_err(|error| Failure::file("read", file, &error)));
    let is_local = url::Url::parse(&mcp).is_ok_and(|url| super::client::is_loopback(&url));
    let options = WebOptions {
        extra_ca: extra_ca.transpose()?,
        env_proxy: !is_local,
        trace: args.trace,
        timeout: None,
    };
    let web = Web::new(&options, Clock::system())?;
    steps::Run::new(args, mcp, web, report)?.run(kept).await
}

/// Rejects options that do not fit the saved client, because the command uses the saved client.
fn check_client(args: &ConnectArgs, saved: &SavedClient) -> Result<()> {
    let is_document = saved.client_id.starts_with("https://");
    // the server may have registered another authentication method than the client requested
    let fits = |auth: AuthMethod| auth == saved.auth || Some(auth) == saved.requested_auth;
    let option = if args.cimd.as_ref().is_some_and(|url| *url != saved.client_id) {
        "--cimd"
    } else if args.dcr && is_document {
        "--dcr"
    } else if args.auth.is_some_and(|auth| !fits(auth)) {
        "--auth"
    } else {
        return Ok(());
    };
    Err(Failure::Usage(format!(
        "the saved connection belongs to the client {}, which does not fit {option}: name another file with --save, or \
         start over with --fresh",
        saved.client_id
    )))
}

/// Returns the URL of the endpoint that the command uses, without a slash at the end of its path. If the URL has no
/// path, it gets the path `/mcp`. `--readonly` appends `/readonly`. A query stays unchanged.
fn endpoint(args: &ConnectArgs, saved: Option<&str>, sandbox: Option<&str>) -> Result<String> {
    let given = args.mcp.as_deref();
    let Some(text) = given.or(saved).or(sandbox) else {
        return Err(Failure::Usage(
            "no MCP endpoint: give --mcp URL (or run `switchboard dev` in this folder, for a sandbox)"
                .to_owned(),
        ));
    };
    let url =
        url::Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let url = url.ok_or_else(|| {
        Failure::Usage(format!("the MCP endpoint must be an http or https URL, not {text:?}"))
    })?;
    if url.fragment().is_some() {
        return Err(Failure::Usage(format!(
            "the MCP endpoint must not have a fragment (`#` and what follows): {text:?}"
        )));
    }
    let (address, query) = text.split_at(text.find('?').unwrap_or(text.len()));
    let mut address = address.trim_end_matches('/').to_owned();
    if url.path().trim_end_matches('/').is_empty() {
        address.push_str("/mcp");
    }
    // `/readonly` is also appended to a saved endpoint. If the saved endpoint is `/mcp`, the result differs from the
    // saved endpoint, and `begin` rejects the saved connection.
    if args.readonly && !address.ends_with("/readonly") {
        address.push_str("/readonly");
    }
    Ok(address + query)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Only {
        #[command(flatten)]
        args: ConnectArgs,
    }

    fn args(line: &str) -> ConnectArgs {
        Only::try_parse_from(std::iter::once("connect").chain(line.split_whitespace())).unwrap().args
    }

    #[test]
    fn the_endpoint_is_completed() {
        for (line, saved, expected) in [
            ("--mcp http://h:1", None, "http://h:1/mcp"),
            ("--mcp http://h:1/", None, "http://h:1/mcp"),
            ("--mcp http://h:1//", None, "http://h:1/mcp"),
            ("--mcp http://h:1//?x=1", None, "http://h:1/mcp?x=1"),
            ("--mcp http://h:1/mcp", None, "http://h:1/mcp"),
            ("--mcp http://h:1/other/", None, "http://h:1/other"),
            ("--mcp http://h:1?x=1/2/", None, "http://h:1/mcp?x=1/2/"),
            ("--mcp http://h:1/other/?x=1", None, "http://h:1/other?x=1"),
            ("--mcp http://h:1/mcp?x=1 --readonly", None, "http://h:1/mcp/readonly?x=1"),
            ("--mcp http://h:1/mcp/readonly?x=1 --readonly", None, "http://h:1/mcp/readonly?x=1"),
            ("--mcp http://h:1/mcp --readonly", None, "http://h:1/mcp/readonly"),
            ("--mcp http://h:1/mcp/readonly --readonly", None, "http://h:1/mcp/readonly"),
            ("--readonly", None, "http://sandbox/mcp/readonly"),
            ("--readonly", Some("http://s/mcp"), "http://s/mcp/readonly"),
            ("--readonly", Some("http://s/mcp/readonly"), "http://s/mcp/readonly"),
            ("", Some("http://s/x"), "http://s/x"),
        ] {
            assert_eq!(endpoint(&args(line), saved, Some("http://sandbox")).unwrap(), expected, "{line}");
        }
        assert!(matches!(endpoint(&args(""), None, None), Err(Failure::Usage(_))));
        for refused in ["host/mcp", "http://h:1/mcp#x", "http://h:1/mcp#", "http://h:1/mcp?x=1#y"] {
            let args = args(&format!("--mcp {refused}"));
            assert!(matches!(endpoint(&args, None, None), Err(Failure::Usage(_))), "{refused}");
        }
    }

    #[test]
    fn arguments_belong_to_calls_in_order() {
        let calls = args(r#"--call a --args {"x":1} --call b"#).tool_calls().unwrap();
        assert_eq!(calls[0], ("a".to_owned(), serde_json::json!({"x": 1})));
        assert_eq!(calls[1], ("b".to_owned(), serde_json::json!({})));
        assert!(args("--call a --args {} --args {}").tool_calls().is_err());
        assert!(Only::try_parse_from(["connect", "--call", "a", "--args", "[]"]).is_err());
    }
}
