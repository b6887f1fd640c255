//! Deleted tokens: tokens whose rows have been deleted. A client that presents a deleted refresh token to `/token`, or
//! any deleted token to `/revoke`, revokes the connection of the token. The server finds the connection by its id,
//! which the token contains (docs/decisions/0008-tokens-that-name-their-connection.md). Tokens of the old form, which
//! earlier versions of the server issued, do not contain the id.

use serde_json::json;
use switchboard::{
    domain::{
        base62,
        ids::ConnectionId,
        token::{self, TokenKind},
    },
    store::{Op, ReadOp, ReadSql, Result, Sql, args, statements},
};

use crate::support::{Server, assistant::*, both_engines, mcp::MODERN};

/// Number of bytes in the body of a token: 20 random bytes, 8 bytes of the connection's id, and 16 bytes of the MAC.
const BODY: usize = 44;

statements! {
    COUNT: Query = "SELECT COUNT(*) FROM connection_tokens WHERE token_hash = $1";
    REPLACE: Command = "UPDATE connection_tokens SET token_hash = $2 WHERE token_hash = $1";
}

struct Stored([u8; 32]);

impl ReadOp for Stored {
    const NAME: &'static str = "test_stored_token";
    type Out = i64;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<i64> {
        c.one(&COUNT, args![&self.0]).await
    }
}

/// Replaces the hash of a stored token. The fields are the old hash and the new hash. Returns the number of changed
/// rows.
struct Replace([u8; 32], [u8; 32]);

impl Op for Replace {
    const NAME: &'static str = "test_replace_token";
    type Out = u64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<u64> {
        c.exec(&REPLACE, args![&self.0, &self.1]).await
    }
}

async fn is_stored(server: &Server, token: &str) -> bool {
    server.running().world().db.read(Stored(token::hash(token))).await.unwrap() == 1
}

/// Advances the clock by 45 days and refreshes every 15 days, so that the rows of `tokens` are deleted. Returns the
/// current tokens.
async fn refresh_until_deleted(server: &Server, client: &Client, tokens: &Tokens) -> Tokens {
    let mut current = tokens.clone();
    for _ in 0..3 {
        server.advance(15 * DAY).await;
        current = client.renewed(&current).await;
    }
    for token in [&tokens.access, &tokens.refresh] {
        assert!(!is_stored(server, token).await, "the maintenance job deletes expired tokens");
    }
    for token in [&current.access, &current.refresh] {
        assert!(is_stored(server, token).await);
    }
    current
}

/// Creates an active connection whose first tokens have been deleted. Returns the employee, the first tokens and the
/// current tokens.
async fn old_connection(server: &Server, client: &Client) -> (Employee, Tokens, Tokens) {
    let employee = server.employee().await;
    let first = employee.connect(server, client).await;
    let current = refresh_until_deleted(server, client, &first).await;
    (employee, first, current)
}

/// Returns the token with changed bytes in its body and a valid checksum.
fn with_bytes(text: &str, change: impl FnOnce(&mut [u8; BODY])) -> String {
    let kind = token::parse(text).unwrap();
    let mut bytes = base62::decode(token::body(kind, text).unwrap().as_bytes()).unwrap();
    change(&mut bytes);
    let changed = token::with_checksum(kind, &base62::encode::<BODY, 60>(&bytes));
    assert!(changed != text && token::parse(&changed) == Some(kind));
    changed
}

/// Returns the token with one character of its body changed, and with a valid checksum.
fn with_character(text: &str, at: usize) -> String {
    let kind = token::parse(text).unwrap();
    let mut body = token::body(kind, text).unwrap().as_bytes().to_vec();
    body[at] = if body[at] == b'1' { b'2' } else { b'1' };
    let changed = token::with_checksum(kind, &body);
    assert!(changed != text && token::parse(&changed) == Some(kind));
    changed
}

#[both_engines]
async fn a_deleted_refresh_token_counts_as_reused_even_if_its_connection_has_expired(server: Server) {
    // D-299: reuse is checked before the expiry
    let client = server.client().await;
    let (employee, old, _) = old_connection(&server, &client).await;
    // the clock does not move, so no maintenance job stores that the connection has expired
    server.database.execute("UPDATE connections SET refresh_until = created_at").await;
    client.refresh(&old.refresh).await.refused(400, "invalid_grant");
    employee.assert_revoked_for("refresh_reused").await;
}

#[both_engines]
async fn a_deleted_refresh_token_of_a_guest_revokes_all_connections(server: Server) {
    // after an employee has become a guest, the next request of any connection revokes all connections of this
    // person, even if the request presents a deleted refresh token
    let client = server.client().await;
    let (employee, old, current) = old_connection(&server, &client).await;
    // this client is registered after `old_connection`, which moves the clock by 45 days: an unused client is deleted
    // after 30 days
    let web = server.client_with("none", &[WEB]).await;
    let other = employee.connect(&server, &web).await;
    employee.company.update_user(&employee.id, json!({"is_external": true})).await;
    client.refresh(&old.refresh).await.refused(400, "invalid_grant");
    employee.company.update_user(&employee.id, json!({"is_external": false})).await;
    server.assert_revoked(&client, &current).await;
    server.assert_revoked(&web, &other).await;
}

#[both_engines]
async fn a_deleted_refresh_token_revokes_its_connection(server: Server) {
    // the reuse revokes the connection, even if the request has an invalid scope or resource (D-299)
    let client = server.client().await;
    for more in [&[][..], &[("scope", "x")], &[("resource", "https://other.example/")]] {
        let (employee, old, current) = old_connection(&server, &client).await;
        server.assert_active(&current).await;
        client.refresh_with(&old.refresh, more).await.refused(400, "invalid_grant");
        server.assert_revoked(&client, &current).await;
        employee.assert_revoked_for("refresh_reused").await;
    }
}

#[both_engines]
async fn revoking_either_deleted_token_revokes_the_connection(server: Server) {
    // A-229, D-308: the revocation of a spent token revokes the connection, even if the token has been deleted
    let client = server.client_with("client_secret_basic", &[LOCAL]).await;
    for pick in [|t: &Tokens| t.access.clone(), |t: &Tokens| t.refresh.clone()] {
        let (employee, old, current) = old_connection(&server, &client).await;
        assert_eq!(client.revoke(&pick(&old)).await.ok(), json!({}));
        server.assert_revoked(&client, &current).await;
        employee.assert_revoked_for("client").await;
    }
}

#[both_engines]
async fn a_deleted_token_presented_to_mcp_or_as_the_wrong_kind_revokes_nothing(server: Server) {
    let client = server.client().await;
    let (_, old, current) = old_connection(&server, &client).await;
    for token in [&old.access, &old.refresh] {
        // for `/mcp`, a deleted token is an unknown token
        server.mcp(token, MODERN).list_tools().await.invalid_token();
    }
    // as a refresh token, an access token is unknown
    client.refresh(&old.access).await.refused(400, "invalid_grant");
    server.assert_active(&current).await;
    client.renewed(&current).await;
}

#[both_engines]
async fn a_deleted_token_of_another_client_revokes_nothing(server: Server) {
    // D-301, D-309: a token that another client presents has no effect
    let (client, other) = (server.client().await, server.client().await);
    // without a connection this client would be deleted after 30 days
    server.employee().await.connect(&server, &other).await;
    let (employee, old, current) = old_connection(&server, &client).await;
    other.refresh(&old.refresh).await.refused(400, "invalid_grant");
    for token in [&old.access, &old.refresh] {
        assert_eq!(other.revoke(token).await.ok(), json!({}));
    }
    server.assert_active(&current).await;
    assert_eq!(employee.state().await.0, "active");
    client.renewed(&current).await;
}

#[both_engines]
async fn a_deleted_token_does_not_change_the_reason_of_an_earlier_revocation(server: Server) {
    let client = server.client().await;
    let (employee, old, current) = old_connection(&server, &client).await;
    client.revoke(&current.access).await.ok();
    client.refresh(&old.refresh).await.refused(400, "invalid_grant");
    employee.assert_revoked_for("client").await;
    // the maintenance job deletes the tokens of the connection, and keeps the reason of its revocation
    server.settle().await;
    assert!(!is_stored(&server, &current.refresh).await);
    for token in [&old.refresh, &current.refresh] {
        client.refresh(token).await.refused(400, "invalid_grant");
        client.revoke(token).await.ok();
    }
    employee.assert_revoked_for("client").await;
}

#[both_engines]
async fn modified_tokens_are_unknown(server: Server) {
    let client = server.client().await;
    let (employee, old, current) = old_connection(&server, &client).await;
    let mut changed: Vec<_> = (0..60).map(|at| with_character(&old.refresh, at)).collect();
    // the first and the last byte of each part of the body
    for at in [0, 19, 20, 27, 28, BODY - 1] {
        changed.push(with_bytes(&old.refresh, |bytes| bytes[at] ^= 1));
    }
    // an access token with the body of a refresh token
    let kind = TokenKind::RefreshTest;
    let body = token::body(kind, &old.refresh).unwrap().as_bytes();
    changed.push(token::with_checksum(TokenKind::AccessTest, body));
    for token in &changed {
        client.refresh(token).await.refused(400, "invalid_grant");
        assert_eq!(client.revoke(token).await.ok(), json!({}));
    }
    // a token with the id of another connection of the same client
    let victim = server.employee().await;
    let victims = victim.connect(&server, &client).await;
    let id = ConnectionId::parse(victim.connections().await[0]["id"].as_str().unwrap()).unwrap();
    let forged = with_bytes(&old.refresh, |bytes| bytes[20..28].copy_from_slice(&id.0.to_be_bytes()));
    client.refresh(&forged).await.refused(400, "invalid_grant");
    client.revoke(&forged).await.ok();
    for (employee, tokens) in [(&victim, &victims), (&employee, &current)] {
        assert_eq!(employee.state().await.0, "active");
        server.assert_active(tokens).await;
    }
    // the unmodified token revokes the connection
    client.refresh(&old.refresh).await.refused(400, "invalid_grant");
    employee.assert_revoked_for("refresh_reused").await;
}

#[both_engines]
async fn tokens_of_the_old_form_are_recognized_until_they_are_deleted(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let mut number = 0;
    // creates a connection and replaces its tokens by tokens of the old form, without the id of the connection
    let mut old_form = async || {
        let tokens = employee.connect(&server, &client).await;
        number += 2;
        let old = Tokens {
            access: token::mint(TokenKind::AccessTest, &[number; 32]),
            refresh: token::mint(TokenKind::RefreshTest, &[number + 1; 32]),
            scope: tokens.scope.clone(),
        };
        for (new, old) in [(&tokens.access, &old.access), (&tokens.refresh, &old.refresh)] {
            let op = Replace(token::hash(new), token::hash(old));
            assert_eq!(server.running().world().db.write(op).await.unwrap(), 1);
        }
        old
    };
    // a token of the old form is valid until a refresh replaces it
    let old = old_form().await;
    server.assert_active(&old).await;
    let current = client.renewed(&old).await;
    assert_eq!([old.refresh.len(), current.refresh.len()], [16 + 43 + 6, 16 + 60 + 6]);
    // the reuse of a spent token of the old form revokes the connection as long as the token is stored
    client.refresh(&old.refresh).await.refused(400, "invalid_grant");
    server.assert_revoked(&client, &current).await;
    employee.assert_revoked_for("refresh_reused").await;
    // a deleted token of the old form is unknown, because it does not contain the id of its connection
    let old = old_form().await;
    let current = refresh_until_deleted(&server, &client, &old).await;
    client.refresh(&old.refresh).await.refused(400, "invalid_grant");
    for token in [&old.access, &old.refresh] {
        assert_eq!(client.revoke(token).await.ok(), json!({}));
    }
    server.assert_active(&current).await;
    assert_eq!(employee.state().await.0, "active");
}

#[both_engines]
async fn deleted_tokens_are_recognized_after_a_restart(server: Server) {
    let client = server.client().await;
    let (_, old, current) = old_connection(&server, &client).await;
    let server = server.restarted().await;
    let client = client.at(&server);
    server.assert_active(&current).await;
    client.refresh(&old.refresh).await.refused(400, "invalid_grant");
    server.assert_revoked(&client, &current).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_node_recognizes_deleted_tokens() {
    let Some(server) = Server::postgres().await else { return };
    let client = server.client().await;
    let (employee, old, current) = old_connection(&server, &client).await;
    let other_node = server.another_node().await;
    server.assert_active(&current).await;
    client.at(&other_node).refresh(&old.refresh).await.refused(400, "invalid_grant");
    server.assert_revoked(&client, &current).await;
    employee.assert_revoked_for("refresh_reused").await;
}
