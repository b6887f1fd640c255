//! Code shared by the form that approves an assistant and the form that approves an app.
//!
//! Both forms have a check box that is `required` and at first unchecked. The box prevents double-clickjacking. In this
//! attack, a hostile page makes its visitor double-click, and replaces itself by the form between the two clicks. No
//! header prevents the attack. The check box prevents it, because a browser submits no approval until the box is
//! checked.
//!
//! The server does not read the box. The contract defines the forms without a field for the box, and the attack works
//! only through a browser.

/// The reason why a form is shown again.
#[derive(Clone, Copy)]
pub(super) struct FormProblem {
    pub(super) text: &'static str,
    /// Id of the field to correct; empty if there is no such field.
    pub(super) field: &'static str,
}

impl FormProblem {
    /// Returns a problem with the choice of a company.
    pub(super) const fn of_company(text: &'static str) -> Self {
        Self { text, field: "company-1" }
    }

    /// Returns a problem that the visitor cannot solve by changing a field.
    pub(super) const fn without_remedy(text: &'static str) -> Self {
        Self { text, field: "" }
    }

    pub(super) fn is_of_company(&self) -> bool {
        self.field.starts_with("company")
    }
}
