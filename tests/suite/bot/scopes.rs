//! The scope that each operation of the bot API requires (B-051 … B-062, B-382, D-039, D-040, D-043).

use std::collections::BTreeMap;

use crate::support::{ALL_SCOPES, Bot, BotFixture, OPERATIONS, Operation, Server, both_engines, text};

/// Calls an operation with a token that has these scopes. Asserts that the call succeeds exactly if the scopes include
/// the required scope.
async fn assert_scope(fixture: &BotFixture, bot: &Bot, operation: &Operation, scopes: &[&str]) {
    let case = format!("{} with {scopes:?}", operation.name());
    // the message that this call edits or deletes is sent with the bot's first token; all tokens of the bot may edit
    // and delete it
    let answer = fixture.call(&bot.api, operation).await.send().await;
    match operation.scope {
        Some(scope) if !scopes.contains(&scope) => {
            assert_eq!(answer.status, 403, "{case}: {}", answer.text());
            let answer = answer.refused(403, "missing_scope");
            // D-043: the missing scope is named in the error message only
            assert!(text(&answer.json(), "/error/message").contains(scope), "{case}: {}", answer.text());
        }
        _ => assert_eq!(answer.status, operation.status, "{case}: {}", answer.text()),
    }
}

#[both_engines]
async fn each_operation_needs_its_own_scope_and_no_other(server: Server) {
    // B-051: each operation accepts exactly its scope; B-052 … B-062 are the rows of `OPERATIONS`
    let fixture = BotFixture::new(&server).await;
    let mut sets: Vec<Vec<&str>> = vec![Vec::new()];
    for scope in ALL_SCOPES {
        sets.push(vec![scope]);
        sets.push(ALL_SCOPES.into_iter().filter(|s| *s != scope).collect());
    }
    for scopes in sets {
        // D-039: another token of the same installation, with scopes of its own
        let bot = fixture.company.install(&fixture.bot.app, &scopes).await;
        assert_eq!(bot.user_id, fixture.bot.user_id);
        for operation in &OPERATIONS {
            assert_scope(&fixture, &bot, operation, &scopes).await;
        }
    }
    // the first token keeps its scopes
    for operation in &OPERATIONS {
        assert_scope(&fixture, &fixture.bot, operation, &ALL_SCOPES).await;
    }
}

#[test]
fn the_table_of_operations_matches_the_contract() {
    // the other tests take the scopes from `OPERATIONS`; this list repeats the requirements independently
    let table: BTreeMap<_, _> = OPERATIONS.iter().map(|o| (o.name(), o.scope)).collect();
    let expected = BTreeMap::from([
        ("POST /v1/messages".to_owned(), Some("messages:write")), // sending (B-052)
        ("PATCH /v1/messages/{message}".to_owned(), Some("messages:write")), // editing (B-053)
        ("DELETE /v1/messages/{message}".to_owned(), Some("messages:write")), // deleting (B-054)
        ("GET /v1/users".to_owned(), Some("users:read")),         // listing people (B-055)
        ("GET /v1/users/{user}".to_owned(), Some("users:read")),  // reading a person (B-056)
        // finding a person by e-mail address (B-057)
        ("GET /v1/users/lookup?email={email}".to_owned(), Some("users:read.email")),
        ("GET /v1/conversations".to_owned(), Some("conversations:read")), // listing conversations (B-058)
        // reading a conversation (B-059)
        ("GET /v1/conversations/{conversation}".to_owned(), Some("conversations:read")),
        // reading the history (B-060)
        ("GET /v1/conversations/{conversation}/messages".to_owned(), Some("conversations:history")),
        // reading a file (B-061)
        ("GET /v1/conversations/{conversation}/files/{file}".to_owned(), Some("files:read")),
        ("GET /v1/auth/test".to_owned(), None), // testing a token (B-062)
    ]);
    assert_eq!(table, expected, "`OPERATIONS` has the scopes of B-052 … B-062");
}

#[tokio::test]
async fn a_token_without_scopes_can_only_test_itself() {
    // B-062: `GET /v1/auth/test` needs no scope
    let server = Server::sqlite().await;
    let fixture = BotFixture::with(&server, &[]).await;
    let answer = fixture.bot.api.get("/v1/auth/test").ok(200).await;
    assert_eq!(answer["scopes"], serde_json::json!([]));
    fixture.bot.api.get("/v1/users").refused(403, "missing_scope").await;
}

#[tokio::test]
async fn a_refused_write_has_no_effect() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let weak = fixture.company.install(&fixture.bot.app, &["users:read"]).await;
    let path = format!("/v1/messages/{}", fixture.message().await);
    let before = fixture.texts().await;
    for operation in OPERATIONS.iter().filter(|o| !o.is_read()) {
        let path = operation.path.replace("/v1/messages/{message}", &path);
        fixture.call_at(&weak.api, operation, &path).refused(403, "missing_scope").await;
    }
    assert_eq!(fixture.texts().await, before);
}
