//! The keys of advisory locks, and the lists of locks that operations take. [`locks`](super::locks) describes the
//! rules.

use std::cmp::Ordering;

use crate::domain::ids::{AccountId, AppId, ConversationId, InstallationId, UserId, WorkspaceId};

/// The key of an advisory lock.
///
/// A lock is the lock of a *subject* or of a *written object*. A subject is something, such as an installation, whose
/// state operations rely on. A written object is something, such as a conversation, that operations write to.
///
/// The key of a subject is the subject's id, except that the key of a session is a part of its token's hash, and
/// [`LockKey::assistants`] is the company's id with one bit changed. Ids of all kinds come from one generator, so no
/// two ids are equal.
///
/// Locks of written objects are exclusive, and their keys are negative. So if a request names one id both as a subject
/// and as a written object, the request takes two different locks. With only one lock, the request would lock the
/// subject exclusively, and all operations that rely on the subject would wait for the request.
///
/// The keys of two written objects can be equal by chance. Then a write to one object also waits for writes to the
/// other object. That is harmless.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LockKey(i64);

/// The order in which an operation takes several locks: first the locks of subjects in ascending order, then the locks
/// of written objects in ascending order. All operations use this order, which prevents deadlocks.
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
    /// For operations that rely on the fact that an installation is connected.
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

    /// For operations that rely on a session. The key is computed from the SHA-256 of the session's token, so an
    /// operation can take the lock even if the session was deleted. For example, an earlier request whose response was
    /// lost can have deleted the session.
    #[must_use]
    pub fn session(token_hash: &[u8; 32]) -> Self {
        let mut first = [0; 8];
        first.copy_from_slice(&token_hash[..8]);
        Self(i64::from_be_bytes(first) & i64::MAX)
    }

    /// For operations that rely on the fact that an app is not disabled.
    #[must_use]
    pub const fn app(id: AppId) -> Self {
        Self(id.0)
    }

    /// For responses that rely on who may see a conversation. An operation that deletes the conversation or removes a
    /// member from it responds only after the holders of this lock have ended. If
    /// [`Db::hold`](crate::store::Db::hold) confirms the permissions of a page, the lock is held while the page is
    /// sent.
    #[must_use]
    pub const fn audience(id: ConversationId) -> Self {
        Self(id.0)
    }

    /// For writes to a group or channel, and for changes of its members. The key depends on the company of the caller.
    /// So if a caller from another company names the conversation, the caller takes a different lock, and does not
    /// delay the conversation's writes.
    #[must_use]
    pub const fn conversation(workspace: WorkspaceId, id: ConversationId) -> Self {
        Self::exclusive(workspace.0, id.0)
    }

    /// For writes of direct messages between two users. The key is computed from the ids of the users, so operations
    /// can take the lock before the users have a conversation.
    #[must_use]
    pub const fn pair(one: UserId, other: UserId) -> Self {
        let (low, high) = if one.0 < other.0 { (one.0, other.0) } else { (other.0, one.0) };
        Self::exclusive(low, high)
    }

    /// For operations that create drafts of an employee. Without the lock, concurrent operations could together exceed
    /// the maximum number of drafts. The removal of the employee, which deletes the drafts, takes this lock too.
    #[must_use]
    pub const fn drafts(owner: UserId) -> Self {
        Self::exclusive(owner.0, 0)
    }

    const fn exclusive(one: i64, other: i64) -> Self {
        Self(!((one ^ other.rotate_left(31)) & i64::MAX))
    }

    /// For operations that rely on a company's settings and on its blocked clients.
    #[must_use]
    pub const fn workspace(id: WorkspaceId) -> Self {
        Self(id.0)
    }

    /// For operations that rely on the fact that a company allows assistants to write. Writes of assistants take this
    /// lock and not [`LockKey::workspace`], because other operations can hold the workspace lock exclusively while they
    /// wait for the locks of users. With the workspace lock, the writes of all the company's assistants would wait too.
    #[must_use]
    pub const fn assistants(id: WorkspaceId) -> Self {
        Self(id.0 ^ (1 << 62))
    }

    /// Returns whether the key is the key of a subject. All other keys are keys of written objects.
    #[must_use]
    pub const fn is_subject(self) -> bool {
        self.0 >= 0
    }

    /// Returns the key with this [number](Self::number). For numbers that another node sent.
    pub(in crate::store) const fn numbered(number: i64) -> Self {
        Self(number)
    }

    /// Returns the number of the lock in PostgreSQL. The view `pg_locks` shows the upper half of the number in
    /// `classid` and the lower half in `objid`.
    #[must_use]
    pub const fn number(self) -> i64 {
        self.0
    }
}

/// The locks that an operation takes before its first statement.
///
/// The round trip that begins the transaction also takes the locks. It takes them in the order of [`LockKey`], which
/// prevents deadlocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Locks {
    /// Subjects whose state this operation relies on. If another operation changes the state, its change is
    /// acknowledged only after this operation has ended.
    pub shared: Vec<LockKey>,
    /// Objects that no other operation may write to until this operation's transaction ends.
    pub exclusive: Vec<LockKey>,
    /// Whether the operation takes only those locks that are free, and waits for none.
    /// [`Sql::holds`](crate::store::Sql::holds) reports which locks were taken.
    pub if_free: bool,
}

impl Locks {
    /// Creates a list of shared locks of these subjects.
    #[must_use]
    pub fn shared(subjects: impl IntoIterator<Item = LockKey>) -> Self {
        Self { shared: subjects.into_iter().collect(), ..Self::default() }
    }

    /// Creates a list of all locks of several operations. Each lock is taken only if it is free.
    #[must_use]
    pub fn if_free(all: impl IntoIterator<Item = Self>) -> Self {
        let mut union = Self { if_free: true, ..Self::default() };
        for locks in all {
            union.shared.extend(locks.shared);
            union.exclusive.extend(locks.exclusive);
        }
        union
    }

    /// Returns the locks in the order in which they are taken, and whether each lock is exclusive. A lock that is
    /// needed in both modes is taken once, exclusively.
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
        // An operation that does not wait for locks can still wait for a transaction that has claimed the same
        // idempotency key. This timeout limits that wait.
        let bound = if self.if_free { "SET LOCAL lock_timeout = '200ms'; " } else { "" };
        (!calls.is_empty()).then(|| format!("{bound}SELECT {}", calls.join(", ")))
    }
}

/// Returns the numbers of these locks in the order in which they are taken, without duplicates.
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

    /// An operation takes locks at three times: at the beginning of its transaction ([`Locks`]), during the transaction
    /// (`locks::acquire`), and after the commit, to wait for earlier holders (`Notice::Drain`). All three use the same
    /// order. With different orders, two operations could wait for each other.
    #[test]
    fn operations_and_drains_take_locks_in_the_same_order() {
        let keys: Vec<LockKey> = [5, -7, 0, i64::MAX, -1, 2, i64::MIN, 5].map(LockKey).to_vec();
        let mut ordered = keys.clone();
        ordered.sort_unstable();
        ordered.dedup();
        let ordered: Vec<i64> = ordered.into_iter().map(LockKey::number).collect();
        assert_eq!(
            ordered,
            [0, 2, 5, i64::MAX, i64::MIN, -7, -1],
            "the locks of subjects are taken before those of written objects"
        );
        assert_eq!(sorted(&keys), ordered);
        // the order does not depend on which locks are shared
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
            assert!(
                LockKey::assistants(WorkspaceId(high.0)).0 >= 0,
                "the key of a company's assistants is the key of a subject"
            );
        }
    }
}
