//! Tests of the connections of assistants: who may approve and see them, what revokes them (A-233 … A-255), how long
//! tokens and ended connections are stored, and rate limits. Also races, failures of the store, and log lines.

mod consent;
mod deleted_tokens;
mod ended;
mod limits;
mod lists;
mod logs;
mod races;
mod revocations;
mod store_failures;
mod tokens_kept;
