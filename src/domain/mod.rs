//! Pure values and rules, no I/O.

pub mod time;
