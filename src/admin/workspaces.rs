//! Companies and their settings.

use super::{Admin, change, page_request, value};
use crate::{
    contract::{Nullable, Problem},
    domain::{ids::WorkspaceId, refusal::Code},
    generated::admin::{
        CreateWorkspaceError, CreateWorkspaceRequest, CreateWorkspaceSuccess, GetWorkspaceError,
        GetWorkspaceRequest, GetWorkspaceSuccess, ListWorkspacesError, ListWorkspacesRequest,
        ListWorkspacesSuccess, UpdateWorkspaceError, UpdateWorkspaceRequest, UpdateWorkspaceSuccess,
        WorkspacesHandlers, types,
    },
    store::workspaces::Workspace,
    workspace::{
        companies::{CompanyChange, NewCompany},
        principal::Principal,
    },
};

fn wire(company: Workspace) -> types::Workspace {
    types::Workspace {
        id: company.id.encode(),
        name: company.name,
        domain: Nullable(company.domain),
        ai_assistants: company.ai_assistants,
        max_session_hours: Nullable(company.max_session_hours),
        created_at: company.created_at,
    }
}

fn result(company: Workspace) -> types::WorkspaceResult {
    types::WorkspaceResult { ok: types::True, workspace: wire(company) }
}

fn parse(id: &str) -> Result<WorkspaceId, Code> {
    WorkspaceId::parse(id).ok_or(Code::NotFound)
}

impl WorkspacesHandlers for Admin {
    async fn create_workspace(
        &self,
        caller: Principal,
        request: CreateWorkspaceRequest,
    ) -> Result<CreateWorkspaceSuccess, Problem<CreateWorkspaceError>> {
        let types::WorkspaceCreate { name, domain } = request.body;
        let new = NewCompany { name, domain: value(domain) };
        Ok(result(self.world.create_company(&caller, new).await?).into())
    }

    async fn list_workspaces(
        &self,
        caller: Principal,
        request: ListWorkspacesRequest,
    ) -> Result<ListWorkspacesSuccess, Problem<ListWorkspacesError>> {
        let page = page_request(request.limit, request.cursor.as_ref());
        let page = self.world.list_companies(&caller, page).await?;
        Ok(ListWorkspacesSuccess::Status200(types::WorkspacePage {
            ok: types::True,
            workspaces: page.items.into_iter().map(wire).collect(),
            next_cursor: Nullable(page.next_cursor),
        }))
    }

    async fn get_workspace(
        &self,
        caller: Principal,
        request: GetWorkspaceRequest,
    ) -> Result<GetWorkspaceSuccess, Problem<GetWorkspaceError>> {
        Ok(result(self.world.company(&caller, parse(&request.workspace_id)?).await?).into())
    }

    async fn update_workspace(
        &self,
        caller: Principal,
        request: UpdateWorkspaceRequest,
    ) -> Result<UpdateWorkspaceSuccess, Problem<UpdateWorkspaceError>> {
        let types::WorkspaceUpdate { name, domain, ai_assistants, max_session_hours } = request.body;
        let domain = change(domain);
        let max_session_hours = change(max_session_hours);
        let change = CompanyChange { name, domain, ai_assistants, max_session_hours };
        let id = parse(&request.workspace_id)?;
        Ok(result(self.world.change_company(&caller, id, change).await?).into())
    }
}
