//! Issuer identification: every answer of `/authorize` names the issuer.

use switchboard::workspace::assistants::{authorize::Begin, consent::Decision};

use crate::{
    on_both,
    support::{Server, assistant::*},
};

on_both! {
    async fn the_issuer_is_in_every_answer(server: Server) {
        let (employee, client) = (server.employee().await, server.client().await);
        let address = format!("{}/.well-known/oauth-authorization-server", server.base);
        let sent = server.api().http.get(address).send().await.unwrap();
        let metadata: serde_json::Value = sent.json().await.unwrap();
        let issuer = metadata["issuer"].as_str().expect("an issuer");
        let query = client.ask(&[]);
        let query: Vec<_> = query.iter().map(|(n, v)| (*n, v.as_str())).collect();
        for decision in [Decision::Approve(employee.workspace()), Decision::Deny] {
            let Begin::Consent { request } = server.begin(&query).await else { panic!() };
            let told = employee.decide(&server, &request, decision).await.unwrap();
            assert_eq!(told.get("iss"), Some(issuer), "A-158, A-159");
            assert_eq!(told.parameters.iter().filter(|(name, _)| name == "iss").count(), 1);
        }
        let bad = client.ask(&[("scope", "x")]);
        let bad: Vec<_> = bad.iter().map(|(n, v)| (*n, v.as_str())).collect();
        assert_eq!(server.turned_back(&bad).await.get("iss"), Some(issuer), "A-154");
    }
}
