//! A client that knows only an MCP URL. Each address, parameter and rule that it uses comes from a document of the
//! server or from a standard.

use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use switchboard::service::oauth::consent::ConsentDecision;

use crate::support::{
    Server, assistant::*, authorize::*, both_engines, mcp::MODERN, oauth::ClientHost, text,
};

/// A redirect URI with a private-use scheme, which is a domain name in reverse order (RFC 8252 §7.1).
const PRIVATE: &str = "com.example.app:/callback";

/// The result of discovery.
struct Discovered {
    resource: String,
    issuer: String,
    metadata: Value,
}

async fn get(server: &Server, url: &str) -> Value {
    let response = server.api().http.get(url).send().await.expect("the server responds");
    assert_eq!(response.status(), 200, "the document can be read without a token: {url}");
    assert_eq!(
        response.headers()["content-type"],
        "application/json",
        "metadata is JSON (RFC 8414 §3.2): {url}"
    );
    response.json().await.expect("JSON")
}

/// Finds the metadata of the authorization server, starting from the URL of an MCP endpoint (RFC 9728 §5).
async fn discover(server: &Server) -> Discovered {
    let got = server.mcp("", MODERN).list_tools().await;
    assert_eq!(got.status, 401);
    let challenge = got.header("www-authenticate").expect("a 401 has a challenge (RFC 9728 §5.1)");
    let (_, rest) = challenge
        .split_once("resource_metadata=\"")
        .expect("the challenge has the address of the metadata (RFC 9728 §5.1)");
    let resource = get(server, rest.split('"').next().expect("an address")).await;
    assert_eq!(
        resource["resource"],
        format!("{}/mcp", server.base),
        "the metadata names the requested URL (RFC 9728 §3.3)"
    );
    let issuer = text(&resource, "/authorization_servers/0");
    let metadata = get(server, &format!("{issuer}/.well-known/oauth-authorization-server")).await;
    assert_eq!(
        metadata["issuer"],
        issuer.as_str(),
        "the metadata names the issuer from whose URL it was read (RFC 8414 §3.3)"
    );
    for (member, value) in [
        ("response_types_supported", "code"),
        ("grant_types_supported", "refresh_token"),
        ("code_challenge_methods_supported", "S256"), // MCP requires PKCE with S256 (RFC 7636)
        ("token_endpoint_auth_methods_supported", "none"), // native apps are public clients (RFC 8252 §8.4)
    ] {
        let supported = metadata[member].as_array();
        let supported = supported.unwrap_or_else(|| panic!("{member} is a list (RFC 8414 §2)"));
        assert!(supported.contains(&json!(value)), "{member} has {value} (RFC 8414 §2): {supported:?}");
    }
    assert_eq!(
        metadata["authorization_response_iss_parameter_supported"], true,
        "the metadata says that redirects have `iss` (RFC 9207 §3)"
    );
    assert_eq!(metadata["client_id_metadata_document_supported"], true);
    Discovered { resource: text(&resource, "/resource"), issuer, metadata }
}

impl Discovered {
    fn endpoint(&self, name: &str) -> String {
        text(&self.metadata, &format!("/{name}_endpoint"))
    }

    /// Posts a form to an endpoint. Asserts that the response is JSON and forbids caching. Returns status, headers and
    /// body.
    async fn post(&self, server: &Server, name: &str, form: &[(&str, &str)]) -> (u16, HeaderMap, Value) {
        let call = server.api().http.post(self.endpoint(name));
        let call = call.header("content-type", "application/x-www-form-urlencoded");
        let body = serde_urlencoded::to_string(form).expect("form fields");
        let sent = call.body(body).send().await.expect("an answer");
        let (status, headers) = (sent.status().as_u16(), sent.headers().clone());
        assert_eq!(headers["cache-control"], "no-store", "a response is not cached (RFC 6749 §5.1): {name}");
        (status, headers, sent.json().await.expect("JSON"))
    }

    /// Asserts an error response of RFC 6749 §5.2.
    async fn refused(&self, server: &Server, form: &[(&str, &str)], error: &str) {
        let (status, _, body) = self.post(server, "token", form).await;
        assert_eq!(
            (status, &body["error"]),
            (400, &json!(error)),
            "the error response has the status 400 and this code (RFC 6749 §5.2): {body}"
        );
    }

    /// Opens the authorization endpoint with these parameters.
    async fn authorize(&self, server: &Server, query: &[(&str, &str)]) -> AuthorizeAnswer {
        let expected = format!("{}/authorize", server.base);
        assert_eq!(
            self.endpoint("authorization"),
            expected,
            "the metadata names this endpoint (RFC 8414 §2)"
        );
        server.begin(query).await
    }
}

/// Registers a native client (RFC 7591) and returns its id. Also asserts that an invalid redirect URI is rejected.
async fn register(server: &Server, found: &Discovered) -> String {
    let metadata = json!({
        "client_name": "Standards Walker", "redirect_uris": [PRIVATE], "token_endpoint_auth_method": "none",
    });
    let sent = server.api().http.post(found.endpoint("registration")).json(&metadata).send().await;
    let sent = sent.expect("an answer");
    assert_eq!(sent.status(), 201, "a registration returns 201 (RFC 7591 §3.2.1)");
    assert_eq!(sent.headers()["cache-control"], "no-store", "the response is not cached (RFC 7591 §3.2.1)");
    let made: Value = sent.json().await.expect("JSON");
    for (member, value) in metadata.as_object().expect("members") {
        assert_eq!(&made[member], value, "the response has the registered metadata (RFC 7591 §3.2.1)");
    }
    assert!(made.get("client_secret").is_none(), "a public client has no secret (RFC 7591 §3.2.1): {made}");
    let wrong = json!({"client_name": "Standards Walker", "redirect_uris": ["myapp:/callback"]});
    let sent = server.api().http.post(found.endpoint("registration")).json(&wrong).send().await;
    let sent = sent.expect("an answer");
    assert_eq!(sent.status(), 400, "a private-use scheme needs a period (RFC 8252 §8.4)");
    let problem: Value = sent.json().await.expect("JSON");
    assert_eq!(
        problem["error"], "invalid_redirect_uri",
        "an invalid redirect URI gets this error code (RFC 7591 §3.2.2)"
    );
    text(&made, "/client_id")
}

/// Runs the authorization code flow with PKCE, resource indicator and issuer identification, and returns the code.
/// First asserts the errors of three invalid requests.
async fn authorize(server: &Server, found: &Discovered, employee: &Employee, client_id: &str) -> String {
    let good = [
        ("response_type", "code"),
        ("client_id", client_id),
        ("redirect_uri", PRIVATE),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("resource", &*found.resource),
        ("state", "of the client"),
    ];
    for (name, value, error) in [
        ("code_challenge", None, "invalid_request"), // PKCE is mandatory (OAuth 2.1 §4.1.1)
        ("resource", Some("https://elsewhere.example/mcp"), "invalid_target"), // an unknown resource (RFC 8707 §2)
        ("response_type", Some("token"), "unsupported_response_type"), // OAuth 2.1 has no implicit grant
    ] {
        let query: Vec<_> =
            good.into_iter()
                .filter_map(|(known, usual)| {
                    if known == name { value.map(|value| (known, value)) } else { Some((known, usual)) }
                })
                .collect();
        let outcome = found.authorize(server, &query).await.redirected();
        assert_eq!(outcome.get("error"), Some(error), "a request without a valid {name} gets this error");
        assert_eq!(outcome.get("iss"), Some(&*found.issuer), "errors have `iss` (RFC 9207 §2)");
    }
    let request = found.authorize(server, &good).await.request();
    let outcome = employee
        .decide(server, &request, ConsentDecision::Approve(employee.workspace()))
        .await
        .expect("approved");
    assert!(
        outcome.address.starts_with(&format!("{PRIVATE}?")),
        "the redirect goes to the private-use URI (RFC 8252 §7.1): {}",
        outcome.address
    );
    assert_eq!(
        outcome.get("state"),
        Some("of the client"),
        "`state` is returned unchanged (RFC 6749 §4.1.2)"
    );
    assert_eq!(outcome.get("iss"), Some(&*found.issuer), "the redirect has `iss` (RFC 9207 §2)");
    outcome.get("code").expect("an approval returns a code (RFC 6749 §4.1.2)").to_owned()
}

#[both_engines]
async fn a_client_needs_only_documents_of_the_server_and_standards(server: Server) {
    // RFC 9728 and RFC 8414, RFC 7591, OAuth 2.1 with PKCE, RFC 8252, RFC 8707, RFC 9207, RFC 7009
    let employee = server.employee().await;
    let found = discover(&server).await;
    let client_id = register(&server, &found).await;
    let code = authorize(&server, &found, &employee, &client_id).await;
    let exchange = |verifier| {
        [
            ("grant_type", "authorization_code"),
            ("code", &*code),
            ("code_verifier", verifier),
            ("redirect_uri", PRIVATE),
            ("client_id", &*client_id),
            ("resource", &*found.resource),
        ]
    };
    // a wrong verifier is an `invalid_grant` (RFC 7636 §4.6)
    found.refused(&server, &exchange(CHALLENGE), "invalid_grant").await;
    let (status, _, first) = found.post(&server, "token", &exchange(VERIFIER)).await;
    assert_eq!(
        (status, &first["token_type"]),
        (200, &json!("Bearer")),
        "the token response has the status 200 and `token_type` (RFC 6749 §5.1): {first}"
    );
    let first = Tokens::of(&first);
    server.assert_active(&first).await; // sends the token in the header (RFC 6750 §2.1)
    // OAuth 2.1 §4.3.1: a public client's refresh token is rotated
    let refresh =
        |token| [("grant_type", "refresh_token"), ("refresh_token", token), ("client_id", &*client_id)];
    let (status, _, second) = found.post(&server, "token", &refresh(&first.refresh)).await;
    assert_eq!(status, 200, "the refresh succeeds: {second}");
    let second = Tokens::of(&second);
    assert_ne!(first.refresh, second.refresh, "a refresh returns a new refresh token (OAuth 2.1 §4.3.1)");
    server.assert_active(&second).await;
    // RFC 7009 §2.2: the response is 200 for a token and for any other text; the token is invalid afterwards
    for token in ["unknown", &second.refresh, &second.refresh] {
        let form = [("token", token), ("client_id", &*client_id)];
        assert_eq!(
            found.post(&server, "revocation", &form).await.0,
            200,
            "a revocation succeeds (RFC 7009 §2.2): {token}"
        );
    }
    server.assert_rejects(&second.access).await; // gets `invalid_token` (RFC 6750 §3.1)
    found.refused(&server, &refresh(&second.refresh), "invalid_grant").await;
    // OAuth 2.1 §4.1.3: reusing a code revokes the tokens that were issued for the code
    let code = authorize(&server, &found, &employee, &client_id).await;
    let again = [
        ("grant_type", "authorization_code"),
        ("code", &*code),
        ("code_verifier", VERIFIER),
        ("redirect_uri", PRIVATE),
        ("client_id", &*client_id),
    ];
    let tokens = Tokens::of(&found.post(&server, "token", &again).await.2);
    server.assert_active(&tokens).await;
    found.refused(&server, &again, "invalid_grant").await;
    server.assert_rejects(&tokens.access).await;
}

#[tokio::test]
async fn a_client_with_a_metadata_document_needs_no_registration() {
    // the client id is the URL of the client's metadata document
    let host = ClientHost::start().await;
    let server =
        host.server(switchboard::store::Engine::Sqlite, false).await.expect("a server on SQLite starts");
    let employee = server.employee().await;
    let found = discover(&server).await;
    let code = authorize_document(&server, &found, &employee, &host).await;
    let form = [
        ("grant_type", "authorization_code"),
        ("code", &*code),
        ("code_verifier", VERIFIER),
        ("redirect_uri", PRIVATE),
        ("client_id", &*host.client_id),
    ];
    let (status, _, tokens) = found.post(&server, "token", &form).await;
    assert_eq!(status, 200, "the exchange succeeds: {tokens}");
    server.assert_active(&Tokens::of(&tokens)).await;
}

/// Publishes a metadata document with a private-use redirect URI, runs the authorization code flow, and returns the
/// code.
async fn authorize_document(
    server: &Server,
    found: &Discovered,
    employee: &Employee,
    host: &ClientHost,
) -> String {
    host.publish(json!({"redirect_uris": [PRIVATE]}), &[]);
    authorize(server, found, employee, &host.client_id).await
}
