//! Tests of the rules that the source tree and the documents follow: layers, imports, names of types, SQL statements,
//! requirement numbers, generated documents and the vocabulary.

mod api_docs;
mod callers;
mod coverage;
mod dead_items;
mod events_docs;
mod fuzz_seeds;
mod import_cycles;
pub mod imports;
mod layers;
mod logs_docs;
mod markers;
mod modules;
mod numbers;
pub mod rust_text;
mod sample_vectors;
mod security_docs;
mod soak_minutes;
mod statement_types;
pub mod statements;
mod type_names;
mod visibility;
mod vocabulary;
mod where_to_look;
