//! Random values from the operating system. Tests can use a seeded generator for reproducible runs.

use std::cell::RefCell;
use std::sync::Arc;

use parking_lot::Mutex;
use rand::rngs::{OsRng, StdRng};
use rand::{RngCore, SeedableRng, TryRngCore};

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Crockford's base 32 in lower case: no i, l, o, u.
const CROCKFORD: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

thread_local! {
    /// Random bytes from the operating system that are not used yet. They are taken from the end.
    static SUPPLY: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}
/// Number of bytes that are fetched from the operating system at once.
const SUPPLY_BYTES: usize = 1024;

/// A source of random values. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Rng(RngSource);

#[derive(Clone, Debug)]
enum RngSource {
    Os,
    Seeded(Arc<Mutex<StdRng>>),
}

impl Rng {
    /// Returns the operating system's generator, suitable for secrets.
    #[must_use]
    pub fn os() -> Self {
        Self(RngSource::Os)
    }

    /// Returns a reproducible generator for tests. Not suitable for secrets.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self(RngSource::Seeded(Arc::new(Mutex::new(StdRng::seed_from_u64(seed)))))
    }

    /// Fills `bytes` with random bytes.
    ///
    /// # Panics
    /// If the operating system provides no random bytes. Continuing could create predictable secrets.
    pub fn fill(&self, bytes: &mut [u8]) {
        match &self.0 {
            #[expect(clippy::panic, reason = "continuing could create predictable secrets")]
            RngSource::Os => {
                if let Err(error) = OsRng.try_fill_bytes(bytes) {
                    panic!("the operating system provides no random bytes: {error}");
                }
            }
            RngSource::Seeded(rng) => rng.lock().fill_bytes(bytes),
        }
    }

    /// Returns `N` random bytes.
    #[must_use]
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fill(&mut bytes);
        bytes
    }

    /// Returns 128 random bits for public values such as request ids. Most calls need no system call, because bits are
    /// fetched in advance. So the bits are not suitable for secrets: whoever reads this process's memory learns the
    /// bits of the next calls.
    #[must_use]
    pub fn public_bits(&self) -> u128 {
        let RngSource::Os = self.0 else { return u128::from_le_bytes(self.bytes()) };
        SUPPLY.with_borrow_mut(|supply| {
            if supply.is_empty() {
                supply.resize(SUPPLY_BYTES, 0);
                self.fill(supply);
            }
            let (rest, taken) = supply.split_last_chunk().expect("the supply is refilled in whole chunks");
            let bits = u128::from_le_bytes(*taken);
            let left = rest.len();
            supply.truncate(left);
            bits
        })
    }

    /// Returns a random 64-bit number, for jitter and sampling.
    #[must_use]
    pub fn number(&self) -> u64 {
        u64::from_le_bytes(self.bytes())
    }

    /// Returns `length` characters of `0-9A-Za-z`, uniformly distributed (5.95 bits each; 43 characters contain 256
    /// bits).
    #[must_use]
    pub fn base62(&self, length: usize) -> String {
        let mut text = String::with_capacity(length);
        let mut pool = [0; 64];
        while text.len() < length {
            self.fill(&mut pool);
            // bytes from 248 = 4 · 62 on are discarded, because they would make the first characters of `BASE62` more
            // likely than the others
            let fair = pool.iter().filter(|byte| **byte < 248);
            let missing = length - text.len();
            text.extend(fair.take(missing).map(|byte| char::from(BASE62[usize::from(byte % 62)])));
        }
        text
    }

    /// Returns `length` characters of lower-case Crockford base 32 (5 bits each), for ids, and for passwords that
    /// people type.
    #[must_use]
    pub fn crockford(&self, length: usize) -> String {
        let mut bytes = vec![0; length];
        self.fill(&mut bytes);
        bytes.iter().map(|byte| char::from(CROCKFORD[usize::from(byte & 31)])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_the_requested_length_and_only_characters_of_the_alphabet() {
        let rng = Rng::os();
        for length in [0, 1, 43, 64, 200] {
            let text = rng.base62(length);
            assert_eq!(text.len(), length);
            assert!(text.bytes().all(|byte| BASE62.contains(&byte)));
            let code = rng.crockford(length);
            assert_eq!(code.len(), length);
            assert!(code.bytes().all(|byte| CROCKFORD.contains(&byte)));
        }
        assert_ne!(rng.base62(43), rng.base62(43));
    }

    #[test]
    fn every_base62_character_is_equally_likely() {
        let text = Rng::seeded(7).base62(62_000);
        for character in BASE62 {
            let seen = text.bytes().filter(|byte| byte == character).count();
            assert!((850..1150).contains(&seen), "{} occurs {seen} times", char::from(*character));
        }
    }

    #[test]
    fn public_bits_differ_between_calls_and_are_reproducible_with_a_seed() {
        let (rng, seeded) = (Rng::os(), Rng::seeded(3));
        let mut seen: Vec<_> = (0..1_000).map(|_| rng.public_bits()).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 1_000);
        assert_eq!(seeded.public_bits(), Rng::seeded(3).public_bits());
    }

    #[test]
    fn the_same_seed_returns_the_same_values() {
        assert_eq!(Rng::seeded(1).base62(40), Rng::seeded(1).base62(40));
        assert_ne!(Rng::seeded(1).number(), Rng::seeded(2).number());
    }
}
