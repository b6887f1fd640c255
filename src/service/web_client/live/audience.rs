//! The open browser windows that show a conversation or lists of conversations, and the confirmation of their rights.
//!
//! To confirm a window means to check that the person of the window may still see what the window shows. The person can
//! lose this right, for example by a sign-out or by leaving the conversation.
//!
//! A change is sent to a window only if the last confirmation of the window is current
//! (`docs/decisions/0030-revocations-and-answers.md`). A confirmation is current until this node revokes any right of
//! anybody. On PostgreSQL, a confirmation also expires after a short time, because other nodes revoke rights too.
//!
//! An [audience](Audience) consists of [batches](WindowBatch) of up to [`MAX_BATCH`] windows. One statement confirms
//! all windows of a batch, and the windows use the result while it is current. So for a message, usually at most one
//! statement per batch is necessary, and not one per reader.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use parking_lot::Mutex;
use tokio::sync::{Mutex as TurnMutex, Notify};

use crate::{
    domain::{ids::ConversationId, time::Timestamp},
    service::{World, callers::confirm::ReadTime},
    store::{
        LockKey, Result, StoreError, op,
        windows::{self, WindowSession},
    },
};

/// Maximum number of reads in one confirmation. A read is repeated if its result is not current, because the read took
/// too long or something was revoked during the read.
const MAX_ATTEMPTS: usize = 10;
/// Maximum number of windows in a batch. One statement confirms a batch.
const MAX_BATCH: usize = 500;
const TOO_SLOW: &str = "the rights of open windows cannot be confirmed in time";

/// An open window. It is closed when its person loses the right to see what the window shows.
#[derive(Debug)]
pub(super) struct OpenWindow {
    pub(super) window_session: WindowSession,
    is_closed: AtomicBool,
    closed: Notify,
}

impl OpenWindow {
    pub(super) fn new(window_session: WindowSession) -> Arc<Self> {
        Arc::new(Self { window_session, is_closed: AtomicBool::new(false), closed: Notify::new() })
    }

    /// Whether the window was closed, because its person has lost the right to see what the window shows.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }

    /// Waits until the window is closed.
    pub(super) async fn closed(&self) {
        while !self.is_closed() {
            self.closed.notified().await;
        }
    }

    fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
        self.closed.notify_one();
    }
}

/// The windows on a conversation, or on lists of conversations.
#[derive(Debug)]
pub(super) struct Audience {
    /// The conversation. `None` for lists of conversations: every person who is signed in may see their own list.
    conversation: Option<ConversationId>,
    batches: Mutex<Vec<Arc<WindowBatch>>>,
    /// Whether the last [`Audience::confirm_again`] failed.
    is_overdue: AtomicBool,
}

/// Windows of an audience that are confirmed together.
#[derive(Debug)]
pub(super) struct WindowBatch {
    conversation: Option<ConversationId>,
    open: Mutex<BatchWindows>,
    confirmed: Mutex<Option<ConfirmedBatch>>,
    /// Held during a confirmation. A task that waited for this lock in [`WindowBatch::confirm`] uses the result, if the
    /// result is still current.
    turn: TurnMutex<()>,
}

/// The last confirmation of a batch.
#[derive(Clone, Copy, Debug)]
struct ConfirmedBatch {
    as_of: ReadTime,
    /// The highest number of a window that the confirmation covers. A window that is opened later has a higher number,
    /// so the confirmation does not cover the new window. The other windows stay confirmed.
    latest: u64,
}

/// A confirmation in progress, with the windows that its statement confirms.
struct RunningConfirmation {
    confirmed: ConfirmedBatch,
    windows: Vec<(u64, Arc<OpenWindow>)>,
}

#[derive(Debug, Default)]
struct BatchWindows {
    /// The number of the window that was added last.
    latest: u64,
    windows: HashMap<u64, Arc<OpenWindow>>,
}

/// The batch that contains a window, and the number of the window in the batch.
#[derive(Debug)]
pub(super) struct WindowHandle {
    batch: Arc<WindowBatch>,
    number: u64,
}

impl WindowHandle {
    /// Whether the last confirmation of the window is current.
    pub(super) fn is_current(&self, world: &World) -> bool {
        self.batch.is_current(world, self.number)
    }

    /// Confirms the window and its batch, unless the last confirmation of the window is current. Closes the windows
    /// whose person has lost the right.
    ///
    /// # Errors
    /// Store errors; `Unavailable` if none of [`MAX_ATTEMPTS`] reads has a result that is still current.
    pub(super) async fn confirm(&self, world: &World) -> Result<()> {
        self.batch.confirm(world, self.number).await
    }
}

impl Audience {
    pub(super) fn new(conversation: Option<ConversationId>) -> Self {
        Self { conversation, batches: Mutex::default(), is_overdue: AtomicBool::new(false) }
    }

    /// Adds a window.
    pub(super) fn join(&self, window: &Arc<OpenWindow>) -> WindowHandle {
        let mut batches = self.batches.lock();
        let batch = match batches.iter().find(|batch| batch.open.lock().windows.len() < MAX_BATCH) {
            Some(batch) => Arc::clone(batch),
            None => {
                let batch = Arc::new(WindowBatch::new(self.conversation));
                batches.push(Arc::clone(&batch));
                batch
            }
        };
        // added while the batches are locked, so that `leave` cannot remove the chosen batch before it has the window
        let number = batch.add(window);
        drop(batches);
        WindowHandle { batch, number }
    }

    /// Removes a window, and returns whether it was the last window of the audience.
    pub(super) fn leave(&self, handle: &WindowHandle) -> bool {
        handle.batch.remove(handle.number);
        let mut batches = self.batches.lock();
        batches.retain(|batch| !batch.open.lock().windows.is_empty());
        batches.is_empty()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.batches.lock().iter().all(|batch| batch.open.lock().windows.is_empty())
    }

    pub(super) fn batches(&self) -> Vec<Arc<WindowBatch>> {
        self.batches.lock().clone()
    }

    /// Returns the batches that have a window whose session, account or user is in `revoked`.
    pub(super) fn batches_of(&self, revoked: &HashSet<LockKey>) -> Vec<Arc<WindowBatch>> {
        let is_one_of = |batch: &Arc<WindowBatch>| {
            batch.open.lock().windows.values().any(|window| window.window_session.is_one_of(revoked))
        };
        self.batches.lock().iter().filter(|batch| is_one_of(batch)).cloned().collect()
    }

    /// Whether the last [`Audience::confirm_again`] failed and so has to be repeated.
    pub(super) fn is_overdue(&self) -> bool {
        self.is_overdue.load(Ordering::Relaxed)
    }

    /// Confirms the batches whose last confirmation is not current or does not cover all windows. If the last
    /// [`Audience::confirm_again`] failed, confirms all batches. Closes the windows whose person has lost the right.
    ///
    /// # Errors
    /// Store errors.
    pub(super) async fn confirm(&self, world: &World) -> Result<()> {
        if self.is_overdue() {
            return self.confirm_again(world).await;
        }
        for batch in self.batches() {
            let latest = batch.open.lock().latest;
            batch.confirm(world, latest).await?;
        }
        Ok(())
    }

    /// Confirms all batches, even if their last confirmation is current. This is necessary because a session can expire
    /// without a revocation. Closes the windows whose person has lost the right.
    ///
    /// # Errors
    /// Store errors.
    pub(super) async fn confirm_again(&self, world: &World) -> Result<()> {
        let mut confirmed = Ok(());
        for batch in self.batches() {
            confirmed = batch.confirm_again(world).await;
            if confirmed.is_err() {
                break;
            }
        }
        self.is_overdue.store(confirmed.is_err(), Ordering::Relaxed);
        confirmed
    }
}

impl WindowBatch {
    fn new(conversation: Option<ConversationId>) -> Self {
        let (open, turn) = Default::default();
        Self { conversation, open, confirmed: Mutex::new(None), turn }
    }

    fn add(&self, window: &Arc<OpenWindow>) -> u64 {
        let mut open = self.open.lock();
        open.latest += 1;
        let number = open.latest;
        open.windows.insert(number, Arc::clone(window));
        number
    }

    fn remove(&self, number: u64) {
        self.open.lock().windows.remove(&number);
    }

    /// Returns when a window was last confirmed; `None` if the window was not confirmed yet.
    fn confirmed_at(&self, number: u64) -> Option<ReadTime> {
        let confirmed = *self.confirmed.lock();
        confirmed.filter(|confirmed| number <= confirmed.latest).map(|confirmed| confirmed.as_of)
    }

    fn is_current(&self, world: &World, number: u64) -> bool {
        self.confirmed_at(number).is_some_and(|as_of| world.is_current(&as_of))
    }

    /// Confirms all windows of the batch, unless the last confirmation is current and covers the window `number`.
    async fn confirm(&self, world: &World, number: u64) -> Result<()> {
        if self.is_current(world, number) {
            return Ok(());
        }
        let _turn = self.turn.lock().await;
        for _ in 0..MAX_ATTEMPTS {
            if self.is_current(world, number) {
                return Ok(());
            }
            self.confirm_now(world).await?;
        }
        match self.is_current(world, number) {
            true => Ok(()),
            false => Err(StoreError::Unavailable(TOO_SLOW.into()).into()),
        }
    }

    /// Confirms all windows of the batch, even if the last confirmation is current.
    ///
    /// # Errors
    /// Store errors.
    pub(super) async fn confirm_again(&self, world: &World) -> Result<()> {
        let _turn = self.turn.lock().await;
        self.confirm_now(world).await
    }

    async fn confirm_now(&self, world: &World) -> Result<()> {
        let now = world.trusted_now()?;
        let begun = self.begin(world.as_of());
        let window_sessions = begun.windows.iter().map(|(_, window)| window.window_session).collect();
        let op = FindPresent { window_sessions, conversation: self.conversation, now };
        let present = world.db.read(op).await?;
        self.finish(begun, &present);
        Ok(())
    }

    /// Begins a confirmation of all windows of the batch. `as_of` is a moment before the rights of the windows are
    /// read.
    fn begin(&self, as_of: ReadTime) -> RunningConfirmation {
        let open = self.open.lock();
        let windows = open.windows.iter().map(|(number, window)| (*number, Arc::clone(window))).collect();
        RunningConfirmation { confirmed: ConfirmedBatch { as_of, latest: open.latest }, windows }
    }

    /// Stores the result of a confirmation. `present` contains the indexes in `begun.windows` of the windows whose
    /// person still has the right. Closes the other windows.
    fn finish(&self, begun: RunningConfirmation, present: &[usize]) {
        let mut is_present = vec![false; begun.windows.len()];
        for index in present {
            is_present[*index] = true;
        }
        for ((number, window), is_present) in begun.windows.iter().zip(is_present) {
            if !is_present {
                self.remove(*number);
                window.close();
            }
        }
        *self.confirmed.lock() = Some(begun.confirmed);
    }
}

struct FindPresent {
    window_sessions: Vec<WindowSession>,
    conversation: Option<ConversationId>,
    now: Timestamp,
}

op! {
    ReadOp "find_present_windows", SINGLE: FindPresent -> Vec<usize> =
        |op, c| windows::present(c, &op.window_sessions, op.conversation, op.now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        domain::ids::{AccountId, MessageId, UserId},
        service::testing,
        store::{Db, DbOptions},
    };

    fn window(user: i64) -> Arc<OpenWindow> {
        let (account, user) = (AccountId(user), UserId(user));
        OpenWindow::new(WindowSession { session: [0; 32], account, user, visible_from: MessageId(0) })
    }

    #[tokio::test]
    async fn a_window_stays_confirmed_while_others_are_opened() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("data.db").display()).parse().unwrap();
        let db = Db::open(&url, DbOptions::default()).await.unwrap();
        let audience = Audience::new(None);
        let first = window(0);
        let handle = audience.join(&first);
        let batch = Arc::clone(&handle.batch);
        assert!(batch.confirmed_at(handle.number).is_none());
        // a window is opened during every read
        for user in 1..=2 * i64::try_from(MAX_ATTEMPTS).unwrap() {
            let begun = batch.begin(ReadTime(db.as_of()));
            let all: Vec<usize> = (0..begun.windows.len()).collect();
            let newcomer = audience.join(&window(user));
            batch.finish(begun, &all);
            assert!(batch.confirmed_at(handle.number).is_some(), "the first window is confirmed");
            assert!(batch.confirmed_at(newcomer.number).is_none(), "the newer window is not confirmed yet");
        }
        let begun = batch.begin(ReadTime(db.as_of()));
        let others = begun.windows.iter().enumerate().filter(|(_, (number, _))| *number != handle.number);
        let others: Vec<usize> = others.map(|(index, _)| index).collect();
        batch.finish(begun, &others);
        assert!(first.is_closed(), "a window is closed if its person has lost the right");
        db.close().await.unwrap();
    }

    #[tokio::test]
    async fn a_failed_confirmation_of_all_batches_is_repeated() {
        let world = testing::world().await;
        let audience = Audience::new(None);
        let window = window(0);
        let handle = audience.join(&window);
        let begun = handle.batch.begin(world.as_of());
        handle.batch.finish(begun, &[0]);
        audience.confirm(&world).await.expect("the confirmation is current, so nothing is read");
        world.db.close().await.unwrap();
        audience.confirm(&world).await.expect("the closed database is not read");
        audience.confirm_again(&world).await.expect_err("the rights cannot be read");
        assert!(audience.is_overdue(), "the failed confirmation has to be repeated");
        audience.confirm(&world).await.expect_err("the next confirmation reads the rights again");
    }
}
