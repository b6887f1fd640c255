//! Events for apps: they are written in the transaction of the change that they report, delivered, listed, and
//! redelivered on request. The content of a deleted message is erased from them.

pub mod deliveries;
pub(in crate::service) mod erasure;
pub mod outbox;
pub mod test_events;
