//! Switchboard: a self-hosted workplace-messaging server with a bot API, an admin API, and OAuth 2.1 for assistants.
//!
//! Reading order, which is also the direction of every call:
//!
//! - [`cli`]: the command line; [`app`]: one process put together and its routes.
//! - [`bot`], [`admin`], [`assistant`]: the rooms; handlers of the documents of `openapi/`. [`pages`]: what people
//!   open in a browser. [`events`]: the room that delivers events to apps. [`room`]: what the rooms do alike.
//! - [`workspace`]: the rules of the world that the rooms share; one transaction per decision.
//! - [`store`]: the only SQL, on SQLite and PostgreSQL.
//! - [`platform`]: clock, random numbers, secrets, limits, files, network, logs, metrics.
//! - [`domain`]: pure values and rules, used by all; [`contract`]: the runtime of the generated code.

pub mod admin;
pub mod app;
pub mod assistant;
pub mod bot;
pub mod cli;
pub mod config;
pub mod contract;
pub mod domain;
pub mod events;
pub mod generated;
pub mod pages;
pub mod platform;
pub mod room;
pub mod store;
pub mod workspace;
