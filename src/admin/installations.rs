//! Handlers for the installations of apps in a company.

use super::{Admin, DONE, apps::read_scopes, parse_workspace};
use crate::{
    contract::{Nullable, OperationError},
    domain::{
        ids::{AppId, InstallationId, UserId},
        installation::DisconnectReason,
    },
    generated::admin::{
        CreateInstallationError, CreateInstallationRequest, CreateInstallationSuccess,
        DeleteInstallationError, DeleteInstallationRequest, DeleteInstallationSuccess, InstallationsHandlers,
        ListInstallationsError, ListInstallationsRequest, ListInstallationsSuccess, types,
    },
    service::{
        apps::installs::{Approval, CODE_LIFE, InstallationView},
        callers::Caller,
        paging::PageRequest,
    },
};

impl From<InstallationView> for types::Installation {
    fn from(installation: InstallationView) -> Self {
        let state = if installation.connected {
            types::InstallationState::Connected
        } else {
            types::InstallationState::Disconnected
        };
        let reason = installation.reason.map(|reason| match reason {
            DisconnectReason::Admin => types::DisconnectReason::Admin,
            DisconnectReason::AppDisabled => types::DisconnectReason::AppDisabled,
            DisconnectReason::AppRevoked => types::DisconnectReason::AppRevoked,
        });
        Self {
            id: installation.id.encode(),
            app_id: installation.app_id.encode(),
            workspace_id: installation.workspace_id.encode(),
            bot_user_id: installation.bot_user_id.encode(),
            scopes: installation.scopes.iter().map(Into::into).collect(),
            state,
            reason: Nullable(reason),
            installed_by: Nullable(installation.installed_by.map(UserId::encode)),
            created_at: installation.created_at,
            disconnected_at: Nullable(installation.disconnected_at),
        }
    }
}

/// Parses the header `X-Acting-User`. Returns `None` if the header is absent, and `Some(None)` if its text is not a
/// user id.
fn acting(header: Option<String>) -> Option<Option<UserId>> {
    header.map(|id| UserId::parse(&id))
}

impl InstallationsHandlers for Admin {
    async fn create_installation(
        &self,
        caller: Caller,
        request: CreateInstallationRequest,
    ) -> Result<CreateInstallationSuccess, OperationError<CreateInstallationError>> {
        let workspace = parse_workspace(&request.workspace_id)?;
        let body = request.body;
        let approval = Approval {
            app: AppId::parse(&body.app_id),
            acting: acting(request.x_acting_user),
            scopes: body.scopes.as_deref().map(read_scopes),
            redirect_uri: body.redirect_uri,
            challenge: body.code_challenge,
        };
        let code = caller.admin_of(workspace)?.approve_app(approval).await?;
        let expires_in = i64::try_from(CODE_LIFE.as_secs()).unwrap_or(i64::MAX);
        Ok(types::InstallationCode { ok: types::True, code, expires_in }.into())
    }

    async fn list_installations(
        &self,
        caller: Caller,
        request: ListInstallationsRequest,
    ) -> Result<ListInstallationsSuccess, OperationError<ListInstallationsError>> {
        let workspace = parse_workspace(&request.workspace_id)?;
        let page = PageRequest { limit: request.limit, cursor: request.cursor.as_deref() };
        let page = caller.admin_of(workspace)?.list_installations(page).await?;
        Ok(ListInstallationsSuccess::Status200(types::InstallationPage {
            ok: types::True,
            installations: page.items.into_iter().map(Into::into).collect(),
            next_cursor: Nullable(page.next_cursor),
        }))
    }

    async fn delete_installation(
        &self,
        caller: Caller,
        request: DeleteInstallationRequest,
    ) -> Result<DeleteInstallationSuccess, OperationError<DeleteInstallationError>> {
        let id = InstallationId::parse(&request.installation_id);
        caller.uninstall(id, acting(request.x_acting_user)).await?;
        Ok(DONE.into())
    }
}
