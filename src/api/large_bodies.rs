//! Limits the large request bodies that the server reads although their sender is not authenticated. A body is large if
//! it has more than [`SMALL_BODY`](crate::contract::SMALL_BODY) bytes. The server reads bodies of unauthenticated
//! senders in two kinds of requests:
//!
//! - Requests of OAuth clients can have the client's id and secret in the body, so the body is read before the
//!   authentication.
//! - Registrations of clients have no authentication.
//!
//! These operations accept bodies of up to 1 MiB, but legitimate clients send a few hundred bytes. Without a limit,
//! unauthenticated callers could make the server hold and parse many large bodies concurrently. So each API reads at
//! most one large body of an unauthenticated sender at a time. The rate limit `large_body` limits how many large bodies
//! an address may send.

use std::sync::Arc;

use poem::Request;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{caller_address, rate_limited};
use crate::{
    contract::ApiError,
    domain::time::Timestamp,
    platform::limits::{LARGE_BODY, Limits},
};

/// Maximum number of large bodies that an API reads and parses concurrently. With 1, parsing the large bodies of an API
/// occupies at most one thread. The next large body waits, but not longer than a body may take to arrive
/// ([`BodyLimits::time`](crate::contract::BodyLimits)).
const MAX_CONCURRENT: usize = 1;

/// Admits the large bodies of one API, one after the other.
pub struct LargeBodies(Arc<Semaphore>);

impl Default for LargeBodies {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(MAX_CONCURRENT)))
    }
}

impl LargeBodies {
    /// Waits until the API holds no other large body, and admits the request's body. The caller must keep the returned
    /// permit until the sender is authenticated or the body is no longer in memory.
    ///
    /// # Errors
    /// 429 `rate_limited` if the address has sent too many large bodies.
    pub async fn admit(
        &self,
        limits: &Limits,
        now: Timestamp,
        request: &Request,
    ) -> Result<Option<OwnedSemaphorePermit>, ApiError> {
        if let Err(wait) = limits.take_all(&[LARGE_BODY.key_and_counter(caller_address(request))], now) {
            return Err(rate_limited(&wait));
        }
        // always `Some`, because the semaphore is never closed
        Ok(Arc::clone(&self.0).acquire_owned().await.ok())
    }
}
