//! Rate limiting of password attempts: at sign-in, and at a change of one's own password.
//!
//! An attempt is counted as a failure before its password is checked. Otherwise many concurrent attempts could pass the
//! limit before the first failure is counted. If the password is right, or could not be checked, the count is
//! corrected. The limits, and the difference between known and unknown locations, are defined in
//! [`domain::guessing`](crate::domain::guessing).

use std::net::IpAddr;

use crate::service::{
    World,
    callers::{Caller, SignedIn},
    invalid,
};
use crate::{
    domain::{
        browser::BrowserId,
        guessing::{
            KNOWN_LOCATION_LIFE, UnknownLocations, remembered, seconds_until, wait_after_removal, wait_until,
        },
        ids::AccountId,
        refusal::{Code, Refusal},
        time::Timestamp,
    },
    platform::{
        client_ip::network,
        metrics::RATE_LIMITED,
        passwords::{PasswordError, RETRY_AFTER, Requester},
        secrets::{Secret, sha256_16},
    },
    store::{
        Error, Op, Result, Sql, StoreError,
        accounts::{self, Account},
        guesses::{self, Count, Digest},
        op,
    },
};

/// Name of the limit in metrics.
const LIMIT: &str = "password_guesses";
/// Batch size for deleting expired counts and locations.
const BATCH_SIZE: i64 = 1_000;

/// Where a sign-in comes from. If the browser is known to the account, attempts are counted for the browser, and
/// otherwise for the address.
#[derive(Clone, Copy, Debug)]
pub struct SignInLocation {
    /// The IP address of the client. The IPv6 addresses of one /64 are one location.
    pub address: IpAddr,
    /// The browser; `None` if the client sent no cookie of a browser.
    pub browser: Option<BrowserId>,
}

impl SignInLocation {
    fn of_address(self) -> Digest {
        digest(&[b"address", network(self.address).to_string().as_bytes()])
    }

    fn of_browser(self) -> Option<Digest> {
        self.browser.map(|browser| digest(&[b"browser", &browser.0]))
    }
}

/// An attempt that was counted.
#[derive(Clone, Debug)]
pub(in crate::service) struct Guess {
    /// Digest under which the attempt was counted. For a sign-in, it is a digest of the e-mail address and the
    /// location. For a change of one's own password, it is a digest of the account and the session.
    location_digest: Digest,
    /// The time until which the location must wait if the attempt fails.
    until: Timestamp,
    /// Digest under which the attempts from all unknown locations are counted for the e-mail address. `None` for a
    /// known location, and for a change of one's own password.
    unknown_locations: Option<Digest>,
}

/// Proof that the caller knows the password of their account.
#[derive(Clone, Debug)]
pub(in crate::service) struct Proof {
    /// The hash with which the password was compared.
    pub(in crate::service) hash: String,
    guess: Guess,
}

impl World {
    /// Counts an attempt to sign in to the account of an e-mail address. An attempt is also counted if the account does
    /// not exist. Returns the account, the counted attempt, and the requester for whom the password is checked.
    ///
    /// # Errors
    /// - `Unavailable` while this node's clock is too far from the database's clock ([`World::trusted_now`]).
    /// - `rate_limited` after too many consecutive failures from this location. If the location is unknown, also after
    ///   too many failures from all unknown locations together.
    /// - Store errors.
    pub(in crate::service) async fn count_sign_in(
        &self,
        email_key: String,
        location: SignInLocation,
    ) -> Result<(Option<Account>, Guess, Requester)> {
        let count = CountSignIn { now: self.trusted_now()?, email_key, location };
        let (account, guess) = self.db.write(count).await.map_err(record_rejection)?;
        let requester = match guess.unknown_locations {
            None => Requester::Known(location.address),
            Some(_) => Requester::Unknown(location.address),
        };
        Ok((account, guess, requester))
    }

    /// Returns whether `password` matches the hash `stored`. Without a hash, takes the same time and returns `false`,
    /// so that the time does not reveal whether the account exists. If the password cannot be checked, removes the
    /// attempt from the counts.
    ///
    /// # Errors
    /// `server_error` with `Retry-After` if too many passwords wait to be checked; store errors.
    pub(in crate::service) async fn check_password(
        &self,
        password: &Secret,
        stored: Option<&str>,
        requester: Requester,
        guess: &Guess,
    ) -> Result<bool> {
        match self.passwords.verify(password, stored, requester).await {
            Ok(is_right) => Ok(is_right),
            Err(error) => {
                self.db.write(RemoveAttempt { now: self.clock.now(), guess: guess.clone() }).await?;
                Err(password_error(&error))
            }
        }
    }

    /// Deletes expired counts and locations.
    pub(in crate::service) async fn delete_old_guesses(&self, now: Timestamp) -> Result<()> {
        let counts = self.in_batches(BATCH_SIZE, || ForgetCounts(now)).await;
        counts.and(self.in_batches(BATCH_SIZE, || ForgetLocations(now)).await)
    }
}

impl SignedIn<'_> {
    /// Checks the current password of the caller's own account. Consecutive failures are limited, so somebody who has
    /// stolen a session cannot guess the password. Failures are counted per session, so this person cannot prevent the
    /// owner from changing the password in another session.
    ///
    /// # Errors
    /// - `invalid_request` without a password.
    /// - `Unavailable` while this node's clock is too far from the database's clock ([`World::trusted_now`]).
    /// - Errors of [`Caller::write`].
    /// - `rate_limited` after too many consecutive failures.
    /// - Errors of [`World::check_password`].
    /// - `forbidden` for a wrong password.
    pub(in crate::service) async fn prove_own_password(self, password: Option<&Secret>) -> Result<Proof> {
        let Some(password) = password else {
            return invalid("current_password is required to change the password of your own account");
        };
        let (account, session) = (self.account(), self.session());
        let location_digest = digest(&[b"own password", &account.0.to_be_bytes(), &session]);
        let count = CountOwn { now: self.world().trusted_now()?, account, location_digest };
        let (hash, until) = self.caller().write(count).await.map_err(record_rejection)?;
        let guess = Guess { location_digest, until, unknown_locations: None };
        let requester = Requester::Account(account.0);
        match (self.world().check_password(password, hash.as_deref(), requester, &guess).await?, hash) {
            (true, Some(hash)) => Ok(Proof { hash, guess }),
            _ => Err(Refusal::because(Code::Forbidden, "current_password is wrong").into()),
        }
    }
}

impl Caller {
    /// Hashes a new password. Returns `None` if there is no new password.
    ///
    /// # Errors
    /// `server_error` with `Retry-After` if too many passwords wait to be hashed.
    pub(in crate::service) async fn hash_password(
        &self,
        password: Option<&Secret>,
    ) -> Result<Option<String>> {
        let Some(password) = password else { return Ok(None) };
        let hash = self.world().passwords.hash(password, Requester::Account(self.cursor_owner())).await;
        hash.map(Some).map_err(|error| password_error(&error))
    }
}

/// Records that the password was right: clears the failures of the attempt's location. If the location is unknown, also
/// removes the attempt from the count of unknown locations.
pub(in crate::service) async fn record_success<C: Sql>(c: &mut C, guess: &Guess) -> Result<()> {
    guesses::clear(c, &guess.location_digest).await?;
    match &guess.unknown_locations {
        Some(unknown_locations) => remove_unknown_location_attempt(c, unknown_locations).await,
        None => Ok(()),
    }
}

impl Proof {
    /// See [`record_success`].
    pub(in crate::service) async fn record_success<C: Sql>(&self, c: &mut C) -> Result<()> {
        record_success(c, &self.guess).await
    }
}

/// Clears the count of attempts from unknown locations at the account of an e-mail address. Called after a change of
/// the password, because none of these attempts was a guess at the new password. So an owner who signs in from a new
/// device after the change does not have to wait because of other people's attempts.
pub(in crate::service) async fn clear_unknown_locations<C: Sql>(c: &mut C, email_key: &str) -> Result<()> {
    guesses::clear(c, &unknown_locations_of(email_key)).await
}

/// Stores the network and the browser from which somebody has signed in to an account.
pub(in crate::service) async fn store_known_location<C: Sql>(
    c: &mut C,
    account: AccountId,
    location: SignInLocation,
    now: Timestamp,
) -> Result<()> {
    // sorted, so that concurrent sign-ins lock the rows in the same order
    let mut digests = vec![location.of_address()];
    digests.extend(location.of_browser());
    digests.sort_unstable();
    for digest in &digests {
        guesses::store_known_location(c, account, digest, now).await?;
    }
    Ok(())
}

/// Returns a digest of `parts`. The lengths of the parts are hashed too, so that ("ab", "c") and ("a", "bc") have
/// different digests.
fn digest(parts: &[&[u8]]) -> Digest {
    let mut joined = Vec::new();
    for part in parts {
        joined.extend_from_slice(&part.len().to_le_bytes());
        joined.extend_from_slice(part);
    }
    sha256_16(joined)
}

/// Returns the digest under which the attempts of all unknown locations are counted for an e-mail address.
fn unknown_locations_of(email_key: &str) -> Digest {
    digest(&[b"strangers", email_key.as_bytes()])
}

fn password_error(error: &PasswordError) -> Error {
    match error {
        PasswordError::Busy => {
            Refusal::busy("too many passwords are being hashed or checked", RETRY_AFTER).into()
        }
        error => StoreError::bug(error.to_string()).into(),
    }
}

/// Counts an error in the metrics if it is a `rate_limited` rejection.
fn record_rejection(error: Error) -> Error {
    if matches!(&error, Error::Refused(refusal) if refusal.code == Code::RateLimited) {
        metrics::counter!(RATE_LIMITED, "limit" => LIMIT).increment(1);
    }
    error
}

fn rate_limited<T>(until: Timestamp, now: Timestamp) -> Result<T> {
    let mut refusal = Refusal::because(Code::RateLimited, "too many wrong passwords; try again later");
    refusal.retry_after = Some(seconds_until(until, now));
    Err(refusal.into())
}

/// Counts an attempt from a location. Returns the time until which the location must wait if the attempt fails.
///
/// # Errors
/// `rate_limited` while the location has to wait.
async fn count<C: Sql>(
    c: &mut C,
    location_digest: &Digest,
    is_known: bool,
    now: Timestamp,
) -> Result<Timestamp> {
    let Count { failures, until } = guesses::hold(c, location_digest, now).await?;
    if until > now {
        return rate_limited(until, now);
    }
    let failures = failures + 1;
    let until = wait_until(failures, is_known, now);
    guesses::set(c, location_digest, Count { failures, until }, now + remembered(failures)).await?;
    Ok(until)
}

/// Counts an attempt from an unknown location.
///
/// # Errors
/// `rate_limited` while all unknown locations together have to wait.
async fn count_unknown_location<C: Sql>(c: &mut C, unknown_locations: &Digest, now: Timestamp) -> Result<()> {
    let Count { until, .. } = guesses::hold(c, unknown_locations, now).await?;
    match (UnknownLocations { until }).count(now) {
        Ok(UnknownLocations { until }) => {
            guesses::set(c, unknown_locations, Count { failures: 0, until }, until).await
        }
        Err(admitted) => rate_limited(admitted, now),
    }
}

async fn remove_unknown_location_attempt<C: Sql>(c: &mut C, unknown_locations: &Digest) -> Result<()> {
    let Count { until, .. } = guesses::hold(c, unknown_locations, Timestamp(0)).await?;
    let UnknownLocations { until } = (UnknownLocations { until }).remove_attempt();
    guesses::set(c, unknown_locations, Count { failures: 0, until }, until).await
}

/// Finds the account of an e-mail address and counts an attempt to sign in.
struct CountSignIn {
    now: Timestamp,
    email_key: String,
    location: SignInLocation,
}

impl Op for CountSignIn {
    const NAME: &'static str = "count_sign_in";
    type Out = (Option<Account>, Guess);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let account = accounts::by_email(c, &self.email_key).await?;
        let (address, browser) = (self.location.of_address(), self.location.of_browser());
        let [address_known, browser_known] = match &account {
            Some(account) => {
                guesses::known(c, account.id, [&address, browser.as_ref().unwrap_or(&address)]).await?
            }
            None => [false, false],
        };
        let (location, is_known) = match browser.filter(|_| browser_known) {
            Some(browser) => (browser, true),
            None => (address, address_known),
        };
        // attempts are also counted if the account does not exist, so that responses do not reveal which accounts exist
        let key = self.email_key.as_bytes();
        let location_digest = digest(&[b"place", key, &location]);
        let until = count(c, &location_digest, is_known, self.now).await?;
        let unknown_locations = (!is_known).then(|| unknown_locations_of(&self.email_key));
        if let Some(unknown_locations) = &unknown_locations {
            count_unknown_location(c, unknown_locations, self.now).await?;
        }
        Ok((account, Guess { location_digest, until, unknown_locations }))
    }
}

/// Counts an attempt to change one's own password.
struct CountOwn {
    now: Timestamp,
    account: AccountId,
    location_digest: Digest,
}

impl Op for CountOwn {
    const NAME: &'static str = "count_own_password";
    /// The hash of the account's password, and the time until which the session must wait if the attempt fails.
    type Out = (Option<String>, Timestamp);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        // The account is locked before the count. The transaction that uses the proof locks both in the same order, so
        // the two transactions cannot deadlock.
        let account = accounts::by_id_for_update(c, self.account).await?;
        let until = count(c, &self.location_digest, false, self.now).await?;
        Ok((account.and_then(|account| account.password_hash), until))
    }
}

/// Removes from the counts an attempt whose password could not be checked.
struct RemoveAttempt {
    now: Timestamp,
    guess: Guess,
}

impl Op for RemoveAttempt {
    const NAME: &'static str = "remove_sign_in_attempt";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let Guess { location_digest, until: own, unknown_locations } = &self.guess;
        let Count { failures, until } = guesses::hold(c, location_digest, self.now).await?;
        match failures - 1 {
            // the row is deleted, so that a caller who gets 503 for many e-mail addresses leaves no rows
            ..=0 => guesses::clear(c, location_digest).await?,
            failures => {
                let count = Count { failures, until: wait_after_removal(failures, until, *own) };
                guesses::set(c, location_digest, count, self.now + remembered(failures)).await?;
            }
        }
        match unknown_locations {
            Some(unknown_locations) => remove_unknown_location_attempt(c, unknown_locations).await,
            None => Ok(()),
        }
    }
}

struct ForgetCounts(Timestamp);

op! { Op "delete_old_guesses": ForgetCounts -> u64 = |op, c| guesses::purge(c, op.0, BATCH_SIZE) }

struct ForgetLocations(Timestamp);

op! {
    Op "delete_old_locations": ForgetLocations -> u64 =
        |op, c| guesses::purge_known_locations(c, op.0 - KNOWN_LOCATION_LIFE, BATCH_SIZE)
}
