//! Assistants that employees have connected, their clients, and the clients a company blocks.

use super::{Admin, DONE, page_request, parse_workspace};
use crate::{
    contract::{Nullable, Problem},
    domain::{
        grant::{ClientKind, EndReason},
        ids::{ConnectionId, UserId},
    },
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
        assistants::{
            connections::{ConnectionFilter, Listed},
            listing::ListedClient,
        },
        principal::Principal,
    },
};

fn wire_block(block: ClientBlock) -> types::ClientBlock {
    let ClientBlock { key, display_name, created_at, .. } = block;
    types::ClientBlock { key, display_name: Nullable(display_name), created_at }
}

const fn wire_kind(kind: ClientKind) -> types::ClientKind {
    match kind {
        ClientKind::Registered => types::ClientKind::Registered,
        ClientKind::Document => types::ClientKind::MetadataDocument,
    }
}

const fn wire_reason(reason: EndReason) -> types::RevokeReason {
    use types::RevokeReason as Wire;
    match reason {
        EndReason::Employee => Wire::Employee,
        EndReason::Admin => Wire::Admin,
        EndReason::ClientBlocked => Wire::ClientBlocked,
        EndReason::AssistantsOff => Wire::AssistantsOff,
        EndReason::UserDeactivated => Wire::UserDeactivated,
        EndReason::UserRemoved => Wire::UserRemoved,
        EndReason::LoggedOut => Wire::LoggedOut,
        EndReason::NotEmployee => Wire::NotEmployee,
        EndReason::Replaced => Wire::Replaced,
        EndReason::RefreshExpired => Wire::RefreshExpired,
        EndReason::SessionExpired => Wire::SessionExpired,
        EndReason::Client => Wire::Client,
        EndReason::CodeReused => Wire::CodeReused,
        EndReason::RefreshReused => Wire::RefreshReused,
    }
}

fn wire_connection(listed: Listed, mcp_url: &str) -> types::Connection {
    let Listed { connection, ended } = listed;
    types::Connection {
        id: connection.id.encode(),
        user_id: connection.user_id.encode(),
        client_id: connection.client_id,
        client_kind: wire_kind(connection.client_kind),
        display_name: connection.display_name,
        block_key: connection.block_key,
        redirect_uri: connection.redirect_uri,
        resource: connection.resource.url(mcp_url),
        scope: connection.scopes.to_string(),
        created_at: connection.created_at,
        refreshed_at: Nullable(connection.refreshed_at),
        last_used_at: Nullable(connection.last_used_at),
        state: if ended.is_some() { types::ConnectionState::Revoked } else { types::ConnectionState::Active },
        reason: Nullable(ended.map(wire_reason)),
    }
}

fn wire_client(client: ListedClient) -> types::AssistantClient {
    types::AssistantClient {
        client_id: client.client_id,
        kind: wire_kind(client.kind),
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
        let filter = ConnectionFilter {
            of: request.user_id.as_deref().map(UserId::parse),
            active: request.state.map(|state| state == types::ConnectionState::Active),
        };
        let page = page_request(request.limit, request.cursor.as_ref());
        let page = self.world.list_connections(&caller, workspace, filter, page).await?;
        let mcp_url = &self.world.settings.mcp_url;
        Ok(ListConnectionsSuccess::Status200(types::ConnectionPage {
            ok: types::True,
            connections: page.items.into_iter().map(|listed| wire_connection(listed, mcp_url)).collect(),
            next_cursor: Nullable(page.next_cursor),
        }))
    }

    async fn delete_connection(
        &self,
        caller: Principal,
        request: DeleteConnectionRequest,
    ) -> Result<DeleteConnectionSuccess, Problem<DeleteConnectionError>> {
        self.world.disconnect(&caller, ConnectionId::parse(&request.connection_id)).await?;
        Ok(DONE.into())
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
        let revoked = self.world.block_client(&caller, workspace, request.key).await?;
        let revoked = i64::try_from(revoked).unwrap_or(i64::MAX);
        Ok(types::ClientBlocked { ok: types::True, revoked }.into())
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
