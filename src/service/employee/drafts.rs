//! Drafts: messages that assistants prepare for their employee. Only the employee and the employee's connections see a
//! draft. A draft that an assistant discards is deleted. A draft that was sent, or that the employee discarded on a
//! page, is kept for a week, so that a later call can return the outcome.

use std::time::Duration;

use super::{
    Assistant, Employee,
    access::{self, ConversationRef},
    draft::{DraftEnd, addressee, destinations, end_of, find_for_update, shown, shown_to},
};
use crate::{
    domain::{
        conversation::ConversationKind,
        cursor::CursorScope,
        ids::{DraftId, MessageId},
        message::{KEY_LIFE, check_text},
        refusal::{Code, Refusal},
        time::Timestamp,
    },
    service::{
        Stamp, World,
        batches::RETENTION_BATCH,
        conflict, invalid,
        messages::NamedMessage,
        oauth::assistant_caller::AssistantCaller,
        paging::{Page, PageRequest},
        refuse,
    },
    store::{
        LockKey, Locks, Op, ReadOp, ReadSql, Result, Sql, conversations,
        drafts::{self, Draft},
        messages, op,
    },
};

pub use super::draft::{DraftDestination, ShownDraft};

/// Maximum number of unsent drafts per employee.
pub const MAX_DRAFTS: i64 = 200;
/// How long a sent or discarded draft is kept.
const SENT_LIFE: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// The reason why a change to a sent draft is rejected.
const ALREADY_SENT: &str = "the draft was already sent, so it can no longer be changed";

/// An idempotency key of a tool call, with the fingerprint of the tool and its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// Hash of the key and the client that chose it.
    pub key_hash: [u8; 16],
    /// Hash of the key alone. Earlier versions stored this hash instead of `key_hash`, so two clients of an employee
    /// could not use the same key. A call also compares this hash with the stored hashes, because the call can be the
    /// replay of a call that an earlier version processed.
    pub shared_hash: [u8; 16],
    pub fingerprint: [u8; 16],
}

/// A new draft, or changes to a draft; `None` leaves a field unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drafting {
    /// The draft to change. `None` creates a draft, and `Some(None)` stands for text that is not a draft id.
    pub draft: Option<Option<DraftId>>,
    pub destination: Option<ConversationRef>,
    /// The message to reply to.
    pub thread: Option<NamedMessage>,
    pub text: Option<String>,
    pub key: Option<IdempotencyKey>,
}

impl Assistant<'_> {
    /// Creates or changes a draft. A replay of the idempotency key returns the existing draft.
    ///
    /// # Errors
    /// In this order:
    ///
    /// - `invalid_request` for an invalid text.
    /// - `token_revoked` if the connection was revoked in the meantime.
    /// - `not_found` for text that is not a draft id.
    /// - `idempotency_key_reused` if another call used the key.
    /// - `not_found` for an unknown draft, and for a draft that the employee discarded.
    /// - `conflict` if the draft was sent, or if the employee already has [`MAX_DRAFTS`] unsent drafts.
    /// - `invalid_request` for a new draft without destination.
    /// - Errors of the destination: `conversation_not_found`, `not_in_conversation`, `user_not_found`,
    ///   `user_deactivated`, or `invalid_request` for a bot or the employee.
    /// - Errors of the thread: `conversation_not_found`, `not_in_conversation` or `invalid_request`.
    /// - `invalid_request` for a new draft without text.
    pub async fn draft_message(self, drafting: Drafting) -> Result<ShownDraft> {
        let connected = self.connected;
        if let Some(text) = &drafting.text {
            check_text(text)?;
        }
        let stamp = self.world.stamp();
        let id = DraftId(stamp.id()?);
        let caller = AssistantCaller::new(connected, stamp.now);
        let label = connected.display_name().to_owned();
        self.world.write_for(caller, Put { stamp, id, employee: connected.into(), label, drafting }).await
    }

    /// Lists the employee's unsent drafts, newest first.
    ///
    /// # Errors
    /// `invalid_cursor`.
    pub async fn list_drafts(self, request: PageRequest<'_>) -> Result<Page<ShownDraft>> {
        let employee = self.employee();
        let scope =
            CursorScope { endpoint: "mcp.drafts", owner: employee.user_id.0, conversation: None, filter: "" };
        let before = DraftId(self.world.position(&scope, request.cursor, i64::MAX)?);
        let op = ListDrafts { employee, before, limit: i64::from(request.limit) + 1 };
        let found = self.world.db.read(op).await?;
        Ok(self.world.page(&scope, request.limit, found, |shown| shown.id.0))
    }

    /// Deletes an unsent draft. Does nothing if the call is a replay of the idempotency key, or if the employee has
    /// already discarded the draft.
    ///
    /// # Errors
    /// In this order:
    ///
    /// - `not_found` for text that is not a draft id.
    /// - `token_revoked` if the connection was revoked in the meantime.
    /// - `idempotency_key_reused` if another call used the key.
    /// - `not_found` for an unknown draft.
    /// - `conflict` if the draft was sent.
    pub async fn discard_draft(self, id: Option<DraftId>, key: Option<IdempotencyKey>) -> Result<()> {
        let connected = self.connected;
        let Some(id) = id else { return refuse(Code::NotFound) };
        let now = self.world.clock.now();
        let caller = AssistantCaller::new(connected, now);
        self.world.write_for(caller, Discard { employee: connected.into(), id, key, now }).await
    }
}

impl World {
    /// Deletes drafts sent or discarded over a week ago, and expired idempotency keys.
    pub(in crate::service) async fn delete_old_drafts(&self, now: Timestamp) -> Result<()> {
        let drafts = self.in_batches(RETENTION_BATCH, || DeleteSent(now)).await;
        drafts.and(self.in_batches(RETENTION_BATCH, || ForgetDraftKeys(now)).await)
    }
}

/// Claims an idempotency key. If this call is a replay, returns the id of the earlier call's draft. Returns `None` if
/// there is no key, or if the key is new.
///
/// # Errors
/// `idempotency_key_reused` if a call of another tool or with other arguments used the key.
pub(super) async fn claim<C: Sql>(
    c: &mut C,
    employee: Employee,
    key: Option<IdempotencyKey>,
    draft: DraftId,
    now: Timestamp,
) -> Result<Option<DraftId>> {
    let Some(IdempotencyKey { key_hash, shared_hash, fingerprint }) = key else { return Ok(None) };
    let (hashes, cutoff) = ((&key_hash, &shared_hash), now - KEY_LIFE);
    let owner = (employee.workspace_id, employee.user_id);
    if drafts::claim_key(c, owner, hashes, &fingerprint, draft, now, cutoff).await? {
        return Ok(None);
    }
    let used = drafts::used_keys(c, employee.user_id, hashes, cutoff).await?;
    match used.into_iter().find(|used| used.fingerprint == fingerprint) {
        Some(used) => Ok(Some(used.draft_id)),
        None => refuse(Code::IdempotencyKeyReused),
    }
}

/// Checks that a draft was neither sent nor discarded.
///
/// # Errors
/// `conflict` if it was sent, `not_found` if it was discarded.
fn check_open(draft: &Draft) -> Result<()> {
    match end_of(draft) {
        Some(DraftEnd::Sent { .. }) => conflict(ALREADY_SENT),
        Some(DraftEnd::Discarded) => discarded(),
        None => Ok(()),
    }
}

fn discarded<T>() -> Result<T> {
    Err(Refusal::because(Code::NotFound, "the draft was discarded").into())
}

struct Put {
    stamp: Stamp,
    id: DraftId,
    employee: Employee,
    /// Name of the assistant.
    label: String,
    drafting: Drafting,
}

impl Op for Put {
    const NAME: &'static str = "draft_message";
    type Out = ShownDraft;

    /// Locks the creation of drafts for the employee. Without the lock, concurrent calls could count the same drafts
    /// and together exceed [`MAX_DRAFTS`].
    fn locks(&self) -> Locks {
        match self.drafting.draft {
            None => Locks::default().and_exclusive(LockKey::drafts(self.employee.user_id)),
            Some(_) => Locks::default(),
        }
    }

    async fn run<C: Sql>(&self, c: &mut C) -> Result<ShownDraft> {
        let Drafting { draft, destination, thread, text, key } = &self.drafting;
        let id = match draft {
            None => self.id,
            Some(Some(id)) => *id,
            Some(None) => return refuse(Code::NotFound),
        };
        if let Some(earlier) = claim(c, self.employee, *key, id, self.stamp.now).await? {
            return match drafts::by_id(c, earlier).await? {
                Some(draft) => {
                    check_open(&draft)?;
                    shown(c, self.employee, draft).await
                }
                None => discarded(),
            };
        }
        let mut changed = match draft {
            Some(_) => find_for_update(c, self.employee, id).await?,
            None => self.new_draft(c, id).await?,
        };
        check_open(&changed)?;
        match destination {
            Some(destination) => self.set_destination(c, &mut changed, destination).await?,
            None if draft.is_none() => return invalid("a new draft needs a conversation or a person"),
            None => {}
        }
        if let Some(thread) = thread {
            changed.thread_id = Some(self.thread(c, &changed, *thread).await?);
        }
        match text {
            Some(text) => changed.text.clone_from(text),
            None if draft.is_none() => return invalid("a new draft needs a text"),
            None => {}
        }
        changed.updated_at = self.stamp.now;
        changed.via_label = Some(self.label.clone());
        // A pending confirmation applies to the previous content. It is cleared, so that the new content needs a new
        // confirmation.
        changed.asked_at = None;
        changed.elicited_at = None;
        if draft.is_some() {
            drafts::update(c, &changed).await?;
        } else {
            drafts::insert(c, &changed).await?;
        }
        shown(c, self.employee, changed).await
    }
}

impl Put {
    /// Returns an empty draft.
    ///
    /// # Errors
    /// `conflict` if the employee already has [`MAX_DRAFTS`] unsent drafts.
    async fn new_draft<C: ReadSql>(&self, c: &mut C, id: DraftId) -> Result<Draft> {
        if drafts::open_count(c, self.employee.user_id, MAX_DRAFTS).await? >= MAX_DRAFTS {
            let why =
                format!("the employee already has {MAX_DRAFTS} unsent drafts: send or discard some first");
            return Err(Refusal::because(Code::Conflict, why).into());
        }
        Ok(Draft {
            id,
            workspace_id: self.employee.workspace_id,
            owner_id: self.employee.user_id,
            conversation_id: None,
            person_id: None,
            thread_id: None,
            text: String::new(),
            created_at: self.stamp.now,
            updated_at: self.stamp.now,
            via_label: None,
            asked_at: None,
            elicited_at: None,
            discarded_at: None,
            sent_at: None,
            sent_to: None,
            sent_message: None,
        })
    }

    /// Sets the destination. If the destination changes, clears the thread, because the thread belongs to the previous
    /// destination.
    async fn set_destination<C: ReadSql>(
        &self,
        c: &mut C,
        draft: &mut Draft,
        to: &ConversationRef,
    ) -> Result<()> {
        let before = (draft.conversation_id, draft.person_id);
        (draft.conversation_id, draft.person_id) = match to {
            ConversationRef::Conversation(named) => {
                let (conversation, _) = access::open(c, self.employee, *named).await?;
                (Some(conversation.id), None)
            }
            ConversationRef::Person(person) => (None, Some(addressee(c, self.employee, person).await?.id)),
        };
        if before != (draft.conversation_id, draft.person_id) {
            draft.thread_id = None;
        }
        Ok(())
    }

    /// Returns the message to reply to. The employee must see this message in the destination.
    ///
    /// # Errors
    /// - Errors of [`access::open`], for example if the employee left the conversation after the draft was created.
    /// - `invalid_request` if the employee does not see the message in the destination.
    async fn thread<C: ReadSql>(&self, c: &mut C, draft: &Draft, thread: NamedMessage) -> Result<MessageId> {
        let to = match (draft.conversation_id, draft.person_id) {
            (Some(id), _) => Some((conversations::kind(c, id).await?, id)),
            (None, Some(person)) => {
                let direct = conversations::direct(c, self.employee.user_id, person).await?;
                direct.map(|id| (ConversationKind::Dm, id))
            }
            (None, None) => None,
        };
        if let (Some(_), Some((in_dm, message))) = (to, thread) {
            let (conversation, member) = access::open(c, self.employee, to).await?;
            if in_dm == conversation.kind.is_dm()
                && message >= member.visible_from
                && messages::in_conversation(c, conversation.id, message).await?.is_some()
            {
                return Ok(message);
            }
        }
        invalid("thread_id is not a message of the conversation")
    }
}

struct ListDrafts {
    employee: Employee,
    before: DraftId,
    limit: i64,
}

impl ReadOp for ListDrafts {
    const NAME: &'static str = "list_drafts";
    type Out = Vec<ShownDraft>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Vec<ShownDraft>> {
        let drafts = drafts::open_page(c, self.employee.user_id, self.before, self.limit).await?;
        let destinations = destinations(c, self.employee, &drafts).await?;
        Ok(destinations
            .into_iter()
            .zip(drafts)
            .map(|(destination, draft)| shown_to(destination, draft))
            .collect())
    }
}

struct Discard {
    employee: Employee,
    id: DraftId,
    key: Option<IdempotencyKey>,
    now: Timestamp,
}

impl Op for Discard {
    const NAME: &'static str = "discard_draft";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        if claim(c, self.employee, self.key, self.id, self.now).await?.is_some() {
            return Ok(());
        }
        let draft = find_for_update(c, self.employee, self.id).await?;
        match end_of(&draft) {
            Some(DraftEnd::Sent { .. }) => {
                conflict("the draft was already sent, so it can no longer be discarded")
            }
            Some(DraftEnd::Discarded) => Ok(()),
            None => drafts::delete(c, draft.id).await,
        }
    }
}

struct DeleteSent(Timestamp);

op! {
    Op "delete_old_drafts": DeleteSent -> u64 = |op, c| drafts::delete_sent(c, op.0 - SENT_LIFE, RETENTION_BATCH)
}

struct ForgetDraftKeys(Timestamp);

op! {
    Op "delete_draft_keys": ForgetDraftKeys -> u64 = |op, c| drafts::forget_keys(c, op.0 - KEY_LIFE, RETENTION_BATCH)
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;
    use crate::{
        domain::ids::{UserId, WorkspaceId},
        service::testing::{Recorded, world},
        store::users::{self, User},
    };

    const WHO: Employee = Employee { workspace_id: WorkspaceId(1), user_id: UserId(2) };

    /// Inserts people with these ids, and for each of them a draft to that person.
    struct InsertDrafts(Range<i64>);

    impl Op for InsertDrafts {
        const NAME: &'static str = "test_insert_drafts";
        type Out = ();

        async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
            for n in self.0.clone() {
                let person = User::new(UserId(n), WHO.workspace_id, format!("Person {n}"), Timestamp(0));
                users::insert(c, &person, None).await?;
                let draft = Draft {
                    id: DraftId(n),
                    workspace_id: WHO.workspace_id,
                    owner_id: WHO.user_id,
                    conversation_id: None,
                    person_id: Some(person.id),
                    thread_id: None,
                    text: "Hello".into(),
                    created_at: Timestamp(0),
                    updated_at: Timestamp(0),
                    via_label: None,
                    asked_at: None,
                    elicited_at: None,
                    discarded_at: None,
                    sent_at: None,
                    sent_to: None,
                    sent_message: None,
                };
                drafts::insert(c, &draft).await?;
            }
            Ok(())
        }
    }

    /// Inserts the employee. A list of drafts names only people whom the employee sees, and the employee's row decides
    /// whom the employee sees.
    struct InsertEmployee;

    impl Op for InsertEmployee {
        const NAME: &'static str = "test_insert_employee";
        type Out = ();

        async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
            users::insert(c, &User::new(WHO.user_id, WHO.workspace_id, "Employee".into(), Timestamp(0)), None)
                .await
        }
    }

    #[tokio::test]
    async fn a_page_of_twenty_drafts_needs_no_more_statements_than_a_page_of_one() {
        let world = world().await;
        let list = || Recorded(ListDrafts { employee: WHO, before: DraftId(i64::MAX), limit: 51 });
        world.db.write(InsertEmployee).await.unwrap();
        world.db.write(InsertDrafts(10..11)).await.unwrap();
        let (of_one, _) = world.db.write(list()).await.unwrap();
        world.db.write(InsertDrafts(11..30)).await.unwrap();
        let (of_twenty, drafts) = world.db.write(list()).await.unwrap();
        assert_eq!(of_twenty, of_one);
        let expected = (10..30).rev().map(|n| DraftDestination::Person(UserId(n), format!("Person {n}")));
        assert!(
            drafts.into_iter().map(|draft| draft.destination).eq(expected),
            "every draft has its destination"
        );
    }
}
