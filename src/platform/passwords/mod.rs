//! Password hashing: argon2id with the parameters of the OWASP password storage cheat sheet (D-378).
//!
//! One hash takes 19 MiB and tens of milliseconds of a core. So hashing runs on tokio's blocking threads, at most one
//! per core, behind a bounded and fair [`PasswordQueue`]. A flood of sign-ins therefore does not exhaust the memory,
//! and mostly delays other sign-ins of the same source.
//!
//! The verification for an unknown account takes as long as for a known account, so the time does not reveal which
//! accounts exist.

mod queue;

use std::num::NonZero;
use std::sync::{Arc, LazyLock};
use std::thread::available_parallelism;

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use thiserror::Error;
use unicode_normalization::UnicodeNormalization as _;

pub use queue::Requester;
use queue::{Full, PasswordQueue};

use crate::platform::metrics::PASSWORDS_REFUSED;
use crate::platform::rng::Rng;
use crate::platform::secrets::Secret;

const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// Maximum number of hashing threads. Together they use 152 MiB.
const MAX_THREADS: usize = 8;
/// Maximum number of waiting requests for each hashing thread. A slow core needs about a second for so many hashes.
const WAITING_PER_THREAD: usize = 32;
/// Seconds after which the client of a rejected request should retry.
pub const RETRY_AFTER: u32 = 2;

static ARGON2: LazyLock<Argon2<'static>> = LazyLock::new(|| {
    let params =
        Params::new(MEMORY_KIB, PASSES, LANES, None).expect("the parameters are constants within bounds");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
});

/// The password hashing of a process. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Passwords {
    queue: PasswordQueue,
    rng: Rng,
    /// The hash with which a password is compared if there is no account.
    decoy: Arc<str>,
}

/// Why a password could not be hashed or verified.
#[derive(Debug, Error)]
pub enum PasswordError {
    /// The stored text is not an argon2 hash, so the row is damaged.
    #[error("the stored password hash is damaged")]
    Damaged,
    /// The queue is full of requests with the same or a higher priority: retry after [`RETRY_AFTER`].
    #[error("too many passwords are being checked")]
    Busy,
    /// Hashing failed, or the process is shutting down.
    #[error("password hashing is unavailable: {0}")]
    Unavailable(String),
}

impl Passwords {
    /// Creates the queue and a decoy hash. A process must call this function only once, because the queue limits the
    /// memory of the process.
    #[must_use]
    pub fn new(rng: Rng) -> Self {
        let decoy = decoy(rng.bytes(), rng.bytes()).into();
        metrics::counter!(PASSWORDS_REFUSED).increment(0);
        let threads = available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS);
        Self { queue: PasswordQueue::new(threads, threads * WAITING_PER_THREAD), rng, decoy }
    }

    /// Hashes a new password to a PHC string (`$argon2id$v=19$m=19456,t=2,p=1$…`) for storage.
    ///
    /// # Errors
    /// [`PasswordError::Busy`] and [`PasswordError::Unavailable`].
    pub async fn hash(&self, password: &Secret, requester: Requester) -> Result<String, PasswordError> {
        let (password, salt) = (normal(password), self.rng.bytes());
        self.run_queued(requester, move || hash_now(password.expose().as_bytes(), salt)).await
    }

    /// Returns whether `password` matches the hash `stored`. Pass `None` if the account does not exist or has no
    /// password. The result is then `false`, after the same work.
    ///
    /// # Errors
    /// [`PasswordError`].
    pub async fn verify(
        &self,
        password: &Secret,
        stored: Option<&str>,
        requester: Requester,
    ) -> Result<bool, PasswordError> {
        let known = stored.is_some();
        let stored: Arc<str> = stored.map_or_else(|| Arc::clone(&self.decoy), Arc::from);
        let (typed, password) = (password.clone(), normal(password));
        let work = move || {
            let right = verify_now(password.expose().as_bytes(), &stored)?;
            // earlier versions hashed passwords without normalization, so the typed text is compared as well. Whether
            // the second comparison runs depends only on the typed text, so the time reveals nothing about the account
            match typed.expose() == password.expose() {
                true => Ok(right),
                false => Ok(right | verify_now(typed.expose().as_bytes(), &stored)?),
            }
        };
        let right = self.run_queued(requester, work).await?;
        Ok(known & right)
    }

    async fn run_queued<T: Send + 'static>(
        &self,
        requester: Requester,
        work: impl FnOnce() -> Result<T, PasswordError> + Send + 'static,
    ) -> Result<T, PasswordError> {
        let slot = self.queue.acquire(requester).await.map_err(|Full| {
            metrics::counter!(PASSWORDS_REFUSED).increment(1);
            PasswordError::Busy
        })?;
        let job = move || {
            // the slot belongs to the thread and not to the request, because a client that disconnects must not free
            // the slot while the hashing continues
            let _slot = slot;
            work()
        };
        let done = tokio::task::spawn_blocking(job).await;
        done.map_err(|error| PasswordError::Unavailable(error.to_string()))?
    }
}

/// Returns a hash string that matches no known password, because it has random bytes in place of the hash. Comparing a
/// password with this string takes as long as with a real hash string. Nothing is hashed to create the string, because
/// hashing would delay the start of the process.
fn decoy(salt: [u8; 16], output: [u8; 32]) -> String {
    let (salt, output) = (STANDARD_NO_PAD.encode(salt), STANDARD_NO_PAD.encode(output));
    format!("$argon2id$v=19$m={MEMORY_KIB},t={PASSES},p={LANES}${salt}${output}")
}

/// Normalizes a password to NFC before it is hashed, because systems encode the same letters differently (RFC 8265
/// §4.2).
fn normal(password: &Secret) -> Secret {
    Secret::new(password.expose().nfc().collect::<String>())
}

fn hash_now(password: &[u8], salt: [u8; 16]) -> Result<String, PasswordError> {
    let hash = ARGON2.hash_password_with_salt(password, &salt);
    Ok(hash.map_err(|error| PasswordError::Unavailable(error.to_string()))?.to_string())
}

fn verify_now(password: &[u8], stored: &str) -> Result<bool, PasswordError> {
    let hash = PasswordHash::new(stored).map_err(|_| PasswordError::Damaged)?;
    match ARGON2.verify_password(password, &hash) {
        Ok(()) => Ok(true),
        Err(argon2::password_hash::Error::PasswordInvalid) => Ok(false),
        Err(_) => Err(PasswordError::Damaged),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASKER: Requester = Requester::Account(1);

    #[tokio::test]
    async fn only_the_right_password_of_a_known_account_passes() {
        let passwords = Passwords::new(Rng::os());
        let right = Secret::new("correct horse");
        let stored = passwords.hash(&right, ASKER).await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert_ne!(stored, passwords.hash(&right, ASKER).await.unwrap());
        assert!(passwords.verify(&right, Some(&stored), ASKER).await.unwrap());
        assert!(!passwords.verify(&Secret::new("wrong"), Some(&stored), ASKER).await.unwrap());
        assert!(!passwords.verify(&right, None, ASKER).await.unwrap());
        assert!(matches!(passwords.verify(&right, Some("plain"), ASKER).await, Err(PasswordError::Damaged)));
    }

    #[tokio::test]
    async fn canonically_equivalent_passwords_match() {
        let passwords = Passwords::new(Rng::os());
        let (composed, decomposed) = (Secret::new("\u{fc}ber alles"), Secret::new("u\u{308}ber alles"));
        for set in [&composed, &decomposed] {
            let stored = passwords.hash(set, ASKER).await.unwrap();
            for typed in [&composed, &decomposed] {
                assert!(passwords.verify(typed, Some(&stored), ASKER).await.unwrap());
            }
            assert!(!passwords.verify(&Secret::new("uber alles"), Some(&stored), ASKER).await.unwrap());
        }
        // a hash that was created before passwords were normalized
        let old = hash_now(decomposed.expose().as_bytes(), [1; 16]).unwrap();
        assert!(passwords.verify(&decomposed, Some(&old), ASKER).await.unwrap());
        assert!(!passwords.verify(&decomposed, None, ASKER).await.unwrap());
    }

    #[test]
    fn the_decoy_is_a_valid_hash_string() {
        let real = hash_now(b"correct horse", [1; 16]).unwrap();
        let decoy = decoy([1; 16], [2; 32]);
        let layout = |text: &str| {
            let parts: Vec<_> = text.split('$').map(str::to_owned).collect();
            (parts[..5].to_vec(), parts[5].len(), parts.len())
        };
        assert_eq!(layout(&decoy), layout(&real));
        assert!(!verify_now(b"correct horse", &decoy).unwrap());
    }

    #[tokio::test]
    async fn requests_beyond_the_queue_are_rejected_at_once() {
        let mut passwords = Passwords::new(Rng::os());
        passwords.queue = PasswordQueue::new(2, 4);
        let crowd = (0..12).map(|n| {
            let passwords = passwords.clone();
            async move { passwords.verify(&Secret::new(format!("guess {n}")), None, ASKER).await }
        });
        let answers = futures_util::future::join_all(crowd).await;
        let refused = answers.iter().filter(|answer| matches!(answer, Err(PasswordError::Busy))).count();
        let wrong = answers.iter().filter(|answer| matches!(answer, Ok(false))).count();
        assert_eq!((wrong, refused), (6, 6), "two requests run, four wait, and the others are rejected");
        assert_eq!(passwords.queue.waiting(), 0);
        assert!(passwords.hash(&Secret::new("free again"), ASKER).await.is_ok());
    }
}
