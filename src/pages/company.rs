//! Determines which company a page or a form is about. A visitor can belong to several companies.

use super::{context::PageContext, error_page::PageError, frame::Frame, visitor::Visitor};
use crate::{domain::ids::WorkspaceId, service::people::OwnPerson};

/// Name of the form field and the query parameter that select the company.
pub(super) const FIELD: &str = "workspace_id";

/// A company in the list of companies between which the visitor can switch.
pub(super) struct SwitchableCompany {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) is_current: bool,
}

/// A value for the parameter `eligible`: accepts persons who are active admins of their company.
pub(super) const fn is_admin(own_person: &OwnPerson) -> bool {
    own_person.administers
}

/// A value for the parameter `eligible`: accepts every person.
pub(super) const fn anybody(_: &OwnPerson) -> bool {
    true
}

/// Returns the visitor's person in the company that a page is about:
///
/// - if the query names a company, the person in this company;
/// - otherwise, the person in the company that the session has chosen, if that person is eligible;
/// - otherwise, the first eligible person.
///
/// # Errors
/// - 404 if the query names a company in which the visitor has no person.
/// - 403 if the person in the named company is not eligible.
/// - 403 if the query names no company and no person of the visitor is eligible.
pub(super) fn shown<'a>(
    context: &PageContext,
    visitor: &'a Visitor,
    eligible: fn(&OwnPerson) -> bool,
) -> Result<&'a OwnPerson, PageError> {
    named_or_chosen(visitor, context.parameter(FIELD), eligible)
}

/// Returns the visitor's person in the company that a form is about:
///
/// - if the form names a company, the person in this company;
/// - otherwise, the person in the company that the session has chosen, if that person is eligible;
/// - otherwise, the only eligible person.
///
/// # Errors
/// - Errors of [`shown`], with the company that the form names in place of the company in the query.
/// - 400 if the form names no company, several persons are eligible, and none of them is in the company that the
///   session has chosen.
pub(super) fn posted<'a>(
    context: &PageContext,
    visitor: &'a Visitor,
    eligible: fn(&OwnPerson) -> bool,
) -> Result<&'a OwnPerson, PageError> {
    if let Some(id) = context.form.filled(FIELD) {
        return find(visitor, id, eligible);
    }
    if let Some(chosen) = visitor.chosen_person().filter(|own_person| eligible(own_person)) {
        return Ok(chosen);
    }
    let mut people = visitor.people.iter().filter(|own_person| eligible(own_person));
    match (people.next(), people.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => Err(not_eligible()),
        (Some(_), Some(_)) => Err(PageError::invalid("The form does not say which company it is about.")),
    }
}

/// Checks that the visitor who sent a form has an eligible person. Used for forms with the id of an object, such as a
/// connection: the object determines the company, so the form does not have to name the company.
///
/// # Errors
/// Errors of [`shown`], with the company that the form names in place of the company in the query.
pub(super) fn check_posted(
    context: &PageContext,
    visitor: &Visitor,
    eligible: fn(&OwnPerson) -> bool,
) -> Result<(), PageError> {
    named_or_chosen(visitor, context.form.filled(FIELD), eligible).map(|_| ())
}

fn named_or_chosen<'a>(
    visitor: &'a Visitor,
    named: Option<&str>,
    eligible: fn(&OwnPerson) -> bool,
) -> Result<&'a OwnPerson, PageError> {
    if let Some(id) = named {
        return find(visitor, id, eligible);
    }
    let chosen = visitor.chosen_person().filter(|own_person| eligible(own_person));
    let first = || visitor.people.iter().find(|own_person| eligible(own_person));
    chosen.or_else(first).ok_or_else(not_eligible)
}

fn find<'a>(
    visitor: &'a Visitor,
    id: &str,
    eligible: fn(&OwnPerson) -> bool,
) -> Result<&'a OwnPerson, PageError> {
    let id = WorkspaceId::parse(id);
    let own_person = visitor.people.iter().find(|own_person| Some(own_person.workspace_id) == id);
    match own_person {
        None => Err(PageError::not_found()),
        Some(own_person) if eligible(own_person) => Ok(own_person),
        Some(_) => Err(not_eligible()),
    }
}

fn not_eligible() -> PageError {
    PageError::forbidden("Only admins of the company can open this page. Ask an admin for this role.")
}

/// Returns the companies between which the visitor can switch: those in which the visitor's person is eligible. Empty
/// if there is only one.
pub(super) fn choices(
    visitor: &Visitor,
    here: WorkspaceId,
    eligible: fn(&OwnPerson) -> bool,
) -> Vec<SwitchableCompany> {
    let choices: Vec<_> = visitor
        .people
        .iter()
        .filter(|own_person| eligible(own_person))
        .map(|own_person| SwitchableCompany {
            id: own_person.workspace_id.encode(),
            name: own_person.company.clone(),
            is_current: own_person.workspace_id == here,
        })
        .collect();
    if choices.len() > 1 { choices } else { Vec::new() }
}

/// The part of a page that names the page's company, and links to the visitor's other companies.
pub(super) struct CompanyHeading {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) choices: Vec<SwitchableCompany>,
    /// The page's own path.
    pub(super) path: &'static str,
    /// The query parameters that links to other pages of a list keep. Empty, or begins with `&`.
    pub(super) kept: String,
}

impl CompanyHeading {
    pub(super) fn new(
        path: &'static str,
        visitor: &Visitor,
        own_person: &OwnPerson,
        eligible: fn(&OwnPerson) -> bool,
    ) -> Self {
        Self {
            id: own_person.workspace_id.encode(),
            name: own_person.company.clone(),
            choices: choices(visitor, own_person.workspace_id, eligible),
            path,
            kept: String::new(),
        }
    }

    /// Adds the parameters that have a value to [`CompanyHeading::kept`].
    #[must_use]
    pub(super) fn keeping(mut self, parameters: &[(&str, Option<&str>)]) -> Self {
        for (name, value) in parameters.iter().filter_map(|(name, value)| Some((name, (*value)?))) {
            let value: String = url::form_urlencoded::byte_serialize(value.as_bytes()).collect();
            for part in ["&", name, "=", &value] {
                self.kept.push_str(part);
            }
        }
        self
    }

    /// Returns `path` with parameters for the company and for `done`. The page shows the sentence that `done` selects:
    /// it confirms what a form did.
    pub(super) fn back(path: &str, workspace: WorkspaceId, done: &str) -> String {
        format!("{path}?{FIELD}={workspace}&done={done}")
    }
}

/// Returns the frame of a page about a person. If the visitor is in several companies, the links of the frame name the
/// person's company. If the person is not an admin there, the links to pages for admins name no company.
pub(super) fn frame(
    pages: &super::Pages,
    context: &PageContext,
    own_person: &OwnPerson,
    title: &str,
) -> Frame {
    let mut frame = context.frame(pages).titled(title);
    let has_others = context.visitor.as_ref().is_some_and(|visitor| visitor.people.len() > 1);
    if let Some(person) = frame.person.as_mut().filter(|_| has_others) {
        for link in person.links.iter_mut().filter(|link| !link.for_admins || is_admin(own_person)) {
            link.path = format!("{}?{FIELD}={}", link.path, own_person.workspace_id);
        }
    }
    frame
}
