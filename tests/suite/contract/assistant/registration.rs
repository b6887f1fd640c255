//! Tests of the operation `registerClient`.

use serde_json::{Value, json};

use super::*;
use crate::support::*;

fn client_with(members: Value) -> types::ClientMetadata {
    typed(oauth::metadata(members))
}

#[both_engines]
async fn register_client(server: Server) {
    let client: Client = server.typed();
    let public = succeeds!(201, client.register_client(&client_with(json!({}))));
    assert_eq!(public.client_name, "Example Desktop");
    assert_eq!(public.redirect_uris, ["http://127.0.0.1/callback"]);
    assert_eq!(public.token_endpoint_auth_method.as_str(), "none");
    assert_eq!((&public.client_secret, public.client_secret_expires_at), (&None, None));
    let confidential = client_with(json!({"token_endpoint_auth_method": "client_secret_post"}));
    let confidential = succeeds!(201, client.register_client(&confidential));
    assert!(confidential.client_secret.is_some() && confidential.client_secret_expires_at == Some(0));
    assert_ne!(confidential.client_id, public.client_id);

    let wrong = client_with(json!({"redirect_uris": ["http://a.example/"]}));
    let error = refused!(400, "invalid_redirect_uri", client.register_client(&wrong));
    let why = error.error_description.as_deref().expect("a reason");
    assert!(
        why.starts_with("redirect URI 1 "),
        "the description names the redirect URI by its position: {why}"
    );
    let nul = client_with(json!({"contacts": ["\0"]}));
    refused!(400, "invalid_client_metadata", client.register_client(&nul));
    let huge = client_with(json!({"contacts": ["x".repeat(1_048_577)]}));
    refused!(413, "request_too_large", client.register_client(&huge));
    fails!(500, "server_error", client.register_client(&client_with(json!({}))), server, "assistant_clients");
}

#[both_engines]
async fn limits(server: Server) {
    let server = server.restarted_with(|config| config.limits.scale = 1).await;
    let client: Client = server.typed();
    limited!(429, "slow_down", client.register_client(&client_with(json!({}))));
}
