//! Messages as an employee reads them.

use std::collections::HashMap;

use super::{
    Employee,
    access::{self, Heading, Place, Span},
};
use crate::{
    domain::{cursor::CursorScope, ids::MessageId, refusal::Code},
    store::{
        Op, Result, Sql,
        employee::{self, Attached, Sight, Stretch},
    },
    workspace::{
        World,
        posts::NamedMessage,
        reading::{Page, PageRequest},
        refuse,
    },
};

/// A message with its files.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    pub sight: Sight,
    pub files: Vec<Attached>,
}

/// What is read of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    pub place: Place,
    /// Only this message and its replies; an inner `None` for a text that is no message's id.
    pub thread: Option<NamedMessage>,
    pub span: Span,
}

impl World {
    /// A page of a conversation or of one of its threads, newest first, with the conversation.
    ///
    /// # Errors
    /// `invalid_cursor`, `conversation_not_found`, `not_in_conversation`, `user_not_found`, and `message_not_found` for
    /// a thread that the employee does not see there.
    pub async fn employee_messages(
        &self,
        who: Employee,
        reading: Reading,
        request: PageRequest<'_>,
    ) -> Result<(Heading, Page<Shown>)> {
        let walk = format!("{reading:?}");
        let scope =
            CursorScope { endpoint: "mcp.messages", owner: who.user_id.0, conversation: None, filter: &walk };
        let before = MessageId(self.position(&scope, request.cursor, i64::MAX)?);
        let op = Read { who, reading, before, limit: i64::from(request.limit) + 1 };
        let (heading, found) = self.db.read(op).await?;
        Ok((heading, self.page(&scope, request.limit, found, |shown| shown.sight.id.0)))
    }
}

/// Messages with their files.
///
/// # Errors
/// Those of the store.
pub(super) async fn with_files<C: Sql>(c: &mut C, sights: Vec<Sight>) -> Result<Vec<Shown>> {
    let carry = |sight: &&Sight| sight.file_count > 0;
    let carriers: Vec<MessageId> = sights.iter().filter(carry).map(|sight| sight.id).collect();
    let mut files: HashMap<MessageId, Vec<Attached>> = HashMap::new();
    if !carriers.is_empty() {
        for file in employee::files_of(c, &carriers).await? {
            files.entry(file.message_id).or_default().push(file);
        }
    }
    let shown = |sight: Sight| Shown { files: files.remove(&sight.id).unwrap_or_default(), sight };
    Ok(sights.into_iter().map(shown).collect())
}

struct Read {
    who: Employee,
    reading: Reading,
    before: MessageId,
    limit: i64,
}

impl Op for Read {
    const NAME: &'static str = "read_employee_messages";
    const REPLICA: bool = true;
    type Out = (Heading, Vec<Shown>);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let Reading { place, thread, span } = &self.reading;
        let (conversation, member) = access::open_place(c, self.who, place).await?;
        let (from, before) = span.ids();
        let (after_time, before_time) = span.times();
        let stretch = Stretch {
            conversation: conversation.id,
            visible_from: member.visible_from,
            from: from.max(member.visible_from),
            before: before.min(self.before),
            after_time,
            before_time,
        };
        let sights = match thread {
            None => employee::history(c, &stretch, self.limit).await?,
            Some(Some((in_dm, id))) if *in_dm == conversation.kind.is_dm() => {
                let sights = employee::thread(c, &stretch, *id, self.limit).await?;
                let is_seen = employee::by_ids(c, self.who.user_id, &[*id])
                    .await?
                    .iter()
                    .any(|sight| sight.conversation_id == conversation.id);
                // of a deleted message the replies stay
                if sights.is_empty() && !is_seen {
                    return refuse(Code::MessageNotFound);
                }
                sights
            }
            Some(_) => return refuse(Code::MessageNotFound),
        };
        let shown = with_files(c, sights).await?;
        let mut headings = access::headings(c, self.who, vec![conversation]).await?;
        match headings.pop() {
            Some(heading) => Ok((heading, shown)),
            None => refuse(Code::ConversationNotFound),
        }
    }
}
