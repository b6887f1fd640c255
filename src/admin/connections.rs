//! Assistants that employees have connected, their clients, and the clients a company blocks. No assistant can be
//! connected to this version, so the list of connections is empty.

use super::{Admin, DONE, page_request, parse_workspace};
use crate::{
    contract::{Nullable, Problem},
    domain::{ids::UserId, refusal::Code},
    generated::admin::{
        AssistantsHandlers, ConnectionsHandlers, DeleteClientBlockError, DeleteClientBlockRequest,
        DeleteClientBlockSuccess, DeleteConnectionError, DeleteConnectionRequest, DeleteConnectionSuccess,
        ListAssistantClientsError, ListAssistantClientsRequest, ListAssistantClientsSuccess,
        ListClientBlocksError, ListClientBlocksRequest, ListClientBlocksSuccess, ListConnectionsError,
        ListConnectionsRequest, ListConnectionsSuccess, PutClientBlockError, PutClientBlockRequest,
        PutClientBlockSuccess, types,
    },
    store::client_blocks::ClientBlock,
    workspace::{
        assistants::{clients::ClientKind, listing::ListedClient},
        principal::Principal,
    },
};

impl Admin {
    fn wire_block(&self, block: ClientBlock) -> types::ClientBlock {
        let name = self.world.settings.well_known_clients.of_key(&block.key).map(str::to_owned);
        types::ClientBlock { key: block.key, display_name: Nullable(name), created_at: block.created_at }
    }
}

fn wire_client(client: ListedClient) -> types::AssistantClient {
    types::AssistantClient {
        client_id: client.client_id,
        kind: match client.kind {
            ClientKind::Registered => types::ClientKind::Registered,
            ClientKind::Document => types::ClientKind::MetadataDocument,
        },
        display_name: client.display_name,
        block_keys: client.block_keys,
        created_at: client.created_at,
        last_used_at: Nullable(client.last_used_at),
    }
}

impl ConnectionsHandlers for Admin {
    async fn list_connections(
        &self,
        caller: Principal,
        request: ListConnectionsRequest,
    ) -> Result<ListConnectionsSuccess, Problem<ListConnectionsError>> {
        let workspace = parse_workspace(&request.workspace_id)?;
        let of = request.user_id.as_deref().map(UserId::parse);
        let page = page_request(request.limit, request.cursor.as_ref());
        let page = self.world.list_connections(&caller, workspace, of, page).await?;
        Ok(ListConnectionsSuccess::Status200(types::ConnectionPage {
            ok: types::True,
            connections: page.items.into_iter().map(|none| match none {}).collect(),
            next_cursor: Nullable(page.next_cursor),
        }))
    }

    async fn delete_connection(
        &self,
        _: Principal,
        _: DeleteConnectionRequest,
    ) -> Result<DeleteConnectionSuccess, Problem<DeleteConnectionError>> {
        Err(Code::NotFound.into())
    }
}

impl AssistantsHandlers for Admin {
    async fn list_client_blocks(
        &self,
        caller: Principal,
        request: ListClientBlocksRequest,
    ) -> Result<ListClientBlocksSuccess, Problem<ListClientBlocksError>> {
        let workspace = parse_workspace(&request.workspace_id)?;
        let page = page_request(request.limit, request.cursor.as_ref());
        let page = self.world.list_client_blocks(&caller, workspace, page).await?;
        Ok(ListClientBlocksSuccess::Status200(types::ClientBlockPage {
            ok: types::True,
            client_blocks: page.items.into_iter().map(|block| self.wire_block(block)).collect(),
            next_cursor: Nullable(page.next_cursor),
        }))
    }

    async fn put_client_block(
        &self,
        caller: Principal,
        request: PutClientBlockRequest,
    ) -> Result<PutClientBlockSuccess, Problem<PutClientBlockError>> {
        let workspace = parse_workspace(&request.workspace_id)?;
        self.world.block_client(&caller, workspace, request.key).await?;
        Ok(types::ClientBlocked { ok: types::True, revoked: 0 }.into())
    }

    async fn delete_client_block(
        &self,
        caller: Principal,
        request: DeleteClientBlockRequest,
    ) -> Result<DeleteClientBlockSuccess, Problem<DeleteClientBlockError>> {
        let workspace = parse_workspace(&request.workspace_id)?;
        self.world.unblock_client(&caller, workspace, request.key).await?;
        Ok(DONE.into())
    }

    async fn list_assistant_clients(
        &self,
        caller: Principal,
        request: ListAssistantClientsRequest,
    ) -> Result<ListAssistantClientsSuccess, Problem<ListAssistantClientsError>> {
        let page = page_request(request.limit, request.cursor.as_ref());
        let page = self.world.list_assistant_clients(&caller, page).await?;
        Ok(ListAssistantClientsSuccess::Status200(types::AssistantClientPage {
            ok: types::True,
            assistant_clients: page.items.into_iter().map(wire_client).collect(),
            next_cursor: Nullable(page.next_cursor),
        }))
    }
}
