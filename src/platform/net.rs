//! The HTTP listener: an accept loop over hyper that serves a poem endpoint.
//!
//! Poem has a server of its own, but it polls a connection again after it failed, so a handler goes on after
//! its client has left. Here the connection and everything it was doing are dropped together. One client per
//! connection, HTTP/1.1 only: HTTP/2 and TLS end at a proxy (D-386).

mod linger;
mod refused;
mod standing;

use std::convert::Infallible;
use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Version, header, uri::Scheme};
use http_body_util::combinators::BoxBody;
use hyper::body::{Body as _, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use poem::http::StatusCode;
use poem::web::{LocalAddr, RemoteAddr};
use poem::{Addr, Body, Endpoint, IntoResponse, Request, Response};
use thiserror::Error;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;

use linger::Lingering;
use refused::{Refusals, Refused};
pub use standing::Standing;
use standing::{Handover, go_on};

use crate::platform::clock::Clock;
use crate::platform::metrics::{HTTP_ACCEPT_ERRORS, HTTP_CONNECTIONS, HTTP_CONNECTIONS_FULL};
use crate::platform::shutdown::Stop;

/// The largest request line the application takes; longer ones are refused with 414.
pub const MAX_REQUEST_LINE: usize = 16 * 1024;
/// The most header bytes the application takes; more are refused with 431.
pub const MAX_HEADERS: usize = 32 * 1024;
/// The most bytes hyper reads before it gives up on a request's head (see [`refused`]).
const MAX_HEAD_BUFFER: usize = 64 * 1024;
/// How long to wait after a failed accept, which mostly means that file descriptors have run out.
const ACCEPT_RETRY: Duration = Duration::from_millis(100);

/// How a listener treats its connections.
#[derive(Clone, Copy, Debug)]
pub struct ServeOptions {
    /// More connections than this wait in the kernel's backlog.
    pub max_connections: usize,
    /// How long a connection may be silent between requests, and how long the head of a request may take.
    pub keep_alive: Duration,
    /// How long open requests may go on once the ending has begun.
    pub drain: Duration,
}

/// A bound socket that does not accept yet.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
    address: SocketAddr,
}

/// Binds to `address`; port 0 takes a free one, see [`Listener::local_addr`].
///
/// # Errors
/// The operating system's, for example that the address is in use.
pub async fn bind(address: SocketAddr) -> std::io::Result<Listener> {
    let socket = TcpListener::bind(address).await?;
    let address = socket.local_addr()?;
    Ok(Listener { socket, address })
}

impl Listener {
    /// Where it listens.
    #[must_use]
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop`: at its first stage no more connections are accepted, idle ones are closed and
    /// open requests may finish within `options.drain`; at its second, and when that time is over, what is
    /// left is dropped.
    pub async fn serve<E>(self, endpoint: E, options: ServeOptions, clock: Clock, stop: Stop)
    where
        E: Endpoint + 'static,
        E::Output: IntoResponse,
    {
        let endpoint = Arc::new(endpoint);
        let places = Arc::new(Semaphore::new(options.max_connections));
        let mut connections = JoinSet::new();
        while let Some((socket, peer, place)) = self.accept(&places, &clock, &stop).await {
            let connection = Connection { endpoint: Arc::clone(&endpoint), peer, local: self.address };
            connections.spawn(connection.serve(socket, options.keep_alive, stop.clone(), place));
            // collect the finished ones, so that the set holds open connections only
            while connections.try_join_next().is_some() {}
        }

        let Self { socket, address } = self;
        drop(socket);
        tokio::select! {
            () = async { while connections.join_next().await.is_some() {} } => {}
            () = pause_unmoved(&clock, options.drain) => {
                tracing::warn!(%address, open = connections.len(), "requests were still open when the drain time ended");
            }
            () = stop.stopping() => {}
        }
        connections.shutdown().await;
    }

    /// The next connection and its place, or `None` when the ending has begun.
    async fn accept(
        &self,
        places: &Arc<Semaphore>,
        clock: &Clock,
        stop: &Stop,
    ) -> Option<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
        if places.available_permits() == 0 {
            metrics::counter!(HTTP_CONNECTIONS_FULL).increment(1);
        }
        let place = tokio::select! {
            biased;
            () = stop.draining() => return None,
            // the semaphore is never closed, so this is always a place
            place = Arc::clone(places).acquire_owned() => place.ok()?,
        };
        loop {
            let accepted = tokio::select! {
                biased;
                () = stop.draining() => return None,
                accepted = self.socket.accept() => accepted,
            };
            match accepted {
                Ok((socket, peer)) => return Some((socket, peer, place)),
                Err(error) => {
                    metrics::counter!(HTTP_ACCEPT_ERRORS).increment(1);
                    tracing::warn!(%error, "a connection could not be accepted");
                    clock.pause(ACCEPT_RETRY).await;
                }
            }
        }
    }
}

/// Waits for real time even if the clock is moved meanwhile.
async fn pause_unmoved(clock: &Clock, time: Duration) {
    let start = clock.instant();
    while let Some(left) = time.checked_sub(start.elapsed()).filter(|left| !left.is_zero()) {
        clock.pause(left).await;
    }
}

/// The content of an answer.
type AnswerBody = BoxBody<Bytes, std::io::Error>;

struct Connection<E> {
    endpoint: Arc<E>,
    peer: SocketAddr,
    local: SocketAddr,
}

/// Counts a connection for as long as it lives, however it ends.
struct Counted;

impl Counted {
    fn new() -> Self {
        metrics::gauge!(HTTP_CONNECTIONS).increment(1.0);
        Self
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        metrics::gauge!(HTTP_CONNECTIONS).decrement(1.0);
    }
}

impl<E> Connection<E>
where
    E: Endpoint + 'static,
    E::Output: IntoResponse,
{
    async fn serve(self, socket: TcpStream, keep_alive: Duration, stop: Stop, place: OwnedSemaphorePermit) {
        let _counted = Counted::new();
        // answers are written whole; waiting to fill a packet would only delay them
        if let Err(error) = socket.set_nodelay(true) {
            tracing::debug!(%error, "TCP_NODELAY could not be set");
        }
        let refusals = Refusals::default();
        // boxed: its memory is given back when an answer stands alone
        let ended = Box::pin(self.converse(socket, &refusals, keep_alive, &stop)).await;
        // a client that left is its own affair; the connection is dropped by now with whatever it was doing
        match ended {
            Ok(None) => {}
            Ok(Some((socket, body))) => {
                if let Err(error) = go_on(socket, body).await {
                    tracing::debug!(%error, "a standing answer ended early");
                }
            }
            Err(error) => tracing::debug!(%error, "a connection ended early"),
        }
        if let Some(held) = refusals.take() {
            // boxed: a request's future is large, and hardly any connection needs this one
            Box::pin(held.answer(&*self.endpoint)).await;
        }
        drop(place);
    }

    /// Serves the requests of a connection, and drops it; what is left is a standing answer.
    async fn converse(
        &self,
        socket: TcpStream,
        refusals: &Refusals,
        keep_alive: Duration,
        stop: &Stop,
    ) -> hyper::Result<Option<(TcpStream, AnswerBody)>> {
        let handover = Handover::default();
        let service = service_fn(|request| self.answer(request, &handover));
        // at most 100 header lines, which is hyper's own limit: with any other it allocates a table per request
        let mut connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(keep_alive)
            .max_buf_size(MAX_HEAD_BUFFER)
            .serve_connection(TokioIo::new(refusals.socket(socket)), service);
        let mut told = std::pin::pin!(stop.draining());
        let mut is_told = false;
        let standing = poll_fn(|cx| {
            if !is_told && told.as_mut().poll(cx).is_ready() {
                is_told = true;
                Pin::new(&mut connection).graceful_shutdown();
            }
            match Pin::new(&mut connection).poll(cx) {
                Poll::Ready(ended) => Poll::Ready(ended.map(|()| None)),
                // hyper has flushed what it had, unless the socket takes no more
                Poll::Pending if refusals.is_full() => Poll::Pending,
                Poll::Pending => {
                    handover.take_idle().map_or(Poll::Pending, |body| Poll::Ready(Ok(Some(body))))
                }
            }
        });
        let Some(body) = standing.await? else { return Ok(None) };
        let socket = connection.into_parts().io.into_inner().into_inner();
        Ok(socket.map(|socket| (socket, body)))
    }

    async fn answer(
        &self,
        request: hyper::Request<Incoming>,
        handover: &Handover,
    ) -> Result<hyper::Response<AnswerBody>, Infallible> {
        let local = LocalAddr(Addr::SocketAddr(self.local));
        let peer = RemoteAddr(Addr::SocketAddr(self.peer));
        let (parts, body) = request.into_parts();
        let body = if body.is_end_stream() {
            Body::empty()
        } else {
            // who asks before sending (RFC 9110 §10.1.1) sends nothing that would have to be read away
            let asks_first = parts.headers.contains_key(header::EXPECT);
            BoxBody::new(Lingering::new(body, !asks_first)).into()
        };
        let version = parts.version;
        let fault = head_fault(version, &parts.headers);
        let mut request = Request::from_parts((parts, local, peer, Scheme::HTTP).into(), body);
        if let Some(why) = fault {
            request.extensions_mut().insert(Refused(BadHead { status: StatusCode::BAD_REQUEST, why }));
        }
        let mut answer = self.endpoint.get_response(request).await;
        if let Some(why) = fault {
            // an endpoint that knows nothing of this may have answered as if all were well
            if answer.status() != StatusCode::BAD_REQUEST {
                answer = Response::builder().status(StatusCode::BAD_REQUEST).body(why);
            }
            // where the next request begins may be another question, too
            answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        Ok(handover.prepare(version, answer.into()))
    }
}

/// What hyper lets through though HTTP forbids it, for every endpoint of every listener: a request that does not say
/// for which host it is, or says so twice (RFC 9112 §3.2), and a content in another coding than chunks (§6.1), which
/// nobody here takes off.
fn head_fault(version: Version, headers: &HeaderMap) -> Option<&'static str> {
    let mut hosts = headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) if version != Version::HTTP_10 => return Some("the header Host is missing"),
        (_, Some(_)) => return Some("the header Host was sent more than once"),
        _ => {}
    }
    let mut codings = headers.get_all(header::TRANSFER_ENCODING).iter();
    let first = codings.next()?;
    match first.as_bytes().eq_ignore_ascii_case(b"chunked") && codings.next().is_none() {
        true => None,
        false => Some("the only Transfer-Encoding that is taken is chunked"),
    }
}

/// Why the head of a request is refused; see [`refuse_bad_heads`].
#[derive(Clone, Copy, Debug, Error)]
#[error("{why}")]
pub struct BadHead {
    /// 400, 414 or 431.
    pub status: StatusCode,
    /// A sentence for the client.
    pub why: &'static str,
}

impl poem::error::ResponseError for BadHead {
    fn status(&self) -> StatusCode {
        self.status
    }
}

/// A middleware, for [`poem::EndpointExt::around`]: refuses requests whose head is too large, was no head or breaks
/// HTTP's rules, so that the refusal gets the application's error shape.
///
/// # Errors
/// [`BadHead`]: 414 for the request line, 431 for the header fields, 400 or the status of a request that could not be
/// read; and whatever `next` answers.
pub async fn refuse_bad_heads<E: Endpoint>(next: Arc<E>, request: Request) -> poem::Result<E::Output> {
    if let Some(Refused(fault)) = request.extensions().get() {
        return Err((*fault).into());
    }
    let uri = request.original_uri();
    let path = uri.path_and_query().map_or(0, |path| path.as_str().len());
    let authority = uri.authority().map_or(0, |authority| authority.as_str().len() + "http://".len());
    let line = request.method().as_str().len() + authority + path + "  HTTP/1.1".len();
    if line > MAX_REQUEST_LINE {
        return Err(BadHead { status: StatusCode::URI_TOO_LONG, why: "the request line is too long" }.into());
    }
    let fields = request.headers().iter();
    let headers: usize = fields.map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len()).sum();
    if headers > MAX_HEADERS {
        let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
        return Err(BadHead { status, why: "the header fields are too large" }.into());
    }
    next.call(request).await
}

#[cfg(test)]
mod tests;
