//! Serves the requests of one connection with hyper. Two kinds of data are written without hyper: responses to requests
//! that hyper rejects, and the later data of long-lived responses.

use std::convert::Infallible;
use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use http::{HeaderValue, header, uri::Scheme};
use http_body_util::combinators::BoxBody;
use hyper::body::{Body as _, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use poem::web::{LocalAddr, RemoteAddr};
use poem::{Addr, Body, Endpoint, IntoResponse, Request, Response};
use tokio::net::TcpStream;

use super::heads::{BadHead, MAX_HEAD_BUFFER, RejectedHead, head_violation};
use super::linger::Lingering;
use super::long_lived::{AnswerBody, StreamHandoff, write_rest};
use super::rejected::RejectionState;
use crate::platform::clock::Clock;
use crate::platform::metrics::HTTP_CONNECTIONS;
use crate::platform::shutdown::Stop;

/// An accepted connection.
pub(super) struct AcceptedConnection<E> {
    pub(super) endpoint: Arc<E>,
    pub(super) peer: SocketAddr,
    pub(super) local: SocketAddr,
    pub(super) clock: Clock,
    /// If set, every request of the connection is rejected for this reason.
    pub(super) rejected: Option<BadHead>,
}

/// Counts a connection in the gauge of open connections until this value is dropped.
struct ConnectionGauge;

impl ConnectionGauge {
    fn new() -> Self {
        metrics::gauge!(HTTP_CONNECTIONS).increment(1.0);
        Self
    }
}

impl Drop for ConnectionGauge {
    fn drop(&mut self) {
        metrics::gauge!(HTTP_CONNECTIONS).decrement(1.0);
    }
}

impl<E> AcceptedConnection<E>
where
    E: Endpoint + 'static,
    E::Output: IntoResponse,
{
    /// Serves the connection until it is closed, and then releases its `slot`.
    pub(super) async fn serve<P: Send>(self, socket: TcpStream, keep_alive: Duration, stop: Stop, slot: P) {
        let _counted = ConnectionGauge::new();
        // the server writes a response in few large pieces, so Nagle's algorithm would only delay the response
        if let Err(error) = socket.set_nodelay(true) {
            tracing::debug!(%error, "failed to set TCP_NODELAY");
        }
        let rejections = RejectionState::new(self.clock.clone());
        // boxed, so that the memory of the future is freed before `write_rest`, which can take hours
        let ended = Box::pin(self.serve_requests(socket, &rejections, keep_alive, &stop)).await;
        // logged at the level debug, because a client may disconnect at any time
        match ended {
            Ok(None) => {}
            Ok(Some((socket, body))) => {
                if let Err(error) = write_rest(socket, body, &self.clock).await {
                    tracing::debug!(%error, "a long-lived response ended early");
                }
            }
            Err(error) => tracing::debug!(%error, "a connection ended early"),
        }
        // If hyper rejected a request itself, hyper's response was withheld. Now that hyper's connection has been
        // dropped, the application's response is sent instead.
        if let Some(withheld) = rejections.take() {
            // boxed, because the future of a request is large and few connections have a withheld response
            Box::pin(withheld.answer(&*self.endpoint, &self.clock)).await;
        }
        drop(slot);
    }

    /// Serves the requests of a connection. If the connection ends with a long-lived response, returns the socket and
    /// the rest of the response.
    async fn serve_requests(
        &self,
        socket: TcpStream,
        rejections: &RejectionState,
        keep_alive: Duration,
        stop: &Stop,
    ) -> hyper::Result<Option<(TcpStream, AnswerBody)>> {
        let handoff = StreamHandoff::default();
        let service = service_fn(|request| {
            let rejected = self.rejected.or_else(|| rejections.next_request());
            self.answer(request, rejected, &handoff)
        });
        // no `max_headers`: with a limit above hyper's default of 100 header lines, hyper allocates for each request
        let mut connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(keep_alive)
            .max_buf_size(MAX_HEAD_BUFFER)
            .serve_connection(TokioIo::new(rejections.socket(socket)), service);
        let mut draining = std::pin::pin!(stop.draining());
        let mut is_draining = false;
        let long_lived = poll_fn(|cx| {
            if !is_draining && draining.as_mut().poll(cx).is_ready() {
                is_draining = true;
                Pin::new(&mut connection).graceful_shutdown();
            }
            match Pin::new(&mut connection).poll(cx) {
                Poll::Ready(ended) => Poll::Ready(ended.map(|()| None)),
                // while the socket is full, hyper's buffer still contains data, so the socket must stay with hyper
                Poll::Pending if rejections.is_full() => Poll::Pending,
                Poll::Pending => {
                    handoff.take_idle().map_or(Poll::Pending, |body| Poll::Ready(Ok(Some(body))))
                }
            }
        });
        let Some(body) = long_lived.await? else { return Ok(None) };
        let socket = connection.into_parts().io.into_inner().into_inner();
        Ok(socket.map(|socket| (socket, body)))
    }

    async fn answer(
        &self,
        request: hyper::Request<Incoming>,
        rejected: Option<BadHead>,
        handoff: &StreamHandoff,
    ) -> Result<hyper::Response<AnswerBody>, Infallible> {
        let local = LocalAddr(Addr::SocketAddr(self.local));
        let peer = RemoteAddr(Addr::SocketAddr(self.peer));
        let (parts, body) = request.into_parts();
        let body = if body.is_end_stream() {
            Body::empty()
        } else {
            // A client that sends `Expect` (RFC 9110 §10.1.1) waits for 100 Continue before it sends the body. Hyper
            // sends 100 Continue when the body is first polled. `Lingering` discards the unread rest of a body, but not
            // of a body that the client has not begun to send.
            let expects_continue = parts.headers.contains_key(header::EXPECT);
            BoxBody::new(Lingering::new(body, expects_continue, self.clock.clone())).into()
        };
        let version = parts.version;
        let rejected = rejected.or_else(|| head_violation(version, &parts.headers));
        let mut request = Request::from_parts((parts, local, peer, Scheme::HTTP).into(), body);
        if let Some(rejected) = rejected {
            request.extensions_mut().insert(RejectedHead(rejected));
        }
        let mut answer = self.endpoint.get_response(request).await;
        if let Some(BadHead { status, why }) = rejected {
            // an endpoint that ignores the rejection possibly responded with success, so its response is replaced
            if answer.status() != status {
                answer = Response::builder().status(status).body(why);
            }
            // After an invalid head, it is unknown where the next request begins. A connection that exceeds the
            // connection limit of its network address must not stay open either.
            answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        Ok(handoff.prepare(version, answer.into()))
    }
}
