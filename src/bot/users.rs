//! Handlers for people, and for the identity of the bot (`GET /v1/auth/test`).

use super::BotApi;
use crate::{
    contract::{Nullable, OperationError},
    domain::ids::UserId,
    generated::bot::{
        AuthHandlers, GetUserError, GetUserRequest, GetUserSuccess, ListUsersError, ListUsersRequest,
        ListUsersSuccess, LookupUserError, LookupUserRequest, LookupUserSuccess, TestAuthError,
        TestAuthRequest, TestAuthSuccess, UsersHandlers, types,
    },
    service::{bot::access::Bot, paging::PageRequest, people::VisibleUser},
};

impl From<VisibleUser> for types::User {
    fn from(user: VisibleUser) -> Self {
        Self {
            id: user.id.encode(),
            name: user.name,
            display_name: Nullable(user.display_name),
            email: user.email,
            avatar_url: Nullable(user.avatar_url),
            title: Nullable(user.title),
            timezone: Nullable(user.timezone),
            is_active: user.is_active,
            is_bot: user.is_bot,
            is_admin: user.is_admin,
            is_external: user.is_external,
        }
    }
}

impl UsersHandlers for BotApi {
    async fn list_users(
        &self,
        bot: Bot,
        request: ListUsersRequest,
    ) -> Result<ListUsersSuccess, OperationError<ListUsersError>> {
        let page = PageRequest { limit: request.limit, cursor: request.cursor.as_deref() };
        let page = bot.list_people(page).await?;
        Ok(types::UserPage {
            ok: types::True,
            users: page.items.into_iter().map(Into::into).collect(),
            next_cursor: Nullable(page.next_cursor),
        }
        .into())
    }

    async fn get_user(
        &self,
        bot: Bot,
        request: GetUserRequest,
    ) -> Result<GetUserSuccess, OperationError<GetUserError>> {
        let user = bot.person(UserId::parse(&request.id)).await?;
        Ok(types::UserResult { ok: types::True, user: user.into() }.into())
    }

    async fn lookup_user(
        &self,
        bot: Bot,
        request: LookupUserRequest,
    ) -> Result<LookupUserSuccess, OperationError<LookupUserError>> {
        let user = bot.person_by_email(&request.email).await?;
        Ok(types::UserResult { ok: types::True, user: user.into() }.into())
    }
}

impl AuthHandlers for BotApi {
    async fn test_auth(
        &self,
        bot: Bot,
        _: TestAuthRequest,
    ) -> Result<TestAuthSuccess, OperationError<TestAuthError>> {
        let identity = bot.identity().await?;
        Ok(types::AuthTestResult {
            ok: types::True,
            workspace: types::Workspace {
                id: identity.company.id.encode(),
                name: identity.company.name,
                domain: Nullable(identity.company.domain),
            },
            bot: types::Bot { id: identity.id.encode(), name: identity.name },
            app_id: bot.caller().app_id.encode(),
            scopes: bot.caller().scopes.names().into_iter().map(str::to_owned).collect(),
        }
        .into())
    }
}
