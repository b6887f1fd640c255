//! Which company a page is about, for people of several.

use super::{
    frame::Frame,
    trouble::Trouble,
    visit::{Visit, Visitor},
};
use crate::{
    domain::{ids::WorkspaceId, people::UserState},
    workspace::people::Persona,
};

/// The field, and the parameter of the query.
pub(super) const FIELD: &str = "workspace_id";

/// A company to switch to.
pub(super) struct Choice {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) is_here: bool,
}

/// Who acts as an admin.
pub(super) fn is_admin(persona: &Persona) -> bool {
    persona.is_admin && persona.state == UserState::Active
}

/// Everybody.
pub(super) const fn anybody(_: &Persona) -> bool {
    true
}

/// The person a page is about: the one of the company that is named, or the first.
///
/// # Errors
/// 404 for a company that is not theirs; 403 when no person of theirs is eligible.
pub(super) fn shown<'a>(
    visit: &Visit,
    visitor: &'a Visitor,
    eligible: fn(&Persona) -> bool,
) -> Result<&'a Persona, Trouble> {
    match visit.parameter(FIELD) {
        Some(id) => find(visitor, id, eligible),
        None => visitor.personas.iter().find(|persona| eligible(persona)).ok_or_else(not_eligible),
    }
}

/// The person a form is about. One that names no company is about the only one there is.
///
/// # Errors
/// As [`shown`]; 400 when there are several to choose from.
pub(super) fn posted<'a>(
    visit: &Visit,
    visitor: &'a Visitor,
    eligible: fn(&Persona) -> bool,
) -> Result<&'a Persona, Trouble> {
    if let Some(id) = visit.form.filled(FIELD) {
        return find(visitor, id, eligible);
    }
    let mut personas = visitor.personas.iter().filter(|persona| eligible(persona));
    match (personas.next(), personas.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => Err(not_eligible()),
        (Some(_), Some(_)) => Err(Trouble::invalid("The form does not say which company it is about.")),
    }
}

fn find<'a>(visitor: &'a Visitor, id: &str, eligible: fn(&Persona) -> bool) -> Result<&'a Persona, Trouble> {
    let id = WorkspaceId::parse(id);
    let persona = visitor.personas.iter().find(|persona| Some(persona.workspace_id) == id);
    match persona {
        None => Err(Trouble::not_found()),
        Some(persona) if eligible(persona) => Ok(persona),
        Some(_) => Err(not_eligible()),
    }
}

fn not_eligible() -> Trouble {
    Trouble::forbidden("This is for the company's admins. If you should be one, ask a colleague who is.")
}

/// The companies to switch between; none when there is only one.
pub(super) fn choices(visitor: &Visitor, here: WorkspaceId, eligible: fn(&Persona) -> bool) -> Vec<Choice> {
    let choices: Vec<_> = visitor
        .personas
        .iter()
        .filter(|persona| eligible(persona))
        .map(|persona| Choice {
            id: persona.workspace_id.encode(),
            name: persona.company.clone(),
            is_here: persona.workspace_id == here,
        })
        .collect();
    if choices.len() > 1 { choices } else { Vec::new() }
}

/// The part of a page that is about one company.
pub(super) struct About {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) choices: Vec<Choice>,
    /// The page's own path.
    pub(super) path: &'static str,
    /// What stays in the query on the way through a list: empty, or beginning with `&`.
    pub(super) kept: String,
}

impl About {
    pub(super) fn new(
        path: &'static str,
        visitor: &Visitor,
        persona: &Persona,
        eligible: fn(&Persona) -> bool,
    ) -> Self {
        Self {
            id: persona.workspace_id.encode(),
            name: persona.company.clone(),
            choices: choices(visitor, persona.workspace_id, eligible),
            path,
            kept: String::new(),
        }
    }

    /// The same, keeping those of these parameters that have a value.
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

    /// The page again, about the same company, with a word about what was done.
    pub(super) fn back(path: &str, workspace: WorkspaceId, done: &str) -> String {
        format!("{path}?{FIELD}={workspace}&done={done}")
    }
}

/// A page's frame and what it is about.
pub(super) fn frame(pages: &super::Pages, visit: &Visit, title: &str) -> Frame {
    Frame::full(pages, visit).titled(title)
}
