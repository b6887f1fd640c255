//! Cleanup of connections by a maintenance job. It revokes expired connections, deletes the tokens of ended
//! connections, and deletes spent tokens that have expired. Every refresh leaves two spent tokens.

use parking_lot::Mutex;

use crate::{
    domain::{grant::EndReason, ids::ConnectionId, time::Timestamp},
    service::{World, batches::RETENTION_BATCH},
    store::{
        Op, Result, Sql, authorizations, connections, op, outlived_connections, refresh_overlaps,
        spent_tokens::{self, ExpiringToken},
    },
};

/// Batch size for deleting tokens of an ended connection. A connection can have thousands of tokens.
const CLEAR_BATCH: u32 = 500;
/// Batch size for revoking connections.
const REVOKE_BATCH: i64 = 200;
/// Maximum number of batches in a run, for each step that does not use [`World::in_batches`].
const MAX_BATCHES: usize = 200;
/// Batch size for scanning the table of tokens.
const SCAN_BATCH: i64 = 500;
/// Number of batches that every run scans, unless the run reaches the end of the table first. A run begins every
/// minute. So a hundred thousand tokens are scanned in ten minutes.
const MIN_SCAN_BATCHES: usize = 20;

/// Position of the scan of the table of tokens: the hash of the last scanned token, or `None` before the first token.
/// The job has to scan the tokens, because they have no index by age. Such an index would make refreshes more
/// expensive.
#[derive(Debug, Default)]
pub struct TokenScan(Mutex<Option<Vec<u8>>>);

impl World {
    /// Revokes connections that have expired or are older than their company allows. Deletes expired authorization
    /// requests, codes and refresh overlaps, the tokens of ended connections, and spent tokens that have expired.
    pub(in crate::service) async fn clean_up_connections(&self, now: Timestamp) -> Result<()> {
        let too_old = self.revoke_too_old(now).await;
        let requests = self.in_batches(RETENTION_BATCH, || DeleteRequests(now)).await;
        let codes = self.in_batches(RETENTION_BATCH, || DeleteCodes(now)).await;
        let overlaps = self.in_batches(RETENTION_BATCH, || DeleteOverlaps(now)).await;
        let expired = self.in_batches(REVOKE_BATCH, || RevokeExpired(now)).await;
        let cleared = self.clear_tokens().await;
        let spent = self.delete_spent_tokens(now).await;
        too_old.and(requests).and(codes).and(overlaps).and(expired).and(cleared).and(spent)
    }

    async fn revoke_too_old(&self, now: Timestamp) -> Result<()> {
        for _ in 0..MAX_BATCHES {
            let expired = self.db.read(FindTooOld(now)).await?;
            if expired.is_empty() {
                break;
            }
            let is_all = i64::try_from(expired.len()).is_ok_and(|found| found < REVOKE_BATCH);
            let ended = self.db.write(RevokeTooOld { connections: expired, now }).await?;
            // If no connection was revoked, this step ends: another node has revoked these connections in the meantime,
            // or their companies have raised the maximum age.
            if is_all || ended == 0 {
                break;
            }
        }
        Ok(())
    }

    async fn clear_tokens(&self) -> Result<()> {
        for _ in 0..MAX_BATCHES {
            let Some(found) = self.db.read(FindToClear).await? else { break };
            self.db.write(ClearTokens(found)).await?;
        }
        Ok(())
    }

    /// Continues the scan of all tokens and deletes spent tokens that have expired.
    ///
    /// A deleted token can still [revoke its connection](super::tokens), because the token contains the id of the
    /// connection. A deleted refresh token revokes its connection when its client presents it at `/token`. Any deleted
    /// token does so when its client presents it at `/revoke`.
    ///
    /// After [`MIN_SCAN_BATCHES`] batches, the scan continues only while at least half of the tokens in a batch are
    /// spent and expired. So a run is short as long as it finds few such tokens, and longer if they have accumulated.
    async fn delete_spent_tokens(&self, now: Timestamp) -> Result<()> {
        for batch in 0..MAX_BATCHES {
            let after = self.token_scan.0.lock().clone().unwrap_or_default();
            let found = self.db.read(ReadTokens(after.clone())).await?;
            let old = found.iter().filter(|token| token.is_expired(now)).count();
            let is_end = found.len() < usize::try_from(SCAN_BATCH).unwrap_or(usize::MAX);
            let is_behind = old * 2 >= found.len();
            let last = found.into_iter().next_back().map(|token| token.hash);
            if let Some(last) = last.clone().filter(|_| old > 0) {
                self.db.write(DeleteSpentTokens { after, last, now }).await?;
            }
            *self.token_scan.0.lock() = last.filter(|_| !is_end);
            if is_end || (batch + 1 >= MIN_SCAN_BATCHES && !is_behind) {
                break;
            }
        }
        Ok(())
    }
}

/// Finds connections that are older than their company allows.
struct FindTooOld(Timestamp);

op! {
    ReadOp "find_outlived_connections": FindTooOld -> Vec<ConnectionId> =
        |op, c| outlived_connections::outlived(c, op.0, REVOKE_BATCH)
}

struct RevokeTooOld {
    connections: Vec<ConnectionId>,
    now: Timestamp,
}

impl Op for RevokeTooOld {
    const NAME: &'static str = "end_outlived_connections";
    /// Number of connections revoked.
    type Out = usize;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<usize> {
        let (ids, reason) = (&self.connections, EndReason::SessionExpired);
        Ok(outlived_connections::revoke(c, ids, reason, self.now).await?.len())
    }
}

struct DeleteRequests(Timestamp);

op! {
    Op "delete_expired_requests": DeleteRequests -> u64 =
        |op, c| authorizations::delete_expired_requests(c, op.0, RETENTION_BATCH)
}

struct DeleteCodes(Timestamp);

op! {
    Op "delete_expired_codes": DeleteCodes -> u64 =
        |op, c| authorizations::delete_expired_codes(c, op.0, RETENTION_BATCH)
}

struct DeleteOverlaps(Timestamp);

op! {
    Op "delete_refresh_overlaps": DeleteOverlaps -> u64 =
        |op, c| refresh_overlaps::delete_expired(c, op.0, RETENTION_BATCH)
}

struct RevokeExpired(Timestamp);

impl Op for RevokeExpired {
    const NAME: &'static str = "end_expired_connections";
    /// Number of connections revoked.
    type Out = u64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<u64> {
        Ok(connections::revoke_expired(c, self.0, REVOKE_BATCH).await?.len() as u64)
    }
}

struct ReadTokens(Vec<u8>);

op! {
    ReadOp "read_connection_tokens": ReadTokens -> Vec<ExpiringToken> =
        |op, c| spent_tokens::walk(c, &op.0, SCAN_BATCH)
}

/// Deletes the expired spent tokens whose hashes are above `after` and at most `last`.
struct DeleteSpentTokens {
    after: Vec<u8>,
    last: Vec<u8>,
    now: Timestamp,
}

op! {
    Op "forget_connection_tokens": DeleteSpentTokens -> () =
        |op, c| spent_tokens::purge(c, &op.after, &op.last, op.now)
}

/// Finds an ended connection that still has tokens.
struct FindToClear;

op! { ReadOp "find_ended_connection": FindToClear -> Option<ConnectionId> = |_, c| spent_tokens::to_clear(c) }

/// Deletes a batch of the tokens of an ended connection.
struct ClearTokens(ConnectionId);

op! { Op "clear_connection_tokens": ClearTokens -> () = |op, c| spent_tokens::clear(c, op.0, CLEAR_BATCH) }
