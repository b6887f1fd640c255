//! People and bots, and the app blocks of people.

pub(in crate::store) mod visibility;
pub mod words;

use self::visibility::{hidden_guest, visible_to_members};
use crate::domain::{
    ids::{AccountId, AppId, UserId, WorkspaceId},
    people::UserState,
    time::Timestamp,
};
use crate::store::{
    ReadOp, ReadSql, Result, Sql, args, engine::lookups::Lookup, named_args, op, row, statements, table,
    user_words,
};

table! {
    /// A person or a bot with all fields, including fields that other users must not see.
    #[derive(Clone, Debug, PartialEq)]
    pub struct User in users {
        key id: UserId,
        workspace_id: WorkspaceId,
        /// The account with which the person signs in. `None` for bots, removed people and people without an e-mail
        /// address.
        mut account_id: Option<AccountId>,
        /// The app of a bot; `None` for people.
        app_id: Option<AppId>,
        mut name: String,
        mut display_name: Option<String>,
        mut email: Option<String>,
        mut avatar_url: Option<String>,
        mut title: Option<String>,
        mut timezone: Option<String>,
        mut state: UserState,
        mut is_admin: bool,
        mut is_external: bool,
        is_bot: bool,
        mut email_visible: bool,
        mut guest_visible: bool,
        created_at: Timestamp,
    }
    // `sessions_valid_after`: see `log_out`. `has_words`: 1 if `user_words` has the search words of the user.
    extra_columns { mut email_key: Option<&'a str>, sessions_valid_after = "0", mut has_words = "1" }
}

impl User {
    /// Creates an active person. All optional fields are `None`. The person is not an admin and not a guest. Members
    /// see the person's e-mail address.
    #[must_use]
    pub const fn new(id: UserId, workspace_id: WorkspaceId, name: String, created_at: Timestamp) -> Self {
        Self {
            id,
            workspace_id,
            account_id: None,
            app_id: None,
            name,
            display_name: None,
            email: None,
            avatar_url: None,
            title: None,
            timezone: None,
            state: UserState::Active,
            is_admin: false,
            is_external: false,
            is_bot: false,
            email_visible: true,
            guest_visible: true,
            created_at,
        }
    }
}

/// An app that a person can block or has blocked. A person can block the apps that are installed in the person's
/// company.
#[derive(Clone, Debug, PartialEq)]
pub struct AppChoice {
    pub app_id: AppId,
    pub name: String,
    /// When the person blocked the app; `None` if the app is not blocked.
    pub blocked_at: Option<Timestamp>,
}
row!(AppChoice { app_id, name, blocked_at });

/// Selects the columns of [`UserOfCompany`] for the users that satisfy `$condition`.
macro_rules! profile {
    ($condition:literal) => {
        concat!(
            "SELECT ",
            users!(COLUMNS),
            ", (SELECT w.name FROM workspaces w WHERE w.id = users.workspace_id) AS company_name,
                (SELECT w.domain FROM workspaces w WHERE w.id = users.workspace_id) AS company_domain
            FROM users WHERE ",
            $condition
        )
    };
}

statements! {
    INSERT: Command = users!(INSERT);
    UPDATE: Command = users!(UPDATE);
    BY_ID: Query -> User = users!(SELECT "WHERE id = $1");
    WITH_WORKSPACE: Query -> UserWithCompany =
        "SELECT w.id AS workspace_id, w.name AS workspace_name, w.domain, u.id, u.name
        FROM users u JOIN workspaces w ON w.id = u.workspace_id WHERE u.id = $1";
    WITH_WORKSPACES: Query -> UserWithCompany =
        sqlite "SELECT w.id AS workspace_id, w.name AS workspace_name, w.domain, u.id, u.name
            FROM users u JOIN workspaces w ON w.id = u.workspace_id WHERE u.id IN (SELECT value FROM json_each($1))"
        postgres "SELECT w.id AS workspace_id, w.name AS workspace_name, w.domain, u.id, u.name FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT id, name, workspace_id FROM users WHERE id = j.id LIMIT 1) AS u
            CROSS JOIN LATERAL (SELECT id, name, domain FROM workspaces WHERE id = u.workspace_id LIMIT 1) AS w";
    PROFILE: Query -> UserOfCompany = profile!("id = $1");
    PROFILES: Query -> UserOfCompany = sqlite profile!("id IN (SELECT value FROM json_each($1))") postgres profile!("id = ANY($1)");
    BY_ID_FOR_UPDATE: LockingQuery -> User = sqlite users!(SELECT "WHERE id = $1") postgres users!(SELECT "WHERE id = $1 FOR UPDATE");
    BY_IDS: Query -> User =
        sqlite users!(SELECT "WHERE id IN (SELECT value FROM json_each($1)) ORDER BY id")
        postgres users!(SELECT "WHERE id = ANY($1) ORDER BY id");
    BY_IDS_FOR_UPDATE: LockingQuery -> User =
        sqlite users!(SELECT "WHERE id IN (SELECT value FROM json_each($1)) ORDER BY id")
        postgres users!(SELECT "WHERE id = ANY($1) ORDER BY id FOR UPDATE");
    HIDDEN_GUESTS_AMONG: Query =
        sqlite concat!("SELECT id FROM users WHERE id IN (SELECT value FROM json_each($1))
            AND ", hidden_guest!(""))
        postgres concat!("SELECT u.id FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT id, is_external, guest_visible FROM users WHERE id = j.id LIMIT 1) AS u
            WHERE ", hidden_guest!("u."));
    // because of the unary plus, PostgreSQL does not scan all users of the company
    NAMES: Query =
        sqlite "SELECT id, name FROM users WHERE workspace_id = $1
            AND id IN (SELECT value FROM json_each($2)) ORDER BY id"
        postgres "SELECT id, name FROM users WHERE +workspace_id = $1 AND id = ANY($2) ORDER BY id";
    BY_EMAIL: Query -> User = users!(SELECT "WHERE workspace_id = $1 AND email_key = $2");
    BOT_OF_APP: Query -> User = users!(SELECT "WHERE workspace_id = $1 AND app_id = $2");
    // On PostgreSQL the columns `workspace_id` and `id` are compared as a pair. With one comparison for each column,
    // the generic plan would scan the primary key, and read the people of all other companies. On SQLite the columns
    // are compared one by one, because SQLite uses only the first column of a pair to narrow its scan.
    LISTED_PAGE: Query -> User =
        sqlite concat!("SELECT ", users!(COLUMNS), " FROM users WHERE workspace_id = $1 AND id > $2 AND is_bot = 0
            AND ", visible_to_members!(""), " ORDER BY id LIMIT $3")
        postgres concat!("SELECT ", users!(COLUMNS), " FROM users WHERE (workspace_id, id) >= ($1, $2)
            AND (workspace_id, id) <= ($1, 9223372036854775807) AND id <> $2
            AND is_bot = 0 AND ", visible_to_members!(""), " ORDER BY workspace_id, id LIMIT $3");
    PAGE: Query -> User =
        sqlite users!(SELECT "WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3")
        postgres users!(SELECT "WHERE (workspace_id, id) >= ($1, $2)
            AND (workspace_id, id) <= ($1, 9223372036854775807) AND id <> $2 ORDER BY workspace_id, id LIMIT $3");
    // the caller has locked the rows in the order of their ids, so that two renames cannot deadlock
    RENAME: Command =
        sqlite "UPDATE users SET name = $2, has_words = 1 WHERE id IN (SELECT value FROM json_each($1))"
        postgres "UPDATE users SET name = $2, has_words = 1 WHERE id = ANY($1)";
    LOG_OUT: Command = "UPDATE users SET sessions_valid_after = $2 WHERE id = $1";
    INSERT_BLOCK: Command = "INSERT INTO app_blocks (user_id, app_id, created_at, workspace_id) VALUES ($1, $2, $3, $4)
        ON CONFLICT (user_id, app_id) DO NOTHING";
    DELETE_BLOCK: Command = "DELETE FROM app_blocks WHERE user_id = $1 AND app_id = $2";
    DELETE_BLOCKS: Command = "DELETE FROM app_blocks WHERE user_id = $1";
    APP_CHOICES: Query -> AppChoice =
        sqlite "SELECT a.id AS app_id, a.name, b.created_at AS blocked_at
            FROM apps a LEFT JOIN app_blocks b ON b.app_id = a.id AND b.user_id = $1
            WHERE a.id IN (SELECT app_id FROM app_blocks WHERE user_id = $1
                UNION SELECT app_id FROM installations WHERE workspace_id = $2 AND connected = 1)
            ORDER BY a.name, a.id"
        postgres "SELECT a.id AS app_id, a.name, b.created_at AS blocked_at
            FROM (SELECT app_id FROM app_blocks WHERE user_id = $1
                UNION SELECT app_id FROM installations WHERE workspace_id = $2 AND connected = 1) AS wanted
            CROSS JOIN LATERAL (SELECT id, name FROM apps WHERE id = wanted.app_id LIMIT 1) AS a
            LEFT JOIN LATERAL (SELECT created_at FROM app_blocks
                WHERE user_id = $1 AND app_id = wanted.app_id LIMIT 1) AS b ON TRUE
            ORDER BY a.name, a.id";
}

/// Inserts a person or a bot, and stores the user's search words. `email_key` is the e-mail address in the form that
/// [`people::email_key`](crate::domain::people::email_key) returns.
pub async fn insert<C: Sql>(c: &mut C, u: &User, email_key: Option<&str>) -> Result<()> {
    c.exec(&INSERT, &u.insert_args(email_key)).await?;
    user_words::keep(c, u, email_key).await
}

/// Updates the columns of a user that are declared `mut`, and the user's search words. `email_key` is the e-mail
/// address in the form that [`people::email_key`](crate::domain::people::email_key) returns.
pub async fn update<C: Sql>(c: &mut C, u: &User, email_key: Option<&str>) -> Result<()> {
    c.exec(&UPDATE, &u.update_args(email_key)).await?;
    user_words::keep(c, u, email_key).await
}

/// Renames the bots in `ids`, and updates their search words. Skips people, and bots that already have the name.
pub async fn rename_bots<C: Sql>(c: &mut C, ids: &[UserId], name: &str) -> Result<()> {
    let mut bots = by_ids_for_update(c, ids).await?;
    bots.retain(|bot| bot.is_bot && bot.name != name);
    if bots.is_empty() {
        return Ok(());
    }
    let ids: Vec<UserId> = bots.iter().map(|bot| bot.id).collect();
    c.exec(&RENAME, args![&ids, name]).await?;
    user_words::keep_name(c, &bots, name).await
}

/// Returns a person or a bot of any company.
pub async fn by_id<C: ReadSql>(c: &mut C, id: UserId) -> Result<Option<User>> {
    c.opt(&BY_ID, args![id]).await
}

/// The name of a user, and the name and the domain of the user's company.
#[derive(Clone, Debug, PartialEq)]
pub struct UserWithCompany {
    pub workspace_id: WorkspaceId,
    pub workspace_name: String,
    pub domain: Option<String>,
    pub id: UserId,
    pub name: String,
}
row!(UserWithCompany { workspace_id, workspace_name, domain, id, name });

/// Returns the names of a user and of the user's company.
async fn with_workspace<C: ReadSql>(c: &mut C, id: UserId) -> Result<Option<UserWithCompany>> {
    c.opt(&WITH_WORKSPACE, args![id]).await
}

/// Reads the names of a user and of the user's company.
pub(in crate::store) struct FindUserWithCompany(pub(in crate::store) UserId);

op! {
    ReadOp "find_user_with_company", SINGLE: FindUserWithCompany -> Option<UserWithCompany> =
        |op, c| with_workspace(c, op.0)
}

/// A user with all columns, and the name and the domain of the user's company.
#[derive(Clone, Debug)]
pub struct UserOfCompany {
    pub user: User,
    pub company_name: String,
    pub company_domain: Option<String>,
}
row!(UserOfCompany { ..user: User, company_name, company_domain });

/// Reads the profile of one user.
pub(in crate::store) struct FindProfile(pub(in crate::store) UserId);

op! {
    ReadOp "find_profile", SINGLE: FindProfile -> Option<UserOfCompany> = |op, c| c.opt(&PROFILE, args![op.0])
}

/// Reads the profiles of several users.
pub(in crate::store) struct Profiles(Vec<UserId>);

impl Lookup for Profiles {
    type Key = UserId;
    type Row = UserOfCompany;

    fn of(keys: Vec<UserId>) -> Self {
        Self(keys)
    }
}

impl ReadOp for Profiles {
    const NAME: &'static str = "find_profiles";
    const SINGLE: bool = true;
    type Out = Vec<(UserId, UserOfCompany)>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let found: Vec<UserOfCompany> = c.all(&PROFILES, args![&self.0]).await?;
        Ok(found.into_iter().map(|profile| (profile.user.id, profile)).collect())
    }
}

/// Reads the names of several users and of their companies.
pub(in crate::store) struct UsersWithCompanies(Vec<UserId>);

impl Lookup for UsersWithCompanies {
    type Key = UserId;
    type Row = UserWithCompany;

    fn of(keys: Vec<UserId>) -> Self {
        Self(keys)
    }
}

impl ReadOp for UsersWithCompanies {
    const NAME: &'static str = "find_users_with_companies";
    const SINGLE: bool = true;
    type Out = Vec<(UserId, UserWithCompany)>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let found: Vec<UserWithCompany> = c.all(&WITH_WORKSPACES, args![&self.0]).await?;
        Ok(found.into_iter().map(|user| (user.id, user)).collect())
    }
}

/// Returns a person or a bot of any company, and locks the row until the transaction ends.
pub async fn by_id_for_update<C: Sql>(c: &mut C, id: UserId) -> Result<Option<User>> {
    c.lock_opt(&BY_ID_FOR_UPDATE, args![id]).await
}

/// Returns several users of any company, ordered by id. Omits unknown ids.
pub async fn by_ids<C: ReadSql>(c: &mut C, ids: &[UserId]) -> Result<Vec<User>> {
    c.all(&BY_IDS, args![ids]).await
}

/// Returns several users of any company, ordered by id, and locks their rows until the transaction ends. Omits unknown
/// ids.
pub async fn by_ids_for_update<C: Sql>(c: &mut C, ids: &[UserId]) -> Result<Vec<User>> {
    c.lock_all(&BY_IDS_FOR_UPDATE, args![ids]).await
}

/// Returns those users in `ids` who are guests hidden from members. The history that a bot reads does not name them as
/// senders (B-126).
pub async fn hidden_guests_among<C: ReadSql>(c: &mut C, ids: &[UserId]) -> Result<Vec<UserId>> {
    Ok(c.all::<(UserId,)>(&HIDDEN_GUESTS_AMONG, args![ids]).await?.into_iter().map(|(id,)| id).collect())
}

/// Returns the names of those users in `ids` who belong to the company, ordered by id.
pub async fn names<C: ReadSql>(
    c: &mut C,
    workspace: WorkspaceId,
    ids: &[UserId],
) -> Result<Vec<(UserId, String)>> {
    c.all(&NAMES, args![workspace, ids]).await
}

/// Returns the person with this e-mail address in a company. `email_key` is the address in the form that
/// [`people::email_key`](crate::domain::people::email_key) returns.
pub async fn by_email<C: ReadSql>(
    c: &mut C,
    workspace: WorkspaceId,
    email_key: &str,
) -> Result<Option<User>> {
    c.opt(&BY_EMAIL, args![workspace, email_key]).await
}

/// Returns the bot user of an app in a company, even if the app is no longer installed. If the app is installed again,
/// it gets the same bot user.
pub async fn bot_of_app<C: ReadSql>(c: &mut C, workspace: WorkspaceId, app: AppId) -> Result<Option<User>> {
    c.opt(&BOT_OF_APP, args![workspace, app]).await
}

/// Returns up to `limit` people of a company with ids above `after`, ordered by id. Omits bots, and guests who are
/// hidden from members.
pub async fn listed_page<C: ReadSql>(
    c: &mut C,
    workspace: WorkspaceId,
    after: i64,
    limit: i64,
) -> Result<Vec<User>> {
    c.all(&LISTED_PAGE, args![workspace, after, limit]).await
}

/// Returns up to `limit` users of a company with ids above `after`, ordered by id. Includes bots and hidden guests.
pub async fn page<C: ReadSql>(
    c: &mut C,
    workspace: WorkspaceId,
    after: i64,
    limit: i64,
) -> Result<Vec<User>> {
    c.all(&PAGE, args![workspace, after, limit]).await
}

/// Invalidates for a person those sessions that were created at or before `at`. The sessions remain valid for other
/// people of the same account.
pub async fn log_out<C: Sql>(c: &mut C, id: UserId, at: Timestamp) -> Result<()> {
    c.exec(&LOG_OUT, args![id, at]).await?;
    Ok(())
}

/// Blocks an app for a person: the app may no longer send direct messages to the person. Does nothing if the app is
/// already blocked.
pub async fn block_app<C: Sql>(c: &mut C, user: &User, app: AppId, now: Timestamp) -> Result<()> {
    c.exec(
        &INSERT_BLOCK,
        named_args!(INSERT_BLOCK {
            user_id: user.id,
            app_id: app,
            created_at: now,
            workspace_id: user.workspace_id,
        }),
    )
    .await?;
    Ok(())
}

/// Removes a person's block of an app.
pub async fn unblock_app<C: Sql>(c: &mut C, user: UserId, app: AppId) -> Result<()> {
    c.exec(&DELETE_BLOCK, args![user, app]).await?;
    Ok(())
}

/// Deletes all app blocks of a removed person.
pub async fn delete_blocks<C: Sql>(c: &mut C, user: UserId) -> Result<()> {
    c.exec(&DELETE_BLOCKS, args![user]).await?;
    Ok(())
}

/// Returns the apps that a person can block or has blocked, ordered by name.
pub async fn app_choices<C: ReadSql>(
    c: &mut C,
    user: UserId,
    workspace: WorkspaceId,
) -> Result<Vec<AppChoice>> {
    c.all(&APP_CHOICES, args![user, workspace]).await
}
