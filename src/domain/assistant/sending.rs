//! Who sends the messages that assistants draft.

use crate::domain::conversation::coded;

coded! {
    /// Who sends the drafts of a company's assistants.
    AssistantSends {
        /// The assistant, by calling a tool.
        Direct = 0 "direct",
        /// The employee, who confirms each draft on a page.
        Confirm = 1 "confirm",
    }
}
