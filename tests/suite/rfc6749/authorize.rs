//! Requests to `/authorize`: which parameters are taken, in which order faults are told, and whom they are told.

use std::collections::HashSet;

use switchboard::workspace::assistants::{
    authorize::Begin,
    consent::{Decision, Undecided},
};

use crate::{
    on_both,
    support::{Server, assistant::*},
};

fn query<'a>(client: &'a Client, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, String)> {
    client.ask(more)
}

async fn begin(server: &Server, client: &Client, more: &[(&str, &str)]) -> Begin {
    let query = query(client, more);
    let query: Vec<_> = query.iter().map(|(n, v)| (*n, v.as_str())).collect();
    server.begin(&query).await
}

async fn error(server: &Server, client: &Client, more: &[(&str, &str)]) -> String {
    match begin(server, client, more).await {
        Begin::Redirect(address) => {
            assert!(address.starts_with(&client.redirect_uri), "{address}");
            let told = Redirected::read(&address);
            assert_eq!(told.get("iss"), Some(&*server.base), "A-154");
            assert_eq!(told.get("code"), None);
            told.get("error").expect("an error").to_owned()
        }
        other => panic!("a redirect was expected for {more:?}: {other:?}"),
    }
}

async fn page(server: &Server, client: &Client, more: &[(&str, &str)]) {
    match begin(server, client, more).await {
        Begin::Page(page) => {
            assert_eq!(page.status, 400, "A-132: {page:?}");
            assert!(!page.reason.is_empty());
        }
        other => panic!("a page was expected for {more:?}: {other:?}"),
    }
}

async fn proceeds(server: &Server, client: &Client, more: &[(&str, &str)]) {
    let began = begin(server, client, more).await;
    assert!(matches!(began, Begin::Consent { .. }), "{more:?}: {began:?}");
}

on_both! {
    async fn client_and_redirect_uri_are_told_on_a_page(server: Server) {
        let client = server.client_with("none", &[WEB]).await;
        proceeds(&server, &client, &[]).await;
        // missing, unknown, malformed
        let unknown = crate::support::other_end(&client.id);
        for id in ["", "x", &unknown, "https://", "http://client.example/doc", "mcpc_", "mcpc_\u{e9}", "\0"] {
            page(&server, &client, &[("client_id", id)]).await;
        }
        // missing, another one, malformed
        for uri in [
            "", "x", "/callback", "https://evil.example/callback", "javascript:alert(1)", "\0",
            //
            "http://client.example/callback", "https://CLIENT.example/callback", "https://client.example/Callback",
            "https://client.example/callback/", "https://client.example/callback?", "https://client.example/callback?x=1",
            "https://client.example/%63allback", "https://client.example/callback#", "HTTPS://client.example/callback",
            //
            "https://client.example:443/callback", "https://client.example:8443/callback",
        ] {
            page(&server, &client, &[("redirect_uri", uri)]).await;
        }
        // even when both are good
        page(&server, &client, &[("client_id", &client.id), ("client_id", &client.id)]).await;
        page(&server, &client, &[("redirect_uri", WEB), ("redirect_uri", WEB)]).await;
        // before any other fault
        page(&server, &client, &[("client_id", "x"), ("response_type", "token"), ("scope", "x")]).await;
        page(&server, &client, &[("redirect_uri", "https://a/"), ("response_type", "token")]).await;
    }

    async fn other_faults_go_to_the_client(server: Server) {
        let client = server.client_with("none", &[WEB]).await;
        for (more, expected) in [
            (vec![("response_type", "token")], "unsupported_response_type"),
            (vec![("response_type", "code token")], "unsupported_response_type"),
            (vec![("response_type", "Code")], "unsupported_response_type"),
            (vec![("response_type", "")], "invalid_request"),
            (vec![("scope", "service:admin")], "invalid_scope"),
            (vec![("scope", "offline_access")], "invalid_scope"),
            (vec![("scope", "service:read offline_access")], "invalid_scope"),
            (vec![("scope", "service:read,service:write")], "invalid_scope"),
            (vec![("state", "a"), ("state", "a")], "invalid_request"),
            (vec![("scope", "service:read"), ("scope", "service:read")], "invalid_request"),
            (vec![("response_type", "code"), ("response_type", "code")], "invalid_request"),
            (vec![("code_challenge", CHALLENGE), ("code_challenge", CHALLENGE)], "invalid_request"),
            (vec![("code_challenge_method", "S256"), ("code_challenge_method", "S256")], "invalid_request"),
        ] {
            assert_eq!(error(&server, &client, &more).await, expected, "{more:?}");
        }
        // in this order
        let faults = [
            ("response_type", "", "invalid_request"),
            ("response_type", "token", "unsupported_response_type"),
            ("code_challenge", "x", "invalid_request"),
            ("resource", "x", "invalid_target"),
            ("scope", "x", "invalid_scope"),
        ];
        for (at, (name, value, expected)) in faults.iter().enumerate() {
            let mut all = vec![(*name, *value)];
            all.extend(faults[at + 1..].iter().filter(|(n, ..)| n != name).map(|(n, v, _)| (*n, *v)));
            assert_eq!(error(&server, &client, &all).await, *expected, "A-152: {all:?}");
        }
    }

    async fn state_comes_back_unchanged(server: Server) {
        let (employee, client) = (server.employee().await, server.client_with("none", &[WEB]).await);
        //
        for state in ["a b&c=d+e%20%zz#?/", "\u{e9}\u{1f600}\n\t\"<>", &"s".repeat(1000), "\0", "x"] {
            let told = server.turned_back(&ask(&client, &[("state", state), ("scope", "x")])).await;
            assert_eq!(told.get("state"), Some(state));
            let Begin::Consent { request } = server.begin(&ask(&client, &[("state", state)])).await else { panic!() };
            let approve = Decision::Approve(employee.workspace());
            let told = employee.decide(&server, &request, approve).await.unwrap();
            assert_eq!(told.get("state"), Some(state));
            let names: Vec<_> = told.parameters.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(names, ["code", "state", "iss"], "A-158");
        }
        //
        let told = server.turned_back(&ask(&client, &[("state", ""), ("scope", "x")])).await;
        assert_eq!(told.get("state"), None);
        let Begin::Consent { request } = server.begin(&ask(&client, &[("state", "")])).await else { panic!() };
        let told = employee.decide(&server, &request, Decision::Deny).await.unwrap();
        assert_eq!((told.get("state"), told.get("error")), (None, Some("access_denied")));
    }

    async fn a_query_of_the_redirect_uri_stays(server: Server) {
        let uri = "https://client.example/callback?x=1&y=%20";
        let (employee, client) = (server.employee().await, server.client_with("none", &[uri]).await);
        let told = server.turned_back(&ask(&client, &[("scope", "x")])).await;
        assert!(told.address.starts_with(&format!("{uri}&error=")), "A-156: {}", told.address);
        let Begin::Consent { request } = server.begin(&ask(&client, &[])).await else { panic!() };
        let told = employee.decide(&server, &request, Decision::Approve(employee.workspace())).await.unwrap();
        assert!(told.address.starts_with(&format!("{uri}&code=")), "A-156: {}", told.address);
    }

    async fn scopes_asked_for(server: Server) {
        let (employee, client) = (server.employee().await, server.client().await);
        let readonly = format!("{}/mcp/readonly", server.base);
        for (more, granted) in [
            (vec![], "service:read service:write"),
            (vec![("scope", "")], "service:read service:write"),
            (vec![("scope", "service:read")], "service:read"),
            (vec![("scope", "service:write")], "service:write"),
            (vec![("scope", "service:write service:read service:write")], "service:read service:write"),
            (vec![("resource", &*readonly)], "service:read"),
            (vec![("resource", &readonly), ("scope", "service:read")], "service:read"),
        ] {
            assert_eq!(employee.connect_with(&server, &client, &more).await.scope, granted, "{more:?}");
        }
        //
        let wide = [("resource", &*readonly), ("scope", "service:write")];
        assert_eq!(error(&server, &client, &wide).await, "invalid_scope");
    }

    async fn unknown_parameters_are_ignored(server: Server) {
        // D-262. Repeated ones too: RFC 6749 §3.1 forbids repeating the parameters "defined by this specification"
        // (erratum 5708), and says to ignore those that are not recognized
        let client = server.client().await;
        let more = [("prompt", "none"), ("login_hint", "a@b"), ("nonce", "n"), ("x", "1"), ("x", "2")];
        proceeds(&server, &client, &more).await;
    }

    async fn a_request_is_decided_once_in_its_time(server: Server) {
        let (employee, client) = (server.employee().await, server.client().await);
        let approve = Decision::Approve(employee.workspace());
        let request = async || match begin(&server, &client, &[]).await {
            Begin::Consent { request } => request,
            other => panic!("{other:?}"),
        };
        let (first, late, denied) = (request().await, request().await, request().await);
        assert_eq!(HashSet::from([&first, &late, &denied]).len(), 3);
        assert!(employee.decide(&server, &first, approve).await.is_ok());
        assert_eq!(employee.decide(&server, &first, approve).await.unwrap_err(), Undecided::Gone);
        assert!(employee.decide(&server, &denied, Decision::Deny).await.is_ok());
        assert_eq!(employee.decide(&server, &denied, approve).await.unwrap_err(), Undecided::Gone);
        assert_eq!(employee.decide(&server, "x", approve).await.unwrap_err(), Undecided::Gone);
        // ten minutes, from the first GET
        let still = request().await;
        server.clock.advance(seconds(599));
        assert!(employee.decide(&server, &still, approve).await.is_ok());
        server.advance(seconds(1)).await;
        for decision in [approve, Decision::Deny] {
            assert_eq!(employee.decide(&server, &late, decision).await.unwrap_err(), Undecided::Gone);
        }
    }

    async fn of_many_decisions_at_once_one_counts(server: Server) {
        let (employee, client) = (server.employee().await, server.client().await);
        let Begin::Consent { request } = begin(&server, &client, &[]).await else { panic!() };
        let approve = Decision::Approve(employee.workspace());
        let decisions = (0..10).map(|_| employee.decide(&server, &request, approve));
        let decided = futures_util::future::join_all(decisions).await;
        assert_eq!(decided.iter().filter(|d| d.is_ok()).count(), 1);
    }
}

fn ask<'a>(client: &'a Client, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let usual = [
        ("response_type", "code"),
        ("client_id", &*client.id),
        ("redirect_uri", &*client.redirect_uri),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
    ];
    usual.into_iter().chain(more.iter().copied().filter(|(_, value)| !value.is_empty())).collect()
}
