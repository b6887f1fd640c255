//! Rules for the whole bot API: paths, methods, the error envelope, and the headers of every response.
//! B-001 … B-012, B-026, B-028, B-345, D-021.
//!
//! `support::api` checks B-002 … B-008, B-025 and B-400 for every response of every test.

use std::{collections::BTreeSet, sync::Arc};

use reqwest::Method;
use serde_json::{Value, json};
use switchboard::{config::Environment, generated::bot};

use crate::support::{
    Api, BotFixture, OAUTH_PATHS, OPERATIONS, Options, Server, fresh_key, server, wire, with_query,
};

/// Returns the paths of the bot API, each with its methods.
fn paths() -> Vec<(&'static str, BTreeSet<&'static str>)> {
    let mut paths: Vec<(&str, BTreeSet<&str>)> = Vec::new();
    let oauth = OAUTH_PATHS.iter().map(|path| (*path, "POST"));
    let v1 = OPERATIONS.iter().map(|o| (o.path.split('?').next().unwrap_or_default(), o.method.as_str()));
    for (path, method) in v1.chain(oauth) {
        match paths.iter_mut().find(|(known, _)| *known == path) {
            Some((_, methods)) => _ = methods.insert(method),
            None => paths.push((path, BTreeSet::from([method]))),
        }
    }
    paths
}

/// Returns the path with well-formed, unknown ids instead of placeholders.
fn filled(path: &str) -> String {
    path.replace("{message}", "gmsg_0000000000001")
        .replace("{conversation}", "grp_0000000000001")
        .replace("{file}", "fil_0000000000001")
        .replace("{user}", "usr_0000000000001")
        .replace("{email}", "nobody@example.com")
}

/// The tests' table of operations has every operation of the OpenAPI document. So a test that runs for each operation
/// of the table also runs for a new operation.
#[test]
fn the_tests_have_every_operation_of_the_document() {
    // B-001, B-051: method, path and scope of each operation
    let with_anonymous_parameters = |path: &str| {
        let path = path.split('?').next().unwrap_or_default();
        let parts = path.split('/').map(|part| if part.starts_with('{') { "{}" } else { part });
        parts.collect::<Vec<_>>().join("/")
    };
    let of_tests =
        OPERATIONS.iter().map(|o| (o.method.as_str(), with_anonymous_parameters(o.path), o.scope.as_slice()));
    let no_scopes: &[&str] = &[];
    let of_apps = OAUTH_PATHS.iter().map(|path| ("POST", with_anonymous_parameters(path), no_scopes));
    let tested: BTreeSet<_> = of_tests.chain(of_apps).collect();
    let promised: BTreeSet<_> = bot::OPERATIONS
        .iter()
        .map(|info| (info.method, with_anonymous_parameters(info.path), info.scopes))
        .collect();
    assert_eq!(tested, promised);
    assert_eq!(promised.len(), 13, "the document has 13 operations (B-001)");
}

async fn assert_has_all_operations(api: &Api) {
    for operation in &OPERATIONS {
        // the 401 proves that the path is routed: an unknown path gets 404 even without a token
        api.call(operation.method.clone(), &filled(operation.path)).refused(401, "not_authed").await;
    }
    for path in OAUTH_PATHS {
        api.post(path)
            .form(&[("grant_type", "authorization_code"), ("token", "x")])
            .refused(401, "invalid_client")
            .await;
    }
}

#[tokio::test]
async fn every_environment_has_the_same_13_operations() {
    // B-001: the operations do not depend on the environment
    assert_has_all_operations(&Server::sqlite().await.api()).await;
    assert_has_all_operations(&Server::production().await.api()).await;
    let dev: server::Configure = Arc::new(|config| config.environment = Environment::Dev);
    let options = Options { configure: Some(dev), ..Options::default() };
    assert_has_all_operations(&Server::with(options).await.expect("a server on SQLite starts").api()).await;
}

#[tokio::test]
async fn a_success_is_json_with_ok() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    for operation in &OPERATIONS {
        let answer = fixture.call(&fixture.bot.api, operation).await.send().await;
        let body = answer.ok(operation.status);
        assert_eq!(body["ok"], true, "a success has `ok: true` (B-002): {}", operation.name());
        assert_eq!(
            answer.header("content-type"),
            Some("application/json"),
            "responses are JSON (B-007): {}",
            operation.name()
        );
        assert_eq!(
            answer.header("cache-control"),
            Some("no-store"),
            "a response is not cached, because it has personal data (D-018): {}",
            operation.name()
        );
        assert!(
            answer.header("access-control-allow-origin").is_none(),
            "a response has no CORS headers (D-006): {}",
            operation.name()
        );
    }
}

#[tokio::test]
async fn an_error_response_has_the_error_envelope() {
    let server = Server::sqlite().await;
    for operation in &OPERATIONS {
        let path = filled(operation.path);
        let answer = server.api().call(operation.method.clone(), &path).refused(401, "not_authed").await;
        assert_eq!(
            answer.header("content-type"),
            Some("application/json"),
            "responses are JSON (B-007): {}",
            operation.name()
        );
        assert_eq!(
            answer.header("cache-control"),
            Some("no-store"),
            "an error is not cached (D-018): {}",
            operation.name()
        );
        let body = answer.json();
        let error: Vec<_> =
            body["error"].as_object().expect("a failure has the error envelope (B-003)").keys().collect();
        assert_eq!(error, ["code", "message"], "a failure has the error envelope (B-003)");
        assert!(body["request_id"].is_string(), "a failure has the error envelope (B-003)");
    }
}

#[tokio::test]
async fn request_ids_of_clients_are_not_returned() {
    let server = Server::sqlite().await;
    let api = server.api();
    for of_client in ["mine", "req_00000000000000000000000000", "a b", "<script>"] {
        for path in ["/v1/auth/test", "/v1/nothing"] {
            let answer = api.get(path).header("x-request-id", of_client).send().await;
            let id = answer.header("x-request-id").expect("the server adds a request id (B-004)").to_owned();
            assert_ne!(id, of_client, "a request id of the client is not returned (B-006)");
            assert!(!answer.text().contains(of_client), "a request id of the client is not returned (B-006)");
            let body = id.strip_prefix("req_").expect("a request id begins with `req_` (D-003)");
            assert!(
                body.len() == 26 && body.bytes().all(|b| b.is_ascii_alphanumeric()),
                "a request id has 26 characters (D-003): {id}"
            );
        }
    }
    // B-006: two requests with the same id from the client get different ids; `Api` checks this
}

#[tokio::test]
async fn unknown_paths_get_404() {
    let server = Server::sqlite().await;
    let api = server.api();
    let unknown = api.bearer("svc_bot_test_nothing");
    for path in [
        "/v1",
        "/v1/nothing",
        "/v1/auth",
        "/v1/auth/test/more",
        "/v1/message",
        "/v1/messages/gmsg_0000000000001/edits",
        "/v1/conversations/grp_0000000000001/files",
        "/v1/conversations/grp_0000000000001/members",
        "/v1/users/usr_0000000000001/messages",
        "/oauth",
        "/oauth/tokens",
        // B-026: only the OAuth operations are outside `/v1`, and there is no other version
        "/v2/users",
        "/v2/messages",
        "/v0/users",
        "/users",
        "/messages",
        "/auth/test",
        "/v1/oauth/token",
        "/v1/oauth/revoke",
    ] {
        for method in [Method::GET, Method::POST, Method::DELETE] {
            // B-009: without a token (D-002) and with an unknown token
            api.call(method.clone(), path).refused(404, "not_found").await;
            unknown.call(method, path).refused(404, "not_found").await;
        }
    }
}

#[tokio::test]
async fn paths_are_exact() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    for (path, methods) in paths() {
        let path = path
            .replace("{conversation}", &fixture.group)
            .replace("{file}", &fixture.file)
            .replace("{user}", &fixture.person);
        let path = filled(&path);
        let upper =
            if path.starts_with("/v1") { path.replacen("/v1", "/V1", 1) } else { path.to_uppercase() };
        for other in [format!("{path}/"), path.replacen('/', "//", 1), upper, format!("{path}//")] {
            for method in &methods {
                let method = Method::from_bytes(method.as_bytes()).expect("a method");
                // B-012, D-007: the server sends no redirect to the exact path
                fixture.bot.api.call(method, &other).refused(404, "not_found").await;
            }
        }
    }
    for path in ["/v1//users", "/v1/Users", "/v1/auth//test", "/v1/Auth/test", "/v1/conversations//messages"]
    {
        fixture.bot.api.get(path).refused(404, "not_found").await;
    }
    for path in ["/v1/./users", "/v1/auth/../users", "/../v1/users", "/v1/users/."] {
        let authorization = format!("authorization: Bearer {}", fixture.bot.token);
        let answer = wire::request(&server.base, &format!("GET {path}"), &[&authorization], b"").await;
        assert_eq!(answer.status, 404, "paths are compared exactly (B-012): {path}");
    }
}

#[tokio::test]
async fn unsupported_methods_get_405() {
    let server = Server::sqlite().await;
    let api = server.api();
    let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"];
    for (path, supported) in paths() {
        for method in methods.iter().filter(|m| !supported.contains(*m)) {
            let call = api.call(Method::from_bytes(method.as_bytes()).expect("a method"), &filled(path));
            // B-010, D-002: the method is checked before the token
            let answer = call.refused(405, "client_error").await;
            let allow = answer.header("allow").expect("a 405 has the header `Allow` (B-010)");
            let allowed: BTreeSet<_> = allow.split(',').map(str::trim).filter(|m| *m != "HEAD").collect();
            assert_eq!(allowed, supported, "405 names the allowed methods (B-010): {method} {path}");
            assert_eq!(
                allow.split(',').any(|allowed| allowed.trim() == "HEAD"),
                supported.contains("GET"),
                "HEAD is allowed exactly where GET is allowed (B-011): {method} {path}"
            );
            assert!(
                answer.headers.keys().all(|name| !name.as_str().starts_with("access-control-")),
                "a 405 has no CORS headers (D-006): {path}"
            );
        }
    }
}

#[tokio::test]
async fn a_preflight_is_refused() {
    // D-006: the bot API has no CORS
    let server = Server::sqlite().await;
    let call = server.api().call(Method::OPTIONS, "/v1/messages");
    let call = call.header("origin", "https://evil.example").header("access-control-request-method", "POST");
    let answer = call.refused(405, "client_error").await;
    assert!(answer.headers.keys().all(|name| !name.as_str().starts_with("access-control-")));
}

/// Returns the header `RateLimit` of the response to the next request, if the server's clock does not move in between:
/// `"single";r=99;t=60` becomes `"single";r=98;t=60`.
fn with_one_less(ratelimit: &str) -> String {
    let (before, rest) = ratelimit.split_once(";r=").expect("a remainder");
    let (left, after) = rest.split_once(';').expect("a time");
    let left: u32 = left.parse().expect("a number");
    format!("{before};r={};{after}", left - 1)
}

#[tokio::test]
async fn head_is_get_without_a_body() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    for operation in OPERATIONS.iter().filter(|o| o.is_read()) {
        let path = fixture.path(operation).await;
        for (api, path) in [
            (fixture.bot.api.clone(), path.clone()),
            (server.api(), path.clone()),
            (fixture.bot.api.clone(), with_query(&path, "token=x")),
        ] {
            let get = api.get(&path).send().await;
            let head = api.call(Method::HEAD, &path).send().await;
            let rule = format!("HEAD answers as GET without a body (B-011): {path}");
            assert_eq!(head.status, get.status, "{rule}");
            assert!(head.bytes.is_empty(), "{rule}");
            for header in
                ["content-type", "content-length", "cache-control", "www-authenticate", "ratelimit-policy"]
            {
                assert_eq!(head.header(header), get.header(header), "{rule}: {header}");
            }
            assert!(get.header("content-length").is_some_and(|length| length != "0"), "{rule}");
            // D-005: a HEAD request counts against the same limit as a GET request
            let left = get.header("ratelimit").map(with_one_less);
            assert_eq!(head.header("ratelimit"), left.as_deref(), "{rule}: ratelimit");
        }
    }
    // paths without GET have no HEAD
    for path in ["/v1/messages", "/oauth/token", "/oauth/revoke", "/v1/messages/gmsg_0000000000001"] {
        let answer = fixture.bot.api.call(Method::HEAD, path).send().await;
        assert_eq!(answer.status, 405, "a path without GET has no HEAD (B-010): {path}");
        assert!(answer.bytes.is_empty(), "HEAD answers as GET without a body (B-011): {path}");
    }
    assert_eq!(fixture.bot.api.call(Method::HEAD, "/v1/nothing").send().await.status, 404);
}

#[tokio::test]
async fn unknown_query_parameters_are_ignored() {
    // B-028: query parameters that the contract does not define are ignored
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    for operation in &OPERATIONS {
        for parameters in
            ["foo=bar", "foo", "foo=&foo=1", "tokens=1&my_token=x", "%F0%9F%98%80=%00", "page=2&offset=1"]
        {
            let path = with_query(&fixture.path(operation).await, parameters);
            fixture.call_at(&fixture.bot.api, operation, &path).ok(operation.status).await;
        }
    }
}

#[tokio::test]
async fn only_the_token_check_returns_the_domain() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    for operation in &OPERATIONS {
        let answer = fixture.call(&fixture.bot.api, operation).await.ok(operation.status).await;
        let names = member_names(&answer);
        assert_eq!(
            names.contains("domain"),
            operation.path == "/v1/auth/test",
            "only GET /v1/auth/test returns the company's domain (B-345): {}",
            operation.name()
        );
    }
}

/// Returns the names of all members at any depth of a value.
fn member_names(value: &Value) -> BTreeSet<String> {
    match value {
        Value::Object(members) => members
            .iter()
            .flat_map(|(name, value)| member_names(value).into_iter().chain([name.clone()]))
            .collect(),
        Value::Array(items) => items.iter().flat_map(member_names).collect(),
        _ => BTreeSet::new(),
    }
}

#[tokio::test]
async fn an_error_message_has_no_long_input_and_no_secret() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let long = "x".repeat(65);
    let body = json!({"to": {"type": long, "id": long}, "text": 5, "blocks": long});
    let answer = fixture
        .bot
        .api
        .post("/v1/messages")
        .key(&fresh_key())
        .json(&body)
        .refused(400, "invalid_request")
        .await;
    assert!(!answer.text().contains(&long), "an error message has no long input (D-021)");
    let token = format!("{}x", fixture.bot.token);
    let answer = server.api().bearer(&token).get("/v1/auth/test").refused(401, "invalid_auth").await;
    assert!(!answer.text().contains("svc_bot_"), "an error message has no token (D-021): {}", answer.text());
    let answer = server.api().get(&format!("/v1/users?q={token}")).refused(400, "token_in_query").await;
    assert!(
        !answer.text().contains("svc_bot_test_"),
        "an error message has no token (D-021): {}",
        answer.text()
    );
    let answer = fixture.bot.api.get(&format!("/v1/users/{long}")).refused(404, "user_not_found").await;
    assert!(!answer.text().contains(&long), "an error message has no long input (D-021)");
}
