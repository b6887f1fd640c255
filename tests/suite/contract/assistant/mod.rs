//! The assistant server through its generated client.

mod discovery;
mod registration;
mod tokens;

use super::{
    clients::{
        assistant::{Client, types},
        typed,
    },
    fails, limited, refused, succeeds,
};
