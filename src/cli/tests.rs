//! Tests of the whole command line: its definition is consistent, its examples parse, and `docs/cli.md` is up to date.

use clap::{CommandFactory as _, Parser as _, error::ErrorKind};

use super::{Cli, commands, docs, requests};
use crate::committed::assert_committed;

fn leaves(command: &clap::Command, found: &mut Vec<clap::Command>) {
    if !command.has_subcommands() {
        found.push(command.clone());
    }
    for sub in docs::visible(command) {
        leaves(sub, found);
    }
}

fn every_command() -> Vec<clap::Command> {
    let mut root = Cli::command();
    root.build();
    let mut found = Vec::new();
    leaves(&root, &mut found);
    found
}

/// Splits a shell line into words, up to a redirection or a pipe. Supports only single quotes.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), None::<String>, false);
    for c in line.chars() {
        match c {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' if !quoted => words.extend(word.take()),
            '|' | '>' | '<' if !quoted => break,
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[test]
fn the_definition_is_valid() {
    Cli::command().debug_assert();
}

#[test]
fn every_command_has_a_description_and_valid_examples() {
    for command in every_command() {
        let name = command.get_bin_name().unwrap().to_owned();
        assert!(command.get_about().is_some(), "{name} has no description");
        let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        assert!(examples.starts_with("Examples:\n"), "{name} has no examples");
        let examples: Vec<_> = examples.lines().skip(1).map(str::trim).collect();
        assert!(!examples.is_empty(), "{name} has no examples");
        let own = examples.iter().filter(|line| line.contains(&name)).count();
        assert!(own > 0, "{name} does not occur in its examples");
        for line in examples.iter().filter(|line| line.starts_with("switchboard ")) {
            if let Err(error) = Cli::try_parse_from(words(line)) {
                panic!("{line}: {error}");
            }
        }
        for argument in command.get_arguments() {
            assert!(argument.get_help().is_some(), "{name} {} has no help", argument.get_id());
        }
    }
}

#[test]
fn invalid_usage_is_rejected_before_a_request() {
    for line in [
        "switchboard",
        "switchboard user",
        "switchboard user list",
        "switchboard user state usr_1 asleep",
        "switchboard workspace set cmp_1 --ai perhaps",
        "switchboard workspace set cmp_1 --max-session-hours 0",
        "switchboard workspace create --name x --domain nodot",
        "switchboard clock advance soon",
        "switchboard user list cmp_1 --limit 0",
        "switchboard user list cmp_1 --operator-key a --session b",
        "switchboard install approve cmp_1 app_1 --exchange",
        "switchboard install approve cmp_1 app_1 --client-secret x",
        "switchboard app create --name x",
        "switchboard app create --name x --redirect-uri https://x/cb --scopes everything",
        "switchboard file add cmp_1 -",
        "switchboard msg edit gmsg_1 --text ''",
        "switchboard listen --http --cert-out ca.pem",
        "switchboard listen --cert cert.pem",
        "switchboard listen --status 99",
        "switchboard listen --listen nowhere",
        "switchboard events send --kind user.renamed",
        "switchboard events redeliver",
        "switchboard events redeliver evt_1 --since 2026-11-16T11:00:00Z",
        "switchboard events redeliver --since yesterday",
        "switchboard events redeliver evt_1 --all",
        "switchboard events verify --timestamp 1",
        "switchboard events verify kept.json --timestamp 1",
        "switchboard events verify kept.json other.json --timestamp 1",
        "switchboard app deliveries app_1 --state lost",
        "switchboard connect --dcr --cimd https://client.example/client.json",
        "switchboard connect --args '{}'",
        "switchboard connect --call whoami --args '[]'",
        "switchboard connect --version 2024-11-05",
        "switchboard connect --fresh",
        "switchboard connect --login-only --call whoami",
        "switchboard doctor --offline --send",
        "switchboard doctor --secret-file secret",
    ] {
        let error = Cli::try_parse_from(words(line)).expect_err(line);
        assert_eq!(error.exit_code(), 2, "{line}: {error}");
    }
    let help = Cli::try_parse_from(["switchboard", "--help"]).unwrap_err();
    assert_eq!((help.kind(), help.exit_code()), (ErrorKind::DisplayHelp, 0));
}

#[test]
fn global_options_are_accepted_anywhere() {
    for line in [
        "switchboard --url http://x --session s --json user list cmp_1",
        "switchboard user list cmp_1 --url http://x --session s --json",
        "switchboard user --json list --as usr_1 cmp_1",
    ] {
        assert!(Cli::try_parse_from(words(line)).unwrap().json, "{line}");
    }
}

#[test]
fn secrets_are_not_shown_when_arguments_are_printed() {
    for line in [
        "switchboard user list cmp_1 --operator-key svc_op_verysecret",
        "switchboard listen --secret whsec_verysecret",
        "switchboard events verify kept.json --secret whsec_verysecret",
    ] {
        assert!(!format!("{:?}", Cli::try_parse_from(words(line)).unwrap()).contains("verysecret"), "{line}");
    }
}

#[test]
fn docs_cli_md_is_up_to_date() {
    assert_committed("docs/cli.md", &docs::render_docs());
}

#[test]
fn the_choices_of_arguments_are_those_of_the_admin_api() {
    let document: serde_json::Value = serde_json::from_str(crate::generated::admin::SOURCE).expect("JSON");
    let values = |name: &str| -> Vec<String> {
        let schema = &document["components"]["schemas"][name];
        let values = schema["enum"].as_array().or(schema["x-extensible-enum"].as_array()).expect("an enum");
        values.iter().map(|value| value.as_str().expect("a text").to_owned()).collect()
    };
    for (choices, schema) in [
        (commands::EVENT_TYPES, "EventType"),
        (commands::events::KINDS, "DirectoryKind"),
        (requests::SCOPES, "Scope"),
        (commands::apps::STATES, "DeliveryState"),
        (commands::users::STATES, "UserState"),
        (commands::audit::OUTCOMES, "ToolOutcome"),
    ] {
        assert_eq!(choices, values(schema), "the choices are the values of {schema} in openapi/admin.yaml");
    }
}
