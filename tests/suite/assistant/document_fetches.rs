//! Fetches of metadata documents: how many there may be, how long one may take, what strangers can use up, and what they are told.

use std::{sync::Arc, time::Duration};

use serde_json::json;
use switchboard::{
    platform::outbound::Failure,
    store::Engine,
    workspace::assistants::{
        authorize::Begin,
        clients::{ClientKind, ClientProblem},
    },
};
use tokio::sync::Semaphore;

use super::client_documents::{Asked, ask, ask_as, both, unknown};
use crate::support::{oauth::*, receiver::*, *};

const MINUTE: Duration = Duration::from_secs(60);

#[track_caller]
fn too_many(asked: Asked) {
    assert!(matches!(asked, Err(ClientProblem::TooManyFetches { .. })), "{asked:?}");
}

/// Asks for documents that a host does not have.
async fn probe(server: &Server, host: &ClientHost, count: u32) {
    for n in 0..count {
        unknown(ask_as(server, &format!("{}?{n}", host.client_id), CALLBACK).await);
    }
}

#[tokio::test]
async fn five_fetches_in_ten_minutes() {
    let host = ClientHost::start().await;
    let server = host.server(Engine::Sqlite, true).await.unwrap();
    host.receiver.always(Act::status(404));
    for _ in 0..5 {
        unknown(ask(&server, &host, CALLBACK).await);
        server.clock.advance(MINUTE);
    }
    // D-213
    let asked = ask(&server, &host, CALLBACK).await;
    assert_eq!(asked, Err(ClientProblem::TooManyFetches { retry_after: 300 }));
    assert_eq!(host.asked(), 5);
    // another document of the host has its own count
    let other = host.client_id.replace("client.json", "other.json");
    unknown(ask_as(&server, &other, CALLBACK).await);
    assert_eq!(host.asked(), 6);
    server.clock.advance(MINUTE * 5);
    host.publish(json!({}), &[]);
    assert!(ask(&server, &host, CALLBACK).await.is_ok());
}

#[tokio::test]
async fn a_host_has_60_fetches_in_ten_minutes() {
    let host = ClientHost::start().await;
    let server = host.server(Engine::Sqlite, true).await.unwrap();
    host.receiver.always(Act::status(404));
    // D-214: a query does not make a new count
    for n in 0..60 {
        unknown(ask_as(&server, &format!("{}?{n}", host.client_id), CALLBACK).await);
    }
    let asked = ask_as(&server, &format!("{}?60", host.client_id), CALLBACK).await;
    assert!(matches!(asked, Err(ClientProblem::TooManyFetches { .. })), "{asked:?}");
    assert_eq!(host.asked(), 60);
}

/// A host with its own document at its path and nothing else.
async fn with_one_document() -> (ClientHost, Server) {
    let host = ClientHost::start().await;
    let server = host.server(Engine::Sqlite, true).await.unwrap();
    (host, server)
}

#[tokio::test]
async fn strangers_do_not_keep_a_good_document_out() {
    let (host, server) = with_one_document().await;
    assert!(ask(&server, &host, CALLBACK).await.is_ok());
    // the document's id is not the URL with a query, so these are no good
    probe(&server, &host, 59).await;
    too_many(ask_as(&server, &format!("{}?x", host.client_id), CALLBACK).await);
    // it is out of date now and has to be fetched anew
    server.clock.advance(5 * MINUTE);
    too_many(ask_as(&server, &format!("{}?x", host.client_id), CALLBACK).await);
    let before = host.asked();
    assert!(ask(&server, &host, CALLBACK).await.is_ok(), "it was good before");
    assert_eq!(host.asked(), before + 1);
    // its own count holds for it all the same
    host.receiver.always(Act::status(404));
    server.clock.advance(5 * MINUTE);
    for _ in 0..4 {
        unknown(ask(&server, &host, CALLBACK).await);
    }
    too_many(ask(&server, &host, CALLBACK).await);
}

#[tokio::test]
async fn a_fetch_that_its_host_is_refused_does_not_count() {
    let (host, server) = with_one_document().await;
    probe(&server, &host, 60).await;
    server.clock.advance(Duration::from_secs(590));
    for _ in 0..6 {
        too_many(ask(&server, &host, CALLBACK).await);
    }
    server.clock.advance(Duration::from_secs(10));
    assert!(ask(&server, &host, CALLBACK).await.is_ok());
}

#[tokio::test]
async fn a_fetch_that_its_url_is_refused_does_not_count() {
    let (host, server) = with_one_document().await;
    host.receiver.always(Act::status(404));
    for _ in 0..5 {
        unknown(ask(&server, &host, CALLBACK).await);
    }
    for _ in 0..60 {
        too_many(ask(&server, &host, CALLBACK).await);
    }
    probe(&server, &host, 55).await;
    too_many(ask_as(&server, &format!("{}?x", host.client_id), CALLBACK).await);
}

#[tokio::test]
async fn the_page_does_not_tell_what_the_network_did() {
    let host = ClientHost::start().await;
    let stranger = Receiver::with(Identity::Stranger, &["127.0.0.1"]).await;
    // a port that nobody listens on
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let names = names::Names::start().await;
    let exempt =
        [host.receiver.address, stranger.address, closed].map(|address| address.to_string()).to_vec();
    let options = Options { exempt, name_servers: vec![names.address], ..Options::default() };
    let server = Server::with(options).await.unwrap();
    let mut told = std::collections::HashSet::new();
    let unreached = [
        (host.client_id.clone(), Failure::Closed),
        (format!("https://{}/client.json", stranger.address), Failure::Tls),
        (format!("https://{closed}/client.json"), Failure::Connect),
        ("https://nowhere.example/client.json".to_owned(), Failure::Dns),
        ("https://10.0.0.1/client.json".to_owned(), Failure::ForbiddenAddress),
    ];
    host.receiver.always(Act::Close);
    for (client_id, why) in unreached {
        assert_eq!(ask_as(&server, &client_id, CALLBACK).await, Err(ClientProblem::Unreached(why)));
        let query = [("client_id", client_id.as_str()), ("redirect_uri", CALLBACK)];
        let Begin::Page(page) = server.begin(&query).await else { panic!("{client_id}") };
        assert_eq!((page.status, page.retry_after), (400, None));
        told.insert(page.reason);
    }
    assert_eq!(told.len(), 1, "{told:?}");
}

#[tokio::test]
async fn the_certificate_counts() {
    for identity in [Identity::OtherName, Identity::Expired, Identity::Stranger] {
        let receiver = Receiver::with(identity, &["127.0.0.1"]).await;
        let client_id = format!("https://{}/client.json", receiver.address);
        let host = ClientHost { receiver, client_id };
        host.publish(json!({}), &[]);
        let server = host.server(Engine::Sqlite, false).await.unwrap();
        let asked = ask(&server, &host, CALLBACK).await;
        assert_eq!(asked, Err(ClientProblem::Unreached(Failure::Tls)), "{identity:?}");
        assert_eq!(host.asked(), 0);
    }
}

/// Goes on with asking until the host has got so many requests.
async fn reaches(asking: &mut (impl Future<Output = Asked> + Unpin), host: &ClientHost, requests: usize) {
    tokio::select! {
        asked = asking => panic!("answered before the host was asked: {asked:?}"),
        _ = host.receiver.heard(requests) => {}
    }
}

#[tokio::test]
async fn a_fetch_has_3_seconds() {
    const ALMOST: Duration = Duration::from_millis(2999);
    let (host, server) = both().await;
    let body = host.document(json!({})).to_string();
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
    // nothing, half a head, a head alone, and all but the last byte
    for sent in ["", "HTTP/1.1 200", head.as_str(), &format!("{head}{}", &body[..body.len() - 1])] {
        host.receiver.then([Act::Hang(sent.into())]);
        let mut asking = Box::pin(ask(&server, &host, CALLBACK));
        reaches(&mut asking, &host, host.asked() + 1).await;
        server.clock.advance(ALMOST);
        for _ in 0..100 {
            assert!(futures_util::poll!(&mut asking).is_pending(), "{sent}: given up too soon");
            tokio::task::yield_now().await;
        }
        server.clock.advance(Duration::from_millis(1));
        assert_eq!(asking.await, Err(ClientProblem::Unreached(Failure::Timeout)), "{sent}");
    }
    // what is whole within them is good
    let gate = Arc::new(Semaphore::new(0));
    host.receiver.then([Act::Late(Arc::clone(&gate), format!("{head}{body}").into())]);
    let mut asking = Box::pin(ask(&server, &host, CALLBACK));
    reaches(&mut asking, &host, host.asked() + 1).await;
    server.clock.advance(ALMOST);
    gate.add_permits(1);
    assert_eq!(asking.await.map(|client| client.kind), Ok(ClientKind::Document));
}
