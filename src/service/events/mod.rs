//! Events for apps. They are written in the transaction of the change that they report, and then delivered. They can be
//! listed, and redelivered on request. The content of a deleted message is erased from them.

pub mod deliveries;
pub(in crate::service) mod erasure;
pub mod outbox;
pub mod test_events;
