//! People and bots.

use super::{
    Op, Result, Sql, args,
    lookups::Lookup,
    row, statements, user_words,
    workspaces::{self, Workspace},
};
use crate::domain::{
    ids::{AccountId, AppId, UserId, WorkspaceId},
    people::UserState,
    time::Timestamp,
};

/// A person or a bot, hidden fields included.
#[derive(Clone, Debug, PartialEq)]
pub struct User {
    pub id: UserId,
    pub workspace_id: WorkspaceId,
    /// The sign-in identity; null for bots and removed people.
    pub account_id: Option<AccountId>,
    /// The app of a bot.
    pub app_id: Option<AppId>,
    pub name: String,
    pub display_name: Option<String>,
    pub email: Option<String>,
    pub avatar_url: Option<String>,
    pub title: Option<String>,
    pub timezone: Option<String>,
    pub state: UserState,
    pub is_admin: bool,
    pub is_external: bool,
    pub is_bot: bool,
    pub email_visible: bool,
    pub guest_visible: bool,
    pub created_at: Timestamp,
}
row!(User {
    id,
    workspace_id,
    account_id,
    app_id,
    name,
    display_name,
    email,
    avatar_url,
    title,
    timezone,
    state,
    is_admin,
    is_external,
    is_bot,
    email_visible,
    guest_visible,
    created_at
});

/// An app that a person may block: one of their company's, or one they blocked before it left.
#[derive(Clone, Debug, PartialEq)]
pub struct AppChoice {
    pub app_id: AppId,
    pub name: String,
    /// When the person blocked it.
    pub blocked_at: Option<Timestamp>,
}
row!(AppChoice { app_id, name, blocked_at });

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, workspace_id, account_id, app_id, name, display_name, email, avatar_url, title, timezone,
                state, is_admin, is_external, is_bot, email_visible, guest_visible, created_at FROM users ",
            $rest
        )
    };
}

statements! {
    INSERT = "INSERT INTO users (id, workspace_id, account_id, app_id, name, display_name, email, email_key,
            avatar_url, title, timezone, state, is_admin, is_external, is_bot, email_visible, guest_visible,
            sessions_valid_after, created_at, has_words)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, 0, $18, 1)";
    UPDATE = "UPDATE users SET account_id = $2, name = $3, display_name = $4, email = $5, email_key = $6,
            avatar_url = $7, title = $8, timezone = $9, state = $10, is_admin = $11, is_external = $12,
            email_visible = $13, guest_visible = $14, has_words = 1
        WHERE id = $1";
    BY_ID = select!("WHERE id = $1");
    WITH_WORKSPACE = "SELECT w.id, w.name, w.domain, u.id, u.name
        FROM users u JOIN workspaces w ON w.id = u.workspace_id WHERE u.id = $1";
    WITH_WORKSPACES =
        sqlite "SELECT w.id, w.name, w.domain, u.id, u.name
            FROM users u JOIN workspaces w ON w.id = u.workspace_id WHERE u.id IN (SELECT value FROM json_each($1))"
        postgres "SELECT w.id, w.name, w.domain, u.id, u.name FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT id, name, workspace_id FROM users WHERE id = j.id LIMIT 1) AS u
            CROSS JOIN LATERAL (SELECT id, name, domain FROM workspaces WHERE id = u.workspace_id LIMIT 1) AS w";
    BY_ID_FOR_UPDATE = sqlite select!("WHERE id = $1") postgres select!("WHERE id = $1 FOR UPDATE");
    BY_IDS =
        sqlite select!("WHERE id IN (SELECT value FROM json_each($1)) ORDER BY id")
        postgres select!("WHERE id = ANY($1) ORDER BY id");
    BY_IDS_FOR_UPDATE =
        sqlite select!("WHERE id IN (SELECT value FROM json_each($1)) ORDER BY id")
        postgres select!("WHERE id = ANY($1) ORDER BY id FOR UPDATE");
    UNSEEN_AMONG =
        sqlite "SELECT id FROM users WHERE id IN (SELECT value FROM json_each($1))
            AND is_external = 1 AND guest_visible = 0"
        postgres "SELECT id FROM users WHERE id = ANY($1) AND is_external = 1 AND guest_visible = 0";
    // the plus keeps PostgreSQL from walking the whole company
    NAMES =
        sqlite "SELECT id, name FROM users WHERE workspace_id = $1
            AND id IN (SELECT value FROM json_each($2)) ORDER BY id"
        postgres "SELECT id, name FROM users WHERE +workspace_id = $1 AND id = ANY($2) ORDER BY id";
    BY_EMAIL = select!("WHERE workspace_id = $1 AND email_key = $2");
    BOT_OF_APP = select!("WHERE workspace_id = $1 AND app_id = $2");
    // on PostgreSQL compared as pairs: the plan for any argument would else walk the primary key, past the people
    // of every other company (SQLite narrows a comparison of pairs by the first column only)
    LISTED_PAGE =
        sqlite select!("WHERE workspace_id = $1 AND id > $2 AND is_bot = 0
            AND (is_external = 0 OR guest_visible = 1) ORDER BY id LIMIT $3")
        postgres select!("WHERE (workspace_id, id) > ($1, $2)
            AND (workspace_id, id) <= ($1, 9223372036854775807)
            AND is_bot = 0 AND (is_external = 0 OR guest_visible = 1) ORDER BY workspace_id, id LIMIT $3");
    PAGE =
        sqlite select!("WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3")
        postgres select!("WHERE (workspace_id, id) > ($1, $2)
            AND (workspace_id, id) <= ($1, 9223372036854775807) ORDER BY workspace_id, id LIMIT $3");
    LOG_OUT = "UPDATE users SET sessions_valid_after = $2 WHERE id = $1";
    INSERT_BLOCK = "INSERT INTO app_blocks (user_id, app_id, created_at, workspace_id) VALUES ($1, $2, $3, $4)
        ON CONFLICT (user_id, app_id) DO NOTHING";
    DELETE_BLOCK = "DELETE FROM app_blocks WHERE user_id = $1 AND app_id = $2";
    APP_CHOICES =
        sqlite "SELECT a.id, a.name, b.created_at
            FROM apps a LEFT JOIN app_blocks b ON b.app_id = a.id AND b.user_id = $1
            WHERE a.id IN (SELECT app_id FROM app_blocks WHERE user_id = $1
                UNION SELECT app_id FROM installations WHERE workspace_id = $2 AND connected = 1)
            ORDER BY a.name, a.id"
        postgres "SELECT a.id, a.name, b.created_at
            FROM (SELECT app_id FROM app_blocks WHERE user_id = $1
                UNION SELECT app_id FROM installations WHERE workspace_id = $2 AND connected = 1) AS wanted
            CROSS JOIN LATERAL (SELECT id, name FROM apps WHERE id = wanted.app_id LIMIT 1) AS a
            LEFT JOIN LATERAL (SELECT created_at FROM app_blocks
                WHERE user_id = $1 AND app_id = wanted.app_id LIMIT 1) AS b ON TRUE
            ORDER BY a.name, a.id";
    BLOCKED = "SELECT created_at FROM app_blocks WHERE user_id = $1 AND app_id = $2";
}

/// Writes a new person or bot. `email_key` is the address trimmed and lower-cased.
pub async fn insert<C: Sql>(c: &mut C, u: &User, email_key: Option<&str>) -> Result<()> {
    c.exec(
        &INSERT,
        args![
            u.id,
            u.workspace_id,
            u.account_id,
            u.app_id,
            &u.name,
            u.display_name.as_deref(),
            u.email.as_deref(),
            email_key,
            u.avatar_url.as_deref(),
            u.title.as_deref(),
            u.timezone.as_deref(),
            u.state,
            u.is_admin,
            u.is_external,
            u.is_bot,
            u.email_visible,
            u.guest_visible,
            u.created_at
        ],
    )
    .await?;
    user_words::keep(c, u, email_key).await
}

/// Writes every field that may change.
pub async fn update<C: Sql>(c: &mut C, u: &User, email_key: Option<&str>) -> Result<()> {
    c.exec(
        &UPDATE,
        args![
            u.id,
            u.account_id,
            &u.name,
            u.display_name.as_deref(),
            u.email.as_deref(),
            email_key,
            u.avatar_url.as_deref(),
            u.title.as_deref(),
            u.timezone.as_deref(),
            u.state,
            u.is_admin,
            u.is_external,
            u.email_visible,
            u.guest_visible
        ],
    )
    .await?;
    user_words::keep(c, u, email_key).await
}

/// One person or bot, of any company.
pub async fn by_id<C: Sql>(c: &mut C, id: UserId) -> Result<Option<User>> {
    c.opt(&BY_ID, args![id]).await
}

/// Somebody and their company, by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Introduced {
    pub workspace_id: WorkspaceId,
    pub workspace_name: String,
    pub domain: Option<String>,
    pub id: UserId,
    pub name: String,
}
row!(Introduced { workspace_id, workspace_name, domain, id, name });

/// One person or bot with their company, in one look.
async fn with_workspace<C: Sql>(c: &mut C, id: UserId) -> Result<Option<Introduced>> {
    c.opt(&WITH_WORKSPACE, args![id]).await
}

/// One of them with their company.
pub(super) struct Introduction(pub(super) UserId);

impl Op for Introduction {
    const NAME: &'static str = "introduce";
    const SINGLE: bool = true;
    type Out = Option<Introduced>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        with_workspace(c, self.0).await
    }
}

/// Some people and bots with all that is known of them and of their companies.
pub(super) struct Profiles(Vec<UserId>);

impl Lookup for Profiles {
    type Key = UserId;
    type Row = (User, Workspace);

    fn of(keys: Vec<UserId>) -> Self {
        Self(keys)
    }
}

impl Op for Profiles {
    const NAME: &'static str = "find_profiles";
    type Out = Vec<(UserId, (User, Workspace))>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let users = by_ids(c, &self.0).await?;
        let mut ids: Vec<WorkspaceId> = users.iter().map(|user| user.workspace_id).collect();
        ids.sort_unstable();
        ids.dedup();
        let companies = workspaces::by_ids(c, &ids).await?;
        let profile = |user: User| {
            let company = companies.iter().find(|company| company.id == user.workspace_id)?.clone();
            Some((user.id, (user, company)))
        };
        Ok(users.into_iter().filter_map(profile).collect())
    }
}

/// Some people and bots with their companies.
pub(super) struct Introductions(Vec<UserId>);

impl Lookup for Introductions {
    type Key = UserId;
    type Row = Introduced;

    fn of(keys: Vec<UserId>) -> Self {
        Self(keys)
    }
}

impl Op for Introductions {
    const NAME: &'static str = "introduce_many";
    const SINGLE: bool = true;
    type Out = Vec<(UserId, Introduced)>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let found: Vec<Introduced> = c.all(&WITH_WORKSPACES, args![&self.0]).await?;
        Ok(found.into_iter().map(|introduced| (introduced.id, introduced)).collect())
    }
}

/// The same as [`by_id`], held until the transaction ends.
pub async fn by_id_for_update<C: Sql>(c: &mut C, id: UserId) -> Result<Option<User>> {
    c.opt(&BY_ID_FOR_UPDATE, args![id]).await
}

/// Several of any company in order of creation; unknown ids are left out.
pub async fn by_ids<C: Sql>(c: &mut C, ids: &[UserId]) -> Result<Vec<User>> {
    c.all(&BY_IDS, args![ids]).await
}

/// Several of any company in order of creation, held until the transaction ends; unknown ids are left out.
pub async fn by_ids_for_update<C: Sql>(c: &mut C, ids: &[UserId]) -> Result<Vec<User>> {
    c.all(&BY_IDS_FOR_UPDATE, args![ids]).await
}

/// Those of some people who are guests that members cannot see (B-126).
pub async fn unseen_among<C: Sql>(c: &mut C, ids: &[UserId]) -> Result<Vec<UserId>> {
    Ok(c.all::<(UserId,)>(&UNSEEN_AMONG, args![ids]).await?.into_iter().map(|(id,)| id).collect())
}

/// The names of some people of a company.
pub async fn names<C: Sql>(
    c: &mut C,
    workspace: WorkspaceId,
    ids: &[UserId],
) -> Result<Vec<(UserId, String)>> {
    c.all(&NAMES, args![workspace, ids]).await
}

/// The person of a company with an address (trimmed, lower-cased).
pub async fn by_email<C: Sql>(c: &mut C, workspace: WorkspaceId, email_key: &str) -> Result<Option<User>> {
    c.opt(&BY_EMAIL, args![workspace, email_key]).await
}

/// The bot user of an app in a company; kept over re-installation.
pub async fn bot_of_app<C: Sql>(c: &mut C, workspace: WorkspaceId, app: AppId) -> Result<Option<User>> {
    c.opt(&BOT_OF_APP, args![workspace, app]).await
}

/// The people that members and bots see, after `after` in order of creation.
pub async fn listed_page<C: Sql>(
    c: &mut C,
    workspace: WorkspaceId,
    after: i64,
    limit: i64,
) -> Result<Vec<User>> {
    c.all(&LISTED_PAGE, args![workspace, after, limit]).await
}

/// Everyone, bots and hidden guests included, after `after` in order of creation.
pub async fn page<C: Sql>(c: &mut C, workspace: WorkspaceId, after: i64, limit: i64) -> Result<Vec<User>> {
    c.all(&PAGE, args![workspace, after, limit]).await
}

/// From now on, sessions begun before `at` no longer speak for this person.
pub async fn log_out<C: Sql>(c: &mut C, id: UserId, at: Timestamp) -> Result<()> {
    c.exec(&LOG_OUT, args![id, at]).await?;
    Ok(())
}

/// A person wants no direct messages of an app.
pub async fn block_app<C: Sql>(c: &mut C, user: &User, app: AppId, now: Timestamp) -> Result<()> {
    c.exec(&INSERT_BLOCK, args![user.id, app, now, user.workspace_id]).await?;
    Ok(())
}

/// A person takes a block back.
pub async fn unblock_app<C: Sql>(c: &mut C, user: UserId, app: AppId) -> Result<()> {
    c.exec(&DELETE_BLOCK, args![user, app]).await?;
    Ok(())
}

/// Whether a person blocked an app.
pub async fn has_blocked<C: Sql>(c: &mut C, user: UserId, app: AppId) -> Result<bool> {
    Ok(c.opt::<(Timestamp,)>(&BLOCKED, args![user, app]).await?.is_some())
}

/// The apps a person of a company may block or has blocked, by name.
pub async fn app_choices<C: Sql>(c: &mut C, user: UserId, workspace: WorkspaceId) -> Result<Vec<AppChoice>> {
    c.all(&APP_CHOICES, args![user, workspace]).await
}
