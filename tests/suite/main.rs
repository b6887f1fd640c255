//! The test suite: one binary, so that it links once and shares one PostgreSQL server.

mod store;
mod support;
