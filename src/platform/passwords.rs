//! Passwords of people: argon2id with the parameters of the OWASP password storage cheat sheet (D-378).
//!
//! One hash takes 19 MiB and tens of milliseconds of a core, so hashing runs on tokio's blocking threads and
//! at most two at a time: a flood of sign-ins waits instead of exhausting memory. The answer for an unknown
//! account costs as much as for a known one, so that timing does not tell which accounts exist.

use std::sync::{Arc, LazyLock};

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use thiserror::Error;
use tokio::sync::Semaphore;
use unicode_normalization::UnicodeNormalization as _;

use crate::platform::rng::Rng;
use crate::platform::secrets::Secret;

const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// Hashes computed at the same time.
const AT_ONCE: usize = 2;
/// Longer passwords are refused by the caller's form check; hashing one is cheap, carrying one is not.
pub const MAX_BYTES: usize = 1024;

static ARGON2: LazyLock<Argon2<'static>> = LazyLock::new(|| {
    let params =
        Params::new(MEMORY_KIB, PASSES, LANES, None).expect("the parameters are constants within bounds");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
});

/// The password machinery of one process. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Passwords {
    turns: Arc<Semaphore>,
    rng: Rng,
    /// What a wrong password is compared with when there is no account.
    decoy: Arc<str>,
}

/// Why a password could not be hashed or checked.
#[derive(Debug, Error)]
pub enum PasswordError {
    /// The stored text is not an argon2 hash: the row was damaged.
    #[error("the stored password hash is damaged")]
    Damaged,
    /// Hashing failed, or the process is stopping.
    #[error("password hashing is unavailable: {0}")]
    Unavailable(String),
}

impl Passwords {
    /// The machinery, with a decoy of its own; called once at start.
    #[must_use]
    pub fn new(rng: Rng) -> Self {
        let decoy = decoy(rng.bytes(), rng.bytes()).into();
        Self { turns: Arc::new(Semaphore::new(AT_ONCE)), rng, decoy }
    }

    /// Hashes a new password into a PHC string (`$argon2id$v=19$m=19456,t=2,p=1$…`) for storing.
    ///
    /// # Errors
    /// [`PasswordError::Unavailable`].
    pub async fn hash(&self, password: &Secret) -> Result<String, PasswordError> {
        let (password, salt) = (normal(password), self.rng.bytes());
        self.in_turn(move || hash_now(password.expose().as_bytes(), salt)).await
    }

    /// Whether `password` is the one `stored` was made from. Give `None` when there is no such account or it
    /// has no password: the answer is no, after the same work.
    ///
    /// # Errors
    /// [`PasswordError`].
    pub async fn verify(&self, password: &Secret, stored: Option<&str>) -> Result<bool, PasswordError> {
        let known = stored.is_some();
        let stored: Arc<str> = stored.map_or_else(|| Arc::clone(&self.decoy), Arc::from);
        let (typed, password) = (password.clone(), normal(password));
        let work = move || {
            let right = verify_now(password.expose().as_bytes(), &stored)?;
            // passwords were hashed as they were typed once; what this costs tells of the typed text alone
            match typed.expose() == password.expose() {
                true => Ok(right),
                false => Ok(right | verify_now(typed.expose().as_bytes(), &stored)?),
            }
        };
        let right = self.in_turn(work).await?;
        Ok(known & right)
    }

    async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, PasswordError> + Send + 'static,
    ) -> Result<T, PasswordError> {
        let unavailable = |error: &dyn std::fmt::Display| PasswordError::Unavailable(error.to_string());
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|error| unavailable(&error))?;
        let job = move || {
            // held by the thread, not the request: a client that leaves must not free the turn while the work
            // goes on
            let _turn = turn;
            work()
        };
        tokio::task::spawn_blocking(job).await.map_err(|error| unavailable(&error))?
    }
}

/// A hash of no password that is known: random bytes where the computed ones would be. Comparing with it costs what
/// comparing with a real one costs; making it costs nothing, and a start must not wait for a hash.
fn decoy(salt: [u8; 16], output: [u8; 32]) -> String {
    let (salt, output) = (STANDARD_NO_PAD.encode(salt), STANDARD_NO_PAD.encode(output));
    format!("$argon2id$v=19$m={MEMORY_KIB},t={PASSES},p={LANES}${salt}${output}")
}

/// A password as it is hashed: in normal form C, since systems write the same letters differently (RFC 8265 §4.2).
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

    #[tokio::test]
    async fn only_the_right_password_of_a_known_account_passes() {
        let passwords = Passwords::new(Rng::os());
        let right = Secret::new("correct horse");
        let stored = passwords.hash(&right).await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert_ne!(stored, passwords.hash(&right).await.unwrap());
        assert!(passwords.verify(&right, Some(&stored)).await.unwrap());
        assert!(!passwords.verify(&Secret::new("wrong"), Some(&stored)).await.unwrap());
        assert!(!passwords.verify(&right, None).await.unwrap());
        assert!(matches!(passwords.verify(&right, Some("plain")).await, Err(PasswordError::Damaged)));
    }

    #[tokio::test]
    async fn the_same_letters_are_the_same_password() {
        let passwords = Passwords::new(Rng::os());
        let (composed, decomposed) = (Secret::new("\u{fc}ber alles"), Secret::new("u\u{308}ber alles"));
        for set in [&composed, &decomposed] {
            let stored = passwords.hash(set).await.unwrap();
            for typed in [&composed, &decomposed] {
                assert!(passwords.verify(typed, Some(&stored)).await.unwrap());
            }
            assert!(!passwords.verify(&Secret::new("uber alles"), Some(&stored)).await.unwrap());
        }
        // one that was set before passwords were normalised
        let old = hash_now(decomposed.expose().as_bytes(), [1; 16]).unwrap();
        assert!(passwords.verify(&decomposed, Some(&old)).await.unwrap());
        assert!(!passwords.verify(&decomposed, None).await.unwrap());
    }

    #[test]
    fn the_decoy_has_the_form_of_a_hash() {
        let real = hash_now(b"correct horse", [1; 16]).unwrap();
        let decoy = decoy([1; 16], [2; 32]);
        let form = |text: &str| {
            let parts: Vec<_> = text.split('$').map(str::to_owned).collect();
            (parts[..5].to_vec(), parts[5].len(), parts.len())
        };
        assert_eq!(form(&decoy), form(&real));
        assert!(!verify_now(b"correct horse", &decoy).unwrap());
    }

    #[tokio::test]
    async fn a_crowd_is_served_two_at_a_time() {
        let passwords = Passwords::new(Rng::os());
        let crowd = (0..8).map(|n| {
            let passwords = passwords.clone();
            async move { passwords.verify(&Secret::new(format!("guess {n}")), None).await.unwrap() }
        });
        assert!(futures_util::future::join_all(crowd).await.iter().all(|right| !right));
        assert_eq!(passwords.turns.available_permits(), AT_ONCE);
    }
}
