//! Tests of the web client's pages over HTTP. The client's script does not run here; `tests/browser` tests it.

mod choosing;
mod creating;
mod joining;
mod lists;
mod opened;
mod people;
mod search;
