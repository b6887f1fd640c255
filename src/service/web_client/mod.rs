//! The web client of a person: listing conversations, reading and writing messages, and following them live.
//!
//! The operations are methods of [`Person`]. [`access`](crate::service::employee::access) decides which conversations a
//! person sees, and [`visible_user`](crate::service::people::visible_user) which people. Assistants follow the same
//! rules.

pub mod company;
pub mod conversations;
pub mod drafts;
pub mod files;
pub mod joining;
pub mod live;
pub mod message;
pub mod people;
pub mod press;
pub mod reading;
pub mod recipients;
pub mod search;
pub mod writing;

use crate::{
    domain::refusal::Code,
    platform::secrets::{hex, sha256},
    service::{
        callers::Person,
        conversations::NamedConversation,
        employee::{Employee, access},
        refuse,
    },
    store::{
        Error, ReadSql, Result,
        conversations::{Conversation, Member},
    },
};

/// The functions of [`access`] take an [`Employee`]. In the web client their rules apply to guests too, so this
/// `Employee` may be a guest.
impl From<Person<'_>> for Employee {
    fn from(person: Person<'_>) -> Self {
        Self { workspace_id: person.company_id(), user_id: person.user_id() }
    }
}

/// Returns a conversation of which the person `employee` is a member.
///
/// # Errors
/// `conversation_not_found` if the conversation does not exist, or if the person is not or no longer a member.
async fn open<C: ReadSql>(
    c: &mut C,
    employee: Employee,
    id: NamedConversation,
) -> Result<(Conversation, Member)> {
    match access::open(c, employee, id).await {
        Err(Error::Refused(refusal)) if refusal.code == Code::NotInConversation => {
            refuse(Code::ConversationNotFound)
        }
        other => other,
    }
}

/// Returns a hash of a conversation's name and topic, and of whether it is private, announcement-only, archived or
/// deleted. If an open browser window has another hash, it has missed a change.
fn state_of(conversation: &Conversation) -> String {
    let Conversation { name, topic, is_private, announcement_only, archived_at, deleted_at, .. } =
        conversation;
    let state = (name, topic, is_private, announcement_only, archived_at.is_some(), deleted_at.is_some());
    hex(&sha256(format!("{state:?}"))[..8])
}
