//! `docs/api.md` contains the conventions of the APIs, and every error code of the OpenAPI documents.

use std::{collections::BTreeMap, fmt::Write as _};

use switchboard::{contract::OperationInfo, generated};

use crate::support::committed::assert_committed;

const CONVENTIONS: &str = include_str!("api_conventions.md");

/// Codes that any response of the bot API and of the admin API may have, even if the document does not list them for
/// the operation.
const GENERIC: [(&str, &str); 3] = [
    (
        "client_error",
        "any 4xx without a code of its own: 405 with `Allow`, 408 for a body that arrives too slowly, 414, 431",
    ),
    ("not_found", "404: an unknown path"),
    ("server_error", "any 5xx without a code of its own: 503 with `Retry-After`"),
];

#[test]
fn the_error_codes_are_documented() {
    assert_committed("docs/api.md", &render());
}

fn render() -> String {
    let mut text = CONVENTIONS.to_owned();
    let documents = [
        ("Bot API", generated::bot::CODES, generated::bot::OPERATIONS),
        ("assistant connection server", generated::assistant::CODES, generated::assistant::OPERATIONS),
        ("Admin API", generated::admin::CODES, generated::admin::OPERATIONS),
    ];
    for (name, codes, operations) in documents {
        let _ = write!(text, "\n## Error codes of the {name}\n\n| Status | Code | Operations |\n|-|-|-|\n");
        let mut rows: BTreeMap<(u16, &str), Vec<&str>> = BTreeMap::new();
        for (code, status) in codes {
            let users =
                operations.iter().filter(|op| op.errors.contains(code)).map(|op: &&OperationInfo| op.id);
            rows.insert((*status, code.as_str()), users.collect());
        }
        for ((status, code), users) in rows {
            let users = if users.len() == operations.len() { "all".to_owned() } else { users.join(", ") };
            let _ = writeln!(text, "| {status} | `{code}` | {users} |");
        }
    }
    text.push_str("\n## General codes of the bot API and the admin API\n\n| Code | When |\n|-|-|\n");
    for (code, when) in GENERIC {
        let _ = writeln!(text, "| `{code}` | {when} |");
    }
    text
}
