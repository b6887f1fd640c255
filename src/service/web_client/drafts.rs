//! Drafts that assistants have written for a person. The person can send a draft, with or without a change of its text,
//! or discard the draft. No other person sees the draft.

use std::collections::HashMap;

use super::recipients::{self, InactiveRecipient};
use crate::{
    domain::{
        assistant::sending::AssistantSends,
        conversation::ConversationKind,
        cursor::CursorScope,
        ids::{ConversationId, DraftId, MessageId, UserId},
        message::check_text,
        refusal::Code,
        time::Timestamp,
    },
    service::{
        callers::Person,
        employee::{
            Employee,
            draft::{self, DraftDestination, DraftEnd, end_of, find_for_update, shown_to, version},
            drafts::ShownDraft,
            send::{DraftDelivery, count_sent, label_of},
        },
        paging::{Page, PageRequest},
        refuse,
    },
    store::{
        Op, ReadOp, ReadSql, Result, Sql,
        conversation_lists::{self, FirstMember},
        conversations,
        drafts::{self as rows, Draft},
        users::{self, User},
        workspaces,
    },
};

/// Maximum number of present and past members of a conversation that are read to find guests and bots.
const MAX_READERS: i64 = 200;
/// Maximum number of bots whose names are shown for a draft.
const MAX_NAMED_BOTS: usize = 5;

/// A draft that is neither sent nor discarded, with the readers that the message would have.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnDraft {
    pub draft: ShownDraft,
    pub readers: DraftReaders,
    /// Whether only the owner can send the draft, because the company requires its people to confirm the messages of
    /// assistants.
    pub waits_for_owner: bool,
}

/// The readers that the message of a draft would have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DraftReaders {
    /// One person, in a direct conversation.
    Person,
    /// The app of a bot, in a direct conversation with the bot.
    App,
    /// No reader, because the recipient of the direct message no longer receives messages.
    Inactive(InactiveRecipient),
    Members {
        /// Number of active people, including the sender.
        count: i64,
        others: OtherReaders,
    },
    /// The destination is no longer visible to the owner.
    Nobody,
}

/// Guests and bots among the members of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherReaders {
    /// Whether all members were checked. If `false`, the conversation may have more guests and bots.
    pub is_complete: bool,
    pub has_guests: bool,
    /// Number of bots. [`DraftReaders::Members::count`] does not include them.
    pub bots: usize,
    /// Names of up to five of the bots.
    pub bot_names: Vec<String>,
}

/// A draft in any state.
#[derive(Clone, Debug, PartialEq)]
pub enum DraftState {
    Open(OwnDraft),
    /// The draft was sent.
    Sent {
        id: DraftId,
        at: Timestamp,
        message: MessageId,
        /// The destination, as the owner of the draft sees it now.
        destination: DraftDestination,
        /// The conversation of the message.
        conversation: (ConversationKind, ConversationId),
        /// The present text of the message. `None` if the message was deleted, or if the owner of the draft does not
        /// see the message.
        text: Option<String>,
    },
    Discarded {
        id: DraftId,
        at: Timestamp,
    },
}

/// The decision of a draft's owner about the draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DraftDecision {
    Send {
        /// The text to send; `None` for the stored text.
        text: Option<String>,
        /// The version of the draft that the owner has seen. `None` if the client, for example a script, sends no
        /// version. Then the draft is sent even if an assistant has changed it after the owner saw it.
        seen: Option<String>,
    },
    Discard,
}

/// Result of a [`DraftDecision`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decided {
    /// The draft was sent or discarded.
    Done,
    /// Nothing was changed, because the draft had been sent or discarded before.
    Ended,
    /// Nothing was changed, because an assistant changed the draft after the owner saw it.
    Changed,
}

impl Person<'_> {
    /// Lists the person's drafts that are neither sent nor discarded, newest first.
    ///
    /// # Errors
    /// `invalid_cursor`.
    pub async fn drafts(self, request: PageRequest<'_>) -> Result<Page<OwnDraft>> {
        let scope =
            CursorScope { endpoint: "pages.drafts", owner: self.user_id().0, conversation: None, filter: "" };
        let before = DraftId(self.world().position(&scope, request.cursor, i64::MAX)?);
        let op = ListOwn { employee: self.into(), before, limit: i64::from(request.limit) + 1 };
        let found = self.world().db.read(op).await?;
        Ok(self.world().page(&scope, request.limit, found, |own| own.draft.id.0))
    }

    /// Returns one of the person's drafts. A draft stays available for a week after it was sent or discarded.
    ///
    /// # Errors
    /// `not_found`, also for drafts of other people.
    pub async fn draft(self, id: Option<DraftId>) -> Result<DraftState> {
        let Some(id) = id else { return refuse(Code::NotFound) };
        self.world().db.read(FindOwn { employee: self.into(), id }).await
    }

    /// Sends or discards one of the person's drafts. The message has the label of the assistant that last wrote the
    /// draft, even if the owner has changed the text. If the draft has changed since the version
    /// [`seen`](DraftDecision::Send::seen), nothing is sent.
    ///
    /// # Errors
    /// - `not_found`, also for drafts of other people.
    /// - `invalid_request` for an invalid text, and for a reply if the first message of its thread was deleted or is no
    ///   longer visible.
    /// - Errors of people's messages: `conversation_not_found`, `not_in_conversation`, `not_allowed_in_conversation`,
    ///   `conversation_archived`, `user_not_found`, `user_deactivated`.
    pub async fn decide_draft(self, id: Option<DraftId>, decision: DraftDecision) -> Result<Decided> {
        let Some(id) = id else { return refuse(Code::NotFound) };
        let stamp = self.world().stamp();
        let direct_id = ConversationId(stamp.id()?);
        let delivery = DraftDelivery { stamp, direct_id, employee: self.into() };
        let (decided, sent_to) = self.caller().write(DecideDraft { delivery, id, decision }).await?;
        if let Some(kind) = sent_to {
            count_sent(kind);
        }
        Ok(decided)
    }
}

/// Returns a draft of the person.
///
/// # Errors
/// `not_found`, also for drafts of other people.
async fn owned<C: ReadSql>(c: &mut C, employee: Employee, id: DraftId) -> Result<Draft> {
    match rows::by_id(c, id).await?.filter(|draft| draft.owner_id == employee.user_id) {
        Some(draft) => Ok(draft),
        None => refuse(Code::NotFound),
    }
}

/// Returns drafts as their owner sees them, in the given order. The number of statements does not grow with the number
/// of drafts.
async fn own<C: ReadSql>(c: &mut C, employee: Employee, drafts: Vec<Draft>) -> Result<Vec<OwnDraft>> {
    let destinations = draft::destinations(c, employee, &drafts).await?;
    let (mut conversation_ids, mut users) = (Vec::new(), Vec::new());
    for destination in &destinations {
        match destination {
            DraftDestination::Conversation(heading) if heading.conversation.kind.is_dm() => {
                users.extend(heading.with.as_ref().map(|(id, _)| *id));
            }
            DraftDestination::Conversation(heading) => conversation_ids.push(heading.conversation.id),
            DraftDestination::Person(id, _) => users.push(*id),
            DraftDestination::NotVisible { .. } => {}
        }
    }
    conversation_ids.sort_unstable();
    conversation_ids.dedup();
    let mut members = match conversation_ids.is_empty() {
        true => Vec::new(),
        false => conversation_lists::first_members(c, &conversation_ids, MAX_READERS).await?,
    };
    members.sort_unstable_by_key(|member| (member.conversation_id, member.user_id));
    for id in &conversation_ids {
        let bots = members.iter().filter(|member| member.conversation_id == *id && is_bot_member(member));
        users.extend(bots.take(MAX_NAMED_BOTS).map(|bot| bot.user_id));
    }
    let users = match users.is_empty() {
        true => Vec::new(),
        false => users::by_ids(c, &users).await?,
    };
    let inactive = recipients::inactive(c, &users).await?;
    let found = ReaderData { members, users, inactive };
    let company = workspaces::by_id(c, employee.workspace_id).await?;
    let waits_for_owner = company.is_some_and(|company| company.assistant_sends == AssistantSends::Confirm);
    let shown = |(destination, draft): (DraftDestination, Draft)| {
        let readers = found.readers(&destination);
        OwnDraft { draft: shown_to(destination, draft), readers, waits_for_owner }
    };
    Ok(destinations.into_iter().zip(drafts).map(shown).collect())
}

/// Whether a row belongs to a bot that is currently a member.
fn is_bot_member(member: &FirstMember) -> bool {
    member.is_member && member.is_bot
}

/// The data from which [`DraftReaders`] are computed.
struct ReaderData {
    /// Up to [`MAX_READERS`] present and past members of each destination that is a group or a channel.
    members: Vec<FirstMember>,
    /// The users of direct destinations, and the first bots of the other conversations.
    users: Vec<User>,
    /// Those of `users` who no longer receive messages.
    inactive: HashMap<UserId, InactiveRecipient>,
}

impl ReaderData {
    fn readers(&self, destination: &DraftDestination) -> DraftReaders {
        match destination {
            DraftDestination::NotVisible { .. } => DraftReaders::Nobody,
            DraftDestination::Person(id, _) => self.reader(*id),
            DraftDestination::Conversation(heading) if heading.conversation.kind.is_dm() => {
                heading.with.as_ref().map_or(DraftReaders::Person, |(id, _)| self.reader(*id))
            }
            DraftDestination::Conversation(heading) => DraftReaders::Members {
                count: heading.conversation.member_count,
                others: self.others(heading.conversation.id),
            },
        }
    }

    /// Returns the reader of a direct message to a user.
    fn reader(&self, id: UserId) -> DraftReaders {
        match (self.inactive.get(&id), self.user(id)) {
            (Some(inactive), _) => DraftReaders::Inactive(*inactive),
            (None, Some(user)) if user.is_bot => DraftReaders::App,
            (None, _) => DraftReaders::Person,
        }
    }

    fn user(&self, id: UserId) -> Option<&User> {
        self.users.iter().find(|user| user.id == id)
    }

    fn others(&self, id: ConversationId) -> OtherReaders {
        let members = || self.members.iter().filter(|member| member.conversation_id == id);
        let bots: Vec<UserId> =
            members().filter(|member| is_bot_member(member)).map(|bot| bot.user_id).collect();
        let named = bots.iter().take(MAX_NAMED_BOTS).filter_map(|bot| self.user(*bot));
        OtherReaders {
            is_complete: i64::try_from(members().count()).is_ok_and(|found| found < MAX_READERS),
            has_guests: members().any(|member| member.is_member && member.is_external),
            bots: bots.len(),
            bot_names: named.map(|bot| bot.name.clone()).collect(),
        }
    }
}

struct ListOwn {
    employee: Employee,
    before: DraftId,
    limit: i64,
}

impl ReadOp for ListOwn {
    const NAME: &'static str = "list_own_drafts";
    type Out = Vec<OwnDraft>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Vec<OwnDraft>> {
        let drafts = rows::open_page(c, self.employee.user_id, self.before, self.limit).await?;
        own(c, self.employee, drafts).await
    }
}

struct FindOwn {
    employee: Employee,
    id: DraftId,
}

impl ReadOp for FindOwn {
    const NAME: &'static str = "find_own_draft";
    type Out = DraftState;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<DraftState> {
        let draft = owned(c, self.employee, self.id).await?;
        Ok(match end_of(&draft) {
            None => match own(c, self.employee, vec![draft]).await?.pop() {
                Some(own) => DraftState::Open(own),
                None => return refuse(Code::NotFound),
            },
            Some(DraftEnd::Discarded) => {
                DraftState::Discarded { id: draft.id, at: draft.discarded_at.unwrap_or(draft.updated_at) }
            }
            Some(DraftEnd::Sent { at, to, message }) => {
                let destination = draft::destination(c, self.employee, &draft).await?;
                DraftState::Sent {
                    id: draft.id,
                    at,
                    message,
                    conversation: (conversations::kind(c, to).await?, to),
                    text: draft::sent_text(c, self.employee, &destination, message).await?,
                    destination,
                }
            }
        })
    }
}

struct DecideDraft {
    delivery: DraftDelivery,
    id: DraftId,
    decision: DraftDecision,
}

impl Op for DecideDraft {
    const NAME: &'static str = "decide_draft";
    /// The result, and the kind of the conversation to which the draft was sent. The kind is `None` if the draft was
    /// not sent.
    type Out = (Decided, Option<ConversationKind>);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let DraftDelivery { stamp, employee, .. } = &self.delivery;
        self.delivery.lock_persons(c, self.id).await?;
        // a concurrent decision about the same draft, by an assistant's tool or in another window, waits here
        let mut draft = find_for_update(c, *employee, self.id).await?;
        if end_of(&draft).is_some() {
            return Ok((Decided::Ended, None));
        }
        let DraftDecision::Send { text, seen } = &self.decision else {
            rows::discard(c, draft.id, stamp.now).await?;
            return Ok((Decided::Done, None));
        };
        // The versions are compared before the text is checked, so that the owner learns of the assistant's change even
        // if the text is invalid.
        if seen.as_ref().is_some_and(|seen| *seen != version(&draft)) {
            return Ok((Decided::Changed, None));
        }
        if let Some(text) = text {
            check_text(text)?;
        }
        if let Some(text) = text.as_ref().filter(|text| **text != draft.text) {
            draft.text.clone_from(text);
            rows::update(c, &draft).await?;
        }
        let label = label_of(&draft);
        let (_, conversation) = self.delivery.post(c, &draft, &label).await?;
        Ok((Decided::Done, Some(conversation.kind)))
    }
}
