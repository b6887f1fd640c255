//! The generated client of `openapi/assistant.yaml` against the real server.

use crate::support::*;

#[rustfmt::skip]
#[path = "../../../generated/assistant_client.rs"]
mod generated;

use generated::types::{
    AuthMethod, ClientMetadata, GrantRequest, GrantType, ResponseType, RevocationRequest,
};

fn client(server: &Server) -> generated::Client {
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    generated::Client::new_with_client(&server.base, http)
}

#[tokio::test]
async fn discovery() {
    let server = Server::sqlite().await;
    let client = client(&server);
    let found = client.get_authorization_server().await.unwrap().into_inner();
    assert_eq!(found.issuer, server.base);
    assert_eq!(found.response_types_supported, [ResponseType::Code]);
    assert_eq!(found.grant_types_supported, [GrantType::AuthorizationCode, GrantType::RefreshToken]);
    let resource = client.get_mcp_resource().await.unwrap().into_inner();
    assert_eq!(resource, client.get_protected_resource().await.unwrap().into_inner());
    assert_eq!(resource.resource, format!("{}/mcp", server.base));
    let readonly = client.get_readonly_resource().await.unwrap().into_inner();
    assert_eq!(readonly.resource, format!("{}/mcp/readonly", server.base));
}

fn tool() -> ClientMetadata {
    serde_json::from_value(oauth::metadata(serde_json::json!({}))).unwrap()
}

#[tokio::test]
async fn registration_and_tokens() {
    let server = Server::sqlite().await;
    let client = client(&server);
    let made = client.register_client(&tool()).await.unwrap().into_inner();
    assert_eq!(made.token_endpoint_auth_method, AuthMethod::None);
    assert_eq!((made.client_secret, made.client_secret_expires_at), (None, None));

    let wrong = ClientMetadata { redirect_uris: vec!["http://a.example/".into()], ..tool() };
    match client.register_client(&wrong).await.unwrap_err() {
        generated::Error::ErrorResponse(answer) => {
            assert_eq!((answer.status().as_u16(), answer.error.as_str()), (400, "invalid_redirect_uri"));
            assert!(answer.error_description.as_deref().unwrap().starts_with("redirect URI 1 "));
        }
        other => panic!("{other:?}"),
    }

    let grant: GrantRequest = serde_json::from_value(serde_json::json!({
        "grant_type": "refresh_token", "refresh_token": "unknown", "client_id": made.client_id,
    }))
    .unwrap();
    for refused in [client.exchange_grant(&grant).await, client.exchange_grant_form(&grant).await] {
        match refused.unwrap_err() {
            generated::Error::ErrorResponse(answer) => assert_eq!(answer.error, "invalid_grant"),
            other => panic!("{other:?}"),
        }
    }
    let gone: RevocationRequest =
        serde_json::from_value(serde_json::json!({"token": "unknown", "client_id": made.client_id})).unwrap();
    client.revoke_connection(&gone).await.unwrap();
    client.revoke_connection_form(&gone).await.unwrap();
}
