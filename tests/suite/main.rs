//! The test suite: one binary, so that it links once and shares one PostgreSQL server.
//!
//! Behaviour is seen from outside; every requirement line is named beside what proves it.

mod admin_people;
mod admin_sessions;
mod auth_test;
mod deletes;
mod durability;
mod edit_targets;
mod edits;
mod house;
mod installations;
mod oauth;
mod oauth_codes;
mod oauth_limits;
mod scene;
mod send_answer;
mod send_blocks;
mod send_destinations;
mod send_idempotency;
mod send_keys;
mod send_later;
mod send_limits;
mod send_races;
mod send_requests;
mod send_threads;
mod store;
mod support;
mod timings;
