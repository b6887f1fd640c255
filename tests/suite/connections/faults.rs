//! Each step of what is stored is made to fail in turn: the caller is told of a fault, nothing is half done, and once
//! the store works again everything goes on as if nothing had been asked.

use serde_json::json;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection};
use switchboard::{
    domain::grant::EndReason,
    store::{DatabaseUrl, Engine},
    workspace::assistants::{authorize::Begin, consent::Decision},
};

use crate::{
    on_both,
    support::{Server, assistant::*},
};

/// A change of a table that fails while this stands.
struct Fault<'a> {
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

impl<'a> Fault<'a> {
    async fn at(server: &'a Server, (change, table): (&str, &'static str)) -> Self {
        let sqlite = format!(
            "CREATE TRIGGER fault BEFORE {change} ON {table} BEGIN SELECT RAISE(ABORT, 'on purpose'); END"
        );
        let postgres = format!(
            "CREATE OR REPLACE FUNCTION fault() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'on purpose'; END $$
                LANGUAGE plpgsql;
             CREATE TRIGGER fault BEFORE {change} ON {table} FOR EACH ROW EXECUTE FUNCTION fault();"
        );
        execute(server, sqlite, postgres).await;
        Self { server, table }
    }

    async fn mend(self) {
        let (sqlite, postgres) =
            ("DROP TRIGGER fault".to_owned(), format!("DROP TRIGGER fault ON {}", self.table));
        execute(self.server, sqlite, postgres).await;
    }
}

on_both! {
    async fn exchanging(server: Server) {
        let (employee, client) = (server.employee().await, server.client().await);
        let mut older = employee.connect(&server, &client).await;
        for step in [
            ("DELETE", "authorization_codes"),
            ("UPDATE", "connections"), // the older one's end
            ("INSERT", "connections"),
            ("INSERT", "connection_tokens"),
            ("UPDATE", "assistant_clients"),
        ] {
            server.clock.advance(2 * MINUTE);
            let code = employee.approve(&server, &client, &[]).await;
            let before = employee.connections().await;
            let fault = Fault::at(&server, step).await;
            client.exchange(&code).await.refused(500, "server_error");
            fault.mend().await;
            assert_eq!(employee.connections().await, before, "{step:?}");
            assert!(server.running().world().connection_for_token(&older.access).await.unwrap().is_some(), "{step:?}");
            let newer = Tokens::of(&client.exchange(&code).await.ok());
            server.is_over(&client, &older).await;
            server.lives(&newer).await;
            older = newer;
        }
    }

    async fn refreshing(server: Server) {
        let (employee, client) = (server.employee().await, server.client().await);
        let mut tokens = employee.connect(&server, &client).await;
        for step in [("UPDATE", "connections"), ("INSERT", "connection_tokens"), ("UPDATE", "assistant_clients")] {
            server.clock.advance(2 * MINUTE);
            let fault = Fault::at(&server, step).await;
            client.refresh(&tokens.refresh).await.refused(500, "server_error");
            // a use that cannot be noted is a use all the same
            server.lives(&tokens).await;
            fault.mend().await;
            tokens = client.renewed(&tokens).await;
            server.lives(&tokens).await;
        }
    }

    async fn ending_by_reuse_and_by_the_client(server: Server) {
        let (employee, client) = (server.employee().await, server.client().await);
        let code = employee.approve(&server, &client, &[]).await;
        let first = Tokens::of(&client.exchange(&code).await.ok());
        let second = client.renewed(&first).await;
        let fault = Fault::at(&server, ("UPDATE", "connections")).await;
        client.exchange(&code).await.refused(500, "server_error");
        client.refresh(&first.refresh).await.refused(500, "server_error");
        client.revoke(&second.access).await.refused(500, "server_error");
        fault.mend().await;
        server.lives(&second).await;
        client.refresh(&first.refresh).await.refused(400, "invalid_grant");
        server.is_over(&client, &second).await;
        employee.ended("refresh_reused").await;
    }

    async fn deciding(server: Server) {
        let (employee, client) = (server.employee().await, server.client().await);
        let query = client.ask(&[]);
        let query: Vec<_> = query.iter().map(|(n, v)| ((*n).to_owned(), v.clone().into_bytes())).collect();
        let world = server.running().world();
        let fault = Fault::at(&server, ("INSERT", "authorization_requests")).await;
        assert!(world.begin_authorization(&query, &browser()).await.is_err());
        fault.mend().await;
        let Begin::Consent { request } = world.begin_authorization(&query, &browser()).await.unwrap() else { panic!() };
        let who = employee.principal(&server).await;
        let approve = Decision::Approve(employee.workspace());
        for step in [("DELETE", "authorization_requests"), ("INSERT", "authorization_codes")] {
            let fault = Fault::at(&server, step).await;
            assert!(world.decide(&request, &who, &browser(), approve).await.is_err(), "{step:?}");
            fault.mend().await;
        }
        let told = employee.decide(&server, &request, approve).await.expect("the request stands");
        client.exchange(told.get("code").unwrap()).await.ok();
    }

    async fn ending_with_what_ends_it(server: Server) {
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
            let fault = Fault::at(&server, step).await;
            let off = json!({"ai_assistants": false});
            operator.patch(&workspace).json(&off).refused(500, "internal_error").await;
            operator.put(&block).refused(500, "internal_error").await;
            let state = json!({"state": "deactivated"});
            operator.post(&format!("{user}/state")).json(&state).refused(500, "internal_error").await;
            operator.post(&format!("{user}/logout")).refused(500, "internal_error").await;
            fault.mend().await;
            // nothing of all this has happened
            assert_eq!(operator.get(&workspace).ok(200).await["workspace"]["ai_assistants"], true);
            let blocks = operator.get(&company.path("/client_blocks")).ok(200).await;
            assert_eq!(blocks["client_blocks"], json!([]));
            assert_eq!(operator.get(&user).ok(200).await["user"]["state"], "active");
            session.get(&user).ok(200).await;
            server.lives(&tokens).await;
        }
        client.exchange(&code).await.ok();
        employee.connections().await.iter().take(1).for_each(|c| assert_eq!(c["reason"], EndReason::Replaced.name()));
    }
}
