//! Finding people, and creating conversations. An employee finds the people who are visible to members. A guest finds
//! only those of them who share a conversation with the guest. A guest also finds themselves. Lists omit hidden guests,
//! so a hidden guest finds themselves only by id.

use crate::{
    domain::{
        conversation::ConversationKind,
        cursor::CursorScope,
        ids::{ConversationId, UserId, WorkspaceId},
        people_search::search_prefixes,
        refusal::Code,
    },
    service::{
        callers::Person,
        conflict,
        conversations::{ConversationView, NewConversation},
        employee::Employee,
        paging::{Page, PageRequest},
        people::{
            VisibleUser,
            visible_user::{Viewer, seen_by_person},
        },
        refuse,
    },
    store::{
        ReadOp, ReadSql, Result, conversations, user_words,
        users::{self, User},
    },
};

/// Batch size for reading people.
const BATCH: i64 = 500;
/// Maximum number of people that are read for one page. If this number is reached, the page ends, even if the page is
/// not full.
const MAX_SCANNED: usize = 5_000;

/// The profile of a user as a person sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct UserProfile {
    pub user: VisibleUser,
    /// The person's direct conversation with the user; `None` if there is none yet.
    pub direct: Option<ConversationId>,
    /// Whether the person may create a direct conversation with the user if there is none.
    pub may_open_direct: bool,
}

impl Person<'_> {
    /// Lists the people whom the person sees and whose account state is `onboarding` or `active`, in order of creation.
    /// Omits guests who are hidden from members. So even the list that a hidden guest reads omits this guest.
    ///
    /// With `query`, lists only people who match the query. Each word of the query must be a prefix of a word in the
    /// name, the display name or the e-mail address. The address counts only if the searching person sees it. Only the
    /// four longest words of the query count. A query without a word matches nobody.
    ///
    /// # Errors
    /// `invalid_cursor`.
    pub async fn find_people(
        self,
        query: Option<&str>,
        request: PageRequest<'_>,
    ) -> Result<Page<VisibleUser>> {
        let scope = CursorScope {
            endpoint: "web.people",
            owner: self.user_id().0,
            conversation: None,
            filter: query.unwrap_or_default(),
        };
        let after = self.world().position(&scope, request.cursor, 0)?;
        let words = query.map(search_prefixes);
        let op = FindPeople { employee: self.into(), words, after, limit: request.limit as usize + 1 };
        let (found, scan_end) = self.world().db.scan(op).await?;
        Ok(self.world().page_to(&scope, request.limit, found, |user| user.id.0, scan_end))
    }

    /// Returns those users of `ids` whom the person sees, in order of creation.
    ///
    /// # Errors
    /// Store errors.
    pub async fn people(self, ids: Vec<UserId>) -> Result<Vec<VisibleUser>> {
        self.world().db.read(ReadPeople { employee: self.into(), ids }).await
    }

    /// Returns the profile of a user whom the person sees. The user can be a bot.
    ///
    /// # Errors
    /// `user_not_found`.
    pub async fn profile(self, id: Option<UserId>) -> Result<UserProfile> {
        self.world().db.read(ReadProfile { employee: self.into(), id }).await
    }

    /// Creates a group or a channel. `client_key` is the idempotency key of a form. If the form is submitted again,
    /// returns the conversation that the first submission created.
    ///
    /// # Errors
    /// Errors of [`CompanyCaller::create_conversation_once`].
    ///
    /// [`CompanyCaller::create_conversation_once`]: crate::service::callers::CompanyCaller::create_conversation_once
    pub async fn create_conversation(
        self,
        new: NewConversation,
        client_key: Option<&str>,
    ) -> Result<ConversationView> {
        let caller = self.caller().in_company(self.company_id())?;
        match client_key {
            Some(key) => caller.create_conversation_once(new, key).await,
            None => caller.create_conversation(new).await,
        }
    }

    /// Returns the id of the direct conversation with a user whom the person sees. Creates the conversation if it does
    /// not exist.
    ///
    /// # Errors
    /// - `user_not_found`.
    /// - `conflict` for a bot that has not written to the person yet.
    /// - `invalid_request` for a direct conversation of the person with themselves.
    /// - `conflict` for a user who is deactivated or removed.
    pub async fn open_direct(self, id: Option<UserId>) -> Result<ConversationId> {
        let UserProfile { user, direct, .. } = self.profile(id).await?;
        if let Some(direct) = direct {
            return Ok(direct);
        }
        if user.is_bot {
            return conflict("direct messages with an app begin with the app's first message");
        }
        let new = NewConversation {
            kind: ConversationKind::Dm,
            parent: None,
            name: None,
            topic: None,
            is_private: None,
            announcement_only: None,
            members: vec![Some(user.id)],
        };
        let created = self.caller().in_company(self.company_id())?.create_conversation(new).await?;
        Ok(created.id)
    }
}

/// Returns the users of `found` whom the person sees. Despite the name of its type, `employee` can be a guest.
async fn seen<C: ReadSql>(c: &mut C, employee: Employee, found: Vec<User>) -> Result<Vec<User>> {
    seen_by_person(c, employee.workspace_id, employee.user_id, found).await
}

struct FindPeople {
    employee: Employee,
    /// Prefixes of words. `None` lists everybody. Empty for a query without a word, which matches nobody.
    words: Option<Vec<String>>,
    after: i64,
    limit: usize,
}

impl FindPeople {
    async fn batch<C: ReadSql>(&self, c: &mut C, company: WorkspaceId, after: i64) -> Result<Vec<User>> {
        match &self.words {
            None => users::listed_page(c, company, after, BATCH).await,
            Some(words) if words.is_empty() => Ok(Vec::new()),
            Some(words) => user_words::page(c, company, words, after, BATCH).await,
        }
    }
}

impl ReadOp for FindPeople {
    const NAME: &'static str = "find_people";
    const REPLICA: bool = true;
    /// The people of the page. If the page ended because of [`MAX_SCANNED`], also the id of the last user that was
    /// read. The id is `None` if the page is full, and at the end of the list.
    type Out = (Vec<VisibleUser>, Option<i64>);

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let viewer = Viewer::from(self.employee);
        let (mut found, mut after, mut scanned) = (Vec::new(), self.after, 0);
        loop {
            let batch = self.batch(c, self.employee.workspace_id, after).await?;
            let is_last = i64::try_from(batch.len()).is_ok_and(|read| read < BATCH);
            let Some(last) = batch.last() else { return Ok((found, None)) };
            after = last.id.0;
            scanned += batch.len();
            let seen = seen(c, self.employee, batch).await?;
            // With a query, the users come from the table `user_words`. The table contains hidden guests, who must not
            // be listed, and the words of hidden e-mail addresses, whose matches must not count.
            let is_found =
                |user: &User| viewer.lists(user) && user.state.is_active() && self.matches(user, viewer);
            found.extend(seen.into_iter().filter(is_found).map(|user| viewer.view(user)));
            if is_last || found.len() >= self.limit {
                found.truncate(self.limit);
                return Ok((found, None));
            }
            if scanned >= MAX_SCANNED {
                return Ok((found, Some(after)));
            }
        }
    }
}

impl FindPeople {
    /// Returns whether a user matches the query. Fields that the viewer does not see are not searched.
    fn matches(&self, user: &User, viewer: Viewer) -> bool {
        let Some(wanted) = &self.words else { return true };
        let shown = viewer.view(user.clone());
        let email = shown.email.as_deref().map(crate::domain::people::email_key);
        let words = crate::domain::people_search::words_of(
            &shown.name,
            shown.display_name.as_deref(),
            email.as_deref(),
        );
        wanted.iter().all(|wanted| words.iter().any(|word| word.starts_with(wanted)))
    }
}

struct ReadPeople {
    employee: Employee,
    ids: Vec<UserId>,
}

impl ReadOp for ReadPeople {
    const NAME: &'static str = "read_people";
    const REPLICA: bool = true;
    type Out = Vec<VisibleUser>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Vec<VisibleUser>> {
        let found = users::by_ids(c, &self.ids).await?;
        let seen = seen(c, self.employee, found).await?;
        Ok(seen.into_iter().map(|user| Viewer::from(self.employee).view(user)).collect())
    }
}

struct ReadProfile {
    employee: Employee,
    id: Option<UserId>,
}

impl ReadOp for ReadProfile {
    const NAME: &'static str = "read_profile";
    const REPLICA: bool = true;
    type Out = UserProfile;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let Some(id) = self.id else { return refuse(Code::UserNotFound) };
        let found = users::by_id(c, id).await?.into_iter().collect();
        let Some(user) = seen(c, self.employee, found).await?.pop() else {
            return refuse(Code::UserNotFound);
        };
        let direct = conversations::direct(c, self.employee.user_id, user.id).await?;
        let user = Viewer::from(self.employee).view(user);
        let may_open_direct = user.is_active && !user.is_bot && user.id != self.employee.user_id;
        Ok(UserProfile { user, direct, may_open_direct })
    }
}
