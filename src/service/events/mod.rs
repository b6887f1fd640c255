//! Deliveries of events to apps, and test events. An event is written by [`outbox`](super::outbox), in the transaction
//! of the change that the event reports.

pub mod deliveries;
pub mod test_events;
