//! The server as operators run it: commands, several nodes, replicas, backups, failures of the database and the
//! network, attacks, secrets, logs, metrics, maintenance and upgrades.

mod changes_log;
mod command_errors;
mod data;
mod demo;
mod dev;
mod doctor;
mod durability;
mod faults;
pub mod health;
mod hostile;
mod maintenance;
mod metrics;
mod nodes;
mod process_logs;
mod readiness;
mod replicas;
mod round_trips;
mod secrets;
mod served_documents;
mod service_manager;
mod storage_failures;
mod upgrades;
