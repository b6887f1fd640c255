//! What the clock ends, and what connections leave behind: those that have ended, and those that are refreshed, of
//! which every refresh leaves two spent tokens. Called by the upkeep.

use parking_lot::Mutex;

use crate::{
    domain::{grant::EndReason, ids::ConnectionId, time::Timestamp},
    store::{
        Op, Result, Sql, authorizations, connections, outlived_connections,
        spent_tokens::{self, Walked},
    },
    workspace::World,
};

/// How many tokens of an ended connection are cleared in one go; an old one has thousands.
const CLEARED_AT_ONCE: u32 = 500;
/// How many connections are ended in one transaction.
const ENDED_AT_ONCE: i64 = 200;
/// How many goes a run of the upkeep makes at most.
const GOES: usize = 200;
/// How many tokens the walk reads in one go.
const WALKED_AT_ONCE: i64 = 500;
/// How many goes the walk makes in any case: a hundred thousand tokens are looked at in ten minutes.
const WALK_GOES: usize = 20;

/// How far the walk through all tokens has come; they are kept by their hash and not by age, so that a refresh is cheap.
#[derive(Debug, Default)]
pub struct TokenWalk(Mutex<Option<Vec<u8>>>);

impl World {
    /// Ends the connections that have expired, deletes expired requests and codes, the tokens of ended connections and
    /// spent tokens that have expired.
    pub(in crate::workspace) async fn tidy_connections(&self, now: Timestamp) -> Result<()> {
        for _ in 0..GOES {
            let outlived = self.db.read(FindOutlived(now)).await?;
            if outlived.is_empty() {
                break;
            }
            let is_all = i64::try_from(outlived.len()).is_ok_and(|found| found < ENDED_AT_ONCE);
            let ended = self.db.write(EndOutlived { connections: outlived, now }).await?;
            // none of them ended: others did it meanwhile
            if is_all || ended == 0 {
                break;
            }
        }
        self.db.write(EndExpired(now)).await?;
        for _ in 0..GOES {
            let Some(found) = self.db.read(FindToClear).await? else { break };
            self.db.write(ClearTokens(found)).await?;
        }
        self.forget_tokens(now).await
    }

    /// Goes on with the walk through all tokens, and forgets those that are spent and have expired: they name their
    /// connection themselves, and [end it](super::tokens) when they are presented after that. It goes on beyond its share
    /// while at least half of what it finds is old, so that what is stored stays below twice what is needed.
    async fn forget_tokens(&self, now: Timestamp) -> Result<()> {
        for go in 0..GOES {
            let after = self.token_walk.0.lock().clone().unwrap_or_default();
            let found = self.db.read(ReadTokens(after.clone())).await?;
            let old = found.iter().filter(|token| token.is_over(now)).count();
            let is_end = found.len() < usize::try_from(WALKED_AT_ONCE).unwrap_or(usize::MAX);
            let is_behind = old * 2 >= found.len();
            let last = found.into_iter().next_back().map(|token| token.hash);
            if let Some(last) = last.clone().filter(|_| old > 0) {
                self.db.write(ForgetTokens { after, last, now }).await?;
            }
            *self.token_walk.0.lock() = last.filter(|_| !is_end);
            if is_end || (go + 1 >= WALK_GOES && !is_behind) {
                break;
            }
        }
        Ok(())
    }
}

/// Connections that are older than their company allows.
struct FindOutlived(Timestamp);

impl Op for FindOutlived {
    const NAME: &'static str = "find_outlived_connections";
    type Out = Vec<ConnectionId>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Vec<ConnectionId>> {
        outlived_connections::outlived(c, self.0, ENDED_AT_ONCE).await
    }
}

struct EndOutlived {
    connections: Vec<ConnectionId>,
    now: Timestamp,
}

impl Op for EndOutlived {
    const NAME: &'static str = "end_outlived_connections";
    /// How many were ended.
    type Out = usize;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<usize> {
        let (ids, reason) = (&self.connections, EndReason::SessionExpired);
        Ok(outlived_connections::revoke(c, ids, reason, self.now).await?.len())
    }
}

struct EndExpired(Timestamp);

impl Op for EndExpired {
    const NAME: &'static str = "end_expired_connections";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        authorizations::delete_expired(c, self.0).await?;
        connections::revoke_expired(c, self.0).await?;
        Ok(())
    }
}

struct ReadTokens(Vec<u8>);

impl Op for ReadTokens {
    const NAME: &'static str = "read_connection_tokens";
    type Out = Vec<Walked>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        spent_tokens::walk(c, &self.0, WALKED_AT_ONCE).await
    }
}

/// Forgets the old ones of a stretch that was read.
struct ForgetTokens {
    after: Vec<u8>,
    last: Vec<u8>,
    now: Timestamp,
}

impl Op for ForgetTokens {
    const NAME: &'static str = "forget_connection_tokens";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        spent_tokens::forget(c, &self.after, &self.last, self.now).await
    }
}

struct FindToClear;

impl Op for FindToClear {
    const NAME: &'static str = "find_ended_connection";
    type Out = Option<ConnectionId>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Option<ConnectionId>> {
        spent_tokens::to_clear(c).await
    }
}

struct ClearTokens(ConnectionId);

impl Op for ClearTokens {
    const NAME: &'static str = "clear_connection_tokens";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        spent_tokens::clear(c, self.0, CLEARED_AT_ONCE).await
    }
}
