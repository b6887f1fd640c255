//! Runs the steps of `switchboard connect`, with a new client or with the client that an earlier run saved.

use std::{
    collections::BTreeSet,
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use super::{
    ConnectArgs,
    authorization::PendingAuthorization,
    discovery,
    headless::{self, ApprovingEmployee},
    loopback::Loopback,
    mcp::{self, McpClient},
    registration::{self, SavedClient},
    report::ConnectReport,
    saved::{self, SavedConnection},
    tokens::{self, Tokens},
};
use crate::{
    cli::{
        failure::{Failure, Result},
        sandbox,
        web::{Web, cut},
    },
    platform::{rng::Rng, secrets::Secret},
};

/// A saved access token counts as expired if it expires within this number of seconds, because it must stay valid
/// during the run.
const MARGIN: i64 = 30;
/// The tool that is called if no tool is given. It returns the connected employee.
const WHO_AM_I: &str = "whoami";

/// One run of `switchboard connect`.
pub(super) struct Run<'a> {
    args: ConnectArgs,
    mcp: String,
    web: Web,
    report: &'a mut ConnectReport,
    calls: Vec<(String, Value)>,
    /// The completed calls with their results, in the order of `calls`.
    answers: Vec<Value>,
    /// The tools that returned an error.
    failed: Vec<String>,
    employee: Option<ApprovingEmployee>,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        args: ConnectArgs,
        mcp: String,
        web: Web,
        report: &'a mut ConnectReport,
    ) -> Result<Self> {
        let calls = args.tool_calls()?;
        let employee = match &args.sign_in {
            None => None,
            Some(email) => Some(ApprovingEmployee {
                email: email.clone(),
                password: password(&args, &mcp)?,
                workspace: args.workspace.clone(),
            }),
        };
        report.set("mcp", json!(mcp));
        Ok(Self { args, mcp, web, report, calls, answers: Vec::new(), failed: Vec::new(), employee })
    }

    pub(super) async fn run(mut self, kept: Option<SavedConnection>) -> Result<()> {
        let is_saved = kept.is_some();
        let (mut kept, mut tokens) = match kept {
            Some(kept) => self.resume(kept).await?,
            None => self.begin().await?,
        };
        if !self.args.login_only {
            match self.use_mcp(&tokens.access_token).await {
                // possible causes: the saved token was revoked, or another run has refreshed it
                Err(failure) if is_saved && failure.is_refused_with("invalid_token") => {
                    self.report.warn("the saved access token is rejected")?;
                    (kept, tokens) = self.renew(kept, tokens).await?;
                    self.use_mcp(&tokens.access_token).await?;
                }
                outcome => outcome?,
            }
        }
        if self.args.refresh {
            tokens = self.refresh(&mut kept, &tokens).await?;
        }
        if self.args.revoke {
            self.revoke(&mut kept, &tokens).await?;
        }
        if let Some(file) = &self.args.save {
            self.report.note(&format!("saved in {}", file.display()))?;
        }
        match self.failed.as_slice() {
            [] => Ok(()),
            names => {
                // the report must name `call` as the failed step, even if later steps have succeeded
                self.report.at("call");
                Err(Failure::Refused {
                    code: "tool_error".to_owned(),
                    message: format!("tools returned an error: {}", names.join(", ")),
                    request_id: String::new(),
                })
            }
        }
    }

    /// Discovers the authorization server, obtains a client, and signs in.
    async fn begin(&mut self) -> Result<(SavedConnection, Tokens)> {
        let found = discovery::discover(&self.web, &self.mcp, self.report).await?;
        let scope = self.args.scope.clone().or(found.scope);
        let (client, loopback) = match &self.args.cimd {
            Some(url) => {
                let client = registration::document(&self.web, &found.server, url, self.report).await?;
                let loopback = self.listen(&client).await?;
                (client, loopback)
            }
            None => {
                let loopback = Loopback::bind("127.0.0.1", registration::PATH, self.args.port).await?;
                let (name, auth) = (&self.args.client_name, self.args.auth.unwrap_or_default());
                let uri = loopback.redirect_uri();
                let client =
                    registration::register(&self.web, &found.server, name, auth, &uri, self.report).await?;
                (client, loopback)
            }
        };
        let mut kept =
            SavedConnection { mcp: self.mcp.clone(), server: found.server, scope, client, tokens: None };
        self.keep(&kept)?;
        let tokens = self.sign_in(&mut kept, &loopback).await?;
        Ok((kept, tokens))
    }

    /// Continues with the client and tokens of an earlier run. Obtains new tokens in three cases: no tokens are saved,
    /// the access token has expired or expires within [`MARGIN`] seconds, or the arguments name other scopes than the
    /// earlier run requested.
    async fn resume(&mut self, mut kept: SavedConnection) -> Result<(SavedConnection, Tokens)> {
        self.report.at("saved");
        let saved_scope = kept.scope.as_deref().unwrap_or_default();
        let other_scope = self.args.scope.clone().filter(|scope| !is_same_scope(scope, saved_scope));
        let has_other_scope = other_scope.is_some();
        kept.scope = other_scope.or(kept.scope);
        let Some(tokens) = kept.tokens.clone().filter(|_| !has_other_scope) else {
            let without = match kept.tokens {
                Some(_) => "whose tokens are for other scopes",
                None => "without tokens",
            };
            let said = format!("the client {}, {without}", kept.client.client_id);
            self.report.done(&said, json!({"client_id": kept.client.client_id}))?;
            return self.reconnect(kept).await;
        };
        let now = self.web.clock().now().seconds();
        let left = tokens.expires_at.map(|end| end.saturating_sub(now));
        if left.is_none_or(|left| left > MARGIN) {
            let said =
                format!("the client {} and an access token that has not expired", kept.client.client_id);
            let details = json!({"client_id": kept.client.client_id, "expires_in": left});
            self.report.done(&said, details)?;
            return Ok((kept, tokens));
        }
        let said = format!(
            "the client {}, whose access token has expired or is about to expire",
            kept.client.client_id
        );
        self.report.done(&said, json!({"client_id": kept.client.client_id, "expires_in": left}))?;
        self.renew(kept, tokens).await
    }

    /// Obtains new tokens with the refresh token. If there is no refresh token, or if the server rejects it, signs in
    /// again.
    async fn renew(
        &mut self,
        mut kept: SavedConnection,
        tokens: Tokens,
    ) -> Result<(SavedConnection, Tokens)> {
        let Some(refresh) = &tokens.refresh_token else { return self.reconnect(kept).await };
        self.report.at("refresh");
        match tokens::refresh(&self.web, &kept.server, &kept.client, refresh, &self.mcp).await {
            Ok(fresh) => {
                let fresh = self.store_tokens(&mut kept, fresh, Some(&tokens))?;
                self.report.done("obtained new tokens with the refresh token", describe(&fresh))?;
                Ok((kept, fresh))
            }
            Err(failure) if failure.is_refused_with("invalid_grant") => {
                self.report.warn("the refresh token is rejected; connecting again")?;
                self.reconnect(kept).await
            }
            Err(failure) => Err(failure),
        }
    }

    async fn reconnect(&mut self, mut kept: SavedConnection) -> Result<(SavedConnection, Tokens)> {
        let loopback = self.listen(&kept.client).await?;
        let tokens = self.sign_in(&mut kept, &loopback).await?;
        Ok((kept, tokens))
    }

    async fn listen(&self, client: &SavedClient) -> Result<Loopback> {
        Loopback::bind(&client.redirect_host, &client.redirect_path, self.args.port).await
    }

    /// Waits until the authorization request is approved: by the employee in a browser, or by [`headless`] as the
    /// employee. Then exchanges the code for tokens.
    async fn sign_in(&mut self, kept: &mut SavedConnection, loopback: &Loopback) -> Result<Tokens> {
        self.report.at("authorization");
        let uri = loopback.redirect_uri();
        let scope = kept.scope.as_deref();
        let request =
            PendingAuthorization::new(&kept.server, &kept.client, &uri, &self.mcp, scope, &Rng::os())?;
        let clock = self.web.clock().clone();
        let wait = loopback.wait(&clock, self.args.wait, |answer| {
            request.is_of(answer).then(|| request.code(answer, &kept.server))
        });
        let approved = match &self.employee {
            Some(employee) => {
                let approve = headless::approve(&self.web, &request.url, &uri, employee);
                tokio::try_join!(wait, approve)?.0
            }
            None => {
                self.report
                    .prompt(&format!("Open this URL in a browser, and approve:\n\n{}", request.url))?;
                if self.args.open {
                    open(&request.url)?;
                }
                wait.await?
            }
        };
        let checked = match approved.iss {
            Some(_) => "state and iss of the response are correct",
            None => "state of the response is correct, and the response has no iss",
        };
        let by = if self.employee.is_some() { "approved without a browser" } else { "the employee approved" };
        self.report.done(&format!("{by}; {checked}"), json!({"redirect_uri": uri, "iss": approved.iss}))?;
        self.report.at("token");
        let code = &approved.code;
        let tokens =
            tokens::exchange(&self.web, &kept.server, &kept.client, &request, code, &self.mcp).await?;
        let tokens = self.store_tokens(kept, tokens, None)?;
        let said = format!("exchanged the code and the PKCE verifier for {}", summary(&tokens));
        self.report.done(&said, describe(&tokens))?;
        Ok(tokens)
    }

    /// Stores new tokens in `kept`, and with `--save` in the file. If the new tokens come from a refresh, `before` has
    /// the old tokens. If `tokens` has no refresh token, the refresh token of `before` stays valid (OAuth 2.1 §4.3.2).
    /// If `tokens` has no scope, the scope is that of `before`, or else the requested scope.
    fn store_tokens(
        &self,
        kept: &mut SavedConnection,
        mut tokens: Tokens,
        before: Option<&Tokens>,
    ) -> Result<Tokens> {
        tokens.scope =
            tokens.scope.or_else(|| before.and_then(|b| b.scope.clone()).or_else(|| kept.scope.clone()));
        tokens.refresh_token = tokens.refresh_token.or_else(|| before.and_then(|b| b.refresh_token.clone()));
        kept.tokens = Some(tokens.clone());
        self.keep(kept)?;
        Ok(tokens)
    }

    fn keep(&self, kept: &SavedConnection) -> Result<()> {
        self.args.save.as_ref().map_or(Ok(()), |file| saved::write(file, kept))
    }

    /// Connects to the MCP endpoint, lists the tools, makes the given calls in order, and ends the session. Without
    /// given calls, calls `whoami` if the server has this tool. A second run of this method does not repeat completed
    /// calls, because a call can write.
    async fn use_mcp(&mut self, token: &str) -> Result<()> {
        let version = self.args.protocol;
        self.report.at(if version == super::Protocol::Modern { "discover" } else { "initialize" });
        let (web, mcp) = (self.web.clone(), self.mcp.clone());
        let (mut client, handshake) = McpClient::begin(&web, &mcp, token, version).await?;
        let name = handshake.server["name"].as_str().unwrap_or("the server");
        let session =
            handshake.session.as_ref().map(|id| format!(", session {}", cut(id))).unwrap_or_default();
        self.report.done(
            &format!("{name} supports {}{session}", handshake.versions.join(", ")),
            json!({"versions": handshake.versions, "server": handshake.server, "session": handshake.session.is_some()}),
        )?;
        self.report.at("tools");
        let tools = client.tools().await?;
        self.report.done(&format!("{} tools", tools.len()), json!({"count": tools.len()}))?;
        for tool in &tools {
            let about = tool["description"].as_str().unwrap_or_default();
            let line = about.lines().next().unwrap_or_default();
            self.report.note(&format!("{:<20} {line}", tool["name"].as_str().unwrap_or_default()))?;
        }
        let has_whoami = tools.iter().any(|tool| tool["name"] == WHO_AM_I);
        self.report.set("tools", Value::Array(tools));
        if self.calls.is_empty() && has_whoami {
            self.calls.push((WHO_AM_I.to_owned(), json!({})));
        }
        for (name, arguments) in self.calls.iter().skip(self.answers.len()) {
            self.report.at("call");
            let answer = client.call_tool(name, arguments).await?;
            let is_error = answer["isError"] == true;
            let said = if is_error {
                format!("{name} returned an error")
            } else {
                format!("{name} returned a result")
            };
            self.report.done(&said, json!({"tool": name, "is_error": is_error}))?;
            self.report.note(&mcp::text_of(&answer))?;
            self.answers.push(json!({"tool": name, "arguments": arguments, "result": answer}));
            self.failed.extend(is_error.then(|| name.clone()));
        }
        self.report.set("calls", Value::Array(self.answers.clone()));
        self.report.at("end");
        if client.end().await? {
            self.report.done("the session has ended", json!({}))?;
        }
        Ok(())
    }

    /// Refreshes the tokens. Without `--login-only`, also checks that the server rejects the old access token.
    ///
    /// # Errors
    /// If there is no refresh token, if the refresh fails or returns the same access token, or if
    /// [`Run::check_rejected`] fails.
    async fn refresh(&mut self, kept: &mut SavedConnection, old: &Tokens) -> Result<Tokens> {
        self.report.at("refresh");
        let token = old
            .refresh_token
            .as_ref()
            .ok_or_else(|| Failure::Local("the server issued no refresh token".to_owned()))?;
        let fresh = tokens::refresh(&self.web, &kept.server, &kept.client, token, &self.mcp).await?;
        let rotated = fresh.refresh_token.as_ref().is_some_and(|fresh| fresh != token);
        // Stored before the new access token is checked. If the check fails, the file must already have the new refresh
        // token, because the old one can be spent.
        let fresh = self.store_tokens(kept, fresh, Some(old))?;
        if fresh.access_token == old.access_token {
            return Err(Failure::Local("the refresh returned the same access token".to_owned()));
        }
        let said = match rotated {
            true => "a new access token, and a new refresh token in place of the spent one",
            false => "a new access token",
        };
        self.report.done(said, json!({"rotated": rotated, "tokens": describe(&fresh)}))?;
        if !rotated && kept.client.client_secret.is_none() {
            self.report
                .warn("the refresh token of a public client was not rotated (OAuth 2.1 §4.3.1: rotate it)")?;
        }
        if !self.args.login_only {
            self.check_rejected(&old.access_token, "the old access token").await?;
        }
        Ok(fresh)
    }

    async fn revoke(&mut self, kept: &mut SavedConnection, tokens: &Tokens) -> Result<()> {
        self.report.at("revoke");
        let token = tokens.refresh_token.as_ref().unwrap_or(&tokens.access_token);
        tokens::revoke(&self.web, &kept.server, &kept.client, token).await?;
        kept.tokens = None;
        self.keep(kept)?;
        self.report.done("the connection is revoked", json!({}))?;
        if !self.args.login_only {
            self.check_rejected(&tokens.access_token, "the revoked access token").await?;
        }
        Ok(())
    }

    /// Uses MCP with an access token that was replaced or revoked. Reports that the server rejects the token, or warns
    /// that the server still accepts it.
    async fn check_rejected(&mut self, token: &str, what: &str) -> Result<()> {
        let (web, mcp) = (self.web.clone(), self.mcp.clone());
        match McpClient::begin(&web, &mcp, token, self.args.protocol).await {
            Err(failure) if failure.is_refused_with("invalid_token") => {
                self.report.note(&format!("{what} is rejected: invalid_token"))
            }
            Ok(_) => {
                let text = format!("{what} is still accepted");
                self.report.warn(&text)
            }
            Err(failure) => Err(failure),
        }
    }
}

/// Returns the employee's password, from the given file or from the sandbox in the current folder.
fn password(args: &ConnectArgs, mcp: &str) -> Result<Secret> {
    if let Some(file) = &args.password_file {
        let text = std::fs::read_to_string(file).map_err(|error| Failure::file("read", file, &error))?;
        return Ok(Secret::new(text.trim_end_matches(['\r', '\n'])));
    }
    // only for the sandbox's own URL: another server's pages must not receive the sandbox's password
    let sandbox = sandbox::password_here().filter(|(url, _)| mcp.starts_with(&format!("{url}/")));
    sandbox.map(|(_, password)| password).ok_or_else(|| {
        Failure::Usage(
            "--sign-in needs --password-file, except for the sandbox in the current folder".to_owned(),
        )
    })
}

/// Returns whether two texts name the same scopes, in any order (RFC 6749 §3.3).
fn is_same_scope(one: &str, other: &str) -> bool {
    let scopes = [one, other].map(|text| text.split_whitespace().collect::<BTreeSet<_>>());
    scopes[0] == scopes[1]
}

/// Returns a description of tokens for the report: the access token is shortened, and the refresh token is left out.
fn describe(tokens: &Tokens) -> Value {
    json!({
        "access_token": cut(&tokens.access_token),
        "has_refresh_token": tokens.refresh_token.is_some(),
        "scope": tokens.scope,
        "expires_at": tokens.expires_at,
    })
}

fn summary(tokens: &Tokens) -> String {
    let scope = tokens.scope.as_ref().map(|scope| format!(" ({scope})")).unwrap_or_default();
    let refresh = if tokens.refresh_token.is_some() { " and a refresh token" } else { "" };
    format!("an access token{scope}{refresh}")
}

/// Opens a URL in this machine's browser.
fn open(url: &str) -> Result<()> {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let started = Command::new(program)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    started.map(drop).map_err(|error| {
        Failure::Local(format!("cannot open a browser with {program}: {error}; open the URL yourself"))
    })
}
