//! The people visible to an employee, for assistants.

use super::{
    Assistant, Employee,
    access::{self, PersonRef},
    conversations::has_all,
};
use crate::{
    domain::{cursor::CursorScope, refusal::Code},
    service::{
        companies::VisibleCompany,
        paging::{Page, PageRequest},
        people::{VisibleUser, visible_user::Viewer},
        refuse,
    },
    store::{
        ReadOp, ReadSql, Result, op,
        users::{self, User, UserOfCompany},
    },
};

/// Maximum number of people that a statement reads.
const BATCH_SIZE: i64 = 500;
/// Number of scanned people after which a page ends. The page can then be shorter than requested.
const MAX_SCANNED: usize = 20_000;

/// Which people are listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeopleFilter {
    /// Each word of this text must be a prefix of a word in the person's name, display name or title, or in the e-mail
    /// address if the employee sees the address.
    pub name: Option<String>,
    /// Whether deactivated and removed people are included.
    pub inactive: bool,
}

impl Assistant<'_> {
    /// Lists the people visible to the company's members, in order of creation. A page can be short or empty although
    /// there is a next page.
    ///
    /// # Errors
    /// `invalid_cursor`.
    pub async fn list_people(
        self,
        filter: PeopleFilter,
        request: PageRequest<'_>,
    ) -> Result<Page<VisibleUser>> {
        let employee = self.employee();
        let filter_key = format!("{filter:?}");
        let scope = CursorScope {
            endpoint: "mcp.people",
            owner: employee.user_id.0,
            conversation: None,
            filter: &filter_key,
        };
        let after = self.world.position(&scope, request.cursor, 0)?;
        let op = ListEmployeePeople { employee, filter, after, limit: request.limit as usize + 1 };
        let (found, scan_end) = self.world.db.scan(op).await?;
        Ok(self.world.page_to(&scope, request.limit, found, |user| user.id.0, scan_end))
    }

    /// Returns a user whom the employee sees: a person visible to the company's members, a bot, or the employee
    /// themselves.
    ///
    /// # Errors
    /// `user_not_found`.
    pub async fn person(self, person: PersonRef) -> Result<VisibleUser> {
        let employee = self.employee();
        Ok(Viewer::from(employee).view(self.world.db.read(FindEmployeePerson { employee, person }).await?))
    }

    /// Returns the employee and the company.
    ///
    /// # Errors
    /// `user_not_found` if the employee does not exist; store errors.
    pub async fn identity(self) -> Result<(VisibleUser, VisibleCompany)> {
        let employee = self.employee();
        match self.world.db.profile(employee.user_id).await? {
            Some(UserOfCompany { user, company_name, company_domain })
                if user.workspace_id == employee.workspace_id =>
            {
                let company =
                    VisibleCompany { id: user.workspace_id, name: company_name, domain: company_domain };
                Ok((Viewer::from(employee).view(user), company))
            }
            _ => refuse(Code::UserNotFound),
        }
    }
}

struct ListEmployeePeople {
    employee: Employee,
    filter: PeopleFilter,
    after: i64,
    limit: usize,
}

impl ListEmployeePeople {
    fn matches(&self, user: &VisibleUser) -> bool {
        let VisibleUser { name, display_name, title, email, .. } = user;
        let texts = [Some(name), display_name.as_ref(), title.as_ref(), email.as_ref()];
        (self.filter.inactive || user.is_active)
            && self
                .filter
                .name
                .as_ref()
                .is_none_or(|name| has_all(name, texts.into_iter().flatten().map(String::as_str)))
    }
}

impl ReadOp for ListEmployeePeople {
    const NAME: &'static str = "list_employee_people";
    const REPLICA: bool = true;
    /// The people, and the id of the last scanned person if the scan stopped because of [`MAX_SCANNED`]. The id is
    /// `None` if the page is full, or if the scan reached the end of the list.
    type Out = (Vec<VisibleUser>, Option<i64>);

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let mut found = Vec::new();
        let mut after = self.after;
        let mut scanned = 0;
        loop {
            let page = users::listed_page(c, self.employee.workspace_id, after, BATCH_SIZE).await?;
            let is_last = i64::try_from(page.len()).is_ok_and(|read| read < BATCH_SIZE);
            let Some(last) = page.last() else { return Ok((found, None)) };
            after = last.id.0;
            scanned += page.len();
            let visible = page.into_iter().map(|user| Viewer::from(self.employee).view(user));
            found.extend(visible.filter(|user| self.matches(user)));
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

struct FindEmployeePerson {
    employee: Employee,
    person: PersonRef,
}

op! {
    ReadOp "find_employee_person", REPLICA: FindEmployeePerson -> User = |op, c| access::find(c, op.employee, &op.person)
}
