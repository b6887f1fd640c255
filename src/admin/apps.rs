//! Registered apps, their secrets and their event deliveries.

use super::{Admin, change, page_request, value};
use crate::{
    contract::{Nullable, Problem},
    domain::{
        ids::AppId,
        scopes::{Scope, Scopes},
    },
    generated::admin::{
        AppsHandlers, CreateAppError, CreateAppRequest, CreateAppSuccess, GetAppError, GetAppRequest,
        GetAppSuccess, ListAppsError, ListAppsRequest, ListAppsSuccess, ListDeliveriesError,
        ListDeliveriesRequest, ListDeliveriesSuccess, RotateSecretError, RotateSecretRequest,
        RotateSecretSuccess, UpdateAppError, UpdateAppRequest, UpdateAppSuccess, types,
    },
    store::{Error, StoreError, apps::App, events::Delivery},
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

/// Where an event stands, as the attempt that is next or was last.
fn wire_delivery(delivery: &Delivery) -> Result<types::Delivery, Error> {
    let kind = types::EventType::ALL.iter().find(|kind| kind.as_str() == delivery.kind);
    let Some(kind) = kind else {
        return Err(StoreError::bug(format!("a stored event has the type {}", delivery.kind)).into());
    };
    let (state, attempt) = match delivery.state {
        0 => (types::DeliveryState::Pending, delivery.attempts + 1),
        1 => (types::DeliveryState::Delivered, delivery.attempts),
        2 => (types::DeliveryState::Failed, delivery.attempts),
        _ => (types::DeliveryState::Dropped, delivery.attempts + 1),
    };
    let is_pending = state == types::DeliveryState::Pending;
    Ok(types::Delivery {
        event_id: delivery.event_id.encode(),
        r#type: *kind,
        workspace_id: delivery.workspace_id.encode(),
        installation_id: delivery.installation_id.encode(),
        attempt,
        state,
        status: Nullable(None),
        at: Nullable(None),
        next_attempt_at: Nullable(is_pending.then_some(delivery.next_at)),
    })
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

    async fn list_deliveries(
        &self,
        caller: Principal,
        request: ListDeliveriesRequest,
    ) -> Result<ListDeliveriesSuccess, Problem<ListDeliveriesError>> {
        let page = page_request(request.limit, request.cursor.as_ref());
        let page = self.world.list_deliveries(&caller, AppId::parse(&request.app_id), page).await?;
        Ok(ListDeliveriesSuccess::Status200(types::DeliveryPage {
            ok: types::True,
            deliveries: page.items.iter().map(wire_delivery).collect::<Result<_, _>>()?,
            next_cursor: Nullable(page.next_cursor),
        }))
    }
}
