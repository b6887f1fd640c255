//! Metadata documents of clients (Client ID Metadata Documents): read from the client's host, kept as long as they
//! may be, and read by one request for all that wait for the same one.
//!
//! Only `/authorize` reads documents; tokens are exchanged whether a client's host answers or not (D-215).

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
    time::Duration,
};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use parking_lot::Mutex;
use serde_json::Value;
use tokio::sync::{OnceCell, Semaphore};

use super::clients::{ClientProblem, FindAssistantClient};
use crate::{
    domain::{
        assistant::{
            client_id,
            document::{Document, kept_seconds},
        },
        redirect::WebUri,
        strict,
    },
    platform::{
        limits::{DOCUMENT, DOCUMENT_HOST, Key},
        outbound::{Failure, NoReply, Outbound, Outgoing, Patience, Reply},
    },
    store::{
        Op, Result, Sql,
        assistant_clients::{self, AssistantClient},
    },
    workspace::World,
};

/// For the whole fetch, the wait for a free place included.
const PATIENCE: Duration = Duration::from_secs(3);
/// Most bytes of a document.
const MAX_BYTES: usize = 10 * 1024;
/// Fetches at the same time (D-214).
const AT_ONCE: usize = 10;

/// What is known of a document.
enum Kept {
    /// What it says, which may be relied on for now.
    Fresh(Document),
    /// It was good; to be fetched again.
    Stale,
    /// Nothing.
    Never,
}

/// What a fetch came to, for all who waited for it.
type Outcome = std::result::Result<Document, ClientProblem>;
type Flight = OnceCell<Result<Outcome>>;

/// The fetches that are under way.
pub struct Documents {
    outbound: Outbound,
    flights: Mutex<HashMap<String, Weak<Flight>>>,
    places: Semaphore,
}

impl Documents {
    /// Reads documents with these requests.
    #[must_use]
    pub fn new(outbound: Outbound) -> Self {
        Self { outbound, flights: Mutex::default(), places: Semaphore::new(AT_ONCE) }
    }

    /// How many requests wait for the document at a URL.
    #[must_use]
    pub fn waiting(&self, url: &str) -> usize {
        self.flights.lock().get(url).map_or(0, Weak::strong_count)
    }

    /// The fetch of a URL that is under way, or a new one.
    fn board(&self, url: &str) -> Boarded<'_> {
        let mut flights = self.flights.lock();
        let flight = flights.get(url).and_then(Weak::upgrade).unwrap_or_else(|| {
            let flight = Arc::new(Flight::new());
            flights.insert(url.to_owned(), Arc::downgrade(&flight));
            flight
        });
        Boarded { documents: self, url: url.to_owned(), flight }
    }
}

/// A seat on a fetch; the last to leave, by whatever way, takes it off the list, so that no outcome is kept.
struct Boarded<'a> {
    documents: &'a Documents,
    url: String,
    flight: Arc<Flight>,
}

impl Drop for Boarded<'_> {
    fn drop(&mut self) {
        let mut flights = self.documents.flights.lock();
        if Arc::strong_count(&self.flight) == 1 {
            flights.remove(&self.url);
        }
    }
}

impl World {
    /// What the document at a client id says.
    ///
    /// # Errors
    /// Those of the store. What is wrong with the document is the inner [`ClientProblem`].
    pub(super) async fn client_document(&self, url: &str, parts: &WebUri<'_>) -> Result<Outcome> {
        let authority = client_id::authority(parts);
        if self.is_own(&authority) {
            return Ok(unknown("The client id is a URL of this server."));
        }
        if let Kept::Fresh(kept) = self.kept_document(url).await? {
            return Ok(Ok(kept));
        }
        let boarded = self.documents.board(url);
        boarded.flight.get_or_init(|| self.fetch(url, &authority)).await.clone()
    }

    /// A server that vouches for a client by its own documents would vouch for everybody (D-221). Another port of
    /// the host counts as this server too, except where the operator made an exemption.
    fn is_own(&self, authority: &str) -> bool {
        let settings = &self.settings;
        let is_exempt = settings.allow_private_hosts.iter().any(|exempt| exempt == authority);
        let own = [&settings.mcp_url, &settings.base_url];
        let mut own = own.into_iter().filter_map(|url| WebUri::parse(url).ok());
        own.any(|own| {
            let own = client_id::authority(&own);
            own == authority || !is_exempt && host(&own) == host(authority)
        })
    }

    async fn kept_document(&self, url: &str) -> Result<Kept> {
        let found = self.db.read(FindAssistantClient(url.to_owned())).await?;
        let Some(kept) = found.filter(|client| !client.is_registered) else { return Ok(Kept::Never) };
        if kept.expires_at <= self.clock.now() {
            return Ok(Kept::Stale);
        }
        Ok(Kept::Fresh(Document {
            redirect_uris: kept.redirect_uris()?,
            client_name: kept.client_name,
            is_public: kept.is_public,
        }))
    }

    /// Takes one fetch of a document from what its URL and its host may have; the seconds to wait where there is none.
    /// Every attempt counts (D-213), and one that is refused uses up nothing of the other count.
    ///
    /// A document that was good is not counted to its host: strangers who ask for URLs that do not exist there would
    /// keep it out.
    async fn take_fetch(&self, url: &str, authority: &str, was_good: bool) -> std::result::Result<(), u32> {
        let now = self.clock.now();
        let of_url = Key::texts("client_document", &[url]);
        let mut decision = self.limits.peek_exact(DOCUMENT, of_url, now).await;
        if decision.allowed() && !was_good {
            let of_host = Key::texts("client_document_host", &[authority]);
            decision = self.limits.check_exact(DOCUMENT_HOST, of_host, now).await;
        }
        if decision.allowed() {
            decision = self.limits.check_exact(DOCUMENT, of_url, now).await;
        }
        decision.retry_after().map_or(Ok(()), Err)
    }

    /// Reads a document and keeps it if it is good.
    async fn fetch(&self, url: &str, authority: &str) -> Result<Outcome> {
        let was_good = match self.kept_document(url).await? {
            // somebody else's fetch may have ended between the look and the seat
            Kept::Fresh(kept) => return Ok(Ok(kept)),
            Kept::Stale => true,
            Kept::Never => false,
        };
        if let Err(retry_after) = self.take_fetch(url, authority, was_good).await {
            return Ok(Err(ClientProblem::TooManyFetches { retry_after }));
        }
        let answered = tokio::select! {
            biased;
            answered = self.ask(url) => answered,
            () = self.clock.pass(PATIENCE) => Err(Failure::Timeout),
        };
        let reply = match answered {
            Ok(reply) => reply,
            Err(why) => {
                tracing::info!(%authority, %why, "a metadata document was not fetched");
                return Ok(Err(ClientProblem::Unreached(why)));
            }
        };
        let document = match read(url, &reply, self) {
            Ok(document) => document,
            Err(why) => return Ok(unknown(why)),
        };
        let at = self.stamp();
        let directives = reply.headers.get_all(header::CACHE_CONTROL).iter();
        let kept = kept_seconds(directives.filter_map(|value| value.to_str().ok()));
        let client = AssistantClient {
            id: at.id()?,
            client_id: url.to_owned(),
            is_registered: false,
            client_name: document.client_name.clone(),
            redirect_uris: Value::from(document.redirect_uris.clone()).to_string(),
            is_public: document.is_public,
            secret_hash: None,
            metadata: None,
            created_at: at.now,
            expires_at: at.now + Duration::from_secs(kept),
            connected_at: None,
            last_used_at: None,
        };
        self.db.write(KeepDocument(client)).await?;
        Ok(Ok(document))
    }

    async fn ask(&self, url: &str) -> std::result::Result<Reply, Failure> {
        let Ok(_place) = self.documents.places.acquire().await else {
            return Err(Failure::Closed);
        };
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        headers.insert(header::USER_AGENT, HeaderValue::from_static("switchboard-clients/1"));
        let request = Outgoing { method: Method::GET, url: url.to_owned(), headers, body: Bytes::new() };
        let patience = Patience { head: PATIENCE, body: PATIENCE, most: MAX_BYTES };
        self.documents.outbound.send(request, patience).await.map_err(|NoReply { why, .. }| why)
    }
}

fn host(authority: &str) -> &str {
    let end = authority.rfind(']').map_or(0, |end| end + 1);
    authority[end..].find(':').map_or(authority, |colon| &authority[..end + colon])
}

fn unknown(why: impl Into<String>) -> Outcome {
    Err(ClientProblem::Unknown(why.into()))
}

/// What the answer of a client's host says, or a sentence about what is wrong with it.
fn read(url: &str, reply: &Reply, world: &World) -> std::result::Result<Document, String> {
    if reply.status != StatusCode::OK {
        return Err(format!(
            "The client's host answered {} instead of 200 for the metadata document.",
            reply.status.as_u16()
        ));
    }
    if reply.headers.contains_key(header::CONTENT_ENCODING) {
        return Err("The client's metadata document came with a content coding.".to_owned());
    }
    if !reply.is_whole {
        return Err(format!("The client's metadata document is over {MAX_BYTES} bytes or broke off."));
    }
    let document = strict::read(&reply.body)
        .map_err(|_| "The client's metadata document is not JSON, or names a member twice.".to_owned())?;
    Document::read(url, &document, &world.settings.reserved_names).map_err(|fault| fault.to_string())
}

struct KeepDocument(AssistantClient);

impl Op for KeepDocument {
    const NAME: &'static str = "keep_client_document";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        assistant_clients::keep_document(c, &self.0).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_authorities() {
        for (authority, expected) in [
            ("a.example", "a.example"),
            ("a.example:1", "a.example"),
            ("[::1]", "[::1]"),
            ("[::1]:9", "[::1]"),
        ] {
            assert_eq!(host(authority), expected);
        }
    }
}
