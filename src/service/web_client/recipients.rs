//! Whether the other user of a direct conversation still receives messages.

use std::collections::HashMap;

use crate::{
    domain::ids::UserId,
    store::{ReadSql, Result, apps, users::User},
};

/// Why a user no longer receives messages. The server still accepts messages to such a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InactiveRecipient {
    /// A person who is deactivated or removed.
    Person,
    /// A bot whose installation is disconnected.
    App,
}

/// Returns the users of `users` who no longer receive messages, with the reasons.
pub(super) async fn inactive<C: ReadSql>(
    c: &mut C,
    users: &[User],
) -> Result<HashMap<UserId, InactiveRecipient>> {
    let bots: Vec<UserId> = users.iter().filter(|user| user.is_bot).map(|bot| bot.id).collect();
    let connected = if bots.is_empty() { Vec::new() } else { apps::connected_bots(c, &bots).await? };
    let reason = |user: &User| {
        if user.is_bot {
            (!connected.contains(&user.id)).then_some(InactiveRecipient::App)
        } else {
            (!user.state.is_active()).then_some(InactiveRecipient::Person)
        }
    };
    Ok(users.iter().filter_map(|user| Some((user.id, reason(user)?))).collect())
}
