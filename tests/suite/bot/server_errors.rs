//! Responses to a client when the server fails. B-022, B-024, B-398, B-399.

use switchboard::store::DatabaseUrl;

use crate::support::{Answer, BotFixture, OPERATIONS, Server, both_engines, text};

/// Asserts that the error message reveals no internals of the server.
fn assert_no_internals(answer: &Answer) {
    let message = text(&answer.json(), "/error/message").to_lowercase();
    for internal in [
        "sql", "select", "insert", "table", "column", "users", "messages", "database", "postgres", "panic",
        ".rs", "/", "::", "thread", "stack", "error:",
    ] {
        assert!(!message.contains(internal), "an error message reveals no internals (B-022): {message}");
    }
}

/// Returns the paths of all operations, with existing ids.
async fn paths(fixture: &BotFixture) -> Vec<String> {
    let mut paths = Vec::new();
    for operation in &OPERATIONS {
        paths.push(fixture.path(operation).await);
    }
    paths
}

#[tokio::test]
async fn a_database_error_is_an_internal_error() {
    // B-022, B-398: the tables are renamed while the server runs
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let paths = paths(&fixture).await;
    let DatabaseUrl::Sqlite(file) = &server.database.url else { panic!("this is SQLite") };
    let database = rusqlite::Connection::open(file).expect("the database file can be opened");
    let rename = |from: &str, to: &str| {
        database.execute_batch(&format!("ALTER TABLE {from} RENAME TO {to}")).expect("the table exists");
    };
    let tables = ["users", "members", "messages", "files"];
    for table in tables {
        rename(table, &format!("{table}_away"));
    }
    for (operation, path) in OPERATIONS.iter().zip(&paths) {
        let answer = fixture.call_at(&fixture.bot.api, operation, path).refused(500, "internal_error").await;
        assert_no_internals(&answer);
    }
    // when the tables are restored, requests succeed
    for table in tables {
        rename(&format!("{table}_away"), table);
    }
    for (operation, path) in OPERATIONS.iter().zip(&paths) {
        fixture.call_at(&fixture.bot.api, operation, path).ok(operation.status).await;
    }
    // a missing or malformed token is rejected without a read of the table of tokens
    rename("bot_tokens", "bot_tokens_away");
    server.api().get("/v1/auth/test").refused(401, "not_authed").await;
    server.api().bearer("garbage").get("/v1/auth/test").refused(401, "invalid_auth").await;
}

#[both_engines]
async fn an_outage_is_a_server_error(server: Server) {
    // B-024, B-399: 503 has the generic code `server_error`
    let fixture = BotFixture::new(&server).await;
    let paths = paths(&fixture).await;
    server.running().world().db.close().await.unwrap();
    for (operation, path) in OPERATIONS.iter().zip(&paths) {
        let answer = fixture.call_at(&fixture.bot.api, operation, path).refused(503, "server_error").await;
        assert_no_internals(&answer);
    }
}
