//! The reference receiver, `switchboard listen`, gets events from a server process over HTTPS (B-424, B-428 … B-431,
//! B-441). The server trusts the certificate authority that the receiver creates, and has the settings that the
//! receiver recommends.

use std::{
    net::Ipv4Addr,
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};
use switchboard::{
    cli::listen::{
        certificate,
        misbehaviour::Misbehaviour,
        receiver::{ATTEMPT, Receiver, ReceiverOutcome, Reception, TIMESTAMP},
        serve,
    },
    domain::token::{self, TokenKind},
    platform::{clock::Clock, secrets::Secret, shutdown},
};

use crate::support::{ALL_SCOPES, Api, App, Company, Process, delivered, text, until};

/// An app, the operator of its server, and the requests that the app's receiver got.
struct ReceiverFixture {
    operator: Api,
    app: App,
    received: Arc<Mutex<Vec<Reception>>>,
}

impl ReceiverFixture {
    /// Waits for the first request that `matches` accepts, and returns the request. Whenever no event is due, moves the
    /// server's clock to the next attempt.
    async fn first(&self, matches: impl Fn(&Reception) -> bool) -> Reception {
        let find = || self.received.lock().unwrap().iter().find(|one| matches(one)).cloned();
        delivered(&self.operator, &self.app, || async { find().is_some() }).await;
        find().unwrap()
    }

    /// Waits until the delivery log has an entry for the attempt of this request, and returns the entry. The server
    /// writes the entry after the receiver has responded. Until then, the server considers the attempt open.
    async fn record(&self, reception: &Reception) -> Value {
        let query = format!("event_id={}", id(reception));
        let find = || async {
            let log = self.operator.log_of(&self.app, &query).await;
            log.into_iter().find(|entry| entry["attempt"] == number(reception) && entry["at"].is_string())
        };
        until(|| async { find().await.is_some() }).await;
        find().await.unwrap()
    }
}

fn id(reception: &Reception) -> String {
    text(reception.event.as_ref().unwrap(), "/id")
}

fn header(reception: &Reception, name: &str) -> i64 {
    reception.incoming.header(name).unwrap().parse().unwrap()
}

/// Returns the number of the attempt that sent this request.
fn number(reception: &Reception) -> i64 {
    header(reception, ATTEMPT)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_receiver_accepts_events_of_a_server() {
    let home = tempfile::tempdir().unwrap();
    let authority = home.path().join("ca.pem");
    let clock = Clock::system();
    let tls = certificate::make(Ipv4Addr::LOCALHOST.into(), clock.now(), Some(&authority)).unwrap();
    let listening = serve::bind((Ipv4Addr::LOCALHOST, 0).into(), Some(tls)).await.unwrap();
    let host = listening.address().to_string();

    let operator_key = token::mint(TokenKind::Operator, &[9; 32]);
    let settings = [
        ("SWITCHBOARD_ENVIRONMENT", "dev"),
        ("SWITCHBOARD_TEST_CLOCK", "1"),
        ("SWITCHBOARD_ALLOW_PRIVATE_HOSTS", &host),
        ("SWITCHBOARD_EXTRA_CA_FILE", authority.to_str().unwrap()),
    ];
    let server = Process::start(home.path(), &operator_key, &settings);
    let operator = server.api(&operator_key);
    let company = Company::create(operator.clone()).await;
    let app = App::register(&operator, &ALL_SCOPES).await;
    let callback = json!({"callback_url": format!("https://{host}/events")});
    operator.patch(&format!("/admin/v1/apps/{}", app.id)).json(&callback).ok(200).await;
    company.install(&app, &ALL_SCOPES).await;

    let misbehaviour = Misbehaviour { fail: Some(1), ..Misbehaviour::default() };
    let receiver = Receiver::new(vec![Secret::new(app.signing_secret.clone())], misbehaviour, clock);
    let received = Arc::<Mutex<Vec<Reception>>>::default();
    let sink = Arc::clone(&received);
    let report = move |reception: &Reception| sink.lock().unwrap().push(reception.clone());
    let (trigger, stop) = shutdown::channel();
    let serving = tokio::spawn(listening.serve(Arc::new(receiver), Arc::new(report), stop));
    let fixture = ReceiverFixture { operator, app, received };

    let person = company.person().await;
    let first = fixture.first(|_| true).await;
    assert_eq!(first.outcome, ReceiverOutcome::Failed);
    assert_eq!(first.event.as_ref().unwrap()["data"], json!({"kind": "user.created", "id": person}));
    assert!(first.verified.is_some());
    let record = fixture.record(&first).await;
    assert_eq!(record["state"], "failed");

    // B-428: the retry begins at least a minute after the failed attempt. Both times are those of the server's clock,
    // which the test moves.
    let second = fixture.first(|one| one.outcome == ReceiverOutcome::Handled).await;
    assert!(header(&second, TIMESTAMP) >= header(&first, TIMESTAMP) + 60);
    // B-429, B-430, B-431: the retry has the same bytes, a higher attempt number and a new signature
    assert_eq!(second.incoming.body, first.incoming.body);
    assert!(1 <= number(&first) && number(&first) < number(&second));
    assert_ne!(first.incoming.signed().signature, second.incoming.signed().signature);

    // the receiver does not handle a redelivered event twice
    fixture.record(&second).await;
    fixture.operator.redeliver(&fixture.app, &id(&second)).await;
    let third = fixture.first(|one| one.outcome == ReceiverOutcome::Repeated).await;
    assert!(number(&third) > number(&second));
    trigger.drain();
    serving.await.unwrap();
}
