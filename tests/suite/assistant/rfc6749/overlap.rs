//! `assistant.refresh_overlap_seconds` allows several processes of one client to refresh the same token at the same
//! time. Without the setting, the second of these refreshes revokes the connection. The tests in
//! `refresh` and `connections::races` cover that case.

use std::{sync::Arc, time::Duration};

use futures_util::future::join_all;
use serde_json::{Value, json};
use switchboard::store::{Engine, ReadOp, ReadSql, Result, args, statements};

use crate::support::{Options, Server, assistant::*, both_engines, engines::Fixture, server::Configure};

const OVERLAP: u32 = 20;

statements! {
    COUNT: Query = "SELECT COUNT(*) FROM refresh_overlaps";
    // counts the rows whose company is the company of the connection
    OF_COMPANY: Query = "SELECT COUNT(*) FROM refresh_overlaps o JOIN connection_tokens t ON t.token_hash = o.token_hash
        WHERE t.workspace_id = o.workspace_id";
}

struct Count;

impl ReadOp for Count {
    const NAME: &'static str = "test_count_overlaps";
    type Out = (i64, i64);

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<(i64, i64)> {
        Ok((c.one(&COUNT, args![]).await?, c.one(&OF_COMPANY, args![]).await?))
    }
}

/// Returns the number of stored refresh overlaps.
async fn stored_overlaps(server: &Server) -> i64 {
    let (kept, of_its_company) = server.running().world().db.read(Count).await.unwrap();
    assert_eq!(kept, of_its_company, "each row has the company of its connection");
    kept
}

fn seconds(n: u64) -> Duration {
    Duration::from_secs(n)
}

fn options(engine: Engine) -> Options {
    let configure: Configure = Arc::new(|config| config.assistant.refresh_overlap_seconds = OVERLAP);
    Options { engine, configure: Some(configure), ..Options::default() }
}

/// A server that allows refreshes to overlap.
struct OverlapServer(Server);

impl Fixture for OverlapServer {
    async fn on(engine: Engine) -> Option<Self> {
        Server::with(options(engine)).await.map(Self)
    }
}

/// Asserts that all responses are successful, and returns their bodies without `expires_in`, which may differ.
fn pairs(replies: Vec<Reply>) -> Vec<Value> {
    let mut pairs: Vec<_> = replies.iter().map(Reply::ok).collect();
    for pair in &mut pairs {
        pair.as_object_mut().unwrap().remove("expires_in");
    }
    pairs
}

#[both_engines]
async fn parallel_refreshes_get_one_pair(OverlapServer(server): OverlapServer) {
    for method in ["none", "client_secret_basic"] {
        let (employee, client) = (server.employee().await, server.client_with(method, &[LOCAL]).await);
        let tokens = employee.connect(&server, &client).await;
        let replies = join_all((0..10).map(|_| client.refresh(&tokens.refresh))).await;
        let mut pairs = pairs(replies);
        pairs.dedup();
        assert_eq!(pairs.len(), 1, "concurrent refreshes get the same pair of tokens");
        let current = Tokens::of(&pairs[0]);
        assert_ne!((&current.access, &current.refresh), (&tokens.access, &tokens.refresh));
        server.assert_rejects(&tokens.access).await; // the old access token is invalid immediately
        server.assert_active(&current).await;
        assert_eq!(employee.connections().await.len(), 1);
        // the connection continues with this pair
        let next = client.renewed(&current).await;
        server.assert_active(&next).await;
    }
}

#[both_engines]
async fn the_overlap_ends(OverlapServer(server): OverlapServer) {
    let (employee, client) = (server.employee().await, server.client().await);
    let tokens = employee.connect(&server, &client).await;
    let first = client.refresh(&tokens.refresh).await.ok();
    assert_eq!(first["expires_in"], 3600);
    server.advance(seconds(u64::from(OVERLAP) - 1)).await;
    let again = client.refresh(&tokens.refresh).await.ok();
    assert_eq!(
        again["expires_in"],
        3600 - i64::from(OVERLAP) + 1,
        "a repeated refresh returns the remaining lifetime of the access token"
    );
    assert_eq!(Tokens::of(&again), Tokens::of(&first));
    let current = Tokens::of(&first);
    server.assert_active(&current).await;
    // a repeated refresh does not prolong the overlap
    server.clock.advance(seconds(1));
    client.refresh(&tokens.refresh).await.refused(400, "invalid_grant");
    server.assert_revoked(&client, &current).await;
    employee.assert_revoked_for("refresh_reused").await;
}

#[both_engines]
async fn only_the_client_itself_gets_the_tokens_again(OverlapServer(server): OverlapServer) {
    let employee = server.employee().await;
    let client = server.client_with("client_secret_post", &[LOCAL]).await;
    let tokens = employee.connect(&server, &client).await;
    let first = Tokens::of(&client.refresh(&tokens.refresh).await.ok());
    for other in [server.client().await, server.client_with("client_secret_post", &[LOCAL]).await] {
        // a refresh token of another client is refused
        other.refresh(&tokens.refresh).await.refused(400, "invalid_grant");
    }
    for secret in ["wrong", ""] {
        let got = client.refresh_with(&tokens.refresh, &[("client_secret", secret)]).await;
        got.refused(401, "invalid_client");
    }
    server.assert_active(&first).await;
    // a repeated refresh with an invalid scope or resource is rejected, and revokes nothing
    client.refresh_with(&tokens.refresh, &[("scope", "x")]).await.refused(400, "invalid_scope");
    let other = [("resource", "https://other.example/mcp")];
    client.refresh_with(&tokens.refresh, &other).await.refused(400, "invalid_target");
    assert_eq!(Tokens::of(&client.refresh(&tokens.refresh).await.ok()), first);
}

#[both_engines]
async fn a_revocation_is_final(OverlapServer(server): OverlapServer) {
    let (employee, client) = (server.employee().await, server.client().await);
    let tokens = employee.connect(&server, &client).await;
    let first = Tokens::of(&client.refresh(&tokens.refresh).await.ok());
    assert_eq!(
        client.revoke(&tokens.refresh).await.status,
        200,
        "the revocation of a spent refresh token is accepted, and revokes the connection (D-308)"
    );
    client.refresh(&tokens.refresh).await.refused(400, "invalid_grant");
    server.assert_revoked(&client, &first).await;
    employee.assert_revoked_for("client").await;
    // a repeated refresh is rejected for the same reasons as a first refresh, for example if the company has turned
    // assistants off
    let tokens = employee.connect(&server, &client).await;
    let first = Tokens::of(&client.refresh(&tokens.refresh).await.ok());
    let workspace = employee.company.path("");
    employee.company.operator.patch(&workspace).json(&json!({"ai_assistants": false})).ok(200).await;
    client.refresh(&tokens.refresh).await.refused(400, "invalid_grant");
    server.assert_revoked(&client, &first).await;
}

#[both_engines]
async fn an_overlap_survives_a_narrower_scope_a_refresh_and_a_restart(OverlapServer(server): OverlapServer) {
    let (employee, client) = (server.employee().await, server.client().await);
    let tokens = employee.connect(&server, &client).await;
    let narrow = client.refresh_with(&tokens.refresh, &[("scope", "service:read")]).await.ok();
    assert_eq!(narrow["scope"], "service:read");
    let next = client.renewed(&Tokens::of(&narrow)).await;
    let server = server.restarted().await;
    let client = client.at(&server);
    // A late process repeats the first refresh and gets the tokens of the first refresh again. It then uses the refresh
    // token of that response, which is spent too, and gets the current tokens.
    let late = Tokens::of(&client.refresh(&tokens.refresh).await.ok());
    assert_eq!(late, Tokens::of(&narrow));
    server.assert_rejects(&late.access).await;
    assert_eq!(client.renewed(&late).await, next);
    server.assert_active(&next).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_return_one_pair() {
    let Some(one) = Server::with(options(Engine::Postgres)).await else { return };
    let two = one.another_node_with_same_clock().await;
    let (employee, client) = (one.employee().await, one.client().await);
    let tokens = employee.connect(&one, &client).await;
    let at = [client.at(&one), client.at(&two)];
    let replies = join_all((0..10).map(|n| at[n % 2].refresh(&tokens.refresh))).await;
    let mut pairs = pairs(replies);
    pairs.dedup();
    assert_eq!(pairs.len(), 1);
    for server in [&one, &two] {
        server.assert_active(&Tokens::of(&pairs[0])).await;
    }
}

#[both_engines]
async fn stored_overlaps_are_deleted(OverlapServer(server): OverlapServer) {
    let (employee, client) = (server.employee().await, server.client().await);
    let tokens = employee.connect(&server, &client).await;
    let current = client.renewed(&tokens).await;
    assert_eq!(stored_overlaps(&server).await, 1);
    server.advance(seconds(u64::from(OVERLAP) - 1)).await;
    assert_eq!(stored_overlaps(&server).await, 1);
    server.advance(seconds(1)).await;
    assert_eq!(stored_overlaps(&server).await, 0);
    server.assert_active(&current).await;
}

#[both_engines]
async fn without_the_setting_nothing_is_stored(engine: Engine) -> Option<()> {
    let server = Server::with(Options { engine, ..Options::default() }).await?;
    let (employee, client) = (server.employee().await, server.client().await);
    let tokens = employee.connect(&server, &client).await;
    let current = client.renewed(&tokens).await;
    assert_eq!(stored_overlaps(&server).await, 0);
    client.refresh(&tokens.refresh).await.refused(400, "invalid_grant");
    server.assert_revoked(&client, &current).await;
    employee.assert_revoked_for("refresh_reused").await;
    Some(())
}
