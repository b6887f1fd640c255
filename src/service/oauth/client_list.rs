//! Lists the OAuth clients of assistants, for the operator (W-43).

use crate::{
    domain::{
        assistant::{client_id, hosts, keys, redirect::Redirect},
        cursor::CursorScope,
        time::Timestamp,
    },
    service::{
        World,
        callers::Operator,
        paging::{Page, PageRequest},
    },
    store::{
        Result,
        assistant_clients::{self, AssistantClient},
        op,
    },
};

use super::clients::ClientKind;

/// A client as listed for the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedClient {
    id: i64,
    pub client_id: String,
    pub kind: ClientKind,
    pub display_name: String,
    /// The block keys.
    ///
    /// - A registered client has one, or none if one of its redirect URIs is no longer valid.
    /// - A client with a metadata document has up to two: one for its `https` redirect URIs, and one for its other
    ///   redirect URIs. Invalid redirect URIs have no key, and a key of more than 255 characters is omitted.
    pub block_keys: Vec<String>,
    /// When the client was registered, or when its metadata document was first fetched.
    pub created_at: Timestamp,
    /// When a connection of the client was last completed or refreshed. This time can be up to a minute too early.
    pub last_used_at: Option<Timestamp>,
}

impl Operator<'_> {
    /// Lists every client that has ever completed a connection, and every other client that has not expired. A client
    /// with a metadata document expires with its cached document. The oldest client is first.
    ///
    /// # Errors
    /// `invalid_cursor`.
    pub async fn list_assistant_clients(self, request: PageRequest<'_>) -> Result<Page<ListedClient>> {
        let scope = CursorScope {
            endpoint: "admin.assistant_clients",
            owner: self.caller().cursor_owner(),
            conversation: None,
            filter: "",
        };
        let after = self.world().position(&scope, request.cursor, 0)?;
        let op = ListAssistantClients {
            after,
            now: self.world().clock.now(),
            limit: i64::from(request.limit) + 1,
        };
        let found = self.world().db.read(op).await?;
        let listed =
            found.into_iter().map(|client| self.world().listed(client)).collect::<Result<Vec<_>>>()?;
        Ok(self.world().page(&scope, request.limit, listed, |client| client.id))
    }
}

impl World {
    fn listed(&self, client: AssistantClient) -> Result<ListedClient> {
        let uris = client.redirect_uris()?;
        let names = &self.settings.well_known_clients;
        let (kind, display_name, block_keys) = if client.is_registered {
            let name = client.client_name.as_deref().unwrap_or_default();
            // without a valid set of redirect URIs, a client cannot request a connection, so it needs no block key
            let combination = self.combination(&uris);
            let display = combination
                .as_ref()
                .map_or_else(|| name.to_owned(), |combination| names.of_registered(combination, name));
            let keys =
                combination.iter().map(|combination| keys::registered_key(combination, name)).collect();
            (ClientKind::Registered, display, keys)
        } else {
            let host = client_id::parse(&client.client_id).map(|url| hosts::normal_host(url.host));
            let host = host.unwrap_or_default();
            let redirects =
                uris.iter().filter_map(|uri| Redirect::parse(uri, &self.settings.editor_schemes).ok());
            let mut keys: Vec<_> =
                redirects.filter_map(|redirect| keys::document_key(&host, redirect.kind)).collect();
            keys.sort();
            keys.dedup();
            (ClientKind::Document, names.of_document(&host, client.client_name.as_deref()), keys)
        };
        Ok(ListedClient {
            id: client.id,
            client_id: client.client_id,
            kind,
            display_name,
            block_keys,
            created_at: client.created_at,
            last_used_at: client.last_used_at,
        })
    }
}

struct ListAssistantClients {
    after: i64,
    now: Timestamp,
    limit: i64,
}

op! {
    ReadOp "list_assistant_clients": ListAssistantClients -> Vec<AssistantClient> =
        |op, c| assistant_clients::page(c, op.after, op.now, op.limit)
}
