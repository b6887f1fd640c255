//! Open uploads are limited per person and per process, and a timeout ends stalled uploads. The tests in `uploads`
//! measure the memory that open uploads use.

use std::sync::Arc;

use switchboard::{config::Config, store::Engine};

use crate::{
    admin::sessions::{sign_in, with_password},
    support::*,
};

static BODY: [u8; 100_000] = [b'x'; 100_000];

async fn server(engine: Engine, configure: impl Fn(&mut Config) + Send + Sync + 'static) -> Option<Server> {
    Server::with(Options { engine, configure: Some(Arc::new(configure)), ..Options::default() }).await
}

/// Sends the head of an upload with `Expect: 100-continue`, and waits for `100 Continue`.
async fn begin(server: &Server, company: &Company, authorization: &str) -> wire::Asked {
    let line = format!("POST {}?name=a", company.path("/files"));
    let headers = [&format!("authorization: {authorization}"), "content-type: text/plain"];
    wire::asked(&server.base, &line, &headers, &BODY).await
}

fn authorization(api: &Api) -> String {
    api.authorization.clone().unwrap()
}

#[both_engines]
async fn open_uploads_are_bounded_for_each_person_and_for_the_process(engine: Engine) -> Option<()> {
    let configure = |config: &mut Config| {
        config.files.max_open_uploads_per_person = 2;
        config.files.max_open_uploads = 4;
    };
    let server = server(engine, configure).await?;
    let company = server.company().await;
    let mut people = Vec::new();
    for email in ["ada@uploads.example", "bob@uploads.example", "eve@uploads.example"] {
        let id = with_password(&company, email, false).await;
        people.push((id, sign_in(&company, email).await));
    }
    let [(ada, ada_api), (_, bob), (_, eve)] = &people[..] else { panic!("three people") };
    let path = format!("{}?name=a", company.path("/files"));

    let mut held = Vec::new();
    for _ in 0..2 {
        held.push(begin(&server, &company, &authorization(ada_api)).await);
    }
    let refused = ada_api.post(&path).body("x").refused(429, "rate_limited").await;
    assert_eq!(refused.header("retry-after"), Some("5"));
    // an upload on behalf of a person counts for that person
    let for_ada = company.operator.post(&path).header("x-acting-user", ada).body("x");
    for_ada.refused(429, "rate_limited").await;

    held.push(begin(&server, &company, &authorization(bob)).await);
    held.push(begin(&server, &company, &authorization(&company.operator)).await);
    for api in [bob, eve, &company.operator] {
        let refused = api.post(&path).body("x").refused(503, "server_error").await;
        assert_eq!(refused.header("retry-after"), Some("5"));
    }

    // completed or aborted uploads release their slots
    let wire = held.remove(0).end().await;
    assert_eq!(wire.status, 201, "{}", wire.json());
    ada_api.post(&path).body("x").ok(201).await;
    drop(held);
    until(async || ada_api.post(&path).body("x").send().await.status == 201).await;
    let mut again = Vec::new();
    for _ in 0..2 {
        again.push(begin(&server, &company, &authorization(eve)).await);
    }
    Some(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stalled_upload_times_out() {
    let server = server(Engine::Sqlite, |config| config.files.upload_idle_seconds = 1).await.unwrap();
    let company = server.company().await;
    // an upload times out if neither 16 KiB nor the end of the upload arrives within a second
    for bytes in [0, 1, 10_000] {
        let upload = begin(&server, &company, &authorization(&company.operator)).await;
        upload.partly(bytes).await.refused(408, "client_error");
    }
    let upload = begin(&server, &company, &authorization(&company.operator)).await;
    assert_eq!(upload.end().await.status, 201);
    // the contents of timed-out uploads are deleted
    let stored = || {
        let names = std::fs::read_dir(server.files()).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.to_string_lossy().starts_with("fil_")).count()
    };
    until(async || stored() == 1).await;
}
