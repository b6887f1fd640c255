//! `switchboard listen`, the reference receiver, on real sockets: the requests that it accepts and rejects, and the
//! failures that it can simulate (B-422, B-426, B-427, B-433, B-441).

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use reqwest::{Certificate, Response, redirect::Policy};
use switchboard::{
    cli::listen::{
        certificate,
        misbehaviour::Misbehaviour,
        receiver::{Receiver, ReceiverOutcome, Reception},
        serve,
        verdict::InvalidSignature,
    },
    domain::{signature, time::Timestamp},
    platform::{clock::Clock, secrets::Secret, shutdown, tls::install_provider},
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::JoinHandle,
};

use crate::support::server::START;

const SECRET: &str = "whsec_listen";
const BODY: &str = r#"{"id":"evt_38f40r646007j","type":"directory.changed","data":{"kind":"user.created","id":"usr_38f40r5vr007h"}}"#;

/// A receiver that runs in this process.
struct Running {
    url: String,
    clock: Clock,
    http: reqwest::Client,
    received: Arc<Mutex<Vec<Reception>>>,
    trigger: shutdown::Trigger,
    task: JoinHandle<()>,
}

impl Running {
    async fn start(misbehaviour: Misbehaviour) -> Self {
        Self::over("http", None, misbehaviour, client().build().unwrap()).await
    }

    async fn over(
        scheme: &str,
        tls: Option<tokio_rustls::TlsAcceptor>,
        misbehaviour: Misbehaviour,
        http: reqwest::Client,
    ) -> Self {
        let clock = Clock::manual(START);
        let listening = serve::bind(SocketAddr::from(([127, 0, 0, 1], 0)), tls).await.unwrap();
        let url = format!("{scheme}://{}/events", listening.address());
        let received = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&received);
        let report = Arc::new(move |reception: &Reception| sink.lock().unwrap().push(reception.clone()));
        let receiver = Arc::new(Receiver::new(vec![Secret::new(SECRET)], misbehaviour, clock.clone()));
        let (trigger, stop) = shutdown::channel();
        let task = tokio::spawn(listening.serve(receiver, report, stop));
        Self { url, clock, http, received, trigger, task }
    }

    fn request(&self, body: &[u8], at: Timestamp, secret: &str) -> reqwest::RequestBuilder {
        self.http
            .post(&self.url)
            .header("x-service-attempt", "1")
            .header("x-service-timestamp", at.seconds())
            .header("x-service-signature", signature::sign(secret, at.seconds(), body))
            .body(body.to_vec())
    }

    /// Sends a valid request, always with the same event.
    async fn send(&self) -> Response {
        self.request(BODY.as_bytes(), START, SECRET).send().await.unwrap()
    }

    fn outcomes(&self) -> Vec<ReceiverOutcome> {
        self.received.lock().unwrap().iter().map(|reception| reception.outcome.clone()).collect()
    }
}

fn client() -> reqwest::ClientBuilder {
    install_provider();
    reqwest::Client::builder().no_proxy().redirect(Policy::none())
}

fn ago(seconds: i64) -> Timestamp {
    Timestamp::from_seconds(START.seconds() - seconds)
}

#[tokio::test]
async fn an_event_is_handled_once() {
    let receiver = Running::start(Misbehaviour::default()).await;
    // B-441: an event whose id was handled before gets the same response and is not handled again
    for _ in 0..2 {
        assert_eq!(receiver.send().await.status(), 200);
    }
    assert_eq!(receiver.outcomes(), [ReceiverOutcome::Handled, ReceiverOutcome::Repeated]);
    let first = receiver.received.lock().unwrap()[0].clone();
    assert_eq!(first.incoming.body, BODY.as_bytes(), "the receiver keeps the raw bytes of the body (B-433)");
    assert_eq!((first.incoming.path.as_str(), first.number), ("/events", 1));
    receiver.trigger.drain();
    receiver.task.await.unwrap();
}

#[tokio::test]
async fn requests_that_do_not_verify_are_refused() {
    let receiver = Running::start(Misbehaviour::default()).await;
    let send = async |request: reqwest::RequestBuilder| request.send().await.unwrap().status().as_u16();
    let body = BODY.as_bytes();
    // B-441: the signature is over the raw bytes, so it does not match a body with one more space
    let tampered = receiver.request(body, START, SECRET).body(format!("{BODY} "));
    assert_eq!(send(tampered).await, 401);
    assert_eq!(send(receiver.request(body, START, "whsec_other")).await, 401);
    // B-441, B-422: a timestamp older than 5 minutes is rejected
    assert_eq!(send(receiver.request(body, ago(301), SECRET)).await, 401);
    assert_eq!(send(receiver.http.post(&receiver.url).body(BODY)).await, 400);
    let found = receiver.outcomes();
    assert_eq!(
        found[..2],
        [
            ReceiverOutcome::Refused(InvalidSignature::Mismatch),
            ReceiverOutcome::Refused(InvalidSignature::Mismatch)
        ]
    );
    assert_eq!(
        found[2..],
        [
            ReceiverOutcome::Refused(InvalidSignature::TooOld(301)),
            ReceiverOutcome::Refused(InvalidSignature::NoTimestamp)
        ]
    );
    // B-441: a timestamp exactly 5 minutes old is accepted, and one valid signature of several is enough
    assert_eq!(send(receiver.request(body, ago(300), SECRET)).await, 200);
    let both = signature::header("whsec_new", Some(SECRET), START.seconds(), body);
    let rotated = receiver.http.post(&receiver.url).header("x-service-timestamp", START.seconds());
    assert_eq!(send(rotated.header("x-service-signature", both).body(BODY)).await, 200);
    // a method other than POST, and a body of more than 1 MiB, are rejected
    assert_eq!(send(receiver.http.get(&receiver.url)).await, 405);
    let large = vec![b' '; 1024 * 1024 + 1];
    assert_eq!(send(receiver.request(&large, START, SECRET)).await, 413);
}

#[tokio::test]
async fn an_incomplete_body_is_rejected_with_400() {
    let receiver = Running::start(Misbehaviour::default()).await;
    let address = receiver.url.strip_prefix("http://").unwrap().strip_suffix("/events").unwrap();
    for framing in ["Content-Length: 9\r\n\r\nhalf", "Transfer-Encoding: chunked\r\n\r\nno size\r\n"] {
        let mut socket = TcpStream::connect(address).await.unwrap();
        let request = format!("POST /events HTTP/1.1\r\nHost: h\r\nConnection: close\r\n{framing}");
        socket.write_all(request.as_bytes()).await.unwrap();
        socket.shutdown().await.unwrap();
        let mut response = String::new();
        socket.read_to_string(&mut response).await.unwrap();
        assert!(response.starts_with("HTTP/1.1 400 "), "{framing:?}: {response:?}");
    }
    assert_eq!(receiver.outcomes(), []);
}

#[tokio::test]
async fn the_configured_number_of_first_requests_fails() {
    let receiver = Running::start(Misbehaviour { fail: Some(2), ..Misbehaviour::default() }).await;
    let mut statuses = Vec::new();
    for _ in 0..4 {
        statuses.push(receiver.send().await.status().as_u16());
    }
    assert_eq!(statuses, [500, 500, 200, 200]);
    assert_eq!(
        receiver.outcomes(),
        [
            ReceiverOutcome::Failed,
            ReceiverOutcome::Failed,
            ReceiverOutcome::Handled,
            ReceiverOutcome::Repeated
        ]
    );
}

#[tokio::test]
async fn any_status_can_be_returned() {
    for status in [201, 204, 299, 302, 400, 410, 503] {
        let receiver = Running::start(Misbehaviour { status: Some(status), ..Misbehaviour::default() }).await;
        assert_eq!(receiver.send().await.status(), status);
        let expected = if status < 300 { ReceiverOutcome::Handled } else { ReceiverOutcome::Failed };
        assert_eq!(receiver.outcomes(), [expected], "only a 2xx counts as handled: {status}");
    }
}

#[tokio::test]
async fn redirects_are_returned() {
    let to = "http://127.0.0.1:1/elsewhere";
    for status in [None, Some(301), Some(307), Some(308)] {
        let misbehaviour = Misbehaviour { redirect: Some(to.to_owned()), status, ..Misbehaviour::default() };
        let receiver = Running::start(misbehaviour).await;
        let answer = receiver.send().await;
        assert_eq!(answer.status(), status.unwrap_or(302));
        assert_eq!(answer.headers()["location"], to);
        assert_eq!(receiver.outcomes(), [ReceiverOutcome::Failed]);
    }
}

#[tokio::test]
async fn a_delayed_event_is_handled_before_the_response() {
    // delays the response to the first attempt only
    let misbehaviour =
        Misbehaviour { fail: Some(1), delay: Some(Duration::from_secs(4)), ..Misbehaviour::default() };
    let receiver = Running::start(misbehaviour).await;
    let slow = tokio::spawn(receiver.request(BODY.as_bytes(), START, SECRET).send());
    while receiver.outcomes().is_empty() {
        tokio::task::yield_now().await;
    }
    // the sender disconnects before the response
    assert!(!slow.is_finished());
    slow.abort();
    // The receiver has handled the event, but the sender got no response and sends the event again. So a receiver must
    // recognize the ids of events that it has handled.
    assert_eq!(receiver.outcomes(), [ReceiverOutcome::Handled]);
    assert_eq!(receiver.send().await.status(), 200);
    assert_eq!(receiver.outcomes(), [ReceiverOutcome::Handled, ReceiverOutcome::Repeated]);
}

#[tokio::test]
async fn the_response_is_sent_after_the_delay() {
    let delay = Duration::from_secs(3600);
    let receiver = Running::start(Misbehaviour { delay: Some(delay), ..Misbehaviour::default() }).await;
    let answer = tokio::spawn(receiver.request(BODY.as_bytes(), START, SECRET).send());
    while receiver.outcomes().is_empty() {
        tokio::task::yield_now().await;
    }
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert!(!answer.is_finished(), "the response waits for the delay");
    while !answer.is_finished() {
        receiver.clock.advance(delay);
        tokio::task::yield_now().await;
    }
    assert_eq!(answer.await.unwrap().unwrap().status(), 200);
}

#[tokio::test]
async fn over_https_the_receiver_has_a_certificate_of_its_own_authority() {
    let home = tempfile::tempdir().unwrap();
    let authority = home.path().join("ca.pem");
    let make = || {
        let now = Clock::system().now();
        certificate::make([127, 0, 0, 1].into(), now, Some(&authority)).unwrap()
    };
    let first = make();
    let trusted = Certificate::from_pem(&std::fs::read(&authority).unwrap()).unwrap();
    let http = client().tls_certs_merge([trusted]).min_tls_version(reqwest::tls::Version::TLS_1_2);
    let http = http.build().unwrap();
    let receiver = Running::over("https", Some(first), Misbehaviour::default(), http.clone()).await;
    assert_eq!(receiver.send().await.status(), 200);
    // a client that does not trust this certificate authority sends nothing
    let stranger = client().build().unwrap().post(&receiver.url).send().await;
    assert!(stranger.unwrap_err().is_connect());
    // after a restart the receiver has another certificate of the same authority
    let again = Running::over("https", Some(make()), Misbehaviour::default(), http).await;
    assert_eq!(again.send().await.status(), 200);
    assert_eq!(again.outcomes(), [ReceiverOutcome::Handled]);
}
