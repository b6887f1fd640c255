//! Row ids: 63-bit, time-ordered, strictly increasing within a process.
//!
//! Layout from the most significant bit: milliseconds since the Unix epoch (42 bits, sufficient until the year 2109),
//! then 21 low bits. On a single node the low bits are a counter, which begins at 0 in each millisecond. With several
//! nodes, the upper 5 of the low bits are the node number, and the lower 16 are the counter.
//!
//! If all counter values of a millisecond are used, or if the node has changed to a lower node number, ids continue in
//! the next millisecond. If the clock goes backwards, ids continue after the last id. So ids never repeat, and each id
//! sorts after all earlier ids of the process. There is one exception: [`IdGen::next_from`] can return an id that sorts
//! after ids that are generated later.
//!
//! A node number is valid for a limited time and must be renewed ([`IdGen::hold`]). Without a valid number the node
//! generates no ids, because another node might generate the same ids.
//!
//! With several nodes the database's clock is the reference ([`IdGen::compare`]). A node whose clock differs from the
//! database's clock by more than a bound generates no ids. If it did, its rows would permanently sort before or after
//! the rows of other nodes.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::domain::time::Timestamp;
use crate::platform::clock::Clock;

/// Number of bits below the milliseconds.
const LOW_BITS: u32 = 21;
/// Number of bits of the counter if the low bits also contain a node number.
const NODE_COUNTER_BITS: u32 = 16;
/// The highest node number.
pub const MAX_NODE: u8 = 31;
/// The value of [`ReferenceClock::at_base`] until the database's time is known.
const UNKNOWN: i64 = i64::MIN;
/// The last millisecond that an id can represent: 2109-05-15T07:35:11.103Z.
const MAX_MILLIS: i64 = (1 << 42) - 1;

/// Why no id can be generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum NoId {
    /// With several nodes: this node has no number, or could not renew it in time.
    #[error("this node has no number of its own, so it can generate no new ids")]
    NoNumber,
    /// With several nodes: this node's clock differs too much from the database's.
    #[error("this node's clock is too far from the database's, so it can generate no new ids")]
    ClockOff,
    /// The time of the clock, or of the highest id so far, exceeds the range of ids. If the clock is wrong, correcting
    /// it resolves the error, unless ids that were generated with the wrong clock are stored.
    #[error("ids end in the year 2109, and the clock or a stored id is later")]
    PastEnd,
}

/// Returns the lowest id of a time.
#[must_use]
pub const fn first_at(at: Timestamp) -> i64 {
    at.millis() << LOW_BITS
}

/// If the highest stored id is ahead of the clock by at most this much, [`far_ahead`] returns `None`, because probably
/// a usual correction set the clock back.
const USUAL_CORRECTION: Duration = Duration::from_secs(60);

/// If `id` is more than a minute ahead of the time `now`, returns by how much. Such an id was probably generated under
/// a wrong clock. Returns `None` for any other id.
#[must_use]
pub fn far_ahead(id: i64, now: Timestamp) -> Option<Duration> {
    let millis = u64::try_from((id >> LOW_BITS).saturating_sub(now.millis())).ok()?;
    Some(Duration::from_millis(millis)).filter(|ahead| *ahead > USUAL_CORRECTION)
}

/// Generates ids. A process has only one generator, because two generators on one store could produce the same id.
#[derive(Debug)]
pub struct IdGen {
    clock: Clock,
    number: Option<NodeLease>,
    reference: Option<ReferenceClock>,
    /// The last id of [`IdGen::next`], or the highest id that [`IdGen::seed`] excluded, whichever is greater.
    last: AtomicI64,
    /// Number of ids that [`IdGen::next_from`] has generated for a `floor` greater than the generator's next id.
    placed: AtomicI64,
}

/// A node number and the end of its validity.
#[derive(Debug)]
struct NodeLease {
    /// The instant from which the end is counted.
    base: Instant,
    /// The end in milliseconds after `base`, shifted left by 8 bits, and the node number in the low byte. It is 0
    /// before the first [`IdGen::hold`]. One atomic value has both, so that a reader never combines a new number with
    /// an old end.
    packed: AtomicU64,
}

impl NodeLease {
    fn number(&self, now: Instant) -> Result<u8, NoId> {
        let packed = self.packed.load(Ordering::Acquire);
        let end = self.base + Duration::from_millis(packed >> 8);
        if now < end { Ok((packed & 0xff) as u8) } else { Err(NoId::NoNumber) }
    }
}

/// The database's clock, and the maximum difference between it and this node's clock.
#[derive(Debug)]
struct ReferenceClock {
    /// The maximum difference in microseconds.
    bound: i64,
    /// The instant from which monotonic time is counted.
    base: Instant,
    /// The database's time in microseconds at `base`, or [`UNKNOWN`].
    at_base: AtomicI64,
}

impl ReferenceClock {
    /// Returns the database's current time in microseconds, if known. It is the last reading plus the time since then
    /// by the monotonic clock.
    fn database(&self, now: Instant) -> Option<i64> {
        let at_base = self.at_base.load(Ordering::Relaxed);
        (at_base != UNKNOWN).then(|| at_base.saturating_add(micros(now.saturating_duration_since(self.base))))
    }
}

fn micros(span: Duration) -> i64 {
    i64::try_from(span.as_micros()).unwrap_or(i64::MAX)
}

/// A stored id that was generated under a wrong clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImplausibleId {
    /// The id.
    pub id: i64,
    /// How far it is ahead of the database's clock.
    pub ahead: Duration,
}

impl IdGen {
    /// Creates a generator for a store with a single writing process.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self { clock, number: None, reference: None, last: AtomicI64::new(0), placed: AtomicI64::new(0) }
    }

    /// Creates a generator whose ids contain a node number, so that several processes can write to the store. It
    /// generates no id before the first call of [`IdGen::hold`].
    #[must_use]
    pub fn among_nodes(clock: Clock) -> Self {
        let lease = NodeLease { base: clock.instant(), packed: AtomicU64::new(0) };
        Self {
            clock,
            number: Some(lease),
            reference: None,
            last: AtomicI64::new(0),
            placed: AtomicI64::new(0),
        }
    }

    /// Makes the generator fail with [`NoId::ClockOff`] while the node's clock differs by more than `bound` from the
    /// database's clock. Before the first [`IdGen::compare`], the node's clock is trusted.
    #[must_use]
    pub fn measured(mut self, bound: Duration) -> Self {
        let (base, at_base) = (self.clock.instant(), AtomicI64::new(UNKNOWN));
        self.reference = Some(ReferenceClock { bound: micros(bound), base, at_base });
        self
    }

    /// Records that the database's clock showed `database` (microseconds since the Unix epoch) just after the instant
    /// `begun`.
    pub fn compare(&self, database: i64, begun: Instant) {
        if let Some(reference) = &self.reference {
            let since_base = micros(begun.saturating_duration_since(reference.base));
            reference.at_base.store(database.saturating_sub(since_base), Ordering::Relaxed);
        }
    }

    /// If the node's clock differs from the database's clock by more than the bound, returns by how many microseconds
    /// the node's clock is ahead (negative if behind). Returns `None` within the bound, and while the database's time
    /// is not known.
    #[must_use]
    pub fn clock_error(&self) -> Option<i64> {
        let reference = self.reference.as_ref()?;
        let error = self.clock.now().0.saturating_sub(reference.database(self.clock.instant())?);
        (error.saturating_abs() > reference.bound).then_some(error)
    }

    /// Sets the node number, 0 to [`MAX_NODE`]. It is valid until `end`, an instant of [`Clock::instant`]. The caller
    /// ensures that no other node uses the number before `end`. Has no effect on a generator created by [`IdGen::new`].
    pub fn hold(&self, number: u8, end: Instant) {
        if let Some(lease) = &self.number {
            let millis = end.saturating_duration_since(lease.base).as_millis();
            let millis = u64::try_from(millis).unwrap_or(u64::MAX).min(u64::MAX >> 8);
            lease.packed.store((millis << 8) | u64::from(number.min(MAX_NODE)), Ordering::Release);
        }
    }

    /// Makes every later id greater than `max_id`, an id that is already stored. Called in two cases:
    ///
    /// - at start, because the clock may have moved backwards while the process was down;
    /// - before a new node number is used, because another node may have generated ids with this number under another
    ///   clock.
    ///
    /// If `max_id` is further ahead of the database's clock than the bound, it was generated under a wrong clock. In
    /// this case the method returns `max_id`, and later ids need not be greater than `max_id`. They are greater than
    /// the ids of the latest plausible time, which is the database's time plus the bound. If they had to be greater
    /// than `max_id`, all of them would be as far in the future as `max_id`. A later id cannot be equal to `max_id`
    /// before the clock reaches the millisecond of `max_id`. In that millisecond, the unique index of the table rejects
    /// an id with the same counter and node number.
    pub fn seed(&self, max_id: i64) -> Option<ImplausibleId> {
        let highest = self.reference.as_ref().and_then(|reference| {
            let latest = reference.database(self.clock.instant())?.saturating_add(reference.bound);
            let ahead = ((max_id >> LOW_BITS) * 1_000).saturating_sub(latest);
            let beyond = u64::try_from(ahead).ok().filter(|micros| *micros > 0)?;
            let bound = u64::try_from(reference.bound).unwrap_or(0);
            let implausible =
                ImplausibleId { id: max_id, ahead: Duration::from_micros(beyond.saturating_add(bound)) };
            Some(((latest.max(0) / 1_000) << LOW_BITS, implausible))
        });
        let (max_id, implausible) =
            highest.map_or((max_id, None), |(highest, implausible)| (highest, Some(implausible)));
        let floor = match self.number {
            None => max_id,
            // skips the rest of the millisecond of `max_id`, because this node's number may be lower than that of
            // `max_id`
            Some(_) => max_id | ((1 << LOW_BITS) - 1),
        };
        self.last.fetch_max(floor, Ordering::Relaxed);
        implausible
    }

    /// Returns a new id, greater than every id that this method has returned.
    ///
    /// # Errors
    /// [`NoId`].
    pub fn next(&self) -> Result<i64, NoId> {
        let number = match &self.number {
            None => None,
            Some(lease) => Some(lease.number(self.clock.instant())?),
        };
        if self.clock_error().is_some() {
            return Err(NoId::ClockOff);
        }
        let millis = self.clock.now().0.max(0) / 1_000;
        if millis > MAX_MILLIS {
            return Err(NoId::PastEnd);
        }
        let start = (millis << LOW_BITS) | node_bits(number);
        let mut last = self.last.load(Ordering::Relaxed);
        loop {
            let id = start.max(following(last, number).ok_or(NoId::PastEnd)?);
            match self.last.compare_exchange_weak(last, id, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Ok(id),
                Err(changed) => last = changed,
            }
        }
    }
}

/// Returns the bits of an id that contain the node number.
fn node_bits(number: Option<u8>) -> i64 {
    number.map_or(0, |number| i64::from(number) << NODE_COUNTER_BITS)
}

/// Returns the lowest id with the node number `number` that is greater than `last`; `None` after the last millisecond.
/// `last` may contain another node number. If that number is higher than `number`, the returned id is in the next
/// millisecond.
fn following(last: i64, number: Option<u8>) -> Option<i64> {
    let Some(number) = number else { return last.checked_add(1) };
    let (millis, first) = (last >> LOW_BITS, node_bits(Some(number)));
    let counted = (last & ((1 << LOW_BITS) - 1)) - first;
    if counted < 0 {
        return Some((millis << LOW_BITS) | first);
    }
    if counted < (1 << NODE_COUNTER_BITS) - 1 {
        return Some(last + 1);
    }
    (millis < MAX_MILLIS).then(|| ((millis + 1) << LOW_BITS) | first)
}

impl IdGen {
    /// Returns a new id that is at least `floor`, even if `floor` is from another node whose clock is ahead.
    ///
    /// If the generator's next id is less than `floor`, the returned id is *placed*: it has the millisecond of `floor`
    /// or the next millisecond. The ids after it continue at the time of this node's clock. So a `floor` from the
    /// future affects only the ids that must follow it.
    ///
    /// A placed id has a counter in the top quarter of the counter's range. In practice [`IdGen::next`] does not reach
    /// the top quarter within a millisecond, so placed ids do not collide with other ids.
    ///
    /// # Errors
    /// [`NoId`].
    pub fn next_from(&self, floor: i64) -> Result<i64, NoId> {
        let id = self.next()?;
        if id >= floor {
            return Ok(id);
        }
        let counter_bits = if self.number.is_some() { NODE_COUNTER_BITS } else { LOW_BITS };
        let quarter = 1 << (counter_bits - 2);
        let counter = 3 * quarter + self.placed.fetch_add(1, Ordering::Relaxed) % quarter;
        // the bits between the milliseconds and the counter are the node number
        let number = id & ((1 << LOW_BITS) - 1) & !((1 << counter_bits) - 1);
        let millis = floor >> LOW_BITS;
        for millis in [millis, millis + 1] {
            let placed = (millis << LOW_BITS) | number | counter;
            if placed >= floor && millis <= MAX_MILLIS {
                return Ok(placed);
            }
        }
        Err(NoId::PastEnd)
    }
}

#[cfg(test)]
mod tests;
