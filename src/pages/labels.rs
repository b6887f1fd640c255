//! Human-readable labels of scopes, states, reasons and numbers.

use std::collections::HashMap;

use crate::{
    domain::{
        grant::{Access, AccessScope, EndReason},
        installation::DisconnectReason,
        people::UserState,
        scopes::Scope,
        tool_calls::{ToolEnd, ToolId},
    },
    service::{
        oauth::consent::{AskingClient, Unavailable},
        tool_calls::TargetName,
    },
};

/// Returns the label of a bot scope. It completes the sentence "It will be able to …".
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

/// Returns the label of an account state.
pub(super) const fn state(state: UserState) -> &'static str {
    match state {
        UserState::Active => "Active",
        UserState::Onboarding => "Onboarding",
        UserState::Deactivated => "Deactivated",
        UserState::Removed => "Removed",
    }
}

/// Returns why an installation was disconnected.
pub(super) const fn disconnect(reason: Option<DisconnectReason>) -> &'static str {
    match reason {
        Some(DisconnectReason::Admin) => "uninstalled by an admin",
        Some(DisconnectReason::AppDisabled) => "the app was disabled by the operator",
        Some(DisconnectReason::AppRevoked) => "disconnected by the app",
        None => "disconnected",
    }
}

/// Returns the label of an assistant scope. It completes the sentence "It will be able to …".
pub(super) const fn assistant_scope(scope: AccessScope) -> &'static str {
    match scope {
        AccessScope::Read => {
            "read what you can read: conversations, messages, files, colleagues and your drafts"
        }
        AccessScope::Write => {
            "write and discard your drafts, and send messages in your name, marked with its own name"
        }
    }
}

/// Returns a note on the origin of an unverified client's name (D-247).
pub(super) fn name_note(client: &AskingClient) -> String {
    if client.own_name {
        "Chosen by the app itself. Nobody has checked who is behind it.".to_owned()
    } else {
        format!("This is the well-known name of {}. The app registered itself.", client.redirect_host)
    }
}

/// Returns why a company cannot be chosen on the consent page.
pub(super) const fn unavailable(why: Unavailable) -> &'static str {
    match why {
        Unavailable::AssistantsOff => "The company has turned assistants off.",
        Unavailable::Blocked => "The company has blocked this assistant.",
        Unavailable::NotEmployee => "You are not an active employee there.",
    }
}

/// Returns why the company that the employee chose on the consent page is not available any more.
pub(super) const fn no_longer_available(why: Unavailable) -> &'static str {
    match why {
        Unavailable::AssistantsOff => "That company has turned assistants off. Nothing was connected.",
        Unavailable::Blocked => "That company has blocked this assistant. Nothing was connected.",
        Unavailable::NotEmployee => "You are not an active employee of that company. Nothing was connected.",
    }
}

/// Returns a short description of a connection's scopes.
pub(super) const fn access(scopes: Access) -> &'static str {
    match (scopes.contains(AccessScope::Read), scopes.contains(AccessScope::Write)) {
        (true, true) => "May read and write",
        (false, true) => "May only write",
        (_, false) => "May only read",
    }
}

/// Returns where a connection's redirect URI leads, so that people can distinguish connections with the same name.
/// Scheme and host are case-insensitive (RFC 3986 §6.2.2.1) and returned in lower case; the stored URI is not
/// normalized.
pub(super) fn destination(redirect_uri: &str) -> String {
    let (scheme, rest) = redirect_uri.split_once(':').unwrap_or((redirect_uri, ""));
    match scheme.to_ascii_lowercase().as_str() {
        "https" => {
            let rest = rest.strip_prefix("//").unwrap_or(rest);
            rest.split(['/', '?']).next().unwrap_or(rest).to_ascii_lowercase()
        }
        "http" => "an app on the computer".to_owned(),
        scheme => format!("an app on the computer ({scheme})"),
    }
}

/// Returns why a connection ended (D-319), for the employee of the connection if `own` is true, otherwise for an admin.
pub(super) const fn ended(reason: EndReason, own: bool) -> &'static str {
    match reason {
        EndReason::Employee if own => "You disconnected it",
        EndReason::Employee => "Disconnected by the employee",
        EndReason::Admin => "Disconnected by an admin",
        EndReason::ClientBlocked => "The company blocked the assistant",
        EndReason::AssistantsOff => "The company turned assistants off",
        EndReason::UserDeactivated => "The account was deactivated",
        EndReason::UserRemoved => "The account was removed",
        EndReason::LoggedOut => "An admin signed the person out",
        EndReason::NotEmployee => "The person is no longer an employee",
        EndReason::Replaced => "The same assistant was connected again",
        EndReason::RefreshExpired => "Not used for 30 days",
        EndReason::SessionExpired => "The company's maximum duration of a connection was reached",
        EndReason::Client => "The assistant disconnected itself",
        EndReason::CodeReused | EndReason::RefreshReused => {
            "Ended for security: a one-time code or token was reused, so it may have been stolen"
        }
    }
}

/// Returns a label that says what a call of a tool did; the tool's name for an unknown tool.
pub(super) fn tool(name: &str) -> String {
    let label = |tool| match tool {
        ToolId::ListConversations => "Listed conversations",
        ToolId::ReadMessages => "Read messages",
        ToolId::SearchMessages => "Searched messages",
        ToolId::ListPeople => "Listed people",
        ToolId::GetPerson => "Looked at a person",
        ToolId::GetFile => "Opened a file",
        ToolId::WhoAmI => "Checked its identity",
        ToolId::ListDrafts => "Listed drafts",
        ToolId::DraftMessage => "Wrote a draft",
        ToolId::SendDraft => "Sent a draft",
        ToolId::DiscardDraft => "Discarded a draft",
    };
    ToolId::from_name(name).map_or(name, label).to_owned()
}

/// Returns the label of a tool call's outcome.
pub(super) const fn tool_end(end: ToolEnd) -> &'static str {
    match end {
        ToolEnd::Ok => "Done",
        ToolEnd::Refused => "Refused",
        ToolEnd::Failed => "Failed",
    }
}

/// Formats a duration given in microseconds.
#[expect(clippy::cast_precision_loss, reason = "only one decimal place is shown")]
pub(super) fn took(micros: i64) -> String {
    match micros {
        ..10_000 => format!("{:.1} ms", micros.max(0) as f64 / 1e3),
        10_000..1_000_000 => format!("{} ms", micros / 1_000),
        _ => format!("{:.1} s", micros as f64 / 1e6),
    }
}

/// Returns an ellipsis and the last six characters of an id, which are enough to distinguish a few ids. Returns an id
/// of at most 12 characters whole.
pub(super) fn ending(id: &str) -> String {
    let letters: Vec<char> = id.chars().collect();
    match letters.len() {
        ..=12 => id.to_owned(),
        many => format!("…{}", letters[many - 6..].iter().collect::<String>()),
    }
}

/// Describes the targets of a tool call. Lists the names of the targets that have a name in `names`, and counts the
/// other targets by kind. `ids` are separated by spaces. `more` is the number of targets that are not in `ids`.
pub(super) fn targets(ids: &str, more: i64, names: &HashMap<String, TargetName>) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for id in ids.split(' ').filter(|id| !id.is_empty()) {
        if let Some(name) = names.get(id).and_then(|target| target.name.as_ref()) {
            words.push(name.clone());
            continue;
        }
        let kind = match id.split('_').next().unwrap_or_default() {
            "usr" => "person",
            "grp" => "group",
            "chn" => "channel",
            "dm" => "direct message",
            "gmsg" | "dmsg" => "message",
            "fil" => "file",
            "drf" | "dft" => "draft",
            _ => "object",
        };
        match counted.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, number)) => *number += 1,
            None => counted.push((kind, 1)),
        }
    }
    words.extend(counted.into_iter().map(|(kind, number)| match (kind, number) {
        (kind, 1) => format!("1 {kind}"),
        ("person", number) => format!("{number} people"),
        (kind, number) => format!("{number} {kind}s"),
    }));
    if more > 0 {
        words.push(format!("{more} more"));
    }
    words.join(", ")
}

/// Returns a number with commas between its groups of three digits: `5,000`.
pub(super) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_tool_keeps_its_name() {
        assert_eq!(tool("send_draft"), "Sent a draft");
        assert_eq!(tool("a_later_tool"), "a_later_tool");
    }

    #[test]
    fn digits_are_grouped() {
        for (number, text) in [(0, "0"), (999, "999"), (5_000, "5,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn targets_are_named_or_counted() {
        let name = |id: &str, name: Option<&str>| {
            (id.to_owned(), TargetName { id: id.to_owned(), name: name.map(str::to_owned) })
        };
        let names = HashMap::from([name("grp_1", Some("Engineering")), name("dm_1", None)]);
        for (ids, more, words) in [
            ("", 0, ""),
            ("grp_1 gmsg_1 gmsg_2", 0, "Engineering, 2 messages"),
            ("dm_1 dmsg_1 usr_1 usr_2", 3, "1 direct message, 1 message, 2 people, 3 more"),
        ] {
            assert_eq!(targets(ids, more, &names), words);
        }
    }

    #[test]
    fn durations_have_a_unit_and_few_digits() {
        for (micros, text) in [(-1, "0.0 ms"), (412, "0.4 ms"), (12_345, "12 ms"), (2_540_000, "2.5 s")] {
            assert_eq!(took(micros), text);
        }
    }

    #[test]
    fn the_destination_of_a_redirect_uri_is_described() {
        for (uri, expected) in [
            ("https://assistant.example:8443/cb", "assistant.example:8443"),
            ("https://assistant.example?x", "assistant.example"),
            ("HTTPS://Assistant.Example/CB", "assistant.example"),
            ("http://127.0.0.1:1/cb", "an app on the computer"),
            ("HTTP://localhost/cb", "an app on the computer"),
            ("com.example.app:/cb", "an app on the computer (com.example.app)"),
            ("Com.Example.App:/cb", "an app on the computer (com.example.app)"),
            ("cursor://somewhere/cb", "an app on the computer (cursor)"),
        ] {
            assert_eq!(destination(uri), expected);
        }
    }

    #[test]
    fn scopes_are_described() {
        for (scope, expected) in [
            ("service:read service:write", "May read and write"),
            ("service:read", "May only read"),
            ("service:write", "May only write"),
        ] {
            assert_eq!(Access::parse(scope).map(access), Some(expected));
        }
    }
}
