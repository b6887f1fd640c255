//! Events for apps:
//!
//! - [`outbox`]: writes an event in the transaction of the change that it reports
//! - [`deliveries`]: reads and writes for event delivery, the delivery log, redelivery on request
//! - [`erasure`]: erases the content of deleted messages from events
//! - [`test_events`]: events that an operator sends in the sandbox

pub mod deliveries;
pub(in crate::service) mod erasure;
pub mod outbox;
pub mod test_events;
