//! Few files decide whether a user is visible. No other file reads the columns, or calls the functions, on which this
//! decision depends. If each use case made the decision itself, a mistake in one of them would disclose a hidden guest
//! or a hidden e-mail address.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    sync::LazyLock,
};

use regex::Regex;

use super::{imports::rust_paths, rust_text};

/// The only file whose SQL compares the column `is_external` or `guest_visible` with a value.
const CONDITIONS: &str = "store/tables/users/visibility.rs";

/// Names of columns and functions that the visibility rules use, and the files of `src` that may contain these names.
const WORDS: &[(&[&str], &[&str])] = &[
    (
        &["guest_visible"],
        &[
            // the rule
            "domain/people.rs",
            "service/people/visible_user.rs",
            "store/tables/users/visibility.rs",
            // rows and statements that read the column
            "store/tables/conversations/lists.rs",
            "store/tables/messages/bot_send.rs",
            "store/tables/messages/candidates.rs",
            "store/tables/messages/employee.rs",
            "store/tables/users/mod.rs",
            // code by which admins set the value for a person
            "admin/users.rs",
            "cli/commands/users.rs",
            "cli/seed/people.rs",
            "service/people/fields.rs",
        ],
    ),
    (
        &["email_visible"],
        &[
            // the rule
            "domain/people.rs",
            "service/people/visible_user.rs",
            // rows that have the column
            "store/tables/accounts.rs",
            "store/tables/messages/bot_send.rs",
            "store/tables/users/mod.rs",
            // code by which admins and the person set the value; `exchange.rs` creates bots, which have no e-mail
            // address
            "admin/users.rs",
            "cli/commands/users.rs",
            "cli/seed/people.rs",
            "pages/privacy.rs",
            "service/apps/installs/exchange.rs",
            "service/people/fields.rs",
            "service/people/own.rs",
        ],
    ),
    (&["is_hidden_guest"], &["domain/people.rs"]),
    (
        &["is_listed"],
        // events report that a person has become visible or hidden
        &["domain/people.rs", "service/people/directory_events.rs", "service/people/visible_user.rs"],
    ),
    (
        &["shows_email", "shows_profile", "is_found_by_email"],
        &[
            "domain/people.rs",
            // events report a change of an e-mail address to the apps that see it
            "service/outbox.rs",
            "service/people/fields.rs",
            "service/people/visible_user.rs",
        ],
    ),
];

/// Returns the code of each file of `src` by the file's path. Tests and lines of comments are left out.
fn sources() -> BTreeMap<String, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = rust_paths(&source).into_iter().map(|path| {
        let text = rust_text::without_tests(&fs::read_to_string(&path).unwrap());
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let name = path.strip_prefix(&source).unwrap().to_str().unwrap().to_owned();
        (name, lines.collect::<Vec<_>>().join("\n"))
    });
    files.collect()
}

#[test]
fn only_the_named_files_decide_whether_a_user_is_visible() {
    let sources = sources();
    for (words, allowed) in WORDS {
        let has_word = |text: &str| rust_text::names(text).any(|name| words.contains(&name));
        let found: BTreeSet<&str> =
            sources.iter().filter(|(_, text)| has_word(text)).map(|(name, _)| name.as_str()).collect();
        let allowed: BTreeSet<&str> = allowed.iter().copied().collect();
        let unexpected: Vec<_> = found.difference(&allowed).collect();
        let unused: Vec<_> = allowed.difference(&found).collect();
        assert!(
            unexpected.is_empty(),
            "{words:?}: these files must use `Viewer` (`service/people/visible_user.rs`): {unexpected:?}"
        );
        assert!(unused.is_empty(), "{words:?}: remove these files from the list: {unused:?}");
    }
}

/// Returns whether a text compares `is_external` or `guest_visible` with a number or a parameter.
fn compares(text: &str) -> bool {
    static COMPARISON: LazyLock<Regex> = LazyLock::new(|| {
        let (column, operator) = (r#"\b(?:is_external|guest_visible)\b"?"#, "(?:[<>!]?=|==|<>|<|>)");
        let value = r"[($]*\d";
        Regex::new(&format!(
            r#"(?i){column}\s*(?:{operator}|\bIS(?:\s+NOT)?\b|\b(?:NOT\s+)?IN\b)\s*{value}|{value}\s*{operator}\s*(?:\w+\.)?"?{column}"#
        ))
        .expect("valid")
    });
    COMPARISON.is_match(text)
}

#[test]
fn only_one_file_has_the_sql_of_the_rule() {
    let found: Vec<String> =
        sources().into_iter().filter(|(_, text)| compares(text)).map(|(name, _)| name).collect();
    assert_eq!(found, [CONDITIONS], "statements in other files must use the macros of {CONDITIONS}");
}

#[test]
fn comparisons_with_a_number_or_a_parameter_are_found() {
    for comparison in [
        "u.is_external = 0",
        "guest_visible=1",
        "(u.guest_visible != 1)",
        "\"u\".\"is_external\" <> $2",
        "is_external\n    IS 0",
        "is_external is not 1",
        "guest_visible > 0",
        "guest_visible IN (1)",
        "0 = u.is_external",
    ] {
        assert!(compares(comparison), "{comparison}");
    }
    for other in [
        "u.is_external, u.guest_visible",
        "is_external: false",
        "is_external => 1",
        "not_guest_visible_1 = 1",
    ] {
        assert!(!compares(other), "{other}");
    }
}
