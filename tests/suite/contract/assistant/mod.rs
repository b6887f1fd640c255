//! Calls the operations of the assistant connection server with the generated client.

mod authorize;
mod discovery;
mod mcp;
mod registration;
mod tokens;

use super::{
    answers,
    clients::{
        assistant::{Client, types},
        typed,
    },
    fails, limited, refused, succeeds,
};
