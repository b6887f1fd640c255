//! What a process does by itself while it serves: work that is due by the clock, and keeping the search index up to
//! date.

use std::{sync::Arc, time::Duration};

use crate::{domain::time::Timestamp, platform::shutdown, workspace::World};

/// How often what is due is looked for.
const JOBS_EVERY: Duration = Duration::from_secs(60);

/// Does what is due by the clock until the process ends.
pub(super) async fn due(world: Arc<World>, stop: shutdown::Stop) {
    loop {
        tokio::select! {
            () = stop.draining() => return,
            () = world.clock.pause(JOBS_EVERY) => {}
        }
        let now: Timestamp = world.clock.now();
        // whatever it is at can be left: each step is whole by itself
        let done = tokio::select! {
            () = stop.draining() => return,
            done = world.run_due(now) => done,
        };
        if let Err(error) = done {
            tracing::warn!(%error, "due jobs were not finished and are tried again");
        }
    }
}

/// How often what search does not know yet is looked for.
const INDEX_EVERY: Duration = Duration::from_secs(1);

/// Keeps the search index up to date.
pub(super) async fn index(world: Arc<World>, stop: shutdown::Stop) {
    loop {
        let more = tokio::select! {
            () = stop.draining() => return,
            more = world.index_some() => more,
        };
        if let Err(error) = &more {
            tracing::warn!(%error, "messages were not indexed and are tried again");
        }
        if !matches!(more, Ok(true)) {
            tokio::select! {
                () = stop.draining() => return,
                () = world.clock.pause(INDEX_EVERY) => {}
            }
        }
    }
}
