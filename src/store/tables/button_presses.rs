//! The clicks of people in the last day: on a button of an app's message, or on the web client's button that creates a
//! conversation. Each button is in a form with a random nonce. If a form is submitted twice, only one click is stored,
//! so the second submission has no effect.

use crate::domain::{
    ids::{UserId, WorkspaceId},
    time::Timestamp,
};
use crate::store::{ReadSql, Result, Sql, args, keys::Hash, statements, table};

table! {
    /// A click on a button.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ButtonPress in button_presses {
        workspace_id: WorkspaceId,
        user_id: UserId,
        /// The [`Hash`] of the form's nonce. For a new conversation, the hash also covers a prefix, so it differs from
        /// the hash that a click on a message's button with the same nonce has.
        nonce_hash: Vec<u8>,
        /// What was clicked. For a button of a message, the hash of the message and the button. For a new conversation,
        /// the hash of the conversation's fields, followed by the conversation's id.
        fingerprint: Vec<u8>,
        created_at: Timestamp,
    }
}

statements! {
    CLAIM: Command = concat!(button_presses!(INSERT), " ON CONFLICT (user_id, nonce_hash) DO NOTHING");
    FINGERPRINT: Query = "SELECT fingerprint FROM button_presses WHERE user_id = $1 AND nonce_hash = $2";
    // on PostgreSQL, deletes by primary key and with arrays, for the reasons given at `tool_calls::DELETE_EXPIRED`
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

/// Records a click. If a click of the person with the same nonce is stored, records nothing and returns `false`. On
/// PostgreSQL, waits for a concurrent transaction that records a click with the same nonce.
pub async fn claim<C: Sql>(c: &mut C, press: &ButtonPress) -> Result<bool> {
    Ok(c.exec(&CLAIM, &press.insert_args()).await? == 1)
}

/// Returns the fingerprint of a person's click with this nonce; `None` if no such click is stored.
pub async fn fingerprint<C: ReadSql>(c: &mut C, user: UserId, nonce: &Hash) -> Result<Option<Vec<u8>>> {
    Ok(c.opt::<(Vec<u8>,)>(&FINGERPRINT, args![user, nonce]).await?.map(|(found,)| found))
}

/// Deletes up to `limit` clicks that were made at or before `until`, the oldest clicks first. Returns the number of
/// deleted clicks.
pub async fn delete_old<C: Sql>(c: &mut C, until: Timestamp, limit: i64) -> Result<u64> {
    c.exec(&DELETE_OLD, args![until, limit]).await
}
