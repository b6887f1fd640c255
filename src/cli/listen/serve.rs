//! The listener of `switchboard listen`: accepts connections, with or without TLS, and serves HTTP/1.1 on them.
//!
//! The server's own listener (`platform::net`) does not support TLS, because a proxy in front of the server terminates
//! TLS (D-386). `switchboard listen` receives events without a proxy, so its listener supports TLS itself.

use std::{convert::Infallible, io, net::SocketAddr, sync::Arc, time::Duration};

use bytes::Bytes;
use http::{HeaderValue, Request, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::{body::Incoming as RequestBody, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::json;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    task::JoinSet,
    time::timeout,
};
use tokio_rustls::TlsAcceptor;

use super::{
    misbehaviour::ReceiverReply,
    receiver::{Incoming, Receiver, ReceiverOutcome, Reception},
};
use crate::platform::{clock::Clock, shutdown::Stop};

/// Maximum size of a body in bytes. Events are far smaller.
const MAX_BODY: usize = 1024 * 1024;
/// Maximum time for a body to arrive. The Switchboard server waits 3 seconds for a response (B-422), so the
/// response to a slower request would be too late.
const BODY_TIME: Duration = Duration::from_secs(3);
const HANDSHAKE_TIME: Duration = Duration::from_secs(10);
const IDLE_TIME: Duration = Duration::from_secs(75);
/// Delay after a failed accept. The usual cause is that file descriptors have run out, so an immediate retry would fail
/// too.
const ACCEPT_RETRY: Duration = Duration::from_millis(100);

/// A function that is called for every request whose body was received, before the response is sent. Several tasks call
/// it concurrently.
pub type OnRequest = dyn Fn(&Reception) + Send + Sync;

/// A bound socket that does not accept connections yet.
pub struct Listening {
    socket: TcpListener,
    address: SocketAddr,
    tls: Option<TlsAcceptor>,
}

/// Binds to `address`. Port 0 chooses a free port. If `tls` is `None`, the receiver uses plain HTTP.
///
/// # Errors
/// Errors of the operating system, such as an address in use.
pub async fn bind(address: SocketAddr, tls: Option<TlsAcceptor>) -> io::Result<Listening> {
    let socket = TcpListener::bind(address).await?;
    let address = socket.local_addr()?;
    Ok(Listening { socket, address, tls })
}

impl Listening {
    /// Returns the listen address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Accepts connections until `stop`, and then drops the open connections. Calls `report` for each request whose
    /// body was received.
    pub async fn serve(self, receiver: Arc<Receiver>, report: Arc<OnRequest>, stop: Stop) {
        let mut connections = JoinSet::new();
        loop {
            let accepted = tokio::select! {
                biased;
                () = stop.draining() => break,
                accepted = self.socket.accept() => accepted,
            };
            match accepted {
                Ok((socket, _)) => {
                    let (receiver, report) = (Arc::clone(&receiver), Arc::clone(&report));
                    connections.spawn(connection(socket, self.tls.clone(), receiver, report));
                }
                Err(error) => {
                    tracing::warn!(%error, "failed to accept a connection");
                    receiver.clock().pause(ACCEPT_RETRY).await;
                }
            }
            // removes the finished tasks, so that the set contains only open connections
            while connections.try_join_next().is_some() {}
        }
        connections.shutdown().await;
    }
}

async fn connection(
    socket: TcpStream,
    tls: Option<TlsAcceptor>,
    receiver: Arc<Receiver>,
    report: Arc<OnRequest>,
) {
    let Some(tls) = tls else { return serve_http(socket, receiver, report).await };
    match timeout(HANDSHAKE_TIME, tls.accept(socket)).await {
        Ok(Ok(socket)) => serve_http(socket, receiver, report).await,
        Ok(Err(error)) => tracing::warn!(
            %error,
            "the TLS handshake with a client failed: does the client trust the certificate (--cert-out) and use HTTPS?"
        ),
        Err(_) => tracing::warn!("a client did not complete the TLS handshake in time"),
    }
}

async fn serve_http<S>(socket: S, receiver: Arc<Receiver>, report: Arc<OnRequest>)
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let service = service_fn(|request| answer(request, &receiver, &*report));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(IDLE_TIME)
        .serve_connection(TokioIo::new(socket), service);
    if let Err(error) = connection.await {
        tracing::debug!(%error, "a connection failed");
    }
}

async fn answer(
    request: Request<RequestBody>,
    receiver: &Receiver,
    report: &OnRequest,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (parts, body) = request.into_parts();
    let body = match timeout(BODY_TIME, Limited::new(body, MAX_BODY).collect()).await {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            return Ok(response(&ReceiverReply::of(413), "the body is too large"));
        }
        Ok(Err(_)) => return Ok(response(&ReceiverReply::of(400), "the body is incomplete or malformed")),
        Err(_) => return Ok(response(&ReceiverReply::of(408), "the body did not arrive in time")),
    };
    let path = parts.uri.path_and_query().map_or("/", |path| path.as_str()).to_owned();
    let reception = receiver.receive(Incoming {
        received_at: receiver.clock().now(),
        method: parts.method,
        path,
        headers: parts.headers,
        body,
    });
    report(&reception);
    wait(receiver.clock(), reception.reply.delay).await;
    let message = match reception.outcome {
        ReceiverOutcome::Handled => "handled".to_owned(),
        ReceiverOutcome::Repeated => "handled before".to_owned(),
        ReceiverOutcome::Failed => "failed, as requested".to_owned(),
        ReceiverOutcome::Refused(invalid) => invalid.to_string(),
        ReceiverOutcome::NoEvent(why) => why.to_owned(),
        ReceiverOutcome::NoPost => "events are sent with POST".to_owned(),
    };
    Ok(response(&reception.reply, &message))
}

async fn wait(clock: &Clock, delay: Duration) {
    if !delay.is_zero() {
        clock.pause(delay).await;
    }
}

fn response(reply: &ReceiverReply, message: &str) -> Response<Full<Bytes>> {
    let status = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let has_body = status != StatusCode::NO_CONTENT && status != StatusCode::NOT_MODIFIED;
    let body = json!({"ok": reply.is_success(), "message": message}).to_string();
    let mut response = Response::new(Full::from(if has_body { body } else { String::new() }));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    if has_body {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    if status == StatusCode::METHOD_NOT_ALLOWED {
        headers.insert(header::ALLOW, HeaderValue::from_static("POST"));
    }
    if let Some(location) = reply.location.as_deref().and_then(|text| HeaderValue::from_str(text).ok()) {
        headers.insert(header::LOCATION, location);
    }
    response
}
