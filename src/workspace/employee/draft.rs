//! A draft as its owner sees it: destination, author and end. Shared by the tools of assistants and the pages of people.

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
    store::{
        ReadSql, Result, Sql, conversations,
        drafts::{self, Draft},
        users::{self, User},
    },
    workspace::{invalid, people::visible_user::Viewer, refuse},
};

/// The destination of a draft, for display.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    Conversation(Heading),
    /// A person without a direct message with the employee.
    Person(UserId, String),
    /// A destination no longer visible to the employee.
    Gone,
}

/// A draft with its destination.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownDraft {
    pub id: DraftId,
    pub goal: Goal,
    /// Whether it is addressed to a person instead of a conversation.
    pub is_to_person: bool,
    pub thread_id: Option<MessageId>,
    pub text: String,
    /// The assistant that wrote it last; `None` for a draft of an earlier version.
    pub via_label: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Differs if an assistant has changed the draft: not only the time, which two changes may share.
    pub version: String,
}

/// How a draft ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::workspace) enum DraftEnd {
    /// It became this message.
    Sent { at: Timestamp, to: ConversationId, message: MessageId },
    /// Its owner discarded it on a page.
    Discarded,
}

/// Returns how a draft ended; `None` while it can be sent.
pub(in crate::workspace) fn end_of(draft: &Draft) -> Option<DraftEnd> {
    if draft.discarded_at.is_some() {
        return Some(DraftEnd::Discarded);
    }
    match (draft.sent_at, draft.sent_to, draft.sent_message) {
        (Some(at), Some(to), Some(message)) => Some(DraftEnd::Sent { at, to, message }),
        _ => None,
    }
}

/// Returns a draft of the employee and locks it.
///
/// # Errors
/// `not_found`, also for drafts of other people.
pub(in crate::workspace) async fn held<C: Sql>(c: &mut C, who: Employee, id: DraftId) -> Result<Draft> {
    match drafts::by_id_for_update(c, id).await?.filter(|draft| draft.owner_id == who.user_id) {
        Some(draft) => Ok(draft),
        None => refuse(Code::NotFound),
    }
}

/// Returns a person whom the employee may write to directly.
///
/// # Errors
/// `user_not_found`; `invalid_request` for the employee and for a bot; `user_deactivated`.
pub(in crate::workspace) async fn addressee<C: ReadSql>(
    c: &mut C,
    who: Employee,
    person: &PersonRef,
) -> Result<User> {
    let user = access::find(c, who, person).await?;
    if user.id == who.user_id {
        return invalid("a direct message must be to another person");
    }
    if user.is_bot {
        return invalid(
            "a direct message with an app begins with the app's first message; use its conversation",
        );
    }
    if !user.state.is_active() {
        return refuse(Code::UserDeactivated);
    }
    Ok(user)
}

/// Returns the destination of a draft as the employee sees it now.
pub(in crate::workspace) async fn goal<C: ReadSql>(c: &mut C, who: Employee, draft: &Draft) -> Result<Goal> {
    let id = match (draft.sent_to.or(draft.conversation_id), draft.person_id) {
        (Some(id), _) => Some(id),
        (None, Some(person)) => conversations::direct(c, who.user_id, person).await?,
        (None, None) => None,
    };
    if let Some(id) = id {
        let kind = conversations::kind(c, id).await?;
        return match access::open(c, who, Some((kind, id))).await {
            Ok((conversation, _)) => {
                let heading = access::headings(c, who, vec![conversation]).await?.pop();
                Ok(heading.map_or(Goal::Gone, Goal::Conversation))
            }
            Err(crate::store::Error::Refused(_)) => Ok(Goal::Gone),
            Err(error) => Err(error),
        };
    }
    let person = match draft.person_id {
        Some(id) => users::by_id(c, id).await?.filter(|user| Viewer::from(who).sees(user)),
        None => None,
    };
    Ok(person.map_or(Goal::Gone, |user| Goal::Person(user.id, user.name)))
}

/// Returns the version of a draft.
pub(in crate::workspace) fn version(draft: &Draft) -> String {
    let Draft { conversation_id, person_id, thread_id, text, via_label, updated_at, .. } = draft;
    let place = (conversation_id.map(|id| id.0), person_id.map(|id| id.0), thread_id.map(|id| id.0));
    hex(&key_hash(&format!("{place:?} {} {via_label:?} {text}", updated_at.micros())))
}

/// Returns a draft as its owner sees it.
pub(in crate::workspace) async fn shown<C: ReadSql>(
    c: &mut C,
    who: Employee,
    draft: Draft,
) -> Result<ShownDraft> {
    let (goal, version) = (goal(c, who, &draft).await?, version(&draft));
    Ok(ShownDraft {
        version,
        id: draft.id,
        goal,
        is_to_person: draft.person_id.is_some(),
        thread_id: draft.thread_id,
        text: draft.text,
        via_label: draft.via_label,
        created_at: draft.created_at,
        updated_at: draft.updated_at,
    })
}
