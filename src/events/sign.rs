//! The headers of an attempt (B-430 … B-439).

use http::{
    HeaderMap, HeaderName, HeaderValue,
    header::{CONTENT_TYPE, USER_AGENT},
};

use crate::{
    domain::{
        signature::{self, ROTATION_OVERLAP},
        time::Timestamp,
    },
    store::deliveries::Due,
};

const ATTEMPT: HeaderName = HeaderName::from_static("x-service-attempt");
const TIMESTAMP: HeaderName = HeaderName::from_static("x-service-timestamp");
const SIGNATURE: HeaderName = HeaderName::from_static("x-service-signature");
const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=utf-8");

/// The headers of an attempt begun at `at`: signed with the app's secret and, for 24 hours after it was replaced,
/// with the one before it.
pub(super) fn headers(event: &Due, at: Timestamp, agent: &HeaderValue) -> HeaderMap {
    let overlaps = event.signing_rotated_at.is_some_and(|rotated_at| at < rotated_at + ROTATION_OVERLAP);
    let previous = event.previous_signing_secret.as_deref().filter(|_| overlaps);
    let timestamp = at.seconds();
    let signature = signature::header(&event.signing_secret, previous, timestamp, event.body.as_bytes());
    let mut headers = HeaderMap::with_capacity(5);
    headers.insert(CONTENT_TYPE, JSON);
    headers.insert(USER_AGENT, agent.clone());
    headers.insert(ATTEMPT, HeaderValue::from(event.attempts + 1));
    headers.insert(TIMESTAMP, HeaderValue::from(timestamp));
    // hex digits and commas are always a header's value
    if let Ok(signature) = HeaderValue::from_str(&signature) {
        headers.insert(SIGNATURE, signature);
    }
    headers
}
