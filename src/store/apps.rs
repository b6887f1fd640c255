//! Apps, their installations in companies, and install codes.

use super::{Result, Sql, args, row, statements};
use crate::domain::{
    ids::{AppId, InstallationId, UserId, WorkspaceId},
    scopes::Scopes,
    time::Timestamp,
};

/// A registered app.
#[derive(Clone, Debug)]
pub struct App {
    pub id: AppId,
    pub name: String,
    pub client_id: String,
    /// SHA-256.
    pub client_secret_hash: Vec<u8>,
    pub signing_secret: String,
    pub previous_signing_secret: Option<String>,
    pub signing_rotated_at: Option<Timestamp>,
    pub callback_url: Option<String>,
    /// A JSON array.
    pub redirect_uris: String,
    pub scopes: Scopes,
    pub disabled_at: Option<Timestamp>,
    pub created_at: Timestamp,
}
row!(App {
    id,
    name,
    client_id,
    client_secret_hash,
    signing_secret,
    previous_signing_secret,
    signing_rotated_at,
    callback_url,
    redirect_uris,
    scopes,
    disabled_at,
    created_at
});

/// One time an app was connected to a company.
#[derive(Clone, Debug, PartialEq)]
pub struct Installation {
    pub id: InstallationId,
    pub app_id: AppId,
    pub workspace_id: WorkspaceId,
    pub bot_user_id: UserId,
    /// Union over its tokens.
    pub scopes: Scopes,
    pub connected: bool,
    /// Of the disconnect.
    pub reason: Option<Reason>,
    pub installed_by: Option<UserId>,
    pub created_at: Timestamp,
    pub disconnected_at: Option<Timestamp>,
}
row!(Installation {
    id,
    app_id,
    workspace_id,
    bot_user_id,
    scopes,
    connected,
    reason,
    installed_by,
    created_at,
    disconnected_at
});

/// An installation as a company's admins see it: with names.
#[derive(Clone, Debug, PartialEq)]
pub struct InstalledApp {
    pub id: InstallationId,
    /// The app's name.
    pub name: String,
    pub scopes: Scopes,
    pub reason: Option<Reason>,
    /// Who approved it.
    pub installed_by: Option<String>,
    pub created_at: Timestamp,
    pub disconnected_at: Option<Timestamp>,
}
row!(InstalledApp { id, name, scopes, reason, installed_by, created_at, disconnected_at });

/// Why an installation was disconnected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A company admin uninstalled the app.
    Admin = 0,
    /// The service disabled the app.
    AppDisabled = 1,
    /// The app revoked its own token.
    AppRevoked = 2,
}

impl Reason {
    /// The stored number.
    #[must_use]
    pub const fn code(self) -> i64 {
        self as i64
    }

    /// The reason of a stored number.
    #[must_use]
    pub const fn from_code(code: i64) -> Option<Self> {
        match code {
            0 => Some(Self::Admin),
            1 => Some(Self::AppDisabled),
            2 => Some(Self::AppRevoked),
            _ => None,
        }
    }

    /// The public name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::AppDisabled => "app_disabled",
            Self::AppRevoked => "app_revoked",
        }
    }
}

/// A code that an approved installation is exchanged for.
#[derive(Clone, Debug, PartialEq)]
pub struct InstallCode {
    pub app_id: AppId,
    pub workspace_id: WorkspaceId,
    pub approved_by: Option<UserId>,
    pub scopes: Scopes,
    pub redirect_uri: Option<String>,
    /// PKCE, S256.
    pub challenge: Option<String>,
    pub expires_at: Timestamp,
    pub used_at: Option<Timestamp>,
}
row!(InstallCode { app_id, workspace_id, approved_by, scopes, redirect_uri, challenge, expires_at, used_at });

macro_rules! app {
    ($rest:literal) => {
        concat!(
            "SELECT id, name, client_id, client_secret_hash, signing_secret, previous_signing_secret,
                signing_rotated_at, callback_url, redirect_uris, scopes, disabled_at, created_at FROM apps ",
            $rest
        )
    };
}

macro_rules! installation {
    ($rest:literal) => {
        concat!(
            "SELECT id, app_id, workspace_id, bot_user_id, scopes, connected, reason, installed_by, created_at,
                disconnected_at FROM installations ",
            $rest
        )
    };
}

statements! {
    INSERT = "INSERT INTO apps (id, name, client_id, client_secret_hash, signing_secret,
            previous_signing_secret, signing_rotated_at, callback_url, redirect_uris, scopes, disabled_at,
            created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    UPDATE = "UPDATE apps SET name = $2, client_secret_hash = $3, signing_secret = $4,
            previous_signing_secret = $5, signing_rotated_at = $6, callback_url = $7, redirect_uris = $8,
            scopes = $9, disabled_at = $10
        WHERE id = $1";
    BY_ID = app!("WHERE id = $1");
    BY_ID_FOR_UPDATE = sqlite app!("WHERE id = $1") postgres app!("WHERE id = $1 FOR UPDATE");
    BY_CLIENT_ID = app!("WHERE client_id = $1");
    PAGE = app!("WHERE id > $1 ORDER BY id LIMIT $2");
    INSERT_INSTALLATION = "INSERT INTO installations (id, app_id, workspace_id, bot_user_id, scopes, connected,
            reason, installed_by, created_at, disconnected_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    INSTALLATION = installation!("WHERE id = $1");
    CONNECTED = installation!("WHERE app_id = $1 AND workspace_id = $2 AND connected = 1");
    CONNECTED_OF_APP = installation!("WHERE app_id = $1 AND connected = 1 ORDER BY id");
    // one index has both those that stand and those that ended, each in order
    INSTALLATIONS =
        sqlite concat!("SELECT * FROM (SELECT * FROM (",
            installation!("WHERE workspace_id = $1 AND connected = 0 AND id > $2 ORDER BY id LIMIT $3"),
            ") UNION ALL SELECT * FROM (",
            installation!("WHERE workspace_id = $1 AND connected = 1 AND id > $2 ORDER BY id LIMIT $3"),
            ")) ORDER BY id LIMIT $3")
        postgres concat!("SELECT * FROM (SELECT * FROM (",
            installation!("WHERE (workspace_id, connected, id) > ($1, 0, $2)
                AND (workspace_id, connected, id) <= ($1, 0, 9223372036854775807)
                ORDER BY workspace_id, connected, id LIMIT $3"),
            ") AS ended UNION ALL SELECT * FROM (",
            installation!("WHERE (workspace_id, connected, id) > ($1, 1, $2)
                AND (workspace_id, connected, id) <= ($1, 1, 9223372036854775807)
                ORDER BY workspace_id, connected, id LIMIT $3"),
            ") AS standing) AS found ORDER BY id LIMIT $3");
    INSTALLED =
        sqlite "SELECT i.id, a.name, i.scopes, i.reason, u.name, i.created_at, i.disconnected_at
            FROM installations i CROSS JOIN apps a ON a.id = i.app_id LEFT JOIN users u ON u.id = i.installed_by
            WHERE i.workspace_id = $1 AND i.connected = $2 ORDER BY i.id DESC LIMIT $3"
        postgres "SELECT i.id, a.name, i.scopes, i.reason, u.name, i.created_at, i.disconnected_at
            FROM (SELECT * FROM installations WHERE (workspace_id, connected, id) >= ($1, $2, 0)
                    AND (workspace_id, connected, id) <= ($1, $2, 9223372036854775807)
                ORDER BY workspace_id DESC, connected DESC, id DESC LIMIT $3) AS i
            CROSS JOIN LATERAL (SELECT name FROM apps WHERE id = i.app_id LIMIT 1) AS a
            LEFT JOIN LATERAL (SELECT name FROM users WHERE id = i.installed_by LIMIT 1) AS u ON TRUE
            ORDER BY i.id DESC";
    SET_SCOPES = "UPDATE installations SET scopes = $2 WHERE id = $1";
    DISCONNECT = "UPDATE installations SET connected = 0, reason = $2, disconnected_at = $3
        WHERE id = $1 AND connected = 1";
    INSERT_CODE = "INSERT INTO install_codes (code_hash, app_id, workspace_id, approved_by, scopes,
            redirect_uri, challenge, expires_at, used_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, NULL)";
    CODE = "SELECT app_id, workspace_id, approved_by, scopes, redirect_uri, challenge, expires_at, used_at
        FROM install_codes WHERE code_hash = $1";
    USE_CODE = "UPDATE install_codes SET used_at = $2 WHERE code_hash = $1 AND used_at IS NULL";
    DELETE_CODES = "DELETE FROM install_codes WHERE expires_at <= $1";
    // few rows: a code lives for ten minutes
    VOID_CODES = "DELETE FROM install_codes WHERE app_id = $1 AND workspace_id = $2 AND used_at IS NULL";
    VOID_CODES_OF_APP = "DELETE FROM install_codes WHERE app_id = $1 AND used_at IS NULL";
}

/// Writes a new app.
pub async fn insert<C: Sql>(c: &mut C, a: &App) -> Result<()> {
    c.exec(
        &INSERT,
        args![
            a.id,
            &a.name,
            &a.client_id,
            &a.client_secret_hash[..],
            &a.signing_secret,
            a.previous_signing_secret.as_deref(),
            a.signing_rotated_at,
            a.callback_url.as_deref(),
            &a.redirect_uris,
            a.scopes,
            a.disabled_at,
            a.created_at
        ],
    )
    .await?;
    Ok(())
}

/// Writes every field that may change.
pub async fn update<C: Sql>(c: &mut C, a: &App) -> Result<()> {
    c.exec(
        &UPDATE,
        args![
            a.id,
            &a.name,
            &a.client_secret_hash[..],
            &a.signing_secret,
            a.previous_signing_secret.as_deref(),
            a.signing_rotated_at,
            a.callback_url.as_deref(),
            &a.redirect_uris,
            a.scopes,
            a.disabled_at
        ],
    )
    .await?;
    Ok(())
}

/// One app.
pub async fn by_id<C: Sql>(c: &mut C, id: AppId) -> Result<Option<App>> {
    c.opt(&BY_ID, args![id]).await
}

/// The same, held until the transaction ends.
pub async fn by_id_for_update<C: Sql>(c: &mut C, id: AppId) -> Result<Option<App>> {
    c.opt(&BY_ID_FOR_UPDATE, args![id]).await
}

/// The app of a client id.
pub async fn by_client_id<C: Sql>(c: &mut C, client_id: &str) -> Result<Option<App>> {
    c.opt(&BY_CLIENT_ID, args![client_id]).await
}

/// Apps after `after` in order of creation.
pub async fn page<C: Sql>(c: &mut C, after: i64, limit: i64) -> Result<Vec<App>> {
    c.all(&PAGE, args![after, limit]).await
}

/// Writes a new installation.
pub async fn insert_installation<C: Sql>(c: &mut C, i: &Installation) -> Result<()> {
    c.exec(
        &INSERT_INSTALLATION,
        args![
            i.id,
            i.app_id,
            i.workspace_id,
            i.bot_user_id,
            i.scopes,
            i.connected,
            i.reason,
            i.installed_by,
            i.created_at,
            i.disconnected_at
        ],
    )
    .await?;
    Ok(())
}

/// One installation.
pub async fn installation<C: Sql>(c: &mut C, id: InstallationId) -> Result<Option<Installation>> {
    c.opt(&INSTALLATION, args![id]).await
}

/// The connected installation of an app in a company.
pub async fn connected<C: Sql>(c: &mut C, app: AppId, w: WorkspaceId) -> Result<Option<Installation>> {
    c.opt(&CONNECTED, args![app, w]).await
}

/// Every connected installation of an app.
pub async fn connected_of_app<C: Sql>(c: &mut C, app: AppId) -> Result<Vec<Installation>> {
    c.all(&CONNECTED_OF_APP, args![app]).await
}

/// A company's installations after `after`, connected or not.
pub async fn installations<C: Sql>(
    c: &mut C,
    w: WorkspaceId,
    after: i64,
    limit: i64,
) -> Result<Vec<Installation>> {
    c.all(&INSTALLATIONS, args![w, after, limit]).await
}

/// A company's newest installations with names, those that stand or those that ended.
pub async fn installed<C: Sql>(
    c: &mut C,
    w: WorkspaceId,
    connected: bool,
    limit: i64,
) -> Result<Vec<InstalledApp>> {
    c.all(&INSTALLED, args![w, connected, limit]).await
}

/// The union of the scopes of an installation's tokens.
pub async fn set_scopes<C: Sql>(c: &mut C, id: InstallationId, scopes: Scopes) -> Result<()> {
    c.exec(&SET_SCOPES, args![id, scopes]).await?;
    Ok(())
}

/// Disconnects an installation, and with it every token. False when it was disconnected already. Whoever calls drains the
/// lock of the installation or of the app.
pub async fn disconnect<C: Sql>(c: &mut C, id: InstallationId, why: Reason, now: Timestamp) -> Result<bool> {
    Ok(c.exec(&DISCONNECT, args![id, why, now]).await? == 1)
}

/// Writes a code under its SHA-256.
pub async fn insert_code<C: Sql>(c: &mut C, code_hash: &[u8; 32], k: &InstallCode) -> Result<()> {
    c.exec(
        &INSERT_CODE,
        args![
            code_hash,
            k.app_id,
            k.workspace_id,
            k.approved_by,
            k.scopes,
            k.redirect_uri.as_deref(),
            k.challenge.as_deref(),
            k.expires_at
        ],
    )
    .await?;
    Ok(())
}

/// The code of a SHA-256, expired and used ones too.
pub async fn code<C: Sql>(c: &mut C, code_hash: &[u8; 32]) -> Result<Option<InstallCode>> {
    c.opt(&CODE, args![code_hash]).await
}

/// Uses a code up; false when it was used already.
pub async fn use_code<C: Sql>(c: &mut C, code_hash: &[u8; 32], now: Timestamp) -> Result<bool> {
    Ok(c.exec(&USE_CODE, args![code_hash, now]).await? == 1)
}

/// Takes back the codes of an app for a company that nobody used yet. Whoever calls holds the app, as an exchange
/// does: no exchange that has begun slips past.
pub async fn void_codes<C: Sql>(c: &mut C, app: AppId, w: WorkspaceId) -> Result<()> {
    c.exec(&VOID_CODES, args![app, w]).await?;
    Ok(())
}

/// The same for every company.
pub async fn void_codes_of_app<C: Sql>(c: &mut C, app: AppId) -> Result<()> {
    c.exec(&VOID_CODES_OF_APP, args![app]).await?;
    Ok(())
}

/// Removes codes that ran out by `until`.
pub async fn delete_codes<C: Sql>(c: &mut C, until: Timestamp) -> Result<u64> {
    c.exec(&DELETE_CODES, args![until]).await
}
