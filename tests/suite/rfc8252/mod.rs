//! OAuth for native apps: loopback redirect URIs on any port, and private-use schemes.

use switchboard::{
    domain::grant::RedirectKind,
    workspace::assistants::{authorize::Begin, consent::Decision},
};

use crate::{
    on_both,
    support::{Server, assistant::*},
};

const PRIVATE: &str = "com.example.app:/callback";

async fn begin(server: &Server, client: &Client, redirect_uri: &str) -> Begin {
    let query = client.ask(&[("redirect_uri", redirect_uri)]);
    let query: Vec<_> = query.iter().map(|(n, v)| (*n, v.as_str())).collect();
    server.begin(&query).await
}

on_both! {
    async fn any_port_of_the_loopback(server: Server) {
        let registered = ["http://127.0.0.1:53682/callback", "http://localhost/callback", "http://[::1]:1/cb?x=1"];
        let (employee, client) = (server.employee().await, server.client_with("none", &registered).await);
        for uri in [
            "http://127.0.0.1:53682/callback", "http://127.0.0.1:1/callback", "http://127.0.0.1/callback",
            "http://localhost:65535/callback", "http://localhost/callback", "http://[::1]:2/cb?x=1", "http://[::1]/cb?x=1",
        ] {
            //
            let Begin::Consent { request } = begin(&server, &client, uri).await else { panic!("A-137: {uri}") };
            let told = employee.decide(&server, &request, Decision::Approve(employee.workspace())).await.unwrap();
            assert!(told.address.starts_with(uri), "A-137: {}", told.address);
            let code = told.get("code").unwrap();
            client.exchange_with(code, &[("redirect_uri", uri)]).await.ok();
        }
        for uri in [
            //
            "http://127.0.0.1:53682/other", "http://localhost:53682/cb", "https://127.0.0.1:53682/callback",
            "http://127.0.0.1:53682/callback/", "http://[::1]:1/cb", "http://[::1]:1/cb?x=2",
            "http://127.0.0.2:53682/callback", "http://127.0.0.1:0/callback", "http://127.0.0.1:65536/callback",
            "http://127.0.0.1:53682@evil.example/callback", "http://LOCALHOST/callback",
            "HTTP://127.0.0.1:53682/callback", "Http://127.0.0.1/callback",
        ] {
            assert!(matches!(begin(&server, &client, uri).await, Begin::Page(_)), "A-138: {uri}");
        }
    }

    async fn private_use_schemes(server: Server) {
        let (employee, client) = (server.employee().await, server.client_with("none", &[PRIVATE]).await);
        let tokens = employee.connect(&server, &client).await;
        server.lives(&tokens).await;
        let told = employee.connections().await;
        assert_eq!(told[0]["block_key"], "com.example.app", "A-121");
        for uri in ["com.example.app:/other", "com.example.App:/callback", "com.example.app:/callback/"] {
            assert!(matches!(begin(&server, &client, uri).await, Begin::Page(_)), "A-136: {uri}");
        }
    }

    async fn the_page_knows_where_the_code_goes(server: Server) {
        //
        let employee = server.employee().await;
        for (uri, kind, host) in [
            (LOCAL, RedirectKind::Loopback, "127.0.0.1"),
            (PRIVATE, RedirectKind::PrivateUse, "com.example.app"),
            (WEB, RedirectKind::Https, "client.example"),
        ] {
            let client = server.client_with("none", &[uri]).await;
            let Begin::Consent { request } = begin(&server, &client, uri).await else { panic!("{uri}") };
            let who = employee.principal(&server).await;
            let world = server.running().world();
            let view = world.consent_view(&request, &who, &browser()).await.unwrap().expect("a view");
            assert_eq!((view.client.redirect_kind, &*view.client.redirect_host), (kind, host));
            assert_eq!(kind.is_local(), uri != WEB);
        }
    }
}
