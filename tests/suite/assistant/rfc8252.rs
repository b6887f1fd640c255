//! RFC 8252: loopback redirect URIs with any port, and private-use schemes.

use switchboard::service::oauth::consent::ConsentDecision;

use crate::support::{Server, assistant::*, authorize::*, both_engines};

const PRIVATE: &str = "com.example.app:/callback";

async fn begin(server: &Server, client: &Client, redirect_uri: &str) -> AuthorizeAnswer {
    server.begin_for(client, &[("redirect_uri", redirect_uri)]).await
}

#[both_engines]
async fn a_loopback_redirect_uri_may_have_any_port(server: Server) {
    let registered =
        ["http://127.0.0.1:53682/callback", "http://localhost/callback", "http://[::1]:1/cb?x=1"];
    let (employee, client) = (server.employee().await, server.client_with("none", &registered).await);
    for uri in [
        "http://127.0.0.1:53682/callback",
        "http://127.0.0.1:1/callback",
        "http://127.0.0.1/callback",
        "http://localhost:65535/callback",
        "http://localhost/callback",
        "http://[::1]:2/cb?x=1",
        "http://[::1]/cb?x=1",
    ] {
        let request = begin(&server, &client, uri).await.request();
        let outcome =
            employee.decide(&server, &request, ConsentDecision::Approve(employee.workspace())).await.unwrap();
        assert!(
            outcome.address.starts_with(uri),
            "the code goes to the requested URI, whose port may differ from the registered port (A-137): {}",
            outcome.address
        );
        let code = outcome.get("code").unwrap();
        client.exchange_with(code, &[("redirect_uri", uri)]).await.ok();
    }
    for uri in [
        // in each URI, the port is invalid or another part differs from the registered URI
        "http://127.0.0.1:53682/other",
        "http://localhost:53682/cb",
        "https://127.0.0.1:53682/callback",
        "http://127.0.0.1:53682/callback/",
        "http://[::1]:1/cb",
        "http://[::1]:1/cb?x=2",
        "http://127.0.0.2:53682/callback",
        "http://127.0.0.1:0/callback",
        "http://127.0.0.1:65536/callback",
        "http://127.0.0.1:53682@evil.example/callback",
        "http://LOCALHOST/callback",
        "HTTP://127.0.0.1:53682/callback",
        "Http://127.0.0.1/callback",
    ] {
        assert_eq!(
            begin(&server, &client, uri).await.page().wire.status,
            400,
            "a loopback redirect URI may differ from the registered URI only in a valid port (A-138): {uri}"
        );
    }
}

#[both_engines]
async fn the_maximum_length_of_a_loopback_redirect_uri_does_not_include_the_port(server: Server) {
    let path = "a".repeat(2048 - "http://127.0.0.1/".len());
    let registered = format!("http://127.0.0.1/{path}");
    let (employee, client) = (server.employee().await, server.client_with("none", &[&*registered]).await);
    for port in ["", ":1", ":65535"] {
        // the registered URI without a port has the maximum length, and the requested URI may add a port
        let uri = format!("http://127.0.0.1{port}/{path}");
        employee.connect_with(&server, &client, &[("redirect_uri", uri.as_str())]).await;
    }
    let web = server.client_with("none", &[WEB]).await;
    let long = format!("{WEB}?{}", "a".repeat(2048));
    for (client, uri) in [(&client, format!("{registered}a")), (&web, long)] {
        begin(&server, client, &uri).await.page().is(400, "must have at most 2048 bytes");
    }
}

#[both_engines]
async fn private_use_schemes_are_accepted(server: Server) {
    let (employee, client) = (server.employee().await, server.client_with("none", &[PRIVATE]).await);
    let tokens = employee.connect(&server, &client).await;
    server.assert_active(&tokens).await;
    let connections = employee.connections().await;
    assert_eq!(connections[0]["block_key"], "com.example.app", "the block key is the scheme (A-121)");
    for uri in ["com.example.app:/other", "com.example.App:/callback", "com.example.app:/callback/"] {
        assert_eq!(
            begin(&server, &client, uri).await.page().wire.status,
            400,
            "a redirect URI that differs from the registered URI gets the error page (A-136): {uri}"
        );
    }
}

#[both_engines]
async fn the_consent_page_shows_where_the_code_goes(server: Server) {
    let employee = server.employee().await;
    for (uri, host, is_local) in
        [(LOCAL, "127.0.0.1", true), (PRIVATE, "com.example.app", true), (WEB, "client.example", false)]
    {
        let client = server.client_with("none", &[uri]).await;
        let request = begin(&server, &client, uri).await.request();
        let page = employee.open(&server, &request).await.expect("the consent page").page;
        page.shows(&format!("<dt>Access goes to</dt><dd><strong>{host}</strong>"));
        assert_eq!(
            page.text.contains("Access goes to an app on your computer."),
            is_local,
            "the page warns if and only if an app on the computer gets the code (A-167, A-168): {uri}"
        );
    }
}

#[both_engines]
async fn a_client_with_a_redirect_uri_that_is_no_longer_allowed_has_to_register_again(server: Server) {
    let client = server.client_with("none", &[PRIVATE]).await;
    // an earlier version of the server also registered URIs that this version rejects
    let earlier =
        format!("UPDATE assistant_clients SET redirect_uris = '[\"{PRIVATE}\",\"com.example.app://\"]'");
    server.database.execute(&earlier).await;
    let page = begin(&server, &client, PRIVATE).await.page();
    page.is(400, "The client has to register again").hides("is not one of the client");
}
