//! Reasons why an outbound request got no response, with stable names.

use std::error::Error;
use std::fmt;
use std::io;

use super::resolver::{Forbidden, NotFound};

/// Why there was no response. The names are stored and shown to developers, so they must never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutboundFailure {
    /// The URL cannot be parsed, has no host, or is not HTTPS. The URL of an exempt host may be HTTP.
    Url,
    /// The host name has no address or cannot be resolved.
    Dns,
    /// The host is, or resolves to, an address that is not public.
    ForbiddenAddress,
    /// No connection could be established.
    Connect,
    /// The TLS handshake failed, for example because of the certificate or a version below 1.2.
    Tls,
    /// No response head was received in time.
    Timeout,
    /// The connection was closed or reset before the response head was complete.
    Closed,
    /// The response was not valid HTTP, or the request failed for a reason that no other variant names.
    Protocol,
}

impl OutboundFailure {
    /// Returns the stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Url => "url",
            Self::Dns => "dns",
            Self::ForbiddenAddress => "forbidden_address",
            Self::Connect => "connect",
            Self::Tls => "tls",
            Self::Timeout => "timeout",
            Self::Closed => "closed",
            Self::Protocol => "protocol",
        }
    }

    /// Classifies an error of the HTTP client.
    pub(super) fn of(error: &reqwest::Error) -> Self {
        let found = causes(error).find_map(|cause| Self::of_cause(cause, error.is_connect()));
        found.unwrap_or_else(|| {
            if error.is_dns() {
                Self::Dns
            } else if error.is_timeout() {
                Self::Timeout
            } else if error.is_connect() {
                Self::Connect
            } else {
                Self::Protocol
            }
        })
    }

    /// Classifies one cause of an error. `connecting` is true if the error occurred during the TCP connect or the TLS
    /// handshake. Returns `None` if this cause does not determine the reason.
    fn of_cause(cause: &(dyn Error + 'static), connecting: bool) -> Option<Self> {
        if cause.is::<Forbidden>() {
            return Some(Self::ForbiddenAddress);
        }
        if cause.is::<NotFound>() {
            return Some(Self::Dns);
        }
        if cause.is::<rustls::Error>() {
            return Some(Self::Tls);
        }
        if let Some(hyper) = cause.downcast_ref::<hyper::Error>() {
            return if hyper.is_incomplete_message() || hyper.is_canceled() || hyper.is_closed() {
                Some(Self::Closed)
            } else if hyper.is_parse() {
                Some(Self::Protocol)
            } else {
                None
            };
        }
        let io = cause.downcast_ref::<io::Error>()?;
        // `io::Error::source` skips the inner error and returns the source of the inner error, so this code looks at
        // the inner error itself
        if let Some(found) = io.get_ref().and_then(|inner| Self::of_cause(inner, connecting)) {
            return Some(found);
        }
        match io.kind() {
            // a TCP connect does not fail with this kind of error, so the server closed the connection during the TLS
            // handshake
            io::ErrorKind::UnexpectedEof if connecting => Some(Self::Tls),
            io::ErrorKind::UnexpectedEof
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe => Some(Self::Closed),
            io::ErrorKind::ConnectionRefused
            | io::ErrorKind::HostUnreachable
            | io::ErrorKind::NetworkUnreachable
            | io::ErrorKind::AddrNotAvailable => Some(Self::Connect),
            io::ErrorKind::TimedOut => Some(Self::Timeout),
            _ => None,
        }
    }
}

impl fmt::Display for OutboundFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Iterates over an error and its sources.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    let mut next = Some(error);
    std::iter::from_fn(move || {
        let this = next?;
        next = this.source();
        Some(this)
    })
}
