//! Limits the number of fetches of metadata documents (`docs/decisions/0007-unauthenticated-callers.md`).

use std::net::IpAddr;

use super::clients::ClientProblem;
use crate::{
    platform::limits::{DOCUMENT_FETCHES, DocumentFetchLimits, ExactWindow, LimitKey, LimitStatus},
    service::World,
};

/// A fetch, with the values by which it is counted.
pub(super) struct CountedFetch<'a> {
    pub(super) url: &'a str,
    /// Host of the URL, with the port unless the port is 443.
    pub(super) authority: &'a str,
    /// Address of the request that started the fetch.
    pub(super) address: IpAddr,
    /// Whether an expired copy of the document is stored, because an earlier fetch was successful. If it is `true`,
    /// only the limit of the document's URL applies. If the limit of the host applied too, unauthenticated callers
    /// could use up that limit with requests for other URLs of the host, and so prevent this fetch.
    pub(super) has_expired_copy: bool,
}

const LIMITS: DocumentFetchLimits = DOCUMENT_FETCHES;

impl CountedFetch<'_> {
    fn of_url(&self) -> (ExactWindow, LimitKey) {
        (LIMITS.url.counter, LIMITS.url.key(self.url))
    }

    fn of_host(&self) -> Option<(ExactWindow, LimitKey)> {
        (!self.has_expired_copy).then(|| (LIMITS.host.counter, LIMITS.host.key(self.authority)))
    }

    fn of_address(&self) -> Option<(ExactWindow, LimitKey)> {
        let key = || LIMITS.host_at_address.key((self.authority, self.address));
        (!self.has_expired_copy).then(|| (LIMITS.host_at_address.counter, key()))
    }
}

/// `Ok` if a fetch is allowed, and otherwise the problem to report.
type Allowed = Result<(), ClientProblem>;

/// The share of a host's fetches that the requests from one address may start.
enum AddressShare {
    /// All fetches that the host's limit leaves.
    Everything,
    /// At most the limit of the address. This applies while at least half of the host's limit is used.
    Limited,
}

impl AddressShare {
    fn of(host: &LimitStatus) -> Self {
        if host.remaining <= host.limit / 2 { Self::Limited } else { Self::Everything }
    }
}

impl World {
    /// Checks whether a request may start a fetch: whether the limits of the host and of the request's address allow
    /// the fetch. If an expired copy of the document is stored, every request passes this check.
    pub(super) async fn may_start(&self, fetch: &CountedFetch<'_>) -> Allowed {
        self.peek_host(fetch).await
    }

    /// Checks whether the limits of the URL, the host and the address allow a fetch, without counting the fetch. Called
    /// before the fetch waits for one of the slots that limit concurrent fetches, so that a fetch over a limit is
    /// rejected immediately.
    pub(super) async fn may_fetch(&self, fetch: &CountedFetch<'_>) -> Allowed {
        self.peek_fetches(Some(fetch.of_url())).await?;
        self.peek_host(fetch).await
    }

    /// Counts one fetch of a document against the limit of its URL. If no expired copy of the document is stored, also
    /// counts the fetch against the limit of the host, and against the limit of the address that started the fetch. A
    /// fetch that fails is counted, too (D-213).
    ///
    /// A fetch that a limit rejects is usually not counted, because the limits are checked first. But if concurrent
    /// fetches use up a limit between the check and the count, the rejected fetch can be counted against the other
    /// limits.
    pub(super) async fn take_fetch(&self, fetch: &CountedFetch<'_>) -> Allowed {
        self.peek_fetches(Some(fetch.of_url())).await?;
        match self.share(fetch).await? {
            AddressShare::Limited => self.count_fetch(fetch.of_address()).await?,
            AddressShare::Everything => {
                if let Some((counter, key)) = fetch.of_address() {
                    self.limits.note_exact(counter, key, self.clock.now()).await;
                }
            }
        }
        self.count_fetch(fetch.of_host()).await?;
        self.count_fetch(Some(fetch.of_url())).await
    }

    /// Checks the limit of the host without counting. If at least half of the host's limit is used, also checks the
    /// limit of the address.
    async fn peek_host(&self, fetch: &CountedFetch<'_>) -> Allowed {
        match self.share(fetch).await? {
            AddressShare::Limited => self.peek_fetches(fetch.of_address()).await,
            AddressShare::Everything => Ok(()),
        }
    }

    /// Checks the limit of the host without counting, and returns how many of the host's fetches the address may start.
    async fn share(&self, fetch: &CountedFetch<'_>) -> Result<AddressShare, ClientProblem> {
        let Some((counter, key)) = fetch.of_host() else { return Ok(AddressShare::Everything) };
        let host = self.limits.peek_exact(counter, key, self.clock.now()).await;
        allowed(host.retry_after())?;
        Ok(AddressShare::of(&host.status))
    }

    /// Checks one limit without counting. If `limit` is `None`, the fetch is allowed.
    async fn peek_fetches(&self, limit: Option<(ExactWindow, LimitKey)>) -> Allowed {
        let Some((counter, key)) = limit else { return Ok(()) };
        allowed(self.limits.peek_exact(counter, key, self.clock.now()).await.retry_after())
    }

    /// Checks one limit, and counts the fetch if the limit allows it. If `limit` is `None`, the fetch is allowed.
    async fn count_fetch(&self, limit: Option<(ExactWindow, LimitKey)>) -> Allowed {
        let Some((counter, key)) = limit else { return Ok(()) };
        allowed(self.limits.check_exact(counter, key, self.clock.now()).await.retry_after())
    }
}

fn allowed(retry_after: Option<u32>) -> Allowed {
    retry_after.map_or(Ok(()), |retry_after| Err(ClientProblem::TooManyFetches { retry_after }))
}
