//! Apps installed in a company.

use super::{
    Admin, DONE,
    apps::{read_scopes, wire_scopes},
    page_request, parse_workspace,
};
use crate::{
    contract::{Nullable, Problem},
    domain::ids::{AppId, InstallationId, UserId},
    generated::admin::{
        CreateInstallationError, CreateInstallationRequest, CreateInstallationSuccess,
        DeleteInstallationError, DeleteInstallationRequest, DeleteInstallationSuccess, InstallationsHandlers,
        ListInstallationsError, ListInstallationsRequest, ListInstallationsSuccess, types,
    },
    store::apps::{Installation, Reason},
    workspace::{
        installs::{Approval, CODE_LIFE},
        principal::Principal,
    },
};

fn wire(installation: &Installation) -> types::Installation {
    let state = if installation.connected {
        types::InstallationState::Connected
    } else {
        types::InstallationState::Disconnected
    };
    let reason = installation.reason.map(|reason| match reason {
        Reason::Admin => types::DisconnectReason::Admin,
        Reason::AppDisabled => types::DisconnectReason::AppDisabled,
        Reason::AppRevoked => types::DisconnectReason::AppRevoked,
    });
    types::Installation {
        id: installation.id.encode(),
        app_id: installation.app_id.encode(),
        workspace_id: installation.workspace_id.encode(),
        bot_user_id: installation.bot_user_id.encode(),
        scopes: wire_scopes(installation.scopes),
        state,
        reason: Nullable(reason),
        installed_by: Nullable(installation.installed_by.map(UserId::encode)),
        created_at: installation.created_at,
        disconnected_at: Nullable(installation.disconnected_at),
    }
}

/// The person the operator acts for; an inner `None` is nobody.
fn acting(header: Option<String>) -> Option<Option<UserId>> {
    header.map(|id| UserId::parse(&id))
}

impl InstallationsHandlers for Admin {
    async fn create_installation(
        &self,
        caller: Principal,
        request: CreateInstallationRequest,
    ) -> Result<CreateInstallationSuccess, Problem<CreateInstallationError>> {
        let workspace = parse_workspace(&request.workspace_id)?;
        let body = request.body;
        let approval = Approval {
            app: AppId::parse(&body.app_id),
            acting: acting(request.x_acting_user),
            scopes: body.scopes.as_deref().map(read_scopes),
            redirect_uri: body.redirect_uri,
            challenge: body.code_challenge,
        };
        let code = self.world.approve_app(&caller, workspace, approval).await?;
        let expires_in = i64::try_from(CODE_LIFE.as_secs()).unwrap_or(i64::MAX);
        Ok(types::InstallationCode { ok: types::True, code, expires_in }.into())
    }

    async fn list_installations(
        &self,
        caller: Principal,
        request: ListInstallationsRequest,
    ) -> Result<ListInstallationsSuccess, Problem<ListInstallationsError>> {
        let workspace = parse_workspace(&request.workspace_id)?;
        let page = page_request(request.limit, request.cursor.as_ref());
        let page = self.world.list_installations(&caller, workspace, page).await?;
        Ok(ListInstallationsSuccess::Status200(types::InstallationPage {
            ok: types::True,
            installations: page.items.iter().map(wire).collect(),
            next_cursor: Nullable(page.next_cursor),
        }))
    }

    async fn delete_installation(
        &self,
        caller: Principal,
        request: DeleteInstallationRequest,
    ) -> Result<DeleteInstallationSuccess, Problem<DeleteInstallationError>> {
        let id = InstallationId::parse(&request.installation_id);
        self.world.uninstall(&caller, id, acting(request.x_acting_user)).await?;
        Ok(DONE.into())
    }
}
