//! The admin API (`openapi/admin.yaml`).

mod apps;
mod conversations;
mod file_quotas;
mod files;
mod long_lists;
mod messages;
mod open_uploads;
mod people;
mod people_search;
mod sandbox;
pub mod sessions;
mod uploads;
mod visible_names;
