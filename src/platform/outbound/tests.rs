use std::io::Write as _;
use std::net::TcpListener;

use http::HeaderValue;

use super::*;
use crate::domain::time::Timestamp;

fn outbound(exempt: &[&str]) -> Outbound {
    let settings = OutboundSettings {
        exempt: exempt.iter().map(|host| (*host).to_owned()).collect(),
        ..OutboundSettings::default()
    };
    Outbound::new(settings, Clock::manual(Timestamp(0))).unwrap()
}

fn get(url: &str) -> OutboundRequest {
    OutboundRequest {
        method: Method::GET,
        url: url.to_owned(),
        headers: HeaderMap::new(),
        body: Bytes::new(),
    }
}

const LIMITS: ResponseLimits =
    ResponseLimits { head: Duration::from_secs(3), body: Duration::from_secs(1), most: 1024 };

/// Starts a server that responds to one connection with `bytes`. Returns the server's address.
fn answering(bytes: &'static [u8]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        let mut request = [0; 1024];
        let _ = std::io::Read::read(&mut socket, &mut request);
        let _ = socket.write_all(bytes);
    });
    address
}

#[tokio::test]
async fn only_https_to_public_hosts_is_allowed() {
    let outbound = outbound(&[]);
    for (url, why) in [
        ("http://example.com/", OutboundFailure::Url),
        ("ftp://example.com/", OutboundFailure::Url),
        ("nothing", OutboundFailure::Url),
        ("https://127.0.0.1/", OutboundFailure::ForbiddenAddress),
        ("https://[::1]/", OutboundFailure::ForbiddenAddress),
        ("https://[::ffff:10.0.0.1]/", OutboundFailure::ForbiddenAddress),
        ("https://2130706433/", OutboundFailure::ForbiddenAddress),
        ("https://0x7f.1/", OutboundFailure::ForbiddenAddress),
        ("https://169.254.169.254/latest/meta-data", OutboundFailure::ForbiddenAddress),
        ("https://localhost/", OutboundFailure::ForbiddenAddress),
    ] {
        assert_eq!(outbound.send(get(url), LIMITS).await.unwrap_err().why, why, "{url}");
    }
}

#[tokio::test]
async fn an_exempt_host_may_have_a_private_address_and_plain_http() {
    let address =
        answering(b"HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 2\r\n\r\nno");
    let reply = outbound(&[&address]).send(get(&format!("http://{address}/x")), LIMITS).await.unwrap();
    assert_eq!(reply.status, StatusCode::FOUND, "redirects are not followed");
    assert_eq!(reply.headers.get("location"), Some(&HeaderValue::from_static("http://127.0.0.1:1/")));
    assert_eq!((&reply.body[..], reply.is_whole), (&b"no"[..], true));
    // an exemption applies to one port of the host
    let other = outbound(&["127.0.0.1:1"]).send(get(&format!("http://{address}/x")), LIMITS).await;
    assert_eq!(other.unwrap_err().why, OutboundFailure::Url);
}

#[tokio::test]
async fn a_long_body_is_truncated() {
    let address = answering(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n0123456789");
    let limits = ResponseLimits { most: 4, ..LIMITS };
    let reply = outbound(&[&address]).send(get(&format!("http://{address}/")), limits).await.unwrap();
    assert_eq!((&reply.body[..], reply.is_whole), (&b"0123"[..], false));
}

#[tokio::test]
async fn failures_are_distinguished() {
    let refused = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().to_string()
    };
    for (address, scheme, why) in [
        (refused, "http", OutboundFailure::Connect),
        (answering(b""), "http", OutboundFailure::Closed),
        (answering(b"HTTP/1.1 200"), "http", OutboundFailure::Closed),
        (answering(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"), "http", OutboundFailure::Protocol),
        (answering(b"HTTP/1.1 200 OK\r\n\r\n"), "https", OutboundFailure::Tls),
    ] {
        let got = outbound(&[&address]).send(get(&format!("{scheme}://{address}/")), LIMITS).await;
        assert_eq!(got.unwrap_err().why, why, "{address}");
    }
}

#[tokio::test]
async fn a_request_fails_when_the_clock_is_advanced_by_the_timeout() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let outbound = outbound(&[&address]);
    let request = get(&format!("http://{address}/"));
    let (reply, ()) = tokio::join!(outbound.send(request, LIMITS), async {
        tokio::task::yield_now().await;
        outbound.clock.advance(Duration::from_secs(3));
    });
    assert_eq!(reply.unwrap_err().why, OutboundFailure::Timeout);
}

#[tokio::test]
async fn a_response_that_arrived_in_time_is_not_accepted_if_it_is_read_after_the_timeout() {
    use std::sync::mpsc;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let ((asked, is_asked), (answer, may_answer)) = (mpsc::channel(), mpsc::channel::<()>());
    let server = std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        let _ = std::io::Read::read(&mut socket, &mut [0; 1024]);
        asked.send(()).unwrap();
        may_answer.recv().unwrap();
        socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").unwrap();
        socket
    });
    let outbound = outbound(&[&address]);
    let mut sending = std::pin::pin!(outbound.send(get(&format!("http://{address}/")), LIMITS));
    while is_asked.try_recv().is_err() {
        assert!(futures_util::poll!(sending.as_mut()).is_pending());
        tokio::task::yield_now().await;
    }
    // before the next poll of the future, the response arrives and the timeout elapses
    answer.send(()).unwrap();
    let _open = tokio::task::spawn_blocking(|| server.join().unwrap()).await.unwrap();
    for _ in 0..1000 {
        tokio::task::yield_now().await;
    }
    outbound.clock.advance(LIMITS.head);
    assert_eq!(sending.await.unwrap_err().why, OutboundFailure::Timeout);
}

#[test]
fn extra_ca_without_a_valid_certificate_is_rejected() {
    let with = |pem: &[u8]| OutboundSettings { extra_ca: Some(pem.to_vec()), ..OutboundSettings::default() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        for pem in [&b""[..], b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
            let error = Outbound::new(with(pem), Clock::system()).err();
            let Some(OutboundError::ExtraCa(why)) = &error else { panic!("{error:?}") };
            assert!(!why.is_empty() && !why.contains("builder error"), "{why}");
        }
    });
}
