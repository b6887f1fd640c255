//! The tests make the writes of an operation fail, one kind of write after the other. The caller gets an internal
//! error, and no partial state is stored. As soon as the store works again, the operation succeeds as if it had not
//! been requested before.

use serde_json::json;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection};
use switchboard::{
    domain::grant::EndReason,
    service::oauth::consent::ConsentDecision,
    store::{DatabaseUrl, Engine},
};

use crate::support::{Server, assistant::*, both_engines};

/// A database trigger that makes one kind of write to a table fail: either every INSERT, every UPDATE or every DELETE.
struct FailingWrites<'a> {
    server: &'a Server,
    table: &'static str,
}

async fn execute(server: &Server, sqlite: String, postgres: String) {
    match server.running().world().db.engine() {
        Engine::Sqlite => {
            let DatabaseUrl::Sqlite(file) = &server.database.url else { panic!() };
            let database = rusqlite::Connection::open(file).unwrap();
            database.busy_timeout(std::time::Duration::from_secs(5)).unwrap();
            database.execute_batch(&sqlite).unwrap();
        }
        Engine::Postgres => {
            let DatabaseUrl::Postgres(options) = &server.database.url else { panic!() };
            let mut connection = PgConnection::connect_with(options.first()).await.unwrap();
            connection.execute(AssertSqlSafe(postgres)).await.unwrap();
        }
    }
}

impl<'a> FailingWrites<'a> {
    async fn at(server: &'a Server, (change, table): (&str, &'static str)) -> Self {
        let sqlite = format!(
            "CREATE TRIGGER failing BEFORE {change} ON {table} BEGIN SELECT RAISE(ABORT, 'on purpose'); END"
        );
        let postgres = format!(
            "CREATE OR REPLACE FUNCTION failing() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'on purpose'; END $$
                LANGUAGE plpgsql;
             CREATE TRIGGER failing BEFORE {change} ON {table} FOR EACH ROW EXECUTE FUNCTION failing();"
        );
        execute(server, sqlite, postgres).await;
        Self { server, table }
    }

    async fn restore(self) {
        let (sqlite, postgres) =
            ("DROP TRIGGER failing".to_owned(), format!("DROP TRIGGER failing ON {}", self.table));
        execute(self.server, sqlite, postgres).await;
    }
}

#[both_engines]
async fn a_failed_exchange_has_no_effect(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let mut older = employee.connect(&server, &client).await;
    for step in [
        ("DELETE", "authorization_codes"),
        ("UPDATE", "connections"), // revokes the older connection
        ("INSERT", "connections"),
        ("INSERT", "connection_tokens"),
        ("UPDATE", "assistant_clients"),
    ] {
        server.clock.advance(2 * MINUTE);
        let code = employee.approve(&server, &client, &[]).await;
        let before = employee.connections().await;
        let failing = FailingWrites::at(&server, step).await;
        client.exchange(&code).await.refused(500, "server_error");
        failing.restore().await;
        assert_eq!(employee.connections().await, before, "a failed exchange changes no connection: {step:?}");
        server.assert_active(&older).await;
        let newer = Tokens::of(&client.exchange(&code).await.ok());
        server.assert_revoked(&client, &older).await;
        server.assert_active(&newer).await;
        older = newer;
    }
}

#[both_engines]
async fn a_failed_refresh_has_no_effect(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let mut tokens = employee.connect(&server, &client).await;
    for step in [("UPDATE", "connections"), ("INSERT", "connection_tokens"), ("UPDATE", "assistant_clients")]
    {
        server.clock.advance(2 * MINUTE);
        let failing = FailingWrites::at(&server, step).await;
        client.refresh(&tokens.refresh).await.refused(500, "server_error");
        // a request with the access token succeeds even if the connection's time of last use cannot be stored
        server.assert_active(&tokens).await;
        failing.restore().await;
        tokens = client.renewed(&tokens).await;
        server.assert_active(&tokens).await;
    }
}

#[both_engines]
async fn a_failed_revocation_has_no_effect(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let code = employee.approve(&server, &client, &[]).await;
    let first = Tokens::of(&client.exchange(&code).await.ok());
    let second = client.renewed(&first).await;
    let failing = FailingWrites::at(&server, ("UPDATE", "connections")).await;
    // a used code, a spent refresh token and a request to `/revoke` each revoke the connection
    client.exchange(&code).await.refused(500, "server_error");
    client.refresh(&first.refresh).await.refused(500, "server_error");
    client.revoke(&second.access).await.refused(500, "server_error");
    failing.restore().await;
    server.assert_active(&second).await;
    client.refresh(&first.refresh).await.refused(400, "invalid_grant");
    server.assert_revoked(&client, &second).await;
    employee.assert_revoked_for("refresh_reused").await;
}

#[both_engines]
async fn a_failed_decision_has_no_effect(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let failing = FailingWrites::at(&server, ("INSERT", "authorization_requests")).await;
    assert_eq!(server.begin_for(&client, &[]).await.page().wire.status, 500);
    failing.restore().await;
    let request = server.begin_for(&client, &[]).await.request();
    let approve = ConsentDecision::Approve(employee.workspace());
    let mut form = employee.open(&server, &request).await.expect("the consent page");
    for step in [("DELETE", "authorization_requests"), ("INSERT", "authorization_codes")] {
        let failing = FailingWrites::at(&server, step).await;
        assert_eq!(
            form.post(approve).await.wire.status,
            500,
            "a failed decision is an internal error: {step:?}"
        );
        failing.restore().await;
    }
    let outcome = form.decide(approve).await.expect("the authorization request is still pending");
    client.exchange(outcome.get("code").unwrap()).await.ok();
}

#[both_engines]
async fn a_change_and_the_revocation_of_connections_that_it_causes_are_atomic(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let tokens = employee.connect(&server, &client).await;
    let code = employee.approve(&server, &client, &[]).await;
    let company = &employee.company;
    let operator = &company.operator;
    let session = employee.session(&server).await;
    let user = format!("/admin/v1/users/{}", employee.id);
    let workspace = company.path("");
    let block = company.path("/client_blocks/local:calendar%20helper");
    for step in [("DELETE", "authorization_codes"), ("UPDATE", "connections")] {
        let failing = FailingWrites::at(&server, step).await;
        let off = json!({"ai_assistants": false});
        operator.patch(&workspace).json(&off).refused(500, "internal_error").await;
        operator.put(&block).refused(500, "internal_error").await;
        let state = json!({"state": "deactivated"});
        operator.post(&format!("{user}/state")).json(&state).refused(500, "internal_error").await;
        operator.post(&format!("{user}/logout")).refused(500, "internal_error").await;
        failing.restore().await;
        // none of these requests had an effect
        assert_eq!(operator.get(&workspace).ok(200).await["workspace"]["ai_assistants"], true);
        let blocks = operator.get(&company.path("/client_blocks")).ok(200).await;
        assert_eq!(blocks["client_blocks"], json!([]));
        assert_eq!(operator.get(&user).ok(200).await["user"]["state"], "active");
        session.get(&user).ok(200).await;
        server.assert_active(&tokens).await;
    }
    client.exchange(&code).await.ok();
    assert_eq!(employee.connections().await[0]["reason"], EndReason::Replaced.name());
}
