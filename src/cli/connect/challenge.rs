//! Parses the `Bearer` challenge in `WWW-Authenticate` (RFC 9110 §11.6.1).

use std::collections::BTreeMap;

use http::{HeaderMap, header};

/// White space between the parts of a challenge (RFC 9110 §5.6.3).
const SPACE: [char; 2] = [' ', '\t'];

/// Returns the parameters of the first `Bearer` challenge in the headers of a response, with names in lower case;
/// `None` if there is no such challenge. A header line can contain several challenges.
#[must_use]
pub fn bearer(headers: &HeaderMap) -> Option<BTreeMap<String, String>> {
    let lines = headers.get_all(header::WWW_AUTHENTICATE).iter();
    lines.filter_map(|line| line.to_str().ok()).find_map(in_line)
}

/// Returns the parameters of the first `Bearer` challenge in a header line.
fn in_line(line: &str) -> Option<BTreeMap<String, String>> {
    let (mut rest, mut parameters) = (line, None::<BTreeMap<_, _>>);
    loop {
        rest = rest.trim_start_matches([' ', ',', '\t']);
        if rest.is_empty() {
            return parameters;
        }
        let (name, after) = rest.split_at(rest.find([' ', '\t', ',', '=']).unwrap_or(rest.len()));
        let Some(value) = after.trim_start_matches(SPACE).strip_prefix('=') else {
            // a name without a value is the scheme of the next challenge
            if parameters.is_some() {
                return parameters;
            }
            parameters = name.eq_ignore_ascii_case("bearer").then(BTreeMap::new);
            rest = after;
            continue;
        };
        let value = value.trim_start_matches(SPACE);
        let (text, after) = match value.strip_prefix('"') {
            Some(quoted) => unquote(quoted),
            None => {
                let (text, after) = value.split_at(value.find([',', ' ', '\t']).unwrap_or(value.len()));
                (text.to_owned(), after)
            }
        };
        if let Some(parameters) = &mut parameters {
            parameters.entry(name.to_lowercase()).or_insert(text);
        }
        rest = after;
    }
}

/// Returns the text up to the closing quote with its escapes removed (RFC 9110 §5.6.4), and the text after the quote.
/// If there is no closing quote, returns the whole text with its escapes removed, and an empty text.
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

    fn parse(lines: &[&str]) -> Option<BTreeMap<String, String>> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header::WWW_AUTHENTICATE, line.parse().unwrap());
        }
        bearer(&headers)
    }

    #[test]
    fn the_parameters_of_a_challenge_are_parsed() {
        let challenge = parse(&[
            r#"Bearer error="invalid_token", resource_metadata="https://h/.well-known/x", scope="a b""#,
        ]);
        let challenge = challenge.unwrap();
        assert_eq!(challenge["error"], "invalid_token");
        assert_eq!(challenge["resource_metadata"], "https://h/.well-known/x");
        assert_eq!(challenge["scope"], "a b");
        assert_eq!(parse(&["bearer"]).unwrap().len(), 0);
        assert_eq!(parse(&[r#"Bearer realm=x,scope=a, Basic realm="y""#]).unwrap().len(), 2);
        assert_eq!(parse(&[r#"Bearer a="q\"uo, te", b="2""#]).unwrap()["a"], "q\"uo, te");
        assert_eq!(parse(&[r#"Bearer a = "1" , b =2"#]).unwrap()["b"], "2");
        assert_eq!(parse(&["Basic realm=x"]), None);
        assert_eq!(parse(&[""]), None);
        assert_eq!(parse(&[]), None);
    }

    #[test]
    fn a_bearer_challenge_is_found_among_others() {
        for lines in [
            &[r#"Basic realm="x", Bearer scope="a""#][..],
            &[r#"Basic realm="Bearer b=c, Bearer", charset="UTF-8",Bearer scope="a", Digest scope="b""#],
            &["Negotiate YWJj==, Bearer scope=a"],
            &["Negotiate, Bearer scope=a"],
            &["Basic realm=x", "Bearer scope=a", "Bearer scope=b"],
        ] {
            assert_eq!(parse(lines).expect("a challenge")["scope"], "a", "{lines:?}");
        }
    }
}
