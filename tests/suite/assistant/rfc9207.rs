//! RFC 9207: every redirect to a client names the issuer.

use switchboard::service::oauth::consent::ConsentDecision;

use crate::support::{Server, both_engines};

#[both_engines]
async fn every_redirect_has_the_issuer(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let address = format!("{}/.well-known/oauth-authorization-server", server.base);
    let sent = server.api().http.get(address).send().await.unwrap();
    let metadata: serde_json::Value = sent.json().await.unwrap();
    let issuer = metadata["issuer"].as_str().expect("an issuer");
    for decision in [ConsentDecision::Approve(employee.workspace()), ConsentDecision::Deny] {
        let request = server.begin_for(&client, &[]).await.request();
        let outcome = employee.decide(&server, &request, decision).await.unwrap();
        assert_eq!(
            outcome.get("iss"),
            Some(issuer),
            "approval and denial redirect with `iss` (A-158, A-159)"
        );
        assert_eq!(outcome.parameters.iter().filter(|(name, _)| name == "iss").count(), 1);
    }
    let outcome = server.begin_for(&client, &[("scope", "x")]).await.redirected();
    assert_eq!(outcome.get("iss"), Some(issuer), "redirects with an error have `iss` (A-154)");
}
