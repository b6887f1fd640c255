//! The open windows on one thing, and the confirmation that their people still see it.
//!
//! Nothing is sent to a window unless its rights were confirmed after every acknowledged revocation
//! (`docs/decisions/0030-revocations-and-answers.md`). One statement confirms all windows of an audience, and they share its
//! result as long as it is current, so that the cost of a message does not grow with its readers.

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
    store::{
        LockKey, ReadOp, ReadSql, Result, StoreError,
        windows::{self, Onlooker},
    },
    workspace::{World, callers::confirm::ReadTime},
};

/// How often rights are read again whose reading took so long, or during which so many windows were opened, that they
/// were not current afterwards.
const TRIES: usize = 10;
/// Windows that are confirmed with one statement, which takes milliseconds.
const ROW: usize = 500;
const TOO_SLOW: &str = "the rights of open windows cannot be confirmed in time";

/// A window.
#[derive(Debug)]
pub(super) struct Seat {
    pub(super) onlooker: Onlooker,
    is_out: AtomicBool,
    shown_out: Notify,
}

impl Seat {
    pub(super) fn new(onlooker: Onlooker) -> Arc<Self> {
        Arc::new(Self { onlooker, is_out: AtomicBool::new(false), shown_out: Notify::new() })
    }

    /// Whether its person lost the right to what the window shows.
    pub(super) fn is_out(&self) -> bool {
        self.is_out.load(Ordering::Acquire)
    }

    /// Waits until the person loses the right.
    pub(super) async fn out(&self) {
        while !self.is_out() {
            self.shown_out.notified().await;
        }
    }

    fn show_out(&self) {
        self.is_out.store(true, Ordering::Release);
        self.shown_out.notify_one();
    }
}

/// The windows on a conversation, or on lists of conversations.
#[derive(Debug)]
pub(super) struct Audience {
    /// `None` for lists, which need no more than a sign-in.
    conversation: Option<ConversationId>,
    rows: Mutex<Vec<Arc<SeatRow>>>,
}

/// Some windows of an audience, which are confirmed together.
#[derive(Debug)]
pub(super) struct SeatRow {
    conversation: Option<ConversationId>,
    seats: Mutex<Seats>,
    /// When all seats were confirmed; `None` if one was taken since.
    confirmed: Mutex<Option<ReadTime>>,
    turn: TurnMutex<()>,
}

#[derive(Debug, Default)]
struct Seats {
    next: u64,
    taken: HashMap<u64, Arc<Seat>>,
}

/// A window's place in a row.
#[derive(Debug)]
pub(super) struct Ticket {
    pub(super) row: Arc<SeatRow>,
    number: u64,
}

impl Audience {
    pub(super) fn new(conversation: Option<ConversationId>) -> Self {
        Self { conversation, rows: Mutex::default() }
    }

    /// Adds a window.
    pub(super) fn join(&self, seat: &Arc<Seat>) -> Ticket {
        let mut rows = self.rows.lock();
        let row = match rows.iter().find(|row| row.seats.lock().taken.len() < ROW) {
            Some(row) => Arc::clone(row),
            None => {
                let row = Arc::new(SeatRow::new(self.conversation));
                rows.push(Arc::clone(&row));
                row
            }
        };
        // under the lock, so that the row is not removed in between
        let number = row.take(seat);
        drop(rows);
        Ticket { row, number }
    }

    /// Removes a window; returns whether it was the last.
    pub(super) fn leave(&self, ticket: &Ticket) -> bool {
        ticket.row.free(ticket.number);
        let mut rows = self.rows.lock();
        rows.retain(|row| !row.seats.lock().taken.is_empty());
        rows.is_empty()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.lock().iter().all(|row| row.seats.lock().taken.is_empty())
    }

    pub(super) fn rows(&self) -> Vec<Arc<SeatRow>> {
        self.rows.lock().clone()
    }

    /// Returns the rows with a window whose person's sign-in can have ended when the subjects were revoked.
    pub(super) fn rows_of(&self, revoked: &HashSet<LockKey>) -> Vec<Arc<SeatRow>> {
        let is_one_of =
            |row: &Arc<SeatRow>| row.seats.lock().taken.values().any(|seat| seat.onlooker.is_one_of(revoked));
        self.rows.lock().iter().filter(|row| is_one_of(row)).cloned().collect()
    }

    /// Shows out the windows whose person lost the right, unless nobody can have lost it since the last time.
    ///
    /// # Errors
    /// Store errors.
    pub(super) async fn confirm(&self, world: &World) -> Result<()> {
        for row in self.rows() {
            row.confirm(world).await?;
        }
        Ok(())
    }

    /// Shows out the windows whose person lost the right, because time has passed, in which sessions expire.
    ///
    /// # Errors
    /// Store errors.
    pub(super) async fn confirm_again(&self, world: &World) -> Result<()> {
        for row in self.rows() {
            row.confirm_again(world).await?;
        }
        Ok(())
    }
}

impl SeatRow {
    fn new(conversation: Option<ConversationId>) -> Self {
        let (seats, turn) = Default::default();
        Self { conversation, seats, confirmed: Mutex::new(None), turn }
    }

    fn take(&self, seat: &Arc<Seat>) -> u64 {
        let mut seats = self.seats.lock();
        *self.confirmed.lock() = None;
        seats.next += 1;
        let number = seats.next;
        seats.taken.insert(number, Arc::clone(seat));
        number
    }

    fn free(&self, number: u64) {
        self.seats.lock().taken.remove(&number);
    }

    /// Whether all windows of the row were confirmed after every acknowledged revocation.
    pub(super) fn is_current(&self, world: &World) -> bool {
        self.confirmed.lock().as_ref().is_some_and(|as_of| world.is_current(as_of))
    }

    /// Confirms all windows of the row, unless that is current. Those whose person lost the right are shown out.
    ///
    /// # Errors
    /// Store errors; unavailable if the rights cannot be read in the time for which they are current.
    pub(super) async fn confirm(&self, world: &World) -> Result<()> {
        if self.is_current(world) {
            return Ok(());
        }
        let _turn = self.turn.lock().await;
        for _ in 0..TRIES {
            if self.is_current(world) {
                return Ok(());
            }
            self.confirm_now(world).await?;
        }
        if self.is_current(world) { Ok(()) } else { Err(StoreError::Unavailable(TOO_SLOW.into()).into()) }
    }

    /// Confirms all windows of the row, even if that is current.
    ///
    /// # Errors
    /// Store errors.
    pub(super) async fn confirm_again(&self, world: &World) -> Result<()> {
        let _turn = self.turn.lock().await;
        self.confirm_now(world).await
    }

    async fn confirm_now(&self, world: &World) -> Result<()> {
        let now = world.trusted_now()?;
        let as_of = world.as_of();
        let (latest, (numbers, seats)): (u64, (Vec<u64>, Vec<Arc<Seat>>)) = {
            let seats = self.seats.lock();
            (seats.next, seats.taken.iter().map(|(number, seat)| (*number, Arc::clone(seat))).unzip())
        };
        let onlookers = seats.iter().map(|seat| seat.onlooker).collect();
        let op = FindPresent { onlookers, conversation: self.conversation, now };
        let mut is_present = vec![false; seats.len()];
        for index in world.db.read(op).await? {
            is_present[index] = true;
        }
        for ((number, seat), is_present) in numbers.into_iter().zip(&seats).zip(is_present) {
            if !is_present {
                self.free(number);
                seat.show_out();
            }
        }
        let seats = self.seats.lock();
        *self.confirmed.lock() = (seats.next == latest).then_some(as_of);
        Ok(())
    }
}

struct FindPresent {
    onlookers: Vec<Onlooker>,
    conversation: Option<ConversationId>,
    now: Timestamp,
}

impl ReadOp for FindPresent {
    const NAME: &'static str = "find_present_onlookers";
    const SINGLE: bool = true;
    type Out = Vec<usize>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Vec<usize>> {
        windows::present(c, &self.onlookers, self.conversation, self.now).await
    }
}
