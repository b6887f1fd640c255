//! Finds the links in a text. Only `http` and `https` addresses become links.

use url::Url;

/// Pairs of brackets, by which [`written_at`] decides whether a closing bracket at the end belongs to the address.
const BRACKETS: [(char, char); 3] = [('(', ')'), ('[', ']'), ('{', '}')];

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::pages) enum TextPart<'a> {
    Plain(&'a str),
    Link {
        /// The normalized address: ASCII without spaces and double quotes.
        address: String,
        /// The address as it is written in the text.
        text: &'a str,
    },
}

/// Splits a text into links and the plain text between them.
pub(in crate::pages) fn parts(text: &str) -> Vec<TextPart<'_>> {
    let mut parts = Vec::new();
    let (mut plain_from, mut search_from) = (0, 0);
    while let Some(start) = next_scheme(text, search_from) {
        let written = written_at(text, start);
        search_from = start + written.len().max(1);
        let Some(address) = address(written) else { continue };
        if plain_from < start {
            parts.push(TextPart::Plain(&text[plain_from..start]));
        }
        parts.push(TextPart::Link { address, text: written });
        plain_from = start + written.len();
    }
    if plain_from < text.len() {
        parts.push(TextPart::Plain(&text[plain_from..]));
    }
    parts
}

/// Returns the position of the next `http://` or `https://`. Skips a scheme directly after a letter or digit.
fn next_scheme(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let begins = |at: usize, scheme: &str| {
        bytes.get(at..at + scheme.len()).is_some_and(|found| found.eq_ignore_ascii_case(scheme.as_bytes()))
    };
    let continues_word = |at: usize| text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
    (from..bytes.len())
        .filter(|at| matches!(bytes[*at], b'h' | b'H'))
        .find(|at| (begins(*at, "http://") || begins(*at, "https://")) && !continues_word(*at))
}

/// Returns the address that begins at a position. The address ends before white space, a delimiter or an invisible
/// character. Punctuation at its end is left out. Closing brackets at its end are left out while the address contains
/// more closing than opening brackets of their pair.
fn written_at(text: &str, start: usize) -> &str {
    let ends =
        |c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '"' | '`') || is_format(c);
    let rest = &text[start..];
    let mut written = &rest[..rest.find(ends).unwrap_or(rest.len())];
    // the brackets are counted once: counting them again after each bracket that is left out would take quadratic time
    let count = |bracket: char| written.matches(bracket).count();
    let mut unopened = BRACKETS.map(|(open, close)| count(close).saturating_sub(count(open)));
    while let Some(last) = written.chars().next_back() {
        let belongs = match last {
            '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '*' | '_' | '~' | '”' | '’' | '»' | '…' => {
                false
            }
            _ => match BRACKETS.iter().zip(&mut unopened).find(|((_, close), _)| *close == last) {
                Some((_, unopened)) if *unopened > 0 => {
                    *unopened -= 1;
                    false
                }
                _ => true,
            },
        };
        if belongs {
            break;
        }
        written = &written[..written.len() - last.len_utf8()];
    }
    written
}

/// Returns whether a character is invisible or changes the direction of text, so that it could disguise an address.
const fn is_format(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{61c}')
}

/// Returns the normalized address; `None` for an address without a host. Also returns `None` for an address with a user
/// name or a password, because readers could mistake these for the host.
fn address(written: &str) -> Option<String> {
    let url = Url::parse(written).ok()?;
    let is_web = matches!(url.scheme(), "http" | "https");
    let is_plain = url.host_str().is_some_and(|host| !host.is_empty()) && url.username().is_empty();
    (is_web && is_plain && url.password().is_none()).then(|| url.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(text: &str) -> Vec<(String, String)> {
        let link = |part: TextPart<'_>| match part {
            TextPart::Link { address, text } => Some((address, text.to_owned())),
            TextPart::Plain(_) => None,
        };
        parts(text).into_iter().filter_map(link).collect()
    }

    #[track_caller]
    fn finds(text: &str, expected: &[&str]) {
        let written: Vec<_> = links(text).into_iter().map(|(_, written)| written).collect();
        assert_eq!(written, expected, "{text}");
    }

    #[test]
    fn addresses_end_before_punctuation() {
        finds("See https://a.example/b?c=d#e.", &["https://a.example/b?c=d#e"]);
        finds("(http://a.example), https://b.example/(x)!", &["http://a.example", "https://b.example/(x)"]);
        finds("<https://a.example/b>", &["https://a.example/b"]);
        finds("HTTPS://A.example\nhttp://b.example", &["HTTPS://A.example", "http://b.example"]);
        finds("“https://a.example/”", &["https://a.example/"]);
        finds("a\u{202e}https://a.example/\u{202e}gpj", &["https://a.example/"]);
    }

    #[test]
    fn unopened_closing_brackets_at_the_end_are_left_out() {
        finds("https://a.example/(b).)]}", &["https://a.example/(b)"]);
        finds("https://a.example/((b))))", &["https://a.example/((b))"]);
        finds("https://a.example/[b]],{c}}).", &["https://a.example/[b]],{c}"]);
        finds("https://a.example/(b]", &["https://a.example/(b"]);
    }

    #[test]
    fn many_closing_brackets_are_left_out_in_linear_time() {
        // with quadratic time this would take hours
        finds(&format!("https://a.example{}", ")]}".repeat(1_000_000)), &["https://a.example"]);
    }

    #[test]
    fn only_valid_web_addresses_without_credentials_become_links() {
        for text in [
            "javascript:alert(1)",
            "data:text/html,x",
            "//a.example",
            "www.a.example",
            "xhttp://a.example",
            "http://",
            "https://)",
            "http:// a.example",
            "https://bank.example@evil.example/",
            "https://user:secret@evil.example/",
            "http:\\\\a.example",
            "ftp://a.example",
            "",
        ] {
            finds(text, &[]);
        }
        finds("javascript://https://a.example", &["https://a.example"]);
    }

    #[test]
    fn addresses_are_normalized() {
        let (address, text) = links("https://bücher.example/ä\"x").pop().unwrap();
        assert_eq!(
            (address.as_str(), text.as_str()),
            ("https://xn--bcher-kva.example/%C3%A4", "https://bücher.example/ä")
        );
    }

    #[test]
    fn the_parts_are_the_whole_text() {
        for text in [
            "",
            "a",
            "https://a.example",
            "x https://a.example. https://b.example y",
            "http://http://a.example é",
        ] {
            let whole: String = parts(text)
                .into_iter()
                .map(|part| match part {
                    TextPart::Plain(text) | TextPart::Link { text, .. } => text,
                })
                .collect();
            assert_eq!(whole, text);
        }
    }
}
