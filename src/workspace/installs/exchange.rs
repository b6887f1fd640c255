//! Exchanging a code for a bot token.

use super::{Client, is_acting_admin};
use crate::{
    domain::{
        ids::{AppId, InstallationId, UserId, WorkspaceId},
        people::UserState,
        pkce, redirect,
        refusal::Code,
        scopes::Scopes,
        token::{self, Kind},
    },
    store::{
        Op, Result, Sql, StoreError,
        apps::{self, App, InstallCode, Installation},
        bot_tokens,
        users::{self, User},
        workspaces,
    },
    workspace::{Stamp, World, refuse},
};

/// What an app sends for a token.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// `svc_code_…`, or anything else.
    pub code: String,
    /// That of the approval.
    pub redirect_uri: Option<String>,
    /// PKCE.
    pub code_verifier: Option<String>,
}

/// What the app gets.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchanged {
    /// `svc_bot_…`; only its hash is kept.
    pub token: String,
    /// Of this token.
    pub scopes: Scopes,
    /// Whose token it is.
    pub app_id: AppId,
    /// The app's user in the company.
    pub bot_user_id: UserId,
    /// The company.
    pub workspace_id: WorkspaceId,
    /// Its name.
    pub workspace_name: String,
}

impl World {
    /// Exchanges a code for a token of the company that approved the app (B-347). While the app is connected
    /// there, this adds a token to its installation (D-039); otherwise it is a new installation with the same bot
    /// user (D-038).
    ///
    /// # Errors
    /// `invalid_grant` for a code that is unknown, used, expired or another app's, that was taken back by an uninstall
    /// or a disabling, or whose approver is no active admin of the company any more, and unless redirect URI
    /// and verifier are those of the approval (D-149, D-150). A code that was refused can still be used rightly.
    /// `invalid_client` when the app was disabled just now.
    pub async fn exchange_code(&self, client: Client, exchange: Exchange) -> Result<Exchanged> {
        let at = self.stamp();
        let token = self.mint(Kind::bot(self.settings.production));
        let op = ExchangeCode {
            client,
            code_hash: token::hash(&exchange.code),
            exchange,
            token_hash: token::hash(&token),
            bot_user_id: UserId(at.id()?),
            installation_id: InstallationId(at.id()?),
            at,
        };
        let (installation, scopes, workspace_name) = self.db.write(op).await?;
        Ok(Exchanged {
            token,
            scopes,
            app_id: installation.app_id,
            bot_user_id: installation.bot_user_id,
            workspace_id: installation.workspace_id,
            workspace_name,
        })
    }
}

struct ExchangeCode {
    at: Stamp,
    client: Client,
    exchange: Exchange,
    code_hash: [u8; 32],
    token_hash: [u8; 32],
    /// The id of the bot user, should this be the app's first installation in the company.
    bot_user_id: UserId,
    /// The id of the installation, should the app not be connected there.
    installation_id: InstallationId,
}

impl Op for ExchangeCode {
    const NAME: &'static str = "exchange_code";
    type Out = (Installation, Scopes, String);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        // held: exchanges for one app come one after another, and none slips past its disabling
        let app = apps::by_id_for_update(c, self.client.app_id).await?;
        let Some(app) = app.filter(|app| app.disabled_at.is_none()) else {
            return refuse(Code::InvalidClient);
        };
        let Some(code) = apps::code(c, &self.code_hash).await?.filter(|code| self.fits(code)) else {
            return refuse(Code::InvalidGrant);
        };
        if !self.is_upheld(c, &code).await? {
            return refuse(Code::InvalidGrant);
        }
        // the gate: of two exchanges of one code only one gets through
        if !apps::use_code(c, &self.code_hash, self.at.now).await? {
            return refuse(Code::InvalidGrant);
        }
        let Some(workspace) = workspaces::by_id(c, code.workspace_id).await? else {
            return Err(StoreError::bug("a code of a company that does not exist").into());
        };
        let installation = self.installation(c, &app, &code).await?;
        bot_tokens::insert(c, &self.token_hash, &installation, code.scopes, self.at.now).await?;
        Ok((installation, code.scopes, workspace.name))
    }
}

impl ExchangeCode {
    /// Whether the code is the app's, unused, in time, and comes with what the approval asked for.
    fn fits(&self, code: &InstallCode) -> bool {
        let same_redirect = match (&code.redirect_uri, &self.exchange.redirect_uri) {
            (None, None) => true,
            (Some(approved), Some(given)) => redirect::is_same(approved, given),
            _ => false,
        };
        let verified = match (&code.challenge, &self.exchange.code_verifier) {
            (None, None) => true,
            (Some(challenge), Some(verifier)) => pkce::matches(challenge, verifier),
            // also a verifier without a challenge: somebody may have cut the challenge out (RFC 9700 §2.1.1)
            _ => false,
        };
        code.app_id == self.client.app_id
            && code.used_at.is_none()
            && self.at.now < code.expires_at
            && same_redirect
            && verified
    }

    /// Whether whoever approved it may still approve: an admin who is none any more installs nothing. What the
    /// operator approved in nobody's name stands.
    async fn is_upheld<C: Sql>(&self, c: &mut C, code: &InstallCode) -> Result<bool> {
        let Some(approver) = code.approved_by else { return Ok(true) };
        Ok(users::by_id(c, approver).await?.is_some_and(|user| is_acting_admin(&user)))
    }

    /// The connected installation with the code's scopes added, or a new one.
    async fn installation<C: Sql>(&self, c: &mut C, app: &App, code: &InstallCode) -> Result<Installation> {
        if let Some(mut connected) = apps::connected(c, app.id, code.workspace_id).await? {
            connected.scopes = connected.scopes.union(code.scopes);
            apps::set_scopes(c, connected.id, connected.scopes).await?;
            return Ok(connected);
        }
        let installation = Installation {
            id: self.installation_id,
            app_id: app.id,
            workspace_id: code.workspace_id,
            bot_user_id: self.bot_user(c, app, code.workspace_id).await?,
            scopes: code.scopes,
            connected: true,
            reason: None,
            installed_by: code.approved_by,
            created_at: self.at.now,
            disconnected_at: None,
        };
        apps::insert_installation(c, &installation).await?;
        Ok(installation)
    }

    /// The app's user in the company, the same for every installation (B-369).
    async fn bot_user<C: Sql>(&self, c: &mut C, app: &App, workspace: WorkspaceId) -> Result<UserId> {
        if let Some(bot) = users::bot_of_app(c, workspace, app.id).await? {
            return Ok(bot.id);
        }
        let bot = User {
            id: self.bot_user_id,
            workspace_id: workspace,
            account_id: None,
            app_id: Some(app.id),
            name: app.name.clone(),
            display_name: None,
            email: None,
            avatar_url: None,
            title: None,
            timezone: None,
            state: UserState::Active,
            is_admin: false,
            is_external: false,
            is_bot: true,
            email_visible: false,
            guest_visible: true,
            created_at: self.at.now,
        };
        users::insert(c, &bot, None).await?;
        Ok(bot.id)
    }
}
