//! The pages of the sandbox console, over HTTP.

mod access;
mod conversations;
mod events;
mod many;
mod masking;
mod requests;
mod time;
