//! The conversations whose messages a response shows. The response is a page, a link to a file, or the result of an
//! assistant's search.
//!
//! Before the response is sent, the server checks that the person still sees the messages. The check is needed because
//! the person can be removed from a conversation after its messages were read
//! (`docs/decisions/0030-revocations-and-answers.md`).

use std::collections::HashMap;

use crate::{
    domain::{
        conversation::ConversationKind,
        ids::{ConversationId, MessageId},
        refusal::Code,
    },
    service::{callers::employee::Employee, refuse},
    store::{
        LockKey, ReadSql, Result,
        conversation_lists::{self, ConversationMembership},
        op,
    },
};

/// A conversation whose messages were read for a response to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownConversation {
    pub(in crate::service) employee: Employee,
    /// `None` if the text that the request sent as the id is not a conversation id.
    pub(in crate::service) id: Option<(ConversationKind, ConversationId)>,
    /// For a page or a link to a file, the lowest message id that the person was allowed to see in the conversation.
    /// For search results, the lowest id of a found message in the conversation.
    pub(in crate::service) visible_from: MessageId,
}

impl ShownConversation {
    /// Returns the conversations of `messages`. The `visible_from` of a conversation is the id of its oldest message in
    /// `messages`.
    pub(in crate::service) fn of_messages(
        employee: Employee,
        messages: impl Iterator<Item = ((ConversationKind, ConversationId), MessageId)>,
    ) -> Vec<Self> {
        let mut oldest = HashMap::new();
        for ((kind, conversation), message) in messages {
            let found = oldest.entry(conversation).or_insert((kind, message));
            found.1 = found.1.min(message);
        }
        let shown = |(conversation, (kind, visible_from))| Self {
            employee,
            id: Some((kind, conversation)),
            visible_from,
        };
        oldest.into_iter().map(shown).collect()
    }

    /// Returns the key of the lock for responses that rely on who may see the conversation ([`LockKey::audience`]). On
    /// PostgreSQL, the removal of a member is acknowledged only after every transaction that holds this lock has ended.
    /// Returns `None` if `id` is `None`.
    pub(in crate::service) fn audience(&self) -> Option<LockKey> {
        self.id.map(|(_, id)| LockKey::audience(id))
    }

    /// Checks that a person still sees the messages that were read from the conversations `all`. One statement checks
    /// all conversations. They must have been read for the same person.
    ///
    /// # Errors
    /// `conversation_not_found` unless for each conversation of `all`:
    /// - `id` names a conversation that is not deleted;
    /// - the person is a member of the conversation;
    /// - the person sees all messages from `visible_from` on. A person who has left a conversation and joined it again
    ///   sees only messages after the last join.
    pub(in crate::service) async fn check_all<C: ReadSql>(c: &mut C, all: &[Self]) -> Result<()> {
        let Some(Self { employee, .. }) = all.first() else { return Ok(()) };
        let ids: Vec<ConversationId> = all.iter().filter_map(|shown| shown.id).map(|(_, id)| id).collect();
        let found = conversation_lists::memberships(c, employee.user_id, &ids).await?;
        let found: HashMap<_, _> = found.into_iter().map(|row| (row.conversation_id, row)).collect();
        // `found` contains only the memberships of `employee`, so it cannot confirm what another person sees
        if all.iter().all(|shown| shown.employee == *employee && shown.is_visible(&found)) {
            Ok(())
        } else {
            refuse(Code::ConversationNotFound)
        }
    }

    /// Returns whether the person still sees the messages that were read. `found` contains the person's memberships.
    fn is_visible(&self, found: &HashMap<ConversationId, ConversationMembership>) -> bool {
        let Some((kind, id)) = self.id else { return false };
        found.get(&id).is_some_and(|membership| {
            membership.workspace_id == self.employee.workspace_id
                && membership.kind == kind
                && !membership.is_deleted
                && membership.is_member
                && membership.visible_from <= self.visible_from
        })
    }
}

/// The operation that runs [`ShownConversation::check_all`].
pub(in crate::service) struct ConfirmShown(pub(in crate::service) Vec<ShownConversation>);

op! { ReadOp "confirm_member": ConfirmShown -> () = |op, c| ShownConversation::check_all(c, &op.0) }
