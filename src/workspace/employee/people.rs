//! The people of the company as an employee sees them.

use super::{
    Employee,
    access::{self, PersonRef},
    conversations::has_all,
};
use crate::{
    domain::{cursor::CursorScope, refusal::Code},
    store::{
        Op, Result, Sql,
        users::{self, User},
        workspaces::Workspace,
    },
    workspace::{
        World,
        reading::{Page, PageRequest},
        refuse,
    },
};

/// People read in one go.
const READ_AT_ONCE: i64 = 500;
/// Most people looked at for one page: with few of those that are looked for among them it ends early.
const LOOKED_AT: usize = 20_000;

/// Which people are listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeopleFilter {
    /// Words that name, title or shown e-mail address must have, or begin with.
    pub name: Option<String>,
    /// Also deactivated and removed people.
    pub inactive: bool,
}

impl World {
    /// The people that members see, in order of creation. In a company of very many a page may have fewer than were
    /// asked for, or none, and the next one goes on.
    ///
    /// # Errors
    /// `invalid_cursor`.
    pub async fn employee_people(
        &self,
        who: Employee,
        filter: PeopleFilter,
        request: PageRequest<'_>,
    ) -> Result<Page<User>> {
        let walk = format!("{filter:?}");
        let scope =
            CursorScope { endpoint: "mcp.people", owner: who.user_id.0, conversation: None, filter: &walk };
        let after = self.position(&scope, request.cursor, 0)?;
        let op = List { who, filter, after, limit: request.limit as usize + 1 };
        let (found, reach) = self.db.scan(op).await?;
        Ok(self.page_to(&scope, request.limit, found, |user| user.id.0, reach))
    }

    /// One person whom the employee may know of, or a bot.
    ///
    /// # Errors
    /// `user_not_found`.
    pub async fn employee_person(&self, who: Employee, person: PersonRef) -> Result<User> {
        self.db.read(Find { who, person }).await
    }

    /// The employee and the company.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn employee_self(&self, who: Employee) -> Result<(User, Workspace)> {
        match self.db.profile(who.user_id).await? {
            Some((user, company)) if company.id == who.workspace_id => Ok((user, company)),
            _ => refuse(Code::UserNotFound),
        }
    }
}

struct List {
    who: Employee,
    filter: PeopleFilter,
    after: i64,
    limit: usize,
}

impl List {
    fn wants(&self, user: &User) -> bool {
        (self.filter.inactive || user.state.is_active())
            && self.filter.name.as_ref().is_none_or(|name| {
                let email = user.email.as_deref().filter(|_| access::shows_email(self.who, user));
                let texts = [Some(user.name.as_str()), user.display_name.as_deref(), user.title.as_deref()];
                has_all(name, texts.into_iter().chain([email]).flatten())
            })
    }
}

impl Op for List {
    const NAME: &'static str = "list_employee_people";
    const REPLICA: bool = true;
    /// And how far it looked, if that was not to the end.
    type Out = (Vec<User>, Option<i64>);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let mut found = Vec::new();
        let mut after = self.after;
        let mut looked_at = 0;
        loop {
            let page = users::listed_page(c, self.who.workspace_id, after, READ_AT_ONCE).await?;
            let is_last = i64::try_from(page.len()).is_ok_and(|read| read < READ_AT_ONCE);
            let Some(last) = page.last() else { return Ok((found, None)) };
            after = last.id.0;
            looked_at += page.len();
            found.extend(page.into_iter().filter(|user| self.wants(user)));
            if is_last || found.len() >= self.limit {
                found.truncate(self.limit);
                return Ok((found, None));
            }
            if looked_at >= LOOKED_AT {
                return Ok((found, Some(after)));
            }
        }
    }
}

struct Find {
    who: Employee,
    person: PersonRef,
}

impl Op for Find {
    const NAME: &'static str = "find_employee_person";
    const REPLICA: bool = true;
    type Out = User;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<User> {
        access::find(c, self.who, &self.person).await
    }
}
