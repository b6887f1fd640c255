//! Shortens secrets in the requests and responses that a command prints as a trace. A secret is recognized by the name
//! of its field or header, or by the prefix of Switchboard's tokens.
//!
//! The first characters of a secret are kept, so that two tokens can be distinguished. Of a password in a form, nothing
//! is kept.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// Maximum number of characters of a secret that are kept.
const KEPT: usize = 24;
/// Minimum length of a secret in bytes. A shorter value of a field in [`NAMES`] is not shortened, because it is no
/// secret. For example, a field `code` can contain an error code.
const SHORTEST: usize = 16;

/// The names of fields that can contain a secret, as alternatives of a regular expression.
const NAMES: &str = "access_token|refresh_token|id_token|registration_access_token|token|client_secret|code|\
                     code_verifier|csrf|request";

fn regex(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is part of the program and has a test")
}

static IN_JSON: LazyLock<Regex> =
    LazyLock::new(|| regex(&format!(r#""({})"\s*:\s*"((?:[^"\\]|\\.)*)""#, json_spellings())));
static IN_FORM: LazyLock<Regex> = LazyLock::new(|| regex(&format!(r#"(^|[?&;"\s])({NAMES})=([^&\s"<>]*)"#)));
static IN_FIELD: LazyLock<Regex> = LazyLock::new(|| regex(&format!(r#"name="({NAMES})" value="([^"]*)""#)));
static PASSWORD: LazyLock<Regex> = LazyLock::new(|| regex(r#"(^|[?&])password=[^&\s]*"#));
static OWN_TOKENS: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"\b(svc_(?:op|ses|sec|msec|code|areq|bot_live|bot_test|mcp_[a-z]+(?:_live|_test)?)_)([0-9A-Za-z]{4})[0-9A-Za-z]{12,}",
    )
});

/// Returns a pattern that matches [`NAMES`] in all spellings of JSON, which allows an escape sequence in place of any
/// character.
fn json_spellings() -> String {
    let spelling = |c: char| match c {
        '|' => "|".to_owned(),
        c => format!(r"(?:{c}|\\u(?i:{:04x}))", u32::from(c)),
    };
    NAMES.chars().map(spelling).collect()
}

/// Returns a text with secrets shortened.
#[must_use]
pub fn cut(text: &str) -> String {
    let text = PASSWORD.replace_all(text, "${1}password=…");
    let text = IN_JSON
        .replace_all(&text, |found: &Captures<'_>| format!("\"{}\":\"{}\"", &found[1], shorten(&found[2])));
    let text = IN_FORM.replace_all(&text, |found: &Captures<'_>| {
        format!("{}{}={}", &found[1], &found[2], shorten(&found[3]))
    });
    let text = IN_FIELD.replace_all(&text, |found: &Captures<'_>| {
        format!("name=\"{}\" value=\"{}\"", &found[1], shorten(&found[2]))
    });
    OWN_TOKENS.replace_all(&text, "${1}${2}…").into_owned()
}

/// Returns a header's value with secrets shortened.
#[must_use]
pub fn cut_header(name: &str, value: &str) -> String {
    match name {
        "authorization" | "proxy-authorization" => match value.split_once(' ') {
            Some((scheme, credential)) => format!("{scheme} {}", abbreviate(credential)),
            None => abbreviate(value),
        },
        "cookie" | "set-cookie" => value
            .split("; ")
            .map(|pair| match pair.split_once('=') {
                Some((name, value)) if value.len() >= SHORTEST => format!("{name}={}", abbreviate(value)),
                _ => pair.to_owned(),
            })
            .collect::<Vec<_>>()
            .join("; "),
        _ => cut(value),
    }
}

/// Shortens a value that is long enough to be a secret.
fn shorten(value: &str) -> String {
    if value.len() < SHORTEST { value.to_owned() } else { abbreviate(value) }
}

fn abbreviate(value: &str) -> String {
    // at most a third is kept, so that a short secret is not shown completely
    let kept: String = value.chars().take(KEPT.min(value.chars().count() / 3)).collect();
    format!("{kept}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "svc_mcp_at_test_4fJ0abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ123456";

    #[test]
    fn secrets_are_shortened_anywhere() {
        for text in [
            SECRET.to_owned(),
            format!("see {SECRET}, there"),
            format!("{{\"access_token\": \"{SECRET}\", \"expires_in\": 3600}}"),
            r#"{"access_token":"another-maker-0123456789abcdefghijklmn"}"#.to_owned(),
            r#"{"access_token":"another\/maker\"0123456789abcdefghijklmn","x":1}"#.to_owned(),
            r#"{"access_token":"another\u002fmaker0123456789abcdefghijklmn\\","x":1}"#.to_owned(),
            r#"{"\u0061ccess\u005Ftoken":"another-maker-0123456789abcdefghijklmn"}"#.to_owned(),
            r#"{"access_toke\u006e" : "another-maker-0123456789abcdefghijklmn"}"#.to_owned(),
            "grant_type=refresh_token&refresh_token=another-maker-0123456789abcdefghijklmn".to_owned(),
            "http://127.0.0.1:1/callback?code=another-maker-0123456789abcdefghijklmn&state=s".to_owned(),
            "email=a&password=hunter2hunter2".to_owned(),
            r#"<input type="hidden" name="csrf" value="another-maker-0123456789abcdefghijklmn">"#.to_owned(),
        ] {
            let shown = cut(&text);
            for end in ["123456", "klmn", "hunter2"] {
                assert!(!shown.contains(end), "{shown}");
            }
            assert!(shown.contains('…'), "{shown}");
        }
        for (name, value) in [
            ("authorization", format!("Bearer {SECRET}")),
            ("authorization", "Basic dXNlcjpwYXNzd29yZA123456".to_owned()),
            ("cookie", "session=abcdefghijklmnopqrstuv123456; a=b".to_owned()),
            ("location", "http://127.0.0.1/cb?code=abcdefghijklmnopqrstuv123456&iss=x".to_owned()),
        ] {
            let shown = cut_header(name, &value);
            assert!(!shown.contains("123456") && shown.contains('…'), "{shown}");
        }
    }

    #[test]
    fn other_text_is_unchanged() {
        for text in [
            r#"{"error":{"code":"not_authed","message":"m"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602}}"#,
            "grant_type=authorization_code&client_id=mcpc_x&resource=http%3A%2F%2F127.0.0.1%2Fmcp",
            "state=0123456789abcdefghijklmnop",
            r#"{"\u0061ccess":"0123456789abcdefghijklmnop"}"#,
        ] {
            assert_eq!(cut(text), text);
        }
    }
}
