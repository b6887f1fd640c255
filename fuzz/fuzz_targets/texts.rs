//! Fuzzes parsers of short texts, such as ids, times, tokens, e-mail addresses, scopes and file names. Checks that
//! formatting a parsed id or token returns the original text, and formatting a parsed time returns its canonical form.

#![no_main]

use http::HeaderValue;
use libfuzzer_sys::{Corpus, fuzz_target};
use switchboard::{
    contract::query_pairs,
    domain::{
        base62,
        conversation::ConversationKind,
        email::{is_address, normal},
        grant::Access,
        ids::{AppId, ConversationId, FileId, MessageId, UserId},
        people::{email_key, is_time_zone},
        pkce,
        scopes::Scopes,
        time::Timestamp,
        token, visible,
    },
    platform::blobs::attachment,
};

fuzz_target!(|input: &[u8]| -> Corpus {
    let Ok(text) = std::str::from_utf8(input) else { return Corpus::Reject };
    ids(text);
    times(text);
    addresses(text);
    file_names(text);
    if let Some(scopes) = Scopes::parse(text) {
        assert_eq!(Scopes::from_names(scopes.names()), Some(scopes));
        assert_eq!(Scopes::from_bits(scopes.bits()), scopes);
    }
    if let Some(access) = Access::parse(text) {
        assert_eq!(Access::from_bits(access.bits()), access);
    }
    if input.len() == 43
        && let Some(bytes) = base62::decode::<32>(input)
    {
        assert_eq!(base62::encode::<32, 43>(&bytes), *input, "a value has one encoding of this length");
    }
    if let Some(kind) = token::parse(text) {
        let body = token::body(kind, text).expect("a token has a body");
        assert_eq!(token::with_checksum(kind, body.as_bytes()), text);
    }
    assert!(!pkce::is_verifier(text) || (43..=128).contains(&text.len()));
    assert!(!pkce::is_challenge(text) || text.len() == 43);
    assert!(!is_time_zone(text) || text.is_ascii());
    assert!(!visible::is_visible(text) || !text.trim().is_empty());
    Corpus::Keep
});

fn ids(text: &str) {
    let same = [
        UserId::parse(text).map(UserId::encode),
        FileId::parse(text).map(FileId::encode),
        AppId::parse(text).map(AppId::encode),
        ConversationId::parse(text).map(|(kind, id): (ConversationKind, _)| id.encode(kind)),
        MessageId::parse(text).map(|(in_dm, id)| id.encode(in_dm)),
    ];
    let read: Vec<_> = same.into_iter().flatten().collect();
    assert!(read.len() <= 1, "a text is an id of at most one type: {text}");
    assert!(read.iter().all(|written| written == text), "an id has one encoding: {text}");
}

fn times(text: &str) {
    let Some(time) = Timestamp::parse(text) else { return };
    let written = time.to_rfc3339();
    let again = Timestamp::parse(&written).expect("a formatted time can be parsed");
    // A time with an offset can be before the year 0000 or after the year 9999 in UTC. RFC 3339 cannot write such a
    // time in UTC, so the nearest time is written.
    let [first, last] = ["0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"]
        .map(|text| Timestamp::parse(text).expect("the first and the last time can be parsed").millis());
    assert_eq!(
        again.millis(),
        time.millis().clamp(first, last),
        "formatting writes the time, or the nearest time that can be written: {text}"
    );
    assert_eq!(again.to_rfc3339(), written, "a time has one canonical form");
}

fn addresses(text: &str) {
    let address = normal(text);
    assert_eq!(normal(&address), address, "normalizing a normalized address changes nothing: {text:?}");
    let key = email_key(text);
    assert_eq!(email_key(&key), key, "the key of a key is the key itself: {text:?}");
    if is_address(&address) {
        assert!(!address.contains(char::is_whitespace) && address.len() <= 254);
        assert!(!key.is_empty());
        assert_eq!(email_key(&address), key, "an address and its normal form have the same key: {text:?}");
    }
}

/// Checks the header `Content-Disposition` of the download of a file with this name.
fn file_names(name: &str) {
    let value = attachment(name);
    let is_ascii = HeaderValue::from_str(&value).is_ok_and(|value| value.to_str().is_ok());
    assert!(is_ascii, "the header's value is visible ASCII: {value}");
    let exact = value.rsplit("filename*=UTF-8''").next().unwrap_or_default();
    let pairs = query_pairs(&format!("name={exact}"));
    let expected = name.replace(['/', '\\'], "_");
    assert_eq!(
        pairs,
        [("name".to_owned(), expected.into_bytes())],
        "`filename*` has the name, with `_` for each slash or backslash: {value}"
    );
    assert_eq!(value.matches('"').count(), 2, "the only quotation marks enclose the plain name: {value}");
}
