//! Administration of people: listing, adding, changing and deactivating people, the events by which apps are notified
//! of these changes, and the apps that people block. [`visible_user`] decides what bots and employees see of a user.
//!
//! Bots read people through [`reading`](crate::service::bot::reading).

mod change;
mod create;
mod directory_events;
mod fields;
mod identity;
pub(in crate::service) mod names;
mod own;
mod search;
mod state;
#[cfg(test)]
mod tests;
pub(in crate::service) mod visible_user;

pub use fields::{NewPerson, PersonChange, UserView, VisibleUser};
pub use own::{AppChoiceView, OwnPerson};

use self::search::ListEverybody;
use super::{
    Stamp,
    callers::{Caller, CompanyAdmin, principal::CallerPrincipal},
    conflict, invalid,
    paging::{Page, PageRequest},
    refuse,
};
use crate::{
    domain::{
        cursor::CursorScope,
        ids::{AppId, UserId, WorkspaceId},
        people::UserState,
        refusal::Code,
    },
    store::{
        LockKey, Notice, Op, ReadOp, ReadSql, Result, Sql, apps,
        users::{self, User},
        workspaces,
    },
};

impl CompanyAdmin<'_> {
    /// Lists all users of a company in order of creation: people in all states, hidden guests and bots (W-08). With
    /// `query`, lists only users for whom each word of the query is a prefix of a word in the name, the display name or
    /// the e-mail address. If the query has more than four words, the four longest are used.
    ///
    /// # Errors
    /// `invalid_cursor`; `not_found` for an unknown company.
    pub async fn list_everybody(
        self,
        query: Option<&str>,
        request: PageRequest<'_>,
    ) -> Result<Page<UserView>> {
        self.list(query, request, false).await
    }

    /// Lists the people of a company like [`Self::list_everybody`], without bots.
    ///
    /// # Errors
    /// Errors of [`Self::list_everybody`].
    pub async fn list_people(self, query: Option<&str>, request: PageRequest<'_>) -> Result<Page<UserView>> {
        self.list(query, request, true).await
    }

    async fn list(
        self,
        query: Option<&str>,
        request: PageRequest<'_>,
        people_only: bool,
    ) -> Result<Page<UserView>> {
        let workspace = self.company_id();
        let filter = match query {
            None => workspace.encode(),
            Some(query) => format!("{workspace} {query}"),
        };
        let scope = CursorScope {
            endpoint: if people_only { "admin.people" } else { "admin.users" },
            owner: self.caller().cursor_owner(),
            conversation: None,
            filter: &filter,
        };
        let after = self.world().position(&scope, request.cursor, 0)?;
        let limit = i64::from(request.limit) + 1;
        let op = ListEverybody { workspace, query: query.map(str::to_owned), after, limit, people_only };
        // a search reads all matches of a word, which can be slow, so it uses `scan`
        let found = match query {
            None => self.world().db.read(op).await?,
            Some(_) => self.world().db.scan(op).await?,
        };
        Ok(self.world().page(&scope, request.limit, found, |u| u.id.0).map(UserView::from))
    }
}

impl Caller {
    /// Returns a person or bot with all fields, for the operator, the company's admins and the person (W-09).
    ///
    /// # Errors
    /// `user_not_found`, also for a caller outside the company. `forbidden` for a caller of the company who is neither
    /// the person nor an admin.
    pub async fn full_person(&self, id: UserId) -> Result<UserView> {
        Ok(self.own_or_administered(id).await?.into())
    }

    async fn own_or_administered(&self, id: UserId) -> Result<User> {
        self.world().db.read(FindFullPerson { principal: self.to_principal(), id }).await
    }

    /// Blocks an app for a person, so that the app's bot cannot send direct messages to the person (W-13). Idempotent.
    ///
    /// # Errors
    /// - `user_not_found`, also for a caller outside the company.
    /// - `forbidden` for a caller of the company who is not the person.
    /// - `user_not_found` for a bot.
    /// - `not_found` for an unknown app.
    pub async fn block_app(&self, id: UserId, app: AppId) -> Result<()> {
        self.write(SetBlock {
            stamp: self.world().stamp(),
            principal: self.to_principal(),
            id,
            app,
            blocked: true,
        })
        .await
    }

    /// Unblocks an app for a person (W-14). Idempotent.
    ///
    /// # Errors
    /// Errors of [`Caller::block_app`].
    pub async fn unblock_app(&self, id: UserId, app: AppId) -> Result<()> {
        self.write(SetBlock {
            stamp: self.world().stamp(),
            principal: self.to_principal(),
            id,
            app,
            blocked: false,
        })
        .await
    }
}

/// Returns whether a user is counted in `member_count`. Active people are counted, including guests. Bots are not
/// counted (B-113, B-114).
#[must_use]
pub(in crate::service) fn is_counted(user: &User) -> bool {
    user.state == UserState::Active && !user.is_bot
}

/// Rejects a guest who is an admin.
fn check_roles(user: &User) -> Result<()> {
    if user.is_admin && user.is_external {
        return invalid("is_admin and is_external exclude each other");
    }
    Ok(())
}

/// Locks a user's row for a change and returns the user. On PostgreSQL, the response to the change waits for the
/// transactions that still rely on the state before the change: writes by the user and by the user's assistants, and
/// direct messages of bots to the user ([`LockKey::user`]).
///
/// # Errors
/// `user_not_found`.
async fn lock_person<C: Sql>(c: &mut C, id: UserId) -> Result<User> {
    c.notify(Notice::Drain(LockKey::user(id)));
    match users::by_id_for_update(c, id).await? {
        Some(user) => Ok(user),
        None => refuse(Code::UserNotFound),
    }
}

/// Locks the company's row and checks that an e-mail address is free in the company. The lock prevents concurrent
/// requests from giving the same address to two people.
///
/// # Errors
/// `not_found` for an unknown company; `conflict` if another person of the company has the address.
async fn claim_address<C: Sql>(
    c: &mut C,
    workspace: WorkspaceId,
    email_key: &str,
    owner: UserId,
) -> Result<()> {
    if workspaces::by_id_for_update(c, workspace).await?.is_none() {
        return refuse(Code::NotFound);
    }
    match users::by_email(c, workspace, email_key).await? {
        Some(other) if other.id != owner => conflict("another person of the company has this e-mail address"),
        _ => Ok(()),
    }
}

struct FindFullPerson {
    principal: CallerPrincipal,
    id: UserId,
}

impl ReadOp for FindFullPerson {
    const NAME: &'static str = "find_full_person";
    type Out = User;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<User> {
        let Some(user) = users::by_id(c, self.id).await? else { return refuse(Code::UserNotFound) };
        self.principal.own_or_administer(user.workspace_id, user.id, Code::UserNotFound)?;
        Ok(user)
    }
}

struct SetBlock {
    stamp: Stamp,
    principal: CallerPrincipal,
    id: UserId,
    app: AppId,
    blocked: bool,
}

impl Op for SetBlock {
    const NAME: &'static str = "set_app_block";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let user = lock_person(c, self.id).await?;
        self.principal.own(user.workspace_id, user.id, Code::UserNotFound)?;
        if user.is_bot {
            return refuse(Code::UserNotFound);
        }
        if apps::by_id(c, self.app).await?.is_none() {
            return refuse(Code::NotFound);
        }
        if self.blocked {
            users::block_app(c, &user, self.app, self.stamp.now).await
        } else {
            users::unblock_app(c, user.id, self.app).await
        }
    }
}
