//! Masks secrets in recorded requests. This module finds a secret by the name of the header, field or member that
//! contains it. It also finds tokens by their prefixes, even truncated tokens.
//!
//! A complete JSON body is parsed ([`mask_json`](super::mask_json)). If it is invalid or nested too deeply, the whole
//! body is hidden. JSON that is cut off cannot be parsed, so regular expressions find its members by their names. The
//! text of a JSON string is searched like any other text.

use std::{borrow::Cow, sync::LazyLock};

use regex::{Captures, Regex};

use super::{
    mask_json,
    secret_names::{HIDDEN, NAMES, is_secret, is_shown_string, is_shown_value, pattern},
};
use crate::domain::{ids::FileId, token::TokenKind};

/// Shown in place of a complete JSON body that is invalid or nested too deeply. A search by regular expressions could
/// miss secrets in such a body.
pub const INVALID_JSON: &str = "[hidden: invalid JSON]";

/// Headers whose whole value is secret.
const HEADERS: [&str; 6] =
    ["cookie", "set-cookie", "x-csrf-token", "proxy-authorization", "mcp-session-id", "x-api-key"];

static TOKENS: LazyLock<Regex> = LazyLock::new(|| {
    let is_public = |kind: &TokenKind| matches!(kind, TokenKind::ClientId | TokenKind::AssistantClientId);
    let prefixes: Vec<_> =
        TokenKind::ALL.into_iter().filter(|kind| !is_public(kind)).map(TokenKind::prefix).collect();
    pattern(&format!("({})[0-9A-Za-z]*", prefixes.join("|")))
});

/// Matches signed links to files, paths with the id of a file, and ids of MCP sessions.
static LINKS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(/files/(?:download/)?|mcps_)([0-9A-Za-z_~.=-]{16,})"));

/// Matches a member that has the name of a secret and a string as its value. The value may be cut off. If the member is
/// itself in the text of a JSON string, the match extends to the end of that outer string.
static STRINGS: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!(r#"(?is)(\\*"({NAMES})\\*"\s*:\s*\\*")((?:[^"\\]|\\.)*)"#)));

/// Matches a member that has the name of a secret and a value other than a string. If the value is an array or object,
/// the match ends with the opening bracket.
static OTHERS: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!(r#"(?is)(\\*)"({NAMES})\\*"\s*:\s*([0-9A-Za-z.+-]+|[\[{{])"#)));

/// Matches the escape of a letter or of `_` in a JSON string, such as `\u0077`.
static ESCAPED: LazyLock<Regex> = LazyLock::new(|| pattern(r"\\u00(5[fF]|[46][1-9a-fA-F]|[57][0-9aA])"));

/// Masks all tokens, signed links and ids of MCP sessions in a text. Ids of files stay visible.
#[must_use]
pub fn tokens(text: &str) -> String {
    let text = TOKENS.replace_all(text, "${1}…");
    let masked = LINKS.replace_all(&text, |found: &Captures<'_>| match FileId::parse(&found[2]) {
        Some(_) => found[0].to_owned(),
        None => format!("{}…", &found[1]),
    });
    masked.into_owned()
}

/// Masks the secrets in a path with its query.
#[must_use]
pub fn target(text: &str) -> String {
    match text.split_once('?') {
        None => tokens(text),
        Some((path, query)) => format!("{}?{}", tokens(path), pairs(query)),
    }
}

/// Masks the secrets in the value of a header. `name` is in lower case.
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

/// Masks the secrets in a body with this media type. `is_cut` means that `text` is only the beginning of the body.
#[must_use]
pub fn body(media_type: &str, text: &str, is_cut: bool) -> String {
    match media_type {
        "application/x-www-form-urlencoded" => tokens(&form(text)),
        "text/event-stream" => by_line(text, event_line),
        _ if is_cut => nested(text, 0),
        "application/json" | "application/problem+json" if text.is_empty() => String::new(),
        "application/json" | "application/problem+json" => {
            mask_json::masked(text, 0, nested).unwrap_or_else(|| INVALID_JSON.to_owned())
        }
        _ => nested(text, 0),
    }
}

/// Masks the secrets in a text of unknown format, which may be cut off: JSON, a form, or plain text. `depth` is the
/// number of arrays and objects that contain the text.
fn nested(text: &str, depth: usize) -> String {
    let is_json = text.trim_start().starts_with(['{', '[', '"']) && mask_json::is_beginning(text);
    match is_json {
        true => mask_json::masked(text, depth, nested)
            .unwrap_or_else(|| patterns(&mask_json::strings(text, depth, nested))),
        // the regular expressions search the whole text first, because a secret may extend over several lines
        false => by_line(&patterns(text), hide_pairs),
    }
}

fn by_line(text: &str, shown: fn(&str) -> String) -> String {
    text.split('\n').map(shown).collect::<Vec<_>>().join("\n")
}

/// Masks the secrets in a line of an event stream.
fn event_line(line: &str) -> String {
    line.strip_prefix("data:").map_or_else(|| patterns(line), |data| format!("data:{}", nested(data, 0)))
}

/// Masks the secrets that regular expressions find, without parsing the text.
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
    tokens(&others(&text))
}

/// Masks the values of the members that [`OTHERS`] matches.
fn others(text: &str) -> String {
    let (mut shown, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(found) = OTHERS.captures(rest) {
        let end = found.get(0).map_or(0, |member| member.end());
        let (before, from) = rest.split_at(end - found[3].len());
        shown.push_str(before);
        if is_shown_value(&found[2], &found[3]) {
            // if the value is an array or object, its members are searched too
            shown.push_str(&found[3]);
            rest = &rest[end..];
            continue;
        }
        let is_container = from.starts_with(['[', '{']);
        let length = if is_container { extent(from, string_levels(found[1].len())) } else { found[3].len() };
        shown.extend(["\"", HIDDEN, "\""]);
        rest = &from[length..];
    }
    shown.push_str(rest);
    shown
}

/// Returns the length in bytes of the array or object at the beginning of a text. The array or object ends at its
/// closing bracket. `levels` is the number of nested JSON strings that contain the array or object. If one of these
/// strings, or the text, ends before the closing bracket, returns the length up to that end.
fn extent(text: &str, levels: usize) -> usize {
    let (mut depth, mut in_string, mut backslashes) = (0_usize, false, 0_usize);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'\\' => {
                backslashes += 1;
                continue;
            }
            b'"' => match is_delimiter(backslashes, levels) {
                Some(is_delimiter) => in_string ^= is_delimiter,
                None => return at,
            },
            b'[' | b'{' if !in_string => depth += 1,
            b']' | b'}' if !in_string && depth == 1 => return at + 1,
            b']' | b'}' if !in_string => depth -= 1,
            _ => {}
        }
        backslashes = 0;
    }
    text.len()
}

/// Returns how deeply a string is nested in other JSON strings. `backslashes` is the number of backslashes before its
/// opening quote. The depth is 0 for no backslash, 1 for one backslash, and 2 for three backslashes.
fn string_levels(mut backslashes: usize) -> usize {
    let mut levels = 0;
    while !backslashes.is_multiple_of(2) {
        backslashes /= 2;
        levels += 1;
    }
    levels
}

/// Returns whether a quote after this number of backslashes begins or ends a string inside `levels` nested JSON
/// strings. Returns `None` if the quote ends one of those outer strings.
fn is_delimiter(mut backslashes: usize, levels: usize) -> Option<bool> {
    for _ in 0..levels {
        if backslashes.is_multiple_of(2) {
            return None;
        }
        backslashes /= 2;
    }
    Some(backslashes.is_multiple_of(2))
}

/// Masks the secrets in a query.
fn pairs(text: &str) -> String {
    tokens(&hide_pairs(text))
}

/// Masks the values of fields that have the name of a secret.
fn hide_pairs(text: &str) -> String {
    by_pair(text, |_| false)
}

/// Masks the secrets in a form. If a text between two `&` is not a form field, it is hidden, because its format is
/// unknown.
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
    fn tokens_are_masked_anywhere_even_if_truncated() {
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
            assert!(!shown.contains("unter2"), "{shown}");
            assert!(shown.contains(HIDDEN), "{shown}");
        }
        let plain = r#"{"token_type":"bearer","error":{"code":"invalid_auth"},"x":{"code":-32600}}"#;
        for is_cut in [true, false] {
            assert_eq!(body(JSON, plain, is_cut), plain);
        }
    }

    #[test]
    fn arrays_and_objects_are_hidden_to_their_closing_bracket() {
        for (value, name) in [
            (r#"[["a"],"hunter2"]"#, "token"),
            (r#"{"a":{"b":1},"c":"hunter2"}"#, "secret"),
            (r#"["a]hunter2"]"#, "token"),
            (r#"["a\"]","hunter2"]"#, "token"),
            (r#"["a\\",["b"],"hunter2"]"#, "token"),
        ] {
            let text = format!(r#"{{"{name}":{value},"x":"xx"#);
            assert_eq!(body(JSON, &text, true), format!(r#"{{"{name}":"{HIDDEN}","x":"xx"#), "{text}");
            let text = format!(r#"{{"{name}":{}"#, &value[..value.len() - 2]);
            assert_eq!(body(JSON, &text, true), format!(r#"{{"{name}":"{HIDDEN}""#), "{text}");
            // the member is in the text of a JSON string, or in a JSON string inside a JSON string
            let member = format!(r#"{{"{name}":{value},"x":"xx"}}"#);
            let once = serde_json::to_string(&member).unwrap();
            let twice = serde_json::to_string(&format!("{{\"text\":{once}}}")).unwrap();
            for text in [once, twice] {
                let shown = body("text/plain", &format!("see {text}, {text}"), false);
                assert!(!shown.contains("hunter2") && shown.contains("xx"), "{text}: {shown}");
            }
        }
        // an array that is shown can contain members that are hidden
        let shown = body(JSON, r#"{"next_page_token":[{"token":["hunter2"]}],"x":"xx"#, true);
        assert_eq!(shown, format!(r#"{{"next_page_token":[{{"token":"{HIDDEN}"}}],"x":"xx"#));
    }

    #[test]
    fn escaped_quotes_do_not_end_a_secret() {
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
        assert_eq!(target("/files/fil_38f3t4rvm00aj38f3t4rvm00aj"), "/files/…");
        for path in ["/admin/v1/files/fil_38f3t4rvm00aj", "/c/grp_38f3k5drc004s/files/fil_38f3t4rvm00aj"] {
            assert_eq!(target(path), path, "the id of a file in a path is shown");
        }
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
        // names in the text of a string are decoded too, and every occurrence of a repeated member is hidden
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
    fn secrets_in_a_truncated_body_are_masked() {
        let cut = "x".repeat(9);
        for kind in ["text/plain", JSON] {
            for text in [
                format!("password=hunter2&a={cut}"),
                format!("a={cut}\nclient_secret=hunter2&b=1"),
                format!(r#"{{"text":"password=hunter2&a=b","more":"{cut}"#),
                format!(r#"{{"text":"a=b&pass\u0077ord=hunter2","more":["{cut}"#),
                format!(r#"["a","password=hunter2 {cut}"#),
                format!(r#""password=hunter2 {cut}"#),
                format!(r#"{{"text":"{{\"text\":\"password=hunter2&a=b\",\"more\":\"{cut}"#),
                r#"{"text":"password=hunter2\"#.to_owned(),
                r#"{"text":"password=hunter2\ud83d\u"#.to_owned(),
            ] {
                let shown = body(kind, &text, true);
                assert!(!shown.contains("hunter2") && shown.contains(HIDDEN), "{kind}: {text}: {shown}");
            }
        }
        let shown = body(
            JSON,
            r#"{"url":"https://x.example/?a=b&c=d","text":"a \"b\" \ud83d\ude00","more":"xx"#,
            true,
        );
        assert_eq!(shown, r#"{"url":"https://x.example/?a=b&c=d","text":"a \"b\" \ud83d\ude00","more":"xx"#);
        let shown = body(JSON, r#"{"text":"say \"x\"&code=1A\"","more":"xx"#, true);
        assert_eq!(shown, format!(r#"{{"text":"say \"x\"&code={HIDDEN}","more":"xx"#));
        let event = r#"data: {"text":"password=hunter2&a=b","more":"xx"#;
        assert!(!body("text/event-stream", event, true).contains("hunter2"));
    }

    #[test]
    fn deep_json_does_not_overflow_the_stack() {
        for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
            let nested = |depth: usize| format!("{}1{}", open.repeat(depth), close.repeat(depth));
            assert_eq!(body(JSON, &nested(64), false), nested(64));
            assert_eq!(body(JSON, &nested(65), false), INVALID_JSON);
            for text in [nested(8_192), open.repeat(8_192)] {
                assert_eq!(body("text/plain", &text, true), text);
                assert_eq!(body(JSON, &text, false), INVALID_JSON);
            }
        }
        // each string is inside 60 arrays, and its text is JSON that contains the next string; the maximum depth
        // of 64 applies to the sum of the depths
        let mut text = "password=hunter2".to_owned();
        for _ in 0..10 {
            text = format!("{}{}{}", "[".repeat(60), serde_json::to_string(&text).unwrap(), "]".repeat(60));
        }
        assert!(!body(JSON, &text, false).contains("hunter2"));
    }

    #[test]
    fn secrets_are_masked_in_bodies_that_do_not_match_their_media_type() {
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
