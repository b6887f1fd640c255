//! An app by its client credentials, and giving a token up.

use crate::{
    domain::{ids::AppId, refusal::Code, token},
    platform::secrets,
    store::{
        LockKey, Op, Result, Sql,
        apps::{self, App, Reason},
        bot_tokens,
    },
    workspace::{Stamp, World, outbox, refuse},
};

/// An app that authenticated by its client id and secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client {
    /// Which one.
    pub app_id: AppId,
}

impl World {
    /// Authenticates an app.
    ///
    /// # Errors
    /// `invalid_client` for an unknown id, a wrong secret and a disabled app alike (B-354, D-162).
    pub async fn authenticate_client(&self, client_id: &str, secret: &str) -> Result<Client> {
        // only what this server could have made is looked up, which also keeps U+0000 out
        if token::parse(client_id) != Some(token::Kind::ClientId) {
            return refuse(Code::InvalidClient);
        }
        let Some(app) = self.db.read(FindClient(client_id.to_owned())).await? else {
            return refuse(Code::InvalidClient);
        };
        let is_right = secrets::same(&token::hash(secret), &app.client_secret_hash);
        if !is_right || app.disabled_at.is_some() {
            return refuse(Code::InvalidClient);
        }
        Ok(Client { app_id: app.id })
    }

    /// Ends the installation of an app's own token, with all its tokens and without an event (B-359). Any other text is left
    /// alone (B-360). Codes stay: what an admin approved, the app does not take back by tidying up before it exchanges one.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn revoke_token(&self, client: Client, token: &str) -> Result<()> {
        self.db.write(RevokeToken { at: self.stamp(), client, token_hash: token::hash(token) }).await
    }
}

/// The app of a client id, disabled ones too.
pub(super) struct FindClient(pub(super) String);

impl Op for FindClient {
    const NAME: &'static str = "find_client";
    type Out = Option<App>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Option<App>> {
        apps::by_client_id(c, &self.0).await
    }
}

struct RevokeToken {
    at: Stamp,
    client: Client,
    token_hash: [u8; 32],
}

impl Op for RevokeToken {
    const NAME: &'static str = "revoke_token";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let owner = bot_tokens::owner(c, &self.token_hash).await?;
        let Some(owner) = owner.filter(|owner| owner.app_id == self.client.app_id) else { return Ok(()) };
        c.drain(LockKey::installation(owner.installation_id));
        if apps::disconnect(c, owner.installation_id, Reason::AppRevoked, self.at.now).await? {
            outbox::uninstalled(c, &self.at, owner.app_id, &[owner.installation_id], None).await?;
        }
        Ok(())
    }
}
