//! Fuzzes the request bodies of all operations of the three OpenAPI documents. Each body is parsed, validated against
//! the operation's schema, and converted to the operation's Rust type.
//!
//! The first line of an input is the document, the operation and the media type, for example
//! `bot createMessage application/json`. The other lines are the body.

#![no_main]

use std::{collections::HashMap, sync::LazyLock};

use http::{HeaderMap, HeaderValue, header};
use libfuzzer_sys::{Corpus, fuzz_target};
use switchboard::{
    contract::{BodyReader, DeclaredType, sent},
    domain::refusal::Code,
    generated::{admin, assistant, bot},
};
use switchboard_fuzz::first_line;

/// Every error message is shorter than this number of bytes, however much of the request it quotes.
const LONGEST_MESSAGE: usize = 4_000;

static READERS: LazyLock<HashMap<(&str, &str), &BodyReader>> = LazyLock::new(|| {
    let all = [bot::BODIES, assistant::BODIES, admin::BODIES].into_iter().flatten();
    all.map(|reader| ((reader.operation.api, reader.operation.id), reader)).collect()
});

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((line, body)) = first_line(input) else { return Corpus::Reject };
    let mut words = line.splitn(3, ' ');
    let (api, id) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let Some(reader) = READERS.get(&(api, id)) else { return Corpus::Reject };
    let mut headers = HeaderMap::new();
    if let Ok(media_type) = HeaderValue::from_str(words.next().unwrap_or_default()) {
        headers.insert(header::CONTENT_TYPE, media_type);
    }
    // the server rejects a media type that the operation does not declare before it reads the body
    if !matches!(sent(&headers, reader.operation), DeclaredType::Known(_)) {
        return Corpus::Reject;
    }
    check_body(reader, &headers, body);
    Corpus::Keep
});

fn check_body(reader: &BodyReader, headers: &HeaderMap, body: &[u8]) {
    let operation = reader.operation;
    match reader.read(headers, body) {
        Ok(value) => {
            let json_headers =
                HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
            if matches!(sent(&json_headers, operation), DeclaredType::Known(_)) {
                let written = serde_json::to_vec(&value).expect("an accepted body can be serialized");
                let again = reader.read(&json_headers, &written);
                let again = again.expect("an accepted body is accepted again after it was serialized");
                assert_eq!(again, value, "{}: serializing a body keeps its value", operation.id);
            }
        }
        Err(error) => {
            assert_ne!(error.code, Code::InternalError, "{}: no body causes {error:?}", operation.id);
            let (id, code) = (operation.id, error.code);
            assert!(operation.errors.contains(&code), "{id}: the document must list the error code {code:?}");
            let text = error.text();
            assert!(text.len() < LONGEST_MESSAGE, "a message has less than {LONGEST_MESSAGE} bytes: {text}");
        }
    }
}
