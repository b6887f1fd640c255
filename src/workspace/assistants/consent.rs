//! What an employee sees of an authorization request, and what they decide.
//!
//! Called by the pages with whoever signed in. Nothing is ever approved without a decision (D-270), and what the page
//! was shown for is judged again when the decision comes.

use super::authorize::AuthorizeError;
use crate::{
    domain::{
        browser::BrowserId,
        grant::{self, Access, CODE_LIFE, Circumstances, ClientKind, EndReason, RedirectKind, Resource},
        ids::{UserId, WorkspaceId},
        time::Timestamp,
        token::{self, Kind},
    },
    store::{
        Op, Result, Sql,
        accounts::{self, Membership},
        authorizations::{self, AuthorizationCode, AuthorizationRequest},
        connections, users, workspaces,
    },
    workspace::{Stamp, World, principal::Principal},
};

/// Who asks, as the employee sees it (D-267).
#[derive(Clone, Debug, PartialEq)]
pub struct AskingClient {
    /// Begins `mcpc_`, or is the URL of a metadata document.
    pub client_id: String,
    /// How the server knows it.
    pub kind: ClientKind,
    /// At most 40 characters.
    pub display_name: String,
    /// It registered itself: anybody can, under any name.
    pub unverified: bool,
    /// It is such a client, and the name is its own word, not the one fixed for the host that the code goes to (D-247).
    pub own_name: bool,
    /// Host of a metadata document's URL.
    pub client_host: Option<String>,
    /// Where the code goes.
    pub redirect_uri: String,
    /// Whether that is an app on the employee's computer, of which the page warns.
    pub redirect_kind: RedirectKind,
    /// Its host, or its private-use scheme.
    pub redirect_host: String,
}

/// What the consent page shows.
#[derive(Clone, Debug, PartialEq)]
pub struct ConsentView {
    /// Who asks.
    pub client: AskingClient,
    /// For which address.
    pub resource: Resource,
    /// For what.
    pub scopes: Access,
    /// Who is asked.
    pub person: AskedPerson,
    /// Where they may say yes; none is left out because of a setting (D-252). Empty when the person is nobody's
    /// employee.
    pub companies: Vec<CompanyChoice>,
    /// When the request runs out.
    pub expires_at: Timestamp,
}

/// Who decides.
#[derive(Clone, Debug, PartialEq)]
pub struct AskedPerson {
    /// The full name in one of the companies.
    pub name: String,
    /// The address they signed in with.
    pub email: Option<String>,
}

/// A company that the person is an employee of.
#[derive(Clone, Debug, PartialEq)]
pub struct CompanyChoice {
    /// Which one.
    pub workspace_id: WorkspaceId,
    /// Its name.
    pub name: String,
    /// The person there.
    pub user_id: UserId,
    /// Whether the client may be connected there.
    pub available: std::result::Result<(), Unavailable>,
}

/// Why a client cannot be connected in a company.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// The company turned assistants off.
    AssistantsOff,
    /// The company blocked the client.
    Blocked,
    /// The person is not an employee there, or not any more.
    NotEmployee,
}

impl Unavailable {
    const fn of(objection: EndReason) -> Self {
        match objection {
            EndReason::AssistantsOff => Self::AssistantsOff,
            EndReason::ClientBlocked => Self::Blocked,
            _ => Self::NotEmployee,
        }
    }
}

/// What the employee decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Yes, in this company.
    Approve(WorkspaceId),
    /// No.
    Deny,
}

/// Why a decision came to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// The request has run out, was decided already, or was another browser's: an error page.
    Gone,
    /// The company cannot be chosen; the request stands, so another one can be.
    Unavailable(Unavailable),
}

impl World {
    /// What the consent page shows to whoever signed in; none for a request that is unknown, has run out, was decided
    /// or was begun in another browser, and for the operator.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn consent_view(
        &self,
        request: &str,
        who: &Principal,
        browser: &BrowserId,
    ) -> Result<Option<ConsentView>> {
        let Principal::Account { persons, .. } = who else { return Ok(None) };
        let asked = Asked { hash: token::hash(request), browser: *browser, now: self.clock.now() };
        let found = self.db.read(ViewConsent { asked, persons: persons.clone() }).await?;
        Ok(found.map(|found| self.consent_view_of(found)))
    }

    fn consent_view_of(&self, Shown { request, person, companies }: Shown) -> ConsentView {
        // only a registration with nothing but this host has the host itself as its key, and with it the fixed name
        let is_of_host =
            request.redirect_kind == RedirectKind::Https && request.block_key == request.redirect_host;
        let names = &self.settings.well_known_clients;
        let has_fixed_name = is_of_host && names.is_fixed(&request.redirect_host, &request.display_name);
        ConsentView {
            client: AskingClient {
                own_name: request.unverified && !has_fixed_name,
                client_id: request.client_id,
                kind: request.client_kind,
                display_name: request.display_name,
                unverified: request.unverified,
                client_host: request.client_host,
                redirect_uri: request.redirect_uri,
                redirect_kind: request.redirect_kind,
                redirect_host: request.redirect_host,
            },
            resource: request.resource,
            scopes: request.scopes,
            person,
            companies,
            expires_at: request.expires_at,
        }
    }

    /// Decides a request, once: approving gives a code for the chosen company. Answers the address to send the browser
    /// to, at the client.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn decide(
        &self,
        request: &str,
        who: &Principal,
        browser: &BrowserId,
        decision: Decision,
    ) -> Result<std::result::Result<String, Undecided>> {
        let Principal::Account { persons, session, .. } = who else { return Ok(Err(Undecided::Gone)) };
        let at = self.stamp();
        let asked = Asked { hash: token::hash(request), browser: *browser, now: at.now };
        let code = self.mint(Kind::AssistantCode);
        let op = Decide {
            at,
            asked,
            persons: persons.clone(),
            session: *session,
            decision,
            code_hash: token::hash(&code),
        };
        let decided = match self.db.write(op).await? {
            Ok(decided) => decided,
            Err(undecided) => return Ok(Err(undecided)),
        };
        let (uri, state) = (&decided.redirect_uri, decided.state.as_deref());
        Ok(Ok(match decision {
            Decision::Approve(_) => self.answer(uri, state, &[("code", &code)]),
            Decision::Deny => {
                let fault = (AuthorizeError::AccessDenied, "the employee did not agree");
                self.error_redirect(uri, state, fault)
            }
        }))
    }
}

/// A request as a browser names it.
struct Asked {
    hash: [u8; 32],
    browser: BrowserId,
    now: Timestamp,
}

impl Asked {
    async fn find<C: Sql>(&self, c: &mut C) -> Result<Option<AuthorizationRequest>> {
        let found = authorizations::request(c, &self.hash).await?;
        Ok(found.filter(|request| request.browser == self.browser.0 && self.now < request.expires_at))
    }
}

fn is_employee(person: &Membership) -> bool {
    grant::is_employee(person.state, person.is_external, false)
}

struct ViewConsent {
    asked: Asked,
    persons: Vec<Membership>,
}

/// What the page is made of.
struct Shown {
    request: AuthorizationRequest,
    person: AskedPerson,
    companies: Vec<CompanyChoice>,
}

impl Op for ViewConsent {
    const NAME: &'static str = "view_consent";
    type Out = Option<Shown>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Option<Shown>> {
        let Some(request) = self.asked.find(c).await? else { return Ok(None) };
        let mut person = None;
        let mut companies = Vec::new();
        for membership in &self.persons {
            if let Some(user) = users::by_id(c, membership.user_id).await? {
                person.get_or_insert(AskedPerson { name: user.name, email: user.email });
            }
            if !is_employee(membership) {
                continue;
            }
            let id = membership.workspace_id;
            let Some(company) = workspaces::by_id(c, id).await? else { continue };
            let circumstances = connections::circumstances(c, membership.user_id, &request.block_key).await?;
            companies.push(CompanyChoice {
                workspace_id: id,
                name: company.name,
                user_id: membership.user_id,
                available: availability(circumstances),
            });
        }
        let Some(person) = person else { return Ok(None) };
        Ok(Some(Shown { request, person, companies }))
    }
}

fn availability(circumstances: Option<Circumstances>) -> std::result::Result<(), Unavailable> {
    let objection = match circumstances {
        Some(circumstances) => circumstances.objection(),
        None => Some(EndReason::NotEmployee),
    };
    objection.map_or(Ok(()), |objection| Err(Unavailable::of(objection)))
}

/// Whether a person may have a client connected, held until the transaction ends: person and company cannot change
/// before what is decided on this is stored. To be asked before any code or connection is touched, so that everybody
/// locks in one order: person, company, codes, connections.
pub(super) async fn held_availability<C: Sql>(
    c: &mut C,
    user: UserId,
    workspace: WorkspaceId,
    block_key: &str,
) -> Result<std::result::Result<(), Unavailable>> {
    users::by_id_for_update(c, user).await?;
    workspaces::rely_on(c, workspace).await?;
    Ok(availability(connections::circumstances(c, user, block_key).await?))
}

/// Whether a session stands and speaks for a person; to be asked while the person is held.
async fn still_speaks<C: Sql>(c: &mut C, session: &[u8; 32], person: UserId) -> Result<bool> {
    let Some(session) = accounts::session(c, session).await? else { return Ok(false) };
    let opened = accounts::opened(c, session.account_id).await?;
    Ok(opened.iter().any(|p| p.user_id == person && p.sessions_valid_after < session.created_at))
}

struct Decide {
    at: Stamp,
    asked: Asked,
    persons: Vec<Membership>,
    /// The hash of the session that decides.
    session: [u8; 32],
    decision: Decision,
    code_hash: [u8; 32],
}

impl Op for Decide {
    const NAME: &'static str = "decide_authorization";
    type Out = std::result::Result<AuthorizationRequest, Undecided>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let Some(request) = self.asked.find(c).await? else { return Ok(Err(Undecided::Gone)) };
        let chosen = match self.decision {
            Decision::Deny => None,
            Decision::Approve(workspace) => {
                let person = self.persons.iter().find(|p| p.workspace_id == workspace && is_employee(p));
                let Some(person) = person else {
                    return Ok(Err(Undecided::Unavailable(Unavailable::NotEmployee)));
                };
                if let Err(why) = held_availability(c, person.user_id, workspace, &request.block_key).await? {
                    return Ok(Err(Undecided::Unavailable(why)));
                }
                // a log-out that came in between has ended this decision too
                if !still_speaks(c, &self.session, person.user_id).await? {
                    return Ok(Err(Undecided::Unavailable(Unavailable::NotEmployee)));
                }
                Some(person)
            }
        };
        // the gate: of two decisions only one gets through
        if !authorizations::take_request(c, &self.asked.hash).await? {
            return Ok(Err(Undecided::Gone));
        }
        if let Some(person) = chosen {
            let code = self.code(&request, person);
            authorizations::insert_code(c, &self.code_hash, &code).await?;
        }
        Ok(Ok(request))
    }
}

impl Decide {
    fn code(&self, request: &AuthorizationRequest, person: &Membership) -> AuthorizationCode {
        let request = request.clone();
        AuthorizationCode {
            client_id: request.client_id,
            client_kind: request.client_kind,
            display_name: request.display_name,
            redirect_uri: request.redirect_uri,
            redirect_key: request.redirect_key,
            block_key: request.block_key,
            workspace_id: person.workspace_id,
            user_id: person.user_id,
            resource: request.resource,
            scopes: request.scopes,
            challenge: request.challenge,
            expires_at: self.at.now + CODE_LIFE,
        }
    }
}
