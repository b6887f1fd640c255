//! Events for apps: written with the change they report, delivered, listed and sent again.

pub mod deliveries;
pub mod outbox;
pub mod test_events;
