//! People, and who the token belongs to.

use super::{Bot, page_request};
use crate::{
    contract::{Nullable, Problem},
    domain::ids::UserId,
    generated::bot::{
        AuthHandlers, GetUserError, GetUserRequest, GetUserSuccess, ListUsersError, ListUsersRequest,
        ListUsersSuccess, LookupUserError, LookupUserRequest, LookupUserSuccess, TestAuthError,
        TestAuthRequest, TestAuthSuccess, UsersHandlers, types,
    },
    store::users::User,
    workspace::access::{BotCaller, standing},
};

/// A person as a bot sees one.
fn wire(user: User, caller: &BotCaller) -> types::User {
    let facts = standing(&user);
    let profile = facts.shows_profile();
    types::User {
        id: user.id.encode(),
        name: user.name,
        display_name: Nullable(user.display_name),
        email: user.email.filter(|_| facts.shows_email(caller.reads_email())),
        avatar_url: Nullable(user.avatar_url.filter(|_| profile)),
        title: Nullable(user.title.filter(|_| profile)),
        timezone: Nullable(user.timezone.filter(|_| profile)),
        is_active: user.state.is_active(),
        is_bot: user.is_bot,
        is_admin: user.is_admin,
        is_external: user.is_external,
    }
}

impl UsersHandlers for Bot {
    async fn list_users(
        &self,
        caller: BotCaller,
        request: ListUsersRequest,
    ) -> Result<ListUsersSuccess, Problem<ListUsersError>> {
        let page = page_request(request.limit, request.cursor.as_ref());
        let page = self.world.list_people(caller, page).await?;
        Ok(types::UserPage {
            ok: types::True,
            users: page.items.into_iter().map(|user| wire(user, &caller)).collect(),
            next_cursor: Nullable(page.next_cursor),
        }
        .into())
    }

    async fn get_user(
        &self,
        caller: BotCaller,
        request: GetUserRequest,
    ) -> Result<GetUserSuccess, Problem<GetUserError>> {
        let user = self.world.person(caller, UserId::parse(&request.id)).await?;
        Ok(types::UserResult { ok: types::True, user: wire(user, &caller) }.into())
    }

    async fn lookup_user(
        &self,
        caller: BotCaller,
        request: LookupUserRequest,
    ) -> Result<LookupUserSuccess, Problem<LookupUserError>> {
        let user = self.world.person_by_email(caller, &request.email).await?;
        Ok(types::UserResult { ok: types::True, user: wire(user, &caller) }.into())
    }
}

impl AuthHandlers for Bot {
    async fn test_auth(
        &self,
        caller: BotCaller,
        _: TestAuthRequest,
    ) -> Result<TestAuthSuccess, Problem<TestAuthError>> {
        let introduced = self.world.introduce(caller).await?;
        Ok(types::AuthTestResult {
            ok: types::True,
            workspace: types::Workspace {
                id: introduced.workspace_id.encode(),
                name: introduced.workspace_name,
                domain: Nullable(introduced.domain),
            },
            bot: types::Bot { id: introduced.id.encode(), name: introduced.name },
            app_id: caller.app_id.encode(),
            scopes: caller.scopes.names().into_iter().map(str::to_owned).collect(),
        }
        .into())
    }
}
