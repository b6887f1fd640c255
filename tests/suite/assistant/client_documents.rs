//! Client ID Metadata Documents (draft-01): which members are used, how the document is fetched, and how long it is
//! cached.

use std::{sync::Arc, time::Duration};

use futures_util::future::join_all;
use serde_json::{Value, json};
use switchboard::{service::oauth::consent::ConsentDecision, store::Engine};
use tokio::sync::Semaphore;

use super::asking::*;
use crate::support::{authorize::AuthorizeAnswer, oauth::*, receiver::*, *};

const LOOPBACK: &str = "http://127.0.0.1:53682/callback";
const PRIVATE: &str = "com.example.app:/callback";

#[both_engines]
async fn a_metadata_document_identifies_a_client(engine: Engine) -> Option<()> {
    let host = ClientHost::start().await;
    let server = host.server(engine, false).await?;
    let employee = server.employee().await;
    for (uri, goes_to, block_key) in [
        // `https`: the block key is the host of the client id
        (CALLBACK, "client.example", "127.0.0.1"),
        // loopback, with another port than in the document: the block key is `local:` and the host of the
        // client id, so this client has two block keys
        (LOOPBACK, "127.0.0.1", "local:127.0.0.1"),
        // a private-use scheme: the block key is `local:` and the host of the client id
        (PRIVATE, "com.example.app", "local:127.0.0.1"),
    ] {
        // the document is found by the client id, and lists the redirect URI
        let request = authorize(&server, &host, uri).await.unwrap_or_else(|e| {
            panic!("the URL of a metadata document is a client id (A-039): {uri}: {e:?}")
        });
        let mut form = employee.open(&server, &request).await.expect("the consent page");
        // the page shows the name and the host of the document, and does not mark the name as unverified
        form.page.shows("<h1>Connect Document Tool?</h1>").hides("Unverified");
        form.page.shows("<dt>Published by</dt><dd>127.0.0.1</dd>");
        form.page.shows(&format!("<dt>Access goes to</dt><dd><strong>{goes_to}</strong>"));
        let outcome = form.decide(ConsentDecision::Approve(employee.workspace())).await.expect("approved");
        assert!(
            outcome.address.starts_with(&format!("{uri}?code=")),
            "the code goes to the requested redirect URI (A-045): {}",
            outcome.address
        );
        // the document has no authentication method, so the client is public
        client_of(&server, &host, uri).exchange(outcome.get("code").expect("a code")).await.ok();
        let newest = employee.connections().await.pop().expect("a connection");
        assert_eq!(
            newest["block_key"], block_key,
            "the block key depends on the requested redirect URI (A-115, A-116, A-117): {uri}"
        );
        assert_eq!(
            newest["client_id"],
            host.client_id.as_str(),
            "the client id is the URL of the document (A-039)"
        );
    }
    assert_eq!(host.request_count(), 1, "a cached document is not fetched again (A-067)");
    let hit = &host.receiver.hits()[0];
    assert_eq!((hit.method.as_str(), hit.path.as_str()), ("GET", "/client.json"));
    assert_eq!((hit.header("accept-encoding"), hit.header("accept")), ("identity", "application/json"));
    // W-43: the operator lists the client
    let list = server.operator().get("/admin/v1/assistant_clients").ok(200).await;
    let listed = &list["assistant_clients"][0];
    assert_eq!(
        (&listed["client_id"], &listed["kind"]),
        (&json!(host.client_id), &json!("metadata_document"))
    );
    assert_eq!(listed["block_keys"], json!(["127.0.0.1", "local:127.0.0.1"]));
    Some(())
}

#[tokio::test]
async fn invalid_client_ids_are_not_fetched() {
    let (host, server) = host_and_server().await;
    let at = host.receiver.address;
    for client_id in [
        String::new(),
        "unknown".into(),
        "mcpc_unknown".into(),
        // not HTTPS
        format!("http://{at}/client.json"),
        // no path
        format!("https://{at}"),
        format!("https://{at}/"),
        // longer than 2,048 bytes
        format!("https://{at}/{}", "a".repeat(2048)),
        // a fragment, a user name, dot segments, a backslash, a non-ASCII character
        format!("https://{at}/client.json#"),
        format!("https://me@{at}/client.json"),
        format!("https://{at}/a/../client.json"),
        format!("https://{at}/%2e/client.json"),
        format!("https://{at}/client\\.json"),
        format!("https://{at}/client.json\u{e9}"),
    ] {
        let why = invalid_client_message(authorize_as(&server, &client_id, CALLBACK).await);
        assert!(
            !why.is_empty() && !why.contains("metadata document cannot be used"),
            "an invalid client id is not fetched (A-040 … A-043): {client_id}: {why}"
        );
    }
    assert_eq!(host.receiver.connections(), 0, "no request was sent (A-052)");
    // these spellings of hosts are rejected, so that a company need not block each spelling
    let port = at.port();
    for host in
        ["127.1", "0x7f.1", "2130706433", "0177.0.0.1", "127.0.0.1.", "LOCALHOST", "[0::1]", "xn--a-.example"]
    {
        let client_id = format!("https://{host}:{port}/client.json");
        let why = invalid_client_message(authorize_as(&server, &client_id, CALLBACK).await);
        assert!(why.contains("canonical"), "a host has one canonical spelling: {host}: {why}");
        let query = [("client_id", &*client_id), ("redirect_uri", CALLBACK)];
        let AuthorizeAnswer::Page(page) = server.begin(&query).await else { panic!("{client_id}") };
        assert_eq!(page.wire.status, 400);
        // the token endpoint does not accept this client id either
        let form = [("grant_type", "refresh_token"), ("refresh_token", "x"), ("client_id", &client_id)];
        server.api().post("/token").form(&form).denied(401, "invalid_client").await;
    }
    // D-221: a URL on this server's own host is not a client id
    let own = server.running().address();
    let why =
        invalid_client_message(authorize_as(&server, &format!("https://{own}/client.json"), CALLBACK).await);
    assert!(why.contains("this server"), "a URL on the server's own host is not a client id (D-221): {why}");
    // a URL on the server's own host with another port is not a client id either
    invalid_client_message(authorize_as(&server, "https://127.0.0.1/client.json", CALLBACK).await);
    assert_eq!(host.request_count(), 0);
}

#[tokio::test]
async fn only_valid_redirect_uris_of_the_document_are_accepted() {
    let (host, server) = host_and_server().await;
    let listed = json!([
        CALLBACK,
        "http://127.0.0.1/callback",
        "http://client.example/cb",
        "javascript:alert(1)",
        "myapp:/cb",
        "https://a.example/cb#x",
    ]);
    host.publish(json!({"redirect_uris": listed}), &[]);
    assert!(authorize(&server, &host, CALLBACK).await.is_ok());
    for uri in [
        // missing
        "",
        // not listed: a loopback redirect URI may differ from a listed URI only in the port
        "https://client.example/callback/",
        "https://client.example/CALLBACK",
        "https://client.example:443/callback",
        "http://127.0.0.1:1/other",
        "http://localhost:1/callback",
        // listed in the document, but of a forbidden kind
        "http://client.example/cb",
        "javascript:alert(1)",
        "myapp:/cb",
        "https://a.example/cb#x",
    ] {
        let why = invalid_client_message(authorize(&server, &host, uri).await);
        assert!(
            why.contains("redirect URI") || why.contains("redirect_uri"),
            "the redirect URI is refused: {uri}: {why}"
        );
    }
}

#[tokio::test]
async fn invalid_documents_are_not_cached() {
    let (host, server) = host_and_server().await;
    let address = host.receiver.address;
    let bodies: Vec<Vec<u8>> = vec![
        // the `client_id` is missing, or differs from the URL of the document
        host.document(json!({"client_id": null})).to_string().into(),
        host.document(json!({"client_id": format!("https://{address}/CLIENT.json")})).to_string().into(),
        host.document(json!({"client_id": format!("https://{address}/client.json/")})).to_string().into(),
        // not a JSON object in valid UTF-8, or a repeated member
        b"".to_vec(),
        b"no JSON".to_vec(),
        b"[]".to_vec(),
        b"\xff".to_vec(),
        [b"\xef\xbb\xbf", host.document(json!({})).to_string().as_bytes()].concat(),
        host.document(json!({})).to_string().replacen('{', "{\"client_name\":\"x\",", 1).into(),
        // `redirect_uris` is missing, or is not an array
        host.document(json!({"redirect_uris": null})).to_string().into(),
        host.document(json!({"redirect_uris": CALLBACK})).to_string().into(),
    ];
    for (n, body) in bodies.iter().enumerate() {
        // an invalid document is not cached, whatever its `max-age`
        host.receiver.always(answer(body, &[("cache-control", "max-age=3600")]));
        invalid_client_message(authorize(&server, &host, CALLBACK).await);
        assert_eq!(
            host.request_count(),
            n + 1,
            "an invalid document is fetched again (A-065): {}",
            String::from_utf8_lossy(body)
        );
    }
    host.publish(json!({}), &[("content-type", "text/plain")]);
    assert!(authorize(&server, &host, CALLBACK).await.is_ok(), "the media type does not matter (A-058)");
}

#[tokio::test]
async fn failed_fetches_are_not_cached() {
    let (host, server) = host_and_server().await;
    let elsewhere = ClientHost::start().await;
    let mut treatments = vec![Treatment::Close, Treatment::Garbage];
    // a redirect is a failed fetch
    treatments.extend(
        [301, 302, 303, 307, 308].map(|status| Treatment::Redirect(status, elsewhere.client_id.clone())),
    );
    // any status other than 200 is a failed fetch
    let body = host.document(json!({})).to_string();
    treatments.extend(
        [201, 203, 204, 304, 400, 404, 500]
            .map(|status| Treatment::Answer(status, body.clone().into_bytes())),
    );
    // D-210: a compressed document is a failed fetch
    treatments.push(answer(body.as_bytes(), &[("content-encoding", "gzip")]));
    let count = treatments.len();
    for treatment in treatments {
        host.receiver.then([treatment]);
        invalid_client_message(authorize(&server, &host, CALLBACK).await);
    }
    // a failed fetch is not cached
    assert!(host.request_count() >= count);
    assert_eq!(elsewhere.request_count(), 0, "the target of a redirect is not requested (A-053)");
    assert!(authorize(&server, &host, CALLBACK).await.is_ok());
}

#[tokio::test]
async fn a_document_has_at_most_10_kilobytes() {
    let chunked = |body: &[u8]| {
        let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n";
        let length = format!("{:x}\r\n", body.len());
        Treatment::Hang([head.as_bytes(), length.as_bytes(), body, b"\r\n0\r\n\r\n"].concat())
    };
    let with_length = |body: &[u8]| answer(body, &[]);
    // the maximum size also applies to a response without `Content-Length`
    for treatment in [&with_length as &dyn Fn(&[u8]) -> Treatment, &chunked] {
        let (host, server) = host_and_server().await;
        let sized = |bytes: usize| {
            let empty = host.document(json!({"x": ""})).to_string().len();
            let document = host.document(json!({"x": "y".repeat(bytes - empty)})).to_string();
            assert_eq!(document.len(), bytes);
            document.into_bytes()
        };
        host.receiver.then([treatment(&sized(10_241))]);
        unusable(authorize(&server, &host, CALLBACK).await);
        assert_eq!(host.request_count(), 1, "a document of more than 10,240 bytes is a failed fetch (A-056)");
        host.receiver.then([treatment(&sized(10_240))]);
        let asked = authorize(&server, &host, CALLBACK).await;
        assert!(asked.is_ok(), "a document of 10,240 bytes is accepted (A-056): {asked:?}");
    }
}

#[both_engines]
async fn documents_are_cached_for_the_documented_time(engine: Engine) -> Option<()> {
    for (cache_control, seconds) in [
        // between 5 minutes and 24 hours, `max-age` decides
        (Some("max-age=3600"), 3600),
        // at least 5 minutes
        (Some("max-age=10"), 300),
        (Some("max-age=0"), 300),
        // at most 24 hours
        (Some("max-age=604800"), 86_400),
        // without `max-age`, 5 minutes
        (None, 300),
        // with `no-store`, 5 minutes, whatever the `max-age`
        (Some("no-store"), 300),
        (Some("no-store, max-age=3600"), 300),
    ] {
        let host = ClientHost::start().await;
        let server = host.server(engine, false).await?;
        let headers: Vec<_> = cache_control.iter().map(|value| ("cache-control", *value)).collect();
        host.publish(json!({"client_name": "Before"}), &headers);
        let employee = server.employee().await;
        let shown = async || name_shown(&server, &employee, authorize(&server, &host, CALLBACK).await).await;
        assert_eq!(shown().await, "Before");
        host.publish(json!({"client_name": "After"}), &headers);
        server.advance(Duration::from_secs(seconds - 1)).await;
        assert_eq!(shown().await, "Before", "the cached document is used: {cache_control:?}");
        assert_eq!(
            host.request_count(),
            1,
            "a document is not fetched again while it is cached (A-067): {cache_control:?}"
        );
        server.advance(Duration::from_secs(1)).await;
        assert_eq!(
            shown().await,
            "After",
            "a document is fetched again when it expires (A-059 … A-063): {cache_control:?}"
        );
        assert_eq!(host.request_count(), 2);
    }
    Some(())
}

#[tokio::test]
async fn a_document_is_not_cached_longer_after_a_reset_of_the_clock() {
    let (host, server) = host_and_server().await;
    let operator = server.operator();
    let move_clock = async |body: Value| operator.post("/admin/v1/clock").json(&body).ok(200).await;
    move_clock(json!({"advance_seconds": 864_000})).await;
    host.publish(json!({"client_name": "Before"}), &[]);
    let employee = server.employee().await;
    let shown = async || name_shown(&server, &employee, authorize(&server, &host, CALLBACK).await).await;
    assert_eq!(shown().await, "Before");
    host.publish(json!({"client_name": "After"}), &[]);
    move_clock(json!({"reset": true})).await;
    assert_eq!(shown().await, "Before");
    move_clock(json!({"advance_seconds": 300})).await;
    assert_eq!(shown().await, "After", "a document is cached for five minutes (A-062)");
}

#[tokio::test]
async fn concurrent_requests_share_a_fetch() {
    let (host, server) = host_and_server().await;
    for n in 0..3 {
        let gate = Arc::new(Semaphore::new(0));
        // The response has no body, which is an error. The concurrent requests share the error, which is not cached.
        host.receiver.then([Treatment::Gate(Arc::clone(&gate))]);
        let asking = join_all((0..20).map(|_| authorize(&server, &host, CALLBACK)));
        let opening = async {
            host.receiver.wait_for(n + 1).await;
            while server.running().world().documents.waiting(&host.client_id) < 20 {
                tokio::task::yield_now().await;
            }
            gate.add_permits(1);
        };
        let (asked, ()) = tokio::join!(asking, opening);
        asked.into_iter().for_each(|asked| drop(invalid_client_message(asked)));
        assert_eq!(host.request_count(), n + 1);
        assert_eq!(server.running().world().documents.waiting(&host.client_id), 0);
    }
}

#[tokio::test]
async fn names_of_documents_are_validated_and_cut() {
    // D-218: if the document's name is forbidden, the page shows the host instead
    for name in [json!("Support Desk"), json!("x".repeat(101)), json!("a\u{202e}b"), Value::Null, json!(5)] {
        let (host, server) = host_and_server().await;
        host.publish(json!({"client_name": name}), &[]);
        let employee = server.employee().await;
        assert_eq!(
            name_shown(&server, &employee, authorize(&server, &host, CALLBACK).await).await,
            "127.0.0.1",
            "an invalid name is not shown (D-218): {name}"
        );
    }
    let (host, server) = host_and_server().await;
    let employee = server.employee().await;
    // a name of 41 to 100 characters is valid, but the page shortens it
    host.publish(json!({"client_name": "x".repeat(41)}), &[]);
    assert_eq!(
        name_shown(&server, &employee, authorize(&server, &host, CALLBACK).await).await,
        "x".repeat(40),
        "a client name is cut to 40 characters (A-128)"
    );
}

#[tokio::test]
async fn well_known_hosts_have_fixed_names() {
    let host = ClientHost::start().await;
    let names = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(names.path(), "\"127.0.0.1\" = \"The Known One\"\n").unwrap();
    let path = names.path().to_owned();
    let configure: server::Configure = Arc::new(move |config| config.well_known_clients = Some(path.clone()));
    let exempt = vec![host.receiver.address.to_string()];
    let server =
        Server::with(Options { exempt, configure: Some(configure), ..Options::default() }).await.unwrap();
    // a client has the fixed name if its block key is well-known, or is `local:` and a well-known key
    let employee = server.employee().await;
    for uri in [CALLBACK, LOOPBACK, PRIVATE] {
        let asked = authorize(&server, &host, uri).await;
        assert_eq!(
            name_shown(&server, &employee, asked).await,
            "The Known One",
            "a client with a well-known block key has its fixed name (A-126, A-127): {uri}"
        );
    }
    // a registered client whose name is a well-known host keeps its own name
    let made = server.register(json!({"client_name": "127.0.0.1"})).await;
    let request =
        authorize_as(&server, &made.client_id, "http://127.0.0.1:7/callback").await.expect("registered");
    let form = employee.open(&server, &request).await.expect("the consent page");
    form.page.shows("<h1>Connect 127.0.0.1?</h1>").shows("Unverified").hides("The Known One");
    let list = server.operator().get("/admin/v1/assistant_clients").ok(200).await;
    let listed = list["assistant_clients"].as_array().expect("clients").iter();
    let listed = listed.into_iter().find(|client| client["client_id"] == made.client_id.as_str());
    assert_eq!(
        listed.expect("listed")["block_keys"],
        json!(["local:127.0.0.1"]),
        "the block key of a registered loopback client is `local:` and its name (A-119)"
    );
}
