//! The HTTP listener: an accept loop over hyper that serves a poem endpoint.
//!
//! Poem's own server keeps polling a connection that has failed, so the handler of a request continues after the client
//! has disconnected. This listener drops the failed connection together with the running handler. The listener supports
//! HTTP/1.0 and HTTP/1.1; a proxy terminates HTTP/2 and TLS (D-386).
//!
//! - [`connection`]: the requests of one connection; [`long_lived`]: responses that last for hours
//! - [`heads`]: rejection of invalid request heads; [`rejected`]: responses to requests that hyper rejects;
//!   [`framing`]: reads from the bytes of a request what hyper does not report
//! - [`progress`]: timeouts of single reads and writes; [`linger`]: timeouts of request bodies, and discarding of the
//!   rest of a body after an early response; [`addresses`]: maximum number of connections per address

mod addresses;
mod connection;
pub mod framing;
mod heads;
mod linger;
mod long_lived;
mod progress;
mod rejected;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;
use poem::{Endpoint, IntoResponse};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;

use self::addresses::Addresses;
use self::connection::AcceptedConnection;
pub use self::heads::{BadHead, MAX_HEADERS, MAX_REQUEST_LINE, refuse_bad_heads};
pub use self::long_lived::LongLivedBody;
use crate::platform::clock::Clock;
use crate::platform::metrics::{HTTP_ACCEPT_ERRORS, HTTP_CONNECTIONS_FULL};
use crate::platform::shutdown::Stop;

/// How long to wait after a failed accept, which usually fails because file descriptors have run out.
const ACCEPT_RETRY: Duration = Duration::from_millis(100);
/// Maximum number of connections that are being rejected at the same time. If a further connection must be rejected, it
/// is closed without a response.
const MAX_REJECTING: usize = 64;
/// How long a rejected connection may take to send its request and read the response.
const REJECTION_TIMEOUT: Duration = Duration::from_secs(2);

/// Connection limits of a listener.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// Maximum number of open connections; further connections wait in the kernel's backlog.
    pub max_connections: usize,
    /// Maximum number of open connections from one address (IPv6: one /64); further connections are rejected with 429.
    pub max_per_address: usize,
    /// Networks whose connections are not counted by address: the networks of proxies.
    pub exempt: Vec<IpNet>,
    /// How long a connection may be idle between requests, and how long the client may take to send the head of a
    /// request.
    pub keep_alive: Duration,
    /// How long open requests may continue after shutdown has begun.
    pub drain: Duration,
}

/// A bound socket that does not accept connections yet.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
    address: SocketAddr,
}

/// Binds to `address`; port 0 selects a free port, see [`Listener::local_addr`].
///
/// # Errors
/// Errors of the operating system, for example if the address is in use.
pub async fn bind(address: SocketAddr) -> std::io::Result<Listener> {
    let socket = TcpListener::bind(address).await?;
    progress::bound_unsent(&socket);
    let address = socket.local_addr()?;
    Ok(Listener { socket, address })
}

impl Listener {
    /// Returns the bound address.
    #[must_use]
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Serves until a graceful shutdown begins ([`Stop::draining`]). Then accepts no further connections, closes idle
    /// connections, and lets open requests finish within `options.drain`. Drops the remaining connections after
    /// `options.drain`, or as soon as an immediate stop is requested ([`Stop::stopping`]).
    pub async fn serve<E>(self, endpoint: E, options: ServeOptions, clock: Clock, stop: Stop)
    where
        E: Endpoint + 'static,
        E::Output: IntoResponse,
    {
        let ServeOptions { max_connections, max_per_address, exempt, keep_alive, drain } = options;
        let endpoint = Arc::new(endpoint);
        let slots = Arc::new(Semaphore::new(max_connections));
        let addresses = Addresses::new(max_per_address, exempt);
        let rejections = Arc::new(Semaphore::new(MAX_REJECTING));
        let mut connections = JoinSet::new();
        while let Some((socket, peer, slot)) = self.accept(&slots, &clock, &stop).await {
            let (endpoint, clock) = (Arc::clone(&endpoint), clock.clone());
            let connection =
                AcceptedConnection { endpoint, peer, local: self.address, clock, rejected: None };
            match addresses.enter(peer.ip()) {
                Some(counted) => {
                    connections.spawn(connection.serve(socket, keep_alive, stop.clone(), (slot, counted)));
                }
                None => {
                    addresses.report_rejected(peer.ip(), &connection.clock);
                    // `slot` is dropped at the end of this iteration, so a rejected connection does not occupy a slot
                    if let Ok(rejection) = Arc::clone(&rejections).try_acquire_owned() {
                        let connection = AcceptedConnection {
                            rejected: Some(BadHead::TOO_MANY_CONNECTIONS),
                            ..connection
                        };
                        let rejecting = connection.serve(socket, REJECTION_TIMEOUT, stop.clone(), rejection);
                        connections.spawn(async {
                            // a client that takes too long gets no response
                            let _ = tokio::time::timeout(REJECTION_TIMEOUT, rejecting).await;
                        });
                    }
                }
            }
            // removes finished tasks, so that the set contains open connections only
            while connections.try_join_next().is_some() {}
        }

        let Self { socket, address } = self;
        drop(socket);
        tokio::select! {
            () = async { while connections.join_next().await.is_some() {} } => {}
            () = pause_real_time(&clock, drain) => {
                tracing::warn!(%address, open = connections.len(), "requests were still open at the end of the drain time");
            }
            () = stop.stopping() => {}
        }
        connections.shutdown().await;
    }

    /// Waits for the next connection and returns it with its slot. Returns `None` when shutdown has begun.
    async fn accept(
        &self,
        slots: &Arc<Semaphore>,
        clock: &Clock,
        stop: &Stop,
    ) -> Option<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
        if slots.available_permits() == 0 {
            metrics::counter!(HTTP_CONNECTIONS_FULL).increment(1);
        }
        let slot = tokio::select! {
            biased;
            () = stop.draining() => return None,
            // the semaphore is never closed, so this always returns a slot
            slot = Arc::clone(slots).acquire_owned() => slot.ok()?,
        };
        loop {
            let accepted = tokio::select! {
                biased;
                () = stop.draining() => return None,
                accepted = self.socket.accept() => accepted,
            };
            match accepted {
                Ok((socket, peer)) => return Some((socket, peer, slot)),
                Err(error) => {
                    metrics::counter!(HTTP_ACCEPT_ERRORS).increment(1);
                    tracing::warn!(%error, "failed to accept a connection");
                    clock.pause(ACCEPT_RETRY).await;
                }
            }
        }
    }
}

/// Waits for `time` in real time, even if the test clock is moved during the wait.
async fn pause_real_time(clock: &Clock, time: Duration) {
    let start = clock.instant();
    while let Some(left) = time.checked_sub(start.elapsed()).filter(|left| !left.is_zero()) {
        clock.pause(left).await;
    }
}

#[cfg(test)]
mod tests;
