//! Rate limits of `/token`, `/revoke` and `/authorize`.

use std::net::Ipv4Addr;

use crate::support::{LimitedServer, Server, assistant::*, both_engines};

#[tokio::test]
async fn a_client_has_twenty_requests_a_minute_at_each_endpoint() {
    let server = Server::limited().await;
    let (one, two) = (server.client().await, server.client().await);
    for n in 0..20 {
        one.refresh("x").await.refused(400, "invalid_grant");
        assert_eq!(
            one.revoke("x").await.status,
            200,
            "requests to `/token` do not count at `/revoke` (D-372): {n}"
        );
    }
    // the 21st request of the client to `/token` is rejected, and so is the 21st to `/revoke`
    one.refresh("x").await.refused(429, "slow_down");
    one.revoke("x").await.refused(429, "slow_down");
    // the limit is checked before the client is authenticated, so the error is not `invalid_client` (D-374)
    let unproved = one.refresh_form("x", &[("client_secret", "x")]);
    one.post_form("/token", &unproved).await.refused(429, "slow_down");
    // another client has its own limit
    two.refresh("x").await.refused(400, "invalid_grant");
    server.clock.advance(MINUTE);
    one.refresh("x").await.refused(400, "invalid_grant");
}

#[tokio::test]
async fn requests_with_right_and_wrong_secrets_from_one_address_share_the_limit_of_the_client() {
    let server = Server::limited().await;
    for method in ["none", "client_secret_post"] {
        let request = async |client: &Client, is_good: bool| {
            let secret = if is_good { client.secret.as_deref().unwrap_or_default() } else { "wrong" };
            client.refresh_with("x", &[("client_secret", secret)]).await
        };
        // The first client sends only its own secret, which is empty for a public client. The second sends only wrong
        // secrets. The third alternates.
        let conducts: [fn(u32) -> bool; 3] = [|_| true, |_| false, |n| n % 2 == 0];
        for is_good in conducts {
            let client = server.client_with(method, &[LOCAL]).await;
            // the limit of a client is 20 requests, so these requests get other errors than 429
            for n in 0..20 {
                match is_good(n) {
                    true => request(&client, true).await.refused(400, "invalid_grant"),
                    false => request(&client, false).await.refused(401, "invalid_client"),
                }
            }
            request(&client, true).await.refused(429, "slow_down");
            request(&client, false).await.refused(429, "slow_down");
            // the clients share an address, which has 60 requests a minute: too few for three clients
            server.clock.advance(MINUTE);
        }
    }
}

#[tokio::test]
async fn a_stranger_uses_up_only_their_own_limit() {
    let server = Server::limited().await;
    for method in ["none", "client_secret_post"] {
        let (employee, client) = (server.employee().await, server.client_with(method, &[LOCAL]).await);
        let tokens = employee.connect(&server, &client).await;
        // the stranger knows only the client id
        let elsewhere = server.api_from(Ipv4Addr::new(127, 0, 0, 2));
        let stranger = Client { secret: None, server: elsewhere, ..client.clone() };
        for _ in 0..20 {
            // the stranger sends an unknown token for the public client, and no secret for the
            // confidential client
            if method == "none" {
                stranger.refresh("x").await.refused(400, "invalid_grant");
                stranger.revoke("x").await.ok();
            } else {
                stranger.refresh("x").await.refused(401, "invalid_client");
                stranger.revoke("x").await.refused(401, "invalid_client");
            }
        }
        stranger.refresh("x").await.refused(429, "slow_down");
        stranger.revoke("x").await.refused(429, "slow_down");
        let tokens = client.renewed(&tokens).await;
        client.revoke(&tokens.access).await.ok();
        server.clock.advance(MINUTE);
    }
}

#[tokio::test]
async fn authenticated_requests_from_all_addresses_share_the_limit_of_the_client() {
    // A secret authenticates a confidential client. For a public client, a token of the client proves that the client
    // sent the request. All requests with this proof share one limit, whatever their addresses (A-323, D-374).
    let server = Server::limited().await;
    for method in ["none", "client_secret_post"] {
        let (employee, client) = (server.employee().await, server.client_with(method, &[LOCAL]).await);
        let mut tokens = employee.connect(&server, &client).await; // exchanging the code is the first request
        let callers =
            [2, 3].map(|n| Client { server: server.api_from(Ipv4Addr::new(127, 0, 0, n)), ..client.clone() });
        for n in 1..20 {
            tokens = callers[n % 2].renewed(&tokens).await;
        }
        for caller in &callers {
            caller.refresh(&tokens.refresh).await.refused(429, "slow_down");
        }
        server.clock.advance(MINUTE);
        client.renewed(&tokens).await;
    }
}

#[tokio::test]
async fn a_token_of_any_age_authenticates_its_client() {
    // if a client presents its own spent token, the request counts in the client's limit over all addresses, even if
    // the token is no longer stored
    let server = Server::limited().await;
    let (employee, client, other) = (server.employee().await, server.client().await, server.client().await);
    let at = |client: &Client, n: u8| Client {
        server: server.api_from(Ipv4Addr::new(127, 0, 0, n)),
        ..client.clone()
    };
    let first = employee.connect(&server, &client).await;
    // without a connection, `other` would be deleted after 30 days
    server.employee().await.connect(&server, &other).await;
    let mut spent = first.clone();
    for _ in 0..3 {
        server.advance(15 * DAY).await;
        spent = client.renewed(&spent).await;
    }
    client.renewed(&spent).await;
    // `spent` is still stored, and `first` has been deleted
    for own in [&spent, &first] {
        server.clock.advance(MINUTE);
        // a request in which `other` presents a token of `client` counts in neither client's limit over all addresses
        for n in 0..20 {
            at(&other, 2 + n % 2).refresh(&own.refresh).await.refused(400, "invalid_grant");
            at(&other, 2 + n % 2).revoke(&own.access).await.ok();
        }
        other.refresh("x").await.refused(400, "invalid_grant");
        other.revoke("x").await.ok();
        for n in 0..20 {
            at(&client, 4 + n % 2).refresh(&own.refresh).await.refused(400, "invalid_grant");
            at(&client, 4 + n % 2).revoke(&own.access).await.ok();
        }
        client.refresh(&own.refresh).await.refused(429, "slow_down");
        client.revoke(&own.access).await.refused(429, "slow_down");
    }
}

#[tokio::test]
async fn an_address_has_sixty_requests_a_minute_at_each_endpoint() {
    // requests that cannot be parsed count for their address too
    let server = Server::limited().await;
    let client = server.client().await;
    for path in ["/token", "/revoke"] {
        for n in 0..60 {
            assert_eq!(
                client.post(path, "text/plain", "", None).await.status,
                400,
                "a request that cannot be parsed is refused: {n}"
            );
        }
        // the next request of the address is rejected
        client.post(path, "text/plain", "", None).await.refused(429, "slow_down");
    }
    server.clock.advance(MINUTE);
    client.refresh("x").await.refused(400, "invalid_grant");
}

#[both_engines]
async fn an_address_has_thirty_authorization_requests_a_minute(LimitedServer(server): LimitedServer) {
    // the 31st request from an address gets 429 with `Retry-After`
    let (one, two) = (Ipv4Addr::new(127, 0, 0, 2), Ipv4Addr::new(127, 0, 0, 3));
    let request = async |address| server.begin_from(address, &[]).await.page();
    for _ in 0..30 {
        request(one).await.is(400, "client_id is missing");
    }
    let refused = request(one).await;
    assert_eq!(
        (refused.wire.status, refused.header("retry-after")),
        (429, Some("60")),
        "an address has 30 requests a minute (A-321)"
    );
    request(two).await.is(400, "client_id is missing");
    server.clock.advance(MINUTE);
    request(one).await.is(400, "client_id is missing");
}
