//! Events that are given up when their turn comes: of installations that have ended, and of apps without a callback
//! URL. Many in one statement, and never so many that others wait for it.

use crate::{
    domain::{
        delivery::DropReason,
        ids::{AppId, InstallationId},
        time::Timestamp,
    },
    store::{
        Op, Result, Sql,
        deliveries::{self, Due},
    },
    workspace::outbox::APP_UNINSTALLED,
};

/// How many events are dropped in one transaction.
const AT_ONCE: i64 = 500;

/// Where an event is sent, or why it is not.
pub(super) fn what_to_do(event: &Due) -> std::result::Result<String, DropReason> {
    if !event.connected && event.kind != APP_UNINSTALLED {
        return Err(DropReason::Disconnected);
    }
    event.callback_url.clone().ok_or(DropReason::NoCallbackUrl)
}

/// Drops what waits for the same reason: of the installation, or of the whole app.
pub(super) struct GiveUp {
    pub(super) app: AppId,
    pub(super) installation: InstallationId,
    pub(super) why: DropReason,
    pub(super) now: Timestamp,
}

impl Op for GiveUp {
    const NAME: &'static str = "give_up_events";
    /// How many were dropped; none when the reason does not hold any more.
    type Out = u64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<u64> {
        match self.why {
            DropReason::Disconnected => {
                deliveries::give_up_ended(c, self.installation, APP_UNINSTALLED, self.now, AT_ONCE).await
            }
            DropReason::NoCallbackUrl => {
                deliveries::give_up_unreachable(c, self.app, self.now, AT_ONCE).await
            }
        }
    }
}
