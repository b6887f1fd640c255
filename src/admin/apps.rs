//! Handlers for registered apps and their secrets.

use super::{Admin, change, value};
use crate::{
    contract::{Nullable, OperationError},
    domain::{
        ids::AppId,
        scopes::{Scope, Scopes},
    },
    generated::admin::{
        AppsHandlers, CreateAppError, CreateAppRequest, CreateAppSuccess, GetAppError, GetAppRequest,
        GetAppSuccess, ListAppsError, ListAppsRequest, ListAppsSuccess, RotateSecretError,
        RotateSecretRequest, RotateSecretSuccess, UpdateAppError, UpdateAppRequest, UpdateAppSuccess, types,
    },
    service::{
        apps::{AppChange, AppView, NewApp, Registered, SecretKind},
        callers::Caller,
        paging::PageRequest,
    },
};

impl From<Scope> for types::ScopeValue {
    fn from(scope: Scope) -> Self {
        match scope {
            Scope::MessagesWrite => Self::MessagesWrite,
            Scope::UsersRead => Self::UsersRead,
            Scope::UsersReadEmail => Self::UsersReadEmail,
            Scope::ConversationsRead => Self::ConversationsRead,
            Scope::ConversationsHistory => Self::ConversationsHistory,
            Scope::FilesRead => Self::FilesRead,
        }
    }
}

pub(super) fn read_scopes(scopes: &[types::Scope]) -> Scopes {
    scopes
        .iter()
        .map(|scope| match scope {
            types::Scope::MessagesWrite => Scope::MessagesWrite,
            types::Scope::UsersRead => Scope::UsersRead,
            types::Scope::UsersReadEmail => Scope::UsersReadEmail,
            types::Scope::ConversationsRead => Scope::ConversationsRead,
            types::Scope::ConversationsHistory => Scope::ConversationsHistory,
            types::Scope::FilesRead => Scope::FilesRead,
        })
        .collect()
}

impl From<AppView> for types::App {
    fn from(app: AppView) -> Self {
        Self {
            id: app.id.encode(),
            name: app.name,
            client_id: app.client_id,
            redirect_uris: app.redirect_uris,
            callback_url: Nullable(app.callback_url),
            scopes: app.scopes.iter().map(Into::into).collect(),
            disabled: app.is_disabled,
            created_at: app.created_at,
        }
    }
}

fn result(app: AppView) -> types::AppResult {
    types::AppResult { ok: types::True, app: app.into() }
}

impl AppsHandlers for Admin {
    async fn create_app(
        &self,
        caller: Caller,
        request: CreateAppRequest,
    ) -> Result<CreateAppSuccess, OperationError<CreateAppError>> {
        let types::AppCreate { name, redirect_uris, callback_url, scopes } = request.body;
        let new =
            NewApp { name, redirect_uris, callback_url: value(callback_url), scopes: read_scopes(&scopes) };
        let Registered { app, signing_secret, client_secret } = caller.operator()?.create_app(new).await?;
        let answer = types::AppCreated {
            ok: types::True,
            client_id: app.client_id.clone(),
            client_secret,
            signing_secret: signing_secret.expose().to_owned(),
            app: app.into(),
        };
        Ok(answer.into())
    }

    async fn list_apps(
        &self,
        caller: Caller,
        request: ListAppsRequest,
    ) -> Result<ListAppsSuccess, OperationError<ListAppsError>> {
        let page = PageRequest { limit: request.limit, cursor: request.cursor.as_deref() };
        let page = caller.operator()?.list_apps(page).await?;
        Ok(ListAppsSuccess::Status200(types::AppPage {
            ok: types::True,
            apps: page.items.into_iter().map(Into::into).collect(),
            next_cursor: Nullable(page.next_cursor),
        }))
    }

    async fn get_app(
        &self,
        caller: Caller,
        request: GetAppRequest,
    ) -> Result<GetAppSuccess, OperationError<GetAppError>> {
        Ok(result(caller.operator()?.app(AppId::parse(&request.app_id)).await?).into())
    }

    async fn update_app(
        &self,
        caller: Caller,
        request: UpdateAppRequest,
    ) -> Result<UpdateAppSuccess, OperationError<UpdateAppError>> {
        let types::AppUpdate { name, redirect_uris, callback_url, scopes, disabled } = request.body;
        let callback_url = change(callback_url);
        let scopes = scopes.as_deref().map(read_scopes);
        let change = AppChange { name, redirect_uris, callback_url, scopes, disabled };
        let id = AppId::parse(&request.app_id);
        Ok(result(caller.operator()?.change_app(id, change).await?).into())
    }

    async fn rotate_secret(
        &self,
        caller: Caller,
        request: RotateSecretRequest,
    ) -> Result<RotateSecretSuccess, OperationError<RotateSecretError>> {
        let operator = caller.operator()?;
        let id = AppId::parse(&request.app_id);
        let answer = match request.body.secret {
            types::SecretKind::Signing => {
                let secret = operator.rotate_secret(id, SecretKind::Signing).await?;
                types::SecretRotated { ok: types::True, signing_secret: Some(secret), client_secret: None }
            }
            types::SecretKind::Client => {
                let secret = operator.rotate_secret(id, SecretKind::Client).await?;
                types::SecretRotated { ok: types::True, signing_secret: None, client_secret: Some(secret) }
            }
        };
        Ok(answer.into())
    }
}
