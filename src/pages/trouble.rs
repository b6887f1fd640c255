//! What goes wrong, as pages.

use std::borrow::Cow;

use askama::Template;
use poem::{
    Response,
    http::{HeaderValue, StatusCode, header},
};

use super::{answer, frame::Frame};
use crate::{
    contract::{Fault, answer::request_id},
    domain::refusal::{Code, Refusal},
    store::{Error, StoreError},
};

/// A request that does not get what it asked for.
#[derive(Debug)]
pub(super) struct Trouble(Box<Parts>);

#[derive(Debug)]
struct Parts {
    status: StatusCode,
    title: Cow<'static, str>,
    message: Cow<'static, str>,
    /// Where it can be tried again.
    retry: Option<String>,
    allow: Option<String>,
    retry_after: Option<u32>,
    /// Another answer than a page: the browser is sent on.
    redirect: Option<String>,
    /// What happened, for the log.
    log: Option<String>,
}

#[derive(Template)]
#[template(path = "trouble.html")]
struct TroublePage<'a> {
    frame: Frame,
    status: u16,
    title: &'a str,
    message: &'a str,
    retry: Option<&'a str>,
    request_id: Option<String>,
}

impl Trouble {
    /// A page with a title and a sentence.
    pub(super) fn new(
        status: StatusCode,
        title: impl Into<Cow<'static, str>>,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self(Box::new(Parts {
            status,
            title: title.into(),
            message: message.into(),
            retry: None,
            allow: None,
            retry_after: None,
            redirect: None,
            log: None,
        }))
    }

    /// The browser goes elsewhere instead: to sign in, or back to the app with an error.
    pub(super) fn go(address: impl Into<String>) -> Self {
        let mut trouble = Self::new(StatusCode::FOUND, "", "");
        trouble.0.redirect = Some(address.into());
        trouble
    }

    pub(super) fn not_found() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "Nothing here",
            "This page does not exist, or is not there for you. The address may be mistyped.",
        )
    }

    pub(super) fn forbidden(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "Not allowed", message)
    }

    /// Something the request has wrong.
    pub(super) fn invalid(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "That did not work", message)
    }

    /// A form that did not come from a page of ours, or too late.
    pub(super) fn stale(retry: &str) -> Self {
        let mut trouble = Self::new(
            StatusCode::FORBIDDEN,
            "Please try again",
            "The page you sent this from had been open too long, or belonged to another sign-in. Nothing was changed.",
        );
        trouble.0.retry = Some(retry.to_owned());
        trouble
    }

    pub(super) fn too_often(seconds: u32) -> Self {
        Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "Too many requests",
            "This was asked too often in a short time. Wait a moment and try again.",
        )
        .after(Some(seconds))
    }

    /// The same, to be tried again after so many seconds.
    #[must_use]
    pub(super) fn after(mut self, seconds: Option<u32>) -> Self {
        self.0.retry_after = seconds;
        self
    }

    pub(super) fn method(methods: &[&str]) -> Self {
        let mut trouble = Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "That is not possible here",
            "This address is for something else. Go back and follow the page's own links and buttons.",
        );
        trouble.0.allow = Some(methods.join(", ").replacen("GET", "GET, HEAD", 1));
        trouble
    }

    /// A failure of ours; `log` stays on the server.
    pub(super) fn server(status: StatusCode, log: impl Into<String>) -> Self {
        let (title, message) = match status {
            StatusCode::SERVICE_UNAVAILABLE => {
                ("Back in a moment", "The service cannot answer right now. Try again in a few seconds.")
            }
            _ => ("Something broke", "That is our mistake, not yours. It has been noted; please try again."),
        };
        let mut trouble = Self::new(status, title, message);
        trouble.0.log = Some(log.into());
        trouble
    }

    /// The answer.
    pub(super) fn answer(self, frame: Frame) -> Response {
        let parts = *self.0;
        if let Some(address) = &parts.redirect {
            return answer::redirect(address);
        }
        let id = request_id();
        if let Some(log) = &parts.log {
            tracing::error!(request_id = id, status = parts.status.as_u16(), "{log}");
        }
        let page = TroublePage {
            frame: frame.titled(&parts.title),
            status: parts.status.as_u16(),
            title: &parts.title,
            message: &parts.message,
            retry: parts.retry.as_deref(),
            request_id: id,
        };
        let mut response = answer::page(parts.status, &page).unwrap_or_else(|_| parts.status.into());
        let headers = response.headers_mut();
        if let Some(Ok(methods)) = parts.allow.as_deref().map(HeaderValue::from_str) {
            headers.insert(header::ALLOW, methods);
        }
        if let Some(seconds) = parts.retry_after {
            headers.insert(header::RETRY_AFTER, seconds.max(1).into());
        }
        response
    }
}

/// A sentence for people: a capital and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Self {
        let message = refusal.message.as_deref().map(sentence);
        match refusal.code {
            Code::Forbidden => Self::forbidden(message.unwrap_or_else(|| {
                "This is for the company's admins. If you should be one, ask a colleague who is.".to_owned()
            })),
            Code::Conflict => Self::new(
                StatusCode::CONFLICT,
                "That did not work",
                message.unwrap_or_else(|| "The state of things does not allow this any more.".to_owned()),
            ),
            Code::RateLimited => Self::too_often(refusal.retry_after.unwrap_or(1)),
            code if code.status() == 404 => Self::not_found(),
            // a session that ended between two steps of one request
            Code::InvalidAuth => Self::go("/signin"),
            code if code.status() < 500 => {
                Self::invalid(message.unwrap_or_else(|| "The form holds something it should not.".to_owned()))
            }
            _ => Self::server(StatusCode::INTERNAL_SERVER_ERROR, refusal.to_string()),
        }
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::Store(error @ StoreError::Unavailable(_)) => {
                Self::server(StatusCode::SERVICE_UNAVAILABLE, error.to_string()).after(Some(1))
            }
            Error::Store(error) => Self::server(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()),
        }
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        match &fault.log {
            Some(log) => Self::server(fault.status, log.clone()),
            None => Self::new(fault.status, "That did not work", sentence(fault.text())),
        }
    }
}
