//! Install requests, which are the authorization requests that open the install page (D-161), and the list of a
//! company's apps.

use super::{Approval, client::FindClient};
use crate::{
    domain::{
        ids::{AppId, InstallationId, UserId, WorkspaceId},
        installation::DisconnectReason,
        pkce, redirect,
        scopes::Scopes,
        time::Timestamp,
        token,
    },
    service::{World, apps::redirect_uris, callers::CompanyAdmin, view},
    store::{
        ReadOp, ReadSql, Result,
        apps::{self, App, InstalledApp},
        op,
    },
};

/// The known parameters of an install request. A repeated known parameter is rejected. Other parameters are ignored.
const PARAMETERS: [&str; 7] = [
    "client_id",
    "redirect_uri",
    "response_type",
    "scope",
    "state",
    "code_challenge",
    "code_challenge_method",
];

/// Maximum number of disconnected installations shown.
const MAX_DISCONNECTED_SHOWN: i64 = 20;
/// Maximum number of connected installations shown. No company is expected to have more.
const MAX_CONNECTED_SHOWN: i64 = 1000;

/// A valid install request, which an admin can approve or deny.
#[derive(Clone, Debug, PartialEq)]
pub struct InstallRequest {
    /// The app.
    pub app_id: AppId,
    /// The name of the app.
    pub app_name: String,
    /// The requested scopes.
    pub scopes: Scopes,
    /// The URI to which the response is sent.
    pub redirect_uri: String,
    /// Whether the request included the redirect URI. If it did, the exchange of the install code must include the URI
    /// too (D-149).
    redirect_given: bool,
    /// The value of `state`, which can be any bytes. The redirect returns the value unchanged.
    pub state: Option<Vec<u8>>,
    challenge: Option<String>,
}

/// Why a request is rejected.
#[derive(Clone, Debug, PartialEq)]
pub enum InstallProblem {
    /// The app or the redirect URI is invalid, so the browser must not be redirected. An error page shows this text.
    Page(&'static str),
    /// The browser is redirected to this URL, which reports the error to the app.
    Redirect(String),
}

view! {
    /// An installation, with the names of its app and of the admin who approved it.
    InstalledAppView of InstalledApp {
        id: InstallationId,
        app_id: AppId,
        bot_user_id: UserId,
        name: String,
        scopes: Scopes,
        /// Why the installation was disconnected.
        reason: Option<DisconnectReason>,
        installed_by: Option<String>,
        created_at: Timestamp,
        disconnected_at: Option<Timestamp>,
    }
}

/// The apps of a company.
#[derive(Clone, Debug)]
pub struct Installed {
    /// At most [`MAX_CONNECTED_SHOWN`] connected installations, newest first.
    pub connected: Vec<InstalledAppView>,
    /// At most [`MAX_DISCONNECTED_SHOWN`] disconnected installations, the most recently disconnected first.
    pub disconnected: Vec<InstalledAppView>,
}

impl InstallRequest {
    /// Returns the arguments with which an admin approves this request.
    #[must_use]
    pub fn approval(&self) -> Approval {
        Approval {
            app: Some(self.app_id),
            acting: None,
            scopes: Some(self.scopes),
            redirect_uri: self.redirect_given.then(|| self.redirect_uri.clone()),
            challenge: self.challenge.clone(),
        }
    }

    /// Returns the URL of the redirect after an admin denied the request (RFC 6749 §4.1.2.1).
    #[must_use]
    pub fn denied(&self) -> String {
        error_url(&self.redirect_uri, "access_denied", self.state.as_deref())
    }

    /// Returns the URL of the redirect after an admin approved the request.
    #[must_use]
    pub fn approved(&self, code: &str) -> String {
        response_url(&self.redirect_uri, ("code", code), self.state.as_deref())
    }
}

fn error_url(redirect_uri: &str, error: &str, state: Option<&[u8]>) -> String {
    response_url(redirect_uri, ("error", error), state)
}

fn response_url(redirect_uri: &str, (name, value): (&str, &str), state: Option<&[u8]>) -> String {
    let mut parameters = vec![(name, value.as_bytes())];
    parameters.extend(state.map(|state| ("state", state)));
    redirect::with_parameters(redirect_uri, &parameters)
}

impl World {
    /// Parses and validates the percent-decoded parameters of `/oauth/authorize`. Their values can be arbitrary bytes.
    /// An empty parameter counts as absent.
    ///
    /// # Errors
    /// Store errors; problems with the request are an [`InstallProblem`].
    pub async fn read_install_request(
        &self,
        query: &[(String, Vec<u8>)],
    ) -> Result<std::result::Result<InstallRequest, InstallProblem>> {
        let client_id = match single(query, "client_id") {
            Ok(Some(id)) if token::parse(id) == Some(token::TokenKind::ClientId) => id,
            Ok(None) => {
                return Ok(error_page("The request does not say which app it is for: client_id is missing."));
            }
            Ok(Some(_)) => return Ok(error_page(UNKNOWN_APP)),
            Err(()) => {
                return Ok(error_page("The request contains client_id more than once."));
            }
        };
        let Some(app) = self.db.read(FindClient(client_id.to_owned())).await? else {
            return Ok(error_page(UNKNOWN_APP));
        };
        if app.disabled_at.is_some() {
            return Ok(error_page("This app has been disabled, so it cannot be installed."));
        }
        let registered = redirect_uris(&app)?;
        Ok(validate(app, &registered, query))
    }
}

impl CompanyAdmin<'_> {
    /// Returns the installations of a company, each with the name of its app.
    ///
    /// # Errors
    /// Store errors.
    pub async fn installed_apps(self) -> Result<Installed> {
        let workspace = self.company_id();
        self.world().db.read(FindInstalled(workspace)).await
    }

    /// Returns up to `limit` connected installations of a company, newest first, each with the name of its app.
    ///
    /// # Errors
    /// Store errors.
    pub async fn newest_installed_apps(self, limit: u32) -> Result<Vec<InstalledAppView>> {
        let op = NewestInstalled { workspace: self.company_id(), limit: i64::from(limit) };
        Ok(self.world().db.read(op).await?.into_iter().map(InstalledAppView::from).collect())
    }
}

const UNKNOWN_APP: &str = "There is no app with this client_id.";

fn error_page(why: &'static str) -> std::result::Result<InstallRequest, InstallProblem> {
    Err(InstallProblem::Page(why))
}

/// Replaces a value that is not UTF-8. The request is then rejected, because no parameter that is read as text may have
/// this value. `state` is read as bytes, so its value is never replaced.
const NOT_UTF8: &str = "\u{fffd}";

/// Returns the value of a parameter as text; `None` if the parameter is absent or empty. Fails if the parameter is
/// repeated.
fn single<'a>(query: &'a [(String, Vec<u8>)], name: &str) -> std::result::Result<Option<&'a str>, ()> {
    Ok(bytes(query, name)?.map(|value| std::str::from_utf8(value).unwrap_or(NOT_UTF8)))
}

/// Returns the value of a parameter; `None` if the parameter is absent or empty. Fails if the parameter is repeated.
fn bytes<'a>(query: &'a [(String, Vec<u8>)], name: &str) -> std::result::Result<Option<&'a [u8]>, ()> {
    let mut values = query.iter().filter(|(found, _)| found == name).map(|(_, value)| value.as_slice());
    let value = values.next().filter(|value| !value.is_empty());
    if values.next().is_some() { Err(()) } else { Ok(value) }
}

/// Validates the parameters other than `client_id`. First checks the redirect URI, then that no known parameter is
/// repeated, then the values. Authorization requests of assistants are checked in the same order.
fn validate(
    app: App,
    registered: &[String],
    query: &[(String, Vec<u8>)],
) -> std::result::Result<InstallRequest, InstallProblem> {
    let (redirect_uri, redirect_given) = match (single(query, "redirect_uri"), registered) {
        (Err(()), _) => return error_page("The request contains redirect_uri more than once."),
        (Ok(Some(given)), _) if registered.iter().any(|known| redirect::is_same(known, given)) => {
            (given, true)
        }
        (Ok(Some(_)), _) => return error_page("The redirect_uri is not one that the app registered."),
        // RFC 6749 §3.1.2.3: `redirect_uri` is optional if the app has registered only one URI
        (Ok(None), [only]) => (only.as_str(), false),
        (Ok(None), _) => {
            return error_page("The request does not say where to go afterwards: redirect_uri is missing.");
        }
    };
    // if `state` is repeated, the redirect contains no `state`, because it could return only one of the values
    let state = bytes(query, "state").unwrap_or_default();
    let fail = |error| Err(InstallProblem::Redirect(error_url(redirect_uri, error, state)));
    if PARAMETERS.iter().any(|name| single(query, name).is_err()) {
        return fail("invalid_request");
    }
    let value = |name| single(query, name).unwrap_or_default();
    if value("response_type").is_some_and(|kind| kind != "code") {
        return fail("unsupported_response_type");
    }
    let challenge = value("code_challenge");
    match (challenge, value("code_challenge_method")) {
        (None, None) => {}
        (Some(challenge), Some("S256")) if pkce::is_challenge(challenge) => {}
        // without `code_challenge_method` the method is `plain` (RFC 7636 §4.3), and only `S256` is accepted
        _ => return fail("invalid_request"),
    }
    let scopes = match value("scope").map(Scopes::parse) {
        None => app.scopes,
        Some(Some(scopes)) if app.scopes.contains_all(scopes) => scopes,
        Some(_) => return fail("invalid_scope"),
    };
    Ok(InstallRequest {
        app_id: app.id,
        app_name: app.name,
        scopes,
        redirect_uri: redirect_uri.to_owned(),
        redirect_given,
        state: state.map(<[u8]>::to_vec),
        challenge: challenge.map(str::to_owned),
    })
}

struct NewestInstalled {
    workspace: WorkspaceId,
    limit: i64,
}

op! {
    ReadOp "newest_installed": NewestInstalled -> Vec<InstalledApp> =
        |op, c| apps::installed(c, op.workspace, op.limit)
}

struct FindInstalled(WorkspaceId);

impl ReadOp for FindInstalled {
    const NAME: &'static str = "find_installed";
    type Out = Installed;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Installed> {
        let connected = apps::installed(c, self.0, MAX_CONNECTED_SHOWN).await?;
        let disconnected = apps::latest_uninstalled(c, self.0, MAX_DISCONNECTED_SHOWN).await?;
        let views = |rows: Vec<InstalledApp>| rows.into_iter().map(InstalledAppView::from).collect();
        Ok(Installed { connected: views(connected), disconnected: views(disconnected) })
    }
}
