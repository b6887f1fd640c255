//! The test suite: one binary, so that it links once and shares one PostgreSQL server.

mod durability;
mod house;
mod store;
mod support;
