//! Decides which users no longer receive messages: people who are deactivated or removed, and bots of disconnected
//! installations.

use std::collections::HashMap;

use crate::{
    domain::ids::UserId,
    store::{ReadSql, Result, apps, users::User},
};

/// Why a user no longer receives messages. The web client shows the reason, because people can still write in the
/// direct conversation with the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InactiveRecipient {
    /// The user is a person who is deactivated or removed.
    Person,
    /// The user is a bot whose installation is disconnected.
    App,
}

/// Returns those of `users` who no longer receive messages, each with the reason.
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
