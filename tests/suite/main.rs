//! The test suite: one binary, so that it links once and shares one PostgreSQL server. One module a topic; each
//! test names the lines of the requirements it holds.

mod accept_and_media;
mod auth_test;
mod body_limits;
mod bot_tokens;
mod conversation_list;
mod conversations;
mod error_codes;
mod file_links;
mod files;
mod history;
mod admin_people;
mod admin_sessions;
mod durability;
mod house;
mod http_surface;
mod lookup;
mod pagination;
mod pagination_changes;
mod precedence;
mod precedence_rules;
mod read_limits;
mod scopes;
mod store;
mod strict_json;
mod support;
mod token_in_query;
mod users;
