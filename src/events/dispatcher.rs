//! Finds the apps with events that are due and sees to it that each has a lane.

use std::{sync::Arc, time::Duration};

use futures_util::future::{BoxFuture, FutureExt};
use tokio::task::{JoinError, JoinSet};

use super::{Shared, lane::Lane, lease};
use crate::{
    domain::{ids::AppId, time::Timestamp},
    store::{
        self, Engine, Fresh, Op, Sql,
        deliveries::{self, DueApp},
    },
    workspace::deliveries::CatchUp,
};

/// How often the table is looked at: for retries that have become due, and for events of other processes.
const LOOK: Duration = Duration::from_secs(1);
/// How long a caller waits at most for what is due to be delivered, in real time.
const CATCH_UP: Duration = Duration::from_secs(30);
/// How often such a caller looks when nothing tells it of progress.
const CATCH_UP_LOOK: Duration = Duration::from_millis(50);

/// What the rest of the process knows of delivery.
pub struct Delivery(pub(super) Arc<Shared>);

impl CatchUp for Delivery {
    fn catch_up(&self, now: Timestamp) -> BoxFuture<'_, ()> {
        let shared = Arc::clone(&self.0);
        async move {
            let begun = shared.world.clock.instant();
            while begun.elapsed() < CATCH_UP && !shared.stop.is_draining() {
                let settled = shared.settled.notified();
                match shared.world.db.read(DueApps { now, holder: shared.holder }).await {
                    Ok(due) if due.is_empty() => return,
                    Ok(_) => shared.asked.notify_one(),
                    Err(error) => tracing::debug!(%error, "what is due is not known"),
                }
                tokio::select! {
                    () = settled => {}
                    () = shared.world.clock.pause(CATCH_UP_LOOK) => {}
                }
            }
        }
        .boxed()
    }
}

/// Delivers until the process ends; then lets open attempts finish.
pub(super) async fn run(shared: Arc<Shared>) {
    let mut tasks = JoinSet::new();
    if shared.world.db.engine() == Engine::Sqlite
        && let Err(error) = lease::clear(&shared).await
    {
        tracing::warn!(%error, "leases of an earlier process run out by themselves");
    }
    // before the first look nothing is known
    look(&shared, &mut tasks).await;
    let mut looked = shared.world.clock.instant();
    loop {
        tokio::select! {
            () = shared.stop.draining() => break,
            apps = shared.world.db.woken().next() => {
                for (app, fresh) in apps {
                    wake(&shared, &mut tasks, app, fresh);
                }
            }
            () = shared.asked.notified() => look(&shared, &mut tasks).await,
            // what else happens does not put this off
            () = shared.world.clock.pause(LOOK.saturating_sub(looked.elapsed())) => {
                looked = shared.world.clock.instant();
                look(&shared, &mut tasks).await;
            }
            Some(ended) = tasks.join_next() => mourn(ended),
        }
    }
    let ended = async { while tasks.join_next().await.is_some() {} };
    tokio::select! {
        // first: without any time to drain there may be nothing to wait for
        biased;
        () = ended => {}
        () = shared.stop.stopping() => {}
        () = real_time(&shared, shared.settings.drain) => {
            // a lane may be there that delivers nothing
            let open = shared.under_way.count();
            if open > 0 {
                tracing::warn!(open, "open deliveries are cut off and made again by another process");
            }
        }
    }
    // what is left of the lanes ends with `tasks`
}

/// Waits, whatever happens to the clock.
async fn real_time(shared: &Shared, span: Duration) {
    let clock = &shared.world.clock;
    let begun = clock.instant();
    while let Some(left) = span.checked_sub(begun.elapsed()).filter(|left| !left.is_zero()) {
        clock.pause(left).await;
    }
}

/// Looks at the table and wakes the lanes of apps with something due, but not those that other processes serve.
async fn look(shared: &Arc<Shared>, tasks: &mut JoinSet<()>) {
    match shared.world.db.read(DueApps { now: shared.world.clock.now(), holder: shared.holder }).await {
        Ok(due) => {
            for DueApp { app_id, elsewhere } in due {
                if !elsewhere {
                    wake(shared, tasks, app_id, Fresh::Many);
                }
            }
        }
        Err(error) => tracing::warn!(%error, "what is due is not known and is looked for again"),
    }
}

/// Wakes the lane of an app, or opens one, which searches for due events by itself.
fn wake(shared: &Arc<Shared>, tasks: &mut JoinSet<()>, app: AppId, fresh: Fresh) {
    if let Some(registration) = shared.lanes.wake(app, fresh) {
        tasks.spawn(Lane::open(Arc::clone(shared), registration).run());
    }
}

/// Tells of a lane that did not end as lanes do. What is due opens another at the next look.
fn mourn(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "the deliveries of an app ended in a panic and are begun again");
    }
}

struct DueApps {
    now: Timestamp,
    holder: i64,
}

impl Op for DueApps {
    const NAME: &'static str = "due_apps";
    type Out = Vec<DueApp>;

    async fn run<C: Sql>(&self, c: &mut C) -> store::Result<Vec<DueApp>> {
        deliveries::due_apps(c, self.now, self.holder).await
    }
}
