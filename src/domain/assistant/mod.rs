//! Assistant clients: their names, their redirect URIs, and the keys by which companies block them.
//!
//! - [`client_id`]: client ids that are the URL of a metadata document
//! - [`document`]: validation of metadata documents
//! - [`hosts`]: the canonical form of hosts
//! - [`names`]: names that may be registered, and how names are displayed
//! - [`redirect`]: classes of redirect URIs, allowed combinations, and comparison
//! - [`keys`]: block keys and display names
//! - [`sending`]: who sends the messages that assistants draft

pub mod client_id;
pub mod document;
pub mod hosts;
pub mod keys;
pub mod names;
pub mod redirect;
pub mod sending;
