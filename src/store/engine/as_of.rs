//! Tracks when the permissions of a caller were read, and decides whether a response may still be based on these
//! permissions (`docs/decisions/0030-revocations-and-answers.md`).
//!
//! Permissions are *current* if they reflect every revocation that was acknowledged until now.
//!
//! An operation that revokes something gives the store a notice, [`Drain`](super::notices::Notice::Drain), with the
//! lock key of a subject. The subject is for example the session or the person who loses the permission. By this key,
//! the store recognizes a revocation. After the commit, this process increments its revocation counter, and only then
//! responds. So if there is only one node, permissions are current as long as the counter has the value that it had
//! when they were read. With several nodes, an unchanged counter is not sufficient, because the counter does not
//! include revocations by other nodes. Also, a response is sent a moment after its permissions were checked. So the
//! acknowledgement of a revocation is delayed:
//!
//! - On PostgreSQL, permissions older than [`CURRENT`] are read again before a response is sent. A revocation is
//!   acknowledged at the earliest [`FINAL`] after its commit. By then, no node uses permissions that were read before
//!   the commit.
//! - On SQLite, a revocation is acknowledged at the earliest [`HANDOVER`] after its commit. By then, every response
//!   whose permissions were checked before the commit has been sent.

use std::time::{Duration, Instant};

/// How long an entry of the token cache is valid on PostgreSQL. Much less than [`CURRENT`], so that the permissions in
/// an entry are usually still current when the request's response is sent.
pub(in crate::store) const LIFE: Duration = Duration::from_millis(30);

/// On PostgreSQL, the maximum age of permissions when they are checked for the last time before a response is sent.
pub(in crate::store) const CURRENT: Duration = Duration::from_millis(120);

/// The assumed maximum time between the last check of a response's permissions and the sending of the response.
pub(in crate::store) const HANDOVER: Duration = Duration::from_millis(20);

/// The delay between the commit of a revocation and its acknowledgement on PostgreSQL. After this delay, no response
/// relies on permissions that were read before the commit.
pub(in crate::store) const FINAL: Duration = CURRENT.saturating_add(HANDOVER);

/// When permissions were read: the time just before the query of the permissions started, and the revocation counter at
/// that time.
#[derive(Clone, Copy, Debug)]
pub struct AsOf {
    started: Instant,
    revocations: u64,
}

impl AsOf {
    /// Returns the current moment. `revocations` is the current revocation counter.
    #[expect(
        clippy::disallowed_methods,
        reason = "ages are measured by the monotonic clock, independent of the server's adjustable clock"
    )]
    pub(in crate::store) fn now(revocations: u64) -> Self {
        Self { started: Instant::now(), revocations }
    }

    /// Returns the same time with the revocation counter of `now`. To be used only if none of the permissions was
    /// revoked up to `now`.
    pub(in crate::store) fn unchanged(self, now: Self) -> Self {
        Self { revocations: now.revocations, ..self }
    }

    /// Returns the time just before the permissions were read.
    pub(in crate::store) fn started(&self) -> Instant {
        self.started
    }

    /// Returns the elapsed time since the permissions were read.
    pub(in crate::store) fn age(&self) -> Duration {
        self.started.elapsed()
    }

    /// Returns whether the permissions are certainly still current. `revocations` is the current revocation counter.
    /// `is_shared` is `true` if other nodes can use the same database.
    pub(in crate::store) fn is_current(&self, revocations: u64, is_shared: bool) -> bool {
        self.revocations == revocations && !(is_shared && self.age() > CURRENT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permissions_are_current_until_a_revocation() {
        let as_of = AsOf::now(7);
        assert!(as_of.is_current(7, false) && as_of.is_current(7, true));
        assert!(
            !as_of.is_current(8, false),
            "permissions are not current after a revocation by this process"
        );
    }

    #[test]
    fn permissions_from_a_shared_database_are_current_for_a_limited_time() {
        let started = Instant::now().checked_sub(CURRENT + Duration::from_millis(1)).unwrap();
        let as_of = AsOf { started, revocations: 7 };
        assert!(as_of.is_current(7, false), "without other nodes, permissions do not expire");
        assert!(!as_of.is_current(7, true), "permissions expire if another node may have revoked something");
    }

    #[test]
    fn an_entry_of_the_token_cache_expires_before_its_permissions() {
        assert!(LIFE < CURRENT);
    }
}
