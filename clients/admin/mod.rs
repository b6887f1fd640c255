//! The generated client of the admin API, and functions that adjust the requests of the client.

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
