//! Apps, their installations in companies, and the codes that an app exchanges for a bot token (install codes).

use crate::domain::{
    ids::{AppId, InstallationId, UserId, WorkspaceId},
    installation::DisconnectReason,
    scopes::Scopes,
    time::Timestamp,
};
use crate::store::{ReadSql, Result, Sql, args, row, secrets::StoredSecret, statements, table};

table! {
    /// A registered app.
    #[derive(Clone, Debug)]
    pub struct App in apps {
        key id: AppId,
        mut name: String,
        client_id: String,
        /// SHA-256 of the client secret.
        mut client_secret_hash: Vec<u8>,
        /// The secret with which the server signs the app's events.
        mut signing_secret: StoredSecret,
        /// The signing secret before the last rotation. For a day after the rotation, events are signed with it too.
        mut previous_signing_secret: Option<StoredSecret>,
        mut signing_rotated_at: Option<Timestamp>,
        /// The URL to which the app's events are sent; `None` if the app gets no events.
        mut callback_url: Option<String>,
        /// A JSON array of strings.
        mut redirect_uris: String,
        mut scopes: Scopes,
        mut disabled_at: Option<Timestamp>,
        created_at: Timestamp,
    }
}

table! {
    /// An installation of an app in a company. It is connected or disconnected.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Installation in installations {
        key id: InstallationId,
        app_id: AppId,
        workspace_id: WorkspaceId,
        bot_user_id: UserId,
        /// The union of the scopes of the installation's tokens.
        scopes: Scopes,
        connected: bool,
        /// Why the installation was disconnected; `None` while it is connected.
        reason: Option<DisconnectReason>,
        /// The admin who approved the installation; `None` if the operator approved it without naming an admin.
        installed_by: Option<UserId>,
        created_at: Timestamp,
        disconnected_at: Option<Timestamp>,
    }
}

/// An installation, with the names that are shown to the company's admins.
#[derive(Clone, Debug, PartialEq)]
pub struct InstalledApp {
    pub id: InstallationId,
    pub app_id: AppId,
    pub bot_user_id: UserId,
    /// The app's name.
    pub name: String,
    pub scopes: Scopes,
    /// Why the installation was disconnected; `None` while it is connected.
    pub reason: Option<DisconnectReason>,
    /// The name of the admin who approved the installation; `None` if the operator approved it without naming an admin.
    pub installed_by: Option<String>,
    pub created_at: Timestamp,
    pub disconnected_at: Option<Timestamp>,
}
row!(InstalledApp {
    id,
    app_id,
    bot_user_id,
    name,
    scopes,
    reason,
    installed_by,
    created_at,
    disconnected_at
});

table! {
    /// A single-use code that an app exchanges for a bot token after an admin or the operator has approved the
    /// installation.
    #[derive(Clone, Debug, PartialEq)]
    pub struct InstallCode in install_codes {
        app_id: AppId,
        workspace_id: WorkspaceId,
        /// The admin who approved the installation; `None` if the operator approved it without naming an admin.
        approved_by: Option<UserId>,
        scopes: Scopes,
        /// The redirect URI of the approval, which the exchange must repeat; `None` if the approval had no redirect
        /// URI.
        redirect_uri: Option<String>,
        /// The PKCE challenge of method S256; `None` if the approval had no challenge.
        challenge: Option<String>,
        expires_at: Timestamp,
        used_at: Option<Timestamp> = "NULL",
    }
    extra_columns { code_hash: &'a [u8; 32] }
}

/// Selects installations with the names of the app and of the admin who approved the installation. `joined` is for
/// SQLite. `page` is for PostgreSQL: it first reads the rows of the page, and then looks up the names for each row.
macro_rules! installed {
    (columns) => {
        "SELECT i.id, i.app_id, i.bot_user_id, a.name, i.scopes, i.reason, u.name AS installed_by, i.created_at,
            i.disconnected_at FROM "
    };
    (joined $where:literal) => {
        concat!(
            installed!(columns),
            "installations i CROSS JOIN apps a ON a.id = i.app_id LEFT JOIN users u ON u.id = i.installed_by ",
            $where
        )
    };
    (page $where:literal $rest:literal) => {
        concat!(
            installed!(columns),
            "(SELECT * FROM installations WHERE ",
            $where,
            ") AS i
            CROSS JOIN LATERAL (SELECT name FROM apps WHERE id = i.app_id LIMIT 1) AS a
            LEFT JOIN LATERAL (SELECT name FROM users WHERE id = i.installed_by LIMIT 1) AS u ON TRUE ",
            $rest
        )
    };
}

statements! {
    INSERT: Command = apps!(INSERT);
    UPDATE: Command = apps!(UPDATE);
    BY_ID: Query -> App = apps!(SELECT "WHERE id = $1");
    BY_ID_FOR_UPDATE: LockingQuery -> App = sqlite apps!(SELECT "WHERE id = $1") postgres apps!(SELECT "WHERE id = $1 FOR UPDATE");
    BY_CLIENT_ID: Query -> App = apps!(SELECT "WHERE client_id = $1");
    PAGE: Query -> App = apps!(SELECT "WHERE id > $1 ORDER BY id LIMIT $2");
    INSERT_INSTALLATION: Command invalidates_token_cache = installations!(INSERT);
    INSTALLATION: Query -> Installation = installations!(SELECT "WHERE id = $1");
    CONNECTED: Query -> Installation = installations!(SELECT "WHERE app_id = $1 AND workspace_id = $2 AND connected = 1");
    CONNECTED_OF_APP: Query -> Installation = installations!(SELECT "WHERE app_id = $1 AND connected = 1 ORDER BY id");
    // on PostgreSQL, the LIMIT in the subquery forces a look-up in an index for each bot, instead of a scan of the
    // table
    CONNECTED_BOTS: Query =
        sqlite "SELECT i.bot_user_id FROM json_each($1) j
            CROSS JOIN installations i ON i.bot_user_id = j.value AND i.connected = 1"
        postgres "SELECT j.id FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT id FROM installations
                WHERE bot_user_id = j.id AND connected = 1 LIMIT 1) AS i";
    // The index `installations_by_state` contains first the disconnected installations of a company, ordered by id, and
    // then the connected installations, ordered by id. So the index is searched twice, and the results are merged. On
    // PostgreSQL, the conditions compare all columns of the index as one row, so that no other index is used.
    INSTALLATIONS: Query -> Installation =
        sqlite concat!("SELECT * FROM (SELECT * FROM (",
            installations!(SELECT "WHERE workspace_id = $1 AND connected = 0 AND id > $2 ORDER BY id LIMIT $3"),
            ") UNION ALL SELECT * FROM (",
            installations!(SELECT "WHERE workspace_id = $1 AND connected = 1 AND id > $2 ORDER BY id LIMIT $3"),
            ")) ORDER BY id LIMIT $3")
        postgres concat!("SELECT * FROM (SELECT * FROM (",
            installations!(SELECT "WHERE (workspace_id, connected, id) >= ($1, 0, $2)
                AND (workspace_id, connected, id) <= ($1, 0, 9223372036854775807) AND id <> $2
                ORDER BY workspace_id, connected, id LIMIT $3"),
            ") AS disconnected UNION ALL SELECT * FROM (",
            installations!(SELECT "WHERE (workspace_id, connected, id) >= ($1, 1, $2)
                AND (workspace_id, connected, id) <= ($1, 1, 9223372036854775807) AND id <> $2
                ORDER BY workspace_id, connected, id LIMIT $3"),
            ") AS connected) AS found ORDER BY id LIMIT $3");
    INSTALLED: Query -> InstalledApp =
        sqlite installed!(joined "WHERE i.workspace_id = $1 AND i.connected = 1 ORDER BY i.id DESC LIMIT $2")
        postgres installed!(page "(workspace_id, connected, id) >= ($1, 1, 0)
                AND (workspace_id, connected, id) <= ($1, 1, 9223372036854775807)
                ORDER BY workspace_id DESC, connected DESC, id DESC LIMIT $2" "ORDER BY i.id DESC");
    // On PostgreSQL, the range has no lower bound. So PostgreSQL estimates many rows, and uses the index that has the
    // order of the page, instead of sorting the rows. The inner SELECT can return installations of other companies,
    // which the outer WHERE removes.
    LATEST_UNINSTALLED: Query -> InstalledApp =
        sqlite installed!(joined "WHERE i.workspace_id = $1 AND i.connected = 0
            ORDER BY i.disconnected_at DESC, i.id DESC LIMIT $2")
        postgres installed!(page "(workspace_id, disconnected_at) <= ($1, 9223372036854775807) AND connected = 0
                ORDER BY workspace_id DESC, disconnected_at DESC, id DESC LIMIT $2"
            "WHERE i.workspace_id = $1 ORDER BY i.disconnected_at DESC, i.id DESC");
    SET_SCOPES: Command invalidates_token_cache = "UPDATE installations SET scopes = $2 WHERE id = $1";
    DISCONNECT: Command invalidates_token_cache = "UPDATE installations SET connected = 0, reason = $2, disconnected_at = $3
        WHERE id = $1 AND connected = 1";
    DISCONNECT_ALL: Command invalidates_token_cache = "UPDATE installations SET connected = 0, reason = $2, disconnected_at = $3
        WHERE app_id = $1 AND connected = 1 RETURNING id";
    INSERT_CODE: Command = install_codes!(INSERT);
    CODE: Query -> InstallCode = install_codes!(SELECT "WHERE code_hash = $1");
    USE_CODE: Command = "UPDATE install_codes SET used_at = $2 WHERE code_hash = $1 AND used_at IS NULL";
    // On PostgreSQL, skips a code that a concurrent transaction has locked in order to use or delete it. If the code
    // still exists after that transaction, the next run of the maintenance job deletes the code.
    DELETE_CODES: Command =
        sqlite "DELETE FROM install_codes WHERE code_hash IN
            (SELECT code_hash FROM install_codes WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)"
        postgres "DELETE FROM install_codes WHERE code_hash = ANY(ARRAY(
            SELECT code_hash FROM install_codes WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))";
    // This statement and the next one scan the table. The table is small, because a code expires after ten minutes and
    // is deleted within minutes after its expiry.
    VOID_CODES: Command = "DELETE FROM install_codes WHERE app_id = $1 AND workspace_id = $2 AND used_at IS NULL";
    VOID_CODES_OF_APP: Command = "DELETE FROM install_codes WHERE app_id = $1 AND used_at IS NULL";
}

/// Inserts an app.
pub async fn insert<C: Sql>(c: &mut C, app: &App) -> Result<()> {
    c.exec(&INSERT, &app.insert_args()).await?;
    Ok(())
}

/// Updates those columns of an app that are declared `mut`.
pub async fn update<C: Sql>(c: &mut C, app: &App) -> Result<()> {
    c.exec(&UPDATE, &app.update_args()).await?;
    Ok(())
}

/// Returns an app, even if it is disabled.
pub async fn by_id<C: ReadSql>(c: &mut C, id: AppId) -> Result<Option<App>> {
    c.opt(&BY_ID, args![id]).await
}

/// Returns an app and locks its row until the transaction ends.
pub async fn by_id_for_update<C: Sql>(c: &mut C, id: AppId) -> Result<Option<App>> {
    c.lock_opt(&BY_ID_FOR_UPDATE, args![id]).await
}

/// Returns the app with this client id.
pub async fn by_client_id<C: ReadSql>(c: &mut C, client_id: &str) -> Result<Option<App>> {
    c.opt(&BY_CLIENT_ID, args![client_id]).await
}

/// Returns up to `limit` apps whose ids are above `after`, ordered by id.
pub async fn page<C: ReadSql>(c: &mut C, after: i64, limit: i64) -> Result<Vec<App>> {
    c.all(&PAGE, args![after, limit]).await
}

/// Inserts an installation.
pub async fn insert_installation<C: Sql>(c: &mut C, installation: &Installation) -> Result<()> {
    c.exec(&INSERT_INSTALLATION, &installation.insert_args()).await?;
    Ok(())
}

/// Returns an installation, even if it is disconnected.
pub async fn installation<C: ReadSql>(c: &mut C, id: InstallationId) -> Result<Option<Installation>> {
    c.opt(&INSTALLATION, args![id]).await
}

/// Returns the connected installation of an app in a company.
pub async fn connected<C: ReadSql>(
    c: &mut C,
    app: AppId,
    company: WorkspaceId,
) -> Result<Option<Installation>> {
    c.opt(&CONNECTED, args![app, company]).await
}

/// Returns every connected installation of an app, ordered by id.
pub async fn connected_of_app<C: ReadSql>(c: &mut C, app: AppId) -> Result<Vec<Installation>> {
    c.all(&CONNECTED_OF_APP, args![app]).await
}

/// Returns those of `bots` whose installation is connected, in no particular order.
pub async fn connected_bots<C: ReadSql>(c: &mut C, bots: &[UserId]) -> Result<Vec<UserId>> {
    c.all(&CONNECTED_BOTS, args![bots]).await
}

/// Returns up to `limit` installations of a company whose ids are above `after`, ordered by id. Includes disconnected
/// installations.
pub async fn installations<C: ReadSql>(
    c: &mut C,
    company: WorkspaceId,
    after: i64,
    limit: i64,
) -> Result<Vec<Installation>> {
    c.all(&INSTALLATIONS, args![company, after, limit]).await
}

/// Returns the newest `limit` connected installations of a company. The newest installation is first.
pub async fn installed<C: ReadSql>(c: &mut C, company: WorkspaceId, limit: i64) -> Result<Vec<InstalledApp>> {
    c.all(&INSTALLED, args![company, limit]).await
}

/// Returns the `limit` installations of a company that were disconnected last. The installation that was disconnected
/// last is first.
pub async fn latest_uninstalled<C: ReadSql>(
    c: &mut C,
    company: WorkspaceId,
    limit: i64,
) -> Result<Vec<InstalledApp>> {
    c.all(&LATEST_UNINSTALLED, args![company, limit]).await
}

/// Sets the scopes of an installation. `scopes` must be the union of the scopes of the installation's tokens.
pub async fn set_scopes<C: Sql>(c: &mut C, id: InstallationId, scopes: Scopes) -> Result<()> {
    c.exec(&SET_SCOPES, args![id, scopes]).await?;
    Ok(())
}

/// Disconnects an installation, which makes all tokens of the installation invalid. Returns `false` if the installation
/// was already disconnected.
///
/// The caller must publish a [`Notice::Drain`](crate::store::Notice::Drain) of the lock of the installation or of the
/// app. The disconnection is then acknowledged only after the bot's writes that are in progress have ended.
pub async fn disconnect<C: Sql>(
    c: &mut C,
    id: InstallationId,
    why: DisconnectReason,
    now: Timestamp,
) -> Result<bool> {
    Ok(c.exec(&DISCONNECT, args![id, why, now]).await? == 1)
}

/// Does the same as [`disconnect`] for every connected installation of an app. Returns the ids of these installations.
/// The caller must publish a [`Notice::Drain`](crate::store::Notice::Drain) of the lock of the app.
pub async fn disconnect_all<C: Sql>(
    c: &mut C,
    app: AppId,
    why: DisconnectReason,
    now: Timestamp,
) -> Result<Vec<InstallationId>> {
    c.exec_all(&DISCONNECT_ALL, args![app, why, now]).await
}

/// Inserts an install code. The database has only the SHA-256 of the code.
pub async fn insert_code<C: Sql>(c: &mut C, code_hash: &[u8; 32], code: &InstallCode) -> Result<()> {
    c.exec(&INSERT_CODE, &code.insert_args(code_hash)).await?;
    Ok(())
}

/// Returns the install code with this SHA-256, even if the code has expired or is used.
pub async fn code<C: ReadSql>(c: &mut C, code_hash: &[u8; 32]) -> Result<Option<InstallCode>> {
    c.opt(&CODE, args![code_hash]).await
}

/// Marks an install code as used. Returns `false` if the code was already used or was deleted.
pub async fn use_code<C: Sql>(c: &mut C, code_hash: &[u8; 32], now: Timestamp) -> Result<bool> {
    Ok(c.exec(&USE_CODE, args![code_hash, now]).await? == 1)
}

/// Deletes the unused install codes of an app for one company. The caller must have locked the app's row. The exchange
/// and the creation of a code also lock this row. So neither is in progress when the codes are deleted.
pub async fn void_codes<C: Sql>(c: &mut C, app: AppId, company: WorkspaceId) -> Result<()> {
    c.exec(&VOID_CODES, args![app, company]).await?;
    Ok(())
}

/// Deletes the unused install codes of an app for every company. The caller must have locked the app's row, as for
/// [`void_codes`].
pub async fn void_codes_of_app<C: Sql>(c: &mut C, app: AppId) -> Result<()> {
    c.exec(&VOID_CODES_OF_APP, args![app]).await?;
    Ok(())
}

/// Deletes up to `limit` install codes that expired at or before `until`. Returns the number of deleted codes.
pub async fn delete_codes<C: Sql>(c: &mut C, until: Timestamp, limit: i64) -> Result<u64> {
    c.exec(&DELETE_CODES, args![until, limit]).await
}
