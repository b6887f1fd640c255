//! Switchboard: a self-hosted workplace-messaging server with a bot API, an admin API, and OAuth 2.1 for assistants.
//!
//! The modules, in the direction of calls:
//!
//! - [`cli`]: the command line; [`config`]: the settings; [`app`]: composition of a process and its routes.
//! - [`bot`], [`admin`], [`assistant`]: the handlers of the three APIs. The documents in `openapi/` describe the
//!   operations of these APIs. [`pages`]: pages for browsers. [`events`]: delivery of events to apps. [`api`]: what
//!   the API modules share.
//! - [`service`]: the service layer with the business rules of all APIs. Each write operation is one transaction.
//! - [`store`]: the only module with SQL, for SQLite and PostgreSQL.
//! - [`platform`]: clock, random numbers, secrets, limits, files, network, logs, metrics.
//! - [`domain`]: pure values and rules, which all modules use; [`generated`]: the generated routes and types;
//!   [`contract`]: the runtime of the generated code.

pub mod admin;
pub mod api;
pub mod app;
pub mod assistant;
pub mod bot;
pub mod cli;
#[cfg(test)]
#[path = "../tests/suite/support/committed.rs"]
mod committed;
pub mod config;
pub mod contract;
pub mod domain;
pub mod events;
pub mod generated;
pub mod pages;
pub mod platform;
pub mod service;
pub mod store;
