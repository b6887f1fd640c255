//! The start page, and the choice of a company.

use askama::Template;
use poem::http::StatusCode;

use super::shell::{self, ClientShell};
use crate::{
    domain::ids::WorkspaceId,
    pages::{
        Outcome, Pages, answer,
        company::{self, SwitchableCompany},
        context::PageContext,
        error_page::PageError,
        frame::Frame,
        next::same_site,
        visitor::Visitor,
    },
};

#[derive(Template)]
#[template(path = "client/start.html")]
struct StartPage {
    shell: ClientShell,
    has_conversations: bool,
    is_employee: bool,
    roles: Vec<CompanyRole>,
}

#[derive(Template)]
#[template(path = "choose_company.html")]
struct ChoicePage<'a> {
    frame: Frame,
    greeting: String,
    choices: Vec<SwitchableCompany>,
    /// Path of the page to show after the choice.
    next: &'a str,
    roles: Vec<CompanyRole>,
}

/// The visitor's role in a company.
struct CompanyRole {
    company: String,
    role: &'static str,
}

fn roles(visitor: &Visitor) -> Vec<CompanyRole> {
    let role = |own_person| match own_person {
        _ if company::is_admin(own_person) => "Admin",
        _ if own_person.is_external => "Guest",
        _ => "Employee",
    };
    let roles = visitor.people.iter();
    roles
        .map(|own_person| CompanyRole { company: own_person.company.clone(), role: role(own_person) })
        .collect()
}

/// GET /. Shows the first of these pages whose condition holds, or redirects to it:
///
/// - the choice of a company, if the account has persons in several companies and the session has chosen none of them;
/// - the page of this site at the path `next`, if the request has this parameter;
/// - the conversation that the person opened last in this browser, if the person still sees it and it is not archived;
/// - of the person's conversations that are not archived, the conversation whose last read message is the newest;
/// - the start page.
pub(in crate::pages) async fn show(pages: &Pages, context: &PageContext) -> Outcome {
    let visitor = context.visitor()?;
    let next = same_site(context.parameter("next").unwrap_or_default());
    if shell::chosen(visitor).is_none() {
        return choose(pages, context, visitor, next);
    }
    if next != "/" {
        return Ok(answer::redirect(next));
    }
    let person = shell::person(pages, context)?;
    match person.last_conversation(context.last_opened(person.user_id())).await? {
        Some((kind, id)) => Ok(answer::redirect(&shell::path_of(kind, id))),
        None => start(pages, context).await,
    }
}

/// GET /start: shows what to do first, and the links to settings and administration.
pub(in crate::pages) async fn start(pages: &Pages, context: &PageContext) -> Outcome {
    let own_person = shell::own_person(context)?;
    let shell = shell::load(pages, context, shell::person(pages, context)?, None).await?.titled("Start");
    let page = StartPage {
        has_conversations: !shell.sidebar.is_empty(),
        is_employee: !own_person.is_external,
        roles: roles(context.visitor()?),
        shell,
    };
    answer::client_page(StatusCode::OK, &page)
}

fn choose(pages: &Pages, context: &PageContext, visitor: &Visitor, next: &str) -> Outcome {
    let choices = visitor.people.iter().map(|own_person| SwitchableCompany {
        id: own_person.workspace_id.encode(),
        name: own_person.company.clone(),
        is_current: false,
    });
    let page = ChoicePage {
        frame: context.frame(pages).titled("Choose a company"),
        greeting: visitor.people.first().map(|own_person| own_person.name.clone()).unwrap_or_default(),
        choices: choices.collect(),
        next,
        roles: roles(visitor),
    };
    answer::page(StatusCode::OK, &page)
}

/// POST /company: chooses the company `workspace_id` for the session, and redirects to the path `next`.
pub(in crate::pages) async fn choose_company(pages: &Pages, context: &PageContext) -> Outcome {
    let visitor = context.poster(pages, "")?;
    let Some(company) = context.form.get(company::FIELD).and_then(WorkspaceId::parse) else {
        return Err(PageError::not_found());
    };
    visitor.caller.signed_in()?.choose_company(company).await?;
    Ok(answer::see_other(same_site(context.form.get("next").unwrap_or_default())))
}
