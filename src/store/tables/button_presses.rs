//! Clicks of people in the last day, on the buttons of apps and on the button that creates a conversation. A form that
//! is submitted twice counts as one click.

use crate::domain::{
    ids::{UserId, WorkspaceId},
    time::Timestamp,
};
use crate::store::{ReadSql, Result, Sql, args, keys::Hash, statements, table};

table! {
    /// A click.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ButtonPress in button_presses {
        workspace_id: WorkspaceId,
        user_id: UserId,
        /// Hash of the form's nonce.
        nonce_hash: Vec<u8>,
        /// Hash of the message and the button. For a new conversation, the hash of the conversation's fields, followed
        /// by the conversation's id.
        fingerprint: Vec<u8>,
        created_at: Timestamp,
    }
}

statements! {
    CLAIM: Command = concat!(button_presses!(INSERT), " ON CONFLICT (user_id, nonce_hash) DO NOTHING");
    FINGERPRINT: Query = "SELECT fingerprint FROM button_presses WHERE user_id = $1 AND nonce_hash = $2";
    // on PostgreSQL, by primary key and with arrays, as in `tool_calls::DELETE_EXPIRED`
    DELETE_OLD: Command =
        sqlite "DELETE FROM button_presses WHERE (user_id, nonce_hash) IN
            (SELECT user_id, nonce_hash FROM button_presses WHERE created_at <= $1 ORDER BY created_at LIMIT $2)"
        postgres "DELETE FROM button_presses t USING (
                SELECT array_agg(user_id) AS users, array_agg(nonce_hash) AS hashes FROM (
                    SELECT user_id, nonce_hash FROM button_presses WHERE created_at <= $1 ORDER BY created_at LIMIT $2
                    FOR UPDATE) AS found) AS old
            CROSS JOIN LATERAL unnest(old.users, old.hashes) AS o(user_id, nonce_hash)
            WHERE t.user_id = o.user_id AND t.nonce_hash = o.nonce_hash";
}

/// Records a click unless the person's nonce was used before. Returns whether the click was recorded. On
/// PostgreSQL, waits for a concurrent claim of the same nonce.
pub async fn claim<C: Sql>(c: &mut C, press: &ButtonPress) -> Result<bool> {
    Ok(c.exec(&CLAIM, &press.insert_args()).await? == 1)
}

/// Returns the fingerprint of the click for which a person's nonce was used; `None` for an unused nonce.
pub async fn fingerprint<C: ReadSql>(c: &mut C, user: UserId, nonce: &Hash) -> Result<Option<Vec<u8>>> {
    Ok(c.opt::<(Vec<u8>,)>(&FINGERPRINT, args![user, nonce]).await?.map(|(found,)| found))
}

/// Deletes up to `limit` clicks made up to `until`, oldest first. Returns the number deleted.
pub async fn delete_old<C: Sql>(c: &mut C, until: Timestamp, limit: i64) -> Result<u64> {
    c.exec(&DELETE_OLD, args![until, limit]).await
}
