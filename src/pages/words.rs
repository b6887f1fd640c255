//! Rights, states and reasons in words that people understand.

use crate::{
    domain::{people::UserState, scopes::Scope},
    store::apps::Reason,
};

/// What a scope of a bot app lets it do; ends the sentence "It will be able to".
pub(super) const fn bot_scope(scope: Scope) -> &'static str {
    match scope {
        Scope::MessagesWrite => "send messages under its own name, and edit or delete those",
        Scope::UsersRead => "see the people of the company: names, titles, pictures and time zones",
        Scope::UsersReadEmail => "see e-mail addresses, except of people who hide theirs",
        Scope::ConversationsRead => "see the groups and channels it is added to",
        Scope::ConversationsHistory => "read the messages in groups and channels it is added to",
        Scope::FilesRead => "download files from conversations it can read",
    }
}

/// A person's account state.
pub(super) const fn state(state: UserState) -> &'static str {
    match state {
        UserState::Active => "Active",
        UserState::Onboarding => "Has not arrived yet",
        UserState::Deactivated => "Shut out",
        UserState::Removed => "Removed",
    }
}

/// Why an installation ended.
pub(super) const fn disconnect(reason: Option<Reason>) -> &'static str {
    match reason {
        Some(Reason::Admin) => "uninstalled by an admin",
        Some(Reason::AppDisabled) => "the app was switched off by the service",
        Some(Reason::AppRevoked) => "the app ended it itself",
        None => "ended",
    }
}
