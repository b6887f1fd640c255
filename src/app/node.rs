//! Keeps the node's number among several on one PostgreSQL database, for as long as the process lives.
//!
//! While the number cannot be confirmed the node goes on until the last confirmation runs out; then it gives no ids, so
//! whatever would write a new row is refused with 503, `/readyz` says so, and reads go on. It recovers by itself.

use std::{sync::Arc, time::Duration};

use tokio::{sync::oneshot, task::JoinHandle};

use super::HighestId;
use crate::{
    platform::{clock::Clock, health::Readiness, ids::IdGen},
    store::{Db, NodeNumber},
};

/// The part of `/readyz`.
pub(super) const PART: &str = "node";

/// How often the number is confirmed.
const EVERY: Duration = Duration::from_secs(1);

/// The task that keeps the number.
pub(super) struct Keeper {
    end: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Keeper {
    /// Begins to confirm a number just taken.
    pub(super) fn start(
        number: NodeNumber,
        ids: Arc<IdGen>,
        db: Db,
        clock: Clock,
        readiness: Readiness,
    ) -> Self {
        readiness.set(PART, Ok(()));
        let (end, ended) = oneshot::channel();
        Self { end, task: tokio::spawn(keep(number, ids, db, clock, readiness, ended)) }
    }

    /// Gives the number back; to be called when nothing needs an id any more.
    pub(super) async fn end(self) {
        let _ = self.end.send(());
        let _ = self.task.await;
    }
}

async fn keep(
    mut number: NodeNumber,
    ids: Arc<IdGen>,
    db: Db,
    clock: Clock,
    readiness: Readiness,
    mut ended: oneshot::Receiver<()>,
) {
    let mut failing = false;
    // the number whose ids so far are known
    let mut known = number.held().0;
    loop {
        tokio::select! {
            _ = &mut ended => break,
            () = clock.pause(EVERY) => {}
        }
        let before = number.held();
        let confirmed = tokio::select! {
            _ = &mut ended => break,
            confirmed = number.confirm() => confirmed,
        };
        match confirmed {
            Ok(()) => {
                let (held, until) = number.held();
                if held != known {
                    // ids go on behind those that another node gave with this number, whatever its clock said
                    match db.read(HighestId).await {
                        Ok(highest) => ids.seed(highest),
                        Err(why) => {
                            tracing::warn!(%why, number = held, "the ids given with the node's new number are not known yet");
                            continue;
                        }
                    }
                    known = held;
                }
                ids.hold(held, until);
                readiness.set(PART, Ok(()));
                if failing || held != before.0 {
                    tracing::warn!(number = held, "the node has a number again");
                }
                failing = false;
            }
            Err(why) => {
                if !failing {
                    tracing::error!(%why, "the node's number cannot be confirmed");
                }
                failing = true;
                if clock.instant() >= before.1 {
                    readiness.set(PART, Err("no number of its own".to_owned()));
                }
            }
        }
    }
    number.release().await;
}
