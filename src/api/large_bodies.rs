//! Limits large bodies of requests that are authenticated by their body, such as a client's id and secret in
//! a form.
//!
//! The contract accepts 1 MiB on every path, but legitimate clients send a few hundred bytes there.
//! Unauthenticated callers could make the server hold and parse many large bodies at once, so only a few are
//! read concurrently, and few from one address.

use std::sync::Arc;

use poem::Request;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{caller_address, over};
use crate::{
    contract::ApiError,
    domain::time::Timestamp,
    platform::limits::{LARGE_BODY, Limits},
};

/// Number of bodies read and parsed concurrently, so that they occupy at most one thread. Others wait for as
/// long as a body may take to arrive.
const MAX_CONCURRENT: usize = 1;

/// Admission of large bodies to one API.
pub struct LargeBodies(Arc<Semaphore>);

impl Default for LargeBodies {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(MAX_CONCURRENT)))
    }
}

impl LargeBodies {
    /// Admits the request's body; the permit is held while the body is in memory.
    ///
    /// # Errors
    /// 429 if the address has sent too many.
    pub async fn admit(
        &self,
        limits: &Limits,
        now: Timestamp,
        request: &Request,
    ) -> Result<Option<OwnedSemaphorePermit>, ApiError> {
        if let Err(wait) = limits.take_all(&[LARGE_BODY.take(caller_address(request))], now) {
            return Err(over(&wait));
        }
        // the semaphore is never closed
        Ok(Arc::clone(&self.0).acquire_owned().await.ok())
    }
}
