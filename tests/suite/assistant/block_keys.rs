//! The block keys of registered clients, for each kind of redirect URIs, and for loopback together with `https`
//! (A-118 … A-124). The tests read the key in the operator's list of clients and in the connection, and check the
//! effect of a block.

use serde_json::json;
use switchboard::service::oauth::consent::{ConsentDecision, Unavailable, Undecided};

use crate::support::{Company, Server, assistant::*, both_engines};

const LOOPBACK: &str = "http://127.0.0.1:7/callback";
const SITE: &str = "https://Claude-Tools.EXAMPLE:8443/callback";
const SCHEME: &str = "com.example.app:/callback";

/// Registers a public client of this name with these redirect URIs, and returns it.
async fn client(server: &Server, name: &str, redirect_uris: &[&str]) -> Client {
    let made = server
        .register(json!({"client_name": name, "redirect_uris": redirect_uris, "token_endpoint_auth_method": "none"}))
        .await;
    Client {
        id: made.client_id,
        secret: None,
        redirect_uri: redirect_uris[0].to_owned(),
        server: server.api(),
    }
}

/// Returns the path of the admin API for the block of a key.
fn block_path(company: &Company, key: &str) -> String {
    let key: String = url::form_urlencoded::byte_serialize(key.as_bytes()).collect();
    company.path(&format!("/client_blocks/{}", key.replace('+', "%20")))
}

#[both_engines]
async fn registered_clients_have_the_block_key_of_their_redirect_uris(server: Server) {
    let employee = server.employee().await;
    let company = &employee.company;
    for (redirect_uris, key) in [
        // `https`: the host, in lower case and without the port
        (&[SITE][..], "claude-tools.example"),
        // loopback: `local:` and the name in lower case
        (&[LOOPBACK], "local:my äpp"),
        // loopback and `https`: `local:`, the name, and `@web`
        (&[LOOPBACK, SITE], "local:my äpp@web"),
        (&[SITE, LOOPBACK], "local:my äpp@web"),
        // a private-use scheme is the key
        (&[SCHEME], "com.example.app"),
    ] {
        let one = client(&server, "My ÄPP", redirect_uris).await;
        let list = server.operator().get("/admin/v1/assistant_clients?limit=1000").ok(200).await;
        let listed = list["assistant_clients"].as_array().expect("clients").iter();
        let listed =
            listed.into_iter().find(|listed| listed["client_id"] == one.id.as_str()).expect("listed");
        assert_eq!(
            listed["block_keys"],
            json!([key]),
            "the admin API lists the block key of the redirect URIs (A-118 … A-121): {redirect_uris:?}"
        );
        // the key is the same, whichever of the client's redirect URIs a connection uses
        let mut connected = Vec::new();
        for uri in redirect_uris {
            connected.push(employee.connect_with(&server, &one, &[("redirect_uri", *uri)]).await);
            let newest = employee.connections().await.pop().expect("a connection");
            assert_eq!(
                newest["block_key"], key,
                "a connection has the block key of its client (A-118 … A-121): {uri}"
            );
        }
        let blocked = company.operator.put(&block_path(company, key)).ok(200).await;
        assert_eq!(
            blocked["revoked"],
            connected.len(),
            "a block revokes all connections with its key (A-235): {key}"
        );
        for tokens in &connected {
            server.assert_revoked(&one, tokens).await;
        }
        let again = client(&server, "MY äpp", redirect_uris).await;
        assert_ne!(again.id, one.id);
        let request = server.begin_for(&again, &[]).await.request();
        let outcome =
            employee.decide(&server, &request, ConsentDecision::Approve(employee.workspace())).await;
        assert_eq!(
            outcome.unwrap_err(),
            Undecided::Unavailable(Unavailable::Blocked),
            "a new registration with a blocked key is blocked too (A-124): {key}"
        );
        company.operator.delete(&block_path(company, key)).ok(200).await;
        let tokens = employee.connect(&server, &again).await;
        server.assert_active(&tokens).await;
        again.revoke(&tokens.access).await.ok();
    }
}

#[both_engines]
async fn a_block_affects_only_clients_with_exactly_its_key(server: Server) {
    // the name, the name with `@web`, and the host are three different keys
    let employee = server.employee().await;
    let company = &employee.company;
    let clients = [
        (client(&server, "My App", &[LOOPBACK]).await, "local:my app"),
        (client(&server, "My App", &[LOOPBACK, SITE]).await, "local:my app@web"),
        (client(&server, "My App", &[SITE]).await, "claude-tools.example"),
    ];
    for (_, key) in &clients {
        company.operator.put(&block_path(company, key)).ok(200).await;
        for (other, its) in &clients {
            let request = server.begin_for(other, &[]).await.request();
            let outcome =
                employee.decide(&server, &request, ConsentDecision::Approve(employee.workspace())).await;
            assert_eq!(
                outcome.is_err(),
                key == its,
                "a block affects only clients with exactly its key (A-120): {key} and {its}: {outcome:?}"
            );
        }
        company.operator.delete(&block_path(company, key)).ok(200).await;
    }
}
