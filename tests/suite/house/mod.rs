//! The house itself: which module may use which, every SQL text, every requirement, every generated document.

mod api_docs;
mod coverage;
mod events_docs;
mod layers;
mod sample_vectors;
pub mod statements;
