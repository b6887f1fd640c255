//! The load on `/token`. Each OAuth client has one HTTP connection, on which it exchanges its authorization codes one
//! after another. Then the client repeatedly refreshes the tokens of its last exchange.

use std::{net::SocketAddr, time::Instant};

use serde_json::Value;
use tokio::task::LocalSet;

use super::{CLIENTS, client::Connection};

/// The PKCE verifier of RFC 7636, appendix B.
pub const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
/// The `S256` challenge of [`VERIFIER`].
pub const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
pub const REDIRECT: &str = "http://127.0.0.1:1/callback";

/// A server whose `/token` is measured.
#[derive(Clone)]
pub struct Peer {
    pub address: SocketAddr,
    /// Client ids, one for each connection.
    pub client_ids: Vec<String>,
}

/// Exchanges and refreshes per second in one round.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    pub exchanges: f64,
    pub refreshes: f64,
}

/// Exchanges all codes, and then makes one refresh for each code. The code at index i is for client i modulo
/// [`CLIENTS`]. The number of codes must be a multiple of [`CLIENTS`].
pub async fn measure(peer: Peer, codes: Vec<String>) -> Seen {
    let count = codes.len();
    let each = count / CLIENTS;
    let mut of_clients: Vec<Vec<String>> = (0..CLIENTS).map(|_| Vec::with_capacity(each)).collect();
    for (n, code) in codes.into_iter().enumerate() {
        of_clients[n % CLIENTS].push(code);
    }
    let mut callers = Vec::new();
    for (n, codes) in of_clients.into_iter().enumerate() {
        let connection = Connection::open(peer.address).await;
        callers.push(Caller {
            connection,
            client_id: peer.client_ids[n].clone(),
            codes,
            refresh: String::new(),
        });
    }
    let begun = Instant::now();
    let callers = all(callers, |mut caller| async move {
        caller.exchange().await;
        caller
    });
    let callers = callers.await;
    let exchanged = begun.elapsed();
    let begun = Instant::now();
    all(callers, move |mut caller| async move {
        caller.refresh(each).await;
        caller
    })
    .await;
    let refreshed = begun.elapsed();
    let rate = |elapsed: std::time::Duration| (each * CLIENTS) as f64 / elapsed.as_secs_f64();
    Seen { exchanges: rate(exchanged), refreshes: rate(refreshed) }
}

/// Runs `work` for every caller concurrently, and returns the callers.
async fn all<F>(callers: Vec<Caller>, work: impl Fn(Caller) -> F) -> Vec<Caller>
where
    F: Future<Output = Caller> + 'static,
{
    let local = LocalSet::new();
    let tasks: Vec<_> = callers.into_iter().map(|caller| local.spawn_local(work(caller))).collect();
    local
        .run_until(async { futures_util::future::join_all(tasks).await })
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect()
}

struct Caller {
    connection: Connection,
    client_id: String,
    codes: Vec<String>,
    refresh: String,
}

impl Caller {
    async fn exchange(&mut self) {
        for code in std::mem::take(&mut self.codes) {
            let redirect: String = url::form_urlencoded::byte_serialize(REDIRECT.as_bytes()).collect();
            let form = format!(
                "grant_type=authorization_code&code={code}&code_verifier={VERIFIER}&redirect_uri={redirect}&client_id={}",
                self.client_id
            );
            self.ask(&form).await;
        }
    }

    async fn refresh(&mut self, times: usize) {
        for _ in 0..times {
            let form = format!(
                "grant_type=refresh_token&refresh_token={}&client_id={}",
                self.refresh, self.client_id
            );
            self.ask(&form).await;
        }
    }

    async fn ask(&mut self, form: &str) {
        use std::io::Write as _;
        self.connection.out.clear();
        // writing to memory does not fail
        let _ = write!(
            self.connection.out,
            "POST /token HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: application/json\r\n\
             content-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{form}",
            form.len()
        );
        let answer: Value = serde_json::from_slice(self.connection.exchange(200).await).unwrap();
        self.refresh = answer["refresh_token"].as_str().expect("a refresh token").to_owned();
    }
}
