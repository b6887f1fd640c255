//! The request headers of an attempt (B-430 … B-437, B-439).

use http::{
    HeaderMap, HeaderName, HeaderValue,
    header::{CONTENT_TYPE, USER_AGENT},
};

use crate::{
    domain::time::Timestamp,
    service::events::deliveries::{queue::DueEvent, signing::SigningSecrets},
};

const ATTEMPT: HeaderName = HeaderName::from_static("x-service-attempt");
const TIMESTAMP: HeaderName = HeaderName::from_static("x-service-timestamp");
const SIGNATURE: HeaderName = HeaderName::from_static("x-service-signature");
const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=utf-8");

/// Returns the headers of an attempt that starts at `at`.
pub(super) fn headers(
    event: &DueEvent,
    secrets: &SigningSecrets,
    at: Timestamp,
    agent: &HeaderValue,
) -> HeaderMap {
    let mut headers = HeaderMap::with_capacity(5);
    headers.insert(CONTENT_TYPE, JSON);
    headers.insert(USER_AGENT, agent.clone());
    headers.insert(ATTEMPT, HeaderValue::from(event.attempts + 1));
    headers.insert(TIMESTAMP, HeaderValue::from(at.seconds()));
    // never fails, because signatures are ASCII
    if let Ok(signature) = HeaderValue::from_str(&secrets.sign(at, &event.body)) {
        headers.insert(SIGNATURE, signature);
    }
    headers
}
