//! What an employee may see: conversations they are in, and the people whom members see.

use super::Employee;
use crate::{
    domain::{
        conversation::ConversationKind,
        ids::{ConversationId, MessageId, UserId},
        people::email_key,
        refusal::Code,
        time::Timestamp,
    },
    store::{
        Result, Sql, conversation_lists,
        conversations::{self, Conversation, Member},
        users::{self, User},
    },
    workspace::{access::standing, conversations::NamedConversation, refuse},
};

/// A person as a request names one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PersonRef {
    /// `None` for a text that is no user's id.
    Id(Option<UserId>),
    Email(String),
}

/// Where messages are read or written, as a request names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    Conversation(NamedConversation),
    /// The direct messages with a person.
    Person(PersonRef),
}

/// A conversation with what is shown of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Heading {
    pub conversation: Conversation,
    /// The other side of a direct message; none for a guest whom members do not see.
    pub with: Option<(UserId, String)>,
    /// When the newest message that the employee sees was written.
    pub latest: Option<Timestamp>,
}

impl Heading {
    /// What people call it.
    #[must_use]
    pub fn label(&self) -> String {
        match (&self.conversation.name, &self.with) {
            (Some(name), _) => format!("#{name}"),
            (None, Some((_, name))) => format!("direct messages with {name}"),
            (None, None) => "direct messages".to_owned(),
        }
    }
}

/// A stretch of time, the end not in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Span {
    pub after: Option<Timestamp>,
    pub before: Option<Timestamp>,
}

/// How much later than its message an id may say it is: it is drawn after the time is read, and no lower than what
/// another node whose clock is ahead gave out.
const ID_AHEAD_MILLIS: i64 = 60 * 60 * 1_000;
/// Bits of an id below its milliseconds.
const ID_LOW_BITS: u32 = 21;

impl Span {
    /// The times, open ends included.
    #[must_use]
    pub fn times(&self) -> (Timestamp, Timestamp) {
        (self.after.unwrap_or(Timestamp(i64::MIN)), self.before.unwrap_or(Timestamp(i64::MAX)))
    }

    /// Between which ids the messages of these times are: from the first up to but not including the second. Ids are in
    /// order of time, so no other messages need to be looked at.
    #[must_use]
    pub fn ids(&self) -> (MessageId, MessageId) {
        let first = |millis: i64| MessageId(millis.clamp(0, (1 << 42) - 1) << ID_LOW_BITS);
        let from = self.after.map_or(MessageId(0), |after| first(after.millis()));
        let before = self
            .before
            .map_or(MessageId(i64::MAX), |before| first(before.millis().saturating_add(ID_AHEAD_MILLIS + 1)));
        (from, before)
    }
}

/// Lets an employee into a conversation.
///
/// # Errors
/// `conversation_not_found` when it is another company's or deleted and for one who was never in;
/// `not_in_conversation` for one who left.
pub async fn open<C: Sql>(c: &mut C, who: Employee, id: NamedConversation) -> Result<(Conversation, Member)> {
    let Some((kind, id)) = id else { return refuse(Code::ConversationNotFound) };
    let found = conversations::by_id(c, id).await?.filter(|conversation| {
        conversation.workspace_id == who.workspace_id
            && conversation.kind == kind
            && conversation.deleted_at.is_none()
    });
    let Some(conversation) = found else { return refuse(Code::ConversationNotFound) };
    match conversations::member(c, conversation.id, who.user_id).await? {
        None => refuse(Code::ConversationNotFound),
        Some(member) if member.left_at.is_some() => refuse(Code::NotInConversation),
        Some(member) => Ok((conversation, member)),
    }
}

/// The conversation of a place.
///
/// # Errors
/// Those of [`open`]; `user_not_found`; `conversation_not_found` when there are no direct messages with a person yet.
pub async fn open_place<C: Sql>(c: &mut C, who: Employee, place: &Place) -> Result<(Conversation, Member)> {
    match place {
        Place::Conversation(named) => open(c, who, *named).await,
        Place::Person(person) => {
            let person = find(c, who, person).await?;
            let direct = conversations::direct(c, who.user_id, person.id).await?;
            open(c, who, direct.map(|id| (ConversationKind::Dm, id))).await
        }
    }
}

/// A person of the company whom its members see, a bot, or the employee.
///
/// # Errors
/// `user_not_found`; also for an e-mail address that its owner hides.
pub async fn find<C: Sql>(c: &mut C, who: Employee, person: &PersonRef) -> Result<User> {
    let found = match person {
        PersonRef::Id(None) => None,
        PersonRef::Id(Some(id)) => users::by_id(c, *id).await?.filter(|user| sees(who, user)),
        PersonRef::Email(address) => users::by_email(c, who.workspace_id, &email_key(address))
            .await?
            .filter(|user| user.id == who.user_id || standing(user).is_found_by_email()),
    };
    match found {
        Some(user) => Ok(user),
        None => refuse(Code::UserNotFound),
    }
}

/// Whether an employee may know of somebody.
#[must_use]
pub fn sees(who: Employee, user: &User) -> bool {
    user.workspace_id == who.workspace_id
        && (user.id == who.user_id || user.is_bot || standing(user).is_listed())
}

/// Whether an employee is shown somebody's e-mail address.
#[must_use]
pub fn shows_email(who: Employee, user: &User) -> bool {
    user.id == who.user_id || standing(user).shows_email(true)
}

/// The headings of conversations that the employee is in.
///
/// # Errors
/// Those of the store.
pub async fn headings<C: Sql>(
    c: &mut C,
    who: Employee,
    mut found: Vec<Conversation>,
) -> Result<Vec<Heading>> {
    conversation_lists::count_direct(c, &mut found).await?;
    let all: Vec<ConversationId> = found.iter().map(|conversation| conversation.id).collect();
    let is_dm = |conversation: &&Conversation| conversation.kind.is_dm();
    let direct: Vec<ConversationId> = found.iter().filter(is_dm).map(|dm| dm.id).collect();
    let others = if direct.is_empty() {
        Vec::new()
    } else {
        crate::store::employee::others(c, who.user_id, &direct).await?
    };
    let latest = if all.is_empty() {
        Vec::new()
    } else {
        crate::store::employee::latest(c, who.user_id, &all).await?
    };
    let headings = found.into_iter().map(|conversation| {
        let of = |id: ConversationId| id == conversation.id;
        let with = others.iter().find(|(id, ..)| of(*id)).map(|(_, id, name)| (*id, name.clone()));
        let latest = latest.iter().find(|(id, _)| of(*id)).and_then(|(_, at)| *at);
        Heading { conversation, with, latest }
    });
    Ok(headings.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_a_span_hold_every_message_of_it() {
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
