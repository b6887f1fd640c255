//! Log lines contain no secret, code, token, password or e-mail address, at any level.

use std::{
    io,
    sync::{Arc, Mutex},
};

use tracing_subscriber::fmt::MakeWriter;

use crate::support::{Server, assistant::*};

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// The test runs on one thread, because the subscriber receives only the log lines of the thread on which it is set.
#[tokio::test(flavor = "current_thread")]
async fn nothing_secret_is_logged() {
    let lines = Lines::default();
    let subscriber =
        tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(lines.clone()).finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let server = Server::sqlite().await;
    let (employee, client) =
        (server.employee().await, server.client_with("client_secret_basic", &[LOCAL]).await);
    let code = employee.approve(&server, &client, &[]).await;
    let first = Tokens::of(&client.exchange(&code).await.ok());
    server.assert_active(&first).await;
    let second = client.renewed(&first).await;
    client.refresh_with(&second.refresh, &[("client_secret", "wrong")]).await.refused(401, "invalid_client");
    client.refresh(&first.refresh).await.refused(400, "invalid_grant");
    client.exchange(&code).await.refused(400, "invalid_grant");
    client.revoke(&second.access).await.ok();
    // a store error is logged with its cause; the log line must contain no secret
    server.running().world().db.close().await.unwrap();
    client.refresh(&second.refresh).await.refused(503, "server_error");
    let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    assert!(text.contains("exchangeGrant"), "the server logs the operation");
    let secret = client.secret.clone().unwrap();
    for (name, hidden) in [
        ("code", &*code),
        ("access token", &first.access),
        ("refresh token", &first.refresh),
        ("access token", &second.access),
        ("refresh token", &second.refresh),
        ("client secret", &secret),
        ("verifier", VERIFIER),
        ("password", PASSWORD),
        ("e-mail address", &employee.email),
    ] {
        // ignores the lines of the test's HTTP client, which runs in the same process
        let clients = [" reqwest::", " hyper_util::client::"];
        let ours = text.lines().filter(|line| !clients.iter().any(|client| line.contains(client)));
        let found: Vec<_> = ours.filter(|line| line.contains(hidden)).collect();
        assert!(found.is_empty(), "the log has no secret: {name}: {found:?}");
    }
}
