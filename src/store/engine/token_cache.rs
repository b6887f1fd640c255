//! The token cache: which installation owns a bot token (`docs/decisions/0030-revocations-and-answers.md`).
//!
//! The cache is filled from [`TABLES`]. When this process commits a command that writes one of these tables, it clears
//! the cache. Such commands are declared with
//! [`Command::invalidates_token_cache`](super::stmt::Command::invalidates_token_cache).
//!
//! - On SQLite no other server process writes the tables, so the entries do not expire. In case another program writes
//!   the tables, a task of the server also clears the cache every second.
//! - On PostgreSQL other nodes write the tables too. So an entry is valid only for [`LIFE`](super::as_of::LIFE). A
//!   revocation is acknowledged at the earliest [`FINAL`](super::as_of::FINAL) after its commit. `FINAL` is longer than
//!   `LIFE`. So at the acknowledgement, the entries that were read before the commit have expired on every node.

use std::collections::HashMap;
use std::time::Duration;

use parking_lot::RwLock;

use super::as_of::AsOf;
use crate::domain::{
    ids::{AppId, InstallationId, UserId, WorkspaceId},
    scopes::Scopes,
};
use crate::row;

/// The tables that [`TokenOwner`] is read from.
pub const TABLES: [&str; 2] = ["bot_tokens", "installations"];

/// The installation that a bot token belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TokenOwner {
    pub installation_id: InstallationId,
    pub workspace_id: WorkspaceId,
    pub app_id: AppId,
    pub bot_user_id: UserId,
    /// The scopes of this token.
    pub scopes: Scopes,
    pub connected: bool,
}
row!(TokenOwner { installation_id, workspace_id, app_id, bot_user_id, scopes, connected });

/// Maximum number of entries. If the cache is full, it is cleared before the next entry is added.
const MAX_ENTRIES: usize = 10_000;

/// Owners of tokens. The key is the SHA-256 of the token. Unknown tokens and tokens of disconnected installations are
/// not cached.
#[derive(Debug)]
pub struct TokenCache {
    state: RwLock<TokenCacheState>,
    /// How long an entry is valid, counted from the start of the look-up that returned it.
    life: Duration,
}

#[derive(Debug, Default)]
struct TokenCacheState {
    owners: HashMap<[u8; 32], (TokenOwner, AsOf)>,
    /// Incremented before and after each commit that changes [`TABLES`], and by [`TokenCache::clear`].
    version: u64,
    /// Number of commits in progress that change [`TABLES`]. Entries are added only if the number is 0.
    open_changes: usize,
}

/// The version of the cache when [`TokenCache::find`] found no entry. The caller must start its look-up in the database
/// after the call of `find`. If a commit changes [`TABLES`] during the look-up, the version changes too, and
/// [`TokenCache::keep`] ignores the result.
#[derive(Clone, Copy, Debug)]
pub struct CacheMiss(u64);

/// A guard that exists while a change of [`TABLES`] is being committed.
pub(in crate::store) struct Changing<'a>(&'a TokenCache);

impl TokenCache {
    /// Creates an empty cache, whose entries are valid for `life`.
    pub(in crate::store) fn new(life: Duration) -> Self {
        Self { state: RwLock::default(), life }
    }

    /// Returns the cached owner of a token, and when the owner was read.
    ///
    /// # Errors
    /// A [`CacheMiss`] if the owner is not cached. To cache the result of a look-up, pass the [`CacheMiss`] to
    /// [`TokenCache::keep`].
    pub(in crate::store) fn find(&self, token_hash: &[u8; 32]) -> Result<(TokenOwner, AsOf), CacheMiss> {
        let state = self.state.read();
        let cached = state.owners.get(token_hash).filter(|(_, as_of)| as_of.age() < self.life);
        cached.copied().ok_or(CacheMiss(state.version))
    }

    /// Caches the result of a look-up. Does nothing if the installation is disconnected, if a commit that changes
    /// [`TABLES`] is in progress, or if the version has changed since the [`CacheMiss`]. `as_of` must be a moment
    /// before the look-up.
    pub(in crate::store) fn keep(
        &self,
        token_hash: [u8; 32],
        owner: TokenOwner,
        as_of: AsOf,
        CacheMiss(version): CacheMiss,
    ) {
        let mut state = self.state.write();
        if version != state.version || state.open_changes > 0 || !owner.connected {
            return;
        }
        if state.owners.len() >= MAX_ENTRIES {
            state.owners.clear();
        }
        state.owners.insert(token_hash, (owner, as_of));
    }

    /// Clears the cache. To be called before a commit that changes [`TABLES`]. While the returned guard exists, nothing
    /// is cached, because a concurrent look-up may have read the tables before the commit.
    pub(in crate::store) fn change(&self) -> Changing<'_> {
        let mut state = self.state.write();
        state.owners.clear();
        state.version += 1;
        state.open_changes += 1;
        Changing(self)
    }

    /// Clears the cache and prevents look-ups in progress from filling it.
    pub(in crate::store) fn clear(&self) {
        let mut state = self.state.write();
        state.owners.clear();
        state.version += 1;
    }
}

impl Drop for Changing<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state.write();
        state.version += 1;
        state.open_changes -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWNER: TokenOwner = TokenOwner {
        installation_id: InstallationId(1),
        workspace_id: WorkspaceId(2),
        app_id: AppId(3),
        bot_user_id: UserId(4),
        scopes: Scopes::ALL,
        connected: true,
    };

    fn cache_without_expiry() -> (TokenCache, AsOf) {
        (TokenCache::new(Duration::MAX), AsOf::now(0))
    }

    #[test]
    fn a_result_from_before_a_change_is_not_cached() {
        let (cache, as_of) = cache_without_expiry();
        let miss = cache.find(&[1; 32]).unwrap_err();
        cache.keep([1; 32], OWNER, as_of, miss);
        assert_eq!(cache.find(&[1; 32]).unwrap().0, OWNER);

        let before = cache.find(&[2; 32]).unwrap_err();
        let changing = cache.change();
        assert!(cache.find(&[1; 32]).is_err());
        cache.keep([2; 32], OWNER, as_of, before);
        let meanwhile = cache.find(&[2; 32]).unwrap_err();
        cache.keep([2; 32], OWNER, as_of, meanwhile);
        assert!(cache.find(&[2; 32]).is_err());
        drop(changing);
        for miss in [before, meanwhile] {
            cache.keep([2; 32], OWNER, as_of, miss);
            assert!(cache.find(&[2; 32]).is_err());
        }
        let after = cache.find(&[2; 32]).unwrap_err();
        cache.keep([2; 32], OWNER, as_of, after);
        assert!(cache.find(&[2; 32]).is_ok());
        cache.clear();
        cache.keep([2; 32], OWNER, as_of, after);
        assert!(cache.find(&[2; 32]).is_err(), "a look-up from before the cache was cleared is not cached");
    }

    #[test]
    fn nothing_is_cached_during_overlapping_changes() {
        let (cache, as_of) = cache_without_expiry();
        let (first, second) = (cache.change(), cache.change());
        let during_both = cache.find(&[1; 32]).unwrap_err();
        cache.keep([1; 32], OWNER, as_of, during_both);
        assert!(cache.find(&[1; 32]).is_err(), "nothing is cached while two changes are being committed");
        drop(second);
        cache.clear();
        let during_first = cache.find(&[1; 32]).unwrap_err();
        cache.keep([1; 32], OWNER, as_of, during_first);
        assert!(
            cache.find(&[1; 32]).is_err(),
            "nothing is cached while one of two changes is being committed"
        );
        drop(first);
        for miss in [during_both, during_first] {
            cache.keep([1; 32], OWNER, as_of, miss);
            assert!(cache.find(&[1; 32]).is_err(), "a look-up from before the last commit is not cached");
        }
        let after = cache.find(&[1; 32]).unwrap_err();
        cache.keep([1; 32], OWNER, as_of, after);
        assert!(cache.find(&[1; 32]).is_ok());
    }

    #[test]
    fn entries_expire() {
        let (cache, as_of) = (TokenCache::new(Duration::ZERO), AsOf::now(0));
        let miss = cache.find(&[1; 32]).unwrap_err();
        cache.keep([1; 32], OWNER, as_of, miss);
        assert!(cache.find(&[1; 32]).is_err());
    }

    #[test]
    fn a_disconnected_owner_is_not_cached() {
        let (cache, as_of) = cache_without_expiry();
        let miss = cache.find(&[1; 32]).unwrap_err();
        cache.keep([1; 32], TokenOwner { connected: false, ..OWNER }, as_of, miss);
        assert!(cache.find(&[1; 32]).is_err(), "only owners with a connected installation are cached");
    }

    #[test]
    fn the_number_of_entries_is_bounded() {
        let (cache, as_of) = cache_without_expiry();
        for n in 0..=MAX_ENTRIES {
            let mut hash = [0; 32];
            hash[..8].copy_from_slice(&n.to_le_bytes());
            let miss = cache.find(&hash).unwrap_err();
            cache.keep(hash, OWNER, as_of, miss);
        }
        assert_eq!(cache.state.read().owners.len(), 1);
    }
}
