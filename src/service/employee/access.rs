//! Decides whether an employee sees a conversation or a person that a request names: the conversations of which the
//! employee is a member, and the people who are visible to the members of the company.

use super::Employee;
use crate::{
    domain::{
        conversation::ConversationKind,
        ids::{ConversationId, MessageId, UserId},
        people::email_key,
        refusal::Code,
        time::Timestamp,
    },
    service::{
        conversations::{ConversationView, NamedConversation},
        people::visible_user::{Viewer, seen_by_person},
        refuse,
    },
    store::{
        ReadSql, Result, conversation_lists,
        conversations::{self, Conversation, Member},
        users::{self, User},
    },
};

impl From<Employee> for Viewer {
    fn from(employee: Employee) -> Self {
        Self::person(employee.workspace_id, employee.user_id)
    }
}

/// A person whom a request names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PersonRef {
    /// By id; `None` for text that is not a user id.
    Id(Option<UserId>),
    Email(String),
}

/// A conversation that a request names: by its id, or by the other person of a direct conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConversationRef {
    Conversation(NamedConversation),
    /// The direct conversation with a person.
    Person(PersonRef),
}

/// A conversation, with what a list of conversations shows about it to the employee.
#[derive(Clone, Debug, PartialEq)]
pub struct Heading {
    pub conversation: ConversationView,
    /// Id and name of the other user of a direct conversation. `None` for groups and channels, and if the other user is
    /// a guest who is hidden from the company's members.
    pub with: Option<(UserId, String)>,
    /// Time of the newest message that the employee sees; `None` if the employee sees no message.
    pub latest: Option<Timestamp>,
}

impl Heading {
    /// Returns the name of the conversation for display.
    #[must_use]
    pub fn label(&self) -> String {
        match (&self.conversation.name, &self.with) {
            (Some(name), _) => format!("#{name}"),
            (None, Some((_, name))) => format!("direct messages with {name}"),
            (None, None) => "direct messages".to_owned(),
        }
    }
}

/// A period of time, from `after` (inclusive) to `before` (exclusive). `None` means no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Span {
    pub after: Option<Timestamp>,
    pub before: Option<Timestamp>,
}

/// The assumed maximum, in milliseconds, by which the time in a message's id is later than the time of the message. The
/// two times differ for two reasons. The id is generated after the time of the message was read. And the id is higher
/// than all earlier ids of the conversation, including ids from nodes whose clocks are ahead.
const ID_AHEAD_MILLIS: i64 = 60 * 60 * 1_000;
/// Number of bits of an id below its millisecond timestamp.
const ID_LOW_BITS: u32 = 21;

impl Span {
    /// Returns the start and the end. Replaces a missing start by the minimum time, and a missing end by the maximum
    /// time.
    #[must_use]
    pub fn times(&self) -> (Timestamp, Timestamp) {
        (self.after.unwrap_or(Timestamp(i64::MIN)), self.before.unwrap_or(Timestamp(i64::MAX)))
    }

    /// Returns the first id and the end (exclusive) of a range that contains the ids of all messages of the period.
    /// Each id contains the time at which it was generated. The range can also contain ids of messages that were sent
    /// up to an hour after the period.
    #[must_use]
    pub fn ids(&self) -> (MessageId, MessageId) {
        let lowest_id = |millis: i64| MessageId(millis.clamp(0, (1 << 42) - 1) << ID_LOW_BITS);
        let from = self.after.map_or(MessageId(0), |after| lowest_id(after.millis()));
        let before = self.before.map_or(MessageId(i64::MAX), |before| {
            lowest_id(before.millis().saturating_add(ID_AHEAD_MILLIS + 1))
        });
        (from, before)
    }
}

/// Returns a conversation of which the employee is a member, and the membership.
///
/// # Errors
/// - `conversation_not_found` for an unknown or deleted conversation, for a conversation of another company, and if the
///   employee was never a member.
/// - `not_in_conversation` if the employee has left.
pub(in crate::service) async fn open<C: ReadSql>(
    c: &mut C,
    employee: Employee,
    id: NamedConversation,
) -> Result<(Conversation, Member)> {
    let Some((kind, id)) = id else { return refuse(Code::ConversationNotFound) };
    let found = conversations::by_id(c, id).await?.filter(|conversation| {
        conversation.workspace_id == employee.workspace_id
            && conversation.kind == kind
            && conversation.deleted_at.is_none()
    });
    let Some(conversation) = found else { return refuse(Code::ConversationNotFound) };
    match conversations::member(c, conversation.id, employee.user_id).await? {
        None => refuse(Code::ConversationNotFound),
        Some(member) if member.left_at.is_some() => refuse(Code::NotInConversation),
        Some(member) => Ok((conversation, member)),
    }
}

/// Returns the conversation that a request names, and the employee's membership in it.
///
/// # Errors
/// - `user_not_found` if the request names a person whom the employee does not see.
/// - `conversation_not_found` if there is no direct conversation with the person.
/// - Errors of [`open`].
pub(in crate::service) async fn open_conversation<C: ReadSql>(
    c: &mut C,
    employee: Employee,
    conversation: &ConversationRef,
) -> Result<(Conversation, Member)> {
    match conversation {
        ConversationRef::Conversation(named) => open(c, employee, *named).await,
        ConversationRef::Person(person) => {
            let person = find(c, employee, person).await?;
            let direct = conversations::direct(c, employee.user_id, person.id).await?;
            open(c, employee, direct.map(|id| (ConversationKind::Dm, id))).await
        }
    }
}

/// Returns a user whom the employee sees: a person visible to the company's members, a bot, or the employee. Bots are
/// found by id only.
///
/// # Errors
/// `user_not_found`, also for an e-mail address that its owner hides from others.
pub(in crate::service) async fn find<C: ReadSql>(
    c: &mut C,
    employee: Employee,
    person: &PersonRef,
) -> Result<User> {
    let found = match person {
        PersonRef::Id(None) => None,
        PersonRef::Id(Some(id)) => {
            users::by_id(c, *id).await?.filter(|user| Viewer::from(employee).sees(user))
        }
        PersonRef::Email(address) => users::by_email(c, employee.workspace_id, &email_key(address))
            .await?
            .filter(|user| Viewer::from(employee).finds_by_email(user)),
    };
    match found {
        Some(user) => Ok(user),
        None => refuse(Code::UserNotFound),
    }
}

/// Does the same as [`find`], but the searching `employee` may be a guest: an employee who has become a guest since the
/// request was authenticated, or a guest in the web client. A guest finds only themselves, and users who are in a
/// conversation with the guest.
///
/// # Errors
/// `user_not_found`, also for a user whom the guest does not know.
pub(in crate::service) async fn find_known<C: ReadSql>(
    c: &mut C,
    employee: Employee,
    person: &PersonRef,
) -> Result<User> {
    let found = vec![find(c, employee, person).await?];
    match seen_by_person(c, employee.workspace_id, employee.user_id, found).await?.pop() {
        Some(user) => Ok(user),
        None => refuse(Code::UserNotFound),
    }
}

/// Returns the headings of conversations of which the employee is a member, in the same order.
///
/// # Errors
/// Store errors.
pub(in crate::service) async fn headings<C: ReadSql>(
    c: &mut C,
    employee: Employee,
    mut found: Vec<Conversation>,
) -> Result<Vec<Heading>> {
    conversation_lists::count_direct(c, &mut found).await?;
    let all: Vec<ConversationId> = found.iter().map(|conversation| conversation.id).collect();
    let is_dm = |conversation: &&Conversation| conversation.kind.is_dm();
    let direct: Vec<ConversationId> = found.iter().filter(is_dm).map(|dm| dm.id).collect();
    let others = if direct.is_empty() {
        Vec::new()
    } else {
        crate::store::employee::others(c, employee.user_id, &direct).await?
    };
    let latest = if all.is_empty() {
        Vec::new()
    } else {
        crate::store::employee::latest(c, employee.user_id, &all).await?
    };
    let headings = found.into_iter().map(|conversation| {
        let is_this = |id: ConversationId| id == conversation.id;
        let with = others.iter().find(|other| is_this(other.conversation_id));
        let with = with.map(|other| (other.user_id, other.name.clone()));
        let latest = latest.iter().find(|(id, _)| is_this(*id)).and_then(|(_, at)| *at);
        Heading { conversation: conversation.into(), with, latest }
    });
    Ok(headings.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_range_of_a_span_contains_the_ids_of_all_messages_in_the_span() {
        let at = |text: &str| Timestamp::parse(text).unwrap();
        let time = at("2026-11-20T12:00:00.500Z");
        let id = |millis: i64| MessageId(millis << ID_LOW_BITS);
        let (from, _) = Span { after: Some(time), before: None }.ids();
        assert!(from <= id(time.millis()));
        let (_, before) = Span { after: None, before: Some(time) }.ids();
        assert!(before > id(time.millis()) && before > id(time.millis() + ID_AHEAD_MILLIS));
        assert_eq!(Span::default().ids(), (MessageId(0), MessageId(i64::MAX)));
        for far in ["0001-01-01T00:00:00Z", "9999-12-30T12:00:00Z"] {
            let (from, before) = Span { after: Some(at(far)), before: Some(at(far)) }.ids();
            assert!(from.0 >= 0 && before.0 >= 0);
        }
    }
}
