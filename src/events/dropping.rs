//! Pending events that are dropped when their turn comes: of disconnected installations, and of apps without a callback
//! URL. Many in one statement, but so few that nothing else waits for it.

use crate::{
    domain::{ids::AppId, time::Timestamp},
    store::{
        Op, Result, Sql,
        deliveries::{self, Dropped, Due},
    },
    workspace::outbox::APP_UNINSTALLED,
};

/// How many events are dropped in one transaction.
const AT_ONCE: i64 = 500;

/// Where an event is sent, or which events are dropped with it.
pub(super) fn what_to_do(event: &Due) -> std::result::Result<String, Dropped> {
    if !event.connected && event.kind != APP_UNINSTALLED {
        return Err(Dropped::Disconnected(event.installation_id));
    }
    event.callback_url.clone().ok_or(Dropped::Unreachable)
}

/// Drops what waits for the same reason.
pub(super) struct Drop {
    pub(super) app: AppId,
    pub(super) which: Dropped,
    pub(super) now: Timestamp,
}

impl Op for Drop {
    const NAME: &'static str = "drop_events";
    /// How many were dropped; none when the reason does not hold any more.
    type Out = u64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<u64> {
        deliveries::drop_pending(c, self.app, self.which, APP_UNINSTALLED, self.now, AT_ONCE).await
    }
}
