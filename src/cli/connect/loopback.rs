//! Listener for the loopback redirect (RFC 8252 §7.3).

use std::{convert::Infallible, io, net::SocketAddr, time::Duration};

use bytes::Bytes;
use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use http_body_util::Full;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::TcpListener,
    sync::mpsc::{UnboundedSender, unbounded_channel},
    task::JoinSet,
    time::timeout,
};

use crate::{
    cli::failure::{Failure, Result},
    platform::clock::Clock,
};

/// Timeout for receiving the headers of a request.
const HEAD_TIME: Duration = Duration::from_secs(30);

/// Timeout for sending the page to the browser.
const SEND_TIMEOUT: Duration = Duration::from_secs(2);

/// A bound listener.
pub struct Loopback {
    socket: TcpListener,
    address: SocketAddr,
    host: String,
    /// Path of the redirect URI, with its query if the redirect URI has one.
    target: String,
}

/// The query parameters of the redirect, in their order.
type Answer = Vec<(String, String)>;

impl Loopback {
    /// Binds a port of the loopback interface; 0 chooses a free one. `host` is the host of the redirect URI, and
    /// `target` its path and query.
    ///
    /// # Errors
    /// [`Failure::Local`] if the port cannot be bound, for example because another process listens on it.
    pub async fn bind(host: &str, target: &str, port: u16) -> Result<Self> {
        let ip: std::net::IpAddr = match host {
            "[::1]" => std::net::Ipv6Addr::LOCALHOST.into(),
            _ => std::net::Ipv4Addr::LOCALHOST.into(),
        };
        let bound = async {
            let socket = TcpListener::bind((ip, port)).await?;
            let address = socket.local_addr()?;
            Ok::<_, io::Error>((socket, address))
        };
        let (socket, address) = bound
            .await
            .map_err(|error| Failure::Local(format!("cannot listen on {ip}, port {port}: {error}")))?;
        Ok(Self { socket, address, host: host.to_owned(), target: target.to_owned() })
    }

    /// Returns the redirect URI.
    #[must_use]
    pub fn redirect_uri(&self) -> String {
        format!("http://{}:{}{}", self.host, self.address.port(), self.target)
    }

    /// Waits up to `wait_limit` for the first redirect. Other requests, such as those for an icon, get 404. Returns the
    /// query parameters of the redirect, including those that the redirect URI itself has.
    ///
    /// # Errors
    /// [`Failure::Local`] if no redirect arrived in time.
    pub async fn wait(&self, clock: &Clock, wait_limit: Duration) -> Result<Answer> {
        let (sender, mut receiver) = unbounded_channel();
        let mut connections = JoinSet::new();
        let accept = async {
            loop {
                match self.socket.accept().await {
                    Ok((socket, _)) => {
                        let path = self.target.split('?').next().unwrap_or_default().to_owned();
                        let sender = sender.clone();
                        connections.spawn(async move {
                            let service = service_fn(|request| respond(request, &path, &sender));
                            let served = http1::Builder::new()
                                .timer(TokioTimer::new())
                                .header_read_timeout(HEAD_TIME)
                                .keep_alive(false)
                                .serve_connection(TokioIo::new(socket), service);
                            // the browser may have closed the connection
                            let _ = served.await;
                        });
                    }
                    Err(error) => {
                        return Failure::Local(format!(
                            "failed to accept a connection on the loopback: {error}"
                        ));
                    }
                }
            }
        };
        let answer = tokio::select! {
            answer = receiver.recv() => answer,
            failure = accept => return Err(failure),
            () = clock.pause(wait_limit) => {
                let span = crate::cli::values::say_span(i64::try_from(wait_limit.as_secs()).unwrap_or(i64::MAX));
                return Err(Failure::Local(format!("the browser did not return within {span} (--wait)")));
            }
        };
        // let the browser receive its page before the process exits, but do not wait for connections that the
        // browser opened and does not use
        let _ = timeout(SEND_TIMEOUT, async { while connections.join_next().await.is_some() {} }).await;
        answer.ok_or_else(|| Failure::Local("the loopback listener stopped".to_owned()))
    }
}

async fn respond(
    request: Request<Incoming>,
    path: &str,
    sender: &UnboundedSender<Answer>,
) -> std::result::Result<Response<Full<Bytes>>, Infallible> {
    if request.uri().path() != path || request.method() != Method::GET {
        return Ok(page(StatusCode::NOT_FOUND, "Page not found", ""));
    }
    let query = request.uri().query().unwrap_or_default();
    let answer: Answer = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let agreed = answer.iter().any(|(name, _)| name == "code");
    // fails if the redirect was received already
    let _ = sender.send(answer);
    Ok(match agreed {
        true => page(StatusCode::OK, "Connected", "You can close this window and go back to the terminal."),
        false => {
            page(StatusCode::OK, "Not connected", "The terminal shows the reason. You can close this window.")
        }
    })
}

fn page(status: StatusCode, title: &str, text: &str) -> Response<Full<Bytes>> {
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title><h1>{title}</h1><p>{text}</p></html>\n"
    );
    let mut response = Response::new(Full::from(html));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // the URL contains the code
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cli::web::{Web, WebOptions},
        domain::time::Timestamp,
    };

    #[tokio::test]
    async fn only_the_redirect_is_received() {
        let clock = Clock::manual(Timestamp::from_seconds(0));
        let loopback = Loopback::bind("127.0.0.1", "/callback", 0).await.unwrap();
        let web = Web::new(&WebOptions::default(), clock.clone()).unwrap();
        let uri = loopback.redirect_uri();
        let ask = async {
            let icon = web.get(&uri.replace("/callback", "/favicon.ico")).await.unwrap();
            assert_eq!(icon.status, 404);
            let got = web.get(&format!("{uri}?code=a%20b&state=s")).await.unwrap();
            assert_eq!(got.status, 200);
        };
        let (answer, ()) = tokio::join!(loopback.wait(&clock, Duration::from_secs(3600)), ask);
        let expected = [("code".to_owned(), "a b".to_owned()), ("state".to_owned(), "s".to_owned())];
        assert_eq!(answer.unwrap(), expected);
    }

    #[tokio::test]
    async fn a_redirect_uri_keeps_its_query() {
        let clock = Clock::manual(Timestamp::from_seconds(0));
        let loopback = Loopback::bind("127.0.0.1", "/callback?app=a%20b", 0).await.unwrap();
        let web = Web::new(&WebOptions::default(), clock.clone()).unwrap();
        let uri = loopback.redirect_uri();
        assert!(uri.ends_with("/callback?app=a%20b"), "{uri}");
        let redirect = format!("{uri}&code=c");
        let (answer, got) =
            tokio::join!(loopback.wait(&clock, Duration::from_secs(3600)), web.get(&redirect));
        assert_eq!(got.unwrap().status, 200);
        let expected = [("app".to_owned(), "a b".to_owned()), ("code".to_owned(), "c".to_owned())];
        assert_eq!(answer.unwrap(), expected);
    }

    #[tokio::test]
    async fn waiting_times_out() {
        let clock = Clock::manual(Timestamp::from_seconds(0));
        let loopback = Loopback::bind("localhost", "/", 0).await.unwrap();
        let failure = loopback.wait(&clock, Duration::ZERO).await.unwrap_err();
        assert!(failure.to_string().contains("--wait"), "{failure}");
    }
}
