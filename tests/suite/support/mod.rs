//! What tests share.

pub mod database;
pub mod postgres;
