//! Metadata documents of confidential clients are rejected: only public clients are identified by a document.

use serde_json::{Value, json};

use super::asking::{Refused, authorize, host_and_server, invalid_client_message, request};
use crate::support::oauth::*;

/// Returns a document with this member. The member's value can be null.
fn with_member(host: &ClientHost, name: &str, value: &Value) -> Vec<u8> {
    let mut document = host.document(json!({}));
    document[name] = value.clone();
    document.to_string().into_bytes()
}

#[tokio::test]
async fn a_confidential_client_is_rejected() {
    for (name, value) in [
        // an authentication method other than `none`
        ("token_endpoint_auth_method", json!("client_secret_basic")),
        ("token_endpoint_auth_method", json!("private_key_jwt")),
        ("token_endpoint_auth_method", json!(5)),
        ("token_endpoint_auth_method", json!(null)),
        // a document with a `client_secret`
        ("client_secret", json!("x")),
    ] {
        let (host, server) = host_and_server().await;
        host.receiver.always(answer(&with_member(&host, name, &value), &[]));
        let refused = Refused::Client("invalid_client".to_owned());
        assert_eq!(
            authorize(&server, &host, CALLBACK).await,
            Err(refused),
            "a confidential client is rejected: {name}: {value}"
        );
        let why = invalid_client_message(authorize(&server, &host, "https://evil.example/").await);
        assert_eq!(
            why, "The redirect URI is not one of the client's.",
            "the redirect URI is checked before the authentication method (D-222): {name}: {value}"
        );
        // the error is returned to the client, with `iss`
        let outcome = server.begin_redirected(&request(&host.client_id, CALLBACK, &[])).await;
        assert!(
            outcome.address.starts_with(&format!("{CALLBACK}?")),
            "the error goes to the client (A-050, A-051): {}",
            outcome.address
        );
        assert_eq!(
            outcome.get("error"),
            Some("invalid_client"),
            "the error code is `invalid_client` (A-050): {name}: {value}"
        );
        assert_eq!((outcome.get("state"), outcome.get("iss")), (Some("a state"), Some(&*server.base)));
    }
    let (host, server) = host_and_server().await;
    // a rejected document is not cached, so the client is accepted as soon as its document is corrected
    let lasting = [("cache-control", "max-age=86400")];
    host.publish(json!({"token_endpoint_auth_method": "private_key_jwt"}), &lasting);
    assert!(authorize(&server, &host, CALLBACK).await.is_err());
    // a public client
    host.publish(json!({"token_endpoint_auth_method": "none"}), &[]);
    let asked = authorize(&server, &host, CALLBACK).await;
    assert!(asked.is_ok(), "a document with the authentication method `none` is accepted (A-049): {asked:?}");
}

#[tokio::test]
async fn the_error_for_a_confidential_client_precedes_errors_of_response_type_pkce_resource_and_scope() {
    let (host, server) = host_and_server().await;
    host.publish(json!({"token_endpoint_auth_method": "client_secret_post"}), &[]);
    for more in [
        &[("response_type", "token")][..],
        &[("response_type", "")],
        &[("response_type", "code"), ("response_type", "code")],
        &[("code_challenge", "x")],
        &[("code_challenge_method", "plain")],
        &[("resource", "https://other.example/mcp")],
        &[("scope", "x")],
        &[("response_type", "token"), ("code_challenge", "x"), ("resource", "x"), ("scope", "x")],
    ] {
        let outcome = server.begin_redirected(&request(&host.client_id, CALLBACK, more)).await;
        assert_eq!(
            outcome.get("error"),
            Some("invalid_client"),
            "whether the client is public is checked before these parameters (A-152): {more:?}"
        );
    }
    // a `state` that is given twice cannot be returned unchanged, so the redirect has no `state`
    let outcome =
        server.begin_redirected(&request(&host.client_id, CALLBACK, &[("state", "a"), ("state", "b")])).await;
    assert_eq!((outcome.get("error"), outcome.get("state")), (Some("invalid_client"), None));
}
