//! The OAuth 2.1 authorization framework (RFC 6749 as OAuth 2.1 keeps it): `/authorize`, `/token`, client
//! authentication.

mod authorize;
mod client_authentication;
mod exchange;
mod refresh;
mod table;
