//! The keys of advisory locks, and the locks that an operation takes. [`locks`](super::locks) describes the rules.

use std::cmp::Ordering;

use crate::domain::ids::{AccountId, AppId, ConversationId, InstallationId, UserId, WorkspaceId};

/// The key of an advisory lock.
///
/// The key of a subject is the subject's id. There are two exceptions: the key of a session is a part of its token's
/// hash, and [`LockKey::assistants`] changes one bit of the company's id. Ids of all kinds come from one generator.
///
/// The locks of written objects are exclusive, and their keys are negative. So if a request names one id both as a
/// subject and as a written object, it takes two different locks. With one lock in both modes it could deadlock with
/// itself. Keys of different written objects may collide. Then their writes wait for each other, which is harmless.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LockKey(i64);

/// The order in which an operation takes several locks at once: subjects first, then written objects, each in ascending
/// order. A common order prevents deadlocks.
impl Ord for LockKey {
    fn cmp(&self, other: &Self) -> Ordering {
        (!self.is_subject(), self.0).cmp(&(!other.is_subject(), other.0))
    }
}

impl PartialOrd for LockKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl LockKey {
    /// For operations that rely on an installation being connected.
    #[must_use]
    pub const fn installation(id: InstallationId) -> Self {
        Self(id.0)
    }

    /// For operations that rely on a user's account state and on the apps that the user blocks.
    #[must_use]
    pub const fn user(id: UserId) -> Self {
        Self(id.0)
    }

    /// For operations that rely on the sessions of an account.
    #[must_use]
    pub const fn account(id: AccountId) -> Self {
        Self(id.0)
    }

    /// For operations that rely on a session, by the SHA-256 of its token. The session need not be read for its key. It
    /// may be missing, because an earlier request whose response was lost may have deleted it.
    #[must_use]
    pub fn session(token_hash: &[u8; 32]) -> Self {
        let mut first = [0; 8];
        first.copy_from_slice(&token_hash[..8]);
        Self(i64::from_be_bytes(first) & i64::MAX)
    }

    /// For operations that rely on an app not being disabled.
    #[must_use]
    pub const fn app(id: AppId) -> Self {
        Self(id.0)
    }

    /// For responses that rely on who may see a conversation. An operation by which somebody leaves the conversation,
    /// or by which it is deleted, counts as a revocation. Such an operation waits for the holders of this lock. A page
    /// with contents of the conversation holds the lock while it is sent, if its permissions are confirmed with
    /// [`Db::hold`](crate::store::Db::hold).
    #[must_use]
    pub const fn audience(id: ConversationId) -> Self {
        Self(id.0)
    }

    /// For writes to a group or channel and changes of its members. The key includes the company. So a caller from
    /// another company who names the conversation does not delay its writes.
    #[must_use]
    pub const fn conversation(workspace: WorkspaceId, id: ConversationId) -> Self {
        Self::exclusive(workspace.0, id.0)
    }

    /// For the direct messages of two users, whether a conversation exists or not.
    #[must_use]
    pub const fn pair(one: UserId, other: UserId) -> Self {
        let (low, high) = if one.0 < other.0 { (one.0, other.0) } else { (other.0, one.0) };
        Self::exclusive(low, high)
    }

    /// For new drafts of an employee: their number is limited, and the removal of the employee deletes them.
    #[must_use]
    pub const fn drafts(owner: UserId) -> Self {
        Self::exclusive(owner.0, 0)
    }

    const fn exclusive(one: i64, other: i64) -> Self {
        Self(!((one ^ other.rotate_left(31)) & i64::MAX))
    }

    /// For operations that rely on a company's settings and its blocked clients.
    #[must_use]
    pub const fn workspace(id: WorkspaceId) -> Self {
        Self(id.0)
    }

    /// For operations that rely on a company allowing assistants to write. Separate from
    /// [`LockKey::workspace`], which other operations hold exclusively while they wait for user
    /// locks.
    #[must_use]
    pub const fn assistants(id: WorkspaceId) -> Self {
        Self(id.0 ^ (1 << 62))
    }

    /// Returns whether the key is of a subject, not of a written object.
    #[must_use]
    pub const fn is_subject(self) -> bool {
        self.0 >= 0
    }

    /// Returns the key with this [number](Self::number), which another node sent.
    pub(in crate::store) const fn numbered(number: i64) -> Self {
        Self(number)
    }

    /// Returns the number of the lock in PostgreSQL. In `pg_locks`, `classid` has the upper half of the number and
    /// `objid` the lower half.
    #[must_use]
    pub const fn number(self) -> i64 {
        self.0
    }
}

/// The locks that an operation takes before its first statement.
///
/// The locks are taken in the round trip that begins the transaction. They are taken in the order of [`LockKey`], which
/// prevents deadlocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Locks {
    /// Subjects about which the operation relies on facts. A change of such a fact is acknowledged only after the
    /// operation has ended.
    pub shared: Vec<LockKey>,
    /// Objects that no other operation may write to until the commit.
    pub exclusive: Vec<LockKey>,
    /// Takes only free locks, without waiting; [`Sql::holds`](crate::store::Sql::holds) reports which were taken.
    pub if_free: bool,
}

impl Locks {
    /// Returns shared locks of these subjects.
    #[must_use]
    pub fn shared(subjects: impl IntoIterator<Item = LockKey>) -> Self {
        Self { shared: subjects.into_iter().collect(), ..Self::default() }
    }

    /// Returns all locks of several operations, to be taken only if free.
    #[must_use]
    pub fn if_free(all: impl IntoIterator<Item = Self>) -> Self {
        let mut union = Self { if_free: true, ..Self::default() };
        for locks in all {
            union.shared.extend(locks.shared);
            union.exclusive.extend(locks.exclusive);
        }
        union
    }

    /// Returns every lock in the order in which it is taken, and whether it is exclusive. A lock that is needed in both
    /// modes is taken once, exclusively.
    fn ordered(&self) -> Vec<(LockKey, bool)> {
        let shared = self.shared.iter().map(|key| (*key, false));
        let exclusive = self.exclusive.iter().map(|key| (*key, true));
        let mut all: Vec<_> = shared.chain(exclusive).collect();
        all.sort_unstable_by_key(|&(key, is_exclusive)| (key, !is_exclusive));
        all.dedup_by_key(|(key, _)| *key);
        all
    }

    /// Returns the numbers of all locks, in the order in which [`Locks::statement`] takes them.
    pub(in crate::store) fn numbers(&self) -> Vec<i64> {
        self.ordered().into_iter().map(|(key, _)| key.number()).collect()
    }

    /// Adds an exclusive lock.
    #[must_use]
    pub fn and_exclusive(mut self, key: LockKey) -> Self {
        self.exclusive.push(key);
        self
    }

    /// Returns the statement that takes the locks; `None` if there are no locks. The numbers of the locks are part of
    /// the text, because a statement sent with BEGIN in one round trip has no parameters.
    pub(in crate::store) fn statement(&self) -> Option<String> {
        let (shared, exclusive) = if self.if_free {
            ("pg_try_advisory_xact_lock_shared", "pg_try_advisory_xact_lock")
        } else {
            ("pg_advisory_xact_lock_shared", "pg_advisory_xact_lock")
        };
        let calls: Vec<String> = self
            .ordered()
            .into_iter()
            .map(|(key, is_exclusive)| {
                format!("{}({})", if is_exclusive { exclusive } else { shared }, key.number())
            })
            .collect();
        // If an operation does not wait for locks, it must not wait long for a transaction that has claimed the same
        // idempotency key either.
        let bound = if self.if_free { "SET LOCAL lock_timeout = '200ms'; " } else { "" };
        (!calls.is_empty()).then(|| format!("{bound}SELECT {}", calls.join(", ")))
    }
}

/// Returns the numbers of some locks in the order in which they are taken.
pub(super) fn sorted(keys: &[LockKey]) -> Vec<i64> {
    let mut keys = keys.to_vec();
    keys.sort_unstable();
    keys.dedup();
    keys.into_iter().map(LockKey::number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_are_taken_in_one_order() {
        let locks = Locks::shared([LockKey(9), LockKey(3), LockKey(9)]).and_exclusive(LockKey(-1));
        let statement = locks.statement().unwrap();
        assert_eq!(
            statement,
            "SELECT pg_advisory_xact_lock_shared(3), pg_advisory_xact_lock_shared(9), pg_advisory_xact_lock(-1)"
        );
        assert_eq!(Locks::default().statement(), None);
        let together = Locks::if_free([locks, Locks::shared([LockKey(2)])]);
        assert_eq!(together.numbers(), [2, 3, 9, -1]);
        let tried: Vec<String> =
            [2, 3, 9].iter().map(|n| format!("pg_try_advisory_xact_lock_shared({n})")).collect();
        let tried = format!(
            "SET LOCAL lock_timeout = '200ms'; SELECT {}, pg_try_advisory_xact_lock(-1)",
            tried.join(", ")
        );
        assert_eq!(together.statement(), Some(tried));
    }

    #[test]
    fn a_lock_that_is_wanted_in_both_modes_is_taken_once_exclusively() {
        let locks = Locks::shared([LockKey(3), LockKey(9)]).and_exclusive(LockKey(3));
        let statement = "SELECT pg_advisory_xact_lock(3), pg_advisory_xact_lock_shared(9)";
        assert_eq!(locks.statement().as_deref(), Some(statement));
        assert_eq!(locks.numbers(), [3, 9]);
    }

    /// Operations take locks by [`Locks`] at the beginning of the transaction and by `locks::acquire` during
    /// it. After it, they take the locks of `Notice::Drain`, to wait for earlier holders. All three use the
    /// same order; otherwise two operations could wait for each other.
    #[test]
    fn operations_and_drains_take_locks_in_the_same_order() {
        let keys: Vec<LockKey> = [5, -7, 0, i64::MAX, -1, 2, i64::MIN, 5].map(LockKey).to_vec();
        let mut ordered = keys.clone();
        ordered.sort_unstable();
        ordered.dedup();
        let ordered: Vec<i64> = ordered.into_iter().map(LockKey::number).collect();
        assert_eq!(ordered, [0, 2, 5, i64::MAX, i64::MIN, -7, -1], "subjects first");
        assert_eq!(sorted(&keys), ordered);
        // which of them are shared makes no difference
        for mask in 0..1 << keys.len() {
            let (mut shared, mut exclusive) = (Vec::new(), Vec::new());
            for (index, key) in keys.iter().enumerate() {
                if mask >> index & 1 == 0 { shared.push(*key) } else { exclusive.push(*key) }
            }
            let locks = Locks { shared, exclusive, if_free: false };
            assert_eq!(locks.numbers(), ordered);
        }
    }

    #[test]
    fn a_session_is_a_subject() {
        assert!(LockKey::session(&[0xff; 32]).is_subject());
        assert_ne!(LockKey::session(&[1; 32]), LockKey::session(&[2; 32]));
    }

    #[test]
    fn the_key_of_a_user_pair_is_symmetric_and_differs_from_all_ids() {
        let (one, other) = (UserId(1 << 50), UserId(7));
        assert_eq!(LockKey::pair(one, other), LockKey::pair(other, one));
        assert_ne!(LockKey::pair(one, other), LockKey::pair(one, UserId(8)));
        for high in [UserId(i64::MAX), UserId(0), one] {
            assert!(LockKey::pair(high, other).0 < 0, "keys of pairs are negative, ids are not");
            let conversation = LockKey::conversation(WorkspaceId(high.0), ConversationId(other.0));
            assert!(conversation.0 < 0, "keys of conversations are negative, those of subjects are not");
            assert!(LockKey::assistants(WorkspaceId(high.0)).0 >= 0, "assistants of a company are a subject");
        }
    }
}
