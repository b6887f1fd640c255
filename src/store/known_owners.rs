//! Whom the tokens of bots stand for, kept in memory: on SQLite, where every write goes through this process
//! (`docs/decisions/0012-known-owners-and-repeats.md`).

use std::collections::HashMap;

use parking_lot::RwLock;

use super::bot_tokens::TokenOwner;

/// The tables that [`TokenOwner`] is read from.
pub(super) const TABLES: [&str; 2] = ["bot_tokens", "installations"];

/// Most owners kept, of about 150 bytes each; one more, and all are forgotten.
const MOST: usize = 10_000;

/// What is known of tokens, by their SHA-256. Tokens that stand for nobody are not among them.
#[derive(Debug, Default)]
pub struct KnownOwners(RwLock<State>);

#[derive(Debug, Default)]
struct State {
    owners: HashMap<[u8; 32], TokenOwner>,
    /// Odd while a change is being committed, when nobody is known.
    version: u64,
}

/// The time of a look into the database, which must begin after it.
#[derive(Clone, Copy, Debug)]
pub struct Before(u64);

/// Lasts while a change is being committed.
pub(super) struct Changing<'a>(&'a KnownOwners);

impl KnownOwners {
    /// Whom a token stands for, or what [`KnownOwners::keep`] needs to remember what the database says of it.
    ///
    /// # Errors
    /// When it is not known.
    pub fn find(&self, token_hash: &[u8; 32]) -> Result<TokenOwner, Before> {
        let state = self.0.read();
        state.owners.get(token_hash).copied().ok_or(Before(state.version))
    }

    /// Remembers what was read, unless it may have changed since.
    pub fn keep(&self, token_hash: [u8; 32], owner: TokenOwner, Before(version): Before) {
        let mut state = self.0.write();
        if version != state.version || !version.is_multiple_of(2) {
            return;
        }
        if state.owners.len() >= MOST {
            state.owners.clear();
        }
        state.owners.insert(token_hash, owner);
    }

    /// To be held during a commit that changes [`TABLES`]. Nobody is known meanwhile, and what is read meanwhile is not
    /// kept, because it may be of before the commit.
    pub(super) fn change(&self) -> Changing<'_> {
        let mut state = self.0.write();
        state.owners.clear();
        state.version += 1;
        Changing(self)
    }

    /// Forgets all, also what is being read. To be called now and then: what somebody changed in the file past this process
    /// counts from then on.
    pub fn forget(&self) {
        let mut state = self.0.write();
        state.owners.clear();
        // by two: it stays odd during a change
        state.version += 2;
    }
}

impl Drop for Changing<'_> {
    fn drop(&mut self) {
        self.0.0.write().version += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{
        ids::{AppId, InstallationId, UserId, WorkspaceId},
        scopes::Scopes,
    };

    const OWNER: TokenOwner = TokenOwner {
        installation_id: InstallationId(1),
        workspace_id: WorkspaceId(2),
        app_id: AppId(3),
        bot_user_id: UserId(4),
        scopes: Scopes::ALL,
        connected: true,
    };

    #[test]
    fn what_was_read_before_a_change_is_not_kept() {
        let known = KnownOwners::default();
        let before = known.find(&[1; 32]).unwrap_err();
        known.keep([1; 32], OWNER, before);
        assert_eq!(known.find(&[1; 32]).unwrap(), OWNER);

        let before = known.find(&[2; 32]).unwrap_err();
        let changing = known.change();
        assert!(known.find(&[1; 32]).is_err());
        known.keep([2; 32], OWNER, before);
        let meanwhile = known.find(&[2; 32]).unwrap_err();
        known.keep([2; 32], OWNER, meanwhile);
        assert!(known.find(&[2; 32]).is_err());
        drop(changing);
        for read_before in [before, meanwhile] {
            known.keep([2; 32], OWNER, read_before);
            assert!(known.find(&[2; 32]).is_err());
        }
        let after = known.find(&[2; 32]).unwrap_err();
        known.keep([2; 32], OWNER, after);
        assert!(known.find(&[2; 32]).is_ok());
        known.forget();
        known.keep([2; 32], OWNER, after);
        assert!(known.find(&[2; 32]).is_err(), "it may have been read before");
    }

    #[test]
    fn there_are_not_too_many() {
        let known = KnownOwners::default();
        for n in 0..=MOST {
            let mut hash = [0; 32];
            hash[..8].copy_from_slice(&n.to_le_bytes());
            let before = known.find(&hash).unwrap_err();
            known.keep(hash, OWNER, before);
        }
        assert_eq!(known.0.read().owners.len(), 1);
    }
}
