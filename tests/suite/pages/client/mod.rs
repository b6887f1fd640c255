//! The web client over HTTP, without scripts.

mod choosing;
mod creating;
mod joining;
mod lists;
mod opened;
mod people;
mod search;
