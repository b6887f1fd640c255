//! Accounts, which are the sign-in identities of people, and the sessions of accounts.

use crate::domain::{
    ids::{AccountId, UserId, WorkspaceId},
    people::UserState,
    time::Timestamp,
};
use crate::store::{ReadSql, Result, Sql, args, row, statements, table};

table! {
    /// An account. Its e-mail address is in the column `email_key`. Statements find an account by this column, but do
    /// not return the column.
    #[derive(Clone, Debug)]
    pub struct Account in accounts {
        id: AccountId,
        /// The Argon2id hash of the password in the PHC string format; `None` if the account has no password.
        password_hash: Option<String> = "NULL",
        /// The only company to which the password gives access; `None` if the password gives access to every company of
        /// the account.
        password_workspace_id: Option<WorkspaceId> = "NULL",
    }
    extra_columns { email_key: &'a str, created_at: Timestamp }
}

/// A person of an account. An account has at most one person in each company.
#[derive(Clone, Debug)]
pub struct Membership {
    pub user_id: UserId,
    pub workspace_id: WorkspaceId,
    pub state: UserState,
    pub is_admin: bool,
    /// Whether the person is a guest.
    pub is_external: bool,
    /// Only sessions that were created after this time can act as this person.
    pub sessions_valid_after: Timestamp,
}
row!(Membership { user_id, workspace_id, state, is_admin, is_external, sessions_valid_after });

/// A person of an account, with the name of the person's company and the other fields that the pages show.
#[derive(Clone, Debug, PartialEq)]
pub struct AccountPerson {
    pub user_id: UserId,
    pub workspace_id: WorkspaceId,
    /// The company's name.
    pub company: String,
    /// The person's name.
    pub name: String,
    pub email: Option<String>,
    /// An IANA time zone name.
    pub timezone: Option<String>,
    pub state: UserState,
    pub is_admin: bool,
    /// Whether the person is a guest.
    pub is_external: bool,
    /// Whether other people see the e-mail address.
    pub email_visible: bool,
}
row!(AccountPerson {
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

table! {
    /// A session of an account.
    #[derive(Clone, Debug)]
    pub struct SignInSession in sessions {
        account_id: AccountId,
        created_at: Timestamp,
        expires_at: Timestamp,
        /// The company that the web client shows; `None` until a company is chosen.
        workspace_id: Option<WorkspaceId> = "NULL",
    }
    extra_columns { token_hash: &'a [u8; 32] }
}

statements! {
    INSERT: Command = concat!(accounts!(INSERT), " ON CONFLICT (email_key) DO NOTHING");
    BY_EMAIL: Query -> Account = accounts!(SELECT "WHERE email_key = $1");
    BY_EMAIL_FOR_UPDATE: LockingQuery -> Account = sqlite accounts!(SELECT "WHERE email_key = $1")
        postgres accounts!(SELECT "WHERE email_key = $1 FOR UPDATE");
    BY_ID_FOR_UPDATE: LockingQuery -> Account = sqlite accounts!(SELECT "WHERE id = $1") postgres accounts!(SELECT "WHERE id = $1 FOR UPDATE");
    SET_PASSWORD: Command = "UPDATE accounts SET password_hash = $2, password_workspace_id = $3 WHERE id = $1";
    RESTRICT_PASSWORD: Command = "UPDATE accounts SET password_workspace_id = $2 WHERE id = $1";
    SET_EMAIL: Command = "UPDATE accounts SET email_key = $2 WHERE id = $1";
    DELETE: Command = "DELETE FROM accounts WHERE id = $1";
    DELETE_PLACES: Command = "DELETE FROM sign_in_places WHERE account_id = $1";
    MEMBERSHIPS: Query -> Membership = "SELECT id AS user_id, workspace_id, state, is_admin, is_external, sessions_valid_after
        FROM users WHERE account_id = $1 ORDER BY id";
    PEOPLE: Query -> AccountPerson = "SELECT u.id AS user_id, u.workspace_id, w.name AS company, u.name, u.email, u.timezone, u.state, u.is_admin,
            u.is_external, u.email_visible
        FROM users u JOIN workspaces w ON w.id = u.workspace_id WHERE u.account_id = $1 ORDER BY u.id";
    OPENED: Query -> Membership = "SELECT u.id AS user_id, u.workspace_id, u.state, u.is_admin, u.is_external, u.sessions_valid_after
        FROM users u JOIN accounts a ON a.id = u.account_id
        WHERE u.account_id = $1
            AND (a.password_workspace_id IS NULL OR a.password_workspace_id = u.workspace_id)
        ORDER BY u.id";
    INSERT_SESSION: Command = sessions!(INSERT);
    SESSION: Query -> SignInSession = sessions!(SELECT "WHERE token_hash = $1");
    CHOOSE_COMPANY: Command = "UPDATE sessions SET workspace_id = $2 WHERE token_hash = $1";
    DELETE_SESSION: Command = "DELETE FROM sessions WHERE token_hash = $1";
    DELETE_SESSIONS_OF: Command = "DELETE FROM sessions WHERE account_id = $1";
    DELETE_OTHER_SESSIONS: Command = "DELETE FROM sessions WHERE account_id = $1 AND token_hash <> $2";
    NEWEST_SESSION: Query = "SELECT MAX(created_at) FROM sessions WHERE account_id = $1";
    // On PostgreSQL, a session that a concurrent transaction has locked, for example in order to delete it, is skipped,
    // so that the maintenance job does not wait for that transaction.
    DELETE_EXPIRED: Command =
        sqlite "DELETE FROM sessions WHERE token_hash IN
            (SELECT token_hash FROM sessions WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)"
        postgres "DELETE FROM sessions WHERE token_hash = ANY(ARRAY(
            SELECT token_hash FROM sessions WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))";
}

/// Inserts an account without a password. If the e-mail address already has an account, inserts nothing and returns
/// `false`. `email_key` is the result of [`email_key`](crate::domain::people::email_key) for the address.
pub async fn insert<C: Sql>(c: &mut C, id: AccountId, email_key: &str, now: Timestamp) -> Result<bool> {
    let account = Account { id, password_hash: None, password_workspace_id: None };
    Ok(c.exec(&INSERT, &account.insert_args(email_key, now)).await? == 1)
}

/// Returns the account of an e-mail address. `email_key` is the result of
/// [`email_key`](crate::domain::people::email_key) for the address.
pub async fn by_email<C: ReadSql>(c: &mut C, email_key: &str) -> Result<Option<Account>> {
    c.opt(&BY_EMAIL, args![email_key]).await
}

/// Returns the account of an e-mail address, and locks the account's row until the transaction ends.
pub async fn by_email_for_update<C: Sql>(c: &mut C, email_key: &str) -> Result<Option<Account>> {
    c.lock_opt(&BY_EMAIL_FOR_UPDATE, args![email_key]).await
}

/// Returns an account, and locks its row until the transaction ends.
pub async fn by_id_for_update<C: Sql>(c: &mut C, id: AccountId) -> Result<Option<Account>> {
    c.lock_opt(&BY_ID_FOR_UPDATE, args![id]).await
}

/// Replaces the password of an account. The new password gives access only to the company `only_for`. If `only_for` is
/// `None`, the new password gives access to every company of the account.
pub async fn set_password<C: Sql>(
    c: &mut C,
    id: AccountId,
    hash: &str,
    only_for: Option<WorkspaceId>,
) -> Result<()> {
    c.exec(&SET_PASSWORD, args![id, hash, only_for]).await?;
    Ok(())
}

/// Restricts the password of an account: from now on the password gives access only to the company `only_for`.
pub async fn restrict_password<C: Sql>(c: &mut C, id: AccountId, only_for: WorkspaceId) -> Result<()> {
    c.exec(&RESTRICT_PASSWORD, args![id, only_for]).await?;
    Ok(())
}

/// Changes the e-mail address of an account. The caller has to ensure that no other account has the new address.
pub async fn set_email<C: Sql>(c: &mut C, id: AccountId, email_key: &str) -> Result<()> {
    c.exec(&SET_EMAIL, args![id, email_key]).await?;
    Ok(())
}

/// Deletes an account, its sessions, and the known locations (networks and browsers) of its sign-ins.
pub async fn delete<C: Sql>(c: &mut C, id: AccountId) -> Result<()> {
    c.exec(&DELETE_SESSIONS_OF, args![id]).await?;
    c.exec(&DELETE_PLACES, args![id]).await?;
    c.exec(&DELETE, args![id]).await?;
    Ok(())
}

/// Returns the people of an account, in any account state.
pub async fn memberships<C: ReadSql>(c: &mut C, id: AccountId) -> Result<Vec<Membership>> {
    c.all(&MEMBERSHIPS, args![id]).await
}

/// Returns the people of an account, in any account state, with the fields that the pages show.
pub async fn people<C: ReadSql>(c: &mut C, id: AccountId) -> Result<Vec<AccountPerson>> {
    c.all(&PEOPLE, args![id]).await
}

/// Returns the people of an account in the companies to which the account's password gives access. The people can be
/// in any account state.
pub async fn opened<C: ReadSql>(c: &mut C, id: AccountId) -> Result<Vec<Membership>> {
    c.all(&OPENED, args![id]).await
}

/// Inserts a session in which no company is chosen yet, whatever `session.workspace_id` is. `token_hash` is the SHA-256
/// of the session's token; the token itself is not stored.
pub async fn insert_session<C: Sql>(c: &mut C, token_hash: &[u8; 32], session: &SignInSession) -> Result<()> {
    c.exec(&INSERT_SESSION, &session.insert_args(token_hash)).await?;
    Ok(())
}

/// Returns the session whose token has this SHA-256, even if the session has expired.
pub async fn session<C: ReadSql>(c: &mut C, token_hash: &[u8; 32]) -> Result<Option<SignInSession>> {
    c.opt(&SESSION, args![token_hash]).await
}

/// Sets the company that the web client shows in the session whose token has this SHA-256.
pub async fn choose_company<C: Sql>(c: &mut C, token_hash: &[u8; 32], company: WorkspaceId) -> Result<()> {
    c.exec(&CHOOSE_COMPANY, args![token_hash, company]).await?;
    Ok(())
}

/// Deletes the session whose token has this SHA-256, if it exists.
pub async fn delete_session<C: Sql>(c: &mut C, token_hash: &[u8; 32]) -> Result<()> {
    c.exec(&DELETE_SESSION, args![token_hash]).await?;
    Ok(())
}

/// Deletes the sessions of an account. If `except` is set, keeps the session whose token has this SHA-256.
pub async fn delete_sessions<C: Sql>(c: &mut C, id: AccountId, except: Option<&[u8; 32]>) -> Result<()> {
    match except {
        None => c.exec(&DELETE_SESSIONS_OF, args![id]).await?,
        Some(kept) => c.exec(&DELETE_OTHER_SESSIONS, args![id, kept]).await?,
    };
    Ok(())
}

/// Returns when the newest session of an account was created; `None` if the account has no session.
pub async fn newest_session<C: ReadSql>(c: &mut C, id: AccountId) -> Result<Option<Timestamp>> {
    Ok(c.one::<(Option<Timestamp>,)>(&NEWEST_SESSION, args![id]).await?.0)
}

/// Deletes up to `limit` expired sessions. Returns the number of deleted sessions.
pub async fn delete_expired_sessions<C: Sql>(c: &mut C, now: Timestamp, limit: i64) -> Result<u64> {
    c.exec(&DELETE_EXPIRED, args![now, limit]).await
}
