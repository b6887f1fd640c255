//! Which keys were used here lately.

use parking_lot::Mutex;

use crate::{domain::ids::UserId, store::keys::Hash};

/// Pairs of places; 512 KB when all are taken, and less before.
const PAIRS: usize = 1 << 15;

/// Remembers the keys of the last sends, some tens of thousands.
///
/// Most keys are new, and looking for a message that holds one takes a tenth of a send's processor time. So only a key
/// that is remembered is looked for first, because a repeat needs no write; any other is looked for where it is claimed,
/// in the transaction of the send. What is remembered decides which way is faster and nothing else: it may be
/// forgotten, and another node does not know it.
pub struct RecentKeys(Mutex<Vec<[u64; 2]>>);

impl Default for RecentKeys {
    fn default() -> Self {
        // zeroed memory is not touched
        Self(Mutex::new(vec![[0; 2]; PAIRS]))
    }
}

impl RecentKeys {
    /// Remembers a bot's key in place of an older one; whether it was remembered already.
    pub(super) fn note(&self, bot: UserId, key: &Hash) -> bool {
        let [low, high] = [0, 8].map(|at| u64::from_le_bytes(std::array::from_fn(|n| key[at + n])));
        // never 0, which is an empty place
        let mark = (high ^ bot.0.cast_unsigned()) | 1;
        let pair = &mut self.0.lock()[low as usize % PAIRS];
        let was_there = pair.contains(&mark);
        if pair[0] != mark {
            *pair = [mark, pair[0]];
        }
        was_there
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::message::key_hash;

    #[test]
    fn a_key_is_known_from_its_first_use_on() {
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
            assert!(!recent.note(b, key), "another bot's");
        }
    }

    #[test]
    fn old_ones_give_way() {
        let recent = RecentKeys::default();
        let key = |place: u64, rest: u64| -> Hash {
            let (low, high) = (place.to_le_bytes(), (rest << 1).to_le_bytes());
            std::array::from_fn(|n| if n < 8 { low[n] } else { high[n - 8] })
        };
        let bot = UserId(0);
        assert!(!recent.note(bot, &key(7, 1)));
        assert!(!recent.note(bot, &key(7, 2)));
        assert!(recent.note(bot, &key(7, 1)), "there is room for two");
        assert!(recent.note(bot, &key(7, 2)));
        assert!(!recent.note(bot, &key(7, 3)));
        assert!(recent.note(bot, &key(7, 2)));
        assert!(!recent.note(bot, &key(7, 1)), "the one that was used longest ago is forgotten");
    }
}
