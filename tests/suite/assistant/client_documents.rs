//! Client ID Metadata Documents (draft-01): what of a document counts, how it is fetched, and how long it is kept.

use std::{sync::Arc, time::Duration};

use futures_util::future::join_all;
use serde_json::{Value, json};
use switchboard::{
    domain::assistant::redirect::RedirectKind,
    store::Engine,
    workspace::assistants::clients::{Client, ClientKind, ClientProblem},
};
use tokio::sync::Semaphore;

use crate::support::{oauth::*, receiver::*, *};

const LOOPBACK: &str = "http://127.0.0.1:53682/callback";
const PRIVATE: &str = "com.example.app:/callback";

pub(super) type Asked = Result<Client, ClientProblem>;

pub(super) async fn ask_as(server: &Server, client_id: &str, redirect_uri: &str) -> Asked {
    server.running().world().client_for(client_id, redirect_uri).await.unwrap()
}

pub(super) async fn ask(server: &Server, host: &ClientHost, redirect_uri: &str) -> Asked {
    ask_as(server, &host.client_id, redirect_uri).await
}

/// The sentence on the error page, or the word in the log.
#[track_caller]
pub(super) fn unknown(asked: Asked) -> String {
    match asked {
        Err(ClientProblem::Unknown(why)) => why,
        Err(ClientProblem::Unreached(why)) => why.to_string(),
        other => panic!("{other:?}"),
    }
}

/// A host, and a server that may ask it, without the limits' real size.
pub(super) async fn both() -> (ClientHost, Server) {
    let host = ClientHost::start().await;
    let server = host.server(Engine::Sqlite, false).await.unwrap();
    (host, server)
}

#[tokio::test]
async fn a_document_makes_a_client() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let host = ClientHost::start().await;
        let Some(server) = host.server(engine, false).await else { continue };
        //
        let client = ask(&server, &host, CALLBACK).await.unwrap();
        assert_eq!(
            client,
            Client {
                client_id: host.client_id.clone(),
                kind: ClientKind::Document,
                is_public: true,
                display_name: "Document Tool".into(),
                unverified: false,
                client_host: Some("127.0.0.1".into()),
                redirect_uri: CALLBACK.into(),
                redirect_kind: RedirectKind::Https,
                redirect_host: "client.example".into(),
                redirect_key: CALLBACK.into(),
                block_key: "127.0.0.1".into(),
            }
        );
        //
        let client = ask(&server, &host, LOOPBACK).await.unwrap();
        assert_eq!(
            (client.redirect_kind, client.block_key.as_str()),
            (RedirectKind::Loopback, "local:127.0.0.1")
        );
        assert_eq!(client.redirect_key, "http://127.0.0.1/callback");
        //
        let client = ask(&server, &host, PRIVATE).await.unwrap();
        assert_eq!(
            (client.redirect_kind, client.block_key.as_str()),
            (RedirectKind::PrivateUse, "local:127.0.0.1")
        );
        //
        assert_eq!(host.asked(), 1);
        let hit = &host.receiver.hits()[0];
        assert_eq!((hit.method.as_str(), hit.path.as_str()), ("GET", "/client.json"));
        assert_eq!((hit.header("accept-encoding"), hit.header("accept")), ("identity", "application/json"));
        // W-43
        let list = server.operator().get("/admin/v1/assistant_clients").ok(200).await;
        let listed = &list["assistant_clients"][0];
        assert_eq!(
            (&listed["client_id"], &listed["kind"]),
            (&json!(host.client_id), &json!("metadata_document"))
        );
        assert_eq!(listed["block_keys"], json!(["127.0.0.1", "local:127.0.0.1"]));
    }
}

#[tokio::test]
async fn client_ids_that_are_no_urls() {
    let (host, server) = both().await;
    let at = host.receiver.address;
    for client_id in [
        String::new(),
        "unknown".into(),
        "mcpc_unknown".into(),
        //
        format!("http://{at}/client.json"),
        //
        format!("https://{at}"),
        format!("https://{at}/"),
        //
        format!("https://{at}/{}", "a".repeat(2048)),
        format!("https://{at}/client.json#"),
        format!("https://me@{at}/client.json"),
        format!("https://{at}/a/../client.json"),
        format!("https://{at}/%2e/client.json"),
        format!("https://{at}/client\\.json"),
        format!("https://{at}/client.json\u{e9}"),
    ] {
        unknown(ask_as(&server, &client_id, CALLBACK).await);
    }
    // D-221: this server's own host
    let own = server.running().address();
    let why = unknown(ask_as(&server, &format!("https://{own}/client.json"), CALLBACK).await);
    assert!(why.contains("this server"), "{why}");
    unknown(ask_as(&server, "https://127.0.0.1/client.json", CALLBACK).await);
    assert_eq!(host.asked(), 0);
}

#[tokio::test]
async fn redirect_uris_of_documents() {
    let (host, server) = both().await;
    let listed = json!([
        CALLBACK,
        "http://127.0.0.1/callback",
        "http://client.example/cb",
        "javascript:alert(1)",
        "myapp:/cb",
        "https://a.example/cb#x",
    ]);
    host.publish(json!({"redirect_uris": listed}), &[]);
    assert!(ask(&server, &host, CALLBACK).await.is_ok());
    //
    for uri in [
        "",
        "https://client.example/callback/",
        "https://client.example/CALLBACK",
        "https://client.example:443/callback",
        "http://127.0.0.1:1/other",
        "http://localhost:1/callback",
        // listed, and of a forbidden kind
        "http://client.example/cb",
        "javascript:alert(1)",
        "myapp:/cb",
        "https://a.example/cb#x",
    ] {
        let asked = ask(&server, &host, uri).await;
        assert!(matches!(asked, Err(ClientProblem::Redirect(_))), "{uri}: {asked:?}");
    }
}

#[tokio::test]
async fn bad_documents_are_not_kept() {
    let (host, server) = both().await;
    let address = host.receiver.address;
    let bodies: Vec<Vec<u8>> = vec![
        //
        host.document(json!({"client_id": null})).to_string().into(),
        host.document(json!({"client_id": format!("https://{address}/CLIENT.json")})).to_string().into(),
        host.document(json!({"client_id": format!("https://{address}/client.json/")})).to_string().into(),
        //
        b"".to_vec(),
        b"no JSON".to_vec(),
        b"[]".to_vec(),
        b"\xff".to_vec(),
        [b"\xef\xbb\xbf", host.document(json!({})).to_string().as_bytes()].concat(),
        host.document(json!({})).to_string().replacen('{', "{\"client_name\":\"x\",", 1).into(),
        host.document(json!({"redirect_uris": null})).to_string().into(),
        host.document(json!({"redirect_uris": CALLBACK})).to_string().into(),
    ];
    for (n, body) in bodies.iter().enumerate() {
        //
        host.receiver.always(answer(body, &[("cache-control", "max-age=3600")]));
        unknown(ask(&server, &host, CALLBACK).await);
        assert_eq!(host.asked(), n + 1, "{}", String::from_utf8_lossy(body));
    }
    host.publish(json!({}), &[("content-type", "text/plain")]);
    assert!(ask(&server, &host, CALLBACK).await.is_ok(), "A-058: the media type is not judged");
}

#[tokio::test]
async fn failed_fetches_are_not_kept() {
    let (host, server) = both().await;
    let elsewhere = ClientHost::start().await;
    let mut acts = vec![Act::Close, Act::Garbage];
    //
    acts.extend([301, 302, 303, 307, 308].map(|status| Act::Redirect(status, elsewhere.client_id.clone())));
    //
    let body = host.document(json!({})).to_string();
    acts.extend(
        [201, 203, 204, 304, 400, 404, 500].map(|status| Act::Answer(status, body.clone().into_bytes())),
    );
    // D-210
    acts.push(answer(body.as_bytes(), &[("content-encoding", "gzip")]));
    let count = acts.len();
    for act in acts {
        host.receiver.then([act]);
        unknown(ask(&server, &host, CALLBACK).await);
    }
    //
    assert!(host.asked() >= count);
    assert_eq!(elsewhere.asked(), 0, "A-053");
    assert!(ask(&server, &host, CALLBACK).await.is_ok());
}

#[tokio::test]
async fn a_document_has_10_kilobytes() {
    let (host, server) = both().await;
    let sized = |bytes: usize| {
        let empty = host.document(json!({"x": ""})).to_string().len();
        let document = host.document(json!({"x": "y".repeat(bytes - empty)})).to_string();
        assert_eq!(document.len(), bytes);
        document
    };
    //
    host.receiver.then([answer(sized(10_241).as_bytes(), &[])]);
    unknown(ask(&server, &host, CALLBACK).await);
    // what just fits, from a host that has not refused to be read to its end
    let (other, trusting) = both().await;
    let empty = other.document(json!({"x": ""})).to_string().len();
    let fits = other.document(json!({"x": "y".repeat(10_240 - empty)})).to_string();
    other.receiver.then([answer(fits.as_bytes(), &[])]);
    assert_eq!(ask(&trusting, &other, CALLBACK).await.map(|client| client.kind), Ok(ClientKind::Document));
    // without a length
    let body = sized(10_241);
    let raw = format!(
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n",
        body.len()
    );
    host.receiver.then([Act::Hang(raw.into_bytes())]);
    unknown(ask(&server, &host, CALLBACK).await);
}

#[tokio::test]
async fn how_long_documents_are_kept() {
    for (cache_control, seconds) in [
        //
        (Some("max-age=3600"), 3600),
        //
        (Some("max-age=10"), 300),
        (Some("max-age=0"), 300),
        //
        (Some("max-age=604800"), 86_400),
        //
        (None, 300),
        //
        (Some("no-store"), 300),
        (Some("no-store, max-age=3600"), 300),
    ] {
        let (host, server) = both().await;
        let headers: Vec<_> = cache_control.iter().map(|value| ("cache-control", *value)).collect();
        host.publish(json!({"client_name": "Before"}), &headers);
        assert_eq!(ask(&server, &host, CALLBACK).await.unwrap().display_name, "Before");
        host.publish(json!({"client_name": "After"}), &headers);
        server.advance(Duration::from_secs(seconds - 1)).await;
        //
        assert_eq!(ask(&server, &host, CALLBACK).await.unwrap().display_name, "Before", "{cache_control:?}");
        assert_eq!(host.asked(), 1);
        server.advance(Duration::from_secs(1)).await;
        //
        assert_eq!(ask(&server, &host, CALLBACK).await.unwrap().display_name, "After", "{cache_control:?}");
        assert_eq!(host.asked(), 2);
    }
}

#[tokio::test]
async fn requests_at_once_share_a_fetch() {
    let (host, server) = both().await;
    for n in 0..3 {
        let gate = Arc::new(Semaphore::new(0));
        // an empty body: a failure, which is shared as well and not kept
        host.receiver.then([Act::Gate(Arc::clone(&gate))]);
        let asking = join_all((0..20).map(|_| ask(&server, &host, CALLBACK)));
        let opening = async {
            host.receiver.heard(n + 1).await;
            while server.running().world().documents.waiting(&host.client_id) < 20 {
                tokio::task::yield_now().await;
            }
            gate.add_permits(1);
        };
        let (asked, ()) = tokio::join!(asking, opening);
        asked.into_iter().for_each(|asked| drop(unknown(asked)));
        assert_eq!(host.asked(), n + 1);
        assert_eq!(server.running().world().documents.waiting(&host.client_id), 0);
    }
}

#[tokio::test]
async fn names_of_documents() {
    // D-218: a name that may not be shown gives way to the host
    for name in [json!("Support Desk"), json!("x".repeat(101)), json!("a\u{202e}b"), Value::Null, json!(5)] {
        let (host, server) = both().await;
        host.publish(json!({"client_name": name}), &[]);
        assert_eq!(ask(&server, &host, CALLBACK).await.unwrap().display_name, "127.0.0.1", "{name}");
    }
    let (host, server) = both().await;
    //
    host.publish(json!({"client_name": "x".repeat(41)}), &[]);
    assert_eq!(ask(&server, &host, CALLBACK).await.unwrap().display_name, "x".repeat(40));
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
    //
    for uri in [CALLBACK, LOOPBACK, PRIVATE] {
        assert_eq!(ask(&server, &host, uri).await.unwrap().display_name, "The Known One", "{uri}");
    }
    // a registered client with that name keeps its own
    let made = server.register(json!({"client_name": "127.0.0.1"})).await;
    let client = ask_as(&server, &made.client_id, "http://127.0.0.1:7/callback").await.unwrap();
    assert_eq!((client.block_key.as_str(), client.display_name.as_str()), ("local:127.0.0.1", "127.0.0.1"));
    assert!(client.unverified);
}
