//! Events for apps: they are written in the transaction of the change that they report, delivered, listed, and
//! redelivered on request.

pub mod deliveries;
pub mod outbox;
pub mod test_events;
