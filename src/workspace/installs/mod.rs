//! Apps in companies: approving one, exchanging the code for a bot token, and both ways to end it.
//!
//! An installation is connected or disconnected; disconnected is final, and installing again makes another one with
//! the same bot user (D-038). Called by the admin room, by the bot room's `/oauth/*` and by the install page.

mod approve;
mod client;
mod exchange;
mod request;

pub use approve::Approval;
pub use client::Client;
pub use exchange::{Exchange, Exchanged};
pub use request::{InstallProblem, InstallRequest, Installed};

use std::time::Duration;

use super::{
    Stamp, World, outbox,
    principal::{Principal, Right},
    reading::{Page, PageRequest},
    refuse,
};
use crate::{
    domain::{
        cursor::CursorScope,
        ids::{InstallationId, UserId, WorkspaceId},
        people::UserState,
        refusal::{Code, Refusal},
    },
    store::{
        LockKey, Op, Result, Sql,
        apps::{self, Installation, Reason},
        users::{self, User},
        workspaces,
    },
};

/// How long a code may be exchanged (D-151).
pub const CODE_LIFE: Duration = Duration::from_secs(10 * 60);

impl World {
    /// Every installation of a company in order of creation, disconnected ones too (W-36).
    ///
    /// # Errors
    /// `not_found` for strangers and an unknown company, `forbidden` for its people who are no admins,
    /// `invalid_cursor`.
    pub async fn list_installations(
        &self,
        who: &Principal,
        workspace: WorkspaceId,
        request: PageRequest<'_>,
    ) -> Result<Page<Installation>> {
        who.administer(workspace, Code::NotFound)?;
        let filter = workspace.encode();
        let scope = CursorScope {
            endpoint: "admin.installations",
            owner: who.cursor_owner(),
            conversation: None,
            filter: &filter,
        };
        let after = self.position(&scope, request.cursor, 0)?;
        let op = ListInstallations { workspace, after, limit: i64::from(request.limit) + 1 };
        let found = self.db.read(op).await?;
        Ok(self.page(&scope, request.limit, found, |installation| installation.id.0))
    }

    /// Uninstalls an app (W-37, B-364): its tokens stop, and so do the codes for the company that are still to be exchanged,
    /// which would connect it again; then it is told who did it. One that is disconnected already stays as it is, with
    /// codes of a later approval. `acting` is the admin the operator acts for, `Some(None)` when that is no user's id;
    /// with a session it is not looked at.
    ///
    /// # Errors
    /// `invalid_request` when the operator acts for nobody; `not_found`, also for strangers; `forbidden` for people
    /// who are no admins, also for one whom the operator names; `user_not_found` for nobody of the company.
    pub async fn uninstall(
        &self,
        who: &Principal,
        id: Option<InstallationId>,
        acting: Option<Option<UserId>>,
    ) -> Result<()> {
        if matches!(who, Principal::Operator) && acting.is_none() {
            let why = "X-Acting-User must name the admin who uninstalls the app";
            return Err(Refusal::because(Code::InvalidRequest, why).into());
        }
        let Some(id) = id else { return refuse(Code::NotFound) };
        self.db.write(Uninstall { at: self.stamp(), who: who.clone(), id, acting }).await
    }
}

/// Whether a person administers their company now.
fn is_acting_admin(user: &User) -> bool {
    user.is_admin && user.state == UserState::Active
}

/// The admin in whose name something is done; none when the operator names nobody.
///
/// # Errors
/// `user_not_found` for nobody of the company, `forbidden` for somebody who is no active admin of it.
async fn acting_admin<C: Sql>(
    c: &mut C,
    right: Right,
    workspace: WorkspaceId,
    acting: Option<Option<UserId>>,
) -> Result<Option<UserId>> {
    if let Some(caller) = right.person() {
        return Ok(Some(caller));
    }
    let Some(acting) = acting else { return Ok(None) };
    let user = match acting {
        Some(id) => users::by_id(c, id).await?,
        None => None,
    };
    match user.filter(|user| user.workspace_id == workspace && !user.is_bot) {
        Some(user) if is_acting_admin(&user) => Ok(Some(user.id)),
        Some(_) => {
            let why = "X-Acting-User names no active admin of the company";
            Err(Refusal::because(Code::Forbidden, why).into())
        }
        None => refuse(Code::UserNotFound),
    }
}

struct ListInstallations {
    workspace: WorkspaceId,
    after: i64,
    limit: i64,
}

impl Op for ListInstallations {
    const NAME: &'static str = "list_installations";
    type Out = Vec<Installation>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Vec<Installation>> {
        if workspaces::by_id(c, self.workspace).await?.is_none() {
            return refuse(Code::NotFound);
        }
        apps::installations(c, self.workspace, self.after, self.limit).await
    }
}

struct Uninstall {
    at: Stamp,
    who: Principal,
    id: InstallationId,
    acting: Option<Option<UserId>>,
}

impl Op for Uninstall {
    const NAME: &'static str = "uninstall_app";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let Some(installation) = apps::installation(c, self.id).await? else { return refuse(Code::NotFound) };
        let workspace = installation.workspace_id;
        let right = self.who.administer(workspace, Code::NotFound)?;
        let admin = acting_admin(c, right, workspace, self.acting).await?;
        // held, as by an exchange: it is over before, or finds its code taken back
        apps::by_id_for_update(c, installation.app_id).await?;
        c.drain(LockKey::installation(self.id));
        if apps::disconnect(c, self.id, Reason::Admin, self.at.now).await? {
            apps::void_codes(c, installation.app_id, workspace).await?;
            let report = Some((Reason::Admin.name(), admin));
            outbox::uninstalled(c, &self.at, installation.app_id, &[self.id], report).await?;
        }
        Ok(())
    }
}
