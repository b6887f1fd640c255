//! Assistant clients: their ids, metadata documents, names, redirect URIs and block keys.
//!
//! - [`client_id`]: client ids that are the URL of a metadata document
//! - [`document`]: validation of metadata documents
//! - [`hosts`]: the canonical form of hosts
//! - [`names`]: the names that a client may have, and how a long name is shortened for display
//! - [`redirect`]: kinds of redirect URIs, which kinds a client may combine, and how a requested URI is compared with
//!   the registered URIs
//! - [`keys`]: the block key and the display name of a client
//! - [`sending`]: whether a draft is sent by the assistant or by the employee

pub mod client_id;
pub mod document;
pub mod hosts;
pub mod keys;
pub mod names;
pub mod redirect;
pub mod sending;
