//! Installations of apps: approval, exchange of the code for a bot token, uninstalling and revocation.
//!
//! An installation is connected or disconnected. A disconnected installation is never connected again. If the app is
//! installed again, it gets another installation with the same bot user (D-038).

mod approve;
mod client;
mod exchange;
mod request;

pub use approve::Approval;
pub use client::AuthenticatedApp;
pub use exchange::{CodeExchange, Exchanged};
pub use request::{InstallProblem, InstallRequest, Installed, InstalledAppView};

use std::time::Duration;

use crate::service::{
    Stamp,
    callers::{
        Caller, CallerKind, CompanyAdmin, Operator,
        principal::{CallerPrincipal, Right},
    },
    outbox,
    paging::{Page, PageRequest},
    refuse, view,
};
use crate::{
    domain::{
        cursor::CursorScope,
        ids::{AppId, InstallationId, UserId, WorkspaceId},
        installation::DisconnectReason,
        people::is_active_admin,
        refusal::{Code, Refusal},
        scopes::Scopes,
        time::Timestamp,
    },
    store::{
        LockKey, Locks, Notice, Op, ReadOp, ReadSql, Result, Sql,
        apps::{self, Installation},
        op,
        users::{self, User},
        workspaces,
    },
};

/// Lifetime of an install code (D-151).
pub const CODE_LIFE: Duration = Duration::from_secs(10 * 60);

view! {
    /// An installation of an app in a company.
    InstallationView of Installation {
        id: InstallationId,
        app_id: AppId,
        workspace_id: WorkspaceId,
        bot_user_id: UserId,
        scopes: Scopes,
        connected: bool,
        /// Why the installation was disconnected.
        reason: Option<DisconnectReason>,
        installed_by: Option<UserId>,
        created_at: Timestamp,
        disconnected_at: Option<Timestamp>,
    }
}

impl Operator<'_> {
    /// Returns an installation, whether connected or disconnected; `None` for an unknown id.
    ///
    /// # Errors
    /// Store errors.
    pub async fn find_installation(self, id: InstallationId) -> Result<Option<InstallationView>> {
        Ok(self.world().db.read(FindInstallation(id)).await?.map(InstallationView::from))
    }
}

impl CompanyAdmin<'_> {
    /// Lists the connected and disconnected installations of a company in order of creation (W-36).
    ///
    /// # Errors
    /// `invalid_cursor`; `not_found` for an unknown company.
    pub async fn list_installations(self, request: PageRequest<'_>) -> Result<Page<InstallationView>> {
        let workspace = self.company_id();
        let filter = workspace.encode();
        let scope = CursorScope {
            endpoint: "admin.installations",
            owner: self.caller().cursor_owner(),
            conversation: None,
            filter: &filter,
        };
        let after = self.world().position(&scope, request.cursor, 0)?;
        let op = ListInstallations { workspace, after, limit: i64::from(request.limit) + 1 };
        let found = self.world().db.read(op).await?;
        Ok(self
            .world()
            .page(&scope, request.limit, found, |installation| installation.id.0)
            .map(InstallationView::from))
    }
}

impl Caller {
    /// Uninstalls an app from a company (W-37, B-364) and returns the company. Revokes the tokens of the installation,
    /// and sends the app an event that names the admin. Also voids the app's unexchanged install codes for the company,
    /// because an exchange would connect the app again. If the installation is already disconnected, changes nothing,
    /// so install codes of a later approval stay valid.
    ///
    /// `acting` is the admin for whom the operator acts, or `Some(None)` for text that is not a user id. If the caller
    /// is a signed-in account, `acting` is ignored.
    ///
    /// # Errors
    /// - `invalid_request` if the operator names no acting admin.
    /// - `not_found` for an unknown installation, and for a caller outside its company.
    /// - `forbidden` for a caller or an acting user who is not an active admin.
    /// - `user_not_found` if `acting` is a bot, a user outside the company, or text that is not a user id.
    pub async fn uninstall(
        &self,
        id: Option<InstallationId>,
        acting: Option<Option<UserId>>,
    ) -> Result<WorkspaceId> {
        if self.kind() == CallerKind::Operator && acting.is_none() {
            let why = "X-Acting-User must name the admin who uninstalls the app";
            return Err(Refusal::because(Code::InvalidRequest, why).into());
        }
        let Some(id) = id else { return refuse(Code::NotFound) };
        self.write(Uninstall { stamp: self.world().stamp(), principal: self.to_principal(), id, acting })
            .await
    }
}

/// Returns whether a person is an active admin of their company.
fn is_acting_admin(user: &User) -> bool {
    is_active_admin(user.is_admin, user.state)
}

/// Returns the admin on whose behalf a request is made: the caller, or the admin for whom the operator acts. Returns
/// `None` if the operator names no admin.
///
/// # Errors
/// - `user_not_found` for a bot, for a user outside the company, and for text that is not a user id.
/// - `forbidden` for a person of the company who is not an active admin.
async fn acting_admin<C: ReadSql>(
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
            let why = "X-Acting-User must name an active admin of the company";
            Err(Refusal::because(Code::Forbidden, why).into())
        }
        None => refuse(Code::UserNotFound),
    }
}

struct FindInstallation(InstallationId);

op! {
    ReadOp "find_installation": FindInstallation -> Option<Installation> = |op, c| apps::installation(c, op.0)
}

struct ListInstallations {
    workspace: WorkspaceId,
    after: i64,
    limit: i64,
}

impl ReadOp for ListInstallations {
    const NAME: &'static str = "list_installations";
    type Out = Vec<Installation>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Vec<Installation>> {
        if workspaces::by_id(c, self.workspace).await?.is_none() {
            return refuse(Code::NotFound);
        }
        apps::installations(c, self.workspace, self.after, self.limit).await
    }
}

struct Uninstall {
    stamp: Stamp,
    principal: CallerPrincipal,
    id: InstallationId,
    acting: Option<Option<UserId>>,
}

impl Op for Uninstall {
    const NAME: &'static str = "uninstall_app";
    type Out = WorkspaceId;

    /// Returns the lock of the admin for whom the operator acts. A request that removes the admin's role responds only
    /// after the transactions that hold this lock have ended. So after that response, no app is uninstalled in the
    /// admin's name.
    fn locks(&self) -> Locks {
        let acting = self.acting.flatten().filter(|_| matches!(self.principal, CallerPrincipal::Operator));
        Locks::shared(acting.map(LockKey::user))
    }

    async fn run<C: Sql>(&self, c: &mut C) -> Result<WorkspaceId> {
        let Some(installation) = apps::installation(c, self.id).await? else { return refuse(Code::NotFound) };
        let workspace = installation.workspace_id;
        let right = self.principal.administer(workspace, Code::NotFound)?;
        let admin = acting_admin(c, right, workspace, self.acting).await?;
        // Locks the app, as an exchange of a code does. A concurrent exchange either completes before this transaction
        // disconnects the installation, or finds its code voided.
        apps::by_id_for_update(c, installation.app_id).await?;
        c.notify(Notice::Drain(LockKey::installation(self.id)));
        if apps::disconnect(c, self.id, DisconnectReason::Admin, self.stamp.now).await? {
            apps::void_codes(c, installation.app_id, workspace).await?;
            let report = Some((DisconnectReason::Admin.name(), admin));
            outbox::uninstalled(c, &self.stamp, installation.app_id, &[self.id], report).await?;
        }
        Ok(workspace)
    }
}
