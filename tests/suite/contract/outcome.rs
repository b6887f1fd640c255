//! Assertions about the responses of an API. Most of the calls use a generated client. An assertion fails if the call
//! gets another response than the expected one, or if the API's document does not list the expected response.

use std::fmt::Debug;

use progenitor_client::{Error, ResponseValue};
use serde_json::Value;

use super::{
    clients::{Coded, Typed},
    documents::{self, Operation, Outcome},
};
use crate::support::mcp::Call;

/// More requests than any rate limit of the documents allows at once.
pub const MANY: usize = 2_000;

/// Returns the status of an error response; `None` for a success, and for an error without a status.
pub fn status<T, E: Coded>(answer: &Result<T, Error<E>>) -> Option<u16> {
    answer.as_ref().err()?.status().map(|status| status.as_u16())
}

/// Asserts that an operation succeeded with this documented status, and returns the response.
#[track_caller]
pub fn success<C: Typed, T, E: Debug>(
    _: &C,
    method: &str,
    status: u16,
    answer: Result<ResponseValue<T>, Error<E>>,
) -> ResponseValue<T> {
    let operation = documents::operation(C::DOCUMENT, method);
    let documented = Outcome { status, code: None };
    assert!(operation.outcomes.contains(&documented), "the document must list {status} for {}", operation.id);
    let answer = answer.unwrap_or_else(|error| panic!("{} should succeed: {error:#?}", operation.id));
    assert_eq!(answer.status().as_u16(), status, "the status of {}", operation.id);
    assert!(
        answer.headers().contains_key("x-request-id"),
        "{}: every response has a request id",
        operation.id
    );
    answer
}

/// Asserts that an operation returned this documented status and error code, and returns the error.
#[track_caller]
pub fn refusal<C: Typed, T, E: Coded>(
    client: &C,
    method: &str,
    status: u16,
    code: &str,
    answer: Result<ResponseValue<T>, Error<E>>,
) -> ResponseValue<E> {
    refused(client, method, status, code, answer.map(drop))
}

/// Like [`refusal`], for a result whose value was dropped.
#[track_caller]
pub fn refused<C: Typed, E: Coded>(
    _: &C,
    method: &str,
    status: u16,
    code: &str,
    answer: Result<(), Error<E>>,
) -> ResponseValue<E> {
    let operation = documents::operation(C::DOCUMENT, method);
    let documented = Outcome { status, code: Some(code.to_owned()) };
    assert!(
        operation.outcomes.contains(&documented),
        "the document must list {status} {code} for {}",
        operation.id
    );
    let value = match answer {
        Err(Error::ErrorResponse(value)) => value,
        Err(error) => panic!("{}: the client gets no documented error response: {error:#?}", operation.id),
        Ok(()) => panic!("{} succeeds, but should be rejected with {status} {code}", operation.id),
    };
    let got = (value.status().as_u16(), value.code());
    assert_eq!(got, (status, code), "the error of {}: {value:?}", operation.id);
    assert_eq!(
        value.headers().contains_key("retry-after"),
        status == 429,
        "{}: a 429 has Retry-After, and no other error that these tests cause has it",
        operation.id
    );
    value
}

/// Sends a raw request of an operation, and asserts that the response has this documented status and error code. The
/// macro `answers!` calls this function.
pub async fn raw(
    id: &str,
    status: u16,
    code: Option<&str>,
    request: &impl AsyncFn(&'static Operation) -> Call,
) {
    let (_, operation) = documents::with_id(id).unwrap_or_else(|| panic!("no document has {id}"));
    let documented = Outcome { status, code: code.map(str::to_owned) };
    assert!(operation.outcomes.contains(&documented), "the document must list {status} {code:?} for {id}");
    let call = request(operation).await;
    let expected = (operation.method.as_str(), operation.path.as_str());
    assert_eq!((call.method.as_str(), call.path()), expected, "the request has the method and path of {id}");
    let answer = call.response().await;
    let headers = answer.headers().clone();
    assert_eq!(answer.status().as_u16(), status, "the status of {id}");
    assert!(headers.contains_key("x-request-id"), "{id}: every response has a request id");
    assert_eq!(
        headers.contains_key("retry-after"),
        status == 429,
        "{id}: a 429 has Retry-After, and no other response that these tests cause has it"
    );
    if let Some(code) = code {
        let body: Value = answer.json().await.unwrap_or_else(|error| panic!("{id}: {error}"));
        assert_eq!(body["error"], code, "the error of {id}: {body}");
    }
}
