//! Drafts as their owner sees them: with the destination, the assistant that prepared the draft, and the outcome. The
//! owner is the employee for whom the assistant acted. The draft is sent by an assistant or by the owner, so the tools
//! of assistants and the pages use this module.

use std::collections::HashMap;

use super::{
    Employee,
    access::{self, Heading, PersonRef},
};
use crate::{
    domain::{
        ids::{ConversationId, DraftId, MessageId, UserId},
        message::key_hash,
        refusal::Code,
        time::Timestamp,
    },
    platform::secrets::hex,
    service::{invalid, people::visible_user::seen_by_person, refuse},
    store::{
        ReadSql, Result, Sql, conversations,
        drafts::{self, Draft},
        employee,
        users::{self, User},
    },
};

/// The destination of a draft, for display.
#[derive(Clone, Debug, PartialEq)]
pub enum DraftDestination {
    Conversation(Heading),
    /// Id and name of a person with whom the employee has no direct conversation yet.
    Person(UserId, String),
    /// A destination that is no longer visible to the employee.
    NotVisible {
        /// Whether the destination is a direct conversation.
        is_dm: bool,
    },
}

impl DraftDestination {
    /// Returns whether the destination is a direct conversation.
    #[must_use]
    pub fn is_dm(&self) -> bool {
        match self {
            Self::Conversation(heading) => heading.conversation.kind.is_dm(),
            Self::Person(..) => true,
            Self::NotVisible { is_dm } => *is_dm,
        }
    }
}

/// A draft with its destination.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownDraft {
    pub id: DraftId,
    pub destination: DraftDestination,
    pub thread_id: Option<MessageId>,
    pub text: String,
    /// Name of the assistant that last changed the draft; `None` for a draft that an earlier version of the server
    /// stored.
    pub via_label: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Identifies the version that the owner saw: a digest of the draft's destination, thread, text, label and time of
    /// the last change. The time alone is not sufficient, because two changes can have the same time.
    pub version: String,
}

/// How a draft ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::service) enum DraftEnd {
    /// The draft was sent at `at`, as the message `message` in the conversation `to`.
    Sent { at: Timestamp, to: ConversationId, message: MessageId },
    /// The owner discarded the draft on a page.
    Discarded,
}

/// Returns how a draft ended; `None` if it was neither sent nor discarded.
pub(in crate::service) fn end_of(draft: &Draft) -> Option<DraftEnd> {
    if draft.discarded_at.is_some() {
        return Some(DraftEnd::Discarded);
    }
    match (draft.sent_at, draft.sent_to, draft.sent_message) {
        (Some(at), Some(to), Some(message)) => Some(DraftEnd::Sent { at, to, message }),
        _ => None,
    }
}

/// Returns a draft of the employee and locks its row until the transaction ends.
///
/// # Errors
/// `not_found`, also for a draft of another person.
pub(in crate::service) async fn find_for_update<C: Sql>(
    c: &mut C,
    employee: Employee,
    id: DraftId,
) -> Result<Draft> {
    match drafts::by_id_for_update(c, id).await?.filter(|draft| draft.owner_id == employee.user_id) {
        Some(draft) => Ok(draft),
        None => refuse(Code::NotFound),
    }
}

/// Returns a person to whom the employee may send a direct message.
///
/// # Errors
/// - `user_not_found`.
/// - `invalid_request` for the employee's own id or e-mail address, and for a bot.
/// - `user_deactivated` for a person who is deactivated or removed.
pub(in crate::service) async fn addressee<C: ReadSql>(
    c: &mut C,
    employee: Employee,
    person: &PersonRef,
) -> Result<User> {
    // The employee can have become a guest since the draft was prepared. A guest may write only to people with whom the
    // guest is in a conversation.
    let user = access::find_known(c, employee, person).await?;
    if user.id == employee.user_id {
        return invalid("a direct message must be to another person");
    }
    if user.is_bot {
        return invalid(
            "the recipient is a bot, and only its app can start a direct message with you; after the app has \
             done so, give the id of the conversation",
        );
    }
    if !user.state.is_active() {
        return refuse(Code::UserDeactivated);
    }
    Ok(user)
}

/// Returns the destination of a draft as the employee sees it now.
pub(in crate::service) async fn destination<C: ReadSql>(
    c: &mut C,
    employee: Employee,
    draft: &Draft,
) -> Result<DraftDestination> {
    let destinations = destinations(c, employee, std::slice::from_ref(draft)).await?;
    Ok(destinations
        .into_iter()
        .next()
        .unwrap_or(DraftDestination::NotVisible { is_dm: draft.person_id.is_some() }))
}

/// Returns the destinations of drafts, in the order of the drafts. The number of statements does not grow with the
/// number of drafts.
pub(in crate::service) async fn destinations<C: ReadSql>(
    c: &mut C,
    employee: Employee,
    drafts: &[Draft],
) -> Result<Vec<DraftDestination>> {
    let stored_conversation = |draft: &Draft| draft.sent_to.or(draft.conversation_id);
    let persons: Vec<UserId> = drafts
        .iter()
        .filter(|draft| stored_conversation(draft).is_none())
        .filter_map(|draft| draft.person_id)
        .collect();
    let (mut directs, mut users) = (HashMap::new(), Vec::new());
    if !persons.is_empty() {
        directs.extend(conversations::directs_with(c, employee.user_id, &persons).await?);
        let found = users::by_ids(c, &persons).await?;
        users = seen_by_person(c, employee.workspace_id, employee.user_id, found).await?;
    }
    let conversation_of = |draft: &Draft| {
        stored_conversation(draft)
            .or_else(|| draft.person_id.and_then(|person| directs.get(&person).copied()))
    };
    let mut ids: Vec<ConversationId> = drafts.iter().filter_map(conversation_of).collect();
    ids.sort_unstable();
    ids.dedup();
    let (mut found, mut direct_ids) = (Vec::new(), Vec::new());
    if !ids.is_empty() {
        let own = conversations::member_of(c, employee.user_id, &ids).await?;
        found = conversations::by_ids(c, &ids).await?;
        direct_ids.extend(found.iter().filter(|found| found.kind.is_dm()).map(|found| found.id));
        found.retain(|conversation| {
            conversation.workspace_id == employee.workspace_id
                && conversation.deleted_at.is_none()
                && own.contains(&conversation.id)
        });
    }
    let headings = access::headings(c, employee, found).await?;
    let destination = |draft: &Draft| match (conversation_of(draft), draft.person_id) {
        (Some(id), _) => {
            let heading = headings.iter().find(|heading| heading.conversation.id == id);
            let not_visible = DraftDestination::NotVisible { is_dm: direct_ids.contains(&id) };
            heading.cloned().map_or(not_visible, DraftDestination::Conversation)
        }
        (None, Some(person)) => {
            let seen = users.iter().find(|user| user.id == person);
            seen.map_or(DraftDestination::NotVisible { is_dm: true }, |user| {
                DraftDestination::Person(user.id, user.name.clone())
            })
        }
        (None, None) => DraftDestination::NotVisible { is_dm: false },
    };
    Ok(drafts.iter().map(destination).collect())
}

/// Returns the present text of a message that was sent from a draft. Returns `None` if the message was deleted, or if
/// the owner of the draft does not see the message.
///
/// `destination` is the draft's destination as the owner sees it now. It shows whether the conversation was deleted.
/// The rows of the message and of the membership do not show this, because they outlive the deletion of the
/// conversation.
pub(in crate::service) async fn sent_text<C: ReadSql>(
    c: &mut C,
    employee: Employee,
    destination: &DraftDestination,
    message: MessageId,
) -> Result<Option<String>> {
    let DraftDestination::Conversation(_) = destination else { return Ok(None) };
    Ok(employee::by_ids(c, employee.user_id, &[message]).await?.pop().and_then(|message| message.text))
}

/// Returns the digest for [`ShownDraft::version`].
pub(in crate::service) fn version(draft: &Draft) -> String {
    let Draft { conversation_id, person_id, thread_id, text, via_label, updated_at, .. } = draft;
    let destination = (conversation_id.map(|id| id.0), person_id.map(|id| id.0), thread_id.map(|id| id.0));
    hex(&key_hash(&format!("{destination:?} {} {via_label:?} {text}", updated_at.micros())))
}

/// Returns a draft as its owner sees it.
pub(in crate::service) async fn shown<C: ReadSql>(
    c: &mut C,
    employee: Employee,
    draft: Draft,
) -> Result<ShownDraft> {
    let destination = destination(c, employee, &draft).await?;
    Ok(shown_to(destination, draft))
}

/// Does the same as [`shown`], with a destination that the caller has looked up.
pub(in crate::service) fn shown_to(destination: DraftDestination, draft: Draft) -> ShownDraft {
    ShownDraft {
        version: version(&draft),
        id: draft.id,
        destination,
        thread_id: draft.thread_id,
        text: draft.text,
        via_label: draft.via_label,
        created_at: draft.created_at,
        updated_at: draft.updated_at,
    }
}
