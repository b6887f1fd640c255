//! Idempotency keys of recent sends.

use parking_lot::Mutex;

use crate::{domain::ids::UserId, store::keys::Hash};

/// Number of slots. Each slot holds two keys, and all slots together take 512 KB.
const SLOTS: usize = 1 << 15;

/// Remembers up to 65,536 recent idempotency keys of bots.
///
/// A send with a remembered key is probably a replay, which needs no write. So a remembered key is looked up in the
/// database before the transaction of the send. For any other key, the transaction detects a replay.
///
/// The response is the same in both cases, so a wrong guess costs only time. A guess can be wrong, because newer keys
/// replace older ones, a node does not know the keys of sends that other nodes received, and two keys can have the same
/// slot and tag.
pub struct RecentKeys(Mutex<Vec<[u64; 2]>>);

impl Default for RecentKeys {
    fn default() -> Self {
        // the operating system allocates zeroed memory only when it is first used
        Self(Mutex::new(vec![[0; 2]; SLOTS]))
    }
}

impl RecentKeys {
    /// Remembers a bot's key, in place of an older key if the slot is full. Returns whether the key was already
    /// remembered.
    pub(super) fn note(&self, bot: UserId, key: &Hash) -> bool {
        let [low, high] = [0, 8].map(|at| u64::from_le_bytes(std::array::from_fn(|n| key[at + n])));
        // The tag identifies the key and the bot. The tag is never 0, because 0 marks an unused half of a slot.
        let tag = (high ^ bot.0.cast_unsigned()) | 1;
        let slot = &mut self.0.lock()[low as usize % SLOTS];
        let was_remembered = slot.contains(&tag);
        if slot[0] != tag {
            *slot = [tag, slot[0]];
        }
        was_remembered
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::message::key_hash;

    #[test]
    fn a_key_is_remembered_from_its_first_use() {
        let recent = RecentKeys::default();
        let (a, b) = (UserId(1), UserId(1 << 40));
        let keys: Vec<Hash> = (0..100).map(|n| key_hash(&format!("key {n}"))).collect();
        for key in &keys {
            assert!(!recent.note(a, key));
        }
        for key in &keys {
            assert!(recent.note(a, key));
        }
        for key in &keys {
            assert!(!recent.note(b, key), "keys of other bots are separate");
        }
    }

    #[test]
    fn newer_keys_replace_older_ones() {
        let recent = RecentKeys::default();
        // shifted, because the lowest bit of the second half of a key is ignored
        let key = |slot: u64, rest: u64| -> Hash {
            let (low, high) = (slot.to_le_bytes(), (rest << 1).to_le_bytes());
            std::array::from_fn(|n| if n < 8 { low[n] } else { high[n - 8] })
        };
        let bot = UserId(0);
        assert!(!recent.note(bot, &key(7, 1)));
        assert!(!recent.note(bot, &key(7, 2)));
        assert!(recent.note(bot, &key(7, 1)), "a slot holds two keys");
        assert!(recent.note(bot, &key(7, 2)));
        assert!(!recent.note(bot, &key(7, 3)));
        assert!(recent.note(bot, &key(7, 2)));
        assert!(!recent.note(bot, &key(7, 1)), "the least recently used key is replaced");
    }
}
