//! The connection to the server at an app's callback URL: certificates, TLS versions, and addresses (B-424, D-188,
//! D-220).

use std::net::SocketAddr;

use serde_json::{Value, json};
use switchboard::store::Engine;

use crate::{
    support::receiver::tls_1_1,
    support::{names::DnsServer, *},
};

/// Starts a server with these options, and installs an app with this callback URL.
async fn install_at(url: &str, options: Options) -> (Server, Company, Bot) {
    let server = Server::with(options).await.unwrap();
    let company = server.company().await;
    let app = server.app_at(url).await;
    let bot = company.install(&app, &ALL_SCOPES).await;
    (server, company, bot)
}

/// Returns the options of a server that sends events to `hosts` even if their addresses are private or the callback URL
/// is `http` (`allow_private_hosts`).
fn exempt(hosts: &[String]) -> Options {
    Options { events: true, exempt: hosts.to_vec(), ..Options::default() }
}

/// Causes an event, and returns the app's newest log entry, which is of the first attempt to deliver the event.
async fn first_attempt(server: &Server, company: &Company, bot: &Bot) -> Value {
    company.person().await;
    server.settle().await;
    server.log_of(&bot.app, "").await.remove(0)
}

/// Calls `attempt` up to 20 times, until it returns a log entry that matches `is_expected`. Tests with host names need
/// this, because DNS queries use UDP and real time, and may time out on a busy machine.
///
/// # Panics
/// If no log entry matches, or if a log entry that does not match has another error than `dns`.
async fn until_tried<F: Future<Output = Value>>(
    attempt: impl Fn() -> F,
    is_expected: impl Fn(&Value) -> bool,
) -> Value {
    for _ in 0..20 {
        let log = attempt().await;
        if is_expected(&log) {
            return log;
        }
        assert_eq!(
            log["error"], "dns",
            "an attempt without the expected result must have failed with a DNS error: {log}"
        );
    }
    panic!("no attempt had the expected result: the host name was never resolved");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn certificates_are_checked() {
    for (identity, error) in [
        (Identity::Good, None),
        (Identity::Tls12, None),
        (Identity::OtherName, Some("tls")),
        (Identity::Expired, Some("tls")),
        (Identity::UnknownAuthority, Some("tls")),
    ] {
        let receiver = Receiver::with(identity, &["127.0.0.1"]).await;
        let (server, company, bot) =
            install_at(&receiver.url(), exempt(&[receiver.address.to_string()])).await;
        let log = first_attempt(&server, &company, &bot).await;
        assert_eq!(log["error"], json!(error), "the error for {identity:?}");
        assert_eq!(
            log["state"],
            if error.is_some() { "failed" } else { "delivered" },
            "the state for {identity:?}"
        );
        assert_eq!(receiver.hits().len(), usize::from(error.is_none()), "requests for {identity:?}");
        // a TLS error is retried like any other failure
        if error.is_some() {
            assert_eq!(log["next_attempt_at"], "2026-11-20T12:01:00.000Z", "the retry for {identity:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tls_1_1_is_refused() {
    let (address, after) = tls_1_1().await;
    let (server, company, bot) =
        install_at(&format!("https://{address}/events"), exempt(&[address.to_string()])).await;
    let log = first_attempt(&server, &company, &bot).await;
    assert_eq!(
        (&log["state"], &log["error"], &log["status"]),
        (&json!("failed"), &json!("tls"), &Value::Null)
    );
    // after the ServerHello, which selects TLS 1.1, Switchboard sends only an alert (record type 21) and no event
    until(|| async { !after.lock().unwrap().is_empty() }).await;
    assert_eq!(after.lock().unwrap()[0], 21);
    assert!(!String::from_utf8_lossy(&after.lock().unwrap()).contains("evt_"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_public_https_callback_urls_are_registered() {
    // A callback URL must be `https` (B-424), and its address must be public (D-188). Neither rule applies to an exempt
    // host and port.
    let plain = Receiver::with(Identity::Plain, &[]).await;
    let options = exempt(&[plain.address.to_string(), "dev.example:8443".to_owned()]);
    let server = Server::with(options).await.unwrap();
    let register = async |url: &str| {
        let body = json!({
            "name": "App", "redirect_uris": ["https://app.example/cb"], "callback_url": url, "scopes": [],
        });
        server.operator().post("/admin/v1/apps").json(&body).send().await
    };
    for good in [
        "https://app.example/events",
        "https://app.example:8443/events?x=1",
        "https://8.8.8.8/",
        &plain.url(),
        "http://dev.example:8443/",
        "https://dev.example:8443/",
    ] {
        register(good).await.ok(201);
    }
    for bad in [
        "http://app.example/events",
        "https://localhost/events",
        "https://127.0.0.1/events",
        "https://10.0.0.1/events",
        "https://[::1]/events",
        "https://169.254.169.254/latest",
        "https://2130706433/",
        "http://dev.example/",
        "http://127.0.0.1:1/",
    ] {
        register(bad).await.refused(400, "invalid_request");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn plain_http_is_delivered_to_an_exempt_address() {
    let plain = Receiver::with(Identity::Plain, &[]).await;
    let (server, company, bot) = install_at(&plain.url(), exempt(&[plain.address.to_string()])).await;
    assert_eq!(first_attempt(&server, &company, &bot).await["state"], "delivered");
    assert_eq!(plain.hits().len(), 1);
}

/// The addresses of a host name are checked when a connection is opened. The registration of an app does not resolve
/// the name of its callback URL.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_with_a_forbidden_address_gets_no_connection() {
    let receiver = Receiver::with(Identity::Good, &["hooks.example.com"]).await;
    let names = DnsServer::start().await;
    names.set_addresses("hooks.example.com", &["93.184.216.34"]);
    let options = Options { events: true, name_servers: vec![names.address], ..Options::default() };
    let url = format!("https://hooks.example.com:{}/events", receiver.address.port());
    let (server, company, bot) = install_at(&url, options).await;
    for (to, error) in [
        (vec!["127.0.0.1"], "forbidden_address"),
        (vec!["10.1.2.3"], "forbidden_address"),
        (vec!["::1"], "forbidden_address"),
        (vec!["::ffff:127.0.0.1"], "forbidden_address"),
        // a name with several addresses is rejected if any of them is forbidden
        (vec!["93.184.216.34", "127.0.0.1"], "forbidden_address"),
        (vec!["127.0.0.1", "93.184.216.34"], "forbidden_address"),
        (vec!["93.184.216.34", "fd00::1"], "forbidden_address"),
        (vec![], "dns"),
    ] {
        names.set_addresses("hooks.example.com", &to);
        let log = until_tried(|| first_attempt(&server, &company, &bot), |log| log["error"] == error).await;
        assert_eq!(log["state"], "failed", "{to:?}");
    }
    assert_eq!(receiver.connections(), 0, "the receiver gets no connection");
    assert!(names.queried().contains(&"hooks.example.com".to_owned()));
}

/// The address of an exempt host name is not checked, but the certificate must be for the name.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_exempt_name_may_have_a_private_address() {
    let receiver = Receiver::with(Identity::Good, &["hooks.example.com"]).await;
    let names = DnsServer::start().await;
    names.set_addresses("hooks.example.com", &["127.0.0.1"]);
    let port = receiver.address.port();
    let exempted = |port: u16| {
        let hosts = [format!("hooks.example.com:{port}")];
        Options { name_servers: vec![names.address], ..exempt(&hosts) }
    };
    let url = format!("https://hooks.example.com:{port}/");
    let (server, company, bot) = install_at(&url, exempted(port)).await;
    until_tried(|| first_attempt(&server, &company, &bot), |log| log["state"] == "delivered").await;
    assert_eq!(receiver.hits()[0].header("host"), format!("hooks.example.com:{port}"));
    // the callback URL gets a host name that does not resolve
    let unknown = "unknown.example.com";
    let body = json!({"callback_url": format!("https://{unknown}:{port}/")});
    server.operator().patch(&format!("/admin/v1/apps/{}", bot.app.id)).json(&body).ok(200).await;
    assert_eq!(first_attempt(&server, &company, &bot).await["error"], "dns");
    // another server on the same machine has no certificate for the host name of the URL
    let other = Receiver::with(Identity::Good, &["other.example.com", "127.0.0.1"]).await;
    let url = format!("https://hooks.example.com:{}/", other.address.port());
    let (server, company, bot) = install_at(&url, exempted(other.address.port())).await;
    until_tried(|| first_attempt(&server, &company, &bot), |log| log["error"] == "tls").await;
    assert!(other.hits().is_empty(), "a server without a certificate for the host name gets no request");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_closed_port_is_a_connect_error() {
    let address: SocketAddr = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap()
    };
    let (server, company, bot) =
        install_at(&format!("https://{address}/"), exempt(&[address.to_string()])).await;
    let log = first_attempt(&server, &company, &bot).await;
    assert_eq!((&log["error"], &log["status"]), (&json!("connect"), &Value::Null));
    assert_eq!(log["answer"], Value::Null);
}

/// The app's server accepts the connection and does not respond to the TLS handshake.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tls_handshake_times_out() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (server, company, bot) =
        install_at(&format!("https://{address}/"), exempt(&[address.to_string()])).await;
    company.person().await;
    let _held = listener.accept().await.unwrap();
    server.clock.advance(std::time::Duration::from_millis(2_999));
    assert!(server.log_of(&bot.app, "state=failed").await.is_empty());
    server.advance(std::time::Duration::from_millis(1)).await;
    let log = server.log_of(&bot.app, "state=failed").await;
    assert_eq!(log[0]["error"], "timeout");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_stay_pending_while_delivery_is_turned_off() {
    let receiver = Receiver::start().await;
    let off = Options { events: false, ..delivering(Engine::Sqlite, &[&receiver]) };
    let (server, company, bot) = install_at(&receiver.url(), off).await;
    company.person().await;
    server.settle().await;
    let log = server.log_of(&bot.app, "").await;
    assert_eq!((&log[0]["state"], &log[0]["attempt"]), (&json!("pending"), &json!(1)));
    assert!(receiver.hits().is_empty());
}
