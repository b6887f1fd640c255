//! What one node tells the others about a key: when it let requests pass, and what it promised to those it refused.
//!
//! A record holds all that still matters of one node, not what is new since the last one. So it does not matter whether
//! a record is lost, read twice or read late: the newest replaces those before it, and records of several nodes are
//! merged in any order.

/// How far the clocks of two nodes may be apart without one node's record making another node stricter than a single
/// node would be, in microseconds: what another node let pass counts as this much earlier.
pub(super) const CLOCKS_APART: i64 = 100_000;

/// Moments are rounded down to multiples of this, in microseconds, which bounds a record's size. Fixed multiples, so that
/// a moment is told the same way in every record: one that was folded away must not come back as a later one.
const SLOT: i64 = 100_000;

/// The first byte of a record. A node ignores records of a version that it does not know.
const VERSION: u8 = 1;

/// How many requests passed at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Slot {
    /// Microseconds.
    pub(super) at: i64,
    pub(super) count: u32,
}

/// A `Retry-After` that was given. Other nodes may turn out to have let more pass than the refusing node knew, which
/// would prolong the wait; one request passes at the promised time all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Promise {
    pub(super) refused_at: i64,
    pub(super) pass_at: i64,
}

impl Promise {
    /// Whether nothing passed since the refusal: the next request that does keeps the promise.
    pub(super) fn is_open(self, newest: Option<i64>) -> bool {
        newest.is_none_or(|newest| newest <= self.refused_at)
    }
}

/// What one node let pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Record {
    /// Ascending.
    pub(super) slots: Vec<Slot>,
    pub(super) promise: Option<Promise>,
}

impl Record {
    /// A record of these moments.
    pub(super) fn new(moments: impl Iterator<Item = i64>, promise: Option<Promise>) -> Self {
        let mut moments: Vec<i64> = moments.collect();
        moments.sort_unstable();
        let mut slots: Vec<Slot> = Vec::new();
        for at in moments.into_iter().map(|at| at.div_euclid(SLOT) * SLOT) {
            match slots.last_mut().filter(|slot| slot.at == at) {
                Some(slot) => slot.count = slot.count.saturating_add(1),
                None => slots.push(Slot { at, count: 1 }),
            }
        }
        Self { slots, promise }
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        // a promise of the end of time is none
        let promise = self.promise.unwrap_or(Promise { refused_at: i64::MAX, pass_at: i64::MAX });
        bytes.extend(promise.refused_at.to_be_bytes());
        bytes.extend(promise.pass_at.to_be_bytes());
        for slot in &self.slots {
            bytes.extend(slot.at.to_be_bytes());
            bytes.extend(slot.count.to_be_bytes());
        }
        bytes
    }

    /// What [`Record::encode`] wrote; `None` for anything else.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (&VERSION, rest) = bytes.split_first()? else { return None };
        let (refused_at, rest) = rest.split_first_chunk()?;
        let (pass_at, rest) = rest.split_first_chunk()?;
        let (slots, []) = rest.as_chunks::<12>() else { return None };
        let promise =
            Promise { refused_at: i64::from_be_bytes(*refused_at), pass_at: i64::from_be_bytes(*pass_at) };
        let slot = |bytes: &[u8; 12]| {
            let (at, count) = bytes.split_at(8);
            Some(Slot {
                at: i64::from_be_bytes(at.try_into().ok()?),
                count: u32::from_be_bytes(count.try_into().ok()?),
            })
        };
        Some(Self {
            slots: slots.iter().map(slot).collect::<Option<_>>()?,
            promise: Some(promise).filter(|promise| promise.pass_at != i64::MAX),
        })
    }
}

/// The newest record of each other node, in the time of this one.
#[derive(Debug, Default)]
pub(super) struct Others(Vec<(i64, Record)>);

impl Others {
    /// Replaces what a node had told, leaving out moments that are not after `after`, and those after `before`, which
    /// come from a clock that is wrong.
    pub(super) fn replace(&mut self, node: i64, mut record: Record, after: i64, before: i64) {
        for slot in &mut record.slots {
            slot.at = slot.at.saturating_sub(CLOCKS_APART);
        }
        record.slots.retain(|slot| slot.at > after && slot.at <= before);
        if let Some(promise) = &mut record.promise {
            promise.pass_at = promise.pass_at.saturating_sub(CLOCKS_APART);
        }
        self.0.retain(|(of, _)| *of != node);
        if record != Record::default() {
            self.0.push((node, record));
        }
    }

    /// Drops the moments that `keep` does not want.
    pub(super) fn retain(&mut self, keep: impl Fn(i64) -> bool) {
        for (_, record) in &mut self.0 {
            record.slots.retain(|slot| keep(slot.at));
        }
        self.0.retain(|(_, record)| *record != Record::default());
    }

    pub(super) fn slots(&self) -> impl Iterator<Item = Slot> {
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
        let promise = Some(Promise { refused_at: -5, pass_at: 7 });
        for record in [
            Record::default(),
            Record::new([3, 1, 2].into_iter(), promise),
            Record::new([-1, 5_000_000, 5_000_001].into_iter(), None),
        ] {
            assert_eq!(Record::decode(&record.encode()), Some(record));
        }
        let bytes = Record::new([1].into_iter(), None).encode();
        assert_eq!(Record::decode(&bytes[..bytes.len() - 1]), None);
        assert_eq!(Record::decode(&[]), None);
        assert_eq!(Record::decode(&[&[2][..], &bytes[1..]].concat()), None, "another version");
    }

    #[test]
    fn moments_are_rounded_down() {
        let record = Record::new([250_000, 0, 99_999, 100_000, 1, -1].into_iter(), None);
        let slot = |at, count| Slot { at, count };
        assert_eq!(record.slots, [slot(-100_000, 1), slot(0, 3), slot(100_000, 1), slot(200_000, 1)]);
    }

    #[test]
    fn the_newest_record_of_a_node_replaces_the_one_before() {
        let mut others = Others::default();
        let told = |moments: &[i64]| Record::new(moments.iter().map(|at| at + CLOCKS_APART), None);
        others.replace(1, told(&[10, 200_000, 400_000]), 0, 1_000_000);
        others.replace(2, told(&[300_000]), 0, 1_000_000);
        others.replace(1, told(&[-5, 0, 200_000, 1_100_000]), 0, 1_000_000);
        let mut moments: Vec<i64> = others.slots().map(|slot| slot.at).collect();
        moments.sort_unstable();
        assert_eq!(moments, [200_000, 300_000], "not what is too old or lies in the future");
        assert_eq!(others.newest(), Some(300_000));
        others.replace(2, told(&[]), 0, 1_000_000);
        others.replace(1, told(&[]), 0, 1_000_000);
        assert!(others.0.is_empty());
    }
}
