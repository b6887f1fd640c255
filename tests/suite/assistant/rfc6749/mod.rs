//! OAuth 2.0 (RFC 6749) with the restrictions of OAuth 2.1: `/authorize`, `/token`, client authentication.

mod authorize;
mod client_authentication;
mod exchange;
mod overlap;
mod refresh;
mod table;
