//! Confirms that an installation is still connected, immediately before the body of an event is sent
//! (`docs/decisions/0039-events-after-a-disconnect.md`).

use crate::{
    domain::ids::{AppId, InstallationId},
    service::{World, callers::confirm::ReadTime, outbox::APP_UNINSTALLED},
    store::{LockKey, Locks, ReadOp, ReadSql, Result, bot_tokens},
};

/// Maximum number of look-ups of [`World::may_send`] on SQLite. A look-up is repeated if this process revoked anything
/// while the look-up ran. On PostgreSQL, if the result of the first look-up may be outdated, a second look-up under
/// locks decides.
const LOOK_UPS: u32 = 3;

/// The facts by which [`World::may_send`] decides whether an event may be sent.
#[derive(Clone, Copy, Debug)]
pub struct SendRight {
    app: AppId,
    /// The installation that must be connected. `None` for `app.uninstalled`, which is sent although the installation
    /// is disconnected.
    installation: Option<InstallationId>,
    /// When the state of the installation was read.
    as_of: ReadTime,
}

impl SendRight {
    /// Returns the facts for an event of type `kind`. `as_of` is the time at which the state of the installation was
    /// read.
    pub(super) fn new(app: AppId, kind: &str, installation: InstallationId, as_of: ReadTime) -> Self {
        Self { app, installation: (kind != APP_UNINSTALLED).then_some(installation), as_of }
    }
}

impl World {
    /// For `app.uninstalled`, waits until no node accepts the installation's tokens any more (B-368). Call this before
    /// the event is sent. Does nothing for other events.
    pub async fn after_disconnect(&self, right: &SendRight) {
        if right.installation.is_none() {
            self.db.after_revocations(&right.as_of.0).await;
        }
    }

    /// Returns whether an event may be sent. `app.uninstalled` may always be sent. Any other event may be sent only if
    /// its installation is connected. The installation is looked up only if the state that was read with the event may
    /// be outdated.
    ///
    /// On SQLite, also returns `false` if something was revoked during each of the look-ups. In this case the event
    /// remains pending.
    ///
    /// The result `true` is valid for 20 ms. The caller must send the body within this time, because a disconnect can
    /// be acknowledged afterwards.
    ///
    /// # Errors
    /// Store errors.
    pub async fn may_send(&self, right: SendRight) -> Result<bool> {
        let SendRight { app, installation: Some(installation), mut as_of } = right else { return Ok(true) };
        for _ in 0..LOOK_UPS {
            if self.is_current(&as_of) {
                return Ok(true);
            }
            as_of = self.as_of();
            let look_up = IsConnected { app, installation };
            if !self.db.read(look_up).await? {
                return Ok(false);
            }
            // The look-up took too long, or something was revoked during it. On PostgreSQL, `hold` looks up again under
            // locks. On SQLite it returns `None`.
            if !self.is_current(&as_of)
                && let Some(is_connected) = self.db.hold(look_up).await?
            {
                return Ok(is_connected);
            }
        }
        Ok(self.is_current(&as_of))
    }
}

#[derive(Clone, Copy)]
struct IsConnected {
    app: AppId,
    installation: InstallationId,
}

impl ReadOp for IsConnected {
    const NAME: &'static str = "confirm_delivery";
    type Out = bool;

    /// Returns the shared locks of the installation and the app, which [`World::may_send`] holds on PostgreSQL. A
    /// request that disconnects the installation or disables the app is answered only after these locks are released.
    fn locks(&self) -> Locks {
        Locks::shared([LockKey::installation(self.installation), LockKey::app(self.app)])
    }

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<bool> {
        bot_tokens::is_connected(c, self.installation).await
    }
}
