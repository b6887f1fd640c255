//! Downloads of the stored files, whose names are hostile texts.

use super::StoredTextsFixture;
use crate::support::{text, wire};

/// Downloads all files of a conversation, and checks each download. The name of each file must have the extension
/// `extension`. Returns the number of files.
pub async fn check(fixture: &mut StoredTextsFixture<'_>, conversation: &str, extension: &str) -> usize {
    let mut checked = 0;
    for message in fixture.company.messages(conversation).await {
        for file in message["files"].as_array().into_iter().flatten() {
            let path = format!("/c/{conversation}/files/{}", text(file, "/id"));
            let link = fixture.browser.get(&path).await;
            checked += 1;
            let mut at =
                link.header("location").unwrap_or_else(|| panic!("{path}: {}", link.text)).to_owned();
            loop {
                let to = at.strip_prefix(&fixture.server.base).unwrap_or(&at).to_owned();
                assert!(to.starts_with('/') && to.is_ascii() && !to.contains(['<', '"', '\'']), "{to}");
                let got = wire::request(&fixture.server.base, &format!("GET {to}"), &[], b"").await;
                if let Some(next) = got.header("location") {
                    at = next.to_owned();
                    continue;
                }
                check_download(&got, extension);
                break;
            }
        }
    }
    checked
}

/// Asserts that browsers save a file and never show it, and that its name cannot add a header or a parameter
/// (RFC 6266).
#[track_caller]
fn check_download(got: &wire::Wire, extension: &str) {
    assert_eq!(got.status, 200);
    let mut headers: Vec<_> = got.headers.iter().map(|(name, _)| name.as_str()).collect();
    headers.sort_unstable();
    let expected = [
        "accept-ranges",
        "cache-control",
        "connection",
        "content-disposition",
        "content-length",
        "content-security-policy",
        "content-type",
        "date",
        "referrer-policy",
        "x-content-type-options",
        "x-request-id",
    ];
    assert_eq!(headers, expected);
    assert_eq!(got.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(got.header("content-security-policy"), Some("sandbox; default-src 'none'"));
    let value = got.header("content-disposition").unwrap();
    let (quoted, rest) = value
        .strip_prefix("attachment; filename=\"")
        .and_then(|rest| rest.split_once('"'))
        .unwrap_or_else(|| panic!("{value}"));
    assert!(
        quoted.bytes().all(|byte| (b' '..=b'~').contains(&byte) && byte != b'\\' && byte != b'/'),
        "{value}"
    );
    let saved = match rest {
        "" => quoted.to_owned(),
        _ => {
            let encoded = rest.strip_prefix("; filename*=UTF-8''").unwrap_or_else(|| panic!("{value}"));
            let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$&+-.^_`|~%".contains(&byte);
            assert!(encoded.bytes().all(is_token), "{value}");
            let query = format!("x={}", encoded.replace('+', "%2B"));
            url::form_urlencoded::parse(query.as_bytes()).into_owned().next().unwrap().1
        }
    };
    // The name has no folder and no control character. It has no bidirectional control either, which could hide the
    // extension.
    assert!(!saved.contains(['/', '\\']) && !saved.contains(char::is_control), "{value}");
    assert!(!saved.contains(is_bidirectional_control), "{value}");
    assert!(saved.ends_with(&format!(".{extension}")), "{value}");
}

/// Returns whether a character has the Unicode property `Bidi_Control`.
pub fn is_bidirectional_control(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
}
