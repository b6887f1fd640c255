//! Apps as the operator registers them: what they may do, where they are reached, and their secrets.
//!
//! Called by the admin room. Companies install them in [`installs`](super::installs).

use super::{
    Stamp, World, outbox,
    principal::Principal,
    reading::{Page, PageRequest},
    refuse,
};
use crate::{
    domain::{
        address::is_public_host,
        cursor::CursorScope,
        ids::AppId,
        redirect::{self, WebUri},
        refusal::{Code, Refusal},
        scopes::Scopes,
        token::{self, Kind},
    },
    store::{
        LockKey, Op, Result, Sql, StoreError,
        apps::{self, App, Reason},
    },
};

/// An app about to be registered.
#[derive(Clone, Debug)]
pub struct NewApp {
    /// As admins see it.
    pub name: String,
    /// Where the install page may send a code; compared exactly.
    pub redirect_uris: Vec<String>,
    /// Where events are sent.
    pub callback_url: Option<String>,
    /// What an installation may be granted.
    pub scopes: Scopes,
}

/// An app and its secrets, which are shown this once.
#[derive(Clone, Debug)]
pub struct Registered {
    /// With its signing secret.
    pub app: App,
    /// `svc_sec_…`; only its hash is kept.
    pub client_secret: String,
}

/// What changes in an app; `None` leaves it as it is.
#[derive(Clone, Debug, Default)]
pub struct AppChange {
    /// Bot users keep the name they were made with.
    pub name: Option<String>,
    /// Replaces the list.
    pub redirect_uris: Option<Vec<String>>,
    /// An inner `None` clears it.
    pub callback_url: Option<Option<String>>,
    /// Installations keep what they were granted.
    pub scopes: Option<Scopes>,
    /// Whether the operator switched it off.
    pub disabled: Option<bool>,
}

/// Which secret of an app is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretKind {
    /// Of the signatures of events; the one before it goes on to sign for 24 hours (B-434).
    Signing,
    /// Of `/oauth/*`; the old one ends at once.
    Client,
}

impl World {
    /// Registers an app (W-29).
    ///
    /// # Errors
    /// `forbidden` unless the operator asks; `invalid_request` for a redirect URI or a callback URL.
    pub async fn create_app(&self, who: &Principal, new: NewApp) -> Result<Registered> {
        who.operator()?;
        check_redirects(&new.redirect_uris)?;
        self.check_callback(new.callback_url.as_deref())?;
        let at = self.stamp();
        let client_secret = self.mint(Kind::ClientSecret);
        let app = App {
            id: AppId(at.id()?),
            name: new.name,
            client_id: self.mint(Kind::ClientId),
            client_secret_hash: token::hash(&client_secret).to_vec(),
            signing_secret: self.mint(Kind::SigningSecret),
            previous_signing_secret: None,
            signing_rotated_at: None,
            callback_url: new.callback_url,
            redirect_uris: write_redirects(&new.redirect_uris),
            scopes: new.scopes,
            disabled_at: None,
            created_at: at.now,
        };
        let app = self.db.write(InsertApp(app)).await?;
        Ok(Registered { app, client_secret })
    }

    /// Every app in order of registration, disabled ones too (W-30).
    ///
    /// # Errors
    /// `forbidden` unless the operator asks; `invalid_cursor`.
    pub async fn list_apps(&self, who: &Principal, request: PageRequest<'_>) -> Result<Page<App>> {
        who.operator()?;
        let scope = scope(who, "admin.apps", "");
        let after = self.position(&scope, request.cursor, 0)?;
        let found = self.db.read(ListApps { after, limit: i64::from(request.limit) + 1 }).await?;
        Ok(self.page(&scope, request.limit, found, |app| app.id.0))
    }

    /// One app (W-31).
    ///
    /// # Errors
    /// `forbidden` unless the operator asks; `not_found`.
    pub async fn app(&self, who: &Principal, id: Option<AppId>) -> Result<App> {
        who.operator()?;
        let Some(id) = id else { return refuse(Code::NotFound) };
        self.db.read(FindApp(id)).await
    }

    /// Changes an app (W-32). Disabling it ends every installation, of which the app is told (B-365), and every code
    /// that is still to be exchanged; enabling it again brings none back.
    ///
    /// # Errors
    /// `forbidden` unless the operator asks; `not_found`; `invalid_request` for a redirect URI or a callback URL.
    pub async fn change_app(&self, who: &Principal, id: Option<AppId>, change: AppChange) -> Result<App> {
        who.operator()?;
        let Some(id) = id else { return refuse(Code::NotFound) };
        if let Some(uris) = &change.redirect_uris {
            check_redirects(uris)?;
        }
        self.check_callback(change.callback_url.as_ref().and_then(Option::as_deref))?;
        self.db.write(ChangeApp { at: self.stamp(), id, change }).await
    }

    /// Replaces a secret of an app and gives the new one, this once (W-33).
    ///
    /// # Errors
    /// `forbidden` unless the operator asks; `not_found`.
    pub async fn rotate_secret(
        &self,
        who: &Principal,
        id: Option<AppId>,
        kind: SecretKind,
    ) -> Result<String> {
        who.operator()?;
        let Some(id) = id else { return refuse(Code::NotFound) };
        let secret = self.mint(match kind {
            SecretKind::Signing => Kind::SigningSecret,
            SecretKind::Client => Kind::ClientSecret,
        });
        self.db.write(RotateSecret { at: self.stamp(), id, kind, secret: secret.clone() }).await?;
        Ok(secret)
    }

    /// Whether events may be sent to a URL: `https` to a host that can be public (D-188). Outside production the
    /// hosts of `allow_private_hosts` are exempt from both. Where a name leads is judged at each connection.
    fn check_callback(&self, url: Option<&str>) -> Result<()> {
        let Some(url) = url else { return Ok(()) };
        let uri = WebUri::parse(url).map_err(|fault| invalid(format!("callback_url {fault}")))?;
        let port = uri.port.unwrap_or(if uri.is_https { 443 } else { 80 });
        let place = format!("{}:{port}", uri.host);
        let settings = &self.settings;
        let is_exempt = settings.allow_private_hosts.iter().any(|host| host.eq_ignore_ascii_case(&place));
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

pub(super) fn scope<'a>(who: &Principal, endpoint: &'a str, filter: &'a str) -> CursorScope<'a> {
    CursorScope { endpoint, owner: who.cursor_owner(), conversation: None, filter }
}

fn invalid(why: impl Into<std::borrow::Cow<'static, str>>) -> Refusal {
    Refusal::because(Code::InvalidRequest, why)
}

fn check_redirects(uris: &[String]) -> Result<()> {
    for uri in uris {
        redirect::check_registration(uri).map_err(|fault| invalid(format!("redirect URI {fault}")))?;
    }
    Ok(())
}

fn write_redirects(uris: &[String]) -> String {
    serde_json::to_string(uris).expect("a list of texts is JSON")
}

/// The redirect URIs of an app.
///
/// # Errors
/// A store error when they are not the list that was written.
pub fn redirect_uris(app: &App) -> Result<Vec<String>> {
    let read = serde_json::from_str(&app.redirect_uris);
    read.map_err(|error| StoreError::bug(format!("stored redirect URIs: {error}")).into())
}

struct InsertApp(App);

impl Op for InsertApp {
    const NAME: &'static str = "insert_app";
    type Out = App;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<App> {
        apps::insert(c, &self.0).await?;
        Ok(self.0.clone())
    }
}

struct ListApps {
    after: i64,
    limit: i64,
}

impl Op for ListApps {
    const NAME: &'static str = "list_apps";
    type Out = Vec<App>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Vec<App>> {
        apps::page(c, self.after, self.limit).await
    }
}

struct FindApp(AppId);

impl Op for FindApp {
    const NAME: &'static str = "find_app";
    type Out = App;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<App> {
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
    at: Stamp,
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
            Some(true) => app.disabled_at.or(Some(self.at.now)),
            Some(false) => None,
            None => app.disabled_at,
        };
        apps::update(c, &app).await?;
        if app.disabled_at.is_some() {
            // also when it was disabled before: the request that did it may not have been answered
            c.drain(LockKey::app(self.id));
        }
        if app.disabled_at.is_some() && !was_disabled {
            self.disconnect(c).await?;
        }
        Ok(app)
    }
}

impl ChangeApp {
    async fn disconnect<C: Sql>(&self, c: &mut C) -> Result<()> {
        let reason = Reason::AppDisabled;
        // or enabling it again would let them connect it
        apps::void_codes_of_app(c, self.id).await?;
        let mut disconnected = Vec::new();
        for installation in apps::connected_of_app(c, self.id).await? {
            if apps::disconnect(c, installation.id, reason, self.at.now).await? {
                disconnected.push(installation.id);
            }
        }
        let report = Some((reason.name(), None));
        outbox::uninstalled(c, &self.at, self.id, &disconnected, report).await
    }
}

struct RotateSecret {
    at: Stamp,
    id: AppId,
    kind: SecretKind,
    secret: String,
}

impl Op for RotateSecret {
    const NAME: &'static str = "rotate_secret";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let mut app = found(apps::by_id_for_update(c, self.id).await?)?;
        match self.kind {
            SecretKind::Signing => {
                // only ever one before the newest (B-437)
                app.previous_signing_secret =
                    Some(std::mem::replace(&mut app.signing_secret, self.secret.clone()));
                app.signing_rotated_at = Some(self.at.now);
            }
            SecretKind::Client => app.client_secret_hash = token::hash(&self.secret).to_vec(),
        }
        apps::update(c, &app).await
    }
}
