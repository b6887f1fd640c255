//! People as their company administers them: adding, changing, shutting out, and what apps are told of it.
//!
//! Called by the admin room and the pages. What bots read of people is in [`reading`](super::reading).

mod change;
mod create;
mod identity;
mod news;
mod own;
mod search;
mod state;
#[cfg(test)]
mod tests;

pub use change::PersonChange;
pub use create::NewPerson;
pub use own::Persona;

use self::search::ListEverybody;
use super::{
    Stamp, World, conflict, invalid,
    principal::Principal,
    reading::{Page, PageRequest},
    refuse,
};
use crate::{
    domain::{
        cursor::CursorScope,
        email,
        ids::{AppId, UserId, WorkspaceId},
        people::{self, UserState},
        refusal::Code,
    },
    platform::secrets::Secret,
    store::{
        LockKey, Op, Result, Sql, StoreError, apps,
        users::{self, User},
        workspaces,
    },
};

impl World {
    /// Everybody of a company in order of creation: every state, hidden guests, bots (W-08). With `query` those of
    /// whom every word of it begins a word of the name, or the e-mail address.
    ///
    /// # Errors
    /// `not_found` for strangers and an unknown company, `forbidden` for its people who are no admins,
    /// `invalid_cursor`.
    pub async fn list_everybody(
        &self,
        who: &Principal,
        workspace: WorkspaceId,
        query: Option<&str>,
        request: PageRequest<'_>,
    ) -> Result<Page<User>> {
        who.administer(workspace, Code::NotFound)?;
        let filter = match query {
            None => workspace.encode(),
            Some(query) => format!("{workspace} {query}"),
        };
        let scope = CursorScope {
            endpoint: "admin.users",
            owner: who.cursor_owner(),
            conversation: None,
            filter: &filter,
        };
        let after = self.position(&scope, request.cursor, 0)?;
        let limit = i64::from(request.limit) + 1;
        let op = ListEverybody { workspace, query: query.map(str::to_owned), after, limit };
        // whoever has found many has looked at all of them
        let found = match query {
            None => self.db.read(op).await?,
            Some(_) => self.db.scan(op).await?,
        };
        Ok(self.page(&scope, request.limit, found, |u| u.id.0))
    }

    /// A person or bot with everything stored, for the operator, the company's admins and that person (W-09).
    ///
    /// # Errors
    /// `user_not_found`, also for strangers; `forbidden` for other people of the company.
    pub async fn full_person(&self, who: &Principal, id: UserId) -> Result<User> {
        self.db.read(FindFullPerson { who: who.clone(), id }).await
    }

    /// Blocks an app for a person: its bot cannot write to them (W-13). Repeating it changes nothing.
    ///
    /// # Errors
    /// `user_not_found`, also for a bot and for strangers; `forbidden` for anybody but the operator and that
    /// person; `not_found` for an unknown app.
    pub async fn block_app(&self, who: &Principal, id: UserId, app: AppId) -> Result<()> {
        self.db.write(SetBlock { at: self.stamp(), who: who.clone(), id, app, blocked: true }).await
    }

    /// Takes a block back (W-14). Without one nothing changes.
    ///
    /// # Errors
    /// Those of [`World::block_app`].
    pub async fn unblock_app(&self, who: &Principal, id: UserId, app: AppId) -> Result<()> {
        self.db.write(SetBlock { at: self.stamp(), who: who.clone(), id, app, blocked: false }).await
    }

    /// Hashes a password that is to be set.
    async fn hash_password(&self, password: Option<&Secret>) -> Result<Option<String>> {
        match password {
            None => Ok(None),
            Some(password) => match self.passwords.hash(password).await {
                Ok(hash) => Ok(Some(hash)),
                Err(error) => Err(StoreError::bug(error.to_string()).into()),
            },
        }
    }
}

/// Whether a person counts in `member_count`: an active account, guests too, no bots (B-113, B-114).
#[must_use]
pub fn is_counted(user: &User) -> bool {
    user.state == UserState::Active && !user.is_bot
}

/// Refuses what is no e-mail address or no time zone, and an admin from outside the company.
fn check_fields(email: Option<&str>, timezone: Option<&str>) -> Result<()> {
    if email.is_some_and(|address| !email::is_address(&email::normal(address))) {
        return invalid("email is not an e-mail address");
    }
    if timezone.is_some_and(|name| !people::is_time_zone(name)) {
        return invalid("timezone is not an IANA time zone name");
    }
    Ok(())
}

/// A guest administers nothing.
fn check_roles(user: &User) -> Result<()> {
    if user.is_admin && user.is_external {
        return invalid("is_admin and is_external exclude each other");
    }
    Ok(())
}

/// A person about to be changed, locked until the transaction ends. The change is answered after every message to or
/// from the person that began before it.
///
/// # Errors
/// `user_not_found`.
async fn held<C: Sql>(c: &mut C, id: UserId) -> Result<User> {
    c.drain(LockKey::user(id));
    match users::by_id_for_update(c, id).await? {
        Some(user) => Ok(user),
        None => refuse(Code::UserNotFound),
    }
}

/// Holds a company's addresses for the person who is to have one, so that no two people get the same.
///
/// # Errors
/// `not_found` for an unknown company; `conflict` when another person of it has the address.
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
    who: Principal,
    id: UserId,
}

impl Op for FindFullPerson {
    const NAME: &'static str = "find_full_person";
    type Out = User;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<User> {
        let Some(user) = users::by_id(c, self.id).await? else { return refuse(Code::UserNotFound) };
        self.who.own_or_administer(user.workspace_id, user.id, Code::UserNotFound)?;
        Ok(user)
    }
}

struct SetBlock {
    at: Stamp,
    who: Principal,
    id: UserId,
    app: AppId,
    blocked: bool,
}

impl Op for SetBlock {
    const NAME: &'static str = "set_app_block";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let user = held(c, self.id).await?;
        self.who.own(user.workspace_id, user.id, Code::UserNotFound)?;
        if user.is_bot {
            return refuse(Code::UserNotFound);
        }
        if apps::by_id(c, self.app).await?.is_none() {
            return refuse(Code::NotFound);
        }
        if self.blocked {
            users::block_app(c, &user, self.app, self.at.now).await
        } else {
            users::unblock_app(c, user.id, self.app).await
        }
    }
}
