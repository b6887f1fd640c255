//! Whether an assistant's draft is sent by the assistant or by the employee.

use crate::domain::conversation::coded;

coded! {
    /// Who sends the drafts of a company's assistants.
    AssistantSends {
        /// The assistant, by calling the tool `send_draft`.
        Direct = 0 "direct",
        /// The employee, who confirms each draft on the page `/drafts`.
        Confirm = 1 "confirm",
    }
}
