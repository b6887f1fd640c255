//! Runs `switchboard doctor` for a correct deployment behind a proxy, and for deployments with one misconfiguration
//! each.

use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::FutureExt;
use http::request::Parts;

use super::*;

const BASE: &str = "SWITCHBOARD_BASE_URL";
const TRUSTED: &str = "SWITCHBOARD_TRUSTED_PROXIES";

async fn behind(behaviour: ProxyBehaviour) -> DoctorReport {
    let proxy = Proxy::start(behaviour).await;
    Deployment::behind(&proxy, |_| {}).await.report().await
}

#[tokio::test]
async fn a_correct_deployment_passes_every_check() {
    let report = behind(ProxyBehaviour::good()).await;
    for (check, words) in [
        ("store", "a server has locked"),
        ("files", "deleted"),
        ("server", "is ready"),
        ("dns", "127.0.0.1"),
        ("clock", "agree"),
        ("metadata", "issuer"),
        ("metadata", "do not change"),
        ("cors", "preflight"),
        ("proxy", "Authorization reaches"),
        ("proxy", "WWW-Authenticate reaches clients"),
        ("proxy", "headers of clients"),
        ("proxy", "headers of responses"),
        ("caller", "198.51.100.9"),
        ("bodies", "rejects a body with one byte more"),
        ("streaming", "arrive as they are sent"),
    ] {
        is_ok(&report, check, words);
    }
    assert_eq!(report.failures(), 0, "{}", report.text());
}

#[tokio::test]
async fn an_error_of_a_request_without_x_forwarded_host_is_not_attributed_to_this_header() {
    const PATH: &str = "/.well-known/oauth-authorization-server";
    let proxy = Proxy::start(ProxyBehaviour::good()).await;
    let answered = Arc::new(AtomicUsize::new(0));
    // `doctor` requests the metadata document at `PATH` twice without `X-Forwarded-Host`. With the first request it
    // checks the document itself, and this request succeeds. The second response is compared with the response to a
    // request that has the header. The proxy lets this second request without the header fail.
    proxy.answering(Arc::new(move |parts: Parts, _| {
        let is_plain = parts.uri.path() == PATH && !parts.headers.contains_key("x-forwarded-host");
        let fails = is_plain && answered.fetch_add(1, Ordering::Relaxed) == 1;
        async move { fails.then(|| (502, Vec::new(), String::new())) }.boxed()
    }));
    let deployment = Deployment::behind(&proxy, |_| {}).await;
    let report = deployment.report().await;
    let finding = find(&report, "metadata", "returns 502");
    assert_eq!(finding.state, CheckState::Failure, "{finding:?}");
    assert!(!report.text().contains("X-Forwarded-Host"), "{}", report.text());
}

#[tokio::test]
async fn a_proxy_that_buffers_responses_is_reported() {
    let report = behind(ProxyBehaviour { buffers: true, ..ProxyBehaviour::good() }).await;
    fails(&report, "streaming", "buffers responses", BASE, "proxy_buffering off");
}

#[tokio::test]
async fn a_proxy_that_strips_headers_is_reported() {
    let removed_response_headers = vec!["www-authenticate", "mcp-session-id", "x-request-id"];
    let report = behind(ProxyBehaviour { removed_response_headers, ..ProxyBehaviour::good() }).await;
    fails(&report, "proxy", "removes WWW-Authenticate", BASE, "how to sign in");
    fails(&report, "proxy", "lose the headers Mcp-Session-Id, X-Request-Id", BASE, "response headers");

    let removed_request_headers = vec!["mcp-method", "idempotency-key"];
    let report = behind(ProxyBehaviour { removed_request_headers, ..ProxyBehaviour::good() }).await;
    fails(&report, "proxy", "lose the headers idempotency-key, mcp-method", BASE, "request headers");

    let report =
        behind(ProxyBehaviour { removed_request_headers: vec!["authorization"], ..ProxyBehaviour::good() })
            .await;
    fails(&report, "proxy", "Authorization does not reach", BASE, "Authorization header");
}

#[tokio::test]
async fn a_proxy_that_limits_bodies_is_reported() {
    let report = behind(ProxyBehaviour { largest_body: Some(512 * 1024), ..ProxyBehaviour::good() }).await;
    // the largest form of the web client has files of 1 GiB together, and two fields of at most 1 MiB each
    let advice = "client_max_body_size 1030m";
    fails(&report, "bodies", "a proxy in front of the server returns 413", BASE, advice);
    assert!(
        include_str!("../../../../docs/operations.md").contains(advice),
        "docs/operations.md advises the same limit"
    );
    // The proxy and the server have the same limit. So a larger body gets the error of the proxy, never that of the
    // server.
    let report = behind(ProxyBehaviour { largest_body: Some(1_048_576), ..ProxyBehaviour::good() }).await;
    fails(&report, "bodies", "1 MiB and a byte", BASE, advice);
}

#[tokio::test]
async fn a_proxy_that_sends_no_client_address_is_reported() {
    let report = behind(ProxyBehaviour { forwarded_for: "", ..ProxyBehaviour::good() }).await;
    // The check sends a forged `X-Forwarded-For`, which the proxy forwards unchanged. The server trusts the proxy, so
    // it takes the forged address for that of the caller.
    fails(&report, "caller", "callers can forge their address", TRUSTED, "append the address");
    let report = behind(ProxyBehaviour {
        forwarded_for: "",
        removed_request_headers: vec!["x-forwarded-for"],
        ..ProxyBehaviour::good()
    })
    .await;
    fails(&report, "caller", "does not report the caller", TRUSTED, "send X-Forwarded-For");
}

#[tokio::test]
async fn a_proxy_that_is_not_trusted_is_reported() {
    let proxy = Proxy::start(ProxyBehaviour::good()).await;
    let deployment = Deployment::behind(&proxy, |config| config.trusted_proxies.clear()).await;
    fails(&deployment.report().await, "caller", "is not trusted", TRUSTED, "add 127.0.0.1");
}

#[tokio::test]
async fn trusting_every_address_is_reported() {
    let proxy = Proxy::start(ProxyBehaviour::good()).await;
    let all = |config: &mut Config| config.trusted_proxies = vec!["0.0.0.0/0".parse().unwrap()];
    let report = Deployment::behind(&proxy, all).await.report().await;
    fails(&report, "configuration", "trusts every address", TRUSTED, "only the addresses");
}

#[tokio::test]
async fn a_proxy_that_adds_cors_headers_is_reported() {
    let added_response_headers = vec![("access-control-allow-origin", "*")];
    let report = behind(ProxyBehaviour { added_response_headers, ..ProxyBehaviour::good() }).await;
    fails(&report, "cors", "[\"*\", \"*\"]", BASE, "CORS");
}

#[tokio::test]
async fn a_proxy_that_does_not_forward_a_path_is_reported() {
    let report =
        behind(ProxyBehaviour { own_404_prefix: Some("/.well-known/"), ..ProxyBehaviour::good() }).await;
    fails(&report, "metadata", "returns 404", BASE, "/.well-known/");
}

#[tokio::test]
async fn a_response_of_a_proxy_is_not_reported_as_a_missing_challenge() {
    let report =
        behind(ProxyBehaviour { own_404_prefix: Some("/v1/auth/test"), ..ProxyBehaviour::good() }).await;
    fails(&report, "proxy", "returns 404, which is not a response of the server", BASE, "every path");
    assert!(!report.text().contains("WWW-Authenticate"), "{}", report.text());
}

#[tokio::test]
async fn a_url_that_leads_to_another_server_is_reported() {
    let proxy = Proxy::start(ProxyBehaviour::good()).await;
    let elsewhere = Proxy::start(ProxyBehaviour::good()).await;
    let mut deployment = Deployment::behind(&proxy, |_| {}).await;
    deployment.config.base_url = BaseUrl::parse(&elsewhere.url).unwrap();
    let report = deployment.report().await;
    fails(&report, "server", "does not reach the server", BASE, "SWITCHBOARD_LISTEN");
    assert_eq!(find(&report, "proxy", "correct that first").state, CheckState::Skipped);
    // no server listens on this port
    deployment.config.base_url = BaseUrl::parse("http://127.0.0.1:9").unwrap();
    fails(&deployment.report().await, "server", "cannot reach", BASE, "the proxy runs");
}

/// The check sends its request to the listen address, and not through the proxy. A second proxy is the other program.
#[tokio::test]
async fn another_program_at_the_listen_address_is_reported() {
    let proxy = Proxy::start(ProxyBehaviour::good()).await;
    let other = Proxy::start(ProxyBehaviour::good()).await;
    let mut deployment = Deployment::behind(&proxy, |_| {}).await;
    deployment.config.listen = other.url.strip_prefix("http://").unwrap().parse().unwrap();
    let report = deployment.report().await;
    let listen = "SWITCHBOARD_LISTEN";
    fails(&report, "server", "502, which is not a health response", listen, "another program");
}

#[tokio::test]
async fn a_server_with_another_configuration_is_reported() {
    let proxy = Proxy::start(ProxyBehaviour::good()).await;
    let mut deployment = Deployment::behind(&proxy, |_| {}).await;
    let mcp_proxy = Proxy::start(ProxyBehaviour::good()).await;
    mcp_proxy.to(&deployment.server.base);
    deployment.config.mcp_url = Some(BaseUrl::parse(&mcp_proxy.url).unwrap());
    let report = deployment.report().await;
    fails(&report, "metadata", "issuer is", "SWITCHBOARD_MCP_URL", "restart the server");
}

#[tokio::test]
async fn a_missing_operator_key_skips_checks_and_a_wrong_one_is_reported() {
    let proxy = Proxy::start(ProxyBehaviour::good()).await;
    let deployment = Deployment::behind(&proxy, |_| {}).await;
    let report = examine(DoctorContext { key: None, ..context(deployment.config.clone()) }).await;
    assert_eq!(find(&report, "streaming", "SWITCHBOARD_OPERATOR_KEY").state, CheckState::Skipped);
    is_ok(&report, "proxy", "Authorization reaches");
    let wrong = Secret::new(token::mint(TokenKind::Operator, &[8; 32]));
    let report = examine(DoctorContext { key: Some(wrong), ..context(deployment.config) }).await;
    let setting = "SWITCHBOARD_OPERATOR_KEY_SHA256";
    fails(&report, "configuration", "not the configured one", setting, "SHA-256");
}

#[tokio::test]
async fn only_the_operator_may_use_the_diagnostic_paths() {
    let server = Server::sqlite().await;
    for path in ["/diagnostics/request", "/diagnostics/stream"] {
        server.api().get(path).refused(401, "not_authed").await;
        server.api().bearer("svc_bot_test_x").get(path).refused(401, "invalid_auth").await;
        server.operator().post(path).refused(405, "client_error").await;
    }
    let seen = server.operator().get("/diagnostics/request").header("cookie", "a=b").ok(200).await;
    assert_eq!((&seen["peer"], &seen["peer_is_trusted"]), (&"127.0.0.1".into(), &false.into()));
    assert!(seen["headers"].get("cookie").is_none() && seen["headers"].get("authorization").is_none());
    assert_eq!(seen["base_url"], server.base);
}
