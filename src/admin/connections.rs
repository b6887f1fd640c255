//! Handlers for the connections of employees, for the list of all assistant clients, and for the clients that a company
//! blocks.

use super::{Admin, DONE, parse_workspace};
use crate::{
    api::same_variants,
    contract::{Nullable, OperationError},
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
    service::{
        callers::Caller,
        oauth::{
            client_blocks::ClientBlockView,
            client_list::ListedClient,
            connections::{ConnectionFilter, ListedConnection},
        },
        paging::PageRequest,
    },
};

impl From<ClientBlockView> for types::ClientBlock {
    fn from(block: ClientBlockView) -> Self {
        let ClientBlockView { key, display_name, created_at } = block;
        Self { key, display_name: Nullable(display_name), created_at }
    }
}

impl From<ClientKind> for types::ClientKind {
    fn from(kind: ClientKind) -> Self {
        match kind {
            ClientKind::Registered => Self::Registered,
            ClientKind::Document => Self::MetadataDocument,
        }
    }
}

same_variants! {
    EndReason => types::RevokeReason {
        Employee, Admin, ClientBlocked, AssistantsOff, UserDeactivated, UserRemoved, LoggedOut, NotEmployee,
        Replaced, RefreshExpired, SessionExpired, Client, CodeReused, RefreshReused
    }
}

fn wire_connection(connection: ListedConnection, mcp_url: &str) -> types::Connection {
    let ended = connection.ended;
    types::Connection {
        id: connection.id.encode(),
        user_id: connection.user_id.encode(),
        client_id: connection.client_id,
        client_kind: connection.client_kind.into(),
        display_name: connection.display_name,
        block_key: connection.block_key,
        redirect_uri: connection.redirect_uri,
        resource: connection.resource.url(mcp_url),
        scope: connection.scopes.to_string(),
        created_at: connection.created_at,
        refreshed_at: Nullable(connection.refreshed_at),
        last_used_at: Nullable(connection.last_used_at),
        state: if ended.is_some() { types::ConnectionState::Revoked } else { types::ConnectionState::Active },
        reason: Nullable(ended.map(Into::into)),
    }
}

impl From<ListedClient> for types::AssistantClient {
    fn from(client: ListedClient) -> Self {
        Self {
            client_id: client.client_id,
            kind: client.kind.into(),
            display_name: client.display_name,
            block_keys: client.block_keys,
            created_at: client.created_at,
            last_used_at: Nullable(client.last_used_at),
        }
    }
}

impl ConnectionsHandlers for Admin {
    async fn list_connections(
        &self,
        caller: Caller,
        request: ListConnectionsRequest,
    ) -> Result<ListConnectionsSuccess, OperationError<ListConnectionsError>> {
        let workspace = parse_workspace(&request.workspace_id)?;
        let filter = ConnectionFilter {
            of: request.user_id.as_deref().map(UserId::parse),
            active: request.state.map(|state| state == types::ConnectionState::Active),
        };
        let page = PageRequest { limit: request.limit, cursor: request.cursor.as_deref() };
        let page = caller.in_company(workspace)?.list_connections(filter, page).await?;
        let mcp_url = &self.world.settings.mcp_url;
        Ok(ListConnectionsSuccess::Status200(types::ConnectionPage {
            ok: types::True,
            connections: page.items.into_iter().map(|listed| wire_connection(listed, mcp_url)).collect(),
            next_cursor: Nullable(page.next_cursor),
        }))
    }

    async fn delete_connection(
        &self,
        caller: Caller,
        request: DeleteConnectionRequest,
    ) -> Result<DeleteConnectionSuccess, OperationError<DeleteConnectionError>> {
        caller.disconnect(ConnectionId::parse(&request.connection_id)).await?;
        Ok(DONE.into())
    }
}

impl AssistantsHandlers for Admin {
    async fn list_client_blocks(
        &self,
        caller: Caller,
        request: ListClientBlocksRequest,
    ) -> Result<ListClientBlocksSuccess, OperationError<ListClientBlocksError>> {
        let workspace = parse_workspace(&request.workspace_id)?;
        let page = PageRequest { limit: request.limit, cursor: request.cursor.as_deref() };
        let page = caller.admin_of(workspace)?.list_client_blocks(page).await?;
        Ok(ListClientBlocksSuccess::Status200(types::ClientBlockPage {
            ok: types::True,
            client_blocks: page.items.into_iter().map(Into::into).collect(),
            next_cursor: Nullable(page.next_cursor),
        }))
    }

    async fn put_client_block(
        &self,
        caller: Caller,
        request: PutClientBlockRequest,
    ) -> Result<PutClientBlockSuccess, OperationError<PutClientBlockError>> {
        let workspace = parse_workspace(&request.workspace_id)?;
        let revoked = caller.admin_of(workspace)?.block_client(request.key).await?;
        let revoked = i64::try_from(revoked).unwrap_or(i64::MAX);
        Ok(types::ClientBlocked { ok: types::True, revoked }.into())
    }

    async fn delete_client_block(
        &self,
        caller: Caller,
        request: DeleteClientBlockRequest,
    ) -> Result<DeleteClientBlockSuccess, OperationError<DeleteClientBlockError>> {
        let workspace = parse_workspace(&request.workspace_id)?;
        caller.admin_of(workspace)?.unblock_client(request.key).await?;
        Ok(DONE.into())
    }

    async fn list_assistant_clients(
        &self,
        caller: Caller,
        request: ListAssistantClientsRequest,
    ) -> Result<ListAssistantClientsSuccess, OperationError<ListAssistantClientsError>> {
        let page = PageRequest { limit: request.limit, cursor: request.cursor.as_deref() };
        let page = caller.operator()?.list_assistant_clients(page).await?;
        Ok(ListAssistantClientsSuccess::Status200(types::AssistantClientPage {
            ok: types::True,
            assistant_clients: page.items.into_iter().map(Into::into).collect(),
            next_cursor: Nullable(page.next_cursor),
        }))
    }
}
