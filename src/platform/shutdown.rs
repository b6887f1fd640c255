//! How the process ends: the first signal drains, the second stops at once.

use tokio::sync::watch;

/// How far the ending has come. Only ever moves forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Running,
    Draining,
    Stopping,
}

/// Ends the process's servers and jobs. Dropping it without a call ends nothing.
#[derive(Clone, Debug)]
pub struct Trigger(watch::Sender<Stage>);

/// What servers and jobs watch. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Stop(watch::Receiver<Stage>);

/// A trigger and what it triggers.
#[must_use]
pub fn channel() -> (Trigger, Stop) {
    let (sender, receiver) = watch::channel(Stage::Running);
    (Trigger(sender), Stop(receiver))
}

impl Trigger {
    /// Take no new work; finish what has begun.
    pub fn drain(&self) {
        self.advance(Stage::Draining);
    }

    /// Stop at once.
    pub fn stop(&self) {
        self.advance(Stage::Stopping);
    }

    /// Whether everything was told to stop at once.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        *self.0.borrow() == Stage::Stopping
    }

    fn advance(&self, to: Stage) {
        self.0.send_if_modified(|stage| {
            let forward = to > *stage;
            *stage = to.max(*stage);
            forward
        });
    }

    /// Turns the process's signals (SIGTERM, SIGINT) into [`Trigger::drain`] and then [`Trigger::stop`]. Runs
    /// until the second one, so spawn it.
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
    /// Whether the ending has begun.
    #[must_use]
    pub fn is_draining(&self) -> bool {
        *self.0.borrow() >= Stage::Draining
    }

    /// Waits until the ending has begun.
    pub async fn draining(&self) {
        self.reach(Stage::Draining).await;
    }

    /// Waits until everything must stop at once.
    pub async fn stopping(&self) {
        self.reach(Stage::Stopping).await;
    }

    async fn reach(&self, wanted: Stage) {
        let mut receiver = self.0.clone();
        if receiver.wait_for(|stage| *stage >= wanted).await.is_err() {
            // nobody is left who could end us
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn the_ending_goes_forward_only() {
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
    async fn a_lost_trigger_ends_nothing() {
        let (trigger, stop) = channel();
        drop(trigger);
        assert!(stop.draining().now_or_never().is_none());
    }
}
