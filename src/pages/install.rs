//! `/oauth/authorize`: an app asks to be installed, a company's admin decides (D-161).

use askama::Template;
use poem::http::StatusCode;

use super::{
    Outcome, Pages, answer, company,
    frame::Frame,
    trouble::Trouble,
    visit::{Visit, Visitor},
    words,
};
use crate::{
    contract::query_pairs,
    domain::refusal::Code,
    store::Error,
    workspace::installs::{InstallProblem, InstallRequest},
};

#[derive(Template)]
#[template(path = "install.html")]
struct InstallPage<'a> {
    frame: Frame,
    csrf: String,
    /// The request again: the form must lead to the same one.
    action: &'a str,
    app: &'a str,
    host: &'a str,
    scopes: Vec<&'static str>,
    companies: Vec<company::Choice>,
    person: &'a str,
    email: &'a str,
    session_csrf: String,
    problem: Option<&'static str>,
}

const CHOOSE: &str = "Choose the company to install the app in.";

/// The parameters of the request: of the address, or of a form that was posted to the bare path. `state` may be any
/// bytes.
fn parameters(visit: &Visit) -> Vec<(String, Vec<u8>)> {
    if visit.query.is_empty() { visit.form.pairs() } else { query_pairs(&visit.raw_query) }
}

/// Reads the request before anybody has to sign in: what is wrong with it is the app's business.
async fn request(pages: &Pages, visit: &Visit) -> Result<InstallRequest, Trouble> {
    match pages.world.read_install_request(&parameters(visit)).await? {
        Ok(request) => Ok(request),
        Err(InstallProblem::Page(why)) => {
            Err(Trouble::new(StatusCode::BAD_REQUEST, "This app cannot be installed", why))
        }
        Err(InstallProblem::Redirect(address)) => Err(Trouble::go(address)),
    }
}

/// What the form's token is good for: this very request, so that a token of another one approves nothing.
fn purpose(visit: &Visit) -> String {
    let parameters = parameters(visit);
    let value = |name| {
        let value = parameters.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_slice());
        String::from_utf8_lossy(value.unwrap_or_default())
    };
    format!("install {} {} {}", value("client_id"), value("redirect_uri"), value("scope"))
}

/// GET /oauth/authorize.
pub(super) async fn show(pages: &Pages, visit: &Visit) -> Outcome {
    let request = request(pages, visit).await?;
    form(pages, visit, visit.visitor()?, &request, None)
}

fn form(
    pages: &Pages,
    visit: &Visit,
    visitor: &Visitor,
    request: &InstallRequest,
    problem: Option<&'static str>,
) -> Outcome {
    let mut companies: Vec<_> = visitor
        .personas
        .iter()
        .filter(|persona| company::is_admin(persona))
        .map(|persona| company::Choice {
            id: persona.workspace_id.encode(),
            name: persona.company.clone(),
            is_here: false,
        })
        .collect();
    // nothing is chosen for somebody who has a choice (D-271)
    if let [only] = companies.as_mut_slice() {
        only.is_here = true;
    }
    let first = visitor.personas.first();
    let page = InstallPage {
        frame: Frame::bare(pages).titled("Install an app"),
        csrf: pages.world.csrf_token(&visitor.session, &purpose(visit)),
        action: &visit.here,
        app: &request.app_name,
        host: host(&request.redirect_uri),
        scopes: request.scopes.iter().map(words::bot_scope).collect(),
        person: first.map_or("", |persona| persona.name.as_str()),
        email: first.and_then(|persona| persona.email.as_deref()).unwrap_or_default(),
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

/// The host of a registered redirect URI.
fn host(uri: &str) -> &str {
    let rest = uri.split_once("://").map_or(uri, |(_, rest)| rest);
    rest.split(['/', '?']).next().unwrap_or(rest)
}

/// POST /oauth/authorize.
pub(super) async fn decide(pages: &Pages, visit: &Visit) -> Outcome {
    let request = request(pages, visit).await?;
    let visitor = visit.poster(pages, &purpose(visit))?;
    match visit.form.get("decision") {
        Some("deny") => Ok(answer::redirect(&request.denied())),
        Some("approve") => {
            let is_choice = visitor.personas.iter().filter(|persona| company::is_admin(persona)).count() > 1;
            if is_choice && visit.form.filled(company::FIELD).is_none() {
                return form(pages, visit, visitor, &request, Some(CHOOSE));
            }
            let company = company::posted(visit, visitor, company::is_admin)?.workspace_id;
            match pages.world.approve_app(&visitor.principal, company, request.approval()).await {
                Ok(code) => Ok(answer::redirect(&request.approved(&code))),
                // changed between the page and the button
                Err(Error::Refused(refusal)) if refusal.code != Code::Forbidden => Err(Trouble::new(
                    StatusCode::CONFLICT,
                    "This app cannot be installed",
                    "The app was changed while you were deciding. Start again from the app.",
                )),
                Err(error) => Err(error.into()),
            }
        }
        _ => Err(Trouble::invalid("The form does not say whether you approve or decline.")),
    }
}

#[cfg(test)]
mod tests {
    use super::host;

    #[test]
    fn hosts() {
        assert_eq!(host("https://app.example:8443/cb?x=1"), "app.example:8443");
        assert_eq!(host("http://[::1]/cb"), "[::1]");
        assert_eq!(host("https://app.example?x"), "app.example");
    }
}
