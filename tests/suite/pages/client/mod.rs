//! The pages of the web client over HTTP. The script does not run here; `tests/browser` tests it.

mod choosing;
mod creating;
mod joining;
mod lists;
mod opened;
mod people;
mod search;
