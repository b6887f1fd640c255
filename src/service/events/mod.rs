//! Events for apps. [`outbox`](super::outbox) writes them in the transaction of the change that they report, and then
//! they are delivered. They can be listed, and redelivered on request.

pub mod deliveries;
pub mod test_events;
