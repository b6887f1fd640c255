//! `/authorize` and its consent page: an assistant requests access, and the employee approves or denies it.
//!
//! The service layer (`service::oauth::{authorize, consent}`) validates requests and applies decisions. This module
//! renders the results. If the client or the redirect URI is invalid, the browser gets an error page without a
//! redirect, because the redirect URI could belong to an attacker.

use askama::Template;
use poem::{
    Response,
    http::{HeaderValue, StatusCode, header},
};

use super::{
    Outcome, Pages, agreement::FormProblem, answer, company, context::PageContext, error_page::PageError,
    frame::Frame, labels, next::sign_in_path, visitor::Visitor,
};
use crate::{
    contract::{answer::page_change, query_pairs},
    domain::{browser::BrowserId, ids::WorkspaceId},
    service::oauth::{
        authorize::Begin,
        consent::{ConsentDecision, ConsentView, Undecided},
    },
};

/// GET /authorize. Redirects to the consent page, redirects to the client with an error, or shows an error page. A
/// request over the rate limit gets 429 in plain text.
pub(super) async fn begin(pages: &Pages, context: &mut PageContext) -> Outcome {
    if let Err(seconds) = pages.world.admit_authorization(context.address).await {
        return Ok(too_often(seconds));
    }
    let browser = context.browser(pages);
    match pages.world.begin_authorization(&query_pairs(&context.raw_query), &browser, context.address).await?
    {
        Begin::Consent { request } => Ok(answer::redirect(&path_of(&request))),
        Begin::Redirect(address) => Ok(answer::redirect(&address)),
        Begin::Page(page) => {
            let status = StatusCode::from_u16(page.status).unwrap_or(StatusCode::BAD_REQUEST);
            Err(PageError::new(status, "This app cannot be connected", page.reason).after(page.retry_after))
        }
    }
}

/// Returns the 429 response. The response is plain text, because a caller that sends so many requests is a
/// program.
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
    /// Path of the consent page: the action of the form, and the page after signing in as another person.
    next: String,
    name: &'a str,
    /// A note on the origin of the name; `None` for a verified client.
    name_note: Option<String>,
    client_host: Option<&'a str>,
    redirect_host: &'a str,
    is_local: bool,
    scopes: Vec<&'static str>,
    companies: Vec<CompanyOption>,
    may_approve: bool,
    person: &'a str,
    email: &'a str,
    session_csrf: String,
    problem: Option<FormProblem>,
}

struct CompanyOption {
    id: String,
    name: String,
    is_chosen: bool,
    /// Why the visitor cannot choose the company; `None` if they can.
    why: Option<&'static str>,
}

const CHOOSE: FormProblem = FormProblem::of_company("Choose the company the assistant may work in.");

fn request_expired() -> PageError {
    PageError::new(
        StatusCode::BAD_REQUEST,
        "This request has expired",
        "The request is older than ten minutes, was already answered, or belongs to another browser. Start again in the app.",
    )
}

/// Returns the purpose of the form's CSRF token. The purpose makes the token valid for this authorization request only
///
fn purpose(request: &str) -> String {
    format!("consent {request}")
}

/// GET /authorize/consent.
pub(super) async fn show(pages: &Pages, context: &PageContext) -> Outcome {
    let visitor = context.visitor()?;
    let request = context.parameter("request").ok_or_else(request_expired)?;
    let browser = context.known_browser().ok_or_else(request_expired)?;
    form(pages, visitor, request, &browser, None).await
}

async fn form(
    pages: &Pages,
    visitor: &Visitor,
    request: &str,
    browser: &BrowserId,
    problem: Option<FormProblem>,
) -> Outcome {
    let view =
        visitor.caller.signed_in()?.consent_view(request, browser).await?.ok_or_else(request_expired)?;
    let client = &view.client;
    let page = ConsentPage {
        frame: Frame::bare(pages).titled("Connect an assistant"),
        csrf: pages.world.csrf_token(&visitor.session, &purpose(request)),
        request,
        next: path_of(request),
        name: &client.display_name,
        name_note: client.unverified.then(|| labels::name_note(client)),
        client_host: client.client_host.as_deref(),
        redirect_host: &client.redirect_host,
        is_local: client.redirect_kind.is_local(),
        scopes: view.scopes.iter().map(labels::assistant_scope).collect(),
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

/// Returns the companies to choose from. If exactly one company is available, it is preselected (D-271).
fn companies(view: &ConsentView) -> Vec<CompanyOption> {
    let only = view.companies.iter().filter(|company| company.available.is_ok()).count() == 1;
    let company = |company: &crate::service::oauth::consent::CompanyChoice| CompanyOption {
        is_chosen: only && company.available.is_ok(),
        id: company.workspace_id.encode(),
        name: company.name.clone(),
        why: company.available.err().map(labels::unavailable),
    };
    view.companies.iter().map(company).collect()
}

/// POST /authorize/consent.
pub(super) async fn decide(pages: &Pages, context: &PageContext) -> Outcome {
    let request = context.form.filled("request").ok_or_else(request_expired)?.to_owned();
    let visitor = context.poster(pages, &purpose(&request))?;
    let browser = context.known_browser().ok_or_else(request_expired)?;
    let decision = match context.form.get("decision") {
        Some("deny") => ConsentDecision::Deny,
        Some("approve") => match chosen(context, visitor, &request, &browser).await? {
            None => return form(pages, visitor, &request, &browser, Some(CHOOSE)).await,
            Some(company) => ConsentDecision::Approve(company),
        },
        _ => return Err(PageError::invalid("The form does not say whether you approve or deny.")),
    };
    match visitor.caller.signed_in()?.decide(&request, &browser, decision).await? {
        Ok(response) => {
            // the log names the company: the connection gets its id only when the client exchanges the code
            if let (ConsentDecision::Approve(company), false) = (decision, response.is_repeated) {
                page_change(company.encode(), "approved");
            }
            Ok(answer::redirect(&response.address))
        }
        Err(Undecided::NoRequest) => Err(request_expired()),
        Err(Undecided::Exchanged) => Err(PageError::new(
            StatusCode::CONFLICT,
            "This request was approved already",
            "The form was submitted twice. Return to the app. If it is not connected, start again there.",
        )),
        Err(Undecided::SignedOut) => Err(PageError::redirect(sign_in_path(&path_of(&request)))),
        Err(Undecided::Unavailable(why)) => {
            let problem = FormProblem::without_remedy(labels::no_longer_available(why));
            form(pages, visitor, &request, &browser, Some(problem)).await
        }
    }
}

/// Returns the submitted company. If the form names no company, returns the available company if there is exactly one,
/// and `None` in all other cases.
async fn chosen(
    context: &PageContext,
    visitor: &Visitor,
    request: &str,
    browser: &BrowserId,
) -> Result<Option<WorkspaceId>, PageError> {
    if let Some(id) = context.form.filled(company::FIELD) {
        return WorkspaceId::parse(id).map(Some).ok_or_else(PageError::not_found);
    }
    let view =
        visitor.caller.signed_in()?.consent_view(request, browser).await?.ok_or_else(request_expired)?;
    let mut available = view.companies.iter().filter(|company| company.available.is_ok());
    Ok(match (available.next(), available.next()) {
        (Some(only), None) => Some(only.workspace_id),
        _ => None,
    })
}
