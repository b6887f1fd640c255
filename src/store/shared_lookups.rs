//! The queues of the batched look-ups. On PostgreSQL, concurrent callers of the same kind of look-up can share a round
//! trip.

use super::engine::lookups::Lookups;
use super::tables::bot_tokens::Owners;
use super::tables::connections::presented::PresentedMany;
use super::tables::users::{Profiles, UsersWithCompanies};

/// One queue for each kind of batched look-up. Used on PostgreSQL only.
#[derive(Default)]
pub(super) struct SharedLookups {
    pub(super) owners: Lookups<Owners>,
    pub(super) users_with_companies: Lookups<UsersWithCompanies>,
    pub(super) profiles: Lookups<Profiles>,
    pub(super) presented: Lookups<PresentedMany>,
}
