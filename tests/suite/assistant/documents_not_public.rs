//! Metadata documents of clients that would authenticate: only public clients are known by a document.

use serde_json::{Value, json};
use switchboard::workspace::assistants::clients::ClientProblem;

use super::client_documents::{ask, both};
use crate::support::{assistant::*, oauth::*, *};

/// A document with this member, which may be null.
fn with_member(host: &ClientHost, name: &str, value: &Value) -> Vec<u8> {
    let mut document = host.document(json!({}));
    document[name] = value.clone();
    document.to_string().into_bytes()
}

#[tokio::test]
async fn a_client_with_a_secret_is_turned_back() {
    for (name, value) in [
        //
        ("token_endpoint_auth_method", json!("client_secret_basic")),
        ("token_endpoint_auth_method", json!("private_key_jwt")),
        ("token_endpoint_auth_method", json!(5)),
        ("token_endpoint_auth_method", json!(null)),
        //
        ("client_secret", json!("x")),
    ] {
        let (host, server) = both().await;
        host.receiver.always(answer(&with_member(&host, name, &value), &[]));
        assert_eq!(ask(&server, &host, CALLBACK).await, Err(ClientProblem::NotPublic), "{name}: {value}");
        // D-222: the redirect URI first
        let asked = ask(&server, &host, "https://evil.example/").await;
        assert!(matches!(asked, Err(ClientProblem::Redirect(_))), "{asked:?}");
        // the client is told so
        let told = server.turned_back(&request(&host, &[])).await;
        assert!(told.address.starts_with(&format!("{CALLBACK}?")), "{}", told.address);
        assert_eq!(told.get("error"), Some("invalid_client"), "{name}: {value}");
        assert_eq!((told.get("state"), told.get("iss")), (Some("a state"), Some(&*server.base)));
    }
    let (host, server) = both().await;
    //
    host.publish(json!({"token_endpoint_auth_method": "none"}), &[]);
    assert!(ask(&server, &host, CALLBACK).await.is_ok());
}

#[tokio::test]
async fn it_is_told_before_every_other_fault_of_the_request() {
    let (host, server) = both().await;
    host.publish(json!({"token_endpoint_auth_method": "client_secret_post"}), &[]);
    //
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
        let told = server.turned_back(&request(&host, more)).await;
        assert_eq!(told.get("error"), Some("invalid_client"), "{more:?}");
    }
    // a state that is there twice cannot be told unchanged
    let told = server.turned_back(&request(&host, &[("state", "a"), ("state", "b")])).await;
    assert_eq!((told.get("error"), told.get("state")), (Some("invalid_client"), None));
}

/// The query of a good request of the host's client, with these parameters over it; an empty value leaves one out.
fn request<'a>(host: &'a ClientHost, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let usual = [
        ("response_type", "code"),
        ("client_id", &host.client_id),
        ("redirect_uri", CALLBACK),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("state", "a state"),
    ];
    let kept = usual.into_iter().filter(|(name, _)| !more.iter().any(|(other, _)| other == name));
    kept.chain(more.iter().copied().filter(|(_, value)| !value.is_empty())).collect()
}
