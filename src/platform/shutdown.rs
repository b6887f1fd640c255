//! Shutdown of the process: after the first signal, servers and jobs finish the work in progress; after the second
//! signal, servers and jobs stop immediately.

use tokio::sync::watch;

/// The stage of the shutdown. A stage never changes back to an earlier stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ShutdownStage {
    Running,
    Draining,
    Stopping,
}

/// Starts the shutdown of servers and jobs. Dropping the trigger does not start a shutdown.
#[derive(Clone, Debug)]
pub struct Trigger(watch::Sender<ShutdownStage>);

/// The shutdown state that servers and jobs watch. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Stop(watch::Receiver<ShutdownStage>);

/// Creates a trigger and the state that the trigger controls.
#[must_use]
pub fn channel() -> (Trigger, Stop) {
    let (sender, receiver) = watch::channel(ShutdownStage::Running);
    (Trigger(sender), Stop(receiver))
}

impl Trigger {
    /// Requests that servers and jobs accept no new work and finish the work in progress.
    pub fn drain(&self) {
        self.advance(ShutdownStage::Draining);
    }

    /// Requests that servers and jobs stop immediately.
    pub fn stop(&self) {
        self.advance(ShutdownStage::Stopping);
    }

    /// Returns whether an immediate stop was requested.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        *self.0.borrow() == ShutdownStage::Stopping
    }

    fn advance(&self, to: ShutdownStage) {
        self.0.send_if_modified(|stage| {
            let is_later = to > *stage;
            *stage = to.max(*stage);
            is_later
        });
    }

    /// Handles the process's signals (SIGTERM, SIGINT): the first signal calls [`Trigger::drain`], the second
    /// [`Trigger::stop`]. Runs until the second signal, so the caller has to spawn this function as a task.
    ///
    /// # Errors
    /// If the signal handlers cannot be installed.
    pub async fn follow_signals(self) -> std::io::Result<()> {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        for (what, act) in
            [("finishing open requests", Self::drain as fn(&Self)), ("stopping at once", Self::stop)]
        {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            tracing::info!("signal received: {what}");
            act(&self);
        }
        Ok(())
    }
}

impl Stop {
    /// Returns whether shutdown has begun.
    #[must_use]
    pub fn is_draining(&self) -> bool {
        *self.0.borrow() >= ShutdownStage::Draining
    }

    /// Waits until shutdown has begun.
    pub async fn draining(&self) {
        self.wait_for(ShutdownStage::Draining).await;
    }

    /// Waits until an immediate stop is requested.
    pub async fn stopping(&self) {
        self.wait_for(ShutdownStage::Stopping).await;
    }

    async fn wait_for(&self, wanted: ShutdownStage) {
        let mut receiver = self.0.clone();
        if receiver.wait_for(|stage| *stage >= wanted).await.is_err() {
            // the trigger was dropped, so nothing can start a shutdown any more
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn stages_only_move_forward() {
        let (trigger, stop) = channel();
        assert!(!stop.is_draining() && stop.draining().now_or_never().is_none());
        trigger.drain();
        assert!(stop.is_draining() && stop.draining().now_or_never().is_some());
        assert!(stop.stopping().now_or_never().is_none() && !trigger.is_stopping());
        trigger.stop();
        trigger.drain();
        assert!(trigger.is_stopping());
        assert!(stop.stopping().now_or_never().is_some() && stop.draining().now_or_never().is_some());
    }

    #[tokio::test]
    async fn dropping_the_trigger_starts_no_shutdown() {
        let (trigger, stop) = channel();
        drop(trigger);
        assert!(stop.draining().now_or_never().is_none());
    }
}
