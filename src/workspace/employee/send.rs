//! Sending a draft: once, as the employee, under the rules of a person's message, with the label of the connection.

use super::{
    Employee,
    access::{Heading, PersonRef, Place},
    drafts::{self, Goal, RepeatKey},
};
use crate::{
    domain::{
        conversation::ConversationKind,
        ids::{ConversationId, DraftId, MessageId},
        refusal::{Code, Refusal},
        time::Timestamp,
    },
    platform::metrics::{IDEMPOTENT_REPLAYS, MESSAGES_SENT},
    store::{
        Engine, Locks, Op, Result, Sql, conversations,
        drafts::{self as rows, Draft},
        messages, users,
    },
    workspace::{
        Stamp, World,
        assistants::{caller::AssistantCaller, connections::Connected},
        conversations::direct_message,
        posts::{Prepared, post_prepared},
        refuse,
    },
};

/// A message that a draft became.
#[derive(Clone, Debug, PartialEq)]
pub struct SentDraft {
    pub draft_id: DraftId,
    pub id: MessageId,
    pub conversation: (ConversationKind, ConversationId),
    pub thread_id: Option<MessageId>,
    pub text: String,
    /// As it is on the message.
    pub via_label: Option<String>,
    pub created_at: Timestamp,
    /// None when the employee does not see the conversation any more.
    pub heading: Option<Heading>,
    /// A repeat: nothing was sent now.
    pub replayed: bool,
}

impl World {
    /// Sends a draft as the employee. A repeat with the same key answers the first result.
    ///
    /// # Errors
    /// `token_revoked` for a connection that was revoked meanwhile; `idempotency_key_reused`; `not_found` for the draft;
    /// `conflict` when it was sent ("already sent"); those of a person's message: `conversation_not_found`,
    /// `not_in_conversation`, `not_allowed_in_conversation`, `conversation_archived`, `user_deactivated`,
    /// `user_not_found`; `invalid_request` for a thread that is gone.
    pub async fn send_draft(
        &self,
        connected: &Connected,
        id: Option<DraftId>,
        key: Option<RepeatKey>,
    ) -> Result<SentDraft> {
        let Some(id) = id else { return refuse(Code::NotFound) };
        let at = self.stamp();
        let direct_id = ConversationId(at.id()?);
        let label = connected.display_name.clone();
        let caller = AssistantCaller::from(connected);
        let send = Send { at, direct_id, caller, who: caller.employee, label, id, key };
        let sent = self.db.write(send).await?;
        if sent.replayed {
            metrics::counter!(IDEMPOTENT_REPLAYS, "operation" => Send::NAME).increment(1);
        } else {
            let destination = sent.conversation.0.name();
            metrics::counter!(MESSAGES_SENT, "sender" => "person", "destination" => destination).increment(1);
        }
        Ok(sent)
    }
}

struct Send {
    at: Stamp,
    /// The id of the direct-message conversation, should this be its first message.
    direct_id: ConversationId,
    caller: AssistantCaller,
    who: Employee,
    label: String,
    id: DraftId,
    key: Option<RepeatKey>,
}

impl Op for Send {
    const NAME: &'static str = "send_draft";
    type Out = SentDraft;

    fn locks(&self) -> Locks {
        self.caller.locks()
    }

    async fn run<C: Sql>(&self, c: &mut C) -> Result<SentDraft> {
        self.caller.check_connected(c, self.at.now).await?;
        self.hold_persons(c).await?;
        // a second call waits for this one here, with the same key at the first and without at the second
        let repeated = drafts::claim(c, self.who, self.key, self.id, self.at.now).await?.is_some();
        let draft = drafts::held(c, self.who, self.id).await?;
        if let (Some(sent_at), Some(to), Some(message)) = (draft.sent_at, draft.sent_to, draft.sent_message) {
            if repeated {
                return self.earlier(c, draft, (to, message, sent_at)).await;
            }
            let kind = conversations::kind(c, to).await?;
            let why = format!("already sent as {}", message.encode(kind.is_dm()));
            return Err(Refusal::because(Code::Conflict, why).into());
        }
        let goal = self.destination(c, &draft).await?;
        let prepared = Prepared {
            sender: self.who.user_id,
            text: &draft.text,
            thread_id: draft.thread_id,
            via_label: &self.label,
        };
        let (message, conversation) = post_prepared(c, &self.at, goal, &prepared).await?;
        rows::sent(c, draft.id, self.at.now, (conversation.id, message.id)).await?;
        let sent = Draft { sent_to: Some(conversation.id), ..draft };
        Ok(SentDraft {
            draft_id: sent.id,
            id: message.id,
            conversation: (conversation.kind, conversation.id),
            thread_id: message.thread_id,
            via_label: message.via_label,
            created_at: message.created_at,
            heading: self.heading(c, &sent).await?,
            text: sent.text,
            replayed: false,
        })
    }
}

impl Send {
    /// Locks both people of a draft to a person, whose direct messages may be begun: before the draft, because a removal
    /// locks the person first and then deletes the person's drafts. A draft that is directed elsewhere in between is sent
    /// as it is then.
    async fn hold_persons<C: Sql>(&self, c: &mut C) -> Result<()> {
        if c.engine() == Engine::Postgres
            && let Some(draft) =
                rows::by_id(c, self.id).await?.filter(|draft| draft.owner_id == self.who.user_id)
            && let Some(person) = draft.person_id
        {
            users::by_ids_for_update(c, &[self.who.user_id, person]).await?;
        }
        Ok(())
    }

    async fn destination<C: Sql>(&self, c: &mut C, draft: &Draft) -> Result<ConversationId> {
        if let Some(id) = draft.conversation_id {
            let kind = conversations::kind(c, id).await?;
            let place = Place::Conversation(Some((kind, id)));
            return Ok(super::access::open_place(c, self.who, &place).await?.0.id);
        }
        let person = drafts::addressee(c, self.who, &PersonRef::Id(draft.person_id)).await?;
        let pair = (self.who.user_id, person.id);
        Ok(direct_message(c, &self.at, self.direct_id, self.who.workspace_id, pair).await?.id)
    }

    async fn heading<C: Sql>(&self, c: &mut C, draft: &Draft) -> Result<Option<Heading>> {
        Ok(match drafts::goal(c, self.who, draft).await? {
            Goal::Conversation(heading) => Some(heading),
            Goal::Person(..) | Goal::Gone => None,
        })
    }

    /// What the first call answered.
    async fn earlier<C: Sql>(
        &self,
        c: &mut C,
        draft: Draft,
        (to, id, sent_at): (ConversationId, MessageId, Timestamp),
    ) -> Result<SentDraft> {
        let kind = conversations::kind(c, to).await?;
        // gone if it was deleted since: it was sent all the same
        let message = messages::in_conversation(c, to, id).await?;
        Ok(SentDraft {
            draft_id: draft.id,
            id,
            conversation: (kind, to),
            thread_id: draft.thread_id,
            via_label: message.as_ref().map_or_else(|| Some(self.label.clone()), |m| m.via_label.clone()),
            created_at: message.map_or(sent_at, |message| message.created_at),
            heading: self.heading(c, &draft).await?,
            text: draft.text,
            replayed: true,
        })
    }
}
