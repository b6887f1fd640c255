use std::sync::atomic::{AtomicU32, Ordering};

use metrics_exporter_prometheus::PrometheusBuilder;

use super::*;
use crate::platform::limits::{BOT_OAUTH, ExchangeResult, Limits, RecordBatch};

/// How the shared state responds to queries: at once, never, or with an error.
#[derive(Clone, Copy, Debug)]
enum Behavior {
    Well,
    Silent,
    Broken,
}

/// A shared state that allows every request and reports that no requests remain in the window. A node that decides
/// locally reports the requests that really remain, so a test can distinguish the two.
#[derive(Debug)]
struct TestState {
    behavior: Mutex<Behavior>,
    queries: AtomicU32,
}

impl TestState {
    fn answer<T: Send + 'static>(&self, well: T) -> StateFuture<'_, T> {
        self.queries.fetch_add(1, Ordering::Relaxed);
        match *self.behavior.lock() {
            Behavior::Well => Box::pin(async { Ok(well) }),
            Behavior::Silent => Box::pin(std::future::pending()),
            Behavior::Broken => Box::pin(async { Err(SharedFailure("the state is unavailable".to_owned())) }),
        }
    }
}

impl SharedLimits for TestState {
    fn count(
        &self,
        _: SharedKey,
        limit: u32,
        _: i64,
        now: Timestamp,
        _: i64,
    ) -> StateFuture<'_, WindowPosition> {
        self.answer(WindowPosition { passes: true, used: limit, oldest: Some(now.0) })
    }

    fn position(&self, _: SharedKey, _: i64, _: Timestamp, _: i64) -> StateFuture<'_, WindowPosition> {
        self.answer(WindowPosition { passes: true, used: 0, oldest: None })
    }

    fn exchange(&self, _: RecordBatch) -> StateFuture<'_, ExchangeResult> {
        self.answer(ExchangeResult { now: 0, epoch: 1, rows: Vec::new(), has_more: false })
    }

    fn reset(&self) -> StateFuture<'_, i64> {
        self.answer(2)
    }

    fn purge_idle(&self, _: Timestamp) -> StateFuture<'_, ()> {
        self.answer(())
    }
}

async fn passed(limits: &Limits, key: LimitKey) -> usize {
    let mut passed = 0;
    for _ in 0..30 {
        passed += usize::from(limits.check_exact(BOT_OAUTH.app.counter(), key, Timestamp(0)).await.allowed());
    }
    passed
}

async fn falls_back_to_local_decisions(behavior: Behavior) {
    let state = Arc::new(TestState { behavior: Mutex::new(Behavior::Well), queries: AtomicU32::new(0) });
    let limits = Limits::shared(state.clone(), 1, Duration::from_millis(20), Clock::system());
    let key = LimitKey::id("x", 1);
    for _ in 0..15 {
        let decision = limits.check_exact(BOT_OAUTH.app.counter(), key, Timestamp(0)).await;
        assert_eq!(decision.status.remaining, 0, "the shared state decides");
    }
    *state.behavior.lock() = behavior;
    let before = state.queries.load(Ordering::Relaxed);
    // The limit is 20 requests. The 15 requests that the shared state allowed count locally as well, so 5 remain. After
    // one failure the state is not queried again before the end of the backoff.
    assert_eq!(passed(&limits, key).await, 5);
    assert_eq!(passed(&limits, LimitKey::id("x", 2)).await, 20);
    assert_eq!(state.queries.load(Ordering::Relaxed), before + 1);
    // after the backoff the state is used again
    *state.behavior.lock() = Behavior::Well;
    let begun = Clock::system().instant();
    while !limits.check_exact(BOT_OAUTH.app.counter(), key, Timestamp(0)).await.allowed() {
        assert!(begun.elapsed() < Duration::from_secs(20), "the state is used again after the backoff");
        tokio::task::yield_now().await;
    }
    assert!(begun.elapsed() >= BACKOFF / 2);
}

#[test]
fn a_node_decides_locally_while_the_state_is_slow_or_unavailable() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    metrics::with_local_recorder(&recorder, || {
        for behavior in [Behavior::Silent, Behavior::Broken] {
            runtime.block_on(falls_back_to_local_decisions(behavior));
        }
    });
    let text = recorder.handle().render();
    for line in [r#"{reason="slow"} 1"#, r#"{reason="failed"} 1"#, r#"{reason="resting"}"#] {
        assert!(text.contains(&format!("{RATE_LIMIT_FALLBACKS}{line}")), "{line} is missing in\n{text}");
    }
}
