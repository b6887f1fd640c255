//! Approval of an app for a company. The approval issues an authorization code (`InstallCode`), which the app exchanges
//! for a bot token.

use super::{CODE_LIFE, acting_admin};
use crate::{
    domain::{
        ids::{AppId, UserId, WorkspaceId},
        pkce, redirect,
        refusal::{Code, Refusal},
        scopes::Scopes,
        token::{self, TokenKind},
    },
    service::{
        Stamp,
        apps::redirect_uris,
        callers::{CompanyAdmin, principal::Right},
        invalid, refuse,
    },
    store::{
        Op, Result, Sql,
        apps::{self, InstallCode},
        workspaces,
    },
};

/// An approval of an app by an admin or the operator.
#[derive(Clone, Debug)]
pub struct Approval {
    /// `None` for text that is not an app id.
    pub app: Option<AppId>,
    /// The admin for whom the operator acts. `None` if the request names no admin, `Some(None)` for text that is not a
    /// user id. Ignored if the caller is a signed-in admin.
    pub acting: Option<Option<UserId>>,
    /// The approved scopes; `None` for all scopes of the app.
    pub scopes: Option<Scopes>,
    /// The redirect URI of the install request. If it is present, the exchange must include the same redirect URI
    /// (D-149).
    pub redirect_uri: Option<String>,
    /// The PKCE challenge of the method S256. If it is present, the exchange requires the verifier (D-150).
    pub challenge: Option<String>,
}

impl CompanyAdmin<'_> {
    /// Approves an app for a company and returns an authorization code (W-35). The code is valid for 10 minutes and for
    /// one exchange (D-151).
    ///
    /// # Errors
    /// In this order:
    ///
    /// - `invalid_request` for a malformed challenge.
    /// - `Unavailable` while this node's clock is too far from the database's clock
    ///   ([`World::trusted_now`](crate::service::World::trusted_now)).
    /// - `not_found` for an unknown company.
    /// - `user_not_found` if the operator acts for a bot or for a user outside the company, or names text that is not a
    ///   user id.
    /// - `forbidden` if the operator acts for a person of the company who is not an active admin.
    /// - `not_found` for an unknown app.
    /// - `invalid_request` for a scope that the app does not have, and for a redirect URI that the app has not
    ///   registered.
    /// - `conflict` for a disabled app.
    pub async fn approve_app(self, approval: Approval) -> Result<String> {
        let workspace = self.company_id();
        if approval.challenge.as_deref().is_some_and(|challenge| !pkce::is_challenge(challenge)) {
            return invalid("code_challenge is not an S256 challenge");
        }
        let code = self.world().mint(TokenKind::InstallCode);
        let op = ApproveApp {
            stamp: self.world().trusted_stamp()?,
            right: self.right(),
            workspace,
            approval,
            code_hash: token::hash(&code),
        };
        self.caller().write(op).await?;
        Ok(code)
    }
}

struct ApproveApp {
    stamp: Stamp,
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
        // Locks the app. If an admin uninstalls the app, or the operator disables it, its codes are voided. Without the
        // lock, a code that is issued at the same time could stay valid.
        let app = match *app {
            Some(id) => apps::by_id_for_update(c, id).await?,
            None => None,
        };
        let Some(app) = app else { return refuse(Code::NotFound) };
        let scopes = scopes.unwrap_or(app.scopes);
        if !app.scopes.contains_all(scopes) {
            return invalid("scopes contains a scope that the app does not have");
        }
        if let Some(given) = redirect_uri
            && !redirect_uris(&app)?.iter().any(|registered| redirect::is_same(registered, given))
        {
            return invalid("redirect_uri is not registered for the app");
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
            expires_at: self.stamp.now + CODE_LIFE,
            used_at: None,
        };
        apps::insert_code(c, &self.code_hash, &code).await
    }
}
