//! The look-ups by key in which concurrent callers share a round trip.

use super::engine::lookups::Lookups;
use super::tables::bot_tokens::Owners;
use super::tables::connections::presented::PresentedMany;
use super::tables::users::{Profiles, UsersWithCompanies};

/// Look-ups that share round trips; PostgreSQL only.
#[derive(Default)]
pub(super) struct SharedLookups {
    pub(super) owners: Lookups<Owners>,
    pub(super) users_with_companies: Lookups<UsersWithCompanies>,
    pub(super) profiles: Lookups<Profiles>,
    pub(super) presented: Lookups<PresentedMany>,
}
