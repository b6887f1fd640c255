//! Exchanging an install code, which is the OAuth authorization code of an app's installation, for a bot token.

use super::{AuthenticatedApp, is_acting_admin};
use crate::{
    domain::{
        ids::{AppId, InstallationId, UserId, WorkspaceId},
        pkce, redirect,
        refusal::Code,
        scopes::Scopes,
        token::{self, TokenKind},
    },
    service::{Stamp, World, apps::redirect_uris, refuse},
    store::{
        Op, Result, Sql, StoreError,
        apps::{self, App, InstallCode, Installation},
        bot_tokens,
        users::{self, User},
        workspaces,
    },
};

/// A token request of an app.
#[derive(Clone, Debug)]
pub struct CodeExchange {
    /// `svc_code_…`, or any other text.
    pub code: String,
    /// If the installation was approved with a redirect URI, this value must be the same URI. Otherwise this value must
    /// be `None` or a redirect URI that the app has registered (D-149).
    pub redirect_uri: Option<String>,
    /// PKCE verifier.
    pub code_verifier: Option<String>,
}

/// The result of an exchange.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchanged {
    /// `svc_bot_…`; only its hash is stored.
    pub token: String,
    /// Scopes of the token.
    pub scopes: Scopes,
    /// The app of the token.
    pub app_id: AppId,
    /// The app's user in the company.
    pub bot_user_id: UserId,
    /// The company.
    pub workspace_id: WorkspaceId,
    /// Name of the company.
    pub workspace_name: String,
}

impl World {
    /// Exchanges an authorization code for a bot token in the company that approved the app (B-347). The token gets the
    /// approved scopes that the app still has.
    ///
    /// If the app is already connected in the company, the exchange adds a token to the existing installation (D-039).
    /// Otherwise the exchange creates an installation. All installations of the app in the company have the same bot
    /// user (D-038).
    ///
    /// # Errors
    /// `invalid_client` if the app was disabled, or its client secret replaced, after the app was authenticated.
    ///
    /// `invalid_grant` in these cases:
    ///
    /// - The code is unknown, used or expired, or it belongs to another app.
    /// - The code was voided when the app was uninstalled or disabled.
    /// - The redirect URI or the verifier does not match the approval (D-149, D-150).
    /// - The approver is no longer an active admin of the company.
    /// - The approval has scopes, and the app no longer has any of them.
    ///
    /// A rejected exchange does not use up the code.
    pub async fn exchange_code(&self, client: AuthenticatedApp, exchange: CodeExchange) -> Result<Exchanged> {
        let stamp = self.stamp();
        let token = self.mint(TokenKind::bot(self.settings.production));
        let op = ExchangeCode {
            client,
            code_hash: token::hash(&exchange.code),
            exchange,
            token_hash: token::hash(&token),
            bot_user_id: UserId(stamp.id()?),
            installation_id: InstallationId(stamp.id()?),
            stamp,
        };
        let (installation, scopes, workspace_name) = self.write_for(client, op).await?;
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
    stamp: Stamp,
    client: AuthenticatedApp,
    exchange: CodeExchange,
    code_hash: [u8; 32],
    token_hash: [u8; 32],
    /// The id of the new bot user, if this is the app's first installation in the company.
    bot_user_id: UserId,
    /// The id of the new installation, if the app is not connected in the company.
    installation_id: InstallationId,
}

impl Op for ExchangeCode {
    const NAME: &'static str = "exchange_code";
    type Out = (Installation, Scopes, String);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        // Locks the app. So the app's exchanges run one after the other, and no request can disable the app during an
        // exchange.
        let app = self.client.lock(c).await?;
        let registered = redirect_uris(&app)?;
        let code = apps::code(c, &self.code_hash).await?.filter(|code| self.fits(code, &registered));
        let Some(code) = code else { return refuse(Code::InvalidGrant) };
        if !self.is_approval_valid(c, &code).await? {
            return refuse(Code::InvalidGrant);
        }
        // scopes that were removed from the app after the approval are not granted (RFC 6749 §3.3)
        let scopes = code.scopes.intersection(app.scopes);
        if scopes.is_empty() && !code.scopes.is_empty() {
            return refuse(Code::InvalidGrant);
        }
        // Fails if the code was deleted after it was read above: the code can expire in the meantime, and a maintenance
        // job deletes expired codes. The lock of the app excludes a concurrent exchange.
        if !apps::use_code(c, &self.code_hash, self.stamp.now).await? {
            return refuse(Code::InvalidGrant);
        }
        let Some(workspace) = workspaces::by_id(c, code.workspace_id).await? else {
            return Err(StoreError::bug("a code of a company that does not exist").into());
        };
        let installation = self.installation(c, &app, &code, scopes).await?;
        bot_tokens::insert(c, &self.token_hash, &installation, scopes, self.stamp.now).await?;
        Ok((installation, scopes, workspace.name))
    }
}

impl ExchangeCode {
    /// Returns whether this request may exchange the code. The code must belong to the app, must be unused and must not
    /// have expired. The request's redirect URI and verifier must match the approval. `registered` are the redirect
    /// URIs that the app has registered.
    fn fits(&self, code: &InstallCode, registered: &[String]) -> bool {
        let same_redirect = match (&code.redirect_uri, &self.exchange.redirect_uri) {
            (None, None) => true,
            (Some(approved), Some(given)) => redirect::is_same(approved, given),
            // Without a redirect URI in the approval, the code was sent to the app's only redirect URI, or was returned
            // by the admin API (W-35). Some OAuth libraries send a redirect URI with every exchange. So any redirect
            // URI that the app has registered is accepted.
            (None, Some(given)) => registered.iter().any(|known| redirect::is_same(known, given)),
            (Some(_), None) => false,
        };
        let verified = match (&code.challenge, &self.exchange.code_verifier) {
            (None, None) => true,
            (Some(challenge), Some(verifier)) => pkce::matches(challenge, verifier),
            // A verifier without a challenge is rejected, because an attacker may have removed the challenge from the
            // authorization request (RFC 9700 §2.1.1).
            _ => false,
        };
        code.app_id == self.client.app_id
            && code.used_at.is_none()
            && self.stamp.now < code.expires_at
            && same_redirect
            && verified
    }

    /// Returns whether the approval is still valid. An admin's approval is void if the admin is no longer active or no
    /// longer an admin. An approval that the operator gave without an acting admin always stays valid.
    async fn is_approval_valid<C: Sql>(&self, c: &mut C, code: &InstallCode) -> Result<bool> {
        let Some(approver) = code.approved_by else { return Ok(true) };
        Ok(users::by_id_for_update(c, approver).await?.is_some_and(|user| is_acting_admin(&user)))
    }

    /// Adds the scopes to the app's connected installation in the company. Inserts an installation if the app has no
    /// connected installation there. Returns the installation.
    async fn installation<C: Sql>(
        &self,
        c: &mut C,
        app: &App,
        code: &InstallCode,
        scopes: Scopes,
    ) -> Result<Installation> {
        if let Some(mut connected) = apps::connected(c, app.id, code.workspace_id).await? {
            connected.scopes = connected.scopes.union(scopes);
            apps::set_scopes(c, connected.id, connected.scopes).await?;
            return Ok(connected);
        }
        let installation = Installation {
            id: self.installation_id,
            app_id: app.id,
            workspace_id: code.workspace_id,
            bot_user_id: self.bot_user(c, app, code.workspace_id).await?,
            scopes,
            connected: true,
            reason: None,
            installed_by: code.approved_by,
            created_at: self.stamp.now,
            disconnected_at: None,
        };
        apps::insert_installation(c, &installation).await?;
        Ok(installation)
    }

    /// Returns the app's bot user in the company. All installations of the app in the company share this user (B-369).
    /// Creates the user if there is none. Renames the user if the app has a new name.
    async fn bot_user<C: Sql>(&self, c: &mut C, app: &App, workspace: WorkspaceId) -> Result<UserId> {
        if let Some(bot) = users::bot_of_app(c, workspace, app.id).await? {
            // The app may have been renamed while it was not connected. `app.name` is current, because this exchange
            // has locked the app's row. The bot's row is locked only for such a rename, because the lock risks a
            // deadlock: other operations lock users in the order of their ids, and this transaction has already locked
            // the approver's row.
            if bot.name != app.name {
                users::rename_bots(c, &[bot.id], &app.name).await?;
            }
            return Ok(bot.id);
        }
        let bot = User {
            app_id: Some(app.id),
            is_bot: true,
            email_visible: false,
            ..User::new(self.bot_user_id, workspace, app.name.clone(), self.stamp.now)
        };
        users::insert(c, &bot, None).await?;
        Ok(bot.id)
    }
}
