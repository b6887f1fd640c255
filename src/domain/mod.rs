//! Pure values and rules of the product: no I/O (except the time zone database in [`people`]), no clock, no randomness.
//!
//! All other modules may use this module, and this module uses no other module. A rule gets the time, random bytes and
//! keys as arguments, so it can be tested alone.
//!
//! - values: [`ids`], [`time`], [`refusal`], [`scopes`], [`grant`], [`conversation`], [`people`], [`limit_name`],
//!   [`delivery`], [`installation`], [`tool_calls`], [`live`] (positions in conversations)
//! - messages: [`message`], [`blocks`], [`json_fingerprint`], [`search`], [`excerpt`]
//! - tokens and signatures: [`token`], [`connection_token`], [`console_session`], [`cursor`], [`links`], [`signature`],
//!   [`pkce`], [`csrf`], [`browser`]; [`base62`] and `seal`, which several of these modules use
//! - validation and parsing of input: [`address`], [`email`], [`people_search`], [`range`], [`redirect`],
//!   [`strict_json`], [`visible`] (texts with visible characters)
//! - [`guessing`]: delays after wrong passwords
//! - [`assistant`]: clients of the assistant server

pub mod address;
pub mod assistant;
pub mod base62;
pub mod blocks;
pub mod browser;
pub mod connection_token;
pub mod console_session;
pub mod conversation;
pub mod csrf;
pub mod cursor;
pub mod delivery;
pub mod email;
pub mod excerpt;
pub mod grant;
pub mod guessing;
pub mod ids;
pub mod installation;
pub mod json_fingerprint;
pub mod limit_name;
pub mod links;
pub mod live;
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
pub mod strict_json;
pub mod time;
pub mod token;
pub mod tool_calls;
pub mod visible;
