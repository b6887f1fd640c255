//! The admin API through its generated client.

mod apps;
mod assistants;
mod audit;
mod connections;
mod conversations;
mod events;
mod files;
mod installations;
mod members;
mod messages;
mod sandbox;
mod sessions;
mod users;
mod workspaces;

use super::{
    callers::Callers,
    clients::{
        Typed,
        admin::{Client, types},
        typed,
    },
    fails, limited, refused, refuses_callers, succeeds,
};
use crate::support::{Company, Server};

/// Ids that were never assigned.
const NO_COMPANY: &str = "cmp_0000000000001";
const NO_APP: &str = "app_0000000000001";
const NO_FILE: &str = "fil_0000000000001";
const NO_EVENT: &str = "evt_0000000000001";
const NO_INSTALLATION: &str = "ins_0000000000001";
const NO_CONNECTION: &str = "con_0000000000001";

/// A company, and a client for each kind of caller of the admin API: the operator, an admin and an employee.
struct CallersFixture {
    company: Company,
    operator: Client,
    /// An admin of the company, signed in.
    admin: Client,
    admin_id: String,
    /// An employee, signed in.
    person: Client,
    person_id: String,
}

impl CallersFixture {
    async fn new(server: &Server) -> Self {
        let company = server.company().await;
        let [admin, person] = [server.employee_of(&company).await, server.employee_of(&company).await];
        company.update_user(&admin.id, serde_json::json!({"is_admin": true})).await;
        Self {
            operator: Client::of(&server.operator()),
            admin: Client::of(&admin.session(server).await),
            admin_id: admin.id,
            person: Client::of(&person.session(server).await),
            person_id: person.id,
            company,
        }
    }
}

/// Restarts a server in the production environment, which has no sandbox operations.
async fn in_production(server: Server) -> Server {
    let change = |config: &mut switchboard::config::Config| {
        config.environment = switchboard::config::Environment::Production;
        config.test_clock = false;
    };
    server.restarted_with(change).await
}
