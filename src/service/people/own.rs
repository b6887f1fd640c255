//! What somebody who is signed in sees about themselves: the person of their account in each company, and the apps that
//! each of these persons can block.

use crate::{
    domain::{
        ids::{AccountId, AppId, UserId, WorkspaceId},
        people::is_active_admin,
        time::Timestamp,
    },
    service::{
        callers::{Person, SignedIn},
        view,
    },
    store::{
        Result,
        accounts::{self, AccountPerson},
        op,
        users::{self, AppChoice},
    },
};

/// A person of the caller's account, with the name of the person's company.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnPerson {
    pub user_id: UserId,
    pub workspace_id: WorkspaceId,
    /// Name of the company.
    pub company: String,
    /// Name of the person.
    pub name: String,
    pub email: Option<String>,
    pub timezone: Option<String>,
    /// Whether the person has the rights of an admin.
    pub administers: bool,
    pub is_external: bool,
    /// Whether colleagues see the e-mail address.
    pub email_visible: bool,
}

impl From<AccountPerson> for OwnPerson {
    fn from(row: AccountPerson) -> Self {
        Self {
            administers: is_active_admin(row.is_admin, row.state),
            user_id: row.user_id,
            workspace_id: row.workspace_id,
            company: row.company,
            name: row.name,
            email: row.email,
            timezone: row.timezone,
            is_external: row.is_external,
            email_visible: row.email_visible,
        }
    }
}

view! {
    /// An app that a person can block or has blocked.
    AppChoiceView of AppChoice {
        app_id: AppId,
        name: String,
        /// When the person blocked the app; `None` if the app is not blocked.
        blocked_at: Option<Timestamp>,
    }
}

impl SignedIn<'_> {
    /// Returns the persons of the caller's account in the order of their creation, without those as whom the caller's
    /// session cannot act.
    ///
    /// # Errors
    /// Store errors.
    pub async fn own_people(self) -> Result<Vec<OwnPerson>> {
        let persons = self.caller().persons();
        let people = self.world().db.read(FindOwnPeople(self.account())).await?;
        let people = people.into_iter().map(OwnPerson::from);
        let is_acting =
            |own_person: &OwnPerson| persons.iter().any(|person| person.user_id == own_person.user_id);
        Ok(people.filter(is_acting).collect())
    }
}

impl Person<'_> {
    /// Returns the apps that this person can block or has blocked, sorted by name. A person can block every app that
    /// has a connected installation in the company.
    ///
    /// # Errors
    /// Store errors.
    pub async fn app_choices(self) -> Result<Vec<AppChoiceView>> {
        let find = FindAppChoices { user: self.user_id(), workspace: self.company_id() };
        let choices = self.world().db.read(find).await?;
        Ok(choices.into_iter().map(AppChoiceView::from).collect())
    }
}

struct FindOwnPeople(AccountId);

op! { ReadOp "find_own_people": FindOwnPeople -> Vec<AccountPerson> = |op, c| accounts::people(c, op.0) }

struct FindAppChoices {
    user: UserId,
    workspace: WorkspaceId,
}

op! {
    ReadOp "find_app_choices": FindAppChoices -> Vec<AppChoice> =
        |op, c| users::app_choices(c, op.user, op.workspace)
}
