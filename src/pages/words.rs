//! Rights, states and reasons in words that people understand.

use crate::{
    domain::{
        grant::{Access, AccessScope, EndReason},
        people::UserState,
        scopes::Scope,
    },
    store::apps::Reason,
    workspace::assistants::consent::Unavailable,
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
        UserState::Onboarding => "Onboarding",
        UserState::Deactivated => "Deactivated",
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

/// What a scope lets an assistant do; ends the sentence "It will be able to".
pub(super) const fn assistant_scope(scope: AccessScope) -> &'static str {
    match scope {
        AccessScope::Read => "read what you can read: conversations, messages and colleagues",
        AccessScope::Write => "write drafts and send messages in your name, marked with its own",
    }
}

/// Why a company cannot be chosen.
pub(super) const fn unavailable(why: Unavailable) -> &'static str {
    match why {
        Unavailable::AssistantsOff => "The company has switched assistants off.",
        Unavailable::Blocked => "The company has blocked this assistant.",
        Unavailable::NotEmployee => "You are not an active employee there.",
    }
}

/// The same, when it changed while the employee was deciding.
pub(super) const fn not_now(why: Unavailable) -> &'static str {
    match why {
        Unavailable::AssistantsOff => "That company has switched assistants off. Nothing was connected.",
        Unavailable::Blocked => "That company has blocked this assistant. Nothing was connected.",
        Unavailable::NotEmployee => "You are not an active employee of that company. Nothing was connected.",
    }
}

/// What a connection may do, where room is short.
pub(super) const fn access(scopes: Access) -> &'static str {
    if scopes.contains(AccessScope::Write) { "May read and write" } else { "May only read" }
}

/// Where a connection's redirect URI leads, which tells two connections of one name apart.
pub(super) fn place(redirect_uri: &str) -> String {
    match redirect_uri.split_once("://") {
        Some(("https", rest)) => rest.split(['/', '?']).next().unwrap_or(rest).to_owned(),
        Some(("http", _)) => "an app on the computer".to_owned(),
        _ => {
            let scheme = redirect_uri.split(':').next().unwrap_or_default();
            format!("an app on the computer ({scheme})")
        }
    }
}

/// Why a connection ended (D-319), for its employee (`own`) or for an admin.
pub(super) const fn ended(reason: EndReason, own: bool) -> &'static str {
    match reason {
        EndReason::Employee if own => "You disconnected it",
        EndReason::Employee => "Disconnected by the employee",
        EndReason::Admin => "Disconnected by an admin",
        EndReason::ClientBlocked => "The company blocked the assistant",
        EndReason::AssistantsOff => "The company switched assistants off",
        EndReason::UserDeactivated => "The account was deactivated",
        EndReason::UserRemoved => "The account was removed",
        EndReason::LoggedOut => "An admin logged the person out",
        EndReason::NotEmployee => "The person is not an employee any more",
        EndReason::Replaced => "The same assistant was connected again",
        EndReason::RefreshExpired => "Not used for 30 days",
        EndReason::SessionExpired => "The company's longest time had passed",
        EndReason::Client => "The assistant disconnected itself",
        EndReason::CodeReused | EndReason::RefreshReused => {
            "Ended for safety: something of it was used twice, so it may have been stolen"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn places() {
        for (uri, expected) in [
            ("https://assistant.example:8443/cb", "assistant.example:8443"),
            ("https://assistant.example?x", "assistant.example"),
            ("http://127.0.0.1:1/cb", "an app on the computer"),
            ("com.example.app:/cb", "an app on the computer (com.example.app)"),
            ("cursor://somewhere/cb", "an app on the computer (cursor)"),
        ] {
            assert_eq!(place(uri), expected);
        }
    }
}
