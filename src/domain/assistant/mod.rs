//! Assistant clients: what they may call themselves, where their codes may go, and by which key a company keeps
//! them out.
//!
//! - [`client_id`]: which texts are the URL of a metadata document
//! - [`document`]: what a metadata document says
//! - [`names`]: names that may be registered, and how names are shown
//! - [`redirect`]: the classes of redirect URIs, which go together, and which are the same
//! - [`keys`]: block keys and display names

pub mod client_id;
pub mod document;
pub mod keys;
pub mod names;
pub mod redirect;
