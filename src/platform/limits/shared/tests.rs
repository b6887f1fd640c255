use std::sync::atomic::{AtomicU32, Ordering};

use metrics_exporter_prometheus::PrometheusBuilder;

use super::*;
use crate::platform::limits::{Batch, Learned, Limits, OAUTH};

/// How a state answers.
#[derive(Clone, Copy, Debug)]
enum Mood {
    Well,
    Silent,
    Broken,
}

/// A state whose window has one place left for ever.
#[derive(Debug)]
struct Moody {
    mood: Mutex<Mood>,
    asked: AtomicU32,
}

impl Moody {
    fn answer<T: Send + 'static>(&self, well: T) -> Answer<'_, T> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        match *self.mood.lock() {
            Mood::Well => Box::pin(async { Ok(well) }),
            Mood::Silent => Box::pin(std::future::pending()),
            Mood::Broken => Box::pin(async { Err(SharedFailure("it is gone".to_owned())) }),
        }
    }
}

impl SharedLimits for Moody {
    fn count(&self, _: SharedKey, limit: u32, _: i64, now: Timestamp, _: i64) -> Answer<'_, Counted> {
        self.answer(Counted { passes: true, used: limit, oldest: Some(now.0) })
    }

    fn standing(&self, _: SharedKey, _: i64, _: Timestamp, _: i64) -> Answer<'_, Counted> {
        self.answer(Counted { passes: true, used: 0, oldest: None })
    }

    fn exchange(&self, _: Batch) -> Answer<'_, Learned> {
        self.answer(Learned { now: 0, epoch: 1, rows: Vec::new(), has_more: false })
    }

    fn reset(&self) -> Answer<'_, i64> {
        self.answer(2)
    }

    fn forget_idle(&self, _: Timestamp) -> Answer<'_, ()> {
        self.answer(())
    }
}

async fn passed(limits: &Limits, key: Key) -> usize {
    let mut passed = 0;
    for _ in 0..30 {
        passed += usize::from(limits.check_exact(OAUTH, key, Timestamp(0)).await.allowed());
    }
    passed
}

async fn trouble_is_bridged(mood: Mood) {
    let state = Arc::new(Moody { mood: Mutex::new(Mood::Well), asked: AtomicU32::new(0) });
    let limits = Limits::shared(state.clone(), 1, Duration::from_millis(20), Clock::system());
    let key = Key::id("x", 1);
    for _ in 0..15 {
        let decision = limits.check_exact(OAUTH, key, Timestamp(0)).await;
        assert_eq!(decision.standing.remaining, 0, "as the state says");
    }
    *state.mood.lock() = mood;
    let before = state.asked.load(Ordering::Relaxed);
    // what passed by the state counts here too, and the trouble is met once
    assert_eq!(passed(&limits, key).await, 5);
    assert_eq!(passed(&limits, Key::id("x", 2)).await, 20);
    assert_eq!(state.asked.load(Ordering::Relaxed), before + 1);
    // after the rest it is asked again
    *state.mood.lock() = Mood::Well;
    let begun = Clock::system().instant();
    while !limits.check_exact(OAUTH, key, Timestamp(0)).await.allowed() {
        assert!(begun.elapsed() < Duration::from_secs(20), "the state is not asked again");
        tokio::task::yield_now().await;
    }
    assert!(begun.elapsed() >= REST / 2);
}

#[test]
fn a_node_decides_by_itself_while_the_state_is_slow_or_gone() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    metrics::with_local_recorder(&recorder, || {
        for mood in [Mood::Silent, Mood::Broken] {
            runtime.block_on(trouble_is_bridged(mood));
        }
    });
    let text = recorder.handle().render();
    for line in [r#"{reason="slow"} 1"#, r#"{reason="failed"} 1"#, r#"{reason="resting"}"#] {
        assert!(text.contains(&format!("{RATE_LIMIT_FALLBACKS}{line}")), "{line} is missing in\n{text}");
    }
}
