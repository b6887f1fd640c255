//! Handlers for users, and for the apps that users block.

use super::{Admin, DONE, change, parse_workspace, value};
use crate::{
    api::same_variants,
    contract::{Nullable, OperationError},
    domain::{
        ids::{AppId, UserId},
        people::UserState,
        refusal::Code,
    },
    generated::admin::{
        BlockAppError, BlockAppRequest, BlockAppSuccess, CreateUserError, CreateUserRequest,
        CreateUserSuccess, GetUserError, GetUserRequest, GetUserSuccess, ListUsersError, ListUsersRequest,
        ListUsersSuccess, LogoutUserError, LogoutUserRequest, LogoutUserSuccess, SetUserStateError,
        SetUserStateRequest, SetUserStateSuccess, UnblockAppError, UnblockAppRequest, UnblockAppSuccess,
        UpdateUserError, UpdateUserRequest, UpdateUserSuccess, UsersHandlers, types,
    },
    platform::secrets::Secret,
    service::{
        callers::Caller,
        paging::PageRequest,
        people::{NewPerson, PersonChange, UserView},
    },
};

impl From<UserView> for types::User {
    fn from(user: UserView) -> Self {
        Self {
            id: user.id.encode(),
            workspace_id: user.workspace_id.encode(),
            name: user.name,
            display_name: Nullable(user.display_name),
            email: Nullable(user.email),
            avatar_url: Nullable(user.avatar_url),
            title: Nullable(user.title),
            timezone: Nullable(user.timezone),
            state: user.state.into(),
            is_active: user.state.is_active(),
            is_bot: user.is_bot,
            is_admin: user.is_admin,
            is_external: user.is_external,
            email_visible: user.email_visible,
            guest_visible: user.guest_visible,
            app_id: Nullable(user.app_id.map(AppId::encode)),
            created_at: user.created_at,
        }
    }
}

fn result(user: UserView) -> types::UserResult {
    types::UserResult { ok: types::True, user: user.into(), file_usage: None }
}

same_variants! { UserState => types::UserState { Active, Onboarding, Deactivated, Removed } }
same_variants! { types::UserState => UserState { Active, Onboarding, Deactivated, Removed } }

fn parse(id: &str) -> Result<UserId, Code> {
    UserId::parse(id).ok_or(Code::UserNotFound)
}

fn parse_app(id: &str) -> Result<AppId, Code> {
    AppId::parse(id).ok_or(Code::NotFound)
}

// `read_create` and `read_update` destructure the body into all of its members. So after a new member is added to the
// OpenAPI document, these functions do not compile until they use the member.

fn read_create(body: types::UserCreate) -> NewPerson {
    let types::UserCreate {
        name,
        email,
        display_name,
        title,
        timezone,
        avatar_url,
        is_admin,
        is_external,
        email_visible,
        guest_visible,
        state,
        password,
    } = body;
    NewPerson {
        name,
        email,
        display_name: value(display_name),
        title: value(title),
        timezone: value(timezone),
        avatar_url: value(avatar_url),
        is_admin: is_admin.unwrap_or(false),
        is_external: is_external.unwrap_or(false),
        email_visible: email_visible.unwrap_or(true),
        guest_visible: guest_visible.unwrap_or(true),
        state: state.map_or(UserState::Active, UserState::from),
        password: password.map(Secret::new),
    }
}

fn read_update(body: types::UserUpdate) -> PersonChange {
    let types::UserUpdate {
        name,
        email,
        display_name,
        title,
        timezone,
        avatar_url,
        is_admin,
        is_external,
        email_visible,
        guest_visible,
        password,
        current_password,
    } = body;
    PersonChange {
        name,
        email,
        display_name: change(display_name),
        title: change(title),
        timezone: change(timezone),
        avatar_url: change(avatar_url),
        is_admin,
        is_external,
        email_visible,
        guest_visible,
        password: password.map(Secret::new),
        current_password: current_password.map(Secret::new),
    }
}

impl UsersHandlers for Admin {
    async fn create_user(
        &self,
        caller: Caller,
        request: CreateUserRequest,
    ) -> Result<CreateUserSuccess, OperationError<CreateUserError>> {
        let workspace = parse_workspace(&request.workspace_id)?;
        let new = read_create(request.body);
        Ok(result(caller.admin_of(workspace)?.create_person(new).await?).into())
    }

    async fn list_users(
        &self,
        caller: Caller,
        request: ListUsersRequest,
    ) -> Result<ListUsersSuccess, OperationError<ListUsersError>> {
        let workspace = parse_workspace(&request.workspace_id)?;
        let page = PageRequest { limit: request.limit, cursor: request.cursor.as_deref() };
        let page = caller.admin_of(workspace)?.list_everybody(request.query.as_deref(), page).await?;
        Ok(ListUsersSuccess::Status200(types::UserPage {
            ok: types::True,
            users: page.items.into_iter().map(Into::into).collect(),
            next_cursor: Nullable(page.next_cursor),
        }))
    }

    async fn get_user(
        &self,
        caller: Caller,
        request: GetUserRequest,
    ) -> Result<GetUserSuccess, OperationError<GetUserError>> {
        let id = parse(&request.user_id)?;
        let person = caller.full_person(id).await?;
        let usage = caller.person_usage(id).await?.into();
        Ok(types::UserResult { file_usage: Some(usage), ..result(person) }.into())
    }

    async fn update_user(
        &self,
        caller: Caller,
        request: UpdateUserRequest,
    ) -> Result<UpdateUserSuccess, OperationError<UpdateUserError>> {
        let id = parse(&request.user_id)?;
        let change = read_update(request.body);
        Ok(result(caller.change_person(id, change).await?).into())
    }

    async fn set_user_state(
        &self,
        caller: Caller,
        request: SetUserStateRequest,
    ) -> Result<SetUserStateSuccess, OperationError<SetUserStateError>> {
        let id = parse(&request.user_id)?;
        let state = UserState::from(request.body.state);
        Ok(result(caller.set_person_state(id, state).await?).into())
    }

    async fn logout_user(
        &self,
        caller: Caller,
        request: LogoutUserRequest,
    ) -> Result<LogoutUserSuccess, OperationError<LogoutUserError>> {
        caller.log_person_out(parse(&request.user_id)?).await?;
        Ok(DONE.into())
    }

    async fn block_app(
        &self,
        caller: Caller,
        request: BlockAppRequest,
    ) -> Result<BlockAppSuccess, OperationError<BlockAppError>> {
        let (id, app) = (parse(&request.user_id)?, parse_app(&request.app_id)?);
        caller.block_app(id, app).await?;
        Ok(DONE.into())
    }

    async fn unblock_app(
        &self,
        caller: Caller,
        request: UnblockAppRequest,
    ) -> Result<UnblockAppSuccess, OperationError<UnblockAppError>> {
        let (id, app) = (parse(&request.user_id)?, parse_app(&request.app_id)?);
        caller.unblock_app(id, app).await?;
        Ok(DONE.into())
    }
}
