//! The server's fetches of metadata documents: their number, duration and errors, and the limits for unauthenticated
//! callers.

use std::{net::Ipv4Addr, sync::Arc, time::Duration};

use serde_json::json;
use switchboard::{platform::outbound::OutboundFailure, store::Engine};
use tokio::sync::Semaphore;

use super::asking::*;
use crate::support::{oauth::*, receiver::*, *};

const MINUTE: Duration = Duration::from_secs(60);

#[track_caller]
fn too_many(asked: AuthorizeResult) {
    assert!(
        matches!(asked, Err(Refused::Page { status: 429, retry_after: Some(1..), .. })),
        "a fetch above a limit gets 429 with `Retry-After` (D-213, D-219): {asked:?}"
    );
}

/// Starts `count` authorizations. Each has a different client id, which is a URL of the host without a valid document.
async fn probe(server: &Server, host: &ClientHost, count: u32) {
    for n in 0..count {
        invalid_client_message(authorize_as(server, &format!("{}?{n}", host.client_id), CALLBACK).await);
    }
}

#[both_engines]
async fn a_url_is_fetched_at_most_five_times_in_ten_minutes(engine: Engine) -> Option<()> {
    let host = ClientHost::start().await;
    let server = host.server(engine, true).await?;
    five_fetches(&host, &server).await;
    Some(())
}

async fn five_fetches(host: &ClientHost, server: &Server) {
    host.receiver.always(Treatment::status(404));
    for _ in 0..5 {
        invalid_client_message(authorize(server, host, CALLBACK).await);
        server.clock.advance(MINUTE);
    }
    // A-324, D-213: failed fetches count as well
    let asked = authorize(server, host, CALLBACK).await;
    let Err(Refused::Page { status, reason, retry_after }) = asked else {
        panic!("the sixth fetch in 10 minutes gets the error page (A-066): {asked:?}")
    };
    assert_eq!(
        (status, retry_after),
        (429, Some(300)),
        "the sixth fetch is refused until the first is 10 minutes old (A-066, D-213)"
    );
    assert!(
        reason.contains("too often"),
        "the page says that the document was fetched too often (A-066): {reason}"
    );
    assert_eq!(host.request_count(), 5, "the sixth fetch is not made (A-066)");
    // another document of the host is counted separately
    let other = host.client_id.replace("client.json", "other.json");
    invalid_client_message(authorize_as(server, &other, CALLBACK).await);
    assert_eq!(host.request_count(), 6);
    server.clock.advance(MINUTE * 5);
    host.publish(json!({}), &[]);
    let asked = authorize(server, host, CALLBACK).await;
    assert!(
        asked.is_ok(),
        "10 minutes after the first fetch the document is fetched again (A-066): {asked:?}"
    );
}

#[tokio::test]
async fn a_host_gets_at_most_60_fetches_in_ten_minutes() {
    let host = ClientHost::start().await;
    let server = host.server(Engine::Sqlite, true).await.unwrap();
    host.receiver.always(Treatment::status(404));
    // D-214: another query string does not evade the limit of the host
    for n in 0..60 {
        invalid_client_message(authorize_as(&server, &format!("{}?{n}", host.client_id), CALLBACK).await);
    }
    too_many(authorize_as(&server, &format!("{}?60", host.client_id), CALLBACK).await);
    assert_eq!(host.request_count(), 60);
}

/// In ten minutes the server makes at most 60 fetches from a host. Requests from one address can cause 30 of them. Once
/// 30 are used, every other address can cause at most 10 fetches. So one address cannot prevent that the server fetches
/// a document of the host for other addresses.
async fn half_of_the_fetches(host: &ClientHost, server: &Server, other: &Server) {
    host.publish(json!({}), &[]);
    let (first, second) = (Ipv4Addr::new(127, 20, 0, 1), Ipv4Addr::new(127, 20, 0, 2));
    let probe = async |n: u32, address: Ipv4Addr| {
        let server = if n.is_multiple_of(2) { server } else { other };
        authorize_from(server, &format!("{}?{n}", host.client_id), CALLBACK, address).await
    };
    for n in 0..30 {
        invalid_client_message(probe(n, first).await);
    }
    // a minute later the address may send another 30 authorization requests, so only the limit of fetches rejects them
    server.clock.advance(MINUTE);
    for n in 30..40 {
        too_many(probe(n, first).await);
    }
    assert_eq!(
        host.request_count(),
        30,
        "one address starts at most half of the fetches from a host, at all nodes together (D-214)"
    );
    // the limit also applies to the URL of the document, which the address has not requested before
    too_many(authorize_from(server, &host.client_id, CALLBACK, first).await);
    for n in 40..50 {
        invalid_client_message(probe(n, second).await);
    }
    too_many(probe(50, second).await);
    assert_eq!(
        host.request_count(),
        40,
        "once half of a host's fetches are used, an address starts at most 10, at all nodes together (D-214)"
    );
    assert!(authorize(server, host, CALLBACK).await.is_ok(), "another address gets the document");
    let cached = authorize_from(server, &host.client_id, CALLBACK, first).await;
    assert!(cached.is_ok(), "a cached document needs no fetch: {cached:?}");
    server.clock.advance(10 * MINUTE);
    invalid_client_message(probe(60, first).await);
}

#[tokio::test]
async fn an_address_causes_at_most_half_of_the_fetches_from_a_host() {
    let host = ClientHost::start().await;
    let server = host.server(Engine::Sqlite, true).await.unwrap();
    half_of_the_fetches(&host, &server, &server).await;
}

#[tokio::test]
async fn an_address_causes_at_most_half_of_the_fetches_from_a_host_at_all_nodes() {
    let host = ClientHost::start().await;
    let Some(server) = host.server(Engine::Postgres, true).await else { return };
    let other = server.another_node_with_same_clock().await;
    half_of_the_fetches(&host, &server, &other).await;
}

/// Starts a host with one metadata document, and a server with rate limits.
async fn with_one_document() -> (ClientHost, Server) {
    let host = ClientHost::start().await;
    let server = host.server(Engine::Sqlite, true).await.unwrap();
    (host, server)
}

#[tokio::test]
async fn strangers_cannot_exhaust_the_limit_of_a_valid_document() {
    let (host, server) = with_one_document().await;
    assert!(authorize(&server, &host, CALLBACK).await.is_ok());
    // these documents are invalid, because their `client_id` lacks the query of the URL
    probe(&server, &host, 59).await;
    too_many(authorize_as(&server, &format!("{}?x", host.client_id), CALLBACK).await);
    // the cached document has expired and must be fetched again
    server.clock.advance(5 * MINUTE);
    too_many(authorize_as(&server, &format!("{}?x", host.client_id), CALLBACK).await);
    let before = host.request_count();
    assert!(
        authorize(&server, &host, CALLBACK).await.is_ok(),
        "a document that was valid before is fetched, although the limit of its host is used up"
    );
    assert_eq!(host.request_count(), before + 1);
    // the limit of the URL applies as well
    host.receiver.always(Treatment::status(404));
    server.clock.advance(5 * MINUTE);
    for _ in 0..4 {
        invalid_client_message(authorize(&server, &host, CALLBACK).await);
    }
    too_many(authorize(&server, &host, CALLBACK).await);
}

#[tokio::test]
async fn a_fetch_rejected_by_the_limit_of_its_host_does_not_count_against_its_url() {
    let (host, server) = with_one_document().await;
    probe(&server, &host, 60).await;
    server.clock.advance(Duration::from_secs(590));
    for _ in 0..6 {
        too_many(authorize(&server, &host, CALLBACK).await);
    }
    server.clock.advance(Duration::from_secs(10));
    assert!(authorize(&server, &host, CALLBACK).await.is_ok());
}

#[tokio::test]
async fn a_fetch_rejected_by_the_limit_of_its_url_does_not_count_against_its_host() {
    let (host, server) = with_one_document().await;
    host.receiver.always(Treatment::status(404));
    for _ in 0..5 {
        invalid_client_message(authorize(&server, &host, CALLBACK).await);
    }
    for _ in 0..60 {
        too_many(authorize(&server, &host, CALLBACK).await);
    }
    probe(&server, &host, 55).await;
    too_many(authorize_as(&server, &format!("{}?x", host.client_id), CALLBACK).await);
}

#[tokio::test]
async fn the_page_does_not_reveal_the_network_error() {
    let host = ClientHost::start().await;
    let stranger = Receiver::with(Identity::UnknownAuthority, &["127.0.0.1"]).await;
    // nothing listens at this port
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let names = names::DnsServer::start().await;
    let exempt =
        [host.receiver.address, stranger.address, closed].map(|address| address.to_string()).to_vec();
    let options = Options { exempt, name_servers: vec![names.address], ..Options::default() };
    let server = Server::with(options).await.unwrap();
    let mut messages = std::collections::HashSet::new();
    let mut collect_page = async |client_id: &str| {
        messages.insert(invalid_client_message(authorize_as(&server, client_id, CALLBACK).await));
    };
    let unreached = [
        (host.client_id.clone(), OutboundFailure::Closed),
        (format!("https://{}/client.json", stranger.address), OutboundFailure::Tls),
        (format!("https://{closed}/client.json"), OutboundFailure::Connect),
        ("https://nowhere.example/client.json".to_owned(), OutboundFailure::Dns),
        ("https://10.0.0.1/client.json".to_owned(), OutboundFailure::ForbiddenAddress),
    ];
    host.receiver.always(Treatment::Close);
    for (client_id, why) in unreached {
        assert_eq!(cause(&server, &client_id, CALLBACK).await, Some(why));
        collect_page(&client_id).await;
    }
    // the page does not reveal the response either
    for treatment in [
        Treatment::status(404),
        Treatment::status(500),
        Treatment::Redirect(302, "https://elsewhere.example/".to_owned()),
        Treatment::Garbage,
        answer(b"<html>", &[]),
        answer(b"{}", &[("content-encoding", "gzip")]),
        answer(&[b' '; 10_241], &[]),
    ] {
        host.receiver.always(treatment);
        collect_page(&host.client_id).await;
    }
    host.receiver.always(Treatment::Hang(Vec::new()));
    let before = host.request_count();
    tokio::join!(collect_page(&host.client_id), async {
        host.receiver.wait_for(before + 1).await;
        server.clock.advance(Duration::from_secs(3));
    });
    assert_eq!(messages.len(), 1, "every error has the same message: {messages:?}");
}

/// The server fetches documents from public addresses only, and rejects a client id with the server's own host. If the
/// operator exempts a port of this host from the rule for addresses, the server accepts a client id with this port. The
/// exemption `127.0.0.1:443` also applies to a client id without a port.
#[tokio::test]
async fn a_document_at_the_default_port_of_the_servers_host_is_fetched_if_the_port_is_exempt() {
    let client_id = "https://127.0.0.1/client.json";
    let server = Server::with(Options { exempt: vec!["127.0.0.1:443".into()], ..Options::default() });
    let server = server.await.expect("SQLite is always available");
    let base_url = server.base.as_str();
    assert_eq!(
        server.running().world().settings.base_url,
        base_url,
        "the URL that the test calls is the base URL that the server compares with the client id"
    );
    assert!(
        base_url.starts_with("http://127.0.0.1:"),
        "the base URL has the host of the client id: {base_url}"
    );
    let why = cause(&server, client_id, CALLBACK).await;
    assert!(why.is_some(), "the server tries to fetch the document, which does not exist");
    let server = Server::sqlite().await;
    assert_eq!(
        cause(&server, client_id, CALLBACK).await,
        None,
        "without the exemption the server does not fetch"
    );
    let why = invalid_client_message(authorize_as(&server, client_id, CALLBACK).await);
    assert!(why.contains("this server"), "{why}");
}

#[tokio::test]
async fn a_host_with_an_invalid_certificate_gets_no_request() {
    for identity in [Identity::OtherName, Identity::Expired, Identity::UnknownAuthority] {
        let receiver = Receiver::with(identity, &["127.0.0.1"]).await;
        let client_id = format!("https://{}/client.json", receiver.address);
        let host = ClientHost { receiver, client_id };
        host.publish(json!({}), &[]);
        let server = host.server(Engine::Sqlite, false).await.unwrap();
        unusable(authorize(&server, &host, CALLBACK).await);
        let why = cause(&server, &host.client_id, CALLBACK).await;
        assert_eq!(why, Some(OutboundFailure::Tls), "an invalid certificate fails the fetch: {identity:?}");
        assert_eq!(host.request_count(), 0);
    }
}

/// Polls an authorization until the host has received this many requests.
async fn reaches(
    asking: &mut (impl Future<Output = AuthorizeResult> + Unpin),
    host: &ClientHost,
    requests: usize,
) {
    tokio::select! {
        asked = asking => panic!("the authorization ended before the host got the request: {asked:?}"),
        _ = host.receiver.wait_for(requests) => {}
    }
}

#[tokio::test]
async fn a_fetch_ends_after_3_seconds() {
    const ALMOST: Duration = Duration::from_millis(2999);
    let (host, server) = host_and_server().await;
    let body = host.document(json!({})).to_string();
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
    // no data, half a head, a complete head, and everything except the last byte
    for sent in ["", "HTTP/1.1 200", head.as_str(), &format!("{head}{}", &body[..body.len() - 1])] {
        host.receiver.then([Treatment::Hang(sent.into())]);
        let mut asking = Box::pin(authorize(&server, &host, CALLBACK));
        reaches(&mut asking, &host, host.request_count() + 1).await;
        server.clock.advance(ALMOST);
        for _ in 0..100 {
            assert!(
                futures_util::poll!(&mut asking).is_pending(),
                "the request waits until 3 seconds have passed (A-055): {sent}"
            );
            assert_eq!(
                server.running().world().documents.waiting(&host.client_id),
                1,
                "the fetch goes on until 3 seconds have passed (A-055): {sent}"
            );
            tokio::task::yield_now().await;
        }
        server.clock.advance(Duration::from_millis(1));
        // a document that does not arrive within 3 seconds is a failed fetch
        unusable(asking.await);
    }
    // a document that is complete in time is accepted
    let gate = Arc::new(Semaphore::new(0));
    host.receiver.then([Treatment::Late(Arc::clone(&gate), format!("{head}{body}").into())]);
    let mut asking = Box::pin(authorize(&server, &host, CALLBACK));
    reaches(&mut asking, &host, host.request_count() + 1).await;
    server.clock.advance(ALMOST);
    gate.add_permits(1);
    let asked = asking.await;
    assert!(asked.is_ok(), "a document that arrives within 3 seconds is accepted (A-055): {asked:?}");
}

#[tokio::test]
async fn a_fetch_completes_although_its_callers_disconnect() {
    let host = ClientHost::start().await;
    let server = host.server(Engine::Sqlite, true).await.unwrap();
    let waiting = || server.running().world().documents.waiting(&host.client_id);
    let gate = Arc::new(Semaphore::new(0));
    let body = host.document(json!({})).to_string();
    let whole = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    host.receiver.always(Treatment::status(404));
    host.receiver.then([Treatment::Late(Arc::clone(&gate), whole.into())]);
    let http = server.api().http;
    let query = [("client_id", host.client_id.as_str()), ("redirect_uri", CALLBACK)];
    for _ in 0..6 {
        // A URL is fetched at most five times. An attacker sends six requests, and disconnects after each request.
        let leaving = http.get(format!("{}/authorize", server.base)).query(&query).send();
        let is_asked = async {
            host.receiver.wait_for(1).await;
            while waiting() == 0 {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            answered = leaving => panic!("{answered:?}"),
            () = is_asked => {}
        }
        while waiting() > 0 {
            tokio::task::yield_now().await;
        }
    }
    gate.add_permits(1);
    assert!(authorize(&server, &host, CALLBACK).await.is_ok(), "an honest client is not locked out");
    assert_eq!(host.request_count(), 1, "all requests share one fetch");
}

/// A person reloads the page while the document is fetched, and the person's address may start no further fetch. The
/// reload joins the fetch in progress, so it does not need another fetch.
#[tokio::test]
async fn an_address_at_its_limit_joins_the_fetch_that_it_left() {
    let (host, server) = with_one_document().await;
    let address = Ipv4Addr::new(127, 21, 0, 1);
    let waiting = || server.running().world().documents.waiting(&host.client_id);
    for n in 0..29 {
        let url = format!("{}?{n}", host.client_id);
        invalid_client_message(authorize_from(&server, &url, CALLBACK, address).await);
    }
    // a minute later the address may send more authorization requests
    server.clock.advance(MINUTE);
    let gate = Arc::new(Semaphore::new(0));
    let body = host.document(json!({})).to_string();
    let whole = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    host.receiver.then([Treatment::Late(Arc::clone(&gate), whole.into())]);
    let mut leaving = Box::pin(authorize_from(&server, &host.client_id, CALLBACK, address));
    reaches(&mut leaving, &host, 30).await;
    drop(leaving);
    while waiting() > 0 {
        tokio::task::yield_now().await;
    }
    too_many(authorize_from(&server, &format!("{}?30", host.client_id), CALLBACK, address).await);
    let mut reloading = Box::pin(authorize_from(&server, &host.client_id, CALLBACK, address));
    while waiting() == 0 {
        let polled = futures_util::poll!(&mut reloading);
        assert!(polled.is_pending(), "the request waits for the fetch in progress (decision 7): {polled:?}");
        tokio::task::yield_now().await;
    }
    gate.add_permits(1);
    let asked = reloading.await;
    assert!(asked.is_ok(), "the request gets the document of the fetch that it joined: {asked:?}");
    assert_eq!(host.request_count(), 30, "both requests share one fetch");
}

/// A process makes at most ten fetches at a time; each of them has a slot, and the other fetches wait for one (D-214).
#[tokio::test]
async fn a_fetch_that_never_gets_a_slot_does_not_count_against_its_url() {
    let (slow, host) = (ClientHost::start().await, ClientHost::start().await);
    let exempt = [&slow, &host].map(|host| host.receiver.address.to_string()).to_vec();
    let server = Server::with(Options { limits: true, exempt, ..Options::default() }).await.unwrap();
    slow.receiver.always(Treatment::Hang(Vec::new()));
    for n in 0..6 {
        // six fetches from the slow host use all slots that one address gets
        let address = Ipv4Addr::new(127, 19, 0, u8::try_from(n).unwrap());
        let taken = futures_util::future::join_all((0..6).map(|which| {
            let url = format!("{}?{}", slow.client_id, 6 * n + which);
            let server = &server;
            async move { authorize_from(server, &url, CALLBACK, address).await }
        }));
        let mut taken = Box::pin(taken);
        while slow.request_count() < 6 * n + 6 {
            assert!(futures_util::poll!(&mut taken).is_pending());
            tokio::task::yield_now().await;
        }
        let mut asking = Box::pin(authorize_from(&server, &host.client_id, CALLBACK, address));
        while server.running().world().documents.waiting(&host.client_id) == 0 {
            assert!(futures_util::poll!(&mut asking).is_pending());
            tokio::task::yield_now().await;
        }
        for _ in 0..100 {
            assert!(futures_util::poll!(&mut asking).is_pending(), "the fetch waits for a slot");
            tokio::task::yield_now().await;
        }
        server.clock.advance(Duration::from_secs(3));
        unusable(asking.await);
        taken.await;
    }
    assert_eq!(host.request_count(), 0);
    assert!(
        authorize(&server, &host, CALLBACK).await.is_ok(),
        "none of the six requests counts as a fetch (A-066)"
    );
}

#[tokio::test]
async fn slow_hosts_and_greedy_addresses_leave_a_slot() {
    let honest = ClientHost::start().await;
    let slow = futures_util::future::join_all((0..4).map(|_| ClientHost::start())).await;
    let exempt = slow.iter().chain([&honest]).map(|host| host.receiver.address.to_string()).collect();
    let server = Server::with(Options { limits: true, exempt, ..Options::default() }).await.unwrap();
    let mut asking = Vec::new();
    for (n, host) in (1_u8..).zip(&slow) {
        host.receiver.always(Treatment::Hang(Vec::new()));
        for each in 0..7 {
            let (url, server) = (format!("{}?{each}", host.client_id), &server);
            let address = Ipv4Addr::new(127, 18, 0, n);
            asking.push(async move { authorize_from(server, &url, CALLBACK, address).await });
        }
    }
    let mut asking = Box::pin(futures_util::future::join_all(asking));
    while slow.iter().any(|host| host.request_count() == 0) {
        assert!(futures_util::poll!(&mut asking).is_pending());
        tokio::task::yield_now().await;
    }
    // the clock does not move, so no fetch times out and releases its slot
    let address = Ipv4Addr::new(127, 18, 0, 99);
    tokio::select! {
        asked = authorize_from(&server, &honest.client_id, CALLBACK, address) => assert!(asked.is_ok(), "{asked:?}"),
        _ = &mut asking => panic!("the fetches from the slow hosts ended, although the clock did not move"),
    }
    assert!(
        slow.iter().map(ClientHost::request_count).sum::<usize>() <= 9,
        "slow hosts leave one of the ten slots free (D-214)"
    );
}
