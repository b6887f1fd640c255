//! The house itself: which module may use which, every SQL text, every document.

mod layers;
mod statements;
