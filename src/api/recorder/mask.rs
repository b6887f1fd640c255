//! Removes secrets from recorded requests, by where they are and by how they look.
//!
//! A complete JSON body is parsed ([`mask_json`](super::mask_json)), and hidden if it is invalid. Of a body that is cut off,
//! members are found by their names, and tokens, also truncated ones, by their prefixes.

use std::{borrow::Cow, sync::LazyLock};

use regex::{Captures, Regex};

use super::mask_json;
use crate::domain::token::TokenKind;

/// Shown in place of a secret.
pub const HIDDEN: &str = "[hidden]";

/// Shown in place of a body that cannot be searched for secrets.
pub const INVALID_JSON: &str = "[hidden: invalid JSON]";

/// Names of form fields, query parameters and JSON members that hold secrets.
const NAMES: &str = "password|new_password|current_password|[a-z_]*secret|[a-z_]*token|code|code_verifier|\
                     authorization|assertion|csrf|operator_key";

/// Headers that hold nothing but a secret.
const HEADERS: [&str; 6] =
    ["cookie", "set-cookie", "x-csrf-token", "proxy-authorization", "mcp-session-id", "x-api-key"];

/// Names that end like a secret's but say something about it.
const PUBLIC: [&str; 2] = ["next_page_token", "token_type"];

fn pattern(text: &str) -> Regex {
    #[expect(clippy::expect_used, reason = "the patterns are constants, and a test compiles each")]
    Regex::new(text).expect("a valid pattern")
}

static TOKENS: LazyLock<Regex> = LazyLock::new(|| {
    let is_public = |kind: &TokenKind| matches!(kind, TokenKind::ClientId | TokenKind::AssistantClientId);
    let prefixes: Vec<_> =
        TokenKind::ALL.into_iter().filter(|kind| !is_public(kind)).map(TokenKind::prefix).collect();
    pattern(&format!("({})[0-9A-Za-z]*", prefixes.join("|")))
});

/// Signed links to files and sessions of MCP.
static LINKS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(/files/(?:download/)?|mcps_)[0-9A-Za-z_~.=-]{16,}"));

/// A string member by its name. Its value may be cut off. In JSON inside a JSON string everything up to the end of the
/// outer string is hidden.
static STRINGS: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!(r#"(?is)(\\*"({NAMES})\\*"\s*:\s*\\*")((?:[^"\\]|\\.)*)"#)));

/// A member by its name whose value is not a string.
static OTHERS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(r#"(?is)(\\*"({NAMES})\\*"\s*:\s*)([0-9A-Za-z.+-]+|\[[^\]]*|\{{[^}}]*)"#))
});

/// A letter or `_` in a JSON string that is written as an escape.
static ESCAPED: LazyLock<Regex> = LazyLock::new(|| pattern(r"\\u00(5[fF]|[46][1-9a-fA-F]|[57][0-9aA])"));

static NAME: LazyLock<Regex> = LazyLock::new(|| pattern(&format!("(?i)^(?:{NAMES})$")));

/// Removes tokens and signed links, which are recognised anywhere.
#[must_use]
pub fn tokens(text: &str) -> String {
    let text = TOKENS.replace_all(text, "${1}…");
    LINKS.replace_all(&text, "${1}…").into_owned()
}

/// Removes the secrets of a path and query.
#[must_use]
pub fn target(text: &str) -> String {
    match text.split_once('?') {
        None => tokens(text),
        Some((path, query)) => format!("{}?{}", tokens(path), pairs(query)),
    }
}

/// Removes the secrets of a header's value.
#[must_use]
pub fn header(name: &str, value: &str) -> String {
    if HEADERS.contains(&name) {
        return HIDDEN.to_owned();
    }
    if name == "authorization" {
        let (scheme, token) = value.split_once(' ').unwrap_or(("", value));
        let known = TOKENS.find(token).filter(|found| found.len() == token.len());
        let shown = known.map_or_else(|| HIDDEN.to_owned(), |found| tokens(found.as_str()));
        return format!("{scheme} {shown}").trim_start().to_owned();
    }
    if matches!(name, "location" | "referer") {
        return target(value);
    }
    tokens(value)
}

/// Removes the secrets of a body of a media type, of which the text may be the beginning only.
#[must_use]
pub fn body(media_type: &str, text: &str, is_cut: bool) -> String {
    match media_type {
        "application/x-www-form-urlencoded" => tokens(&form(text)),
        "text/event-stream" => by_line(text, event_line),
        _ if is_cut => patterns(text),
        "application/json" | "application/problem+json" if text.is_empty() => String::new(),
        "application/json" | "application/problem+json" => {
            mask_json::masked(text).unwrap_or_else(|| INVALID_JSON.to_owned())
        }
        _ => nested(text),
    }
}

/// Removes the secrets of a text of an unknown kind: JSON, a form, or words.
pub(super) fn nested(text: &str) -> String {
    let json = text.trim_start().starts_with(['{', '[']).then(|| mask_json::masked(text)).flatten();
    json.unwrap_or_else(|| by_line(text, |line| hide_pairs(&patterns(line))))
}

fn by_line(text: &str, shown: fn(&str) -> String) -> String {
    text.split('\n').map(shown).collect::<Vec<_>>().join("\n")
}

/// Removes the secrets of a line of an event stream.
fn event_line(line: &str) -> String {
    let json = line.strip_prefix("data:").and_then(mask_json::masked);
    json.map_or_else(|| patterns(line), |json| format!("data:{json}"))
}

/// Removes the secrets that are found without parsing.
fn patterns(text: &str) -> String {
    let text = ESCAPED.replace_all(text, |found: &Captures<'_>| {
        let letter = u8::from_str_radix(&found[1], 16).map_or('_', char::from);
        letter.to_string()
    });
    let text =
        STRINGS.replace_all(&text, |found: &Captures<'_>| match is_shown_string(&found[2], &found[3]) {
            true => found[0].to_owned(),
            false => format!("{}{HIDDEN}", &found[1]),
        });
    let text = OTHERS.replace_all(&text, |found: &Captures<'_>| match is_shown_value(&found[2], &found[3]) {
        true => found[0].to_owned(),
        false => format!("{}\"{HIDDEN}\"", &found[1]),
    });
    tokens(&text)
}

/// Whether the name of a field or a member is that of a secret.
pub(super) fn is_secret(name: &str) -> bool {
    NAME.is_match(name) && !is_public(name)
}

/// Whether a string of a member that has the name of a secret is shown: an error has a code as well.
pub(super) fn is_shown_string(name: &str, text: &str) -> bool {
    is_public(name) || (name.eq_ignore_ascii_case("code") && is_word(text))
}

/// Whether a value other than a string of a member that has the name of a secret is shown.
pub(super) fn is_shown_value(name: &str, text: &str) -> bool {
    let is_error = name.eq_ignore_ascii_case("code") && text.parse::<i64>().is_ok();
    is_error || is_public(name) || matches!(text, "null" | "true" | "false")
}

fn is_public(name: &str) -> bool {
    PUBLIC.iter().any(|public| name.eq_ignore_ascii_case(public))
}

/// Whether it is an error code rather than an authorization code.
fn is_word(text: &str) -> bool {
    text.len() <= 40 && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

/// Removes the secrets of a query.
fn pairs(text: &str) -> String {
    tokens(&hide_pairs(text))
}

/// Removes the values of fields that have the name of a secret.
fn hide_pairs(text: &str) -> String {
    by_pair(text, |_| false)
}

/// Removes the secrets of a form. What is no field of a form may be another format, and is hidden.
fn form(text: &str) -> String {
    by_pair(text, |pair| match pair.split_once('=') {
        _ if pair.is_empty() => false,
        None => true,
        Some((name, value)) => {
            let is_odd = |byte: u8| byte.is_ascii_control() || b" \"{}<>".contains(&byte);
            name.bytes().any(is_odd) || value.bytes().any(|byte| byte.is_ascii_control())
        }
    })
}

fn by_pair(text: &str, is_hidden: fn(&str) -> bool) -> String {
    let shown = text.split('&').map(|pair| {
        if is_hidden(pair) {
            return Cow::Borrowed(HIDDEN);
        }
        let Some((name, _)) = pair.split_once('=') else { return Cow::Borrowed(pair) };
        let plain = url::form_urlencoded::parse(name.as_bytes()).next();
        let plain = plain.map(|(name, _)| name.into_owned()).unwrap_or_default();
        match is_secret(&plain) {
            true => Cow::Owned(format!("{name}={HIDDEN}")),
            false => Cow::Borrowed(pair),
        }
    });
    shown.collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::token;

    const JSON: &str = "application/json";

    #[test]
    fn tokens_are_recognised_anywhere_and_truncated() {
        for kind in TokenKind::ALL {
            let secret = token::mint(kind, &[7; 32]);
            let random = &secret[kind.prefix().len()..];
            let is_public = matches!(kind, TokenKind::ClientId | TokenKind::AssistantClientId);
            for text in [
                format!("see {secret}, please"),
                format!("/v1/x?y={secret}"),
                format!(r#"{{"text":"{secret}"}}"#),
                format!(r#"{{"text":"{}"#, &secret[..secret.len() - 9]),
            ] {
                assert_eq!(body(JSON, &text, true).contains(&random[..20]), is_public, "{text}");
                assert_eq!(body("text/plain", &text, false).contains(&random[..20]), is_public, "{text}");
                assert_eq!(tokens(&text).contains(&random[..20]), is_public, "{text}");
            }
        }
    }

    #[test]
    fn members_are_hidden_by_their_names() {
        for text in [
            r#"{"password":"hunter2"}"#,
            r#"{"Password" : "hunter2"}"#,
            r#"{"a":{"client_secret":"x hunter2"},"b":1}"#,
            r#"{"password":"a\"hunter2"#,
            r#"{"text":"{\"password\":\"hunter2\"}"}"#,
            r#"{"token":["hunter2"]}"#,
            r#"{"code":"Hunter2hunter2"}"#,
        ] {
            let shown = body(JSON, text, true);
            assert!(!shown.contains("unter2\"}") && !shown.contains(": \"hunter2"), "{shown}");
            assert!(shown.contains(HIDDEN), "{shown}");
        }
        let plain = r#"{"token_type":"bearer","error":{"code":"invalid_auth"},"x":{"code":-32600}}"#;
        for is_cut in [true, false] {
            assert_eq!(body(JSON, plain, is_cut), plain);
        }
    }

    #[test]
    fn quotes_inside_a_secret_do_not_end_it() {
        for is_cut in [true, false] {
            let shown = body(JSON, r#"{"password":"a\"hunter2","text":"shown"}"#, is_cut);
            assert!(!shown.contains("hunter2"), "{shown}");
            assert!(shown.contains(r#""text":"shown""#), "{shown}");
        }
    }

    #[test]
    fn forms_queries_and_headers_are_masked() {
        let form = "application/x-www-form-urlencoded";
        assert_eq!(
            body(form, "email=a%40b&pass%77ord=hunter2&csrf=x", false),
            format!("email=a%40b&pass%77ord={HIDDEN}&csrf={HIDDEN}")
        );
        assert_eq!(target("/cb?code=abc&state=s"), format!("/cb?code={HIDDEN}&state=s"));
        assert_eq!(target("/files/abcdefghijklmnopqrstuvwxyz"), "/files/…");
        assert_eq!(header("authorization", "Basic YTpi"), format!("Basic {HIDDEN}"));
        assert_eq!(header("authorization", "hunter2"), HIDDEN);
        let bot = token::mint(TokenKind::BotTest, &[7; 32]);
        assert_eq!(header("authorization", &format!("Bearer {bot}")), "Bearer svc_bot_test_…");
        assert_eq!(header("cookie", "session=x"), HIDDEN);
        assert_eq!(header("accept", "text/html"), "text/html");
    }

    #[test]
    fn names_are_decoded() {
        let secret = r#"{"a":[{"pass\u0077ord" : "hunter2"}],"\u0074oken":["hunter2"]}"#;
        let shown = body(JSON, secret, false);
        assert_eq!(shown, format!(r#"{{"a":[{{"pass\u0077ord" : "{HIDDEN}"}}],"\u0074oken":"{HIDDEN}"}}"#));
        assert!(!body(JSON, &secret[..secret.len() - 2], true).contains("hunter2"));
        // also inside a string, and a member that is repeated
        for text in [
            r#"{"text":"{\"pass\\u0077ord\":\"hunter2\"}"}"#,
            r#"{"password":"hunter2","password":null}"#,
            r#"{"text":"password=hunter2&x=y"}"#,
        ] {
            let shown = body(JSON, text, false);
            assert!(!shown.contains("hunter2") && shown.contains(HIDDEN), "{shown}");
        }
    }

    #[test]
    fn a_complete_body_that_is_not_of_its_type_is_hidden() {
        for text in [r#"{"pass":"hunter2""#, "password=hunter2", r#"{'password':'hunter2'}"#] {
            assert_eq!(body(JSON, text, false), INVALID_JSON);
        }
        assert_eq!(body(JSON, "", false), "");
        let form = "application/x-www-form-urlencoded";
        for text in [
            r#"{"password":"hunter2"}"#,
            r#"{"a":"b=c&hunter2","password":"hunter2"}"#,
            "a=b\r\npassword=hunter2",
        ] {
            let shown = body(form, text, false);
            assert!(!shown.contains("hunter2"), "{shown}");
        }
        for text in [r#"{"pass\u0077ord":"hunter2"}"#, "a=b\npassword=hunter2", "password=hunter2&a=b"] {
            let shown = body("text/plain", text, false);
            assert!(!shown.contains("hunter2"), "{shown}");
        }
        let events = "event: x\ndata: {\"pass\\u0077ord\":\"hunter2\"}\n\n";
        assert_eq!(
            body("text/event-stream", events, false),
            format!("event: x\ndata: {{\"pass\\u0077ord\":\"{HIDDEN}\"}}\n\n")
        );
    }
}
