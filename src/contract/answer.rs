//! Records what the request checks (the guard) and the handlers know about the response of the current request, such as
//! headers.
//!
//! The state is task-local, so a handler can add a header without access to the request. Outside of a request, nothing
//! is recorded.

use std::{
    cell::{Cell, RefCell},
    fmt,
    net::IpAddr,
};

use futures_util::future::BoxFuture;
use poem::{
    Response,
    http::{HeaderName, HeaderValue},
};
use serde_json::Value;

use super::{ApiError, OperationInfo};
use crate::domain::{ids::UserId, refusal::Refusal};

/// Length of a request id: `req_` and 26 Crockford base32 characters (D-003).
pub const REQUEST_ID_LEN: usize = 30;

/// Maximum number of look-ups of a caller's permissions before a response is sent. The look-up is repeated if its
/// result is no longer current and the database does not support [`Confirmation::hold`].
const CONFIRMATIONS: u32 = 3;
/// The message of the response if the result of every look-up was outdated when the look-up ended.
const UNCONFIRMED: &str =
    "permissions are being revoked, and those of the caller could not be confirmed; try again";
/// `Retry-After` in seconds of the response with [`UNCONFIRMED`].
const RETRY_AFTER: u32 = 1;

tokio::task_local! {
    static ANSWER: AnswerState;
}

/// The caller of a request, for the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoggedCaller {
    /// The holder of the operator key.
    Operator,
    /// A signed-in account. Contains the users of the account, one for each company.
    Persons(Vec<UserId>),
}

impl fmt::Display for LoggedCaller {
    /// Formats as `operator`, or as `usr_…` separated by commas.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operator => f.write_str("operator"),
            Self::Persons(persons) => persons.iter().enumerate().try_for_each(|(index, person)| {
                f.write_str(if index == 0 { "" } else { "," })?;
                f.write_str(&person.encode())
            }),
        }
    }
}

/// The actions on pages that are logged by name; API operations are logged by their operationId.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageAction {
    /// An attempt to sign in.
    SignIn,
    /// A sign-out.
    SignOut,
    /// A form posted by a signed-in user.
    SubmitForm,
}

impl PageAction {
    /// Returns the name used in the log.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SignIn => "signIn",
            Self::SignOut => "signOut",
            Self::SubmitForm => "submitForm",
        }
    }
}

/// What a form of a page has changed. It is logged, because the path of the page does not name the changed resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageChange {
    /// The id of the changed resource. If this id alone does not identify the resource, the id of its parent precedes
    /// it.
    pub resource: String,
    /// What was done, such as `deactivated`.
    pub change: &'static str,
}

/// Checks a caller's permissions again before the response is sent. If they were revoked while the request was handled,
/// no data is returned (`docs/decisions/0030-revocations-and-answers.md`).
pub trait Confirmation: Send + Sync {
    /// Returns whether the result of the last look-up of the permissions is current: the look-up is recent enough, and
    /// nothing was revoked afterwards that can concern the caller.
    fn is_current(&self) -> bool;

    /// Returns whether a write was committed in a transaction that confirmed the caller. A redirect after this write
    /// reports only the write, so it is sent without another look-up.
    fn has_written(&self) -> bool {
        false
    }

    /// Looks up the permissions again. [`Confirmation::is_current`] then refers to this look-up.
    ///
    /// # Errors
    /// The rejection, in the format of the API.
    fn confirm(&mut self) -> BoxFuture<'_, Result<(), Rejection>>;

    /// Looks up the permissions in a transaction that holds the caller's locks. A revocation waits for these locks. The
    /// locks are kept for 20 ms after the look-up, and the response is sent within this time. So the result is still
    /// valid when the response is sent, however long the look-up takes.
    ///
    /// Returns `true` after this look-up. Looks up nothing on SQLite, which has no such locks, and returns `false`. For
    /// a caller whose permissions cannot be revoked, returns `true` on both engines without a look-up.
    ///
    /// # Errors
    /// The rejection, in the format of the API.
    fn hold(&mut self) -> BoxFuture<'_, Result<bool, Rejection>>;
}

/// The response that is sent if the confirmation rejects the caller.
#[derive(Debug)]
pub enum Rejection {
    /// An error, which is written in the error format of the OpenAPI document.
    ApiError(ApiError),
    /// A complete response, such as a redirect to the sign-in page.
    Response(Box<Response>),
}

impl From<ApiError> for Rejection {
    fn from(error: ApiError) -> Self {
        Self::ApiError(error)
    }
}

pub(super) struct AnswerState {
    pub(super) request_id: [u8; REQUEST_ID_LEN],
    pub(super) operation: Cell<Option<&'static OperationInfo>>,
    pub(super) page_action: Cell<Option<PageAction>>,
    pub(super) page_change: RefCell<Option<PageChange>>,
    pub(super) address: Cell<Option<IpAddr>>,
    pub(super) caller: RefCell<Option<LoggedCaller>>,
    pub(super) headers: RefCell<Vec<(HeaderName, HeaderValue)>>,
    pub(super) confirmation: RefCell<Option<Box<dyn Confirmation>>>,
    /// The body that the guard has parsed. The outer `None` means that the guard has parsed no body, and the inner
    /// `None` means that the body is empty.
    pub(super) parsed: RefCell<Option<Option<Value>>>,
}

impl AnswerState {
    pub(super) fn new(request_id: [u8; REQUEST_ID_LEN]) -> Self {
        Self {
            request_id,
            operation: Cell::new(None),
            page_action: Cell::new(None),
            page_change: RefCell::default(),
            address: Cell::new(None),
            caller: RefCell::default(),
            headers: RefCell::default(),
            confirmation: RefCell::default(),
            parsed: RefCell::default(),
        }
    }

    /// Runs `request` with this state. Returns the outcome of the request, and what the request recorded.
    pub(super) async fn scope<F: Future>(self, request: F) -> (F::Output, ResponseRecord) {
        ANSWER
            .scope(self, async {
                let outcome = request.await;
                let record = ANSWER.with(|answer| ResponseRecord {
                    operation: answer.operation.get(),
                    page_action: answer.page_action.get(),
                    page_change: answer.page_change.take(),
                    caller: answer.caller.take(),
                    headers: answer.headers.take(),
                });
                (outcome, record)
            })
            .await
    }
}

/// What a request recorded about its response.
pub(super) struct ResponseRecord {
    pub(super) operation: Option<&'static OperationInfo>,
    pub(super) page_action: Option<PageAction>,
    pub(super) page_change: Option<PageChange>,
    pub(super) caller: Option<LoggedCaller>,
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
}

/// Sets a header of the response, for example `RateLimit`, and replaces an earlier value. Error responses have the
/// header too.
pub fn header(name: HeaderName, value: HeaderValue) {
    let _ = ANSWER.try_with(|answer| {
        let mut headers = answer.headers.borrow_mut();
        headers.retain(|(known, _)| *known != name);
        headers.push((name, value));
    });
}

/// Appends an item to a list-valued header of the response.
pub fn header_item(name: HeaderName, value: HeaderValue) {
    let _ = ANSWER.try_with(|answer| {
        let mut headers = answer.headers.borrow_mut();
        match headers.iter_mut().find(|(known, _)| *known == name) {
            None => headers.push((name, value)),
            Some((_, list)) => {
                if let Ok(longer) =
                    HeaderValue::from_bytes(&[list.as_bytes(), b", ", value.as_bytes()].concat())
                {
                    *list = longer;
                }
            }
        }
    });
}

/// Stores the body that the guard has parsed, so that the route need not parse it again.
pub(super) fn keep_parsed(body: Option<Value>) {
    let _ = ANSWER.try_with(|answer| answer.parsed.replace(Some(body)));
}

/// Removes and returns the body that the guard has parsed.
pub(super) fn take_parsed() -> Option<Option<Value>> {
    ANSWER.try_with(|answer| answer.parsed.take()).ok().flatten()
}

/// Records the operation, for logs and metrics.
pub fn operation(operation: &'static OperationInfo) {
    let _ = ANSWER.try_with(|answer| answer.operation.set(Some(operation)));
}

/// Records the caller, for the log.
pub fn caller(caller: LoggedCaller) {
    let _ = ANSWER.try_with(|answer| answer.caller.replace(Some(caller)));
}

/// Records a page action, for the log.
pub fn page_action(page_action: PageAction) {
    let _ = ANSWER.try_with(|answer| answer.page_action.set(Some(page_action)));
}

/// Records that the form of a page has changed nothing, so that the log reports no change.
pub fn nothing_changed() {
    let _ = ANSWER.try_with(|answer| answer.page_action.set(None));
}

/// Records what the form of a page has changed, for the log.
pub fn page_change(resource: String, change: &'static str) {
    let _ = ANSWER.try_with(|answer| answer.page_change.replace(Some(PageChange { resource, change })));
}

/// Sets the confirmation of the caller, which runs before the response is sent. Replaces an earlier confirmation.
pub fn confirm_with(confirmation: impl Confirmation + 'static) {
    let _ = ANSWER.try_with(|answer| answer.confirmation.replace(Some(Box::new(confirmation))));
}

/// Records that the response reports a write whose transaction confirmed the caller. The response is sent even if the
/// caller is revoked afterwards.
pub fn reports_write() {
    let _ = ANSWER.try_with(|answer| answer.confirmation.take());
}

/// Confirms the caller of the request if a confirmation was set. Looks up the permissions only if the last look-up is
/// no longer current. A redirect that reports a write needs no confirmation.
///
/// # Errors
/// - The rejection of the caller.
/// - 503 `server_error` with `Retry-After` if the result of each of [`CONFIRMATIONS`] look-ups was outdated when the
///   look-up ended.
pub(super) async fn confirmed(is_redirect: bool) -> Result<(), Rejection> {
    let confirmation = ANSWER.try_with(|answer| answer.confirmation.take()).ok().flatten();
    let Some(mut confirmation) = confirmation else { return Ok(()) };
    if is_redirect && confirmation.has_written() {
        return Ok(());
    }
    for _ in 0..CONFIRMATIONS {
        if confirmation.is_current() {
            return Ok(());
        }
        confirmation.confirm().await?;
        // the result is already outdated if something was revoked during the look-up, or if the look-up took too long
        if !confirmation.is_current() && confirmation.hold().await? {
            return Ok(());
        }
    }
    if confirmation.is_current() {
        return Ok(());
    }
    Err(ApiError::from(Refusal::busy(UNCONFIRMED, RETRY_AFTER)).into())
}

/// Records the client address, for the rate limits of handlers.
pub fn record_address(address: IpAddr) {
    let _ = ANSWER.try_with(|answer| answer.address.set(Some(address)));
}

/// Returns the client address, if recorded.
#[must_use]
pub fn address() -> Option<IpAddr> {
    ANSWER.try_with(|answer| answer.address.get()).ok().flatten()
}

/// Returns the id of the current request, for logs.
#[must_use]
pub fn request_id() -> Option<String> {
    ANSWER.try_with(|answer| String::from_utf8_lossy(&answer.request_id).into_owned()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::refusal::Code;

    /// A caller whose look-ups are never current, as in a series of revocations on SQLite.
    struct NeverCurrent;

    impl Confirmation for NeverCurrent {
        fn is_current(&self) -> bool {
            false
        }

        fn confirm(&mut self) -> BoxFuture<'_, Result<(), Rejection>> {
            Box::pin(async { Ok(()) })
        }

        fn hold(&mut self) -> BoxFuture<'_, Result<bool, Rejection>> {
            Box::pin(async { Ok(false) })
        }
    }

    #[tokio::test]
    async fn a_caller_who_cannot_be_confirmed_is_asked_to_try_again() {
        let request = async {
            confirm_with(NeverCurrent);
            confirmed(false).await
        };
        let (outcome, _) = AnswerState::new(*b"req_00000000000000000000000000").scope(request).await;
        let Err(Rejection::ApiError(error)) = outcome else { panic!("{outcome:?}") };
        assert_eq!((error.code, error.status.as_u16(), error.retry_after), (Code::ServerError, 503, Some(1)));
    }
}
