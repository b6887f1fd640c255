//! What the process does beside answering: the upkeep, every minute, keeping the search index up to date, writing SQLite's
//! log back into the file, looking anew at the owners of tokens, and following the test clock.

use std::{sync::Arc, time::Duration};

use crate::{domain::time::Timestamp, platform::shutdown::Stop, store::Engine, workspace::World};

/// How often what is due is looked for.
const EVERY: Duration = Duration::from_secs(60);

/// Does what is due until the process ends.
pub(super) async fn run(world: Arc<World>, stop: Stop) {
    // after an upgrade, people of before are found without waiting for the first run
    let found = tokio::select! {
        () = stop.draining() => return,
        found = world.give_words() => found,
    };
    if let Err(error) = found {
        tracing::warn!(%error, "some people cannot be searched for yet");
    }
    loop {
        tokio::select! {
            () = stop.draining() => return,
            () = world.clock.pause(EVERY) => {}
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
pub(super) async fn index(world: Arc<World>, stop: Stop) {
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

/// How often it is looked whether the log is to be written back.
const WRITE_BACK_EVERY: Duration = Duration::from_secs(1);

/// Has the store write its log back beside everything else.
pub(super) async fn write_back(world: Arc<World>, stop: Stop) {
    loop {
        tokio::select! {
            () = stop.draining() => return,
            () = world.clock.pause(WRITE_BACK_EVERY) => {}
        }
        if let Err(error) = world.db.write_back().await {
            tracing::debug!(%error, "the log was not written back and is tried again");
        }
    }
}

/// How long an owner of a token is known without a look into the database, should it be changed past this process.
const OWNERS_LIFE: Duration = Duration::from_secs(1);

/// Has the store look anew at whose tokens it knows.
pub(super) async fn forget_owners(world: Arc<World>, stop: Stop) {
    if world.db.engine() == Engine::Postgres {
        return; // nothing is remembered there
    }
    loop {
        tokio::select! {
            () = stop.draining() => return,
            () = world.clock.pause(OWNERS_LIFE) => world.db.forget_owners(),
        }
    }
}

/// How often another node's move of the test clock is looked for.
const CLOCK_EVERY: Duration = Duration::from_secs(1);

/// Goes by the test clock that all nodes share.
pub(super) async fn follow_clock(world: Arc<World>, stop: Stop) {
    loop {
        tokio::select! {
            () = stop.draining() => return,
            () = world.clock.pause(CLOCK_EVERY) => {}
        }
        let followed = tokio::select! {
            () = stop.draining() => return,
            followed = world.follow_clock() => followed,
        };
        if let Err(error) = followed {
            tracing::warn!(%error, "the test clock of the other nodes was not read and is tried again");
        }
    }
}
