//! The names of form fields, query parameters and JSON members that contain secrets. The console does not show their
//! values. This module also decides which values are shown although their field or member has such a name.

use std::sync::LazyLock;

use regex::Regex;

/// Shown in place of a secret.
pub(super) const HIDDEN: &str = "[hidden]";

/// Names of form fields, query parameters and JSON members that contain secrets.
pub(super) const NAMES: &str = "password|new_password|current_password|[a-z_]*secret|[a-z_]*token|code|\
                                code_verifier|authorization|assertion|csrf|operator_key";

/// Names that match [`NAMES`] but whose values are not secret.
const PUBLIC: [&str; 2] = ["next_page_token", "token_type"];

/// Compiles a constant regular expression.
pub(super) fn pattern(text: &str) -> Regex {
    #[expect(clippy::expect_used, reason = "the patterns are constants, and a test compiles each")]
    Regex::new(text).expect("a valid pattern")
}

static NAME: LazyLock<Regex> = LazyLock::new(|| pattern(&format!("(?i)^(?:{NAMES})$")));

/// Whether a field or member with this name contains a secret.
pub(super) fn is_secret(name: &str) -> bool {
    NAME.is_match(name) && !is_public(name)
}

/// Whether a string is shown although its member has the name of a secret. A `code` may be an error code, which is not
/// secret.
pub(super) fn is_shown_string(name: &str, text: &str) -> bool {
    is_public(name) || (name.eq_ignore_ascii_case("code") && is_word(text))
}

/// Whether a value that is not a string is shown although its member has the name of a secret.
pub(super) fn is_shown_value(name: &str, text: &str) -> bool {
    let is_error = name.eq_ignore_ascii_case("code") && text.parse::<i64>().is_ok();
    is_error || is_public(name) || matches!(text, "null" | "true" | "false")
}

fn is_public(name: &str) -> bool {
    PUBLIC.iter().any(|public| name.eq_ignore_ascii_case(public))
}

/// Whether a `code` looks like an error code, not like an authorization code. An error code is short, and consists of
/// lower-case letters and `_`.
fn is_word(text: &str) -> bool {
    text.len() <= 40 && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}
