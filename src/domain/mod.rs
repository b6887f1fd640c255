//! Values and rules.
pub mod refusal;
pub mod time;
