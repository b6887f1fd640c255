//! Parsing of forms and queries.

use std::borrow::Cow;

use poem::http::{HeaderMap, StatusCode, header};
use serde_json::{Map, Value};

use super::error_page::PageError;
use crate::contract::{BodyLimits, form_members, query_pairs, read_limited};

/// Our forms have few fields; the largest contains the parameters of an install request.
const LIMITS: BodyLimits = BodyLimits { bytes: 64 * 1024, time: std::time::Duration::from_secs(10) };
/// Limits of a form with a message, which is shown again if its text is too long.
const MESSAGE_LIMITS: BodyLimits = BodyLimits { bytes: 1 << 20, ..LIMITS };
const FORM: &str = "application/x-www-form-urlencoded";

/// The fields of a form, without repetition.
#[derive(Debug, Default)]
pub(super) struct Form {
    fields: Map<String, Value>,
    /// Fields that need not be UTF-8, in order, repetitions included.
    opaque: Vec<(String, Vec<u8>)>,
}

impl Form {
    /// Parses a body. Fields named in `opaque` may hold any bytes and are only returned by
    /// [`pairs`](Self::pairs); all others are text.
    ///
    /// # Errors
    /// 415 for another media type, 413 and 408 for a body too large or too slow, 400 for a malformed one.
    pub(super) async fn read(
        headers: &HeaderMap,
        body: poem::Body,
        opaque: &[&str],
    ) -> Result<Self, PageError> {
        Self::read_within(headers, body, LIMITS, opaque).await
    }

    /// As [`Self::read`], for a form with a message.
    ///
    /// # Errors
    /// Errors of [`Self::read`].
    pub(super) async fn read_message(headers: &HeaderMap, body: poem::Body) -> Result<Self, PageError> {
        Self::read_within(headers, body, MESSAGE_LIMITS, &[]).await
    }

    async fn read_within(
        headers: &HeaderMap,
        body: poem::Body,
        limits: BodyLimits,
        opaque: &[&str],
    ) -> Result<Self, PageError> {
        let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let essence = media_type.unwrap_or_default().split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case(FORM) {
            return Err(PageError::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "This is not a form",
                "This page accepts only submissions of its own form.",
            ));
        }
        let bytes = read_limited(body, limits).await?;
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

    /// Returns a form with these fields.
    pub(super) fn of(fields: Map<String, Value>) -> Self {
        Self { fields, opaque: Vec::new() }
    }

    /// Returns a field, which may be empty.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.fields.get(name).and_then(Value::as_str)
    }

    /// Returns a field that is not empty.
    pub(super) fn filled(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|value| !value.is_empty())
    }

    /// Returns a boolean field; `None` if it is absent or not boolean.
    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        match self.get(name)? {
            "true" | "on" | "1" | "yes" => Some(true),
            "false" | "off" | "0" | "no" | "" => Some(false),
            _ => None,
        }
    }

    /// Returns every value of a field that may be repeated, which is one of `opaque`. Invalid UTF-8 becomes replacement
    /// characters, which no valid value contains.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = Cow<'a, str>> {
        self.opaque
            .iter()
            .filter(move |(found, _)| found == name)
            .map(|(_, value)| String::from_utf8_lossy(value))
    }

    /// Returns all fields as bytes.
    pub(super) fn pairs(&self) -> Vec<(String, Vec<u8>)> {
        let bytes = |value: &Value| value.as_str().unwrap_or_default().as_bytes().to_vec();
        let fields = self.fields.iter().map(|(name, value)| (name.clone(), bytes(value)));
        fields.chain(self.opaque.iter().cloned()).collect()
    }
}

/// Parses the parameters of a query in order, repetitions included. Invalid UTF-8 becomes replacement
/// characters, which no valid value contains.
pub(super) fn query(text: &str) -> Vec<(String, String)> {
    url::form_urlencoded::parse(text.as_bytes()).into_owned().collect()
}
