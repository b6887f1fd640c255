//! Drafts: messages that assistants prepare for their employee. All connections of the employee see them; nobody else
//! does. Discarding one removes it; what was sent stays for a week, so that sending it again is refused with a reason.

use std::time::Duration;

use super::{
    Employee,
    access::{self, Heading, PersonRef, Place},
};
use crate::{
    domain::{
        conversation::ConversationKind,
        cursor::CursorScope,
        ids::{ConversationId, DraftId, MessageId, UserId},
        message::{KEY_LIFE, check_text},
        refusal::{Code, Refusal},
        time::Timestamp,
    },
    store::{
        Locks, Op, Result, Sql, conversations,
        drafts::{self, Draft},
        keys::Hash,
        messages,
        users::{self, User},
    },
    workspace::{
        Stamp, World,
        assistants::{caller::AssistantCaller, connections::Connected},
        conflict, invalid,
        posts::NamedMessage,
        reading::{Page, PageRequest},
        refuse,
    },
};

/// Most drafts of one employee that wait to be sent.
pub const MOST_DRAFTS: i64 = 200;
/// How long a draft that was sent is kept.
const SENT_LIFE: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// Why a draft that was sent cannot be changed.
const ALREADY_SENT: &str = "already sent: a message that was sent is no draft any more";

/// A key under which a call may be repeated, with what the call says: its tool and arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepeatKey {
    /// Of the key and the client that chose it.
    pub key_hash: Hash,
    /// Of the key alone: rows of an earlier version have that, for all clients of the employee.
    pub shared_hash: Hash,
    pub fingerprint: Hash,
}

/// What is to stand in a draft; `None` leaves it as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drafting {
    /// The draft that changes; an inner `None` for a text that is no draft's id. A new one if there is none.
    pub draft: Option<Option<DraftId>>,
    pub place: Option<Place>,
    /// The message to reply to.
    pub thread: Option<NamedMessage>,
    pub text: Option<String>,
    pub key: Option<RepeatKey>,
}

/// Where a draft goes, as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    Conversation(Heading),
    /// A person with whom there are no direct messages yet.
    Person(UserId, String),
    /// What the employee does not see any more.
    Gone,
}

/// A draft with where it goes.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownDraft {
    pub draft: Draft,
    pub goal: Goal,
}

impl World {
    /// Prepares a message, or changes one that is prepared. A repeat with the same key answers the draft there is.
    ///
    /// # Errors
    /// `token_revoked` for a connection that was revoked meanwhile; `invalid_request` for the text, the thread and a new
    /// draft that lacks one of text and place; `not_found` for the draft; `conflict` when it was sent, and for too many
    /// drafts; `conversation_not_found`, `not_in_conversation`, `user_not_found`, `user_deactivated`;
    /// `idempotency_key_reused`.
    pub async fn draft_message(&self, connected: &Connected, drafting: Drafting) -> Result<ShownDraft> {
        if let Some(text) = &drafting.text {
            check_text(text)?;
        }
        let at = self.stamp();
        let id = DraftId(at.id()?);
        let caller = AssistantCaller::from(connected);
        self.db.write(Put { at, id, caller, who: caller.employee, drafting }).await
    }

    /// The employee's drafts that were not sent, newest first.
    ///
    /// # Errors
    /// `invalid_cursor`.
    pub async fn employee_drafts(&self, who: Employee, request: PageRequest<'_>) -> Result<Page<ShownDraft>> {
        let scope =
            CursorScope { endpoint: "mcp.drafts", owner: who.user_id.0, conversation: None, filter: "" };
        let before = DraftId(self.position(&scope, request.cursor, i64::MAX)?);
        let op = List { who, before, limit: i64::from(request.limit) + 1 };
        let found = self.db.read(op).await?;
        Ok(self.page(&scope, request.limit, found, |shown| shown.draft.id.0))
    }

    /// Removes a draft that was not sent. A repeat with the same key succeeds.
    ///
    /// # Errors
    /// `token_revoked` for a connection that was revoked meanwhile; `not_found`; `conflict` when it was sent;
    /// `idempotency_key_reused`.
    pub async fn discard_draft(
        &self,
        connected: &Connected,
        id: Option<DraftId>,
        key: Option<RepeatKey>,
    ) -> Result<()> {
        let Some(id) = id else { return refuse(Code::NotFound) };
        let caller = AssistantCaller::from(connected);
        self.db.write(Discard { caller, who: caller.employee, id, key, now: self.clock.now() }).await
    }

    /// Forgets drafts that were sent long ago, and keys of a day ago.
    pub(in crate::workspace) async fn forget_drafts(&self, now: Timestamp) -> Result<()> {
        self.db.write(Forget(now)).await
    }
}

/// Claims a key: the draft of the call that used it before, if this one repeats it.
///
/// # Errors
/// `idempotency_key_reused` when another call used it.
pub(super) async fn claim<C: Sql>(
    c: &mut C,
    who: Employee,
    key: Option<RepeatKey>,
    draft: DraftId,
    now: Timestamp,
) -> Result<Option<DraftId>> {
    let Some(RepeatKey { key_hash, shared_hash, fingerprint }) = key else { return Ok(None) };
    let (hashes, cutoff) = ((&key_hash, &shared_hash), now - KEY_LIFE);
    let owner = (who.workspace_id, who.user_id);
    if drafts::claim_key(c, owner, hashes, &fingerprint, draft, now, cutoff).await? {
        return Ok(None);
    }
    let used = drafts::used_keys(c, who.user_id, hashes, cutoff).await?;
    match used.into_iter().find(|used| used.fingerprint == fingerprint) {
        Some(used) => Ok(Some(used.draft_id)),
        None => refuse(Code::IdempotencyKeyReused),
    }
}

/// A draft of the employee, held until the transaction ends.
///
/// # Errors
/// `not_found`, also for other people's.
pub(super) async fn held<C: Sql>(c: &mut C, who: Employee, id: DraftId) -> Result<Draft> {
    match drafts::by_id_for_update(c, id).await?.filter(|draft| draft.owner_id == who.user_id) {
        Some(draft) => Ok(draft),
        None => refuse(Code::NotFound),
    }
}

/// Somebody whom the employee may write to directly.
///
/// # Errors
/// `user_not_found`; `invalid_request` for the employee and for a bot; `user_deactivated`.
pub(super) async fn addressee<C: Sql>(c: &mut C, who: Employee, person: &PersonRef) -> Result<User> {
    let user = access::find(c, who, person).await?;
    if user.id == who.user_id {
        return invalid("a direct message goes to somebody else");
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

/// Where a draft goes, as the employee sees it now.
pub(super) async fn goal<C: Sql>(c: &mut C, who: Employee, draft: &Draft) -> Result<Goal> {
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
        Some(id) => users::by_id(c, id).await?.filter(|user| access::sees(who, user)),
        None => None,
    };
    Ok(person.map_or(Goal::Gone, |user| Goal::Person(user.id, user.name)))
}

async fn shown<C: Sql>(c: &mut C, who: Employee, draft: Draft) -> Result<ShownDraft> {
    let goal = goal(c, who, &draft).await?;
    Ok(ShownDraft { draft, goal })
}

struct Put {
    at: Stamp,
    id: DraftId,
    caller: AssistantCaller,
    who: Employee,
    drafting: Drafting,
}

impl Op for Put {
    const NAME: &'static str = "draft_message";
    type Out = ShownDraft;

    fn locks(&self) -> Locks {
        self.caller.locks()
    }

    async fn run<C: Sql>(&self, c: &mut C) -> Result<ShownDraft> {
        self.caller.check_connected(c, self.at.now).await?;
        let Drafting { draft, place, thread, text, key } = &self.drafting;
        let id = match draft {
            None => self.id,
            Some(Some(id)) => *id,
            Some(None) => return refuse(Code::NotFound),
        };
        if let Some(earlier) = claim(c, self.who, *key, id, self.at.now).await? {
            return match drafts::by_id(c, earlier).await? {
                Some(draft) if draft.sent_at.is_some() => conflict(ALREADY_SENT),
                Some(draft) => shown(c, self.who, draft).await,
                None => Err(Refusal::because(Code::NotFound, "the draft was discarded since").into()),
            };
        }
        let mut changed = match draft {
            Some(_) => held(c, self.who, id).await?,
            None => self.blank(c, id).await?,
        };
        if changed.sent_at.is_some() {
            return conflict(ALREADY_SENT);
        }
        match place {
            Some(place) => self.direct_to(c, &mut changed, place).await?,
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
        changed.updated_at = self.at.now;
        if draft.is_some() {
            drafts::update(c, &changed).await?;
        } else {
            drafts::insert(c, &changed).await?;
        }
        shown(c, self.who, changed).await
    }
}

impl Put {
    async fn blank<C: Sql>(&self, c: &mut C, id: DraftId) -> Result<Draft> {
        if drafts::open_count(c, self.who.user_id, MOST_DRAFTS).await? >= MOST_DRAFTS {
            return conflict("there are 200 drafts already: send or discard some first");
        }
        Ok(Draft {
            id,
            workspace_id: self.who.workspace_id,
            owner_id: self.who.user_id,
            conversation_id: None,
            person_id: None,
            thread_id: None,
            text: String::new(),
            created_at: self.at.now,
            updated_at: self.at.now,
            sent_at: None,
            sent_to: None,
            sent_message: None,
        })
    }

    /// Sets where a draft goes. A thread of another conversation is none there.
    async fn direct_to<C: Sql>(&self, c: &mut C, draft: &mut Draft, place: &Place) -> Result<()> {
        let before = (draft.conversation_id, draft.person_id);
        (draft.conversation_id, draft.person_id) = match place {
            Place::Conversation(named) => {
                let (conversation, _) = access::open(c, self.who, *named).await?;
                (Some(conversation.id), None)
            }
            Place::Person(person) => (None, Some(addressee(c, self.who, person).await?.id)),
        };
        if before != (draft.conversation_id, draft.person_id) {
            draft.thread_id = None;
        }
        Ok(())
    }

    /// The message to reply to, which the employee has to see where the draft goes.
    async fn thread<C: Sql>(&self, c: &mut C, draft: &Draft, thread: NamedMessage) -> Result<MessageId> {
        let id: Option<ConversationId> = match (draft.conversation_id, draft.person_id) {
            (Some(id), _) => Some(id),
            (None, Some(person)) => conversations::direct(c, self.who.user_id, person).await?,
            (None, None) => None,
        };
        if let (Some(conversation), Some((in_dm, message))) = (id, thread) {
            let kind = conversations::kind(c, conversation).await?;
            let member = conversations::member(c, conversation, self.who.user_id).await?;
            let sees = member.is_some_and(|member| message >= member.visible_from);
            let in_dm = in_dm == (kind == ConversationKind::Dm);
            if sees && in_dm && messages::in_conversation(c, conversation, message).await?.is_some() {
                return Ok(message);
            }
        }
        invalid("thread_id is not a message of the conversation")
    }
}

struct List {
    who: Employee,
    before: DraftId,
    limit: i64,
}

impl Op for List {
    const NAME: &'static str = "list_drafts";
    type Out = Vec<ShownDraft>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Vec<ShownDraft>> {
        let mut all = Vec::new();
        for draft in drafts::open_page(c, self.who.user_id, self.before, self.limit).await? {
            all.push(shown(c, self.who, draft).await?);
        }
        Ok(all)
    }
}

struct Discard {
    caller: AssistantCaller,
    who: Employee,
    id: DraftId,
    key: Option<RepeatKey>,
    now: Timestamp,
}

impl Op for Discard {
    const NAME: &'static str = "discard_draft";
    type Out = ();

    fn locks(&self) -> Locks {
        self.caller.locks()
    }

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        self.caller.check_connected(c, self.now).await?;
        if claim(c, self.who, self.key, self.id, self.now).await?.is_some() {
            return Ok(());
        }
        let draft = held(c, self.who, self.id).await?;
        if draft.sent_at.is_some() {
            return conflict("already sent: a message that was sent cannot be discarded");
        }
        drafts::delete(c, draft.id).await
    }
}

struct Forget(Timestamp);

impl Op for Forget {
    const NAME: &'static str = "forget_drafts";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        drafts::delete_old(c, self.0 - SENT_LIFE, self.0 - KEY_LIFE).await
    }
}
