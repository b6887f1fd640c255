//! Client authentication at `/token` and `/revoke`: HTTP Basic, the body, or a client id alone (RFC 6749 §2.3).

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::json;

use crate::support::{Server, assistant::*, both_engines};

fn basic(id: &str, secret: &str) -> String {
    format!("Basic {}", BASE64_STANDARD.encode(format!("{id}:{secret}")))
}

const FORM: &str = "application/x-www-form-urlencoded";

#[both_engines]
async fn a_secret_is_accepted_by_basic_or_in_the_body(server: Server) {
    let employee = server.employee().await;
    // D-283: either method is accepted, whichever method the client registered
    for method in ["client_secret_basic", "client_secret_post"] {
        let client = server.client_with(method, &[LOCAL]).await;
        let secret = client.secret.clone().expect("a secret");
        // a client may authenticate in the body
        let tokens = employee.connect(&server, &client).await;
        let form = |id: &str, secret: &str, token: &str| {
            let all = [
                ("grant_type", "refresh_token"),
                ("refresh_token", token),
                ("client_id", id),
                ("client_secret", secret),
            ];
            let sent: Vec<_> = all.into_iter().filter(|(_, value)| !value.is_empty()).collect();
            serde_urlencoded::to_string(sent).unwrap()
        };
        let right = basic(&client.id, &secret);
        let refresh =
            async |form: String, header: Option<&str>| client.post("/token", FORM, form, header).await;
        // a client may authenticate by HTTP Basic
        let tokens = Tokens::of(&refresh(form("", "", &tokens.refresh), Some(&right)).await.ok());
        // HTTP Basic takes precedence over the body
        let tokens = Tokens::of(&refresh(form("x", "wrong", &tokens.refresh), Some(&right)).await.ok());
        let body = form(&client.id, &secret, &tokens.refresh);
        for header in [
            basic(&client.id, "wrong"),
            basic("x", &secret),
            basic(&client.id, ""),
            "Basic".to_owned(),
            "Basic !".to_owned(),
            basic(&secret, &client.id),
            // invalid form-encoding: `&` is allowed neither in the user name nor in the password
            basic(&client.id, &format!("{secret}&x")),
            basic(&format!("{}&x", client.id), &secret),
        ] {
            // credentials by HTTP Basic that are wrong are refused, even if those in the body are right
            refresh(body.clone(), Some(&header)).await.refused(401, "invalid_client");
        }
        // a header with another scheme is ignored: the body decides
        let bearer = format!("Bearer {secret}");
        refresh(form(&client.id, "wrong", &tokens.refresh), Some(&bearer))
            .await
            .refused(401, "invalid_client");
        let tokens = Tokens::of(&refresh(body, Some(&bearer)).await.ok());
        // user name and password of Basic may be form-encoded
        let encoded = |text: &str| text.bytes().map(|b| format!("%{b:02X}")).collect::<String>();
        let header = basic(&encoded(&client.id), &encoded(&secret));
        let tokens = Tokens::of(&refresh(form("", "", &tokens.refresh), Some(&header)).await.ok());
        // without HTTP Basic, a missing or wrong secret and a missing client id are refused
        for (id, secret) in [(&*client.id, ""), (&client.id, "wrong"), ("", &*secret), ("", "")] {
            refresh(form(id, secret, &tokens.refresh), None).await.refused(401, "invalid_client");
        }
        server.assert_active(&tokens).await;
    }
}

#[both_engines]
async fn a_public_client_is_identified_by_its_id(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    assert_eq!(client.secret, None);
    // a public client sends its id only
    let tokens = employee.connect(&server, &client).await;
    let form = client.refresh_form(&tokens.refresh, &[("client_secret", "x")]);
    // a public client that sends a secret is refused
    client.post_form("/token", &form).await.refused(401, "invalid_client");
    // D-286: a public client may use Basic with an empty password; every other password is refused
    let text =
        serde_urlencoded::to_string(client.refresh_form(&tokens.refresh, &[("client_id", "")])).unwrap();
    let header = basic(&client.id, "x");
    client.post("/token", FORM, text.clone(), Some(&header)).await.refused(401, "invalid_client");
    client.post("/token", FORM, text.clone(), None).await.refused(401, "invalid_client");
    client.post("/token", FORM, text, Some(&basic(&client.id, ""))).await.ok();
    for id in ["x", "mcpc_x", "https://client.example", "http://client.example/doc"] {
        let form = client.refresh_form("x", &[("client_id", id)]);
        // an unknown client is refused
        client.post_form("/token", &form).await.refused(401, "invalid_client");
    }
    // An id that has the form of a document URL is accepted without fetching the document. So only the refresh
    // token is refused.
    let form = client.refresh_form("x", &[("client_id", "https://client.example/doc")]);
    client.post_form("/token", &form).await.refused(400, "invalid_grant");
}

#[both_engines]
async fn an_empty_body_is_an_invalid_request(server: Server) {
    let employee = server.employee().await;
    let client = server.client_with("client_secret_basic", &[LOCAL]).await;
    let tokens = employee.connect(&server, &client).await;
    let right = basic(&client.id, client.secret.as_deref().unwrap());
    for path in ["/token", "/revoke"] {
        for header in [None, Some(&*right), Some("Basic !")] {
            for media in [FORM, "application/json"] {
                client.post(path, media, String::new(), header).await.refused(400, "invalid_request");
            }
        }
        // a body that is not empty, but has no client id
        client.post(path, FORM, "x=1".to_owned(), None).await.refused(401, "invalid_client");
        client.post(path, "application/json", "{}".to_owned(), None).await.refused(401, "invalid_client");
    }
    server.assert_active(&tokens).await;
}

#[both_engines]
async fn nul_is_an_invalid_request(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let tokens = employee.connect(&server, &client).await;
    let form = client.refresh_form(&tokens.refresh, &[]);
    for name in ["grant_type", "refresh_token", "client_id", "scope", "resource", "x"] {
        let mut all: Vec<_> = form.iter().filter(|(known, _)| *known != name).cloned().collect();
        all.push((name, "a\0".into()));
        // D-025: U+0000 is refused in every parameter, even in an unknown one
        client.post_form("/token", &all).await.refused(400, "invalid_request");
        let json: serde_json::Map<_, _> =
            all.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
        let got = client.post("/token", "application/json", json!(json).to_string(), None).await;
        got.refused(400, "invalid_request");
    }
    server.assert_active(&tokens).await;
}

#[both_engines]
async fn a_client_authenticates_in_a_json_body(server: Server) {
    let client = server.client_with("client_secret_post", &[LOCAL]).await;
    let body = |secret: serde_json::Value| json!({"grant_type": "refresh_token", "refresh_token": "x", "client_id": client.id, "client_secret": secret});
    let send = async |body: serde_json::Value| {
        client.post("/token", "application/json", body.to_string(), None).await
    };
    send(body(json!("wrong"))).await.refused(401, "invalid_client");
    send(body(json!(client.secret))).await.refused(400, "invalid_grant");
    // a parameter that is not a string is refused (D-280)
    send(body(json!(1))).await.refused(400, "invalid_request");
}
