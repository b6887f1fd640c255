//! The consent page: the data of an authorization request that an employee sees, and the employee's decision.
//!
//! The pages call this module for a signed-in account. The employee is asked at every authorization, even for a client
//! that the employee has approved before (D-270). When the decision arrives, every condition is checked again.

use std::time::Duration;

use super::{
    authorize::AuthorizeError,
    decisions::{ConsentForm, RecentDecision},
};
use crate::{
    domain::{
        assistant::redirect::RedirectKind,
        browser::BrowserId,
        grant::{self, Access, CODE_LIFE, ClientKind, ConnectionFacts, EndReason, Resource},
        ids::{AccountId, UserId, WorkspaceId},
        time::Timestamp,
        token::{self, TokenKind},
    },
    service::{
        Stamp, World,
        callers::{SignedIn, principal::ActingPerson},
    },
    store::{
        LockKey, Locks, Op, ReadOp, ReadSql, Result, Sql,
        accounts::{self, Membership},
        authorizations::{self, AuthorizationCode, AuthorizationRequest},
        connections, op, users, workspaces,
    },
};

/// The requesting client, as shown to the employee (D-267).
#[derive(Clone, Debug, PartialEq)]
pub struct AskingClient {
    /// `mcpc_…`, or the URL of a metadata document.
    pub client_id: String,
    /// Whether the client is registered or has a metadata document.
    pub kind: ClientKind,
    /// The fixed name of the client's host (setting `well_known_clients`). If the host has no fixed name, the client's
    /// own name. A client with a metadata document is shown under its host if it has no name or may not use its name.
    /// The client's own name or host is cut to 40 characters.
    pub display_name: String,
    /// Whether the client registered itself. Anybody can register a client under any name that is not reserved.
    pub unverified: bool,
    /// Whether the client is registered and shown under its own name. `false` for a client with a metadata document,
    /// and for a registered client that is shown under the fixed name of the host of its redirect URI (D-247).
    pub own_name: bool,
    /// Host of the metadata document's URL; `None` for a registered client.
    pub client_host: Option<String>,
    /// The URI to which the authorization code is sent.
    pub redirect_uri: String,
    /// Kind of the redirect URI. The page shows a warning if the code is sent to an app on the employee's computer.
    pub redirect_kind: RedirectKind,
    /// Host of the redirect URI. For a private-use URI, its scheme.
    pub redirect_host: String,
}

/// What the consent page shows.
#[derive(Clone, Debug, PartialEq)]
pub struct ConsentView {
    /// The requesting client.
    pub client: AskingClient,
    /// The requested MCP endpoint.
    pub resource: Resource,
    /// The requested scopes.
    pub scopes: Access,
    /// The person who decides.
    pub person: AskedPerson,
    /// The companies of which the person is an active employee. Includes companies in which the client cannot be
    /// connected (D-252). Empty if the person is not an active employee of any company.
    pub companies: Vec<CompanyChoice>,
    /// When the request expires.
    pub expires_at: Timestamp,
}

/// The person who decides.
#[derive(Clone, Debug, PartialEq)]
pub struct AskedPerson {
    /// Full name of the person with the lowest id, of all persons as whom the session can act. If this person is a
    /// guest or onboarding, [`ConsentView::companies`] does not have the person's company.
    pub name: String,
    /// The e-mail address with which this person signs in.
    pub email: Option<String>,
}

/// A company of which the person is an active employee.
#[derive(Clone, Debug, PartialEq)]
pub struct CompanyChoice {
    /// Id of the company.
    pub workspace_id: WorkspaceId,
    /// Name of the company.
    pub name: String,
    /// The person's user in the company.
    pub user_id: UserId,
    /// Whether the client can be connected in the company.
    pub available: std::result::Result<(), Unavailable>,
}

/// Why a client cannot be connected in a company.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// The company has turned assistants off.
    AssistantsOff,
    /// The company has blocked the client.
    Blocked,
    /// The person is not an active employee of the company.
    NotEmployee,
}

impl Unavailable {
    const fn of(reason: EndReason) -> Self {
        match reason {
            EndReason::AssistantsOff => Self::AssistantsOff,
            EndReason::ClientBlocked => Self::Blocked,
            _ => Self::NotEmployee,
        }
    }
}

/// What the employee decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConsentDecision {
    /// Connect the client in this company.
    Approve(WorkspaceId),
    /// Deny the request.
    Deny,
}

/// Why a decision had no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// The authorization request is unknown, has expired, was decided already, or belongs to another browser. The
    /// caller shows an error page.
    NoRequest,
    /// The same form approved the authorization request before. Since then, the client has exchanged the code, or the
    /// code was deleted.
    Exchanged,
    /// The client cannot be connected in the chosen company. The authorization request stays open, so the person can
    /// choose another company.
    Unavailable(Unavailable),
    /// The session ended after the HTTP request was authenticated. An approval also has this result if the session can
    /// no longer act as the person in the chosen company. The authorization request stays open.
    SignedOut,
}

/// The response to a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsentResponse {
    /// The redirect URI of the client with the parameters of the response.
    pub address: String,
    /// Whether an earlier submission of the same form made the decision. If `true`, this submission decided nothing.
    pub is_repeated: bool,
}

/// How long the response to a repeated approval is delayed, in real time. If the client got the code from the response
/// to the first form, the client can exchange the code in this time.
const REPEATED_FORM_WAIT: Duration = Duration::from_secs(1);

impl SignedIn<'_> {
    /// Returns what the consent page shows. Returns `None` for an authorization request that is unknown, has expired,
    /// was decided or belongs to another browser.
    ///
    /// # Errors
    /// - Store errors.
    /// - `Unavailable` while this node's clock is too far from the database's clock ([`World::trusted_now`]).
    pub async fn consent_view(self, request: &str, browser: &BrowserId) -> Result<Option<ConsentView>> {
        let lookup =
            RequestLookup { hash: token::hash(request), browser: *browser, now: self.world().trusted_now()? };
        let view = ViewConsent { lookup, persons: self.caller().persons().to_vec() };
        let found = self.world().db.read(view).await?;
        Ok(found.map(|found| self.world().consent_view_of(found)))
    }

    /// Decides an authorization request. A request can be decided only once. An approval issues a code for the chosen
    /// company. Returns the response, or why the decision had no effect. A repeated form gets the response to the first
    /// form ([`super::decisions`]), or [`Undecided::Exchanged`].
    ///
    /// # Errors
    /// - Store errors.
    /// - `Unavailable` while this node's clock is too far from the database's clock ([`World::trusted_now`]).
    pub async fn decide(
        self,
        request: &str,
        browser: &BrowserId,
        decision: ConsentDecision,
    ) -> Result<std::result::Result<ConsentResponse, Undecided>> {
        let world = self.world();
        let stamp = world.trusted_stamp()?;
        let now = stamp.now;
        let lookup = RequestLookup { hash: token::hash(request), browser: *browser, now };
        let session = self.session();
        let company = match decision {
            ConsentDecision::Approve(company) => Some(company),
            ConsentDecision::Deny => None,
        };
        let form = ConsentForm { request: lookup.hash, browser: *browser, session, company };
        let mut latest = world.recent_decisions.latest(&lookup.hash).await;
        let earlier = latest.as_ref().filter(|earlier| earlier.is_of(&form, now)).cloned();
        let is_repeated = earlier.is_some();
        let decided = match earlier {
            Some(earlier) => earlier,
            None => match world.db.read(FindRequest(lookup)).await? {
                Some(request) => world.response_to(form, &request, now),
                None => return Ok(Err(Undecided::NoRequest)),
            },
        };
        // Remembered before the decision is written, because this handler can be cancelled: if a form is submitted
        // twice, the browser closes the HTTP connection of the first submission.
        *latest = Some(decided.clone());
        let op = DecideConsent {
            stamp,
            lookup,
            persons: self.caller().persons().to_vec(),
            account: self.account(),
            session,
            decision,
            code_hash: decided.code_hash,
        };
        match world.db.write(op).await? {
            // Noted as written, so that the person's rights are not checked again before the response. That check would
            // fail if the person had just lost rights in another company. The person would then see an error, and could
            // not decide the authorization request again. The transaction has confirmed the session.
            Ok(()) => {
                self.caller().note_written();
                Ok(Ok(ConsentResponse { address: decided.address, is_repeated: false }))
            }
            Err(Undecided::NoRequest) if is_repeated => {
                // released before the delay, because forms for other authorization requests can wait for the same lock
                drop(latest);
                world.repeated(decided).await
            }
            // this form had no effect, so a later submission of the same form does not count as repeated
            Err(undecided) => {
                *latest = None;
                Ok(Err(undecided))
            }
        }
    }
}

impl World {
    /// Returns a decision about a request, with a new code and the response.
    fn response_to(
        &self,
        form: ConsentForm,
        request: &AuthorizationRequest,
        now: Timestamp,
    ) -> RecentDecision {
        let code = self.mint(TokenKind::AssistantCode);
        let (uri, state) = (&request.redirect_uri, request.state.as_deref());
        let address = match form.company {
            Some(_) => self.answer(uri, state, &[("code", &code)]),
            None => {
                let error = (AuthorizeError::AccessDenied, "the employee did not agree");
                self.error_redirect(uri, state, error)
            }
        };
        RecentDecision { form, code_hash: token::hash(&code), at: now, address }
    }

    /// Returns the response to a repeated form. A client that gets the same code twice would exchange it twice, and the
    /// second exchange would revoke the connection. So the code is sent again only if it is still not exchanged
    /// after [`REPEATED_FORM_WAIT`].
    async fn repeated(
        &self,
        decision: RecentDecision,
    ) -> Result<std::result::Result<ConsentResponse, Undecided>> {
        if decision.form.company.is_some() {
            self.clock.pause(REPEATED_FORM_WAIT).await;
            if !self.db.read(FindCode(decision.code_hash)).await? {
                return Ok(Err(Undecided::Exchanged));
            }
        }
        Ok(Ok(ConsentResponse { address: decision.address, is_repeated: true }))
    }

    fn consent_view_of(&self, ConsentData { request, person, companies }: ConsentData) -> ConsentView {
        // a registered client gets the fixed name of a host only if all its redirect URIs are `https` URIs of this
        // host. In this case the host is also its block key
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
}

/// Finds the authorization request with this hash, if it belongs to the browser and has not expired.
#[derive(Clone, Copy)]
struct RequestLookup {
    hash: [u8; 32],
    browser: BrowserId,
    now: Timestamp,
}

impl RequestLookup {
    async fn find<C: ReadSql>(&self, c: &mut C) -> Result<Option<AuthorizationRequest>> {
        let found = authorizations::request(c, &self.hash).await?;
        Ok(found.filter(|request| request.browser == self.browser.0 && self.now < request.expires_at))
    }
}

fn may_connect_assistants(person: &ActingPerson) -> bool {
    grant::may_connect_assistants(person.state, person.is_external, false)
}

struct FindRequest(RequestLookup);

op! {
    ReadOp "find_authorization_request": FindRequest -> Option<AuthorizationRequest> = |op, c| op.0.find(c)
}

/// Returns whether a code still exists. An exchange deletes the code.
struct FindCode([u8; 32]);

op! {
    ReadOp "find_authorization_code": FindCode -> bool =
        |op, c| Ok(authorizations::code(c, &op.0).await?.is_some())
}

struct ViewConsent {
    lookup: RequestLookup,
    persons: Vec<ActingPerson>,
}

/// The data of the consent page.
struct ConsentData {
    request: AuthorizationRequest,
    person: AskedPerson,
    companies: Vec<CompanyChoice>,
}

impl ReadOp for ViewConsent {
    const NAME: &'static str = "view_consent";
    type Out = Option<ConsentData>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Option<ConsentData>> {
        let Some(request) = self.lookup.find(c).await? else { return Ok(None) };
        let mut person = None;
        let mut companies = Vec::new();
        for membership in &self.persons {
            if let Some(user) = users::by_id(c, membership.user_id).await? {
                person.get_or_insert(AskedPerson { name: user.name, email: user.email });
            }
            if !may_connect_assistants(membership) {
                continue;
            }
            let id = membership.workspace_id;
            let Some(company) = workspaces::by_id(c, id).await? else { continue };
            let facts = connections::facts(c, membership.user_id, &request.block_key).await?;
            companies.push(CompanyChoice {
                workspace_id: id,
                name: company.name,
                user_id: membership.user_id,
                available: availability(facts),
            });
        }
        let Some(person) = person else { return Ok(None) };
        Ok(Some(ConsentData { request, person, companies }))
    }
}

fn availability(facts: Option<ConnectionFacts>) -> std::result::Result<(), Unavailable> {
    let reason = match facts {
        Some(facts) => facts.rejection(),
        None => Some(EndReason::NotEmployee),
    };
    reason.map_or(Ok(()), |reason| Err(Unavailable::of(reason)))
}

/// Checks whether a person may connect a client.
///
/// Locks the person's row. Also locks the company's settings and blocked clients, in shared mode. So the result stays
/// valid until the transaction ends. Must be called before the transaction locks a code or a connection, so that all
/// transactions lock in the same order: person, company, codes, connections.
pub(super) async fn lock_and_check_availability<C: Sql>(
    c: &mut C,
    user: UserId,
    workspace: WorkspaceId,
    block_key: &str,
) -> Result<std::result::Result<(), Unavailable>> {
    users::by_id_for_update(c, user).await?;
    workspaces::lock_shared(c, workspace).await?;
    Ok(availability(connections::facts(c, user, block_key).await?))
}

/// Whether a session is valid for one of these persons. Must be called while the locks of [`DecideConsent`] are held.
async fn session_is_valid<C: ReadSql>(c: &mut C, session: &[u8; 32], persons: &[UserId]) -> Result<bool> {
    let Some(session) = accounts::session(c, session).await? else { return Ok(false) };
    let opened = accounts::opened(c, session.account_id).await?;
    let is_valid = |person: &Membership| person.sessions_valid_after < session.created_at;
    Ok(opened.iter().any(|person| persons.contains(&person.user_id) && is_valid(person)))
}

struct DecideConsent {
    stamp: Stamp,
    lookup: RequestLookup,
    persons: Vec<ActingPerson>,
    account: AccountId,
    /// Hash of the session that decides.
    session: [u8; 32],
    decision: ConsentDecision,
    code_hash: [u8; 32],
}

impl Op for DecideConsent {
    const NAME: &'static str = "decide_authorization";
    type Out = std::result::Result<(), Undecided>;

    /// Locks the account, its persons and the session. So a sign-out, a change of the password or a deactivation is
    /// acknowledged only after this decision was committed or rejected.
    fn locks(&self) -> Locks {
        let persons = self.persons.iter().map(|person| LockKey::user(person.user_id));
        Locks::shared(persons.chain([LockKey::account(self.account), LockKey::session(&self.session)]))
    }

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let Some(request) = self.lookup.find(c).await? else { return Ok(Err(Undecided::NoRequest)) };
        let chosen = match self.decision {
            ConsentDecision::Deny => {
                let persons: Vec<_> = self.persons.iter().map(|person| person.user_id).collect();
                if !session_is_valid(c, &self.session, &persons).await? {
                    return Ok(Err(Undecided::SignedOut));
                }
                None
            }
            ConsentDecision::Approve(workspace) => {
                let person =
                    self.persons.iter().find(|p| p.workspace_id == workspace && may_connect_assistants(p));
                let Some(person) = person else {
                    return Ok(Err(Undecided::Unavailable(Unavailable::NotEmployee)));
                };
                if let Err(why) =
                    lock_and_check_availability(c, person.user_id, workspace, &request.block_key).await?
                {
                    return Ok(Err(Undecided::Unavailable(why)));
                }
                // A sign-out or a forced log-out after the HTTP request was authenticated also prevents the approval. A
                // forced log-out revokes all connections. A connection that is created afterwards would escape
                // this revocation.
                if !session_is_valid(c, &self.session, &[person.user_id]).await? {
                    return Ok(Err(Undecided::SignedOut));
                }
                Some(person)
            }
        };
        // deletes the authorization request; of two concurrent decisions, only one can delete it
        if !authorizations::take_request(c, &self.lookup.hash).await? {
            return Ok(Err(Undecided::NoRequest));
        }
        if let Some(person) = chosen {
            let code = self.code(&request, person);
            authorizations::insert_code(c, &self.code_hash, &code).await?;
        }
        Ok(Ok(()))
    }
}

impl DecideConsent {
    fn code(&self, request: &AuthorizationRequest, person: &ActingPerson) -> AuthorizationCode {
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
            expires_at: self.stamp.now + CODE_LIFE,
        }
    }
}
