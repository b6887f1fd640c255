//! Connections of assistants: what revokes them, and the effects of a revocation (A-233 … A-255); who may see and
//! revoke them, races, store failures, and limits.

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
