//! What the forms for approving an assistant and an app share.
//!
//! Both have a check box that is `required` and unchecked. It is for the browser alone, which submits no approval without it:
//! another page can make its visitor double-click and replace itself by this page between the two clicks
//! (double-clickjacking), which no header prevents. The server does not read the box, because the contract's form has no such
//! field, and because what posts a form without a browser cannot be made to click.

/// Why a form is shown again.
#[derive(Clone, Copy)]
pub(super) struct FormProblem {
    pub(super) text: &'static str,
    /// Id of the field to correct; empty if there is none.
    pub(super) field: &'static str,
}

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
}
