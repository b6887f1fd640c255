//! The records that nodes publish. A record belongs to one node and one key; a key is a limit together with a caller
//! ([`LimitKey`](super::LimitKey)). A record has the times of the requests that the node allowed, and the `Retry-After`
//! that the node promised to a rejected caller.
//!
//! A record does not build on earlier records. The record of a window contains all times that still count, and the
//! record of a bucket all times of the last five seconds. So it does little harm if a record is lost, read twice or
//! read late. A new record replaces the previous record of its node. A bucket first adds the times that are older than
//! five seconds to its own state, because the new record no longer has them. The records of several nodes can be merged
//! in any order.

/// The tolerated difference between the clocks of two nodes, in microseconds. A node counts each request of another
/// node this much earlier than the record says. So while the clocks of two nodes differ by less than this, a node that
/// merges records is never stricter than a single node would be.
pub(super) const CLOCKS_APART: i64 = 100_000;

/// Times are rounded down to multiples of this number of microseconds. This bounds the size of a record. All records
/// use the same number, so a request has the same time in every record of its node. With another time in a later
/// record, a bucket could count the request twice: once in its own state, and once from the later record.
const SLOT: i64 = 100_000;

/// The first byte of a record. Records of unknown versions are ignored.
const VERSION: u8 = 2;

/// The number of requests allowed at one rounded time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TimeSlot {
    /// Microseconds since the Unix epoch.
    pub(super) at: i64,
    pub(super) count: u32,
}

/// The promise that a `Retry-After` makes to a rejected caller. If no request was allowed since the rejection, the next
/// request at or after `pass_at` is allowed. Other nodes may publish, after the rejection, requests that they allowed
/// before the rejection. Without the promise, these requests would prolong the wait. Times are in microseconds since
/// the Unix epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Promise {
    pub(super) rejected_at: i64,
    /// `rejected_at` plus the `Retry-After`.
    pub(super) pass_at: i64,
}

impl Promise {
    /// Returns whether no request was allowed since the rejection. `newest` is the time of the newest allowed request.
    pub(super) fn is_open(self, newest: Option<i64>) -> bool {
        newest.is_none_or(|newest| newest <= self.rejected_at)
    }
}

/// The requests of a key that one node allowed, and the promise of this node to a rejected caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Record {
    /// In ascending order of time.
    pub(super) slots: Vec<TimeSlot>,
    pub(super) promise: Option<Promise>,
    /// The microseconds after which the bucket of the key refills one token; 0 for a window. A node that has had no
    /// request for the key learns the number from the record.
    pub(super) step: u32,
}

impl Record {
    /// Creates a record of requests that were allowed at `times`, in microseconds and in any order.
    pub(super) fn new(times: impl Iterator<Item = i64>, promise: Option<Promise>) -> Self {
        let mut times: Vec<i64> = times.collect();
        times.sort_unstable();
        let mut slots: Vec<TimeSlot> = Vec::new();
        for at in times.into_iter().map(|at| at.div_euclid(SLOT) * SLOT) {
            match slots.last_mut().filter(|slot| slot.at == at) {
                Some(slot) => slot.count = slot.count.saturating_add(1),
                None => slots.push(TimeSlot { at, count: 1 }),
            }
        }
        Self { slots, promise, step: 0 }
    }

    const fn is_empty(&self) -> bool {
        self.slots.is_empty() && self.promise.is_none()
    }

    /// Encodes the version, the step, the two times of the promise, and the time and the count of each slot. All
    /// numbers are big-endian.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        bytes.extend(self.step.to_be_bytes());
        // `i64::MAX` encodes the absence of a promise
        let promise = self.promise.unwrap_or(Promise { rejected_at: i64::MAX, pass_at: i64::MAX });
        bytes.extend(promise.rejected_at.to_be_bytes());
        bytes.extend(promise.pass_at.to_be_bytes());
        for slot in &self.slots {
            bytes.extend(slot.at.to_be_bytes());
            bytes.extend(slot.count.to_be_bytes());
        }
        bytes
    }

    /// Parses the format of [`Record::encode`]. Returns `None` for another version or a wrong length.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (&VERSION, rest) = bytes.split_first()? else { return None };
        let (step, rest) = rest.split_first_chunk()?;
        let (rejected_at, rest) = rest.split_first_chunk()?;
        let (pass_at, rest) = rest.split_first_chunk()?;
        let (slots, []) = rest.as_chunks::<12>() else { return None };
        let promise =
            Promise { rejected_at: i64::from_be_bytes(*rejected_at), pass_at: i64::from_be_bytes(*pass_at) };
        let slot = |bytes: &[u8; 12]| {
            let (at, count) = bytes.split_at(8);
            Some(TimeSlot {
                at: i64::from_be_bytes(at.try_into().ok()?),
                count: u32::from_be_bytes(count.try_into().ok()?),
            })
        };
        Some(Self {
            slots: slots.iter().map(slot).collect::<Option<_>>()?,
            promise: Some(promise).filter(|promise| promise.pass_at != i64::MAX),
            step: u32::from_be_bytes(*step),
        })
    }
}

/// The newest record of every other node for one key. Times of requests and `pass_at` are [`CLOCKS_APART`] earlier than
/// in the published record.
#[derive(Debug, Default)]
pub(super) struct Others(Vec<(i64, Record)>);

impl Others {
    /// Replaces the record of a node. Drops times up to `after`: a window no longer counts them, and a bucket has added
    /// them to its own state before. Drops times later than `before`, because they result from a wrong clock.
    pub(super) fn replace(&mut self, node: i64, mut record: Record, after: i64, before: i64) {
        for slot in &mut record.slots {
            slot.at = slot.at.saturating_sub(CLOCKS_APART);
        }
        record.slots.retain(|slot| slot.at > after && slot.at <= before);
        if let Some(promise) = &mut record.promise {
            promise.pass_at = promise.pass_at.saturating_sub(CLOCKS_APART);
        }
        self.0.retain(|(of, _)| *of != node);
        if !record.is_empty() {
            self.0.push((node, record));
        }
    }

    /// Removes the times for which `keep` returns `false`, and the records that are empty afterwards.
    pub(super) fn retain(&mut self, keep: impl Fn(i64) -> bool) {
        for (_, record) in &mut self.0 {
            record.slots.retain(|slot| keep(slot.at));
        }
        self.0.retain(|(_, record)| !record.is_empty());
    }

    pub(super) fn slots(&self) -> impl Iterator<Item = TimeSlot> {
        self.0.iter().flat_map(|(_, record)| record.slots.iter().copied())
    }

    pub(super) fn newest(&self) -> Option<i64> {
        self.0.iter().filter_map(|(_, record)| record.slots.last()).map(|slot| slot.at).max()
    }

    pub(super) fn promises(&self) -> impl Iterator<Item = Promise> {
        self.0.iter().filter_map(|(_, record)| record.promise)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_back_from_its_bytes() {
        let promise = Some(Promise { rejected_at: -5, pass_at: 7 });
        for record in [
            Record::default(),
            Record::new([3, 1, 2].into_iter(), promise),
            Record { step: 200_000, ..Record::new([-1, 5_000_000, 5_000_001].into_iter(), None) },
        ] {
            assert_eq!(Record::decode(&record.encode()), Some(record));
        }
        let bytes = Record::new([1].into_iter(), None).encode();
        assert_eq!(Record::decode(&bytes[..bytes.len() - 1]), None);
        assert_eq!(Record::decode(&[]), None);
        assert_eq!(Record::decode(&[&[1][..], &bytes[1..]].concat()), None, "an unknown version is ignored");
    }

    #[test]
    fn times_are_rounded_down() {
        let record = Record::new([250_000, 0, 99_999, 100_000, 1, -1].into_iter(), None);
        let slot = |at, count| TimeSlot { at, count };
        assert_eq!(record.slots, [slot(-100_000, 1), slot(0, 3), slot(100_000, 1), slot(200_000, 1)]);
    }

    #[test]
    fn the_newest_record_of_a_node_replaces_the_previous_one() {
        let mut others = Others::default();
        let sent = |times: &[i64]| Record::new(times.iter().map(|at| at + CLOCKS_APART), None);
        others.replace(1, sent(&[10, 200_000, 400_000]), 0, 1_000_000);
        others.replace(2, sent(&[300_000]), 0, 1_000_000);
        others.replace(1, sent(&[-5, 0, 200_000, 1_100_000]), 0, 1_000_000);
        let mut times: Vec<i64> = others.slots().map(|slot| slot.at).collect();
        times.sort_unstable();
        assert_eq!(times, [200_000, 300_000], "times that are too old or in the future are ignored");
        assert_eq!(others.newest(), Some(300_000));
        others.replace(2, sent(&[]), 0, 1_000_000);
        others.replace(1, sent(&[]), 0, 1_000_000);
        assert!(others.0.is_empty());
    }
}
