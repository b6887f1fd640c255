//! How often `/token`, `/revoke` and `/authorize` may be asked (A-173, A-218, A-231, A-321 … A-323).

use std::net::{IpAddr, Ipv4Addr};

use crate::support::{Server, assistant::*};

#[tokio::test]
async fn twenty_by_one_client() {
    let server = Server::limited().await;
    let (one, two) = (server.client().await, server.client().await);
    // D-372: each endpoint has a count of its own
    for n in 0..20 {
        one.refresh("x").await.refused(400, "invalid_grant");
        assert_eq!(one.revoke("x").await.status, 200, "A-231: {n}");
    }
    one.refresh("x").await.refused(429, "slow_down");
    one.revoke("x").await.refused(429, "slow_down");
    // D-374: before the client has proved who it is
    let unproved = one.refresh_form("x", &[("client_secret", "x")]);
    one.post_form("/token", &unproved).await.refused(429, "slow_down");
    // another client has its own
    two.refresh("x").await.refused(400, "invalid_grant");
    server.clock.advance(MINUTE);
    one.refresh("x").await.refused(400, "invalid_grant");
}

#[tokio::test]
async fn sixty_from_one_address() {
    let server = Server::limited().await;
    let client = server.client().await;
    for path in ["/token", "/revoke"] {
        for n in 0..60 {
            assert_eq!(client.post(path, "text/plain", "", None).await.status, 400, "{n}");
        }
        client.post(path, "text/plain", "", None).await.refused(429, "slow_down");
    }
    server.clock.advance(MINUTE);
    client.refresh("x").await.refused(400, "invalid_grant");
}

#[tokio::test]
async fn thirty_authorizations_from_one_address() {
    //
    let server = Server::limited().await;
    let world = server.running().world();
    let (one, two) = (Ipv4Addr::new(192, 0, 2, 1), Ipv4Addr::new(192, 0, 2, 2));
    for _ in 0..30 {
        assert_eq!(world.admit_authorization(IpAddr::V4(one)).await, Ok(()));
    }
    assert_eq!(world.admit_authorization(IpAddr::V4(one)).await, Err(60));
    assert_eq!(world.admit_authorization(IpAddr::V4(two)).await, Ok(()));
    server.clock.advance(MINUTE);
    assert_eq!(world.admit_authorization(IpAddr::V4(one)).await, Ok(()));
}
