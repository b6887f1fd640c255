//! What is known of the answer being made: a cell per request, for the guard and the handlers.
//!
//! A task-local, so that a handler without the request can add a header; outside a request every call does
//! nothing.

use std::{
    cell::{Cell, RefCell},
    fmt,
};

use poem::http::{HeaderName, HeaderValue};

use super::OperationInfo;
use crate::domain::ids::UserId;

/// Bytes of a request id: `req_` and 26 Crockford base32 characters (D-003).
pub const REQUEST_ID_LEN: usize = 30;

tokio::task_local! {
    static ANSWER: Answer;
}

/// For whom a request is answered, as the log tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caller {
    /// The holder of the operator key.
    Operator,
    /// Whoever signed in, by the persons the session speaks for: one in each company.
    Persons(Vec<UserId>),
}

impl fmt::Display for Caller {
    /// `operator`, or `usr_…` with commas between.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operator => f.write_str("operator"),
            Self::Persons(persons) => persons.iter().enumerate().try_for_each(|(place, person)| {
                f.write_str(if place == 0 { "" } else { "," })?;
                f.write_str(&person.encode())
            }),
        }
    }
}

/// What a page does that the log tells; operations of the documents are told by their ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Credentials were tried.
    SignIn,
    /// A session was ended.
    SignOut,
    /// Somebody who is signed in posted a form.
    SubmitForm,
}

impl Deed {
    /// As the log names it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SignIn => "signIn",
            Self::SignOut => "signOut",
            Self::SubmitForm => "submitForm",
        }
    }
}

pub(super) struct Answer {
    pub(super) request_id: [u8; REQUEST_ID_LEN],
    pub(super) operation: Cell<Option<&'static OperationInfo>>,
    pub(super) deed: Cell<Option<Deed>>,
    pub(super) caller: RefCell<Option<Caller>>,
    pub(super) headers: RefCell<Vec<(HeaderName, HeaderValue)>>,
}

impl Answer {
    pub(super) fn new(request_id: [u8; REQUEST_ID_LEN]) -> Self {
        Self {
            request_id,
            operation: Cell::new(None),
            deed: Cell::new(None),
            caller: RefCell::default(),
            headers: RefCell::default(),
        }
    }

    /// Runs a request and tells what it noted.
    pub(super) async fn scope<F: Future>(self, request: F) -> (F::Output, Noted) {
        ANSWER
            .scope(self, async {
                let outcome = request.await;
                let noted = ANSWER.with(|answer| Noted {
                    operation: answer.operation.get(),
                    deed: answer.deed.get(),
                    caller: answer.caller.take(),
                    headers: answer.headers.take(),
                });
                (outcome, noted)
            })
            .await
    }
}

/// What a request noted about its answer.
pub(super) struct Noted {
    pub(super) operation: Option<&'static OperationInfo>,
    pub(super) deed: Option<Deed>,
    pub(super) caller: Option<Caller>,
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
}

/// Sets a header on the answer, success or failure, whatever it was before: `RateLimit`, `RateLimit-Policy`.
pub fn header(name: HeaderName, value: HeaderValue) {
    let _ = ANSWER.try_with(|answer| {
        let mut headers = answer.headers.borrow_mut();
        headers.retain(|(known, _)| *known != name);
        headers.push((name, value));
    });
}

/// Notes which operation answers, for logs and metrics.
pub fn operation(operation: &'static OperationInfo) {
    let _ = ANSWER.try_with(|answer| answer.operation.set(Some(operation)));
}

/// Notes for whom the request is answered, for the log.
pub fn caller(caller: Caller) {
    let _ = ANSWER.try_with(|answer| answer.caller.replace(Some(caller)));
}

/// Notes what a page does, for the log.
pub fn deed(deed: Deed) {
    let _ = ANSWER.try_with(|answer| answer.deed.set(Some(deed)));
}

/// The id of the request being answered, for logs.
#[must_use]
pub fn request_id() -> Option<String> {
    ANSWER.try_with(|answer| String::from_utf8_lossy(&answer.request_id).into_owned()).ok()
}
