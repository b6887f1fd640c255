//! Requests to `/authorize`: which parameters are accepted, in which order the parameters are checked, which errors a
//! page shows, and which errors redirect to the client.

use std::collections::HashSet;

use switchboard::service::oauth::consent::{ConsentDecision, Undecided};

use crate::support::{Server, assistant::*, both_engines};

/// Asserts that the request redirects to the client with an error. Returns the error's code.
async fn error(server: &Server, client: &Client, more: &[(&str, &str)]) -> String {
    let outcome = server.begin_for(client, more).await.redirected();
    assert!(
        outcome.address.starts_with(&client.redirect_uri),
        "the error goes to the redirect URI: {}",
        outcome.address
    );
    assert_eq!(outcome.get("iss"), Some(&*server.base), "redirects with an error have `iss` (A-154)");
    assert_eq!(outcome.get("code"), None);
    outcome.get("error").expect("an error").to_owned()
}

/// Asserts that the request gets the error page.
async fn page(server: &Server, client: &Client, more: &[(&str, &str)]) {
    let page = server.begin_for(client, more).await.page();
    page.is(400, "This app cannot be connected");
    assert!(
        page.header("content-type").is_some_and(|kind| kind.starts_with("text/html")),
        "the error page for an invalid `client_id` or `redirect_uri` is HTML (A-132, A-133): {more:?}"
    );
}

/// Asserts that the request is accepted.
async fn proceeds(server: &Server, client: &Client, more: &[(&str, &str)]) {
    assert!(!server.begin_for(client, more).await.request().is_empty(), "the request is accepted: {more:?}");
}

#[both_engines]
async fn client_and_redirect_uri_errors_are_shown_on_a_page(server: Server) {
    let client = server.client_with("none", &[WEB]).await;
    // a redirect URI that equals a registered one is accepted
    proceeds(&server, &client, &[]).await;
    // the client id is missing, unknown or malformed
    let unknown = crate::support::with_other_last_character(&client.id);
    for id in ["", "x", &unknown, "https://", "http://client.example/doc", "mcpc_", "mcpc_\u{e9}", "\0"] {
        page(&server, &client, &[("client_id", id)]).await;
    }
    // the redirect URI is missing, not registered or malformed
    for uri in [
        "",
        "x",
        "/callback",
        "https://evil.example/callback",
        "javascript:alert(1)",
        "\0",
        // another scheme, letter case, path, trailing slash, query or percent-encoding; also a fragment
        "http://client.example/callback",
        "https://CLIENT.example/callback",
        "https://client.example/Callback",
        "https://client.example/callback/",
        "https://client.example/callback?",
        "https://client.example/callback?x=1",
        "https://client.example/%63allback",
        "https://client.example/callback#",
        "HTTPS://client.example/callback",
        // a port that the registered URI does not have, even the default port
        "https://client.example:443/callback",
        "https://client.example:8443/callback",
    ] {
        page(&server, &client, &[("redirect_uri", uri)]).await;
    }
    // a repeated parameter is an error, even if both values are valid
    page(&server, &client, &[("client_id", &client.id), ("client_id", &client.id)]).await;
    page(&server, &client, &[("redirect_uri", WEB), ("redirect_uri", WEB)]).await;
    // the client and the redirect URI are checked before the other parameters
    page(&server, &client, &[("client_id", "x"), ("response_type", "token"), ("scope", "x")]).await;
    page(&server, &client, &[("redirect_uri", "https://a/"), ("response_type", "token")]).await;
}

#[both_engines]
async fn errors_of_other_parameters_redirect_to_the_client(server: Server) {
    let client = server.client_with("none", &[WEB]).await;
    for (more, expected) in [
        // a response type other than `code`
        (vec![("response_type", "token")], "unsupported_response_type"),
        (vec![("response_type", "code token")], "unsupported_response_type"),
        (vec![("response_type", "Code")], "unsupported_response_type"),
        // a missing response type
        (vec![("response_type", "")], "invalid_request"),
        // scopes that the resource does not have
        (vec![("scope", "service:admin")], "invalid_scope"),
        (vec![("scope", "offline_access")], "invalid_scope"),
        (vec![("scope", "service:read offline_access")], "invalid_scope"),
        (vec![("scope", "service:read,service:write")], "invalid_scope"),
        // repeated parameters
        (vec![("state", "a"), ("state", "a")], "invalid_request"),
        (vec![("scope", "service:read"), ("scope", "service:read")], "invalid_request"),
        (vec![("response_type", "code"), ("response_type", "code")], "invalid_request"),
        (vec![("code_challenge", CHALLENGE), ("code_challenge", CHALLENGE)], "invalid_request"),
        (vec![("code_challenge_method", "S256"), ("code_challenge_method", "S256")], "invalid_request"),
    ] {
        assert_eq!(
            error(&server, &client, &more).await,
            expected,
            "the redirect has the error for the invalid or repeated parameter: {more:?}"
        );
    }
    // the parameters are checked in this order
    let errors = [
        ("response_type", "", "invalid_request"),
        ("response_type", "token", "unsupported_response_type"),
        ("code_challenge", "x", "invalid_request"),
        ("resource", "x", "invalid_target"),
        ("scope", "x", "invalid_scope"),
    ];
    for (at, (name, value, expected)) in errors.iter().enumerate() {
        let mut all = vec![(*name, *value)];
        all.extend(errors[at + 1..].iter().filter(|(n, ..)| n != name).map(|(n, v, _)| (*n, *v)));
        assert_eq!(
            error(&server, &client, &all).await,
            *expected,
            "the first failing check decides (A-152): {all:?}"
        );
    }
}

#[both_engines]
async fn state_is_returned_unchanged(server: Server) {
    let (employee, client) = (server.employee().await, server.client_with("none", &[WEB]).await);
    // the redirect returns `state` unchanged, on success and on error
    for state in ["a b&c=d+e%20%zz#?/", "\u{e9}\u{1f600}\n\t\"<>", &"s".repeat(1000), "\0", "x"] {
        let outcome =
            server.begin_redirected(&authorization_query(&client, &[("state", state), ("scope", "x")])).await;
        assert_eq!(outcome.get("state"), Some(state));
        let request = server.begin(&authorization_query(&client, &[("state", state)])).await.request();
        let approve = ConsentDecision::Approve(employee.workspace());
        let outcome = employee.decide(&server, &request, approve).await.unwrap();
        assert_eq!(outcome.get("state"), Some(state));
        let names: Vec<_> = outcome.parameters.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["code", "state", "iss"], "an approval returns code, state and issuer (A-158)");
    }
    // without `state` in the request, the redirect has no `state`
    let outcome =
        server.begin_redirected(&authorization_query(&client, &[("state", ""), ("scope", "x")])).await;
    assert_eq!(outcome.get("state"), None);
    let request = server.begin(&authorization_query(&client, &[("state", "")])).await.request();
    let outcome = employee.decide(&server, &request, ConsentDecision::Deny).await.unwrap();
    // a denial is reported to the client
    assert_eq!((outcome.get("state"), outcome.get("error")), (None, Some("access_denied")));
}

#[both_engines]
async fn a_redirect_uri_keeps_its_query(server: Server) {
    let uri = "https://client.example/callback?x=1&y=%20";
    let (employee, client) = (server.employee().await, server.client_with("none", &[uri]).await);
    let outcome = server.begin_redirected(&authorization_query(&client, &[("scope", "x")])).await;
    assert!(
        outcome.address.starts_with(&format!("{uri}&error=")),
        "a redirect URI keeps its query (A-156): {}",
        outcome.address
    );
    let request = server.begin(&authorization_query(&client, &[])).await.request();
    let outcome =
        employee.decide(&server, &request, ConsentDecision::Approve(employee.workspace())).await.unwrap();
    assert!(
        outcome.address.starts_with(&format!("{uri}&code=")),
        "a redirect URI keeps its query (A-156): {}",
        outcome.address
    );
}

#[both_engines]
async fn the_request_determines_the_granted_scopes(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let readonly = format!("{}/mcp/readonly", server.base);
    for (more, granted) in [
        // without `scope` all scopes of the resource are requested
        (vec![], "service:read service:write"),
        (vec![("scope", "")], "service:read service:write"),
        // any of the scopes may be requested
        (vec![("scope", "service:read")], "service:read"),
        (vec![("scope", "service:write")], "service:write"),
        // the token response has each granted scope once
        (vec![("scope", "service:write service:read service:write")], "service:read service:write"),
        (vec![("resource", &*readonly)], "service:read"),
        (vec![("resource", &readonly), ("scope", "service:read")], "service:read"),
    ] {
        assert_eq!(
            employee.connect_with(&server, &client, &more).await.scope,
            granted,
            "the granted scopes are those of the request: {more:?}"
        );
    }
    // a scope that the resource does not have is an error
    let wide = [("resource", &*readonly), ("scope", "service:write")];
    assert_eq!(error(&server, &client, &wide).await, "invalid_scope");
}

#[both_engines]
async fn unknown_parameters_are_ignored(server: Server) {
    // D-262: unknown parameters are ignored, even if they are repeated. RFC 6749 §3.1 requires servers to ignore them,
    // and forbids the repetition only of parameters "defined by this specification" (erratum 5708).
    let client = server.client().await;
    let more = [("prompt", "none"), ("login_hint", "a@b"), ("nonce", "n"), ("x", "1"), ("x", "2")];
    proceeds(&server, &client, &more).await;
}

#[both_engines]
async fn a_request_is_decided_once_within_ten_minutes(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let approve = ConsentDecision::Approve(employee.workspace());
    let request = async || server.begin_for(&client, &[]).await.request();
    let (first, late, denied) = (request().await, request().await, request().await);
    assert_eq!(HashSet::from([&first, &late, &denied]).len(), 3);
    let open = async |request: &str| employee.open(&server, request).await;
    // a decided request cannot be opened again; its decision cannot be changed, even by a form that was opened before
    // the decision
    let deny = ConsentDecision::Deny;
    for (request, decision, other) in [(&first, approve, deny), (&denied, deny, approve)] {
        let mut form = open(request).await.expect("the consent page");
        let decided = form.decide(decision).await.expect("decided");
        assert_eq!(form.decide(other).await.unwrap_err(), Undecided::NoRequest);
        let repeated = form.decide(decision).await.expect("a double click gets the same response");
        assert_eq!(repeated.address, decided.address);
        assert_eq!(open(request).await.err(), Some(Undecided::NoRequest));
    }
    assert_eq!(open("x").await.err(), Some(Undecided::NoRequest));
    // a request is valid for ten minutes from the GET that began it
    let in_time = request().await;
    server.clock.advance(seconds(599));
    assert!(employee.decide(&server, &in_time, approve).await.is_ok());
    let mut form = open(&late).await.expect("the consent page");
    server.advance(seconds(1)).await;
    for decision in [approve, ConsentDecision::Deny] {
        assert_eq!(
            form.decide(decision).await.unwrap_err(),
            Undecided::NoRequest,
            "an expired request cannot be decided (A-161)"
        );
    }
    assert_eq!(
        open(&late).await.err(),
        Some(Undecided::NoRequest),
        "an expired request cannot be opened (A-161)"
    );
}

#[both_engines]
async fn one_of_many_concurrent_decisions_succeeds(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let request = server.begin_for(&client, &[]).await.request();
    let approve = ConsentDecision::Approve(employee.workspace());
    let mut forms = Vec::new();
    for _ in 0..10 {
        forms.push(employee.open(&server, &request).await.expect("the consent page"));
    }
    let decided = futures_util::future::join_all(forms.iter_mut().map(|form| form.decide(approve))).await;
    assert_eq!(decided.iter().filter(|d| d.is_ok()).count(), 1);
}

fn authorization_query<'a>(client: &'a Client, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let usual = [
        ("response_type", "code"),
        ("client_id", &*client.id),
        ("redirect_uri", &*client.redirect_uri),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
    ];
    usual.into_iter().chain(more.iter().copied().filter(|(_, value)| !value.is_empty())).collect()
}
