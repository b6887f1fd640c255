//! Look-ups by key whose concurrent callers share a round trip on PostgreSQL.

use super::engine::lookups::Lookups;
use super::tables::bot_tokens::Owners;
use super::tables::connections::presented::PresentedMany;
use super::tables::users::{Profiles, UsersWithCompanies};

/// One batch queue for each kind of look-up. Used on PostgreSQL only.
#[derive(Default)]
pub(super) struct SharedLookups {
    pub(super) owners: Lookups<Owners>,
    pub(super) users_with_companies: Lookups<UsersWithCompanies>,
    pub(super) profiles: Lookups<Profiles>,
    pub(super) presented: Lookups<PresentedMany>,
}
