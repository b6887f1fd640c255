//! Metadata documents of clients (Client ID Metadata Documents). A document is fetched from the client's host. A valid
//! document of a public client is cached for the `max-age` of the response, but for at least 5 minutes and at most 24
//! hours. All requests that wait for the same document share one fetch. [`document_slots`](super::document_slots)
//! limits the number of concurrent fetches. [`document_limits`](super::document_limits) limits how often documents are
//! fetched.
//!
//! Only `/authorize` fetches documents, so tokens can be exchanged even if a client's host is down (D-215).

use std::{collections::HashMap, net::IpAddr, sync::Arc, time::Duration};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use parking_lot::Mutex;
use serde_json::Value;
use tokio::sync::watch;

use super::{
    clients::{ClientProblem, FindAssistantClient},
    document_limits::CountedFetch,
    document_slots::{Slots, Ticket},
};
use crate::{
    domain::{
        assistant::{
            client_id,
            document::{ClientMetadataDocument, cache_seconds},
        },
        redirect::WebUri,
        strict_json,
    },
    platform::{
        client_ip,
        clock::Stopwatch,
        outbound::{
            Outbound, OutboundFailure, OutboundRequest, OutboundResponse, ResponseLimits, UnansweredRequest,
        },
    },
    service::World,
    store::{
        Result,
        assistant_clients::{self, AssistantClient},
        op,
    },
};

/// Timeout of a fetch, including the wait for a slot.
const FETCH_TIMEOUT: Duration = Duration::from_secs(3);
/// Maximum size of a document.
const MAX_BYTES: usize = 10 * 1024;

/// The state of a metadata document in the store.
enum StoredDocument {
    /// A document that has not expired.
    Fresh(ClientMetadataDocument),
    /// The stored document has expired and has to be fetched again.
    Stale,
    /// No document is stored.
    Missing,
}

/// The result of a fetch, shared by all requests that wait for it.
type Fetched = std::result::Result<ClientMetadataDocument, ClientProblem>;

/// A fetch in progress. The fetch runs in a task of its own. So it completes, and the document is stored, even if every
/// browser that waits for the document disconnects. If a disconnect cancelled the fetch, disconnecting browsers could
/// use up the fetches that the limit of a URL allows (D-213), and the document would never be stored.
struct FetchInProgress {
    outcome: watch::Sender<Option<Result<Fetched>>>,
    /// The distinct addresses of the requests that started or joined the fetch, as [`client_ip::network`] returns them.
    /// The address of a request whose browser has disconnected stays in the list.
    addresses: Vec<IpAddr>,
    /// The id of the fetch in the queue for a slot; `None` before the fetch is queued.
    queued: Option<u64>,
}

/// Fetches metadata documents. Has the fetches in progress, and the slots that they wait for.
pub struct Documents {
    outbound: Outbound,
    /// The fetches in progress, by URL.
    in_flight: Mutex<HashMap<String, FetchInProgress>>,
    slots: Arc<Slots>,
}

impl Documents {
    /// Returns a value without fetches in progress. `outbound` is the HTTP client for fetches.
    #[must_use]
    pub fn new(outbound: Outbound) -> Self {
        Self { outbound, in_flight: Mutex::default(), slots: Arc::default() }
    }

    /// Returns the number of requests that wait for the document at a URL. For tests.
    #[must_use]
    pub fn waiting(&self, url: &str) -> usize {
        self.in_flight.lock().get(url).map_or(0, |fetch| fetch.outcome.receiver_count())
    }

    /// Returns whether a fetch of a URL is in progress, even if no request waits for the fetch any more.
    fn is_fetching(&self, url: &str) -> bool {
        self.in_flight.lock().contains_key(url)
    }

    /// Queues the fetch of a URL for a slot, on behalf of all requests that wait for the document. `authority` is the
    /// URL's host, with the port unless the port is 443. Returns `None` if no fetch of the URL is in progress.
    fn enqueue(&self, url: &str, authority: &str) -> Option<Ticket> {
        let mut in_flight = self.in_flight.lock();
        let fetch = in_flight.get_mut(url)?;
        let ticket = self.slots.enqueue(authority, fetch.addresses.clone());
        fetch.queued = Some(ticket.id());
        Some(ticket)
    }
}

/// A drop guard of the task of a fetch. It removes the fetch from the fetches in progress, and sends the outcome to the
/// waiting requests. After a panic there is no outcome, and the channel of the waiting requests is closed.
struct Completion {
    world: Arc<World>,
    url: String,
    outcome: Option<Result<Fetched>>,
}

impl Drop for Completion {
    fn drop(&mut self) {
        let fetch = self.world.documents.in_flight.lock().remove(&self.url);
        if let Some((fetch, outcome)) = fetch.zip(self.outcome.take()) {
            fetch.outcome.send_replace(Some(outcome));
        }
    }
}

impl World {
    /// Returns the metadata document of the client whose id is `url`: the stored document if it has not expired, and
    /// otherwise a fetched one. `parts` are the parts of `url`. `address` is the address of the request.
    ///
    /// # Errors
    /// Store errors. After a fetch also errors of [`Stamp::id`](crate::service::Stamp::id). A problem with the document
    /// is returned as an inner `Err` with a [`ClientProblem`].
    pub(super) async fn client_document(
        self: &Arc<Self>,
        url: &str,
        parts: &WebUri<'_>,
        address: IpAddr,
    ) -> Result<Fetched> {
        let authority = client_id::authority(parts);
        if self.is_own(&authority) {
            return Ok(unknown("The client id is a URL of this server."));
        }
        let has_expired_copy = match self.stored_document(url).await? {
            StoredDocument::Fresh(document) => return Ok(Ok(document)),
            StoredDocument::Stale => true,
            StoredDocument::Missing => false,
        };
        let address = client_ip::network(address);
        // An address that has used up its fetches must not start a fetch. The limits would reject this fetch, and with
        // it the requests of other addresses that have joined the fetch.
        if !self.documents.is_fetching(url) {
            let fetch = CountedFetch { url, authority: &authority, address, has_expired_copy };
            if let Err(problem) = self.may_start(&fetch).await {
                return Ok(Err(problem));
            }
        }
        let mut outcome = self.join_fetch(url, authority, address);
        match outcome.wait_for(Option::is_some).await.map(|outcome| outcome.clone()) {
            Ok(Some(outcome)) => outcome,
            // the task panicked, or the process shuts down
            Ok(None) | Err(_) => Ok(Err(ClientProblem::Unreached(OutboundFailure::Closed))),
        }
    }

    /// Joins the fetch of `url` if it is in progress, and otherwise starts it. The outcome of the fetch is sent to the
    /// returned channel.
    fn join_fetch(
        self: &Arc<Self>,
        url: &str,
        authority: String,
        address: IpAddr,
    ) -> watch::Receiver<Option<Result<Fetched>>> {
        let mut in_flight = self.documents.in_flight.lock();
        if let Some(fetch) = in_flight.get_mut(url) {
            if !fetch.addresses.contains(&address) {
                fetch.addresses.push(address);
                if let Some(id) = fetch.queued {
                    self.documents.slots.join(id, address);
                }
            }
            return fetch.outcome.subscribe();
        }
        let (outcome, joined) = watch::channel(None);
        in_flight.insert(url.to_owned(), FetchInProgress { outcome, addresses: vec![address], queued: None });
        let mut completion = Completion { world: Arc::clone(self), url: url.to_owned(), outcome: None };
        tokio::spawn(async move {
            let outcome = completion.world.fetch(&completion.url, &authority, address).await;
            completion.outcome.replace(outcome);
        });
        joined
    }

    /// Returns whether `authority` belongs to this server. The consent page shows the host of the client id as the
    /// publisher of the client. Therefore a URL of this server is not accepted as a client id (D-221). Every other port
    /// of this server's host also belongs to this server, unless the setting `allow_private_hosts` contains the host
    /// with that port.
    fn is_own(&self, authority: &str) -> bool {
        let settings = &self.settings;
        let host_and_port = with_port(authority);
        let is_exempt =
            settings.allow_private_hosts.iter().any(|exempt| exempt.eq_ignore_ascii_case(&host_and_port));
        let own = [&settings.mcp_url, &settings.base_url];
        let mut own = own.into_iter().filter_map(|url| WebUri::parse(url).ok());
        own.any(|own| {
            let own = client_id::authority(&own);
            own == authority || !is_exempt && host(&own) == host(authority)
        })
    }

    async fn stored_document(&self, url: &str) -> Result<StoredDocument> {
        let found = self.db.read(FindAssistantClient(url.to_owned())).await?;
        let Some(document) = found.filter(|client| !client.is_registered) else {
            return Ok(StoredDocument::Missing);
        };
        if document.expires_at <= self.clock.now() {
            return Ok(StoredDocument::Stale);
        }
        Ok(StoredDocument::Fresh(ClientMetadataDocument {
            redirect_uris: document.redirect_uris()?,
            client_name: document.client_name,
            is_public: document.is_public,
        }))
    }

    /// Fetches a document, and stores it if it is valid and describes a public client.
    async fn fetch(&self, url: &str, authority: &str, address: IpAddr) -> Result<Fetched> {
        let has_expired_copy = match self.stored_document(url).await? {
            // another fetch has stored the document after the request looked it up
            StoredDocument::Fresh(document) => return Ok(Ok(document)),
            StoredDocument::Stale => true,
            StoredDocument::Missing => false,
        };
        let fetch = Fetch { url, authority, address, has_expired_copy, begun: self.clock.stopwatch() };
        if let Err(problem) = self.may_fetch(&fetch.counted()).await {
            return Ok(Err(problem));
        }
        let answered = tokio::select! {
            biased;
            answered = self.send_request(&fetch) => answered,
            () = self.clock.sleep(FETCH_TIMEOUT) => Err(ClientProblem::Unreached(OutboundFailure::Timeout)),
        };
        let (document, reply) = match answered.and_then(|reply| Ok((read(url, &reply, self)?, reply))) {
            Ok(read) => read,
            Err(problem) => {
                fetch.log(&problem);
                return Ok(Err(problem));
            }
        };
        if !document.is_public {
            // not cached, so that the document is accepted as soon as the client has corrected it
            return Ok(Ok(document));
        }
        let stamp = self.stamp();
        let directives = reply.headers.get_all(header::CACHE_CONTROL).iter();
        let max_age = cache_seconds(directives.filter_map(|value| value.to_str().ok()));
        let client = AssistantClient {
            id: stamp.id()?,
            client_id: url.to_owned(),
            is_registered: false,
            client_name: document.client_name.clone(),
            redirect_uris: Value::from(document.redirect_uris.clone()).to_string(),
            is_public: document.is_public,
            secret_hash: None,
            metadata: None,
            created_at: stamp.now,
            expires_at: stamp.now + Duration::from_secs(max_age),
            connected_at: None,
            last_used_at: None,
        };
        self.db.write(StoreDocument(client)).await?;
        Ok(Ok(document))
    }

    /// Waits for a slot, counts the fetch against its limits and sends the request. A fetch that gets no slot is not
    /// counted, because it sends no request.
    async fn send_request(&self, fetch: &Fetch<'_>) -> std::result::Result<OutboundResponse, ClientProblem> {
        let slot = match self.documents.enqueue(fetch.url, fetch.authority) {
            Some(ticket) => ticket.slot().await,
            None => None,
        };
        let Some(_slot) = slot else { return Err(ClientProblem::Unreached(OutboundFailure::Closed)) };
        if fetch.begun.elapsed() >= FETCH_TIMEOUT {
            return Err(ClientProblem::Unreached(OutboundFailure::Timeout));
        }
        self.take_fetch(&fetch.counted()).await?;
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        headers.insert(header::USER_AGENT, HeaderValue::from_static("switchboard-clients/1"));
        let request =
            OutboundRequest { method: Method::GET, url: fetch.url.to_owned(), headers, body: Bytes::new() };
        let limits = ResponseLimits { head: FETCH_TIMEOUT, body: FETCH_TIMEOUT, most: MAX_BYTES };
        let sent = self.documents.outbound.send(request, limits).await;
        sent.map_err(|UnansweredRequest { why, .. }| ClientProblem::Unreached(why))
    }
}

/// The parameters of a fetch.
struct Fetch<'a> {
    url: &'a str,
    /// The host of the URL, with the port unless the port is 443.
    authority: &'a str,
    /// Address of the request that started the fetch.
    address: IpAddr,
    /// Whether an expired copy of the document is stored, because an earlier fetch was successful.
    has_expired_copy: bool,
    /// The time since the start of the fetch.
    begun: Stopwatch,
}

impl Fetch<'_> {
    fn counted(&self) -> CountedFetch<'_> {
        let Self { url, authority, address, has_expired_copy, .. } = *self;
        CountedFetch { url, authority, address, has_expired_copy }
    }

    /// Logs why the document could not be fetched or is invalid. For a failed fetch or an unreadable response, the
    /// error page does not show the reason.
    fn log(&self, problem: &ClientProblem) {
        let authority = self.authority;
        match problem {
            ClientProblem::Unreached(why) => {
                tracing::info!(%authority, %why, "failed to fetch a metadata document");
            }
            ClientProblem::Unreadable(why) | ClientProblem::Unknown(why) => {
                tracing::info!(%authority, %why, "failed to read a metadata document");
            }
            ClientProblem::Redirect(_) | ClientProblem::NotPublic | ClientProblem::TooManyFetches { .. } => {}
        }
    }
}

/// Returns the authority without its port.
fn host(authority: &str) -> &str {
    let end = authority.rfind(']').map_or(0, |end| end + 1);
    authority[end..].find(':').map_or(authority, |colon| &authority[..end + colon])
}

/// Returns the authority of an `https` URL with its port. If the authority has no port, adds the port 443.
fn with_port(authority: &str) -> String {
    match host(authority) {
        host if host == authority => format!("{host}:443"),
        _ => authority.to_owned(),
    }
}

fn unknown(why: impl Into<String>) -> Fetched {
    Err(ClientProblem::Unknown(why.into()))
}

/// Parses the response of a client's host. If the response is not a complete, uncompressed JSON document with the
/// status 200, returns [`ClientProblem::Unreadable`], whose reason is only logged. If the page showed the reason,
/// strangers could find out what runs on hosts that only this server can reach.
fn read(
    url: &str,
    reply: &OutboundResponse,
    world: &World,
) -> std::result::Result<ClientMetadataDocument, ClientProblem> {
    let unreadable = |why: &str| ClientProblem::Unreadable(why.to_owned());
    if reply.status != StatusCode::OK {
        return Err(unreadable(&format!("status {} instead of 200", reply.status.as_u16())));
    }
    if reply.headers.contains_key(header::CONTENT_ENCODING) {
        return Err(unreadable("the response has a Content-Encoding"));
    }
    if !reply.is_whole {
        return Err(unreadable(&format!("the response is larger than {MAX_BYTES} bytes, or truncated")));
    }
    let document = strict_json::read(&reply.body).map_err(|why| unreadable(&why))?;
    ClientMetadataDocument::read(url, &document, &world.settings.reserved_names)
        .map_err(|error| ClientProblem::Unknown(error.to_string()))
}

struct StoreDocument(AssistantClient);

op! { Op "cache_client_document": StoreDocument -> () = |op, c| assistant_clients::cache_document(c, &op.0) }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_of_an_authority_excludes_the_port() {
        for (authority, expected) in [
            ("a.example", "a.example"),
            ("a.example:1", "a.example"),
            ("[::1]", "[::1]"),
            ("[::1]:9", "[::1]"),
        ] {
            assert_eq!(host(authority), expected);
        }
    }

    #[test]
    fn an_authority_without_a_port_has_the_default_port() {
        for (authority, expected) in [
            ("a.example", "a.example:443"),
            ("a.example:1", "a.example:1"),
            ("[::1]", "[::1]:443"),
            ("[::1]:9", "[::1]:9"),
        ] {
            assert_eq!(with_port(authority), expected);
        }
    }
}
