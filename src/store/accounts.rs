//! Sign-in identities and their sessions.

use super::{Result, Sql, args, row, statements};
use crate::domain::{
    ids::{AccountId, UserId, WorkspaceId},
    people::UserState,
    time::Timestamp,
};

/// A sign-in identity.
#[derive(Clone, Debug)]
pub struct Account {
    pub id: AccountId,
    /// argon2id, in the PHC string format.
    pub password_hash: Option<String>,
    /// The one company the password opens; `None`: every company of the account.
    pub password_workspace_id: Option<WorkspaceId>,
}
row!(Account { id, password_hash, password_workspace_id });

/// What a person is to an account: one row per company.
#[derive(Clone, Debug)]
pub struct Membership {
    pub user_id: UserId,
    pub workspace_id: WorkspaceId,
    pub state: UserState,
    pub is_admin: bool,
    pub is_external: bool,
    pub sessions_valid_after: Timestamp,
}
row!(Membership { user_id, workspace_id, state, is_admin, is_external, sessions_valid_after });

/// A person of an account as their pages show them: with the company's name.
#[derive(Clone, Debug, PartialEq)]
pub struct Persona {
    pub user_id: UserId,
    pub workspace_id: WorkspaceId,
    /// The company's name.
    pub company: String,
    /// The person's.
    pub name: String,
    pub email: Option<String>,
    /// An IANA name.
    pub timezone: Option<String>,
    pub state: UserState,
    pub is_admin: bool,
    pub is_external: bool,
    pub email_visible: bool,
}
row!(Persona {
    user_id,
    workspace_id,
    company,
    name,
    email,
    timezone,
    state,
    is_admin,
    is_external,
    email_visible
});

/// A sign-in that stands.
#[derive(Clone, Debug)]
pub struct Session {
    pub account_id: AccountId,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
}
row!(Session { account_id, created_at, expires_at });

macro_rules! columns {
    ($rest:literal) => {
        concat!("SELECT id, password_hash, password_workspace_id FROM accounts ", $rest)
    };
}

statements! {
    INSERT = "INSERT INTO accounts (id, email_key, password_hash, created_at)
        VALUES ($1, $2, $3, $4) ON CONFLICT (email_key) DO NOTHING";
    BY_EMAIL = columns!("WHERE email_key = $1");
    BY_EMAIL_FOR_UPDATE = sqlite columns!("WHERE email_key = $1")
        postgres columns!("WHERE email_key = $1 FOR UPDATE");
    BY_ID_FOR_UPDATE = sqlite columns!("WHERE id = $1") postgres columns!("WHERE id = $1 FOR UPDATE");
    SET_PASSWORD = "UPDATE accounts SET password_hash = $2, password_workspace_id = $3 WHERE id = $1";
    CONFINE_PASSWORD = "UPDATE accounts SET password_workspace_id = $2 WHERE id = $1";
    SET_EMAIL = "UPDATE accounts SET email_key = $2 WHERE id = $1";
    DELETE = "DELETE FROM accounts WHERE id = $1";
    MEMBERSHIPS = "SELECT id, workspace_id, state, is_admin, is_external, sessions_valid_after
        FROM users WHERE account_id = $1 ORDER BY id";
    OPENED = "SELECT u.id, u.workspace_id, u.state, u.is_admin, u.is_external, u.sessions_valid_after
        FROM users u JOIN accounts a ON a.id = u.account_id
        WHERE u.account_id = $1
            AND (a.password_workspace_id IS NULL OR a.password_workspace_id = u.workspace_id)
        ORDER BY u.id";
    PERSONAS = "SELECT u.id, u.workspace_id, w.name, u.name, u.email, u.timezone, u.state, u.is_admin,
            u.is_external, u.email_visible
        FROM users u JOIN workspaces w ON w.id = u.workspace_id WHERE u.account_id = $1 ORDER BY u.id";
    INSERT_SESSION = "INSERT INTO sessions (token_hash, account_id, created_at, expires_at)
        VALUES ($1, $2, $3, $4)";
    SESSION = "SELECT account_id, created_at, expires_at FROM sessions WHERE token_hash = $1";
    DELETE_SESSION = "DELETE FROM sessions WHERE token_hash = $1";
    DELETE_SESSIONS_OF = "DELETE FROM sessions WHERE account_id = $1";
    DELETE_OTHER_SESSIONS = "DELETE FROM sessions WHERE account_id = $1 AND token_hash <> $2";
    NEWEST_SESSION = "SELECT MAX(created_at) FROM sessions WHERE account_id = $1";
    DELETE_EXPIRED = "DELETE FROM sessions WHERE expires_at <= $1";
}

/// Writes an account unless the address has one; tells whether it did.
pub async fn insert<C: Sql>(c: &mut C, id: AccountId, email_key: &str, now: Timestamp) -> Result<bool> {
    Ok(c.exec(&INSERT, args![id, email_key, None::<&str>, now]).await? == 1)
}

/// The account of an address (trimmed, lower-cased).
pub async fn by_email<C: Sql>(c: &mut C, email_key: &str) -> Result<Option<Account>> {
    c.opt(&BY_EMAIL, args![email_key]).await
}

/// The account of an address, held until the transaction ends.
pub async fn by_email_for_update<C: Sql>(c: &mut C, email_key: &str) -> Result<Option<Account>> {
    c.opt(&BY_EMAIL_FOR_UPDATE, args![email_key]).await
}

/// One account, held until the transaction ends.
pub async fn by_id_for_update<C: Sql>(c: &mut C, id: AccountId) -> Result<Option<Account>> {
    c.opt(&BY_ID_FOR_UPDATE, args![id]).await
}

/// Replaces the password by one that opens one company, or all of the account's.
pub async fn set_password<C: Sql>(
    c: &mut C,
    id: AccountId,
    hash: &str,
    opens: Option<WorkspaceId>,
) -> Result<()> {
    c.exec(&SET_PASSWORD, args![id, hash, opens]).await?;
    Ok(())
}

/// Makes the password open one company only.
pub async fn confine_password<C: Sql>(c: &mut C, id: AccountId, to: WorkspaceId) -> Result<()> {
    c.exec(&CONFINE_PASSWORD, args![id, to]).await?;
    Ok(())
}

/// Moves an account to another address, which must have no account yet.
pub async fn set_email<C: Sql>(c: &mut C, id: AccountId, email_key: &str) -> Result<()> {
    c.exec(&SET_EMAIL, args![id, email_key]).await?;
    Ok(())
}

/// Removes an account and its sessions.
pub async fn delete<C: Sql>(c: &mut C, id: AccountId) -> Result<()> {
    c.exec(&DELETE_SESSIONS_OF, args![id]).await?;
    c.exec(&DELETE, args![id]).await?;
    Ok(())
}

/// The persons an account is, in any state.
pub async fn memberships<C: Sql>(c: &mut C, id: AccountId) -> Result<Vec<Membership>> {
    c.all(&MEMBERSHIPS, args![id]).await
}

/// The persons an account's password opens, in any state: whom its sessions may speak for.
pub async fn opened<C: Sql>(c: &mut C, id: AccountId) -> Result<Vec<Membership>> {
    c.all(&OPENED, args![id]).await
}

/// The same with what their pages show of them.
pub async fn personas<C: Sql>(c: &mut C, id: AccountId) -> Result<Vec<Persona>> {
    c.all(&PERSONAS, args![id]).await
}

/// Writes a session under the SHA-256 of its token.
pub async fn insert_session<C: Sql>(c: &mut C, token_hash: &[u8; 32], s: &Session) -> Result<()> {
    c.exec(&INSERT_SESSION, args![token_hash, s.account_id, s.created_at, s.expires_at]).await?;
    Ok(())
}

/// The session of a token's SHA-256, expired or not.
pub async fn session<C: Sql>(c: &mut C, token_hash: &[u8; 32]) -> Result<Option<Session>> {
    c.opt(&SESSION, args![token_hash]).await
}

/// Ends one session.
pub async fn delete_session<C: Sql>(c: &mut C, token_hash: &[u8; 32]) -> Result<()> {
    c.exec(&DELETE_SESSION, args![token_hash]).await?;
    Ok(())
}

/// Ends every session of an account but one.
pub async fn delete_sessions<C: Sql>(c: &mut C, id: AccountId, but: Option<&[u8; 32]>) -> Result<()> {
    match but {
        None => c.exec(&DELETE_SESSIONS_OF, args![id]).await?,
        Some(kept) => c.exec(&DELETE_OTHER_SESSIONS, args![id, kept]).await?,
    };
    Ok(())
}

/// When the newest session of an account began.
pub async fn newest_session<C: Sql>(c: &mut C, id: AccountId) -> Result<Option<Timestamp>> {
    Ok(c.one::<(Option<Timestamp>,)>(&NEWEST_SESSION, args![id]).await?.0)
}

/// Removes sessions that have run out.
pub async fn delete_expired_sessions<C: Sql>(c: &mut C, now: Timestamp) -> Result<u64> {
    c.exec(&DELETE_EXPIRED, args![now]).await
}
