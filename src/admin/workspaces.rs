//! Handlers for companies and their settings.

use super::{Admin, change, value};
use crate::{
    contract::{Nullable, OperationError},
    domain::{assistant::sending::AssistantSends, ids::WorkspaceId, refusal::Code},
    generated::admin::{
        CreateWorkspaceError, CreateWorkspaceRequest, CreateWorkspaceSuccess, GetWorkspaceError,
        GetWorkspaceRequest, GetWorkspaceSuccess, ListWorkspacesError, ListWorkspacesRequest,
        ListWorkspacesSuccess, UpdateWorkspaceError, UpdateWorkspaceRequest, UpdateWorkspaceSuccess,
        WorkspacesHandlers, types,
    },
    service::{
        callers::Caller,
        companies::{CompanyChange, CompanyView, NewCompany},
        paging::PageRequest,
    },
};

impl From<CompanyView> for types::Workspace {
    fn from(company: CompanyView) -> Self {
        Self {
            id: company.id.encode(),
            name: company.name,
            domain: Nullable(company.domain),
            ai_assistants: company.ai_assistants,
            max_session_hours: Nullable(company.max_session_hours),
            assistant_sends: company.assistant_sends.into(),
            created_at: company.created_at,
        }
    }
}

impl From<AssistantSends> for types::AssistantSendsValue {
    fn from(sends: AssistantSends) -> Self {
        match sends {
            AssistantSends::Direct => Self::Direct,
            AssistantSends::Confirm => Self::Confirm,
        }
    }
}

fn read_sends(sends: types::AssistantSends) -> AssistantSends {
    match sends {
        types::AssistantSends::Direct => AssistantSends::Direct,
        types::AssistantSends::Confirm => AssistantSends::Confirm,
    }
}

fn result(company: CompanyView) -> types::WorkspaceResult {
    types::WorkspaceResult { ok: types::True, workspace: company.into(), file_usage: None }
}

fn parse(id: &str) -> Result<WorkspaceId, Code> {
    WorkspaceId::parse(id).ok_or(Code::NotFound)
}

impl WorkspacesHandlers for Admin {
    async fn create_workspace(
        &self,
        caller: Caller,
        request: CreateWorkspaceRequest,
    ) -> Result<CreateWorkspaceSuccess, OperationError<CreateWorkspaceError>> {
        let types::WorkspaceCreate { name, domain } = request.body;
        let new = NewCompany { name, domain: value(domain) };
        Ok(result(caller.operator()?.create_company(new).await?).into())
    }

    async fn list_workspaces(
        &self,
        caller: Caller,
        request: ListWorkspacesRequest,
    ) -> Result<ListWorkspacesSuccess, OperationError<ListWorkspacesError>> {
        let page = PageRequest { limit: request.limit, cursor: request.cursor.as_deref() };
        let page = caller.operator()?.list_companies(page).await?;
        Ok(ListWorkspacesSuccess::Status200(types::WorkspacePage {
            ok: types::True,
            workspaces: page.items.into_iter().map(Into::into).collect(),
            next_cursor: Nullable(page.next_cursor),
        }))
    }

    async fn get_workspace(
        &self,
        caller: Caller,
        request: GetWorkspaceRequest,
    ) -> Result<GetWorkspaceSuccess, OperationError<GetWorkspaceError>> {
        let id = parse(&request.workspace_id)?;
        let admin = caller.admin_of(id)?;
        let company = admin.company().await?;
        let usage = admin.company_usage().await?.into();
        Ok(types::WorkspaceResult { file_usage: Some(usage), ..result(company) }.into())
    }

    async fn update_workspace(
        &self,
        caller: Caller,
        request: UpdateWorkspaceRequest,
    ) -> Result<UpdateWorkspaceSuccess, OperationError<UpdateWorkspaceError>> {
        let types::WorkspaceUpdate { name, domain, ai_assistants, max_session_hours, assistant_sends } =
            request.body;
        let domain = change(domain);
        let max_session_hours = change(max_session_hours);
        let assistant_sends = assistant_sends.map(read_sends);
        let expected = None;
        let change =
            CompanyChange { name, domain, ai_assistants, max_session_hours, assistant_sends, expected };
        let id = parse(&request.workspace_id)?;
        Ok(result(caller.admin_of(id)?.change_company(change).await?).into())
    }
}
