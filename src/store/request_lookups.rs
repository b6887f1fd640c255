//! Look-ups that many requests make: the installation of a bot token, the connection of a connection token, and a user
//! with the user's company. On PostgreSQL, concurrent callers of the same kind of look-up can share a round trip.

use super::db::{Backend, Db};
use super::engine::as_of::AsOf;
use super::engine::error::Result;
use super::engine::log_position::QueriedPosition;
use super::tables::bot_tokens::{self, TokenOwner};
use super::tables::connections::presented::{FindPresented, PresentedToken};
use super::tables::users::{self, UserOfCompany, UserWithCompany};
use crate::domain::ids::UserId;

/// The owner of the bot token that a request presents.
#[derive(Clone, Copy, Debug)]
pub struct Presenter {
    /// The installation to which the token belongs.
    pub owner: TokenOwner,
    /// The position of the primary's write-ahead log at the look-up. A replica may answer the request as soon as the
    /// replica has replayed the log up to this position. `None` if no replicas are used.
    pub position: Option<QueriedPosition>,
    /// When the owner was read from the database, even if `owner` comes from the token cache.
    pub as_of: AsOf,
}

impl Db {
    /// Returns the installation of the bot token with this SHA-256, even if the installation is disconnected; `None`
    /// for an unknown token. A connected installation can come from the token cache (`engine::token_cache`). With
    /// replicas, the cache is not used.
    pub async fn token_owner(&self, token_hash: [u8; 32]) -> Result<Option<Presenter>> {
        let cache = match &*self.backend {
            Backend::Pg(store) => store.owners(),
            Backend::Lite(store) => Some(store.owners()),
        };
        let as_of = self.as_of();
        let miss = match cache.map(|cache| cache.find(&token_hash)) {
            // The cached owner counts as unchanged up to now: if this process had revoked the token in the meantime, it
            // would have cleared the cache.
            Some(Ok((owner, cached))) => {
                return Ok(Some(Presenter { owner, position: None, as_of: cached.unchanged(as_of) }));
            }
            Some(Err(miss)) => Some(miss),
            None => None,
        };
        let found = match &*self.backend {
            Backend::Pg(store) => self.shared.owners.find(store, token_hash).await?,
            Backend::Lite(_) => {
                self.read(bot_tokens::FindTokenOwner(token_hash)).await?.map(|owner| (owner, None))
            }
        };
        if let (Some((owner, _)), Some(cache), Some(miss)) = (found, cache, miss) {
            cache.keep(token_hash, owner, as_of, miss);
        }
        Ok(found.map(|(owner, position)| {
            let position = position.map(|position| QueriedPosition { position, begun: as_of.started() });
            Presenter { owner, position, as_of }
        }))
    }

    /// Returns the name of a user, and the name and domain of the user's company; `None` if the id is unknown. The user
    /// is a person or a bot.
    pub async fn user_with_company(&self, id: UserId) -> Result<Option<UserWithCompany>> {
        match &*self.backend {
            Backend::Pg(store) => self.shared.users_with_companies.find(store, id).await,
            Backend::Lite(_) => self.read(users::FindUserWithCompany(id)).await,
        }
    }

    /// Returns a user with all columns, and the name and domain of the user's company; `None` if the id is unknown. The
    /// user is a person or a bot.
    pub async fn profile(&self, id: UserId) -> Result<Option<UserOfCompany>> {
        match &*self.backend {
            Backend::Pg(store) => self.shared.profiles.find(store, id).await,
            Backend::Lite(_) => self.read(users::FindProfile(id)).await,
        }
    }

    /// Returns the connection token with this SHA-256, and the state that decides whether the server accepts the token;
    /// `None` for an unknown token. Uses no cache.
    pub async fn presented(&self, token_hash: [u8; 32]) -> Result<Option<PresentedToken>> {
        match &*self.backend {
            Backend::Pg(store) => self.shared.presented.find(store, token_hash).await,
            Backend::Lite(_) => self.read(FindPresented(token_hash)).await,
        }
    }
}
