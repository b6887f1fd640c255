//! The errors of pages. `error_response` renders them.

use std::borrow::Cow;

use poem::http::StatusCode;

use super::next::{SIGN_IN_PATH, sign_in_path};
use crate::{
    contract::ApiError,
    domain::{
        ids::WorkspaceId,
        refusal::{Code, Refusal},
    },
    service::Error,
};

/// An error page, or a redirect that takes the place of the requested page.
#[derive(Debug)]
pub(super) struct PageError(Box<ErrorPageParts>);

/// The parts of the response to an error.
#[derive(Debug)]
pub(super) struct ErrorPageParts {
    pub(super) status: StatusCode,
    pub(super) title: Cow<'static, str>,
    pub(super) message: Cow<'static, str>,
    /// A link to another page: path and label.
    pub(super) retry: Option<(String, &'static str)>,
    pub(super) repeat: Option<RepeatedForm>,
    /// Whether the form was rejected because of its CSRF token.
    pub(super) is_stale: bool,
    pub(super) allow: Option<String>,
    pub(super) retry_after: Option<u32>,
    /// Redirect target. If it is set, no page is rendered.
    pub(super) redirect: Option<String>,
    /// Internal details for the log.
    pub(super) log: Option<String>,
}

/// A form on the error page: usually the submitted form, to be sent again with the same values.
#[derive(Debug)]
pub(super) struct RepeatedForm {
    pub(super) path: String,
    /// Names and values of the hidden fields. The template adds the CSRF token of a signed-in person.
    pub(super) fields: Vec<(&'static str, String)>,
    /// The typed text of the field `text`; `None` if the form has no such field.
    pub(super) text: Option<String>,
    /// Whether files can be attached. Files that were sent before have to be chosen again.
    pub(super) takes_files: bool,
    /// The text of the button.
    pub(super) button: Cow<'static, str>,
}

/// The text of the button that sends a form again.
pub(super) const TRY_AGAIN: Cow<'static, str> = Cow::Borrowed("Try again");

impl PageError {
    /// Returns an error page with a title and a message.
    pub(super) fn new(
        status: StatusCode,
        title: impl Into<Cow<'static, str>>,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self(Box::new(ErrorPageParts {
            status,
            title: title.into(),
            message: message.into(),
            retry: None,
            repeat: None,
            is_stale: false,
            allow: None,
            retry_after: None,
            redirect: None,
            log: None,
        }))
    }

    /// Returns a redirect in place of an error page. The target is a sign-in page, the page on which the visitor
    /// chooses a company, or an app's redirect URI, to whose query the error was added.
    pub(super) fn redirect(address: impl Into<String>) -> Self {
        let mut error = Self::new(StatusCode::FOUND, "", "");
        error.0.redirect = Some(address.into());
        error
    }

    /// If the error is a redirect to the sign-in page without the parameter `next`, adds `here` as `next`: the page to
    /// show after signing in. Other errors do not change.
    #[must_use]
    pub(super) fn returning_to(mut self, here: &str) -> Self {
        if self.0.redirect.as_deref() == Some(SIGN_IN_PATH) {
            self.0.redirect = Some(sign_in_path(here));
        }
        self
    }

    /// Returns the error for a request that the script of the web client sent. The script cannot distinguish a redirect
    /// from success. So a redirect to the sign-in page becomes a 401 error, and any other redirect a 409 error. Errors
    /// that are not redirects do not change.
    #[must_use]
    pub(super) fn for_script(self) -> Self {
        match self.0.redirect.as_deref() {
            None => self,
            Some(to) if to.starts_with("/signin") => {
                Self::new(StatusCode::UNAUTHORIZED, "Signed out", "You were signed out. Sign in again.")
            }
            Some(_) => Self::new(
                StatusCode::CONFLICT,
                "No company chosen",
                "Nothing was changed: you have not chosen a company since you signed in. Open this page again to \
                 choose one.",
            ),
        }
    }

    pub(super) fn not_found() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "Page not found",
            "This page does not exist, or you have no access to it. Check the address.",
        )
    }

    /// Replaces a 404 error without a link by an error that explains how to send the form in another company. Used for
    /// a visitor in several companies, who may have chosen another company since the page of the form was opened.
    ///
    /// The new error is the same for [`Self::not_found`] and for [`Self::in_other_company`]. It has no form that opens
    /// the other company, because [`Self::with_typed_form`] adds the submitted form in its place. Errors with a link,
    /// such as [`Self::no_message`], and errors with a status other than 404 do not change.
    #[must_use]
    pub(super) fn or_in_other_company(mut self) -> Self {
        if self.0.status == StatusCode::NOT_FOUND && self.0.retry.is_none() {
            self = Self::not_found();
            self.0.message = "Nothing was changed: this page does not exist, or you have no access to it. If it is in \
                              another of your companies, open that company in another window by the link below, then \
                              press the button here."
                .into();
            self.0.retry = Some(("/start".to_owned(), "Go to the start page"));
        }
        self
    }

    /// Returns an error for a message that does not exist in a conversation.
    pub(super) fn no_message(conversation: String) -> Self {
        let mut error = Self::new(
            StatusCode::NOT_FOUND,
            "Message not found",
            "This message was deleted, or it is older than your time in the conversation.",
        );
        error.0.retry = Some((conversation, "Open the conversation"));
        error
    }

    /// Returns an error for a page about another company than the one that the session has chosen. The visitor belongs
    /// to both companies. The error page has a form that opens the other company, and then the page at `here`.
    pub(super) fn in_other_company(company: &str, workspace: WorkspaceId, here: &str) -> Self {
        let mut error = Self::new(
            StatusCode::NOT_FOUND,
            "Open the other company?",
            format!("This page is about {company}. At the moment you see another company."),
        );
        error.0.repeat = Some(RepeatedForm {
            path: "/company".to_owned(),
            fields: vec![("workspace_id", workspace.encode()), ("next", here.to_owned())],
            text: None,
            takes_files: false,
            button: format!("Open {company}").into(),
        });
        error
    }

    pub(super) fn forbidden(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "Not allowed", message)
    }

    /// Returns an error for an invalid request.
    pub(super) fn invalid(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "That did not work", message)
    }

    /// Returns an error for a form without a valid CSRF token. The usual cause is that the form was opened in another
    /// session.
    pub(super) fn stale(retry: &str) -> Self {
        let mut error = Self::new(
            StatusCode::FORBIDDEN,
            "Please try again",
            "The page with this form was open too long or belonged to another sign-in. Nothing was changed.",
        );
        error.0.retry = Some((retry.to_owned(), "Open the page again"));
        error.0.is_stale = true;
        error
    }

    /// Adds a link to a page on which the visitor can try again.
    #[must_use]
    pub(super) fn with_retry(mut self, retry: &str) -> Self {
        self.0.retry = Some((retry.to_owned(), "Open the page again"));
        self
    }

    /// If the error is a server error, adds a button that sends the form again. The server may have stored the change
    /// before it failed. So call this method only for a form that does not repeat the change when it is sent again.
    #[must_use]
    pub(super) fn with_repeat(mut self, form: RepeatedForm) -> Self {
        if self.0.status.is_server_error() {
            self.0.repeat = Some(form);
        }
        self
    }

    /// Adds the submitted form with its typed text, so that the text is not lost and the form can be sent again:
    ///
    /// - Errors for an invalid CSRF token, server errors, and errors with a status in `WITH_FORM` get the form.
    /// - A redirect to the sign-in page becomes a 401 page with the form, and any other redirect a 409 page with it.
    /// - All other errors do not change. If `form` is `None`, no error changes.
    #[must_use]
    pub(super) fn with_typed_form(mut self, form: Option<RepeatedForm>) -> Self {
        // A 404 error gets the form because the form can belong to another company than the session has chosen. The
        // visitor can then open that company and send the form again.
        const WITH_FORM: [StatusCode; 4] = [
            StatusCode::NOT_FOUND,
            StatusCode::REQUEST_TIMEOUT,
            StatusCode::PAYLOAD_TOO_LARGE,
            StatusCode::TOO_MANY_REQUESTS,
        ];
        if form.is_some()
            && let Some(path) = self.0.redirect.take()
        {
            let (status, title, message, link) = if path.starts_with("/signin") {
                (
                    StatusCode::UNAUTHORIZED,
                    "Sign in to send this",
                    "You were signed out before this was sent, so nothing was changed. Open the link below in another \
                     window and sign in, then press the button here.",
                    "Sign in",
                )
            } else {
                (
                    StatusCode::CONFLICT,
                    "Choose a company first",
                    "You have not chosen a company since you signed in, so nothing was changed. Choose it in another \
                     window by the link below, then press the button here.",
                    "Choose a company",
                )
            };
            self = Self::new(status, title, message);
            self.0.retry = Some((path, link));
            self.0.repeat = form;
            return self;
        }
        let status = self.0.status;
        if form.is_some() && (self.0.is_stale || status.is_server_error() || WITH_FORM.contains(&status)) {
            self.0.repeat = form;
        }
        self
    }

    pub(super) fn too_often(seconds: u32) -> Self {
        Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "Too many requests",
            "There were too many requests in a short time. Wait a moment and try again.",
        )
        .after(Some(seconds))
    }

    /// Returns the status of the response.
    pub(super) fn status(&self) -> StatusCode {
        self.0.status
    }

    /// Sets `Retry-After`.
    #[must_use]
    pub(super) fn after(mut self, seconds: Option<u32>) -> Self {
        self.0.retry_after = seconds;
        self
    }

    pub(super) fn method(methods: &[&str]) -> Self {
        let mut error = Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "Not possible here",
            "This address does not support this. Go back and use the links and buttons of the page.",
        );
        error.0.allow = Some(methods.join(", ").replacen("GET", "GET, HEAD", 1));
        error
    }

    /// Returns a server error. `log` is logged and not shown.
    pub(super) fn server(status: StatusCode, log: impl Into<String>) -> Self {
        let (title, message) = match status {
            StatusCode::SERVICE_UNAVAILABLE => {
                ("Back in a moment", "The service is not available right now. Try again in a few seconds.")
            }
            _ => {
                ("Something went wrong", "This is an error of the service and was logged. Please try again.")
            }
        };
        let mut error = Self::new(status, title, message);
        error.0.log = Some(log.into());
        error
    }

    /// Returns the parts of the response.
    pub(super) fn into_parts(self) -> ErrorPageParts {
        *self.0
    }
}

/// Returns a text as a sentence, with a capital letter and a full stop.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}

impl From<Refusal> for PageError {
    fn from(refusal: Refusal) -> Self {
        let message = refusal.message.as_deref().map(sentence);
        match refusal.code {
            Code::Forbidden => Self::forbidden(message.unwrap_or_else(|| {
                "Only admins of the company can open this page. Ask an admin for this role.".to_owned()
            })),
            Code::Conflict => Self::new(
                StatusCode::CONFLICT,
                "That did not work",
                message.unwrap_or_else(|| "The current state does not allow this operation.".to_owned()),
            ),
            Code::RateLimited => Self::too_often(refusal.retry_after.unwrap_or(1)),
            code if code.status() == 404 => Self::not_found(),
            Code::ServerError => Self::server(StatusCode::SERVICE_UNAVAILABLE, refusal.to_string())
                .after(Some(refusal.retry_after.unwrap_or(1))),
            // the session ended during the request
            Code::InvalidAuth => Self::redirect(SIGN_IN_PATH),
            code if code.status() < 500 => {
                Self::invalid(message.unwrap_or_else(|| "The form contains invalid values.".to_owned()))
            }
            _ => Self::server(StatusCode::INTERNAL_SERVER_ERROR, refusal.to_string()),
        }
    }
}

impl From<Error> for PageError {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::Store(error) if error.is_unavailable() => {
                Self::server(StatusCode::SERVICE_UNAVAILABLE, error.to_string()).after(Some(1))
            }
            Error::Store(error) => Self::server(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()),
        }
    }
}

impl From<ApiError> for PageError {
    fn from(error: ApiError) -> Self {
        match &error.log {
            Some(log) => Self::server(error.status, log.clone()),
            None => Self::new(error.status, "That did not work", sentence(error.text())),
        }
    }
}
