//! Slots for fetches of metadata documents. At most ten fetches run at a time (D-214). The slots are shared fairly
//! between the hosts of the documents, and between the addresses of the browsers for whose requests the documents are
//! fetched. In this file, a host includes the port, unless the port is 443.
//!
//! Anybody can make this server fetch from a host that stalls for three seconds, the timeout of a fetch. So the last
//! four free slots are reserved for fetches whose host and address use no slot. Therefore a single host or address
//! never has more than six slots. Four slow hosts leave a slot for everybody else. Four addresses also leave a slot,
//! even if each address requests documents of many hosts.
//!
//! A fetch waits while all ten slots are taken. It also waits while only reserved slots are free, and its host or
//! address uses a slot. Of the waiting fetches, those whose host and address use no slot come first, in order of
//! arrival.

use std::{collections::VecDeque, net::IpAddr, sync::Arc};

use parking_lot::Mutex;
use tokio::sync::oneshot;

/// Maximum number of concurrent fetches (D-214).
const MAX_SLOTS: usize = 10;
/// Number of slots that are reserved for fetches whose host and address use no slot.
const RESERVED_SLOTS: usize = 4;

/// The slots of this process.
#[derive(Debug, Default)]
pub(super) struct Slots(Mutex<DocumentSlotsState>);

#[derive(Debug, Default)]
struct DocumentSlotsState {
    taken: Vec<TakenSlot>,
    /// In order of arrival. No waiter in the queue may take a slot now, because every change grants slots to the
    /// waiters that may then take one.
    waiting: VecDeque<SlotWaiter>,
    /// The id of the latest waiter. A slot has the id of its waiter.
    last_id: u64,
}

/// A slot in use.
#[derive(Debug)]
struct TakenSlot {
    id: u64,
    host: String,
    address: IpAddr,
}

/// A fetch that waits for a slot.
#[derive(Debug)]
struct SlotWaiter {
    id: u64,
    host: String,
    /// The different addresses of the requests for the document. Includes requests whose browsers have disconnected.
    addresses: Vec<IpAddr>,
    grant: oneshot::Sender<DocumentSlot>,
}

/// The right to fetch a document. Dropping the value frees the slot, and grants slots to the waiters that may then take
/// one.
#[derive(Debug)]
pub(super) struct DocumentSlot {
    slots: Arc<Slots>,
    id: u64,
}

impl Drop for DocumentSlot {
    fn drop(&mut self) {
        let granted = {
            let mut state = self.slots.0.lock();
            state.taken.retain(|taken| taken.id != self.id);
            state.grant_all()
        };
        self.slots.send(granted);
    }
}

/// A waiter's position in the queue. Dropping the value removes the waiter.
#[derive(Debug)]
pub(super) struct Ticket {
    slots: Arc<Slots>,
    id: u64,
    granted: oneshot::Receiver<DocumentSlot>,
}

impl Ticket {
    /// Waits for a slot. Returns `None` if the waiter was removed from the queue without a slot.
    pub(super) async fn slot(mut self) -> Option<DocumentSlot> {
        (&mut self.granted).await.ok()
    }

    /// Returns the id of the waiter, for [`Slots::join`].
    pub(super) fn id(&self) -> u64 {
        self.id
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.slots.0.lock().waiting.retain(|waiter| waiter.id != self.id);
    }
}

impl Slots {
    /// Queues for a slot for a fetch from a host, on behalf of these addresses.
    pub(super) fn enqueue(self: &Arc<Self>, host: &str, addresses: Vec<IpAddr>) -> Ticket {
        let (grant, granted) = oneshot::channel();
        let (id, taken) = {
            let mut state = self.0.lock();
            state.last_id += 1;
            let id = state.last_id;
            state.waiting.push_back(SlotWaiter { id, host: host.to_owned(), addresses, grant });
            let last = state.waiting.len() - 1;
            (id, state.grant(last))
        };
        self.send(taken);
        Ticket { slots: Arc::clone(self), id, granted }
    }

    /// Adds the address of another request to the waiter with this id. Grants the waiter a slot if it may take one with
    /// this address.
    pub(super) fn join(self: &Arc<Self>, id: u64, address: IpAddr) {
        let taken = {
            let mut state = self.0.lock();
            let found = state.waiting.iter().position(|waiter| waiter.id == id);
            found.and_then(|index| {
                state.waiting.get_mut(index)?.addresses.push(address);
                state.grant(index)
            })
        };
        self.send(taken);
    }

    /// Sends granted slots to the waiters. The caller must not hold the lock: if a waiter no longer exists, its slot is
    /// dropped, and dropping a slot takes the lock.
    fn send(self: &Arc<Self>, granted: impl IntoIterator<Item = (u64, oneshot::Sender<DocumentSlot>)>) {
        for (id, grant) in granted {
            drop(grant.send(DocumentSlot { slots: Arc::clone(self), id }));
        }
    }
}

impl DocumentSlotsState {
    /// Returns the number of slots that the host uses or the number that the address uses, whichever is higher.
    fn in_use(&self, host: &str, address: IpAddr) -> usize {
        let of_host = self.taken.iter().filter(|taken| taken.host == host).count();
        let of_address = self.taken.iter().filter(|taken| taken.address == address).count();
        of_host.max(of_address)
    }

    /// Computes [`in_use`](DocumentSlotsState::in_use) for each address of a waiter. Returns the smallest result and
    /// its address.
    fn claim(&self, waiter: &SlotWaiter) -> Option<(usize, IpAddr)> {
        let claims = waiter.addresses.iter().map(|address| (self.in_use(&waiter.host, *address), *address));
        claims.min_by_key(|(in_use, _)| *in_use)
    }

    /// Returns whether a fetch may take a slot if its host or address already uses `in_use` slots.
    fn may_take(&self, in_use: usize) -> bool {
        self.taken.len() < if in_use == 0 { MAX_SLOTS } else { MAX_SLOTS - RESERVED_SLOTS }
    }

    /// Grants a slot to a waiter if the waiter may take one.
    fn grant(&mut self, index: usize) -> Option<(u64, oneshot::Sender<DocumentSlot>)> {
        let (in_use, address) = self.claim(self.waiting.get(index)?)?;
        if !self.may_take(in_use) {
            return None;
        }
        let SlotWaiter { id, host, grant, .. } = self.waiting.remove(index)?;
        self.taken.push(TakenSlot { id, host, address });
        Some((id, grant))
    }

    /// Grants slots to all waiters that may take one. Waiters whose host and address use no slot come first, then the
    /// others in the order of the queue.
    fn grant_all(&mut self) -> Vec<(u64, oneshot::Sender<DocumentSlot>)> {
        let mut granted = Vec::new();
        for max_in_use in [0, MAX_SLOTS] {
            let mut index = 0;
            while self.taken.len() < MAX_SLOTS
                && let Some(waiter) = self.waiting.get(index)
            {
                let is_next = self.claim(waiter).is_some_and(|(in_use, _)| in_use <= max_in_use);
                match is_next.then(|| self.grant(index)).flatten() {
                    Some(slot) => granted.push(slot),
                    None => index += 1,
                }
            }
        }
        granted
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use futures_util::FutureExt as _;

    use super::*;

    fn address(n: u8) -> IpAddr {
        Ipv4Addr::new(192, 0, 2, n).into()
    }

    fn enqueue(slots: &Arc<Slots>, host: &str, n: u8) -> Ticket {
        slots.enqueue(host, vec![address(n)])
    }

    fn slot(ticket: &mut Ticket) -> Option<DocumentSlot> {
        (&mut ticket.granted).now_or_never().and_then(Result::ok)
    }

    /// Takes as many slots as possible for `count` addresses, each of which requests documents of seven hosts. With
    /// `share_host`, takes them for `count` hosts, each of which is requested by seven addresses. Returns the slots and
    /// the tickets that still wait.
    fn greedy(slots: &Arc<Slots>, count: u8, share_host: bool) -> (Vec<DocumentSlot>, Vec<Ticket>) {
        let (mut in_use, mut waiting) = (Vec::new(), Vec::new());
        for (n, other) in (1..=count).flat_map(|n| (0..7).map(move |other| (n, other))) {
            let mut ticket = match share_host {
                true => enqueue(slots, &format!("{n}.example"), n * 10 + other),
                false => enqueue(slots, &format!("{n}-{other}.example"), n),
            };
            match slot(&mut ticket) {
                Some(slot) => in_use.push(slot),
                None => waiting.push(ticket),
            }
        }
        (in_use, waiting)
    }

    #[test]
    fn four_greedy_addresses_or_hosts_leave_a_slot() {
        for share_host in [false, true] {
            let slots = Arc::new(Slots::default());
            let (in_use, _waiting) = greedy(&slots, 4, share_host);
            assert_eq!(in_use.len(), 9, "one slot is left (share_host: {share_host})");
            assert!(slot(&mut enqueue(&slots, "honest.example", 99)).is_some());
        }
    }

    #[test]
    fn at_most_ten_slots_are_granted_in_order_of_arrival() {
        let slots = Arc::new(Slots::default());
        let mut tickets: Vec<_> = (0..20).map(|n| enqueue(&slots, &format!("{n}.example"), n)).collect();
        let mut in_use: Vec<_> = tickets.iter_mut().filter_map(slot).collect();
        assert_eq!(in_use.len(), MAX_SLOTS);
        in_use.pop();
        // the eleventh waiter gets the slot that was freed
        let eleventh = slot(&mut tickets[10]).expect("a slot was freed");
        assert!(tickets[11..].iter_mut().all(|ticket| slot(ticket).is_none()));
        drop((in_use, eleventh));
        assert_eq!(tickets[11..].iter_mut().filter_map(slot).count(), 9);
    }

    #[test]
    fn a_waiter_whose_host_and_address_use_no_slot_comes_first() {
        let slots = Arc::new(Slots::default());
        let mut in_use: Vec<_> =
            (0..10).map(|n| slot(&mut enqueue(&slots, &format!("{n}.example"), n)).unwrap()).collect();
        let mut greedy = enqueue(&slots, "more.example", 0);
        let mut honest = enqueue(&slots, "honest.example", 99);
        in_use.pop();
        assert!(slot(&mut greedy).is_none() && slot(&mut honest).is_some());
        // the address of the greedy waiter gets a second slot only when more than the four reserved slots are free
        while in_use.len() > 6 {
            in_use.pop();
            assert!(slot(&mut greedy).is_none());
        }
        in_use.truncate(5);
        assert!(slot(&mut greedy).is_some());
    }

    #[test]
    fn a_waiter_gets_a_slot_when_an_address_without_slots_joins() {
        let slots = Arc::new(Slots::default());
        let (in_use, _waiting) = greedy(&slots, 1, false);
        assert_eq!(in_use.len(), 6, "one address gets all slots that are not reserved");
        // the document is first requested by an address that already uses slots
        let mut ticket = enqueue(&slots, "honest.example", 1);
        assert!(slot(&mut ticket).is_none());
        slots.join(ticket.id(), address(99));
        assert!(slot(&mut ticket).is_some());
    }

    #[test]
    fn dropped_tickets_leave_the_queue_and_free_their_slots() {
        let slots = Arc::new(Slots::default());
        let in_use: Vec<_> = (0..10).map(|n| enqueue(&slots, &format!("{n}.example"), n)).collect();
        let mut next = enqueue(&slots, "next.example", 50);
        drop(enqueue(&slots, "cancelled.example", 51));
        // these tickets have slots that nobody has received
        drop(in_use);
        assert!(slot(&mut next).is_some());
        let state = slots.0.lock();
        assert!(state.taken.is_empty() && state.waiting.is_empty());
    }
}
