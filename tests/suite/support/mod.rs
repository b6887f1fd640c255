//! What every behaviour test stands on: a real server on a real socket and a real database, a clock that
//! only moves when told, and a company to act in.
#![allow(dead_code, reason = "each test module uses a part")]

pub mod api;
pub mod assistant;
pub mod browser;
pub mod company;
pub mod database;
pub mod events;
pub mod home;
pub mod identity;
pub mod mcp;
pub mod names;
pub mod oauth;
pub mod operations;
pub mod pgbouncer;
pub mod postgres;
pub mod process;
pub mod proxy;
pub mod receiver;
pub mod scene;
pub mod server;
pub mod tcp_proxy;
pub mod tools;
pub mod wait;
pub mod wire;
pub mod words;

pub use api::{Answer, Api, Call};
pub use company::*;
pub use events::*;
pub use home::Home;
pub use operations::*;
pub use process::Process;
pub use receiver::{Act, Hit, Identity, Receiver};
pub use scene::Scene;
pub use server::{Options, Server};
pub use wait::{comes, until};
pub use words::*;

/// Runs a test on SQLite always, and on PostgreSQL when the machine can start one (see [`postgres`]).
#[macro_export]
macro_rules! on_both {
    ($(async fn $name:ident($server:ident: Server) $body:block)*) => {$(
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            async fn test($server: $crate::support::Server) $body

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                test($crate::support::Server::sqlite().await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                if let Some(server) = $crate::support::Server::postgres().await {
                    test(server).await;
                }
            }
        }
    )*};
}

/// The same text but for its last character.
pub fn other_end(text: &str) -> String {
    let (begin, last) = text.split_at(text.len() - 1);
    format!("{begin}{}", if last == "0" { '1' } else { '0' })
}
