//! RFC 7636: proof key for code exchange, with S256 only, for every client.

use crate::support::{Server, assistant::*, both_engines};

async fn refused(server: &Server, client: &Client, more: &[(&str, &str)]) {
    let outcome = server.begin_for(client, more).await.redirected();
    assert_eq!(
        outcome.get("error"),
        Some("invalid_request"),
        "a request needs a valid challenge and the method S256: {more:?}"
    );
    assert_eq!(outcome.get("state"), Some("a state"));
}

#[both_engines]
async fn invalid_challenges_are_rejected(server: Server) {
    // PKCE is required of public and of confidential clients
    for client in [server.client().await, server.client_with("client_secret_basic", &[LOCAL]).await] {
        let (short, long) = (&CHALLENGE[1..], format!("{CHALLENGE}A"));
        let (dot, padded) = (format!(".{}", &CHALLENGE[1..]), format!("{}=", &CHALLENGE[1..]));
        for challenge in ["", short, &long, &dot, &padded, "\u{e9}"] {
            // an invalid challenge is refused
            refused(&server, &client, &[("code_challenge", challenge)]).await;
        }
        // `plain` is refused
        refused(&server, &client, &[("code_challenge_method", "plain")]).await;
        for method in ["", "s256", "S512"] {
            // the method must be exactly `S256`
            refused(&server, &client, &[("code_challenge_method", method)]).await;
        }
    }
}

#[both_engines]
async fn s256_is_the_only_method(server: Server) {
    // the metadata lists S256 as the only method
    let metadata = server.api().get("/.well-known/oauth-authorization-server").ok(200).await;
    assert_eq!(metadata["code_challenge_methods_supported"], serde_json::json!(["S256"]));
    // other methods and requests without a method are rejected for public and for confidential clients
    let employee = server.employee().await;
    for client in [server.client().await, server.client_with("client_secret_basic", &[LOCAL]).await] {
        for method in ["plain", "", "s256", "S384"] {
            refused(&server, &client, &[("code_challenge_method", method)]).await;
        }
        // a verifier that equals the challenge would be valid with `plain`, and is refused
        let code = employee.approve(&server, &client, &[]).await;
        client.exchange_with(&code, &[("code_verifier", CHALLENGE)]).await.refused(400, "invalid_grant");
        client.exchange(&code).await.ok();
    }
}

#[both_engines]
async fn invalid_verifiers_are_rejected(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let code = employee.approve(&server, &client, &[]).await;
    let (other, short, long) = ("x".repeat(43), "x".repeat(42), "x".repeat(129));
    // a wrong verifier is rejected, and so is a verifier of a wrong length or with forbidden characters
    for verifier in
        [&*other, CHALLENGE, &short, &long, &format!("{VERIFIER} "), &VERIFIER.to_lowercase(), "+"]
    {
        client.exchange_with(&code, &[("code_verifier", verifier)]).await.refused(400, "invalid_grant");
    }
    // a code needs its verifier
    client.exchange_with(&code, &[("code_verifier", "")]).await.refused(400, "invalid_request");
    // none of these requests used up the code
    client.exchange(&code).await.ok();
}
