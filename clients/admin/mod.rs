//! The client of the admin API, and adjustments of its requests.

mod adjust;
#[rustfmt::skip]
#[allow(
    clippy::all,
    clippy::pedantic,
    clippy::allow_attributes_without_reason,
    clippy::unwrap_used,
    unused_qualifications,
    reason = "generated"
)]
#[path = "../../generated/admin_client.rs"]
mod generated;

pub use adjust::{with_content_type, with_nulls};
pub use generated::{Client, types};
