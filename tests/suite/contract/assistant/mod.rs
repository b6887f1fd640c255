//! The assistant server through its generated client.

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
