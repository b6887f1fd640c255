//! The reference receiver at the other end of a real server: over HTTPS, with the certificate authority it made, and
//! with the settings it advises. B-424, B-428 … B-431, B-441.

use std::{net::Ipv4Addr, sync::Arc, time::Duration};

use serde_json::{Value, json};
use switchboard::{
    cli::listen::{
        certificate,
        conduct::Conduct,
        receiver::{ATTEMPT, Outcome, Receiver, Reception},
        serve,
    },
    domain::token::{self, Kind},
    platform::{clock::Clock, secrets::Secret, shutdown},
};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::support::{ALL_SCOPES, App, Company, Process};

async fn next(receptions: &mut UnboundedReceiver<Reception>) -> Reception {
    let received = tokio::time::timeout(Duration::from_secs(60), receptions.recv()).await;
    received.expect("an event arrives").expect("the receiver runs")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_takes_what_a_server_sends() {
    let home = tempfile::tempdir().unwrap();
    let authority = home.path().join("ca.pem");
    let clock = Clock::system();
    let tls = certificate::make(Ipv4Addr::LOCALHOST.into(), clock.now(), Some(&authority)).unwrap();
    let listening = serve::bind((Ipv4Addr::LOCALHOST, 0).into(), Some(tls)).await.unwrap();
    let host = listening.address().to_string();

    let operator_key = token::mint(Kind::Operator, &[9; 32]);
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

    let conduct = Conduct { fail: Some(1), ..Conduct::default() };
    let receiver = Receiver::new(vec![Secret::new(app.signing_secret.clone())], conduct, clock);
    let (tell, mut receptions) = unbounded_channel();
    let report = move |reception: &Reception| drop(tell.send(reception.clone()));
    let (trigger, stop) = shutdown::channel();
    let serving = tokio::spawn(listening.serve(Arc::new(receiver), Arc::new(report), stop));

    let person = company.person().await;
    let first = next(&mut receptions).await;
    assert_eq!(first.outcome, Outcome::Failed);
    assert_eq!(first.event.as_ref().unwrap()["data"], json!({"kind": "user.created", "id": person}));
    assert!(first.verified.is_some());

    // B-428: a minute after the failure; the receiver need not know that the server's clock was moved
    operator.post("/admin/v1/clock").json(&json!({"advance_seconds": 61})).ok(200).await;
    let second = next(&mut receptions).await;
    assert_eq!(second.outcome, Outcome::Handled);
    // B-429, B-430, B-431: the same bytes, counted, signed anew
    assert_eq!(second.incoming.body, first.incoming.body);
    assert_eq!([&first, &second].map(|one| one.incoming.header(ATTEMPT)), [Some("1"), Some("2")]);
    assert_ne!(first.incoming.signed().signature, second.incoming.signed().signature);

    // asked for again, it comes again, and is not handled twice
    let event: Value = serde_json::from_slice(&second.incoming.body).unwrap();
    let path = format!("/admin/v1/apps/{}/events/{}/redeliver", app.id, event["id"].as_str().unwrap());
    operator.post(&path).ok(202).await;
    assert_eq!(next(&mut receptions).await.outcome, Outcome::Repeated);
    trigger.drain();
    serving.await.unwrap();
}
