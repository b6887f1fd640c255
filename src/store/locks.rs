//! Advisory locks: how operations on PostgreSQL wait for each other without writing to a row.
//!
//! A send relies on facts that others change: its installation is connected, its addressee has an account, the
//! conversation takes messages. It holds the lock of each subject *shared* from before it reads the facts until its
//! commit; whoever changes a fact *drains* the lock after the commit, which waits until everybody who may have read
//! the old fact is done. So nothing is written after a change was answered, and no row that many requests read is
//! locked: shared locks of rows write to them, cost a multixact for each set of holders, and let a stream of holders
//! pass in front of whoever wants to change the row. The queue of an advisory lock is fair.
//!
//! The lock of a conversation is *exclusive*: messages get their ids under it, so that within a conversation ids
//! become visible in their order on every node.
//!
//! Locks end with the transaction, which transaction-mode poolers allow. SQLite has one writer and needs none.

use super::{Engine, Result, Sql, args, statements};
use crate::domain::ids::{AppId, ConversationId, InstallationId, UserId, WorkspaceId};

/// What a lock stands for.
///
/// Subjects, which are shared, have their ids, and ids of all kinds come from one generator. What is written to, which
/// is exclusive, has negative numbers. So no request can name one thing in both ways and wait for itself. Exclusive
/// keys of different things may be the same: they then wait for each other, and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LockKey(i64);

impl LockKey {
    /// Of what relies on an installation being connected.
    #[must_use]
    pub const fn installation(id: InstallationId) -> Self {
        Self(id.0)
    }

    /// Of what relies on a person's account, and on which apps the person blocks.
    #[must_use]
    pub const fn user(id: UserId) -> Self {
        Self(id.0)
    }

    /// Of what relies on an app not being disabled.
    #[must_use]
    pub const fn app(id: AppId) -> Self {
        Self(id.0)
    }

    /// Of what is written to a group or channel, and of who is in it. The company is a part of it, so that somebody of
    /// another company who names the conversation holds nobody up.
    #[must_use]
    pub const fn conversation(workspace: WorkspaceId, id: ConversationId) -> Self {
        Self::exclusive(workspace.0, id.0)
    }

    /// Of the direct messages of two users, whether they have any yet or not.
    #[must_use]
    pub const fn pair(one: UserId, other: UserId) -> Self {
        let (low, high) = if one.0 < other.0 { (one.0, other.0) } else { (other.0, one.0) };
        Self::exclusive(low, high)
    }

    const fn exclusive(one: i64, other: i64) -> Self {
        Self(!((one ^ other.rotate_left(31)) & i64::MAX))
    }

    /// Of what relies on a company's settings and on the clients it blocks.
    #[must_use]
    pub const fn workspace(id: WorkspaceId) -> Self {
        Self(id.0)
    }

    /// Of what relies on a company letting an assistant write. Apart from [`LockKey::workspace`], which others hold
    /// exclusively while they wait for people.
    #[must_use]
    pub const fn assistants(id: WorkspaceId) -> Self {
        Self(id.0 ^ (1 << 62))
    }

    /// The number PostgreSQL knows the lock by: in `pg_locks`, `classid` is its upper half and `objid` the lower.
    #[must_use]
    pub const fn number(self) -> i64 {
        self.0
    }
}

/// The locks an operation takes before its first statement.
///
/// They are taken in the round trip that begins the transaction. Shared ones come first and each kind in ascending
/// order, so that no two operations wait for each other in a circle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Locks {
    /// Subjects whose facts must hold until the commit.
    pub shared: Vec<LockKey>,
    /// What nobody else may write to until the commit.
    pub exclusive: Vec<LockKey>,
    /// Nobody is waited for: a lock that is not free is not taken, and [`Sql::holds`] tells which were.
    pub if_free: bool,
}

impl Locks {
    /// Locks of subjects that others may hold as well.
    #[must_use]
    pub fn shared(subjects: impl IntoIterator<Item = LockKey>) -> Self {
        Self { shared: subjects.into_iter().collect(), ..Self::default() }
    }

    /// All locks of several operations, as far as they are free.
    #[must_use]
    pub fn if_free(all: impl IntoIterator<Item = Self>) -> Self {
        let mut union = Self { if_free: true, ..Self::default() };
        for locks in all {
            union.shared.extend(locks.shared);
            union.exclusive.extend(locks.exclusive);
        }
        union
    }

    /// Every lock, in the order in which [`Locks::statement`] takes them.
    pub(super) fn numbers(&self) -> Vec<i64> {
        [sorted(&self.shared), sorted(&self.exclusive)].concat()
    }

    /// The same and one lock that nobody else holds.
    #[must_use]
    pub fn and_exclusive(mut self, key: LockKey) -> Self {
        self.exclusive.push(key);
        self
    }

    /// The statement that takes them, if there are any. Numbers stand in its text, because a statement beside BEGIN
    /// in one round trip has no parameters.
    pub(super) fn statement(&self) -> Option<String> {
        let (shared, exclusive) = if self.if_free {
            ("pg_try_advisory_xact_lock_shared", "pg_try_advisory_xact_lock")
        } else {
            ("pg_advisory_xact_lock_shared", "pg_advisory_xact_lock")
        };
        let calls = [(shared, &self.shared), (exclusive, &self.exclusive)];
        let calls: Vec<String> = calls
            .into_iter()
            .flat_map(|(function, keys)| {
                sorted(keys).into_iter().map(move |number| format!("{function}({number})"))
            })
            .collect();
        // who does not wait for locks waits for no key of another transaction either
        let bound = if self.if_free { "SET LOCAL lock_timeout = '200ms'; " } else { "" };
        (!calls.is_empty()).then(|| format!("{bound}SELECT {}", calls.join(", ")))
    }
}

/// The numbers of some locks in the order in which they are taken.
pub(super) fn sorted(keys: &[LockKey]) -> Vec<i64> {
    let mut numbers: Vec<i64> = keys.iter().map(|key| key.number()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

statements! {
    // in the order of the list: a scan of a function that gives rows keeps it
    ACQUIRE = sqlite "SELECT value FROM json_each($1)"
        postgres "SELECT pg_advisory_xact_lock(number) FROM unnest(CAST($1 AS BIGINT[])) AS number";
    SHARE = sqlite "SELECT $1" postgres "SELECT pg_advisory_xact_lock_shared($1)";
}

/// Takes locks that nobody else may hold, until the transaction ends. What was read before must be read again.
pub async fn acquire<C: Sql>(c: &mut C, keys: &[LockKey]) -> Result<()> {
    if c.engine() == Engine::Postgres {
        c.exec(&ACQUIRE, args![&sorted(keys)]).await?;
    }
    Ok(())
}

/// Takes a lock that others may hold as well, until the transaction ends. What was read before must be read again.
pub async fn share<C: Sql>(c: &mut C, key: LockKey) -> Result<()> {
    if c.engine() == Engine::Postgres {
        c.exec(&SHARE, args![key.number()]).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_are_taken_in_one_order() {
        let locks = Locks::shared([LockKey(9), LockKey(3), LockKey(9)]).and_exclusive(LockKey(1));
        let statement = locks.statement().unwrap();
        assert_eq!(
            statement,
            "SELECT pg_advisory_xact_lock_shared(3), pg_advisory_xact_lock_shared(9), pg_advisory_xact_lock(1)"
        );
        assert_eq!(Locks::default().statement(), None);
        let together = Locks::if_free([locks, Locks::shared([LockKey(2)])]);
        assert_eq!(together.numbers(), [2, 3, 9, 1]);
        let tried: Vec<String> =
            [2, 3, 9].iter().map(|n| format!("pg_try_advisory_xact_lock_shared({n})")).collect();
        let tried = format!(
            "SET LOCAL lock_timeout = '200ms'; SELECT {}, pg_try_advisory_xact_lock(1)",
            tried.join(", ")
        );
        assert_eq!(together.statement(), Some(tried));
    }

    #[test]
    fn a_pair_has_one_key_apart_from_all_ids() {
        let (one, other) = (UserId(1 << 50), UserId(7));
        assert_eq!(LockKey::pair(one, other), LockKey::pair(other, one));
        assert_ne!(LockKey::pair(one, other), LockKey::pair(one, UserId(8)));
        for high in [UserId(i64::MAX), UserId(0), one] {
            assert!(LockKey::pair(high, other).0 < 0, "ids are not negative, keys of pairs are");
            let conversation = LockKey::conversation(WorkspaceId(high.0), ConversationId(other.0));
            assert!(conversation.0 < 0, "no lock of a subject is that of a conversation");
            assert!(LockKey::assistants(WorkspaceId(high.0)).0 >= 0, "a subject");
        }
    }
}
