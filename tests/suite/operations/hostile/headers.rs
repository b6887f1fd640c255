//! Response headers: those that make browsers protect users, and those that make clients cache the API reference and
//! the OpenAPI documents.

use crate::support::{Options, Server, browser::Browser, wire};

const HSTS: &str = "strict-transport-security";

/// Requests and the statuses of their responses. The responses differ in kind: JSON, a redirect, pages, an error page,
/// documents, a CORS preflight, and errors of the APIs.
const REQUESTS: [(&str, u16); 14] = [
    ("GET /healthz", 200),
    ("GET /readyz", 200),
    ("GET /", 302),
    ("GET /signin", 200),
    ("GET /settings/nothing", 404),
    ("GET /authorize", 400),
    ("GET /docs", 200),
    ("GET /openapi/bot.json", 200),
    ("GET /v1/users", 401),
    ("PUT /v1/users", 405),
    ("GET /nothing", 404),
    ("GET /.well-known/oauth-authorization-server", 200),
    ("OPTIONS /token", 204),
    ("GET /files/nothing", 404),
];

async fn server(base_url: Option<&'static str>) -> Server {
    Server::with(Options { base_url, ..Options::default() }).await.expect("SQLite is always there")
}

#[tokio::test]
async fn responses_have_nosniff_and_strict_transport_security() {
    for (base_url, hsts) in [(None, None), (Some("https://switchboard.example"), Some("max-age=31536000"))] {
        let server = server(base_url).await;
        for (line, status) in REQUESTS {
            let answer = wire::request(&server.base, line, &[], b"").await;
            assert_eq!(answer.status, status, "{line}");
            assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{line}");
            assert_eq!(answer.header(HSTS), hsts, "{line}");
        }
        let refused = wire::exchange(&server.base, b"nonsense\r\n\r\n").await;
        assert_eq!((refused.status, refused.header(HSTS)), (400, hsts));
    }
}

#[tokio::test]
async fn pages_are_isolated_from_their_opener() {
    let server = server(None).await;
    let policy = |answer: &wire::Wire| answer.header("cross-origin-opener-policy").map(str::to_owned);
    for path in
        ["/signin", "/authorize", "/authorize/consent", "/oauth/authorize", "/settings/connections", "/"]
    {
        let page = Browser::at(&server.base).get(path).await;
        assert_eq!(policy(&page.wire).as_deref(), Some("same-origin"), "{path}");
    }
    let api = wire::request(&server.base, "GET /healthz", &[], b"").await;
    assert_eq!(policy(&api), None);
}

#[tokio::test]
async fn browsers_cache_the_api_reference() {
    let server = Server::limited().await;
    let request = async |line: &str, headers: &[&str]| wire::request(&server.base, line, headers, b"").await;
    let page = request("GET /docs", &[]).await;
    let tag = page.header("etag").expect("an ETag").to_owned();
    assert!(tag.starts_with('"') && tag.len() == 66, "the tag is strong and contains a hash: {tag}");
    assert_eq!(page.header("cache-control"), Some("no-cache"), "browsers revalidate the page");
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.contains("script-src 'self';"), "no inline script and no eval is allowed: {policy}");
    for known in [tag.clone(), format!("\"x\", W/{tag}"), "*".to_owned()] {
        let header = format!("if-none-match: {known}");
        for line in ["GET /docs", "HEAD /docs"] {
            let same = request(line, &[&header]).await;
            assert_eq!((same.status, same.body.len()), (304, 0), "{line} {known}");
            assert_eq!(same.header("etag"), Some(&*tag));
            assert_eq!(same.header("content-security-policy"), Some(policy));
        }
    }
    let other = request("GET /docs", &["if-none-match: \"x\""]).await;
    assert_eq!((other.status, other.body.len()), (200, page.body.len()));

    // the paths of scripts and styles contain a hash, so that browsers may cache them without revalidation
    let text = String::from_utf8(page.body).expect("UTF-8");
    let named = |prefix: &str| {
        let from = text.find(prefix).unwrap_or_else(|| panic!("{prefix} is in {text}"));
        text[from..].split('"').next().expect("a path").to_owned()
    };
    let script = named("/docs/scalar-");
    for path in [script.clone(), named("/docs/start-"), named("/docs/style-")] {
        let asset = request(&format!("GET {path}"), &[]).await;
        assert_eq!(asset.status, 200, "{path}");
        assert_eq!(asset.header("cache-control"), Some("public, max-age=31536000, immutable"), "{path}");
        assert_eq!(asset.header("x-content-type-options"), Some("nosniff"), "{path}");
    }
    let compressed = request(&format!("GET {script}"), &["accept-encoding: br, gzip"]).await;
    assert_eq!(compressed.header("content-encoding"), Some("gzip"));
    assert_eq!(compressed.body[..2], [0x1f, 0x8b], "the body has the magic bytes of gzip (RFC 1952 §2.3.1)");
    let plain = request(&format!("GET {script}"), &["accept-encoding: identity"]).await;
    assert_eq!(plain.header("content-encoding"), None);
    assert!(plain.body.len() > 3 * compressed.body.len(), "the script is compressed");
    for answer in [&plain, &compressed] {
        assert_eq!(answer.header("vary"), Some("accept-encoding"));
    }
    // During a rolling upgrade, a browser may get the page from a node of another version, and request that version's
    // scripts from this node. This node then responds with its own scripts.
    for (name, path) in [("scalar", &script), ("start", &named("/docs/start-"))] {
        let own = request(&format!("GET {path}"), &[]).await;
        let other = request(&format!("GET /docs/{name}-0000000000000000.js"), &[]).await;
        assert_eq!(other.status, 200, "{name}");
        assert!(other.body == own.body, "the node serves its own version of {name}");
        assert_eq!(other.header("content-type"), own.header("content-type"), "{name}");
        assert_eq!(other.header("cache-control"), Some("no-store"), "{name}");
    }
    for missing in [
        "/docs/scalar-0000.js",
        "/docs/scalar-0000000000000000.css",
        "/docs/x-0000000000000000.js",
        "/docs/",
        "/docs/x/y",
    ] {
        assert_eq!(request(&format!("GET {missing}"), &[]).await.status, 404, "{missing}");
    }

    // repeated downloads of the large script are limited, and the page is still served
    let mut downloads = 0;
    loop {
        let answer = request(&format!("HEAD {script}"), &[]).await;
        downloads += 1;
        if answer.status == 429 {
            assert!(answer.header("retry-after").is_some());
            break;
        }
        assert!(downloads < 100, "repeated downloads are rate limited");
    }
    assert_eq!(request("GET /docs", &[]).await.status, 200);
}

#[tokio::test]
async fn clients_cache_the_openapi_documents() {
    let server = Server::limited().await;
    let request = async |line: &str, headers: &[&str]| wire::request(&server.base, line, headers, b"").await;
    let mut tags = std::collections::BTreeSet::new();
    for name in ["bot", "assistant", "admin", "bot-3.1", "assistant-3.1", "admin-3.1"] {
        let path = format!("/openapi/{name}.json");
        let plain = request(&format!("GET {path}"), &[]).await;
        let gzip = request(&format!("GET {path}"), &["accept-encoding: br, gzip"]).await;
        for (answer, encoding) in [(&plain, None), (&gzip, Some("gzip"))] {
            assert_eq!((answer.status, answer.header("content-encoding")), (200, encoding), "{path}");
            assert_eq!(answer.header("content-type"), Some("application/json"));
            assert_eq!(answer.header("vary"), Some("accept-encoding"));
            assert_eq!(answer.header("cache-control"), Some("no-cache"), "clients revalidate the document");
            let tag = answer.header("etag").expect("an ETag").to_owned();
            assert!(tag.starts_with('"') && tag.len() == 66, "the tag is strong and contains a hash: {tag}");
            assert!(tags.insert(tag), "each representation of each document has a tag of its own: {path}");
        }
        assert_eq!(plain.body[..1], *b"{", "a client that does not accept gzip gets the plain document");
        assert_eq!(gzip.body[..2], [0x1f, 0x8b], "the body has the magic bytes of gzip (RFC 1952 §2.3.1)");
        assert!(plain.body.len() > 3 * gzip.body.len(), "{path} is compressed");
    }
    let tag = request("GET /openapi/admin.json", &[]).await.header("etag").expect("an ETag").to_owned();
    let known = format!("if-none-match: \"x\", W/{tag}");
    for line in ["GET /openapi/admin.json", "HEAD /openapi/admin.json"] {
        let same = request(line, &[&known]).await;
        assert_eq!((same.status, same.body.len()), (304, 0), "{line}");
        assert_eq!(same.header("etag"), Some(&*tag));
    }
    let other = request("GET /openapi/admin.json", &[&known, "accept-encoding: gzip"]).await;
    assert_eq!(other.status, 200, "the tag of the plain document does not match that of the compressed one");

    // downloads of a whole document are limited, but a client that has the document can still revalidate it
    let mut downloads = 0;
    loop {
        let answer = request("GET /openapi/bot.json", &[]).await;
        downloads += 1;
        if answer.status == 429 {
            assert!(answer.header("retry-after").is_some());
            break;
        }
        assert!(downloads < 100, "repeated downloads are rate limited");
    }
    assert_eq!(request("GET /openapi/admin.json", &[&known]).await.status, 304);
}
