//! Assistants that employees have connected, and the clients a company blocks. No assistant can be connected to
//! this version, so the lists of connections and clients are empty.

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
    workspace::principal::Principal,
};

fn wire_block(block: ClientBlock) -> types::ClientBlock {
    types::ClientBlock { key: block.key, display_name: Nullable(None), created_at: block.created_at }
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
            client_blocks: page.items.into_iter().map(wire_block).collect(),
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
        let page = self.world.list_assistant_clients(&caller, page)?;
        Ok(ListAssistantClientsSuccess::Status200(types::AssistantClientPage {
            ok: types::True,
            assistant_clients: page.items.into_iter().map(|none| match none {}).collect(),
            next_cursor: Nullable(page.next_cursor),
        }))
    }
}
