//! Failed password attempts, at a sign-in or at a change of one's own password. Also the *known locations* of each
//! account: the networks and browsers from which the account has signed in.
//!
//! Failures are counted per *subject* (the table `guesses`). Each pair of an e-mail address and a location is a
//! subject. Each e-mail address is also a subject by itself, for the attempts from all unknown locations together. For
//! changes of one's own password, each pair of an account and a session is a subject. A subject is stored as a digest.
//!
//! A location is also stored as a digest, in the column `place` of the table `sign_in_places`.

use crate::domain::{ids::AccountId, time::Timestamp};
use crate::store::{ReadSql, Result, Sql, args, named_args, row, statements};

/// The digest of a subject or of a location: the first 16 bytes of its SHA-256.
pub type Digest = [u8; 16];

/// The failure count of a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Number of consecutive failures. In the count of all unknown locations it is always 0.
    pub failures: i64,
    /// The time until which attempts are rejected. In the count of all unknown locations, the time at which the leaky
    /// bucket of attempts becomes empty if no attempt is added
    /// ([`UnknownLocations`](crate::domain::guessing::UnknownLocations)).
    pub until: Timestamp,
}
row!(Count { failures, until });

statements! {
    // This statement writes even if the counts do not change. So the row is locked until the transaction ends, and
    // concurrent attempts run one after another.
    HOLD: Command -> Count = "INSERT INTO guesses (subject, failures, until, forgotten_at) VALUES ($1, 0, 0, $2)
        ON CONFLICT (subject) DO UPDATE SET forgotten_at = excluded.forgotten_at RETURNING failures, until";
    SET: Command = "UPDATE guesses SET failures = $2, until = $3, forgotten_at = $4 WHERE subject = $1";
    CLEAR: Command = "DELETE FROM guesses WHERE subject = $1";
    // on PostgreSQL, PURGE and PURGE_KNOWN_LOCATIONS skip rows that another transaction has locked, such as a sign-in;
    // if a skipped row is still expired at the next run, that run deletes the row
    PURGE: Command =
        sqlite "DELETE FROM guesses WHERE subject IN
            (SELECT subject FROM guesses WHERE forgotten_at <= $1 ORDER BY forgotten_at LIMIT $2)"
        postgres "DELETE FROM guesses WHERE subject = ANY(ARRAY(
            SELECT subject FROM guesses WHERE forgotten_at <= $1 ORDER BY forgotten_at LIMIT $2
            FOR UPDATE SKIP LOCKED))";
    // used only when the sandbox's clock is reset
    MOVE_BACK: Command = "UPDATE guesses SET until = CASE WHEN until > $1 THEN until - $2 ELSE until END,
            forgotten_at = forgotten_at - $2
        WHERE forgotten_at > $1";
    KNOWN: Query = "SELECT place FROM sign_in_places WHERE account_id = $1 AND place IN ($2, $3)";
    STORE_KNOWN_LOCATION: Command = "INSERT INTO sign_in_places (account_id, place, used_at) VALUES ($1, $2, $3)
        ON CONFLICT (account_id, place) DO UPDATE SET used_at = excluded.used_at";
    // on PostgreSQL, deletes by primary key and with arrays, for the reasons given at `tool_calls::DELETE_EXPIRED`
    PURGE_KNOWN_LOCATIONS: Command =
        sqlite "DELETE FROM sign_in_places WHERE (account_id, place) IN
            (SELECT account_id, place FROM sign_in_places WHERE used_at <= $1 ORDER BY used_at LIMIT $2)"
        postgres "DELETE FROM sign_in_places t USING (
                SELECT array_agg(account_id) AS accounts, array_agg(place) AS places FROM (
                    SELECT account_id, place FROM sign_in_places WHERE used_at <= $1 ORDER BY used_at LIMIT $2
                    FOR UPDATE SKIP LOCKED) AS found) AS old
            CROSS JOIN LATERAL unnest(old.accounts, old.places) AS o(account_id, place)
            WHERE t.account_id = o.account_id AND t.place = o.place";
}

/// Returns the failure count of a subject, and locks its row until the transaction ends. If there is no row, inserts
/// one. In both cases, `forgotten_at` is stored as the time after which [`purge`] may delete the row.
pub async fn hold<C: Sql>(c: &mut C, subject: &Digest, forgotten_at: Timestamp) -> Result<Count> {
    c.exec_one(&HOLD, args![subject, forgotten_at]).await
}

/// Replaces the failure count of a subject, and the time after which [`purge`] may delete the row. The caller must have
/// locked the row with [`hold`].
pub async fn set<C: Sql>(c: &mut C, subject: &Digest, count: Count, forgotten_at: Timestamp) -> Result<()> {
    c.exec(&SET, args![subject, count.failures, count.until, forgotten_at]).await?;
    Ok(())
}

/// Deletes the failure count of a subject.
pub async fn clear<C: Sql>(c: &mut C, subject: &Digest) -> Result<()> {
    c.exec(&CLEAR, args![subject]).await?;
    Ok(())
}

/// Deletes up to `limit` failure counts whose `forgotten_at` is not after `now`. Returns the number of deleted counts.
pub async fn purge<C: Sql>(c: &mut C, now: Timestamp, limit: i64) -> Result<u64> {
    c.exec(&PURGE, args![now, limit]).await
}

/// Moves those times of failure counts that are after `now` back by `micros` microseconds. To be called when the
/// sandbox's clock was ahead by `micros` and is reset.
pub async fn move_back<C: Sql>(c: &mut C, now: Timestamp, micros: i64) -> Result<()> {
    c.exec(&MOVE_BACK, args![now, micros]).await?;
    Ok(())
}

/// Returns for each of two locations whether it is a known location of the account.
pub async fn known<C: ReadSql>(c: &mut C, account: AccountId, locations: [&Digest; 2]) -> Result<[bool; 2]> {
    let found: Vec<(Vec<u8>,)> = c.all(&KNOWN, args![account, locations[0], locations[1]]).await?;
    Ok(locations.map(|location| found.iter().any(|(known,)| known[..] == location[..])))
}

/// Records a sign-in of an account from a location, which makes the location known.
pub async fn store_known_location<C: Sql>(
    c: &mut C,
    account: AccountId,
    location: &Digest,
    now: Timestamp,
) -> Result<()> {
    c.exec(
        &STORE_KNOWN_LOCATION,
        named_args!(STORE_KNOWN_LOCATION { account_id: account, place: location, used_at: now }),
    )
    .await?;
    Ok(())
}

/// Deletes up to `limit` known locations that were last used at or before `until`. Returns the number of deleted
/// locations.
pub async fn purge_known_locations<C: Sql>(c: &mut C, until: Timestamp, limit: i64) -> Result<u64> {
    c.exec(&PURGE_KNOWN_LOCATIONS, args![until, limit]).await
}
