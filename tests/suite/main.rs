//! The test suite: one binary, so that it links once and shares one PostgreSQL server.

mod admin_people;
mod admin_sessions;
mod durability;
mod house;
mod store;
mod support;
