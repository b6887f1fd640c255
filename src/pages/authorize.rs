//! `/authorize` and its consent page: an assistant asks to act for an employee, the employee decides.
//!
//! What a request must hold and what a decision does is the workspace's (`assistants::{authorize, consent}`); here it
//! becomes pages. An error page never leads to the redirect URI, which may be an attacker's.

use askama::Template;
use poem::{
    Response,
    http::{HeaderValue, StatusCode, header},
};

use super::{
    Outcome, Pages, answer, company,
    frame::Frame,
    trouble::Trouble,
    visit::{Visit, Visitor},
    words,
};
use crate::{
    contract::query_pairs,
    domain::{browser::BrowserId, ids::WorkspaceId},
    workspace::assistants::{
        authorize::Begin,
        consent::{ConsentView, Decision, Undecided},
    },
};

/// GET /authorize. Redirects to the consent page, to the client with an error, or nowhere.
pub(super) async fn begin(pages: &Pages, visit: &mut Visit) -> Outcome {
    if let Err(seconds) = pages.world.admit_authorization(visit.address).await {
        return Ok(too_often(seconds));
    }
    let browser = visit.browser(pages);
    match pages.world.begin_authorization(&query_pairs(&visit.raw_query), &browser).await? {
        Begin::Consent { request } => Ok(answer::redirect(&path_of(&request))),
        Begin::Redirect(address) => Ok(answer::redirect(&address)),
        Begin::Page(page) => {
            let status = StatusCode::from_u16(page.status).unwrap_or(StatusCode::BAD_REQUEST);
            Err(Trouble::new(status, "This app cannot be connected", page.reason).after(page.retry_after))
        }
    }
}

/// The one page that is plain text: whoever asks this often is a program.
fn too_often(seconds: u32) -> Response {
    let mut response = answer::plain(StatusCode::TOO_MANY_REQUESTS, "Too many requests. Try again later.\n");
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)));
    response
}

fn path_of(request: &str) -> String {
    let request: String = url::form_urlencoded::byte_serialize(request.as_bytes()).collect();
    format!("/authorize/consent?request={request}")
}

#[derive(Template)]
#[template(path = "consent.html")]
struct ConsentPage<'a> {
    frame: Frame,
    csrf: String,
    request: &'a str,
    /// The page itself, for its form and for coming back as somebody else.
    next: String,
    name: &'a str,
    /// Of an unverified client: whose word its name is.
    naming: Option<String>,
    client_host: Option<&'a str>,
    redirect_host: &'a str,
    is_local: bool,
    scopes: Vec<&'static str>,
    companies: Vec<Company>,
    may_approve: bool,
    person: &'a str,
    email: &'a str,
    session_csrf: String,
    problem: Option<&'static str>,
}

struct Company {
    id: String,
    name: String,
    is_chosen: bool,
    /// Why it cannot be chosen.
    why: Option<&'static str>,
}

const CHOOSE: &str = "Choose the company the assistant may work in.";

fn gone() -> Trouble {
    Trouble::new(
        StatusCode::BAD_REQUEST,
        "This request has ended",
        "It is older than ten minutes, was answered already, or was begun in another browser. Start again in the app.",
    )
}

/// What the token of the form is good for: this very request.
fn purpose(request: &str) -> String {
    format!("consent {request}")
}

/// GET /authorize/consent.
pub(super) async fn show(pages: &Pages, visit: &Visit) -> Outcome {
    let visitor = visit.visitor()?;
    let request = visit.parameter("request").ok_or_else(gone)?;
    let browser = visit.known_browser().ok_or_else(gone)?;
    form(pages, visitor, request, &browser, None).await
}

async fn form(
    pages: &Pages,
    visitor: &Visitor,
    request: &str,
    browser: &BrowserId,
    problem: Option<&'static str>,
) -> Outcome {
    let view = pages.world.consent_view(request, &visitor.principal, browser).await?.ok_or_else(gone)?;
    let client = &view.client;
    let page = ConsentPage {
        frame: Frame::bare(pages).titled("Connect an assistant"),
        csrf: pages.world.csrf_token(&visitor.session, &purpose(request)),
        request,
        next: path_of(request),
        name: &client.display_name,
        naming: client.unverified.then(|| words::naming(client)),
        client_host: client.client_host.as_deref(),
        redirect_host: &client.redirect_host,
        is_local: client.redirect_kind.is_local(),
        scopes: view.scopes.iter().map(words::assistant_scope).collect(),
        may_approve: view.companies.iter().any(|company| company.available.is_ok()),
        companies: companies(&view),
        person: &view.person.name,
        email: view.person.email.as_deref().unwrap_or_default(),
        session_csrf: pages.world.csrf_token(&visitor.session, ""),
        problem,
    };
    let status = if problem.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    answer::page_leading_away(status, &page)
}

/// The companies with one chosen where there is no choice (D-271).
fn companies(view: &ConsentView) -> Vec<Company> {
    let only = view.companies.iter().filter(|company| company.available.is_ok()).count() == 1;
    let company = |company: &crate::workspace::assistants::consent::CompanyChoice| Company {
        id: company.workspace_id.encode(),
        name: company.name.clone(),
        is_chosen: only && company.available.is_ok(),
        why: company.available.err().map(words::unavailable),
    };
    view.companies.iter().map(company).collect()
}

/// POST /authorize/consent.
pub(super) async fn decide(pages: &Pages, visit: &Visit) -> Outcome {
    let request = visit.form.filled("request").ok_or_else(gone)?.to_owned();
    let visitor = visit.poster(pages, &purpose(&request))?;
    let browser = visit.known_browser().ok_or_else(gone)?;
    let decision = match visit.form.get("decision") {
        Some("deny") => Decision::Deny,
        Some("approve") => match chosen(pages, visit, visitor, &request, &browser).await? {
            Some(company) => Decision::Approve(company),
            None => return form(pages, visitor, &request, &browser, Some(CHOOSE)).await,
        },
        _ => return Err(Trouble::invalid("The form does not say whether you agree or not.")),
    };
    match pages.world.decide(&request, &visitor.principal, &browser, decision).await? {
        Ok(address) => Ok(answer::redirect(&address)),
        Err(Undecided::Gone) => Err(gone()),
        Err(Undecided::Unavailable(why)) => {
            form(pages, visitor, &request, &browser, Some(words::not_now(why))).await
        }
    }
}

/// The company that was chosen; a form that names none means the only one there is.
async fn chosen(
    pages: &Pages,
    visit: &Visit,
    visitor: &Visitor,
    request: &str,
    browser: &BrowserId,
) -> Result<Option<WorkspaceId>, Trouble> {
    if let Some(id) = visit.form.filled(company::FIELD) {
        return WorkspaceId::parse(id).map(Some).ok_or_else(Trouble::not_found);
    }
    let view = pages.world.consent_view(request, &visitor.principal, browser).await?.ok_or_else(gone)?;
    let mut available = view.companies.iter().filter(|company| company.available.is_ok());
    Ok(match (available.next(), available.next()) {
        (Some(only), None) => Some(only.workspace_id),
        _ => None,
    })
}
