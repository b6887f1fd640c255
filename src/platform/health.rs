//! Readiness of the process: the components that `/readyz` reports. `/healthz` needs no state, because a process that
//! responds is alive.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::RwLock;

use crate::platform::shutdown::Stop;

/// The state of the components that must work. The module that owns a component reports the component's state
/// ([`Readiness::set`]). Cheap to clone.
#[derive(Clone, Debug)]
pub struct Readiness {
    parts: Arc<RwLock<BTreeMap<&'static str, Result<(), String>>>>,
    stop: Stop,
}

/// The result of [`Readiness::report`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadinessReport {
    /// Whether every component works and the process is not shutting down.
    pub ready: bool,
    /// Each component with `ok` or its error, ordered by name. During shutdown, the last entry is `process` with
    /// `stopping`.
    pub parts: Vec<(&'static str, String)>,
}

impl Readiness {
    /// Creates the readiness of the components `parts`. Each component has the error `starting` until its first report.
    #[must_use]
    pub fn new(parts: &[&'static str], stop: Stop) -> Self {
        let starting = |name: &&'static str| (*name, Err("starting".to_owned()));
        Self { parts: Arc::new(RwLock::new(parts.iter().map(starting).collect())), stop }
    }

    /// Reports the state of a component. `/readyz` publishes the text of an error, so the text must not contain
    /// secrets.
    pub fn set(&self, part: &'static str, state: Result<(), String>) {
        self.parts.write().insert(part, state);
    }

    /// Returns the state of all components.
    #[must_use]
    pub fn report(&self) -> ReadinessReport {
        let parts = self.parts.read();
        let ready = parts.values().all(Result::is_ok) && !self.stop.is_draining();
        let text = |state: &Result<(), String>| state.as_ref().err().map_or("ok", String::as_str).to_owned();
        let mut parts: Vec<_> = parts.iter().map(|(name, state)| (*name, text(state))).collect();
        if self.stop.is_draining() {
            parts.push(("process", "stopping".to_owned()));
        }
        ReadinessReport { ready, parts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::shutdown;

    #[test]
    fn ready_means_that_all_parts_work_and_no_shutdown_has_begun() {
        let (trigger, stop) = shutdown::channel();
        let readiness = Readiness::new(&["store", "migrations"], stop);
        assert!(!readiness.report().ready);
        readiness.set("store", Ok(()));
        assert_eq!(readiness.report().parts, [("migrations", "starting".into()), ("store", "ok".into())]);
        readiness.set("migrations", Ok(()));
        assert!(readiness.report().ready);
        readiness.set("store", Err("no connection".into()));
        assert!(!readiness.report().ready);
        readiness.set("store", Ok(()));
        trigger.drain();
        assert!(!readiness.report().ready);
    }
}
