//! The listener on this machine that receives the authorization response (RFC 8252 §7.3): the server redirects the
//! browser to a loopback address.

use std::{convert::Infallible, io, net::SocketAddr, pin::pin, time::Duration};

use bytes::Bytes;
use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use http_body_util::Full;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::TcpListener,
    sync::{
        mpsc::{UnboundedSender, unbounded_channel},
        oneshot,
    },
    task::JoinSet,
    time::timeout,
};

use crate::{
    cli::failure::{Failure, Result},
    platform::clock::Clock,
};

/// Timeout for receiving the headers of a request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(30);

/// Timeout for sending the page to the browser.
const SEND_TIMEOUT: Duration = Duration::from_secs(2);

/// A bound listener.
pub struct Loopback {
    socket: TcpListener,
    address: SocketAddr,
    /// Host of the redirect URI.
    host: String,
    /// Path and query of the redirect URI. The path can be empty, and the query can be missing.
    target: String,
}

/// The query parameters of a redirect, in order, including the parameters of the redirect URI itself.
type RedirectParameters = Vec<(String, String)>;

/// A received redirect, and the channel for its outcome.
struct ReceivedRedirect {
    answer: RedirectParameters,
    outcome: oneshot::Sender<RedirectOutcome>,
}

/// The outcome of a redirect. It determines the page that the browser shows.
#[derive(Clone, Copy)]
enum RedirectOutcome {
    Connected,
    Failed,
    /// The redirect is the response to another authorization request.
    Foreign,
    /// [`Loopback::wait`] already has its result. For example, the browser repeated the redirect.
    Repeated,
}

impl Loopback {
    /// Binds a port of the loopback interface; port 0 chooses a free port. `host` is the host of the redirect URI, and
    /// `target` is its path and query.
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

    /// Waits up to `wait_limit` for a redirect for which `read` returns a result, and returns the result. All other
    /// requests get an error:
    ///
    /// - 400 for a redirect for which `read` returns `None`, because it is the response to another authorization
    ///   request.
    /// - 404 for another path, such as the path of an icon, and for a method other than GET.
    /// - 409 for a redirect that arrives after the result, on a connection that was accepted before. `wait` serves
    ///   these connections for up to 2 s ([`SEND_TIMEOUT`]).
    ///
    /// # Errors
    /// - The failure that `read` returns.
    /// - [`Failure::Local`] if no redirect with a result arrives in time, or if accepting a connection fails.
    pub async fn wait<T>(
        &self,
        clock: &Clock,
        wait_limit: Duration,
        read: impl Fn(&[(String, String)]) -> Option<Result<T>>,
    ) -> Result<T> {
        let (sender, mut receiver) = unbounded_channel();
        let mut connections = JoinSet::new();
        // the path that a browser requests: `/` for a redirect URI without a path
        let parsed = url::Url::parse(&self.redirect_uri());
        let path = parsed.map_or_else(|_| "/".to_owned(), |url| url.path().to_owned());
        let accept = async {
            loop {
                match self.socket.accept().await {
                    Ok((socket, _)) => {
                        let (path, sender) = (path.clone(), sender.clone());
                        connections.spawn(async move {
                            let service = service_fn(|request| respond(request, &path, &sender));
                            let served = http1::Builder::new()
                                .timer(TokioTimer::new())
                                .header_read_timeout(HEADER_TIMEOUT)
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
        let (mut accept, mut expired) = (Box::pin(accept), pin!(clock.pause(wait_limit)));
        let mut note = "";
        let result = loop {
            let redirect = tokio::select! {
                redirect = receiver.recv() => redirect,
                failure = &mut accept => return Err(failure),
                () = &mut expired => {
                    let span = crate::cli::values::format_duration(i64::try_from(wait_limit.as_secs()).unwrap_or(i64::MAX));
                    return Err(Failure::Local(format!("the browser did not return within {span} (--wait){note}")));
                }
            };
            let Some(ReceivedRedirect { answer, outcome }) = redirect else {
                break Err(Failure::Local("the loopback listener stopped".to_owned()));
            };
            let result = read(&answer);
            // sending fails if the browser has closed the connection
            let _ = outcome.send(match &result {
                Some(Ok(_)) => RedirectOutcome::Connected,
                Some(Err(_)) => RedirectOutcome::Failed,
                None => RedirectOutcome::Foreign,
            });
            match result {
                Some(result) => break result,
                None => {
                    note = "; a response was ignored, because its `state` differs from that of the request (RFC 6749 §10.12)";
                }
            }
        };
        // without the receiver, later redirects get the outcome `Repeated`, and their connections end
        drop((accept, receiver));
        // The process exits afterwards, so the browser must receive its page first. The timeout is for connections that
        // the browser has opened and not used.
        let _ = timeout(SEND_TIMEOUT, async { while connections.join_next().await.is_some() {} }).await;
        result
    }
}

async fn respond(
    request: Request<Incoming>,
    path: &str,
    sender: &UnboundedSender<ReceivedRedirect>,
) -> std::result::Result<Response<Full<Bytes>>, Infallible> {
    if request.uri().path() != path || request.method() != Method::GET {
        return Ok(page(StatusCode::NOT_FOUND, "Page not found", ""));
    }
    let query = request.uri().query().unwrap_or_default();
    let answer: RedirectParameters = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let (outcome, decided) = oneshot::channel();
    // this call and `decided.await` fail if `wait` already has its result
    let _ = sender.send(ReceivedRedirect { answer, outcome });
    let outcome = decided.await.unwrap_or(RedirectOutcome::Repeated);
    Ok(match outcome {
        RedirectOutcome::Connected => {
            page(StatusCode::OK, "Connected", "You can close this window and go back to the terminal.")
        }
        RedirectOutcome::Failed => {
            page(StatusCode::OK, "Not connected", "The terminal shows the reason. You can close this window.")
        }
        RedirectOutcome::Foreign => page(
            StatusCode::BAD_REQUEST,
            "Not connected",
            "This response does not belong to the request in the terminal.",
        ),
        RedirectOutcome::Repeated => page(
            StatusCode::CONFLICT,
            "Already received",
            "The terminal has already received a response and shows the result. You can close this window.",
        ),
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
    // the URL contains the code, so it must not be sent as a referrer
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpStream,
    };

    use super::*;
    use crate::{
        cli::web::{Web, WebOptions},
        domain::time::Timestamp,
    };

    /// Returns a function that accepts responses with this `state`.
    fn with_state(state: &str) -> impl Fn(&[(String, String)]) -> Option<Result<RedirectParameters>> {
        let pair = ("state".to_owned(), state.to_owned());
        move |answer| answer.contains(&pair).then(|| Ok(answer.to_vec()))
    }

    #[tokio::test]
    async fn requests_for_other_paths_do_not_end_the_wait() {
        let clock = Clock::manual(Timestamp::from_seconds(0));
        let loopback = Loopback::bind("127.0.0.1", "/callback", 0).await.unwrap();
        let web = Web::new(&WebOptions::default(), clock.clone()).unwrap();
        let uri = loopback.redirect_uri();
        let request = async {
            let icon = web.get(&uri.replace("/callback", "/favicon.ico")).await.unwrap();
            assert_eq!(icon.status, 404);
            let got = web.get(&format!("{uri}?code=a%20b&state=s")).await.unwrap();
            assert_eq!(got.status, 200);
            assert!(String::from_utf8_lossy(&got.body).contains("<h1>Connected</h1>"));
        };
        let wait = loopback.wait(&clock, Duration::from_secs(3600), with_state("s"));
        let (answer, ()) = tokio::join!(wait, request);
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
        let redirect = format!("{uri}&state=s");
        let wait = loopback.wait(&clock, Duration::from_secs(3600), with_state("s"));
        let (answer, got) = tokio::join!(wait, web.get(&redirect));
        assert_eq!(got.unwrap().status, 200);
        let expected = [("app".to_owned(), "a b".to_owned()), ("state".to_owned(), "s".to_owned())];
        assert_eq!(answer.unwrap(), expected);
    }

    #[tokio::test]
    async fn a_redirect_uri_needs_no_path() {
        let clock = Clock::manual(Timestamp::from_seconds(0));
        let web = Web::new(&WebOptions::default(), clock.clone()).unwrap();
        for (target, separator) in [("", '?'), ("?app=1", '&')] {
            let loopback = Loopback::bind("127.0.0.1", target, 0).await.unwrap();
            let redirect = format!("{}{separator}state=s", loopback.redirect_uri());
            let wait = loopback.wait(&clock, Duration::from_secs(3600), with_state("s"));
            let (answer, got) = tokio::join!(wait, web.get(&redirect));
            assert_eq!(got.unwrap().status, 200, "{redirect}");
            assert!(answer.is_ok(), "{redirect}");
        }
    }

    #[tokio::test]
    async fn responses_to_other_requests_do_not_end_the_wait() {
        let clock = Clock::manual(Timestamp::from_seconds(0));
        let loopback = Loopback::bind("127.0.0.1", "/callback", 0).await.unwrap();
        let web = Web::new(&WebOptions::default(), clock.clone()).unwrap();
        let uri = loopback.redirect_uri();
        let request = async {
            for query in ["?code=x", "?code=x&state=other", "?error=access_denied", ""] {
                let got = web.get(&format!("{uri}{query}")).await.unwrap();
                let page = String::from_utf8_lossy(&got.body).into_owned();
                assert_eq!(got.status, 400, "{query}: {page}");
                assert!(page.contains("<h1>Not connected</h1>"), "{query}: {page}");
            }
            web.get(&format!("{uri}?code=right&state=s")).await.unwrap()
        };
        let wait = loopback.wait(&clock, Duration::from_secs(3600), with_state("s"));
        let (answer, got) = tokio::join!(wait, request);
        assert_eq!(got.status, 200);
        assert_eq!(answer.unwrap()[0].1, "right");
    }

    #[tokio::test]
    async fn a_repeated_redirect_gets_a_page_of_its_own() {
        let clock = Clock::manual(Timestamp::from_seconds(0));
        let loopback = Loopback::bind("127.0.0.1", "/callback", 0).await.unwrap();
        let web = Web::new(&WebOptions::default(), clock.clone()).unwrap();
        let redirect = format!("{}?code=x&state=s", loopback.redirect_uri());
        let request = async {
            // this connection is accepted before the connection of the first redirect, because connections are accepted
            // in the order in which they were opened
            let mut later = TcpStream::connect(loopback.address).await.unwrap();
            assert_eq!(web.get(&redirect).await.unwrap().status, 200);
            later.write_all(b"GET /callback?code=x&state=s HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
            let mut page = String::new();
            later.read_to_string(&mut page).await.unwrap();
            page
        };
        let wait = loopback.wait(&clock, Duration::from_secs(3600), with_state("s"));
        let (answer, page) = tokio::join!(wait, request);
        assert_eq!(answer.unwrap()[0].1, "x");
        assert!(page.starts_with("HTTP/1.1 409 "), "{page}");
        assert!(page.contains("<h1>Already received</h1>") && !page.contains("Not connected"), "{page}");
    }

    #[tokio::test]
    async fn the_page_for_a_rejected_response_says_not_connected() {
        let clock = Clock::manual(Timestamp::from_seconds(0));
        let loopback = Loopback::bind("127.0.0.1", "/callback", 0).await.unwrap();
        let web = Web::new(&WebOptions::default(), clock.clone()).unwrap();
        let redirect = format!("{}?code=x&state=s&iss=https://evil", loopback.redirect_uri());
        let rejected = |_: &[(String, String)]| Some(Err::<(), _>(Failure::Local("iss".to_owned())));
        let wait = loopback.wait(&clock, Duration::from_secs(3600), rejected);
        let (result, got) = tokio::join!(wait, web.get(&redirect));
        assert_eq!(result.unwrap_err().to_string(), "iss");
        assert!(String::from_utf8_lossy(&got.unwrap().body).contains("<h1>Not connected</h1>"));
    }

    #[tokio::test]
    async fn waiting_times_out() {
        let clock = Clock::manual(Timestamp::from_seconds(0));
        let loopback = Loopback::bind("localhost", "/", 0).await.unwrap();
        let failure = loopback.wait(&clock, Duration::ZERO, with_state("s")).await.unwrap_err();
        assert!(failure.to_string().contains("--wait"), "{failure}");
    }
}
