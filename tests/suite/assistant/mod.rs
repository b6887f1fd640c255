//! The assistant connection server, a file per standard.

mod address_rule;
mod client_documents;
mod connected;
mod cors;
mod document_fetches;
mod documents_not_public;
mod rfc7591;
mod rfc7591_limits;
mod rfc8414;
mod rfc9728;
mod typed_client;
