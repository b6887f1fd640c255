//! The caller of one request to the admin API or the pages.

use std::sync::Arc;

use crate::{
    service::{
        World,
        callers::{
            principal::{ActingPerson, CallerKind, CallerPrincipal},
            request::WrittenFlag,
        },
    },
    store::Result,
};

/// A caller of the admin API or the pages, as authenticated for one request. Its methods are the operations that the
/// caller may request.
#[derive(Clone)]
pub struct Caller {
    world: Arc<World>,
    principal: CallerPrincipal,
}

impl World {
    /// Returns the operator as a caller. The API module must have verified the operator key.
    #[must_use]
    pub fn operator_caller(self: &Arc<Self>) -> Caller {
        Caller { world: Arc::clone(self), principal: CallerPrincipal::Operator }
    }

    /// Returns the caller of a session, with the persons as whom it can act now.
    ///
    /// # Errors
    /// - `Unavailable` while this node's clock is too far from the database's clock ([`World::trusted_now`]).
    /// - `invalid_auth` if the session does not exist or has expired.
    /// - `invalid_auth` if the account can act as nobody, because each of its persons is inactive or was signed out
    ///   after the session was created.
    pub async fn session(self: &Arc<Self>, token_hash: [u8; 32]) -> Result<Caller> {
        Ok(Caller { principal: self.find_session(token_hash).await?, world: Arc::clone(self) })
    }
}

impl Caller {
    pub(in crate::service) const fn world(&self) -> &Arc<World> {
        &self.world
    }

    pub(in crate::service) const fn principal(&self) -> &CallerPrincipal {
        &self.principal
    }

    /// Returns the caller's rights, for an operation that checks them in its transaction.
    pub(in crate::service) fn to_principal(&self) -> CallerPrincipal {
        self.principal.clone()
    }

    /// Records that something was written on behalf of the caller.
    pub(in crate::service) fn note_written(&self) {
        if let Some(written) = self.principal.written() {
            written.note();
        }
    }

    /// Returns the kind of the caller.
    #[must_use]
    pub fn kind(&self) -> CallerKind {
        self.principal.kind()
    }

    /// Returns the persons as whom the caller can act; none for the operator.
    #[must_use]
    pub fn persons(&self) -> &[ActingPerson] {
        self.principal.persons()
    }

    /// Returns the owner of the caller's cursors and rate limits: the account, or 0 for the operator.
    #[must_use]
    pub const fn cursor_owner(&self) -> i64 {
        self.principal.cursor_owner()
    }

    /// Returns whether something was written on behalf of the caller in this request; `false` for the operator.
    #[must_use]
    pub fn has_written(&self) -> bool {
        self.principal.written().is_some_and(WrittenFlag::any)
    }
}
