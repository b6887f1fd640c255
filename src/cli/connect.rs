//! `switchboard connect`: a client of assistants for developers and operators. It does, step by step and aloud, what an
//! assistant does: finds out how to sign in, becomes a client, has an employee agree, and speaks MCP.
//!
//! - [`discovery`]: from the MCP endpoint to the authorization server (RFC 9728, RFC 8414); [`challenge`] reads headers.
//! - [`registration`]: a client by registration (RFC 7591) or by metadata document.
//! - [`authorization`]: PKCE, the request, the answer; [`loopback`] hears it; [`headless`] agrees without a browser.
//! - [`tokens`]: exchange, refresh, revocation. [`mcp`]: the protocol in its three versions.
//! - [`kept`]: what a later run goes on with. [`story`]: what is told.
//!
//! It works against any MCP server; only [`headless`] knows Switchboard's pages. It is strict: what an assistant must
//! refuse, it refuses, and says which rule was broken.

pub mod authorization;
pub mod challenge;
pub mod discovery;
pub mod headless;
pub mod kept;
pub mod loopback;
pub mod mcp;
pub mod registration;
pub mod story;
pub mod tokens;
mod walk;

use std::{path::PathBuf, time::Duration};

use clap::Args;
use serde_json::{Value, json};

use self::{mcp::Protocol, registration::AuthMethod, story::Story};
use super::{
    dev::folder,
    failure::{Failure, Result},
    logging::start_logs,
    values::span,
    web::{Web, WebOptions},
};
use crate::platform::{clock::Clock, logs::LogFormat};

/// Try an MCP server as an assistant would: sign in by OAuth, list the tools, call them
///
/// Shows each step: the challenge, the metadata, the registration (or a client's metadata document), the address to open
/// in a browser, the tokens, the MCP conversation. Whatever a careful assistant would refuse ends it with the rule that
/// was broken. In a folder with the sandbox of `switchboard dev` it needs no arguments. With --save a later run goes on
/// with the same client and tokens, without the browser. docs/connect.md is a tutorial.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  switchboard connect
  switchboard connect --mcp https://chat.example.com/mcp --open --save connection.json
  switchboard connect --save connection.json --call list_people --args '{\"limit\": 5}'
  switchboard connect --mcp https://chat.example.com/mcp --readonly --version 2025-11-25 --trace
  switchboard connect --sign-in ada@example.com --password-file password --refresh --revoke --json")]
pub struct ConnectArgs {
    /// The MCP endpoint, https://host/mcp; the sandbox's or the saved one if left out
    #[arg(long, value_name = "URL")]
    pub mcp: Option<String>,
    /// Ask for the endpoint with the read tools alone, /mcp/readonly
    #[arg(long)]
    pub readonly: bool,
    /// Register as a new client (dynamic client registration), which is the default
    #[arg(long, conflicts_with = "cimd")]
    pub dcr: bool,
    /// Be the client of this metadata document, whose redirect URIs must include one on the loopback
    #[arg(long, value_name = "URL")]
    pub cimd: Option<String>,
    /// How a registered client proves who it is
    #[arg(long, value_enum, default_value_t = AuthMethod::None, conflicts_with = "cimd")]
    pub auth: AuthMethod,
    /// The name that the consent page shows of a registered client
    #[arg(long, value_name = "NAME", default_value = "Connection Tester")]
    pub client_name: String,
    /// What to ask for, with spaces between; what the challenge names if left out
    #[arg(long, value_name = "SCOPES")]
    pub scope: Option<String>,
    /// Open the address in this machine's browser
    #[arg(long, conflicts_with = "sign_in")]
    pub open: bool,
    /// How long to wait for the browser
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = span)]
    pub wait: Duration,
    /// The port of the loopback that the browser is sent back to; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub port: u16,
    /// Agree as this employee without a browser. Works with Switchboard's pages only, for sandboxes and tests
    #[arg(long, value_name = "EMAIL")]
    pub sign_in: Option<String>,
    /// A file with the employee's password; the sandbox's own is known without
    #[arg(long, value_name = "FILE", requires = "sign_in")]
    pub password_file: Option<PathBuf>,
    /// The company to agree for, when the employee is in several
    #[arg(long, value_name = "COMPANY", requires = "sign_in")]
    pub workspace: Option<String>,
    /// The version of MCP to speak
    #[arg(long = "version", value_name = "VERSION", value_enum, default_value_t = Protocol::Modern)]
    pub protocol: Protocol,
    /// Call this tool; once for each. `whoami` if left out, where there is one
    #[arg(long = "call", value_name = "TOOL")]
    pub calls: Vec<String>,
    /// What to call it with, a JSON object; the first belongs to the first --call, and so on
    #[arg(long = "args", value_name = "JSON", requires = "calls", value_parser = object)]
    pub arguments: Vec<Value>,
    /// End when there are tokens, without speaking MCP
    #[arg(long, conflicts_with = "calls")]
    pub login_only: bool,
    /// Refresh the tokens at the end, and see that the old access token has ended
    #[arg(long)]
    pub refresh: bool,
    /// Revoke the connection at the end, and see that it has ended
    #[arg(long)]
    pub revoke: bool,
    /// Keep client and tokens in this file, for you alone, and go on with what an earlier run kept there
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Start over, whatever the file holds
    #[arg(long, requires = "save")]
    pub fresh: bool,
    /// Show every request and answer on standard error, with the secrets cut
    #[arg(long)]
    pub trace: bool,
    /// A PEM file of certificate authorities to trust besides the system's
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
    /// The tools to call, each with what to call it with.
    fn tool_calls(&self) -> Result<Vec<(String, Value)>> {
        if self.arguments.len() > self.calls.len() {
            return Err(Failure::Usage("there are more --args than --call".to_owned()));
        }
        let arguments = self.arguments.iter().cloned().chain(std::iter::repeat(json!({})));
        Ok(self.calls.iter().cloned().zip(arguments).collect())
    }
}

/// Connects and tells. `json`: one document at the end, and the address to open on standard error.
///
/// # Errors
/// The step that failed; what is wrong with the arguments.
pub async fn run(args: ConnectArgs, json: bool) -> Result<()> {
    start_logs(LogFormat::Text, tracing::Level::ERROR)?;
    let mut story = Story::new(json);
    let walked = Box::pin(begin(args, &mut story)).await;
    story.end(walked.as_ref().err())?;
    walked
}

async fn begin(args: ConnectArgs, story: &mut Story) -> Result<()> {
    let kept = match &args.save {
        Some(file) if !args.fresh => kept::read(file)?,
        _ => None,
    };
    let sandbox = folder::sandbox_here().map(|(url, _)| url);
    let saved = kept.as_ref().map(|kept| kept.mcp.clone());
    let mcp = endpoint(&args, saved.as_deref(), sandbox.as_deref())?;
    if saved.as_ref().is_some_and(|saved| *saved != mcp) {
        return Err(Failure::Usage(format!(
            "the saved connection is one to {}: name another file with --save, or start over with --fresh",
            saved.unwrap_or_default()
        )));
    }
    let ca = args.ca_file.as_ref();
    let extra_ca = ca.map(|file| std::fs::read(file).map_err(|error| Failure::file("read", file, &error)));
    let is_local = url::Url::parse(&mcp).is_ok_and(|url| super::client::is_loopback(&url));
    let options = WebOptions { extra_ca: extra_ca.transpose()?, env_proxy: !is_local, trace: args.trace };
    let web = Web::new(&options, Clock::system())?;
    walk::Walk::new(args, mcp, web, story)?.run(kept).await
}

/// The endpoint that is meant: an address without a path is a server's, whose endpoint is `/mcp`.
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
    let url =
        url.ok_or_else(|| Failure::Usage(format!("--mcp must begin http:// or https://, not {text:?}")))?;
    let mut text = text.trim_end_matches('/').to_owned();
    if url.path() == "/" {
        text.push_str("/mcp");
    }
    // also of a saved one: that is another endpoint then, and its tokens must not be used for it
    if args.readonly && !text.ends_with("/readonly") {
        text.push_str("/readonly");
    }
    Ok(text)
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
    fn the_endpoint_that_is_meant() {
        for (line, saved, expected) in [
            ("--mcp http://h:1", None, "http://h:1/mcp"),
            ("--mcp http://h:1/", None, "http://h:1/mcp"),
            ("--mcp http://h:1/mcp", None, "http://h:1/mcp"),
            ("--mcp http://h:1/other/", None, "http://h:1/other"),
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
        assert!(matches!(endpoint(&args("--mcp host/mcp"), None, None), Err(Failure::Usage(_))));
    }

    #[test]
    fn arguments_go_with_calls_in_order() {
        let calls = args(r#"--call a --args {"x":1} --call b"#).tool_calls().unwrap();
        assert_eq!(calls[0], ("a".to_owned(), serde_json::json!({"x": 1})));
        assert_eq!(calls[1], ("b".to_owned(), serde_json::json!({})));
        assert!(args("--call a --args {} --args {}").tool_calls().is_err());
        assert!(Only::try_parse_from(["connect", "--call", "a", "--args", "[]"]).is_err());
    }
}
