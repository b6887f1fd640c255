//! The caller of one request to the admin API or the pages.

use std::sync::Arc;

use crate::{
    domain::token,
    platform::secrets::constant_time_eq,
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
    /// Returns the caller that presents the operator key; `None` for any other text, and if no operator key is
    /// configured. The hashes of the keys are compared in constant time.
    #[must_use]
    pub fn operator_by_key(self: &Arc<Self>, key: &str) -> Option<Caller> {
        let expected = self.settings.operator_key_sha256.as_ref();
        self.operator_if(expected.is_some_and(|expected| constant_time_eq(&token::hash(key), expected)))
    }

    /// Returns the operator to whom a session of the sandbox console belongs; `None` if the session has expired, was
    /// ended in this process, or was not created for the configured operator key.
    #[must_use]
    pub fn operator_by_console_session(self: &Arc<Self>, session: &str) -> Option<Caller> {
        self.operator_if(self.is_console_session_valid(session))
    }

    /// Consumes a one-time link to the sandbox console, and returns the operator to whom it was given. Returns `None`
    /// if the link does not exist or has expired. If no operator key is configured, returns `None` without consuming
    /// the link.
    #[must_use]
    pub fn operator_by_console_link(self: &Arc<Self>, token: &str) -> Option<Caller> {
        self.operator_if(self.has_operator_key() && self.use_console_link(token))
    }

    /// Returns whether an operator key is configured.
    #[must_use]
    pub const fn has_operator_key(&self) -> bool {
        self.settings.operator_key_sha256.is_some()
    }

    fn operator_if(self: &Arc<Self>, is_proven: bool) -> Option<Caller> {
        is_proven.then(|| Caller { world: Arc::clone(self), principal: CallerPrincipal::Operator })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{domain::token::TokenKind, service::testing::world};

    #[tokio::test]
    async fn only_the_configured_operator_key_makes_an_operator() {
        let mut world = world().await;
        let key = token::mint(TokenKind::Operator, &[7; 32]);
        world.configure_operator(Some(token::hash(&key)));
        assert_eq!(world.operator_by_key(&key).map(|caller| caller.kind()), Some(CallerKind::Operator));
        assert!(world.operator_by_key(&token::mint(TokenKind::Operator, &[8; 32])).is_none());
        let link = world.new_console_link();
        world.configure_operator(None);
        assert!(world.operator_by_key(&key).is_none(), "without a configured key there is no operator");
        assert!(world.operator_by_console_link(&link).is_none(), "a link requires a configured key");
        world.configure_operator(Some(token::hash(&key)));
        assert!(world.operator_by_console_link(&link).is_some(), "the rejected link was not consumed");
    }
}
