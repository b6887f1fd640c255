//! Fuzzes the parsers of form bodies and query strings. Both must return the same names and values as the crate `url`.
//! The parser of forms may also reject a form.

#![no_main]

use libfuzzer_sys::fuzz_target;
use switchboard::contract::{form_fields, query_pairs};
use url::form_urlencoded::{Serializer, parse};

/// A maximum that allows any number of fields.
const MAX_FIELDS: usize = usize::MAX;

fuzz_target!(|bytes: &[u8]| {
    let known: Vec<_> = parse(bytes).into_owned().collect();
    if let Ok(fields) = form_fields(bytes, &[], MAX_FIELDS) {
        let mut read: Vec<_> = fields
            .texts
            .iter()
            .map(|(name, value)| (name.clone(), value.as_str().expect("a text").to_owned()))
            .collect();
        let mut known = known.clone();
        read.sort();
        known.sort();
        assert_eq!(read, known, "the parser of forms reads the same fields as the crate `url`");
        let written = Serializer::new(String::new()).extend_pairs(&read).finish();
        let again =
            form_fields(written.as_bytes(), &[], MAX_FIELDS).expect("the serialized fields are a valid form");
        assert_eq!(again, fields);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        let pairs = query_pairs(text).into_iter();
        let pairs: Vec<_> =
            pairs.map(|(name, value)| (name, String::from_utf8_lossy(&value).into_owned())).collect();
        assert_eq!(pairs, known, "the parser of queries reads the same pairs as the crate `url`");
    }
});
