//! Authentication of apps by client id and secret, and the revocation of bot tokens by their app.

use crate::{
    domain::{ids::AppId, installation::DisconnectReason, refusal::Code, time::Timestamp, token},
    platform::secrets,
    service::{Stamp, World, callers::confirm::Revocable, outbox, refuse},
    store::{
        LockKey, Notice, Op, ReadSql, Result, Sql,
        apps::{self, App},
        bot_tokens, op,
    },
};

/// An app that authenticated by its client id and secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuthenticatedApp {
    /// Id of the app.
    pub app_id: AppId,
    /// SHA-256 of the client secret that the app presented.
    secret_hash: [u8; 32],
    /// When the request arrived.
    pub arrived: Timestamp,
}

impl AuthenticatedApp {
    /// Returns the app and locks its row until the transaction ends. While the row is locked, no other transaction can
    /// disable the app or replace its secrets.
    ///
    /// # Errors
    /// `invalid_client` if the app was disabled, or its client secret replaced, after the app was authenticated.
    pub(super) async fn lock<C: Sql>(&self, c: &mut C) -> Result<App> {
        self.checked(apps::by_id_for_update(c, self.app_id).await?)
    }

    fn checked(&self, app: Option<App>) -> Result<App> {
        match app {
            Some(app) if self.is_valid_for(&app) => Ok(app),
            _ => refuse(Code::InvalidClient),
        }
    }

    fn is_valid_for(&self, app: &App) -> bool {
        secrets::constant_time_eq(&self.secret_hash, &app.client_secret_hash) && app.disabled_at.is_none()
    }
}

impl Revocable for AuthenticatedApp {
    type Current = ();

    /// Returns no advisory locks. Instead, `confirm_for_write` locks the app's row. Disabling the app and replacing its
    /// secret lock the same row, so neither happens during a write on behalf of the app.
    fn locks(&self) -> Vec<LockKey> {
        Vec::new()
    }

    async fn confirm<C: ReadSql>(&self, c: &mut C) -> Result<()> {
        self.checked(apps::by_id(c, self.app_id).await?).map(drop)
    }

    async fn confirm_for_write<C: Sql>(&self, c: &mut C) -> Result<()> {
        self.lock(c).await.map(drop)
    }
}

impl World {
    /// Authenticates an app, for a request that arrived at `arrived`.
    ///
    /// # Errors
    /// `invalid_client` for an unknown id, for a wrong secret and for a disabled app (B-354, D-162).
    pub async fn authenticate_client(
        &self,
        client_id: &str,
        secret: &str,
        arrived: Timestamp,
    ) -> Result<AuthenticatedApp> {
        // Only well-formed ids are looked up. For U+0000 in an argument, PostgreSQL would return an error
        // instead of no row.
        if token::parse(client_id) != Some(token::TokenKind::ClientId) {
            return refuse(Code::InvalidClient);
        }
        let Some(app) = self.db.read(FindClient(client_id.to_owned())).await? else {
            return refuse(Code::InvalidClient);
        };
        let client = AuthenticatedApp { app_id: app.id, secret_hash: token::hash(secret), arrived };
        if client.is_valid_for(&app) { Ok(client) } else { refuse(Code::InvalidClient) }
    }

    /// Disconnects the installation to which `token` belongs. This revokes all tokens of the installation and drops its
    /// pending events. The app gets no event about the disconnect (B-359). An unknown or revoked token, and a token of
    /// another app, change nothing (B-360).
    ///
    /// Install codes that were not exchanged yet stay valid. So an app can revoke its old tokens before it exchanges a
    /// code.
    ///
    /// # Errors
    /// `invalid_client` if the app was disabled, or its client secret replaced, after the app was authenticated.
    pub async fn revoke_token(&self, client: AuthenticatedApp, token: &str) -> Result<()> {
        let op = RevokeToken { stamp: self.stamp(), client, token_hash: token::hash(token) };
        self.write_for(client, op).await
    }
}

/// Finds the app of a client id, even if the app is disabled.
pub(super) struct FindClient(pub(super) String);

op! { ReadOp "find_client": FindClient -> Option<App> = |op, c| apps::by_client_id(c, &op.0) }

struct RevokeToken {
    stamp: Stamp,
    client: AuthenticatedApp,
    token_hash: [u8; 32],
}

impl Op for RevokeToken {
    const NAME: &'static str = "revoke_token";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let owner = bot_tokens::owner(c, &self.token_hash).await?;
        let Some(owner) = owner.filter(|owner| owner.app_id == self.client.app_id) else { return Ok(()) };
        c.notify(Notice::Drain(LockKey::installation(owner.installation_id)));
        if apps::disconnect(c, owner.installation_id, DisconnectReason::AppRevoked, self.stamp.now).await? {
            outbox::uninstalled(c, &self.stamp, owner.app_id, &[owner.installation_id], None).await?;
        }
        Ok(())
    }
}
