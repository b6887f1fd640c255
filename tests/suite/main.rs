//! Behaviour of a running server, seen from outside. Every requirement line is named beside what proves it.

mod auth_test;
mod deletes;
mod edit_targets;
mod edits;
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
mod support;
mod timings;
