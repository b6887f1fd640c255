//! Whether this process should be given traffic: the parts that `/readyz` names. `/healthz` needs no state,
//! as a process that answers is alive.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::RwLock;

use crate::platform::shutdown::Stop;

/// The parts that must work, each reported by whoever looks after it. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Readiness {
    parts: Arc<RwLock<BTreeMap<&'static str, Result<(), String>>>>,
    stop: Stop,
}

/// The answer of [`Readiness::report`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Every part works and the process is not ending.
    pub ready: bool,
    /// Each part with `ok` or what is wrong with it, in the order of names.
    pub parts: Vec<(&'static str, String)>,
}

impl Readiness {
    /// Ready once every one of `parts` has been reported working; until then each is `starting`.
    #[must_use]
    pub fn new(parts: &[&'static str], stop: Stop) -> Self {
        let starting = |name: &&'static str| (*name, Err("starting".to_owned()));
        Self { parts: Arc::new(RwLock::new(parts.iter().map(starting).collect())), stop }
    }

    /// Reports how a part does. The text is shown to anybody who asks, so it must hold no secret.
    pub fn set(&self, part: &'static str, state: Result<(), String>) {
        self.parts.write().insert(part, state);
    }

    /// How everything does.
    #[must_use]
    pub fn report(&self) -> Report {
        let parts = self.parts.read();
        let ready = parts.values().all(Result::is_ok) && !self.stop.is_draining();
        let text = |state: &Result<(), String>| state.as_ref().err().map_or("ok", String::as_str).to_owned();
        let mut parts: Vec<_> = parts.iter().map(|(name, state)| (*name, text(state))).collect();
        if self.stop.is_draining() {
            parts.push(("process", "stopping".to_owned()));
        }
        Report { ready, parts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::shutdown;

    #[test]
    fn ready_means_every_part_works_and_nothing_ends() {
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
