//! What an app asks a company's admin for on the install page (D-161), and the apps a company has.

use super::{Approval, client::FindClient};
use crate::{
    domain::{
        ids::{AppId, WorkspaceId},
        pkce, redirect,
        refusal::Code,
        scopes::Scopes,
        token,
    },
    store::{
        Op, Result, Sql,
        apps::{self, App, InstalledApp},
    },
    workspace::{World, apps::redirect_uris, principal::Principal},
};

/// The parameters of an install request that are read; others are ignored.
const PARAMETERS: [&str; 7] = [
    "client_id",
    "redirect_uri",
    "response_type",
    "scope",
    "state",
    "code_challenge",
    "code_challenge_method",
];

/// How many installations that ended are shown.
const ENDED_SHOWN: i64 = 20;
/// How many that stand: more than a company will have apps.
const STANDING_SHOWN: i64 = 1000;

/// A request that an admin may approve.
#[derive(Clone, Debug, PartialEq)]
pub struct InstallRequest {
    /// The app.
    pub app_id: AppId,
    /// Its name.
    pub app_name: String,
    /// What it asks for.
    pub scopes: Scopes,
    /// Where the answer goes.
    pub redirect_uri: String,
    /// Whether the request named it, so that the exchange must too (D-149).
    redirect_given: bool,
    /// Returned unchanged; any bytes.
    pub state: Option<Vec<u8>>,
    challenge: Option<String>,
}

/// Why a request cannot be approved.
#[derive(Clone, Debug, PartialEq)]
pub enum InstallProblem {
    /// The app or the redirect URI is not certain, so nothing may be sent there: a page with this sentence.
    Page(&'static str),
    /// The app is told, at this address.
    Redirect(String),
}

/// The apps of a company.
#[derive(Clone, Debug)]
pub struct Installed {
    /// Newest first.
    pub standing: Vec<InstalledApp>,
    /// The last that ended, newest first.
    pub ended: Vec<InstalledApp>,
}

impl InstallRequest {
    /// What approving it means.
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

    /// Where an admin who declines is sent (RFC 6749 §4.1.2.1).
    #[must_use]
    pub fn denied(&self) -> String {
        failure(&self.redirect_uri, "access_denied", self.state.as_deref())
    }

    /// Where an admin who approved is sent.
    #[must_use]
    pub fn approved(&self, code: &str) -> String {
        answer(&self.redirect_uri, ("code", code), self.state.as_deref())
    }
}

fn failure(redirect_uri: &str, error: &str, state: Option<&[u8]>) -> String {
    answer(redirect_uri, ("error", error), state)
}

fn answer(redirect_uri: &str, (name, value): (&str, &str), state: Option<&[u8]>) -> String {
    let mut parameters = vec![(name, value.as_bytes())];
    parameters.extend(state.map(|state| ("state", state)));
    redirect::with_parameters(redirect_uri, &parameters)
}

impl World {
    /// Reads the parameters of `/oauth/authorize`, decoded; values may be any bytes. An empty parameter is an absent one.
    ///
    /// # Errors
    /// Those of the store; what is wrong with the request is an [`InstallProblem`].
    pub async fn read_install_request(
        &self,
        query: &[(String, Vec<u8>)],
    ) -> Result<std::result::Result<InstallRequest, InstallProblem>> {
        let client_id = match single(query, "client_id") {
            Ok(Some(id)) if token::parse(id) == Some(token::Kind::ClientId) => id,
            Ok(None) => {
                return Ok(page("The request does not say which app it is for: client_id is missing."));
            }
            Ok(Some(_)) => return Ok(page(UNKNOWN_APP)),
            Err(()) => return Ok(page("The request names more than one app: client_id was sent twice.")),
        };
        let Some(app) = self.db.read(FindClient(client_id.to_owned())).await? else {
            return Ok(page(UNKNOWN_APP));
        };
        if app.disabled_at.is_some() {
            return Ok(page("This app has been switched off, so it cannot be installed."));
        }
        let registered = redirect_uris(&app)?;
        Ok(read(app, &registered, query))
    }

    /// The apps of a company with names, for its admins.
    ///
    /// # Errors
    /// `not_found` for strangers, `forbidden` for its people who are no admins.
    pub async fn installed_apps(&self, who: &Principal, workspace: WorkspaceId) -> Result<Installed> {
        who.administer(workspace, Code::NotFound)?;
        self.db.read(FindInstalled(workspace)).await
    }
}

const UNKNOWN_APP: &str = "No app is known by this client_id.";

fn page(why: &'static str) -> std::result::Result<InstallRequest, InstallProblem> {
    Err(InstallProblem::Page(why))
}

/// Stands for a value that is no text; no parameter but `state` has such a value, and this is none of theirs.
const NO_TEXT: &str = "\u{fffd}";

/// The value of a parameter that may be there once and is text.
fn single<'a>(query: &'a [(String, Vec<u8>)], name: &str) -> std::result::Result<Option<&'a str>, ()> {
    Ok(bytes(query, name)?.map(|value| std::str::from_utf8(value).unwrap_or(NO_TEXT)))
}

/// The value of a parameter that may be there once.
fn bytes<'a>(query: &'a [(String, Vec<u8>)], name: &str) -> std::result::Result<Option<&'a [u8]>, ()> {
    let mut values = query.iter().filter(|(found, _)| found == name).map(|(_, value)| value.as_slice());
    let value = values.next().filter(|value| !value.is_empty());
    if values.next().is_some() { Err(()) } else { Ok(value) }
}

/// What is left to check once the app is known. Identity first, then syntax, then values (D-258).
fn read(
    app: App,
    registered: &[String],
    query: &[(String, Vec<u8>)],
) -> std::result::Result<InstallRequest, InstallProblem> {
    let (redirect_uri, redirect_given) = match (single(query, "redirect_uri"), registered) {
        (Err(()), _) => return page("The request names more than one redirect_uri."),
        (Ok(Some(given)), _) if registered.iter().any(|known| redirect::is_same(known, given)) => {
            (given, true)
        }
        (Ok(Some(_)), _) => return page("The redirect_uri is not one that the app registered."),
        // RFC 6749 §3.1.2.3: it may be left out when there is no doubt
        (Ok(None), [only]) => (only.as_str(), false),
        (Ok(None), _) => {
            return page("The request does not say where to go afterwards: redirect_uri is missing.");
        }
    };
    // a state sent twice cannot be returned unchanged
    let state = bytes(query, "state").unwrap_or_default();
    let fail = |error| Err(InstallProblem::Redirect(failure(redirect_uri, error, state)));
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
        // without a method it would be `plain` (RFC 7636 §4.3), which is refused (D-150)
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

struct FindInstalled(WorkspaceId);

impl Op for FindInstalled {
    const NAME: &'static str = "find_installed";
    type Out = Installed;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Installed> {
        Ok(Installed {
            standing: apps::installed(c, self.0, true, STANDING_SHOWN).await?,
            ended: apps::installed(c, self.0, false, ENDED_SHOWN).await?,
        })
    }
}
