//! Registered apps and their secrets.

use super::{Admin, change, page_request, value};
use crate::{
    contract::{Nullable, Problem},
    domain::{
        ids::AppId,
        scopes::{Scope, Scopes},
    },
    generated::admin::{
        AppsHandlers, CreateAppError, CreateAppRequest, CreateAppSuccess, GetAppError, GetAppRequest,
        GetAppSuccess, ListAppsError, ListAppsRequest, ListAppsSuccess, RotateSecretError,
        RotateSecretRequest, RotateSecretSuccess, UpdateAppError, UpdateAppRequest, UpdateAppSuccess, types,
    },
    store::{Error, apps::App},
    workspace::{
        apps::{AppChange, NewApp, Registered, SecretKind, redirect_uris},
        principal::Principal,
    },
};

pub(super) fn wire_scopes(scopes: Scopes) -> Vec<types::Scope> {
    scopes
        .iter()
        .map(|scope| match scope {
            Scope::MessagesWrite => types::Scope::MessagesWrite,
            Scope::UsersRead => types::Scope::UsersRead,
            Scope::UsersReadEmail => types::Scope::UsersReadEmail,
            Scope::ConversationsRead => types::Scope::ConversationsRead,
            Scope::ConversationsHistory => types::Scope::ConversationsHistory,
            Scope::FilesRead => types::Scope::FilesRead,
        })
        .collect()
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

fn wire(app: App) -> Result<types::App, Error> {
    Ok(types::App {
        id: app.id.encode(),
        redirect_uris: redirect_uris(&app)?,
        name: app.name,
        client_id: app.client_id,
        callback_url: Nullable(app.callback_url),
        scopes: wire_scopes(app.scopes),
        disabled: app.disabled_at.is_some(),
        created_at: app.created_at,
    })
}

fn result(app: App) -> Result<types::AppResult, Error> {
    Ok(types::AppResult { ok: types::True, app: wire(app)? })
}

impl AppsHandlers for Admin {
    async fn create_app(
        &self,
        caller: Principal,
        request: CreateAppRequest,
    ) -> Result<CreateAppSuccess, Problem<CreateAppError>> {
        let types::AppCreate { name, redirect_uris, callback_url, scopes } = request.body;
        let new =
            NewApp { name, redirect_uris, callback_url: value(callback_url), scopes: read_scopes(&scopes) };
        let Registered { app, client_secret } = self.world.create_app(&caller, new).await?;
        let answer = types::AppCreated {
            ok: types::True,
            client_id: app.client_id.clone(),
            client_secret,
            signing_secret: app.signing_secret.clone(),
            app: wire(app)?,
        };
        Ok(answer.into())
    }

    async fn list_apps(
        &self,
        caller: Principal,
        request: ListAppsRequest,
    ) -> Result<ListAppsSuccess, Problem<ListAppsError>> {
        let page = page_request(request.limit, request.cursor.as_ref());
        let page = self.world.list_apps(&caller, page).await?;
        Ok(ListAppsSuccess::Status200(types::AppPage {
            ok: types::True,
            apps: page.items.into_iter().map(wire).collect::<Result<_, _>>()?,
            next_cursor: Nullable(page.next_cursor),
        }))
    }

    async fn get_app(
        &self,
        caller: Principal,
        request: GetAppRequest,
    ) -> Result<GetAppSuccess, Problem<GetAppError>> {
        Ok(result(self.world.app(&caller, AppId::parse(&request.app_id)).await?)?.into())
    }

    async fn update_app(
        &self,
        caller: Principal,
        request: UpdateAppRequest,
    ) -> Result<UpdateAppSuccess, Problem<UpdateAppError>> {
        let types::AppUpdate { name, redirect_uris, callback_url, scopes, disabled } = request.body;
        let callback_url = change(callback_url);
        let scopes = scopes.as_deref().map(read_scopes);
        let change = AppChange { name, redirect_uris, callback_url, scopes, disabled };
        let id = AppId::parse(&request.app_id);
        Ok(result(self.world.change_app(&caller, id, change).await?)?.into())
    }

    async fn rotate_secret(
        &self,
        caller: Principal,
        request: RotateSecretRequest,
    ) -> Result<RotateSecretSuccess, Problem<RotateSecretError>> {
        let id = AppId::parse(&request.app_id);
        let answer = match request.body.secret {
            types::SecretKind::Signing => {
                let secret = self.world.rotate_secret(&caller, id, SecretKind::Signing).await?;
                types::SecretRotated { ok: types::True, signing_secret: Some(secret), client_secret: None }
            }
            types::SecretKind::Client => {
                let secret = self.world.rotate_secret(&caller, id, SecretKind::Client).await?;
                types::SecretRotated { ok: types::True, signing_secret: None, client_secret: Some(secret) }
            }
        };
        Ok(answer.into())
    }
}
