//! Posts an assistant's draft as a message of the employee, at most once. The rules for people's messages apply. The
//! message has the label of the assistant.
//!
//! If the company requires its people to confirm the drafts of assistants ([`AssistantSends::Confirm`]), the tool
//! `send_draft` posts nothing. Instead, it asks the employee to send or discard the draft on a page. Later calls of the
//! tool for this draft return the outcome.
//!
//! The transaction that posts the message also reads the setting, under a shared lock. The response to a change of the
//! setting waits until the transactions that hold this lock have ended. So after the response, assistants post nothing
//! under the former setting.

use super::{
    Assistant, Employee,
    access::{ConversationRef, Heading, PersonRef},
    draft::{self, DraftDestination, DraftEnd, end_of},
    drafts::{self, IdempotencyKey},
};
use crate::{
    domain::{
        assistant::sending::AssistantSends,
        conversation::ConversationKind,
        ids::{ConversationId, DraftId, MessageId},
        refusal::{Code, Refusal},
        time::Timestamp,
    },
    platform::metrics::{IDEMPOTENT_REPLAYS, MESSAGES_SENT},
    service::{
        Stamp,
        conversations::direct_message,
        messages::{PreparedMessage, may_post, post_prepared},
        oauth::assistant_caller::AssistantCaller,
        refuse,
    },
    store::{
        Engine, Op, ReadSql, Result, Sql,
        conversations::{self, Conversation},
        drafts::{self as rows, Draft},
        messages::{self, Message},
        users, workspaces,
    },
};

/// Label for a draft that an earlier version of the server stored without a label.
const UNKNOWN_LABEL: &str = "an assistant";

/// A message sent from a draft.
#[derive(Clone, Debug, PartialEq)]
pub struct SentDraft {
    pub draft_id: DraftId,
    pub id: MessageId,
    pub conversation: (ConversationKind, ConversationId),
    pub thread_id: Option<MessageId>,
    /// The present text of the message; `None` if the message was deleted, or if the employee no longer sees it.
    pub text: Option<String>,
    /// Whether the message was deleted. `false` if the employee must not learn of the deletion.
    pub is_deleted: bool,
    /// The label of the message, even if the message was deleted.
    pub via_label: String,
    pub created_at: Timestamp,
    /// `None` if the employee no longer sees the conversation.
    pub heading: Option<Heading>,
    /// Whether the draft was sent before this call.
    pub replayed: bool,
}

/// A draft that waits for its owner's confirmation.
#[derive(Clone, Debug, PartialEq)]
pub struct WaitingDraft {
    pub draft_id: DraftId,
    pub destination: DraftDestination,
    pub text: String,
    /// Whether this call is the first one that asks the owner to confirm the draft with its present content.
    pub is_first: bool,
    /// Whether the server asks the client to open the page on which the owner confirms the draft.
    pub elicits: bool,
    /// The version of the draft that waits for confirmation.
    pub version: String,
}

/// How the server can ask the MCP client of a call to open the page on which the employee confirms the draft. The
/// server asks by an elicitation request with the URL of the page. For each version of a draft, it sends at most one
/// such request. The exception is [`PageElicitation::InsteadOfResult`]: its request is repeated until the client
/// responds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageElicitation {
    /// The client cannot be asked.
    Unsupported,
    /// The elicitation request is sent with the result of the call.
    WithResult,
    /// The elicitation request is sent instead of the result. The client then repeats the call with its response to
    /// the request. Until the repeated call arrives, the client counts as not asked, because the request can have been
    /// lost.
    InsteadOfResult,
    /// The call contains the client's response to an elicitation request. `version` is the version of the draft that
    /// the request was about; `None` if the call contains no version.
    Answered { version: Option<String> },
}

/// The outcome of sending a draft as an assistant.
#[derive(Clone, Debug, PartialEq)]
pub enum Sending {
    Sent(SentDraft),
    /// The owner has to confirm the draft, because the company requires it.
    Waiting(WaitingDraft),
    /// The owner discarded the draft.
    Discarded(DraftId),
}

impl Assistant<'_> {
    /// Sends a draft as the employee, or asks the employee to confirm the draft if the company requires a confirmation
    /// ([`AssistantSends`]). If the employee has discarded the draft, returns [`Sending::Discarded`].
    ///
    /// If the draft was sent before, fails with `conflict`, except in these three cases:
    ///
    /// - The call is a replay of its idempotency key.
    /// - The employee was asked to confirm the draft.
    /// - The company requires a confirmation.
    ///
    /// In these cases, returns the sent message.
    ///
    /// # Errors
    /// In this order:
    ///
    /// - `not_found` for text that is not a draft id.
    /// - `token_revoked` if the connection was revoked in the meantime.
    /// - `idempotency_key_reused`.
    /// - `not_found` for an unknown draft.
    /// - `conflict` ("already sent") if the draft was sent, except in the three cases above.
    /// - Errors of posting as a person: `conversation_not_found`, `not_in_conversation`, `not_allowed_in_conversation`,
    ///   `conversation_archived`, `user_deactivated`, `user_not_found`.
    /// - `invalid_request` if the first message of the thread was deleted or is no longer visible to the employee.
    pub async fn send_draft(
        self,
        id: Option<DraftId>,
        key: Option<IdempotencyKey>,
        elicitation: PageElicitation,
    ) -> Result<Sending> {
        let connected = self.connected;
        let Some(id) = id else { return refuse(Code::NotFound) };
        let stamp = self.world.stamp();
        let direct_id = ConversationId(stamp.id()?);
        let label = connected.display_name().to_owned();
        let caller = AssistantCaller::new(connected, stamp.now);
        let delivery = DraftDelivery { stamp, direct_id, employee: connected.into() };
        let send = SendDraft { delivery, label, id, key, elicitation };
        let (sending, is_replay) = self.world.write_for(caller, send).await?;
        match &sending {
            Sending::Sent(sent) if !sent.replayed => count_sent(sent.conversation.0),
            // The metric counts replays of an idempotency key. It does not count other calls that return a message that
            // was sent before.
            Sending::Sent(_) if is_replay => {
                metrics::counter!(IDEMPOTENT_REPLAYS, "operation" => SendDraft::NAME).increment(1);
            }
            Sending::Sent(_) | Sending::Waiting(_) | Sending::Discarded(_) => {}
        }
        Ok(sending)
    }
}

/// Increments the metric [`MESSAGES_SENT`] for a draft that was sent.
pub(in crate::service) fn count_sent(kind: ConversationKind) {
    metrics::counter!(MESSAGES_SENT, "sender" => "person", "destination" => kind.name()).increment(1);
}

struct SendDraft {
    delivery: DraftDelivery,
    label: String,
    id: DraftId,
    key: Option<IdempotencyKey>,
    elicitation: PageElicitation,
}

impl Op for SendDraft {
    const NAME: &'static str = "send_draft";
    /// The outcome, and whether the call is a replay of its idempotency key.
    type Out = (Sending, bool);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let (delivery, employee) = (&self.delivery, self.delivery.employee);
        delivery.lock_persons(c, self.id).await?;
        // The draft is sent once, so on PostgreSQL a concurrent call for the same draft has to wait. For a draft to a
        // person, the call already waits in `lock_persons`. For any other draft, a call with the same key waits for the
        // claim of the key, and a call with another key or none waits for the lock of the draft in `send`.
        let is_replay = drafts::claim(c, employee, self.key, self.id, delivery.stamp.now).await?.is_some();
        Ok((self.send(c, is_replay).await?, is_replay))
    }
}

impl SendDraft {
    async fn send<C: Sql>(&self, c: &mut C, is_replay: bool) -> Result<Sending> {
        let (delivery, employee) = (&self.delivery, self.delivery.employee);
        let draft = draft::find_for_update(c, employee, self.id).await?;
        let company = workspaces::by_id(c, employee.workspace_id).await?;
        let needs_confirmation =
            company.is_some_and(|company| company.assistant_sends == AssistantSends::Confirm);
        match end_of(&draft) {
            Some(DraftEnd::Discarded) => return Ok(Sending::Discarded(draft.id)),
            Some(DraftEnd::Sent { at, to, message }) => {
                if is_replay || needs_confirmation || draft.asked_at.is_some() {
                    return Ok(Sending::Sent(delivery.sent_before(c, draft, (to, message, at)).await?));
                }
                let kind = conversations::kind(c, to).await?;
                let why = format!("already sent as {}", message.encode(kind.is_dm()));
                return Err(Refusal::because(Code::Conflict, why).into());
            }
            None if needs_confirmation => return self.ask_to_confirm(c, draft).await,
            None => {}
        }
        let (message, conversation) = delivery.post(c, &draft, &self.label).await?;
        let sent = Draft { sent_to: Some(conversation.id), ..draft };
        Ok(Sending::Sent(SentDraft {
            draft_id: sent.id,
            id: message.id,
            conversation: (conversation.kind, conversation.id),
            thread_id: message.thread_id,
            via_label: self.label.clone(),
            created_at: message.created_at,
            heading: heading(draft::destination(c, employee, &sent).await?),
            text: Some(sent.text),
            is_deleted: false,
            replayed: false,
        }))
    }

    /// Asks the employee to confirm the draft.
    ///
    /// # Errors
    /// The errors with which sending the draft would fail now.
    async fn ask_to_confirm<C: Sql>(&self, c: &mut C, draft: Draft) -> Result<Sending> {
        use PageElicitation::{Answered, InsteadOfResult, Unsupported, WithResult};
        self.delivery.check(c, &draft).await?;
        let now = self.delivery.stamp.now;
        let is_first = draft.asked_at.is_none();
        let was_elicited = draft.elicited_at.is_some();
        let present_version = draft::version(&draft);
        let (elicits, is_elicited) = match &self.elicitation {
            Unsupported => (false, was_elicited),
            WithResult => (!was_elicited, true),
            InsteadOfResult => (!was_elicited, was_elicited),
            // If the draft was changed after the client was asked, the response is for an earlier version. So it does
            // not count as a response for the present version.
            Answered { version: Some(version) } => (false, was_elicited || *version == present_version),
            // The response contains no version. It counts if the employee was already asked about the present version.
            Answered { version: None } => (false, was_elicited || !is_first),
        };
        if is_first || is_elicited != was_elicited {
            let elicited_at = draft.elicited_at.or(is_elicited.then_some(now));
            rows::asked(c, draft.id, draft.asked_at.unwrap_or(now), elicited_at).await?;
        }
        let destination = draft::destination(c, self.delivery.employee, &draft).await?;
        Ok(Sending::Waiting(WaitingDraft {
            draft_id: draft.id,
            destination,
            text: draft.text,
            is_first,
            elicits,
            version: present_version,
        }))
    }
}

/// Posts a draft within an operation: a call of the tool `send_draft`, or the owner's request on the page.
pub(in crate::service) struct DraftDelivery {
    pub(in crate::service) stamp: Stamp,
    /// Id for a new direct conversation, in case the employee and the person have none yet.
    pub(in crate::service) direct_id: ConversationId,
    pub(in crate::service) employee: Employee,
}

impl DraftDelivery {
    /// For a draft to a person, locks the rows of the owner and the person, because their direct conversation may have
    /// to be created. Call this before the draft is locked: the removal of a person also locks the person's row first,
    /// and then deletes the person's drafts. The same order prevents a deadlock. If the draft's destination changes
    /// between this call and the lock of the draft, the draft is sent to the new destination. Does nothing on SQLite.
    pub(in crate::service) async fn lock_persons<C: Sql>(&self, c: &mut C, id: DraftId) -> Result<()> {
        if c.engine() == Engine::Postgres
            && let Some(draft) =
                rows::by_id(c, id).await?.filter(|draft| draft.owner_id == self.employee.user_id)
            && let Some(person) = draft.person_id
        {
            users::by_ids_for_update(c, &[self.employee.user_id, person]).await?;
        }
        Ok(())
    }

    /// Posts a locked draft that is neither sent nor discarded, and marks the draft as sent.
    ///
    /// # Errors
    /// - Errors of [`draft::addressee`] for a draft to a person, and of `access::open_conversation` for other drafts.
    /// - Errors of [`post_prepared`].
    pub(in crate::service) async fn post<C: Sql>(
        &self,
        c: &mut C,
        draft: &Draft,
        label: &str,
    ) -> Result<(Message, Conversation)> {
        let destination = match self.addressed_conversation(c, draft).await? {
            Some(id) => id,
            None => {
                let person = draft::addressee(c, self.employee, &PersonRef::Id(draft.person_id)).await?;
                let pair = (self.employee.user_id, person.id);
                direct_message(c, &self.stamp, self.direct_id, self.employee.workspace_id, pair).await?.id
            }
        };
        let posted = post_prepared(c, &self.stamp, destination, &self.prepared(draft, label)).await?;
        rows::sent(c, draft.id, self.stamp.now, (posted.1.id, posted.0.id), label).await?;
        Ok(posted)
    }

    /// Checks that [`DraftDelivery::post`] would accept a draft now.
    async fn check<C: Sql>(&self, c: &mut C, draft: &Draft) -> Result<()> {
        let destination = match self.addressed_conversation(c, draft).await? {
            Some(id) => Some(id),
            None => {
                let person = draft::addressee(c, self.employee, &PersonRef::Id(draft.person_id)).await?;
                conversations::direct(c, self.employee.user_id, person.id).await?
            }
        };
        if let Some(id) = destination {
            may_post(c, id, &self.prepared(draft, UNKNOWN_LABEL)).await?;
        }
        Ok(())
    }

    /// Returns the conversation to which a draft is addressed, and checks that the employee is a member of this
    /// conversation. Returns `None` if the draft is addressed to a person.
    async fn addressed_conversation<C: Sql>(
        &self,
        c: &mut C,
        draft: &Draft,
    ) -> Result<Option<ConversationId>> {
        let Some(id) = draft.conversation_id else { return Ok(None) };
        let kind = conversations::kind(c, id).await?;
        let named = ConversationRef::Conversation(Some((kind, id)));
        Ok(Some(super::access::open_conversation(c, self.employee, &named).await?.0.id))
    }

    const fn prepared<'a>(&self, draft: &'a Draft, label: &'a str) -> PreparedMessage<'a> {
        PreparedMessage {
            sender: self.employee.user_id,
            text: draft.text.as_str(),
            thread_id: draft.thread_id,
            via_label: label,
        }
    }

    /// Returns the message that was sent from a draft before.
    async fn sent_before<C: ReadSql>(
        &self,
        c: &mut C,
        draft: Draft,
        (to, id, sent_at): (ConversationId, MessageId, Timestamp),
    ) -> Result<SentDraft> {
        let kind = conversations::kind(c, to).await?;
        // `None` if the message was deleted
        let message = messages::in_conversation(c, to, id).await?;
        // After the draft was sent, the employee may have edited the message or left the conversation, or the
        // conversation may have been deleted (D-370).
        let destination = draft::destination(c, self.employee, &draft).await?;
        let text = draft::sent_text(c, self.employee, &destination, id).await?;
        // a person who left must not learn of a later deletion, even after joining again
        let is_deleted = message.is_none()
            && (conversations::member(c, to, self.employee.user_id).await?)
                .is_some_and(|member| member.left_at.is_none() && member.visible_from <= id);
        Ok(SentDraft {
            draft_id: draft.id,
            id,
            conversation: (kind, to),
            thread_id: draft.thread_id,
            created_at: message.as_ref().map_or(sent_at, |message| message.created_at),
            // if the message was deleted, the draft still has the label with which it was sent
            via_label: message.and_then(|message| message.via_label).unwrap_or_else(|| label_of(&draft)),
            is_deleted,
            heading: heading(destination),
            text,
            replayed: true,
        })
    }
}

/// Returns the label of the message that is or was sent from a draft.
pub(in crate::service) fn label_of(draft: &Draft) -> String {
    draft.via_label.clone().unwrap_or_else(|| UNKNOWN_LABEL.to_owned())
}

/// Returns the heading of the conversation of a sent draft; `None` if the employee does not see the conversation.
fn heading(destination: DraftDestination) -> Option<Heading> {
    match destination {
        DraftDestination::Conversation(heading) => Some(heading),
        DraftDestination::Person(..) | DraftDestination::NotVisible { .. } => None,
    }
}
