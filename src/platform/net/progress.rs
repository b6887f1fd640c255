//! Limits how long a connection may make no progress.
//!
//! Without a limit, a client that does not read its response, or stops sending its request body, would hold a
//! connection and its resources indefinitely. The limit applies to each single read and write, and not to the whole
//! request. So a slow client that makes progress is served to the end.

use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use socket2::SockRef;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

use crate::platform::clock::Clock;
use crate::platform::metrics::HTTP_CONNECTIONS_STALLED;

/// How long a client may read no byte of a response, or send no byte of a request body, before the server's write or
/// read fails.
pub(super) const STALL_TIMEOUT: Duration = Duration::from_secs(30);

/// Maximum number of unsent bytes of a response in the kernel. Without this limit the kernel buffers megabytes for each
/// client that does not read.
#[cfg(target_os = "linux")]
const UNSENT: u32 = 128 << 10;

/// Limits the kernel's buffer to `UNSENT`, on Linux only. Accepted connections inherit this option from the listener.
pub(super) fn bound_unsent(listener: &TcpListener) {
    #[cfg(target_os = "linux")]
    if let Err(error) = SockRef::from(listener).set_tcp_notsent_lowat(UNSENT) {
        tracing::debug!(%error, "failed to set TCP_NOTSENT_LOWAT");
    }
    #[cfg(not(target_os = "linux"))]
    let _ = listener;
}

/// Measures how long one direction of a connection, its reads or its writes, has made no progress.
pub(super) struct DirectionProgress {
    clock: Clock,
    waiting: Option<Pin<Box<dyn Future<Output = ()> + Send + Sync>>>,
}

impl DirectionProgress {
    pub(super) fn new(clock: Clock) -> Self {
        Self { clock, waiting: None }
    }

    /// Returns the result of a read or write unchanged, unless this direction has been pending for [`STALL_TIMEOUT`].
    /// In that case, returns an error.
    ///
    /// # Errors
    /// [`ErrorKind::TimedOut`], or the error of the operation.
    pub(super) fn within<T>(
        &mut self,
        cx: &mut Context<'_>,
        attempt: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if attempt.is_ready() {
            self.waiting = None;
            return attempt;
        }
        let clock = &self.clock;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(clock.sleep(STALL_TIMEOUT)));
        match waiting.as_mut().poll(cx) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(()) => {
                self.waiting = None;
                Poll::Ready(Err(ErrorKind::TimedOut.into()))
            }
        }
    }
}

/// Writes all of `bytes`, as long as the client keeps reading.
///
/// # Errors
/// [`ErrorKind::TimedOut`] if the client read nothing for [`STALL_TIMEOUT`]; errors of the socket.
pub(super) async fn write_all(socket: &mut TcpStream, mut bytes: &[u8], clock: &Clock) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = tokio::select! {
            biased;
            written = socket.write(bytes) => written?,
            () = clock.sleep(STALL_TIMEOUT) => {
                reset(socket);
                return Err(ErrorKind::TimedOut.into());
            }
        };
        if written == 0 {
            return Err(ErrorKind::WriteZero.into());
        }
        bytes = &bytes[written..];
    }
    Ok(())
}

/// Counts a stalled connection, and makes the kernel free the buffers of the connection as soon as it is closed. After
/// a graceful close, the kernel would keep the unsent bytes until the client has read them or several minutes have
/// passed.
pub(super) fn reset(socket: &TcpStream) {
    metrics::counter!(HTTP_CONNECTIONS_STALLED).increment(1);
    if let Err(error) = SockRef::from(socket).set_linger(Some(Duration::ZERO)) {
        tracing::debug!(%error, "failed to set SO_LINGER");
    }
}
