//! Modules that the benchmarks share: servers in this process and in processes of their own, PostgreSQL, contents of
//! databases, HTTP clients, and a company that is created through the admin API. Some modules come from
//! `tests/suite/support`, because the test suite uses them too.

#![allow(dead_code, reason = "each benchmark uses only some of these modules")]

pub mod browser;
pub mod client;
pub mod connections;
pub mod cpu;
pub mod crowd;
pub mod data;
pub mod http;
pub mod in_process;
#[path = "../../tests/suite/support/listening.rs"]
pub mod listening;
pub mod oauth;
#[path = "../../tests/suite/support/postgres.rs"]
pub mod postgres;
pub mod process;
pub mod seed;
pub mod sessions;
pub mod stats;
#[path = "../../tests/suite/support/tcp_proxy.rs"]
pub mod tcp_proxy;
#[path = "../../tests/suite/support/wait.rs"]
pub mod wait;
