//! Approving an app for a company: the code that the app exchanges.

use super::{CODE_LIFE, acting_admin};
use crate::{
    domain::{
        ids::{AppId, UserId, WorkspaceId},
        pkce, redirect,
        refusal::{Code, Refusal},
        scopes::Scopes,
        token::{self, Kind},
    },
    store::{
        Op, Result, Sql,
        apps::{self, InstallCode},
        workspaces,
    },
    workspace::{
        Stamp, World,
        apps::redirect_uris,
        invalid,
        principal::{Principal, Right},
        refuse,
    },
};

/// What an admin agrees to.
#[derive(Clone, Debug)]
pub struct Approval {
    /// `None` for a text that is no app's id.
    pub app: Option<AppId>,
    /// The admin the operator acts for; `Some(None)` for a text that is no user's id.
    pub acting: Option<Option<UserId>>,
    /// All of the app's when it is not said.
    pub scopes: Option<Scopes>,
    /// Needed again at the exchange (D-149).
    pub redirect_uri: Option<String>,
    /// PKCE, S256; its verifier is then needed at the exchange (D-150).
    pub challenge: Option<String>,
}

impl World {
    /// Approves an app for a company and gives the code, good for one exchange within 10 minutes (W-35).
    ///
    /// # Errors
    /// `not_found` for strangers, an unknown company and an unknown app; `forbidden` for people who are no admins;
    /// `user_not_found` when the operator acts for nobody of the company; `invalid_request` for scopes and a
    /// redirect URI that are not the app's and for a malformed challenge; `conflict` for a disabled app.
    pub async fn approve_app(
        &self,
        who: &Principal,
        workspace: WorkspaceId,
        approval: Approval,
    ) -> Result<String> {
        let right = who.administer(workspace, Code::NotFound)?;
        if approval.challenge.as_deref().is_some_and(|challenge| !pkce::is_challenge(challenge)) {
            return invalid("code_challenge is not an S256 challenge");
        }
        let code = self.mint(Kind::InstallCode);
        let op = ApproveApp { at: self.stamp(), right, workspace, approval, code_hash: token::hash(&code) };
        self.db.write(op).await?;
        Ok(code)
    }
}

struct ApproveApp {
    at: Stamp,
    right: Right,
    workspace: WorkspaceId,
    approval: Approval,
    code_hash: [u8; 32],
}

impl Op for ApproveApp {
    const NAME: &'static str = "approve_app";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let Approval { app, acting, scopes, redirect_uri, challenge } = &self.approval;
        if workspaces::by_id(c, self.workspace).await?.is_none() {
            return refuse(Code::NotFound);
        }
        let approved_by = acting_admin(c, self.right, self.workspace, *acting).await?;
        // held: no code is made beside a disabling or an uninstall, which takes back those there are
        let app = match *app {
            Some(id) => apps::by_id_for_update(c, id).await?,
            None => None,
        };
        let Some(app) = app else { return refuse(Code::NotFound) };
        let scopes = scopes.unwrap_or(app.scopes);
        if !app.scopes.contains_all(scopes) {
            return invalid("scopes must be among the app's");
        }
        if let Some(given) = redirect_uri
            && !redirect_uris(&app)?.iter().any(|registered| redirect::is_same(registered, given))
        {
            return invalid("redirect_uri is not one of the app's");
        }
        if app.disabled_at.is_some() {
            return Err(Refusal::because(Code::Conflict, "the app is disabled").into());
        }
        let code = InstallCode {
            app_id: app.id,
            workspace_id: self.workspace,
            approved_by,
            scopes,
            redirect_uri: redirect_uri.clone(),
            challenge: challenge.clone(),
            expires_at: self.at.now + CODE_LIFE,
            used_at: None,
        };
        apps::insert_code(c, &self.code_hash, &code).await
    }
}
