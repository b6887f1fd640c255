//! Pure values and rules of the product: no I/O, no clock, no randomness.
//!
//! Every other part of the server uses this one and it uses none of them. What a rule needs (the time, random
//! bytes, a key) comes in as an argument, so each rule can be tested by itself.
//!
//! - values: [`ids`], [`time`], [`refusal`], [`scopes`], [`grant`], [`conversation`], [`people`], [`delivery`], [`tool_calls`]
//! - a message and its parts: [`message`], [`blocks`], [`json`], its words: [`search`]
//! - texts that carry authority: [`token`], [`connection_token`], [`cursor`], [`links`], [`signature`], [`pkce`],
//!   [`csrf`], [`browser`]; [`base62`]
//! - texts that come from outside: [`address`], [`email`], [`people_search`], [`range`], [`redirect`], [`strict`] JSON
//! - [`assistant`]: clients of the assistant connection server

pub mod address;
pub mod assistant;
pub mod base62;
pub mod blocks;
pub mod browser;
pub mod connection_token;
pub mod conversation;
pub mod csrf;
pub mod cursor;
pub mod delivery;
pub mod email;
pub mod grant;
pub mod ids;
pub mod json;
pub mod links;
pub mod message;
pub mod people;
pub mod people_search;
pub mod pkce;
pub mod range;
pub mod redirect;
pub mod refusal;
pub mod scopes;
mod seal;
pub mod search;
pub mod signature;
pub mod strict;
pub mod time;
pub mod token;
pub mod tool_calls;
