//! Parts shared by the forms for approving an assistant or an app.
//!
//! A single click must not approve: another page can make its visitor double-click and replace itself by this
//! page between the two clicks (double-clickjacking), which no header prevents. So an unchecked box stands
//! apart from the button, and the server accepts no approval without it. The browser enforces it (`required`)
//! without a script.

use super::context::PageContext;

/// Name of the checkbox.
const CONFIRM: &str = "confirm";

/// Why a form is shown again.
#[derive(Clone, Copy)]
pub(super) struct FormProblem {
    pub(super) text: &'static str,
    /// Id of the field to correct; empty if there is none.
    pub(super) field: &'static str,
}

/// The box was not checked.
pub(super) const UNCONFIRMED: FormProblem = FormProblem {
    text: "Nothing was allowed yet: check the box to confirm that you allow this.",
    field: CONFIRM,
};

impl FormProblem {
    /// Returns a problem with the chosen company.
    pub(super) const fn of_company(text: &'static str) -> Self {
        Self { text, field: "company-1" }
    }

    /// Returns a problem that no other choice solves.
    pub(super) const fn without_remedy(text: &'static str) -> Self {
        Self { text, field: "" }
    }

    pub(super) fn is_of_company(&self) -> bool {
        self.field.starts_with("company")
    }

    pub(super) fn is_unconfirmed(&self) -> bool {
        self.field == CONFIRM
    }
}

/// Whether the box was checked.
pub(super) fn is_confirmed(context: &PageContext) -> bool {
    context.form.flag(CONFIRM) == Some(true)
}
