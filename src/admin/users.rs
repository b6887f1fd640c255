//! People and bot users with everything stored about them, and the apps people block.

use super::{Admin, DONE, change, page_request, parse_workspace, value};
use crate::{
    contract::{Nullable, Problem},
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
    store::users::User,
    workspace::{
        people::{NewPerson, PersonChange},
        principal::Principal,
    },
};

fn wire(user: User) -> types::User {
    types::User {
        id: user.id.encode(),
        workspace_id: user.workspace_id.encode(),
        name: user.name,
        display_name: Nullable(user.display_name),
        email: Nullable(user.email),
        avatar_url: Nullable(user.avatar_url),
        title: Nullable(user.title),
        timezone: Nullable(user.timezone),
        state: wire_state(user.state),
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

fn result(user: User) -> types::UserResult {
    types::UserResult { ok: types::True, user: wire(user) }
}

fn wire_state(state: UserState) -> types::UserState {
    match state {
        UserState::Active => types::UserState::Active,
        UserState::Onboarding => types::UserState::Onboarding,
        UserState::Deactivated => types::UserState::Deactivated,
        UserState::Removed => types::UserState::Removed,
    }
}

fn read_state(state: types::UserState) -> UserState {
    match state {
        types::UserState::Active => UserState::Active,
        types::UserState::Onboarding => UserState::Onboarding,
        types::UserState::Deactivated => UserState::Deactivated,
        types::UserState::Removed => UserState::Removed,
    }
}

fn parse(id: &str) -> Result<UserId, Code> {
    UserId::parse(id).ok_or(Code::UserNotFound)
}

fn parse_app(id: &str) -> Result<AppId, Code> {
    AppId::parse(id).ok_or(Code::NotFound)
}

fn read_create(body: types::UserCreate) -> NewPerson {
    NewPerson {
        name: body.name,
        email: body.email,
        display_name: value(body.display_name),
        title: value(body.title),
        timezone: value(body.timezone),
        avatar_url: value(body.avatar_url),
        is_admin: body.is_admin.unwrap_or(false),
        is_external: body.is_external.unwrap_or(false),
        email_visible: body.email_visible.unwrap_or(true),
        guest_visible: body.guest_visible.unwrap_or(true),
        state: body.state.map_or(UserState::Active, read_state),
        password: body.password.map(Secret::new),
    }
}

fn read_update(body: types::UserUpdate) -> PersonChange {
    PersonChange {
        name: body.name,
        email: body.email,
        display_name: change(body.display_name),
        title: change(body.title),
        timezone: change(body.timezone),
        avatar_url: change(body.avatar_url),
        is_admin: body.is_admin,
        is_external: body.is_external,
        email_visible: body.email_visible,
        guest_visible: body.guest_visible,
        password: body.password.map(Secret::new),
    }
}

impl UsersHandlers for Admin {
    async fn create_user(
        &self,
        caller: Principal,
        request: CreateUserRequest,
    ) -> Result<CreateUserSuccess, Problem<CreateUserError>> {
        let workspace = parse_workspace(&request.workspace_id)?;
        let new = read_create(request.body);
        Ok(result(self.world.create_person(&caller, workspace, new).await?).into())
    }

    async fn list_users(
        &self,
        caller: Principal,
        request: ListUsersRequest,
    ) -> Result<ListUsersSuccess, Problem<ListUsersError>> {
        let workspace = parse_workspace(&request.workspace_id)?;
        let page = page_request(request.limit, request.cursor.as_ref());
        let page = self.world.list_everybody(&caller, workspace, request.query.as_deref(), page).await?;
        Ok(ListUsersSuccess::Status200(types::UserPage {
            ok: types::True,
            users: page.items.into_iter().map(wire).collect(),
            next_cursor: Nullable(page.next_cursor),
        }))
    }

    async fn get_user(
        &self,
        caller: Principal,
        request: GetUserRequest,
    ) -> Result<GetUserSuccess, Problem<GetUserError>> {
        Ok(result(self.world.full_person(&caller, parse(&request.user_id)?).await?).into())
    }

    async fn update_user(
        &self,
        caller: Principal,
        request: UpdateUserRequest,
    ) -> Result<UpdateUserSuccess, Problem<UpdateUserError>> {
        let id = parse(&request.user_id)?;
        let change = read_update(request.body);
        Ok(result(self.world.change_person(&caller, id, change).await?).into())
    }

    async fn set_user_state(
        &self,
        caller: Principal,
        request: SetUserStateRequest,
    ) -> Result<SetUserStateSuccess, Problem<SetUserStateError>> {
        let id = parse(&request.user_id)?;
        let state = read_state(request.body.state);
        Ok(result(self.world.set_person_state(&caller, id, state).await?).into())
    }

    async fn logout_user(
        &self,
        caller: Principal,
        request: LogoutUserRequest,
    ) -> Result<LogoutUserSuccess, Problem<LogoutUserError>> {
        self.world.log_person_out(&caller, parse(&request.user_id)?).await?;
        Ok(DONE.into())
    }

    async fn block_app(
        &self,
        caller: Principal,
        request: BlockAppRequest,
    ) -> Result<BlockAppSuccess, Problem<BlockAppError>> {
        let (id, app) = (parse(&request.user_id)?, parse_app(&request.app_id)?);
        self.world.block_app(&caller, id, app).await?;
        Ok(DONE.into())
    }

    async fn unblock_app(
        &self,
        caller: Principal,
        request: UnblockAppRequest,
    ) -> Result<UnblockAppSuccess, Problem<UnblockAppError>> {
        let (id, app) = (parse(&request.user_id)?, parse_app(&request.app_id)?);
        self.world.unblock_app(&caller, id, app).await?;
        Ok(DONE.into())
    }
}
