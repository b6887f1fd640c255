//! `WWW-Authenticate` (RFC 9110 §11.6.1): the `Bearer` challenge and its parameters.

use std::collections::BTreeMap;

/// Returns the parameters of a `Bearer` challenge at the beginning of a header value, with their names in lower case;
/// `None` if the value begins with another scheme. Later challenges are ignored.
#[must_use]
pub fn bearer(value: &str) -> Option<BTreeMap<String, String>> {
    let (scheme, mut rest) = value.trim().split_once(' ').unwrap_or((value.trim(), ""));
    if !scheme.eq_ignore_ascii_case("bearer") {
        return None;
    }
    let mut parameters = BTreeMap::new();
    loop {
        rest = rest.trim_start_matches([' ', ',', '\t']);
        let Some((name, after)) = rest.split_once('=') else { return Some(parameters) };
        // a name with a space is the scheme and the first parameter of the next challenge
        if name.trim().contains(' ') {
            return Some(parameters);
        }
        let (text, after) = match after.strip_prefix('"') {
            Some(quoted) => unquote(quoted),
            None => {
                let end = after.find([',', ' ']).unwrap_or(after.len());
                (after[..end].to_owned(), &after[end..])
            }
        };
        parameters.entry(name.trim().to_lowercase()).or_insert(text);
        rest = after;
    }
}

/// Returns the unescaped text up to the closing quote, and the rest after it.
fn unquote(text: &str) -> (String, &str) {
    let (mut out, mut escaped) = (String::new(), false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => {
                out.push(c);
                escaped = false;
            }
            '\\' => escaped = true,
            '"' => return (out, &text[at + 1..]),
            c => out.push(c),
        }
    }
    (out, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn challenges_are_parsed() {
        let read = bearer(
            r#"Bearer error="invalid_token", resource_metadata="https://h/.well-known/x", scope="a b""#,
        );
        let read = read.unwrap();
        assert_eq!(read["error"], "invalid_token");
        assert_eq!(read["resource_metadata"], "https://h/.well-known/x");
        assert_eq!(read["scope"], "a b");
        assert_eq!(bearer("bearer").unwrap().len(), 0);
        assert_eq!(bearer(r#"Bearer realm=x,scope=a, Basic realm="y""#).unwrap().len(), 2);
        assert_eq!(bearer(r#"Bearer a="q\"uo, te", b="2""#).unwrap()["a"], "q\"uo, te");
        assert_eq!(bearer("Basic realm=x"), None);
        assert_eq!(bearer(""), None);
    }
}
