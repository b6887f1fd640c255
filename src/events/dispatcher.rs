//! Finds the apps with due events, and ensures that each of these apps has a worker, unless another process delivers
//! the events of the app.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::future::{BoxFuture, FutureExt};
use tokio::task::{JoinError, JoinSet};

use super::{SharedDelivery, app_worker::AppWorker};
use crate::{
    domain::{delivery::NewEvents, ids::AppId, time::Timestamp},
    service::events::deliveries::CatchUp,
};

/// Interval between polls for due retries and for events that other processes committed.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Interval at which [`CatchUp::catch_up`] polls if nothing notifies it of progress.
const CATCH_UP_POLL: Duration = Duration::from_millis(50);

/// The handle through which other modules use the event delivery of this process.
pub struct Delivery(pub(super) Arc<SharedDelivery>);

impl CatchUp for Delivery {
    fn catch_up(&self, now: Timestamp, deadline: Instant) -> BoxFuture<'_, ()> {
        let shared = Arc::clone(&self.0);
        async move {
            while shared.world.clock.instant() < deadline && !shared.stop.is_draining() {
                let settled = shared.settled.notified();
                match shared.world.due_apps(now, shared.holder).await {
                    Ok(due) if due.is_empty() => return,
                    Ok(_) => shared.requested.notify_one(),
                    Err(error) => tracing::debug!(%error, "failed to query due events; retrying"),
                }
                tokio::select! {
                    () = settled => {}
                    () = shared.world.clock.pause(CATCH_UP_POLL) => {}
                }
            }
        }
        .boxed()
    }
}

/// Delivers events until shutdown. Then waits for open attempts to finish. The wait ends early after the drain time of
/// the settings, or if an immediate stop is requested.
pub(super) async fn run(shared: Arc<SharedDelivery>) {
    let mut tasks = JoinSet::new();
    if let Err(error) = shared.world.clear_event_leases().await {
        tracing::warn!(
            %error,
            "failed to delete the event leases of an earlier process; their apps get no events until the \
             leases expire"
        );
    }
    // only a poll finds events that were committed before this process started
    poll(&shared, &mut tasks).await;
    let mut last_poll = shared.world.clock.instant();
    loop {
        tokio::select! {
            () = shared.stop.draining() => break,
            apps = shared.world.new_events() => {
                for (app, new_events) in apps {
                    wake(&shared, &mut tasks, app, new_events);
                }
            }
            () = shared.requested.notified() => poll(&shared, &mut tasks).await,
            // The wait is measured from the last poll. If it began anew after every iteration of the loop, frequent
            // notifications of new events would postpone the poll without limit.
            () = shared.world.clock.pause(POLL_INTERVAL.saturating_sub(last_poll.elapsed())) => {
                last_poll = shared.world.clock.instant();
                poll(&shared, &mut tasks).await;
            }
            Some(ended) = tasks.join_next() => log_worker_exit(ended),
        }
    }
    let ended = async { while tasks.join_next().await.is_some() {} };
    tokio::select! {
        // `ended` is polled first: if all workers have exited, nothing was interrupted, even if the drain time is zero
        biased;
        () = ended => {}
        () = shared.stop.stopping() => {}
        () = pause_real_time(&shared, shared.settings.drain) => {
            // open attempts are counted instead of workers, because a worker can run without an open attempt
            let open = shared.in_flight.count();
            if open > 0 {
                tracing::warn!(
                    open,
                    "open delivery attempts were interrupted; another process will repeat them"
                );
            }
        }
    }
    // dropping `tasks` aborts the remaining workers
}

/// Waits for a span of real time, even if the test clock is moved.
async fn pause_real_time(shared: &SharedDelivery, span: Duration) {
    let clock = &shared.world.clock;
    let begun = clock.instant();
    while let Some(left) = span.checked_sub(begun.elapsed()).filter(|left| !left.is_zero()) {
        clock.pause(left).await;
    }
}

/// Polls for due events and wakes the workers of their apps. Skips apps whose events another process delivers.
async fn poll(shared: &Arc<SharedDelivery>, tasks: &mut JoinSet<()>) {
    match shared.world.due_apps(shared.world.clock.now(), shared.holder).await {
        Ok(due) => {
            for app in due.into_iter().filter(|app| !app.elsewhere) {
                wake(shared, tasks, app.app_id, NewEvents::Any);
            }
        }
        Err(error) => tracing::warn!(%error, "failed to query due events; retrying"),
    }
}

/// Wakes the worker of an app, so that it reads due events. If the app has no worker, starts one.
fn wake(shared: &Arc<SharedDelivery>, tasks: &mut JoinSet<()>, app: AppId, new_events: NewEvents) {
    if let Some(registration) = shared.workers.wake(app, new_events) {
        tasks.spawn(AppWorker::open(Arc::clone(shared), registration).run());
    }
}

/// Logs the panic of a worker. If events of its app are due, the next poll starts a new worker.
fn log_worker_exit(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        tracing::error!(
            %error,
            "a delivery worker panicked; the next poll starts a new worker if events of the app are due"
        );
    }
}
