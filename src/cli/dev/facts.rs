//! What the console shows about the sandbox: the ids and secrets of the demo company, and the command that recreates
//! the sandbox.

use crate::{
    app::{Fact, FactGroup, SandboxFacts},
    cli::seed::Demo,
    platform::secrets::Secret,
};

/// Returns the facts of a sandbox. `key` is the operator key; `recreate_command` is the command that deletes
/// and recreates the sandbox.
#[must_use]
pub fn facts(demo: &Demo, base_url: &str, key: &Secret, recreate_command: &str) -> SandboxFacts {
    let installed = demo.apps.get("installed").cloned().unwrap_or_default();
    let installation = &demo.installation;
    let mut groups = vec![
        group(
            "To begin",
            [
                ("Base URL", base_url, ""),
                ("Bot token", &installation.bot_token, "bearer token of the bot API"),
                ("Signing secret", &installed.signing_secret, "verifies the signatures of events"),
                ("Operator key", key.expose(), "bearer token of the admin API"),
                ("Password", &demo.password, "of everybody who can sign in"),
            ],
        ),
        group(
            "The installed app",
            [
                ("App", &installed.id, &installed.name),
                ("Client id", &installed.client_id, ""),
                ("Client secret", &installed.client_secret, "for /oauth/token and /oauth/revoke"),
                ("Redirect URI", &installed.redirect_uri, ""),
                ("Callback URL", installed.callback_url.as_deref().unwrap_or_default(), "receives events"),
                ("Installation", &installation.id, ""),
                ("Bot user", &installation.bot_user_id, ""),
            ],
        ),
    ];
    let people = demo.people.iter().map(|(role, person)| {
        let email = person.email.as_deref().unwrap_or("no e-mail address");
        (role.replace('_', " "), person.id.clone(), format!("{}, {email}, {}", person.name, person.state))
    });
    groups.push(FactGroup { title: "People".to_owned(), facts: people.map(fact).collect() });
    let companies = demo.workspaces.iter().map(|(role, company)| {
        (role.clone(), company.id.clone(), format!("{}, {}", company.name, company.domain))
    });
    groups.push(FactGroup { title: "Companies".to_owned(), facts: companies.map(fact).collect() });
    for (title, ids) in
        [("Conversations", &demo.conversations), ("Messages", &demo.messages), ("Files", &demo.files)]
    {
        let ids = ids.iter().map(|(role, id)| (role.replace('_', " "), id.clone(), String::new()));
        groups.push(FactGroup { title: title.to_owned(), facts: ids.map(fact).collect() });
    }
    if let Some(spare) = demo.apps.get("spare") {
        groups.push(group(
            "An app that is not installed",
            [
                ("App", &spare.id, &spare.name),
                ("Client id", &spare.client_id, ""),
                ("Client secret", &spare.client_secret, ""),
                ("Signing secret", &spare.signing_secret, ""),
                ("Redirect URI", &spare.redirect_uri, ""),
            ],
        ));
    }
    let client = &demo.assistant_client;
    if !client.client_id.is_empty() {
        groups.push(group(
            "A registered assistant client",
            [
                ("Client id", &client.client_id, &client.client_name),
                ("Redirect URI", &client.redirect_uri, "any port"),
            ],
        ));
    }
    SandboxFacts {
        groups,
        bot_token: Some(installation.bot_token.clone()).filter(|token| !token.is_empty()),
        app: Some(installation.app_id.clone()).filter(|id| !id.is_empty()),
        company: Some(installation.workspace_id.clone()).filter(|id| !id.is_empty()),
        first_person: demo.person("employee").map(|person| person.id.clone()),
        recreate_command: Some(recreate_command.to_owned()),
    }
}

fn group<const N: usize>(title: &str, facts: [(&str, &str, &str); N]) -> FactGroup {
    let facts = facts.map(|(name, value, note)| (name.to_owned(), value.to_owned(), note.to_owned()));
    FactGroup {
        title: title.to_owned(),
        facts: facts.into_iter().filter(|(_, value, _)| !value.is_empty()).map(fact).collect(),
    }
}

fn fact((name, value, note): (String, String, String)) -> Fact {
    Fact { name, value, note }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::seed::SeededInstallation;

    #[test]
    fn the_secrets_of_the_demo_are_shown() {
        let installation =
            SeededInstallation { bot_token: "svc_bot_test_x".to_owned(), ..SeededInstallation::default() };
        let demo = Demo { password: "demo-x".to_owned(), installation, ..Demo::default() };
        let facts = facts(&demo, "http://127.0.0.1:1", &Secret::new("svc_op_x"), "switchboard dev --fresh");
        let values: Vec<_> =
            facts.groups.iter().flat_map(|group| &group.facts).map(|fact| fact.value.as_str()).collect();
        for value in ["demo-x", "svc_bot_test_x", "svc_op_x", "http://127.0.0.1:1"] {
            assert!(values.contains(&value), "the console shows {value}");
        }
        assert_eq!(facts.bot_token.as_deref(), Some("svc_bot_test_x"));
        assert!(facts.app.is_none(), "an empty app id is returned as `None`");
    }
}
