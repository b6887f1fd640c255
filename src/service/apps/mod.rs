//! Apps that the operator registers: their names, scopes, URLs and secrets.
//!
//! The module [`installs`] has the installations of apps in companies.

pub mod installs;

use super::{
    Stamp, World,
    callers::Operator,
    check_visible, outbox,
    paging::{Page, PageRequest},
    refuse,
};
use crate::{
    domain::{
        address::is_public_host,
        cursor::CursorScope,
        ids::{AppId, UserId},
        installation::DisconnectReason,
        redirect::{self, WebUri},
        refusal::{Code, Refusal},
        scopes::Scopes,
        time::Timestamp,
        token::{self, TokenKind},
    },
    platform::secrets::Secret,
    store::{
        Error, LockKey, Notice, Op, ReadOp, ReadSql, Result, Sql, StoreError,
        apps::{self, App},
        op,
        secrets::{self, Encryption, SecretLocation, StoredSecret},
        users,
    },
};

/// An app to register.
#[derive(Clone, Debug)]
pub struct NewApp {
    /// Name shown to admins.
    pub name: String,
    /// The URIs to which the install page may send install codes. A redirect URI in an install request must be
    /// identical to one of them.
    pub redirect_uris: Vec<String>,
    /// URL that receives events; `None` for no events.
    pub callback_url: Option<String>,
    /// Scopes that an installation may be granted.
    pub scopes: Scopes,
}

/// An app as it is shown to the operator.
#[derive(Clone, Debug, PartialEq)]
pub struct AppView {
    pub id: AppId,
    pub name: String,
    pub client_id: String,
    pub redirect_uris: Vec<String>,
    pub callback_url: Option<String>,
    pub scopes: Scopes,
    pub is_disabled: bool,
    pub created_at: Timestamp,
}

impl TryFrom<App> for AppView {
    type Error = Error;

    /// Fails if the stored redirect URIs cannot be parsed.
    fn try_from(app: App) -> Result<Self> {
        Ok(Self {
            redirect_uris: redirect_uris(&app)?,
            id: app.id,
            name: app.name,
            client_id: app.client_id,
            callback_url: app.callback_url,
            scopes: app.scopes,
            is_disabled: app.disabled_at.is_some(),
            created_at: app.created_at,
        })
    }
}

/// A new app with its secrets, which are returned only once.
#[derive(Clone, Debug)]
pub struct Registered {
    pub app: AppView,
    /// `whsec_…`; stored encrypted, or in plain text if no encryption key is configured.
    pub signing_secret: Secret,
    /// `svc_sec_…`; only its hash is stored.
    pub client_secret: String,
}

/// Changes to an app; `None` leaves a field unchanged.
#[derive(Clone, Debug, Default)]
pub struct AppChange {
    /// The new name. The bot users of all connected installations get this name too.
    pub name: Option<String>,
    /// The new list, which replaces the old one.
    pub redirect_uris: Option<Vec<String>>,
    /// `Some(None)` clears the URL.
    pub callback_url: Option<Option<String>>,
    /// The new scopes. Existing installations keep the scopes that they were granted.
    pub scopes: Option<Scopes>,
    /// Disables or enables the app.
    pub disabled: Option<bool>,
}

/// Which secret of an app to rotate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretKind {
    /// The secret that signs events. For 24 hours after a rotation, events are also signed with the previous secret
    /// (B-434).
    Signing,
    /// The secret with which the app authenticates at `/oauth/*`. After a rotation, the old secret stops working
    /// immediately.
    Client,
}

impl Operator<'_> {
    /// Registers an app (W-29).
    ///
    /// # Errors
    /// `invalid_request` for an invalid name, redirect URI or callback URL.
    pub async fn create_app(self, new: NewApp) -> Result<Registered> {
        check_visible("name", Some(&new.name))?;
        check_redirects(&new.redirect_uris)?;
        self.world().check_callback(new.callback_url.as_deref())?;
        let stamp = self.world().stamp();
        let client_secret = self.world().mint(TokenKind::ClientSecret);
        let signing_secret = Secret::new(self.world().mint(TokenKind::SigningSecret));
        let app = App {
            id: AppId(stamp.id()?),
            name: new.name,
            client_id: self.world().mint(TokenKind::ClientId),
            client_secret_hash: token::hash(&client_secret).to_vec(),
            // a placeholder: `InsertApp` encrypts the secret, because only its transaction knows which encryption key
            // is in use
            signing_secret: StoredSecret::plain(""),
            previous_signing_secret: None,
            signing_rotated_at: None,
            callback_url: new.callback_url,
            redirect_uris: write_redirects(&new.redirect_uris),
            scopes: new.scopes,
            disabled_at: None,
            created_at: stamp.now,
        };
        let op = InsertApp { app, signing_secret, encryption: self.world().encryption.clone() };
        let (app, signing_secret) = self.caller().write(op).await?;
        Ok(Registered { app: app.try_into()?, signing_secret, client_secret })
    }

    /// Lists all apps, enabled and disabled, in order of registration (W-30).
    ///
    /// # Errors
    /// `invalid_cursor`.
    pub async fn list_apps(self, request: PageRequest<'_>) -> Result<Page<AppView>> {
        let scope = cursor_scope(self, "admin.apps", "");
        let after = self.world().position(&scope, request.cursor, 0)?;
        let found = self.world().db.read(ListApps { after, limit: i64::from(request.limit) + 1 }).await?;
        let found = found.into_iter().map(AppView::try_from).collect::<Result<_>>()?;
        Ok(self.world().page(&scope, request.limit, found, |app| app.id.0))
    }

    /// Returns one app (W-31).
    ///
    /// # Errors
    /// `not_found`.
    pub async fn app(self, id: Option<AppId>) -> Result<AppView> {
        let Some(id) = id else { return refuse(Code::NotFound) };
        self.world().db.read(FindApp(id)).await?.try_into()
    }

    /// Changes an app (W-32). A new name also becomes the name of the bot users of the connected installations.
    ///
    /// Disabling the app disconnects all its installations and sends the app an event for each of them (B-365). It also
    /// deletes the unused install codes of the app. Enabling the app again restores neither installations nor codes.
    ///
    /// # Errors
    /// - `not_found` for text that is not an app id.
    /// - `invalid_request` for an invalid name, redirect URI or callback URL.
    /// - `not_found` for an unknown app.
    pub async fn change_app(self, id: Option<AppId>, change: AppChange) -> Result<AppView> {
        let Some(id) = id else { return refuse(Code::NotFound) };
        check_visible("name", change.name.as_deref())?;
        if let Some(uris) = &change.redirect_uris {
            check_redirects(uris)?;
        }
        self.world().check_callback(change.callback_url.as_ref().and_then(Option::as_deref))?;
        self.caller().write(ChangeApp { stamp: self.world().stamp(), id, change }).await?.try_into()
    }

    /// Replaces a secret of an app and returns the new secret, which cannot be read again (W-33).
    ///
    /// # Errors
    /// `not_found`.
    pub async fn rotate_secret(self, id: Option<AppId>, kind: SecretKind) -> Result<String> {
        let Some(id) = id else { return refuse(Code::NotFound) };
        let secret = self.world().mint(match kind {
            SecretKind::Signing => TokenKind::SigningSecret,
            SecretKind::Client => TokenKind::ClientSecret,
        });
        let encryption = self.world().encryption.clone();
        let op = RotateSecret { stamp: self.world().stamp(), id, kind, secret: secret.clone(), encryption };
        self.caller().write(op).await?;
        Ok(secret)
    }
}

impl World {
    /// Checks that a callback URL has the scheme `https`, and a host that [`is_public_host`] accepts (D-188). Outside
    /// production, neither rule applies to the hosts and ports in `allow_private_hosts`. The addresses to which a host
    /// name resolves are checked later, at each connection.
    fn check_callback(&self, url: Option<&str>) -> Result<()> {
        let Some(url) = url else { return Ok(()) };
        let uri = WebUri::parse(url).map_err(|error| invalid(format!("callback_url {error}")))?;
        let port = uri.port.unwrap_or(if uri.is_https { 443 } else { 80 });
        let authority = format!("{}:{port}", uri.host);
        let settings = &self.settings;
        let is_exempt = settings.allow_private_hosts.iter().any(|host| host.eq_ignore_ascii_case(&authority));
        if is_exempt && !settings.production {
            return Ok(());
        }
        if !uri.is_https {
            return Err(invalid("callback_url must use https").into());
        }
        if !is_public_host(uri.host) {
            return Err(invalid("callback_url must have a public host").into());
        }
        Ok(())
    }
}

pub(super) fn cursor_scope<'a>(
    operator: Operator<'_>,
    endpoint: &'a str,
    filter: &'a str,
) -> CursorScope<'a> {
    CursorScope { endpoint, owner: operator.caller().cursor_owner(), conversation: None, filter }
}

fn invalid(why: impl Into<std::borrow::Cow<'static, str>>) -> Refusal {
    Refusal::because(Code::InvalidRequest, why)
}

fn check_redirects(uris: &[String]) -> Result<()> {
    for uri in uris {
        redirect::check_registration(uri).map_err(|error| invalid(format!("redirect URI {error}")))?;
    }
    Ok(())
}

fn write_redirects(uris: &[String]) -> String {
    serde_json::to_string(uris).expect("strings can always be written as JSON")
}

/// Returns the redirect URIs of an app.
///
/// # Errors
/// A store error if the stored list cannot be parsed.
pub(super) fn redirect_uris(app: &App) -> Result<Vec<String>> {
    let read = serde_json::from_str(&app.redirect_uris);
    read.map_err(|error| StoreError::bug(format!("failed to parse stored redirect URIs: {error}")).into())
}

struct InsertApp {
    app: App,
    signing_secret: Secret,
    encryption: Encryption,
}

impl Op for InsertApp {
    const NAME: &'static str = "insert_app";
    type Out = (App, Secret);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let mut app = self.app.clone();
        let location = SecretLocation::SigningSecret(app.id);
        app.signing_secret =
            secrets::protect(c, &self.encryption, location, self.signing_secret.expose()).await?;
        apps::insert(c, &app).await?;
        Ok((app, self.signing_secret.clone()))
    }
}

struct ListApps {
    after: i64,
    limit: i64,
}

op! { ReadOp "list_apps": ListApps -> Vec<App> = |op, c| apps::page(c, op.after, op.limit) }

struct FindApp(AppId);

impl ReadOp for FindApp {
    const NAME: &'static str = "find_app";
    type Out = App;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<App> {
        found(apps::by_id(c, self.0).await?)
    }
}

pub(super) fn found(app: Option<App>) -> Result<App> {
    match app {
        Some(app) => Ok(app),
        None => refuse(Code::NotFound),
    }
}

struct ChangeApp {
    stamp: Stamp,
    id: AppId,
    change: AppChange,
}

impl Op for ChangeApp {
    const NAME: &'static str = "change_app";
    type Out = App;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<App> {
        let mut app = found(apps::by_id_for_update(c, self.id).await?)?;
        let was_disabled = app.disabled_at.is_some();
        let AppChange { name, redirect_uris, callback_url, scopes, disabled } = self.change.clone();
        app.name = name.unwrap_or(app.name);
        app.redirect_uris = redirect_uris.as_deref().map_or(app.redirect_uris, write_redirects);
        app.callback_url = callback_url.unwrap_or(app.callback_url);
        app.scopes = scopes.unwrap_or(app.scopes);
        app.disabled_at = match disabled {
            Some(true) => app.disabled_at.or(Some(self.stamp.now)),
            Some(false) => None,
            None => app.disabled_at,
        };
        apps::update(c, &app).await?;
        // The bots are renamed even if the app already has this name: earlier versions of the server renamed only the
        // app, so its bots may still have an old name.
        if self.change.name.is_some() {
            self.rename_bots(c, &app.name).await?;
        }
        if app.disabled_at.is_some() {
            // Transactions that rely on the enabled app hold the app's lock. The response waits until they have ended,
            // so that none of them commits after the response. It waits even if the app was already disabled, because
            // the request that disabled the app may itself still be waiting.
            c.notify(Notice::Drain(LockKey::app(self.id)));
        }
        if app.disabled_at.is_some() && !was_disabled {
            self.disconnect(c).await?;
        }
        Ok(app)
    }
}

impl ChangeApp {
    /// Gives the bots of the connected installations the name of the app. The bot of a disconnected installation gets
    /// the name when the app is installed again.
    async fn rename_bots<C: Sql>(&self, c: &mut C, name: &str) -> Result<()> {
        let connected = apps::connected_of_app(c, self.id).await?;
        let bots: Vec<UserId> = connected.iter().map(|installation| installation.bot_user_id).collect();
        users::rename_bots(c, &bots, name).await
    }

    async fn disconnect<C: Sql>(&self, c: &mut C) -> Result<()> {
        let reason = DisconnectReason::AppDisabled;
        // if the install codes stayed valid, an old code could be exchanged after the app is enabled again
        apps::void_codes_of_app(c, self.id).await?;
        let disconnected = apps::disconnect_all(c, self.id, reason, self.stamp.now).await?;
        let report = Some((reason.name(), None));
        outbox::uninstalled(c, &self.stamp, self.id, &disconnected, report).await
    }
}

struct RotateSecret {
    stamp: Stamp,
    id: AppId,
    kind: SecretKind,
    secret: String,
    encryption: Encryption,
}

impl Op for RotateSecret {
    const NAME: &'static str = "rotate_secret";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let mut app = found(apps::by_id_for_update(c, self.id).await?)?;
        match self.kind {
            SecretKind::Signing => {
                let (newest, before) =
                    (SecretLocation::SigningSecret(self.id), SecretLocation::PreviousSigningSecret(self.id));
                let previous = self.encryption.decrypt(newest, &app.signing_secret)?;
                // Only one previous secret is kept (B-437). It is encrypted again, because a ciphertext is bound to its
                // column.
                app.previous_signing_secret =
                    Some(secrets::protect(c, &self.encryption, before, previous.expose()).await?);
                app.signing_secret = secrets::protect(c, &self.encryption, newest, &self.secret).await?;
                app.signing_rotated_at = Some(self.stamp.now);
            }
            SecretKind::Client => app.client_secret_hash = token::hash(&self.secret).to_vec(),
        }
        apps::update(c, &app).await
    }
}
