//! The rate limit of `/register`, the IP address to which the limit applies, and client authentication at `/revoke`.

use std::{sync::Arc, time::Duration};

use serde_json::json;

use crate::{support::oauth::*, support::*};

async fn limited() -> Server {
    Server::with(Options { limits: true, ..Options::default() }).await.expect("a server on SQLite starts")
}

#[tokio::test]
async fn an_address_has_twenty_registrations_an_hour() {
    let server = limited().await;
    let attempt = async |body| server.api().post("/register").json(&body).send().await.status;
    // D-373: successful and failed registrations count towards the limit
    for n in 0..20 {
        let (body, status) = match n % 2 {
            0 => (metadata(json!({})), 201),
            _ => (json!({}), 400),
        };
        assert_eq!(attempt(body).await, status);
        server.clock.advance(Duration::from_secs(60));
    }
    let answer = server.api().post("/register").json(&metadata(json!({}))).denied(429, "slow_down").await;
    // the first of the twenty registrations was 20 minutes ago, so it leaves the window of an hour in 40 minutes
    assert_eq!(answer.header("retry-after"), Some("2400"));
    // a request with a wrong media type also gets 429, because the limit is checked before the request is validated
    server
        .api()
        .post("/register")
        .header("content-type", "text/plain")
        .body("x")
        .denied(429, "slow_down")
        .await;
    // when the first registration is exactly an hour ago, one more registration is accepted
    server.clock.advance(Duration::from_millis(2_399_900));
    assert_eq!(attempt(metadata(json!({}))).await, 429);
    server.clock.advance(Duration::from_millis(100));
    assert_eq!(attempt(metadata(json!({}))).await, 201);
    assert_eq!(attempt(metadata(json!({}))).await, 429);
}

#[tokio::test]
async fn forwarded_addresses_are_accepted_from_trusted_proxies_only() {
    let configure = Arc::new(|config: &mut switchboard::config::Config| {
        config.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
    });
    let trusting = Server::with(Options { limits: true, configure: Some(configure), ..Options::default() })
        .await
        .unwrap();
    let from = async |server: &Server, address: &str| {
        let call =
            server.api().post("/register").header("x-forwarded-for", address).json(&metadata(json!({})));
        call.send().await.status
    };
    // behind a trusted proxy, the limit applies to the forwarded address
    for _ in 0..20 {
        assert_eq!(from(&trusting, "192.0.2.1").await, 201);
    }
    assert_eq!(from(&trusting, "192.0.2.1").await, 429);
    assert_eq!(from(&trusting, "192.0.2.2").await, 201);
    for n in 0..20 {
        assert_eq!(from(&trusting, &format!("2001:db8:1:2::{n}")).await, 201);
    }
    assert_eq!(from(&trusting, "2001:db8:1:2:ffff::1").await, 429, "a /64 network counts as one address");
    assert_eq!(from(&trusting, "2001:db8:1:3::1").await, 201);
    // without trusted proxies the header is ignored
    let server = limited().await;
    for n in 0..20 {
        assert_eq!(from(&server, &format!("192.0.2.{n}")).await, 201);
    }
    assert_eq!(from(&server, "192.0.2.200").await, 429);
}

#[tokio::test]
async fn clients_authenticate_at_revoke() {
    let server = Server::sqlite().await;
    let public = server.register(json!({})).await.client_id;
    let made = server.register(json!({"token_endpoint_auth_method": null})).await;
    let (id, secret) = (made.client_id, made.client_secret.unwrap());
    let basic = |id: &str, secret: &str| {
        let encoded =
            base64::Engine::encode(&base64::engine::general_purpose::STANDARD, format!("{id}:{secret}"));
        server.api().with(format!("Basic {encoded}"))
    };
    let request = |api: Api, more: &[(&'static str, &str)]| {
        let mut form = vec![("token", "unknown")];
        form.extend(more);
        api.post("/revoke").form(&form)
    };
    let document = "https://client.example/oauth/client.json";
    // A-210 … A-213, D-283, D-286: clients authenticate by Basic, by the body, or by the client id alone; if a request
    // has a secret in Basic and another secret in the body, Basic decides
    for call in [
        request(basic(&id, &secret), &[]),
        request(server.api(), &[("client_id", &id), ("client_secret", &secret)]),
        request(basic(&id, &secret), &[("client_id", &id), ("client_secret", "wrong")]),
        request(server.api(), &[("client_id", &public)]),
        request(server.api(), &[("client_id", &public), ("client_secret", "")]),
        request(basic(&public, ""), &[]),
        // `/revoke` fetches no metadata document; a URL that is valid as a client id is sufficient
        request(server.api(), &[("client_id", document)]),
        // the user name and the password of Basic are form-decoded
        request(basic(&id.replace('_', "%5F"), &secret), &[]),
        // an `Authorization` header with another scheme is ignored
        request(server.api().with("Bearer x"), &[("client_id", &public)]),
    ] {
        assert_eq!(call.ok(200).await, json!({}));
    }
    let app = server.app(&ALL_SCOPES).await;
    // a request is rejected if its client is missing or unknown, or if its `Authorization` header
    // is invalid. It is also rejected if its secret is missing, wrong or unexpected, or if it has an app's credentials.
    for call in [
        request(server.api(), &[]),
        request(server.api(), &[("client_id", "mcpc_unknown")]),
        request(server.api(), &[("client_id", "")]),
        request(server.api(), &[("client_id", &id)]),
        request(server.api(), &[("client_id", &id), ("client_secret", "wrong")]),
        request(server.api(), &[("client_id", &id), ("client_secret", "")]),
        request(server.api(), &[("client_id", &public), ("client_secret", &secret)]),
        request(basic(&id, "wrong"), &[("client_id", &id), ("client_secret", &secret)]),
        request(basic(&public, "x"), &[("client_id", &public)]),
        request(server.api().with("Basic !"), &[("client_id", &public)]),
        request(server.api(), &[("client_id", "http://client.example/x")]),
        request(server.api(), &[("client_id", "https://client.example")]),
        request(server.api(), &[("client_id", document), ("client_secret", "x")]),
        request(server.api(), &[("client_id", &app.client_id), ("client_secret", &app.client_secret)]),
        request(basic(&app.client_id, &app.client_secret), &[]),
    ] {
        let answer = call.denied(401, "invalid_client").await;
        assert_eq!(answer.header("www-authenticate"), Some("Basic realm=\"oauth\""));
    }
    // the bot API does not accept an assistant's client as an app
    let body = json!({"token": "x", "client_id": id, "client_secret": secret});
    server.api().post("/oauth/revoke").json(&body).refused(401, "invalid_client").await;
    // as at `/token`, these get `invalid_request`: a parameter that is not a string (D-280), a repeated parameter
    // (D-288) and an unsupported media type (D-279)
    let post = || server.api().post("/revoke");
    post().json(&json!({"token": "x", "client_id": 5})).denied(400, "invalid_request").await;
    post().form(&[("client_id", "a"), ("client_id", "b")]).denied(400, "invalid_request").await;
    post().header("content-type", "text/plain").body("x").denied(400, "invalid_request").await;
}
