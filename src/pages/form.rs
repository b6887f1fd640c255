//! Forms and queries as names and values.

use poem::http::{HeaderMap, StatusCode, header};
use serde_json::{Map, Value};

use super::trouble::Trouble;
use crate::contract::{BodyLimits, form_members, query_pairs, read_limited};

/// A form of ours is a few fields; the largest carries an install request's parameters.
const LIMITS: BodyLimits = BodyLimits { bytes: 64 * 1024, time: std::time::Duration::from_secs(10) };
const FORM: &str = "application/x-www-form-urlencoded";

/// The fields of a form, each of which may be there once.
#[derive(Debug, Default)]
pub(super) struct Form {
    fields: Map<String, Value>,
    /// Those that need not be text, as often as they came.
    opaque: Vec<(String, Vec<u8>)>,
}

impl Form {
    /// Reads a body. The fields with the names in `opaque` may hold any bytes, and are only among the
    /// [pairs](Self::pairs); all others are text.
    ///
    /// # Errors
    /// 415 for another media type, 413 and 408 for a body too large or too slow, 400 for one that is no form.
    pub(super) async fn read(
        headers: &HeaderMap,
        body: poem::Body,
        opaque: &[&str],
    ) -> Result<Self, Trouble> {
        let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let essence = media_type.unwrap_or_default().split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case(FORM) {
            return Err(Trouble::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "That was not a form",
                "This page only takes what its own form sends.",
            ));
        }
        let bytes = read_limited(body, LIMITS).await?;
        let mut form = Self::default();
        let mut text = Vec::with_capacity(bytes.len());
        for part in bytes.split(|byte| *byte == b'&') {
            let pair = std::str::from_utf8(part).ok().and_then(|part| query_pairs(part).pop());
            match pair.filter(|(name, _)| opaque.contains(&name.as_str())) {
                Some(pair) => form.opaque.push(pair),
                None => {
                    text.extend_from_slice(part);
                    text.push(b'&');
                }
            }
        }
        form.fields = form_members(&text)?;
        Ok(form)
    }

    /// A field, empty or not.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.fields.get(name).and_then(Value::as_str)
    }

    /// A field that holds something.
    pub(super) fn filled(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|value| !value.is_empty())
    }

    /// A yes or no; none when it is neither or not there.
    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        match self.get(name)? {
            "true" | "on" | "1" | "yes" => Some(true),
            "false" | "off" | "0" | "no" | "" => Some(false),
            _ => None,
        }
    }

    /// Every field with the bytes it holds.
    pub(super) fn pairs(&self) -> Vec<(String, Vec<u8>)> {
        let bytes = |value: &Value| value.as_str().unwrap_or_default().as_bytes().to_vec();
        let fields = self.fields.iter().map(|(name, value)| (name.clone(), bytes(value)));
        fields.chain(self.opaque.iter().cloned()).collect()
    }
}

/// The parameters of a query in their order, repeated ones as often as they came. Parts that are not UTF-8 are read
/// with replacement characters, which no value of ours has.
pub(super) fn query(text: &str) -> Vec<(String, String)> {
    url::form_urlencoded::parse(text.as_bytes()).into_owned().collect()
}
