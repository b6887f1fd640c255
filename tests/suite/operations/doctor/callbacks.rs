//! Checks of the callback URLs of apps.

use std::time::Duration;

use serde_json::json;
use switchboard::{
    cli::doctor::callbacks,
    config::{Environment, HostPort},
    domain::time::Timestamp,
};
use tokio::net::TcpListener;

use super::*;
use crate::support::{
    names::DnsServer,
    receiver::{Identity, Receiver, Treatment, authority_pem},
};

const CA: &str = "SWITCHBOARD_EXTRA_CA_FILE";
const EXEMPT: &str = "SWITCHBOARD_ALLOW_PRIVATE_HOSTS";
const SECRET: &str = "whsec_doctor";

/// The configuration of a deployment that does not run.
struct StoppedDeployment {
    config: Config,
    _home: tempfile::TempDir,
}

impl StoppedDeployment {
    fn new(exempt: &[&Receiver]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let authority = home.path().join("authority.pem");
        std::fs::write(&authority, authority_pem()).unwrap();
        let mut config = Config::default();
        config.environment = Environment::Dev;
        config.extra_ca_file = Some(authority);
        config.allow_private_hosts =
            exempt.iter().map(|one| HostPort::parse(&one.address.to_string()).unwrap()).collect();
        Self { config, _home: home }
    }

    async fn check(&self, url: &str, send: Option<&[&str]>) -> DoctorReport {
        let send = send.map(|secrets| secrets.iter().map(|text| Secret::new(*text)).collect());
        let context = DoctorContext {
            key: None,
            callbacks: vec![url.to_owned()],
            send,
            ..context(self.config.clone())
        };
        DoctorReport::of(callbacks::check(&context).await)
    }
}

#[tokio::test]
async fn callbacks_are_checked_by_the_rules_of_deliveries() {
    for (identity, words) in [
        (Identity::Good, ""),
        (Identity::Expired, "expired"),
        (Identity::OtherName, "another name"),
        (Identity::UnknownAuthority, "not trusted"),
    ] {
        let receiver = Receiver::with(identity, &["127.0.0.1"]).await;
        let report = StoppedDeployment::new(&[&receiver]).check(&receiver.url(), None).await;
        match words {
            "" => is_ok(&report, "callback", "accepts connections"),
            words => fails(&report, "callback", words, CA, "certificate"),
        }
        assert!(receiver.hits().is_empty(), "without --send, the check sends no event");
    }
    // events are sent to a private address only if the address is exempt (D-188)
    let receiver = Receiver::start().await;
    let report = StoppedDeployment::new(&[]).check(&receiver.url(), None).await;
    fails(&report, "callback", "forbidden_address", EXEMPT, "public address");
    let report = StoppedDeployment::new(&[]).check("http://example.com/events", None).await;
    fails(&report, "callback", "is not an https:// URL", EXEMPT, "https:// callback");
    let report = StoppedDeployment::new(&[]).check("https://nobody.invalid/events", None).await;
    fails(
        &report,
        "callback",
        "a host name that does not resolve",
        "SWITCHBOARD_NAME_SERVERS",
        "other name servers",
    );
    assert_eq!(receiver.connections(), 0);
}

#[tokio::test]
async fn the_response_to_a_signed_event_is_checked() {
    let receiver = Receiver::start().await;
    let deployment = StoppedDeployment::new(&[&receiver]);
    receiver.respond_with(|hit| {
        let is_right = hit.verifies(SECRET, Clock::system().now());
        Treatment::status(if is_right { 200 } else { 401 })
    });
    is_ok(&deployment.check(&receiver.url(), Some(&["whsec_other", SECRET])).await, "callback", "200");
    let hits = receiver.hits();
    assert_eq!((hits.len(), hits[1].json()["type"].clone()), (2, json!("diagnostic")));
    // If the check has no secrets, it signs the event with a random secret. A correct receiver rejects such an event.
    is_ok(&deployment.check(&receiver.url(), Some(&[])).await, "callback", "401");
    let report = deployment.check(&receiver.url(), Some(&["whsec_other"])).await;
    fails(&report, "callback", "401", "SWITCHBOARD_SIGNING_SECRET", "signing secret");
    // 400, 401 and 403 mean that the receiver rejects the signature. 404, like every other status that is not 2xx, can
    // have another cause.
    receiver.always(Treatment::status(404));
    let report = deployment.check(&receiver.url(), Some(&[])).await;
    assert_eq!(find(&report, "callback", "404").state, CheckState::Warning);
    let report = deployment.check(&receiver.url(), Some(&[SECRET])).await;
    fails(&report, "callback", "404", "SWITCHBOARD_SIGNING_SECRET", "the receiver's log");
    // a receiver that accepts everything does not verify signatures
    receiver.always(Treatment::status(200));
    let report = deployment.check(&receiver.url(), Some(&[])).await;
    let finding = find(&report, "callback", "wrong signature");
    assert_eq!(finding.state, CheckState::Warning);
    receiver.always(Treatment::Close);
    let report = deployment.check(&receiver.url(), Some(&[SECRET])).await;
    let finding = find(&report, "callback", "does not answer with HTTP");
    assert_eq!(finding.state, CheckState::Failure, "{finding:?}");
    assert_eq!(finding.setting, None, "no setting of the server is the cause: {finding:?}");
    assert!(finding.remedy.as_ref().is_some_and(|text| text.contains("port")), "{finding:?}");
}

#[tokio::test]
async fn name_resolution_connecting_and_tls_share_the_timeout_of_a_delivery() {
    let names = DnsServer::start().await;
    names.set_addresses("hooks.example.com", &["127.0.0.1"]);
    // the receiver accepts connections and does not respond to the TLS handshake
    let receiver = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let authority = format!("hooks.example.com:{}", receiver.local_addr().unwrap().port());
    let mut config = Config::default();
    config.environment = Environment::Dev;
    config.name_servers = vec![names.address];
    config.allow_private_hosts = vec![HostPort::parse(&authority).unwrap()];
    let url = format!("https://{authority}/events");
    let clock = Clock::manual(Timestamp::from_seconds(1_800_000_000));
    let context = DoctorContext { key: None, callbacks: vec![url], clock: clock.clone(), ..context(config) };
    let held = names.responding.lock().await;
    let steps = async {
        until(async || !names.queried().is_empty()).await;
        clock.advance(Duration::from_secs(2));
        drop(held);
        let (socket, _) = receiver.accept().await.unwrap();
        clock.advance(Duration::from_secs(1));
        socket
    };
    let mut check = std::pin::pin!(callbacks::check(&context));
    let _socket = tokio::select! {
        findings = &mut check => panic!("the check ended before the timeout: {findings:?}"),
        socket = steps => socket,
    };
    // If the TLS handshake had 3 seconds of its own, the check would not end now: the clock has moved by only one
    // second since the connection was opened.
    let findings = tokio::time::timeout(Duration::from_secs(2), check).await;
    let report = DoctorReport::of(findings.expect("the timeout of a delivery is 3 seconds in all"));
    let finding = find(&report, "callback", "within 3 seconds");
    assert_eq!((finding.state, &finding.setting), (CheckState::Failure, &None), "{finding:?}");
}

#[tokio::test]
async fn with_send_the_timeout_includes_name_resolution() {
    let names = DnsServer::start().await;
    names.set_addresses("hooks.example.com", &["127.0.0.1"]);
    let mut config = Config::default();
    config.environment = Environment::Dev;
    config.name_servers = vec![names.address];
    config.allow_private_hosts = vec![HostPort::parse("hooks.example.com:9").unwrap()];
    let url = "http://hooks.example.com:9/events".to_owned();
    let clock = Clock::manual(Timestamp::from_seconds(1_800_000_000));
    let send = Some(vec![Secret::new(SECRET)]);
    let context =
        DoctorContext { key: None, callbacks: vec![url], send, clock: clock.clone(), ..context(config) };
    let _held = names.responding.lock().await;
    let steps = async {
        until(async || !names.queried().is_empty()).await;
        clock.advance(Duration::from_secs(3));
        std::future::pending::<()>().await;
    };
    let check = tokio::time::timeout(Duration::from_secs(2), callbacks::check(&context));
    let findings = tokio::select! {
        findings = check => findings.expect("the timeout includes name resolution"),
        () = steps => unreachable!("the steps do not end"),
    };
    let report = DoctorReport::of(findings);
    assert_eq!(find(&report, "callback", "within 3 seconds").state, CheckState::Failure);
}

#[tokio::test]
async fn the_next_address_is_tried_if_an_address_refuses_the_connection() {
    let names = DnsServer::start().await;
    let receiver = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let authority = format!("hooks.example.com:{}", receiver.local_addr().unwrap().port());
    let mut config = Config::default();
    config.environment = Environment::Dev;
    config.name_servers = vec![names.address];
    config.allow_private_hosts = vec![HostPort::parse(&authority).unwrap()];
    let url = format!("http://{authority}/events");
    // Nothing listens at the first address. It is not an IPv6 address, because the IPv4 addresses of a name are tried
    // before its IPv6 addresses.
    names.set_addresses("hooks.example.com", &["127.0.0.2", "127.0.0.1"]);
    let context = DoctorContext { key: None, callbacks: vec![url], ..context(config) };
    let report = DoctorReport::of(callbacks::check(&context).await);
    is_ok(&report, "callback", "accepts connections");
}

#[tokio::test]
async fn with_the_operator_key_the_callbacks_of_all_apps_are_checked() {
    let proxy = Proxy::start(ProxyBehaviour::good()).await;
    let receiver = Receiver::start().await;
    let exempt = HostPort::parse(&receiver.address.to_string()).unwrap();
    let deployment = Deployment::behind(&proxy, move |config| {
        config.environment = Environment::Dev;
        config.allow_private_hosts = vec![exempt.clone()];
    })
    .await;
    let operator = deployment.server.operator();
    let body = json!({"name": "Called", "redirect_uris": ["https://a.example/cb"], "callback_url": receiver.url(),
                      "scopes": ["users:read"]});
    let made = operator.post("/admin/v1/apps").json(&body).ok(201).await;
    let report = deployment.report().await;
    is_ok(&report, "callback", &receiver.url());
    // a disabled app gets no events, so its callback URL is not checked
    let path = format!("/admin/v1/apps/{}", made["app"]["id"].as_str().unwrap());
    operator.patch(&path).json(&json!({"disabled": true})).ok(200).await;
    let report = deployment.report().await;
    assert_eq!(find(&report, "callback", "no enabled app has a callback").state, CheckState::Skipped);
}

#[tokio::test]
async fn callbacks_of_apps_are_not_listed_without_the_operator_key() {
    let context = DoctorContext { key: None, ..context(Config::default()) };
    let report = DoctorReport::of(callbacks::check(&context).await);
    assert_eq!(report.findings.len(), 1, "{}", report.text());
    assert_eq!(find(&report, "callback", "requires the operator key").state, CheckState::Skipped);
}
