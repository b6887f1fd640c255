//! Why a request got no answer, in words that stay.

use std::error::Error;
use std::fmt;
use std::io;

use super::resolver::{Forbidden, NotFound};

/// Why there was no answer. The words are stored and shown to developers, so they never change and hold no secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Failure {
    /// Not a URL that may be asked: not HTTPS.
    Url,
    /// The name has no address, or no name server answered.
    Dns,
    /// An address is not on the public Internet.
    ForbiddenAddress,
    /// No connection could be made.
    Connect,
    /// TLS was not agreed on: the certificate, or a version before 1.2.
    Tls,
    /// No head of an answer came in time.
    Timeout,
    /// The connection was closed without an answer.
    Closed,
    /// The answer was not HTTP.
    Protocol,
}

impl Failure {
    /// The word.
    #[must_use]
    pub const fn word(self) -> &'static str {
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

    /// What an error of the HTTP client comes down to.
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

    /// `connecting`: while the connection was being made, TLS included.
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
        // what an error of this kind wraps is not among its sources
        if let Some(found) = io.get_ref().and_then(|inner| Self::of_cause(inner, connecting)) {
            return Some(found);
        }
        match io.kind() {
            // TCP does not end a connection that is being made in this way: the other side hung up on our greeting
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

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// An error and what it comes from.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    let mut next = Some(error);
    std::iter::from_fn(move || {
        let this = next?;
        next = this.source();
        Some(this)
    })
}
