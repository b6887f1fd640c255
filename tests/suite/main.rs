//! The test suite: one binary, so that it links once and shares one PostgreSQL server.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    clippy::allow_attributes_without_reason,
    unused_qualifications,
    unused_imports,
    dead_code,
    reason = "a test stops by panicking, and shared helpers are not all used by each"
)]

mod accept_and_media;
mod admin_apps;
mod admin_conversations;
mod admin_files;
mod admin_messages;
mod admin_people;
mod admin_sandbox;
mod admin_sessions;
mod assistant;
mod audit;
mod auth_test;
mod body_limits;
mod bot_tokens;
mod changes_log;
mod command_faults;
mod connect;
mod connections;
mod conversation_list;
mod conversations;
mod data;
mod deletes;
mod demo;
mod doctor;
mod durability;
mod edit_histories;
mod edit_targets;
mod edits;
mod error_codes;
mod error_sentences;
mod events_admin;
mod events_apart;
mod events_cut_off;
mod events_delivery;
mod events_ends;
mod events_flow;
mod events_log;
mod events_outbox;
mod events_places;
mod events_processes;
mod events_tls;
mod events_types;
mod events_verify;
mod faults;
mod file_links;
mod files;
mod history;
mod house;
mod http_surface;
mod installations;
mod listen;
mod listen_server;
mod long_lists;
mod lookup;
mod mcp;
mod mcp_tools;
mod metrics;
mod nodes;
mod oauth;
mod oauth_codes;
mod oauth_limits;
mod one_owner;
mod pages;
mod pagination;
mod pagination_changes;
mod people_search;
mod precedence;
mod precedence_rules;
mod process_logs;
mod read_limits;
mod readiness;
mod replicas;
mod revoked_meanwhile;
// a folder for each RFC; 7591, 8414 and 9728 stand in `assistant`, and MCP's own suite runs in tests/conformance
mod rfc6749;
mod rfc7009;
mod rfc7636;
mod rfc8252;
mod rfc8707;
mod rfc9207;
mod scopes;
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
mod server_faults;
mod shared_limits;
mod storage_faults;
mod store;
mod strict_json;
mod support;
mod timings;
mod token_in_query;
mod upgrades;
mod upkeep;
mod uploads;
mod users;
