//! `/oauth/authorize`: an app requests its installation, and an admin of a company approves or denies it (D-161).

use askama::Template;
use poem::http::StatusCode;

use super::{
    Outcome, Pages, agreement::FormProblem, answer, company, context::PageContext, error_page::PageError,
    frame::Frame, labels, sign_in, visitor::Visitor,
};
use crate::{
    contract::{answer::page_change, has_token, query_pairs},
    domain::refusal::Code,
    service::{
        Error,
        apps::installs::{InstallProblem, InstallRequest},
    },
};

#[derive(Template)]
#[template(path = "install.html")]
struct InstallPage<'a> {
    frame: Frame,
    csrf: String,
    /// Path and query of the request, to which the form is posted.
    action: &'a str,
    app: &'a str,
    host: &'a str,
    scopes: Vec<&'static str>,
    companies: Vec<company::SwitchableCompany>,
    person: &'a str,
    email: &'a str,
    session_csrf: String,
    problem: Option<FormProblem>,
}

const CHOOSE: FormProblem = FormProblem::of_company("Choose the company to install the app in.");

/// Returns the parameters of the request, from the query or, if there is no query, from the posted form. The values are
/// bytes, because `state` need not be UTF-8.
fn parameters(context: &PageContext) -> Vec<(String, Vec<u8>)> {
    if context.query.is_empty() { context.form.pairs() } else { query_pairs(&context.raw_query) }
}

/// Validates the request. Called before the visitor has to sign in, because the errors do not depend on the visitor.
async fn request(pages: &Pages, context: &PageContext) -> Result<InstallRequest, PageError> {
    match pages.world.read_install_request(&parameters(context)).await? {
        Ok(request) => Ok(request),
        Err(InstallProblem::Page(why)) => {
            Err(PageError::new(StatusCode::BAD_REQUEST, "This app cannot be installed", why))
        }
        Err(InstallProblem::Redirect(address)) => Err(PageError::redirect(address)),
    }
}

/// Returns the purpose of the form's CSRF token. The token is valid only for a form with the same purpose. The purpose
/// contains the client id, the redirect URI and the scopes of the request, so that a token for one request is not valid
/// for another.
fn purpose(context: &PageContext) -> String {
    let parameters = parameters(context);
    let value = |name| {
        let value = parameters.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_slice());
        String::from_utf8_lossy(value.unwrap_or_default())
    };
    format!("install {} {} {}", value("client_id"), value("redirect_uri"), value("scope"))
}

/// Rejects a request with a token in its query, as the bot API and its OAuth endpoints do (D-035).
///
/// # Errors
/// 400 if the query contains a token.
pub(super) fn refuse_token(query: &str) -> Result<(), PageError> {
    if !has_token(query) {
        return Ok(());
    }
    Err(PageError::new(
        StatusCode::BAD_REQUEST,
        "This app cannot be installed",
        "The address contains a token (token_in_query). A token in an address is no longer secret: the app \
         has to revoke the token, and to send you here without one.",
    ))
}

/// GET /oauth/authorize.
pub(super) async fn show(pages: &Pages, context: &mut PageContext) -> Outcome {
    let request = request(pages, context).await?;
    // If a long `state` makes this URL too long for the parameter `next` of `/signin`, this page shows the sign-in form
    // itself.
    if context.visitor.is_none() && sign_in::is_in_place(context) {
        return sign_in::in_place(pages, context).await;
    }
    let context = &*context;
    form(pages, context, context.visitor()?, &request, None)
}

fn form(
    pages: &Pages,
    context: &PageContext,
    visitor: &Visitor,
    request: &InstallRequest,
    problem: Option<FormProblem>,
) -> Outcome {
    let mut companies: Vec<_> = visitor
        .people
        .iter()
        .filter(|own_person| company::is_admin(own_person))
        .map(|own_person| company::SwitchableCompany {
            id: own_person.workspace_id.encode(),
            name: own_person.company.clone(),
            is_current: false,
        })
        .collect();
    // a company is preselected only if the visitor is an admin of no other company (D-271)
    if let [only] = companies.as_mut_slice() {
        only.is_current = true;
    }
    let first = visitor.people.first();
    let page = InstallPage {
        frame: Frame::bare(pages).titled("Install an app"),
        csrf: pages.world.csrf_token(&visitor.session, &purpose(context)),
        action: &context.here,
        app: &request.app_name,
        host: host(&request.redirect_uri),
        scopes: request.scopes.iter().map(labels::bot_scope).collect(),
        person: first.map_or("", |own_person| own_person.name.as_str()),
        email: first.and_then(|own_person| own_person.email.as_deref()).unwrap_or_default(),
        session_csrf: pages.world.csrf_token(&visitor.session, ""),
        problem,
        companies,
    };
    let status = match (problem, page.companies.is_empty()) {
        (Some(_), _) => StatusCode::UNPROCESSABLE_ENTITY,
        (None, true) => StatusCode::FORBIDDEN,
        (None, false) => StatusCode::OK,
    };
    answer::page_leading_away(status, &page)
}

/// Returns the host of a registered redirect URI, with the port if the URI has one.
fn host(uri: &str) -> &str {
    let rest = uri.split_once("://").map_or(uri, |(_, rest)| rest);
    rest.split(['/', '?']).next().unwrap_or(rest)
}

/// POST /oauth/authorize: handles the decision, or the sign-in form that this page shows if its URL is too long for the
/// parameter `next` of `/signin`.
pub(super) async fn decide(pages: &Pages, context: &mut PageContext) -> Outcome {
    let request = request(pages, context).await?;
    if context.visitor.is_none() && sign_in::is_in_place(context) {
        return sign_in::in_place(pages, context).await;
    }
    let context = &*context;
    let visitor = context.poster(pages, &purpose(context))?;
    match context.form.get("decision") {
        Some("deny") => {
            page_change(request.app_id.encode(), "denied");
            Ok(answer::redirect(&request.denied()))
        }
        Some("approve") => {
            let is_choice =
                visitor.people.iter().filter(|own_person| company::is_admin(own_person)).count() > 1;
            if is_choice && context.form.filled(company::FIELD).is_none() {
                return form(pages, context, visitor, &request, Some(CHOOSE));
            }
            let company = company::posted(context, visitor, company::is_admin)?.workspace_id;
            let approved = match visitor.caller.admin_of(company) {
                Ok(admin) => admin.approve_app(request.approval()).await,
                Err(error) => Err(error),
            };
            match approved {
                Ok(code) => {
                    page_change(format!("{company}/apps/{}", request.app_id.encode()), "approved");
                    Ok(answer::redirect(&request.approved(&code)))
                }
                // the usual reason for this error: the app was changed after the page was shown
                Err(Error::Refused(refusal))
                    if !matches!(refusal.code, Code::Forbidden | Code::InvalidAuth) =>
                {
                    Err(PageError::new(
                        StatusCode::CONFLICT,
                        "This app cannot be installed",
                        "The app was changed while you were deciding. Start again from the app.",
                    ))
                }
                Err(error) => Err(error.into()),
            }
        }
        _ => Err(PageError::invalid("The form does not say whether you approve or deny.")),
    }
}

#[cfg(test)]
mod tests {
    use super::host;

    #[test]
    fn the_host_of_a_redirect_uri_includes_the_port() {
        assert_eq!(host("https://app.example:8443/cb?x=1"), "app.example:8443");
        assert_eq!(host("http://[::1]/cb"), "[::1]");
        assert_eq!(host("https://app.example?x"), "app.example");
    }
}
